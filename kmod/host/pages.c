// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory that the module and userspace see together: guest memory, rings and
 * snapshots. Single pages, mapped contiguously into the kernel, given to the
 * caller's mapping as it touches them, charged to the memory control group of
 * who asks for them and, as io_uring and iommufd do, to RLIMIT_MEMLOCK.
 */
#include <linux/atomic.h>
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/errno.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/user.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "compat.h"
#include "host.h"

static int mhost_charge_user(struct user_struct *user, unsigned long pages)
{
	unsigned long limit = rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;
	unsigned long have = atomic_long_read(&user->locked_vm);

	do {
		if (pages > limit || have > limit - pages)
			return -ENOMEM;
	} while (!atomic_long_try_cmpxchg(&user->locked_vm, &have, have + pages));
	return 0;
}

/**
 * mhost_charge() - let the caller answer for locked memory
 * @a: filled
 * @pages: how much
 *
 * Return: 0, or -ENOMEM over the caller's RLIMIT_MEMLOCK.
 */
int mhost_charge(struct mhost_account *a, unsigned long pages)
{
	int ret;

	memset(a, 0, sizeof(*a));
	if (!capable(CAP_IPC_LOCK)) {
		a->user = get_uid(current_user());
		ret = mhost_charge_user(a->user, pages);
		if (ret) {
			free_uid(a->user);
			a->user = NULL;
			return ret;
		}
	}
	a->pages = pages;
	a->mm = current->mm;
	mmgrab(a->mm);
	atomic64_add(pages, &a->mm->pinned_vm);
	return 0;
}

/**
 * mhost_uncharge() - the opposite
 * @a: account; nothing if it was never charged
 */
void mhost_uncharge(struct mhost_account *a)
{
	if (!a->mm)
		return;
	atomic64_sub(a->pages, &a->mm->pinned_vm);
	mmdrop(a->mm);
	if (a->user) {
		atomic_long_sub(a->pages, &a->user->locked_vm);
		free_uid(a->user);
	}
	memset(a, 0, sizeof(*a));
}

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
 * mhost_pages_fault() - give one of them to a mapping
 * @p: pages
 * @index: which
 * @vmf: the fault
 *
 * Return: what the fault handler returns.
 */
vm_fault_t mhost_pages_fault(struct mhost_pages *p, unsigned long index, struct vm_fault *vmf)
{
	if (index >= p->nr)
		return VM_FAULT_SIGBUS;
	vmf->page = p->page[array_index_nospec(index, p->nr)];
	get_page(vmf->page);
	return 0;
}
