// SPDX-License-Identifier: GPL-2.0-only
/*
 * Another processor's PMU on a machine changes nothing of it: guests that use their own PMU
 * end in the same state with two such PMUs, every counter armed, that interrupt and are
 * reloaded; what these count and record is the same for a run in one go, in pieces of one
 * group, and ended by each interrupt; a save and a restore in the middle end neither. Monitors
 * that go by the guest's PSR (Q10) count the processes, levels and handlers that they should.
 */
#include "tap.h"

#define INSNS 8000
#define HALF 4000
#define PERIOD 37
#define ES(code, umask) ((uint64_t)(code) << 8 | (uint64_t)(umask) << 16)
#define PLM 15
#define OI 0x20
#define NR_REGS 8
#define NR_MERCED 3
#define NR_PMUS 4 /* with PEBS, which needs time */
#define PEBS 3
#define RESET (-23ULL & ((1ULL << 48) - 1))

struct outcome {
	uint64_t hash;
	uint64_t value[NR_PMUS][NR_REGS];
	uint64_t records, assists, record_hash, stops;
};

static char why[128];

static void set(struct montecito *m, uint32_t id, uint32_t cls, uint32_t index, uint64_t value)
{
	struct montecito_pmu_reg reg = { .cls = cls, .index = index, .value = value };
	int ret = montecito_pmu_set(m, 0, id, &reg, 1, why);

	if (ret < 0)
		die(ret, "register %u of class %u: %s", index, cls, why);
}

static uint64_t get(struct montecito *m, uint32_t id, uint32_t cls, uint32_t index)
{
	struct montecito_pmu_reg reg = { .cls = cls, .index = index };
	int ret = montecito_pmu_get(m, 0, id, &reg, 1, why);

	if (ret < 0)
		die(ret, "register %u of class %u: %s", index, cls, why);
	return reg.value;
}

/* Precise instructions, loads by latency, and counters that overflow with an interrupt. */
static void add_pebs(struct montecito *m, uint32_t flags, uint32_t id[NR_PMUS])
{
	static const uint64_t reg[][3] = {
		{ MONTECITO_PMU_REG_DS, 0x30, 100000 * 176 },
		{ MONTECITO_PMU_REG_DS, 0x38, 20 * 176 },
		{ MONTECITO_PMU_REG_DS, 0x40, RESET },
		{ MONTECITO_PMU_REG_DS, 0x48, -2ULL },
		{ MONTECITO_PMU_REG_MSR, 0x186, 0x5300c0 },
		{ MONTECITO_PMU_REG_MSR, 0x187, 0x43100b },
		{ MONTECITO_PMU_REG_MSR, 0x188, 0x53010b },
		{ MONTECITO_PMU_REG_MSR, 0x189, 0x43003c },
		{ MONTECITO_PMU_REG_MSR, 0x38d, 0x3bb },
		{ MONTECITO_PMU_REG_MSR, 0xc1, RESET },
		{ MONTECITO_PMU_REG_MSR, 0xc3, -50ULL },
		{ MONTECITO_PMU_REG_MSR, 0x30a, -2000ULL },
		{ MONTECITO_PMU_REG_MSR, 0x3f1, 0x200000003 },
		{ MONTECITO_PMU_REG_MSR, 0x38f, 0x70000000f },
	};
	struct montecito_pmu_add a = {
		.flags = MONTECITO_PMU_SAMPLE | flags,
		.kind = MONTECITO_PMU_PEBS,
		.nr_reload = 1,
		.reload = { { MONTECITO_PMU_REG_MSR, 0x390, ~0ULL } },
	};
	unsigned int i;
	int ret = montecito_pmu_add(m, 0, &a);

	if (ret < 0)
		die(ret, "%s", a.why);
	id[PEBS] = ret;
	for (i = 0; i < sizeof(reg) / sizeof(reg[0]); i++)
		set(m, id[PEBS], reg[i][0], reg[i][1], reg[i][2]);
}

/*
 * Instructions and what time has: the first PMU is sampled, the second filtered, and the third
 * goes by the guest's PSR, which nothing but the guest changes.
 */
