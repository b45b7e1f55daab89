// SPDX-License-Identifier: GPL-2.0-only
/*
 * Generic netlink: lists, registers, PAL, refusals with their messages,
 * notifications, and who may see what.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <libmnl/libmnl.h>
#include <linux/capability.h>
#include <linux/genetlink.h>
#include <linux/montecito_netlink.h>
#include <linux/net_namespace.h>
#include <linux/rtnetlink.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common.h"

/* Of 6.1's linux/netlink.h, in case that of the C library's package is older. */
#ifndef NETLINK_EXT_ACK
#define NETLINK_EXT_ACK 11
#endif
#define NLMSGERR_ATTR_MISS_TYPE 5

static uint16_t family;
static uint32_t group;

/* Contents of an answer; attributes by number, registers in their order. */
struct answer {
	int error; /* 0 or a negative errno */
	int messages;
	uint8_t cmd;
	char text[256];
	uint32_t missing; /* attribute that the refusal asks for */
	bool interrupted; /* a dump says that it is not of one instant */
	char name[64];
	uint64_t attr[MONTECITO_NL_A_MAX + 1];
	bool has[MONTECITO_NL_A_MAX + 1];
	uint64_t masks[16];
	int regs;
	struct {
		uint32_t index;
		uint64_t value;
	} reg[256];
	char pmus[64]; /* kinds and numbers */
	uint32_t causes;
	struct montecito_cause cause[MONTECITO_MAX_CAUSES];
	int listed; /* messages about the machine asked for */
	uint32_t look; /* that machine */
};

struct request {
	union {
		struct nlmsghdr h;
		char buf[16384];
	};
};

static struct mnl_socket *nl_open(void)
{
	struct mnl_socket *nl = mnl_socket_open(NETLINK_GENERIC);
	int one = 1;

	if (!nl || mnl_socket_bind(nl, 0, MNL_SOCKET_AUTOPID) < 0)
		bail("netlink: %s", strerror(errno));
	mnl_socket_setsockopt(nl, NETLINK_EXT_ACK, &one, sizeof(one));
	return nl;
}

static void prepare(struct request *r, uint16_t type, uint8_t cmd, uint16_t flags)
{
	struct genlmsghdr *g;

	mnl_nlmsg_put_header(r->buf);
	r->h.nlmsg_type = type;
	r->h.nlmsg_flags = NLM_F_REQUEST | flags;
	r->h.nlmsg_seq = 1;
	g = mnl_nlmsg_put_extra_header(&r->h, sizeof(*g));
	g->cmd = cmd;
	g->version = 1;
}

static void put_reg(struct request *r, int64_t index, const uint64_t *value)
{
	struct nlattr *nest = mnl_attr_nest_start(&r->h, MONTECITO_NL_A_REG);

	if (index >= 0)
		mnl_attr_put_u32(&r->h, MONTECITO_NL_REG_INDEX, index);
	if (value)
		mnl_attr_put_u64(&r->h, MONTECITO_NL_REG_VALUE, *value);
	mnl_attr_nest_end(&r->h, nest);
}

static void take_reg(const struct nlattr *nest, struct answer *a)
{
	const struct nlattr *attr;

	if (a->regs == 256)
		return;
	mnl_attr_for_each_nested(attr, nest)
	{
		if (mnl_attr_get_type(attr) == MONTECITO_NL_REG_INDEX)
			a->reg[a->regs].index = mnl_attr_get_u32(attr);
		if (mnl_attr_get_type(attr) == MONTECITO_NL_REG_VALUE)
			a->reg[a->regs].value = mnl_attr_get_u64(attr);
	}
	a->regs++;
}

static void take_cause(const struct nlattr *nest, struct answer *a)
{
	struct montecito_cause *c = &a->cause[a->causes];
	const struct nlattr *attr;

	if (a->causes == MONTECITO_MAX_CAUSES)
		return;
	mnl_attr_for_each_nested(attr, nest)
	{
		if (mnl_attr_get_type(attr) == MONTECITO_NL_CAUSE_NAME)
			snprintf(c->name, sizeof(c->name), "%s", mnl_attr_get_str(attr));
		if (mnl_attr_get_type(attr) == MONTECITO_NL_CAUSE_TEXT)
			snprintf(c->text, sizeof(c->text), "%s", mnl_attr_get_str(attr));
		if (mnl_attr_get_type(attr) == MONTECITO_NL_CAUSE_BAR)
			c->bar = mnl_attr_get_u32(attr);
		if (mnl_attr_get_type(attr) == MONTECITO_NL_CAUSE_CYCLES)
			c->cycles = mnl_attr_get_u64(attr);
	}
	a->causes++;
}

static void take_pmu(const struct nlattr *nest, struct answer *a)
{
	size_t len = strlen(a->pmus);
	const struct nlattr *attr;

	mnl_attr_for_each_nested(attr, nest)
	{
		if (mnl_attr_get_type(attr) == MONTECITO_NL_PMU_NAME)
			snprintf(a->pmus + len, sizeof(a->pmus) - len, "%s ",
				 mnl_attr_get_str(attr));
		if (mnl_attr_get_type(attr) == MONTECITO_NL_PMU_COUNT)
			snprintf(a->pmus + len, sizeof(a->pmus) - len, "%u ",
				 mnl_attr_get_u32(attr));
		len = strlen(a->pmus);
	}
}

static int take(const struct nlmsghdr *h, void *data)
{
	const struct genlmsghdr *g = mnl_nlmsg_get_payload(h);
	struct answer *a = data;
	const struct nlattr *attr;

	a->messages++;
	a->cmd = g->cmd;
	mnl_attr_for_each(attr, h, sizeof(*g))
	{
		uint16_t type = mnl_attr_get_type(attr);

		if (type > MONTECITO_NL_A_MAX)
			continue;
		a->has[type] = true;
		if (type == MONTECITO_NL_A_REG)
			take_reg(attr, a);
		else if (type == MONTECITO_NL_A_CAUSE)
			take_cause(attr, a);
		else if (type == MONTECITO_NL_A_PMU)
			take_pmu(attr, a);
		else if (type == MONTECITO_NL_A_NAME)
			snprintf(a->name, sizeof(a->name), "%s", mnl_attr_get_str(attr));
		else if (type == MONTECITO_NL_A_PAL_MASKS &&
			 mnl_attr_get_payload_len(attr) == sizeof(a->masks))
			memcpy(a->masks, mnl_attr_get_payload(attr), sizeof(a->masks));
		else if (mnl_attr_get_payload_len(attr) == 8)
			a->attr[type] = mnl_attr_get_u64(attr);
		else if (mnl_attr_get_payload_len(attr) == 4)
			a->attr[type] = mnl_attr_get_u32(attr);
		else if (mnl_attr_get_payload_len(attr) == 1)
			a->attr[type] = mnl_attr_get_u8(attr);
	}
	a->listed += a->has[MONTECITO_NL_A_MACHINE] && a->attr[MONTECITO_NL_A_MACHINE] == a->look;
	return MNL_CB_OK;
}

