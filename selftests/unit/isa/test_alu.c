// SPDX-License-Identifier: GPL-2.0-only
/*
 * Operations of the ALU and MMEDIA classes against their definitions (SDM
 * volume 3, chapter 2), computed here bit by bit and element by element from
 * the operation's name, with random and boundary operands; then the rules that
 * are not about values: NaT bits, targets, predicates, faults that change
 * nothing.
 */
#include <stdio.h>
#include <string.h>

#include "isa/alu.h"
#include "isa/mmedia.h"

#define TIMES 3000

static int tests, failures;

static void report(int bad, const char *name)
{
	printf("%s %d - %s\n", bad ? "not ok" : "ok", ++tests, name);
	failures += !!bad;
}

enum op_class { ALU, MMEDIA, MEM, BRANCH, FP, SYSTEM };

static const struct {
	const char *name;
	enum op_class class;
} ops[MONT_NR_OPS] = {
#define MONT_OP(op, class, flags) { #op, class },
#include "isa/ops.def"
#undef MONT_OP
};

#define RUN_ALU(op)                       \
	{                                 \
	case MONT_OP_##op:                \
		return mont_x_##op(t, u); \
	}
#define RUN_MMEDIA(op)                    \
	{                                 \
	case MONT_OP_##op:                \
		return mont_x_##op(t, u); \
	}
#define RUN_MEM(op)
#define RUN_BRANCH(op)
#define RUN_FP(op)
#define RUN_SYSTEM(op)

static enum mont_result run(struct mont_thread *t, const struct mont_uop *u)
{
	switch (mont_op(u)) {
#define MONT_OP(op, class, flags) RUN_##class(op)
#include "isa/ops.def"
#undef MONT_OP
	default:
		return MONT_NR_RESULTS;
	}
}

static u64 rng_state = 0xfedcba987654321ULL;

static u64 rng(void)
{
	rng_state ^= rng_state << 13;
	rng_state ^= rng_state >> 7;
	rng_state ^= rng_state << 17;
	return rng_state * 0x2545f4914f6cdd1dULL;
}

/* Operands: random, near the ends of a type, equal elements, small counts. */
static u64 operand(void)
{
	static const u64 ends[] = {
		0,
		1,
		~0ULL,
		1ULL << 63,
		~0ULL >> 1,
		0x80000000,
		0x7fffffff,
		0xffffffff,
		0x8000800080008000,
		0x7fff7fff7fff7fff,
		0x8080808080808080,
		0x7f7f7f7f7f7f7f7f,
		0xff00ff00ff00ff00,
		0x8000000080000000,
		0x7fffffff7fffffff,
	};
	u64 r = rng();

	switch (r & 3) {
	case 0:
		return ends[(r >> 8) % MONT_ARRAY_SIZE(ends)] ^ (r >> 20 & r >> 30 & 0x101);
	case 1:
		return r >> 8 & 127;
	default:
		return r & 4 ? rng() : rng() & rng();
	}
}

static int bit(u64 v, int n)
{
	return v >> n & 1;
}

/* ---- values of the ALU class ---- */

static u64 addp4(u64 sum, u64 p)
{
	return (sum & 0xffffffff) | (p & 0xc0000000) << 31;
}

static u64 extract(u64 v, int pos, int len, int is_signed)
{
	int last = pos + len - 1 < 63 ? pos + len - 1 : 63;
	u64 r = 0;

	for (int i = 0; i < 64; i++)
		if (pos + i <= last)
			r |= (u64)bit(v, pos + i) << i;
		else if (is_signed)
			r |= (u64)bit(v, last) << i;
	return r;
}

static u64 deposit(u64 v, u64 into, int pos, int len)
{
	u64 r = 0;

	for (int i = 0; i < 64; i++)
		r |= (u64)(i >= pos && i < pos + len ? bit(v, i - pos) : bit(into, i)) << i;
	return r;
}

static u64 shift(u64 v, u64 count, int left, int is_signed)
{
	for (u64 i = 0; i < count && i < 64; i++)
		v = left ? v + v : v / 2 | (is_signed ? v & 1ULL << 63 : 0);
	return v;
}

/* Sources: bit 0 r2, bit 1 r3. */
struct value {
	const char *name;
	int sources;
	u64 result;
};

