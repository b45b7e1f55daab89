// SPDX-License-Identifier: GPL-2.0-only
/*
 * The host's floating-point units as an oracle: SSE and fma() for .s and .d,
 * the x87 for 64-bit significands, with every rounding control, flush to zero
 * and the exact flags; conversions, comparison, division and square root.
 *
 * The host agrees with the Itanium about everything tested here: tininess is
 * decided after rounding, an underflow flag needs inexactness, flush to zero
 * sets underflow and inexact. NaN operands are left to other tests.
 */
#include <math.h>
#include "fp_test.h"
#include "isa/fpparallel.h"
#include "isa/fparith.h"
#include "isa/fpcvt.h"
#include "isa/fpmisc.h"
#include "isa/fprecip.h"

/* MXCSR and the x87 status word have the flags in the same order. */
#define HOST_FLAGS 0x3f

static u32 from_host_flags(u32 f)
{
	/* IE DE ZE OE UE PE is V D Z O U I. */
	return f & HOST_FLAGS;
}

/* Host rounding controls: nearest, down, up, zero, as in FPSR. */
static void sse_set(u32 rc, u32 ftz)
{
	u32 v = 0x1f80 | rc << 13 | ftz << 15;

	__asm__ volatile("ldmxcsr %0" : : "m"(v));
}

static u32 sse_flags(void)
{
	u32 v;

	__asm__ volatile("stmxcsr %0" : "=m"(v));
	return from_host_flags(v);
}

static void sse_reset(void)
{
	sse_set(0, 0);
}

static void x87_set(u32 rc, u32 pc)
{
	u16 v = (u16)(0x3f | pc << 8 | rc << 10);

	__asm__ volatile("fnclex\n\tfldcw %0" : : "m"(v));
}

static u32 x87_status(void)
{
	u16 v;

	__asm__ volatile("fnstsw %0" : "=a"(v));
	return v;
}

static struct mont_fr from_long_double(long double v)
{
	u64 sig;
	u16 se;

	memcpy(&sig, &v, 8);
	memcpy(&se, (char *)&v + 8, 2);
	return mont_fr_from_ext(sig, se);
}

static long double to_long_double(struct mont_fr a)
{
	long double v = 0;
	u64 sig;
	u16 se = mont_fr_to_ext(a, &sig);

	memcpy(&v, &sig, 8);
	memcpy((char *)&v + 8, &se, 2);
	return v;
}

static u64 rnd_double(void)
{
	u64 frac = rnd_pattern() >> 12;
	u64 exp;

	switch (rnd_below(8)) {
	case 0:
		exp = rnd_below(60);
		break;
	case 1:
		exp = 2046 - rnd_below(60);
		break;
	case 2:
		exp = rnd_below(2047);
		break;
	case 3:
		exp = 0;
		break;
	case 4:
		exp = 511 + rnd_below(40);
		break;
	default:
		exp = 1023 + rnd_below(9) - 4;
		break;
	}
	if (!rnd_below(40)) {
		frac = 0;
		exp = rnd_below(2) * 2047;
	}
	return (rnd() & MONT_BIT(63)) | exp << 52 | frac;
}

static u32 rnd_single(void)
{
	u32 frac = (u32)(rnd_pattern() >> 41);
	u32 exp;

	switch (rnd_below(8)) {
	case 0:
		exp = (u32)rnd_below(30);
		break;
	case 1:
		exp = 254 - (u32)rnd_below(30);
		break;
	case 2:
		exp = (u32)rnd_below(255);
		break;
	case 3:
		exp = 0;
		break;
	case 4:
		exp = 63 + (u32)rnd_below(10);
		break;
	default:
		exp = 127 + (u32)rnd_below(9) - 4;
		break;
	}
	if (!rnd_below(40)) {
		frac = 0;
		exp = (u32)rnd_below(2) * 255;
	}
	return (u32)rnd() << 31 | exp << 23 | frac;
}

/* A tiny result is a zero under flush to zero, and counted as one. */
static u32 flushed(u32 ftz, u32 flags)
{
	return ftz && (flags & MONT_FP_U) ? MONT_FP_FLUSHED : 0;
}

