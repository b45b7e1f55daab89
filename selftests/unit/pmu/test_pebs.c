// SPDX-License-Identifier: GPL-2.0-only
/*
 * The IA-32 PMU with precise sampling: its registers and rules L1 to L11 of
 * Documentation/facts/observers-facts.md. Loads and their latencies are raised by hand, and
 * kept in a log that records are compared with.
 */
#include "pmu/block.h"
#include "pmu/pebs.h"
#include "pmu/pebs_events.h"
#include "pmu_test.h"
#include "pmu/registers.h"

#define CARRY48 (1ULL << 48)
#define USR_OS (3ULL << 16)
#define INT (1ULL << 20)
#define EN (1ULL << 22)
#define LATENCY 0x100bULL
#define LOADS 0x010bULL
#define INSTS 0x00c0ULL
#define LL(n) (0x100000001ULL << (n))

#define STATUS 0x38e
#define CTRL 0x38f
#define OVF_CTRL 0x390
#define ENABLE 0x3f1
#define LEAST 0x3f6
#define BASE 0x10000
#define RECORD 176

static struct mont_thread *t;
static struct mont_block block;

/* Causes and values that the host has been told, in order. */
static struct {
	u32 cause;
	u64 ip;
	u32 slot;
	u64 value[MONT_BLOCK_VALUES];
} told[4096];
static u32 nr_told;

static void tell(struct mont_block *b)
{
	if (nr_told == MONT_ARRAY_SIZE(told))
		return;
	told[nr_told].cause = b->cause;
	told[nr_told].ip = b->at.ip;
	told[nr_told].slot = b->at.slot;
	memcpy(told[nr_told].value, b->value, b->nr_values * sizeof(u64));
	nr_told++;
}

static int set_all(const struct mont_block_reg *reg, u32 nr, const char **why)
{
	u32 bad;

	*why = "";
	return mont_block_set(&block, reg, nr, &bad, why);
}

static int set(u32 class, u32 index, u64 value)
{
	struct mont_block_reg reg = { class, index, value };
	const char *why;

	return set_all(&reg, 1, &why);
}

static int msr(u32 index, u64 value)
{
	return set(MONT_BLOCK_REG_MSR, index, value);
}

static void must(u32 index, u64 value)
{
	check(!msr(index, value), "MSR %#x, %#llx", index, (unsigned long long)value);
}

static u64 get(u32 class, u32 index)
{
	struct mont_block_reg reg = { class, index, 0 };

	check(!mont_block_get(&block, &reg), "get %#x of %u", index, class);
	return reg.value;
}

static u64 count(u32 n)
{
	return get(MONT_BLOCK_REG_MSR, n < 4 ? 0xc1 + n : 0x309 + n - 4);
}

static void begin(void)
{
	const char *why = "";

	t = new_thread(1);
	t->pmu.timed = true;
	mont_pmu_reset(t);
	t->clock = 1000;
	test_bundle.nr = 3;
	t->grmap[8] = 8;
	memset(&block, 0, sizeof(block));
	block.tell = tell;
	nr_told = 0;
	check(!mont_block_add(t, &block, MONT_BLOCK_PEBS, &why), "%s", why);
}

/* A buffer of @records, and its threshold behind @threshold of them. */
static int buffer(u64 records, u64 threshold)
{
	struct mont_block_reg reg[] = {
		{ MONT_BLOCK_REG_DS, 0x20, BASE },
		{ MONT_BLOCK_REG_DS, 0x28, BASE },
		{ MONT_BLOCK_REG_DS, 0x30, BASE + records * RECORD },
		{ MONT_BLOCK_REG_DS, 0x38, BASE + threshold * RECORD },
	};
	const char *why;

	return set_all(reg, 4, &why);
}

/* A load of @va with @latency in a group of its own. */
static void load(u64 va, u64 latency, u32 served, u32 kind)
{
	struct mont_ref ref = { .va = va, .size = 8, .kind = kind };

	t->sig_served = served;
	mont_signal_late(t, &ref, latency, t->clock);
	if (!(kind & MONT_DATA_UC))
		mont_signal_line(t, MONT_SIG_LOAD_SERVED, &ref, latency);
	mont_group_end(t);
}

