// SPDX-License-Identifier: GPL-2.0-only
// The rarer events and the opcode classes, known by construction. The loop runs 10
// times, the rest once; comments give the counts of one pass, events.expect sums.
	.include "guest.inc"

	.text
	.global	_start
	.proc	_start
_start:
	alloc	r32 = ar.pfs, 0, 8, 3, 0
	mov	r8 = 9
	movl	r14 = data ;;
	adds	r15 = 64, r14
	adds	r16 = 128, r14
	adds	r17 = 3, r14			// 4 bytes from here stay inside 8
	adds	r18 = 144, r14
	mov.i	ar.lc = r8 ;;
turn:
	// @fpload 9 and 2 below, @fpstore 3, @lfetch 3; 8 loads, the check load is none
	ldfd	f32 = [r14]
	ldfs	f33 = [r15] ;;
	ldfe	f34 = [r16]
	ldf8	f35 = [r14] ;;
	ldf.fill f36 = [r16]
	ldfpd	f38, f39 = [r18] ;;
	ldfps	f40, f41 = [r18]
	ldfd.a	f42 = [r14] ;;
	ldfd.c.clr f42 = [r14]			// INST_CHKA_LDC_ALAT.FP, hit
	stfd	[r15] = f32 ;;
	stfs	[r15] = f33
	stf.spill [r16] = f36 ;;
	lfetch	[r14]
	lfetch.nt1 [r15]
	lfetch.fault [r16] ;;
	// integer: 4 loads, 8 stores of which 4 are short; 4 semaphores load, 3 store (the
	// cmpxchg does not), one load and one store of 16 bytes, 2 getf and 3 setf
	ld1	r20 = [r14]
	ld2	r21 = [r14] ;;
	ld4	r22 = [r17]			// MISALIGNED_LOADS_RETIRED
	ld8	r23 = [r14] ;;
	adds	r24 = 32, r15
	adds	r25 = 32, r14 ;;
	st1	[r24] = r20, 1
	nop.m	0 ;;
	st1	[r24] = r20
	st2	[r25] = r21, 2 ;;
	st2	[r25] = r21
	adds	r25 = 32, r14 ;;
	st4	[r25] = r22
	st8	[r25] = r23 ;;
	adds	r26 = 3, r25
	adds	r27 = 48, r14 ;;
	st4	[r26] = r22			// MISALIGNED_STORES_RETIRED
	st8.spill [r25] = r23 ;;
	xchg4	r28 = [r27], r22
	fetchadd8.acq r29 = [r27], 1 ;;
	cmpxchg8.acq r28 = [r27], r22, ar.ccv
	nop.m	0 ;;
	cmp8xchg16.acq r28 = [r16], r22, ar.csd, ar.ccv
	ld16	r29, ar.csd = [r16] ;;
	st16	[r16] = r29, ar.csd
	getf.sig r30 = f35 ;;
	getf.d	r31 = f32
	setf.sig f43 = r8 ;;
	setf.d	f44 = r0
	setf.exp f45 = r8 ;;
	// @recip 2 (fprcpa is none), @fma 6 and 3 at the end;
	// FP_OPS_RETIRED: 1 + 1 + 2, 2 + 1 + 1 + 4 + 0 + 0, 1 + 2 + 1 + 2, at the end 3
	frcpa.s0 f46, p8 = f1, f1
	frsqrta.s0 f47, p9 = f1
	fprcpa.s0 f48, p10 = f43, f43 ;;
	fma.d.s0 f49 = f1, f32, f1
	fadd.d.s0 f50 = f1, f1
	fmpy.s.s0 f51 = f1, f1 ;;
	fpma.s0	f52 = f43, f43, f43
	xma.l	f53 = f43, f43, f43
	fselect	f54 = f43, f43, f43 ;;
	fmin.s0	f55 = f1, f1
	fpmax.s0 f56 = f43, f43 ;;
	fcmp.eq.s0 p11, p12 = f1, f0
	fpcmp.eq.s0 f57 = f43, f43 ;;
	// Speculation. The address of ld8.s is no page of ours.
	movl	r20 = 0x2000000000000000 ;;
	ld8.s	r21 = [r20] ;;			// the system resumes it with PSR.ed: NaT
	ld8.s	r22 = [r21] ;;			// NaT: from a NaT
	chk.s	r21, recover_int ;;
back_int:
	ldfd.s	f58 = [r20] ;;			// NaTVal, and no integer load
	chk.s	f58, recover_fp ;;
back_fp:
	chk.s	r8, recover_int			// passes
	ld8.a	r23 = [r14] ;;
	chk.a.nc r23, recover_a ;;		// hit
	st8	[r14] = r0 ;;
	chk.a.nc r23, recover_a ;;		// INST_FAILED_CHKA_LDC_ALAT.INT
back_a:
	ld8.c.nc r23 = [r14] ;;			// fails too, loads, has an entry again
	ld8.c.clr r23 = [r14] ;;		// hit
	ldfd.c.clr f42 = [r14] ;;		// INST_FAILED_CHKA_LDC_ALAT.FP
	srlz.i ;;
	nop.i	0
	br.cloop.sptk.few turn ;;

	// Flush to zero: sf1 with ftz, tiny times tiny in single precision.
	fsetc.s1 0x7f, 0x01
	mov	r8 = 0xff81 ;;			// 2^-126
	setf.exp f60 = r8 ;;
	fmpy.s.s1 f61 = f60, f60 ;;		// 1 flushed
	fmpy.s.s0 f61 = f60, f60 ;;		// a denormal's way to zero: not flushed
	fchkf.s1 recover_f ;;			// underflow, which s0 has by now: passes
	fsetc.s2 0x7f, 0x00 ;;
	fclrf.s0
	fclrf.s1 ;;
	fmpy.s.s1 f61 = f60, f60 ;;		// 1 flushed
	fchkf.s1 recover_f ;;			// FP_FAILED_FCHKF
back_f:
	// 40 advanced loads of 40 registers: 8 push an entry out.
	invala ;;
	.irp n, 64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87
	ldfd.a	f\n = [r14] ;;
	.endr
	.irp n, 88,89,90,91,92,93,94,95,96,97,98,99,100,101,102,103
	ldfd.a	f\n = [r14] ;;
	.endr
	exit	0
recover_int:
	mov	r21 = r0
	br.sptk.few back_int ;;
recover_fp:
	br.sptk.few back_fp ;;
recover_a:
	br.sptk.few back_a ;;
recover_f:
	br.sptk.few back_f ;;
	.endp	_start

	.data
	.align	128
data:
	.skip	256
