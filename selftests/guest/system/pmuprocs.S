// SPDX-License-Identifier: GPL-2.0-only
// Three processes, the kernel's part of each, and the handlers of their interruptions, which
// execute known numbers of instructions under bits of PSR that the caller chooses: up and pp
// of the processes are in r8, r9 and r10, DCR is r11. selftests/machine/test_pmus.c says what
// other processors' monitors count of them.
	.include "ivt.inc"

TABLE = 0x1000		// where the handler goes on: IP, PSR, and the next handler's loop
MAGIC = 0x736375727073	// in r13 behind the last process

	IVT	0x2c00, handler

	// Loop @n times: 3 + 3 * n instructions, with that of AR.LC.
	.macro	LOOP n
	{ .mii
	nop.m	0
	mov.i	ar.lc = \n - 1
	nop.i	0 ;;
	}
1:
	{ .mib
	nop.m	0
	nop.i	0
	br.cloop.sptk.few 1b ;;
	}
	.endm

	.macro	PART name, n
\name:
	LOOP	\n
	{ .mii
	break.m	0
	nop.i	0
	nop.i	0 ;;
	}
	.endm

	// Level 3 or 0, PSR.ic and bank 1, with up and pp as in @bits
	.macro	ENTRY target, bits, level, n
	movl	r2 = \target
	movl	r3 = \level << 32 | 1 << 13 | 1 << 44
	mov	r15 = \n - 1 ;;
	or	r3 = r3, \bits
	st8	[r14] = r2, 8 ;;
	st8	[r14] = r3, 8 ;;
	st8	[r14] = r15, 8 ;;
	.endm

	.text
	.global	_start
	.proc	_start
_start:
	movl	r2 = ivt
	movl	r14 = TABLE ;;
	mov	cr.iva = r2
	mov	cr.dcr = r11 ;;
	srlz.i ;;
	ENTRY	user_a, r8, 3, 1
	ENTRY	kernel_a, r8, 0, 2
	ENTRY	user_b, r9, 3, 4
	ENTRY	kernel_b, r9, 0, 8
	ENTRY	user_c, r10, 3, 16
	ENTRY	kernel_c, r10, 0, 32
	ENTRY	done, r0, 0, 1
	bsw.0 ;;
	movl	r19 = TABLE ;;
	br.cond.sptk.few enter ;;
	.endp	_start

	// With the branch in the vector eight bundles and a loop: each handler has a length of its own, which the entry in
	// front of it in the table says.
handler:
	{ .mii
	nop.m	0
	mov.i	ar.lc = r21
	nop.i	0 ;;
	}
1:
	{ .mib
	nop.m	0
	nop.i	0
	br.cloop.sptk.few 1b ;;
	}
enter:
	{ .mmi
	ld8	r18 = [r19], 8
	nop.m	0
	nop.i	0 ;;
	}
	{ .mmi
	ld8	r20 = [r19], 8
	nop.m	0
	nop.i	0 ;;
	}
	{ .mmi
	ld8	r21 = [r19], 8
	nop.m	0
	nop.i	0 ;;
	}
	{ .mmi
	mov	cr.iip = r18
	mov	cr.ipsr = r20
	nop.i	0 ;;
	}
	{ .mmi
	mov	cr.ifs = r0
	nop.m	0
	nop.i	0 ;;
	}
	{ .mib
	nop.m	0
	nop.i	0
	rfi ;;
	}

	PART	user_a, 10
	PART	kernel_a, 11
	PART	user_b, 23
	PART	kernel_b, 29
	PART	user_c, 53
	PART	kernel_c, 71

done:
	movl	r13 = MAGIC ;;
1:
	br.cond.sptk.few 1b ;;

unexpected:
	br.cond.sptk.few unexpected ;;
