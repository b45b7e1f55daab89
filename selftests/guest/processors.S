// SPDX-License-Identifier: GPL-2.0-only
// Threads of one program on several logical processors. The arguments are the number of
// processors, one digit, and, where a part is wanted that ends the program, its name's first
// letter: d for a death on the last processor, e for exit_group. Each part ends with the number
// of what did not hold, or the next begins; 9 says that all did.
	.include "guest.inc"
	.include "check.inc"

SYS_mmap = 1151
SYS_munmap = 1152
SYS_yield = 1164
SYS_clone2 = 1213
SYS_futex = 1230
SYS_setaffinity = 1231
SYS_getaffinity = 1232
SYS_exit_group = 1236
SYS_getcpu = 1304

// CLONE_VM, FS, FILES, SIGHAND, THREAD, SETTLS, PARENT_SETTID, CHILD_CLEARTID
FLAGS = 0x390f00
STACK = 0x10000
MORE = 9		// threads than any number of processors
MAP_FIXED_PRIVATE_ANONYMOUS = 0x32
PAGE = 0x2000000010000000
SPINS = 500

	.text
	.global	_start
	.proc	_start
_start:
	add	r2 = 32, r12 ;;
	ld8	r2 = [r2] ;;
	ld1	r3 = [r2] ;;
	add	r7 = -0x30, r3		// r7: how many processors there are
	alloc	r32 = ar.pfs, 0, 8, 6, 0 ;;
	add	r2 = 40, r12 ;;
	ld8	r2 = [r2] ;;
	cmp.eq	p6, p7 = 0, r2 ;;
	mov	r33 = 0 ;;
	(p7) ld1 r33 = [r2] ;;

	// Part 1: the processors that it may have are all of them, and it begins on the first.
	mov	r40 = 0 ;;
	mov	r41 = 8 ;;
	movl	r42 = set ;;
	syscall	SYS_getaffinity
	cmp.eq	p6, p7 = 8, r8 ;;
	must	p6, 20
	mov	r14 = 1 ;;
	shl	r14 = r14, r7 ;;
	add	r14 = -1, r14 ;;
	movl	r2 = set ;;
	ld8	r3 = [r2] ;;
	cmp.eq	p6, p7 = r3, r14 ;;
	must	p6, 21
	movl	r40 = cpu ;;
	mov	r41 = 0 ;;
	syscall	SYS_getcpu
	movl	r2 = cpu ;;
	ld4	r3 = [r2] ;;
	cmp.eq	p6, p7 = 0, r3 ;;
	must	p6, 22

	// Part 2: threads wait for each other without a system call. They are as many as
	// processors, with the first: each has its own all the time.
	mov	r4 = 0 ;;
	movl	r5 = meet ;;
	add	r6 = -1, r7 ;;
	br.call.sptk.many b0 = start_all ;;
	mov	r13 = 0 ;;
	br.call.sptk.many b0 = meeting ;;
	br.call.sptk.many b0 = join_all ;;
	// each bit of a processor was set once
	mov	r14 = 1 ;;
	shl	r14 = r14, r7 ;;
	add	r14 = -1, r14 ;;
	movl	r2 = seen ;;
	ld8	r3 = [r2] ;;
	cmp.eq	p6, p7 = r3, r14 ;;
	must	p6, 23

	// Part 3: more threads than processors, by turns: each adds under a lock that spins.
	mov	r4 = 0 ;;
	movl	r5 = add_up ;;
	mov	r6 = MORE ;;
	br.call.sptk.many b0 = start_all ;;
	br.call.sptk.many b0 = join_all ;;
	movl	r2 = sum ;;
	ld8	r3 = [r2] ;;
	mov	r14 = MORE * SPINS ;;
	cmp.eq	p6, p7 = r3, r14 ;;
	must	p6, 24

	// Part 4: a page that another takes away: the next one there is what all processors see.
	movl	r41 = PAGE ;;
	br.call.sptk.many b0 = map ;;
	put	PAGE, 5
	mov	r4 = 0 ;;
	movl	r5 = look ;;
	add	r6 = -1, r7 ;;
	br.call.sptk.many b0 = start_all ;;
	// all have seen the 5
