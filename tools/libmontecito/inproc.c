// SPDX-License-Identifier: GPL-2.0-only
/*
 * The in-process backend: serves the uapi's machine commands with the model
 * in this process. Arguments come from this library, so only what the
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

static void *inproc_map(size_t len)
{
	void *p = mmap(NULL, len, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	/* The guest's references are random to the host; it may have none. */
	(void)madvise(p, len, MADV_HUGEPAGE);
	return p;
}

/* ---- memory ---- */

static int inproc_machine_mem(struct inproc *p, unsigned int cmd, struct montecito_mem *mem)
{
	uint8_t *ram = machine_at(&p->m, mem->addr, mem->length);

	if (!ram)
		return -EINVAL;
	if (cmd == MONTECITO_CMD_MEM_READ)
		memcpy((void *)(uintptr_t)mem->data, ram, mem->length);
	else if (cmd == MONTECITO_CMD_MEM_WRITE)
		memcpy(ram, (void *)(uintptr_t)mem->data, mem->length);
	if (cmd != MONTECITO_CMD_MEM_READ)
		mont_mem_invalidate(p->pkg, mem->addr, mem->length);
	return 0;
}

/* ---- state: the device's blob, byte for byte (kmod/host/state.c) ---- */

#define STATE_MODEL MONTECITO_STATE_TAG('M', 'O', 'D', 'L')

static uint64_t inproc_state_length(const struct inproc *p)
{
	uint64_t length = sizeof(struct montecito_state_header) +
			  2 * sizeof(struct montecito_state_section) + mont_state_size(p->pkg) +
			  p->m.nr_vcpus * sizeof(uint64_t);
	unsigned int i;

	for (i = 0; i < p->m.nr_regions; i++)
		if (p->m.region[i].p)
			length += sizeof(struct montecito_state_section) + sizeof(uint64_t) +
				  p->m.region[i].r.length;
	return length;
}

static void inproc_make_header(const struct inproc *p, uint64_t length,
			       struct montecito_state_header *h)
{
	*h = (struct montecito_state_header){
		.magic = MONTECITO_STATE_MAGIC,
		.version = MONTECITO_STATE_VERSION,
		.header_length = sizeof(*h),
		.length = length,
		.cores = p->cfg.cores,
		.threads = p->cfg.threads,
		.config = p->cfg.flags,
		.timing = p->cfg.timing,
	};
}

static uint8_t *inproc_put(uint8_t *to, const void *from, size_t n)
{
	memcpy(to, from, n);
	return to + n;
}

static uint8_t *inproc_put_section(uint8_t *to, uint32_t tag, uint64_t length)
{
	const struct montecito_state_section s = { .tag = tag, .version = 1, .length = length };

	return inproc_put(to, &s, sizeof(s));
}

static int inproc_machine_save(struct inproc *p, struct montecito_state *st)
{
	uint8_t *to = (uint8_t *)(uintptr_t)st->data;
	uint64_t room = st->length;
	struct montecito_state_header h;
	unsigned int i;

	st->length = inproc_state_length(p);
	if (!room)
		return 0;
	if (room < st->length)
		return -ENOSPC;
	inproc_make_header(p, st->length, &h);
	to = inproc_put(to, &h, sizeof(h));
	/* Before the model's part is written: a report is in one place. */
	inproc_uncounted(p);
	to = inproc_put_section(to, STATE_MODEL, mont_state_size(p->pkg));
	mont_state_save(p->pkg, to);
	to += mont_state_size(p->pkg);
	to = inproc_put_section(to, MONTECITO_STATE_UNCOUNTED, p->m.nr_vcpus * sizeof(uint64_t));
	for (i = 0; i < p->m.nr_vcpus; i++)
		to = inproc_put(to, &p->vcpu[i].uncounted, sizeof(uint64_t));
	for (i = 0; i < p->m.nr_regions; i++) {
		const struct region *r = &p->m.region[i];

		if (!r->p)
			continue;
		to = inproc_put_section(to, MONTECITO_STATE_MEMORY, sizeof(uint64_t) + r->r.length);
		to = inproc_put(to, &r->r.addr, sizeof(uint64_t));
		to = inproc_put(to, r->p, r->r.length);
	}
	return 0;
}

/* Takes @n bytes if they are those at @want. */
static bool inproc_take(const uint8_t **from, const void *want, size_t n)
{
	bool same = !memcmp(*from, want, n);

	*from += n;
	return same;
}

static bool inproc_take_section(const uint8_t **from, uint32_t tag, uint64_t length)
{
	const struct montecito_state_section s = { .tag = tag, .version = 1, .length = length };

	return inproc_take(from, &s, sizeof(s));
}

/* The blob's parts, or an error for one that is not of such a machine. */
struct parts {
	const uint8_t *model;
	const uint8_t *uncounted;
	const uint8_t *memory[MAX_REGIONS];
};

