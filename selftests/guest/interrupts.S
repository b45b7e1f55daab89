// SPDX-License-Identifier: GPL-2.0-only
// Calls that a signal interrupts. Behind a handler they give EINTR or are made again, as
// SA_RESTART has it; without one they go on, to the end that their time had. Each part ends with
// the number of what did not hold, or the next begins; 7 says that all did.
	.include "guest.inc"
	.include "check.inc"
	.include "call.inc"

SYS_kill = 1053
SYS_poll = 1090
SYS_setitimer = 1118
SYS_wait4 = 1126
SYS_nanosleep = 1168
SYS_sigaction = 1177
SYS_sigtimedwait = 1183
SYS_clone2 = 1213
SYS_futex = 1230
SYS_gettime = 1254

ALRM = 14
CHLD = 17
CONT = 18
STOP = 19
RESTART = 0x10000000
WAIT = 0
WAKE = 1
WAIT_BITSET = 9
UNTRACED = 2
EINTR = 4
EAGAIN = 11
ETIMEDOUT = 110
TICKS = 3

	// tick() takes SIGALRM, which comes each 100 us of the time in which all wait too.
	.macro	ticks flags
	put	act + 8, \flags
	put	ticked, 0
	put	word, 0
	mov	r40 = ALRM
	movl	r41 = act
	mov	r42 = 0
	mov	r43 = 8 ;;
	syscall	SYS_sigaction
	timer	often
	.endm

	.macro	timer value
	mov	r40 = 0
	movl	r41 = \value
	mov	r42 = 0 ;;
	syscall	SYS_setitimer
	.endm

	// The call was interrupted, by the first tick.
	.macro	interrupted status
	fails	EINTR, \status
	timer	never
	holds	ticked, 1, \status
	.endm

	.macro	poll milliseconds
	mov	r40 = 0
	mov	r41 = 0
	mov	r42 = \milliseconds ;;
	syscall	SYS_poll
	.endm

	.macro	futex operation, time, value=0
	movl	r40 = word
	mov	r41 = \operation
	mov	r42 = \value
	movl	r43 = \time
	mov	r44 = 0
	mov	r45 = -1 ;;
	syscall	SYS_futex
	.endm

	.macro	sleep time
	movl	r40 = \time
	mov	r41 = 0 ;;
	syscall	SYS_nanosleep
	.endm

	// The status of the child in r34 is in the lower half of status.
	.macro	wait options=0
	mov	r40 = r34
	movl	r41 = status
	mov	r42 = \options
	mov	r43 = 0 ;;
	syscall	SYS_wait4
	.endm

	.macro	ended value, status, options=0
	wait	\options
	cmp.eq	p6, p7 = r8, r34 ;;
	must	p6, \status
	holds	status, \value, \status
	.endm

	.macro	kill sig
	mov	r40 = r34
	mov	r41 = \sig ;;
	syscall	SYS_kill
	.endm

	// A child with this memory and a stack of its own goes on at \child; it waits in its call
	// when it is stopped, for 1 ms.
	.macro	held child, status
	put	word, 0
	movl	r40 = 0x100 + CHLD		// CLONE_VM
	movl	r41 = stack
	movl	r42 = 0x10000 ;;
	syscall	SYS_clone2
	cmp.eq	p6, p7 = 0, r8
	mov	r34 = r8 ;;
	(p6) br.cond.sptk \child ;;
	sleep	short
	kill	STOP
	ended	STOP << 8 | 0x7f, \status, UNTRACED
	sleep	short
	.endm

	// Seconds and nanoseconds become one number of these in \reg.
	.macro	clock reg
	mov	r40 = 1
	movl	r41 = now ;;
	syscall	SYS_gettime
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

	// The child's call took 10 ms and not those in which it was stopped beside them.
	.macro	on_time status
	clock	r36
	sub	r36 = r36, r35
	movl	r14 = 10000000
	movl	r16 = 10500000 ;;
	cmp.leu	p6, p7 = r14, r36
	cmp.gtu	p8, p9 = r16, r36 ;;
	must	p6, \status
	must	p8, \status
	.endm

	.text
	.global	_start
	.proc	_start
