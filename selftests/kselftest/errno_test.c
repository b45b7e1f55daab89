// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every errno that uapi/linux/montecito.h and Documentation/netlink.rst name, row by
 * row. A row makes one thing wrong with a call that is good otherwise; it passes if
 * the call fails as documented and succeeds with that one thing mended. Each row has
 * a process, a machine and a vcpu of its own. check_errnos.py compares the rows
 * with the documents.
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"
#include "errnos.h"

/* ---- the rows ---- */

struct row {
	const char *name;
	int err;
	const char *what;
	defect *defect; /* or a field: */
	uint32_t offset;
	uint32_t size;
	uint64_t value;
};

/* A field of struct ctx that has a wrong value */
#define P(name, err, what, field, value)                                  \
	{                                                                 \
#name, err, what, NULL, offsetof(struct ctx, field),      \
			sizeof(((struct ctx *)0)->field), (uint64_t)value \
	}
#define F(name, err, what, defect)                \
	{                                         \
#name, err, what, defect, 0, 0, 0 \
	}

static const struct row rows[] = {
	P(CREATE, EINVAL, "no core", a.create.cores, 0),
	P(CREATE, EINVAL, "three cores", a.create.cores, 3),
	P(CREATE, EINVAL, "no thread", a.create.threads, 0),
	P(CREATE, EINVAL, "three threads", a.create.threads, 3),
	P(CREATE, EINVAL, "unknown configuration", a.create.config, 0x80000000),
	P(CREATE, EINVAL, "unknown timing", a.create.timing, 2),
	P(CREATE, EINVAL, "no region", a.create.nr_regions, 0),
	P(CREATE, EINVAL, "too many regions", a.create.nr_regions, 0xffffffff),
	P(CREATE, EINVAL, "regions that overlap", region[1].addr, 0),
	P(CREATE, EINVAL, "an empty region", region[1].length, 0),
	P(CREATE, EINVAL, "a region that ends inside a page", region[1].length, 100),
	P(CREATE, EINVAL, "a region that begins inside one", region[1].addr, (1 << 20) + 8),
	P(CREATE, EINVAL, "a region beyond the address space", region[1].addr, 1ULL << 50),
	P(CREATE, EINVAL, "unknown flag of a region", region[1].flags, 0x80000000),
	P(CREATE, EINVAL, "a region's padding", region[1].pad, 1),
	P(CREATE, EINVAL, "a region's reserve", region[1].reserved, 1),
	F(CREATE, EINVAL, "a name without end", long_name),
	F(CREATE, EFAULT, "no regions there", no_buffer),
	F(CREATE, ENOMEM, "over the memlock limit", no_locked_memory),
	F(CREATE, EMFILE, "no descriptor left", no_descriptor),
	F(CREATE, ENFILE, "no file left", no_file),
	F(CREATE, EINTR, "killed in the middle", NULL),
	P(MEM_READ, EINVAL, "beyond the memory", a.mem.length, 65),
	P(MEM_READ, EINVAL, "no memory there", a.mem.addr, 1ULL << 40),
	F(MEM_READ, EFAULT, "no buffer", no_buffer),
	P(MEM_WRITE, EINVAL, "beyond the memory", a.mem.length, 65),
	P(MEM_WRITE, EINVAL, "a length past 2^64", a.mem.length, -1ULL),
	F(MEM_WRITE, EFAULT, "no buffer", no_buffer),
	P(MEM_INVALIDATE, EINVAL, "beyond the memory", a.mem.length, 65),
	P(MEM_INVALIDATE, EINVAL, "with data", a.mem.data, 8),
	P(SAVE, ENOSPC, "one byte", a.state.length, 1),
	F(SAVE, EBUSY, "beside RUN", beside_run),
	F(SAVE, EBUSY, "beside MEM_READ", beside_copy),
	F(SAVE, EFAULT, "no buffer", no_buffer),
	F(SAVE, EINTR, "killed in the middle", NULL),
	F(SAVE, EFAULT, "into the machine's own mapping", own_mapping),
	P(RESTORE, EINVAL, "one byte", a.state.length, 1),
	F(RESTORE, EINVAL, "no blob", damaged),
	F(RESTORE, EINVAL, "of another machine", other_machine),
	F(RESTORE, EBUSY, "beside RUN", beside_run),
	F(RESTORE, EBUSY, "beside MEM_READ", beside_copy),
	F(RESTORE, EFAULT, "no blob there", no_buffer),
	F(RESTORE, EINTR, "killed in the middle", NULL),
	F(RESTORE, ENOMEM, "over the memlock limit", no_locked_memory),
	F(SAVE, ENOMEM, "over the memlock limit", no_locked_memory),
	F(RESTORE, EFAULT, "from the machine's own mapping", own_mapping),
	F(HASH, EBUSY, "beside RUN", beside_run),
	F(HASH, EBUSY, "beside MEM_READ", beside_copy),
	F(HASH, EINTR, "killed in the middle", NULL),
	P(RUN, EINVAL, "data without the flag", a.run.mmio_data[0], 1),
	P(RUN, EINVAL, "a vcpu without the flag", a.run.mmio_vcpu, 1),
	P(RUN, EINVAL, "an address without the flag", a.run.until, 16),
	F(RUN, EINVAL, "an address within a bundle", within_bundle),
	P(RUN, EINVAL, "breakpoints without the flag", a.run.breakpoints, 16),
	P(RUN, EINVAL, "a number of them without the flag", a.run.nr_breakpoints, 1),
	P(RUN, EINVAL, "a step's vcpu without the flag", a.run.step_vcpu, 1),
	F(RUN, EINVAL, "a breakpoint in a slot that no bundle has", slot_three),
	F(RUN, EINVAL, "a watched range without a byte", watch_nothing),
	F(RUN, EINVAL, "too many breakpoints", many_breakpoints),
	F(RUN, EINVAL, "a step with time", step_with_time),
	F(RUN, ENOENT, "a step of no vcpu", step_nobody),
	F(RUN, EFAULT, "no breakpoints there", no_breakpoints),
	F(RUN, ENOENT, "no load waits", no_load),
	F(RUN, EBUSY, "beside RUN", beside_run),
	P(VCPU, ENOENT, "one too many", a.vcpu.index, 1),
	P(VCPU, ENOENT, "the highest index", a.vcpu.index, 0xffffffff),
	F(VCPU, ENOSPC, "as many files as there may be", all_files),
	F(VCPU, EMFILE, "no descriptor left", no_descriptor),
	F(VCPU, ENFILE, "no file left", no_file),
	F(CONSOLE, EBUSY, "beside CONSOLE", beside_console),
	F(CONSOLE, EFAULT, "no buffer", no_buffer),
	F(PARAM_GET, EINVAL, "a name without end", long_name),
	F(PARAM_GET, ENOENT, "no such name", other_name),
	F(PARAM_SET, EINVAL, "a name without end", long_name),
	F(PARAM_SET, ENOENT, "no such name", other_name),
	P(PARAM_SET, EINVAL, "less than its least", a.param.value, 2),
	P(PARAM_SET, EINVAL, "more than its most", a.param.value, 1ULL << 32),
	P(PARAM_SET, EINVAL, "more than memory takes", a.param.value, 201),
	F(PARAM_SET, EPERM, "a parameter that is fixed", fixed_param),
	F(PARAM_SET, EOPNOTSUPP, "a machine without time", untimed_machine),
	F(PARAM_SET, EBUSY, "beside RUN", beside_run),
	P(GET_REGS, EINVAL, "too many", a.regs.count, 1025),
	P(GET_REGS, EINVAL, "no such class", reg[1].cls, 15),
	P(GET_REGS, EINVAL, "no such register", reg[1].index, 8),
	F(GET_REGS, EFAULT, "no registers there", no_buffer),
	P(SET_REGS, EINVAL, "too many", a.regs.count, 1025),
	P(SET_REGS, EINVAL, "no such class", reg[1].cls, 0xffffffff),
	P(SET_REGS, EINVAL, "no such register", reg[0].index, 128),
	P(SET_REGS, EINVAL, "a second word", reg[1].value[1], 1),
	P(SET_REGS, EINVAL, "more than a NaT bit", reg[0].value[1], 2),
	P(SET_REGS, EPERM, "CPUID", reg[1].cls, MONTECITO_REG_CPUID),
	P(SET_REGS, EPERM, "STACKED", reg[1].cls, MONTECITO_REG_STACKED),
	F(SET_REGS, EFAULT, "no registers there", no_buffer),
	P(IRQ, EINVAL, "vector 1", a.irq.vector, 1),
	P(IRQ, EINVAL, "vector 15", a.irq.vector, 15),
	P(IRQ, EINVAL, "vector 256", a.irq.vector, 256),
	P(TC_INSERT, EINVAL, "no such page size", a.tc_insert.itir, 15 << 2),
	P(TC_INSERT, EINVAL, "a reserved bit", a.tc_insert.pte, 0x63),
	P(TC_PURGE, EINVAL, "no such page size", a.tc_purge.ps, 15),
	F(TRANSLATE, ENOENT, "a virtual address of no page", not_translated),
	P(OBSERVER_ADD, EINVAL, "no level", a.observer_add.filter.plm, 0),
	P(OBSERVER_ADD, EINVAL, "unknown filter", a.observer_add.filter.flags, 0x80),
	P(OBSERVER_ADD, EINVAL, "threshold of 8", a.observer_add.filter.threshold, 8),
	P(OBSERVER_ADD, EINVAL, "an empty range", a.observer_add.filter.flags,
	  MONTECITO_FILTER_IAR),
	P(OBSERVER_ADD, EINVAL, "unknown scope", a.observer_add.filter.scope, 3),
	P(OBSERVER_ADD, EINVAL, "a filter's reserve", a.observer_add.filter.reserved[4], 1),
	P(OBSERVER_ADD, EINVAL, "a period and no samples", a.observer_add.period, 5),
	P(OBSERVER_ADD, EINVAL, "a table's order and no table", a.observer_add.table_order, 4),
	P(OBSERVER_ADD, EINVAL, "PMDs and no samples", a.observer_add.sample_pmds, 1 << 4),
	P(OBSERVER_ADD, EINVAL, "random intervals and no samples", a.observer_add.random_mask, 1),
	P(OBSERVER_ADD, EINVAL, "a seed and no random intervals", a.observer_add.random_seed, 1),
	P(OBSERVER_ADD, EINVAL, "nine opcode matches", a.observer_add.nr_matches, 9),
	P(OBSERVER_ADD, EFAULT, "opcode matches nowhere", a.observer_add.nr_matches, 1),
	F(OBSERVER_ADD, EINVAL, "opcode matches without the flag", matches_unasked),
	F(OBSERVER_ADD, EINVAL, "opcode matches beside one", matches_beside),
	F(OBSERVER_ADD, EINVAL, "an opcode of 42 bits", match_too_long),
	F(OBSERVER_ADD, EINVAL, "an opcode of no unit", match_of_nothing),
	F(OBSERVER_ADD, EINVAL, "a mask that reaches the period", mask_reaches),
	F(OBSERVER_ADD, EINVAL, "random intervals of 2^46", mask_too_long),
	P(OBSERVER_ADD, EINVAL, "samples and no period", a.flags, MONTECITO_OBSERVER_SAMPLE),
	P(OBSERVER_ADD, EINVAL, "samples and a table", a.flags,
	  MONTECITO_OBSERVER_SAMPLE | MONTECITO_OBSERVER_TABLE),
	P(OBSERVER_ADD, ENOENT, "no such event", a.observer_add.filter.code, 0xff),
	P(OBSERVER_ADD, ENOENT, "no such cause", a.observer_add.filter.code, 0x1fe),
	P(OBSERVER_ADD, EINVAL, "no such code", a.observer_add.filter.code, 0x200),
	P(OBSERVER_ADD, EOPNOTSUPP, "a cause without time", a.observer_add.filter.code,
	  MONTECITO_CODE_CAUSE),
	P(OBSERVER_ADD, EOPNOTSUPP, "an event that needs time", a.observer_add.filter.code,
	  EVENT_CPU_OP_CYCLES),
	P(OBSERVER_ADD, EOPNOTSUPP, "a latency", a.observer_add.filter.latency, 10),
	P(OBSERVER_ADD, EOPNOTSUPP, "of a core", a.observer_add.filter.scope, MONTECITO_SCOPE_CORE),
	F(OBSERVER_ADD, ENXIO, "samples and no ring", no_ring),
	F(OBSERVER_ADD, ENOSPC, "as many as there may be", all_observers),
	F(OBSERVER_ADD, ENOMEM, "a table over the memlock limit", big_table),
	P(OBSERVER_DEL, ENOENT, "no such observer", a.observer_del.id, 0xffffffff),
	P(OBSERVER_READ, EINVAL, "too many", a.observer_read.count, 1025),
	F(OBSERVER_READ, ENOENT, "no such observer", no_observer),
	F(OBSERVER_READ, EFAULT, "nowhere to read to", no_buffer),
	P(RING, EINVAL, "too large", a.ring.order, 11),
	P(RING, EINVAL, "a watermark beyond its half", a.ring.watermark, 2049),
	F(RING, EEXIST, "it has one", has_ring),
	F(RING, ENOMEM, "over the memlock limit", no_locked_memory),
	P(PMU_SAMPLING, EINVAL, "counter 3", a.pmu_sampling.counter, 3),
	P(PMU_SAMPLING, EINVAL, "counter 16", a.pmu_sampling.counter, 16),
	P(PMU_SAMPLING, EINVAL, "a mask of no PMDs", a.pmu_sampling.sample_pmds, 1 << 16),
	P(PMU_SAMPLING, EINVAL, "a value and no reload", a.pmu_sampling.reload, 1),
	P(PMU_SAMPLING, EINVAL, "a mask and no reload", a.pmu_sampling.reset_pmds, 1 << 4),
	F(PMU_SAMPLING, ENXIO, "the guest has its PMU", guest_has_pmu),
	P(TABLE_READ, ENOENT, "no such observer", a.table_read.id, 0xffffffff),
	F(TABLE_READ, ENXIO, "no table", no_table),
	P(TABLE_READ, ENOSPC, "no room", a.table_read.count, 0),
	F(TABLE_READ, EFAULT, "nowhere to read to", no_buffer),
	P(CYCLES, ENOSPC, "room for one", a.cycles.count, 1),
	F(CYCLES, EFAULT, "nowhere to write to", no_buffer),
	P(TRACE, EINVAL, "no such kind", a.trace.kinds, 1 << MONTECITO_NR_TRACE),
	P(TRACE, EOPNOTSUPP, "stalls without time", a.trace.kinds, 1 << MONTECITO_TRACE_STALL),
	F(TRACE, ENXIO, "no ring", nowhere_to_trace),
	F(TRACE, EEXIST, "another file traces it", traced_already),
	P(PMU_ADD, EINVAL, "no such kind", a.pmu_add.kind, 9),
	P(PMU_ADD, EINVAL, "nine reloads", a.pmu_add.nr_reload, 9),
	P(PMU_ADD, EINVAL, "PMDs and no records", a.pmu_add.sample_pmds, 1 << 4),
	P(PMU_ADD, ENOENT, "a reload of no register", a.pmu_add.reload[0].index, 18),
	P(PMU_ADD, EPERM, "a reload of one to look at", a.pmu_add.reload[0].index, 2),
	F(PMU_ADD, EOPNOTSUPP, "a reload of a unit that needs time", reloads_unit),
	P(PMU_ADD, ENXIO, "records and no ring", a.flags, MONTECITO_PMU_SAMPLE),
	F(PMU_ADD, ENOSPC, "as many as there may be", all_pmus),
	P(PMU_DEL, ENOENT, "no such PMU", a.pmu_del.id, 0xffffffff),
	P(PMU_GET_REGS, EINVAL, "too many", a.pmu_regs.count, 1025),
	P(PMU_GET_REGS, ENOENT, "no such PMU", a.pmu_regs.id, 0),
	P(PMU_GET_REGS, ENOENT, "no such register", pmu[1].index, 14),
	F(PMU_GET_REGS, EFAULT, "no registers there", no_buffer),
	P(PMU_SET_REGS, EINVAL, "too many", a.pmu_regs.count, 1025),
	F(PMU_SET_REGS, EINVAL, "an event of two counters alone", selects_by_four),
	P(PMU_SET_REGS, ENOENT, "no such PMU", a.pmu_regs.id, 0),
	P(PMU_SET_REGS, ENOENT, "no such register", pmu[1].cls, MONTECITO_REG_GR),
	F(PMU_SET_REGS, ENOENT, "no such event", selects_none),
	P(PMU_SET_REGS, EPERM, "a register to look at", pmu[0].index, 17),
	F(PMU_SET_REGS, EOPNOTSUPP, "an event of IA-32 code", selects_ia32),
	F(PMU_SET_REGS, EFAULT, "no registers there", no_buffer),
	P(PMU_DESCRIBE, EINVAL, "no such kind", a.pmu_describe.kind, 0),
	P(PMU_DESCRIBE, ENOENT, "behind the last register", a.pmu_describe.index, 99),
	P(EVENTFD, EBADF, "not open", a.eventfd.fd, 1023),
	P(EVENTFD, EINVAL, "no eventfd", a.eventfd.fd, -2),
	F(EVENTFD, EINVAL, "a file of another kind", no_eventfd),
	/* and of every command: */
	F(ALL, EINVAL, "a structure that is too short", short_size),
	F(ALL, E2BIG, "an unknown field in use", unknown_tail),
	F(ALL, E2BIG, "longer than a page", over_a_page),
	F(ALL, EINVAL, "an unknown flag", unknown_flag),
	F(ALL, EINVAL, "padding that is not zero", padding),
	F(ALL, EFAULT, "no structure", no_structure),
	F(ALL, EFAULT, "a structure that runs into a hole", into_a_hole),
	F(ALL, EBUSY, "beside HASH", beside_hash),
	F(ALL, EINTR, "killed while it waits for RUN's slice to end", beside_run),
};

