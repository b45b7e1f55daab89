// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Functions, code and source lines of a program by address, for profiles;
 * elfutils (libdwfl) reads the file and its debugging information.
 */
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libmontecito.h"

/* A function that others begin in is looked for among so many before them. */
#define NESTED 8

struct function {
	uint64_t addr;
	uint64_t end;
	bool sized; /* the file says where it ends */
	bool code; /* of a System.map: it is a function */
	int rank; /* of the names for one place the best one's is highest */
	char *name;
};

struct montecito_symbols {
	Dwfl *dwfl;
	Dwfl_Module *mod;
	Elf *elf;
	GElf_Addr bias;
	struct function *fn; /* sorted by address, each address once */
	size_t nr;
	size_t cap;
	struct function *alias; /* other names of those places, sorted likewise */
	size_t nr_alias;
	char identity[2 * 64 + 48];
};

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

/* Copy a name without control characters, since names go to terminals. */
static char *symbols_printable(const char *name)
{
	char *copy = strdup(name), *c;

	for (c = copy; c && *c; c++)
		if ((unsigned char)*c < ' ' || (unsigned char)*c > '~')
			*c = '?';
	return copy;
}

/* Of two names for one place: sized before not, global before weak before local. */
static int symbols_rank(const GElf_Sym *sym, const char *name)
{
	int bind = GELF_ST_BIND(sym->st_info);

	return (sym->st_size ? 8 : 0) +
	       (bind == STB_GLOBAL ? 4
		: bind == STB_WEAK ? 2
				   : 0) +
	       (name[0] != '_');
}

static int symbols_add(struct montecito_symbols *s, const GElf_Sym *sym, const char *name,
		       GElf_Addr addr, uint64_t section_end)
{
	struct function *f;

	if (s->nr == s->cap) {
		size_t cap = s->cap ? 2 * s->cap : 256;

		f = realloc(s->fn, cap * sizeof(*f));
		if (!f)
			return -ENOMEM;
		s->fn = f;
		s->cap = cap;
	}
	f = &s->fn[s->nr];
	f->addr = addr & ~15ULL;
	f->sized = sym->st_size != 0;
	f->end = f->sized && sym->st_size < section_end - f->addr ? f->addr + sym->st_size
								  : section_end;
	f->rank = symbols_rank(sym, name);
	f->name = symbols_printable(name);
	if (!f->name)
		return -ENOMEM;
	s->nr++;
	return 0;
}

static int symbols_by_address(const void *pa, const void *pb)
{
	const struct function *a = pa, *b = pb;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank > b->rank ? -1 : 1;
	return strcmp(a->name, b->name);
}

/*
 * One name for each place, and the others apart. A name without a size is a label if it
 * stands within a function that has one, else it reaches to the next name.
 */
static int symbols_tidy(struct montecito_symbols *s)
{
	uint64_t end = 0;
	size_t i, n = 0;

	if (!s->nr)
		return 0;
	s->alias = calloc(s->nr, sizeof(*s->alias));
	if (!s->alias)
		return -ENOMEM;
	qsort(s->fn, s->nr, sizeof(*s->fn), symbols_by_address);
	for (i = 0; i < s->nr; i++) {
		struct function *f = &s->fn[i];

		if (n && f->addr == s->fn[n - 1].addr) {
			s->alias[s->nr_alias++] = *f;
			continue;
		}
		if (!f->sized && f->addr < end) {
			free(f->name);
			continue;
		}
		if (n && !s->fn[n - 1].sized)
			s->fn[n - 1].end = f->addr;
		if (f->sized && f->end > end)
			end = f->end;
		s->fn[n++] = *f;
	}
	s->nr = n;
	return 0;
}

static int symbols_read_functions(struct montecito_symbols *s)
{
	int i, nr = dwfl_module_getsymtab(s->mod), err = 0;

	for (i = 1; !err && i < nr; i++) {
		GElf_Word shndx;
		GElf_Shdr sh;
		GElf_Addr addr;
		GElf_Sym sym;
		Elf_Scn *scn;
		const char *name =
			dwfl_module_getsym_info(s->mod, i, &sym, &addr, &shndx, NULL, NULL);
		int type = name ? GELF_ST_TYPE(sym.st_info) : STT_FILE;

		/* Hand-written code often has labels without a type; .L are the assembler's. */
		if ((type != STT_FUNC && type != STT_NOTYPE) || !*name || !strncmp(name, ".L", 2))
			continue;
		scn = elf_getscn(s->elf, shndx);
		if (!scn || !gelf_getshdr(scn, &sh) || !(sh.sh_flags & SHF_EXECINSTR) ||
		    sym.st_value < sh.sh_addr || sym.st_value - sh.sh_addr >= sh.sh_size)
			continue;
		err = symbols_add(s, &sym, name, addr, sh.sh_addr + sh.sh_size + s->bias);
	}
	return err ? err : symbols_tidy(s);
}

