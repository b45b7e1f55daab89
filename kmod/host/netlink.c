// SPDX-License-Identifier: GPL-2.0-only
/*
 * Generic netlink family "montecito", as
 * Documentation/netlink/specs/montecito.yaml specifies it.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/user_namespace.h>
#include <net/genetlink.h>
#include <net/sock.h>

#include <linux/montecito_netlink.h>

#include "compat.h"
#include "host.h"

#define MHOST_NL_MAX_REGS 256

static struct genl_family mhost_genl;

static const struct nla_policy mhost_reg_policy[MONTECITO_NL_REG_MAX + 1] = {
	[MONTECITO_NL_REG_INDEX] = { .type = NLA_U32 },
	[MONTECITO_NL_REG_VALUE] = { .type = NLA_U64 },
};

/* Requests name a machine, a vcpu, and registers; each up to one of these. */
static const struct nla_policy mhost_nl_policy[MONTECITO_NL_A_REG + 1] = {
	[MONTECITO_NL_A_MACHINE] = { .type = NLA_U32 },
	[MONTECITO_NL_A_VCPU] = { .type = NLA_U32 },
	[MONTECITO_NL_A_REG] = NLA_POLICY_NESTED(mhost_reg_policy),
};

/* ---- what a request is about ---- */

static struct mhost_machine *mhost_nl_machine(struct genl_info *info, struct sk_buff *skb)
{
	struct nlattr *attr = info->attrs[MONTECITO_NL_A_MACHINE];
	struct mhost_machine *m;

	if (!attr) {
		NL_SET_ERR_MSG(info->extack, "the number of the machine is missing");
		return ERR_PTR(-EINVAL);
	}
	m = mhost_registry_get(genl_info_net(info), nla_get_u32(attr));
	if (!m) {
		NL_SET_ERR_MSG_ATTR(info->extack, attr,
				    "no such machine in this network namespace");
		return ERR_PTR(-ENOENT);
	}
	if (!mhost_registry_may(m, skb)) {
		mhost_machine_put(m);
		NL_SET_ERR_MSG_ATTR(info->extack, attr,
				    "the machine belongs to another user: needs CAP_PERFMON");
		return ERR_PTR(-EPERM);
	}
	return m;
}

static struct mhost_machine *mhost_nl_vcpu(struct genl_info *info, struct sk_buff *skb, u32 *vcpu)
{
	struct nlattr *attr = info->attrs[MONTECITO_NL_A_VCPU];
	struct mhost_machine *m;

	if (!attr) {
		NL_SET_ERR_MSG(info->extack, "the index of the vcpu is missing");
		return ERR_PTR(-EINVAL);
	}
	m = mhost_nl_machine(info, skb);
	if (IS_ERR(m))
		return m;
	*vcpu = nla_get_u32(attr);
	if (*vcpu >= m->nr_vcpus) {
		mhost_machine_put(m);
		NL_SET_ERR_MSG_ATTR(info->extack, attr, "the machine has no such vcpu");
		return ERR_PTR(-ENOENT);
	}
	return m;
}

/* ---- machines ---- */

static int mhost_nl_put_machine(struct sk_buff *msg, struct mhost_machine *m,
				struct user_namespace *ns, u32 portid, u32 seq, int flags)
{
	void *hdr = genlmsg_put(msg, portid, seq, &mhost_genl, flags, MONTECITO_NL_CMD_MACHINE_GET);

