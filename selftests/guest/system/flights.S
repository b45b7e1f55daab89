// SPDX-License-Identifier: GPL-2.0-only
// Code that selftests/machine/test_profileme.c follows by instruction: branches by the
// bits of a shift register, which no predictor foresees, calls, loads all over a megabyte, and
// bundles that are entered in the middle. Physical addresses; no interruption is expected.
MAGIC = 0x746867696c66		// in r16 behind the last turn
TURNS = 900
ARRAY = 0x2000000

	.text
	.global	_start
	.proc	_start
_start:
	// lines that a branch has asked for, on their way when they are fetched
	{ .mib
	nop.m	0
	nop.i	0
	br.cond.sptk.many 6f ;;
	}
	.align	128
6:
	.rept	12
	{ .mii
	nop.m	0
	add	r24 = 1, r24
	nop.i	0 ;;
	}
	.endr
	{ .mlx
	mov	r9 = 1
	movl	r10 = ARRAY
	}
	{ .mlx
	nop.m	0
	movl	r11 = TURNS - 1 ;;
	}
	{ .mii
	nop.m	0
	mov.i	ar.lc = r11
	nop.i	0 ;;
	}
1:
	// a Galois shift register of 16 bits
	{ .mii
	mov	r12 = 0xb400
	tbit.nz	p6, p7 = r9, 0
	shr.u	r9 = r9, 1 ;;
	}
	{ .mmi
(p6)	xor	r9 = r9, r12
	nop.m	0
	nop.i	0 ;;
	}
	{ .mib
	nop.m	0
	dep.z	r13 = r9, 4, 16
(p6)	br.cond.dptk.few 2f ;;
	}
	{ .mmi
	add	r14 = r10, r13 ;;
	ld8	r15 = [r14]
	adds	r17 = 1, r17 ;;
	}
2:
	{ .mib
	add	r18 = r15, r17
	tbit.nz	p8, p9 = r9, 3
	br.call.sptk.few b0 = 4f ;;
	}
	{ .mbb
	nop.m	0
(p8)	br.cond.dpnt.few 3f
(p9)	br.cond.dptk.few 3f ;;
	}
	{ .mii
	nop.m	0
	nop.i	0
	nop.i	0 ;;
	}
3:
	{ .mib
	add	r19 = r18, r9
	nop.i	0
	br.cloop.sptk.few 1b ;;
	}
	movl	r16 = MAGIC ;;
5:
	{ .mib
	nop.m	0
	nop.i	0
	br.cond.sptk.few 5b ;;
	}
	.endp	_start

	.proc	callee
4:
callee:
	{ .mmi
	add	r20 = 1, r20
	add	r21 = 2, r21
	add	r22 = 3, r22 ;;
	}
	{ .mib
	add	r23 = r20, r21
	nop.i	0
	br.ret.sptk.few b0 ;;
	}
	.endp	callee
