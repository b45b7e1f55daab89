/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * The Montecito processor model: /dev/montecito and the handles made from it.
 *
 * Three kinds of file descriptor:
 *
 *  - /dev/montecito itself: MONTECITO_INFO, MONTECITO_CREATE;
 *  - a machine (one processor package with its memory), from MONTECITO_CREATE;
 *  - a vcpu (one logical processor of a machine), from MONTECITO_VCPU.
 *
 * A machine lives as long as a file descriptor on it, on one of its vcpus or a
 * mapping of its memory. They may be closed in any order.
 *
 * Every command takes a pointer to a structure that begins with its size:
 *
 *  - a structure shorter than the first version of the command: %EINVAL;
 *  - a structure longer than this kernel knows, with something other than zero
 *    in the unknown part, or longer than a page: %E2BIG;
 *  - a bit set in @flags that is not listed, or padding that is not zero:
 *    %EINVAL;
 *  - a structure or a buffer that cannot be read or written: %EFAULT;
 *  - a command that this kind of file descriptor does not know: %ENOTTY;
 *  - no memory: %ENOMEM;
 *  - the caller is being killed while it waits: %EINTR;
 *  - MONTECITO_SAVE, _RESTORE or _HASH has the machine, and the command is none
 *    of those that only look at what cannot change (MONTECITO_MACHINE_INFO,
 *    _VCPU, _RING, _EVENTFD, _OBSERVER_DEL): %EBUSY.
 *
 * The rules here hold for all commands and are not repeated below. A command that fails
 * has changed nothing, unless its description says otherwise; in particular a
 * structure that cannot be written is found before the work is done. If it is
 * taken away while the work goes on, the command ends in %EFAULT, its result is
 * lost, and what it made (a machine, an observer) is gone again. On success
 * everything marked "out" has been written as far as the caller's size
 * reaches; on failure only what is marked "out, also on failure".
 *
 * Structures grow at their end, where it is safe to: what lies inside another
 * one or in an array (exits, filters, regions) has words in reserve. Words in
 * reserve and padding must be 0 in what a caller gives and are 0 in what it
 * gets.
 *
 * A command that reads or changes the machine while another thread is in
 * MONTECITO_RUN happens between two of its slices, which are about 1 ms long;
 * only MONTECITO_MEM_READ and _WRITE touch memory beside it, as the mapping does.
 *
 * The structures are also the vocabulary of libmontecito's in-process backend.
 */
#ifndef _UAPI_LINUX_MONTECITO_H
#define _UAPI_LINUX_MONTECITO_H

#include <linux/ioctl.h>
#include <linux/types.h>
#include <linux/montecito_regs.h>

#define MONTECITO_TYPE 0xea

/* Bytes of a name with its NUL: of a machine, a parameter. */
#define MONTECITO_NAME_LEN 32

enum {
	MONTECITO_CMD_BASE = 0x80,
	/* device */
	MONTECITO_CMD_INFO = MONTECITO_CMD_BASE,
	MONTECITO_CMD_CREATE,
	/* machine */
	MONTECITO_CMD_MACHINE_INFO = 0x90,
	MONTECITO_CMD_MEM_READ,
	MONTECITO_CMD_MEM_WRITE,
	MONTECITO_CMD_MEM_INVALIDATE,
	MONTECITO_CMD_SAVE,
	MONTECITO_CMD_RESTORE,
	MONTECITO_CMD_HASH,
	MONTECITO_CMD_RUN,
	MONTECITO_CMD_VCPU,
	MONTECITO_CMD_CONSOLE,
	MONTECITO_CMD_PARAM_GET,
	MONTECITO_CMD_PARAM_SET,
	/* vcpu */
	MONTECITO_CMD_GET_REGS = 0xb0,
	MONTECITO_CMD_SET_REGS,
	MONTECITO_CMD_PAL,
	MONTECITO_CMD_IRQ,
	MONTECITO_CMD_TC_INSERT,
	MONTECITO_CMD_TC_PURGE,
	MONTECITO_CMD_OBSERVER_ADD,
	MONTECITO_CMD_OBSERVER_DEL,
	MONTECITO_CMD_OBSERVER_READ,
	MONTECITO_CMD_RING,
	MONTECITO_CMD_EVENTFD,
	MONTECITO_CMD_PMU_SAMPLING,
	MONTECITO_CMD_TABLE_READ,
	MONTECITO_CMD_CYCLES,
	MONTECITO_CMD_TRANSLATE,
	MONTECITO_CMD_TRACE,
	MONTECITO_CMD_PMU_ADD,
	MONTECITO_CMD_PMU_DEL,
	MONTECITO_CMD_PMU_GET_REGS,
	MONTECITO_CMD_PMU_SET_REGS,
	MONTECITO_CMD_PMU_DESCRIBE,
};

/* ------------------------------------------------------------------------
 * Device
 */

/*
 * montecito_info.capabilities. What has no bit here is refused with %EOPNOTSUPP,
 * never taken and ignored.
 */
#define MONTECITO_CAP_FUNCTIONAL (1ULL << 0) /* executes without timing */
#define MONTECITO_CAP_TIMING (1ULL << 1) /* has the timing model: TIMING_ON */
#define MONTECITO_CAP_OBSERVERS (1ULL << 2)
#define MONTECITO_CAP_RING (1ULL << 3)
#define MONTECITO_CAP_TABLE (1ULL << 4) /* OBSERVER_TABLE */
#define MONTECITO_CAP_PMU_SAMPLING (1ULL << 5)
#define MONTECITO_CAP_SNAPSHOT (1ULL << 6)
#define MONTECITO_CAP_REGIONS (1ULL << 7) /* several regions, at any address */
#define MONTECITO_CAP_MMIO (1ULL << 8) /* REGION_MMIO, EXIT_MMIO */
#define MONTECITO_CAP_FIRMWARE (1ULL << 9) /* CFG_FIRMWARE, EXIT_FIRMWARE */
#define MONTECITO_CAP_SCOPE (1ULL << 10) /* filters of a core or package */
#define MONTECITO_CAP_LATENCY (1ULL << 11) /* filters with a latency */
#define MONTECITO_CAP_CALLCHAIN (1ULL << 12) /* OBSERVER_CALLCHAIN */
#define MONTECITO_CAP_SAMPLE_PMDS (1ULL << 13) /* PMDs in observers' samples */
#define MONTECITO_CAP_PARAM_SET (1ULL << 14) /* some parameter can be set */
#define MONTECITO_CAP_PERF (1ULL << 15) /* the host's own perf has a PMU "montecito" */
#define MONTECITO_CAP_TRACE (1ULL << 16) /* TRACE */
#define MONTECITO_CAP_PMU_KINDS (1ULL << 17) /* PMU_ADD: other processors' PMUs */

/* montecito_create.config */
/* Every interruption ends RUN instead of going through the guest's IVT. */
#define MONTECITO_CFG_HOST_INTERRUPTIONS (1U << 0)
/* A PMU overflow ends RUN instead of raising PMV's vector in the guest. */
#define MONTECITO_CFG_HOST_PMU (1U << 1)
/* PAL_PERF_MON_INFO answers as printed (4 pairs) instead of as built (12). */
#define MONTECITO_CFG_PAL_AS_PRINTED (1U << 2)
/* An event that is not counted, programmed by the guest, ends RUN. */
#define MONTECITO_CFG_STRICT (1U << 3)
/* The ALAT never holds an entry: every check load and chk.a misses. */
#define MONTECITO_CFG_NO_ALAT (1U << 4)
/* A break of level 0 with an immediate from 0x1ff000 to 0x1fffff ends RUN. */
#define MONTECITO_CFG_FIRMWARE (1U << 5)

/**
 * struct montecito_info - ioctl(MONTECITO_INFO)
 * @size: sizeof(struct montecito_info)
 * @flags: must be 0
 * @capabilities: out: MONTECITO_CAP_*
 * @config_mask: out: the MONTECITO_CFG_* that MONTECITO_CREATE takes
 * @max_cores: out: most cores of a machine
 * @max_threads: out: most threads of a core
 * @max_regions: out: most memory regions of a machine
 * @min_memory: out: least guest memory in bytes, all regions together
 * @max_memory: out: most guest memory in bytes
 * @page_size: out: regions begin and end at multiples of this
 * @max_batch: out: most entries of one batch (registers, observers)
 * @max_observers: out: most observers of one machine
 * @max_vcpu_observers: out: most observers of one vcpu
 * @max_vcpu_files: out: most open files on the vcpus of one machine
 * @max_ring_order: out: largest @order of MONTECITO_RING
 * @max_table_order: out: largest @table_order of MONTECITO_OBSERVER_ADD
 * @max_vcpu_samplers: out: most of a vcpu's observers that may have a period:
 *	each sample is work, and so many in one bundle bound @work
 * @work: out: most units of work (instructions, register-stack words,
 *	observers' callbacks, ...) that RUN does between two looks at signals
 *	and the scheduler
 * @max_perf_events: out: most events of the host's own perf that count in a vcpu
 *	at a time, which is as many as can be active on a CPU; 0 without CAP_PERF
 * @max_perf_samplers: out: most of them that may have a period
 * @perf_events: out: how many there are that would count a RUN by the caller now
 * @pad: out: 0
 * @model: out: name of the model, NUL-terminated
 * @memory_limit: out: most bytes that all machines of this system may have together, with
 *	all that belongs to them; 0: no limit but the system's (in-process)
 * @memory_used: out: bytes of these that are in use
 * @max_callchain: out: most return addresses of a sample (OBSERVER_CALLCHAIN)
 * @max_vcpu_pmus: out: most PMUs of PMU_ADD on one vcpu; each is eight of @max_vcpu_observers
 *	and of @max_vcpu_samplers as well
 * @timed_core: out: bytes that the timing model takes for a core, beside the core's state
 *	without it
 * @timed_package: out: bytes that it takes once for a machine, for groups it has worked out
 *
 * Describe this implementation. Needs nothing but an open file.
 */
struct montecito_info {
	__u32 size;
	__u32 flags;
	__aligned_u64 capabilities;
	__u32 config_mask;
	__u32 max_cores;
	__u32 max_threads;
	__u32 max_regions;
	__aligned_u64 min_memory;
	__aligned_u64 max_memory;
	__u32 page_size;
	__u32 max_batch;
	__u32 max_observers;
	__u32 max_vcpu_observers;
	__u32 max_vcpu_files;
	__u32 max_ring_order;
	__u32 max_table_order;
	__u32 max_vcpu_samplers;
	__aligned_u64 work;
	__u32 max_perf_events;
	__u32 max_perf_samplers;
	__u32 perf_events;
	__u32 pad;
	char model[MONTECITO_NAME_LEN];
	__aligned_u64 memory_limit;
	__aligned_u64 memory_used;
	__u32 max_callchain;
	__u32 max_vcpu_pmus;
	__aligned_u64 timed_core;
	__aligned_u64 timed_package;
};

#define MONTECITO_INFO _IO(MONTECITO_TYPE, MONTECITO_CMD_INFO)