static void fma_double(unsigned long cases)
{
	bool denormal_flag = __builtin_cpu_supports("fma");
	unsigned long i;

	for (i = 0; i < cases; i++) {
		u64 va = rnd_double(), vb = rnd_double(), vc = rnd_double(), vr, got;
		u32 rc = (u32)rnd_below(4);
		u32 ftz = denormal_flag && !rnd_below(4);
		struct mont_fr a = mont_fr_from_double(va);
		struct mont_fr b = mont_fr_from_double(vb);
		struct mont_fr c = mont_fr_from_double(vc);
		volatile double x, y, z, w;
		u32 flags, st;
		struct mont_fr r;

		memcpy((void *)&x, &va, 8);
		memcpy((void *)&y, &vb, 8);
		memcpy((void *)&z, &vc, 8);
		sse_set(rc, ftz);
		w = fma(x, y, z);
		flags = sse_flags();
		sse_reset();
		memcpy(&vr, (void *)&w, 8);
		st = mont_fp_fma(&r, &a, &b, &c, 0, make_ctl(ftz, 0, 3, rc, 0), MONT_PC_D);
		if (!denormal_flag)
			flags = (flags & ~MONT_FP_D) | (st & MONT_FP_D);
		flags |= flushed(ftz, flags);
		got = mont_fr_to_double(r);
		check(got == vr && st == flags,
		      "fma %016llx %016llx %016llx rc %u ftz %u: %016llx %x, host %016llx %x",
		      (unsigned long long)va, (unsigned long long)vb, (unsigned long long)vc, rc,
		      ftz, (unsigned long long)got, st, (unsigned long long)vr, flags);
	}
	group(denormal_flag ? "fma.d against the host's fma"
			    : "fma.d against libm's fma, without denormal flag and flush to zero");
}

static void fma_single(unsigned long cases)
{
	bool denormal_flag = __builtin_cpu_supports("fma");
	unsigned long i;

	for (i = 0; i < cases; i++) {
		u32 va = rnd_single(), vb = rnd_single(), vc = rnd_single(), vr, got;
		u32 rc = (u32)rnd_below(4);
		u32 ftz = denormal_flag && !rnd_below(4);
		u32 ctl = make_ctl(ftz, 0, 3, rc, 0);
		struct mont_fr a = mont_fr_from_single(va);
		struct mont_fr b = mont_fr_from_single(vb);
		struct mont_fr c = mont_fr_from_single(vc);
		volatile float x, y, z, w;
		u32 flags, st;
		struct mont_fr r;
		u64 pr;

		memcpy((void *)&x, &va, 4);
		memcpy((void *)&y, &vb, 4);
		memcpy((void *)&z, &vc, 4);
		sse_set(rc, ftz);
		w = fmaf(x, y, z);
		flags = sse_flags();
		sse_reset();
		memcpy(&vr, (void *)&w, 4);
		st = mont_fp_fma(&r, &a, &b, &c, 0, ctl, MONT_PC_S);
		if (!denormal_flag)
			flags = (flags & ~MONT_FP_D) | (st & MONT_FP_D);
		flags |= flushed(ftz, flags);
		got = mont_fr_to_single(r);
		check(got == vr && st == flags,
		      "fmaf %08x %08x %08x rc %u ftz %u: %08x %x, host %08x %x", va, vb, vc, rc,
		      ftz, got, st, vr, flags);
		/* The operands in the left lane; the right one computes 0. */
		st = mont_fp_pfma(&pr, (u64)va << 32, (u64)vb << 32, (u64)vc << 32, 0,
				  ctl | MONT_SF_WRE);
		check(pr == (u64)vr << 32 && st == flags, "fpma left %08x %08x %08x: %016llx %x",
		      va, vb, vc, (unsigned long long)pr, st);
		st = mont_fp_pfma(&pr, va, vb, vc, 0, ctl);
		if (flags & MONT_FP_FLUSHED)
			flags ^= MONT_FP_FLUSHED | MONT_FP_FLUSHED_LOW;
		check(pr == vr && st == flags, "fpma right %08x %08x %08x: %016llx %x", va, vb, vc,
		      (unsigned long long)pr, st);
	}
	group("fma.s and fpma against the host's fmaf");
}

/* Double-extended operands, denormals and pseudo-denormals included. */
static struct mont_fr rnd_ext(void)
{
	u64 sig = rnd_pattern() | MONT_FR_INTBIT;
	u32 exp;

