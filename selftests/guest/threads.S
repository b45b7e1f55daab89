// SPDX-License-Identifier: GPL-2.0-only
// Threads of one program. Each part ends with the number of what did not hold, or the next
// begins; 7 says that all did. Meant to be run with turns of any length.
	.include "guest.inc"
	.include "check.inc"

SYS_clone2 = 1213
SYS_clone = 1128
SYS_futex = 1230
SYS_yield = 1164
SYS_nanosleep = 1168
SYS_gettid = 1105
SYS_gettime = 1254
SYS_set_tid = 1233

// CLONE_VM, FS, FILES, SIGHAND, THREAD, SETTLS, PARENT_SETTID, CHILD_CLEARTID
FLAGS = 0x390f00
NR = 4
TURNS = 300
DEPTH = 200
STACK = 0x10000

	.text
	.global	_start
	.proc	_start
_start:
	// With an argument: wait for what does not come.
	add	r2 = 16, r12 ;;
	ld8	r2 = [r2] ;;
	alloc	r32 = ar.pfs, 0, 8, 6, 0 ;;
	cmp.eq	p6, p7 = 1, r2 ;;
	(p6) br.cond.sptk 1f ;;
	movl	r40 = lock ;;
	mov	r41 = 0 ;;
	mov	r42 = 0 ;;
	mov	r43 = 0 ;;
	syscall	SYS_futex
1:	mov	r4 = 0 ;;
	// Part 1: workers with a number each; r5 is what they run, r4 how many there are
	movl	r5 = work ;;
	br.call.sptk.many b0 = start_all ;;
	br.call.sptk.many b0 = join_all ;;
	movl	r2 = counter ;;
	ld8	r3 = [r2] ;;
	mov	r14 = NR * TURNS ;;
	cmp.eq	p6, p7 = r3, r14 ;;
	must	p6, 1
	// each said that its sum and its registers held
	movl	r2 = good ;;
	ld8	r3 = [r2] ;;
	cmp.eq	p6, p7 = NR, r3 ;;
	must	p6, 2

	// Part 2: time ends a wait, and goes on while no thread runs
	mov	r40 = 1 ;;
	movl	r41 = before ;;
	syscall	SYS_gettime
	movl	r40 = counter ;;
	mov	r41 = 0 ;;		// FUTEX_WAIT
	mov	r42 = NR * TURNS ;;
	movl	r43 = millisecond ;;
	syscall	SYS_futex
	mov	r14 = 110 ;;		// ETIMEDOUT
	cmp.eq	p6, p7 = r8, r14 ;;
	must	p6, 3
	cmp.eq	p6, p7 = -1, r10 ;;
	must	p6, 4
	mov	r40 = 1 ;;
	movl	r41 = after ;;
	syscall	SYS_gettime
	movl	r2 = before + 8 ;;
	movl	r3 = after + 8 ;;
	ld8	r14 = [r2] ;;
	ld8	r16 = [r3] ;;
	sub	r14 = r16, r14 ;;
	movl	r16 = 1000000 ;;
	cmp.geu	p6, p7 = r14, r16 ;;
	must	p6, 5
	movl	r16 = 1200000 ;;
	cmp.ltu	p6, p7 = r14, r16 ;;
	must	p6, 6

	// Part 3: what is refused
	movl	r40 = counter ;;
	mov	r41 = 0 ;;
	mov	r42 = 1 ;;		// not its value: EAGAIN
	mov	r43 = 0 ;;
	syscall	SYS_futex
	cmp.eq	p6, p7 = 11, r8 ;;
	must	p6, 10
	movl	r40 = counter + 2 ;;
	syscall	SYS_futex		// not aligned: EINVAL
	cmp.eq	p6, p7 = 22, r8 ;;
	must	p6, 11
	mov	r40 = 16 ;;
	mov	r41 = 0 ;;
	syscall	SYS_futex		// no memory: EFAULT
	cmp.eq	p6, p7 = 14, r8 ;;
	must	p6, 12
	movl	r40 = counter ;;
	mov	r41 = 6 ;;		// FUTEX_LOCK_PI: ENOSYS
	syscall	SYS_futex
	cmp.eq	p6, p7 = 38, r8 ;;
	must	p6, 13
	mov	r40 = 0x411 ;;		// a process with the same files
	mov	r41 = 0 ;;
	syscall	SYS_clone2
	cmp.eq	p6, p7 = 38, r8 ;;
	must	p6, 14
	movl	r40 = 0x10100 ;;	// CLONE_THREAD without CLONE_SIGHAND
	syscall	SYS_clone2
	cmp.eq	p6, p7 = 22, r8 ;;
	must	p6, 15
	movl	r40 = FLAGS ;;
	mov	r41 = 0 ;;		// no stack
	syscall	SYS_clone2
	cmp.eq	p6, p7 = 22, r8 ;;
	must	p6, 16
	movl	r40 = FLAGS ;;
	movl	r41 = stacks ;;
	mov	r43 = 16 ;;		// nowhere for its number
	syscall	SYS_clone2
	cmp.eq	p6, p7 = 14, r8 ;;
	must	p6, 17
	movl	r40 = seconds ;;
	syscall	SYS_nanosleep		// 10^9 nanoseconds: EINVAL
	cmp.eq	p6, p7 = 22, r8 ;;
	must	p6, 18

	// Part 4: an advanced load and a thread that uses its register
	movl	r5 = other ;;
	br.call.sptk.many b0 = start_one ;;
	movl	r2 = x ;;
	movl	r3 = y ;;
	ld8.a	r14 = [r2] ;;
	// until it has ended, on this processor or on another
