// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory that the module and userspace see together: guest memory and rings.
 * Single pages, mapped contiguously into the kernel, inserted into the caller's
 * mapping, and charged to the memory control group of who asks for them.
 */
#include <linux/errno.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "compat.h"
#include "host.h"

/**
 * mhost_pages_alloc() - get zeroed pages
 * @p: filled
 * @nr: how many
 *
 * A request that the machine cannot satisfy fails; it does not send the
 * kernel out to kill somebody else.
 *
 * Return: 0, -ENOMEM, or -EINTR when the caller is being killed meanwhile.
 */
int mhost_pages_alloc(struct mhost_pages *p, unsigned long nr)
{
	int ret = -ENOMEM;

	p->nr = 0;
	p->addr = NULL;
	/* Do not drain the machine to find out. */
	if (nr > UINT_MAX || (long)nr > si_mem_available())
		return -ENOMEM;
	p->page = kvmalloc_array(nr, sizeof(*p->page), GFP_KERNEL_ACCOUNT);
	if (!p->page)
		return -ENOMEM;
	while (p->nr < nr) {
		struct page *page;

		if (fatal_signal_pending(current)) {
			ret = -EINTR;
			goto fail;
		}
		page = alloc_page(GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_RETRY_MAYFAIL |
				  __GFP_NOWARN);
		if (!page)
			goto fail;
		p->page[p->nr++] = page;
		cond_resched();
	}
	p->addr = vmap(p->page, nr, VM_MAP, PAGE_KERNEL);
	if (!p->addr)
		goto fail;
	return 0;
fail:
	mhost_pages_free(p);
	return ret;
}

/**
 * mhost_pages_free() - give them back; nothing may map them any more
 * @p: pages
 */
void mhost_pages_free(struct mhost_pages *p)
{
	unsigned long i;

	if (p->addr)
		vunmap(p->addr);
	for (i = 0; i < p->nr; i++) {
		__free_page(p->page[i]);
		if (!(i & 1023))
			cond_resched();
	}
	kvfree(p->page);
	p->page = NULL;
	p->addr = NULL;
	p->nr = 0;
}

/**
 * mhost_pages_mmap() - map a part of them into userspace
 * @p: pages
 * @vma: the mapping; its offset counts from the first page
 *
 * Return: 0, -EINVAL for a private mapping or a range beyond the pages, or
 * what inserting them failed with.
 */
int mhost_pages_mmap(struct mhost_pages *p, struct vm_area_struct *vma)
{
	if (!(vma->vm_flags & VM_SHARED))
		return -EINVAL;
	if (vma->vm_pgoff >= p->nr || vma_pages(vma) > p->nr - vma->vm_pgoff)
		return -EINVAL;
	mhost_vm_flags_set(vma, VM_DONTEXPAND | VM_DONTDUMP);
	return vm_map_pages(vma, p->page, p->nr);
}
