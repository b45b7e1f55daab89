// SPDX-License-Identifier: GPL-2.0-only
/*
 * Nothing that a host does shows in the guest: the same program in one budget
 * or in thousands, with and without observers, samples and signals ends in the
 * same hash and counts, and a machine that is saved and restored goes on as
 * if nothing had happened.
 */
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "tap.h"

#define NR_EVENTS 6

/* Events that are counted and sampled at every level, without time and with it. */
static const struct kind {
	const char *events; /* the first are instructions */
	unsigned int sampled; /* which of them */
	uint16_t code; /* that one's */
	uint64_t period;
	uint32_t timing; /* MONTECITO_TIMING_* */
} kinds[] = {
	{ "IA64_INST_RETIRED,NOPS_RETIRED,PREDICATE_SQUASHED_RETIRED,LOADS_RETIRED,"
	  "STORES_RETIRED,BR_MISPRED_DETAIL.ALL.ALL_PRED",
	  0, 0x08, 101, MONTECITO_TIMING_OFF },
	{ "IA64_INST_RETIRED,CPU_OP_CYCLES,BACK_END_BUBBLE.ALL,BE_EXE_BUBBLE.ALL,"
	  "L1D_READ_MISSES.ALL,FE_BUBBLE.ALL",
	  1, 0x12, 331, MONTECITO_TIMING_ON },
	{ "IA64_INST_RETIRED,CPU_OP_CYCLES,BACK_END_BUBBLE.ALL,BE_EXE_BUBBLE.ALL,"
	  "L1D_READ_MISSES.ALL,FE_BUBBLE.ALL",
	  2, 0x00, 331, MONTECITO_TIMING_ON },
}, *kind = kinds;

struct how {
	const char *name;
	uint64_t slice; /* 0: one go */
	bool observers;
	bool sample;
	bool signals;
};

struct outcome {
	int status;
	uint64_t hash;
	uint64_t insns;
	uint64_t counts[NR_EVENTS];
	uint64_t pmu[4]; /* PMD4 to PMD7 of another processor's PMU */
	uint64_t samples;
	uint64_t sample_hash;
	uint64_t lost;
};

static volatile sig_atomic_t alarms;

static void on_alarm(int sig)
{
	(void)sig;
	alarms++;
}

static void signals(bool on)
{
	struct itimerval it = { { 0, on ? 700 : 0 }, { 0, on ? 700 : 0 } };
	struct sigaction sa = { .sa_handler = on_alarm };

	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &it, NULL);
}

/* ---- observers ---- */

struct watch {
	struct montecito *m;
	struct montecito_event_spec *specs;
	size_t nr;
	uint32_t id[NR_EVENTS];
	uint32_t pmu;
	struct outcome *out;
};

/*
 * The original Itanium's PMU: instructions, loads, branches, and instructions that interrupt it
 * each 1009, which are reloaded.
 */
static uint32_t pmu_start(struct montecito *m)
{
	static const uint64_t period = -1009;
	struct montecito_pmu_add a = {
		.kind = MONTECITO_PMU_MERCED,
		.nr_reload = 2,
		.reload = { { MONTECITO_REG_PMD, 5, period }, { MONTECITO_REG_PMC, 0, 0 } },
	};
	struct montecito_pmu_reg reg[] = {
		{ MONTECITO_REG_PMC, 4, 0x080f }, /* IA64_INST_RETIRED */
		{ MONTECITO_REG_PMC, 5, 0x082f }, /* with oi */
		{ MONTECITO_REG_PMD, 5, period },
		{ MONTECITO_REG_PMC, 6, 0x6c0f }, /* LOADS_RETIRED */
		{ MONTECITO_REG_PMC, 7, 0x10d0f }, /* BRANCH_TAKEN_SLOT_0 */
	};
	char why[128];
	int id = montecito_pmu_add(m, 0, &a), ret;

	if (id < 0)
		die(id, "%s", a.why);
	ret = montecito_pmu_set(m, 0, id, reg, 5, why);
	if (ret < 0)
		die(ret, "%s", why);
	return id;
}

static uint64_t pmu_read(struct montecito *m, uint32_t id, uint32_t n)
{
	struct montecito_pmu_reg reg = { .cls = MONTECITO_REG_PMD, .index = n };
	char why[128];
	int ret = montecito_pmu_get(m, 0, id, &reg, 1, why);

	if (ret < 0)
		die(ret, "%s", why);
	return (uint32_t)reg.value;
}

static void watch_start(struct watch *w, struct montecito *m, const struct how *how,
			struct outcome *out)
{
	char msg[512], why[128];
	size_t i;
	int ret;

