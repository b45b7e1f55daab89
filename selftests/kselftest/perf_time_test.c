// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PMU "montecito" and time: samples by frequency, and costs of events and tracepoints
 * in the task of a RUN. The tests want a clock that no other work moves: an emulator's that
 * goes by instructions (VM_ICOUNT of tools/vm/run), a nanosecond for each.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "perf_fixture.h"

#define TRACING "/sys/kernel/tracing/"
#define SLICES 2000

/* ---- by frequency ---- */

/* Samples in a second of two, at this frequency. */
static double rate(struct __test_metadata *_metadata, int m, uint64_t frequency)
{
	struct perf_event_attr a = attribute(INST, 0);
	struct sample one;
	struct samples s;
	uint64_t n = 0;
	double begin;

	stay_on(0);
	a.freq = 1;
	a.sample_freq = frequency;
	a.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_RAW;
	s.fd = open_event(&a, 0, -1, -1);
	EXPECT_LE(0, s.fd);
	samples_map(&s, 128);
	/* perf finds the period first. */
	for (begin = now(); now() - begin < 0.5;)
		run(m, 100000, 0, NULL);
	while (samples_next(&s, &one))
		;
	for (begin = now(); now() - begin < 2;)
		run(m, 100000, 0, NULL);
	begin = now() - begin;
	while (samples_next(&s, &one))
		n++;
	EXPECT_EQ(0, s.lost);
	samples_close(&s);
	return n / begin;
}

TEST_F_TIMEOUT(perf, frequencies, 3000)
{
	static const uint64_t frequency[] = { 100, 1000 };
	unsigned int i;

	for (i = 0; i < 2; i++) {
		double have = rate(_metadata, self->m, frequency[i]);

		TH_LOG("%lu a second: %.1f", (long)frequency[i], have);
		EXPECT_LT(0.9 * frequency[i], have);
		EXPECT_GT(1.1 * frequency[i], have);
	}
}

/* ---- costs ---- */

#define PARTS 5

/*
 * Nanoseconds of a RUN of one slice and a bundle, in the part of the slices where it is least:
 * what the kernel does beside it comes on top.
 */
static double cost(int m)
{
	double begin, part, least = 0;
	int i, k;

	stay_on(0);
	for (i = 0; i < 10; i++)
		run(m, 3, 0, NULL);
	for (k = 0; k < PARTS; k++) {
		begin = now();
		for (i = 0; i < SLICES / PARTS; i++)
			run(m, 3, 0, NULL);
		part = (now() - begin) / (SLICES / PARTS) * 1e9;
		if (!k || part < least)
			least = part;
	}
	return least;
}

static void trace(const char *file, const char *text)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), TRACING "%s", file);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		bail("%s: %s", path, strerror(errno));
	close(fd);
}

/* Records of CPU 0 in the buffer, and those that it had no room for. */
static long records(void)
{
	char line[128];
	long n = 0, more;
	FILE *f = fopen(TRACING "per_cpu/cpu0/stats", "r");

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "entries: %ld", &more) == 1 ||
		    sscanf(line, "overrun: %ld", &more) == 1)
			n += more;
	if (f)
		fclose(f);
	return n;
}

TEST_F_TIMEOUT(perf, a_record_takes_no_more_than_a_microsecond, 3000)
{
	double plain = cost(self->m), traced;
	long before, n;

	trace("tracing_on", "1");
	before = records();
	trace("events/montecito/montecito_slice/enable", "1");
	traced = cost(self->m);
	trace("events/montecito/montecito_slice/enable", "0");
	n = records() - before;
	EXPECT_LE(SLICES, n);
	TH_LOG("a RUN %.0f ns, with a record %.0f ns", plain, traced);
	EXPECT_GT(1000, traced - plain);
	EXPECT_LT(plain, traced);
	/* One that is off again costs nothing any more. */
	EXPECT_GT(0.01 * plain, labs((long)(cost(self->m) - plain)));
}

/* Each event that has not changed is looked at once: the cost grows with their number. */
TEST_F_TIMEOUT(perf, events_that_do_not_change, 3000)
{
	double plain = cost(self->m), half, full;
	int fd[ACTIVE], i;

	for (i = 0; i < ACTIVE / 2; i++)
		fd[i] = event(INST, 0);
	half = cost(self->m) - plain;
	for (; i < ACTIVE; i++)
		fd[i] = event(INST, 0);
	full = cost(self->m) - plain;
	TH_LOG("a RUN %.0f ns, with 32 events %.0f, with 64 %.0f more", plain, half, full);
	EXPECT_GT(2.5 * half, full);
	for (i = 0; i < ACTIVE; i++)
		close(fd[i]);
	/* Their links go in the first slice after them. */
	EXPECT_GT(0.01 * plain, labs((long)(cost(self->m) - plain)))
	TH_LOG("none is left: %.0f", cost(self->m) - plain);
}

TEST_HARNESS_MAIN
