// SPDX-License-Identifier: GPL-2.0-only
// An operating system of a few hundred instructions that uses the platform as
// one does: UART and I/O SAPIC with interrupts, wake-up of the other processors
// through SAL, IPIs, broadcast purges, power-off and reset. What it finds goes to
// the UART as lines of TAP.
//
// Command line: the number of processors, and how to end: p power-off, r reset
// register, e EFI ResetSystem, b an EFI boot service, h halt. Input: "x".

UC = 1 << 63
UART = UC | 0xfea00000
IOSAPIC = UC | 0xfec00000
IPI_BLOCK = UC | 0xfee00000
IO_PORTS = UC | 0x3fffc000000
PM1A_CONTROL = 0x101 << 12 | 0x404	// port 0x404
RESET_REGISTER = 0x102 << 12 | 0x408	// port 0x408

THR = 0
IER = 1
IIR = 2
FCR = 2
LSR = 5

UART_RTE = 0x10 + 2 * 16
UART_VECTOR = 0x40
LEVEL = 1 << 15
MASKED = 1 << 16

WAKE_VECTOR = 0xff
TO_AP = 0x50
TO_BSP = 0x51
SPURIOUS = 15

SAL_SET_VECTORS = 0x01000000
SAL_VECTOR_AP = 2
PAL_HALT_LIGHT = 29

PSR_IC = 1 << 13
PSR_DT = 1 << 17
PAGE_SHIFT = 14
VA = 1 << 61 | 0x100000			// region 1
PTE = 0x661				// P, A, D, level 0, read and write, WB

	// ---- the vector table: a data TLB miss maps VA as the variable pte says ----
	.section .ivt, "ax"
	.org	0
ivt:
	.org	0x1000
	movl	r16 = pte
	movl	r17 = PAGE_SHIFT << 2 ;;
	rsm	PSR_DT ;;
	srlz.d ;;
	ld8.acq	r18 = [r16]
	mov	cr.itir = r17 ;;
	srlz.d ;;
	itc.d	r18 ;;
	srlz.d
	rfi ;;
	.org	0x8000

	.text
	// got in r14, wanted in r15, text in r19: a line of TAP; uses r20 to r27, p6
	.macro	CHECK text
	.section .rodata
7:	stringz "\text"
	.text
	movl	r19 = 7b ;;
	br.call.sptk.many b1 = check ;;
	.endm

	// Until what is at \symbol, r14, is r12, or for as long as that may take; r8, r11, p6
	.macro	AWAIT symbol
	movl	r8 = \symbol
	movl	r11 = 10000000 ;;
1:	ld8.acq	r14 = [r8]
	adds	r11 = -1, r11 ;;
	cmp.ne	p6, p7 = r14, r12 ;;
	cmp.ne.and p6, p0 = r11, r0 ;;
	(p6) br.cond.sptk.many 1b ;;
	.endm

	// The UART's interrupt is over, for the I/O SAPIC and for the processor; r8, r9
	.macro	END_UART
	REG8	r8, IOSAPIC, 0x40
	mov	r9 = UART_VECTOR ;;
	st4.rel	[r8] = r9
	mov	cr.eoi = r0 ;;
	srlz.d ;;
	.endm

	.macro	REG8 reg, address, offset
	movl	\reg = \address + \offset ;;
	.endm

	.global	_start
	.proc	_start
_start:
	// The loader's block in r28: command line, EFI system table.
	mov	r4 = r28
	mov	r5 = 0 ;;				// lines of TAP
	ld8	r6 = [r4], 8 ;;
	ld8	r7 = [r4] ;;				// EFI system table
	ld1	r9 = [r6], 1 ;;
	adds	r40 = -0x30, r9				// processors: the frame is 96 registers
	ld1	r41 = [r6]				// how to end
	adds	r8 = 104, r7 ;;
	ld8	r9 = [r8], 8 ;;				// configuration tables
	ld8	r8 = [r8]
	movl	r10 = 0x11d32d88eb9d2d32 ;;		// the SAL system table's GUID begins so
