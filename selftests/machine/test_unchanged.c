// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs end in the state that they end in with no other processor's PMU, with one of each kind
 * that the mode takes and every counter of these armed, interrupting and reloaded: without time
 * the original Itanium's alone. The host samples the machine's own PMU meanwhile. Counts, records
 * and their order are the same for slices of one group, of 20000 instructions and of a
 * millisecond, through the device and in-process; a machine that is saved and restored has lost
 * nothing of the guest, and the PMUs count on.
 */
#include <signal.h>
#include <sys/time.h>

#include "program.h"

#define SLICE 20000
#define PREFIX 20000 /* instructions that are run in slices of one group */
#define PERIOD 1009
#define MANY 20000 /* instructions: each PMU interrupts */
#define ES(code, umask) ((uint64_t)(code) << 8 | (uint64_t)(umask) << 16)
#define PLM 15
#define OI 0x20
#define RECORD (22 * 8)
#define BITS48 ((1ULL << 48) - 1)
#define PCTR (1ULL << 20)
#define PCTR_CTL(left0, left1, mode) ((PCTR - (left0)) << 28 | (PCTR - (left1)) << 6 | (mode))
#define SL0 0x10
#define PSR_UP 4

/* The PMUs: the last one profiles, and the one in front of it counts in aggregate mode. */
enum { MERCED, PEBS, AGGREGATE, PROFILE, PMUS };
#define NR_VALUES 12

struct reg {
	uint32_t cls, index;
	uint64_t value;
};

struct outcome {
	int status;
	uint64_t hash, insns, lost, records[PMUS + 1], words;
	uint64_t value[PMUS][NR_VALUES];
};

struct way {
	uint32_t timing;
	bool pmus, signals;
	uint64_t slice;
};

static struct outcome *out; /* of the run under way */

/* ---- the PMUs ---- */

/* Four counters, of which the first interrupts, the EARs and the trace buffer. */
static const struct reg merced[] = {
	{ MONTECITO_REG_PMC, 4, ES(0x08, 0) | PLM | OI },
	{ MONTECITO_REG_PMC, 5, ES(0x30, 0) | PLM },
	{ MONTECITO_REG_PMC, 6, ES(0x6c, 0) | PLM },
	{ MONTECITO_REG_PMC, 7, ES(0x0d, 1) | PLM },
	{ MONTECITO_REG_PMC, 12, PLM | 0xff80 },
	{ MONTECITO_REG_PMD, 4, -(uint64_t)PERIOD },
};
/* Events and units that need time are armed besides. */
static const struct reg merced_timed[] = {
	{ MONTECITO_REG_PMC, 6, ES(0x12, 0) | PLM },
	{ MONTECITO_REG_PMC, 7, ES(0x67, 0) | PLM },
	{ MONTECITO_REG_PMC, 10, PLM },
	{ MONTECITO_REG_PMC, 11, PLM | 1 << 28 },
};
static const struct reg merced_reload[] = {
	{ MONTECITO_REG_PMD, 4, -(uint64_t)PERIOD },
	{ MONTECITO_REG_PMC, 0, 0 },
};
/* Precise instructions and loads by latency; stores and the fixed counters interrupt. */
static const struct reg pebs[] = {
	{ MONTECITO_PMU_REG_DS, 0x30, 1000000 * (uint64_t)RECORD },
	{ MONTECITO_PMU_REG_DS, 0x38, 20 * RECORD },
	{ MONTECITO_PMU_REG_DS, 0x40, -997ULL & BITS48 },
	{ MONTECITO_PMU_REG_DS, 0x48, -11ULL & BITS48 },
	{ MONTECITO_PMU_REG_MSR, 0x186, 0x5300c0 },
	{ MONTECITO_PMU_REG_MSR, 0x187, 0x43100b },
	{ MONTECITO_PMU_REG_MSR, 0x188, 0x53020b },
	{ MONTECITO_PMU_REG_MSR, 0x189, 0x43003c },
	{ MONTECITO_PMU_REG_MSR, 0x38d, 0x3bb },
	{ MONTECITO_PMU_REG_MSR, 0xc1, -997ULL & BITS48 },
	{ MONTECITO_PMU_REG_MSR, 0xc2, -11ULL & BITS48 },
	{ MONTECITO_PMU_REG_MSR, 0xc3, -50ULL & BITS48 },
	{ MONTECITO_PMU_REG_MSR, 0x30a, -2000ULL & BITS48 },
	{ MONTECITO_PMU_REG_MSR, 0x3f1, 0x200000003 },
	{ MONTECITO_PMU_REG_MSR, 0x38f, 0x70000000f },
};
static const struct reg pebs_reload[] = {
	{ MONTECITO_PMU_REG_MSR, 0x390, ~0ULL },
	{ MONTECITO_PMU_REG_MSR, 0x30a, -5003ULL & BITS48 },
	{ MONTECITO_PMU_REG_DS, 0x28, 0 },
};
/* Retired instructions and misses of the L3: each interrupts. */
static const struct reg aggregate[] = {
	{ MONTECITO_PMU_REG_IPR, 0x0b, 3ULL << 29 },
	{ MONTECITO_PMU_REG_IPR, 0x14, PCTR_CTL(1511, 7, 2 << 2) },
	{ MONTECITO_PMU_REG_IPR, 0x11, 0xc0001 },
};
static const struct reg aggregate_reload[] = {
	{ MONTECITO_PMU_REG_IPR, 0x14, PCTR_CTL(1511, 7, 2 << 2) },
	{ MONTECITO_PMU_REG_IPR, 0x0e, 3ULL << 29 },
};
static const struct reg profile[] = {
	{ MONTECITO_PMU_REG_IPR, 0x0b, 3ULL << 29 },
	{ MONTECITO_PMU_REG_IPR, 0x14, PCTR_CTL(499, PCTR, SL0) },
	{ MONTECITO_PMU_REG_IPR, 0x11, 0xc0001 },
};
static const struct reg profile_reload[] = {
	{ MONTECITO_PMU_REG_IPR, 0x14, PCTR_CTL(499, PCTR, SL0) },
	{ MONTECITO_PMU_REG_IPR, 0x0e, 3ULL << 29 },
};

