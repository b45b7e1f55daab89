/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading and writing registers, for the file of a vcpu and for netlink alike.
 * Called by vcpu.c and netlink_regs.c.
 */
#ifndef MHOST_REGS_H
#define MHOST_REGS_H

#include "host.h"

int mhost_regs_get(struct mhost_machine *m, u32 vcpu, struct montecito_reg *reg, u32 count,
		   u32 *bad);
int mhost_regs_set(struct mhost_machine *m, u32 vcpu, const struct montecito_reg *reg, u32 count,
		   u32 *bad);

int mhost_regs_set_briefly(struct mhost_machine *m, u32 vcpu, const struct montecito_reg *reg,
			   u32 count, u32 *bad);

#endif
