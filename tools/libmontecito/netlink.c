// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Generic netlink family "montecito": machines and PMU registers that the caller may
 * read, and notifications (Documentation/netlink/specs/montecito.yaml).
 */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/montecito_netlink.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "libmontecito.h"
#include "sized.h"

#define BUF_SIZE 16384

struct montecito_nl {
	struct mnl_socket *sock;
	uint32_t seq;
	uint16_t family;
	uint32_t group;
	char message[256];
	char buf[BUF_SIZE];
};

/*
 * A list that changed between two of its parts is marked, and libmnl would stop at
 * that, with the rest unread. Take the mark off and remember it.
 */
static bool netlink_list_changed(char *buf, int len)
{
	struct nlmsghdr *h = (struct nlmsghdr *)buf;
	bool changed = false;

	for (; mnl_nlmsg_ok(h, len); h = mnl_nlmsg_next(h, &len)) {
		changed |= h->nlmsg_flags & NLM_F_DUMP_INTR;
		h->nlmsg_flags &= ~NLM_F_DUMP_INTR;
	}
	return changed;
}

/* One request: what to do with each reply. */
struct request {
	struct montecito_nl *nl;
	int (*reply)(const struct nlmsghdr *nlh, void *arg);
	void *arg;
	int err;
};

static struct nlmsghdr *netlink_begin(struct montecito_nl *nl, uint16_t type, uint8_t cmd,
				      uint16_t flags)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(nl->buf);
	struct genlmsghdr *g;

	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = NLM_F_REQUEST | flags;
	nlh->nlmsg_seq = ++nl->seq;
	g = mnl_nlmsg_put_extra_header(nlh, sizeof(*g));
	g->cmd = cmd;
	g->version = 1;
	return nlh;
}

static int netlink_keep_message(const struct nlattr *attr, void *data)
{
	struct montecito_nl *nl = data;

	if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_MSG &&
	    mnl_attr_validate(attr, MNL_TYPE_NUL_STRING) >= 0)
		snprintf(nl->message, sizeof(nl->message), "%s", mnl_attr_get_str(attr));
	return MNL_CB_OK;
}

static int netlink_on_error(const struct nlmsghdr *nlh, void *data)
{
	const struct nlmsgerr *e = mnl_nlmsg_get_payload(nlh);
	struct request *req = data;

	if (nlh->nlmsg_len < mnl_nlmsg_size(sizeof(*e))) {
		req->err = -EBADMSG;
		return MNL_CB_STOP;
	}
	req->err = e->error;
	if (e->error && nlh->nlmsg_flags & NLM_F_ACK_TLVS)
		mnl_attr_parse(nlh,
			       sizeof(*e) + (nlh->nlmsg_flags & NLM_F_CAPPED
						     ? 0
						     : mnl_nlmsg_get_payload_len(&e->msg)),
			       netlink_keep_message, req->nl);
	return MNL_CB_STOP;
}

static int netlink_on_done(const struct nlmsghdr *nlh, void *data)
{
	struct request *req = data;

	if (mnl_nlmsg_get_payload_len(nlh) >= sizeof(int))
		req->err = *(int *)mnl_nlmsg_get_payload(nlh);
	return MNL_CB_STOP;
}

static int netlink_on_reply(const struct nlmsghdr *nlh, void *data)
{
	struct request *req = data;
	int err = req->reply ? req->reply(nlh, req->arg) : 0;

	/* Go on reading to the end, so that the next request starts clean. */
	if (err && !req->err)
		req->err = err;
	return MNL_CB_OK;
}

