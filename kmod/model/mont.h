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
#include "package/hostview.h"
#include "package/param.h"
#include "package/state.h"
#include "pipeline/cycles.h"

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
 * @stop: asked in the course of the run: true if the host wants it to end. It does then, with
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

#endif
