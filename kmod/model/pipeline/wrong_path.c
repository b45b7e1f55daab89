// SPDX-License-Identifier: GPL-2.0-only
/*
 * The path behind a mispredicted branch (manual 3.3.5.3 and 4.8.1): until the flush, which
 * comes when the branch is in stage DET, the front end fetches there and the back end
 * disperses what it brings. Nothing of it executes, so that registers, the ALAT, the data
 * caches and the L2 ITLB do not see it (Documentation/front-end.rst, F15).
 */
#include "wrong_path.h"
#include "flight.h"
#include "window.h"
#include "../exec/fetch.h"
#include "../memory/mem.h"
#include "../event/raise.h"

#define STAGES 4 /* IPG, ROT, EXP and REN: from the resteer to the dispersal of its target */

/**
 * struct wrong - a bundle of the path
 * @host: its page
 * @pa: its physical address
 * @ready: when it can disperse
 * @taken: the first slot that is predicted to be taken; 3: none
 * @slots: instructions up to that which is taken, bit n for slot n; this and what follows only
 *	if a subscriber counts it
 * @dispersed: those that disperse; this and what follows only if a subscriber looks at it
 * @ip: its address
 * @formed: the first cycle in which something of it disperses
 */
struct wrong {
	const u8 *host;
	u64 pa;
	u64 ready;
	u32 taken;
	u8 slots;
	u8 dispersed;
	u64 ip;
	u64 formed;
};

/* The place of @ip is the page of fetch; false if it is not there, or not cached. */
static bool wrong_path_turn_to(struct mont_thread *t, u64 ip)
{
	u64 pa;

	if ((ip & ~0xfffULL) == t->fetch_va)
		return !t->fetch_uncached;
	if (!mont_prefetch_place(t, ip, &pa))
		return false;
	t->fetch_host = mont_ram(t->pkg, pa & ~0xfffULL, 0x1000);
	if (!t->fetch_host)
		return false;
	t->fetch_va = ip & ~0xfffULL;
	t->fetch_pa = pa & ~0xfffULL;
	t->fetch_uncached = false;
	return true;
}

/* The bundle at @pa, in the page of fetch. */
static struct mont_bundle *wrong_path_bundle_at(struct mont_thread *t, u64 pa)
{
	struct mont_bundle *b = &t->pkg->bundle[pa >> 4 & (MONT_NR_BUNDLES - 1)];

	mont_bundle_take(t, b, pa);
	return b;
}

/* The pair of bundles at @ip is fetched in cycle @at: when it is there. */
static u64 wrong_path_fetch(struct mont_thread *t, u64 ip, u64 at)
{
	u64 pair = ip & ~31ULL, pa = t->fetch_pa | (pair & 0xff0), then;
	struct mont_reply reply;

	mont_signal_at(t, MONT_SIG_L1I_READ, pair, at + 1);
	if (unlikely(mont_prefetch_busy(&t->time->s.prefetch)))
		mont_prefetch_run(t, at);
	mont_reply_begin(&reply);
	at = mont_l1i_port(&t->time->s.h, pa, at);
	then = mont_l1i_fetch(&t->time->s.h, pa, at, &reply);
	if (unlikely(mont_reply_any(&reply) | reply.fetched)) {
		mont_prefetch_yield(&t->time->s.prefetch, &reply);
		mont_front_fetched(t, &reply, pair, pa, at, then - at);
	}
	return then;
}

/* Slots @from to @end - 1, bit n for slot n. */
static u8 wrong_path_slots_between(u32 from, u32 end)
{
	return end > from ? ((1u << end) - 1) & ~((1u << from) - 1) & 7 : 0;
}

/* True if a subscriber looks at an instruction of a path, as it is fetched or killed. */
static bool wrong_path_is_watched(const struct mont_thread *t)
{
	const s64 most = 3 * MONT_NR_BUFFER;

	return t->sig[MONT_SIG_FETCHED].left < most || t->sig[MONT_SIG_KILLED].left < most;
}

/*
 * Fetch from @from on, as long as there is room and no flush; @watched: as
 * wrong_path_is_watched() has it. Return: bundles.
 */
