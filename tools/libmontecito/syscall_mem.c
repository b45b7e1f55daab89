// SPDX-License-Identifier: LGPL-2.1-or-later
/* System calls on the address space: brk, mmap, munmap, mprotect, mremap. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "files.h"

#define GUEST_PROT_READ 0x1
#define GUEST_PROT_WRITE 0x2
#define GUEST_PROT_EXEC 0x4
#define GUEST_MAP_SHARED 0x01
#define GUEST_MAP_PRIVATE 0x02
#define GUEST_MAP_TYPE 0x0f
#define GUEST_MAP_FIXED 0x10
#define GUEST_MAP_ANONYMOUS 0x20
#define GUEST_MREMAP_MAYMOVE 0x1
#define GUEST_MREMAP_FIXED 0x2

static unsigned int syscall_mem_guest_prot(uint64_t prot)
{
	return (prot & GUEST_PROT_READ ? UVM_READ : 0) | (prot & GUEST_PROT_WRITE ? UVM_WRITE : 0) |
	       (prot & GUEST_PROT_EXEC ? UVM_EXEC : 0);
}

int64_t sys_brk(struct guest_process *p, const uint64_t *arg)
{
	uint64_t old = uvm_round(p->vm, p->vm->brk), new = uvm_round(p->vm, arg[0]);

	/* Out of reach, or no room: the break stays where it is. */
	if (arg[0] < p->vm->brk_start || arg[0] - p->vm->brk_start > HEAP_MAX)
		return p->vm->brk;
	if (new > old) {
		/* A heap bigger than guest memory could never be used. */
		if (new - p->vm->brk_start > p->vm->ram_size ||
		    uvm_map(p->vm, old, new - old, UVM_READ | UVM_WRITE))
			return p->vm->brk;
	} else if (new < old && uvm_unmap(p->vm, new, old - new)) {
		return p->vm->brk;
	}
	p->vm->brk = arg[0];
	return p->vm->brk;
}

/* Copy a file's bytes into a fresh private mapping. */
static int64_t syscall_mem_fill(struct guest_process *p, uint64_t va, uint64_t len, int fd,
				uint64_t offset)
{
	char buf[4096];

	while (len) {
		ssize_t n = pread(fd, buf, len < sizeof(buf) ? len : sizeof(buf), offset);

		if (n < 0)
			return -errno;
		if (!n)
			break;
		if (uvm_write(p->vm, va, buf, n))
			return -ENOMEM;
		va += n;
		offset += n;
		len -= n;
	}
	return 0;
}

static int64_t syscall_mem_do_mmap(struct guest_process *p, const uint64_t *arg, uint64_t offset)
{
	uint64_t va = arg[0], len = uvm_round(p->vm, arg[1]);
	uint64_t flags = arg[3], type = flags & GUEST_MAP_TYPE;
	unsigned int prot = syscall_mem_guest_prot(arg[2]);
	int64_t err;
	int fd = -1;

	if (!arg[1] || offset & (p->vm->page_size - 1))
		return -EINVAL;
	if (len > UVM_MAX_MAP || len < arg[1])
		return -ENOMEM;
	if (type != GUEST_MAP_PRIVATE && type != GUEST_MAP_SHARED)
		return -EINVAL;
	if (!(flags & GUEST_MAP_ANONYMOUS)) {
		fd = process_host_fd(p, arg[4]);
		if (fd < 0)
			return file_of(p, arg[4]) ? -ENODEV : -EBADF;
		/* Stores could not reach the file. */
		if (type == GUEST_MAP_SHARED && prot & UVM_WRITE)
			return -ENODEV;
	}
	if (flags & GUEST_MAP_FIXED) {
		if (va & (p->vm->page_size - 1))
			return -EINVAL;
		err = uvm_unmap(p->vm, va, len);
		if (err)
			return err;
	} else {
		va = uvm_round(p->vm, va);
		if (!va || !uvm_is_free(p->vm, va, len))
			va = uvm_find_free(p->vm, len);
		if (!va)
			return -ENOMEM;
	}
	err = uvm_map(p->vm, va, len, fd < 0 ? prot : UVM_READ | UVM_WRITE);
	if (err)
		return err;
	if (fd >= 0) {
		err = syscall_mem_fill(p, va, arg[1], fd, offset);
		if (!err)
			err = uvm_protect(p->vm, va, len, prot);
		if (err) {
			uvm_unmap(p->vm, va, len);
			return err;
		}
	}
	return va;
}

