// SPDX-License-Identifier: GPL-2.0-only
// A program whose processes run loops of their own, side by side: the first one first(), its child
// second(), and third() of the program that is the argument, which is a copy of this one.
	.include "guest.inc"

SYS_execve = 1033
SYS_wait4 = 1126
SYS_clone2 = 1213

	// Three instructions each round
	.macro	loop name, rounds
	.proc	\name
\name:
	movl	r14 = \rounds - 1 ;;
	mov.i	ar.lc = r14 ;;
	.balign	16
1:	{ .mib
	nop.m	0
	nop.i	0
	br.cloop.sptk.few 1b ;;
	}
	br.ret.sptk.many b0 ;;
	.endp	\name
	.endm

	.text
	.global	_start
	.proc	_start
_start:
	alloc	r32 = ar.pfs, 0, 8, 6, 0
	add	r2 = 16, r12
	add	r3 = 32, r12 ;;
	ld8	r36 = [r2]			// argc
	ld8	r37 = [r3] ;;			// argv[1]
	cmp.eq	p6, p7 = 3, r36 ;;
	(p6) br.cond.sptk 2f ;;
	mov	r40 = 17			// SIGCHLD
	mov	r41 = 0
	mov	r42 = 0 ;;
	syscall	SYS_clone2
	cmp.eq	p6, p7 = 0, r8 ;;
	(p6) br.cond.sptk 1f ;;
	br.call.sptk.many b0 = first ;;
	mov	r40 = -1
	mov	r41 = 0
	mov	r42 = 0
	mov	r43 = 0 ;;
	syscall	SYS_wait4
	exit	7
1:	br.call.sptk.many b0 = second ;;
	movl	r41 = vector ;;
	st8	[r41] = r37
	mov	r40 = r37
	mov	r42 = 0 ;;
	syscall	SYS_execve
	exit	1
2:	br.call.sptk.many b0 = third ;;
	exit	0
	.endp	_start

	loop	first, 3000
	loop	second, 2000
	loop	third, 1000

	.data
	.balign	8
vector:
	data8	0, more, more, 0
more:
	stringz	"x"