static int netlink_transact(struct montecito_nl *nl, struct nlmsghdr *nlh,
			    int (*reply)(const struct nlmsghdr *nlh, void *arg), void *arg)
{
	static mnl_cb_t control[NLMSG_MIN_TYPE] = {
		[NLMSG_ERROR] = netlink_on_error,
		[NLMSG_DONE] = netlink_on_done,
	};
	struct request req = { .nl = nl, .reply = reply, .arg = arg };
	unsigned int port = mnl_socket_get_portid(nl->sock);
	bool changed = false;
	int kept = 0, ret;
	ssize_t n;

	nl->message[0] = '\0';
	if (mnl_socket_sendto(nl->sock, nlh, nlh->nlmsg_len) < 0)
		return -errno;
	do {
		n = mnl_socket_recvfrom(nl->sock, nl->buf, sizeof(nl->buf));
		if (n < 0)
			return -errno;
		changed |= netlink_list_changed(nl->buf, n);
		ret = mnl_cb_run2(nl->buf, n, nl->seq, port, netlink_on_reply, &req, control,
				  NLMSG_MIN_TYPE);
		if (ret < 0)
			return -errno;
		if (req.err && !kept)
			kept = req.err;
	} while (ret > MNL_CB_STOP);
	if (!kept)
		kept = req.err;
	return !kept && changed ? -EINTR : kept;
}

/* Items of a dump, kept until the dump is known to be of one instant. */
struct list {
	void *item;
	size_t size; /* of one */
	size_t nr;
};

static int netlink_list_add(struct list *l, const void *item)
{
	void *p = realloc(l->item, (l->nr + 1) * l->size);

	if (!p)
		return -ENOMEM;
	l->item = p;
	memcpy((char *)p + l->nr++ * l->size, item, l->size);
	return 0;
}

/* Read a list, again if it changed meanwhile; but not for ever. */
static int netlink_list_read(struct montecito_nl *nl, uint8_t cmd,
			     int (*add)(const struct nlmsghdr *nlh, void *list), struct list *l)
{
	int err = 0, i;

	for (i = 0; i < 10; i++) {
		l->nr = 0;
		err = netlink_transact(nl, netlink_begin(nl, nl->family, cmd, NLM_F_DUMP), add, l);
		if (err != -EINTR)
			return err;
	}
	return 0;
}

/* ---- the family ---- */

static int netlink_on_group(const struct nlattr *attr, void *data)
{
	const struct nlattr *a;
	const char *name = "";
	uint32_t id = 0;

	mnl_attr_for_each_nested(a, attr)
	{
		if (mnl_attr_get_type(a) == CTRL_ATTR_MCAST_GRP_NAME)
			name = mnl_attr_get_str(a);
		else if (mnl_attr_get_type(a) == CTRL_ATTR_MCAST_GRP_ID)
			id = mnl_attr_get_u32(a);
	}
	if (!strcmp(name, MONTECITO_NL_MCGRP_OVERFLOW))
		((struct montecito_nl *)data)->group = id;
	return MNL_CB_OK;
}

static int netlink_on_family(const struct nlmsghdr *nlh, void *arg)
{
	struct montecito_nl *nl = arg;
	const struct nlattr *attr;

	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr))
	{
		if (mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_ID)
			nl->family = mnl_attr_get_u16(attr);
		else if (mnl_attr_get_type(attr) == CTRL_ATTR_MCAST_GROUPS)
			mnl_attr_parse_nested(attr, netlink_on_group, nl);
	}
	return 0;
}

int montecito_nl_open(struct montecito_nl **res)
{
	struct montecito_nl *nl = calloc(1, sizeof(*nl));
	struct nlmsghdr *nlh;
	int one = 1, err;

	if (!nl)
		return -ENOMEM;
	nl->seq = time(NULL);
	nl->sock = mnl_socket_open(NETLINK_GENERIC);
	if (!nl->sock || mnl_socket_bind(nl->sock, 0, MNL_SOCKET_AUTOPID) < 0) {
		err = -errno;
		goto out;
	}
	/* Without them only the reasons of refusals are missing. */
	mnl_socket_setsockopt(nl->sock, NETLINK_EXT_ACK, &one, sizeof(one));
	mnl_socket_setsockopt(nl->sock, NETLINK_CAP_ACK, &one, sizeof(one));
	nlh = netlink_begin(nl, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, NLM_F_ACK);
	mnl_attr_put_strz(nlh, CTRL_ATTR_FAMILY_NAME, MONTECITO_NL_FAMILY_NAME);
	err = netlink_transact(nl, nlh, netlink_on_family, nl);
	if (!err && !nl->family)
		err = -ENOENT;
	if (err)
		goto out;
	*res = nl;
	return 0;
out:
	montecito_nl_close(nl);
	return err;
}