_start:
	alloc	r32 = ar.pfs, 0, 8, 6, 0 ;;

	// Part 1: behind a handler. With a time limit, or as poll, no call is made again.
	ticks	0
	poll	-1
	interrupted 1
	ticks	RESTART
	poll	-1
	interrupted 2
	ticks	RESTART
	poll	1000
	interrupted 3
	ticks	0
	futex	WAIT, 0
	interrupted 4
	ticks	RESTART
	futex	WAIT, second
	interrupted 5
	ticks	RESTART
	futex	WAIT_BITSET, second
	interrupted 6
	ticks	RESTART
	sleep	second
	interrupted 8
	ticks	RESTART
	movl	r40 = zero
	mov	r41 = 0
	mov	r42 = 0
	mov	r43 = 8 ;;
	syscall	SYS_sigtimedwait
	interrupted 9

	// Without one it is, until the third tick has changed the word.
	ticks	RESTART
	futex	WAIT, 0
	fails	EAGAIN, 10
	timer	never
	holds	ticked, TICKS, 11
	ticks	RESTART
	futex	WAIT_BITSET, 0
	fails	EAGAIN, 12
	timer	never
	holds	ticked, TICKS, 13

	// And so is wait4.
	ticks	RESTART
	movl	r40 = CHLD
	mov	r41 = 0
	mov	r42 = 0 ;;
	syscall	SYS_clone2
	cmp.eq	p6, p7 = 0, r8
	mov	r34 = r8 ;;
	(p6) br.cond.sptk sleeps ;;
	ended	3 << 8, 14
	timer	never
	movl	r2 = ticked ;;
	ld8	r3 = [r2] ;;
	cmp.leu	p6, p7 = 9, r3 ;;		// of 1 ms
	must	p6, 15
	ticks	0
	movl	r40 = CHLD
	mov	r41 = 0
	mov	r42 = 0 ;;
	syscall	SYS_clone2
	cmp.eq	p6, p7 = 0, r8
	mov	r34 = r8 ;;
	(p6) br.cond.sptk sleeps ;;
	wait
	interrupted 16
	ended	3 << 8, 17

	// Part 2: stopped and continued, which no handler sees
	held	waits, 20
	kill	CONT
	sleep	short				// it waits again
	futex	WAKE, 0, 1
	gives	1, 21
	ended	4 << 8, 22
	held	waits_limited, 23
	kill	CONT
	ended	5 << 8, 24
	held	waits_until, 25
	kill	CONT
	sleep	short
	futex	WAKE, 0, 1
	gives	1, 26
	ended	6 << 8, 27
	held	waits_until, 28
	put	word, 1				// what it waits for has come meanwhile
	kill	CONT
	ended	8 << 8, 29
	held	polls, 30
	kill	CONT
	ended	9 << 8, 31
	held	sleeps_long, 32
	kill	CONT
	ended	10 << 8, 33
	held	waits_signal, 34
	kill	CONT
	ended	11 << 8, 35
	exit	7

	// ---- children ----

sleeps:
	sleep	short
	exit	3

waits:
	futex	WAIT, 0
	gives	0, 50
	exit	4

waits_limited:
	clock	r35
	futex	WAIT, long
	fails	ETIMEDOUT, 51
	on_time	52
	exit	5

waits_until:
	clock	r35
	futex	WAIT, second
	cmp.eq	p6, p7 = EAGAIN, r8 ;;
	(p6) br.cond.sptk 1f ;;
	gives	0, 53
	exit	6
1:	exit	8

polls:
	clock	r35
	poll	10
	gives	0, 54
	on_time	55
	exit	9

sleeps_long:
	clock	r35
	sleep	long
	gives	0, 56
	on_time	57
	exit	10

	// The one of them that a stop ends
waits_signal:
	movl	r40 = zero
	mov	r41 = 0
	movl	r42 = second
	mov	r43 = 8 ;;
	syscall	SYS_sigtimedwait
	fails	EINTR, 58
	exit	11
	.endp	_start

	// Count; the third one changes the word.
	.proc	tick
tick:
	movl	r2 = ticked ;;
	fetchadd8.acq r3 = [r2], 1 ;;
	cmp.eq	p6, p7 = TICKS - 1, r3
	movl	r2 = word ;;
	(p6) fetchadd4.acq r3 = [r2], 1
	br.ret.sptk.many b0 ;;
	.endp	tick

	.section .rodata, "a", "progbits"
	.balign	8
zero:
	data8	0
often:
	data8	0, 100, 0, 100
never:
	data8	0, 0, 0, 0
short:
	data8	0, 1000000
long:
	data8	0, 10000000
second:
	data8	1, 0

	.data
	.balign	16
plabel:
	data8	tick, 0
act:
	data8	plabel, 0, 0
ticked:
	data8	0
word:
	data8	0
status:
	data8	0
now:
	data8	0, 0

	.bss
	.balign	16
stack:
	.skip	0x10000
