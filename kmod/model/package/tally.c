// SPDX-License-Identifier: GPL-2.0-only
/*
 * The view that counters have of a bus that two cores share (manual 4.2.1 and 4.11).
 *
 * A core that counts what the other one does cannot count it in its cycle: that may lie behind
 * the cycle that the other one has come to. As a window begins both have come to its first
 * cycle, and everything before it is known.
 */
#include "tally.h"
#include "package.h"
#include "../event/raise.h"
#include "../platform/interrupts.h"
#include "../pmu/pmu.h"

/*
 * The most occurrences of one kind that a window can have: four in each cycle of the longest one,
 * of 2001 (timing.def: bus.request and bus.snoop).
 */
#define TALLY_MOST (4 * 2001)

enum splits { STATE, NUMBER };

static const struct {
	u16 signal;
	u8 splits;
} queues[MONT_NR_TALLY] = {
#define MONT_TALLY(name, splits, most, meaning) \
	[MONT_TALLY_##name] = { MONT_SIG_EITHER_LIVE_##name, splits },
#include "tally.def"
#undef MONT_TALLY
};

_Static_assert(MONT_NR_SIGNALS_OF(EITHER_SENT) == MONT_NR_SENT &&
		       MONT_NR_SIGNALS_OF(SNOOPED) == MONT_NR_SNOOPED &&
		       MONT_NR_SIGNALS_OF(EITHER_SNOOPED) == MONT_NR_SNOOPED,
	       "what is seen has a signal each");

void mont_tally_send(struct mont_tally *tally, u32 sent)
{
	for (; sent; sent &= sent - 1) {
		tally->sent[__builtin_ctz(sent)]++;
		tally->nr++;
	}
}

void mont_tally_snoop(struct mont_tally *tally, u32 core, u32 found)
{
	for (; found; found &= found - 1) {
		tally->snooped[core][__builtin_ctz(found)]++;
		tally->nr++;
	}
}

/* @number of a queue have been in use in each of @cycles. */
static void tally_signal_number(struct mont_thread *t, enum mont_signal sig, u64 number, u64 cycles)
{
	mont_signal_n(t, sig, number % 8 * cycles, cycles);
	mont_signal_n(t, sig + 1, number / 8 * cycles, cycles);
}

/* The numbers of @o have been as they are for @cycles: tell @t, of core @core. */
static void tally_signal_live(struct mont_thread *t, u32 core, const struct mont_occupancy *o,
			      u64 cycles)
{
	u32 i;

	for (i = 0; i < MONT_NR_TALLY; i++) {
		if (queues[i].splits == NUMBER)
			tally_signal_number(t, queues[i].signal, o->number[i], cycles);
		else if (o->number[i])
			mont_signal_n(t, queues[i].signal, cycles, cycles);
	}
	tally_signal_number(t, MONT_SIG_LIVE_SNOOPQ, o->number[MONT_TALLY_SNOOPQ + core], cycles);
	tally_signal_number(t, MONT_SIG_LIVE_SCB, o->number[MONT_TALLY_OWN_SCB + core], cycles);
	if (o->number[MONT_TALLY_OWN_STALL + core])
		mont_signal_n(t, MONT_SIG_LIVE_SNOOP_STALL, cycles, cycles);
}

/*
 * @n of @sig, in as many of the cycles that have passed, *@told of which have had others of the
 * same event: no threshold takes them together.
 */
static void tally_signal(struct mont_thread *t, enum mont_signal sig, u64 n, u64 *told)
{
	u64 at = t->clock - *told;

	*told += n;
	/* No subscriber has to look at any of them. */
	if (likely(t->sig[sig].left >= (s64)n)) {
		t->sig[sig].left -= n;
		return;
	}
	mont_work(t, MONT_WORK_OCCURRED * n);
	for (; n; n--)
		mont_signal_at(t, sig, 0, at - n + 1);
}

/* The thread of @core that is told; NULL: all of them are in low power (3.3.12). */
static struct mont_thread *tally_listener(struct mont_package *pkg, u32 core)
{
	struct mont_thread *t = pkg->core[core].thread[pkg->s.turns.front[core]];

	return t->s.halted ? NULL : t;
}

static void tally_tell_snooped(struct mont_thread *t, u32 core, const struct mont_tally *tally)
{
	u64 own = 0, either = 0;
	u32 i, both;

	for (i = 0; i < MONT_NR_SNOOPED; i++) {
		/* One answer a snoop; what a snoop does besides is no answer. */
		if (i > MONT_SNOOPED_AT_HITM) {
			own = 0;
			either = 0;
		}
		both = tally->snooped[0][i] + tally->snooped[1][i];
		tally_signal(t, MONT_SIG_SNOOPED_FIRST + i, tally->snooped[core][i], &own);
		tally_signal(t, MONT_SIG_EITHER_SNOOPED_FIRST + i, both, &either);
	}
}

static void tally_tell_counts(struct mont_thread *t, u32 core, const struct mont_tally *tally)
{
	u64 told = 0;
	u32 i;

	for (i = 0; i < MONT_NR_SENT; i++) {
		/* Transactions, those that collide in the in-order queue, and answers to snoops */
		if (i == MONT_SENT_AT_BUS_READ_IO || i == MONT_SENT_AT_IOQ_COLLIDED ||
		    i == MONT_SENT_AT_BUS_READ_HIT)
			told = 0;
		tally_signal(t, MONT_SIG_EITHER_SENT_FIRST + i, tally->sent[i], &told);
	}
	tally_tell_snooped(t, core, tally);
}

void mont_tally_tell_snoops(struct mont_thread *t, struct mont_tally *tally)
{
	if (!tally->nr)
		return;
	if (unlikely(t->pmu.tallied))
		tally_tell_snooped(t, t->core == &t->pkg->core[1], tally);
	__builtin_memset(tally->snooped, 0, sizeof(tally->snooped));
	tally->nr = 0;
}

static void tally_tell_live(struct mont_thread *listener[MONT_MAX_CORES], struct mont_occupancy *o,
			    u64 upto)
{
	bool live[MONT_MAX_CORES];
	u32 i;

	if (!mont_occupied(o))
		return;
	if (!mont_occupied_now(o) && o->upto < upto)
		o->upto = mont_occupancy_at(o) < upto ? mont_occupancy_at(o) : upto;
	for (i = 0; i < MONT_MAX_CORES; i++)
		live[i] = listener[i] && listener[i]->pmu.live;
	if (likely(!live[0] && !live[1]) && o->upto < upto)
		mont_occupancy_pass(o, upto);
	while (o->upto < upto && mont_occupied(o)) {
		u64 cycles = mont_occupancy_next(o, upto);

		for (i = 0; cycles && i < MONT_MAX_CORES; i++)
			if (live[i])
				tally_signal_live(listener[i], i, o, cycles);
	}
	if (!mont_occupied(o))
		o->upto = 0;
}

void mont_tally_tell_queues(struct mont_thread *t, struct mont_tally *tally, u64 upto)
{
	struct mont_thread *listener[MONT_MAX_CORES] = { NULL };

	listener[t->core == &t->pkg->core[1]] = t;
	tally_tell_live(listener, &tally->live, upto);
}

/* Tell @t, of core @core, of what has occurred; a subscriber may be due for that or for a queue. */
static void tally_tell_core(struct mont_thread *t, u32 core, const struct mont_tally *tally)
{
	if (tally->nr && unlikely(t->pmu.tallied))
		tally_tell_counts(t, core, tally);
	/* An overflow is one of this cycle. */
	if (t->attn & MONT_ATTN_GROUP) {
		mont_group_end(t);
		if (!(t->pkg->cfg.flags & MONT_CFG_HOST_PMU))
			mont_irq_collect(t);
	}
}

void mont_tally_tell(struct mont_package *pkg, struct mont_tally *tally, u64 upto)
{
	struct mont_thread *listener[MONT_MAX_CORES];
	u32 i;

	/* Most windows have nothing. */
	if (likely(!tally->nr && !mont_occupied(&tally->live)))
		return;
	for (i = 0; i < MONT_MAX_CORES; i++)
		listener[i] = tally_listener(pkg, i);
	tally_tell_live(listener, &tally->live, upto);
	for (i = 0; i < MONT_MAX_CORES; i++)
		if (listener[i])
			tally_tell_core(listener[i], i, tally);
	if (!tally->nr)
		return;
	__builtin_memset(tally->sent, 0, sizeof(tally->sent));
	__builtin_memset(tally->snooped, 0, sizeof(tally->snooped));
	tally->nr = 0;
}

void mont_tally_settle(struct mont_package *pkg, struct mont_tally *tally)
{
	mont_tally_tell(pkg, tally, ~0ULL);
}

bool mont_tally_valid(const struct mont_tally *tally)
{
	u64 nr = 0;
	u32 i;

	for (i = 0; i < MONT_NR_SENT; i++) {
		if (tally->sent[i] > TALLY_MOST)
			return false;
		nr += tally->sent[i];
	}
	for (i = 0; i < MONT_NR_SNOOPED; i++) {
		if (tally->snooped[0][i] > TALLY_MOST || tally->snooped[1][i] > TALLY_MOST)
			return false;
		nr += tally->snooped[0][i] + tally->snooped[1][i];
	}
	if (nr != tally->nr)
		return false;
	return mont_occupancy_valid(&tally->live, MONT_NR_TALLY_NUMBERS);
}
