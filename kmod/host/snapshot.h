/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Snapshots: a page for each vcpu that userspace maps and reads without a call.
 * Called by each command that changes what they show (run.c, regs.c, state.c),
 * by machine.c, and by vcpu.c and netlink.c.
 */
#ifndef MHOST_SNAPSHOT_H
#define MHOST_SNAPSHOT_H

#include "host.h"

int mhost_snapshot_init(struct mhost_machine *m);
void mhost_publish(struct mhost_machine *m);
int mhost_snapshot_mmap(struct mhost_machine *m, unsigned long vcpu, struct vm_area_struct *vma);
void mhost_snapshot_read(struct mhost_machine *m, u32 vcpu, struct montecito_snapshot *s);

#endif
