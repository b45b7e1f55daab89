// SPDX-License-Identifier: GPL-2.0-only
// Pipes, copies of descriptors, sessions, waitid. Each part ends with the number of what did not
// hold, or the next begins; 7 says that all did. With one argument it reads from a
// pipe to which nothing is written.
	.include "guest.inc"
	.include "check.inc"
	.include "call.inc"

SYS_open = 1028
SYS_close = 1029
SYS_lseek = 1040
SYS_getpid = 1041
SYS_kill = 1053
SYS_dup = 1057
SYS_pipe = 1058
SYS_ioctl = 1065
SYS_fcntl = 1066
SYS_dup2 = 1070
SYS_getpgid = 1079
SYS_setsid = 1081
SYS_getsid = 1082
SYS_poll = 1090
SYS_setitimer = 1118
SYS_wait4 = 1126
SYS_writev = 1147
SYS_nanosleep = 1168
SYS_sigaction = 1177
SYS_fstat = 1212
SYS_clone2 = 1213
SYS_waitid = 1270
SYS_dup3 = 1316
SYS_pipe2 = 1317

EINTR = 4
EBADF = 9
ECHILD = 10
EAGAIN = 11
EFAULT = 14
EINVAL = 22
ENFILE = 23
EMFILE = 24
ESPIPE = 29
EPIPE = 32
EPERM = 1

NONBLOCK = 04000
CLOEXEC = 02000000
USR1 = 10
PIPE = 13
ALRM = 14
CHLD = 17
CONT = 18
STOP = 19
RESTART = 0x10000000
ATOMIC = 4096
POLLIN = 1
POLLOUT = 4
POLLERR = 8
POLLHUP = 16
POLLNVAL = 32
NOHANG = 1
STOPPED = 2
EXITED = 4
CONTINUED = 8
NOWAIT = 0x1000000
BULK = 300000		// more than has room
FDS = 256		// NR_GUEST_FDS of the library
PIPES = 1024		// MOST of its pipe.c

	// A pipe: r35 reads, r36 writes.
	.macro	pipe
	syscall	SYS_pipe
	mov	r35 = r8
	mov	r36 = r9 ;;
	.endm

	.macro	close fd
	call	SYS_close, \fd
	.endm

	.macro	closes
	close	r35
	close	r36
	.endm

	// The descriptor has \events; \revents come, in \wait milliseconds.
	.macro	poll fd, events, revents, wait, status
	movl	r2 = pollfd
	mov	r3 = \events ;;
	st4	[r2] = \fd, 4 ;;
	st4	[r2] = r3
	movl	r40 = pollfd
	mov	r41 = 1
	mov	r42 = \wait ;;
	syscall	SYS_poll
	movl	r2 = pollfd + 6 ;;
	ld2	r3 = [r2]
	mov	r14 = \revents ;;
	cmp.eq	p6, p7 = r3, r14 ;;
	must	p6, \status
	.endm

	// A child goes on at \child; its number is in r34 of the parent.
	.macro	fork child
	call	SYS_clone2, CHLD
	cmp.eq	p6, p7 = 0, r8
	mov	r34 = r8 ;;
	(p6) br.cond.sptk \child ;;
	.endm

	.macro	wait
	put	word, 0
	call	SYS_wait4, r34, word
	.endm

	// The child in r34 has ended with \value.
	.macro	ended value, status
	wait
	same	r34, \status
	holds	word, \value, \status
	.endm

	// waitid for the child in r34; what it tells is in info.
	.macro	waitid options
	put	info, -1
	put	info + 8, -1
	put	info + 16, -1
	put	info + 24, -1
	mov	r40 = 1
	mov	r41 = r34
	movl	r42 = info
	movl	r43 = \options
	mov	r44 = 0 ;;
	syscall	SYS_waitid
	.endm

	// waitid told of SIGCHLD with \code and \value, of the child, and wrote no word between.
	.macro	told code, value, status
	gives	0, \status
	holds	info, CHLD, \status
	movl	r2 = info + 8 ;;
	ld4	r3 = [r2], 4
	mov	r14 = \code ;;
	cmp.eq	p6, p7 = r3, r14
	ld4	r3 = [r2], 4 ;;
	must	p6, \status
	sxt4	r3 = r3 ;;
	cmp.eq	p6, p7 = -1, r3
	ld4	r3 = [r2], 8 ;;
	must	p6, \status
	cmp.eq	p6, p7 = r3, r34
	ld4	r3 = [r2]
	mov	r14 = \value ;;
	must	p6, \status
	cmp.eq	p6, p7 = r3, r14 ;;
	must	p6, \status
	.endm

	.macro	sleep
	call	SYS_nanosleep, r6
	.endm

	.macro	action sig, handler, flags=0
	put	act, \handler
	put	act + 8, \flags
	call	SYS_sigaction, \sig, act, 0, 8
	.endm

	.macro	timer
	call	SYS_setitimer, 0, soon
	.endm

	.text
	.global	_start
	.proc	_start
