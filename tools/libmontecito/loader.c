// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Loader of static IA-64 Linux programs (ELF64, ET_EXEC; Itanium Processor
 * specific ELF supplement): segments become areas with the file's contents.
 */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process.h"

static unsigned int loader_segment_prot(uint32_t flags)
{
	return (flags & PF_R ? UVM_READ : 0) | (flags & PF_W ? UVM_WRITE : 0) |
	       (flags & PF_X ? UVM_EXEC : 0);
}

/* Map the pages of a segment that no earlier segment has mapped. */
static int loader_map_segment(struct guest_process *p, uint64_t start, uint64_t end)
{
	uint64_t va;
	int err;

	for (va = start; va < end; va += p->vm->page_size) {
		if (uvm_find(p->vm, va))
			continue;
		/* One area for all that is free from here. */
		if (uvm_is_free(p->vm, va, end - va))
			return uvm_map(p->vm, va, end - va, UVM_READ | UVM_WRITE);
		err = uvm_map(p->vm, va, p->vm->page_size, UVM_READ | UVM_WRITE);
		if (err)
			return err;
	}
	return 0;
}

static int loader_load_segment(struct guest_process *p, int fd, const GElf_Phdr *ph)
{
	uint64_t start = ph->p_vaddr & ~(p->vm->page_size - 1);
	uint64_t end, done;
	char buf[4096];
	int err;

	if (ph->p_filesz > ph->p_memsz || ph->p_memsz > UVM_MAX_MAP ||
	    ph->p_vaddr + ph->p_memsz < ph->p_vaddr)
		return -ENOEXEC;
	end = uvm_round(p->vm, ph->p_vaddr + ph->p_memsz);
	err = loader_map_segment(p, start, end);
	for (done = 0; !err && done < ph->p_filesz;) {
		uint64_t want = ph->p_filesz - done;
		ssize_t n;

		n = pread(fd, buf, want < sizeof(buf) ? want : sizeof(buf), ph->p_offset + done);
		if (n <= 0)
			return -ENOEXEC;
		/* The areas of the program can always be written; only memory can run out. */
		if (uvm_write(p->vm, ph->p_vaddr + done, buf, n))
			return -ENOMEM;
		done += n;
	}
	return err;
}

/* Give the pages their rights; a page two segments share gets both. */
static int loader_protect_segments(struct guest_process *p, Elf *elf, size_t nr)
{
	GElf_Phdr a, b;
	size_t i, j;

	for (i = 0; i < nr; i++) {
		uint64_t va, end;

		gelf_getphdr(elf, i, &a);
		if (a.p_type != PT_LOAD || !a.p_memsz)
			continue;
		end = uvm_round(p->vm, a.p_vaddr + a.p_memsz);
		for (va = a.p_vaddr & ~(p->vm->page_size - 1); va < end;) {
			unsigned int prot = loader_segment_prot(a.p_flags);
			uint64_t next = end;
			int err;

			for (j = 0; j < nr; j++) {
				uint64_t s, e;

				gelf_getphdr(elf, j, &b);
				if (j == i || b.p_type != PT_LOAD || !b.p_memsz)
					continue;
				s = b.p_vaddr & ~(p->vm->page_size - 1);
				e = uvm_round(p->vm, b.p_vaddr + b.p_memsz);
				if (va >= s && va < e)
					prot |= loader_segment_prot(b.p_flags);
				if (s > va && s < next)
					next = s;
				if (e > va && e < next)
					next = e;
			}
			err = uvm_protect(p->vm, va, next - va, prot);
			if (err)
				return err;
			va = next;
		}
	}
	return 0;
}

static int loader_load(struct guest_process *p, int fd, Elf *elf, const char **why)
{
	uint64_t end = 0;
	GElf_Ehdr eh;
	GElf_Phdr ph;
	size_t i, nr;
	int err;

	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &eh)) {
		*why = "not an ELF file";
		return -ENOEXEC;
	}
	if (eh.e_machine != EM_IA_64 || eh.e_ident[EI_CLASS] != ELFCLASS64 ||
	    eh.e_ident[EI_DATA] != ELFDATA2LSB) {
		*why = "not a little-endian 64-bit IA-64 program";
		return -ENOEXEC;
	}
	if (eh.e_type != ET_EXEC) {
		*why = "not a static, non-relocatable program (ET_EXEC)";
		return -ENOEXEC;
	}
	if (elf_getphdrnum(elf, &nr) || !nr) {
		*why = "no program headers";
		return -ENOEXEC;
	}
	for (i = 0; i < nr; i++) {
		if (!gelf_getphdr(elf, i, &ph)) {
			*why = "damaged program headers";
			return -ENOEXEC;
		}
		if (ph.p_type == PT_INTERP) {
			*why = "needs a dynamic linker; only static programs run";
			return -ENOEXEC;
		}
		if (ph.p_type != PT_LOAD || !ph.p_memsz)
			continue;
		err = loader_load_segment(p, fd, &ph);
		if (err == -ENOEXEC)
			*why = "a segment does not fit the file or the address space";
		else if (err)
			*why = "its segments do not fit the guest's memory";
		if (err)
			return err;
		if (eh.e_phoff >= ph.p_offset && eh.e_phoff < ph.p_offset + ph.p_filesz)
			p->phdr = ph.p_vaddr + eh.e_phoff - ph.p_offset;
		if (ph.p_flags & PF_W && ph.p_vaddr + ph.p_memsz > end)
			end = ph.p_vaddr + ph.p_memsz;
		else if (!end)
			end = ph.p_vaddr + ph.p_memsz;
	}
	if (!end) {
		*why = "nothing to load";
		return -ENOEXEC;
	}
	p->entry = eh.e_entry;
	p->phent = eh.e_phentsize;
	p->phnum = nr;
	p->vm->brk_start = end;
	p->vm->brk = end;
	return loader_protect_segments(p, elf, nr);
}

int process_load_elf(struct guest_process *p, const char *path, const char **why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf;
	int err;

	if (fd < 0) {
		*why = strerror(errno);
		return -errno;
	}
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	err = loader_load(p, fd, elf, why);
	if (elf)
		elf_end(elf);
	close(fd);
	return err;
}
