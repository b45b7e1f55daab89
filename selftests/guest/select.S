// SPDX-License-Identifier: GPL-2.0-only
// select, pselect6, ppoll, and groups of processes. Each part ends with the number of what did not
// hold, or the next begins; 7 says that all did. With one argument it waits for ever,
// without descriptor 3. With two it waits for what the host's descriptor 0 gives.
	.include "guest.inc"
	.include "check.inc"
	.include "call.inc"

SYS_close = 1029
SYS_execve = 1033
SYS_getpid = 1041
SYS_kill = 1053
SYS_pipe = 1058
SYS_setpgid = 1080
SYS_getpgid = 1079
SYS_setsid = 1081
SYS_select = 1089
SYS_setitimer = 1118
SYS_wait4 = 1126
SYS_nanosleep = 1168
SYS_sigaction = 1177
SYS_sigpending = 1178
SYS_sigprocmask = 1179
SYS_clone2 = 1213
SYS_gettime = 1254
SYS_pselect6 = 1294
SYS_ppoll = 1295
SYS_pipe2 = 1317

EPERM = 1
ESRCH = 3
EINTR = 4
EBADF = 9
ECHILD = 10
EACCES = 13
EFAULT = 14
EINVAL = 22

CLOEXEC = 02000000
USR1 = 10
ALRM = 14
TERM = 15
CHLD = 17
CONT = 18
STOP = 19
URG = 23
UNTRACED = 2
POLLIN = 1
POLLHUP = 16
FDS = 256		// NR_GUEST_FDS of the library

	// The three sets become bitmaps of the descriptors below 64.
	.macro	sets in, out=0, except=0
	put	inset, \in
	put	outset, \out
	put	exceptset, \except
	.endm

	.macro	select below, limit=0
	call	SYS_select, \below, inset, outset, exceptset, \limit
	.endm

	// With \mask: the address of a mask's address and size
	.macro	pselect below, limit=0, mask=0
	mov	r40 = \below
	movl	r41 = inset
	movl	r42 = outset
	movl	r43 = exceptset
	movl	r44 = \limit
	movl	r45 = \mask ;;
	syscall	SYS_pselect6
	.endm

	.macro	poll number, limit, mask, size
	movl	r40 = pollfd
	mov	r41 = \number
	movl	r42 = \limit
	movl	r43 = \mask
	mov	r44 = \size ;;
	syscall	SYS_ppoll
	.endm

	// Descriptor r35 for bytes
	.macro	ppoll limit=0, mask=0, size=8
	movl	r2 = pollfd
	mov	r3 = POLLIN ;;
	st4	[r2] = r35, 4 ;;
	st4	[r2] = r3
	poll	1, \limit, \mask, \size
	.endm

	.macro	sets_are in, out, status
	holds	inset, \in, \status
	holds	outset, \out, \status
	holds	exceptset, 0, \status
	.endm

	.macro	time name, seconds, fraction
	put	\name, \seconds
	put	\name + 8, \fraction
	.endm

	// No second is left, and from \least to \most of its parts.
	.macro	left least, most, status
	holds	time, 0, \status
	movl	r2 = time + 8 ;;
	ld8	r3 = [r2]
	movl	r14 = \least
	movl	r16 = \most ;;
	cmp.leu	p6, p7 = r14, r3
	cmp.geu	p8, p9 = r16, r3 ;;
	must	p6, \status
	must	p8, \status
	.endm

	// Nanoseconds, in \reg
	.macro	clock reg
	call	SYS_gettime, 1, now
	movl	r2 = now ;;
	ld8	r3 = [r2], 8
	movl	r14 = 1000000000 ;;
	setf.sig f6 = r3
	setf.sig f7 = r14
	ld8	r3 = [r2] ;;
	setf.sig f8 = r3 ;;
	xma.l	f6 = f6, f7, f8 ;;
	getf.sig \reg = f6 ;;
	.endm

	// Since r37 it is from \least to \most.
	.macro	took least, most, status
	clock	r38
	sub	r38 = r38, r37
	movl	r14 = \least
	movl	r16 = \most ;;
	cmp.leu	p6, p7 = r14, r38
	cmp.gtu	p8, p9 = r16, r38 ;;
	must	p6, \status
	must	p8, \status
	.endm

	// A pipe: r35 reads, r36 writes. They are 3 and 4.
	.macro	pipe
	syscall	SYS_pipe
	mov	r35 = r8
	mov	r36 = r9 ;;
	.endm

	.macro	closes
	call	SYS_close, r35
	call	SYS_close, r36
	.endm

	.macro	fork child
	call	SYS_clone2, CHLD
	cmp.eq	p6, p7 = 0, r8
	mov	r34 = r8 ;;
	(p6) br.cond.sptk \child ;;
	.endm

	// The child in r34 has ended, or stopped, with \value.
	.macro	ended value, status, options=0
	put	word, 0
	call	SYS_wait4, r34, word, \options
	same	r34, \status
	holds	word, \value, \status
	.endm

	.macro	action sig, handler
	put	act, \handler
	call	SYS_sigaction, \sig, act, 0, 8
	.endm

	// Signals of \set are blocked, and no others.
	.macro	block set
	put	word, \set
	call	SYS_sigprocmask, 2, word, 0, 8
	.endm

	.macro	blocked set, status
	call	SYS_sigprocmask, 2, 0, word, 8
	holds	word, \set, \status
	.endm

	.macro	raise sig
	syscall	SYS_getpid
	call	SYS_kill, r8, \sig
	.endm

	.macro	sleep
	call	SYS_nanosleep, r6
	.endm

	.text
	.global	_start
	.proc	_start
