// SPDX-License-Identifier: GPL-2.0-only
/*
 * Other processors' PMUs under random writes: batches of register numbers and values without
 * a sense, and among them some that count, between slices of a run. The guest ends in the state that it has without
 * them, and a batch that is refused leaves each register as it was. WHOLE makes it a million
 * writes.
 */
#include "tap.h"

#define WRITES 30000
#define WRITES_WHOLE 1000000
#define PMUS 8
#define KINDS 3
#define ROWS 48
#define BATCH 8

struct rows {
	struct montecito_pmu_describe d[ROWS];
	unsigned int nr;
};

static struct rows rows[KINDS + 1];
static struct {
	int id;
	uint32_t kind;
} pmu[PMUS];
static uint64_t written, refused, changed, strange, records;
static uint64_t state = 0x9e3779b97f4a7c15ULL;

static uint64_t rnd(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static uint64_t below(uint64_t n)
{
	return rnd() % n;
}

/* Bits of a number: few, many, near to the end of a counter, or any. */
static uint64_t value(void)
{
	switch (below(6)) {
	case 0:
		return below(256);
	case 1:
		return -below(200);
	case 2:
		return 1ULL << below(64) | 1ULL << below(64);
	case 3:
		return ((1ULL << 20) - 16 - below(60)) << 28 | below(32);
	case 4:
		return below(1 << 10) << 16 | below(1 << 16);
	default:
		return rnd();
	}
}

/* Registers with which a PMU counts, and overflows soon. */
static struct montecito_pmu_reg working(uint32_t kind)
{
	static const struct montecito_pmu_reg merced[] = {
		{ MONTECITO_REG_PMC, 0, 0 },	  { MONTECITO_REG_PMC, 4, 0x082f },
		{ MONTECITO_REG_PMC, 5, 0x122f }, { MONTECITO_REG_PMD, 4, -20ULL },
		{ MONTECITO_REG_PMD, 5, -30ULL }, { MONTECITO_REG_PMC, 8, ~0ULL },
		{ MONTECITO_REG_PMC, 13, 1 },	  { MONTECITO_REG_PMC, 11, 1 << 28 | 15 },
	};
	static const struct montecito_pmu_reg pebs[] = {
		{ MONTECITO_PMU_REG_MSR, 0xc1, -20ULL },
		{ MONTECITO_PMU_REG_MSR, 0xc2, -9ULL },
		{ MONTECITO_PMU_REG_MSR, 0x186, 0x5300c0 },
		{ MONTECITO_PMU_REG_MSR, 0x187, 0x53100b },
		{ MONTECITO_PMU_REG_MSR, 0x38f, 0xf },
		{ MONTECITO_PMU_REG_MSR, 0x3f1, 1 },
		{ MONTECITO_PMU_REG_DS, 0x30, 176000 },
		{ MONTECITO_PMU_REG_DS, 0x38, 176 },
	};
	static const struct montecito_pmu_reg ev68a[] = {
		{ MONTECITO_PMU_REG_IPR, 0x0b, 3ULL << 29 },
		{ MONTECITO_PMU_REG_IPR, 0x11, 0xc0001 },
		{ MONTECITO_PMU_REG_IPR, 0x14, 0xfffe0ULL << 28 | 0x10 },
		{ MONTECITO_PMU_REG_IPR, 0x14, 0xfff80ULL << 28 | 0x1c },
		{ MONTECITO_PMU_REG_IPR, 0x14, 0xffff0ULL << 28 | 0xfffe0 << 6 },
		{ MONTECITO_PMU_REG_IPR, 0x11, 0xc0001 },
		{ MONTECITO_PMU_REG_IPR, 0x40, 2 },
		{ MONTECITO_PMU_REG_IPR, 0x0e, 3ULL << 29 },
	};
	unsigned int n = below(8);

	return kind == MONTECITO_PMU_MERCED ? merced[n]
	       : kind == MONTECITO_PMU_PEBS ? pebs[n]
					    : ev68a[n];
}

static struct montecito_pmu_reg any(uint32_t kind)
{
	const struct montecito_pmu_describe *d = &rows[kind].d[below(rows[kind].nr)];

	if (below(2))
		return working(kind);
	/* Now and then one of another kind, or none. */
	if (!below(40))
		return (struct montecito_pmu_reg){ below(40), below(0x700), value() };
	return (struct montecito_pmu_reg){ d->code, d->umask + below(d->count), value() };
}

static void describe(struct montecito *m)
{
	uint32_t kind;

	for (kind = 1; kind <= KINDS; kind++)
		for (rows[kind].nr = 0; rows[kind].nr < ROWS; rows[kind].nr++) {
			struct montecito_pmu_describe *d = &rows[kind].d[rows[kind].nr];

			*d = (struct montecito_pmu_describe){ .kind = kind,
							      .index = rows[kind].nr };
			if (montecito_pmu_describe(m, 0, d))
				break;
		}
}

static void add(struct montecito *m, unsigned int i)
{
	struct montecito_pmu_add a = { .kind = 1 + below(KINDS) };

	a.flags = MONTECITO_PMU_SAMPLE | (below(2) ? MONTECITO_PMU_STOP : 0);
	if (a.kind == MONTECITO_PMU_MERCED && below(2))
		a.flags |= MONTECITO_PMU_FOLLOW_PSR;
	pmu[i].kind = a.kind;
	pmu[i].id = montecito_pmu_add(m, 0, &a);
	if (pmu[i].id < 0)
		die(pmu[i].id, "PMU: %s", a.why);
}

/* A number that differs if one of the registers of PMU @i does. */
static uint64_t registers(struct montecito *m, unsigned int i)
{
	const struct rows *all = &rows[pmu[i].kind];
	uint64_t sum = 0;
	unsigned int n, k;
	char why[128];

	for (n = 0; n < all->nr; n++)
		for (k = 0; k < all->d[n].count; k++) {
			struct montecito_pmu_reg reg = { all->d[n].code, all->d[n].umask + k, 0 };
			int ret = montecito_pmu_get(m, 0, pmu[i].id, &reg, 1, why);

			if (ret < 0)
				strange++;
			sum = sum * 31 + reg.value;
		}
	return sum;
}

static void write_some(struct montecito *m)
{
	unsigned int i = below(PMUS), n = 1 + below(BATCH), k;
	struct montecito_pmu_reg reg[BATCH];
	bool look = !below(16);
	uint64_t before = 0;
	char why[128];
	int ret;

	for (k = 0; k < n; k++)
		reg[k] = any(pmu[i].kind);
	if (look)
		before = registers(m, i);
	ret = montecito_pmu_set(m, 0, pmu[i].id, reg, n, why);
	written += n;
	if (ret >= 0)
		return;
	refused++;
	if (ret != -EINVAL && ret != -ENOENT && ret != -EPERM && ret != -EOPNOTSUPP)
		strange++;
	if (!why[0])
		strange++;
	if (look && registers(m, i) != before)
		changed++;
}

static void drain(struct montecito *m)
{
	static uint64_t buf[8192];
	int n, i;

	while ((n = montecito_ring_read(m, 0, buf, sizeof(buf))) > 0)
		for (i = 0; i < n / 8;) {
			const struct montecito_record_header *h = (const void *)&buf[i];

			records += h->type == MONTECITO_RECORD_PMU;
			i += h->size / 8;
		}
}

/* Run up to @insns; with @writes writes on the way. Return: the state's hash. */
static uint64_t run(uint64_t insns, uint64_t writes)
{
	struct montecito *m = machine_boot("flights.elf", 0, MONTECITO_TIMING_ON);
	struct montecito_run x;
	uint64_t at = 0, hash;
	unsigned int i;
	int ret;

	if (writes) {
		ret = montecito_ring_open(m, 0, 8, 0);
		if (ret < 0)
			die(ret, "ring");
		describe(m);
		for (i = 0; i < PMUS; i++)
			add(m, i);
	}
	while (at < insns) {
		uint64_t end = insns;

		if (writes) {
			/* The writes lie evenly over the run. */
			while (written * insns < writes * (at + 1))
				write_some(m);
			end = at + 1 + below(8);
			if (end > insns)
				end = insns;
			if (!below(500)) {
				i = below(PMUS);
				ret = montecito_pmu_del(m, 0, pmu[i].id);
				if (ret < 0)
					die(ret, "PMU_DEL");
				add(m, i);
			}
		}
		ret = montecito_run(m, end - at, 0, &x);
		if (ret < 0)
			die(ret, "run");
		at = machine_reg(m, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS);
		if (writes)
			drain(m);
	}
	hash = machine_hash(m);
	montecito_close(m);
	return hash;
}

int main(int argc, char **argv)
{
	uint64_t writes = tap_whole() ? WRITES_WHOLE : WRITES, insns = 20000;
	bool same;

	tap_args(argc, argv);
	same = run(insns, writes) == run(insns, 0);
	ok(same && written > writes - writes / 100, "%" PRIu64 " writes change no guest", written);
	ok(refused > writes / 100 && !strange, "%" PRIu64 " batches are refused, by a rule",
	   refused);
	ok(!changed, "and leave each register as it was");
	ok(records > 100, "%" PRIu64 " interrupts on the way", records);
	return tap_done();
}