	memset(w, 0, sizeof(*w));
	w->m = m;
	w->out = out;
	if (how->observers) {
		if (montecito_events_parse(kind->events, &w->specs, &w->nr, msg) < 0)
			die(EINVAL, "%s", msg);
		if (w->nr != NR_EVENTS)
			die(EINVAL, "%zu events", w->nr);
		for (i = 0; i < w->nr; i++) {
			ret = montecito_observer_add(m, 0, &w->specs[i].filter, 0, why);
			if (ret < 0)
				die(ret, "%s: %s", w->specs[i].name, why);
			w->id[i] = ret;
		}
	}
	if (how->observers)
		w->pmu = pmu_start(m);
	if (how->sample) {
		struct montecito_filter f = { .code = kind->code, .plm = 0xf };

		ret = montecito_ring_open(m, 0, 3, 0);
		if (ret < 0)
			die(ret, "no ring");
		ret = montecito_observer_add(m, 0, &f, kind->period, why);
		if (ret < 0)
			die(ret, "sampling: %s", why);
	}
}

/* Take the samples out of the ring. */
static void watch_drain(struct watch *w)
{
	struct montecito_record_sample s;
	int len;

	while ((len = montecito_ring_read(w->m, 0, &s, sizeof(s))) > 0) {
		if (s.header.type != MONTECITO_RECORD_SAMPLE)
			continue;
		w->out->samples++;
		w->out->sample_hash =
			(w->out->sample_hash ^ s.ip ^ s.insns << 20 ^ s.slot) * 0x100000001b3ULL;
	}
}

static void watch_end(struct watch *w, const struct how *how)
{
	unsigned int i;
	int ret;

	if (how->sample) {
		watch_drain(w);
		w->out->lost = montecito_ring_lost(w->m, 0);
	}
	if (how->observers) {
		ret = montecito_observer_read(w->m, 0, w->id, w->out->counts, NR_EVENTS);
		if (ret < 0)
			die(ret, "cannot read observers");
		for (i = 0; i < 4; i++)
			w->out->pmu[i] = pmu_read(w->m, w->pmu, 4 + i);
	}
	montecito_events_free(w->specs, w->nr);
}

/* ---- a user-mode program ---- */

static struct outcome run_program(const char *path, const struct how *how)
{
	char *argv[] = { (char *)"program", NULL }, *envp[] = { NULL };
	struct montecito_process_options opt = {
		.size = sizeof(opt),
		.page_shift = 14,
		.argv = argv,
		.envp = envp,
		/* the ring holds no more samples than one piece makes */
		.budget = how->slice	? how->slice
			  : how->sample ? 20000
					: 0,
	};
	struct montecito *m = machine_open(MONTECITO_CFG_HOST_INTERRUPTIONS, kind->timing);
	struct montecito_process *p;
	struct outcome out = { 0 };
	const char *why = NULL;
	int ret, tap_out, null;
	struct watch w;

	ret = montecito_process_load(m, path, &opt, &p, &why);
	if (ret < 0)
		die(ret, "cannot load %s: %s", path, why ? why : "");
	watch_start(&w, m, how, &out);

	/* what the program prints is none of TAP's */
	fflush(stdout);
	tap_out = dup(1);
	null = open("/dev/null", O_WRONLY);
	dup2(null, 1);
	close(null);
	if (how->signals)
		signals(true);
	do {
		ret = montecito_process_run(p);
		if (how->sample)
			watch_drain(&w);
	} while (ret == -EDQUOT);
	if (how->signals)
		signals(false);
	dup2(tap_out, 1);
	close(tap_out);

	watch_end(&w, how);
	out.status = ret;
	out.hash = machine_hash(m);
	out.insns = machine_reg(m, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS);
	montecito_process_free(p);
	montecito_close(m);
	return out;
}

/* ---- a system-mode image ---- */

#define IMAGE_INSNS 60000

static struct outcome run_image(const char *image, const struct how *how)
{
	struct montecito *m = machine_boot(image, 0, kind->timing);
	uint64_t step = how->sample ? 20000 : IMAGE_INSNS, to;
	struct outcome out = { 0 };
	struct watch w;

	watch_start(&w, m, how, &out);
	if (how->signals)
		signals(true);
	for (to = step; to <= IMAGE_INSNS; to += step) {
		machine_run_to(m, to, how->slice);
		if (how->sample)
			watch_drain(&w);
	}
	if (how->signals)
		signals(false);
	watch_end(&w, how);
	out.hash = machine_hash(m);
	out.insns = machine_reg(m, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS);
	montecito_close(m);
	return out;
}

/* ---- comparing ---- */

