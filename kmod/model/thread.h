/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread: one logical processor, all of its architectural state and the
 * state the model adds (Itanium SDM volume 1 chapter 3, volume 2 chapter 3;
 * Montecito manual 2.4).
 *
 * struct mont_state is what a save file holds and a hash covers. It contains
 * no pointer and no padding. What is derived from it lives in struct
 * mont_thread and is rebuilt by mont_thread_sync_derived().
 */
#ifndef MONT_THREAD_H
#define MONT_THREAD_H

#include "types.h"
#include "architecture.h"
#include "signal.h"
#include "work.h"
#include "isa/uop.h"
#include "pmu/pmu_state.h"

struct mont_package;
struct mont_core;
struct mont_observer;

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
	u64 cycles; /* those of the core's cycles that were this thread's */
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

#define MONT_NR_UTLB 512

/* Bit 11 of an address never survives the comparison: no address matches this one. */
#define MONT_UTLB_NONE 0x800

/* A host-speed copy of one 4 KB piece of a translation. */
struct mont_utlb {
	u64 tag; /* virtual page address, or MONT_UTLB_NONE */
	u8 *page; /* its bytes */
};

/* The copies for one kind of reference, direct-mapped, and which are in use. */
struct mont_utlb_set {
	struct mont_utlb entry[MONT_NR_UTLB];
	u64 used[MONT_NR_UTLB / 64];
};

/* Copies that the VHPT walker reads its table by, direct-mapped like the others. */
#define MONT_NR_UTLB_TABLE 4

#define MONT_NR_FETCH 64

/* The same for instruction fetch. */
struct mont_fetch {
	u64 va; /* of the page, or MONT_FETCH_NONE */
	u64 pa;
	const u8 *host;
};

/* No page: mont_fetch.va and mont_thread.fetch_va. */
#define MONT_FETCH_NONE 1

/* Reasons to leave the fast path at the next bundle boundary. */
#define MONT_ATTN_IRQ 0x01 /* an external interrupt may be deliverable */
#define MONT_ATTN_EXIT 0x02 /* t->exit is to be handed to the host */
#define MONT_ATTN_RSE 0x04 /* the current frame is incomplete */
#define MONT_ATTN_SLOW 0x08 /* PSR asks for debug, traps or single step */
#define MONT_ATTN_TIMER 0x10 /* AR.ITC or CR.ITM was written */
#define MONT_ATTN_GROUP 0x20 /* mont_group_end() has something to do */
#define MONT_ATTN_WORK 0x40 /* the budget of work is used up */
#define MONT_ATTN_MMIO 0x80 /* the host has served a reference */
#define MONT_ATTN_SERVED 0x100 /* mont_state.served is set */
#define MONT_ATTN_AGAIN 0x200 /* mont_state.rse_goes_on is set */

struct mont_thread {
	struct mont_state s;

	/* --- derived from s --- */
	/* register number -> index in s.gr; 0 outside the frame; made eight at a time */
	u8 grmap[128 + 8];
	u32 grmap_end; /* stacked registers from here on have 0 in grmap */
	const u8 *frmap; /* register number -> index in s.fr */
	u32 attn;
	u32 cpl;
	u64 clock_ahead; /* the core's clock less s.cycles: mont_clock() */
	u32 alat_valid; /* entries of s.alat that are valid */
	struct mont_countdown *sig; /* of the instruction being executed: one of those below */
	struct mont_countdown *tagged[3]; /* by slot of the bundle, where it is tagged */
	u32 tagged_nops; /* its unpredicated nops, bit n for slot n */
	struct mont_countdown countdown[MONT_NR_TAG_SETS][MONT_NR_SIGNALS]; /* by tag set */
	struct mont_pmu_derived pmu; /* who listens to which signal */
	struct mont_utlb_set utlb_r;
	struct mont_utlb_set utlb_w;
	struct mont_utlb utlb_table[MONT_NR_UTLB_TABLE];
	struct mont_fetch fetch[MONT_NR_FETCH];
	u64 fetch_va; /* page of the last fetch translation, or MONT_FETCH_NONE */
	u64 fetch_pa;
	const u8 *fetch_host; /* its bytes */

	/* --- of the interruption being raised --- */
	u32 pal_virtual; /* the PAL call's buffers are virtual addresses */
	enum mont_result pal_fault; /* of one of them, or MONT_NEXT */
	u64 fault_ifa;
	u32 fault_size; /* bytes of the reference that met it, from fault_ifa on */
	u64 fault_imm;
	u64 fault_iha;
	u64 fault_isr; /* bits to OR into ISR: r, w, na, sp, rs, code 3:0; else 0 */

	/* --- of the signal being raised --- */
	u32 sig_slot; /* slot being executed */
	u32 retire_from; /* first slot of the bundle not yet in INST_RETIRED */
	const struct mont_bundle *cur; /* bundle being executed; NULL between bundles */
	u64 raw[2]; /* its bytes, once it has overwritten them itself */

	struct mont_package *pkg;
	struct mont_core *core;
	struct mont_work *work; /* the package's */
	struct mont_observer *observers;
	u32 index;
	u32 number; /* of the threads of its core */
};

/*
 * The clock of @t's core: what AR.ITC counts, and what timers, turns and budgets
 * are deadlines on. It goes with the cycles of the thread in front; for a thread
 * behind it stands while the other one has its turn.
 */
static __always_inline u64 mont_clock(const struct mont_thread *t)
{
	return t->s.cycles + t->clock_ahead;
}

/* Count @units of work; the run loop looks when none are left. */
static __always_inline void mont_work(struct mont_thread *t, u32 units)
{
	t->work->left -= units;
	if (unlikely(t->work->left <= 0))
		*t->work->attn |= MONT_ATTN_WORK;
}

/* The 16 bytes of the bundle being executed; NULL for what no bundle does. */
static inline const u64 *mont_fetch_raw(const struct mont_thread *t)
{
	if (unlikely(!t->cur))
		return NULL;
	/* It has been written meanwhile. */
	if (unlikely(!t->cur->tag))
		return t->raw;
	return (const u64 *)(t->fetch_host + (t->cur->tag & 0xff0));
}

#endif
