// SPDX-License-Identifier: GPL-2.0-only
/*
 * Images that were damaged on their way: an ELF and the same packed with gzip and xz, with
 * bytes changed, cut off or doubled. Each is refused with words or can be loaded; the
 * sanitizers look on. MONTECITO_IMAGES: how many of each form.
 */
#define _GNU_SOURCE
#include <lzma.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "tap.h"

#define MEMORY (80ULL << 20)

struct image {
	const char *name;
	uint8_t *data;
	size_t len;
};

static uint64_t seed = 0x9e3779b97f4a7c15ULL;

static uint64_t rnd(uint64_t n)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (seed >> 33) % n;
}

static struct image read_elf(void)
{
	struct image im = { .name = "ELF" };
	char path[4096];
	FILE *f;
	long n = 0;

	snprintf(path, sizeof(path), "%s/platform.elf", tap_guests);
	f = fopen(path, "r");
	if (f && !fseek(f, 0, SEEK_END))
		n = ftell(f);
	if (n <= 0)
		die(errno, "%s", path);
	rewind(f);
	im.len = n;
	im.data = malloc(im.len);
	if (!im.data || fread(im.data, im.len, 1, f) != 1)
		die(errno, "%s", path);
	fclose(f);
	return im;
}

static struct image gzip(const struct image *in)
{
	struct image im = { .name = "gzip" };
	z_stream z = { .next_in = in->data, .avail_in = in->len };
	size_t room = 2 * in->len + 1024;

	im.data = malloc(room);
	z.next_out = im.data;
	z.avail_out = room;
	if (!im.data ||
	    deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK ||
	    deflate(&z, Z_FINISH) != Z_STREAM_END)
		die(-ENOMEM, "gzip");
	im.len = room - z.avail_out;
	deflateEnd(&z);
	return im;
}

static struct image xz(const struct image *in)
{
	struct image im = { .name = "xz" };
	size_t room = lzma_stream_buffer_bound(in->len);

	im.data = malloc(room);
	if (!im.data || lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, in->data, in->len,
						im.data, &im.len, room) != LZMA_OK)
		die(-ENOMEM, "xz");
	return im;
}

/* Damage a copy, in @to with room for twice of it: its length. */
static size_t damage(const struct image *im, uint8_t *to)
{
	/* Headers are at the beginning, and of an ELF at the end too. */
	size_t len = im->len, where, n = 1 + rnd(4);

	memcpy(to, im->data, len);
	switch (rnd(8)) {
	case 0:
		return rnd(len);
	case 1:
		memcpy(to + len, im->data, len);
		return len + rnd(len);
	}
	while (n--) {
		where = rnd(3);
		where = where == 0   ? rnd(len)
			: where == 1 ? rnd(len < 512 ? len : 512)
				     : len - 1 - rnd(len < 2048 ? len : 2048);
		to[where] = rnd(2) ? rnd(256) : to[where] ^ 1ULL << rnd(8);
	}
	return len;
}

static bool worded(int ret, const char *why)
{
	return ret == -ENOEXEC ? why && *why : ret == -ENOMEM || ret == -EFBIG;
}

struct result {
	uint64_t refused;
	uint64_t loaded;
	uint64_t wordless;
};

static void try_image(struct montecito_system *s, const char *path, struct result *r)
{
	struct montecito_boot boot = {
		.size = sizeof(boot), .append = "1p", .address = 0x4000000, .system = rnd(2)
	};
	struct montecito_symbols *sym;
	struct montecito_image *img;
	const char *what, *why;
	uint64_t offset;
	int ret = montecito_image_open(path, &img, &why);

	if (ret) {
		r->refused++;
		r->wordless += !worded(ret, why);
		return;
	}
	(void)montecito_image_is_linux(img);
	sym = montecito_image_symbols(img);
	(void)montecito_symbols_find(sym, 0x4008000, &offset);
	montecito_symbols_free(sym);
	boot.image = img;
	ret = montecito_system_load(s, &boot, &what, &why);
	r->refused += ret != 0;
	if (ret && !worded(ret, why)) {
		printf("# refused with %d alone\n", ret);
		r->wordless++;
	}
	r->loaded += !ret;
	montecito_image_close(img);
}

static void form(struct montecito_system *s, const struct image *im, uint64_t count)
{
	struct result whole = { 0 }, r = { 0 };
	uint8_t *copy = malloc(2 * im->len);
	char path[64];
	uint64_t i;
	int fd = memfd_create("image", MFD_CLOEXEC);

	if (fd < 0 || !copy)
		die(errno, "no file");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (pwrite(fd, im->data, im->len, 0) != (ssize_t)im->len)
		die(errno, "cannot write");
	try_image(s, path, &whole);
	ok_eq(whole.loaded, 1, "an image that is whole");
	for (i = 0; i < count; i++) {
		size_t len = damage(im, copy);

		if (ftruncate(fd, 0) || pwrite(fd, copy, len, 0) != (ssize_t)len)
			die(errno, "cannot write");
		try_image(s, path, &r);
	}
	ok(!r.wordless, "%s: all that is refused is refused with words", im->name);
	ok(r.refused > count / 50 && r.refused + r.loaded == count,
	   "%s: %" PRIu64 " refused, %" PRIu64 " loaded", im->name, r.refused, r.loaded);
	close(fd);
	free(copy);
}

int main(int argc, char **argv)
{
	const char *n = getenv("MONTECITO_IMAGES");
	struct montecito_region region[MONTECITO_SYSTEM_REGIONS];
	const struct montecito_system_options so = { .size = sizeof(so) };
	struct montecito_options mo = {
		.size = sizeof(mo),
		.config = MONTECITO_SYSTEM_CONFIG,
		.cores = 1,
		.threads = 1,
		.regions = region,
		.nr_regions = montecito_system_regions(MEMORY, region),
	};
	struct montecito_system *s;
	struct montecito *m;
	struct image im[3];
	int ret, i;

	tap_args(argc, argv);
	mo.device = tap_device;
	ret = montecito_open(&mo, &m);
	if (ret < 0)
		die(ret, "cannot open a machine");
	ret = montecito_system_open(m, &so, &s);
	if (ret < 0)
		die(ret, "cannot make a system");
	im[0] = read_elf();
	im[1] = gzip(&im[0]);
	im[2] = xz(&im[0]);
	for (i = 0; i < 3; i++)
		form(s, &im[i], n ? strtoull(n, NULL, 0) : 500);
	for (i = 0; i < 3; i++)
		free(im[i].data);
	montecito_system_close(s);
	montecito_close(m);
	return tap_done();
}
