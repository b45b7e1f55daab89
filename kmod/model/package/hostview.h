/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * A thread as its host sees it: registers by class and index, translations, and what a sample
 * or a snapshot of the PMU takes from it. Called by hosts: a part of mont.h, which includes it.
 */
#ifndef MONT_PACKAGE_HOSTVIEW_H
#define MONT_PACKAGE_HOSTVIEW_H

#include "../base/types.h"

struct mont_thread;

/*
 * Registers by class and index. FR uses both words of the value: v[0] the
 * significand, v[1] sign and exponent (bit 17, bits 16:0). GR values carry NaT
 * in v[1] bit 0. GR, FR and PR are numbered as the running code would.
 */
enum mont_reg_class {
	MONT_REG_GR, /* 0..127; outside the current frame: MONT_EINVAL */
	MONT_REG_FR, /* 0..127 */
	MONT_REG_PR, /* 0: the 64 predicates as one word, as mov r1=pr shows them */
	MONT_REG_BR, /* 0..7 */
	MONT_REG_AR, /* 0..127 */
	MONT_REG_CR, /* 0..127 */
	MONT_REG_SPECIAL, /* enum mont_reg_special */
	MONT_REG_RR, /* 0..7 */
	MONT_REG_PKR, /* 0..15 */
	MONT_REG_DBR, /* 0..7 */
	MONT_REG_IBR, /* 0..7 */
	MONT_REG_PMC, /* 0..255, with the write masks of a mov at level 0 */
	MONT_REG_PMD,
	MONT_REG_CPUID, /* 0..4, read only */
	/*
	 * Read only: the stacked registers whose place is from AR.BSPSTORE on, in the order of
	 * the backing store without its NaT collections: dirty ones, then the frame.
	 */
	MONT_REG_STACKED,
	MONT_NR_REG_CLASSES,
};

enum mont_reg_special {
	MONT_SPECIAL_IP, /* bundle address, bits 3:0 zero */
	MONT_SPECIAL_PSR, /* ri included */
	MONT_SPECIAL_CFM,
	MONT_SPECIAL_INSNS, /* instructions retired since reset, read only */
	MONT_SPECIAL_CYCLES, /* of this thread, read only */
	MONT_SPECIAL_HALTED,
	MONT_SPECIAL_CLOCK, /* of its core, read only */
	/* Of PMC4 and up to PMC15: MONT_STOOD() of the last time it stood still, read only */
	MONT_SPECIAL_STOOD,
	/*
	 * Registers between AR.BSPSTORE and AR.BSP; negative while some of the frame are yet to
	 * be loaded. May be set to 0 where it is not negative: they are given up, and with them
	 * all that the ALAT remembers.
	 */
	MONT_SPECIAL_DIRTY = MONT_SPECIAL_STOOD + 12,
	MONT_NR_SPECIAL,
};

/* Why a counter of PMC4-15 that is programmed stands still. */
enum mont_stands {
	MONT_STANDS_NOT,
	MONT_STANDS_NO_EVENT, /* no event has its code and unit mask */
	MONT_STANDS_REFUSED, /* the event's row says why it is not counted */
	MONT_STANDS_TIME, /* it needs the timing model */
	MONT_STANDS_THRESHOLD, /* its threshold does */
	MONT_STANDS_COUNTER, /* the event is not one of this counter (3.3.3, 4.8.4) */
	MONT_STANDS_SET, /* PMC5, PMC4 or PMC6 does not select its set (4.8.2, 4.8.4) */
	MONT_STANDS_RANGE, /* no source defines a range for slots without an instruction */
	MONT_STANDS_CONSTRAINT, /* a constraint is illegal or undefined (3.3.5 to 3.3.7) */
	MONT_STANDS_TRACE, /* the trace buffer's filter needs predictions (3.3.10) */
	MONT_STANDS_EAR, /* what PMC40 asks for needs time (3.3.9) */
	MONT_STANDS_ALL, /* the event cannot be counted for both threads, and all is set (4.8.4) */
	MONT_NR_STANDS,
};

/* A PMC's value, of which bits 31:0 exist, with the reason in bits 39:32. */
/* PMCs that mont_uncounted() tells of: those of counters, and the IP-EAR's */
#define MONT_MAY_STAND (0xfff0ULL | 1ULL << 42)
#define MONT_STOOD(pmc, why) ((pmc) | (u64)(why) << 32)

int mont_reg_get(struct mont_thread *t, u32 class, u32 index, u64 v[2]);
int mont_reg_set(struct mont_thread *t, u32 class, u32 index, const u64 v[2]);
/*
 * True if mont_reg_set() of these arguments writes a general register. Such writes are not
 * refused, whatever the writes in front of them, if those are of general registers too.
 */
bool mont_reg_is_gr_to_set(const struct mont_thread *t, u32 class, u32 index, const u64 v[2]);

/*
 * Insert a translation into the TC as itc.i or itc.d would (@insn says which),
 * for a host that serves TLB misses: @va with its region bits, @pte as for
 * itc, @itir page size in bits 7:2 and key in 31:8. Uses the region register
 * of @va.
 */
int mont_tc_insert(struct mont_thread *t, bool insn, u64 va, u64 pte, u64 itir);
/* Purge every TC entry that overlaps 2^@ps bytes at @va (ptc.l). */
int mont_tc_purge(struct mont_thread *t, u64 va, u32 ps);

/*
 * The physical address of @va as a fetch (@insn) or a load would find it now: by the TLBs,
 * else by the VHPT if the walker may look there. Nothing changes. Or MONT_ENOENT.
 */
int mont_host_translate(struct mont_thread *t, bool insn, u64 va, u64 *pa);

/**
 * struct mont_sample - where a thread is, for a sample
 * @ip: bundle address of the instruction that raised the signal
 * @insns: instructions retired since reset
 * @cycles: the thread's cycles since reset
 * @clock: its core's cycles since reset
 * @slot: its slot
 * @cpl: its privilege level
 * @cause: of a cycle that passes with nothing retired: its cause, plus 1; else 0
 * @served: enum mont_served, where an occurrence of LOAD_SERVED is
 */
struct mont_sample {
	u64 ip;
	u64 insns;
	u64 cycles;
	u64 clock;
	u32 slot;
	u32 cpl;
	u32 cause;
	u32 served;
};

/* An observer's overflow may call this, mont_observer_pmd() and mont_chain_read() alone. */
void mont_sample(const struct mont_thread *t, struct mont_sample *s);

/**
 * mont_pmu_view() - the PMU's registers, as mov at level 0 reads them
 * @t: thread
 * @pmc: filled with PMC0-63; what does not exist is 0
 * @pmd: filled with PMD0-63, likewise
 *
 * Copy the PMU's registers for a snapshot. A host calls this often: it costs two copies.
 */
void mont_pmu_view(struct mont_thread *t, u64 pmc[64], u64 pmd[64]);

/*
 * PMCs (bit n for PMCn) that were given an event the model does not count and
 * that no caller was told about: told once, then forgotten.
 */
u64 mont_uncounted(struct mont_thread *t);

#endif
