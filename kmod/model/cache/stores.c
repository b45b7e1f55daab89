// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stores on their way: which of them a load of the same bytes meets (manual 2.1, 4.8.2
 * and 4.8.4).
 */
#include "stores.h"

u64 mont_store_ahead(const struct mont_stores *s, u64 pa, u64 now, unsigned int cycles)
{
	u64 last = 0;
	unsigned int i;

	if (!mont_store_near(s, pa, now, cycles))
		return 0;
	for (i = 0; i < MONT_NR_STORES; i++) {
		if (s->pa[i] == (pa & ~7ULL) && s->at[i] + cycles >= now && s->at[i] > last)
			last = s->at[i];
	}
	return last;
}

u64 mont_store_buffered(const struct mont_stores *s, u64 pa, u64 now)
{
	u64 last = 0;
	unsigned int i;

	if (likely(s->drained < now) || likely(!(s->near >> (pa >> 3 & 63) & 1)))
		return 0;
	for (i = 0; i < MONT_NR_STORES; i++) {
		if (s->pa[i] == (pa & ~7ULL) && s->written[i] >= now && s->at[i] > last)
			last = s->at[i];
	}
	return last;
}

bool mont_store_cancelled(const struct mont_stores *s, u64 pa, u64 at)
{
	unsigned int i;

	for (i = 0; i < MONT_NR_STORES; i++) {
		if (s->pa[i] == (pa & ~7ULL) && s->at[i] == at && s->cancelled >> i & 1)
			return true;
	}
	return false;
}
