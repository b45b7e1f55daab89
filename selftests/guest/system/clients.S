// SPDX-License-Identifier: GPL-2.0-only
// Register accesses of the two PMU clients of Linux/ia64, in their order:
// the perf driver of 2026 and the perfmon 2.x core (Documentation/pmu-clients.rst
// lists it). Each step leaves a number whose value follows from the code here.
//
// Parameters (physical 0x2000): +0 sampling period, +8 samples to take
// Results (physical 0x1000): +0 MAGIC when all is done, +8 unexpected vector,
// +16 its IIP, then one word per step from +32 on, in the order of the steps (test_clients.c has
// the list).
	.include "ivt.inc"

RESULTS = 0x1000
PARAMS = 0x2000
MAGIC = 0x73746e65696c63		// "clients"
STACK_OF_RESULTS = RESULTS + 32

PSR_UP = 1 << 2
PSR_IC = 1 << 13
PSR_I = 1 << 14
PSR_PP = 1 << 21
PSR_CPL3 = 3 << 32
PSR_BN = 1 << 44
DCR_PP = 1

PMC_FIXED = 0x2000000			// ism
PMC_INSNS = 0x08 << 8
PMC_OI = 0x20
PMC_PM = 0x40
PLM_KERNEL = 0x1
PLM_USER = 0x8
VECTOR = 0xee

ROUNDS = 200				// of the user loop, 3 instructions each

	// Registers kept throughout: r4 2^47 - 1, r5 where the next result goes,
	// r6 PMC_FIXED, r7 index 4, r8 rounds of the user loop, r9 samples taken,
	// r10 reload value, r11 samples to take, r12 continuation of a break, r14
	// PMC0 that the last handler saw, r15 IVR that it saw, r21 a start value,
	// r31 ROUNDS - 1
	.macro	result reg
	st8	[r5] = \reg, 8
	;;
	.endm

	// PMD4 - \start in 47 bits
	.macro	delta start
	mov	r30 = pmd[r7] ;;
	sub	r30 = r30, \start ;;
	and	r30 = r30, r4 ;;
	result	r30
	.endm

	// Enter the user loop at level 3 with \psr besides; come back to 1f by its
	// break.
	.macro	run_user psr
	movl	r28 = PSR_IC | PSR_I | PSR_CPL3 | PSR_BN | \psr
	movl	r27 = user
	movl	r12 = 1f ;;
	rsm	PSR_IC | PSR_I ;;
	srlz.i ;;
	mov	cr.ipsr = r28
	mov	cr.iip = r27
	mov	cr.ifs = r0 ;;
	rfi ;;
1:
	.endm

	.text
	.global	_start
	.proc	_start
_start:
	movl	r2 = ivt
	movl	r3 = PARAMS
	movl	r5 = STACK_OF_RESULTS
	movl	r4 = (1 << 47) - 1
	movl	r6 = PMC_FIXED
	mov	r7 = 4 ;;
	mov	cr.iva = r2
	ld8	r10 = [r3], 8 ;;
	ld8	r11 = [r3]
	sub	r10 = r0, r10 ;;
	and	r10 = r10, r4
	mov	r31 = ROUNDS - 1
	mov	r9 = 0
	mov	r8 = 0 ;;

	// ---- perf: each processor's initialization
	rsm	PSR_PP ;;
	rsm	PSR_UP ;;
	srlz.i ;;
	mov	r16 = 1 ;;
	mov	pmc[r0] = r16 ;;
	srlz.d ;;
	mov	r17 = 4
	mov	r18 = 11 ;;
	mov	ar.lc = r18 ;;
2:	mov	pmc[r17] = r6
	mov	pmd[r17] = r0
	adds	r17 = 1, r17
	br.cloop.sptk.few 2b ;;
	srlz.d ;;
	mov	r18 = VECTOR ;;
	mov	cr.pmv = r18 ;;
	srlz.d
	mov	r19 = cr.dcr ;;
	or	r19 = DCR_PP, r19 ;;
	mov	cr.dcr = r19 ;;
	ssm	PSR_PP ;;
	srlz.i ;;
	mov	pmc[r0] = r0 ;;
	srlz.d
	mov	r16 = pmc[r7] ;;
	result	r16				// PMC4 reads as written

	// ---- perf: start, count kernel code, stop, read: 2 + 3 + 300 + 1
	movl	r20 = PMC_FIXED | PMC_INSNS | PMC_PM | PMC_OI | PLM_KERNEL | PLM_USER
	movl	r21 = (1 << 46) ;;
	mov	pmd[r7] = r21 ;;
	srlz.d
	mov	r18 = 99 ;;
	mov	ar.lc = r18 ;;
	{ .mii
	mov	pmc[r7] = r20
	nop.i	0
	nop.i	0 ;;
	} { .mii
	srlz.d
	nop.i	0
	nop.i	0 ;;
	}
