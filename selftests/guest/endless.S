// SPDX-License-Identifier: GPL-2.0-only
// Never ends. Says "going"; then, without an argument, counts in three
// instructions, one of them a nop, else reads standard input until something
// comes.
	.include "guest.inc"

	.text
	.global	_start
	.proc	_start
_start:
	alloc	r32 = ar.pfs, 0, 8, 3, 0
	adds	r14 = 16, sp ;;
	ld8	r33 = [r14]			// argc
	mov	r40 = 1
	movl	r41 = going
	mov	r42 = going_end - going
	syscall	SYS_write
	cmp.lt	p6, p7 = 1, r33 ;;
(p6)	br.cond.spnt wait
count:	{ .mib
	adds	r34 = 1, r34
	nop.i	0
	br.sptk	count ;;
	}
wait:
	mov	r40 = 0
	movl	r41 = buffer
	mov	r42 = 1
	syscall	SYS_read
	br.sptk	wait ;;
	.endp	_start

	.section .rodata, "a", "progbits"
going:
	.ascii	"going\n"
going_end:
	.section .bss, "aw", "nobits"
buffer:
	.skip	8