1:	ld8	r11 = [r8], 16 ;;
	ld8	r12 = [r8], 8
	cmp.eq	p6, p7 = r10, r11 ;;
	(p7) br.cond.sptk.many 1b ;;
	ld4	r14 = [r12]
	movl	r15 = 0x5f545353 ;;			// "SST_"
	mov	r42 = r12
	CHECK	"the SAL system table is where the EFI system table says"
	adds	r8 = 96 + 8, r42 ;;
	ld8	r43 = [r8], 8 ;;			// PAL_PROC
	ld8	r44 = [r8], 8 ;;			// SAL_PROC
	ld8	r45 = [r8] ;;				// its gp

	// ---- UART: transmitter empty, through the I/O SAPIC ----
	REG8	r8, IOSAPIC, 0
	REG8	r9, IOSAPIC, 0x10
	mov	r10 = UART_RTE + 1
	mov	r11 = UART_RTE
	movl	r12 = UART_VECTOR | LEVEL ;;
	st4.rel	[r8] = r10 ;;
	st4.rel	[r9] = r0 ;;				// to processor 0
	st4.rel	[r8] = r11 ;;
	st4.rel	[r9] = r12 ;;
	mov	r14 = cr.ivr
	mov	r15 = SPURIOUS ;;
	CHECK	"nothing is pending"
	REG8	r8, UART, IER
	mov	r9 = 2 ;;
	st1.rel	[r8] = r9 ;;
	mf.a ;;
	mov	r14 = cr.ivr
	mov	r15 = UART_VECTOR ;;
	CHECK	"transmitter empty: the UART's vector"
	REG8	r8, UART, IIR
	ld1.acq	r14 = [r8]
	mov	r15 = 2 ;;
	and	r14 = 0xf, r14 ;;
	CHECK	"IIR says so"
	// CHECK's own bytes made it empty again.
	END_UART
	mf.a ;;
	mov	r14 = cr.ivr
	mov	r15 = UART_VECTOR ;;
	CHECK	"a level that stands is delivered again at its end"
	REG8	r8, UART, IER
	st1.rel	[r8] = r0 ;;
	END_UART
	mf.a ;;
	mov	r14 = cr.ivr
	mov	r15 = SPURIOUS ;;
	CHECK	"and not when it is gone"

	// ---- UART: input ends a halt ----
	REG8	r8, UART, FCR
	mov	r9 = 1 ;;
	st1.rel	[r8] = r9
	REG8	r8, UART, IER
	st1.rel	[r8] = r9 ;;
	br.call.sptk.many b1 = halt ;;
	mov	r14 = cr.ivr
	mov	r15 = UART_VECTOR ;;
	CHECK	"input: the UART's vector ends a halt"
	REG8	r8, UART, THR
	ld1.acq	r14 = [r8]
	mov	r15 = 'x' ;;
	CHECK	"the byte that came in"
	REG8	r8, UART, IER
	st1.rel	[r8] = r0 ;;
	END_UART

	// ---- the other processors ----
	cmp.eq	p6, p0 = 1, r40
	(p6) br.cond.sptk.many end ;;
	alloc	r32 = ar.pfs, 0, 88, 8, 0 ;;		// SAL_PROC's arguments are r120 on
	movl	r120 = SAL_SET_VECTORS
	mov	r121 = SAL_VECTOR_AP
	movl	r122 = ap_start
	movl	r123 = 0x1234560 ;;			// their gp
	mov	r124 = 0
	mov	r125 = 0
	mov	r126 = 0
	mov	r127 = 0
	mov	r46 = r1
	mov	r1 = r45
	mov	b6 = r44 ;;
	br.call.sptk.many b0 = b6 ;;
	alloc	r32 = ar.pfs, 0, 0, 96, 0		// all of them outputs again: a call
	mov	r1 = r46				// leaves the frame as it is
	mov	r14 = r8
	mov	r15 = 0 ;;
	CHECK	"SAL_SET_VECTORS"
	mov	r9 = WAKE_VECTOR ;;
	br.call.sptk.many b1 = send_all ;;
	adds	r15 = -1, r40
	adds	r12 = -1, r40 ;;
	AWAIT	up
	CHECK	"SAL wakes all other processors"
	movl	r8 = gp_seen ;;
	ld8	r14 = [r8]
	movl	r15 = 0x1234560 ;;
	CHECK	"with the gp that it was given"

	// ---- IPIs: one to each, one back from each; 0x51 is one vector ----
	mov	r9 = TO_AP ;;
	br.call.sptk.many b1 = send_all ;;
	adds	r12 = -1, r40 ;;
	AWAIT	answers
	mov	r15 = r12 ;;
	CHECK	"an IPI reaches each of them"
	mov	r14 = cr.ivr
	mov	r15 = TO_BSP ;;
	CHECK	"an IPI comes back"
	mov	cr.eoi = r0 ;;
	srlz.d ;;

	// ---- ptc.ga: they hold a translation of VA to the first page; it changes ----
	adds	r12 = -1, r40 ;;
	AWAIT	sum
	mov	r15 = r12 ;;
	CHECK	"each of them has read 1 through its translation"
	movl	r8 = pte
	movl	r9 = page2
	movl	r10 = PTE ;;
	or	r9 = r9, r10 ;;
	st8.rel	[r8] = r9 ;;
	mf ;;
	movl	r9 = 1 << 8 | PAGE_SHIFT << 2
	movl	r8 = 1 << 61 ;;
	mov	rr[r8] = r9 ;;
	srlz.d
	movl	r8 = VA
	mov	r9 = PAGE_SHIFT << 2 ;;
	ptc.ga	r8, r9 ;;
	srlz.i ;;
	movl	r8 = go
	mov	r9 = 1 ;;
	st8.rel	[r8] = r9
	movl	r9 = 1001
	adds	r12 = -1, r40 ;;
	mov	r15 = 0 ;;
