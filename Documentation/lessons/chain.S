// SPDX-License-Identifier: GPL-2.0-only
// A million turns of one instruction that waits for its own result; KIND says which.
	.include "lesson.inc"
	program
	mov	r14 = -1
	movl	r15 = 999999
	movl	r16 = here ;;
	mov.i	ar.lc = r15
	st8	[r16] = r16		// a pointer to itself
	setf.sig f6 = r14 ;;
	.align	32
1:
.if KIND == 1
	adds	r14 = -1, r14
.elseif KIND == 2
	ld8	r16 = [r16]
.elseif KIND == 3
	fma.d	f6 = f6, f1, f0
.elseif KIND == 4
	xma.l	f6 = f6, f1, f0
.endif
	br.cloop.sptk 1b ;;
	finish
	.data
	.align	16
here:	data8	0
