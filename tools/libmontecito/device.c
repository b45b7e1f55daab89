// SPDX-License-Identifier: GPL-2.0-only
/* The device backend: every command is an ioctl on /dev/montecito's handles. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "internal.h"

struct device {
	struct montecito m;
	int fd; /* machine */
	int vcpu[MONTECITO_MAX_VCPUS];
	size_t ring_len[MONTECITO_MAX_VCPUS];
};

static int call(int fd, unsigned int cmd, void *arg)
{
	int ret = ioctl(fd, _IO(MONTECITO_TYPE, cmd), arg);

	return ret < 0 ? -errno : ret;
}

static int device_machine(struct montecito *m, unsigned int cmd, void *arg)
{
	struct device *d = (struct device *)m;

	return call(d->fd, cmd, arg);
}

static int device_vcpu(struct montecito *m, unsigned int vcpu, unsigned int cmd, void *arg)
{
	struct device *d = (struct device *)m;
	int err;

	if (vcpu >= m->nr_vcpus)
		return -ENOENT;
	err = call(d->vcpu[vcpu], cmd, arg);
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

	for (i = 0; i < MONTECITO_MAX_VCPUS; i++) {
		if (m->ring[i])
			munmap(m->ring[i], d->ring_len[i]);
		if (d->vcpu[i] >= 0)
			close(d->vcpu[i]);
	}
	if (m->memory)
		munmap(m->memory, m->memory_size);
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

int device_open(const struct montecito_options *opt, struct montecito **res)
{
	struct montecito_create create = {
		.size = sizeof(create),
		.cores = opt->cores,
		.threads = opt->threads,
		.config = opt->config,
		.memory = opt->memory,
	};
	struct device *d;
	unsigned int i;
	void *p;
	int fd, err;

	fd = open(opt->device, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	d = calloc(1, sizeof(*d));
	if (!d) {
		close(fd);
		return -ENOMEM;
	}
	d->m.ops = &device_backend;
	for (i = 0; i < MONTECITO_MAX_VCPUS; i++)
		d->vcpu[i] = -1;
	d->fd = call(fd, MONTECITO_CMD_CREATE, &create);
	close(fd);
	err = d->fd;
	if (err < 0)
		goto out;
	for (i = 0; i < opt->cores * opt->threads; i++) {
		struct montecito_vcpu v = { .size = sizeof(v), .index = i };

		err = call(d->fd, MONTECITO_CMD_VCPU, &v);
		if (err < 0)
			goto out;
		d->vcpu[i] = err;
		d->m.nr_vcpus++;
	}
	p = mmap(NULL, opt->memory, PROT_READ | PROT_WRITE, MAP_SHARED, d->fd, 0);
	if (p == MAP_FAILED) {
		err = -errno;
		goto out;
	}
	d->m.memory = p;
	d->m.memory_size = opt->memory;
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
	err = call(fd, MONTECITO_CMD_INFO, info);
	close(fd);
	return err;
}

bool montecito_is_device(const struct montecito *m)
{
	return m->ops == &device_backend;
}
