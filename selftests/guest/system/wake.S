// SPDX-License-Identifier: GPL-2.0-only
// Each processor adds 1 to its word at RESULT, sends the next one an interrupt, and spins.
	.text
	.global	_start

RESULT = 0x1000
PIB = 0x80000000fee00000	// the processor interrupt block, not cached

	.proc	_start
_start:
	mov	r14 = cr.lid
	movl	r15 = RESULT
	mov	r20 = 0x40 ;;
	extr.u	r14 = r14, 24, 8 ;;
	shladd	r15 = r14, 3, r15
	add	r17 = 1, r14 ;;
	ld8	r16 = [r15]
	shl	r17 = r17, 12
	movl	r18 = PIB ;;
	add	r16 = 1, r16
	or	r18 = r18, r17 ;;
	st8	[r15] = r16
	mf ;;
	st8	[r18] = r20
	;;
1:
	{ .mib
	nop.m	0
	nop.i	0
	br.cond.sptk.few 1b ;;
	}
	.endp	_start