static void registers(void)
{
	static const u32 all[] = { 0xc1,  0xc4,	 0x186, 0x189, 0x309, 0x30b, 0x38d,
				   0x38e, 0x38f, 0x390, 0x3f1, 0x3f6, 0x600 };
	static const u32 none[] = { 0xc0, 0xc5, 0x185, 0x18a, 0x308, 0x30c, 0x38c, 0x394, 0x3f2 };
	u32 i;

	begin();
	for (i = 0; i < MONT_ARRAY_SIZE(all); i++)
		check(get(MONT_BLOCK_REG_MSR, all[i]) == (all[i] == LEAST ? 3 : 0), "reset");
	for (i = 0; i < MONT_ARRAY_SIZE(none); i++)
		check(msr(none[i], 0) == MONT_ENOENT, "no MSR %#x", none[i]);
	check(set(MONT_BLOCK_REG_DS, 0x18, 0) == MONT_ENOENT &&
		      set(MONT_BLOCK_REG_DS, 0x24, 0) == MONT_ENOENT &&
		      set(MONT_BLOCK_REG_DS, 0x60, 0) == MONT_ENOENT &&
		      set(MONT_REG_PMC, 4, 0) == MONT_ENOENT,
	      "nor such words");
	check(msr(STATUS, 0) == MONT_EPERM, "the status can only be read");
	must(0xc2, ~0ULL);
	check(count(1) == CARRY48 - 1, "48 bits");
	for (i = 0; i < 7; i++) {
		must(i < 4 ? 0xc1 + i : 0x305 + i, 0x1000 + i);
		check(count(i) == 0x1000 + i, "counter %u", i);
	}
	for (i = 0; i < 8; i++) {
		check(!set(MONT_BLOCK_REG_DS, 0x20 + 8 * i, 0x2000 + i), "DS");
		check(get(MONT_BLOCK_REG_DS, 0x20 + 8 * i) == 0x2000 + i, "DS %u", i);
	}
	must(CTRL, ~0ULL);
	check(get(MONT_BLOCK_REG_MSR, CTRL) == 0x70000000f, "IA32_PERF_GLOBAL_CTRL");
	must(OVF_CTRL, ~0ULL);
	check(!get(MONT_BLOCK_REG_MSR, OVF_CTRL), "IA32_PERF_GLOBAL_OVF_CTRL reads 0");
	check(set(MONT_BLOCK_REG_OWN, 1, 5) == 0 && get(MONT_BLOCK_REG_OWN, 1) == 5, "seed");
	mont_block_del(&block);
	group("registers by their numbers");
}

