// SPDX-License-Identifier: GPL-2.0-only
/* Snapshots, PMU sampling, counts by instruction, parameters, memory regions. */
#define _GNU_SOURCE
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common.h"

static void snapshots(void)
{
	size_t page = sysconf(_SC_PAGESIZE);
	int m = machine(1, 2, 0), v = vcpu(m, 1);
	const struct montecito_snapshot *s, *own;
	void *bad;

	s = mmap(NULL, page, PROT_READ, MAP_SHARED, m, MONTECITO_MMAP_SNAPSHOT + page);
	own = mmap(NULL, page, PROT_READ, MAP_SHARED, v, MONTECITO_MMAP_SNAPSHOT);
	ok(s != MAP_FAILED && own != MAP_FAILED, "map vcpu 1's snapshot, through both files");
	ok(!(s->seq & 1) && s->length == sizeof(*s) && s->vcpu == 1 && !s->flags, "what it is");
	bad = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, v, MONTECITO_MMAP_SNAPSHOT);
	ok(bad == MAP_FAILED && errno == EINVAL, "not for writing");
	bad = mmap(NULL, page, PROT_READ, MAP_PRIVATE, v, MONTECITO_MMAP_SNAPSHOT);
	ok(bad == MAP_FAILED && errno == EINVAL, "not private");
	bad = mmap(NULL, page, PROT_READ, MAP_SHARED, m, MONTECITO_MMAP_SNAPSHOT + 2 * page);
	ok(bad == MAP_FAILED && errno == EINVAL, "none for a vcpu that is not there");
	bad = mmap(NULL, 2 * page, PROT_READ, MAP_SHARED, m, MONTECITO_MMAP_SNAPSHOT);
	ok(bad == MAP_FAILED && errno == EINVAL, "one at a time");
	ok(mprotect((void *)s, page, PROT_READ | PROT_WRITE) && errno == EACCES,
	   "nor made writable later");

	start(v, GUEST_SPIN);
	set(v, MONTECITO_REG_PMD, 7, 0x1234);
	ok(s->ip == GUEST_SPIN && s->pmd[7] == 0x1234 && own->pmd[7] == 0x1234,
	   "a set is published");
	run(m, 30000, 0, NULL);
	eq(s->insns, get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS), "instructions");
	eq(s->cycles, get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_CYCLES), "cycles");
	eq(s->clock, get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_CLOCK), "clock");
	eq(s->psr, get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR), "PSR");
	set(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_HALTED, 1);
	eq(s->flags, MONTECITO_SNAPSHOT_HALTED, "halted");
	close(m);
	close(v);
	ok(s->cycles == s->functional && !s->unstalled && !s->halted,
	   "without time: no more is known of its cycles");
	eq(s->pmd[7], 0x1234, "the mapping outlives the descriptors");
	munmap((void *)s, page);
	munmap((void *)own, page);
}

static void sampling(void)
{
	size_t page = sysconf(_SC_PAGESIZE);
	int m = machine(1, 1, MONTECITO_CFG_HOST_PMU), v = vcpu(m, 0), n = 0;
	int plain = machine(1, 1, 0), pv = vcpu(plain, 0);
	struct montecito_pmu_sampling p = {
		.size = sizeof(p),
		.flags = MONTECITO_PMU_RELOAD,
		.counter = 4,
		.sample_pmds = 1 << 4 | 1 << 5 | 1ULL << 33,
		.reset_pmds = 1 << 5,
		.reload = (PMD_OVERFLOW - 300) & ((1ULL << 47) - 1),
	}, x;
	/* Ten records of this size come from 3000 instructions. */
	const uint32_t size = sizeof(struct montecito_record_sample) + 3 * 8;
	struct montecito_ring ring = { .size = sizeof(ring), .order = 0, .watermark = 2049 };
	struct pollfd pfd = { .fd = v, .events = POLLIN };
	struct montecito_ring_page *r;
	struct montecito_run e;
	bool good = true;
	uint64_t at;

	is(call(pv, MONTECITO_PMU_SAMPLING, &p), -ENXIO, "a PMU that is the guest's");
	close(pv);
	close(plain);
	is(call(v, MONTECITO_RING, &ring), -EINVAL, "a watermark of more than half");
	ring.watermark = 9 * size;
	is(call(v, MONTECITO_RING, &ring), 0, "of nine records");
	r = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_SHARED, v, 0);
