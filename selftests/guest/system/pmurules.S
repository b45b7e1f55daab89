// SPDX-License-Identifier: GPL-2.0-only
// Rules of the PMU (Documentation/pmu.rst), each in a few bundles whose counts
// follow from the code. selftests/machine/test_pmurules.c says what each number
// is and must be. Everything runs at level 0 in physical mode unless a case says
// otherwise.
	.include "ivt.inc"
	.include "pmu.inc"

PAL_BUFFER = 0x3000
VHPT = 0xc000			// a page of the walker's table
PAL_PROC = 0xff100000

	// what INST makes of nine instructions of which six are enabled: two behind sum,
	// the nops, and rum
	.macro	KEEP_SIX pmc=INST, from=0
	CLEAR
	COUNT	4, \pmc, PLM_ALL
	PMD	4, \from
	ON
	NOPS3
	OFF
	KEEP_PMD 4
	.endm

	.text
	.global	_start
	.proc	_start
_start:
	BEGIN
	mov	r14 = 4
	mov	r15 = 1
	mov	r16 = 6
	mov	r17 = 7

	// 1: an overflow at the first of three nops freezes behind the bundle
	CLEAR
	COUNT	4, NOPS, PLM_ALL | OI
	COUNT	6, INST, PLM_ALL
	NEAR	4, 3
	ON						// 2 nops
	NOPS3						// overflow at the first
	NOPS3						// frozen
	OFF
	KEEP_PMC 0
	KEEP_PMD 4
	KEEP_PMD 6

	// 2: a mov from a PMD behind the overflowing nop shows the group before,
	// and moves nothing
	CLEAR
	COUNT	4, NOPS, PLM_ALL | OI
	COUNT	6, INST, PLM_ALL
	NEAR	4, 3
	ON
	{ .mmi
	nop.m	0
	mov	r8 = pmd[r16]
	nop.i	0 ;;
	}
	NOPS3
	OFF
	KEEP	r8
	KEEP_PMD 4
	KEEP_PMD 6

	// 3: so does a mov from PMC0; the next group sees it
	CLEAR
	COUNT	4, NOPS, PLM_ALL | OI
	NEAR	4, 3
	ON
	{ .mmi
	nop.m	0
	mov	r8 = pmc[r0]
	nop.i	0 ;;
	}
	{ .mmi
	mov	r9 = pmc[r0]
	nop.m	0
	nop.i	0 ;;
	}
	OFF
	KEEP	r8
	KEEP	r9

	// 4: what changes what is enabled splits no group: behind an overflow in
	// slot 0 and the change in slot 1, slot 2 is counted. By mov pmc,
	CLEAR
	COUNT	4, NOPS, PLM_ALL | OI
	PMD	7, 0
	movl	r9 = (NOPS << 8) | PLM_ALL
	NEAR	4, 3
	ON
	{ .mmi
	nop.m	0
	mov	pmc[r17] = r9
	nop.i	0 ;;
	}
	NOPS3
	OFF
	KEEP_PMD 7
	// mov pmd,
	CLEAR
	COUNT	4, NOPS, PLM_ALL | OI
	COUNT	7, NOPS, PLM_ALL
	mov	r9 = 100
	NEAR	4, 3
	ON
	{ .mmi
	nop.m	0
	mov	pmd[r17] = r9
	nop.i	0 ;;
	}
	NOPS3
	OFF
	KEEP_PMD 7
	// sum (the overflow is a privileged monitor's),
	CLEAR
	COUNT	4, NOPS, PLM_ALL | OI | PM
	COUNT	7, NOPS, PLM_ALL
	NEAR	4, 3
	{ .mmi
	ssm	1 << 21
	nop.m	0
	nop.i	0 ;;
	}
	{ .mmi
	nop.m	0
	sum	4
	nop.i	0 ;;
	}
	NOPS3
	{ .mmi
	rsm	1 << 21
	nop.m	0
	nop.i	0 ;;
	}
	OFF
	KEEP_PMD 7
	// mov to an application register
	CLEAR
	COUNT	4, NOPS, PLM_ALL | OI
	COUNT	7, NOPS, PLM_ALL
	NEAR	4, 3
	ON
	{ .mmi
	nop.m	0
	mov	ar.k0 = r0
	nop.i	0 ;;
	}
	NOPS3
	OFF
	KEEP_PMD 7

	// 5: the mov that freezes counts, what is behind it does not; read before
	// the thaw, whose bundle has another shape
	CLEAR
	COUNT	4, INST, PLM_ALL
	ON						// 2
	{ .mmi
	nop.m	0
	mov	pmc[r0] = r15				// 2
	nop.i	0 ;;
	}
	srlz.d ;;
	mov	r8 = pmd[r14] ;;
	{ .mmi
	mov	pmc[r0] = r0
	nop.m	0
	nop.i	0 ;;					// 2
	}
	{ .mmi
	nop.m	0
	rum	4					// 2
	nop.i	0 ;;
	}
	KEEP	r8
	KEEP_PMD 4

	// 6: mov ibr: a range that moves onto the code and away again
	CLEAR
	PMC	32, 0xf01ffffffffff			// ig_ad 0, inv 0
	PMC	38, 0xdb4				// range 0
	movl	r8 = 0x0f00ffffffff0000			// 64 KB, every level
	movl	r9 = 0x7000000
	mov	r10 = 0
	mov	r11 = 1 ;;
	mov	ibr[r10] = r9
	mov	ibr[r11] = r8 ;;
	mov	r12 = ip ;;
	COUNT	4, INST, PLM_ALL
	ON
	NOPS3
	{ .mmi
	nop.m	0
	mov	ibr[r10] = r12
	nop.i	0 ;;					// 1
	}
	NOPS3						// 3
	{ .mmi
	mov	ibr[r10] = r9				// 1
	nop.m	0
	nop.i	0 ;;
	}
	NOPS3
	OFF
	KEEP_PMD 4
	PMC	38, 0xdb6
	PMC	32, -1

	// 7: rfi, epc and the demoting return count at the level they leave
	CLEAR
	COUNT	4, INST, 8				// level 3
	COUNT	6, INST, 1				// level 0
	COUNT	7, CPL, PLM_ALL
	movl	r2 = 3 << 32 | 1 << 2 | 1 << 44		// level 3, PSR.up, bank 1
	movl	r3 = level3
	movl	r8 = level3_again
	movl	r9 = 3 << 62 ;;
	mov	b6 = r8
	mov	ar.pfs = r9 ;;
	mov	cr.ipsr = r2
	mov	cr.iip = r3
	mov	cr.ifs = r0 ;;
	{ .mib
	nop.m	0
	nop.i	0
	rfi ;;						// PSR.up is 0 yet
	}
