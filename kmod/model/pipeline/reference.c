// SPDX-License-Identifier: GPL-2.0-only
/*
 * The load-store unit in time: the operations that an instruction has left in the log
 * (lsu.h) enter the memory pipeline in the cycle its group issues in, and what they meet
 * there is signalled then, in the order of the program. What they make the pipe wait for
 * holds up the next group.
 */
#include "reference.h"
#include "account.h"
#include "front_end.h"
#include "../arch/psr.h"
#include "../cache/coalesce.h"
#include "../cache/consistent.h"
#include "../cache/l2d.h"
#include "../cache/l3.h"
#include "../event/assert.h"
#include "../memory/mem.h"
#include "../event/raise.h"
#include "../event/trace.h"
#include "../package/broadcast.h"
#include "../package/bus.h"

/*
 * The cycle in which a reference of the instruction enters the pipe: that of its group, or later,
 * behind references that the register stack engine makes for an instruction in front.
 */
static u64 lsu_issue_cycle(const struct mont_thread *t)
{
	u64 now = t->clock - 1;

	return likely(t->own.s.rse.at <= now) ? now : t->own.s.rse.at;
}

/* Two references a cycle: RSE_REFERENCES_RETIRED adds up to 2. */
#define RSE_PORTS 2

/* The cycle of the engine's next reference is one from that behind its group's first on. */
static void lsu_rse_begin(struct mont_thread *t)
{
	struct mont_rse_pace *rse = &t->own.s.rse;
	u64 now = t->clock - rse->again, busy = t->time->s.h.order.busy;

	if (now < busy)
		now = busy;
	if (rse->at < now) {
		rse->at = now;
		rse->made = 0;
	}
	if (rse->made == RSE_PORTS) {
		rse->at++;
		rse->made = 0;
	}
	rse->made++;
}

/* The engine's next reference waits as the pipe is held up by what its last has met. */
static void lsu_rse_hold(struct mont_rse_pace *rse, const struct mont_reply *reply)
{
	u32 holds;

	for (holds = reply->holds; holds; holds &= holds - 1) {
		/* The last one of the engine's references is served in that cycle. */
		u64 taken = reply->until[__builtin_ctz(holds)] - 1;

		if (rse->at < taken) {
			rse->at = taken;
			rse->made = 1;
		}
	}
}

/* Nothing issues until the engine's reference of cycle @now has its data, in @ready. */
static void lsu_rse_stall(struct mont_thread *t, enum mont_signal sig, u32 kind, u64 now, u64 ready)
{
	enum mont_cause cause = MONT_CAUSE_RSE_OVERFLOW;

	/* A frame that lacks registers: a return has come to it. */
	if (sig == MONT_SIG_LOAD_RETIRED)
		cause = kind & MONT_DATA_FRAME ? MONT_CAUSE_RSE_UNDERFLOW : MONT_CAUSE_RSE_LOADRS;
	mont_stall_until(&t->own.s.stall, cause, ready > now ? ready : now + 1);
}

static void lsu_switch_bank(struct mont_thread *t)
{
	mont_stall_until(&t->own.s.stall, MONT_CAUSE_RSE_BANK_SWITCH,
			 lsu_issue_cycle(t) + t->time->s.h.timing.bank_switch);
}

/* Hints and ordering of the reference that the current instruction makes. */
static u32 lsu_order(const struct mont_thread *t)
{
	return mont_packed_uop(t->cur, t->sig_slot)->r4;
}

/* Where the data of a load are from. A line that is being missed is asked for but once. */
static enum mont_served lsu_level_served(const struct mont_reply *reply, const struct mont_ref *ref)
{
	if (ref->kind & MONT_DATA_UC)
		return ref->kind & MONT_DATA_PORT ? MONT_SERVED_PORT : MONT_SERVED_UNCACHED;
	if (reply->bits & (MONT_REPLY_BIT(L3_DATA_MISS) | MONT_REPLY_BIT(L3_STORE_MISS)))
		return reply->bits & MONT_REPLY_BIT(FILL_S) ? MONT_SERVED_MEMORY
							    : MONT_SERVED_MEMORY_OWN;
	if (reply->bits & (MONT_REPLY_BIT(L3_DATA_HIT) | MONT_REPLY_BIT(L3_STORE_HIT)))
		return MONT_SERVED_L3;
	if (reply->bits & (MONT_REPLY_BIT(SECONDARY_READ) | MONT_REPLY_BIT(SECONDARY_WRITE)))
		return MONT_SERVED_PENDING;
	return MONT_SERVED_L2D;
}

/*
 * A load that the L1D has not served, with the cycles that a use of it waits at most:
 * @latency, and one more for a floating-point register's format.
 */
static void lsu_signal_served(struct mont_thread *t, const struct mont_reply *reply,
			      const struct mont_ref *ref, u64 latency, u64 at)
{
	t->sig_served = lsu_level_served(reply, ref);
	if (ref->kind & MONT_DATA_FP)
		latency++;
	mont_signal_late(t, ref, latency, at);
	if (ref->kind & MONT_DATA_UC)
		return;
	if (reply->bits & MONT_REPLY_BIT(L1DTLB_TRANSFERRED))
		mont_signal_line_at(t, MONT_SIG_DTLB_SERVED, ref, MONT_DTLB_L2, at);
	mont_signal_line_at(t, MONT_SIG_LOAD_SERVED, ref, latency, at);
}

/* Write coalescing buffers: make room for a store to @ref, in cycle @now. */
static noinline void lsu_make_room(struct mont_thread *t, const struct mont_ref *ref, u64 now)
{
	struct mont_reply reply;

	mont_reply_begin(&reply);
	while (mont_coalesce_room(&t->time->s.h, ref->pa, now, &reply)) {
		mont_account_reply(t, &reply, ref);
		mont_reply_begin(&reply);
	}
}

/* Trace @ref, which enters the pipe in cycle @now and has its data in @ready; @reply: NULL: L1D. */
static noinline void lsu_trace_reference(struct mont_thread *t, enum mont_signal sig,
					 const struct mont_ref *ref, u64 now, u64 ready,
					 const struct mont_reply *reply)
{
	static const u64 l3 = MONT_REPLY_BIT(L3_DATA_HIT) | MONT_REPLY_BIT(L3_STORE_HIT);
	static const u64 l2d = MONT_REPLY_BIT(L2D_READ) | MONT_REPLY_BIT(L2D_WRITTEN);
	u32 what = MONT_TRACE_L1D;

	if (reply && (reply->bits & l3))
		what = MONT_TRACE_L3;
	else if (reply && (reply->sent || (ref->kind & MONT_DATA_UC)))
		what = MONT_TRACE_MEMORY;
	else if (reply && (reply->bits & l2d))
		what = MONT_TRACE_L2D;
	if (sig == MONT_SIG_STORE_RETIRED)
		what |= MONT_TRACE_STORE;
	if (ref->kind & MONT_DATA_RSE)
		what |= MONT_TRACE_RSE;
	mont_trace_event(t, &(struct mont_trace_event){ .cycle = now,
							.ip = t->s.ip,
							.kind = MONT_TRACE_REFERENCE,
							.slot = t->sig_slot,
							.what = what,
							.value = { ref->va, ready - now } });
}

/* No wait for data is as long: the sum of all queues, each entry by its longest latency. */
#define LATE_MOST (1ULL << 32)

/*
 * The reference @ref enters the pipe. Return: cycles that the result of a load comes later
 * than its row of table 2-8 says.
 */
static u64 lsu_refer(struct mont_thread *t, enum mont_signal sig, const struct mont_ref *ref)
{
	struct mont_time *time = t->time;
	bool own = !(ref->kind & MONT_DATA_RSE);
	u64 now = likely(own) ? lsu_issue_cycle(t) : t->own.s.rse.at, ready = now, late = 0;
	u64 at = likely(own) ? t->clock : now + 1;
	struct mont_reply reply;

	/*
	 * A load that gave NaT has gone no further than the TLB: its result is as early as that of
	 * a hit.
	 */
	if (unlikely(ref->kind & MONT_DATA_DEFERRED))
		return ref->kind & MONT_DATA_FP ? time->s.h.timing.l2d : 0;
	mont_reply_begin(&reply);
	if (sig == MONT_SIG_LOAD_RETIRED) {
		ready = mont_pipeline_load(&time->s.h, &time->s.l1dtlb, ref, own ? lsu_order(t) : 0,
					   now, &reply);
		if (likely(own))
			late = ready - (t->clock - 1) - (ref->kind & MONT_DATA_FP ? 0 : 1);
	} else {
		if (unlikely(ref->kind & MONT_DATA_WC))
			lsu_make_room(t, ref, now);
		mont_pipeline_store(&time->s.h, ref, own ? lsu_order(t) : 0, now, &reply);
	}
	MONT_ASSERT(t, ready >= now && late <= LATE_MOST,
		    "scoreboard: a load's data are never there before it has issued");
	MONT_ASSERT(t, mont_hierarchy_consistent(&time->s.h, ref->pa),
		    "caches: a line is in one place of each at most");
	MONT_ASSERT(t, mont_bus_coherent(&time->s.h, ref->pa),
		    "caches: a line has one owner, or cores share it");
	if (unlikely(t->pmu.replies || reply.holds || reply.sent)) {
		mont_account_reply(t, &reply, ref);
		/* A switch waits for a reference that cannot be made again (model.rst, V7). */
		if (t->pmu.switches && (ref->kind & (MONT_DATA_UC | MONT_DATA_SEMAPHORE)) &&
		    t->own.s.held < ready)
			t->own.s.held = ready;
	}
	if (mont_traced(t, MONT_TRACE_REFERENCE))
		lsu_trace_reference(t, sig, ref, now, ready, &reply);
	if (unlikely(!own)) {
		if (unlikely(reply.holds))
			lsu_rse_hold(&t->own.s.rse, &reply);
		lsu_rse_stall(t, sig, ref->kind, now, ready);
	}
	if (sig == MONT_SIG_LOAD_RETIRED && unlikely(reply.bits || reply.sent))
		lsu_signal_served(t, &reply, ref, ready - now, at);
	else if (sig == MONT_SIG_LOAD_RETIRED && own)
		mont_signal_line_at(t, MONT_SIG_LOAD_HIT, ref, ready - now, at);
	return late;
}

/* True if no subscriber must see what a reference meets, and the engine makes none in front. */
static __always_inline bool lsu_is_unseen(const struct mont_thread *t)
{
	return !MONT_CHECK(t) && !t->pmu.heard && !t->traced && t->own.s.rse.at < t->clock;
}

/* The plain load @ref, of which mont_lsu_hit() has not been asked or is false. */
static __always_inline u64 lsu_load_beyond(struct mont_thread *t, const struct mont_ref *ref)
{
	u64 now = t->clock - 1;

	if (ref->kind == MONT_DATA_FP && likely(lsu_is_unseen(t))) {
		u64 ready = mont_pipeline_load_fp(&t->time->s.h, ref->pa, now);

		if (likely(ready)) {
			t->sig_served = MONT_SERVED_L2D;
			mont_signal_late(t, ref, ready - now + 1, now + 1);
			mont_signal_line_at(t, MONT_SIG_LOAD_SERVED, ref, ready - now + 1, now + 1);
			return ready - now;
		}
	}
	return lsu_refer(t, MONT_SIG_LOAD_RETIRED, ref);
}

/* The plain load @ref. Return: as of lsu_refer(). */
static __always_inline u64 lsu_load_plain(struct mont_thread *t, const struct mont_ref *ref)
{
	u64 now = t->clock - 1;

	if (!MONT_CHECK(t) && mont_lsu_hit(t, t->time, ref)) {
		if (mont_traced(t, MONT_TRACE_REFERENCE))
			lsu_trace_reference(t, MONT_SIG_LOAD_RETIRED, ref, now, now + 1, NULL);
		return 0;
	}
	return lsu_load_beyond(t, ref);
}

/* The plain store @ref. */
static __always_inline void lsu_store_plain(struct mont_thread *t, const struct mont_ref *ref)
{
	if (likely(!(ref->kind & ~MONT_DATA_FP) && lsu_is_unseen(t)) &&
	    likely(!(lsu_order(t) & MONT_REF_REL)) &&
	    likely(mont_pipeline_store_hit(&t->time->s.h, ref->pa, t->clock - 1)))
		return;
	(void)lsu_refer(t, MONT_SIG_STORE_RETIRED, ref);
}

/* Bits of the engine's references to cacheable memory. */
#define RSE_PLAIN (MONT_DATA_RSE | MONT_DATA_STORE | MONT_DATA_FRAME)

/*
 * The engine's reference @ref enters the pipe, if the L1D serves it at once, or it is a store that
 * nothing is in the way of, and no subscriber must see what it meets. False: nothing has been done.
 */
static __always_inline bool lsu_refer_rse_at_once(struct mont_thread *t, enum mont_signal sig,
						  const struct mont_ref *ref)
{
	struct mont_time_state *s = &t->time->s;
	u64 now = t->own.s.rse.at, ready = now + 1;

	if (unlikely((ref->kind & ~RSE_PLAIN) || MONT_CHECK(t) || t->pmu.heard || t->traced))
		return false;
	if (sig == MONT_SIG_LOAD_RETIRED
		    ? !mont_pipeline_hit(&s->h, &s->l1dtlb, ref->va, ref->pa, now)
		    : !mont_pipeline_store_hit(&s->h, ref->pa, now))
		return false;
	lsu_rse_stall(t, sig, ref->kind, now, ready);
	return true;
}

/* A reference of the register stack engine, in a cycle of its own. */
static void lsu_refer_rse(struct mont_thread *t, enum mont_signal sig, const struct mont_ref *ref)
{
	u64 at;

	lsu_rse_begin(t);
	at = t->own.s.rse.at + 1;
	mont_signal_line_at(t, sig, ref, 0, at);
	if (!lsu_refer_rse_at_once(t, sig, ref))
		(void)lsu_refer(t, sig, ref);
	mont_signal_line_at(t, MONT_SIG_RSE_REFERENCE, ref, 0, at);
}

static void lsu_walk(struct mont_thread *t, const struct mont_ref *ref)
{
	struct mont_time *time = t->time;
	struct mont_reply reply;

	mont_reply_begin(&reply);
	(void)mont_pipeline_walk(&time->s.h, ref->pa, lsu_issue_cycle(t), &reply);
	/* 4.10: the walker inserts into both TLBs. */
	if (!mont_l1tlb_use(&time->s.l1dtlb, ref->va))
		mont_l1tlb_insert(&time->s.l1dtlb, time->s.h.l1d.line[0],
				  time->s.h.timing.dtlb_entries, ref->va);
	mont_account_reply(t, &reply, ref);
}

static void lsu_prefetch(struct mont_thread *t, const struct mont_ref *ref)
{
	struct mont_reply reply;

	mont_reply_begin(&reply);
	mont_pipeline_prefetch(&t->time->s.h, &t->time->s.l1dtlb, ref, lsu_order(t),
			       lsu_issue_cycle(t), &reply);
	mont_account_reply(t, &reply, ref);
}

/* Count what has been in use up to the present cycle, under the old PSR, then set @psr. */
static void lsu_set_psr(struct mont_thread *t, u64 psr)
{
	if (mont_prefetch_busy(&t->time->s.prefetch))
		mont_prefetch_run(t, t->clock);
	mont_account_queues(t);
	mont_psr_apply(t, psr);
}

static void lsu_flush_data(struct mont_thread *t, const struct mont_ref *ref)
{
	struct mont_reply reply;

	mont_reply_begin(&reply);
	mont_l2d_flush(&t->time->s.h, ref->pa, lsu_issue_cycle(t), &reply);
	mont_account_reply(t, &reply, ref);
}

/* Other cores lose the line too, and with it what their instruction caches have of it. */
static void lsu_flush_insns(struct mont_thread *t, const struct mont_ref *ref)
{
	struct mont_reply reply;

	mont_front_flush_line(t, ref);
	mont_reply_begin(&reply);
	mont_l3_flush_insns(&t->time->s.h, ref->pa, lsu_issue_cycle(t), &reply);
	if (mont_reply_any(&reply))
		mont_account_reply(t, &reply, ref);
}

static void lsu_broadcast(struct mont_thread *t, const struct mont_ref *ref)
{
	struct mont_hierarchy *h = &t->time->s.h;
	struct mont_reply reply;
	u64 at, window;

	mont_reply_begin(&reply);
	mont_l3_special(h, ref->pa, MONT_SENT_BIT(BUS_PURGE), lsu_issue_cycle(t), &reply);
	mont_account_reply(t, &reply, ref);
	if (likely(!mont_bus_is_shared(h->bus)))
		return;
	/* The instruction is complete as the window ends in which the other core has it. */
	at = mont_bus_arrival(h, reply.at[MONT_REPLY_IN_BUS]);
	(void)mont_broadcast_issue(h->bus->inbox, h->core, ref->va, at);
	window = mont_bus_reach(&h->timing);
	at += window - 1;
	mont_stall_until(&t->own.s.stall, MONT_CAUSE_L1D_L2BPRESS, at - at % window);
}

static void lsu_flush_writes(struct mont_thread *t)
{
	struct mont_reply reply;

	mont_reply_begin(&reply);
	while (mont_coalesce_flush(&t->time->s.h, lsu_issue_cycle(t), &reply)) {
		mont_account_reply(t, &reply, NULL);
		mont_reply_begin(&reply);
	}
}

static void lsu_accept(struct mont_thread *t)
{
	struct mont_hierarchy *h = &t->time->s.h;

	mont_l2d_accept(h, lsu_issue_cycle(t), h->accepted);
}

static void lsu_fence(struct mont_thread *t)
{
	struct mont_hierarchy *h = &t->time->s.h;

	lsu_flush_writes(t);
	mont_l2d_acquire(h, lsu_issue_cycle(t), mont_l2d_drained(h, lsu_issue_cycle(t)));
}

/* One entry of the log; @late: of the last load. */
static noinline void lsu_issue_other(struct mont_thread *t, const struct mont_lsu_op *r, u64 *late)
{
	const struct mont_ref *ref = &r->ref;
	struct mont_time_state *s = &t->time->s;

	switch ((enum mont_lsu_code)r->code) {
	case MONT_LSU_LOAD:
		*late = lsu_refer(t, MONT_SIG_LOAD_RETIRED, ref);
		break;
	case MONT_LSU_STORE:
		(void)lsu_refer(t, MONT_SIG_STORE_RETIRED, ref);
		break;
	case MONT_LSU_PLAIN_LOAD:
	case MONT_LSU_PLAIN_STORE:
		break;
	case MONT_LSU_RSE_LOAD:
		lsu_refer_rse(t, MONT_SIG_LOAD_RETIRED, ref);
		break;
	case MONT_LSU_RSE_STORE:
		lsu_refer_rse(t, MONT_SIG_STORE_RETIRED, ref);
		break;
	case MONT_LSU_PREFETCH:
		lsu_prefetch(t, ref);
		break;
	case MONT_LSU_WALK:
		lsu_walk(t, ref);
		break;
	case MONT_LSU_FETCH_WALK:
		mont_front_walk(t, ref->pa);
		break;
	case MONT_LSU_ITLB_MISS:
		mont_front_itlb_missed(t, ref->va);
		break;
	case MONT_LSU_ITLB_INSERT:
		mont_front_translated(t, ref->va);
		break;
	case MONT_LSU_DTLB_DROP:
		mont_l1tlb_purge(&s->l1dtlb, s->h.l1d.line[0], ref->kind, ref->va, ref->pa);
		break;
	case MONT_LSU_ITLB_DROP:
		mont_l1tlb_purge(&s->l1itlb, s->h.l1i.line[0], ref->kind, ref->va, ref->pa);
		break;
	case MONT_LSU_ITLB_PURGE:
		mont_signal(t, MONT_SIG_L1I_PURGED, t->s.ip);
		break;
	case MONT_LSU_BROADCAST:
		lsu_broadcast(t, ref);
		break;
	case MONT_LSU_FLUSH_LINE:
		mont_front_flush_line(t, ref);
		lsu_flush_data(t, ref);
		break;
	case MONT_LSU_FLUSH_INSN_LINE:
		lsu_flush_insns(t, ref);
		break;
	case MONT_LSU_FENCE:
		lsu_fence(t);
		break;
	case MONT_LSU_ACCEPT:
		lsu_accept(t);
		break;
	case MONT_LSU_FLUSH_WRITES:
		lsu_flush_writes(t);
		break;
	case MONT_LSU_SWITCH_BANK:
		lsu_switch_bank(t);
		break;
	case MONT_LSU_SET_PSR:
		lsu_set_psr(t, ref->va);
		break;
	}
}

/* The @nr operations of the log. Return: as of mont_lsu_issue(). */
static noinline u64 lsu_issue_all(struct mont_thread *t, const struct mont_lsu_log *log, u64 nr)
{
	u64 i, late = 0;

	for (i = 0; i < nr; i++) {
		const struct mont_lsu_op *r = &log->entry[i & (MONT_NR_LSU_OPS - 1)];

		if (likely(r->code == MONT_LSU_PLAIN_LOAD))
			late = lsu_load_plain(t, &r->ref);
		else if (likely(r->code == MONT_LSU_PLAIN_STORE))
			lsu_store_plain(t, &r->ref);
		else
			lsu_issue_other(t, r, &late);
	}
	return late;
}

u64 mont_lsu_issue_plain(struct mont_thread *t)
{
	const struct mont_lsu_op *r = &t->lsu_log->entry[0];

	t->lsu_log->nr = 0;
	return lsu_refer(
		t, r->code == MONT_LSU_PLAIN_STORE ? MONT_SIG_STORE_RETIRED : MONT_SIG_LOAD_RETIRED,
		&r->ref);
}

u64 mont_lsu_issue(struct mont_thread *t)
{
	struct mont_lsu_log *log = t->lsu_log;
	const struct mont_lsu_op *r = &log->entry[0];
	u64 nr = log->nr;

	log->nr = 0;
	if (unlikely(nr != 1))
		return lsu_issue_all(t, log, nr);
	/* mont_step_done() has asked the L1D for a load that is not traced. */
	if (likely(r->code == MONT_LSU_PLAIN_LOAD))
		return unlikely(t->traced) ? lsu_load_plain(t, &r->ref)
					   : lsu_load_beyond(t, &r->ref);
	if (likely(r->code == MONT_LSU_PLAIN_STORE)) {
		lsu_store_plain(t, &r->ref);
		return 0;
	}
	return lsu_issue_all(t, log, 1);
}
