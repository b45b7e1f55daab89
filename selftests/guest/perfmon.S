// SPDX-License-Identifier: GPL-2.0-only
// perfmonctl. Each part ends with the number of what did not hold, or the next begins; 7 says that
// all did. With an argument: that which needs time as well; with two: of that the IP-EAR alone.
	.include "guest.inc"
	.include "check.inc"
	.include "perfmon.inc"

PID = 2
FD = 3			// the first that is free
SIGIO = 29
N = 1000		// rounds of a loop
PERIOD = 100

	// N rounds of a load and two nops, counted from one to the other end with PSR.up
	.macro	measured
	mov	r14 = N - 1 ;;
	mov.i	ar.lc = r14
	movl	r16 = data ;;
	{ .mii
	sum	4
	nop.i	0
	nop.i	0 ;;
	}
	.balign	16
77:	{ .mib
	ld8	r17 = [r16]
	nop.i	0
	br.cloop.sptk.few 77b ;;
	}
	{ .mii
	rum	4
	nop.i	0
	nop.i	0 ;;
	}
	.endm

	.text
	.global	_start
	.proc	_start
_start:
	alloc	r32 = ar.pfs, 0, 8, 6, 0 ;;
	add	r2 = 16, r12 ;;
	ld8	r36 = [r2] ;;		// argc

	// Part 1: two counters, exact
	good	CREATE, plain, 1, 1
	movl	r2 = plain + 28 ;;
	ld4	r3 = [r2] ;;
	cmp.eq	p6, p7 = FD, r3 ;;
	must	p6, 2
	good	WRITE_PMCS, pmcs, 2, 3
	good	WRITE_PMDS, pmds, 2, 4
	fails	22, START, 0, 0, 5
	good	LOAD, self, 1, 6
	fails	16, LOAD, self, 1, 7
	measured
	good	READ_PMDS, pmds, 2, 8
	holds	pmds + 8, N, 9
	holds	pmds + 160 + 8, 3 * N + 3, 10
	// A counter is one of 64 bits.
	put	pmds + 8, 0xffffffffffff
	good	WRITE_PMDS, pmds, 1, 11
	measured
	good	READ_PMDS, pmds, 1, 12
	holds	pmds + 8, 0xffffffffffff + N, 13
	good	UNLOAD, 0, 0, 14
	good	READ_PMDS, pmds, 1, 15
	holds	pmds + 8, 0xffffffffffff + N, 16
	measured				// stopped: PSR.sp is 1 again
	good	READ_PMDS, pmds, 1, 17
	holds	pmds + 8, 0xffffffffffff + N, 18

	// Part 2: a range of addresses: the loop alone
	good	WRITE_IBRS, range, 2, 20
	good	WRITE_PMCS, ranged, 4, 21
	put	pmds + 160 + 8, 0
	good	WRITE_PMDS, pmds + 160, 1, 22
	good	LOAD, self, 1, 23
	br.call.sptk.many b0 = loop ;;
	good	READ_PMDS, pmds + 160, 1, 24
	holds	pmds + 160 + 8, 3 * N, 25
	mov	r40 = FD ;;
	syscall	SYS_close
	cmp.eq	p6, p7 = 0, r8 ;;
	must	p6, 26
	fails	9, READ_PMDS, pmds, 1, 27

	// Part 3: a message and a signal for each overflow
	mov	r40 = SIGIO ;;
	movl	r41 = act ;;
	mov	r42 = 0 ;;
	mov	r43 = 8 ;;
	syscall	SYS_sigaction
	put	plain + 28, 0
	good	CREATE, plain, 1, 30
	.macro	control number, value
	mov	r40 = FD ;;
	mov	r41 = \number ;;
	mov	r42 = \value ;;
	syscall	SYS_fcntl
	.endm
	control	4, 0x2800			// F_SETFL: O_ASYNC, O_NONBLOCK
	control	3, 0
	mov	r14 = 0x2800 ;;
	cmp.eq	p6, p7 = r8, r14 ;;
	must	p6, 31
	control	8, PID
	control	10, SIGIO			// F_SETSIG: si_fd is there
	good	WRITE_PMCS, notify, 1, 32
	good	WRITE_PMDS, notified, 1, 33
	good	LOAD, self, 1, 34
	mov	r40 = FD ;;
	movl	r41 = message ;;
	mov	r42 = 56 ;;
	syscall	SYS_read
	cmp.eq	p6, p7 = 11, r8 ;;		// EAGAIN
	must	p6, 35
	// and poll finds none, also behind a millisecond
	movl	r40 = polled ;;
	mov	r41 = 1 ;;
	mov	r42 = 1 ;;
	syscall	SYS_poll
	cmp.eq	p6, p7 = 0, r8 ;;
	must	p6, 153
	measured
	holds	signals, N / PERIOD, 36
	holds	message + 8, 0x20, 37		// which counter
	movl	r2 = message ;;
	ld8	r3 = [r2] ;;
	movl	r14 = FD << 32 | 1 ;;
	cmp.eq	p6, p7 = r3, r14 ;;
	must	p6, 38
	good	READ_PMDS, notified, 1, 39
	holds	notified + 8, -PERIOD, 40
	holds	notified + 88, -PERIOD, 41
	mov	r40 = FD ;;
	syscall	SYS_close

	// Part 4: the buffer of samples: 29 of 48 bytes, then it is full
	put	signals, 0
	movl	r2 = act ;;
	movl	r3 = sampled_plabel ;;
	st8	[r2] = r3 ;;
	mov	r40 = SIGIO ;;
	movl	r41 = act ;;
	mov	r42 = 0 ;;
	mov	r43 = 8 ;;
	syscall	SYS_sigaction
	good	CREATE, format, 1, 50
	movl	r2 = format + 32 ;;
	ld8	r5 = [r2] ;;			// the buffer
	add	r2 = 40, r5 ;;
	ld4	r3 = [r2] ;;
	movl	r14 = 0x20000 ;;
	cmp.eq	p6, p7 = r3, r14 ;;
	must	p6, 51
	control	4, 0x2000
	control	8, PID
	good	WRITE_PMCS, sampling, 2, 52
	good	WRITE_PMDS, samples, 2, 53
	good	LOAD, self, 1, 54
	measured
	holds	signals, 3, 55			// of 100 samples
	holds	taken, 87, 56
	ld8	r3 = [r5] ;;
	cmp.eq	p6, p7 = 13, r3 ;;
	must	p6, 57
	add	r2 = 24, r5 ;;
	ld8	r3 = [r2] ;;
	cmp.eq	p6, p7 = 3, r3 ;;
	must	p6, 58
	add	r2 = 128, r5 ;;			// the first entry: who, which counter
	ld8	r3 = [r2], 8 ;;
	movl	r14 = 5 << 56 | PID ;;
	cmp.eq	p6, p7 = r3, r14 ;;
	must	p6, 59
	ld8	r3 = [r2], 32 ;;
	cmp.eq	p6, p7 = -10, r3 ;;
	must	p6, 60
	// PMD4 at an entry and at the next: ten rounds of three instructions
	ld8	r3 = [r2] ;;
	add	r2 = 48, r2 ;;
	ld8	r14 = [r2] ;;
	sub	r3 = r14, r3 ;;
	cmp.eq	p6, p7 = 30, r3 ;;
	must	p6, 61
	mov	r40 = FD ;;
	syscall	SYS_close

	// No message, and no signal: only poll and the registers would tell.
	put	silent + 28, 0
	good	CREATE, silent, 1, 62
	good	WRITE_PMCS, notify, 1, 63
	good	WRITE_PMDS, notified, 1, 64
	good	LOAD, self, 1, 65
	measured
	holds	signals, 3, 66
	movl	r40 = polled ;;
	mov	r41 = 1 ;;
	mov	r42 = 0 ;;
	syscall	SYS_poll
	cmp.eq	p6, p7 = 0, r8 ;;
	must	p6, 67
	good	READ_PMDS, notified, 1, 68
	holds	notified + 8, 0, 69		// masked at the first overflow
	fails	22, START, 0, 0, 154
	good	RESTART, 0, 0, 155
	good	READ_PMDS, notified, 1, 156
	holds	notified + 8, -PERIOD, 157
	mov	r40 = FD ;;
	syscall	SYS_close
	// With messages, poll finds one.
	put	plain + 28, 0
	good	CREATE, plain, 1, 158
	good	WRITE_PMCS, notify, 1, 159
	put	notified + 8, -PERIOD
	good	WRITE_PMDS, notified, 1, 160
	good	LOAD, self, 1, 161
	measured
	movl	r40 = polled ;;
	mov	r41 = 1 ;;
	mov	r42 = -1 ;;
	syscall	SYS_poll
	cmp.eq	p6, p7 = 1, r8 ;;
	must	p6, 162
	holds	polled, 1 << 48 | 1 << 32 | FD, 163
	mov	r40 = FD ;;
	syscall	SYS_close

	// Part 5: a reset by random bits
	put	plain + 28, 0
	good	CREATE, plain, 1, 70
	good	WRITE_PMCS, random, 1, 71
	good	WRITE_PMDS, randomly, 1, 72
	good	LOAD, self, 1, 73
	measured
	good	READ_PMDS, randomly, 1, 74
	// The first load overflows: -5000 less 77 & 31, and N - 1 more
	holds	randomly + 88, -5000 - 13, 75
	holds	randomly + 8, -5000 - 13 + N - 1, 76
	mov	r40 = FD ;;
	syscall	SYS_close

	// Part 6: system-wide, by START and STOP and PSR.pp
	put	wide + 28, 0
	good	CREATE, wide, 1, 80
	fails	22, WRITE_PMCS, pmcs, 1, 81	// not privileged
	good	WRITE_PMCS, privileged, 1, 82
	good	WRITE_PMDS, notified + 160, 1, 83
	good	LOAD, self, 1, 84
	br.call.sptk.many b0 = loop ;;
	good	START, 0, 0, 85
	br.call.sptk.many b0 = loop ;;
	good	STOP, 0, 0, 86
	br.call.sptk.many b0 = loop ;;
	good	READ_PMDS, notified + 160, 1, 87
	holds	notified + 160 + 8, N, 88
	mov	r40 = FD ;;
	syscall	SYS_close

	// Part 7: what is refused, in this order
	put	plain + 28, 0
	fails	22, 0x50, plain, 1, 100
	fails	22, 0x06, plain, 1, 101
	fails	22, READ_PMDS, pmds, 0, 102
	fails	22, CREATE, plain, 2, 103
	fails	7, READ_PMDS, pmds, 26, 104
	fails	14, READ_PMDS, 16, 1, 105
	fails	9, READ_PMDS, pmds, 1, 106
	fails	22, CREATE, blocking, 1, 107
	fails	22, CREATE, small, 1, 108
	fails	12, CREATE, large, 1, 109
	fails	22, CREATE, other, 1, 110
	good	FEATURES, feature, 1, 111
	holds	feature, 0x20000, 112
	good	CREATE, plain, 1, 113
	fails	22, WRITE_PMCS, status, 1, 114
	holds	status + 16, 1 << 30, 115	// PFM_REG_RETFL_EINVAL
	fails	22, WRITE_PMCS, configured, 1, 116
	fails	22, WRITE_PMCS, privileged, 1, 117
	fails	22, WRITE_PMCS, unknown, 1, 118
	fails	22, WRITE_PMCS, illegal, 3, 119
	holds	illegal + 160 + 16, 0, 120
	holds	illegal + 320 + 16, 1 << 30, 121
	fails	22, READ_PMDS, unused, 1, 122
	fails	16, RESTART, 0, 0, 123
	fails	22, STOP, 0, 0, 124
	fails	3, LOAD, stranger, 1, 125
	good	RESET_VAL, status, 1, 126
	holds	status + 8, 0, 127
	good	RESET_VAL, configured, 1, 128
	holds	configured + 8, 0xdb6, 129
	mov	r40 = FD ;;
	syscall	SYS_close

	cmp.eq	p6, p7 = 3, r36 ;;
	(p6) br.cond.sptk ip_ear ;;
	// Part 8: with time, the data EAR: 16 loads, each of a line that the one before names
	cmp.eq	p6, p7 = 1, r36 ;;
	(p6) br.cond.sptk 9f ;;
	put	ears + 8, -1
	put	format + 28, 0
	good	CREATE, format, 1, 140
	movl	r2 = format + 32 ;;
	ld8	r5 = [r2] ;;
	good	WRITE_PMCS, ear, 2, 141
	good	WRITE_PMDS, ears, 1, 142
	good	LOAD, self, 1, 143
	movl	r2 = lines ;;
	mov	r14 = 15 ;;
	mov.i	ar.lc = r14
	mov	r16 = r2 ;;
