// SPDX-License-Identifier: GPL-2.0-only
/*
 * The execution of floating-point instructions on a thread: registers and
 * their modified bits, NaT, status fields, faults and traps with ISR.code,
 * predicates, FPSR instructions (Itanium SDM volume 1, 5.2; volume 2, 8.3;
 * volume 3).
 */
#include "fp_test.h"
#include "isa/fpexec.h"
#include "arch/rse.h"
#include "isa/fpmisc.h"

/* All traps masked; sf0 64-bit; sf1 64-bit, wide, traps disabled; sf2, sf3 64-bit. */
#define FPSR_INIT 0x9804c0270033fULL

/*
 * For when the test is linked without the rest of the model: the target rule
 * only. The disabled sets are told apart so that the callers' arguments are seen.
 */
#define WEAK __attribute__((__weak__))

WEAK enum mont_result mont_fr_check_slow(struct mont_thread *thr, u8 target, u8 a, u8 b, u8 c, u8 d)
{
	bool high = (target >= 32 && target < MONT_FR_NONE) || a >= 32 || b >= 32 || c >= 32 ||
		    d >= 32;

	if (high && (thr->s.psr & MONT_PSR_DFH))
		return MONT_FAULT_DISABLED_FPH;
	if (thr->s.psr & MONT_PSR_DFL)
		return MONT_FAULT_DISABLED_FPL;
	return target > 1 ? MONT_NEXT : MONT_FAULT_ILLEGAL_OP;
}

/* No signal has a subscriber. */
WEAK void mont_signal_slow(struct mont_thread *thr, enum mont_signal sig, u64 n, u64 attr)
{
	(void)thr;
	(void)sig;
	(void)n;
	(void)attr;
}

/* Of what a taken fchkf retires with. */
static const struct mont_bundle bundle = { .nr = 3 };
static struct mont_thread thread;
static struct mont_thread *const t = &thread;

static const struct mont_fr natval = { 0, MONT_NATVAL_SE };
static const struct mont_fr one = { MONT_FR_INTBIT, 0xffff };
static const struct mont_fr third = { 0xaaaaaaaaaaaaaaabULL, 0xfffd };
static const struct mont_fr snan = { 0x8000000000000001ULL, 0x1ffff };
static const struct mont_fr qnan = { 0xc000000000000001ULL, 0x1ffff };
static const struct mont_fr unorm = { 1, 0xffff };
static const struct mont_fr big = { MONT_FR_INTBIT, 0x1007e };
static const struct mont_fr small = { MONT_FR_INTBIT, 0xff81 };
static const struct mont_fr zero = { 0, 0 };

static void reset(void)
{
	int i;

	memset(t, 0, sizeof(*t));
	t->cur = &bundle;
	for (i = 0; i < 128; i++)
		t->grmap[i] = (u8)i;
	mont_fr_rotated(t);
	t->sig = t->countdown[0];
	for (i = 0; i < MONT_NR_SIGNALS; i++)
		t->sig[i].left = MONT_SIG_NEVER;
	t->s.fr[1] = one;
	t->s.pr = 1;
	t->s.ar.fpsr = FPSR_INIT;
}

/* f6 = the operation on f40 (f3), f41 (f4), f42 (f2) in status field @sf. */
static struct mont_uop uop3(u32 sf)
{
	return (struct mont_uop){ .r1 = 6, .r2 = 42, .r3 = 40, .r4 = 41, .imm = sf };
}

static u64 flags_of(u32 sf)
{
	return t->s.ar.fpsr >> (13 + 13 * sf) & 0x3f;
}

