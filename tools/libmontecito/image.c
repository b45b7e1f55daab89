// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Images to boot: a file, unpacked if gzip (RFC 1952) or xz has packed it, and
 * put into guest memory: an ELF at the physical addresses of its segments, else
 * as it is.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "firmware/firmware.h"

/* No image is larger, unpacked. */
#define MAX_IMAGE (1ULL << 32)

/* Nor does an xz file need more to unpack it: twelve times what xz -9 takes. */
#define MAX_XZ_MEMORY (1ULL << 30)

#define PAGE 0x4000ULL

struct buffer {
	uint8_t *data;
	size_t len;
};

struct montecito_image {
	struct buffer file; /* unpacked */
	Elf *elf; /* NULL: a raw image */
};

static int image_grow(struct buffer *b, size_t *cap)
{
	size_t want = *cap ? 2 * *cap : 1 << 20;
	uint8_t *p;

	if (want > MAX_IMAGE)
		return -EFBIG;
	p = realloc(b->data, want);
	if (!p)
		return -ENOMEM;
	b->data = p;
	*cap = want;
	return 0;
}

static int image_read_file(const char *path, struct buffer *b, const char **why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err = 0;
	struct stat st;
	size_t cap = 0;
	ssize_t n;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0) {
		err = -errno;
	} else if (!S_ISREG(st.st_mode)) {
		*why = "not a regular file";
		err = -ENOEXEC;
	}
	while (!err) {
		if (b->len == cap) {
			err = image_grow(b, &cap);
			if (err)
				break;
		}
		n = read(fd, b->data + b->len, cap - b->len);
		if (n < 0)
			err = -errno;
		if (n <= 0)
			break;
		b->len += n;
	}
	close(fd);
	return err;
}

/* A file of several members unpacks to all of their contents. */
static int image_gunzip(const struct buffer *in, struct buffer *out)
{
	z_stream z = { .next_in = in->data, .avail_in = in->len };
	size_t cap = 0;
	int err = 0, r = Z_OK;

	if (inflateInit2(&z, 16 + MAX_WBITS) != Z_OK)
		return -ENOMEM;
	while (!err && r == Z_OK) {
		if (out->len == cap)
			err = image_grow(out, &cap);
		if (err)
			break;
		z.next_out = out->data + out->len;
		z.avail_out = cap - out->len > 1 << 30 ? 1 << 30 : cap - out->len;
		r = inflate(&z, Z_NO_FLUSH);
		out->len = z.next_out - out->data;
		if (r == Z_STREAM_END && z.avail_in)
			r = inflateReset(&z);
	}
	inflateEnd(&z);
	/* Something else behind it: this is not one packed file. */
	return err ? err : r == Z_STREAM_END ? 0 : -ENOEXEC;
}

static int image_unxz(const struct buffer *in, struct buffer *out)
{
	lzma_stream x = LZMA_STREAM_INIT;
	lzma_ret r = LZMA_OK;
	size_t cap = 0;
	int err = 0;

	if (lzma_stream_decoder(&x, MAX_XZ_MEMORY, LZMA_CONCATENATED) != LZMA_OK)
		return -ENOMEM;
	x.next_in = in->data;
	x.avail_in = in->len;
	while (!err && r == LZMA_OK) {
		if (out->len == cap)
			err = image_grow(out, &cap);
		if (err)
			break;
		x.next_out = out->data + out->len;
		x.avail_out = cap - out->len;
		r = lzma_code(&x, LZMA_FINISH);
		out->len = x.next_out - out->data;
	}
	lzma_end(&x);
	return err ? err : r == LZMA_STREAM_END ? 0 : -ENOEXEC;
}

/* Unpack @b in place if it is packed. */
static int image_unpack(struct buffer *b, const char **why)
{
	static const uint8_t xz[6] = { 0xfd, '7', 'z', 'X', 'Z', 0 };
	struct buffer out = { 0 };
	int err;

	if (b->len > 2 && b->data[0] == 0x1f && b->data[1] == 0x8b)
		err = image_gunzip(b, &out);
	else if (b->len > sizeof(xz) && !memcmp(b->data, xz, sizeof(xz)))
		err = image_unxz(b, &out);
	else
		return 0;
	if (err) {
		free(out.data);
		*why = err == -ENOEXEC ? "damaged compressed file" : NULL;
		return err;
	}
	free(b->data);
	*b = out;
	return 0;
}

