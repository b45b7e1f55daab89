// SPDX-License-Identifier: GPL-2.0-only
/*
 * A machine: its memory, its file descriptor, and its end.
 *
 * The machine's file and each file on one of its vcpus hold a reference; what
 * comes last frees it. A mapping of guest memory holds the machine's file.
 */
#include <linux/anon_inodes.h>
#include <linux/cred.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/nsproxy.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "host.h"

static void mhost_machine_free(struct mhost_machine *m)
{
	kvfree(m->scratch);
	vfree(m->pkg);
	mhost_pages_free(&m->ram);
	mhost_pages_free(&m->snapshots);
	put_pid(m->pid);
	mutex_destroy(&m->lock);
	/* The registry's readers may still be looking at m->ref. */
	kfree_rcu(m, rcu);
}

/* What a netlink write waits for a slice to end. */
#define MHOST_BRIEFLY_MS 20

/**
 * mhost_lock_briefly() - take the machine's lock if that does not take long
 * @m: machine
 *
 * For who holds something that strangers wait for: genetlink's own lock.
 *
 * Return: 0, -EAGAIN after 20 ms, or -EINTR when the caller is being killed.
 */
int mhost_lock_briefly(struct mhost_machine *m)
{
	long ret;

	atomic_inc(&m->waiting);
	ret = wait_event_killable_timeout(m->unlocked, mutex_trylock(&m->lock),
					  msecs_to_jiffies(MHOST_BRIEFLY_MS));
	if (atomic_dec_and_test(&m->waiting))
		wake_up(&m->turn);
	if (ret < 0)
		return -EINTR;
	return ret ? 0 : -EAGAIN;
}

static void mhost_machine_release(struct kref *ref)
{
	struct mhost_machine *m = container_of(ref, struct mhost_machine, ref);

	mhost_registry_del(m);
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

static struct mhost_machine *mhost_machine_new(const struct mont_config *cfg)
{
	struct mont_region ram = { .size = cfg->memory };
	size_t size = mont_package_size(cfg);
	struct mhost_machine *m;
	int ret, i;

	if (!size || !PAGE_ALIGNED(cfg->memory))
		return ERR_PTR(-EINVAL);
	m = kzalloc(sizeof(*m), GFP_KERNEL_ACCOUNT);
	if (!m)
		return ERR_PTR(-ENOMEM);
	kref_init(&m->ref);
	mutex_init(&m->lock);
	init_waitqueue_head(&m->turn);
	init_waitqueue_head(&m->unlocked);
	m->cfg = *cfg;
	m->pkg_size = size;
	m->nr_vcpus = cfg->cores * cfg->threads;
	m->slice = MHOST_SLICE_MIN;
	m->uid = current_euid();
	m->net = current->nsproxy->net_ns;
	m->pid = get_pid(task_tgid(current));
	get_task_comm(m->name, current->group_leader);
	for (i = 0; i < MONT_MAX_VCPUS; i++)
		INIT_LIST_HEAD(&m->vcpus[i]);

	ret = mhost_pages_alloc(&m->ram, cfg->memory >> PAGE_SHIFT);
	if (ret)
		goto fail;
	ret = -ENOMEM;
	m->pkg = __vmalloc(size, GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_NOWARN);
	if (!m->pkg)
		goto fail;
	ram.host = m->ram.addr;
	ret = mont_package_init(m->pkg, cfg, &ram, 1);
	if (ret)
		goto fail;
	m->state_size = mont_state_size(m->pkg);
	ret = -ENOMEM;
	m->scratch = kvmalloc(m->state_size, GFP_KERNEL_ACCOUNT);
	if (!m->scratch)
		goto fail;
	ret = mhost_snapshot_init(m);
	if (ret)
		goto fail;
	mutex_lock(&m->lock);
	mhost_publish(m);
	mutex_unlock(&m->lock);
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

	return mhost_pages_mmap(&m->ram, vma);
}

/* Who looks for a machine's descriptor in /proc finds it by this. */
static void mhost_machine_fdinfo(struct seq_file *f, struct file *file)
{
	struct mhost_machine *m = file->private_data;

	seq_printf(f, "montecito-machine:\t%u\n", m->id);
}

static long mhost_machine_info(void *obj, void *arg)
{
	struct mhost_machine *m = obj;
	struct montecito_machine_info *info = arg;

	*info = (struct montecito_machine_info){
		.id = m->id,
		.nr_vcpus = m->nr_vcpus,
		.cores = m->cfg.cores,
		.threads = m->cfg.threads,
		.config = m->cfg.flags,
		.memory = m->cfg.memory,
		.state_length = mhost_state_length(m),
	};
	return 0;
}

static long mhost_machine_vcpu(void *obj, void *arg)
{
	const struct montecito_vcpu *v = arg;

	if (v->pad)
		return -EINVAL;
	return mhost_vcpu_open(obj, v->index);
}

#define MHOST_CONSOLE_CHUNK 512

static long mhost_machine_console(void *obj, void *arg)
{
	struct mhost_machine *m = obj;
	struct montecito_console *c = arg;
	char __user *to = u64_to_user_ptr(c->data);
	u64 done = 0;

	while (done < c->length) {
		char chunk[MHOST_CONSOLE_CHUNK];
		size_t n = min_t(u64, c->length - done, sizeof(chunk));

		mhost_lock(m);
		n = mont_console_take(m->pkg, chunk, n);
		mhost_unlock(m);
		if (!n)
			break;
		if (copy_to_user(to + done, chunk, n))
			return -EFAULT;
		done += n;
	}
	c->length = done;
	return 0;
}

static const struct mhost_op mhost_machine_ops[] = {
	MHOST_OP(MONTECITO_MACHINE_INFO, mhost_machine_info, montecito_machine_info, state_length,
		 0, MHOST_OUT_OK),
	MHOST_OP(MONTECITO_MEM_READ, mhost_mem_read, montecito_mem, data, 0, MHOST_OUT_NONE),
	MHOST_OP(MONTECITO_MEM_WRITE, mhost_mem_write, montecito_mem, data, 0, MHOST_OUT_NONE),
	MHOST_OP(MONTECITO_MEM_INVALIDATE, mhost_mem_invalidate, montecito_mem, data, 0,
		 MHOST_OUT_NONE),
	MHOST_OP(MONTECITO_SAVE, mhost_state_save, montecito_state, data, 0, MHOST_OUT_ALWAYS),
	MHOST_OP(MONTECITO_RESTORE, mhost_state_restore, montecito_state, data, 0, MHOST_OUT_NONE),
	MHOST_OP(MONTECITO_HASH, mhost_state_hash, montecito_hash, hash, 0, MHOST_OUT_OK),
	MHOST_OP(MONTECITO_RUN, mhost_run, montecito_run, pad, 0, MHOST_OUT_OK),
	MHOST_OP(MONTECITO_VCPU, mhost_machine_vcpu, montecito_vcpu, pad, 0, MHOST_OUT_NONE),
	MHOST_OP(MONTECITO_CONSOLE, mhost_machine_console, montecito_console, data, 0,
		 MHOST_OUT_OK),
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
 * mhost_machine_open() - make a machine and a file descriptor on it
 * @cfg: configuration
 *
 * Return: the descriptor or a negative errno.
 */
int mhost_machine_open(const struct mont_config *cfg)
{
	struct mhost_machine *m = mhost_machine_new(cfg);
	int fd;

	if (IS_ERR(m))
		return PTR_ERR(m);
	fd = anon_inode_getfd("[montecito-machine]", &mhost_machine_fops, m, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		mhost_machine_put(m);
	return fd;
}
