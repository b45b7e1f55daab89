// SPDX-License-Identifier: GPL-2.0-only
/*
 * frcpa, frsqrta and their parallel forms: every table entry from its defining
 * formula in exact integers, the accuracy the SDM promises, special operands,
 * and the limits outside which the predicate is cleared (volume 3).
 */
#include <math.h>
#include "fp_test.h"
#include "isa/fpparallel.h"
#include "isa/fprecip.h"

#define CTL make_ctl(0, 0, 3, 0, 0)

/* Nearest integer to 2^11 / x - 2^10, x the middle of part @i of [1, 2). */
static u64 recip_entry(u64 i)
{
	u64 den = 513 + 2 * i; /* x = den / 512 */

	return ((2ULL << 20) + den) / (2 * den) - 1024;
}

/* Nearest integer to 2^11 / sqrt(x) - 2^10, by search. */
static u64 rsqrt_entry(u64 i)
{
	u64 num = 257 + 2 * (i & 127); /* x = num / 256, twice that when @i < 128 */
	u64 n;

	if (i < 128)
		num *= 2;
	/* n - 1/2 <= 2^11 / sqrt(x) < n + 1/2 */
	for (n = 1024; (2 * n + 1) * (2 * n + 1) * num <= 1ULL << 32; n++)
		;
	return n - 1024;
}

static int fr_exponent(struct mont_fr a)
{
	return (int)(a.se & MONT_FR_EXP) - MONT_FR_BIAS;
}

static double fr_significand(struct mont_fr a)
{
	return ldexp((double)a.sig, -63);
}

/* a * r; each of them may be out of a double's range. */
static double product(struct mont_fr a, struct mont_fr r)
{
	return ldexp(fr_significand(a) * fr_significand(r), fr_exponent(a) + fr_exponent(r));
}

/* sqrt(a) * r */
static double root_product(struct mont_fr a, struct mont_fr r)
{
	int odd = fr_exponent(a) & 1;

	return ldexp(sqrt(ldexp(fr_significand(a), odd)) * fr_significand(r),
		     (fr_exponent(a) - odd) / 2 + fr_exponent(r));
}

static void entries(void)
{
	static const struct mont_fr one = { MONT_FR_INTBIT, 0xffff };
	u64 i, k;

	for (i = 0; i < 256; i++) {
		for (k = 0; k < 64; k++) {
			struct mont_fr a, r;
			bool p = false;
			u32 st;

			a.sig = MONT_FR_INTBIT | i << 55 | (k ? rnd() >> 9 : 0);
			a.se = (0xffff + rnd_below(8000) - 4000) | (rnd() & MONT_FR_SIGN);
			st = mont_fp_rcpa(&r, &p, &one, &a, CTL);
			check(p && !st && r.sig == (MONT_FR_INTBIT | recip_entry(i) << 53) &&
				      r.se == ((a.se & MONT_FR_SIGN) |
					       (0x1fffd - (a.se & MONT_FR_EXP))),
			      "frcpa " SHOW ": " SHOW " st %x", FR(a), FR(r), st);
			check(fabs(1 - product(a, r)) < exp2(-8.886),
			      "frcpa accuracy " SHOW ": " SHOW, FR(a), FR(r));

			a.sig = MONT_FR_INTBIT | (i & 127) << 56 | (k ? rnd() >> 8 : 0);
			a.se = (0xffff + rnd_below(8000) - 4000) & ~1ULL;
			a.se |= i >> 7;
			st = mont_fp_rsqrta(&r, &p, &a, CTL);
			check(p && !st && r.sig == (MONT_FR_INTBIT | rsqrt_entry(i) << 53),
			      "frsqrta " SHOW ": " SHOW " st %x", FR(a), FR(r), st);
			check(fabs(1 - root_product(a, r)) < exp2(-8.831),
			      "frsqrta accuracy " SHOW ": " SHOW, FR(a), FR(r));
		}
	}
	group("every entry of both tables, and their accuracy");
}

static const struct mont_fr zero = { 0, 0 };
static const struct mont_fr nzero = { 0, 0x20000 };
static const struct mont_fr one = { MONT_FR_INTBIT, 0xffff };
static const struct mont_fr mone = { MONT_FR_INTBIT, 0x2ffff };
static const struct mont_fr inf = { MONT_FR_INTBIT, 0x1ffff };
static const struct mont_fr ninf = { MONT_FR_INTBIT, 0x3ffff };
static const struct mont_fr ind = { 0xc000000000000000ULL, 0x3ffff };
static const struct mont_fr q1 = { 0xc000000000000123ULL, 0x1ffff };
static const struct mont_fr q2 = { 0xc000000000000456ULL, 0x3ffff };
static const struct mont_fr s1 = { 0x8000000000000789ULL, 0x1ffff };
static const struct mont_fr s1q = { 0xc000000000000789ULL, 0x1ffff };
static const struct mont_fr bad = { 1, 0x1ffff };
static const struct mont_fr half_unorm = { 0x4000000000000000ULL, 0xffff };
static const struct mont_fr two = { 0xff80000000000000ULL, 0xffff }; /* 1/0.5 by table */

