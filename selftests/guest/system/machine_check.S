// SPDX-License-Identifier: GPL-2.0-only
// A load from an address that nothing answers: a machine check, which ends the run. The instructions
// behind it are for a host that goes on there. selftests/machine/test_traptypes.c profiles each.
// Physical addresses.
NOTHING = 1 << 40

	.text
	.global	_start
	.proc	_start
_start:
	{ .mlx
	nop.m	0
	movl	r14 = NOTHING ;;
	}
	.rept	8
	{ .mii
	add	r15 = 1, r15
	nop.i	0
	nop.i	0 ;;
	}
	.endr
	{ .mmi
	nop.m	0
	ld8	r8 = [r14]
	nop.i	0 ;;
	}
1:
	{ .mib
	add	r15 = 1, r15
	nop.i	0
	br.cond.sptk.few 1b ;;
	}
	.endp	_start