	switch (rnd_below(8)) {
	case 0:
		exp = (u32)rnd_below(70);
		break;
	case 1:
		exp = 0x7ffe - (u32)rnd_below(70);
		break;
	case 2:
		exp = (u32)rnd_below(0x7fff);
		break;
	case 3:
		exp = 0x1fff + (u32)rnd_below(80);
		break;
	case 4:
		exp = 0;
		break;
	default:
		exp = 0x3fff + (u32)rnd_below(9) - 4;
		break;
	}
	if (!exp && rnd_below(8))
		sig = rnd_pattern() >> rnd_below(64) >> 1;
	if (!rnd_below(40)) {
		sig = MONT_FR_INTBIT;
		exp = 0x7fff;
	}
	return mont_fr_from_ext(sig, (u16)(exp | (rnd() & 0x8000)));
}

/* FPSR's pc is the x87's. */
static const u32 pcs[] = { 0, 2, 3 };

/*
 * After an inexact result C1 says whether the significand
 * was rounded up, which is what ISR.fpa says.
 */
static void arithmetic(unsigned long cases)
{
	static const struct mont_fr one = { MONT_FR_INTBIT, 0xffff };
	static const struct mont_fr zero = { 0, 0 };
	unsigned long i;

	for (i = 0; i < cases; i++) {
		struct mont_fr a = rnd_ext(), b = rnd_ext(), r, want;
		u32 rc = (u32)rnd_below(4), pc = pcs[rnd_below(3)];
		u32 ctl = make_ctl(0, 0, pc, rc, 0);
		long double x = to_long_double(a), y = to_long_double(b), w;
		u32 op = (u32)rnd_below(3);
		u16 sw;
		u32 st;

		if (op && !rnd_below(3)) {
			/* Cancellation */
			b = a;
			b.sig ^= rnd_below(4);
			y = to_long_double(b);
		}
		x87_set(rc, pc);
		switch (op) {
		case 0:
			__asm__ volatile("fmul %%st(1), %%st\n\tfnstsw %1"
					 : "=t"(w), "=a"(sw)
					 : "0"(x), "u"(y));
			break;
		case 1:
			__asm__ volatile("fadd %%st(1), %%st\n\tfnstsw %1"
					 : "=t"(w), "=a"(sw)
					 : "0"(x), "u"(y));
			break;
		default:
			__asm__ volatile("fsub %%st(1), %%st\n\tfnstsw %1"
					 : "=t"(w), "=a"(sw)
					 : "0"(x), "u"(y));
			break;
		}
		x87_set(0, 3);
		want = from_long_double(w);
		if (op == 0)
			st = mont_fp_fma(&r, &a, &b, &zero, MONT_FMA_NO_ADD, ctl, MONT_PC_NONE);
		else if (op == 1)
			st = mont_fp_fma(&r, &a, &one, &b, 0, ctl, MONT_PC_NONE);
		else
			st = mont_fp_fma(&r, &a, &one, &b, MONT_FMA_NEG_ADD, ctl, MONT_PC_NONE);
		check(fr_equal(r, want) && st == from_host_flags(sw),
		      "op %u " SHOW " " SHOW " rc %u pc %u: " SHOW " %x, host " SHOW " %x", op,
		      FR(a), FR(b), rc, pc, FR(r), st, FR(want), sw & HOST_FLAGS);

		if ((st & (MONT_FP_I | MONT_FP_O | MONT_FP_U)) == MONT_FP_I) {
			struct mont_fr t;
			u32 m = op == 0 ? MONT_FMA_NO_ADD : op == 1 ? 0 : MONT_FMA_NEG_ADD;

			st = mont_fp_fma(&t, &a, op ? &one : &b, op ? &b : &zero, m,
					 ctl | MONT_FP_I << 8, MONT_PC_NONE);
			check(fr_equal(t, r) && (st & MONT_FP_TRAP) &&
				      !!(st >> MONT_FP_ISR_SHIFT & 0x4000) == !!(sw & 0x200),
			      "op %u " SHOW " " SHOW " fpa: %x, host C1 %u", op, FR(a), FR(b), st,
			      sw >> 9 & 1);
		}
	}
	group("fadd, fsub, fmpy with pc 24, 53, 64 against the x87");
}

