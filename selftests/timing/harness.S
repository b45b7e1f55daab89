// SPDX-License-Identifier: GPL-2.0-only
// Measures one row after the other (rows.py generates them): CPU_OP_CYCLES, in PMD4,
// of a few trips round its loop and of more, after some that fill caches and
// predictors. A line goes to the UART for each: "row", its number, both counts.
//
// A row is entered with its trips less one in ar.lc, and goes on at row_done. It has
// r8 to r31, r40 and up, f6 and up, p6 and up, b3 and b6 to itself, and finds
//	r16 to r19	addresses to store to, in four banks of the L2D
//	r20		an address, which is also what lies there; f8, b6 likewise
//	r21		another to store to
//	r22		where a 1.0 lies
//	ar.pfs, ar.ec	0
//	r36		0 where it is done for the first time
// The image is Linux/ia64's place in memory; interruptions are told and end it.
	.include "ivt.inc"

UC = 1 << 63
UART = UC | 0xfea00000
PM1A_CONTROL = UC | 0x3fffc000000 | 0x101 << 12 | 0x404
PSR_UP = 1 << 2
PSR_IC = 1 << 13
PSR_DT = 1 << 17
PMC_CYCLES = 0x2000000 | 0x12 << 8 | 0xf	// CPU_OP_CYCLES, every level
FPSR = 0x9804c0270033f				// as Linux has it: no traps

	IVT	1, unexpected

	.text
	.global	_start
	.proc	_start
	// Kept throughout: r2 the next row, r3 index 4, r5 and r6 trips, r7 PMD4 before
	// the row, r32 and up: number of the row, count of the few trips
_start:
	alloc	r8 = ar.pfs, 0, 0, 96, 0	// all outputs: a call leaves them
	movl	r9 = ivt
	movl	r2 = table
	mov	r3 = 4
	mov	r32 = 0
	movl	r10 = PMC_CYCLES
	movl	r11 = FPSR ;;
	mov	cr.iva = r9
	mov	ar.fpsr = r11
	mov	pmd[r3] = r0
	mov	pmc[r3] = r10
	mov	b2 = r0 ;;
	sum	PSR_UP
	ssm	PSR_IC ;;
	srlz.i ;;
	mov	pmc[r0] = r0 ;;
	srlz.d
	br.call.sptk.few b4 = translations ;;

next_row:
	ld8	r8 = [r2], 8 ;;			// where it is, then trips
	ld8	r5 = [r2], 8
	cmp.eq	p6, p0 = r8, r0
	mov	b3 = r8
	(p6) br.cond.spnt.few power_off ;;
	ld8	r6 = [r2], 8
	mov	r36 = 0 ;;
	mov	r4 = r6
	br.cond.sptk.few measure ;;

	// A row has been done with r4 trips: with many to fill what is to be full, then
	// with few and with many to measure.
	.align	32
row_done:
	mov	r8 = pmd[r3]
	rsm	PSR_DT ;;
	sub	r8 = r8, r7
	mov	ar.pfs = r0
	adds	r36 = 1, r36 ;;
	cmp.eq	p6, p0 = 1, r36
	cmp.eq	p7, p0 = 2, r36
	srlz.d ;;
	(p6) mov r4 = r5
	(p6) br.cond.sptk.few measure
	(p7) mov r33 = r8
	(p7) mov r4 = r6
	(p7) br.cond.sptk.few measure ;;
	mov	r34 = r8
	movl	r9 = UART
	mov	r10 = 'r'
	mov	r11 = 'o'
	mov	r12 = 'w' ;;
	st1	[r9] = r10 ;;
	st1	[r9] = r11 ;;
	st1	[r9] = r12
	mov	r14 = r32
	br.call.sptk.few b3 = put_hex ;;
	mov	r14 = r33
	br.call.sptk.few b3 = put_hex ;;
	mov	r14 = r34
	br.call.sptk.few b3 = put_hex ;;
	mov	r10 = '\n'
	adds	r32 = 1, r32 ;;
	st1	[r9] = r10
	br.cond.sptk.few next_row ;;

	// A thousand cycles for what is still under way.
measure:
	mov	r9 = 999 ;;
	mov	ar.lc = r9
	adds	r2 = -24, r2 ;;
1:	br.cloop.sptk.few 1b ;;
	ld8	r8 = [r2], 24
	adds	r9 = -1, r4
	movl	r20 = itself
	movl	r21 = stores
	movl	r22 = one ;;
	mov	b7 = r8
	mov	b6 = r20
	adds	r16 = 0, r21
	adds	r17 = 16, r21
	adds	r18 = 32, r21
	adds	r19 = 48, r21
	mov	ar.lc = r9
	adds	r21 = 64, r21
	mov	pr = r0, -1
	mov	ar.ec = r0
	setf.sig f8 = r20
	mov	ar.pfs = r0
	mf ;;
	srlz.d
	clrrrb ;;
	mov	r7 = pmd[r3]
	br.cond.sptk.few b7 ;;

	// " 0123456789abcdef", of r14, to the UART at r9; back to b3
