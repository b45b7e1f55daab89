// SPDX-License-Identifier: GPL-2.0-only
/* Observers, the sampling ring, poll() and eventfd; overflows for the host. */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common.h"

struct ring {
	struct montecito_ring_page *ctl;
	unsigned char *data;
	uint64_t size;
};

static long make(int v, uint32_t order)
{
	struct montecito_ring r = { .size = sizeof(r), .order = order };

	return call(v, MONTECITO_RING, &r);
}

static bool map_ring(int v, uint32_t order, struct ring *r)
{
	size_t page = sysconf(_SC_PAGESIZE);

	r->ctl = mmap(NULL, page * (1 + (1 << order)), PROT_READ | PROT_WRITE, MAP_SHARED, v, 0);
	if (r->ctl == MAP_FAILED)
		return false;
	r->data = (unsigned char *)r->ctl + r->ctl->data_offset;
	r->size = r->ctl->data_size;
	return true;
}

/* The next record, or false when there is none. */
static bool next(struct ring *r, struct montecito_record_sample *s)
{
	uint64_t head = __atomic_load_n(&r->ctl->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = r->ctl->data_tail, i;
	struct montecito_record_header h;

	if (head == tail)
		return false;
	memset(s, 0, sizeof(*s));
	for (i = 0; i < sizeof(h); i++)
		((unsigned char *)&h)[i] = r->data[(tail + i) % r->size];
	for (i = 0; i < h.size && i < sizeof(*s); i++)
		((unsigned char *)s)[i] = r->data[(tail + i) % r->size];
	__atomic_store_n(&r->ctl->data_tail, tail + h.size, __ATOMIC_RELEASE);
	return true;
}

static void observers(void)
{
	int m = machine(1, 1, 0), v = vcpu(m, 0), w = vcpu(m, 0);
	struct montecito_observer_add a = { .size = sizeof(a) };
	struct montecito_observer_del d = { .size = sizeof(d) };
	struct montecito_observer_read r = { .size = sizeof(r), .count = 2 };
	struct montecito_info info = { .size = sizeof(info) };
	struct montecito_ring ring = { .size = sizeof(ring) };
	uint32_t id, id2, ids[2];
	int dev = open_device();
	uint64_t counts[2];

	start(v, GUEST_SPIN);
	is(observer(v, EVENT_INST_RETIRED, 0, &id), 0, "an observer");
	is(observer(v, EVENT_INST_RETIRED, 0, &id2), 0, "and another");
	ok(id != id2, "of another number");
	run(m, 3000, 0, NULL);
	eq(observed(v, id), 3000, "counts what retires");
	d.id = id2;
	is(call(w, MONTECITO_OBSERVER_DEL, &d), -ENOENT, "not known on another file");
	is(call(v, MONTECITO_OBSERVER_DEL, &d), 0, "removed");
	is(call(v, MONTECITO_OBSERVER_DEL, &d), -ENOENT, "removed twice");
	ids[0] = id;
	ids[1] = id2;
	r.ids = (uintptr_t)ids;
	r.counts = (uintptr_t)counts;
	counts[0] = 5;
	is(call(v, MONTECITO_OBSERVER_READ, &r), -ENOENT, "read with a bad entry");
	ok(r.bad == 1 && counts[0] == 5, "told, and nothing written");
	is(call(dev, MONTECITO_INFO, &info), 0, "what INFO allows");
	close(dev);
	r.count = info.max_batch + 1;
	is(call(v, MONTECITO_OBSERVER_READ, &r), -EINVAL, "read of too many");
	r.count = 1;
	r.counts = 0;
	is(call(v, MONTECITO_OBSERVER_READ, &r), -EFAULT, "read to nowhere");
	run(m, 3000, 0, NULL);
	eq(observed(v, id), 6000, "the other one counts on");

	a.filter.code = EVENT_INST_RETIRED;
	a.filter.plm = 0;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -EINVAL, "no privilege level");
	ok(a.why[0], "says why: %s", a.why);
	a.filter.plm = 0xf;
	a.filter.threshold = 8;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -EINVAL, "threshold 8");
	ok(a.why[0], "says why: %s", a.why);
	a.filter.threshold = 0;
	a.filter.flags = 0x80;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -EINVAL, "unknown filter flag");
	ok(a.why[0], "says why: %s", a.why);
	a.filter.flags = 0;
	a.filter.pad = 1;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -EINVAL, "filter padding");
	a.filter.pad = 0;
	a.filter.reserved[4] = 1;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -EINVAL, "filter's words in reserve");
	a.filter.reserved[4] = 0;
	a.filter.scope = MONTECITO_SCOPE_PACKAGE + 1;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -EINVAL, "a scope that is none");
	a.filter.scope = MONTECITO_SCOPE_CORE;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -EOPNOTSUPP, "a core's events");
	ok(a.why[0], "says why: %s", a.why);
	a.filter.scope = MONTECITO_SCOPE_PACKAGE;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -EOPNOTSUPP, "a package's events");
	a.filter.scope = MONTECITO_SCOPE_THREAD;
	a.filter.latency = 1;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -EOPNOTSUPP, "a latency");
	ok(a.why[0], "says why: %s", a.why);
	a.filter.latency = 0;
	a.filter.mesi = 0x10;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -EINVAL, "a line state that is none");
	a.filter.mesi = 1;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -EOPNOTSUPP, "a line state");
	ok(a.why[0], "says why: %s", a.why);
	a.filter.mesi = 0;
	a.filter.code = 0xff;
	a.filter.umask = 0xf;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -ENOENT, "no such event");
	ok(a.why[0], "says why: %s", a.why);
	a.filter.umask = 0;
	a.filter.code = EVENT_CPU_OP_CYCLES;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -EOPNOTSUPP, "an event that is not counted");
	ok(a.why[0], "says why: %s", a.why);
	a.filter.code = EVENT_INST_RETIRED;
	a.period = 1;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -EINVAL, "a period without sampling");
	a.flags = MONTECITO_OBSERVER_SAMPLE;
	a.period = 0;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -EINVAL, "sampling without a period");
	a.period = 1;
	a.sample_pmds = 1;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -EINVAL, "samples of PMD0, which is none");
	a.sample_pmds = 1 << 4;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -EINVAL, "an observer's samples of PMD4");
	ok(a.why[0], "says why: %s", a.why);
	a.filter.code = EVENT_ETB;
	a.sample_pmds = 1ULL << 32;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -EINVAL, "a trace buffer's samples of PMD32");
	a.sample_pmds = 0;
	a.flags = 0;
	a.period = 0;
	a.filter.etb = 1 << 9;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -EINVAL, "a setting of the trace buffer, no flag");
	a.filter.flags = MONTECITO_FILTER_ETB;
	a.filter.etb = 1 << 16;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -EINVAL, "a setting that PMC39 does not hold");
	a.filter.etb = 1 << 9;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -EOPNOTSUPP, "a trace by prediction, no time");
	ok(a.why[0], "says why: %s", a.why);
	a.filter.flags = 0;
	a.filter.etb = 0;
	a.filter.code = EVENT_INST_RETIRED;
	a.flags = MONTECITO_OBSERVER_SAMPLE;
	a.period = 1;
	a.table_order = 1;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -EINVAL, "a table's size without one");
	a.table_order = 0;
	a.flags |= MONTECITO_OBSERVER_CALLCHAIN;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -EINVAL, "call chains of no calls");
	ok(a.why[0], "says why: %s", a.why);
	a.max_callchain = info.max_callchain + 1;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -EINVAL, "call chains deeper than INFO says");
	a.max_callchain = 1;
	a.flags = MONTECITO_OBSERVER_SAMPLE;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -EINVAL, "the depth of no call chains");
	a.max_callchain = 0;
	a.flags = MONTECITO_OBSERVER_SAMPLE | MONTECITO_OBSERVER_TABLE;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -EINVAL, "samples and a table");
	a.flags = MONTECITO_OBSERVER_SAMPLE;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -ENXIO, "sampling without a ring");
	ok(a.why[0], "says why: %s", a.why);
	a.flags = 0;
	a.period = 0;
	if (call(v, MONTECITO_RING, &ring))
		bail("ring");
	for (id2 = 0; !observer(v, EVENT_INST_RETIRED, 100, NULL); id2++)
		;
	eq(id2, info.max_vcpu_samplers, "as many that sample as INFO says");
	for (id2++; id2 < info.max_vcpu_observers; id2++)
		if (observer(v, EVENT_INST_RETIRED, 0, NULL))
			break;
	eq(id2, info.max_vcpu_observers, "and as many in all");
	ok(id2 >= 1024, "a thousand events at once");
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -ENOSPC, "one more");
	run(m, 3000, 0, NULL);
	eq(observed(v, id), 9000, "counting goes on among them");
	close(v);
	close(w);
	close(m);
}