static void arithmetic(void)
{
	struct mont_uop u;
	u32 sf;

	for (sf = 0; sf < 4; sf++) {
		u64 others;

		reset();
		u = uop3(sf);
		t->s.fr[40] = third;
		t->s.fr[41] = third;
		others = t->s.ar.fpsr;
		check(mont_x_FMA_D(t, &u) == MONT_NEXT, "fma.d sf%u", sf);
		others |= (u64)MONT_FP_I << (13 + 13 * sf);
		check(flags_of(sf) == MONT_FP_I && t->s.ar.fpsr == others, "fpsr after sf%u: %llx",
		      sf, (unsigned long long)t->s.ar.fpsr);
		check(t->s.psr == MONT_PSR_MFL, "psr %llx", (unsigned long long)t->s.psr);
		u.r1 = 100;
		mont_x_FMA_S(t, &u);
		check(t->s.psr == (MONT_PSR_MFL | MONT_PSR_MFH), "psr %llx",
		      (unsigned long long)t->s.psr);
		check(t->s.fr[100].sig == 0xe38e390000000000ULL &&
			      t->s.fr[6].sig == 0xe38e38e38e38e000ULL,
		      "precisions " SHOW " " SHOW, FR(t->s.fr[100]), FR(t->s.fr[6]));
	}

	/* NaTVal wins over everything, raises nothing. */
	reset();
	u = uop3(0);
	t->s.ar.fpsr &= ~0x3fULL;
	t->s.fr[40] = snan;
	t->s.fr[42] = natval;
	check(mont_x_FNMA(t, &u) == MONT_NEXT && fr_equal(t->s.fr[6], natval) && !flags_of(0),
	      "NaTVal " SHOW, FR(t->s.fr[6]));

	/* f0 as the addend: minus zero stays; as any other zero it does not. */
	reset();
	u = uop3(0);
	t->s.fr[40] = (struct mont_fr){ 0, MONT_FR_SIGN };
	t->s.fr[41] = one;
	u.r2 = 0;
	mont_x_FMA(t, &u);
	check(t->s.fr[6].se == MONT_FR_SIGN, "fmpy of -0: " SHOW, FR(t->s.fr[6]));
	u.r2 = 42;
	mont_x_FMA(t, &u);
	check(t->s.fr[6].se == 0, "-0 + 0: " SHOW, FR(t->s.fr[6]));

	u.r1 = 1;
	check(mont_x_FMA(t, &u) == MONT_FAULT_ILLEGAL_OP, "f1 as the target");
	check(fr_equal(t->s.fr[1], one), "f1 kept");
	group("multiply-add: status fields, NaTVal, f0 and f1");
}

struct exception {
	const struct mont_fr *a, *b, *c;
	u32 enabled; /* exception whose trap is enabled */
	enum mont_result result;
	u32 code;
	u64 flags;
};

static void exceptions(void)
{
	static const struct mont_fr inf = { MONT_FR_INTBIT, 0x1ffff };
	const struct exception rows[] = {
		{ &snan, &one, &zero, MONT_FP_V, MONT_FAULT_FP_FAULT, 0x1, 0 },
		{ &inf, &zero, &zero, MONT_FP_V, MONT_FAULT_FP_FAULT, 0x1, 0 },
		{ &unorm, &one, &zero, MONT_FP_D, MONT_FAULT_FP_FAULT, 0x2, 0 },
		{ &unorm, &one, &zero, MONT_FP_V, MONT_NEXT, 0, MONT_FP_D },
		{ &snan, &one, &zero, MONT_FP_D, MONT_NEXT, 0, MONT_FP_V },
		{ &big, &big, &zero, MONT_FP_O, MONT_FAULT_FP_TRAP, 0x0801, MONT_FP_O },
		{ &big, &big, &zero, MONT_FP_I, MONT_FAULT_FP_TRAP, 0x6001, MONT_FP_O | MONT_FP_I },
		{ &small, &small, &zero, MONT_FP_U, MONT_FAULT_FP_TRAP, 0x1001, MONT_FP_U },
		{ &small, &third, &zero, MONT_FP_U, MONT_FAULT_FP_TRAP, 0x7001,
		  MONT_FP_U | MONT_FP_I },
		{ &third, &one, &zero, MONT_FP_I, MONT_FAULT_FP_TRAP, 0x6001, MONT_FP_I },
		{ &unorm, &third, &zero, MONT_FP_I, MONT_FAULT_FP_TRAP, 0x6001,
		  MONT_FP_D | MONT_FP_I },
	};
	unsigned int i;

	for (i = 0; i < MONT_ARRAY_SIZE(rows); i++) {
		const struct exception *x = &rows[i];
		struct mont_uop u = uop3(0);
		enum mont_result res;

		reset();
		t->s.fr[40] = *x->a;
		t->s.fr[41] = *x->b;
		t->s.fr[42] = *x->c;
		t->s.fr[6] = third;
		t->s.ar.fpsr &= ~(u64)x->enabled;
		res = mont_x_FMA_S(t, &u);
		check(res == x->result && (res == MONT_NEXT || t->fault_isr == x->code) &&
			      flags_of(0) == x->flags,
		      "row %u: result %d isr %llx flags %llx", i, res,
		      (unsigned long long)t->fault_isr, (unsigned long long)flags_of(0));
		/* A fault leaves the target, a trap has written it. */
		check(fr_equal(t->s.fr[6], third) == (res == MONT_FAULT_FP_FAULT),
		      "row %u: target " SHOW, i, FR(t->s.fr[6]));
		check(!t->s.psr == (res == MONT_FAULT_FP_FAULT), "row %u: psr", i);

		/* td of an alternate field masks them all. */
		reset();
		t->s.fr[40] = *x->a;
		t->s.fr[41] = *x->b;
		t->s.fr[42] = *x->c;
		t->s.ar.fpsr = (t->s.ar.fpsr & ~0x3fULL) | MONT_SF_TD << 19;
		u.imm = 1;
		check(mont_x_FMA_S(t, &u) == MONT_NEXT, "row %u: td", i);
	}

	/* Parallel: the codes of the right lane lie below those of the left. */
	for (i = 0; i < 4; i++) {
		struct mont_uop u = uop3(0);
		u64 left = i & 1 ? 0x7f800001ULL : 0x3f800000ULL;
		u64 right = i & 2 ? 0x7f800001ULL : 0x3f800000ULL;
		u32 code = (i & 1) | (i & 2 ? 0x10 : 0);

		reset();
		t->s.ar.fpsr &= ~(u64)MONT_FP_V;
		t->s.fr[40] = mont_fr_from_int(left << 32 | right);
		t->s.fr[41] = mont_fr_from_int(0x3f8000003f800000ULL);
		check(mont_x_FPMA(t, &u) == (i ? MONT_FAULT_FP_FAULT : MONT_NEXT) &&
			      t->fault_isr == code,
		      "fpma fault %u: isr %llx", i, (unsigned long long)t->fault_isr);
		left = i & 1 ? 0x7f7fffffULL : 0x3f800000ULL;
		right = i & 2 ? 0x7f7fffffULL : 0x3f800000ULL;
		code = (i ? 1 : 0) | (i & 1 ? 0x0800 : 0) | (i & 2 ? 0x0080 : 0);
		reset();
		t->s.ar.fpsr &= ~(u64)MONT_FP_O;
		t->s.fr[40] = mont_fr_from_int(left << 32 | right);
		t->s.fr[41] = mont_fr_from_int(0x4000000040000000ULL);
		check(mont_x_FPMA(t, &u) == (i ? MONT_FAULT_FP_TRAP : MONT_NEXT) &&
			      t->fault_isr == code,
		      "fpma trap %u: isr %llx", i, (unsigned long long)t->fault_isr);
	}
	group("faults and traps");
}

