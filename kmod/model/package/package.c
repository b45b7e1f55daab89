// SPDX-License-Identifier: GPL-2.0-only
/*
 * A package: configuration, reset, and runs within budgets (manual 2.1.2; SDM volume 2, 11.2).
 */
#include "package.h"
#include "bus.h"
#include "deliver.h"
#include "turns.h"
#include "../platform/devices.h"
#include "../exec/attention.h"
#include "../exec/thread.h"
#include "../pipeline/time_state.h"
#include "../pipeline/pipeline.h"
#include "../pipeline/threads.h"
#include "../arch/psr.h"
#include "../arch/registers.h"
#include "../arch/rse.h"
#include "../mmu/breakpoint.h"
#include "../memory/mem.h"
#include "../platform/map.h"
#include "../pmu/block.h"
#include "../pmu/late.h"
#include "../pmu/pmu.h"

/* A budget of work that no run uses up. */
#define MONT_WORK_LIMIT (1LL << 60)

static bool package_config_valid(const struct mont_config *cfg)
{
	return cfg->cores >= 1 && cfg->cores <= MONT_MAX_CORES && cfg->threads >= 1 &&
	       cfg->threads <= MONT_MAX_THREADS && !(cfg->flags & ~MONT_CFG_ALL) &&
	       !(cfg->memory % MONT_PAGE_SIZE) && cfg->memory >= MONT_MIN_MEMORY &&
	       cfg->memory <= MONT_MAX_MEMORY && cfg->timing <= 1;
}

/* Where in a package the groups worked out begin, in a cache line of their own. */
static size_t package_groups_offset(const struct mont_config *cfg)
{
	return (sizeof(struct mont_package) + cfg->memory / MONT_PAGE_SIZE + 63) & ~(size_t)63;
}

/* Where in a package the bus begins. */
static size_t package_bus_offset(const struct mont_config *cfg)
{
	return package_groups_offset(cfg) + sizeof(struct mont_groups);
}

/* Where what keeps the time of its cores begins, in a cache line of its own too. */
static size_t package_time_offset(const struct mont_config *cfg)
{
	return package_groups_offset(cfg) + mont_timed_package_size();
}

size_t mont_package_size(const struct mont_config *cfg)
{
	if (!package_config_valid(cfg))
		return 0;
	if (!cfg->timing)
		return package_groups_offset(cfg);
	return package_time_offset(cfg) + cfg->cores * sizeof(struct mont_time);
}

size_t mont_timed_core_size(void)
{
	return sizeof(struct mont_time);
}

size_t mont_timed_package_size(void)
{
	return (sizeof(struct mont_groups) + sizeof(struct mont_bus) + 63) & ~(size_t)63;
}

/* The caches of core @i reach the bus. */
static void package_connect_core(struct mont_package *pkg, u32 i)
{
	struct mont_core *core = &pkg->core[i];

	core->time = (struct mont_time *)((u8 *)pkg + package_time_offset(&pkg->cfg)) + i;
	mont_time_init(core, pkg->cfg.threads);
	mont_bus_connect(pkg->bus, &core->time->s.h, i);
}

int mont_package_init(struct mont_package *pkg, const struct mont_config *cfg,
		      const struct mont_region *region, u32 nr)
{
	unsigned int i;

	if (!package_config_valid(cfg))
		return MONT_EINVAL;
	pkg->cfg = *cfg;
	if (mont_phys_init(pkg, region, nr))
		return MONT_EINVAL;
	pkg->nr_vcpus = cfg->cores * cfg->threads;
	mont_turns_reset(&pkg->s.turns);
	pkg->s.io_block = MONT_IO_BLOCK;
	for (i = 0; i < cfg->cores; i++)
		mont_tlb_index(&pkg->core[i]);
	pkg->work.attn = &pkg->thread[0].attn;
	for (i = 0; i < pkg->nr_vcpus; i++) {
		pkg->thread[i].pkg = pkg;
		pkg->thread[i].work = &pkg->work;
		pkg->thread[i].index = i;
		pkg->thread[i].number = i % cfg->threads;
		pkg->thread[i].core = &pkg->core[i / cfg->threads];
		pkg->thread[i].core->thread[i % cfg->threads] = &pkg->thread[i];
		mont_thread_reset(&pkg->thread[i]);
		pkg->thread[i].until = MONT_UNTIL_NONE;
	}
	if (cfg->timing) {
		pkg->groups = (void *)((u8 *)pkg + package_groups_offset(cfg));
		pkg->bus = (void *)((u8 *)pkg + package_bus_offset(cfg));
		for (i = 0; i < cfg->cores; i++)
			package_connect_core(pkg, i);
		pkg->timing = &pkg->core[0].time->s.h.timing;
		pkg->inbox = mont_bus_inbox(pkg->bus);
	}
	return 0;
}

