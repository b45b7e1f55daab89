// SPDX-License-Identifier: GPL-2.0-only
/* Every errno of Documentation/netlink.rst, row by row. */
#define _GNU_SOURCE
#include <linux/genetlink.h>
#include <linux/montecito_netlink.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"
#include "errnos.h"
#include "genl.h"

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
	HASHING,
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
	N(PMC_SET, EAGAIN, "beside HASH", HASHING),
	N(PMD_GET, EINVAL, "no register", NO_REG),
	N(PMD_GET, EINVAL, "no such register", OTHER_REG),
	N(PMD_GET, ENOENT, "no such vcpu", OTHER_VCPU),
	N(PMD_GET, EPERM, "another user's machine", OTHER_USER),
	N(PMD_SET, EINVAL, "no such register", OTHER_REG),
	N(PMD_SET, EINVAL, "a register without value", NO_VALUE),
	N(PMD_SET, ENOENT, "no such vcpu", OTHER_VCPU),
	N(PMD_SET, EPERM, "without CAP_SYS_ADMIN", NO_ADMIN),
	N(PMD_SET, EAGAIN, "beside HASH", HASHING),
	N(PAL_PERF_MON_INFO_GET, EINVAL, "vcpu missing", NO_VCPU),
	N(PAL_PERF_MON_INFO_GET, ENOENT, "no such vcpu", OTHER_VCPU),
	N(PAL_PERF_MON_INFO_GET, EPERM, "another user's machine", OTHER_USER),
	N(CYCLES_GET, EINVAL, "machine missing", NO_MACHINE),
	N(CYCLES_GET, EINVAL, "vcpu missing", NO_VCPU),
	N(CYCLES_GET, ENOENT, "no such machine", OTHER_MACHINE),
	N(CYCLES_GET, ENOENT, "no such vcpu", OTHER_VCPU),
	N(CYCLES_GET, EPERM, "another user's machine", OTHER_USER),
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
	if (row->wrong == HASHING)
		beside(&c, MONTECITO_HASH, true);
	ret = ask(&g, row, id, row->wrong);
	if (ret != -row->err) {
		printf("# returned %d, %s\n", ret, strerror(ret < 0 ? -ret : 0));
		return 1;
	}
	if (row->wrong == OTHER_USER && seteuid(0))
		return 2;
	if (row->wrong == NO_ADMIN)
		be_admin(true);
	if (row->wrong == HASHING)
		beside(&c, MONTECITO_HASH, false);
	ret = ask(&g, row, id, NOTHING);
	if (ret < 0) {
		printf("# with that mended it returned %d, %s\n", ret, strerror(-ret));
		return 1;
	}
	return 0;
}

void netlink(void)
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