#define REFUSED(change, what)                                           \
	do {                                                            \
		x = p;                                                  \
		change;                                                 \
		is(call(v, MONTECITO_PMU_SAMPLING, &x), -EINVAL, what); \
	} while (0)
	REFUSED(x.counter = 3, "PMD3");
	REFUSED(x.counter = 16, "PMD16");
	REFUSED(x.counter = 0xffffffff, "PMD of 2^32 - 1");
	REFUSED(x.sample_pmds = 1, "samples of PMD0");
	REFUSED(x.sample_pmds = 1ULL << 37, "samples of PMD37, which is none");
	REFUSED(x.reset_pmds = 1ULL << 32, "a reset of what is no counter");
	REFUSED(x.reload = 1ULL << 47, "a reload of 48 bits");
	REFUSED(x.flags = 0, "a reload without the flag");
	is(call(v, MONTECITO_PMU_SAMPLING, &p), 0, "every 300, with PMD4, 5 and 33");
	x = (struct montecito_pmu_sampling){ .size = sizeof(x), .flags = MONTECITO_PMU_RELOAD };
	x.counter = 5;
	x.reload = 7;
	is(call(v, MONTECITO_PMU_SAMPLING, &x), 0, "PMD5 goes back to 7");

	start(v, GUEST_SPIN);
	set(v, MONTECITO_REG_PMC, 4, PMC_ES(EVENT_INST_RETIRED) | PMC_PLM_ALL | PMC_OI);
	set(v, MONTECITO_REG_PMC, 5, PMC_ES(EVENT_INST_RETIRED) | PMC_PLM_ALL);
	set(v, MONTECITO_REG_PMD, 4, PMD_OVERFLOW - 300);
	set(v, MONTECITO_REG_PMD, 5, 7);
	set(v, MONTECITO_REG_PMD, 33, 0xabc);
	set(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR, PSR_UP);
	set(v, MONTECITO_REG_CR, MONTECITO_CR_PMV, 0x40);
	set(v, MONTECITO_REG_PMC, 0, 0);
	is(run(m, 8 * 300 + 3, 0, &e), 0, "run past eight overflows");
	eq(e.exit.reason, MONTECITO_EXIT_BUDGET, "none ends it");
	eq(e.exit.insns, 8 * 300 + 3, "nor shortens it");
	is(poll(&pfd, 1, 0), 0, "eight records are below the watermark");
	is(run(m, 2 * 300, 0, &e), 0, "two more");
	is(poll(&pfd, 1, 0), 1, "are not");
	for (at = 0; at < r->data_head; at += size, n++) {
		const struct montecito_record_sample *s = (void *)((char *)r + r->data_offset + at);

		good &= s->header.type == MONTECITO_RECORD_SAMPLE && s->header.size == size &&
			s->header.misc == MONTECITO_SAMPLE_PMU && s->source == (1 | 1 << 4) &&
			s->pmds == p.sample_pmds && s->value[0] == 0 && s->value[1] == 307 &&
			s->value[2] == 0xabc && s->insns == 300ULL * (n + 1) && !s->format;
	}
	eq(n, 10, "ten records");
	ok(good, "each with its three PMDs, PMD5 reset each time");
	eq(get(v, MONTECITO_REG_PMC, 0), 0, "not frozen");
	munmap(r, 2 * page);
	close(v);
	close(m);
}

