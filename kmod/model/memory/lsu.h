/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * Operations for the load-store unit (manual 2.3.3): a log that instructions, the page
 * walker, the TLBs and the register stack engine leave in program order while time is
 * kept. The timed loop issues it when the instruction has executed (mont_lsu_issue(),
 * pipeline/reference.c) and learns there what the operations cost. Called by the units that refer
 * to memory: arch/, isa/, memory/ and mmu/.
 */
#ifndef MONT_MEMORY_LSU_H
#define MONT_MEMORY_LSU_H

#include "../arch/thread.h"

enum mont_lsu_code {
	/* A reference of the program: the record is complete. */
	MONT_LSU_LOAD,
	MONT_LSU_STORE,
	/* A plain one, of cacheable memory: the fast path has made it. */
	MONT_LSU_PLAIN_LOAD,
	MONT_LSU_PLAIN_STORE,
	/* A reference of the register stack engine. */
	MONT_LSU_RSE_LOAD,
	MONT_LSU_RSE_STORE,
	/* lfetch of va, at pa in cacheable memory. */
	MONT_LSU_PREFETCH,
	/* The page walker reads the table at pa for a data reference to va, or for a fetch. */
	MONT_LSU_WALK,
	MONT_LSU_FETCH_WALK,
	/* The L2 ITLB has no translation of va; the walker has inserted it. */
	MONT_LSU_ITLB_MISS,
	MONT_LSU_ITLB_INSERT,
	/* Entries of the thread with number kind for the pa bytes from va on leave the L1 DTLB, or the L1 ITLB. */
	MONT_LSU_DTLB_DROP,
	MONT_LSU_ITLB_DROP,
	/* An instruction has purged translations of the ITLBs, or that of va in all processors. */
	MONT_LSU_ITLB_PURGE,
	MONT_LSU_BROADCAST,
	/* fc, and fc.i, of va at pa. */
	MONT_LSU_FLUSH_LINE,
	MONT_LSU_FLUSH_INSN_LINE,
	/* mf; mf.a; fwb: the write coalescing buffers are flushed. */
	MONT_LSU_FENCE,
	MONT_LSU_ACCEPT,
	MONT_LSU_FLUSH_WRITES,
	/* bsw: the banks of general registers are switched. */
	MONT_LSU_SWITCH_BANK,
	/* PSR becomes va, which changes what is counted. */
	MONT_LSU_SET_PSR,
};

/**
 * struct mont_lsu_op - one entry of the log
 * @ref: the reference, or the addresses that @code names
 * @code: enum mont_lsu_code
 */
struct mont_lsu_op {
	struct mont_ref ref;
	u64 code;
};

/*
 * More than one instruction leaves. ptc.e drops all of both TLBs, 256 translations; a
 * batch of the register stack engine makes 16 references, with a walk each that drops
 * one translation, and 128 more that inserted ones overlap.
 */
#define MONT_NR_LSU_OPS 512

/**
 * struct mont_lsu_log - operations that have not been issued
 * @nr: entries
 * @entry: in program order
 */
struct mont_lsu_log {
	u64 nr;
	struct mont_lsu_op entry[MONT_NR_LSU_OPS];
};

/* Append @code to the log of @t, which keeps time. */
static __always_inline void mont_lsu_put(struct mont_thread *t, enum mont_lsu_code code, u64 va,
					 u64 pa, u32 size, u32 kind)
{
	struct mont_lsu_log *log = t->lsu_log;
	struct mont_lsu_op *r = &log->entry[log->nr++ & (MONT_NR_LSU_OPS - 1)];

	r->ref.va = va;
	r->ref.pa = pa;
	r->ref.size = size;
	r->ref.kind = kind;
	r->code = code;
}

/* Append @code with the addresses @va and @pa, if @t keeps time. */
static inline void mont_lsu_ask(struct mont_thread *t, enum mont_lsu_code code, u64 va, u64 pa)
{
	if (unlikely(t->lsu_log))
		mont_lsu_put(t, code, va, pa, 1, 0);
}

#endif
