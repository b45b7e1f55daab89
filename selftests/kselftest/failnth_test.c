// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each call with its first, second, third... fault point failing: every
 * allocation and every access to user memory on its way (/proc/self/fail-nth),
 * until it has fewer. It fails then with an errno that says so and has changed
 * nothing (the machine's hash, the process's files and charged memory, the vcpu's
 * observers), or does its work all the same. KASAN, lockdep and kmemleak see to
 * the rest.
 *
 *	ONLY=TEXT	calls with that in their name
 *	SAMPLE=N	half of the calls, but with WHOLE: every second one from the first or
 *			the second on
 */
#include <dirent.h>
#include <fcntl.h>
#include <linux/genetlink.h>
#include <linux/montecito_netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "common.h"
#include "genl.h"
#include "perfevent.h"

#define MEMORY_SMALL (1ULL << 20)
#define POINTS_MAX 20000
#define PASSES 3

/* Objects of the calls; a call leaves in @fd or @id an object that has to go again. */
static struct {
	int dev;
	int m;
	int v;
	int efd;
	int fd;
	uint32_t id;
	uint32_t kept; /* an observer that stays */
	uint32_t pmu; /* of PMU_ADD, to be deleted; 0: none */
	uint32_t machine;
	uint32_t table; /* one that counts by instruction */
	uint64_t length;
	void *blob;
	void *map;
	size_t map_length;
	int nth; /* the fault point: what a call changes is another thing each time */
	int perf; /* an event of perf's: it counts what the next RUN does, or is in error */
	uint64_t insns; /* before that */
	struct genl genl;
	struct mnl_socket *nl;
} w;

static int fail_nth = -1;

static void arm(int nth)
{
	char text[16];
	int n = snprintf(text, sizeof(text), "%d", nth);

	if (pwrite(fail_nth, text, n, 0) != n)
		bail("fail-nth: %s", strerror(errno));
}

/* True if the fault was met. Reading and writing the file are user accesses too. */
static bool disarm(void)
{
	char text[16] = "";
	bool met = pread(fail_nth, text, sizeof(text) - 1, 0) > 0 && !atoi(text);
	int i;

	for (i = 0; i < 3; i++)
		if (pwrite(fail_nth, "0", 1, 0) == 1)
			return met;
	bail("fail-nth: %s", strerror(errno));
}

/* ---- the calls: 0 or a negative errno ---- */

static long positive(long fd)
{
	w.fd = fd;
	return fd < 0 ? fd : 0;
}

static long op_open(void)
{
	int fd = open("/dev/montecito", O_RDWR | O_CLOEXEC);

	return positive(fd < 0 ? -errno : fd);
}

static long op_info(void)
{
	struct montecito_info i = { .size = sizeof(i) };

	return call(w.dev, MONTECITO_INFO, &i);
}

static long op_create(void)
{
	return positive(create(w.dev, 1, 1, 0, MEMORY_SMALL));
}

static long op_machine_info(void)
{
	struct montecito_machine_info i = { .size = sizeof(i) };

	return call(w.m, MONTECITO_MACHINE_INFO, &i);
}

static long mem(unsigned long cmd, void *data)
{
	struct montecito_mem mem = {
		.size = sizeof(mem),
		.addr = 0x8000,
		.length = 20000,
		.data = (uintptr_t)data,
	};

	return call(w.m, cmd, &mem);
}

static long write_memory(uint64_t addr, uint64_t length, const void *data)
{
	struct montecito_mem mem = {
		.size = sizeof(mem),
		.addr = addr,
		.length = length,
		.data = (uintptr_t)data,
	};

	return call(w.m, MONTECITO_MEM_WRITE, &mem);
}

static long op_mem_read(void)
{
	return mem(MONTECITO_MEM_READ, w.blob);
}

static long op_mem_write(void)
{
	return write_memory(0x40000, 20000, (char *)w.blob + w.nth);
}