1:	movl	r2 = looks ;;
	ld8.acq	r3 = [r2] ;;
	cmp.eq	p6, p7 = r3, r6 ;;
	(p7) br.cond.sptk 1b ;;
	movl	r40 = PAGE ;;
	mov	r41 = 0x4000 ;;
	syscall	SYS_munmap
	// what was there goes to another
	movl	r41 = PAGE + 0x100000 ;;
	br.call.sptk.many b0 = map ;;
	put	PAGE + 0x100000, 3
	movl	r41 = PAGE ;;
	br.call.sptk.many b0 = map ;;
	put	PAGE, 7
	movl	r2 = again ;;
	mov	r3 = 1 ;;
	st8.rel	[r2] = r3 ;;
	br.call.sptk.many b0 = join_all ;;
	movl	r2 = sevens ;;
	ld8	r3 = [r2] ;;
	cmp.eq	p6, p7 = r3, r6 ;;
	must	p6, 25

	// Part 5: it goes where it is sent, a thread that it makes as well, and nowhere else.
	add	r14 = -1, r7 ;;
	mov	r3 = 1 ;;
	shl	r3 = r3, r14 ;;
	movl	r2 = set ;;
	st8	[r2] = r3 ;;
	mov	r40 = 0 ;;
	mov	r41 = 8 ;;
	movl	r42 = set ;;
	syscall	SYS_setaffinity
	cmp.eq	p6, p7 = 0, r8 ;;
	must	p6, 26
	mov	r13 = 0 ;;
	br.call.sptk.many b0 = on_last ;;
	must	p6, 27
	mov	r4 = 0 ;;
	movl	r5 = follow ;;
	mov	r6 = 1 ;;
	br.call.sptk.many b0 = start_all ;;
	br.call.sptk.many b0 = join_all ;;
	movl	r2 = follows ;;
	ld8	r3 = [r2] ;;
	cmp.eq	p6, p7 = 1, r3 ;;
	must	p6, 28
	movl	r2 = set ;;
	mov	r3 = 1 ;;
	shl	r3 = r3, r7 ;;
	st8	[r2] = r3 ;;
	mov	r40 = 0 ;;
	mov	r41 = 8 ;;
	movl	r42 = set ;;
	syscall	SYS_setaffinity
	cmp.eq	p6, p7 = 22, r8 ;;	// no such processor: EINVAL
	must	p6, 29

	cmp.eq	p6, p7 = 0x64, r33 ;;
	(p6) break.i 0 ;;
	movl	r2 = set ;;
	mov	r3 = -1 ;;
	st8	[r2] = r3 ;;
	mov	r40 = 0 ;;
	mov	r41 = 8 ;;
	movl	r42 = set ;;
	syscall	SYS_setaffinity

	// Part 6: one that is woken begins at once, beside the one that has woken it.
	mov	r4 = 0 ;;
	movl	r5 = wake ;;
	mov	r6 = 1 ;;
	br.call.sptk.many b0 = start_all ;;
	movl	r40 = bell ;;
	mov	r41 = 128 ;;
	mov	r42 = 0 ;;
	mov	r43 = 0 ;;
	syscall	SYS_futex
	movl	r2 = bell ;;
	mov	r3 = 1 ;;
	st8.rel	[r2] = r3 ;;
	br.call.sptk.many b0 = join_all ;;
	movl	r2 = rings ;;
	ld8	r3 = [r2] ;;
	movl	r14 = 100000 ;;		// some quanta of a core's threads
	cmp.lt	p6, p7 = r3, r14 ;;
	(p7) cmp.eq p6, p7 = 1, r7 ;;
	must	p6, 31

	// The end of the process is that of threads on other processors too.
	cmp.eq	p6, p7 = 0x65, r33 ;;
	(p7) br.cond.sptk 2f ;;
	mov	r4 = 0 ;;
	movl	r5 = spin ;;
	mov	r6 = MORE ;;
	br.call.sptk.many b0 = start_all ;;
	mov	r40 = 8
	syscall	SYS_exit_group