static void add(struct montecito *m, uint32_t timing, uint32_t flags, uint32_t id[NR_PMUS])
{
	struct montecito_pmu_add a = {
		.flags = MONTECITO_PMU_SAMPLE | flags,
		.kind = MONTECITO_PMU_MERCED,
		.sample_pmds = 0xf0,
		.nr_reload = 2,
		.reload = { { MONTECITO_REG_PMD, 4, -(uint64_t)PERIOD },
			    { MONTECITO_REG_PMC, 0, 0 } },
	};
	int i, ret;

	id[PEBS] = 0;
	for (i = 0; i < NR_MERCED; i++) {
		ret = montecito_pmu_add(m, 0, &a);
		if (ret < 0)
			die(ret, "%s", a.why);
		id[i] = ret;
		set(m, id[i], MONTECITO_REG_PMC, 4, ES(0x08, 0) | PLM | OI);
		set(m, id[i], MONTECITO_REG_PMD, 4, -(uint64_t)PERIOD);
		set(m, id[i], MONTECITO_REG_PMC, 5, ES(0x30, 0) | PLM);
		set(m, id[i], MONTECITO_REG_PMC, 6, (timing ? ES(0x12, 0) : ES(0x6c, 0)) | PLM);
		set(m, id[i], MONTECITO_REG_PMC, 7, (timing ? ES(0x66, 0) : ES(0x0d, 1)) | PLM);
		a.flags = MONTECITO_PMU_SAMPLE | (i ? MONTECITO_PMU_FOLLOW_PSR : 0);
	}
	/* One bundle of two, and instructions of M slots. */
	set(m, id[1], MONTECITO_REG_IBR, 0, 0);
	set(m, id[1], MONTECITO_REG_IBR, 1, 0x10);
	set(m, id[1], MONTECITO_REG_PMC, 13, 0);
	set(m, id[1], MONTECITO_REG_PMC, 8, 1ULL << 63 | ((1ULL << 27) - 1) << 3);
	if (timing)
		add_pebs(m, 0, id);
}

static void drain(struct montecito *m, struct outcome *o)
{
	uint64_t buf[8192];
	int n, i;

	while ((n = montecito_ring_read(m, 0, buf, sizeof(buf))) > 0)
		for (i = 0; i < n / 8; i++) {
			const struct montecito_record_header *h = (const void *)&buf[i];

			o->record_hash = (o->record_hash ^ buf[i]) * 0x9e3779b97f4a7c15ULL;
			if (h->type == MONTECITO_RECORD_PMU && h->misc == MONTECITO_PMU_MERCED &&
			    h->size == sizeof(struct montecito_record_pmu) + 40)
				o->records++;
			o->assists += h->type == MONTECITO_RECORD_PMU &&
				      h->misc == MONTECITO_PMU_PEBS &&
				      h->size == sizeof(struct montecito_record_pmu) + 22 * 8;
		}
}

static void run_to(struct montecito *m, uint64_t until, uint64_t slice, struct outcome *o)
{
	uint64_t now = machine_reg(m, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS);

	while (now < until) {
		struct montecito_run run;
		uint64_t left = until - now;
		int ret = montecito_run(m, slice && slice < left ? slice : left, 0, &run);

		if (ret < 0)
			die(ret, "run");
		if (run.exit.reason == MONTECITO_EXIT_PMU_BLOCK)
			o->stops++;
		else if (run.exit.reason != MONTECITO_EXIT_BUDGET)
			die(EIO, "exit %u", run.exit.reason);
		now += run.exit.insns;
		drain(m, o);
	}
}

static void outcome(struct montecito *m, const uint32_t id[NR_PMUS], struct outcome *o)
{
	int i, n;

	o->hash = machine_hash(m);
	for (i = 0; id[PEBS] && i < 7; i++)
		o->value[PEBS][i] =
			get(m, id[PEBS], MONTECITO_PMU_REG_MSR, i < 4 ? 0xc1 + i : 0x305 + i);
	for (i = 0; i < NR_MERCED; i++) {
		for (n = 0; n < 4; n++)
			o->value[i][n] = get(m, id[i], MONTECITO_REG_PMD, 4 + n);
		o->value[i][4] = get(m, id[i], MONTECITO_REG_PMC, 0);
	}
}

static struct montecito *boot(const char *image, uint32_t timing)
{
	struct montecito *m = machine_boot(image, 0, timing);
	int ret = montecito_ring_open(m, 0, 8, 0);

	if (ret < 0)
		die(ret, "ring");
	return m;
}

static struct outcome measure(const char *image, uint32_t timing, uint32_t flags, uint64_t slice)
{
	struct montecito *m = boot(image, timing);
	struct outcome o = { 0 };
	uint32_t id[NR_PMUS];

