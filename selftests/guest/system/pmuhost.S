// SPDX-License-Identifier: GPL-2.0-only
// Rules of the PMU where the host serves interruptions and overflows (machine
// flags HOST_INTERRUPTIONS and HOST_PMU): numbers as pmurules.S leaves them, and
// exits in the order that selftests/machine/test_pmurules.c expects.
	.include "pmu.inc"

	.text
	.global	_start
	.proc	_start
_start:
	movl	r13 = RESULTS + 16

	// 1: two breaks of level 3, served at level 0 under DCR.pp; the third is
	// one of level 0. rfi counts nothing, PSR.up is 0 yet; epc goes to level 0
	mov	r2 = 1
	movl	r3 = level3 ;;
	mov	cr.dcr = r2
	movl	r2 = 3 << 32 | 1 << 2 | 1 << 44		// level 3, PSR.up, bank 1
	mov	cr.iip = r3 ;;
	mov	cr.ipsr = r2
	mov	cr.ifs = r0
	movl	r2 = 3 << 62 ;;
	mov	ar.pfs = r2				// of level 3: epc may be executed
	CLEAR
	COUNT	4, CPL, PLM_ALL
	COUNT	6, CPL, 1				// level 0
	COUNT	7, CPL, 8				// level 3
	COUNT	8, CPL, PM | PLM_ALL
	rfi ;;
level3:
	break.m	0x100000 ;;				// 2 changes, one of level 3
	break.m	0x100001 ;;				// the same
	{ .mbb
	nop.m	0
	epc						// 1 of level 3
	nop.b	0 ;;
	}
	break.m	0x100002 ;;				// none
	OFF
	KEEP_PMD 4
	KEEP_PMD 6
	KEEP_PMD 7
	KEEP_PMD 8

	// 2: ev alone tells the host, behind the bundle, and counting goes on
	CLEAR
	COUNT	4, NOPS, EV | PLM_ALL
	NEAR	4, 3
	movl	r8 = 1f ;;
	KEEP	r8
	ON						// 2
	NOPS3						// overflow at the first
1:	NOPS3
	OFF						// 2 before rum counts
	KEEP_PMC 0
	KEEP_PMD 4

	// 3: with oi it freezes, and one exit tells of both; no interrupt is raised
	CLEAR
	mov	r8 = 0xd2 ;;
	mov	cr.pmv = r8
	COUNT	4, NOPS, EV | OI | PLM_ALL
	NEAR	4, 3
	movl	r8 = 1f ;;
	KEEP	r8
	ON
	NOPS3
1:	NOPS3						// frozen
	OFF
	KEEP_PMC 0
	KEEP_PMD 4
	mov	r8 = cr.ivr ;;
	KEEP	r8

	// 4: without either the host hears nothing
	CLEAR
	COUNT	4, NOPS, PLM_ALL
	NEAR	4, 3
	ON
	NOPS3
	OFF
	KEEP_PMC 0
	END
	.endp	_start
