// SPDX-License-Identifier: GPL-2.0-only
/*
 * A file descriptor on one vcpu.
 */
#include <linux/anon_inodes.h>
#include <linux/err.h>
#include <linux/eventfd.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "host.h"

static struct montecito_reg *mhost_vcpu_regs_in(struct montecito_regs *r)
{
	u64 size = (u64)r->count * sizeof(struct montecito_reg);
	struct montecito_reg *reg;

	r->bad = r->count;
	if (r->count > MONTECITO_MAX_BATCH)
		return ERR_PTR(-EINVAL);
	reg = kvmalloc(size, GFP_KERNEL_ACCOUNT);
	if (!reg)
		return ERR_PTR(-ENOMEM);
	if (copy_from_user(reg, u64_to_user_ptr(r->regs), size)) {
		kvfree(reg);
		return ERR_PTR(-EFAULT);
	}
	return reg;
}

static long mhost_vcpu_get_regs(void *obj, void *arg)
{
	struct mhost_vcpu *v = obj;
	struct montecito_regs *r = arg;
	struct montecito_reg *reg = mhost_vcpu_regs_in(r);
	long ret;

	if (IS_ERR(reg))
		return PTR_ERR(reg);
	ret = mhost_regs_get(v->m, v->index, reg, r->count, &r->bad);
	if (!ret && copy_to_user(u64_to_user_ptr(r->regs), reg, (u64)r->count * sizeof(*reg)))
		ret = -EFAULT;
	kvfree(reg);
	return ret;
}

static long mhost_vcpu_set_regs(void *obj, void *arg)
{
	struct mhost_vcpu *v = obj;
	struct montecito_regs *r = arg;
	struct montecito_reg *reg = mhost_vcpu_regs_in(r);
	long ret;

	if (IS_ERR(reg))
		return PTR_ERR(reg);
	ret = mhost_regs_set(v->m, v->index, reg, r->count, &r->bad);
	kvfree(reg);
	return ret;
}

static long mhost_vcpu_pal(void *obj, void *arg)
{
	struct mhost_vcpu *v = obj;
	struct montecito_pal *p = arg;
	u64 in[4], out[4] = {};
	int ret, i;

	for (i = 0; i < 4; i++)
		in[i] = p->arg[i];
	mhost_lock(v->m);
	ret = mont_pal_call(v->t, in, out);
	mhost_publish(v->m);
	mhost_unlock(v->m);
	for (i = 0; i < 4; i++)
		p->ret[i] = out[i];
	return ret;
}

static long mhost_vcpu_irq(void *obj, void *arg)
{
	struct mhost_vcpu *v = obj;
	const struct montecito_irq *q = arg;
	int ret;

	if (q->pad)
		return -EINVAL;
	mhost_lock(v->m);
	ret = mont_irq_inject(v->t, q->vector);
	mhost_publish(v->m);
	mhost_unlock(v->m);
	return ret;
}

static long mhost_vcpu_tc_insert(void *obj, void *arg)
{
	struct mhost_vcpu *v = obj;
	const struct montecito_tc_insert *tc = arg;
	int ret;

	mhost_lock(v->m);
	ret = mont_tc_insert(v->t, tc->flags & MONTECITO_TC_INSN, tc->va, tc->pte, tc->itir);
	mhost_unlock(v->m);
	return ret;
}

static long mhost_vcpu_tc_purge(void *obj, void *arg)
{
	struct mhost_vcpu *v = obj;
	const struct montecito_tc_purge *tc = arg;
	int ret;

	if (tc->pad)
		return -EINVAL;
	mhost_lock(v->m);
	ret = mont_tc_purge(v->t, tc->va, tc->ps);
	mhost_unlock(v->m);
	return ret;
}

static long mhost_vcpu_ring(void *obj, void *arg)
{
	struct mhost_vcpu *v = obj;
	const struct montecito_ring *r = arg;
	struct mhost_ring *ring;
	int ret = 0;

	if (r->pad || r->order > MONTECITO_MAX_RING_ORDER)
		return -EINVAL;
	if (READ_ONCE(v->ring))
		return -EEXIST;
	ring = mhost_ring_new(r->order);
	if (IS_ERR(ring))
		return PTR_ERR(ring);
	mhost_lock(v->m);
	if (v->ring)
		ret = -EEXIST;
	else
		/* mmap() and poll() look without the lock. */
		smp_store_release(&v->ring, ring);
	mhost_unlock(v->m);
	if (ret)
		mhost_ring_free(ring);
	return ret;
}

static long mhost_vcpu_eventfd(void *obj, void *arg)
{
	struct mhost_vcpu *v = obj;
	const struct montecito_eventfd *e = arg;
	struct eventfd_ctx *ctx = NULL, *old;

	if (e->pad || e->fd < -1)
		return -EINVAL;
	if (e->fd >= 0) {
		ctx = eventfd_ctx_fdget(e->fd);
		if (IS_ERR(ctx))
			return PTR_ERR(ctx);
	}
	mhost_lock(v->m);
	old = v->efd;
	v->efd = ctx;
	mhost_unlock(v->m);
	if (old)
		eventfd_ctx_put(old);
	return 0;
}

