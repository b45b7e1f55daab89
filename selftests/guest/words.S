// SPDX-License-Identifier: GPL-2.0-only
// Writes its arguments, and a byte of its input if there is one; its status is their number.
	.include "guest.inc"

	.text
	.global	_start
	.proc	_start
_start:
	alloc	r32 = ar.pfs, 0, 8, 3, 0
	adds	r33 = 24, r12 // argc is at sp + 16, argv[1] two words behind it
	mov	r37 = 0 ;;
	adds	r33 = 8, r33 ;;
1:	ld8	r34 = [r33], 8 ;;
	cmp.eq	p6, p7 = 0, r34
	mov	r35 = r34
(p6)	br.cond.spnt 3f ;;
2:	ld1	r14 = [r35], 1 ;;
	cmp.ne	p6, p7 = 0, r14
(p6)	br.cond.sptk 2b ;;
	sub	r36 = r35, r34
	mov	r40 = 1
	mov	r41 = r34 ;;
	adds	r42 = -1, r36
	syscall	SYS_write
	adds	r37 = 1, r37
	br.sptk	1b ;;
3:	mov	r40 = 0
	movl	r41 = byte
	mov	r42 = 1
	syscall	SYS_read
	mov	r40 = 1
	movl	r41 = byte
	mov	r42 = r8
	syscall	SYS_write
	mov	r40 = r37
	syscall	SYS_exit
	.endp	_start

	.bss
byte:
	.skip	8