_start:
	alloc	r32 = ar.pfs, 0, 8, 6, 0
	add	r2 = 16, r12 ;;
	ld8	r37 = [r2]			// argc
	movl	r6 = short ;;
	cmp.eq	p6, p7 = 2, r37 ;;
	(p6) br.cond.sptk nobody ;;

	// Part 1: one process
	pipe
	cmp.eq	p6, p7 = 3, r35
	cmp.eq	p8, p9 = 4, r36 ;;
	must	p6, 1
	must	p8, 1
	call	SYS_write, r36, text, 6
	gives	6, 2
	call	SYS_ioctl, r35, 0x541b, word	// FIONREAD
	gives	0, 3
	holds	word, 6, 3
	poll	r35, POLLIN, POLLIN, 0, 4
	poll	r36, POLLIN | POLLOUT, POLLOUT, 0, 4
	call	SYS_read, r35, buffer, 4
	gives	4, 5
	call	SYS_read, r35, buffer + 4, 100
	gives	2, 6
	movl	r2 = buffer
	movl	r14 = text ;;
	ld4	r3 = [r2], 4
	ld4	r16 = [r14], 4 ;;
	cmp.eq	p6, p7 = r3, r16
	ld2	r3 = [r2]
	ld2	r16 = [r14] ;;
	must	p6, 7
	cmp.eq	p6, p7 = r3, r16 ;;
	must	p6, 7
	poll	r35, POLLIN, 0, 0, 8
	gives	0, 8
	call	SYS_read, r36, buffer, 1
	fails	EBADF, 9
	call	SYS_write, r35, text, 1
	fails	EBADF, 9
	call	SYS_read, r35, buffer, 0
	gives	0, 10
	call	SYS_lseek, r35, 0, 0
	fails	ESPIPE, 11
	call	SYS_fstat, r35, stat
	gives	0, 12
	movl	r2 = stat + 24 ;;
	ld4	r3 = [r2]
	mov	r14 = 010600 ;;			// S_IFIFO
	cmp.eq	p6, p7 = r3, r14 ;;
	must	p6, 12
	call	SYS_write, r36, 16, 1
	fails	EFAULT, 13
	call	SYS_write, r36, text, 1
	call	SYS_read, r35, 16, 1
	fails	EFAULT, 13
	call	SYS_fcntl, r36, 3		// F_GETFL
	gives	1, 14

	// A read that fails leaves what was there.
	movl	r5 = null ;;
	call	SYS_open, r5, 1
	mov	r5 = r8
	put	buffer, 0x1234 ;;
	call	SYS_read, r5, buffer, 100
	fails	EBADF, 64
	holds	buffer, 0x1234, 64
	close	r5

	// A pipe has room for 16 pages, and small writes are not done in parts.
	call	SYS_fcntl, r36, 4, NONBLOCK
	gives	0, 15
	call	SYS_fcntl, r35, 4, NONBLOCK
	call	SYS_fcntl, r35, 1032		// F_GETPIPE_SZ
	mov	r38 = r8
	shr.u	r14 = r8, 4
	mov	r16 = 4096
	movl	r3 = 16384 ;;
	cmp.eq	p6, p7 = r14, r16
	cmp.eq	p8, p9 = r14, r3 ;;
	(p8) cmp.eq p6, p7 = r0, r0 ;;
	must	p6, 16
	call	SYS_read, r35, buffer, 1	// of the read that failed nothing was taken
	gives	1, 17
	call	SYS_read, r35, buffer, 1
	fails	EAGAIN, 17
	mov	r5 = r0 ;;
