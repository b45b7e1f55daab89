/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libmontecito: a Montecito machine in /dev/montecito or in this process, and
 * what a program that uses one needs: a loader, Linux/ia64 system calls,
 * event names, samples, symbols. Included by montctl, and by programs of others.
 *
 * Functions return 0 or a positive result, or a negative errno. What the uapi
 * header says of a command and its errnos holds for both backends. A structure that
 * the caller allocates begins with its size, for the caller to set; -EINVAL if that is
 * too small, -E2BIG if it has members, not 0, that this library does not know.
 *
 * The model in this process is in libmontecito-model, which is opened when it is
 * asked for: -ELIBACC if it is not there, -ELIBBAD if it is of another release.
 */
#ifndef LIBMONTECITO_H
#define LIBMONTECITO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <stdio.h>

#include <linux/montecito.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define MONTECITO_DEFAULT_DEVICE "/dev/montecito"
#define MONTECITO_DEFAULT_MEMORY (64ULL << 20)
#define MONTECITO_CORE_HZ 1600000000ULL

struct montecito;

/* ---- machines (machine.c) ---- */

/**
 * struct montecito_options - what machine to open
 * @size: of this structure, in bytes
 * @device: path of the device node; NULL for the model in this process
 * @cores: 1 or 2
 * @threads: per core, 1 or 2
 * @config: MONTECITO_CFG_*
 * @memory: bytes of guest memory from address 0, when there are no @regions
 * @regions: memory by guest physical address; NULL for @memory
 * @nr_regions: how many
 * @timing: MONTECITO_TIMING_*
 * @name: what generic netlink calls it, or NULL
 */
struct montecito_options {
	uint32_t size;
	const char *device;
	uint32_t cores;
	uint32_t threads;
	uint32_t config;
	uint64_t memory;
	const struct montecito_region *regions;
	uint32_t nr_regions;
	uint32_t timing;
	const char *name;
};

/* Make a machine: 0 with it in *@res, or what MONTECITO_CREATE fails with. */
int montecito_open(const struct montecito_options *opt, struct montecito **res);
/* End it, with its memory; NULL is none. */
void montecito_close(struct montecito *m);
/* Limits and capabilities of the device, or with NULL of the model in this process. */
int montecito_info(const char *device, struct montecito_info *info);
/* As MONTECITO_MACHINE_INFO. */
int montecito_machine_info(struct montecito *m, struct montecito_machine_info *info);
/*
 * List the events of the host's perf that @m refused to count: up to *@nr of them in @to,
 * and the number of all in *@nr. A machine in this process has none.
 */
int montecito_refused(struct montecito *m, struct montecito_refused *to, unsigned int *nr);
/* The name that perf has for the event of a perf_event_attr.config. */
void montecito_perf_name(uint32_t config, char text[64]);
/* Logical processors: cores times threads. */
unsigned int montecito_nr_vcpus(const struct montecito *m);
/* True if the machine is in the module; else it is in this process. */
bool montecito_is_device(const struct montecito *m);

/*
 * Bytes that a machine's memory and state charge against RLIMIT_MEMLOCK, after
 * montecito_open() has failed with -ENOMEM; 0 if that is not known.
 */
uint64_t montecito_locked(void);
/* The memory that holds address 0, mapped; *@size is its length. */
void *montecito_memory(struct montecito *m, uint64_t *size);
/* @len bytes of guest memory at @pa, mapped; NULL if no region holds them all. */
void *montecito_at(struct montecito *m, uint64_t pa, uint64_t len);
/* Answer EXIT_MMIO's load of @vcpu: the next montecito_run() gives it @data. */
void montecito_mmio_complete(struct montecito *m, unsigned int vcpu, const uint64_t data[2]);
/* Code in this range changed through the mapping. */
int montecito_invalidate(struct montecito *m, uint64_t pa, uint64_t len);
/* Budgets as in struct montecito_run; a signal's exit is not retried. */
int montecito_run(struct montecito *m, uint64_t insns, uint64_t cycles, struct montecito_run *run);
/* After EXIT_BROKEN: which invariant of the model does not hold, or where that is told. */
const char *montecito_broken(const struct montecito *m);
/* With MONTECITO_RUN_FUNCTIONAL and _UNTIL of @flags, and the address of the latter, else 0. */
int montecito_run_until(struct montecito *m, uint64_t insns, uint64_t cycles, uint32_t flags,
			uint64_t until, struct montecito_run *run);