_start:
	alloc	r32 = ar.pfs, 0, 8, 6, 0
	add	r2 = 16, r12 ;;
	ld8	r37 = [r2], 8			// argc
	movl	r6 = short ;;
	ld8	r39 = [r2]			// the path of this program
	cmp.eq	p6, p7 = 1, r37
	cmp.eq	p8, p9 = 2, r37 ;;
	(p8) br.cond.sptk begun
	(p7) br.cond.sptk host ;;

	// Part 1: what is refused
	select	-1
	fails	EINVAL, 1
	call	SYS_select, 1, 8
	fails	EFAULT, 1
	sets	1 << 9
	select	10
	fails	EBADF, 2
	sets	0, 1 << 9
	select	FDS + 1
	fails	EBADF, 2
	sets	0, 0, 1 << 9
	pselect	10
	fails	EBADF, 2
	time	time, 0, 0
	select	9, time				// what is not below is not looked at
	gives	0, 3
	time	time, -1, 0
	select	0, time
	fails	EINVAL, 4
	time	time, 0, -1
	select	0, time
	fails	EINVAL, 4
	select	0, 8
	fails	EFAULT, 5
	time	time, 0, 1000000000
	pselect	0, time
	fails	EINVAL, 6
	ppoll	time
	fails	EINVAL, 6
	pselect	0, 8
	fails	EFAULT, 7
	pselect	0, 0, 8
	fails	EFAULT, 7
	pselect	0, 0, half_mask
	fails	EINVAL, 8
	pselect	0, 0, no_mask
	fails	EFAULT, 8
	ppoll	0, none, 4
	fails	EINVAL, 9
	ppoll	0, 8
	fails	EFAULT, 9
	poll	FDS + 1, short, none, 8
	fails	EINVAL, 10

	// Part 2: descriptors that are ready
	pipe
	sets	1 << 3, 1 << 4, 3 << 3
	select	5
	gives	1, 20
	sets_are 0, 1 << 4, 20
	call	SYS_write, r36, act, 1
	sets	1 << 3, 1 << 4
	select	5
	gives	2, 21
	sets_are 1 << 3, 1 << 4, 21
	sets	1 << 3, 1 << 4
	pselect	4				// r36 is not below
	gives	1, 22
	sets_are 1 << 3, 0, 22
	time	time, 0, 0
	call	SYS_select, 5, 0, outset, 0, time	// nothing is asked for
	gives	0, 23
	sets	0, 1 << 4
	call	SYS_select, 5, 0, outset
	gives	1, 23
	ppoll
	gives	1, 24
	holds	pollfd, 3 | POLLIN << 32 | POLLIN << 48, 24
	call	SYS_read, r35, word, 8
	call	SYS_close, r36
	sets	1 << 3
	select	4
	gives	1, 25				// its end
	sets_are 1 << 3, 0, 25
	ppoll
	gives	1, 26
	holds	pollfd, 3 | POLLIN << 32 | POLLHUP << 48, 26
	call	SYS_close, r35
	pipe
	call	SYS_close, r35
	sets	1 << 4, 1 << 4
	select	5
	gives	2, 27				// an error is for both
	sets_are 1 << 4, 1 << 4, 27
	call	SYS_close, r36

	// Part 3: waits, to their time or before it
	clock	r37
	time	time, 0, 1000			// us
	call	SYS_select, 0, 0, 0, 0, time
	gives	0, 40
	took	1000000, 1100000, 40
	left	0, 0, 40
	clock	r37
	time	time, 0, 1500000		// more than a second of them
	call	SYS_select, 0, 0, 0, 0, time
	gives	0, 41
	took	1500000000, 1500100000, 41
	pipe
	sets	1 << 3
	time	time, 0, 2000000		// ns
	clock	r37
	pselect	4, time
	gives	0, 42
	sets_are 0, 0, 42
	took	2000000, 2100000, 42
	left	0, 0, 42
	time	time, 0, 2000000
	clock	r37
	ppoll	time
	gives	0, 43
	took	2000000, 2100000, 43
	left	0, 0, 43
	fork	writes_late
	sets	1 << 3
	select	4
	gives	1, 44
	sets_are 1 << 3, 0, 44
	ended	3 << 8, 44
	call	SYS_read, r35, word, 8
	fork	writes_late
	sets	1 << 3
	time	time, 1, 0
	select	4, time
	gives	1, 45
	left	990000, 999100, 45
	ended	3 << 8, 45
	call	SYS_read, r35, word, 8
	fork	writes_late
	sets	1 << 3
	time	time, 1, 0
	pselect	4, time
	gives	1, 46
	left	990000000, 999100000, 46
	ended	3 << 8, 46
	call	SYS_read, r35, word, 8
	fork	writes_late
	time	time, 1, 0
	ppoll	time
	gives	1, 47
	left	990000000, 999100000, 47
	ended	3 << 8, 47
	call	SYS_read, r35, word, 8

	// Part 4: signals. One that was blocked ends a wait that does not block it, at once.
	action	USR1, handler
	action	ALRM, handler
	block	1 << (USR1 - 1)
	raise	USR1
	sets	1 << 3
	pselect	4, 0, mask
	fails	EINTR, 60
	holds	handled, 1, 60
	sets_are 1 << 3, 0, 60
	blocked	1 << (USR1 - 1), 60
	raise	USR1
	time	time, 0, 0			// also where there is no time
	ppoll	time, none
	fails	EINTR, 61
	holds	handled, 2, 61
	blocked	1 << (USR1 - 1), 61
	call	SYS_write, r36, act, 1		// what is ready comes before it
	raise	USR1
	pselect	4, 0, mask
	gives	1, 62
	ppoll	0, none
	gives	1, 62
	holds	handled, 2, 62
	movl	r40 = word
	mov	r41 = 8 ;;
	syscall	SYS_sigpending
	holds	word, 1 << (USR1 - 1), 62
	call	SYS_read, r35, word, 8
	block	0
	holds	handled, 3, 63

	// One that comes in the wait, of which the time that is left is told; not made again
	call	SYS_setitimer, 0, soon
	time	time, 1, 0
	sets	1 << 3
	select	4, time
	fails	EINTR, 64
	holds	handled, 4, 64
	left	999000, 999910, 64
	sets_are 1 << 3, 0, 64
	block	1 << (ALRM - 1)
	call	SYS_setitimer, 0, soon
	time	time, 0, 1000000
	ppoll	time, all			// the mask holds while it waits
	gives	0, 65
	holds	handled, 4, 65
	time	time, 1, 0
	ppoll	time, none
	fails	EINTR, 66
	holds	handled, 5, 66
	call	SYS_setitimer, 0, soon
	time	time, 1, 0
	pselect	4, time, mask
	fails	EINTR, 67
	holds	handled, 6, 67
	left	999000000, 999910000, 67
	blocked	1 << (ALRM - 1), 67

	// One that no handler takes: the wait goes on to the end that it had.
	block	1 << (URG - 1)
	raise	URG
	time	time, 0, 1000000
	clock	r37
	ppoll	time, none
	gives	0, 68
	took	1000000, 1100000, 68
	blocked	1 << (URG - 1), 68
	block	1 << (USR1 - 1)
	fork	stops
	sleep
	call	SYS_kill, r34, STOP
	ended	STOP << 8 | 0x7f, 69, UNTRACED
	sleep
	call	SYS_kill, r34, CONT
	ended	5 << 8, 70
	fork	stops
	sleep
	call	SYS_kill, r34, STOP
	ended	STOP << 8 | 0x7f, 71, UNTRACED
	call	SYS_write, r36, act, 1		// it comes meanwhile
	call	SYS_kill, r34, CONT
	ended	6 << 8, 72
	call	SYS_read, r35, word, 8
	fork	stops
	sleep
	call	SYS_kill, r34, STOP
	ended	STOP << 8 | 0x7f, 73, UNTRACED
	call	SYS_kill, r34, CONT
	sleep
	call	SYS_kill, r34, USR1		// the mask holds again
	ended	4 << 8, 74
	block	0
	closes

	// Part 5: groups. The first process leads a session.
	call	SYS_setpgid, 0, 0
	fails	EPERM, 90
	call	SYS_setpgid, 0, -5
	fails	EINVAL, 90
	call	SYS_setpgid, 99, 99
	fails	ESRCH, 91
	call	SYS_setpgid, -4, 4
	fails	ESRCH, 91
	fork	sleeps
	mov	r36 = r34 ;;
	call2	SYS_setpgid, r36, r0
	gives	0, 92
	call	SYS_getpgid, r36
	same	r36, 92
	call	SYS_setpgid, r36, 77
	fails	EPERM, 93			// no such group
	call	SYS_setpgid, r36, 2
	gives	0, 94
	call	SYS_getpgid, r36
	gives	2, 94
	fork	sleeps
	call2	SYS_setpgid, r34, r34
	gives	0, 95
	call2	SYS_setpgid, r36, r34
	gives	0, 95
	sub	r37 = r0, r34 ;;
	call	SYS_kill, r37, TERM
	call	SYS_wait4, r37, word
	mov	r38 = r8
	holds	word, TERM, 96
	call	SYS_wait4, r37, word
	xor	r8 = r8, r38
	xor	r38 = r34, r36 ;;
	same	r38, 96				// both, in any order
	call	SYS_wait4, r37, word
	fails	ECHILD, 96

	// A process has its own group changed, but not that of its parent or of a leader of a session.
	fork	groups
	ended	7 << 8, 97
	pipe
	fork	leads
	call	SYS_close, r36
	call	SYS_read, r35, word, 8		// it has its session
	call2	SYS_setpgid, r34, r0
	fails	EPERM, 98
	call	SYS_kill, r34, TERM
	ended	TERM, 98
	call	SYS_close, r35

	// A child that runs another program is moved no more.
	movl	r40 = fds
	movl	r41 = CLOEXEC ;;
	syscall	SYS_pipe2
	movl	r2 = fds ;;
	ld4	r35 = [r2], 4 ;;
	ld4	r36 = [r2] ;;
	fork	begins
	call	SYS_close, r36
	call	SYS_read, r35, word, 8
	gives	0, 99
	call2	SYS_setpgid, r34, r0
	fails	EACCES, 99
	call	SYS_kill, r34, TERM
	ended	TERM, 99
	call	SYS_close, r35

	// A thread is no process.
	movl	r40 = 0x10f00			// CLONE_VM, FS, FILES, SIGHAND, THREAD
	movl	r41 = stack
	movl	r42 = 0x10000 ;;
	syscall	SYS_clone2
	cmp.eq	p6, p7 = 0, r8
	mov	r34 = r8 ;;
	(p6) br.cond.sptk sleeps ;;
	call2	SYS_setpgid, r34, r0
	fails	EINVAL, 100
	mov	r40 = 7 ;;
	syscall	1236

	// ---- children ----

