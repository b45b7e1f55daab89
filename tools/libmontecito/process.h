/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A user-mode program: what loader, system calls and interruptions share. */
#ifndef LIBMONTECITO_PROCESS_H
#define LIBMONTECITO_PROCESS_H

#include <signal.h>

#include "libmontecito.h"
#include "timed_run.h"
#include "uvm.h"

#define NR_GUEST_FDS 256
#define NR_GUEST_SIGNALS 64

/*
 * In region 3, as Linux/ia64 places them with 16 KB pages: the register stack
 * grows up, the stack down.
 */
#define STACK_TOP 0x60000fffffff0000ULL
#define STACK_SIZE (8ULL << 20)
#define RBS_BASE 0x60000fff80000000ULL
#define RBS_SIZE (16ULL << 20)
/* The heap grows to here behind the data, at most. */
#define HEAP_MAX (1ULL << 36)

#define GUEST_SIG_DFL 0
#define GUEST_SIG_IGN 1

struct guest_thread;
struct guest_siginfo;
struct perfmon;

/* Signals that wait, in the order in which they came */
struct guest_pending {
	uint64_t set;
	struct guest_siginfo *info;
	size_t nr;
};

/* stack_t of Linux/ia64 */
struct guest_stack {
	uint64_t sp;
	uint32_t flags;
	uint32_t pad;
	uint64_t size;
};

/* setitimer(2): ITIMER_REAL, ITIMER_VIRTUAL and ITIMER_PROF */
#define NR_GUEST_TIMERS 3

struct guest_timer {
	uint64_t due; /* cycles by its clock; 0: it does not run */
	uint64_t every;
};

/* struct sigaction of the Linux/ia64 kernel */
struct guest_sigaction {
	uint64_t handler;
	uint64_t flags;
	uint64_t mask;
};

struct montecito_process {
	struct montecito *m;
	struct uvm vm;
	struct montecito_process_options opt;
	const char *name;
	uint64_t entry;
	uint64_t phdr; /* address of the program headers, for AT_PHDR */
	uint32_t phent;
	uint32_t phnum;
	uint64_t brk_start;
	uint64_t brk;
	struct guest_thread **thread; /* all that have not ended */
	size_t nr_threads;
	struct guest_thread *current; /* whose registers the processor has */
	uint64_t turns; /* number of the next turn of a thread that waits for the processor */
	uint64_t slice_left; /* cycles of the current thread's turn */
	uint64_t idle; /* cycles in which each thread waited */
	uint32_t last_tid;
	bool yields; /* the current thread lets others go first */
	struct guest_sigaction action[NR_GUEST_SIGNALS + 1];
	struct guest_pending pending; /* of the program, not of one thread */
	struct guest_timer timer[NR_GUEST_TIMERS];
	bool no_result; /* the call has set all registers */
	uint64_t uncounted; /* bit n: PMCn was told of: its PMD stands still */
	uint64_t enosys[32]; /* bitmap of calls already complained about */
	int fd[NR_GUEST_FDS]; /* host descriptor, -1 for none */
	struct perfmon *perfmon[NR_GUEST_FDS]; /* or a context of perfmon */
	bool random[NR_GUEST_FDS]; /* opened as /dev/random or /dev/urandom */
	uint64_t random_state; /* of the generator that those read from */
	bool ended;
	int status; /* as a shell shows it */
	int signal; /* it died of, or 0 */
	void (*trace)(struct montecito_process *p, const struct montecito_syscall *c, void *arg);
	void *trace_arg;
	struct timed_run region;
	uint64_t insns; /* retired since its start */
	struct {
		uint64_t insns; /* montecito_process_interval()'s, or 0 */
		uint64_t cycles;
		uint64_t left; /* to the next call */
		int (*call)(struct montecito *m, void *arg);
		void *arg;
	} interval;
	volatile sig_atomic_t stop; /* montecito_process_stop() was called */
};

/* process.c: a line for the caller, behind the program's name. */
__attribute__((format(printf, 2, 3))) void process_message(const struct montecito_process *p,
							   const char *fmt, ...);

/* loader.c: areas and contents of a static ELF; -ENOEXEC with *@why. */
int process_load_elf(struct montecito_process *p, const char *path, const char **why);
/* stack.c: argument block, registers, start */
int process_start(struct montecito_process *p);

/* syscall.c: serve break 0x100000 */
int process_syscall(struct montecito_process *p, const struct montecito_exit *e);
/* syscall_mem.c, syscall_file.c, syscall_misc.c: result or negative errno */
struct syscall_args {
	uint64_t nr;
	uint64_t arg[6];
};

typedef int64_t syscall_fn(struct montecito_process *p, const uint64_t *arg);
syscall_fn sys_brk, sys_mmap, sys_mmap2, sys_munmap, sys_mprotect, sys_mremap;
syscall_fn sys_read, sys_write, sys_readv, sys_writev, sys_open, sys_openat, sys_close;
syscall_fn sys_lseek, sys_fstat, sys_stat, sys_ioctl;
syscall_fn sys_clone, sys_clone2, sys_exit_thread, sys_set_tid_address, sys_gettid;
syscall_fn sys_kill, sys_tkill, sys_tgkill, sys_rt_sigqueueinfo, sys_rt_sigaction;
syscall_fn sys_rt_sigprocmask, sys_rt_sigpending, sys_rt_sigsuspend, sys_rt_sigtimedwait;
syscall_fn sys_rt_sigreturn, sys_sigaltstack, sys_setitimer, sys_getitimer;
syscall_fn sys_sched_yield, sys_nanosleep, sys_clock_nanosleep, sys_futex, sys_set_robust_list;
syscall_fn sys_perfmonctl, sys_fcntl, sys_poll, sys_sched_setaffinity, sys_sched_getaffinity;
int process_host_fd(const struct montecito_process *p, uint64_t fd);
/* The lowest descriptor that is free, or -EMFILE. */
int process_free_fd(const struct montecito_process *p);

/* interrupt.c */
int process_break(struct montecito_process *p, const struct montecito_exit *e);
int process_interruption(struct montecito_process *p, const struct montecito_exit *e);
void process_die(struct montecito_process *p, int sig, const struct montecito_exit *e,
		 const char *what);
/* Death by a signal of the kernel's that needs no word: SIGPIPE. */
void process_end(struct montecito_process *p, int sig);
/* Death by a signal that no instruction raised; @how it came. */
void process_kill(struct montecito_process *p, int sig, const char *how);

/* syscall.c: cycles since the start, those in which all threads waited with them. */
int process_cycles(struct montecito_process *p, uint64_t *cycles);

/* syscall.c: tell of the call of @t, which gives @result. */
void process_tell(struct montecito_process *p, struct guest_thread *t, int64_t result);

/* unaligned.c: do what the reference would have done; negative: cannot. */
int process_unaligned(struct montecito_process *p, const struct montecito_exit *e);

#endif
