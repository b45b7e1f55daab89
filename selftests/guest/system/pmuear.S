// SPDX-License-Identifier: GPL-2.0-only
// The data event address register (manual 3.3.9): failed checks, misses of the data
// TLBs, loads that the L1D does not serve. As pmurules.S; selftests/machine/test_pmuear.c
// has what each number must be.
	.include "ivt.inc"
	.include "pmu.inc"

CAPTURES = 0xc8			// DATA_EAR_EVENTS
CACHE = 0
TLB = 1 << 7
ALAT = 2 << 7
VHPT = 0xc000
FAR = 0x400000
PSR_DT_IC = 1 << 17 | 1 << 13

	.macro	EAR_ON mode, umask=0
	CLEAR
	PMD	32, 0
	PMD	33, 0
	PMD	36, 0
	PMC	40, (\mode | (\umask << 16) | PLM_ALL)
	COUNT	4, CAPTURES, PLM_ALL
	ON
	.endm

	// what has been counted and captured: PMD4, where from \label on, slot and vl, 33, 32
	.macro	EAR_KEEP label
	OFF
	PMC	0, 1
	KEEP_PMD 4
	mov	r3 = 36 ;;
	mov	r2 = pmd[r3]
	movl	r8 = \label ;;
	and	r9 = 4, r2
	and	r10 = -16, r2 ;;
	shladd	r10 = r9, 2, r10 ;;
	sub	r10 = r10, r8
	cmp.eq	p6, p0 = r0, r2
	and	r2 = 11, r2 ;;
(p6)	mov	r10 = r0 ;;
	st8	[r13] = r10, 8 ;;
	st8	[r13] = r2, 8 ;;
	KEEP_PMD 33
	KEEP_PMD 32
	.endm

	// wait for it
	.macro	USE reg
	add	r11 = r0, \reg ;;
	.endm

	.text
	.global	_start
	.proc	_start
_start:
	BEGIN
	movl	r20 = DATA ;;

	// 1: a check that finds its entry, one that does not, and chk.a
	ld8.a	r8 = [r20] ;;
	EAR_ON	ALAT
	ld8.c.nc r8 = [r20] ;;
	EAR_KEEP 0
	invala ;;
	EAR_ON	ALAT
	{ .mmi
a1:	nop.m	0
	ld8.c.nc r8 = [r20]
	nop.i	0 ;;
	}
	EAR_KEEP a1
	invala ;;
	EAR_ON	ALAT
	{ .mmi
a2:	chk.a.clr r8, 1f
	nop.m	0
	nop.i	0 ;;
	}
1:	{ .mmi
a3:	nop.m	0
	chk.a.clr r8, 2f
	nop.i	0 ;;
	}