static void refused(void)
{
	struct mont_block_reg reg = { MONT_BLOCK_REG_MSR, 0x186, 0x100 | USR_OS | EN };
	const char *why;

	begin();
	check(set_all(&reg, 1, &why) == MONT_EOPNOTSUPP && strstr(why, "100BH"), "L1: %s", why);
	must(0x186, LATENCY | USR_OS | EN);
	check(msr(0x186, LATENCY | USR_OS | EN | 1 << 23) == MONT_EINVAL &&
		      msr(0x186, LATENCY | USR_OS | EN | 1 << 24) == MONT_EINVAL,
	      "L2: no CMASK or INV with latency");
	check(msr(LEAST, 2) == MONT_EINVAL && msr(LEAST, 0) == MONT_EINVAL && !msr(LEAST, 3),
	      "L2: a threshold of 3 and more");
	check(msr(ENABLE, 1ULL << 32) == MONT_EINVAL &&
		      msr(ENABLE, LL(0) | 1ULL << 33) == MONT_EINVAL,
	      "LL_EN needs PEBS_EN");
	check(!get(MONT_BLOCK_REG_MSR, ENABLE), "nothing is written");
	check(msr(0x186, 0x7f | USR_OS | EN) == MONT_ENOENT, "no such event");
	check(!msr(0x186, 0x7f | EN) && !msr(0x186, 0x7f | USR_OS), "one that does not count");
	must(0x186, INSTS | USR_OS | EN);
	check(msr(0x186, INSTS | USR_OS | EN | 1 << 18) == MONT_EOPNOTSUPP &&
		      msr(0x186, INSTS | USR_OS | EN | 1 << 21) == MONT_EOPNOTSUPP &&
		      msr(0x186, INSTS | USR_OS | EN | 1 << 24) == MONT_EOPNOTSUPP &&
		      msr(0x38d, 4) == MONT_EOPNOTSUPP,
	      "edges, any thread, by cycle");
	check(!buffer(4, 2) && !msr(ENABLE, 1), "a buffer");
	check(msr(0x186, 0x003c | USR_OS | EN) == MONT_EINVAL, "cycles are not precise");
	check(set(MONT_BLOCK_REG_DS, 0x28, BASE + 8) == MONT_EINVAL &&
		      set(MONT_BLOCK_REG_DS, 0x28, BASE - RECORD) == MONT_EINVAL &&
		      set(MONT_BLOCK_REG_DS, 0x28, BASE + 5 * RECORD) == MONT_EINVAL &&
		      set(MONT_BLOCK_REG_DS, 0x38, BASE + 5 * RECORD) == MONT_EINVAL &&
		      set(MONT_BLOCK_REG_DS, 0x38, BASE - RECORD) == MONT_EINVAL &&
		      set(MONT_BLOCK_REG_DS, 0x30, BASE + RECORD) == MONT_EINVAL,
	      "words out of order, or no multiples");
	check(get(MONT_BLOCK_REG_DS, 0x28) == BASE, "nothing is written");
	mont_block_del(&block);
	t->pmu.timed = false;
	memset(&block, 0, sizeof(block));
	check(mont_block_add(t, &block, MONT_BLOCK_PEBS, &why) == MONT_EOPNOTSUPP, "no time");
	block.flags = MONT_BLOCK_FOLLOW_PSR;
	check(mont_block_add(t, &block, MONT_BLOCK_PEBS, &why) == MONT_EINVAL,
	      "another kind's flag");
	group("what is refused (L1, L2)");
}

static void thresholds(void)
{
	u64 seed = rnd_state;
	u32 least, i;

	for (least = 3; least <= 300; least++) {
		u64 want = 0, user = 0;

		begin();
		rnd_state = seed;
		must(LEAST, least);
		must(CTRL, 3);
		must(0x186, LATENCY | USR_OS | EN);
		must(0x187, LATENCY | 1 << 16 | EN);
		for (i = 0; i < 500; i++) {
			u64 latency = rnd_below(2) ? least + rnd_below(3) - 1 : rnd_below(400);
			bool rse = !rnd_below(4), uc = !rnd_below(4);

			if (!rnd_below(10))
				set_psr(t, t->s.psr ^ 3ULL << MONT_PSR_CPL_SHIFT);
			load(8 * i, latency, 0,
			     (uc ? MONT_DATA_UC : 0) | (rse ? MONT_DATA_RSE : 0));
			raise_ref(t, MONT_SIG_STORE_RETIRED, 8 * i, 8, 0);
			want += latency > least && !rse;
			user += latency > least && !rse && t->cpl == 3;
		}
		check(count(0) == want && count(1) == user && want, "threshold %u: %llu of %llu",
		      least, (unsigned long long)count(0), (unsigned long long)want);
		mont_block_del(&block);
	}
	group("L2, L3: all loads above the threshold, and no other");
}

