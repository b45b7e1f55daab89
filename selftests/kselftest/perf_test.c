// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PMU "montecito" of the host's own perf: what its events count, exact to the unit,
 * what is refused, and who may. Counts are compared with observers of the same vcpu.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "perf_fixture.h"

/* Every row, on a machine with time, as many at a time as can be active. */
TEST_F_TIMEOUT(perf, every_row_counts_as_an_observer, 600)
{
	static uint64_t config[MAX_ROWS];
	int n = rows(config), m = timed_machine(0), v = vcpu(m, 0), i, k;

	ASSERT_LT(400, n);
	for (i = 0; i < n; i += ACTIVE) {
		int nr = n - i < ACTIVE ? n - i : ACTIVE, fd[ACTIVE];
		uint32_t id[ACTIVE];

		start(v, GUEST_SPIN);
		for (k = 0; k < nr; k++) {
			fd[k] = event(config[i + k], 0);
			ASSERT_LE(0, fd[k]);
			ASSERT_EQ(0, observe(v, config[i + k], &id[k]));
		}
		run(m, 20000, 0, NULL);
		run(m, 777, 0, NULL);
		for (k = 0; k < nr; k++) {
			struct montecito_observer_del d = { .size = sizeof(d), .id = id[k] };

			EXPECT_EQ(observed(v, id[k]), value(fd[k]))
			TH_LOG("event %#lx", (long)config[i + k]);
			call(v, MONTECITO_OBSERVER_DEL, &d);
			close(fd[k]);
		}
	}
	close(v);
	close(m);
}

TEST_F_TIMEOUT(perf, refusals, 600)
{
	static const uint64_t no_sample[] = {
		PERF_SAMPLE_READ,	   PERF_SAMPLE_CALLCHAIN,    PERF_SAMPLE_REGS_USER,
		PERF_SAMPLE_REGS_INTR,	   PERF_SAMPLE_STACK_USER,   PERF_SAMPLE_ADDR,
		PERF_SAMPLE_PHYS_ADDR,	   PERF_SAMPLE_DATA_SRC,     PERF_SAMPLE_WEIGHT,
		PERF_SAMPLE_WEIGHT_STRUCT, PERF_SAMPLE_BRANCH_STACK, PERF_SAMPLE_TRANSACTION,
	};
	struct perf_event_attr a;
	unsigned int i;
	int fd;

	EXPECT_EQ(-ENOENT, event(0xfff, 0)) TH_LOG("no such event");
	for (i = 0; i < 64; i++) {
		if (1ULL << i & 0xff7f7fffULL)
			continue;
		EXPECT_EQ(-EINVAL, event(INST | 1ULL << i, 0)) TH_LOG("config bit %u", i);
	}
	for (i = 36; i < 64; i++) {
		a = attribute(INST, 0);
		a.config1 = 1ULL << i;
		EXPECT_EQ(-EINVAL, open_event(&a, 0, -1, -1)) TH_LOG("config1 bit %u", i);
	}
	a = attribute(INST, 0);
	a.config2 = 1;
	EXPECT_EQ(-EINVAL, open_event(&a, 0, -1, -1)) TH_LOG("config2");
	EXPECT_EQ(-EINVAL, event(INST | 1 << 24, 0)) TH_LOG("a unit mask of no EAR");
	EXPECT_EQ(-EOPNOTSUPP,
		  event(MONTECITO_EVENT_CODE(MONTECITO_EVENT_CPU_OP_CYCLES_ALL) | 7 << 12, 0))
	TH_LOG("a threshold above what it adds");
	a = attribute(INST, 0);
	a.exclude_user = a.exclude_kernel = 1;
	EXPECT_EQ(-EINVAL, open_event(&a, 0, -1, -1)) TH_LOG("no level");
	for (i = 0; i < sizeof(no_sample) / sizeof(*no_sample); i++) {
		a = attribute(INST, 1000);
		a.sample_type |= no_sample[i];
		a.sample_stack_user = 1024;
		a.sample_regs_user = a.sample_regs_intr = 1;
		a.branch_sample_type = PERF_SAMPLE_BRANCH_ANY;
		EXPECT_EQ(-EOPNOTSUPP, open_event(&a, 0, -1, -1))
		TH_LOG("sample type %#lx", (long)no_sample[i]);
	}
	a = attribute(INST, 1000);
	a.sigtrap = a.remove_on_exec = 1;
	EXPECT_EQ(-EOPNOTSUPP, open_event(&a, 0, -1, -1)) TH_LOG("a signal for each sample");
	EXPECT_EQ(-EOPNOTSUPP, event(MONTECITO_EVENT_BE_EXE_BUBBLE_CANCEL, 0))
	TH_LOG("a row that is not counted");
	EXPECT_NE(0, access(PMU "/events/be_exe_bubble.cancel", F_OK));
	EXPECT_EQ(0, access(PMU "/events/be_exe_bubble.all", F_OK));
	fd = event(INST, 0);
	ASSERT_LE(0, fd);
	EXPECT_EQ(-1, syscall(__NR_delete_module, "montecito", O_NONBLOCK));
	EXPECT_EQ(EAGAIN, errno) TH_LOG("the module is in use");
	close(fd);
}

