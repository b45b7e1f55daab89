// SPDX-License-Identifier: GPL-2.0-only
/*
 * Dispersal: the 100 pairs of templates (the two-bundle matrix), the worked
 * examples, and, on random windows, a reference that searches all assignments of
 * ports instead of counting. Expected values are the rules' own.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/disperse.h"

enum { NR_KINDS = 10 };

/* Templates without stops and the slots they have; L is passed over. */
static const struct {
	const char *name;
	u8 tmpl;
	char slots[4];
} kinds[NR_KINDS] = {
	{ "MII", 0x00, "MII" }, { "MMI", 0x08, "MMI" }, { "MFI", 0x0c, "MFI" },
	{ "MMF", 0x0e, "MMF" }, { "MLX", 0x04, "MLX" }, { "MIB", 0x10, "MIB" },
	{ "MMB", 0x18, "MMB" }, { "MFB", 0x1c, "MFB" }, { "MBB", 0x12, "MBB" },
	{ "BBB", 0x16, "BBB" },
};

/* Y where all six slots issue at once: first bundle by row, second by column. */
static const char *const matrix[NR_KINDS] = {
	"YYYY-YYYYY", /* MII */
	"YYYYYYYYYY", /* MMI */
	"YYYYYYYYYY", /* MFI */
	"YYYYYYYYYY", /* MMF */
	"YYYYYYYYYY", /* MLX */
	"YYYYYYYYY-", /* MIB, its branch slot a hint */
	"YYYYYYYYY-", /* MMB */
	"YYYYYYYYY-", /* MFB */
	"----------", /* MBB */
	"----------", /* BBB */
};

static int tests, failed;

__attribute__((format(printf, 2, 3))) static void ok(bool good, const char *fmt, ...)
{
	va_list ap;

	printf("%sok %d - ", good ? "" : "not ", ++tests);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
	failed += !good;
}

/*
 * A bundle of the least demanding instructions: A-type in I slots (the matrix's
 * note a), hints in the branch slot where @hint, else branches.
 */
static struct mont_disperse easy(unsigned int k, bool hint)
{
	struct mont_disperse b = { .tmpl = kinds[k].tmpl, .last = 3 };
	unsigned int i;

	for (i = 0; i < 3; i++) {
		switch (kinds[k].slots[i]) {
		case 'M':
		case 'I':
			b.ports[i] = MONT_PORTS_A;
			break;
		case 'F':
			b.ports[i] = MONT_PORTS_F;
			break;
		case 'X':
			b.ports[i] = MONT_PORTS_X;
			break;
		default:
			b.ports[i] = hint ? MONT_PORTS_BHINT : MONT_PORTS_B;
			break;
		}
	}
	return b;
}

static bool exact(const struct mont_dispersal *d)
{
	return d->insns + d->lost[0] + d->lost[1] + d->lost[2] + d->lost[3] ==
		       6 + d->over[0] + d->over[1] &&
	       d->lost[0] + d->lost[1] + d->lost[2] + d->lost[3] <= 5 &&
	       d->over[0] + d->over[1] <= 2;
}

static void pairs(void)
{
	unsigned int i, k;

	for (i = 0; i < NR_KINDS; i++) {
		for (k = 0; k < NR_KINDS; k++) {
			struct mont_disperse first = easy(i, true), second = easy(k, false);
			struct mont_dispersal d;
			bool all;

			mont_disperse(&first, &second, 0, MONT_LOST_EXPL, &d);
			all = d.slots[0] == 3 && d.slots[1] == 3;
			ok(all == (matrix[i][k] == 'Y') && exact(&d), "%s-%s: %s at once",
			   kinds[i].name, kinds[k].name, all ? "six" : "not six");
		}
	}
}

