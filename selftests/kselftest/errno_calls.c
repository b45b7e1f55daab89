// SPDX-License-Identifier: GPL-2.0-only
/* The good call of every command, and what may be beside it. */
#define _GNU_SOURCE
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"
#include "errnos.h"

#define CONSOLE_ADDR 0x80000000ff000000ULL /* uncacheable, in physical mode */

void must(long ret, const char *what)
{
	if (ret < 0) {
		fprintf(stderr, "# %s: %s\n", what, strerror(-ret));
		_exit(2);
	}
}

void observe(struct ctx *c, uint32_t flags)
{
	struct montecito_observer_add add = {
		.size = sizeof(add),
		.flags = flags,
		.period = flags ? 100 : 0,
		.table_order = flags & MONTECITO_OBSERVER_TABLE ? 4 : 0,
		.filter = { .code = EVENT_INST_RETIRED, .plm = 0xf },
	};

	must(call(c->fd[VCPU], MONTECITO_OBSERVER_ADD, &add), "observer");
	c->id[0] = add.id;
	c->id[1] = add.id;
}

/* ---- what a command needs to be there ---- */

static void prepare_state(struct ctx *c)
{
	struct montecito_state s = { .size = sizeof(s) };

	must(call(c->fd[MACHINE], MONTECITO_SAVE, &s), "length");
	c->length = s.length;
	c->blob = malloc(s.length);
	s.data = (uintptr_t)c->blob;
	must(call(c->fd[MACHINE], MONTECITO_SAVE, &s), "save");
}

static void prepare_console(struct ctx *c)
{
	set(c->fd[VCPU], MONTECITO_REG_GR, 9, CONSOLE_ADDR);
	start(c->fd[VCPU], GUEST_CONSOLE);
	must(run(c->fd[MACHINE], 1, 0, NULL), "console");
	start(c->fd[VCPU], GUEST_SPIN);
}

static void prepare_observer(struct ctx *c)
{
	observe(c, 0);
}

static void prepare_trace(struct ctx *c)
{
	struct montecito_ring r = { .size = sizeof(r) };

	must(call(c->fd[VCPU], MONTECITO_RING, &r), "ring");
}

static void prepare_table(struct ctx *c)
{
	observe(c, MONTECITO_OBSERVER_TABLE);
	must(run(c->fd[MACHINE], 3000, 0, NULL), "run");
}

/* ---- what it is given ---- */

static void fill_create(struct ctx *c)
{
	c->a.create.cores = 1;
	c->a.create.threads = 1;
	c->a.create.nr_regions = 2;
	c->a.create.regions = (uintptr_t)c->region;
}

static void fill_machine_info(struct ctx *c)
{
	c->a.machine_info.nr_regions = 2;
	c->a.machine_info.regions = (uintptr_t)c->region;
}

static void fill_copy(struct ctx *c)
{
	c->a.mem.addr = MEMORY - 64;
	c->a.mem.length = 64;
	c->a.mem.data = (uintptr_t)c->entry;
}

static void fill_mem_invalidate(struct ctx *c)
{
	c->a.mem.addr = MEMORY - 64;
	c->a.mem.length = 64;
}

static void fill_state(struct ctx *c)
{
	c->a.state.length = c->length;
	c->a.state.data = (uintptr_t)c->blob;
}

static void fill_run(struct ctx *c)
{
	c->a.run.insns = 1;
}

static void fill_console(struct ctx *c)
{
	c->a.console.length = 8;
	c->a.console.data = (uintptr_t)c->count;
}

static void fill_param(struct ctx *c)
{
	strcpy(c->a.param.name, "tlb.tc");
}

/* Only a machine that has time has such as can be set. */
static void prepare_param(struct ctx *c)
{
	c->fd[MACHINE] = timed_machine(MONTECITO_CFG_HOST_PMU);
	c->fd[VCPU] = vcpu(c->fd[MACHINE], 0);
	start(c->fd[VCPU], GUEST_SPIN);
}

static void fill_param_set(struct ctx *c)
{
	strcpy(c->a.param.name, "l3.latency");
	c->a.param.value = 20;
}

static void fill_regs(struct ctx *c)
{
	/* r2 and b0 */
	c->reg[0].index = 2;
	c->a.regs.count = 2;
	c->a.regs.regs = (uintptr_t)c->reg;
}