1:	syscall	SYS_yield
	movl	r16 = tid ;;
	shladd	r16 = r4, 3, r16 ;;
	ld4	r16 = [r16] ;;
	cmp4.eq	p6, p7 = 0, r16 ;;
	(p7) br.cond.sptk 1b ;;
	movl	r2 = x ;;
	ld8.c.clr r14 = [r2] ;;
	cmp.eq	p6, p7 = 2, r14 ;;
	must	p6, 20

	// Part 5: the first thread ends, another goes on; the status is the first's
	movl	r5 = last ;;
	br.call.sptk.many b0 = start_one ;;
	exit	7
	.endp	_start

	// Start one more thread at r5's code, with a stack and a word of its own.
	.proc	start_one
start_one:
	alloc	r32 = ar.pfs, 0, 8, 6, 0 ;;
	add	r4 = 1, r4 ;;
	movl	r41 = stacks ;;
	mov	r42 = STACK ;;
	shl	r2 = r4, 16 ;;
	add	r41 = r41, r2 ;;
	movl	r40 = FLAGS ;;
	movl	r43 = tid ;;
	shladd	r43 = r4, 3, r43 ;;
	mov	r44 = r43 ;;
	shl	r45 = r4, 32 ;;		// its r13
	mov	r15 = SYS_clone2 ;;
	break.i	0x100000 ;;
	cmp.eq	p6, p7 = 0, r8 ;;
	(p6) mov b6 = r5 ;;
	(p6) br.cond.sptk b6 ;;
	cmp.eq	p6, p7 = 0, r10 ;;
	must	p6, 30
	movl	r43 = tid ;;
	shladd	r43 = r4, 3, r43 ;;
	ld4	r2 = [r43] ;;
	// its number, unless it has ended already
	cmp.eq	p6, p7 = r2, r8 ;;
	(p7) cmp.eq p6, p7 = 0, r2 ;;
	must	p6, 31
	br.ret.sptk.many b0 ;;
	.endp	start_one

	.proc	start_all
start_all:
	alloc	r32 = ar.pfs, 0, 8, 6, 0 ;;
	mov	r34 = b0 ;;
1:	br.call.sptk.many b0 = start_one ;;
	cmp.gt	p6, p7 = NR, r4 ;;
	(p6) br.cond.sptk 1b ;;
	mov	b0 = r34 ;;
	mov.i	ar.pfs = r32 ;;
	br.ret.sptk.many b0 ;;
	.endp	start_all

	// Wait until the words of all threads are 0.
	.proc	join_all
join_all:
	alloc	r32 = ar.pfs, 0, 8, 6, 0 ;;
	mov	r34 = r4 ;;