static long op_mem_invalidate(void)
{
	return mem(MONTECITO_MEM_INVALIDATE, NULL);
}

static long state(unsigned long cmd, uint64_t length)
{
	struct montecito_state s = {
		.size = sizeof(s),
		.length = length,
		.data = (uintptr_t)w.blob,
	};

	return call(w.m, cmd, &s);
}

static long op_save(void)
{
	return state(MONTECITO_SAVE, w.length);
}

static long op_save_length(void)
{
	return state(MONTECITO_SAVE, 0);
}

static long op_restore(void)
{
	return state(MONTECITO_RESTORE, w.length);
}

static long op_hash(void)
{
	struct montecito_hash h = { .size = sizeof(h) };

	return call(w.m, MONTECITO_HASH, &h);
}

static long op_vcpu(void)
{
	struct montecito_vcpu v = { .size = sizeof(v) };

	return positive(call(w.m, MONTECITO_VCPU, &v));
}

static long op_console(void)
{
	struct montecito_console c = {
		.size = sizeof(c),
		.length = 100,
		.data = (uintptr_t)w.blob,
	};

	return call(w.m, MONTECITO_CONSOLE, &c);
}

static long op_param_get(void)
{
	struct montecito_param p = { .size = sizeof(p), .flags = MONTECITO_PARAM_BY_INDEX };

	return call(w.m, MONTECITO_PARAM_GET, &p);
}

static long regs(unsigned long cmd)
{
	static struct montecito_reg reg[64];
	struct montecito_regs r = {
		.size = sizeof(r),
		.count = 64,
		.regs = (uintptr_t)reg,
	};
	int i;

	for (i = 0; i < 64; i++) {
		reg[i].cls = MONTECITO_REG_FR;
		reg[i].index = 2 + i;
		reg[i].value[0] = w.nth;
		reg[i].value[1] = 0;
	}
	return call(w.v, cmd, &r);
}

static long op_param_set(void)
{
	struct montecito_param p = { .size = sizeof(p), .name = "no such parameter" };
	long ret = call(w.m, MONTECITO_PARAM_SET, &p);

	return ret == -ENOENT ? 0 : ret;
}

static long op_get_regs(void)
{
	return regs(MONTECITO_GET_REGS);
}

static long op_set_regs(void)
{
	return regs(MONTECITO_SET_REGS);
}

static long op_pal(void)
{
	struct montecito_pal p = { .size = sizeof(p), .arg = { 20 } };

	return call(w.v, MONTECITO_PAL, &p);
}

static long op_irq(void)
{
	struct montecito_irq i = { .size = sizeof(i), .vector = 0x40 + w.nth };

	return call(w.v, MONTECITO_IRQ, &i);
}

static long op_tc_insert(void)
{
	struct montecito_tc_insert i = {
		.size = sizeof(i),
		.va = (uint64_t)w.nth << 20,
		.pte = 0x10461,
		.itir = 12 << 2,
	};

	return call(w.v, MONTECITO_TC_INSERT, &i);
}

static long op_tc_purge(void)
{
	struct montecito_tc_purge p = { .size = sizeof(p), .ps = 12, .va = 1 << 20 };

	return call(w.v, MONTECITO_TC_PURGE, &p);
}

static long add(uint32_t flags, uint32_t table_order)
{
	struct montecito_observer_add a = {
		.size = sizeof(a),
		.flags = flags,
		.period = flags ? 100 : 0,
		.table_order = table_order,
		.filter = { .code = EVENT_INST_RETIRED, .plm = 0xf },
	};
	long ret = call(w.v, MONTECITO_OBSERVER_ADD, &a);

	w.id = ret ? 0 : a.id + 1;
	return ret;
}

static long op_observer_add(void)
{
	return add(0, 0);
}

static long op_observer_add_sample(void)
{
	return add(MONTECITO_OBSERVER_SAMPLE, 0);
}

