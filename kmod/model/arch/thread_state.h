/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * The state of a thread: what is architectural of one logical processor, and
 * what the model adds to it (Itanium SDM volume 1 chapter 3, volume 2 chapter
 * 3; Montecito manual 2.4). Included by thread.h and cache/sizes.c.
 *
 * struct mont_state is what a save file holds and a hash covers. It contains
 * no pointer and no padding.
 */
#ifndef MONT_ARCH_THREAD_STATE_H
#define MONT_ARCH_THREAD_STATE_H

#include "../base/types.h"
#include "architecture.h"
#include "../pmu/pmu_state.h"

#define MONT_NR_ALAT 32
#define MONT_NR_PKR 16
#define MONT_NR_DEBUG 8 /* IBRs, and DBRs: four pairs each */
#define MONT_NR_STACKED 96

/* One ALAT entry (SDM volume 1, 4.4.5.3). */
struct mont_alat_entry {
	u64 pa;
	u64 reg; /* mont_alat_gr() or mont_alat_fr() */
	u32 size;
	u32 valid;
};

struct mont_alat {
	struct mont_alat_entry entry[MONT_NR_ALAT];
	u32 next; /* where the search for a place goes on */
	u32 pad;
};

/* Application registers that have storage of their own. */
struct mont_ar {
	u64 kr[8];
	u64 rsc;
	u64 bspstore;
	u64 rnat;
	u64 fcr;
	u64 eflag;
	u64 csd;
	u64 ssd;
	u64 cflg;
	u64 fsr;
	u64 fir;
	u64 fdr;
	u64 ccv;
	u64 unat;
	u64 fpsr;
	u64 itc_offset; /* AR.ITC less the core's clock */
	u64 ruc_offset; /* AR.RUC less the thread's cycles */
	u64 pfs;
	u64 lc;
	u64 ec;
};

struct mont_cr {
	u64 dcr;
	u64 itm;
	u64 iva;
	u64 pta;
	u64 ipsr;
	u64 isr;
	u64 iip;
	u64 ifa;
	u64 itir;
	u64 iipa;
	u64 ifs;
	u64 iim;
	u64 iha;
	u64 lid;
	u64 tpr;
	u64 irr[4];
	u64 isrv[4]; /* vectors read through IVR and not yet ended by EOI */
	u64 itv;
	u64 pmv;
	u64 cmcv;
	u64 lrr[2];
};

/* Stages of a reference that the host serves. */
enum mont_mmio_stage {
	MONT_MMIO_NONE,
	MONT_MMIO_WAITING, /* for a load's data */
	MONT_MMIO_COMPLETE, /* the instruction has yet to execute again */
	MONT_MMIO_TAKING, /* it is about to, in the bundle being begun */
};

/* A reference that the host serves, of an instruction that has not executed. */
struct mont_mmio {
	u64 pa;
	u64 data[2]; /* a load's bytes as they would lie in memory */
	u32 length;
	u8 write;
	u8 stage; /* enum mont_mmio_stage */
	u8 pad[2];
};

/* A hole in what is hashed and saved would hold whatever the host left there. */
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded"
struct mont_state {
	u64 gr[128]; /* r0-r31 of the current bank, then the 96 stacked registers */
	u64 gr_other[16]; /* r16-r31 of the other bank */
	struct mont_fr fr[128]; /* physical: before rotation */
	u64 pr; /* as instructions see it: after rotation; bit 0 is 1 */
	u64 br[8];
	u64 ip; /* bundle address */
	u64 last_ip; /* bundle of the last instruction completed, for IIPA */
	u64 last_ip_ic; /* while PSR.ic is 0: the last completed while it was 1 */
	u64 psr; /* without ri */
	struct mont_ar ar;
	struct mont_cr cr;
	u64 rr[8];
	u64 pkr[MONT_NR_PKR];
	u64 dbr[MONT_NR_DEBUG];
	u64 ibr[MONT_NR_DEBUG];
	u64 insns; /* instructions retired since reset */
	u64 cycles; /* of the core's, those that were this thread's, as its last run has left them */
	u64 halted_cycles; /* of these, those in which it was halted */
	u64 rse_abs; /* number of r32 counted from reset: never wraps in a frame */
	u64 halted; /* PAL_HALT_LIGHT in force */
	u8 nat[128]; /* NaT bits, indexed as gr[] */
	u8 nat_other[16];
	u32 slot; /* PSR.ri */
	/* CFM (SDM volume 1, 3.1.7), unpacked */
	u32 sof;
	u32 sol;
	u32 sor; /* registers, a multiple of 8 */
	u32 rrb_gr;
	u32 rrb_fr;
	u32 rrb_pr;
	u32 bof; /* physical stacked register that is r32: 0..95 */
	s32 ndirty; /* dirty registers; negative: the current frame is incomplete */
	u32 pmu_irq; /* MONT_PMU_*: interrupt line raised, not yet in IRR; host to be told */
	u32 frame_held; /* RSE.CFLE is 0 and the current frame incomplete */
	u32 last_slot; /* slot of the last branch taken */
	u32 served; /* the host serves an interruption: the return is still to be counted */
	u32 hw_policy; /* PAL_SET_HW_POLICY */
	u32 nclean; /* registers below the dirty ones that memory holds as well */
	u32 rse_goes_on; /* an RSE operation is about to go on, in the cycle that it began in */
	/* Other units' state: sections of their own (state.c). */
	struct mont_mmio mmio;
	struct mont_alat alat;
	struct mont_pmu_state pmu;
};
#pragma GCC diagnostic pop

#endif
