// SPDX-License-Identifier: GPL-2.0-only
// perfmonctl: opcodes, data ranges, the trace buffer, contexts in turn, threads. Each part ends
// with the number of what did not hold, or the next begins; 7 says that all did. Meant to be run
// with turns of any length.
	.include "guest.inc"
	.include "check.inc"
	.include "perfmon.inc"

SYS_clone2 = 1213
SYS_futex = 1230
SYS_gettid = 1105
// CLONE_VM, FS, FILES, SIGHAND, THREAD, SETTLS, PARENT_SETTID, CHILD_CLEARTID
FLAGS = 0x390f00
STACK = 0x10000

WRITE_DBRS = 0x21
PID = 2
N = 1000
BRANCHES = 0x1108	// ETB_EVENT

	// A command for the context of descriptor \fd
	.macro	of fd, command, arg, count, status
FD = \fd
	good	\command, \arg, \count, \status
	.endm

	// N rounds of a load of data, one of other and br.cloop
	.macro	measured
	br.call.sptk.many b0 = loop ;;
	.endm

	.text
	.global	_start
	.proc	_start
_start:
	alloc	r32 = ar.pfs, 0, 8, 6, 0 ;;

	// Part 1: br.cloop alone, by its opcode (PMC32, 33, 36)
	of	3, CREATE, plain, 1, 1
	good	WRITE_PMCS, opcode, 4, 2
	good	WRITE_PMDS, insts, 1, 3
	good	LOAD, self, 1, 4
	measured
	good	READ_PMDS, insts, 1, 5
	holds	insts + 8, N, 6
	good	UNLOAD, 0, 0, 8
	mov	r40 = 3 ;;
	syscall	SYS_close

	// Part 2: loads of one of two words (DBR0, 1, PMC41)
	put	plain + 28, 0
	good	CREATE, plain, 1, 10
	fails	22, WRITE_DBRS, no_range, 1, 11
	good	WRITE_DBRS, range, 2, 12
	good	WRITE_PMCS, ranged, 2, 13
	good	WRITE_PMDS, loads, 1, 14
	good	LOAD, self, 1, 15
	measured
	good	READ_PMDS, loads, 1, 16
	holds	loads + 8, N, 17
	mov	r40 = 3 ;;
	syscall	SYS_close

	// Part 3: two contexts of one thread in turn, which keep what they have counted
	put	plain + 28, 0
	put	loads + 8, 0
	put	insts + 8, 0
	good	CREATE, plain, 1, 20
	of	4, CREATE, second, 1, 21
	of	3, WRITE_PMCS, any, 1, 22
	good	WRITE_PMDS, loads, 1, 23
	of	4, WRITE_PMCS, all, 1, 24
	good	WRITE_PMDS, insts, 1, 25
	mov	r36 = 3 ;;
1:	of	3, LOAD, self, 1, 26
	measured
	of	3, UNLOAD, 0, 0, 27
	of	4, LOAD, self, 1, 28
	measured
	of	4, UNLOAD, 0, 0, 29
	add	r36 = -1, r36 ;;
	cmp.ne	p6, p7 = 0, r36 ;;
	(p6) br.cond.sptk 1b ;;
	of	3, READ_PMDS, loads, 1, 30
	holds	loads + 8, 3 * 2 * N, 31
	of	4, READ_PMDS, insts, 1, 32
	holds	insts + 8, 3 * (3 * N + 6), 33
	mov	r40 = 3 ;;
	syscall	SYS_close
	mov	r40 = 4 ;;
	syscall	SYS_close

	// Part 4: every 8th branch, with the 8 that the trace buffer holds then
FD = 3
	put	traced + 28, 0
	good	CREATE, traced, 1, 40
	movl	r2 = traced + 32 ;;
	ld8	r5 = [r2] ;;
	good	WRITE_PMCS, trace, 2, 41
	good	WRITE_PMDS, traces, 2, 42
	good	LOAD, self, 1, 43
	mov	r14 = N - 1 ;;
	mov.i	ar.lc = r14 ;;
	{ .mii
	sum	4
	nop.i	0
	nop.i	0 ;;
	}
	.balign	32
