// SPDX-License-Identifier: GPL-2.0-only
// Copies 40 bytes of /dev/urandom to standard output: 3, 32 and 5 in three reads.
// Exit status 1 if it cannot be opened, 2 if a read is short.
	.include "guest.inc"

SYS_open = 1028

	.macro	fill at, size
	mov	r40 = r32
	movl	r41 = buffer + \at
	mov	r42 = \size
	syscall	SYS_read
	cmp.ne	p6, p0 = \size, r8
(p6)	br.cond.spnt short ;;
	.endm

	.text
	.global	_start
	.proc	_start
_start:
	alloc	r33 = ar.pfs, 0, 8, 3, 0
	movl	r40 = path
	mov	r41 = 0
	mov	r42 = 0
	syscall	SYS_open
	cmp.eq	p6, p0 = -1, r10
(p6)	br.cond.spnt unopened
	mov	r32 = r8 ;;
	fill	0, 3
	fill	3, 32
	fill	35, 5
	mov	r40 = 1
	movl	r41 = buffer
	mov	r42 = 40
	syscall	SYS_write
	exit	0
unopened:
	exit	1
short:
	exit	2
	.endp	_start

	.section .rodata, "a", "progbits"
path:
	.asciz	"/dev/urandom"

	.bss
buffer:
	.skip	40