int64_t sys_mmap(struct guest_process *p, const uint64_t *arg)
{
	return syscall_mem_do_mmap(p, arg, arg[5]);
}

/* mmap2: the offset is in pages, on ia64 those of the machine. */
int64_t sys_mmap2(struct guest_process *p, const uint64_t *arg)
{
	return syscall_mem_do_mmap(p, arg, arg[5] << p->vm->shift);
}

static bool syscall_mem_range_bad(struct guest_process *p, uint64_t va, uint64_t len)
{
	return va & (p->vm->page_size - 1) || len > 1ULL << 60 || va + len < va;
}

int64_t sys_munmap(struct guest_process *p, const uint64_t *arg)
{
	uint64_t len = uvm_round(p->vm, arg[1]);

	if (!len || syscall_mem_range_bad(p, arg[0], arg[1]))
		return -EINVAL;
	return uvm_unmap(p->vm, arg[0], len);
}

int64_t sys_mprotect(struct guest_process *p, const uint64_t *arg)
{
	if (syscall_mem_range_bad(p, arg[0], arg[1]))
		return -EINVAL;
	if (!arg[1])
		return 0;
	return uvm_protect(p->vm, arg[0], uvm_round(p->vm, arg[1]), syscall_mem_guest_prot(arg[2]));
}

int64_t sys_mremap(struct guest_process *p, const uint64_t *arg)
{
	uint64_t va = arg[0], old = uvm_round(p->vm, arg[1]);
	uint64_t new = uvm_round(p->vm, arg[2]), to;
	struct uvm_area *a;
	int err;

	if (syscall_mem_range_bad(p, va, arg[1]) || !old || !new || new > UVM_MAX_MAP ||
	    arg[3] & ~(uint64_t)(GUEST_MREMAP_MAYMOVE | GUEST_MREMAP_FIXED))
		return -EINVAL;
	a = uvm_find(p->vm, va);
	if (!a || a->end < va + old)
		return -EFAULT;
	if (!(arg[3] & GUEST_MREMAP_FIXED)) {
		if (new < old) {
			err = uvm_unmap(p->vm, va + new, old - new);
			return err ? err : (int64_t)va;
		}
		if (new == old)
			return va;
		if (uvm_is_free(p->vm, va + old, new - old)) {
			err = uvm_map(p->vm, va + old, new - old, a->prot);
			return err ? err : (int64_t)va;
		}
		if (!(arg[3] & GUEST_MREMAP_MAYMOVE))
			return -ENOMEM;
		to = uvm_find_free(p->vm, new);
		if (!to)
			return -ENOMEM;
	} else {
		to = arg[4];
		if (!(arg[3] & GUEST_MREMAP_MAYMOVE) || syscall_mem_range_bad(p, to, new) ||
		    (to < va + old && va < to + new))
			return -EINVAL;
		err = uvm_unmap(p->vm, to, new);
		if (!err && new < old) {
			err = uvm_unmap(p->vm, va + new, old - new);
			old = new;
		}
		if (err)
			return err;
	}
	/* The moved part and what is added form one range from here on. */
	{
		unsigned int prot = uvm_find(p->vm, va)->prot;

		err = uvm_move(p->vm, va, old, to);
		if (!err && new > old)
			err = uvm_map(p->vm, to + old, new - old, prot);
	}
	return err ? err : (int64_t)to;
}