/* montecito_region.flags */
#define MONTECITO_REGION_READONLY (1U << 0) /* the guest's stores end RUN */
#define MONTECITO_REGION_MMIO (1U << 1) /* no memory: loads and stores end RUN */

/**
 * struct montecito_region - a piece of the guest's physical address space
 * @addr: first guest physical address
 * @length: bytes
 * @flags: MONTECITO_REGION_*
 * @pad: must be 0
 * @reserved: must be 0
 */
struct montecito_region {
	__aligned_u64 addr;
	__aligned_u64 length;
	__u32 flags;
	__u32 pad;
	__aligned_u64 reserved;
};

/* montecito_create.timing */
#define MONTECITO_TIMING_OFF 0 /* functional: each bundle begun is a cycle */
#define MONTECITO_TIMING_ON 1 /* the pipeline of each core, and their bus, cycle by cycle */

/**
 * struct montecito_create - ioctl(MONTECITO_CREATE)
 * @size: sizeof(struct montecito_create)
 * @flags: must be 0
 * @cores: 1 or 2
 * @threads: per core, 1 or 2
 * @config: MONTECITO_CFG_*
 * @timing: MONTECITO_TIMING_*
 * @nr_regions: entries of @regions
 * @pad: must be 0
 * @regions: user pointer to struct montecito_region[@nr_regions], by address,
 *	none overlapping another
 * @locked: out, also on failure (0 when that is not known yet): bytes charged
 *	against RLIMIT_MEMLOCK
 * @name: what the machine is called in generic netlink, NUL-terminated; ""
 *	for that of the calling process
 *
 * Make a machine at reset, its memory zero. Guest memory and the model's state
 * are charged to the caller's memory control group and, unless the caller has
 * CAP_IPC_LOCK, to its user's RLIMIT_MEMLOCK. Both carry it until the machine
 * is gone, in whichever process its file descriptors are then. All machines of the
 * system together have no more than montecito_info.memory_limit, capabilities or not,
 * and an eighth of the system's memory is left alone.
 *
 * Return: a machine file descriptor (close-on-exec), or
 *  * EINVAL: @cores, @threads, @config, @timing, @name or @regions cannot be had
 *  * EFAULT: @regions cannot be read
 *  * ENOMEM: also: @locked is more than RLIMIT_MEMLOCK or montecito_info.memory_limit
 *    leaves, or reaches into the system's reserve
 *  * EMFILE, ENFILE: no more file descriptors
 */
struct montecito_create {
	__u32 size;
	__u32 flags;
	__u32 cores;
	__u32 threads;
	__u32 config;
	__u32 timing;
	__u32 nr_regions;
	__u32 pad;
	__aligned_u64 regions;
	__aligned_u64 locked;
	char name[MONTECITO_NAME_LEN];
};

#define MONTECITO_CREATE _IO(MONTECITO_TYPE, MONTECITO_CMD_CREATE)

/* ------------------------------------------------------------------------
 * Machine
 *
 * mmap() of a machine file descriptor, MAP_SHARED, at an offset is the guest's
 * memory at that physical address: EINVAL for a range that is not inside one
 * region with memory, and for a private mapping. What is stored there is data
 * to the guest at once; code changed that way needs MONTECITO_MEM_INVALIDATE,
 * as fc.i would be needed on the processor. While MONTECITO_SAVE, _RESTORE or
 * _HASH has the machine, loads and stores there wait, for as long as its memory is
 * copied or hashed. An access that cannot wait (/proc/PID/mem of another process,
 * io_uring's registration of a buffer) fails meanwhile.
 *
 * mmap() at %MONTECITO_MMAP_SNAPSHOT + n * (the host's page size), one page,
 * PROT_READ and MAP_SHARED, is the snapshot of vcpu n; on a vcpu file
 * descriptor, at %MONTECITO_MMAP_SNAPSHOT, its own.
 */
#define MONTECITO_MMAP_SNAPSHOT (1ULL << 62)

/* Most entries of MONTECITO_CYCLES. */
#define MONTECITO_MAX_CAUSES 32

/* montecito_snapshot.flags */
#define MONTECITO_SNAPSHOT_RUNNING (1U << 0) /* the machine is in RUN */
#define MONTECITO_SNAPSHOT_HALTED (1U << 1)

/**
 * struct montecito_snapshot - a vcpu as it was last published
 * @seq: odd while it is being written
 * @length: bytes of this structure that are there
 * @vcpu: index of the vcpu
 * @flags: MONTECITO_SNAPSHOT_*
 * @ip: bundle address
 * @psr: PSR, with ri
 * @insns: instructions retired since reset
 * @cycles: cycles of this thread since reset
 * @clock: cycles of its core since reset
 * @pmc: PMCs 0 to 63, as a mov at level 0 reads them
 * @pmd: PMDs 0 to 63, likewise
 * @halted: of @cycles, as MONTECITO_CYCLES has them
 * @functional: likewise
 * @unstalled: likewise
 * @nr_causes: entries of @cause
 * @pad: 0
 * @cause: cycles in which nothing retired, by reason, in the order of MONTECITO_CYCLES
 *
 * The structure grows at its end: @length says how far it reaches. It is published at the
 * end of each of RUN's slices and after each change that a command makes. To read it: load
 * @seq with acquire semantics, start again if it is odd; copy; a read barrier; load @seq
 * and start again if it has changed.
 */
struct montecito_snapshot {
	__u32 seq;
	__u32 length;
	__u32 vcpu;
	__u32 flags;
	__aligned_u64 ip;
	__aligned_u64 psr;
	__aligned_u64 insns;
	__aligned_u64 cycles;
	__aligned_u64 clock;
	__aligned_u64 pmc[64];
	__aligned_u64 pmd[64];
	__aligned_u64 halted;
	__aligned_u64 functional;
	__aligned_u64 unstalled;
	__u32 nr_causes;
	__u32 pad;
	__aligned_u64 cause[MONTECITO_MAX_CAUSES];
};

/**
 * struct montecito_refused - an event of the host's own perf that a machine does not count
 * @config: of the event: its perf_event_attr.config, with the levels that it counts
 * @pad: 0
 * @why: the rule that refuses it
 */
struct montecito_refused {
	__u32 config;
	__u32 pad;
	char why[128];
};

/**
 * struct montecito_machine_info - ioctl(MONTECITO_MACHINE_INFO)
 * @size: sizeof(struct montecito_machine_info)
 * @flags: must be 0
 * @id: out: the machine's number in generic netlink; 0 in-process
 * @nr_vcpus: out: @cores times @threads
 * @cores: out: as created
 * @threads: out: as created
 * @config: out: as created
 * @timing: out: as created
 * @nr_regions: room for entries at @regions; out: how many there are
 * @nr_refused: room for entries at @refused; out: how many there are
 * @regions: user pointer to struct montecito_region[@nr_regions], written as far
 *	as both reach; may be 0 with @nr_regions 0
 * @refused: user pointer to struct montecito_refused[@nr_refused], likewise: events of
 *	perf's that this machine was to count and does not, the first sixteen of them
 * @memory: out: bytes of guest memory, all regions together
 * @state_length: out: bytes that MONTECITO_SAVE writes
 * @locked: out: bytes charged against RLIMIT_MEMLOCK; 0 if its maker was exempt
 * @work: out: most units of work that any slice of RUN has done
 * @name: out: as created
 */
struct montecito_machine_info {
	__u32 size;
	__u32 flags;
	__u32 id;
	__u32 nr_vcpus;
	__u32 cores;
	__u32 threads;
	__u32 config;
	__u32 timing;
	__u32 nr_regions;
	__u32 nr_refused;
	__aligned_u64 regions;
	__aligned_u64 refused;
	__aligned_u64 memory;
	__aligned_u64 state_length;
	__aligned_u64 locked;
	__aligned_u64 work;
	char name[MONTECITO_NAME_LEN];
};

#define MONTECITO_MACHINE_INFO _IO(MONTECITO_TYPE, MONTECITO_CMD_MACHINE_INFO)

/**
 * struct montecito_mem - ioctl(MONTECITO_MEM_READ, _WRITE, _INVALIDATE)
 * @size: sizeof(struct montecito_mem)
 * @flags: must be 0
 * @addr: guest physical address
 * @length: bytes, any alignment; 0 is allowed and does nothing
 * @data: user pointer; must be 0 for MONTECITO_MEM_INVALIDATE
 *
 * Copy guest memory out or in, or tell the processor that code in a range has
 * changed through the mapping. MEM_WRITE invalidates what it wrote.
 * MEM_WRITE may write what is read-only for the guest. A copy that ends in
 * %EFAULT may have done a part of its work; so may one that a fatal signal ends.
 *
 * Return: 0, or
 *  * EINVAL: the range is not inside one region with memory; @data with
 *    MEM_INVALIDATE
 */
struct montecito_mem {
	__u32 size;
	__u32 flags;
	__aligned_u64 addr;
	__aligned_u64 length;
	__aligned_u64 data;
};

#define MONTECITO_MEM_READ _IO(MONTECITO_TYPE, MONTECITO_CMD_MEM_READ)
#define MONTECITO_MEM_WRITE _IO(MONTECITO_TYPE, MONTECITO_CMD_MEM_WRITE)
#define MONTECITO_MEM_INVALIDATE _IO(MONTECITO_TYPE, MONTECITO_CMD_MEM_INVALIDATE)

#define MONTECITO_STATE_MAGIC 0x6174736369746e6dULL /* "mnticsta" in memory */
#define MONTECITO_STATE_VERSION 2

/**
 * struct montecito_state_header - how a state blob begins
 * @magic: %MONTECITO_STATE_MAGIC
 * @version: %MONTECITO_STATE_VERSION: of this header and of how sections follow
 * @header_length: bytes of this header; the first section follows
 * @length: bytes of the blob with this header
 * @cores: the configuration that was saved
 * @threads: likewise
 * @config: likewise
 * @timing: likewise
 *
 * Little-endian, and every section at a multiple of 8 bytes. Observers, rings,
 * eventfds and what MONTECITO_PMU_SAMPLING sets belong to file descriptors and
 * are not part of the state.
 */
struct montecito_state_header {
	__aligned_u64 magic;
	__u32 version;
	__u32 header_length;
	__aligned_u64 length;
	__u32 cores;
	__u32 threads;
	__u32 config;
	__u32 timing;
};

#define MONTECITO_STATE_TAG(a, b, c, d) \
	((__u32)(a) | (__u32)(b) << 8 | (__u32)(c) << 16 | (__u32)(d) << 24)

/* montecito_state_section.tag; what the model saves of itself has tags of its own. */
#define MONTECITO_STATE_UNCOUNTED MONTECITO_STATE_TAG('U', 'N', 'C', 'T')
#define MONTECITO_STATE_MEMORY MONTECITO_STATE_TAG('M', 'E', 'M', 'O')
/*
 * Set in the tags of sections that userspace adds for devices of its own. SAVE
 * writes none; RESTORE passes over them.
 */
#define MONTECITO_STATE_TAG_USER 0x80000000U

