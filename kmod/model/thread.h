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
#include "signal.h"
#include "work.h"
#include "isa/uop.h"
#include "pmu/pmu_state.h"

struct mont_package;
struct mont_observer;

/*
 * What executing one instruction came to. Anything from MONT_FAULT_FIRST on is
 * an interruption; nothing the instruction would have written has been.
 */
enum mont_result {
	MONT_NEXT,
	/* t->s.ip and t->s.slot name the next instruction. */
	MONT_TAKEN,
	/* Instruction done; state the run loop caches has changed. */
	MONT_RELOAD,
	/* Nothing done: the host comes first, then the instruction executes. */
	MONT_STOP,
	MONT_FAULT_FIRST,
	MONT_FAULT_BASE = MONT_FAULT_FIRST - 1,
#define MONT_FAULT(name, vector, code, text) MONT_FAULT_##name,
#include "fault.def"
#undef MONT_FAULT
	MONT_NR_RESULTS,
};

/* PSR bits (SDM volume 2, table 3-2). PSR.ri lives in mont_state.slot. */
#define MONT_PSR_BE MONT_BIT(1)
#define MONT_PSR_UP MONT_BIT(2)
#define MONT_PSR_AC MONT_BIT(3)
#define MONT_PSR_MFL MONT_BIT(4)
#define MONT_PSR_MFH MONT_BIT(5)
#define MONT_PSR_IC MONT_BIT(13)
#define MONT_PSR_I MONT_BIT(14)
#define MONT_PSR_PK MONT_BIT(15)
#define MONT_PSR_DT MONT_BIT(17)
#define MONT_PSR_DFL MONT_BIT(18)
#define MONT_PSR_DFH MONT_BIT(19)
#define MONT_PSR_SP MONT_BIT(20)
#define MONT_PSR_PP MONT_BIT(21)
#define MONT_PSR_DI MONT_BIT(22)
#define MONT_PSR_SI MONT_BIT(23)
#define MONT_PSR_DB MONT_BIT(24)
#define MONT_PSR_LP MONT_BIT(25)
#define MONT_PSR_TB MONT_BIT(26)
#define MONT_PSR_RT MONT_BIT(27)
#define MONT_PSR_CPL_SHIFT 32
#define MONT_PSR_CPL (3ULL << 32)
#define MONT_PSR_IS MONT_BIT(34)
#define MONT_PSR_MC MONT_BIT(35)
#define MONT_PSR_IT MONT_BIT(36)
#define MONT_PSR_ID MONT_BIT(37)
#define MONT_PSR_DA MONT_BIT(38)
#define MONT_PSR_DD MONT_BIT(39)
#define MONT_PSR_SS MONT_BIT(40)
#define MONT_PSR_RI_SHIFT 41
#define MONT_PSR_RI (3ULL << 41)
#define MONT_PSR_ED MONT_BIT(43)
#define MONT_PSR_BN MONT_BIT(44)
#define MONT_PSR_IA MONT_BIT(45)
#define MONT_PSR_VM MONT_BIT(46)

/* The bits that exist, ri apart; PSR.is cannot be set (manual 2.8). */
#define MONT_PSR_IMPLEMENTED \
	((0x0ffee03eULL | (MONT_BIT(46) - MONT_BIT(32))) & ~(MONT_PSR_RI | MONT_PSR_IS))
/* Bits in force for one instruction only. */
#define MONT_PSR_ONCE (MONT_PSR_ID | MONT_PSR_DA | MONT_PSR_DD | MONT_PSR_ED | MONT_PSR_IA)

/**
 * struct mont_fr - a floating-point register (SDM volume 1, 5.1)
 * @sig: significand, explicit integer bit 63
 * @se: sign in bit 17, biased exponent in bits 16:0
 */
struct mont_fr {
	u64 sig;
	u64 se;
};

/* NaTVal: sign 0, exponent 0x1fffe, significand 0. */
#define MONT_NATVAL_SE 0x1fffeULL
/* Exponent of integers in setf.sig, ldf8 and xma results. */
#define MONT_FR_INT_SE 0x1003eULL

#define MONT_NR_TC 128
#define MONT_NR_TR 32
#define MONT_NR_ALAT 32
#define MONT_NR_PKR 16
#define MONT_NR_DEBUG 8 /* IBRs, and DBRs: four pairs each */
#define MONT_NR_STACKED 96

/* One translation, in a TR or in the TC (SDM volume 2, 4.1.1). */
struct mont_tlbe {
	u64 va; /* of the page, region bits included */
	u64 pte; /* as inserted: bits 52:0 of the PTE */
	u32 rid;
	u32 key;
	u8 ps; /* log2 of the page size */
	u8 valid;
	u8 pad[6];
};