/* RUN as the caller has filled it in, as in the uapi header. */
int montecito_run_raw(struct montecito *m, struct montecito_run *run);
/*
 * Have @run called in the place of every RUN from now on, for a debugger below whatever
 * runs the machine; NULL for none. @run may make any number of montecito_run_raw(), and
 * fills in the exit as one RUN within the budgets would.
 */
void montecito_debug(struct montecito *m,
		     int (*run)(struct montecito *m, struct montecito_run *run, void *arg),
		     void *arg);
/* Take up to @len bytes that the guest has written to its console. Return: their number. */
long montecito_console(struct montecito *m, void *buf, size_t len);

/* As MONTECITO_SAVE; @blob is malloc()ed. */
int montecito_save(struct montecito *m, void **blob, size_t *len);
/* As MONTECITO_RESTORE. */
int montecito_restore(struct montecito *m, const void *blob, size_t len);
/* As MONTECITO_HASH: equal machines have equal hashes, in the device or not. */
int montecito_hash(struct montecito *m, uint64_t *hash);
/* All but @p's size filled in by the caller, as in the uapi header. */
int montecito_param_get(struct montecito *m, struct montecito_param *p);
int montecito_param_set(struct montecito *m, struct montecito_param *p);

/* ---- vcpus (vcpu.c) ---- */

/* As MONTECITO_GET_REGS and _SET_REGS; cls of each is MONTECITO_REG_*. */
int montecito_get_regs(struct montecito *m, unsigned int vcpu, struct montecito_reg *regs,
		       uint32_t count);
int montecito_set_regs(struct montecito *m, unsigned int vcpu, const struct montecito_reg *regs,
		       uint32_t count);
/* One register of 64 bits. */
int montecito_get_reg(struct montecito *m, unsigned int vcpu, uint32_t cls, uint32_t index,
		      uint64_t *value);
int montecito_set_reg(struct montecito *m, unsigned int vcpu, uint32_t cls, uint32_t index,
		      uint64_t value);
/* Call a PAL procedure; its status is ret[0]. */
int montecito_pal(struct montecito *m, unsigned int vcpu, const uint64_t arg[4], uint64_t ret[4]);
/* Make an external interrupt pending. */
int montecito_irq(struct montecito *m, unsigned int vcpu, uint32_t vector);
/* Insert a translation, and purge those of 2^@ps bytes at @va. */
int montecito_tc_insert(struct montecito *m, unsigned int vcpu, bool insn, uint64_t va,
			uint64_t pte, uint64_t itir);
int montecito_tc_purge(struct montecito *m, unsigned int vcpu, uint64_t va, uint32_t ps);

/* Where @va leads now, of a fetch or a load: -ENOENT if no TLB or VHPT entry says it. */
int montecito_translate(struct montecito *m, unsigned int vcpu, bool insn, uint64_t va,
			uint64_t *pa);

/* The observer's number, or an error with its rule in @why (128 bytes). */
int montecito_observer_add(struct montecito *m, unsigned int vcpu,
			   const struct montecito_filter *filter, uint64_t period, char why[128]);
/*
 * Add an observer with all that the uapi can ask for: the caller fills in all but the size;
 * the rule is in its @why.
 */
int montecito_observer_add_raw(struct montecito *m, unsigned int vcpu,
			       struct montecito_observer_add *add);
/* End an observer. */
int montecito_observer_del(struct montecito *m, unsigned int vcpu, uint32_t id);
/* Counts of @count observers, of one instant. */
int montecito_observer_read(struct montecito *m, unsigned int vcpu, const uint32_t *ids,
			    uint64_t *counts, uint32_t count);

/* An observer that counts by instruction: its number, or an error as above. */
int montecito_table_add(struct montecito *m, unsigned int vcpu,
			const struct montecito_filter *filter, uint64_t period, uint32_t order,
			char why[128]);
/* All but @r's size filled in by the caller, as in the uapi header. */
int montecito_table_read(struct montecito *m, unsigned int vcpu, struct montecito_table_read *r);
/*
 * Another processor's PMU on a vcpu: MONTECITO_PMU_ADD, of which the caller fills in all but
 * @add's size. Return: its number or a negative errno, with the rule in @add's why.
 */
int montecito_pmu_add(struct montecito *m, unsigned int vcpu, struct montecito_pmu_add *add);
int montecito_pmu_del(struct montecito *m, unsigned int vcpu, uint32_t id);
/* Registers of one, all or none: 0 or a negative errno, with the rule in @why. */
int montecito_pmu_get(struct montecito *m, unsigned int vcpu, uint32_t id,
		      struct montecito_pmu_reg *reg, uint32_t count, char why[128]);
