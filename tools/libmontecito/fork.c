// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Processes of a program: clone as Linux/ia64 has it, for threads, fork and vfork, and the end of
 * a process. A process that is copied shares its pages until it writes to them.
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
static void fork_begin(struct guest_thread *t, uint64_t flags, uint64_t stack, uint64_t size,
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
	t->sigmask = t->p->run->cpu->current->sigmask;
	t->affinity = t->p->run->cpu->current->affinity;
}

static int64_t fork_new_thread(struct guest_process *p, uint64_t flags, uint64_t stack,
			       uint64_t size, uint64_t parent_tid, uint64_t child_tid, uint64_t tls)
{
	struct guest_thread *t;
	int err;

	if (!stack)
		return -EINVAL;
	err = thread_add(p, ++p->run->last_tid, &t);
	if (err)
		return err;
	err = context_get(p->m, p->run->cpu->vcpu, &t->regs);
	if (!err && (flags & CLONE_PARENT_SETTID))
		err = uvm_write(p->vm, parent_tid, &t->tid, 4);
	if (!err && (flags & CLONE_CHILD_SETTID))
		err = uvm_write(p->vm, child_tid, &t->tid, 4);
	if (err) {
		thread_end(t);
		return err;
	}
	fork_begin(t, flags, stack, size, tls);
	if (flags & CLONE_CHILD_CLEARTID)
		t->clear_tid = child_tid;
	return t->tid;
}

/* Memory, files and signals of @p for its child @c, with @flags of clone. */
static int fork_copy_process(struct guest_process *c, struct guest_process *p, uint64_t flags)
{
	if (flags & CLONE_VM) {
		c->vm = p->vm;
		c->vm->users++;
	} else {
		c->vm = uvm_copy(p->vm);
	}
	c->program = strdup(p->program);
	if (!c->vm || !c->program || args_copy(c, p))
		return -ENOMEM;
	files_copy(c, p);
	memcpy(c->action, p->action, sizeof(c->action));
	c->group = p->group;
	c->session = p->session;
	c->exit_signal = flags & CLONE_SIGNAL;
	return 0;
}

static int64_t fork_new_process(struct guest_process *p, uint64_t flags, uint64_t stack,
				uint64_t size, uint64_t parent_tid, uint64_t child_tid,
				uint64_t tls)
{
	struct montecito_process *run = p->run;
	struct guest_thread *from = run->cpu->current, *t = NULL;
	struct guest_process *c;
	uint32_t pid = run->last_tid + 1;
	int err;

	if ((flags & CLONE_SIGNAL) > NR_GUEST_SIGNALS)
		return -EINVAL;
	if (run->nr_processes >= MAX_PROCESSES)
		return -EAGAIN;
	/* The child finds the frames of its parent in memory. */
	err = context_get(p->m, p->run->cpu->vcpu, &from->regs);
	if (!err)
		err = context_flush(p, &from->regs, 0);
	if (!err)
		err = context_set(p->m, p->run->cpu->vcpu, &from->regs);
	if (err)
		return err;
	c = process_add(run, pid, p->pid);
	if (!c)
		return -EAGAIN;
	err = fork_copy_process(c, p, flags);
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
	fork_begin(t, flags, stack, size, tls);
	t->stack = from->stack;
	if (flags & CLONE_CHILD_CLEARTID)
		t->clear_tid = child_tid;
	if (flags & CLONE_VFORK) {
		from->child = pid;
		thread_wait(run, THREAD_VFORK, 0);
	}
	return pid;
}

static int64_t fork_clone(struct guest_process *p, uint64_t flags, uint64_t stack, uint64_t size,
			  uint64_t parent_tid, uint64_t child_tid, uint64_t tls)
{
	const uint64_t thread = CLONE_VM | CLONE_SIGHAND | CLONE_THREAD;

	if (((flags & CLONE_THREAD) && !(flags & CLONE_SIGHAND)) ||
	    ((flags & CLONE_SIGHAND) && !(flags & CLONE_VM)))
		return -EINVAL;
	if ((flags & thread) == thread)
		return fork_new_thread(p, flags, stack, size, parent_tid, child_tid, tls);
	if (flags & ~(uint64_t)OF_PROCESS) {
		process_message(p,
				"clone: of processes, flags 0x%" PRIx64 " are not served (ENOSYS)",
				flags & ~(uint64_t)OF_PROCESS);
		return -ENOSYS;
	}
	return fork_new_process(p, flags, stack, size, parent_tid, child_tid, tls);
}

/* Flags, stack and its size, where the number goes for the parent and the child, r13. */
int64_t sys_clone2(struct guest_process *p, const uint64_t *arg)
{
	return fork_clone(p, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
}

/* The older one takes a stack that grows from 16 bytes; its third argument is not used. */
int64_t sys_clone(struct guest_process *p, const uint64_t *arg)
{
	return fork_clone(p, arg[0], arg[1], 16, arg[3], arg[4], arg[5]);
}

void vfork_over(const struct guest_process *p)
{
	struct montecito_process *run = p->run;
	size_t i;

	for (i = 0; i < run->nr_threads; i++)
		if (run->thread[i]->state == THREAD_VFORK && run->thread[i]->child == p->pid)
			thread_wake(run->thread[i], p->pid);
}

/* ---- stop and end ---- */

void process_halt(struct guest_process *p, int sig)
{
	p->stopped = sig;
	p->stop_told = false;
	p->continued = false;
	process_told(p);
}

void process_continue(struct guest_process *p)
{
	p->stopped = 0;
}

void process_resume(struct guest_process *p)
{
	if (!p->stopped)
		return;
	p->stopped = 0;
	p->continued = true;
	process_told(p);
}

/* Give the children of @p to no parent, and end the tracing of its tracees. */
static void fork_leave(struct guest_process *p)
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

/* The cycles of @p's processors are its own up to now. */
static int fork_charge(struct guest_process *p)
{
	struct guest_cpu *c;
	uint64_t now;
	int err = 0;

	for (c = p->run->cpus; !err && c < p->run->cpus + p->run->nr_cpus; c++) {
		if (!c->current || c->current->p != p)
			continue;
		err = cpu_cycles(p->run, c, &now);
		p->ran += now - c->since;
		c->since = now;
	}
	return err;
}

int process_exit(struct guest_process *p)
{
	struct montecito_process *run = p->run;
	struct guest_thread *t;
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
	err = fork_charge(p);
	if (!err)
		err = perfmon_exit(p);
	if (err)
		return err;
	for (i = run->nr_threads; i-- > 0;) {
		t = run->thread[i];
		if (t->p == p && t->state != THREAD_ENDED)
			thread_end(t);
	}
	/* The threads that have processors stay until others have these. */
	for (i = 0; i < run->nr_threads; i++)
		if (run->thread[i]->p == p)
			run->thread[i]->p = NULL;
	vfork_over(p);
	files_close(p);
	uvm_put(p->vm);
	p->vm = NULL;
	p->stopped = 0;
	fork_leave(p);
	process_told(p);
	run->ended = !run->nr_processes || !threads_live(run);
	return 0;
}
