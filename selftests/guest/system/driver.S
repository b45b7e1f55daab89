// SPDX-License-Identifier: GPL-2.0-only
// A driver of the whole PMU, as an operating system's is: sets of twelve counters that the
// interval timer changes, and counters that interrupt through PMV every so many occurrences,
// each sample with all counters, the event address registers and the trace buffer (Montecito
// manual 3.3; SDM volume 2, 5.8). What it measures is a loop at level 3; the driver is at level
// 0 and uses the registers of bank 0, so that the loop does not see it.
//
// Parameters (physical 0x2000), 8 bytes each; selftests/machine/test_driver.c fills them in:
//	+0 sets, +8 cycles of each or 0: no timer, +16 trips of the loop, +24 PMC37, +32 PMC39,
//	+40 PMC40, +64 what PMD4-15 begin with and get at their overflow, +160 PMC4-15 of each set
// Results (physical 0x1000), 8 bytes each:
//	+0 MAGIC at the end, +8 unexpected vector, +16 changes of set, +24 samples, +32 where the
//	loop begins, +40 its load, +48 its end, +56 the interrupts without an overflow
//	0x4000: what PMD4-15 have counted in each set
//	0x200000: samples: PMC0, IIP, PMD4-15, PMD32-36, PMD38, PMD39, PMD48-63
	.include "ivt.inc"

RESULTS = 0x1000
PARAMS = 0x2000
TOTALS = 0x4000
SAMPLES = 0x200000
BUFFER = 0x300000
MAGIC = 0x726576697264		// "driver"

PMU_VECTOR = 0xee
TIMER_VECTOR = 0xef
PSR_USER = 1 << 2 | 1 << 13 | 1 << 14 | 3 << 32 | 1 << 44	// up, ic, i, level 3, bn
FROZEN = 1

	.text
	.global	_start
	.proc	_start
_start:
	bsw.0 ;;
	movl	r2 = ivt
	movl	r3 = PARAMS
	movl	r4 = RESULTS + 32 ;;
	mov	cr.iva = r2
	movl	r5 = loop ;;
	st8	[r4] = r5, 8
	movl	r5 = load ;;
	st8	[r4] = r5, 8
	movl	r5 = loop_end ;;
	st8	[r4] = r5
	mov	r5 = FROZEN
	mov	r6 = PMU_VECTOR
	mov	r7 = TIMER_VECTOR ;;
	mov	pmc[r0] = r5 ;;
	srlz.d
	mov	cr.pmv = r6
	mov	cr.itv = r7
	mov	cr.tpr = r0
	adds	r8 = 24, r3
	mov	r9 = 37
	mov	r10 = 39
	mov	r11 = 40 ;;
	ld8	r5 = [r8], 8 ;;
	mov	pmc[r9] = r5
	ld8	r5 = [r8], 8 ;;
	mov	pmc[r10] = r5
	ld8	r5 = [r8] ;;
	mov	pmc[r11] = r5
	mov	r9 = 38 ;;
	mov	pmd[r9] = r0
	// bank 0: r29 the set, r30 where the next sample goes
	mov	r29 = 0
	movl	r30 = SAMPLES ;;
	br.call.sptk.few b1 = begin ;;
	adds	r8 = 16, r3 ;;
	ld8	r8 = [r8]
	movl	r28 = PSR_USER
	movl	r27 = user ;;
	adds	r8 = -1, r8
	mov	cr.ipsr = r28
	mov	cr.iip = r27
	mov	cr.ifs = r0 ;;
	mov	ar.lc = r8
	mov	pmc[r0] = r0 ;;				// thaw
	srlz.d ;;
	rfi ;;
	.endp	_start

	// Set r29 at its beginning, and the timer; uses r16 to r22, p6; back to b1.
	.proc	begin
begin:
	movl	r16 = PARAMS + 64
	movl	r17 = PARAMS + 160
	mov	r18 = 96
	mov	r20 = r29 ;;
1:	cmp.eq	p6, p0 = r0, r20
(p6)	br.cond.sptk.few 2f ;;
	add	r17 = r17, r18
	adds	r20 = -1, r20 ;;
	br.cond.sptk.few 1b ;;
2:	mov	r20 = 4 ;;
3:	ld8	r21 = [r16], 8
	ld8	r22 = [r17], 8 ;;
	mov	pmd[r20] = r21
	mov	pmc[r20] = r22
	adds	r20 = 1, r20 ;;
	cmp.gtu	p6, p0 = 16, r20
(p6)	br.cond.sptk.few 3b ;;
	movl	r16 = PARAMS + 8 ;;
	ld8	r16 = [r16]
	mov	r17 = ar.itc ;;
	cmp.eq	p6, p0 = r0, r16
	add	r17 = r17, r16
(p6)	br.ret.sptk.few b1 ;;
	mov	cr.itm = r17 ;;
	srlz.d ;;
	br.ret.sptk.few b1 ;;
	.endp	begin

	// An external interrupt: bank 0.
	.proc	interrupt
interrupt:
	mov	r31 = pr
	mov	r25 = b1
	mov	r16 = cr.ivr
	movl	r17 = TIMER_VECTOR
	movl	r18 = PMU_VECTOR ;;
	cmp.eq	p6, p0 = r16, r17
	cmp.eq	p7, p0 = r16, r18
(p6)	br.cond.sptk.few change
(p7)	br.cond.sptk.few sample ;;
	movl	r17 = RESULTS + 56 ;;
	ld8	r18 = [r17] ;;
	adds	r18 = 1, r18 ;;
	st8	[r17] = r18
back:
	srlz.d ;;
	mov	cr.eoi = r0 ;;
	srlz.d
	mov	b1 = r25
	mov	pr = r31, -1 ;;
	rfi ;;

	// An overflow: PMC0 says of which.
