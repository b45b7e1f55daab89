// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every errno that uapi/linux/montecito.h and Documentation/netlink.rst name, row by
 * row. A row makes one thing wrong with a call that is good otherwise; it passes if
 * the call fails as documented and succeeds with that one thing mended. Each row has
 * a process, a machine and a vcpu of its own. check_errnos.py compares the rows
 * with the documents.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/genetlink.h>
#include <linux/montecito_netlink.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"
#include "genl.h"

enum { DEVICE, MACHINE, VCPU, NR_KINDS };

#define CONSOLE_ADDR 0x80000000ff000000ULL /* uncacheable, in physical mode */
#define NOBODY 65534

/* A call in the making: the argument, and what it points to. */
struct ctx {
	union {
		unsigned char b[8192];
		struct {
			uint32_t size;
			uint32_t flags;
		};
		struct montecito_info info;
		struct montecito_create create;
		struct montecito_machine_info machine_info;
		struct montecito_mem mem;
		struct montecito_state state;
		struct montecito_hash hash;
		struct montecito_run run;
		struct montecito_vcpu vcpu;
		struct montecito_console console;
		struct montecito_param param;
		struct montecito_regs regs;
		struct montecito_pal pal;
		struct montecito_irq irq;
		struct montecito_tc_insert tc_insert;
		struct montecito_tc_purge tc_purge;
		struct montecito_observer_add observer_add;
		struct montecito_observer_del observer_del;
		struct montecito_observer_read observer_read;
		struct montecito_ring ring;
		struct montecito_eventfd eventfd;
		struct montecito_pmu_sampling pmu_sampling;
		struct montecito_table_read table_read;
	} a;
	struct montecito_region region[2];
	struct montecito_reg reg[2];
	uint32_t id[2];
	uint64_t count[2];
	struct montecito_table_entry entry[8];
	int fd[NR_KINDS];
	int efd;
	void *blob;
	uint64_t length;
	void *arg; /* what is passed: &a, unless a row says otherwise */
	pid_t helper; /* a process that is in the way */
	void *page; /* that blocks who touches it */
	struct rlimit old;
};

struct command {
	const char *name;
	unsigned int cmd;
	int kind;
	uint32_t size;
	uint32_t flags; /* that it knows */
	int pad; /* offset of its padding, or -1 */
	bool looks; /* only at what cannot change: SAVE does not keep it out */
};

static const struct command commands[] = {
#define C(name, kind, type, flags, pad, looks)                                        \
	{                                                                             \
#name, MONTECITO_##name, kind, sizeof(struct type), flags, pad, looks \
	}
#define PAD(type, field) offsetof(struct type, field)
	C(INFO, DEVICE, montecito_info, 0, -1, true),
	C(CREATE, DEVICE, montecito_create, 0, PAD(montecito_create, pad), true),
	C(MACHINE_INFO, MACHINE, montecito_machine_info, 0, PAD(montecito_machine_info, pad), true),
	C(MEM_READ, MACHINE, montecito_mem, 0, -1, false),
	C(MEM_WRITE, MACHINE, montecito_mem, 0, -1, false),
	C(MEM_INVALIDATE, MACHINE, montecito_mem, 0, PAD(montecito_mem, data), false),
	C(SAVE, MACHINE, montecito_state, 0, -1, false),
	C(RESTORE, MACHINE, montecito_state, 0, -1, false),
	C(HASH, MACHINE, montecito_hash, 0, -1, false),
	C(RUN, MACHINE, montecito_run, MONTECITO_RUN_MMIO_DATA, PAD(montecito_run, mmio_vcpu),
	  false),
	C(VCPU, MACHINE, montecito_vcpu, 0, PAD(montecito_vcpu, pad), true),
	C(CONSOLE, MACHINE, montecito_console, 0, -1, false),
	C(PARAM_GET, MACHINE, montecito_param, MONTECITO_PARAM_BY_INDEX, PAD(montecito_param, pad),
	  true),
	C(PARAM_SET, MACHINE, montecito_param, 0, PAD(montecito_param, pad), true),
	C(GET_REGS, VCPU, montecito_regs, 0, -1, false),
	C(SET_REGS, VCPU, montecito_regs, 0, -1, false),
	C(PAL, VCPU, montecito_pal, 0, -1, false),
	C(IRQ, VCPU, montecito_irq, 0, PAD(montecito_irq, pad), false),
	C(TC_INSERT, VCPU, montecito_tc_insert, MONTECITO_TC_INSN, -1, false),
	C(TC_PURGE, VCPU, montecito_tc_purge, 0, PAD(montecito_tc_purge, pad), false),
	C(OBSERVER_ADD, VCPU, montecito_observer_add,
	  MONTECITO_OBSERVER_SAMPLE | MONTECITO_OBSERVER_TABLE | MONTECITO_OBSERVER_CALLCHAIN,
	  PAD(montecito_observer_add, filter.pad), false),
	C(OBSERVER_DEL, VCPU, montecito_observer_del, 0, PAD(montecito_observer_del, pad), true),
	C(OBSERVER_READ, VCPU, montecito_observer_read, 0, -1, false),
	C(RING, VCPU, montecito_ring, 0, -1, true),
	C(EVENTFD, VCPU, montecito_eventfd, 0, PAD(montecito_eventfd, pad), true),
	C(PMU_SAMPLING, VCPU, montecito_pmu_sampling, MONTECITO_PMU_RELOAD,
	  PAD(montecito_pmu_sampling, pad), false),
	C(TABLE_READ, VCPU, montecito_table_read, MONTECITO_TABLE_CLEAR, -1, false),
};