/**
 * struct montecito_state_section - how each section of a blob begins
 * @tag: what it holds
 * @version: of its contents
 * @length: bytes of data behind this header, a multiple of 8
 *
 * First the model's sections in its own order, then %MONTECITO_STATE_UNCOUNTED
 * (one 64-bit word for each vcpu: PMCs that the next RUN has to report), then for
 * each region with memory one %MONTECITO_STATE_MEMORY, by address: its first
 * address in 8 bytes, and its bytes. Sections of userspace come last.
 */
struct montecito_state_section {
	__u32 tag;
	__u32 version;
	__aligned_u64 length;
};

/**
 * struct montecito_state - ioctl(MONTECITO_SAVE, MONTECITO_RESTORE)
 * @size: sizeof(struct montecito_state)
 * @flags: must be 0
 * @length: bytes at @data. SAVE, out, also on failure: bytes of the blob
 * @data: user pointer
 *
 * The whole state of the machine as one blob: every vcpu, the package, and
 * guest memory. SAVE with @length 0 only asks for the length. RESTORE checks
 * the whole blob before it changes anything; it takes blobs of machines with
 * the same cores, threads, config, timing and memory. Both are one instant to
 * other callers: all other commands are refused meanwhile, and accesses to the
 * mapping wait. The blob's pages are made present and pinned before that instant,
 * which may take as long as their provider likes (userfaultfd, FUSE), and count as
 * locked memory of the caller until the end; the instant itself waits for nothing.
 *
 * Return: 0, or
 *  * ENOSPC: SAVE: @length is not 0 and less than the blob
 *  * EINVAL: RESTORE: not a blob, or not one of such a machine
 *  * EBUSY: the machine is in MONTECITO_RUN, or a MONTECITO_MEM_READ, _WRITE or
 *    _CONSOLE is under way
 *  * EFAULT: also: @data lies in the machine's own mapping
 *  * ENOMEM: also: the blob is more than RLIMIT_MEMLOCK leaves
 */
struct montecito_state {
	__u32 size;
	__u32 flags;
	__aligned_u64 length;
	__aligned_u64 data;
};

#define MONTECITO_SAVE _IO(MONTECITO_TYPE, MONTECITO_CMD_SAVE)
#define MONTECITO_RESTORE _IO(MONTECITO_TYPE, MONTECITO_CMD_RESTORE)

/**
 * struct montecito_hash - ioctl(MONTECITO_HASH)
 * @size: sizeof(struct montecito_hash)
 * @flags: must be 0
 * @hash: out: 64-bit hash of all that MONTECITO_SAVE would save
 *
 * Equal states have equal hashes, on every host and in-process. One instant, as
 * MONTECITO_SAVE.
 *
 * Return: 0, or
 *  * EBUSY: as for MONTECITO_SAVE
 */
struct montecito_hash {
	__u32 size;
	__u32 flags;
	__aligned_u64 hash;
};

#define MONTECITO_HASH _IO(MONTECITO_TYPE, MONTECITO_CMD_HASH)

/* montecito_exit.reason */
#define MONTECITO_EXIT_NONE 0
#define MONTECITO_EXIT_BUDGET 1 /* the budget is used up */
#define MONTECITO_EXIT_BREAK 2 /* a break, with CFG_HOST_INTERRUPTIONS; retired */
#define MONTECITO_EXIT_INTERRUPTION 3 /* any other interruption with that flag */
#define MONTECITO_EXIT_PMU_OVERFLOW 4 /* with CFG_HOST_PMU */
#define MONTECITO_EXIT_HALT 5 /* every vcpu halted, nothing can wake one */
#define MONTECITO_EXIT_UNCOUNTED 6 /* with CFG_STRICT; once per PMC write */
#define MONTECITO_EXIT_SHUTDOWN 7 /* the guest switched the platform off */
#define MONTECITO_EXIT_CONSOLE 8 /* the console buffer is full: take it, run on */
#define MONTECITO_EXIT_MMIO 10 /* an access that the caller serves */
#define MONTECITO_EXIT_FIRMWARE 11 /* a firmware call, with CFG_FIRMWARE */
#define MONTECITO_EXIT_UNTIL 12 /* a vcpu is at the address of RUN_UNTIL */
#define MONTECITO_EXIT_BREAKPOINT 13 /* a breakpoint of RUN_BREAKPOINTS comes next */
#define MONTECITO_EXIT_WATCHPOINT 14 /* what it watches has been referred to: @watch */
#define MONTECITO_EXIT_STEP 15 /* the vcpu of RUN_STEP has executed an instruction */
/*
 * The model contradicts itself, which only builds with checks find out: the kernel's log has
 * the invariant. Each RUN from there on ends with this.
 */
#define MONTECITO_EXIT_BROKEN 16
#define MONTECITO_EXIT_PMU_BLOCK 17 /* a PMU of PMU_ADD with PMU_STOP has interrupted */
#define MONTECITO_EXIT_SIGNAL 64 /* a signal is pending for the caller */

/**
 * struct montecito_mmio - an access that the host serves: no memory, or read-only
 * @addr: guest physical address
 * @length: bytes: 1, 2, 4, 8 or 16
 * @write: 1 for a store, 0 for a load
 * @data: what is stored, as it would lie in memory; 0 for a load
 *
 * A store has retired. A load has not: give its value with the next RUN
 * (%MONTECITO_RUN_MMIO_DATA), which executes it again and takes the value.
 */
struct montecito_mmio {
	__aligned_u64 addr;
	__u32 length;
	__u32 write;
	__aligned_u64 data[2];
};

/**
 * struct montecito_watch - the first reference of a RUN to a watched range
 * @addr: its first byte, an address as the instruction gave it
 * @length: its bytes
 * @kind: MONTECITO_BREAK_READ, MONTECITO_BREAK_WRITE, both; 0: there was none
 * @vcpu: index of the vcpu that made it
 * @pad: 0
 */
struct montecito_watch {
	__aligned_u64 addr;
	__u32 length;
	__u32 kind;
	__u32 vcpu;
	__u32 pad;
};

/**
 * struct montecito_exit - why MONTECITO_RUN came back
 * @reason: MONTECITO_EXIT_*
 * @vcpu: index of the vcpu concerned
 * @vector: IVT offset of an interruption
 * @slot: slot of the instruction concerned
 * @ip: its bundle address. After EXIT_BREAK the vcpu's own IP is already that
 *	of the next instruction; at EXIT_PMU_OVERFLOW @ip and @slot are those of
 *	the next instruction too, as IIP and ISR.ei would be in a guest's handler
 * @isr: ISR as the interruption would have set it
 * @ifa: likewise
 * @iim: likewise; the immediate of a break or a firmware call
 * @iha: likewise
 * @itir: likewise
 * @pmc0: PMC0 at an overflow; bit n for PMCn of EXIT_UNCOUNTED
 * @insns: instructions retired by this RUN, all vcpus together
 * @cycles: core cycles passed in this RUN, of the core furthest ahead
 * @mmio: the access of EXIT_MMIO
 * @watch: with RUN_BREAKPOINTS, whatever the reason is: the reference has been made, and
 *	its issue group has ended unless RUN_STEP ended it
 * @within: of EXIT_STEP: 1 if it ended within an issue group
 * @block: of EXIT_PMU_BLOCK: its number on the file of @vcpu that has added it. @ip and @slot
 *	are those of the next instruction
 * @reserved: 0
 *
 * Members that a reason does not fill are 0. At EXIT_FIRMWARE the registers hold the
 * call's arguments; the guest goes on behind the break.
 */
struct montecito_exit {
	__u32 reason;
	__u32 vcpu;
	__u32 vector;
	__u32 slot;
	__aligned_u64 ip;
	__aligned_u64 isr;
	__aligned_u64 ifa;
	__aligned_u64 iim;
	__aligned_u64 iha;
	__aligned_u64 itir;
	__aligned_u64 pmc0;
	__aligned_u64 insns;
	__aligned_u64 cycles;
	struct montecito_mmio mmio;
	struct montecito_watch watch;
	__u32 within;
	__u32 block;
	__aligned_u64 reserved[9];
};

/* montecito_run.flags */
#define MONTECITO_RUN_MMIO_DATA (1U << 0) /* @mmio_data answers EXIT_MMIO */
#define MONTECITO_RUN_FUNCTIONAL (1U << 1) /* without the timing model, this time */
#define MONTECITO_RUN_UNTIL (1U << 2) /* stop at @until */
#define MONTECITO_RUN_BREAKPOINTS (1U << 3) /* stop at @breakpoints */
#define MONTECITO_RUN_STEP (1U << 4) /* stop behind one instruction of @step_vcpu */

/* montecito_breakpoint.kind */
#define MONTECITO_BREAK_EXEC 0x1
#define MONTECITO_BREAK_READ 0x2
#define MONTECITO_BREAK_WRITE 0x4

/* Most breakpoints of a RUN. */
#define MONTECITO_MAX_BREAKPOINTS 64

/**
 * struct montecito_breakpoint - where RUN is to stop
 * @addr: of BREAK_EXEC a bundle address with the slot, 0 to 2, in its low bits; an
 *	instruction of two slots is in slot 1. Else the first byte that is watched
 * @length: bytes that are watched; 0 for BREAK_EXEC
 * @kind: BREAK_EXEC alone, or BREAK_READ, BREAK_WRITE or both
 *
 * Addresses are those that the guest's code and references have, virtual or physical as
 * its PSR says. The RSE's references count, the VHPT walker's and those to what is no
 * memory do not.
 */
struct montecito_breakpoint {
	__aligned_u64 addr;
	__u32 length;
	__u32 kind;
};

