// SPDX-License-Identifier: GPL-2.0-only
// Processes of one program. Each part ends with the number of what did not hold, or the next
// begins; 7 says that all did. Arguments, by their number: 1 is the program that execve begins,
// 2 forks until it may not, 3 waits for ever behind a fork.
	.include "guest.inc"
	.include "check.inc"
	.include "call.inc"

SYS_open = 1028
SYS_execve = 1033
SYS_getpid = 1041
SYS_getppid = 1042
SYS_ptrace = 1048
SYS_kill = 1053
SYS_wait4 = 1126
SYS_mmap = 1151
SYS_yield = 1164
SYS_sigaction = 1177
SYS_sigprocmask = 1179
SYS_sigsuspend = 1182
SYS_clone2 = 1213

SIGCHLD = 17
NOHANG = 1
UNTRACED = 2
TRACEME = 0
PEEKDATA = 2
POKEDATA = 5
CONT = 7
KILL = 8
ATTACH = 16
DETACH = 17
DEPTH = 200
MOST = 1024		// MAX_PROCESSES of the library

	// A child goes on at \child; its number is in r34 of the parent.
	.macro	fork child, flags=SIGCHLD
	movl	r40 = \flags
	mov	r41 = 0
	mov	r42 = 0 ;;
	syscall	SYS_clone2
	cmp.eq	p6, p7 = 0, r8
	mov	r34 = r8 ;;
	(p6) br.cond.sptk \child ;;
	.endm

	// wait4 for the child in \pid; its status is in the lower half of word.
	.macro	wait pid=r34, options=0
	put	word, 0
	mov	r40 = \pid
	movl	r41 = word
	mov	r42 = \options
	mov	r43 = 0 ;;
	syscall	SYS_wait4
	.endm

	// The child in r34 has ended, or stopped, with \value.
	.macro	ended value, status, options=0
	wait	r34, \options
	cmp.eq	p6, p7 = r8, r34 ;;
	must	p6, \status
	holds	word, \value, \status
	.endm

	.macro	kill pid, sig
	mov	r40 = \pid
	mov	r41 = \sig ;;
	syscall	SYS_kill
	.endm

	.macro	ptrace request, pid=r34, addr=0, data=0
	mov	r40 = \request
	mov	r41 = \pid
	movl	r42 = \addr
	movl	r43 = \data ;;
	syscall	SYS_ptrace
	.endm

	// SIGCHLD is handled as act says.
	.macro	handled
	mov	r40 = SIGCHLD
	movl	r41 = act
	mov	r42 = 0
	mov	r43 = 8 ;;
	syscall	SYS_sigaction
	gives	0, 47
	.endm

	// Wait for a signal
	.macro	pause
	movl	r40 = none
	mov	r41 = 8 ;;
	syscall	SYS_sigsuspend
	.endm

	.text
	.global	_start
	.proc	_start
_start:
	mov	r4 = r15			// registers that execve leaves: nothing
	alloc	r32 = ar.pfs, 0, 8, 6, 0 ;;
	add	r2 = 16, r12 ;;
	ld8	r36 = [r2], 8 ;;		// argc
	mov	r37 = r2			// argv
	ld8	r38 = [r2] ;;			// the path of this program
	cmp.eq	p8, p9 = 2, r36
	cmp.eq	p10, p11 = 3, r36
	cmp.eq	p12, p13 = 4, r36 ;;
	(p8) br.cond.sptk begun
	(p10) br.cond.sptk bomb
	(p12) br.cond.sptk forever ;;

	// Part 1: nothing to wait for; a child with memory and registers of its own
	wait	r0
	fails	10, 1				// ECHILD
	mov	r40 = -1
	movl	r42 = 0x100 ;;
	syscall	SYS_wait4
	fails	22, 2				// no such option
	mov	r5 = 55
	put	own, 1
	movl	r6 = DEPTH
	movl	r7 = 0 ;;
	br.call.sptk.many b0 = deep ;;		// fork below DEPTH frames
	gives	DEPTH * (DEPTH + 1) / 2, 3	// the way back is whole, of both
	cmp.eq	p6, p7 = 0, r7
	mov	r34 = r7 ;;
	(p6) br.cond.sptk stores ;;
	ended	5 << 8, 4
	holds	own, 1, 5			// the child's store is not ours
	wait	-1
	fails	10, 6

	// Part 2: a store of the parent is not the child's; a mapping of 2 GB has three pages
	mov	r40 = 0
	movl	r41 = 1 << 31
	mov	r42 = 3
	mov	r43 = 0x22			// MAP_PRIVATE, MAP_ANONYMOUS
	mov	r44 = -1
	mov	r45 = 0 ;;
	syscall	SYS_mmap
	cmp.eq	p6, p7 = 0, r10 ;;
	must	p6, 10
	mov	r35 = r8
	movl	r14 = 1 << 30
	movl	r16 = (1 << 31) - 8
	mov	r3 = 33 ;;
	add	r14 = r14, r8
	add	r16 = r16, r8 ;;
	st8	[r8] = r3
	st8	[r14] = r3
	st8	[r16] = r3 ;;
	fork	sparse
	mov	r3 = 44 ;;
	st8	[r35] = r3 ;;
	wait	r34, NOHANG			// it has not run yet, or is done
	cmp.eq	p6, p7 = 0, r8 ;;
	(p7) br.cond.sptk 1f ;;
	ended	33 << 8, 11
1:	ld8	r3 = [r35] ;;
	cmp.eq	p6, p7 = 44, r3 ;;
	must	p6, 12

	// Part 3: ends by signals
	fork	faults
	ended	11, 20				// SIGSEGV
	fork	pauses
	kill	r34, 15
	gives	0, 21
	ended	15, 22
	kill	r34, 0				// it is gone
	fails	3, 23

	// Part 4: stopped, and going on
	fork	stops
	ended	19 << 8 | 0x7f, 30, UNTRACED
	wait	r34, NOHANG | UNTRACED		// told once
	gives	0, 31
	kill	r34, 18				// SIGCONT
	ended	6 << 8, 32

	// Part 5: SIGCHLD, with who and how; a child of one that ignores it leaves nothing
	handled
	mov	r40 = 0				// SIG_BLOCK: it comes when it is waited for
	movl	r41 = chld
	mov	r42 = 0
	mov	r43 = 8 ;;
	syscall	SYS_sigprocmask
	fork	exits
	pause
	fails	4, 40				// EINTR
	movl	r2 = info ;;
	ld4	r3 = [r2], 8 ;;
	cmp.eq	p6, p7 = SIGCHLD, r3
	ld4	r3 = [r2], 8 ;;
	must	p6, 41
	cmp.eq	p6, p7 = 1, r3			// CLD_EXITED
	ld4	r3 = [r2], 8 ;;
	must	p6, 42
	cmp.eq	p6, p7 = r34, r3
	ld4	r3 = [r2] ;;
	must	p6, 43
	cmp.eq	p6, p7 = 8, r3 ;;
	must	p6, 44
	ended	8 << 8, 45
	put	act, 1				// SIG_IGN
	handled
	fork	exits
	wait	r34
	fails	10, 46
	put	act, 0
	handled

	// Part 6: an orphan has parent 1
	fork	leaves
	ended	0, 50

	// Part 7: memory that is shared until the child ends
	put	own, 2
	fork	shares, 0x4111			// CLONE_VM, CLONE_VFORK
	holds	own, 9, 60
	ended	9 << 8, 61

	// Part 8: another program, and what is none
	movl	r2 = vector ;;
	st8	[r2] = r38 ;;
	movl	r40 = nowhere
	movl	r41 = vector
	mov	r42 = 0 ;;
	syscall	SYS_execve
	fails	2, 70
	movl	r40 = shell ;;
	syscall	SYS_execve
	fails	8, 71				// ENOEXEC
	movl	r40 = zero ;;
	syscall	SYS_execve
	fails	13, 72				// EACCES
	mov	r40 = 16 ;;
	syscall	SYS_execve
	fails	14, 73
	mov	r40 = r38
	mov	r41 = 16 ;;
	syscall	SYS_execve
	fails	14, 74
	fork	begins
	ended	42 << 8, 75

	// Part 9: ptrace
	ptrace	CONT, r34
	fails	3, 80
	fork	traced
	ended	5 << 8 | 0x7f, 81		// its SIGTRAP, behind execve
	ptrace	CONT, r34, 0, 0
	gives	0, 82
	ended	42 << 8, 83
	fork	pokes
	ended	10 << 8 | 0x7f, 84		// SIGUSR1
	ptrace	PEEKDATA, r34, own
	gives	2, 85
	ptrace	PEEKDATA, r34, 16
	fails	5, 86				// EIO
	ptrace	POKEDATA, r34, own, 77
	gives	0, 87
	holds	own, 9, 88			// not ours
	ptrace	ATTACH, r34
	fails	1, 89				// EPERM
	ptrace	CONT, r34, 0, 0			// without the signal
	ended	77 << 8, 90
	fork	pauses
	ptrace	PEEKDATA, r34, own
	fails	3, 91
	ptrace	ATTACH, r34
	gives	0, 92
	ended	19 << 8 | 0x7f, 93
	ptrace	PEEKDATA, r34, minus		// a word that looks like an errno
	cmp.eq	p6, p7 = -5, r8
	cmp.eq	p8, p9 = 0, r10 ;;
	must	p6, 94
	must	p8, 95
	ptrace	DETACH, r34, 0, 0
	gives	0, 96
	ptrace	CONT, r34
	fails	3, 97
	wait	r34, NOHANG | UNTRACED
	gives	0, 98
	ptrace	ATTACH, r34
	ended	19 << 8 | 0x7f, 99
	ptrace	KILL, r34
	ended	9, 100

	// Part 10: time that a child ran: two million rounds of a bundle, 1250 us or more
	fork	rounds
	mov	r40 = r34
	movl	r41 = word
	mov	r42 = 0
	movl	r43 = usage ;;
	syscall	SYS_wait4
	holds	usage, 0, 110
	movl	r2 = usage + 8 ;;
	ld8	r3 = [r2]
	movl	r14 = 1250
	movl	r16 = 10000 ;;
	cmp.geu	p6, p7 = r3, r14
	cmp.ltu	p8, p9 = r3, r16 ;;
	must	p6, 111
	must	p8, 112
	exit	7
	.endp	_start

	// Forks below r6 frames: r7 is the child's number, r8 the sum of the frames in both.
	.proc	deep
