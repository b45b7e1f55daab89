// SPDX-License-Identifier: GPL-2.0-only
// A software-pipelined loop, two bundles a turn, whose compares write rotating predicates
// that later turns read by other numbers.
	.include "guest.inc"

	.text
	.global	_start
	.proc	_start
_start:
	alloc	r32 = ar.pfs, 0, 8, 3, 0
	mov	r8 = 999 ;;
	mov	ar.lc = r8
	mov	ar.ec = 4
	mov	pr.rot = 1 << 16 ;;
	.balign	32
1:	{ .mfi
	(p20) adds r14 = 1, r14
	(p16) fcmp.eq p20, p40 = f0, f1
	(p24) adds r15 = 1, r15
	}
	{ .mib
	(p41) adds r16 = 1, r16
	(p16) cmp.ne p24, p44 = r0, r8
	br.ctop.sptk.few 1b ;;
	}
	exit	0
	.endp	_start
