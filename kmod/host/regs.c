// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers of a vcpu in batches, for its file descriptor and for netlink.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/nospec.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "host.h"
#include "lock.h"
#include "regs.h"
#include "run.h"
#include "snapshot.h"

/* Registers of each class; an index from outside is clamped to that. */
static const u16 mhost_nr_regs[] = {
	[MONTECITO_REG_GR] = 128,
	[MONTECITO_REG_FR] = 128,
	[MONTECITO_REG_PR] = 1,
	[MONTECITO_REG_BR] = 8,
	[MONTECITO_REG_AR] = 128,
	[MONTECITO_REG_CR] = 128,
	[MONTECITO_REG_SPECIAL] = MONT_NR_SPECIAL,
	[MONTECITO_REG_RR] = 8,
	[MONTECITO_REG_PKR] = 16,
	[MONTECITO_REG_DBR] = 16,
	[MONTECITO_REG_IBR] = 16,
	[MONTECITO_REG_PMC] = 256,
	[MONTECITO_REG_PMD] = 256,
	[MONTECITO_REG_CPUID] = 16,
	[MONTECITO_REG_STACKED] = 96,
};

static_assert(ARRAY_SIZE(mhost_nr_regs) == MONT_NR_REG_CLASSES);

/*
 * The model indexes its arrays with what it is given here: not even on
 * speculation may that lie outside of them.
 */
static bool mhost_reg_clamp(const struct montecito_reg *reg, u32 *cls, u32 *index)
{
	u32 nr;

	if (reg->cls >= ARRAY_SIZE(mhost_nr_regs))
		return false;
	*cls = array_index_nospec(reg->cls, ARRAY_SIZE(mhost_nr_regs));
	nr = mhost_nr_regs[*cls];
	if (reg->index >= nr)
		return false;
	*index = array_index_nospec(reg->index, nr);
	return true;
}

/*
 * Offer the CPU between two registers of a batch: a write of PSR may arm every observer
 * anew. The machine's mutex stays taken, since half of a batch may not be seen.
 */
static int mhost_regs_pause(void)
{
	cond_resched();
	return fatal_signal_pending(current) ? -EINTR : 0;
}

/**
 * mhost_regs_get() - read registers at one instant
 * @m: machine
 * @vcpu: which of its vcpus; exists
 * @reg: which, and where the values go
 * @count: how many
 * @bad: set to the index of the one that was refused, or @count
 *
 * Return: 0, -EINVAL, or -EBUSY or -EINTR as mhost_enter(); -EINTR when the caller is
 * killed meanwhile as well.
 */
int mhost_regs_get(struct mhost_machine *m, u32 vcpu, struct montecito_reg *reg, u32 count,
		   u32 *bad)
{
	struct mont_thread *t = mont_vcpu(m->pkg, array_index_nospec(vcpu, m->nr_vcpus));
	u32 i, cls, index;
	int ret;

	*bad = count;
	ret = mhost_enter(m);
	if (ret)
		return ret;
	for (i = 0; i < count; i++) {
		u64 v[2] = {};

		ret = mhost_regs_pause();
		if (ret)
			break;
		if (!mhost_reg_clamp(&reg[i], &cls, &index) || mont_reg_get(t, cls, index, v)) {
			ret = -EINVAL;
			break;
		}
		reg[i].value[0] = v[0];
		reg[i].value[1] = v[1];
	}
	mhost_unlock(m);
	*bad = i;
	return ret;
}

static int mhost_regs_check(const struct montecito_reg *reg, u32 count, u32 *bad)
{
	for (*bad = 0; *bad < count; ++*bad) {
		if (mhost_reg_readonly(&reg[*bad]))
			return -EPERM;
		if (!mhost_reg_word_ok(&reg[*bad]))
			return -EINVAL;
	}
	return 0;
}