2:	mov	r40 = 9
	syscall	SYS_exit_group
	.endp	_start

	// A page of zeros at the address in its caller's r41.
	.proc	map
map:
	alloc	r35 = ar.pfs, 2, 6, 6, 0 ;;
	mov	r40 = r33 ;;
	mov	r41 = 0x4000 ;;
	mov	r42 = 3 ;;
	mov	r43 = MAP_FIXED_PRIVATE_ANONYMOUS ;;
	mov	r44 = -1 ;;
	mov	r45 = 0 ;;
	mov	r15 = SYS_mmap ;;
	break.i	0x100000 ;;
	br.ret.sptk.many b0 ;;
	.endp	map

	// Start threads with numbers from r4 + 1 to r6 at r5's code, each with a stack and a word.
	.proc	start_all
start_all:
	alloc	r32 = ar.pfs, 0, 8, 6, 0 ;;
	cmp.eq	p6, p7 = r4, r6 ;;
	(p6) br.ret.sptk.many b0 ;;
1:	add	r4 = 1, r4 ;;
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
	cmp.eq	p6, p7 = r4, r6 ;;
	(p7) br.cond.sptk 1b ;;
	br.ret.sptk.many b0 ;;
	.endp	start_all

	// Wait until the words of all threads are 0.
	.proc	join_all
join_all:
	alloc	r32 = ar.pfs, 0, 8, 6, 0 ;;
	mov	r34 = r4 ;;
1:	cmp.eq	p6, p7 = 0, r34 ;;
	(p6) br.ret.sptk.many b0 ;;
	movl	r40 = tid ;;
	shladd	r40 = r34, 3, r40 ;;
	ld4	r42 = [r40] ;;
	cmp4.eq	p6, p7 = 0, r42 ;;
	(p6) add r34 = -1, r34 ;;
	(p6) br.cond.sptk 1b ;;
	mov	r41 = 128 ;;		// FUTEX_WAIT, private
	mov	r43 = 0 ;;
	mov	r44 = 0 ;;
	mov	r45 = 0 ;;
	mov	r15 = SYS_futex ;;
	break.i	0x100000 ;;
	br.cond.sptk 1b ;;
	.endp	join_all

	// Say on which processor it is, and wait until r7 threads are here.
	.proc	meeting
meeting:
	alloc	r32 = ar.pfs, 0, 8, 6, 0 ;;
	shr.u	r33 = r13, 32 ;;
	movl	r40 = cpu ;;
	shladd	r40 = r33, 2, r40 ;;
	mov	r34 = r40 ;;
	mov	r41 = 0 ;;
	mov	r15 = SYS_getcpu ;;
	break.i	0x100000 ;;
	ld4	r3 = [r34] ;;
	mov	r14 = 1 ;;
	shl	r14 = r14, r3 ;;
	movl	r2 = seen ;;
2:	ld8.acq	r16 = [r2] ;;
	mov	ar.ccv = r16 ;;
	add	r17 = r16, r14 ;;
	cmpxchg8.acq r18 = [r2], r17, ar.ccv ;;
	cmp.eq	p6, p7 = r18, r16 ;;
	(p7) br.cond.sptk 2b ;;
	movl	r2 = here ;;
	fetchadd8.rel r3 = [r2], 1 ;;
1:	ld8.acq	r3 = [r2] ;;
	cmp.eq	p6, p7 = r3, r7 ;;
	(p7) br.cond.sptk 1b ;;
	br.ret.sptk.many b0 ;;
	.endp	meeting

meet:
	alloc	r32 = ar.pfs, 0, 8, 6, 0 ;;
	br.call.sptk.many b0 = meeting ;;
	br.cond.sptk done ;;

add_up:
	alloc	r32 = ar.pfs, 0, 8, 6, 0 ;;
	mov	r36 = SPINS ;;