static long op_observer_add_table(void)
{
	return add(MONTECITO_OBSERVER_TABLE, 4);
}

static long op_observer_del(void)
{
	struct montecito_observer_del d = { .size = sizeof(d), .id = w.id - 1 };
	long ret = call(w.v, MONTECITO_OBSERVER_DEL, &d);

	if (!ret)
		w.id = 0;
	return ret;
}

static long op_pmu_add(void)
{
	struct montecito_pmu_add a = { .size = sizeof(a), .kind = MONTECITO_PMU_MERCED };
	long ret = call(w.v, MONTECITO_PMU_ADD, &a);

	w.pmu = ret ? 0 : a.id;
	return ret;
}

static long op_pmu_del(void)
{
	struct montecito_pmu_del d = { .size = sizeof(d), .id = w.pmu };
	long ret = call(w.v, MONTECITO_PMU_DEL, &d);

	if (!ret)
		w.pmu = 0;
	return ret;
}

static void new_pmu(void)
{
	long ret = op_pmu_add();

	if (ret)
		bail("PMU: %s", strerror(-ret));
}

static long pmu_regs(unsigned int cmd)
{
	struct montecito_pmu_reg reg[2] = {
		{ MONTECITO_REG_PMC, 4, PMC_ES(EVENT_INST_RETIRED) | PMC_PLM_ALL },
		{ MONTECITO_REG_PMD, 5, 7 },
	};
	struct montecito_pmu_regs r = {
		.size = sizeof(r), .id = w.pmu, .count = 2, .regs = (uintptr_t)reg
	};

	return call(w.v, cmd, &r);
}

static long op_pmu_get(void)
{
	return pmu_regs(MONTECITO_PMU_GET_REGS);
}

static long op_pmu_set(void)
{
	return pmu_regs(MONTECITO_PMU_SET_REGS);
}

static long op_pmu_describe(void)
{
	struct montecito_pmu_describe d = { .size = sizeof(d), .kind = MONTECITO_PMU_MERCED };

	return call(w.v, MONTECITO_PMU_DESCRIBE, &d);
}

static long table_read(uint32_t flags)
{
	struct montecito_table_entry entry[16];
	struct montecito_table_read r = {
		.size = sizeof(r),
		.flags = flags,
		.id = w.table,
		.count = 16,
		.entries = (uintptr_t)entry,
	};

	return call(w.v, MONTECITO_TABLE_READ, &r);
}

static long op_table_read(void)
{
	return table_read(0);
}

static long op_table_clear(void)
{
	return table_read(MONTECITO_TABLE_CLEAR);
}

static long op_cycles(void)
{
	static struct montecito_cause cause[64];
	struct montecito_cycles c = {
		.size = sizeof(c),
		.count = 64,
		.causes = (uintptr_t)cause,
	};

	return call(w.v, MONTECITO_CYCLES, &c);
}

static long op_observer_read(void)
{
	uint64_t count;
	struct montecito_observer_read r = {
		.size = sizeof(r),
		.count = 1,
		.ids = (uintptr_t)&w.kept,
		.counts = (uintptr_t)&count,
	};

	return call(w.v, MONTECITO_OBSERVER_READ, &r);
}

static long op_ring(void)
{
	struct montecito_ring r = { .size = sizeof(r), .order = 2 };

	return call(w.fd, MONTECITO_RING, &r);
}

static long op_eventfd(void)
{
	struct montecito_eventfd e = { .size = sizeof(e), .fd = w.efd };

	return call(w.v, MONTECITO_EVENTFD, &e);
}

static long op_pmu_sampling(void)
{
	struct montecito_pmu_sampling s = { .size = sizeof(s), .counter = 4 };

	return call(w.v, MONTECITO_PMU_SAMPLING, &s);
}

/* One that overflows: a record, a notification, an exit. */
static long op_run(void)
{
	return run(w.m, 0, 0, NULL);
}

static long op_perf_open(void)
{
	return positive(event(INST, 0));
}