1:	movl	r40 = tid ;;
	shladd	r40 = r34, 3, r40 ;;
	ld4	r42 = [r40] ;;
	cmp4.eq	p6, p7 = 0, r42 ;;
	(p6) br.cond.sptk 2f ;;
	mov	r41 = 128 ;;		// FUTEX_WAIT, private
	mov	r43 = 0 ;;
	mov	r44 = 0 ;;
	mov	r45 = 0 ;;
	mov	r15 = SYS_futex ;;
	break.i	0x100000 ;;
	br.cond.sptk 1b ;;
2:	add	r34 = -1, r34 ;;
	cmp.lt	p6, p7 = 0, r34 ;;
	(p6) br.cond.sptk 1b ;;
	br.ret.sptk.many b0 ;;
	.endp	join_all

	// A worker: r13 >> 32 is its number.
work:
	alloc	r32 = ar.pfs, 0, 8, 6, 0 ;;
	shr.u	r33 = r13, 32 ;;
	mov	r14 = 0x123 ;;
	add	r14 = r14, r33 ;;
	// registers of each kind that nothing here changes
	setf.sig f6 = r14 ;;
	setf.sig f40 = r14 ;;
	setf.sig f127 = r14 ;;
	mov	b6 = r14 ;;
	mov	ar.ccv = r14 ;;
	mov	ar.unat = r14 ;;
	mov.i	ar.lc = r14 ;;
	mov.i	ar.ec = r33 ;;
	shl	r16 = r14, 20 ;;
	mov	pr = r16, -2 ;;
	mov	r18 = pr ;;
	mov	r37 = r18 ;;
	mov	r36 = TURNS ;;
1:	br.call.sptk.many b0 = take ;;
	movl	r2 = counter ;;
	ld8	r3 = [r2] ;;
	add	r3 = 1, r3 ;;
	st8	[r2] = r3 ;;
	br.call.sptk.many b0 = give ;;
	add	r36 = -1, r36 ;;
	cmp.ne	p6, p7 = 0, r36 ;;
	(p6) br.cond.sptk 1b ;;
	mov	r40 = DEPTH ;;
	br.call.sptk.many b0 = sum ;;
	mov	r14 = DEPTH * (DEPTH + 1) / 2 ;;
	cmp.eq	p6, p7 = r8, r14 ;;
	must	p6, 40
	mov	r14 = 0x123 ;;
	add	r14 = r14, r33 ;;
	getf.sig r16 = f6 ;;
	cmp.eq	p6, p7 = r14, r16 ;;
	must	p6, 41
	getf.sig r16 = f40 ;;
	cmp.eq	p6, p7 = r14, r16 ;;
	must	p6, 42
	getf.sig r16 = f127 ;;
	cmp.eq	p6, p7 = r14, r16 ;;
	must	p6, 43
	mov	r16 = b6 ;;
	cmp.eq	p6, p7 = r14, r16 ;;
	must	p6, 44
	mov	r16 = ar.unat ;;
	cmp.eq	p6, p7 = r14, r16 ;;
	must	p6, 45
	mov.i	r16 = ar.lc ;;
	cmp.eq	p6, p7 = r14, r16 ;;
	must	p6, 46
	mov.i	r16 = ar.ec ;;
	cmp.eq	p6, p7 = r33, r16 ;;
	must	p6, 47
	mov	r16 = pr ;;
	shr.u	r16 = r16, 16 ;;
	shr.u	r18 = r37, 16 ;;
	cmp.eq	p6, p7 = r18, r16 ;;
	must	p6, 48
	mov	r15 = SYS_gettid ;;
	break.i	0x100000 ;;
	movl	r2 = tid ;;
	shladd	r2 = r33, 3, r2 ;;
	ld4	r3 = [r2] ;;
	cmp4.eq	p6, p7 = r3, r8 ;;
	must	p6, 49
	movl	r2 = good ;;
	fetchadd8.acq r3 = [r2], 1 ;;
	mov	r40 = 0 ;;
	mov	r15 = SYS_exit ;;
	break.i	0x100000 ;;

	// The sum of 1 to in0, a frame for each: more than the processor has. Every other frame
	// has a NaT, and all know their number again.
	.proc	sum
