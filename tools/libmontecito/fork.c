// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Processes of a program: clone as Linux/ia64 has it, for threads, fork and vfork, the end of a
 * process, and wait4. A process that is copied shares its pages until it writes to them.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "perfmon.h"
#include "signals.h"
#include "threads.h"

#define CLONE_SIGNAL 0xff
#define CLONE_VM 0x100
#define CLONE_FS 0x200
#define CLONE_FILES 0x400
#define CLONE_SIGHAND 0x800
#define CLONE_VFORK 0x4000
#define CLONE_THREAD 0x10000
#define CLONE_SYSVSEM 0x40000
#define CLONE_SETTLS 0x80000
#define CLONE_PARENT_SETTID 0x100000
#define CLONE_CHILD_CLEARTID 0x200000
#define CLONE_DETACHED 0x400000
#define CLONE_CHILD_SETTID 0x1000000

/* Flags that a process may be made with: memory is the one table that may be shared. */
#define OF_PROCESS                                                                    \
	(CLONE_SIGNAL | CLONE_VM | CLONE_VFORK | CLONE_SETTLS | CLONE_PARENT_SETTID | \
	 CLONE_CHILD_CLEARTID | CLONE_CHILD_SETTID)

#define AR_BSPSTORE 18
#define AR_RNAT 19

#define PSR_UP (1ULL << 2)
#define PSR_SP (1ULL << 20)
#define PSR_PP (1ULL << 21)

/* Options of wait4(2) */
#define WAIT_NOHANG 0x1
#define WAIT_UNTRACED 0x2
#define WAIT_CONTINUED 0x8
#define WAIT_NOTHREAD 0x20000000ULL
#define WAIT_ALL 0x40000000ULL
#define WAIT_CLONE 0x80000000ULL

/* si_code of SIGCHLD */
#define GUEST_CLD_EXITED 1
#define GUEST_CLD_KILLED 2
#define GUEST_CLD_TRAPPED 4
#define GUEST_CLD_STOPPED 5

#define GUEST_SA_NOCLDSTOP 0x1
#define GUEST_SA_NOCLDWAIT 0x2

struct guest_process *process_find(const struct montecito_process *run, uint64_t pid)
{
	size_t i;

	for (i = 0; i < run->nr_processes; i++)
		if (run->process[i]->pid == pid)
			return run->process[i];
	return NULL;
}

/* ---- clone ---- */

/* Where a thread begins, of which *@regs holds its maker's registers. */
static void begin(struct guest_thread *t, uint64_t flags, uint64_t stack, uint64_t size,
		  uint64_t tls)
{
	__u64 *psr = context_value(&t->regs, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR);

	/* The caller's frame with no frames below; the memory stack grows down, the other up. */
	if (stack) {
		*context_value(&t->regs, MONTECITO_REG_AR, AR_BSPSTORE) = stack;
		*context_value(&t->regs, MONTECITO_REG_AR, AR_RNAT) = 0;
		*context_value(&t->regs, MONTECITO_REG_GR, 12) = stack + size - 16;
	}
	if (flags & CLONE_SETTLS)
		*context_value(&t->regs, MONTECITO_REG_GR, 13) = tls;
	/* No context of perfmon's is loaded on it. */
	*psr = (*psr & ~(PSR_UP | PSR_PP)) | PSR_SP;
	context_result(&t->regs, 0);
	t->sigmask = t->p->run->current->sigmask;
}

static int64_t new_thread(struct guest_process *p, uint64_t flags, uint64_t stack, uint64_t size,
			  uint64_t parent_tid, uint64_t child_tid, uint64_t tls)
{
	struct guest_thread *t;
	int err;

	if (!stack)
		return -EINVAL;
	err = thread_add(p, ++p->run->last_tid, &t);
	if (err)
		return err;
	err = context_get(p->m, p->run->vcpu, &t->regs);
	if (!err && (flags & CLONE_PARENT_SETTID))
		err = uvm_write(p->vm, parent_tid, &t->tid, 4);
	if (!err && (flags & CLONE_CHILD_SETTID))
		err = uvm_write(p->vm, child_tid, &t->tid, 4);
	if (err) {
		thread_end(t);
		return err;
	}
	begin(t, flags, stack, size, tls);
	if (flags & CLONE_CHILD_CLEARTID)
		t->clear_tid = child_tid;
	return t->tid;
}