static long op_perf_open_sample(void)
{
	return positive(event(INST, 100));
}

/* A slice in which the event is new: it counts, or is in error for want of memory. */
static long op_perf_run(void)
{
	return run(w.m, 30, 0, NULL);
}

static long map(int fd, size_t length, off_t offset, int prot)
{
	w.map_length = length;
	w.map = mmap(NULL, length, prot, MAP_SHARED | MAP_POPULATE, fd, offset);
	if (w.map != MAP_FAILED)
		return 0;
	w.map = NULL;
	return -errno;
}

/* The pages come as they are touched, and a table for them. */
static long op_fault(void)
{
	return madvise(w.map, w.map_length, MADV_POPULATE_WRITE) ? -errno : 0;
}

static long op_map_memory(void)
{
	return map(w.m, 65536, 0, PROT_READ | PROT_WRITE);
}

static long op_map_ring(void)
{
	return map(w.v, 2 * 4096, 0, PROT_READ | PROT_WRITE);
}

static long op_map_snapshot(void)
{
	return map(w.m, 4096, MONTECITO_MMAP_SNAPSHOT, PROT_READ);
}

/* A request; what comes of it is read later, without faults. */
static long request(uint8_t cmd, uint16_t flags, int vcpu, bool reg, bool value)
{
	struct genl_message r;
	struct nlattr *nest;

	genl_begin(&r, w.genl.family, cmd, NLM_F_ACK | flags);
	if (vcpu > -2)
		mnl_attr_put_u32(&r.h, MONTECITO_NL_A_MACHINE, w.machine);
	if (vcpu > -1)
		mnl_attr_put_u32(&r.h, MONTECITO_NL_A_VCPU, vcpu);
	if (reg) {
		nest = mnl_attr_nest_start(&r.h, MONTECITO_NL_A_REG);
		mnl_attr_put_u32(&r.h, MONTECITO_NL_REG_INDEX, 5);
		if (value)
			mnl_attr_put_u64(&r.h, MONTECITO_NL_REG_VALUE, w.nth & 0xf);
		mnl_attr_nest_end(&r.h, nest);
	}
	return mnl_socket_sendto(w.nl, &r, r.h.nlmsg_len) < 0 ? -errno : 0;
}

static long op_nl_machine(void)
{
	return request(MONTECITO_NL_CMD_MACHINE_GET, 0, -1, false, false);
}

static long op_nl_machines(void)
{
	return request(MONTECITO_NL_CMD_MACHINE_GET, NLM_F_DUMP, -2, false, false);
}

static long op_nl_vcpu(void)
{
	return request(MONTECITO_NL_CMD_VCPU_GET, 0, 0, false, false);
}

static long op_nl_vcpus(void)
{
	return request(MONTECITO_NL_CMD_VCPU_GET, NLM_F_DUMP, -1, false, false);
}

static long op_nl_pmc_get(void)
{
	return request(MONTECITO_NL_CMD_PMC_GET, 0, 0, true, false);
}

static long op_nl_pmc_set(void)
{
	return request(MONTECITO_NL_CMD_PMC_SET, 0, 0, true, true);
}

static long op_nl_pmd_get(void)
{
	return request(MONTECITO_NL_CMD_PMD_GET, 0, 0, true, false);
}

static long op_nl_pmd_set(void)
{
	return request(MONTECITO_NL_CMD_PMD_SET, 0, 0, true, true);
}

static long op_nl_pal(void)
{
	return request(MONTECITO_NL_CMD_PAL_PERF_MON_INFO_GET, 0, 0, false, false);
}

static long op_nl_cycles(void)
{
	return request(MONTECITO_NL_CMD_CYCLES_GET, 0, 0, false, false);
}

/* ---- before and after, without faults ---- */

static void new_vcpu(void)
{
	w.fd = vcpu(w.m, 0);
}

