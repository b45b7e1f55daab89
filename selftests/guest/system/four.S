// SPDX-License-Identifier: GPL-2.0-only
// Each of four processors, begun by the one before it as in wake.S, does ROUNDS rounds of what goes
// between threads and cores: it adds to the word of all, stores to its own word of a line of all, and
// loads a line that no cache has. In some rounds it sends the next processor an interrupt, flushes the
// word of all, leaves the core to its sibling, or purges a translation everywhere under a lock.
//
// Results, 8 bytes each: at physical 0x4000 + 64 * processor +0 the rounds that it has done, at the end,
// +8 an unexpected vector; r11 counts interrupts. At 0x6000 the word of all, at 0x6080 own words, at
// 0x7100 purges.
	.include "ivt.inc"

ROUNDS = 256			// as test_four.c has it
PROCESSORS = 4
RESULTS = 0x4000
SHARED = 0x6000			// the word of all; own words are in the next line
MET = 0x7000
LOCK = 0x7080
PURGES = 0x7100
FAR = 0x1000000			// 1 MB of each
PIB = 0x80000000fee00000	// the processor interrupt block, not cached
WAKE = 0x40
VECTOR = 0x50
PSR = 1 << 13 | 1 << 14 | 1 << 21	// ic, i, pp

	.text
	.global	_start
	.proc	_start
_start:
	mov	r14 = cr.lid
	movl	r2 = ivt
	movl	r12 = RESULTS ;;
	extr.u	r14 = r14, 24, 8
	mov	cr.iva = r2
	movl	r15 = MET ;;
	shl	r3 = r14, 6
	adds	r4 = 1, r14
	movl	r5 = PIB ;;
	add	r12 = r12, r3
	and	r4 = PROCESSORS - 1, r4
	mov	r11 = 0
	mov	r9 = 0 ;;
	shl	r4 = r4, 12
	mov	r6 = WAKE ;;
	or	r10 = r5, r4
	srlz.i ;;

	// An interrupt begins the next processor. All wait for the last, which sends none.
	fetchadd8.rel r7 = [r15], 1
	cmp.eq	p6, p7 = PROCESSORS - 1, r14 ;;
	mf ;;
(p7)	st8	[r10] = r6 ;;
1:	ld8.acq	r7 = [r15] ;;
	cmp.gtu	p6, p7 = PROCESSORS, r7
(p6)	br.cond.sptk.few 1b ;;
	ssm	PSR ;;
	srlz.d

	movl	r20 = SHARED
	movl	r21 = SHARED + 0x80
	movl	r24 = FAR
	movl	r25 = LOCK ;;
	movl	r26 = PURGES
	shladd	r21 = r14, 3, r21
	shl	r3 = r14, 20 ;;
	add	r24 = r24, r3
	movl	r8 = ROUNDS
	mov	r29 = 14 << 2 ;;

round:
	fetchadd8.acq r22 = [r20], 1
	ld8	r23 = [r21]
	and	r2 = 15, r8 ;;
	ld8	r28 = [r24], 128
	adds	r23 = 1, r23
	cmp.eq	p10, p11 = 3, r2 ;;
	st8	[r21] = r23
	and	r2 = 31, r8
	cmp.eq	p12, p13 = 0, r28 ;;
	cmp.eq	p14, p15 = 5, r2
	and	r3 = 63, r8
	mov	r4 = VECTOR ;;
(p14)	st8	[r10] = r4
	cmp.eq	p6, p7 = 7, r3
	and	r5 = 127, r8 ;;
(p10)	hint.m	0
	cmp.eq	p14, p15 = 9, r5 ;;
(p14)	fc	r20
(p7)	br.cond.dptk.few 3f ;;

1:	mov	r4 = 1 ;;
	xchg8	r5 = [r25], r4 ;;
	cmp.eq	p6, p7 = 0, r5
(p6)	br.cond.dptk.few 2f ;;
	hint.m	0
	br.cond.sptk.few 1b ;;
2:	ptc.g	r20, r29 ;;
	srlz.d
	ld8	r4 = [r26] ;;
	adds	r4 = 1, r4 ;;
	st8	[r26] = r4 ;;
	st8.rel	[r25] = r0 ;;

3:	adds	r8 = -1, r8
	adds	r9 = 1, r9 ;;
	cmp.ne	p6, p7 = 0, r8
(p6)	br.cond.dptk.few round ;;
	st8	[r12] = r9 ;;
4:	hint.m	0
	br.cond.sptk.few 4b ;;
	.endp	_start

	// Bank 0. Predicates p8 and p9 and r11 are the handlers'; WAKE is not counted.
	.proc	interrupt
interrupt:
	mov	r16 = cr.ivr ;;
	srlz.d
	movl	r17 = VECTOR ;;
	cmp.eq	p8, p9 = r16, r17 ;;
(p8)	adds	r11 = 1, r11 ;;
	mov	cr.eoi = r0 ;;
	srlz.d ;;
	rfi ;;
	.endp	interrupt

unexpected:
	adds	r17 = 8, r12 ;;
	st8	[r17] = r16 ;;
1:	br.cond.sptk.few 1b ;;

	IVT	0x3000, interrupt

	.section .params, "aw", "progbits"
	.skip	8
