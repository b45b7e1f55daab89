// SPDX-License-Identifier: GPL-2.0-only
/*
 * What uapi/linux/montecito.h says of all commands, for each command; then
 * INFO, CREATE, MACHINE_INFO and VCPU.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common.h"

enum { DEVICE, MACHINE, VCPU, NR_KINDS };

static const struct command {
	const char *name;
	unsigned int cmd;
	int kind;
	uint32_t size;
	uint32_t flags; /* that it knows */
	int pad; /* offset of its padding, or -1 */
} commands[] = {
#define C(name, kind, type, flags, pad)                                        \
	{                                                                      \
#name, MONTECITO_##name, kind, sizeof(struct type), flags, pad \
	}
#define PAD(type, field) offsetof(struct type, field)
	C(INFO, DEVICE, montecito_info, 0, -1),
	C(CREATE, DEVICE, montecito_create, 0, PAD(montecito_create, pad)),
	C(MACHINE_INFO, MACHINE, montecito_machine_info, 0, PAD(montecito_machine_info, pad)),
	C(MEM_READ, MACHINE, montecito_mem, 0, -1),
	C(MEM_WRITE, MACHINE, montecito_mem, 0, -1),
	C(MEM_INVALIDATE, MACHINE, montecito_mem, 0, PAD(montecito_mem, data)),
	C(SAVE, MACHINE, montecito_state, 0, -1),
	C(RESTORE, MACHINE, montecito_state, 0, -1),
	C(HASH, MACHINE, montecito_hash, 0, -1),
	C(RUN, MACHINE, montecito_run, MONTECITO_RUN_MMIO_DATA, PAD(montecito_run, mmio_vcpu)),
	C(VCPU, MACHINE, montecito_vcpu, 0, PAD(montecito_vcpu, pad)),
	C(CONSOLE, MACHINE, montecito_console, 0, -1),
	C(PARAM_GET, MACHINE, montecito_param, MONTECITO_PARAM_BY_INDEX, PAD(montecito_param, pad)),
	C(PARAM_SET, MACHINE, montecito_param, 0, PAD(montecito_param, pad)),
	C(GET_REGS, VCPU, montecito_regs, 0, -1),
	C(SET_REGS, VCPU, montecito_regs, 0, -1),
	C(PAL, VCPU, montecito_pal, 0, -1),
	C(IRQ, VCPU, montecito_irq, 0, PAD(montecito_irq, pad)),
	C(TC_INSERT, VCPU, montecito_tc_insert, MONTECITO_TC_INSN, -1),
	C(TC_PURGE, VCPU, montecito_tc_purge, 0, PAD(montecito_tc_purge, pad)),
	C(OBSERVER_ADD, VCPU, montecito_observer_add,
	  MONTECITO_OBSERVER_SAMPLE | MONTECITO_OBSERVER_TABLE | MONTECITO_OBSERVER_CALLCHAIN,
	  PAD(montecito_observer_add, filter.pad)),
	C(OBSERVER_DEL, VCPU, montecito_observer_del, 0, PAD(montecito_observer_del, pad)),
	C(OBSERVER_READ, VCPU, montecito_observer_read, 0, -1),
	C(RING, VCPU, montecito_ring, 0, -1),
	C(EVENTFD, VCPU, montecito_eventfd, 0, PAD(montecito_eventfd, pad)),
	C(PMU_SAMPLING, VCPU, montecito_pmu_sampling, MONTECITO_PMU_RELOAD,
	  PAD(montecito_pmu_sampling, pad)),
};

#define NR (sizeof(commands) / sizeof(commands[0]))

static union {
	unsigned char b[8192];
	uint32_t size;
	uint64_t align;
} buf;

static const struct montecito_region region = { .length = MEMORY };

/* An argument that would be accepted; valid values are given where 0 is not. */
static void fill(const struct command *c, uint32_t size)
{
	memset(&buf, 0, sizeof(buf));
	buf.size = size;
	switch (c->cmd) {
	case MONTECITO_CREATE: {
		struct montecito_create *p = (void *)&buf;

		p->cores = 1;
		p->threads = 1;
		p->nr_regions = 1;
		p->regions = (uintptr_t)&region;
		break;
	}
	case MONTECITO_RUN:
		((struct montecito_run *)&buf)->insns = 1;
		break;
	case MONTECITO_TC_INSERT: {
		struct montecito_tc_insert *p = (void *)&buf;

		p->pte = 0x61; /* present, accessed, dirty */
		p->itir = 12 << 2;
		break;
	}
	case MONTECITO_TC_PURGE:
		((struct montecito_tc_purge *)&buf)->ps = 12;
		break;
	case MONTECITO_OBSERVER_ADD: {
		struct montecito_observer_add *p = (void *)&buf;

		p->filter.code = EVENT_INST_RETIRED;
		p->filter.plm = 0xf;
		break;
	}
	case MONTECITO_OBSERVER_DEL:
		/* The first one that OBSERVER_ADD has made. */
		((struct montecito_observer_del *)&buf)->id = 1;
		break;
	case MONTECITO_PARAM_GET:
	case MONTECITO_PARAM_SET:
		strcpy(((struct montecito_param *)&buf)->name, "tlb.tc");
		break;
	case MONTECITO_PMU_SAMPLING:
		((struct montecito_pmu_sampling *)&buf)->counter = 4;
		break;
	case MONTECITO_EVENTFD:
		((struct montecito_eventfd *)&buf)->fd = -1;
		break;
	}
}

