// SPDX-License-Identifier: GPL-2.0-only
// System calls whose traces are known by construction (selftests/cli/strace).
	.include "guest.inc"

SYS_open = 1028
SYS_close = 1029
SYS_getpid = 1041
SYS_brk = 1060
SYS_mmap = 1151
SYS_munmap = 1152
SYS_writev = 1147
SYS_clock_gettime = 1254
SYS_setuid = 1045

	.text
	.global	_start
	.proc	_start
_start:
	alloc	r32 = ar.pfs, 0, 8, 6, 0
	mov	r40 = 1
	movl	r41 = text
	mov	r42 = text_end - text
	syscall	SYS_write
	mov	r40 = 1
	movl	r41 = pieces
	mov	r42 = 2
	syscall	SYS_writev
	movl	r40 = missing
	mov	r41 = 0
	syscall	SYS_open
	movl	r40 = null
	mov	r41 = 1
	syscall	SYS_open
	mov	r40 = r8
	syscall	SYS_close
	mov	r40 = 9
	syscall	SYS_close
	mov	r40 = 0
	movl	r41 = room
	mov	r42 = 64
	syscall	SYS_read
	syscall	SYS_getpid
	mov	r40 = 0
	movl	r41 = 0x10000
	mov	r42 = 3
	mov	r43 = 0x22
	mov	r44 = -1
	mov	r45 = 0
	syscall	SYS_mmap
	mov	r40 = r8
	movl	r41 = 0x10000
	syscall	SYS_munmap
	mov	r40 = 99
	movl	r41 = room
	syscall	SYS_clock_gettime
	mov	r40 = 1
	mov	r41 = 2
	mov	r42 = 3
	mov	r43 = 4
	mov	r44 = 5
	mov	r45 = 6
	syscall	SYS_setuid
	syscall	1500
	exit	7
	.endp	_start

	.section .rodata, "a", "progbits"
text:
	.ascii	"a \"quoted\" line\n"
text_end:
missing:
	.asciz	"/no/such/file"
null:
	.asciz	"/dev/null"
long:
	.ascii	"0123456789abcdefghijklmnopqrstuvwxyz"

	.data
	.balign	8
pieces:
	data8	text, 2, long, 36
room:
	.skip	64
