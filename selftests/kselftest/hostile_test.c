// SPDX-License-Identifier: GPL-2.0-only
/*
 * Guests, and callers with as many observers as they may have, that want to keep
 * the CPU. While each runs: it dies of SIGKILL within a second; no slice does more
 * work than INFO says; another task is let run; nobody's generic netlink waits, this
 * machine's readers neither.
 */
#include <linux/genetlink.h>
#include <linux/montecito_netlink.h>
#include <signal.h>

#include "kselftest_harness.h"

#include "common.h"
#include "genl.h"

/*
 * A second, where user code runs as fast as the processor does. An emulated one
 * executes the module's code several times as slowly as well, and then a slice, which
 * is counted in work, takes as many times as long.
 */
static double prompt;

static __attribute__((constructor)) void calibrate(void)
{
	prompt = promptly();
}

/* The median of what another task waits for its turn after a sleep. */
#define TURN (0.1 * prompt)

#define PSR_DT_IT_RT (1ULL << 17 | 1ULL << 36 | 1ULL << 27)
#define AR_RSC 16
#define AR_BSPSTORE 18
#define CR_ITM 1
#define CR_IVA 2
#define CR_PTA 8
#define CR_ITV 72
#define ITV_MASKED_NOT 0x40
#define EVENT_RSE_REFERENCES 0x20
#define UMASK_RSE_ALL 3
#define PTE_RW 0x461ULL /* present, accessed, dirty, write-back, level 0 */
#define VHPT 0x100000ULL
#define VHPT_VA 0x40000000ULL
#define FRAME 0x200000ULL
#define BREAK_VECTOR 0x2c00

enum { SAMPLE_NOTHING, SAMPLE_INSNS, SAMPLE_RSE, COUNT_RSE, ALL_RSE };

static void must(long ret, const char *what)
{
	if (ret)
		bail("%s: %s", what, strerror(-ret));
}

static void write_memory(int m, uint64_t addr, const void *data, uint64_t length)
{
	struct montecito_mem mem = {
		.size = sizeof(mem),
		.addr = addr,
		.length = length,
		.data = (uintptr_t)data,
	};

	must(call(m, MONTECITO_MEM_WRITE, &mem), "memory");
}

static void rse(int m, int v)
{
	(void)m;
	must(set(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_CFM, 0), "cfm");
	/* rsc.loadrs: all 96 registers and the NaT collections between them */
	must(set(v, MONTECITO_REG_AR, AR_RSC, (96 * 8 + 16) << 16), "rsc");
	must(set(v, MONTECITO_REG_AR, AR_BSPSTORE, 0x80000 + 512 * 8), "bspstore");
}

static void far_timer(int m, int v)
{
	rse(m, v);
	must(set(v, MONTECITO_REG_CR, CR_ITV, ITV_MASKED_NOT), "itv");
	must(set(v, MONTECITO_REG_CR, CR_ITM, 1ULL << 62), "itm");
	must(set(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_HALTED, 1), "halted");
}

static void near_timer(int m, int v)
{
	far_timer(m, v);
	must(set(v, MONTECITO_REG_CR, CR_ITM, 5ULL << 20), "itm");
}

static void purge(int m, int v)
{
	(void)m;
	must(set(v, MONTECITO_REG_GR, 2, 0x4000), "r2");
	must(set(v, MONTECITO_REG_GR, 3, 12 << 2), "r3");
}

static void modify(int m, int v)
{
	(void)m;
	must(set(v, MONTECITO_REG_GR, 9, HOSTILE_MODIFY), "r9");
}

static void fault(int m, int v)
{
	write_memory(m, 0x100000 + BREAK_VECTOR, hostile_image + 0x400, 16);
	must(set(v, MONTECITO_REG_CR, CR_IVA, 0x100000), "iva");
}

/* Instructions translated by a VHPT that is itself not mapped, and so are the vectors. */
static void unmapped(int m, int v)
{
	(void)m;
	must(set(v, MONTECITO_REG_RR, 0, 12 << 2 | 1), "rr0");
	must(set(v, MONTECITO_REG_CR, CR_PTA, VHPT_VA | 16 << 2 | 1), "pta");
	must(set(v, MONTECITO_REG_CR, CR_IVA, 0x300000), "iva");
	must(set(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR,
		 get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR) | PSR_DT_IT_RT | PSR_IC),
	     "psr");
}

static void walk(int m, int v)
{
	uint64_t ptes[512];
	int i;

	for (i = 0; i < 512; i++)
		ptes[i] = FRAME | PTE_RW;
	for (i = 0; i < 16; i++)
		write_memory(m, VHPT + i * sizeof(ptes), ptes, sizeof(ptes));
	must(set(v, MONTECITO_REG_RR, 0, 12 << 2 | 1), "rr0");
	must(set(v, MONTECITO_REG_CR, CR_PTA, VHPT_VA | 16 << 2 | 1), "pta");
	must(set(v, MONTECITO_REG_GR, 2, 0), "r2");
	must(set(v, MONTECITO_REG_GR, 4, 4096), "r4");
	must(set(v, MONTECITO_REG_GR, 5, 0x1ffffff), "r5");
	must(set(v, MONTECITO_REG_GR, 20, VHPT_VA), "r20");
	must(set(v, MONTECITO_REG_GR, 21, 16 << 2), "r21");
	must(set(v, MONTECITO_REG_GR, 22, 0), "r22");
	must(set(v, MONTECITO_REG_GR, 23, VHPT | PTE_RW), "r23");
}

static void timer(int m, int v)
{
	(void)m;
	must(set(v, MONTECITO_REG_GR, 9, 10), "r9");
	must(set(v, MONTECITO_REG_CR, CR_ITV, ITV_MASKED_NOT), "itv");
}

static void advanced(int m, int v)
{
	(void)m;
	must(set(v, MONTECITO_REG_GR, 2, 0x3000), "r2");
	must(set(v, MONTECITO_REG_GR, 9, 0x3000), "r9");
}

static void nothing(int m, int v)
{
	(void)m;
	(void)v;
}

FIXTURE(hostile)
{
	pid_t pid;
	int m;
	uint32_t id;
	struct genl g;
};

FIXTURE_VARIANT(hostile)
{
	uint64_t entry;
	void (*prepare)(int m, int v);
	int sample;
	int cores;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(hostile, rse) { HOSTILE_RSE, rse, SAMPLE_NOTHING, 2 };
FIXTURE_VARIANT_ADD(hostile, rse_sampled) { HOSTILE_RSE, rse, SAMPLE_RSE, 1 };
FIXTURE_VARIANT_ADD(hostile, rse_counted) { HOSTILE_RSE, rse, COUNT_RSE, 1 };
FIXTURE_VARIANT_ADD(hostile, rse_observed) { HOSTILE_RSE, rse, ALL_RSE, 1 };
FIXTURE_VARIANT_ADD(hostile, far_timer_alone) { HOSTILE_RSE, far_timer, SAMPLE_NOTHING, 2 };
FIXTURE_VARIANT_ADD(hostile, near_timer_sampled) { HOSTILE_RSE, near_timer, SAMPLE_RSE, 1 };
FIXTURE_VARIANT_ADD(hostile, purge) { HOSTILE_PURGE, purge, SAMPLE_NOTHING, 2 };
FIXTURE_VARIANT_ADD(hostile, purge_sampled) { HOSTILE_PURGE, purge, SAMPLE_INSNS, 2 };
FIXTURE_VARIANT_ADD(hostile, insns_sampled) { HOSTILE_SPIN, nothing, SAMPLE_INSNS, 2 };
FIXTURE_VARIANT_ADD(hostile, modify) { HOSTILE_MODIFY, modify, SAMPLE_NOTHING, 2 };
FIXTURE_VARIANT_ADD(hostile, fault) { HOSTILE_FAULT, fault, SAMPLE_NOTHING, 2 };
FIXTURE_VARIANT_ADD(hostile, unmapped) { HOSTILE_SPIN, unmapped, SAMPLE_NOTHING, 2 };
FIXTURE_VARIANT_ADD(hostile, walk) { HOSTILE_WALK, walk, SAMPLE_NOTHING, 2 };
FIXTURE_VARIANT_ADD(hostile, walk_sampled) { HOSTILE_WALK, walk, SAMPLE_INSNS, 1 };
FIXTURE_VARIANT_ADD(hostile, timer) { HOSTILE_TIMER, timer, SAMPLE_NOTHING, 2 };
FIXTURE_VARIANT_ADD(hostile, advanced) { HOSTILE_ADVANCED, advanced, SAMPLE_NOTHING, 2 };
/* clang-format on */

/* As many observers as there may be. */
static void fill(int v, struct montecito_observer_add *a)
{
	long ret;

	do {
		ret = call(v, MONTECITO_OBSERVER_ADD, a);
	} while (!ret);
	if (ret != -ENOSPC)
		bail("observer: %s (%s)", strerror(-ret), a->why);
}

/*
 * With period 1 and a ring that is never read, and counting ones, with a filter: to
 * be looked at in each occurrence.
 */
static void sample(int v, int what)
{
	struct montecito_observer_add a = {
		.size = sizeof(a),
		.filter = {
			.code = what == SAMPLE_INSNS ? EVENT_INST_RETIRED : EVENT_RSE_REFERENCES,
			.umask = what == SAMPLE_INSNS ? 0 : UMASK_RSE_ALL,
			.plm = 0xf,
			.flags = MONTECITO_FILTER_IAR,
			.iar_hi = -1ULL,
		},
	};
	struct montecito_ring ring = { .size = sizeof(ring) };

	if (what == SAMPLE_NOTHING)
		return;
	if (what != COUNT_RSE) {
		must(call(v, MONTECITO_RING, &ring), "ring");
		a.flags = MONTECITO_OBSERVER_SAMPLE;
		a.period = 1;
		fill(v, &a);
	}
	if (what == COUNT_RSE || what == ALL_RSE) {
		a.flags = 0;
		a.period = 0;
		fill(v, &a);
	}
}

FIXTURE_SETUP(hostile)
{
	int i;

	genl_open(&self->g);
	self->m = machine(variant->cores, variant->cores, 0);
	self->id = machine_id(self->m);
	write_memory(self->m, HOSTILE_BASE, hostile_image, hostile_image_end - hostile_image);
	for (i = 0; i < variant->cores * variant->cores; i++) {
		int v = vcpu(self->m, i);

		start(v, variant->entry);
		variant->prepare(self->m, v);
		if (!i)
			sample(v, variant->sample);
	}
	self->pid = fork();
	if (!self->pid) {
		for (;;)
			must(run(self->m, 0, 0, NULL), "run");
	}
	usleep(300000);
}

/* The most work of any slice: no more than there may be, and not next to none. */
static void bounded(struct __test_metadata *_metadata, int m)
{
	struct montecito_machine_info i = { .size = sizeof(i) };
	struct montecito_info limit = { .size = sizeof(limit) };
	int dev = open_device();

	EXPECT_EQ(0, call(dev, MONTECITO_INFO, &limit));
	EXPECT_EQ(0, call(m, MONTECITO_MACHINE_INFO, &i));
	EXPECT_LE(i.work, limit.work);
	EXPECT_GT(i.work, limit.work / 32);
	TH_LOG("work of a slice: %llu of %llu", (unsigned long long)i.work,
	       (unsigned long long)limit.work);
	close(dev);
}

FIXTURE_TEARDOWN(hostile)
{
	int status;
	double t;

	bounded(_metadata, self->m);
	/* It is still at it: what was seen was seen beside it. */
	EXPECT_EQ(0, waitpid(self->pid, &status, WNOHANG));
	t = now();
	kill(self->pid, SIGKILL);
	EXPECT_EQ(self->pid, waitpid(self->pid, &status, 0));
	t = now() - t;
	EXPECT_LT(t, prompt);
	TH_LOG("killed in %.0f ms of %.0f", t * 1000, prompt * 1000);
	bounded(_metadata, self->m);
	genl_close(&self->g);
	close(self->m);
}

static int by_value(const void *a, const void *b)
{
	double d = *(const double *)a - *(const double *)b;

	return (d > 0) - (d < 0);
}

/* Another task. */
TEST_F_TIMEOUT(hostile, others_run, 120)
{
	double late[50];
	int i;

	for (i = 0; i < 50; i++) {
		double t = now();

		usleep(1000);
		late[i] = now() - t - 0.001;
	}
	qsort(late, i, sizeof(late[0]), by_value);
	EXPECT_LT(late[25], TURN);
	EXPECT_LT(late[49], prompt);
}

/* Anybody's generic netlink, and this machine's. */
TEST_F_TIMEOUT(hostile, netlink_answers, 120)
{
	struct genl_message r;
	double t;
	int i;

	for (i = 0; i < 5; i++) {
		t = now();
		genl_begin(&r, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 0);
		mnl_attr_put_strz(&r.h, CTRL_ATTR_FAMILY_NAME, "nlctrl");
		EXPECT_EQ(1, genl_talk(&self->g, &r));
		EXPECT_LT(now() - t, prompt);
		t = now();
		genl_begin(&r, self->g.family, MONTECITO_NL_CMD_VCPU_GET, 0);
		mnl_attr_put_u32(&r.h, MONTECITO_NL_A_MACHINE, self->id);
		mnl_attr_put_u32(&r.h, MONTECITO_NL_A_VCPU, 0);
		EXPECT_EQ(1, genl_talk(&self->g, &r));
		EXPECT_LT(now() - t, prompt);
		t = now();
		genl_begin(&r, self->g.family, MONTECITO_NL_CMD_MACHINE_GET, NLM_F_DUMP);
		EXPECT_GE(genl_talk(&self->g, &r), 1);
		EXPECT_LT(now() - t, prompt);
	}
}

TEST_HARNESS_MAIN
