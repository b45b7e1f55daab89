// SPDX-License-Identifier: GPL-2.0-only
/*
 * ProfileMe beside the trace of what the model fetches, issues and retires: each instruction that
 * is fetched in some thousands of cycles is profiled, in runs that choose one after the other.
 * What the records say follows from the trace, which looks at every cycle.
 */
#include "profile.h"

#define MOST 20000 /* instructions fetched that are profiled, one by one */
#define FEWER 1000 /* unless WHOLE is set */
#define FEW 400 /* through the device: eight of them take a machine of their own */
#define GROUPS 40000
/* The window, in the cycles of groups: from the fifth behind the fetch to the second behind WRB. */
#define BEGINS 5
#define WRB 7
#define DET 6
#define ENDS 2

struct group {
	uint64_t cycle;
	uint64_t ip;
	uint64_t insns;
	uint64_t before; /* retired before it */
	size_t fetches; /* made until it had ended: the front end runs ahead */
};

struct fetch {
	uint64_t cycle;
	uint64_t pair;
	bool missed; /* the L1I and the buffer behind it lack it: the EAR has it */
};

static struct group group[GROUPS];
static struct fetch fetch[GROUPS];
static size_t nr_groups, nr_fetches;
static uint64_t slice = FEWER;
static uint64_t expected_hash;
static uint64_t pctr0(const struct sample *s)
{
	return s->value[PCTR_CTL] >> 28 & (PERIOD - 1);
}

static uint64_t pctr1(const struct sample *s)
{
	return s->value[PCTR_CTL] >> 6 & (PERIOD - 1);
}

static uint64_t ovr(const struct sample *s)
{
	return s->value[I_STAT] >> 30 & 7;
}

static uint64_t
	missed; /* the pair that the last fetch which missed was of: on a wrong path no trace */

static void note(const struct montecito_record_trace *r)
{
	if (r->header.misc == MONTECITO_TRACE_FETCH && nr_fetches < GROUPS) {
		fetch[nr_fetches++] =
			(struct fetch){ r->cycle, r->ip & ~31ULL, missed == (r->ip & ~31ULL) };
		missed = 0;
	}
	if (r->header.misc == MONTECITO_TRACE_RETIRE && nr_groups < GROUPS) {
		struct group *g = &group[nr_groups];

		*g = (struct group){ r->cycle, r->ip, r->what,
				     nr_groups ? g[-1].before + g[-1].insns : 0, nr_fetches };
		nr_groups++;
	}
}

static void other(const struct montecito_record_header *h)
{
	if (h->type == MONTECITO_RECORD_TRACE)
		note((const void *)h);
	if (h->type == MONTECITO_RECORD_SAMPLE)
		missed = ((const struct montecito_record_sample *)h)->value[0] & ~31ULL;
}

static struct montecito *boot(void)
{
	struct montecito *m = machine_boot("flights.elf", 0, MONTECITO_TIMING_ON);
	int ret = montecito_ring_open(m, 0, 8, 0);

	if (ret < 0)
		die(ret, "ring");
	return m;
}

/* Run about @insns instructions, in slices of @most. */
static void run_by(struct montecito *m, uint64_t insns, uint64_t most, struct sample *sample,
		   const uint32_t *id)
{
	struct montecito_run x;
	uint64_t left;

	for (left = insns; left; left -= left < most ? left : most) {
		int ret = montecito_run(m, left < most ? left : most, 0, &x);

		if (ret < 0)
			die(ret, "run");
		profile_drain(m, sample, id, other);
	}
}

static void run(struct montecito *m, uint64_t insns, struct sample *sample, const uint32_t *id)
{
	run_by(m, insns, 2000, sample, id);
}

/* The trace, from a run with neither PMUs nor an effect of them, and each miss of a fetch. */
static void trace(void)
{
	struct montecito *m = boot();
	struct montecito_observer_add a = {
		.flags = MONTECITO_OBSERVER_SAMPLE,
		.period = 1,
		.sample_pmds = 1ULL << 34,
	};
	struct montecito_event_spec *spec = NULL;
	char msg[512];
	size_t nr = 0;
	int ret;

	if (montecito_events_parse("L1I_EAR_EVENTS.CACHE.LAT0", &spec, &nr, msg) < 0)
		die(EINVAL, "%s", msg);
	montecito_spec_observe(spec, &a);
	ret = montecito_observer_add_raw(m, 0, &a);
	if (ret < 0)
		die(ret, "%s", a.why);
	montecito_events_free(spec, nr);
	ret = montecito_trace(m, 0, 1U << MONTECITO_TRACE_FETCH | 1U << MONTECITO_TRACE_RETIRE);
	if (ret < 0)
		die(ret, "trace");
	run(m, slice + 1000, NULL, NULL);
	montecito_close(m);
	m = boot();
	run(m, slice + 1000, NULL, NULL);
	expected_hash = machine_hash(m);
	montecito_close(m);
}

