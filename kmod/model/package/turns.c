// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns of cores and threads (manual 2.4 and 2.5): each core in turn runs one of its threads for
 * MONT_TURN cycles of its clock, so that clocks stay in step. The threads of a core that are
 * awake take its turns one after the other; a halted one has none.
 */
#include "turns.h"
#include "bus.h"
#include "deliver.h"
#include "../platform/interrupts.h"
#include "../event/raise.h"
#include "../exec/attention.h"
#include "../exec/functional.h"
#include "../pipeline/timed.h"
#include "../pipeline/reference.h"
#include "../pipeline/threads.h"
#include "../pmu/late.h"
#include "../pmu/pmu.h"

/*
 * The clocks of two cores are never as far apart. Without windows a core that is less than a turn ahead
 * may have another turn (turns_core_next()); with windows they are in the same one.
 */
#define TURNS_APART (3 * MONT_TURN)

_Static_assert(2 * MONT_TURN <= TURNS_APART &&
		       1 + MONT_MOST_request + MONT_MOST_snoop <= TURNS_APART,
	       "a turn behind less than another, and mont_bus_reach()");

void mont_turns_reset(struct mont_turns *turns)
{
	*turns = (struct mont_turns){ .end = MONT_TURN };
}

bool mont_turns_clocks_valid(const struct mont_turns *turns, u64 clock, u64 other)
{
	/* Alone a core brings the clock of the other one along. */
	return turns->alone ? clock == other
			    : clock - other + (TURNS_APART - 1) < 2 * TURNS_APART - 1;
}

bool mont_turns_valid(const struct mont_package *pkg, const struct mont_turns *turns)
{
	u32 i;

	for (i = 0; i < MONT_MAX_CORES; i++)
		if (turns->front[i] >= (i < pkg->cfg.cores ? pkg->cfg.threads : 1))
			return false;
	/* Any end is valid: one that is not ahead of the clock has passed. */
	return turns->core < pkg->cfg.cores && turns->untimed <= pkg->cfg.timing &&
	       turns->alone <= (pkg->cfg.cores > 1);
}

/* Cycles until something could wake a halted @t; 0 for never. */
static u64 turns_cycles_to_wake(const struct mont_thread *t)
{
	return t->s.cr.itv & MONT_IV_MASKED ? 0 : mont_itm_distance(t);
}

bool mont_turns_possible(const struct mont_package *pkg)
{
	unsigned int i;

	for (i = 0; i < pkg->nr_vcpus; i++)
		if (!pkg->thread[i].s.halted || turns_cycles_to_wake(&pkg->thread[i]))
			return true;
	return pkg->inbox &&
	       (mont_inbox_can_wake(&pkg->inbox[0]) || mont_inbox_can_wake(&pkg->inbox[1]));
}

/* Halted cycles, at most @n, that pass together: no counter of them overflows before. */
static u64 turns_halted_at_once(const struct mont_thread *t, u64 n)
{
	s64 left = t->countdown[0][MONT_SIG_HALTED].left;

	return t->time && (u64)left < n ? (u64)left + 1 : n;
}

/* @n cycles pass in which @t, in front, is halted. No counter of them overflows before the last. */
static void turns_halted_pass(struct mont_thread *t, u64 n)
{
	t->clock += n;
	/* HALTED is a signal of the timing model: no cycle is counted where no time is kept. */
	if (t->time)
		mont_signal_n(t, MONT_SIG_HALTED, n, 0);
	t->s.halted_cycles += n;
	if (t->attn & MONT_ATTN_GROUP)
		mont_group_end(t);
	mont_work(t, 1);
}

/*
 * All threads of @core are halted: at most @cycles pass, up to the first timer that can wake one.
 * They belong to @t, which has been in front last. An overflow takes effect in its own cycle.
 */
static void turns_sleep_for(const struct mont_core *core, struct mont_thread *t, u64 cycles)
{
	u64 left = cycles;
	u32 i;

	for (i = 0; i < t->pkg->cfg.threads; i++) {
		u64 wake = turns_cycles_to_wake(core->thread[i]);

		if (wake && wake < left)
			left = wake;
	}
	while (left && !t->s.pmu_irq && mont_work_goes_on(t->work)) {
		u64 n = turns_halted_at_once(t, left);

		turns_halted_pass(t, n);
		left -= n;
	}
	if (!mont_itm_distance(t))
		mont_itm_match(t);
}

/* @passed cycles of its core's clock have passed for @behind, which is behind another thread. */
static void turns_pass_behind(struct mont_thread *behind, u64 passed)
{
	u64 timer = mont_itm_distance(behind);

	behind->clock += passed;
	behind->others += passed;
	if (behind->s.halted && behind->time)
		mont_signal_n(behind, MONT_SIG_HALTED, passed, 0);
	if (timer && timer <= passed)
		mont_itm_match(behind);
}

/* @t, in front, has moved its core's clock: it has passed for the thread behind it too. */
static void turns_clock_move(struct mont_thread *t)
{
	struct mont_core *core = t->core;
	u64 passed = t->clock - core->s.clock;

	core->s.clock = t->clock;
	t->s.cycles = mont_thread_cycles(t);
	if (t->pkg->cfg.threads > 1)
		turns_pass_behind(core->thread[t->number ^ 1], passed);
}

/* Let halted threads of @core see an overflow: it may wake them, or be the host's. */
static void turns_attend_halted(struct mont_package *pkg, const struct mont_core *core)
{
	u32 i;

	for (i = 0; i < pkg->cfg.threads; i++) {
		struct mont_thread *t = core->thread[i];

		if (t->s.halted && t->s.pmu_irq && !pkg->exit->reason)
			(void)mont_attend(t);
	}
}

/* Bring the next thread of @core that is awake to the front; if none is, none moves. */
static void turns_bring_forward(struct mont_package *pkg, u32 core)
{
	u32 threads = pkg->cfg.threads, front = pkg->s.turns.front[core], i;

	for (i = 1; i < threads; i++) {
		u32 next = (front + i) % threads;

		if (!pkg->core[core].thread[next]->s.halted) {
			pkg->s.turns.front[core] = next;
			return;
		}
	}
}

/* True if cores keep time, and run in windows of it. */
static bool turns_are_windows(const struct mont_package *pkg)
{
	return pkg->thread[0].time && pkg->cfg.cores > 1;
}

/* True if @core sleeps: all of its threads are halted. */
static bool turns_core_sleeps(const struct mont_package *pkg, const struct mont_core *core)
{
	u32 i;

	for (i = 0; i < pkg->cfg.threads; i++)
		if (!core->thread[i]->s.halted)
			return false;
	return true;
}

/* The first cycle in which something may happen to @core, which sleeps; 0 for never. */
static u64 turns_wakes(const struct mont_package *pkg, const struct mont_core *core)
{
	u64 first = pkg->inbox[core == &pkg->core[1]].next;
	u32 i;

	for (i = 0; i < pkg->cfg.threads; i++) {
		u64 wake = turns_cycles_to_wake(core->thread[i]);

		if (wake && (!first || core->s.clock + wake < first))
			first = core->s.clock + wake;
	}
	return first;
}

/* Cycles up to the window in which something may happen to the other core; that sleeps. */
static u64 turns_alone_left(const struct mont_package *pkg, const struct mont_core *core)
{
	const struct mont_core *other = &pkg->core[core == pkg->core];
	u64 wakes = turns_wakes(pkg, other), window = mont_bus_reach(pkg->timing);
	u64 left = wakes ? wakes - wakes % window - core->s.clock : ~0ULL >> 2;
	u32 i;

	/* The other core may wake in the window that has begun. */
	if (left > ~0ULL >> 2)
		return 0;
	for (i = 0; i < pkg->cfg.threads; i++)
		left = turns_halted_at_once(other->thread[i], left);
	return left;
}

/* Cycles until the turn of @core ends, which need not have begun. */
static u64 turns_left(const struct mont_package *pkg, const struct mont_core *core)
{
	u64 left = pkg->s.turns.end - core->s.clock;
	u64 most = turns_are_windows(pkg) ? mont_bus_reach(pkg->timing) : MONT_TURN;

	return left <= most ? left : 0;
}

/* Tell both cores of lines that have come before cycle @clock: no snoop of one is still to come. */
static void turns_tell_arrivals(struct mont_package *pkg, u64 clock)
{
	u32 i;

	for (i = 0; i < pkg->cfg.cores; i++) {
		u64 next = pkg->bus->arrivals[i].next;

		if (!next || next > clock)
			continue;
		mont_arrivals_deliver(pkg, i, clock);
		turns_attend_halted(pkg, &pkg->core[i]);
	}
}

/*
 * Both cores have come to cycle @clock, where a window begins. Where one of them sleeps, and will in
 * all of that window, the other has no use for windows, whatever is on its way for the first.
 */
static void turns_begin_alone(struct mont_package *pkg, u64 clock)
{
	struct mont_turns *turns = &pkg->s.turns;
	u32 other, last = turns->core;

	if (turns_core_sleeps(pkg, &pkg->core[last]))
		turns->core ^= 1;
	other = !turns->core;
	if (pkg->core[0].s.clock == pkg->core[1].s.clock &&
	    turns_core_sleeps(pkg, &pkg->core[other]) &&
	    mont_bus_is_quiet(pkg->bus, other, clock) &&
	    turns_alone_left(pkg, &pkg->core[turns->core]) >= mont_bus_reach(pkg->timing)) {
		turns->alone = 1;
		/* Where there are no windows lines count as they are asked for. */
		turns_tell_arrivals(pkg, ~0ULL);
	} else {
		turns->core = last;
	}
}

