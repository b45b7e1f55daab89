// SPDX-License-Identifier: GPL-2.0-only
// An operating system with nothing to do: halted but for a timer interrupt each
// 4 ms of its time. It says so once and listens to its UART.

UC = 1 << 63
UART = UC | 0xfea00000
PAL_PROC = 0xff100000
PAL_HALT_LIGHT = 29
TIMER_VECTOR = 0xef
PERIOD = 6400000

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
	mov	r8 = TIMER_VECTOR
	mov	r9 = ar.itc
	movl	r10 = PERIOD ;;
	add	r9 = r9, r10
	mov	cr.itv = r8 ;;
	mov	cr.itm = r9 ;;
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
	mov	r8 = cr.ivr ;;
	add	r9 = r9, r10
	srlz.d ;;
	mov	cr.eoi = r0
	mov	cr.itm = r9 ;;
	srlz.d ;;
	br.cond.sptk.many idle ;;
	.endp	_start

	.data
text:	stringz	"idle\n"