static int take_error(const struct nlmsghdr *h, void *data)
{
	const struct nlmsgerr *e = mnl_nlmsg_get_payload(h);
	const struct nlattr *attr;
	struct answer *a = data;
	unsigned int skip = sizeof(*e);

	if (h->nlmsg_type == NLMSG_DONE) {
		/* A dump's end carries its status, and a message if it failed. */
		a->error = *(const int *)mnl_nlmsg_get_payload(h);
		skip = sizeof(int);
	} else {
		a->error = e->error;
		if (!(h->nlmsg_flags & NLM_F_CAPPED))
			skip += mnl_nlmsg_get_payload_len(&e->msg);
	}
	if (h->nlmsg_flags & NLM_F_ACK_TLVS)
		mnl_attr_for_each(attr, h, skip)
		{
			if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_MSG)
				snprintf(a->text, sizeof(a->text), "%s", mnl_attr_get_str(attr));
			if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_MISS_TYPE)
				a->missing = mnl_attr_get_u32(attr);
		}
	return MNL_CB_STOP;
}

/* Take the mark off a dump's messages: libmnl would stop there. */
static bool interrupted(char *buf, int len)
{
	struct nlmsghdr *h = (struct nlmsghdr *)buf;
	bool seen = false;

	for (; mnl_nlmsg_ok(h, len); h = mnl_nlmsg_next(h, &len)) {
		seen |= h->nlmsg_flags & NLM_F_DUMP_INTR;
		h->nlmsg_flags &= ~NLM_F_DUMP_INTR;
	}
	return seen;
}

/* Send, and read until the acknowledgment or the end of the dump. */
static void ask(struct mnl_socket *nl, struct request *r, struct answer *a)
{
	static mnl_cb_t control[NLMSG_MIN_TYPE] = {
		[NLMSG_ERROR] = take_error,
		[NLMSG_DONE] = take_error,
	};
	uint32_t look = a->look;
	char buf[32768];
	int n, ret = MNL_CB_OK;

	memset(a, 0, sizeof(*a));
	a->look = look;
	if (mnl_socket_sendto(nl, r->buf, r->h.nlmsg_len) < 0)
		bail("send: %s", strerror(errno));
	while (ret > MNL_CB_STOP) {
		n = mnl_socket_recvfrom(nl, buf, sizeof(buf));
		if (n < 0)
			bail("receive: %s", strerror(errno));
		a->interrupted |= interrupted(buf, n);
		ret = mnl_cb_run2(buf, n, 0, 0, take, a, control, NLMSG_MIN_TYPE);
		if (ret < 0)
			bail("parse: %s", strerror(errno));
	}
}

static int find_group(const struct nlmsghdr *h, void *data)
{
	const struct nlattr *attr, *one, *field;

	(void)data;
	mnl_attr_for_each(attr, h, sizeof(struct genlmsghdr))
	{
		if (mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_ID)
			family = mnl_attr_get_u16(attr);
		if (mnl_attr_get_type(attr) != CTRL_ATTR_MCAST_GROUPS)
			continue;
		mnl_attr_for_each_nested(one, attr)
		{
			uint32_t id = 0;
			bool ours = false;

			mnl_attr_for_each_nested(field, one)
			{
				if (mnl_attr_get_type(field) == CTRL_ATTR_MCAST_GRP_ID)
					id = mnl_attr_get_u32(field);
				if (mnl_attr_get_type(field) == CTRL_ATTR_MCAST_GRP_NAME)
					ours = !strcmp(mnl_attr_get_str(field),
						       MONTECITO_NL_MCGRP_OVERFLOW);
			}
			if (ours)
				group = id;
		}
	}
	return MNL_CB_OK;
}

static void resolve(struct mnl_socket *nl)
{
	struct request r;
	char buf[8192];
	int n;

	prepare(&r, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 0);
	mnl_attr_put_strz(&r.h, CTRL_ATTR_FAMILY_NAME, MONTECITO_NL_FAMILY_NAME);
	mnl_socket_sendto(nl, r.buf, r.h.nlmsg_len);
	n = mnl_socket_recvfrom(nl, buf, sizeof(buf));
	mnl_cb_run(buf, n, 0, 0, find_group, NULL);
}

static void simple(struct request *r, uint8_t cmd, int64_t machine, int64_t vcpu)
{
	prepare(r, family, cmd, NLM_F_ACK);
	if (machine >= 0)
		mnl_attr_put_u32(&r->h, MONTECITO_NL_A_MACHINE, machine);
	if (vcpu >= 0)
		mnl_attr_put_u32(&r->h, MONTECITO_NL_A_VCPU, vcpu);
}

static void lists(struct mnl_socket *nl)
{
	int m = machine(2, 1, MONTECITO_CFG_STRICT), v = vcpu(m, 1), o = machine(1, 1, 0);
	struct answer a = { .look = machine_id(m) };
	struct request r;

	start(v, GUEST_SPIN);
	set(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_HALTED, 1);
	simple(&r, MONTECITO_NL_CMD_MACHINE_GET, a.look, -1);
	ask(nl, &r, &a);
	is(a.error, 0, "get a machine");
	ok(a.attr[MONTECITO_NL_A_MACHINE] == a.look && a.attr[MONTECITO_NL_A_CORES] == 2 &&
		   a.attr[MONTECITO_NL_A_THREADS] == 1 && a.attr[MONTECITO_NL_A_NR_VCPUS] == 2 &&
		   a.attr[MONTECITO_NL_A_CONFIG] == MONTECITO_CFG_STRICT &&
		   a.attr[MONTECITO_NL_A_MEMORY] == MEMORY &&
		   a.attr[MONTECITO_NL_A_UID] == getuid() && a.has[MONTECITO_NL_A_RUNNING] &&
		   !a.attr[MONTECITO_NL_A_RUNNING],
	   "as created");
	ok(a.attr[MONTECITO_NL_A_PID] == (uint64_t)getpid() && !strcmp(a.name, "netlink_test"),
	   "its maker's process %llu and name %s", (unsigned long long)a.attr[MONTECITO_NL_A_PID],
	   a.name);

	prepare(&r, family, MONTECITO_NL_CMD_MACHINE_GET, NLM_F_DUMP);
	ask(nl, &r, &a);
	ok(!a.error && a.messages >= 2 && a.listed == 1, "the list has it once");
	prepare(&r, family, MONTECITO_NL_CMD_MACHINE_GET, NLM_F_DUMP);
	mnl_attr_put_u32(&r.h, MONTECITO_NL_A_MACHINE, a.look);
	ask(nl, &r, &a);
	ok(!a.error && a.messages == 1 && a.listed == 1, "a list of one machine");

	simple(&r, MONTECITO_NL_CMD_VCPU_GET, a.look, 1);
	ask(nl, &r, &a);
	ok(!a.error && a.attr[MONTECITO_NL_A_VCPU] == 1 &&
		   a.attr[MONTECITO_NL_A_IP] == GUEST_SPIN && a.attr[MONTECITO_NL_A_HALTED] == 1 &&
		   a.has[MONTECITO_NL_A_PSR] && a.has[MONTECITO_NL_A_INSNS] &&
		   a.has[MONTECITO_NL_A_CYCLES] && a.has[MONTECITO_NL_A_CLOCK],
	   "get a vcpu");
	prepare(&r, family, MONTECITO_NL_CMD_VCPU_GET, NLM_F_DUMP);
	ask(nl, &r, &a);
	ok(!a.error && a.listed == 2, "the list of vcpus has both");
	prepare(&r, family, MONTECITO_NL_CMD_VCPU_GET, NLM_F_DUMP);
	mnl_attr_put_u32(&r.h, MONTECITO_NL_A_VCPU, 1);
	ask(nl, &r, &a);
	is(a.error, -EINVAL, "a dump of one vcpu is refused");
	ok(strstr(a.text, "without NLM_F_DUMP"), "with: %s", a.text);
	close(o);
	close(v);
	close(m);
	simple(&r, MONTECITO_NL_CMD_MACHINE_GET, a.look, -1);
	ask(nl, &r, &a);
	is(a.error, -ENOENT, "closed: it is gone");
	prepare(&r, family, MONTECITO_NL_CMD_MACHINE_GET, NLM_F_DUMP);
	mnl_attr_put_u32(&r.h, MONTECITO_NL_A_MACHINE, a.look);
	ask(nl, &r, &a);
	is(a.error, -ENOENT, "a list of one that is gone");
	ok(strstr(a.text, "no such machine") && !a.messages, "with: %s", a.text);
	prepare(&r, family, MONTECITO_NL_CMD_VCPU_GET, NLM_F_DUMP);
	mnl_attr_put_u32(&r.h, MONTECITO_NL_A_MACHINE, a.look);
	ask(nl, &r, &a);
	is(a.error, -ENOENT, "a list of the vcpus of one that is gone");
	ok(strstr(a.text, "no such machine") && !a.messages, "with: %s", a.text);
}

