// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples of the PMU "montecito": as many as periods have ended, at the instructions at
 * which an observer has its own, by period and by frequency, and none lost untold.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "perf_fixture.h"

#define RING_PAGES 64

/* samples = count / period, each at the same instruction as an observer's of that period */
TEST_F_TIMEOUT(perf, samples_are_those_of_an_observer, 600)
{
	static const uint64_t period[] = { 1, 7, 1000, 10007 };
	unsigned int i;

	for (i = 0; i < sizeof(period) / sizeof(*period); i++) {
		uint64_t insns = period[i] * 300 + 2, n = 0, wrong = 0, count;
		uint64_t before = get(self->v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS);
		struct samples s = { .fd = event(INST, period[i]) };
		struct sample one;

		ASSERT_LE(0, s.fd);
		samples_map(&s, RING_PAGES);
		run(self->m, insns / 2, 0, NULL);
		run(self->m, insns - insns / 2, 0, NULL);
		count = value(s.fd);
		EXPECT_LE(insns, count);
		/* Where an observer of that period has its samples, bundle by bundle. */
		while (samples_next(&s, &one)) {
			n++;
			wrong += one.ip != (one.raw.ip | one.raw.slot) ||
				 one.raw.ip != GUEST_SPIN || one.raw.slot != 2 ||
				 one.raw.machine != machine_id(self->m) || one.raw.cpl ||
				 one.raw.insns - before != (n * period[i] + 2) / 3 * 3;
		}
		EXPECT_EQ(0, wrong);
		EXPECT_EQ(count / period[i], n) TH_LOG("period %lu", (long)period[i]);
		EXPECT_EQ(0, s.lost);
		samples_close(&s);
	}
}

/* Each vcpu of each machine has periods of its own. */
TEST_F_TIMEOUT(perf, each_vcpu_has_a_period, 600)
{
	struct perf_event_attr a = attribute(INST, 1000);
	struct samples s;
	struct sample one;
	uint64_t n[2][2] = {};
	int m[2], v[2][2], i, k;
	uint32_t id[2][2];

	stay_on(0);
	s.fd = open_event(&a, -1, 0, -1);
	ASSERT_LE(0, s.fd);
	samples_map(&s, RING_PAGES);
	for (i = 0; i < 2; i++) {
		m[i] = machine(1, 2, 0);
		for (k = 0; k < 2; k++) {
			v[i][k] = vcpu(m[i], k);
			start(v[i][k], GUEST_SPIN);
			ASSERT_EQ(0, observe(v[i][k], INST, &id[i][k]));
		}
	}
	for (i = 0; i < 10; i++)
		run(m[i & 1], 7300 + 300 * i, 0, NULL);
	while (samples_next(&s, &one)) {
		i = one.raw.machine == machine_id(m[1]);
		EXPECT_EQ(machine_id(m[i]), one.raw.machine);
		ASSERT_GT(2, one.raw.vcpu);
		n[i][one.raw.vcpu]++;
		EXPECT_EQ((n[i][one.raw.vcpu] * 1000 + 2) / 3 * 3, one.raw.insns);
	}
	for (i = 0; i < 2; i++)
		for (k = 0; k < 2; k++) {
			EXPECT_LT(5, n[i][k]);
			EXPECT_EQ(observed(v[i][k], id[i][k]) / 1000, n[i][k])
			TH_LOG("machine %d, vcpu %d", i, k);
			close(v[i][k]);
		}
	EXPECT_EQ(0, s.lost);
	samples_close(&s);
	close(m[0]);
	close(m[1]);
}

#define EAR_PMDS (1ULL << 32 | 1ULL << 33 | 1ULL << 36)

