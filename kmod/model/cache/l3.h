/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Requests to the L3, and the buffers in front of it (manual 2.3.3.3, 2.3.3.4 and 4.8.5).
 * Called by l2d.c and l2i.c, by memory_pipeline.c for references that are not cached, and
 * by pipeline/reference.c.
 */
#ifndef MONT_CACHE_L3_H
#define MONT_CACHE_L3_H

#include "hierarchy.h"

/* Requesters of a line that an L2 lacks. */
enum mont_l3_op {
	MONT_L3_PREFETCH, /* of instructions */
	MONT_L3_INSN,
	MONT_L3_DATA,
	MONT_L3_STORE, /* to modify it */
};

/**
 * mont_l3_read() - a line that an L2 lacks
 * @h: caches
 * @pa: physical address
 * @op: the requester
 * @now: the cycle in which the L2 would have had it
 * @state: MONT_LINE_* of the line as the L2 gets it
 * @reply: what it meets is added
 *
 * Return: the cycle in which it is there.
 */
u64 mont_l3_read(struct mont_hierarchy *h, u64 pa, enum mont_l3_op op, u64 now, u32 *state,
		 struct mont_reply *reply);

/* The cycle from @now on in which the L3 takes a request. */
u64 mont_l3_turn(struct mont_hierarchy *h, u64 now);

/* struct mont_request - a request buffer (the BRQ), in use from cycle @taken on */
struct mont_request {
	u64 taken;
	unsigned int entry;
};

/* A request of cycle @now has a buffer: the cycle in which the L3 is asked. */
u64 mont_l3_enter(struct mont_hierarchy *h, u64 now, struct mont_request *r,
		  struct mont_reply *reply);
/* The @line that request @r is for arrives in cycle @until. */
void mont_l3_leave(struct mont_hierarchy *h, const struct mont_request *r, u64 until, u64 line);
/* A request without data, which is sent as @sent: MONT_SENT_BIT(). */
void mont_l3_special(struct mont_hierarchy *h, u64 pa, u32 sent, u64 now, struct mont_reply *reply);
/* The line at @pa is flushed from instruction caches, those of other cores as well. */
void mont_l3_flush_insns(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply);
/* The line at @pa is flushed; @modified: what was in front of the L3 was. */
void mont_l3_flush(struct mont_hierarchy *h, u64 pa, bool modified, u64 now,
		   struct mont_reply *reply);

/*
 * A write buffer for what is written in @now: its number goes to @entry. Return: the cycle
 * from which on it can be had, @now or later.
 */
static inline u64 mont_write_buffer(const struct mont_hierarchy *h, u64 now, unsigned int *entry)
{
	return mont_fills_take(&h->l3.writes, h->timing.write_buffers, now, entry);
}

/* Hold buffer @entry from cycle @now on, before @until; @line: a victim that may be snooped, or 0. */
void mont_write_buffer_hold(struct mont_hierarchy *h, unsigned int entry, u64 now, u64 until,
			    u64 line);

/* A modified line from the L2D: the cycle in which it is written. */
u64 mont_l3_write(struct mont_hierarchy *h, u64 line, u64 now, struct mont_reply *reply);

/* The L2D writes to the shared line at @pa: all other copies are invalidated. */
void mont_l3_claim(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply);

#endif