#define NR_COMMANDS (sizeof(commands) / sizeof(commands[0]))

/* ---- the good call ---- */

static void must(long ret, const char *what)
{
	if (ret < 0) {
		fprintf(stderr, "# %s: %s\n", what, strerror(-ret));
		_exit(2);
	}
}

static void observe(struct ctx *c, uint32_t flags)
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

/* What the command needs to be there, once. */
static void prepare(struct ctx *c, const struct command *k)
{
	struct montecito_state s = { .size = sizeof(s) };
	struct montecito_run r;

	switch (k->cmd) {
	case MONTECITO_SAVE:
	case MONTECITO_RESTORE:
		must(call(c->fd[MACHINE], MONTECITO_SAVE, &s), "length");
		c->length = s.length;
		c->blob = malloc(s.length);
		s.data = (uintptr_t)c->blob;
		must(call(c->fd[MACHINE], MONTECITO_SAVE, &s), "save");
		break;
	case MONTECITO_CONSOLE:
		set(c->fd[VCPU], MONTECITO_REG_GR, 9, CONSOLE_ADDR);
		start(c->fd[VCPU], GUEST_CONSOLE);
		must(run(c->fd[MACHINE], 1, 0, &r), "console");
		start(c->fd[VCPU], GUEST_SPIN);
		break;
	case MONTECITO_OBSERVER_DEL:
	case MONTECITO_OBSERVER_READ:
		observe(c, 0);
		break;
	case MONTECITO_TABLE_READ:
		observe(c, MONTECITO_OBSERVER_TABLE);
		must(run(c->fd[MACHINE], 3000, 0, &r), "run");
		break;
	}
}