/* Registers that are compared at the end. */
static const struct reg ends[PMUS][NR_VALUES] = {
	[MERCED] = { { MONTECITO_REG_PMD, 4, 0 },
		     { MONTECITO_REG_PMD, 5, 0 },
		     { MONTECITO_REG_PMD, 6, 0 },
		     { MONTECITO_REG_PMD, 7, 0 },
		     { MONTECITO_REG_PMD, 0, 0 },
		     { MONTECITO_REG_PMD, 1, 0 },
		     { MONTECITO_REG_PMD, 2, 0 },
		     { MONTECITO_REG_PMD, 3, 0 },
		     { MONTECITO_REG_PMD, 17, 0 },
		     { MONTECITO_REG_PMD, 8, 0 },
		     { MONTECITO_REG_PMD, 16, 0 },
		     { MONTECITO_REG_PMC, 0, 0 } },
	[PEBS] = { { MONTECITO_PMU_REG_MSR, 0xc1, 0 },
		   { MONTECITO_PMU_REG_MSR, 0xc2, 0 },
		   { MONTECITO_PMU_REG_MSR, 0xc3, 0 },
		   { MONTECITO_PMU_REG_MSR, 0xc4, 0 },
		   { MONTECITO_PMU_REG_MSR, 0x309, 0 },
		   { MONTECITO_PMU_REG_MSR, 0x30a, 0 },
		   { MONTECITO_PMU_REG_MSR, 0x30b, 0 },
		   { MONTECITO_PMU_REG_MSR, 0x38e, 0 },
		   { MONTECITO_PMU_REG_DS, 0x28, 0 },
		   { MONTECITO_PMU_REG_OWN, 0, 0 },
		   { MONTECITO_PMU_REG_OWN, 1, 0 } },
	[AGGREGATE] = { { MONTECITO_PMU_REG_IPR, 0x14, 0 },
			{ MONTECITO_PMU_REG_IPR, 0x0d, 0 },
			{ MONTECITO_PMU_REG_OWN, 0, 0 },
			{ MONTECITO_PMU_REG_OWN, 1, 0 } },
	[PROFILE] = { { MONTECITO_PMU_REG_IPR, 0x14, 0 },
		      { MONTECITO_PMU_REG_IPR, 0x0d, 0 },
		      { MONTECITO_PMU_REG_IPR, 0x05, 0 },
		      { MONTECITO_PMU_REG_IPR, 0x16, 0 },
		      { MONTECITO_PMU_REG_OWN, 0, 0 },
		      { MONTECITO_PMU_REG_OWN, 1, 0 } },
};