static int alu_value(const char *name, u64 a, u64 b, u64 imm, struct value *out)
{
	int pos = imm & 63, len = 1 + ((imm >> 8) - 1) % 64, ones = 0;
	u64 high = (u64)((s64)imm >> 16);
	u64 scaled = a * (1ULL << (imm & 7));

	for (int i = 0; i < 64; i++)
		ones += bit(b, i);
	const struct value all[] = {
		{ "ADD", 3, a + b },
		{ "ADD1", 3, a + b + 1 },
		{ "SUB", 3, a + ~b + 1 },
		{ "SUB1", 3, a + ~b },
		{ "ADDP4", 3, addp4(a + b, b) },
		{ "AND", 3, ~(~a | ~b) },
		{ "ANDCM", 3, ~(~a | b) },
		{ "OR", 3, ~(~a & ~b) },
		{ "XOR", 3, (a | b) - (a & b) },
		{ "SHLADD", 3, scaled + b },
		{ "SHLADDP4", 3, addp4(scaled + b, b) },
		{ "SUB_I", 2, imm + ~b + 1 },
		{ "AND_I", 2, ~(~imm | ~b) },
		{ "ANDCM_I", 2, ~(~imm | b) },
		{ "OR_I", 2, ~(~imm & ~b) },
		{ "XOR_I", 2, (imm | b) - (imm & b) },
		{ "ADDS", 2, imm + b },
		{ "ADDP4_I", 2, addp4(imm + b, b) },
		{ "ADDL", 2, imm + b },
		{ "SHL", 3, shift(a, b, 1, 0) },
		{ "SHR", 3, shift(b, a, 0, 1) },
		{ "SHR_U", 3, shift(b, a, 0, 0) },
		{ "POPCNT", 2, ones },
		{ "SHRP", 3, deposit(a, b >> (imm & 63), 64 - (imm & 63), 64) },
		{ "EXTR", 2, extract(b, pos, len, 1) },
		{ "EXTR_U", 2, extract(b, pos, len, 0) },
		{ "DEP", 3, deposit(a, b, pos, len) },
		{ "DEP_I", 2, deposit(high, b, pos, len) },
		{ "DEP_Z", 1, deposit(a, 0, pos, len) },
		{ "DEP_Z_I", 0, deposit(high, 0, pos, len) },
		{ "ZXT1", 2, extract(b, 0, 8, 0) },
		{ "ZXT2", 2, extract(b, 0, 16, 0) },
		{ "ZXT4", 2, extract(b, 0, 32, 0) },
		{ "SXT1", 2, extract(b, 0, 8, 1) },
		{ "SXT2", 2, extract(b, 0, 16, 1) },
		{ "SXT4", 2, extract(b, 0, 32, 1) },
		{ "MOVL", 0, imm },
	};

	for (size_t i = 0; i < MONT_ARRAY_SIZE(all); i++) {
		if (!strcmp(name, all[i].name)) {
			*out = all[i];
			return 1;
		}
	}
	return 0;
}

/* The immediates that the encodings of an operation allow. */
static u64 alu_imm(const char *name)
{
	u64 pos_len = (rng() & 63) | (1 + rng() % 64) << 8;

	if (!strncmp(name, "SHLADD", 6))
		return 1 + (rng() & 3);
	if (!strncmp(name, "EXTR", 4) || !strcmp(name, "DEP_Z"))
		return pos_len;
	if (!strcmp(name, "DEP"))
		return (rng() & 63) | (1 + rng() % 16) << 8;
	if (!strcmp(name, "DEP_I"))
		return pos_len | (0 - (rng() & 1)) << 16;
	if (!strcmp(name, "DEP_Z_I"))
		return pos_len | (u64)mont_sext(rng(), 8) << 16;
	if (!strcmp(name, "SHRP") || !strncmp(name, "TBIT", 4))
		return rng() & 63;
	if (!strcmp(name, "MOVL"))
		return rng();
	return mont_sext(operand(), 22);
}

/* ---- values of the MMEDIA class ---- */

static long element(u64 v, int i, int bytes, int is_signed)
{
	return extract(v, 8 * bytes * i, 8 * bytes, is_signed);
}

static long limit(long v, long lo, long hi)
{
	return v < lo ? lo : v > hi ? hi : v;
}