1:	add	r3 = 1024, r16 ;;
	st8	[r16] = r3 ;;
	fc	r16
	mov	r16 = r3 ;;
	br.cloop.sptk.few 1b ;;
	mf ;;
	sync.i ;;
	srlz.d ;;
	mov.i	ar.lc = r14 ;;
	sum	4 ;;
1:	ld8	r2 = [r2] ;;
	xor	r3 = r2, r2 ;;
	add	r2 = r2, r3 ;;
	br.cloop.sptk.few 1b ;;
	rum	4 ;;
	ld8	r3 = [r5] ;;
	cmp.eq	p6, p7 = 16, r3 ;;
	must	p6, 144
	add	r6 = 128 + 40, r5		// PMD32: the address
	movl	r2 = lines
	mov.i	ar.lc = r14 ;;
1:	ld8	r3 = [r6], 64 ;;
	cmp.eq	p6, p7 = r3, r2 ;;
	must	p6, 145
	add	r2 = 1024, r2 ;;
	br.cloop.sptk.few 1b ;;
	mov	r40 = FD ;;
	syscall	SYS_close

	// Part 9: with time, the IP-EAR: a loop of one bundle and what ends the measurement
ip_ear:
	put	plain + 28, 0
	good	CREATE, plain, 1, 170
	good	WRITE_PMCS, captures, 1, 171
	good	LOAD, self, 1, 172
	mov	r14 = N - 1 ;;
	mov.i	ar.lc = r14 ;;
	sum	4 ;;
	.balign	16