static void fill_irq(struct ctx *c)
{
	c->a.irq.vector = 0x42;
}

static void fill_tc_insert(struct ctx *c)
{
	c->a.tc_insert.pte = 0x61; /* present, accessed, dirty */
	c->a.tc_insert.itir = 12 << 2;
}

static void fill_tc_purge(struct ctx *c)
{
	c->a.tc_purge.ps = 12;
}

static void fill_observer_add(struct ctx *c)
{
	c->a.observer_add.filter.code = EVENT_INST_RETIRED;
	c->a.observer_add.filter.plm = 0xf;
}

static void fill_observer_del(struct ctx *c)
{
	c->a.observer_del.id = c->id[0];
}

static void fill_observer_read(struct ctx *c)
{
	c->a.observer_read.count = 2;
	c->a.observer_read.ids = (uintptr_t)c->id;
	c->a.observer_read.counts = (uintptr_t)c->count;
}

static void prepare_pmu(struct ctx *c)
{
	struct montecito_pmu_add add = { .size = sizeof(add), .kind = MONTECITO_PMU_MERCED };

	must(call(c->fd[VCPU], MONTECITO_PMU_ADD, &add), "PMU");
	c->id[0] = add.id;
}

static void fill_pmu_add(struct ctx *c)
{
	c->a.pmu_add.kind = MONTECITO_PMU_MERCED;
	c->a.pmu_add.nr_reload = 1;
	c->a.pmu_add.reload[0].cls = MONTECITO_REG_PMD;
	c->a.pmu_add.reload[0].index = 4;
}

static void fill_pmu_del(struct ctx *c)
{
	c->a.pmu_del.id = c->id[0];
}

static void fill_pmu_regs(struct ctx *c)
{
	c->a.pmu_regs.id = c->id[0];
	c->a.pmu_regs.count = 2;
	c->a.pmu_regs.regs = (uintptr_t)c->pmu;
	c->pmu[0] = (struct montecito_pmu_reg){ .cls = MONTECITO_REG_PMD, .index = 4 };
	c->pmu[1] = (struct montecito_pmu_reg){ .cls = MONTECITO_REG_PMC, .index = 6 };
}

static void fill_pmu_describe(struct ctx *c)
{
	c->a.pmu_describe.kind = MONTECITO_PMU_MERCED;
}

static void fill_pmu_sampling(struct ctx *c)
{
	c->a.pmu_sampling.counter = 4;
}

static void fill_eventfd(struct ctx *c)
{
	c->a.eventfd.fd = c->efd;
}

static void fill_table_read(struct ctx *c)
{
	c->a.table_read.id = c->id[0];
	c->a.table_read.count = 8;
	c->a.table_read.entries = (uintptr_t)c->entry;
}

static void fill_cycles(struct ctx *c)
{
	c->a.cycles.count = NR_CAUSES;
	c->a.cycles.causes = (uintptr_t)c->cause;
}

static void fill_trace(struct ctx *c)
{
	c->a.trace.kinds = 1 << MONTECITO_TRACE_OVERFLOW;
}