/* Other processors' PMUs on a vcpu are named with its observers. */
static void watched(struct mnl_socket *nl)
{
	static const struct {
		uint32_t kind;
		const char *names;
	} add[] = {
		{ MONTECITO_PMU_PEBS, "pebs 1 " },
		{ MONTECITO_PMU_MERCED, "merced 1 pebs 1 " },
		{ MONTECITO_PMU_EV68A, "merced 1 pebs 1 ev68a 1 " },
		{ MONTECITO_PMU_MERCED, "merced 2 pebs 1 ev68a 1 " },
	};
	int m = timed_machine(0), v = vcpu(m, 0), w = vcpu(m, 0);
	struct montecito_pmu_del del = { .size = sizeof(del) };
	struct answer a = { .look = machine_id(m) };
	struct request r;
	unsigned int i;

	if (observer(w, EVENT_INST_RETIRED, 0, NULL) < 0)
		bail("observer");
	for (i = 0; i < sizeof(add) / sizeof(add[0]); i++) {
		struct montecito_pmu_add pmu = { .size = sizeof(pmu), .kind = add[i].kind };

		if (call(v, MONTECITO_PMU_ADD, &pmu))
			bail("PMU: %s", pmu.why);
		del.id = i ? del.id : pmu.id;
		simple(&r, MONTECITO_NL_CMD_VCPU_GET, a.look, 0);
		ask(nl, &r, &a);
		ok(!a.error && !strcmp(a.pmus, add[i].names) &&
			   a.attr[MONTECITO_NL_A_OBSERVERS] == 8 * (i + 1) + 1,
		   "a vcpu is watched by %sand %llu observers", a.pmus,
		   (unsigned long long)a.attr[MONTECITO_NL_A_OBSERVERS]);
	}
	if (call(v, MONTECITO_PMU_DEL, &del))
		bail("PMU_DEL");
	prepare(&r, family, MONTECITO_NL_CMD_VCPU_GET, NLM_F_DUMP);
	mnl_attr_put_u32(&r.h, MONTECITO_NL_A_MACHINE, a.look);
	ask(nl, &r, &a);
	ok(!a.error && !strcmp(a.pmus, "merced 2 ev68a 1 "), "in the list without the first: %s",
	   a.pmus);
	close(v);
	simple(&r, MONTECITO_NL_CMD_VCPU_GET, a.look, 0);
	ask(nl, &r, &a);
	ok(!a.error && !a.pmus[0] && a.attr[MONTECITO_NL_A_OBSERVERS] == 1,
	   "of a file that is closed none is left");
	close(w);
	close(m);
}

/* A machine that comes while a list is read in parts: the list says so. */
static void changing_list(void)
{
	struct mnl_socket *nl = nl_open();
	struct request r;
	char buf[4096]; /* little, for many parts */
	bool seen = false;
	int n, more = -1;

	prepare(&r, family, MONTECITO_NL_CMD_VCPU_GET, NLM_F_DUMP);
	if (mnl_socket_sendto(nl, r.buf, r.h.nlmsg_len) < 0)
		bail("send: %s", strerror(errno));
	for (;;) {
		struct nlmsghdr *h = (struct nlmsghdr *)buf;

		n = mnl_socket_recvfrom(nl, buf, sizeof(buf));
		if (n < 0)
			bail("receive: %s", strerror(errno));
		seen |= interrupted(buf, n);
		if (more < 0)
			more = machine(1, 1, 0);
		for (; mnl_nlmsg_ok(h, n); h = mnl_nlmsg_next(h, &n))
			if (h->nlmsg_type == NLMSG_DONE)
				break;
		if (mnl_nlmsg_ok(h, n))
			break;
	}
	ok(seen, "a list that changes while it is read is marked");
	close(more);
	mnl_socket_close(nl);
}

/* Many machines make a dump of several parts. */
static void long_list(struct mnl_socket *nl)
{
	struct answer a = { 0 };
	struct request r;
	int m[41], i;

	for (i = 0; i < 41; i++) {
		int dev = open_device();

		m[i] = create(dev, 2, 2, 0, 1 << 20);
		close(dev);
		if (m[i] < 0)
			bail("machine %d: %s", i, strerror(-m[i]));
	}
	close(m[20]); /* a number missing in between */
	prepare(&r, family, MONTECITO_NL_CMD_MACHINE_GET, NLM_F_DUMP);
	ask(nl, &r, &a);
	eq(a.messages, 40, "a list of 40 machines");
	prepare(&r, family, MONTECITO_NL_CMD_VCPU_GET, NLM_F_DUMP);
	ask(nl, &r, &a);
	eq(a.messages, 160, "and of their 160 vcpus");
	ok(!a.interrupted, "of one instant");
	watched(nl);
	changing_list();
	for (i = 0; i < 41; i++)
		if (i != 20)
			close(m[i]);
}