/* Loads apart from each other: each is tagged, so that a record is of the one that assists. */
static void records(u64 reset, u32 nr)
{
	static const u8 source[] = { 0x3, 0x2, 0x4, 0xa, 0xc, 0xf, 0xe };
	u64 log[3][2048], left = reset + 1;
	u32 i, n = 0;
	bool good = true;

	begin();
	check(!buffer(4096, 4096) && !set(MONT_BLOCK_REG_DS, 0x40, -reset), "buffer");
	must(0xc1, -reset);
	must(0x186, LATENCY | USR_OS | EN);
	must(ENABLE, LL(0));
	must(CTRL, 1);
	for (i = 0; i < nr; i++) {
		u32 served = rnd_below(MONT_ARRAY_SIZE(source));
		bool uc = served >= MONT_SERVED_UNCACHED;
		u64 latency = 4 + rnd_below(100);

		t->clock += 500;
		t->s.ip = 0x4000 + 16 * i;
		t->sig_slot = i & 1;
		t->s.gr[8] = i;
		load(0x100 + 8 * i, latency, served, uc ? MONT_DATA_UC : 0);
		if (--left)
			continue;
		left = reset + 1;
		log[0][n] = i;
		log[1][n] = latency;
		log[2][n++] = source[served];
	}
	check(nr_told == n && n == nr / (reset + 1), "reset %llu: %u records, not %u",
	      (unsigned long long)reset, nr_told, n);
	for (i = 0; i < n && i < nr_told; i++) {
		const u64 *w = told[i].value;
		u64 at = log[0][i], ip = 0x4000 + 16 * at;

		good &= told[i].cause == MONT_BLOCK_ASSIST && w[19] == 0x100 + 8 * at &&
			w[20] == log[2][i] && w[21] == log[1][i] && told[i].ip == ip &&
			told[i].slot == (at & 1) && w[1] == (ip | ((at & 1) + 1)) && w[2] == at &&
			w[18] == 1;
	}
	check(good, "reset %llu: each of its own load", (unsigned long long)reset);
	check(count(0) == ((-reset + nr - n * (reset + 1)) & (CARRY48 - 1)), "counter");
	check(get(MONT_BLOCK_REG_DS, 0x28) == BASE + n * RECORD, "index");
	check(get(MONT_BLOCK_REG_MSR, STATUS) == (left == 1), "an armed counter has overflowed");
	mont_block_del(&block);
}

static void sampled(void)
{
	u64 reset;

	for (reset = 1; reset <= 1000; reset += reset < 20 ? 1 : 37)
		records(reset, 2000);
	group("L5, L6: an assist at the occurrence behind each overflow");
}

/* Loads that overlap: of a record's load there is one in the log, tagged one at a time. */
static void overlapping(void)
{
	u64 began[4000], latency[4000], last = 0;
	u32 i, k, first, passed = 0;
	bool good = true;

	begin();
	check(!buffer(4096, 4096) && !set(MONT_BLOCK_REG_DS, 0x40, -1ULL), "buffer");
	must(LEAST, 20);
	must(0xc1, -1ULL);
	must(0x186, LATENCY | USR_OS | EN);
	must(ENABLE, LL(0));
	must(CTRL, 1);
	for (i = 0; i < MONT_ARRAY_SIZE(began); i++) {
		t->clock += rnd_below(30);
		began[i] = t->clock;
		latency[i] = 2 + rnd_below(60);
		load(i, latency[i], 0, 0);
	}
	check(nr_told > 500 && nr_told < MONT_ARRAY_SIZE(told), "%u records", nr_told);
	/* Without a tagged load yet the words are 0. */
	for (first = 0; first < nr_told && !told[first].value[21]; first++)
		;
	for (i = first; i < nr_told; i++, last = k) {
		k = told[i].value[19];
		if (told[i].value[21] != latency[k] || latency[k] <= 20 || k < last)
			good = false;
		if (i > first && k != last && began[k] < began[last] + latency[last])
			good = false;
		passed += i > first && k == last;
	}
	check(good, "one at a time, and each above the threshold");
	check(passed, "not every load is tagged");
	mont_block_del(&block);
	group("L4: loads are tagged one at a time");
}

