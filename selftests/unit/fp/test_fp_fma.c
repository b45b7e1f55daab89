// SPDX-License-Identifier: GPL-2.0-only
/*
 * Multiply-add against a reference in plain binary arithmetic: the exact
 * product and sum in a number of 704 bits, rounded once by looking at its bits.
 * All computation models, rounding controls, flush to zero, enabled traps,
 * denormal, unnormalised and pseudo-denormal operands, the ends of the 17-bit
 * exponent range (Itanium SDM volume 1, 5.4; volume 3, fma).
 */
#include "fp_test.h"
#include "isa/fparith.h"

#define LIMBS 11

struct big {
	u64 w[LIMBS];
};

static bool big_bit(const struct big *b, int n)
{
	return n >= 0 && n < LIMBS * 64 && (b->w[n / 64] >> (n % 64) & 1);
}

static int big_length(const struct big *b)
{
	int i;

	for (i = LIMBS * 64 - 1; i >= 0; i--)
		if (big_bit(b, i))
			return i + 1;
	return 0;
}

static bool big_any_below(const struct big *b, int n)
{
	int i;

	for (i = 0; i < LIMBS && n > 0; i++, n -= 64)
		if (n >= 64 ? b->w[i] : b->w[i] << (64 - n))
			return true;
	return false;
}

/* @b = @v << @shift for a 128-bit @v. */
static void big_set(struct big *b, fp_u128 v, int shift)
{
	int i;

	memset(b, 0, sizeof(*b));
	for (i = 0; i < 128; i++)
		if (v >> i & 1)
			b->w[(i + shift) / 64] |= 1ULL << ((i + shift) % 64);
}

static void big_add(struct big *a, const struct big *b)
{
	fp_u128 c = 0;
	int i;

	for (i = 0; i < LIMBS; i++) {
		c += (fp_u128)a->w[i] + b->w[i];
		a->w[i] = (u64)c;
		c >>= 64;
	}
}

static int big_compare(const struct big *a, const struct big *b)
{
	int i;

	for (i = LIMBS - 1; i >= 0; i--)
		if (a->w[i] != b->w[i])
			return a->w[i] > b->w[i] ? 1 : -1;
	return 0;
}

static void big_sub(struct big *a, const struct big *b)
{
	fp_u128 borrow = 0;
	int i;

	for (i = 0; i < LIMBS; i++) {
		fp_u128 d = (fp_u128)a->w[i] - b->w[i] - borrow;

		a->w[i] = (u64)d;
		borrow = d >> 64 ? 1 : 0;
	}
}

static int length128(fp_u128 v)
{
	int n = 0;

	for (; v; v >>= 1)
		n++;
	return n;
}

/* A computation model, stated as table 5-6 states it. */
struct model {
	int precision;
	int exp_bits;
};

static struct model model_of(u32 pc_insn, u32 wre, u32 pc)
{
	static const int precision[4] = { 24, 0, 53, 64 };
	struct model m;

	m.precision = pc_insn == MONT_PC_S ? 24 : pc_insn == MONT_PC_D ? 53 : precision[pc];
	m.exp_bits = wre ? 17 : pc_insn == MONT_PC_S ? 8 : pc_insn == MONT_PC_D ? 11 : 15;
	return m;
}

struct expected {
	struct mont_fr r;
	u32 flags;
	bool trap;
	u32 code;
};

/*
 * Cut @m * 2^@q after the bit of weight 2^@lsb. *@carry counts units of that
 * weight; returns whether anything was cut off, *@up whether it was rounded up.
 */
static bool cut(const struct big *m, int q, int lsb, bool negative, u32 rc, u64 *units, bool *carry,
		bool *up)
{
	int drop = lsb - q;
	int length = big_length(m);
	bool half = big_bit(m, drop - 1);
	bool below = big_any_below(m, drop - 1);
	u64 v = 0;
	int i;

	if (drop <= 0) {
		half = false;
		below = false;
	} else if (drop > LIMBS * 64) {
		half = false;
		below = true;
	}
	for (i = length - 1; i >= drop && i >= 0; i--)
		v = v << 1 | big_bit(m, i);
	if (drop < 0)
		v <<= -drop;
	if (rc == MONT_RC_NEAREST)
		*up = half && (below || (v & 1));
	else
		*up = (half || below) && rc == (negative ? MONT_RC_DOWN : MONT_RC_UP);
	*units = v + *up;
	*carry = *up && !*units;
	return half || below;
}