/**
 * struct montecito_run - ioctl(MONTECITO_RUN)
 * @size: sizeof(struct montecito_run)
 * @flags: MONTECITO_RUN_*
 * @insns: stop at the first issue-group boundary with at least so many
 *	instructions retired by this RUN; 0: no limit
 * @cycles: likewise for cycles; 0: no limit
 * @mmio_data: with RUN_MMIO_DATA: what vcpu @mmio_vcpu's load finds, as it would
 *	lie in memory; else 0
 * @mmio_vcpu: see @mmio_data; else 0
 * @uncounted_vcpu: out: see @uncounted
 * @uncounted: out: bit n: PMCn of @uncounted_vcpu was given an event that the
 *	model does not count, and no RUN has told so before, whatever the PMC has been
 *	given since: MONTECITO_SPECIAL_STOOD has its value then and the reason; bit 42: PMC42
 *	selects the IP-EAR, without time or in a reserved mode; 0 for none
 * @until: with RUN_UNTIL: stop (EXIT_UNTIL) where a vcpu is about to begin the bundle
 *	at this address, unless it has been there since the RUN began; else 0
 * @exit: out: why it stopped
 * @nr_breakpoints: with RUN_BREAKPOINTS, up to %MONTECITO_MAX_BREAKPOINTS; else 0
 * @step_vcpu: with RUN_STEP, index of a vcpu; else 0
 * @breakpoints: with RUN_BREAKPOINTS, user pointer to struct
 *	montecito_breakpoint[@nr_breakpoints]; else 0
 *
 * Execute, in the caller's context, until something in MONTECITO_EXIT_* comes
 * up. A signal ends it with success and %MONTECITO_EXIT_SIGNAL, with what ran
 * until then in @exit: nothing is lost, call it again to go on. A run split
 * into any number of RUNs is the same run.
 *
 * RUN_FUNCTIONAL makes of a machine with TIMING_ON a fast one for this RUN: a cycle
 * is a bundle, events that need time and thresholds stand still. The RUN without it
 * that follows begins with an empty pipe and empty L1 TLBs, and with caches and
 * predictors as the last such RUN left them. On other machines it does nothing.
 *
 * RUN_BREAKPOINTS and RUN_STEP are for debuggers and leave no trace in the guest nor in its
 * time. EXIT_BREAKPOINT comes at the boundary of issue groups in front of the group that
 * the instruction at @exit.ip and @exit.slot is in, also if the RUN begins there; behind
 * a branch in the group it may not be reached. RUN_STEP ends when vcpu @step_vcpu has
 * executed one instruction, which meets no BREAK_EXEC, or has taken an interruption: in
 * the middle of a bundle too, whose group the next RUN goes on with. On a machine with
 * TIMING_ON it needs RUN_FUNCTIONAL: what leaves no trace there is a SAVE before and a
 * RESTORE behind it.
 *
 * Return: 0, or
 *  * EINVAL: @mmio_data or @mmio_vcpu without RUN_MMIO_DATA; @until without RUN_UNTIL,
 *    or not a multiple of 16; @nr_breakpoints or @breakpoints without RUN_BREAKPOINTS, too
 *    many, or one that cannot be; @step_vcpu without RUN_STEP, or RUN_STEP with time
 *  * ENOENT: RUN_MMIO_DATA, and there is no such vcpu or it waits for nothing; RUN_STEP,
 *    and there is no such vcpu
 *  * EFAULT: @breakpoints cannot be read
 *  * EBUSY: the machine is in MONTECITO_RUN
 */
struct montecito_run {
	__u32 size;
	__u32 flags;
	__aligned_u64 insns;
	__aligned_u64 cycles;
	__aligned_u64 mmio_data[2];
	__u32 mmio_vcpu;
	__u32 uncounted_vcpu;
	__aligned_u64 uncounted;
	__aligned_u64 until;
	struct montecito_exit exit;
	__u32 nr_breakpoints;
	__u32 step_vcpu;
	__aligned_u64 breakpoints;
};

#define MONTECITO_RUN _IO(MONTECITO_TYPE, MONTECITO_CMD_RUN)

/**
 * struct montecito_vcpu - ioctl(MONTECITO_VCPU)
 * @size: sizeof(struct montecito_vcpu)
 * @flags: must be 0
 * @index: which vcpu, counted core by core from 0
 * @pad: must be 0
 *
 * Open a vcpu. Each call gives a new file description with observers, a ring
 * and an eventfd of its own.
 *
 * Return: a vcpu file descriptor (close-on-exec), or
 *  * ENOENT: there is no such vcpu
 *  * ENOSPC: the machine's vcpus have as many files as INFO allows
 *  * EMFILE, ENFILE: no more file descriptors
 */
struct montecito_vcpu {
	__u32 size;
	__u32 flags;
	__u32 index;
	__u32 pad;
};

#define MONTECITO_VCPU _IO(MONTECITO_TYPE, MONTECITO_CMD_VCPU)

/**
 * struct montecito_console - ioctl(MONTECITO_CONSOLE)
 * @size: sizeof(struct montecito_console)
 * @flags: must be 0
 * @length: bytes at @data; out: bytes written there, 0 when nothing waits
 * @data: user pointer
 *
 * Take what the guest wrote to its console.
 *
 * Return: 0, or
 *  * EBUSY: another thread is in MONTECITO_CONSOLE
 */
struct montecito_console {
	__u32 size;
	__u32 flags;
	__aligned_u64 length;
	__aligned_u64 data;
};

#define MONTECITO_CONSOLE _IO(MONTECITO_TYPE, MONTECITO_CMD_CONSOLE)

/* montecito_param.flags */
#define MONTECITO_PARAM_BY_INDEX (1U << 0) /* PARAM_GET: @index says which */
#define MONTECITO_PARAM_FIXED (1U << 1) /* out: it cannot be set */

/**
 * struct montecito_param - ioctl(MONTECITO_PARAM_GET, MONTECITO_PARAM_SET)
 * @size: sizeof(struct montecito_param)
 * @flags: PARAM_GET: MONTECITO_PARAM_BY_INDEX; out: MONTECITO_PARAM_FIXED.
 *	PARAM_SET: must be 0
 * @index: with PARAM_BY_INDEX, from 0 up; out: its index
 * @pad: must be 0
 * @name: which, NUL-terminated; with PARAM_BY_INDEX out
 * @value: PARAM_GET: out. PARAM_SET: its new value
 * @unit: out: of @value, NUL-terminated
 * @source: out: where the model has its first value from, NUL-terminated
 * @least: out: the least that it can be set to
 * @most: out: the most; 0 if it is fixed
 * @why: PARAM_SET, out, also on failure: the rule that refused it, NUL-terminated; empty
 *	on success
 *
 * The numbers that the machine is made with, by name. Those that can be set hold from the
 * next RUN on. They are part of the state: RESTORE refuses one of a machine with others.
 *
 * Return: 0, or
 *  * EINVAL: @name has no NUL; or a @value that is not from @least to @most, or does
 *    not go with the other parameters
 *  * ENOENT: there is no such parameter
 *  * EPERM: PARAM_SET: it is fixed
 *  * EOPNOTSUPP: PARAM_SET: it is one of time, and the machine has TIMING_OFF
 *  * EBUSY: PARAM_SET: the machine is in MONTECITO_RUN
 */
struct montecito_param {
	__u32 size;
	__u32 flags;
	__u32 index;
	__u32 pad;
	char name[MONTECITO_NAME_LEN];
	__aligned_u64 value;
	char unit[16];
	char source[96];
	__aligned_u64 least;
	__aligned_u64 most;
	char why[128];
};

#define MONTECITO_PARAM_GET _IO(MONTECITO_TYPE, MONTECITO_CMD_PARAM_GET)
#define MONTECITO_PARAM_SET _IO(MONTECITO_TYPE, MONTECITO_CMD_PARAM_SET)

/* ------------------------------------------------------------------------
 * Vcpu
 */

/* montecito_reg.cls */
#define MONTECITO_REG_GR 0 /* 0..127, NaT in bit 0 of value[1] */
#define MONTECITO_REG_FR 1 /* significand; sign in bit 17, exponent below it */
#define MONTECITO_REG_PR 2 /* index 0: all 64 */
#define MONTECITO_REG_BR 3
#define MONTECITO_REG_AR 4
#define MONTECITO_REG_CR 5
#define MONTECITO_REG_SPECIAL 6 /* MONTECITO_SPECIAL_* */
#define MONTECITO_REG_RR 7
#define MONTECITO_REG_PKR 8
#define MONTECITO_REG_DBR 9
#define MONTECITO_REG_IBR 10
#define MONTECITO_REG_PMC 11 /* with the write masks of a mov at level 0 */
#define MONTECITO_REG_PMD 12
#define MONTECITO_REG_CPUID 13 /* read only */
/*
 * Read only: the stacked registers whose place is from AR.BSPSTORE on, in the order of the
 * backing store without its NaT collections: dirty ones, then the frame, not rotated.
 * NaT in bit 0 of value[1].
 */
#define MONTECITO_REG_STACKED 14

/* index of MONTECITO_REG_SPECIAL */
#define MONTECITO_SPECIAL_IP 0 /* bundle address */
#define MONTECITO_SPECIAL_PSR 1 /* with ri */
#define MONTECITO_SPECIAL_CFM 2
#define MONTECITO_SPECIAL_INSNS 3 /* retired since reset, read only */
#define MONTECITO_SPECIAL_CYCLES 4 /* of this thread since reset, read only */
#define MONTECITO_SPECIAL_HALTED 5
#define MONTECITO_SPECIAL_CLOCK 6 /* of its core since reset, read only */
/*
 * and the eleven behind it, for PMC4 to PMC15: the value (bits 31:0) with which the counter
 * stood still last, and why (bits 39:32, MONTECITO_STANDS_*); read only
 */
#define MONTECITO_SPECIAL_STOOD 7
/*
 * Registers between AR.BSPSTORE and AR.BSP, negative while some of the frame are yet to be
 * loaded. Only 0 may be set, and only where it is not negative: AR.BSPSTORE is AR.BSP then,
 * and the ALAT is empty, as one who gives the processor another stack wants it.
 */
#define MONTECITO_SPECIAL_DIRTY 19

/* why the counter of a PMC stands still */
#define MONTECITO_STANDS_NOT 0
#define MONTECITO_STANDS_NO_EVENT 1 /* no event has its code and unit mask */
#define MONTECITO_STANDS_REFUSED 2 /* the model does not count the event */
#define MONTECITO_STANDS_TIME 3 /* the event needs the timing model */
#define MONTECITO_STANDS_THRESHOLD 4 /* a threshold needs it */
#define MONTECITO_STANDS_COUNTER 5 /* the event is not one of this counter (3.3.3, 4.8.4) */
#define MONTECITO_STANDS_SET 6 /* its set is not selected (4.8.2, 4.8.4) */
#define MONTECITO_STANDS_RANGE 7 /* it has a range, of what is in none */
#define MONTECITO_STANDS_CONSTRAINT 8 /* a constraint is illegal or undefined (3.3.5 to 3.3.7) */
#define MONTECITO_STANDS_TRACE 9 /* the trace buffer's filter needs predictions (3.3.10) */
#define MONTECITO_STANDS_EAR 10 /* what PMC40 asks for needs the timing model (3.3.9) */
#define MONTECITO_STANDS_ALL 11 /* all is set, and the event has no sum of threads (4.8.4) */

/**
 * struct montecito_reg - one register
 * @cls: MONTECITO_REG_*
 * @index: its number, as the code now running would number it
 * @value: its value; one without a second word has 0 there
 */
struct montecito_reg {
	__u32 cls;
	__u32 index;
	__aligned_u64 value[2];
};

/**
 * struct montecito_regs - ioctl(MONTECITO_GET_REGS, MONTECITO_SET_REGS)
 * @size: sizeof(struct montecito_regs)
 * @flags: must be 0
 * @count: entries, up to montecito_info.max_batch
 * @bad: out, also on failure: index of the entry that was refused, or @count
 * @regs: user pointer to struct montecito_reg[@count]
 *
 * Read or write registers, in the order given. If an entry is refused, SET has
 * changed no register and reported no event, and GET has written no value.
 *
 * Return: 0, or
 *  * EINVAL: @count; or entry @bad: no such class or register (a GR outside
 *    the current frame is none), a value that it cannot hold, or a second
 *    word that it does not have
 *  * EPERM: SET_REGS: entry @bad is CPUID, STACKED, SPECIAL_INSNS, _CYCLES or _CLOCK
 */