void montecito_nl_close(struct montecito_nl *nl)
{
	if (!nl)
		return;
	if (nl->sock)
		mnl_socket_close(nl->sock);
	free(nl);
}

const char *montecito_nl_message(const struct montecito_nl *nl)
{
	return nl->message;
}

/* ---- attributes ---- */

/* Numbers of a message by attribute; nested and longer ones apart. */
struct values {
	uint64_t num[MONTECITO_NL_A_MAX + 1];
	bool has[MONTECITO_NL_A_MAX + 1];
	const struct nlattr *reg;
	const struct nlattr *masks;
	const char *name;
};

static void netlink_parse(const struct nlmsghdr *nlh, struct values *v)
{
	const struct nlattr *a;

	memset(v, 0, sizeof(*v));
	mnl_attr_for_each(a, nlh, sizeof(struct genlmsghdr))
	{
		unsigned int type = mnl_attr_get_type(a);

		if (type > MONTECITO_NL_A_MAX)
			continue; /* of a newer kernel */
		v->has[type] = true;
		if (type == MONTECITO_NL_A_REG)
			v->reg = a;
		else if (type == MONTECITO_NL_A_PAL_MASKS)
			v->masks = a;
		else if (type == MONTECITO_NL_A_NAME &&
			 mnl_attr_validate(a, MNL_TYPE_NUL_STRING) >= 0)
			v->name = mnl_attr_get_str(a);
		else if (mnl_attr_get_payload_len(a) == 8)
			v->num[type] = mnl_attr_get_u64(a);
		else if (mnl_attr_get_payload_len(a) == 4)
			v->num[type] = mnl_attr_get_u32(a);
		else if (mnl_attr_get_payload_len(a) == 1)
			v->num[type] = mnl_attr_get_u8(a);
	}
}

static int netlink_on_machine(const struct nlmsghdr *nlh, void *arg)
{
	struct montecito_nl_machine m;
	struct values v;

	netlink_parse(nlh, &v);
	m.id = v.num[MONTECITO_NL_A_MACHINE];
	m.cores = v.num[MONTECITO_NL_A_CORES];
	m.threads = v.num[MONTECITO_NL_A_THREADS];
	m.config = v.num[MONTECITO_NL_A_CONFIG];
	m.uid = v.num[MONTECITO_NL_A_UID];
	m.pid = v.num[MONTECITO_NL_A_PID];
	snprintf(m.name, sizeof(m.name), "%s", v.name ? v.name : "");
	m.nr_vcpus = v.num[MONTECITO_NL_A_NR_VCPUS];
	m.memory = v.num[MONTECITO_NL_A_MEMORY];
	m.running = v.num[MONTECITO_NL_A_RUNNING];
	return netlink_list_add(arg, &m);
}

int montecito_nl_machines(struct montecito_nl *nl,
			  int (*fn)(const struct montecito_nl_machine *m, void *arg), void *arg)
{
	struct list l = { .size = sizeof(struct montecito_nl_machine) };
	int err = netlink_list_read(nl, MONTECITO_NL_CMD_MACHINE_GET, netlink_on_machine, &l);
	size_t i;

	for (i = 0; !err && i < l.nr; i++)
		err = fn((struct montecito_nl_machine *)l.item + i, arg);
	free(l.item);
	return err;
}

static void netlink_take_text(const struct nlattr *a, char *to, size_t size)
{
	if (mnl_attr_validate(a, MNL_TYPE_NUL_STRING) >= 0)
		snprintf(to, size, "%s", mnl_attr_get_str(a));
}