/* The units that an observer has of its own, by events of theirs, and the PMDs of each */
static const struct unit {
	struct montecito_filter filter;
	uint64_t pmds;
	const char *name;
} units[] = {
	{ { .code = EVENT_INST_RETIRED, .plm = 0xf }, 0, "no unit" },
	{ { .code = EVENT_DATA_EAR, .plm = 0xf, .ear = MONTECITO_EAR_DATA_CACHE },
	  1ULL << 32 | 1ULL << 33 | 1ULL << 36,
	  "a data EAR" },
	{ { .code = EVENT_INSN_EAR, .plm = 0xf, .ear = MONTECITO_EAR_INSN_CACHE, .ear_umask = 0x40 },
	  1ULL << 34 | 1ULL << 35,
	  "an instruction EAR" },
	{ { .code = EVENT_ETB, .plm = 0xf },
	  1ULL << 38 | 1ULL << 39 | 0xffffULL << 48,
	  "a trace buffer" },
};

/* Each PMD by itself: those of the unit are sampled, others are refused. */
static void pmds(int v, const struct unit *u)
{
	struct montecito_observer_add a = {
		.size = sizeof(a),
		.flags = MONTECITO_OBSERVER_SAMPLE,
		.period = 1000000,
		.filter = u->filter,
	};
	struct montecito_observer_del d = { .size = sizeof(d) };
	unsigned int n, wrong = 0, silent = 0;
	long ret;

	for (n = 0; n < 64; n++) {
		a.sample_pmds = 1ULL << n;
		ret = call(v, MONTECITO_OBSERVER_ADD, &a);
		wrong += ret != (u->pmds >> n & 1 ? 0 : -EINVAL);
		silent += ret && !a.why[0];
		d.id = a.id;
		if (!ret && call(v, MONTECITO_OBSERVER_DEL, &d))
			bail("remove");
	}
	eq(wrong, 0, "%s: its PMDs alone", u->name);
	eq(silent, 0, "%s: each refusal says why", u->name);
}