static struct expected reference_round(const struct big *m, int q, bool negative, struct model md,
				       u32 rc, u32 ftz, u32 enabled)
{
	/* Unbiased exponents of normal numbers; the 17-bit format has emin 1 - bias. */
	int emax = (1 << (md.exp_bits - 1)) - 1;
	int emin = 1 - emax;
	u64 sign = negative ? MONT_FR_SIGN : 0;
	struct expected x = { { 0, 0 }, 0, false, 0 };
	int p = md.precision;
	int e = q + big_length(m) - 1;
	bool inexact, carry, up;
	u64 units;

	inexact = cut(m, q, e - p + 1, negative, rc, &units, &carry, &up);
	if (carry || (p < 64 && units >> p)) {
		units = 1ULL << (p - 1);
		e++;
	}
	if (e > emax && !(enabled & MONT_FP_O)) {
		bool away = rc == MONT_RC_NEAREST || rc == (negative ? MONT_RC_DOWN : MONT_RC_UP);

		x.flags = MONT_FP_O | MONT_FP_I;
		x.r.sig = away ? MONT_FR_INTBIT : ~0ULL << (64 - p);
		x.r.se = sign | (away ? MONT_FR_EXP : (u64)(emax + MONT_FR_BIAS));
		up = away;
	} else if (e < emin && !(enabled & MONT_FP_U) && ftz) {
		x.flags = MONT_FP_U | MONT_FP_I;
		x.r.se = sign;
		up = false;
	} else if (e < emin && !(enabled & MONT_FP_U)) {
		inexact = cut(m, q, emin - p + 1, negative, rc, &units, &carry, &up);
		x.flags = inexact ? MONT_FP_U | MONT_FP_I : 0;
		x.r.sig = units << (64 - p);
		x.r.se = sign | (u64)(emin + MONT_FR_BIAS);
		if (!units || (md.exp_bits == 15 && !(x.r.sig >> 63)))
			x.r.se = sign;
	} else {
		x.flags = (e > emax   ? MONT_FP_O
			   : e < emin ? MONT_FP_U
				      : 0) |
			  (inexact ? MONT_FP_I : 0);
		x.r.sig = units << (64 - p);
		x.r.se = sign | ((u64)(e + MONT_FR_BIAS) & MONT_FR_EXP);
	}
	x.trap = x.flags & enabled;
	if (x.trap)
		x.code = 1 | (x.flags & enabled & (MONT_FP_O | MONT_FP_U)) << 8 |
			 (x.flags & MONT_FP_I) << 8 | (u32)up << 14;
	return x;
}

/* Exponent of an operand's lowest significand bit. */
static int low_exponent(struct mont_fr a)
{
	int e = (int)(a.se & MONT_FR_EXP);

	return (e ? e : MONT_FR_EXT_EMIN) - MONT_FR_BIAS - 63;
}

static bool unnormal(struct mont_fr a)
{
	return (a.sig || (a.se & MONT_FR_EXP)) && (!(a.sig >> 63) || !(a.se & MONT_FR_EXP));
}

/* Operands are finite. */
static struct expected reference_fma(struct mont_fr a, struct mont_fr b, struct mont_fr c, u32 mode,
				     struct model md, u32 rc, u32 ftz, u32 enabled)
{
	bool np = ((a.se ^ b.se) >> 17 & 1) ^ !!(mode & MONT_FMA_NEG_MUL);
	bool nc = (c.se >> 17 & 1) ^ !!(mode & MONT_FMA_NEG_ADD);
	fp_u128 p = (fp_u128)a.sig * b.sig;
	fp_u128 s = mode & MONT_FMA_NO_ADD ? 0 : c.sig;
	int qp = low_exponent(a) + low_exponent(b);
	int qc = low_exponent(c);
	struct expected x = { { 0, 0 }, 0, false, 0 };
	struct big m, n;
	int q, gap;

