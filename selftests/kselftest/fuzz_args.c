// SPDX-License-Identifier: GPL-2.0-only
/*
 * The commands of fuzz_test and an argument for each: a valid one, mostly, of random
 * numbers. What it points to lies in the thread's arena.
 */
#include <stddef.h>
#include <string.h>

#include "fuzz.h"

__thread uint64_t rng;
__thread uint64_t *arena;
__thread uint64_t *blob;
__thread uint64_t blob_length, blob_head;
__thread struct montecito_run last;
int an_eventfd;

static uint64_t rnd(void)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return rng;
}

uint64_t below(uint64_t n)
{
	return (rnd() >> 11) % n;
}

uint64_t odd(void)
{
	switch (below(8)) {
	case 0:
		return 0;
	case 1:
		return below(32);
	case 2:
		return -1ULL - below(8);
	case 3:
		return 1ULL << below(64);
	case 4:
		return (1ULL << below(64)) - 1;
	case 5:
		return (uintptr_t)arena + below(ARENA);
	case 6:
		return below(SMALL) & ~0xfULL;
	default:
		return rnd();
	}
}

void fill_create(union argument *a)
{
	struct montecito_region *r = (struct montecito_region *)arena;

	r[0] = (struct montecito_region){ .length = SMALL };
	r[1] = (struct montecito_region){ .addr = REGION_READONLY,
					  .length = 1 << 16,
					  .flags = MONTECITO_REGION_READONLY };
	r[2] = (struct montecito_region){ .addr = REGION_MMIO,
					  .length = 1 << 16,
					  .flags = MONTECITO_REGION_MMIO };
	a->create.cores = 1 + below(2);
	a->create.threads = 1 + below(2);
	a->create.config = below(2) ? 0 : below(64);
	a->create.timing = below(2);
	a->create.nr_regions = 1 + below(3);
	a->create.regions = (uintptr_t)arena;
}

static void fill_mem(union argument *a)
{
	a->mem.addr = below(SMALL);
	a->mem.length = below(SMALL - a->mem.addr) % ARENA;
	a->mem.data = (uintptr_t)arena;
}

static void fill_invalidate(union argument *a)
{
	fill_mem(a);
	a->mem.data = 0;
}

static void fill_save(union argument *a)
{
	a->state.length = below(4) ? blob_length : 0;
	a->state.data = (uintptr_t)blob;
}

/* Mostly what SAVE gave, with a few words of the processor's part changed. */
static void fill_restore(union argument *a)
{
	int i;

	for (i = below(4); i; i--) {
		uint64_t *word = &blob[below((below(4) ? blob_head : blob_length) / 8)];

		*word = below(2) ? odd() : *word ^ 1ULL << below(64);
	}
	fill_save(a);
	a->state.length = blob_length;
}

static void fill_run(union argument *a)
{
	a->run.insns = below(3000);
	a->run.cycles = below(3000);
	if (!below(4))
		a->run.flags |= MONTECITO_RUN_FUNCTIONAL;
	if (!below(4)) {
		a->run.flags |= MONTECITO_RUN_UNTIL;
		a->run.until = below(8) ? GUEST_BASE + 16 * below(128) : odd();
	}
	if (!below(4))
		a->run.flags |= MONTECITO_RUN_STEP;
	if (!below(4)) {
		struct montecito_breakpoint *b = (void *)arena;
		unsigned int i;

		a->run.flags |= MONTECITO_RUN_BREAKPOINTS;
		a->run.nr_breakpoints = below(MONTECITO_MAX_BREAKPOINTS + 1);
		a->run.breakpoints = (uintptr_t)b;
		for (i = 0; i < a->run.nr_breakpoints; i++) {
			bool exec = below(2);

			b[i] = (struct montecito_breakpoint){
				.addr = below(8) ? GUEST_BASE + 16 * below(128) + below(3) : odd(),
				.length = exec ? 0 : 1 + below(64),
				.kind = exec ? MONTECITO_BREAK_EXEC : 2 * (1 + below(3)),
			};
		}
	}
	if (last.exit.reason == MONTECITO_EXIT_MMIO && !last.exit.mmio.write) {
		a->run.flags |= MONTECITO_RUN_MMIO_DATA;
		a->run.mmio_vcpu = last.exit.vcpu;
		a->run.mmio_data[0] = odd();
	}
}

