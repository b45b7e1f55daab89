// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * poll(2) and select(2), with the forms of both that change the signal mask meanwhile.
 * Descriptors of the program's own, pipes and contexts of perfmon, change with the model's
 * time, and a wait for one takes it; the host's are the world's, and a wait for these alone
 * takes none.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "perfmon.h"
#include "signals.h"
#include "threads.h"

/* Sets of select, in the order of its arguments: to read, to write, exceptions */
#define NR_SETS 3
#define WORD 64
#define USEC 1000000
#define NSEC 1000000000LL

/* Events that make a descriptor one of a set, as Linux has it */
static const int16_t set_events[NR_SETS] = {
	POLLIN | POLLRDNORM | POLLRDBAND | POLLHUP | POLLERR,
	POLLOUT | POLLWRNORM | POLLWRBAND | POLLERR,
	POLLPRI,
};

/* The events to ask for; errors and ends come unasked. */
static const int16_t asked_events[NR_SETS] = { POLLIN, POLLOUT, POLLPRI };

/* The host's structure is the program's. */
_Static_assert(sizeof(struct pollfd) == 8, "struct pollfd");

/* ---- descriptors ---- */

static void poll_host(const struct guest_process *p, struct pollfd *f)
{
	struct pollfd host = { .fd = process_host_fd(p, f->fd), .events = f->events };

	if (poll(&host, 1, 0) > 0)
		f->revents = host.revents;
}

static void poll_one(const struct guest_process *p, struct pollfd *f)
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
		poll_host(p, f);
}

/* ---- what a wait is for ---- */

static bool poll_in_set(const struct guest_watch *w, unsigned int set, unsigned int fd)
{
	return w->set[set][fd / WORD] >> (fd % WORD) & 1;
}

/* The descriptors of @t: how many, or -EFAULT. */
static int64_t poll_watch_list(const struct guest_thread *t, struct pollfd *f)
{
	const struct guest_watch *w = &t->watch;
	unsigned int fd, i, nr = 0;
	int16_t events;

	if (!w->select)
		return uvm_read(t->p->vm, f, w->at[0], w->nr * sizeof(*f)) ? -EFAULT
									   : (int64_t)w->nr;
	for (fd = 0; fd < w->nr; fd++) {
		events = 0;
		for (i = 0; i < NR_SETS; i++)
			events |= poll_in_set(w, i, fd) ? asked_events[i] : 0;
		if (events)
			f[nr++] = (struct pollfd){ .fd = fd, .events = events };
	}
	return nr;
}

static size_t poll_set_size(const struct guest_watch *w)
{
	return (w->nr + WORD - 1) / WORD * sizeof(w->set[0][0]);
}

/* Tell the program what its sets have become: how many bits, of which 0 are told at @end alone. */
static int64_t poll_tell_sets(const struct guest_thread *t, const struct pollfd *f, unsigned int nr,
			      bool end)
{
	uint64_t set[NR_SETS][NR_GUEST_FDS / WORD] = { 0 };
	const struct guest_watch *w = &t->watch;
	int64_t ready = 0;
	unsigned int i;

	for (; nr; nr--, f++)
		for (i = 0; i < NR_SETS; i++)
			if (poll_in_set(w, i, f->fd) && f->revents & set_events[i]) {
				set[i][f->fd / WORD] |= 1ULL << (f->fd % WORD);
				ready++;
			}
	for (i = 0; i < NR_SETS && (ready || end); i++)
		if (w->at[i] && uvm_write(t->p->vm, w->at[i], set[i], poll_set_size(w)))
			return -EFAULT;
	return ready;
}

static int64_t poll_watch_tell(const struct guest_thread *t, const struct pollfd *f,
			       unsigned int nr, bool end)
{
	int64_t ready = 0;
	unsigned int i;

	if (t->watch.select)
		return poll_tell_sets(t, f, nr, end);
	for (i = 0; i < nr; i++)
		ready += !!f[i].revents;
	return uvm_write(t->p->vm, t->watch.at[0], f, nr * sizeof(*f)) ? -EFAULT : ready;
}

/* Look at the descriptors of @t: how many have something, or -EFAULT. */
static int64_t poll_watch_look(const struct guest_thread *t, bool end)
{
	struct pollfd f[NR_GUEST_FDS];
	int64_t nr = poll_watch_list(t, f);
	unsigned int i;

	if (nr < 0)
		return nr;
	for (i = 0; i < nr; i++)
		poll_one(t->p, &f[i]);
	return poll_watch_tell(t, f, nr, end);
}

/* ---- the end of a wait ---- */

