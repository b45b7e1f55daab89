// SPDX-License-Identifier: GPL-2.0-only
/*
 * Generic netlink family "montecito", as
 * Documentation/netlink/specs/montecito.yaml specifies it.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/nospec.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/user_namespace.h>
#include <net/genetlink.h>
#include <net/sock.h>

#include <linux/montecito_netlink.h>

#include "compat.h"
#include "host.h"
#include "machine.h"
#include "netlink.h"
#include "netlink_request.h"
#include "notify.h"
#include "registry.h"
#include "snapshot.h"

const struct nla_policy mhost_reg_policy[MONTECITO_NL_REG_MAX + 1] = {
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

#define MHOST_NL_NO_MACHINE "no such machine in this network namespace"
#define MHOST_NL_NOT_YOURS "the machine belongs to another user: needs CAP_PERFMON"

static struct mhost_machine *mhost_nl_machine(struct genl_info *info, struct sk_buff *skb)
{
	struct nlattr *attr = info->attrs[MONTECITO_NL_A_MACHINE];
	struct mhost_machine *m;

	if (GENL_REQ_ATTR_CHECK(info, MONTECITO_NL_A_MACHINE)) {
		NL_SET_ERR_MSG(info->extack, "the number of the machine is missing");
		return ERR_PTR(-EINVAL);
	}
	m = mhost_registry_get(genl_info_net(info), nla_get_u32(attr));
	if (!m) {
		NL_SET_ERR_MSG_ATTR(info->extack, attr, MHOST_NL_NO_MACHINE);
		return ERR_PTR(-ENOENT);
	}
	if (!mhost_registry_may_read(m, skb)) {
		mhost_machine_put(m);
		NL_SET_ERR_MSG_ATTR(info->extack, attr, MHOST_NL_NOT_YOURS);
		return ERR_PTR(-EPERM);
	}
	return m;
}

/**
 * mhost_nl_vcpu() - the machine and vcpu of a request
 * @info: request
 * @skb: its message, whose sender must be allowed to read the machine
 * @vcpu: set to the index of the vcpu, within the machine's
 *
 * Return: the machine, which the caller puts; an error with its message in @info (EINVAL one of
 * both is missing, ENOENT there is none, EPERM it is another user's).
 */
struct mhost_machine *mhost_nl_vcpu(struct genl_info *info, struct sk_buff *skb, u32 *vcpu)
{
	struct nlattr *attr = info->attrs[MONTECITO_NL_A_VCPU];
	struct mhost_machine *m;

	if (GENL_REQ_ATTR_CHECK(info, MONTECITO_NL_A_VCPU)) {
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
	*vcpu = array_index_nospec(*vcpu, m->nr_vcpus);
	return m;
}

/* ---- machines ---- */

/* The owner's process as the reader numbers it; 0 if it cannot see it, or it is gone. */
static u32 mhost_nl_pid(struct mhost_machine *m)
{
	u32 pid = 0;

	rcu_read_lock();
	if (pid_task(m->pid, PIDTYPE_TGID))
		pid = pid_vnr(m->pid);
	rcu_read_unlock();
	return pid;
}

static int mhost_nl_put_machine(struct sk_buff *msg, struct mhost_machine *m,
				struct user_namespace *ns, u32 portid, u32 seq,
				struct netlink_callback *cb)
{
	void *hdr = genlmsg_put(msg, portid, seq, &mhost_genl, cb ? NLM_F_MULTI : 0,
				MONTECITO_NL_CMD_MACHINE_GET);

