// SPDX-License-Identifier: GPL-2.0-only
// A loop of four multiply-adds a turn into SUMS registers: 1, 2 or 4.
	.include "lesson.inc"
	program
	mov	r15 = 9999 ;;
	mov.i	ar.lc = r15 ;;
	.align	32
turn:
.if SUMS == 1
	fma.d	f8 = f8, f2, f1 ;;
	fma.d	f8 = f8, f2, f1 ;;
	fma.d	f8 = f8, f2, f1 ;;
	fma.d	f8 = f8, f2, f1
.elseif SUMS == 2
	fma.d	f8 = f8, f2, f1
	fma.d	f9 = f9, f2, f1 ;;
	fma.d	f8 = f8, f2, f1
	fma.d	f9 = f9, f2, f1
.else
	fma.d	f8 = f8, f2, f1
	fma.d	f9 = f9, f2, f1 ;;
	fma.d	f10 = f10, f2, f1
	fma.d	f11 = f11, f2, f1
.endif
	br.cloop.sptk turn ;;
	finish
