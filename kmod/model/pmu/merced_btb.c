// SPDX-License-Identifier: GPL-2.0-only
/*
 * The branch trace buffer of the original Itanium (Itanium Processor Reference Manual, 6.2.7;
 * PMC12 and PMD8-16): the last eight entries of what this processor's would record (etb.c),
 * with the address of each bundle itself.
 */
#include "merced_btb.h"
#include "etb.h"
#include "internal.h"

#define TAR MONT_BIT(7)
#define BPT MONT_BIT(14)
#define BAC MONT_BIT(15)
#define STAGES (TAR | BPT | BAC)
#define SELECTION 0x3f00ULL /* tm, ptm and ppm: where PMC39 has them */

#define ENTRIES 8
#define INDEX 16 /* PMD16 */
#define FIRST 8 /* PMD8 */
#define FULL MONT_BIT(3)

/* The buffer of etb.c, which is twice as large. */
#define WHOLE_INDEX 38
#define WHOLE_EXTENSION 39
#define WHOLE_FIRST 48
#define WHOLE_ENTRIES 16
#define WHOLE_FULL MONT_BIT(5)

u64 mont_merced_btb_setting(u64 pmc)
{
	return pmc & SELECTION;
}

const char *mont_merced_btb_refused(u64 pmc)
{
	return (pmc & STAGES) == STAGES
		       ? NULL
		       : "tar, bpt and bac must be 1: the predictor here has not these stages, "
			 "and a trace cannot leave one out";
}

/* Of both entries of @b that PMD8 + @n stands for the one that was written last. */
static unsigned int merced_btb_latest(u64 index, unsigned int n)
{
	unsigned int next = index % WHOLE_ENTRIES;
	unsigned int age = (next + WHOLE_ENTRIES - 1 - n) % WHOLE_ENTRIES;

	return age < ENTRIES ? n : n + ENTRIES;
}

u64 mont_merced_btb_read(const struct mont_merced *m, unsigned int n)
{
	u64 setting = mont_merced_btb_setting(m->pmc[12]);
	u64 index = mont_etb_buffer_read(&m->btb, setting, WHOLE_INDEX), extension;
	unsigned int entry;

	if (n == INDEX)
		return index % ENTRIES | (index & (WHOLE_FULL | ENTRIES) ? FULL : 0);
	entry = merced_btb_latest(index, n - FIRST);
	extension = mont_etb_buffer_read(&m->btb, setting, WHOLE_EXTENSION);
	return mont_etb_buffer_read(&m->btb, setting, WHOLE_FIRST + entry) +
	       16 * mont_etb_second(extension, entry);
}

void mont_merced_btb_write(struct mont_merced *m, u64 value)
{
	mont_etb_buffer_settle(&m->btb, mont_merced_btb_setting(m->pmc[12]));
	m->btb.index = value % ENTRIES | (value & FULL ? WHOLE_FULL : 0);
}