static void tables(void)
{
	int m = machine(1, 1, MONTECITO_CFG_HOST_INTERRUPTIONS), v = vcpu(m, 0);
	struct montecito_observer_add a = {
		.size = sizeof(a),
		.flags = MONTECITO_OBSERVER_TABLE,
		.period = 1,
		.table_order = 4,
		.filter = { .code = MONTECITO_EVENT_CODE(MONTECITO_EVENT_IA64_INST_RETIRED),
			    .plm = 0xf },
	};
	struct montecito_table_entry e[16];
	struct montecito_table_read r = {
		.size = sizeof(r),
		.count = 16,
		.entries = (uintptr_t)e,
	};
	uint64_t sum = 0;
	uint32_t i, id;

	a.table_order = 17;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -EINVAL, "a table too large");
	a.table_order = 4;
	a.period = 0;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -EINVAL, "a table without a period");
	a.period = 1;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), 0, "a table");
	id = a.id;
	set(v, MONTECITO_REG_AR, MONTECITO_AR_LC, 99);
	start(v, GUEST_COUNT);
	run(m, 0, 0, NULL);
	r.id = id + 1;
	is(call(v, MONTECITO_TABLE_READ, &r), -ENOENT, "an observer that is not there");
	observer(v, EVENT_INST_RETIRED, 0, &r.id);
	is(call(v, MONTECITO_TABLE_READ, &r), -ENXIO, "one without a table");
	r.id = id;
	r.count = 0;
	r.flags = MONTECITO_TABLE_CLEAR;
	is(call(v, MONTECITO_TABLE_READ, &r), -ENOSPC, "no room");
	ok(r.count == 2, "two instructions wait");
	r.count = 16;
	r.entries = 8;
	is(call(v, MONTECITO_TABLE_READ, &r), -EFAULT, "nowhere");
	r.entries = (uintptr_t)e;
	r.count = 16;
	is(call(v, MONTECITO_TABLE_READ, &r), 0, "read and clear");
	for (i = 0; i < r.count; i++) {
		sum += e[i].count;
		/* The loop's bundle has 300, the break's 2: its nop and itself. */
		ok(e[i].ip == GUEST_COUNT ? e[i].count == 300
					  : e[i].ip == GUEST_COUNT + 16 && e[i].count == 2,
		   "%u at %#llx", (unsigned int)e[i].count, (unsigned long long)e[i].ip);
	}
	ok(r.count == 2 && !r.lost && sum == observed(v, id), "and the sum is the count");
	r.count = 16;
	is(call(v, MONTECITO_TABLE_READ, &r), 0, "again");
	eq(r.count, 0, "it is empty");
	close(v);
	close(m);
}

/* The sum of what is known of the vcpu's cycles; *@c: as it is told. */
static uint64_t spent(int v, struct montecito_cycles *c, struct montecito_cause *cause)
{
	uint64_t sum;
	uint32_t i;

	*c = (struct montecito_cycles){
		.size = sizeof(*c),
		.count = 64,
		.causes = (uintptr_t)cause,
	};
	is(call(v, MONTECITO_CYCLES, c), 0, "cycles");
	sum = c->halted + c->functional + c->unstalled;
	for (i = 0; i < c->count; i++)
		sum += cause[i].cycles;
	return sum;
}

static void cycles(void)
{
	static struct montecito_cause cause[64];
	int m = machine(1, 1, 0), v = vcpu(m, 0);
	const struct montecito_snapshot *s;
	struct montecito_cycles c;
	uint32_t i, n, bad = 0;

	start(v, GUEST_SPIN);
	run(m, 30, 0, NULL);
	eq(spent(v, &c, cause), 10, "without time: 10 bundles");
	ok(c.functional == 10 && c.insns == 30 && c.cycles == 10, "of which no more is known");
	n = c.count;
	for (i = 0; i < n; i++)
		bad += !cause[i].name[0] || !cause[i].text[0] || cause[i].pad || !cause[i].bar ||
		       cause[i].bar > MONTECITO_BAR_SWITCHING;
	ok(n && !bad, "%u causes, each with a name, a text and a bar", (unsigned int)n);
	c = (struct montecito_cycles){ .size = sizeof(c) };
	ok(!call(v, MONTECITO_CYCLES, &c) && c.count == n && c.cycles == 10, "the sums alone");
	c.count = n - 1;
	ok(call(v, MONTECITO_CYCLES, &c) == -ENOSPC && c.count == n, "no room: how much is needed");
	close(v);
	close(m);
	m = timed_machine(0);
	v = vcpu(m, 0);
	start(v, GUEST_SPIN);
	run(m, 300000, 0, NULL);
	eq(spent(v, &c, cause), get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_CYCLES),
	   "with time: they are the vcpu's cycles");
	s = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, v, MONTECITO_MMAP_SNAPSHOT);
	if (s == MAP_FAILED)
		bail("snapshot: %s", strerror(errno));
	for (bad = 0, i = 0; i < c.count; i++)
		bad += s->cause[i] != cause[i].cycles;
	ok(!bad && s->nr_causes == c.count && s->unstalled == c.unstalled &&
		   s->functional == c.functional && s->halted == c.halted && s->cycles == c.cycles,
	   "and those of the snapshot");
	munmap((void *)s, sysconf(_SC_PAGESIZE));
	/* A group is a bundle there, in a cycle of its own. */
	ok(c.unstalled == 100000 && !c.functional && c.cycles > 100000,
	   "a bundle each cycle, and the start");
	close(v);
	close(m);
}

