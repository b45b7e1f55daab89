// SPDX-License-Identifier: GPL-2.0-only
/* Defects of a call, one at a time. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common.h"
#include "errnos.h"

void short_size(struct ctx *c, const struct command *k, bool there)
{
	if (there)
		c->a.size = k->size - 1;
}

void unknown_tail(struct ctx *c, const struct command *k, bool there)
{
	if (!there)
		return;
	c->a.size = k->size + 8;
	c->a.b[k->size + 7] = 1;
}

void over_a_page(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	if (there)
		c->a.size = 4097;
}

void unknown_flag(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	if (there)
		c->a.flags |= 0x80000000;
}

void padding(struct ctx *c, const struct command *k, bool there)
{
	if (there)
		c->a.b[k->pad] = 1;
}

void no_structure(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	if (there)
		c->arg = NULL;
}

/* A structure that ends where readable memory ends, and one byte later. */
void into_a_hole(struct ctx *c, const struct command *k, bool there)
{
	unsigned char *map;

	if (!there)
		return;
	map = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(map + 4096, 4096);
	c->arg = map + 4096 - k->size + 1;
	memcpy(c->arg, &c->a, k->size - 1);
}

void no_buffer(struct ctx *c, const struct command *k, bool there)
{
	const uint64_t nowhere = 8;

	if (there)
		memcpy(c->a.b + k->buffer, &nowhere, sizeof(nowhere));
}

void beside_hash(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	beside(c, MONTECITO_HASH, there);
}

void beside_run(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	beside(c, MONTECITO_RUN, there);
}

void beside_copy(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	beside(c, MONTECITO_MEM_READ, there);
}

void beside_console(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	beside(c, MONTECITO_CONSOLE, there);
}

static void limit(struct ctx *c, int what, rlim_t max, bool there)
{
	struct rlimit now;

	if (!there) {
		setrlimit(what, &c->old);
		return;
	}
	getrlimit(what, &c->old);
	now = c->old;
	now.rlim_cur = max;
	setrlimit(what, &now);
}

void no_descriptor(struct ctx *c, const struct command *k, bool there)
{
	int next = dup(0);

	(void)k;
	close(next);
	limit(c, RLIMIT_NOFILE, next, there);
}

/* Root may always open files, and lock memory: rows about limits run as another user. */
static void drop(struct ctx *c)
{
	struct rlimit enough = { 64 << 20, 64 << 20 };

	(void)c;
	if (getuid())
		return;
	setrlimit(RLIMIT_MEMLOCK, &enough);
	if (setgid(NOBODY) || setuid(NOBODY))
		_exit(2);
}

/* The system has no file left, but for CAP_SYS_ADMIN. */
void no_file(struct ctx *c, const struct command *k, bool there)
{
	static char old[32];
	static ssize_t n;
	static int fd;

	(void)c;
	(void)k;
	if (there) {
		fd = open("/proc/sys/fs/file-max", O_RDWR);
		n = read(fd, old, sizeof(old));
		if (n <= 0 || pwrite(fd, "0\n", 2, 0) != 2)
			_exit(2);
	} else if (pwrite(fd, old, n, 0) != n) {
		_exit(2);
	}
	be_admin(!there);
}

void no_locked_memory(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	drop(c);
	limit(c, RLIMIT_MEMLOCK, 4096, there);
}

void own_mapping(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	if (!there)
		return;
	c->a.state.data = (uintptr_t)mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED,
					  c->fd[MACHINE], 0);
}

void long_name(struct ctx *c, const struct command *k, bool there)
{
	if (there)
		memset(k->cmd == MONTECITO_CREATE ? c->a.create.name : c->a.param.name, 'x',
		       MONTECITO_NAME_LEN);
}

void other_name(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	if (there)
		strcpy(c->a.param.name, "no.such");
}

void fixed_param(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	if (there)
		strcpy(c->a.param.name, "tlb.tr");
}

void untimed_machine(struct ctx *c, const struct command *k, bool there)
{
	static int mine;

	(void)k;
	if (there) {
		mine = c->fd[MACHINE];
		c->fd[MACHINE] = machine(1, 1, MONTECITO_CFG_HOST_PMU);
	} else {
		c->fd[MACHINE] = mine;
	}
}

void within_bundle(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	c->a.run.flags = MONTECITO_RUN_UNTIL;
	c->a.run.until = GUEST_BREAK0 + (there ? 8 : 0);
}

/* One breakpoint, good or not. */
static struct montecito_breakpoint breakpoint;

