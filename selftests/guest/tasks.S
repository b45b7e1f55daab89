// SPDX-License-Identifier: GPL-2.0-only
// perfmonctl for other processes: a program from its first instruction to its end, one that runs
// already, sets of events in turn, samples, all processes. Each part ends with the number of what
// did not hold, or the next begins; 7 says that all did. With an argument: the program that is
// measured.
	.include "guest.inc"
	.include "check.inc"
	.include "perfmon.inc"

SYS_execve = 1033
SYS_getpid = 1041
SYS_ptrace = 1048
SYS_wait4 = 1126
SYS_munmap = 1152
SYS_nanosleep = 1168
SYS_clone2 = 1213

FD = 3
PID = 2
FIRST = 2		// loads of a program before its loop
N = 1000		// rounds of the loop: six instructions, of which a load and a store
SET = 100		// rounds of a set of events
ATTACH = 16
DETACH = 17

STORES = 0xd108		// STORES_RETIRED, plm 3

	.macro	ptrace request, status
	mov	r40 = \request
	mov	r41 = r34
	mov	r42 = 0
	mov	r43 = 0 ;;
	syscall	SYS_ptrace
	cmp.eq	p6, p7 = 0, r8 ;;
	must	p6, \status
	.endm

	// A child goes on at \child; its number is in r34 and target.
	.macro	fork child
	mov	r40 = 17
	mov	r41 = 0 ;;
	syscall	SYS_clone2
	cmp.eq	p6, p7 = 0, r8
	mov	r34 = r8
	movl	r2 = target ;;
	(p6) br.cond.sptk \child ;;
	st4	[r2] = r8 ;;
	.endm

	// The child has ended, or stopped, with \value.
	.macro	ended value, status
	mov	r40 = r34
	movl	r41 = word
	mov	r42 = 0
	mov	r43 = 0 ;;
	syscall	SYS_wait4
	cmp.eq	p6, p7 = r8, r34 ;;
	must	p6, \status
	holds	word, \value, \status
	.endm

	// A context with no count yet
	.macro	create name, status
	put	\name + 28, 0
	put	counts + 8, 0
	put	counts + 160 + 8, 0
	good	CREATE, \name, 1, \status
	good	WRITE_IBRS, range, 2, \status
	.endm

	.macro	closed
	mov	r40 = FD ;;
	syscall	SYS_close
	.endm

	// The loop. No call: its return would have the RSE load what a switch has put into memory.
	.macro	rounds_of_loop
	movl	r14 = 77f ;;
	mov	b0 = r14
	br.sptk.many run ;;
77:
	.endm

	// Read a message, whose type is \type.
	.macro	message type, status
	mov	r40 = FD
	movl	r41 = msg
	mov	r42 = 56 ;;
	syscall	SYS_read
	movl	r2 = msg ;;
	ld4	r3 = [r2] ;;
	cmp.eq	p6, p7 = \type, r3 ;;
	must	p6, \status
	.endm

	.text
	.global	_start
	.proc	_start
_start:
	alloc	r32 = ar.pfs, 0, 8, 6, 0
	add	r2 = 16, r12 ;;
	ld8	r36 = [r2], 8 ;;
	ld8	r38 = [r2]			// the path of this program
	cmp.eq	p6, p7 = 2, r36 ;;
	(p6) br.cond.sptk program
	movl	r2 = vector ;;
	st8	[r2] = r38 ;;

	// Part 1: a program, from its first instruction to its end
	fork	begins
	fails	9, LOAD, target, 1, 1		// no context yet
	ended	5 << 8 | 0x7f, 2		// its SIGTRAP, behind execve
	create	plain, 3
	good	WRITE_PMCS, ranged, 5, 4
	good	WRITE_PMDS, counts, 2, 5
	good	LOAD, target, 1, 6
	fails	16, LOAD, target, 1, 7
	good	START, 0, 0, 8
	good	READ_PMDS, counts, 2, 9		// it is stopped
	holds	counts + 8, 0, 10
	ptrace	DETACH, 11
	fails	16, READ_PMDS, counts, 2, 12	// it is not
	fails	16, STOP, 0, 0, 13
	message	2, 14				// PFM_MSG_END
	ended	0, 15
	good	READ_PMDS, counts, 2, 16
	holds	counts + 8, 6 * N, 17
	holds	counts + 160 + 8, N + FIRST, 18
	fails	3, LOAD, target, 1, 19		// it is gone
	closed

	// Part 2: one that runs already, and sleeps now
	fork	sleeps
	put	time + 8, 100000
	movl	r40 = time
	mov	r41 = 0 ;;
	syscall	SYS_nanosleep
	create	plain, 20
	good	WRITE_PMCS, ranged, 5, 21
	good	WRITE_PMDS, counts, 2, 22
	fails	3, LOAD, target, 1, 23		// it has not been stopped
	ptrace	ATTACH, 24
	ended	19 << 8 | 0x7f, 25
	good	LOAD, target, 1, 26
	good	START, 0, 0, 27
	ptrace	DETACH, 28
	ended	0, 29				// it sleeps on, and runs
	good	READ_PMDS, counts, 2, 30
	holds	counts + 8, 6 * N, 31
	holds	counts + 160 + 8, N, 32
	closed

	// Part 3: loads and stores in turn, each for SET rounds, at whose end the program waits
	fork	begins
	ended	5 << 8 | 0x7f, 40
	create	blocking, 41
	good	WRITE_PMCS, ranged, 5, 42
	good	WRITE_PMCS, rounds, 1, 43
	good	WRITE_PMDS, turns, 1, 44
	good	WRITE_PMDS, counts + 160, 1, 45
	good	LOAD, target, 1, 46
	good	START, 0, 0, 47
	ptrace	DETACH, 48
	mov	r35 = 0				// number of turns
	mov	r36 = 0				// loads
	mov	r37 = 0 ;;			// stores