const struct command commands[] = {
#define AT(field) offsetof(union argument, field)
/* clang-format off */
#define C(name, kind, type, flags, pad, buffer, rules, fill, prepare) { \
	#name, MONTECITO_##name, kind, sizeof(struct montecito_##type), flags, pad, buffer, \
	rules, fill, prepare }
	/* clang-format on */
	C(INFO, DEVICE, info, 0, -1, -1, LOOKS | NO_WAIT, NULL, NULL),
	C(CREATE, DEVICE, create, 0, AT(create.pad), AT(create.regions), LOOKS | NO_WAIT,
	  fill_create, NULL),
	C(MACHINE_INFO, MACHINE, machine_info, 0, -1, AT(machine_info.regions), LOOKS,
	  fill_machine_info, NULL),
	C(MEM_READ, MACHINE, mem, 0, -1, AT(mem.data), 0, fill_copy, NULL),
	C(MEM_WRITE, MACHINE, mem, 0, -1, AT(mem.data), 0, fill_copy, NULL),
	C(MEM_INVALIDATE, MACHINE, mem, 0, AT(mem.data), -1, 0, fill_mem_invalidate, NULL),
	C(SAVE, MACHINE, state, 0, -1, AT(state.data), 0, fill_state, prepare_state),
	C(RESTORE, MACHINE, state, 0, -1, AT(state.data), 0, fill_state, prepare_state),
	C(HASH, MACHINE, hash, 0, -1, -1, 0, NULL, NULL),
	C(RUN, MACHINE, run,
	  MONTECITO_RUN_MMIO_DATA | MONTECITO_RUN_FUNCTIONAL | MONTECITO_RUN_UNTIL |
		  MONTECITO_RUN_BREAKPOINTS | MONTECITO_RUN_STEP,
	  AT(run.mmio_vcpu), -1, 0, fill_run, NULL),
	C(VCPU, MACHINE, vcpu, 0, AT(vcpu.pad), -1, LOOKS, NULL, NULL),
	C(CONSOLE, MACHINE, console, 0, -1, AT(console.data), 0, fill_console, prepare_console),
	C(PARAM_GET, MACHINE, param, MONTECITO_PARAM_BY_INDEX, AT(param.pad), -1, LOOKS, fill_param,
	  NULL),
	C(PARAM_SET, MACHINE, param, 0, AT(param.pad), -1, 0, fill_param_set, prepare_param),
	C(GET_REGS, VCPU, regs, 0, -1, AT(regs.regs), 0, fill_regs, NULL),
	C(SET_REGS, VCPU, regs, 0, -1, AT(regs.regs), 0, fill_regs, NULL),
	C(PAL, VCPU, pal, 0, -1, -1, 0, NULL, NULL),
	C(IRQ, VCPU, irq, 0, AT(irq.pad), -1, 0, fill_irq, NULL),
	C(TC_INSERT, VCPU, tc_insert, MONTECITO_TC_INSN, -1, -1, 0, fill_tc_insert, NULL),
	C(TC_PURGE, VCPU, tc_purge, 0, AT(tc_purge.pad), -1, 0, fill_tc_purge, NULL),
	C(TRANSLATE, VCPU, translate, MONTECITO_TRANSLATE_INSN, -1, -1, 0, NULL, NULL),
	C(OBSERVER_ADD, VCPU, observer_add,
	  MONTECITO_OBSERVER_SAMPLE | MONTECITO_OBSERVER_TABLE | MONTECITO_OBSERVER_CALLCHAIN,
	  AT(observer_add.filter.pad), -1, 0, fill_observer_add, NULL),
	C(OBSERVER_DEL, VCPU, observer_del, 0, AT(observer_del.pad), -1, LOOKS | ONCE,
	  fill_observer_del, prepare_observer),
	C(OBSERVER_READ, VCPU, observer_read, 0, -1, AT(observer_read.counts), 0,
	  fill_observer_read, prepare_observer),
	C(RING, VCPU, ring, 0, -1, -1, LOOKS | ONCE, NULL, NULL),
	C(EVENTFD, VCPU, eventfd, 0, AT(eventfd.pad), -1, LOOKS, fill_eventfd, NULL),
	C(PMU_SAMPLING, VCPU, pmu_sampling, MONTECITO_PMU_RELOAD, AT(pmu_sampling.pad), -1, 0,
	  fill_pmu_sampling, NULL),
	C(TABLE_READ, VCPU, table_read, MONTECITO_TABLE_CLEAR, -1, AT(table_read.entries), 0,
	  fill_table_read, prepare_table),
	C(CYCLES, VCPU, cycles, 0, AT(cycles.pad), AT(cycles.causes), 0, fill_cycles, NULL),
	C(TRACE, VCPU, trace, 0, AT(trace.pad), -1, 0, fill_trace, prepare_trace),
	C(PMU_ADD, VCPU, pmu_add,
	  MONTECITO_PMU_SAMPLE | MONTECITO_PMU_STOP | MONTECITO_PMU_ISM_AS_PRINTED |
		  MONTECITO_PMU_FOLLOW_PSR,
	  AT(pmu_add.pad), -1, ONCE, fill_pmu_add, NULL),
	C(PMU_DEL, VCPU, pmu_del, 0, AT(pmu_del.pad), -1, ONCE, fill_pmu_del, prepare_pmu),
	C(PMU_GET_REGS, VCPU, pmu_regs, 0, AT(pmu_regs.pad), AT(pmu_regs.regs), 0, fill_pmu_regs,
	  prepare_pmu),
	C(PMU_SET_REGS, VCPU, pmu_regs, 0, AT(pmu_regs.pad), AT(pmu_regs.regs), 0, fill_pmu_regs,
	  prepare_pmu),
	C(PMU_DESCRIBE, VCPU, pmu_describe, MONTECITO_PMU_EVENT, -1, -1, LOOKS | NO_WAIT,
	  fill_pmu_describe, NULL),
};

