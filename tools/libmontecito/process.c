// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Running a user-mode program: RUN, and whatever it comes back for is served
 * as an operating system would.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "perfmon.h"
#include "signals.h"
#include "sized.h"
#include "threads.h"

/* Instructions after which the caller's tick is due, and a stop is seen. */
#define SLICE (1ULL << 23)

/* Linux/ia64's break immediate for a system call */
#define BREAK_SYSCALL 0x100000

struct guest_process *process_add(struct montecito_process *run, uint32_t pid, uint32_t parent)
{
	struct guest_process **all, *p = calloc(1, sizeof(*p));

	all = realloc(run->process, (run->nr_processes + 1) * sizeof(*all));
	if (all)
		run->process = all;
	if (!p || !all) {
		free(p);
		return NULL;
	}
	p->run = run;
	p->m = run->m;
	p->pid = pid;
	p->parent = parent;
	p->group = pid;
	p->session = pid;
	run->process[run->nr_processes++] = p;
	return p;
}

void process_remove(struct guest_process *p)
{
	struct montecito_process *run = p->run;
	size_t i;

	for (i = 0; run->process[i] != p; i++)
		;
	for (run->nr_processes--; i < run->nr_processes; i++)
		run->process[i] = run->process[i + 1];
	files_close(p);
	uvm_put(p->vm);
	pending_free(&p->pending);
	args_free(p);
	free(p->program);
	free(p);
}

/* The logical processor of @opt, or all where the program is the only one, beginning with it. */
static void process_cpus_init(struct montecito_process *run, unsigned int places)
{
	unsigned int i;

	run->nr_cpus = places > 1 ? 1 : montecito_nr_vcpus(run->m);
	for (i = 0; i < run->nr_cpus; i++)
		run->cpus[i].vcpu = run->opt.vcpu + i;
	run->cpu = run->cpus;
}

static int process_vcpu_halt(struct montecito_process *run, unsigned int vcpu, bool halt)
{
	return montecito_set_reg(run->m, vcpu, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_HALTED,
				 halt);
}

/* Logical processors without a thread have nothing to do. */
static int process_halt_others(struct montecito_process *run)
{
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < montecito_nr_vcpus(run->m); i++)
		if (i != run->cpu->vcpu)
			err = process_vcpu_halt(run, i, true);
	return err;
}

int montecito_process_load(struct montecito *m, const char *path,
			   const struct montecito_process_options *opt,
			   struct montecito_process **res, const char **why)
{
	struct montecito_process *run = calloc(1, sizeof(*run)), *last;
	struct guest_process *p;
	unsigned int parts;
	int err;

	*why = NULL;
	if (!run)
		return -ENOMEM;
	err = SIZED_TAKE(&run->opt, opt, message_arg);
	if (err) {
		free(run);
		return err;
	}
	parts = run->opt.places ? run->opt.places : 1;
	if (parts > montecito_nr_vcpus(m) || run->opt.vcpu >= parts) {
		free(run);
		return -EINVAL;
	}
	run->m = m;
	process_cpus_init(run, parts);
	run->region.vcpu = run->cpu->vcpu;
	uvm_pages_init(&run->pages, m, run->opt.page_shift, run->cpu->vcpu, parts);
	p = process_add(run, GUEST_PID, GUEST_PPID);
	if (!p) {
		montecito_process_free(run);
		return -ENOMEM;
	}
	p->name = run->opt.argv[0];
	p->argv = run->opt.argv;
	p->envp = run->opt.envp;
	p->vm = uvm_new(&run->pages);
	err = p->vm ? files_init(p) : -ENOMEM;
	if (!err)
		err = threads_init(p);
	if (!err)
		err = process_load_elf(p, path, why);
	if (!err) {
		p->program = strdup(path);
		err = p->program ? 0 : -ENOMEM;
	}
	if (!err)
		err = process_start(p);
	if (!err)
		err = run->opt.first ? process_vcpu_halt(run, run->cpu->vcpu, false)
				     : process_halt_others(run);
	if (err) {
		montecito_process_free(run);
		return err;
	}
	for (last = run->opt.first; last && last->next; last = last->next)
		;
	if (last)
		last->next = run;
	*res = run;
	return 0;
}

void montecito_process_free(struct montecito_process *run)
{
	struct montecito_process *next;

	for (; run; run = next) {
		next = run->next;
		run->trace = NULL;
		perfmon_forget(run);
		threads_free(run);
		while (run->nr_processes)
			process_remove(run->process[0]);
		free(run->process);
		uvm_pages_free(&run->pages);
		free(run);
	}
}

void montecito_process_tick(struct montecito_process *p, uint64_t slice,
			    int (*tick)(struct montecito *m, void *arg), void *arg)
{
	p->opt.slice = slice;
	p->opt.tick = tick;
	p->opt.arg = arg;
}

