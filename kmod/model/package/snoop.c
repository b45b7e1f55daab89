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

void mont_snoop_note(struct mont_snoops *q, struct mont_inbox *inbox,
		     const struct mont_hierarchy *h, u64 line, u64 at, u64 end)
{
	struct mont_message reply = { .at = end, .kind = MONT_MESSAGE_SNOOP };

	if (snoop_meets_a_fill(h, line, at))
		reply.value |= MONT_MESSAGE_FILL;
	if (snoop_meets_victim(h, line, at))
		reply.value |= MONT_MESSAGE_VICTIM;
	q->line[q->asked % MONT_NR_SNOOPED_LINES] = line;
	q->at[q->asked % MONT_NR_SNOOPED_LINES] = at;
	q->asked++;
	if (unlikely(reply.value))
		mont_inbox_add(inbox, reply);
}