/* Memory, files and signals of @p for its child @c, with @flags of clone. */
static int copy_process(struct guest_process *c, struct guest_process *p, uint64_t flags)
{
	if (flags & CLONE_VM) {
		c->vm = p->vm;
		c->vm->users++;
	} else {
		c->vm = uvm_copy(p->vm);
	}
	if (!c->vm || args_copy(c, p))
		return -ENOMEM;
	files_copy(c, p);
	memcpy(c->action, p->action, sizeof(c->action));
	c->exit_signal = flags & CLONE_SIGNAL;
	return 0;
}

static int64_t new_process(struct guest_process *p, uint64_t flags, uint64_t stack, uint64_t size,
			   uint64_t parent_tid, uint64_t child_tid, uint64_t tls)
{
	struct montecito_process *run = p->run;
	struct guest_thread *from = run->current, *t = NULL;
	struct guest_process *c;
	uint32_t pid = run->last_tid + 1;
	int err;

	if ((flags & CLONE_SIGNAL) > NR_GUEST_SIGNALS)
		return -EINVAL;
	if (run->nr_processes >= MAX_PROCESSES)
		return -EAGAIN;
	/* The child finds the frames of its parent in memory. */
	err = context_get(p->m, p->run->vcpu, &from->regs);
	if (!err)
		err = context_flush(p, &from->regs, 0);
	if (!err)
		err = context_set(p->m, p->run->vcpu, &from->regs);
	if (err)
		return err;
	c = process_add(run, pid, p->pid);
	if (!c)
		return -EAGAIN;
	err = copy_process(c, p, flags);
	if (!err)
		err = thread_add(c, pid, &t);
	if (!err && (flags & CLONE_PARENT_SETTID))
		err = uvm_write(p->vm, parent_tid, &pid, sizeof(pid));
	if (!err && (flags & CLONE_CHILD_SETTID))
		err = uvm_write(c->vm, child_tid, &pid, sizeof(pid));
	if (err) {
		if (t)
			thread_end(t);
		process_remove(c);
		return err;
	}
	run->last_tid = pid;
	t->regs = from->regs;
	begin(t, flags, stack, size, tls);
	t->stack = from->stack;
	if (flags & CLONE_CHILD_CLEARTID)
		t->clear_tid = child_tid;
	if (flags & CLONE_VFORK) {
		from->child = pid;
		thread_wait(run, THREAD_VFORK, 0);
	}
	return pid;
}

static int64_t clone(struct guest_process *p, uint64_t flags, uint64_t stack, uint64_t size,
		     uint64_t parent_tid, uint64_t child_tid, uint64_t tls)
{
	const uint64_t thread = CLONE_VM | CLONE_SIGHAND | CLONE_THREAD;

	if (((flags & CLONE_THREAD) && !(flags & CLONE_SIGHAND)) ||
	    ((flags & CLONE_SIGHAND) && !(flags & CLONE_VM)))
		return -EINVAL;
	if ((flags & thread) == thread)
		return new_thread(p, flags, stack, size, parent_tid, child_tid, tls);
	if (flags & ~(uint64_t)OF_PROCESS) {
		process_message(p,
				"clone: of processes, flags 0x%" PRIx64 " are not served (ENOSYS)",
				flags & ~(uint64_t)OF_PROCESS);
		return -ENOSYS;
	}
	return new_process(p, flags, stack, size, parent_tid, child_tid, tls);
}