1:	call	SYS_write, r36, bulk, 100000
	cmp.eq	p6, p7 = 0, r10 ;;
	(p6) add r5 = r5, r8
	(p6) br.cond.sptk 1b ;;
	fails	EAGAIN, 18
	cmp.eq	p6, p7 = r5, r38 ;;
	must	p6, 18
	poll	r36, POLLOUT, 0, 0, 19
	call	SYS_read, r35, bulk, ATOMIC - 1
	gives	ATOMIC - 1, 20
	poll	r36, POLLOUT, 0, 0, 20
	call	SYS_write, r36, bulk, ATOMIC
	fails	EAGAIN, 21
	call	SYS_write, r36, bulk, ATOMIC + 1
	gives	ATOMIC - 1, 22
	call	SYS_read, r35, bulk, ATOMIC
	poll	r36, POLLOUT, POLLOUT, 0, 23
	closes

	// Ends that are gone
	pipe
	call	SYS_write, r36, text, 3
	close	r36
	poll	r35, POLLIN, POLLIN | POLLHUP, 0, 24
	call	SYS_read, r35, buffer, 10
	gives	3, 25
	call	SYS_read, r35, buffer, 10
	gives	0, 25
	poll	r35, POLLIN, POLLHUP, 0, 25
	close	r35
	poll	r35, POLLIN, POLLNVAL, 0, 26
	pipe
	close	r35
	poll	r36, 0, POLLERR, 0, 27
	action	PIPE, plabel
	call	SYS_write, r36, text, 1
	fails	EPIPE, 28
	holds	signals, 1, 28
	call	SYS_write, r36, text, 0
	gives	0, 29
	holds	signals, 1, 29
	close	r36

	// Part 2: copies of descriptors
	pipe
	call	SYS_dup, r36
	gives	5, 40
	call2	SYS_dup2, r36, 9
	gives	9, 41
	call2	SYS_dup2, r36, r36
	same	r36, 42
	call2	SYS_dup2, 77, 77
	fails	EBADF, 43
	call2	SYS_dup2, r36, FDS
	fails	EBADF, 44
	call2	SYS_dup3, r36, r36
	fails	EINVAL, 45
	call2	SYS_dup3, r36, 10, 1
	fails	EINVAL, 46
	call2	SYS_dup3, r36, 10, CLOEXEC
	gives	10, 47
	call	SYS_fcntl, 10, 1		// F_GETFD
	gives	1, 48
	call	SYS_fcntl, 9, 1
	gives	0, 48
	call	SYS_fcntl, r36, 0, 20		// F_DUPFD
	gives	20, 49
	call	SYS_fcntl, r36, 1030, 20	// F_DUPFD_CLOEXEC
	gives	21, 50
	call	SYS_fcntl, 21, 1
	gives	1, 50
	call	SYS_fcntl, r36, 0, FDS
	fails	EINVAL, 51
	close	r36
	call	SYS_write, 5, text, 1
	gives	1, 52
	call2	SYS_dup2, r35, 5		// which closes what was there
	gives	5, 53
	close	9
	close	10
	close	20
	poll	r35, POLLIN, POLLIN, 0, 54	// one is left
	close	21
	poll	r35, POLLIN, POLLIN | POLLHUP, 0, 55
	call	SYS_read, 5, buffer, 10
	gives	1, 56
	call	SYS_read, r35, buffer, 10
	gives	0, 57
	close	5
	close	r35
	movl	r5 = fds ;;
	call	SYS_pipe2, r5, CLOEXEC | NONBLOCK
	gives	0, 58
	holds	fds, 3 | 4 << 32, 58
	call	SYS_fcntl, 3, 1
	gives	1, 59
	call	SYS_read, 3, buffer, 1
	fails	EAGAIN, 59
	close	3
	close	4
	call	SYS_pipe2, r5, 1
	fails	EINVAL, 60
	call	SYS_pipe2, 16
	fails	EFAULT, 60
	syscall	SYS_getpid			// r8 of pipe is 3 again: nothing was left open
	pipe
	cmp.eq	p6, p7 = 3, r35 ;;
	must	p6, 61
	// All descriptors, of which one is left alone
	mov	r5 = 5 ;;
