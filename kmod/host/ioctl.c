// SPDX-License-Identifier: GPL-2.0-only
/*
 * One way into every ioctl: the structure's size, its unknown tail and its
 * flags are checked here, so that no command can forget to.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/uaccess.h>

#include "block.h"
#include "host.h"
#include "ioctl.h"
#include "machine.h"
#include "observer.h"

/* Room for any command's structure. All begin with a size and flags. */
union mhost_arg {
	struct {
		u32 size;
		u32 flags;
	};
	struct montecito_info info;
	struct mhost_creation create;
	struct montecito_machine_info machine_info;
	struct montecito_mem mem;
	struct montecito_state state;
	struct montecito_hash hash;
	struct montecito_run run;
	struct montecito_vcpu vcpu;
	struct montecito_console console;
	struct montecito_regs regs;
	struct montecito_pal pal;
	struct montecito_irq irq;
	struct montecito_tc_insert tc_insert;
	struct montecito_tc_purge tc_purge;
	struct mhost_observation observer_add;
	struct montecito_observer_del observer_del;
	struct montecito_observer_read observer_read;
	struct montecito_ring ring;
	struct montecito_eventfd eventfd;
	struct montecito_param param;
	struct montecito_pmu_sampling pmu_sampling;
	struct montecito_table_read table_read;
	struct montecito_cycles cycles;
	struct montecito_trace trace;
	struct mhost_block_creation pmu_add;
	struct montecito_pmu_del pmu_del;
	struct montecito_pmu_regs pmu_regs;
	struct montecito_pmu_describe pmu_describe;
};

/**
 * mhost_ioctl() - find a command in a table and do it
 * @ops: table, one row per command
 * @nr: its rows
 * @obj: what the file descriptor stands for
 * @cmd: command
 * @uarg: address of its structure in the caller's memory
 *
 * Return: what the command returns, or an error of those that
 * uapi/linux/montecito.h lists for all commands.
 */
long mhost_ioctl(const struct mhost_op *ops, unsigned int nr, void *obj, unsigned int cmd,
		 unsigned long uarg)
{
	void __user *user = (void __user *)uarg;
	const struct mhost_op *op;
	union mhost_arg arg;
	unsigned int i;
	bool told;
	u32 size;
	long ret;

	for (i = 0; i < nr && ops[i].cmd != cmd; i++)
		;
	if (i == nr)
		return -ENOTTY;
	op = &ops[array_index_nospec(i, nr)];

	if (WARN_ON_ONCE(op->size > sizeof(arg)))
		return -EINVAL;
	if (get_user(size, (u32 __user *)user))
		return -EFAULT;
	if (size < op->min)
		return -EINVAL;
	/* A structure of more than a page is a mistake (perf and bpf have this limit too). */
	if (size > PAGE_SIZE)
		return -E2BIG;
	memset(&arg, 0, sizeof(arg));
	ret = copy_struct_from_user(&arg, op->size, user, size);
	if (ret)
		return ret;
	if (arg.flags & ~op->flags)
		return -EINVAL;
	/* A result that cannot be written is refused before there is one. */
	if (op->out != MHOST_OUT_NONE && copy_to_user(user, &arg, min(size, op->size)))
		return -EFAULT;

	ret = op->fn(obj, &arg);

	if (op->out == MHOST_OUT_NONE || (ret < 0 && op->out != MHOST_OUT_ALWAYS))
		return ret;
	/* The size is the caller's word; another thread may have changed it. */
	arg.size = size;
	/* The memory may be gone, too: another thread may have unmapped it. */
	told = !copy_to_user(user, &arg, min(size, op->size));
	if (op->end && ret >= 0)
		op->end(obj, &arg, ret, told);
	return told ? ret : -EFAULT;
}
