// SPDX-License-Identifier: GPL-2.0-only
/* Functions of an ELF file by address, for profiles. */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libmontecito.h"

struct symbol {
	uint64_t addr;
	uint64_t size; /* 0: unknown, up to the next one */
	char *name;
};

struct montecito_symbols {
	struct symbol *sym; /* sorted by address */
	size_t nr;
	size_t cap;
};

static bool is_code(const GElf_Sym *s)
{
	unsigned int type = GELF_ST_TYPE(s->st_info);

	/* Hand-written code often has labels without a type. */
	return s->st_shndx != SHN_UNDEF && s->st_shndx < SHN_LORESERVE &&
	       (type == STT_FUNC || type == STT_NOTYPE);
}

static bool in_text(Elf *elf, unsigned int shndx)
{
	Elf_Scn *scn = elf_getscn(elf, shndx);
	GElf_Shdr sh;

	return scn && gelf_getshdr(scn, &sh) && sh.sh_flags & SHF_EXECINSTR;
}

static int add(struct montecito_symbols *s, const GElf_Sym *sym, const char *name)
{
	if (s->nr == s->cap) {
		size_t cap = s->cap ? 2 * s->cap : 256;
		struct symbol *p = realloc(s->sym, cap * sizeof(*p));

		if (!p)
			return -1;
		s->sym = p;
		s->cap = cap;
	}
	s->sym[s->nr].addr = sym->st_value & ~15ULL;
	s->sym[s->nr].size = sym->st_size;
	s->sym[s->nr].name = strdup(name);
	return s->sym[s->nr].name ? (s->nr++, 0) : -1;
}

static int compare(const void *pa, const void *pb)
{
	const struct symbol *a = pa, *b = pb;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	/* Of two names for one place, the one with a size comes last and wins. */
	if (!a->size != !b->size)
		return a->size ? 1 : -1;
	return strcmp(b->name, a->name);
}

static void read_table(struct montecito_symbols *s, Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t i, nr = sh->sh_entsize ? sh->sh_size / sh->sh_entsize : 0;
	const char *name;
	GElf_Sym sym;

	for (i = 0; data && i < nr; i++) {
		if (!gelf_getsym(data, i, &sym) || !is_code(&sym) || !in_text(elf, sym.st_shndx))
			continue;
		name = elf_strptr(elf, sh->sh_link, sym.st_name);
		/* .L labels are the assembler's own */
		if (name && *name && strncmp(name, ".L", 2) && add(s, &sym, name))
			return;
	}
}

struct montecito_symbols *montecito_symbols_load(const char *path)
{
	struct montecito_symbols *s = calloc(1, sizeof(*s));
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	Elf *elf;

	if (!s || fd < 0)
		goto out;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	while (elf && elf_kind(elf) == ELF_K_ELF && (scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_SYMTAB)
			read_table(s, elf, scn, &sh);
	if (elf)
		elf_end(elf);
	if (s->nr)
		qsort(s->sym, s->nr, sizeof(*s->sym), compare);
out:
	if (fd >= 0)
		close(fd);
	return s;
}

void montecito_symbols_free(struct montecito_symbols *s)
{
	if (!s)
		return;
	while (s->nr)
		free(s->sym[--s->nr].name);
	free(s->sym);
	free(s);
}

const char *montecito_symbols_find(const struct montecito_symbols *s, uint64_t addr,
				   uint64_t *offset)
{
	size_t lo = 0, hi = s ? s->nr : 0;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (s->sym[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return NULL;
	*offset = addr - s->sym[lo - 1].addr;
	if (s->sym[lo - 1].size && *offset >= s->sym[lo - 1].size)
		return NULL;
	return s->sym[lo - 1].name;
}

const char *montecito_symbols_at(const struct montecito_symbols *s, size_t index, uint64_t *addr,
				 uint64_t *size)
{
	if (!s || index >= s->nr)
		return NULL;
	*addr = s->sym[index].addr;
	*size = s->sym[index].size;
	/* A function without a size reaches to the next one. */
	if (!*size && index + 1 < s->nr)
		*size = s->sym[index + 1].addr - *addr;
	return s->sym[index].name;
}

int montecito_symbols_code(const char *path, uint64_t addr, void *buf, size_t len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err = -ENOENT;
	size_t i, nr = 0;
	GElf_Phdr ph;
	Elf *elf;

	if (fd < 0)
		return -errno;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf || elf_getphdrnum(elf, &nr))
		nr = 0;
	for (i = 0; err && i < nr; i++) {
		if (!gelf_getphdr(elf, i, &ph) || ph.p_type != PT_LOAD || addr < ph.p_vaddr ||
		    addr - ph.p_vaddr > ph.p_filesz || len > ph.p_filesz - (addr - ph.p_vaddr))
			continue;
		if (pread(fd, buf, len, ph.p_offset + addr - ph.p_vaddr) == (ssize_t)len)
			err = 0;
	}
	if (elf)
		elf_end(elf);
	close(fd);
	return err;
}