1:	mov	r40 = FD
	movl	r41 = msg
	mov	r42 = 56 ;;
	syscall	SYS_read
	movl	r2 = msg ;;
	ld4	r3 = [r2] ;;
	cmp.eq	p6, p7 = 2, r3 ;;
	(p6) br.cond.sptk 2f ;;
	good	READ_PMDS, counts + 160, 1, 49
	movl	r2 = counts + 160 + 8 ;;
	ld8	r3 = [r2]
	tbit.z	p8, p9 = r35, 0 ;;
	st8	[r2] = r0
	(p8) add r36 = r36, r3
	(p9) add r37 = r37, r3
	movl	r2 = either
	movl	r14 = STORES
	movl	r16 = LOADS ;;
	add	r35 = 1, r35
	add	r2 = 8, r2
	(p9) mov r14 = r16 ;;
	st8	[r2] = r14 ;;
	good	WRITE_PMCS, either, 1, 50
	good	WRITE_PMDS, counts + 160, 1, 51
	good	RESTART, 0, 0, 52
	br	1b ;;
2:	ended	0, 53
	mov	r14 = N / SET
	mov	r16 = N / 2
	mov	r17 = N / 2 + FIRST ;;
	cmp.eq	p6, p7 = r35, r14
	cmp.eq	p8, p9 = r36, r17
	cmp.eq	p10, p11 = r37, r16 ;;
	must	p6, 54
	must	p8, 55
	must	p10, 56
	closed

	// Part 4: samples of another process
	fork	begins
	ended	5 << 8 | 0x7f, 60
	create	format, 61
	movl	r2 = format + 32 ;;
	ld8	r5 = [r2] ;;			// the buffer
	good	WRITE_PMCS, sampled, 1, 62
	good	WRITE_PMDS, samples, 1, 63
	good	LOAD, target, 1, 64
	good	START, 0, 0, 65
	ptrace	DETACH, 66
	ended	0, 67
	ld8	r3 = [r5]
	mov	r14 = (N + FIRST) / SET ;;
	cmp.eq	p6, p7 = r3, r14 ;;
	must	p6, 68
	add	r2 = 128, r5 ;;
	ld4	r3 = [r2], 16 ;;		// whose
	cmp.eq	p6, p7 = r3, r34
	ld8	r3 = [r2] ;;			// and where
	must	p6, 69
	movl	r14 = loop ;;
	xor	r3 = r3, r14 ;;
	shr.u	r3 = r3, 5 ;;
	cmp.eq	p6, p7 = 0, r3 ;;
	must	p6, 70
	closed

	// Part 5: a child has nothing of what its parent measures itself with
	create	plain, 80
	good	WRITE_PMCS, ranged, 5, 81
	good	WRITE_PMDS, counts, 2, 82
	good	LOAD, self, 1, 83
	sum	4 ;;
	fork	runs
	ended	0, 84
	fork	begins				// PSR.up is not the parent's, also behind execve
	ended	5 << 8 | 0x7f, 87