struct montecito_regs {
	__u32 size;
	__u32 flags;
	__u32 count;
	__u32 bad;
	__aligned_u64 regs;
};

#define MONTECITO_GET_REGS _IO(MONTECITO_TYPE, MONTECITO_CMD_GET_REGS)
#define MONTECITO_SET_REGS _IO(MONTECITO_TYPE, MONTECITO_CMD_SET_REGS)

/**
 * struct montecito_pal - ioctl(MONTECITO_PAL)
 * @size: sizeof(struct montecito_pal)
 * @flags: must be 0
 * @arg: index of the procedure and its arguments (r28-r31)
 * @ret: out: status and results (r8-r11)
 *
 * Call a PAL procedure on this vcpu. A status that tells of an error is not an
 * error of the ioctl.
 */
struct montecito_pal {
	__u32 size;
	__u32 flags;
	__aligned_u64 arg[4];
	__aligned_u64 ret[4];
};

#define MONTECITO_PAL _IO(MONTECITO_TYPE, MONTECITO_CMD_PAL)

/**
 * struct montecito_irq - ioctl(MONTECITO_IRQ)
 * @size: sizeof(struct montecito_irq)
 * @flags: must be 0
 * @vector: 0 (ExtINT), 2 (NMI), 16..255
 * @pad: must be 0
 *
 * Make an external interrupt pending, as a message on the system bus does.
 *
 * Return: 0, or
 *  * EINVAL: @vector
 */
struct montecito_irq {
	__u32 size;
	__u32 flags;
	__u32 vector;
	__u32 pad;
};

#define MONTECITO_IRQ _IO(MONTECITO_TYPE, MONTECITO_CMD_IRQ)

/* montecito_tc_insert.flags */
#define MONTECITO_TC_INSN (1U << 0) /* itc.i; without it itc.d */

/**
 * struct montecito_tc_insert - ioctl(MONTECITO_TC_INSERT)
 * @size: sizeof(struct montecito_tc_insert)
 * @flags: MONTECITO_TC_INSN
 * @va: virtual address with its region bits
 * @pte: as the operand of itc
 * @itir: page size in bits 7:2, key in bits 31:8
 *
 * Insert a translation, for a host that serves TLB misses itself.
 *
 * Return: 0, or
 *  * EINVAL: a page size, address, memory attribute or reserved field that the
 *    instruction would fault on
 */
struct montecito_tc_insert {
	__u32 size;
	__u32 flags;
	__aligned_u64 va;
	__aligned_u64 pte;
	__aligned_u64 itir;
};

#define MONTECITO_TC_INSERT _IO(MONTECITO_TYPE, MONTECITO_CMD_TC_INSERT)

/**
 * struct montecito_tc_purge - ioctl(MONTECITO_TC_PURGE)
 * @size: sizeof(struct montecito_tc_purge)
 * @flags: must be 0
 * @ps: log2 of the bytes to purge
 * @pad: must be 0
 * @va: virtual address with its region bits
 *
 * Purge every translation cache entry that overlaps the range (ptc.l).
 *
 * Return: 0, or
 *  * EINVAL: @ps is no page size of the processor
 */
struct montecito_tc_purge {
	__u32 size;
	__u32 flags;
	__u32 ps;
	__u32 pad;
	__aligned_u64 va;
};

#define MONTECITO_TC_PURGE _IO(MONTECITO_TYPE, MONTECITO_CMD_TC_PURGE)

/* montecito_translate.flags */
#define MONTECITO_TRANSLATE_INSN (1U << 0) /* of a fetch; without it of a load */

/**
 * struct montecito_translate - ioctl(MONTECITO_TRANSLATE)
 * @size: sizeof(struct montecito_translate)
 * @flags: MONTECITO_TRANSLATE_INSN
 * @va: address as the vcpu's code gives it now
 * @pa: out: guest physical address
 *
 * Translate an address, for debuggers and profilers: PSR.dt or PSR.it decides whether it is
 * virtual, then the TLB, then the VHPT if the walker may look there. No right is asked for
 * and nothing changes, neither a TLB nor a count.
 *
 * Return: 0, or
 *  * ENOENT: neither has a translation
 */
struct montecito_translate {
	__u32 size;
	__u32 flags;
	__aligned_u64 va;
	__aligned_u64 pa;
};

#define MONTECITO_TRANSLATE _IO(MONTECITO_TYPE, MONTECITO_CMD_TRANSLATE)

/* montecito_filter.flags */
#define MONTECITO_FILTER_IAR (1U << 0) /* iar_lo <= bundle address < iar_hi */
#define MONTECITO_FILTER_DAR (1U << 1) /* dar_lo <= data address < dar_hi */
#define MONTECITO_FILTER_OPC (1U << 2) /* opcode match */
#define MONTECITO_FILTER_ETB (1U << 3) /* a trace buffer set up by @etb */

/* montecito_filter.scope: whose occurrences count */
#define MONTECITO_SCOPE_THREAD 0 /* those of the vcpu itself */
#define MONTECITO_SCOPE_CORE 1 /* of all threads of its core (PMC.all) */
#define MONTECITO_SCOPE_PACKAGE 2 /* of all vcpus */

/* montecito_filter.ear: mode of an event address register (manual 3.3.8, 3.3.9) */
#define MONTECITO_EAR_NONE 0
#define MONTECITO_EAR_DATA_CACHE 1
#define MONTECITO_EAR_DATA_TLB 2
#define MONTECITO_EAR_DATA_ALAT 3
#define MONTECITO_EAR_INSN_CACHE 4
#define MONTECITO_EAR_INSN_TLB 5

/*
 * Codes of events that no PMC has: cycles charged to one leaf cause, by the numbers that
 * MONTECITO_CYCLES gives the causes, with a umask of 0.
 */
#define MONTECITO_CODE_CAUSE 0x100
/*
 * Another such code, with a umask of 0: cycles in which instructions retire, each an entry of an
 * IP-EAR that is the observer's own (manual 3.3.10.2). Samples have its registers as PMD38,
 * 39 and 48 to 63. Needs the timing model.
 */
#define MONTECITO_CODE_IP_EAR 0x1ff

/**
 * struct montecito_filter - what an observer counts
 * @code: event code, PMC.es, or %MONTECITO_CODE_CAUSE and a number
 * @umask: PMC.umask, 0..15
 * @plm: privilege levels, bit n for level n; 0 is refused
 * @threshold: 0..7, as PMC.threshold
 * @flags: MONTECITO_FILTER_*
 * @mifb: unit types for OPC: bit 3 M, bit 2 I, bit 1 F, bit 0 B
 * @scope: MONTECITO_SCOPE_*
 * @mesi: line states that count, PMC.MESI: 0 for all of them
 * @ear: MONTECITO_EAR_*, of an event that goes by an event address register: the
 *	observer has one of its own; 0 for that of the guest, or none
 * @ear_umask: the unit mask of that register
 * @pad: must be 0
 * @latency: least latency in cycles, 0 for any
 * @iar_lo: first address of the instruction range
 * @iar_hi: first address behind it
 * @dar_lo: first address of the data range
 * @dar_hi: first address behind it
 * @opc_match: 41-bit pattern
 * @opc_mask: 1 bits are "don't care", as in PMC32
 * @etb: with FILTER_ETB, of an event of the execution trace buffer: ds, tm, ptm, ppm and
 *	brt as in PMC39 (bits 7 to 15, all others 0) of a buffer of the observer's own.
 *	Without the flag 0, and every branch and other change of flow is taken
 * @reserved: must be 0
 */
struct montecito_filter {
	__u16 code;
	__u8 umask;
	__u8 plm;
	__u8 threshold;
	__u8 flags;
	__u8 mifb;
	__u8 scope;
	__u8 mesi;
	__u8 ear;
	__u8 ear_umask;
	__u8 pad;
	__u32 latency;
	__aligned_u64 iar_lo;
	__aligned_u64 iar_hi;
	__aligned_u64 dar_lo;
	__aligned_u64 dar_hi;
	__aligned_u64 opc_match;
	__aligned_u64 opc_mask;
	__aligned_u64 etb;
	__aligned_u64 reserved[5];
};

#define MONTECITO_OPC_MATCHES 8

/**
 * struct montecito_opc_match - a class of opcodes
 * @match: 41-bit pattern
 * @mask: 1 bits are "don't care", as in PMC32
 * @mifb: unit types: bit 3 M, bit 2 I, bit 1 F, bit 0 B
 * @pad: must be 0
 */
struct montecito_opc_match {
	__aligned_u64 match;
	__aligned_u64 mask;
	__u32 mifb;
	__u32 pad;
};

/* montecito_observer_add.flags */
#define MONTECITO_OBSERVER_SAMPLE (1U << 0) /* every @period, a record in the ring */
#define MONTECITO_OBSERVER_TABLE (1U << 1) /* every @period, an entry in its table */
#define MONTECITO_OBSERVER_CALLCHAIN (1U << 2) /* samples with call chains */

/**
 * struct montecito_observer_add - ioctl(MONTECITO_OBSERVER_ADD)
 * @size: sizeof(struct montecito_observer_add)
 * @flags: MONTECITO_OBSERVER_*
 * @id: out: number of the observer on this file descriptor
 * @table_order: with OBSERVER_TABLE, log2 of the instructions that it has room
 *	for; else 0
 * @period: with OBSERVER_SAMPLE or OBSERVER_TABLE, occurrences between samples,
 *	from 1 to 2^47 - 1; else 0
 * @sample_pmds: with OBSERVER_SAMPLE, bit n for PMDn in its records; else 0. Those of the
 *	unit that the observer has of its own: of a data EAR PMD32, 33 and 36, of an
 *	instruction EAR PMD34 and 35, of a trace buffer PMD38, 39 and 48 to 63. The entry of
 *	the last branch is followed by its target, also if it retires in that cycle
 * @why: out, also on failure: the rule that refused it, NUL-terminated; empty
 *	on success
 * @filter: what to count
 * @random_mask: with OBSERVER_SAMPLE, bits of a random number that is added to each
 *	interval between samples, less half of the mask: the mean stays @period. Below
 *	@period, which is below 2^46 then; 0: all intervals are @period
 * @random_seed: of these numbers; the same run with the same seed has the same samples.
 *	0 without @random_mask
 * @max_callchain: with OBSERVER_CALLCHAIN, most return addresses of a sample, from 1 to
 *	montecito_info.max_callchain; else 0
 * @nr_matches: with FILTER_OPC, entries of @matches, up to 8: an instruction that passes any of
 *	them counts, once. The one match of @filter (opc_match, opc_mask, mifb) is 0 then; with
 *	@nr_matches of 0 it is the only one
 * @matches: user pointer to struct montecito_opc_match[@nr_matches]
 *
 * Count an event from now on, in 64 bits, without any effect on the guest or
 * on its own PMU. Closing the file descriptor removes it.
 *
 * Return: 0, or
 *  * EFAULT: @matches
 *  * EINVAL: a field of @filter or of @matches out of range; more than 8 of these, or with a
 *    match in @filter, or without FILTER_OPC; a @period, @table_order, @random_mask,
 *    @random_seed or @sample_pmds that does not go with @flags; @sample_pmds that the
 *    event's unit does not have; a @max_callchain that does not go with @flags or is more
 *    than INFO allows; a @period of more than 47 bits; a @random_mask that reaches
 *    @period; SAMPLE and TABLE together
 *  * ENOENT: there is no event with this code and umask
 *  * EOPNOTSUPP: the model does not count this event, or not with this filter,
 *    or INFO lacks the capability that @flags, @sample_pmds or the filter asks for
 *  * ENXIO: OBSERVER_SAMPLE, and there is no ring
 *  * ENOSPC: the vcpu has as many observers, or with a @period, as INFO allows
 *  * ENOMEM: also: the table is more than RLIMIT_MEMLOCK or montecito_info.memory_limit
 *    leaves
 */