2:	add	r15 = r15, r9				// 1 before and 1000 after, each
	adds	r12 = -1, r12 ;;
	cmp.ne	p6, p0 = r12, r0
	(p6) br.cond.sptk.many 2b ;;
	mov	r12 = r15 ;;
	AWAIT	sum
	CHECK	"ptc.ga: each of them reads the new page's 1000, not the old one's 1"

end:
	cmp.eq	p6, p0 = 'r', r41
	cmp.eq	p7, p0 = 'e', r41
	(p6) br.cond.sptk.many reset_register
	(p7) br.cond.sptk.many efi_reset ;;
	cmp.eq	p6, p0 = 'b', r41
	cmp.eq	p7, p0 = 'h', r41
	(p6) br.cond.sptk.many boot_service
	(p7) br.cond.sptk.many stop ;;
	movl	r8 = IO_PORTS + PM1A_CONTROL + 0
	movl	r9 = 1 << 13 | 5 << 10 ;;		// SLP_EN, SLP_TYP
	st2.rel	[r8] = r9 ;;
	mf.a ;;
stop:
	// No source of interrupts is left: halted for good.
	br.call.sptk.many b1 = halt ;;
	br.cond.sptk.many stop ;;
reset_register:
	movl	r8 = IO_PORTS + RESET_REGISTER + 0
	mov	r9 = 6 ;;
	st1.rel	[r8] = r9 ;;
	mf.a ;;
	br.cond.sptk.many stop ;;
efi_reset:
	adds	r8 = 88, r7 ;;
	ld8	r8 = [r8] ;;
	adds	r8 = 24 + 8 * 10, r8 ;;			// ResetSystem
	br.cond.sptk.many call_efi ;;
boot_service:
	adds	r8 = 96, r7 ;;
	ld8	r8 = [r8] ;;
	adds	r8 = 24, r8 ;;				// RaiseTPL
call_efi:
	ld8	r8 = [r8] ;;
	ld8	r9 = [r8], 8 ;;
	ld8	r1 = [r8]
	mov	r32 = 1					// a warm reset
	mov	b6 = r9 ;;
	br.call.sptk.many b0 = b6 ;;
	br.cond.sptk.many stop ;;
	.endp	_start

	// PAL_HALT_LIGHT; back to b1
halt:
	mov	r28 = PAL_HALT_LIGHT
	mov	r29 = 0
	mov	r30 = 0
	mov	r31 = 0
	mov	b6 = r43
	movl	r8 = 1f ;;
	mov	b0 = r8 ;;
	br.cond.sptk.many b6 ;;
	.align	16
1:	br.cond.sptk.many b1 ;;

	// vector r9 to each processor but the first; back to b1
