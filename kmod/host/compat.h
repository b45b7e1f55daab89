/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernel interfaces that changed between 6.1 and 6.12. Included by each file of the
 * host side that uses one of them.
 */
#ifndef MHOST_COMPAT_H
#define MHOST_COMPAT_H

#include <linux/eventfd.h>
#include <linux/mm.h>
#include <linux/version.h>
#include <net/genetlink.h>

/* True if this is Linux 6.@minor or a later one. */
#define MHOST_SINCE(minor) (LINUX_VERSION_MAJOR > 6 || LINUX_VERSION_PATCHLEVEL >= (minor))

static inline void mhost_eventfd_signal(struct eventfd_ctx *ctx)
{
#if MHOST_SINCE(8)
	eventfd_signal(ctx);
#else
	eventfd_signal(ctx, 1);
#endif
}

static inline void mhost_vm_flags_set(struct vm_area_struct *vma, unsigned long flags)
{
#if MHOST_SINCE(3)
	vm_flags_set(vma, flags);
#else
	vma->vm_flags |= flags;
#endif
}

static inline void mhost_vm_flags_clear(struct vm_area_struct *vma, unsigned long flags)
{
#if MHOST_SINCE(3)
	vm_flags_clear(vma, flags);
#else
	vma->vm_flags &= ~flags;
#endif
}

/* Drop what a page fault holds of the address space; it will be had again. */
static inline void mhost_fault_unlock(struct vm_fault *vmf)
{
#if MHOST_SINCE(6)
	release_fault_lock(vmf);
#else
	mmap_read_unlock(vmf->vma->vm_mm);
#endif
}

/* The attributes of a dump's request. */
static inline struct nlattr **mhost_dump_attrs(struct netlink_callback *cb)
{
#if MHOST_SINCE(7)
	return genl_dumpit_info(cb)->info.attrs;
#else
	return genl_dumpit_info(cb)->attrs;
#endif
}

/* Defined where a multicast message can be filtered per member of its group. */
#if MHOST_SINCE(6)
#define MHOST_MCAST_FILTER 1
#else
#define MHOST_MCAST_FILTER 0
#endif

#endif
