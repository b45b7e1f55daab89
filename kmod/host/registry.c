// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which machines there are, and who may look at them without holding a file
 * descriptor.
 *
 * A machine belongs to the user who made it, in the network namespace it was
 * made in. Others need CAP_PERFMON, and see only machines of their own network
 * namespace. The registry holds no reference: a machine that is being put away
 * is not found any more.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/netlink.h>
#include <linux/rcupdate.h>
#include <linux/xarray.h>
#include <net/sock.h>

#include "host.h"

static DEFINE_XARRAY_ALLOC1(mhost_machines);
static u32 mhost_next_id;

/**
 * mhost_registry_add() - make a machine known under a number of its own
 * @m: machine; its id is set
 *
 * Return: 0 or a negative errno.
 */
int mhost_registry_add(struct mhost_machine *m)
{
	int ret = xa_alloc_cyclic(&mhost_machines, &m->id, m, XA_LIMIT(1, INT_MAX), &mhost_next_id,
				  GFP_KERNEL_ACCOUNT);

	return ret < 0 ? ret : 0;
}

/**
 * mhost_registry_del() - forget it; its memory lives for an RCU grace period
 * @m: machine
 */
void mhost_registry_del(struct mhost_machine *m)
{
	xa_erase(&mhost_machines, m->id);
}

static bool mhost_registry_take(struct mhost_machine *m, struct net *net)
{
	return m && net_eq(m->net, net) && kref_get_unless_zero(&m->ref);
}

/**
 * mhost_registry_get() - find a machine
 * @net: namespace of who asks
 * @id: its number
 *
 * Return: the machine, referenced, or NULL.
 */
struct mhost_machine *mhost_registry_get(struct net *net, u32 id)
{
	struct mhost_machine *m;

	rcu_read_lock();
	m = xa_load(&mhost_machines, id);
	if (!mhost_registry_take(m, net))
		m = NULL;
	rcu_read_unlock();
	return m;
}

/**
 * mhost_registry_next() - the next machine of a namespace
 * @net: namespace of who asks
 * @id: look from this number on; set to the number found
 *
 * Return: the machine, referenced, or NULL behind the last one.
 */
struct mhost_machine *mhost_registry_next(struct net *net, unsigned long *id)
{
	struct mhost_machine *m;

	rcu_read_lock();
	for (m = xa_find(&mhost_machines, id, INT_MAX, XA_PRESENT); m;
	     m = xa_find_after(&mhost_machines, id, INT_MAX, XA_PRESENT))
		if (mhost_registry_take(m, net))
			break;
	rcu_read_unlock();
	return m;
}

/**
 * mhost_registry_may() - may the sender of a netlink message see this machine?
 * @m: machine
 * @skb: the message
 *
 * Both the process that asks and the one that opened the socket must be the
 * machine's owner, or have CAP_PERFMON: nobody is made to ask for another.
 *
 * Return: true if so.
 */
bool mhost_registry_may(struct mhost_machine *m, struct sk_buff *skb)
{
	if (uid_eq(NETLINK_CB(skb).sk->sk_uid, m->uid) && uid_eq(current_euid(), m->uid))
		return true;
	return netlink_capable(skb, CAP_PERFMON);
}
