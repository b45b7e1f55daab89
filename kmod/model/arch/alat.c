// SPDX-License-Identifier: GPL-2.0-only
/*
 * Advanced load address table (SDM volume 1, 4.4.5; 32 entries, fully
 * associative, published Itanium 2 structure).
 *
 * Entries are tagged with the register and the physical address. Replacement
 * is first in, first out (assumption: the silicon's policy is not published).
 */
#include "alat.h"
#include "registers.h"

u64 mont_alat_gr(const struct mont_thread *t, u8 r)
{
	/* The number may be negative after a change of stacks. */
	return r < 32 ? r : MONT_ALAT_STACKED | (mont_rse_number(t, r) & (MONT_ALAT_STACKED - 1));
}

u64 mont_alat_fr(const struct mont_thread *t, u8 f)
{
	return MONT_ALAT_FR | t->frmap[f];
}

static struct mont_alat_entry *alat_find(struct mont_thread *t, u64 reg)
{
	u32 valid;

	mont_work(t, MONT_WORK_ALAT);
	for (valid = t->alat_valid; valid; valid &= valid - 1) {
		struct mont_alat_entry *e = &t->s.alat.entry[__builtin_ctz(valid)];

		if (e->reg == reg)
			return e;
	}
	return NULL;
}

/* The bits of mont_package.alat_filter that stand for @size bytes at @pa. */
static u64 alat_filter_bits(u64 pa, u32 size)
{
	u64 first = pa >> 3, n = ((pa + size - 1) >> 3) - first + 1;
	u64 bits = n < 64 ? MONT_BIT(n) - 1 : ~0ULL;

	return first & 63 ? bits << (first & 63) | bits >> (64 - (first & 63)) : bits;
}

static void alat_drop(struct mont_thread *t, struct mont_alat_entry *e)
{
	e->valid = 0;
	t->alat_valid &= ~(1u << (e - t->s.alat.entry));
	if (!--t->pkg->alat_live)
		t->pkg->alat_filter = 0;
}

void mont_alat_remove(struct mont_thread *t, u64 reg)
{
	struct mont_alat_entry *e = alat_find(t, reg);

	if (e)
		alat_drop(t, e);
}

bool mont_alat_check(struct mont_thread *t, u64 reg, bool clear)
{
	struct mont_alat_entry *e = alat_find(t, reg);

	if (e && clear)
		alat_drop(t, e);
	return e;
}

/* The next entry in turn that is free; if none is, the next one. */
static u32 alat_place(const struct mont_thread *t)
{
	u32 free = ~t->alat_valid << t->alat_closed >> t->alat_closed, next = t->s.alat.next;
	u32 behind = free >> next << next;

	if (!free)
		return next;
	return __builtin_ctz(behind ? behind : free);
}

bool mont_alat_insert(struct mont_thread *t, u64 reg, u64 pa, u32 size)
{
	struct mont_alat_entry *e = alat_find(t, reg);
	bool replaced = false;

	/* An ALAT may forget whenever it likes (SDM volume 1, 4.4.5.3). */
	if (t->pkg->cfg.flags & MONT_CFG_NO_ALAT)
		return false;
	if (!e) {
		u32 at = alat_place(t);

		e = &t->s.alat.entry[at];
		t->s.alat.next = at + 1 < MONT_NR_ALAT - t->alat_closed ? at + 1 : 0;
		replaced = e->valid;
		if (!replaced)
			t->pkg->alat_live++;
	}
	e->pa = pa;
	e->reg = reg;
	e->size = size;
	e->valid = 1;
	t->alat_valid |= 1u << (e - t->s.alat.entry);
	t->pkg->alat_filter |= alat_filter_bits(pa, size);
	return replaced;
}

void mont_alat_clear(struct mont_thread *t)
{
	u32 valid;

	mont_work(t, MONT_WORK_ALAT);
	for (valid = t->alat_valid; valid; valid &= valid - 1)
		alat_drop(t, &t->s.alat.entry[__builtin_ctz(valid)]);
}

void mont_alat_fit(struct mont_thread *t, u32 nr)
{
	u32 i;

	t->alat_closed = MONT_NR_ALAT - nr;
	for (i = nr; i < MONT_NR_ALAT; i++) {
		if (t->s.alat.entry[i].valid)
			alat_drop(t, &t->s.alat.entry[i]);
	}
	if (t->s.alat.next >= nr)
		t->s.alat.next = 0;
}

void mont_alat_stored(struct mont_package *pkg, u64 pa, u32 size)
{
	u64 filter = 0;
	unsigned int v;
	u32 valid;

	for (v = 0; v < pkg->nr_vcpus; v++) {
		struct mont_alat_entry *e = pkg->thread[v].s.alat.entry;

		mont_work(&pkg->thread[v], MONT_WORK_ALAT);
		for (valid = pkg->thread[v].alat_valid; valid; valid &= valid - 1) {
			u32 i = __builtin_ctz(valid);

			if (pa < e[i].pa + e[i].size && e[i].pa < pa + size)
				alat_drop(&pkg->thread[v], &e[i]);
			else
				filter |= alat_filter_bits(e[i].pa, e[i].size);
		}
	}
	/* Make the filter exact: the bits of entries that have gone were still set in it. */
	pkg->alat_filter = filter;
}

void mont_alat_recount(struct mont_package *pkg)
{
	unsigned int v, i;

	pkg->alat_live = 0;
	pkg->alat_filter = 0;
	for (v = 0; v < pkg->nr_vcpus; v++) {
		struct mont_thread *t = &pkg->thread[v];

		t->alat_valid = 0;
		for (i = 0; i < MONT_NR_ALAT; i++) {
			const struct mont_alat_entry *e = &t->s.alat.entry[i];

			if (!e->valid)
				continue;
			t->alat_valid |= 1u << i;
			pkg->alat_live++;
			pkg->alat_filter |= alat_filter_bits(e->pa, e->size);
		}
	}
}