int montecito_pmu_set(struct montecito *m, unsigned int vcpu, uint32_t id,
		      struct montecito_pmu_reg *reg, uint32_t count, char why[128]);
/* As MONTECITO_PMU_DESCRIBE: the caller fills in @d's flags, kind and index. */
int montecito_pmu_describe(struct montecito *m, unsigned int vcpu,
			   struct montecito_pmu_describe *d);
/* As MONTECITO_CYCLES: the caller fills in all but @c's size, which the library sets. */
int montecito_cycles(struct montecito *m, unsigned int vcpu, struct montecito_cycles *c);
int montecito_pmu_sampling(struct montecito *m, unsigned int vcpu,
			   struct montecito_pmu_sampling *p);

/* @watermark as in struct montecito_ring. */
int montecito_ring_open(struct montecito *m, unsigned int vcpu, uint32_t order, uint32_t watermark);
/* The next record, copied to @buf: its size, 0 if none waits. */
int montecito_ring_read(struct montecito *m, unsigned int vcpu, void *buf, size_t len);
/* Records that found no room. */
uint64_t montecito_ring_lost(struct montecito *m, unsigned int vcpu);
/* Events of @kinds go into the ring, as with MONTECITO_TRACE; 0 ends that. */
int montecito_trace(struct montecito *m, unsigned int vcpu, uint32_t kinds);

/* ---- timed regions (timed_run.c) ---- */

/**
 * struct montecito_moment - a moment of a run
 * @set: there is one
 * @function: it is the next begin of the bundle at @at; else the first group boundary
 *	at or after @at retired instructions since the start
 * @at: see @function
 */
struct montecito_moment {
	bool set;
	bool function;
	uint64_t at;
};

/**
 * struct montecito_timed_region - the part of a run that time is kept in
 * @size: of this structure, in bytes
 * @from: where it begins; the start if it is not set
 * @to: where it ends, looked for from @from on; the run's end if it is not set
 * @change: called where it begins, with @begins, and where it ends; not at the
 *	run's end. The run stops with its error if it returns one
 * @arg: for @change
 */
struct montecito_timed_region {
	uint32_t size;
	struct montecito_moment from;
	struct montecito_moment to;
	int (*change)(struct montecito *m, bool begins, void *arg);
	void *arg;
};

/* ---- systems: firmware and devices round a machine (system.c) ---- */

/* Clocks start here, 2006-07-18 00:00:00 UTC, and advance with the cycles. */
#define MONTECITO_CLOCK_EPOCH 1153180800ULL

/* How a system ends. */
enum montecito_end {
	MONTECITO_END_NONE, /* it can go on: montecito_system_run() stopped for its caller */
	MONTECITO_END_POWEROFF,
	MONTECITO_END_RESET,
	MONTECITO_END_PANIC, /* the operating system said that it cannot go on */
	MONTECITO_END_UNSERVED, /* a firmware call that does not exist */
	MONTECITO_END_HALT, /* every processor halted, and nothing can wake one */
	MONTECITO_END_INPUT, /* the guest waits for input, which has ended */
	MONTECITO_END_STUCK, /* no instruction retires any more */
	MONTECITO_END_BUDGET,
	MONTECITO_END_STOPPED, /* the machine stopped for a reason that is no system's */
};

/* Return values of montecito_system_options.input beside a byte. */
#define MONTECITO_INPUT_NONE (-1) /* nothing now */
#define MONTECITO_INPUT_END (-2) /* nothing any more */

/**
 * struct montecito_system_options - a system's surroundings
 * @size: of this structure, in bytes
 * @output: takes what the guest writes to its console
 * @input: the next byte for the console, or MONTECITO_INPUT_*; with @wait it
 *	waits until there is one, the end, or a reason to stop. NULL: no input
 * @tick: called about each millisecond of the guest's time, may be NULL: the
 *	time in nanoseconds and whether the guest is idle. The run stops if it
 *	returns false.
 * @arg: for them
 * @live: take input when it comes, not at times that its bytes decide
 * @budget: most instructions, 0 for no limit
 * @slice: for tests: called for the most cycles of the next RUN, may be NULL
 * @uncounted: told once of the PMCs (bit n for PMCn) of a vcpu that stand still,
 *	because the model does not count what they ask for; may be NULL
 */
