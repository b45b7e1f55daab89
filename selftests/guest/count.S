// SPDX-License-Identifier: GPL-2.0-only
// A program whose counts are known by construction. Every bundle is written
// out, so nothing is left to the assembler. What each part retires:
//
//	part		instructions  nops  squashed  loads  stores  branches
//	prologue		20       3         0      0       0         0
//	loop, 1000 times	20       5         3      3       2         2
//	epilogue		 9       2         0      2       1         0
//
// count.expect holds the sums. Squashed leaves out B slots: the branch that
// is not taken and the predicated-off nop.b of the loop. A squashed load is no
// load, a squashed nop no nop, lfetch no load and hint no nop; a 16-byte load
// is one load, and xchg is a load and a store. A movl is one instruction, the
// bundle it is in two. The break of a system call retires.
	.include "guest.inc"

	.text
	.explicit
	.global	_start
	.proc	_start
_start:
	{ .mfi
	alloc	r32 = ar.pfs, 0, 8, 3, 0
	nop.f	0
	mov	r9 = 77
	} { .mlx
	mov	r8 = 999
	movl	r14 = cells ;;
	} { .mii
	adds	r15 = 8, r14
	adds	r16 = 16, r14
	adds	r17 = 24, r14
	} { .mii
	cmp.eq	p6, p7 = r0, r9			// p6 false, p7 true
	mov.i	ar.lc = r8
	nop.i	0 ;;
	} { .mmi
	adds	r18 = 32, r14
	adds	r26 = 0, r0
	adds	r27 = 0, r0
	} { .mmi
	adds	r28 = 0, r0
	adds	r29 = 0, r0
	nop.i	0 ;;
	} { .mii
	adds	r30 = 0, r0
	adds	r31 = 0, r0
	adds	r10 = 5, r0 ;;
	}
loop:
	{ .mmi
	ld8	r20 = [r14]
	ld4	r21 = [r15]
	nop.i	0
	} { .mmi
	st8	[r16] = r9
	st4	[r17] = r10
(p6)	adds	r22 = 1, r0
	} { .mmf
(p6)	ld8	r23 = [r0]
	ld1	r24 = [r14]
	nop.f	0
	} { .mlx
	nop.m	0
	movl	r25 = 0x123456789abcdef0
	} { .mfb
	lfetch	[r14]
(p6)	nop.f	0
(p6)	br.cond.sptk.few _start
	} { .mib
	hint.m	0
(p7)	adds	r26 = 1, r26
(p6)	nop.b	0
	} { .mib
	nop.m	0
	nop.i	0
	br.cloop.sptk.few loop ;;
	}
	{ .mmi
	ld16	r20, ar.csd = [r18]
	nop.m	0
	nop.i	0 ;;
	} { .mmi
	xchg8	r21 = [r14], r9
	mov	r15 = SYS_exit
	mov	r40 = 0 ;;
	} { .mii
	adds	r11 = 1, r0
	adds	r12 = 1, r0
	break.i	0x100000
	}
	.endp	_start

	.data
	.balign	64
cells:
	.skip	64
