// SPDX-License-Identifier: GPL-2.0-only
/*
 * Other processors' PMUs on a vcpu (MONTECITO_PMU_*): whose they are, their registers, and
 * the records of their interrupts.
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "block.h"
#include "host.h"
#include "lock.h"
#include "observer.h"
#include "pages.h"
#include "pmu_convert.h"
#include "ring.h"

/**
 * struct mhost_block - another PMU and whose it is
 * @block: the model's part
 * @v: file that owns it
 * @kind: MONTECITO_PMU_*
 */
struct mhost_block {
	struct mont_block block;
	struct mhost_vcpu *v;
	u32 kind;
};

/* In the middle of mont_run(), under the machine's lock. */
static void mhost_block_tell(struct mont_block *block)
{
	struct mhost_block *b = container_of(block, struct mhost_block, block);
	union mhost_pmu_record u;

	mhost_pmu_record(block, b->kind, b->v->index, &u);
	mhost_ring_write(b->v->ring, &u, u.r.header.size);
	mhost_pend(b->v);
}

/* True if the vcpu has room for one more: its counters and units are among the observers. */
static bool mhost_block_room(const struct mhost_machine *m, u32 vcpu)
{
	return m->nr_vcpu_pmus[vcpu] < MHOST_MAX_VCPU_PMUS &&
	       m->nr_vcpu_observers[vcpu] + MONT_BLOCK_LISTENERS <= MHOST_MAX_VCPU_OBSERVERS &&
	       m->nr_vcpu_samplers[vcpu] + MONT_BLOCK_LISTENERS <= MHOST_MAX_VCPU_SAMPLERS;
}

/* Netlink's readers look at observers and kinds without the lock. */
static void mhost_block_count(struct mhost_machine *m, u32 vcpu, u32 kind, int sign)
{
	u32 *observers = &m->nr_vcpu_observers[vcpu], *kinds = &m->nr_vcpu_kinds[vcpu][kind];

	m->nr_vcpu_pmus[vcpu] += sign;
	WRITE_ONCE(*kinds, *kinds + sign);
	WRITE_ONCE(*observers, *observers + sign * MONT_BLOCK_LISTENERS);
	m->nr_vcpu_samplers[vcpu] += sign * MONT_BLOCK_LISTENERS;
}

/* The machine is locked. */
static int mhost_block_attach(struct mhost_vcpu *v, struct mhost_block *b,
			      struct montecito_pmu_add *a, const char **why)
{
	int ret;

	if ((a->flags & MONTECITO_PMU_SAMPLE) && !v->ring) {
		*why = "records need a ring first";
		return -ENXIO;
	}
	if (!mhost_block_room(v->m, v->index)) {
		*why = "the vcpu has as many PMUs, observers or periods as it can";
		return -ENOSPC;
	}
	/* The number is reserved; it finds the PMU only once the caller knows it. */
	ret = xa_alloc(&v->blocks, &b->block.id, NULL, xa_limit_31b, GFP_KERNEL_ACCOUNT);
	if (ret)
		return ret;
	ret = mont_block_add(v->t, &b->block, a->kind, why);
	if (ret) {
		xa_erase(&v->blocks, b->block.id);
		return ret;
	}
	mhost_block_count(v->m, v->index, array_index_nospec(a->kind, MONT_BLOCK_KINDS), 1);
	a->id = b->block.id;
	return 0;
}

static struct mhost_block *mhost_block_new(struct mhost_vcpu *v, struct montecito_pmu_add *a,
					   const char **why)
{
	struct mhost_block *b = kzalloc(sizeof(*b), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!b)
		return ERR_PTR(-ENOMEM);
	b->v = v;
	b->kind = a->kind;
	if (a->flags & MONTECITO_PMU_SAMPLE)
		b->block.tell = mhost_block_tell;
	ret = mhost_block_in(a, &b->block, why);
	if (!ret)
		ret = mhost_enter(v->m);
	if (ret) {
		kfree(b);
		return ERR_PTR(ret);
	}
	ret = mhost_block_attach(v, b, a, why);
	mhost_unlock(v->m);
	if (!ret)
		return b;
	kfree(b);
	return ERR_PTR(ret);
}

/**
 * mhost_block_add() - MONTECITO_PMU_ADD
 * @obj: vcpu file
 * @arg: struct mhost_block_creation
 *
 * Return: 0 or a negative errno.
 */
long mhost_block_add(void *obj, void *arg)
{
	struct mhost_block_creation *new = arg;
	const char *why = NULL;

	memset(new->a.why, 0, sizeof(new->a.why));
	new->b = mhost_block_new(obj, &new->a, &why);
	if (!IS_ERR(new->b))
		return 0;
	if (why)
		strscpy(new->a.why, why, sizeof(new->a.why));
	return PTR_ERR(new->b);
}

/* The machine is locked. */
static void mhost_block_free(struct mhost_block *b)
{
	mont_block_del(&b->block);
	xa_erase(&b->v->blocks, b->block.id);
	mhost_block_count(b->v->m, b->v->index, b->kind, -1);
	kfree(b);
}

/**
 * mhost_block_add_end() - make a PMU known by its number, or take it away
 * @obj: vcpu file
 * @arg: struct mhost_block_creation
 * @ret: 0
 * @told: @arg could be written back
 */