3:	{ .mib
	nop.m	0
	nop.i	0
	br.cloop.sptk.few 3b ;;
	} { .mii
	mov	pmc[r7] = r6
	nop.i	0
	nop.i	0 ;;
	}
	srlz.d ;;
	delta	r21				// 306, read after plm = 0
	mov	r16 = pmd[r7] ;;
	result	r16				// and it stays: 2^46 + 306

	// ---- perf: a task's user code, pt_regs.pp set, kernel excluded
	movl	r20 = PMC_FIXED | PMC_INSNS | PMC_PM | PMC_OI | PLM_USER ;;
	mov	pmd[r7] = r21 ;;
	srlz.d
	mov	pmc[r7] = r20 ;;
	srlz.d ;;
	run_user PSR_PP
	delta	r21				// 3 + 3 * ROUNDS
	run_user 0
	delta	r21				// the same: pp off for that task
	mov	pmc[r7] = r6 ;;
	srlz.d

	// ---- perf: freeze and thaw stop and go on: 1 + 3 + 1
	movl	r20 = PMC_FIXED | PMC_INSNS | PMC_PM | PMC_OI | PLM_KERNEL
	mov	r16 = 1 ;;
	mov	pmc[r0] = r16 ;;
	srlz.d
	mov	pmd[r7] = r21 ;;
	mov	pmc[r7] = r20 ;;
	srlz.d ;;
	{ .mii
	nop.m	0
	nop.i	0
	nop.i	0 ;;
	} { .mmi
	nop.m	0
	mov	pmc[r0] = r0
	nop.i	0 ;;
	} { .mii
	nop.m	0
	nop.i	0
	nop.i	0 ;;
	} { .mmi
	mov	pmc[r0] = r16
	nop.m	0
	nop.i	0 ;;
	}
	srlz.d ;;
	delta	r21				// 5
	mov	pmc[r7] = r6 ;;
	mov	pmc[r0] = r0 ;;
	srlz.d ;;

	// ---- perf: sampling: interrupts while user code runs
	movl	r20 = PMC_FIXED | PMC_INSNS | PMC_PM | PMC_OI | PLM_USER ;;
	mov	pmd[r7] = r10 ;;
	srlz.d
	mov	pmc[r7] = r20 ;;
	srlz.d ;;
4:	run_user PSR_PP
	cmp.ltu	p6, p7 = r9, r11 ;;
(p6)	br.cond.sptk.few 4b ;;
	mov	pmc[r7] = r6 ;;
	srlz.d
	result	r9				// samples asked for
	result	r15				// VECTOR
	result	r14				// fr and bit 4
	mov	r16 = cr.ivr ;;
	result	r16				// spurious: one interrupt per freeze

	// ---- perfmon: defaults of all PMCs are accepted and read back
	movl	r22 = table ;;
5:	ld8	r23 = [r22], 8 ;;
	cmp.eq	p6, p7 = r0, r23
	ld8	r24 = [r22], 8 ;;
(p6)	br.cond.spnt.few 6f ;;
	mov	pmc[r23] = r24 ;;
	mov	r25 = pmc[r23] ;;
	xor	r25 = r25, r24 ;;
	result	r25				// 0 each
	br.cond.sptk.few 5b ;;
6:
	// ---- perfmon: a task's counter: pm = 0, PSR.up
	movl	r20 = PMC_FIXED | PMC_INSNS | PMC_OI | PLM_USER ;;
	mov	pmd[r7] = r21 ;;
	mov	pmc[r7] = r20 ;;
	srlz.d ;;
	run_user PSR_UP
	delta	r21				// 3 + 3 * ROUNDS
	run_user 0
	delta	r21				// the same: up off
	// masking of monitoring: plm to 0, PMD read, plm back, it goes on
	movl	r26 = PMC_FIXED | PMC_INSNS | PMC_OI ;;
	mov	pmc[r7] = r26 ;;
	srlz.d ;;
	run_user PSR_UP
	delta	r21				// the same: masked
	mov	pmc[r7] = r20 ;;
	srlz.d ;;
	run_user PSR_UP
	delta	r21				// twice that
	mov	pmc[r7] = r6 ;;
	srlz.d ;;

	// ---- perfmon: a pending overflow is put back, then asked for again
	mov	r9 = 0
	mov	r16 = 0x11 ;;
	mov	pmc[r0] = r16 ;;
	srlz.d ;;
	ssm	PSR_IC ;;
	srlz.d ;;
	ssm	PSR_I ;;
	mov	r18 = 99 ;;
	mov	ar.lc = r18 ;;
