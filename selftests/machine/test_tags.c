// SPDX-License-Identifier: GPL-2.0-only
/*
 * Subscribers that qualify by the instruction have equal counts, and their periods end in equal
 * places, whether instructions are tagged on their way (kmod/model/pmu/tags.h) or each
 * occurrence is asked: it is as soon as a subscriber must see each retirement, as does
 * a counter of IA64_INST_RETIRED with a threshold.
 */
#include <fcntl.h>
#include <unistd.h>

#include "tap.h"

#define ANY "opc=0x0/0x1ffffffffff/"
/* Branches: a major opcode of 4 or 5. */
#define BRANCHES "opc=0x8000000000/0x17fffffffff/b"
#define TEXT "iar=0x4000000000000100-0x4000000000000280"
#define DATA "dar=0x6000000000000000-0x6000000000000040"
#define ASKING "IA64_INST_RETIRED:t=1"
#define PIECE 1009
#define PIECES 300 /* at most */

static const struct {
	const char *event;
	uint64_t period;
} filtered[] = {
	{ "IA64_INST_RETIRED:" ANY "m", 101 },
	{ "IA64_INST_RETIRED:" ANY "ib:" TEXT, 211 },
	{ "IA64_INST_RETIRED:" TEXT, 97 },
	{ "IA64_INST_RETIRED:" BRANCHES, 0 },
	{ "NOPS_RETIRED:" ANY "i", 53 },
	{ "NOPS_RETIRED:" TEXT, 0 },
	{ "LOADS_RETIRED:" TEXT, 3 },
	{ "LOADS_RETIRED:" DATA, 2 },
	{ "STORES_RETIRED:" ANY "m:" TEXT, 0 },
	{ "STORES_RETIRED:" ANY "i", 0 },
	{ "BR_MISPRED_DETAIL.ALL.ALL_PRED:" ANY "b", 11 },
	{ "BR_MISPRED_DETAIL.IPREL.CORRECT_PRED:" TEXT, 0 },
	{ "L1D_READ_MISSES.ALL:" TEXT, 1 },
};

#define NR_FILTERED (sizeof(filtered) / sizeof(filtered[0]))
#define NONE 9 /* the one that has none: a store is no instruction of type I */

/* Observers that come and go beside them: the tags of all are void then. */
static const char *const others[] = {
	"IA64_INST_RETIRED:" ANY "f", "NOPS_RETIRED:" ANY "mi",	      "IA64_INST_RETIRED:" TEXT,
	"STORES_RETIRED:" BRANCHES,   "IA64_INST_RETIRED:iar=0-0x10", ASKING,
};

#define NR_OTHERS (sizeof(others) / sizeof(others[0]))

struct outcome {
	uint64_t counts[NR_FILTERED];
	uint64_t samples;
	uint64_t hash;
	uint64_t insns;
};

static uint32_t add(struct montecito *m, const char *event, uint64_t period)
{
	struct montecito_event_spec *specs = NULL;
	char msg[512], why[128];
	size_t nr = 0;
	int ret;

	if (montecito_events_parse(event, &specs, &nr, msg) < 0 || nr != 1)
		die(EINVAL, "%s", msg);
	ret = montecito_observer_add(m, 0, &specs->filter, period, why);
	if (ret < 0)
		die(ret, "%s: %s", event, why);
	montecito_events_free(specs, nr);
	return ret;
}

/* Samples of one occurrence come in any order. */
static void drain(struct montecito *m, struct outcome *out)
{
	struct montecito_record_sample s;
	uint64_t what[5], hash;
	unsigned int i;

	while (montecito_ring_read(m, 0, &s, sizeof(s)) > 0) {
		if (s.header.type != MONTECITO_RECORD_SAMPLE)
			continue;
		what[0] = s.source;
		what[1] = s.ip | s.slot;
		what[2] = s.insns;
		what[3] = s.cycles;
		what[4] = s.cpl;
		for (i = 0, hash = 0; i < 5; i++)
			hash = (hash ^ hash >> 29 ^ what[i]) * 0xbf58476d1ce4e5b9ULL;
		out->hash += hash ^ hash >> 32;
		out->samples++;
	}
}

