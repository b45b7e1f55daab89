/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A machine and its backend. Called by machine.c, vcpu.c and model.c, which pass calls on to the
 * backends (device.c, and inproc.h), and included by process.h, platform.h and uvm.h.
 */
#ifndef LIBMONTECITO_INTERNAL_H
#define LIBMONTECITO_INTERNAL_H

#include <errno.h>

#include "libmontecito.h"
#include "sized.h"

/* Most vcpus that this library has room for. */
#define MAX_VCPUS 4
/* Most memory regions. */
#define MAX_REGIONS 8

/**
 * struct backend - where a machine lives
 * @machine: serve a machine command of the uapi; its result or a negative errno
 * @vcpu: serve a vcpu command
 * @ring: the ring of a vcpu, mapped, after MONTECITO_RING
 * @broken: the invariant that has ended the machine, or NULL; NULL itself: it is not known
 * @close: give everything back
 */
struct backend {
	int (*machine)(struct montecito *m, unsigned int cmd, void *arg);
	int (*vcpu)(struct montecito *m, unsigned int vcpu, unsigned int cmd, void *arg);
	struct montecito_ring_page *(*ring)(struct montecito *m, unsigned int vcpu);
	const char *(*broken)(const struct montecito *m);
	void (*close)(struct montecito *m);
};

/* Guest memory as this process sees it; NULL where there is none. */
struct region {
	struct montecito_region r;
	void *p;
};

struct strict_filter;

/* The first member of what a backend allocates. */
struct montecito {
	const struct backend *ops;
	struct region region[MAX_REGIONS];
	unsigned int nr_regions;
	bool mmio; /* the next RUN answers EXIT_MMIO */
	uint32_t mmio_vcpu;
	uint64_t mmio_data[2];
	int (*debug)(struct montecito *m, struct montecito_run *run, void *arg);
	void *debug_arg;
	unsigned int nr_vcpus;
	unsigned int cores;
	bool timed;
	struct montecito_ring_page *ring[MAX_VCPUS];
	struct strict_filter *strict; /* by vcpu, once there is one */
};

/* MONT_HAS_*: what of that events need @m has. */
uint32_t montecito_has(struct montecito *m);

int device_open(const struct montecito_options *opt, struct montecito **res);
int device_info(const char *path, struct montecito_info *info);

#define MODEL_LIBRARY "libmontecito-model.so." MONTECITO_SOVERSION

/**
 * struct montecito_model - what libmontecito-model gives to libmontecito
 * @version: the release that it is of. The two share struct montecito and belong to
 *	one release
 * @open: as montecito_open()
 * @info: as montecito_info()
 */
struct montecito_model {
	const char *version;
	int (*open)(const struct montecito_options *opt, struct montecito **res);
	int (*info)(struct montecito_info *info);
};

/*
 * The in-process model: -ELIBACC if its library is not there, -ELIBBAD if it is of
 * another release.
 */
int model_find(const struct montecito_model **res);

/* The regions that @opt asks for: its own, or one of @memory bytes at 0. */
static inline unsigned int option_regions(const struct montecito_options *opt,
					  struct montecito_region *r)
{
	unsigned int i;

	if (!opt->regions) {
		*r = (struct montecito_region){ .length = opt->memory };
		return 1;
	}
	for (i = 0; i < opt->nr_regions && i < MAX_REGIONS; i++)
		r[i] = opt->regions[i];
	/* One too many is for the backend to refuse. */
	return opt->nr_regions;
}

/* As montecito_at(). */
static inline void *machine_at(const struct montecito *m, uint64_t pa, uint64_t len)
{
	unsigned int i;

	for (i = 0; i < m->nr_regions; i++) {
		const struct region *r = &m->region[i];

		if (r->p && pa >= r->r.addr && pa - r->r.addr <= r->r.length &&
		    len <= r->r.length - (pa - r->r.addr))
			return (char *)r->p + (pa - r->r.addr);
	}
	return NULL;
}

#endif
