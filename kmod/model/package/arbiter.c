// SPDX-License-Identifier: GPL-2.0-only
/*
 * The arbiter's places for one core (manual 2.5): four for requests, two for addresses of writes
 * with a data buffer each (the two other data buffers hold implicit write-backs, which a snoop
 * asks for), four for clean castouts. A place is free when its transaction is issued. Lines that
 * are written or cast out wait, since reads go before them, and for a place as well.
 */
#include "arbiter.h"
#include "../cache/hierarchy.h"

MONT_SIZE_FITS(si_requests, MONT_NR_SI_REQUESTS);
MONT_SIZE_FITS(si_writes, MONT_NR_SI_WRITES);
_Static_assert(MONT_NR_WRITES_WAITING == MONT_NR_SI_WRITES + MONT_NR_VICTIMS,
	       "as many writes wait as there are buffers for");
_Static_assert(MONT_NR_CASTOUTS_WAITING == MONT_NR_SI_CASTOUTS + MONT_NR_BRQ,
	       "and as many castouts as there are requests");
MONT_SIZE_FITS(si_castouts, MONT_NR_SI_CASTOUTS);

struct mont_place mont_arbiter_take(struct mont_arbiter *a, const struct mont_timing *timing,
				    enum mont_queue which, u64 now)
{
	struct mont_place p = { .queue = &a->requests };
	u32 places = timing->si_requests;

	if (which == MONT_QUEUE_SI_WRITEQ) {
		p.queue = &a->writes;
		places = timing->si_writes;
	} else if (which == MONT_QUEUE_SI_CCQ) {
		p.queue = &a->castouts;
		places = timing->si_castouts;
	}
	p.entered = mont_fills_take(p.queue, places, now, &p.entry);
	return p;
}

void mont_arbiter_issue(const struct mont_place *place, u64 issued, u64 line)
{
	mont_fills_hold(place->queue, place->entry, issued, line);
}

/* A place for @w that no line waits in, the one that is free first; MONT_NO_PLACE: there is none. */
static u32 arbiter_place(struct mont_arbiter *a, const struct mont_timing *timing,
			 const struct mont_waiting *w)
{
	const struct mont_fills *queue = mont_arbiter_queue(a, w);
	u32 places = w->castout ? timing->si_castouts : timing->si_writes;
	u32 place = MONT_NO_PLACE, waited = 0, i;

	for (i = 0; i < a->nr_waiting; i++)
		if (a->waiting[i].castout == w->castout && a->waiting[i].place != MONT_NO_PLACE)
			waited |= 1u << a->waiting[i].place;
	for (i = 0; i < places; i++)
		if (!(waited >> i & 1) &&
		    (place == MONT_NO_PLACE || queue->until[i] < queue->until[place]))
			place = i;
	return place;
}

void mont_arbiter_expect(struct mont_arbiter *a, struct mont_waiting *w, u64 at)
{
	w->at = at;
	if (likely(a->put_off.nr - w->number < MONT_NR_PUT_OFF))
		a->put_off.at[w->number % MONT_NR_PUT_OFF] = at;
}

static u32 arbiter_writes_waiting(const struct mont_arbiter *a)
{
	u32 n = a->nr_waiting;

	while (n && a->waiting[n - 1].castout)
		n--;
	return n;
}

struct mont_waiting *mont_arbiter_wait(struct mont_arbiter *a, const struct mont_timing *timing,
				       struct mont_waiting w)
{
	u32 writes = arbiter_writes_waiting(a), n = w.castout ? a->nr_waiting : writes, i;

	if (w.castout ? n - writes == MONT_NR_CASTOUTS_WAITING : n == MONT_NR_WRITES_WAITING)
		return NULL;
	w.place = arbiter_place(a, timing, &w);
	if (w.place != MONT_NO_PLACE && w.entered < mont_arbiter_queue(a, &w)->until[w.place])
		w.entered = mont_arbiter_queue(a, &w)->until[w.place];
	w.number = ++a->put_off.nr;
	mont_arbiter_expect(a, &w, w.entered);
	for (i = a->nr_waiting++; i > n; i--)
		a->waiting[i] = a->waiting[i - 1];
	a->waiting[n] = w;
	return &a->waiting[n];
}

struct mont_waiting mont_arbiter_next(struct mont_arbiter *a, struct mont_place *place)
{
	struct mont_waiting w = a->waiting[0];
	u64 n;

	a->nr_waiting--;
	for (n = 0; n < a->nr_waiting; n++)
		a->waiting[n] = a->waiting[n + 1];
	/* Entries that are not in use are the same in every state. */
	a->waiting[n] = (struct mont_waiting){ 0 };
	*place = (struct mont_place){ .queue = mont_arbiter_queue(a, &w),
				      .entry = w.place,
				      .entered = w.entered };
	return w;
}

void mont_arbiter_hand_on(struct mont_arbiter *a, const struct mont_place *place, u64 issued)
{
	u32 n;

	for (n = 0; n < a->nr_waiting; n++) {
		struct mont_waiting *w = &a->waiting[n];

		if (w->place != MONT_NO_PLACE || mont_arbiter_queue(a, w) != place->queue)
			continue;
		w->place = place->entry;
		if (w->entered < issued)
			w->entered = issued;
		mont_arbiter_expect(a, w, w->entered);
		return;
	}
}

/* True if entry @n of what waits can be a saved one. */
static bool arbiter_waiting_valid(const struct mont_arbiter *a, u64 n)
{
	static const struct mont_waiting none;
	const struct mont_waiting *w = &a->waiting[n], *last = n ? w - 1 : NULL;
	u64 i;

	if (n >= a->nr_waiting)
		return !__builtin_memcmp(w, &none, sizeof(none));
	for (i = 0; i < n; i++)
		if (a->waiting[i].castout == w->castout && w->place != MONT_NO_PLACE &&
		    a->waiting[i].place == w->place)
			return false;
	for (i = 0; i < MONT_ARRAY_SIZE(w->pad); i++)
		if (w->pad[i])
			return false;
	if (w->castout > 1 || (last && last->castout > w->castout))
		return false;
	/* Lines without a place wait behind others of their kind, which have all of them. */
	if (last && last->castout != w->castout)
		last = NULL;
	if (w->place == MONT_NO_PLACE
		    ? !last
		    : w->place >= (w->castout ? MONT_NR_SI_CASTOUTS : MONT_NR_SI_WRITES) ||
			      (last && last->place == MONT_NO_PLACE))
		return false;
	return w->entered < w->at && w->number && w->number <= a->put_off.nr &&
	       (w->buffer == MONT_NO_BUFFER || (w->buffer < MONT_NR_VICTIMS && !w->castout));
}

bool mont_arbiter_valid(const struct mont_arbiter *a)
{
	u64 n;

	if (a->nr_waiting > MONT_NR_WAITING || arbiter_writes_waiting(a) > MONT_NR_WRITES_WAITING ||
	    a->nr_waiting - arbiter_writes_waiting(a) > MONT_NR_CASTOUTS_WAITING)
		return false;
	for (n = 0; n < MONT_NR_WAITING; n++)
		if (!arbiter_waiting_valid(a, n))
			return false;
	return mont_fills_valid(&a->requests, MONT_NR_SI_REQUESTS) &&
	       mont_fills_valid(&a->writes, MONT_NR_SI_WRITES) &&
	       mont_fills_valid(&a->castouts, MONT_NR_SI_CASTOUTS);
}