struct montecito_system_options {
	uint32_t size;
	void (*output)(void *arg, uint8_t byte);
	int (*input)(void *arg, bool wait);
	bool (*tick)(void *arg, uint64_t ns, bool idle);
	void *arg;
	bool live;
	uint64_t budget;
	uint64_t (*slice)(void *arg);
	void (*uncounted)(void *arg, unsigned int vcpu, uint64_t pmcs);
};

/* Why PMC4-15 number @pmc of @vcpu, as it is programmed now, stands still. */
int montecito_uncounted_text(struct montecito *m, unsigned int vcpu, unsigned int pmc,
			     char text[256]);

/* MONTECITO_CFG_* that a machine must have for a system with firmware. */
#define MONTECITO_SYSTEM_CONFIG MONTECITO_CFG_FIRMWARE
/* Memory above this would meet the devices. */
#define MONTECITO_SYSTEM_MAX_MEMORY 0xfe000000ULL
#define MONTECITO_SYSTEM_REGIONS 3
/* Regions of a system with @memory bytes, for struct montecito_options. Return: their number. */
unsigned int montecito_system_regions(uint64_t memory, struct montecito_region *r);

struct montecito_system;

int montecito_system_open(struct montecito *m, const struct montecito_system_options *opt,
			  struct montecito_system **res);
void montecito_system_close(struct montecito_system *s);

/* ---- images to boot (image.c) ---- */

struct montecito_image;

/*
 * Read a file, unpacked if gzip or xz has packed it: an ELF, else a raw image.
 * On an error *@why says what is wrong with it, or NULL: the errno says it.
 */
int montecito_image_open(const char *path, struct montecito_image **res, const char **why);
void montecito_image_close(struct montecito_image *img);
bool montecito_image_is_linux(const struct montecito_image *img);
/* As montecito_symbols_load() of the unpacked file. */
struct montecito_symbols *montecito_image_symbols(const struct montecito_image *img);
/*
 * Load a bare image, a raw one at @addr, and point all vcpus at its entry (the first
 * byte of a raw image), for a machine without a system. Those but vcpu 0 are halted.
 */
int montecito_boot_load(struct montecito *m, const char *path, uint64_t addr, const char **why);

/**
 * struct montecito_boot - what to start
 * @size: of this structure, in bytes
 * @image: the kernel, or a bare image
 * @initrd: path of the initial file system, NULL for none
 * @append: command line, NULL for an empty one
 * @system: with firmware, for an operating system; else bare, as at reset
 * @address: where a raw image goes
 */
struct montecito_boot {
	uint32_t size;
	const struct montecito_image *image;
	const char *initrd;
	const char *append;
	bool system;
	uint64_t address;
};

/*
 * Load the images of @boot and install firmware: 0, or a negative errno with
 * *@what concerned (NULL: the image) and *@why (NULL: the errno says it).
 */
int montecito_system_load(struct montecito_system *s, const struct montecito_boot *boot,
			  const char **what, const char **why);
/* As montecito_process_region(); instructions are those since the system's start. */
int montecito_system_region(struct montecito_system *s, const struct montecito_timed_region *r);
/* Run until it ends or @tick stops it. 0, or an error of the machine. */
int montecito_system_run(struct montecito_system *s, enum montecito_end *end);
/* Why it ended, in words ("" if the end says it all), and on which processor. */
const char *montecito_system_why(const struct montecito_system *s, unsigned int *vcpu);
/* Cycles and instructions since the system's start. */
void montecito_system_time(const struct montecito_system *s, uint64_t *cycles, uint64_t *insns);

/*
 * The machine's state, and the devices'. @blob is malloc()ed; it goes into any machine
 * with the same processors and memory, in the device or in-process. What it cannot be
 * is -EINVAL, and montecito_system_why() says what it is instead. Input goes on behind the bytes that montecito_system_received() counts.
 */
int montecito_system_save(struct montecito_system *s, void **blob, size_t *len);
int montecito_system_restore(struct montecito_system *s, const void *blob, size_t len);
int montecito_system_hash(struct montecito_system *s, uint64_t *hash);
/* Bytes of input that it has taken since its start. */
uint64_t montecito_system_received(const struct montecito_system *s);

/* ---- user-mode programs (process.c) ---- */

struct montecito_process;