/* As Linux: a time that cannot be written is none of the result's. */
static void poll_tell_left(const struct guest_thread *t)
{
	const struct guest_watch *w = &t->watch;
	uint64_t now, left[2];

	if (!w->left || process_cycles(t->p->run, &now))
		return;
	now = t->until > now ? t->until - now : 0;
	left[0] = now / MONTECITO_CORE_HZ;
	left[1] = now % MONTECITO_CORE_HZ * (w->fraction / USEC) / (MONTECITO_CORE_HZ / USEC);
	uvm_write(t->p->vm, w->left, left, sizeof(left));
}

static void poll_mask_back(struct guest_thread *t)
{
	if (t->mask_saved)
		t->sigmask = t->saved_mask;
	t->mask_saved = false;
}

int64_t poll_over(struct guest_thread *t)
{
	int64_t ready = poll_watch_look(t, true);

	poll_tell_left(t);
	poll_mask_back(t);
	return ready;
}

void poll_interrupted(struct guest_thread *t)
{
	poll_tell_left(t);
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
		ready = poll_watch_look(t, false);
		if (!ready)
			continue;
		poll_tell_left(t);
		poll_mask_back(t);
		thread_wake(t, ready);
	}
}

static void poll_mask_set(struct guest_thread *t)
{
	if (!t->watch.masked)
		return;
	t->saved_mask = t->sigmask;
	t->mask_saved = true;
	t->sigmask = t->watch.mask;
}

int poll_go_on(struct guest_thread *t)
{
	int64_t ready = poll_watch_look(t, false);

	if (ready) {
		poll_tell_left(t);
		return thread_result(t, ready);
	}
	poll_mask_set(t);
	t->state = THREAD_POLL;
	return 0;
}

/* ---- its beginning ---- */

/*
 * All descriptors are the host's: wait in its time, and tell by *@ready what came. False where
 * they are not, or where nothing came that a set holds.
 */
static bool poll_watch_world(struct guest_thread *t, const struct timespec *limit, int64_t *ready)
{
	struct pollfd f[NR_GUEST_FDS];
	int64_t nr = poll_watch_list(t, f), i;
	bool any = false;
	int come;

	for (i = 0; i < nr; i++) {
		if (f[i].fd < 0)
			continue;
		f[i].fd = process_host_fd(t->p, f[i].fd);
		if (f[i].fd < 0)
			return false;
		any = true;
	}
	come = any ? ppoll(f, nr, limit, NULL) : -1;
	if (come < 0)
		return false;
	/* The model's clocks have stood still in ppoll(), so the time that is left is set here. */
	if (!come)
		t->until = 0;
	*ready = poll_watch_look(t, !come);
	poll_tell_left(t);
	return !come || *ready;
}

/* Wait until something comes or the current thread's until; NULL or @limit is that from now. */
static int64_t poll_watch_until(struct guest_process *p, const struct timespec *limit)
{
	struct guest_thread *t = p->run->cpu->current;
	int64_t ready = poll_watch_look(t, false);

	if (ready) {
		poll_tell_left(t);
		return ready;
	}
	poll_mask_set(t);
	/* A signal that was blocked before is taken now, and the call goes on where it can. */
	if (t->mask_saved && signals_wait(t)) {
		poll_tell_left(t);
		t->was = THREAD_POLL;
		return -EINTR;
	}
	if (limit && !limit->tv_sec && !limit->tv_nsec)
		return poll_over(t);
	if (poll_watch_world(t, limit, &ready)) {
		poll_mask_back(t);
		return ready;
	}
	thread_wait(p->run, THREAD_POLL, t->until);
	return 0;
}

/*
 * The time at @at, where a second has @units: the end of the current thread's wait, and *@limit.
 * *@given points there, or is NULL where there is no end.
 */
static int poll_watch_limit(struct guest_process *p, uint64_t at, int64_t units,
			    struct timespec *limit, const struct timespec **given)
{
	struct guest_thread *t = p->run->cpu->current;
	uint64_t now;
	int64_t time[2];
	int err;

	*given = NULL;
	t->until = 0;
	t->watch.left = 0;
	if (!at)
		return 0;
	if (uvm_read(p->vm, time, at, sizeof(time)))
		return -EFAULT;
	/* More than a second of microseconds is no mistake, as Linux has it. */
	if (units == USEC && __builtin_add_overflow(time[0], time[1] / USEC, &time[0]))
		return -EINVAL;
	limit->tv_sec = time[0];
	limit->tv_nsec = units == USEC ? time[1] % USEC * (NSEC / USEC) : time[1];
	if (limit->tv_sec < 0 || limit->tv_nsec < 0 || limit->tv_nsec >= NSEC)
		return -EINVAL;
	err = process_cycles(p->run, &now);
	if (err)
		return err;
	*given = limit;
	if ((uint64_t)limit->tv_sec > MAX_WAIT_SECONDS)
		return 0;
	/* 8 cycles are 5 ns. */
	t->until = now + limit->tv_sec * MONTECITO_CORE_HZ + (limit->tv_nsec * 8 + 4) / 5;
	t->until += !t->until;
	t->watch.left = limit->tv_sec || limit->tv_nsec ? at : 0;
	t->watch.fraction = units;
	return 0;
}