1:	call	SYS_dup, r35
	cmp.eq	p6, p7 = 0, r10 ;;
	(p6) add r5 = 1, r5
	(p6) br.cond.sptk 1b ;;
	fails	EMFILE, 62
	movl	r14 = FDS ;;
	cmp.eq	p6, p7 = r14, r5 ;;
	must	p6, 62
	close	100
	syscall	SYS_pipe
	fails	EMFILE, 63
	call	SYS_dup, r35
	gives	100, 63				// the one that it had is free again
	mov	r5 = 3 ;;
1:	close	r5
	add	r5 = 1, r5
	movl	r14 = FDS ;;
	cmp.eq	p6, p7 = r14, r5 ;;
	(p7) br.cond.sptk 1b ;;

	// Part 3: between processes. A read waits for bytes, or for an end.
	pipe
	fork	reads
	sleep
	call	SYS_write, r36, text, 5
	gives	5, 70
	ended	5 << 8, 71
	fork	reads
	close	r36
	sleep
	wait
	same	r34, 72
	holds	word, 0, 72
	close	r35

	// More than has room, in one write; and the end of it
	pipe
	fork	writes
	close	r36
	mov	r5 = 0				// sum
	mov	r38 = 0 ;;			// bytes
1:	call	SYS_read, r35, bulk, 7777
	cmp.eq	p8, p9 = 0, r8
	add	r38 = r38, r8
	movl	r2 = bulk ;;
	(p8) br.cond.sptk 3f
	mov	r14 = r8 ;;
2:	ld1	r3 = [r2], 1
	add	r14 = -1, r14 ;;
	cmp.ne	p6, p7 = 0, r14
	add	r5 = r5, r3
	(p6) br.cond.sptk 2b ;;
	br	1b ;;
3:	movl	r14 = BULK
	movl	r16 = (BULK / 250) * (249 * 250 / 2) ;;
	cmp.eq	p6, p7 = r14, r38
	cmp.eq	p8, p9 = r16, r5 ;;
	must	p6, 73
	must	p8, 74
	ended	4 << 8, 75
	close	r35

	// A writer without a reader: it dies, or has the error; what was written counts.
	pipe
	fork	floods
	sleep
	closes
	ended	PIPE, 80
	pipe
	fork	counts
	sleep
	call	SYS_read, r35, bulk, ATOMIC
	gives	ATOMIC, 81
	sleep
	closes
	ended	6 << 8, 82

	// poll waits for bytes, for room, for an end, or for its time.
	pipe
	fork	writes_late
	poll	r35, POLLIN, 0, 0, 83
	poll	r35, POLLIN, POLLIN, -1, 84
	gives	1, 84
	call	SYS_read, r35, buffer, 10
	gives	1, 85
	close	r36
	poll	r35, POLLIN, POLLHUP, -1, 86
	ended	3 << 8, 87
	close	r35
	pipe
	poll	r35, POLLIN, 0, 1, 88
	gives	0, 88
	fork	reads_late
	call	SYS_write, r36, bulk, ATOMIC
	poll	r36, POLLOUT, POLLOUT, -1, 89
	call	SYS_fcntl, r36, 4, NONBLOCK
	mov	r5 = 0 ;;
