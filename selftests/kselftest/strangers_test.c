// SPDX-License-Identifier: GPL-2.0-only
/*
 * No user waits for another one: while one user's machine runs, is hashed, or is being
 * saved or restored for as long as that user likes, generic netlink and other machines
 * answer all other users at once.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/genetlink.h>
#include <linux/montecito_netlink.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"
#include "genl.h"

/* A gigabyte would take too long to make under an emulator. */
#define MUCH (128ULL << 20)
#define ROUNDS 20

static struct genl g;
static double limit;

/* The slowest answer to @fn, and whether each was what it has to be. */
struct asked {
	double slowest;
	int wrong;
};

static void get_family(struct asked *a)
{
	struct genl_message r;
	double t = now();

	genl_begin(&r, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 0);
	mnl_attr_put_strz(&r.h, CTRL_ATTR_FAMILY_NAME, "nlctrl");
	a->wrong += genl_talk(&g, &r) != 1;
	t = now() - t;
	a->slowest = t > a->slowest ? t : a->slowest;
}

static void get_vcpu(struct asked *a, uint32_t id)
{
	struct genl_message r;
	double t = now();

	genl_begin(&r, g.family, MONTECITO_NL_CMD_VCPU_GET, 0);
	mnl_attr_put_u32(&r.h, MONTECITO_NL_A_MACHINE, id);
	mnl_attr_put_u32(&r.h, MONTECITO_NL_A_VCPU, 0);
	a->wrong += genl_talk(&g, &r) != 1;
	t = now() - t;
	a->slowest = t > a->slowest ? t : a->slowest;
}

static void set_pmd(struct asked *a, uint32_t id, int want)
{
	struct genl_message r;
	struct nlattr *nest;
	double t = now();
	int ret;

	genl_begin(&r, g.family, MONTECITO_NL_CMD_PMD_SET, 0);
	mnl_attr_put_u32(&r.h, MONTECITO_NL_A_MACHINE, id);
	mnl_attr_put_u32(&r.h, MONTECITO_NL_A_VCPU, 0);
	nest = mnl_attr_nest_start(&r.h, MONTECITO_NL_A_REG);
	mnl_attr_put_u32(&r.h, MONTECITO_NL_REG_INDEX, 15);
	mnl_attr_put_u64(&r.h, MONTECITO_NL_REG_VALUE, 9);
	mnl_attr_nest_end(&r.h, nest);
	ret = genl_talk(&g, &r);
	/* A machine that is busy says so; the stranger's own may not be. */
	a->wrong += ret != want && !(want && !ret);
	t = now() - t;
	a->slowest = t > a->slowest ? t : a->slowest;
}

/* Ask all of them, while @pid does @what to machine @m. */
static void judge(const char *what, pid_t pid, int m, int mine)
{
	struct asked family = { 0 }, own = { 0 }, other = { 0 }, run_it = { 0 };
	uint32_t id = machine_id(m), my_id = machine_id(mine);
	int i, status;
	double t;

	for (i = 0; i < ROUNDS; i++) {
		get_family(&family);
		get_vcpu(&own, id);
		get_vcpu(&other, my_id);
		set_pmd(&other, my_id, 0);
		set_pmd(&own, id, -EAGAIN);
		t = now();
		run_it.wrong += run(mine, 300, 0, NULL) != 0;
		t = now() - t;
		run_it.slowest = t > run_it.slowest ? t : run_it.slowest;
		usleep(10000);
	}
	ok(!family.wrong && family.slowest < limit, "%s: CTRL_GETFAMILY in %.0f ms", what,
	   family.slowest * 1000);
	ok(!own.wrong && own.slowest < limit, "%s: that machine's vcpu in %.0f ms", what,
	   own.slowest * 1000);
	ok(!other.wrong && other.slowest < limit, "%s: another machine, read and set, in %.0f ms",
	   what, other.slowest * 1000);
	ok(!run_it.wrong && run_it.slowest < limit, "%s: another machine runs, in %.0f ms", what,
	   run_it.slowest * 1000);
	is(waitpid(pid, &status, WNOHANG), 0, "%s: all that beside it", what);
	t = now();
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	ok(now() - t < limit, "%s: killed in %.0f ms", what, (now() - t) * 1000);
}

static void beside(const char *what, unsigned long cmd, bool blocked)
{
	union {
		struct montecito_state state;
		struct montecito_hash hash;
		struct montecito_run run;
	} u = { .run = { 0 } };
	int dev = open_device(), m = create(dev, 1, 1, 0, MUCH), mine = machine(1, 1, 0), v, w;
	pid_t pid;

	if (m < 0)
		bail("create: %s", strerror(-m));
	v = vcpu(m, 0);
	start(v, 0x10000);
	w = vcpu(mine, 0);
	start(w, GUEST_SPIN);
	switch (cmd) {
	case MONTECITO_HASH:
		u.hash.size = sizeof(u.hash);
		break;
	case MONTECITO_RUN:
		u.run.size = sizeof(u.run);
		break;
	default:
		u.state.size = sizeof(u.state);
		if (call(m, MONTECITO_SAVE, &u))
			bail("length");
	}
	pid = fork();
	if (!pid) {
		if (blocked)
			u.state.data = (uintptr_t)blocking_page(NULL);
		else if (cmd == MONTECITO_SAVE || cmd == MONTECITO_RESTORE)
			u.state.data = (uintptr_t)malloc(u.state.length);
		if (cmd == MONTECITO_RESTORE && !blocked)
			call(m, MONTECITO_SAVE, &u);
		for (;;)
			call(m, cmd, &u);
	}
	usleep(200000);
	judge(what, pid, m, mine);
	close(v);
	close(w);
	close(m);
	close(mine);
	close(dev);
}

int main(void)
{
	limit = patience();
	genl_open(&g);
	beside("RUN", MONTECITO_RUN, false);
	beside("HASH", MONTECITO_HASH, false);
	beside("SAVE", MONTECITO_SAVE, false);
	beside("RESTORE", MONTECITO_RESTORE, false);
	beside("SAVE that blocks", MONTECITO_SAVE, true);
	beside("RESTORE that blocks", MONTECITO_RESTORE, true);
	genl_close(&g);
	return done();
}
