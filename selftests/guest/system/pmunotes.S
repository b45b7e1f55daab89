// SPDX-License-Identifier: GPL-2.0-only
// Measurements as Linux's driver makes them, for selftests/machine/test_notes.c: frozen,
// the PMCs are written; unfrozen, it runs; frozen, they are cleared again. Each is a
// function that the test enters and leaves at its end.
	.include "pmu.inc"

CLEARED = 0x2000000

	.macro	FREEZE on
	mov	r3 = 0
	mov	r2 = \on ;;
	mov	pmc[r3] = r2 ;;
	srlz.d ;;
	.endm

	// @n counts @event for some instructions, and is cleared
	.macro	MEASURE name, n, event, bits=PLM_ALL
	.balign	64
	.global	\name
	.type	\name, @function
	.proc	\name
\name:
	FREEZE	1
	COUNT	\n, \event, \bits
	sum	4 ;;
	FREEZE	0
	nop.m	0 ;;
	nop.m	0 ;;
	FREEZE	1
	PMC	\n, CLEARED
	FREEZE	0
	.endp	\name
	.balign	64
	nop.m	0 ;;
	.endm

	.text
	.global	_start
_start:
	nop.m	0 ;;

	MEASURE	counted, 4, INST
	MEASURE	cycles, 4, 0x12
	MEASURE	set_l1d, 6, LOADS
	MEASURE	set_l2d, 9, 0x300e6
	MEASURE	counter, 4, 0x18
	MEASURE	no_event, 5, 0x20
	MEASURE	threshold, 7, INST, PLM_ALL | 1 << 20

	// the set is selected last, while the first of it counts already
	.balign	64
	.global	late_set
	.type	late_set, @function
	.proc	late_set
late_set:
	sum	4 ;;
	COUNT	6, LOADS, PLM_ALL
	COUNT	5, LOADS, PLM_ALL
	PMC	6, CLEARED
	PMC	5, CLEARED
	.endp	late_set
	.balign	64
1:	br.cond.sptk.few 1b ;;
