// SPDX-License-Identifier: GPL-2.0-only
// Ways to die: the first letter of the first argument chooses one. deaths.expect
// says which signal Linux/ia64 sends for it. Exits with 1 if nothing happens.
	.include "guest.inc"

SYS_getpid = 1041
SYS_kill = 1053
SIGTERM = 15

	.macro	when letter, label
	cmp4.eq	p6, p7 = \letter, r3
(p6)	br.cond.spnt \label ;;
	.endm

	.text
	.global	_start
	.proc	_start
_start:
	alloc	r32 = ar.pfs, 0, 8, 3, 0
	adds	r2 = 32, r12 ;; // argc is at sp + 16, argv[1] two words behind it
	ld8	r2 = [r2] ;;
	ld1	r3 = [r2]
	movl	r33 = data
	movl	r34 = _start
	mov	r14 = 0 ;;
	when	'a', unmapped_store
	when	'b', text_store
	when	'c', unmapped_jump
	when	'd', data_jump
	when	'e', illegal
	when	'f', privileged
	when	'g', privileged_register
	when	'h', reserved_field
	when	'i', nat_store
	when	'j', alignment_check
	when	'k', unaligned_semaphore
	when	'l', unaligned_fill
	when	'm', unaligned_half_mapped
	when	'n', zero_divide
	when	'o', inexact
	when	'p', break_abort
	when	'q', break_divide
	when	'r', break_null
	when	's', break_debug
	when	't', itself
	when	'u', unaligned_no_write
nothing:
	exit	1

unmapped_store:
	st8	[r14] = r0 ;;
	br	nothing
text_store:
	st8	[r34] = r0 ;;
	br	nothing
unmapped_jump:
	mov	b6 = r14 ;;
	br	b6 ;;
data_jump:
	mov	b6 = r33 ;;
	br	b6 ;;
illegal:
	br	reserved_template ;;
privileged:
	mov	r14 = psr ;;
	br	nothing
privileged_register:
	mov	ar.k0 = r0 ;;
	br	nothing
reserved_field:
	mov	r14 = -1 ;;
	mov	ar.fpsr = r14 ;;
	br	nothing
nat_store:
	ld8.s	r14 = [r14] ;;
	st8	[r33] = r14 ;;
	br	nothing
alignment_check:
	adds	r2 = 2, r33 ;;
	sum	8 ;; // PSR.ac
	ld4	r14 = [r2] ;;
	br	nothing
unaligned_semaphore:
	adds	r2 = 4, r33 ;;
	fetchadd8.acq r14 = [r2], 1 ;;
	br	nothing
unaligned_fill:
	adds	r2 = 4, r33 ;;
	ld8.fill r14 = [r2] ;;
	br	nothing
unaligned_half_mapped:
	movl	r2 = end - 3 ;;
	ld8	r14 = [r2] ;;
	br	nothing
unaligned_no_write:
	adds	r2 = 3, r34 ;;
	st8	[r2] = r0 ;;
	br	nothing
zero_divide:
	movl	r14 = 0x9804c0270033b ;; // Linux's ar.fpsr with zero divide unmasked
	mov	ar.fpsr = r14 ;;
	frcpa.s0 f6, p6 = f1, f0 ;;
	br	nothing
inexact:
	movl	r14 = 0x9804c0270031f
	movl	r15 = 0x20000000000001 ;; // more bits than a double has
	setf.sig f6 = r15
	mov	ar.fpsr = r14 ;;
	fcvt.xf	f6 = f6 ;;
	fma.d.s0 f7 = f6, f1, f0 ;;
	br	nothing
break_abort:
	break.i	0 ;;
	br	nothing
break_divide:
	break.m	1 ;;
	br	nothing
break_null:
	break.i	4 ;;
	br	nothing
break_debug:
	break.i	0x80001 ;;
	br	nothing
itself:
	syscall	SYS_getpid
	mov	r40 = r8
	mov	r41 = SIGTERM
	syscall	SYS_kill
	br	nothing
	.endp	_start

	.align	16
reserved_template:
	data8	0x6, 0

	.data
	.align	16
data:
	data8	0, 0

	.bss
	.align	65536
	.skip	65536
end:
