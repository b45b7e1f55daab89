// SPDX-License-Identifier: GPL-2.0-only
/*
 * An invariant that does not hold ends its machine, and nothing else: the run comes back
 * with MONT_EXIT_BROKEN, mont_broken() names the invariant, and no further run executes
 * anything. Each contradiction here is planted in the state.
 */
#include "sys_test.h"
#include "event/assert.h"
#include "pipeline/pipeline.h"

#define CYCLES 3000

static void begin(const char *name)
{
	machine(1, 0);
	at(name, 0, PHYS | MONT_PSR_UP, true);
	set_gr(14, DATA_PA);
	run_cycles(CYCLES);
	check(!mont_broken(pkg), "%s: %s", name, mont_broken(pkg));
}

/* The next run finds that the invariant which begins with @unit does not hold. */
static void ends(const char *unit)
{
	u64 insns;

	run_cycles(CYCLES);
	check(last_exit.reason == MONT_EXIT_BROKEN, "%s: reason %u", unit, last_exit.reason);
	check(mont_broken(pkg) && !strncmp(mont_broken(pkg), unit, strlen(unit)), "%s: %s", unit,
	      mont_broken(pkg) ? mont_broken(pkg) : "nothing");
	insns = cpu->s.insns;
	run_cycles(CYCLES);
	check(last_exit.reason == MONT_EXIT_BROKEN && cpu->s.insns == insns,
	      "%s: the machine goes on", unit);
	check(mont_state_hash(pkg), "%s: its state can be looked at", unit);
	/* Another machine is none the worse. */
	pkg->broken = NULL;
}

static void queues(void)
{
	begin("misses");
	cpu->time->s.h.occupancy.number[MONT_QUEUE_OZQ_FULL] = 2;
	ends("queues");
	group("more entries in use than a queue has");
}

static void caches(void)
{
	u64 s, way;

	begin("misses");
	for (s = 0; s < MONT_L2D_SETS; s++)
		for (way = 1; way < MONT_L2D_WAYS; way++)
			cpu->time->s.h.l2d.line[s][way] = cpu->time->s.h.l2d.line[s][0];
	for (s = 0; s < MONT_L3_SETS; s++)
		for (way = 1; way < MONT_L3_WAYS; way++)
			cpu->time->s.h.l3.line[s][way] = cpu->time->s.h.l3.line[s][0];
	memset(cpu->time->s.h.l1d.line, 0, sizeof(cpu->time->s.h.l1d.line));
	set_gr(14, DATA_PA);
	ends("caches");
	group("a line in two places of a cache");
}

static void causes(void)
{
	begin("spin");
	cpu->own.s.stall.spent[MONT_CAUSE_FE] += 1ULL << 40;
	ends("cycles");
	group("causes of more cycles than there were");
}

int main(void)
{
	if (TIMED) {
		queues();
		caches();
		causes();
	} else {
		begin("spin");
		mont_assert_failed(cpu, "planted");
		ends("planted");
		group("a planted contradiction");
	}
	return tap_end();
}
