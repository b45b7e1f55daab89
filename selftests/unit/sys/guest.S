// SPDX-License-Identifier: GPL-2.0-only
// Guest code of the system tests: an interruption vector table that records
// what the processor says, and one snippet for each instruction under test.
//
// A snippet is entered through "prelude" (branch to b6) or directly, and leads
// to "passed" when nothing interrupts it. The macros put one instruction into
// each slot that can hold it: NAME_0, NAME_1, NAME_2.

	.text
	.explicit

REC	= 0x8000		// count, then records of 128 bytes
PERSIST	= 0x7f00		// nonzero: resume with rfi instead of stopping

// ---- the interruption vector table, 32 KB aligned ----

	.align 0x8000
ivt:
	.macro	VECTOR off
	.org	\off
	{ .mib
	  nop.m 0
	  addl r16 = \off, r0
	  br.cond.sptk.few common
	}
	.endm
	.irp	v, 0x0000, 0x0400, 0x0800, 0x0c00, 0x1000, 0x1400, 0x1800, 0x1c00
	VECTOR	\v
	.endr
	.irp	v, 0x2000, 0x2400, 0x2800, 0x2c00, 0x3000, 0x3400, 0x3800, 0x3c00
	VECTOR	\v
	.endr
	.irp	v, 0x5000, 0x5100, 0x5200, 0x5300, 0x5400, 0x5500, 0x5600, 0x5700
	VECTOR	\v
	.endr
	.irp	v, 0x5800, 0x5900, 0x5a00, 0x5b00, 0x5c00, 0x5d00, 0x5e00, 0x5f00
	VECTOR	\v
	.endr
	.irp	v, 0x6000, 0x6100, 0x6900, 0x6a00, 0x6b00
	VECTOR	\v
	.endr

	.org	0x8000
common:
	{ .mii
	  mov r22 = psr
	  nop.i 0
	  nop.i 0 ;;
	}
	{ .mlx
	  rsm 0x20000			// psr.dt: the record is physical
	  movl r17 = REC ;;
	}
	{ .mmi
	  srlz.d ;;
	  rum 0x2			// psr.be
	  nop.i 0 ;;
	}
	{ .mmi
	  ld8 r18 = [r17] ;;
	  adds r20 = 1, r18
	  shl r19 = r18, 7 ;;
	}
	{ .mmi
	  st8 [r17] = r20
	  add r19 = r19, r17
	  nop.i 0 ;;
	}
	{ .mmi
	  adds r19 = 128, r19 ;;
	  st8 [r19] = r16, 8
	  nop.i 0 ;;
	}
	.macro	SAVE cr
	{ .mmi
	  mov r21 = \cr ;;
	  st8 [r19] = r21, 8
	  nop.i 0 ;;
	}
	.endm
	SAVE	cr.ipsr
	SAVE	cr.isr
	SAVE	cr.iip
	SAVE	cr.ifa
	SAVE	cr.itir
	SAVE	cr.iipa
	SAVE	cr.ifs
	SAVE	cr.iim
	SAVE	cr.iha
	{ .mmi
	  st8 [r19] = r22, 8 ;;
	  nop.m 0
	  nop.i 0
	}
	SAVE	ar.bsp
	SAVE	ar.bspstore
	{ .mlx
	  nop.m 0
	  movl r17 = PERSIST ;;
	}
	{ .mmi
	  ld8 r18 = [r17] ;;
	  cmp.ne p1, p0 = r18, r0
	  nop.i 0 ;;
	}
	{ .mib
	  nop.m 0
	  nop.i 0
	  (p1) br.cond.sptk.few resume ;;
	}
done:
	{ .mfb
	  nop.m 0
	  nop.f 0
	  br.cond.sptk.few done ;;
	}
passed:
	{ .mfb
	  nop.m 0
	  nop.f 0
	  br.cond.sptk.few passed ;;
	}
resume:
	{ .mib
	  nop.m 0
	  nop.i 0
	  rfi ;;
	}
cover_resume:
	{ .mib
	  nop.m 0
	  nop.i 0
	  cover ;;
	}
	{ .mib
	  nop.m 0
	  nop.i 0
	  rfi ;;
	}
cover_done:
	{ .mib
	  nop.m 0
	  nop.i 0
	  cover ;;
	}
	{ .mfb
	  nop.m 0
	  nop.f 0
	  br.cond.sptk.few passed ;;
	}
prelude:
	{ .mib
	  nop.m 0
	  nop.i 0
	  br.cond.sptk.few b6 ;;
	}

// ---- snippets ----

	.macro	END
	{ .mfb
	  nop.m 0
	  nop.f 0
	  br.cond.sptk.few passed ;;
	}
	.endm
	.macro	M name, insn
\name\()_0:
	{ .mmi
	  \insn
	  nop.m 0
	  nop.i 0 ;;
	}
	END
\name\()_1:
	{ .mmi
	  nop.m 0 ;;
	  \insn
	  nop.i 0 ;;
	}
	END
	.endm
	.macro	M0 name, insn
\name\()_0:
	{ .mmi
	  \insn ;;
	  nop.m 0
	  nop.i 0 ;;
	}
	END
	.endm
	.macro	I name, insn
\name\()_1:
	{ .mii
	  nop.m 0
	  \insn
	  nop.i 0 ;;
	}
	END
\name\()_2:
	{ .mii
	  nop.m 0
	  nop.i 0
	  \insn ;;
	}
	END
	.endm
	.macro	F name, insn
\name\()_1:
	{ .mfi
	  nop.m 0
	  \insn
	  nop.i 0 ;;
	}
	END
	.endm
	.macro	B name, insn
\name\()_0:
	{ .bbb
	  \insn
	  nop.b 0
	  nop.b 0 ;;
	}
	END
\name\()_1:
	{ .bbb
	  nop.b 0
	  \insn
	  nop.b 0 ;;
	}
	END
\name\()_2:
	{ .bbb
	  nop.b 0
	  nop.b 0
	  \insn ;;
	}
	END
	.endm
	.macro	B2 name, insn
\name\()_2:
	{ .mib
	  nop.m 0
	  nop.i 0
	  \insn ;;
	}
	END
	.endm

	// breaks, nothing
	M	break_m, "break.m 0x12345"
	I	break_i, "break.i 0x1ffff"
	F	break_f, "break.f 0x77"
	B	break_b, "break.b 0x55"
break_x_2:
	{ .mlx
	  nop.m 0
	  break.x 0x123456789abcdef ;;
	}
	END
movl_x_2:
	{ .mlx
	  nop.m 0
	  movl r20 = 0x123456789abcdef ;;
	}
	END
	// calls of firmware, and the immediates beside them
	M	firmware, "break.m 0x1ff123"
	B	firmware_b, "break.b 0x1fffff"
	M	firmware_low, "break.m 0x1ff000"
	M	not_firmware, "break.m 0x1fefff"
	M	nop_m, "nop.m 0"
	B2	nop_b, "nop.b 0"
nop_all_0:
	{ .mii
	  nop.m 0
	  nop.i 0
	  nop.i 0 ;;
	}
	END

	// loads, stores, semaphores: address in r14, data in r15
	M	ld8, "ld8 r8 = [r14]"
	M	ld4, "ld4 r8 = [r14]"
	M	ld2, "ld2 r8 = [r14]"
	M	ld1, "ld1 r8 = [r14]"
	M	ld8_s, "ld8.s r8 = [r14]"
	M	ld4_s, "ld4.s r8 = [r14]"
	M	ld8_a, "ld8.a r8 = [r14]"
	M	ldfe_a, "ldfe.a f8 = [r14]"
	M	ld8_sa, "ld8.sa r8 = [r14]"
	M	ld8_c, "ld8.c.nc r8 = [r14]"
	M	ld8_post, "ld8 r8 = [r14], 8"
	M	ldfd, "ldfd f40 = [r14]"
	M	ldfe, "ldfe f40 = [r14]"
	M	ldf_fill, "ldf.fill f40 = [r14]"
	M	ldfp8, "ldfp8 f40, f41 = [r14]"
	M	ldfd_s, "ldfd.s f40 = [r14]"
	M	ld16, "ld16 r8 = [r14]"
	M	st8, "st8 [r14] = r15"
	M	st4, "st4 [r14] = r15"
	M	st2, "st2 [r14] = r15"
	M	st1, "st1 [r14] = r15"
	M	st8_post, "st8 [r14] = r15, 8"
st_ld_0:
	{ .mmi
	  st4 [r14] = r15
	  ld8 r8 = [r14]
	  adds r9 = 1, r9 ;;
	}
	END
	M	stfd, "stfd [r14] = f40"
	M	stfe, "stfe [r14] = f40"
	M	stf_spill, "stf.spill [r14] = f40"
	M	st16, "st16 [r14] = r15"
	M	xchg8, "xchg8 r8 = [r14], r15"
	M	cmpxchg8, "cmpxchg8.acq r8 = [r14], r15, ar.ccv"
	M	fetchadd8, "fetchadd8.acq r8 = [r14], 1"
	M	cmp8xchg16, "cmp8xchg16.acq r8 = [r14], r15, ar.csd, ar.ccv"
	M	fc, "fc r14"
	M	fc_i, "fc.i r14"
	M	lfetch, "lfetch [r14]"
	M	lfetch_fault, "lfetch.fault [r14]"
	M	probe_r, "probe.r r8 = r14, 3"
	M	probe_w, "probe.w r8 = r14, 3"
	M	probe_r_reg, "probe.r r8 = r14, r15"
	M	probe_w_reg, "probe.w r8 = r14, r15"
	M	probe_r_fault, "probe.r.fault r14, 3"
	M	probe_w_fault, "probe.w.fault r14, 3"
	M	probe_rw_fault, "probe.rw.fault r14, 3"
	M	tpa, "tpa r8 = r14"
	M	tak, "tak r8 = r14"
	M	thash, "thash r8 = r14"
	M	ttag, "ttag r8 = r14"

	// system registers: value in r15, index in r14
	M	ssm_i, "ssm 0x4000"
	M	ssm_bad, "ssm 0x40"
	M	rsm_i, "rsm 0x4000"
	M	rsm_ic, "rsm 0x2000"
	M	rsm_bad, "rsm 0x10000"
	M	sum_ac, "sum 0x8"
	M	sum_up, "sum 0x4"
	M	sum_bad, "sum 0x2000"
	M	rum_up, "rum 0x4"
	M	rum_bad, "rum 0x1"
	M	to_psr_l, "mov psr.l = r15"
	M	to_psr_um, "mov psr.um = r15"
	M	from_psr, "mov r8 = psr"
	M	from_psr_um, "mov r8 = psr.um"
	M	to_rr, "mov rr[r14] = r15"
	M	to_pkr, "mov pkr[r14] = r15"
	M	to_dbr, "mov dbr[r14] = r15"
	M	to_ibr, "mov ibr[r14] = r15"
	M	to_pmc, "mov pmc[r14] = r15"
	M	to_pmd, "mov pmd[r14] = r15"
	M	from_rr, "mov r8 = rr[r14]"
	M	from_pkr, "mov r8 = pkr[r14]"
	M	from_dbr, "mov r8 = dbr[r14]"
	M	from_ibr, "mov r8 = ibr[r14]"
	M	from_pmc, "mov r8 = pmc[r14]"
	M	from_pmd, "mov r8 = pmd[r14]"
	M	from_cpuid, "mov r8 = cpuid[r14]"
	M0	itc_d, "itc.d r15"
	M0	itc_i, "itc.i r15"
	M	itr_d, "itr.d dtr[r14] = r15"
	M	itr_i, "itr.i itr[r14] = r15"
	M0	ptc_l, "ptc.l r14, r15"
	M0	ptc_g, "ptc.g r14, r15"
	M0	ptc_ga, "ptc.ga r14, r15"
	M0	ptc_e, "ptc.e r14"
	M0	ptr_d, "ptr.d r14, r15"
	M0	ptr_i, "ptr.i r14, r15"
	.irp	n, dcr, itm, iva, pta, ipsr, isr, iip, ifa, itir, iipa, ifs, iim, iha
	M	to_\n, "mov cr.\n = r15"
	M	from_\n, "mov r8 = cr.\n"
	.endr
	.irp	n, lid, tpr, itv, pmv, cmcv, lrr0, lrr1
	M	to_\n, "mov cr.\n = r15"
	M	from_\n, "mov r8 = cr.\n"
	.endr
	M	to_eoi, "mov cr.eoi = r15"
	M	from_ivr, "mov r8 = cr.ivr"
	M	from_irr0, "mov r8 = cr.irr0"
	M	from_irr3, "mov r8 = cr.irr3"

	// application registers
	M	to_k0, "mov ar.k0 = r15"
	M	from_k0, "mov r8 = ar.k0"
	M	to_itc, "mov ar.itc = r15"
	M	from_itc, "mov r8 = ar.itc"
	M	to_rsc, "mov ar.rsc = r15"
	M	to_bspstore, "mov ar.bspstore = r15"
	M	from_bspstore, "mov r8 = ar.bspstore"
	M	to_rnat, "mov ar.rnat = r15"
	M	from_rnat, "mov r8 = ar.rnat"
	M	to_fpsr, "mov ar.fpsr = r15"
	I	to_pfs, "mov ar.pfs = r15"
	I	to_lc, "mov ar.lc = r15"

	// register stack
	M0	alloc_sor, "alloc r32 = ar.pfs, 0, 24, 0, 16"
	M0	alloc_big, "alloc r32 = ar.pfs, 0, 96, 0, 0"
	M0	alloc_small, "alloc r32 = ar.pfs, 0, 8, 0, 0"
	M0	flushrs, "flushrs"
	M0	loadrs, "loadrs"

	// branches
	B2	bsw0, "bsw.0"
	B2	bsw1, "bsw.1"
	B2	rfi, "rfi"
	B2	vmsw0, "vmsw.0"
	B2	vmsw1, "vmsw.1"
	B2	epc, "epc"
	B2	cover, "cover"
	B2	br_ctop, "br.ctop.sptk.few passed"
	B2	clrrrb, "clrrrb"
	B2	clrrrb_pr, "clrrrb.pr"
	B	br_ia, "br.ia.sptk.few b6"
	B	br_ret, "br.ret.sptk.few b7"
	B	br_ind, "br.cond.sptk.few b7"
	B	br_call, "br.call.sptk.few b1 = b7"
	B	br_not, "(p6) br.cond.sptk.few b7"
	I	chk_s, "chk.s.i r15, passed"
	M	chk_s_m, "chk.s.m r15, passed"
	M	chk_a, "chk.a.nc r15, passed"
	M	chk_a_r8, "chk.a.nc r8, passed"
	M	chk_a_f8, "chk.a.nc f8, passed"
	M	chk_a_r8_clr, "chk.a.clr r8, passed"
	F	fchkf, "fchkf.s1 passed"
	I	to_br, "mov b1 = r15"
	I	to_pr, "mov pr = r15, -1"

	// floating-point
	F	fadd_ll, "fadd.s0 f8 = f9, f10"
	F	fadd_hh, "fadd.s0 f40 = f41, f42"
	F	fadd_lh, "fadd.s0 f8 = f41, f10"
	F	fma_zero, "fma.s0 f0 = f9, f10, f11"
	F	fcmp_h, "fcmp.eq.s0 p6, p7 = f41, f42"
	F	frcpa, "frcpa.s0 f8, p6 = f9, f10"

	// loads of one line after the other
	// waiting for an interrupt; the interval timer set r14 cycles ahead
misses_0:
	{ .mmi
	  ld8 r8 = [r14], 128 ;;
	  add r9 = r8, r0
	  nop.i 0
	}
	{ .mfb
	  nop.m 0
	  nop.f 0
	  br.cond.sptk.few misses_0 ;;
	}
	// the second bundle waits for the first, the third for the second: not in slot 0
waits_0:
	{ .mfi
	  nop.m 0
	  fma.d f6 = f6, f1, f0
	  nop.i 0 ;;
	}
	{ .mfi
	  nop.m 0
	  fma.d f7 = f6, f1, f0
	  nop.i 0 ;;
	}
	{ .mmb
	  nop.m 0
	  getf.sig r14 = f7
	  br.cond.sptk.few waits_0 ;;
	}
spin_0:
	{ .mfb
	  nop.m 0
	  nop.f 0
	  br.cond.sptk.few spin_0 ;;
	}
timer_0:
	{ .mmi
	  mov r8 = ar.itc ;;
	  add r9 = r8, r14
	  nop.i 0 ;;
	}
	{ .mmi
	  mov cr.itm = r9 ;;
	  ssm 0x4000
	  nop.i 0 ;;
	}
	{ .mfb
	  srlz.d
	  nop.f 0
	  br.cond.sptk.few spin_0 ;;
	}

	// storms: 97 words stored and loaded again by two instructions, a purge of
	// every processor's translations
rse_storm_0:
	{ .mmi
	  flushrs ;;
	  loadrs
	  nop.i 0 ;;
	}
	{ .mfb
	  nop.m 0
	  nop.f 0
	  br.cond.sptk.few rse_storm_0 ;;
	}
	// calls six deep of frames that no two of fit, and back
call_storm_0:
	{ .mib
	  adds r14 = 6, r0
	  nop.i 0
	  br.call.sptk.few b1 = call_storm_frame ;;
	}
	{ .mfb
	  nop.m 0
	  nop.f 0
	  br.cond.sptk.few call_storm_0 ;;
	}
call_storm_frame:
	{ .mmi
	  alloc r33 = ar.pfs, 0, 80, 0, 0
	  adds r14 = -1, r14
	  mov r34 = b1 ;;
	}
	{ .mii
	  cmp.eq p6, p7 = 0, r14
	  nop.i 0
	  nop.i 0 ;;
	}
	{ .mfb
	  adds r35 = 1, r35
	  nop.f 0
	  (p7) br.call.sptk.few b1 = call_storm_frame ;;
	}
	{ .mii
	  nop.m 0
	  mov b1 = r34
	  mov.i ar.pfs = r33 ;;
	}
	{ .mfb
	  nop.m 0
	  nop.f 0
	  br.ret.sptk.few b1 ;;
	}
purge_storm_0:
	{ .mmi
	  ptc.ga r14, r15 ;;
	  nop.m 0
	  nop.i 0 ;;
	}
	{ .mfb
	  nop.m 0
	  nop.f 0
	  br.cond.sptk.few purge_storm_0 ;;
	}

	// loads and stores of one place, which may be one that is not cached
uncached_0:
	{ .mmi
	  ld8 r8 = [r14] ;;
	  st8 [r14] = r8
	  add r9 = r8, r0 ;;
	}
	{ .mfb
	  nop.m 0
	  nop.f 0
	  br.cond.sptk.few uncached_0 ;;
	}
	// reads of a counter, writes of a PMC, of a counter, of an IBR, of PSR.up
pmd_storm_0:
	{ .mmi
	  mov r8 = pmd[r14] ;;
	  mov r9 = pmd[r14]
	  nop.i 0 ;;
	}
	{ .mfb
	  nop.m 0
	  nop.f 0
	  br.cond.sptk.few pmd_storm_0 ;;
	}
pmc_storm_0:
	{ .mmi
	  mov pmc[r14] = r15 ;;
	  mov pmd[r14] = r0
	  nop.i 0 ;;
	}
	{ .mfb
	  nop.m 0
	  nop.f 0
	  br.cond.sptk.few pmc_storm_0 ;;
	}
ibr_storm_0:
	{ .mmi
	  mov ibr[r14] = r15 ;;
	  adds r15 = 16, r15
	  nop.i 0 ;;
	}
	{ .mfb
	  nop.m 0
	  nop.f 0
	  br.cond.sptk.few ibr_storm_0 ;;
	}
psr_storm_0:
	{ .mmi
	  rum 4 ;;
	  sum 4
	  nop.i 0 ;;
	}
	{ .mfb
	  nop.m 0
	  nop.f 0
	  br.cond.sptk.few psr_storm_0 ;;
	}
	// levels: a return to level 3 that traps, for which level_vector, the trap's, begins anew
// at r14 with the PSR r15
level_storm_0:
	{ .mfb
	  nop.m 0
	  nop.f 0
	  br.ret.sptk.many b7 ;;
	}
level_vector:
	{ .mmi
	  mov cr.iip = r14
	  mov cr.ipsr = r15
	  nop.i 0 ;;
	}
	{ .mfb
	  nop.m 0
	  nop.f 0
	  rfi ;;
	}
// code that is replaced: r15 and r18 go to r14, then branch to b7
smc_plain_0:
	{ .mmi
	  adds r9 = 8, r14 ;;
	  st8 [r14] = r15
	  nop.i 0
	}
	{ .mfb
	  st8 [r9] = r18
	  nop.f 0
	  br.cond.sptk.few b7 ;;
	}
smc_fc_0:
	{ .mmi
	  adds r9 = 8, r14 ;;
	  st8 [r14] = r15
	  nop.i 0
	}
	{ .mmi
	  st8 [r9] = r18 ;;
	  fc.i r14
	  nop.i 0 ;;
	}
	{ .mmi
	  sync.i ;;
	  srlz.i
	  nop.i 0 ;;
	}
	{ .mfb
	  nop.m 0
	  nop.f 0
	  br.cond.sptk.few b7 ;;
	}
	// address-free, to be copied; another number of instructions that do something
give1_0:
	{ .mfb
	  adds r8 = 1, r0
	  nop.f 0
	  br.cond.sptk.few b5 ;;
	}
give2_0:
	{ .mib
	  adds r11 = 0, r0
	  adds r8 = 2, r0
	  br.cond.sptk.few b5 ;;
	}

// ---- bundles that count, to be copied anywhere ----

	.irp	n, 8, 9, 10
count_r\n:
	{ .mii
	  adds r\n = 1, r\n
	  nop.i 0
	  nop.i 0 ;;
	}
	.endr

	// one whose group goes on, with ports for all of the next bundle, and one that ends
	// it, with more than count_r9 has
count_on:
	{ .mmf
	  adds r8 = 1, r8
	  nop.m 0
	  nop.f 0
	}
count_more:
	{ .mii
	  adds r9 = 1, r9
	  adds r10 = 1, r10
	  adds r11 = 1, r11 ;;
	}

// ---- threads of one core: r20 counts turns ----

	.align 32
thread_loop:
	{ .mib
	  adds r20 = 1, r20
	  nop.i 0
	  br.cond.sptk.few thread_loop ;;
	}

	// a chain of lines, each of which has the address of the next
	.align 32
thread_chase:
	{ .mib
	  ld8 r21 = [r21]
	  adds r20 = 1, r20
	  br.cond.sptk.few thread_chase ;;
	}

	// loads that wait for each other, each r24 bytes behind the one before
	.align 32
thread_pages:
	{ .mmi
	  ld8 r22 = [r21], r24 ;;
	  add r25 = r25, r22
	  adds r20 = 1, r20
	}
	{ .mib
	  nop.m 0
	  nop.i 0
	  br.cond.sptk.few thread_pages ;;
	}

	// hints: those that switch, and those that do not
	.align 32
thread_hint_m:
	{ .mii
	  hint.m 0
	  nop.i 0
	  nop.i 0 ;;
	}
	{ .mib
	  adds r20 = 1, r20
	  nop.i 0
	  br.cond.sptk.few thread_hint_m ;;
	}
	.align 32
