/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A user-mode program: what loader, system calls and interruptions share. Included by the headers
 * of its parts (files.h, signals.h, context.h, perfmon.h), by loader.c, stack.c, syscall.c and
 * unaligned.c.
 */
#ifndef LIBMONTECITO_PROCESS_H
#define LIBMONTECITO_PROCESS_H

#include <signal.h>

#include "internal.h"
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

struct guest_process;

struct guest_file;

/**
 * struct guest_cpu - a logical processor that has threads of the program
 * @vcpu: its number
 * @current: whose registers it has; NULL: it is halted, since no thread is left for it
 * @slice_end: when (process_cycles()) the turn of @current ends
 * @since: the processor's cycles at which the process of @current got it
 * @yields: @current lets others go first
 * @late: @current cannot go on, but does so until its frame is whole
 */
struct guest_cpu {
	unsigned int vcpu;
	struct guest_thread *current;
	uint64_t slice_end;
	uint64_t since;
	bool yields;
	bool late;
};

/**
 * struct montecito_process - a program that runs on a machine, with the processes that it made
 * @m: the machine
 * @cpus: logical processors that its threads run on
 * @nr_cpus: how many they are
 * @cpu: the one of them that is served
 * @next: the program that was loaded behind it, or NULL
 * @opt: as given
 * @pages: guest memory, of which all processes have theirs
 * @process: all processes that have not been waited for; the program's own is the first
 * @nr_processes: how many they are
 * @thread: the threads of all, but those that have ended
 * @nr_threads: how many they are
 * @turns: number of the next turn of a thread that waits for a processor
 * @idle: cycles in which each thread waited
 * @last_tid: the last number that a thread or process got
 * @uncounted: bit n: PMCn was told of: its PMD stands still
 * @enosys: bitmap of calls already complained about
 * @random_state: of the generator that /dev/random is read from
 * @contexts: perfmon's
 * @nr_pipes: pipes that have an end
 * @last_pipe: number of the last that was made
 * @ended: nothing can run any more
 * @status: of the first process, as a shell shows it
 * @signal: it died of, or 0
 * @trace: told of each system call
 * @trace_arg: for it
 * @looked_at: whose memory a caller sees
 * @region: where time is kept
 * @insns: retired since the start
 * @interval: montecito_process_interval()'s numbers, of which @left are left to the next call
 * @stop: montecito_process_stop() was called
 */
struct montecito_process {
	struct montecito *m;
	struct guest_cpu cpus[MAX_VCPUS];
	unsigned int nr_cpus;
	struct guest_cpu *cpu;
	struct montecito_process *next;
	struct montecito_process_options opt;
	struct uvm_pages pages;
	struct guest_process **process;
	size_t nr_processes;
	struct guest_thread **thread;
	size_t nr_threads;
	uint64_t turns;
	uint64_t idle;
	uint32_t last_tid;
	uint64_t uncounted;
	uint64_t enosys[32];
	uint64_t random_state;
	struct perfmon *contexts;
	unsigned int nr_pipes;
	uint64_t last_pipe;
	bool ended;
	int status;
	int signal;
	void (*trace)(struct montecito_process *p, const struct montecito_syscall *c, void *arg);
	void *trace_arg;
	struct guest_process *looked_at;
	struct timed_run region;
	uint64_t insns;
	struct {
		uint64_t insns;
		uint64_t cycles;
		uint64_t left;
		int (*call)(struct montecito *m, void *arg);
		void *arg;
	} interval;
	volatile sig_atomic_t stop;
};

/**
 * struct guest_process - a process of the program
 * @run: what it has in common with the others
 * @m: the machine
 * @vm: its memory
 * @pid: its number, which is that of its first thread
 * @parent: its parent's; 1 for none
 * @group: number of its process group
 * @session: number of its session
 * @execed: it has called execve: its parent moves it to no group any more
 * @name: for messages
 * @program: path of the file that it runs
 * @argv: its arguments, as execve() or the caller had them
 * @envp: its environment
 * @owns_args: @name, @argv and @envp were allocated
 * @entry: where it begins
 * @phdr: address of the program headers, for AT_PHDR
 * @phent: size of one
 * @phnum: how many
 * @nr_threads: those that have not ended
 * @action: what is done with each signal
 * @pending: signals of the process, not of one thread
 * @timer: interval timers
 * @ran: cycles that it has had a processor for, before that one's @since
 * @reaped: cycles that the processes which it has waited for ran
 * @no_result: the call has set all registers
 * @told: the caller has been told of the call
 * @file: by descriptor; NULL for none
 * @cloexec: descriptors that execve() closes
 * @exit_signal: that its end sends to its parent; 0 for none
 * @tracer: of ptrace(2): number of the process; 0 for none
 * @stopped: by this signal; 0: it goes on
 * @stop_told: wait4() has told of that
 * @continued: it goes on behind a stop, and wait4() has not told of that
 * @inject: signal that its tracer has it take; 0 for none
 * @ended: it waits for its parent
 * @status: as a shell shows it
 * @signal: it died of, or 0
 */