send_all:
	mov	r10 = 1 ;;
1:	dep.z	r11 = r10, 12, 8			// id in bits 19:12
	movl	r8 = IPI_BLOCK ;;
	add	r8 = r8, r11 ;;
	st8.rel	[r8] = r9
	adds	r10 = 1, r10 ;;
	cmp.ltu	p6, p0 = r10, r40
	(p6) br.cond.sptk.many 1b ;;
	br.cond.sptk.many b1 ;;

	// One byte, r20, to the UART; uses r21 and r22, p8; back to b2
put:
	movl	r21 = UART + THR ;;
	st1.rel	[r21] = r20 ;;
	br.cond.sptk.many b2 ;;
	// The string at r19; back to b3
puts:
1:	ld1	r20 = [r19], 1 ;;
	cmp.eq	p8, p9 = r20, r0
	(p8) br.cond.sptk.many b3 ;;
	br.call.sptk.many b2 = put ;;
	br.cond.sptk.many 1b ;;
check:
	mov	r23 = r19
	cmp.eq	p6, p7 = r14, r15
	adds	r5 = 1, r5
	movl	r24 = not_ok
	movl	r25 = just_ok ;;
	(p6) mov r19 = r25
	(p7) mov r19 = r24 ;;
	br.call.sptk.many b3 = puts ;;
	mov	r19 = r23 ;;
	br.call.sptk.many b3 = puts ;;
	mov	r20 = '\n' ;;
	br.call.sptk.many b2 = put ;;
	br.cond.sptk.many b1 ;;

	// ---- another processor ----
ap_start:
	mov	r8 = r1
	movl	r9 = gp_seen
	movl	r10 = ivt
	movl	r11 = up ;;
	st8.rel	[r9] = r8
	mov	cr.iva = r10
	fetchadd8.rel r8 = [r11], 1 ;;
	// An IPI, and the answer.
1:	mov	r8 = cr.ivr ;;
	mov	r9 = TO_AP ;;
	cmp.ne	p6, p0 = r8, r9
	(p6) br.cond.sptk.many 1b ;;
	srlz.d ;;
	mov	cr.eoi = r0
	movl	r8 = IPI_BLOCK
	movl	r10 = answers
	mov	r9 = TO_BSP ;;
	srlz.d
	st8.rel	[r8] = r9 ;;
	mf.a ;;
	fetchadd8.rel r9 = [r10], 1 ;;
	// Region 1 with 16 KB pages, no walker; VA has no translation yet.
	movl	r8 = 1 << 61
	movl	r9 = 1 << 8 | PAGE_SHIFT << 2 ;;
	mov	rr[r8] = r9 ;;
	srlz.d ;;
	br.call.sptk.many b1 = read_va ;;
	movl	r9 = go ;;
1:	ld8.acq	r8 = [r9] ;;
	cmp.eq	p6, p0 = r8, r0
	(p6) br.cond.sptk.many 1b ;;
	br.call.sptk.many b1 = read_va ;;
1:	br.cond.sptk.many 1b ;;

	// Add what is at VA to the sum; back to b1
read_va:
	movl	r8 = VA
	ssm	PSR_IC ;;
	srlz.i ;;
	ssm	PSR_DT ;;
	srlz.d ;;
	ld8	r10 = [r8] ;;
	rsm	PSR_DT | PSR_IC ;;
	srlz.d
	movl	r9 = sum ;;
1:	ld8.acq	r11 = [r9] ;;
	mov	ar.ccv = r11
	add	r12 = r11, r10 ;;
	cmpxchg8.rel r15 = [r9], r12, ar.ccv ;;
	cmp.ne	p6, p0 = r15, r11
	(p6) br.cond.sptk.many 1b ;;
	br.cond.sptk.many b1 ;;

	.data
	.align	8
up:	data8	0
gp_seen: data8	0
answers: data8	0
sum:	data8	0
go:	data8	0
pte:	data8	page1 + PTE
not_ok:	.ascii	"not "
just_ok: stringz "ok - "
	.align	1 << PAGE_SHIFT
page1:	data8	1
	.align	1 << PAGE_SHIFT
page2:	data8	1000
	.align	1 << PAGE_SHIFT
