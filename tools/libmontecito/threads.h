/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Threads of a program. Each has a free logical processor as far as there are some; the others
 * take turns by slices of the model's cycles: what happens is the same in each run, whatever the
 * host does. Called by process.c and the units of system calls and signals.
 */
#ifndef LIBMONTECITO_THREADS_H
#define LIBMONTECITO_THREADS_H

#include "context.h"
#include "files.h"

/* Number of the program's own process, and of its first thread; its parent's; its group's */
#define GUEST_PID 2
#define GUEST_PPID 1
#define GUEST_UID 1000

#define MAX_THREADS 4096
/* Processes, those that have ended and were not waited for with them */
#define MAX_PROCESSES 1024
/* Cycles until a frame that was not whole is tried again */
#define FRAME_CYCLES 64
/* Where a deadline would not fit into cycles, there is none. */
#define MAX_WAIT_SECONDS (UINT64_MAX / MONTECITO_CORE_HZ / 2)
/* Cycles of a turn: 1 ms (an assumption: the tick of Linux is 1 to 10 ms) */
#define DEFAULT_SLICE (MONTECITO_CORE_HZ / 1000)

enum thread_state {
	THREAD_READY, /* or it has a processor */
	THREAD_FUTEX, /* waits for a wake of @futex */
	THREAD_SLEEPS,
	THREAD_SIGNAL, /* rt_sigsuspend, and rt_sigtimedwait for @awaited */
	THREAD_MESSAGE, /* read of a message of perfmon's */
	THREAD_POLL, /* poll or select for what it watches */
	THREAD_PIPE, /* for bytes, or for room */
	THREAD_CHILD, /* wait4, waitid */
	THREAD_VFORK, /* for process @child to end or to call execve */
	THREAD_BLOCKED, /* for a RESTART of perfmon's */
	THREAD_ENDED,
};

/**
 * struct guest_watch - what poll, ppoll, select or pselect6 waits for
 * @select: select or pselect6
 * @masked: @mask holds meanwhile
 * @mask: signals that are blocked
 * @at: addresses of the three sets, 0 for none; or of the array of poll
 * @nr: length of that; descriptors of the sets
 * @set: what the sets hold at the beginning
 * @left: address of the time that is left; 0 for none
 * @fraction: parts that a second has there
 */
struct guest_watch {
	bool select;
	bool masked;
	uint64_t mask;
	uint64_t at[3];
	uint64_t nr;
	uint64_t set[3][NR_GUEST_FDS / 64];
	uint64_t left;
	uint64_t fraction;
};

/**
 * struct guest_thread - a thread of a process
 * @p: the process; NULL for the current thread of one that has ended
 * @tid: its number
 * @state: what it waits for
 * @cpu: the processor that has its registers, or NULL
 * @affinity: bit n: it may have the processor with number n
 * @turn: of threads in one state the one with the least is the first
 * @until: cycles (process_cycles()) at which a wait ends; 0 for never
 * @futex: address of the word that it waits at
 * @bits: of FUTEX_WAIT_BITSET
 * @sigmask: signals that it blocks
 * @saved_mask: those that it blocks again behind a call with a mask, where @mask_saved
 * @mask_saved: see there
 * @restart: its call was interrupted and may be made again
 * @was: state that a signal has ended, until a handler runs; THREAD_READY for none
 * @pending: signals that wait for it
 * @awaited: those that rt_sigtimedwait takes
 * @info: address of the siginfo that it gives, 0 for none; of THREAD_MESSAGE that of the message
 * @context: whose message
 * @watch: of THREAD_POLL
 * @io: of THREAD_PIPE
 * @rest: address of the time that an interrupted sleep leaves; 0 for none
 * @stack: for signal handlers
 * @call_at: address and slot of its last system call
 * @clear_tid: address of the word that its end sets to 0 and wakes; 0 for none
 * @robust: list of the futexes that it holds; 0 for none
 * @child: of vfork
 * @call: its last system call
 * @regs: its registers, where it has no processor
 */
