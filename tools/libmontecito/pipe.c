// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Pipes between the processes and threads of a program (pipe(7)). A thread that waits at one does
 * so in the model's time, and the one that has waited longest is served first.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "signals.h"
#include "threads.h"

/* Pages of a pipe, as Linux has it */
#define PAGES 16
/* Most pipes of a program at one time: ENFILE. Linux limits the pages of a user instead. */
#define MOST 1024
/* PIPE_BUF: a write of no more is whole or is not done. */
#define ATOMIC 4096

#define READABLE (POLLIN | POLLRDNORM)
#define WRITABLE (POLLOUT | POLLWRNORM)

/**
 * struct guest_pipe - bytes on their way, in a ring
 * @number: that fstat() tells
 * @readers: open files that read
 * @writers: open files that write
 * @users: of pipe_look() that have it in their hands
 * @size: bytes that it has room for
 * @first: where the first byte is
 * @used: bytes in it
 * @data: the ring
 */
struct guest_pipe {
	uint64_t number;
	unsigned int readers;
	unsigned int writers;
	unsigned int users;
	size_t size;
	size_t first;
	size_t used;
	uint8_t data[];
};

size_t pipe_used(const struct guest_file *f)
{
	return f->pipe->used;
}

size_t pipe_size(const struct guest_file *f)
{
	return f->pipe->size;
}

uint64_t pipe_number(const struct guest_file *f)
{
	return f->pipe->number;
}

int16_t pipe_poll(const struct guest_file *f, int16_t events)
{
	const struct guest_pipe *pipe = f->pipe;

	if (f->writes)
		return (pipe->size - pipe->used >= ATOMIC ? events & WRITABLE : 0) |
		       (pipe->readers ? 0 : POLLERR);
	return (pipe->used ? events & READABLE : 0) | (pipe->writers ? 0 : POLLHUP);
}

/* ---- bytes ---- */

/* Move up to @len bytes between the ring from @at on and the pieces of @io behind @skip. */
static size_t pipe_ring_move(struct guest_process *p, const struct guest_io *io, uint64_t skip,
			     size_t at, size_t len, bool to_guest)
{
	struct guest_pipe *pipe = io->file->pipe;
	size_t n, done = 0, part;

	while (done < len) {
		n = pipe->size - at < len - done ? pipe->size - at : len - done;
		part = pieces_copy(p, io->iov, io->nr, skip + done, pipe->data + at, n, to_guest);
		done += part;
		at = (at + part) % pipe->size;
		if (part < n)
			break;
	}
	return done;
}

/* The result of a read; -EAGAIN where it has to wait. */
static int64_t pipe_take(struct guest_process *p, struct guest_io *io)
{
	struct guest_pipe *pipe = io->file->pipe;
	size_t n = io->len < pipe->used ? io->len : pipe->used;

	if (!n)
		return pipe->writers ? -EAGAIN : 0;
	n = pipe_ring_move(p, io, 0, pipe->first, n, true);
	pipe->first = (pipe->first + n) % pipe->size;
	pipe->used -= n;
	return n ? (int64_t)n : -EFAULT;
}

/* The result of a write; -EAGAIN where it has to wait, of which a part may be done. */
static int64_t pipe_put(struct guest_process *p, struct guest_io *io)
{
	struct guest_pipe *pipe = io->file->pipe;
	size_t room = pipe->size - pipe->used, n, want = io->len - io->done;

	if (!pipe->readers)
		return -EPIPE;
	if (!room || (io->len <= ATOMIC && room < want))
		return -EAGAIN;
	want = want < room ? want : room;
	n = pipe_ring_move(p, io, io->done, (pipe->first + pipe->used) % pipe->size, want, false);
	pipe->used += n;
	io->done += n;
	if (n < want)
		return io->done ? (int64_t)io->done : -EFAULT;
	return io->done == io->len ? (int64_t)io->done : -EAGAIN;
}

static int64_t pipe_step(struct guest_process *p, struct guest_io *io)
{
	return io->file->writes ? pipe_put(p, io) : pipe_take(p, io);
}

/* ---- threads that wait ---- */

/* The one that has waited longest at the end of @pipe that @writes; NULL for none. */
static struct guest_thread *pipe_first_waiter(const struct montecito_process *run,
					      const struct guest_pipe *pipe, bool writes)
{
	struct guest_thread *t, *best = NULL;
	size_t i;

	for (i = 0; i < run->nr_threads; i++) {
		t = run->thread[i];
		if (t->state == THREAD_PIPE && t->io.file->pipe == pipe &&
		    t->io.file->writes == writes && (!best || t->turn < best->turn))
			best = t;
	}
	return best;
}

/* The write of @t has no reader: what has been written counts, the signal comes always. */
static int64_t pipe_broken(struct guest_thread *t, uint64_t done)
{
	const struct guest_siginfo info = { .signo = SIGPIPE, .code = GUEST_SI_KERNEL };
	int64_t res = done ? (int64_t)done : -EPIPE;

	if (t->state == THREAD_PIPE)
		thread_wake(t, res);
	signal_send(t->p, t, &info);
	return res;
}

/* Let the first one at an end of @pipe go on: true if anything has changed. */
static bool pipe_serve(struct montecito_process *run, struct guest_pipe *pipe, bool writes)
{
	struct guest_thread *t = pipe_first_waiter(run, pipe, writes);
	uint64_t done;
	int64_t res;

	if (!t)
		return false;
	done = t->io.done;
	res = pipe_step(t->p, &t->io);
	if (res == -EAGAIN)
		return t->io.done > done;
	if (res == -EPIPE)
		pipe_broken(t, done);
	else
		thread_wake(t, res);
	return true;
}

