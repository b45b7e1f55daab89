// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <linux/genetlink.h>
#include <linux/montecito_netlink.h>
#include <string.h>

#include "common.h"
#include "genl.h"

/* The family has a single group. */
static void take_group(const struct nlattr *groups, struct genl *g)
{
	const struct nlattr *group, *attr;

	mnl_attr_for_each_nested(group, groups) mnl_attr_for_each_nested(
		attr, group) if (mnl_attr_get_type(attr) == CTRL_ATTR_MCAST_GRP_ID)
		g->group = mnl_attr_get_u32(attr);
}

static int take_family(const struct nlattr *attr, void *data)
{
	struct genl *g = data;

	if (mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_ID)
		g->family = mnl_attr_get_u16(attr);
	if (mnl_attr_get_type(attr) == CTRL_ATTR_MCAST_GROUPS)
		take_group(attr, g);
	return MNL_CB_OK;
}

static int take_ctrl(const struct nlmsghdr *h, void *data)
{
	return mnl_attr_parse(h, sizeof(struct genlmsghdr), take_family, data);
}

void genl_begin(struct genl_message *r, uint16_t family, uint8_t cmd, uint16_t flags)
{
	struct genlmsghdr *g;

	mnl_nlmsg_put_header(r->buf);
	r->h.nlmsg_type = family;
	r->h.nlmsg_flags = NLM_F_REQUEST | flags;
	r->h.nlmsg_seq = 1;
	g = mnl_nlmsg_put_extra_header(&r->h, sizeof(*g));
	g->cmd = cmd;
	g->version = 1;
}

void genl_open(struct genl *g)
{
	struct genl_message r;
	int n;

	memset(g, 0, sizeof(*g));
	g->nl = mnl_socket_open(NETLINK_GENERIC);
	if (!g->nl || mnl_socket_bind(g->nl, 0, MNL_SOCKET_AUTOPID) < 0)
		bail("netlink: %s", strerror(errno));
	genl_begin(&r, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 0);
	mnl_attr_put_strz(&r.h, CTRL_ATTR_FAMILY_NAME, MONTECITO_NL_FAMILY_NAME);
	if (mnl_socket_sendto(g->nl, &r, r.h.nlmsg_len) < 0)
		bail("netlink: %s", strerror(errno));
	n = mnl_socket_recvfrom(g->nl, r.buf, sizeof(r.buf));
	if (n < 0 || mnl_cb_run(r.buf, n, 0, 0, take_ctrl, g) < 0 || !g->family)
		bail("family %s: %s", MONTECITO_NL_FAMILY_NAME, strerror(errno));
}

void genl_close(struct genl *g)
{
	mnl_socket_close(g->nl);
}

static int count(const struct nlmsghdr *h, void *data)
{
	(void)h;
	++*(int *)data;
	return MNL_CB_OK;
}

/* Error in the last message of a dump, or 0. */
static int list_error(const void *buf, int n)
{
	const struct nlmsghdr *h = buf;
	int err = 0;

	for (; mnl_nlmsg_ok(h, n); h = mnl_nlmsg_next(h, &n))
		if (h->nlmsg_type == NLMSG_DONE && mnl_nlmsg_get_payload_len(h) >= sizeof(err))
			memcpy(&err, mnl_nlmsg_get_payload(h), sizeof(err));
	return err;
}

int genl_talk(struct genl *g, struct genl_message *r)
{
	static __thread char answer[1 << 16];
	int n, more, messages = 0;

	if (!(r->h.nlmsg_flags & NLM_F_DUMP))
		r->h.nlmsg_flags |= NLM_F_ACK;
	if (mnl_socket_sendto(g->nl, r, r->h.nlmsg_len) < 0)
		return -errno;
	do {
		n = mnl_socket_recvfrom(g->nl, answer, sizeof(answer));
		if (n < 0)
			return errno == EAGAIN ? -ETIME : -errno;
		more = mnl_cb_run(answer, n, 0, 0, count, &messages);
		if (more < 0)
			return -errno;
		if (list_error(answer, n) < 0)
			return list_error(answer, n);
	} while (more == MNL_CB_OK);
	return messages;
}