static void symbols_drop_functions(struct montecito_symbols *s)
{
	while (s->nr)
		free(s->fn[--s->nr].name);
	while (s->nr_alias)
		free(s->alias[--s->nr_alias].name);
	free(s->alias);
	s->alias = NULL;
}

/* FNV-1a of the file, for those that have no build-id. */
static int symbols_checksum(int fd, uint64_t *sum)
{
	unsigned char buf[65536];
	ssize_t n, i;

	*sum = 0xcbf29ce484222325;
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		for (i = 0; i < n; i++)
			*sum = (*sum ^ buf[i]) * 0x100000001b3;
	return n ? -errno : 0;
}

static void symbols_identify(struct montecito_symbols *s, int fd)
{
	const unsigned char *id;
	GElf_Addr at;
	uint64_t sum;
	int i, len = s->mod ? dwfl_module_build_id(s->mod, &id, &at) : 0;

	if (len > 0 && len <= 64) {
		strcpy(s->identity, "build-id:");
		for (i = 0; i < len; i++)
			sprintf(s->identity + strlen(s->identity), "%02x", id[i]);
	} else if (!lseek(fd, 0, SEEK_SET) && !symbols_checksum(fd, &sum)) {
		sprintf(s->identity, "fnv1a:%016llx", (unsigned long long)sum);
	}
}

struct montecito_symbols *montecito_symbols_load(const char *path)
{
	struct montecito_symbols *s = calloc(1, sizeof(*s));
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (!s || fd < 0)
		goto out;
	s->dwfl = dwfl_begin(&callbacks);
	if (s->dwfl)
		s->mod = dwfl_report_offline(s->dwfl, path, path, -1);
	if (s->mod && !dwfl_report_end(s->dwfl, NULL, NULL))
		s->elf = dwfl_module_getelf(s->mod, &s->bias);
	symbols_identify(s, fd);
	if (s->elf && symbols_read_functions(s)) {
		montecito_symbols_free(s);
		s = NULL;
	}
out:
	if (fd >= 0)
		close(fd);
	return s;
}

void montecito_symbols_free(struct montecito_symbols *s)
{
	if (!s)
		return;
	symbols_drop_functions(s);
	free(s->fn);
	if (s->dwfl)
		dwfl_end(s->dwfl);
	free(s);
}

/* A line of nm(1): address, type, name. False if it is none. */
static bool symbols_map_line(char *line, uint64_t *addr, char *type, char **name)
{
	char *end;

	errno = 0;
	*addr = strtoull(line, &end, 16);
	if (end == line || errno || end[0] != ' ' || !end[1] || end[2] != ' ')
		return false;
	*type = end[1];
	*name = end + 3;
	(*name)[strcspn(*name, " \t\r\n")] = '\0';
	return **name;
}

/*
 * Symbols of data are read too: a function ends where the next symbol begins. Names are
 * those of an ELF; of several at one address, the one that nm shows as global.
 */
static int symbols_read_map(struct montecito_symbols *s, FILE *f)
{
	char *line = NULL, *name, type;
	size_t len = 0, i, n = 0;
	uint64_t addr;
	int err = 0;

	while (!err && getline(&line, &len, f) > 0) {
		GElf_Sym sym = { 0 };

		if (!symbols_map_line(line, &addr, &type, &name)) {
			err = -EINVAL;
			break;
		}
		sym.st_info = GELF_ST_INFO(type == 'T'			? STB_GLOBAL
					   : type == 'W' || type == 'w' ? STB_WEAK
									: STB_LOCAL,
					   STT_FUNC);
		err = symbols_add(s, &sym, name, addr, UINT64_MAX);
		if (!err)
			s->fn[s->nr - 1].code = strchr("tTwW", type);
	}
	free(line);
	if (!err && ferror(f))
		err = -EIO;
	if (!err)
		err = symbols_tidy(s);
	if (err)
		return err;
	for (i = 0; i < s->nr_alias; i++)
		if (!s->alias[i].code)
			s->alias[i].name[0] = '\0'; /* what is there is no function */
	for (i = 0; i < s->nr; i++) {
		if (s->fn[i].code && s->fn[i].end != UINT64_MAX)
			s->fn[n++] = s->fn[i];
		else
			free(s->fn[i].name);
	}
	s->nr = n;
	return n ? 0 : -EINVAL;
}

