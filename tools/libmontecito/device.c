// SPDX-License-Identifier: LGPL-2.1-or-later
/* The device backend: every command is an ioctl on /dev/montecito's handles. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "internal.h"

struct device {
	struct montecito m;
	int fd; /* machine */
	int vcpu[MAX_VCPUS];
	size_t ring_len[MAX_VCPUS];
};

static int device_call(int fd, unsigned int cmd, void *arg)
{
	int ret = ioctl(fd, _IO(MONTECITO_TYPE, cmd), arg);

	return ret < 0 ? -errno : ret;
}

static int device_machine(struct montecito *m, unsigned int cmd, void *arg)
{
	struct device *d = (struct device *)m;

	return device_call(d->fd, cmd, arg);
}

static int device_vcpu(struct montecito *m, unsigned int vcpu, unsigned int cmd, void *arg)
{
	struct device *d = (struct device *)m;
	int err;

	if (vcpu >= m->nr_vcpus)
		return -ENOENT;
	err = device_call(d->vcpu[vcpu], cmd, arg);
	if (!err && cmd == MONTECITO_CMD_RING)
		d->ring_len[vcpu] = (1 + (1UL << ((struct montecito_ring *)arg)->order)) *
				    sysconf(_SC_PAGESIZE);
	return err;
}

static struct montecito_ring_page *device_ring(struct montecito *m, unsigned int vcpu)
{
	struct device *d = (struct device *)m;
	void *p =
		mmap(NULL, d->ring_len[vcpu], PROT_READ | PROT_WRITE, MAP_SHARED, d->vcpu[vcpu], 0);

	return p == MAP_FAILED ? NULL : p;
}

static void device_close(struct montecito *m)
{
	struct device *d = (struct device *)m;
	unsigned int i;

	for (i = 0; i < MAX_VCPUS; i++) {
		if (m->ring[i])
			munmap(m->ring[i], d->ring_len[i]);
		if (d->vcpu[i] >= 0)
			close(d->vcpu[i]);
	}
	for (i = 0; i < m->nr_regions; i++)
		if (m->region[i].p)
			munmap(m->region[i].p, m->region[i].r.length);
	if (d->fd >= 0)
		close(d->fd);
	free(d);
}

static const struct backend device_backend = {
	.machine = device_machine,
	.vcpu = device_vcpu,
	.ring = device_ring,
	.close = device_close,
};

/* Bytes that the last CREATE would have charged. */
static uint64_t locked;

uint64_t montecito_locked(void)
{
	return locked;
}

static int device_map_regions(struct device *d, const struct montecito_region *r, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		void *p = NULL;

		if (!(r[i].flags & MONTECITO_REGION_MMIO))
			p = mmap(NULL, r[i].length, PROT_READ | PROT_WRITE, MAP_SHARED, d->fd,
				 r[i].addr);
		if (p == MAP_FAILED)
			return -errno;
		d->m.region[i].r = r[i];
		d->m.region[i].p = p;
		d->m.nr_regions++;
	}
	return 0;
}

static int device_create(const char *path, const struct montecito_options *opt,
			 const struct montecito_region *r, unsigned int nr)
{
	struct montecito_create c = {
		.size = sizeof(c),
		.cores = opt->cores,
		.threads = opt->threads,
		.config = opt->config,
		.timing = opt->timing,
		.nr_regions = nr,
		.regions = (uintptr_t)r,
	};
	int fd = open(path, O_RDWR | O_CLOEXEC);
	int machine;

	if (fd < 0)
		return -errno;
	if (opt->name)
		strncpy(c.name, opt->name, sizeof(c.name) - 1);
	machine = device_call(fd, MONTECITO_CMD_CREATE, &c);
	locked = c.locked;
	close(fd);
	return machine;
}

static struct device *device_new(void)
{
	struct device *d = calloc(1, sizeof(*d));
	unsigned int i;

	if (!d)
		return NULL;
	d->m.ops = &device_backend;
	for (i = 0; i < MAX_VCPUS; i++)
		d->vcpu[i] = -1;
	return d;
}

static int device_open_vcpus(struct device *d, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		struct montecito_vcpu v = { .size = sizeof(v), .index = i };
		int fd = device_call(d->fd, MONTECITO_CMD_VCPU, &v);

		if (fd < 0)
			return fd;
		d->vcpu[i] = fd;
		d->m.nr_vcpus++;
	}
	return 0;
}

int montecito_adopt(int fd, struct montecito **res)
{
	struct montecito_machine_info info = { .size = sizeof(info) };
	struct device *d = device_new();
	int err;

	if (!d) {
		close(fd);
		return -ENOMEM;
	}
	d->fd = fd;
	err = device_call(fd, MONTECITO_CMD_MACHINE_INFO, &info);
	if (!err && info.nr_vcpus > MAX_VCPUS)
		err = -EPROTO;
	if (!err)
		err = device_open_vcpus(d, info.nr_vcpus);
	if (err) {
		device_close(&d->m);
		return err;
	}
	d->m.timed = info.timing;
	d->m.cores = info.cores;
	*res = &d->m;
	return 0;
}

int device_open(const struct montecito_options *opt, struct montecito **res)
{
	struct montecito_region r[MAX_REGIONS];
	unsigned int nr = option_regions(opt, r);
	struct device *d;
	int err;

	if (nr > MAX_REGIONS)
		return -EINVAL;
	d = device_new();
	if (!d)
		return -ENOMEM;
	d->m.timed = opt->timing;
	d->m.cores = opt->cores;
	d->fd = device_create(opt->device, opt, r, nr);
	err = d->fd;
	if (err < 0)
		goto out;
	err = device_open_vcpus(d, opt->cores * opt->threads);
	if (!err)
		err = device_map_regions(d, r, nr);
	if (err)
		goto out;
	*res = &d->m;
	return 0;
out:
	device_close(&d->m);
	return err;
}

int device_info(const char *path, struct montecito_info *info)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	int err;

	if (fd < 0)
		return -errno;
	err = device_call(fd, MONTECITO_CMD_INFO, info);
	close(fd);
	return err;
}

bool montecito_is_device(const struct montecito *m)
{
	return m->ops == &device_backend;
}