/* A real branch in the single branch slot of the first bundle ends the group. */
static void branch_first(void)
{
	unsigned int i;

	for (i = 5; i < 8; i++) {
		struct mont_disperse first = easy(i, false), second = easy(1, false);
		struct mont_dispersal d;

		mont_disperse(&first, &second, 0, MONT_LOST_EXPL, &d);
		ok(d.insns == 3 && d.lost[MONT_LOST_IMPL] == 3 && d.port[2] == MONT_PORT_B + 2,
		   "%s with a branch: three issue, on B2", kinds[i].name);
	}
}

struct example {
	const char *name;
	struct mont_disperse first;
	struct mont_disperse second;
	u8 insns;
	u8 port[6];
	u8 lost[MONT_NR_LOST];
};

#define A MONT_PORTS_A
#define LD MONT_PORTS_M01
#define ST MONT_PORTS_M23
#define NO MONT_PORT_NONE
#define M(n) (MONT_PORT_M + (n))
#define I(n) (MONT_PORT_I + (n))
#define F(n) (MONT_PORT_F + (n))
#define B(n) (MONT_PORT_B + (n))

static const struct example examples[] = {
	{ "ld ld add / st st add",
	  { 0x08, { LD, LD, A }, 3 },
	  { 0x08, { ST, ST, A }, 3 },
	  6,
	  { M(0), M(1), I(0), M(2), M(3), I(1) },
	  {} },
	{ "ld st add / ld st add",
	  { 0x08, { LD, ST, A }, 3 },
	  { 0x08, { LD, ST, A }, 3 },
	  6,
	  { M(0), M(2), I(0), M(1), M(3), I(1) },
	  {} },
	{ "a third load splits",
	  { 0x08, { LD, LD, A }, 3 },
	  { 0x08, { LD, ST, A }, 3 },
	  3,
	  { M(0), M(1), I(0), NO, NO, NO },
	  { [MONT_LOST_IMPL] = 3 } },
	{ "ld add extr",
	  { 0x00, { LD, A, MONT_PORTS_I }, 3 },
	  { 0x08, { ST, ST, A }, 3 },
	  6,
	  { M(0), I(0), I(1), M(2), M(3), M(1) },
	  {} },
	{ "a third extr splits",
	  { 0x00, { LD, A, MONT_PORTS_I }, 3 },
	  { 0x08, { ST, ST, MONT_PORTS_I }, 3 },
	  5,
	  { M(0), I(0), I(1), M(2), M(3), NO },
	  { 0 } },
	{ "mov to b behind a nop.i splits",
	  { 0x00, { LD, MONT_PORTS_I, MONT_PORTS_I0 }, 3 },
	  { 0x08, { LD, ST, A }, 3 },
	  2,
	  { M(0), I(0), NO, NO, NO, NO },
	  { [MONT_LOST_IMPL] = 4 } },
	{ "MII-MII of adds and two loads",
	  { 0x00, { LD, A, A }, 3 },
	  { 0x00, { LD, A, A }, 3 },
	  6,
	  { M(0), I(0), I(1), M(1), M(2), M(3) },
	  {} },
	{ "MFI with movl behind it",
	  { 0x0c, { LD, MONT_PORTS_F, A }, 3 },
	  { 0x04, { LD, 0, MONT_PORTS_X }, 3 },
	  5,
	  { M(0), F(0), I(0), M(1), NO, I(1) },
	  { [MONT_LOST_MLX] = 1 } },
	{ "MIB nop.b / MFB branch",
	  { 0x10, { LD, A, MONT_PORTS_BHINT }, 3 },
	  { 0x1c, { LD, MONT_PORTS_F, MONT_PORTS_B }, 3 },
	  6,
	  { M(0), I(0), B(0), M(1), F(1), B(2) },
	  {} },
	{ "getf, then setf",
	  { 0x08, { MONT_PORTS_M2, ST, A }, 3 },
	  { 0x08, { LD, LD, A }, 3 },
	  6,
	  { M(2), M(3), I(0), M(0), M(1), I(1) },
	  {} },
	{ "setf, then getf, splits",
	  { 0x08, { ST, MONT_PORTS_M2, A }, 3 },
	  { 0x08, { LD, LD, A }, 3 },
	  1,
	  { M(2), NO, NO, NO, NO, NO },
	  { [MONT_LOST_IMPL] = 5 } },
	{ "mf behind a load splits",
	  { 0x08, { LD, MONT_PORTS_M0, A }, 3 },
	  { 0x08, { LD, LD, A }, 3 },
	  1,
	  { M(0), NO, NO, NO, NO, NO },
	  { [MONT_LOST_IMPL] = 5 } },
	{ "a load behind mf",
	  { 0x08, { MONT_PORTS_M0, LD, A }, 3 },
	  { 0x08, { ST, ST, A }, 3 },
	  6,
	  { M(0), M(1), I(0), M(2), M(3), I(1) },
	  {} },
	{ "an unrestricted one moves aside",
	  { 0x08, { A, LD, A }, 3 },
	  { 0x08, { LD, ST, A }, 3 },
	  6,
	  { M(3), M(0), I(0), M(1), M(2), I(1) },
	  {} },
	{ "stop behind the first bundle",
	  { 0x09, { LD, A, A }, 3 },
	  { 0x08, { LD, A, A }, 3 },
	  3,
	  { M(0), M(1), I(0), NO, NO, NO },
	  { [MONT_LOST_EXPL] = 3 } },
	{ "stop inside the first bundle",
	  { 0x0a, { LD, A, A }, 3 },
	  { 0x08, { LD, A, A }, 3 },
	  1,
	  { M(0), NO, NO, NO, NO, NO },
	  { [MONT_LOST_EXPL] = 5 } },
	{ "two hints want B0",
	  { 0x10, { LD, A, MONT_PORTS_BHINT }, 3 },
	  { 0x10, { LD, A, MONT_PORTS_BHINT }, 3 },
	  5,
	  { M(0), I(0), B(0), M(1), I(1), NO },
	  { 0 } },
	{ "branches behind each other in the first bundle: none of them is lost",
	  { 0x12, { LD, MONT_PORTS_B, MONT_PORTS_B }, 3 },
	  { 0x08, { LD, A, A }, 3 },
	  3,
	  { M(0), B(1), B(2), NO, NO, NO },
	  { [MONT_LOST_IMPL] = 3 } },
	{ "the group of an instruction that is watched",
	  { 0x12, { LD, MONT_PORTS_B, MONT_PORTS_B }, 1 },
	  { 0x08, { LD, A, A }, 3 },
	  2,
	  { M(0), B(1), NO, NO, NO, NO },
	  { [MONT_LOST_IMPL] = 4 } },
	{ "brl first",
	  { 0x04, { LD, 0, MONT_PORTS_BRL }, 3 },
	  { 0x08, { LD, A, A }, 3 },
	  2,
	  { M(0), NO, B(2), NO, NO, NO },
	  { [MONT_LOST_MLX] = 1, [MONT_LOST_IMPL] = 3 } },
};