thread_hint_i:
	{ .mii
	  nop.m 0
	  hint.i 0
	  nop.i 0 ;;
	}
	{ .mib
	  adds r20 = 1, r20
	  nop.i 0
	  br.cond.sptk.few thread_hint_i ;;
	}
	.align 32
thread_hint_f:
	{ .mfi
	  nop.m 0
	  hint.f 0
	  nop.i 0 ;;
	}
	{ .mib
	  adds r20 = 1, r20
	  nop.i 0
	  br.cond.sptk.few thread_hint_f ;;
	}
	.align 32
thread_hint_x:
	{ .mlx
	  nop.m 0
	  hint.x 0 ;;
	}
	{ .mib
	  adds r20 = 1, r20
	  nop.i 0
	  br.cond.sptk.few thread_hint_x ;;
	}
	.align 32
thread_hint_b:
	{ .mib
	  nop.m 0
	  nop.i 0
	  nop.b 0 ;;		// its user makes it a hint
	}
	{ .mib
	  adds r20 = 1, r20
	  nop.i 0
	  br.cond.sptk.few thread_hint_b ;;
	}
	.align 32
thread_hint_off:
	{ .mii
	  (p1) hint.m 0
	  nop.i 0
	  nop.i 0 ;;
	}
	{ .mib
	  adds r20 = 1, r20
	  nop.i 0
	  br.cond.sptk.few thread_hint_off ;;
	}
	.align 32
thread_hint_other:
	{ .mii
	  hint.m 1
	  nop.i 0
	  nop.i 0 ;;
	}
	{ .mib
	  adds r20 = 1, r20
	  nop.i 0
	  br.cond.sptk.few thread_hint_other ;;
	}

	// independent misses: more than come before the first one switches
	.align 32
thread_burst:
	{ .mmi
	  ldf8 f32 = [r21], 128
	  ldf8 f33 = [r23], 128
	  nop.i 0 ;;
	}
	{ .mmi
	  ldf8 f34 = [r21], 128
	  ldf8 f35 = [r23], 128
	  nop.i 0 ;;
	}
	{ .mmi
	  ldf8 f36 = [r21], 128
	  ldf8 f37 = [r23], 128
	  nop.i 0 ;;
	}
	{ .mmi
	  ldf8 f38 = [r21], 128
	  ldf8 f39 = [r23], 128
	  nop.i 0 ;;
	}
	{ .mmi
	  ldf8 f40 = [r21], 128
	  ldf8 f41 = [r23], 128
	  nop.i 0 ;;
	}
	{ .mmi
	  ldf8 f42 = [r21], 128
	  ldf8 f43 = [r23], 128
	  nop.i 0 ;;
	}
	{ .mmi
	  ldf8 f44 = [r21], 128
	  ldf8 f45 = [r23], 128
	  nop.i 0 ;;
	}
	{ .mmi
	  ldf8 f46 = [r21], 128
	  ldf8 f47 = [r23], 128
	  nop.i 0 ;;
	}
	{ .mmi
	  ldf8 f48 = [r21], 128
	  ldf8 f49 = [r23], 128
	  nop.i 0 ;;
	}
	{ .mmi
	  ldf8 f50 = [r21], 128
	  ldf8 f51 = [r23], 128
	  nop.i 0 ;;
	}
	{ .mmi
	  ldf8 f52 = [r21], 128
	  ldf8 f53 = [r23], 128
	  nop.i 0 ;;
	}
	{ .mmi
	  ldf8 f54 = [r21], 128
	  ldf8 f55 = [r23], 128
	  nop.i 0 ;;
	}
	{ .mmi
	  ldf8 f56 = [r21], 128
	  ldf8 f57 = [r23], 128
	  nop.i 0 ;;
	}
	{ .mmi
	  ldf8 f58 = [r21], 128
	  ldf8 f59 = [r23], 128
	  nop.i 0 ;;
	}
	{ .mmi
	  ldf8 f60 = [r21], 128
	  ldf8 f61 = [r23], 128
	  nop.i 0 ;;
	}
	{ .mmi
	  ldf8 f62 = [r21], 128
	  ldf8 f63 = [r23], 128
	  nop.i 0 ;;
	}
	{ .mib
	  nop.m 0
	  adds r20 = 1, r20
	  br.cond.sptk.few thread_burst ;;
	}

	// loads of memory that is not cached, from the address in r21
	.align 32
thread_uncached:
	{ .mib
	  ld8 r22 = [r21]
	  adds r20 = 1, r20
	  br.cond.sptk.few thread_uncached ;;
	}

	// a little of everything: misses, stores, branches that are mispredicted, calls, advanced and
	// speculative loads, semaphores, prefetches, floating point, predicates that are false
	.align 32
thread_mixed:
	{ .mmi
	  ld8 r22 = [r21], 128
	  st8 [r23] = r20, 8
	  adds r20 = 1, r20 ;;
	}
	{ .mfi
	  ld8.a r24 = [r23]
	  fma f6 = f1, f1, f6
	  tbit.z p6, p7 = r20, 1 ;;
	}
	{ .mib
  (p6)	  ld4 r25 = [r23]
	  shladd r28 = r20, 3, r20
  (p6)	  br.cond.dptk.few 1f ;;
	}
	{ .mmi
	  ld8.c.clr r24 = [r23]
	  fetchadd8.acq r26 = [r23], 1
	  popcnt r29 = r20 ;;
	}
1:	{ .mmf
	  lfetch [r21]
	  ldf8 f7 = [r23]
	  fma f8 = f7, f6, f7 ;;
	}
	{ .mmi
	  st4.rel [r23] = r25
	  ld8.s r27 = [r21]
  (p7)	  adds r28 = 1, r28 ;;
	}
	{ .mib
	  nop.m 0
	  nop.i 0
	  br.call.sptk.few b6 = 2f ;;
	}
	{ .mib
	  nop.m 0
	  tbit.z p8, p9 = r20, 3
	  br.cond.sptk.few thread_mixed ;;
	}
2:	{ .mib
	  mov r30 = ar.bsp
	  mov r31 = ar.lc
	  br.ret.sptk.few b6 ;;
	}

	// misses beside writes of a control register, which are under way when they come
	.align 32
thread_crab:
	{ .mmi
	  ld8 r22 = [r21], 128
	  adds r20 = 1, r20
	  nop.i 0 ;;
	}
	{ .mib
	  mov cr.tpr = r0
	  nop.i 0
	  br.cond.sptk.few thread_crab ;;
	}

	// lines named to be prefetched, more than are asked for before the hint behind them switches
	.align 32
thread_names:
	{ .bbb
	  brp.sptk thread_names + 0x4000, 1f
	  nop.b 0
	  brp.sptk thread_names + 0x4200, 1f ;;
	}
	{ .bbb
	  brp.sptk thread_names + 0x4400, 1f
	  nop.b 0
	  brp.sptk thread_names + 0x4600, 1f ;;
	}
	{ .bbb
	  brp.sptk thread_names + 0x4800, 1f
	  nop.b 0
	  brp.sptk thread_names + 0x4a00, 1f ;;
	}
	{ .bbb
	  brp.sptk thread_names + 0x4c00, 1f
	  nop.b 0
	  brp.sptk thread_names + 0x4e00, 1f ;;
	}
1:	{ .mib
	  hint.m 0
	  adds r20 = 1, r20
	  br.cond.sptk.few thread_names ;;
	}

	// a branch that is hinted the wrong way
	.align 32
thread_forks:
	{ .mii
	  cmp.eq p6, p7 = r0, r0
	  adds r20 = 1, r20
	  nop.i 0 ;;
	}
	{ .mib
	  nop.m 0
	  nop.i 0
  (p6)	  br.cond.dpnt.few thread_forks ;;
	}
	{ .mib
	  nop.m 0
	  nop.i 0
	  br.cond.sptk.few thread_forks ;;
	}

	// calls in which the core goes to the other thread, from a place of each thread's own
	.align 32