static void registers(struct mnl_socket *nl)
{
	uint64_t v1 = 0x2000000 | PMC_ES(8) | PMC_PLM_ALL, v2 = 77, v3 = 1ULL << 46, none = 0;
	int m = machine(1, 1, 0), v = vcpu(m, 0), i;
	struct answer a = { .look = machine_id(m) };
	struct request r;

	simple(&r, MONTECITO_NL_CMD_PMC_SET, a.look, 0);
	put_reg(&r, 4, &v1);
	put_reg(&r, 7, &v1);
	ask(nl, &r, &a);
	ok(!a.error && get(v, MONTECITO_REG_PMC, 4) == v1 && get(v, MONTECITO_REG_PMC, 7) == v1,
	   "set two PMCs");
	simple(&r, MONTECITO_NL_CMD_PMC_GET, a.look, 0);
	put_reg(&r, 7, NULL);
	put_reg(&r, 4, NULL);
	ask(nl, &r, &a);
	ok(!a.error && a.regs == 2 && a.reg[0].index == 7 && a.reg[0].value == v1 &&
		   a.reg[1].index == 4 && a.reg[1].value == v1,
	   "get them");
	simple(&r, MONTECITO_NL_CMD_PMD_SET, a.look, 0);
	put_reg(&r, 4, &v2);
	put_reg(&r, 5, &v3);
	ask(nl, &r, &a);
	ok(!a.error && get(v, MONTECITO_REG_PMD, 4) == v2, "set PMDs");
	simple(&r, MONTECITO_NL_CMD_PMD_GET, a.look, 0);
	put_reg(&r, 4, NULL);
	put_reg(&r, 5, NULL);
	put_reg(&r, 200, NULL);
	ask(nl, &r, &a);
	ok(!a.error && a.regs == 3 && a.reg[0].value == v2 && a.reg[1].value == -(1ULL << 46) &&
		   a.reg[2].value == 0,
	   "get PMDs");

	simple(&r, MONTECITO_NL_CMD_PMD_SET, a.look, 0);
	put_reg(&r, 4, &v3);
	put_reg(&r, 256, &none);
	ask(nl, &r, &a);
	is(a.error, -EINVAL, "a batch with PMD256");
	ok(strstr(a.text, "no such register") && get(v, MONTECITO_REG_PMD, 4) == v2,
	   "nothing set, and: %s", a.text);
	simple(&r, MONTECITO_NL_CMD_PMC_GET, a.look, 0);
	ask(nl, &r, &a);
	is(a.error, -EINVAL, "no register");
	ok(strstr(a.text, "no register given"), "with: %s", a.text);
	simple(&r, MONTECITO_NL_CMD_PMC_GET, a.look, 0);
	put_reg(&r, -1, NULL);
	ask(nl, &r, &a);
	is(a.error, -EINVAL, "a register without index");
	ok(strstr(a.text, "without its index") && a.missing == MONTECITO_NL_REG_INDEX,
	   "with: %s, and which attribute", a.text);
	simple(&r, MONTECITO_NL_CMD_PMC_SET, a.look, 0);
	put_reg(&r, 4, NULL);
	ask(nl, &r, &a);
	is(a.error, -EINVAL, "to set without a value");
	ok(strstr(a.text, "without its value") && a.missing == MONTECITO_NL_REG_VALUE,
	   "with: %s, and which attribute", a.text);
	simple(&r, MONTECITO_NL_CMD_PMC_GET, a.look, 0);
	put_reg(&r, 4, &none);
	ask(nl, &r, &a);
	is(a.error, -EINVAL, "to get with a value");
	ok(strstr(a.text, "with a value"), "with: %s", a.text);
	simple(&r, MONTECITO_NL_CMD_PMC_GET, a.look, 0);
	for (i = 0; i < 256; i++)
		put_reg(&r, i, NULL);
	ask(nl, &r, &a);
	ok(!a.error && a.regs == 256, "256 registers at once");
	put_reg(&r, 4, NULL);
	ask(nl, &r, &a);
	is(a.error, -EINVAL, "257");
	ok(strstr(a.text, "more than 256"), "with: %s", a.text);

	simple(&r, MONTECITO_NL_CMD_PAL_PERF_MON_INFO_GET, a.look, 0);
	ask(nl, &r, &a);
	ok(!a.error && !a.attr[MONTECITO_NL_A_PAL_STATUS] &&
		   a.attr[MONTECITO_NL_A_PAL_INFO] == (12 | 47 << 8 | 0x12 << 16 | 0x08 << 24) &&
		   a.masks[0] == 0x7ff0000ffffULL && a.masks[4] == 0xffff00df0000fff0ULL &&
		   a.masks[8] == 0xfff0 && a.masks[12] == 0xfff0,
	   "PAL_PERF_MON_INFO");
	close(v);
	close(m);
}

/* Cycles equal those of MONTECITO_CYCLES, on a machine that has run with and without time. */
static void cycles(struct mnl_socket *nl)
{
	int m = timed_machine(0), v = vcpu(m, 0);
	static struct montecito_cause cause[MONTECITO_MAX_CAUSES];
	struct montecito_cycles c = {
		.size = sizeof(c),
		.count = MONTECITO_MAX_CAUSES,
		.causes = (uintptr_t)cause,
	};
	struct montecito_run x = {
		.size = sizeof(x),
		.flags = MONTECITO_RUN_FUNCTIONAL,
		.insns = 30,
	};
	static struct answer a;
	uint64_t sum = 0;
	struct request r;
	uint32_t i;

	start(v, GUEST_SPIN);
	run(m, 3000, 0, NULL);
	is(call(m, MONTECITO_RUN, &x), 0, "ten bundles without time");
	is(call(v, MONTECITO_CYCLES, &c), 0, "cycles, by ioctl");
	simple(&r, MONTECITO_NL_CMD_CYCLES_GET, machine_id(m), 0);
	ask(nl, &r, &a);
	ok(!a.error && a.messages == 1 && a.cmd == MONTECITO_NL_CMD_CYCLES_GET, "over netlink");
	eq(a.attr[MONTECITO_NL_A_INSNS], 3030, "instructions");
	eq(a.attr[MONTECITO_NL_A_CYCLES], c.cycles, "cycles");
	eq(a.attr[MONTECITO_NL_A_CYCLES_HALTED], 0, "none halted");
	eq(a.attr[MONTECITO_NL_A_CYCLES_FUNCTIONAL], 10, "without time: one a bundle");
	eq(a.attr[MONTECITO_NL_A_CYCLES_UNSTALLED], 1000, "with it: one in which it retires");
	ok(a.causes == c.count && !memcmp(a.cause, cause, c.count * sizeof(cause[0])),
	   "%u causes, with their cycles", a.causes);
	for (i = 0; i < a.causes; i++)
		sum += a.cause[i].cycles;
	ok(sum > 0 && sum + 1010 == c.cycles, "%llu cycles without an instruction: it adds up",
	   (unsigned long long)sum);
	close(v);
	close(m);

	m = machine(1, 1, 0);
	v = vcpu(m, 0);
	start(v, GUEST_SPIN);
	run(m, 300, 0, NULL);
	simple(&r, MONTECITO_NL_CMD_CYCLES_GET, machine_id(m), 0);
	ask(nl, &r, &a);
	for (sum = 0, i = 0; i < a.causes; i++)
		sum += a.cause[i].cycles;
	ok(!a.error && !sum && a.attr[MONTECITO_NL_A_CYCLES_FUNCTIONAL] == 100,
	   "a machine without the timing model: nothing is known of its cycles");
	close(v);
	close(m);
}