sum:
	alloc	r33 = ar.pfs, 1, 4, 1, 0 ;;
	mov	r34 = b0 ;;
	add	r35 = r13, r32 ;;
	mov	r36 = r32 ;;
	tbit.nz	p8, p9 = r32, 0 ;;
	(p8) ld8.s r36 = [r0] ;;
	cmp.eq	p6, p7 = 0, r32 ;;
	(p6) mov r8 = 0 ;;
	(p6) br.cond.sptk 1f ;;
	add	r37 = -1, r32 ;;
	br.call.sptk.many b0 = sum ;;
	add	r8 = r8, r32 ;;
	add	r2 = r13, r32 ;;
	cmp.eq	p6, p7 = r2, r35 ;;
	(p7) add r8 = 1, r8 ;;		// not what it should be
	tbit.nz	p8, p9 = r32, 0 ;;
	tnat.nz	p6, p7 = r36 ;;
	(p8) cmp.ne.unc p10, p11 = r0, r0 ;;
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

	// A lock: 0 free, 1 taken, 2 taken and awaited. ar.ccv is given back. Outputs that a call
	// does not use may be NaT from an earlier frame, which the kernel refuses.
	.proc	take
take:
	alloc	r32 = ar.pfs, 0, 8, 6, 0 ;;
	mov	r21 = ar.ccv ;;
	movl	r40 = lock ;;
	mov	ar.ccv = 0 ;;
	mov	r2 = 1 ;;
	cmpxchg4.acq r3 = [r40], r2, ar.ccv ;;
	cmp4.eq	p6, p7 = 0, r3 ;;
	(p6) br.cond.sptk 2f ;;
1:	mov	r2 = 2 ;;
	xchg4	r3 = [r40], r2 ;;
	cmp4.eq	p6, p7 = 0, r3 ;;
	(p6) br.cond.sptk 2f ;;
	mov	r41 = 0 ;;
	mov	r42 = 2 ;;
	mov	r43 = 0 ;;
	mov	r44 = 0 ;;
	mov	r45 = 0 ;;
	mov	r15 = SYS_futex ;;
	break.i	0x100000 ;;
	br.cond.sptk 1b ;;
2:	mov	ar.ccv = r21 ;;
	br.ret.sptk.many b0 ;;
	.endp	take

	.proc	give
give:
	alloc	r32 = ar.pfs, 0, 8, 6, 0 ;;
	movl	r40 = lock ;;
	xchg4	r3 = [r40], r0 ;;
	cmp4.eq	p6, p7 = 2, r3 ;;
	(p7) br.ret.sptk.many b0 ;;
	mov	r41 = 1 ;;		// FUTEX_WAKE
	mov	r42 = 1 ;;
	mov	r43 = 0 ;;
	mov	r44 = 0 ;;
	mov	r45 = 0 ;;
	mov	r15 = SYS_futex ;;
	break.i	0x100000 ;;
	br.ret.sptk.many b0 ;;
	.endp	give

	// Change x, and load into the register that the first thread's advanced load has.
other:
	alloc	r32 = ar.pfs, 0, 8, 6, 0 ;;
	movl	r2 = x ;;
	mov	r3 = 2 ;;
	st8	[r2] = r3 ;;
	movl	r2 = y ;;
	ld8.a	r14 = [r2] ;;
	mov	r40 = 0 ;;
	mov	r15 = SYS_exit ;;
	break.i	0x100000 ;;

last:
	alloc	r32 = ar.pfs, 0, 8, 6, 0 ;;
	mov	r40 = 1 ;;
	movl	r41 = words ;;
	mov	r42 = words_end - words ;;
	mov	r15 = SYS_write ;;
	break.i	0x100000 ;;
	mov	r40 = 9 ;;
	mov	r15 = SYS_exit ;;
	break.i	0x100000 ;;

	.data
	.align	16
lock:	data8	0
counter: data8	0
good:	data8	0
x:	data8	1
y:	data8	5
tid:	.skip	128
before:	.skip	16
after:	.skip	16
millisecond:
	data8	0, 1000000
seconds:
	data8	0, 1000000000
words:	.ascii	"the last thread\n"
words_end:
	.bss
	.align	65536
stacks:	.skip	STACK * (NR + 4)