thread_calls:
	{ .mib
	  adds r20 = 1, r20
	  nop.i 0
	  br.call.sptk.few b6 = 3f ;;
	}
	{ .mib
	  nop.m 0
	  nop.i 0
	  br.cond.sptk.few thread_calls ;;
	}
	.align 32
thread_calls_too:
	{ .mib
	  adds r20 = 1, r20
	  nop.i 0
	  br.call.sptk.few b6 = 3f ;;
	}
	{ .mib
	  nop.m 0
	  nop.i 0
	  br.cond.sptk.few thread_calls_too ;;
	}
3:	{ .mib
	  hint.m 0
	  nop.i 0
	  br.ret.sptk.few b6 ;;
	}

	// a loop of straight groups: results at once and later, loads, predicates, nops
	.align 32
straight:
	{ .mii
	  adds r20 = 1, r20
	  shladd r21 = r20, 2, r21
	  nop.i 0 ;;
	}
	{ .mmi
	  ld8 r22 = [r23]
	  xor r24 = r20, r21
	  tbit.z p6, p7 = r20, 1 ;;
	}
	{ .mii
	  add r25 = r22, r24
  (p6)	  adds r26 = 3, r26
  (p7)	  shr.u r27 = r25, 5 ;;
	}
	{ .mmi
	  setf.sig f6 = r25
	  ld4 r28 = [r29]
	  popcnt r30 = r24 ;;
	}
	{ .mfi
	  nop.m 0
	  xma.l f7 = f6, f6, f6
	  add r26 = r26, r30 ;;
	}
	{ .mii
	  getf.sig r31 = f7
	  sub r24 = r24, r28
	  cmp.eq p8, p9 = r24, r25 ;;
	}
	{ .mlx
	  andcm r27 = r27, r24
	  movl r28 = 0x0123456789abcdef ;;
	}
	{ .mib
	  add r21 = r31, r21
	  or r24 = r28, r24
	  br.cond.sptk.few straight ;;
	}

	// stores to a line that comes, to one that is there and clean, and releases; an instruction that
	// is off would wait; each sixteenth time round the lines are the next ones
	.align 32
refers:
	{ .mmi
	  ldf8 f6 = [r23]
	  st8 [r21] = r20
	  adds r20 = 1, r20 ;;
	}
	{ .mmf
	  st8 [r24] = r20
	  cmp.ne p6, p7 = r0, r0
	  nop.f 0 ;;
	}
	{ .mfi
	  st8 [r26] = r20
  (p6)	  xma.l f7 = f6, f6, f6
	  shr.u r28 = r20, 4 ;;
	}
	{ .mii
	  adds r27 = -6, r28
	  dep r21 = r28, r19, 7, 7
	  dep r25 = r28, r18, 7, 7 ;;
	}
	{ .mmi
	  lfetch [r25]
	  adds r24 = 8, r21
	  dep r26 = r27, r18, 7, 7 ;;
	}
	{ .mii
	  cmp.eq p8, p9 = r26, r25
	  tbit.nz p10, p11 = r20, 2
	  nop.i 0 ;;
	}
	{ .mib
  (p10)	  st8.rel [r29] = r20
	  nop.i 0
	  br.cond.sptk.few refers ;;
	}

	// a word goes from core to core: each waits until its parity is r22, and adds 1
	.align 32
cores_hand:
	{ .mmi
	  ld8.acq r24 = [r21] ;;
	  and r25 = 1, r24
	  adds r26 = 1, r24 ;;
	}
	{ .mib
	  cmp.ne p6, p7 = r25, r22
	  nop.i 0
  (p6)	  br.cond.sptk.few cores_hand ;;
	}
	{ .mib
	  st8.rel [r21] = r26
	  adds r20 = 1, r20
	  br.cond.sptk.few cores_hand ;;
	}

	// one of a core's own
	.align 32
cores_apart:
	{ .mmi
	  ld8.acq r24 = [r21] ;;
	  nop.m 0
	  adds r24 = 1, r24 ;;
	}
	{ .mib
	  st8.rel [r21] = r24
	  adds r20 = 1, r20
	  br.cond.sptk.few cores_apart ;;
	}

	// fetchadd on a word of both
	.align 32
cores_add:
	{ .mib
	  fetchadd8.acq r24 = [r21], 1
	  adds r20 = 1, r20
	  br.cond.sptk.few cores_add ;;
	}

	// a line is flushed from instruction caches
	.align 32
cores_flush:
	{ .mib
	  fc.i r21
	  adds r20 = 1, r20
	  nop.b 0 ;;
	}
	{ .mib
	  nop.m 0
	  nop.i 0
	  br.cond.sptk.few cores_flush ;;
	}

	// after r23 loops core 0 stores to a line, and core 1 loads it: when, in r26
	.align 64
cores_meet:
	{ .mii
	  ld8 r24 = [r25]
	  cmp.eq p7, p8 = r22, r0
	  nop.i 0 ;;
	}
	{ .mib
	  cmp.gt p6, p0 = r23, r0
	  adds r23 = -1, r23
  (p6)	  br.cond.sptk.few cores_meet+16 ;;
	}
	.rept 2
	{ .mii
	  nop.m 0
	  nop.i 0
	  nop.i 0 ;;
	}
	.endr
	{ .mmi
	  mov r26 = ar.itc ;;
	  sub r24 = r26, r26
	  nop.i 0 ;;
	}
	{ .mii
	  add r21 = r21, r24
	  nop.i 0
	  nop.i 0 ;;
	}
	{ .mmb
  (p7)	  st8 [r21] = r20
  (p8)	  ld8 r24 = [r21]
	  br.cond.sptk.few cores_rest ;;
	}

	// core 0 stores to a line, and loads one of its index behind r23 loops; core 1 loads the first
	// one behind its own loops: when, in r26
	.align 64
cores_leave:
	{ .mmi
	  cmp.eq p7, p8 = r22, r0 ;;
  (p7)	  ldf8 f6 = [r25]
	  nop.i 0 ;;
	}
	{ .mmi
  (p7)	  st8 [r21] = r20
  (p8)	  ld8 r24 = [r25]
	  nop.i 0 ;;
	}
	{ .mib
	  cmp.gt p6, p0 = r23, r0
	  adds r23 = -1, r23
  (p6)	  br.cond.sptk.few cores_leave+32 ;;
	}
	.rept 2
	{ .mii
	  nop.m 0
	  nop.i 0
	  nop.i 0 ;;
	}
	.endr
	{ .mmi
	  mov r26 = ar.itc ;;
	  sub r24 = r26, r26
	  nop.i 0 ;;
	}
	{ .mii
	  add r21 = r21, r24
	  add r25 = r25, r24
	  nop.i 0 ;;
	}
	{ .mmb
  (p7)	  ldf8 f7 = [r25]
  (p8)	  ld8 r24 = [r21]
	  br.cond.sptk.few cores_rest ;;
	}

	// a word of one line after the other is read and written, for a while; then none is
	.align 32
cores_sweep:
	{ .mmi
	  ld8 r24 = [r21]
	  adds r20 = 1, r20
	  shladd r25 = r20, 2, r20 ;;
	}
	{ .mmi
	  st8 [r21] = r20
	  cmp.gt p6, p0 = r23, r20
	  dep r21 = r25, r21, 7, 6 ;;
	}
	{ .mib
	  nop.m 0
	  nop.i 0
  (p6)	  br.cond.sptk.few cores_sweep ;;
	}
cores_rest:
	{ .mib
	  nop.m 0
	  nop.i 0
	  br.cond.sptk.few cores_rest ;;
	}

	// an interrupt, or one of each vector up to r27
	.align 32