level3:
	NOPS3						// level 3: 3
	{ .mbb
	nop.m	0					// level 3: 2
	epc
	nop.b	0 ;;					// level 0: 1
	}
	{ .mib
	nop.m	0					// level 0: 3
	nop.i	0
	br.ret.sptk.few b6 ;;
	}
level3_again:
	{ .mbb
	nop.m	0					// level 3: 2
	epc
	nop.b	0 ;;					// level 0: 1
	}
	OFF						// level 0: 1
	KEEP_PMD 4
	KEEP_PMD 6
	KEEP_PMD 7

	// 8: a brl with a false predicate is a branch, and not squashed
	CLEAR
	COUNT	4, SQUASHED, PLM_ALL
	COUNT	6, BRANCHES, PLM_ALL
	COUNT	7, INST, PLM_ALL
	cmp.ne	p7, p0 = r0, r0 ;;
	ON						// 2
	{ .mlx
	nop.m	0
(p7)	brl.cond.sptk.few unexpected ;;			// 2
	}
	{ .mmi
(p7)	adds	r8 = 1, r8				// 1 squashed
	rum	4
	nop.i	0 ;;					// 2
	}
	KEEP_PMD 4
	KEEP_PMD 6
	KEEP_PMD 7

	// 9: PMC5's event code selects the L1D set, its unit mask has no name
	CLEAR
	PMC	5, (LOADS << 8) | (7 << 16) | PLM_ALL
	COUNT	6, LOADS, PLM_ALL
	PMD	5, 5
	movl	r20 = DATA ;;
	ON
	ld8	r8 = [r20] ;;
	OFF
	KEEP_PMD 5
	KEEP_PMD 6

	// 10: a threshold means nothing without time: the counter stands still
	CLEAR
	PMC	4, (INST << 8) | (1 << 20) | PLM_ALL
	PMD	4, 9
	ON
	NOPS3
	OFF
	KEEP_PMD 4

	// 11: deferred loads have retired: two of four, from uncacheable memory
	CLEAR
	movl	r21 = 1 << 63 | DATA
	movl	r20 = DATA
	COUNT	5, LOADS, PLM_ALL
	ON
	ld8	r8 = [r20]
	ldfd	f6 = [r20] ;;
	ld8.s	r9 = [r21]
	ldfd.s	f7 = [r21] ;;
	OFF
	KEEP_PMD 5
	CLEAR
	COUNT	5, INTG, PLM_ALL
	COUNT	6, NATTED, PLM_ALL
	ON
	ld8	r8 = [r20]
	ldfd	f6 = [r20] ;;
	ld8.s	r9 = [r21]
	ldfd.s	f7 = [r21] ;;
	OFF
	KEEP_PMD 5
	KEEP_PMD 6

	// 12: a check load whose reload faults (and is helped) looks twice
	CLEAR
	movl	r22 = DATA + 3				// unaligned, across 8 bytes
	COUNT	4, CHECKS, PLM_ALL
	COUNT	5, REFERENCES, PLM_ALL
	COUNT	6, CHECKS_FAILED, PLM_ALL
	ssm	1 << 13 ;;
	srlz.d ;;
	invala ;;
	ON
	ld8.c.nc r8 = [r22] ;;
	OFF
	rsm	1 << 13 ;;
	srlz.d ;;
	KEEP_PMD 4
	KEEP_PMD 6
	KEEP_PMD 5

	// 13: PMD39 in the modes of the trace buffer and of the IP-EAR
	PMD	39, -1
	KEEP_PMD 39
	PMC	42, 0x400
	KEEP_PMD 39
	PMC	42, 0
	PMD	39, 0

	// 14: half a couple in fine mode: the counter stands still
	CLEAR
	PMC	32, 0xf01ffffffffff
	PMC	38, 0x2db4
	COUNT	4, INST, PLM_ALL
	COUNT	6, CPL, PLM_ALL				// it has no ranges
	PMD	4, 3
	ON
	NOPS3
	OFF
	KEEP_PMD 4
	PMC	38, 0xdb6
	PMC	32, -1

	// 15: references of the memory pipeline, and one branch of the trace buffer
	CLEAR
	movl	r8 = DATA + 16
	mov	r10 = 6
	mov	r11 = 7
	movl	r9 = 0x00fffffffffffff8 ;;
	mov	dbr[r10] = r8
	mov	dbr[r11] = r9 ;;
	srlz.d
	adds	r22 = 16, r20
	adds	r23 = 24, r20
	PMC	39, 0x3f0f				// every branch, every level
	COUNT	4, TRACE, PLM_ALL
	COUNT	5, REFERENCES, PLM_ALL
	COUNT	6, L1D_READS, PLM_ALL
	COUNT	7, MATCHES, PLM_ALL
	ON
	ld8	r8 = [r20]				// reference, read
	ldfd	f6 = [r20] ;;				// reference
	st8	[r22] = r0				// reference, match
	ld8	r9 = [r21] ;;				// reference: uncacheable
	xchg8	r10 = [r23], r0 ;;			// reference
	lfetch	[r20] ;;				// none
	ld8.s	r11 = [r21] ;;				// reference, deferred
	{ .mbb
	nop.m	0
(p7)	br.cond.sptk.few unexpected			// not taken,
	br.cond.sptk.few 2f ;;				// taken: one entry
	}