struct mont_thread *mont_vcpu(struct mont_package *pkg, unsigned int index)
{
	return index < pkg->nr_vcpus ? &pkg->thread[mont_nospec(index, pkg->nr_vcpus)] : NULL;
}

static void package_totals(const struct mont_package *pkg, u64 *insns, u64 *cycles)
{
	unsigned int i;

	*insns = 0;
	*cycles = 0;
	for (i = 0; i < pkg->nr_vcpus; i++)
		*insns += pkg->thread[i].s.insns;
	for (i = 0; i < pkg->cfg.cores; i++)
		if (pkg->core[i].s.clock > *cycles)
			*cycles = pkg->core[i].s.clock;
}

u64 mont_work_max(const struct mont_package *pkg)
{
	return pkg->work_max;
}

static s64 package_work_budget(const struct mont_budget *budget)
{
	if (!budget->work)
		return MONT_WORK_DEFAULT;
	return budget->work > MONT_WORK_LIMIT ? MONT_WORK_LIMIT : budget->work;
}

/* All of it at once, unless there is a host to ask. */
static void package_work_begin(struct mont_work *work, const struct mont_budget *budget, s64 left)
{
	u64 every = budget->every ? budget->every : MONT_WORK_EVERY;

	if (!budget->stop || every > (u64)left)
		every = left;
	work->left = every;
	work->rest = left - every;
	work->every = every;
	work->stop = budget->stop;
	work->host = budget->host;
	work->stopped = false;
}

/* The threads of the timed core @core, of which @front goes on, keep no time: nothing is to come. */
static void package_leave_time(struct mont_package *pkg, struct mont_core *core, u8 *front)
{
	if (pkg->cfg.threads > 1) {
		/* A switch that has begun is over. */
		if (core->time->s.threads.fetches) {
			*front ^= 1;
			mont_threads_enter(core->thread[*front]);
		}
		mont_late_settle(core->thread[*front]);
	}
	mont_time_leave(core->thread[*front]);
}

/* Switch the keeping of time on or off for all cores. */
static void package_keep_time(struct mont_package *pkg, bool keep)
{
	u32 i;

	if (!pkg->timing || keep == !!pkg->thread[0].time)
		return;
	/* Code may have changed while no time was kept. */
	if (keep)
		mont_groups_forget_all(pkg->groups);
	for (i = 0; i < pkg->cfg.cores && !keep; i++)
		package_leave_time(pkg, &pkg->core[i], &pkg->s.turns.front[i]);
	if (!keep && mont_bus_is_shared(pkg->bus)) {
		mont_tally_settle(pkg, &pkg->bus->tally);
		for (i = 0; i < pkg->cfg.cores; i++) {
			mont_inbox_deliver(pkg, i, ~0ULL);
			mont_arrivals_deliver(pkg, i, ~0ULL);
		}
		pkg->s.turns.alone = 0;
	}
	pkg->s.turns.untimed = !keep;
	for (i = 0; i < pkg->nr_vcpus; i++)
		mont_signals_fold(&pkg->thread[i]);
	for (i = 0; i < pkg->nr_vcpus; i++)
		mont_time_keep(&pkg->thread[i], keep ? pkg->thread[i].core->time : NULL);
	mont_package_sync_derived(pkg);
}

/* Decoded bundles at @until's place in their page: they are to be decoded anew. */
static void package_forget_decoded(struct mont_package *pkg, u64 until)
{
	u32 i;

	if (until == MONT_UNTIL_NONE)
		return;
	for (i = until / 16 % MONT_PAGE_BUNDLES; i < MONT_NR_BUNDLES; i += MONT_PAGE_BUNDLES)
		mont_bundle_forget(pkg, &pkg->bundle[i]);
}

/* Let the threads come back at @until, or MONT_UNTIL_NONE. */
static void package_set_until(struct mont_package *pkg, u64 until)
{
	u32 i;

	if (pkg->thread[0].until != until) {
		package_forget_decoded(pkg, pkg->thread[0].until);
		package_forget_decoded(pkg, until);
	}
	for (i = 0; i < pkg->nr_vcpus; i++) {
		struct mont_thread *t = &pkg->thread[i];

		t->until = until;
		t->until_from = t->s.ip == until && !t->s.slot ? t->s.insns : ~0ULL;
	}
}