/* Samples are refused, beside a sampling observer that goes on as if nothing had been. */
static void refusals(void)
{
	int m = timed_machine(0), v = vcpu(m, 0), plain, none;
	struct montecito_observer_add a = { .size = sizeof(a) };
	struct montecito_info info = { .size = sizeof(info) };
	struct montecito_record_sample s;
	struct montecito_observer_del d = { .size = sizeof(d) };
	unsigned int i, n, accepted = 0, wrong = 0;
	int dev = open_device();
	struct ring r;
	uint32_t id;
	long ret;

	if (call(dev, MONTECITO_INFO, &info))
		bail("INFO");
	close(dev);
	start(v, GUEST_SPIN);
	if (make(v, 0) || !map_ring(v, 0, &r) || observer(v, EVENT_INST_RETIRED, 300, &id))
		bail("ring");
	a.filter = units[0].filter;
	a.period = 1000;
	for (i = 3; i < 32; i++) {
		a.flags = MONTECITO_OBSERVER_SAMPLE | 1U << i;
		accepted += call(v, MONTECITO_OBSERVER_ADD, &a) != -EINVAL;
	}
	eq(accepted, 0, "no unknown flag of samples");
	a.flags = MONTECITO_OBSERVER_SAMPLE;
	a.random_mask = 1000;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -EINVAL, "a mask that is the period");
	ok(a.why[0], "says why: %s", a.why);
	a.random_mask = 1023;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -EINVAL, "a mask above it");
	a.period = (1ULL << 47) - 1;
	for (i = 0; i < 64; i++) {
		a.random_mask = 1ULL << i;
		wrong += call(v, MONTECITO_OBSERVER_ADD, &a) != -EINVAL;
	}
	eq(wrong, 0, "no mask of a period from 2^46 on: the sum would reach 2^47");
	ok(a.why[0], "says why: %s", a.why);
	a.random_mask = 0;
	a.period = 1ULL << 47;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -EINVAL, "a period of 48 bits");
	a.period = 1000;
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		pmds(v, &units[i]);
	a.flags = MONTECITO_OBSERVER_SAMPLE | MONTECITO_OBSERVER_CALLCHAIN;
	a.max_callchain = info.max_callchain + 1;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -EINVAL, "a chain of one call more than INFO says");
	ok(a.why[0], "says why: %s", a.why);
	a.max_callchain = -1;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), -EINVAL, "and of 2^32 - 1");
	a.flags = MONTECITO_OBSERVER_SAMPLE;
	a.max_callchain = 0;
	none = vcpu(timed_machine(0), 0);
	is(call(none, MONTECITO_OBSERVER_ADD, &a), -ENXIO, "no ring");
	ok(a.why[0], "says why: %s", a.why);

	/* Without time */
	plain = vcpu(machine(1, 1, 0), 0);
	if (make(plain, 0))
		bail("ring");
	for (i = 1; i <= 2; i++) {
		a.filter = units[i].filter;
		is(call(plain, MONTECITO_OBSERVER_ADD, &a), -EOPNOTSUPP, "%s of a cache, no time",
		   units[i].name);
		ok(a.why[0], "says why: %s", a.why);
	}
	a.filter = units[3].filter;
	is(call(plain, MONTECITO_OBSERVER_ADD, &a), 0, "a trace buffer needs none");
	d.id = a.id;
	if (call(plain, MONTECITO_OBSERVER_DEL, &d))
		bail("remove");
	a.filter.flags = MONTECITO_FILTER_ETB;
	for (i = 0; i < 64; i++) {
		/* tm, ptm and ppm of PMC39: where branches are taken at all, 11 is any prediction. */
		bool predicts = (i & 3) && i >> 2 != 15;

		a.filter.etb = i << 8;
		ret = call(plain, MONTECITO_OBSERVER_ADD, &a);
		wrong += ret != (predicts ? -EOPNOTSUPP : 0);
		d.id = a.id;
		if (!ret && call(plain, MONTECITO_OBSERVER_DEL, &d))
			bail("remove");
	}
	eq(wrong, 0, "but for what was predicted");

	/* As if nothing had been: each sample at its instruction, none lost, none of others */
	run(m, 3000, 0, NULL);
	for (n = 0; next(&r, &s); n++)
		wrong += s.header.type != MONTECITO_RECORD_SAMPLE || s.source != id ||
			 s.insns != 300ULL * (n + 1);
	ok(n == 10 && !wrong && !r.ctl->lost, "the samples of one that was there before");
	eq(observed(v, id), 3000, "and its count");
	munmap(r.ctl, 2 * sysconf(_SC_PAGESIZE));
	close(plain);
	close(none);
	close(v);
	close(m);
}