static void predicates(void)
{
	struct mont_uop u = { .r1 = 6, .r4 = 7, .r2 = 40, .r3 = 41 };

	reset();
	t->s.fr[40] = third;
	t->s.fr[41] = one;
	check(mont_x_FCMP_LT(t, &u) == MONT_NEXT && t->s.pr == 0x41, "lt: %llx",
	      (unsigned long long)t->s.pr);
	mont_x_FCMP_EQ(t, &u);
	check(t->s.pr == 0x81, "eq: %llx", (unsigned long long)t->s.pr);
	t->s.fr[41] = qnan;
	mont_x_FCMP_UNORD(t, &u);
	check(t->s.pr == 0x41 && !flags_of(0), "unord: %llx", (unsigned long long)t->s.pr);
	mont_x_FCMP_EQ(t, &u);
	check(t->s.pr == 0x81 && !flags_of(0), "eq of a NaN: %llx", (unsigned long long)t->s.pr);
	mont_x_FCMP_LE(t, &u);
	check(t->s.pr == 0x81 && flags_of(0) == MONT_FP_V, "le of a NaN: %llx",
	      (unsigned long long)t->s.pr);
	t->s.pr = 0xc1;
	t->s.ar.fpsr &= ~1ULL;
	check(mont_x_FCMP_LE(t, &u) == MONT_FAULT_FP_FAULT && t->fault_isr == 1 && t->s.pr == 0xc1,
	      "le of a NaN, fault: %llx", (unsigned long long)t->s.pr);
	t->s.fr[41] = natval;
	mont_x_FCMP_LE(t, &u);
	check(t->s.pr == 1, "le of NaTVal: %llx", (unsigned long long)t->s.pr);

	/* .unc and frcpa with a false predicate only clear. */
	t->s.pr = 0xc1;
	u.qp = 20;
	mont_x_FCMP_EQ_UNC(t, &u);
	check(t->s.pr == 1, "eq.unc: %llx", (unsigned long long)t->s.pr);
	t->s.pr = 0xc1;
	mont_x_FRCPA(t, &u);
	check(t->s.pr == 0x41 && !t->s.psr, "frcpa not executed: %llx",
	      (unsigned long long)t->s.pr);
	u.qp = 0;
	t->s.fr[41] = one;
	mont_x_FRCPA(t, &u);
	check(t->s.pr == 0xc1 && t->s.fr[6].sig == 0xff80000000000000ULL, "frcpa: %llx",
	      (unsigned long long)t->s.pr);
	t->s.fr[41] = natval;
	mont_x_FRCPA(t, &u);
	check(t->s.pr == 0x41 && fr_equal(t->s.fr[6], natval), "frcpa of NaTVal: %llx",
	      (unsigned long long)t->s.pr);
	t->s.ar.fpsr &= ~4ULL;
	t->s.fr[41] = zero;
	t->s.pr = 0xc1;
	check(mont_x_FRCPA(t, &u) == MONT_FAULT_FP_FAULT && t->fault_isr == 4 && t->s.pr == 0xc1,
	      "frcpa of zero: %llx", (unsigned long long)t->s.pr);

	u.r4 = 6;
	check(mont_x_FCMP_EQ(t, &u) == MONT_FAULT_ILLEGAL_OP, "the same target twice");
	check(mont_x_FCLASS_M(t, &u) == MONT_FAULT_ILLEGAL_OP, "the same target twice");
	u.qp = 20;
	check(mont_x_FCMP_EQ_UNC(t, &u) == MONT_FAULT_ILLEGAL_OP, "also when not executed");

	/* No floating-point target: f0 compared with f1 is no illegal operation. */
	reset();
	u = (struct mont_uop){ .r1 = 6, .r4 = 7, .r2 = 0, .r3 = 1 };
	check(mont_x_FCMP_LT(t, &u) == MONT_NEXT && t->s.pr == 0x41, "f0 < f1");
	t->s.psr = MONT_PSR_DFH;
	check(mont_x_FCMP_LT(t, &u) == MONT_NEXT, "the low set is not disabled");
	u.r3 = 32;
	check(mont_x_FCMP_LT(t, &u) == MONT_FAULT_DISABLED_FPH, "f32 is");
	group("predicate targets");
}