7:	br.cloop.sptk.few 7b ;;
	result	r9				// 0: the write raises no interrupt
	mov	r16 = pmc[r0] ;;
	result	r16				// 0x11
	mov	r17 = cr.lid
	movl	r18 = 1 << 63 | 0xfee00000 ;;
	extr.u	r17 = r17, 16, 16 ;;
	shl	r17 = r17, 4 ;;
	or	r18 = r18, r17
	mov	r19 = VECTOR ;;
	st8.rel	[r18] = r19 ;;			// an IPI to itself
	mf.a
	mov	r18 = 99 ;;
	mov	ar.lc = r18 ;;
8:	br.cloop.sptk.few 8b ;;
	result	r9				// 1
	result	r14				// 0x11, as put back
	mov	r16 = pmc[r0] ;;
	result	r16				// 0: the handler's last write
	rsm	PSR_I ;;
	movl	r16 = MAGIC
	movl	r17 = RESULTS ;;
	st8	[r17] = r16 ;;
9:	br.cond.sptk.few 9b ;;
	.endp	_start

	// The task: 3 + 3 * ROUNDS instructions, and a break that faults.
	.proc	user
user:
	{ .mii
	nop.m	0
	mov	ar.lc = r31
	nop.i	0 ;;
	}
user_loop:
	{ .mib
	adds	r8 = 1, r8
	nop.i	0
	br.cloop.sptk.few user_loop ;;
	} { .mii
	break.m	0
	nop.i	0
	nop.i	0 ;;
	}
	.endp	user

	// The task is done: on at r12, at level 0, bank 1.
	.proc	done
done:
	mov	r16 = cr.ipsr
	movl	r17 = PSR_CPL3 | PSR_I | PSR_UP ;;
	andcm	r16 = r16, r17
	movl	r18 = PSR_PP ;;
	or	r16 = r16, r18 ;;
	dep	r16 = 0, r16, 41, 2 ;;			// slot 0
	mov	cr.ipsr = r16
	mov	cr.iip = r12 ;;
	rfi ;;
	.endp	done

	// The overflow handler: PMC0, per counter PMD read and written, PMC0
	// cleared, end of interrupt.
	.proc	overflow
overflow:
	mov	r15 = cr.ivr ;;
	mov	r16 = VECTOR ;;
	cmp.ne	p8, p0 = r15, r16
	mov	r14 = pmc[r0] ;;
(p8)	br.cond.spnt.few stray ;;
	mov	r17 = pmd[r7] ;;
	mov	pmd[r7] = r10 ;;
	srlz.d
	adds	r9 = 1, r9 ;;
	mov	pmc[r0] = r0 ;;
	srlz.d
	mov	cr.eoi = r0 ;;
	srlz.d ;;
	rfi ;;
stray:
	mov	r16 = r15
	br.cond.sptk.few unexpected ;;
	.endp	overflow

	// An interruption that should not be: r16 its vector.
	.proc	unexpected
unexpected:
	movl	r17 = RESULTS + 8
	mov	r18 = cr.iip ;;
	st8	[r17] = r16, 8 ;;
	st8	[r17] = r18 ;;
1:	br.cond.sptk.few 1b ;;
	.endp	unexpected

	IVT	0x3000, overflow, 0x2c00, done

	// PMC, value it is given at the start
	.section .rodata
	.balign 8
table:
	data8	4, 0x2000000
	data8	32, 0x30f01ffffffffff
	data8	33, 0
	data8	34, 0xf01ffffffffff
	data8	35, 0
	data8	36, 0xfffffff0
	data8	37, 0
	data8	38, 0xdb6
	data8	39, 0
	data8	40, 0x2000000
	data8	41, 0x2078fefefefe
	data8	42, 0
	data8	0, 0

	.section .params, "aw", "progbits"
	data8	1000, 5