cores_send:
	{ .mii
	  st8 [r25] = r26
	  cmp.gt p6, p0 = r27, r26
	  adds r26 = 1, r26 ;;
	}
	{ .mib
	  adds r20 = 1, r20
	  nop.i 0
  (p6)	  br.cond.sptk.few cores_send ;;
	}
	{ .mib
	  nop.m 0
	  nop.i 0
	  br.cond.sptk.few cores_rest ;;
	}

	// a purge everywhere, and what comes behind it
	.align 32
cores_purge:
	{ .mmi
	  ptc.ga r21, r27 ;;
	  adds r20 = 1, r20
	  nop.i 0
	}
	{ .mib
	  nop.m 0
	  nop.i 0
	  br.cond.sptk.few cores_rest ;;
	}

	// all that is sent to others: purges, interrupts, a line of all, and the core given up
	.align 32
cores_hostile:
	{ .mmi
	  ptc.ga r21, r27 ;;
	  st8 [r25] = r26
	  adds r20 = 1, r20
	}
	{ .mmi
	  fetchadd8.acq r24 = [r21], 1
	  nop.m 0
	  nop.i 0 ;;
	}
	{ .mib
	  fc r21
	  nop.i 0
	  nop.b 0 ;;
	}
	{ .mib
	  hint.m @pause
	  nop.i 0
	  br.cond.sptk.few cores_hostile ;;
	}

	// eight lines at once, then those that take their places
	.align 32
cores_burst:
	{ .mii
	  adds r20 = 1, r20
	  mov r25 = r21
	  addl r24 = 1, r0 ;;
	}
	{ .mmi
	  lfetch [r25], 128
	  nop.m 0
	  shl r24 = r24, 20 ;;
	}
	.rept 7
	{ .mmi
	  lfetch [r25], 128
	  nop.m 0
	  nop.i 0 ;;
	}
	.endr
	{ .mib
	  xor r21 = r21, r24
	  nop.i 0
	  br.cond.sptk.few cores_burst ;;
	}

	.include "order.inc"

	// a branch that is often mispredicted leads to the second bundle of a pair: the pair behind it
	// is late, and the group waits for its operand for longer
	.align 32
odd:
	{ .mmi
	  fetchadd8.acq r31 = [r23], 1
	  shladd r20 = r20, 2, r20
	  nop.i 0 ;;
	}
	{ .mmi
	  fetchadd8.acq r30 = [r23], 1
	  adds r20 = 1, r20
	  nop.i 0 ;;
	}
	{ .mib
	  fetchadd8.acq r31 = [r23], 1
	  tbit.z p6, p7 = r20, 13
  (p6)	  br.cond.dptk.few 1f ;;
	}
	{ .mii
	  nop.m 0
	  nop.i 0
	  nop.i 0
	}
	{ .mii
	  nop.m 0
	  nop.i 0
	  nop.i 0 ;;
	}
1:	{ .mfi
	  add r25 = r31, r30
	  nop.f 0
	  xor r28 = r20, r26
	}
	{ .mib
	  adds r27 = 1, r27
	  nop.i 0
	  br.cond.sptk.few odd ;;
	}

	// Loops whose groups are reached again in one state of the pipeline, and then do something else:
	// what that is follows no pattern (r20). A return, and a branch that is mispredicted, ends a path.
	.macro	NEXT_R20
	{ .mii
	  shladd r20 = r20, 2, r20
	  nop.i 0
	  nop.i 0 ;;
	}
	{ .mii
	  adds r20 = 1, r20
	  nop.i 0
	  nop.i 0 ;;
	}
	.endm

	// Frames of two sizes: the register that is under way in a call is another one of the callee's.
	.align 64
frames:
	NEXT_R20
	{ .mii
	  nop.m 0
	  tbit.z p6, p7 = r20, 9
	  tbit.z p8, p9 = r20, 12 ;;
	}
	{ .mbb
	  nop.m 0
  (p6)	  br.cond.dptk.few frames_small
  (p7)	  br.cond.dptk.few frames_large ;;
	}
	.align 64
frames_small:
	{ .mib
	  alloc r50 = ar.pfs, 0, 20, 4, 0
	  nop.i 0
	  br.cond.sptk.few frames_call ;;
	}
	.align 64
frames_large:
	{ .mib
	  alloc r50 = ar.pfs, 0, 21, 4, 0
	  nop.i 0
	  br.cond.sptk.few frames_call ;;
	}
	.align 64
frames_call:
	{ .mib
	  nop.m 0
	  nop.i 0
	  br.call.sptk.many b6 = frames_turn ;;
	}
	{ .mib
	  getf.sig r53 = f6
	  nop.i 0
	  br.call.sptk.many b6 = frames_use ;;
	}
	{ .mib
	  nop.m 0
	  nop.i 0
	  br.cond.sptk.few frames ;;
	}
	.align 64
frames_turn:
	{ .mib
	  nop.m 0
	  nop.i 0
  (p8)	  br.cond.dptk.few 1f ;;
	}
	{ .mii
	  nop.m 0
	  nop.i 0
	  nop.i 0 ;;
	}
1:	{ .mib
	  nop.m 0
	  nop.i 0
	  br.ret.sptk.few b6 ;;
	}
	.align 64
frames_use:
	{ .mib
	  alloc r14 = ar.pfs, 4, 0, 0, 0
	  nop.i 0
	  br.call.sptk.many b7 = frames_again ;;
	}
	{ .mii
	  add r27 = r33, r27
	  mov.i ar.pfs = r14
	  nop.i 0 ;;
	}
	{ .mib
	  nop.m 0
	  nop.i 0
	  br.ret.sptk.few b6 ;;
	}
	.align 64
frames_again:
	{ .mib
	  nop.m 0
	  nop.i 0
	  br.ret.sptk.few b7 ;;
	}

	// An instruction that would wait is off.
	.align 64
guards:
	NEXT_R20
	{ .mib
	  nop.m 0
	  nop.i 0
	  br.call.sptk.many b6 = again_turn ;;
	}
	{ .mii
	  getf.sig r28 = f6
	  tbit.z p6, p7 = r20, 9
	  nop.i 0 ;;
	}
	{ .mib
  (p6)	  add r24 = r28, r24
	  nop.i 0
	  br.cond.sptk.few guards ;;
	}

	// A load waits for a store to its line.
	.macro	STORE_AND_LOAD name:req, store:req, load:req
\name:
	NEXT_R20
	{ .mii
	  nop.m 0
	  extr.u r28 = r20, 9, 1
	  nop.i 0 ;;
	}
	{ .mii
	  nop.m 0
	  dep r25 = r28, r23, 7, 1
	  nop.i 0 ;;
	}
	{ .mib
	  nop.m 0
	  nop.i 0
	  br.call.sptk.many b6 = again_turn ;;
	}
	{ .mii
	  \store
	  nop.i 0
	  nop.i 0 ;;
	}
	{ .mii
	  \load
	  nop.i 0
	  nop.i 0 ;;
	}
	{ .mfb
	  nop.m 0
	  xma.l f8 = f7, f7, f8
	  br.cond.sptk.few \name ;;
	}
	.endm
	.align 64
	STORE_AND_LOAD lines, "st8 [r25] = r20", "ldf8 f7 = [r23]"

	// AR.LC has been written shortly before a br.cloop is fetched, or long before.
	.align 64
counts:
	NEXT_R20
	{ .mii
	  nop.m 0
	  tbit.z p6, p7 = r20, 9
	  extr.u r28 = r20, 14, 1 ;;
	}
	{ .mii
	  nop.m 0
  (p6)	  mov.i ar.lc = r28
	  nop.i 0 ;;
	}
	{ .mib
	  nop.m 0
	  nop.i 0
	  br.call.sptk.many b6 = again_turn ;;
	}
	{ .mib
	  nop.m 0
	  nop.i 0
	  br.cloop.sptk.few 1f ;;
	}
	{ .mii
	  nop.m 0
	  nop.i 0
	  nop.i 0 ;;
	}
