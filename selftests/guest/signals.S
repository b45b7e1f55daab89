// SPDX-License-Identifier: GPL-2.0-only
// Signals. Each part ends with the number of what did not hold, or the next begins; 7 says that
// all did. With one argument: return from a signal that there was not. With two: die of a timer.
	.include "guest.inc"
	.include "check.inc"

SYS_kill = 1053
SYS_setitimer = 1118
SYS_getitimer = 1119
SYS_nanosleep = 1168
SYS_sigaltstack = 1176
SYS_sigaction = 1177
SYS_sigpending = 1178
SYS_sigprocmask = 1179
SYS_sigqueueinfo = 1180
SYS_sigreturn = 1181
SYS_sigsuspend = 1182
SYS_sigtimedwait = 1183
SYS_futex = 1230

PID = 2
ILL = 4
FPE = 8
USR1 = 10
SEGV = 11
USR2 = 12
ALRM = 14
RT = 40
RESTART = 0x10000000
ONSTACK = 0x08000000
SIGINFO = 4

DEPTH = 200
TICKS = 60

// Offsets in struct sigcontext
SC_IP = 40
SC_GR = 200

	// Have \handler take \sig.
	.macro	action sig, handler, flags
	movl	r2 = act ;;
	movl	r3 = \handler\()_plabel ;;
	st8	[r2] = r3, 8 ;;
	movl	r3 = \flags ;;
	st8	[r2] = r3, 8 ;;
	st8	[r2] = r0 ;;
	mov	r40 = \sig ;;
	movl	r41 = act ;;
	mov	r42 = 0 ;;
	mov	r43 = 8 ;;
	syscall	SYS_sigaction
	.endm

	// SIG_BLOCK 0, SIG_UNBLOCK 1, SIG_SETMASK 2, with \mask
	.macro	mask how, mask
	movl	r2 = set ;;
	movl	r3 = \mask ;;
	st8	[r2] = r3 ;;
	mov	r40 = \how ;;
	movl	r41 = set ;;
	mov	r42 = 0 ;;
	mov	r43 = 8 ;;
	syscall	SYS_sigprocmask
	.endm

	.macro	raise sig
	mov	r40 = PID ;;
	mov	r41 = \sig ;;
	syscall	SYS_kill
	.endm

	.macro	timer value
	mov	r40 = 0 ;;
	movl	r41 = \value ;;
	mov	r42 = 0 ;;
	syscall	SYS_setitimer
	.endm

	.macro	gives errno, status
	cmp.eq	p6, p7 = \errno, r8 ;;
	must	p6, \status
	cmp.eq	p6, p7 = -1, r10 ;;
	must	p6, \status
	.endm

	.text
	.global	_start
	.proc	_start
_start:
	alloc	r32 = ar.pfs, 0, 8, 6, 0 ;;
	add	r2 = 16, r12 ;;
	ld8	r3 = [r2] ;;		// argc
	cmp.eq	p6, p7 = 2, r3 ;;
	(p7) br.cond.sptk 1f ;;
	mov	r12 = 4096 ;;
	syscall	SYS_sigreturn
1:	cmp.eq	p6, p7 = 3, r3 ;;
	(p7) br.cond.sptk 2f ;;
	timer	often
1:	br.cond.sptk 1b ;;
2:

	// Part 1: a timer interrupts what has frames, NaTs and rotating registers
	action	ALRM, tick, SIGINFO
	cmp.eq	p6, p7 = 0, r8 ;;
	must	p6, 1
	timer	often
	cmp.eq	p6, p7 = 0, r8 ;;
	must	p6, 2
	ld8.s	r7 = [r0] ;;			// a NaT for the frames of sum()
