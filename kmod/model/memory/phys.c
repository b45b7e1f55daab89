// SPDX-License-Identifier: GPL-2.0-only
/*
 * Physical memory: the regions the host has set up, and what has to be forgotten
 * when their bytes change (SDM volume 2, 4.4; there is no section for what a
 * platform puts where).
 */
#include "phys.h"
#include "../arch/alat.h"
#include "../platform/map.h"

static bool phys_region_ok(const struct mont_region *r)
{
	bool mmio = r->flags & MONT_REGION_MMIO;

	return !(r->flags & ~(MONT_REGION_READONLY | MONT_REGION_MMIO)) &&
	       !(mmio && (r->flags & MONT_REGION_READONLY)) && !r->pad && mmio == !r->host &&
	       r->size && !(r->base % MONT_PAGE_SIZE) && !(r->size % MONT_PAGE_SIZE) &&
	       r->base < MONT_BIT(MONT_PA_BITS) && r->size <= MONT_BIT(MONT_PA_BITS) - r->base;
}

int mont_phys_init(struct mont_package *pkg, const struct mont_region *region, u32 nr)
{
	u64 memory = 0;
	u32 i;

	if (!nr || nr > MONT_MAX_REGIONS)
		return MONT_EINVAL;
	for (i = 0; i < nr; i++) {
		if (!phys_region_ok(&region[i]))
			return MONT_EINVAL;
		if (i && region[i].base - region[i - 1].base < region[i - 1].size)
			return MONT_EINVAL;
		if (i && region[i].base < region[i - 1].base)
			return MONT_EINVAL;
		if (!(region[i].flags & MONT_REGION_MMIO))
			memory += region[i].size;
	}
	if (memory != pkg->cfg.memory)
		return MONT_EINVAL;
	pkg->nr_regions = nr;
	pkg->layout = (struct mont_layout){
		.cores = pkg->cfg.cores,
		.threads = pkg->cfg.threads,
		.flags = pkg->cfg.flags,
		.nr_regions = nr,
	};
	for (i = 0, memory = 0; i < nr; i++) {
		pkg->region[i].r = region[i];
		pkg->layout.region[i].base = region[i].base;
		pkg->layout.region[i].size = region[i].size;
		pkg->layout.region[i].flags = region[i].flags;
		pkg->region[i].page = memory / MONT_PAGE_SIZE;
		if (!(region[i].flags & MONT_REGION_MMIO))
			memory += region[i].size;
	}
	return 0;
}

/* The region of address @pa, or NULL; the model's own devices go before it. */
static const struct mont_memory *phys_region_of(const struct mont_package *pkg, u64 pa)
{
	u32 i;

	if (mont_is_device(pa))
		return NULL;
	for (i = 0; i < pkg->nr_regions; i++)
		if (pa - pkg->region[i].r.base < pkg->region[i].r.size)
			return &pkg->region[i];
	return NULL;
}

u64 mont_ram_address(const struct mont_package *pkg, const u8 *p)
{
	u32 i;

	for (i = 0; i < pkg->nr_regions; i++) {
		const struct mont_region *r = &pkg->region[i].r;
		u64 offset = (unsigned long)p - (unsigned long)r->host;

		if (r->host && offset < r->size)
			return r->base + offset;
	}
	return MONT_PA_NONE;
}

/* Region of memory that holds all @len bytes at @pa, or NULL. */
static const struct mont_memory *phys_memory_of(const struct mont_package *pkg, u64 pa, u64 len)
{
	const struct mont_memory *m = phys_region_of(pkg, pa);

	if (!m || !m->r.host || len > m->r.size - (pa - m->r.base))
		return NULL;
	return m;
}

/* Where @pa, which is in @m, lies in it. */
static u64 phys_offset_in(const struct mont_memory *m, u64 pa)
{
	return mont_nospec(pa - m->r.base, m->r.size);
}

u8 *mont_ram(const struct mont_package *pkg, u64 pa, u64 len)
{
	const struct mont_memory *m = phys_memory_of(pkg, pa, len);

	return m ? m->r.host + phys_offset_in(m, pa) : NULL;
}

u8 *mont_ram_writable(const struct mont_package *pkg, u64 pa, u64 len)
{
	const struct mont_memory *m = phys_memory_of(pkg, pa, len);

	return m && !(m->r.flags & MONT_REGION_READONLY) ? m->r.host + phys_offset_in(m, pa) : NULL;
}

