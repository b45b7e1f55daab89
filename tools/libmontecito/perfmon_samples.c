// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * perfmon's default sampling format [perfmon_default_smpl.c of Linux 2.6], and what a program does
 * with a context's descriptor: messages, signals, fcntl(2).
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>

#include "perfmon.h"
#include "signals.h"
#include "threads.h"

/* RLIMIT_MEMLOCK of Linux 2.6 as it comes */
#define MEMLOCK (64ULL << 10)
#define HEADER 128
#define HEADER_VERSION 0x20000
/* An entry with each PMD that there may be */
#define ENTRY_MOST (sizeof(struct entry) + 8 * PERFMON_NR)

#define GUEST_O_ASYNC 020000
#define GUEST_F_SETSIG 10
#define GUEST_F_GETSIG 11

/* pfm_default_smpl_hdr_t */
struct header {
	uint64_t count;
	uint64_t offset;
	uint64_t reserved;
	uint64_t overflows;
	uint64_t size;
	uint32_t version;
	uint32_t pad;
};

/* pfm_default_smpl_entry_t; the values of the PMDs follow */
struct entry {
	int32_t pid;
	uint8_t pad[3];
	uint8_t pmd;
	uint64_t last_reset;
	uint64_t ip;
	uint64_t tstamp;
	uint16_t cpu;
	uint16_t set;
	int32_t tgid;
};

_Static_assert(sizeof(struct entry) == 40, "pfm_default_smpl_entry_t");

int perfmon_buffer(struct guest_process *p, struct perfmon *c, uint64_t size)
{
	const struct header h = { .offset = HEADER, .size = size, .version = HEADER_VERSION };
	uint64_t len = uvm_round(p->vm, size), at;
	int err;

	if (size < HEADER + ENTRY_MOST)
		return -EINVAL;
	if (size > MEMLOCK)
		return -ENOMEM;
	at = uvm_find_free(p->vm, len);
	if (!at)
		return -ENOMEM;
	err = uvm_map(p->vm, at, len, UVM_READ | UVM_WRITE);
	if (!err)
		err = uvm_write(p->vm, at, &h, sizeof(h));
	/* The program reads it, and cannot write. */
	if (!err)
		err = uvm_protect(p->vm, at, len, UVM_READ);
	if (err)
		return err;
	c->buffer = at;
	c->buffer_size = size;
	return 0;
}

int perfmon_buffer_reset(struct perfmon *c)
{
	const uint64_t empty[2] = { 0, HEADER };
	int err = c->home ? process_poke(c->home, c->buffer, empty, sizeof(empty)) : 0;

	return err == -EFAULT ? 0 : err;
}

int perfmon_sample(struct montecito_process *run, struct perfmon *c, unsigned int n,
		   const struct montecito_exit *e, uint64_t tstamp)
{
	struct {
		struct entry e;
		uint64_t value[PERFMON_NR];
	} s = {
		.e = {
			.pid = run->cpu->current->tid,
			.pmd = n,
			.last_reset = c->pmd[n].last,
			.ip = e->ip | e->slot,
			.tstamp = tstamp,
			.tgid = run->cpu->current->p->pid,
		},
	};
	uint64_t left;
	struct header h;
	size_t nr = 0, len;
	bool full;
	int err;

	if (!c->home)
		return 1;
	for (left = c->pmd[n].sample_pmds; left; left &= left - 1) {
		err = perfmon_read(run, c, __builtin_ctzll(left), &s.value[nr++]);
		if (err)
			return err;
	}
	/* The program may have unmapped it: there is no room then. */
	if (process_peek(c->home, c->buffer, &h, sizeof(h)))
		return 1;
	len = sizeof(s.e) + 8 * nr;
	err = process_poke(c->home, c->buffer + h.offset, &s, len);
	h.count++;
	h.offset += len;
	full = h.size - h.offset < ENTRY_MOST;
	h.overflows += full;
	if (!err)
		err = process_poke(c->home, c->buffer, &h, sizeof(h));
	if (err == -EFAULT)
		return 1;
	return err ? err : full;
}

