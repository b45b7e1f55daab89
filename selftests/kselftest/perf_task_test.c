// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of the PMU "montecito" and where machines run: tasks, threads and CPUs part a
 * machine's count to the unit, and nothing that happens meanwhile does harm.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "perf_fixture.h"

struct turns {
	int m;
	int fd;
	uint64_t insns;
};

static void *take_turns(void *arg)
{
	struct turns *t = arg;
	struct montecito_run r;
	int i;

	t->fd = event(INST, 0);
	for (i = 0; i < 200; i++) {
		r = (struct montecito_run){ .size = sizeof(r), .insns = 2000 };
		if (!call(t->m, MONTECITO_RUN, &r))
			t->insns += r.exit.insns;
	}
	return NULL;
}

TEST_F_TIMEOUT(perf, two_threads_part_a_machine, 600)
{
	struct turns t[2] = { { .m = self->m }, { .m = self->m } };
	struct perf_event_attr a = attribute(INST, 0);
	pthread_t thread[2];
	uint32_t id;
	int all, i;

	a.inherit = 1;
	all = open_event(&a, 0, -1, -1);
	ASSERT_LE(0, all);
	ASSERT_EQ(0, observe(self->v, INST, &id));
	for (i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, take_turns, &t[i]);
	for (i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	for (i = 0; i < 2; i++)
		EXPECT_EQ(t[i].insns, value(t[i].fd));
	EXPECT_EQ(observed(self->v, id), value(t[0].fd) + value(t[1].fd));
	EXPECT_EQ(observed(self->v, id), value(all));
	EXPECT_LT(0, value(all));
	close(all);
}

static volatile bool moving;

static void *move_about(void *arg)
{
	pid_t tid = *(pid_t *)arg;
	cpu_set_t set;
	int i;

	for (i = 0; i < 1000; i++) {
		CPU_ZERO(&set);
		CPU_SET(i & 1, &set);
		sched_setaffinity(tid, sizeof(set), &set);
		usleep(i % 8 * 100);
	}
	moving = false;
	return NULL;
}

/* One of two machines: an event of each CPU for it alone, and an observer. */
struct half {
	int m;
	int v;
	int fd[2];
	uint32_t id;
};

static void half_begin(struct half *h, struct perf_event_attr a)
{
	int cpu;

	a.config1 = machine_id(h->m);
	for (cpu = 0; cpu < 2; cpu++)
		h->fd[cpu] = open_event(&a, -1, cpu, -1);
	observe(h->v, INST, &h->id);
}

static uint64_t half_sum(struct half *h)
{
	return value(h->fd[0]) + value(h->fd[1]);
}

static void *run_other(void *arg)
{
	struct half *h = arg;

	while (moving)
		run(h->m, 30000, 0, NULL);
	return NULL;
}

/*
 * Two machines, of which one's task changes its CPU a thousand times: what all CPUs have
 * is what both machines have, and each of them with its observer; no slice is lost or
 * counted twice. A slice with a sampler stays on its CPU, one without goes where its task
 * does.
 */
static void move_machines(struct __test_metadata *_metadata, struct half h[2], uint64_t period)
{
	struct perf_event_attr a = attribute(INST, 0);
	int any[2], own, cpu, i;
	pid_t tid = syscall(__NR_gettid);
	pthread_t thread[2];

	for (i = 0; i < 2; i++)
		half_begin(&h[i], a);
	own = open_event(&a, 0, -1, -1);
	a = attribute(INST, period);
	for (cpu = 0; cpu < 2; cpu++) {
		any[cpu] = open_event(&a, -1, cpu, -1);
		ASSERT_LE(0, any[cpu]);
	}
	moving = true;
	pthread_create(&thread[0], NULL, move_about, &tid);
	pthread_create(&thread[1], NULL, run_other, &h[1]);
	while (moving)
		run(h[0].m, 30000, 0, NULL);
	for (i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	for (i = 0; i < 2; i++) {
		EXPECT_LT(0, half_sum(&h[i]));
		EXPECT_EQ(observed(h[i].v, h[i].id), half_sum(&h[i])) TH_LOG("machine %d", i);
	}
	EXPECT_EQ(half_sum(&h[0]), value(own));
	EXPECT_EQ(half_sum(&h[0]) + half_sum(&h[1]), value(any[0]) + value(any[1]));
	EXPECT_LT(0, value(h[0].fd[0]));
	EXPECT_LT(0, value(h[0].fd[1]));
	for (cpu = 0; cpu < 2; cpu++) {
		close(any[cpu]);
		close(h[0].fd[cpu]);
		close(h[1].fd[cpu]);
	}
	close(own);
}

TEST_F_TIMEOUT(perf, cpus_part_machines_that_move, 600)
{
	struct half h[2] = { { .m = self->m, .v = self->v } };

	ASSERT_LE(2, sysconf(_SC_NPROCESSORS_ONLN));
	h[1].m = machine(1, 1, 0);
	h[1].v = vcpu(h[1].m, 0);
	start(h[1].v, GUEST_SPIN);
	move_machines(_metadata, h, 0);
	move_machines(_metadata, h, 100);
	close(h[1].v);
	close(h[1].m);
}

/* Counts that are read in the middle of a run grow, and end at what the run has. */
TEST_F_TIMEOUT(perf, reads_in_mid_run, 600)
{
	struct half h = { .m = self->m, .v = self->v };
	struct perf_event_attr a = attribute(INST, 0);
	uint64_t before = 0, n, grown = 0;
	pthread_t thread;
	int i;

	half_begin(&h, a);
	moving = true;
	pthread_create(&thread, NULL, run_other, &h);
	for (i = 0; i < 400; i++) {
		usleep(500);
		n = half_sum(&h);
		EXPECT_LE(before, n);
		grown += n > before;
		before = n;
	}
	moving = false;
	pthread_join(thread, NULL);
	EXPECT_LT(10, grown);
	EXPECT_EQ(observed(self->v, h.id), half_sum(&h));
	close(h.fd[0]);
	close(h.fd[1]);
}

/* -p and fork: another task's events, and those that follow from it. */
TEST_F_TIMEOUT(perf, tasks, 600)
{
	struct perf_event_attr a = attribute(INST, 0);
	int go[2], fd, on_exec, status;
	char c = 0;
	pid_t pid;

	ASSERT_EQ(0, pipe(go));
	a.inherit = 1;
	pid = fork();
	if (!pid) {
		if (read(go[0], &c, 1) != 1)
			_exit(1);
		if (!fork()) {
			run(self->m, 3000, 0, NULL);
			_exit(0);
		}
		wait(NULL);
		run(self->m, 600, 0, NULL);
		_exit(0);
	}
	fd = open_event(&a, pid, -1, -1);
	ASSERT_LE(0, fd);
	a.disabled = 1;
	a.enable_on_exec = 1;
	on_exec = open_event(&a, pid, -1, -1);
	ASSERT_EQ(1, write(go[1], &c, 1));
	waitpid(pid, &status, 0);
	EXPECT_EQ(0, status);
	EXPECT_EQ(3600, value(fd));
	EXPECT_EQ(0, value(on_exec)) TH_LOG("nothing was executed");
	close(fd);
	close(on_exec);
}

/* A network namespace hides a machine in generic netlink, and not from events of CPUs. */
TEST_F_TIMEOUT(perf, network_namespaces, 600)
{
	struct perf_event_attr a = attribute(INST, 0);
	int fd[2], cpu, status;
	pid_t pid;

	for (cpu = 0; cpu < 2; cpu++) {
		fd[cpu] = open_event(&a, -1, cpu, -1);
		ASSERT_LE(0, fd[cpu]);
	}
	pid = fork();
	if (!pid) {
		int m, v;

		if (unshare(CLONE_NEWNET))
			_exit(1);
		m = machine(1, 1, 0);
		v = vcpu(m, 0);
		start(v, GUEST_SPIN);
		_exit(run(m, 3000, 0, NULL) ? 2 : 0);
	}
	waitpid(pid, &status, 0);
	EXPECT_EQ(0, status);
	EXPECT_EQ(3000, value(fd[0]) + value(fd[1]));
	close(fd[0]);
	close(fd[1]);
}

static void *run_long(void *arg)
{
	int m = *(int *)arg;

	while (moving)
		run(m, 100000, 0, NULL);
	return NULL;
}

/* Events come and go, and are read, while a machine runs that is saved and restored. */
TEST_F_TIMEOUT(perf, in_the_middle_of_slices, 600)
{
	struct montecito_machine_info info = { .size = sizeof(info) };
	struct montecito_state s = { .size = sizeof(s) };
	int fd[8] = { -1, -1, -1, -1, -1, -1, -1, -1 }, i, m = self->m;
	unsigned int seed = 1;
	pthread_t thread;

	ASSERT_EQ(0, call(m, MONTECITO_MACHINE_INFO, &info));
	s.length = info.state_length;
	s.data = (uintptr_t)malloc(s.length);
	moving = true;
	pthread_create(&thread, NULL, run_long, &m);
	for (i = 0; i < 2000; i++) {
		int k = rand_r(&seed) % 8;
		struct perf_event_attr a =
			attribute(rand_r(&seed) & 1 ? INST : NOPS, rand_r(&seed) & 1 ? 500 : 0);
		uint64_t period = 1 + rand_r(&seed) % 1000;

		switch (rand_r(&seed) % 8) {
		case 0:
		case 1:
			if (fd[k] >= 0)
				close(fd[k]);
			fd[k] = open_event(&a, -1, rand_r(&seed) % 2, -1);
			break;
		case 2:
			ioctl(fd[k], PERF_EVENT_IOC_DISABLE, 0);
			break;
		case 3:
			ioctl(fd[k], PERF_EVENT_IOC_ENABLE, 0);
			break;
		case 4:
			ioctl(fd[k], PERF_EVENT_IOC_PERIOD, &period);
			break;
		case 5:
			ioctl(fd[k], PERF_EVENT_IOC_SET_FILTER, "filter 0x10000/0x10");
			break;
		case 6:
			if (fd[k] >= 0)
				value(fd[k]);
			break;
		default:
			call(m, i & 1 ? MONTECITO_SAVE : MONTECITO_RESTORE, &s);
		}
	}
	moving = false;
	pthread_join(thread, NULL);
	EXPECT_EQ(0, call(m, MONTECITO_SAVE, &s));
	EXPECT_EQ(0, call(m, MONTECITO_RESTORE, &s));
	/* The machine goes first, its events after it. */
	run(m, 3000, 0, NULL);
	close(self->v);
	close(self->m);
	for (i = 0; i < 8; i++)
		if (fd[i] >= 0)
			close(fd[i]);
	free((void *)(uintptr_t)s.data);
}

#define CPU1 "/sys/devices/system/cpu/cpu1/online"

TEST_F_TIMEOUT(perf, a_cpu_goes_offline, 600)
{
	struct perf_event_attr a = attribute(INST, 0);
	int on0, on1, own, i;
	uint32_t id;

	ASSERT_EQ(0, access(CPU1, W_OK));
	a.config1 = machine_id(self->m);
	on0 = open_event(&a, -1, 0, -1);
	on1 = open_event(&a, -1, 1, -1);
	own = open_event(&a, 0, -1, -1);
	ASSERT_EQ(0, observe(self->v, INST, &id));
	stay_on(1);
	run(self->m, 300000, 0, NULL);
	for (i = 0; i < 3; i++) {
		write_number(CPU1, 0);
		run(self->m, 300000, 0, NULL);
		write_number(CPU1, 1);
		run(self->m, 300000, 0, NULL);
	}
	EXPECT_EQ(observed(self->v, id), value(own));
	EXPECT_EQ(300000, value(on1)) TH_LOG("up to where the CPU went");
	EXPECT_LE(value(on0) + value(on1), value(own));
	close(on0);
	close(on1);
	close(own);
}

TEST_HARNESS_MAIN
