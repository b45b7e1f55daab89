// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loading a system-mode image: a raw file at a physical address, or an ELF at
 * the physical addresses of its segments. The processor stays at reset but for
 * its instruction pointer.
 */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libmontecito.h"

static int load_bytes(struct montecito *m, int fd, uint64_t offset, uint64_t len, uint64_t pa,
		      const char **why)
{
	uint64_t size, done;
	uint8_t *mem = montecito_memory(m, &size);
	ssize_t n;

	if (pa > size || len > size - pa) {
		*why = "does not fit guest memory (see --memory)";
		return -ENOEXEC;
	}
	for (done = 0; done < len; done += n) {
		n = pread(fd, mem + pa + done, len - done, offset + done);
		if (n <= 0) {
			*why = "damaged file";
			return n ? -errno : -ENOEXEC;
		}
	}
	return montecito_invalidate(m, pa, len);
}

static int load_elf(struct montecito *m, int fd, Elf *elf, uint64_t *entry, const char **why)
{
	uint64_t size;
	uint8_t *mem = montecito_memory(m, &size);
	GElf_Ehdr eh;
	GElf_Phdr ph;
	size_t i, nr;
	int err;

	if (!gelf_getehdr(elf, &eh) || eh.e_machine != EM_IA_64 ||
	    eh.e_ident[EI_CLASS] != ELFCLASS64 || eh.e_ident[EI_DATA] != ELFDATA2LSB ||
	    eh.e_type != ET_EXEC || elf_getphdrnum(elf, &nr)) {
		*why = "not a little-endian 64-bit IA-64 image (ET_EXEC)";
		return -ENOEXEC;
	}
	*entry = eh.e_entry;
	for (i = 0; i < nr; i++) {
		if (!gelf_getphdr(elf, i, &ph)) {
			*why = "damaged program headers";
			return -ENOEXEC;
		}
		if (ph.p_type != PT_LOAD || !ph.p_memsz)
			continue;
		if (ph.p_filesz > ph.p_memsz || ph.p_paddr > size ||
		    ph.p_memsz > size - ph.p_paddr) {
			*why = "does not fit guest memory (see --memory)";
			return -ENOEXEC;
		}
		err = load_bytes(m, fd, ph.p_offset, ph.p_filesz, ph.p_paddr, why);
		if (err)
			return err;
		memset(mem + ph.p_paddr + ph.p_filesz, 0, ph.p_memsz - ph.p_filesz);
		/* The entry is a virtual address of the segment it lies in. */
		if (eh.e_entry >= ph.p_vaddr && eh.e_entry - ph.p_vaddr < ph.p_memsz)
			*entry = eh.e_entry - ph.p_vaddr + ph.p_paddr;
	}
	return 0;
}

int montecito_boot_load(struct montecito *m, const char *path, uint64_t addr, const char **why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint64_t entry = addr;
	struct stat st;
	Elf *elf;
	int err;

	*why = NULL;
	if (fd < 0)
		return -errno;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF) {
		err = load_elf(m, fd, elf, &entry, why);
	} else if (fstat(fd, &st) < 0) {
		err = -errno;
	} else if (!S_ISREG(st.st_mode)) {
		*why = "not a regular file";
		err = -ENOEXEC;
	} else {
		err = load_bytes(m, fd, 0, st.st_size, addr, why);
	}
	if (elf)
		elf_end(elf);
	close(fd);
	if (err)
		return err;
	return montecito_set_reg(m, 0, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP, entry & ~15ULL);
}