/* ---- the descriptor ---- */

static int64_t perfmon_samples_give(struct guest_process *p, struct perfmon *c, uint64_t at)
{
	if (uvm_write(p->vm, at, &c->msg[c->first], sizeof(c->msg[0])))
		return -EFAULT;
	c->first = (c->first + 1) % PERFMON_MESSAGES;
	c->nr_msg--;
	return sizeof(c->msg[0]);
}

int64_t perfmon_read_msg(struct guest_process *p, struct perfmon *c, uint64_t at, uint64_t len)
{
	if (len < sizeof(c->msg[0]))
		return -EINVAL;
	if (c->nr_msg)
		return perfmon_samples_give(p, c, at);
	if (c->status & GUEST_O_NONBLOCK)
		return -EAGAIN;
	p->run->cpu->current->context = c;
	p->run->cpu->current->info = at;
	thread_wait(p->run, THREAD_MESSAGE, 0);
	return 0;
}

/* Give a message to read(2) and poll(2), and send a signal. */
static void perfmon_samples_tell(struct montecito_process *run, struct perfmon *c,
				 const struct perfmon_msg *msg)
{
	struct guest_siginfo info = { .signo = c->signal ? c->signal : SIGIO };
	struct guest_process *to;
	struct guest_thread *t;
	size_t i;

	if (!(c->flags & PERFMON_NO_MSG) && c->nr_msg < PERFMON_MESSAGES)
		c->msg[(c->first + c->nr_msg++) % PERFMON_MESSAGES] = *msg;
	for (i = 0; c->nr_msg && i < run->nr_threads; i++) {
		t = run->thread[i];
		if (t->state == THREAD_MESSAGE && t->context == c)
			thread_wake(t, perfmon_samples_give(t->p, c, t->info));
	}
	poll_look(run);
	if (!(c->status & GUEST_O_ASYNC) || !c->owner)
		return;
	info.code = c->signal ? GUEST_POLL_IN : GUEST_SI_KERNEL;
	if (c->signal) {
		info.poll.band = 0x41; /* POLLIN, POLLRDNORM */
		info.poll.fd = c->fd;
	}
	/* A negative number is a process group's, of which the first one is told. */
	t = thread_find(run, c->owner);
	to = t ? t->p : process_find(run, c->owner < 0 ? -c->owner : c->owner);
	if (to && !to->ended)
		signal_send(to, t && t->tid != to->pid ? t : NULL, &info);
}

int perfmon_notify(struct montecito_process *run, struct perfmon *c, uint64_t pmds, uint64_t tstamp)
{
	const struct perfmon_msg msg = {
		.type = PERFMON_MSG_OVFL,
		.fd = c->fd,
		.ovfl_pmds = { pmds },
		.tstamp = tstamp,
	};

	perfmon_samples_tell(run, c, &msg);
	return 0;
}

void perfmon_end(struct montecito_process *run, struct perfmon *c)
{
	const struct perfmon_msg msg = { .type = PERFMON_MSG_END, .fd = c->fd };

	perfmon_samples_tell(run, c, &msg);
}

int64_t perfmon_fcntl(struct perfmon *c, uint64_t cmd, uint64_t arg)
{
	switch (cmd) {
	case F_GETFL:
		return c->status | O_RDONLY;
	case F_SETFL:
		c->status = arg & (GUEST_O_NONBLOCK | GUEST_O_ASYNC);
		return 0;
	case F_SETOWN:
		c->owner = (int32_t)arg;
		return 0;
	case F_GETOWN:
		return c->owner;
	case GUEST_F_SETSIG:
		if (arg > NR_GUEST_SIGNALS)
			return -EINVAL;
		c->signal = arg;
		return 0;
	case GUEST_F_GETSIG:
		return c->signal;
	default:
		return -EINVAL;
	}
}
