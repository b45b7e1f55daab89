/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events of perf's in slices of machines; empty without CONFIG_PERF_EVENTS.
 * Called by run.c around each slice, and by perf.c, machine.c and main.c.
 */
#ifndef MHOST_PERF_SLICE_H
#define MHOST_PERF_SLICE_H

#include <linux/atomic.h>

#include "host.h"

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

#endif
