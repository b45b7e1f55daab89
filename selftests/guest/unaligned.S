// SPDX-License-Identifier: GPL-2.0-only
// References that the operating system finishes: unaligned ones, which
// Linux/ia64 emulates, and speculative ones, which it defers. Exits with 0, or
// with the number of the first check that failed.
	.include "guest.inc"

	.macro	expect number, have, want
	cmp.ne	p6, p7 = \want, \have
	mov	r40 = \number ;;
(p6)	br.cond.spnt fail ;;
	.endm

	.text
	.global	_start
	.proc	_start
_start:
	alloc	r32 = ar.pfs, 0, 8, 3, 0
	movl	r33 = bytes ;;

	// integer loads across an aligned 8 bytes
	adds	r2 = 7, r33
	adds	r3 = 5, r33
	movl	r20 = 0x0807 ;;
	ld2	r8 = [r2]
	movl	r21 = 0x08070605 ;;
	ld4	r9 = [r3] ;;
	expect	1, r8, r20
	expect	2, r9, r21
	adds	r2 = 3, r33
	adds	r10 = 11, r33
	movl	r20 = 0x0a09080706050403 ;;
	ld8	r8 = [r2], 8 ;;
	expect	3, r8, r20
	expect	4, r2, r10
	adds	r2 = 3, r33
	mov	r11 = 8 ;;
	ld8	r8 = [r2], r11 ;;
	expect	5, r8, r20
	expect	6, r2, r10
	// in slots 0 and 1 of one bundle, and the instruction behind them
	adds	r2 = 3, r33
	adds	r3 = 4, r33
	movl	r21 = 0x0b0a090807060504
	mov	r14 = 0 ;;
	.mmi
	ld8	r8 = [r2]
	ld8	r9 = [r3]
	adds	r14 = 1, r14 ;;
	expect	7, r8, r20
	expect	8, r9, r21
	expect	9, r14, 1

	// integer stores
	movl	r34 = room ;;
	adds	r2 = 5, r34
	movl	r20 = 0x1122334455667788 ;;
	adds	r3 = 5, r34
	st8	[r2] = r20, 9 ;;
	adds	r10 = 14, r34
	ld8	r8 = [r3] ;;
	expect	10, r8, r20
	expect	11, r2, r10
	ld8	r8 = [r34], 8
	movl	r21 = 0x6677880000000000 ;;
	ld8	r9 = [r34], -8
	movl	r22 = 0x0000001122334455 ;;
	expect	12, r8, r21
	expect	13, r9, r22
	adds	r2 = 22, r34
	adds	r3 = 31, r34 ;;
	st4	[r2] = r20
	st2	[r3] = r20 ;;
	ld4	r8 = [r2]
	ld2	r9 = [r3]
	movl	r21 = 0x55667788
	movl	r22 = 0x7788 ;;
	expect	14, r8, r21
	expect	15, r9, r22

	// across pages
	movl	r2 = page - 3
	movl	r3 = page - 3
	movl	r20 = 0x0102030405060708 ;;
	st8	[r2] = r20 ;;
	ld8	r8 = [r3] ;;
	expect	16, r8, r20

	// floating point, across an aligned 16 bytes
	adds	r2 = 12, r33
	adds	r3 = 20, r33
	movl	r20 = 0x131211100f0e0d0c ;;
	ldfd	f6 = [r2], 8 ;;
	getf.d	r8 = f6 ;;
	expect	17, r8, r20
	expect	18, r2, r3
	adds	r2 = 12, r33 ;;
	ldf8	f7 = [r2] ;;
	getf.sig r8 = f7 ;;
	expect	19, r8, r20
	adds	r2 = 14, r33
	movl	r21 = 0x11100f0e ;;
	ldfs	f8 = [r2] ;;
	getf.s	r8 = f8 ;;
	expect	20, r8, r21
	adds	r2 = 11, r33
	movl	r22 = 0x1211100f0e0d0c0b ;;
	ldfe	f9 = [r2] ;; // its exponent: 0x1413 with the bias of the format
	getf.sig r8 = f9
	getf.exp r9 = f9 ;;
	movl	r21 = 0x1413 + 0xffff - 0x3fff ;;
	expect	21, r8, r22
	expect	22, r9, r21
	adds	r2 = 9, r33
	adds	r3 = 25, r33
	movl	r20 = 0x100f0e0d0c0b0a09
	movl	r21 = 0x1817161514131211 ;;
	ldfpd	f10, f11 = [r2], 16 ;;
	getf.d	r8 = f10
	getf.d	r9 = f11 ;;
	expect	23, r8, r20
	expect	24, r9, r21
	expect	25, r2, r3
	adds	r2 = 12, r34
	adds	r3 = 20, r34 ;;
	stfd	[r2] = f10, 8 ;;
	adds	r10 = 12, r34 ;;
	ld8	r8 = [r10] ;;
	expect	26, r8, r20
	expect	27, r2, r3
	adds	r2 = 14, r34
	movl	r21 = 0x11100f0e ;;
	stfs	[r2] = f8 ;;
	ld4	r8 = [r2] ;;
	expect	28, r8, r21
	adds	r2 = 13, r34
	adds	r3 = 21, r34
	movl	r21 = 0x1413 ;;
	stfe	[r2] = f9 ;;
	ld8	r8 = [r2]
	ld2	r9 = [r3] ;;
	expect	29, r8, r22
	expect	30, r9, r21

	// a NaT in the register that is added reaches the base
	mov	r15 = 0
	adds	r2 = 3, r33 ;;
	ld8.s	r14 = [r15] ;;
	ld8	r8 = [r2], r14 ;;
	tnat.z	p6, p7 = r2
	mov	r40 = 31 ;;