/* ---- one row ---- */

static const struct command *command(const char *name)
{
	unsigned int i;

	for (i = 0; i < nr_commands; i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	bail("no command %s", name);
}

/* In a process of its own, which takes with it what it has made. */
static int try_row(const struct row *row, const struct command *k)
{
	static struct ctx c;
	bool failed;
	long ret;

	set_up(&c, k);
	if (row->defect)
		row->defect(&c, k, true);
	else
		memcpy((char *)&c + row->offset, &row->value, row->size);
	ret = row->err == EINTR ? call_killed(&c, k) : call(c.fd[k->kind], k->cmd, c.arg);
	/* Done beside it; what can be done once is done. */
	if (row->defect == beside_hash && (k->rules & LOOKS))
		return !succeeds(k, ret);
	failed = ret != -row->err;
	if (failed)
		printf("# returned %ld, %s\n", ret, strerror(ret < 0 ? -ret : 0));
	good(&c, k);
	/* In any case: some are the whole system's. */
	if (row->defect)
		row->defect(&c, k, false);
	if (failed)
		return 1;
	ret = call(c.fd[k->kind], k->cmd, c.arg);
	if (!succeeds(k, ret)) {
		printf("# with that mended it returned %ld, %s\n", ret,
		       strerror(ret < 0 ? -ret : 0));
		return 1;
	}
	return 0;
}

static int in_child(const struct row *row, const struct command *k)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		status = try_row(row, k);
		fflush(stdout);
		_exit(status);
	}
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void ioctls(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned int i, j;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *row = &rows[i];

		if (strcmp(row->name, "ALL")) {
			eq(in_child(row, command(row->name)), 0, "%s: %s: %s", row->name,
			   strerrorname_np(row->err), row->what);
			continue;
		}
		for (j = 0; j < nr_commands; j++) {
			const struct command *k = &commands[j];

			if (row->defect == padding && k->pad < 0)
				continue;
			/* Where there is one CPU, no call meets a slice that has not ended. */
			if (row->err == EINTR && (k->rules & NO_WAIT || cpus < 2))
				continue;
			eq(in_child(row, k), 0, "%s: %s: %s", k->name,
			   row->defect == beside_hash && (k->rules & LOOKS)
				   ? "none"
				   : strerrorname_np(row->err),
			   row->what);
		}
	}
}