2:	OFF
	KEEP_PMD 4
	KEEP_PMD 5
	KEEP_PMD 6
	KEEP_PMD 7
	mov	r11 = 7 ;;
	mov	dbr[r11] = r0 ;;
	PMC	39, 0

	// 16: PAL_SET_HW_POLICY 1, PAL_GET_HW_POLICY
	mov	r28 = 49
	mov	r29 = 1
	mov	r30 = 0
	mov	r31 = 0 ;;
	movl	r2 = PAL_PROC ;;
	mov	b6 = r2 ;;
	br.call.sptk.few b0 = pal ;;
	KEEP	r8
	mov	r28 = 48
	mov	r29 = 0 ;;
	br.call.sptk.few b0 = pal ;;
	KEEP	r8
	KEEP	r9

	// 17: PAL_PERF_MON_INFO into a virtual buffer: region 2, page 16 KB, with
	// PSR.dt on: the physical page is that of PAL_BUFFER
	movl	r2 = 2 << 61
	movl	r3 = 14 << 2 | 2 << 8 ;;
	mov	rr[r2] = r3 ;;
	srlz.d ;;
	mov	r4 = 14 << 2
	movl	r5 = (PAL_BUFFER & ~0x3fff) | 0x661	// WB, a, d, read and write, level 0
	mov	r6 = 1 ;;
	mov	cr.ifa = r2
	mov	cr.itir = r4 ;;
	itr.d	dtr[r6] = r5 ;;
	srlz.d ;;
	movl	r29 = (2 << 61) | (PAL_BUFFER & 0x3fff)
	mov	r28 = 15
	ssm	1 << 17 ;;
	srlz.d ;;
	br.call.sptk.few b0 = pal ;;
	rsm	1 << 17 ;;
	srlz.d ;;
	KEEP	r8
	KEEP	r9
	movl	r20 = PAL_BUFFER ;;
	ld8	r8 = [r20], 32 ;;
	KEEP	r8					// PMCs
	ld8	r8 = [r20] ;;
	KEEP	r8					// PMDs

	// 18: what flushrs has stored stays clean: the return loads nothing, but
	// behind loadrs, which makes it invalid, all eight registers
	CLEAR
	movl	r2 = BACKING ;;
	mov	ar.rsc = 0 ;;
	mov	ar.bspstore = r2 ;;
	alloc	r8 = ar.pfs, 0, 8, 0, 0 ;;
	mov	r32 = 1
	mov	r35 = 20
	mov	r39 = 300 ;;
	COUNT	4, RSE_LOADS, PLM_ALL
	COUNT	6, RSE_STORES, PLM_ALL
	ON
	br.call.sptk.few b0 = flush ;;
	OFF
	KEEP_PMD 4
	KEEP_PMD 6
	ON
	br.call.sptk.few b0 = flush_load ;;
	OFF
	KEEP_PMD 4
	KEEP_PMD 6
	add	r8 = r32, r35 ;;
	add	r8 = r8, r39 ;;
	KEEP	r8

	// 19: ranges of instructions. All code is in the 64 KB at 0x100000, and this
	// in the lower half of them.
	ANY_OPCODE = 0xf01ffffffffff
	IBR_ALL = 0x0fffffffffffffff			// every level, every bit compares
	PMC	32, ANY_OPCODE
	PMC	38, 0x2d34				// fine, range 0
	IBR	0, 0x100000
	IBR	1, IBR_ALL
	IBR	4, 0x10fff0
	IBR	5, IBR_ALL
	KEEP_SIX
	IBR	0, 0x108000
	KEEP_SIX
	KEEP_SIX pmc=TAGGED2, from=3			// fine has no range 2
	PMC	38, 0xdb4				// range 0, elsewhere
	KEEP_SIX
	PMC	32, 1 << 56 | ANY_OPCODE		// not elsewhere
	KEEP_SIX
	IBR	1, 1 << 63 | IBR_ALL
	KEEP_SIX from=3					// no range to invert
	PMC	32, ANY_OPCODE
	KEEP_SIX					// x set: constrains nothing
	IBR	1, IBR_ALL
	PMC	41, 0x78fefefefe			// no pair enabled
	KEEP_SIX from=3
	PMC	41, 0x2078fefefefe
	PMC	38, 0xdb6

	// 20: opcodes: the X slot of a movl is an I slot
	CLEAR
	PMC	32, 1 << 57 | 4 << 48 | 0x1ffffffffff
	COUNT	4, INST, PLM_ALL
	COUNT	6, CPL, PLM_ALL				// it has no opcodes
	ON						// 1 of an I slot
	movl	r2 = 0 ;;				// 1
	OFF
	KEEP_PMD 4
	PMC	32, -1

	// 21: what a counter is enabled by
	CLEAR
	COUNT	4, INST, 8				// level 3 alone
	COUNT	5, INST, PM | PLM_ALL			// PSR.pp is off
	COUNT	6, INST, 1
	ON
	NOPS3
	OFF
	KEEP_PMD 4
	KEEP_PMD 5
	KEEP_PMD 6

	// 22: the overflow's own group takes oi away behind it
	CLEAR
	COUNT	4, NOPS, PLM_ALL | OI
	NEAR	4, 3
	ON
	{ .mmi
	nop.m	0					// overflow
	mov	pmc[r14] = r0
	nop.i	0 ;;
	}
	OFF
	KEEP_PMC 0

	// 23: two instructions of MLX; nops and what is none; floating-point operations
	CLEAR
	mov	f7 = f1
	cmp.ne	p7, p0 = r0, r0 ;;
	COUNT	4, INST, PLM_ALL
	COUNT	6, NOPS, PLM_ALL
	COUNT	7, FP_OPS, PLM_ALL
	ON						// 2, two nops
	{ .mlx
	hint.m	0
	movl	r2 = 0 ;;				// 2
	}
	{ .mfi
(p7)	nop.m	0
	fma.d.s0 f6 = f7, f7, f7			// sum and product
	nop.i	0 ;;					// 3, a nop
	}
	{ .mfi
	nop.m	0
	fma.d.s0 f6 = f7, f7, f0			// a product
	nop.i	0 ;;					// 3, two nops
	}
	OFF						// 1
	KEEP_PMD 4
	KEEP_PMD 6
	KEEP_PMD 7

	// 24: the walker, in region 2 with a page of its table: lfetch has it insert
	// a translation and refers to nothing; a load that misses is a reference
	movl	r2 = 2 << 61
	movl	r3 = 14 << 2 | 2 << 8 | 1 ;;
	mov	rr[r2] = r3
	movl	r4 = 0x40000000 | 20 << 2 | 1 ;;
	mov	cr.pta = r4 ;;
	srlz.d ;;
	movl	r20 = 2 << 61 | 0x10000
	movl	r21 = 2 << 61 | 0x14000 ;;
	thash	r22 = r20
	thash	r23 = r21
	mov	r4 = 14 << 2
	movl	r5 = VHPT | 0x661
	mov	r6 = 2 ;;
	mov	cr.ifa = r22
	mov	cr.itir = r4 ;;
	itr.d	dtr[r6] = r5 ;;
	srlz.d
	movl	r2 = VHPT
	movl	r3 = DATA | 0x661 ;;
	dep	r22 = r22, r2, 0, 14
	dep	r23 = r23, r2, 0, 14 ;;
	st8	[r22] = r3
	st8	[r23] = r3
	CLEAR
	COUNT	4, HPW_INSERTS, PLM_ALL
	COUNT	5, DTLB_MISSES, PLM_ALL
	COUNT	6, HPW_READS, PLM_ALL
	ssm	1 << 17 | 1 << 13 ;;			// PSR.dt, PSR.ic
	srlz.d ;;
	ON
	lfetch	[r20] ;;				// walk
	ld8	r8 = [r20] ;;
	OFF
	rsm	1 << 17 | 1 << 13 ;;
	srlz.d ;;
	KEEP_PMD 4
	KEEP_PMD 5
	KEEP_PMD 6
	ssm	1 << 17 | 1 << 13 ;;
	srlz.d ;;
	ON
	ld8	r8 = [r21] ;;				// miss, walk
	ld8	r8 = [r21] ;;
	OFF
	rsm	1 << 17 | 1 << 13 ;;
	srlz.d ;;
	KEEP_PMD 4
	KEEP_PMD 5
	KEEP_PMD 6

	// 25: a data breakpoint is of all bytes of a reference
	CLEAR
	movl	r8 = DATA + 16
	mov	r10 = 6
	mov	r11 = 7
	movl	r9 = 0x00fffffffffffff8 ;;
	mov	dbr[r10] = r8
	mov	dbr[r11] = r9 ;;
	srlz.d
	movl	r20 = DATA
	movl	r21 = DATA + 16
	COUNT	5, MATCHES, PLM_ALL
	ON
	ldfe	f6 = [r20] ;;				// 10 bytes in front of them
	ldf.fill f6 = [r20] ;;				// 16
	ld1	r8 = [r21] ;;				// the first
	stf.spill [r21] = f0 ;;				// and beyond
	OFF
	KEEP_PMD 5
	mov	r11 = 7 ;;
	mov	dbr[r11] = r0 ;;

	// 26: the interrupt of an overflow: two counters overflow together, and one
	// interrupt is taken behind their bundle
	VECTOR = 0xd2
	CLEAR
	mov	r8 = VECTOR
	movl	r11 = 1f ;;
	mov	cr.pmv = r8
	COUNT	4, NOPS, PLM_ALL | OI
	COUNT	6, NOPS, PLM_ALL | OI
	NEAR	4, 3
	NEAR	6, 3
	ssm	1 << 13 ;;
	srlz.d ;;
	ssm	1 << 14 ;;
	srlz.d ;;
	ON
	NOPS3						// overflows at the first
