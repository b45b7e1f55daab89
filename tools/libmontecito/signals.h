/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Signals of a program as Linux/ia64 has them: queued, delivered between two instructions
 * of the thread that takes them, and undone by rt_sigreturn. Called by interrupt.c and threads.c to
 * deliver them, by ptrace.c, timers.c, pipe.c and wait.c to send them, by fork.c and exec.c.
 */
#ifndef LIBMONTECITO_SIGNALS_H
#define LIBMONTECITO_SIGNALS_H

#include "process.h"

/* Flags of struct guest_sigaction */
#define GUEST_SA_SIGINFO 0x4
#define GUEST_SA_ONSTACK 0x08000000
#define GUEST_SA_RESTART 0x10000000
#define GUEST_SA_NODEFER 0x40000000
#define GUEST_SA_RESETHAND 0x80000000

/* si_code: of whom a signal is */
#define GUEST_SI_USER 0
#define GUEST_SI_QUEUE -1
#define GUEST_SI_TKILL -6
#define GUEST_SI_KERNEL 0x80
#define GUEST_POLL_IN 1
/* si_flags of a fault: si_isr is there */
#define GUEST_ISR_VALID 1

/**
 * struct guest_siginfo - siginfo_t of Linux/ia64
 * @signo: the signal
 * @error: si_errno
 * @code: si_code
 * @pad: 0
 * @from: of one that a program sent
 * @fault: of one that an instruction raised
 * @poll: of a descriptor's
 * @child: of a child that ended or stopped
 * @room: bytes of any of them
 */
struct guest_siginfo {
	int32_t signo;
	int32_t error;
	int32_t code;
	int32_t pad;
	union {
		struct {
			uint32_t pid;
			uint32_t uid;
			uint64_t value;
		} from;
		struct {
			uint64_t addr;
			int32_t imm;
			uint32_t flags;
			uint64_t isr;
		} fault;
		struct {
			uint64_t band;
			int32_t fd;
		} poll;
		struct {
			uint32_t pid;
			uint32_t uid;
			int32_t status;
		} child;
		uint8_t room[112];
	};
};

static inline uint64_t signal_bit(int sig)
{
	return 1ULL << (sig - 1);
}

/*
 * Send a signal to thread @t of @p, or with NULL to @p. -EAGAIN where too many wait; the first 31
 * are never refused, and wait once each.
 */
int signal_send(struct guest_process *p, struct guest_thread *t, const struct guest_siginfo *info);
/* Have @t, which has the processor, take the signals that wait for it and that it does not block. */
int signals_deliver(struct guest_thread *t);
/* True if a signal waits for @t to have its frame whole. */
bool signals_wait(const struct guest_thread *t);
/*
 * An instruction of the current thread has raised a signal. False where no handler takes
 * it: the program dies of it.
 */
bool signal_fault(struct guest_process *p, const struct guest_siginfo *info);
void pending_free(struct guest_pending *q);

/*
 * sigframe.c: interrupt the current thread for the handler of @a, which @mask is put back
 * behind. @rewind: the system call that was interrupted is made again. -EAGAIN where its frame
 * is not whole, -EFAULT where it has no stack.
 */
int sigframe_push(struct guest_process *p, const struct guest_siginfo *info,
		  const struct guest_sigaction *a, uint64_t mask, bool rewind);

/* Flags of stack_t: whether @t has one for handlers, and @sp is there. */
uint32_t signal_stack_flags(const struct guest_thread *t, uint64_t sp);

/* timers.c: cycles until the next timer is due; 0: there is none. */
uint64_t timers_left(struct montecito_process *run);
/* Send the signals of those that are due. */
int timers_expire(struct montecito_process *run);
/* process_cycles() at which the next timer is due that runs while all wait; 0: none. */
uint64_t timers_real(const struct montecito_process *run);

#endif