static void refusals(struct mnl_socket *nl)
{
	static const uint8_t of_vcpu[] = {
		MONTECITO_NL_CMD_VCPU_GET,   MONTECITO_NL_CMD_PMC_GET,
		MONTECITO_NL_CMD_PMC_SET,    MONTECITO_NL_CMD_PMD_GET,
		MONTECITO_NL_CMD_PMD_SET,    MONTECITO_NL_CMD_PAL_PERF_MON_INFO_GET,
		MONTECITO_NL_CMD_CYCLES_GET,
	};
	int m = machine(1, 1, 0);
	struct answer a = { .look = machine_id(m) };
	struct request r;
	unsigned int i;

	simple(&r, MONTECITO_NL_CMD_MACHINE_GET, -1, -1);
	ask(nl, &r, &a);
	is(a.error, -EINVAL, "no machine given");
	ok(strstr(a.text, "number of the machine is missing") &&
		   a.missing == MONTECITO_NL_A_MACHINE,
	   "with: %s, and which attribute", a.text);
	simple(&r, MONTECITO_NL_CMD_MACHINE_GET, 0, -1);
	ask(nl, &r, &a);
	is(a.error, -ENOENT, "machine 0");
	ok(strstr(a.text, "no such machine"), "with: %s", a.text);
	simple(&r, MONTECITO_NL_CMD_MACHINE_GET, 0xffffffff, -1);
	ask(nl, &r, &a);
	is(a.error, -ENOENT, "machine 2^32 - 1");
	simple(&r, MONTECITO_NL_CMD_MACHINE_GET, a.look, 0);
	ask(nl, &r, &a);
	is(a.error, -EINVAL, "an attribute that the command does not take");
	ok(a.text[0], "with: %s", a.text);
	for (i = 0; i < sizeof(of_vcpu); i++) {
		simple(&r, of_vcpu[i], a.look, -1);
		ask(nl, &r, &a);
		is(a.error, -EINVAL, "command %u: no vcpu given", of_vcpu[i]);
		ok(strstr(a.text, "index of the vcpu is missing") &&
			   a.missing == MONTECITO_NL_A_VCPU,
		   "with: %s, and which attribute", a.text);
		simple(&r, of_vcpu[i], -1, 0);
		ask(nl, &r, &a);
		is(a.error, -EINVAL, "command %u: no machine given", of_vcpu[i]);
		ok(strstr(a.text, "number of the machine is missing"), "with: %s", a.text);
		simple(&r, of_vcpu[i], a.look, 1);
		ask(nl, &r, &a);
		is(a.error, -ENOENT, "command %u: no such vcpu", of_vcpu[i]);
		ok(strstr(a.text, "no such vcpu"), "with: %s", a.text);
	}
	prepare(&r, family, MONTECITO_NL_CMD_MACHINE_GET, NLM_F_ACK);
	mnl_attr_put_u8(&r.h, MONTECITO_NL_A_MACHINE, 1);
	ask(nl, &r, &a);
	ok(a.error < 0, "an attribute of the wrong length");
	ok(a.text[0], "with: %s", a.text);
	simple(&r, MONTECITO_NL_CMD_OVERFLOW_NTF, a.look, 0);
	ask(nl, &r, &a);
	is(a.error, -EOPNOTSUPP, "a notification is no command");
	close(m);
}

/* Wait for one notification; false when there is none for a while. */
static bool heard(struct mnl_socket *nl, struct answer *a, int ms)
{
	struct pollfd p = { .fd = mnl_socket_get_fd(nl), .events = POLLIN };
	char buf[8192];
	int n;

	memset(a, 0, sizeof(*a));
	if (poll(&p, 1, ms) != 1)
		return false;
	n = mnl_socket_recvfrom(nl, buf, sizeof(buf));
	return n > 0 && mnl_cb_run(buf, n, 0, 0, take, a) >= 0 && a->messages == 1;
}

static struct mnl_socket *listener(void)
{
	struct mnl_socket *nl = nl_open();

	if (mnl_socket_setsockopt(nl, NETLINK_ADD_MEMBERSHIP, &group, sizeof(group)) < 0)
		bail("membership: %s", strerror(errno));
	return nl;
}

/* A machine whose next RUN overflows after 300 instructions. */
static int machine_of_overflow(void)
{
	int m = machine(1, 1, MONTECITO_CFG_HOST_PMU), v = vcpu(m, 0);

	start(v, GUEST_SPIN);
	set(v, MONTECITO_REG_PMC, 4, PMC_ES(EVENT_INST_RETIRED) | PMC_PLM_ALL | PMC_OI);
	set(v, MONTECITO_REG_PMD, 4, PMD_OVERFLOW - 300);
	set(v, MONTECITO_REG_CR, 73, 0x40);
	set(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR,
	    get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR) | PSR_UP);
	close(v);
	return m;
}

static void notifications(void)
{
	int m = machine_of_overflow(), v = vcpu(m, 0), i, n = 0;
	struct mnl_socket *nl = listener();
	uint32_t id = machine_id(m);
	uint64_t suppressed = 0;
	struct montecito_run x;
	struct answer a;
	double begun;

	run(m, 0, 0, &x);
	ok(heard(nl, &a, 5000) && a.cmd == MONTECITO_NL_CMD_OVERFLOW_NTF &&
		   a.attr[MONTECITO_NL_A_MACHINE] == id && a.attr[MONTECITO_NL_A_VCPU] == 0 &&
		   a.attr[MONTECITO_NL_A_PMC0] == (1 | 1 << 4) &&
		   a.attr[MONTECITO_NL_A_INSNS] == 300 && a.attr[MONTECITO_NL_A_CYCLES] == 100 &&
		   a.has[MONTECITO_NL_A_SUPPRESSED],
	   "an overflow is told to the group");

	/*
	 * A storm: a hundred are told in a second, what is not told is counted. A slow
	 * kernel takes seconds for it: the socket does not hold all that is told then.
	 */
	begun = now();
	for (i = 0; i < 500; i++) {
		set(v, MONTECITO_REG_PMD, 4, PMD_OVERFLOW - 3);
		set(v, MONTECITO_REG_PMC, 0, 0);
		run(m, 0, 0, &x);
		while (heard(nl, &a, 0)) {
			n++;
			suppressed += a.attr[MONTECITO_NL_A_SUPPRESSED];
		}
	}
	begun = now() - begun;
	ok(n >= 99 && n <= 100 * (begun + 1), "a storm of 500 in %.1f s is rate-limited (%d told)",
	   begun, n);
	sleep(2);
	set(v, MONTECITO_REG_PMD, 4, PMD_OVERFLOW - 3);
	set(v, MONTECITO_REG_PMC, 0, 0);
	run(m, 0, 0, &x);
	ok(heard(nl, &a, 5000), "later ones are told again");
	eq(n + suppressed + a.attr[MONTECITO_NL_A_SUPPRESSED], 500, "with how many were not");
	close(v);
	close(m);

	m = machine(1, 1, 0);
	v = vcpu(m, 0);
	set(v, MONTECITO_REG_GR, 9, PMC_ES(EVENT_CPU_OP_CYCLES) | PMC_PLM_ALL);
	set(v, MONTECITO_REG_GR, 10, 5);
	start(v, GUEST_UNCOUNTED);
	run(m, 3000, 0, NULL);
	ok(heard(nl, &a, 5000) && a.cmd == MONTECITO_NL_CMD_UNCOUNTED_NTF &&
		   a.attr[MONTECITO_NL_A_MACHINE] == machine_id(m) &&
		   a.attr[MONTECITO_NL_A_UNCOUNTED] == 1 << 5,
	   "an uncounted event is told");
	run(m, 3000, 0, NULL);
	ok(!heard(nl, &a, 200), "once");
	close(v);
	close(m);
	mnl_socket_close(nl);
}