/* The addresses, latencies and sources of the records of 2000 loads, by so many counters alike. */
static u64 tagged_by(u32 counters, u64 reset)
{
	u64 sum = 0;
	u32 i, n;

	begin();
	rnd_state = reset;
	check(!buffer(4096, 4096), "buffer");
	for (n = 0; n < counters; n++) {
		check(!set(MONT_BLOCK_REG_DS, 0x40 + 8 * n, -reset), "reset");
		must(0xc1 + n, -reset);
		must(0x186 + n, LATENCY | USR_OS | EN);
	}
	must(ENABLE, counters == 2 ? LL(0) | LL(1) : LL(0));
	must(CTRL, counters == 2 ? 3 : 1);
	for (i = 0; i < 2000; i++) {
		t->clock += rnd_below(10);
		t->s.ip = 0x4000 + 16 * i;
		load(i, 2 + rnd_below(60), 0, 0);
	}
	for (i = 0; i < nr_told; i++)
		for (n = 19; n < 22; n++)
			sum = (sum ^ told[i].value[n]) * 0x9e3779b97f4a7c15ULL;
	mont_block_del(&block);
	return sum ^ nr_told;
}

/*
 * Two counters near to their overflows look at each load once; and blocks that ask for other
 * latencies take each its own.
 */
static void beside(void)
{
	struct mont_block_reg reg[] = {
		{ MONT_BLOCK_REG_MSR, LEAST, 50 },
		{ MONT_BLOCK_REG_MSR, 0x186, LATENCY | USR_OS | EN },
		{ MONT_BLOCK_REG_MSR, CTRL, 1 },
	};
	struct mont_block_reg counter = { MONT_BLOCK_REG_MSR, 0xc1, 0 };
	struct mont_block other = { 0 };
	u64 low = 0, high = 0, reset;
	const char *why = "";
	u32 i, bad;

	for (reset = 1; reset < 100; reset += 13)
		check(tagged_by(2, reset) == tagged_by(1, reset), "reset %llu",
		      (unsigned long long)reset);
	begin();
	check(!mont_block_add(t, &other, MONT_BLOCK_PEBS, &why) &&
		      !mont_block_set(&other, reg, 3, &bad, &why),
	      "%s", why);
	must(LEAST, 20);
	must(0x186, LATENCY | USR_OS | EN);
	must(CTRL, 1);
	for (i = 0; i < 3000; i++) {
		u64 latency = rnd_below(100);

		if (i == 1000)
			must(0x186, 0);
		if (i == 2000)
			must(0x186, LATENCY | USR_OS | EN);
		load(i, latency, 0, 0);
		low += latency > 20 && i / 1000 != 1;
		high += latency > 50;
	}
	check(count(0) == low, "%llu above 20, not %llu", (unsigned long long)count(0),
	      (unsigned long long)low);
	check(!mont_block_get(&other, &counter) && counter.value == high, "%llu above 50, not %llu",
	      (unsigned long long)counter.value, (unsigned long long)high);
	mont_block_del(&block);
	mont_block_del(&other);
	group("L4: of counters and blocks beside each other");
}

static void full(void)
{
	u32 i, records = 0, interrupts = 0;

	begin();
	check(!buffer(10, 6) && !set(MONT_BLOCK_REG_DS, 0x40, -4ULL), "buffer");
	must(0xc1, -4ULL);
	must(0x186, LATENCY | USR_OS | EN);
	must(ENABLE, LL(0));
	must(CTRL, 1);
	for (i = 0; i < 5 * 25 + 3; i++) {
		t->clock += 500;
		load(i, 50, 0, 0);
	}
	for (i = 0; i < nr_told; i++) {
		records += told[i].cause == MONT_BLOCK_ASSIST;
		interrupts += told[i].cause == MONT_BLOCK_THRESHOLD;
		if (told[i].cause == MONT_BLOCK_THRESHOLD)
			check(records == 6 && told[i].value[0] == 1ULL << 62, "with the sixth");
	}
	check(records == 10 && interrupts == 1, "%u records, %u interrupts", records, interrupts);
	check(get(MONT_BLOCK_REG_OWN, 0) == 15, "25 assists have lost 15");
	check(get(MONT_BLOCK_REG_DS, 0x28) == BASE + 10 * RECORD, "index");
	check(get(MONT_BLOCK_REG_MSR, STATUS) == 1ULL << 62, "status");
	must(OVF_CTRL, 1ULL << 62);
	check(!get(MONT_BLOCK_REG_MSR, STATUS), "cleared");
	mont_block_del(&block);
	group("L7: a full buffer");
}