static const struct mhost_op mhost_vcpu_ops[] = {
	MHOST_OP(MONTECITO_GET_REGS, mhost_vcpu_get_regs, montecito_regs, regs, 0,
		 MHOST_OUT_ALWAYS),
	MHOST_OP(MONTECITO_SET_REGS, mhost_vcpu_set_regs, montecito_regs, regs, 0,
		 MHOST_OUT_ALWAYS),
	MHOST_OP(MONTECITO_PAL, mhost_vcpu_pal, montecito_pal, ret, 0, MHOST_OUT_OK),
	MHOST_OP(MONTECITO_IRQ, mhost_vcpu_irq, montecito_irq, pad, 0, MHOST_OUT_NONE),
	MHOST_OP(MONTECITO_TC_INSERT, mhost_vcpu_tc_insert, montecito_tc_insert, itir,
		 MONTECITO_TC_INSN, MHOST_OUT_NONE),
	MHOST_OP(MONTECITO_TC_PURGE, mhost_vcpu_tc_purge, montecito_tc_purge, va, 0,
		 MHOST_OUT_NONE),
	MHOST_OP(MONTECITO_OBSERVER_ADD, mhost_observer_add, montecito_observer_add, why,
		 MONTECITO_OBSERVER_SAMPLE, MHOST_OUT_ALWAYS),
	MHOST_OP(MONTECITO_OBSERVER_DEL, mhost_observer_del, montecito_observer_del, pad, 0,
		 MHOST_OUT_NONE),
	MHOST_OP(MONTECITO_OBSERVER_READ, mhost_observer_read, montecito_observer_read, counts, 0,
		 MHOST_OUT_ALWAYS),
	MHOST_OP(MONTECITO_RING, mhost_vcpu_ring, montecito_ring, pad, 0, MHOST_OUT_NONE),
	MHOST_OP(MONTECITO_EVENTFD, mhost_vcpu_eventfd, montecito_eventfd, pad, 0, MHOST_OUT_NONE),
};

static long mhost_vcpu_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return mhost_ioctl(mhost_vcpu_ops, ARRAY_SIZE(mhost_vcpu_ops), file->private_data, cmd,
			   arg);
}

static int mhost_vcpu_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct mhost_vcpu *v = file->private_data;
	/* Pairs with the release in mhost_vcpu_ring(). */
	struct mhost_ring *ring = smp_load_acquire(&v->ring);

	if (!ring)
		return -ENXIO;
	if (vma->vm_pgoff || vma_pages(vma) != ring->pages.nr)
		return -EINVAL;
	return mhost_pages_mmap(&ring->pages, vma);
}

static __poll_t mhost_vcpu_poll(struct file *file, poll_table *wait)
{
	struct mhost_vcpu *v = file->private_data;
	struct mhost_ring *ring;

	poll_wait(file, &v->wq, wait);
	/* Pairs with the release in mhost_vcpu_ring(). */
	ring = smp_load_acquire(&v->ring);
	return ring && mhost_ring_readable(ring) ? EPOLLIN | EPOLLRDNORM : 0;
}

static int mhost_vcpu_release(struct inode *inode, struct file *file)
{
	struct mhost_vcpu *v = file->private_data;

	mhost_lock(v->m);
	list_del(&v->link);
	mhost_observers_release(v);
	mhost_unlock(v->m);
	mhost_ring_free(v->ring);
	if (v->efd)
		eventfd_ctx_put(v->efd);
	mhost_machine_put(v->m);
	kfree(v);
	return 0;
}

static const struct file_operations mhost_vcpu_fops = {
	.owner = THIS_MODULE,
	.release = mhost_vcpu_release,
	.mmap = mhost_vcpu_mmap,
	.poll = mhost_vcpu_poll,
	.unlocked_ioctl = mhost_vcpu_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};

/**
 * mhost_vcpu_open() - a new file on a vcpu
 * @m: machine
 * @index: which vcpu
 *
 * Return: a file descriptor or a negative errno.
 */
int mhost_vcpu_open(struct mhost_machine *m, u32 index)
{
	struct mhost_vcpu *v;
	int fd;

	if (index >= m->nr_vcpus)
		return -ENOENT;
	v = kzalloc(sizeof(*v), GFP_KERNEL_ACCOUNT);
	if (!v)
		return -ENOMEM;
	v->m = m;
	v->t = mont_vcpu(m->pkg, index);
	v->index = index;
	init_waitqueue_head(&v->wq);
	xa_init_flags(&v->observers, XA_FLAGS_ALLOC1);
	kref_get(&m->ref);
	mhost_lock(m);
	list_add_tail(&v->link, &m->vcpus[index]);
	mhost_unlock(m);

	fd = anon_inode_getfd("[montecito-vcpu]", &mhost_vcpu_fops, v, O_RDWR | O_CLOEXEC);
	if (fd < 0) {
		mhost_lock(m);
		list_del(&v->link);
		mhost_unlock(m);
		mhost_machine_put(m);
		kfree(v);
	}
	return fd;
}