deep:
	alloc	r32 = ar.pfs, 0, 4, 6, 0
	mov	r33 = b0
	mov	r34 = r6 ;;
	cmp.eq	p6, p7 = 0, r6
	add	r6 = -1, r6 ;;
	(p6) br.cond.sptk 1f ;;
	br.call.sptk.many b0 = deep ;;
	add	r8 = r8, r34
	mov	b0 = r33
	mov	ar.pfs = r32 ;;
	br.ret.sptk.many b0 ;;
1:	mov	r36 = SIGCHLD
	mov	r37 = 0 ;;
	syscall	SYS_clone2
	mov	r7 = r8
	mov	r8 = 0
	mov	b0 = r33
	mov	ar.pfs = r32 ;;
	br.ret.sptk.many b0 ;;
	.endp	deep

	// ---- children ----

stores:
	put	own, 5
	exit	5

sparse:
	ld8	r3 = [r35]			// not what the parent has stored since
	movl	r14 = 1 << 30 ;;
	add	r14 = r14, r35
	cmp.eq	p6, p7 = 33, r3 ;;
	must	p6, 13
	st8	[r14] = r0 ;;
	mov	r40 = r3 ;;
	syscall	SYS_exit

faults:
	ld8	r3 = [r0] ;;
	exit	1

pauses:
	pause
	br	pauses

stops:
	syscall	SYS_getpid
	kill	r8, 19
	exit	6

exits:
	exit	8

	// The grandchild waits until its parent has ended.
leaves:
	fork	1f
	exit	0
1:	syscall	SYS_yield
	syscall	SYS_getppid
	cmp.eq	p6, p7 = 1, r8 ;;
	(p7) br.cond.sptk 1b ;;
	mov	r40 = 1
	movl	r41 = orphan
	mov	r42 = 7 ;;
	syscall	SYS_write
	exit	0

shares:
	put	own, 9
	exit	9

	// Descriptor 3 is closed by execve, and 4 is not.
begins:
	movl	r40 = zero
	movl	r41 = 02000000			// O_CLOEXEC
	mov	r42 = 0 ;;
	syscall	SYS_open
	gives	3, 76
	movl	r40 = zero
	mov	r41 = 0 ;;
	syscall	SYS_open
	gives	4, 77
again:
	mov	r40 = r38
	movl	r41 = vector
	movl	r42 = environment ;;
	syscall	SYS_execve
	exit	78

