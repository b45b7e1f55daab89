// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of all machines, and the rules of access to them without a file
 * descriptor.
 *
 * A machine belongs to the user who made it, in the network namespace it was
 * made in. That user and CAP_PERFMON may look, from that namespace; to change
 * it without a descriptor takes CAP_SYS_ADMIN. (The owner's other processes get
 * a descriptor by pidfd_getfd(), which asks what ptrace would ask.)
 *
 * The registry holds no reference: a machine that is being put away is not
 * found any more. Nor does a machine hold its namespace: when that goes, the
 * machine stays, out of netlink's sight.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/netlink.h>
#include <linux/rcupdate.h>
#include <linux/xarray.h>
#include <net/sock.h>

#include "host.h"
#include "registry.h"

static DEFINE_XARRAY_ALLOC1(mhost_machines);
static u32 mhost_next_id;
/* Grows with every machine that comes or goes; for dumps in several parts. */
static atomic_t mhost_generation = ATOMIC_INIT(1);

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

	atomic_inc(&mhost_generation);
	return ret < 0 ? ret : 0;
}

/**
 * mhost_registry_del() - forget a machine; its memory lives for an RCU grace period
 * @m: machine
 */
void mhost_registry_del(struct mhost_machine *m)
{
	xa_erase(&mhost_machines, m->id);
	atomic_inc(&mhost_generation);
}

/**
 * mhost_registry_generation() - tell whether a machine has come or gone
 *
 * Return: a number that changes whenever one does, and is never 0.
 */
u32 mhost_registry_generation(void)
{
	return (u32)atomic_read(&mhost_generation) ?: 1;
}

static bool mhost_registry_take(struct mhost_machine *m, struct net *net)
{
	return m && READ_ONCE(m->net) == net && kref_get_unless_zero(&m->ref);
}

/**
 * mhost_registry_get() - find a machine
 * @net: namespace of the caller
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
 * @net: namespace of the caller
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
 * mhost_registry_may_read() - check that the sender of a netlink message may see a machine
 * @m: machine
 * @skb: the message
 *
 * Both the process that asks and the one that opened the socket must be the
 * machine's owner, or have CAP_PERFMON (or CAP_SYS_ADMIN, which perf takes for
 * it): a process cannot be made to ask for another.
 *
 * Return: true if so.
 */
bool mhost_registry_may_read(struct mhost_machine *m, struct sk_buff *skb)
{
	if (uid_eq(NETLINK_CB(skb).sk->sk_uid, m->uid) && uid_eq(current_euid(), m->uid))
		return true;
	return netlink_capable(skb, CAP_PERFMON) || netlink_capable(skb, CAP_SYS_ADMIN);
}

/**
 * mhost_registry_may_write() - check that the sender of a netlink message may change a machine
 * @skb: the message
 *
 * Being the owner is not enough: another program of the same user is not to
 * change what this one measures, unless it could as well trace it.
 *
 * Return: true if so.
 */
bool mhost_registry_may_write(struct sk_buff *skb)
{
	return netlink_capable(skb, CAP_SYS_ADMIN);
}

/**
 * mhost_registry_net() - the network namespace of a machine
 * @m: machine
 *
 * Return: the namespace, to be put, or NULL if it is gone.
 */
struct net *mhost_registry_net(struct mhost_machine *m)
{
	struct net *net;

	/* mhost_net_gone() has cleared it a grace period before it is freed. */
	rcu_read_lock();
	net = READ_ONCE(m->net);
	if (net)
		net = maybe_get_net(net);
	rcu_read_unlock();
	return net;
}

/* A network namespace goes away: its machines can be reached by descriptor alone. */
static void __net_exit mhost_net_gone(struct net *net)
{
	struct mhost_machine *m;
	unsigned long id;

	rcu_read_lock();
	xa_for_each(&mhost_machines, id, m)
		if (READ_ONCE(m->net) == net)
			WRITE_ONCE(m->net, NULL);
	rcu_read_unlock();
}

static struct pernet_operations mhost_net_ops = {
	.pre_exit = mhost_net_gone,
};

/**
 * mhost_registry_init() - listen for namespaces that go away
 *
 * Return: 0 or a negative errno.
 */
int mhost_registry_init(void)
{
	return register_pernet_subsys(&mhost_net_ops);
}

/* mhost_registry_exit() - end what mhost_registry_init() has begun */
void mhost_registry_exit(void)
{
	unregister_pernet_subsys(&mhost_net_ops);
}
