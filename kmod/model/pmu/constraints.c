// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later
/*
 * Placing a set of events on PMC4-15 (manual 3.3.3, 4.8.2 and 4.8.4).
 *
 * A search that gives the events one counter each, the most restricted ones
 * first. The rules:
 * - an event goes only to the counters its row allows;
 * - every L1D event belongs to one set, and one of them sits in PMC5;
 * - an L2D event in PMC5 or PMC8 needs one of its set, with the same umask, in
 *   PMC4; one in PMC7 or PMC9 in PMC6;
 * - EAR events that differ only in the EAR's setting exclude each other, as
 *   there is one EAR of each kind;
 * - L2D_OZQ_CANCELS0 and L2D_OZQ_CANCELS1 exclude each other.
 */
#include "constraints.h"
#include "../mont.h"

#define MONT_NR_PLACES 12
#define MONT_FIRST_BANKED 10 /* PMC4-9 are duplicated, PMC10-15 banked */

struct mont_placement {
	const struct mont_event *const *ev;
	unsigned int n;
	u32 placed; /* by event: 1 if order[] has it */
	u8 order[MONT_NR_PLACES];
	const struct mont_event *on[16]; /* by counter */
	u8 counter[MONT_NR_PLACES]; /* by event */
};

static bool constraints_is_in_group(const struct mont_event *e, unsigned int group)
{
	return (e->set & MONT_SET_GROUP) == group;
}

/* The counter whose event rules an L2D event in counter @n. */
static unsigned int constraints_l2d_leader(unsigned int n)
{
	return n == 4 || n == 5 || n == 8 ? 4 : 6;
}

/* PMC37 or PMC40 setting that @e needs; 0 for none. */
static unsigned int constraints_ear_setting(const struct mont_event *e)
{
	return e->ear ? e->ear << 8 | e->ear_umask : 0;
}

static bool constraints_is_cancel(const struct mont_event *e)
{
	return e->code == 0xe0 || e->code == 0xe2;
}

/* Two events no placement can hold, whatever else there is. */
static const char *constraints_pair_conflict(const struct mont_event *a, const struct mont_event *b)
{
	if (constraints_is_in_group(a, MONT_SET_L1D) && constraints_is_in_group(b, MONT_SET_L1D) &&
	    a->set != b->set)
		return "events of two L1D sets: PMC5 selects one set";
	if (a->code == b->code && constraints_ear_setting(a) && constraints_ear_setting(b) &&
	    constraints_ear_setting(a) != constraints_ear_setting(b))
		return "two settings of one event address register";
	if (constraints_is_cancel(a) && constraints_is_cancel(b) && a->code != b->code)
		return "L2D_OZQ_CANCELS0 and L2D_OZQ_CANCELS1 exclude each other";
	return NULL;
}

/* True if @e can be placed in counter @c beside those placed before. Leaders are placed first. */
static bool constraints_is_fit(const struct mont_placement *p, const struct mont_event *e,
			       unsigned int c)
{
	const struct mont_event *lead;

	if (p->on[c] || !(e->counters & MONT_BIT(c)))
		return false;
	if (constraints_is_in_group(e, MONT_SET_L1D)) {
		/* The first L1D event takes PMC5; its equals follow. */
		return c == 5 || (p->on[5] && p->on[5]->set == e->set);
	}
	if (!constraints_is_in_group(e, MONT_SET_L2D))
		return true;
	if (c == constraints_l2d_leader(c))
		return true;
	lead = p->on[constraints_l2d_leader(c)];
	return lead && lead->set == e->set && lead->umask == e->umask;
}

/*
 * Depth-first search, without recursion: @pos is the event being placed, in
 * order of preference; at[] where each one was tried last.
 */
static bool constraints_search(struct mont_placement *p)
{
	u8 at[MONT_NR_PLACES] = { 0 };
	unsigned int pos = 0;

	while (pos < p->n) {
		const struct mont_event *e = p->ev[p->order[pos]];
		unsigned int c = at[pos] ? at[pos] + 1 : 4;

		if (at[pos])
			p->on[at[pos]] = NULL;
		while (c < 16 && !constraints_is_fit(p, e, c))
			c++;
		if (c == 16) {
			at[pos] = 0;
			if (!pos)
				return false;
			pos--;
			continue;
		}
		at[pos] = c;
		p->on[c] = e;
		p->counter[p->order[pos]] = c;
		pos++;
	}
	return true;
}

/* How few counters could take @e: events are placed in ascending order. */
static unsigned int constraints_rank(const struct mont_event *e, bool l1d_leader)
{
	if (constraints_is_in_group(e, MONT_SET_L1D) && l1d_leader)
		return 0; /* PMC5 */
	if (!(e->counters & (e->counters - 1)))
		return 1;
	if (constraints_is_in_group(e, MONT_SET_L2D))
		return 2;
	return e->counters & MONT_BIT(MONT_FIRST_BANKED) ? 4 : 3;
}

static void constraints_order(struct mont_placement *p)
{
	unsigned int rank, i, k = 0;
	bool leader = true;

	for (rank = 0; rank <= 4; rank++) {
		for (i = 0; i < p->n; i++) {
			bool first = leader && constraints_is_in_group(p->ev[i], MONT_SET_L1D);

			if (p->placed & MONT_BIT(i) || constraints_rank(p->ev[i], first) != rank)
				continue;
			if (first)
				leader = false;
			p->placed |= MONT_BIT(i);
			p->order[k++] = i;
		}
	}
}

/* Name the rule that made the search fail, as far as one rule did. */
static const char *constraints_why(const struct mont_placement *p)
{
	bool l1d = false, l2d = false, halted = false;
	unsigned int i;

	for (i = 0; i < p->n; i++) {
		const struct mont_event *e = p->ev[i];

		l1d |= constraints_is_in_group(e, MONT_SET_L1D);
		l2d |= constraints_is_in_group(e, MONT_SET_L2D);
		if (!(e->counters & (e->counters - 1))) {
			if (halted)
				return "CYCLES_HALTED can be counted in PMC10 only";
			halted = true;
		}
	}
	if (l2d)
		return "L2D sets: PMC5, 8 share set and umask with PMC4, PMC7, 9 with PMC6";
	if (l1d)
		return "PMC5 must hold an L1D event of the set, which leaves too few of PMC4-9";
	return "the counters these events can use are too few";
}

int mont_place(const struct mont_event *const ev[], unsigned int n, u8 counter[], const char **why)
{
	struct mont_placement p = { .ev = ev, .n = n };
	unsigned int duplicated = 0, i, j;

	if (n > MONT_NR_PLACES) {
		*why = "there are 12 counters";
		return MONT_ENOSPC;
	}
	for (i = 0; i < n; i++) {
		for (j = i + 1; j < n; j++) {
			*why = constraints_pair_conflict(ev[i], ev[j]);
			if (*why)
				return MONT_ENOSPC;
		}
		if (ev[i]->counters < MONT_BIT(MONT_FIRST_BANKED))
			duplicated++;
	}
	if (duplicated > 6) {
		*why = "more than six events that only PMC4-9 can count";
		return MONT_ENOSPC;
	}
	constraints_order(&p);
	if (!constraints_search(&p)) {
		*why = constraints_why(&p);
		return MONT_ENOSPC;
	}
	for (i = 0; i < n; i++)
		counter[i] = p.counter[i];
	return 0;
}
