// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory has an owner: RLIMIT_MEMLOCK and who carries it, the mapping under
 * fork, mremap, munmap in pieces and madvise, buffers that block in userfaultfd.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common.h"

/* A limit below which there is room for a machine, and not for three */
#define MEMLOCK (16UL << 20)

/* An ordinary user at that limit; the exit status counts what was wrong. */
static int limited(void)
{
	struct montecito_region r = { .length = 2 << 20 };
	struct montecito_create c = {
		.size = sizeof(c),
		.cores = 1,
		.threads = 1,
		.nr_regions = 1,
		.regions = (uintptr_t)&r,
	};
	struct montecito_machine_info i = { .size = sizeof(i) };
	struct rlimit limit = { MEMLOCK, MEMLOCK };
	struct montecito_ring ring = { .size = sizeof(ring), .order = 10 };
	struct montecito_state s = { .size = sizeof(s) };
	int dev = open_device(), bad = 0;
	uint64_t locked;
	long m, v, n;
	void *blob;

	if (setrlimit(RLIMIT_MEMLOCK, &limit) || setgid(65534) || setuid(65534))
		return 99;
	m = call(dev, MONTECITO_CREATE, &c);
	if (m < 0)
		return 98;
	call(m, MONTECITO_MACHINE_INFO, &i);
	/* The machine's memory and its own state, nothing else. */
	bad += i.locked != c.locked || i.locked < (2 << 20) || i.locked > MEMLOCK;
	locked = i.locked;

	/* RESTORE pins the blob, which is charged alike. */
	call(m, MONTECITO_SAVE, &s);
	blob = malloc(s.length);
	s.data = (uintptr_t)blob;
	bad += call(m, MONTECITO_SAVE, &s) != 0;
	limit.rlim_cur = locked + (1 << 20);
	setrlimit(RLIMIT_MEMLOCK, &limit);
	bad += call(m, MONTECITO_RESTORE, &s) != -ENOMEM;
	limit.rlim_cur = MEMLOCK;
	setrlimit(RLIMIT_MEMLOCK, &limit);
	bad += call(m, MONTECITO_RESTORE, &s) != 0;
	free(blob);

	/* One more of them fits, or not, by the numbers that CREATE tells. */
	for (n = 0; n < 64; n++)
		if (call(dev, MONTECITO_CREATE, &c) < 0)
			break;
	bad += errno != ENOMEM || (uint64_t)(n + 1) * locked > MEMLOCK ||
	       (uint64_t)(n + 2) * locked <= MEMLOCK || c.locked != locked;
	v = vcpu(m, 0);
	limit.rlim_cur = 4096;
	setrlimit(RLIMIT_MEMLOCK, &limit);
	bad += call(v, MONTECITO_RING, &ring) != -ENOMEM;
	return bad;
}

