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
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/nospec.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "block.h"
#include "compat.h"
#include "host.h"
#include "ioctl.h"
#include "lock.h"
#include "machine.h"
#include "observer.h"
#include "pages.h"
#include "pipetrace.h"
#include "regs.h"
#include "ring.h"
#include "snapshot.h"
#include "trace.h"
#include "vcpu.h"

#define MHOST_OBSERVER_FLAGS \
	(MONTECITO_OBSERVER_SAMPLE | MONTECITO_OBSERVER_TABLE | MONTECITO_OBSERVER_CALLCHAIN)

#define MHOST_PMU_FLAGS                                                             \
	(MONTECITO_PMU_SAMPLE | MONTECITO_PMU_STOP | MONTECITO_PMU_ISM_AS_PRINTED | \
	 MONTECITO_PMU_FOLLOW_PSR)

static struct montecito_reg *mhost_vcpu_regs_in(struct montecito_regs *r)
{
	u64 size = (u64)r->count * sizeof(struct montecito_reg);
	struct montecito_reg *reg;

	r->bad = r->count;
	if (r->count > MHOST_MAX_BATCH)
		return ERR_PTR(-EINVAL);
	reg = mhost_alloc(size);
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
	ret = mhost_enter(v->m);
	if (ret)
		return ret;
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
	ret = mhost_enter(v->m);
	if (ret)
		return ret;
	ret = mont_irq_inject(v->t, q->vector);
	if (!ret)
		trace_montecito_irq(v->m->id, v->index, q->vector);
	mhost_publish(v->m);
	mhost_unlock(v->m);
	return ret;
}

static long mhost_vcpu_tc_insert(void *obj, void *arg)
{
	struct mhost_vcpu *v = obj;
	const struct montecito_tc_insert *tc = arg;
	int ret;

	ret = mhost_enter(v->m);
	if (ret)
		return ret;
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
	ret = mhost_enter(v->m);
	if (ret)
		return ret;
	ret = mont_tc_purge(v->t, tc->va, tc->ps);
	mhost_unlock(v->m);
	return ret;
}

static long mhost_vcpu_translate(void *obj, void *arg)
{
	struct montecito_translate *x = arg;
	struct mhost_vcpu *v = obj;
	u64 pa = 0;
	int ret;

	ret = mhost_enter(v->m);
	if (ret)
		return ret;
	ret = mont_host_translate(v->t, x->flags & MONTECITO_TRANSLATE_INSN, x->va, &pa);
	mhost_unlock(v->m);
	x->pa = pa;
	return ret;
}

static long mhost_vcpu_ring(void *obj, void *arg)
{
	struct mhost_vcpu *v = obj;
	const struct montecito_ring *r = arg;
	struct mhost_ring *ring;
	int ret;

	if (r->order > MHOST_MAX_RING_ORDER || r->watermark > PAGE_SIZE << r->order >> 1)
		return -EINVAL;
	if (READ_ONCE(v->ring))
		return -EEXIST;
	ring = mhost_ring_new(r->order, r->watermark);
	if (IS_ERR(ring))
		return PTR_ERR(ring);
	ret = mhost_lock(v->m);
	if (ret)
		goto fail;
	if (v->ring)
		ret = -EEXIST;
	else
		/* mmap() and poll() look without the lock. */
		smp_store_release(&v->ring, ring);
	mhost_unlock(v->m);
	if (!ret)
		return 0;
fail:
	mhost_ring_free(ring);
	return ret;
}

static long mhost_vcpu_eventfd(void *obj, void *arg)
{
	struct mhost_vcpu *v = obj;
	const struct montecito_eventfd *e = arg;
	struct eventfd_ctx *ctx = NULL;
	int ret;

	if (e->pad || e->fd < -1)
		return -EINVAL;
	if (e->fd >= 0) {
		ctx = eventfd_ctx_fdget(e->fd);
		if (IS_ERR(ctx))
			return PTR_ERR(ctx);
	}
	ret = mhost_lock(v->m);
	if (!ret) {
		swap(v->efd, ctx);
		mhost_unlock(v->m);
	}
	if (ctx)
		eventfd_ctx_put(ctx);
	return ret;
}

static int mhost_cycles_take(struct mhost_vcpu *v, struct montecito_cycles *c,
			     struct montecito_cause *to)
{
	int ret = mhost_enter(v->m);
	u32 i;

	if (ret)
		return ret;
	mhost_cycles_out(v->t, c);
	for (i = 0; to && i < c->count; i++)
		mhost_cause_out(v->t, i, &to[i]);
	mhost_unlock(v->m);
	return 0;
}