static void with_breakpoint(struct ctx *c)
{
	c->a.run.flags = MONTECITO_RUN_BREAKPOINTS;
	c->a.run.nr_breakpoints = 1;
	c->a.run.breakpoints = (uintptr_t)&breakpoint;
	breakpoint = (struct montecito_breakpoint){ GUEST_BREAK0, 0, MONTECITO_BREAK_EXEC };
}

void slot_three(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	with_breakpoint(c);
	breakpoint.addr += there ? 3 : 2;
}

void watch_nothing(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	with_breakpoint(c);
	breakpoint.kind = MONTECITO_BREAK_READ;
	breakpoint.length = !there;
}

void many_breakpoints(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	with_breakpoint(c);
	c->a.run.nr_breakpoints = there ? MONTECITO_MAX_BREAKPOINTS + 1 : 1;
}

void no_breakpoints(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	with_breakpoint(c);
	if (there)
		c->a.run.breakpoints = 8;
}

void step_nobody(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	c->a.run.flags = MONTECITO_RUN_STEP;
	c->a.run.step_vcpu = there;
}

void step_with_time(struct ctx *c, const struct command *k, bool there)
{
	static int mine;

	(void)k;
	c->a.run.flags = MONTECITO_RUN_STEP;
	if (there) {
		mine = c->fd[MACHINE];
		c->fd[MACHINE] = timed_machine(MONTECITO_CFG_HOST_PMU);
	} else {
		c->fd[MACHINE] = mine;
	}
}

/* Virtual addresses, and no translation of one. */
void not_translated(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	set(c->fd[VCPU], MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR, there ? 1ULL << 17 : 0);
}

/* Data for a load that nothing waits for. */
void no_load(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	if (there)
		c->a.flags |= MONTECITO_RUN_MMIO_DATA;
}

void all_files(struct ctx *c, const struct command *k, bool there)
{
	static int fd[1024];
	static int n;
	struct montecito_vcpu v = { .size = sizeof(v) };

	(void)k;
	if (there) {
		do {
			fd[n] = call(c->fd[MACHINE], MONTECITO_VCPU, &v);
		} while (fd[n] >= 0 && ++n < 1024);
	} else {
		close(fd[0]);
	}
}

void all_observers(struct ctx *c, const struct command *k, bool there)
{
	struct montecito_observer_add add = {
		.size = sizeof(add),
		.filter = { .code = EVENT_INST_RETIRED, .plm = 0xf },
	};
	struct montecito_observer_del del = { .size = sizeof(del) };

	(void)k;
	if (there) {
		while (!call(c->fd[VCPU], MONTECITO_OBSERVER_ADD, &add))
			c->id[0] = add.id;
	} else {
		del.id = c->id[0];
		must(call(c->fd[VCPU], MONTECITO_OBSERVER_DEL, &del), "delete");
	}
}

void no_ring(struct ctx *c, const struct command *k, bool there)
{
	struct montecito_ring r = { .size = sizeof(r) };

	(void)k;
	if (!there)
		must(call(c->fd[VCPU], MONTECITO_RING, &r), "ring");
	c->a.flags = MONTECITO_OBSERVER_SAMPLE;
	c->a.observer_add.period = 5;
}

/* Samples with random intervals, into a ring that is made with the defect. */
static void random_intervals(struct ctx *c, bool there, uint64_t period, uint64_t mask)
{
	struct montecito_ring r = { .size = sizeof(r) };

	if (there)
		must(call(c->fd[VCPU], MONTECITO_RING, &r), "ring");
	c->a.flags = MONTECITO_OBSERVER_SAMPLE;
	c->a.observer_add.period = period;
	c->a.observer_add.random_mask = mask;
}

/* Eight opcode matches, of which the last one has the defect. */
static struct montecito_opc_match *matches(struct ctx *c)
{
	static struct montecito_opc_match match[MONTECITO_OPC_MATCHES];
	unsigned int i;

	for (i = 0; i < MONTECITO_OPC_MATCHES; i++)
		match[i] = (struct montecito_opc_match){ .match = i, .mifb = 8 };
	c->a.observer_add.filter.flags = MONTECITO_FILTER_OPC;
	c->a.observer_add.nr_matches = MONTECITO_OPC_MATCHES;
	c->a.observer_add.matches = (uintptr_t)match;
	return &match[MONTECITO_OPC_MATCHES - 1];
}

void matches_unasked(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	matches(c);
	c->a.observer_add.filter.flags = there ? 0 : MONTECITO_FILTER_OPC;
}

void matches_beside(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	matches(c);
	c->a.observer_add.filter.mifb = there;
}