struct montecito_observer_add {
	__u32 size;
	__u32 flags;
	__u32 id;
	__u32 table_order;
	__aligned_u64 period;
	__aligned_u64 sample_pmds;
	char why[128];
	struct montecito_filter filter;
	__aligned_u64 random_mask;
	__aligned_u64 random_seed;
	__u32 max_callchain;
	__u32 nr_matches;
	__aligned_u64 matches;
};

#define MONTECITO_OBSERVER_ADD _IO(MONTECITO_TYPE, MONTECITO_CMD_OBSERVER_ADD)

/**
 * struct montecito_observer_del - ioctl(MONTECITO_OBSERVER_DEL)
 * @size: sizeof(struct montecito_observer_del)
 * @flags: must be 0
 * @id: from MONTECITO_OBSERVER_ADD on the same file descriptor
 * @pad: must be 0
 *
 * Return: 0, or
 *  * ENOENT: there is no such observer
 */
struct montecito_observer_del {
	__u32 size;
	__u32 flags;
	__u32 id;
	__u32 pad;
};

#define MONTECITO_OBSERVER_DEL _IO(MONTECITO_TYPE, MONTECITO_CMD_OBSERVER_DEL)

/**
 * struct montecito_observer_read - ioctl(MONTECITO_OBSERVER_READ)
 * @size: sizeof(struct montecito_observer_read)
 * @flags: must be 0
 * @count: observers, up to montecito_info.max_batch
 * @bad: out, also on failure: index of the entry that was refused, or @count
 * @ids: user pointer to __u32[@count]
 * @counts: user pointer to __u64[@count], written: what each has counted
 *
 * Read several observers at one instant. If one is refused, nothing is
 * written to @counts.
 *
 * Return: 0, or
 *  * EINVAL: @count
 *  * ENOENT: entry @bad: there is no such observer
 */
struct montecito_observer_read {
	__u32 size;
	__u32 flags;
	__u32 count;
	__u32 bad;
	__aligned_u64 ids;
	__aligned_u64 counts;
};

#define MONTECITO_OBSERVER_READ _IO(MONTECITO_TYPE, MONTECITO_CMD_OBSERVER_READ)

/**
 * struct montecito_ring - ioctl(MONTECITO_RING)
 * @size: sizeof(struct montecito_ring)
 * @flags: must be 0
 * @order: 2^@order data pages, up to montecito_info.max_ring_order
 * @watermark: unread bytes from which on poll() reports it readable and the
 *	eventfd is signalled, at most half of the data; 0: any record
 *
 * Give this file descriptor a sampling ring. mmap() of it at offset 0,
 * MAP_SHARED, exactly 1 + 2^@order pages: struct montecito_ring_page, then the
 * data. It cannot be changed or removed but by closing. Charged as the machine's
 * memory is, to who calls.
 *
 * mmap(): ENXIO without a ring; EINVAL for another length, offset or a private
 * mapping.
 *
 * Return: 0, or
 *  * EINVAL: @order, @watermark
 *  * EEXIST: it has one
 *  * ENOMEM: also: it is more than RLIMIT_MEMLOCK or montecito_info.memory_limit leaves
 */
struct montecito_ring {
	__u32 size;
	__u32 flags;
	__u32 order;
	__u32 watermark;
};

#define MONTECITO_RING _IO(MONTECITO_TYPE, MONTECITO_CMD_RING)

/**
 * struct montecito_ring_page - the first page of a ring
 * @version: 1
 * @pad: 0
 * @data_head: bytes ever written; the writer's
 * @data_tail: bytes ever read; the reader's
 * @data_offset: where the data begins in the mapping
 * @data_size: bytes of it, a power of 2
 * @lost: records that found no room since the ring was made
 *
 * perf's rules: the reader loads @data_head with acquire semantics, reads the
 * records from data_tail to it (positions modulo @data_size; a record may wrap
 * around the end), and then stores @data_tail with release semantics. The
 * writer never overwrites what has not been read: it drops the new record and
 * tells in a record MONTECITO_RECORD_LOST as soon as there is room again.
 * A @data_tail that cannot be true counts as a full ring.
 */
struct montecito_ring_page {
	__u32 version;
	__u32 pad;
	__aligned_u64 data_head;
	__aligned_u64 data_tail;
	__aligned_u64 data_offset;
	__aligned_u64 data_size;
	__aligned_u64 lost;
};

/* montecito_record_header.type */
#define MONTECITO_RECORD_LOST 1
#define MONTECITO_RECORD_SAMPLE 2
#define MONTECITO_RECORD_TRACE 3
#define MONTECITO_RECORD_PMU 4

/* montecito_record_header.misc of a sample: where it comes from */
#define MONTECITO_SAMPLE_OBSERVER 0 /* @source is an observer's id */
#define MONTECITO_SAMPLE_PMU 1 /* architectural overflow, @source is PMC0 */

/**
 * struct montecito_record_header - how every record begins
 * @type: MONTECITO_RECORD_*; skip what you do not know
 * @misc: by type
 * @size: bytes of the record with this header, a multiple of 8
 */
struct montecito_record_header {
	__u32 type;
	__u16 misc;
	__u16 size;
};

/**
 * struct montecito_record_lost - records were dropped here
 * @header: type MONTECITO_RECORD_LOST
 * @count: how many, since the last such record
 */
struct montecito_record_lost {
	struct montecito_record_header header;
	__aligned_u64 count;
};

/* montecito_record_sample.format */
#define MONTECITO_SAMPLE_CALLCHAIN (1U << 0) /* a call chain, last */
#define MONTECITO_SAMPLE_PHYSICAL (1U << 1) /* a physical address follows the PMDs */

/* montecito_record_sample.level */
#define MONTECITO_LEVEL_L2D 2
#define MONTECITO_LEVEL_L3 3
#define MONTECITO_LEVEL_MEMORY 4
#define MONTECITO_LEVEL_PENDING 5 /* a line that an earlier reference has asked for */
#define MONTECITO_LEVEL_UNCACHED 6

/**
 * struct montecito_record_sample - one sample
 * @header: type MONTECITO_RECORD_SAMPLE, misc MONTECITO_SAMPLE_OBSERVER or _PMU
 * @source: observer id, or PMC0
 * @clock: the core's cycles
 * @cycles: the vcpu's cycles
 * @insns: instructions it has retired since reset
 * @ip: bundle address of the instruction that made it overflow; of
 *	SAMPLE_PMU, as in struct montecito_exit. Of IA64_INST_RETIRED, which is
 *	counted by the bundle, @slot is that of the bundle's last instruction.
 * @slot: its slot
 * @cpl: its privilege level
 * @cause: of a sample in a cycle that passes before a group can issue: why, the number that
 *	CYCLES gives the cause, plus 1; else 0
 * @level: of a load that the L1D has not served, at an event of these (DATA_EAR_EVENTS in
 *	cache mode): what has, MONTECITO_LEVEL_*; else 0
 * @vcpu: index of the vcpu
 * @format: MONTECITO_SAMPLE_CALLCHAIN, MONTECITO_SAMPLE_PHYSICAL
 * @pmds: bit n: the value of PMDn is in @value
 * @value: the PMDs of @pmds, from the lowest to the highest, as a mov at level 0
 *	reads them; then with SAMPLE_PHYSICAL the physical address of that in PMD32; then
 *	with SAMPLE_CALLCHAIN the number of return addresses
 *	and these, from the innermost: those of calls at the sample's own level, user (3)
 *	or kernel (0 to 2), made since an observer asks for chains. A chain ends where the
 *	frame was changed by something else than a call or a return
 */
struct montecito_record_sample {
	struct montecito_record_header header;
	__aligned_u64 source;
	__aligned_u64 clock;
	__aligned_u64 cycles;
	__aligned_u64 insns;
	__aligned_u64 ip;
	__u8 slot;
	__u8 cpl;
	__u8 cause;
	__u8 level;
	__u32 vcpu;
	__aligned_u64 format;
	__aligned_u64 pmds;
	__aligned_u64 value[];
};

/*
 * Kinds of a trace: bits of montecito_trace.kinds, and misc of a record. In [] what a
 * record of the kind has in @what, @value[0] and @value[1], where these are not 0. Those
 * marked T need the timing model.
 */
/* T: the front end asks for a pair of bundles [-, translated in cycle, ready in cycle] */
#define MONTECITO_TRACE_FETCH 0
/* T: a group is formed [instructions, bundles, 0: a stop bit ends it, 1: ports do, 2, 3] */
#define MONTECITO_TRACE_DISPERSE 1
/* T: nothing retires [cause, as CYCLES has them, first cycle behind, operand] */
#define MONTECITO_TRACE_STALL 2
/* T: a group issues [instructions, the first cycle in which it could have] */
#define MONTECITO_TRACE_ISSUE 3
/* T: a reference enters the memory pipeline [level and flags, address, cycles of a load] */
#define MONTECITO_TRACE_REFERENCE 4
/* T: a group ends [instructions retired, bundle that comes next, its slot] */
#define MONTECITO_TRACE_RETIRE 5
/* counters overflow [bit n for PMDn] */
#define MONTECITO_TRACE_OVERFLOW 6
/* the PMU freezes [-, PMC0] */
#define MONTECITO_TRACE_FREEZE 7
/* an interruption is taken [vector, ISR, IFA] */
#define MONTECITO_TRACE_INTERRUPT 8
#define MONTECITO_NR_TRACE 9

/* @what of MONTECITO_TRACE_REFERENCE: one level, and flags */
#define MONTECITO_TRACE_L1D 1
#define MONTECITO_TRACE_L2D 2
#define MONTECITO_TRACE_L3 3
#define MONTECITO_TRACE_MEMORY 4
#define MONTECITO_TRACE_STORE 0x100
#define MONTECITO_TRACE_RSE 0x200 /* by the register stack engine */

/*
 * @value[1] of MONTECITO_TRACE_STALL: of the operand its file (0 general register, 1
 * floating-point, 2 predicate, 3 branch, 4 application, 5 control register) in bits 15:8
 * and its number in bits 7:0; or, where no operand is waited for:
 */
#define MONTECITO_TRACE_NO_OPERAND (~0ULL)