	add(m, timing, flags, id);
	run_to(m, INSNS, slice, &o);
	outcome(m, id, &o);
	montecito_close(m);
	return o;
}

static bool same(const struct outcome *a, const struct outcome *b)
{
	return a->hash == b->hash && a->records == b->records && a->record_hash == b->record_hash &&
	       a->assists == b->assists && !memcmp(a->value, b->value, sizeof(a->value));
}

/* Occurrences between two values of a counter of 32 bits. */
static uint32_t since(uint64_t from, uint64_t to)
{
	return to - from;
}

static void saved(const char *image, uint32_t timing, uint64_t hash)
{
	struct montecito *m = boot(image, timing);
	struct outcome half = { 0 }, whole = { 0 }, again = { 0 };
	uint32_t id[NR_PMUS];
	size_t len;
	void *blob;
	int ret, n;

	add(m, timing, 0, id);
	run_to(m, HALF, 0, &half);
	outcome(m, id, &half);
	ret = montecito_save(m, &blob, &len);
	if (ret < 0)
		die(ret, "save");
	run_to(m, INSNS, 0, &whole);
	outcome(m, id, &whole);
	ok(whole.hash == hash, "%s: saved in the middle", image);
	ret = montecito_restore(m, blob, len);
	if (ret < 0)
		die(ret, "restore");
	run_to(m, INSNS, 0, &again);
	outcome(m, id, &again);
	ok(again.hash == hash, "%s: restored", image);
	for (n = 1; n < 4; n++)
		ok(since(whole.value[0][n], again.value[0][n]) ==
			   since(half.value[0][n], whole.value[0][n]),
		   "%s: counter %d goes on", image, n);
	free(blob);
	montecito_close(m);
}

static uint32_t add_one(struct montecito *m, uint32_t flags)
{
	struct montecito_pmu_add a = { .flags = flags, .kind = MONTECITO_PMU_MERCED };
	int ret = montecito_pmu_add(m, 0, &a);

	if (ret < 0)
		die(ret, "%s", a.why);
	return ret;
}

/* The categories of cycles of the original Itanium part every cycle, at each level. */
static void relation(const char *image, unsigned int plm)
{
	static const uint32_t code[8] = { 0x12, 0x05, 0x06, 0x07, 0x04, 0x00, 0x02, 0x03 };
	struct montecito *m = boot(image, MONTECITO_TIMING_ON);
	struct outcome o = { 0 };
	uint64_t n[8];
	uint32_t id = 0;
	int i;

	for (i = 0; i < 8; i++) {
		if (!(i & 3))
			id = add_one(m, 0);
		set(m, id, MONTECITO_REG_PMC, 4 + (i & 3), ES(code[i], 0) | plm);
	}
	run_to(m, INSNS, 0, &o);
	for (i = 0; i < 8; i++)
		n[i] = get(m, i / 4 + id - 1, MONTECITO_REG_PMD, 4 + (i & 3));
	ok(n[0] && n[0] == n[1] + n[2] + n[3] + n[4] && n[4] >= n[5] && n[2] >= n[6] &&
		   n[3] >= n[7] && (plm != PLM || (n[1] && n[2] > n[6])),
	   "%s, plm %x: %llu cycles in four categories", image, plm, (unsigned long long)n[0]);
	if (n[0] != n[1] + n[2] + n[3] + n[4])
		printf("# %llu unstalled, %llu dependency, %llu memory, %llu flush\n",
		       (unsigned long long)n[1], (unsigned long long)n[2], (unsigned long long)n[3],
		       (unsigned long long)n[4]);
	montecito_close(m);
}

static uint64_t random_state;

static uint64_t below(uint64_t n)
{
	random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (random_state >> 33) % n;
}

static struct montecito_pmu_reg random_register(bool pebs)
{
	static const uint32_t classes[] = {
		MONTECITO_REG_PMC, MONTECITO_REG_PMC, MONTECITO_REG_PMC,     MONTECITO_REG_PMD,
		MONTECITO_REG_IBR, MONTECITO_REG_DBR, MONTECITO_REG_SPECIAL,
	};
	static const uint32_t msrs[] = {
		0xc1, 0xc2, 0x186, 0x187, 0x38d, 0x38f, 0x390, 0x3f1, 0x3f6
	};
	struct montecito_pmu_reg reg = { .cls = classes[below(7)], .index = below(14) };