	if (!p && !s) {
		bool negative = np;

		if (!(mode & MONT_FMA_NO_ADD) && np != nc)
			negative = rc == MONT_RC_DOWN;
		x.r.se = negative ? MONT_FR_SIGN : 0;
	} else {
		/* Something far away is as good as any small number. */
		gap = (qp + length128(p)) - (qc + length128(s));
		if (p && s && gap > 300) {
			qc = qp + length128(p) - 290;
			s = 1;
		} else if (p && s && gap < -300) {
			qp = qc + length128(s) - 290;
			p = 1;
		}
		if (!p)
			qp = qc;
		if (!s)
			qc = qp;
		q = qp < qc ? qp : qc;
		big_set(&m, p, qp - q);
		big_set(&n, s, qc - q);
		if (np == nc) {
			big_add(&m, &n);
		} else if (big_compare(&m, &n) >= 0) {
			big_sub(&m, &n);
		} else {
			big_sub(&n, &m);
			m = n;
			np = nc;
		}
		if (!big_length(&m))
			x.r.se = rc == MONT_RC_DOWN ? MONT_FR_SIGN : 0;
		else
			x = reference_round(&m, q, np, md, rc, ftz, enabled);
	}
	if (unnormal(a) || unnormal(b) || unnormal(c))
		x.flags |= MONT_FP_D;
	return x;
}

/* A finite operand near the exponents that @md makes interesting. */
static struct mont_fr operand(struct model md, bool odd_ones)
{
	static const int widths[] = { 8, 11, 15, 17 };
	struct mont_fr a;
	int emax = (1 << (md.exp_bits - 1)) - 1;
	s64 e;

	a.sig = rnd_pattern() | MONT_FR_INTBIT;
	if (rnd_below(3))
		a.sig = a.sig >> (64 - md.precision) << (64 - md.precision);
	switch (rnd_below(8)) {
	case 0:
		e = emax - (s64)rnd_below(70);
		break;
	case 1:
		e = 1 - emax + (s64)rnd_below(140) - 70;
		break;
	case 2:
		e = (emax / 2) + (s64)rnd_below(9) - 4;
		break;
	case 3:
		e = -(emax / 2) + (s64)rnd_below(140) - 70;
		break;
	case 4:
		e = (s64)rnd_below(2ULL << (widths[rnd_below(4)] - 1)) -
		    (1LL << (widths[rnd_below(4)] - 1));
		break;
	default:
		e = (s64)rnd_below(8) - 4;
		break;
	}
	e += MONT_FR_BIAS;
	if (e < 1)
		e = 1;
	if (e > 0x1fffe)
		e = 0x1fffe;
	a.se = (u64)e | (rnd() & MONT_FR_SIGN);
	if (odd_ones && !rnd_below(4)) {
		switch (rnd_below(4)) {
		case 0: /* unnormalised, and not NaTVal */
			a.sig = rnd_pattern() >> rnd_below(64) >> 1 | 1;
			break;
		case 1: /* double-extended denormal */
			a.sig = rnd_pattern() >> rnd_below(64) >> 1 | 1;
			a.se &= MONT_FR_SIGN;
			break;
		case 2: /* pseudo-denormal */
			a.se &= MONT_FR_SIGN;
			break;
		default:
			a.sig = 0;
			a.se &= MONT_FR_SIGN;
			break;
		}
	}
	return a;
}

/* Make the sum cancel, or nearly: the addend close to the product. */
static void make_close(struct mont_fr *a, struct mont_fr *b, struct mont_fr *c)
{
	fp_u128 p = (fp_u128)a->sig * b->sig;
	s64 e = (s64)(a->se & MONT_FR_EXP) + (s64)(b->se & MONT_FR_EXP) - MONT_FR_BIAS;

	c->sig = (u64)(p >> 64);
	if (!rnd_below(16)) {
		/* The only product of which half a unit of 128 bits decides a tie. */
		a->sig = ~0ULL;
		b->sig = ~0ULL;
		c->sig = MONT_FR_INTBIT;
		e += 2;
		if (e >= 1 && e <= 0x1fffe)
			c->se = (c->se & MONT_FR_SIGN) | (u64)e;
		return;
	}
	if (p >> 127) {
		e++;
	} else {
		c->sig = (u64)(p >> 63);
		if (!(c->sig >> 63))
			return;
	}
	e += (s64)rnd_below(5) - 2;
	if (rnd_below(2))
		c->sig += rnd_below(5) - 2;
	c->sig |= MONT_FR_INTBIT;
	if (e >= 1 && e <= 0x1fffe)
		c->se = (c->se & MONT_FR_SIGN) | (u64)e;
}