/* The mask for the wait, of which 0 is none. */
static int poll_watch_mask(struct guest_process *p, uint64_t at, uint64_t size)
{
	struct guest_watch *w = &p->run->cpu->current->watch;

	w->masked = at;
	if (!at)
		return 0;
	if (size != sizeof(w->mask))
		return -EINVAL;
	if (uvm_read(p->vm, &w->mask, at, sizeof(w->mask)))
		return -EFAULT;
	w->mask &= ~(signal_bit(SIGKILL) | signal_bit(SIGSTOP));
	return 0;
}

static int64_t poll_watch(struct guest_process *p, const uint64_t *arg,
			  const struct timespec *limit)
{
	struct guest_watch *w = &p->run->cpu->current->watch;

	/* A number, not a size: what is above the int is not looked at. */
	if ((uint32_t)arg[1] > NR_GUEST_FDS)
		return -EINVAL;
	w->select = false;
	w->at[0] = arg[0];
	w->nr = (uint32_t)arg[1];
	return poll_watch_until(p, limit);
}

/* Descriptors, their number, milliseconds */
int64_t sys_poll(struct guest_process *p, const uint64_t *arg)
{
	struct guest_thread *t = p->run->cpu->current;
	int32_t wait = arg[2];
	const struct timespec limit = {
		.tv_sec = wait / 1000,
		.tv_nsec = wait % 1000 * (NSEC / 1000),
	};
	uint64_t now;
	int err;

	err = process_cycles(p->run, &now);
	if (err)
		return err;
	t->watch.left = 0;
	t->watch.masked = false;
	t->until = wait < 0 ? 0 : now + (uint64_t)wait * (MONTECITO_CORE_HZ / 1000);
	return poll_watch(p, arg, wait < 0 ? NULL : &limit);
}

/* Descriptors, their number, struct timespec, mask, its size */
int64_t sys_ppoll(struct guest_process *p, const uint64_t *arg)
{
	const struct timespec *given;
	struct timespec limit;
	int err;

	err = poll_watch_limit(p, arg[2], NSEC, &limit, &given);
	if (!err)
		err = poll_watch_mask(p, arg[3], arg[4]);
	return err ? err : poll_watch(p, arg, given);
}

static int64_t poll_watch_select(struct guest_process *p, const uint64_t *arg,
				 const struct timespec *limit)
{
	struct guest_watch *w = &p->run->cpu->current->watch;
	int32_t nr = arg[0];
	unsigned int i, fd;

	if (nr < 0)
		return -EINVAL;
	w->select = true;
	w->nr = nr < NR_GUEST_FDS ? nr : NR_GUEST_FDS;
	memset(w->set, 0, sizeof(w->set));
	for (i = 0; i < NR_SETS; i++) {
		w->at[i] = arg[1 + i];
		if (w->at[i] && uvm_read(p->vm, w->set[i], w->at[i], poll_set_size(w)))
			return -EFAULT;
	}
	for (fd = 0; fd < w->nr; fd++)
		for (i = 0; i < NR_SETS; i++)
			if (poll_in_set(w, i, fd) && !file_of(p, fd))
				return -EBADF;
	return poll_watch_until(p, limit);
}

/* How many descriptors, three sets, struct timeval */
int64_t sys_select(struct guest_process *p, const uint64_t *arg)
{
	const struct timespec *given;
	struct timespec limit;
	int err;

	err = poll_watch_limit(p, arg[4], USEC, &limit, &given);
	p->run->cpu->current->watch.masked = false;
	return err ? err : poll_watch_select(p, arg, given);
}

/* How many descriptors, three sets, struct timespec, address of a mask's address and size */
int64_t sys_pselect6(struct guest_process *p, const uint64_t *arg)
{
	const struct timespec *given;
	struct timespec limit;
	uint64_t mask[2] = { 0 };
	int err;

	if (arg[5] && uvm_read(p->vm, mask, arg[5], sizeof(mask)))
		return -EFAULT;
	err = poll_watch_limit(p, arg[4], NSEC, &limit, &given);
	if (!err)
		err = poll_watch_mask(p, mask[0], mask[1]);
	return err ? err : poll_watch_select(p, arg, given);
}