static void compare(const char *what, const char *path, bool image, uint64_t finest)
{
	const struct how ways[] = {
		{ "pieces of 1", 1, false, false, false },
		{ "pieces of 7", 7, false, false, false },
		{ "pieces of 997", 997, false, false, false },
		{ "observers", 0, true, false, false },
		{ "observers, pieces of 13", 13, true, false, false },
		{ "observers, pieces of 997", 997, true, false, false },
		{ "samples", 0, true, true, false },
		{ "samples, pieces of 61", 61, true, true, false },
		{ "samples, pieces of 997", 997, true, true, false },
		{ "signals", 0, false, false, true },
		{ "observers, samples, signals", 997, true, true, true },
	};
	const struct how plain = { "one go", 0, false, false, false };
	struct outcome (*run)(const char *, const struct how *) = image ? run_image : run_program;
	struct outcome ref = run(path, &plain), counts = { 0 }, sampled = { 0 };
	unsigned int i;

	ok(ref.status == 0, "%s: ends well", what);
	if (tap_device) {
		const char *device = tap_device;
		struct outcome here;

		tap_device = NULL;
		here = run(path, &plain);
		tap_device = device;
		ok(here.hash == ref.hash && here.insns == ref.insns,
		   "%s: the device and the model in-process end in the same state", what);
	}
	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		const struct how *how = &ways[i];
		struct outcome out;

		if (how->slice && how->slice < finest)
			continue;
		out = run(path, how);
		if (!ok(out.hash == ref.hash && out.insns == ref.insns && out.status == ref.status,
			"%s: %s: same state", what, how->name))
			printf("# hash %#" PRIx64 ", expected %#" PRIx64 "; %" PRIu64
			       " instructions, expected %" PRIu64 "; status %d, expected %d\n",
			       out.hash, ref.hash, out.insns, ref.insns, out.status, ref.status);
		if (how->observers) {
			if (!counts.counts[0])
				counts = out;
			ok(out.counts[0] && !memcmp(out.counts, counts.counts, sizeof(out.counts)),
			   "%s: %s: same counts", what, how->name);
			if (!image)
				ok_eq(out.counts[0], out.insns,
				      "IA64_INST_RETIRED is what retired");
			ok(out.pmu[0] == (uint32_t)out.counts[0] &&
				   !memcmp(out.pmu, counts.pmu, sizeof(out.pmu)),
			   "%s: %s: same counts of another PMU", what, how->name);
		}
		if (how->sample) {
			if (!sampled.samples)
				sampled = out;
			ok(out.lost == 0 && out.samples == out.counts[kind->sampled] / kind->period,
			   "%s: %s: %" PRIu64 " samples, none lost", what, how->name, out.samples);
			ok(out.sample_hash == sampled.sample_hash, "%s: %s: same samples", what,
			   how->name);
		}
	}
}

/* A machine saved in the middle goes on in another one as it would have. */
static void test_save(void)
{
	struct montecito *a = machine_boot("pmuirq.elf", 0, MONTECITO_TIMING_OFF), *b;
	uint64_t middle, end;
	size_t len;
	void *blob;
	int ret;

	machine_run_to(a, 10007, 0);
	middle = machine_hash(a);
	ret = montecito_save(a, &blob, &len);
	if (ret < 0)
		die(ret, "cannot save");
	ok_eq(machine_hash(a), middle, "saving changes nothing");
	machine_run_to(a, 40000, 0);
	end = machine_hash(a);
	ok(end != middle, "another state, another hash");

	b = machine_open(0, MONTECITO_TIMING_OFF);
	ret = montecito_restore(b, blob, len);
	ok(ret == 0, "restored into a fresh machine");
	ok_eq(machine_hash(b), middle, "which has the hash of then");
	machine_run_to(b, 40000, 0);
	ok_eq(machine_hash(b), end, "and ends in the same state");

	ret = montecito_restore(a, blob, len);
	ok(ret == 0, "restored into the machine that ran on");
	machine_run_to(a, 40000, 101);
	ok_eq(machine_hash(a), end, "which ends in the same state again");

	((char *)blob)[0] ^= 1;
	ret = montecito_restore(a, blob, len);
	ok(ret == -EINVAL, "a blob with another magic is refused (%d)", ret);
	((char *)blob)[0] ^= 1;
	ret = montecito_restore(a, blob, len - 1);
	ok(ret == -EINVAL, "a blob that is too short is refused (%d)", ret);
	ok_eq(machine_hash(a), end, "and both changed nothing");
	free(blob);
	montecito_close(a);
	montecito_close(b);
}

int main(int argc, char **argv)
{
	char path[4096];
	int i;

	tap_args(argc, argv);
	snprintf(path, sizeof(path), "%s/count.elf", tap_guests);
	compare("count", path, false, 1);
	snprintf(path, sizeof(path), "%s/workload.elf", tap_guests);
	compare("workload", path, false, 61);
	compare("pmuirq", "pmuirq.elf", true, 1);
	for (i = 0; i < tap_nr_programs; i++)
		compare(basename(tap_program[i]), tap_program[i], false, 997);
	test_save();
	for (kind = &kinds[1]; kind < &kinds[sizeof(kinds) / sizeof(kinds[0])]; kind++) {
		snprintf(path, sizeof(path), "%s/count.elf", tap_guests);
		compare("count, with time", path, false, 1);
		compare("pmuirq, with time", "pmuirq.elf", true, 1);
	}
	return tap_done();
}