static void fill_vcpu(union argument *a)
{
	a->vcpu.index = below(4);
}

static void fill_console(union argument *a)
{
	a->console.length = below(ARENA);
	a->console.data = (uintptr_t)arena;
}

static void fill_param(union argument *a)
{
	a->param.flags = MONTECITO_PARAM_BY_INDEX;
	a->param.index = below(64);
}

static void fill_param_set(union argument *a)
{
	static const char *const latencies[] = { "l3.latency", "memory.latency", "core.flush",
						 "tlb.tc" };
	static const char *const sizes[] = { "l1d.ways",    "l1i.ways",	  "l2d.ways",
					     "l2i.ways",    "l3.ways",	  "l1d.fills",
					     "ozq.entries", "wc.buffers", "dtlb.entries",
					     "itlb.entries" };

	if (below(2)) {
		strcpy(a->param.name, latencies[below(4)]);
		a->param.value = below(300);
	} else {
		strcpy(a->param.name, sizes[below(sizeof(sizes) / sizeof(sizes[0]))]);
		a->param.value = below(34);
	}
}

static void fill_regs(union argument *a)
{
	struct montecito_reg *r = (struct montecito_reg *)arena;
	bool exist = below(2); /* one that does not ends the batch */
	int i;

	a->regs.count = below(40);
	a->regs.regs = (uintptr_t)arena;
	for (i = 0; i < 40; i++)
		r[i] = (struct montecito_reg){ .cls = exist ? MONTECITO_REG_GR : below(14),
					       .index = exist ? 1U + i : below(20),
					       .value = { odd() } };
}

/* Often those that RUN changes all the time. */
static void fill_get(union argument *a)
{
	struct montecito_reg *r = (struct montecito_reg *)arena;
	int i;

	fill_regs(a);
	for (i = below(4) ? 0 : 40; i < 40; i++)
		r[i] = (struct montecito_reg){ .cls = MONTECITO_REG_SPECIAL,
					       .index = below(MONTECITO_SPECIAL_STOOD + 1) };
}

static void fill_pal(union argument *a)
{
	a->pal.arg[0] = below(300);
	a->pal.arg[1] = odd();
	a->pal.arg[2] = odd();
}

static void fill_irq(union argument *a)
{
	a->irq.vector = below(260);
}

static void fill_tc_insert(union argument *a)
{
	a->tc_insert.va = odd() & ~0xfffULL;
	a->tc_insert.pte = (below(SMALL) & ~0xfffULL) | 0x461;
	a->tc_insert.itir = (12 + below(18)) << 2;
}

static void fill_tc_purge(union argument *a)
{
	a->tc_purge.ps = 12 + below(20);
	a->tc_purge.va = odd();
}

static void fill_translate(union argument *a)
{
	a->translate.flags = below(2);
	a->translate.va = odd();
}

static void fill_add(union argument *a)
{
	struct montecito_opc_match *match = (struct montecito_opc_match *)arena;
	unsigned int i;

	a->observer_add.flags = below(3);
	a->observer_add.period = a->observer_add.flags ? 1 + below(50) : 0;
	a->observer_add.table_order = a->observer_add.flags & MONTECITO_OBSERVER_TABLE ? below(8)
										       : 0;
	a->observer_add.random_mask = a->observer_add.flags && !below(3) ? below(60) : 0;
	a->observer_add.random_seed = a->observer_add.random_mask ? odd() : 0;
	a->observer_add.filter.code = below(2) ? EVENT_INST_RETIRED : below(256);
	a->observer_add.filter.umask = below(3) ? 0 : below(16);
	a->observer_add.filter.plm = 0xf;
	a->observer_add.filter.flags = below(4) ? 0 : below(8);
	a->observer_add.filter.iar_hi = odd();
	if (!(a->observer_add.filter.flags & MONTECITO_FILTER_OPC) || below(2))
		return;
	a->observer_add.nr_matches = below(10);
	a->observer_add.matches = (uintptr_t)arena;
	for (i = 0; i < MONTECITO_OPC_MATCHES; i++)
		match[i] = (struct montecito_opc_match){ odd(), ~odd() >> 23, below(17), 0 };
}