/* Add the PMUs of a kind to a vcpu's, as in "merced 2, pebs 1". */
static void netlink_on_pmu(const struct nlattr *nest, struct montecito_nl_vcpu *v)
{
	size_t len = strlen(v->pmus);
	const struct nlattr *a;
	char name[32] = "";
	uint32_t count = 0;

	mnl_attr_for_each_nested(a, nest)
	{
		if (mnl_attr_get_type(a) == MONTECITO_NL_PMU_NAME)
			netlink_take_text(a, name, sizeof(name));
		else if (mnl_attr_get_type(a) == MONTECITO_NL_PMU_COUNT &&
			 mnl_attr_get_payload_len(a) == 4)
			count = mnl_attr_get_u32(a);
	}
	snprintf(v->pmus + len, sizeof(v->pmus) - len, "%s%s %u", len ? ", " : "", name, count);
}

static int netlink_on_vcpu(const struct nlmsghdr *nlh, void *arg)
{
	struct montecito_nl_vcpu c = { 0 };
	const struct nlattr *a;
	struct values v;

	netlink_parse(nlh, &v);
	c.machine = v.num[MONTECITO_NL_A_MACHINE];
	c.vcpu = v.num[MONTECITO_NL_A_VCPU];
	c.ip = v.num[MONTECITO_NL_A_IP];
	c.psr = v.num[MONTECITO_NL_A_PSR];
	c.insns = v.num[MONTECITO_NL_A_INSNS];
	c.cycles = v.num[MONTECITO_NL_A_CYCLES];
	c.clock = v.num[MONTECITO_NL_A_CLOCK];
	c.halted = v.num[MONTECITO_NL_A_HALTED];
	c.observers = v.num[MONTECITO_NL_A_OBSERVERS];
	mnl_attr_for_each(a, nlh, sizeof(struct genlmsghdr))
	{
		if (mnl_attr_get_type(a) == MONTECITO_NL_A_PMU)
			netlink_on_pmu(a, &c);
	}
	return netlink_list_add(arg, &c);
}

int montecito_nl_vcpus(struct montecito_nl *nl,
		       int (*fn)(const struct montecito_nl_vcpu *v, void *arg), void *arg)
{
	struct list l = { .size = sizeof(struct montecito_nl_vcpu) };
	int err = netlink_list_read(nl, MONTECITO_NL_CMD_VCPU_GET, netlink_on_vcpu, &l);
	size_t i;

	for (i = 0; !err && i < l.nr; i++)
		err = fn((struct montecito_nl_vcpu *)l.item + i, arg);
	free(l.item);
	return err;
}

/* ---- where cycles went ---- */

/* An answer, whatever the caller has room for. */
struct cycles_answer {
	struct montecito_cycles sum;
	struct montecito_cause cause[MONTECITO_MAX_CAUSES];
};

static int netlink_on_cause(const struct nlattr *nest, struct cycles_answer *ans)
{
	struct montecito_cause *c = &ans->cause[ans->sum.count];
	const struct nlattr *a;

	if (ans->sum.count++ >= MONTECITO_MAX_CAUSES)
		return -EBADMSG;
	mnl_attr_for_each_nested(a, nest)
	{
		switch (mnl_attr_get_type(a)) {
		case MONTECITO_NL_CAUSE_NAME:
			netlink_take_text(a, c->name, sizeof(c->name));
			break;
		case MONTECITO_NL_CAUSE_TEXT:
			netlink_take_text(a, c->text, sizeof(c->text));
			break;
		case MONTECITO_NL_CAUSE_BAR:
			if (mnl_attr_get_payload_len(a) == 4)
				c->bar = mnl_attr_get_u32(a);
			break;
		case MONTECITO_NL_CAUSE_CYCLES:
			if (mnl_attr_get_payload_len(a) == 8)
				c->cycles = mnl_attr_get_u64(a);
			break;
		}
	}
	return 0;
}

static int netlink_on_cycles(const struct nlmsghdr *nlh, void *arg)
{
	struct cycles_answer *ans = arg;
	const struct nlattr *a;
	struct values v;
	int err = 0;

	netlink_parse(nlh, &v);
	ans->sum.insns = v.num[MONTECITO_NL_A_INSNS];
	ans->sum.cycles = v.num[MONTECITO_NL_A_CYCLES];
	ans->sum.halted = v.num[MONTECITO_NL_A_CYCLES_HALTED];
	ans->sum.functional = v.num[MONTECITO_NL_A_CYCLES_FUNCTIONAL];
	ans->sum.unstalled = v.num[MONTECITO_NL_A_CYCLES_UNSTALLED];
	mnl_attr_for_each(a, nlh, sizeof(struct genlmsghdr)) if (mnl_attr_get_type(a) ==
									 MONTECITO_NL_A_CAUSE &&
								 !err)
		err = netlink_on_cause(a, ans);
	return err;
}