static void worked(void)
{
	unsigned int i;

	for (i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
		const struct example *e = &examples[i];
		struct mont_dispersal d;
		bool split;

		mont_disperse(&e->first, &e->second, 0, MONT_LOST_EXPL, &d);
		/* A split second bundle's losses are checked by split() below. */
		split = d.slots[1] && d.slots[1] < 3;
		ok(d.insns == e->insns && !memcmp(d.port, e->port, 6) && exact(&d) &&
			   (split || !memcmp(d.lost, e->lost, sizeof(e->lost))),
		   "%s", e->name);
	}
}

/* Charges of a split, in its own cycle and in the one that finishes the bundle. */
static void split(void)
{
	struct mont_disperse mii = { 0x00, { LD, A, MONT_PORTS_I }, 3 };
	struct mont_disperse mmi = { 0x08, { ST, ST, MONT_PORTS_I }, 3 };
	struct mont_disperse easy_mii = { 0x00, { LD, A, A }, 3 };
	struct mont_dispersal d;

	mont_disperse(&mii, &mmi, 0, MONT_LOST_EXPL, &d);
	ok(d.slots[1] == 2 && d.lost[MONT_LOST_IMPL] == 3 && d.over[MONT_LOST_IMPL] == 2,
	   "split second bundle: its three slots are charged, two of them in excess");
	mont_disperse(&mmi, NULL, 2, MONT_LOST_IMPL, &d);
	ok(d.insns == 1 && d.lost[MONT_LOST_IMPL] == 2 && d.lost[MONT_LOST_FE] == 3,
	   "the rest of it: two slots gone before, three of a bundle not there");
	mont_disperse(&mmi, &easy_mii, 1, MONT_LOST_MLX, &d);
	ok(d.insns == 5 && d.lost[MONT_LOST_MLX] == 1, "entry at slot 1: charged to MLX");
	mont_disperse(&mii, NULL, 0, MONT_LOST_EXPL, &d);
	ok(d.insns == 3 && d.lost[MONT_LOST_FE] == 3, "one bundle alone: three lost to FE");
}