writes_late:
	sleep
	call	SYS_write, r36, act, 1
	exit	3

	// The child waits 10 ms of its own, whatever stops it meanwhile, or ends as bytes come.
stops:
	clock	r37
	time	time, 0, 10000000
	put	handled, 0
	ppoll	time, none
	mov	r38 = r10
	mov	r39 = r8
	blocked	1 << (USR1 - 1), 110
	cmp.eq	p6, p7 = -1, r38
	cmp.eq	p8, p9 = 1, r39 ;;
	(p6) br.cond.sptk 2f
	(p8) br.cond.sptk 1f ;;
	took	10000000, 10500000, 111
	exit	5
1:	exit	6
2:	exit	4

sleeps:
	call	SYS_select, 0, 0, 0, 0, 0
	exit	8

groups:
	call	SYS_setpgid, 0, 0
	gives	0, 120
	syscall	SYS_getpid
	mov	r34 = r8
	call	SYS_getpgid, 0
	same	r34, 121
	call	SYS_setpgid, 2, 0
	fails	ESRCH, 122
	call	SYS_setpgid, 0, 2
	gives	0, 123
	exit	7

leads:
	syscall	SYS_setsid
	call	SYS_setpgid, 0, 0
	fails	EPERM, 124
	call	SYS_write, r36, act, 1
	br.cond.sptk sleeps ;;