static int image_put(struct montecito *m, const void *data, uint64_t len, uint64_t zero,
		     uint64_t pa, const char **why)
{
	uint64_t size;
	uint8_t *mem = montecito_memory(m, &size);

	if (pa > size || zero > size - pa || len > zero) {
		*why = "does not fit guest memory (see --memory)";
		return -ENOEXEC;
	}
	memcpy(mem + pa, data, len);
	memset(mem + pa + len, 0, zero - len);
	return montecito_invalidate(m, pa, zero);
}

/**
 * struct loaded - an image in memory
 * @entry: physical
 * @start: first byte
 * @end: behind its last
 */
struct loaded {
	uint64_t entry;
	uint64_t start;
	uint64_t end;
};

static bool image_elf_ok(Elf *elf, GElf_Ehdr *eh, size_t *nr)
{
	return gelf_getehdr(elf, eh) && eh->e_machine == EM_IA_64 &&
	       eh->e_ident[EI_CLASS] == ELFCLASS64 && eh->e_ident[EI_DATA] == ELFDATA2LSB &&
	       eh->e_type == ET_EXEC && !elf_getphdrnum(elf, nr);
}

/* Linux/ia64 is linked into region 5 and entered at a physical address. */
bool montecito_image_is_linux(const struct montecito_image *img)
{
	bool high = false, physical = false;
	GElf_Ehdr eh;
	GElf_Phdr ph;
	size_t i, nr;

	if (!img->elf || !image_elf_ok(img->elf, &eh, &nr))
		return false;
	for (i = 0; i < nr; i++) {
		if (!gelf_getphdr(img->elf, i, &ph) || ph.p_type != PT_LOAD)
			continue;
		high |= ph.p_vaddr >> 61 == 5;
		physical |= eh.e_entry - ph.p_paddr < ph.p_memsz;
	}
	return high && physical;
}

struct montecito_symbols *montecito_image_symbols(const struct montecito_image *img)
{
	struct montecito_symbols *sym = NULL;
	char path[64];
	size_t done;
	ssize_t n;
	int fd;