1:	{ .mib
	  nop.m 0
	  nop.i 0
	  br.cond.sptk.few counts ;;
	}
	.align 64
again_turn:
	{ .mib
	  nop.m 0
	  nop.i 0
	  br.ret.sptk.few b6 ;;
	}

	// a loop of groups that branch, call, store, and load what the L1D does not serve
	.align 32
mixed:
	{ .mmf
	  adds r20 = 1, r20
	  adds r21 = 1, r21
	  nop.f 0
	}
	{ .mii
	  nop.m 0
	  mov.i ar.lc = 2
	  and r21 = 7, r20 ;;
	}
	{ .mmi
	  st8 [r23] = r20
	  ld8 r22 = [r23]
	  dep.z r24 = r20, 12, 2 ;;
	}
	{ .mii
	  ldfd f6 = [r29]
	  add r24 = r24, r19
	  tbit.z p6, p7 = r20, 1 ;;
	}
	{ .mmi
	  ld8 r25 = [r24]
	  st4 [r18] = r21
	  add r27 = r22, r27 ;;
	}
	{ .mii
	  nop.m 0
	  mov.i ar.lc = 2
	  nop.i 0 ;;
	}
mixed_inner:
	{ .mmi
	  ld4 r28 = [r23]
	  st1 [r18] = r20
	  cmp.eq p8, p9 = r27, r20 ;;
	}
	{ .mib
  (p8)	  st8 [r23] = r28
	  add r26 = r26, r28
	  br.cloop.sptk.few mixed_inner ;;
	}
	{ .mbb
	  nop.m 0
  (p6)	  br.cond.dptk.few mixed_odd
	  nop.b 0 ;;
	}
	{ .mii
	  adds r27 = 1, r27
  (p8)	  cmp.eq.unc p10, p11 = r27, r26
	  nop.i 0 ;;
	}
mixed_odd:
	{ .mfb
	  stfd [r29] = f6
	  fma.d f7 = f6, f6, f6
	  br.call.sptk.many b6 = mixed_sub ;;
	}
	{ .mib
	  nop.m 0
	  nop.i 0
  (p12)	  br.cond.dptk.few mixed_even ;;
	}
	{ .mlx
	  adds r27 = 1, r27
  (p12)	  brl.cond.dptk.few mixed_odd ;;
	}
	{ .mib
	  adds r27 = 3, r27
	  nop.i 0
	  br.cond.sptk.few mixed_even ;;
	}
mixed_even:
	{ .mib
	  ld8 r30 = [r23]
	  xor r26 = r26, r25
  (p7)	  br.cond.dpnt.few mixed ;;
	}
	{ .mmb
	  add r26 = r26, r30
  (p7)	  adds r22 = 1, r22
	  br.cond.sptk.few mixed ;;
	}
mixed_sub:
	{ .mib
	  adds r21 = 1, r21
	  tbit.z p12, p13 = r26, 2
	  br.ret.sptk.many b6 ;;
	}

	// a loop that rotates, and calls itself up to seven deep: the register stack overflows.
	// Some returns find another AR.PFS.ec than their call has left, and the level r31.
	.align 32
framed:
	{ .mib
	  adds r20 = 1, r20
	  mov pr.rot = 1 << 16
	  clrrrb ;;
	}
	{ .mii
	  alloc r50 = ar.pfs, 0, 20, 4, 8
	  mov.i ar.lc = 2
	  and r21 = 7, r20 ;;
	}
	{ .mii
	  adds r32 = 1, r21
	  mov.i ar.ec = 2
	  tbit.z p6, p7 = r20, 0 ;;
	}
framed_turn:
	{ .mmi
  (p16)	  add r34 = r33, r20
	  ld8 r22 = [r23]
  (p17)	  add r24 = r34, r24 ;;
	}
	{ .mfb
  (p16)	  adds r32 = 3, r33
  (p17)	  fma.d f34 = f33, f32, f6
	  br.ctop.sptk.few framed_turn ;;
	}
	{ .mib
	  mov r52 = r21
	  mov r25 = ar.lc
  (p6)	  br.call.dptk.few b6 = framed_deep ;;
	}
	{ .mmi
	  st8 [r29] = r24
	  mov r52 = 2
	  nop.i 0
	}
	{ .mib
	  xor r26 = r26, r24
	  mov r27 = ar.pfs
	  br.call.sptk.many b6 = framed_deep ;;
	}
	{ .mib
	  add r26 = r26, r27
	  nop.i 0
	  br.cond.sptk.few framed ;;
	}
framed_deep:
	{ .mii
	  alloc r34 = ar.pfs, 1, 21, 1, 0
	  mov r33 = b6
	  cmp.eq p8, p9 = 0, r32 ;;
	}
	{ .mib
	  xor r24 = r32, r24
	  adds r54 = -1, r32
  (p8)	  br.cond.dpnt.few framed_up ;;
	}
	{ .mib
	  add r26 = r34, r26
	  nop.i 0
	  br.call.sptk.many b6 = framed_deep ;;
	}
framed_up:
	{ .mii
	  adds r24 = 1, r24
	  mov b6 = r33
	  dep r34 = r31, r34, 62, 2
	}
	{ .mii
	  nop.m 0
	  tbit.z p10, p11 = r24, 2
	  nop.i 0 ;;
	}
	{ .mii
	  nop.m 0
  (p10)	  dep r34 = r24, r34, 52, 2 ;;
	  mov.i ar.pfs = r34
	}
	{ .mib
	  nop.m 0
	  nop.i 0
	  br.ret.sptk.many b6 ;;
	}

	// eight lines are written at once, then those that take their places
	.align 32
cores_write:
	{ .mii
	  adds r20 = 1, r20
	  mov r25 = r21
	  addl r24 = 1, r0 ;;
	}
	{ .mmi
	  st8 [r25] = r20, 128
	  nop.m 0
	  shl r24 = r24, 20 ;;
	}
	.rept 7
	{ .mmi
	  st8 [r25] = r20, 128
	  nop.m 0
	  nop.i 0 ;;
	}
	.endr
	{ .mib
	  xor r21 = r21, r24
	  nop.i 0
	  br.cond.sptk.few cores_write ;;
	}

	// a store that misses, and groups that wait for nothing until that switches and behind it
	.align 32
thread_ahead:
	{ .mmi
	  st8 [r21] = r22, 128
	  adds r20 = 1, r20
	  nop.i 0 ;;
	}
	.rept 40
	{ .mii
	  nop.m 0
	  adds r22 = 1, r22
	  nop.i 0 ;;
	}
	.endr
	{ .mib
	  nop.m 0
	  nop.i 0
	  br.cond.sptk.few thread_ahead ;;
	}

	// Linux/ia64 sets the ITC of a processor by another one's (ia64_sync_itc): one asks, with the
	// shortest round trip in r20, and one answers; their words are a line apart
	.align 32
cores_itc_ask:
	{ .mmi
	  mov r27 = ar.itc ;;
	  st8.rel [r21] = r25
	  nop.i 0 ;;
	}
cores_itc_wait:
	{ .mmi
	  ld8.acq r24 = [r26] ;;
	  cmp.eq p6, p7 = r24, r0
	  nop.i 0 ;;
	}
	{ .mib
	  nop.m 0
	  nop.i 0
  (p6)	  br.cond.sptk.few cores_itc_wait ;;
	}
	{ .mmi
	  st8.rel [r26] = r0
	  mov r28 = ar.itc
	  nop.i 0 ;;
	}
	{ .mmi
	  sub r28 = r28, r27 ;;
	  cmp.ltu p6, p7 = r28, r20
	  nop.i 0 ;;
	}
	{ .mib
  (p6)	  mov r20 = r28
	  nop.i 0
	  br.cond.sptk.few cores_itc_ask ;;
	}
	.align 32
