// SPDX-License-Identifier: GPL-2.0-only
/*
 * Advanced load address table (SDM volume 1, 4.4.5; 32 entries, fully
 * associative, published Itanium 2 structure).
 *
 * Entries are tagged with the register and the physical address. Replacement
 * is first in, first out (assumption: the silicon's policy is not published).
 */
#include "mem.h"
#include "../registers.h"

u64 mont_alat_gr(const struct mont_thread *t, u8 r)
{
	/* The number may be negative after a change of stacks. */
	return r < 32 ? r : MONT_ALAT_STACKED | (mont_rse_number(t, r) & (MONT_ALAT_STACKED - 1));
}

u64 mont_alat_fr(const struct mont_thread *t, u8 f)
{
	return MONT_ALAT_FR | t->frmap[f];
}

static struct mont_alat_entry *find(struct mont_thread *t, u64 reg)
{
	unsigned int i;

	mont_work(t, MONT_WORK_ALAT);
	for (i = 0; i < MONT_NR_ALAT; i++)
		if (t->s.alat.entry[i].valid && t->s.alat.entry[i].reg == reg)
			return &t->s.alat.entry[i];
	return NULL;
}

static void drop(struct mont_package *pkg, struct mont_alat_entry *e)
{
	e->valid = 0;
	pkg->alat_live--;
}

void mont_alat_remove(struct mont_thread *t, u64 reg)
{
	struct mont_alat_entry *e = find(t, reg);

	if (e)
		drop(t->pkg, e);
}

bool mont_alat_check(struct mont_thread *t, u64 reg, bool clear)
{
	struct mont_alat_entry *e = find(t, reg);

	if (e && clear)
		drop(t->pkg, e);
	return e;
}

/* The next entry in turn that is free; if none is, the next one. */
static u32 place(const struct mont_thread *t)
{
	u32 next = t->s.alat.next, i;

	for (i = 0; i < MONT_NR_ALAT; i++)
		if (!t->s.alat.entry[(next + i) % MONT_NR_ALAT].valid)
			return (next + i) % MONT_NR_ALAT;
	return next;
}

bool mont_alat_insert(struct mont_thread *t, u64 reg, u64 pa, u32 size)
{
	struct mont_alat_entry *e = find(t, reg);
	bool replaced = false;

	/* An ALAT may forget whenever it likes (SDM volume 1, 4.4.5.3). */
	if (t->pkg->cfg.flags & MONT_CFG_NO_ALAT)
		return false;
	if (!e) {
		u32 at = place(t);

		e = &t->s.alat.entry[at];
		t->s.alat.next = (at + 1) % MONT_NR_ALAT;
		replaced = e->valid;
		if (!replaced)
			t->pkg->alat_live++;
	}
	e->pa = pa;
	e->reg = reg;
	e->size = size;
	e->valid = 1;
	return replaced;
}

void mont_alat_clear(struct mont_thread *t)
{
	unsigned int i;

	mont_work(t, MONT_WORK_ALAT);
	for (i = 0; i < MONT_NR_ALAT; i++)
		if (t->s.alat.entry[i].valid)
			drop(t->pkg, &t->s.alat.entry[i]);
}

void mont_alat_stored(struct mont_package *pkg, u64 pa, u32 size)
{
	unsigned int v, i;

	for (v = 0; v < pkg->nr_vcpus; v++) {
		struct mont_alat_entry *e = pkg->thread[v].s.alat.entry;

		mont_work(&pkg->thread[v], MONT_WORK_ALAT);
		for (i = 0; i < MONT_NR_ALAT; i++)
			if (e[i].valid && pa < e[i].pa + e[i].size && e[i].pa < pa + size)
				drop(pkg, &e[i]);
	}
}

void mont_alat_recount(struct mont_package *pkg)
{
	unsigned int v, i;

	pkg->alat_live = 0;
	for (v = 0; v < pkg->nr_vcpus; v++)
		for (i = 0; i < MONT_NR_ALAT; i++)
			pkg->alat_live += pkg->thread[v].s.alat.entry[i].valid;
}
