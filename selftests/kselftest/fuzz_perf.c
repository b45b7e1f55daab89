// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of the host's own perf, for fuzz_test.c: opened for threads and CPUs, in groups,
 * with periods, rings, filters and output to each other's rings, read, changed and closed
 * while machines run, whose tasks change their CPUs and have children meanwhile.
 */
#define _GNU_SOURCE
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz.h"
#include "perfevent.h"

#define NR_EVENTS 32
#define RING_BYTES (3 * 4096) /* its own page, and two of data */

static int fd[NR_EVENTS];
static uint64_t config[MAX_ROWS];
static int nr_rows;

/* Of each thread. */
static __thread void *ring;

/* True if perf_event_open(2) names @ret, or the module for an event. */
static bool is_perfs(long ret)
{
	static const int errnos[] = { E2BIG,  EACCES, EBADF,  EBUSY,  EFAULT,	 EINTR,
				      EINVAL, EMFILE, ENODEV, ENOENT, ENOMEM,	 ENOSPC,
				      EPERM,  ESRCH,  EAGAIN, ENOTTY, EOPNOTSUPP };
	unsigned int i;

	for (i = 0; i < sizeof(errnos) / sizeof(*errnos); i++)
		if (ret == -errnos[i])
			return true;
	return ret >= 0;
}

static uint64_t a_machine(const int m[], int n)
{
	struct montecito_machine_info info = { .size = sizeof(info) };

	return call(m[below(n)], MONTECITO_MACHINE_INFO, &info) ? odd() : info.id;
}

static long one_open(const int m[], int n)
{
	struct perf_event_attr a = attribute(config[below(nr_rows)], 0);
	static const uint64_t types[] = { PERF_SAMPLE_IP,     PERF_SAMPLE_TID, PERF_SAMPLE_TIME,
					  PERF_SAMPLE_PERIOD, PERF_SAMPLE_RAW, PERF_SAMPLE_CPU };
	int cpu = below(3) - 1, group = below(4) ? -1 : fd[below(NR_EVENTS)], new, old;
	unsigned int i;

	if (below(2))
		a.sample_period = below(16) ? 1 + below(2000) : odd();
	else if (!below(8))
		a.freq = 1, a.sample_freq = 1 + below(2000);
	for (i = 0; a.sample_period && i < sizeof(types) / sizeof(*types); i++)
		a.sample_type |= below(2) * types[i];
	a.disabled = !below(4);
	a.inherit = below(2);
	a.exclude_user = !below(8);
	a.exclude_kernel = !below(8);
	a.enable_on_exec = !below(8);
	a.read_format = below(16);
	if (!below(4))
		a.config1 = a_machine(m, n);
	if (!below(4))
		a.config1 |= below(16) << 32;
	for (i = below(8) ? 0 : 3; i > 0; i--) /* and some that no event may be like */
		((uint64_t *)&a)[2 + below(12)] = odd();
	new = syscall(__NR_perf_event_open, &a, cpu < 0 ? 0 : -(int)below(2), cpu, group,
		      PERF_FLAG_FD_CLOEXEC);
	if (new < 0)
		return -errno;
	old = __atomic_exchange_n(&fd[below(NR_EVENTS)], new, __ATOMIC_SEQ_CST);
	if (old >= 0)
		close(old);
	return 0;
}

static long one_change(int event)
{
	static const unsigned long commands[] = {
		PERF_EVENT_IOC_ENABLE,	    PERF_EVENT_IOC_DISABLE,    PERF_EVENT_IOC_RESET,
		PERF_EVENT_IOC_REFRESH,	    PERF_EVENT_IOC_SET_OUTPUT, PERF_EVENT_IOC_ID,
		PERF_EVENT_IOC_PAUSE_OUTPUT
	};
	static const char *const filters[] = { "filter 0x10000/0x10",
					       "filter 0x20000/0x1000",
					       "stop 0x10000",
					       "filter 0xfffffffffffffff0/0x20",
					       "",
					       "filter 0x10000/0x10@/bin/true" };
	uint64_t period = below(8) ? 1 + below(3000) : odd();
	unsigned long command, arg;

	switch (below(4)) {
	case 0:
		return ioctl(event, PERF_EVENT_IOC_PERIOD, &period) ? -errno : 0;
	case 1:
		return ioctl(event, PERF_EVENT_IOC_SET_FILTER, filters[below(6)]) ? -errno : 0;
	default:
		command = commands[below(7)];
		arg = below(8);
		if (command == PERF_EVENT_IOC_SET_OUTPUT)
			arg = below(4) ? fd[below(NR_EVENTS)] : -1;
		if (command == PERF_EVENT_IOC_ID)
			arg = (uintptr_t)&period;
		return ioctl(event, command, arg) ? -errno : 0;
	}
}

/* A child has those events of this thread that are inherited. */
static void one_child(const int m[], int n)
{
	int machine = m[below(n)], status;
	pid_t pid = fork();

	if (!pid) {
		/* RUN may be without end, and the timers of the parent's are its own. */
		ualarm(100000, 100000);
		run(machine, 3000, 0, NULL);
		_exit(0);
	}
	/* An alarm may come meanwhile. The machine is this process's own again behind the child. */
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
}

static void one_ring(int event)
{
	fuzz_perf_unmap();
	ring = mmap(NULL, RING_BYTES, PROT_READ | below(2) * PROT_WRITE, MAP_SHARED, event, 0);
	if (ring == MAP_FAILED)
		ring = NULL;
}

void fuzz_perf_unmap(void)
{
	if (ring)
		munmap(ring, RING_BYTES);
	ring = NULL;
}

void fuzz_perf_begin(void)
{
	memset(fd, -1, sizeof(fd));
	if (has_perf())
		nr_rows = rows(config);
}

bool fuzz_perf(const int m[], int n)
{
	int i = below(NR_EVENTS), event = fd[i];
	uint64_t counts[3 + 2 * NR_EVENTS];
	long ret = 0;

	if (!nr_rows)
		return true;
	switch (below(16)) {
	case 0 ... 5:
		ret = one_open(m, n);
		break;
	case 6:
		event = __atomic_exchange_n(&fd[i], -1, __ATOMIC_SEQ_CST);
		if (event >= 0)
			close(event);
		break;
	case 7:
		stay_on(below(2) ? (int)below(2) : -1);
		break;
	case 8:
		one_ring(event);
		break;
	case 9 ... 10:
		ret = read(event, counts, sizeof(counts)) < 0 ? -errno : 0;
		break;
	case 11:
		if (!below(8))
			one_child(m, n);
		break;
	default:
		ret = one_change(event);
	}
	if (!is_perfs(ret))
		diag("perf: %s", strerror(-ret));
	return is_perfs(ret);
}

void fuzz_perf_end(void)
{
	int i;

	for (i = 0; i < NR_EVENTS; i++)
		if (fd[i] >= 0)
			close(fd[i]);
}
