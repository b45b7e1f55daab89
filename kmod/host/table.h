/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An observer's counts by instruction: a hash table of a fixed size, filled in
 * the middle of mont_run(). For both hosts, as convert.h. Called by observer.c
 * and by libmontecito (inproc_vcpu.c).
 */
#ifndef MHOST_TABLE_H
#define MHOST_TABLE_H

#include <linux/montecito.h>

#include "../model/base/types.h"

/* Places that are tried for one instruction: what it may cost. */
#define MHOST_TABLE_PROBES 16

/**
 * struct mhost_table - counts by instruction
 * @entry: 2^@order of them; one with a count of 0 is free
 * @order: log2 of them
 * @used: those that are not free
 * @lost: occurrences that found no place
 */
struct mhost_table {
	struct montecito_table_entry *entry;
	u32 order;
	u32 used;
	u64 lost;
};

/* A count that cannot grow stays where it is: 0 would be a free entry. */
static inline u64 mhost_table_sum(u64 count, u64 n)
{
	return count + n < count ? ~0ULL : count + n;
}

/* Add @n occurrences, not 0, of the instruction in slot @slot of the bundle at @ip. */
static inline void mhost_table_add(struct mhost_table *t, u64 ip, u32 slot, u64 n)
{
	u64 hash = (ip >> 2 | slot) * 0x9e3779b97f4a7c15ULL;
	u32 mask = (1U << t->order) - 1;
	u32 i;

	for (i = 0; i < MHOST_TABLE_PROBES && i <= mask; i++) {
		struct montecito_table_entry *e = &t->entry[((hash >> 32) + i) & mask];

		if (!e->count) {
			e->ip = ip;
			e->slot = slot;
			t->used++;
		} else if (e->ip != ip || e->slot != slot) {
			continue;
		}
		e->count = mhost_table_sum(e->count, n);
		return;
	}
	t->lost = mhost_table_sum(t->lost, n);
}

/* Copy the entries that are not free to @to, which has room for @used. Return: how many. */
static inline u32 mhost_table_copy(const struct mhost_table *t, struct montecito_table_entry *to)
{
	u32 i, n = 0;

	for (i = 0; i >> t->order == 0; i++)
		if (t->entry[i].count)
			to[n++] = t->entry[i];
	return n;
}

/* Make all of them free. */
static inline void mhost_table_clear(struct mhost_table *t)
{
	u32 i;

	for (i = 0; i >> t->order == 0; i++)
		t->entry[i].count = 0;
	t->used = 0;
	t->lost = 0;
}

#endif