round:	{ .mib
	nop.m	0
	nop.i	0
	br.cloop.sptk.few round ;;
	}
last:	{ .mii
	rum	4
	nop.i	0
	nop.i	0 ;;
	}
	good	READ_PMDS, captured, 17, 173
	movl	r2 = captured + 8 ;;
	ld8	r3 = [r2] ;;			// PMD38: full
	and	r14 = 0x20, r3 ;;
	cmp.ne	p6, p7 = 0, r14 ;;
	must	p6, 174
	add	r3 = 15, r3 ;;			// the youngest entry
	and	r3 = 15, r3 ;;
	mov	r4 = 0				// entries of the loop
	mov	r5 = 0
	movl	r14 = round
	movl	r16 = last ;;
	shr.u	r14 = r14, 4
	shr.u	r16 = r16, 4
	add	r2 = 160, r2 ;;
	dep	r14 = 0, r14, 60, 4
	dep	r16 = 0, r16, 60, 4 ;;
1:	ld8	r17 = [r2], 160 ;;
	dep	r17 = 0, r17, 60, 4 ;;
	cmp.eq	p6, p7 = r3, r5
	cmp.eq	p8, p9 = r14, r17
	cmp.eq	p10, p11 = r16, r17 ;;
	(p8) add r4 = 1, r4
	(p6) br.cond.sptk 2f ;;
	br.cond.sptk 3f ;;
