// SPDX-License-Identifier: GPL-2.0-only
// A system-mode guest that profiles itself: PMC4 counts retired instructions,
// every overflow interrupts through PMV (Montecito manual 3.3.4, 3.3.11; SDM
// volume 2, 5.8), and the handler at IVA + 0x3000 records, reloads the
// counter, clears PMC0, ends the interrupt and returns.
//
// Parameters (physical 0x2000), 8 bytes each:
//	+0 period, +8 interrupts to take, +16 PMV, +24 PMC4, +32 TPR
// Results (physical 0x1000), 8 bytes each:
//	+0 MAGIC when all interrupts have been taken, +8 interrupts so far,
//	+16 rounds of the counted loop so far (3 instructions each),
//	+24 interruptions on other vectors, +32 the last of those's vector
//	+64 one record per interrupt: IVR, PMC0, PMD4, rounds, IIP, IVR read again
// After the last interrupt the counted loop goes on, with PSR.pp off.
	.include "ivt.inc"

RESULTS = 0x1000
PARAMS = 0x2000
MAGIC = 0x7169756d70		// "pmuiq"

IVR_SPURIOUS = 0x0f
PSR_IC_I_PP = 1 << 13 | 1 << 14 | 1 << 21

	.text
	.global	_start
	.proc	_start
_start:
	movl	r2 = ivt
	movl	r3 = PARAMS ;;
	mov	cr.iva = r2
	ld8	r4 = [r3], 8 ;;				// period
	ld8	r5 = [r3], 8 ;;				// interrupts
	ld8	r6 = [r3], 8 ;;				// PMV
	ld8	r7 = [r3], 8 ;;				// PMC4
	ld8	r10 = [r3]				// TPR
	movl	r9 = 1 << 47 ;;
	sub	r4 = r9, r4				// reload value
	mov	r8 = 0					// rounds
	mov	r11 = 0					// interrupts taken
	movl	r12 = RESULTS + 64
	movl	r13 = RESULTS
	mov	r14 = 4 ;;
	mov	cr.pmv = r6
	mov	cr.tpr = r10 ;;
	srlz.d ;;
	mov	pmd[r14] = r4
	mov	pmc[r14] = r7 ;;
	mov	pmc[r0] = r0 ;;				// thaw
	srlz.d ;;
	ssm	PSR_IC_I_PP ;;
	srlz.i ;;
loop:
	{ .mib
	adds	r8 = 1, r8
	nop.i	0
	br.cond.sptk.few loop ;;
	}
	.endp	_start

	// One interrupt, bank 0 registers.
	.proc	interrupt
interrupt:
	mov	r16 = cr.ivr ;;
	srlz.d ;;
	mov	r17 = pmc[r0]
	mov	r18 = pmd[r14]
	mov	r19 = cr.iip ;;
	st8	[r12] = r16, 8 ;;
	st8	[r12] = r17, 8 ;;
	st8	[r12] = r18, 8 ;;
	st8	[r12] = r8, 8 ;;
	st8	[r12] = r19, 8
	mov	r20 = cr.ivr ;;				// nothing else waits
	st8	[r12] = r20, 8
	adds	r11 = 1, r11
	adds	r21 = 8, r13
	adds	r22 = 16, r13 ;;
	st8	[r21] = r11
	st8	[r22] = r8
	cmp.geu	p6, p7 = r11, r5
	mov	pmd[r14] = r4 ;;
	mov	pmc[r0] = r0 ;;
	srlz.d
	mov	cr.eoi = r0 ;;
	srlz.d
(p7)	br.cond.sptk.few back ;;
	mov	r23 = cr.ipsr				// enough: PSR.pp off, tell
	movl	r24 = MAGIC ;;
	dep	r23 = 0, r23, 21, 1
	st8	[r13] = r24 ;;
	mov	cr.ipsr = r23 ;;
back:
	rfi ;;
	.endp	interrupt

	// An interruption that should not be: r16 its vector. Said and skipped
	// over no more than once: the machine then spins here.
	.proc	unexpected
unexpected:
	adds	r17 = 24, r13
	adds	r18 = 32, r13
	mov	r19 = 1 ;;
	st8	[r17] = r19
	st8	[r18] = r16 ;;
1:	br.cond.sptk.few 1b ;;
	.endp	unexpected

	IVT	0x3000, interrupt

	.section .params, "aw", "progbits"
	data8	3000, 8, 0xd2, 0x2000861, 0