static u32 wrong_path_follow(struct mont_thread *t, const struct mont_wrong_turn *from, u64 end,
			     bool watched, struct wrong path[MONT_NR_BUFFER])
{
	u64 ip = from->ip, at = from->at, pair = MONT_PAIR_NONE, ready = 0;
	u32 slot = from->slot, nr;

	for (nr = 0; nr < MONT_NR_BUFFER; nr++) {
		struct wrong *w = &path[nr];
		const struct mont_bundle *b;
		u64 target = 0;
		u32 bubbles = 0;

		if ((ip & ~31ULL) != pair) {
			if (at >= end || !wrong_path_turn_to(t, ip))
				break;
			pair = ip & ~31ULL;
			ready = wrong_path_fetch(t, ip, at);
			at = ready + 1;
		}
		if (ready >= end)
			break;
		w->host = t->fetch_host;
		w->pa = t->fetch_pa | (ip & 0xff0);
		w->ready = ready;
		b = wrong_path_bundle_at(t, w->pa);
		w->taken = 3;
		if (b->branches)
			w->taken = mont_branches_follow(t, ip, b, slot, end, &target, &bubbles);
		if (unlikely(t->pmu.flights))
			w->slots = wrong_path_slots_between(slot, w->taken + 1) & mont_slots(b);
		if (unlikely(watched)) {
			w->ip = ip;
			w->formed = end;
			w->dispersed = 0;
		}
		slot = 0;
		ip += 16;
		if (w->taken < 3) {
			ip = target;
			at += bubbles;
			pair = MONT_PAIR_NONE;
		}
	}
	return nr;
}

/* The group of @nr bundles from @w on, which begins in @slot. */
static __always_inline const struct mont_group *
wrong_path_group_at(struct mont_thread *t, const struct wrong *w, const u32 nr, u32 slot, u32 split)
{
	const struct mont_bundle *b;

	t->fetch_host = w->host;
	b = wrong_path_bundle_at(t, w->pa);
	if (nr == 2)
		(void)wrong_path_bundle_at(t, w->pa + 16);
	return mont_group_take(t, b, w->pa, nr, slot, split, 3);
}

/* Fill in the facts of bundle @w that dispersal needs. */
static void wrong_path_bundle_facts(struct mont_thread *t, const struct wrong *w,
				    struct mont_disperse *d)
{
	const struct mont_bundle_roles *roles;
	const struct mont_bundle *b;
	u32 slot;

	t->fetch_host = w->host;
	b = wrong_path_bundle_at(t, w->pa);
	roles = mont_bundle_roles(t, b, w->pa);
	d->tmpl = b->tmpl;
	d->last = 3;
	for (slot = 0; slot < 3; slot++)
		d->ports[slot] = roles->slot[slot].ports;
}

/* Two bundles disperse, the second of which is in the next page: groups are kept within one. */
static noinline void wrong_path_disperse_across(struct mont_thread *t, const struct wrong *w,
						u32 slot, u32 split, struct mont_dispersal *d)
{
	struct mont_disperse two[2];

	wrong_path_bundle_facts(t, &w[0], &two[0]);
	wrong_path_bundle_facts(t, &w[1], &two[1]);
	mont_disperse(&two[0], &two[1], slot, (enum mont_lost)split, d);
}

/* @nr slots of @w from @slot on disperse in cycle @now. */
static void wrong_path_leave(struct wrong *w, u32 slot, u32 nr, u64 now)
{
	u8 more = wrong_path_slots_between(slot, slot + nr) & w->slots;

	if (more && !w->dispersed)
		w->formed = now;
	w->dispersed |= more;
}

/*
 * Disperse @nr bundles from cycle @now on, as if their operands were there; @watched: as of
 * wrong_path_is_watched().
 */
static void wrong_path_disperse(struct mont_thread *t, struct mont_wrong *wrong,
				const struct mont_wrong_turn *from, bool watched,
				struct wrong path[MONT_NR_BUFFER], u32 nr, u64 now)
{
	u32 slot = from->slot, split = from->split, i = 0, k;