/*
 * Walk by priority, as the document has it, counters @over that overflow in one cycle, while the
 * precise ones of @precise assist, all of which interrupt if @loud.
 */
static u32 expected(u32 over, u32 precise, bool loud, bool threshold, u32 out[4])
{
	u32 n, nr = 0, pending = over & ~precise;
	bool assisted = false;

	for (n = 0; n < 7; n++) {
		if ((pending >> n & 1) && !(precise >> n & 1)) {
			/* L10: one for all of them, and those that an assist has left */
			out[nr++] = pending;
			pending = 0;
		}
		if ((precise >> n & 1) && !assisted) {
			assisted = true;
			out[nr++] = MONT_BLOCK_ASSIST;
			if (threshold)
				out[nr++] = MONT_BLOCK_THRESHOLD; /* L9 */
			if (loud)
				out[nr++] = pending | precise;
			if (loud)
				pending = 0;
		}
	}
	return nr;
}

static void prepare(u32 over, u32 precise, bool loud, bool threshold)
{
	u32 n;

	begin();
	check(!buffer(100, threshold ? 1 : 100), "buffer");
	for (n = 0; n < 4; n++) {
		bool quiet = precise >> n & 1 && !loud;

		must(0x186 + n, INSTS | USR_OS | EN | (quiet ? 0 : INT));
		must(0xc1 + n, over >> n & 1 ? -1ULL : 0);
		check(!set(MONT_BLOCK_REG_DS, 0x40 + 8 * n, -1000ULL), "reset");
	}
	must(0x38d, 0xbbb);
	for (n = 0; n < 3; n++)
		must(0x309 + n, over >> (4 + n) & 1 ? -1ULL : 0);
	must(ENABLE, precise);
	/* Precise ones have overflowed in a group before. */
	must(CTRL, precise);
	retire(t, 1, 1);
	must(CTRL, 0x70000000f);
}

static void priority(void)
{
	u32 over, precise, how, n, want[4], nr;

	for (over = 1; over < 128; over++)
		for (precise = 0; precise < 16; precise++)
			for (how = 0; how < 4; how++) {
				bool good = true, loud = how & 1, threshold = how & 2;

				if (precise & ~over)
					continue;
				prepare(over, precise, loud, threshold);
				check(!nr_told, "an overflow arms");
				t->clock++;
				mont_signal(t, MONT_SIG_CYCLE, 0);
				retire(t, 1, 1);
				nr = expected(over, precise, loud, threshold, want);
				for (n = 0; n < nr && n < nr_told; n++)
					good &= told[n].cause == want[n];
				check(good && nr_told == nr, "%#x, precise %#x, %u: %u told", over,
				      precise, how, nr_told);
				for (n = 0; n < 4; n++)
					if (precise >> n & 1)
						check(count(n) == CARRY48 - 1000, "L6: reloaded");
				mont_block_del(&block);
			}
	/* The document's own examples. */
	check(expected(6, 4, false, false, want) == 2 && want[0] == 2 &&
		      want[1] == MONT_BLOCK_ASSIST,
	      "L8: PMC1's interrupt before PMC2's assist");
	check(expected(1, 1, true, true, want) == 3 && want[0] == MONT_BLOCK_ASSIST &&
		      want[1] == MONT_BLOCK_THRESHOLD && want[2] == 1,
	      "L9: two interrupts");
	check(expected(0x7f, 0, true, true, want) == 1 && want[0] == 0x7f, "L10: one interrupt");
	group("L8 to L10: the order of what comes in one cycle");
}

