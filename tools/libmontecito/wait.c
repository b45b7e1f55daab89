// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Waiting for children: wait4(2) and waitid(2), and who is told of an end, a stop or a
 * continuation.
 */
#include <errno.h>
#include <signal.h>

#include "signals.h"
#include "threads.h"

/* Options of both; those of wait4 have names of their own in Linux for the second and the third. */
#define WAIT_NOHANG 0x1
#define WAIT_STOPPED 0x2
#define WAIT_EXITED 0x4
#define WAIT_CONTINUED 0x8
#define WAIT_NOWAIT 0x1000000
#define WAIT_NOTHREAD 0x20000000
#define WAIT_ALL 0x40000000
#define WAIT_CLONE 0x80000000
#define OF_BOTH (WAIT_NOHANG | WAIT_CONTINUED | WAIT_NOTHREAD | WAIT_ALL | WAIT_CLONE)

/* Whom waitid waits for */
#define OF_ALL 0
#define OF_PID 1
#define OF_GROUP 2

/* si_code of SIGCHLD */
#define GUEST_CLD_EXITED 1
#define GUEST_CLD_KILLED 2
#define GUEST_CLD_TRAPPED 4
#define GUEST_CLD_STOPPED 5
#define GUEST_CLD_CONTINUED 6

#define GUEST_SA_NOCLDSTOP 0x1
#define GUEST_SA_NOCLDWAIT 0x2

#define NR_WAITID 1270

/**
 * struct wish - what a call waits for
 * @type: OF_*
 * @id: of a process or a group
 * @options: WAIT_*
 * @status: address of wait4's status; 0 for none
 * @info: address of waitid's siginfo; 0 for none
 * @usage: address of struct rusage; 0 for none
 */
struct wish {
	uint32_t type;
	uint32_t id;
	uint32_t options;
	uint64_t status;
	uint64_t info;
	uint64_t usage;
};

/* wait4: number or -1, where the status goes, options, where the usage goes */
static int wait_wish_wait4(const struct guest_process *p, const uint64_t *arg, struct wish *w)
{
	int32_t pid = arg[0];

	*w = (struct wish){ .options = (uint32_t)arg[2], .status = arg[1], .usage = arg[3] };
	if (w->options & ~(OF_BOTH | WAIT_STOPPED))
		return -EINVAL;
	w->options |= WAIT_EXITED;
	if (pid == -1)
		return 0;
	w->type = pid > 0 ? OF_PID : OF_GROUP;
	w->id = pid > 0 ? (uint32_t)pid : pid ? -(uint32_t)pid : p->group;
	return 0;
}

/* waitid: of whom, number, where the siginfo goes, options, where the usage goes */
static int wait_wish_waitid(const struct guest_process *p, const uint64_t *arg, struct wish *w)
{
	int32_t id = arg[1];

	*w = (struct wish){
		.type = arg[0],
		.id = id,
		.options = arg[3],
		.info = arg[2],
		.usage = arg[4],
	};
	if (w->options & ~(OF_BOTH | WAIT_STOPPED | WAIT_EXITED | WAIT_NOWAIT) ||
	    !(w->options & (WAIT_STOPPED | WAIT_EXITED | WAIT_CONTINUED)))
		return -EINVAL;
	if (w->type > OF_GROUP || (w->type == OF_PID && id <= 0) || (w->type == OF_GROUP && id < 0))
		return -EINVAL;
	if (w->type == OF_GROUP && !id)
		w->id = p->group;
	return 0;
}

static bool wait_child_matches(const struct guest_process *p, const struct guest_process *c,
			       const struct wish *w)
{
	if (c->parent != p->pid && c->tracer != p->pid)
		return false;
	if ((w->type == OF_PID && w->id != c->pid) || (w->type == OF_GROUP && w->id != c->group))
		return false;
	return w->options & WAIT_ALL || c->tracer == p->pid ||
	       (c->exit_signal != SIGCHLD) == !!(w->options & WAIT_CLONE);
}

/* How @c is now, for its parent's signal and for waitid. */
static struct guest_siginfo wait_child_info(const struct guest_process *c)
{
	struct guest_siginfo info = {
		.signo = SIGCHLD,
		.child = { .pid = c->pid, .uid = GUEST_UID },
	};

	if (c->ended) {
		info.code = c->signal ? GUEST_CLD_KILLED : GUEST_CLD_EXITED;
		info.child.status = c->signal ? c->signal : c->status;
	} else if (c->stopped) {
		info.code = c->tracer ? GUEST_CLD_TRAPPED : GUEST_CLD_STOPPED;
		info.child.status = c->stopped;
	} else {
		info.code = GUEST_CLD_CONTINUED;
		info.child.status = SIGCONT;
	}
	return info;
}

/* True if there is something to tell @p of @c that it wants to know. */
static bool wait_child_news(const struct guest_process *p, const struct guest_process *c,
			    const struct wish *w)
{
	/* A tracer is told before the parent. */
	if (c->tracer && c->tracer != p->pid)
		return false;
	if (c->ended)
		return w->options & WAIT_EXITED;
	if (c->stopped)
		return !c->stop_told && (c->tracer || w->options & WAIT_STOPPED);
	return c->continued && w->options & WAIT_CONTINUED;
}

/* The status that wait4() tells. */
static int32_t wait_child_status(const struct guest_process *c)
{
	if (c->ended)
		return c->signal ? c->signal : c->status << 8;
	return c->stopped ? c->stopped << 8 | 0x7f : 0xffff;
}