1:	OFF
	rsm	1 << 13 | 1 << 14 ;;
	srlz.d ;;
	// a write to PMC0 asks for none,
	mov	r8 = 0x11 ;;
	mov	pmc[r0] = r8 ;;
	srlz.d
	mov	r8 = cr.ivr ;;
	srlz.d
	KEEP	r8
	// nor does an overflow without oi,
	CLEAR
	COUNT	4, NOPS, PLM_ALL
	NEAR	4, 3
	ON
	NOPS3
	OFF
	KEEP_PMC 0
	mov	r8 = cr.ivr ;;
	srlz.d
	KEEP	r8
	// and one while PMV.m is 1 is lost
	CLEAR
	movl	r8 = 1 << 16 | VECTOR ;;
	mov	cr.pmv = r8
	COUNT	4, NOPS, PLM_ALL | OI
	NEAR	4, 3
	ON
	NOPS3
	OFF
	KEEP_PMC 0
	mov	r8 = VECTOR ;;
	mov	cr.pmv = r8 ;;
	srlz.d
	mov	r8 = cr.ivr ;;
	srlz.d
	KEEP	r8

	// 27: a trace buffer that asks for mispredictions: the counter stands still
	CLEAR
	PMC	39, 0x3b0f				// ptm 10
	COUNT	4, TRACE, PLM_ALL
	PMD	4, 3
	ON
	br.cond.sptk.few 1f ;;
