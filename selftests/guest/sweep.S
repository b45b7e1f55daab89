// SPDX-License-Identifier: GPL-2.0-only
// Loads from each line of 128 bytes of 8 MB, one after the other, as often as there are
// words in argv.
	.include "guest.inc"

SIZE = 8 << 20
LINE = 128

	.text
	.global	_start
	.proc	_start
_start:
	alloc	r32 = ar.pfs, 0, 8, 3, 0
	adds	r14 = 16, r12 ;;			// argc
	ld8	r33 = [r14]
	movl	r34 = SIZE / LINE - 1 ;;
pass:
	movl	r15 = table
	mov.i	ar.lc = r34 ;;
1:	ld8	r16 = [r15], LINE
	br.cloop.sptk.few 1b ;;
	adds	r33 = -1, r33 ;;
	cmp.ne	p6, p7 = 0, r33
(p6)	br.cond.dptk.few pass ;;
	exit	0
	.endp	_start

	.bss
	.align	1 << 20
table:	.skip	SIZE
