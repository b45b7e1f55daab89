// SPDX-License-Identifier: GPL-2.0-only
/*
 * The arbiter's places for one core (manual 2.5): four for requests, two for addresses of writes
 * with a data buffer each (the two other data buffers hold implicit write-backs, which a snoop
 * asks for), four for clean castouts. A place is free when its transaction is issued.
 */
#include "arbiter.h"

MONT_SIZE_FITS(si_requests, MONT_NR_SI_REQUESTS);
MONT_SIZE_FITS(si_writes, MONT_NR_SI_WRITES);
MONT_SIZE_FITS(si_castouts, MONT_NR_SI_CASTOUTS);

struct mont_place mont_arbiter_take(struct mont_arbiter *a, const struct mont_timing *timing,
				    enum mont_queue which, u64 now)
{
	struct mont_place p = { .queue = &a->requests };
	u32 places = timing->si_requests;

	if (which == MONT_QUEUE_SI_WRITEQ) {
		p.queue = &a->writes;
		places = timing->si_writes;
	} else if (which == MONT_QUEUE_SI_CCQ) {
		p.queue = &a->castouts;
		places = timing->si_castouts;
	}
	p.entered = mont_fills_take(p.queue, places, now, &p.entry);
	return p;
}

void mont_arbiter_issue(const struct mont_place *place, u64 issued, u64 line)
{
	mont_fills_hold(place->queue, place->entry, issued, line);
}

bool mont_arbiter_valid(const struct mont_arbiter *a)
{
	return mont_fills_valid(&a->requests, MONT_NR_SI_REQUESTS) &&
	       mont_fills_valid(&a->writes, MONT_NR_SI_WRITES) &&
	       mont_fills_valid(&a->castouts, MONT_NR_SI_CASTOUTS);
}
