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
 *  - no memory: %ENOMEM.
 *
 * These hold for all commands and are not repeated below. A command that fails
 * has changed nothing, unless its description says otherwise. On success
 * everything marked "out" has been written as far as the caller's size
 * reaches; on failure only what is marked "out, also on failure".
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

#define MONTECITO_UAPI_VERSION 1

#define MONTECITO_TYPE 0xea

#define MONTECITO_MAX_VCPUS 4
/* Most entries of one batch (registers, observers). */
#define MONTECITO_MAX_BATCH 1024
/* Most observers of one machine. */
#define MONTECITO_MAX_OBSERVERS 1024
/* Largest sampling ring: 2^10 data pages. */
#define MONTECITO_MAX_RING_ORDER 10

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
};

/* ------------------------------------------------------------------------
 * Device
 */

/* montecito_info.capabilities */
#define MONTECITO_CAP_FUNCTIONAL (1ULL << 0) /* executes without timing */
#define MONTECITO_CAP_TIMING (1ULL << 1) /* has the timing model */
#define MONTECITO_CAP_OBSERVERS (1ULL << 2)
#define MONTECITO_CAP_RING (1ULL << 3)

/* montecito_create.config; the same values as the model's own MONT_CFG_* */
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
 * @uapi_version: out: %MONTECITO_UAPI_VERSION; grows when something is added
 * @config_mask: out: the MONTECITO_CFG_* that MONTECITO_CREATE takes
 * @max_cores: out: most cores of a machine
 * @max_threads: out: most threads of a core
 * @capabilities: out: MONTECITO_CAP_*
 * @min_memory: out: least guest memory in bytes
 * @max_memory: out: most guest memory in bytes
 * @page_size: out: guest memory is a multiple of this
 * @max_observers: out: most observers of one machine
 * @max_ring_order: out: largest @order of MONTECITO_RING
 * @pad: out: 0
 * @model: out: name of the model, NUL-terminated
 *
 * What this implementation is and can do. Needs nothing but an open file.
 */
struct montecito_info {
	__u32 size;
	__u32 flags;
	__u32 uapi_version;
	__u32 config_mask;
	__u32 max_cores;
	__u32 max_threads;
	__aligned_u64 capabilities;
	__aligned_u64 min_memory;
	__aligned_u64 max_memory;
	__u32 page_size;
	__u32 max_observers;
	__u32 max_ring_order;
	__u32 pad;
	char model[32];
};

#define MONTECITO_INFO _IO(MONTECITO_TYPE, MONTECITO_CMD_INFO)

/**
 * struct montecito_create - ioctl(MONTECITO_CREATE)
 * @size: sizeof(struct montecito_create)
 * @flags: must be 0
 * @cores: 1 or 2
 * @threads: per core, 1 or 2
 * @config: MONTECITO_CFG_*
 * @pad: must be 0
 * @memory: bytes of guest physical memory, from address 0; a multiple of
 *	montecito_info.page_size and, for the device, of the host's page size
 *
 * Make a machine at reset, its memory zero. All of it is charged to the
 * caller's memory control group.
 *
 * Return: a machine file descriptor (close-on-exec), or
 *  * EINVAL: @cores, @threads, @config or @memory cannot be had
 *  * EMFILE, ENFILE: no more file descriptors
 */
struct montecito_create {
	__u32 size;
	__u32 flags;
	__u32 cores;
	__u32 threads;
	__u32 config;
	__u32 pad;
	__aligned_u64 memory;
};

#define MONTECITO_CREATE _IO(MONTECITO_TYPE, MONTECITO_CMD_CREATE)

/* ------------------------------------------------------------------------
 * Machine
 *
 * mmap() at offset 0 of a machine file descriptor, MAP_SHARED, is the guest's
 * physical memory: EINVAL for a range that reaches beyond it or for a private
 * mapping. What is stored there is data to the guest at once; code changed
 * that way needs MONTECITO_MEM_INVALIDATE, as fc.i would be needed on the
 * processor.
 */

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
 *
 * Published at the end of each of RUN's slices and after each change that a
 * command makes. To read it: load @seq with acquire semantics, start again if it
 * is odd; copy; a read barrier; load @seq and start again if it has changed.
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
 * @pad: out: 0
 * @memory: out: as created
 * @state_length: out: bytes that MONTECITO_SAVE writes
 */
