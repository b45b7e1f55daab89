// SPDX-License-Identifier: GPL-2.0-only
/*
 * Types of traps that ProfileMe tells of: each instruction of a guest that makes one trap of
 * each type is profiled. What the records are to say is in the lists here.
 */
#include "profile.h"

#define TRAPS_LIST 0x2000
#define TRAPS_DONE 0x1000
#define SLICE 600
#define TRAPS_MAGIC 0x73656c75726d70ULL
#define TRAPS_MOST 1200 /* instructions that are fetched, waits for the timer among them */
#define TRAP_TYPE(s) ((s)->value[I_STAT] >> 34 & 15)
#define I_STAT_LSO (1ULL << 38)

/* The list of traps.S, in its order: type, I_STAT beside it, and whether it retires. */
static const struct trap {
	const char *name;
	uint64_t type, i_stat;
	bool retires;
} trap[] = {
	{ "a load behind an acquire", 0, 0, true },
	{ "a check of the ALAT that fails", 0, I_STAT_LSO, true },
	{ "a translation that the walker finds", 6, 0, true },
	{ "one that the VHPT lacks", 2, 0, false },
	{ "one of the VHPT itself", 3, 0, false },
	{ "disabled registers", 4, 0, false },
	{ "an unaligned reference", 5, 0, false },
	{ "a page that is not present", 7, 0, false },
	{ "an illegal operation", 8, 0, false },
	{ "a division by zero", 12, 0, false },
};

#define TRAPS (sizeof(trap) / sizeof(trap[0]))

/* Type 1: what PMPC tells of interruptions that are no instruction's own */
static const struct {
	const char *name;
	uint64_t pmpc;
} between[] = {
	{ "code that is not present", 0x481 },
	{ "code without a translation", 0x581 },
	{ "a timer", 0x681 },
};

#define BETWEEN (sizeof(between) / sizeof(between[0]))

static void trap_look(const struct sample *s, const uint64_t *list, uint32_t seen[TRAPS],
		      uint32_t other[BETWEEN], uint32_t *wrong)
{
	const uint64_t bits = I_STAT_TRP | I_STAT_MIS | I_STAT_LSO | 15ULL << 34;
	unsigned int i;

	for (i = 0; i < TRAPS; i++) {
		bool retires = s->value[PCTR_CTL] & PCTR_CTL_VAL;

		if ((s->ip | s->slot) != list[i])
			continue;
		/* On a wrong path it does nothing. */
		if (!retires && !(s->value[I_STAT] & I_STAT_TRP))
			continue;
		if ((s->value[I_STAT] & bits) ==
			    (I_STAT_TRP | trap[i].i_stat | trap[i].type << 34) &&
		    retires == trap[i].retires)
			seen[i]++;
		else
			++*wrong;
	}
	for (i = 0; i < BETWEEN; i++)
		other[i] += s->value[PMPC] == between[i].pmpc && TRAP_TYPE(s) == 1 &&
			    (s->value[I_STAT] & I_STAT_TRP) && !(s->value[PCTR_CTL] & PCTR_CTL_VAL);
}

/* Profile each instruction of traps.S. */
static void traps(void)
{
	uint32_t seen[TRAPS] = { 0 }, other[BETWEEN] = { 0 }, wrong = 0;
	bool done = true;
	uint64_t number;
	unsigned int i;

	for (number = FIRST; number < TRAPS_MOST; number += PMUS) {
		struct montecito *m = machine_boot("traps.elf", 0, MONTECITO_TIMING_ON);
		struct sample sample[PMUS] = { 0 };
		uint64_t list[TRAPS], bytes;
		const uint64_t *memory = montecito_memory(m, &bytes);
		uint32_t id[PMUS];
		int ret = montecito_ring_open(m, 0, 8, 0);

		if (ret < 0)
			die(ret, "ring");
		memcpy(list, memory + TRAPS_LIST / 8, sizeof(list));
		for (i = 0; i < PMUS; i++)
			id[i] = profile_add(m, 1, number + i);
		for (i = 0; i < 2 * TRAPS_MOST; i += SLICE) {
			struct montecito_run x;

			ret = montecito_run(m, SLICE, 0, &x);
			if (ret < 0)
				die(ret, "run");
			profile_drain(m, sample, id, NULL);
		}
		done &= memory[TRAPS_DONE / 8] == TRAPS_MAGIC;
		for (i = 0; i < PMUS; i++)
			if (sample[i].records)
				trap_look(&sample[i], list, seen, other, &wrong);
		montecito_close(m);
	}
	ok(done, "each trap comes back");
	ok(!wrong, "and is of no other type: %u are", wrong);
	for (i = 0; i < TRAPS; i++)
		ok(seen[i], "E8: trap type %u: %s", (uint32_t)trap[i].type, trap[i].name);
	for (i = 0; i < BETWEEN; i++)
		ok(other[i], "E8: trap type 1, %#x: %s", (uint32_t)between[i].pmpc,
		   between[i].name);
}

/*
 * Type 10: a machine check leaves the guest no handler. It ends the run, and the host goes on
 * behind the load.
 */
#define CHECKS_MOST 48 /* instructions that are profiled, with the load among them */

static void machine_check(void)
{
	uint32_t seen = 0, others = 0, wrong = 0, exits = 0;
	uint64_t number;
	unsigned int i;

	for (number = FIRST; number < CHECKS_MOST; number += PMUS) {
		struct montecito *m = machine_boot("machine_check.elf", 0, MONTECITO_TIMING_ON);
		struct sample sample[PMUS] = { 0 };
		struct montecito_run x, rest;
		uint32_t id[PMUS];
		int ret = montecito_ring_open(m, 0, 8, 0);

		if (ret < 0)
			die(ret, "ring");
		for (i = 0; i < PMUS; i++)
			id[i] = profile_add(m, 1, number + i);
		ret = montecito_run(m, 1000, 0, &x);
		if (ret < 0)
			die(ret, "run");
		exits += x.exit.reason == MONTECITO_EXIT_INTERRUPTION && x.exit.vector == 0xffff;
		ret = montecito_set_reg(m, 0, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP,
					x.exit.ip + 16);
		if (ret < 0)
			die(ret, "IP");
		ret = montecito_run(m, 1000, 0, &rest);
		if (ret < 0)
			die(ret, "run");
		profile_drain(m, sample, id, NULL);
		for (i = 0; i < PMUS; i++) {
			const struct sample *s = &sample[i];
			bool trapped = s->value[I_STAT] & I_STAT_TRP && TRAP_TYPE(s) == 10;

			others += s->records;
			if (!s->records || s->ip != x.exit.ip || s->slot != x.exit.slot)
				wrong += trapped;
			else if (trapped && !(s->value[PCTR_CTL] & PCTR_CTL_VAL))
				seen++;
		}
		montecito_close(m);
	}
	ok(exits == (CHECKS_MOST - FIRST + PMUS - 1) / PMUS, "a machine check ends the run");
	ok(seen == 1 && !wrong && others > seen, "E8: trap type 10: a load that nothing answers");
}

int main(int argc, char **argv)
{
	tap_args(argc, argv);
	traps();
	machine_check();
	return tap_done();
}
