// SPDX-License-Identifier: GPL-2.0-only
/*
 * Snoops of the caches of a core (manual 2.5, 2.7.1 and 2.7.4).
 *
 * The caches do not include each other: each of them is asked. A line in the L1I or the L2I
 * stays where it is merely read elsewhere. A line on its way is in the arrays already and
 * is taken from there; the reference that has asked for it gets its data all the same.
 */
#include "snoop.h"

#define NOT_LINE (MONT_L2_LINE - 1)

void mont_snoop_l1i(struct mont_hierarchy *h, u64 pa, u64 size)
{
	u64 line;

	for (line = pa & ~(u64)(MONT_L1_LINE - 1); line < pa + size; line += MONT_L1_LINE)
		mont_lines_drop(h->l1i.line[line / MONT_L1_LINE % MONT_L1_SETS], MONT_L1_WAYS,
				line);
}

bool mont_snoop_l2i(struct mont_hierarchy *h, u64 pa)
{
	return mont_lines_drop(h->l2i.line[pa / MONT_L2_LINE % MONT_L2I_SETS], MONT_L2I_WAYS,
			       pa & ~(u64)NOT_LINE);
}

u32 mont_snoop_l2d(struct mont_hierarchy *h, u64 pa, bool share)
{
	u64 line = pa & ~(u64)NOT_LINE, *set = h->l2d.line[pa / MONT_L2_LINE % MONT_L2D_SETS];
	int way = mont_lines_find(set, MONT_L2D_WAYS, line);
	u32 state = way < 0 ? MONT_LINE_I : set[way] & MONT_LINE_STATE;
	u64 half;

	/* The L1D has nothing but what is shared with the L2D. */
	for (half = line; half < line + MONT_L2_LINE && !share; half += MONT_L1_LINE)
		mont_lines_drop(h->l1d.line[half / MONT_L1_LINE % MONT_L1_SETS], MONT_L1_WAYS,
				half);
	/* The line's way is the next to be used when the replacement comes to it, and not before. */
	if (way >= 0)
		set[way] = share ? line | MONT_LINE_S : MONT_LINE_I;
	return state;
}

u32 mont_snoop_l3(struct mont_hierarchy *h, u64 pa, bool share)
{
	u64 line = pa & ~(u64)NOT_LINE, *set = h->l3.line[pa / MONT_L2_LINE % MONT_L3_SETS];
	int way = mont_lines_find(set, MONT_L3_WAYS, line);
	u32 state = way < 0 ? MONT_LINE_I : set[way] & MONT_LINE_STATE;

	if (way >= 0 && share)
		set[way] = line | MONT_LINE_S;
	else
		mont_lines_drop(set, MONT_L3_WAYS, line);
	return state;
}

u32 mont_snoop(struct mont_hierarchy *h, u64 line, enum mont_snoop what, u64 now, u32 *found)
{
	bool share = what <= MONT_SNOOP_INSN;
	u32 l2d = mont_snoop_l2d(h, line, share), l3 = mont_snoop_l3(h, line, share);

	if (!share) {
		mont_snoop_l1i(h, line, MONT_L2_LINE);
		*found |= MONT_SNOOPED_BIT(L1I);
		if (mont_snoop_l2i(h, line))
			*found |= MONT_SNOOPED_BIT(L2I_HIT);
	}
	if (mont_fills_pending(&h->l3.victims, MONT_NR_VICTIMS, line | MONT_LINE_M, now))
		return MONT_LINE_M;
	return l2d > l3 ? l2d : l3;
}

/* The most cycles between a fill and a snoop that meet in the L2D. */
#define MET_CYCLES 3

static bool snoop_is_met(u64 filled, u64 at)
{
	return filled <= at + MET_CYCLES && at <= filled + MET_CYCLES;
}

u64 mont_snoop_meets_fill(const struct mont_snoops *q, u64 line, u64 filled)
{
	u32 i;

	for (i = 0; i < MONT_NR_SNOOPED_LINES; i++)
		if (q->at[i] && q->line[i] == line && snoop_is_met(filled, q->at[i]))
			return filled < q->at[i] ? q->at[i] : filled;
	return 0;
}

/* True if @line is filled in the L2D of @h as a snoop for it comes in cycle @at. */
static bool snoop_meets_a_fill(const struct mont_hierarchy *h, u64 line, u64 at)
{
	const struct mont_fills *f = &h->l2d.fills;
	u32 i;

	for (i = 0; i < MONT_L2D_FILLS; i++)
		if (f->line[i] == line && f->until[i] && snoop_is_met(f->until[i], at))
			return true;
	return false;
}

/* True if @line is in one of the L2D's buffers for victims as a snoop for it comes in cycle @at. */
static bool snoop_meets_victim(const struct mont_hierarchy *h, u64 line, u64 at)
{
	const struct mont_fills *f = &h->l3.writes;
	u32 i;

	for (i = 0; i < MONT_NR_WRITE_BUFFERS; i++)
		if (f->line[i] == (line | MONT_LINE_M) && h->l2d.uses.read[i] <= at &&
		    at < f->until[i])
			return true;
	return false;
}

static void snoop_find_next(struct mont_snoops *q)
{
	u32 i;

	q->next = 0;
	for (i = 0; i < q->nr; i++)
		if (!q->next || q->of[i].at < q->next)
			q->next = q->of[i].at;
}

void mont_snoop_note(struct mont_snoops *q, const struct mont_hierarchy *h, u64 line, u64 at,
		     u64 end)
{
	struct mont_snoop_met met = {
		.at = end,
		.fill = snoop_meets_a_fill(h, line, at),
		.victim = snoop_meets_victim(h, line, at),
	};

	q->line[q->asked % MONT_NR_SNOOPED_LINES] = line;
	q->at[q->asked % MONT_NR_SNOOPED_LINES] = at;
	q->asked++;
	if (likely(!met.fill && !met.victim) || q->nr == MONT_NR_SNOOPS)
		return;
	q->of[q->nr++] = met;
	snoop_find_next(q);
}

bool mont_snoop_take_met(struct mont_snoops *q, u64 now, struct mont_snoop_met *met)
{
	u32 i, first = 0;

	if (!q->next || q->next > now)
		return false;
	while (q->of[first].at != q->next)
		first++;
	*met = q->of[first];
	q->nr--;
	for (i = first; i < q->nr; i++)
		q->of[i] = q->of[i + 1];
	q->of[q->nr] = (struct mont_snoop_met){ .at = 0 };
	snoop_find_next(q);
	return true;
}

static bool snoop_met_valid(const struct mont_snoop_met *met)
{
	static const u8 none[sizeof(met->pad)];

	return met->at && met->fill <= 1 && met->victim <= 1 &&
	       !__builtin_memcmp(met->pad, none, sizeof(none));
}

bool mont_snoops_valid(const struct mont_snoops *q)
{
	static const struct mont_snoop_met none;
	struct mont_snoops found = *q;
	u32 i;

	if (q->nr > MONT_NR_SNOOPS)
		return false;
	for (i = 0; i < MONT_NR_SNOOPS; i++)
		if (i < q->nr ? !snoop_met_valid(&q->of[i])
			      : __builtin_memcmp(&q->of[i], &none, sizeof(none)) != 0)
			return false;
	snoop_find_next(&found);
	return q->next == found.next;
}