TEST_F_TIMEOUT(perf, levels_and_filters, 600)
{
	struct perf_event_attr a = attribute(INST, 0);
	int u, k, both, other, mine, vcpu1, range, plm;

	a.exclude_kernel = 1;
	u = open_event(&a, 0, -1, -1);
	a.config |= 0xf << 16;
	plm = open_event(&a, 0, -1, -1);
	a = attribute(INST, 0);
	a.exclude_user = 1;
	k = open_event(&a, 0, -1, -1);
	a = attribute(INST, 0);
	both = open_event(&a, 0, -1, -1);
	range = open_event(&a, 0, -1, -1);
	a.config1 = machine_id(self->m);
	mine = open_event(&a, 0, -1, -1);
	a.config1++;
	other = open_event(&a, 0, -1, -1);
	a.config1 = 2ULL << 32;
	vcpu1 = open_event(&a, 0, -1, -1);
	EXPECT_EQ(-1, ioctl(range, PERF_EVENT_IOC_SET_FILTER, "start 0x10000"));
	EXPECT_EQ(EOPNOTSUPP, errno);
	EXPECT_EQ(0, ioctl(range, PERF_EVENT_IOC_SET_FILTER, "filter 0x10010/0x10"));
	run(self->m, 30000, 0, NULL);
	EXPECT_EQ(30000, value(both));
	EXPECT_EQ(value(both), value(u) + value(k)) TH_LOG("%ld", (long)value(u));
	EXPECT_EQ(0, value(u));
	EXPECT_EQ(30000, value(plm)) TH_LOG("plm= goes before :u");
	EXPECT_EQ(30000, value(mine));
	EXPECT_EQ(0, value(other));
	EXPECT_EQ(0, value(vcpu1));
	EXPECT_EQ(0, value(range)) TH_LOG("the loop is one bundle");
	EXPECT_EQ(0, ioctl(range, PERF_EVENT_IOC_SET_FILTER, "filter 0x10000/0x10"));
	run(self->m, 30000, 0, NULL);
	EXPECT_EQ(30000, value(range)) TH_LOG("from the next slice on");
	EXPECT_EQ(0, ioctl(both, PERF_EVENT_IOC_RESET, 0));
	EXPECT_EQ(0, ioctl(mine, PERF_EVENT_IOC_DISABLE, 0));
	run(self->m, 3000, 0, NULL);
	EXPECT_EQ(3000, value(both));
	EXPECT_EQ(60000, value(mine));
}

/* An event that does not fit, or is not counted here, is in error and does not read 0. */
TEST_F_TIMEOUT(perf, not_counted_is_not_0, 600)
{
	struct montecito_refused refused[4] = {};
	struct montecito_machine_info info = {
		.size = sizeof(info),
		.nr_refused = 4,
		.refused = (uintptr_t)refused,
	};
	uint64_t cycles = MONTECITO_EVENT_CODE(MONTECITO_EVENT_CPU_OP_CYCLES_ALL);
	int fd[ACTIVE + 1], i, timed, filtered;

	for (i = 0; i <= ACTIVE; i++) {
		fd[i] = event(INST, 0);
		ASSERT_LE(0, fd[i]);
	}
	run(self->m, 3000, 0, NULL);
	for (i = 0; i < ACTIVE; i++)
		EXPECT_EQ(3000, value(fd[i]));
	EXPECT_EQ(NOT_COUNTED, value(fd[ACTIVE]));
	for (i = 0; i <= ACTIVE; i++)
		close(fd[i]);
	for (i = 0; i <= SAMPLERS; i++)
		fd[i] = event(INST, 1000);
	run(self->m, 3000, 0, NULL);
	for (i = 0; i < SAMPLERS; i++)
		EXPECT_EQ(3000, value(fd[i]));
	EXPECT_EQ(NOT_COUNTED, value(fd[SAMPLERS]));
	for (i = 0; i <= SAMPLERS; i++)
		close(fd[i]);

	timed = event(cycles, 0);
	filtered = event(NOPS, 0);
	fd[0] = event(INST, 0);
	ASSERT_LE(0, timed);
	run(self->m, 3000, 0, NULL);
	EXPECT_EQ(NOT_COUNTED, value(timed));
	EXPECT_NE(NOT_COUNTED, value(filtered));
	EXPECT_EQ(3000, value(fd[0]));
	ASSERT_EQ(0, call(self->m, MONTECITO_MACHINE_INFO, &info));
	EXPECT_EQ(1, info.nr_refused);
	EXPECT_EQ(cycles | 0xf << 16, refused[0].config);
	EXPECT_TRUE(strstr(refused[0].why, "timing model"));
	close(timed);
	close(filtered);
	close(fd[0]);
}

/*
 * Of two machines on one CPU the one without time refuses an event, which has not counted as
 * a whole then. One that names the other machine counts there.
 */