/**
 * struct montecito_process_options - how to run a program
 * @size: of this structure, in bytes
 * @page_shift: log2 of the page size: 12 to 16
 * @argv: NULL-terminated
 * @envp: NULL-terminated
 * @budget: most instructions; 0 for no limit
 * @slice: instructions of one RUN; 0 for 2^23, which is the most
 * @tick: called each time RUN comes back, may be NULL; stops the program with
 *	its error if it returns one
 * @arg: for @tick
 * @message: takes what there is to say, a line without its end: how the program died,
 *	a system call that is not served. NULL: the library keeps quiet
 * @message_arg: for @message
 * @thread_slice: cycles of the model that a thread has the processor for, if others want it;
 *	0 for 1.6 million
 * @vcpu: the logical processor that the program has for itself, where there are several @places
 * @places: parts of equal size that guest memory has, one for each of the first so many logical
 *	processors; 0 or 1: the program has all memory, and its threads run on all vcpus
 * @first: the program that was loaded first, whose montecito_process_run() runs this one as
 *	well; NULL: this is the first
 */
struct montecito_process_options {
	uint32_t size;
	unsigned int page_shift;
	char *const *argv;
	char *const *envp;
	uint64_t budget;
	uint64_t slice;
	int (*tick)(struct montecito *m, void *arg);
	void *arg;
	void (*message)(void *arg, const char *text);
	void *message_arg;
	uint64_t thread_slice;
	unsigned int vcpu;
	unsigned int places;
	struct montecito_process *first;
};

/*
 * Load @path into @m, which must be at reset and have
 * CFG_HOST_INTERRUPTIONS, ready to run on its vcpu; with CFG_HOST_PMU as well the program can
 * measure itself (perfmonctl). Other vcpus are halted until the program has threads for them, but
 * for those of programs that were loaded before. -ENOEXEC with *@why for a
 * file that is not a static IA-64 Linux program, -EINVAL for a vcpu that is not there.
 */
int montecito_process_load(struct montecito *m, const char *path,
			   const struct montecito_process_options *opt,
			   struct montecito_process **res, const char **why);
/*
 * Run it, and the programs that have it as @first, to the end of all. Return: its exit status
 * as a shell shows it (128 + signal number after a death), -EDQUOT when the budget, which is
 * that of all together, is used up, or an error of the machine.
 */
int montecito_process_run(struct montecito_process *p);
/*
 * Have montecito_process_run() return -EINTR soon, between two instructions;
 * running again goes on there. May be called by a signal handler.
 */
void montecito_process_stop(struct montecito_process *p);
/* With the programs that have it as @first. */
void montecito_process_free(struct montecito_process *p);
/* The signal that the program died of, sent or raised; 0 for none. */
int montecito_process_signal(const struct montecito_process *p);
/*
 * The number of the process that vcpu @vcpu runs, of this program or one that was loaded behind it,
 * with the path of the file that it runs in *@program, which holds until the run goes on; 0: none.
 */
uint32_t montecito_process_running(const struct montecito_process *p, unsigned int vcpu,
				   const char **program);

/**
 * struct montecito_syscall - a system call of a program
 * @nr: its number
 * @arg: its arguments
 * @result: what it gave; an error is a negative errno
 * @tid: number of the thread; 2 is the first
 */
struct montecito_syscall {
	uint64_t nr;
	uint64_t arg[6];
	int64_t result;
	uint32_t tid;
};

/* Have @call told of each system call, when it has been served; NULL: no longer. */
void montecito_process_trace(struct montecito_process *p,
			     void (*call)(struct montecito_process *p,
					  const struct montecito_syscall *c, void *arg),
			     void *arg);
/*
 * @len bytes of its memory, for a debugger: access rights do not count, and what has not
 * been touched yet reads zero and stays untouched. -EFAULT: not all of it is mapped.
 */
int montecito_process_peek(struct montecito_process *p, uint64_t va, void *buf, size_t len);
int montecito_process_poke(struct montecito_process *p, uint64_t va, const void *buf, size_t len);
/* Change @slice, @tick and @arg of its options. */
void montecito_process_tick(struct montecito_process *p, uint64_t slice,
			    int (*tick)(struct montecito *m, void *arg), void *arg);

/*
 * Have @call called at the first group boundary at or behind each @insns retired
 * instructions, or each @cycles cycles, of which one is 0, since the start; the program
 * stops with its error if it returns one. Before montecito_process_run().
 */
void montecito_process_interval(struct montecito_process *p, uint64_t insns, uint64_t cycles,
				int (*call)(struct montecito *m, void *arg), void *arg);

/* The machine has TIMING_ON; before montecito_process_run(). What is outside runs functionally. */
int montecito_process_region(struct montecito_process *p, const struct montecito_timed_region *r);

/* ---- events (events.c) ---- */

struct montecito_symbols;

#define MONTECITO_PRESET_PARTS 5