static void good(struct ctx *c, const struct command *k)
{
	memset(&c->a, 0, sizeof(c->a));
	c->arg = &c->a;
	c->a.size = k->size;
	c->region[0] = (struct montecito_region){ .length = 1 << 20 };
	c->region[1] = (struct montecito_region){ .addr = 1 << 20, .length = 1 << 20 };
	memset(c->reg, 0, sizeof(c->reg));
	c->reg[1].cls = MONTECITO_REG_BR;
	switch (k->cmd) {
	case MONTECITO_CREATE:
		c->a.create.cores = 1;
		c->a.create.threads = 1;
		c->a.create.nr_regions = 2;
		c->a.create.regions = (uintptr_t)c->region;
		break;
	case MONTECITO_MACHINE_INFO:
		c->a.machine_info.nr_regions = 2;
		c->a.machine_info.regions = (uintptr_t)c->region;
		break;
	case MONTECITO_MEM_READ:
	case MONTECITO_MEM_WRITE:
		c->a.mem.addr = MEMORY - 64;
		c->a.mem.length = 64;
		c->a.mem.data = (uintptr_t)c->entry;
		break;
	case MONTECITO_MEM_INVALIDATE:
		c->a.mem.addr = MEMORY - 64;
		c->a.mem.length = 64;
		break;
	case MONTECITO_SAVE:
	case MONTECITO_RESTORE:
		c->a.state.length = c->length;
		c->a.state.data = (uintptr_t)c->blob;
		break;
	case MONTECITO_RUN:
		c->a.run.insns = 1;
		break;
	case MONTECITO_CONSOLE:
		c->a.console.length = 8;
		c->a.console.data = (uintptr_t)c->count;
		break;
	case MONTECITO_PARAM_GET:
	case MONTECITO_PARAM_SET:
		strcpy(c->a.param.name, "tlb.tc");
		break;
	case MONTECITO_GET_REGS:
	case MONTECITO_SET_REGS:
		/* r2 and b0 */
		c->reg[0].index = 2;
		c->a.regs.count = 2;
		c->a.regs.regs = (uintptr_t)c->reg;
		break;
	case MONTECITO_IRQ:
		c->a.irq.vector = 0x42;
		break;
	case MONTECITO_TC_INSERT:
		c->a.tc_insert.pte = 0x61; /* present, accessed, dirty */
		c->a.tc_insert.itir = 12 << 2;
		break;
	case MONTECITO_TC_PURGE:
		c->a.tc_purge.ps = 12;
		break;
	case MONTECITO_OBSERVER_ADD:
		c->a.observer_add.filter.code = EVENT_INST_RETIRED;
		c->a.observer_add.filter.plm = 0xf;
		break;
	case MONTECITO_OBSERVER_DEL:
		c->a.observer_del.id = c->id[0];
		break;
	case MONTECITO_OBSERVER_READ:
		c->a.observer_read.count = 2;
		c->a.observer_read.ids = (uintptr_t)c->id;
		c->a.observer_read.counts = (uintptr_t)c->count;
		break;
	case MONTECITO_PMU_SAMPLING:
		c->a.pmu_sampling.counter = 4;
		break;
	case MONTECITO_EVENTFD:
		c->a.eventfd.fd = c->efd;
		break;
	case MONTECITO_TABLE_READ:
		c->a.table_read.id = c->id[0];
		c->a.table_read.count = 8;
		c->a.table_read.entries = (uintptr_t)c->entry;
		break;
	}
}

/* ---- what can be wrong ---- */

/*
 * A defect is put in place before the call and, if it is none of the argument,
 * taken away again: @there says which.
 */
typedef void (*defect_fn)(struct ctx *c, const struct command *k, bool there);

static void short_size(struct ctx *c, const struct command *k, bool there)
{
	if (there)
		c->a.size = k->size - 1;
}

static void unknown_tail(struct ctx *c, const struct command *k, bool there)
{
	if (!there)
		return;
	c->a.size = k->size + 8;
	c->a.b[k->size + 7] = 1;
}

static void over_a_page(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	if (there)
		c->a.size = 4097;
}

static void unknown_flag(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	if (there)
		c->a.flags |= 0x80000000;
}

static void padding(struct ctx *c, const struct command *k, bool there)
{
	if (there)
		c->a.b[k->pad] = 1;
}

static void no_structure(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	if (there)
		c->arg = NULL;
}

/* A structure that ends where readable memory ends, and one byte later. */
static void into_a_hole(struct ctx *c, const struct command *k, bool there)
{
	unsigned char *map;

	if (!there)
		return;
	map = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(map + 4096, 4096);
	c->arg = map + 4096 - k->size + 1;
	memcpy(c->arg, &c->a, k->size - 1);
}

static void no_buffer(struct ctx *c, const struct command *k, bool there)
{
	if (!there)
		return;
	switch (k->cmd) {
	case MONTECITO_CREATE:
		c->a.create.regions = 8;
		break;
	case MONTECITO_MACHINE_INFO:
		c->a.machine_info.regions = 8;
		break;
	case MONTECITO_MEM_READ:
	case MONTECITO_MEM_WRITE:
		c->a.mem.data = 8;
		break;
	case MONTECITO_SAVE:
	case MONTECITO_RESTORE:
		c->a.state.data = 8;
		break;
	case MONTECITO_CONSOLE:
		c->a.console.data = 8;
		break;
	case MONTECITO_GET_REGS:
	case MONTECITO_SET_REGS:
		c->a.regs.regs = 8;
		break;
	case MONTECITO_OBSERVER_READ:
		c->a.observer_read.counts = 8;
		break;
	case MONTECITO_TABLE_READ:
		c->a.table_read.entries = 8;
		break;
	}
}

