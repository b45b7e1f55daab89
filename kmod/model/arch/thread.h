/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * A thread: one logical processor (Montecito manual 2.4), its state
 * (thread_state.h) and what is derived from that, which is never saved:
 * mont_thread_sync_derived() makes it anew. Included by each unit that works on
 * a thread.
 */
#ifndef MONT_ARCH_THREAD_H
#define MONT_ARCH_THREAD_H

#include "../event/signal.h"
#include "thread_state.h"
#include "../pipeline/thread_time.h"
#include "../base/work.h"
#include "../isa/uop.h"

struct mont_package;
struct mont_core;
struct mont_observer;
struct mont_breakpoints;
struct mont_time;
struct mont_lsu_log;
struct mont_trace;

#define MONT_NR_UTLB 512

/* Bit 11 of an address never survives the comparison: no address matches this one. */
#define MONT_UTLB_NONE 0x800

/* A host-speed copy of one 4 KB piece of a translation. */
struct mont_utlb {
	u64 tag; /* virtual page address, or MONT_UTLB_NONE */
	u8 *page; /* its bytes */
};

/* The copies for one kind of reference, direct-mapped, their pages' addresses, and which are in use. */
struct mont_utlb_set {
	struct mont_utlb entry[MONT_NR_UTLB];
	u64 pa[MONT_NR_UTLB];
	u64 used[MONT_NR_UTLB / 64];
};

/* Copies that the VHPT walker reads its table by, direct-mapped like the others. */
#define MONT_NR_UTLB_TABLE 4

#define MONT_NR_FETCH 64

/* Host address of a page for instruction fetch. */
struct mont_fetch {
	u64 va; /* of the page, or MONT_FETCH_NONE */
	u64 pa;
	const u8 *host;
	bool uncached;
};

/* No page: mont_fetch.va and mont_thread.fetch_va. */
#define MONT_FETCH_NONE 1

/* No bundle's address: mont_thread.until. */
#define MONT_UNTIL_NONE 1

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

/**
 * struct mont_waiter - the instruction of a group that waits, before the group issues
 * @cur: its bundle
 * @ip: address of that
 * @slot: its slot
 */
struct mont_waiter {
	const struct mont_bundle *cur;
	u64 ip;
	u32 slot;
};

struct mont_thread {
	struct mont_state s;

	/* --- derived from s --- */
	/* register number -> index in s.gr; 0 outside the frame; made eight at a time */
	u8 grmap[128 + 8];
	u32 grmap_end; /* stacked registers from here on have 0 in grmap */
	const u8 *frmap; /* register number -> index in s.fr */
	u32 attn;
	u32 cpl;
	u64 clock; /* the core's: every time stamp is in it */
	u64 others; /* of its cycles, those that were not the thread's: mont_thread_cycles() */
	u32 alat_valid; /* entries of s.alat that are valid */
	u32 alat_closed; /* so many at its end are not used (mont_param_set()) */
	struct mont_countdown *sig; /* of the instruction being executed: one of those below */
	struct mont_tag_kind *tagged; /* the kind of the bundle, where it is tagged, or NULL */
	struct mont_countdown countdown[MONT_NR_TAG_SETS][MONT_NR_SIGNALS]; /* by tag set */
	struct mont_pmu_derived pmu; /* subscribers of each signal */
	struct mont_utlb_set utlb_r;
	struct mont_utlb_set utlb_w;
	struct mont_utlb utlb_table[MONT_NR_UTLB_TABLE];
	struct mont_fetch fetch[MONT_NR_FETCH];
	u64 fetch_va; /* page of the last fetch translation, or MONT_FETCH_NONE */
	u64 fetch_pa;
	const u8 *fetch_host; /* its bytes */
	bool fetch_uncached; /* its memory is not cached */

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
	u32 sig_bundle; /* 1: in the second bundle of its dispersal window; 0 without time */
	/* MONT_BRANCH_*: how the prediction of the branch being executed was wrong; 0 without time */
	u32 sig_outcome;
	u32 sig_served; /* enum mont_served, of the load that LOAD_SERVED or LOAD_LATE tells of */
	u32 sig_cause; /* of a cycle that passes with nothing retired: enum mont_cause, plus 1; else 0 */
	/* Of such a cycle, if a filter asks: the instruction that waits, by cause; else NULL */
	const struct mont_waiter *sig_waiting;
	u32 retire_from; /* first slot of the bundle not yet in INST_RETIRED */
	const struct mont_bundle *cur; /* bundle being executed; NULL between bundles */
	u64 raw[2]; /* its bytes, once it has overwritten them itself */

	struct mont_package *pkg;
	struct mont_core *core;
	struct mont_work *work; /* the package's */
	struct mont_time *time; /* of the core; NULL while no time is kept */
	struct mont_lsu_log *lsu_log; /* operations to be issued; likewise */
	u64 until; /* address to come back at, or MONT_UNTIL_NONE */
	u64 until_from; /* instructions retired when the run began there */
	/* of the package, if one is of instructions; else NULL */
	const struct mont_breakpoints *breakpoints;
	bool steps; /* the run ends with its next instruction */
	bool inside; /* the last step ended within a bundle: its group goes on */
	struct mont_observer *observers;
	struct mont_trace *trace; /* where @traced, bit n for kind n, goes */
	u32 traced;
	u32 index;
	u32 number; /* of the threads of its core */

	/* --- with the timing model --- */
	struct mont_thread_time own;
};

/* Cycles of the core's clock that were those of @t: AR.RUC counts them (SDM volume 1, 3.1.8). */
static __always_inline u64 mont_thread_cycles(const struct mont_thread *t)
{
	return t->clock - t->others;
}

/* Count @units of work; the run loop looks when none are left, or the host says stop. */
static __always_inline void mont_work(struct mont_thread *t, u32 units)
{
	t->work->left -= units;
	if (unlikely(t->work->left <= 0) && !mont_work_ask(t->work))
		*t->work->attn |= MONT_ATTN_WORK;
}

/* The 16 bytes of the bundle being executed; NULL for what no bundle does. */
static inline const u64 *mont_fetch_raw(const struct mont_thread *t)
{
	if (unlikely(!t->cur))
		return NULL;
	/* The bundle has been overwritten since it was decoded. */
	if (unlikely(!t->cur->tag))
		return t->raw;
	return (const u64 *)(t->fetch_host + (t->cur->tag & 0xff0));
}

#endif
