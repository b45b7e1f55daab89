// SPDX-License-Identifier: GPL-2.0-only
// Print the start state of a program: writes to standard output its stack pointer, the time,
// and the stack from argc to the end of its page of 16 KB.
	.include "guest.inc"

SYS_gettimeofday = 1087

	.macro	out at, size
	mov	r40 = 1
	mov	r41 = \at
	mov	r42 = \size
	syscall	SYS_write
	.endm

	.text
	.global	_start
	.proc	_start
_start:
	alloc	r33 = ar.pfs, 0, 8, 3, 0
	movl	r34 = record ;;
	adds	r35 = 16, r12			// argc lies above the scratch area
	adds	r36 = 8, r34
	mov	r37 = 16383 ;;
	or	r37 = r35, r37 ;;
	sub	r37 = r37, r35 ;;
	adds	r37 = 1, r37
	st8	[r34] = r35
	mov	r40 = r36
	mov	r41 = 0
	syscall	SYS_gettimeofday
	out	r34, 24
	out	r35, r37
	exit	0
	.endp	_start

	.section .data, "aw", "progbits"
	.balign	8
record:
	.skip	24