static void fill_del(union argument *a)
{
	a->observer_del.id = below(40);
}

static void fill_read(union argument *a)
{
	uint32_t *ids = (uint32_t *)arena;
	int i;

	for (i = 0; i < 8; i++)
		ids[i] = below(40);
	a->observer_read.count = below(8);
	a->observer_read.ids = (uintptr_t)arena;
	a->observer_read.counts = (uintptr_t)(arena + 512);
}

static void fill_ring(union argument *a)
{
	a->ring.order = below(4);
	a->ring.watermark = below(2) ? 0 : below(4096);
}

static void fill_eventfd(union argument *a)
{
	a->eventfd.fd = below(4) ? an_eventfd : -1;
}

static void fill_sampling(union argument *a)
{
	a->pmu_sampling.counter = 4 + below(12);
	a->pmu_sampling.sample_pmds = 0xfff0;
}

static void fill_table(union argument *a)
{
	a->table_read.id = below(40);
	a->table_read.count = below(1000);
	a->table_read.entries = (uintptr_t)arena;
}

static void fill_cycles(union argument *a)
{
	a->cycles.count = below(3) ? 64 : below(64);
	a->cycles.causes = (uintptr_t)arena;
}

static void fill_trace(union argument *a)
{
	a->trace.kinds = below(4) ? below(1 << MONTECITO_NR_TRACE) : below(0x10000);
}

static void fill_pmu_add(union argument *a)
{
	unsigned int i;

	a->pmu_add.kind = below(5) ? 1 + below(3) : below(6);
	a->pmu_add.flags = a->pmu_add.kind == MONTECITO_PMU_MERCED ? below(16) : below(4);
	if (a->pmu_add.kind == MONTECITO_PMU_MERCED && a->pmu_add.flags & MONTECITO_PMU_SAMPLE)
		a->pmu_add.sample_pmds = below(16) << 4;
	else
		a->pmu_add.sample_pmds = 0;
	a->pmu_add.nr_reload = below(10);
	for (i = 0; i < MONTECITO_PMU_RELOADS; i++)
		a->pmu_add.reload[i] = (struct montecito_pmu_reg){
			below(3) ? MONTECITO_REG_PMD : MONTECITO_REG_PMC,
			below(8),
			below(4) ? -(uint64_t)below(50) : 0,
		};
}

static void fill_pmu_del(union argument *a)
{
	a->pmu_del.id = below(10);
}

static struct montecito_pmu_reg pebs_reg(void)
{
	static const struct {
		uint32_t cls, index, nr;
	} regs[] = {
		{ MONTECITO_PMU_REG_MSR, 0xc1, 4 },  { MONTECITO_PMU_REG_MSR, 0x186, 4 },
		{ MONTECITO_PMU_REG_MSR, 0x309, 3 }, { MONTECITO_PMU_REG_MSR, 0x38d, 4 },
		{ MONTECITO_PMU_REG_MSR, 0x3f1, 1 }, { MONTECITO_PMU_REG_MSR, 0x3f6, 1 },
		{ MONTECITO_PMU_REG_DS, 0x20, 64 },  { MONTECITO_PMU_REG_OWN, 0, 3 },
	};
	unsigned int n = below(8);
	struct montecito_pmu_reg reg = { regs[n].cls, regs[n].index + below(regs[n].nr), odd() };