/**
 * struct montecito_record_trace - one event of a trace
 * @header: type MONTECITO_RECORD_TRACE, misc MONTECITO_TRACE_*
 * @cycle: of the vcpu, in which it begins; of OVERFLOW, FREEZE and INTERRUPT the cycle
 *	behind. Records come in the order of the model's work: one of the front end's may
 *	lie before or behind its neighbours
 * @ip: bundle address of the instruction concerned, or of its group
 * @slot: its slot
 * @what: by kind
 * @value: by kind
 */
struct montecito_record_trace {
	struct montecito_record_header header;
	__aligned_u64 cycle;
	__aligned_u64 ip;
	__u32 slot;
	__u32 what;
	__aligned_u64 value[2];
};

/**
 * struct montecito_trace - ioctl(MONTECITO_TRACE)
 * @size: sizeof(struct montecito_trace)
 * @flags: must be 0
 * @kinds: bit n for MONTECITO_TRACE_n; 0 ends the trace
 * @pad: must be 0
 *
 * Write a record into the ring of this file descriptor at each event of the pipeline, the
 * PMU and the interruptions of the vcpu, from now on. A trace changes neither the machine
 * nor what is counted, and is the same however RUN is split. A record that finds no room
 * is lost and counted as every other. Closing the file descriptor ends it.
 *
 * Return: 0, or
 *  * EINVAL: a kind that there is not
 *  * EOPNOTSUPP: a kind that needs the timing model, which the machine lacks
 *  * ENXIO: there is no ring
 *  * EEXIST: another file descriptor traces the vcpu
 */
struct montecito_trace {
	__u32 size;
	__u32 flags;
	__u32 kinds;
	__u32 pad;
};

#define MONTECITO_TRACE _IO(MONTECITO_TYPE, MONTECITO_CMD_TRACE)

/* Most return addresses of a sample as this version writes them. */
#define MONTECITO_MAX_CALLCHAIN 127

/* Most bytes of one record as this version writes them. */
#define MONTECITO_RECORD_MAX                      \
	(sizeof(struct montecito_record_sample) + \
	 (64 + 1 + 1 + MONTECITO_MAX_CALLCHAIN) * sizeof(__u64))

/* A sample of perf's in the overflow tracepoint, which has no record of its own. */
#define MONTECITO_SAMPLE_PERF 2

/**
 * struct montecito_perf_sample - the raw data (PERF_SAMPLE_RAW) of a sample of perf's
 * @host: the host kernel's own (struct trace_entry)
 * @machine: its number in generic netlink
 * @vcpu: index of the vcpu
 * @ip: as in struct montecito_record_sample; PERF_SAMPLE_IP is this plus @slot
 * @insns: instructions the vcpu has retired since reset
 * @cycles: the vcpu's cycles
 * @clock: the core's cycles
 * @slot: of the instruction
 * @cpl: its privilege level
 * @pmds: bit n: the value of PMDn is in @value: PMD32, 33 and 36 of an event that goes by
 *	a data EAR; else 0
 * @value: these, from the lowest to the highest; else 0
 */
struct montecito_perf_sample {
	__u32 host[2];
	__u32 machine;
	__u32 vcpu;
	__aligned_u64 ip;
	__aligned_u64 insns;
	__aligned_u64 cycles;
	__aligned_u64 clock;
	__u32 slot;
	__u32 cpl;
	__aligned_u64 pmds;
	__aligned_u64 value[3];
};

/* montecito_pmu_sampling.flags */
#define MONTECITO_PMU_RELOAD (1U << 0) /* go on by itself after an overflow */

/**
 * struct montecito_pmu_sampling - ioctl(MONTECITO_PMU_SAMPLING)
 * @size: sizeof(struct montecito_pmu_sampling)
 * @flags: MONTECITO_PMU_*
 * @counter: 4..15
 * @pad: must be 0
 * @sample_pmds: bit n: PMDn goes into the records of its overflows
 * @reset_pmds: with PMU_RELOAD, bit n for PMD4-15: the counters that are reloaded
 *	with their own @reload, besides @counter; else 0
 * @reload: with PMU_RELOAD, what PMD@counter is set to; else 0
 *
 * Set what an overflow of the vcpu's counter does on a machine with CFG_HOST_PMU, as
 * perfmonctl's and perf's samplers need it. One call for each counter; it holds
 * until the next. A record holds the PMDs of all counters that overflowed;
 * without any call, PMD4-15. If all counters that overflowed have PMU_RELOAD,
 * they are reloaded, their bits in PMC0 and its fr are cleared and RUN goes on:
 * the record and the notification tell of it. Else it ends with
 * %MONTECITO_EXIT_PMU_OVERFLOW.
 *
 * Return: 0, or
 *  * EINVAL: @counter, or a mask, or a @reload of more than 47 bits, or one
 *    without PMU_RELOAD
 *  * ENXIO: the machine has no CFG_HOST_PMU
 */
struct montecito_pmu_sampling {
	__u32 size;
	__u32 flags;
	__u32 counter;
	__u32 pad;
	__aligned_u64 sample_pmds;
	__aligned_u64 reset_pmds;
	__aligned_u64 reload;
};

#define MONTECITO_PMU_SAMPLING _IO(MONTECITO_TYPE, MONTECITO_CMD_PMU_SAMPLING)

/**
 * struct montecito_table_entry - what one instruction has come to
 * @ip: its bundle address
 * @slot: its slot
 * @pad: 0
 * @count: occurrences: samples times the period; 2^64 - 1 stands for more
 */
struct montecito_table_entry {
	__aligned_u64 ip;
	__u32 slot;
	__u32 pad;
	__aligned_u64 count;
};

/* Kinds of PMUs: montecito_pmu_add.kind, and misc of MONTECITO_RECORD_PMU. */
#define MONTECITO_PMU_MERCED 1 /* of the original Itanium: PMC0-13, PMD0-17, IBRs, DBRs */
#define MONTECITO_PMU_PEBS 2 /* of an IA-32 processor with precise sampling: needs TIMING_ON */
#define MONTECITO_PMU_EV68A 3 /* of an Alpha 21264/EV68A, with ProfileMe: needs TIMING_ON */

/* Classes of registers that this processor has not: montecito_pmu_reg.cls */
#define MONTECITO_PMU_REG_MSR 32 /* PEBS: model specific registers */
#define MONTECITO_PMU_REG_DS 33 /* PEBS: words of the debug store area, by their offset */
#define MONTECITO_PMU_REG_OWN 34 /* the PMU's own: PMU_DESCRIBE tells of them */
#define MONTECITO_PMU_REG_IPR 35 /* EV68A: internal processor registers */

/* montecito_record_pmu.cause, of PMU_PEBS and _EV68A: the counters, or one of these */
#define MONTECITO_PMU_CAUSE_ASSIST (1U << 16) /* a precise record */
#define MONTECITO_PMU_CAUSE_THRESHOLD (1U << 17) /* its buffer has reached the threshold */
#define MONTECITO_PMU_CAUSE_WINDOW (1U << 18) /* ProfileMe: a window has ended */

/* montecito_pmu_add.flags */
#define MONTECITO_PMU_SAMPLE (1U << 0) /* each interrupt is a record in the ring */
#define MONTECITO_PMU_STOP (1U << 1) /* each interrupt ends RUN with EXIT_PMU_BLOCK */
#define MONTECITO_PMU_ISM_AS_PRINTED (1U << 2) /* MERCED: ism 01 is IA-64, and not 10 */
#define MONTECITO_PMU_FOLLOW_PSR (1U << 3) /* MERCED: monitors go by the guest's PSR */

#define MONTECITO_PMU_RELOADS 8

/**
 * struct montecito_pmu_reg - a register of another PMU
 * @cls: of MERCED MONTECITO_REG_PMC, _PMD, _IBR, _DBR, or MONTECITO_REG_SPECIAL with
 *	SPECIAL_PSR: the bits up and pp that its monitors go by; with PMU_FOLLOW_PSR they are the
 *	guest's, and are read only. Of the others MONTECITO_PMU_REG_*
 * @index: its number on that processor
 * @value: its value
 */
struct montecito_pmu_reg {
	__u32 cls;
	__u32 index;
	__aligned_u64 value;
};

/**
 * struct montecito_pmu_add - ioctl(MONTECITO_PMU_ADD)
 * @size: sizeof(struct montecito_pmu_add)
 * @flags: MONTECITO_PMU_SAMPLE, _STOP, _ISM_AS_PRINTED, _FOLLOW_PSR
 * @kind: MONTECITO_PMU_MERCED, _PEBS, _EV68A
 * @id: out: its number on this file descriptor
 * @nr_reload: entries of @reload
 * @pad: must be 0
 * @sample_pmds: of MERCED with PMU_SAMPLE, bit n for PMDn in its records, of PMD0 to PMD17;
 *	else 0
 * @why: out, also on failure: the rule that refused it, NUL-terminated; empty on success
 * @reload: what is written, in order, at each interrupt and in its cycle, as a handler would;
 *	none of them where PMU_SET_REGS would refuse one
 *
 * Give a vcpu another processor's PMU, as that processor's reset leaves it. It counts by its
 * own registers and rules what happens on this one, without any effect on the guest: its
 * interrupts never reach the guest. It is no part of what SAVE, RESTORE and HASH see. Closing the
 * file descriptor removes it.
 *
 * Return: 0, or
 *  * EINVAL: @kind, a flag of another kind, @pad, @nr_reload; @sample_pmds without PMU_SAMPLE, or
 *    others; a value in @reload that is out of range
 *  * ENOENT: a register in @reload that the PMU has not
 *  * EPERM: a register in @reload that can only be read, or a bit of it
 *  * EOPNOTSUPP: a register in @reload that the model does not serve; a kind that needs time,
 *    which the machine has not
 *  * ENXIO: PMU_SAMPLE, and there is no ring
 *  * ENOSPC: the vcpu has as many of them, or of observers, as INFO allows
 */
struct montecito_pmu_add {
	__u32 size;
	__u32 flags;
	__u32 kind;
	__u32 id;
	__u32 nr_reload;
	__u32 pad;
	__aligned_u64 sample_pmds;
	char why[128];
	struct montecito_pmu_reg reload[MONTECITO_PMU_RELOADS];
};

#define MONTECITO_PMU_ADD _IO(MONTECITO_TYPE, MONTECITO_CMD_PMU_ADD)

/**
 * struct montecito_pmu_del - ioctl(MONTECITO_PMU_DEL)
 * @size: sizeof(struct montecito_pmu_del)
 * @flags: must be 0
 * @id: from MONTECITO_PMU_ADD on the same file descriptor
 * @pad: must be 0
 *
 * Return: 0, or
 *  * ENOENT: there is no such PMU
 */
struct montecito_pmu_del {
	__u32 size;
	__u32 flags;
	__u32 id;
	__u32 pad;
};

#define MONTECITO_PMU_DEL _IO(MONTECITO_TYPE, MONTECITO_CMD_PMU_DEL)