/* struct rusage: system calls take no time of the model's, and no page comes from a disk. */
static int wait_put_usage(struct guest_process *p, uint64_t at, const struct guest_process *c)
{
	uint64_t usage[18] = { 0 }, cycles;
	int err = process_ran((struct guest_process *)c, &cycles);

	cycles += c->reaped;
	usage[0] = cycles / MONTECITO_CORE_HZ;
	usage[1] = cycles % MONTECITO_CORE_HZ / (MONTECITO_CORE_HZ / 1000000);
	return err ? err : uvm_write(p->vm, at, usage, sizeof(usage));
}

/* The words of a siginfo that waitid() writes, and no others. */
static int wait_put_info(struct guest_process *p, uint64_t at, const struct guest_siginfo *info)
{
	int err = uvm_write(p->vm, at, info, 12);

	return err ? err : uvm_write(p->vm, at + 16, &info->child, 12);
}

static int wait_put_news(struct guest_process *p, const struct guest_process *c,
			 const struct wish *w)
{
	const struct guest_siginfo info = wait_child_info(c);
	int32_t status = wait_child_status(c);
	int err = 0;

	if (w->status)
		err = uvm_write(p->vm, w->status, &status, sizeof(status));
	if (!err && w->usage)
		err = wait_put_usage(p, w->usage, c);
	if (!err && w->info)
		err = wait_put_info(p, w->info, &info);
	return err ? -EFAULT : 0;
}

static void wait_child_gone(struct guest_process *c)
{
	struct guest_process *p = process_find(c->run, c->parent);

	if (p)
		p->reaped += c->ran + c->reaped;
	process_remove(c);
}

/* The news of @c that @p has been told are told once. */
static void wait_told(const struct guest_process *p, struct guest_process *c)
{
	if (!c->ended) {
		c->stop_told = true;
		c->continued = false;
	} else if (c->tracer && c->parent != p->pid) {
		/* The parent is told now. */
		c->tracer = 0;
		process_told(c);
	} else {
		wait_child_gone(c);
	}
}

/* A number, 0 where there is nothing yet, or a negative errno. */
static int64_t wait_once(struct guest_process *p, const struct wish *w)
{
	struct montecito_process *run = p->run;
	bool any = false;
	size_t i;

	for (i = 0; i < run->nr_processes; i++) {
		struct guest_process *c = run->process[i];
		uint32_t pid = c->pid;

		if (!wait_child_matches(p, c, w))
			continue;
		/* Of one that has ended nothing else will come. */
		any = any || !c->ended || w->options & WAIT_EXITED;
		if (!wait_child_news(p, c, w))
			continue;
		if (wait_put_news(p, c, w))
			return -EFAULT;
		if (!(w->options & WAIT_NOWAIT))
			wait_told(p, c);
		return pid;
	}
	return any ? 0 : -ECHILD;
}

static int64_t wait_or(struct guest_process *p, const struct wish *w)
{
	int64_t res = wait_once(p, w);

	if (!res && !(w->options & WAIT_NOHANG))
		thread_wait(p->run, THREAD_CHILD, 0);
	return res;
}

int64_t sys_wait4(struct guest_process *p, const uint64_t *arg)
{
	struct wish w;
	int err = wait_wish_wait4(p, arg, &w);

	return err ? err : wait_or(p, &w);
}

int64_t sys_waitid(struct guest_process *p, const uint64_t *arg)
{
	const struct guest_siginfo none = { 0 };
	struct wish w;
	int64_t res = wait_wish_waitid(p, arg, &w);

	if (!res)
		res = wait_or(p, &w);
	if (res > 0)
		return 0;
	/* As Linux: zeros where there is nothing to tell, and with an error too. */
	if (w.info && p->run->cpu->current->state != THREAD_CHILD &&
	    wait_put_info(p, w.info, &none))
		return -EFAULT;
	return res;
}

/* End the waits of @p for which a child has something to report now. */
static void wait_waits_look(struct guest_process *p)
{
	struct montecito_process *run = p->run;
	struct guest_thread *t;
	struct wish w;
	int64_t res;
	bool id;
	size_t i;

	for (i = 0; i < run->nr_threads; i++) {
		t = run->thread[i];
		if (t->p != p || t->state != THREAD_CHILD)
			continue;
		id = t->call.nr == NR_WAITID;
		if (id ? wait_wish_waitid(p, t->call.arg, &w) : wait_wish_wait4(p, t->call.arg, &w))
			continue;
		res = wait_once(p, &w);
		if (res)
			thread_wake(t, id && res > 0 ? 0 : res);
	}
}

/* Tell @p of a change of @c, by wait4() and by signal @sig. */
static void wait_tell(struct guest_process *p, struct guest_process *c, int sig)
{
	struct guest_siginfo info = wait_child_info(c);
	bool quiet = sig == SIGCHLD && !c->ended && p->action[SIGCHLD].flags & GUEST_SA_NOCLDSTOP;

	info.signo = sig;
	/* The wait comes first: the handler of the signal runs behind it. @c may be gone then. */
	wait_waits_look(p);
	if (sig && !quiet)
		signal_send(p, NULL, &info);
}

/* True if @p does not want to know how its children end. */
static bool wait_careless(const struct guest_process *p)
{
	return p->action[SIGCHLD].handler == GUEST_SIG_IGN ||
	       p->action[SIGCHLD].flags & GUEST_SA_NOCLDWAIT;
}

void process_told(struct guest_process *c)
{
	struct guest_process *p = process_find(c->run, c->tracer ? c->tracer : c->parent);
	bool own = c->ended && !c->tracer;

	if (!p || p->ended) {
		if (c->ended)
			process_remove(c);
	} else if (own && c->exit_signal == SIGCHLD && wait_careless(p)) {
		wait_child_gone(c);
		wait_waits_look(p);
	} else {
		wait_tell(p, c, own ? c->exit_signal : SIGCHLD);
	}
}
