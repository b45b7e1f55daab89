// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers of a vcpu in batches, for its file descriptor and for netlink.
 */
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/printk.h>

#include "host.h"

static_assert(MONTECITO_REG_GR == (int)MONT_REG_GR);
static_assert(MONTECITO_REG_FR == (int)MONT_REG_FR);
static_assert(MONTECITO_REG_PR == (int)MONT_REG_PR);
static_assert(MONTECITO_REG_BR == (int)MONT_REG_BR);
static_assert(MONTECITO_REG_AR == (int)MONT_REG_AR);
static_assert(MONTECITO_REG_CR == (int)MONT_REG_CR);
static_assert(MONTECITO_REG_SPECIAL == (int)MONT_REG_SPECIAL);
static_assert(MONTECITO_REG_RR == (int)MONT_REG_RR);
static_assert(MONTECITO_REG_PKR == (int)MONT_REG_PKR);
static_assert(MONTECITO_REG_DBR == (int)MONT_REG_DBR);
static_assert(MONTECITO_REG_IBR == (int)MONT_REG_IBR);
static_assert(MONTECITO_REG_PMC == (int)MONT_REG_PMC);
static_assert(MONTECITO_REG_PMD == (int)MONT_REG_PMD);
static_assert(MONTECITO_REG_CPUID == (int)MONT_REG_CPUID);
static_assert(MONTECITO_NR_REG_CLASSES == (int)MONT_NR_REG_CLASSES);
static_assert(MONTECITO_SPECIAL_IP == (int)MONT_SPECIAL_IP);
static_assert(MONTECITO_SPECIAL_PSR == (int)MONT_SPECIAL_PSR);
static_assert(MONTECITO_SPECIAL_CFM == (int)MONT_SPECIAL_CFM);
static_assert(MONTECITO_SPECIAL_INSNS == (int)MONT_SPECIAL_INSNS);
static_assert(MONTECITO_SPECIAL_CYCLES == (int)MONT_SPECIAL_CYCLES);
static_assert(MONTECITO_SPECIAL_HALTED == (int)MONT_SPECIAL_HALTED);
static_assert(MONTECITO_NR_SPECIAL == (int)MONT_NR_SPECIAL);

static bool mhost_reg_readonly(const struct montecito_reg *reg)
{
	switch (reg->cls) {
	case MONTECITO_REG_CPUID:
		return true;
	case MONTECITO_REG_SPECIAL:
		return reg->index == MONTECITO_SPECIAL_INSNS ||
		       reg->index == MONTECITO_SPECIAL_CYCLES;
	}
	return false;
}

/* Has the value a second word only where the register has one? */
static bool mhost_reg_word_ok(const struct montecito_reg *reg)
{
	switch (reg->cls) {
	case MONTECITO_REG_FR:
		return true;
	case MONTECITO_REG_GR:
		return reg->value[1] <= 1;
	}
	return !reg->value[1];
}

/**
 * mhost_regs_get() - read registers at one instant
 * @m: machine
 * @vcpu: which of its vcpus; exists
 * @reg: which, and where the values go
 * @count: how many
 * @bad: set to the index of the one that was refused, or @count
 *
 * Return: 0 or -EINVAL.
 */
int mhost_regs_get(struct mhost_machine *m, u32 vcpu, struct montecito_reg *reg, u32 count,
		   u32 *bad)
{
	struct mont_thread *t = mont_vcpu(m->pkg, vcpu);
	int ret = 0;
	u32 i;

	mhost_lock(m);
	for (i = 0; i < count; i++) {
		u64 v[2] = {};

		ret = mont_reg_get(t, reg[i].cls, reg[i].index, v);
		if (ret)
			break;
		reg[i].value[0] = v[0];
		reg[i].value[1] = v[1];
	}
	mhost_unlock(m);
	*bad = i;
	return ret ? -EINVAL : 0;
}

static void mhost_regs_undo(struct mhost_machine *m)
{
	if (mont_state_load(m->pkg, m->scratch, m->state_size))
		pr_err_once("montecito: the model does not take back a state it saved\n");
}

static int mhost_regs_check(const struct montecito_reg *reg, u32 count, u32 *bad)
{
	u32 i;

	for (i = 0; i < count; i++) {
		*bad = i;
		if (mhost_reg_readonly(&reg[i]))
			return -EPERM;
		if (!mhost_reg_word_ok(&reg[i]))
			return -EINVAL;
	}
	*bad = count;
	return 0;
}

/*
 * Writing a register may change others (BSPSTORE, EOI, PMC0), so what went
 * before a refused one is undone by putting the whole state back.
 */
static int mhost_regs_write(struct mhost_machine *m, u32 vcpu, const struct montecito_reg *reg,
			    u32 count, u32 *bad)
{
	struct mont_thread *t = mont_vcpu(m->pkg, vcpu);
	int ret = 0;
	u32 i;

	if (count > 1)
		mont_state_save(m->pkg, m->scratch);
	for (i = 0; i < count; i++) {
		u64 v[2] = { reg[i].value[0], reg[i].value[1] };

		ret = mont_reg_set(t, reg[i].cls, reg[i].index, v);
		if (ret)
			break;
	}
	if (ret && i)
		mhost_regs_undo(m);
	mhost_publish(m);
	*bad = i;
	return ret ? -EINVAL : 0;
}

/**
 * mhost_regs_set() - write registers, all or none
 * @m: machine
 * @vcpu: which of its vcpus; exists
 * @reg: which, and their values
 * @count: how many
 * @bad: set to the index of the one that was refused, or @count
 *
 * Return: 0, -EINVAL, or -EPERM for a register that is read only.
 */
int mhost_regs_set(struct mhost_machine *m, u32 vcpu, const struct montecito_reg *reg, u32 count,
		   u32 *bad)
{
	int ret = mhost_regs_check(reg, count, bad);

	if (ret)
		return ret;
	mhost_lock(m);
	ret = mhost_regs_write(m, vcpu, reg, count, bad);
	mhost_unlock(m);
	return ret;
}

/**
 * mhost_regs_set_briefly() - the same, for who may not wait long
 * @m: machine
 * @vcpu: which of its vcpus; exists
 * @reg: which, and their values
 * @count: how many
 * @bad: set to the index of the one that was refused, or @count
 *
 * Return: as mhost_regs_set(), or what mhost_lock_briefly() says.
 */
int mhost_regs_set_briefly(struct mhost_machine *m, u32 vcpu, const struct montecito_reg *reg,
			   u32 count, u32 *bad)
{
	int ret = mhost_regs_check(reg, count, bad);

	if (ret)
		return ret;
	ret = mhost_lock_briefly(m);
	if (ret)
		return ret;
	ret = mhost_regs_write(m, vcpu, reg, count, bad);
	mhost_unlock(m);
	return ret;
}