/* A product of 128 bits whose lowest is a one, and an addend below all of it. */
static void make_far(struct mont_fr *a, struct mont_fr *b, struct mont_fr *c)
{
	s64 e = (s64)(a->se & MONT_FR_EXP) + (s64)(b->se & MONT_FR_EXP) - MONT_FR_BIAS;

	a->sig |= MONT_FR_INTBIT | 1;
	b->sig |= MONT_FR_INTBIT | 1;
	e -= (s64)rnd_below(80) + 60;
	if (e >= 1 && e <= 0x1fffe)
		c->se = (c->se & MONT_FR_SIGN) | (u64)e;
	if (rnd_below(2))
		a->sig = ~0ULL;
	if (rnd_below(2))
		b->sig = ~0ULL;
}

static void compare(struct mont_fr a, struct mont_fr b, struct mont_fr c, u32 mode, u32 pc_insn,
		    u32 ctl)
{
	u32 pc = ctl >> MONT_SF_PC_SHIFT & 3;
	u32 wre = ctl >> 1 & 1;
	u32 rc = MONT_CTL_RC(ctl);
	u32 enabled = MONT_CTL_ENABLED(ctl);
	struct expected x;
	struct mont_fr r;
	u32 st;

	x = reference_fma(a, b, c, mode, model_of(pc_insn, wre, pc), rc, ctl & 1, enabled);
	st = mont_fp_fma(&r, &a, &b, &c, mode, ctl, pc_insn);
	check(fr_equal(r, x.r) && (st & MONT_FP_FLAGS) == x.flags &&
		      !!(st & MONT_FP_TRAP) == x.trap && !(st & MONT_FP_FAULT) &&
		      (st & MONT_FP_ISR) >> MONT_FP_ISR_SHIFT == x.code,
	      SHOW " * " SHOW " + " SHOW " mode %u pc %u ctl %x: got " SHOW
		   " status %x, expected " SHOW " flags %x code %x",
	      FR(a), FR(b), FR(c), mode, pc_insn, ctl, FR(r), st, FR(x.r), x.flags, x.code);
}

static const u32 modes[] = { 0, MONT_FMA_NEG_ADD, MONT_FMA_NEG_MUL };

static void run(const char *name, unsigned long cases, u32 pc_insn, bool traps)
{
	static const u32 pcs[] = { 0, 2, 3 };
	unsigned long i;

	for (i = 0; i < cases; i++) {
		u32 pc = pcs[rnd_below(3)];
		u32 wre = !rnd_below(3);
		struct model md = model_of(pc_insn, wre, pc);
		/* Denormal operand is a fault, not a trap: it stays masked. */
		u32 enabled = traps ? (u32)rnd() & (MONT_FP_O | MONT_FP_U | MONT_FP_I) : 0;
		u32 ctl = make_ctl(!rnd_below(4), wre, pc, (u32)rnd_below(4), enabled);
		u32 mode = modes[rnd_below(3)];
		struct mont_fr a = operand(md, true);
		struct mont_fr b = operand(md, true);
		struct mont_fr c = operand(md, true);

		if (!rnd_below(3))
			make_close(&a, &b, &c);
		else if (!rnd_below(8))
			make_far(&a, &b, &c);
		if (!rnd_below(8)) {
			c.sig = 0;
			c.se = 0;
			mode |= MONT_FMA_NO_ADD;
		}
		compare(a, b, c, mode, pc_insn, ctl);
	}
	group(name);
}

