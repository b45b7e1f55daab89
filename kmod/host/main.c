// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module and its device node, /dev/montecito.
 */
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/string.h>

#include "host.h"
#include "ioctl.h"
#include "machine.h"
#include "netlink.h"
#include "pages.h"
#include "perf_slice.h"
#include "registry.h"

static long mhost_info(void *obj, void *arg)
{
	struct montecito_info *info = arg;

	*info = (struct montecito_info){
		.capabilities =
			MONTECITO_CAP_FUNCTIONAL | MONTECITO_CAP_TIMING | MONTECITO_CAP_OBSERVERS |
			MONTECITO_CAP_RING | MONTECITO_CAP_SNAPSHOT | MONTECITO_CAP_PMU_SAMPLING |
			MONTECITO_CAP_TABLE | MONTECITO_CAP_REGIONS | MONTECITO_CAP_MMIO |
			MONTECITO_CAP_FIRMWARE | MONTECITO_CAP_PARAM_SET | MONTECITO_CAP_TRACE |
			MONTECITO_CAP_CALLCHAIN | MONTECITO_CAP_PMU_KINDS |
			(IS_ENABLED(CONFIG_PERF_EVENTS) ? MONTECITO_CAP_PERF : 0),
		.config_mask = MONT_CFG_ALL,
		.max_cores = MONT_MAX_CORES,
		.max_threads = MONT_MAX_THREADS,
		.max_regions = MHOST_MAX_REGIONS,
		.min_memory = MONT_MIN_MEMORY,
		.max_memory = MONT_MAX_MEMORY,
		.page_size = PAGE_SIZE,
		.max_batch = MHOST_MAX_BATCH,
		.max_observers = MHOST_MAX_OBSERVERS,
		.max_vcpu_observers = MHOST_MAX_VCPU_OBSERVERS,
		.max_vcpu_samplers = MHOST_MAX_VCPU_SAMPLERS,
		.max_vcpu_files = MHOST_MAX_VCPU_FILES,
		.max_ring_order = MHOST_MAX_RING_ORDER,
		.max_table_order = MHOST_MAX_TABLE_ORDER,
		.work = MHOST_WORK,
		.memory_limit = mhost_memory_limit(),
		.memory_used = mhost_memory_used(),
		.max_callchain = MONTECITO_MAX_CALLCHAIN,
		.max_vcpu_pmus = MHOST_MAX_VCPU_PMUS,
		.timed_core = mont_timed_core_size(),
		.timed_package = mont_timed_package_size(),
		.max_perf_events = IS_ENABLED(CONFIG_PERF_EVENTS) ? MHOST_MAX_PERF_EVENTS : 0,
		.max_perf_samplers = IS_ENABLED(CONFIG_PERF_EVENTS) ? MHOST_MAX_PERF_SAMPLERS : 0,
		.perf_events = mhost_perf_here(),
	};
	strscpy(info->model, "Montecito", sizeof(info->model));
	return 0;
}

static const struct mhost_op mhost_device_ops[] = {
	MHOST_OP(MONTECITO_INFO, mhost_info, struct montecito_info, timed_package, 0, MHOST_OUT_OK),
	MHOST_OP_END(MONTECITO_CREATE, mhost_create, mhost_create_end, struct montecito_create,
		     name, 0, MHOST_OUT_ALWAYS),
};

static long mhost_device_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return mhost_ioctl(mhost_device_ops, ARRAY_SIZE(mhost_device_ops), NULL, cmd, arg);
}

static const struct file_operations mhost_device_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = mhost_device_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};

static struct miscdevice mhost_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "montecito",
	.fops = &mhost_device_fops,
	.mode = 0660,
};

static int __init mhost_init(void)
{
	int ret = mhost_registry_init();

	if (ret)
		return ret;
	ret = mhost_netlink_init();
	if (ret)
		goto out_registry;
	ret = mhost_perf_init();
	if (ret)
		goto out_netlink;
	ret = misc_register(&mhost_device);
	if (ret)
		goto out_perf;
	return 0;
out_perf:
	mhost_perf_exit();
out_netlink:
	mhost_netlink_exit();
out_registry:
	mhost_registry_exit();
	return ret;
}

static void __exit mhost_exit(void)
{
	misc_deregister(&mhost_device);
	mhost_perf_exit();
	mhost_netlink_exit();
	mhost_registry_exit();
}

module_init(mhost_init);
module_exit(mhost_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Itanium 2 processor model (Montecito) with its performance monitoring unit");
MODULE_VERSION(MONTECITO_VERSION);
