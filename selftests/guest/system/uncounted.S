// SPDX-License-Identifier: GPL-2.0-only
// A guest that waits for an overflow of CPU_OP_CYCLES: without time it never comes.
	.text
	.global	_start
	.proc	_start
_start:
	mov	r3 = 4
	movl	r2 = 0x12 << 8 | 0x20 | 0xf ;;		// oi, every level
	mov	pmc[r3] = r2 ;;
	sum	4 ;;
1:	mov	r8 = pmc[r0] ;;
	cmp.eq	p6, p0 = 0, r8
(p6)	br.cond.sptk.few 1b ;;
2:	br.cond.sptk.few 2b ;;
	.endp	_start