1:	mov	r40 = DEPTH ;;
	br.call.sptk.many b0 = sum ;;
	mov	r14 = DEPTH * (DEPTH + 1) / 2 ;;
	cmp.eq	p6, p7 = r8, r14 ;;
	must	p6, 3
	br.call.sptk.many b0 = rotate ;;
	mov	r14 = 32 * 33 ;;
	cmp.eq	p6, p7 = r8, r14 ;;
	must	p6, 4
	movl	r2 = ticks ;;
	ld8	r3 = [r2] ;;
	mov	r14 = TICKS ;;
	cmp.ltu	p6, p7 = r3, r14 ;;
	(p6) br.cond.sptk 1b ;;
	mov	r40 = 0 ;;
	movl	r41 = set ;;
	syscall	SYS_getitimer
	holds	set + 8, 20, 5
	timer	never

	// Part 2: what is blocked waits; of the first 31 once, of others each
	action	USR1, note, 0
	action	USR2, note, 0
	action	RT, note, 0
	mask	0, (1 << (USR1 - 1)) | (1 << (USR2 - 1)) | (1 << (RT - 1))
	raise	USR1
	raise	USR1
	holds	noted, 0, 10
	movl	r40 = set ;;
	mov	r41 = 8 ;;
	syscall	SYS_sigpending
	holds	set, 1 << (USR1 - 1), 11
	mask	1, 1 << (USR1 - 1)
	holds	noted, 1, 12
	holds	last, USR1, 13
	raise	RT
	raise	RT
	mov	r40 = PID ;;
	mov	r41 = RT ;;
	movl	r42 = queued ;;
	syscall	SYS_sigqueueinfo
	mask	1, 1 << (RT - 1)
	holds	noted, 4, 14
	// Frames of both; the last to be pushed runs first.
	mask	0, 1 << (USR1 - 1)
	raise	USR2
	raise	USR1
	mask	1, (1 << (USR1 - 1)) | (1 << (USR2 - 1))
	holds	noted, 6, 15
	holds	last, USR1, 16

	// Part 3: calls that a signal interrupts
	action	ALRM, change, RESTART
	timer	soon
	movl	r40 = word ;;
	mov	r41 = 0 ;;
	mov	r42 = 0 ;;
	mov	r43 = 0 ;;
	syscall	SYS_futex
	gives	11, 20			// made again, it found another value
	action	ALRM, change, 0
	timer	soon
	movl	r40 = word ;;
	mov	r41 = 0 ;;
	mov	r42 = 1 ;;
	mov	r43 = 0 ;;
	syscall	SYS_futex
	gives	4, 21
	holds	word, 2, 22
	action	ALRM, change, RESTART
	timer	soon
	movl	r40 = second ;;
	movl	r41 = set ;;
	syscall	SYS_nanosleep
	gives	4, 23
	holds	set, 0, 24
	// 1 s less 100 us, but for the cycles of the calls themselves
	movl	r2 = set + 8 ;;
	ld8	r3 = [r2] ;;
	movl	r14 = 999900000 ;;
	cmp.geu	p6, p7 = r3, r14 ;;
	must	p6, 25
	movl	r14 = 999940000 ;;
	cmp.ltu	p6, p7 = r3, r14 ;;
	must	p6, 26

	// Part 4: faults that a handler takes
	action	SEGV, fault, SIGINFO
	action	FPE, fault, SIGINFO
	mov	r2 = 16 ;;
	{ .mmi
	ld8	r3 = [r2]
	nop.m	0
	nop.i	0 ;;
	}
	mov	r14 = 77 ;;		// what the handler put into the frame
	cmp.eq	p6, p7 = r8, r14 ;;
	must	p6, 30
	holds	last, SEGV, 31
	holds	code, 1, 32
	holds	address, 16, 33
	{ .mii
	nop.m	0
	break.i	1
	nop.i	0 ;;
	}
	holds	last, FPE, 34
	holds	code, 1, 35
	holds	number, 1, 36
	movl	r2 = _start ;;		// no right to write there
	{ .mmi
	st8	[r2] = r0
	nop.m	0
	nop.i	0 ;;
	}
	holds	last, SEGV, 37
	holds	code, 2, 38

	// Part 5: the alternate stack is both stacks
	movl	r40 = stack ;;
	mov	r41 = 0 ;;
	syscall	SYS_sigaltstack
	cmp.eq	p6, p7 = 0, r8 ;;
	must	p6, 40
	action	USR1, where, ONSTACK
	mov	r5 = ar.bsp ;;
	raise	USR1
	movl	r14 = alt ;;
	movl	r16 = alt + 0x20000 ;;
	movl	r2 = place ;;
	ld8	r3 = [r2], 8 ;;
	cmp.gtu	p6, p7 = r3, r14 ;;
	must	p6, 41
	cmp.leu	p6, p7 = r3, r16 ;;
	must	p6, 42
	ld8	r3 = [r2] ;;
	cmp.geu	p6, p7 = r3, r14 ;;
	must	p6, 43
	cmp.ltu	p6, p7 = r3, r16 ;;
	must	p6, 44
	mov	r3 = ar.bsp ;;
	cmp.eq	p6, p7 = r3, r5 ;;
	must	p6, 45
	mov	r40 = DEPTH ;;
	br.call.sptk.many b0 = sum ;;
	mov	r14 = DEPTH * (DEPTH + 1) / 2 ;;
	cmp.eq	p6, p7 = r8, r14 ;;
	must	p6, 46

	// Part 6: waiting for signals
	action	USR1, note, 0
	mask	0, (1 << (USR1 - 1)) | (1 << (USR2 - 1))
	raise	USR1
	movl	r40 = zero ;;
	mov	r41 = 8 ;;
	syscall	SYS_sigsuspend
	gives	4, 50
	holds	noted, 7, 51
	raise	USR1			// blocked again
	holds	noted, 7, 52
	raise	USR2
	movl	r2 = set ;;
	mov	r3 = 1 << (USR2 - 1) ;;
	st8	[r2] = r3 ;;
	movl	r40 = set ;;
	movl	r41 = info ;;
	mov	r42 = 0 ;;
	mov	r43 = 8 ;;
	syscall	SYS_sigtimedwait
	cmp.eq	p6, p7 = USR2, r8 ;;
	must	p6, 53
	movl	r42 = short ;;
	syscall	SYS_sigtimedwait
	gives	11, 54

	// Part 7: what is refused
	mov	r40 = 9 ;;
	movl	r41 = act ;;
	mov	r42 = 0 ;;
	mov	r43 = 8 ;;
	syscall	SYS_sigaction
	gives	22, 60
	mov	r40 = USR1 ;;
	mov	r43 = 4 ;;
	syscall	SYS_sigaction
	gives	22, 61
	mov	r40 = 3 ;;
	movl	r41 = soon ;;
	syscall	SYS_setitimer
	gives	22, 62
	mov	r40 = 0 ;;
	movl	r41 = wrong ;;
	syscall	SYS_setitimer
	gives	22, 63
	movl	r40 = small ;;
	mov	r41 = 0 ;;
	syscall	SYS_sigaltstack
	gives	12, 64
	mov	r40 = 3 ;;
	mov	r41 = USR1 ;;
	syscall	SYS_kill
	gives	3, 65
	raise	65
	gives	22, 66
	exit	7
	.endp	_start

	// Handlers: signal, siginfo, sigcontext

	// Count, and destroy whatever a handler may.
	.proc	tick