	if (pebs) {
		reg.cls = below(4) ? MONTECITO_PMU_REG_MSR : MONTECITO_PMU_REG_DS;
		reg.index = below(4) ? msrs[below(9)] : 0x20 + 8 * below(8);
		if (reg.cls == MONTECITO_PMU_REG_MSR && reg.index < 0xc8)
			reg.value = -below(20);
		else if (reg.cls == MONTECITO_PMU_REG_DS || reg.index < 0x60)
			reg.value = 176 * below(100);
		else if (reg.index == 0x186 || reg.index == 0x187)
			reg.value = (below(2) ? 0xc0 : 0x100b) | below(128) << 16;
		else
			reg.value = below(2) ? below(16) : ~0ULL >> below(64);
		return reg;
	}
	if (reg.cls == MONTECITO_REG_SPECIAL)
		reg.index = MONTECITO_SPECIAL_PSR;
	else if (reg.cls == MONTECITO_REG_PMD)
		reg.value = -below(20);
	else if (reg.cls == MONTECITO_REG_PMC && reg.index < 8)
		reg.value = ES(below(2) ? 0x08 : below(128), below(2) ? 0 : below(16)) |
			    below(0x80) | below(4) << 24;
	else
		reg.value = below(3) ? ~0ULL << below(64) : below(1 << 20);
	return reg;
}

/* Registers are written at random, PMUs come and go: the guest notices nothing. */
static void hostile(const char *image, uint32_t timing, uint64_t hash)
{
	struct montecito *m = boot(image, timing);
	struct montecito_pmu_reg reg[6];
	struct outcome o = { 0 };
	uint64_t at, taken = 0;
	uint32_t id[NR_PMUS];
	unsigned int n, i, which;
	int ret;

	random_state = 1;
	add(m, timing, MONTECITO_PMU_STOP, id);
	for (at = 1; at < INSNS; at += 1 + below(3)) {
		run_to(m, at, 0, &o);
		n = 1 + below(6);
		which = below(timing ? NR_PMUS : NR_MERCED);
		for (i = 0; i < n; i++)
			reg[i] = random_register(which == PEBS);
		taken += !montecito_pmu_set(m, 0, id[which], reg, n, why);
		if (below(50))
			continue;
		for (i = 0; i < (timing ? NR_PMUS : NR_MERCED); i++) {
			ret = montecito_pmu_del(m, 0, id[i]);
			if (ret < 0)
				die(ret, "delete");
		}
		add(m, timing, MONTECITO_PMU_STOP, id);
	}
	run_to(m, INSNS, 0, &o);
	ok(machine_hash(m) == hash, "%s: registers written at random", image);
	ok(taken > 500 && o.records, "%s: %llu writes were taken", image,
	   (unsigned long long)taken);
	montecito_close(m);
}

static void test(const char *image, uint32_t timing)
{
	struct montecito *m = machine_boot(image, 0, timing);
	struct outcome whole, other;
	uint64_t hash, insns;

	printf("# %s, %s time\n", image, timing ? "with" : "without");
	machine_run_to(m, INSNS, 0);
	hash = machine_hash(m);
	insns = machine_reg(m, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS);
	montecito_close(m);
	whole = measure(image, timing, 0, 0);
	ok(whole.hash == hash, "%s: the state is what it is without", image);
	/* Groups of up to six instructions end a period late; the other PMU has few of them. */
	ok(whole.records >= insns / (PERIOD + 5) && whole.records <= 2 * insns / PERIOD,
	   "%s: %llu records", image, (unsigned long long)whole.records);
	/* An assist comes with the 24th instruction or in the group of it. */
	ok(!timing == !whole.assists && whole.assists <= insns / 24 + insns &&
		   (!timing || whole.assists >= insns / (24 + 5)),
	   "%s: %llu assists", image, (unsigned long long)whole.assists);
	ok(whole.value[0][1] && whole.value[0][2] && whole.value[1][2] &&
		   whole.value[1][2] < whole.value[0][2] + timing,
	   "%s: counts", image);
	other = measure(image, timing, 0, 1);
	ok(same(&whole, &other), "%s: in pieces of one group", image);
	other = measure(image, timing, 0, 100);
	ok(same(&whole, &other), "%s: in pieces of 100 instructions", image);
	other = measure(image, timing, MONTECITO_PMU_STOP, 0);
	ok(same(&whole, &other), "%s: stopped by each interrupt", image);
	ok(other.stops && other.stops <= other.records, "%s: %llu stops", image,
	   (unsigned long long)other.stops);
	saved(image, timing, hash);
	hostile(image, timing, hash);
}

