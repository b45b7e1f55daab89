// SPDX-License-Identifier: GPL-2.0-only
// Rules of the PMU about references: data ranges, the ALAT, the register stack
// engine, speculative loads (Documentation/pmu.rst). As pmurules.S, of which
// selftests/machine/test_pmurules.c has the rest.
	.include "ivt.inc"
	.include "pmu.inc"

ANY_OPCODE = 0xf01ffffffffff
ELSEWHERE = 0x7000000
BY_DATA = 0x2078fefefef6	// PMC41: pair 0, the data address alone
BY_NOTHING = 0x2078fefefefe
VHPT = 0xc000

CAPACITY = 0x30058		// ALAT_CAPACITY_MISS.ALL
CAPACITY_FP = 0x20058
CAPACITY_INT = 0x10058
VHPT_MISS = 0x100d9		// SPEC_LOADS_NATTED
TLB_MISS = 0x200d9
TLB_FAULT = 0x300d9
NAT_CNSM = 0x400d9
PSR_ED = 0x500d9

PSR_DT = 1 << 17
PSR_ED_BIT = 1 << 43
PSR_BN = 1 << 44

	// a pair of DBRs for 8 bytes at @address, enabled for no fault
	.macro	DBR_PAIR address
	movl	r2 = \address
	movl	r3 = 0x00fffffffffffff8
	mov	r8 = 0
	mov	r9 = 1 ;;
	mov	dbr[r8] = r2
	mov	dbr[r9] = r3 ;;
	srlz.d ;;
	.endm

	// on at @label with PSR as it is, without what @without says, and with @with
	.macro	GO label, with, without=0
	mov	r2 = psr
	movl	r3 = (\with) | PSR_BN
	movl	r8 = \without ;;
	andcm	r2 = r2, r8
	movl	r8 = \label ;;
	or	r2 = r2, r3
	mov	cr.iip = r8
	mov	cr.ifs = r0 ;;
	mov	cr.ipsr = r2 ;;
	rfi ;;
	.endm

	.text
	.global	_start
	.proc	_start