static void parameters(void)
{
	int m = timed_machine(0), other = timed_machine(0);
	struct montecito_param p = { .size = sizeof(p), .flags = MONTECITO_PARAM_BY_INDEX }, q;
	struct montecito_state st = { .size = sizeof(st) };
	unsigned int n, settable = 0;

	for (n = 0;; n++) {
		p.flags = MONTECITO_PARAM_BY_INDEX;
		p.index = n;
		if (call(m, MONTECITO_PARAM_GET, &p))
			break;
		q = (struct montecito_param){ .size = sizeof(q) };
		strcpy(q.name, p.name);
		ok(!call(m, MONTECITO_PARAM_GET, &q) && q.index == n && q.value == p.value &&
			   p.unit[0] && p.source[0] && !p.why[0] &&
			   !p.most == !!(p.flags & MONTECITO_PARAM_FIXED) &&
			   (!p.most || (p.least <= p.value && p.value <= p.most)),
		   "%s: %llu %s (%s)", p.name, (unsigned long long)p.value, p.unit, p.source);
		q.flags = 0;
		settable += !!p.most;
		is(call(m, MONTECITO_PARAM_SET, &q), p.most ? 0 : -EPERM, "%s: set", p.name);
		ok(!!q.why[0] == !p.most, "%s: and why not", p.name);
		q.flags = 0;
		q.value = p.most + 1;
		is(call(m, MONTECITO_PARAM_SET, &q), p.most ? -EINVAL : -EPERM, "%s: beyond",
		   p.name);
	}
	ok(n && errno == ENOENT && settable && settable < n, "%u parameters", n);
	q = (struct montecito_param){ .size = sizeof(q), .name = "clock.cor" };
	is(call(m, MONTECITO_PARAM_GET, &q), -ENOENT, "a name that is none");
	is(call(m, MONTECITO_PARAM_SET, &q), -ENOENT, "the same to set");
	memset(q.name, 'a', sizeof(q.name));
	is(call(m, MONTECITO_PARAM_GET, &q), -EINVAL, "a name without an end");
	is(call(m, MONTECITO_SAVE, &st), 0, "how long a state is");
	st.data = (uintptr_t)malloc(st.length);
	is(call(m, MONTECITO_SAVE, &st), 0, "the state of a machine");
	is(call(other, MONTECITO_RESTORE, &st), 0, "goes into another one");
	q = (struct montecito_param){ .size = sizeof(q), .name = "l3.latency", .value = 20 };
	is(call(other, MONTECITO_PARAM_SET, &q), 0, "l3.latency is 20");
	q.value = 0;
	ok(!call(other, MONTECITO_PARAM_GET, &q) && q.value == 20, "it is");
	is(call(other, MONTECITO_RESTORE, &st), -EINVAL, "not into one with another parameter");
	q = (struct montecito_param){ .size = sizeof(q), .name = "l3.latency", .value = 14 };
	is(call(other, MONTECITO_PARAM_SET, &q), 0, "l3.latency is 14 again");
	is(call(other, MONTECITO_RESTORE, &st), 0, "now it does");
	free((void *)(uintptr_t)st.data);
	close(m);
	close(other);
}