int montecito_nl_cycles(struct montecito_nl *nl, uint32_t machine, uint32_t vcpu,
			struct montecito_cycles *c)
{
	struct nlmsghdr *nlh =
		netlink_begin(nl, nl->family, MONTECITO_NL_CMD_CYCLES_GET, NLM_F_ACK);
	struct cycles_answer ans = { 0 };
	uint32_t room = c->count;
	int err;

	mnl_attr_put_u32(nlh, MONTECITO_NL_A_MACHINE, machine);
	mnl_attr_put_u32(nlh, MONTECITO_NL_A_VCPU, vcpu);
	err = netlink_transact(nl, nlh, netlink_on_cycles, &ans);
	if (err)
		return err;
	c->count = ans.sum.count;
	if (room && room < c->count)
		return -ENOSPC;
	if (room)
		memcpy((void *)(uintptr_t)c->causes, ans.cause, c->count * sizeof(ans.cause[0]));
	c->insns = ans.sum.insns;
	c->cycles = ans.sum.cycles;
	c->halted = ans.sum.halted;
	c->functional = ans.sum.functional;
	c->unstalled = ans.sum.unstalled;
	return 0;
}

/* ---- registers ---- */

struct reg_answer {
	uint32_t index;
	uint64_t value;
	bool found;
};

static int netlink_on_reg(const struct nlmsghdr *nlh, void *arg)
{
	struct reg_answer *ans = arg;
	const struct nlattr *a;
	struct values v;

	netlink_parse(nlh, &v);
	if (!v.reg)
		return 0;
	mnl_attr_for_each_nested(a, v.reg)
	{
		if (mnl_attr_get_type(a) == MONTECITO_NL_REG_VALUE &&
		    mnl_attr_get_payload_len(a) == 8) {
			ans->value = mnl_attr_get_u64(a);
			ans->found = true;
		}
	}
	return 0;
}

static struct nlmsghdr *netlink_reg_request(struct montecito_nl *nl, uint8_t cmd, uint32_t machine,
					    uint32_t vcpu, uint32_t index, const uint64_t *value)
{
	struct nlmsghdr *nlh = netlink_begin(nl, nl->family, cmd, NLM_F_ACK);
	struct nlattr *nest;

	mnl_attr_put_u32(nlh, MONTECITO_NL_A_MACHINE, machine);
	mnl_attr_put_u32(nlh, MONTECITO_NL_A_VCPU, vcpu);
	nest = mnl_attr_nest_start(nlh, MONTECITO_NL_A_REG);
	mnl_attr_put_u32(nlh, MONTECITO_NL_REG_INDEX, index);
	if (value)
		mnl_attr_put_u64(nlh, MONTECITO_NL_REG_VALUE, *value);
	mnl_attr_nest_end(nlh, nest);
	return nlh;
}

int montecito_nl_reg_get(struct montecito_nl *nl, bool pmc, uint32_t machine, uint32_t vcpu,
			 uint32_t index, uint64_t *value)
{
	struct reg_answer ans = { 0 };
	int err;

	err = netlink_transact(
		nl,
		netlink_reg_request(nl, pmc ? MONTECITO_NL_CMD_PMC_GET : MONTECITO_NL_CMD_PMD_GET,
				    machine, vcpu, index, NULL),
		netlink_on_reg, &ans);
	if (!err && !ans.found)
		err = -EBADMSG;
	*value = ans.value;
	return err;
}

int montecito_nl_reg_set(struct montecito_nl *nl, bool pmc, uint32_t machine, uint32_t vcpu,
			 uint32_t index, uint64_t value)
{
	return netlink_transact(
		nl,
		netlink_reg_request(nl, pmc ? MONTECITO_NL_CMD_PMC_SET : MONTECITO_NL_CMD_PMD_SET,
				    machine, vcpu, index, &value),
		NULL, NULL);
}

