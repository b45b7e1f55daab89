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
#include <linux/mutex.h>
#include <linux/seqlock.h>
#include <linux/types.h>
#include <linux/uidgid.h>
#include <linux/wait.h>
#include <linux/xarray.h>
#include <linux/pid.h>
#include <net/net_namespace.h>

#include <linux/montecito.h>

#include "../model/mont.h"
#include "../model/pmu/observer.h"

struct eventfd_ctx;
struct sk_buff;

/* Shortest slice of RUN, in instructions or cycles. */
#define MHOST_SLICE_MIN 16

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
 * struct mhost_machine - one package and what hosts it
 * @ref: held by the machine's file and by each of its vcpus' files
 * @lock: serialises every call into the model; see mhost_lock()
 * @waiting: threads other than RUN's that wait for @lock
 * @turn: RUN waits here for them
 * @unlocked: who wants @lock for no longer than a while waits here
 * @cfg: as created
 * @pkg: the model's own structure
 * @pkg_size: its bytes
 * @ram: guest physical memory
 * @state_size: bytes of mont_state_save()
 * @nr_vcpus: cores times threads
 * @id: number in the registry, 1 and up
 * @uid: effective user id of the creator
 * @net: network namespace of the creator, not held: NULL when that is gone
 * @pid: process of the creator
 * @name: its name
 * @snapshots: a page for each vcpu, struct montecito_snapshot; @lock to write
 * @snapshot_seq: for @snapshots
 * @rcu: for the registry's readers
 * @scratch: @state_size bytes to undo a batch of writes; @lock
 * @slice: instructions or cycles of RUN's next slice
 * @busy: in RUN, SAVE or RESTORE; @lock
 * @running: in RUN; written under @lock
 * @pending: some file's @pending is set; @lock
 * @nr_observers: on all of its vcpus; @lock
 * @vcpus: files on each vcpu; @lock
 * @uncounted: by vcpu, uncounted events that RUN has yet to tell of; @lock
 * @notify_window: jiffies of the present rate-limit window; @lock
 * @notify_sent: notifications sent in it; @lock
 * @notify_lost: notifications not sent since the last one; @lock
 */
struct mhost_machine {
	struct kref ref;
	struct mutex lock; /* every call into the model */
	atomic_t waiting;
	wait_queue_head_t turn;
	wait_queue_head_t unlocked;
	struct mont_config cfg;
	struct mont_package *pkg;
	size_t pkg_size;
	struct mhost_pages ram;
	size_t state_size;
	u32 nr_vcpus;
	u32 id;
	kuid_t uid;
	struct net *net;
	struct pid *pid;
	char name[TASK_COMM_LEN];
	struct rcu_head rcu;
	struct mhost_pages snapshots;
	seqcount_mutex_t snapshot_seq;

	void *scratch;
	u64 slice;
	bool busy;
	bool running;
	bool pending;
	u32 nr_observers;
	struct list_head vcpus[MONT_MAX_VCPUS];
	u64 uncounted[MONT_MAX_VCPUS];
	unsigned long notify_window;
	u32 notify_sent;
	u32 notify_lost;
};

/**
 * struct mhost_ring - a sampling ring
 * @pages: control page, then data
 * @ctl: the control page
 * @data: the data
 * @size: bytes of it
 * @head: the writer's own copy of data_head
 * @lost: records lost since the last record that told so
 * @lost_ever: records lost since the ring was made
 */
struct mhost_ring {
	struct mhost_pages pages;
	struct montecito_ring_page *ctl;
	u8 *data;
	u64 size;
	u64 head;
	u64 lost;
	u64 lost_ever;
};

/**
 * struct mhost_vcpu - an open file on a vcpu
 * @m: its machine, referenced
 * @t: the vcpu
 * @index: its number
 * @link: in m->vcpus[index]; m->lock
 * @wq: poll() waits here
 * @ring: set once, under m->lock, and then there until the file closes
 * @efd: eventfd or NULL; m->lock
 * @observers: by id; m->lock
 * @pending: something happened in this slice that wakes waiters; m->lock
 */
struct mhost_vcpu {
	struct mhost_machine *m;
	struct mont_thread *t;
	u32 index;
	struct list_head link;
	wait_queue_head_t wq;
	struct mhost_ring *ring;
	struct eventfd_ctx *efd;
	struct xarray observers;
	bool pending;
};

/* Take the machine's lock, ahead of RUN's next slice. */
static inline void mhost_lock(struct mhost_machine *m)
{
	atomic_inc(&m->waiting);
	mutex_lock(&m->lock);
	if (atomic_dec_and_test(&m->waiting))
		wake_up(&m->turn);
}

static inline void mhost_unlock(struct mhost_machine *m)
{
	mutex_unlock(&m->lock);
	if (wq_has_sleeper(&m->unlocked))
		wake_up(&m->unlocked);
}

int mhost_lock_briefly(struct mhost_machine *m);

/* ioctl.c */

/**
 * struct mhost_op - one ioctl
 * @cmd: its number
 * @size: bytes of its structure as this kernel knows it
 * @min: bytes of its first version
 * @flags: bits that its flags field may have
 * @out: MHOST_OUT_*
 * @fn: does it; @arg is a kernel copy
 */
struct mhost_op {
	unsigned int cmd;
	u32 size;
	u32 min;
	u32 flags;
	u32 out;
	long (*fn)(void *obj, void *arg);
};

#define MHOST_OUT_NONE 0 /* nothing is copied back */
#define MHOST_OUT_OK 1 /* on success */
#define MHOST_OUT_ALWAYS 2 /* on failure too */

#define MHOST_OP(_cmd, _fn, _struct, _last, _flags, _out)                                    \
	{                                                                                    \
		.cmd = (_cmd), .size = sizeof(struct _struct),                               \
		.min = offsetofend(struct _struct, _last), .flags = (_flags), .out = (_out), \
		.fn = (_fn),                                                                 \
	}

long mhost_ioctl(const struct mhost_op *ops, unsigned int nr, void *obj, unsigned int cmd,
		 unsigned long uarg);

/* pages.c */
int mhost_pages_alloc(struct mhost_pages *p, unsigned long nr);
void mhost_pages_free(struct mhost_pages *p);
int mhost_pages_mmap(struct mhost_pages *p, struct vm_area_struct *vma);

/* machine.c */
int mhost_machine_open(const struct mont_config *cfg);
void mhost_machine_put(struct mhost_machine *m);

/* memory.c */
long mhost_mem_read(void *obj, void *arg);
long mhost_mem_write(void *obj, void *arg);
long mhost_mem_invalidate(void *obj, void *arg);

/* state.c */
u64 mhost_state_length(const struct mhost_machine *m);
long mhost_state_save(void *obj, void *arg);
long mhost_state_restore(void *obj, void *arg);
long mhost_state_hash(void *obj, void *arg);

/* run.c */
long mhost_run(void *obj, void *arg);

/* snapshot.c */
int mhost_snapshot_init(struct mhost_machine *m);
void mhost_publish(struct mhost_machine *m);
void mhost_snapshot_read(struct mhost_machine *m, u32 vcpu, struct montecito_snapshot *s);

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
long mhost_observer_add(void *obj, void *arg);
long mhost_observer_del(void *obj, void *arg);
long mhost_observer_read(void *obj, void *arg);
void mhost_observers_release(struct mhost_vcpu *v);
void mhost_overflow(struct mhost_machine *m, const struct mont_exit *exit);
void mhost_wake(struct mhost_machine *m);

/* ring.c */
struct mhost_ring *mhost_ring_new(u32 order);
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