/* Flags, stack and its size, where the number goes for the parent and the child, r13. */
int64_t sys_clone2(struct guest_process *p, const uint64_t *arg)
{
	return clone(p, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
}

/* The older one takes a stack that grows from 16 bytes; its third argument is not used. */
int64_t sys_clone(struct guest_process *p, const uint64_t *arg)
{
	return clone(p, arg[0], arg[1], 16, arg[3], arg[4], arg[5]);
}

void vfork_over(const struct guest_process *p)
{
	struct montecito_process *run = p->run;
	size_t i;

	for (i = 0; i < run->nr_threads; i++)
		if (run->thread[i]->state == THREAD_VFORK && run->thread[i]->child == p->pid)
			thread_wake(run->thread[i], p->pid);
}

/* ---- wait4 ---- */

static bool child_matches(const struct guest_process *p, const struct guest_process *c,
			  const uint64_t *arg)
{
	int32_t pid = arg[0];

	if (c->parent != p->pid && c->tracer != p->pid)
		return false;
	/* One process group: the first process's */
	if (pid > 0 ? (uint32_t)pid != c->pid : pid < -1 && pid != -GUEST_PID)
		return false;
	return arg[2] & WAIT_ALL || c->tracer == p->pid ||
	       (c->exit_signal != SIGCHLD) == !!(arg[2] & WAIT_CLONE);
}

/* The status that wait4() of @p tells of @c, or -1 where there is nothing to tell. */
static int child_status(const struct guest_process *p, const struct guest_process *c,
			const uint64_t *arg)
{
	/* A tracer is told before the parent. */
	if (c->tracer && c->tracer != p->pid)
		return -1;
	if (c->ended)
		return c->signal ? c->signal : c->status << 8;
	if (c->stopped && !c->stop_told && (c->tracer || arg[2] & WAIT_UNTRACED))
		return c->stopped << 8 | 0x7f;
	return -1;
}

/* struct rusage: system calls take no time of the model's, and no page comes from a disk. */
static int put_usage(struct guest_process *p, uint64_t at, const struct guest_process *c)
{
	uint64_t usage[18] = { 0 }, cycles;
	int err = process_ran((struct guest_process *)c, &cycles);

	cycles += c->reaped;
	usage[0] = cycles / MONTECITO_CORE_HZ;
	usage[1] = cycles % MONTECITO_CORE_HZ / (MONTECITO_CORE_HZ / 1000000);
	return err ? err : uvm_write(p->vm, at, usage, sizeof(usage));
}

static void child_gone(struct guest_process *c)
{
	struct guest_process *p = process_find(c->run, c->parent);

	if (p)
		p->reaped += c->ran + c->reaped;
	process_remove(c);
}

/* wait4() of @p: a number, 0 where it has to wait, or a negative errno. */
static int64_t wait_once(struct guest_process *p, const uint64_t *arg)
{
	struct montecito_process *run = p->run;
	bool any = false;
	size_t i;

	for (i = 0; i < run->nr_processes; i++) {
		struct guest_process *c = run->process[i];
		int32_t status;
		uint32_t pid;

		if (!child_matches(p, c, arg))
			continue;
		any = true;
		status = child_status(p, c, arg);
		if (status < 0)
			continue;
		if (arg[1] && uvm_write(p->vm, arg[1], &status, sizeof(status)))
			return -EFAULT;
		if (arg[3] && put_usage(p, arg[3], c))
			return -EFAULT;
		pid = c->pid;
		if (!c->ended) {
			c->stop_told = true;
		} else if (c->tracer && c->parent != p->pid) {
			/* The parent is told now. */
			c->tracer = 0;
			process_told(c);
		} else {
			child_gone(c);
		}
		return pid;
	}
	return any ? 0 : -ECHILD;
}

/* Number or -1, where the status goes, options, where the usage goes */
int64_t sys_wait4(struct guest_process *p, const uint64_t *arg)
{
	int64_t res;

	if (arg[2] &
	    ~(WAIT_NOHANG | WAIT_UNTRACED | WAIT_CONTINUED | WAIT_NOTHREAD | WAIT_ALL |
	      WAIT_CLONE) &
	    0xffffffff)
		return -EINVAL;
	res = wait_once(p, arg);
	if (!res && !(arg[2] & WAIT_NOHANG))
		thread_wait(p->run, THREAD_CHILD, 0);
	return res;
}

/* End the waits of @p that there is a word for now. */
static void waits_look(struct guest_process *p)
{
	struct montecito_process *run = p->run;
	struct guest_thread *t;
	int64_t res;
	size_t i;

	for (i = 0; i < run->nr_threads; i++) {
		t = run->thread[i];
		if (t->p != p || t->state != THREAD_CHILD)
			continue;
		res = wait_once(p, t->call.arg);
		if (res)
			thread_wake(t, res);
	}
}

/* Tell @p of a change of @c, by wait4() and by signal @sig. */
static void tell(struct guest_process *p, struct guest_process *c, int sig)
{
	struct guest_siginfo info = { .signo = sig };
	bool quiet = sig == SIGCHLD && !c->ended && p->action[SIGCHLD].flags & GUEST_SA_NOCLDSTOP;

	info.child.pid = c->pid;
	info.child.uid = GUEST_UID;
	if (!c->ended) {
		info.code = c->tracer ? GUEST_CLD_TRAPPED : GUEST_CLD_STOPPED;
		info.child.status = c->stopped;
	} else {
		info.code = c->signal ? GUEST_CLD_KILLED : GUEST_CLD_EXITED;
		info.child.status = c->signal ? c->signal : c->status;
	}
	/* The wait comes first: the handler of the signal runs behind it. @c may be gone then. */
	waits_look(p);
	if (sig && !quiet)
		signal_send(p, NULL, &info);
}

/* True if @p does not want to know how its children end. */
static bool careless(const struct guest_process *p)
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
	} else if (own && c->exit_signal == SIGCHLD && careless(p)) {
		child_gone(c);
		waits_look(p);
	} else {
		tell(p, c, own ? c->exit_signal : SIGCHLD);
	}
}

