// SPDX-License-Identifier: GPL-2.0-only
// Loads of floating-point and integer registers, prefetches, semaphores and stores, each of
// LINES lines of its own, which no cache has. Each loop is a function. The line behind each of
// these is left to touch, so that pages are there and the walker's lines are in caches.
	.include "guest.inc"

LINES = 1000
LINE = 128
STRIDE = 2 * LINE
PAGE = 16384
PAGES = (6 * LINES * STRIDE + PAGE - 1) / PAGE

	.macro	class name, instruction
	.proc	\name
\name:
	mov	r16 = LINES - 1 ;;
	mov.i	ar.lc = r16 ;;
1:
	{ .mmi
	\instruction
	nop.m	0
	adds	r14 = STRIDE, r14 ;;
	}
	{ .mib
	nop.m	0
	nop.i	0
	br.cloop.sptk.few 1b ;;
	}
	br.ret.sptk.many b0 ;;
	.endp	\name
	.endm

	.text
	class	fploads, "ldfd f6 = [r14]"
	class	intloads, "ld8 r15 = [r14]"
	class	prefetches, "lfetch [r14]"
	class	semaphores, "fetchadd8.acq r15 = [r14], 1"
	class	stores, "st8 [r14] = r0"
	class	shortstores, "st2 [r14] = r0"

	.proc	touch
touch:
	movl	r14 = lines + LINE
	movl	r17 = PAGE
	mov	r16 = PAGES - 1 ;;
	mov.i	ar.lc = r16 ;;
1:
	{ .mmi
	st8	[r14] = r0
	nop.m	0
	add	r14 = r14, r17 ;;
	}
	{ .mib
	nop.m	0
	nop.i	0
	br.cloop.sptk.few 1b ;;
	}
	br.ret.sptk.many b0 ;;
	.endp	touch

	.global	_start
	.proc	_start
_start:
	alloc	r32 = ar.pfs, 0, 8, 1, 0
	br.call.sptk.many b0 = touch ;;
	movl	r14 = lines ;;
	br.call.sptk.many b0 = fploads ;;
	br.call.sptk.many b0 = intloads ;;
	br.call.sptk.many b0 = prefetches ;;
	br.call.sptk.many b0 = semaphores ;;
	br.call.sptk.many b0 = stores ;;
	br.call.sptk.many b0 = shortstores ;;
	exit	0
	.endp	_start

	.bss
	.balign	PAGE
lines:
	.skip	(PAGES + 1) * PAGE
