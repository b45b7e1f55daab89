/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel side of the model: machines, vcpus and who may reach them.
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
#include <linux/math.h>
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

#include "convert.h"
#include "table.h"

struct eventfd_ctx;
struct mhost_block;
struct mhost_observer;
struct sk_buff;
struct user_struct;
struct vm_fault;

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

/* Pages of so many bytes. */
#define MHOST_PAGES(bytes) DIV_ROUND_UP(bytes, PAGE_SIZE)

/**
 * struct mhost_account - who answers for locked memory
 * @user: whose RLIMIT_MEMLOCK carries it; NULL if exempt (CAP_IPC_LOCK)
 * @mm: in whose pinned_vm it is shown
 * @pages: how much
 * @own: of @pages, those that the module has allocated; the account of all machines
 *	carries them
 */
struct mhost_account {
	struct user_struct *user;
	struct mm_struct *mm;
	unsigned long pages;
	unsigned long own;
};

/**
 * struct mhost_pages - memory of the module that userspace may map
 * @page: its pages
 * @nr: how many
 * @addr: where the kernel sees them, contiguous
 */
struct mhost_pages {
	struct page **page;
	unsigned long nr;
	void *addr;
};

/**
 * struct mhost_pins - a range of the caller's memory that stays where it is
 * @account: who answers for it
 * @page: its pages
 * @nr: how many
 * @offset: of the range's first byte in the first of them
 * @write: it is written to
 */
struct mhost_pins {
	struct mhost_account account;
	struct page **page;
	unsigned long nr;
	unsigned long offset;
	bool write;
};

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
 * struct mhost_refused - an event of perf's that a machine does not count
 * @config: of the event, as perf has it
 * @why: the rule that refuses it, a constant string
 */