static void classes(void)
{
	static const struct {
		struct mont_fr v;
		u32 class;
	} rows[] = {
		{ { 0, 0 }, 0x005 },
		{ { 0, 0x20000 }, 0x006 },
		{ { MONT_FR_INTBIT, 0xffff }, 0x011 },
		{ { ~0ULL, 0x3fffe }, 0x012 },
		{ { 1, 0xffff }, 0x009 },
		{ { 1, 0 }, 0x009 },
		{ { MONT_FR_INTBIT, 0x20000 }, 0x00a },
		{ { 0, 0xffff }, 0x009 },
		{ { 0, 0x3fffe }, 0x00a },
		{ { MONT_FR_INTBIT, 0x1ffff }, 0x021 },
		{ { MONT_FR_INTBIT, 0x3ffff }, 0x022 },
	};
	unsigned int i;
	u32 m;

	for (i = 0; i < MONT_ARRAY_SIZE(rows); i++)
		for (m = 0; m < 0x200; m++)
			check(mont_fp_class(rows[i].v, m) ==
				      ((m & rows[i].class & 3) && (m & rows[i].class & 0x3c)),
			      "row %u fclass9 %x", i, m);
	for (m = 0; m < 0x200; m++) {
		struct mont_fr bad = { 1, 0x1ffff };

		check(mont_fp_class(snan, m) == !!(m & 0x40), "snan %x", m);
		check(mont_fp_class(qnan, m) == !!(m & 0x80), "qnan %x", m);
		check(mont_fp_class(natval, m) == !!(m & 0x100), "natval %x", m);
		check(!mont_fp_class(bad, m), "unsupported %x", m);
	}
	reset();
	t->s.fr[40] = natval;
	mont_x_FCLASS_M(t, &(struct mont_uop){ .r1 = 6, .r4 = 7, .r2 = 40, .imm = 0xff });
	check(t->s.pr == 1, "NaTVal, not asked for");
	mont_x_FCLASS_M(t, &(struct mont_uop){ .r1 = 6, .r4 = 7, .r2 = 40, .imm = 0x100 });
	check(t->s.pr == 0x41, "NaTVal, asked for");
	group("fclass");
}

