/* SPDX-License-Identifier: GPL-2.0-only */
/* A machine in this process: the model and the handles uapi gives it. */
#ifndef LIBMONTECITO_INPROC_H
#define LIBMONTECITO_INPROC_H

#include "../../kmod/model/mont.h"
#include "../../kmod/model/pmu/observer.h"
#include "internal.h"

struct inproc;

/**
 * struct inproc_observer - an observer and where its samples go
 * @o: must be first: the model hands it back
 * @v: the vcpu it is on
 * @id: as OBSERVER_ADD numbered it
 */
struct inproc_observer {
	struct mont_observer o;
	struct inproc_vcpu *v;
	uint32_t id;
};

struct inproc_vcpu {
	struct inproc *p;
	struct mont_thread *t;
	struct inproc_observer *obs[MONTECITO_MAX_OBSERVERS];
	struct montecito_ring_page *ring;
	size_t ring_len;
	uint64_t lost_told;
	unsigned int index;
	int eventfd;
	bool event; /* a sample was taken since eventfd was last signalled */
};

struct inproc {
	struct montecito m;
	struct mont_config cfg;
	struct mont_package *pkg;
	size_t pkg_len;
	struct inproc_vcpu vcpu[MONTECITO_MAX_VCPUS];
};

/* inproc_vcpu.c */
int inproc_vcpu_call(struct montecito *m, unsigned int vcpu, unsigned int cmd, void *arg);
struct montecito_ring_page *inproc_ring(struct montecito *m, unsigned int vcpu);
void inproc_vcpu_close(struct inproc_vcpu *v);
/* The architectural PMU overflowed with CFG_HOST_PMU. */
void inproc_pmu_sample(struct inproc_vcpu *v, const struct mont_exit *exit);
/* Tell the eventfds what happened in the run that ended. */
void inproc_notify(struct inproc *p);

#endif
