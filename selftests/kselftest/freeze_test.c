// SPDX-License-Identifier: GPL-2.0-only
/*
 * A machine that is saved, restored or hashed waits for no task meanwhile, and no task
 * waits long for it: two machines that are saved into each other's mapping come to an end,
 * and tasks that look at the process (ps, pgrep, /proc/PID/cmdline, /proc/PID/mem, io_uring)
 * go on.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/io_uring.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"
#include "onlookers.h"

#define SIZE (16UL << 20)

static double limit;

/* Progress of the attacker, shared with its parent. */
static struct shared {
	char *p[2];
	int ready;
	unsigned long saved[2], hashed, refused, registered, not_registered, mapped, touched;
	long other; /* what a call returned that it may not */
} * shared;

struct pair {
	int m[2];
	char *p[2];
	uint64_t length;
};

/* A blob is larger than the memory: the mapping is there twice, one behind the other. */
static char *map_twice(int m)
{
	char *p = mmap(NULL, 2 * SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int i;

	for (i = 0; i < 2; i++)
		if (mmap(p + i * SIZE, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, m,
			 0) == MAP_FAILED)
			_exit(3);
	return p;
}

static struct pair pair;

static void *save_into_the_other(void *arg)
{
	int i = (long)arg;

	for (;;) {
		struct montecito_state s = { .size = sizeof(s), .length = pair.length };
		long ret;

		s.data = (uintptr_t)pair.p[!i];
		ret = call(pair.m[i], MONTECITO_SAVE, &s);
		if (ret)
			shared->other = ret;
		else
			shared->saved[i]++;
	}
	return NULL;
}

static void *hash_all_the_time(void *arg)
{
	struct montecito_hash h = { .size = sizeof(h) };
	long ret;

	(void)arg;
	for (;;) {
		ret = call(pair.m[0], MONTECITO_HASH, &h);
		shared->hashed += !ret;
		shared->refused += ret == -EBUSY;
		if (ret && ret != -EBUSY)
			shared->other = ret;
	}
	return NULL;
}

/* Queues for mmap_lock as a writer: readers behind it wait for the one before it. */
static void *map_all_the_time(void *arg)
{
	(void)arg;
	for (;;) {
		munmap(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 4096);
		shared->mapped++;
	}
	return NULL;
}

static void *touch_all_the_time(void *arg)
{
	(void)arg;
	for (;;) {
		pair.p[0][rand() % SIZE]++;
		shared->touched++;
	}
	return NULL;
}

static void *register_all_the_time(void *arg)
{
	struct io_uring_params params = { 0 };
	struct iovec v = { pair.p[0], 64 * 4096 };
	int fd = syscall(__NR_io_uring_setup, 1, &params);

	(void)arg;
	while (fd >= 0) {
		if (syscall(__NR_io_uring_register, fd, IORING_REGISTER_BUFFERS, &v, 1)) {
			shared->not_registered++;
			continue;
		}
		shared->registered++;
		syscall(__NR_io_uring_register, fd, IORING_UNREGISTER_BUFFERS, NULL, 0);
	}
	return NULL;
}

/* An ordinary user's process, with two machines and threads that do @what. */
static pid_t attacker(void *(*const *what)(void *), int n)
{
	pid_t pid;

	memset(shared, 0, sizeof(*shared));
	fflush(stdout);
	pid = fork();
	if (!pid) {
		struct montecito_state s = { .size = sizeof(s) };
		int dev = open_device(), i;
		pthread_t t;

		become_nobody();
		for (i = 0; i < 2; i++) {
			pair.m[i] = create(dev, 1, 1, 0, SIZE);
			if (pair.m[i] < 0)
				_exit(4);
			pair.p[i] = map_twice(pair.m[i]);
			shared->p[i] = pair.p[i];
		}
		call(pair.m[0], MONTECITO_SAVE, &s);
		pair.length = s.length;
		for (i = 0; i < n; i++)
			pthread_create(&t, NULL, what[i], (void *)(long)i);
		shared->ready = 1;
		for (;;)
			pause();
	}
	while (!shared->ready && !waitpid(pid, NULL, WNOHANG))
		usleep(1000);
	usleep(300000);
	return pid;
}

static void watch(const char *beside, pid_t pid)
{
	look_on(beside, pid, shared->p[0] + 0x100000, 2, limit);
	is(shared->other, 0, "%s: no call failed as it may not", beside);
}

static void crosswise(void)
{
	void *(*const what[])(void *) = { save_into_the_other, save_into_the_other,
					  map_all_the_time };

	watch("two SAVEs into each other", attacker(what, 3));
	ok(shared->saved[0] > 1 && shared->saved[1] > 1, "both came to an end, %lu and %lu times",
	   shared->saved[0], shared->saved[1]);
}

static void hashed(void)
{
	void *(*const what[])(void *) = { hash_all_the_time, map_all_the_time, touch_all_the_time,
					  register_all_the_time };

	watch("HASH all the time", attacker(what, 4));
	ok(shared->hashed > 1, "hashed %lu times", shared->hashed);
	ok(shared->touched > 1, "the mapping was touched %lu times", shared->touched);
	diag("io_uring took a buffer there %lu times, and not %lu times", shared->registered,
	     shared->not_registered);
}

/* As long as the page does not come, SAVE and RESTORE have their caller and nothing else. */
static void blocked(const char *what, unsigned long cmd)
{
	struct montecito_hash h = { .size = sizeof(h) };
	int m = machine(1, 1, 0);
	struct montecito_state s = { .size = sizeof(s) };
	char *p = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED, m, 0);
	pid_t pid;

	call(m, MONTECITO_SAVE, &s);
	pid = fork();
	if (!pid) {
		/* The memory behind the page may not be the machine's own mapping. */
		munmap(p, MEMORY);
		s.data = (uintptr_t)blocking_page(NULL);
		call(m, cmd, &s);
		_exit(0);
	}
	usleep(200000);
	p[0]++;
	is(call(m, MONTECITO_HASH, &h), 0, "%s: the machine is free", what);
	look_on(what, pid, NULL, 1, limit);
	munmap(p, MEMORY);
	close(m);
}

int main(void)
{
	limit = promptly();
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED)
		bail("mmap: %s", strerror(errno));
	crosswise();
	hashed();
	memset(shared, 0, sizeof(*shared));
	blocked("SAVE into userfaultfd", MONTECITO_SAVE);
	blocked("RESTORE from userfaultfd", MONTECITO_RESTORE);
	return done();
}
