/* SPDX-License-Identifier: GPL-2.0-only */
/* Kernel interfaces that changed between 6.1 and 6.12. */
#ifndef MHOST_COMPAT_H
#define MHOST_COMPAT_H

#include <linux/eventfd.h>
#include <linux/mm.h>
#include <linux/version.h>
#include <net/genetlink.h>

static inline void mhost_eventfd_signal(struct eventfd_ctx *ctx)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 8, 0)
	eventfd_signal(ctx);
#else
	eventfd_signal(ctx, 1);
#endif
}

static inline void mhost_vm_flags_set(struct vm_area_struct *vma, unsigned long flags)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
	vm_flags_set(vma, flags);
#else
	vma->vm_flags |= flags;
#endif
}

static inline void mhost_vm_flags_clear(struct vm_area_struct *vma, unsigned long flags)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
	vm_flags_clear(vma, flags);
#else
	vma->vm_flags &= ~flags;
#endif
}

/* Drop what a page fault holds of the address space; it will be had again. */
static inline void mhost_fault_unlock(struct vm_fault *vmf)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 6, 0)
	release_fault_lock(vmf);
#else
	mmap_read_unlock(vmf->vma->vm_mm);
#endif
}

/* The attributes of a dump's request. */
static inline struct nlattr **mhost_dump_attrs(struct netlink_callback *cb)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
	return genl_dumpit_info(cb)->info.attrs;
#else
	return genl_dumpit_info(cb)->attrs;
#endif
}

/* Defined where a multicast message can be filtered per member of its group. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 6, 0)
#define MHOST_MCAST_FILTER 1
#else
#define MHOST_MCAST_FILTER 0
#endif

#endif
