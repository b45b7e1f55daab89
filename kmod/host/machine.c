// SPDX-License-Identifier: GPL-2.0-only
/*
 * A machine: its memory, its file descriptor, and its end.
 *
 * The machine's file and each file on one of its vcpus hold a reference; what
 * comes last frees it. A mapping of guest memory holds the machine's file.
 */
#include <linux/anon_inodes.h>
#include <linux/bitops.h>
#include <linux/cred.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/nsproxy.h>
#include <linux/pid.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "host.h"
#include "ioctl.h"
#include "lock.h"
#include "machine.h"
#include "memory.h"
#include "pages.h"
#include "perf_slice.h"
#include "registry.h"
#include "run.h"
#include "snapshot.h"
#include "state.h"
#include "vcpu.h"

/* Physical addresses that the processor has (PAL_VM_SUMMARY). */
#define MHOST_PA_BITS 50

/* All flags of the uapi, which are those of the model. */
#define MHOST_CFG_ALL                                                                  \
	(MONTECITO_CFG_HOST_INTERRUPTIONS | MONTECITO_CFG_HOST_PMU |                   \
	 MONTECITO_CFG_PAL_AS_PRINTED | MONTECITO_CFG_STRICT | MONTECITO_CFG_NO_ALAT | \
	 MONTECITO_CFG_FIRMWARE)

static_assert(MHOST_CFG_ALL == MONT_CFG_ALL);

/* Bit of mhost_machine.console */
#define MHOST_CONSOLE_BUSY 0

static void mhost_machine_free(struct mhost_machine *m)
{
	u32 i;

	kvfree(m->scratch);
	kvfree(m->pkg);
	mhost_pages_free(&m->snapshots);
	for (i = 0; i < m->nr_regions; i++)
		mhost_pages_free(&m->region[i].pages);
	mhost_uncharge(&m->account);
	put_pid(m->pid);
	mutex_destroy(&m->lock);
	/* The registry's readers may still be looking at m->ref. */
	kfree_rcu(m, rcu);
}

static void mhost_machine_release(struct kref *ref)
{
	struct mhost_machine *m = container_of(ref, struct mhost_machine, ref);

	mhost_registry_del(m);
	mhost_perf_release(m);
	mhost_machine_free(m);
}

/**
 * mhost_machine_put() - drop a reference
 * @m: machine
 */
void mhost_machine_put(struct mhost_machine *m)
{
	kref_put(&m->ref, mhost_machine_release);
}

/* The caller's regions: inside the address space, in order, apart. */
static int mhost_regions_in(struct mhost_machine *m, const struct montecito_create *c)
{
	struct montecito_region *r;
	u64 end = 0;
	u32 i;

	if (!c->nr_regions || c->nr_regions > MHOST_MAX_REGIONS)
		return -EINVAL;
	for (i = 0; i < c->nr_regions; i++) {
		r = &m->region[i].r;
		if (copy_from_user(r, u64_to_user_ptr(c->regions) + i * sizeof(*r), sizeof(*r)))
			return -EFAULT;
		if (r->pad || r->reserved || !r->length || !PAGE_ALIGNED(r->addr) ||
		    !PAGE_ALIGNED(r->length) || r->addr < end || r->addr >> MHOST_PA_BITS ||
		    r->length > BIT_ULL(MHOST_PA_BITS) - r->addr ||
		    r->flags & ~(MONTECITO_REGION_READONLY | MONTECITO_REGION_MMIO))
			return -EINVAL;
		end = r->addr + r->length;
		if (!(r->flags & MONTECITO_REGION_MMIO))
			m->cfg.memory += r->length;
	}
	m->nr_regions = c->nr_regions;
	return 0;
}

static int mhost_config_in(struct mhost_machine *m, struct montecito_create *c)
{
	if (c->pad || strnlen(c->name, sizeof(c->name)) == sizeof(c->name) ||
	    c->timing > MONTECITO_TIMING_ON || c->config & ~MHOST_CFG_ALL)
		return -EINVAL;
	m->cfg.cores = c->cores;
	m->cfg.threads = c->threads;
	m->cfg.flags = c->config;
	m->cfg.timing = c->timing;
	if (c->name[0])
		strscpy(m->name, c->name, sizeof(m->name));
	else
		strscpy(m->name, current->group_leader->comm, sizeof(m->name));
	return 0;
}