traced:
	ptrace	TRACEME, r0
	gives	0, 120
	movl	r40 = zero
	movl	r41 = 02000000
	mov	r42 = 0 ;;
	syscall	SYS_open
	movl	r40 = zero
	mov	r41 = 0 ;;
	syscall	SYS_open
	br	again

pokes:
	put	own, 2
	ptrace	TRACEME, r0
	ptrace	TRACEME, r0
	fails	1, 121
	syscall	SYS_getpid
	kill	r8, 10
	movl	r2 = own ;;
	ld8	r40 = [r2] ;;
	syscall	SYS_exit

rounds:
	movl	r14 = 2000000 - 1 ;;
	mov.i	ar.lc = r14 ;;
	.balign	16
1:	{ .mib
	nop.m	0
	nop.i	0
	br.cloop.sptk.few 1b ;;
	}
	exit	0

	// ---- the program that execve begins ----
begun:
	cmp.eq	p6, p7 = 0, r4 ;;		// r15 of its beginning
	must	p6, 130
	cmp.eq	p6, p7 = 0, r5 ;;		// of the other program
	must	p6, 131
	add	r2 = 8, r37 ;;
	ld8	r3 = [r2] ;;			// argv[1]
	ld1	r14 = [r3] ;;
	cmp.eq	p6, p7 = 'x', r14 ;;
	must	p6, 132
	add	r2 = 24, r37 ;;
	ld8	r3 = [r2] ;;			// environ[0]
	ld1	r14 = [r3] ;;
	cmp.eq	p6, p7 = 'A', r14 ;;
	must	p6, 133
	holds	own, 0, 134			// fresh data
	mov	r40 = 3
	movl	r41 = word
	mov	r42 = 8 ;;
	syscall	SYS_read
	fails	9, 135				// EBADF
	mov	r40 = 4
	movl	r41 = word
	mov	r42 = 8 ;;
	syscall	SYS_read
	gives	8, 136
	exit	42

	// ---- a bomb: children until there are as many as there may be, and their ends ----
bomb:
	mov	r35 = 1 ;;
1:	fork	pauses
	cmp.eq	p6, p7 = 0, r10 ;;
	(p6) add r35 = 1, r35
	(p6) br.cond.sptk 1b ;;
	fails	11, 140				// EAGAIN
	movl	r14 = MOST ;;
	cmp.eq	p6, p7 = r14, r35 ;;
	must	p6, 141
	kill	-1, 9
	gives	0, 142
2:	wait	-1
	cmp.eq	p6, p7 = 0, r10
	cmp.eq	p8, p9 = 10, r8 ;;
	(p6) add r35 = -1, r35
	(p6) br.cond.sptk 2b ;;
	must	p8, 143
	cmp.eq	p6, p7 = 1, r35 ;;
	must	p6, 144
	exit	7

	// ---- a child that never ends ----
forever:
	fork	1f
	wait	-1
1:	br	1b

	// SIGCHLD: keep what it says
	.proc	child_died
child_died:
	alloc	r35 = ar.pfs, 3, 5, 4, 0
	movl	r2 = info
	mov	r14 = r33 ;;
	ld8	r3 = [r14], 8 ;;
	st8	[r2] = r3, 8
	ld8	r3 = [r14], 8 ;;
	st8	[r2] = r3, 8
	ld8	r3 = [r14], 8 ;;
	st8	[r2] = r3, 8
	ld8	r3 = [r14] ;;
	st8	[r2] = r3
	mov	ar.pfs = r35 ;;
	br.ret.sptk.many b0 ;;
	.endp	child_died

	.data
	.balign	16
act:
	data8	plabel, 4, 0			// SA_SIGINFO
plabel:
	data8	child_died, 0
none:
	data8	0
chld:
	data8	1 << (SIGCHLD - 1)
minus:
	data8	-5
own:
	data8	0
word:
	data8	0
info:
	.skip	32
usage:
	.skip	144
vector:
	data8	0, argument, 0
environment:
	data8	variable, 0
argument:
	stringz	"x"
variable:
	stringz	"A=1"
nowhere:
	stringz	"/nowhere"
shell:
	stringz	"/bin/sh"
zero:
	stringz	"/dev/zero"
orphan:
	stringz	"orphan\n"
