// SPDX-License-Identifier: GPL-2.0-only
/*
 * The in-process backend: serves the uapi's machine commands with the model
 * linked into this program. Arguments come from this library, so only what the
 * model cannot check itself is checked here.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "inproc.h"

/* A RUN goes to the model in pieces of this much work. */
#define SLICE_WORK (1ULL << 32)

_Static_assert(sizeof(struct mont_exit) == sizeof(struct montecito_exit),
	       "the uapi's exit is not the model's");
_Static_assert(sizeof(struct mont_filter) == sizeof(struct montecito_filter),
	       "the uapi's filter is not the model's");
_Static_assert((int)MONT_NR_REG_CLASSES == MONTECITO_NR_REG_CLASSES,
	       "the uapi's register classes are not the model's");
_Static_assert((int)MONT_NR_SPECIAL == MONTECITO_NR_SPECIAL,
	       "the uapi's special registers are not the model's");

static void *map(size_t len)
{
	void *p = mmap(NULL, len, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static int machine_info(struct inproc *p, struct montecito_machine_info *info)
{
	info->id = 0;
	info->nr_vcpus = p->m.nr_vcpus;
	info->cores = p->cfg.cores;
	info->threads = p->cfg.threads;
	info->config = p->cfg.flags;
	info->pad = 0;
	info->memory = p->cfg.memory;
	info->state_length =
		sizeof(struct montecito_state_header) + mont_state_size(p->pkg) + p->cfg.memory;
	return 0;
}

static int machine_mem(struct inproc *p, unsigned int cmd, struct montecito_mem *mem)
{
	uint8_t *ram = p->m.memory;

	if (mem->addr > p->cfg.memory || mem->length > p->cfg.memory - mem->addr)
		return -EINVAL;
	if (cmd == MONTECITO_CMD_MEM_READ)
		memcpy((void *)(uintptr_t)mem->data, ram + mem->addr, mem->length);
	else if (cmd == MONTECITO_CMD_MEM_WRITE)
		memcpy(ram + mem->addr, (void *)(uintptr_t)mem->data, mem->length);
	if (cmd != MONTECITO_CMD_MEM_READ)
		mont_mem_invalidate(p->pkg, mem->addr, mem->length);
	return 0;
}

static void make_header(struct inproc *p, struct montecito_state_header *h)
{
	*h = (struct montecito_state_header){
		.magic = MONTECITO_STATE_MAGIC,
		.version = MONTECITO_STATE_VERSION,
		.header_length = sizeof(*h),
		.cores = p->cfg.cores,
		.threads = p->cfg.threads,
		.config = p->cfg.flags,
		.processor_length = mont_state_size(p->pkg),
		.memory = p->cfg.memory,
	};
}

static int machine_save(struct inproc *p, struct montecito_state *st)
{
	uint8_t *blob = (uint8_t *)(uintptr_t)st->data;
	uint64_t room = st->length;
	struct montecito_state_header h;

	make_header(p, &h);
	st->length = sizeof(h) + h.processor_length + h.memory;
	if (!room)
		return 0;
	if (room < st->length)
		return -ENOSPC;
	memcpy(blob, &h, sizeof(h));
	mont_state_save(p->pkg, blob + sizeof(h));
	memcpy(blob + sizeof(h) + h.processor_length, p->m.memory, h.memory);
	return 0;
}

static int machine_restore(struct inproc *p, const struct montecito_state *st)
{
	const uint8_t *blob = (const uint8_t *)(uintptr_t)st->data;
	struct montecito_state_header h;
	int err;

	make_header(p, &h);
	if (st->length != sizeof(h) + h.processor_length + h.memory || memcmp(blob, &h, sizeof(h)))
		return -EINVAL;
	err = mont_state_load(p->pkg, blob + sizeof(h), h.processor_length);
	if (err)
		return err;
	memcpy(p->m.memory, blob + sizeof(h) + h.processor_length, h.memory);
	mont_mem_restored(p->pkg, 0, h.memory);
	return 0;
}

/* What the guests programmed that is not counted and has not been told. */
static void take_uncounted(struct inproc *p, struct montecito_run *run)
{
	unsigned int i;

	/* One vcpu at a time; another one's turn comes with the next RUN. */
	for (i = 0; !run->uncounted && i < p->m.nr_vcpus; i++) {
		run->uncounted = mont_uncounted(p->vcpu[i].t);
		run->uncounted_vcpu = run->uncounted ? i : 0;
	}
}

static int machine_run(struct inproc *p, struct montecito_run *run)
{
	struct mont_exit e;
	uint64_t insns = 0, cycles = 0;

	do {
		const struct mont_budget budget = {
			.insns = run->insns ? run->insns - insns : 0,
			.cycles = run->cycles ? run->cycles - cycles : 0,
			.work = SLICE_WORK,
		};

		mont_run(p->pkg, &budget, &e);
		insns += e.insns;
		cycles += e.cycles;
	} while (e.reason == MONT_EXIT_WORK);
	e.insns = insns;
	e.cycles = cycles;
	memcpy(&run->exit, &e, sizeof(e));
	if (e.reason == MONT_EXIT_PMU_OVERFLOW)
		inproc_pmu_sample(&p->vcpu[e.vcpu], &e);
	inproc_notify(p);
	take_uncounted(p, run);
	return 0;
}

static int machine_console(struct inproc *p, struct montecito_console *con)
{
	con->length = mont_console_take(p->pkg, (char *)(uintptr_t)con->data, con->length);
	return 0;
}

static int inproc_machine(struct montecito *m, unsigned int cmd, void *arg)
{
	struct inproc *p = (struct inproc *)m;

	switch (cmd) {
	case MONTECITO_CMD_MACHINE_INFO:
		return machine_info(p, arg);
	case MONTECITO_CMD_MEM_READ:
	case MONTECITO_CMD_MEM_WRITE:
	case MONTECITO_CMD_MEM_INVALIDATE:
		return machine_mem(p, cmd, arg);
	case MONTECITO_CMD_SAVE:
		return machine_save(p, arg);
	case MONTECITO_CMD_RESTORE:
		return machine_restore(p, arg);
	case MONTECITO_CMD_HASH:
		((struct montecito_hash *)arg)->hash = mont_state_hash(p->pkg);
		return 0;
	case MONTECITO_CMD_RUN:
		return machine_run(p, arg);
	case MONTECITO_CMD_CONSOLE:
		return machine_console(p, arg);
	default:
		return -ENOTTY;
	}
}

static void inproc_close(struct montecito *m)
{
	struct inproc *p = (struct inproc *)m;
	unsigned int i;

	for (i = 0; i < m->nr_vcpus; i++)
		inproc_vcpu_close(&p->vcpu[i]);
	if (m->memory)
		munmap(m->memory, m->memory_size);
	if (p->pkg)
		munmap(p->pkg, p->pkg_len);
	free(p);
}

static const struct backend inproc_backend = {
	.machine = inproc_machine,
	.vcpu = inproc_vcpu_call,
	.ring = inproc_ring,
	.close = inproc_close,
};

int inproc_open(const struct montecito_options *opt, struct montecito **res)
{
	struct inproc *p = calloc(1, sizeof(*p));
	struct mont_region ram = { .size = opt->memory };
	unsigned int i;
	int err = -ENOMEM;

	if (!p)
		return -ENOMEM;
	p->m.ops = &inproc_backend;
	p->cfg = (struct mont_config){
		.cores = opt->cores,
		.threads = opt->threads,
		.flags = opt->config,
		.memory = opt->memory,
	};
	p->pkg_len = mont_package_size(&p->cfg);
	if (!p->pkg_len) {
		err = -EINVAL;
		goto out;
	}
	p->pkg = map(p->pkg_len);
	p->m.memory = map(opt->memory);
	p->m.memory_size = opt->memory;
	if (!p->pkg || !p->m.memory)
		goto out;
	ram.host = p->m.memory;
	err = mont_package_init(p->pkg, &p->cfg, &ram, 1);
	if (err)
		goto out;
	p->m.nr_vcpus = opt->cores * opt->threads;
	for (i = 0; i < p->m.nr_vcpus; i++) {
		p->vcpu[i].p = p;
		p->vcpu[i].t = mont_vcpu(p->pkg, i);
		p->vcpu[i].index = i;
		p->vcpu[i].eventfd = -1;
	}
	*res = &p->m;
	return 0;
out:
	inproc_close(&p->m);
	return err;
}

int inproc_info(struct montecito_info *info)
{
	info->uapi_version = MONTECITO_UAPI_VERSION;
	info->config_mask = MONT_CFG_ALL;
	info->max_cores = MONT_MAX_CORES;
	info->max_threads = MONT_MAX_THREADS;
	info->capabilities = MONTECITO_CAP_FUNCTIONAL | MONTECITO_CAP_OBSERVERS |
			     MONTECITO_CAP_RING;
	info->min_memory = MONT_MIN_MEMORY;
	info->max_memory = MONT_MAX_MEMORY;
	info->page_size = MONT_PAGE_SIZE;
	info->max_observers = MONTECITO_MAX_OBSERVERS;
	info->max_ring_order = MONTECITO_MAX_RING_ORDER;
	strcpy(info->model, "Montecito");
	return 0;
}