static int in_child(int (*fn)(void))
{
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(fn());
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

/* The user is charged for a machine for as long as a descriptor of it is open. */
static int outlives(void)
{
	struct montecito_region r = { .length = 4 << 20 };
	struct montecito_create c = {
		.size = sizeof(c),
		.cores = 1,
		.threads = 1,
		.nr_regions = 1,
		.regions = (uintptr_t)&r,
	};
	struct rlimit limit = { MEMLOCK, MEMLOCK };
	int dev = open_device(), bad = 0;
	long m, v;

	if (setrlimit(RLIMIT_MEMLOCK, &limit) || setgid(65533) || setuid(65533))
		return 99;
	m = call(dev, MONTECITO_CREATE, &c);
	if (m < 0)
		return 98;
	v = vcpu(m, 0);
	close(m);
	/* A vcpu's descriptor alone keeps it. */
	bad += call(dev, MONTECITO_CREATE, &c) != -ENOMEM;
	close(v);
	m = call(dev, MONTECITO_CREATE, &c);
	bad += m < 0;
	return bad;
}

static void mappings(void)
{
	size_t page = sysconf(_SC_PAGESIZE);
	int m = machine(1, 1, 0), status;
	unsigned char *p = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED, m, 0), *q;
	pid_t pid;

	ok(p != MAP_FAILED, "map all of it");
	p[0x8000] = 1;
	is(madvise(p + 0x8000, page, MADV_DONTNEED), 0, "MADV_DONTNEED");
	eq(p[0x8000], 1, "the page is as it was");
	p[0x8001] = 2;

	pid = fork();
	if (!pid) {
		bool good = p[0x8001] == 2;

		p[0x8002] = 3;
		_exit(!good);
	}
	ok(waitpid(pid, &status, 0) == pid && !status, "a child sees the same memory");
	eq(p[0x8002], 3, "and changes the same memory");

	ok(mremap(p, MEMORY, MEMORY + page, MREMAP_MAYMOVE) == MAP_FAILED, "mremap cannot grow it");
	q = mmap(NULL, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	q = mremap(p + 0x8000, page, page, MREMAP_MAYMOVE | MREMAP_FIXED, q);
	ok(q != MAP_FAILED && q[1] == 2, "mremap moves a piece with its contents");
	q[2] = 4;
	is(munmap(p + 0x10000, page), 0, "unmap a piece");
	is(munmap(p + 0x20000, 3 * page), 0, "and another");
	p[0x9000] = 5;
	is(munmap(q, page), 0, "and the one that moved");
	q = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_SHARED, m, 0x8000);
	ok(q != MAP_FAILED && q[2] == 4 && q[0x1000] == 5, "map it again: all of it is there");
	munmap(q, 2 * page);
	munmap(p, MEMORY);
	close(m);
}

/* ---- a buffer that blocks ---- */

static void blocked(void)
{
	static const struct {
		unsigned long cmd;
		const char *what;
		bool vcpu;
	} row[] = {
		{ MONTECITO_MEM_READ, "MEM_READ", false },
		{ MONTECITO_MEM_WRITE, "MEM_WRITE", false },
		{ MONTECITO_SAVE, "SAVE", false },
		{ MONTECITO_RESTORE, "RESTORE", false },
		{ MONTECITO_GET_REGS, "GET_REGS", true },
		{ MONTECITO_SET_REGS, "SET_REGS", true },
	};
	int m = machine(1, 1, 0), v = vcpu(m, 0), status;
	struct montecito_state s = { .size = sizeof(s) };
	double limit = patience();
	unsigned int i;

	call(m, MONTECITO_SAVE, &s);
	start(v, GUEST_SPIN);
	for (i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct montecito_machine_info info = { .size = sizeof(info) };
		void *page;
		pid_t pid = fork();
		double t;

		if (!pid) {
			union {
				struct montecito_mem mem;
				struct montecito_state state;
				struct montecito_regs regs;
			} u = { 0 };

			page = blocking_page(NULL);
			if (row[i].vcpu)
				u.regs = (struct montecito_regs){ sizeof(u.regs), 0, 1, 0,
								  (uintptr_t)page };
			else if (row[i].cmd == MONTECITO_SAVE || row[i].cmd == MONTECITO_RESTORE)
				u.state = (struct montecito_state){ sizeof(s), 0, s.length,
								    (uintptr_t)page };
			else
				u.mem = (struct montecito_mem){ sizeof(u.mem), 0, 0, 64,
								(uintptr_t)page };
			call(row[i].vcpu ? v : m, row[i].cmd, &u);
			_exit(0);
		}
		usleep(100000);
		is(waitpid(pid, &status, WNOHANG), 0, "%s waits for its buffer", row[i].what);
		/* None of them has the machine meanwhile. */
		is(run(m, 1000, 0, NULL), 0, "%s: RUN beside it", row[i].what);
		is(call(m, MONTECITO_MACHINE_INFO, &info), 0, "%s: it holds no lock", row[i].what);
		t = now();
		kill(pid, SIGKILL);
		ok(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && now() - t < limit,
		   "%s: and dies when it is killed", row[i].what);
		is(run(m, 1000, 0, NULL), 0, "%s: RUN after it", row[i].what);
	}
	close(v);
	close(m);
}

int main(void)
{
	is(in_child(limited), 0, "an ordinary user at 8 MiB: CREATE, RESTORE, RING");
	is(in_child(outlives), 0, "a vcpu's descriptor keeps the charge");
	mappings();
	blocked();
	return done();
}
