// SPDX-License-Identifier: GPL-2.0-only
/*
 * PAL procedures about caches and virtual memory (SDM volume 2, 11.10; manual
 * 2.3.3 and table 2-9). Where the manual says nothing the values are those of
 * the Itanium 2 family.
 */
#include "pal.h"
#include "../cache/l1tlb.h"
#include "../memory/mem.h"
#include "../pipeline/timing.h"

#define MONT_PAL_INSTRUCTION 1
#define MONT_PAL_DATA 2 /* or unified */

#define MONT_L1_PAGE_SIZES 0x1000ULL
#define MONT_PAL_VA_MSB (MONT_VA_BITS - 1)
#define MONT_PAL_ID_BITS MONT_RID_BITS /* keys too */

/*
 * One cache; sizes as logarithms of 2 where PAL has them so. Its ways, and with them its size,
 * and its latencies can be a machine's own.
 */
struct mont_pal_cache {
	u8 level; /* counted from 0 */
	u8 type;
	u8 unified;
	u8 write_back;
	u8 ways;
	u8 line; /* log2 */
	u8 store_latency;
	u8 load_latency;
	u8 tag_lsb;
	u32 size;
	/* The places of these in struct mont_timing; FIXED: there is none. */
	u16 ways_at;
	u16 store_at;
	u16 load_at;
};

static const struct mont_pal_cache mont_pal_caches[] = {
#define AT(field) offsetof(struct mont_timing, field)
#define FIXED 0xffff
	{ 0, MONT_PAL_INSTRUCTION, 0, 0, 4, 6, 0xff, 1, 12, 16 << 10, AT(l1i_ways), FIXED, FIXED },
	{ 0, MONT_PAL_DATA, 0, 0, 4, 6, 3, 1, 12, 16 << 10, AT(l1d_ways), AT(store_fill), FIXED },
	{ 1, MONT_PAL_INSTRUCTION, 0, 0, 8, 7, 0xff, 7, 17, 1 << 20, AT(l2i_ways), FIXED, AT(l2i) },
	{ 1, MONT_PAL_DATA, 0, 1, 8, 7, 7, 5, 15, 256 << 10, AT(l2d_ways), FIXED, AT(l2d) },
	{ 2, MONT_PAL_DATA, 1, 1, 12, 7, 7, 14, 20, 12 << 20, AT(l3_ways), FIXED, AT(l3) },
#undef AT
};

/* The numbers of @t's machine; NULL for one without the timing model, which has them all. */
static const struct mont_timing *pal_sizes(const struct mont_thread *t)
{
	return t->pkg->timing;
}

static const struct mont_pal_cache *pal_find_cache(u64 level, u64 type)
{
	unsigned int i;

	for (i = 0; i < MONT_ARRAY_SIZE(mont_pal_caches); i++) {
		if (mont_pal_caches[i].level == level && mont_pal_caches[i].type == type)
			return &mont_pal_caches[i];
	}
	return NULL;
}

/* The machine's own parameter at @at, or @usual if it has none. */
static u64 pal_number(const struct mont_timing *own, u16 at, u8 usual)
{
	return own && at != FIXED ? *(const u32 *)((const u8 *)own + at) : usual;
}

/* config_info_1 and config_info_2 (SDM volume 2, PAL_CACHE_INFO). */
static void pal_cache_config(const struct mont_thread *t, const struct mont_pal_cache *c,
			     u64 out[2])
{
	const struct mont_timing *own = pal_sizes(t);
	u64 ways = pal_number(own, c->ways_at, c->ways);
	u64 store = pal_number(own, c->store_at, c->store_latency);
	u64 load = pal_number(own, c->load_at, c->load_latency);
	/* Hints: loads temporal, nt1, nta (bits 0, 1 and 3); stores temporal, nta. */
	u64 store_hints = c->type == MONT_PAL_DATA ? 0x9 : 0;
	u64 load_hints = c->type == MONT_PAL_DATA ? 0xb : 0;

	out[0] = c->unified | (u64)c->write_back << 1 | ways << 8 | (u64)c->line << 16 |
		 (u64)c->line << 24 | store << 32 | load << 40 | store_hints << 48 |
		 load_hints << 56;
	out[1] = c->size / c->ways * ways | (u64)12 << 32 | (u64)c->tag_lsb << 40 |
		 (u64)(MONT_PA_BITS - 1) << 48;
}

s64 mont_pal_cache_flush(struct mont_thread *t, const u64 arg[4], u64 ret[4])
{
	/* Types 1 to 4: instruction, data, both, make them coherent. */
	if (arg[1] < 1 || arg[1] > 4 || arg[2] > 3)
		return MONT_PAL_EINVAL;
	return MONT_PAL_OK;
}

s64 mont_pal_cache_info(struct mont_thread *t, const u64 arg[4], u64 ret[4])
{
	const struct mont_pal_cache *c = pal_find_cache(arg[1], arg[2]);

	if (!c || arg[3])
		return MONT_PAL_EINVAL;
	pal_cache_config(t, c, &ret[1]);
	return MONT_PAL_OK;
}

