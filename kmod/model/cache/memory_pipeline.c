// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memory pipeline (manual 4.8.2, 4.8.4 and 4.10).
 */
#include "memory_pipeline.h"
#include "coalesce.h"
#include "l1d.h"
#include "l2d.h"
#include "l3.h"
#include "../isa/uop.h"
#include "../package/broadcast.h"
#include "../package/bus.h"
#include "../platform/map.h"

/* The cycle from @now on in which the pipe takes a reference. */
static u64 pipeline_free_from(const struct mont_hierarchy *h, u64 now)
{
	return likely(h->order.busy <= now) ? now : h->order.busy;
}

/* The bus has accepted all uncached references in cycle @then (mf.a). */
static void pipeline_accepted(struct mont_hierarchy *h, u64 then)
{
	if (h->accepted < then)
		h->accepted = then;
}

/* A load of memory that is not cached: part of a line, from the bus. */
static u64 pipeline_uncached_load(struct mont_hierarchy *h, const struct mont_ref *ref, u64 now,
				  struct mont_reply *reply)
{
	struct mont_request r;
	u64 ready;

	reply->sent |= ref->kind & MONT_DATA_PORT ? MONT_SENT_BIT(BUS_READ_IO)
						  : MONT_SENT_BIT(BUS_READ_PARTIAL);
	mont_l2d_uncached(h, now, reply);
	now = mont_l3_enter(h, now, &r, reply);
	ready = mont_bus_read_partial(h, ref->pa, now, reply);
	mont_l3_leave(h, &r, ready, ref->pa);
	pipeline_accepted(h, ready);
	return ready;
}

/*
 * A store to memory that is not cached, by one of the write buffers, or an interrupt that is sent.
 */
static void pipeline_uncached_store(struct mont_hierarchy *h, const struct mont_ref *ref, u64 now,
				    struct mont_reply *reply)
{
	unsigned int buffer;
	u64 taken, gone;

	if (unlikely(mont_is_interrupt_block(ref->pa))) {
		mont_l3_special(h, ref->pa, MONT_SENT_BIT(BUS_IPI), now, reply);
		pipeline_accepted(h, reply->at[MONT_REPLY_IN_BUS]);
		gone = mont_bus_arrival(h, reply->at[MONT_REPLY_IN_BUS]);
		/* As many as there is room for are sent ahead. */
		if (mont_broadcast_issue(mont_bus_inbox(h->bus), h->core, ref->pa - MONT_PIB_BASE,
					 gone) > MONT_BROADCASTS_AHEAD)
			mont_reply_hold(reply, MONT_HOLD_L2BPRESS, gone + 1);
		return;
	}
	mont_l2d_uncached(h, now, reply);
	taken = mont_write_buffer(h, now, &buffer);
	if (ref->kind & MONT_DATA_PORT)
		gone = mont_bus_write_port(h, ref->pa, taken, reply);
	else
		gone = mont_bus_write_partial(h, ref->pa, ref->size, taken, reply);
	mont_write_buffer_hold(h, buffer, taken, gone, 0);
	pipeline_accepted(h, reply->at[MONT_REPLY_IN_BUS]);
	if (unlikely(taken > now))
		mont_reply_hold(reply, MONT_HOLD_L2BPRESS, taken + 1);
}

/* A line that goes into the L1D is valid as long as the entry of its page (2.4.3.1.2). */
static void pipeline_prevalidate(struct mont_hierarchy *h, struct mont_l1tlb *tlb,
				 const struct mont_ref *ref, const struct mont_reply *reply)
{
	if (unlikely(reply->filled))
		mont_l1tlb_filled(tlb, h->l1d.line[0], ref->va, ref->pa);
}

/* A read that the L1D can serve: by way of its own TLB. */
static u64 pipeline_l1d_read(struct mont_hierarchy *h, struct mont_l1tlb *tlb,
			     const struct mont_ref *ref, u64 now, struct mont_reply *reply)
{
	reply->at[MONT_REPLY_IN_L1D] = now;
	if (unlikely(h->order.acquired > now)) {
		/* Nothing that is younger than an acquire is performed before it. */
		now = h->order.acquired;
		h->order.busy = now;
		mont_reply_hold(reply, MONT_HOLD_LDCONF, now + 1);
	}
	if (unlikely(ref->kind & MONT_DATA_FILL)) {
		u64 written = h->order.unat[ref->va >> 3 & 63] + h->timing.unat;

		if (written > now && written < now + h->timing.unat) {
			now = written;
			h->order.busy = now;
			mont_reply_hold(reply, MONT_HOLD_NATCONF, now + 1);
		}
	}
	if (likely(mont_l1tlb_use(tlb, ref->va))) {
		now = mont_l1d_load(h, ref->pa, now, reply);
		pipeline_prevalidate(h, tlb, ref, reply);
		return now;
	}
	/* The L1D answers only by way of the L1 DTLB: the L2D does (prevalidation). */
	mont_l1tlb_insert(tlb, h->l1d.line[0], h->timing.dtlb_entries, ref->va);
	now += h->timing.l1dtlb;
	h->order.busy = now;
	mont_reply_hold(reply, MONT_HOLD_TLB, now + 1);
	reply->bits |= MONT_REPLY_BIT(L1DTLB_TRANSFERRED);
	now = mont_l1d_untranslated(h, ref->pa, now, reply);
	pipeline_prevalidate(h, tlb, ref, reply);
	return now;
}

u64 mont_pipeline_load(struct mont_hierarchy *h, struct mont_l1tlb *tlb, const struct mont_ref *ref,
		       u32 order, u64 now, struct mont_reply *reply)
{
	u64 ready;

	now = pipeline_free_from(h, now);
	if (unlikely(ref->kind & MONT_DATA_UC))
		return pipeline_uncached_load(h, ref, now, reply);
	/* 4.10: floating-point references go by the L2 DTLB alone. */
	if (ref->kind & MONT_DATA_FP)
		return mont_l2d_request(h, ref->pa, MONT_L2D_FP_LOAD, now, reply);
	if (unlikely(ref->kind & MONT_DATA_SEMAPHORE))
		ready = order & MONT_REF_REL
				? mont_l2d_release(h, ref->pa, MONT_L2D_RMW, now, reply)
				: mont_l2d_request(h, ref->pa, MONT_L2D_RMW, now, reply);
	else
		ready = pipeline_l1d_read(h, tlb, ref, now, reply);
	/* An acquire that the L1D serves does not go to the L2D (M5). */
	if (unlikely(order & MONT_REF_ACQ) && ready > now + 1) {
		h->order.acquire = now;
		mont_l2d_acquire(h, now, ready);
	}
	return ready;
}

u64 mont_pipeline_load_fp(struct mont_hierarchy *h, u64 pa, u64 now)
{
	return unlikely(h->order.busy > now) ? 0 : mont_l2d_bypass(h, pa, now);
}

bool mont_pipeline_store_hit(struct mont_hierarchy *h, u64 pa, u64 now)
{
	return likely(h->order.busy <= now) && mont_l1d_store_at_once(h, pa, now);
}

void mont_pipeline_store(struct mont_hierarchy *h, const struct mont_ref *ref, u32 order, u64 now,
			 struct mont_reply *reply)
{
	now = pipeline_free_from(h, now);
	if (unlikely(ref->kind & MONT_DATA_WC)) {
		mont_coalesce_store(h, ref->pa, ref->size, now, reply);
		return;
	}
	if (unlikely(ref->kind & MONT_DATA_UC)) {
		pipeline_uncached_store(h, ref, now, reply);
		return;
	}
	/* The write of a semaphore is that of its own request. */
	if (unlikely(ref->kind & MONT_DATA_SEMAPHORE))
		return;
	if (unlikely(ref->kind & MONT_DATA_FILL))
		h->order.unat[ref->va >> 3 & 63] = now;
	now = mont_l1d_store(h, ref->pa, now, reply);
	if (unlikely(order & MONT_REF_REL))
		(void)mont_l2d_release(h, ref->pa, MONT_L2D_STORE, now, reply);
	else
		(void)mont_l2d_request(h, ref->pa, MONT_L2D_STORE, now, reply);
}

void mont_pipeline_prefetch(struct mont_hierarchy *h, struct mont_l1tlb *tlb,
			    const struct mont_ref *ref, u32 order, u64 now,
			    struct mont_reply *reply)
{
	enum mont_l2d_op op = order & MONT_REF_EXCL ? MONT_L2D_LFETCH_EXCL : MONT_L2D_LFETCH;

	/* The L1D has no line of a page that its TLB has not (prevalidation). */
	if (!(order & MONT_REF_HINT) && mont_l1tlb_has(tlb, ref->va)) {
		mont_l1d_prefetch(h, ref->pa, op, now, reply);
		pipeline_prevalidate(h, tlb, ref, reply);
	} else {
		(void)mont_l2d_request(h, ref->pa, op, now, reply);
	}
}

u64 mont_pipeline_fetch_walk(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply)
{
	now = pipeline_free_from(h, now);
	/* The threads of a core have one walker, which may be at work for the other one. */
	if (unlikely(h->walker > now))
		now = h->walker;
	h->walker = mont_l2d_request(h, pa, MONT_L2D_OTHER, now, reply) + h->timing.walk;
	return h->walker;
}

u64 mont_pipeline_walk(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply)
{
	u64 done = mont_pipeline_fetch_walk(h, pa, now, reply);

	h->order.busy = done;
	mont_reply_hold(reply, MONT_HOLD_HPW, done + 1);
	return done;
}
