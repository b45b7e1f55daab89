// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two cores with two threads each, with time: registers of all four processors, counts, samples
 * and the hash of the state are the same wherever the machine is, in this process or in the
 * device, and however its run is cut. What the guest (four.S) comes to follows from its rounds.
 */
#include "tap.h"

#define CORES 2
#define THREADS 2
#define VCPUS (CORES * THREADS)
#define INSNS 60000
#define ROUNDS 256 /* as four.S has it */
#define RESULTS 0x4000
#define SHARED 0x6000
#define OWN 0x6080
#define PURGES 0x7100
#define INTERRUPTS 11 /* register of four.S */
#define FROM_EACH (ROUNDS / 32) /* interrupts that each processor sends */

/* Of the thread, of its core, of both cores, and of the bus; the first two are sampled as well. */
static const char events[] =
	"CPU_OP_CYCLES.ALL,L3_MISSES,IA64_INST_RETIRED,LOADS_RETIRED,BACK_END_BUBBLE.ALL,"
	"BE_FLUSH_BUBBLE.ALL,FE_BUBBLE.ALL,L1D_READ_MISSES.ALL,L2D_REFERENCES.ALL,L3_REFERENCES,"
	"THREAD_SWITCH_EVENTS.ALL,THREAD_SWITCH_EVENTS.HINT,THREAD_SWITCH_CYCLE.TOTAL,"
	"BUS_MEM_READ.ALL.SELF,BUS_MEM_READ.BIL.SELF,BUS_MEM_READ.BRL.ANY,BUS_RD_HITM.SELF,"
	"BUS_HITM.EITHER,BUS_SNOOP_STALL_CYCLES.ANY,SI_SCB_INSERTS.ALL.SELF,SI_RQ_LIVE_REQ_LO.SELF,"
	"SI_IOQ_LIVE_REQ_LO,ER_SNOOPQ_REQ_LO,L2I_SNOOP_HITS";
#define EVENTS 24
#define SAMPLED 2

static const uint64_t period[SAMPLED] = { 97, 3 };

#define PROGRAMMED 12 /* PMC4 to PMC15 count the first ones, the even ones for both threads */
#define PMC_PLM 0xf
#define PMC_PM 0x40
#define PMC_ES_SHIFT 8
#define PMC_UMASK_SHIFT 16
#define PMC_ISM (1ULL << 25)
#define PMC_ALL (1ULL << 26)

#define CLASSES (MONTECITO_REG_STACKED + 1)
#define REGS 128

struct outcome {
	uint64_t hash;
	/* Value and NaT, or what refuses the register: there is none, or it is not in the frame. */
	uint64_t reg[VCPUS][CLASSES][REGS][2];
	uint64_t counts[VCPUS][EVENTS];
	uint64_t samples[VCPUS], samples_hash[VCPUS];
	/* Results of four.S. */
	uint64_t rounds[VCPUS], vector[VCPUS], own[VCPUS], interrupts[VCPUS], shared, purges;
};

/* Where the machine is, in its first and in its second half, and how its run is cut. */
struct how {
	const char *name;
	const char *device[2];
	bool cut;
	uint64_t slower; /* cycles more of bus.snoop */
};

static void refused(int ret, const char *what)
{
	if (ret < 0)
		die(ret, "%s", what);
}

static struct montecito *open_machine(const char *device, uint64_t slower)
{
	struct montecito_options opt = {
		.size = sizeof(opt),
		.device = device,
		.cores = CORES,
		.threads = THREADS,
		.config = MONTECITO_SYSTEM_CONFIG,
		.memory = MONTECITO_DEFAULT_MEMORY,
		.timing = MONTECITO_TIMING_ON,
	};
	struct montecito_param snoop = { .name = "bus.snoop" };
	struct montecito *m;

	refused(montecito_open(&opt, &m), "a machine");
	refused(montecito_param_get(m, &snoop), "bus.snoop");
	snoop.value += slower;
	snoop.flags = 0;
	refused(montecito_param_set(m, &snoop), "bus.snoop");
	return m;
}

static void load(struct montecito *m)
{
	const char *why = "";
	char path[4096];
	int ret;

	snprintf(path, sizeof(path), "%s/four.elf", tap_guests);
	ret = montecito_boot_load(m, path, 0, &why);
	if (ret < 0)
		die(ret, "%s: %s", path, why ? why : "");
}

