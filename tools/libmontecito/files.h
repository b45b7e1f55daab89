/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Open files of a program: the host's, contexts of perfmon, and pipes between its processes.
 * Called by pipe.c, poll.c, syscall_file.c and syscall_mem.c.
 */
#ifndef LIBMONTECITO_FILES_H
#define LIBMONTECITO_FILES_H

#include "process.h"

/* O_* of Linux/ia64 */
#define GUEST_O_NONBLOCK 04000
#define GUEST_O_CLOEXEC 02000000

struct guest_pipe;

/**
 * struct guest_file - an open file of the program, which descriptors of several processes may be
 * @host: descriptor of this process; -1 for a context of perfmon and an end of a pipe
 * @random: opened as /dev/random or /dev/urandom
 * @perfmon: the context, or NULL
 * @pipe: the pipe, or NULL
 * @writes: it is the end of the pipe that is written to
 * @nonblock: of a pipe: O_NONBLOCK
 * @refs: descriptors that lead here, and threads that wait in a call
 */
struct guest_file {
	int host;
	bool random;
	struct perfmon *perfmon;
	struct guest_pipe *pipe;
	bool writes;
	bool nonblock;
	unsigned int refs;
};

/* files.c: the file of a descriptor, or NULL. */
struct guest_file *file_of(const struct guest_process *p, uint64_t fd);
/* Descriptor @fd, which is free, leads to a file of its own: 0 or -ENOMEM. */
int file_open(struct guest_process *p, unsigned int fd, int host);
/* One less leads to @f: 0, or what close(2) says where it was the last one. */
int file_put(struct montecito_process *run, struct guest_file *f);

/* syscall_file.c: struct iovec */
struct guest_iovec {
	uint64_t base;
	uint64_t len;
};

/*
 * Copy between @buf and the guest's @nr pieces behind their first @skip bytes: how many it were
 * before one that is not there.
 */
size_t pieces_copy(struct guest_process *p, const struct guest_iovec *iov, size_t nr, uint64_t skip,
		   void *buf, size_t len, bool to_guest);

/**
 * struct guest_io - a read or write of a pipe that is not over
 * @file: an end of it; NULL for none
 * @iov: pieces of the program's memory
 * @nr: how many
 * @len: bytes of all
 * @done: those that have been written
 */
struct guest_io {
	struct guest_file *file;
	struct guest_iovec *iov;
	size_t nr;
	uint64_t len;
	uint64_t done;
};

/* pipe.c: read or write, which may have the current thread wait. */
int64_t pipe_transfer(struct guest_process *p, struct guest_file *f, const struct guest_iovec *iov,
		      size_t nr, uint64_t len, bool out);
/* An end of a pipe has no descriptor any more. */
void pipe_close(struct montecito_process *run, struct guest_file *f);
/* The events of poll(2) that an end has. */
int16_t pipe_poll(const struct guest_file *f, int16_t events);
/* Bytes in it, those that it has room for, and its number. */
size_t pipe_used(const struct guest_file *f);
size_t pipe_size(const struct guest_file *f);
uint64_t pipe_number(const struct guest_file *f);

#endif
