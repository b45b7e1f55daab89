/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parts that requests of the generic netlink family share. Called by netlink.c and netlink_regs.c.
 */
#ifndef MHOST_NETLINK_REQUEST_H
#define MHOST_NETLINK_REQUEST_H

#include <net/genetlink.h>

#include <linux/montecito_netlink.h>

#include "host.h"

extern struct genl_family mhost_genl;
extern const struct nla_policy mhost_reg_policy[MONTECITO_NL_REG_MAX + 1];

struct mhost_machine *mhost_nl_vcpu(struct genl_info *info, struct sk_buff *skb, u32 *vcpu);
struct montecito_snapshot *mhost_nl_snapshot(struct mhost_machine *m, u32 vcpu);
int mhost_nl_pmc_get(struct sk_buff *skb, struct genl_info *info);
int mhost_nl_pmc_set(struct sk_buff *skb, struct genl_info *info);
int mhost_nl_pmd_get(struct sk_buff *skb, struct genl_info *info);
int mhost_nl_pmd_set(struct sk_buff *skb, struct genl_info *info);

#endif
