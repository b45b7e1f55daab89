// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files closed in any order, processes killed in the middle of things, and the
 * module, which stays while it is in use.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"

/* Machine, two vcpus, memory mapping, ring mapping: every order of closing. */
static void orders(void)
{
	size_t page = sysconf(_SC_PAGESIZE);
	int order, n = 0;

	for (order = 0; order < 120; order++) {
		int m = machine(1, 1, 0), v = vcpu(m, 0), w = vcpu(m, 0), left = 5, k = order, i;
		struct montecito_ring r = { .size = sizeof(r) };
		bool open[5] = { true, true, true, true, true };
		unsigned char *mem, *ring;

		start(v, GUEST_SPIN);
		if (call(v, MONTECITO_RING, &r) || observer(v, EVENT_INST_RETIRED, 90, NULL) ||
		    observer(w, EVENT_INST_RETIRED, 0, NULL))
			break;
		mem = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED, m, 0);
		ring = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_SHARED, v, 0);
		if (mem == MAP_FAILED || ring == MAP_FAILED)
			break;
		for (; left; left--) {
			int pick = k % left;

			k /= left;
			for (i = 0; !open[i] || pick--; i++)
				;
			open[i] = false;
			if (i == 0)
				close(m);
			if (i == 1)
				close(v);
			if (i == 2)
				close(w);
			if (i == 3)
				munmap(mem, MEMORY);
			if (i == 4)
				munmap(ring, 2 * page);
			/* The files that are still open must still work. */
			if (open[0] && run(m, 300, 0, NULL))
				goto out;
			if (open[1])
				get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP);
			if (open[2])
				get(w, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP);
			if (open[3])
				mem[0x8000]++;
			if (open[4])
				ring[page]++;
		}
		n++;
	}
out:
	eq(n, 120, "every order of closing machine, vcpus, memory and ring");
}

static void killed(void)
{
	int i, status, bad = 0;

	for (i = 0; i < 10; i++) {
		pid_t pid = fork();

		if (!pid) {
			int m = machine(1, 2, 0), v = vcpu(m, 0), w = vcpu(m, 1);
			struct montecito_ring r = { .size = sizeof(r) };

			start(v, GUEST_SPIN);
			start(w, GUEST_SPIN);
			call(v, MONTECITO_RING, &r);
			observer(v, EVENT_INST_RETIRED, 1000, NULL);
			for (;;)
				run(m, 0, 0, NULL);
		}
		usleep(20000 + i * 7000);
		kill(pid, SIGKILL);
		if (waitpid(pid, &status, 0) != pid || !WIFSIGNALED(status) ||
		    WTERMSIG(status) != SIGKILL)
			bad++;
	}
	eq(bad, 0, "SIGKILL in the middle of RUN, ten times");
}

static void *spin(void *arg)
{
	run(*(int *)arg, 0, 0, NULL);
	return NULL;
}

/* A process dies while one thread runs and others read, map and create. */
static void crowd(void)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		int m = machine(1, 1, 0), v = vcpu(m, 0);
		struct montecito_reg reg = { .cls = MONTECITO_REG_GR, .index = 8 };
		struct montecito_regs r = {
			.size = sizeof(r),
			.count = 1,
			.regs = (uintptr_t)&reg,
		};
		pthread_t t;

		start(v, GUEST_SPIN);
		pthread_create(&t, NULL, spin, &m);
		alarm(1);
		signal(SIGALRM, SIG_DFL);
		for (;;) {
			struct montecito_hash h = { .size = sizeof(h) };
			int w = vcpu(m, 0);

			/* EBUSY, whichever of this and RUN comes second. */
			call(m, MONTECITO_HASH, &h);
			call(w, MONTECITO_GET_REGS, &r);
			close(w);
			close(machine(1, 1, 0));
		}
	}
	waitpid(pid, &status, 0);
	ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM, "a busy process dies of a signal");
}

static void inherited(void)
{
	int m = machine(1, 1, 0), v = vcpu(m, 0), status;
	unsigned char *mem = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED, m, 0);
	pid_t pid = fork();

	if (!pid) {
		mem[0x9000] = 99;
		start(v, GUEST_SPIN);
		_exit(run(m, 3000, 0, NULL) != 0);
	}
	waitpid(pid, &status, 0);
	ok(WIFEXITED(status) && !WEXITSTATUS(status), "a child uses what it inherited");
	ok(mem[0x9000] == 99 && get(v, MONTECITO_REG_GR, 8) == 1000, "its work is seen here");
	munmap(mem, MEMORY);
	close(m);
	close(v);
}

static void descriptors(void)
{
	struct rlimit old, few;
	struct montecito_region region = { .length = MEMORY };
	struct montecito_create c = {
		.size = sizeof(c),
		.cores = 1,
		.threads = 1,
		.nr_regions = 1,
		.regions = (uintptr_t)&region,
	};
	struct montecito_vcpu v = { .size = sizeof(v) };
	int dev = open_device(), m = machine(1, 1, 0), next = dup(0);

	close(next);
	getrlimit(RLIMIT_NOFILE, &old);
	few = old;
	few.rlim_cur = next;
	setrlimit(RLIMIT_NOFILE, &few);
	is(call(dev, MONTECITO_CREATE, &c), -EMFILE, "CREATE without a free descriptor");
	is(call(m, MONTECITO_VCPU, &v), -EMFILE, "VCPU without a free descriptor");
	setrlimit(RLIMIT_NOFILE, &old);
	ok(fcntl(m, F_GETFD) & FD_CLOEXEC, "machine descriptors are close-on-exec");
	next = vcpu(m, 0);
	ok(fcntl(next, F_GETFD) & FD_CLOEXEC, "vcpu descriptors are close-on-exec");
	close(next);
	close(m);
	close(dev);
}

static long rmmod(void)
{
	return syscall(SYS_delete_module, "montecito", O_NONBLOCK) ? -errno : 0;
}

static void module(void)
{
	int dev = open_device(), m, v, status;
	struct stat st;
	pid_t pid;

	is(rmmod(), -EWOULDBLOCK, "rmmod with the device open");
	m = machine(1, 1, 0);
	close(dev);
	is(rmmod(), -EWOULDBLOCK, "rmmod with a machine");
	v = vcpu(m, 0);
	close(m);
	is(rmmod(), -EWOULDBLOCK, "rmmod with a vcpu alone");
	close(v);
	pid = fork();
	if (!pid) {
		m = machine(1, 1, 0);
		v = vcpu(m, 0);
		start(v, GUEST_SPIN);
		for (;;)
			run(m, 0, 0, NULL);
	}
	usleep(200000);
	is(rmmod(), -EWOULDBLOCK, "rmmod while a guest runs");
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	ok(!stat("/dev/montecito", &st) && S_ISCHR(st.st_mode) && (st.st_mode & 07777) == 0660,
	   "the device node has mode 0660");
}

int main(void)
{
	orders();
	killed();
	crowd();
	inherited();
	descriptors();
	module();
	return done();
}
