// SPDX-License-Identifier: GPL-2.0-only
/*
 * Guest memory: by copy, and in the caller's mapping.
 *
 * No lock is held while user memory is touched: a fault there may take as long
 * as its owner likes. So a copy meets a running guest as loads and stores
 * through the mapping do. SAVE, RESTORE and HASH want one instant: they find
 * no copy under way, let none begin, and take the mapping's pages out of every
 * process; who touches them waits in the fault handler.
 */
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/pagemap.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include "compat.h"
#include "host.h"
#include "lock.h"
#include "memory.h"

/* The region with memory that holds all of a range; its offset there. */
static struct mhost_region *mhost_region(struct mhost_machine *m, u64 addr, u64 length, u64 *off)
{
	u32 i;

	for (i = 0; i < m->nr_regions; i++) {
		struct mhost_region *r = &m->region[i];

		if (addr < r->r.addr || addr - r->r.addr > r->r.length ||
		    length > r->r.length - (addr - r->r.addr) || !r->pages.addr)
			continue;
		/* One past the end is only good for a length of 0, but never read. */
		*off = array_index_nospec(addr - r->r.addr, r->r.length + 1);
		return r;
	}
	return NULL;
}

/**
 * mhost_ram() - where the kernel sees guest memory
 * @m: machine
 * @addr: guest physical address
 * @length: bytes
 *
 * Return: the first byte, or NULL if the range is not inside one region with
 * memory.
 */
u8 *mhost_ram(struct mhost_machine *m, u64 addr, u64 length)
{
	struct mhost_region *r;
	u64 off;

	r = mhost_region(m, addr, length, &off);
	return r ? (u8 *)r->pages.addr + off : NULL;
}

static int mhost_mem_changed(struct mhost_machine *m, u64 addr, u64 length)
{
	int ret = mhost_lock(m);

	if (ret) {
		/* Killed; others may go on with the machine. */
		WRITE_ONCE(m->stale, true);
		return ret;
	}
	mont_mem_invalidate(m->pkg, addr, length);
	mhost_unlock(m);
	return 0;
}

static int mhost_mem_part(struct mhost_machine *m, u64 addr, u8 *ram, u8 __user *user,
			  unsigned long n, bool write)
{
	unsigned long left;
	int ret;

	if (!write) {
		/* The guest may store there meanwhile: a copy is as a load through the mapping. */
		left = data_race(copy_to_user(user, ram, n));
		return left ? -EFAULT : 0;
	}
	/* The guest may use it meanwhile: a copy is as a store through the mapping. */
	left = data_race(copy_from_user(ram, user, n));
	/* Also of a copy cut short: what there was of it has changed the memory. */
	ret = mhost_mem_changed(m, addr, n);
	return left ? -EFAULT : ret;
}

static long mhost_mem_copy(struct mhost_machine *m, const struct montecito_mem *mem, bool write)
{
	u8 *ram = mhost_ram(m, mem->addr, mem->length);
	u8 __user *user = u64_to_user_ptr(mem->data);
	u64 done = 0;
	int ret;

	if (!ram)
		return -EINVAL;
	ret = mhost_use(m);
	if (ret)
		return ret;
	while (!ret && done < mem->length) {
		unsigned long n = min_t(u64, mem->length - done, MHOST_COPY_CHUNK);

		if (fatal_signal_pending(current)) {
			ret = -EINTR;
			break;
		}
		ret = mhost_mem_part(m, mem->addr + done, ram + done, user + done, n, write);
		done += n;
		cond_resched();
	}
	mhost_unuse(m);
	return ret;
}

/**
 * mhost_mem_read() - MONTECITO_MEM_READ
 * @obj: machine
 * @arg: struct montecito_mem
 *
 * Return: 0 or a negative errno.
 */
long mhost_mem_read(void *obj, void *arg)
{
	return mhost_mem_copy(obj, arg, false);
}

/**
 * mhost_mem_write() - MONTECITO_MEM_WRITE
 * @obj: machine
 * @arg: struct montecito_mem
 *
 * Return: 0 or a negative errno.
 */
long mhost_mem_write(void *obj, void *arg)
{
	return mhost_mem_copy(obj, arg, true);
}

/**
 * mhost_mem_invalidate() - MONTECITO_MEM_INVALIDATE
 * @obj: machine
 * @arg: struct montecito_mem
 *
 * Return: 0 or a negative errno.
 */
long mhost_mem_invalidate(void *obj, void *arg)
{
	struct mhost_machine *m = obj;
	const struct montecito_mem *mem = arg;
	u64 done = 0;
	int ret;

	if (mem->data || !mhost_ram(m, mem->addr, mem->length))
		return -EINVAL;
	while (done < mem->length) {
		u64 n = min_t(u64, mem->length - done, MHOST_COPY_CHUNK);

		ret = mhost_enter(m);
		if (ret)
			return ret;
		mont_mem_invalidate(m->pkg, mem->addr + done, n);
		mhost_unlock(m);
		done += n;
		cond_resched();
	}
	return 0;
}

/* ---- the mapping ---- */