u8 *mont_ram_plain(const struct mont_package *pkg, u64 pa, u64 len, bool *plain)
{
	const struct mont_memory *m = phys_memory_of(pkg, pa, len);
	u64 offset;

	*plain = false;
	if (!m)
		return NULL;
	offset = phys_offset_in(m, pa);
	*plain = !(m->r.flags & MONT_REGION_READONLY) &&
		 !pkg->code_page[m->page + offset / MONT_PAGE_SIZE];
	return m->r.host + offset;
}

bool mont_is_mmio(const struct mont_package *pkg, u64 pa, u64 len, bool write)
{
	const struct mont_memory *m = phys_region_of(pkg, pa);

	if (!m || len > m->r.size - (pa - m->r.base))
		return false;
	return m->r.flags & (MONT_REGION_MMIO | (write ? MONT_REGION_READONLY : 0));
}

u8 *mont_code_page(struct mont_package *pkg, u64 pa)
{
	const struct mont_memory *m = phys_memory_of(pkg, pa, 1);

	return m ? &pkg->code_page[m->page + phys_offset_in(m, pa) / MONT_PAGE_SIZE] : NULL;
}

/* Bytes from @pa to the end of its page, @len at most. */
static u64 phys_in_page(u64 pa, u64 len)
{
	u64 n = MONT_PAGE_SIZE - pa % MONT_PAGE_SIZE;

	return n < len ? n : len;
}

int mont_phys_read(struct mont_package *pkg, u64 pa, void *buf, size_t len)
{
	size_t done, n;

	for (done = 0; done < len; done += n) {
		n = phys_in_page(pa + done, len - done);
		if (!mont_ram(pkg, pa + done, n))
			return MONT_EFAULT;
	}
	for (done = 0; done < len; done += n) {
		n = phys_in_page(pa + done, len - done);
		__builtin_memcpy((u8 *)buf + done, mont_ram(pkg, pa + done, n), n);
	}
	return 0;
}

int mont_phys_write(struct mont_package *pkg, u64 pa, const void *buf, size_t len)
{
	size_t done, n;

	for (done = 0; done < len; done += n) {
		n = phys_in_page(pa + done, len - done);
		if (!mont_ram_writable(pkg, pa + done, n))
			return MONT_EFAULT;
	}
	for (done = 0; done < len; done += n) {
		n = phys_in_page(pa + done, len - done);
		__builtin_memcpy(mont_ram_writable(pkg, pa + done, n), (const u8 *)buf + done, n);
	}
	mont_mem_invalidate(pkg, pa, len);
	return 0;
}

void mont_code_written(struct mont_package *pkg, u64 pa, u64 len)
{
	u64 a = pa & ~15ULL, end = pa + len;

	for (; a < end; a += 16) {
		struct mont_bundle *b = &pkg->bundle[a >> 4 & (MONT_NR_BUNDLES - 1)];

		if ((b->tag ^ a) - 1 < MONT_TAG_BITS)
			mont_bundle_forget(pkg, b);
	}
}

/* How many of the @len bytes at *@pa lie in memory @m; *@pa becomes the first of them. */
static u64 phys_part_in(const struct mont_memory *m, u64 *pa, u64 len)
{
	u64 end = m->r.base + m->r.size, last = len > ~*pa ? ~0ULL : *pa + len;

	if (*pa < m->r.base)
		*pa = m->r.base;
	if (last > end)
		last = end;
	return m->r.host && last > *pa ? last - *pa : 0;
}

void mont_mem_restored(struct mont_package *pkg, u64 pa, u64 len)
{
	u32 i;

	for (i = 0; i < pkg->nr_regions; i++) {
		u64 from = pa, n = phys_part_in(&pkg->region[i], &from, len), a;

		for (a = from & ~(u64)(MONT_PAGE_SIZE - 1); n && a < from + n; a += MONT_PAGE_SIZE)
			if (pkg->code_page[pkg->region[i].page +
					   (a - pkg->region[i].r.base) / MONT_PAGE_SIZE])
				mont_code_written(pkg, a, MONT_PAGE_SIZE);
	}
}

void mont_mem_invalidate(struct mont_package *pkg, u64 pa, u64 len)
{
	u32 i;

	mont_mem_restored(pkg, pa, len);
	for (i = 0; pkg->alat_live && i < pkg->nr_regions; i++) {
		u64 from = pa, left = phys_part_in(&pkg->region[i], &from, len);

		while (left) {
			u64 n = phys_in_page(from, left);

			mont_alat_stored(pkg, from, n);
			from += n;
			left -= n;
		}
	}
}