/* Run @path; @asked: each occurrence is. @changing: others come and go meanwhile. */
static struct outcome run(const char *path, bool asked, bool changing)
{
	char *argv[] = { (char *)"program", NULL }, *envp[] = { NULL };
	struct montecito_process_options process = {
		.size = sizeof(process),
		.page_shift = 14,
		.argv = argv,
		.envp = envp,
		.budget = PIECE,
	};
	uint32_t id[NR_FILTERED], other = 0;
	struct montecito_process *p;
	struct outcome out = { 0 };
	const char *why = NULL;
	struct montecito *m = machine_open(MONTECITO_CFG_HOST_INTERRUPTIONS, MONTECITO_TIMING_ON);
	unsigned int i, turn = 0, pieces = 0;
	int ret, tap_out, null;

	ret = montecito_process_load(m, path, &process, &p, &why);
	if (ret < 0)
		die(ret, "cannot load %s: %s", path, why ? why : "");
	ret = montecito_ring_open(m, 0, 6, 0);
	if (ret < 0)
		die(ret, "no ring");
	for (i = 0; i < NR_FILTERED; i++)
		id[i] = add(m, filtered[i].event, filtered[i].period);
	if (asked)
		add(m, ASKING, 0);

	/* what the program prints is none of TAP's */
	fflush(stdout);
	tap_out = dup(1);
	null = open("/dev/null", O_WRONLY);
	dup2(null, 1);
	close(null);
	do {
		if (changing) {
			if (turn)
				montecito_observer_del(m, 0, other);
			other = add(m, others[turn++ % NR_OTHERS], 0);
		}
		ret = montecito_process_run(p);
		drain(m, &out);
	} while (ret == -EDQUOT && ++pieces < PIECES);
	dup2(tap_out, 1);
	close(tap_out);

	if ((ret && ret != -EDQUOT) || montecito_ring_lost(m, 0))
		die(EIO, "%s: status %d, %" PRIu64 " samples lost", path, ret,
		    montecito_ring_lost(m, 0));
	ret = montecito_observer_read(m, 0, id, out.counts, NR_FILTERED);
	if (ret < 0)
		die(ret, "cannot read observers");
	out.insns = machine_reg(m, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS);
	montecito_process_free(p);
	montecito_close(m);
	return out;
}

static void same(const char *name, const char *how, const struct outcome *have,
		 const struct outcome *want)
{
	unsigned int i;

	if (!ok(!memcmp(have->counts, want->counts, sizeof(have->counts)), "%s: %s: same counts",
		name, how)) {
		for (i = 0; i < NR_FILTERED; i++)
			printf("# %s: %" PRIu64 ", expected %" PRIu64 "\n", filtered[i].event,
			       have->counts[i], want->counts[i]);
	}
	ok(have->samples == want->samples && have->hash == want->hash,
	   "%s: %s: same samples (%" PRIu64 ", expected %" PRIu64 ")", name, how, have->samples,
	   want->samples);
}

/* @all: the sum of what all programs count. */
static void compare(const char *name, uint64_t all[NR_FILTERED])
{
	struct outcome asked, tagged, changing;
	uint64_t samples = 0;
	unsigned int i;
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s.elf", tap_guests, name);
	asked = run(path, true, false);
	tagged = run(path, false, false);
	changing = run(path, false, true);
	for (i = 0; i < NR_FILTERED; i++) {
		all[i] += asked.counts[i];
		if (filtered[i].period)
			samples += asked.counts[i] / filtered[i].period;
	}
	ok_eq(asked.samples, samples, "each period ends once");
	same(name, "tagged", &tagged, &asked);
	same(name, "tagged, and others come and go", &changing, &asked);
}

int main(int argc, char **argv)
{
	uint64_t all[NR_FILTERED] = { 0 };
	unsigned int i;

	tap_args(argc, argv);
	compare("workload", all);
	compare("events", all);
	for (i = 0; i < NR_FILTERED; i++)
		ok(!all[i] == (i == NONE), "%s: %" PRIu64, filtered[i].event, all[i]);
	return tap_done();
}