1:	call	SYS_write, r36, bulk, ATOMIC
	add	r5 = 1, r5
	cmp.eq	p6, p7 = 0, r10 ;;
	(p6) br.cond.sptk 1b ;;
	poll	r36, POLLOUT, POLLOUT, -1, 90
	ended	8 << 8, 91
	closes

	// Signals: a read is made again as SA_RESTART has it; one that is stopped goes on.
	pipe
	action	ALRM, sends
	put	fds, 0
	movl	r2 = fds ;;
	st8	[r2] = r36
	timer
	call	SYS_read, r35, buffer, 10
	fails	EINTR, 92
	call	SYS_read, r35, buffer, 10
	gives	1, 93
	action	ALRM, sends, RESTART
	timer
	call	SYS_read, r35, buffer, 10
	gives	1, 94
	fork	reads
	sleep
	call2	SYS_kill, r34, STOP
	sleep
	call	SYS_write, r36, text, 5
	call2	SYS_kill, r34, CONT
	ended	5 << 8, 95
	closes

	// A pipeline: standard output of one is standard input of the next.
	pipe
	fork	first
	fork	second
	closes
	ended	9 << 8, 96
	call	SYS_wait4, -1, word
	call	SYS_wait4, -1, word
	fails	ECHILD, 97

	// As many as there may be, of all processes together
	mov	r38 = 0
	fork	hoards
	ended	5 << 8, 98

	// Part 4: sessions
	syscall	SYS_setsid
	fails	EPERM, 110
	call	SYS_getsid
	gives	2, 111
	fork	leads
	sleep
	call	SYS_getpgid, r34
	same	r34, 112
	call	SYS_wait4, r0, 0, NOHANG	// not of this group
	fails	ECHILD, 113
	sub	r5 = r0, r34 ;;
	call	SYS_wait4, r5, 0, NOHANG
	gives	0, 114
	call2	SYS_kill, r5, USR1		// not this one
	gives	0, 115
	ended	USR1, 116
	call2	SYS_kill, r5, USR1
	fails	3, 117				// ESRCH

	// Part 5: waitid
	waitid	EXITED
	fails	ECHILD, 120
	holds	info, 0, 120
	fork	pauses
	waitid	NOHANG
	fails	EINVAL, 121
	waitid	EXITED | NOHANG
	gives	0, 122
	holds	info, 0, 122
	call2	SYS_kill, r34, STOP
	waitid	STOPPED | NOWAIT
	told	5, STOP, 123
	waitid	STOPPED
	told	5, STOP, 124
	waitid	STOPPED | NOHANG
	gives	0, 125
	holds	info, 0, 125
	call2	SYS_kill, r34, CONT
	waitid	CONTINUED
	told	6, CONT, 126
	waitid	CONTINUED | NOHANG
	gives	0, 127
	holds	info, 0, 127
	call2	SYS_kill, r34, STOP		// which the next takes back
	call2	SYS_kill, r34, CONT
	sleep
	waitid	STOPPED | CONTINUED | NOHANG
	gives	0, 134
	holds	info, 0, 134
	call2	SYS_kill, r34, STOP
	waitid	STOPPED
	told	5, STOP, 135
	call2	SYS_kill, r34, CONT
	put	word, 0
	call	SYS_wait4, r34, word, CONTINUED
	same	r34, 128
	holds	word, 0xffff, 128
	call2	SYS_kill, r34, USR1
	waitid	EXITED | NOWAIT
	told	2, USR1, 129
	waitid	EXITED
	told	2, USR1, 130
	fork	exits_late
	waitid	EXITED				// which waits
	told	1, 44, 131
	call	SYS_waitid, 3, 0, 0, EXITED
	fails	EINVAL, 132
	call	SYS_waitid, 1, 0, 0, EXITED
	fails	EINVAL, 133
	exit	7

	// ---- children ----

reads:
	close	r36
	call	SYS_read, r35, buffer, 100
	mov	r40 = r8 ;;
	syscall	SYS_exit

	// Bytes from 0 to 249, again and again, in two pieces
writes:
	close	r35
	movl	r2 = bulk
	movl	r5 = BULK
	mov	r3 = 0 ;;
1:	st1	[r2] = r3, 1
	add	r3 = 1, r3
	mov	r14 = 250
	add	r5 = -1, r5 ;;
	cmp.eq	p6, p7 = r3, r14
	cmp.ne	p8, p9 = 0, r5 ;;
	(p6) mov r3 = 0
	(p8) br.cond.sptk 1b ;;
	call	SYS_writev, r36, pieces, 2
	gives	BULK, 150
	exit	4

floods:
	close	r35
	action	PIPE, 0
1:	call	SYS_write, r36, bulk, 5000
	br	1b ;;