tick:
	alloc	r35 = ar.pfs, 3, 4, 1, 0 ;;
	mov	r36 = b0 ;;
	cmp.eq	p6, p7 = ALRM, r32 ;;
	must	p6, 70
	movl	r2 = ticks ;;
	fetchadd8.acq r3 = [r2], 1 ;;
	mov	r39 = 50 ;;
	br.call.sptk.many b0 = sum ;;
	mov	r14 = 50 * 51 / 2 ;;
	cmp.eq	p6, p7 = r8, r14 ;;
	must	p6, 71
	movl	r2 = 0x123456789abcdef ;;
	mov	ar.ccv = r2 ;;
	mov	b6 = r2 ;;
	mov	b7 = r2 ;;
	setf.sig f6 = r2 ;;
	setf.sig f15 = r2 ;;
	setf.sig f32 = r2 ;;
	setf.sig f127 = r2 ;;
	mov	r3 = r2 ;;
	mov	r8 = r2 ;;
	mov	r9 = r2 ;;
	mov	r10 = r2 ;;
	mov	r11 = r2 ;;
	mov	r14 = r2 ;;
	mov	r15 = r2 ;;
	mov	r16 = r2 ;;
	mov	r17 = r2 ;;
	mov	r18 = r2 ;;
	mov	r20 = r2 ;;
	mov	r31 = r2 ;;
	mov	pr = r2, 0xffc0 ;;
	mov	pr.rot = 0 ;;
	clrrrb ;;
	mov	b0 = r36 ;;
	mov	ar.pfs = r35 ;;
	br.ret.sptk.many b0 ;;
	.endp	tick

	.proc	note
note:
	movl	r2 = last ;;
	st8	[r2] = r32 ;;
	movl	r2 = noted ;;
	fetchadd8.acq r3 = [r2], 1 ;;
	br.ret.sptk.many b0 ;;
	.endp	note

	.proc	change
change:
	movl	r2 = word ;;
	fetchadd4.acq r3 = [r2], 1 ;;
	br.ret.sptk.many b0 ;;
	.endp	change

	// Keep what it is told, go on behind the bundle with 77 in r8.
	.proc	fault
