// SPDX-License-Identifier: GPL-2.0-only
// Loops of known groups for selftests/machine/test_pipeline.c, which enters each function
// with its trips less one in ar.lc and counts until its end. Physical addresses; no
// interruption is expected.

	PSR_DT = 1 << 17

	.macro	ROW name
	.balign	64
	.global	\name
	.type	\name, @function
	.proc	\name
\name:
	.endm

	// one more trip, from 1: on; the function ends behind
	.macro	TRIPS name
	{ .mib
	nop.m	0
	nop.i	0
	br.cloop.sptk.few 1b ;;
	}
	.endp	\name
	// no branch is predicted beyond the end
	.balign	64
	{ .mmi
	nop.m	0
	nop.m	0
	nop.i	0 ;;
	}
	.endm

	// 1024 lines of 64 bytes, two groups each: none is in the L1I when it is fetched
	// again. Each begins with what reads r14, and each @every-th ends with @last.
	.macro	RING name, last, every=1
	.set	line, 0
	ROW	\name
	.balign	64
1:
	.rept	1024
	{ .mmi
	add	r15 = r14, r0
	nop.m	0
	nop.i	0
	}
	{ .mmi
	nop.m	0
	nop.m	0
	nop.i	0 ;;
	}
	{ .mmi
	nop.m	0
	nop.m	0
	nop.i	0
	}
	.set	line, line + 1
	.if	line % \every
	{ .mmi
	nop.m	0
	nop.m	0
	nop.i	0 ;;
	}
	.else
	{ .mmi
	\last
	nop.m	0
	nop.i	0 ;;
	}
	.endif
	.endr
	TRIPS	\name
	.endm

	.text
	.global	_start
_start:
	nop.m	0 ;;

	// register stack: a frame of 92 registers beside the 90 dirty ones of the caller's.
	// r20 is the store of the engine.
	.macro	FRAME rsc
	movl	r20 = 0x10000
	movl	r21 = \rsc
	mov	ar.rsc = r0 ;;
	mov	ar.bspstore = r20
	mov	ar.rnat = r0 ;;
	mov	ar.rsc = r21
	alloc	r8 = ar.pfs, 0, 90, 2, 0 ;;
	.endm

	ROW	rse_alloc
	FRAME	0
1:	br.call.sptk.few b6 = leaf_alloc ;;
	TRIPS	rse_alloc
leaf_alloc:
	alloc	r8 = ar.pfs, 0, 92, 0, 0
	nop.m	0
	nop.i	0 ;;
	br.ret.sptk.few b6 ;;

	ROW	rse_flush
	FRAME	90 * 8 << 16
1:	br.call.sptk.few b6 = leaf_flush ;;
	TRIPS	rse_flush
leaf_flush:
	alloc	r8 = ar.pfs, 0, 0, 0, 0
	nop.m	0
	nop.i	0 ;;
	{ .mii
	flushrs
	nop.i	0
	nop.i	0 ;;
	}
	{ .mii
	loadrs
	nop.i	0
	nop.i	0 ;;
	}
	br.ret.sptk.few b6 ;;

	// a load of the L2D and its use
	ROW	load_fp
	movl	r20 = 0x20000 ;;
1:	ldfd	f6 = [r20] ;;
	fma.d	f7 = f6, f1, f0 ;;
	TRIPS	load_fp

	// the user mask: in slot 1, what it was and what it was not
	.macro	MASK name, bits
	ROW	\name
1:	.rept	4
	{ .mmi
	nop.m	0
	sum	\bits
	nop.i	0 ;;
	}
	{ .mmi
	nop.m	0
	rum	\bits
	nop.i	0 ;;
	}
	.endr
	TRIPS	\name
	.endm

	MASK	mask_ac, 8
	MASK	mask_be, 2
	MASK	mask_up, 4

	// fetch and operands
	RING	ring_nop, "nop.m 0"
	RING	ring_getf, "getf.sig r14 = f8"
	RING	ring_cr, "mov r14 = cr.iva", 4

	// the last line's group and its reader, in the L1I: what the reader waits for
	ROW	wait_cr
1:	mov	r14 = cr.iva ;;
	add	r15 = r14, r0 ;;
	TRIPS	wait_cr

	// loads of one page, by way of the L1 DTLB
	ROW	translated
	mov	r2 = 14 << 2 ;;
	mov	cr.ifa = r0
	mov	cr.itir = r2
	movl	r3 = 0x661 ;;
	itr.d	dtr[r0] = r3 ;;
	ssm	PSR_DT ;;
	srlz.d
	movl	r20 = 0x2000 ;;
1:	ld8	r21 = [r20] ;;
	TRIPS	translated