/* Observers and counters of each processor; PMC0 lets those count. */
static void count(struct montecito *m, uint32_t id[VCPUS][EVENTS])
{
	struct montecito_event_spec *specs = NULL;
	unsigned int v, n;
	char msg[512];
	size_t nr = 0;

	if (montecito_events_parse(events, &specs, &nr, msg) || nr != EVENTS)
		die(EINVAL, "%zu events: %s", nr, msg);
	for (v = 0; v < VCPUS; v++) {
		refused(montecito_ring_open(m, v, 6, 0), "a ring");
		for (n = 0; n < EVENTS; n++) {
			const struct montecito_filter *f = &specs[n].filter;
			int ret = montecito_observer_add(m, v, f, n < SAMPLED ? period[n] : 0, msg);

			if (ret < 0)
				die(ret, "%s: %s", specs[n].name, msg);
			id[v][n] = ret;
			if (n < PROGRAMMED)
				refused(montecito_set_reg(
						m, v, MONTECITO_REG_PMC, 4 + n,
						PMC_ISM | PMC_PM | PMC_PLM |
							(n % 2 || n > 5 ? 0 : PMC_ALL) |
							(uint64_t)f->code << PMC_ES_SHIFT |
							(uint64_t)f->umask << PMC_UMASK_SHIFT),
					specs[n].name);
		}
		refused(montecito_set_reg(m, v, MONTECITO_REG_PMC, 0, 0), "PMC0");
	}
	montecito_events_free(specs, nr);
}

/*
 * Add every byte of the rings' records to the digests of samples, but that observers have numbers of
 * the file descriptor: of each processor the first one is 0 here.
 */
static void drain(struct montecito *m, uint32_t id[VCPUS][EVENTS], struct outcome *out)
{
	uint64_t record[MONTECITO_RECORD_MAX / 8];
	unsigned int v;
	int len, i;

	for (v = 0; v < VCPUS; v++)
		while ((len = montecito_ring_read(m, v, record, sizeof(record))) > 0) {
			if ((uint32_t)record[0] == MONTECITO_RECORD_SAMPLE)
				record[1] -= id[v][0];
			out->samples[v]++;
			for (i = 0; i < len / 8; i++)
				out->samples_hash[v] =
					(out->samples_hash[v] ^ record[i]) * 0x100000001b3ULL;
		}
}

/*
 * Until the processors have retired @until instructions, of which *@done have been: to the end of
 * an issue group. Where it is cut, in random pieces.
 */
static void run_to(struct montecito *m, uint64_t *done, uint64_t until, bool cut,
		   uint32_t id[VCPUS][EVENTS], struct outcome *out)
{
	static uint32_t random = 1;

	while (*done < until) {
		/* The ring has room for the samples of so many. */
		uint64_t budget = until - *done < 3000 ? until - *done : 3000, cycles = 0;
		struct montecito_run run;

		if (cut) {
			random = random * 1103515245 + 12345;
			budget = 1 + random / 65536 % 700;
			cycles = 1 + random / 256 % 500;
			budget = budget < until - *done ? budget : until - *done;
		}
		refused(montecito_run(m, budget, cycles, &run), "run");
		if (run.exit.reason != MONTECITO_EXIT_BUDGET &&
		    run.exit.reason != MONTECITO_EXIT_SIGNAL)
			die(EIO, "run ended with reason %u", run.exit.reason);
		*done += run.exit.insns;
		drain(m, id, out);
	}
}

static void read_regs(struct montecito *m, struct outcome *out)
{
	unsigned int v, cls, i;

	for (v = 0; v < VCPUS; v++)
		for (cls = 0; cls < CLASSES; cls++)
			for (i = 0; i < REGS; i++) {
				struct montecito_reg reg = { .cls = cls, .index = i };
				int ret = montecito_get_regs(m, v, &reg, 1);

				out->reg[v][cls][i][0] = ret < 0 ? (uint64_t)ret : reg.value[0];
				out->reg[v][cls][i][1] = ret < 0 ? 0 : reg.value[1];
			}
}

static void read_memory(struct montecito *m, struct outcome *out)
{
	const uint8_t *memory = montecito_memory(m, &(uint64_t){ 0 });
	unsigned int v;

	for (v = 0; v < VCPUS; v++) {
		out->rounds[v] = *(const uint64_t *)(memory + RESULTS + 64 * v);
		out->vector[v] = *(const uint64_t *)(memory + RESULTS + 64 * v + 8);
		out->own[v] = *(const uint64_t *)(memory + OWN + 8 * v);
	}
	out->shared = *(const uint64_t *)(memory + SHARED);
	out->purges = *(const uint64_t *)(memory + PURGES);
}