static void regions(void)
{
	static const struct {
		struct montecito_region r[2];
		uint32_t nr;
		long want;
		const char *what;
	} row[] = {
		{ { { .length = 0 } }, 1, -EINVAL, "an empty region" },
		{ { { .length = 4 << 20, .pad = 1 } }, 1, -EINVAL, "padding" },
		{ { { .length = 4 << 20, .reserved = 1 } }, 1, -EINVAL, "a word in reserve" },
		{ { { .length = 4 << 20, .flags = 4 } }, 1, -EINVAL, "an unknown flag" },
		{ { { .addr = 8, .length = 4 << 20 } }, 1, -EINVAL, "not at a page" },
		{ { { .addr = 1ULL << 50, .length = 4 << 20 } }, 1, -EINVAL, "beyond 50 bits" },
		{ { { .addr = 4 << 20, .length = 4 << 20 }, { .length = 4 << 20 } },
		  2,
		  -EINVAL,
		  "out of order" },
		{ { { .length = 4 << 20 }, { .addr = 2 << 20, .length = 4 << 20 } },
		  2,
		  -EINVAL,
		  "overlapping" },
		{ { { .length = 4 << 20 } }, 0, -EINVAL, "none" },
		{ { { .length = 4 << 20 } }, 9, -EINVAL, "nine" },
	};
	struct montecito_region r[3] = {
		{ .length = 2 << 20 },
		{ .addr = 0x4000000, .length = 4096, .flags = MONTECITO_REGION_MMIO },
		{ .addr = 1ULL << 32, .length = 1 << 20 },
	}, back[3];
	struct montecito_create c = { .size = sizeof(c), .cores = 1, .threads = 1 };
	struct montecito_machine_info i = { .size = sizeof(i), .nr_regions = 3 };
	struct montecito_run run = { .size = sizeof(run) };
	unsigned char *high;
	int dev = open_device();
	unsigned int n;
	long m, v;
	void *p;

	for (n = 0; n < sizeof(row) / sizeof(row[0]); n++) {
		c.regions = (uintptr_t)row[n].r;
		c.nr_regions = row[n].nr;
		is(call(dev, MONTECITO_CREATE, &c), row[n].want, "regions: %s", row[n].what);
	}
	c.nr_regions = 1;
	c.regions = 8;
	is(call(dev, MONTECITO_CREATE, &c), -EFAULT, "regions: nowhere");
	c.regions = (uintptr_t)r;
	c.timing = 2;
	is(call(dev, MONTECITO_CREATE, &c), -EINVAL, "a timing that is none");
	c.timing = 0;
	memset(c.name, 'a', sizeof(c.name));
	is(call(dev, MONTECITO_CREATE, &c), -EINVAL, "a name without an end");
	strcpy(c.name, "three");
	c.nr_regions = 3;
	c.config = MONTECITO_CFG_HOST_INTERRUPTIONS;
	m = call(dev, MONTECITO_CREATE, &c);
	ok(m >= 0, "two of memory and one without, named");
	i.regions = (uintptr_t)back;
	is(call(m, MONTECITO_MACHINE_INFO, &i), 0, "MACHINE_INFO");
	ok(i.nr_regions == 3 && !memcmp(back, r, sizeof(r)) && i.memory == 3 << 20 &&
		   !strcmp(i.name, "three"),
	   "tells them");
	p = mmap(NULL, 4096, PROT_READ, MAP_SHARED, m, 0x4000000);
	ok(p == MAP_FAILED && errno == EINVAL, "no memory to map there");
	high = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, m, 1ULL << 32);
	ok(high != MAP_FAILED, "the upper one, by its address");

	v = vcpu(m, 0);
	memcpy(high, guest_image, guest_image_end - guest_image);
	set(v, MONTECITO_REG_GR, 8, 0x1122334455667788);
	/* Bit 63: uncacheable, as such references must be in physical mode. */
	set(v, MONTECITO_REG_GR, 9, 1ULL << 63 | 0x4000010);
	set(v, MONTECITO_REG_GR, 11, 1ULL << 63 | 0x4000020);
	start(v, (1ULL << 32) + (GUEST_STORE - GUEST_BASE));
	is(call(m, MONTECITO_RUN, &run), 0, "a store to the region without memory");
	ok(run.exit.reason == MONTECITO_EXIT_MMIO && run.exit.mmio.addr == 0x4000010 &&
		   run.exit.mmio.length == 8 && run.exit.mmio.write == 1 &&
		   run.exit.mmio.data[0] == 0x1122334455667788,
	   "comes here");
	is(call(m, MONTECITO_RUN, &run), 0, "and a load");
	ok(run.exit.reason == MONTECITO_EXIT_MMIO && run.exit.mmio.addr == 0x4000020 &&
		   run.exit.mmio.length == 8 && !run.exit.mmio.write,
	   "too");
	run.mmio_data[0] = 77;
	is(call(m, MONTECITO_RUN, &run), -EINVAL, "an answer without its flag");
	run.flags = MONTECITO_RUN_MMIO_DATA;
	run.mmio_vcpu = 1;
	is(call(m, MONTECITO_RUN, &run), -ENOENT, "for a vcpu that is not there");
	run.mmio_vcpu = 0;
	is(call(m, MONTECITO_RUN, &run), 0, "the answer");
	ok(run.exit.reason == MONTECITO_EXIT_BREAK && run.exit.iim == 0x124 &&
		   get(v, MONTECITO_REG_GR, 12) == 77,
	   "is what the load finds");
	is(call(m, MONTECITO_RUN, &run), -ENOENT, "an answer that nobody waits for");
	munmap(high, 1 << 20);
	close(v);
	close(m);
	close(dev);
}

int main(void)
{
	snapshots();
	sampling();
	tables();
	cycles();
	parameters();
	regions();
	return done();
}
