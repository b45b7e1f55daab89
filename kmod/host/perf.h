/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events of the host's own perf that count in machines (Documentation/host-tools.rst). Called by
 * perf_slice.c, perf_sample.c and perf_sysfs.c.
 *
 * RUN executes a guest in its caller's task. So an event of that task, or of the CPU it
 * runs on, is to the guest what an event of a processor's PMU is to a program, and perf's
 * own rules of who may count where apply. perf.c is the PMU, perf_slice.c what counts in a
 * slice, perf_sample.c a sample's way to perf, perf_sysfs.c what sysfs shows.
 */
#ifndef MHOST_PERF_H
#define MHOST_PERF_H

#include <linux/atomic.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>

#include "host.h"

/* perf_event_attr.config; config1 is the machine (0: any) and a mask of vcpus (0: all). */
#define MHOST_PERF_CODE 0x000000ffULL
#define MHOST_PERF_UMASK 0x00000f00ULL
#define MHOST_PERF_THRESHOLD 0x00007000ULL
#define MHOST_PERF_PLM 0x000f0000ULL
#define MHOST_PERF_EAR 0x00700000ULL
#define MHOST_PERF_EAR_UMASK 0xff000000ULL
#define MHOST_PERF_CONFIG                                                             \
	(MHOST_PERF_CODE | MHOST_PERF_UMASK | MHOST_PERF_THRESHOLD | MHOST_PERF_PLM | \
	 MHOST_PERF_EAR | MHOST_PERF_EAR_UMASK)
#define MHOST_PERF_MACHINE GENMASK_ULL(31, 0)
#define MHOST_PERF_VCPUS GENMASK_ULL(32 + MONT_MAX_VCPUS - 1, 32)

/**
 * struct mhost_perf_event - an event that is open
 * @ref: one for perf's event, for each link, for each inherited event, for a slice
 * @lock: @event, @pending, @active, @filter, @generation, @users. A leaf, taken with
 *	interrupts off; perf takes it inside its own locks.
 * @event: perf's; NULL when that is gone
 * @parent: the event that this one was inherited from, referenced, or NULL
 * @machine: in which it counts; 0: in any
 * @vcpus: on which of its vcpus, a bit for each; 0: on all
 * @filter: what it counts
 * @generation: of @filter
 * @pending: what it has counted that perf's event does not have yet
 * @active: in the list of a CPU
 * @refused: some machine cannot count it; never cleared
 * @users: threads that are about to withdraw it; @event stays for as long
 * @unused: perf waits here for @users
 * @cpu: where it is active, or -1; changes on that CPU alone, with interrupts off
 * @alone: while active, perf's event and no other, for perf_tp_event()
 * @link: in mhost_perf_cpu.active
 * @withdrawn: in mhost_perf.withdrawn; the machine that set @refused has it there
 */
struct mhost_perf_event {
	struct kref ref;
	raw_spinlock_t lock; /* see above */
	struct perf_event *event;
	struct mhost_perf_event *parent;
	u32 machine;
	u32 vcpus;
	struct mont_filter filter;
	u32 generation;
	u64 pending;
	bool active;
	unsigned long refused;
	unsigned int users;
	wait_queue_head_t unused;
	int cpu;
	struct hlist_head alone;
	struct list_head link;
	struct llist_node withdrawn;
};

/**
 * struct mhost_perf_cpu - the events that are active on a CPU
 * @active: they; that CPU alone, interrupts off
 * @nr: how many
 * @samplers: how many of them have a period
 */
struct mhost_perf_cpu {
	struct list_head active;
	unsigned int nr;
	unsigned int samplers;
};

DECLARE_PER_CPU(struct mhost_perf_cpu, mhost_perf_cpus);

extern bool mhost_perf_sampling;

void mhost_perf_event_put(struct mhost_perf_event *p);
void mhost_perf_count(struct mhost_perf_event *p, u64 n);

/* perf_sample.c */
void mhost_perf_overflow(struct mhost_perf_event *p, struct montecito_perf_sample *s, u64 period);
bool mhost_perf_is_test(const struct perf_event *event);
void mhost_perf_test(u32 type);

/* perf_sysfs.c */
extern const struct attribute_group *mhost_perf_groups[];
int mhost_perf_names_init(void);
void mhost_perf_names_exit(void);

#endif