/* Put back what was before, and forget what the refused writes would report. */
static void mhost_regs_undo(struct mhost_machine *m, struct mont_thread *t)
{
	if (mont_state_load(m->pkg, m->scratch, m->state_size))
		pr_err_once("the model does not take back a state it saved\n");
	(void)mont_uncounted(t);
}

/* A batch of general registers is short if the CPU need not be offered within it. */
#define MHOST_SHORT_BATCH 128

/* True if all of @reg are general registers that can be written, and few: none is refused. */
static bool mhost_regs_are_grs(const struct mont_thread *t, const struct montecito_reg *reg,
			       u32 count)
{
	u32 i, cls, index;

	if (count > MHOST_SHORT_BATCH)
		return false;
	for (i = 0; i < count; i++) {
		u64 v[2] = { reg[i].value[0], reg[i].value[1] };

		if (!mhost_reg_clamp(&reg[i], &cls, &index) ||
		    !mont_reg_is_gr_to_set(t, cls, index, v))
			return false;
	}
	return true;
}

/*
 * Writing a register may change others (BSPSTORE, EOI, PMC0), so what went
 * before a refused one is undone by putting the whole state back.
 */
static int mhost_regs_write(struct mhost_machine *m, u32 vcpu, const struct montecito_reg *reg,
			    u32 count, u32 *bad)
{
	struct mont_thread *t = mont_vcpu(m->pkg, array_index_nospec(vcpu, m->nr_vcpus));
	bool grs = mhost_regs_are_grs(t, reg, count);
	u32 i, cls, index;
	int ret = 0;

	mhost_uncounted_take(m);
	/* A single one that is refused has changed nothing. */
	if (count > 1 && !grs)
		mont_state_save(m->pkg, m->scratch);
	for (i = 0; i < count; i++) {
		u64 v[2] = { reg[i].value[0], reg[i].value[1] };

		ret = grs ? 0 : mhost_regs_pause();
		if (ret)
			break;
		if (!mhost_reg_clamp(&reg[i], &cls, &index) || mont_reg_set(t, cls, index, v)) {
			ret = -EINVAL;
			break;
		}
	}
	if (ret && i)
		mhost_regs_undo(m, t);
	else if (!ret)
		mhost_publish(m);
	*bad = i;
	return ret;
}

/**
 * mhost_regs_set() - write registers, all or none
 * @m: machine
 * @vcpu: which of its vcpus; exists
 * @reg: which, and their values
 * @count: how many
 * @bad: set to the index of the one that was refused, or @count
 *
 * Return: 0, -EINVAL, -EPERM for a register that is read only, or what
 * mhost_enter() says; -EINTR when the caller is killed meanwhile as well, and none is
 * written then.
 */
int mhost_regs_set(struct mhost_machine *m, u32 vcpu, const struct montecito_reg *reg, u32 count,
		   u32 *bad)
{
	int ret = mhost_regs_check(reg, count, bad);

	if (!ret)
		ret = mhost_enter(m);
	if (ret)
		return ret;
	ret = mhost_regs_write(m, vcpu, reg, count, bad);
	mhost_unlock(m);
	return ret;
}

/**
 * mhost_regs_set_briefly() - mhost_regs_set() for a caller that may not wait long
 * @m: machine
 * @vcpu: which of its vcpus; exists
 * @reg: which, and their values
 * @count: how many
 * @bad: set to the index of the one that was refused, or @count
 *
 * Return: as mhost_regs_set(), or -EAGAIN as mhost_enter_briefly().
 */
int mhost_regs_set_briefly(struct mhost_machine *m, u32 vcpu, const struct montecito_reg *reg,
			   u32 count, u32 *bad)
{
	int ret = mhost_regs_check(reg, count, bad);

	if (!ret)
		ret = mhost_enter_briefly(m);
	if (ret)
		return ret;
	ret = mhost_regs_write(m, vcpu, reg, count, bad);
	mhost_unlock(m);
	return ret;
}