2:	must	p10, 175
3:	add	r5 = 1, r5 ;;
	cmp.ne	p6, p7 = 16, r5 ;;
	(p6) br.cond.sptk 1b ;;
	cmp.eq	p6, p7 = 15, r4 ;;
	must	p6, 176
9:	exit	7
	.endp	_start

	.balign	64
	.proc	loop
loop:
	mov	r14 = N - 1 ;;
	mov.i	ar.lc = r14
	movl	r16 = data ;;
	sum	4 ;;
	br.sptk	1f ;;
	.balign	64
1:	{ .mib
	ld8	r17 = [r16]
	nop.i	0
	br.cloop.sptk.few 1b ;;
	}
	rum	4 ;;
	br.ret.sptk.many b0 ;;
	.endp	loop
within = 1b

	// SIGIO: the message, and go on
	.proc	told
told:
	alloc	r35 = ar.pfs, 3, 5, 4, 0 ;;
	movl	r2 = signals ;;
	fetchadd8.acq r3 = [r2], 1 ;;
	mov	r40 = FD
	movl	r41 = message
	mov	r42 = 56 ;;
	syscall	SYS_read
	cmp.eq	p6, p7 = 56, r8 ;;
	must	p6, 150
	mov	r40 = FD
	mov	r41 = RESTART ;;
	syscall	SYS_perfmonctl
	cmp.eq	p6, p7 = 0, r8 ;;
	must	p6, 151
	mov	ar.pfs = r35 ;;
	br.ret.sptk.many b0 ;;
	.endp	told

	// SIGIO: count the samples, and go on. Monitoring is masked until then.
	.proc	sampled