void process_message(const struct guest_process *p, const char *fmt, ...)
{
	char text[512];
	va_list ap;
	int n;

	if (!p->run->opt.message)
		return;
	n = montecito_nr_vcpus(p->run->m) > 1
		    ? snprintf(text, sizeof(text), "%s on vcpu %u: ", p->name, p->run->cpu->vcpu)
		    : snprintf(text, sizeof(text), "%s: ", p->name);
	va_start(ap, fmt);
	if (n >= 0 && n < (int)sizeof(text))
		vsnprintf(text + n, sizeof(text) - n, fmt, ap);
	va_end(ap);
	p->run->opt.message(p->run->opt.message_arg, text);
}

int montecito_process_signal(const struct montecito_process *p)
{
	return p->signal;
}

uint32_t montecito_process_running(const struct montecito_process *run, unsigned int vcpu,
				   const char **program)
{
	const struct guest_thread *t;
	unsigned int i;

	for (; run; run = run->next) {
		for (i = 0; i < run->nr_cpus && !run->ended; i++) {
			t = run->cpus[i].current;
			if (run->cpus[i].vcpu != vcpu || !t || !t->p)
				continue;
			*program = t->p->program;
			return t->p->pid;
		}
	}
	return 0;
}

void montecito_process_stop(struct montecito_process *p)
{
	p->stop = 1;
}

int montecito_process_region(struct montecito_process *p, const struct montecito_timed_region *r)
{
	return timed_run_set(&p->region, r);
}

void montecito_process_interval(struct montecito_process *p, uint64_t insns, uint64_t cycles,
				int (*call)(struct montecito *m, void *arg), void *arg)
{
	p->interval.insns = insns;
	p->interval.cycles = cycles;
	p->interval.left = insns ? insns : cycles;
	p->interval.call = call;
	p->interval.arg = arg;
}

/* Account for a piece of the run, which may end one interval or several. */
static int process_piece(struct montecito_process *p, const struct montecito_exit *e)
{
	uint64_t every = p->interval.insns ? p->interval.insns : p->interval.cycles;
	uint64_t done = p->interval.insns ? e->insns : e->cycles;

	if (!every)
		return 0;
	if (done < p->interval.left) {
		p->interval.left -= done;
		return 0;
	}
	p->interval.left = every - (done - p->interval.left) % every;
	return p->interval.call(p->m, p->interval.arg);
}

/* The lesser of two numbers of cycles, of which 0 is without a limit. */
static uint64_t process_lesser(uint64_t a, uint64_t b)
{
	return a && (!b || a < b) ? a : b;
}

/* Cycles until the library has to do something; 0: as many as the programs like. */
static uint64_t process_left(struct montecito_process *run)
{
	uint64_t left = 0;
	unsigned int i;

	for (; run; run = run->next) {
		if (run->ended)
			continue;
		left = process_lesser(left, process_lesser(threads_left(run), timers_left(run)));
		for (i = 0; i < run->nr_cpus; i++)
			if (run->cpus[i].current && signals_wait(run->cpus[i].current))
				left = process_lesser(left, FRAME_CYCLES);
	}
	return left;
}

/* Serve @vcpu of a program that has a thread there, or one that has not ended. */
static struct montecito_process *process_on(struct montecito_process *first, unsigned int vcpu)
{
	struct montecito_process *run, *other = first;
	unsigned int i;

	for (run = first; run; run = run->next) {
		for (i = 0; i < run->nr_cpus && !run->ended; i++) {
			if (run->cpus[i].vcpu != vcpu || !run->cpus[i].current)
				continue;
			run->cpu = &run->cpus[i];
			return run;
		}
		if (other->ended)
			other = run;
	}
	return other;
}

/* A program that measures itself would take a PMD that stands still for a count: tell it once. */
static int process_tell_uncounted(struct montecito_process *run, const struct montecito_run *r)
{
	uint64_t left = r->uncounted & ~run->uncounted;
	char why[256];
	int err;

	run->uncounted |= left;
	for (; left; left &= left - 1) {
		unsigned int n = __builtin_ctzll(left);

		err = montecito_uncounted_text(run->m, r->uncounted_vcpu, n, why);
		if (err)
			return err;
		process_message(run->cpu->current->p, "%s%u stands still: %s",
				n < 16 ? "PMD" : "PMC", n, why);
	}
	return 0;
}