static long mhost_vcpu_cycles(void *obj, void *arg)
{
	struct montecito_cycles *c = arg;
	struct montecito_cause *to = NULL;
	u32 room = c->count, n = mhost_nr_causes();
	int ret;

	if (c->pad)
		return -EINVAL;
	c->count = n;
	if (room && room < n)
		return -ENOSPC;
	if (room) {
		to = kcalloc(n, sizeof(*to), GFP_KERNEL_ACCOUNT);
		if (!to)
			return -ENOMEM;
	}
	ret = mhost_cycles_take(obj, c, to);
	if (!ret && to && copy_to_user(u64_to_user_ptr(c->causes), to, n * sizeof(*to)))
		ret = -EFAULT;
	kfree(to);
	return ret;
}

static const struct mhost_op mhost_vcpu_ops[] = {
	MHOST_OP(MONTECITO_GET_REGS, mhost_vcpu_get_regs, struct montecito_regs, regs, 0,
		 MHOST_OUT_ALWAYS),
	MHOST_OP(MONTECITO_SET_REGS, mhost_vcpu_set_regs, struct montecito_regs, regs, 0,
		 MHOST_OUT_ALWAYS),
	MHOST_OP(MONTECITO_PAL, mhost_vcpu_pal, struct montecito_pal, ret, 0, MHOST_OUT_OK),
	MHOST_OP(MONTECITO_IRQ, mhost_vcpu_irq, struct montecito_irq, pad, 0, MHOST_OUT_NONE),
	MHOST_OP(MONTECITO_TC_INSERT, mhost_vcpu_tc_insert, struct montecito_tc_insert, itir,
		 MONTECITO_TC_INSN, MHOST_OUT_NONE),
	MHOST_OP(MONTECITO_TC_PURGE, mhost_vcpu_tc_purge, struct montecito_tc_purge, va, 0,
		 MHOST_OUT_NONE),
	MHOST_OP_END(MONTECITO_OBSERVER_ADD, mhost_observer_add, mhost_observer_add_end,
		     struct montecito_observer_add, matches, MHOST_OBSERVER_FLAGS,
		     MHOST_OUT_ALWAYS),
	MHOST_OP(MONTECITO_OBSERVER_DEL, mhost_observer_del, struct montecito_observer_del, pad, 0,
		 MHOST_OUT_NONE),
	MHOST_OP(MONTECITO_OBSERVER_READ, mhost_observer_read, struct montecito_observer_read,
		 counts, 0, MHOST_OUT_ALWAYS),
	MHOST_OP(MONTECITO_RING, mhost_vcpu_ring, struct montecito_ring, watermark, 0,
		 MHOST_OUT_NONE),
	MHOST_OP(MONTECITO_EVENTFD, mhost_vcpu_eventfd, struct montecito_eventfd, pad, 0,
		 MHOST_OUT_NONE),
	MHOST_OP(MONTECITO_TABLE_READ, mhost_table_read, struct montecito_table_read, lost,
		 MONTECITO_TABLE_CLEAR, MHOST_OUT_ALWAYS),
	MHOST_OP(MONTECITO_CYCLES, mhost_vcpu_cycles, struct montecito_cycles, unstalled, 0,
		 MHOST_OUT_ALWAYS),
	MHOST_OP(MONTECITO_TRANSLATE, mhost_vcpu_translate, struct montecito_translate, pa,
		 MONTECITO_TRANSLATE_INSN, MHOST_OUT_OK),
	MHOST_OP(MONTECITO_PMU_SAMPLING, mhost_pmu_sampling, struct montecito_pmu_sampling, reload,
		 MONTECITO_PMU_RELOAD, MHOST_OUT_NONE),
	MHOST_OP(MONTECITO_TRACE, mhost_vcpu_trace, struct montecito_trace, pad, 0, MHOST_OUT_NONE),
	MHOST_OP_END(MONTECITO_PMU_ADD, mhost_block_add, mhost_block_add_end,
		     struct montecito_pmu_add, reload, MHOST_PMU_FLAGS, MHOST_OUT_ALWAYS),
	MHOST_OP(MONTECITO_PMU_DEL, mhost_block_del, struct montecito_pmu_del, pad, 0,
		 MHOST_OUT_NONE),
	MHOST_OP(MONTECITO_PMU_GET_REGS, mhost_block_get_regs, struct montecito_pmu_regs, why, 0,
		 MHOST_OUT_ALWAYS),
	MHOST_OP(MONTECITO_PMU_SET_REGS, mhost_block_set_regs, struct montecito_pmu_regs, why, 0,
		 MHOST_OUT_ALWAYS),
	MHOST_OP(MONTECITO_PMU_DESCRIBE, mhost_block_describe, struct montecito_pmu_describe, text,
		 MONTECITO_PMU_EVENT, MHOST_OUT_OK),
};