	if (!hdr)
		return -EMSGSIZE;
	if (nla_put_u32(msg, MONTECITO_NL_A_MACHINE, m->id) ||
	    nla_put_u32(msg, MONTECITO_NL_A_CORES, m->cfg.cores) ||
	    nla_put_u32(msg, MONTECITO_NL_A_THREADS, m->cfg.threads) ||
	    nla_put_u32(msg, MONTECITO_NL_A_CONFIG, m->cfg.flags) ||
	    nla_put_u32(msg, MONTECITO_NL_A_UID, from_kuid_munged(ns, m->uid)) ||
	    nla_put_u32(msg, MONTECITO_NL_A_NR_VCPUS, m->nr_vcpus) ||
	    nla_put_u64_64bit(msg, MONTECITO_NL_A_MEMORY, m->cfg.memory, MONTECITO_NL_A_PAD) ||
	    nla_put_u8(msg, MONTECITO_NL_A_RUNNING, READ_ONCE(m->busy))) {
		genlmsg_cancel(msg, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(msg, hdr);
	return 0;
}

static int mhost_nl_machine_get(struct sk_buff *skb, struct genl_info *info)
{
	struct mhost_machine *m = mhost_nl_machine(info, skb);
	struct sk_buff *msg;
	int ret = -ENOMEM;

	if (IS_ERR(m))
		return PTR_ERR(m);
	msg = genlmsg_new(NLMSG_GOODSIZE, GFP_KERNEL);
	if (msg)
		ret = mhost_nl_put_machine(msg, m, sk_user_ns(NETLINK_CB(skb).sk), info->snd_portid,
					   info->snd_seq, 0);
	mhost_machine_put(m);
	if (ret) {
		nlmsg_free(msg);
		return ret;
	}
	return genlmsg_reply(msg, info);
}

/*
 * Walk the machines that the reader may see: cb->args[0] is the number to go on
 * from, cb->args[1] the vcpu.
 */
static struct mhost_machine *mhost_nl_next(struct netlink_callback *cb)
{
	struct nlattr *only = mhost_dump_attrs(cb)[MONTECITO_NL_A_MACHINE];
	struct net *net = sock_net(NETLINK_CB(cb->skb).sk);
	struct mhost_machine *m;
	unsigned long id;

	for (;;) {
		id = cb->args[0];
		m = mhost_registry_next(net, &id);
		if (!m)
			return NULL;
		if (id != cb->args[0]) {
			cb->args[0] = id;
			cb->args[1] = 0;
		}
		if ((!only || nla_get_u32(only) == id) && mhost_registry_may(m, cb->skb))
			return m;
		mhost_machine_put(m);
		cb->args[0]++;
	}
}

static int mhost_nl_machine_dump(struct sk_buff *msg, struct netlink_callback *cb)
{
	struct mhost_machine *m;
	int ret;

	while ((m = mhost_nl_next(cb))) {
		ret = mhost_nl_put_machine(msg, m, sk_user_ns(NETLINK_CB(cb->skb).sk),
					   NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
					   NLM_F_MULTI);
		mhost_machine_put(m);
		if (ret)
			break;
		cb->args[0]++;
	}
	return msg->len;
}

/* ---- vcpus ---- */

static int mhost_nl_put_vcpu(struct sk_buff *msg, struct mhost_machine *m, u32 vcpu, u32 portid,
			     u32 seq, int flags)
{
	struct montecito_reg reg[] = {
		{ .cls = MONTECITO_REG_SPECIAL, .index = MONTECITO_SPECIAL_IP },
		{ .cls = MONTECITO_REG_SPECIAL, .index = MONTECITO_SPECIAL_PSR },
		{ .cls = MONTECITO_REG_SPECIAL, .index = MONTECITO_SPECIAL_INSNS },
		{ .cls = MONTECITO_REG_SPECIAL, .index = MONTECITO_SPECIAL_CYCLES },
		{ .cls = MONTECITO_REG_SPECIAL, .index = MONTECITO_SPECIAL_HALTED },
	};
	void *hdr;
	u32 bad;
	int ret;

	ret = mhost_regs_get(m, vcpu, reg, ARRAY_SIZE(reg), &bad);
	if (ret)
		return ret;
	hdr = genlmsg_put(msg, portid, seq, &mhost_genl, flags, MONTECITO_NL_CMD_VCPU_GET);
	if (!hdr)
		return -EMSGSIZE;
	if (nla_put_u32(msg, MONTECITO_NL_A_MACHINE, m->id) ||
	    nla_put_u32(msg, MONTECITO_NL_A_VCPU, vcpu) ||
	    nla_put_u64_64bit(msg, MONTECITO_NL_A_IP, reg[0].value[0], MONTECITO_NL_A_PAD) ||
	    nla_put_u64_64bit(msg, MONTECITO_NL_A_PSR, reg[1].value[0], MONTECITO_NL_A_PAD) ||
	    nla_put_u64_64bit(msg, MONTECITO_NL_A_INSNS, reg[2].value[0], MONTECITO_NL_A_PAD) ||
	    nla_put_u64_64bit(msg, MONTECITO_NL_A_CYCLES, reg[3].value[0], MONTECITO_NL_A_PAD) ||
	    nla_put_u8(msg, MONTECITO_NL_A_HALTED, !!reg[4].value[0])) {
		genlmsg_cancel(msg, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(msg, hdr);
	return 0;
}

static int mhost_nl_vcpu_get(struct sk_buff *skb, struct genl_info *info)
{
	struct mhost_machine *m;
	struct sk_buff *msg;
	int ret = -ENOMEM;
	u32 vcpu;

	m = mhost_nl_vcpu(info, skb, &vcpu);
	if (IS_ERR(m))
		return PTR_ERR(m);
	msg = genlmsg_new(NLMSG_GOODSIZE, GFP_KERNEL);
	if (msg)
		ret = mhost_nl_put_vcpu(msg, m, vcpu, info->snd_portid, info->snd_seq, 0);
	mhost_machine_put(m);
	if (ret) {
		nlmsg_free(msg);
		return ret;
	}
	return genlmsg_reply(msg, info);
}

static int mhost_nl_vcpu_dump(struct sk_buff *msg, struct netlink_callback *cb)
{
	struct mhost_machine *m;
	int ret = 0;

	if (mhost_dump_attrs(cb)[MONTECITO_NL_A_VCPU]) {
		NL_SET_ERR_MSG(cb->extack,
			       "a dump lists all vcpus: ask for one without NLM_F_DUMP");
		return -EINVAL;
	}
	while (!ret && (m = mhost_nl_next(cb))) {
		while (!ret && cb->args[1] < m->nr_vcpus) {
			ret = mhost_nl_put_vcpu(msg, m, cb->args[1], NETLINK_CB(cb->skb).portid,
						cb->nlh->nlmsg_seq, NLM_F_MULTI);
			if (!ret)
				cb->args[1]++;
		}
		mhost_machine_put(m);
		if (!ret) {
			cb->args[0]++;
			cb->args[1] = 0;
		}
	}
	return msg->len;
}

/* ---- registers ---- */

/* The registers of a request, in their order; the caller frees them. */
static struct montecito_reg *mhost_nl_regs(struct genl_info *info, u32 cls, bool set, u32 *count)
{
	struct nlattr *tb[MONTECITO_NL_REG_MAX + 1], *attr;
	struct montecito_reg *reg;
	int rem, ret;
	u32 n = 0;

	reg = kcalloc(MHOST_NL_MAX_REGS, sizeof(*reg), GFP_KERNEL_ACCOUNT);
	if (!reg)
		return ERR_PTR(-ENOMEM);
	ret = -EINVAL;
	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, rem) {
		if (nla_type(attr) != MONTECITO_NL_A_REG)
			continue;
		if (n == MHOST_NL_MAX_REGS) {
			NL_SET_ERR_MSG_ATTR(info->extack, attr, "more than 256 registers");
			goto fail;
		}
		ret = nla_parse_nested(tb, MONTECITO_NL_REG_MAX, attr, mhost_reg_policy,
				       info->extack);
		if (ret)
			goto fail;
		ret = -EINVAL;
		if (!tb[MONTECITO_NL_REG_INDEX]) {
			NL_SET_ERR_MSG_ATTR(info->extack, attr, "a register without its index");
			goto fail;
		}
		if (set && !tb[MONTECITO_NL_REG_VALUE]) {
			NL_SET_ERR_MSG_ATTR(info->extack, attr,
					    "a register to set without its value");
			goto fail;
		}
		if (!set && tb[MONTECITO_NL_REG_VALUE]) {
			NL_SET_ERR_MSG_ATTR(info->extack, attr, "a register to get with a value");
			goto fail;
		}
		reg[n].cls = cls;
		reg[n].index = nla_get_u32(tb[MONTECITO_NL_REG_INDEX]);
		if (set)
			reg[n].value[0] = nla_get_u64(tb[MONTECITO_NL_REG_VALUE]);
		n++;
	}
	if (!n) {
		NL_SET_ERR_MSG(info->extack, "no register given");
		goto fail;
	}
	*count = n;
	return reg;
fail:
	kfree(reg);
	return ERR_PTR(ret);
}

/* Point at register @bad of the request. */
static void mhost_nl_bad_reg(struct genl_info *info, u32 bad)
{
	struct nlattr *attr;
	int rem;

	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, rem)
		if (nla_type(attr) == MONTECITO_NL_A_REG && !bad--) {
			NL_SET_ERR_MSG_ATTR(info->extack, attr,
					    "no such register, or it cannot hold this value");
			return;
		}
}

static int mhost_nl_reply_regs(struct genl_info *info, struct mhost_machine *m, u32 vcpu,
			       const struct montecito_reg *reg, u32 count)
{
	struct sk_buff *msg;
	void *hdr;
	u32 i;

	msg = genlmsg_new(2 * nla_total_size(4) + count * nla_total_size(nla_total_size(4) +
									 nla_total_size_64bit(8)),
			  GFP_KERNEL);
	if (!msg)
		return -ENOMEM;
	hdr = genlmsg_put_reply(msg, info, &mhost_genl, 0, info->genlhdr->cmd);
	if (!hdr || nla_put_u32(msg, MONTECITO_NL_A_MACHINE, m->id) ||
	    nla_put_u32(msg, MONTECITO_NL_A_VCPU, vcpu))
		goto fail;
	for (i = 0; i < count; i++) {
		struct nlattr *nest = nla_nest_start(msg, MONTECITO_NL_A_REG);

		if (!nest || nla_put_u32(msg, MONTECITO_NL_REG_INDEX, reg[i].index) ||
		    nla_put_u64_64bit(msg, MONTECITO_NL_REG_VALUE, reg[i].value[0],
				      MONTECITO_NL_REG_PAD))
			goto fail;
		nla_nest_end(msg, nest);
	}
	genlmsg_end(msg, hdr);
	return genlmsg_reply(msg, info);
fail:
	nlmsg_free(msg);
	return -EMSGSIZE;
}

static int mhost_nl_regs_do(struct sk_buff *skb, struct genl_info *info, u32 cls, bool set)
{
	struct montecito_reg *reg;
	struct mhost_machine *m;
	u32 vcpu, count, bad;
	int ret;

	m = mhost_nl_vcpu(info, skb, &vcpu);
	if (IS_ERR(m))
		return PTR_ERR(m);
	reg = mhost_nl_regs(info, cls, set, &count);
	if (IS_ERR(reg)) {
		ret = PTR_ERR(reg);
		goto out_put;
	}
	if (set)
		ret = mhost_regs_set(m, vcpu, reg, count, &bad);
	else
		ret = mhost_regs_get(m, vcpu, reg, count, &bad);
	if (ret)
		mhost_nl_bad_reg(info, bad);
	else if (!set)
		ret = mhost_nl_reply_regs(info, m, vcpu, reg, count);
	kfree(reg);
out_put:
	mhost_machine_put(m);
	return ret;
}

static int mhost_nl_pmc_get(struct sk_buff *skb, struct genl_info *info)
{
	return mhost_nl_regs_do(skb, info, MONTECITO_REG_PMC, false);
}

static int mhost_nl_pmc_set(struct sk_buff *skb, struct genl_info *info)
{
	return mhost_nl_regs_do(skb, info, MONTECITO_REG_PMC, true);
}

static int mhost_nl_pmd_get(struct sk_buff *skb, struct genl_info *info)
{
	return mhost_nl_regs_do(skb, info, MONTECITO_REG_PMD, false);
}

static int mhost_nl_pmd_set(struct sk_buff *skb, struct genl_info *info)
{
	return mhost_nl_regs_do(skb, info, MONTECITO_REG_PMD, true);
}

/* ---- PAL ---- */

static int mhost_nl_pal_get(struct sk_buff *skb, struct genl_info *info)
{
	struct mhost_machine *m;
	u64 word, mask[16];
	struct sk_buff *msg;
	void *hdr;
	u32 vcpu;

	m = mhost_nl_vcpu(info, skb, &vcpu);
	if (IS_ERR(m))
		return PTR_ERR(m);
	mhost_lock(m);
	mont_perf_mon_info(mont_vcpu(m->pkg, vcpu), &word, mask);
	mhost_unlock(m);
	mhost_machine_put(m);

	msg = genlmsg_new(NLMSG_GOODSIZE, GFP_KERNEL);
	if (!msg)
		return -ENOMEM;
	hdr = genlmsg_put_reply(msg, info, &mhost_genl, 0, info->genlhdr->cmd);
	if (!hdr ||
	    nla_put_u32(msg, MONTECITO_NL_A_MACHINE,
			nla_get_u32(info->attrs[MONTECITO_NL_A_MACHINE])) ||
	    nla_put_u32(msg, MONTECITO_NL_A_VCPU, vcpu) ||
	    nla_put_s64(msg, MONTECITO_NL_A_PAL_STATUS, 0, MONTECITO_NL_A_PAD) ||
	    nla_put_u64_64bit(msg, MONTECITO_NL_A_PAL_INFO, word, MONTECITO_NL_A_PAD) ||
	    nla_put(msg, MONTECITO_NL_A_PAL_MASKS, sizeof(mask), mask)) {
		nlmsg_free(msg);
		return -EMSGSIZE;
	}
	genlmsg_end(msg, hdr);
	return genlmsg_reply(msg, info);
}

/* ---- the family ---- */

#define MHOST_NL_OP(_cmd, _last, ...)                                                     \
	{                                                                                 \
		.cmd = (_cmd), .policy = mhost_nl_policy, .maxattr = (_last), __VA_ARGS__ \
	}

static const struct genl_ops mhost_nl_ops[] = {
	MHOST_NL_OP(MONTECITO_NL_CMD_MACHINE_GET, MONTECITO_NL_A_MACHINE,
		    .doit = mhost_nl_machine_get, .dumpit = mhost_nl_machine_dump),
	MHOST_NL_OP(MONTECITO_NL_CMD_VCPU_GET, MONTECITO_NL_A_VCPU, .doit = mhost_nl_vcpu_get,
		    .dumpit = mhost_nl_vcpu_dump),
	MHOST_NL_OP(MONTECITO_NL_CMD_PMC_GET, MONTECITO_NL_A_REG, .doit = mhost_nl_pmc_get),
	MHOST_NL_OP(MONTECITO_NL_CMD_PMC_SET, MONTECITO_NL_A_REG, .doit = mhost_nl_pmc_set),
	MHOST_NL_OP(MONTECITO_NL_CMD_PMD_GET, MONTECITO_NL_A_REG, .doit = mhost_nl_pmd_get),
	MHOST_NL_OP(MONTECITO_NL_CMD_PMD_SET, MONTECITO_NL_A_REG, .doit = mhost_nl_pmd_set),
	MHOST_NL_OP(MONTECITO_NL_CMD_PAL_PERF_MON_INFO_GET, MONTECITO_NL_A_VCPU,
		    .doit = mhost_nl_pal_get),
};

static const struct genl_multicast_group mhost_nl_groups[] = {
	{ .name = MONTECITO_NL_MCGRP_OVERFLOW },
};

static struct genl_family mhost_genl __ro_after_init = {
	.name = MONTECITO_NL_FAMILY_NAME,
	.version = MONTECITO_NL_FAMILY_VERSION,
	.netnsok = true,
	/* A machine's lock may be held for a slice: let nobody else wait for it. */
	.parallel_ops = true,
	.module = THIS_MODULE,
	.ops = mhost_nl_ops,
	.n_ops = ARRAY_SIZE(mhost_nl_ops),
	.resv_start_op = 1,
	.mcgrps = mhost_nl_groups,
	.n_mcgrps = ARRAY_SIZE(mhost_nl_groups),
};

/* ---- notifications ---- */

#if MHOST_MCAST_FILTER
/* True to keep the message from this member of the group. */
static int mhost_nl_hide(struct sock *dsk, struct sk_buff *skb, void *data)
{
	struct mhost_machine *m = data;

	return !uid_eq(dsk->sk_uid, m->uid) &&
	       !file_ns_capable(dsk->sk_socket->file, &init_user_ns, CAP_PERFMON);
}
#endif

/**
 * mhost_note_send() - tell the multicast group of the machine's namespace
 * @m: machine, not locked
 * @note: what to tell; may be nothing
 *
 * A notification that cannot be sent for want of memory is gone: the ring and
 * RUN's exit are the reliable ways.
 */
void mhost_note_send(struct mhost_machine *m, const struct mhost_note *note)
{
	u32 attr = note->cmd == MONTECITO_NL_CMD_OVERFLOW_NTF ? MONTECITO_NL_A_PMC0
							      : MONTECITO_NL_A_UNCOUNTED;
	struct sk_buff *msg;
	void *hdr;

	if (!note->cmd || !genl_has_listeners(&mhost_genl, m->net, 0))
		return;
	msg = genlmsg_new(NLMSG_GOODSIZE, GFP_KERNEL);
	if (!msg)
		return;
	hdr = genlmsg_put(msg, 0, 0, &mhost_genl, 0, note->cmd);
	if (!hdr || nla_put_u32(msg, MONTECITO_NL_A_MACHINE, m->id) ||
	    nla_put_u32(msg, MONTECITO_NL_A_VCPU, note->vcpu) ||
	    nla_put_u64_64bit(msg, attr, note->bits, MONTECITO_NL_A_PAD) ||
	    nla_put_u64_64bit(msg, MONTECITO_NL_A_INSNS, note->insns, MONTECITO_NL_A_PAD) ||
	    nla_put_u64_64bit(msg, MONTECITO_NL_A_CYCLES, note->cycles, MONTECITO_NL_A_PAD) ||
	    nla_put_u32(msg, MONTECITO_NL_A_SUPPRESSED, note->suppressed)) {
		nlmsg_free(msg);
		return;
	}
	genlmsg_end(msg, hdr);
#if MHOST_MCAST_FILTER
	genlmsg_multicast_netns_filtered(&mhost_genl, m->net, msg, 0, 0, GFP_KERNEL, mhost_nl_hide,
					 m);
#else
	genlmsg_multicast_netns(&mhost_genl, m->net, msg, 0, 0, GFP_KERNEL);
#endif
}

/**
 * mhost_netlink_init() - register the family
 *
 * Return: 0 or a negative errno.
 */
int mhost_netlink_init(void)
{
	return genl_register_family(&mhost_genl);
}

/**
 * mhost_netlink_exit() - unregister it
 */
void mhost_netlink_exit(void)
{
	genl_unregister_family(&mhost_genl);
}