/**
 * mhost_memory_freeze() - hold all accesses through the mapping of guest memory
 * @m: machine; the caller is the only one who freezes it
 *
 * The caller waits for nothing until mhost_memory_thaw(), so that a freeze lasts no
 * longer than it takes to copy or hash the memory.
 */
void mhost_memory_freeze(struct mhost_machine *m)
{
	filemap_invalidate_lock(&m->mapping);
	WRITE_ONCE(m->frozen, true);
	filemap_invalidate_unlock(&m->mapping);
	unmap_mapping_range(&m->mapping, 0, 0, 1);
}

/**
 * mhost_memory_thaw() - end a freeze: accesses through the mapping go on
 * @m: machine
 */
void mhost_memory_thaw(struct mhost_machine *m)
{
	filemap_invalidate_lock(&m->mapping);
	WRITE_ONCE(m->frozen, false);
	filemap_invalidate_unlock(&m->mapping);
	wake_up_all(&m->thaw);
}

/*
 * The mapping is frozen: wait with no lock held, and have the fault again. Where
 * mmap_lock may not be let go (/proc/PID/mem is read, io_uring registers a buffer),
 * each later taker of that lock would wait too: the fault fails with SIGBUS there.
 */
static vm_fault_t mhost_memory_wait(struct mhost_machine *m, struct vm_fault *vmf)
{
	/* In the middle of a system call there may be locks, which no frozen task is to hold. */
	unsigned int state = vmf->flags & FAULT_FLAG_USER ? TASK_INTERRUPTIBLE | TASK_FREEZABLE
							  : TASK_KILLABLE;
	struct file *file;

	if (!(vmf->flags & FAULT_FLAG_ALLOW_RETRY))
		return VM_FAULT_SIGBUS;
	if (vmf->flags & FAULT_FLAG_RETRY_NOWAIT)
		return VM_FAULT_RETRY;
	/* Without mmap_lock the mapping may go; the file holds the machine. */
	file = get_file(vmf->vma->vm_file);
	mhost_fault_unlock(vmf);
	(void)wait_event_state(m->thaw, !READ_ONCE(m->frozen), state);
	fput(file);
	/* Not every architecture looks at signals before it has the fault again. */
	cond_resched();
	return VM_FAULT_RETRY;
}

static vm_fault_t mhost_memory_fault(struct vm_fault *vmf)
{
	struct mhost_machine *m = vmf->vma->vm_private_data;
	struct mhost_region *r;
	u64 off;
	int ret;

	r = mhost_region(m, (u64)vmf->pgoff << PAGE_SHIFT, PAGE_SIZE, &off);
	if (!r)
		return VM_FAULT_SIGBUS;
	filemap_invalidate_lock_shared(&m->mapping);
	if (m->frozen) {
		filemap_invalidate_unlock_shared(&m->mapping);
		return mhost_memory_wait(m, vmf);
	}
	/* Under the lock, so that a freeze finds every page that is mapped. */
	ret = vm_insert_page(vmf->vma, vmf->address & PAGE_MASK, r->pages.page[off >> PAGE_SHIFT]);
	filemap_invalidate_unlock_shared(&m->mapping);
	if (ret == -ENOMEM)
		return VM_FAULT_OOM;
	/* Another thread may have been faster: EBUSY. */
	return ret && ret != -EBUSY ? VM_FAULT_SIGBUS : VM_FAULT_NOPAGE;
}

static const struct vm_operations_struct mhost_memory_vm_ops = {
	.fault = mhost_memory_fault,
};

/**
 * mhost_memory_maps() - look for guest memory that the caller has mapped in a range
 * @m: machine
 * @addr: first address
 * @length: bytes
 *
 * Another thread may map and unmap meanwhile: a caller that then saves a machine into
 * itself damages that machine alone.
 *
 * Return: true if the caller has mapped @m there.
 */
bool mhost_memory_maps(struct mhost_machine *m, u64 addr, u64 length)
{
	struct vm_area_struct *vma;
	bool maps = false;

	mmap_read_lock(current->mm);
	for (vma = find_vma(current->mm, addr); vma && vma->vm_start < addr + length && !maps;
	     vma = find_vma(current->mm, vma->vm_end))
		maps = vma->vm_ops == &mhost_memory_vm_ops && vma->vm_private_data == m;
	mmap_read_unlock(current->mm);
	return maps;
}

/**
 * mhost_memory_mmap() - map guest memory
 * @m: machine
 * @vma: the mapping; its offset is the guest physical address
 *
 * Return: 0 or -EINVAL.
 */
int mhost_memory_mmap(struct mhost_machine *m, struct vm_area_struct *vma)
{
	u64 length = vma->vm_end - vma->vm_start;
	u64 off;

	if (!(vma->vm_flags & VM_SHARED) ||
	    !mhost_region(m, (u64)vma->vm_pgoff << PAGE_SHIFT, length, &off))
		return -EINVAL;
	/* vm_insert_page() is called from the fault handler: it asks for MIXEDMAP. */
	mhost_vm_flags_set(vma, VM_DONTEXPAND | VM_DONTDUMP | VM_MIXEDMAP);
	vma->vm_private_data = m;
	vma->vm_ops = &mhost_memory_vm_ops;
	return 0;
}