static long mhost_vcpu_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return mhost_ioctl(mhost_vcpu_ops, ARRAY_SIZE(mhost_vcpu_ops), file->private_data, cmd,
			   arg);
}

static vm_fault_t mhost_ring_fault(struct vm_fault *vmf)
{
	struct mhost_ring *ring = vmf->vma->vm_private_data;

	return mhost_pages_fault(&ring->pages, vmf->pgoff, vmf);
}

static const struct vm_operations_struct mhost_ring_vm_ops = {
	.fault = mhost_ring_fault,
};

static int mhost_vcpu_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct mhost_vcpu *v = file->private_data;
	struct mhost_ring *ring;

	if (vma->vm_pgoff == MONTECITO_MMAP_SNAPSHOT >> PAGE_SHIFT)
		return mhost_snapshot_mmap(v->m, v->index, vma);
	/* Pairs with the release in mhost_vcpu_ring(). */
	ring = smp_load_acquire(&v->ring);
	if (!ring)
		return -ENXIO;
	if (vma->vm_pgoff || vma_pages(vma) != ring->pages.nr || !(vma->vm_flags & VM_SHARED))
		return -EINVAL;
	mhost_vm_flags_set(vma, VM_DONTEXPAND | VM_DONTDUMP);
	vma->vm_private_data = ring;
	vma->vm_ops = &mhost_ring_vm_ops;
	return 0;
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

	mhost_observers_release(v);
	mhost_blocks_release(v);
	mhost_lock_release(v->m);
	mhost_trace_release(v);
	list_del(&v->link);
	v->m->nr_files--;
	mhost_unlock(v->m);
	mhost_ring_free(v->ring);
	if (v->efd)
		eventfd_ctx_put(v->efd);
	mhost_machine_put(v->m);
	kfree(v);
	return 0;
}

/* Identify a vcpu's descriptor in /proc/PID/fdinfo, and list its PMUs. */
static void mhost_vcpu_fdinfo(struct seq_file *f, struct file *file)
{
	struct mhost_vcpu *v = file->private_data;

	seq_printf(f, "montecito-vcpu:\t%u %u\n", v->m->id, v->index);
	mhost_blocks_fdinfo(v, f);
}

static const struct file_operations mhost_vcpu_fops = {
	.owner = THIS_MODULE,
	.release = mhost_vcpu_release,
	.mmap = mhost_vcpu_mmap,
	.poll = mhost_vcpu_poll,
	.show_fdinfo = mhost_vcpu_fdinfo,
	.unlocked_ioctl = mhost_vcpu_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};

/* Among the files of its vcpu, unless there are too many. */
static int mhost_vcpu_link(struct mhost_vcpu *v)
{
	struct mhost_machine *m = v->m;
	int ret = mhost_lock(m);

	if (ret)
		return ret;
	if (m->nr_files == MHOST_MAX_VCPU_FILES) {
		ret = -ENOSPC;
	} else {
		m->nr_files++;
		list_add_tail(&v->link, &m->vcpus[v->index]);
	}
	mhost_unlock(m);
	return ret;
}

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
	struct file *file;
	int fd, ret;

	if (index >= m->nr_vcpus)
		return -ENOENT;
	index = array_index_nospec(index, m->nr_vcpus);
	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0)
		return fd;
	ret = -ENOMEM;
	v = kzalloc(sizeof(*v), GFP_KERNEL_ACCOUNT);
	if (!v)
		goto fail_fd;
	v->m = m;
	v->t = mont_vcpu(m->pkg, index);
	v->index = index;
	init_waitqueue_head(&v->wq);
	xa_init_flags(&v->observers, XA_FLAGS_ALLOC1);
	xa_init_flags(&v->blocks, XA_FLAGS_ALLOC1);
	ret = mhost_vcpu_link(v);
	if (ret)
		goto fail_free;
	kref_get(&m->ref);
	file = anon_inode_getfile("[montecito-vcpu]", &mhost_vcpu_fops, v, O_RDWR);
	if (IS_ERR(file)) {
		ret = PTR_ERR(file);
		goto fail_link;
	}
	fd_install(fd, file);
	return fd;
fail_link:
	mhost_lock_release(m);
	list_del(&v->link);
	m->nr_files--;
	mhost_unlock(m);
	mhost_machine_put(m);
fail_free:
	kfree(v);
fail_fd:
	put_unused_fd(fd);
	return ret;
}