struct mhost_refused {
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
	struct mhost_refused refused[MHOST_MAX_REFUSED];
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
 * @nr_vcpu_observers: on each vcpu; @lock
 * @nr_vcpu_samplers: those of them with a period; @lock
 * @nr_vcpu_pmus: PMUs of PMU_ADD, whose counters are among the observers; @lock
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
 * struct mhost_ring - a sampling ring
 * @pages: control page, then data
 * @account: who answers for it
 * @ctl: the control page
 * @data: the data
 * @size: bytes of it
 * @watermark: unread bytes that make it readable
 * @head: the writer's own copy of data_head
 * @lost: records lost since the last record that told so
 * @lost_ever: records lost since the ring was made
 * @scratch: room for a record that is being made; the machine's @lock
 */
struct mhost_ring {
	struct mhost_pages pages;
	struct mhost_account account;
	struct montecito_ring_page *ctl;
	u8 *data;
	u64 size;
	u64 watermark;
	u64 head;
	u64 lost;
	u64 lost_ever;
	void *scratch;
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

/* lock.c */
int __must_check mhost_lock(struct mhost_machine *m);
void mhost_lock_release(struct mhost_machine *m);
void mhost_unlock(struct mhost_machine *m);
int __must_check mhost_enter(struct mhost_machine *m);
int __must_check mhost_enter_briefly(struct mhost_machine *m);
int __must_check mhost_use(struct mhost_machine *m);
void mhost_unuse(struct mhost_machine *m);
int __must_check mhost_state_begin(struct mhost_machine *m);
void mhost_state_end(struct mhost_machine *m);

/* snapshot.c */
int mhost_snapshot_init(struct mhost_machine *m);
void mhost_publish(struct mhost_machine *m);
int mhost_snapshot_mmap(struct mhost_machine *m, unsigned long vcpu, struct vm_area_struct *vma);
void mhost_snapshot_read(struct mhost_machine *m, u32 vcpu, struct montecito_snapshot *s);

/* ioctl.c */

/**
 * struct mhost_op - one ioctl
 * @cmd: its number
 * @size: bytes of its structure as this kernel knows it
 * @min: bytes of its first version
 * @flags: bits that its flags field may have
 * @out: MHOST_OUT_*
 * @fn: does it; @arg is a kernel copy
 * @end: NULL, or called after @fn has succeeded with its result @ret: what it made
 *	stays only if @told, which says that the caller could be told of it
 */
struct mhost_op {
	unsigned int cmd;
	u32 size;
	u32 min;
	u32 flags;
	u32 out;
	long (*fn)(void *obj, void *arg);
	void (*end)(void *obj, void *arg, long ret, bool told);
};

#define MHOST_OUT_NONE 0 /* nothing is copied back */
#define MHOST_OUT_OK 1 /* on success */
#define MHOST_OUT_ALWAYS 2 /* on failure too */

#define MHOST_OP_END(_cmd, _fn, _end, _type, _last, _flags, _out)                       \
	{                                                                               \
		.cmd = (_cmd), .size = sizeof(_type), .min = offsetofend(_type, _last), \
		.flags = (_flags), .out = (_out), .fn = (_fn), .end = (_end),           \
	}
#define MHOST_OP(_cmd, _fn, _type, _last, _flags, _out) \
	MHOST_OP_END(_cmd, _fn, NULL, _type, _last, _flags, _out)

long mhost_ioctl(const struct mhost_op *ops, unsigned int nr, void *obj, unsigned int cmd,
		 unsigned long uarg);

/* pages.c */
u64 mhost_memory_limit(void);
u64 mhost_memory_used(void);
int mhost_charge(struct mhost_account *a, unsigned long own, unsigned long pinned);
void mhost_uncharge(struct mhost_account *a);
void *mhost_alloc(size_t size);
unsigned long mhost_pages_cost(unsigned long nr);
int mhost_pages_alloc(struct mhost_pages *p, unsigned long nr);
void mhost_pages_free(struct mhost_pages *p);
vm_fault_t mhost_pages_fault(struct mhost_pages *p, unsigned long index, struct vm_fault *vmf);

/* pin.c */
int mhost_pins_get(struct mhost_pins *p, u64 addr, u64 length, bool write);
void mhost_pins_put(struct mhost_pins *p);
void mhost_pins_write(const struct mhost_pins *p, u64 at, const void *from, u64 n);
void mhost_pins_read(const struct mhost_pins *p, u64 at, void *to, u64 n);

/* machine.c */

/**
 * struct mhost_creation - MONTECITO_CREATE's argument and what comes of it
 * @c: argument
 * @file: of the new machine, not yet at its descriptor
 */
struct mhost_creation {
	struct montecito_create c;
	struct file *file;
};

long mhost_create(void *obj, void *arg);
void mhost_create_end(void *obj, void *arg, long fd, bool told);
void mhost_machine_put(struct mhost_machine *m);

/* memory.c */
u8 *mhost_ram(struct mhost_machine *m, u64 addr, u64 length);
bool mhost_memory_maps(struct mhost_machine *m, u64 addr, u64 length);
void mhost_memory_freeze(struct mhost_machine *m);
void mhost_memory_thaw(struct mhost_machine *m);
int mhost_memory_mmap(struct mhost_machine *m, struct vm_area_struct *vma);
long mhost_mem_read(void *obj, void *arg);
long mhost_mem_write(void *obj, void *arg);
long mhost_mem_invalidate(void *obj, void *arg);

/* state.c */
u64 mhost_state_length(const struct mhost_machine *m);
long mhost_state_save(void *obj, void *arg);
long mhost_state_restore(void *obj, void *arg);
long mhost_state_hash(void *obj, void *arg);

/* run.c */
void mhost_uncounted_take(struct mhost_machine *m);
long mhost_run(void *obj, void *arg);

/* vcpu.c */
int mhost_vcpu_open(struct mhost_machine *m, u32 index);

/* regs.c: for the vcpu's file and for netlink alike */
int mhost_regs_get(struct mhost_machine *m, u32 vcpu, struct montecito_reg *reg, u32 count,
		   u32 *bad);
int mhost_regs_set(struct mhost_machine *m, u32 vcpu, const struct montecito_reg *reg, u32 count,
		   u32 *bad);

int mhost_regs_set_briefly(struct mhost_machine *m, u32 vcpu, const struct montecito_reg *reg,
			   u32 count, u32 *bad);

/* observer.c */

/**
 * struct mhost_observation - MONTECITO_OBSERVER_ADD's argument and what comes of it
 * @a: argument
 * @o: the new observer, not yet known by its number
 */
struct mhost_observation {
	struct montecito_observer_add a;
	struct mhost_observer *o;
};

long mhost_observer_add(void *obj, void *arg);
void mhost_observer_add_end(void *obj, void *arg, long ret, bool told);
long mhost_observer_del(void *obj, void *arg);
long mhost_observer_read(void *obj, void *arg);
void mhost_observers_release(struct mhost_vcpu *v);
void mhost_pend(struct mhost_vcpu *v);

/* block.c */

/**
 * struct mhost_block_creation - MONTECITO_PMU_ADD's argument and what comes of it
 * @a: argument
 * @b: the new PMU, not yet known by its number
 */
struct mhost_block_creation {
	struct montecito_pmu_add a;
	struct mhost_block *b;
};

long mhost_block_add(void *obj, void *arg);
void mhost_block_add_end(void *obj, void *arg, long ret, bool told);
long mhost_block_del(void *obj, void *arg);
long mhost_block_get_regs(void *obj, void *arg);
long mhost_block_set_regs(void *obj, void *arg);
long mhost_block_describe(void *obj, void *arg);
void mhost_blocks_release(struct mhost_vcpu *v);

/* pipetrace.c */
long mhost_vcpu_trace(void *obj, void *arg);
void mhost_trace_release(struct mhost_vcpu *v);
bool mhost_overflow(struct mhost_machine *m, const struct mont_exit *exit);
long mhost_pmu_sampling(void *obj, void *arg);
long mhost_table_read(void *obj, void *arg);
void mhost_wake(struct mhost_machine *m);

/* ring.c */
struct mhost_ring *mhost_ring_new(u32 order, u32 watermark);
void mhost_ring_free(struct mhost_ring *ring);
void mhost_ring_write(struct mhost_ring *ring, const void *record, u32 size);
bool mhost_ring_readable(const struct mhost_ring *ring);

/* registry.c */
int mhost_registry_add(struct mhost_machine *m);
void mhost_registry_del(struct mhost_machine *m);
struct mhost_machine *mhost_registry_get(struct net *net, u32 id);
struct mhost_machine *mhost_registry_next(struct net *net, unsigned long *id);
u32 mhost_registry_generation(void);
bool mhost_registry_may_read(struct mhost_machine *m, struct sk_buff *skb);
bool mhost_registry_may_write(struct sk_buff *skb);
struct net *mhost_registry_net(struct mhost_machine *m);
int mhost_registry_init(void);
void mhost_registry_exit(void);

/* perf.c, perf_slice.c */
#ifdef CONFIG_PERF_EVENTS
extern atomic_t mhost_perf_used;

int mhost_perf_init(void);
void mhost_perf_exit(void);
u32 mhost_perf_here(void);
u64 mhost_perf_slice_begin(struct mhost_machine *m);
void mhost_perf_slice_end(struct mhost_machine *m);
void mhost_perf_withdraw(struct mhost_machine *m);
void mhost_perf_release(struct mhost_machine *m);

/* True while a perf event of this PMU exists: slices look at perf's lists only then. */
static inline bool mhost_perf_is_used(void)
{
	return unlikely(atomic_read(&mhost_perf_used));
}
#else
static inline int mhost_perf_init(void)
{
	return 0;
}

static inline void mhost_perf_exit(void)
{
}

static inline u32 mhost_perf_here(void)
{
	return 0;
}

static inline u64 mhost_perf_slice_begin(struct mhost_machine *m)
{
	return 0;
}

static inline void mhost_perf_slice_end(struct mhost_machine *m)
{
}

static inline void mhost_perf_withdraw(struct mhost_machine *m)
{
}

static inline void mhost_perf_release(struct mhost_machine *m)
{
}

static inline bool mhost_perf_is_used(void)
{
	return false;
}
#endif

/* netlink.c, notify.c */
int mhost_netlink_init(void);
void mhost_netlink_exit(void);

/**
 * struct mhost_note - something to tell the multicast group, filled under the
 *	machine's lock and sent outside of it
 * @cmd: 0 for nothing, or MONTECITO_NL_CMD_*_NTF
 * @vcpu: which
 * @bits: PMC0, or the uncounted counters
 * @insns: instructions the vcpu has retired
 * @cycles: its cycles
 * @suppressed: notifications withheld before this one
 */
struct mhost_note {
	u32 cmd;
	u32 vcpu;
	u64 bits;
	u64 insns;
	u64 cycles;
	u32 suppressed;
};

void mhost_note_overflow(struct mhost_machine *m, const struct mont_exit *exit,
			 struct mhost_note *note);
void mhost_note_uncounted(struct mhost_machine *m, u32 vcpu, u64 bits, struct mhost_note *note);
void mhost_note_send(struct mhost_machine *m, const struct mhost_note *note);

#endif
