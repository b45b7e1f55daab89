// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts in the cycle of their own, by the thread that is in front then (late.h).
 */
#include "late.h"
#include "internal.h"
#include "match.h"

void mont_late_enter(struct mont_thread *t, const struct mont_late_count *count)
{
	struct mont_late *late = &t->own.s.late;
	u32 i;

	mont_work(t, 1);
	/* No count is lost where there is no room: the first one comes early. */
	if (unlikely(late->nr == MONT_NR_LATE)) {
		late->count[0].at = t->clock;
		late->count[0].line = 0;
		mont_late_pass(t, NULL);
	}
	for (i = late->nr++; i && late->count[i - 1].at > count->at; i--)
		late->count[i] = late->count[i - 1];
	late->count[i] = *count;
	if (*t->pmu.soon > count->at)
		*t->pmu.soon = count->at;
	/* The loop's deadline may be later. */
	t->attn |= MONT_ATTN_TIMER;
}

static u64 late_first(const struct mont_thread *t)
{
	return t->own.s.late.nr ? t->own.s.late.count[0].at : ~0ULL;
}

u64 mont_late_next(struct mont_thread *t)
{
	u64 own = late_first(t), theirs = late_first(mont_sibling(t));

	return own < theirs ? own : theirs;
}

/* Add 1 to each of @counters of @own that is not frozen; @t runs. */
static void late_add(struct mont_thread *own, u32 counters, u64 at, struct mont_thread *t)
{
	struct mont_occurrence o = { .owner = t, .time = t->clock, .at = at, .n = 1 };
	u32 over = 0;

	/* Every counter sees all of an overflow's cycle. */
	if ((own->s.pmu.pmc[0] & MONT_PMC0_FR) && own->own.s.late.froze != at)
		return;
	for (; counters; counters &= counters - 1) {
		unsigned int i = __builtin_ctz(counters);
		u64 v = mont_threshold(&o, &own->s.pmu.sums[i], 1, mont_pmc_threshold(own, i));

		over |= mont_pmd_add(own, i, v);
	}
	if (over)
		mont_pmu_pend(own, over, t);
}

/* The cycle of @c, of the thread @asked, is over. */
static void late_count(struct mont_thread *asked, const struct mont_late_count *c,
		       struct mont_thread *t)
{
	struct mont_thread *other = mont_sibling(asked);
	bool front = mont_in_front(asked);

	late_add(asked, c->own | (front ? c->own_front : 0), c->at, t);
	if (c->other | c->other_front)
		late_add(other, c->other | (mont_in_front(other) ? c->other_front : 0), c->at, t);
}

/* The cycle that count @c waits for, if its line is one of @lines. */
static u64 late_due(const struct mont_late_count *c, const struct mont_put_off *lines)
{
	u64 due;

	if (likely(!c->line || !lines || lines->nr - c->line >= MONT_NR_PUT_OFF))
		return c->at;
	due = lines->at[c->line % MONT_NR_PUT_OFF] + 1;
	return due > c->at ? due : c->at;
}

/* Count @n of @late comes in cycle @due, and not before others of that cycle. */
static void late_put_off(struct mont_late *late, u32 n, u64 due)
{
	struct mont_late_count c = late->count[n];

	c.at = due;
	for (; n + 1 < late->nr && late->count[n + 1].at <= due; n++)
		late->count[n] = late->count[n + 1];
	late->count[n] = c;
}

/* Take the counts of @asked out whose cycle is over at @now, but for those of @lines put off. */
static void late_pass(struct mont_thread *asked, struct mont_thread *t,
		      const struct mont_put_off *lines, u64 now)
{
	struct mont_late *late = &asked->own.s.late;
	u32 n = 0, i;

	while (n < late->nr && late->count[n].at <= now) {
		u64 due = late_due(&late->count[n], lines);

		if (likely(due == late->count[n].at)) {
			late_count(asked, &late->count[n++], t);
		} else {
			mont_work(t, 1);
			late_put_off(late, n, due);
		}
	}
	if (!n)
		return;
	mont_work(t, n);
	late->nr -= n;
	for (i = 0; i < late->nr; i++)
		late->count[i] = late->count[i + n];
	/* Entries that are not in use are the same in every state. */
	for (; i < late->nr + n; i++)
		late->count[i] = (struct mont_late_count){ 0 };
}

void mont_late_pass(struct mont_thread *t, const struct mont_put_off *lines)
{
	late_pass(t, t, lines, t->clock);
	late_pass(mont_sibling(t), t, lines, t->clock);
}

void mont_late_settle(struct mont_thread *t)
{
	late_pass(t, t, NULL, ~0ULL);
	late_pass(mont_sibling(t), t, NULL, ~0ULL);
}

void mont_late_forget(struct mont_thread *t, unsigned int n)
{
	struct mont_thread *other = mont_sibling(t);
	struct mont_late *late = &t->own.s.late;
	u16 keep = ~MONT_BIT(n);
	u32 i;

	for (i = 0; i < late->nr; i++) {
		late->count[i].own &= keep;
		late->count[i].own_front &= keep;
	}
	late = &other->own.s.late;
	for (i = 0; i < late->nr; i++) {
		late->count[i].other &= keep;
		late->count[i].other_front &= keep;
	}
	mont_work(t, 1 + i / MONT_WORK_ENTRIES);
}

bool mont_late_valid(const struct mont_late *late, bool alone)
{
	const u32 counters = 0xfff0;
	u32 i;

	if (late->nr > (alone ? 0 : MONT_NR_LATE) || late->pad)
		return false;
	for (i = 0; i < MONT_NR_LATE; i++) {
		const struct mont_late_count *c = &late->count[i];

		if (((c->own | c->own_front | c->other | c->other_front) & ~counters) ||
		    (i < late->nr ? i && c->at < c[-1].at
				  : c->at || c->line || c->own || c->own_front || c->other ||
					    c->other_front))
			return false;
	}
	return true;
}