#define NR(a) (sizeof(a) / sizeof((a)[0]))

static uint32_t add(struct montecito *m, uint32_t kind, const struct reg *reload, size_t nr_reload)
{
	struct montecito_pmu_add a = {
		.flags = MONTECITO_PMU_SAMPLE,
		.kind = kind,
		.nr_reload = nr_reload,
		.sample_pmds = kind == MONTECITO_PMU_MERCED ? 0x300f0 : 0,
	};
	size_t i;
	int ret;

	for (i = 0; i < nr_reload; i++)
		a.reload[i] = (struct montecito_pmu_reg){ .cls = reload[i].cls,
							  .index = reload[i].index,
							  .value = reload[i].value };
	ret = montecito_pmu_add(m, 0, &a);
	if (ret < 0)
		die(ret, "%s", a.why);
	return ret;
}

static void set(struct montecito *m, uint32_t id, const struct reg *reg, size_t nr)
{
	char why[128];
	size_t i;

	for (i = 0; i < nr; i++) {
		struct montecito_pmu_reg r = { .cls = reg[i].cls,
					       .index = reg[i].index,
					       .value = reg[i].value };
		int ret = montecito_pmu_set(m, 0, id, &r, 1, why);

		if (ret < 0)
			die(ret, "register %#x of class %u: %s", r.index, r.cls, why);
	}
}

/* The PMUs that a machine with @timing takes, in the order of the enum. */
static void add_all(struct montecito *m, uint32_t timing, uint32_t id[PMUS])
{
	memset(id, 0, PMUS * sizeof(*id));
	id[MERCED] = add(m, MONTECITO_PMU_MERCED, merced_reload, NR(merced_reload));
	set(m, id[MERCED], merced, NR(merced));
	if (!timing)
		return;
	set(m, id[MERCED], merced_timed, NR(merced_timed));
	id[PEBS] = add(m, MONTECITO_PMU_PEBS, pebs_reload, NR(pebs_reload));
	set(m, id[PEBS], pebs, NR(pebs));
	id[AGGREGATE] = add(m, MONTECITO_PMU_EV68A, aggregate_reload, NR(aggregate_reload));
	set(m, id[AGGREGATE], aggregate, NR(aggregate));
	id[PROFILE] = add(m, MONTECITO_PMU_EV68A, profile_reload, NR(profile_reload));
	set(m, id[PROFILE], profile, NR(profile));
}

/* The machine's own PMU is the host's, which samples instructions by it. */
static void use_pmu(struct montecito *m)
{
	struct montecito_pmu_sampling s = {
		.size = sizeof(s),
		.flags = MONTECITO_PMU_RELOAD,
		.counter = 4,
		.sample_pmds = 0x10,
		.reload = (1ULL << 47) - 4001,
	};
	uint64_t psr = machine_reg(m, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR);
	int ret = montecito_pmu_sampling(m, 0, &s);

	if (!ret)
		ret = montecito_set_reg(m, 0, MONTECITO_REG_PMC, 4, ES(0x08, 0) | PLM | OI);
	if (!ret)
		ret = montecito_set_reg(m, 0, MONTECITO_REG_PMD, 4, s.reload);
	if (!ret)
		ret = montecito_set_reg(m, 0, MONTECITO_REG_PMC, 0, 0);
	if (!ret)
		ret = montecito_set_reg(m, 0, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR,
					psr | PSR_UP);
	if (ret < 0)
		die(ret, "the machine's PMU");
}

/* ---- runs ---- */

static void signals(bool on)
{
	struct itimerval it = { { 0, on ? 1000 : 0 }, { 0, on ? 1000 : 0 } };

	setitimer(ITIMER_REAL, &it, NULL);
}

static void on_alarm(int sig)
{
	(void)sig;
}

