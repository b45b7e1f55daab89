// SPDX-License-Identifier: GPL-2.0-only
/*
 * The placement of events on counters against another solver: it tries every
 * choice of what sits in PMC4, PMC5 and PMC6, which decides what every other
 * counter may hold, and matches the rest.
 */
#include "pmu_test.h"
#include "pmu/constraints.h"

static bool l1d(const struct mont_event *e)
{
	return (e->set & MONT_SET_GROUP) == MONT_SET_L1D;
}

static bool l2d(const struct mont_event *e)
{
	return (e->set & MONT_SET_GROUP) == MONT_SET_L2D;
}

/* True if @e can follow @lead in a counter that @lead rules. */
static bool follows(const struct mont_event *e, const struct mont_event *lead)
{
	return lead && lead->set == e->set && (l1d(e) || lead->umask == e->umask);
}

/* Counters @e may take given what leads; @lead[] by counter. */
static unsigned int allowed(const struct mont_event *e, const struct mont_event *const lead[16])
{
	unsigned int m = e->counters, ok = 0, c;

	for (c = 4; c < 16; c++) {
		if (!(m >> c & 1))
			continue;
		if (l1d(e) && c != 5 && !follows(e, lead[5]))
			continue;
		if (l2d(e) && (c == 5 || c == 8) && !follows(e, lead[4]))
			continue;
		if (l2d(e) && (c == 7 || c == 9) && !follows(e, lead[6]))
			continue;
		ok |= 1 << c;
	}
	return ok;
}

static unsigned int masks[12];
static int owner[16];

/* Kuhn's matching: find @i a counter, moving others if need be. */
static bool augment(unsigned int i, unsigned int *seen)
{
	unsigned int c;

	for (c = 4; c < 16; c++) {
		if (!(masks[i] >> c & 1) || (*seen >> c & 1))
			continue;
		*seen |= 1 << c;
		if (owner[c] < 0 || augment(owner[c], seen)) {
			owner[c] = i;
			return true;
		}
	}
	return false;
}

static bool excluded(const struct mont_event *const ev[], unsigned int n)
{
	unsigned int i, j;

	for (i = 0; i < n; i++)
		for (j = 0; j < n; j++) {
			if (ev[i]->code == 0xe0 && ev[j]->code == 0xe2)
				return true;
			if (ev[i]->code == ev[j]->code && ev[i]->ear && ev[j]->ear &&
			    (ev[i]->ear != ev[j]->ear || ev[i]->ear_umask != ev[j]->ear_umask))
				return true;
		}
	return false;
}

static bool possible(const struct mont_event *const ev[], unsigned int n)
{
	int a[3], k;
	unsigned int i;

	if (excluded(ev, n) || n > 12)
		return false;
	for (a[0] = -1; a[0] < (int)n; a[0]++)
		for (a[1] = -1; a[1] < (int)n; a[1]++)
			for (a[2] = -1; a[2] < (int)n; a[2]++) {
				const struct mont_event *lead[16] = { NULL };
				bool good = true;

				for (k = 0; k < 3; k++)
					if (a[k] >= 0)
						lead[4 + k] = ev[a[k]];
				for (k = 0; k < 3; k++) {
					if (a[k] < 0)
						continue;
					good &= a[k] != a[(k + 1) % 3];
					good &= allowed(ev[a[k]], lead) >> (4 + k) & 1;
				}
				if (!good)
					continue;
				for (i = 4; i < 16; i++)
					owner[i] = -1;
				for (i = 0; i < n; i++)
					masks[i] = allowed(ev[i], lead) & ~0x70;
				for (i = 0; i < n && good; i++) {
					unsigned int seen = 0;

					if ((int)i != a[0] && (int)i != a[1] && (int)i != a[2])
						good = augment(i, &seen);
				}
				if (good)
					return true;
			}
	return false;
}