put_hex:
	mov	r10 = ' '
	mov	r11 = 16 ;;
	st1	[r9] = r10 ;;
1:	extr.u	r10 = r14, 60, 4
	shl	r14 = r14, 4
	adds	r11 = -1, r11 ;;
	cmp.ltu	p6, p7 = 9, r10
	cmp.ne	p8, p0 = r11, r0 ;;
	(p6) adds r10 = 'a' - 10, r10
	(p7) adds r10 = '0', r10 ;;
	st1	[r9] = r10
	(p8) br.cond.sptk.few 1b ;;
	br.cond.sptk.few b3 ;;

	// "vector", which is in r16, and its IIP
unexpected:
	rsm	PSR_DT
	movl	r9 = UART
	mov	r10 = 'v'
	mov	r14 = r16 ;;
	srlz.d ;;
	st1	[r9] = r10
	br.call.sptk.few b3 = put_hex ;;
	mov	r14 = cr.iip
	br.call.sptk.few b3 = put_hex ;;
	mov	r14 = r32
	br.call.sptk.few b3 = put_hex ;;
	mov	r10 = '\n' ;;
	st1	[r9] = r10 ;;
power_off:
	movl	r8 = PM1A_CONTROL
	movl	r9 = 1 << 13 | 5 << 10 ;;	// SLP_EN, SLP_TYP
	st2.rel	[r8] = r9 ;;
	mf.a ;;
	br.cond.sptk.few power_off ;;

	// A ring of r16 words from r14 on, each the address of the one r15 bytes behind it;
	// what r14 was is in r8 then. Back to b3.
ring:
	mov	r8 = r14
	adds	r16 = -2, r16 ;;
	mov	ar.lc = r16 ;;
1:	add	r17 = r14, r15 ;;
	st8	[r14] = r17
	mov	r14 = r17
	br.cloop.sptk.few 1b ;;
	st8	[r14] = r8
	br.cond.sptk.few b3 ;;

	// Regions 0 and 2 have pages of 16 KB. Region 0: 64 MB from the image on are
	// themselves. Region 2: CHASE, 64 MB, at CHASE_PA, by the walker. Back to b4.
CHASE = 2 << 61
CHASE_PA = 0x8000000
CHASE_PAGES = 4096
IMAGE = 0x4000000
PAGE_SHIFT = 14
VHPT_SHIFT = 15
PTE = 0x661				// P, A, D, level 0, read and write, WB
translations:
	rsm	PSR_IC ;;
	srlz.d
	mov	r8 = 0
	movl	r9 = CHASE
	movl	r10 = 1 << 8 | PAGE_SHIFT << 2 | 1
	movl	r11 = 2 << 8 | PAGE_SHIFT << 2 | 1
	movl	r12 = vhpt
	movl	r14 = IMAGE
	mov	r15 = 26 << 2
	mov	r16 = VHPT_SHIFT << 2
	movl	r17 = PTE
	movl	r18 = 0x8 << 56 ;;
	mov	rr[r8] = r10
	mov	rr[r9] = r11
	or	r19 = r12, r9
	or	r20 = VHPT_SHIFT << 2 | 1, r12 ;;
	mov	cr.pta = r20
	srlz.d ;;
	mov	cr.ifa = r14
	mov	cr.itir = r15
	or	r21 = r14, r17
	mov	r22 = 0 ;;
	srlz.d ;;
	itr.d	dtr[r22] = r21 ;;
	mov	r15 = 16 << 2 ;;
	mov	cr.ifa = r19
	mov	cr.itir = r15
	or	r21 = r12, r17
	mov	r22 = 1 ;;
	srlz.d ;;
	itr.d	dtr[r22] = r21 ;;
	srlz.d
	movl	r8 = CHASE_PA | PTE
	movl	r9 = CHASE_PAGES - 1
	movl	r10 = 1 << PAGE_SHIFT ;;
	mov	ar.lc = r9 ;;
1:	st8	[r12] = r8, 8
	add	r8 = r8, r10
	br.cloop.sptk.few 1b ;;
	ssm	PSR_IC ;;
	srlz.i ;;
	br.cond.sptk.few b4 ;;
	.endp	_start

	.data
	.align	0x10000
vhpt:	.skip	0x10000
	.align	128
itself:	data8	itself, 0
	.align	128
stores:	.skip	256
one:	.rept	1024
	real8	1.0
	.endr
copied:	.skip	8192
	.align	8