static void moves(void)
{
	struct mont_uop set = { .r1 = 6, .r2 = 9 }, get = { .r1 = 10, .r2 = 6 };
	struct mont_uop m = uop3(0);
	unsigned int i;

	reset();
	for (i = 0; i < 1000; i++) {
		u64 a = rnd_pattern(), b = rnd_pattern(), c = rnd_pattern();
		fp_u128 w;

		t->s.gr[9] = a;
		mont_x_SETF_SIG(t, &set);
		mont_x_GETF_SIG(t, &get);
		check(t->s.gr[10] == a && !t->s.nat[10] && t->s.fr[6].se == 0x1003e, "sig");
		mont_x_SETF_EXP(t, &set);
		mont_x_GETF_EXP(t, &get);
		check(t->s.gr[10] == (a & 0x3ffff) && t->s.fr[6].sig == MONT_FR_INTBIT, "exp");
		mont_x_SETF_D(t, &set);
		mont_x_GETF_D(t, &get);
		check(t->s.gr[10] == a, "d %llx", (unsigned long long)a);
		mont_x_SETF_S(t, &set);
		mont_x_GETF_S(t, &get);
		check(t->s.gr[10] == (u32)a, "s %llx", (unsigned long long)a);

		t->s.fr[40] = mont_fr_from_int(a);
		t->s.fr[41] = mont_fr_from_int(b);
		t->s.fr[42] = mont_fr_from_int(c);
		mont_x_XMA_L(t, &m);
		check(t->s.fr[6].sig == a * b + c, "xma.l");
		w = (fp_u128)a * b + c;
		mont_x_XMA_HU(t, &m);
		check(t->s.fr[6].sig == (u64)(w >> 64), "xma.hu");
		/* Signed high product from the unsigned one. */
		w -= (fp_u128)(a >> 63 ? b : 0) << 64;
		w -= (fp_u128)(b >> 63 ? a : 0) << 64;
		mont_x_XMA_H(t, &m);
		check(t->s.fr[6].sig == (u64)(w >> 64) && t->s.fr[6].se == 0x1003e, "xma.h");
	}
	t->s.nat[9] = 1;
	mont_x_SETF_D(t, &set);
	check(fr_equal(t->s.fr[6], natval), "setf of NaT");
	mont_x_GETF_SIG(t, &get);
	check(t->s.nat[10] == 1, "getf of NaTVal");
	get.r1 = 0;
	check(mont_x_GETF_SIG(t, &get) == MONT_FAULT_ILLEGAL_OP, "getf to r0");
	set.r1 = 0;
	check(mont_x_SETF_SIG(t, &set) == MONT_FAULT_ILLEGAL_OP, "setf to f0");
	group("setf, getf, xma");
}

static void status(void)
{
	struct mont_uop u = { .imm = 2 | 0x7f << 8 };

	/* fsetc.s2 0x7f,0: sf0's controls, its own flags kept. */
	reset();
	t->s.ar.fpsr |= 0x15ULL << 39;
	check(mont_x_FSETC(t, &u) == MONT_NEXT &&
		      (t->s.ar.fpsr >> 32 & 0x1fff) == (0x15 << 7 | 0xc),
	      "fsetc: %llx", (unsigned long long)t->s.ar.fpsr);
	u.imm = 3 | 0x41 << 16;
	mont_x_FSETC(t, &u);
	check((t->s.ar.fpsr >> 45 & 0x7f) == 0x41, "fsetc or");
	u.imm = 0 | 0x40 << 16;
	check(mont_x_FSETC(t, &u) == MONT_FAULT_RESERVED_FIELD, "td of sf0");
	u.imm = 1 | 0x04 << 16;
	check(mont_x_FSETC(t, &u) == MONT_FAULT_RESERVED_FIELD, "pc of 1");
	u.imm = 2;
	mont_x_FCLRF(t, &u);
	check((t->s.ar.fpsr >> 32 & 0x1fff) == 0xc, "fclrf");

	reset();
	t->s.ip = 0x10000;
	t->s.slot = 1;
	u.imm = 1 | (u64)-0x40;
	check(mont_x_FCHKF(t, &u) == MONT_NEXT && t->s.ip == 0x10000, "fchkf without flags");
	t->s.ar.fpsr |= (u64)MONT_FP_I << 26;
	check(mont_x_FCHKF(t, &u) == MONT_TAKEN && t->s.ip == 0xffc0 && !t->s.slot,
	      "fchkf of a flag that sf0 does not have");
	t->s.ip = 0x10000;
	t->s.ar.fpsr |= (u64)MONT_FP_I << 13;
	check(mont_x_FCHKF(t, &u) == MONT_NEXT, "fchkf of a flag that sf0 has");
	t->s.ar.fpsr &= ~(u64)MONT_FP_I;
	check(mont_x_FCHKF(t, &u) == MONT_TAKEN && t->s.ip == 0xffc0,
	      "fchkf with the trap enabled");
	group("fsetc, fclrf, fchkf");
}

int main(void)
{
	arithmetic();
	exceptions();
	predicates();
	classes();
	moves();
	status();
	return tap_end();
}