struct guest_process {
	struct montecito_process *run;
	struct montecito *m;
	struct uvm *vm;
	uint32_t pid;
	uint32_t parent;
	uint32_t group;
	uint32_t session;
	bool execed;
	const char *name;
	char *program;
	char *const *argv;
	char *const *envp;
	bool owns_args;
	uint64_t entry;
	uint64_t phdr;
	uint32_t phent;
	uint32_t phnum;
	size_t nr_threads;
	struct guest_sigaction action[NR_GUEST_SIGNALS + 1];
	struct guest_pending pending;
	struct guest_timer timer[NR_GUEST_TIMERS];
	uint64_t ran;
	uint64_t reaped;
	bool no_result;
	bool told;
	struct guest_file *file[NR_GUEST_FDS];
	bool cloexec[NR_GUEST_FDS];
	int exit_signal;
	uint32_t tracer;
	int stopped;
	bool stop_told;
	bool continued;
	int inject;
	bool ended;
	int status;
	int signal;
};

/* process.c: a process of @run, without memory yet, with number @pid; NULL for no room. */
struct guest_process *process_add(struct montecito_process *run, uint32_t pid, uint32_t parent);
/* Give back what it has. */
void process_remove(struct guest_process *p);
/* exec.c: give back its arguments; copy those of another to it. */
void args_free(struct guest_process *p);
int args_copy(struct guest_process *to, const struct guest_process *p);

/* process.c: a line for the caller, behind the program's name. */
__attribute__((format(printf, 2, 3))) void process_message(const struct guest_process *p,
							   const char *fmt, ...);

/* loader.c: areas and contents of a static ELF; -ENOEXEC with *@why. */
int process_load_elf(struct guest_process *p, const char *path, const char **why);
/* stack.c: have @vcpu's DCR as Linux does. */
int process_dcr(struct montecito_process *run, unsigned int vcpu);
/* stack.c: argument block, registers, start */
int process_start(struct guest_process *p);

/* syscall.c: serve break 0x100000 */
int process_syscall(struct guest_process *p, const struct montecito_exit *e);
/* syscall_mem.c, syscall_file.c, syscall_misc.c: result or negative errno */
struct syscall_args {
	uint64_t nr;
	uint64_t arg[6];
};

typedef int64_t syscall_fn(struct guest_process *p, const uint64_t *arg);
syscall_fn sys_brk, sys_mmap, sys_mmap2, sys_munmap, sys_mprotect, sys_mremap;
syscall_fn sys_read, sys_write, sys_readv, sys_writev, sys_open, sys_openat, sys_close;
syscall_fn sys_lseek, sys_fstat, sys_stat, sys_ioctl;
syscall_fn sys_clone, sys_clone2, sys_exit_thread, sys_set_tid_address, sys_gettid;
syscall_fn sys_kill, sys_tkill, sys_tgkill, sys_rt_sigqueueinfo, sys_rt_sigaction;
syscall_fn sys_rt_sigprocmask, sys_rt_sigpending, sys_rt_sigsuspend, sys_rt_sigtimedwait;
syscall_fn sys_rt_sigreturn, sys_sigaltstack, sys_setitimer, sys_getitimer;
syscall_fn sys_sched_yield, sys_nanosleep, sys_clock_nanosleep, sys_futex, sys_set_robust_list;
syscall_fn sys_poll, sys_ppoll, sys_select, sys_pselect6;
syscall_fn sys_perfmonctl, sys_fcntl, sys_sched_setaffinity, sys_sched_getaffinity;
syscall_fn sys_getcpu;
syscall_fn sys_execve, sys_wait4, sys_waitid, sys_ptrace;
syscall_fn sys_pipe, sys_pipe2, sys_dup, sys_dup2, sys_dup3;
int process_host_fd(const struct guest_process *p, uint64_t fd);
/* The lowest descriptor from @from on that is free, or -EMFILE. */
int process_free_fd(const struct guest_process *p, unsigned int from);
/* Descriptors 0 to 2 of a program. */
int files_init(struct guest_process *p);
/* Descriptor @fd, which is free, is one of context @c of perfmon. */
int file_perfmon(struct guest_process *p, unsigned int fd, struct perfmon *c);
/* Have @to share the files of @p. */
void files_copy(struct guest_process *to, const struct guest_process *p);
/* Close a descriptor that is open: 0, or what close(2) says. */
int file_close(struct guest_process *p, unsigned int fd);
/* Close all, or those that execve() closes. */
void files_close(struct guest_process *p);
void files_exec(struct guest_process *p);

/* interrupt.c */
int process_break(struct guest_process *p, const struct montecito_exit *e);
int process_interruption(struct guest_process *p, const struct montecito_exit *e);
void process_die(struct guest_process *p, int sig, const struct montecito_exit *e,
		 const char *what);
/* Death by a signal of the kernel's that needs no word: SIGPIPE. */
void process_end(struct guest_process *p, int sig);
/* Death by a signal that no instruction raised; @how it came. */
void process_kill(struct guest_process *p, int sig, const char *how);

/* syscall.c: cycles since the start, those in which all threads waited with them. */
int process_cycles(struct montecito_process *run, uint64_t *cycles);
/* The cycles of @c itself. */
int cpu_cycles(struct montecito_process *run, const struct guest_cpu *c, uint64_t *cycles);
/* Cycles that @p has had processors for; those of two at once count twice. */
int process_ran(struct guest_process *p, uint64_t *cycles);

/* syscall.c: tell of the call of @t, which gives @result. */
void process_tell(struct guest_thread *t, int64_t result);

/* process_debug.c: as montecito_process_peek() and montecito_process_poke(). */
int process_peek(struct guest_process *p, uint64_t va, void *buf, size_t len);
int process_poke(struct guest_process *p, uint64_t va, const void *buf, size_t len);

/* unaligned.c: do what the reference would have done; negative: cannot. */
int process_unaligned(struct guest_process *p, const struct montecito_exit *e);

#endif