cores_itc_answer:
	{ .mmi
	  ld8.acq r24 = [r21] ;;
	  cmp.eq p6, p7 = r24, r0
	  nop.i 0 ;;
	}
	{ .mib
	  nop.m 0
	  nop.i 0
  (p6)	  br.cond.sptk.few cores_itc_answer ;;
	}
	{ .mmi
	  st8.rel [r21] = r0
	  mov r27 = ar.itc
	  nop.i 0 ;;
	}
	{ .mib
	  st8.rel [r26] = r27
	  nop.i 0
	  br.cond.sptk.few cores_itc_answer ;;
	}

	// At the end of a page branches are mispredicted, by bits of r9, which lead into the next
	// page or fall into it: fetch goes on there before the flow does.
	.balign 4096
	.skip 4096 - 16 * 11
turns:
	{ .mii
	  adds r9 = 1, r0
	  nop.i 0
	  nop.i 0 ;;
	}
turns_turn:
	{ .mii
	  nop.m 0
	  shl r10 = r9, 13 ;;
	  xor r9 = r9, r10 ;;
	}
	{ .mii
	  nop.m 0
	  shr.u r10 = r9, 7 ;;
	  xor r9 = r9, r10 ;;
	}
	{ .mii
	  nop.m 0
	  shl r10 = r9, 17 ;;
	  xor r9 = r9, r10 ;;
	}
	{ .mii
	  nop.m 0
	  tbit.nz p6, p7 = r9, 3
	  tbit.nz p8, p9 = r9, 5
	}
	{ .mii
	  nop.m 0
	  tbit.nz p10, p11 = r9, 7
	  nop.i 0 ;;
	}
	{ .mmi
	  adds r14 = 1, r14
	  nop.m 0
	  nop.i 0
	}
	{ .mib
	  nop.m 0
	  nop.i 0
  (p8)	  br.cond.dptk.few turns_far ;;
	}
	{ .bbb
  (p10)	  br.cond.dptk.few turns_near
	  nop.b 0
	  nop.b 0 ;;
	}
	{ .mii
	  nop.m 0
	  nop.i 0
	  nop.i 0 ;;
	}
	{ .mib
	  nop.m 0
	  nop.i 0
  (p6)	  br.cond.dptk.few turns_near ;;
	}
	// the next page
	{ .mib
	  adds r11 = 1, r11
	  nop.i 0
	  br.cond.sptk.few turns_turn ;;
	}
turns_near:
	{ .mib
	  adds r12 = 1, r12
	  nop.i 0
	  br.cond.sptk.few turns_turn ;;
	}
turns_far:
	{ .mib
	  adds r13 = 1, r13
	  nop.i 0
	  br.cond.sptk.few turns_turn ;;
	}

	// References that look for entries of the ALAT or make them, with a store to the same place
	// or without; fills and spills; and moves of application registers, one of AR.LC in the
	// group of a br.cloop.
	.align 64
moves:
	NEXT_R20
	{ .mii
	  nop.m 0
	  tbit.z p6, p7 = r20, 9
	  tbit.z p8, p9 = r20, 12 ;;
	}
	{ .mmi
	  ld8.a r10 = [r23]
	  nop.m 0
	  extr.u r28 = r20, 14, 1 ;;
	}
	{ .mmi
  (p6)	  st8 [r23] = r20 ;;
	  ld8.c.clr r10 = [r23]
	  nop.i 0 ;;
	}
	{ .mmi
	  ld8.a r11 = [r29] ;;
  (p8)	  st8 [r29] = r10
	  nop.i 0 ;;
	}
	{ .mib
	  chk.a.clr r11, moves_again
	  nop.i 0
	  nop.b 0 ;;
	}
moves_on:
	{ .mmi
	  mov.m ar.unat = r20 ;;
	  ld8.fill r12 = [r29]
	  nop.i 0 ;;
	}
	{ .mmi
	  stf.spill [r19] = f8 ;;
	  ldf.fill f9 = [r19]
	  nop.i 0 ;;
	}
	{ .mmi
	  mov.m r13 = ar.unat
	  ldfd.a f10 = [r29]
	  nop.i 0 ;;
	}
	{ .mmi
	  nop.m 0
	  nop.m 0
  (p6)	  mov.i ar.lc = r28
	}
	{ .mib
	  nop.m 0
	  nop.i 0
	  br.cloop.sptk.few 1f ;;
	}
1:	{ .mib
	  ldfd.c.clr f10 = [r29]
	  nop.i 0
	  br.cond.sptk.few moves ;;
	}
moves_again:
	{ .mib
	  ld8 r11 = [r29]
	  adds r14 = 1, r14
	  br.cond.sptk.few moves_on ;;
	}

	// Bases of references are read in the cycle behind; a store with release, behind one that
	// misses the L1D; registers are loaded late, and used behind a branch.
	.align 64
based:
	{ .mmi
	  st8 [r24] = r20, 8
	  adds r20 = 1, r20
	  nop.i 0 ;;
	}
	{ .mii
	  nop.m 0
	  pmpy2.r r12 = r24, r24
	  extr.u r28 = r20, 0, 3 ;;
	}
	{ .mmi
	  ldfd f6 = [r24], 8
	  nop.m 0
	  nop.i 0 ;;
	}
	{ .mii
	  nop.m 0
	  pmpy2.r r13 = r24, r24
	  dep r24 = r28, r29, 3, 3 ;;
	}
	{ .mmi
	  st8 [r19] = r20
	  nop.m 0
	  nop.i 0 ;;
	}
	{ .mmi
	  st8.rel [r18] = r20
	  nop.m 0
	  nop.i 0 ;;
	}
	{ .mmi
	  stfd [r19] = f6, 8
	  nop.m 0
	  nop.i 0 ;;
	}
	{ .mii
	  nop.m 0
	  pmpy2.r r14 = r19, r19
	  nop.i 0 ;;
	}
	{ .mib
	  adds r19 = -8, r19
	  nop.i 0
	  br.cond.sptk.few based ;;
	}

	// As lines, by a load that adds a register to its base: it has no kind of its own.
	.align 64
	STORE_AND_LOAD adds, "st8 [r25] = r20", "ldf8 f7 = [r23], r0"

	// As lines, of whole registers.
	.align 64
	STORE_AND_LOAD spills, "stf.spill [r25] = f8", "ldf.fill f7 = [r23]"

	M	ldfd_low, "ldfd f10 = [r14]"
	M	stfd_low, "stfd [r14] = f10"
	M	spill_low, "stf.spill [r14] = f10"

	// In two pages, by turns.
	.align 4096
pages:
	{ .mib
	  adds r20 = 1, r20
	  nop.i 0
	  br.cond.sptk.few pages_far ;;
	}
	.align 4096
pages_far:
	{ .mii
	  adds r24 = 1, r24
	  nop.i 0
	  nop.i 0 ;;
	}
	{ .mib
	  add r25 = r24, r20
	  nop.i 0
	  br.cond.sptk.few pages ;;
	}
pages_other:
	{ .mii
	  adds r24 = 3, r24
	  nop.i 0
	  nop.i 0 ;;
	}

	// A branch behind a bundle of its group is mispredicted; another one has its entry of the L1B.
	.align 4096
misses:
	NEXT_R20
	{ .mii
	  nop.m 0
	  tbit.z p6, p7 = r20, 20
	  nop.i 0 ;;
	}
	.align 32
	{ .mii
	  adds r11 = 1, r11
	  nop.i 0
	  nop.i 0
	}
misses_here:
	{ .mib
	  adds r12 = 1, r12
	  nop.i 0
  (p6)	  br.cond.dptk.few misses_near ;;
	}
	{ .mii
	  adds r13 = 1, r13
	  nop.i 0
	  nop.i 0 ;;
	}
misses_near:
	{ .mib
	  nop.m 0
	  nop.i 0
	  br.cond.sptk.few misses_there ;;
	}
	.space 16384 - (. - misses_here)
misses_there:
	{ .mib
	  nop.m 0
	  nop.i 0
	  br.cond.sptk.few misses ;;
	}