/* A later version's structure, with nothing in its new part, which is left alone. */
static int try_longer(const struct command *k)
{
	static struct ctx c;
	unsigned int i;

	set_up(&c, k);
	c.a.size = k->size + 16;
	if (!succeeds(k, call(c.fd[k->kind], k->cmd, &c.a)) || c.a.size != k->size + 16)
		return 1;
	for (i = 0; i < 16; i++)
		if (c.a.b[k->size + i])
			return 1;
	return 0;
}

static void longer(void)
{
	unsigned int i;
	int status;
	pid_t pid;

	for (i = 0; i < nr_commands; i++) {
		fflush(stdout);
		pid = fork();
		if (!pid)
			_exit(try_longer(&commands[i]));
		waitpid(pid, &status, 0);
		eq(status, 0, "%s: a longer structure, its unknown part zero", commands[i].name);
	}
}

/* A command that another kind of file descriptor knows, and one that none does. */
static void kinds(void)
{
	int fd[NR_KINDS] = { open_device(), machine(1, 1, 0) }, kind, bad = 0;
	static struct ctx c;
	unsigned int i;

	fd[VCPU] = vcpu(fd[MACHINE], 0);
	for (i = 0; i < nr_commands; i++) {
		good(&c, &commands[i]);
		for (kind = 0; kind < NR_KINDS; kind++)
			bad += kind != commands[i].kind &&
			       call(fd[kind], commands[i].cmd, &c.a) != -ENOTTY;
	}
	eq(bad, 0, "ENOTTY: each command on the two other kinds of file");
	is(call(fd[DEVICE], 0xeaff, &c.a), -ENOTTY, "ENOTTY: an unknown command");
}