sample:
	mov	r17 = pmc[r0]
	mov	r18 = cr.iip ;;
	st8	[r30] = r17, 8 ;;
	st8	[r30] = r18, 8
	mov	r20 = 4
	mov	r21 = 16 ;;
	br.call.sptk.few b1 = keep ;;
	mov	r20 = 32
	mov	r21 = 37 ;;
	br.call.sptk.few b1 = keep ;;
	mov	r20 = 38
	mov	r21 = 40 ;;
	br.call.sptk.few b1 = keep ;;
	mov	r20 = 48
	mov	r21 = 64 ;;
	br.call.sptk.few b1 = keep ;;
	movl	r16 = PARAMS + 64
	mov	r20 = 4
	shr.u	r17 = r17, 4 ;;
1:	ld8	r19 = [r16], 8
	tbit.nz	p6, p0 = r17, 0
	shr.u	r17 = r17, 1 ;;
(p6)	mov	pmd[r20] = r19
	adds	r20 = 1, r20 ;;
	cmp.gtu	p6, p0 = 16, r20
(p6)	br.cond.sptk.few 1b ;;
	mov	r20 = 38 ;;
	mov	pmd[r20] = r0				// the trace buffer begins anew
	movl	r17 = RESULTS + 24 ;;
	ld8	r18 = [r17] ;;
	adds	r18 = 1, r18 ;;
	st8	[r17] = r18
	mov	pmc[r0] = r0 ;;
	br.cond.sptk.few back ;;

	// The timer: what this set has counted, and the next one.
change:
	br.call.sptk.few b1 = account ;;
	movl	r17 = PARAMS
	movl	r18 = RESULTS + 16
	adds	r29 = 1, r29 ;;
	ld8	r17 = [r17]
	ld8	r19 = [r18] ;;
	cmp.geu	p6, p0 = r29, r17
	adds	r19 = 1, r19 ;;
(p6)	mov	r29 = 0
	st8	[r18] = r19 ;;
	br.call.sptk.few b1 = begin ;;
	mov	pmc[r0] = r0 ;;
	br.cond.sptk.few back ;;
	.endp	interrupt

	// PMDs from r20 to below r21, to r30; uses r19, p6; back to b1.
	.proc	keep
keep:
1:	mov	r19 = pmd[r20]
	adds	r20 = 1, r20 ;;
	st8	[r30] = r19, 8
	cmp.ltu	p6, p0 = r20, r21
(p6)	br.cond.sptk.few 1b ;;
	br.ret.sptk.few b1 ;;
	.endp	keep

	// Freeze, and add what PMD4-15 have to the totals of set r29; uses r16 to r22, p6; back to b1.
	.proc	account
account:
	mov	r16 = FROZEN
	movl	r17 = TOTALS
	mov	r18 = 96 ;;
	mov	pmc[r0] = r16 ;;
	srlz.d
	mov	r20 = r29 ;;
1:	cmp.eq	p6, p0 = r0, r20
(p6)	br.cond.sptk.few 2f ;;
	add	r17 = r17, r18
	adds	r20 = -1, r20 ;;
	br.cond.sptk.few 1b ;;
2:	mov	r20 = 4 ;;
3:	ld8	r21 = [r17]
	mov	r22 = pmd[r20]
	adds	r20 = 1, r20 ;;
	add	r21 = r21, r22
	cmp.gtu	p6, p0 = 16, r20 ;;
	st8	[r17] = r21, 8
(p6)	br.cond.sptk.few 3b ;;
	br.ret.sptk.few b1 ;;
	.endp	account

	// The loop has ended: bank 0.
	.proc	done
done:
	br.call.sptk.few b1 = account ;;
	movl	r16 = RESULTS
	movl	r17 = MAGIC ;;
	st8	[r16] = r17 ;;
1:	br.cond.sptk.few 1b ;;
	.endp	done

	.proc	unexpected
unexpected:
	movl	r17 = RESULTS + 8 ;;
	st8	[r17] = r16 ;;
1:	br.cond.sptk.few 1b ;;
	.endp	unexpected

	// Level 3: two instructions, and in each trip 24, one of them a load, one a store, two fma and
	// six branches. The load misses the L1D; each of the last bundles is in a line of its own,
	// of one index of the L1I. The branch on p8 is taken every other time.
	.proc	user
user:
	{ .mlx
	nop.m	0
	movl	r8 = BUFFER ;;
	}
loop:
	{ .mmi
load:	ld8	r10 = [r8]
	adds	r9 = 128, r8
	xor	r11 = 1, r11 ;;
	}
	{ .mmi
	add	r12 = r10, r11
	nop.m	0
	cmp.eq	p8, p0 = r11, r0 ;;
	}
	{ .mfb
	st8	[r9] = r12
	fma.d	f8 = f9, f10, f8
(p8)	br.cond.dptk.few 1f ;;
	}
1:	{ .mfb
	adds	r8 = 256, r8
	fma.d	f8 = f9, f10, f8
	br.cond.sptk.few 2f ;;
	}
	// \here, in a line of its own, to \there
	.macro	HOP here, there
	.balign	4096
\here:	{ .mib
	nop.m	0
	nop.i	0
	br.cond.sptk.few \there ;;
	}
	.endm
	HOP	2, 3f
	HOP	3, 4f
	HOP	4, 5f
	.balign	4096
5:
	{ .mib
	nop.m	0
	dep	r8 = 0, r8, 16, 4
	br.cloop.sptk.few loop ;;
	}
loop_end:
	break.m	0x42 ;;
	.endp	user

	IVT	0x3000, interrupt, 0x2c00, done

	.section .params, "aw", "progbits"
	.skip	160 + 8 * 96