2:	EAR_KEEP a3

	// 2: levels: nothing of level 0
	invala ;;
	EAR_ON	ALAT
	PMC	40, (ALAT | 0xe)
	ld8.c.nc r8 = [r20] ;;
	OFF
	KEEP_PMD 4

	// 3: what the walker finds, and what ends in a fault
	movl	r2 = 14 << 2 | 4 << 8 | 1
	movl	r3 = 2 << 61 ;;
	mov	rr[r3] = r2
	movl	r2 = 14 << 2 | 5 << 8
	movl	r3 = 3 << 61 ;;
	mov	rr[r3] = r2
	movl	r2 = 14 << 2 | 3 << 8
	mov	r3 = r0 ;;
	mov	rr[r3] = r2
	movl	r2 = 0x40000000 | 15 << 2 | 1 << 8 | 1 ;;
	mov	cr.pta = r2 ;;
	srlz.d ;;
	movl	r22 = 2 << 61 | 0x10008			// walked for
	movl	r23 = 3 << 61 | 0x10008			// not
	movl	r16 = VHPT ;;
	thash	r8 = r22
	ttag	r12 = r22
	mov	r9 = 14 << 2
	movl	r10 = VHPT | 0x661
	mov	r11 = 1 ;;
	mov	cr.ifa = r8
	mov	cr.itir = r9 ;;
	itr.d	dtr[r11] = r10
	dep	r16 = r8, r16, 0, 14
	movl	r2 = DATA | 0x661
	movl	r3 = 14 << 2 | 4 << 8 ;;
	add	r17 = 8, r16
	add	r18 = 16, r16 ;;
	srlz.d ;;
	st8	[r16] = r2
	st8	[r17] = r3
	st8	[r18] = r12 ;;
	mf ;;
	srlz.d ;;
	EAR_ON	TLB, 0xc
	ssm	PSR_DT_IC ;;
	srlz.d ;;
	{ .mmi
t1:	ld8	r8 = [r22]
	nop.m	0
	nop.i	0 ;;
	}
	ld8	r8 = [r22] ;;
	rsm	PSR_DT_IC ;;
	srlz.d ;;
	EAR_KEEP t1
	EAR_ON	TLB, 0xc
	ssm	PSR_DT_IC ;;
	srlz.d ;;
	{ .mmi
t2:	st8	[r23] = r8
	nop.m	0
	nop.i	0 ;;
	}
	rsm	PSR_DT_IC ;;
	srlz.d ;;
	EAR_KEEP t2
	EAR_ON	TLB, 4
	ssm	PSR_DT_IC ;;
	srlz.d ;;
	{ .mmi
	st8	[r23] = r8
	nop.m	0
	nop.i	0 ;;
	}
	rsm	PSR_DT_IC ;;
	srlz.d ;;
	OFF
	KEEP_PMD 4

	// 4: the L2 DTLB has the first of 34 pages, the L1 DTLB has the others
	movl	r21 = FAR
	movl	r24 = 4096 + 64
	mov	r9 = 33 ;;
	mov	ar.lc = r9
	mov	r25 = r21 ;;
3:	ld8	r8 = [r25]
	add	r25 = r24, r25
	br.cloop.sptk.few 3b ;;
	USE	r8
	EAR_ON	TLB, 2
	{ .mmi
t3:	ld8	r8 = [r21]
	nop.m	0
	nop.i	0 ;;
	}
	ld8	r8 = [r21] ;;
	USE	r8
	EAR_KEEP t3

	// 5: the second line of a page from memory, its other half from the L2D, a hit
	add	r25 = 256, r21
	add	r26 = 256 + 64, r21 ;;
	.irp	umask, 0, 5, 6
	EAR_ON	CACHE, \umask
	{ .mmi
c\umask:
	ld8	r8 = [r25]
	nop.m	0
	nop.i	0 ;;
	}
	USE	r8
	ld8	r8 = [r25] ;;
	USE	r8
	EAR_KEEP c\umask
	EAR_ON	CACHE, \umask
	{ .mmi
d\umask:
	nop.m	0
	ld8	r8 = [r26]
	nop.i	0 ;;
	}
	USE	r8
	EAR_KEEP d\umask
	add	r25 = 128, r25
	add	r26 = 128, r26 ;;
	.endr
	// 6: a load of floating-point registers takes one cycle more
	EAR_ON	CACHE
	{ .mmi
e1:	ldfd	f6 = [r21]
	nop.m	0
	nop.i	0 ;;
	}
	getf.sig r8 = f6 ;;
	USE	r8
	EAR_KEEP e1
	// 7: what a counter of the EAR freezes is what it has captured
	EAR_ON	CACHE
	OFF
	COUNT	4, CAPTURES, PLM_ALL|OI
	NEAR	4, 2
	ON
	{ .mmi
g1:	ldfd	f6 = [r21]
	nop.m	0
	nop.i	0 ;;
	}
	.rept	3
	getf.sig r8 = f6 ;;
	USE	r8
	ldfd	f6 = [r26] ;;
	.endr
	OFF
	KEEP_PMC 0
	KEEP_PMD 33
	KEEP_PMD 32
	END

	// The store has failed: on with the next bundle.
skip:
	mov	r16 = cr.iip ;;
	add	r16 = 16, r16 ;;
	mov	cr.iip = r16 ;;
	rfi ;;
	.endp	_start

	UNEXPECTED

	IVT	0x1000, skip, bias=1
