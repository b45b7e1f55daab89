/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Observers, sampling of the PMU, and wakeups of their readers. Called by
 * vcpu.c for ioctls and files, by run.c after a slice, and by block.c and
 * pipetrace.c.
 */
#ifndef MHOST_OBSERVER_H
#define MHOST_OBSERVER_H

#include "host.h"

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
bool mhost_overflow(struct mhost_machine *m, const struct mont_exit *exit);
long mhost_pmu_sampling(void *obj, void *arg);
long mhost_table_read(void *obj, void *arg);
void mhost_wake(struct mhost_machine *m);

#endif