/**
 * struct montecito_preset - a class of opcodes, for :opc=@NAME
 * @name: its name
 * @text: which instructions it holds
 * @nr: opcode matches it is made of; no instruction passes two of them
 * @part: what each compares
 */
struct montecito_preset {
	const char *name;
	const char *text;
	size_t nr;
	struct montecito_opc_match part[MONTECITO_PRESET_PARTS];
};

/* Class @index, or NULL behind the last one; the class called @name, or NULL. */
const struct montecito_preset *montecito_preset_get(size_t index);
const struct montecito_preset *montecito_preset_find(const char *name);

/**
 * struct montecito_event_spec - an event as given on a command line
 * @text: as given
 * @name: NAME or NAME.UMASK as in the event table
 * @filter: what an observer has to count
 * @all: the .all modifier was given
 * @preset: the class :opc=@NAME names, or NULL
 * @function: what :iar=FUNCTION names, or NULL
 * @period: what :period=N says, or 0
 * @left_out: of the first event of a pattern: how many rows the pattern has that the
 *	model does not count
 */
struct montecito_event_spec {
	char *text;
	const char *name;
	struct montecito_filter filter;
	bool all;
	const struct montecito_preset *preset;
	char *function;
	uint64_t period;
	size_t left_out;
};

/* Set the filter of @add, and its matches, to those of @spec, which must outlive the call of ADD. */
void montecito_spec_observe(const struct montecito_event_spec *spec,
			    struct montecito_observer_add *add);
/* The PMDs that its samples can have, of an EAR or a trace buffer of its own: bit n for PMDn. */
uint64_t montecito_spec_pmds(const struct montecito_event_spec *spec);

/*
 * Read a comma-separated list of events, adding to @specs (an array grown with
 * realloc). An element is an event, a pattern of names (as of glob(7): "L3*"), which adds
 * those rows of the table that the model counts, or a group "{A,B}:MODIFIERS" of these.
 * On -EINVAL, @msg (512 bytes) says which event and what is wrong.
 */
int montecito_events_parse(const char *list, struct montecito_event_spec **specs, size_t *nr,
			   char msg[512]);
/*
 * Restrict the events that name a function to its addresses in @program. On
 * -EINVAL, @msg says which function is not there.
 */
int montecito_events_functions(struct montecito_event_spec *specs, size_t nr, const char *program,
			       char msg[512]);
/* As montecito_events_functions(), with loaded symbols; @program is for the message alone. */
int montecito_events_symbols(struct montecito_event_spec *specs, size_t nr, const char *program,
			     const struct montecito_symbols *sym, char msg[512]);
void montecito_events_free(struct montecito_event_spec *specs, size_t nr);

/**
 * struct montecito_event_info - one row of the event table
 * @size: of this structure, in bytes
 * @name: NAME or NAME.UMASK
 * @code: event code
 * @umask: unit mask
 * @counters: "4-15", "4-9" or "10"
 * @basis: what the count goes by
 * @definition: what the manual says that it counts
 * @refused: why it is not counted; NULL if it is
 * @needs_time: it is counted with the timing model only
 * @needs_param: and in a machine with this parameter; NULL: in any
 * @zero: why it is always 0; NULL if it need not be
 * @needs_cores: it is counted where two cores share the bus only
 * @of_package: it is of both cores or of their bus: each core counts all of it, so that counts
 *	of several cores are not to be added
 */
struct montecito_event_info {
	uint32_t size;
	const char *name;
	unsigned int code;
	unsigned int umask;
	const char *counters;
	const char *basis;
	const char *definition;
	const char *refused;
	bool needs_time;
	const char *needs_param;
	const char *zero;
	bool needs_cores;
	bool of_package;
};

/*
 * Letters to insert, delete or replace to make @a of @b, in upper or lower case alike: for
 * "did you mean". Names of more than 64 letters are far from all others.
 */
unsigned int montecito_distance(const char *a, const char *b);

size_t montecito_nr_events(void);
/* Row @index; -ERANGE behind the last one. */
int montecito_event_get(size_t index, struct montecito_event_info *info);
/* Of events that observers alone count, the cycles of each cause, row @index; or -ERANGE. */
int montecito_event_of_cause(size_t index, struct montecito_event_info *info);
/* Of all events that observers alone count, those of the causes first, row @index; or -ERANGE. */
int montecito_event_beside(size_t index, struct montecito_event_info *info);

