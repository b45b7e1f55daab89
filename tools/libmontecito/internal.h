/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of libmontecito share: a machine and its backend. */
#ifndef LIBMONTECITO_INTERNAL_H
#define LIBMONTECITO_INTERNAL_H

#include "libmontecito.h"

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

/* The first member of what a backend allocates. */
struct montecito {
	const struct backend *ops;
	void *memory;
	uint64_t memory_size;
	unsigned int nr_vcpus;
	struct montecito_ring_page *ring[MONTECITO_MAX_VCPUS];
};

int device_open(const struct montecito_options *opt, struct montecito **res);
int device_info(const char *path, struct montecito_info *info);
int inproc_open(const struct montecito_options *opt, struct montecito **res);
int inproc_info(struct montecito_info *info);

#endif