/* Profile instructions FIRST to FIRST + slice - 1. Return: all ended in the state without. */
static bool profile(uint64_t sl1, struct sample *sample)
{
	bool same = true;
	uint64_t from;
	int p;

	memset(sample, 0, slice * sizeof(*sample));
	for (from = 0; from < slice; from += PMUS) {
		struct montecito *m = boot();
		uint32_t id[PMUS];

		for (p = 0; p < PMUS; p++)
			id[p] = profile_add(m, sl1, FIRST + from + p);
		/* The number of instructions that retire is at most that of those fetched. */
		run(m, from % 512 ? from + 500 : slice + 1000, &sample[from], id);
		if (!(from % 512))
			same &= machine_hash(m) == expected_hash;
		montecito_close(m);
	}
	return same;
}

/* True if the first instructions are told of alike in slices of one group. */
static bool cut(const struct sample *sample)
{
	struct sample again[PMUS] = { 0 };
	struct montecito *m = boot();
	uint32_t id[PMUS];
	int p;

	for (p = 0; p < PMUS; p++)
		id[p] = profile_add(m, 0, FIRST + slice / PMUS * p);
	run_by(m, slice, 1, again, id);
	montecito_close(m);
	for (p = 0; p < PMUS; p++)
		if (memcmp(&again[p], &sample[slice / PMUS * p], sizeof(again[p])))
			return false;
	return true;
}

/* The last read of the pair of @ip for group @g. */
static const struct fetch *read_of(uint64_t ip, const struct group *g)
{
	static const struct fetch none;
	size_t i;

	for (i = g->fetches; i--;)
		if (fetch[i].pair == (ip & ~31ULL))
			return &fetch[i];
	return &none;
}

/* Instructions that retire from cycle @from to @to - 1. */
static uint64_t retired(uint64_t from, uint64_t to)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < nr_groups; i++)
		if (group[i].cycle + WRB >= from && group[i].cycle + WRB < to)
			n += group[i].insns;
	return n;
}

/* Retired instructions among those in front of the first one profiled. */
static uint64_t skipped(const struct sample *sample)
{
	uint64_t n, i;

	/* The first group of which no instruction was passed over begins a new bundle in order. */
	for (n = 0; n < FIRST; n++) {
		uint64_t k = n, bad = 0;
		size_t g = 0;

		for (i = 0; i < 200; i++) {
			if (!(sample[i].value[PCTR_CTL] & PCTR_CTL_VAL))
				continue;
			while (group[g].before + group[g].insns <= k)
				g++;
			bad += sample[i].ip - group[g].ip > 16;
			k++;
		}
		if (!bad)
			return n;
	}
	return ~0ULL;
}

/* Mispredictions, of path or target, among the first @insns instructions. */
static uint64_t mispredicted(uint64_t insns)
{
	struct montecito *m = boot();
	uint64_t count[2];
	uint32_t id[2], i;
	int ret;

	for (i = 0; i < 2; i++) {
		struct montecito_filter filter = { .code = 0x5b, .umask = 2 + i, .plm = 15 };

		ret = montecito_observer_add(m, 0, &filter, 0, why);
		if (ret < 0)
			die(ret, "BR_MISPRED_DETAIL: %s", why);
		id[i] = ret;
	}
	run(m, insns, NULL, NULL);
	ret = montecito_observer_read(m, 0, id, count, 2);
	if (ret < 0)
		die(ret, "counts");
	montecito_close(m);
	return count[0] + count[1];
}