struct pal_answer {
	int64_t status;
	uint64_t info;
	uint64_t *mask;
	bool found;
};

static int netlink_on_pal(const struct nlmsghdr *nlh, void *arg)
{
	struct pal_answer *ans = arg;
	struct values v;

	netlink_parse(nlh, &v);
	ans->status = v.num[MONTECITO_NL_A_PAL_STATUS];
	ans->info = v.num[MONTECITO_NL_A_PAL_INFO];
	if (v.masks && mnl_attr_get_payload_len(v.masks) == 16 * sizeof(uint64_t)) {
		memcpy(ans->mask, mnl_attr_get_payload(v.masks), 16 * sizeof(uint64_t));
		ans->found = true;
	}
	return 0;
}

int montecito_nl_perf_mon_info(struct montecito_nl *nl, uint32_t machine, uint32_t vcpu,
			       int64_t *status, uint64_t *info, uint64_t mask[16])
{
	struct pal_answer ans = { .mask = mask };
	struct nlmsghdr *nlh =
		netlink_begin(nl, nl->family, MONTECITO_NL_CMD_PAL_PERF_MON_INFO_GET, NLM_F_ACK);
	int err;

	mnl_attr_put_u32(nlh, MONTECITO_NL_A_MACHINE, machine);
	mnl_attr_put_u32(nlh, MONTECITO_NL_A_VCPU, vcpu);
	err = netlink_transact(nl, nlh, netlink_on_pal, &ans);
	if (!err && !ans.found)
		err = -EBADMSG;
	*status = ans.status;
	*info = ans.info;
	return err;
}

/* ---- notifications ---- */

int montecito_nl_subscribe(struct montecito_nl *nl)
{
	if (!nl->group)
		return -ENOENT;
	return mnl_socket_setsockopt(nl->sock, NETLINK_ADD_MEMBERSHIP, &nl->group,
				     sizeof(nl->group)) < 0
		       ? -errno
		       : 0;
}

static int netlink_on_event(const struct nlmsghdr *nlh, void *data)
{
	const struct genlmsghdr *g = mnl_nlmsg_get_payload(nlh);
	struct montecito_nl_event *ev = data;
	struct values v;

	if (g->cmd != MONTECITO_NL_CMD_OVERFLOW_NTF && g->cmd != MONTECITO_NL_CMD_UNCOUNTED_NTF)
		return MNL_CB_OK;
	netlink_parse(nlh, &v);
	ev->overflow = g->cmd == MONTECITO_NL_CMD_OVERFLOW_NTF;
	ev->machine = v.num[MONTECITO_NL_A_MACHINE];
	ev->vcpu = v.num[MONTECITO_NL_A_VCPU];
	ev->suppressed = v.num[MONTECITO_NL_A_SUPPRESSED];
	ev->mask = v.num[ev->overflow ? MONTECITO_NL_A_PMC0 : MONTECITO_NL_A_UNCOUNTED];
	ev->insns = v.num[MONTECITO_NL_A_INSNS];
	ev->cycles = v.num[MONTECITO_NL_A_CYCLES];
	return MNL_CB_STOP;
}

int montecito_nl_next(struct montecito_nl *nl, struct montecito_nl_event *ev)
{
	struct montecito_nl_event all = { 0 };
	ssize_t n;
	int ret = SIZED_GIVE(ev, &all, cycles);

	/* A notification is not taken for a caller that has no room for one. */
	if (ret)
		return ret;
	/* One notification is one datagram. */
	do {
		n = mnl_socket_recvfrom(nl->sock, nl->buf, sizeof(nl->buf));
		if (n < 0)
			return -errno;
		ret = mnl_cb_run(nl->buf, n, 0, 0, netlink_on_event, &all);
		if (ret < 0)
			return -errno;
	} while (ret != MNL_CB_STOP);
	return SIZED_GIVE(ev, &all, cycles);
}
