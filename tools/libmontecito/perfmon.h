/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * perfmon 2.0 as Linux/ia64 2.6 had it: contexts of a program that measures itself on the
 * processor's PMU, through perfmonctl(2). Called by syscall_file.c for the call, by files.c, poll.c, fork.c, exec.c,
 * process.c and threads.c for the contexts that go with a descriptor or a thread.
 */
#ifndef LIBMONTECITO_PERFMON_H
#define LIBMONTECITO_PERFMON_H

#include "process.h"

#define PERFMON_NR 64 /* PMCs and PMDs by number */
#define PERFMON_MESSAGES 32
#define PERFMON_COUNTERS 0xfff0ULL
#define PERFMON_FIRST 4
#define PERFMON_BITS 47
#define PERFMON_MASK ((1ULL << PERFMON_BITS) - 1)

/* pfarg_context_t.ctx_flags */
#define PERFMON_NOTIFY_BLOCK 0x1
#define PERFMON_SYSTEM_WIDE 0x2
#define PERFMON_NO_MSG 0x80

/* pfarg_reg_t.reg_flags */
#define PERFMON_OVFL_NOTIFY 0x1
#define PERFMON_RANDOM 0x2
#define PERFMON_EINVAL (1U << 30)
#define PERFMON_RET (3U << 30)

enum perfmon_state {
	PERFMON_UNLOADED,
	PERFMON_LOADED,
	PERFMON_MASKED,
};

/* pfm_msg_t */
struct perfmon_msg {
	int32_t type;
	int32_t fd;
	uint64_t ovfl_pmds[4];
	uint64_t active_set;
	uint64_t tstamp;
};

#define PERFMON_MSG_OVFL 1
#define PERFMON_MSG_END 2

/* One counter, or another PMD; 64 bits of which the processor has the lower 47 while loaded */
struct perfmon_pmd {
	uint64_t value;
	uint64_t last; /* what it was reset to */
	uint64_t long_reset;
	uint64_t short_reset;
	uint64_t seed;
	uint64_t mask;
	uint64_t reset_pmds;
	uint64_t sample_pmds;
	uint64_t event;
	uint32_t flags;
};

/**
 * struct perfmon - a context
 * @next: of the run's
 * @home: the process that made it, whose memory has the buffer; NULL where that is gone
 * @state: of perfmon's states
 * @started: START was the last of START and STOP
 * @flags: PERFMON_*
 * @fd: its descriptor
 * @status: of fcntl(2): O_NONBLOCK and O_ASYNC
 * @signal: of F_SETSIG; 0 for SIGIO
 * @owner: of F_SETOWN; 0 for none
 * @cpu: the processor that it was loaded by
 * @thread: number of the thread that it is loaded on
 * @pmc: values of PMCs
 * @pmd: PMDs
 * @used: bit n: PMDn may be read
 * @monitors: bit n: PMCn has been written and has a plm
 * @overflowed: counters that RESTART resets
 * @debug: a debug register has been written
 * @ibr: instruction debug registers
 * @dbr: data debug registers
 * @hardware: PMDs while its thread has not the processor
 * @buffer: address of the samples; 0 without a format
 * @buffer_size: as the program gave it
 * @msg: messages that wait, from @first on
 * @first: see @msg
 * @nr_msg: how many
 */
struct perfmon {
	struct perfmon *next;
	struct guest_process *home;
	enum perfmon_state state;
	bool started;
	uint32_t flags;
	int fd;
	uint32_t status;
	int signal;
	int64_t owner;
	struct guest_cpu *cpu;
	uint32_t thread;
	uint64_t pmc[PERFMON_NR];
	struct perfmon_pmd pmd[PERFMON_NR];
	uint64_t used;
	uint64_t monitors;
	uint64_t overflowed;
	bool debug;
	uint64_t ibr[8];
	uint64_t dbr[8];
	uint64_t hardware[PERFMON_NR];
	uint64_t buffer;
	uint64_t buffer_size;
	struct perfmon_msg msg[PERFMON_MESSAGES];
	unsigned int first;
	unsigned int nr_msg;
};

/* perfmon.c: the context of a descriptor of the program, or NULL. */
struct perfmon *perfmon_of(const struct guest_process *p, uint64_t fd);
/* A counter has overflowed [EXIT_PMU_OVERFLOW]. */
int perfmon_overflow(struct montecito_process *run, const struct montecito_exit *e);
/* run->cpu goes from one thread to another, whose registers it does not have yet; NULL: none. */
int perfmon_switch(struct montecito_process *run, const struct guest_thread *from,
		   struct guest_thread *to);
/* The last descriptor of a context is closed. */
int perfmon_close(struct montecito_process *run, struct perfmon *c);
/* @p has ended: unload what is loaded on its threads, and tell of that. */
int perfmon_exit(struct guest_process *p);
/* The run is over: its contexts are closed without a look at the machine. */
void perfmon_forget(struct montecito_process *run);
/* Thread @tid of @p has another program, and the number of the process. */
void perfmon_exec(struct guest_process *p, uint32_t tid);
/* The value that a PMD has now, with the upper bits of a counter. */
int perfmon_read(struct montecito_process *run, const struct perfmon *c, unsigned int n,
		 uint64_t *value);
/* Reset the counters @which, and those that they reset. */
int perfmon_reset(struct montecito_process *run, struct perfmon *c, uint64_t which, bool is_long);

/* perfmon_samples.c: a buffer of the default format; the errno of CREATE_CONTEXT. */
int perfmon_buffer(struct guest_process *p, struct perfmon *c, uint64_t size);
/* An entry for the overflow of counter @n. 1: the buffer is full behind it. */
int perfmon_sample(struct montecito_process *run, struct perfmon *c, unsigned int n,
		   const struct montecito_exit *e, uint64_t tstamp);
/* The buffer is empty again. */
int perfmon_buffer_reset(struct perfmon *c);
/* perfmon_samples.c: read(2), poll(2), fcntl(2) of a context's descriptor */
int64_t perfmon_read_msg(struct guest_process *p, struct perfmon *c, uint64_t at, uint64_t len);
int64_t perfmon_fcntl(struct perfmon *c, uint64_t cmd, uint64_t arg);
/* Tell the program of the overflow of @pmds: by a message, and by a signal. */
int perfmon_notify(struct montecito_process *run, struct perfmon *c, uint64_t pmds,
		   uint64_t tstamp);
/* Tell it that the thread which was measured has ended. */
void perfmon_end(struct montecito_process *run, struct perfmon *c);

#endif
