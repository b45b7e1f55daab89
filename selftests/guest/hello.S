// SPDX-License-Identifier: GPL-2.0-only
// The first program to try: one write, one exit.
	.include "guest.inc"

	.text
	.global	_start
	.proc	_start
_start:
	alloc	r32 = ar.pfs, 0, 8, 3, 0
	mov	r40 = 1
	movl	r41 = greeting
	mov	r42 = greeting_end - greeting
	syscall	SYS_write
	exit	0
	.endp	_start

	.section .rodata, "a", "progbits"
greeting:
	.ascii	"Hello from an Itanium 2.\n"
greeting_end:
