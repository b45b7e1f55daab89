// SPDX-License-Identifier: GPL-2.0-only
/*
 * Instruction prefetch (manual 2.2, 4.8.1 and 4.10): hints and the stream.
 */
#include "prefetch.h"
#include "account.h"
#include "pipeline.h"
#include "../memory/mem.h"
#include "../event/raise.h"

#define LINE (~(u64)(MONT_L1_LINE - 1))
#define VALID 1ULL

MONT_SIZE_FITS(pvab, MONT_NR_PVAB);

bool mont_prefetch_place(const struct mont_thread *t, u64 va, u64 *pa)
{
	const struct mont_tlbe *e;

	if ((va & ~0xfffULL) == t->fetch_va) {
		*pa = t->fetch_pa | (va & 0xfff);
		return !t->fetch_uncached;
	}
	*pa = va;
	if (t->s.psr & MONT_PSR_IT) {
		e = mont_l1tlb_has(&t->time->s.l1itlb, va) ? mont_tlb_find(t, true, va) : NULL;
		if (!e || !(e->pte & MONT_PTE_P) || mont_pte_ma(e->pte) != MONT_MA_WB)
			return false;
		*pa = (e->pte & MONT_PTE_PPN) | (va & (MONT_BIT(e->ps) - 1));
	}
	/* A physical address with bit 63 is of memory that is not cached. */
	return mont_ram(t->pkg, *pa & LINE, MONT_L1_LINE);
}

/* Ask the L1I for the line in the pipe, which is at @pa; true when that is done with. */
static __always_inline bool prefetch_ask(struct mont_thread *t, struct mont_prefetch *p, u64 pa,
					 u64 upto)
{
	struct mont_reply reply;
	u64 at;

	mont_reply_begin(&reply);
	at = mont_l1i_prefetch(&t->time->s.h, pa, p->next, &reply);
	if (unlikely(at > p->next)) {
		if (at > upto)
			at = upto;
		mont_account_queue(t, MONT_QUEUE_PREFETCH_RAB, p->next, at);
		p->next = at;
		return false;
	}
	if (unlikely(mont_reply_any(&reply) | reply.fetched))
		mont_account_fetch(t, &reply, p->waits & ~VALID, pa, p->next);
	return true;
}

/*
 * The next hint or line of the stream goes into the pipe: its address, with VALID; 0 if
 * there is none in this cycle.
 */
static u64 prefetch_take(const struct mont_thread *t, struct mont_prefetch *p)
{
	u64 va = p->stream;

	if (p->nr && p->pvab[p->first].from <= p->next) {
		va = p->pvab[p->first].va;
		p->first = (p->first + 1) % MONT_NR_PVAB;
		p->nr--;
		return va | VALID;
	}
	if (!va || va - VALID - p->fetched > t->time->s.h.timing.ahead * MONT_L1_LINE)
		return 0;
	p->stream += MONT_L1_LINE;
	return va;
}

/* In cycle @p->next there is nothing to ask for: go on to where there may be, up to @upto. */
static void prefetch_pass(struct mont_thread *t, struct mont_prefetch *p, u64 upto)
{
	if (p->nr && p->pvab[p->first].from < upto)
		upto = p->pvab[p->first].from;
	if (p->stream)
		mont_account_queue(t, MONT_QUEUE_PREFETCH_FLOW, p->next, upto);
	p->next = upto;
}

/*
 * The pipe goes through cycles before @upto in which nothing waits, no hint has named a line, and
 * the L1I has what the stream asks for, in the page of fetch.
 */
static __always_inline void prefetch_run_ahead(struct mont_thread *t, struct mont_prefetch *p,
					       u64 upto)
{
	u64 most = t->time->s.h.timing.ahead * MONT_L1_LINE;

	while (p->next < upto && !(p->waits | p->nr) && p->stream) {
		u64 va = p->stream - VALID;

		if (va - p->fetched > most || (va & ~0xfffULL) != t->fetch_va ||
		    t->fetch_uncached || t->sig[MONT_SIG_L1I_STREAMED].left <= 0 ||
		    !mont_l1i_has(&t->time->s.h, t->fetch_pa | (va & 0xfff)))
			return;
		t->sig[MONT_SIG_L1I_STREAMED].left--;
		p->stream += MONT_L1_LINE;
		p->next++;
	}
}

void mont_prefetch_run(struct mont_thread *t, u64 upto)
{
	struct mont_prefetch *p = &t->time->s.prefetch;

	if (!mont_prefetch_busy(p)) {
		if (p->next < upto)
			p->next = upto;
		return;
	}
	if (!MONT_CHECK(t))
		prefetch_run_ahead(t, p, upto);
	while (p->next < upto) {
		u64 pa, next = p->stream;
		bool again = p->waits;

		if (!again)
			p->waits = prefetch_take(t, p);
		if (!p->waits) {
			prefetch_pass(t, p, upto);
			continue;
		}
		if (!mont_prefetch_place(t, p->waits - VALID, &pa)) {
			/* A stream ends there. */
			if (p->stream != next)
				p->stream = 0;
		} else {
			if (!again)
				mont_signal_at(t,
					       p->stream != next ? MONT_SIG_L1I_STREAMED
								 : MONT_SIG_L1I_HINTED,
					       p->waits - VALID, p->next + 1);
			if (!prefetch_ask(t, p, pa, upto))
				continue;
		}
		p->waits = 0;
		p->next++;
	}
}

void mont_prefetch_yield(struct mont_prefetch *p, const struct mont_reply *reply)
{
	if (mont_prefetch_busy(p) && (reply->fetched & MONT_FETCHED_BIT(L2I_DEMANDED)) &&
	    p->next == reply->asked)
		p->next++;
}

void mont_prefetch_follow(struct mont_thread *t, u64 va, u64 now)
{
	struct mont_prefetch *p = &t->time->s.prefetch;

	mont_prefetch_run(t, now);
	mont_prefetch_fetched(p, va);
}

void mont_prefetch_redirect(struct mont_thread *t, u64 now, u64 target, u64 from)
{
	struct mont_prefetch *p = &t->time->s.prefetch;

	mont_prefetch_run(t, now);
	p->stream = 0;
	if (!from)
		return;
	mont_prefetch_run(t, from + 1);
	p->fetched = target & LINE;
	p->stream = (p->fetched + MONT_L1_LINE) | VALID;
}

void mont_prefetch_fit(struct mont_prefetch *p, u32 nr)
{
	if (p->nr > nr)
		p->nr = nr;
}

void mont_prefetch_hint(struct mont_thread *t, u64 va, u64 issued)
{
	struct mont_prefetch *p = &t->time->s.prefetch;
	u32 last;

	mont_prefetch_run(t, issued + 1);
	if (p->nr >= t->time->s.h.timing.pvab) {
		mont_signal(t, MONT_SIG_PVAB_OVERFLOWED, 0);
		return;
	}
	last = (p->first + p->nr++) % MONT_NR_PVAB;
	p->pvab[last] = (struct mont_hint){ .va = va & ~31ULL, .from = issued + 1 };
}
