/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A machine in this process: the model and the handles uapi gives it. Called by inproc.c,
 * inproc_vcpu.c and inproc_pmu.c.
 */
#ifndef LIBMONTECITO_INPROC_H
#define LIBMONTECITO_INPROC_H

#include "../../kmod/model/base/types.h"

#include "../../kmod/host/sample_convert.h"
#include "../../kmod/host/table.h"
#include "internal.h"

/* As many as the device has room for. */
#define MAX_BATCH 1024
#define MAX_OBSERVERS 1024
#define MAX_PMUS 8
#define MAX_RING_ORDER 10
#define MAX_TABLE_ORDER 16

struct inproc;

/**
 * struct inproc_observer - an observer and where its samples go
 * @o: must be first: the model hands it back
 * @v: the vcpu it is on
 * @table: counts by instruction, if it keeps them
 * @pmds: of its EAR or trace buffer, in its samples
 * @max_callchain: most return addresses of its samples
 * @id: as OBSERVER_ADD numbered it
 */
struct inproc_observer {
	struct mont_observer o;
	struct inproc_vcpu *v;
	struct mhost_table table;
	uint64_t pmds;
	uint32_t max_callchain;
	uint32_t id;
};

struct inproc_block;

struct inproc_vcpu {
	struct inproc *p;
	struct mont_thread *t;
	struct inproc_observer *obs[MAX_OBSERVERS];
	struct inproc_block *block[MAX_PMUS]; /* other PMUs, by number less 1 */
	struct montecito_ring_page *ring;
	uint64_t watermark;
	uint64_t lost_told;
	uint64_t uncounted; /* what RUN has yet to report */
	struct mhost_sampling sampling;
	struct mont_trace trace; /* into @ring */
	unsigned int index;
	int eventfd;
	bool event; /* a sample was taken since eventfd was last signalled */
};

struct inproc {
	struct montecito m;
	struct mont_config cfg;
	char name[MONTECITO_NAME_LEN];
	struct mont_package *pkg;
	size_t pkg_len;
	struct inproc_vcpu vcpu[MAX_VCPUS];
};

/* inproc_vcpu.c */
int inproc_vcpu_call(struct montecito *m, unsigned int vcpu, unsigned int cmd, void *arg);
struct montecito_ring_page *inproc_ring(struct montecito *m, unsigned int vcpu);
void inproc_vcpu_close(struct inproc_vcpu *v);
/* Append a record to the ring, if there is one, or count it as lost. */
void inproc_ring_record(struct inproc_vcpu *v, const struct montecito_record_header *h);
/* Sample an overflow of the architectural PMU with CFG_HOST_PMU: true if the guest goes on. */
bool inproc_pmu_sample(struct inproc_vcpu *v, const struct mont_exit *exit);
/* Take out of the model the events that guests programmed and that are not counted. */
void inproc_uncounted(struct inproc *p);
/* Tell the eventfds what happened in the run that ended. */
void inproc_notify(struct inproc *p);

/* inproc_pmu.c */
int inproc_pmu_add(struct inproc_vcpu *v, struct montecito_pmu_add *add);
int inproc_pmu_del(struct inproc_vcpu *v, const struct montecito_pmu_del *del);
int inproc_pmu_regs(struct inproc_vcpu *v, struct montecito_pmu_regs *r, bool set);
int inproc_pmu_describe(struct montecito_pmu_describe *d);
void inproc_pmus_close(struct inproc_vcpu *v);

#endif
