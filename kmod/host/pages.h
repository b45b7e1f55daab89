/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory of the module that userspace may map, and the account that answers for it. Called by each
 * file of the host side that has such memory, and by main.c.
 */
#ifndef MHOST_PAGES_H
#define MHOST_PAGES_H

#include <linux/math.h>
#include <linux/mm_types.h>
#include <linux/types.h>

struct user_struct;
struct vm_fault;

/* Pages of so many bytes. */
#define MHOST_PAGES(bytes) DIV_ROUND_UP(bytes, PAGE_SIZE)

/**
 * struct mhost_account - who answers for locked memory
 * @user: whose RLIMIT_MEMLOCK carries it; NULL if exempt (CAP_IPC_LOCK)
 * @mm: in whose pinned_vm it is shown
 * @pages: how much
 * @own: of @pages, those that the module has allocated; the account of all machines
 *	carries them
 */
struct mhost_account {
	struct user_struct *user;
	struct mm_struct *mm;
	unsigned long pages;
	unsigned long own;
};

/**
 * struct mhost_pages - memory of the module that userspace may map
 * @page: its pages
 * @nr: how many
 * @addr: where the kernel sees them, contiguous
 */
struct mhost_pages {
	struct page **page;
	unsigned long nr;
	void *addr;
};

u64 mhost_memory_limit(void);
u64 mhost_memory_used(void);
int mhost_charge(struct mhost_account *a, unsigned long own, unsigned long pinned);
void mhost_uncharge(struct mhost_account *a);
void *mhost_alloc(size_t size);
unsigned long mhost_pages_cost(unsigned long nr);
int mhost_pages_alloc(struct mhost_pages *p, unsigned long nr);
void mhost_pages_free(struct mhost_pages *p);
vm_fault_t mhost_pages_fault(struct mhost_pages *p, unsigned long index, struct vm_fault *vmf);

#endif