/* One ALAT entry (SDM volume 1, 4.4.5.3). */
struct mont_alat_entry {
	u64 pa;
	u64 reg; /* mont_alat_gr() or mont_alat_fr() */
	u32 size;
	u32 valid;
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
	u64 itc_offset; /* AR.ITC = itc_offset + cycles */
	u64 ruc_offset;
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
	u64 cycles; /* core cycles; bundles begun in the functional mode */
	u64 rse_abs; /* number of r32 counted from reset: never wraps in a frame */
	u64 halted; /* PAL_HALT_LIGHT in force */
	struct mont_tlbe itr[MONT_NR_TR];
	struct mont_tlbe dtr[MONT_NR_TR];
	struct mont_tlbe itc[MONT_NR_TC];
	struct mont_tlbe dtc[MONT_NR_TC];
	struct mont_alat_entry alat[MONT_NR_ALAT];
	struct mont_pmu_state pmu;
	struct mont_mmio mmio;
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
	u32 itc_next; /* FIFO replacement positions */
	u32 dtc_next;
	u32 alat_next;
	u32 pmu_irq; /* MONT_PMU_*: interrupt line raised, not yet in IRR; host to be told */
	u32 frame_held; /* RSE.CFLE is 0 and the current frame incomplete */
	u32 last_slot; /* slot of the last branch taken */
	u32 served; /* the host serves an interruption: the return is still to be counted */
	u32 hw_policy; /* PAL_SET_HW_POLICY */
	u32 pad;
};
#pragma GCC diagnostic pop

#define MONT_NR_UTLB 512

/* Bit 11 of an address never survives the comparison: no address matches this one. */
#define MONT_UTLB_NONE 0x800

/* A host-speed copy of one 4 KB piece of a translation. */
struct mont_utlb {
	u64 tag; /* virtual page address, or MONT_UTLB_NONE */
	u64 host; /* host address of guest byte 0 of the page minus the tag */
};

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

struct mont_thread {
	struct mont_state s;

	/* --- derived from s --- */
	u8 grmap[128]; /* register number -> index in s.gr; 0 outside the frame */
	u8 frmap[128];
	u32 attn;
	u32 cpl;
	struct mont_countdown sig[MONT_NR_SIGNALS];
	struct mont_pmu_derived pmu; /* who listens to which signal */
	struct mont_utlb utlb_r[MONT_NR_UTLB];
	struct mont_utlb utlb_w[MONT_NR_UTLB];
	u64 fetch_va; /* page of the last fetch translation, or 1 */
	u64 fetch_pa;
	const u8 *fetch_host; /* its bytes */

	/* --- of the interruption being raised --- */
	u32 pal_virtual; /* the PAL call's buffers are virtual addresses */
	enum mont_result pal_fault; /* of one of them, or MONT_NEXT */
	u64 fault_ifa;
	u64 fault_imm;
	u64 fault_iha;
	u64 fault_isr; /* bits to OR into ISR: r, w, na, sp, rs, code 3:0; else 0 */

	/* --- of the signal being raised --- */
	u32 sig_data; /* MONT_DATA_*; 0 for a plain integer access */
	u32 sig_slot; /* slot being executed */
	u32 retire_from; /* first slot of the bundle not yet in INST_RETIRED */
	const struct mont_bundle *cur; /* bundle being executed; NULL between bundles */
	u64 raw[2]; /* its bytes, once it has overwritten them itself */

	struct mont_package *pkg;
	struct mont_work *work; /* the package's */
	struct mont_observer *observers;
	u32 index;
};

/* Count @units of work; the run loop looks when none are left. */
static __always_inline void mont_work(struct mont_thread *t, u32 units)
{
	t->work->left -= units;
	if (unlikely(t->work->left <= 0))
		*t->work->attn |= MONT_ATTN_WORK;
}

/* ---- register access, for instruction semantics ---- */

static __always_inline u64 mont_gr(const struct mont_thread *t, u8 r)
{
	return t->s.gr[t->grmap[r]];
}

static __always_inline u8 mont_nat(const struct mont_thread *t, u8 r)
{
	return t->s.nat[t->grmap[r]];
}

/*
 * Write a general register. r0 and registers outside the frame are an Illegal
 * Operation fault (SDM volume 1, 3.1.2 and 4.1): both map to physical 0.
 * Instructions with two targets must check both with mont_gr_bad() first.
 */
static __always_inline enum mont_result mont_gr_set(struct mont_thread *t, u8 r, u64 v, u8 nat)
{
	u8 p = t->grmap[r];

	if (unlikely(!p))
		return MONT_FAULT_ILLEGAL_OP;
	t->s.gr[p] = v;
	t->s.nat[p] = nat;
	return MONT_NEXT;
}