static void sampling(void)
{
	size_t page = sysconf(_SC_PAGESIZE);
	int m = machine(1, 1, 0), v = vcpu(m, 0), efd = eventfd(0, EFD_NONBLOCK), i, n;
	struct montecito_eventfd e = { .size = sizeof(e), .fd = efd };
	struct pollfd p = { .fd = v, .events = POLLIN };
	struct montecito_record_sample s;
	uint64_t lost, count, fit;
	struct ring r;
	uint32_t id;
	bool good;
	void *bad;

	start(v, GUEST_SPIN);
	is(make(v, 11), -EINVAL, "a ring too large");
	is(make(v, 0), 0, "a ring of one page");
	is(make(v, 0), -EEXIST, "a second ring");
	bad = mmap(NULL, page, PROT_READ, MAP_SHARED, v, 0);
	ok(bad == MAP_FAILED && errno == EINVAL, "mapping a part of it");
	bad = mmap(NULL, 3 * page, PROT_READ, MAP_SHARED, v, 0);
	ok(bad == MAP_FAILED && errno == EINVAL, "mapping more than it");
	bad = mmap(NULL, 2 * page, PROT_READ, MAP_SHARED, v, page);
	ok(bad == MAP_FAILED && errno == EINVAL, "mapping at an offset");
	bad = mmap(NULL, 2 * page, PROT_READ, MAP_PRIVATE, v, 0);
	ok(bad == MAP_FAILED && errno == EINVAL, "a private mapping");
	ok(map_ring(v, 0, &r), "map it");
	ok(r.ctl->version == 1 && r.size == page && r.ctl->data_offset == page &&
		   !r.ctl->data_head && !r.ctl->lost,
	   "an empty ring");

	e.fd = -2;
	is(call(v, MONTECITO_EVENTFD, &e), -EINVAL, "eventfd -2");
	e.fd = 9999;
	is(call(v, MONTECITO_EVENTFD, &e), -EBADF, "eventfd that is not open");
	e.fd = m;
	is(call(v, MONTECITO_EVENTFD, &e), -EINVAL, "eventfd that is none");
	e.fd = efd;
	is(call(v, MONTECITO_EVENTFD, &e), 0, "eventfd");

	/* Period 300: a sample every 100 bundles. */
	is(observer(v, EVENT_INST_RETIRED, 300, &id), 0, "a sampling observer");
	is(poll(&p, 1, 0), 0, "nothing to read yet");
	run(m, 3000, 0, NULL);
	is(poll(&p, 1, 0), 1, "readable");
	ok(read(efd, &count, 8) == 8 && count >= 1, "the eventfd was signalled");
	good = true;
	for (n = 0; next(&r, &s); n++)
		if (s.header.type != MONTECITO_RECORD_SAMPLE || s.header.size != sizeof(s) ||
		    s.header.misc != MONTECITO_SAMPLE_OBSERVER || s.source != id ||
		    s.ip != GUEST_SPIN || s.slot > 2 || s.cpl || s.vcpu || s.pmds ||
		    s.insns != 300ULL * (n + 1) || s.cycles != 100ULL * (n + 1))
			good = false;
	eq(n, 10, "10 samples in 3000 instructions");
	ok(good, "each at its instruction");
	is(poll(&p, 1, 0), 0, "all read: not readable");

	/* More samples than fit, without a reader. */
	fit = r.size / sizeof(s);
	run(m, 300 * 100, 0, NULL);
	lost = r.ctl->lost;
	eq(lost, 100 - fit, "what does not fit is counted as lost");
	for (n = 0; next(&r, &s); n++)
		if (s.insns != 3000 + 300ULL * (n + 1))
			break;
	eq(n, fit, "the oldest are kept, across the ring's end");
	run(m, 600, 0, NULL);
	ok(next(&r, &s) && s.header.type == MONTECITO_RECORD_LOST &&
		   s.header.size == sizeof(struct montecito_record_lost) && s.source == lost,
	   "then a record tells how many were lost");
	for (n = 0; next(&r, &s); n++)
		;
	eq(n, 2, "and the new samples");
	eq(observed(v, id), 3000 + 30000 + 600, "the count missed nothing");

	/* A reader that lies about its tail gets nothing, and harms nothing. */
	r.ctl->data_tail = r.ctl->data_head + 12345;
	run(m, 3000, 0, NULL);
	eq(r.ctl->lost, lost + 10, "an impossible tail is a full ring");
	r.ctl->data_tail = r.ctl->data_head;
	r.ctl->data_size = -1ULL;
	r.ctl->data_offset = -1ULL;
	r.ctl->data_head += 4096;
	run(m, 600, 0, NULL);
	ok(next(&r, &s) && s.header.type == MONTECITO_RECORD_LOST && s.source == 10 &&
		   next(&r, &s) && s.header.type == MONTECITO_RECORD_SAMPLE && s.insns == 36900 &&
		   next(&r, &s) && s.insns == 37200 && !next(&r, &s),
	   "what the reader wrote to head, size and offset moves no record");
	e.fd = -1;
	is(call(v, MONTECITO_EVENTFD, &e), 0, "take the eventfd off");
	while (read(efd, &count, 8) == 8)
		;
	run(m, 600, 0, NULL);
	ok(read(efd, &count, 8) < 0, "it is signalled no more");
	for (i = 0; i < 3; i++)
		close(i == 0 ? m : i == 1 ? v : efd);
	ok(r.ctl->version == 1, "the mapping outlives the descriptors");
	munmap(r.ctl, 2 * page);
}