/* The next record of a vcpu's ring that is a sample with three PMDs, or NULL. */
static const struct montecito_record_sample *ring_next(struct montecito_ring_page *r)
{
	const struct montecito_record_sample *s =
		(void *)((char *)r + r->data_offset + r->data_tail % r->data_size);

	if (r->data_tail == __atomic_load_n(&r->data_head, __ATOMIC_ACQUIRE))
		return NULL;
	r->data_tail += s->header.size;
	return s->header.type == MONTECITO_RECORD_SAMPLE ? s : NULL;
}

/*
 * An event that goes by a data EAR: each sample has its PMDs, PMD32 the address of a load that
 * no cache has, all three as in the samples of an observer.
 */
TEST_F_TIMEOUT(perf, data_ears, 600)
{
	int m = timed_machine(MONTECITO_CFG_HOST_INTERRUPTIONS), v = vcpu(m, 0), i;
	struct montecito_ring ring = { .size = sizeof(ring), .order = 4 };
	struct montecito_observer_add o = {
		.size = sizeof(o),
		.flags = MONTECITO_OBSERVER_SAMPLE,
		.period = 1,
		.sample_pmds = EAR_PMDS,
		.filter = { .plm = 0xf },
	};
	const struct montecito_record_sample *want;
	size_t page = sysconf(_SC_PAGESIZE);
	struct montecito_ring_page *r;
	struct samples s;
	struct sample one;
	uint64_t config, n = 0, load;

	ASSERT_TRUE(row_config("data_ear_events.cache.lat4", &config));
	s.fd = event(config, 1);
	ASSERT_LE(0, s.fd);
	samples_map(&s, 8);
	o.filter.code = config & 0xff;
	o.filter.umask = config >> 8 & 0xf;
	o.filter.ear = config >> 20 & 7;
	o.filter.ear_umask = config >> 24;
	ASSERT_EQ(0, call(v, MONTECITO_RING, &ring));
	ASSERT_EQ(0, call(v, MONTECITO_OBSERVER_ADD, &o)) TH_LOG("%s", o.why);
	r = mmap(NULL, 17 * page, PROT_READ | PROT_WRITE, MAP_SHARED, v, 0);
	ASSERT_NE(MAP_FAILED, (void *)r);
	for (i = 0; i < 20; i++) {
		load = 0x80000 + 0x1000 * i;
		start(v, GUEST_STORE);
		set(v, MONTECITO_REG_GR, 9, 0x40000);
		set(v, MONTECITO_REG_GR, 11, load);
		run(m, 0, 3000, NULL);
		while ((want = ring_next(r))) {
			ASSERT_TRUE(samples_next(&s, &one));
			n++;
			EXPECT_EQ(EAR_PMDS, one.raw.pmds);
			EXPECT_EQ(load, one.raw.value[0]);
			EXPECT_EQ(want->value[0], one.raw.value[0]);
			EXPECT_EQ(want->value[1], one.raw.value[1]);
			EXPECT_EQ(want->value[2], one.raw.value[2]);
			EXPECT_EQ(want->ip, one.raw.ip);
			EXPECT_EQ(want->clock, one.raw.clock);
		}
	}
	EXPECT_FALSE(samples_next(&s, &one));
	EXPECT_LT(10, n) TH_LOG("loads that were captured");
	munmap(r, 17 * page);
	samples_close(&s);
	close(v);
	close(m);
}

#define THREADS (64 / SAMPLERS)

struct crowd {
	int m;
	int fd[SAMPLERS];
	uint64_t samples[SAMPLERS], counts[SAMPLERS], lost;
	int bad;
};

static uint64_t crowd_period(int i)
{
	return 97 + 10 * i;
}

