/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All machines, by number and by network namespace. Called by machine.c,
 * netlink.c and main.c.
 */
#ifndef MHOST_REGISTRY_H
#define MHOST_REGISTRY_H

#include "host.h"

struct sk_buff;

int mhost_registry_add(struct mhost_machine *m);
void mhost_registry_del(struct mhost_machine *m);
struct mhost_machine *mhost_registry_get(struct net *net, u32 id);
struct mhost_machine *mhost_registry_next(struct net *net, unsigned long *id);
u32 mhost_registry_generation(void);
bool mhost_registry_may_read(struct mhost_machine *m, struct sk_buff *skb);
bool mhost_registry_may_write(struct sk_buff *skb);
struct net *mhost_registry_net(struct mhost_machine *m);
int mhost_registry_init(void);
void mhost_registry_exit(void);

#endif
