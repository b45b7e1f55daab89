// SPDX-License-Identifier: GPL-2.0-only
/*
 * SAVE into a mapping of a FUSE file, and RESTORE from it: whatever its server does, the
 * machine is not frozen meanwhile, its caller can be killed, and tasks that look at the
 * caller go on. A server that touches the machine's own memory before it gives a page
 * would wait for SAVE, and SAVE for it, if the machine were frozen before its pages are there.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"
#include "fuse.h"
#include "onlookers.h"

#define ROUNDS 4

static uint64_t length;
static double limit;

/* The file's mapping, with no page of it there. */
static struct montecito_state map_file(void)
{
	struct montecito_state s = { .size = sizeof(s), .length = length };
	int fd = open(fuse_path(), O_RDWR | O_CLOEXEC);
	void *p = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (fd < 0 || p == MAP_FAILED)
		bail("%s: %s", fuse_path(), strerror(errno));
	close(fd);
	s.data = (uintptr_t)p;
	return s;
}

static void unmap_file(const struct montecito_state *s)
{
	munmap((void *)(uintptr_t)s->data, length);
}

/* A state goes into the file and comes back out of it. */
static void there_and_back(int m, const char *what)
{
	struct montecito_state s;
	uint64_t was;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		unsigned long reads = fuse_reads();

		s = map_file();
		was = hash(m);
		is(call(m, MONTECITO_SAVE, &s), 0, "%s: SAVE", what);
		ok(fuse_reads() > reads, "%s: its pages came from the server", what);
		unmap_file(&s);
		run(m, 3000, 0, NULL);
		ok(hash(m) != was, "%s: the machine goes on", what);
		reads = fuse_reads();
		s = map_file();
		is(call(m, MONTECITO_RESTORE, &s), 0, "%s: RESTORE", what);
		ok(fuse_reads() > reads, "%s: its pages came from the server", what);
		eq(hash(m), was, "%s: what was saved is restored", what);
		unmap_file(&s);
	}
}

/* The server touches guest memory, and that changes the state: what counts is the end. */
static void touched(int m, volatile char *memory)
{
	struct montecito_state s;
	char before = memory[0];
	int i;

	for (i = 0; i < ROUNDS; i++) {
		s = map_file();
		is(call(m, MONTECITO_SAVE, &s), 0, "a server that touches guest memory: SAVE");
		unmap_file(&s);
		s = map_file();
		is(call(m, MONTECITO_RESTORE, &s), 0,
		   "a server that touches guest memory: RESTORE");
		unmap_file(&s);
	}
	ok(memory[0] != before, "it has touched it");
}

/* No page ever comes. A file system of its own: pages that were asked for stay locked. */
static void blocked(int m, volatile char *memory, const char *what, unsigned long cmd)
{
	struct montecito_hash h = { .size = sizeof(h) };
	struct montecito_state s;
	double t = now();
	pid_t pid;

	*fuse_begin(length, memory, 0) = FUSE_NEVER;
	pid = fork();
	if (!pid) {
		become_nobody();
		s = map_file();
		call(m, cmd, &s);
		_exit(0);
	}
	while (!fuse_reads() && now() - t < 10)
		usleep(1000);
	ok(fuse_reads(), "%s: the server is asked", what);
	usleep(100000);
	memory[0]++;
	is(call(m, MONTECITO_HASH, &h), 0, "%s: the machine is free", what);
	is(run(m, 300, 0, NULL), 0, "%s: and runs", what);
	look_on(what, pid, (void *)memory, 1, limit);
	fuse_end();
}

int main(void)
{
	int m = timed_machine(0), v = vcpu(m, 0);
	struct montecito_state s = { .size = sizeof(s) };
	volatile enum fuse_answer *server;
	volatile char *memory = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED, m, 0);

	if (memory == MAP_FAILED || call(m, MONTECITO_SAVE, &s))
		bail("machine");
	length = s.length;
	limit = promptly();
	start(v, GUEST_SPIN);
	run(m, 3000, 0, NULL);
	/* Not the programs, which lie at the beginning */
	server = fuse_begin(length, memory + MEMORY / 2, MEMORY / 2);
	there_and_back(m, "a server that answers");
	*server = FUSE_BEHIND_A_TOUCH;
	touched(m, memory + MEMORY / 2);
	fuse_end();
	blocked(m, memory + MEMORY / 2, "SAVE into a file that never answers", MONTECITO_SAVE);
	blocked(m, memory + MEMORY / 2, "RESTORE from a file that never answers",
		MONTECITO_RESTORE);
	close(v);
	close(m);
	return done();
}
