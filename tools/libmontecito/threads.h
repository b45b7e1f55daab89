/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Threads of a program, which take turns on vcpu 0 by slices of the model's cycles: what
 * happens is the same in each run, whatever the host does.
 */
#ifndef LIBMONTECITO_THREADS_H
#define LIBMONTECITO_THREADS_H

#include "context.h"

/* Process number of the program, and thread number of its first thread */
#define GUEST_PID 2
#define GUEST_UID 1000

#define MAX_THREADS 4096
/* Cycles until a frame that was not whole is tried again */
#define FRAME_CYCLES 64
/* Cycles of a turn: 1 ms (an assumption: the tick of Linux is 1 to 10 ms) */
#define DEFAULT_SLICE (MONTECITO_CORE_HZ / 1000)

enum thread_state {
	THREAD_READY, /* or it has the processor */
	THREAD_FUTEX, /* waits for a wake of @futex */
	THREAD_SLEEPS,
	THREAD_SIGNAL, /* rt_sigsuspend, and rt_sigtimedwait for @awaited */
	THREAD_MESSAGE, /* read of a message of perfmon's */
	THREAD_POLL, /* poll for one */
	THREAD_ENDED,
};

/**
 * struct guest_thread - a thread of the program
 * @tid: its number
 * @state: what it waits for
 * @turn: of threads in one state the one with the least is the first
 * @until: cycles (process_cycles()) at which a wait ends; 0 for never
 * @futex: address of the word that it waits at
 * @bits: of FUTEX_WAIT_BITSET
 * @sigmask: signals that it blocks
 * @saved_mask: those that it blocks again behind rt_sigsuspend, where @mask_saved
 * @mask_saved: see there
 * @restart: its call was interrupted and may be made again
 * @pending: signals that wait for it
 * @awaited: those that rt_sigtimedwait takes
 * @info: address of the siginfo that it gives, 0 for none; of THREAD_MESSAGE that of the message
 * @fd: whose message
 * @poll: address of the array of poll
 * @nr_poll: its length
 * @rest: address of the time that an interrupted sleep leaves; 0 for none
 * @stack: for signal handlers
 * @call_at: address and slot of its last system call
 * @clear_tid: address of the word that its end sets to 0 and wakes; 0 for none
 * @robust: list of the futexes that it holds; 0 for none
 * @call: its last system call
 * @regs: its registers, where it has not the processor
 */
struct guest_thread {
	uint32_t tid;
	enum thread_state state;
	uint64_t turn;
	uint64_t until;
	uint64_t futex;
	uint32_t bits;
	uint64_t sigmask;
	uint64_t saved_mask;
	bool mask_saved;
	bool restart;
	struct guest_pending pending;
	uint64_t awaited;
	uint64_t info;
	int fd;
	uint64_t poll;
	uint64_t nr_poll;
	uint64_t rest;
	struct guest_stack stack;
	uint64_t call_at;
	uint64_t clear_tid;
	uint64_t robust;
	struct montecito_syscall call;
	struct context regs;
};

/* The first thread, which has the processor. */
int threads_init(struct montecito_process *p);
void threads_free(struct montecito_process *p);
struct guest_thread *thread_find(const struct montecito_process *p, uint64_t tid);

/* Cycles that the current thread may run for; 0 for as many as it likes. */
uint64_t threads_left(struct montecito_process *p);
/* The current thread ran for @cycles. */
void threads_charge(struct montecito_process *p, uint64_t cycles);
/* Between two instructions: give the processor to the next thread if the turn is over. */
int threads_turn(struct montecito_process *p);
/* Give the processor to the next thread if the current one waits or has ended. */
int threads_next(struct montecito_process *p);

/* Have the current thread wait in @state; 0 for @until: without an end. */
void thread_wait(struct montecito_process *p, enum thread_state state, uint64_t until);
/* End the wait of @t, whose system call gives @result. */
void thread_wake(struct montecito_process *p, struct guest_thread *t, int64_t result);
/* End the wait of @t for a signal. */
void thread_interrupt(struct montecito_process *p, struct guest_thread *t);
/* Cycles (process_cycles()) at the time of the struct timespec at @addr, or an error. */
int thread_deadline(struct montecito_process *p, uint64_t addr, uint32_t clock, bool absolute,
		    uint64_t *until);

/* futex.c: wake up to @n that wait at @addr with one of @bits; how many it were. */
unsigned int futex_wake(struct montecito_process *p, uint64_t addr, unsigned int n, uint32_t bits);
/* Mark each futex that @t holds: its owner died. Wake a thread that waits for one. */
void futex_thread_died(struct montecito_process *p, const struct guest_thread *t);

#endif