/* Instructions of the processes of pmuprocs.S, of their part of the kernel and their handlers. */
static const uint64_t part[3][3] = {
	{ 3 + 3 * 10, 3 + 3 * 11, 2 * 24 + 3 * (1 + 2) },
	{ 3 + 3 * 23, 3 + 3 * 29, 2 * 24 + 3 * (4 + 8) },
	{ 3 + 3 * 53, 3 + 3 * 71, 2 * 24 + 3 * (16 + 32) },
};

#define PSR_UP 4
#define PSR_PP (1 << 21)
#define END_OF_PROCESSES 0x736375727073ULL

static void set_gr(struct montecito *m, uint32_t n, uint64_t value)
{
	int ret = montecito_set_reg(m, 0, MONTECITO_REG_GR, n, value);

	if (ret < 0)
		die(ret, "r%u", n);
}

/*
 * Q10: figures 6-6 to 6-8 with the first @nr of three processes monitored: the user's
 * instructions; those and the kernel's, PSR.up going with a process into its handlers; and by
 * PSR.pp with the handlers of all, if DCR.pp lets them.
 */
static void processes(uint32_t timing, unsigned int nr, unsigned int dcr_pp)
{
	struct montecito *m = machine_boot("pmuprocs.elf", 0, timing);
	uint32_t id = add_one(m, MONTECITO_PMU_FOLLOW_PSR), system, own;
	struct montecito_pmu_reg psr = { MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR, 0 };
	uint64_t user = 0, kernel = 0, up = 0, pp = 0;
	unsigned int p;

	for (p = 0; p < 3; p++) {
		set_gr(m, 8 + p, p < nr ? PSR_UP | PSR_PP : 0);
		pp += dcr_pp ? part[p][2] : 0;
		if (p >= nr)
			continue;
		user += part[p][0];
		kernel += part[p][1];
		up += part[p][2];
	}
	set_gr(m, 11, dcr_pp);
	set(m, id, MONTECITO_REG_PMC, 4, ES(0x08, 0) | 8);
	set(m, id, MONTECITO_REG_PMC, 5, ES(0x08, 0) | 9);
	system = add_one(m, MONTECITO_PMU_FOLLOW_PSR);
	set(m, system, MONTECITO_REG_PMC, 4, ES(0x08, 0) | 9 | 0x40);
	own = add_one(m, 0);
	set(m, own, MONTECITO_REG_PMC, 4, ES(0x08, 0) | PLM);
	ok(montecito_pmu_set(m, 0, id, &psr, 1, why) == -EPERM && strstr(why, "guest"),
	   "Q10: the guest's PSR is not the PMU's");
	machine_run_to(m, 2000, 1);
	ok(machine_reg(m, MONTECITO_REG_GR, 13) == END_OF_PROCESSES, "the processes have ended");
	ok_eq(get(m, id, MONTECITO_REG_PMD, 4), user, "Q10: user level");
	ok_eq(get(m, id, MONTECITO_REG_PMD, 5), user + kernel + up, "Q10: user and kernel");
	ok_eq(get(m, system, MONTECITO_REG_PMD, 4), user + kernel + pp, "Q10: with handlers");
	ok(get(m, own, MONTECITO_REG_PMD, 4) >= 2000, "Q9: by bits of its own it counts all");
	ok_eq(get(m, id, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR), 0, "Q10: PSR now");
	montecito_close(m);
}

int main(int argc, char **argv)
{
	static const char *const images[] = {
		"pmurules.elf",
		"pmuprocs.elf",
		"pmudata.elf",
		"pmuear.elf",
	};
	unsigned int nr, i;

	tap_args(argc, argv);
	for (nr = 1; nr <= 3; nr++) {
		processes(MONTECITO_TIMING_OFF, nr, 1);
		processes(MONTECITO_TIMING_ON, nr, nr & 1);
	}
	for (i = 0; i < sizeof(images) / sizeof(images[0]); i++) {
		relation(images[i], 1);
		/* The others stay at level 0. */
		if (i < 2)
			relation(images[i], 8);
		relation(images[i], PLM);
	}
	test("pmurules.elf", MONTECITO_TIMING_OFF);
	test("pmudata.elf", MONTECITO_TIMING_OFF);
	test("pmurules.elf", MONTECITO_TIMING_ON);
	test("pmudata.elf", MONTECITO_TIMING_ON);
	return tap_done();
}