static bool package_is_at_until(struct mont_package *pkg)
{
	u32 i;

	for (i = 0; i < pkg->nr_vcpus; i++)
		if (pkg->thread[i].s.ip == pkg->thread[i].until && mont_until(&pkg->thread[i]))
			return true;
	return false;
}

/* Let the vcpu that is to step do so, and no other. */
static void package_set_step(struct mont_package *pkg, const struct mont_budget *budget)
{
	u32 i;

	for (i = 0; i < pkg->nr_vcpus; i++)
		pkg->thread[i].steps = (budget->flags & MONT_RUN_STEP) && i == budget->step_vcpu;
}

/* Report blocks that wanted the run to end when it ended for another reason. */
static void package_stop_blocks(struct mont_package *pkg)
{
	u32 i;

	for (i = 0; i < pkg->nr_vcpus; i++)
		if (unlikely(pkg->thread[i].pmu.obs.stops))
			mont_blocks_exit(&pkg->thread[i]);
}

/* Cycles of vcpu @i, which it was awake in. */
static u64 package_awake_cycles(const struct mont_package *pkg, u32 i)
{
	return pkg->thread[i].s.cycles - pkg->thread[i].s.halted_cycles;
}

/* A run without time has ended; @awake0: package_awake_cycles() when it began, by vcpu. */
static void package_end_functional(struct mont_package *pkg, const u64 *awake0)
{
	u32 i;

	for (i = 0; i < pkg->nr_vcpus; i++)
		pkg->thread[i].own.s.functional += package_awake_cycles(pkg, i) - awake0[i];
	/* A state that is saved now may be loaded and run with time. */
	for (i = 0; i < pkg->cfg.cores && pkg->cfg.threads > 1; i++)
		mont_threads_come_back(pkg->core[i].thread[pkg->s.turns.front[i]]);
}

void mont_run(struct mont_package *pkg, const struct mont_budget *budget, struct mont_exit *exit)
{
	u64 insns0, cycles0, insns1, cycles1, spent, awake0[MONT_MAX_VCPUS];
	s64 work = package_work_budget(budget);
	u32 v;

	__builtin_memset(exit, 0, sizeof(*exit));
	pkg->exit = exit;
	if (mont_mmio_waits(pkg) || mont_console_full(pkg)) {
		pkg->exit = NULL;
		return;
	}
	for (v = 0; v < pkg->nr_vcpus; v++)
		awake0[v] = package_awake_cycles(pkg, v);
	package_work_begin(&pkg->work, budget, work);
	package_keep_time(pkg, !(budget->flags & MONT_RUN_FUNCTIONAL));
	package_set_until(pkg, budget->flags & MONT_RUN_UNTIL ? budget->until : MONT_UNTIL_NONE);
	mont_breakpoints_set(pkg, budget->breakpoints, budget->nr_breakpoints);
	package_set_step(pkg, budget);
	package_totals(pkg, &insns0, &cycles0);
	package_stop_blocks(pkg);
	for (;;) {
		u64 i = ~0ULL >> 2, c = ~0ULL >> 2;

		package_totals(pkg, &insns1, &cycles1);
		exit->insns = insns1 - insns0;
		exit->cycles = cycles1 - cycles0;
		if (pkg->broken) {
			exit->reason = MONT_EXIT_BROKEN;
			break;
		}
		if (exit->reason || package_is_at_until(pkg))
			break;
		if (budget->insns)
			i = budget->insns > exit->insns ? budget->insns - exit->insns : 0;
		if (budget->cycles)
			c = budget->cycles > exit->cycles ? budget->cycles - exit->cycles : 0;
		/* The clock runs no further: its end is a number. */
		if (c > ~0ULL >> 2)
			c = ~0ULL >> 2;
		if (!i || !c) {
			exit->reason = MONT_EXIT_BUDGET;
			break;
		}
		if (!mont_turns_possible(pkg)) {
			exit->reason = MONT_EXIT_HALT;
			break;
		}
		if (!mont_work_goes_on(&pkg->work)) {
			exit->reason = MONT_EXIT_WORK;
			break;
		}
		mont_turns_take(pkg, c, i);
	}
	if (pkg->timing && !pkg->thread[0].time)
		package_end_functional(pkg, awake0);
	spent = work - pkg->work.left - pkg->work.rest;
	exit->work = spent;
	if (spent > pkg->work_max)
		pkg->work_max = spent;
	/* The host is not there between two runs. */
	pkg->work.rest = 0;
	pkg->work.stop = NULL;
	pkg->exit = NULL;
}
