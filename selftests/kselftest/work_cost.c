// SPDX-License-Identifier: GPL-2.0-only
/*
 * work_cost [GUEST]: what a unit of work costs, guest by guest of hostile.c. No test:
 * it prints the numbers in Documentation/locking.rst. Each guest runs for some whole
 * slices, then a plain loop for about as long, many times over: what the loop takes
 * longer than at its fastest, the guest took too long as well, because something else
 * had the processor. Measure in plain user-mode Linux:
 *
 *	tools/vm/run -k uml -s $PWD -- sh -c "insmod $PWD/build/check/uml/montecito.ko &&
 *		$PWD/build/kselftest/work_cost"
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include "common.h"
#include "hostile.h"

#define ROUNDS 300
#define LOOP_TURNS 1000000

/* RUN publishes when it begins and ends, and each slice. */
#define BESIDE_SLICES 2

static void nothing(int sig)
{
	(void)sig;
}

static double loop(void)
{
	volatile uint64_t word = 0;
	double t = now();
	int i;

	for (i = 0; i < LOOP_TURNS; i++)
		word += i;
	return now() - t;
}

/* Run whole slices for some milliseconds. */
static double slices(int m)
{
	/* Again and again: the first may come before RUN begins. */
	const struct itimerval soon = { { .tv_usec = 2000 }, { .tv_usec = 2000 } };
	const struct itimerval never = { 0 };
	struct montecito_run r = { .size = sizeof(r) };
	double t;

	setitimer(ITIMER_REAL, &soon, NULL);
	t = now();
	if (call(m, MONTECITO_RUN, &r) || r.exit.reason != MONTECITO_EXIT_SIGNAL)
		bail("run ends with %u", r.exit.reason);
	t = now() - t;
	setitimer(ITIMER_REAL, &never, NULL);
	return t;
}

/* Nanoseconds of a unit. */
static double measure(const char *name)
{
	struct montecito_machine_info i = { .size = sizeof(i) };
	double ran = 0, looped = 0, best = 1, t;
	const struct montecito_snapshot *s;
	int m = hostile_machine(name), n;
	uint32_t count = 0, seq;

	s = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, m, MONTECITO_MMAP_SNAPSHOT);
	if (s == MAP_FAILED)
		bail("snapshot");
	for (n = 0; n < ROUNDS; n++) {
		seq = s->seq;
		ran += slices(m);
		count += (s->seq - seq) / 2 - BESIDE_SLICES;
		t = loop();
		looped += t;
		best = t < best ? t : best;
	}
	if (call(m, MONTECITO_MACHINE_INFO, &i))
		bail("machine info");
	close(m);
	t = ran / count * (best * ROUNDS / looped);
	printf("%-20s %5u slices, %6llu units at most, %5.0f us each: %5.1f ns a unit\n", name,
	       count, (unsigned long long)i.work, t * 1e6, t / i.work * 1e9);
	return t / i.work * 1e9;
}

int main(int argc, char **argv)
{
	struct montecito_info info = { .size = sizeof(info) };
	struct sigaction sa = { .sa_handler = nothing };
	double unit, worst = 0;
	unsigned int n;

	setvbuf(stdout, NULL, _IOLBF, 0);
	sigaction(SIGALRM, &sa, NULL);
	if (call(open_device(), MONTECITO_INFO, &info))
		bail("info");
	for (n = 0; hostile_name(n); n++) {
		if (argc > 1 && strcmp(argv[1], hostile_name(n)))
			continue;
		unit = measure(hostile_name(n));
		worst = unit > worst ? unit : worst;
	}
	printf("a unit costs %.1f ns at most; W, %llu units, %.2f ms\n", worst,
	       (unsigned long long)info.work, worst * info.work / 1e6);
	return 0;
}
