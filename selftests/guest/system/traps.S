// SPDX-License-Identifier: GPL-2.0-only
// An instruction for each type of trap that ProfileMe tells of, at the addresses in the list at
// 0x2000, which have its slot in their lowest bits. Each handler goes on behind it, at r14 with the PSR in r15.
// selftests/machine/test_traptypes.c has what the records of these are.
	.include "ivt.inc"
	.include "pmu.inc"

PSR_AC = 1 << 3
PSR_IC = 1 << 13
PSR_I = 1 << 14
PSR_DT = 1 << 17
PSR_DFH = 1 << 19
PSR_IT = 1 << 36
PSR_BN = 1 << 44
TABLE = 0x40000000	// of the walker, in the long format
TABLE_AT = 0x30000
PAGE = 0x20000		// what it translates
WALKED = 2 << 61	// region 2, which the walker serves
ALONE = 3 << 61		// region 3, which it does not
VECTOR = 0x30

	// Go to @label with @psr beside what all have; a trap there comes back behind this.
	.macro	GO label, psr=0
	movl	r2 = \label
	movl	r3 = (\psr) | PSR_BN | PSR_IC | PSR_AC | PSR_IT | PSR_DT
	movl	r14 = 9f
	rsm	PSR_IC ;;
	srlz.d ;;
	mov	cr.iip = r2
	mov	cr.ipsr = r3
	mov	cr.ifs = r0 ;;
	rfi ;;
	.balign	16
9:
	.endm

	// @insn, alone in its groups, and back without a trap
	.macro	TRAP label, insn:vararg
	.balign	32
\label:
	{ .mib
	\insn
	nop.i	0
	nop.b	0 ;;
	}
	mov	b6 = r14 ;;
	br.cond.sptk.few b6 ;;
	.endm

	.section .params, "aw", "progbits"
	.irp	label, acquire, check, walk, double_miss, table, disabled, unaligned, absent, illegal
	data8	trap_\label
	.endr
	data8	trap_arithmetic + 1	// its slot

	.text
	.global	_start
	.proc	_start
_start:
	movl	r2 = ivt ;;
	mov	cr.iva = r2
	movl	r15 = PSR_BN | PSR_IC | PSR_AC | PSR_IT | PSR_DT ;;
	// the regions
	movl	r2 = 14 << 2 | 3 << 8
	mov	r3 = r0 ;;
	mov	rr[r3] = r2
	movl	r2 = 14 << 2 | 4 << 8 | 1
	movl	r3 = WALKED ;;
	mov	rr[r3] = r2
	movl	r2 = 14 << 2 | 5 << 8
	movl	r3 = ALONE ;;
	mov	rr[r3] = r2 ;;
	srlz.i ;;
	// the code, and data behind it, where they are
	movl	r2 = 0x100000
	mov	r9 = 20 << 2
	movl	r10 = 0x100661
	mov	r11 = 0 ;;
	mov	cr.ifa = r2
	mov	cr.itir = r9 ;;
	itr.i	itr[r11] = r10
	movl	r2 = 0x400000 ;;
	mov	cr.ifa = r2
	movl	r10 = 0x400661 ;;
	itr.d	dtr[r11] = r10
	movl	r20 = 0x400100 ;;
	// pages that are not present, of data and of code
	movl	r2 = ALONE | 0x14000
	mov	r9 = 14 << 2
	mov	r11 = 1 ;;
	mov	cr.ifa = r2
	mov	cr.itir = r9 ;;
	itr.d	dtr[r11] = r0 ;;
	itr.i	itr[r11] = r0
	mov	r24 = r2
	// the walker's table
	movl	r2 = TABLE | 15 << 2 | 1 << 8 | 1 ;;
	mov	cr.pta = r2
	mov	ar.fpsr = r0
	movl	r21 = 0x404000
	movl	r22 = WALKED | 0x10000
	movl	r23 = WALKED | PAGE
	movl	r25 = 0x400101 ;;
	srlz.i ;;

	GO	trap_table		// the table itself has no translation
	movl	r2 = TABLE
	mov	r9 = 16 << 2
	movl	r10 = TABLE_AT | 0x661
	mov	r11 = 2
	rsm	PSR_IC ;;
	srlz.d ;;
	mov	cr.ifa = r2
	mov	cr.itir = r9 ;;
	itr.d	dtr[r11] = r10
	// its entry for PAGE, by physical addresses
	thash	r8 = r23
	ttag	r9 = r23
	movl	r10 = 0x7fff
	movl	r11 = TABLE_AT
	movl	r2 = PAGE | 0x661
	mov	r3 = 14 << 2
	rsm	PSR_DT ;;
	srlz.d ;;
	and	r8 = r8, r10 ;;
	add	r8 = r8, r11 ;;
	st8	[r8] = r2, 8 ;;
	st8	[r8] = r3, 8 ;;
	st8	[r8] = r9 ;;
	mf ;;
	GO	trap_walk
	GO	trap_double_miss
	GO	trap_disabled, PSR_DFH
	GO	trap_unaligned
	GO	trap_absent
	GO	trap_illegal
	GO	trap_arithmetic
	GO	trap_check_first
	GO	trap_acquire_first
	GO	ALONE | 0x14000		// code that is not present
	GO	ALONE | 0x18000		// and without a translation
	// the timer, while nothing else happens
	mov	r2 = VECTOR
	mov	r3 = ar.itc ;;
	adds	r3 = 400, r3
	mov	cr.tpr = r0
	mov	cr.itv = r2 ;;
	mov	cr.itm = r3 ;;
	srlz.d ;;
	GO	waiting, PSR_I
	rsm	PSR_DT ;;
	srlz.d ;;
	END

	TRAP	trap_table, ld8 r8 = [r22]
	TRAP	trap_walk, ld8 r8 = [r23]
	TRAP	trap_double_miss, ld8 r8 = [r22]
	TRAP	trap_disabled, setf.sig f40 = r0
	TRAP	trap_unaligned, ld8 r8 = [r25]
	TRAP	trap_absent, ld8 r8 = [r24]

	// an M unit has no major opcode 2
	.balign	32
trap_illegal:
	data8	1 << 43 | 1, 1 << 50 | 1 << 9
	mov	b6 = r14 ;;
	br.cond.sptk.few b6 ;;

	.balign	32
trap_arithmetic:		// a division by zero
	{ .mfi
	nop.m	0
	frcpa.s0 f8, p6 = f1, f0
	nop.i	0 ;;
	}
	mov	b6 = r14 ;;
	br.cond.sptk.few b6 ;;

	.balign	32
trap_check_first:
	{ .mii
	ld8.a	r9 = [r20]
	nop.i	0
	nop.i	0 ;;
	}
	{ .mii
	st8	[r20] = r0
	nop.i	0
	nop.i	0 ;;
	}
	TRAP	trap_check, ld8.c.nc r9 = [r20]

	.balign	32
trap_acquire_first:
	{ .mii
	ld8.acq	r9 = [r21]
	nop.i	0
	nop.i	0 ;;
	}
	TRAP	trap_acquire, ld8 r10 = [r20]

waiting:
	{ .mib
	nop.m	0
	nop.i	0
	br.cond.sptk.few waiting ;;
	}

	// All interruptions come here: on behind the instruction.
unexpected:
	mov	r16 = cr.ivr ;;
	srlz.d ;;
	mov	cr.eoi = r0 ;;
	srlz.d ;;
	mov	cr.iip = r14
	mov	cr.ipsr = r15
	mov	cr.ifs = r0 ;;
	srlz.d ;;
	rfi ;;
	.endp	_start

	IVT	1, unexpected
