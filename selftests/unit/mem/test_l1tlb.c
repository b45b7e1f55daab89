// SPDX-License-Identifier: GPL-2.0-only
/*
 * First-level TLBs against a list in the order of last use.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mem/l1tlb.h"

static u64 list[MONT_NR_L1TLB];
static unsigned int len;

static int place(u64 page)
{
	unsigned int i;

	for (i = 0; i < len; i++)
		if (list[i] == page)
			return (int)i;
	return -1;
}

static bool reference(u64 va)
{
	u64 page = va >> 12;
	int at = place(page), from = at >= 0 ? at : (int)(len < MONT_NR_L1TLB ? len++ : len - 1);

	memmove(list + 1, list, from * sizeof(*list));
	list[0] = page;
	return at >= 0;
}

int main(void)
{
	static struct mont_l1tlb l;
	unsigned int seed = 7, i, wrong = 0, hits = 0, k;

	for (i = 0; i < 1000000; i++) {
		u64 spread = i & 0x10000 ? 29 : 45;
		u64 va = (u64)(rand_r(&seed) % spread) << (i & 0x8000 ? 12 : 19) |
			 rand_r(&seed) % 4096;
		bool hit;

		if (i % 5003 == 0) {
			u64 size = 4096ULL << rand_r(&seed) % 8;

			va &= ~(size - 1);
			mont_l1tlb_purge(&l, va, size);
			for (k = 0; k < len;) {
				if (list[k] - (va >> 12) < size >> 12)
					memmove(list + k, list + k + 1,
						(--len - k) * sizeof(*list));
				else
					k++;
			}
			continue;
		}
		hit = mont_l1tlb_use(&l, va);
		if (!hit)
			mont_l1tlb_insert(&l, MONT_NR_L1TLB, va);
		wrong += hit != reference(va);
		hits += hit;
	}
	printf("# %u hits\n", hits);
	printf("%sok 1 - a million uses and purges as a list has them\n1..1\n",
	       wrong ? "not " : "");
	return wrong || hits < 100000 || hits > 990000;
}
