// SPDX-License-Identifier: GPL-2.0-only
/* INFO, CREATE, MACHINE_INFO and VCPU. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common.h"

static void info(int dev)
{
	struct montecito_info i = { .size = sizeof(i) };

	is(call(dev, MONTECITO_INFO, &i), 0, "INFO");
	eq(i.config_mask, 0x3f, "INFO: six configuration flags");
	ok(i.max_cores == 2 && i.max_threads == 2, "INFO: two cores, two threads");
	ok(i.min_memory == 1 << 20 && i.max_memory >= 1ULL << 30 && i.page_size == 4096,
	   "INFO: memory");
	ok(i.capabilities & MONTECITO_CAP_FUNCTIONAL && i.capabilities & MONTECITO_CAP_OBSERVERS &&
		   i.capabilities & MONTECITO_CAP_RING && i.capabilities & MONTECITO_CAP_TIMING,
	   "INFO: capabilities");
	ok(!strcmp(i.model, "Montecito"), "INFO: model");
	ok(i.timed_core && i.timed_core <= 1200 * 1000 && i.timed_package > i.timed_core,
	   "INFO: a timed core takes %llu bytes, its machine %llu",
	   (unsigned long long)i.timed_core, (unsigned long long)i.timed_package);
}

static void creation(int dev)
{
	static const struct {
		uint32_t cores, threads, config;
		uint64_t memory;
		const char *what;
	} bad[] = {
		{ 0, 1, 0, MEMORY, "no core" },
		{ 3, 1, 0, MEMORY, "three cores" },
		{ 1, 0, 0, MEMORY, "no thread" },
		{ 1, 3, 0, MEMORY, "three threads" },
		{ 1, 1, 0x40, MEMORY, "unknown configuration flag" },
		{ 1, 1, 0x80000000, MEMORY, "highest configuration flag" },
		{ 1, 1, 0, 0, "no memory" },
		{ 1, 1, 0, 4096, "less than the least memory" },
		{ 1, 1, 0, MEMORY + 1, "memory that ends inside a page" },
		{ 1, 1, 0, (1ULL << 36) + 4096, "more than the most memory" },
		{ 1, 1, 0, -4096ULL, "nearly 2^64 bytes" },
	};
	struct montecito_machine_info i = { .size = sizeof(i) };
	struct montecito_vcpu v = { .size = sizeof(v) };
	unsigned int n;
	long m, fd;

	for (n = 0; n < sizeof(bad) / sizeof(bad[0]); n++) {
		is(create(dev, bad[n].cores, bad[n].threads, bad[n].config, bad[n].memory), -EINVAL,
		   "CREATE: %s", bad[n].what);
	}
	is(create(dev, 1, 1, 0, 1ULL << 36), -ENOMEM, "CREATE: more memory than there is");
	m = machine(2, 2, MONTECITO_CFG_STRICT | MONTECITO_CFG_HOST_PMU);
	is(call(m, MONTECITO_MACHINE_INFO, &i), 0, "MACHINE_INFO");
	ok(i.id && i.nr_vcpus == 4 && i.cores == 2 && i.threads == 2 && i.memory == MEMORY &&
		   i.config == (MONTECITO_CFG_STRICT | MONTECITO_CFG_HOST_PMU) && !i.nr_refused,
	   "MACHINE_INFO: as created");
	for (n = 0; n < 4; n++) {
		v.index = n;
		fd = call(m, MONTECITO_VCPU, &v);
		ok(fd >= 0, "VCPU: %u", n);
		close(fd);
	}
	v.index = 4;
	is(call(m, MONTECITO_VCPU, &v), -ENOENT, "VCPU: one too many");
	v.index = 0xffffffff;
	is(call(m, MONTECITO_VCPU, &v), -ENOENT, "VCPU: the highest index");
	close(m);
}

int main(void)
{
	int dev = open_device();

	info(dev);
	creation(dev);
	close(dev);
	return done();
}