1:	OFF
	KEEP_PMD 4
	PMC	39, 0

	// 28: PAL_BRAND_INFO into a virtual buffer, as in case 17
	movl	r2 = PAL_PROC ;;
	mov	b6 = r2
	alloc	r8 = ar.pfs, 0, 0, 4, 0 ;;
	mov	r28 = 274
	mov	r32 = 274
	mov	r33 = 0
	movl	r34 = (2 << 61) | (PAL_BUFFER & 0x3fff) | 0x200 ;;
	ssm	1 << 17 ;;
	srlz.d ;;
	br.call.sptk.few b0 = pal ;;
	rsm	1 << 17 ;;
	srlz.d ;;
	KEEP	r8
	movl	r20 = PAL_BUFFER + 0x200 ;;
	ld8	r8 = [r20] ;;
	KEEP	r8					// "Dual-Cor"

	// 29: a range for level 3 alone, and a function called there and at level 0
	CLEAR
	PMC	32, ANY_OPCODE
	PMC	38, 0xdb4				// range 0
	IBR	0, function
	IBR	1, 0x08ffffffffffffff
	COUNT	4, INST, PLM_ALL
	movl	r2 = 3 << 32 | 1 << 2 | 1 << 44		// level 3, PSR.up, bank 1
	movl	r3 = level3_calls ;;
	mov	cr.ipsr = r2
	mov	cr.iip = r3
	mov	cr.ifs = r0 ;;
	rfi ;;