/* ---- mappings ---- */

static bool mapped(int fd, size_t length, int flags, uint64_t off)
{
	void *p = mmap(NULL, length, PROT_READ, flags, fd, off);

	if (p != MAP_FAILED)
		munmap(p, length);
	return p != MAP_FAILED;
}

static void mappings(void)
{
	int m = machine(1, 1, 0), v = vcpu(m, 0);
	struct montecito_ring r = { .size = sizeof(r) };

#define MAP(good, err, what, ...)                                                               \
	ok(!mapped(__VA_ARGS__) && errno == err && (good), "mmap: %s: %s, and mended it works", \
	   strerrorname_np(err), what)
	MAP(mapped(m, MEMORY, MAP_SHARED, 0), EINVAL, "private", m, MEMORY, MAP_PRIVATE, 0);
	MAP(mapped(m, MEMORY, MAP_SHARED, 0), EINVAL, "too long", m, MEMORY + 4096, MAP_SHARED, 0);
	MAP(mapped(m, 4096, MAP_SHARED, MEMORY - 4096), EINVAL, "no memory there", m, 4096,
	    MAP_SHARED, MEMORY);
	MAP(!call(v, MONTECITO_RING, &r) && mapped(v, 8192, MAP_SHARED, 0), ENXIO, "no ring", v,
	    8192, MAP_SHARED, 0);
	MAP(mapped(v, 8192, MAP_SHARED, 0), EINVAL, "another length than the ring's", v, 4096,
	    MAP_SHARED, 0);
	MAP(mapped(v, 8192, MAP_SHARED, 0), EINVAL, "a ring, private", v, 8192, MAP_PRIVATE, 0);
	MAP(mapped(v, 8192, MAP_SHARED, 0), EINVAL, "not from the ring's beginning", v, 8192,
	    MAP_SHARED, 4096);
	close(v);
	close(m);
}

int main(void)
{
	ioctls();
	longer();
	kinds();
	mappings();
	netlink();
	return done();
}
