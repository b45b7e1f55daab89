// SPDX-License-Identifier: GPL-2.0-only
// A loop of twelve instructions in four bundles, a million turns: a sampling period that has a
// factor in common with twelve does not see all of them.
	.include "lesson.inc"
	program
	movl	r15 = 999999 ;;
	mov.i	ar.lc = r15 ;;
	.align	32
1:
	{ .mii
	adds	r16 = 1, r16
	adds	r17 = 1, r17
	adds	r18 = 1, r18 ;; }
	{ .mii
	adds	r19 = 1, r19
	adds	r20 = 1, r20
	adds	r21 = 1, r21 ;; }
	{ .mfb
	adds	r22 = 1, r22
	fma.d	f6 = f1, f1, f0
	nop.b	0 ;; }
	{ .mib
	adds	r23 = 1, r23
	nop.i	0
	br.cloop.sptk 1b ;; }
	finish
