// SPDX-License-Identifier: GPL-2.0-only
// Says "going", reads a byte of standard input, then 1000 rounds of a load, and ends: what comes
// behind the read is counted and sampled by who attaches to it meanwhile.
	.include "guest.inc"

ROUNDS = 1000

	.text
	.global	_start
	.proc	_start
_start:
	alloc	r32 = ar.pfs, 0, 8, 3, 0
	mov	r40 = 1
	movl	r41 = going
	mov	r42 = going_end - going
	syscall	SYS_write
	mov	r40 = 0
	movl	r41 = buffer
	mov	r42 = 1
	syscall	SYS_read
	br.sptk	work ;;
	.endp	_start

	.global	work
	.proc	work
work:
	mov	r14 = ROUNDS - 1
	movl	r15 = buffer ;;
	mov.i	ar.lc = r14 ;;
1:	{ .mib
	ld8	r16 = [r15]
	nop.i	0
	br.cloop.sptk.few 1b ;;
	}
	exit	0
	.endp	work

	.section .rodata, "a", "progbits"
going:
	.ascii	"going\n"
going_end:
	.section .bss, "aw", "nobits"
	.balign	8
buffer:
	.skip	8
