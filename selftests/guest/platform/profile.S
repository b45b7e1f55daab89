// SPDX-License-Identifier: GPL-2.0-only
// An operating system that profiles itself: PMC4 counts CPU_OP_CYCLES and interrupts each
// PERIOD of them through PMV, PMC5 counts IA64_INST_RETIRED (Montecito manual 3.3.4,
// 3.3.11; SDM volume 2, 5.8). The handler counts by cr.iip: in "sum", a loop of one cycle,
// in "walk", loads that wait for each other and for the L3, or elsewhere.
// In the end the guest reads its counters, says it all on the UART, and powers off.
	.include "ivt.inc"

UART = 1 << 63 | 0xfea00000
PM1A_CONTROL = 1 << 63 | 0x3fffc000000 | 0x101 << 12 | 0x404
PERIOD = 50000
PMV = 0xd2
PMC_CYCLES = 0x2000000 | 0x12 << 8 | 0x61	// privileged, with PSR.pp; overflows interrupt
PMC_INSTRUCTIONS = 0x2000000 | 0x08 << 8 | 0x41
PSR_IC_I_PP = 1 << 13 | 1 << 14 | 1 << 21
SUMS = 400000
RING = 0x80000
LINE = 128
ROUNDS = 8

	.text
	.global	_start
	.proc	_start
	// Kept throughout: r2 what PMD4 is reloaded with, r3 and r4 indices of counters,
	// r5 interrupts, r6 and r7 those in sum and in walk
_start:
	alloc	r9 = ar.pfs, 0, 0, 96, 0	// all outputs: a call leaves them
	movl	r8 = ivt ;;
	movl	r2 = (1 << 47) - PERIOD
	mov	r3 = 4
	mov	r4 = 5
	mov	r5 = 0
	mov	r6 = 0
	mov	r7 = 0
	mov	r9 = PMV
	movl	r10 = PMC_CYCLES
	movl	r11 = PMC_INSTRUCTIONS
	movl	r14 = ring
	movl	r15 = RING / LINE - 2 ;;
	mov	cr.iva = r8
	mov	cr.pmv = r9
	mov	cr.tpr = r0
	mov	ar.lc = r15
	mov	r16 = r14 ;;
1:	adds	r17 = LINE, r16 ;;
	st8	[r16] = r17
	mov	r16 = r17
	br.cloop.sptk.few 1b ;;
	st8	[r16] = r14
	mov	pmd[r3] = r2 ;;
	mov	pmd[r4] = r0
	mov	pmc[r3] = r10 ;;
	mov	pmc[r4] = r11 ;;
	mov	pmc[r0] = r0 ;;
	srlz.d ;;
	ssm	PSR_IC_I_PP ;;
	srlz.i
	movl	r15 = SUMS - 1 ;;
	mov	ar.lc = r15 ;;
sum:
	{ .mib
	add	r18 = r18, r19
	adds	r19 = 1, r19
	br.cloop.sptk.few sum ;;
	}
	movl	r15 = ROUNDS * (RING / LINE) - 1 ;;
	mov	ar.lc = r15 ;;
walk:
	{ .mib
	ld8	r14 = [r14]
	nop.i	0
	br.cloop.sptk.few walk ;;
	}
walked:
	rsm	PSR_IC_I_PP ;;
	srlz.d
	mov	r8 = pmd[r3]
	mov	r34 = pmd[r4] ;;
	sub	r8 = r8, r2
	movl	r9 = PERIOD ;;
	extr.u	r8 = r8, 0, 47			// a counter is read with its sign
	setf.sig f6 = r5
	setf.sig f7 = r9 ;;
	setf.sig f8 = r8 ;;
	xma.l	f6 = f6, f7, f8 ;;
	getf.sig r33 = f6 ;;
	movl	r14 = text_cycles
	mov	r15 = r33
	br.call.sptk.few b3 = say ;;
	movl	r14 = text_instructions
	mov	r15 = r34
	br.call.sptk.few b3 = say ;;
	movl	r14 = text_interrupts
	mov	r15 = r5
	br.call.sptk.few b3 = say ;;
	movl	r14 = text_sum
	mov	r15 = r6
	br.call.sptk.few b3 = say ;;
	movl	r14 = text_walk
	mov	r15 = r7
	br.call.sptk.few b3 = say ;;
power_off:
	movl	r8 = PM1A_CONTROL
	movl	r9 = 1 << 13 | 5 << 10 ;;	// SLP_EN, SLP_TYP
	st2.rel	[r8] = r9 ;;
	mf.a ;;
	br.cond.sptk.few power_off ;;

	// The string at r14, the number r15 and the end of a line; back to b3.
say:
	movl	r8 = UART ;;
1:	ld1	r9 = [r14], 1 ;;
	cmp.ne	p6, p7 = r9, r0 ;;
	(p6) st1.rel [r8] = r9
	(p6) br.cond.sptk.few 1b ;;
	movl	r17 = powers
	mov	r11 = 0 ;;			// no digit so far
2:	ld8	r10 = [r17], 8
	mov	r16 = '0' ;;
3:	cmp.geu	p6, p7 = r15, r10 ;;
	(p6) sub r15 = r15, r10
	(p6) adds r16 = 1, r16
	(p6) br.cond.sptk.few 3b ;;
	cmp.ne	p8, p0 = '0', r16
	cmp.eq	p9, p0 = 1, r10 ;;
	(p8) mov r11 = 1 ;;
	(p9) mov r11 = 1 ;;
	cmp.ne	p6, p0 = 0, r11 ;;
	(p6) st1.rel [r8] = r16
	(p9) br.cond.spnt.few 5f
	br.cond.sptk.few 2b ;;
5:	mov	r16 = '\n' ;;
	st1.rel	[r8] = r16
	br.cond.sptk.few b3 ;;
	.endp	_start

	// An overflow; bank 0 registers
	.proc	interrupt
interrupt:
	mov	r16 = cr.ivr
	mov	r17 = cr.iip
	movl	r18 = sum
	movl	r19 = walk
	movl	r20 = walked ;;
	cmp.geu	p1, p0 = r17, r18
	cmp.geu	p2, p3 = r17, r19
	cmp.ltu	p4, p0 = r17, r20 ;;
	(p1) cmp.ltu.unc p1, p0 = r17, r19
	(p2) cmp.ltu.unc p2, p0 = r17, r20
	adds	r5 = 1, r5 ;;
	(p1) adds r6 = 1, r6
	(p2) adds r7 = 1, r7
	mov	pmd[r3] = r2 ;;
	mov	pmc[r0] = r0 ;;			// goes on
	srlz.d
	mov	cr.eoi = r0 ;;
	srlz.d
	rfi ;;
	.endp	interrupt

unexpected:
	br.cond.sptk.few power_off ;;

	IVT	0x3000, interrupt

	.data
	.align	8
powers:	data8	1000000000, 100000000, 10000000, 1000000, 100000, 10000, 1000, 100, 10, 1
text_cycles:
	stringz "cycles that I have counted:       "
text_instructions:
	stringz "instructions:                     "
text_interrupts:
	stringz "overflow interrupts that I took:  "
text_sum:
	stringz "  at an instruction of \"sum\":     "
text_walk:
	stringz "  at an instruction of \"walk\":    "
	.align	128
ring:	.skip	RING