level3_calls:
	br.call.sptk.few b0 = function ;;		// 3
	{ .mbb
	nop.m	0
	epc
	nop.b	0 ;;
	}
	br.call.sptk.few b0 = function ;;
	OFF
	KEEP_PMD 4
	PMC	38, 0xdb6

	// 30: I slots of a function that is written anew between two calls
	CLEAR
	PMC	32, 1 << 57 | 4 << 48 | 0x1ffffffffff
	COUNT	4, INST, PLM_ALL
	ON						// 1
	{ .mib
	nop.m	0
	nop.i	0
	br.call.sptk.few b0 = function ;;		// 1, and 1 of mib
	}
	OFF
	KEEP_PMD 4
	movl	r20 = function
	movl	r21 = another ;;
	ld8	r8 = [r21], 8
	adds	r22 = 8, r20 ;;
	ld8	r9 = [r21]
	st8	[r20] = r8 ;;
	st8	[r22] = r9
	fc.i	r20 ;;
	sync.i ;;
	srlz.i ;;
	ON						// 1
	{ .mib
	nop.m	0
	nop.i	0
	br.call.sptk.few b0 = function ;;		// 1, and none of mbb
	}
	OFF
	KEEP_PMD 4
	PMC	32, -1

	END

flush_load:
	flushrs ;;
	loadrs ;;
	br.ret.sptk.few b0 ;;