/* As many samplers as a CPU takes, of one task and its machine. */
static void *sample_crowd(void *arg)
{
	struct samples s[SAMPLERS] = {};
	struct crowd *c = arg;
	struct sample one;
	int i;

	for (i = 0; i < SAMPLERS; i++) {
		s[i].fd = event(INST, crowd_period(i));
		if (s[i].fd < 0) {
			c->bad++;
			return NULL;
		}
		samples_map(&s[i], 16);
	}
	for (i = 0; i < 20; i++)
		c->bad += run(c->m, 1500, 0, NULL) != 0;
	for (i = 0; i < SAMPLERS; i++) {
		while (samples_next(&s[i], &one)) {
			c->samples[i]++;
			c->bad += one.raw.machine != machine_id(c->m);
		}
		c->counts[i] = value(s[i].fd);
		c->lost += s[i].lost;
		samples_close(&s[i]);
	}
	return NULL;
}

/* 64 of them, of four tasks beside each other: each has a sample for each of its periods. */
TEST_F_TIMEOUT(perf, sixty_four_samplers, 600)
{
	struct crowd c[THREADS] = {};
	pthread_t thread[THREADS];
	int i, k, v;

	for (i = 0; i < THREADS; i++) {
		c[i].m = machine(1, 1, 0);
		v = vcpu(c[i].m, 0);
		start(v, GUEST_SPIN);
		close(v);
	}
	for (i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, sample_crowd, &c[i]);
	for (i = 0; i < THREADS; i++) {
		pthread_join(thread[i], NULL);
		EXPECT_EQ(0, c[i].bad);
		EXPECT_EQ(0, c[i].lost);
		for (k = 0; k < SAMPLERS; k++) {
			EXPECT_LE(30000, c[i].counts[k]);
			EXPECT_EQ(c[i].counts[k] / crowd_period(k), c[i].samples[k])
			TH_LOG("task %d, period %lu", i, (long)crowd_period(k));
		}
		close(c[i].m);
	}
}

/* A period that another one replaces between two runs. */
TEST_F_TIMEOUT(perf, periods_change, 600)
{
	struct samples s = { .fd = event(INST, 1000) };
	struct sample one;
	uint64_t period = 100, insns[40] = {}, n = 0, i;

	ASSERT_LE(0, s.fd);
	samples_map(&s, 8);
	run(self->m, 3300, 0, NULL);
	EXPECT_EQ(0, ioctl(s.fd, PERF_EVENT_IOC_PERIOD, &period));
	run(self->m, 900, 0, NULL);
	while (samples_next(&s, &one) && n < 40)
		insns[n++] = one.raw.insns;
	/* Three whole periods, then 100 at a time: no more than that is left of the fourth. */
	EXPECT_EQ(3 + 9, n);
	for (i = 4; i < n; i++)
		EXPECT_GT(3, labs((long)(insns[i] - insns[i - 1]) - 100))
	TH_LOG("a bundle off");
	period = 100000;
	EXPECT_EQ(0, ioctl(s.fd, PERF_EVENT_IOC_PERIOD, &period));
	run(self->m, 3000, 0, NULL);
	for (n = 0; samples_next(&s, &one); n++)
		;
	EXPECT_EQ(1, n) TH_LOG("what was left of the old period");
	samples_close(&s);
}

/* A full ring: each period is a sample, or a LOST record tells of it. */
TEST_F_TIMEOUT(perf, a_full_ring, 600)
{
	struct samples s = { .fd = event(INST, 3) };
	struct sample one;
	uint64_t got = 0, more = 0;

	samples_map(&s, 1);
	run(self->m, 3000, 0, NULL);
	while (samples_next(&s, &one))
		got++;
	EXPECT_GT(1000, got) TH_LOG("the ring was large enough");
	run(self->m, 30, 0, NULL);
	while (samples_next(&s, &one))
		more++;
	EXPECT_EQ(10, more) TH_LOG("there is room again");
	EXPECT_EQ(value(s.fd) / 3, got + more + s.lost) TH_LOG("lost: %ld", (long)s.lost);
	samples_close(&s);
}

/* ---- in the middle of a run ---- */

#define LONG_RUN 3000000

static void *run_once(void *arg)
{
	run(*(int *)arg, LONG_RUN, 0, NULL);
	return NULL;
}

