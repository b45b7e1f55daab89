/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Requests to the L2D and its queue, the OzQ (manual 2.3.3.2 and 4.8.4). Called by
 * l1d.c, by memory_pipeline.c, by pipeline/reference.c for fences and flushes, and by
 * package/deliver.c for snoops.
 */
#ifndef MONT_CACHE_L2D_H
#define MONT_CACHE_L2D_H

#include "hierarchy.h"

/* Requests to the L2D. */
enum mont_l2d_op {
	MONT_L2D_INT_LOAD,
	MONT_L2D_FP_LOAD,
	MONT_L2D_RMW, /* a semaphore */
	MONT_L2D_STORE,
	MONT_L2D_LFETCH,
	MONT_L2D_LFETCH_EXCL,
	MONT_L2D_OTHER, /* the page walker's reads */
};

/**
 * mont_l2d_request() - a reference that the L1D does not serve
 * @h: caches
 * @pa: physical address
 * @op: what it is
 * @now: cycle of issue
 * @reply: what it meets is added
 *
 * Return: the cycle in which the data is there; a floating-point register has it
 * one later.
 */
u64 mont_l2d_request(struct mont_hierarchy *h, u64 pa, enum mont_l2d_op op, u64 now,
		     struct mont_reply *reply);

/**
 * mont_l2d_bypass() - a floating-point load of a line that is there, with nothing in its way
 * @h: caches
 * @pa: physical address
 * @now: cycle of issue
 *
 * Return: as mont_l2d_request(), and what it meets is a hit that bypasses the OzQ; 0: nothing has
 * been done, and mont_l2d_request() is to be asked.
 */
u64 mont_l2d_bypass(struct mont_hierarchy *h, u64 pa, u64 now);

/*
 * As mont_l2d_bypass(), of a store to a line that is modified there. Return: it is done with;
 * false: nothing has been done.
 */
bool mont_l2d_store_bypass(struct mont_hierarchy *h, u64 pa, u64 now);

/* As mont_l2d_request(), for a release: it stays in the OzQ until all older requests are done. */
u64 mont_l2d_release(struct mont_hierarchy *h, u64 pa, enum mont_l2d_op op, u64 now,
		     struct mont_reply *reply);

/* An acquire of cycle @now is pending up to @until: what enters the OzQ before that waits. */
void mont_l2d_acquire(struct mont_hierarchy *h, u64 now, u64 until);

/* An mf.a of cycle @now is pending up to @until: what enters the OzQ before that waits. */
void mont_l2d_accept(struct mont_hierarchy *h, u64 now, u64 until);

/* The line at @pa is flushed from the L1D, the L2D and the L3. */
void mont_l2d_flush(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply);

/*
 * A reference of cycle @now to memory that is not cached: where nothing waits in front of it, the
 * L3 has been sent a request, which is withdrawn.
 */
void mont_l2d_uncached(struct mont_hierarchy *h, u64 now, struct mont_reply *reply);

/* A snoop withdraws a request from cycle @now on: when, which is in a cycle without another. */
u64 mont_l2d_withdraw(struct mont_hierarchy *h, u64 now);

/* A read recirculates in the L1D's pipe from cycle @now on: the L3 is sent a request in each. */
void mont_l2d_retried(struct mont_hierarchy *h, u64 now, u64 until, struct mont_reply *reply);

/* The cycle from @now on in which all that was asked for is done. */
u64 mont_l2d_drained(const struct mont_hierarchy *h, u64 now);

#endif