static bool inproc_split(struct inproc *p, const uint8_t *from, uint64_t length,
			 struct parts *parts)
{
	const uint8_t *end = from + length;
	struct montecito_state_header h;
	unsigned int i;

	if (length < inproc_state_length(p))
		return false;
	inproc_make_header(p, length, &h);
	if (!inproc_take(&from, &h, sizeof(h)) ||
	    !inproc_take_section(&from, STATE_MODEL, mont_state_size(p->pkg)))
		return false;
	parts->model = from;
	from += mont_state_size(p->pkg);
	if (!inproc_take_section(&from, MONTECITO_STATE_UNCOUNTED,
				 p->m.nr_vcpus * sizeof(uint64_t)))
		return false;
	parts->uncounted = from;
	for (i = 0; i < p->m.nr_vcpus; i++) {
		uint64_t bits;

		memcpy(&bits, from, sizeof(bits));
		if (bits & ~MHOST_COUNTERS)
			return false;
		from += sizeof(bits);
	}
	for (i = 0; i < p->m.nr_regions; i++) {
		const struct region *r = &p->m.region[i];

		if (!r->p)
			continue;
		if (!inproc_take_section(&from, MONTECITO_STATE_MEMORY,
					 sizeof(uint64_t) + r->r.length) ||
		    !inproc_take(&from, &r->r.addr, sizeof(uint64_t)))
			return false;
		parts->memory[i] = from;
		from += r->r.length;
	}
	while (from < end) {
		struct montecito_state_section s;

		if ((uint64_t)(end - from) < sizeof(s))
			return false;
		memcpy(&s, from, sizeof(s));
		from += sizeof(s);
		if (!(s.tag & MONTECITO_STATE_TAG_USER) || s.length & 7 ||
		    s.length > (uint64_t)(end - from))
			return false;
		from += s.length;
	}
	return true;
}

static int inproc_machine_restore(struct inproc *p, const struct montecito_state *st)
{
	struct parts parts;
	unsigned int i;
	int err;

	if (!inproc_split(p, (const uint8_t *)(uintptr_t)st->data, st->length, &parts))
		return -EINVAL;
	inproc_uncounted(p);
	err = mont_state_load(p->pkg, parts.model, mont_state_size(p->pkg));
	if (err)
		return err;
	for (i = 0; i < p->m.nr_vcpus; i++) {
		/* The reports of the state that was loaded, and none of loading it. */
		(void)mont_uncounted(p->vcpu[i].t);
		memcpy(&p->vcpu[i].uncounted, parts.uncounted + i * sizeof(uint64_t),
		       sizeof(uint64_t));
	}
	for (i = 0; i < p->m.nr_regions; i++) {
		const struct region *r = &p->m.region[i];

		if (!r->p)
			continue;
		memcpy(r->p, parts.memory[i], r->r.length);
		mont_mem_restored(p->pkg, r->r.addr, r->r.length);
	}
	return 0;
}

static int inproc_machine_hash(struct inproc *p, struct montecito_hash *h)
{
	unsigned int i;

	inproc_uncounted(p);
	h->hash = mont_state_hash_vcpus(p->pkg);
	for (i = 0; i < p->m.nr_vcpus; i++)
		h->hash = mont_hash(h->hash, &p->vcpu[i].uncounted, sizeof(uint64_t));
	for (i = 0; i < p->m.nr_regions; i++)
		if (p->m.region[i].p)
			h->hash = mont_hash(h->hash, p->m.region[i].p, p->m.region[i].r.length);
	return 0;
}

/* ---- the rest ---- */

static int inproc_machine_info(struct inproc *p, struct montecito_machine_info *info)
{
	struct montecito_region *r = (struct montecito_region *)(uintptr_t)info->regions;
	unsigned int i;

	for (i = 0; i < p->m.nr_regions && i < info->nr_regions; i++)
		r[i] = p->m.region[i].r;
	info->id = 0;
	info->nr_vcpus = p->m.nr_vcpus;
	info->cores = p->cfg.cores;
	info->threads = p->cfg.threads;
	info->config = p->cfg.flags;
	info->timing = p->cfg.timing;
	info->nr_regions = p->m.nr_regions;
	info->memory = p->cfg.memory;
	info->state_length = inproc_state_length(p);
	info->locked = 0;
	info->nr_refused = 0;
	info->work = mont_work_max(p->pkg);
	memcpy(info->name, p->name, sizeof(info->name));
	return 0;
}

void inproc_uncounted(struct inproc *p)
{
	unsigned int i;

	for (i = 0; i < p->m.nr_vcpus; i++)
		p->vcpu[i].uncounted |= mont_uncounted(p->vcpu[i].t);
}