/* The architectural PMU, owned by the host. */
static void overflow(void)
{
	int m = machine(1, 1, MONTECITO_CFG_HOST_PMU), v = vcpu(m, 0), w = vcpu(m, 0);
	int efd = eventfd(0, EFD_NONBLOCK);
	struct montecito_eventfd e = { .size = sizeof(e), .fd = efd };
	struct pollfd p = { .fd = v, .events = POLLIN };
	struct montecito_record_sample s;
	struct montecito_run x;
	struct ring r;
	uint64_t n;

	start(v, GUEST_SPIN);
	if (make(v, 1) || !map_ring(v, 1, &r) || call(w, MONTECITO_EVENTFD, &e))
		bail("ring");
	set(v, MONTECITO_REG_PMC, 4, PMC_ES(EVENT_INST_RETIRED) | PMC_PLM_ALL | PMC_OI);
	set(v, MONTECITO_REG_PMD, 4, PMD_OVERFLOW - 300);
	set(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR,
	    get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR) | PSR_UP);
	is(set(v, MONTECITO_REG_CR, 73, 0x40), 0, "PMV not masked");
	set(v, MONTECITO_REG_PMC, 0, 0);
	is(run(m, 0, 0, &x), 0, "run to the overflow, no budget");
	eq(x.exit.reason, MONTECITO_EXIT_PMU_OVERFLOW, "it comes to the host");
	eq(x.exit.insns, 300, "after 300 instructions");
	eq(x.exit.pmc0, 1 | 1 << 4, "PMC0: frozen, counter 4");
	eq(get(v, MONTECITO_REG_PMD, 4), 0, "the counter wrapped");
	is(poll(&p, 1, 0), 1, "the vcpu file is readable");
	ok(read(efd, &n, 8) == 8 && n == 1, "the other file's eventfd is signalled");
	ok(next(&r, &s) && s.header.type == MONTECITO_RECORD_SAMPLE &&
		   s.header.misc == MONTECITO_SAMPLE_PMU && s.source == (1 | 1 << 4) &&
		   s.ip == x.exit.ip && s.insns == 300 && s.pmds == 0xfff0 &&
		   s.header.size == sizeof(s) + 12 * 8,
	   "the ring has it, with the PMDs");
	ok(!next(&r, &s), "once");
	/* Go on as a profiler does: reload, unfreeze. */
	set(v, MONTECITO_REG_PMD, 4, PMD_OVERFLOW - 600);
	set(v, MONTECITO_REG_PMC, 0, 0);
	is(run(m, 0, 0, &x), 0, "reload and go on");
	ok(x.exit.reason == MONTECITO_EXIT_PMU_OVERFLOW && x.exit.insns == 600, "after 600 more");
	is(run(m, 3000, 0, &x), 0, "without unfreezing");
	eq(x.exit.reason, MONTECITO_EXIT_BUDGET, "no further overflow");
	close(v);
	close(w);
	close(m);
	close(efd);
}

int main(void)
{
	observers();
	refusals();
	sampling();
	overflow();
	return done();
}