	/* Counts that end soon, events that there are, and records. */
	if (regs[n].index == 0xc1 || regs[n].index == 0x309)
		reg.value = -(uint64_t)below(20);
	else if (regs[n].index == 0x186)
		reg.value = (below(2) ? 0xc0 : 0x100b) | below(8) << 16 | below(8) << 20;
	else if (regs[n].index == 0x3f1)
		reg.value = below(16);
	else if (regs[n].index == 0x38d)
		reg.value = below(2) ? 0xf : 0xbbb;
	else if (regs[n].cls == MONTECITO_PMU_REG_DS)
		reg.value = below(4) * 176;
	return reg;
}

static struct montecito_pmu_reg ev68a_reg(void)
{
	static const uint32_t index[] = {
		0x05, 0x0b, 0x0d, 0x0e, 0x11, 0x14, 0x14, 0x14, 0x16, 0x40
	};
	struct montecito_pmu_reg reg = { MONTECITO_PMU_REG_IPR, index[below(10)], odd() };

	/* Both on, and overflows that are near. */
	if (reg.index == 0x11)
		reg.value = 0xc0001;
	else if (reg.index == 0x0b)
		reg.value = (uint64_t)below(4) << 29;
	else if (reg.index == 0x14)
		reg.value = (uint64_t)((1 << 20) - 14 - below(100)) << 28 | below(8) << 2;
	return reg;
}

static void fill_pmu_regs(union argument *a)
{
	static const uint32_t classes[] = {
		MONTECITO_REG_PMC, MONTECITO_REG_PMC, MONTECITO_REG_PMC,     MONTECITO_REG_PMD,
		MONTECITO_REG_IBR, MONTECITO_REG_DBR, MONTECITO_REG_SPECIAL,
	};
	struct montecito_pmu_reg *reg = (struct montecito_pmu_reg *)arena;
	unsigned int i;

	for (i = 0; i < 8; i++) {
		if (!below(2)) {
			reg[i] = below(2) ? pebs_reg() : ev68a_reg();
			continue;
		}
		reg[i].cls = classes[below(7)];
		reg[i].index = reg[i].cls == MONTECITO_REG_SPECIAL ? 1 : below(9);
		reg[i].value = below(3) ? below(1 << 26) & ~0x700000ULL : odd();
	}
	a->pmu_regs.id = 1 + below(9);
	a->pmu_regs.count = below(8);
	a->pmu_regs.regs = (uintptr_t)arena;
}

static void fill_pmu_describe(union argument *a)
{
	a->pmu_describe.kind = below(5);
	a->pmu_describe.flags = below(2);
	a->pmu_describe.index = below(240);
}

