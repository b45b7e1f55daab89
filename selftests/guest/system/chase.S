// SPDX-License-Identifier: GPL-2.0-only
// A chain of pointers from r9 on is followed r10 + 1 times. With each, a second load takes
// the word behind it, in the same line. Then the word at r15 is loaded, which the caller
// may have where memory is not cached. selftests/machine/test_latency.c looks at the loads.
MAGIC = 0x6573616863		// in r16 behind the last load

	.text
	.global	_start
	.proc	_start
_start:
	{ .mii
	add	r14 = 8, r9
	mov.i	ar.lc = r10
	nop.i	0 ;;
	}
1:
	{ .mmi
	ld8	r12 = [r9]
	ld8	r13 = [r14]
	nop.i	0 ;;
	}
	{ .mii
	mov	r9 = r12
	add	r14 = 8, r12
	nop.i	0 ;;
	}
	{ .mib
	nop.m	0
	nop.i	0
	br.cloop.sptk.few 1b ;;
	}
	ld8	r17 = [r15] ;;
	add	r18 = r17, r17 ;;
	movl	r16 = MAGIC ;;
2:
	{ .mib
	nop.m	0
	nop.i	0
	br.cond.sptk.few 2b ;;
	}
	.endp	_start