static int mhost_region_alloc(struct mhost_region *r, struct mont_region *region)
{
	int ret = 0;

	if (!(r->r.flags & MONTECITO_REGION_MMIO))
		ret = mhost_pages_alloc(&r->pages, r->r.length >> PAGE_SHIFT);
	*region = (struct mont_region){
		.base = r->r.addr,
		.size = r->r.length,
		.host = r->pages.addr,
		.flags = r->r.flags,
	};
	return ret;
}

/* Sum up a machine's memory: every part whose size the caller determines. */
static unsigned long mhost_machine_cost(const struct mhost_machine *m)
{
	unsigned long pages = MHOST_PAGES(m->pkg_size) + MHOST_PAGES(m->state_size) +
			      mhost_pages_cost(m->cfg.cores * m->cfg.threads);
	u32 i;

	for (i = 0; i < m->nr_regions; i++)
		if (!(m->region[i].r.flags & MONTECITO_REGION_MMIO))
			pages += mhost_pages_cost(m->region[i].r.length >> PAGE_SHIFT);
	return pages;
}

/* Charge the memory, then allocate it. */
static int mhost_machine_memory(struct mhost_machine *m, struct montecito_create *c)
{
	struct mont_region region[MHOST_MAX_REGIONS];
	unsigned long pages;
	int ret;
	u32 i;

	m->pkg_size = mont_package_size(&m->cfg);
	if (!m->pkg_size)
		return -EINVAL;
	m->state_size = mont_config_state_size(&m->cfg);
	pages = mhost_machine_cost(m);
	c->locked = (u64)pages << PAGE_SHIFT;
	ret = mhost_charge(&m->account, pages, 0);
	for (i = 0; !ret && i < m->nr_regions; i++)
		ret = mhost_region_alloc(&m->region[i], &region[i]);
	if (ret)
		return ret;
	m->pkg = mhost_alloc(m->pkg_size);
	m->scratch = mhost_alloc(m->state_size);
	if (!m->pkg || !m->scratch)
		return -ENOMEM;
	return mont_package_init(m->pkg, &m->cfg, region, m->nr_regions);
}

static struct mhost_machine *mhost_machine_new(struct montecito_create *c)
{
	struct mhost_machine *m;
	int ret, i;

	m = kzalloc(sizeof(*m), GFP_KERNEL_ACCOUNT);
	if (!m)
		return ERR_PTR(-ENOMEM);
	kref_init(&m->ref);
	mutex_init(&m->lock);
	init_waitqueue_head(&m->turn);
	init_waitqueue_head(&m->unlocked);
	init_waitqueue_head(&m->thaw);
	address_space_init_once(&m->mapping);
	/* An inode's mapping has that from its inode. */
	init_rwsem(&m->mapping.invalidate_lock);
	m->mapping.a_ops = &empty_aops;
	m->uid = current_euid();
	m->pid = get_pid(task_tgid(current));
	m->net = current->nsproxy->net_ns;
	for (i = 0; i < MONT_MAX_VCPUS; i++)
		INIT_LIST_HEAD(&m->vcpus[i]);
	INIT_LIST_HEAD(&m->perf.links);
	init_llist_head(&m->perf.withdrawn);

	ret = mhost_config_in(m, c);
	if (!ret)
		ret = mhost_regions_in(m, c);
	if (!ret)
		ret = mhost_machine_memory(m, c);
	if (ret)
		goto fail;
	m->nr_vcpus = m->cfg.cores * m->cfg.threads;
	ret = mhost_snapshot_init(m);
	if (ret)
		goto fail;
	mhost_lock_release(m);
	mhost_publish(m);
	mhost_unlock(m);
	ret = mhost_registry_add(m);
	if (ret)
		goto fail;
	return m;
fail:
	mhost_machine_free(m);
	return ERR_PTR(ret);
}

static int mhost_machine_fop_release(struct inode *inode, struct file *file)
{
	mhost_machine_put(file->private_data);
	return 0;
}

static int mhost_machine_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct mhost_machine *m = file->private_data;
	unsigned long first = MONTECITO_MMAP_SNAPSHOT >> PAGE_SHIFT;

	if (vma->vm_pgoff >= first)
		return mhost_snapshot_mmap(m, vma->vm_pgoff - first, vma);
	return mhost_memory_mmap(m, vma);
}