counts:
	call	SYS_fcntl, r35, 1032
	mov	r38 = r8 ;;
	close	r35
	action	PIPE, 1				// SIG_IGN
	shl	r14 = r38, 1
	mov	r40 = r36
	movl	r41 = bulk ;;
	mov	r42 = r14 ;;
	syscall	SYS_write
	movl	r14 = ATOMIC ;;
	add	r14 = r38, r14 ;;
	cmp.eq	p6, p7 = r14, r8 ;;
	must	p6, 151
	call	SYS_write, r36, bulk, 1
	fails	EPIPE, 152
	exit	6

writes_late:
	sleep
	call	SYS_write, r36, text, 1
	sleep
	exit	3

	// Enough to have room for a write, when the other one waits for that
reads_late:
	close	r36
	sleep
	call	SYS_read, r35, bulk, 2 * ATOMIC
	exit	8

first:
	call2	SYS_dup2, r36, 1
	closes
	call	SYS_write, 1, text, 6
	exit	9

second:
	call2	SYS_dup2, r35, r0
	closes
1:	call	SYS_read, r0, buffer, 2
	mov	r5 = r8
	cmp.eq	p6, p7 = 0, r8 ;;
	(p6) br.cond.sptk 2f ;;
	call	SYS_write, 1, buffer, 2
	br	1b ;;
2:	exit	9

	// Pipes until there are no descriptors for more, and the same of a child without those
hoards:
	syscall	SYS_pipe
	cmp.eq	p6, p7 = 0, r10 ;;
	(p6) add r38 = 1, r38
	(p6) br.cond.sptk hoards
	cmp.eq	p8, p9 = EMFILE, r8 ;;
	(p9) br.cond.sptk 3f ;;
	fork	1f
	wait
	movl	r2 = word + 1 ;;
	ld1	r40 = [r2] ;;
	syscall	SYS_exit
1:	mov	r5 = 3 ;;
2:	close	r5
	add	r5 = 1, r5
	movl	r14 = FDS ;;
	cmp.eq	p6, p7 = r14, r5 ;;
	(p7) br.cond.sptk 2b ;;
	br	hoards ;;
3:	fails	ENFILE, 153
	movl	r14 = PIPES ;;
	cmp.eq	p6, p7 = r14, r38 ;;
	must	p6, 157
	exit	5

leads:
	syscall	SYS_getpid
	mov	r38 = r8 ;;
	syscall	SYS_setsid
	same	r38, 154
	syscall	SYS_setsid
	fails	EPERM, 155
	call	SYS_getsid
	same	r38, 156
pauses:
	sleep
	br	pauses ;;

exits_late:
	sleep
	exit	44

nobody:
	pipe
	call	SYS_read, r35, buffer, 1
	exit	0
	.endp	_start

	// SIGPIPE: count.
	.proc	pipe_signal
pipe_signal:
	movl	r2 = signals ;;
	fetchadd8.acq r3 = [r2], 1
	br.ret.sptk.many b0 ;;
	.endp	pipe_signal

	// SIGALRM: write one byte to the pipe whose end is in fds.
	.proc	send
send:
	alloc	r35 = ar.pfs, 3, 5, 6, 0
	movl	r2 = fds ;;
	ld8	r40 = [r2]
	movl	r41 = text
	mov	r42 = 1 ;;
	syscall	SYS_write
	mov	ar.pfs = r35 ;;
	br.ret.sptk.many b0 ;;
	.endp	send

	.section .rodata, "a", "progbits"
	.balign	8
short:
	data8	0, 1000000
soon:
	data8	0, 0, 0, 100
pieces:
	data8	bulk, 33333, bulk + 33333, BULK - 33333
null:
	stringz	"/dev/null"
text:
	stringz	"pipes\n"

	.data
	.balign	16
plabel:
	data8	pipe_signal, 0
sends:
	data8	send, 0
act:
	data8	0, 0, 0
signals:
	data8	0
word:
	data8	0
fds:
	data8	0
pollfd:
	data8	0
info:
	.skip	128
stat:
	.skip	144
buffer:
	.skip	128

	.bss
	.balign	16
bulk:
	.skip	0x90000