static void ready_to_overflow(void)
{
	set(w.v, MONTECITO_REG_PMD, 4, PMD_OVERFLOW - 300);
	set(w.v, MONTECITO_REG_PMC, 0, 0);
}

/* Away from what the blob holds. */
static void other_state(void)
{
	set(w.v, MONTECITO_REG_FR, 100, 0x1000 + w.nth);
}

static void new_observer(void)
{
	long ret = op_observer_add();

	if (ret)
		bail("observer: %s", strerror(-ret));
}

static void tc_for_purge(void)
{
	struct montecito_tc_insert i = {
		.size = sizeof(i),
		.va = 1 << 20,
		.pte = 0x10461,
		.itir = 12 << 2,
	};

	if (call(w.v, MONTECITO_TC_INSERT, &i))
		bail("TC_INSERT");
}

#define TABLE_SPAN (2UL << 20) /* what one page table maps, on every host */

static void new_mapping(void)
{
	static char *fresh;

	if (!fresh)
		fresh = mmap(NULL, 3 * TABLE_SPAN, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	w.map_length = 65536;
	w.map = mmap((void *)(((uintptr_t)fresh + 2 * TABLE_SPAN - 1) & -TABLE_SPAN), w.map_length,
		     PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, w.m, 0);
	if (w.map == MAP_FAILED)
		bail("mmap: %s", strerror(errno));
}

static uint64_t insns(void)
{
	return get(w.v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS);
}

static void new_event_to_count(void)
{
	w.fd = event(INST, w.nth & 1 ? 10 : 0);
	if (w.fd < 0)
		bail("event: %s", strerror(-w.fd));
	w.insns = insns();
	w.perf = w.fd;
}

static void new_socket(void)
{
	struct timeval patience = { .tv_sec = 5 };

	w.nl = mnl_socket_open(NETLINK_GENERIC);
	if (!w.nl || mnl_socket_bind(w.nl, 0, MNL_SOCKET_AUTOPID) < 0)
		bail("netlink: %s", strerror(errno));
	setsockopt(mnl_socket_get_fd(w.nl), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
}

/* Answer to a request; no answer at all is an error too. */
static long answer(long sent)
{
	static char buf[1 << 16];
	int n, more = MNL_CB_OK;

	while (!sent && more == MNL_CB_OK) {
		n = mnl_socket_recvfrom(w.nl, buf, sizeof(buf));
		more = n < 0 ? n : mnl_cb_run(buf, n, 0, 0, NULL, NULL);
		if (more < 0)
			sent = -errno;
	}
	return sent;
}

/* Effects of a call that it does not take back, and when it may have them. */
#define CHANGES 1 /* the machine, when it succeeds */
#define PARTLY 2 /* also when it fails, as its description says */
#define LAST 4 /* also when the very last point fails: its result cannot be told */
#define ANSWER 8 /* also when the answer that tells of it is lost: ENOBUFS */
#define ALLOCATES 16 /* has fault points besides those of user memory */
#define PERF 32 /* is there where the host has perf */

static const struct op {
	const char *name;
	long (*call)(void);
	int flags;
	void (*before)(void);
} ops[] = {
	{ "open", op_open, ALLOCATES, NULL },
	{ "INFO", op_info, 0, NULL },
	{ "CREATE", op_create, ALLOCATES, NULL },
	{ "MACHINE_INFO", op_machine_info, 0, NULL },
	{ "MEM_READ", op_mem_read, 0, NULL },
	{ "MEM_WRITE", op_mem_write, CHANGES | PARTLY, NULL },
	{ "MEM_INVALIDATE", op_mem_invalidate, 0, NULL },
	{ "SAVE, length", op_save_length, 0, NULL },
	{ "SAVE", op_save, ALLOCATES, NULL },
	{ "RESTORE", op_restore, CHANGES | ALLOCATES, other_state },
	{ "HASH", op_hash, 0, NULL },
	{ "VCPU", op_vcpu, ALLOCATES, NULL },
	{ "CONSOLE", op_console, ALLOCATES, NULL },
	{ "PARAM_GET", op_param_get, 0, NULL },
	{ "PARAM_SET", op_param_set, 0, NULL },
	{ "GET_REGS", op_get_regs, ALLOCATES, NULL },
	{ "SET_REGS", op_set_regs, CHANGES | LAST | ALLOCATES, NULL },
	{ "PAL", op_pal, CHANGES | LAST, NULL },
	{ "IRQ", op_irq, CHANGES, NULL },
	{ "TC_INSERT", op_tc_insert, CHANGES, NULL },
	{ "TC_PURGE", op_tc_purge, CHANGES, tc_for_purge },
	{ "OBSERVER_ADD", op_observer_add, ALLOCATES, NULL },
	{ "OBSERVER_ADD, sampling", op_observer_add_sample, ALLOCATES, NULL },
	{ "OBSERVER_ADD, table", op_observer_add_table, ALLOCATES, NULL },
	{ "OBSERVER_DEL", op_observer_del, 0, new_observer },
	{ "OBSERVER_READ", op_observer_read, ALLOCATES, NULL },
	{ "TABLE_READ", op_table_read, ALLOCATES, NULL },
	{ "TABLE_READ, clear", op_table_clear, ALLOCATES, NULL },
	{ "CYCLES", op_cycles, ALLOCATES, NULL },
	{ "PMU_ADD", op_pmu_add, ALLOCATES, NULL },
	{ "PMU_DEL", op_pmu_del, 0, new_pmu },
	{ "PMU_GET_REGS", op_pmu_get, ALLOCATES, new_pmu },
	{ "PMU_SET_REGS", op_pmu_set, ALLOCATES, new_pmu },
	{ "PMU_DESCRIBE", op_pmu_describe, 0, NULL },
	{ "RING", op_ring, ALLOCATES, new_vcpu },
	{ "EVENTFD", op_eventfd, 0, NULL },
	{ "PMU_SAMPLING", op_pmu_sampling, 0, NULL },
	{ "RUN", op_run, CHANGES | LAST, ready_to_overflow },
	{ "perf_event_open", op_perf_open, ALLOCATES | PERF, NULL },
	{ "perf_event_open, sampling", op_perf_open_sample, ALLOCATES | PERF, NULL },
	{ "RUN, counted by perf", op_perf_run, CHANGES | LAST | ALLOCATES | PERF,
	  new_event_to_count },
	{ "mmap, memory", op_map_memory, ALLOCATES, NULL },
	{ "mmap, ring", op_map_ring, ALLOCATES, NULL },
	{ "mmap, snapshot", op_map_snapshot, ALLOCATES, NULL },
	{ "fault in the mapping", op_fault, ALLOCATES, new_mapping },
	{ "netlink machine-get", op_nl_machine, ALLOCATES, new_socket },
	{ "netlink machine-get, dump", op_nl_machines, ALLOCATES, new_socket },
	{ "netlink vcpu-get", op_nl_vcpu, ALLOCATES, new_socket },
	{ "netlink vcpu-get, dump", op_nl_vcpus, ALLOCATES, new_socket },
	{ "netlink pmc-get", op_nl_pmc_get, ALLOCATES, new_socket },
	{ "netlink pmc-set", op_nl_pmc_set, CHANGES | ANSWER | ALLOCATES, new_socket },
	{ "netlink pmd-get", op_nl_pmd_get, ALLOCATES, new_socket },
	{ "netlink pmd-set", op_nl_pmd_set, CHANGES | ANSWER | ALLOCATES, new_socket },
	{ "netlink pal-perf-mon-info-get", op_nl_pal, ALLOCATES, new_socket },
	{ "netlink cycles-get", op_nl_cycles, ALLOCATES, new_socket },
};

/* State that a refused call, and one that succeeds and is undone, must not change. */
struct world {
	uint64_t hash;
	uint64_t pinned; /* kB charged to this process */
	uint32_t files;
	uint32_t observer; /* number of the next one */
};

static uint64_t pinned(void)
{
	char line[128];
	unsigned long long kb = 0;
	FILE *f = fopen("/proc/self/status", "r");

	if (!f)
		bail("/proc/self/status: %s", strerror(errno));
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "VmPin: %llu", &kb) == 1)
			break;
	fclose(f);
	return kb;
}