void mhost_block_add_end(void *obj, void *arg, long ret, bool told)
{
	struct mhost_vcpu *v = obj;
	struct mhost_block_creation *new = arg;

	mhost_lock_release(v->m);
	if (told)
		/* The entry is reserved: no memory is needed. */
		xa_store(&v->blocks, new->b->block.id, new->b, GFP_KERNEL_ACCOUNT);
	else
		mhost_block_free(new->b);
	mhost_unlock(v->m);
}

/**
 * mhost_blocks_fdinfo() - list the PMUs of a vcpu's file in /proc/PID/fdinfo
 * @v: vcpu file
 * @f: where to
 *
 * The lock of the list keeps what it holds from being freed: mhost_block_free() takes it first.
 */
void mhost_blocks_fdinfo(struct mhost_vcpu *v, struct seq_file *f)
{
	struct mhost_block *b;
	unsigned long id;

	xa_lock(&v->blocks);
	xa_for_each(&v->blocks, id, b)
		seq_printf(f, "montecito-pmu:\t%lu %s\n", id, b->block.ops->name);
	xa_unlock(&v->blocks);
}

/**
 * mhost_block_del() - MONTECITO_PMU_DEL
 * @obj: vcpu file
 * @arg: struct montecito_pmu_del
 *
 * Return: 0 or a negative errno.
 */
long mhost_block_del(void *obj, void *arg)
{
	struct mhost_vcpu *v = obj;
	const struct montecito_pmu_del *d = arg;
	struct mhost_block *b;
	int ret;

	if (d->pad)
		return -EINVAL;
	ret = mhost_enter(v->m);
	if (ret)
		return ret;
	b = xa_load(&v->blocks, d->id);
	if (b)
		mhost_block_free(b);
	mhost_unlock(v->m);
	return b ? 0 : -ENOENT;
}

static int mhost_block_get(struct mhost_block *b, struct mont_block_reg *reg, u32 count, u32 *bad,
			   const char **why)
{
	u32 i;
	int ret;

	for (i = 0; i < count; i++) {
		ret = mont_block_get(&b->block, &reg[i]);
		if (ret) {
			*bad = i;
			*why = "this PMU has no such register";
			return ret;
		}
	}
	return 0;
}

/* Registers at one instant, in kernel memory. */
static int mhost_block_regs(struct mhost_vcpu *v, struct montecito_pmu_regs *r,
			    struct mont_block_reg *reg, bool set, const char **why)
{
	struct mhost_block *b;
	int ret = mhost_enter(v->m);

	if (ret)
		return ret;
	b = xa_load(&v->blocks, r->id);
	if (!b) {
		*why = "there is no such PMU";
		ret = -ENOENT;
	} else if (set) {
		ret = mont_block_set(&b->block, reg, r->count, &r->bad, why);
	} else {
		ret = mhost_block_get(b, reg, r->count, &r->bad, why);
	}
	mhost_unlock(v->m);
	return ret;
}

static long mhost_pmu_regs(struct mhost_vcpu *v, struct montecito_pmu_regs *r, bool set)
{
	u64 size = (u64)r->count * sizeof(struct mont_block_reg);
	struct mont_block_reg *reg = NULL;
	const char *why = NULL;
	long ret = -EINVAL;

	r->bad = r->count;
	memset(r->why, 0, sizeof(r->why));
	if (r->pad || r->count > MHOST_MAX_BATCH)
		return ret;
	if (size) {
		reg = mhost_alloc(size);
		if (!reg)
			return -ENOMEM;
	}
	ret = -EFAULT;
	if (size && copy_from_user(reg, u64_to_user_ptr(r->regs), size))
		goto out;
	ret = mhost_block_regs(v, r, reg, set, &why);
	if (!ret && !set && size && copy_to_user(u64_to_user_ptr(r->regs), reg, size))
		ret = -EFAULT;
	if (ret && why)
		strscpy(r->why, why, sizeof(r->why));
out:
	kvfree(reg);
	return ret;
}

/**
 * mhost_block_get_regs() - MONTECITO_PMU_GET_REGS
 * @obj: vcpu file
 * @arg: struct montecito_pmu_regs
 *
 * Return: 0 or a negative errno.
 */
long mhost_block_get_regs(void *obj, void *arg)
{
	return mhost_pmu_regs(obj, arg, false);
}

/**
 * mhost_block_set_regs() - MONTECITO_PMU_SET_REGS
 * @obj: vcpu file
 * @arg: struct montecito_pmu_regs
 *
 * Return: 0 or a negative errno.
 */
long mhost_block_set_regs(void *obj, void *arg)
{
	return mhost_pmu_regs(obj, arg, true);
}

/**
 * mhost_block_describe() - MONTECITO_PMU_DESCRIBE
 * @obj: vcpu file
 * @arg: struct montecito_pmu_describe
 *
 * Return: 0 or a negative errno.
 */
long mhost_block_describe(void *obj, void *arg)
{
	return mhost_pmu_describe_out(arg);
}

/**
 * mhost_blocks_release() - remove all of a file's PMUs
 * @v: vcpu file, unused from now on; its machine is not locked
 */
void mhost_blocks_release(struct mhost_vcpu *v)
{
	struct mhost_block *b;
	unsigned long id;

	if (!xa_empty(&v->blocks)) {
		mhost_lock_release(v->m);
		xa_for_each(&v->blocks, id, b)
			mhost_block_free(b);
		mhost_unlock(v->m);
	}
	xa_destroy(&v->blocks);
}