/**
 * struct montecito_pmu_regs - ioctl(MONTECITO_PMU_GET_REGS, MONTECITO_PMU_SET_REGS)
 * @size: sizeof(struct montecito_pmu_regs)
 * @flags: must be 0
 * @id: from MONTECITO_PMU_ADD on the same file descriptor
 * @count: entries, up to montecito_info.max_batch
 * @bad: out, also on failure: index of the entry that was refused, or @count. Of an event or a
 *	filter that is refused once all are written it is the last one
 * @pad: must be 0
 * @regs: user pointer to struct montecito_pmu_reg[@count]
 * @why: out, also on failure: the rule that refused it, NUL-terminated; empty on success
 *
 * Read or write registers at one instant. If one is refused, none is written, to the PMU or
 * to @regs. Reserved bits read 0.
 *
 * Return: 0, or
 *  * EINVAL: @count; PMU_SET_REGS: a counter is to select an event that it cannot; a unit mask
 *    of an event address register that no table has. PEBS: a latency threshold below 3, CMASK or
 *    INV with latency, LL_EN without PEBS_EN, words of the buffer out of order or no multiples of
 *    176 bytes from its base. EV68A: PCTR0 above 2^20 - 16, PCTR1 above 2^20 - 4
 *  * ENOENT: there is no such PMU; entry @bad: there is no such register; a counter is to
 *    select an event that there is not
 *  * EPERM: PMU_SET_REGS: entry @bad can only be read, or a bit of EV68A's PCTR_CTL that is to
 *    be set and is not
 *  * EOPNOTSUPP: PMU_SET_REGS: the model does not count this event, or not with this filter,
 *    or needs time that the machine has not; a trace is to leave out what the model has not
 */
struct montecito_pmu_regs {
	__u32 size;
	__u32 flags;
	__u32 id;
	__u32 count;
	__u32 bad;
	__u32 pad;
	__aligned_u64 regs;
	char why[128];
};

#define MONTECITO_PMU_GET_REGS _IO(MONTECITO_TYPE, MONTECITO_CMD_PMU_GET_REGS)
#define MONTECITO_PMU_SET_REGS _IO(MONTECITO_TYPE, MONTECITO_CMD_PMU_SET_REGS)

/* montecito_pmu_describe.flags */
#define MONTECITO_PMU_EVENT (1U << 0) /* an event; without it registers */

/* montecito_pmu_describe.likeness: what it is to the thing of that name there */
#define MONTECITO_LIKE_NONE 0 /* no such thing here: refused */
#define MONTECITO_LIKE_SAME 1
#define MONTECITO_LIKE_ANALOGUE 2 /* @text says of what */

/**
 * struct montecito_pmu_describe - ioctl(MONTECITO_PMU_DESCRIBE)
 * @size: sizeof(struct montecito_pmu_describe)
 * @flags: MONTECITO_PMU_EVENT
 * @kind: MONTECITO_PMU_MERCED, _PEBS, _EV68A
 * @index: of events or of registers, from 0 up
 * @code: out: of an event, what selects it, of EV68A SL0 in bit 2 and SL1 below; of registers,
 *	their class, MONTECITO_REG_*
 * @umask: out: of an event, its unit mask, of EV68A the counter; of registers, the number of the
 *	first one
 * @count: out: of registers, how many there are; of an event 0
 * @counters: out: of an event, bit n: PMCn can select it; of registers 0
 * @max_inc: out: of an event, the largest value in a cycle, on that processor
 * @likeness: out: MONTECITO_LIKE_*
 * @needs_time: out: 1: only a machine with TIMING_ON counts it
 * @filters: out: of an event, MONTECITO_FILTER_* that it can be qualified by
 * @bits: out: of registers, those that a write sets
 * @name: out: NUL-terminated, as all below
 * @row: out: of an event, the event of this processor that counts the same thing, or ""
 * @why: out: why it is refused, or ""
 * @text: out: of an event its definition, of registers their fields
 *
 * Describe a kind of PMU: its registers and its events.
 *
 * Return: 0, or
 *  * EINVAL: there is no such @kind
 *  * ENOENT: @index is behind the last one
 */
struct montecito_pmu_describe {
	__u32 size;
	__u32 flags;
	__u32 kind;
	__u32 index;
	__u32 code;
	__u32 umask;
	__u32 count;
	__u32 counters;
	__u32 max_inc;
	__u32 likeness;
	__u32 needs_time;
	__u32 filters;
	__aligned_u64 bits;
	char name[64];
	char row[64];
	char why[128];
	char text[256];
};

#define MONTECITO_PMU_DESCRIBE _IO(MONTECITO_TYPE, MONTECITO_CMD_PMU_DESCRIBE)

/**
 * struct montecito_record_pmu - an interrupt of another PMU, or a precise record
 * @header: type MONTECITO_RECORD_PMU, misc the kind
 * @id: its number on this file descriptor
 * @vcpu: index of the vcpu
 * @clock: the core's cycles
 * @cycles: the vcpu's cycles
 * @insns: instructions it has retired since reset
 * @ip: bundle address of the instruction that made the last counter overflow; of a precise
 *	record with latency that of the load, of ProfileMe that of the instruction
 * @slot: its slot
 * @cpl: its privilege level
 * @pad: 0
 * @cause: of MERCED the counters that overflowed in this cycle: bit n for PMDn. Of PEBS those
 *	of this interrupt, bit n for IA32_PMCn, bit 4 + n for IA32_FIXED_CTRn and bit 7 + n for
 *	MSR_UNCORE_PMCn, or MONTECITO_PMU_CAUSE_*. Of EV68A bit n for PCTRn, or CAUSE_WINDOW
 * @pmds: of MERCED bit n: the value of PMDn is in @value
 * @value: as they were before the reload: of MERCED PMC0, then the PMDs of @pmds, from the
 *	lowest to the highest. Of PEBS IA32_PERF_GLOBAL_STATUS and MSR_UNCORE_PERF_GLOBAL_STATUS,
 *	or with CAUSE_ASSIST the 22 words of the record. Of EV68A PMPC, I_STAT and PCTR_CTL
 *
 * Records of one cycle lie in the order in which that processor would serve them.
 */
struct montecito_record_pmu {
	struct montecito_record_header header;
	__u32 id;
	__u32 vcpu;
	__aligned_u64 clock;
	__aligned_u64 cycles;
	__aligned_u64 insns;
	__aligned_u64 ip;
	__u8 slot;
	__u8 cpl;
	__u16 pad;
	__u32 cause;
	__aligned_u64 pmds;
	__aligned_u64 value[];
};

/* montecito_table_read.flags */
#define MONTECITO_TABLE_CLEAR (1U << 0) /* empty it */

/**
 * struct montecito_table_read - ioctl(MONTECITO_TABLE_READ)
 * @size: sizeof(struct montecito_table_read)
 * @flags: MONTECITO_TABLE_CLEAR
 * @id: an observer of this file descriptor with OBSERVER_TABLE
 * @count: room for entries; out, also on failure: entries that there are
 * @entries: user pointer to struct montecito_table_entry[@count], written: all
 *	entries, in no order
 * @lost: out: occurrences of instructions that found no room in it
 *
 * Read an observer's counts by instruction, at one instant.
 *
 * Return: 0, or
 *  * ENOENT: there is no such observer
 *  * ENXIO: it has no table
 *  * ENOSPC: @count is less than the entries that there are
 */
struct montecito_table_read {
	__u32 size;
	__u32 flags;
	__u32 id;
	__u32 count;
	__aligned_u64 entries;
	__aligned_u64 lost;
};

#define MONTECITO_TABLE_READ _IO(MONTECITO_TYPE, MONTECITO_CMD_TABLE_READ)

/* montecito_cause.bar: the parts of the cycle breakdown */
#define MONTECITO_BAR_UNSTALLED 0 /* an instruction retires: of no cause */
#define MONTECITO_BAR_BRANCH 1 /* flushes by mispredicted branches */
#define MONTECITO_BAR_DATA 2 /* the L1D's pipe, and waits for what is loaded */
#define MONTECITO_BAR_EXECUTION 3 /* waits for results, of the FPU or others */
#define MONTECITO_BAR_RSE 4 /* the register stack engine */
#define MONTECITO_BAR_FRONT_END 5 /* no instructions to issue */
#define MONTECITO_BAR_INTERRUPTION 6 /* flushes by exceptions and interruptions */
#define MONTECITO_BAR_SWITCHING 7 /* switches from one thread of a core to the other */

/**
 * struct montecito_cause - cycles in which nothing retired, for one reason
 * @name: what it is called, NUL-terminated
 * @text: what it is, likewise
 * @bar: MONTECITO_BAR_*
 * @pad: 0
 * @cycles: how many
 * @reserved: 0
 */
struct montecito_cause {
	char name[MONTECITO_NAME_LEN];
	char text[96];
	__u32 bar;
	__u32 pad;
	__aligned_u64 cycles;
	__aligned_u64 reserved[3];
};

/**
 * struct montecito_cycles - ioctl(MONTECITO_CYCLES)
 * @size: sizeof(struct montecito_cycles)
 * @flags: must be 0
 * @count: room for entries, 0 to leave them out; out, also on failure: entries
 *	that there are
 * @pad: must be 0
 * @causes: user pointer to struct montecito_cause[@count], written: each reason
 *	that the model knows
 * @insns: out: instructions retired since reset
 * @cycles: out: the vcpu's cycles since reset: the sum of @halted, @functional,
 *	@unstalled and those of @causes
 * @halted: out: while it was halted
 * @functional: out: without the timing model, of which no more is known
 * @unstalled: out: with it, those in which an instruction retired
 *
 * How the vcpu has spent its time, at one instant: finer than the PMU's events, of
 * which BE_EXE_BUBBLE.FRALL has waits for loads and for the FPU in one.
 *
 * Return: 0, or
 *  * ENOSPC: @count is less than the entries that there are, and not 0
 */
struct montecito_cycles {
	__u32 size;
	__u32 flags;
	__u32 count;
	__u32 pad;
	__aligned_u64 causes;
	__aligned_u64 insns;
	__aligned_u64 cycles;
	__aligned_u64 halted;
	__aligned_u64 functional;
	__aligned_u64 unstalled;
};

#define MONTECITO_CYCLES _IO(MONTECITO_TYPE, MONTECITO_CMD_CYCLES)

/**
 * struct montecito_eventfd - ioctl(MONTECITO_EVENTFD)
 * @size: sizeof(struct montecito_eventfd)
 * @flags: must be 0
 * @fd: an eventfd, or -1 to take the present one off
 * @pad: must be 0
 *
 * Signal an eventfd when an observer of this file descriptor takes a sample or,
 * with CFG_HOST_PMU, the vcpu's PMU overflows. It is signalled once per
 * slice in which this happens; with a ring that has a watermark, only when the
 * ring has reached it. poll() on the vcpu file descriptor needs no eventfd: it is
 * readable while the ring holds as many records.
 *
 * Return: 0, or
 *  * EBADF: @fd is not open
 *  * EINVAL: @fd is not an eventfd, or less than -1
 */
struct montecito_eventfd {
	__u32 size;
	__u32 flags;
	__s32 fd;
	__u32 pad;
};

#define MONTECITO_EVENTFD _IO(MONTECITO_TYPE, MONTECITO_CMD_EVENTFD)

#endif
