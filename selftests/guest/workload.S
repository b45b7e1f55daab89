// SPDX-License-Identifier: GPL-2.0-only
// Something to profile: 2000 rounds of three functions of very different
// weight. mix (60 steps of a xorshift generator) is hot, gather (16 table
// reads) warm, scatter (4 table writes) cold. Prints a checksum.
	.include "guest.inc"

ROUNDS = 2000

	.text
	.global	_start
	.proc	_start
_start:
	alloc	r32 = ar.pfs, 0, 8, 3, 0
	movl	r33 = table
	movl	r34 = 0x2545f4914f6cdd1d		// x
	mov	r35 = 0					// sum
	mov	r36 = ROUNDS ;;
	br.call.sptk.many b1 = init ;;
round:
	mov	r40 = r34
	br.call.sptk.many b1 = mix ;;
	mov	r34 = r8
	mov	r40 = r33
	mov	r41 = r8
	mov	r42 = r35
	br.call.sptk.many b1 = gather ;;
	mov	r35 = r8
	mov	r40 = r33
	mov	r41 = r34
	mov	r42 = r8
	br.call.sptk.many b1 = scatter ;;
	adds	r36 = -1, r36 ;;
	cmp.ne	p6, p7 = 0, r36
(p6)	br.cond.dptk.few round ;;
	mov	r40 = r35
	br.call.sptk.many b1 = print ;;
	mov	r40 = 1
	movl	r41 = line
	mov	r42 = line_end - line
	syscall	SYS_write
	exit	0
	.endp	_start

	.proc	init					// table[i] = i
init:
	mov	r16 = 63
	mov	r14 = 0
	movl	r17 = table ;;
	mov.i	ar.lc = r16 ;;
1:	st8	[r17] = r14, 8
	adds	r14 = 1, r14
	br.cloop.sptk.few 1b ;;
	br.ret.sptk.many b1 ;;
	.endp	init

	.proc	mix					// x, 60 times on
mix:
	alloc	r33 = ar.pfs, 1, 1, 0, 0
	mov	r14 = 59 ;;
	mov.i	ar.lc = r14 ;;
1:	shl	r14 = r32, 13 ;;
	xor	r32 = r32, r14 ;;
	shr.u	r14 = r32, 7 ;;
	xor	r32 = r32, r14 ;;
	shl	r14 = r32, 17 ;;
	xor	r32 = r32, r14
	br.cloop.sptk.few 1b ;;
	mov	r8 = r32
	mov.i	ar.pfs = r33 ;;
	br.ret.sptk.many b1 ;;
	.endp	mix

	.proc	gather					// table, x, sum
gather:
	alloc	r35 = ar.pfs, 3, 1, 0, 0
	mov	r14 = 15 ;;
	mov.i	ar.lc = r14 ;;
1:	extr.u	r14 = r33, 0, 6 ;;
	shladd	r14 = r14, 3, r32 ;;
	ld8	r15 = [r14]
	shr.u	r33 = r33, 1 ;;
	add	r34 = r34, r15
	br.cloop.sptk.few 1b ;;
	mov	r8 = r34
	mov.i	ar.pfs = r35 ;;
	br.ret.sptk.many b1 ;;
	.endp	gather

	.proc	scatter					// table, x, value
scatter:
	alloc	r35 = ar.pfs, 3, 1, 0, 0
	mov	r14 = 3 ;;
	mov.i	ar.lc = r14 ;;
1:	extr.u	r14 = r33, 0, 6 ;;
	shladd	r14 = r14, 3, r32
	shr.u	r33 = r33, 6 ;;
	st8	[r14] = r34
	adds	r34 = 1, r34
	br.cloop.sptk.few 1b ;;
	mov.i	ar.pfs = r35 ;;
	br.ret.sptk.many b1 ;;
	.endp	scatter

	.proc	print					// 16 hexadecimal digits into line
print:
	alloc	r33 = ar.pfs, 1, 1, 0, 0
	mov	r14 = 15
	movl	r15 = digits
	movl	r16 = line + 9 ;;
	mov.i	ar.lc = r14 ;;
1:	shr.u	r14 = r32, 60
	shl	r32 = r32, 4 ;;
	add	r14 = r14, r15 ;;
	ld1	r14 = [r14] ;;
	st1	[r16] = r14, 1
	br.cloop.sptk.few 1b ;;
	mov.i	ar.pfs = r33 ;;
	br.ret.sptk.many b1 ;;
	.endp	print

	.section .rodata, "a", "progbits"
digits:
	.ascii	"0123456789abcdef"

	.data
line:
	.ascii	"checksum 0000000000000000\n"
line_end:
	.bss
	.balign	64
table:
	.skip	64 * 8