sampled:
	alloc	r35 = ar.pfs, 3, 5, 4, 0 ;;
	movl	r2 = signals ;;
	ld8	r3 = [r2] ;;
	add	r3 = 1, r3 ;;
	st8	[r2] = r3
	movl	r2 = taken ;;
	ld8	r3 = [r2]
	ld8	r14 = [r5] ;;
	add	r3 = r3, r14 ;;
	st8	[r2] = r3
	mov	r40 = FD
	mov	r41 = RESTART ;;
	syscall	SYS_perfmonctl
	cmp.eq	p6, p7 = 0, r8 ;;
	must	p6, 152
	mov	ar.pfs = r35 ;;
	br.ret.sptk.many b0 ;;
	.endp	sampled

	.data
	.balign	16
data:
	data8	0
signals:
	data8	0
taken:
	data8	0
message:
	.skip	56
feature:
	.skip	40
polled:
	data4	FD
	data2	1, 0			// POLLIN
act:
	data8	told_plabel, 4, 0
told_plabel:
	data8	told, 0
sampled_plabel:
	data8	sampled, 0
self:
	data8	PID, 0, 0, 0
stranger:
	data8	77, 0, 0, 0

plain:
	context	0
silent:
	context	0x80
wide:
	context	2
blocking:
	context	3
format:
	context	0, 2048, UUID0, UUID1
small:
	context	0, 679, UUID0, UUID1
large:
	context	0, 0x10001, UUID0, UUID1
other:
	context	0, 2048, UUID0, UUID0

pmcs:
	reg	5, LOADS
	reg	4, INSTS
pmds:
	reg	5, 0
	reg	4, 0
range:
	data8	0, within, 0, 0
	data8	1, 0x08fffffffffffff0, 0, 0
ranged:
	reg	4, INSTS
	reg	41, 0x1e00018181818	// of the memory pipeline no tags
	reg	32, 0x00f01ffffffffff	// by address
	reg	38, 0xdb4		// in the first range
notify:
	reg	5, LOADS, NOTIFY
notified:
	reg	5, -PERIOD, 0, -PERIOD
	reg	5, 0
sampling:
	reg	5, LOADS, NOTIFY, 0, 0x10
	reg	4, INSTS
samples:
	reg	5, -10, 0, -10
	reg	4, 0
random:
	reg	5, LOADS, RANDOM
randomly:
	reg	5, -1, 0, -5000, 0, 0, 77, 31
privileged:
	reg	5, LOADS | 1 << 6
status:
	reg	0, 1
configured:
	reg	38, 0xdb6, NOTIFY
unknown:
	reg	5, LOADS, 0, 0, 1 << 40
illegal:
	reg	41, 0x18181818
	reg	32, 0x10f01ffffffffff
	reg	38, 0xdb4
unused:
	reg	9, 0
ear:
	reg	4, EAR, NOTIFY, 0, 1 << 32 | 1 << 33 | 1 << 36
	reg	40, 0x2000008
ears:
	reg	4, -1, 0, -1
captures:
	reg	42, 4 << 8 | 8			// mode 100, level 3
captured:
	reg	38, 0
	.irp	n, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63
	reg	\n, 0
	.endr

	.bss
	.balign	1024
lines:
	.skip	32768
