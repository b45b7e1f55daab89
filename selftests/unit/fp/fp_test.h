/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tools of the floating-point unit tests: TAP lines, operands, and a host
 * oracle that has nothing in common with the model.
 *
 * A check counts its failures and prints the first few; the TAP line of a
 * group says how many cases it had.
 */
#ifndef FP_TEST_H
#define FP_TEST_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "arch/thread.h"
#include "isa/fpformat.h"

static int tap_number;
static int tap_failed;
static unsigned long group_cases;
static unsigned long group_failures;

/* One case of the current group; prints what @fmt says when it fails. */
static inline __attribute__((__format__(__printf__, 2, 3))) void check(bool good, const char *fmt,
								       ...)
{
	va_list ap;

	group_cases++;
	if (good)
		return;
	if (group_failures++ >= 8)
		return;
	va_start(ap, fmt);
	printf("# ");
	vprintf(fmt, ap);
	printf("\n");
	va_end(ap);
}

/* End of a group of checks. A group without cases has failed. */
static inline void group(const char *name)
{
	bool good = group_cases && !group_failures;

	printf("%sok %d - %s (%lu cases, %lu failed)\n", good ? "" : "not ", ++tap_number, name,
	       group_cases, group_failures);
	tap_failed += !good;
	group_cases = 0;
	group_failures = 0;
	fflush(stdout);
}

static inline int tap_end(void)
{
	printf("1..%d\n", tap_number);
	return tap_failed ? 1 : 0;
}

/* xorshift64*: the same cases every time. */
static u64 rnd_state = 0x9e3779b97f4a7c15ULL;

static inline u64 rnd(void)
{
	rnd_state ^= rnd_state >> 12;
	rnd_state ^= rnd_state << 25;
	rnd_state ^= rnd_state >> 27;
	return rnd_state * 0x2545f4914f6cdd1dULL;
}

static inline u64 rnd_below(u64 n)
{
	return (rnd() >> 11) % n;
}

/* Bits with runs of ones and zeros: carries, borrows and ties. */
static inline u64 rnd_pattern(void)
{
	u64 v = rnd();

	switch (rnd_below(6)) {
	case 0:
		return v & rnd() & rnd() & rnd();
	case 1:
		return v | rnd() | rnd() | rnd();
	case 2:
		return 0;
	case 3:
		return ~0ULL << rnd_below(64);
	case 4:
		return 1ULL << rnd_below(64);
	default:
		return v;
	}
}

#define SHOW "%05llx:%016llx"
#define FR(f) (unsigned long long)(f).se, (unsigned long long)(f).sig

static inline bool fr_equal(struct mont_fr a, struct mont_fr b)
{
	return a.sig == b.sig && a.se == b.se;
}

static inline bool fr_is_nan(struct mont_fr a)
{
	return (a.se & MONT_FR_EXP) == MONT_FR_EXP && a.sig >> 63 && a.sig << 1;
}

/* Controls as mont_fp_ctl() packs them; @enabled are exceptions not masked. */
static inline u32 make_ctl(u32 ftz, u32 wre, u32 pc, u32 rc, u32 enabled)
{
	return ftz | wre << 1 | pc << MONT_SF_PC_SHIFT | rc << MONT_SF_RC_SHIFT | enabled << 8;
}

#endif