branching:
	{ .mii
	nop.m	0
	nop.i	0
	nop.i	0 ;;
	}
	{ .mib
	nop.m	0
	nop.i	0
	br.cloop.sptk.few branching ;;
	}
	{ .mii
	rum	4
	nop.i	0
	nop.i	0 ;;
	}
	ld8	r3 = [r5] ;;			// the last round is not taken
	mov	r14 = (N - 1) / 8 ;;
	cmp.eq	p6, p7 = r3, r14 ;;
	must	p6, 44
	add	r6 = 128 + 40, r5
	mov	r36 = (N - 1) / 8 ;;
1:	ld8	r3 = [r6], 16 ;;		// PMD38: full
	mov	r14 = 0x20 ;;
	cmp.eq	p6, p7 = r3, r14 ;;
	must	p6, 45
	mov	r37 = 8 ;;
2:	ld8	r3 = [r6], 8 ;;			// a source: slot 2 of the loop
	movl	r2 = branching ;;
	xor	r14 = r3, r2 ;;
	shr.u	r14 = r14, 5 ;;
	cmp.eq	p6, p7 = 0, r14 ;;
	must	p6, 46
	and	r14 = 0xd, r3 ;;
	cmp.eq	p6, p7 = 9, r14 ;;
	must	p6, 47
	ld8	r3 = [r6], 8 ;;			// a target, valid
	add	r2 = 2, r2 ;;
	cmp.eq	p6, p7 = r3, r2 ;;
	must	p6, 48
	add	r37 = -1, r37 ;;
	cmp.ne	p6, p7 = 0, r37 ;;
	(p6) br.cond.sptk 2b ;;
	add	r6 = 40, r6			// the next entry's registers
	add	r36 = -1, r36 ;;
	cmp.ne	p6, p7 = 0, r36 ;;
	(p6) br.cond.sptk 1b ;;
	mov	r40 = 3 ;;
	syscall	SYS_close

	// Part 5: a thread with a context of its own, which waits for this one's message and
	// restarts it; each counts its own loop alone
	put	notified + 28, 0
	put	insts + 8, 0
	of	3, CREATE, notified, 1, 50
	good	WRITE_PMCS, notify, 1, 51
	good	WRITE_PMDS, some, 1, 52
	good	LOAD, self, 1, 53
	movl	r40 = FLAGS ;;
	movl	r41 = stack ;;
	mov	r42 = STACK ;;
	movl	r43 = tid ;;
	mov	r44 = r43 ;;
	mov	r45 = 0 ;;
	syscall	SYS_clone2
	cmp.eq	p6, p7 = 0, r8 ;;
	(p6) br.cond.sptk other ;;
	cmp.eq	p6, p7 = 0, r10 ;;
	must	p6, 54
	// until that thread waits in read
3:	mov	r15 = 1164 ;;			// sched_yield
	break.i	0x100000 ;;
	movl	r2 = there ;;
	ld8.acq	r3 = [r2] ;;
	cmp.eq	p6, p7 = 0, r3 ;;
	(p6) br.cond.sptk 3b ;;
	mov	r15 = 1164 ;;
	break.i	0x100000 ;;
	measured
	movl	r40 = tid ;;
4:	ld4.acq	r42 = [r40] ;;
	cmp4.eq	p6, p7 = 0, r42 ;;
	(p6) br.cond.sptk 5f ;;
	mov	r41 = 0 ;;
	mov	r43 = 0 ;;
	syscall	SYS_futex
	movl	r40 = tid ;;
	br.cond.sptk 4b ;;
