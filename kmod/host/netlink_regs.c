// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers of the performance monitor by generic netlink: PMC_GET, PMC_SET, PMD_GET and PMD_SET
 * of Documentation/netlink/specs/montecito.yaml.
 */
#include <linux/kernel.h>
#include <linux/nospec.h>
#include <linux/slab.h>
#include <net/genetlink.h>

#include <linux/montecito_netlink.h>

#include "host.h"
#include "machine.h"
#include "netlink_request.h"
#include "registry.h"
#include "regs.h"
#include "snapshot.h"

#define MHOST_NL_MAX_REGS 256

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
		if (NL_REQ_ATTR_CHECK(info->extack, attr, tb, MONTECITO_NL_REG_INDEX)) {
			NL_SET_ERR_MSG_ATTR(info->extack, attr, "a register without its index");
			goto fail;
		}
		if (set && NL_REQ_ATTR_CHECK(info->extack, attr, tb, MONTECITO_NL_REG_VALUE)) {
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

static struct mhost_machine *mhost_nl_regs_begin(struct sk_buff *skb, struct genl_info *info,
						 u32 cls, bool set, u32 *vcpu,
						 struct montecito_reg **reg, u32 *count)
{
	struct mhost_machine *m = mhost_nl_vcpu(info, skb, vcpu);

	if (IS_ERR(m))
		return m;
	*reg = mhost_nl_regs(info, cls, set, count);
	if (IS_ERR(*reg)) {
		mhost_machine_put(m);
		return ERR_CAST(*reg);
	}
	return m;
}

/* Answer from the vcpu's snapshot, without a lock. */
static int mhost_nl_regs_get(struct sk_buff *skb, struct genl_info *info, u32 cls)
{
	struct montecito_snapshot *s;
	struct montecito_reg *reg;
	struct mhost_machine *m;
	u32 vcpu, count, i;
	int ret = -ENOMEM;
	const u64 *value;

	m = mhost_nl_regs_begin(skb, info, cls, false, &vcpu, &reg, &count);
	if (IS_ERR(m))
		return PTR_ERR(m);
	s = mhost_nl_snapshot(m, vcpu);
	if (!s)
		goto out;
	value = cls == MONTECITO_REG_PMC ? s->pmc : s->pmd;
	ret = -EINVAL;
	for (i = 0; i < count; i++) {
		u32 index = reg[i].index;

		if (index >= MHOST_NL_MAX_REGS) {
			mhost_nl_bad_reg(info, i);
			goto out;
		}
		/* Register numbers have eight bits; what does not exist is 0. */
		reg[i].value[0] = index < ARRAY_SIZE(s->pmc)
					  ? value[array_index_nospec(index, ARRAY_SIZE(s->pmc))]
					  : 0;
	}
	ret = mhost_nl_reply_regs(info, m, vcpu, reg, count);
out:
	kfree(s);
	kfree(reg);
	mhost_machine_put(m);
	return ret;
}

static int mhost_nl_regs_set(struct sk_buff *skb, struct genl_info *info, u32 cls)
{
	struct montecito_reg *reg;
	struct mhost_machine *m;
	u32 vcpu, count, bad;
	int ret;

	m = mhost_nl_regs_begin(skb, info, cls, true, &vcpu, &reg, &count);
	if (IS_ERR(m))
		return PTR_ERR(m);
	if (!mhost_registry_may_write(skb)) {
		NL_SET_ERR_MSG(info->extack,
			       "writing needs the machine's file descriptor, or CAP_SYS_ADMIN");
		ret = -EPERM;
		goto out;
	}
	bad = count;
	ret = mhost_regs_set_briefly(m, vcpu, reg, count, &bad);
	if (ret == -EBUSY) {
		NL_SET_ERR_MSG(info->extack,
			       "the machine is being saved, restored or hashed: try again");
		ret = -EAGAIN;
	} else if (ret == -EAGAIN) {
		NL_SET_ERR_MSG(info->extack, "the machine is busy: try again");
	}
	if (ret && bad < count)
		mhost_nl_bad_reg(info, bad);
out:
	kfree(reg);
	mhost_machine_put(m);
	return ret;
}

/* mhost_nl_pmc_get() - get PMCs of a vcpu */
int mhost_nl_pmc_get(struct sk_buff *skb, struct genl_info *info)
{
	return mhost_nl_regs_get(skb, info, MONTECITO_REG_PMC);
}

/* mhost_nl_pmc_set() - set PMCs of a vcpu */
int mhost_nl_pmc_set(struct sk_buff *skb, struct genl_info *info)
{
	return mhost_nl_regs_set(skb, info, MONTECITO_REG_PMC);
}

/* mhost_nl_pmd_get() - get PMDs of a vcpu */
int mhost_nl_pmd_get(struct sk_buff *skb, struct genl_info *info)
{
	return mhost_nl_regs_get(skb, info, MONTECITO_REG_PMD);
}

/* mhost_nl_pmd_set() - set PMDs of a vcpu */
int mhost_nl_pmd_set(struct sk_buff *skb, struct genl_info *info)
{
	return mhost_nl_regs_set(skb, info, MONTECITO_REG_PMD);
}
