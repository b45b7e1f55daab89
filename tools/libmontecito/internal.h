/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of libmontecito share: a machine and its backend. */
#ifndef LIBMONTECITO_INTERNAL_H
#define LIBMONTECITO_INTERNAL_H

#include "libmontecito.h"

/* Most vcpus that this library has room for. */
#define MAX_VCPUS 4
/* Most memory regions. */
#define MAX_REGIONS 8

/**
 * struct backend - where a machine lives
 * @machine: serve a machine command of the uapi; its result or a negative errno
 * @vcpu: serve a vcpu command
 * @ring: the ring of a vcpu, mapped, after MONTECITO_RING
 * @close: give everything back
 */
struct backend {
	int (*machine)(struct montecito *m, unsigned int cmd, void *arg);
	int (*vcpu)(struct montecito *m, unsigned int vcpu, unsigned int cmd, void *arg);
	struct montecito_ring_page *(*ring)(struct montecito *m, unsigned int vcpu);
	void (*close)(struct montecito *m);
};

/* Guest memory as this process sees it; NULL where there is none. */
struct region {
	struct montecito_region r;
	void *p;
};

/* The first member of what a backend allocates. */
struct montecito {
	const struct backend *ops;
	struct region region[MAX_REGIONS];
	unsigned int nr_regions;
	bool mmio; /* the next RUN answers EXIT_MMIO */
	uint32_t mmio_vcpu;
	uint64_t mmio_data[2];
	unsigned int nr_vcpus;
	bool timed;
	struct montecito_ring_page *ring[MAX_VCPUS];
};

int device_open(const struct montecito_options *opt, struct montecito **res);
int device_info(const char *path, struct montecito_info *info);
int inproc_open(const struct montecito_options *opt, struct montecito **res);
int inproc_info(struct montecito_info *info);
/* The regions that @opt asks for: its own, or one of @memory bytes at 0. */
unsigned int option_regions(const struct montecito_options *opt, struct montecito_region *r);

#endif
