// SPDX-License-Identifier: GPL-2.0-only
// Random references to memory: 4 million loads and as many stores from pages of
// 16 KB that a xorshift generator picks. Without an argument from 2048 pages,
// sixteen times what a TLB holds; with any, from 8. Each page has one word that is
// used, at an offset of its own: caches hold them all.
	.include "guest.inc"

ROUNDS = 4000000
PAGES = 2048

	.text
	.global	_start
	.proc	_start
_start:
	alloc	r32 = ar.pfs, 0, 8, 3, 0
	// argc is where the stack begins, 16 bytes above the pointer
	adds	r14 = 16, r12 ;;
	ld8	r14 = [r14]
	movl	r15 = ROUNDS - 1
	movl	r17 = table
	movl	r18 = 0x2545f4914f6cdd1d ;;
	mov.i	ar.lc = r15
	cmp.eq	p6, p7 = 1, r14 ;;
(p6)	movl	r16 = PAGES - 1
(p7)	mov	r16 = 7 ;;
1:	shl	r19 = r18, 13 ;;
	xor	r18 = r18, r19 ;;
	shr.u	r19 = r18, 7 ;;
	xor	r18 = r18, r19 ;;
	shl	r19 = r18, 17 ;;
	xor	r18 = r18, r19 ;;
	and	r20 = r18, r16 ;;
	shladd	r21 = r20, 3, r20 ;;
	dep.z	r21 = r21, 3, 11
	shl	r20 = r20, 14 ;;
	add	r20 = r21, r20 ;;
	add	r20 = r20, r17 ;;
	ld8	r22 = [r20] ;;
	add	r22 = r22, r18 ;;
	st8	[r20] = r22
	br.cloop.sptk.few 1b ;;
	exit	0
	.endp	_start

	.bss
	.align	0x4000
table:
	.skip	PAGES << 14