/* One that has overflowed is reloaded with the assist of another. */
static void together(void)
{
	begin();
	check(!buffer(4, 4) && !set(MONT_BLOCK_REG_DS, 0x40, -500ULL) &&
		      !set(MONT_BLOCK_REG_DS, 0x48, -70ULL),
	      "buffer");
	must(0x186, INSTS | USR_OS | EN);
	must(0x187, LOADS | USR_OS | EN);
	must(0xc1, -1ULL);
	must(0xc2, -1ULL);
	must(ENABLE, 3);
	must(CTRL, 3);
	raise_ref(t, MONT_SIG_LOAD_RETIRED, 8, 8, 0);
	retire(t, 1, 1);
	check(!nr_told && get(MONT_BLOCK_REG_MSR, STATUS) == 3, "both are armed");
	t->s.ip = 0x7000;
	t->s.slot = 2;
	retire(t, 1, 1);
	check(nr_told == 1 && told[0].value[18] == 3 && told[0].value[1] == 0x7002, "one record");
	check(!told[0].value[19] && !told[0].value[21], "without latency");
	check(count(0) == CARRY48 - 500 && count(1) == CARRY48 - 70, "both are reloaded");
	check(!get(MONT_BLOCK_REG_MSR, STATUS), "and their status is cleared");
	raise_ref(t, MONT_SIG_LOAD_RETIRED, 8, 8, 0);
	retire(t, 1, 1);
	check(nr_told == 1 && count(1) == CARRY48 - 69, "the other counts on");
	mont_block_del(&block);
	group("L6: all that have overflowed are reloaded");
}

#define UNCORE_CTRL 0x391
#define UNCORE_STATUS 0x392
#define UNCORE_OVF_CTRL 0x393
#define UNCORE_PMC 0x3b0
#define UNCORE_SEL 0x3c0
#define UNCORE_HITS 0x0308ULL
#define UNCORE_MISSES 0x0309ULL
#define UNCORE_BIT (1ULL << 61)
#define UNCORE_PMI (1ULL << 48)

/* One lookup of the L3 in a group of its own, of each of five kinds in turn. */
static void lookup(struct mont_thread *on, bool hit)
{
	static const enum mont_signal hits[] = { MONT_SIG_L3_PFTCH_HIT, MONT_SIG_L3_INSN_HIT,
						 MONT_SIG_L3_DATA_HIT, MONT_SIG_L3_STORE_HIT,
						 MONT_SIG_L3_WB_HIT };
	static unsigned int kind;
	struct mont_ref ref = { .va = 64, .pa = MONT_PA_NONE, .size = 8 };

	kind = (kind + 1) % MONT_ARRAY_SIZE(hits);
	mont_signal_line(on, hits[kind] + !hit, &ref, 0);
	mont_group_end(on);
}

static u64 status(u32 index)
{
	return get(MONT_BLOCK_REG_MSR, index);
}