/* Identify a machine's descriptor in /proc/PID/fdinfo. */
static void mhost_machine_fdinfo(struct seq_file *f, struct file *file)
{
	struct mhost_machine *m = file->private_data;

	seq_printf(f, "montecito-machine:\t%u\n", m->id);
}

/* Report perf's events that this machine does not count, as far as there is room. */
static int mhost_refused_out(struct mhost_machine *m, struct montecito_machine_info *info)
{
	struct montecito_refused __user *to = u64_to_user_ptr(info->refused);
	struct mhost_refusal refused[MHOST_MAX_REFUSED];
	u32 i, n, room = info->nr_refused;
	int ret = mhost_lock(m);

	if (ret)
		return ret;
	n = m->perf.nr_refused;
	memcpy(refused, m->perf.refused, n * sizeof(*refused));
	mhost_unlock(m);
	for (i = 0; i < min(room, n); i++) {
		struct montecito_refused r = { .config = refused[i].config };

		strscpy(r.why, refused[i].why, sizeof(r.why));
		if (copy_to_user(to + i, &r, sizeof(r)))
			return -EFAULT;
	}
	info->nr_refused = n;
	return 0;
}

static long mhost_machine_info(void *obj, void *arg)
{
	struct mhost_machine *m = obj;
	struct montecito_machine_info *info = arg;
	struct montecito_region __user *to = u64_to_user_ptr(info->regions);
	u32 i, room = info->nr_regions;
	int ret;

	for (i = 0; i < min(room, m->nr_regions); i++)
		if (copy_to_user(to + i, &m->region[i].r, sizeof(*to)))
			return -EFAULT;
	info->id = m->id;
	info->nr_vcpus = m->nr_vcpus;
	info->cores = m->cfg.cores;
	info->threads = m->cfg.threads;
	info->config = m->cfg.flags;
	info->timing = m->cfg.timing;
	info->nr_regions = m->nr_regions;
	info->memory = m->cfg.memory;
	info->state_length = mhost_state_length(m);
	info->locked = m->account.user ? (u64)m->account.pages << PAGE_SHIFT : 0;
	ret = mhost_lock(m);
	if (ret)
		return ret;
	info->work = mont_work_max(m->pkg);
	mhost_unlock(m);
	strscpy_pad(info->name, m->name, sizeof(info->name));
	return mhost_refused_out(m, info);
}

static long mhost_machine_vcpu(void *obj, void *arg)
{
	const struct montecito_vcpu *v = arg;

	if (v->pad)
		return -EINVAL;
	return mhost_vcpu_open(obj, v->index);
}

/* Only what the caller has got is taken from the guest's console. */
static long mhost_console_copy(struct mhost_machine *m, struct montecito_console *c, char *buf)
{
	u64 n = min_t(u64, c->length, MONT_CONSOLE_SIZE);
	int ret;

	ret = mhost_lock(m);
	if (ret)
		return ret;
	n = mont_console_peek(m->pkg, buf, n);
	mhost_unlock(m);
	if (copy_to_user(u64_to_user_ptr(c->data), buf, n))
		return -EFAULT;
	ret = mhost_lock(m);
	if (ret)
		return ret;
	mont_console_drop(m->pkg, n);
	mhost_unlock(m);
	c->length = n;
	return 0;
}

static long mhost_machine_console(void *obj, void *arg)
{
	struct mhost_machine *m = obj;
	char *buf;
	long ret;

	buf = kmalloc(MONT_CONSOLE_SIZE, GFP_KERNEL_ACCOUNT);
	if (!buf)
		return -ENOMEM;
	ret = mhost_use(m);
	if (ret)
		goto out;
	if (test_and_set_bit(MHOST_CONSOLE_BUSY, &m->console)) {
		ret = -EBUSY;
	} else {
		ret = mhost_console_copy(m, arg, buf);
		clear_bit_unlock(MHOST_CONSOLE_BUSY, &m->console);
	}
	mhost_unuse(m);
out:
	kfree(buf);
	return ret;
}

static long mhost_param_get(void *obj, void *arg)
{
	struct mhost_machine *m = obj;
	int ret = mhost_lock(m);

	if (ret)
		return ret;
	ret = mhost_param(m->pkg, arg, false);
	mhost_unlock(m);
	return ret;
}

static long mhost_param_set(void *obj, void *arg)
{
	struct mhost_machine *m = obj;
	int ret = mhost_enter(m);

	if (ret)
		return ret;
	/* Slices must not show. */
	ret = m->busy == MHOST_RUN ? -EBUSY : mhost_param(m->pkg, arg, true);
	mhost_unlock(m);
	return ret;
}