static bool legal(const struct mont_event *const ev[], unsigned int n, const u8 counter[])
{
	const struct mont_event *on[16] = { NULL };
	unsigned int i;

	for (i = 0; i < n; i++) {
		if (counter[i] < 4 || counter[i] > 15 || on[counter[i]])
			return false;
		on[counter[i]] = ev[i];
	}
	for (i = 0; i < n; i++)
		if (!(allowed(ev[i], on) >> counter[i] & 1))
			return false;
	return !excluded(ev, n);
}

static unsigned long placed;

static void compare(const struct mont_event *const ev[], unsigned int n)
{
	u8 counter[12];
	const char *why = NULL;
	int err = mont_place(ev, n, counter, &why);
	bool want = possible(ev, n);

	check(err == (want ? 0 : MONT_ENOSPC), "%u events from %s: %d (%s)", n, ev[0]->name, err,
	      why ? why : "");
	check(err ? why && *why : legal(ev, n, counter), "%u events from %s: %s", n, ev[0]->name,
	      why ? why : "illegal placement");
	placed += !err;
}

static bool cancels(const struct mont_event *e)
{
	return e->code == 0xe0 || e->code == 0xe2;
}

/* Rows that differ in no rule need not all be tried. */
static unsigned int classes(const struct mont_event *out[])
{
	const struct mont_event *e;
	unsigned int i, j, n = 0;

	for (i = 0; (e = mont_event_at(i)); i++) {
		for (j = 0; j < n; j++)
			if (out[j]->counters == e->counters && out[j]->set == e->set &&
			    (!l2d(e) || out[j]->umask == e->umask) && out[j]->ear == e->ear &&
			    out[j]->ear_umask == e->ear_umask &&
			    (out[j]->code == e->code || (!e->ear && !cancels(e))))
				break;
		if (j == n)
			out[n++] = e;
	}
	return n;
}

static const struct mont_event *by_name(const char *name)
{
	return mont_event_resolve(name, strlen(name), NULL);
}

static void known(void)
{
	const struct mont_event *ev[12];
	u8 counter[12];
	const char *why = "";

	ev[0] = by_name("LOADS_RETIRED");
	ev[1] = by_name("STORES_RETIRED");
	check(mont_place(ev, 2, counter, &why) == MONT_ENOSPC, "loads and stores");
	check(strstr(why, "L1D"), "%s", why);
	ev[1] = by_name("UC_LOADS_RETIRED");
	check(!mont_place(ev, 2, counter, &why), "one L1D set");
	check(counter[0] == 5 || counter[1] == 5, "PMC5 leads it");
	ev[0] = by_name("CYCLES_HALTED");
	check(!mont_place(ev, 1, counter, &why) && counter[0] == 10, "CYCLES_HALTED");
	check(!mont_place(ev, 0, counter, &why), "nothing");
	for (unsigned int i = 0; i < 12; i++)
		ev[i] = by_name("NOPS_RETIRED");
	check(!mont_place(ev, 12, counter, &why), "twelve");
	group("known sets");
}

int main(void)
{
	static const struct mont_event *class[MONT_NR_EVENTS];
	const struct mont_event *ev[12];
	unsigned int n = classes(class), i, j, k;

	for (i = 0; i < n; i++)
		for (j = i; j < n; j++) {
			ev[0] = class[i];
			ev[1] = class[j];
			compare(ev, 2);
		}
	check(placed > 100, "%lu placed", placed);
	group("every pair of kinds of events");

	placed = 0;
	for (i = 0; i < 100000; i++) {
		unsigned int base = rnd_below(n);

		k = 1 + rnd_below(12);
		for (j = 0; j < k; j++) {
			/* Close together in the table, so that sets meet. */
			if (rnd_below(3))
				ev[j] = class[(base + rnd_below(6)) % n];
			else
				ev[j] = mont_event_at(rnd_below(MONT_NR_EVENTS));
		}
		compare(ev, k);
	}
	check(placed > 1000 && placed < 49000, "%lu placed", placed);
	group("random sets of up to 12");
	known();
	return tap_end();
}