struct guest_thread {
	struct guest_process *p;
	uint32_t tid;
	enum thread_state state;
	struct guest_cpu *cpu;
	uint64_t affinity;
	uint64_t turn;
	uint64_t until;
	uint64_t futex;
	uint32_t bits;
	uint64_t sigmask;
	uint64_t saved_mask;
	bool mask_saved;
	bool restart;
	enum thread_state was;
	struct guest_pending pending;
	uint64_t awaited;
	uint64_t info;
	struct perfmon *context;
	struct guest_watch watch;
	struct guest_io io;
	uint64_t rest;
	struct guest_stack stack;
	uint64_t call_at;
	uint64_t clear_tid;
	uint64_t robust;
	uint32_t child;
	struct montecito_syscall call;
	struct context regs;
};

/* The first thread, which has the processor. */
int threads_init(struct guest_process *p);
void threads_free(struct montecito_process *run);
/* A thread of @p with number @tid: -EAGAIN where there are too many. */
int thread_add(struct guest_process *p, uint32_t tid, struct guest_thread **res);
/* End @t. One that has a processor stays until another has that. */
void thread_end(struct guest_thread *t);
/* True if a thread has not ended. */
bool threads_live(const struct montecito_process *run);
/* A thread of any process, or NULL. */
struct guest_thread *thread_find(const struct montecito_process *run, uint64_t tid);
/* True if a processor may have @t. */
bool thread_runs(const struct guest_thread *t);

/* Cycles that the current threads may run for; 0 for as many as they like. */
uint64_t threads_left(struct montecito_process *run);
/* Between two instructions: give run->cpu to the next thread if the turn is over. */
int threads_turn(struct montecito_process *run);
/*
 * Give run->cpu to the next thread if its own cannot go on. Without a next one it is halted where
 * another processor has a thread.
 */
int threads_next(struct montecito_process *run);
/* True if a processor is halted that could have a thread. */
bool threads_want(struct montecito_process *run);

/* Have the thread of run->cpu wait in @state; 0 for @until: without an end. */
void thread_wait(struct montecito_process *run, enum thread_state state, uint64_t until);
/* End the wait of @t, whose system call gives @result. */
void thread_wake(struct guest_thread *t, int64_t result);
/* Let the call of @t, which has run->cpu, give @result. */
int thread_result(struct guest_thread *t, int64_t result);
/* End the wait of @t for a signal. */
void thread_interrupt(struct guest_thread *t);
/* Cycles (process_cycles()) at the time of the struct timespec at @addr, or an error. */
int thread_deadline(struct guest_process *p, uint64_t addr, uint32_t clock, bool absolute,
		    uint64_t *until);

/* futex.c: wake up to @n of @p that wait at @addr with one of @bits; how many it were. */
unsigned int futex_wake(struct guest_process *p, uint64_t addr, unsigned int n, uint32_t bits);
/* Go on with the wait of @t, which a signal without a handler has interrupted, to its time. */
int futex_go_on(struct guest_thread *t);
/* poll.c: likewise with a wait of poll(2) or select(2) */
int poll_go_on(struct guest_thread *t);
/* poll.c: end the wait of @t, whose time is over, with this result; or for a signal. */
int64_t poll_over(struct guest_thread *t);
void poll_interrupted(struct guest_thread *t);
/* poll.c: a descriptor of the program's own has changed: look whether a poll ends. */
void poll_look(struct montecito_process *run);
/* pipe.c: @t waits at no pipe any more. */
void thread_io_over(struct guest_thread *t, struct montecito_process *run);
/* Mark each futex that @t holds: its owner died. Wake a thread that waits for one. */
void futex_thread_died(struct guest_process *p, const struct guest_thread *t);

/* fork.c: the current process has ended: tell of it, and give back what it has. */
int process_exit(struct guest_process *p);
struct guest_process *process_find(const struct montecito_process *run, uint64_t pid);
/* wait.c: tell the tracer or parent of @c, which has stopped, gone on or ended. It may be gone then. */
void process_told(struct guest_process *c);
/* Stop @p for signal @sig, which its parent or tracer is told of; go on. */
void process_halt(struct guest_process *p, int sig);
void process_continue(struct guest_process *p);
/* SIGCONT: its parent is told, if it was stopped. */
void process_resume(struct guest_process *p);
/* The process that has waited for @p since vfork goes on. */
void vfork_over(const struct guest_process *p);

#endif