/* In a child: become an unprivileged user, then test; the results come as an exit status. */
static int as_nobody(uint32_t machine)
{
	struct answer a = { .look = machine };
	struct mnl_socket *nl;
	struct request r;
	int bad = 0;

	if (setgid(65534) || setuid(65534))
		return 99;
	if (open("/dev/montecito", O_RDWR) >= 0 || errno != EACCES)
		bad |= 1;
	nl = nl_open();
	simple(&r, MONTECITO_NL_CMD_MACHINE_GET, machine, -1);
	ask(nl, &r, &a);
	if (a.error != -EPERM || !strstr(a.text, "needs CAP_PERFMON"))
		bad |= 2;
	simple(&r, MONTECITO_NL_CMD_PMD_SET, machine, 0);
	put_reg(&r, 4, &(uint64_t){ 0 });
	ask(nl, &r, &a);
	if (a.error != -EPERM)
		bad |= 4;
	prepare(&r, family, MONTECITO_NL_CMD_MACHINE_GET, NLM_F_DUMP);
	ask(nl, &r, &a);
	if (a.error || a.messages)
		bad |= 8;
	prepare(&r, family, MONTECITO_NL_CMD_VCPU_GET, NLM_F_DUMP);
	ask(nl, &r, &a);
	if (a.error || a.messages)
		bad |= 16;
	return bad;
}

/* A socket that root opened gives an unprivileged user's requests no privilege. */
static int with_roots_socket(uint32_t machine)
{
	struct mnl_socket *nl = nl_open();
	struct answer a = { .look = machine };
	struct request r;

	if (setgid(65534) || setuid(65534))
		return 99;
	simple(&r, MONTECITO_NL_CMD_MACHINE_GET, machine, -1);
	ask(nl, &r, &a);
	return a.error != -EPERM;
}

static int can_read(struct mnl_socket *nl, uint32_t machine)
{
	struct answer a = { .look = machine };
	struct request r;

	simple(&r, MONTECITO_NL_CMD_PMD_GET, machine, 0);
	put_reg(&r, 4, NULL);
	ask(nl, &r, &a);
	if (a.error)
		return a.error;
	simple(&r, MONTECITO_NL_CMD_PMC_GET, machine, 0);
	put_reg(&r, 4, NULL);
	ask(nl, &r, &a);
	if (a.error)
		return a.error;
	simple(&r, MONTECITO_NL_CMD_VCPU_GET, machine, 0);
	ask(nl, &r, &a);
	return a.error ? a.error : a.has[MONTECITO_NL_A_IP] ? 0 : -EBADMSG;
}

/* Answer for PMCs and PMDs; -EBADMSG if they differ. */
static int can_write(struct mnl_socket *nl, uint32_t machine)
{
	struct answer pmd = { .look = machine }, pmc = { .look = machine };
	struct request r;
	uint64_t v = 0;

	simple(&r, MONTECITO_NL_CMD_PMD_SET, machine, 0);
	put_reg(&r, 4, &v);
	ask(nl, &r, &pmd);
	simple(&r, MONTECITO_NL_CMD_PMC_SET, machine, 0);
	put_reg(&r, 4, &v);
	ask(nl, &r, &pmc);
	if (pmc.error != pmd.error)
		return -EBADMSG;
	if (pmd.error == -EPERM && !strstr(pmd.text, "CAP_SYS_ADMIN"))
		return -EBADMSG;
	return pmd.error;
}

/* A user without capabilities, whose machines are larger than the default limit. True: it failed. */
static bool become_owner(void)
{
	const struct rlimit all = { RLIM_INFINITY, RLIM_INFINITY };

	return setrlimit(RLIMIT_MEMLOCK, &all) || setgid(65534) || setuid(65534);
}

/* The owner needs no capability to look; to write, its descriptor. */
static int as_owner(uint32_t machine)
{
	int dev = open_device(), bad = 0;
	struct mnl_socket *nl;
	struct answer a;
	struct request r;
	int m;

	(void)machine;
	if (become_owner())
		return 99;
	m = create(dev, 1, 1, 0, MEMORY);
	if (m < 0)
		return 98;
	a.look = machine_id(m);
	nl = nl_open();
	simple(&r, MONTECITO_NL_CMD_MACHINE_GET, a.look, -1);
	ask(nl, &r, &a);
	if (a.error)
		bad |= 1;
	prepare(&r, family, MONTECITO_NL_CMD_MACHINE_GET, NLM_F_DUMP);
	ask(nl, &r, &a);
	if (a.error || a.messages != 1 || a.listed != 1)
		bad |= 2;
	if (can_read(nl, a.look))
		bad |= 4;
	if (can_write(nl, a.look) != -EPERM)
		bad |= 8;
	/* The descriptor is what gives the right. */
	if (set(vcpu(m, 0), MONTECITO_REG_PMD, 4, 5))
		bad |= 16;
	return bad;
}

/* Become another user with one capability and no more. */
static bool with_capability(int cap)
{
	struct __user_cap_header_struct h = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct d[2] = { 0 };

	prctl(PR_SET_KEEPCAPS, 1);
	if (setgid(65534) || setuid(65534))
		return false;
	d[cap / 32].permitted = 1U << cap % 32;
	d[cap / 32].effective = 1U << cap % 32;
	return !syscall(SYS_capset, &h, d);
}

static int with_perfmon(uint32_t machine)
{
	struct mnl_socket *nl;

	if (!with_capability(CAP_PERFMON))
		return 99;
	nl = nl_open();
	return (can_read(nl, machine) ? 1 : 0) | (can_write(nl, machine) != -EPERM ? 2 : 0);
}