static int starts(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

/* One element of those operations that work on each pair of elements. */
static int pairwise(const char *n, long x, long y, long xu, long yu, int bytes, u64 imm, long *r)
{
	long max = 1L << (8 * bytes - 1), umax = 2 * max - 1, shifted;
	int sum = starts(n, "PADD"), diff = starts(n, "PSUB");

	if (sum || diff) {
		if (strstr(n, "SSS"))
			*r = limit(sum ? x + y : x - y, -max, max - 1);
		else if (strstr(n, "UUU"))
			*r = limit(sum ? xu + yu : xu - yu, 0, umax);
		else if (strstr(n, "UUS"))
			*r = limit(sum ? xu + y : xu - y, 0, umax);
		else
			*r = sum ? x + y : x - y;
	} else if (starts(n, "PAVGSUB")) {
		*r = (xu - yu) >> 1 | ((xu - yu) & 1);
	} else if (starts(n, "PAVG")) {
		*r = strstr(n, "RAZ") ? (xu + yu + 1) / 2 : (xu + yu) / 2 | ((xu + yu) & 1);
	} else if (starts(n, "PCMP")) {
		*r = 0 - (strstr(n, "EQ") ? xu == yu : x > y);
	} else if (starts(n, "PMIN")) {
		*r = bytes == 1 ? (xu < yu ? xu : yu) : (x < y ? x : y);
	} else if (starts(n, "PMAX")) {
		*r = bytes == 1 ? (xu < yu ? yu : xu) : (x < y ? y : x);
	} else if (starts(n, "PMPYSHR2")) {
		*r = (strstr(n, "_U") ? xu * yu : x * y) >> imm;
	} else if (starts(n, "PSHLADD2")) {
		shifted = x * (1 << imm);
		*r = shifted == limit(shifted, -max, max - 1) ? limit(shifted + y, -max, max - 1)
		     : shifted < 0			      ? -max
							      : max - 1;
	} else if (starts(n, "PSHRADD2")) {
		*r = limit((x >> imm) + y, -max, max - 1);
	} else {
		return 0;
	}
	return 1;
}

/* Result elements named from r2 (0..) and r3 (16..), the most significant first. */
static const struct {
	const char *name;
	int bytes;
	const char *from;
} permutations[] = {
	{ "MIX1_L", 1, "7H5F3D1B" },	{ "MIX1_R", 1, "6G4E2C0A" },	{ "MIX2_L", 2, "3D1B" },
	{ "MIX2_R", 2, "2C0A" },	{ "MIX4_L", 4, "1B" },		{ "MIX4_R", 4, "0A" },
	{ "UNPACK1_H", 1, "7H6G5F4E" }, { "UNPACK1_L", 1, "3D2C1B0A" }, { "UNPACK2_H", 2, "3D2C" },
	{ "UNPACK2_L", 2, "1B0A" },	{ "UNPACK4_H", 4, "1B" },	{ "UNPACK4_L", 4, "0A" },
};

static const char *const mux1[16] = {
	[0] = "00000000", [8] = "73516240", [9] = "73625140", [10] = "75316420", [11] = "01234567",
};

static u64 permute(u64 a, u64 b, int bytes, const char *from)
{
	u64 r = 0;

	for (; *from; from++)
		r = (bytes == 8 ? 0 : r << (8 * bytes)) |
		    (u64)element(*from >= 'A' ? b : a, *from >= 'A' ? *from - 'A' : *from - '0',
				 bytes, 0);
	return r;
}

static u64 packed(const char *n, u64 a, u64 b, int bytes)
{
	long max = 1L << (4 * bytes - 1);
	int each = 8 / bytes, uns = !!strstr(n, "USS");
	u64 r = 0;

	for (int i = 2 * each - 1; i >= 0; i--) {
		long v = element(i < each ? a : b, i % each, bytes, 1);

		v = uns ? limit(v, 0, 2 * max - 1) : limit(v, -max, max - 1);
		r = r << (4 * bytes) | (v & (2 * max - 1));
	}
	return r;
}

static u64 shifted(const char *n, u64 v, u64 count, int bytes)
{
	u64 r = 0;

	for (int i = 0; i < 8 / bytes; i++) {
		u64 e = element(v, i, bytes, !strstr(n, "_U"));

		e = shift(e, count, starts(n, "PSHL"), 1);
		r |= (e & (~0ULL >> (64 - 8 * bytes))) << (8 * bytes * i);
	}
	return r;
}

static u64 zero_position(const char *n, u64 v, int bytes)
{
	int each = 8 / bytes, i;

	for (i = 0; i < each; i++)
		if (!element(v, strstr(n, "_L") ? each - 1 - i : i, bytes, 0))
			break;
	return i;
}

static int mmedia_value(const char *n, u64 a, u64 b, u64 imm, struct value *out)
{
	int bytes = n[strcspn(n, "124")] - '0', imm_form = n[strlen(n) - 1] == 'I';
	u64 r = 0;
	long e;

	out->sources = 3;
	for (size_t i = 0; i < MONT_ARRAY_SIZE(permutations); i++) {
		if (!strcmp(n, permutations[i].name)) {
			out->result = permute(a, b, bytes, permutations[i].from);
			return 1;
		}
	}
	if (starts(n, "MUX")) {
		char from[5] = { '0' + (imm >> 6 & 3), '0' + (imm >> 4 & 3), '0' + (imm >> 2 & 3),
				 '0' + (imm & 3), 0 };

		out->sources = 1;
		out->result = permute(a, 0, bytes, bytes == 1 ? mux1[imm & 15] : from);
	} else if (starts(n, "PACK")) {
		out->result = packed(n, a, b, bytes);
	} else if (starts(n, "PSHL2") || starts(n, "PSHL4")) {
		out->sources = imm_form ? 1 : 3;
		out->result = shifted(n, a, imm_form ? imm : b, bytes);
	} else if (starts(n, "PSHR2") || starts(n, "PSHR4")) {
		out->sources = imm_form ? 2 : 3;
		out->result = shifted(n, b, imm_form ? imm : a, bytes);
	} else if (starts(n, "CZX")) {
		out->sources = 2;
		out->result = zero_position(n, b, bytes);
	} else if (starts(n, "PSAD1")) {
		for (int i = 0; i < 8; i++) {
			e = element(a, i, 1, 0) - element(b, i, 1, 0);
			r += e < 0 ? -e : e;
		}
		out->result = r;
	} else if (starts(n, "PMPY2_")) {
		int odd = n[6] == 'L';

		for (int i = 1; i >= 0; i--) {
			e = element(a, 2 * i + odd, 2, 1) * element(b, 2 * i + odd, 2, 1);
			r = r << 32 | (e & 0xffffffff);
		}
		out->result = r;
	} else {
		for (int i = 8 / bytes - 1; i >= 0; i--) {
			if (!pairwise(n, element(a, i, bytes, 1), element(b, i, bytes, 1),
				      element(a, i, bytes, 0), element(b, i, bytes, 0), bytes, imm,
				      &e))
				return 0;
			r = r << (8 * bytes) | (e & (long)(~0ULL >> (64 - 8 * bytes)));
		}
		out->result = r;
	}
	return 1;
}

static u64 mmedia_imm(const char *n)
{
	static const u8 counts[] = { 0, 7, 15, 16 }, types[] = { 0, 8, 9, 10, 11 };

	if (starts(n, "PMPYSHR2"))
		return counts[rng() & 3];
	if (starts(n, "MUX1"))
		return types[rng() % 5];
	if (starts(n, "MUX2"))
		return rng() & 255;
	if (starts(n, "PSHLADD") || starts(n, "PSHRADD"))
		return 1 + rng() % 3;
	return rng() & 31;
}

/* ---- running ---- */

static struct mont_thread thread;

/* A thread in which every register exists; r4 and r5 are the sources. */
static struct mont_thread *reset(u64 a, u64 b, int nat)
{
	memset(&thread, 0, sizeof(thread));
	for (int i = 0; i < 128; i++)
		thread.grmap[i] = i;
	thread.s.pr = 1;
	thread.s.gr[4] = a;
	thread.s.gr[5] = b;
	thread.s.nat[4] = nat & 1;
	thread.s.nat[5] = nat >> 1;
	return &thread;
}

static void test_values(unsigned int op)
{
	struct mont_uop u = { .code = op, .r1 = 6, .r2 = 4, .r3 = 5 };
	const char *n = ops[op].name;
	struct value v = {};
	char text[100];
	int bad = 0;

	for (int i = 0; i < TIMES; i++) {
		u64 a = operand(), b = operand();
		int nat = i % 16 ? 0 : rng() & 3;
		struct mont_thread *t = reset(a, b, nat);
		int known;

		u.imm = ops[op].class == ALU ? alu_imm(n) : mmedia_imm(n);
		known = ops[op].class == ALU ? alu_value(n, a, b, u.imm, &v)
					     : mmedia_value(n, a, b, u.imm, &v);
		if (!known)
			return;
		if (run(t, &u) == MONT_NEXT && t->s.gr[6] == v.result &&
		    t->s.nat[6] == !!(nat & v.sources))
			continue;
		if (bad++ < 3)
			printf("# %s: %llx %llx imm %llx: %llx, not %llx\n", n,
			       (unsigned long long)a, (unsigned long long)b,
			       (unsigned long long)u.imm, (unsigned long long)t->s.gr[6],
			       (unsigned long long)v.result);
	}
	u.r1 = 0;
	bad += run(reset(1, 2, 0), &u) != MONT_FAULT_ILLEGAL_OP;
	bad += thread.s.gr[0] != 0;
	snprintf(text, sizeof(text), "%s: values, NaT, r0 as target", n);
	report(bad, text);
}

/* Relation and type of a predicate writer, from its name. */
static int relation(const char *n, u64 a, u64 b, u64 imm, int nat)
{
	int wide = !starts(n, "CMP4");
	const char *rel = strchr(n, '_') + 1;
	s64 x = wide ? (s64)a : (s32)a, y = wide ? (s64)b : (s32)b, z = wide ? (s64)imm : (s32)imm;
	u64 ux = wide ? a : (u32)a, uy = wide ? b : (u32)b, uz = wide ? imm : (u32)imm;
	int parallel = strstr(n, "AND") || strstr(n, "OR");

	if (starts(n, "TBIT"))
		return starts(rel, "Z") ? !bit(b, imm) : bit(b, imm);
	if (starts(n, "TNAT"))
		return starts(rel, "Z") ? !(nat & 2) : !!(nat & 2);
	if (strstr(n, "_I")) {
		x = z;
		ux = uz;
	} else if (parallel && (starts(rel, "GT") || starts(rel, "GE") || starts(rel, "LE") ||
				starts(rel, "LT"))) {
		x = 0;
	}
	return starts(rel, "EQ")    ? ux == uy
	       : starts(rel, "NE")  ? ux != uy
	       : starts(rel, "LTU") ? ux < uy
	       : starts(rel, "LT")  ? x < y
	       : starts(rel, "LE")  ? x <= y
	       : starts(rel, "GT")  ? x > y
				    : x >= y;
}

/* Number of sources: r2 is none with an immediate, with r0, or when a register is tested. */
static int sources(const char *n)
{
	const char *rel = strchr(n, '_') + 1;

	if (starts(n, "TNAT"))
		return 0;
	if (starts(n, "TBIT") || strstr(n, "_I"))
		return 2;
	if ((strstr(n, "AND") || strstr(n, "OR")) && !starts(rel, "EQ") && !starts(rel, "NE"))
		return 2;
	return 3;
}

static void test_compare(unsigned int op)
{
	const char *n = ops[op].name;
	char text[100];
	int bad = 0;

	for (int i = 0; i < TIMES; i++) {
		struct mont_uop u = { .code = op, .r2 = 4, .r3 = 5, .qp = 7 };
		u64 a = operand(), b = i % 5 ? operand() : a, pr = rng() | 1 << 7 | 1, want;
		int nat = i % 8 ? 0 : rng() & 3, unc = !!strstr(n, "_UNC");
		struct mont_thread *t = reset(a, b, nat);
		int p1 = -1, p2 = -1, rel, isnat;

		u.imm = starts(n, "TBIT") ? rng() & 63 : i % 7 ? (u64)mont_sext(rng(), 8) : b;
		u.r1 = rng() & 63;
		u.r4 = rng() & 63;
		if (unc && i % 3 == 0)
			pr &= ~(1ULL << 7);
		t->s.pr = pr;
		rel = relation(n, a, b, u.imm, nat);
		isnat = !!(nat & sources(n));
		if (strstr(n, "_ORANDCM")) {
			if (rel && !isnat) {
				p1 = 1;
				p2 = 0;
			}
		} else if (strstr(n, "_OR")) {
			if (rel && !isnat) {
				p1 = 1;
				p2 = 1;
			}
		} else if (strstr(n, "_AND")) {
			if (!rel || isnat) {
				p1 = 0;
				p2 = 0;
			}
		} else {
			p1 = rel && !isnat && pr >> 7 & 1;
			p2 = !rel && !isnat && pr >> 7 & 1;
		}
		want = pr;
		if (p1 >= 0)
			want = (want & ~(1ULL << u.r1)) | (u64)p1 << u.r1;
		if (p2 >= 0)
			want = (want & ~(1ULL << u.r4)) | (u64)p2 << u.r4;
		want |= 1;
		if (u.r1 == u.r4)
			bad += run(t, &u) != MONT_FAULT_ILLEGAL_OP || t->s.pr != pr;
		else
			bad += run(t, &u) != MONT_NEXT || t->s.pr != want;
	}
	snprintf(text, sizeof(text), "%s: predicates, NaT, equal targets", n);
	report(bad, text);
}

static void test_moves(void)
{
	struct mont_uop u = { .code = MONT_OP_MOV_TO_BR, .r1 = 3, .r2 = 4 };
	struct mont_thread *t = reset(0x1234, 0, 0);
	int bad = 0;

	bad += run(t, &u) != MONT_NEXT || t->s.br[3] != 0x1234;
	t->s.nat[4] = 1;
	t->s.gr[4] = 5;
	bad += run(t, &u) != MONT_FAULT_NAT_CONSUMPTION || t->s.br[3] != 0x1234;
	u = (struct mont_uop){ .code = MONT_OP_MOV_FROM_BR, .r1 = 6, .r2 = 3 };
	bad += run(t, &u) != MONT_NEXT || t->s.gr[6] != 0x1234;
	t->s.ip = 0x4000;
	u = (struct mont_uop){ .code = MONT_OP_MOV_IP, .r1 = 6 };
	bad += run(t, &u) != MONT_NEXT || t->s.gr[6] != 0x4000;
	report(bad, "moves of branch registers and ip");

	bad = 0;
	for (unsigned int rrb = 0; rrb < 48; rrb++) {
		u64 logical = rng() | 1, v = rng(), mask = mont_sext(rng(), 17) & ~1ULL, want = 1;
		u64 phys = 0;

		/* Predicate p of an instruction is physical 16 + (p - 16 + rrb) mod 48. */
		for (unsigned int p = 0; p < 64; p++)
			phys |= (u64)bit(logical, p) << (p < 16 ? p : 16 + (p - 16 + rrb) % 48);
		t = reset(v, 0, 0);
		t->s.pr = logical;
		t->s.rrb_pr = rrb;
		u = (struct mont_uop){ .code = MONT_OP_MOV_FROM_PR, .r1 = 6 };
		bad += run(t, &u) != MONT_NEXT || t->s.gr[6] != phys;
		u = (struct mont_uop){ .code = MONT_OP_MOV_TO_PR, .r2 = 4, .imm = mask };
		for (unsigned int p = 1; p < 64; p++) {
			unsigned int at = p < 16 ? p : 16 + (p - 16 + rrb) % 48;

			want |= (u64)(bit(mask, at) ? bit(v, at) : bit(logical, p)) << p;
		}
		bad += run(t, &u) != MONT_NEXT || t->s.pr != want;
		u = (struct mont_uop){ .code = MONT_OP_MOV_TO_PR_ROT, .imm = v & ~0xffffULL };
		for (unsigned int p = 16; p < 64; p++)
			want = (want & ~(1ULL << p)) | (u64)bit(v, 16 + (p - 16 + rrb) % 48) << p;
		bad += run(t, &u) != MONT_NEXT || t->s.pr != want;
	}
	t = reset(0, 0, 1);
	t->s.pr = 0xabcd;
	u = (struct mont_uop){ .code = MONT_OP_MOV_TO_PR, .r2 = 4, .imm = ~1ULL };
	bad += run(t, &u) != MONT_FAULT_NAT_CONSUMPTION || t->s.pr != 0xabcd;
	report(bad, "moves of predicates ignore rotation");
}

int main(void)
{
	int expected = 0;

	for (unsigned int op = 0; op < MONT_NR_OPS; op++) {
		if (ops[op].class != ALU && ops[op].class != MMEDIA)
			continue;
		expected++;
		if (starts(ops[op].name, "CMP") || starts(ops[op].name, "TBIT") ||
		    starts(ops[op].name, "TNAT"))
			test_compare(op);
		else
			test_values(op);
	}
	/* MOV_TO_BR, MOV_FROM_BR, MOV_TO_PR, MOV_TO_PR_ROT, MOV_FROM_PR, MOV_IP */
	report(tests != expected - 6, "every other operation has a definition here");
	test_moves();
	printf("1..%d\n", tests);
	return failures != 0;
}