	/* The reader of symbols needs a file. */
	fd = memfd_create("image", MFD_CLOEXEC);
	if (fd < 0)
		return NULL;
	for (done = 0; done < img->file.len; done += n) {
		n = write(fd, img->file.data + done, img->file.len - done);
		if (n <= 0)
			break;
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (done == img->file.len)
		sym = montecito_symbols_load(path);
	close(fd);
	return sym;
}

static int image_load_elf(struct montecito *m, const struct montecito_image *img, struct loaded *l,
			  const char **why)
{
	const struct buffer *b = &img->file;
	GElf_Ehdr eh;
	GElf_Phdr ph;
	size_t i, nr;
	int err;

	if (!image_elf_ok(img->elf, &eh, &nr)) {
		*why = "not a little-endian 64-bit IA-64 image (ET_EXEC)";
		return -ENOEXEC;
	}
	*l = (struct loaded){ .entry = eh.e_entry, .start = UINT64_MAX };
	for (i = 0; i < nr; i++) {
		if (!gelf_getphdr(img->elf, i, &ph)) {
			*why = "damaged program headers";
			return -ENOEXEC;
		}
		if (ph.p_type != PT_LOAD || !ph.p_memsz)
			continue;
		if (ph.p_filesz > ph.p_memsz || ph.p_offset > b->len ||
		    ph.p_filesz > b->len - ph.p_offset) {
			*why = "damaged file";
			return -ENOEXEC;
		}
		err = image_put(m, b->data + ph.p_offset, ph.p_filesz, ph.p_memsz, ph.p_paddr, why);
		if (err)
			return err;
		if (ph.p_paddr < l->start)
			l->start = ph.p_paddr;
		if (ph.p_paddr + ph.p_memsz > l->end)
			l->end = ph.p_paddr + ph.p_memsz;
		/* The entry is a virtual address of the segment it lies in. */
		if (eh.e_entry - ph.p_vaddr < ph.p_memsz)
			l->entry = eh.e_entry - ph.p_vaddr + ph.p_paddr;
	}
	if (l->entry < l->start || l->entry >= l->end || l->entry & 15) {
		*why = "the entry point is no bundle of a segment";
		return -ENOEXEC;
	}
	return 0;
}

static int image_load(struct montecito *m, const struct montecito_image *img, uint64_t address,
		      struct loaded *l, const char **why)
{
	if (img->elf)
		return image_load_elf(m, img, l, why);
	*l = (struct loaded){
		.entry = address,
		.start = address,
		.end = address + img->file.len,
	};
	return image_put(m, img->file.data, img->file.len, img->file.len, address, why);
}

int montecito_image_open(const char *path, struct montecito_image **res, const char **why)
{
	struct montecito_image *img = calloc(1, sizeof(*img));
	int err;

	*why = NULL;
	if (!img)
		return -ENOMEM;
	err = image_read_file(path, &img->file, why);
	if (!err)
		err = image_unpack(&img->file, why);
	if (err) {
		montecito_image_close(img);
		return err;
	}
	elf_version(EV_CURRENT);
	img->elf = elf_memory((char *)img->file.data, img->file.len);
	if (img->elf && elf_kind(img->elf) != ELF_K_ELF) {
		elf_end(img->elf);
		img->elf = NULL;
	}
	*res = img;
	return 0;
}

void montecito_image_close(struct montecito_image *img)
{
	if (!img)
		return;
	if (img->elf)
		elf_end(img->elf);
	free(img->file.data);
	free(img);
}

/*
 * Let vcpu 0 begin at @entry. The others are halted there: the first interrupt that comes for one
 * lets it begin.
 */
static int image_enter(struct montecito *m, uint64_t entry)
{
	unsigned int v;
	int err = 0;

	for (v = 0; !err && v < montecito_nr_vcpus(m); v++) {
		err = montecito_set_reg(m, v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP,
					entry & ~15ULL);
		if (!err && v)
			err = montecito_set_reg(m, v, MONTECITO_REG_SPECIAL,
						MONTECITO_SPECIAL_HALTED, 1);
	}
	return err;
}

int montecito_boot_load(struct montecito *m, const char *path, uint64_t addr, const char **why)
{
	struct montecito_image *img;
	struct loaded l;
	int err = montecito_image_open(path, &img, why);

	if (err)
		return err;
	err = image_load(m, img, addr, &l, why);
	montecito_image_close(img);
	return err ? err : image_enter(m, l.entry);
}

/*
 * The initial file system goes to the end of the memory that is used, unpacked:
 * not every kernel can do that. What is packed in another way, or made of several
 * archives, goes as it is.
 */
static int image_load_initrd(struct montecito *m, const char *path, struct boot_image *image,
			     const char **why)
{
	struct buffer b = { 0 };
	uint64_t memory;
	int err;

	(void)montecito_memory(m, &memory);
	memory &= ~(FW_GRANULE - 1);
	err = image_read_file(path, &b, why);
	if (!err) {
		err = image_unpack(&b, why);
		if (err == -ENOEXEC)
			err = 0;
	}
	if (err)
		goto out;
	*why = NULL;
	if (b.len > memory || ((memory - b.len) & ~(PAGE - 1)) < image->kernel_end) {
		*why = "does not fit guest memory (see --memory)";
		err = -ENOEXEC;
		goto out;
	}
	image->initrd = (memory - b.len) & ~(PAGE - 1);
	image->initrd_size = b.len;
	err = image_put(m, b.data, b.len, b.len, image->initrd, why);
out:
	free(b.data);
	return err;
}

static int image_load_system(struct montecito_system *s, const struct montecito_boot *boot,
			     const struct loaded *l, const char **what, const char **why)
{
	struct boot_image image = {
		.kernel = l->start & ~(PAGE - 1),
		.kernel_end = (l->end + PAGE - 1) & ~(PAGE - 1),
		.command_line = boot->append ? boot->append : "",
	};
	int err;

	if (l->start < FW_END) {
		*why = "overlaps the firmware, which is below 2 MB";
		return -ENOEXEC;
	}
	if (strlen(image.command_line) >= FW_COMMAND_LINE_SIZE) {
		*what = "--append";
		*why = "longer than 2047 bytes";
		return -EINVAL;
	}
	if (boot->initrd) {
		*what = boot->initrd;
		err = image_load_initrd(s->m, boot->initrd, &image, why);
		if (err)
			return err;
	}
	return firmware_install(s, &image, l->entry);
}

int montecito_system_load(struct montecito_system *s, const struct montecito_boot *boot,
			  const char **what, const char **why)
{
	struct montecito_boot b;
	struct loaded l;
	int err;

	*what = NULL;
	*why = NULL;
	err = SIZED_TAKE(&b, boot, address);
	if (!err)
		err = image_load(s->m, b.image, b.address, &l, why);
	if (err)
		return err;
	if (b.system)
		return image_load_system(s, &b, &l, what, why);
	return image_enter(s->m, l.entry);
}