	if (!hdr)
		return -EMSGSIZE;
	if (cb)
		genl_dump_check_consistent(cb, hdr);
	if (nla_put_u32(msg, MONTECITO_NL_A_MACHINE, m->id) ||
	    nla_put_u32(msg, MONTECITO_NL_A_CORES, m->cfg.cores) ||
	    nla_put_u32(msg, MONTECITO_NL_A_THREADS, m->cfg.threads) ||
	    nla_put_u32(msg, MONTECITO_NL_A_CONFIG, m->cfg.flags) ||
	    nla_put_u32(msg, MONTECITO_NL_A_UID, from_kuid_munged(ns, m->uid)) ||
	    nla_put_u32(msg, MONTECITO_NL_A_PID, mhost_nl_pid(m)) ||
	    nla_put_string(msg, MONTECITO_NL_A_NAME, m->name) ||
	    nla_put_u32(msg, MONTECITO_NL_A_NR_VCPUS, m->nr_vcpus) ||
	    nla_put_u64_64bit(msg, MONTECITO_NL_A_MEMORY, m->cfg.memory, MONTECITO_NL_A_PAD) ||
	    nla_put_u8(msg, MONTECITO_NL_A_RUNNING, READ_ONCE(m->busy) == MHOST_RUN)) {
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
					   info->snd_seq, NULL);
	mhost_machine_put(m);
	if (ret) {
		nlmsg_free(msg);
		return ret;
	}
	return genlmsg_reply(msg, info);
}

/*
 * A dump of one machine says so if that is not there or not to be seen. Looked
 * at in the first part of a dump, not before it: 6.1 has no message there.
 */
static int mhost_nl_dump_check(struct netlink_callback *cb)
{
	struct nlattr *only = mhost_dump_attrs(cb)[MONTECITO_NL_A_MACHINE];
	struct mhost_machine *m;
	int ret = 0;

	if (!only || cb->args[0])
		return 0;
	m = mhost_registry_get(sock_net(NETLINK_CB(cb->skb).sk), nla_get_u32(only));
	if (!m) {
		NL_SET_ERR_MSG_ATTR(cb->extack, only, MHOST_NL_NO_MACHINE);
		return -ENOENT;
	}
	if (!mhost_registry_may_read(m, cb->skb)) {
		NL_SET_ERR_MSG_ATTR(cb->extack, only, MHOST_NL_NOT_YOURS);
		ret = -EPERM;
	}
	mhost_machine_put(m);
	return ret;
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
		if ((!only || nla_get_u32(only) == id) && mhost_registry_may_read(m, cb->skb))
			return m;
		mhost_machine_put(m);
		cb->args[0]++;
	}
}

static int mhost_nl_machine_dump(struct sk_buff *msg, struct netlink_callback *cb)
{
	struct mhost_machine *m;
	int ret = mhost_nl_dump_check(cb);

	if (ret)
		return ret;
	cb->seq = mhost_registry_generation();
	while ((m = mhost_nl_next(cb))) {
		ret = mhost_nl_put_machine(msg, m, sk_user_ns(NETLINK_CB(cb->skb).sk),
					   NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq, cb);
		mhost_machine_put(m);
		if (ret)
			break;
		cb->args[0]++;
	}
	return msg->len;
}

/* ---- vcpus ---- */

/* Other processors' PMUs on a vcpu, by kind. */
static int mhost_nl_put_pmus(struct sk_buff *msg, struct mhost_machine *m, u32 vcpu)
{
	struct nlattr *nest;
	u32 kind, count;

	for (kind = 0; kind < MONT_BLOCK_KINDS; kind++) {
		count = READ_ONCE(m->nr_vcpu_kinds[vcpu][kind]);
		if (!count)
			continue;
		nest = nla_nest_start(msg, MONTECITO_NL_A_PMU);
		if (!nest ||
		    nla_put_string(msg, MONTECITO_NL_PMU_NAME, mont_block_kind(kind)->name) ||
		    nla_put_u32(msg, MONTECITO_NL_PMU_COUNT, count))
			return -EMSGSIZE;
		nla_nest_end(msg, nest);
	}
	return 0;
}

static int mhost_nl_put_vcpu(struct sk_buff *msg, struct mhost_machine *m,
			     const struct montecito_snapshot *s, u32 portid, u32 seq,
			     struct netlink_callback *cb)
{
	void *hdr = genlmsg_put(msg, portid, seq, &mhost_genl, cb ? NLM_F_MULTI : 0,
				MONTECITO_NL_CMD_VCPU_GET);