(p6)	br.cond.spnt fail ;;

	// what is deferred: no page, no right, not aligned; integer and FP
	tnat.z	p6, p7 = r14
	mov	r40 = 32 ;;
(p6)	br.cond.spnt fail ;;
	adds	r2 = 3, r33 ;;
	ld8.s	r8 = [r2] ;;
	tnat.z	p6, p7 = r8
	mov	r40 = 33 ;;
(p6)	br.cond.spnt fail ;;
	mov	r14 = 7 ;;
	chk.s	r8, recover ;;
recovered:
	expect	34, r14, 8
	ldfd.s	f12 = [r15]
	mov	r40 = 35 ;;
	fclass.m p6, p7 = f12, @nat ;;
(p7)	br.cond.spnt fail ;;
	ld8.sa	r8 = [r15], 16 ;;
	tnat.z	p6, p7 = r8
	mov	r40 = 36 ;;
(p6)	br.cond.spnt fail ;;
	expect	37, r15, 16
	mov	r2 = 0 ;;
	lfetch.fault [r2], 32 ;;
	mov	r10 = 32 ;;
	expect	38, r2, r10

	// advanced loads, and stores that the operating system does
	adds	r2 = 3, r34
	movl	r20 = 0x1234567812345678 ;;
	ld8.a	r8 = [r2] ;;
	st8	[r2] = r20 ;;
	ld8.c.clr r8 = [r2] ;;
	expect	39, r8, r20
	adds	r3 = 8, r34
	adds	r2 = 13, r34 ;;
	ld8.a	r9 = [r3] ;;
	st8	[r2] = r20 ;;
	ld8.c.clr r9 = [r3]
	ld8	r10 = [r3] ;;
	expect	40, r9, r10
	// an entry for the same register from before does not stand for it
	ld8.a	r9 = [r3]
	adds	r2 = 19, r34 ;;
	ld8.a	r9 = [r2] ;;
	st8	[r2] = r0 ;;
	ld8.c.clr r9 = [r2] ;;
	expect	41, r9, r0
	exit	0

recover:
	adds	r14 = 1, r14
	br.cond.sptk recovered ;;
fail:
	syscall	SYS_exit
	.endp	_start

	.data
	.align	16
bytes:
	.byte	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	.byte	16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	.byte	32, 33, 34, 35, 36, 37, 38, 39

	.bss
	.align	65536
room:
	.skip	65536
page:
	.skip	64
