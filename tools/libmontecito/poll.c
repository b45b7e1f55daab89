// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * poll(2). Descriptors of the program's own, pipes and contexts of perfmon, change with the model's
 * time, and a wait for one takes it; the host's are the world's, and a wait for one alone
 * takes none.
 */
#include <errno.h>
#include <poll.h>

#include "perfmon.h"
#include "threads.h"

/* struct pollfd */
struct guest_pollfd {
	int32_t fd;
	int16_t events;
	int16_t revents;
};

static void poll_host(const struct guest_process *p, struct guest_pollfd *f, int wait)
{
	struct pollfd host = { .fd = process_host_fd(p, f->fd), .events = f->events };

	if (poll(&host, 1, wait) > 0)
		f->revents = host.revents;
}

static void poll_one(const struct guest_process *p, struct guest_pollfd *f)
{
	const struct guest_file *file = f->fd < 0 ? NULL : file_of(p, f->fd);

	f->revents = 0;
	if (f->fd < 0)
		return;
	if (!file)
		f->revents = POLLNVAL;
	else if (file->perfmon)
		f->revents = file->perfmon->nr_msg ? f->events & POLLIN : 0;
	else if (file->pipe)
		f->revents = pipe_poll(file, f->events);
	else
		poll_host(p, f, 0);
}

/* Look at @nr descriptors of @p, whose array is at @at: how many have something, or -EFAULT. */
static int64_t poll_all(struct guest_process *p, uint64_t at, uint64_t nr)
{
	struct guest_pollfd f[NR_GUEST_FDS];
	int64_t ready = 0;
	uint64_t i;

	if (uvm_read(p->vm, f, at, nr * sizeof(f[0])))
		return -EFAULT;
	for (i = 0; i < nr; i++) {
		poll_one(p, &f[i]);
		ready += !!f[i].revents;
	}
	return uvm_write(p->vm, at, f, nr * sizeof(f[0])) ? -EFAULT : ready;
}

void poll_look(struct montecito_process *run)
{
	struct guest_thread *t;
	int64_t ready;
	size_t i;

	for (i = 0; i < run->nr_threads; i++) {
		t = run->thread[i];
		if (t->state != THREAD_POLL)
			continue;
		ready = poll_all(t->p, t->poll, t->nr_poll);
		if (ready)
			thread_wake(t, ready);
	}
}

int poll_go_on(struct guest_thread *t)
{
	int64_t ready = poll_all(t->p, t->poll, t->nr_poll);

	if (ready)
		return thread_result(t, ready);
	t->state = THREAD_POLL;
	return 0;
}

/* The one descriptor is the host's: wait in its time. */
static bool poll_world(struct guest_process *p, uint64_t at, int wait, int64_t *ready)
{
	struct guest_pollfd f;

	if (uvm_read(p->vm, &f, at, sizeof(f)) || process_host_fd(p, f.fd) < 0)
		return false;
	poll_host(p, &f, wait);
	*ready = uvm_write(p->vm, at, &f, sizeof(f)) ? -EFAULT : !!f.revents;
	return true;
}

/* Descriptors, their number, milliseconds */
int64_t sys_poll(struct guest_process *p, const uint64_t *arg)
{
	int32_t wait = arg[2];
	uint64_t now;
	int64_t ready;
	int err;

	if (arg[1] > NR_GUEST_FDS)
		return -EINVAL;
	ready = poll_all(p, arg[0], arg[1]);
	if (ready || !wait)
		return ready;
	if (arg[1] == 1 && poll_world(p, arg[0], wait, &ready))
		return ready;
	err = process_cycles(p->run, &now);
	if (err)
		return err;
	p->run->cpu->current->poll = arg[0];
	p->run->cpu->current->nr_poll = arg[1];
	thread_wait(p->run, THREAD_POLL,
		    wait < 0 ? 0 : now + (uint64_t)wait * (MONTECITO_CORE_HZ / 1000));
	return 0;
}
