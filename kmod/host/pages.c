// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory that the module and userspace see together: guest memory, rings and
 * snapshots. Single pages, mapped contiguously into the kernel, given to the
 * caller's mapping as it touches them. And who answers for all memory whose size a
 * caller chooses: its memory control group, RLIMIT_MEMLOCK of its user (as io_uring and
 * iommufd charge it), and the account of all machines together, which leaves the system
 * a reserve.
 */
#include <linux/atomic.h>
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/errno.h>
#include <linux/gfp.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/nospec.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/user.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "compat.h"
#include "host.h"
#include "pages.h"

/* Pages that are had between two looks at what the system has left. */
#define MHOST_LOOK 256

/* Allocations of a size that callers choose fail rather than wake the OOM killer. */
#define MHOST_GFP (GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

static unsigned long mhost_memory_limit_mib;
module_param_named(memory_limit, mhost_memory_limit_mib, ulong, 0644);
MODULE_PARM_DESC(memory_limit,
		 "MiB that all machines may have together (0: half of the system's memory)");

/* Pages that all machines have together, with all that belongs to them. */
static atomic_long_t mhost_memory_pages = ATOMIC_LONG_INIT(0);

/* Pages of the system that are not for machines, whatever the limit says. */
static unsigned long mhost_memory_reserve(void)
{
	return totalram_pages() / 8;
}

static unsigned long mhost_memory_most(void)
{
	unsigned long total = totalram_pages(), mib = READ_ONCE(mhost_memory_limit_mib);

	if (!mib)
		return total / 2;
	return min(min(mib, ULONG_MAX >> 20) << (20 - PAGE_SHIFT), total - mhost_memory_reserve());
}

/**
 * mhost_memory_limit() - what all machines may have together
 *
 * Return: bytes.
 */
u64 mhost_memory_limit(void)
{
	return (u64)mhost_memory_most() << PAGE_SHIFT;
}

/**
 * mhost_memory_used() - what all machines have together
 *
 * Return: bytes.
 */
u64 mhost_memory_used(void)
{
	return (u64)atomic_long_read(&mhost_memory_pages) << PAGE_SHIFT;
}

/* Check that @pages more leave the system its reserve. */
static bool mhost_memory_there(unsigned long pages)
{
	long available = si_mem_available();

	return available > 0 && pages <= available && available - pages >= mhost_memory_reserve();
}

static int mhost_charge_to(atomic_long_t *used, unsigned long limit, unsigned long pages)
{
	unsigned long have = atomic_long_read(used);

	do {
		if (pages > limit || have > limit - pages)
			return -ENOMEM;
	} while (!atomic_long_try_cmpxchg(used, &have, have + pages));
	return 0;
}

static int mhost_charge_user(struct mhost_account *a, unsigned long pages)
{
	int ret;

	if (capable(CAP_IPC_LOCK))
		return 0;
	a->user = get_uid(current_user());
	ret = mhost_charge_to(&a->user->locked_vm, rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT, pages);
	if (ret) {
		free_uid(a->user);
		a->user = NULL;
	}
	return ret;
}

/**
 * mhost_charge() - let the caller answer for memory that it will hold
 * @a: filled
 * @own: pages that the module is going to allocate: they count for all machines together
 *	too, and must leave the system its reserve
 * @pinned: pages that are the caller's already
 *
 * Return: 0, or -ENOMEM over the limit of all machines or the caller's RLIMIT_MEMLOCK, or
 * where the reserve begins.
 */
int mhost_charge(struct mhost_account *a, unsigned long own, unsigned long pinned)
{
	int ret;

	memset(a, 0, sizeof(*a));
	if (!mhost_memory_there(own))
		return -ENOMEM;
	ret = mhost_charge_to(&mhost_memory_pages, mhost_memory_most(), own);
	if (ret)
		return ret;
	ret = mhost_charge_user(a, own + pinned);
	if (ret) {
		atomic_long_sub(own, &mhost_memory_pages);
		return ret;
	}
	a->own = own;
	a->pages = own + pinned;
	a->mm = current->mm;
	mmgrab(a->mm);
	atomic64_add(a->pages, &a->mm->pinned_vm);
	return 0;
}

/**
 * mhost_uncharge() - take back a charge of mhost_charge()
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
	atomic_long_sub(a->own, &mhost_memory_pages);
	memset(a, 0, sizeof(*a));
}

/**
 * mhost_alloc() - get zeroed memory whose size a caller has chosen
 * @size: bytes, charged by mhost_charge() where they are many
 *
 * A request that the system or the caller's control group has no memory for fails.
 *
 * Return: the memory, for kvfree(), or NULL.
 */
void *mhost_alloc(size_t size)
{
	if (size <= PAGE_SIZE)
		return kzalloc(size, MHOST_GFP);
	return __vmalloc(size, MHOST_GFP);
}

/**
 * mhost_pages_cost() - what pages cost that are had by mhost_pages_alloc()
 * @nr: how many
 *
 * Return: pages to charge: themselves and the list of them.
 */
unsigned long mhost_pages_cost(unsigned long nr)
{
	return nr + MHOST_PAGES(nr * sizeof(struct page *));
}

/**
 * mhost_pages_alloc() - get zeroed pages
 * @p: filled
 * @nr: how many
 *
 * The caller has charged them. Concurrent requests may all have found the reserve
 * untouched, so the reserve is checked again while the pages are allocated.
 *
 * Return: 0, -ENOMEM, or -EINTR when the caller is being killed meanwhile.
 */
int mhost_pages_alloc(struct mhost_pages *p, unsigned long nr)
{
	int ret = -ENOMEM;

	p->nr = 0;
	p->addr = NULL;
	if (nr > UINT_MAX)
		return -ENOMEM;
	p->page = mhost_alloc(nr * sizeof(*p->page));
	if (!p->page)
		return -ENOMEM;
	while (p->nr < nr) {
		struct page *page;

		if (fatal_signal_pending(current)) {
			ret = -EINTR;
			goto fail;
		}
		if (!(p->nr % MHOST_LOOK) && !mhost_memory_there(0))
			goto fail;
		page = alloc_page(MHOST_GFP);
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
 * mhost_pages_free() - give pages back; nothing may map them any more
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
 * mhost_pages_fault() - give a page to a mapping
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
