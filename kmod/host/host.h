/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel side of the model: machines, vcpus and who may reach them.
 * Included by the files of the host side.
 *
 * Locks are described in Documentation/locking.rst; each field below names the
 * one that protects it.
 */
#ifndef MHOST_HOST_H
#define MHOST_HOST_H

#include <linux/atomic.h>
#include <linux/fs.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/mutex.h>
#include <linux/seqlock.h>
#include <linux/sizes.h>
#include <linux/types.h>
#include <linux/uidgid.h>
#include <linux/wait.h>
#include <linux/xarray.h>
#include <linux/pid.h>
#include <net/net_namespace.h>

#include <linux/montecito.h>

#include "../model/pmu/block.h"
#include "pages.h"
#include "sample_convert.h"
#include "table.h"

struct eventfd_ctx;
struct mhost_block;
struct mhost_observer;
struct mhost_ring;

/* Limits that INFO reports: choices of this implementation. */
#define MHOST_MAX_REGIONS MONT_MAX_REGIONS
#define MHOST_MAX_BATCH 1024
/* The caps follow from what one bundle with so many may cost: MHOST_WORK. */
#define MHOST_MAX_VCPU_OBSERVERS 1024
#define MHOST_MAX_VCPU_SAMPLERS 64
#define MHOST_MAX_OBSERVERS (MHOST_MAX_VCPU_OBSERVERS * MONT_MAX_VCPUS)
#define MHOST_MAX_VCPU_PMUS 8
#define MHOST_MAX_VCPU_FILES 64
#define MHOST_MAX_RING_ORDER 10
#define MHOST_MAX_TABLE_ORDER 16

/* Of perf's events, beside those: active on a CPU, and of them with a period. */
#define MHOST_MAX_PERF_EVENTS 64
#define MHOST_MAX_PERF_SAMPLERS 16

/* Bytes of guest memory copied or invalidated before the machine's lock is let go. */
#define MHOST_COPY_CHUNK SZ_1M

/* Time of a slice: it ends at the next bundle or cycle of a stall then. */
#define MHOST_SLICE_NS NSEC_PER_MSEC

/* Most units of work of a slice (Documentation/locking.rst). */
#define MHOST_WORK                                                             \
	(MONT_WORK_DEFAULT +                                                   \
	 MONT_WORK_OVERSHOOT(MHOST_MAX_VCPU_OBSERVERS + MHOST_MAX_PERF_EVENTS, \
			     MHOST_MAX_VCPU_SAMPLERS + MHOST_MAX_PERF_SAMPLERS, true))

/**
 * struct mhost_region - a piece of guest physical memory
 * @r: where it is
 * @pages: its memory
 */
struct mhost_region {
	struct montecito_region r;
	struct mhost_pages pages;
};

/**
 * enum mhost_busy - what has the machine for longer than it holds its lock
 * @MHOST_IDLE: nothing
 * @MHOST_RUN: RUN; others come between its slices
 * @MHOST_STATE: SAVE, RESTORE or HASH; all others are refused
 */
enum mhost_busy {
	MHOST_IDLE,
	MHOST_RUN,
	MHOST_STATE,
};

struct mhost_perf_event;

/* Refusals that a machine remembers. */
#define MHOST_MAX_REFUSED 16

/**
 * struct mhost_refusal - an event of perf's that a machine does not count
 * @config: of the event, as perf has it
 * @why: the rule that refuses it, a constant string
 */
struct mhost_refusal {
	u32 config;
	const char *why;
};

/**
 * struct mhost_perf - perf's events in a machine; the machine's lock, where no other is named
 * @links: observers made for them, attached or not
 * @attached: how many are
 * @slice: counts the slices that had any
 * @stays: this slice does not change its CPU
 * @now: the events that count in this slice, each with its period or 0
 * @withdrawn: events that perf is to be told of; RUN alone
 * @refused: what is not counted here and why
 * @nr_refused: how many of these there are
 */
struct mhost_perf {
	struct list_head links;
	u32 attached;
	u64 slice;
	bool stays;
	struct {
		struct mhost_perf_event *p;
		u64 period;
	} now[MHOST_MAX_PERF_EVENTS];
	struct llist_head withdrawn;
	struct mhost_refusal refused[MHOST_MAX_REFUSED];
	u32 nr_refused;
};