/* Serve what RUN came back for, as far as it is one program's. */
static int process_exit_of(struct montecito_process *run, const struct montecito_exit *e)
{
	const struct guest_thread *t = run->cpu->current;
	struct guest_process *p = t && t->p ? t->p : run->process[0];

	switch (e->reason) {
	case MONTECITO_EXIT_BREAK:
		return e->iim == BREAK_SYSCALL ? process_syscall(p, e) : process_break(p, e);
	case MONTECITO_EXIT_INTERRUPTION:
		return process_interruption(p, e);
	case MONTECITO_EXIT_BUDGET:
	case MONTECITO_EXIT_UNTIL:
	case MONTECITO_EXIT_SIGNAL:
		return 0;
	case MONTECITO_EXIT_PMU_OVERFLOW:
		return perfmon_overflow(run, e);
	case MONTECITO_EXIT_BROKEN:
		process_message(p, "the model contradicts itself: %s", montecito_broken(p->m));
		return -EPROTO;
	default:
		/* A program at level 3 cannot bring any other about. */
		return -EPROTO;
	}
}

/* Ends, waits, timers and signals, until a thread can go on on run->cpu, or it is halted. */
static int process_cpu_settle(struct montecito_process *run)
{
	struct guest_cpu *c = run->cpu;
	int err = 0;

	while (!err && !run->ended) {
		if (c->current && c->current->p && c->current->p->ended) {
			err = process_exit(c->current->p);
			continue;
		}
		err = threads_next(run);
		if (!err && !run->ended)
			err = timers_expire(run);
		if (err || run->ended || !c->current)
			break;
		err = signals_deliver(c->current);
		if (thread_runs(c->current) || c->late)
			break;
	}
	return err;
}

/* True if a processor of @run has what it cannot go on with, or nothing where it could. */
static bool process_unsettled(struct montecito_process *run)
{
	const struct guest_cpu *c;

	for (c = run->cpus; c < run->cpus + run->nr_cpus; c++)
		if (c->current && !thread_runs(c->current) && !c->late)
			return true;
	return threads_want(run);
}

/* A thread's call may end the wait of one on another processor, or the process of both. */
static int process_settle(struct montecito_process *run)
{
	unsigned int i;
	int err = 0;

	do {
		for (i = 0; !err && i < run->nr_cpus && !run->ended; i++) {
			run->cpu = &run->cpus[i];
			err = process_cpu_settle(run);
		}
	} while (!err && !run->ended && process_unsettled(run));
	/* The first that has a thread is whose memory others look at. */
	for (i = 0; i + 1 < run->nr_cpus && !run->cpus[i].current; i++)
		;
	run->cpu = &run->cpus[i];
	return err;
}

static int process_turn(struct montecito_process *run)
{
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < run->nr_cpus; i++) {
		run->cpu = &run->cpus[i];
		err = threads_turn(run);
	}
	return err;
}

/*
 * Let each program go on behind what RUN came back for with @e. A vcpu whose program has ended
 * is halted where others go on.
 */
static int process_between(struct montecito_process *first, const struct montecito_exit *e)
{
	bool turns = e->reason != MONTECITO_EXIT_BREAK && e->reason != MONTECITO_EXIT_INTERRUPTION;
	struct montecito_process *run;
	int err = 0;

	for (run = first; !err && run; run = run->next) {
		if (run->ended)
			continue;
		if (turns)
			err = process_turn(run);
		if (!err)
			err = process_settle(run);
		if (!err && run->ended && first->next)
			err = process_vcpu_halt(run, run->cpu->vcpu, true);
	}
	return err;
}

static bool process_all_ended(const struct montecito_process *run)
{
	while (run && run->ended)
		run = run->next;
	return !run;
}

int montecito_process_run(struct montecito_process *run)
{
	uint64_t left = run->opt.budget;
	struct montecito_run r;
	int err;

	while (!process_all_ended(run)) {
		uint64_t insns = run->opt.slice && run->opt.slice < SLICE ? run->opt.slice : SLICE;
		uint64_t cycles;

		if (run->stop) {
			run->stop = 0;
			return -EINTR;
		}
		if (run->opt.budget && left < insns)
			insns = left;
		if (run->interval.insns && run->interval.left < insns)
			insns = run->interval.left;
		cycles = process_left(run);
		if (run->interval.cycles)
			cycles = process_lesser(cycles, run->interval.left);
		err = timed_run_advance(&run->region, run->m, run->insns);
		if (!err)
			err = timed_run_do(&run->region, run->m, run->insns, insns, cycles, &r);
		if (err)
			return err;
		run->insns += r.exit.insns;
		if (run->opt.budget)
			left -= r.exit.insns < left ? r.exit.insns : left;
		err = process_piece(run, &r.exit);
		if (!err && r.uncounted)
			err = process_tell_uncounted(process_on(run, r.uncounted_vcpu), &r);
		if (!err && run->opt.tick)
			err = run->opt.tick(run->m, run->opt.arg);
		if (!err)
			err = process_exit_of(process_on(run, r.exit.vcpu), &r.exit);
		if (!err)
			err = process_between(run, &r.exit);
		if (err)
			return err;
		if (run->opt.budget && !left && !process_all_ended(run))
			return -EDQUOT;
	}
	return run->status;
}