const struct command commands[] = {
	{ MONTECITO_INFO, ON_DEV, sizeof(struct montecito_info), 1, NULL },
	{ MONTECITO_CREATE, ON_DEV, sizeof(struct montecito_create), 1, fill_create },
	{ MONTECITO_MACHINE_INFO, ON_MACHINE, sizeof(struct montecito_machine_info), 2, NULL },
	{ MONTECITO_MEM_READ, ON_MACHINE, sizeof(struct montecito_mem), 6, fill_mem },
	{ MONTECITO_MEM_WRITE, ON_MACHINE, sizeof(struct montecito_mem), 6, fill_mem },
	{ MONTECITO_MEM_INVALIDATE, ON_MACHINE, sizeof(struct montecito_mem), 6, fill_invalidate },
	{ MONTECITO_SAVE, ON_MACHINE, sizeof(struct montecito_state), 2, fill_save },
	{ MONTECITO_RESTORE, ON_MACHINE, sizeof(struct montecito_state), 6, fill_restore },
	{ MONTECITO_HASH, ON_MACHINE, sizeof(struct montecito_hash), 1, NULL },
	{ MONTECITO_RUN, ON_MACHINE, sizeof(struct montecito_run), 20, fill_run },
	{ MONTECITO_VCPU, ON_MACHINE, sizeof(struct montecito_vcpu), 2, fill_vcpu },
	{ MONTECITO_CONSOLE, ON_MACHINE, sizeof(struct montecito_console), 3, fill_console },
	{ MONTECITO_PARAM_GET, ON_MACHINE, sizeof(struct montecito_param), 3, fill_param },
	{ MONTECITO_PARAM_SET, ON_MACHINE, sizeof(struct montecito_param), 2, fill_param_set },
	{ MONTECITO_GET_REGS, ON_VCPU, sizeof(struct montecito_regs), 10, fill_get },
	{ MONTECITO_SET_REGS, ON_VCPU, sizeof(struct montecito_regs), 20, fill_regs },
	{ MONTECITO_PAL, ON_VCPU, sizeof(struct montecito_pal), 8, fill_pal },
	{ MONTECITO_IRQ, ON_VCPU, sizeof(struct montecito_irq), 4, fill_irq },
	{ MONTECITO_TC_INSERT, ON_VCPU, sizeof(struct montecito_tc_insert), 6, fill_tc_insert },
	{ MONTECITO_TC_PURGE, ON_VCPU, sizeof(struct montecito_tc_purge), 4, fill_tc_purge },
	{ MONTECITO_TRANSLATE, ON_VCPU, sizeof(struct montecito_translate), 4, fill_translate },
	{ MONTECITO_OBSERVER_ADD, ON_VCPU, sizeof(struct montecito_observer_add), 10, fill_add },
	{ MONTECITO_OBSERVER_DEL, ON_VCPU, sizeof(struct montecito_observer_del), 8, fill_del },
	{ MONTECITO_OBSERVER_READ, ON_VCPU, sizeof(struct montecito_observer_read), 6, fill_read },
	{ MONTECITO_RING, ON_VCPU, sizeof(struct montecito_ring), 4, fill_ring },
	{ MONTECITO_EVENTFD, ON_VCPU, sizeof(struct montecito_eventfd), 3, fill_eventfd },
	{ MONTECITO_PMU_SAMPLING, ON_VCPU, sizeof(struct montecito_pmu_sampling), 4,
	  fill_sampling },
	{ MONTECITO_TABLE_READ, ON_VCPU, sizeof(struct montecito_table_read), 4, fill_table },
	{ MONTECITO_CYCLES, ON_VCPU, sizeof(struct montecito_cycles), 3, fill_cycles },
	{ MONTECITO_TRACE, ON_VCPU, sizeof(struct montecito_trace), 4, fill_trace },
	{ MONTECITO_PMU_ADD, ON_VCPU, sizeof(struct montecito_pmu_add), 6, fill_pmu_add },
	{ MONTECITO_PMU_DEL, ON_VCPU, sizeof(struct montecito_pmu_del), 4, fill_pmu_del },
	{ MONTECITO_PMU_GET_REGS, ON_VCPU, sizeof(struct montecito_pmu_regs), 4, fill_pmu_regs },
	{ MONTECITO_PMU_SET_REGS, ON_VCPU, sizeof(struct montecito_pmu_regs), 12, fill_pmu_regs },
	{ MONTECITO_PMU_DESCRIBE, ON_VCPU, sizeof(struct montecito_pmu_describe), 3,
	  fill_pmu_describe },
};

const int nr_commands = sizeof(commands) / sizeof(commands[0]);

static const int documented[] = {
	EINVAL, EFAULT, E2BIG,	ENOTTY, ENOMEM, EINTR,	    EBUSY,  EPERM,  ENOENT,
	ENOSPC, ENXIO,	EEXIST, EBADF,	ERANGE, EOPNOTSUPP, EMFILE, ENFILE,
};

bool is_documented(long ret)
{
	unsigned int i;

	for (i = 0; i < sizeof(documented) / sizeof(documented[0]); i++)
		if (ret == -documented[i])
			return true;
	return ret >= 0;
}