/*
 * The next turn is that of the core that is behind. Where none is, a window begins with the core
 * that has had the last turn, so that each core is the first in every other one. Translations
 * that it has purged are gone from the L1 TLBs of the other core before that goes on.
 */
static void turns_next_window(struct mont_package *pkg)
{
	u64 window = mont_bus_reach(pkg->timing), clock, end;
	struct mont_turns *turns = &pkg->s.turns;
	u32 i;

	for (i = 0; i < pkg->cfg.cores; i++) {
		mont_lsu_drain(pkg->core[i].thread[turns->front[i]]);
		mont_bus_go_on(&pkg->core[i].time->s.h, pkg->core[i].s.clock - 1);
		if (pkg->core[i].s.clock < pkg->core[turns->core].s.clock)
			turns->core = i;
	}
	clock = pkg->core[turns->core].s.clock;
	end = clock - clock % window + window;
	if (end == turns->end)
		return;
	turns->end = end;
	mont_tally_tell(pkg, &pkg->bus->tally, clock);
	turns_tell_arrivals(pkg, clock);
	turns_begin_alone(pkg, clock);
}

/* Both cores have windows from now on. */
static void turns_end_alone(struct mont_package *pkg)
{
	u64 window = mont_bus_reach(pkg->timing), clock = pkg->core[pkg->s.turns.core].s.clock;

	pkg->s.turns.alone = 0;
	pkg->s.turns.end = clock - clock % window + window;
}

/* The other core, which sleeps, comes to the clock of core @core, which is alone awake. */
static void turns_catch_up(struct mont_package *pkg, u32 core)
{
	struct mont_core *other = &pkg->core[!core];
	struct mont_thread *t = other->thread[pkg->s.turns.front[!core]];
	u64 passed = pkg->core[core].s.clock - other->s.clock;

	turns_halted_pass(t, passed);
	/* The window in which the timer matches may begin in that very cycle. */
	if (!mont_itm_distance(t))
		mont_itm_match(t);
	turns_clock_move(t);
	turns_attend_halted(pkg, other);
}

/*
 * The core that has the next turn behind @core, where there are no windows. Runs with and without time
 * may have left the other one a turn ahead: it waits.
 */
static u32 turns_core_next(const struct mont_package *pkg, u32 core)
{
	u32 other = (core + 1) % pkg->cfg.cores;
	s64 ahead = pkg->core[other].s.clock - pkg->core[core].s.clock;

	return ahead >= MONT_TURN ? core : other;
}

static void turns_next(struct mont_package *pkg)
{
	struct mont_turns *turns = &pkg->s.turns;

	if (turns_are_windows(pkg)) {
		turns_next_window(pkg);
		return;
	}
	turns->core = turns_core_next(pkg, turns->core);
	turns->end = pkg->core[turns->core].s.clock + MONT_TURN;
	turns_bring_forward(pkg, turns->core);
}

/*
 * The threads of @core share its pipeline: @t, in front, runs for at most @cycles cycles, up to
 * the next event that can switch, or what is left of a switch passes. Return: the thread that
 * has been in front.
 */
static struct mont_thread *turns_share_core(struct mont_package *pkg, u32 core, u64 cycles,
					    u64 insns)
{
	struct mont_core *c = &pkg->core[core];
	u8 *front = &pkg->s.turns.front[core];
	struct mont_thread *t = c->thread[*front], *other = c->thread[*front ^ 1];
	struct mont_threads *s = &c->time->s.threads;
	u64 timer = mont_itm_distance(other), late = mont_late_next(t);

	if (s->fetches && t->clock >= s->fetches) {
		*front ^= 1;
		mont_threads_enter(other);
		return other;
	}
	pkg->work.attn = &t->attn;
	/* A timer of the thread behind matches in its own cycle. */
	if (timer && cycles > timer)
		cycles = timer;
	/* An overflow of a halted thread, and a count that is to come, end it as well. */
	if (other->s.halted)
		cycles = turns_halted_at_once(other, cycles);
	if (late - t->clock < cycles)
		cycles = late - t->clock;
	if (s->fetches) {
		(void)mont_threads_pass(t, t->clock + cycles);
		return t;
	}
	if (t->clock >= s->next || t->own.s.paused || (t->s.halted && !other->s.halted)) {
		mont_threads_look(t, other);
		if (s->fetches)
			return t;
	}
	/* Events of the L3 come in their own cycle in low power as well. */
	if (t->s.halted && s->next - t->clock < cycles)
		cycles = s->next - t->clock;
	if (t->s.halted)
		turns_sleep_for(c, t, cycles);
	else
		(void)mont_timed_run(t, cycles, insns);
	return t;
}

