// SPDX-License-Identifier: GPL-2.0-only
// Each processor programs PMC4-15, by itself and with handlers of its own, and counts at level 3
// what it executes there: references to a line of all and to one of its own. An overflow of PMD4
// interrupts, as pmuirq.S has it. A break ends that; what is still on its way comes; then it
// freezes, and stores PMD4-15.
//
// Parameters (physical 0x2000), 8 bytes each:
//	+0 period of PMC4, or 0, +8 rounds, +16 PMV, +24 processors, +64 PMC4-15
// Results of processor n (physical 0x4000 + 0x100 * n), 8 bytes each:
//	+0 PMD4-15, +96 overflow interrupts, +104 MAGIC at the end, +112 unexpected vector
	.include "ivt.inc"

PARAMS = 0x2000
RESULTS = 0x4000
SHARED = 0x6000			// the line of all; those of each are behind it
MET = 0x7000			// how many are there
MAGIC = 0x6c6c61756d70
PIB = 0x80000000fee00000	// the processor interrupt block, not cached
WAKE = 0x40
OVERFLOW = 0xd2

PSR_USER = 1 << 13 | 1 << 14 | 1 << 21 | 3 << 32 | 1 << 44	// ic, i, pp, level 3, bank 1
DRAIN = 4000

	.text
	.global	_start
	.proc	_start
_start:
	mov	r14 = cr.lid
	movl	r2 = ivt
	movl	r3 = PARAMS
	movl	r12 = RESULTS ;;
	extr.u	r14 = r14, 24, 8
	mov	cr.iva = r2
	ld8	r4 = [r3], 8 ;;
	ld8	r8 = [r3], 8
	shl	r5 = r14, 8 ;;
	ld8	r6 = [r3], 8
	add	r12 = r12, r5 ;;
	ld8	r7 = [r3], 40
	mov	cr.pmv = r6
	movl	r9 = 1 << 47 ;;
	cmp.ne	p6, p7 = 0, r4
	mov	r11 = 0
	mov	r15 = 4 ;;
(p6)	sub	r4 = r9, r4				// reload value
1:	ld8	r16 = [r3], 8
	mov	pmd[r15] = r0 ;;
	mov	pmc[r15] = r16
	adds	r15 = 1, r15 ;;
	cmp.ne	p6, p7 = 16, r15
(p6)	br.cond.sptk.few 1b ;;
	mov	r15 = 4 ;;
	mov	pmd[r15] = r4 ;;
	srlz.d

	// The next one begins, and all wait for the last.
	adds	r17 = 1, r14
	mov	r20 = WAKE
	movl	r18 = PIB ;;
	shl	r17 = r17, 12
	movl	r15 = MET ;;
	or	r18 = r18, r17 ;;
	fetchadd8.rel r16 = [r15], 1 ;;
	mf ;;
	st8	[r18] = r20 ;;
2:	ld8.acq	r16 = [r15] ;;
	cmp.ltu	p6, p7 = r16, r7
(p6)	br.cond.sptk.few 2b ;;

	movl	r2 = user
	movl	r3 = PSR_USER ;;
	mov	cr.iip = r2
	mov	cr.ipsr = r3
	mov	cr.ifs = r0
	bsw.1 ;;
	movl	r20 = SHARED
	adds	r21 = 1, r14 ;;
	shl	r21 = r21, 7 ;;
	add	r21 = r20, r21
	bsw.0 ;;
	mov	r15 = r0 ;;
	mov	pmc[r15] = r0 ;;			// thaw
	srlz.d ;;
	rfi ;;
	.endp	_start

	// Level 3: a semaphore of the line of all, a load and a store of an own line
	.proc	user
user:
	{ .mmi
	fetchadd8.acq r22 = [r20], 1
	ld8	r23 = [r21]
	adds	r8 = -1, r8 ;;
	}
	{ .mmi
	adds	r23 = 1, r23
	cmp.ne	p6, p7 = 0, r8
	nop.i	0 ;;
	}
	{ .mib
	st8	[r21] = r23
(p7)	adds	r22 = 1, r22
(p6)	br.cond.dptk.few user ;;
	}
	break.m	0 ;;
	.endp	user

	// Bank 0. Predicates p8 and p9 are the handlers'.
	.proc	interrupt
interrupt:
	mov	r16 = cr.ivr ;;
	srlz.d
	movl	r17 = OVERFLOW ;;
	cmp.eq	p8, p9 = r16, r17
(p9)	br.cond.spnt.few 1f ;;
	mov	r18 = 4
	adds	r11 = 1, r11 ;;
	mov	r19 = pmd[r18] ;;
	dep	r19 = 0, r19, 47, 17 ;;
	add	r19 = r19, r4
	mov	r20 = r0 ;;
	mov	pmd[r18] = r19 ;;
	mov	pmc[r20] = r0 ;;
	srlz.d
1:	mov	cr.eoi = r0 ;;
	srlz.d ;;
	rfi ;;
	.endp	interrupt

	.proc	done
done:
	movl	r16 = DRAIN ;;
1:	adds	r16 = -1, r16 ;;
	cmp.ne	p8, p9 = 0, r16
(p8)	br.cond.sptk.few 1b ;;
	mov	r17 = r0
	mov	r18 = 1
	mov	r19 = 4 ;;
	mov	pmc[r17] = r18 ;;
	srlz.d ;;
2:	mov	r20 = pmd[r19]
	adds	r19 = 1, r19 ;;
	st8	[r12] = r20, 8
	cmp.ne	p8, p9 = 16, r19
(p8)	br.cond.sptk.few 2b ;;
	st8	[r12] = r11, 8
	movl	r20 = MAGIC ;;
	st8	[r12] = r20 ;;
3:	br.cond.sptk.few 3b ;;
	.endp	done

unexpected:
	adds	r17 = 112, r12 ;;
	st8	[r17] = r16 ;;
1:	br.cond.sptk.few 1b ;;

	IVT	0x3000, interrupt, 0x2c00, done

	.section .params, "aw", "progbits"
	.skip	192