_start:
	BEGIN
	movl	r20 = DATA
	movl	r21 = DATA + 8
	alloc	r8 = ar.pfs, 0, 8, 0, 0 ;;

	// 1: the data range compares the first byte
	DBR_PAIR DATA + 8
	PMC	41, BY_DATA
	CLEAR
	COUNT	5, LOADS, PLM_ALL
	ON
	ldf.fill f6 = [r20] ;;				// 16 bytes, half of them inside
	ld8	r8 = [r21] ;;
	OFF
	KEEP_PMD 5

	// 2: LOADS_RETIRED has a data range: a range of instructions elsewhere is
	// nothing to it where PMC41 asks for no tag, and IA64_INST_RETIRED has none
	PMC	41, BY_NOTHING
	PMC	32, ANY_OPCODE
	PMC	38, 0xdb4				// range 0
	IBR	0, ELSEWHERE
	IBR	1, 0x0fffffffffffffff
	CLEAR
	COUNT	4, INST, PLM_ALL
	COUNT	5, LOADS, PLM_ALL
	ON
	ld8	r8 = [r21] ;;
	OFF
	KEEP_PMD 4
	KEEP_PMD 5
	PMC	41, BY_DATA				// which is that of the load
	ON
	ld8	r8 = [r21] ;;
	OFF
	KEEP_PMD 5
	PMC	38, 0xdb6
	PMC	32, -1
	DBR_PAIR ELSEWHERE
	CLEAR
	COUNT	4, INST, PLM_ALL
	COUNT	5, LOADS, PLM_ALL
	ON						// 2
	{ .mmi
	ld8	r8 = [r21]
	nop.m	0
	nop.i	0 ;;					// 3
	}
	OFF						// 1
	KEEP_PMD 4
	KEEP_PMD 5

	// 3: two checks without an address, one with
	.irp	address, 0, DATA
	DBR_PAIR \address
	CLEAR
	ld8.a	r8 = [r20] ;;
	COUNT	4, CHECKS, PLM_ALL
	ON
	chk.a.nc r8, unexpected ;;
	chk.a.nc r8, unexpected ;;
	ld8.c.nc r8 = [r20] ;;
	OFF
	KEEP_PMD 4
	.endr
	PMC	41, BY_NOTHING

	// 4: 32 entries of the ALAT; the 33rd pushes one out, a free one does not
	CLEAR
	COUNT	4, CAPACITY_FP, PLM_ALL
	COUNT	6, CAPACITY, PLM_ALL
	COUNT	7, CAPACITY_INT, PLM_ALL
	invala ;;
	ON
	.irp	n, 32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47
	ldfd.a	f\n = [r20] ;;
	.endr
	.irp	n, 48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63
	ldfd.a	f\n = [r20] ;;
	.endr
	OFF
	KEEP_PMD 4
	ON
	ldfd.a	f64 = [r20] ;;				// pushes out
	invala.e f40 ;;
	ldfd.a	f65 = [r20] ;;				// takes its place
	ldfd.a	f65 = [r20] ;;				// has one
	ld8.a	r9 = [r20] ;;				// pushes out
	OFF
	KEEP_PMD 4
	KEEP_PMD 6
	KEEP_PMD 7
	invala ;;

	// 5: eight registers and the NaT collection in their midst, out and back
	// in; the instructions are those of the program
	CLEAR
	movl	r2 = BACKING + 59 * 8 ;;
	mov	ar.rsc = 0 ;;
	mov	ar.bspstore = r2 ;;
	COUNT	4, RSE_LOADS, PLM_ALL
	COUNT	5, LOADS, PLM_ALL
	COUNT	6, RSE_STORES, PLM_ALL
	COUNT	7, INST, PLM_ALL
	ON						// 2
	{ .mib
	nop.m	0
	nop.i	0
	br.call.sptk.few b0 = flush_load ;;		// 3
	}
	OFF						// 1
	KEEP_PMD 4
	KEEP_PMD 6
	KEEP_PMD 5
	KEEP_PMD 7

	// 6: what gives NaT. Regions 2 and 3 have no translation; the walker is on
	// in region 2 alone, and its table, in the long format, is empty
	movl	r2 = 14 << 2 | 3 << 8
	mov	r3 = r0 ;;
	mov	rr[r3] = r2
	movl	r2 = 14 << 2 | 4 << 8 | 1
	movl	r3 = 2 << 61 ;;
	mov	rr[r3] = r2
	movl	r2 = 14 << 2 | 5 << 8
	movl	r3 = 3 << 61 ;;
	mov	rr[r3] = r2
	movl	r2 = 0x40000000 | 15 << 2 | 1 << 8 | 1 ;;
	mov	cr.pta = r2 ;;
	srlz.d ;;
	movl	r22 = 2 << 61 | 0x10000			// no translation, walked for
	movl	r23 = 3 << 61 | 0x10000			// none, not walked for
	movl	r24 = 3 << 61 | 0x14000 ;;		// one that is not present
	thash	r8 = r22
	mov	r9 = 14 << 2
	movl	r10 = VHPT | 0x661
	mov	r11 = 1 ;;
	mov	cr.ifa = r8
	mov	cr.itir = r9 ;;
	itr.d	dtr[r11] = r10
	mov	r11 = 2 ;;
	mov	cr.ifa = r24 ;;
	itr.d	dtr[r11] = r0 ;;
	srlz.d ;;
	// a NaT
	movl	r2 = 1 << 63 | DATA ;;
	ld8.s	r25 = [r2] ;;
	CLEAR
	COUNT	4, VHPT_MISS, PLM_ALL
	COUNT	5, NATTED, PLM_ALL
	COUNT	6, TLB_MISS, PLM_ALL
	COUNT	7, TLB_FAULT, PLM_ALL
	COUNT	8, NAT_CNSM, PLM_ALL
	COUNT	9, PSR_ED, PLM_ALL
	ssm	PSR_DT ;;
	srlz.d ;;
	ON
	ld8.s	r8 = [r25] ;;
	ld8.s	r8 = [r25] ;;
	.rept	3
	ld8.s	r8 = [r22] ;;
	.endr
	.rept	4
	ld8.s	r8 = [r23] ;;
	.endr
	.rept	5
	ld8.s	r8 = [r24] ;;
	.endr
	ldfd.s	f6 = [r22] ;;				// is none of them
	rsm	PSR_DT ;;
	srlz.d ;;
	GO	1f, PSR_ED_BIT
1:	ld8.s	r8 = [r20] ;;				// there, but for PSR.ed
	ld8.s	r8 = [r20] ;;				// no longer
	OFF
	.irp	n, 8, 4, 6, 7, 9, 5
	KEEP_PMD \n
	.endr

	// 7: the same with PSR.ic on, where DCR.dm and the page of the code ask for it
	movl	r2 = 0x100000
	mov	r9 = 16 << 2
	movl	r10 = 1 << 52 | 0x100661
	mov	r11 = 0 ;;
	mov	cr.ifa = r2
	mov	cr.itir = r9 ;;
	itr.i	itr[r11] = r10
	mov	r8 = 1 << 8 ;;
	mov	cr.dcr = r8 ;;
	srlz.i ;;
	GO	1f, (1 << 36) | PSR_DT | (1 << 13)
1:	PMD	4, 0
	PMD	6, 0
	ON
	ld8.s	r8 = [r22] ;;
	ld8.s	r8 = [r23] ;;
	ld8.s	r8 = [r23] ;;
	OFF
	rsm	1 << 13 ;;
	srlz.d ;;
	GO	1f, 0, (1 << 36) | PSR_DT
1:	KEEP_PMD 4
	KEEP_PMD 6
	mov	cr.dcr = r0 ;;
	srlz.d ;;
	END

flush_load:
	{ .mii
	flushrs
	nop.i	0
	nop.i	0 ;;					// 3
	}
	{ .mii
	loadrs
	nop.i	0
	nop.i	0 ;;					// 3
	}
	{ .mib
	nop.m	0
	nop.i	0
	br.ret.sptk.few b0 ;;				// 3
	}
	.endp	_start

	UNEXPECTED

	IVT	1, unexpected, bias=1