s64 mont_pal_cache_summary(struct mont_thread *t, const u64 arg[4], u64 ret[4])
{
	ret[1] = 3;
	ret[2] = MONT_ARRAY_SIZE(mont_pal_caches);
	return MONT_PAL_OK;
}

s64 mont_pal_cache_shared_info(struct mont_thread *t, const u64 arg[4], u64 ret[4])
{
	const struct mont_pal_cache *c = pal_find_cache(arg[1], arg[2]);
	u64 self = t->index % t->pkg->cfg.threads, sharer = arg[3];

	if (sharer == ~0ULL)
		sharer = self;
	if (!c || sharer >= t->pkg->cfg.threads)
		return MONT_PAL_EINVAL;
	/* Every cache belongs to one core (manual 2.3.3). */
	ret[1] = t->pkg->cfg.threads;
	ret[2] = sharer | (u64)(t->index / t->pkg->cfg.threads) << 32;
	ret[3] = t->index - self + sharer;
	return MONT_PAL_OK;
}

s64 mont_pal_mem_attrib(struct mont_thread *t, const u64 arg[4], u64 ret[4])
{
	/* WB 0, UC 4, UCE 5, WC 6, NaTPage 7 */
	ret[1] = 0xf1;
	return MONT_PAL_OK;
}

s64 mont_pal_ptce_info(struct mont_thread *t, const u64 arg[4], u64 ret[4])
{
	ret[1] = 0; /* base address */
	ret[2] = 1ULL << 32 | 1; /* outer and inner count */
	ret[3] = 0; /* strides */
	return MONT_PAL_OK;
}

/* Page sizes of the TLB: bit n for pages of 2^n bytes. */
static u64 pal_page_sizes(void)
{
	u64 sizes = 0;
	u32 ps;

	for (ps = 0; ps < 64; ps++)
		sizes |= mont_page_size_ok(ps) ? MONT_BIT(ps) : 0;
	return sizes;
}

s64 mont_pal_vm_info(struct mont_thread *t, const u64 arg[4], u64 ret[4])
{
	const struct mont_timing *own = pal_sizes(t);
	u64 entries = MONT_NR_TLB;

	if (arg[1] > 1 || (arg[2] != MONT_PAL_INSTRUCTION && arg[2] != MONT_PAL_DATA) || arg[3])
		return MONT_PAL_EINVAL;
	if (own && arg[1])
		entries = own->tlb;
	else if (own)
		entries = arg[2] == MONT_PAL_DATA ? own->dtlb_entries : own->itlb_entries;
	else if (!arg[1])
		entries = MONT_NR_L1TLB;
	/* One set; translation registers take their room from the second level. */
	ret[1] = 1 | entries << 8 | entries << 16 | (arg[1] ? MONT_BIT(34) : 0);
	ret[2] = arg[1] ? pal_page_sizes() : MONT_L1_PAGE_SIZES;
	return MONT_PAL_OK;
}

s64 mont_pal_vm_summary(struct mont_thread *t, const u64 arg[4], u64 ret[4])
{
	ret[1] = 1 | MONT_PA_BITS << 1 | MONT_PAL_ID_BITS << 8 | (MONT_NR_PKR - 1) << 16 |
		 (u64)(MONT_NR_TR - 1) << 32 | (u64)(MONT_NR_TR - 1) << 40 | 4ULL << 48 |
		 2ULL << 56;
	ret[2] = MONT_PAL_VA_MSB | MONT_PAL_ID_BITS << 8 | 1 << 16;
	return MONT_PAL_OK;
}

s64 mont_pal_vm_page_size(struct mont_thread *t, const u64 arg[4], u64 ret[4])
{
	ret[1] = pal_page_sizes();
	ret[2] = ret[1];
	return MONT_PAL_OK;
}

s64 mont_pal_vm_tr_read(struct mont_thread *t, const u64 arg[4], u64 ret[4])
{
	const struct mont_tlbe *e;
	u64 entry[4] = { 0 };
	s64 status;

	/* Type 0: instruction, 1: data (SDM volume 2, PAL_VM_TR_READ). */
	if (arg[1] >= MONT_NR_TR || arg[2] > 1)
		return MONT_PAL_EINVAL;
	e = mont_tlb_tr(t, !arg[2], arg[1]);
	if (e) {
		entry[0] = e->pte;
		entry[1] = (u64)e->ps << 2 | (u64)e->key << 8;
		entry[2] = e->va | 1; /* bit 0: the entry is in use */
		entry[3] = (u64)e->rid << 8;
	}
	status = mont_pal_write(t, arg[3], entry, sizeof(entry));
	if (status == MONT_PAL_OK)
		ret[1] = 0xf; /* rights, level, dirty and attribute of the entry are valid */
	return status;
}

s64 mont_pal_prefetch_visibility(struct mont_thread *t, const u64 arg[4], u64 ret[4])
{
	if (arg[1] > 1)
		return MONT_PAL_EINVAL;
	return MONT_PAL_NOT_REMOTE;
}