static const struct mhost_op mhost_machine_ops[] = {
	MHOST_OP(MONTECITO_MACHINE_INFO, mhost_machine_info, struct montecito_machine_info, name, 0,
		 MHOST_OUT_OK),
	MHOST_OP(MONTECITO_MEM_READ, mhost_mem_read, struct montecito_mem, data, 0, MHOST_OUT_NONE),
	MHOST_OP(MONTECITO_MEM_WRITE, mhost_mem_write, struct montecito_mem, data, 0,
		 MHOST_OUT_NONE),
	MHOST_OP(MONTECITO_MEM_INVALIDATE, mhost_mem_invalidate, struct montecito_mem, data, 0,
		 MHOST_OUT_NONE),
	MHOST_OP(MONTECITO_SAVE, mhost_state_save, struct montecito_state, data, 0,
		 MHOST_OUT_ALWAYS),
	MHOST_OP(MONTECITO_RESTORE, mhost_state_restore, struct montecito_state, data, 0,
		 MHOST_OUT_NONE),
	MHOST_OP(MONTECITO_HASH, mhost_state_hash, struct montecito_hash, hash, 0, MHOST_OUT_OK),
	MHOST_OP(MONTECITO_RUN, mhost_run, struct montecito_run, breakpoints,
		 MONTECITO_RUN_MMIO_DATA | MONTECITO_RUN_FUNCTIONAL | MONTECITO_RUN_UNTIL |
			 MONTECITO_RUN_BREAKPOINTS | MONTECITO_RUN_STEP,
		 MHOST_OUT_OK),
	MHOST_OP(MONTECITO_VCPU, mhost_machine_vcpu, struct montecito_vcpu, pad, 0, MHOST_OUT_NONE),
	MHOST_OP(MONTECITO_CONSOLE, mhost_machine_console, struct montecito_console, data, 0,
		 MHOST_OUT_OK),
	MHOST_OP(MONTECITO_PARAM_GET, mhost_param_get, struct montecito_param, why,
		 MONTECITO_PARAM_BY_INDEX, MHOST_OUT_OK),
	MHOST_OP(MONTECITO_PARAM_SET, mhost_param_set, struct montecito_param, why, 0,
		 MHOST_OUT_ALWAYS),
};

static long mhost_machine_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return mhost_ioctl(mhost_machine_ops, ARRAY_SIZE(mhost_machine_ops), file->private_data,
			   cmd, arg);
}

static const struct file_operations mhost_machine_fops = {
	.owner = THIS_MODULE,
	.release = mhost_machine_fop_release,
	.mmap = mhost_machine_mmap,
	.show_fdinfo = mhost_machine_fdinfo,
	.unlocked_ioctl = mhost_machine_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};

/**
 * mhost_create() - MONTECITO_CREATE
 * @obj: nothing
 * @arg: struct mhost_creation
 *
 * Return: the descriptor where mhost_create_end() puts the new machine's file, or
 * a negative errno.
 */
long mhost_create(void *obj, void *arg)
{
	struct mhost_creation *creation = arg;
	struct montecito_create *c = &creation->c;
	struct mhost_machine *m;
	struct file *file;
	int fd;

	c->locked = 0;
	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0)
		return fd;
	m = mhost_machine_new(c);
	if (IS_ERR(m)) {
		put_unused_fd(fd);
		return PTR_ERR(m);
	}
	file = anon_inode_getfile("[montecito-machine]", &mhost_machine_fops, m, O_RDWR);
	if (IS_ERR(file)) {
		put_unused_fd(fd);
		mhost_machine_put(m);
		return PTR_ERR(file);
	}
	/* A mapping of the machine's own: a freeze must not find those of others. */
	m->mapping.host = file_inode(file);
	file->f_mapping = &m->mapping;
	creation->file = file;
	return fd;
}

/**
 * mhost_create_end() - give the caller the new machine, or nothing
 * @obj: nothing
 * @arg: struct mhost_creation
 * @fd: what mhost_create() returned
 * @told: @arg could be written back
 */
void mhost_create_end(void *obj, void *arg, long fd, bool told)
{
	struct mhost_creation *creation = arg;

	if (told) {
		fd_install(fd, creation->file);
		return;
	}
	put_unused_fd(fd);
	fput(creation->file);
}