begins:
	movl	r2 = vector
	movl	r41 = vector
	mov	r42 = 0
	mov	r40 = r39 ;;
	st8	[r2] = r39
	syscall	SYS_execve
	exit	9

begun:
	put	inset, 1 << 3
	select	4
	fails	EBADF, 125
	br.cond.sptk sleeps ;;

	// A byte comes and the end, or nothing in the time, which is none of the model's.
host:
	clock	r37
	sets	1, 2
	call	SYS_select, 1, inset
	gives	1, 130
	sets_are 1, 2, 130			// the one set alone
	call	SYS_read, 0, word, 1
	gives	1, 131
	put	pollfd, POLLIN << 32
	poll	1, 0, 0, 0
	gives	1, 132
	call	SYS_read, 0, word, 1
	gives	1, 133
	time	time, 0, 1000
	sets	1
	select	1, time
	gives	0, 134
	sets_are 0, 0, 134
	left	0, 0, 134
	sets	1, 2
	select	2				// out is ready, and in is not
	gives	1, 135
	sets_are 0, 2, 135
	put	pollfd, POLLIN << 32
	poll	1, 0, 0, 0
	gives	1, 136
	call	SYS_read, 0, word, 1
	gives	0, 137				// its end
	took	0, 100000, 138
	mov	r40 = 7 ;;
	syscall	1236
	.endp	_start

	.proc	count
count:
	movl	r2 = handled ;;
	fetchadd8.acq r3 = [r2], 1
	br.ret.sptk.many b0 ;;
	.endp	count

	.section .rodata, "a"
	.balign	8
short:
	data8	0, 1000000
soon:
	data8	0, 0, 0, 100
mask:
	data8	none, 8
half_mask:
	data8	none, 4
no_mask:
	data8	8, 8
none:
	data8	0
all:
	data8	-1

	.data
	.balign	16
handler:
	data8	count, 0
act:
	data8	0, 0x10000000, 0		// SA_RESTART
handled:
	data8	0
word:
	data8	0
fds:
	data8	0
pollfd:
	data8	0
time:
	data8	0, 0
now:
	data8	0, 0
inset:
	.skip	(FDS + 64) / 8
outset:
	.skip	(FDS + 64) / 8
exceptset:
	.skip	(FDS + 64) / 8
vector:
	data8	0, again, 0		// two arguments, of which one is the path
again:
	stringz	"again"

	.bss
	.balign	16
stack:
	.skip	0x10000