const unsigned int nr_commands = sizeof(commands) / sizeof(commands[0]);

void set_up(struct ctx *c, const struct command *k)
{
	c->fd[DEVICE] = open_device();
	c->fd[MACHINE] = machine(1, 1, MONTECITO_CFG_HOST_PMU);
	c->fd[VCPU] = vcpu(c->fd[MACHINE], 0);
	c->efd = eventfd(0, 0);
	start(c->fd[VCPU], GUEST_SPIN);
	if (k->prepare)
		k->prepare(c);
	good(c, k);
}

void good(struct ctx *c, const struct command *k)
{
	memset(&c->a, 0, sizeof(c->a));
	c->arg = &c->a;
	c->a.size = k->size;
	c->region[0] = (struct montecito_region){ .length = 1 << 20 };
	c->region[1] = (struct montecito_region){ .addr = 1 << 20, .length = 1 << 20 };
	memset(c->reg, 0, sizeof(c->reg));
	c->reg[1].cls = MONTECITO_REG_BR;
	if (k->fill)
		k->fill(c);
}

bool succeeds(const struct command *k, long ret)
{
	(void)k;
	return ret >= 0;
}

/* ---- what may be beside it ---- */

void stay_on(int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one)) {
		perror("# affinity");
		_exit(2);
	}
}

/*
 * SAVE, RESTORE and HASH have a machine for a moment only. A process that does nothing
 * else stands still in that moment while another one has its processor and does not give
 * it away: this one, where it waits for nothing.
 */
static void share_processor(int policy)
{
	const struct sched_param p = { .sched_priority = policy == SCHED_FIFO };

	stay_on(0);
	if (sched_setscheduler(0, policy, &p)) {
		perror("# scheduler");
		_exit(2);
	}
}

void beside(struct ctx *c, unsigned int cmd, bool there)
{
	struct montecito_hash h = { .size = sizeof(h) };

	if (!there) {
		share_processor(SCHED_OTHER);
		kill(c->helper, SIGKILL);
		waitpid(c->helper, NULL, 0);
		return;
	}
	c->helper = fork();
	if (!c->helper) {
		union argument u = { .state = { .size = sizeof(u.state) } };
		int m = c->fd[MACHINE];

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		switch (cmd) {
		case MONTECITO_HASH:
			share_processor(SCHED_IDLE);
			for (;;)
				call(m, MONTECITO_HASH, &h);
		case MONTECITO_MEM_READ:
			u.mem = (struct montecito_mem){ sizeof(u.mem), 0, 0, 64,
							(uintptr_t)blocking_page(NULL) };
			break;
		case MONTECITO_CONSOLE:
			u.console = (struct montecito_console){ sizeof(u.console), 0, 1,
								(uintptr_t)blocking_page(NULL) };
			break;
		case MONTECITO_RUN:
			if (sysconf(_SC_NPROCESSORS_ONLN) > 1)
				stay_on(1);
			u.run = (struct montecito_run){ .size = sizeof(u.run) };
			break;
		}
		/* The one that looks whether it is there may be in its way. */
		while (call(m, cmd, &u) == -EBUSY)
			;
		_exit(0);
	}
	if (cmd == MONTECITO_HASH)
		share_processor(SCHED_FIFO);
	while (call(c->fd[MACHINE], MONTECITO_HASH, &h) != -EBUSY)
		usleep(1000);
}

void be_admin(bool admin)
{
	struct __user_cap_header_struct h = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct d[2];

	if (syscall(SYS_capget, &h, d))
		_exit(2);
	d[0].effective &= ~(1U << CAP_SYS_ADMIN);
	d[0].effective |= (uint32_t)admin << CAP_SYS_ADMIN;
	if (syscall(SYS_capset, &h, d))
		_exit(2);
}