/* The first half in one machine, and the second in it as well, or in one elsewhere. */
static void run(const struct how *how, struct outcome *out)
{
	struct montecito *m = open_machine(how->device[0], how->slower);
	uint32_t id[VCPUS][EVENTS];
	uint64_t done = 0;
	unsigned int v;

	memset(out, 0, sizeof(*out));
	load(m);
	count(m, id);
	run_to(m, &done, INSNS / 2, how->cut, id, out);
	if (how->device[1] != how->device[0]) {
		struct montecito *other = open_machine(how->device[1], how->slower);
		size_t len;
		void *blob;

		refused(montecito_save(m, &blob, &len), "save");
		refused(montecito_restore(other, blob, len), "restore");
		free(blob);
		montecito_close(m);
		m = other;
		run_to(m, &done, INSNS, how->cut, id, out);
	} else {
		run_to(m, &done, INSNS, how->cut, id, out);
		for (v = 0; v < VCPUS; v++) {
			refused(montecito_observer_read(m, v, id[v], out->counts[v], EVENTS),
				"observers");
			if (montecito_ring_lost(m, v))
				die(EIO, "samples are lost");
		}
	}
	read_regs(m, out);
	read_memory(m, out);
	out->hash = machine_hash(m);
	montecito_close(m);
}

/* Bits of registers, counts, samples and hash: those of @a and @b that differ. */
static unsigned int differ(const struct outcome *a, const struct outcome *b)
{
	bool samples = memcmp(a->samples, b->samples, sizeof(a->samples)) ||
		       memcmp(a->samples_hash, b->samples_hash, sizeof(a->samples_hash));

	return (memcmp(a->reg, b->reg, sizeof(a->reg)) ? 1 : 0) |
	       (memcmp(a->counts, b->counts, sizeof(a->counts)) ? 2 : 0) | (samples ? 4 : 0) |
	       (a->hash != b->hash ? 8 : 0);
}

/* Say which registers of @have are others than in @want, some of them. */
static void tell(const struct outcome *have, const struct outcome *want)
{
	unsigned int v, cls, i, told = 0;

	for (v = 0; v < VCPUS; v++)
		for (cls = 0; cls < CLASSES; cls++)
			for (i = 0; i < REGS && told < 10; i++)
				if (memcmp(have->reg[v][cls][i], want->reg[v][cls][i], 16)) {
					told++;
					printf("# vcpu %u, class %u, register %u: %#" PRIx64
					       ", expected %#" PRIx64 "\n",
					       v, cls, i, have->reg[v][cls][i][0],
					       want->reg[v][cls][i][0]);
				}
}

/* The guest has done its rounds, and they are what there is in memory. */
static void test_guest(const struct outcome *o)
{
	uint64_t interrupts = 0, purges = VCPUS * (ROUNDS / 64), switches = 0, events = 0;
	unsigned int v, bad = 0;

	for (v = 0; v < VCPUS; v++) {
		uint64_t n = o->reg[v][MONTECITO_REG_GR][INTERRUPTS][0];

		/* One that comes while another one is pending is none. */
		bad += o->rounds[v] != ROUNDS || o->own[v] != ROUNDS || o->vector[v] || !n ||
		       n > FROM_EACH || o->samples[v] < 100;
		interrupts += n;
		switches += o->counts[v][10];
		events += o->counts[v][16] > 0;
	}
	ok(!bad, "each of %u processors has done its rounds, and had %" PRIu64 " interrupts in all",
	   VCPUS, interrupts);
	ok_eq(o->shared, VCPUS * ROUNDS, "no addition to the word of all is lost");
	ok_eq(o->purges, purges, "nor one under the lock of purges");
	ok(switches > ROUNDS && events == VCPUS, "threads switch, and lines go from core to core");
}

static void same(const struct how *how, const struct outcome *want)
{
	static struct outcome out;
	unsigned int bad;

	run(how, &out);
	bad = differ(&out, want);
	ok(!(bad & 1), "%s: the same registers", how->name);
	if (bad & 1)
		tell(&out, want);
	ok(!(bad & 8), "%s: the same state", how->name);
	/* Observers and rings stay where they are. */
	if (how->device[0] != how->device[1])
		return;
	ok(!(bad & 2), "%s: the same counts", how->name);
	ok(!(bad & 4), "%s: the same samples", how->name);
}

int main(int argc, char **argv)
{
	static struct outcome want, out;

	tap_args(argc, argv);
	run(&(struct how){ .name = "one go" }, &want);
	test_guest(&want);
	same(&(struct how){ "in-process, in pieces", { NULL, NULL }, true, 0 }, &want);
	if (tap_device) {
		const char *d = tap_device;

		same(&(struct how){ "device, in one go", { d, d }, false, 0 }, &want);
		same(&(struct how){ "device, in pieces", { d, d }, true, 0 }, &want);
		same(&(struct how){ "from here to the device", { NULL, d }, true, 0 }, &want);
		same(&(struct how){ "from the device to here", { d, NULL }, true, 0 }, &want);
	}
	/* A machine that is another one by one cycle is one by all that is compared. */
	run(&(struct how){ .device = { tap_device, tap_device }, .slower = 1 }, &out);
	ok_eq(differ(&out, &want), 15,
	      "a snoop phase that takes a cycle more is seen in all of them");
	return tap_done();
}