static void refusals(const struct command *c, const int *fd)
{
	int f = fd[c->kind], kind;

	fill(c, 0);
	is(call(f, c->cmd, &buf), -EINVAL, "%s: size 0", c->name);
	fill(c, c->size - 1);
	is(call(f, c->cmd, &buf), -EINVAL, "%s: one byte short", c->name);
	fill(c, c->size + 8);
	buf.b[c->size + 7] = 1;
	is(call(f, c->cmd, &buf), -E2BIG, "%s: unknown field in use", c->name);
	fill(c, 4097);
	is(call(f, c->cmd, &buf), -E2BIG, "%s: longer than a page", c->name);
	fill(c, 0xffffffff);
	is(call(f, c->cmd, &buf), -E2BIG, "%s: as long as can be", c->name);
	fill(c, c->size);
	buf.b[7] = 0x80;
	is(call(f, c->cmd, &buf), -EINVAL, "%s: unknown flag", c->name);
	if (!c->flags) {
		fill(c, c->size);
		buf.b[4] = 1;
		is(call(f, c->cmd, &buf), -EINVAL, "%s: lowest flag", c->name);
	}
	if (c->pad >= 0) {
		fill(c, c->size);
		buf.b[c->pad] = 1;
		is(call(f, c->cmd, &buf), -EINVAL, "%s: padding not zero", c->name);
	}
	is(call(f, c->cmd, NULL), -EFAULT, "%s: no structure", c->name);
	for (kind = 0; kind < NR_KINDS; kind++) {
		fill(c, c->size);
		if (kind != c->kind)
			is(call(fd[kind], c->cmd, &buf), -ENOTTY, "%s: on file kind %d", c->name,
			   kind);
	}
}

/* A structure that ends where readable memory ends, and one byte later. */
static void edge(const struct command *c, int fd)
{
	unsigned char *map =
		mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	munmap(map + 4096, 4096);
	fill(c, c->size);
	memcpy(map + 4096 - c->size + 1, &buf, c->size - 1);
	is(call(fd, c->cmd, map + 4096 - c->size + 1), -EFAULT, "%s: cut off by a hole", c->name);
	munmap(map, 4096);
}

static void accepts(const struct command *c, int fd)
{
	long ret;

	/* A later version's structure, with nothing in its new part. */
	fill(c, c->size + 16);
	ret = call(fd, c->cmd, &buf);
	if (c->cmd == MONTECITO_PARAM_SET) {
		is(ret, -EPERM, "%s: a parameter that is fixed", c->name);
		return;
	}
	if (c->cmd == MONTECITO_RESTORE) {
		is(ret, -EINVAL, "%s: nothing to restore", c->name);
		return;
	}
	ok(ret >= 0, "%s: longer structure, unknown part zero", c->name);
	if (c->cmd == MONTECITO_CREATE || c->cmd == MONTECITO_VCPU)
		close(ret);
	ok(!buf.b[c->size] && buf.size == c->size + 16, "%s: unknown part and size left alone",
	   c->name);
}

static void info(int dev)
{
	struct montecito_info i = { .size = sizeof(i) };

	is(call(dev, MONTECITO_INFO, &i), 0, "INFO");
	eq(i.config_mask, 0x3f, "INFO: six configuration flags");
	ok(i.max_cores == 2 && i.max_threads == 2, "INFO: two cores, two threads");
	ok(i.min_memory == 1 << 20 && i.max_memory >= 1ULL << 30 && i.page_size == 4096,
	   "INFO: memory");
	ok(i.capabilities & MONTECITO_CAP_FUNCTIONAL && i.capabilities & MONTECITO_CAP_OBSERVERS &&
		   i.capabilities & MONTECITO_CAP_RING && !(i.capabilities & MONTECITO_CAP_TIMING),
	   "INFO: capabilities");
	ok(!strcmp(i.model, "Montecito"), "INFO: model");
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
		   i.config == (MONTECITO_CFG_STRICT | MONTECITO_CFG_HOST_PMU) && !i.pad,
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
	int fd[NR_KINDS];
	unsigned int i;

	fd[DEVICE] = open_device();
	fd[MACHINE] = machine(1, 1, MONTECITO_CFG_HOST_PMU);
	fd[VCPU] = vcpu(fd[MACHINE], 0);
	start(fd[VCPU], GUEST_SPIN);
	for (i = 0; i < NR; i++) {
		refusals(&commands[i], fd);
		edge(&commands[i], fd[commands[i].kind]);
		accepts(&commands[i], fd[commands[i].kind]);
	}
	is(call(fd[DEVICE], 0xeaff, &buf), -ENOTTY, "unknown command");
	info(fd[DEVICE]);
	creation(fd[DEVICE]);
	return done();
}