static uint32_t files(void)
{
	DIR *d = opendir("/proc/self/fd");
	uint32_t n = 0;

	if (!d)
		bail("/proc/self/fd: %s", strerror(errno));
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static struct world look(void)
{
	struct montecito_observer_del d = { .size = sizeof(d) };
	struct world world = { .hash = hash(w.m), .pinned = pinned(), .files = files() };

	if (observer(w.v, EVENT_INST_RETIRED, 0, &world.observer))
		bail("observer");
	d.id = world.observer;
	if (call(w.v, MONTECITO_OBSERVER_DEL, &d))
		bail("an observer that was added is not there");
	return world;
}

static void undo(void)
{
	long ret = w.id ? op_observer_del() : 0;
	uint64_t n = w.perf ? value(w.perf) : NOT_COUNTED;

	if (n != NOT_COUNTED && n != insns() - w.insns)
		bail("perf's event counted %llu of %llu", (unsigned long long)n,
		     (unsigned long long)(insns() - w.insns));
	w.perf = 0;

	if (ret)
		bail("an observer that was added is not there: %s", strerror(-ret));
	if (w.pmu && op_pmu_del())
		bail("a PMU that was added is not there");
	if (w.fd >= 0)
		close(w.fd);
	if (w.map)
		munmap(w.map, w.map_length);
	if (w.nl)
		mnl_socket_close(w.nl);
	w.fd = -1;
	w.map = NULL;
	w.nl = NULL;
}

/* True if @ret may report an injected fault. */
static bool fair(long ret)
{
	return ret == -ENOMEM || ret == -EFAULT || ret == -ENOBUFS;
}

/* NULL, or what of @now should be as it was. */
static const char *different(const struct world *was, const struct world *now, bool hash)
{
	if (hash && now->hash != was->hash)
		return "the hash";
	if (now->pinned != was->pinned)
		return "the charge";
	if (now->files != was->files)
		return "the number of files";
	if (now->observer != was->observer)
		return "the observers";
	return NULL;
}

/* Outcomes of the calls with a fault, in all passes. */
struct tally {
	int points;
	int memory;
	int access;
	int late; /* the last point of a pass, refused when the work was done */
};

/* One after the other, until there are fewer; false if one has told of it. */
static bool pass(const struct op *op, struct tally *n)
{
	struct world was, now = look();
	const char *what;
	bool met, keeps;
	long ret;
	int nth;

	for (nth = 1; nth <= POINTS_MAX; nth++) {
		was = now;
		w.nth = nth;
		if (op->before) {
			op->before();
			was.hash = hash(w.m);
		}
		arm(nth);
		ret = op->call();
		met = disarm();
		if (w.nl)
			ret = answer(ret);
		undo();
		now = look();
		keeps = ret ? !(op->flags & PARTLY) : !(op->flags & CHANGES);
		if (op->flags & ANSWER && ret == -ENOBUFS)
			keeps = false;
		if (op->flags & LAST && ret == -EFAULT && now.hash != was.hash) {
			n->late++;
			keeps = false;
		}
		what = different(&was, &now, keeps);
		if (what || (ret && !(met && fair(ret)))) {
			ok(false, "%s: fault point %d: %s; changed: %s", op->name, nth,
			   ret ? strerror(-ret) : "success", what ?: "nothing");
			return false;
		}
		if (!met)
			return true;
		n->points++;
		n->memory += ret == -ENOMEM || ret == -ENOBUFS;
		n->access += ret == -EFAULT;
	}
	ok(false, "%s: %d fault points and no end", op->name, POINTS_MAX);
	return false;
}

/*
 * Whether an allocation needs another one differs from call to call: not every pass meets
 * all points, and one may meet the last point twice. Two different ones where the work is
 * done and refused would come to two in each pass.
 */
static void every_point(const struct op *op)
{
	struct tally n = {};
	int i;

	for (i = 0; i < PASSES; i++)
		if (!pass(op, &n))
			return;
	ok(n.points && n.late < 2 * PASSES && (n.points > n.access || !(op->flags & ALLOCATES)),
	   "%s: %d fault points; refused for memory %d, for an access %d, done all the same %d",
	   op->name, n.points, n.memory, n.access, n.points - n.memory - n.access);
}

static void write_file(const char *dir, const char *name, const char *text)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "/sys/kernel/debug/%s/%s", dir, name);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		bail("%s: %s", path, strerror(errno));
	close(fd);
}