FD = 4
	create	second, 88
	good	WRITE_PMCS, ranged, 5, 89
	good	WRITE_PMDS, counts, 2, 89
	good	LOAD, target, 1, 89
	ptrace	DETACH, 89
	ended	0, 89
	good	READ_PMDS, counts, 2, 89
	holds	counts + 8, 0, 89
	closed
FD = 3
	rounds_of_loop
	rum	4 ;;
	good	READ_PMDS, counts, 2, 85
	holds	counts + 8, 6 * N, 86
	closed

	// Part 6: all processes
	create	wide, 90
	good	WRITE_PMCS, privileged, 4, 91
	good	WRITE_PMDS, counts, 1, 92
	good	LOAD, self, 1, 93
	fork	works
	ended	0, 94				// not started yet
	good	START, 0, 0, 95
	fork	works
	ended	0, 96
	rounds_of_loop
	good	STOP, 0, 0, 97
	fork	works
	ended	0, 98
	good	READ_PMDS, counts, 1, 99
	holds	counts + 8, 2 * 6 * N, 100
	closed

	// Part 7: a buffer that is not there any more is full; a context that nothing closes
	create	format, 110
	movl	r2 = format + 32 ;;
	ld8	r40 = [r2]
	movl	r41 = 1 << 16 ;;		// a page of any size
	syscall	SYS_munmap
	good	WRITE_PMCS, sampled, 1, 111
	good	WRITE_PMDS, samples, 1, 112
	good	LOAD, self, 1, 113
	sum	4 ;;
	rounds_of_loop
	good	RESTART, 0, 0, 114
	rounds_of_loop
	rum	4 ;;
	mov	r40 = 0				// PTRACE_TRACEME: there is no parent
	mov	r41 = 0 ;;
	syscall	SYS_ptrace
	cmp.eq	p6, p7 = 1, r8 ;;		// EPERM
	must	p6, 115
	exit	7
	.endp	_start

	// ---- children ----

begins:
	mov	r40 = 0				// PTRACE_TRACEME
	mov	r41 = 0 ;;
	syscall	SYS_ptrace
	mov	r40 = r38
	movl	r41 = vector
	mov	r42 = 0 ;;
	syscall	SYS_execve
	exit	120

sleeps:
	put	time + 8, 1000000
	movl	r40 = time
	mov	r41 = 0 ;;
	syscall	SYS_nanosleep
	cmp.eq	p6, p7 = 0, r8 ;;
	must	p6, 121
works:
	rounds_of_loop
	exit	0

	// The context of the parent is not loaded on this one, and cannot be read now.
runs:
	sum	4 ;;
	fails	16, READ_PMDS, counts, 2, 122
	br	works

program:
	rounds_of_loop
	exit	0

	.balign	64
	.proc	run
run:
	mov	r14 = N - 1 ;;
	mov.i	ar.lc = r14
	movl	r16 = data
	movl	r17 = other ;;
	br.sptk	loop ;;
	.balign	64
loop:	{ .mmi
	ld8	r18 = [r16]
	st8	[r17] = r0
	nop.i	0
	}
	{ .mib
	nop.m	0
	nop.i	0
	br.cloop.sptk.few loop ;;
	}
	br.sptk.many b0 ;;
	.endp	run

	.data
	.balign	16
data:
	data8	0
other:
	data8	0
word:
	data8	0
time:
	data8	0, 0
msg:
	.skip	56
vector:
	data8	0, argument, 0
self:
	data8	PID, 0, 0, 0
target:
	data8	0, 0, 0, 0

plain:
	context	0
second:
	context	0
wide:
	context	2
blocking:
	context	1
format:
	context	0, 2048, UUID0, UUID1

range:
	data8	0, loop, 0, 0
	data8	1, 0x08ffffffffffffe0, 0, 0
ranged:
	reg	4, INSTS
	reg	5, LOADS
	reg	41, 0x1e00018181818
	reg	32, 0x00f01ffffffffff
	reg	38, 0xdb4
counts:
	reg	4, 0
	reg	5, 0
rounds:
	reg	4, INSTS, NOTIFY
turns:
	reg	4, -6 * SET, 0, -6 * SET
either:
	reg	5, LOADS
sampled:
	reg	5, LOADS
samples:
	reg	5, -SET, 0, -SET
privileged:
	reg	4, INSTS | 1 << 6
	reg	41, 0x1e00018181818
	reg	32, 0x00f01ffffffffff
	reg	38, 0xdb4
argument:
	stringz	"x"
