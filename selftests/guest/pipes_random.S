// SPDX-License-Identifier: GPL-2.0-only
// Random calls of pipes, copies of descriptors, poll, select and waits, by the program and by all
// processes that it makes so. Nothing is expected but an end. The number of arguments is the seed.
	.include "guest.inc"
	.include "draw.inc"

ROUNDS = 400
BYTES = 0x40000

	.text
	.global	_start
	.proc	_start
_start:
	draws	ROUNDS
1:	draw
	movl	r7 = buffer ;;
	// A call; a descriptor; another one, or the buffer; few bytes, or many
	and	r14 = 31, r5
	extr.u	r40 = r5, 5, 4
	extr.u	r41 = r5, 9, 4
	movl	r2 = calls
	extr.u	r42 = r5, 13, 7
	tbit.z	p6, p7 = r5, 20
	tbit.z	p8, p9 = r5, 21
	tbit.z	p10, p11 = r5, 22
	extr.u	r43 = r5, 23, 2
	mov	r44 = 0
	mov	r45 = 0 ;;
	shladd	r2 = r14, 4, r2
	(p7) shl r42 = r42, 11 ;;
	ld8	r15 = [r2], 8 ;;
	ld8	r3 = [r2] ;;
	// 0: numbers; 1: the buffer is second; 2: a process is made; 3: the buffer is first;
	// 4: second and third, and a time that ends is fifth; 5: the buffer and the time
	cmp.eq	p12, p13 = 1, r3
	cmp.eq	p14, p15 = 2, r3 ;;
	(p12) mov r41 = r7 ;;
	(p14) mov r40 = 17
	(p14) mov r41 = 0
	(p14) mov r42 = 0
	cmp.eq	p12, p13 = 4, r3 ;;
	(p12) mov r41 = r7
	(p12) mov r42 = r7
	(p12) mov r43 = 0
	(p12) movl r44 = limit
	cmp.eq	p14, p15 = 5, r3
	cmp.eq	p12, p13 = 3, r3 ;;
	cmp.eq.or p12, p0 = 5, r3 ;;
	(p12) mov r40 = r7
	(p12) extr.u r41 = r5, 9, 3
	(p12) and r42 = 7, r42 ;;
	(p14) movl r42 = limit
	// The descriptors of a poll, of which this is one more
	shladd	r14 = r41, 3, r7
	extr.u	r16 = r5, 24, 3 ;;
	(p12) st4 [r14] = r43, 4 ;;
	(p12) st4 [r14] = r16
	break.i	0x100000 ;;
	add	r6 = -1, r6 ;;
	cmp.ne	p6, p7 = 0, r6 ;;
	(p6) br.cond.sptk 1b ;;
	exit	0
	.endp	_start

	.section .rodata, "a"
	.balign	16
limit:
	data8	0, 1000

	.data
	.balign	16
calls:
	data8	1213, 2			// clone2
	data8	1058, 0, 1058, 0, 1058, 0	// pipe
	data8	1317, 3			// pipe2
	data8	1057, 0			// dup
	data8	1070, 0, 1089, 4	// dup2, select
	data8	1316, 0			// dup3
	data8	1026, 1, 1026, 1, 1026, 1	// read
	data8	1027, 1, 1027, 1, 1027, 1, 1027, 1	// write
	data8	1029, 0, 1029, 0, 1029, 0	// close
	data8	1090, 3, 1295, 5	// poll, ppoll
	data8	1066, 0, 1066, 0	// fcntl
	data8	1126, 0			// wait4
	data8	1270, 0			// waitid
	data8	1053, 0			// kill
	data8	1081, 0			// setsid
	data8	1164, 0			// sched_yield
	data8	1065, 0			// ioctl
	data8	1082, 0			// getsid
	data8	1079, 0, 1080, 0	// getpgid, setpgid

	.bss
	.balign	16
buffer:
	.skip	BYTES