/* Notifications cost memory only where a socket has joined the group. */
static void listen_to_all(void)
{
	if (mnl_socket_setsockopt(w.genl.nl, NETLINK_ADD_MEMBERSHIP, &w.genl.group,
				  sizeof(w.genl.group)) < 0)
		bail("group: %s", strerror(errno));
}

int main(void)
{
	struct montecito_machine_info info = { .size = sizeof(info) };
	struct montecito_ring ring = { .size = sizeof(ring) };
	const char *only = getenv("ONLY");
	const char *whole = getenv("WHOLE");
	uint64_t sample = number_of("SAMPLE", 0);
	unsigned int i;

	write_file("failslab", "ignore-gfp-wait", "N");
	write_file("failslab", "verbose", "0");
	write_file("fail_page_alloc", "ignore-gfp-wait", "N");
	write_file("fail_page_alloc", "ignore-gfp-highmem", "N");
	write_file("fail_page_alloc", "min-order", "0");
	write_file("fail_page_alloc", "verbose", "0");
	write_file("fail_usercopy", "verbose", "0");
	fail_nth = open("/proc/self/fail-nth", O_RDWR);
	if (fail_nth < 0)
		bail("fail-nth: %s", strerror(errno));

	w.fd = -1;
	w.dev = open_device();
	w.m = create(w.dev, 1, 1, MONTECITO_CFG_HOST_PMU, MEMORY_SMALL);
	if (w.m < 0)
		bail("create: %s", strerror(-w.m));
	w.v = vcpu(w.m, 0);
	w.efd = eventfd(0, EFD_NONBLOCK);
	start(w.v, GUEST_SPIN);
	if (call(w.m, MONTECITO_MACHINE_INFO, &info) || call(w.v, MONTECITO_RING, &ring) ||
	    observer(w.v, EVENT_INST_RETIRED, 0, &w.kept) || add(MONTECITO_OBSERVER_TABLE, 4))
		bail("machine");
	w.table = w.id - 1;
	w.id = 0;
	w.machine = info.id;
	w.length = info.state_length;
	w.blob = malloc(w.length);
	memset(w.blob, 0, w.length);
	if (write_memory(GUEST_BASE, guest_image_end - guest_image, guest_image))
		bail("load");
	set(w.v, MONTECITO_REG_PMC, 4, PMC_ES(EVENT_INST_RETIRED) | PMC_PLM_ALL | PMC_OI);
	set(w.v, MONTECITO_REG_CR, 73, 0x40);
	set(w.v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR,
	    get(w.v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR) | PSR_UP);
	genl_open(&w.genl);
	listen_to_all();
	if (state(MONTECITO_SAVE, w.length))
		bail("save");

	for (i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		if ((ops[i].flags & PERF) && !has_perf())
			continue;
		if (sample && !(whole && *whole) && (sample + i) % 2)
			continue;
		if (strstr(ops[i].name, only ?: ""))
			every_point(&ops[i]);
	}
	return done();
}
