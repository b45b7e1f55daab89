// SPDX-License-Identifier: GPL-2.0-only
// An operating system with nothing to do: halted but for a timer interrupt each
// 4 ms of its time. It says so once, writes a dot each second and listens to its UART.

UC = 1 << 63
UART = UC | 0xfea00000
PAL_PROC = 0xff100000
PAL_HALT_LIGHT = 29
TIMER_VECTOR = 0xef
PERIOD = 6400000
PER_SECOND = 250

	.text
	.global	_start
	.proc	_start
_start:
	movl	r8 = UART
	movl	r9 = text ;;
1:	ld1	r10 = [r9], 1 ;;
	cmp.eq	p6, p7 = r10, r0 ;;
	(p7) st1.rel [r8] = r10
	(p7) br.cond.sptk.many 1b ;;
	adds	r8 = 1, r8
	mov	r9 = 1 ;;
	st1.rel	[r8] = r9				// receive interrupts
	// PAL returns in r8 to r11 and preserves r4 to r7.
	mov	r8 = TIMER_VECTOR
	mov	r4 = ar.itc
	movl	r5 = PERIOD
	mov	r6 = PER_SECOND ;;
	add	r4 = r4, r5
	mov	cr.itv = r8 ;;
	mov	cr.itm = r4 ;;
	srlz.d ;;
idle:
	mov	r28 = PAL_HALT_LIGHT
	mov	r29 = 0
	mov	r30 = 0
	mov	r31 = 0
	movl	r8 = PAL_PROC
	movl	r11 = woken ;;
	mov	b6 = r8
	mov	b0 = r11 ;;
	br.cond.sptk.many b6 ;;
	.align	16
woken:
	mov	r8 = cr.ivr
	adds	r6 = -1, r6
	movl	r14 = UART
	mov	r15 = '.' ;;
	cmp.eq	p6, p0 = r6, r0
	add	r4 = r4, r5
	srlz.d ;;
	(p6) st1.rel [r14] = r15
	(p6) mov r6 = PER_SECOND
	mov	cr.eoi = r0
	mov	cr.itm = r4 ;;
	srlz.d ;;
	br.cond.sptk.many idle ;;
	.endp	_start

	.data
text:	stringz	"idle\n"