1:	mov	ar.ccv = r0 ;;
	mov	r14 = 1 ;;
	movl	r2 = lock ;;
	cmpxchg8.acq r3 = [r2], r14, ar.ccv ;;
	cmp.eq	p6, p7 = 0, r3 ;;
	(p7) br.cond.spnt 1b ;;
	movl	r2 = sum ;;
	ld8	r3 = [r2] ;;
	add	r3 = 1, r3 ;;
	st8	[r2] = r3 ;;
	movl	r2 = lock ;;
	st8.rel	[r2] = r0 ;;
	add	r36 = -1, r36 ;;
	cmp.ne	p6, p7 = 0, r36 ;;
	(p6) br.cond.sptk 1b ;;
	br.cond.sptk done ;;

look:
	alloc	r32 = ar.pfs, 0, 8, 6, 0 ;;
	movl	r2 = PAGE ;;
	ld8	r3 = [r2] ;;
	cmp.eq	p6, p7 = 5, r3 ;;
	movl	r2 = looks ;;
	(p6) fetchadd8.rel r3 = [r2], 1 ;;
	movl	r2 = again ;;
1:	ld8.acq	r3 = [r2] ;;
	cmp.eq	p6, p7 = 1, r3 ;;
	(p7) br.cond.sptk 1b ;;
	movl	r2 = PAGE ;;
	ld8	r3 = [r2] ;;
	cmp.eq	p6, p7 = 7, r3 ;;
	movl	r2 = sevens ;;
	(p6) fetchadd8.rel r3 = [r2], 1 ;;
	br.cond.sptk done ;;

follow:
	alloc	r32 = ar.pfs, 0, 8, 6, 0 ;;
	br.call.sptk.many b0 = on_last ;;
	movl	r2 = follows ;;
	(p6) fetchadd8.rel r3 = [r2], 1 ;;
	br.cond.sptk done ;;

	// Wake the first thread from the bell, and count until it rings that.
wake:
	alloc	r32 = ar.pfs, 0, 8, 6, 0 ;;
1:	movl	r40 = bell ;;
	mov	r41 = 129 ;;		// FUTEX_WAKE, private
	mov	r42 = 1 ;;
	mov	r15 = SYS_futex ;;
	break.i	0x100000 ;;
	cmp.eq	p6, p7 = 1, r8 ;;
	(p7) br.cond.sptk 1b ;;
	mov	r36 = 0 ;;
	movl	r2 = bell ;;
2:	ld8.acq	r3 = [r2] ;;
	add	r36 = 1, r36 ;;
	cmp.eq	p6, p7 = 0, r3 ;;
	(p6) br.cond.sptk 2b ;;
	movl	r2 = rings ;;
	st8	[r2] = r36 ;;
	br.cond.sptk done ;;

spin:
	br.cond.sptk spin ;;

	// p6: this is the last processor.
	.proc	on_last
on_last:
	alloc	r32 = ar.pfs, 0, 8, 6, 0 ;;
	shr.u	r33 = r13, 32 ;;
	movl	r40 = cpu ;;
	shladd	r40 = r33, 2, r40 ;;
	mov	r34 = r40 ;;
	mov	r41 = 0 ;;
	mov	r15 = SYS_getcpu ;;
	break.i	0x100000 ;;
	ld4	r3 = [r34] ;;
	add	r14 = -1, r7 ;;
	cmp.eq	p6, p7 = r3, r14 ;;
	br.ret.sptk.many b0 ;;
	.endp	on_last

done:
	mov	r40 = 0 ;;
	mov	r15 = SYS_exit ;;
	break.i	0x100000 ;;

	.data
	.align	16
set:	data8	0
lock:	data8	0
sum:	data8	0
seen:	data8	0
here:	data8	0
looks:	data8	0
again:	data8	0
sevens:	data8	0
follows: data8	0
bell:	data8	0
rings:	data8	0
cpu:	.skip	4 * (MORE + 1)
	.align	16
tid:	.skip	8 * (MORE + 1)

	.bss
	.align	16
stacks:	.skip	STACK * (MORE + 2)