fault:
	movl	r2 = last ;;
	st8	[r2] = r32 ;;
	add	r3 = 8, r33 ;;
	ld4	r3 = [r3] ;;
	movl	r2 = code ;;
	st8	[r2] = r3 ;;
	add	r3 = 16, r33 ;;
	ld8	r3 = [r3] ;;
	movl	r2 = address ;;
	st8	[r2] = r3 ;;
	add	r3 = 24, r33 ;;
	ld4	r3 = [r3] ;;
	movl	r2 = number ;;
	st8	[r2] = r3 ;;
	add	r2 = SC_IP, r34 ;;
	ld8	r3 = [r2] ;;
	add	r3 = 16, r3 ;;
	dep	r3 = 0, r3, 0, 4 ;;
	st8	[r2] = r3 ;;
	add	r2 = SC_GR + 64, r34 ;;
	mov	r3 = 77 ;;
	st8	[r2] = r3 ;;
	br.ret.sptk.many b0 ;;
	.endp	fault

	.proc	where
where:
	alloc	r35 = ar.pfs, 3, 4, 1, 0 ;;
	mov	r36 = b0 ;;
	movl	r2 = place ;;
	st8	[r2] = r12, 8 ;;
	mov	r3 = ar.bsp ;;
	st8	[r2] = r3 ;;
	mov	r39 = DEPTH ;;
	br.call.sptk.many b0 = sum ;;
	mov	b0 = r36 ;;
	mov	ar.pfs = r35 ;;
	br.ret.sptk.many b0 ;;
	.endp	where

	// The sum of 1 to in0, a frame for each: more than the processor has. Every other frame
	// has a NaT, and all know their number again.
	.proc	sum
sum:
	alloc	r33 = ar.pfs, 1, 4, 1, 0 ;;
	mov	r34 = b0 ;;
	mov	r35 = r32 ;;
	mov	r36 = r32 ;;
	tbit.nz	p8, p9 = r32, 0 ;;
	(p8) mov r36 = r7 ;;
	cmp.eq	p6, p7 = 0, r32 ;;
	(p6) mov r8 = 0 ;;
	(p6) br.cond.sptk 1f ;;
	add	r37 = -1, r32 ;;
	br.call.sptk.many b0 = sum ;;
	add	r8 = r8, r32 ;;
	cmp.eq	p6, p7 = r32, r35 ;;
	(p7) add r8 = 1, r8 ;;		// not what it should be
	tbit.nz	p8, p9 = r32, 0 ;;
	tnat.nz	p6, p7 = r36 ;;
	(p8) mov r2 = 1 ;;
	(p9) mov r2 = 0 ;;
	(p6) mov r3 = 1 ;;
	(p7) mov r3 = 0 ;;
	xor	r2 = r2, r3 ;;
	add	r8 = r8, r2 ;;
1:	mov.i	ar.pfs = r33 ;;
	mov	b0 = r34 ;;
	br.ret.sptk.many b0 ;;
	.endp	sum

	// Twice the sum of 1 to 32, in three stages
	.proc	rotate
rotate:
	alloc	r14 = ar.pfs, 0, 16, 0, 16 ;;
	mov.i	ar.lc = 31 ;;
	mov.i	ar.ec = 3 ;;
	mov	pr.rot = 1 << 16 ;;
	mov	r20 = 1 ;;
	mov	r8 = 0 ;;
1:	(p16) mov r32 = r20 ;;
	(p16) add r20 = 1, r20 ;;
	(p17) add r33 = r33, r33 ;;
	(p18) add r8 = r8, r34 ;;
	br.ctop.sptk.few 1b ;;
	mov.i	ar.pfs = r14 ;;
	br.ret.sptk.many b0 ;;
	.endp	rotate

	.section .rodata, "a", "progbits"
	.balign	8
zero:
	data8	0
often:
	data8	0, 20, 0, 20
soon:
	data8	0, 0, 0, 100
never:
	data8	0, 0, 0, 0
wrong:
	data8	0, 0, 0, 1000000
second:
	data8	1, 0
short:
	data8	0, 1000
stack:
	data8	alt, 0, 0x20000
small:
	data8	alt, 0, 0x10000
queued:
	data4	0, 0, -1, 0
	.skip	112

	.data
	.balign	16
	.irp	handler, tick, note, change, fault, where
\handler\()_plabel:
	data8	\handler, 0
	.endr
act:
	data8	0, 0, 0
set:
	data8	0, 0, 0, 0
ticks:
	data8	0
noted:
	data8	0
last:
	data8	0
code:
	data8	0
address:
	data8	0
number:
	data8	0
place:
	data8	0, 0
word:
	data8	0
info:
	.skip	128

	.bss
	.balign	16
alt:
	.skip	0x20000