/*
 * Cycles, at most @cycles, up to the end of the turn of core @core, and up to what arrives there by
 * the bus, which takes effect before the core goes on.
 */
static u64 turns_limit(struct mont_package *pkg, u32 core, u64 cycles)
{
	const struct mont_core *c = &pkg->core[core], *other = &pkg->core[!core];
	u64 left;

	if (pkg->s.turns.alone && (!turns_core_sleeps(pkg, other) || !turns_alone_left(pkg, c)))
		turns_end_alone(pkg);
	left = pkg->s.turns.alone ? turns_alone_left(pkg, c) : turns_left(pkg, c);
	if (pkg->inbox) {
		const struct mont_inbox *q = &pkg->inbox[core];

		if (unlikely(q->next && q->next <= c->s.clock))
			mont_inbox_deliver(pkg, core, c->s.clock);
		if (unlikely(q->next && q->next - c->s.clock < left))
			left = q->next - c->s.clock;
	}
	return cycles < left ? cycles : left;
}

/* The turn of core @core, or a part of it, has passed. */
static void turns_end(struct mont_package *pkg, u32 core, const struct mont_thread *t)
{
	if (pkg->s.turns.alone)
		turns_catch_up(pkg, core);
	else if (!turns_left(pkg, &pkg->core[core]) && !t->inside)
		turns_next(pkg);
}

/* Run one turn, or the rest of one, within @cycles and @insns. */
static void turns_take_one(struct mont_package *pkg, u64 cycles, u64 insns)
{
	struct mont_turns *turns = &pkg->s.turns;
	struct mont_core *core = &pkg->core[turns->core];
	struct mont_thread *t = core->thread[turns->front[turns->core]];

	/* Without time vcpus take turns, with it cores do. */
	if ((t->time ? pkg->cfg.cores : pkg->nr_vcpus) > 1)
		cycles = turns_limit(pkg, turns->core, cycles);
	if (t->time && pkg->cfg.threads > 1) {
		t = turns_share_core(pkg, turns->core, cycles, insns);
		mont_late_pass(t, &pkg->bus->port[turns->core].arbiter.put_off);
		if (!(pkg->cfg.flags & MONT_CFG_HOST_PMU) && !t->s.halted)
			mont_irq_collect(t);
		turns_clock_move(t);
		/* An overflow of a halted thread, or of a count that has come. */
		if (t->pmu.over || core->thread[t->number ^ 1]->pmu.over)
			mont_group_end(t);
		turns_attend_halted(pkg, core);
		mont_work(t, MONT_WORK_TURN);
		if (pkg->cfg.cores > 1)
			turns_end(pkg, turns->core, t);
		return;
	}
	if (t->s.halted) {
		turns_bring_forward(pkg, turns->core);
		t = core->thread[turns->front[turns->core]];
	}
	pkg->work.attn = &t->attn;
	if (t->s.halted) {
		turns_sleep_for(core, t, cycles);
	} else {
		if (t->time)
			(void)mont_timed_run(t, cycles, insns);
		else
			(void)mont_functional_run(t, cycles, insns);
		/* An overflow in the last cycle is delivered by the PMV of that cycle. */
		if (!(pkg->cfg.flags & MONT_CFG_HOST_PMU))
			mont_irq_collect(t);
	}
	turns_clock_move(t);
	turns_attend_halted(pkg, core);
	mont_work(t, MONT_WORK_TURN);
	if (pkg->nr_vcpus > 1)
		turns_end(pkg, turns->core, t);
}

/* Turns, at most, that nothing but what they do themselves can end. */
#define TURNS_TOGETHER 64
/* Instructions that a core can retire in a cycle. */
#define TURNS_ISSUE 6

/* The number of turns that together pass no more than @cycles and retire no more than @insns. */
static u32 turns_within(const struct mont_package *pkg, u64 cycles, u64 insns)
{
	u64 most;

	/* Alone a core has turns of any length. Where the run is to end is looked at behind each. */
	if (!turns_are_windows(pkg) || pkg->s.turns.alone ||
	    pkg->thread[0].until != MONT_UNTIL_NONE)
		return 1;
	most = TURNS_TOGETHER * mont_bus_reach(pkg->timing);
	return cycles > most && insns > TURNS_ISSUE * most ? TURNS_TOGETHER : 1;
}

/* True if another turn may follow at once: the run goes on, and in windows. */
static bool turns_go_on(struct mont_package *pkg)
{
	return !pkg->exit->reason && !pkg->broken && !pkg->s.turns.alone &&
	       mont_turns_possible(pkg) && mont_work_goes_on(&pkg->work);
}

void mont_turns_take(struct mont_package *pkg, u64 cycles, u64 insns)
{
	u32 left = turns_within(pkg, cycles, insns);

	do {
		turns_take_one(pkg, cycles, insns);
	} while (--left && turns_go_on(pkg));
}