TEST_F_TIMEOUT(perf, one_of_several_machines_refuses, 600)
{
	struct perf_event_attr a =
		attribute(MONTECITO_EVENT_CODE(MONTECITO_EVENT_CPU_OP_CYCLES_ALL), 0);
	int m = timed_machine(0), v = vcpu(m, 0), any, named;
	struct montecito_run r;

	stay_on(0);
	start(v, GUEST_SPIN);
	any = open_event(&a, -1, 0, -1);
	a.config1 = machine_id(m);
	named = open_event(&a, -1, 0, -1);
	ASSERT_LE(0, any);
	ASSERT_LE(0, named);
	run(m, 0, 3000, &r);
	EXPECT_EQ(r.exit.cycles, value(any));
	run(self->m, 3000, 0, NULL);
	EXPECT_EQ(NOT_COUNTED, value(any));
	EXPECT_EQ(r.exit.cycles, value(named));
	close(any);
	close(named);
	close(v);
	close(m);
}

/* A row that has no name in events/, for it takes a parameter of the machine besides. */
TEST_F_TIMEOUT(perf, parameters, 600)
{
	const uint64_t castout = MONTECITO_EVENT_BUS_WR_WB_CCASTOUT_ANY;
	struct montecito_param p = { .size = sizeof(p), .name = "bus.castouts" };
	uint64_t value_of[2];
	int i, fd;

	EXPECT_NE(0, access(PMU "/events/bus_wr_wb.ccastout.any", F_OK));
	for (p.value = 0; p.value < 2; p.value++) {
		int m = timed_machine(0), v = vcpu(m, 0);

		i = p.value;
		ASSERT_EQ(0, call(m, MONTECITO_PARAM_SET, &p)) TH_LOG("%s", p.why);
		start(v, GUEST_SPIN);
		fd = event(castout, 0);
		ASSERT_LE(0, fd);
		run(m, 3000, 0, NULL);
		value_of[i] = value(fd);
		close(fd);
		close(v);
		close(m);
	}
	EXPECT_EQ(NOT_COUNTED, value_of[0]);
	EXPECT_EQ(0, value_of[1]) TH_LOG("the loop casts nothing out");
}

/* Counting does not change the guest. */
TEST_F_TIMEOUT(perf, guests_do_not_notice, 600)
{
	static uint64_t config[MAX_ROWS];
	uint64_t plain[2], counted[2];
	int n = rows(config), fd[ACTIVE], i, timed;

	for (timed = 0; timed < 2; timed++) {
		int m = timed ? timed_machine(0) : machine(1, 1, 0), v = vcpu(m, 0);

		start(v, GUEST_SPIN);
		run(m, 20000, 0, NULL);
		plain[timed] = hash(m);
		close(v);
		close(m);
	}
	for (i = 0; i < ACTIVE; i++) {
		fd[i] = event(config[i * 5 % n], i < SAMPLERS ? 11 + i : 0);
		ASSERT_LE(0, fd[i]);
	}
	for (timed = 0; timed < 2; timed++) {
		int m = timed ? timed_machine(0) : machine(1, 1, 0), v = vcpu(m, 0);
		uint32_t id;

		start(v, GUEST_SPIN);
		run(m, 20000, 0, NULL);
		counted[timed] = hash(m);
		/* Nor does the owner: all of the vcpu's own observers are still to be had. */
		for (i = 0; i < (timed ? 8 : 1024); i++)
			EXPECT_EQ(0, observer(v, INST, 0, &id));
		close(v);
		close(m);
	}
	EXPECT_EQ(plain[0], counted[0]);
	EXPECT_EQ(plain[1], counted[1]);
	for (i = 0; i < ACTIVE; i++)
		close(fd[i]);
}

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"
#define NOBODY 65534

/* Refusals to an unprivileged user, a bit each: 0 own task with :u, 1 own task, 2 a CPU, 3 root's task. */
static int nobody_gets(int paranoid, pid_t root)
{
	int status;
	pid_t pid;

	write_number(PARANOID, paranoid);
	pid = fork();
	if (!pid) {
		struct perf_event_attr a = attribute(INST, 0);
		int got = 0;

		if (setgid(NOBODY) || setuid(NOBODY))
			_exit(99);
		got |= (open_event(&a, 0, -1, -1) >= 0) << 1;
		got |= (open_event(&a, -1, 0, -1) >= 0) << 2;
		a.exclude_kernel = 1;
		got |= open_event(&a, 0, -1, -1) >= 0;
		got |= (open_event(&a, root, -1, -1) >= 0) << 3;
		_exit(got);
	}
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

TEST_F_TIMEOUT(perf, who_may, 600)
{
	long before = read_number(PARANOID);

	EXPECT_EQ(0x1, nobody_gets(2, getpid()));
	EXPECT_EQ(0x3, nobody_gets(1, getpid()));
	EXPECT_EQ(0x7, nobody_gets(0, getpid()));
	/* Debian's level 3; other kernels have no more than 2 means. */
	if (access("/etc/debian_version", R_OK) == 0 && before == 3)
		EXPECT_EQ(0, nobody_gets(3, getpid()));
	write_number(PARANOID, before);
}

TEST_HARNESS_MAIN