static void pipe_free(struct montecito_process *run, struct guest_pipe *pipe)
{
	if (pipe->readers || pipe->writers || pipe->users)
		return;
	run->nr_pipes--;
	free(pipe);
}

/* Bytes, room or an end have come or gone: have all go on that can. */
static void pipe_look(struct montecito_process *run, struct guest_pipe *pipe)
{
	bool more;

	pipe->users++;
	do {
		more = pipe_serve(run, pipe, false);
		more = pipe_serve(run, pipe, true) || more;
	} while (more);
	poll_look(run);
	pipe->users--;
	pipe_free(run, pipe);
}

void pipe_close(struct montecito_process *run, struct guest_file *f)
{
	if (f->writes)
		f->pipe->writers--;
	else
		f->pipe->readers--;
	pipe_look(run, f->pipe);
}

/* Have the current thread wait for the rest of @io. */
static int64_t pipe_wait_for(struct guest_process *p, const struct guest_io *io)
{
	struct guest_thread *t = p->run->cpu->current;

	t->io = *io;
	t->io.iov = malloc(io->nr * sizeof(*io->iov));
	if (!t->io.iov) {
		t->io.file = NULL;
		return -ENOMEM;
	}
	memcpy(t->io.iov, io->iov, io->nr * sizeof(*io->iov));
	/* Another thread may close the descriptor meanwhile. */
	io->file->refs++;
	thread_wait(p->run, THREAD_PIPE, 0);
	return 0;
}

void thread_io_over(struct guest_thread *t, struct montecito_process *run)
{
	struct guest_file *f = t->io.file;

	if (!f)
		return;
	t->io.file = NULL;
	free(t->io.iov);
	file_put(run, f);
}

int64_t pipe_transfer(struct guest_process *p, struct guest_file *f, const struct guest_iovec *iov,
		      size_t nr, uint64_t len, bool out)
{
	struct guest_io io = { .file = f, .iov = (struct guest_iovec *)iov, .nr = nr, .len = len };
	uint64_t done;
	size_t used;
	int64_t res;

	if (f->writes != out)
		return -EBADF;
	if (!len)
		return 0;
	/* Readers that wait make room at once, for as much as they take. */
	do {
		used = f->pipe->used;
		done = io.done;
		res = pipe_step(p, &io);
		if (f->pipe->used != used)
			pipe_look(p->run, f->pipe);
	} while (res == -EAGAIN && io.done > done);
	if (res == -EPIPE)
		return pipe_broken(p->run->cpu->current, io.done);
	if (res != -EAGAIN)
		return res;
	if (f->nonblock)
		return io.done ? (int64_t)io.done : res;
	return pipe_wait_for(p, &io);
}

/* ---- system calls ---- */

static struct guest_pipe *pipe_new(struct guest_process *p)
{
	size_t size = PAGES * p->vm->page_size;
	struct guest_pipe *pipe = calloc(1, sizeof(*pipe) + size);

	if (!pipe)
		return NULL;
	pipe->number = ++p->run->last_pipe;
	pipe->size = size;
	p->run->nr_pipes++;
	return pipe;
}

static int pipe_end_open(struct guest_process *p, struct guest_pipe *pipe, bool writes,
			 uint64_t flags)
{
	int fd = process_free_fd(p, 0), err;

	if (fd < 0)
		return fd;
	err = file_open(p, fd, -1);
	if (err)
		return err;
	p->file[fd]->pipe = pipe;
	p->file[fd]->writes = writes;
	p->file[fd]->nonblock = flags & GUEST_O_NONBLOCK;
	p->cloexec[fd] = flags & GUEST_O_CLOEXEC;
	*(writes ? &pipe->writers : &pipe->readers) += 1;
	return fd;
}

static int pipe_do(struct guest_process *p, uint64_t flags, int fd[2])
{
	struct guest_pipe *pipe;

	if ((uint32_t)flags & ~(GUEST_O_NONBLOCK | GUEST_O_CLOEXEC))
		return -EINVAL;
	if (p->run->nr_pipes >= MOST)
		return -ENFILE;
	pipe = pipe_new(p);
	if (!pipe)
		return -ENOMEM;
	fd[0] = pipe_end_open(p, pipe, false, flags);
	if (fd[0] < 0) {
		pipe_free(p->run, pipe);
		return fd[0];
	}
	fd[1] = pipe_end_open(p, pipe, true, flags);
	if (fd[1] < 0)
		file_close(p, fd[0]);
	return fd[1] < 0 ? fd[1] : 0;
}

/* Of Linux/ia64: the second descriptor comes in r9. */
int64_t sys_pipe(struct guest_process *p, const uint64_t *arg)
{
	int fd[2], err = pipe_do(p, 0, fd);

	(void)arg;
	if (!err)
		err = montecito_set_reg(p->m, p->run->cpu->vcpu, MONTECITO_REG_GR, 9, fd[1]);
	return err ? err : fd[0];
}

/* Where both descriptors go, flags */
int64_t sys_pipe2(struct guest_process *p, const uint64_t *arg)
{
	int fd[2], err = pipe_do(p, arg[1], fd);

	if (!err && uvm_write(p->vm, arg[0], fd, sizeof(fd))) {
		file_close(p, fd[1]);
		file_close(p, fd[0]);
		err = -EFAULT;
	}
	return err;
}
