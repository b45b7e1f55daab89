// SPDX-License-Identifier: GPL-2.0-only
// A hundred thousand advanced loads, each with a store between it and its check; the store
// meets the load's address each PERIODth time, never if PERIOD is 0.
	.include "lesson.inc"
	program
	movl	r14 = here
	movl	r15 = 99999
	mov	r20 = 0 ;;
	mov.i	ar.lc = r15
	adds	r16 = 64, r14 ;;
1:	adds	r20 = 1, r20
	mov	r17 = r16 ;;
.if PERIOD
	cmp.eq	p6, p0 = PERIOD, r20 ;;
(p6)	mov	r17 = r14
(p6)	mov	r20 = 0 ;;
.endif
	ld8.a	r18 = [r14] ;;		// early, above the store
	st8	[r17] = r20 ;;
	ld8.c.clr r18 = [r14] ;;	// loads again if the store met it
	br.cloop.sptk 1b ;;
	finish
	.data
	.align	64
here:	.skip	128