struct montecito_machine_info {
	__u32 size;
	__u32 flags;
	__u32 id;
	__u32 nr_vcpus;
	__u32 cores;
	__u32 threads;
	__u32 config;
	__u32 pad;
	__aligned_u64 memory;
	__aligned_u64 state_length;
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
 * A copy that ends in %EFAULT may have done a part of its work; so may one that
 * a fatal signal ends.
 *
 * Return: 0, or
 *  * EINVAL: the range reaches beyond the memory; @data with MEM_INVALIDATE
 *  * EINTR: the caller is being killed
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
#define MONTECITO_STATE_VERSION 1

/**
 * struct montecito_state_header - how a state blob begins
 * @magic: %MONTECITO_STATE_MAGIC
 * @version: %MONTECITO_STATE_VERSION
 * @header_length: bytes of this header; the processors' state follows
 * @cores: the configuration that was saved
 * @threads: likewise
 * @config: likewise
 * @pad: 0
 * @processor_length: bytes of the processors' state (versioned by itself)
 * @memory: bytes of guest memory, which follows the processors' state
 *
 * Little-endian. Observers, rings and eventfds belong to file descriptors and
 * are not part of the state.
 */
struct montecito_state_header {
	__aligned_u64 magic;
	__u32 version;
	__u32 header_length;
	__u32 cores;
	__u32 threads;
	__u32 config;
	__u32 pad;
	__aligned_u64 processor_length;
	__aligned_u64 memory;
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
 * the same cores, threads, config and memory.
 *
 * Return: 0, or
 *  * ENOSPC: SAVE: @length is not 0 and less than the blob
 *  * EINVAL: RESTORE: not a blob, or not one of such a machine
 *  * EBUSY: the machine is in MONTECITO_RUN or in another of these two
 *  * EINTR: the caller is being killed
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
 * Equal states have equal hashes, on every host and in-process.
 *
 * Return: 0, or
 *  * EINTR: the caller is being killed
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
#define MONTECITO_EXIT_MMIO 10 /* a reference that the caller serves */
#define MONTECITO_EXIT_FIRMWARE 11 /* a break with CFG_FIRMWARE; retired */
#define MONTECITO_EXIT_SIGNAL 64 /* a signal is pending for the caller */

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
 * @iim: likewise; the immediate of a break
 * @iha: likewise
 * @itir: likewise
 * @pmc0: PMC0 at an overflow; bit n for PMCn of EXIT_UNCOUNTED
 * @insns: instructions retired by this RUN, all vcpus together
 * @cycles: cycles passed in this RUN, of the vcpu furthest ahead
 * @pa: physical address of EXIT_MMIO
 * @length: its bytes
 * @write: 1 for a store, 0 for a load
 * @data: a store's bytes as they would lie in memory
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
	__aligned_u64 pa;
	__u32 length;
	__u32 write;
	__aligned_u64 data[2];
};

/**
 * struct montecito_run - ioctl(MONTECITO_RUN)
 * @size: sizeof(struct montecito_run)
 * @flags: must be 0
 * @insns: stop at the first issue-group boundary with at least so many
 *	instructions retired by this RUN; 0: no limit
 * @cycles: likewise for cycles; 0: no limit
 * @exit: out: why it stopped
 * @uncounted: out: bit n: PMCn of @uncounted_vcpu was given an event that the
 *	model does not count, and no RUN has told so before; 0 for none
 * @uncounted_vcpu: out: see @uncounted
 * @pad: must be 0
 *
 * Execute, in the caller's context, until something in MONTECITO_EXIT_* comes
 * up. A signal ends it with success and %MONTECITO_EXIT_SIGNAL, with what ran
 * until then in @exit: nothing is lost, call it again to go on. A run split
 * into any number of RUNs is the same run.
 *
 * Return: 0, or
 *  * EBUSY: the machine is in MONTECITO_RUN, _SAVE or _RESTORE
 */
struct montecito_run {
	__u32 size;
	__u32 flags;
	__aligned_u64 insns;
	__aligned_u64 cycles;
	struct montecito_exit exit;
	__aligned_u64 uncounted;
	__u32 uncounted_vcpu;
	__u32 pad;
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
 * Take what the guest wrote to its console. What could not be delivered
 * because of %EFAULT is gone.
 */
struct montecito_console {
	__u32 size;
	__u32 flags;
	__aligned_u64 length;
	__aligned_u64 data;
};

#define MONTECITO_CONSOLE _IO(MONTECITO_TYPE, MONTECITO_CMD_CONSOLE)

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
#define MONTECITO_NR_REG_CLASSES 14

/* index of MONTECITO_REG_SPECIAL */
#define MONTECITO_SPECIAL_IP 0 /* bundle address */
#define MONTECITO_SPECIAL_PSR 1 /* with ri */
#define MONTECITO_SPECIAL_CFM 2
#define MONTECITO_SPECIAL_INSNS 3 /* retired since reset, read only */
#define MONTECITO_SPECIAL_CYCLES 4 /* since reset, read only */
#define MONTECITO_SPECIAL_HALTED 5
#define MONTECITO_NR_SPECIAL 6

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
 * @count: entries, up to %MONTECITO_MAX_BATCH
 * @bad: out, also on failure: index of the entry that was refused, or @count
 * @regs: user pointer to struct montecito_reg[@count]
 *
 * Read or write registers, in the order given. If an entry is refused, SET has
 * changed no register and GET has written no value.
 *
 * Return: 0, or
 *  * EINVAL: @count; or entry @bad: no such class or register (a GR outside
 *    the current frame is none), a value that it cannot hold, or a second
 *    word that it does not have
 *  * EPERM: entry @bad: SET of CPUID, SPECIAL_INSNS or SPECIAL_CYCLES
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

/* montecito_filter.flags */
#define MONTECITO_FILTER_IAR (1U << 0) /* iar_lo <= bundle address < iar_hi */
#define MONTECITO_FILTER_DAR (1U << 1) /* dar_lo <= data address < dar_hi */
#define MONTECITO_FILTER_OPC (1U << 2) /* opcode match */

/**
 * struct montecito_filter - what an observer counts
 * @code: event code, PMC.es
 * @umask: PMC.umask, 0..15
 * @plm: privilege levels, bit n for level n; 0 is refused
 * @threshold: 0..7, as PMC.threshold
 * @flags: MONTECITO_FILTER_*
 * @mifb: unit types for OPC: bit 3 M, bit 2 I, bit 1 F, bit 0 B
 * @pad: must be 0
 * @iar_lo: first address of the instruction range
 * @iar_hi: first address behind it
 * @dar_lo: first address of the data range
 * @dar_hi: first address behind it
 * @opc_match: 41-bit pattern
 * @opc_mask: 1 bits are "don't care", as in PMC32
 */
struct montecito_filter {
	__u16 code;
	__u8 umask;
	__u8 plm;
	__u8 threshold;
	__u8 flags;
	__u8 mifb;
	__u8 pad;
	__aligned_u64 iar_lo;
	__aligned_u64 iar_hi;
	__aligned_u64 dar_lo;
	__aligned_u64 dar_hi;
	__aligned_u64 opc_match;
	__aligned_u64 opc_mask;
};

/* montecito_observer_add.flags */
#define MONTECITO_OBSERVER_SAMPLE (1U << 0) /* every @period, a record in the ring */

/**
 * struct montecito_observer_add - ioctl(MONTECITO_OBSERVER_ADD)
 * @size: sizeof(struct montecito_observer_add)
 * @flags: MONTECITO_OBSERVER_SAMPLE
 * @id: out: number of the observer on this file descriptor
 * @pad: must be 0
 * @period: with OBSERVER_SAMPLE, occurrences between samples, not 0; else 0
 * @filter: what to count
 * @why: out, also on failure: the rule that refused it, NUL-terminated; empty
 *	on success
 *
 * Count an event from now on, in 64 bits, without any effect on the guest or
 * on its own PMU. Closing the file descriptor removes it.
 *
 * Return: 0, or
 *  * EINVAL: a field of @filter out of range, or a @period that does not go
 *    with @flags
 *  * ENOENT: there is no event with this code and umask
 *  * EOPNOTSUPP: the model does not count this event, or not with this filter
 *  * ENXIO: OBSERVER_SAMPLE, and there is no ring
 *  * ENOSPC: the machine has %MONTECITO_MAX_OBSERVERS
 */
struct montecito_observer_add {
	__u32 size;
	__u32 flags;
	__u32 id;
	__u32 pad;
	__aligned_u64 period;
	struct montecito_filter filter;
	char why[128];
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
 * @count: observers, up to %MONTECITO_MAX_BATCH
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
 * @order: 2^@order data pages, up to %MONTECITO_MAX_RING_ORDER
 * @pad: must be 0
 *
 * Give this file descriptor a sampling ring. mmap() of it at offset 0,
 * MAP_SHARED, exactly 1 + 2^@order pages: struct montecito_ring_page, then the
 * data. It cannot be changed or removed but by closing.
 *
 * mmap(): ENXIO without a ring; EINVAL for another length, offset or a private
 * mapping.
 *
 * Return: 0, or
 *  * EINVAL: @order
 *  * EEXIST: it has one
 */
struct montecito_ring {
	__u32 size;
	__u32 flags;
	__u32 order;
	__u32 pad;
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

#define MONTECITO_SAMPLE_NR_PMDS 12

/**
 * struct montecito_record_sample - one sample
 * @header: type MONTECITO_RECORD_SAMPLE, misc MONTECITO_SAMPLE_*
 * @source: observer id, or PMC0
 * @time: the vcpu's cycles
 * @insns: instructions it has retired since reset
 * @ip: bundle address of the instruction that made it overflow; of
 *	SAMPLE_PMU, as in struct montecito_exit
 * @slot: its slot
 * @cpl: its privilege level
 * @vcpu: index of the vcpu
 * @nr_pmds: entries of @pmd that are there: 0 for an observer's sample
 * @pmd: PMD4-15, as a mov at level 0 reads them
 */
struct montecito_record_sample {
	struct montecito_record_header header;
	__aligned_u64 source;
	__aligned_u64 time;
	__aligned_u64 insns;
	__aligned_u64 ip;
	__u32 slot;
	__u32 cpl;
	__u32 vcpu;
	__u32 nr_pmds;
	__aligned_u64 pmd[MONTECITO_SAMPLE_NR_PMDS];
};

/**
 * struct montecito_eventfd - ioctl(MONTECITO_EVENTFD)
 * @size: sizeof(struct montecito_eventfd)
 * @flags: must be 0
 * @fd: an eventfd, or -1 to take the present one off
 * @pad: must be 0
 *
 * Signal an eventfd when an observer of this file descriptor takes a sample or,
 * with CFG_HOST_PMU, the vcpu's PMU overflows. It is signalled once per
 * slice in which this happens. poll() on the vcpu file descriptor needs no
 * eventfd: it is readable while the ring holds records.
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
