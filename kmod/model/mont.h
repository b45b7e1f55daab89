/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * Interface of the model to its hosts: the module's host side, and libmontecito
 * in-process. Called by both; units of the model include it for its types.
 *
 * The host provides memory and serialises: no function here may run beside
 * another one on the same package. Nothing here sleeps, allocates or calls
 * out, but to what the host gives (mont_budget.stop, an observer's overflow).
 * Numbers from outside are checked here; a negative errno-style return (MONT_E*)
 * leaves everything as it was.
 */
#ifndef MONT_MONT_H
#define MONT_MONT_H

#include "base/types.h"

#define MONT_MAX_CORES 2
#define MONT_MAX_THREADS 2 /* per core */
#define MONT_MAX_VCPUS (MONT_MAX_CORES * MONT_MAX_THREADS)
#define MONT_PAGE_SIZE 4096
#define MONT_MIN_MEMORY (1ULL << 20)
#define MONT_MAX_MEMORY (1ULL << 36)
#define MONT_MAX_REGIONS 8

/* Errors; values are those of the errno of the same name. */
#define MONT_EINVAL (-22)
#define MONT_EPERM (-1)
#define MONT_ENOENT (-2)
#define MONT_EFAULT (-14)
#define MONT_EBUSY (-16)
#define MONT_ENOSPC (-28)
#define MONT_EOPNOTSUPP (-95)
#define MONT_ERANGE (-34)

struct mont_package;
struct mont_thread;
struct mont_observer;

/* mont_config.flags */
/* Every interruption leaves mont_run() instead of going through the IVT. */
#define MONT_CFG_HOST_INTERRUPTIONS 0x1
/* A PMU overflow leaves mont_run() instead of raising PMV's vector. */
#define MONT_CFG_HOST_PMU 0x2
/* PAL_PERF_MON_INFO answers as printed (4 pairs) instead of as built (12). */
#define MONT_CFG_PAL_AS_PRINTED 0x4
/* An uncounted event programmed by the guest ends mont_run(). */
#define MONT_CFG_STRICT 0x8
/* The ALAT never holds an entry: every check load and chk.a misses. */
#define MONT_CFG_NO_ALAT 0x10
/* A break of level 0 with an immediate of MONT_FIRMWARE_* calls the host. */
#define MONT_CFG_FIRMWARE 0x20
#define MONT_CFG_ALL 0x3f

/* Immediates of a break that are calls of firmware: 0x1ff000 to 0x1fffff. */
#define MONT_FIRMWARE_BASE 0x1ff000ULL
#define MONT_FIRMWARE_SPAN 0x1000ULL

struct mont_config {
	u32 cores;
	u32 threads; /* per core */
	u32 flags;
	u32 timing; /* 1: with the timing model, which has one thread */
	u64 memory; /* bytes of all regions of memory, a multiple of MONT_PAGE_SIZE */
};

/* mont_region.flags */
/* Memory that guests can only read: a store goes to the host (MONT_EXIT_MMIO). */
#define MONT_REGION_READONLY 0x1
/* No memory: loads and stores go to the host. */
#define MONT_REGION_MMIO 0x2

/**
 * struct mont_region - a range of physical addresses that something answers at
 * @base: first address, a multiple of MONT_PAGE_SIZE
 * @size: bytes, likewise; not 0
 * @host: its bytes, page-aligned; NULL for MONT_REGION_MMIO
 * @flags: MONT_REGION_*
 * @pad: 0
 *
 * Addresses that the model serves itself (the processor interrupt block, the
 * console, PAL_PROC) go before every region. At other addresses nothing answers.
 */
struct mont_region {
	u64 base;
	u64 size;
	u8 *host;
	u32 flags;
	u32 pad;
};

/* Why mont_run() came back. Values are those of the uapi. */
enum mont_exit_reason {
	MONT_EXIT_NONE,
	MONT_EXIT_BUDGET, /* the budget is used up */
	MONT_EXIT_BREAK, /* break instruction with MONT_CFG_HOST_INTERRUPTIONS; retired */
	MONT_EXIT_INTERRUPTION, /* any other interruption with that flag */
	MONT_EXIT_PMU_OVERFLOW, /* with MONT_CFG_HOST_PMU */
	MONT_EXIT_HALT, /* every vcpu halted and nothing can wake it */
	MONT_EXIT_UNCOUNTED, /* with MONT_CFG_STRICT; once per PMC write */
	MONT_EXIT_SHUTDOWN, /* platform power-off requested by the guest */
	MONT_EXIT_CONSOLE, /* the console buffer is full: take it and run on */
	MONT_EXIT_WORK, /* the budget of work is used up; nothing happened to the guest */
	/*
	 * A reference for the host to serve; its instruction executes when the run
	 * goes on. A load waits for mont_mmio_complete(): until then every run ends
	 * with this at once.
	 */
	MONT_EXIT_MMIO,
	MONT_EXIT_FIRMWARE, /* a break with MONT_CFG_FIRMWARE; retired */
	MONT_EXIT_UNTIL, /* a thread is at mont_budget.until */
	MONT_EXIT_BREAKPOINT, /* a breakpoint is in the issue group that comes next */
	MONT_EXIT_WATCHPOINT, /* the last reference was to a watched range: mont_exit.watch */
	MONT_EXIT_STEP, /* mont_budget.step_vcpu has executed an instruction */
	MONT_EXIT_BROKEN, /* the model contradicts itself: mont_broken(); the package has ended */
	MONT_EXIT_PMU_BLOCK, /* a block with MONT_BLOCK_STOP has interrupted: mont_exit.block */
};

/* mont_breakpoint.kind */
#define MONT_BREAK_EXEC 0x1
#define MONT_BREAK_READ 0x2
#define MONT_BREAK_WRITE 0x4

#define MONT_MAX_BREAKPOINTS 64

/**
 * struct mont_breakpoint - where a run is to come back
 * @addr: of MONT_BREAK_EXEC a bundle address with the slot in bits 1:0; else the first
 *	byte, a virtual address where PSR.dt is 1
 * @length: bytes; 0 for MONT_BREAK_EXEC
 * @kind: MONT_BREAK_EXEC alone, or MONT_BREAK_READ and MONT_BREAK_WRITE
 */
struct mont_breakpoint {
	u64 addr;
	u32 length;
	u32 kind;
};

bool mont_breakpoint_ok(const struct mont_breakpoint *b);

/**
 * struct mont_watch - the first reference of a run to a watched range
 * @addr: its first byte
 * @length: its bytes
 * @kind: MONT_BREAK_READ, MONT_BREAK_WRITE or both; 0: there was none
 * @vcpu: whose
 * @pad: 0
 */
struct mont_watch {
	u64 addr;
	u32 length;
	u32 kind;
	u32 vcpu;
	u32 pad;
};

/**
 * struct mont_exit - what mont_run() tells
 * @reason: enum mont_exit_reason
 * @vcpu: which one
 * @vector: IVT offset of an interruption
 * @slot: slot of the instruction concerned
 * @ip: its bundle address; after MONT_EXIT_BREAK and MONT_EXIT_PMU_OVERFLOW
 *	the vcpu's own IP is already that of the next instruction
 * @isr: ISR as the interruption would have set it
 * @ifa: likewise
 * @iim: likewise; the immediate of a break
 * @iha: likewise
 * @itir: likewise
 * @pmc0: PMC0 at an overflow; bit n for PMCn of MONT_EXIT_UNCOUNTED
 * @insns: instructions retired by this call, all vcpus
 * @cycles: cycles passed in this call, of the vcpu furthest ahead
 * @work: units of work spent by this call
 * @pa: physical address of an MMIO reference
 * @length: its bytes: 1, 2, 4, 8 or (floating-point pairs, spill and fill) 16
 * @write: 1 for a store, 0 for a load
 * @data: a store's bytes as they would lie in memory
 * @watch: whatever @reason is
 * @within: of MONT_EXIT_STEP: it ended within an issue group, which goes on
 * @block: of MONT_EXIT_PMU_BLOCK: mont_block.id
 */
struct mont_exit {
	u32 reason;
	u32 vcpu;
	u32 vector;
	u32 slot;
	u64 ip;
	u64 isr;
	u64 ifa;
	u64 iim;
	u64 iha;
	u64 itir;
	u64 pmc0;
	u64 insns;
	u64 cycles;
	u64 work;
	u64 pa;
	u32 length;
	u32 write;
	u64 data[2];
	struct mont_watch watch;
	u32 within;
	u32 block;
};

/*
 * Bytes the host must provide, zeroed and page-aligned, for a package of this
 * configuration; 0 for a configuration that cannot be built.
 */
size_t mont_package_size(const struct mont_config *cfg);

/* Bytes of these that the timing model takes: for each core, and once for a package. */
size_t mont_timed_core_size(void);
size_t mont_timed_package_size(void);

/**
 * mont_package_init() - put a package at reset
 * @pkg: mont_package_size() zeroed bytes
 * @cfg: its configuration
 * @region: physical memory and what else the host serves, by rising address,
 *	    apart from each other; copied. Memory is zeroed by the host and adds up
 *	    to @cfg->memory.
 * @nr: 1 to MONT_MAX_REGIONS
 *
 * Return: 0, or MONT_EINVAL for a configuration that cannot be built.
 */
int mont_package_init(struct mont_package *pkg, const struct mont_config *cfg,
		      const struct mont_region *region, u32 nr);

/* vcpu @index, counted core by core; NULL if there is none. */
struct mont_thread *mont_vcpu(struct mont_package *pkg, unsigned int index);

/* Work of a mont_run() that asks for none in particular: about half a millisecond. */
#define MONT_WORK_DEFAULT 65536

/*
 * Work between two questions to the host: some tens of microseconds, and a few milliseconds
 * under an emulator.
 */
#define MONT_WORK_EVERY 2048

/*
 * How far one mont_run() may pass its budget of work. The budget is looked at behind each
 * bundle, each eight registers of the register stack engine and each cycle of a stall, so
 * this is the work of the worst of these with @counting and @sampling observers on its
 * thread, and with @blocks where it may have another processor's PMU:
 *
 * - of an observer, 26 units for two changes of level (a return to a lower one and its
 *   trap), at each of which it is told twice where to listen, settled and tagged; and 14 to
 *   be looked at by the nine words of the engine, three operands and what ends a group; with a
 *   block 26 more, for two groups that end with its interrupt, at each of which it is told
 *   where to listen, settled and tagged;
 * - of one with a period besides, 280 for twelve samples and the distances to the next ones;
 * - 4096 for what needs no observer: the fetch, ten walks that flush host-speed translations,
 *   broadcast purges of four threads, PAL, an interruption, counters armed anew at each.
 *
 * selftests/unit/sys/test_slices.c has a guest and observers for each of these terms.
 */
#define MONT_WORK_OVERSHOOT(counting, sampling, blocks)    \
	(4096 + 40ULL * (counting) + 320ULL * (sampling) + \
	 ((blocks) ? 26ULL * ((counting) + (sampling)) : 0))

/**
 * struct mont_budget - when mont_run() is to come back
 * @insns: at the first issue-group boundary with at least so many instructions
 *	   retired; 0 for no limit
 * @cycles: likewise for cycles; 0 for no limit
 * @work: after so many units of work, MONT_WORK_OVERSHOOT() more at most; 0 for
 *	  MONT_WORK_DEFAULT. A unit costs about as much host time as an
 *	  instruction: instructions, words of the register stack, observers
 *	  called, walks, TLB entries purged, interruptions, console bytes.
 * @flags: MONT_RUN_*
 * @until: with MONT_RUN_UNTIL, a bundle address: a multiple of 16; else ignored
 * @stop: asked in the course of the run: does the host want it to end? It does then, with
 *	  MONT_EXIT_WORK, at the next bundle or the next cycle of a stall. Called from
 *	  anywhere in the model, of which it may call nothing. NULL: never
 * @host: its argument
 * @every: it is asked after so many units of work; 0 for MONT_WORK_EVERY
 * @step_vcpu: with MONT_RUN_STEP, which vcpu; else ignored
 * @nr_breakpoints: up to MONT_MAX_BREAKPOINTS
 * @breakpoints: valid ones (mont_breakpoint_ok()); copied
 */
struct mont_budget {
	u64 insns;
	u64 cycles;
	u64 work;
	u32 flags;
	u64 until;
	bool (*stop)(void *host);
	void *host;
	u64 every;
	u32 step_vcpu;
	u32 nr_breakpoints;
	const struct mont_breakpoint *breakpoints;
};

/* mont_budget.flags */
/*
 * Without the timing model, whatever mont_config.timing says. What a run that keeps
 * time again finds then is in Documentation/model.rst, T11.
 */
#define MONT_RUN_FUNCTIONAL 0x1
/*
 * Come back where a thread is about to begin the bundle at @until, unless it has been
 * there since the call; before any other budget.
 */
#define MONT_RUN_UNTIL 0x2
/*
 * Come back when vcpu @step_vcpu has executed one instruction or taken an interruption,
 * in the middle of a bundle too: the group goes on with the next mont_run(). Where a
 * package keeps time this needs MONT_RUN_FUNCTIONAL.
 */
#define MONT_RUN_STEP 0x4

/**
 * mont_run() - execute
 * @pkg: the package; all its vcpus run, interleaved the same way every time
 * @budget: when to come back at the latest
 * @exit: filled
 *
 * A run split into any budgets is the same run. Where the other budgets are
 * not used up first, that of work ends it with MONT_EXIT_WORK, or a host that says stop:
 * call again.
 */
void mont_run(struct mont_package *pkg, const struct mont_budget *budget, struct mont_exit *exit);

/*
 * The invariant that has ended @pkg, or NULL (MONT_EXIT_BROKEN). Builds without MONT_CHECKS
 * do not look.
 */
const char *mont_broken(const struct mont_package *pkg);

/*
 * Run every group of @pkg the slow way from now on, if @slow, with nothing kept from the group
 * before: the checking mode of base/check.h. Builds without MONT_CHECKS have no such mode.
 */
void mont_check_set(struct mont_package *pkg, bool slow);

/* The most units of work that one mont_run() on @pkg has spent. */
u64 mont_work_max(const struct mont_package *pkg);

/*
 * Registers by class and index. FR uses both words of the value: v[0] the
 * significand, v[1] sign and exponent (bit 17, bits 16:0). GR values carry NaT
 * in v[1] bit 0. GR, FR and PR are numbered as the running code would.
 */
enum mont_reg_class {
	MONT_REG_GR, /* 0..127; outside the current frame: MONT_EINVAL */
	MONT_REG_FR, /* 0..127 */
	MONT_REG_PR, /* 0: the 64 predicates as one word, as mov r1=pr shows them */
	MONT_REG_BR, /* 0..7 */
	MONT_REG_AR, /* 0..127 */
	MONT_REG_CR, /* 0..127 */
	MONT_REG_SPECIAL, /* enum mont_reg_special */
	MONT_REG_RR, /* 0..7 */
	MONT_REG_PKR, /* 0..15 */
	MONT_REG_DBR, /* 0..7 */
	MONT_REG_IBR, /* 0..7 */
	MONT_REG_PMC, /* 0..255, with the write masks of a mov at level 0 */
	MONT_REG_PMD,
	MONT_REG_CPUID, /* 0..4, read only */
	/*
	 * Read only: the stacked registers whose place is from AR.BSPSTORE on, in the order of
	 * the backing store without its NaT collections: dirty ones, then the frame.
	 */
	MONT_REG_STACKED,
	MONT_NR_REG_CLASSES,
};

enum mont_reg_special {
	MONT_SPECIAL_IP, /* bundle address, bits 3:0 zero */
	MONT_SPECIAL_PSR, /* ri included */
	MONT_SPECIAL_CFM,
	MONT_SPECIAL_INSNS, /* instructions retired since reset, read only */
	MONT_SPECIAL_CYCLES, /* of this thread, read only */
	MONT_SPECIAL_HALTED,
	MONT_SPECIAL_CLOCK, /* of its core, read only */
	/* Of PMC4 and up to PMC15: MONT_STOOD() of the last time it stood still, read only */
	MONT_SPECIAL_STOOD,
	/*
	 * Registers between AR.BSPSTORE and AR.BSP; negative while some of the frame are yet to
	 * be loaded. May be set to 0 where it is not negative: they are given up, and with them
	 * all that the ALAT remembers.
	 */
	MONT_SPECIAL_DIRTY = MONT_SPECIAL_STOOD + 12,
	MONT_NR_SPECIAL,
};

/* Why a counter of PMC4-15 that is programmed stands still. */
enum mont_stands {
	MONT_STANDS_NOT,
	MONT_STANDS_NO_EVENT, /* no event has its code and unit mask */
	MONT_STANDS_REFUSED, /* the event's row says why it is not counted */
	MONT_STANDS_TIME, /* it needs the timing model */
	MONT_STANDS_THRESHOLD, /* its threshold does */
	MONT_STANDS_COUNTER, /* the event is not one of this counter (3.3.3, 4.8.4) */
	MONT_STANDS_SET, /* PMC5, PMC4 or PMC6 does not select its set (4.8.2, 4.8.4) */
	MONT_STANDS_RANGE, /* what empty slots have to do with a range is not defined */
	MONT_STANDS_CONSTRAINT, /* a constraint is illegal or undefined (3.3.5 to 3.3.7) */
	MONT_STANDS_TRACE, /* the trace buffer's filter needs predictions (3.3.10) */
	MONT_STANDS_EAR, /* what PMC40 asks for needs time (3.3.9) */
	MONT_STANDS_ALL, /* the event cannot be counted for both threads, and all is set (4.8.4) */
	MONT_NR_STANDS,
};

/* A PMC's value, of which bits 31:0 exist, with the reason in bits 39:32. */
/* PMCs that mont_uncounted() tells of: those of counters, and the IP-EAR's */
#define MONT_MAY_STAND (0xfff0ULL | 1ULL << 42)
#define MONT_STOOD(pmc, why) ((pmc) | (u64)(why) << 32)

int mont_reg_get(struct mont_thread *t, u32 class, u32 index, u64 v[2]);
int mont_reg_set(struct mont_thread *t, u32 class, u32 index, const u64 v[2]);

/*
 * Insert a translation into the TC as itc.i or itc.d would (@insn says which),
 * for a host that serves TLB misses: @va with its region bits, @pte as for
 * itc, @itir page size in bits 7:2 and key in 31:8. Uses the region register
 * of @va.
 */
int mont_tc_insert(struct mont_thread *t, bool insn, u64 va, u64 pte, u64 itir);
/* Purge every TC entry that overlaps 2^@ps bytes at @va (ptc.l). */
int mont_tc_purge(struct mont_thread *t, u64 va, u32 ps);

/*
 * The physical address of @va as a fetch (@insn) or a load would find it now: by the TLBs,
 * else by the VHPT if the walker may look there. Nothing changes. Or MONT_ENOENT.
 */
int mont_host_translate(struct mont_thread *t, bool insn, u64 va, u64 *pa);

/* Physical memory changed behind the model's back (user mapping, host write). */
void mont_mem_invalidate(struct mont_package *pkg, u64 pa, u64 len);
/* As mont_mem_invalidate(), for memory that belongs to a state just loaded: the ALAT stays. */
void mont_mem_restored(struct mont_package *pkg, u64 pa, u64 len);

/*
 * The bytes of the load that MONT_EXIT_MMIO told of, as they would lie in memory:
 * the instruction takes them when the run goes on. MONT_EINVAL if @t has no load
 * that waits.
 */
int mont_mmio_complete(struct mont_thread *t, const u64 data[2]);

/* Make external interrupt @vector pending; MONT_EINVAL for 1, 3..15, > 255. */
int mont_irq_inject(struct mont_thread *t, u32 vector);

/* PAL call by index; a static-register call. Returns the PAL status in ret[0]. */
int mont_pal_call(struct mont_thread *t, const u64 arg[4], u64 ret[4]);

/**
 * struct mont_sample - where a thread is, for a sample
 * @ip: bundle address of the instruction that raised the signal
 * @insns: instructions retired since reset
 * @cycles: the thread's cycles since reset
 * @clock: its core's cycles since reset
 * @slot: its slot
 * @cpl: its privilege level
 * @cause: of a cycle that passes with nothing retired: its cause, plus 1; else 0
 * @served: enum mont_served, where an occurrence of LOAD_SERVED is
 */
struct mont_sample {
	u64 ip;
	u64 insns;
	u64 cycles;
	u64 clock;
	u32 slot;
	u32 cpl;
	u32 cause;
	u32 served;
};

/* An observer's overflow may call this, mont_observer_pmd() and mont_chain_read() alone. */
void mont_sample(const struct mont_thread *t, struct mont_sample *s);

/**
 * mont_pmu_view() - the PMU's registers, as mov at level 0 reads them
 * @t: thread
 * @pmc: filled with PMC0-63; what does not exist is 0
 * @pmd: filled with PMD0-63, likewise
 *
 * Copy the PMU's registers for a snapshot. A host calls this often: it costs two copies.
 */
void mont_pmu_view(struct mont_thread *t, u64 pmc[64], u64 pmd[64]);

/* The parts of the cycle breakdown. Values are those of the uapi. */
enum mont_bar {
	MONT_BAR_UNSTALLED, /* something retires */
	MONT_BAR_BRANCH, /* flushes by mispredicted branches */
	MONT_BAR_DATA, /* the L1D's pipe, and waits for what is loaded */
	MONT_BAR_EXECUTION, /* waits for results of the FPU and of other instructions */
	MONT_BAR_RSE, /* the register stack engine */
	MONT_BAR_FRONT_END, /* no instructions to issue */
	MONT_BAR_INTERRUPTION, /* flushes by exceptions, interruptions and serialization */
	MONT_BAR_SWITCHING, /* switches from one thread of a core to the other */
	MONT_NR_BARS,
};

/**
 * struct mont_cause_info - why no group issues in a cycle: a row of causes.def
 * @name: less than 32 characters
 * @text: less than 96
 * @bar: enum mont_bar
 */
struct mont_cause_info {
	const char *name;
	const char *text;
	u32 bar;
};

/* More than there are. */
#define MONT_MAX_CAUSES 32

/* Cause @index, or NULL behind the last one. */
const struct mont_cause_info *mont_cause_info(u32 index);
/* Cycles of @t since reset in which cause @index kept its groups from issuing. */
u64 mont_cause_cycles(const struct mont_thread *t, u32 index);

/**
 * struct mont_cycles - a thread's cycles since reset
 * @cycles: all of them: @halted, @functional, @unstalled and those of the causes
 * @halted: while it was halted
 * @functional: without the timing model: nothing is known of them
 * @unstalled: with it, those in which an instruction retired
 */
struct mont_cycles {
	u64 cycles;
	u64 halted;
	u64 functional;
	u64 unstalled;
};

void mont_cycles(const struct mont_thread *t, struct mont_cycles *c);

/* Kinds of events of a trace. Values are those of the uapi. */
enum mont_trace_kind {
#define MONT_TRACE(name, time, meaning) MONT_TRACE_##name,
#include "event/trace.def"
#undef MONT_TRACE
	MONT_NR_TRACE,
};

/* @what of MONT_TRACE_REFERENCE: the level that serves it, and what else it is. */
#define MONT_TRACE_L1D 1
#define MONT_TRACE_L2D 2
#define MONT_TRACE_L3 3
#define MONT_TRACE_MEMORY 4
#define MONT_TRACE_STORE 0x100
#define MONT_TRACE_RSE 0x200

/* @value[1] of MONT_TRACE_STALL, where the cause is no operand. */
#define MONT_TRACE_NO_OPERAND (~0ULL)

/**
 * struct mont_trace_event - one event of a trace
 * @cycle: of the thread, in which it begins
 * @ip: bundle address of the instruction concerned
 * @kind: enum mont_trace_kind
 * @slot: its slot
 * @what: by kind: trace.def
 * @pad: 0
 * @value: likewise
 */
struct mont_trace_event {
	u64 cycle;
	u64 ip;
	u32 kind;
	u32 slot;
	u32 what;
	u32 pad;
	u64 value[2];
};

/**
 * struct mont_trace - a trace of one thread
 * @event: called in the course of mont_run(), in the order of the model's work: an event's
 *	cycle may lie before that of an event told earlier. May call nothing of the model.
 */
struct mont_trace {
	void (*event)(struct mont_trace *trace, const struct mont_trace_event *e);
};

/**
 * mont_trace_set() - trace a thread from now on
 * @t: thread
 * @trace: the trace, which stays until another one or NULL takes its place
 * @kinds: bit n for kind n
 *
 * A trace changes neither the state nor what is counted, and is the same however runs
 * are split; it is no part of the state. An event costs a unit of work.
 *
 * Return: 0, MONT_EINVAL for a kind that there is not, or MONT_EOPNOTSUPP for one that
 * only the timing model has, which the package lacks.
 */
int mont_trace_set(struct mont_thread *t, struct mont_trace *trace, u32 kinds);

/*
 * PMCs (bit n for PMCn) that were given an event the model does not count and
 * that no caller was told about: told once, then forgotten.
 */
u64 mont_uncounted(struct mont_thread *t);

/* Console output waits in so many bytes until the host takes it. */
#define MONT_CONSOLE_SIZE 4096

/* Copy up to @len bytes of console output to @buf. Return: how many. */
size_t mont_console_peek(const struct mont_package *pkg, char *buf, size_t len);
/* Forget the first @len bytes of it. */
void mont_console_drop(struct mont_package *pkg, size_t len);

/*
 * Give the answer of PAL_PERF_MON_INFO without guest memory: its result word, and
 * the masks of PMCs, PMDs, cycle counters and retirement counters, four words
 * each.
 */
void mont_perf_mon_info(const struct mont_thread *t, u64 *info, u64 mask[16]);

/**
 * struct mont_param - a number that the model is made with
 * @name: less than 32 characters
 * @value: its value at first
 * @unit: less than 16
 * @source: where it comes from; less than 96
 * @least: the least that it can be set to
 * @most: the most; 0: it is fixed
 * @rule: why it is; less than 128
 */
struct mont_param {
	const char *name;
	u64 value;
	const char *unit;
	const char *source;
	u64 least;
	u64 most;
	const char *rule;
};

/* Parameter @index, or NULL behind the last one. */
const struct mont_param *mont_param(u32 index);
/* Value of parameter @index on @pkg; @index is below the number of parameters. */
u64 mont_param_value(const struct mont_package *pkg, u32 index);
/*
 * Set parameter @index, between two calls of mont_run(); it is part of the state. Or MONT_ENOENT,
 * MONT_EPERM if it is fixed, MONT_EOPNOTSUPP without the timing model, MONT_EINVAL for a
 * value that it cannot have; with *@why, less than 128 characters.
 */
int mont_param_set(struct mont_package *pkg, u32 index, u64 value, const char **why);

/*
 * State in and out. The blob is versioned, covers every vcpu but not guest
 * memory, and is the same on every host. mont_state_load() checks all of it
 * before it changes anything: MONT_EINVAL for a blob this package cannot hold.
 * A blob is 8-byte aligned. Its size follows from the configuration, which is
 * one that mont_package_size() takes: a host can reckon with it before it has the
 * package.
 */
size_t mont_config_state_size(const struct mont_config *cfg);
size_t mont_state_size(const struct mont_package *pkg);
void mont_state_save(struct mont_package *pkg, void *blob);
int mont_state_load(struct mont_package *pkg, const void *blob, size_t len);

/*
 * 64-bit hash of the state and of guest memory. Equal states, equal hashes.
 * It takes about a second a gigabyte: a host that must not hold the CPU that
 * long starts with mont_state_hash_vcpus() and feeds guest memory to
 * mont_hash() piece by piece, by rising address, for the same result.
 */
u64 mont_state_hash(struct mont_package *pkg);
u64 mont_state_hash_vcpus(struct mont_package *pkg);
/* @len is a multiple of 8. */
u64 mont_hash(u64 hash, const void *buf, size_t len);

#endif
