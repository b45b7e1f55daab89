/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Guest physical memory: mapping, reading, writing, invalidating. Called by
 * machine.c and state.c for ioctls, and by lock.c.
 */
#ifndef MHOST_MEMORY_H
#define MHOST_MEMORY_H

#include "host.h"

u8 *mhost_ram(struct mhost_machine *m, u64 addr, u64 length);
bool mhost_memory_maps(struct mhost_machine *m, u64 addr, u64 length);
void mhost_memory_freeze(struct mhost_machine *m);
void mhost_memory_thaw(struct mhost_machine *m);
int mhost_memory_mmap(struct mhost_machine *m, struct vm_area_struct *vma);
long mhost_mem_read(void *obj, void *arg);
long mhost_mem_write(void *obj, void *arg);
long mhost_mem_invalidate(void *obj, void *arg);

#endif