void match_too_long(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	matches(c)->mask = (1ULL << 41) - !there;
}

void match_of_nothing(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	matches(c)->mifb = there ? 0 : 1;
}

void mask_reaches(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	random_intervals(c, there, 5, there ? 5 : 4);
}

void mask_too_long(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	random_intervals(c, there, (1ULL << 46) - !there, 1);
}

void big_table(struct ctx *c, const struct command *k, bool there)
{
	no_locked_memory(c, k, there);
	c->a.flags = MONTECITO_OBSERVER_TABLE;
	c->a.observer_add.period = 5;
	c->a.observer_add.table_order = 10;
}

void has_ring(struct ctx *c, const struct command *k, bool there)
{
	struct montecito_ring r = { .size = sizeof(r) };

	(void)k;
	if (there) {
		must(call(c->fd[VCPU], MONTECITO_RING, &r), "ring");
	} else {
		/* A ring stays with its file: a new file has none. */
		close(c->fd[VCPU]);
		c->fd[VCPU] = vcpu(c->fd[MACHINE], 0);
	}
}

void guest_has_pmu(struct ctx *c, const struct command *k, bool there)
{
	static int other;

	(void)k;
	if (there) {
		other = c->fd[VCPU];
		c->fd[VCPU] = vcpu(machine(1, 1, 0), 0);
	} else {
		c->fd[VCPU] = other;
	}
}

void no_table(struct ctx *c, const struct command *k, bool there)
{
	uint32_t mine = c->id[0];

	(void)k;
	if (!there)
		return;
	observe(c, 0);
	c->a.table_read.id = c->id[0];
	c->id[0] = mine;
}

void nowhere_to_trace(struct ctx *c, const struct command *k, bool there)
{
	static int mine;

	(void)k;
	if (there) {
		mine = c->fd[VCPU];
		c->fd[VCPU] = vcpu(c->fd[MACHINE], 0);
	} else {
		close(c->fd[VCPU]);
		c->fd[VCPU] = mine;
	}
}

void traced_already(struct ctx *c, const struct command *k, bool there)
{
	struct montecito_trace tr = { .size = sizeof(tr) };
	struct montecito_ring r = { .size = sizeof(r) };
	static int other;

	(void)k;
	if (there) {
		other = vcpu(c->fd[MACHINE], 0);
		tr.kinds = 1 << MONTECITO_TRACE_FREEZE;
		must(call(other, MONTECITO_RING, &r), "ring");
		must(call(other, MONTECITO_TRACE, &tr), "trace");
	} else {
		close(other);
	}
}

void other_machine(struct ctx *c, const struct command *k, bool there)
{
	static int mine;

	(void)k;
	if (there) {
		mine = c->fd[MACHINE];
		c->fd[MACHINE] = machine(2, 1, MONTECITO_CFG_HOST_PMU);
	} else {
		c->fd[MACHINE] = mine;
	}
}

void damaged(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	(void)there;
	((unsigned char *)c->blob)[0] ^= 1;
}

void no_observer(struct ctx *c, const struct command *k, bool there)
{
	static uint32_t none[2] = { -1, -1 };

	(void)k;
	if (there)
		c->a.observer_read.ids = (uintptr_t)none;
}

/* PMC10 switches on a unit that needs time. */
void reloads_unit(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	if (there)
		c->a.pmu_add.reload[0] = (struct montecito_pmu_reg){ MONTECITO_REG_PMC, 10, 1 };
}

void all_pmus(struct ctx *c, const struct command *k, bool there)
{
	struct montecito_pmu_add add = { .size = sizeof(add), .kind = MONTECITO_PMU_MERCED };
	struct montecito_pmu_del del = { .size = sizeof(del) };

	(void)k;
	if (there) {
		while (!call(c->fd[VCPU], MONTECITO_PMU_ADD, &add))
			c->id[0] = add.id;
	} else {
		del.id = c->id[0];
		must(call(c->fd[VCPU], MONTECITO_PMU_DEL, &del), "delete");
	}
}

/* PMC6 selects @code at all levels. */
static void selects(struct ctx *c, bool there, uint32_t code)
{
	if (there)
		c->pmu[1].value = PMC_ES(code) | PMC_PLM_ALL;
}

void selects_none(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	selects(c, there, 0x13);
}

void selects_ia32(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	selects(c, there, 0x15);
}

void selects_by_four(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	selects(c, there, 0x08);
}

void no_eventfd(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	if (there)
		c->a.eventfd.fd = c->fd[DEVICE];
}