/* Another process that does @cmd with this machine and does not come back from it. */
static void beside(struct ctx *c, unsigned int cmd, bool there)
{
	struct montecito_hash h = { .size = sizeof(h) };

	if (!there) {
		kill(c->helper, SIGKILL);
		waitpid(c->helper, NULL, 0);
		return;
	}
	c->helper = fork();
	if (!c->helper) {
		union {
			struct montecito_state state;
			struct montecito_mem mem;
			struct montecito_console console;
			struct montecito_run run;
		} u = { .state = { .size = sizeof(u.state) } };
		int m = c->fd[MACHINE];

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		switch (cmd) {
		case MONTECITO_SAVE:
			call(m, MONTECITO_SAVE, &u);
			u.state.data = (uintptr_t)blocking_page();
			break;
		case MONTECITO_MEM_READ:
			u.mem = (struct montecito_mem){ sizeof(u.mem), 0, 0, 64,
							(uintptr_t)blocking_page() };
			break;
		case MONTECITO_CONSOLE:
			u.console = (struct montecito_console){ sizeof(u.console), 0, 1,
								(uintptr_t)blocking_page() };
			break;
		case MONTECITO_RUN:
			u.run = (struct montecito_run){ .size = sizeof(u.run) };
			break;
		}
		/* The one that looks whether it is there may be in its way. */
		while (call(m, cmd, &u) == -EBUSY)
			;
		_exit(0);
	}
	while (call(c->fd[MACHINE], MONTECITO_HASH, &h) != -EBUSY)
		usleep(1000);
}

static void beside_save(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	beside(c, MONTECITO_SAVE, there);
}

static void beside_run(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	beside(c, MONTECITO_RUN, there);
}

static void beside_copy(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	beside(c, MONTECITO_MEM_READ, there);
}

static void beside_console(struct ctx *c, const struct command *k, bool there)
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

static void no_descriptor(struct ctx *c, const struct command *k, bool there)
{
	int next = dup(0);

	(void)k;
	close(next);
	limit(c, RLIMIT_NOFILE, next, there);
}

/* Root may always open files, and lock memory: a row that is about limits is nobody's. */
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

/* CAP_SYS_ADMIN in the effective set or not; it stays permitted. */
static void be_admin(bool admin)
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

/* The system has no file left, but for CAP_SYS_ADMIN. */
static void no_file(struct ctx *c, const struct command *k, bool there)
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

static void no_locked_memory(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	drop(c);
	limit(c, RLIMIT_MEMLOCK, 4096, there);
}

static void own_mapping(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	if (!there)
		return;
	c->a.state.data = (uintptr_t)mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED,
					  c->fd[MACHINE], 0);
}

static void long_name(struct ctx *c, const struct command *k, bool there)
{
	if (there)
		memset(k->cmd == MONTECITO_CREATE ? c->a.create.name : c->a.param.name, 'x',
		       MONTECITO_NAME_LEN);
}

static void other_name(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	if (there)
		strcpy(c->a.param.name, "no.such");
}

/* Data for a load that nothing waits for. */
static void no_load(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	if (there)
		c->a.flags |= MONTECITO_RUN_MMIO_DATA;
}

static void all_files(struct ctx *c, const struct command *k, bool there)
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

static void all_observers(struct ctx *c, const struct command *k, bool there)
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

static void no_ring(struct ctx *c, const struct command *k, bool there)
{
	struct montecito_ring r = { .size = sizeof(r) };

	(void)k;
	if (!there)
		must(call(c->fd[VCPU], MONTECITO_RING, &r), "ring");
	c->a.flags = MONTECITO_OBSERVER_SAMPLE;
	c->a.observer_add.period = 5;
}

static void big_table(struct ctx *c, const struct command *k, bool there)
{
	no_locked_memory(c, k, there);
	c->a.flags = MONTECITO_OBSERVER_TABLE;
	c->a.observer_add.period = 5;
	c->a.observer_add.table_order = 10;
}

static void has_ring(struct ctx *c, const struct command *k, bool there)
{
	struct montecito_ring r = { .size = sizeof(r) };

	(void)k;
	if (there) {
		must(call(c->fd[VCPU], MONTECITO_RING, &r), "ring");
	} else {
		/* It stays with its file: a new one has none. */
		close(c->fd[VCPU]);
		c->fd[VCPU] = vcpu(c->fd[MACHINE], 0);
	}
}

static void guest_has_pmu(struct ctx *c, const struct command *k, bool there)
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

static void no_table(struct ctx *c, const struct command *k, bool there)
{
	uint32_t mine = c->id[0];

	(void)k;
	if (!there)
		return;
	observe(c, 0);
	c->a.table_read.id = c->id[0];
	c->id[0] = mine;
}

static void other_machine(struct ctx *c, const struct command *k, bool there)
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

static void damaged(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	(void)there;
	((unsigned char *)c->blob)[0] ^= 1;
}

static void no_observer(struct ctx *c, const struct command *k, bool there)
{
	static uint32_t none[2] = { -1, -1 };

	(void)k;
	if (there)
		c->a.observer_read.ids = (uintptr_t)none;
}

static void no_eventfd(struct ctx *c, const struct command *k, bool there)
{
	(void)k;
	if (there)
		c->a.eventfd.fd = c->fd[DEVICE];
}

/* ---- the rows ---- */

struct row {
	const char *name;
	int err;
	const char *what;
	defect_fn defect; /* or a field: */
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
	P(CREATE, EOPNOTSUPP, "timing", a.create.timing, MONTECITO_TIMING_ON),
	F(CREATE, EFAULT, "no regions there", no_buffer),
	F(CREATE, ENOMEM, "over the memlock limit", no_locked_memory),
	F(CREATE, EMFILE, "no descriptor left", no_descriptor),
	F(CREATE, ENFILE, "no file left", no_file),
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
	F(SAVE, EFAULT, "into the machine's own mapping", own_mapping),
	P(RESTORE, EINVAL, "one byte", a.state.length, 1),
	F(RESTORE, EINVAL, "no blob", damaged),
	F(RESTORE, EINVAL, "of another machine", other_machine),
	F(RESTORE, EBUSY, "beside RUN", beside_run),
	F(RESTORE, EBUSY, "beside MEM_READ", beside_copy),
	F(RESTORE, EFAULT, "no blob there", no_buffer),
	F(RESTORE, ENOMEM, "over the memlock limit", no_locked_memory),
	F(HASH, EBUSY, "beside RUN", beside_run),
	F(HASH, EBUSY, "beside MEM_READ", beside_copy),
	P(RUN, EINVAL, "data without the flag", a.run.mmio_data[0], 1),
	P(RUN, EINVAL, "a vcpu without the flag", a.run.mmio_vcpu, 1),
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
	/* No parameter can be set: nothing mends it. */
	F(PARAM_SET, EPERM, "a parameter that is fixed", NULL),
	P(GET_REGS, EINVAL, "too many", a.regs.count, 1025),
	P(GET_REGS, EINVAL, "no such class", reg[1].cls, 14),
	P(GET_REGS, EINVAL, "no such register", reg[1].index, 8),
	F(GET_REGS, EFAULT, "no registers there", no_buffer),
	P(SET_REGS, EINVAL, "too many", a.regs.count, 1025),
	P(SET_REGS, EINVAL, "no such class", reg[1].cls, 0xffffffff),
	P(SET_REGS, EINVAL, "no such register", reg[0].index, 128),
	P(SET_REGS, EINVAL, "a second word", reg[1].value[1], 1),
	P(SET_REGS, EINVAL, "more than a NaT bit", reg[0].value[1], 2),
	P(SET_REGS, EPERM, "CPUID", reg[1].cls, MONTECITO_REG_CPUID),
	F(SET_REGS, EFAULT, "no registers there", no_buffer),
	P(IRQ, EINVAL, "vector 1", a.irq.vector, 1),
	P(IRQ, EINVAL, "vector 15", a.irq.vector, 15),
	P(IRQ, EINVAL, "vector 256", a.irq.vector, 256),
	P(TC_INSERT, EINVAL, "no such page size", a.tc_insert.itir, 15 << 2),
	P(TC_INSERT, EINVAL, "a reserved bit", a.tc_insert.pte, 0x63),
	P(TC_PURGE, EINVAL, "no such page size", a.tc_purge.ps, 15),
	P(OBSERVER_ADD, EINVAL, "no level", a.observer_add.filter.plm, 0),
	P(OBSERVER_ADD, EINVAL, "unknown filter", a.observer_add.filter.flags, 0x80),
	P(OBSERVER_ADD, EINVAL, "threshold of 8", a.observer_add.filter.threshold, 8),
	P(OBSERVER_ADD, EINVAL, "an empty range", a.observer_add.filter.flags,
	  MONTECITO_FILTER_IAR),
	P(OBSERVER_ADD, EINVAL, "unknown scope", a.observer_add.filter.scope, 3),
	P(OBSERVER_ADD, EINVAL, "a filter's reserve", a.observer_add.filter.reserved[5], 1),
	P(OBSERVER_ADD, EINVAL, "a period and no samples", a.observer_add.period, 5),
	P(OBSERVER_ADD, EINVAL, "a table's order and no table", a.observer_add.table_order, 4),
	P(OBSERVER_ADD, EINVAL, "PMDs and no samples", a.observer_add.sample_pmds, 1 << 4),
	P(OBSERVER_ADD, EINVAL, "samples and no period", a.flags, MONTECITO_OBSERVER_SAMPLE),
	P(OBSERVER_ADD, EINVAL, "samples and a table", a.flags,
	  MONTECITO_OBSERVER_SAMPLE | MONTECITO_OBSERVER_TABLE),
	P(OBSERVER_ADD, ENOENT, "no such event", a.observer_add.filter.code, 0xff),
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
	F(ALL, EBUSY, "beside SAVE", beside_save),
};

/* ---- one row ---- */

static const struct command *command(const char *name)
{
	unsigned int i;

	for (i = 0; i < NR_COMMANDS; i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	bail("no command %s", name);
}

static bool succeeds(const struct command *k, long ret)
{
	return k->cmd == MONTECITO_PARAM_SET ? ret == -EPERM : ret >= 0;
}

/* In a process of its own, which takes with it what it has made. */
static int try_row(const struct row *row, const struct command *k)
{
	static struct ctx c;
	bool failed;
	long ret;

	c.fd[DEVICE] = open_device();
	c.fd[MACHINE] = machine(1, 1, MONTECITO_CFG_HOST_PMU);
	c.fd[VCPU] = vcpu(c.fd[MACHINE], 0);
	c.efd = eventfd(0, 0);
	start(c.fd[VCPU], GUEST_SPIN);
	prepare(&c, k);
	good(&c, k);
	if (row->defect)
		row->defect(&c, k, true);
	else
		memcpy((char *)&c + row->offset, &row->value, row->size);
	ret = call(c.fd[k->kind], k->cmd, c.arg);
	/* Done beside it; what can be done once is done. */
	if (row->defect == beside_save && k->looks)
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
	unsigned int i, j;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *row = &rows[i];

		if (strcmp(row->name, "ALL")) {
			eq(in_child(row, command(row->name)), 0, "%s: %s: %s", row->name,
			   strerrorname_np(row->err), row->what);
			continue;
		}
		for (j = 0; j < NR_COMMANDS; j++) {
			const struct command *k = &commands[j];

			if (row->defect == padding && k->pad < 0)
				continue;
			eq(in_child(row, k), 0, "%s: %s: %s", k->name,
			   row->defect == beside_save && k->looks ? "none"
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

	c.fd[DEVICE] = open_device();
	c.fd[MACHINE] = machine(1, 1, MONTECITO_CFG_HOST_PMU);
	c.fd[VCPU] = vcpu(c.fd[MACHINE], 0);
	c.efd = eventfd(0, 0);
	start(c.fd[VCPU], GUEST_SPIN);
	prepare(&c, k);
	good(&c, k);
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

	for (i = 0; i < NR_COMMANDS; i++) {
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
	for (i = 0; i < NR_COMMANDS; i++) {
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

/* ---- generic netlink ---- */

enum wrong {
	NOTHING,
	NO_MACHINE,
	OTHER_MACHINE,
	NO_VCPU,
	OTHER_VCPU,
	NO_REG,
	OTHER_REG,
	MANY_REGS,
	NO_INDEX,
	NO_VALUE,
	A_VALUE,
	LENGTH,
	UNKNOWN_ATTR,
	A_VCPU,
	OTHER_COMMAND,
	OTHER_USER,
	NO_ADMIN,
	SAVING,
};

struct genl_row {
	const char *name;
	int err;
	const char *what;
	uint8_t cmd;
	uint16_t flags;
	enum wrong wrong;
};

#define N(name, err, what, wrong)                                   \
	{                                                           \
#name, err, what, MONTECITO_NL_CMD_##name, 0, wrong \
	}
#define D(name, err, what, wrong)                                            \
	{                                                                    \
#name, err, what, MONTECITO_NL_CMD_##name, NLM_F_DUMP, wrong \
	}

static const struct genl_row genl_rows[] = {
	N(MACHINE_GET, EINVAL, "machine missing", NO_MACHINE),
	N(MACHINE_GET, EINVAL, "an attribute that it does not take", A_VCPU),
	N(MACHINE_GET, EINVAL, "an attribute of the wrong length", LENGTH),
	N(MACHINE_GET, ENOENT, "no such machine", OTHER_MACHINE),
	N(MACHINE_GET, EPERM, "another user's machine", OTHER_USER),
	N(MACHINE_GET, EOPNOTSUPP, "no such command", OTHER_COMMAND),
	D(MACHINE_GET, ENOENT, "a list of no such machine", OTHER_MACHINE),
	D(MACHINE_GET, EPERM, "a list of another user's machine", OTHER_USER),
	N(VCPU_GET, EINVAL, "machine missing", NO_MACHINE),
	N(VCPU_GET, EINVAL, "vcpu missing", NO_VCPU),
	N(VCPU_GET, EINVAL, "unknown attribute", UNKNOWN_ATTR),
	N(VCPU_GET, ENOENT, "no such machine", OTHER_MACHINE),
	N(VCPU_GET, ENOENT, "no such vcpu", OTHER_VCPU),
	N(VCPU_GET, EPERM, "another user's machine", OTHER_USER),
	D(VCPU_GET, EINVAL, "a vcpu in a list", A_VCPU),
	D(VCPU_GET, ENOENT, "a list of no such machine", OTHER_MACHINE),
	D(VCPU_GET, EPERM, "a list of another user's machine", OTHER_USER),
	N(PMC_GET, EINVAL, "no register", NO_REG),
	N(PMC_GET, EINVAL, "no such register", OTHER_REG),
	N(PMC_GET, EINVAL, "257 registers", MANY_REGS),
	N(PMC_GET, EINVAL, "a register without index", NO_INDEX),
	N(PMC_GET, EINVAL, "a register with a value", A_VALUE),
	N(PMC_GET, ENOENT, "no such vcpu", OTHER_VCPU),
	N(PMC_GET, EPERM, "another user's machine", OTHER_USER),
	N(PMC_SET, EINVAL, "no register", NO_REG),
	N(PMC_SET, EINVAL, "no such register", OTHER_REG),
	N(PMC_SET, EINVAL, "257 registers", MANY_REGS),
	N(PMC_SET, EINVAL, "a register without index", NO_INDEX),
	N(PMC_SET, EINVAL, "a register without value", NO_VALUE),
	N(PMC_SET, ENOENT, "no such machine", OTHER_MACHINE),
	N(PMC_SET, EPERM, "another user's machine", OTHER_USER),
	N(PMC_SET, EPERM, "without CAP_SYS_ADMIN", NO_ADMIN),
	N(PMC_SET, EAGAIN, "beside SAVE", SAVING),
	N(PMD_GET, EINVAL, "no register", NO_REG),
	N(PMD_GET, EINVAL, "no such register", OTHER_REG),
	N(PMD_GET, ENOENT, "no such vcpu", OTHER_VCPU),
	N(PMD_GET, EPERM, "another user's machine", OTHER_USER),
	N(PMD_SET, EINVAL, "no such register", OTHER_REG),
	N(PMD_SET, EINVAL, "a register without value", NO_VALUE),
	N(PMD_SET, ENOENT, "no such vcpu", OTHER_VCPU),
	N(PMD_SET, EPERM, "without CAP_SYS_ADMIN", NO_ADMIN),
	N(PMD_SET, EAGAIN, "beside SAVE", SAVING),
	N(PAL_PERF_MON_INFO_GET, EINVAL, "vcpu missing", NO_VCPU),
	N(PAL_PERF_MON_INFO_GET, ENOENT, "no such vcpu", OTHER_VCPU),
	N(PAL_PERF_MON_INFO_GET, EPERM, "another user's machine", OTHER_USER),
};

static void put_regs(struct genl_message *r, bool set_them, enum wrong wrong)
{
	uint32_t i, n = wrong == NO_REG ? 0 : wrong == MANY_REGS ? 257 : 256;

	for (i = 0; i < n; i++) {
		uint32_t index = wrong == OTHER_REG && i == 255 ? 256 : i ? 4 + i % 4 : 4;
		struct nlattr *nest = mnl_attr_nest_start(&r->h, MONTECITO_NL_A_REG);

		if (wrong != NO_INDEX || i != 255)
			mnl_attr_put_u32(&r->h, MONTECITO_NL_REG_INDEX, index);
		if (set_them ? wrong != NO_VALUE || i != 255 : wrong == A_VALUE)
			mnl_attr_put_u64(&r->h, MONTECITO_NL_REG_VALUE, 0);
		mnl_attr_nest_end(&r->h, nest);
	}
}

static int ask(struct genl *g, const struct genl_row *row, uint32_t id, enum wrong wrong)
{
	bool sets = row->cmd == MONTECITO_NL_CMD_PMC_SET || row->cmd == MONTECITO_NL_CMD_PMD_SET;
	bool vcpu = row->cmd != MONTECITO_NL_CMD_MACHINE_GET && !row->flags;
	static struct genl_message r;

	genl_begin(&r, g->family, wrong == OTHER_COMMAND ? MONTECITO_NL_CMD_OVERFLOW_NTF : row->cmd,
		   row->flags);
	if (wrong == LENGTH)
		mnl_attr_put_u8(&r.h, MONTECITO_NL_A_MACHINE, id);
	else if (wrong != NO_MACHINE)
		mnl_attr_put_u32(&r.h, MONTECITO_NL_A_MACHINE,
				 wrong == OTHER_MACHINE ? id + 1000 : id);
	if ((vcpu && wrong != NO_VCPU) || wrong == A_VCPU)
		mnl_attr_put_u32(&r.h, MONTECITO_NL_A_VCPU, wrong == OTHER_VCPU);
	if (wrong == UNKNOWN_ATTR)
		mnl_attr_put_u32(&r.h, MONTECITO_NL_A_MAX + 1, 0);
	if (sets || row->cmd == MONTECITO_NL_CMD_PMC_GET || row->cmd == MONTECITO_NL_CMD_PMD_GET)
		put_regs(&r, sets, wrong);
	return genl_talk(g, &r);
}

static int try_genl(const struct genl_row *row)
{
	static struct ctx c;
	struct genl g;
	uint32_t id;
	int ret;

	c.fd[MACHINE] = machine(1, 1, 0);
	id = machine_id(c.fd[MACHINE]);
	genl_open(&g);
	if (row->wrong == OTHER_USER && seteuid(NOBODY))
		return 2;
	if (row->wrong == NO_ADMIN)
		be_admin(false);
	if (row->wrong == SAVING)
		beside(&c, MONTECITO_SAVE, true);
	ret = ask(&g, row, id, row->wrong);
	if (ret != -row->err) {
		printf("# returned %d, %s\n", ret, strerror(ret < 0 ? -ret : 0));
		return 1;
	}
	if (row->wrong == OTHER_USER && seteuid(0))
		return 2;
	if (row->wrong == NO_ADMIN)
		be_admin(true);
	if (row->wrong == SAVING)
		beside(&c, MONTECITO_SAVE, false);
	ret = ask(&g, row, id, NOTHING);
	if (ret < 0) {
		printf("# with that mended it returned %d, %s\n", ret, strerror(-ret));
		return 1;
	}
	return 0;
}

static void netlink(void)
{
	unsigned int i;
	int status;
	pid_t pid;

	for (i = 0; i < sizeof(genl_rows) / sizeof(genl_rows[0]); i++) {
		const struct genl_row *row = &genl_rows[i];

		fflush(stdout);
		pid = fork();
		if (!pid) {
			status = try_genl(row);
			fflush(stdout);
			_exit(status);
		}
		waitpid(pid, &status, 0);
		eq(status, 0, "netlink %s%s: %s: %s", row->name, row->flags ? ", dump" : "",
		   strerrorname_np(row->err), row->what);
	}
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
