// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines on their way to the L2D of a core that shares the bus (arrival.h).
 */
#include "arrival.h"
#include "../cache/lines.h"

/* The first cycle behind one in which a line comes; 0: none does. */
static u64 arrival_next(const struct mont_arrivals *a)
{
	u64 next = 0;
	u32 i;

	for (i = 0; i < MONT_NR_ARRIVALS; i++)
		if (a->of[i].at && (!next || a->of[i].at < next))
			next = a->of[i].at;
	return next;
}

u32 mont_arrival_enter(struct mont_arrivals *a, u64 line, u64 at, u32 state, u32 thread)
{
	u32 n = 0;

	while (n < MONT_NR_ARRIVALS && a->of[n].at)
		n++;
	if (n == MONT_NR_ARRIVALS)
		return MONT_NO_ARRIVAL;
	a->of[n] = (struct mont_arrival){
		.at = at,
		.line = line,
		.state = state,
		.thread = thread,
	};
	if (!a->next || at < a->next)
		a->next = at;
	return n;
}

void mont_arrival_forget(struct mont_arrivals *a, u32 n)
{
	a->of[n] = (struct mont_arrival){ .at = 0 };
	a->next = arrival_next(a);
}

void mont_arrivals_snoop(struct mont_arrivals *a, u64 line, u64 at, u32 state)
{
	u32 i;

	for (i = 0; a->next && i < MONT_NR_ARRIVALS; i++)
		if (a->of[i].line == line && a->of[i].at > at + 1 && a->of[i].state > state)
			a->of[i].state = state;
}

u32 mont_arrival_take(struct mont_arrivals *a, u64 now, struct mont_arrival *of)
{
	u32 n = 0;

	if (!a->next || a->next > now)
		return MONT_NO_ARRIVAL;
	while (a->of[n].at != a->next)
		n++;
	*of = a->of[n];
	mont_arrival_forget(a, n);
	return n;
}

static bool arrival_valid(const struct mont_arrival *of, u32 threads)
{
	return of->state <= MONT_LINE_E && of->thread < threads && !of->pad[0] && !of->pad[1] &&
	       mont_takers_valid(&of->takers);
}

bool mont_arrivals_valid(const struct mont_arrivals *a, u32 threads)
{
	static const struct mont_arrival none;
	u32 i;

	for (i = 0; i < MONT_NR_ARRIVALS; i++)
		if (a->of[i].at ? !arrival_valid(&a->of[i], threads)
				: __builtin_memcmp(&a->of[i], &none, sizeof(none)) != 0)
			return false;
	return a->next == arrival_next(a);
}