/* All that come until the thread has ended, as instructions between them. */
static uint64_t samples_until(struct samples *s, pthread_t thread, uint64_t between[], uint64_t max)
{
	struct sample one;
	uint64_t n = 0, last = 0;

	pthread_join(thread, NULL);
	while (n < max && samples_next(s, &one)) {
		between[n++] = one.raw.insns - last;
		last = one.raw.insns;
	}
	return n;
}

static void samples_begin(struct samples *s)
{
	while (!__atomic_load_n(&s->page->data_head, __ATOMIC_ACQUIRE))
		usleep(100);
}

static bool is_about(uint64_t insns, uint64_t period)
{
	return labs((long)(insns - period)) < 3; /* the other two slots of a bundle */
}

TEST_F_TIMEOUT(perf, periods_change_in_mid_run, 600)
{
	static uint64_t between[LONG_RUN / 1000 + 2];
	/* An event of a thread is its own: this one follows to those that it makes. */
	struct perf_event_attr a = attribute(INST, 3000);
	struct samples s;
	uint64_t period = 1000, n, i, changed = 0;
	pthread_t thread;

	a.config1 = machine_id(self->m);
	stay_on(0);
	s.fd = open_event(&a, -1, 0, -1);
	ASSERT_LE(0, s.fd);
	samples_map(&s, 64);
	pthread_create(&thread, NULL, run_once, &self->m);
	samples_begin(&s);
	EXPECT_EQ(0, ioctl(s.fd, PERF_EVENT_IOC_PERIOD, &period));
	n = samples_until(&s, thread, between, sizeof(between) / sizeof(*between));
	EXPECT_EQ(0, s.lost);
	EXPECT_EQ(LONG_RUN, value(s.fd));
	ASSERT_LT(2, n);
	for (i = 1; i < n && is_about(between[i], 3000); i++)
		;
	/* One period of which the new one has cut what was left, then all are new. */
	changed = i++;
	EXPECT_GT(3000 + 3, between[changed]);
	for (; i < n; i++)
		EXPECT_TRUE(is_about(between[i], 1000))
	TH_LOG("%lu of %lu: %lu", (long)i, (long)n, (long)between[i]);
	EXPECT_LT(changed, n - 1) TH_LOG("the run had ended before");
	samples_close(&s);
}

TEST_F_TIMEOUT(perf, refresh, 600)
{
	static uint64_t between[LONG_RUN / 1000 + 2];
	struct perf_event_attr a = attribute(INST, 1000);
	struct samples s = { .fd = event(INST, 1000) };
	struct sample one;
	pthread_t thread;
	uint64_t n;

	samples_map(&s, 8);
	EXPECT_EQ(0, ioctl(s.fd, PERF_EVENT_IOC_DISABLE, 0));
	EXPECT_EQ(0, ioctl(s.fd, PERF_EVENT_IOC_REFRESH, 5));
	run(self->m, 30000, 0, NULL);
	for (n = 0; samples_next(&s, &one); n++)
		;
	EXPECT_EQ(5, n) TH_LOG("so many, then no more");
	samples_close(&s);

	a.config1 = machine_id(self->m);
	stay_on(0);
	s.fd = open_event(&a, -1, 0, -1);
	ASSERT_LE(0, s.fd);
	samples_map(&s, 64);
	EXPECT_EQ(0, ioctl(s.fd, PERF_EVENT_IOC_DISABLE, 0));
	pthread_create(&thread, NULL, run_once, &self->m);
	usleep(10000);
	EXPECT_EQ(0, ioctl(s.fd, PERF_EVENT_IOC_REFRESH, 7));
	n = samples_until(&s, thread, between, sizeof(between) / sizeof(*between));
	EXPECT_EQ(7, n) TH_LOG("in the middle of a run");
	samples_close(&s);
}

TEST_HARNESS_MAIN