/* ---- stop and end ---- */

void process_halt(struct guest_process *p, int sig)
{
	p->stopped = sig;
	p->stop_told = false;
	process_told(p);
}

void process_continue(struct guest_process *p)
{
	p->stopped = 0;
}

/* Give the children of @p to no parent, and end the tracing of its tracees. */
static void leave(struct guest_process *p)
{
	struct montecito_process *run = p->run;
	struct guest_process *c;
	size_t i;

	for (i = 0; i < run->nr_processes;) {
		c = run->process[i];
		if (c->tracer == p->pid) {
			c->tracer = 0;
			process_continue(c);
		}
		if (c->parent == p->pid)
			c->parent = GUEST_PPID;
		if (c->ended && c != p && !c->tracer && c->parent == GUEST_PPID)
			process_remove(c);
		else
			i++;
	}
}

int process_exit(struct guest_process *p)
{
	struct montecito_process *run = p->run;
	struct guest_thread *t;
	uint64_t cycles;
	size_t i;
	int err;

	if (p->pid == GUEST_PID) {
		run->status = p->status;
		run->signal = p->signal;
	}
	/* The machine of one that was alone stays as it is. */
	if (run->nr_processes == 1) {
		run->ended = true;
		return 0;
	}
	err = process_ran(p, &cycles);
	if (!err)
		err = perfmon_exit(p);
	if (err)
		return err;
	run->since += cycles - p->ran;
	p->ran = cycles;
	for (i = run->nr_threads; i-- > 0;) {
		t = run->thread[i];
		if (t->p == p && t->state != THREAD_ENDED)
			thread_end(t);
	}
	run->current->p = NULL;
	vfork_over(p);
	files_close(p);
	uvm_put(p->vm);
	p->vm = NULL;
	p->stopped = 0;
	leave(p);
	process_told(p);
	if (!run->nr_processes || run->nr_threads == 1) {
		run->ended = true;
		return 0;
	}
	return threads_next(run);
}