static void specials(void)
{
	static const struct {
		const struct mont_fr *a, *b, *r;
		u32 flags;
		bool p;
	} rcpa[] = {
		{ &one, &zero, &inf, MONT_FP_Z, false },
		{ &one, &nzero, &ninf, MONT_FP_Z, false },
		{ &mone, &zero, &ninf, MONT_FP_Z, false },
		{ &zero, &zero, &ind, MONT_FP_V, false },
		{ &inf, &inf, &ind, MONT_FP_V, false },
		{ &inf, &zero, &inf, 0, false },
		{ &inf, &mone, &ninf, 0, false },
		{ &one, &ninf, &nzero, 0, false },
		{ &zero, &mone, &nzero, 0, false },
		{ &q1, &q2, &q1, 0, false },
		{ &one, &q2, &q2, 0, false },
		{ &s1, &one, &s1q, MONT_FP_V, false },
		{ &one, &bad, &ind, MONT_FP_V, false },
		{ &half_unorm, &zero, &inf, MONT_FP_Z | MONT_FP_D, false },
		{ &one, &half_unorm, &two, MONT_FP_D, true },
	};
	static const struct {
		const struct mont_fr *a, *r;
		u32 flags;
	} rsqrta[] = {
		{ &zero, &zero, 0 },	    { &nzero, &nzero, 0 },	{ &inf, &inf, 0 },
		{ &ninf, &ind, MONT_FP_V }, { &mone, &ind, MONT_FP_V }, { &q2, &q2, 0 },
		{ &s1, &s1q, MONT_FP_V },   { &bad, &ind, MONT_FP_V },
	};
	u32 enabled = MONT_FP_V | MONT_FP_D | MONT_FP_Z;
	struct mont_fr r;
	unsigned int i;
	bool p;
	u32 st;

	for (i = 0; i < MONT_ARRAY_SIZE(rcpa); i++) {
		p = !rcpa[i].p;
		st = mont_fp_rcpa(&r, &p, rcpa[i].a, rcpa[i].b, CTL);
		check(fr_equal(r, *rcpa[i].r) && st == rcpa[i].flags && p == rcpa[i].p,
		      "frcpa row %u: " SHOW " st %x p %u", i, FR(r), st, p);
		st = mont_fp_rcpa(&r, &p, rcpa[i].a, rcpa[i].b, CTL | enabled << 8);
		check(st == (rcpa[i].flags ? MONT_FP_FAULT | rcpa[i].flags << 8 : 0),
		      "frcpa row %u fault: %x", i, st);
	}
	for (i = 0; i < MONT_ARRAY_SIZE(rsqrta); i++) {
		p = true;
		st = mont_fp_rsqrta(&r, &p, rsqrta[i].a, CTL);
		check(fr_equal(r, *rsqrta[i].r) && st == rsqrta[i].flags && !p,
		      "frsqrta row %u: " SHOW " st %x p %u", i, FR(r), st, p);
	}
	group("special operands");
}

/* The predicate where the quotient's refinement could leave the range. */
static void exponent_limits(void)
{
	s64 ea, eb;

	for (ea = -65534; ea <= 65535; ea += 1 + (s64)rnd_below(700)) {
		for (eb = -65534; eb <= 65535; eb += 1 + (s64)rnd_below(700)) {
			struct mont_fr a = { MONT_FR_INTBIT, (u64)(ea + MONT_FR_BIAS) };
			struct mont_fr b = { MONT_FR_INTBIT, (u64)(eb + MONT_FR_BIAS) };
			bool inside = eb > -65536 && eb < 65533 && ea - eb < 65535 &&
				      ea - eb > -65533 && ea > -65534 + 63;
			struct mont_fr r;
			bool p = !inside;

			mont_fp_rcpa(&r, &p, &a, &b, CTL | MONT_SF_WRE);
			check(p == inside, "frcpa limits %lld %lld: %u", (long long)ea,
			      (long long)eb, p);
		}
	}
	for (ea = -65534; ea < -65400; ea++) {
		struct mont_fr a = { MONT_FR_INTBIT, (u64)(ea + MONT_FR_BIAS) }, r;
		bool p;

		mont_fp_rsqrta(&r, &p, &a, CTL | MONT_SF_WRE);
		check(p == (ea > -65471), "frsqrta limits %lld: %u", (long long)ea, p);
	}
	group("exponent limits of the predicate");
}

/* Lanes: the table in single format, and the narrower limits. */
static void parallel(void)
{
	unsigned int i;

	for (i = 0; i < 200000; i++) {
		u32 ea = 1 + (u32)rnd_below(254), eb = 1 + (u32)rnd_below(254);
		u32 a = ea << 23 | (u32)(rnd() >> 41), b = eb << 23 | (u32)(rnd() >> 41);
		s64 d = (s64)ea - (s64)eb;
		bool inside = eb > 1 && eb < 252 && ea > 24 && d < 127 && d > -125;
		u64 r, pair = (u64)b << 32 | 0x3f800000;
		u32 want;
		bool p;

		mont_fp_prcpa(&r, &p, (u64)a << 32 | 0x3f800000, pair, CTL);
		if (eb < 252) {
			want = (253 - eb) << 23 | (u32)recip_entry(b >> 15 & 0xff) << 13;
			check(r >> 32 == want, "fprcpa %08x: %08x", b, (u32)(r >> 32));
		}
		if (eb > 1)
			check(p == inside, "fprcpa %08x %08x: p %u", a, b, p);
		check((u32)r == (126 << 23 | 0x3fcU << 13), "fprcpa of 1: %08x", (u32)r);

		mont_fp_prsqrta(&r, &p, pair << 32 | b, CTL);
		want = (126 - (((s32)eb - 127) >> 1)) << 23 |
		       (u32)rsqrt_entry((eb & 1) << 7 | (b >> 16 & 0x7f)) << 13;
		check((u32)r == want && p == (eb > 24), "fprsqrta %08x: %08x %u", b, (u32)r, p);
	}
	group("fprcpa and fprsqrta");
}

int main(void)
{
	entries();
	specials();
	exponent_limits();
	parallel();
	return tap_end();
}
