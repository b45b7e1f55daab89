// SPDX-License-Identifier: GPL-2.0-only
// A million loads, each of which waits for the one before: a ring of pointers through SIZE
// bytes, STEP apart.
	.include "lesson.inc"
	program
	movl	r14 = ring
	movl	r15 = SIZE / STEP - 1
	movl	r17 = STEP ;;
	mov.i	ar.lc = r15
	mov	r16 = r14 ;;
1:	add	r18 = r16, r17 ;;	// make the ring
	st8	[r16] = r18
	mov	r19 = r16
	mov	r16 = r18
	br.cloop.sptk 1b ;;
	st8	[r19] = r14		// and close it
	movl	r15 = 999999 ;;
	mov.i	ar.lc = r15 ;;
	.endp	_start
	.align	32
	.global	walk
	.proc	walk
walk:
2:	ld8	r14 = [r14]
	br.cloop.sptk 2b ;;
	finish	walk
	.section .bss, "aw", @nobits
	.align	128
ring:	.skip	SIZE