static int drain(struct montecito *m, void *arg)
{
	static uint64_t buf[16384];
	int n, i;

	(void)arg;
	while ((n = montecito_ring_read(m, 0, buf, sizeof(buf))) > 0)
		for (i = 0; i < n / 8;) {
			const struct montecito_record_header *h = (const void *)&buf[i];
			const struct montecito_record_pmu *r = (const void *)h;
			int end = i + h->size / 8;

			if (h->type == MONTECITO_RECORD_PMU && r->id <= PMUS)
				out->records[r->id]++;
			else
				out->records[0]++;
			for (; i < end; i++)
				out->words = (out->words ^ buf[i]) * 0x9e3779b97f4a7c15ULL;
		}
	return 0;
}

struct run {
	struct montecito *m;
	struct montecito_process *p;
	uint32_t id[PMUS];
	off_t read; /* how far the program has read its input */
	struct outcome o;
};

static void start(struct run *r, const char *path, const struct way *way, uint64_t budget)
{
	int ret;

	memset(r, 0, sizeof(*r));
	r->m = machine_open(MONTECITO_CFG_HOST_INTERRUPTIONS | MONTECITO_CFG_HOST_PMU, way->timing);
	r->p = program_load(r->m, path, budget);
	ret = montecito_ring_open(r->m, 0, 10, 0);
	if (ret < 0)
		die(ret, "ring");
	use_pmu(r->m);
	if (way->pmus)
		add_all(r->m, way->timing, r->id);
	montecito_process_tick(r->p, way->slice, drain, NULL);
}

/* Go on to the end of the program, or of a budget. */
static void go(struct run *r, const char *path, bool alarms)
{
	struct program_place place = program_enter(path);

	/* The program goes on in its input behind the part that it has read. */
	lseek(STDIN_FILENO, r->read, SEEK_SET);
	out = &r->o;
	signals(alarms);
	do {
		r->o.status = montecito_process_run(r->p);
	} while (r->o.status == -EINTR);
	signals(false);
	r->read = lseek(STDIN_FILENO, 0, SEEK_CUR);
	program_leave(&place);
	drain(r->m, NULL);
}

static void take(struct run *r)
{
	char why[128];
	int i, n;

	r->o.hash = machine_hash(r->m);
	r->o.insns = machine_reg(r->m, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS);
	r->o.lost = montecito_ring_lost(r->m, 0);
	for (i = 0; i < PMUS && r->id[i]; i++)
		for (n = 0; n < NR_VALUES && ends[i][n].cls; n++) {
			struct montecito_pmu_reg reg = { .cls = ends[i][n].cls,
							 .index = ends[i][n].index };
			int ret = montecito_pmu_get(r->m, 0, r->id[i], &reg, 1, why);

			if (ret < 0)
				die(ret, "register %#x of class %u: %s", reg.index, reg.cls, why);
			r->o.value[i][n] = reg.value;
		}
}

static struct outcome finish(struct run *r)
{
	montecito_process_free(r->p);
	montecito_close(r->m);
	return r->o;
}

static struct outcome whole(const char *path, const struct way *way)
{
	struct run r;

	start(&r, path, way, 0);
	go(&r, path, way->signals);
	take(&r);
	return finish(&r);
}

/* Up to @insns instructions, in calls of @budget: where it ends depends on neither. */
static struct outcome prefix(const char *path, const struct way *way, uint64_t insns,
			     uint64_t budget)
{
	struct run r;

	start(&r, path, way, budget);
	do {
		go(&r, path, false);
	} while (r.o.status == -EDQUOT &&
		 machine_reg(r.m, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS) < insns);
	take(&r);
	return finish(&r);
}

/* True if nothing that the guest or the PMUs have differs. */
static bool same(const struct outcome *a, const struct outcome *b)
{
	int i, n;

	if (!memcmp(a, b, sizeof(*a)))
		return true;
	printf("# hashes %#" PRIx64 " %#" PRIx64 ", instructions %" PRIu64 " %" PRIu64
	       ", words %#" PRIx64 " %#" PRIx64 "\n",
	       a->hash, b->hash, a->insns, b->insns, a->words, b->words);
	for (i = 0; i <= PMUS; i++)
		if (a->records[i] != b->records[i])
			printf("# records of %d: %" PRIu64 " %" PRIu64 "\n", i, a->records[i],
			       b->records[i]);
	for (i = 0; i < PMUS; i++)
		for (n = 0; n < NR_VALUES; n++)
			if (a->value[i][n] != b->value[i][n])
				printf("# PMU %d, register %#x: %#" PRIx64 " %#" PRIx64 "\n", i,
				       ends[i][n].index, a->value[i][n], b->value[i][n]);
	return false;
}