/*
 * Signal @nr, from 0 on, of the model that row @index counts, and what it means; -ERANGE
 * behind the last. Rows of causes follow those of the processor's events here. Occurrences that count: a phrase behind the signal's; NULL: all.
 */
int montecito_event_signal(size_t index, unsigned int nr, const char **name, const char **meaning);
const char *montecito_event_condition(size_t index);

/* Name of the event with this code and unit mask, or NULL. */
const char *montecito_event_name(unsigned int code, unsigned int umask);

/* ---- PMU registers (registers.c) ---- */

/**
 * struct montecito_field - a field of a PMC or PMD
 * @name: as the manual calls it
 * @high: its highest bit
 * @low: its lowest bit
 * @text: what it means
 */
struct montecito_field {
	const char *name;
	unsigned int high;
	unsigned int low;
	const char *text;
};

/* Field @index of PMC or PMD @reg, or NULL behind the last one. */
const struct montecito_field *montecito_field_get(bool pmc, unsigned int reg, size_t index);
uint64_t montecito_field_value(const struct montecito_field *f, uint64_t value);
/* The PMC or PMD with the next higher number, -1 behind the last one; start with -1. */
int montecito_register_next(bool pmc, int after);

/* ---- the architectural PMU as a program's own counters (strict.c) ---- */

/*
 * Place the events on PMC4-15 of @vcpu and start them; counter[i] is the PMD
 * of event i. Ranges and opcodes are those of all events, one match at most: they go to PMC32-36,
 * PMC38, PMC41, IBRs and DBRs. On -EINVAL or -EOPNOTSUPP, @msg names the event and the rule.
 */
int montecito_strict_start(struct montecito *m, unsigned int vcpu,
			   const struct montecito_event_spec *specs, size_t nr,
			   unsigned int *counter, char msg[512]);
/*
 * See whether the guest has left the registers alone that hold the ranges and opcodes of its
 * events: 0, or -EBUSY, and @msg names the one that it has written.
 */
int montecito_strict_check(struct montecito *m, unsigned int vcpu, char msg[512]);
/* Give those registers the guest's values back. */
int montecito_strict_stop(struct montecito *m, unsigned int vcpu);
/* Count, in 47 bits, of the PMD that montecito_strict_start() gave. */
int montecito_strict_read(struct montecito *m, unsigned int vcpu, unsigned int counter,
			  uint64_t *count);

/* ---- machines of other processes, by their descriptors (attach.c) ---- */

/*
 * A machine file descriptor that process @pid has, as one of our own, to be
 * closed. *@machine: its number; 0 for the only one of that process, and then set to
 * it. Or -ESRCH: no such process; -EPERM: it may not be traced by the caller;
 * -ENOENT: it has none such; -ENOTUNIQ: it has several.
 */
int montecito_attach(pid_t pid, uint32_t *machine);
/*
 * The machine of such a descriptor, which is its own from now on, closed by montecito_close():
 * 0 with it in *@res, or -errno and the descriptor is closed. What it adds (observers, rings,
 * other PMUs) ends with it; its memory is not mapped, and the process goes on running it.
 */
int montecito_adopt(int fd, struct montecito **res);
/* Write a PMC or PMD of a machine by such a descriptor. */
int montecito_attached_reg_set(int fd, bool pmc, uint32_t vcpu, uint32_t index, uint64_t value);

/* ---- machines of others, over generic netlink (netlink.c) ---- */

struct montecito_nl;

struct montecito_nl_machine {
	uint32_t id;
	uint32_t cores;
	uint32_t threads;
	uint32_t config;
	uint32_t uid;
	uint32_t pid; /* 0: gone, or not to be seen from here */
	uint32_t nr_vcpus;
	uint64_t memory;
	bool running;
	char name[32]; /* of that process */
};

struct montecito_nl_vcpu {
	uint32_t machine;
	uint32_t vcpu;
	uint64_t ip;
	uint64_t psr;
	uint64_t insns;
	uint64_t cycles;
	uint64_t clock; /* cycles of its core */
	bool halted;
	uint32_t observers; /* of its files, eight of them for each PMU */
	char pmus[64]; /* other processors' PMUs: their kinds and how many, or "" */
};

/**
 * struct montecito_nl_event - a notification
 * @size: of this structure, in bytes
 * @machine: whose
 * @vcpu: which vcpu of it
 * @suppressed: notifications withheld before this one
 * @overflow: a PMU overflow, @mask is PMC0; else an event that is not counted
 *	was programmed, bit n of @mask for PMCn
 * @mask: see @overflow
 * @insns: instructions the vcpu has retired
 * @cycles: its cycles
 */