/* ---- the reference: try every assignment of M ports ---- */

/* True if @n instructions can have M ports, each pair's restricted ones lowest first. */
static bool assign(const u8 *m, unsigned int n, unsigned int i, unsigned int used)
{
	unsigned int p;

	if (i == n)
		return true;
	for (p = 0; p < 4; p++) {
		bool low = p < 2;

		if (used >> p & 1)
			continue;
		switch (m[i]) {
		case MONT_PORTS_M0:
			if (p != 0)
				continue;
			break;
		case MONT_PORTS_M2:
			if (p != 2)
				continue;
			break;
		case MONT_PORTS_M01:
			/* M1 only behind an instruction of the same pair */
			if (!low)
				continue;
			break;
		case MONT_PORTS_M23:
			if (low)
				continue;
			break;
		default:
			break;
		}
		/* lowest first among those restricted to the pair */
		if (m[i] != MONT_PORTS_A && m[i] != MONT_PORTS_M) {
			unsigned int k, before = 0;

			for (k = 0; k < i; k++)
				before += (m[k] == MONT_PORTS_M0 || m[k] == MONT_PORTS_M01) ==
						  low &&
					  m[k] != MONT_PORTS_A && m[k] != MONT_PORTS_M;
			if ((p & 1) != before)
				continue;
		}
		if (assign(m, n, i + 1, used | 1u << p))
			return true;
	}
	return false;
}

static void random_m(void)
{
	static const u8 kind[] = { MONT_PORTS_A,  MONT_PORTS_M,	  MONT_PORTS_M0,
				   MONT_PORTS_M2, MONT_PORTS_M01, MONT_PORTS_M23 };
	unsigned int round, bad = 0, splits = 0;

	srandom(1);
	for (round = 0; round < 200000; round++) {
		struct mont_disperse b[2] = { { 0x0e, { 0, 0, MONT_PORTS_F }, 3 },
					      { 0x0e, { 0, 0, MONT_PORTS_F }, 3 } };
		struct mont_dispersal d;
		unsigned int n, want;
		u8 m[4];

		for (n = 0; n < 4; n++) {
			m[n] = kind[random() % 6];
			b[n / 2].ports[n % 2] = m[n];
		}
		for (n = 0; n < 4 && assign(m, n + 1, 0, 0); n++)
			;
		/* slots before the one that cannot be had; F slots lie between */
		want = n < 2 ? n : n < 4 ? n + 1 : 6;
		mont_disperse(&b[0], &b[1], 0, MONT_LOST_EXPL, &d);
		bad += d.insns != want || !exact(&d);
		splits += want < 6;
	}
	ok(!bad && splits > 1000 && splits < round, "M ports: %u random windows, %u of them split",
	   round, splits);
}

int main(void)
{
	pairs();
	branch_first();
	worked();
	split();
	random_m();
	printf("1..%d\n", tests);
	return failed ? 1 : 0;
}