/*
 * Saved and restored in the middle: the guest has lost nothing, and the PMUs have not noticed. The
 * program does not run in between, whose pages its own kernel keeps, which is not saved.
 */
static void saved(const char *name, const char *path, const struct way *way,
		  const struct outcome *plain)
{
	uint64_t middle;
	struct run r;
	size_t len;
	void *blob;
	int ret;

	start(&r, path, way, PREFIX / 2);
	go(&r, path, false);
	middle = machine_hash(r.m);
	ret = montecito_save(r.m, &blob, &len);
	if (!ret)
		ret = montecito_restore(r.m, blob, len);
	if (ret < 0)
		die(ret, "save and restore");
	free(blob);
	ok(machine_hash(r.m) == middle, "%s: restored, the guest is what it was", name);
	while (r.o.status == -EDQUOT)
		go(&r, path, false);
	take(&r);
	ok(same(plain, &r.o), "%s: and it and the PMUs end as in one go", name);
	finish(&r);
}

/* The run as it is in-process, where the tests go through the device. */
static struct outcome in_process(const char *path, const struct way *way)
{
	const char *device = tap_device;
	struct outcome o;

	tap_device = NULL;
	o = whole(path, way);
	tap_device = device;
	return o;
}

static void unchanged(const char *path, uint32_t timing, const char *with)
{
	const struct way plain = { timing, false, false, SLICE };
	const struct way slices = { timing, true, false, SLICE };
	const struct way alarms = { timing, true, true, 7 * SLICE };
	const char *base = strrchr(path, '/') + 1;
	struct outcome none = whole(path, &plain), pmus = whole(path, &slices), other;
	unsigned int i, nr = timing ? PMUS : 1;
	char name[256];

	snprintf(name, sizeof(name), "%s%s", base, with);
	ok(pmus.hash == none.hash && pmus.insns == none.insns && pmus.status == none.status &&
		   !none.status,
	   "%s: ends in the state of a run without PMUs", name);
	/* Programs of some thousands of instructions end before some of them interrupt. */
	for (i = 1; i <= nr && pmus.insns >= MANY; i++)
		ok(pmus.records[i], "%s: %" PRIu64 " records of PMU %u", name, pmus.records[i], i);
	ok((pmus.records[0] || pmus.insns < MANY) && pmus.records[0] == none.records[0] &&
		   !pmus.lost,
	   "%s: %" PRIu64 " of the machine's own PMU, and none is lost", name, pmus.records[0]);
	other = whole(path, &alarms);
	ok(same(&pmus, &other), "%s: in slices of a millisecond counts and records are the same",
	   name);
	if (tap_device) {
		other = in_process(path, &slices);
		ok(same(&pmus, &other), "%s: and in-process", name);
	}
	other = prefix(path, &slices, PREFIX, 1);
	none = prefix(path, &slices, other.insns, other.insns);
	ok(same(&none, &other), "%s: and in slices of one group", name);
	saved(name, path, &slices, &pmus);
}

int main(int argc, char **argv)
{
	struct sigaction sa = { .sa_handler = on_alarm };
	static char own[2][4096], real[4096];
	char *programs[] = { own[0], own[1] };
	int i;

	tap_args(argc, argv);
	sigaction(SIGALRM, &sa, NULL);
	if (!tap_nr_programs) {
		snprintf(own[0], sizeof(own[0]), "%s/count.elf", tap_guests);
		snprintf(own[1], sizeof(own[1]), "%s/workload.elf", tap_guests);
		tap_program = programs;
		tap_nr_programs = 2;
	}
	for (i = 0; i < tap_nr_programs; i++) {
		if (!realpath(tap_program[i], real))
			die(errno, "%s", tap_program[i]);
		unchanged(real, MONTECITO_TIMING_OFF, "");
		unchanged(real, MONTECITO_TIMING_ON, ", timed");
	}
	return tap_done();
}