/* Infinities, NaNs, unsupported operands: by the rules, one by one. */
static void specials(void)
{
	static const struct mont_fr inf = { MONT_FR_INTBIT, 0x1ffff };
	static const struct mont_fr ninf = { MONT_FR_INTBIT, 0x3ffff };
	static const struct mont_fr one = { MONT_FR_INTBIT, 0xffff };
	static const struct mont_fr zero = { 0, 0 };
	static const struct mont_fr nzero = { 0, 0x20000 };
	static const struct mont_fr unorm = { 1, 0xffff };
	static const struct mont_fr pzero = { 0, 0xffff };
	static const struct mont_fr q1 = { 0xc000000000000123ULL, 0x1ffff };
	static const struct mont_fr q2 = { 0xc000000000000456ULL, 0x3ffff };
	static const struct mont_fr s1 = { 0x8000000000000789ULL, 0x1ffff };
	static const struct mont_fr s1q = { 0xc000000000000789ULL, 0x1ffff };
	static const struct mont_fr bad = { 0x4000000000000000ULL, 0x1ffff };
	static const struct mont_fr ind = { 0xc000000000000000ULL, 0x3ffff };
	static const struct {
		const struct mont_fr *a, *b, *c, *r;
		u32 mode, flags;
	} rows[] = {
		{ &inf, &one, &one, &inf, 0, 0 },
		{ &inf, &one, &one, &ninf, MONT_FMA_NEG_MUL, 0 },
		{ &one, &ninf, &one, &ninf, 0, 0 },
		{ &one, &one, &ninf, &ninf, 0, 0 },
		{ &one, &one, &ninf, &inf, MONT_FMA_NEG_ADD, 0 },
		{ &inf, &one, &ninf, &ind, 0, MONT_FP_V },
		{ &inf, &one, &ninf, &inf, MONT_FMA_NEG_ADD, 0 },
		{ &inf, &zero, &one, &ind, 0, MONT_FP_V },
		{ &zero, &ninf, &inf, &ind, 0, MONT_FP_V },
		{ &inf, &pzero, &one, &ind, 0, MONT_FP_V },
		{ &inf, &unorm, &one, &inf, 0, MONT_FP_D },
		{ &one, &one, &q1, &q1, 0, 0 },
		{ &q1, &one, &q2, &q2, 0, 0 }, /* f2 before f3 */
		{ &q1, &q2, &one, &q2, 0, 0 }, /* f4 before f3 */
		{ &one, &q1, &q2, &q1, 0, 0 }, /* f4 before f2 */
		{ &q1, &one, &one, &q1, MONT_FMA_NEG_MUL, 0 },
		{ &s1, &one, &one, &s1q, 0, MONT_FP_V },
		{ &s1, &q2, &one, &q2, 0, MONT_FP_V },
		{ &inf, &zero, &q1, &q1, 0, 0 },
		{ &q1, &unorm, &one, &q1, 0, 0 },
		{ &bad, &one, &one, &ind, 0, MONT_FP_V },
		{ &q1, &q1, &bad, &ind, 0, MONT_FP_V },
		{ &nzero, &one, &zero, &nzero, MONT_FMA_NO_ADD, 0 },
		{ &nzero, &one, &zero, &zero, 0, 0 },
		{ &nzero, &one, &nzero, &nzero, 0, 0 },
		{ &pzero, &one, &zero, &zero, 0, MONT_FP_D },
	};
	unsigned int i;
	u32 pc;

	for (i = 0; i < MONT_ARRAY_SIZE(rows); i++) {
		for (pc = 0; pc < 3; pc++) {
			struct mont_fr r = { 1, 2 };
			u32 st = mont_fp_fma(&r, rows[i].a, rows[i].b, rows[i].c, rows[i].mode,
					     make_ctl(0, 0, 3, 0, 0), pc);

			check(fr_equal(r, *rows[i].r) && st == rows[i].flags,
			      "row %u: " SHOW " status %x", i, FR(r), st);
			r = one;
			st = mont_fp_fma(&r, rows[i].a, rows[i].b, rows[i].c, rows[i].mode,
					 make_ctl(0, 0, 3, 0, MONT_FP_V | MONT_FP_D), pc);
			if (!rows[i].flags)
				check(!st, "row %u enabled: status %x", i, st);
			else
				check(st == (MONT_FP_FAULT | rows[i].flags << MONT_FP_ISR_SHIFT) &&
					      fr_equal(r, one),
				      "row %u fault: " SHOW " status %x", i, FR(r), st);
		}
	}
	group("infinities, NaNs and unsupported operands");
}

int main(void)
{
	specials();
	run("fma, fms, fnma without completer", 400000, MONT_PC_NONE, false);
	run("fma.s, fms.s, fnma.s", 300000, MONT_PC_S, false);
	run("fma.d, fms.d, fnma.d", 300000, MONT_PC_D, false);
	run("enabled traps without completer", 150000, MONT_PC_NONE, true);
	run("enabled traps .s", 150000, MONT_PC_S, true);
	run("enabled traps .d", 150000, MONT_PC_D, true);
	return tap_end();
}