int montecito_symbols_map(struct montecito_symbols *s, const char *path)
{
	FILE *f = fopen(path, "re");
	uint64_t sum;
	int err;

	if (!f)
		return -errno;
	symbols_drop_functions(s);
	err = symbols_read_map(s, f);
	if (!err)
		err = lseek(fileno(f), 0, SEEK_SET) ? -errno : symbols_checksum(fileno(f), &sum);
	if (!err)
		sprintf(s->identity + strlen(s->identity), "+map:%016llx", (unsigned long long)sum);
	else
		symbols_drop_functions(s);
	fclose(f);
	return err;
}

const char *montecito_symbols_identity(const struct montecito_symbols *s)
{
	return s ? s->identity : "";
}

const char *montecito_symbols_find(const struct montecito_symbols *s, uint64_t addr,
				   uint64_t *offset)
{
	size_t lo = 0, hi = s ? s->nr : 0, i;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (s->fn[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (i = lo; i-- > 0 && i + NESTED >= lo;) {
		if (addr < s->fn[i].end) {
			*offset = addr - s->fn[i].addr;
			return s->fn[i].name;
		}
	}
	return NULL;
}

const char *montecito_symbols_object(const struct montecito_symbols *s, uint64_t addr,
				     uint64_t *offset)
{
	const char *name;
	GElf_Off off = 0;
	GElf_Sym sym;

	if (!s || !s->mod)
		return NULL;
	name = dwfl_module_addrinfo(s->mod, addr, &off, &sym, NULL, NULL, NULL);
	if (!name || GELF_ST_TYPE(sym.st_info) != STT_OBJECT || off >= sym.st_size)
		return NULL;
	*offset = off;
	return name;
}

const char *montecito_symbols_at(const struct montecito_symbols *s, size_t index, uint64_t *addr,
				 uint64_t *size)
{
	if (!s || index >= s->nr)
		return NULL;
	*addr = s->fn[index].addr;
	*size = s->fn[index].end - s->fn[index].addr;
	return s->fn[index].name;
}

int montecito_symbols_function(const struct montecito_symbols *s, const char *name, uint64_t *lo,
			       uint64_t *hi)
{
	size_t i, k = 0;
	int found = 0;

	for (i = 0; s && i < s->nr; i++) {
		const struct function *f = &s->fn[i];
		bool is = !strcmp(f->name, name);

		/* Both are in order of their addresses. */
		for (; k < s->nr_alias && s->alias[k].addr <= f->addr; k++)
			is |= s->alias[k].addr == f->addr && !strcmp(s->alias[k].name, name);
		if (!is)
			continue;
		*lo = f->addr;
		*hi = f->end;
		found++;
	}
	return found;
}

const char *montecito_symbols_source(const struct montecito_symbols *s, uint64_t addr, int *line)
{
	Dwfl_Line *l = s && s->mod ? dwfl_module_getsrc(s->mod, addr) : NULL;

	return l ? dwfl_lineinfo(l, NULL, line, NULL, NULL, NULL) : NULL;
}

int montecito_symbols_code(const struct montecito_symbols *s, uint64_t addr, void *buf, size_t len)
{
	size_t i, nr = 0, size;
	const char *image;
	GElf_Phdr ph;

	image = s && s->elf ? elf_rawfile(s->elf, &size) : NULL;
	if (!image || elf_getphdrnum(s->elf, &nr))
		return -ENOENT;
	for (addr -= s->bias, i = 0; i < nr; i++) {
		if (!gelf_getphdr(s->elf, i, &ph) || ph.p_type != PT_LOAD || addr < ph.p_vaddr ||
		    addr - ph.p_vaddr > ph.p_filesz || len > ph.p_filesz - (addr - ph.p_vaddr) ||
		    ph.p_offset > size || ph.p_filesz > size - ph.p_offset)
			continue;
		memcpy(buf, image + ph.p_offset + (addr - ph.p_vaddr), len);
		return 0;
	}
	return -ENOENT;
}
