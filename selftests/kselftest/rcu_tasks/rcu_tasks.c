// SPDX-License-Identifier: GPL-2.0-only
/* Loading it takes as long as all tasks need for a quiescent state of RCU tasks. */
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/rcupdate.h>

static int __init rcu_tasks_init(void)
{
	synchronize_rcu_tasks();
	return -EAGAIN;
}
module_init(rcu_tasks_init);

MODULE_DESCRIPTION("Waits for RCU tasks when loaded");
MODULE_LICENSE("GPL");