static int with_sys_admin(uint32_t machine)
{
	struct mnl_socket *nl;

	if (!with_capability(CAP_SYS_ADMIN))
		return 99;
	nl = nl_open();
	return (can_read(nl, machine) ? 1 : 0) | (can_write(nl, machine) ? 2 : 0);
}

/* Take descriptor @theirs of @pid as user @uid: 0, or why not. */
static int borrow(pid_t pid, int theirs, uid_t uid)
{
	int status, pidfd, fd;
	pid_t child = fork();

	if (!child) {
		if (setgid(uid) || setuid(uid))
			_exit(255);
		pidfd = syscall(SYS_pidfd_open, pid, 0);
		fd = syscall(SYS_pidfd_getfd, pidfd, theirs, 0);
		if (fd < 0)
			_exit(errno);
		/* and it is good for writing */
		_exit(set(vcpu(fd, 0), MONTECITO_REG_PMD, 4, 6) ? 254 : 0);
	}
	return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 253;
}

/* The owner's other processes, and only they, get the descriptor from its process. */
static int lent(uint32_t machine)
{
	int dev = open_device(), told[2], hold[2], m, bad = 0;
	pid_t owner;

	(void)machine;
	if (pipe(told) || pipe(hold))
		return 99;
	owner = fork();
	if (!owner) {
		char end;

		if (become_owner() || prctl(PR_SET_DUMPABLE, 1))
			_exit(99);
		m = create(dev, 1, 1, 0, MEMORY);
		close(hold[1]);
		if (write(told[1], &m, sizeof(m)) != sizeof(m))
			_exit(98);
		_exit(read(hold[0], &end, 1) != 0);
	}
	if (read(told[0], &m, sizeof(m)) != sizeof(m) || m < 0)
		return 97;
	if (borrow(owner, m, 65534))
		bad |= 1;
	if (borrow(owner, m, 65533) != EPERM)
		bad |= 2;
	close(hold[1]);
	waitpid(owner, NULL, 0);
	return bad;
}

/* An overflow on root's machine while an unprivileged user has joined the group: kernels differ. */
static int nobody_listens(uint32_t machine)
{
	bool may_hide, told;
	struct utsname u;
	int major, minor, go[2], ready[2], status, m;
	struct answer a;
	char c = 0;
	pid_t pid;

	(void)machine;
	uname(&u);
	if (sscanf(u.release, "%d.%d", &major, &minor) != 2 || pipe(go) || pipe(ready))
		return 99;
	may_hide = major > 6 || (major == 6 && minor >= 6);
	pid = fork();
	if (!pid) {
		struct mnl_socket *nl;

		if (setgid(65534) || setuid(65534))
			_exit(99);
		nl = listener();
		if (write(ready[1], &c, 1) != 1 || read(go[0], &c, 1) != 1)
			_exit(99);
		told = heard(nl, &a, 1000);
		_exit(told);
	}
	if (read(ready[0], &c, 1) != 1)
		return 98;
	m = machine_of_overflow();
	run(m, 0, 0, NULL);
	if (write(go[1], &c, 1) != 1 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return 97;
	return WEXITSTATUS(status) != !may_hide;
}

static int in_namespace(uint32_t machine)
{
	struct answer a = { .look = machine };
	struct mnl_socket *nl;
	struct request r;
	int bad = 0;

	if (unshare(CLONE_NEWNET))
		return 99;
	nl = nl_open();
	simple(&r, MONTECITO_NL_CMD_MACHINE_GET, machine, -1);
	ask(nl, &r, &a);
	if (a.error != -ENOENT)
		bad |= 1;
	prepare(&r, family, MONTECITO_NL_CMD_MACHINE_GET, NLM_F_DUMP);
	ask(nl, &r, &a);
	if (a.error || a.messages)
		bad |= 2;
	return bad;
}

/* Give the network namespace of @pid a number here, so that its end is told. */
static void number_namespace(struct mnl_socket *nl, pid_t pid)
{
	struct request r;
	struct answer a = { 0 };

	mnl_nlmsg_put_header(r.buf);
	r.h.nlmsg_type = RTM_NEWNSID;
	r.h.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	*(struct rtgenmsg *)mnl_nlmsg_put_extra_header(&r.h, sizeof(struct rtgenmsg)) =
		(struct rtgenmsg){ .rtgen_family = AF_UNSPEC };
	mnl_attr_put_u32(&r.h, NETNSA_PID, pid);
	mnl_attr_put_u32(&r.h, NETNSA_NSID, -1);
	ask(nl, &r, &a);
	if (a.error)
		bail("RTM_NEWNSID: %s", strerror(-a.error));
}

static bool told_of_end(struct mnl_socket *nl)
{
	struct pollfd p = { .fd = mnl_socket_get_fd(nl), .events = POLLIN };
	char buf[8192];

	while (poll(&p, 1, 20000) == 1) {
		struct nlmsghdr *h = (struct nlmsghdr *)buf;
		int n = mnl_socket_recvfrom(nl, buf, sizeof(buf));

		for (; mnl_nlmsg_ok(h, n); h = mnl_nlmsg_next(h, &n))
			if (h->nlmsg_type == RTM_DELNSID)
				return true;
	}
	return false;
}

/* A machine outlives the network namespace that it was made in. */
static void namespace_ends(struct mnl_socket *genl)
{
	struct mnl_socket *watch = mnl_socket_open(NETLINK_ROUTE), *nl;
	int group_nsid = RTNLGRP_NSID, told[2], hold[2], theirs, m, v;
	struct montecito_run x;
	struct answer a;
	struct request r;
	pid_t pid;

	nl = mnl_socket_open(NETLINK_ROUTE);
	if (!nl || mnl_socket_bind(nl, 0, MNL_SOCKET_AUTOPID) < 0 || !watch ||
	    mnl_socket_bind(watch, 0, MNL_SOCKET_AUTOPID) < 0 ||
	    mnl_socket_setsockopt(watch, NETLINK_ADD_MEMBERSHIP, &group_nsid, sizeof(group_nsid)) <
		    0 ||
	    pipe(told) || pipe(hold))
		bail("rtnetlink: %s", strerror(errno));
	fflush(stdout);
	pid = fork();
	if (!pid) {
		char end;

		close(hold[1]);
		if (unshare(CLONE_NEWNET))
			_exit(99);
		m = machine_of_overflow();
		if (write(told[1], &m, sizeof(m)) != sizeof(m))
			_exit(98);
		_exit(read(hold[0], &end, 1) != 0);
	}
	if (read(told[0], &theirs, sizeof(theirs)) != sizeof(theirs))
		bail("no machine in another namespace");
	m = syscall(SYS_pidfd_getfd, syscall(SYS_pidfd_open, pid, 0), theirs, 0);
	if (m < 0)
		bail("pidfd_getfd: %s", strerror(errno));
	number_namespace(nl, pid);
	close(hold[1]);
	waitpid(pid, NULL, 0);
	ok(told_of_end(watch), "a machine does not keep its network namespace alive");
	is(run(m, 0, 0, &x), 0, "and runs on without it");
	is(x.exit.reason, MONTECITO_EXIT_PMU_OVERFLOW, "to its overflow, of which nobody is told");
	v = vcpu(m, 0);
	a.look = machine_id(m);
	simple(&r, MONTECITO_NL_CMD_MACHINE_GET, a.look, -1);
	ask(genl, &r, &a);
	is(a.error, -ENOENT, "no namespace has it");
	close(v);
	close(m);
	mnl_socket_close(nl);
	mnl_socket_close(watch);
}

static int child(int (*fn)(uint32_t machine), uint32_t machine)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid)
		_exit(fn(machine));
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