/**
 * struct mhost_machine - one package and its host side
 * @ref: held by the machine's file and by each of its vcpus' files
 * @lock: serialises every call into the model; see mhost_lock()
 * @waiting: threads other than RUN's that wait for @lock
 * @turn: wait queue of RUN, which lets them go first
 * @unlocked: wait queue of threads that wait for @lock for a limited time
 * @cfg: as created
 * @name: as created
 * @pkg: the model's own structure
 * @pkg_size: its bytes
 * @region: guest physical memory
 * @nr_regions: how many there are
 * @account: charged for guest memory and @pkg
 * @mapping: of the machine's file: all its mappings in all processes
 * @state_size: bytes of mont_state_save()
 * @nr_vcpus: cores times threads
 * @id: number in the registry, 1 and up
 * @uid: effective user id of the creator
 * @pid: the creator's process
 * @net: network namespace of the creator, not held: NULL when that is gone
 * @rcu: for the registry's readers
 * @snapshots: a page for each vcpu, struct montecito_snapshot; @lock to write
 * @snapshot_seq: for @snapshots
 * @scratch: @state_size bytes: to undo a batch of writes, under @lock; for SAVE and
 *	RESTORE, which keep all others away from the lock
 * @busy: what has the machine; @lock, but netlink looks without it
 * @users: commands that copy guest memory or the console without @lock; grows
 *	under @lock
 * @stale: memory has changed that was not invalidated
 * @stale_regions: of @region, so many from the first on are still to be invalidated; @lock
 * @stale_done: bytes of the last of those that have been; @lock
 * @console: bit 0: one of them is CONSOLE
 * @frozen: accesses through the mapping wait; guarded by @mapping's invalidate_lock, but
 *	read without it by waiters for the thaw
 * @thaw: wait queue of faults in a frozen mapping
 * @pending: some file's @pending is set; @lock
 * @nr_vcpu_observers: on each vcpu; @lock, but netlink looks without it
 * @nr_vcpu_samplers: those of them with a period; @lock
 * @nr_vcpu_pmus: PMUs of PMU_ADD, whose counters are among the observers; @lock
 * @nr_vcpu_kinds: those of them of each kind; @lock, but netlink looks without it
 * @nr_files: on all of its vcpus; @lock
 * @vcpus: files on each vcpu; @lock
 * @tracer: of them, the one that traces it, or NULL; @lock
 * @sampling: what overflows of each vcpu's PMU do; @lock
 * @uncounted: by vcpu, uncounted events that RUN has yet to tell of; @lock
 * @unnoted: likewise netlink; @lock
 * @breakpoint: of the RUN that has the machine
 * @notify_window: jiffies of the present rate-limit window; @lock
 * @notify_sent: notifications sent in it; @lock
 * @notify_lost: notifications not sent since the last one; @lock
 * @perf: perf's events in it; @lock
 */
struct mhost_machine {
	struct kref ref;
	struct mutex lock; /* every call into the model */
	atomic_t waiting;
	wait_queue_head_t turn;
	wait_queue_head_t unlocked;
	struct mont_config cfg;
	char name[MONTECITO_NAME_LEN];
	struct mont_package *pkg;
	size_t pkg_size;
	struct mhost_region region[MHOST_MAX_REGIONS];
	u32 nr_regions;
	struct mhost_account account;
	struct address_space mapping;
	size_t state_size;
	u32 nr_vcpus;
	u32 id;
	kuid_t uid;
	struct pid *pid;
	struct net *net;
	struct rcu_head rcu;

	struct mhost_pages snapshots;
	seqcount_mutex_t snapshot_seq;
	void *scratch;
	enum mhost_busy busy;
	atomic_t users;
	bool stale;
	u32 stale_regions;
	u64 stale_done;
	unsigned long console;
	bool frozen;
	wait_queue_head_t thaw;
	bool pending;
	u32 nr_vcpu_observers[MONT_MAX_VCPUS];
	u32 nr_vcpu_samplers[MONT_MAX_VCPUS];
	u32 nr_vcpu_pmus[MONT_MAX_VCPUS];
	u32 nr_vcpu_kinds[MONT_MAX_VCPUS][MONT_BLOCK_KINDS];
	u32 nr_files;
	struct list_head vcpus[MONT_MAX_VCPUS];
	struct mhost_vcpu *tracer[MONT_MAX_VCPUS];
	struct mhost_sampling sampling[MONT_MAX_VCPUS];
	u64 uncounted[MONT_MAX_VCPUS];
	u64 unnoted[MONT_MAX_VCPUS];
	struct mont_breakpoint breakpoint[MONT_MAX_BREAKPOINTS];
	unsigned long notify_window;
	u32 notify_sent;
	u32 notify_lost;
	struct mhost_perf perf;
};

/**
 * struct mhost_vcpu - an open file on a vcpu
 * @m: its machine, referenced
 * @t: the vcpu
 * @index: its number
 * @link: in m->vcpus[index]; m->lock
 * @wq: poll() waits here
 * @ring: set once, under m->lock, and then there until the file closes
 * @trace: of the vcpu, into @ring, while m->tracer[@index] is this file
 * @efd: eventfd or NULL; m->lock
 * @observers: by id; m->lock
 * @blocks: PMUs of PMU_ADD by id; m->lock
 * @pending: something happened in this slice that wakes waiters; m->lock
 */
struct mhost_vcpu {
	struct mhost_machine *m;
	struct mont_thread *t;
	u32 index;
	struct list_head link;
	wait_queue_head_t wq;
	struct mhost_ring *ring;
	struct mont_trace trace;
	struct eventfd_ctx *efd;
	struct xarray observers;
	struct xarray blocks;
	bool pending;
};

#endif
