// SPDX-License-Identifier: GPL-2.0-only
// Goes to the processor that its argument, a digit, names, and executes there a loop of 200000
// turns of two bundles, behind the addresses of other programs. Writes which processor it is on.
	.include "guest.inc"

SYS_sched_setaffinity = 1231
SYS_getcpu = 1304

	.text
	.global	_start
	.proc	_start
_start:
	alloc	r32 = ar.pfs, 0, 8, 3, 0
	adds	r33 = 32, r12 ;; // argc is at sp + 16, argv[1] two words behind it
	ld8	r33 = [r33]
	movl	r34 = mask
	mov	r35 = 1 ;;
	ld1	r33 = [r33] ;;
	adds	r33 = -'0', r33 ;;
	shl	r35 = r35, r33 ;;
	st8	[r34] = r35
	mov	r40 = 0
	mov	r41 = 8
	mov	r42 = r34
	syscall	SYS_sched_setaffinity
	movl	r36 = turns
	movl	r37 = 200000 - 1 ;;
	mov	b6 = r36
	mov	ar.lc = r37 ;;
	br.call.sptk.few b0 = b6 ;;
	movl	r40 = cpu
	mov	r41 = 0
	mov	r42 = 0
	syscall	SYS_getcpu
	movl	r33 = cpu
	movl	r34 = said ;;
	ld4	r33 = [r33]
	mov	r40 = 1
	mov	r41 = r34
	mov	r42 = end - said ;;
	adds	r33 = '0', r33
	adds	r34 = 4, r34 ;;
	st1	[r34] = r33
	syscall	SYS_write
	exit	0
	.endp	_start

	.org	0xd0000
	.align	32
	.global	turns
	.proc	turns
turns:
	{ .mii
	  nop.m	0
	  adds	r8 = 1, r8
	  nop.i	0 ;;
	}
	{ .mib
	  nop.m	0
	  nop.i	0
	  br.cloop.sptk.few turns ;;
	}
	br.ret.sptk.few b0 ;;
	.endp	turns
turns_end:

	.data
mask:
	.quad	0
cpu:
	.quad	0
said:
	.ascii	"\nON"
	.ascii	" ?-PINNED\n"
end:
