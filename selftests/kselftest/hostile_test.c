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
#include "hostile.h"

/* A second, or as much longer as this kernel and processor are slower. */
static double prompt;

static __attribute__((constructor)) void calibrate(void)
{
	prompt = promptly();
}

/* The median of what another task waits for its turn after a sleep. */
#define TURN (0.1 * prompt)

FIXTURE(hostile)
{
	pid_t pid;
	int m;
	uint32_t id;
	struct genl g;
};

FIXTURE_VARIANT(hostile)
{
	const char *guest;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(hostile, rse) { "rse" };
FIXTURE_VARIANT_ADD(hostile, rse_sampled) { "rse_sampled" };
FIXTURE_VARIANT_ADD(hostile, rse_counted) { "rse_counted" };
FIXTURE_VARIANT_ADD(hostile, rse_observed) { "rse_observed" };
FIXTURE_VARIANT_ADD(hostile, far_timer_alone) { "far_timer_alone" };
FIXTURE_VARIANT_ADD(hostile, near_timer_sampled) { "near_timer_sampled" };
FIXTURE_VARIANT_ADD(hostile, purge) { "purge" };
FIXTURE_VARIANT_ADD(hostile, purge_sampled) { "purge_sampled" };
FIXTURE_VARIANT_ADD(hostile, insns_sampled) { "insns_sampled" };
FIXTURE_VARIANT_ADD(hostile, modify) { "modify" };
FIXTURE_VARIANT_ADD(hostile, fault) { "fault" };
FIXTURE_VARIANT_ADD(hostile, unmapped) { "unmapped" };
FIXTURE_VARIANT_ADD(hostile, walk) { "walk" };
FIXTURE_VARIANT_ADD(hostile, walk_sampled) { "walk_sampled" };
FIXTURE_VARIANT_ADD(hostile, timer) { "timer" };
FIXTURE_VARIANT_ADD(hostile, advanced) { "advanced" };
/* clang-format on */

FIXTURE_SETUP(hostile)
{
	long ret;

	genl_open(&self->g);
	self->m = hostile_machine(variant->guest);
	self->id = machine_id(self->m);
	self->pid = fork();
	if (!self->pid) {
		do {
			ret = run(self->m, 0, 0, NULL);
		} while (!ret);
		bail("run: %s", strerror(-ret));
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

/* None is left out. */
TEST(every_guest)
{
	static const struct __fixture_variant_metadata *v;
	int variants = 0, n = 0;

	for (v = _hostile_fixture_object.variant; v; v = v->next)
		variants++;
	while (hostile_name(n))
		n++;
	EXPECT_EQ(n, variants);
}

TEST_HARNESS_MAIN