	for (k = 0; k < wrong->nr; k++, now++) {
		const struct mont_dispersal *d;
		struct mont_dispersal across;
		bool second;

		__builtin_memset(&wrong->group[k], 0, sizeof(wrong->group[k]));
		if (i == nr || path[i].ready > now)
			continue;
		second = path[i].taken == 3 && i + 1 < nr && path[i + 1].ready <= now;
		if (!second) {
			d = &wrong_path_group_at(t, &path[i], 1, slot, split)->d;
		} else if (likely((path[i].pa & 0xff0) != 0xff0)) {
			d = &wrong_path_group_at(t, &path[i], 2, slot, split)->d;
		} else {
			wrong_path_disperse_across(t, &path[i], slot, split, &across);
			d = &across;
		}
		wrong->group[k].insns = d->insns;
		__builtin_memcpy(wrong->group[k].lost, d->lost, sizeof(d->lost));
		__builtin_memcpy(wrong->group[k].over, d->over, sizeof(d->over));
		split = d->why == MONT_LOST_EXPL ? MONT_LOST_EXPL : MONT_LOST_IMPL;
		if (unlikely(watched)) {
			wrong_path_leave(&path[i], slot, d->slots[0], now);
			if (second)
				wrong_path_leave(&path[i + 1], 0, d->slots[1], now);
		}
		slot += d->slots[0];
		if (slot > path[i].taken || slot > 2) {
			i++;
			slot = d->slots[1];
			if (slot && (slot > path[i].taken || slot > 2)) {
				i++;
				slot = 0;
			}
		}
	}
}

/* Count the instructions of the path, of which no subscriber looks at a single one. */
static void wrong_path_count(struct mont_thread *t, const struct wrong *w, u32 nr)
{
	u32 n = 0;

	for (; nr--; w++)
		n += mont_nr_slots(w->slots);
	t->sig[MONT_SIG_FETCHED].left -= n;
	t->sig[MONT_SIG_KILLED].left -= n;
}

/* Signal the end of the instructions of the path: all of them are killed. */
static noinline void wrong_path_signal_fetched(struct mont_thread *t, const struct wrong *w, u32 nr,
					       u64 issued)
{
	struct mont_flight f = { .issued = issued, .wrong = true, .ends = true };

	for (; nr--; w++) {
		f.ip = w->ip;
		f.ready = w->ready;
		f.formed = w->formed;
		f.slots = w->slots;
		f.dispersed = w->dispersed;
		mont_flight_raise(t, &f);
		mont_signal_n(t, MONT_SIG_KILLED, mont_nr_slots(f.slots), 0);
	}
}

void mont_wrong_path(struct mont_thread *t, const struct mont_wrong_turn *turn, u64 issued)
{
	struct mont_wrong *wrong = &t->time->s.wrong;
	bool free = t->time->s.h.timing.free_causes >> MONT_CAUSE_BRU & 1;
	u32 cost = free ? 0 : t->time->s.h.timing.mispredict;
	u64 va = t->fetch_va, pa = t->fetch_pa;
	bool uncached = t->fetch_uncached;
	const u8 *host = t->fetch_host;
	struct wrong path[MONT_NR_BUFFER];
	bool watched = false;
	u32 nr;

	if (unlikely(t->pmu.flights))
		watched = wrong_path_is_watched(t);
	wrong->from = issued + 1;
	wrong->nr = cost > STAGES ? cost - STAGES : 0;
	if (wrong->nr > MONT_NR_WRONG)
		wrong->nr = MONT_NR_WRONG;
	nr = wrong_path_follow(t, turn, issued + 1 + cost, watched, path);
	wrong_path_disperse(t, wrong, turn, watched, path, nr, issued + 1);
	if (unlikely(watched))
		wrong_path_signal_fetched(t, path, nr, issued);
	else if (unlikely(t->pmu.flights))
		wrong_path_count(t, path, nr);
	t->fetch_va = va;
	t->fetch_pa = pa;
	t->fetch_uncached = uncached;
	t->fetch_host = host;
}

bool mont_wrong_now(const struct mont_thread *t, u64 now)
{
	return now - t->time->s.wrong.from < t->time->s.wrong.nr;
}

bool mont_wrong_dispersed(struct mont_thread *t, u64 now)
{
	const struct mont_wrong *wrong = &t->time->s.wrong;
	const struct mont_wrong_group *g = &wrong->group[now - wrong->from];

	if (!g->insns)
		return false;
	mont_window_dispersed(t, g->insns, g->lost, g->over);
	return true;
}

bool mont_wrong_valid(const struct mont_wrong *wrong)
{
	u32 k, i;

	for (k = 0; k < MONT_NR_WRONG; k++) {
		const struct mont_wrong_group *g = &wrong->group[k];
		u32 sum = g->insns;

		for (i = 0; i < MONT_NR_LOST; i++)
			sum += g->lost[i];
		/* 6 slots, and none where nothing goes. */
		if (g->insns > 6 || g->pad || sum != (g->insns ? 6u : 0u) + g->over[0] + g->over[1])
			return false;
	}
	return wrong->nr <= MONT_NR_WRONG;
}