flush:
	flushrs ;;
	br.ret.sptk.few b0 ;;

function:
	{ .mib
	nop.m	0
	nop.i	0
	br.ret.sptk.few b0 ;;
	}
another:
	{ .mbb
	nop.m	0
	nop.b	0
	br.ret.sptk.few b0 ;;
	}

	// b0 is where PAL returns to
pal:
	br.cond.sptk.few b6 ;;
	.endp	_start

	// The reload of case 12: align its address, once. r16-r31 are of bank 0.
	.proc	unaligned
unaligned:
	bsw.1 ;;
	adds	r22 = -3, r22 ;;
	bsw.0 ;;
	rfi ;;
	.endp	unaligned

	// The overflow of case 26: what waits, where, and the same once more.
	.proc	overflow
overflow:
	mov	r16 = cr.iip
	mov	r17 = cr.ivr ;;
	srlz.d
	sub	r16 = r16, r11 ;;
	mov	r18 = cr.ivr ;;
	srlz.d
	mov	r19 = pmc[r0] ;;
	st8	[r13] = r17, 8 ;;
	st8	[r13] = r18, 8 ;;
	st8	[r13] = r19, 8 ;;
	st8	[r13] = r16, 8
	mov	cr.eoi = r0
	mov	pmc[r0] = r0 ;;
	srlz.d ;;
	rfi ;;
	.endp	overflow

	UNEXPECTED

	IVT	0x5a00, unaligned, 0x3000, overflow, bias=1
