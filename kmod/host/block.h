/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PMUs of other processors on a vcpu (PMU_ADD). Called by vcpu.c, for ioctls
 * and as a file is closed.
 */
#ifndef MHOST_BLOCK_H
#define MHOST_BLOCK_H

#include "host.h"

struct seq_file;

/**
 * struct mhost_block_creation - MONTECITO_PMU_ADD's argument and what comes of it
 * @a: argument
 * @b: the new PMU, not yet known by its number
 */
struct mhost_block_creation {
	struct montecito_pmu_add a;
	struct mhost_block *b;
};

long mhost_block_add(void *obj, void *arg);
void mhost_block_add_end(void *obj, void *arg, long ret, bool told);
long mhost_block_del(void *obj, void *arg);
long mhost_block_get_regs(void *obj, void *arg);
long mhost_block_set_regs(void *obj, void *arg);
long mhost_block_describe(void *obj, void *arg);
void mhost_blocks_fdinfo(struct mhost_vcpu *v, struct seq_file *f);
void mhost_blocks_release(struct mhost_vcpu *v);

#endif