	if (!hdr)
		return -EMSGSIZE;
	if (cb)
		genl_dump_check_consistent(cb, hdr);
	if (nla_put_u32(msg, MONTECITO_NL_A_MACHINE, m->id) ||
	    nla_put_u32(msg, MONTECITO_NL_A_VCPU, s->vcpu) ||
	    nla_put_u64_64bit(msg, MONTECITO_NL_A_IP, s->ip, MONTECITO_NL_A_PAD) ||
	    nla_put_u64_64bit(msg, MONTECITO_NL_A_PSR, s->psr, MONTECITO_NL_A_PAD) ||
	    nla_put_u64_64bit(msg, MONTECITO_NL_A_INSNS, s->insns, MONTECITO_NL_A_PAD) ||
	    nla_put_u64_64bit(msg, MONTECITO_NL_A_CYCLES, s->cycles, MONTECITO_NL_A_PAD) ||
	    nla_put_u64_64bit(msg, MONTECITO_NL_A_CLOCK, s->clock, MONTECITO_NL_A_PAD) ||
	    nla_put_u8(msg, MONTECITO_NL_A_HALTED, !!(s->flags & MONTECITO_SNAPSHOT_HALTED)) ||
	    nla_put_u32(msg, MONTECITO_NL_A_OBSERVERS, READ_ONCE(m->nr_vcpu_observers[s->vcpu])) ||
	    mhost_nl_put_pmus(msg, m, s->vcpu)) {
		genlmsg_cancel(msg, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(msg, hdr);
	return 0;
}

/* mhost_nl_snapshot() - a copy of a vcpu's snapshot, for the caller to free; NULL without memory */
struct montecito_snapshot *mhost_nl_snapshot(struct mhost_machine *m, u32 vcpu)
{
	struct montecito_snapshot *s = kmalloc(sizeof(*s), GFP_KERNEL_ACCOUNT);

	if (s)
		mhost_snapshot_read(m, vcpu, s);
	return s;
}

static int mhost_nl_vcpu_get(struct sk_buff *skb, struct genl_info *info)
{
	struct montecito_snapshot *s;
	struct mhost_machine *m;
	struct sk_buff *msg;
	int ret = -ENOMEM;
	u32 vcpu;

	m = mhost_nl_vcpu(info, skb, &vcpu);
	if (IS_ERR(m))
		return PTR_ERR(m);
	msg = genlmsg_new(NLMSG_GOODSIZE, GFP_KERNEL);
	s = mhost_nl_snapshot(m, vcpu);
	if (msg && s)
		ret = mhost_nl_put_vcpu(msg, m, s, info->snd_portid, info->snd_seq, NULL);
	kfree(s);
	mhost_machine_put(m);
	if (ret) {
		nlmsg_free(msg);
		return ret;
	}
	return genlmsg_reply(msg, info);
}

static int mhost_nl_vcpu_dump(struct sk_buff *msg, struct netlink_callback *cb)
{
	struct nlattr *vcpu = mhost_dump_attrs(cb)[MONTECITO_NL_A_VCPU];
	struct mhost_machine *m;
	int ret;

	if (vcpu) {
		NL_SET_ERR_MSG_ATTR(cb->extack, vcpu,
				    "a dump lists all vcpus: ask for one without NLM_F_DUMP");
		return -EINVAL;
	}
	ret = mhost_nl_dump_check(cb);
	if (ret)
		return ret;
	cb->seq = mhost_registry_generation();
	while (!ret && (m = mhost_nl_next(cb))) {
		while (!ret && cb->args[1] < m->nr_vcpus) {
			struct montecito_snapshot *s = mhost_nl_snapshot(m, cb->args[1]);

			ret = s ? mhost_nl_put_vcpu(msg, m, s, NETLINK_CB(cb->skb).portid,
						    cb->nlh->nlmsg_seq, cb)
				: -ENOMEM;
			kfree(s);
			if (!ret)
				cb->args[1]++;
		}
		mhost_machine_put(m);
		if (!ret) {
			cb->args[0]++;
			cb->args[1] = 0;
		}
	}
	/* A full message goes on in the next one; anything else ends the list. */
	return msg->len || ret == -EMSGSIZE ? msg->len : ret;
}

/* ---- where cycles went ---- */

static int mhost_nl_put_cause(struct sk_buff *msg, u32 index, u64 cycles)
{
	struct nlattr *nest = nla_nest_start(msg, MONTECITO_NL_A_CAUSE);
	const struct mont_cause_info *cause = mont_cause_info(index);

	if (!nest || nla_put_string(msg, MONTECITO_NL_CAUSE_NAME, cause->name) ||
	    nla_put_string(msg, MONTECITO_NL_CAUSE_TEXT, cause->text) ||
	    nla_put_u32(msg, MONTECITO_NL_CAUSE_BAR, cause->bar) ||
	    nla_put_u64_64bit(msg, MONTECITO_NL_CAUSE_CYCLES, cycles, MONTECITO_NL_CAUSE_PAD))
		return -EMSGSIZE;
	nla_nest_end(msg, nest);
	return 0;
}

static int mhost_nl_put_cycles(struct sk_buff *msg, struct genl_info *info, struct mhost_machine *m,
			       const struct montecito_snapshot *s)
{
	void *hdr = genlmsg_put_reply(msg, info, &mhost_genl, 0, info->genlhdr->cmd);
	u32 i;

	if (!hdr || nla_put_u32(msg, MONTECITO_NL_A_MACHINE, m->id) ||
	    nla_put_u32(msg, MONTECITO_NL_A_VCPU, s->vcpu) ||
	    nla_put_u64_64bit(msg, MONTECITO_NL_A_INSNS, s->insns, MONTECITO_NL_A_PAD) ||
	    nla_put_u64_64bit(msg, MONTECITO_NL_A_CYCLES, s->cycles, MONTECITO_NL_A_PAD) ||
	    nla_put_u64_64bit(msg, MONTECITO_NL_A_CYCLES_HALTED, s->halted, MONTECITO_NL_A_PAD) ||
	    nla_put_u64_64bit(msg, MONTECITO_NL_A_CYCLES_FUNCTIONAL, s->functional,
			      MONTECITO_NL_A_PAD) ||
	    nla_put_u64_64bit(msg, MONTECITO_NL_A_CYCLES_UNSTALLED, s->unstalled,
			      MONTECITO_NL_A_PAD))
		return -EMSGSIZE;
	for (i = 0; i < s->nr_causes; i++)
		if (mhost_nl_put_cause(msg, i, s->cause[i]))
			return -EMSGSIZE;
	genlmsg_end(msg, hdr);
	return 0;
}

/* Answer from the vcpu's snapshot, without a lock. */
static int mhost_nl_cycles_get(struct sk_buff *skb, struct genl_info *info)
{
	const struct montecito_cause *room;
	struct montecito_snapshot *s;
	struct mhost_machine *m;
	struct sk_buff *msg;
	int ret = -ENOMEM;
	u32 vcpu;

	m = mhost_nl_vcpu(info, skb, &vcpu);
	if (IS_ERR(m))
		return PTR_ERR(m);
	msg = genlmsg_new(2 * nla_total_size(4) + 5 * nla_total_size_64bit(8) +
				  MONTECITO_MAX_CAUSES *
					  nla_total_size(nla_total_size(sizeof(room->name)) +
							 nla_total_size(sizeof(room->text)) +
							 nla_total_size(4) +
							 nla_total_size_64bit(8)),
			  GFP_KERNEL);
	s = mhost_nl_snapshot(m, vcpu);
	if (msg && s)
		ret = mhost_nl_put_cycles(msg, info, m, s);
	kfree(s);
	mhost_machine_put(m);
	if (ret) {
		nlmsg_free(msg);
		return ret;
	}
	return genlmsg_reply(msg, info);
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
	/* The answer depends on the configuration alone: no lock is needed. */
	mont_perf_mon_info(mont_vcpu(m->pkg, vcpu), &word, mask);
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
	MHOST_NL_OP(MONTECITO_NL_CMD_CYCLES_GET, MONTECITO_NL_A_VCPU, .doit = mhost_nl_cycles_get),
};

static const struct genl_multicast_group mhost_nl_groups[] = {
	{ .name = MONTECITO_NL_MCGRP_OVERFLOW },
};

struct genl_family mhost_genl __ro_after_init = {
	.name = MONTECITO_NL_FAMILY_NAME,
	.version = MONTECITO_NL_FAMILY_VERSION,
	.netnsok = true,
	/* A write may wait for a slice to end: let no other request wait for it. */
	.parallel_ops = true,
	.module = THIS_MODULE,
	.ops = mhost_nl_ops,
	.n_ops = ARRAY_SIZE(mhost_nl_ops),
	.resv_start_op = 1,
	.mcgrps = mhost_nl_groups,
	.n_mcgrps = ARRAY_SIZE(mhost_nl_groups),
};

/* A program that looks for the family loads the module. */
MODULE_ALIAS_GENL_FAMILY(MONTECITO_NL_FAMILY_NAME);

/* ---- notifications ---- */

#if MHOST_MCAST_FILTER
/* True to keep the message from this member of the group. */
static int mhost_nl_hide(struct sock *dsk, struct sk_buff *skb, void *data)
{
	const struct socket *sock = READ_ONCE(dsk->sk_socket);
	const struct file *file = sock ? READ_ONCE(sock->file) : NULL;
	struct mhost_machine *m = data;

	if (uid_eq(dsk->sk_uid, m->uid))
		return false;
	/* A socket without a file (of the kernel, or being made) has no capabilities. */
	return !file || (!file_ns_capable(file, &init_user_ns, CAP_PERFMON) &&
			 !file_ns_capable(file, &init_user_ns, CAP_SYS_ADMIN));
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
	struct net *net;
	void *hdr;

	if (!note->cmd)
		return;
	net = mhost_registry_net(m);
	if (!net)
		return;
	if (!genl_has_listeners(&mhost_genl, net, 0))
		goto out;
	msg = genlmsg_new(NLMSG_GOODSIZE, GFP_KERNEL);
	if (!msg)
		goto out;
	hdr = genlmsg_put(msg, 0, 0, &mhost_genl, 0, note->cmd);
	if (!hdr || nla_put_u32(msg, MONTECITO_NL_A_MACHINE, m->id) ||
	    nla_put_u32(msg, MONTECITO_NL_A_VCPU, note->vcpu) ||
	    nla_put_u64_64bit(msg, attr, note->bits, MONTECITO_NL_A_PAD) ||
	    nla_put_u64_64bit(msg, MONTECITO_NL_A_INSNS, note->insns, MONTECITO_NL_A_PAD) ||
	    nla_put_u64_64bit(msg, MONTECITO_NL_A_CYCLES, note->cycles, MONTECITO_NL_A_PAD) ||
	    nla_put_u32(msg, MONTECITO_NL_A_SUPPRESSED, note->suppressed)) {
		nlmsg_free(msg);
		goto out;
	}
	genlmsg_end(msg, hdr);
#if MHOST_MCAST_FILTER
	genlmsg_multicast_netns_filtered(&mhost_genl, net, msg, 0, 0, GFP_KERNEL, mhost_nl_hide, m);
#else
	genlmsg_multicast_netns(&mhost_genl, net, msg, 0, 0, GFP_KERNEL);
#endif
out:
	put_net(net);
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

/* mhost_netlink_exit() - unregister the family */
void mhost_netlink_exit(void)
{
	genl_unregister_family(&mhost_genl);
}
