// SPDX-License-Identifier: GPL-2.0-only
// Random system calls of processes, signals, ptrace and perfmonctl, by the program and by all
// processes that it makes so. Nothing is expected but an end. The number of arguments is the seed.
	.include "guest.inc"
	.include "draw.inc"

ROUNDS = 400

	.text
	.global	_start
	.proc	_start
_start:
	draws	ROUNDS
1:	draw
	movl	r7 = buffer ;;
	and	r14 = 15, r5
	extr.u	r40 = r5, 4, 4
	extr.u	r41 = r5, 8, 6
	movl	r2 = calls
	extr.u	r42 = r5, 14, 7
	extr.u	r43 = r5, 21, 2
	tbit.z	p6, p7 = r5, 23
	tbit.z	p8, p9 = r5, 24
	tbit.z	p10, p11 = r5, 25
	mov	r44 = 0
	mov	r45 = 0 ;;
	shladd	r2 = r14, 3, r2
	(p8) st4 [r7] = r40
	(p10) mov r42 = r7
	cmp.gtu	p12, p13 = 2, r14
	(p7) add r40 = -2, r40 ;;
	ld8	r15 = [r2]
	(p9) st8 [r7] = r0
	// clone: of SIGCHLD, and with the same memory until it ends
	(p12) mov r40 = 17
	(p12) mov r41 = 0
	(p12) mov r42 = 0 ;;
	cmp.eq.and p12, p13 = 1, r14 ;;
	(p12) movl r40 = 0x4111 ;;
	break.i	0x100000 ;;
	add	r6 = -1, r6 ;;
	cmp.ne	p6, p7 = 0, r6 ;;
	(p6) br.cond.sptk 1b ;;
	exit	0
	.endp	_start

	.data
	.balign	16
calls:
	data8	1213, 1213			// clone2
	data8	1126				// wait4
	data8	1048, 1048			// ptrace
	data8	1053				// kill
	data8	1229				// tkill
	data8	1175, 1175, 1175		// perfmonctl
	data8	1164				// sched_yield
	data8	1066				// fcntl
	data8	1029				// close
	data8	1033				// execve
	data8	1118				// setitimer
	data8	1105				// gettid
buffer:
	.skip	4096
