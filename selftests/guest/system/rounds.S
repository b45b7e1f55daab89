// SPDX-License-Identifier: GPL-2.0-only
// A loop of twelve instructions in three groups, one of them a branch that is foreseen: whatever
// is fetched retires. selftests/machine/test_profileme.c samples it. Physical addresses.
TURNS = 40000

	.text
	.global	_start
	.proc	_start
_start:
	{ .mlx
	nop.m	0
	movl	r11 = TURNS - 1 ;;
	}
	{ .mii
	nop.m	0
	mov.i	ar.lc = r11
	nop.i	0 ;;
	}
	.align	64
	.global	turn
turn:
	{ .mii
	add	r12 = 1, r12
	add	r13 = 2, r13
	nop.i	0 ;;
	}
	{ .mmi
	add	r14 = r12, r13
	nop.m	0
	add	r15 = 3, r15
	}
	{ .mii
	add	r16 = 4, r16
	nop.i	0
	add	r17 = 5, r17 ;;
	}
	{ .mib
	add	r18 = r14, r17
	nop.i	0
	br.cloop.sptk.few turn ;;
	}
1:
	{ .mib
	nop.m	0
	nop.i	0
	br.cond.sptk.few 1b ;;
	}
	.endp	_start