static void windows(const struct sample *s, const struct sample *delays)
{
	uint64_t i, k = skipped(s), wrong = 0, sum = 0, valid = 0, killed = 0, bad_delay = 0;
	uint64_t bad_kill = 0, from = 0, shown = 0, mis = 0, more = 0, whole = 0, stalled = 0;
	uint64_t bad_icm = 0, icm = 0;
	const struct fetch *read;
	size_t g = 0;

	ok(k != ~0ULL, "VAL: what retires is profiled in its order");
	if (k == ~0ULL)
		return;
	for (i = 0; i < slice; i++) {
		uint64_t status = s[i].value[PCTR_CTL], at, end, want;

		if (!(status & PCTR_CTL_VAL)) {
			killed++;
			bad_kill += pctr1(&delays[i]);
			continue;
		}
		while (group[g].before + group[g].insns <= k)
			g++;
		end = group[g].cycle + WRB + ENDS;
		read = read_of(s[i].ip, &group[g]);
		at = read->cycle;
		bad_icm += read->missed != !!(s[i].value[I_STAT] & I_STAT_ICM);
		icm += read->missed;
		want = end - at - BEGINS;
		if (pctr1(&s[i]) != want || s[i].ip - group[g].ip > 16 ||
		    pctr0(&s[i]) - ovr(&s[i]) != retired(at + BEGINS, end) ||
		    pctr0(&delays[i]) - ovr(&delays[i]) != want) {
			wrong++;
			if (shown++ < 5)
				printf("# %" PRIu64 ": ip %#" PRIx64 " window %" PRIu64
				       " want %" PRIu64 " retired %" PRIu64 " ovr %" PRIu64
				       " want %" PRIu64 " group %#" PRIx64 "\n",
				       FIRST + i, s[i].ip, pctr1(&s[i]), want, pctr0(&s[i]),
				       ovr(&s[i]), retired(at + BEGINS, end), group[g].ip);
		}
		want = g && group[g].before == k ? group[g].cycle - group[g - 1].cycle : 0;
		bad_delay += pctr1(&delays[i]) != want;
		if (want && !from)
			from = group[g - 1].cycle;
		sum += pctr1(&delays[i]);
		stalled += !!(status & PCTR_CTL_STALLED);
		valid++;
		k++;
		/* Up to the group that is not whole yet. */
		if (s[i].value[I_STAT] & I_STAT_MIS)
			more++;
		if (k == group[g].before + group[g].insns) {
			mis += more;
			more = 0;
			whole = k;
		}
	}
	ok(mis == mispredicted(whole) && mis, "MIS: %" PRIu64 " mispredictions", mis);
	ok(!wrong && valid > slice / 2,
	   "E7, E9: windows and what retires in them are those of the trace: %" PRIu64
	   " of %" PRIu64 " are not",
	   wrong, valid);
	ok(!bad_icm && icm,
	   "ICM: %" PRIu64 " of fetches that missed, and of no other: %" PRIu64 " differ", icm,
	   bad_icm);
	ok(!bad_delay, "E9: retire delays are those of the trace: %" PRIu64 " are not", bad_delay);
	ok(!bad_kill, "what aborts holds up nothing");
	ok(sum == group[g].cycle - from, "retire delays sum to the cycles: %" PRIu64, sum);
	ok(killed && stalled, "E8: %" PRIu64 " retire, %" PRIu64 " abort, %" PRIu64 " waited",
	   valid, killed, stalled);
}

/* ---- a sample each so many instructions ---- */

#define TURN 12 /* instructions of the loop of rounds.S */
#define ROUNDS 25
#define LOOP 64 /* where it begins, behind the entry point */

static uint64_t ipr(struct montecito *m, uint32_t id, uint32_t index)
{
	struct montecito_pmu_reg reg = { MONTECITO_PMU_REG_IPR, index, 0 };
	int ret = montecito_pmu_get(m, 0, id, &reg, 1, why);

	if (ret < 0)
		die(ret, "register %#x: %s", index, why);
	return reg.value;
}

/* Have the instruction behind @left - 1 others profiled next. */
static void choose(struct montecito *m, uint32_t id, uint64_t left)
{
	struct montecito_pmu_reg reg[] = {
		{ MONTECITO_PMU_REG_IPR, 0x0e, 3ULL << 29 },
		{ MONTECITO_PMU_REG_IPR, 0x14, (PERIOD - left) << 28 | 0x10 },
	};
	int ret = montecito_pmu_set(m, 0, id, reg, 2, why);

	if (ret < 0)
		die(ret, "registers: %s", why);
}