static __always_inline bool mont_gr_bad(const struct mont_thread *t, u8 r)
{
	return !t->grmap[r];
}

static __always_inline bool mont_pr(const struct mont_thread *t, u8 p)
{
	return t->s.pr >> p & 1;
}

/* Write a predicate; writes to p0 are lost. */
static __always_inline void mont_pr_set(struct mont_thread *t, u8 p, bool v)
{
	t->s.pr = (t->s.pr & ~MONT_BIT(p)) | (u64)v << p | 1;
}

static __always_inline struct mont_fr mont_fr(const struct mont_thread *t, u8 f)
{
	return t->s.fr[t->frmap[f]];
}

/* Write a floating-point register and mark its set as modified. */
static __always_inline void mont_fr_set(struct mont_thread *t, u8 f, struct mont_fr v)
{
	t->s.fr[t->frmap[f]] = v;
	t->s.psr |= f < 32 ? MONT_PSR_MFL : MONT_PSR_MFH;
}

/*
 * May this instruction use floating-point registers @a..@d (0 for unused) and
 * write @target? Disabled sets fault before f0 and f1 as targets do
 * (SDM volume 3, fp_check_target_register and fp_reg_disabled).
 */
#define MONT_FR_NONE 0x80 /* no target */
enum mont_result mont_fr_check_slow(struct mont_thread *t, u8 target, u8 a, u8 b, u8 c, u8 d);

static __always_inline enum mont_result mont_fr_check(struct mont_thread *t, u8 target, u8 a, u8 b,
						      u8 c, u8 d)
{
	if (likely(target > 1 && !(t->s.psr & (MONT_PSR_DFL | MONT_PSR_DFH))))
		return MONT_NEXT;
	return mont_fr_check_slow(t, target, a, b, c, d);
}

/* Register NaT consumption; @isr adds the access bits (MONT_ISR_*). */
static __always_inline enum mont_result mont_nat_fault(struct mont_thread *t, u64 isr)
{
	t->fault_isr = isr;
	return MONT_FAULT_NAT_CONSUMPTION;
}

/* ISR bits (SDM volume 2, 8.2) that instructions set themselves. */
#define MONT_ISR_X MONT_BIT(32)
#define MONT_ISR_W MONT_BIT(33)
#define MONT_ISR_R MONT_BIT(34)
#define MONT_ISR_NA MONT_BIT(35)
#define MONT_ISR_SP MONT_BIT(36)
#define MONT_ISR_RS MONT_BIT(37)
#define MONT_ISR_IR MONT_BIT(38)
#define MONT_ISR_NI MONT_BIT(39)
#define MONT_ISR_SO MONT_BIT(40)
#define MONT_ISR_EI_SHIFT 41
#define MONT_ISR_ED MONT_BIT(43)

/* ---- raising signals ---- */

/*
 * INST_RETIRED is raised once for a whole bundle, behind its last slot. What
 * changes what is enabled first retires the slots before @slot, under the old
 * state. That ends no issue group: mont_group_end() does.
 */
void mont_retire_upto(struct mont_thread *t, u32 slot);

void mont_signal_slow(struct mont_thread *t, enum mont_signal sig, u64 n, u64 attr);

void mont_retire_now(struct mont_thread *t);

/* Branch to @target: the instruction retires where it is, then IP moves. */
static __always_inline enum mont_result mont_take(struct mont_thread *t, u64 target)
{
	mont_retire_now(t);
	t->s.last_ip = t->s.ip;
	t->s.last_slot = t->sig_slot;
	t->s.ip = target & ~15ULL;
	t->s.slot = 0;
	return MONT_TAKEN;
}

/* Raise @sig once. */
static __always_inline void mont_signal(struct mont_thread *t, enum mont_signal sig, u64 attr)
{
	if (unlikely(--t->sig[sig].left <= 0))
		mont_signal_slow(t, sig, 1, attr);
}

/* Raise a DATA or KIND signal of which @data tells more. */
static __always_inline void mont_signal_data(struct mont_thread *t, enum mont_signal sig, u64 attr,
					     u32 data)
{
	u32 outer = t->sig_data;

	t->sig_data = data;
	mont_signal(t, sig, attr);
	t->sig_data = outer;
}

/* Raise @sig with the value @n, in one cycle; @n of 0 is nothing. */
static __always_inline void mont_signal_n(struct mont_thread *t, enum mont_signal sig, u64 n,
					  u64 attr)
{
	t->sig[sig].left -= (s64)n;
	if (unlikely(t->sig[sig].left <= 0))
		mont_signal_slow(t, sig, n, attr);
}

#endif