static void who_may(void)
{
	int m = machine(1, 1, 0);
	uint32_t id = machine_id(m);

	eq(child(as_nobody, id), 0, "another user: no device, no machine, an empty list");
	eq(child(with_roots_socket, id), 0, "nor with a socket opened by root");
	eq(child(as_owner, id), 0, "an owner without capabilities sees its own machine only");
	eq(child(with_perfmon, id), 0, "another user with CAP_PERFMON reads and does not write");
	eq(child(with_sys_admin, id), 0, "another user with CAP_SYS_ADMIN reads and writes");
	eq(child(lent, id), 0, "the owner's other processes get its descriptor, others do not");
	eq(child(nobody_listens, id), 0, "another user is not told of its overflows, from 6.6 on");
	eq(child(in_namespace, id), 0, "another network namespace sees nothing");
	close(m);
}

/* ---- no request waits for another user's machine ---- */

static double prompt;

/* The answer to a request and whether it came in time. */
static bool served(struct mnl_socket *nl, struct request *r, struct answer *a)
{
	double t = now();

	ask(nl, r, a);
	t = now() - t;
	if (t > prompt)
		diag("an answer took %.2f s", t);
	return t <= prompt;
}

static int write_pmd(struct mnl_socket *nl, uint32_t id, bool *in_time, char *text)
{
	struct answer a = { .look = id };
	struct request r;
	uint64_t v = 9;

	simple(&r, MONTECITO_NL_CMD_PMD_SET, id, 0);
	put_reg(&r, 15, &v);
	*in_time &= served(nl, &r, &a);
	strcpy(text, a.text);
	return a.error;
}

/* One machine runs with as many sampling observers as it may have. */
static void beside_a_runner(struct mnl_socket *nl)
{
	struct montecito_ring ring = { .size = sizeof(ring) };
	int m = machine(1, 1, 0), v = vcpu(m, 0), other = machine(1, 1, 0), i, err;
	struct answer a = { .look = machine_id(m) };
	bool in_time = true, answered = true, written = true;
	uint64_t insns = 0, before;
	int running = 0, advanced = 0;
	struct request r;
	char text[256];
	pid_t pid;

	start(v, GUEST_SPIN);
	if (call(v, MONTECITO_RING, &ring))
		bail("ring");
	for (i = 0; !observer(v, EVENT_INST_RETIRED, 1, NULL); i++)
		;
	ok(i >= 16, "%d sampling observers", i);
	fflush(stdout);
	pid = fork();
	if (!pid) {
		run(m, 0, 0, NULL);
		_exit(0);
	}
	for (i = 0; i < 20; i++) {
		usleep(50000);
		prepare(&r, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, NLM_F_ACK);
		mnl_attr_put_strz(&r.h, CTRL_ATTR_FAMILY_NAME, "nlctrl");
		in_time &= served(nl, &r, &a);
		a.look = machine_id(m);
		simple(&r, MONTECITO_NL_CMD_MACHINE_GET, a.look, -1);
		in_time &= served(nl, &r, &a);
		running += a.attr[MONTECITO_NL_A_RUNNING] == 1;
		before = insns;
		simple(&r, MONTECITO_NL_CMD_VCPU_GET, a.look, 0);
		in_time &= served(nl, &r, &a);
		answered &= !a.error;
		insns = a.attr[MONTECITO_NL_A_INSNS];
		advanced += insns > before;
		answered &= insns >= before;
		simple(&r, MONTECITO_NL_CMD_PMD_GET, a.look, 0);
		put_reg(&r, 4, NULL);
		in_time &= served(nl, &r, &a);
		answered &= !a.error;
		written &= !write_pmd(nl, machine_id(other), &in_time, text);
		err = write_pmd(nl, a.look, &in_time, text);
		written &= !err || (err == -EAGAIN && strstr(text, "try again"));
	}
	ok(in_time, "beside a runner with all its observers every request is served promptly");
	ok(answered && running == 20 && advanced > 5,
	   "readers see it run and advance (%d times of 20)", advanced);
	ok(written, "another machine is written, this one too or EAGAIN says why not");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	simple(&r, MONTECITO_NL_CMD_MACHINE_GET, a.look, -1);
	ask(nl, &r, &a);
	ok(!a.error && !a.attr[MONTECITO_NL_A_RUNNING], "killed: it runs no more");
	close(other);
	close(v);
	close(m);
}

/* HASH has the machine for a while: a write says so, and soon. */
static void beside_a_hash(struct mnl_socket *nl)
{
	struct montecito_hash h = { .size = sizeof(h) };
	int dev = open_device(), m = create(dev, 1, 1, 0, 256 << 20), i, again = 0, odd = 0;
	bool in_time = true, said = true, idle = true;
	struct answer a = { .look = machine_id(m) };
	struct request r;
	char text[256];
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		for (;;)
			call(m, MONTECITO_HASH, &h);
	}
	for (i = 0; i < 300 && again < 5; i++) {
		int err = write_pmd(nl, a.look, &in_time, text);

		again += err == -EAGAIN;
		odd += err && err != -EAGAIN;
		said &= err != -EAGAIN || strstr(text, "try again");
		simple(&r, MONTECITO_NL_CMD_VCPU_GET, a.look, 0);
		in_time &= served(nl, &r, &a);
		odd += a.error != 0;
		simple(&r, MONTECITO_NL_CMD_MACHINE_GET, a.look, -1);
		ask(nl, &r, &a);
		idle &= !a.attr[MONTECITO_NL_A_RUNNING];
	}
	ok(again >= 5 && said && !odd, "a write while HASH has the machine: EAGAIN, and why");
	ok(in_time, "within its time; readers do not wait at all");
	ok(idle, "HASH is not running");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(m);
	close(dev);
}

int main(void)
{
	struct mnl_socket *nl = nl_open();

	prompt = patience();
	resolve(nl);
	ok(family && group, "family and group");
	if (!family || !group)
		return done();
	lists(nl);
	long_list(nl);
	registers(nl);
	cycles(nl);
	refusals(nl);
	notifications();
	beside_a_runner(nl);
	beside_a_hash(nl);
	who_may();
	namespace_ends(nl);
	mnl_socket_close(nl);
	return done();
}