/*
 * A handler that samples each @every-th instruction of a loop: the window of each ends the run, by
 * STOP, and what has retired since tells how many are left up to the next.
 */
static void evenly(uint64_t every)
{
	struct montecito *m = machine_boot("rounds.elf", 0, MONTECITO_TIMING_ON);
	struct montecito_pmu_add a = { .flags = MONTECITO_PMU_STOP, .kind = MONTECITO_PMU_EV68A };
	struct montecito_pmu_reg reg[] = {
		{ MONTECITO_PMU_REG_IPR, 0x0b, 3ULL << 29 },
		{ MONTECITO_PMU_REG_IPR, 0x11, 0xc0001 },
	};
	uint64_t loop = machine_reg(m, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP) + LOOP;
	uint64_t first, wrong = 0, n[TURN] = { 0 }, want, least = ~0ULL, most = 0;
	uint64_t step = every % TURN, i, at, now;
	int id = montecito_pmu_add(m, 0, &a), ret;
	struct montecito_run x;

	if (id < 0)
		die(id, "%s", a.why);
	ret = montecito_pmu_set(m, 0, id, reg, 2, why);
	if (ret < 0)
		die(ret, "registers: %s", why);
	machine_run_to(m, 100 * TURN, 0);
	now = machine_reg(m, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS);
	/* The place in the loop of the instruction with number @now, and the number of its first. */
	at = (machine_reg(m, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP) - loop) / 16 * 3;
	first = now - at;
	choose(m, id, every);
	for (i = 0, want = now + every - 1; i < TURN * ROUNDS; i++, want += every) {
		ret = montecito_run(m, 100000, 0, &x);
		if (ret < 0 || x.exit.reason != MONTECITO_EXIT_PMU_BLOCK ||
		    x.exit.block != (uint32_t)id)
			die(EIO, "sample %" PRIu64 ": reason %u", i, x.exit.reason);
		at = ipr(m, id, 0x05);
		at = ((at & ~15ULL) - loop) / 16 * 3 + (at >> 2 & 3);
		wrong += at != (want - first) % TURN;
		if (at < TURN)
			n[at]++;
		now = machine_reg(m, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS);
		choose(m, id, want + every - now + 1);
	}
	for (i = 0; i < TURN; i++) {
		least = n[i] < least ? n[i] : least;
		most = n[i] > most ? n[i] : most;
	}
	ok(!wrong, "E6: each sample of %" PRIu64 " instructions is of its own: %" PRIu64 " are not",
	   every, wrong);
	for (i = 2; i <= step && (step % i || TURN % i); i++)
		;
	ok(step && i > step ? most - least <= 1 : !least,
	   "%" PRIu64 " instructions: each of %u has %" PRIu64 " to %" PRIu64 " samples", every,
	   TURN, least, most);
	montecito_close(m);
}

int main(int argc, char **argv)
{
	static struct sample cycles[MOST], delays[MOST];
	uint64_t i, missing = 0, differ = 0, mis = 0, icm = 0, tak = 0;
	bool same;

	tap_args(argc, argv);
	if (tap_device)
		slice = FEW;
	else if (tap_whole())
		slice = MOST;
	trace();
	same = profile(0, cycles);
	same &= profile(1, delays);
	for (i = 0; i < slice; i++) {
		missing += cycles[i].records != 1 || delays[i].records != 1;
		differ += cycles[i].ip != delays[i].ip || cycles[i].slot != delays[i].slot ||
			  cycles[i].value[I_STAT] != delays[i].value[I_STAT];
		mis += !!(cycles[i].value[I_STAT] & I_STAT_MIS);
		icm += !!(cycles[i].value[I_STAT] & I_STAT_ICM);
		tak += cycles[i].value[PCTR_CTL] & PCTR_CTL_TAK;
	}
	ok(!missing, "E6: PCTR0 chooses each instruction, once: %" PRIu64 " were not", missing);
	ok(!differ, "the same one whatever is counted");
	ok(same, "the state is what it is without");
	ok(cut(cycles), "and in slices of one group");
	windows(cycles, delays);
	ok(mis && icm && tak,
	   "%" PRIu64 " mispredicted, %" PRIu64 " of new lines, %" PRIu64 " taken", mis, icm, tak);
	/* With no divisor in common with the loop, and with one. */
	evenly(211);
	evenly(1001);
	evenly(210);
	return tap_done();
}
