// SPDX-License-Identifier: GPL-2.0-only
/* A server of FUSE's own protocol (linux/fuse.h) for one file in memory. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/fuse.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"
#include "fuse.h"

#define DIR "/tmp/montecito-fuse"
#define NAME "state"
#define NODE 2
#define MOST (128 << 10) /* bytes of a WRITE */

static struct shared {
	volatile enum fuse_answer answer;
	volatile unsigned long reads;
} * shared;

static struct {
	int fd;
	pid_t pid;
	char *data;
	size_t size;
	volatile char *memory;
	size_t length;
} server;

static void reply(const struct fuse_in_header *in, int error, const void *data, size_t length)
{
	struct fuse_out_header out = {
		.len = sizeof(out) + length,
		.error = -error,
		.unique = in->unique,
	};
	struct iovec v[2] = { { &out, sizeof(out) }, { (void *)data, length } };

	/* The caller may have been killed meanwhile: ENOENT. */
	(void)!writev(server.fd, v, 2);
}

static struct fuse_attr attributes(uint64_t node)
{
	return (struct fuse_attr){
		.ino = node,
		.size = node == NODE ? server.size : 0,
		.mode = node == NODE ? S_IFREG | 0666 : S_IFDIR | 0755,
		.nlink = 1,
		.blksize = 4096,
	};
}

static void read_pages(const struct fuse_in_header *in, const struct fuse_read_in *r)
{
	uint64_t n = r->offset < server.size ? server.size - r->offset : 0;
	size_t at;

	shared->reads++;
	switch (shared->answer) {
	case FUSE_NEVER:
		return;
	case FUSE_BEHIND_A_TOUCH:
		for (at = 0; at < server.length; at += 4096)
			server.memory[at]++;
		break;
	default:
		break;
	}
	reply(in, 0, server.data + r->offset, n < r->size ? n : r->size);
}

static void answer(const struct fuse_in_header *in)
{
	const void *arg = in + 1;
	const struct fuse_write_in *w = arg;

	switch (in->opcode) {
	case FUSE_INIT: {
		/* Read pages in the background: a task that waits for one can be killed then. */
		struct fuse_init_out o = {
			.major = FUSE_KERNEL_VERSION,
			.minor = FUSE_KERNEL_MINOR_VERSION,
			.max_readahead = MOST,
			.flags = FUSE_ASYNC_READ,
			.max_write = MOST,
		};
		reply(in, 0, &o, sizeof(o));
		break;
	}
	case FUSE_LOOKUP: {
		struct fuse_entry_out o = { .nodeid = NODE, .attr = attributes(NODE) };

		reply(in, strcmp(arg, NAME) ? ENOENT : 0, &o, strcmp(arg, NAME) ? 0 : sizeof(o));
		break;
	}
	case FUSE_GETATTR:
	case FUSE_SETATTR: {
		struct fuse_attr_out o = { .attr = attributes(in->nodeid) };

		reply(in, 0, &o, sizeof(o));
		break;
	}
	case FUSE_OPEN: {
		struct fuse_open_out o = {};

		reply(in, 0, &o, sizeof(o));
		break;
	}
	case FUSE_READ:
		read_pages(in, arg);
		break;
	case FUSE_WRITE: {
		struct fuse_write_out o = { .size = w->size };

		memcpy(server.data + w->offset, w + 1, w->size);
		reply(in, 0, &o, sizeof(o));
		break;
	}
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT:
		break;
	case FUSE_FLUSH:
	case FUSE_FSYNC:
	case FUSE_RELEASE:
		reply(in, 0, NULL, 0);
		break;
	default:
		reply(in, ENOSYS, NULL, 0);
	}
}

static void serve(void)
{
	static char text[MOST + 4096] __attribute__((aligned(8)));

	for (;;) {
		ssize_t n = read(server.fd, text, sizeof(text));

		if (n < 0 && (errno == EINTR || errno == ENOENT))
			continue;
		if (n < (ssize_t)sizeof(struct fuse_in_header))
			_exit(0);
		answer((void *)text);
	}
}

volatile enum fuse_answer *fuse_begin(size_t size, volatile char *memory, size_t length)
{
	char options[128];

	server.size = size;
	server.memory = memory;
	server.length = length;
	server.data = calloc(1, size);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	server.fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	if (server.fd < 0)
		bail("/dev/fuse: %s", strerror(errno));
	mkdir(DIR, 0755);
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other",
		 server.fd);
	if (mount("montecito", DIR, "fuse", MS_NOSUID | MS_NODEV, options))
		bail("fuse: %s", strerror(errno));
	fflush(stdout);
	server.pid = fork();
	if (!server.pid)
		serve();
	return &shared->answer;
}

const char *fuse_path(void)
{
	return DIR "/" NAME;
}

unsigned long fuse_reads(void)
{
	return shared->reads;
}

void fuse_end(void)
{
	int status;

	/* The kernel fails all requests that still wait then. */
	kill(server.pid, SIGKILL);
	waitpid(server.pid, &status, 0);
	close(server.fd);
	umount2(DIR, MNT_DETACH);
	rmdir(DIR);
	munmap(shared, sizeof(*shared));
	free(server.data);
}