/* The software assistance cases of frcpa and frsqrta deliver x87 results. */
static void division(unsigned long cases)
{
	unsigned long i;

	for (i = 0; i < cases; i++) {
		u32 rc = (u32)rnd_below(4), pc = pcs[rnd_below(3)];
		u32 ctl = make_ctl(0, 0, pc, rc, 0) | MONT_SF_WRE;
		u64 sa = rnd_pattern() | MONT_FR_INTBIT, sb = rnd_pattern() | MONT_FR_INTBIT;
		struct mont_fr x = { sa, 0xffff }, y = { sb, 0xffff }, r, want;
		u64 ea = 1 + rnd_below(60), sign = rnd() & MONT_FR_SIGN;
		struct mont_fr a = { sa, ea | sign }, b = { sb, ea + rnd_below(9) };
		long double w;
		bool p = true;
		u32 st, sw;

		x87_set(rc, pc);
		w = to_long_double(x);
		if (sign)
			w = -w;
		__asm__ volatile("fdiv %%st(1), %%st" : "+t"(w) : "u"(to_long_double(y)));
		sw = x87_status();
		x87_set(0, 3);
		want = from_long_double(w);
		want.se -= b.se - ea;
		st = mont_fp_rcpa(&r, &p, &a, &b, ctl);
		check(!p && fr_equal(r, want) && st == from_host_flags(sw),
		      "frcpa " SHOW " " SHOW " rc %u pc %u: " SHOW " %x p %u, host " SHOW " %x",
		      FR(a), FR(b), rc, pc, FR(r), st, p, FR(want), sw & HOST_FLAGS);

		/* Square roots: the same parity of the exponent. */
		a.se = ea;
		x.se = 0xffff + (ea & 1 ? 0 : 1);
		x87_set(rc, pc);
		w = to_long_double(x);
		__asm__ volatile("fsqrt" : "+t"(w));
		sw = x87_status();
		x87_set(0, 3);
		want = from_long_double(w);
		want.se -= (x.se - ea) / 2;
		p = true;
		st = mont_fp_rsqrta(&r, &p, &a, ctl);
		check(!p && fr_equal(r, want) && st == from_host_flags(sw),
		      "frsqrta " SHOW " rc %u pc %u: " SHOW " %x p %u, host " SHOW " %x", FR(a), rc,
		      pc, FR(r), st, p, FR(want), sw & HOST_FLAGS);
	}
	group("quotients and roots outside the approximations' limits against the x87");
}

static void integers(unsigned long cases)
{
	unsigned long i;

	for (i = 0; i < cases; i++) {
		struct mont_fr a = rnd_ext(), f;
		u32 rc = (u32)rnd_below(4);
		bool trunc = rnd_below(2);
		s64 want, v;
		u64 got;
		u32 st, sw;

		if (rnd_below(2))
			a.se = (a.se & MONT_FR_SIGN) | (0xffff - 3 + rnd_below(70));
		if (!(a.sig >> 63) && (a.se & MONT_FR_EXP))
			continue;
		x87_set(trunc ? MONT_RC_ZERO : rc, 3);
		__asm__ volatile("fistpll %0" : "=m"(want) : "t"(to_long_double(a)) : "st");
		sw = x87_status();
		x87_set(0, 3);
		st = mont_fp_to_int(&got, &a, false, trunc, 64, make_ctl(0, 0, 3, rc, 0));
		/* The x87 says nothing of denormals here: fld of the format did. */
		check(got == (u64)want && (st & ~MONT_FP_D) == (from_host_flags(sw) & ~MONT_FP_D),
		      "fcvt.fx " SHOW " rc %u trunc %u: %016llx %x, host %016llx %x", FR(a), rc,
		      trunc, (unsigned long long)got, st, (unsigned long long)want,
		      sw & HOST_FLAGS);
		check(!!(st & MONT_FP_D) == (!(a.se & MONT_FR_EXP) && a.sig),
		      "fcvt.fx " SHOW " denormal flag %x", FR(a), st);

		/* Unsigned where the signed one is in range, and its own upper half. */
		st = mont_fp_to_int(&got, &a, true, trunc, 64, make_ctl(0, 0, 3, rc, 0));
		if (!(sw & 1) && want >= 0)
			check(got == (u64)want, "fcvt.fxu " SHOW, FR(a));
		else if (a.se == MONT_FR_INT_SE)
			check(got == a.sig && !st, "fcvt.fxu " SHOW, FR(a));
		else if (a.se == MONT_FR_INT_SE - 1) /* rounded to 2^63 */
			check(got == MONT_BIT(63) && st == MONT_FP_I, "fcvt.fxu " SHOW, FR(a));
		else
			check(got == MONT_BIT(63) && st == MONT_FP_V, "fcvt.fxu " SHOW " %x", FR(a),
			      st);

		v = (s64)rnd_pattern();
		f = mont_fp_from_signed((u64)v);
		check(fr_equal(f, from_long_double((long double)v)), "fcvt.xf %lld: " SHOW,
		      (long long)v, FR(f));
	}
	group("fcvt.fx, fcvt.fxu, fcvt.xf against the x87");
}