struct montecito_nl_event {
	uint32_t size;
	uint32_t machine;
	uint32_t vcpu;
	uint32_t suppressed;
	bool overflow;
	uint64_t mask;
	uint64_t insns;
	uint64_t cycles;
};

/* -ENOENT when there is no such family: the module is not loaded. */
int montecito_nl_open(struct montecito_nl **res);
void montecito_nl_close(struct montecito_nl *nl);
/* The kernel's message for the last refusal; "" if there is none. */
const char *montecito_nl_message(const struct montecito_nl *nl);
int montecito_nl_machines(struct montecito_nl *nl,
			  int (*fn)(const struct montecito_nl_machine *m, void *arg), void *arg);
int montecito_nl_vcpus(struct montecito_nl *nl,
		       int (*fn)(const struct montecito_nl_vcpu *v, void *arg), void *arg);
int montecito_nl_reg_get(struct montecito_nl *nl, bool pmc, uint32_t machine, uint32_t vcpu,
			 uint32_t index, uint64_t *value);
int montecito_nl_reg_set(struct montecito_nl *nl, bool pmc, uint32_t machine, uint32_t vcpu,
			 uint32_t index, uint64_t value);
int montecito_nl_perf_mon_info(struct montecito_nl *nl, uint32_t machine, uint32_t vcpu,
			       int64_t *status, uint64_t *info, uint64_t mask[16]);
/* As montecito_cycles() tells it, of a machine that need not be the caller's. */
int montecito_nl_cycles(struct montecito_nl *nl, uint32_t machine, uint32_t vcpu,
			struct montecito_cycles *c);
/* Join the group "overflow"; then each call waits for one notification. */
int montecito_nl_subscribe(struct montecito_nl *nl);
int montecito_nl_next(struct montecito_nl *nl, struct montecito_nl_event *ev);

/* ---- symbols (symbols.c) ---- */

struct montecito_symbols;

/* NULL without memory; a file that is not there or no ELF has no functions. */
struct montecito_symbols *montecito_symbols_load(const char *path);
void montecito_symbols_free(struct montecito_symbols *s);
/*
 * Take the functions from a System.map, as nm(1) prints it, instead; code stays the
 * file's. -EINVAL: it is none. After an error there are no functions.
 */
int montecito_symbols_map(struct montecito_symbols *s, const char *path);
/*
 * Identity of this file, and its System.map, against later ones of their names: a build-id or
 * checksums; or "".
 */
const char *montecito_symbols_identity(const struct montecito_symbols *s);
/* Name of the function that holds @addr and the offset into it, or NULL. */
const char *montecito_symbols_find(const struct montecito_symbols *s, uint64_t addr,
				   uint64_t *offset);
/* Name of the sized data object that holds @addr and the offset into it, or NULL. */
const char *montecito_symbols_object(const struct montecito_symbols *s, uint64_t addr,
				     uint64_t *offset);
/*
 * Functions in order of their addresses, each address once; NULL behind the
 * last one. Names hold printable ASCII only.
 */
const char *montecito_symbols_at(const struct montecito_symbols *s, size_t index, uint64_t *addr,
				 uint64_t *size);
/* Addresses of the function called @name; how many there are: of several, the last's. */
int montecito_symbols_function(const struct montecito_symbols *sym, const char *name, uint64_t *lo,
			       uint64_t *hi);
/* Source file and *@line of the instruction at @addr (bundle address + slot), or NULL. */
const char *montecito_symbols_source(const struct montecito_symbols *s, uint64_t addr, int *line);
/* @len bytes of code at @addr, as the file has them; -ENOENT if it has none. */
int montecito_symbols_code(const struct montecito_symbols *s, uint64_t addr, void *buf, size_t len);

/* ---- disassembly (disasm.c) ---- */

/**
 * struct montecito_bundle - a bundle as an assembler would write it
 * @size: of this structure, in bytes
 * @units: the slots' units by the template, as "MII"; "???" of a reserved one
 * @text: the instructions; "" for the second slot of MLX
 * @stop: a stop follows
 */
struct montecito_bundle {
	uint32_t size;
	char units[4];
	char text[3][128];
	bool stop[3];
};

int montecito_bundle(struct montecito_bundle *b, uint64_t lo, uint64_t hi, uint64_t ip);

/* One instruction of a bundle, as mont_disasm(). */
void montecito_disasm(char *buf, size_t len, uint64_t lo, uint64_t hi, unsigned int slot,
		      uint64_t ip);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
