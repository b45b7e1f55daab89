// SPDX-License-Identifier: GPL-2.0-only
/* The trace of a vcpu, by MONTECITO_TRACE into the ring of a file descriptor. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common.h"

#define ALL ((1U << MONTECITO_NR_TRACE) - 1)
#define ORDER 10
#define CYCLES 2000

static long trace(int v, uint32_t kinds)
{
	struct montecito_trace tr = { .size = sizeof(tr), .kinds = kinds };

	return call(v, MONTECITO_TRACE, &tr);
}

static long make(int v, uint32_t order)
{
	struct montecito_ring r = { .size = sizeof(r), .order = order };

	return call(v, MONTECITO_RING, &r);
}

static struct montecito_ring_page *map(int v, uint32_t order)
{
	size_t page = sysconf(_SC_PAGESIZE);
	void *p = mmap(NULL, page * (1 + (1 << order)), PROT_READ | PROT_WRITE, MAP_SHARED, v, 0);

	if (p == MAP_FAILED)
		bail("mmap");
	return p;
}

/* The next record, or false when there is none. */
static bool next(struct montecito_ring_page *ring, struct montecito_record_trace *r)
{
	uint64_t head = __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE);
	const unsigned char *data = (unsigned char *)ring + ring->data_offset;
	uint64_t tail = ring->data_tail, i;

	if (head == tail)
		return false;
	for (i = 0; i < sizeof(*r); i++)
		((unsigned char *)r)[i] = data[(tail + i) % ring->data_size];
	__atomic_store_n(&ring->data_tail, tail + r->header.size, __ATOMIC_RELEASE);
	return true;
}

/* A run of CYCLES cycles with a trace of @kinds into a ring of 2^@order pages. */
static uint64_t traced(uint32_t kinds, uint32_t order, uint64_t slice)
{
	int m = timed_machine(0), v = vcpu(m, 0);
	uint64_t end, cycles;

	start(v, GUEST_SPIN);
	if (kinds && (make(v, order) || trace(v, kinds)))
		bail("trace");
	for (cycles = 0; cycles < CYCLES; cycles += slice)
		run(m, 0, slice, NULL);
	end = hash(m);
	close(v);
	close(m);
	return end;
}

/* Every cycle is of a group that retires or of a span of a stall. */
static void adds_up(void)
{
	int m = timed_machine(0), v = vcpu(m, 0), w = vcpu(m, 0);
	uint64_t cycles = 0, insns = 0, records = 0, bad = 0;
	struct montecito_ring_page *ring;
	struct montecito_record_trace r;

	start(v, GUEST_SPIN);
	is(trace(v, ALL), -ENXIO, "no ring");
	is(make(v, ORDER), 0, "a ring");
	is(trace(v, ALL + 1), -EINVAL, "a kind that there is not");
	is(trace(v, ALL), 0, "every kind");
	is(make(w, 0), 0, "another file's ring");
	is(trace(w, ALL), -EEXIST, "the vcpu is traced");
	ring = map(v, ORDER);
	run(m, 0, CYCLES, NULL);
	is(trace(v, 0), 0, "no more of it");
	while (next(ring, &r)) {
		records++;
		bad += r.header.type != MONTECITO_RECORD_TRACE || r.header.size != sizeof(r) ||
		       r.header.misc >= MONTECITO_NR_TRACE;
		if (r.header.misc == MONTECITO_TRACE_STALL)
			cycles += r.value[0] - r.cycle;
		if (r.header.misc == MONTECITO_TRACE_RETIRE) {
			cycles += r.what != 0;
			insns += r.what;
		}
	}
	ok(records && !bad && !ring->lost, "%llu records, none lost", (unsigned long long)records);
	eq(cycles, CYCLES, "their spans and groups are the cycles");
	eq(insns, get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS), "and the instructions");
	run(m, 0, CYCLES, NULL);
	ok(!next(ring, &r), "nothing behind the end of the trace");
	is(trace(w, ALL), 0, "another file may trace it now");
	close(w);
	is(trace(v, ALL), 0, "and when that is closed, this one");
	close(v);
	close(m);
}

/* Without the timing model there are overflows, and no stalls. */
static void without_time(void)
{
	int m = machine(1, 1, 0), v = vcpu(m, 0);
	struct montecito_ring_page *ring;
	struct montecito_record_trace r;

	start(v, GUEST_SPIN);
	is(make(v, 0), 0, "a ring");
	is(trace(v, 1 << MONTECITO_TRACE_STALL), -EOPNOTSUPP, "stalls without time");
	is(trace(v, 1 << MONTECITO_TRACE_OVERFLOW | 1 << MONTECITO_TRACE_FREEZE), 0, "overflows");
	ring = map(v, 0);
	set(v, MONTECITO_REG_PMC, 4, PMC_ES(EVENT_INST_RETIRED) | PMC_PLM_ALL | PMC_OI);
	set(v, MONTECITO_REG_PMD, 4, PMD_OVERFLOW - 300);
	set(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR,
	    get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR) | PSR_UP);
	set(v, MONTECITO_REG_PMC, 0, 0);
	run(m, 3000, 0, NULL);
	ok(next(ring, &r) && r.header.misc == MONTECITO_TRACE_OVERFLOW && r.what == 1 << 4,
	   "PMD4 overflows");
	ok(next(ring, &r) && r.header.misc == MONTECITO_TRACE_FREEZE && r.value[0] == (1 | 1 << 4),
	   "which freezes the PMU");
	ok(!next(ring, &r), "once");
	close(v);
	close(m);
}

/* A full ring loses records and says how many; the machine does not change. */
static void loses(void)
{
	int m = timed_machine(0), v = vcpu(m, 0);
	struct montecito_ring_page *ring;

	start(v, GUEST_SPIN);
	if (make(v, 0) || trace(v, ALL))
		bail("trace");
	ring = map(v, 0);
	run(m, 0, CYCLES, NULL);
	ok(ring->lost, "%llu records lost", (unsigned long long)ring->lost);
	close(v);
	close(m);
	eq(traced(ALL, 0, CYCLES), traced(0, 0, CYCLES), "the state is that without a trace");
	eq(traced(ALL, ORDER, CYCLES), traced(ALL, ORDER, 50), "however the run is cut");
}

int main(void)
{
	adds_up();
	without_time();
	loses();
	return done();
}