static void comparisons(unsigned long cases)
{
	unsigned long i;

	for (i = 0; i < cases; i++) {
		struct mont_fr a = rnd_ext(), b = rnd_ext();
		long double x, y;
		enum mont_fp_rel rel, want;
		u32 ctl = make_ctl(0, 0, 3, 0, 0);
		struct mont_fr r;
		u32 st, flags;

		if (!rnd_below(3)) {
			b = a;
			if (rnd_below(2))
				b.se ^= MONT_FR_SIGN;
			if (rnd_below(2))
				b.sig ^= rnd_below(3);
			if ((b.se & MONT_FR_EXP) == MONT_FR_EXP)
				b.sig = MONT_FR_INTBIT;
		}
		x = to_long_double(a);
		y = to_long_double(b);
		want = x < y ? MONT_FP_LT : x > y ? MONT_FP_GT : MONT_FP_EQ;
		flags = (!(a.se & MONT_FR_EXP) && a.sig) || (!(b.se & MONT_FR_EXP) && b.sig)
				? MONT_FP_D
				: 0;
		st = mont_fp_compare(&a, &b, rnd_below(2), ctl, &rel);
		check(rel == want && st == flags, "fcmp " SHOW " " SHOW ": %u %x", FR(a), FR(b),
		      rel, st);
		st = mont_fp_minmax(&r, &a, &b, MONT_FP_MIN, ctl);
		check(fr_equal(r, x < y ? a : b) && st == flags, "fmin " SHOW " " SHOW, FR(a),
		      FR(b));
		mont_fp_minmax(&r, &a, &b, MONT_FP_MAX, ctl);
		check(fr_equal(r, x > y ? a : b), "fmax " SHOW " " SHOW, FR(a), FR(b));
		mont_fp_minmax(&r, &a, &b, MONT_FP_AMIN, ctl);
		check(fr_equal(r, fabsl(x) < fabsl(y) ? a : b), "famin " SHOW " " SHOW, FR(a),
		      FR(b));
		mont_fp_minmax(&r, &a, &b, MONT_FP_AMAX, ctl);
		check(fr_equal(r, fabsl(x) > fabsl(y) ? a : b), "famax " SHOW " " SHOW, FR(a),
		      FR(b));
	}
	group("fcmp, fmin, fmax, famin, famax against the x87");
}

/* Memory formats: what the x87 loads has the same value, and comes back. */
static void memory_formats(unsigned long cases)
{
	unsigned long i;

	for (i = 0; i < cases; i++) {
		u64 d = rnd_double();
		u32 s = rnd_single();
		struct mont_fr a = mont_fr_from_double(d);
		struct mont_fr b = mont_fr_from_single(s);
		double dv;
		float sv;

		memcpy(&dv, &d, 8);
		memcpy(&sv, &s, 4);
		check(mont_fr_to_double(a) == d, "double %016llx: " SHOW, (unsigned long long)d,
		      FR(a));
		check(mont_fr_to_single(b) == s, "single %08x: " SHOW, s, FR(b));
		if (a.sig >> 63 || !a.sig)
			check(fr_equal(a, from_long_double(dv)), "double %016llx: " SHOW,
			      (unsigned long long)d, FR(a));
		else
			check((a.se & MONT_FR_EXP) == 0xfc01 && a.sig == d << 12 >> 1,
			      "denormal double %016llx: " SHOW, (unsigned long long)d, FR(a));
		if (b.sig >> 63 || !b.sig)
			check(fr_equal(b, from_long_double(sv)), "single %08x: " SHOW, s, FR(b));
		else
			check((b.se & MONT_FR_EXP) == 0xff81 && b.sig == (u64)(s & 0x7fffff) << 40,
			      "denormal single %08x: " SHOW, s, FR(b));
		a = rnd_ext();
		check(fr_equal(a, from_long_double(to_long_double(a))), "ext " SHOW, FR(a));
	}
	group("ldfs, ldfd, ldfe, stfs, stfd, stfe formats");
}

int main(void)
{
	fma_double(400000);
	fma_single(300000);
	arithmetic(400000);
	division(20000);
	integers(200000);
	comparisons(200000);
	memory_formats(100000);
	return tap_end();
}