/* The uncore's counters count on both threads; their block is the first one's. */
static void uncore(void)
{
	struct mont_thread *other;
	u64 hits = 0, misses = 0;
	const char *why;
	u32 i;

	begin();
	mont_block_del(&block);
	t = new_thread(2);
	t->pkg->nr_vcpus = 2;
	t->pmu.timed = true;
	other = &t->pkg->thread[1];
	*other = *t;
	other->index = 1;
	mont_pmu_reset(t);
	mont_pmu_reset(other);
	memset(&block, 0, sizeof(block));
	block.tell = tell;
	nr_told = 0;
	check(!mont_block_add(t, &block, MONT_BLOCK_PEBS, &why), "%s", why);
	check(msr(UNCORE_STATUS, 0) == MONT_EPERM && msr(UNCORE_PMC + 2, 0) == MONT_ENOENT &&
		      msr(UNCORE_SEL + 2, 0) == MONT_ENOENT,
	      "two counters, and a status that can only be read");
	check(msr(UNCORE_SEL, INSTS | EN) == MONT_ENOENT &&
		      msr(0x186, UNCORE_HITS | USR_OS | EN) == MONT_ENOENT &&
		      msr(UNCORE_SEL, UNCORE_HITS | EN | 1 << 18) == MONT_EOPNOTSUPP,
	      "events of the core and of the uncore are not each other's");
	must(UNCORE_SEL, UNCORE_HITS | EN);
	must(UNCORE_SEL + 1, UNCORE_MISSES | EN);
	lookup(t, true);
	check(!status(UNCORE_PMC), "nothing counts until the uncore's control lets it");
	must(UNCORE_CTRL, 3);
	for (i = 0; i < 1000; i++) {
		bool hit = rnd_below(3);

		lookup(rnd_below(2) ? t : other, hit);
		hits += hit;
		misses += !hit;
	}
	check(status(UNCORE_PMC) == hits && status(UNCORE_PMC + 1) == misses,
	      "L11: %llu hits, %llu misses of both threads", (unsigned long long)hits,
	      (unsigned long long)misses);
	check(!nr_told, "without an interrupt");

	/* An overflow by the other thread, where this one's cycle has one of its own. */
	must(UNCORE_SEL + 1, UNCORE_MISSES | EN | INT);
	must(UNCORE_CTRL, 3 | UNCORE_PMI);
	must(UNCORE_PMC + 1, CARRY48 - 2);
	must(0x186, INSTS | USR_OS | EN | INT);
	must(0xc1, CARRY48 - 1);
	must(CTRL, 1);
	lookup(other, false);
	lookup(other, false);
	check(!nr_told, "it is served at the end of a group of the block's own thread");
	retire(t, 1, 1);
	check(nr_told == 1 && told[0].cause == (1 | 1 << 8) &&
		      told[0].value[0] == (1 | UNCORE_BIT) && told[0].value[1] == (2 | UNCORE_BIT),
	      "L11: one interrupt of core and uncore, and each status has its part: %u, cause %#x",
	      nr_told, told[0].cause);
	must(OVF_CTRL, 1 | UNCORE_BIT);
	check(!status(STATUS) && status(UNCORE_STATUS) == (2 | UNCORE_BIT),
	      "each is cleared apart");
	must(UNCORE_OVF_CTRL, 2 | UNCORE_BIT);
	check(!status(UNCORE_STATUS) && !status(UNCORE_OVF_CTRL), "as the other");
	/* Without the core's bit the uncore's status alone has the overflow. */
	must(UNCORE_CTRL, 3);
	must(UNCORE_PMC + 1, CARRY48 - 1);
	lookup(t, false);
	check(nr_told == 1 && status(UNCORE_STATUS) == 2 && !status(STATUS), "not this core");
	mont_block_del(&block);
	check(!t->observers && !other->observers, "nothing listens any more");
	group("L11: the uncore's counters, and an interrupt of both");
}

/* Each row that names an event of this processor counts the signals of that event. */
static void rows(void)
{
	const struct mont_block_event *e;
	u32 i, n, alike = 0;

	for (i = 0; (e = mont_pebs_event(i)); i++) {
		const struct mont_event *own = NULL;

		check(e->e.name[0] && e->definition[0], "row %u", i);
		check(!e->e.refusal == (e->likeness != MONT_LIKE_NONE), "%s", e->e.name);
		for (n = 0; e->row[0] && (own = mont_event_at(n)) && strcmp(own->name, e->row); n++)
			;
		if (!e->row[0])
			continue;
		alike++;
		check(own && own->signal == e->e.signal && own->cond == e->e.cond &&
			      own->needs_time == e->e.needs_time,
		      "%s: %s", e->e.name, e->row);
	}
	check(alike > 5, "%u rows", alike);
	group("events that are this processor's");
}

int main(void)
{
	registers();
	refused();
	thresholds();
	sampled();
	overlapping();
	beside();
	full();
	priority();
	together();
	uncore();
	rows();
	return tap_end();
}