/* RUN tells of one vcpu at a time; another one's turn comes with the next. */
static void inproc_report_uncounted(struct inproc *p, struct montecito_run *run)
{
	unsigned int i;

	inproc_uncounted(p);
	run->uncounted = 0;
	run->uncounted_vcpu = 0;
	for (i = 0; !run->uncounted && i < p->m.nr_vcpus; i++) {
		run->uncounted = p->vcpu[i].uncounted;
		run->uncounted_vcpu = run->uncounted ? i : 0;
		p->vcpu[i].uncounted = 0;
	}
}

static int inproc_machine_run(struct inproc *p, struct montecito_run *run)
{
	struct mont_breakpoint breakpoint[MONT_MAX_BREAKPOINTS];
	uint64_t insns = 0, cycles = 0;
	struct mont_exit e;
	int err;

	err = mhost_run_check(run, p->m.nr_vcpus, p->cfg.timing);
	if (!err)
		err = mhost_breakpoints_in(
			(const struct montecito_breakpoint *)(uintptr_t)run->breakpoints,
			run->nr_breakpoints, breakpoint);
	if (err)
		return err;
	if (run->flags & MONTECITO_RUN_MMIO_DATA) {
		const u64 data[2] = { run->mmio_data[0], run->mmio_data[1] };

		if (run->mmio_vcpu >= p->m.nr_vcpus ||
		    mont_mmio_complete(p->vcpu[run->mmio_vcpu].t, data))
			return -ENOENT;
	}
	do {
		const struct mont_budget budget = {
			.insns = run->insns ? run->insns - insns : 0,
			.cycles = run->cycles ? run->cycles - cycles : 0,
			.work = SLICE_WORK,
			.flags = mhost_run_flags(run),
			.until = run->until,
			.step_vcpu = run->step_vcpu,
			.nr_breakpoints = run->nr_breakpoints,
			.breakpoints = breakpoint,
		};

		mont_run(p->pkg, &budget, &e);
		insns += e.insns;
		cycles += e.cycles;
		/* Reloaded: to RUN it is the end of a slice, no more. */
		if (e.reason == MONT_EXIT_PMU_OVERFLOW && inproc_pmu_sample(&p->vcpu[e.vcpu], &e))
			e.reason = MONT_EXIT_WORK;
		if (e.reason == MONT_EXIT_WORK &&
		    ((run->insns && insns >= run->insns) || (run->cycles && cycles >= run->cycles)))
			e.reason = MONT_EXIT_BUDGET;
	} while (e.reason == MONT_EXIT_WORK);
	mhost_exit_out(&e, &run->exit);
	run->exit.insns = insns;
	run->exit.cycles = cycles;
	inproc_notify(p);
	inproc_report_uncounted(p, run);
	return 0;
}

static int inproc_machine_console(struct inproc *p, struct montecito_console *con)
{
	con->length = mont_console_peek(p->pkg, (char *)(uintptr_t)con->data, con->length);
	mont_console_drop(p->pkg, con->length);
	return 0;
}