5:	of	3, READ_PMDS, some, 1, 55
	movl	r2 = some + 8 ;;
	ld8	r4 = [r2] ;;
	measured
	good	READ_PMDS, some, 1, 56
	movl	r2 = some + 8 ;;
	ld8	r3 = [r2] ;;
	sub	r3 = r3, r4 ;;
	mov	r14 = 2 * N ;;
	cmp.eq	p6, p7 = r3, r14 ;;
	must	p6, 57
	exit	7
	.endp	_start

	// The other thread: its context is descriptor 4.
other:
	alloc	r32 = ar.pfs, 0, 8, 6, 0 ;;
	mov	r15 = SYS_gettid ;;
	break.i	0x100000 ;;
	movl	r2 = stranger ;;
	st4	[r2] = r8
	put	second + 28, 0
	of	4, CREATE, second, 1, 60
	good	WRITE_PMCS, all, 1, 61
	good	WRITE_PMDS, insts, 1, 62
	good	LOAD, stranger, 1, 63
FD = 3
	fails	16, READ_PMDS, some, 1, 69	// of a thread that runs
	fails	16, UNLOAD, 0, 0, 70
	movl	r2 = there ;;
	mov	r3 = 1 ;;
	st8.rel	[r2] = r3
	mov	r40 = 3
	movl	r41 = message
	mov	r42 = 56 ;;
	syscall	SYS_read
	mov	r14 = 56 ;;
	cmp.eq	p6, p7 = r8, r14 ;;
	must	p6, 64
	holds	message + 8, 0x20, 65
	of	3, RESTART, 0, 0, 66
	measured
	of	4, READ_PMDS, insts, 1, 67
	holds	insts + 8, 3 * N + 6, 68
	mov	r40 = 0 ;;
	syscall	SYS_exit

	// 3 N instructions and two bundles with PSR.up, 2 N of them loads
	.balign	32
	.proc	loop
loop:
	mov	r14 = N - 1 ;;
	mov.i	ar.lc = r14
	movl	r16 = data
	movl	r17 = data + 64 ;;
	{ .mii
	sum	4
	nop.i	0
	nop.i	0 ;;
	}
	.balign	16
1:	{ .mmb
	ld8	r18 = [r16]
	ld8	r19 = [r17]
	br.cloop.sptk.few 1b ;;
	}
	{ .mii
	nop.m	0
	nop.i	0
	nop.i	0 ;;
	}
	{ .mii
	rum	4
	nop.i	0
	nop.i	0 ;;
	}
	br.ret.sptk.many b0 ;;
	.endp	loop

	.data
	.balign	128
data:
	.skip	128
there:
	data8	0
tid:
	data8	0
message:
	.skip	56
self:
	data8	PID, 0, 0, 0
stranger:
	data8	0, 0, 0, 0
plain:
	context	0
second:
	context	0
notified:
	context	0
traced:
	context	0, 0x8000, UUID0, UUID1

opcode:
	reg	4, INSTS
	reg	32, 2 << 56 | 1 << 48 | (0x1ffffffffff ^ 0xf << 37 ^ 7 << 6)	// B slots
	reg	33, 4 << 37 | 5 << 6			// br.cloop
	reg	36, 0xfffffffe				// channel 0 goes by it
insts:
	reg	4, 0
range:
	data8	0, data, 0, 0
	data8	1, 0x00fffffffffffff8, 0, 0
no_range:
	data8	8, 0, 0, 0
ranged:
	reg	5, LOADS
	reg	41, 0x2078fefefef6			// DBRs 0 and 1 alone
loads:
	reg	5, 0
any:
	reg	5, LOADS
all:
	reg	4, INSTS
trace:
	reg	4, BRANCHES, 0, 0, 0xffff << 48 | 3 << 38, 1 << 38
	reg	39, 0x3e08				// taken, whatever was predicted
traces:
	reg	4, -8, 0, -8
	reg	38, 0
notify:
	reg	5, LOADS, NOTIFY
some:
	reg	5, -100, 0, -1000000

	.bss
	.balign	65536
stack:
	.skip	STACK
