// SPDX-License-Identifier: GPL-2.0-only
// A million turns with one branch beside the loop's own; PATTERN says when it is taken:
// 1 always, 2 each second time, 3 as a generator of random bits says.
	.include "lesson.inc"
	program
	movl	r15 = 999999
	movl	r14 = 0x2545f4914f6cdd1d
	mov	r20 = 0 ;;
	mov.i	ar.lc = r15 ;;
	.align	32
1:	shl	r16 = r14, 13 ;;	// xorshift
	xor	r14 = r14, r16 ;;
	shr.u	r16 = r14, 7 ;;
	xor	r14 = r14, r16 ;;
	shl	r16 = r14, 17 ;;
	xor	r14 = r14, r16
	adds	r20 = 1, r20 ;;
.if PATTERN == 1
	cmp.eq	p6, p7 = r0, r0 ;;
.elseif PATTERN == 2
	tbit.nz	p6, p7 = r20, 0 ;;
.else
	tbit.nz	p6, p7 = r14, 20 ;;
.endif
(p6)	br.cond.dptk 2f ;;
	nop.i	0 ;;
2:	br.cloop.sptk 1b ;;
	finish