static int inproc_machine(struct montecito *m, unsigned int cmd, void *arg)
{
	struct inproc *p = (struct inproc *)m;

	switch (cmd) {
	case MONTECITO_CMD_MACHINE_INFO:
		return inproc_machine_info(p, arg);
	case MONTECITO_CMD_MEM_READ:
	case MONTECITO_CMD_MEM_WRITE:
	case MONTECITO_CMD_MEM_INVALIDATE:
		return inproc_machine_mem(p, cmd, arg);
	case MONTECITO_CMD_SAVE:
		return inproc_machine_save(p, arg);
	case MONTECITO_CMD_RESTORE:
		return inproc_machine_restore(p, arg);
	case MONTECITO_CMD_HASH:
		return inproc_machine_hash(p, arg);
	case MONTECITO_CMD_RUN:
		return inproc_machine_run(p, arg);
	case MONTECITO_CMD_PARAM_GET:
	case MONTECITO_CMD_PARAM_SET:
		return mhost_param(p->pkg, arg, cmd == MONTECITO_CMD_PARAM_SET);
	case MONTECITO_CMD_CONSOLE:
		return inproc_machine_console(p, arg);
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
	for (i = 0; i < m->nr_regions; i++)
		if (m->region[i].p)
			munmap(m->region[i].p, m->region[i].r.length);
	if (p->pkg)
		munmap(p->pkg, p->pkg_len);
	free(p);
}

static const char *inproc_broken(const struct montecito *m)
{
	return mont_broken(((const struct inproc *)m)->pkg);
}

static const struct backend inproc_backend = {
	.machine = inproc_machine,
	.vcpu = inproc_vcpu_call,
	.ring = inproc_ring,
	.broken = inproc_broken,
	.close = inproc_close,
};

/* As the device would: in order, apart, and what the model has. */
static int inproc_map_regions(struct inproc *p, const struct montecito_region *r, unsigned int nr,
			      struct mont_region *region)
{
	uint64_t end = 0;
	unsigned int i;

	if (!nr || nr > MAX_REGIONS)
		return -EINVAL;
	for (i = 0; i < nr; i++) {
		if (!r[i].length || r[i].addr < end || (r[i].addr | r[i].length) % MONT_PAGE_SIZE ||
		    r[i].pad || r[i].reserved)
			return -EINVAL;
		end = r[i].addr + r[i].length;
		if (!(r[i].flags & MONTECITO_REGION_MMIO))
			p->cfg.memory += r[i].length;
	}
	p->pkg_len = mont_package_size(&p->cfg);
	if (!p->pkg_len)
		return -EINVAL;
	for (i = 0; i < nr; i++) {
		p->m.region[i].r = r[i];
		p->m.nr_regions++;
		if (!(r[i].flags & MONTECITO_REGION_MMIO)) {
			p->m.region[i].p = inproc_map(r[i].length);
			if (!p->m.region[i].p)
				return -ENOMEM;
		}
		region[i] = (struct mont_region){
			.base = r[i].addr,
			.size = r[i].length,
			.host = p->m.region[i].p,
			.flags = r[i].flags,
		};
	}
	return 0;
}

static int inproc_open(const struct montecito_options *opt, struct montecito **res)
{
	struct inproc *p = calloc(1, sizeof(*p));
	struct montecito_region r[MAX_REGIONS];
	struct mont_region region[MAX_REGIONS];
	unsigned int i;
	int err;

	if (!p)
		return -ENOMEM;
	p->m.ops = &inproc_backend;
	p->m.timed = opt->timing;
	p->cfg = (struct mont_config){
		.cores = opt->cores,
		.threads = opt->threads,
		.flags = opt->config,
		.timing = opt->timing,
	};
	if (opt->name)
		strncpy(p->name, opt->name, sizeof(p->name) - 1);
	err = inproc_map_regions(p, r, option_regions(opt, r), region);
	if (err)
		goto out;
	err = -ENOMEM;
	p->pkg = inproc_map(p->pkg_len);
	if (!p->pkg)
		goto out;
	err = mont_package_init(p->pkg, &p->cfg, region, p->m.nr_regions);
	if (err)
		goto out;
	/* The checking mode of the model, which builds for tests have. */
	mont_check_set(p->pkg, getenv("MONTECITO_SLOW"));
	p->m.nr_vcpus = opt->cores * opt->threads;
	p->m.cores = opt->cores;
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

static int inproc_info(struct montecito_info *info)
{
	info->capabilities = MONTECITO_CAP_FUNCTIONAL | MONTECITO_CAP_TIMING |
			     MONTECITO_CAP_OBSERVERS | MONTECITO_CAP_RING |
			     MONTECITO_CAP_PMU_SAMPLING | MONTECITO_CAP_TABLE |
			     MONTECITO_CAP_REGIONS | MONTECITO_CAP_MMIO | MONTECITO_CAP_FIRMWARE |
			     MONTECITO_CAP_PARAM_SET | MONTECITO_CAP_TRACE |
			     MONTECITO_CAP_CALLCHAIN | MONTECITO_CAP_PMU_KINDS;
	info->config_mask = MONT_CFG_ALL;
	info->max_cores = MONT_MAX_CORES;
	info->max_threads = MONT_MAX_THREADS;
	info->max_regions = MAX_REGIONS;
	info->min_memory = MONT_MIN_MEMORY;
	info->max_memory = MONT_MAX_MEMORY;
	info->page_size = MONT_PAGE_SIZE;
	info->max_batch = MAX_BATCH;
	info->max_observers = MAX_OBSERVERS * MAX_VCPUS;
	info->max_vcpu_observers = MAX_OBSERVERS;
	info->max_vcpu_samplers = MAX_OBSERVERS;
	info->max_vcpu_files = 1;
	info->max_ring_order = MAX_RING_ORDER;
	info->max_table_order = MAX_TABLE_ORDER;
	info->max_callchain = MONTECITO_MAX_CALLCHAIN;
	info->max_vcpu_pmus = MAX_PMUS;
	info->timed_core = mont_timed_core_size();
	info->timed_package = mont_timed_package_size();
	info->work = SLICE_WORK + MONT_WORK_OVERSHOOT(MAX_OBSERVERS, MAX_OBSERVERS, true);
	strcpy(info->model, "Montecito");
	return 0;
}

/* All that this library shows. */
__attribute__((visibility("default"))) const struct montecito_model montecito_model = {
	.version = MONTECITO_VERSION,
	.open = inproc_open,
	.info = inproc_info,
};
