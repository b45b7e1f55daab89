// SPDX-License-Identifier: GPL-2.0-only
/*
 * Blocks: the PMU of the original Itanium. Its registers, rules Q1 to Q12 of
 * Documentation/facts/observers-facts.md, overflow and freeze; each row that names an event of
 * this processor beside an observer of that event.
 */
#include "arch/psr.h"
#include "pmu/block.h"
#include "pmu/merced_events.h"
#include "pmu_test.h"
#include "pmu/match.h"

#define ALL_ONES (~0ULL)
#define ES(code, umask) ((u64)(code) << 8 | (u64)(umask) << 16)
#define LOADS ES(0x6c, 0)
#define INSTS ES(0x08, 0)
#define TAGGED_PMC8 ES(0x08, 3)
#define TAGGED_PMC9 ES(0x08, 2)
#define M_UNIT (1ULL << 63)
#define TA 1
#define PT (1ULL << 28)

static struct mont_thread *t;

static struct mont_block_reg pmc(u32 n, u64 v)
{
	return (struct mont_block_reg){ MONT_REG_PMC, n, v };
}

static struct mont_block_reg pmd(u32 n, u64 v)
{
	return (struct mont_block_reg){ MONT_REG_PMD, n, v };
}

static int set(struct mont_block *b, struct mont_block_reg reg)
{
	const char *why = "";
	u32 bad;

	return mont_block_set(b, &reg, 1, &bad, &why);
}

static void must(struct mont_block *b, struct mont_block_reg reg)
{
	check(!set(b, reg), "class %u, register %u, %#llx", reg.class, reg.index,
	      (unsigned long long)reg.value);
}

static u64 get(struct mont_block *b, u32 class, u32 index)
{
	struct mont_block_reg reg = { class, index, 0 };

	check(!mont_block_get(b, &reg), "get %u of %u", index, class);
	return reg.value;
}

static u64 count(struct mont_block *b, u32 n)
{
	return get(b, MONT_REG_PMD, n);
}

static void add(struct mont_block *b)
{
	const char *why = "";

	check(!mont_block_add(t, b, MONT_BLOCK_MERCED, &why), "%s", why);
}

/* An instruction in slot 0 of the bundle at @ip, of encoding @insn and unit M, loads @va. */
static void load(u64 ip, u64 insn, u64 va)
{
	test_ram[0] = 0x08 | insn << 5; /* MMI */
	test_ram[1] = 0;
	t->s.ip = ip;
	t->sig_slot = 0;
	raise_ref(t, MONT_SIG_LOAD_RETIRED, va, 8, 0);
	mont_signal_n(t, MONT_SIG_INST_RETIRED, 1, 1);
	mont_group_end(t);
}

static void registers(void)
{
	static struct mont_block b;
	static const u64 reset[14] = { [8] = ALL_ONES, [9] = ALL_ONES, [11] = PT, [13] = TA };
	const char *why = "";
	struct mont_block_reg batch[3];
	u32 i, bad;

	t = new_thread(1);
	add(&b);
	for (i = 0; i < 14; i++)
		check(get(&b, MONT_REG_PMC, i) == reset[i], "PMC%u at reset", i);
	for (i = 0; i < 18; i++)
		check(!get(&b, MONT_REG_PMD, i), "PMD%u at reset", i);
	check(get(&b, MONT_REG_SPECIAL, MONT_SPECIAL_PSR) == (MONT_PSR_UP | MONT_PSR_PP), "PSR");
	must(&b, pmc(0, ALL_ONES));
	check(get(&b, MONT_REG_PMC, 0) == 0xf1, "PMC0");
	must(&b, pmc(2, ALL_ONES));
	check(!get(&b, MONT_REG_PMC, 2), "PMC2");
	must(&b, pmc(4, (ALL_ONES & ~0x7f7f00ULL) | INSTS));
	check(get(&b, MONT_REG_PMC, 4) == (0x0300007f | INSTS), "PMC4");
	must(&b, pmd(4, 0x180000001));
	check(get(&b, MONT_REG_PMD, 4) == 0xffffffff80000001, "PMD4 has a sign");
	must(&b, pmc(13, ALL_ONES));
	check(get(&b, MONT_REG_PMC, 13) == 1, "PMC13");
	check(set(&b, pmc(14, 0)) == MONT_ENOENT && set(&b, pmd(18, 0)) == MONT_ENOENT &&
		      set(&b, (struct mont_block_reg){ MONT_REG_IBR, 8, 0 }) == MONT_ENOENT &&
		      set(&b, (struct mont_block_reg){ MONT_REG_GR, 1, 0 }) == MONT_ENOENT &&
		      set(&b, (struct mont_block_reg){ MONT_REG_PMC, ~0U, 0 }) == MONT_ENOENT,
	      "no such register");
	check(set(&b, pmd(2, 0)) == MONT_EPERM && set(&b, pmd(8, 0)) == MONT_EPERM &&
		      set(&b, pmd(17, 0)) == MONT_EPERM,
	      "read only");
	must(&b, pmd(16, ALL_ONES));
	check(get(&b, MONT_REG_PMD, 16) == 0xf, "PMD16");
	check(set(&b, pmc(10, 1)) == MONT_EOPNOTSUPP && set(&b, pmc(11, 1)) == MONT_EOPNOTSUPP &&
		      set(&b, pmc(11, 0x20081)) == MONT_EOPNOTSUPP,
	      "EARs that need time");
	must(&b, pmc(11, PT | 0x40081));
	must(&b, pmc(11, PT));
	check(set(&b, pmc(12, 0x3f8f)) == MONT_EOPNOTSUPP &&
		      set(&b, pmc(12, 0xff0f)) == MONT_EOPNOTSUPP &&
		      set(&b, pmc(12, 0xf78f)) == MONT_EOPNOTSUPP,
	      "a trace by stages of the predictor, or by predictions without time");
	must(&b, pmc(12, 0xff8f));
	must(&b, pmc(12, 0));
	for (i = 0; i < 16; i++) {
		check(set(&b, pmc(11, i << 16 | 1)) ==
			      (i == 7 || (i > 10 && i < 15) ? MONT_EINVAL : MONT_EOPNOTSUPP),
		      "unit mask %u of the data EAR", i);
		check(set(&b, pmc(10, i << 16 | 1)) ==
			      (i > 10 && i < 15 ? MONT_EINVAL : MONT_EOPNOTSUPP),
		      "unit mask %u of the instruction EAR", i);
		check(set(&b, pmc(10, i << 16 | 0x81)) == (i & 3 ? MONT_EINVAL : MONT_EOPNOTSUPP),
		      "in TLB mode");
		check(set(&b, pmc(11, i << 16 | 0x81)) == (i & 1   ? MONT_EINVAL
							   : i & 2 ? MONT_EOPNOTSUPP
								   : 0),
		      "unit mask %u of the data EAR in TLB mode", i);
	}
	must(&b, pmc(11, PT));
	must(&b, pmc(10, 0x40));
	check(set(&b, pmc(4, ES(0x77, 3) | 15)) == MONT_ENOENT, "no such event");
	check(set(&b, pmc(4, ES(0x15, 0) | 15)) == MONT_EOPNOTSUPP, "no like");
	check(set(&b, pmc(4, ES(0x12, 0) | 15)) == MONT_EOPNOTSUPP, "needs time");
	check(set(&b, pmc(4, INSTS | 15 | 1 << 20)) == MONT_EOPNOTSUPP, "a threshold needs time");
	check(set(&b, pmc(6, INSTS | 15)) == MONT_EINVAL, "a counter that cannot select it");
	must(&b, pmc(6, INSTS)); /* and need not, where it counts nothing */
	/* A batch is all or nothing. */
	must(&b, pmd(5, 7));
	batch[0] = pmd(5, 99);
	batch[1] = pmc(5, LOADS | 15);
	batch[2] = pmc(99, 0);
	check(mont_block_set(&b, batch, 3, &bad, &why) == MONT_ENOENT && bad == 2, "bad is %u",
	      bad);
	check(count(&b, 5) == 7 && !get(&b, MONT_REG_PMC, 5), "and nothing changed");
	check(!mont_block_set(&b, batch, 2, &bad, &why) && bad == 2 && count(&b, 5) == 99, "else");
	mont_block_del(&b);
	check(!t->observers && !t->pmu.obs.blocks, "gone");
	group("registers of the original Itanium");
}

static void refused(void)
{
	struct mont_block b = { .flags = 0x80 }, many = { .nr_reload = 9 }, kind = {};
	struct mont_block reload = { .nr_reload = 1, .reload = { { MONT_REG_PMC, 77, 0 } } };
	const char *why = "";

	t = new_thread(1);
	check(mont_block_add(t, &kind, 9, &why) == MONT_EINVAL, "kind");
	check(mont_block_add(t, &b, 1, &why) == MONT_EINVAL && strstr(why, "flag"), "%s", why);
	check(mont_block_add(t, &many, 1, &why) == MONT_EINVAL && strstr(why, "eight"), "%s", why);
	check(mont_block_add(t, &reload, 1, &why) == MONT_ENOENT, "reload");
	check(!t->pmu.obs.blocks, "none is there");
	group("blocks that are refused");
}

/* Two functions load from two arrays by two opcodes: 1, 2, 4, ... 128 times. */
static void settings(void)
{
	static const u64 code[2] = { 0x10000, 0x20000 }, data[2] = { 0x500000, 0x600000 };
	static const u64 insn[2] = { 4ULL << 37 | 1ULL << 30 | 0x155, 4ULL << 37 | 2ULL << 30 };
	static struct mont_block b[8];
	u64 want[8] = { 0 };
	u32 i, f, a, o, n;

	t = new_thread(1);
	for (i = 0; i < 8; i++) {
		u64 upper = insn[0] >> 27 & 0x3fff, lower = insn[0] & 0x1fff;

		add(&b[i]);
		must(&b[i], pmc(13, !(i & 1)));
		if (i & 2)
			must(&b[i], pmc(8, M_UNIT | (upper << 13 | lower) << 33));
		if (i & 4)
			must(&b[i], pmc(11, 0));
		must(&b[i], (struct mont_block_reg){ MONT_REG_IBR, 2, code[0] });
		must(&b[i], (struct mont_block_reg){ MONT_REG_IBR, 3, 0xfffffffff000 });
		must(&b[i], (struct mont_block_reg){ MONT_REG_DBR, 6, data[0] });
		must(&b[i], (struct mont_block_reg){ MONT_REG_DBR, 7, 0xfffffffff000 });
		must(&b[i], pmc(7, LOADS | 15));
	}
	for (f = 0; f < 2; f++)
		for (o = 0; o < 2; o++)
			for (a = 0; a < 2; a++)
				for (n = 0; n < 1U << (f | o << 1 | a << 2); n++)
					load(code[f] + 16 * (n % 9), insn[o], data[a] + 8 * n);
	for (i = 0; i < 8; i++)
		for (n = 0; n < 8; n++)
			if (!(n & i))
				want[i] += 1U << n;
	for (i = 0; i < 8; i++) {
		check(count(&b[i], 7) == want[i], "setting %u: %llu, not %llu", i,
		      (unsigned long long)count(&b[i], 7), (unsigned long long)want[i]);
		for (n = 0; n < i; n++)
			check(want[n] != want[i], "%u and %u are one", n, i);
		mont_block_del(&b[i]);
	}
	group("Q1, Q4, Q5: the eight settings of range, opcode and data");
}

/* Retire @n bundles of the loop, with nops of two kinds at two places of it. */
static void loop_round(u64 at, u64 insn)
{
	test_ram[0] = 0x08 | insn << 5;
	t->s.ip = at;
	mont_signal_n(t, MONT_SIG_INST_RETIRED, 3, 7);
	mont_group_end(t);
}

static void tags(void)
{
	static struct mont_block b[2];
	const u64 nop[2] = { 1ULL << 27 | 0x40, 1ULL << 27 | 0x80 };
	u32 i, n;

	t = new_thread(1);
	for (i = 0; i < 2; i++) {
		add(&b[i]);
		for (n = 0; n < 2; n++)
			must(&b[i], pmc(8 + (i ^ n),
					M_UNIT | (nop[n] & 0x1fff) << 33 | (nop[n] >> 27) << 46));
		must(&b[i], pmc(4, TAGGED_PMC8 | 15));
		must(&b[i], pmc(5, TAGGED_PMC9 | 15));
	}
	for (n = 0; n < 60; n++)
		loop_round(0x1000 + n % 12 * 16, n % 12 == 3 ? nop[0] : n % 4 ? 0 : nop[1]);
	check(count(&b[0], 4) == 5 && count(&b[0], 5) == 15, "%llu %llu",
	      (unsigned long long)count(&b[0], 4), (unsigned long long)count(&b[0], 5));
	check(count(&b[1], 4) == 15 && count(&b[1], 5) == 5, "the other way round");
	/* PMC9 changes no other count; PMC8 does. */
	must(&b[0], pmc(4, INSTS | 15));
	must(&b[0], pmd(4, 0));
	must(&b[0], pmc(8, ALL_ONES));
	for (n = 0; n < 24; n++)
		loop_round(0x1000 + n % 12 * 16, n % 12 == 3 ? nop[0] : 0);
	check(count(&b[0], 4) == 72, "Q4: %llu by PMC9", (unsigned long long)count(&b[0], 4));
	/* A range of one bundle of the twelve. */
	must(&b[0], pmc(13, 0));
	must(&b[0], (struct mont_block_reg){ MONT_REG_IBR, 0, 0x1050 });
	must(&b[0], (struct mont_block_reg){ MONT_REG_IBR, 1, (1ULL << 56) - 16 });
	must(&b[0], pmd(4, 0));
	for (n = 0; n < 24; n++)
		loop_round(0x1000 + n % 12 * 16, 0);
	check(count(&b[0], 4) == 6, "Q2: %llu of one bundle", (unsigned long long)count(&b[0], 4));
	must(&b[0], (struct mont_block_reg){ MONT_REG_IBR, 7, (1ULL << 56) - 16 });
	must(&b[0], (struct mont_block_reg){ MONT_REG_IBR, 6, 0x1000 });
	for (n = 0; n < 12; n++)
		loop_round(0x1000 + n % 12 * 16, 0);
	check(count(&b[0], 4) == 12, "Q6: pairs are alternatives");
	for (i = 0; i < 2; i++)
		mont_block_del(&b[i]);
	group("Q2, Q3, Q6: two tagged nops at once, and a range of one bundle");
}

static void monitors(void)
{
	static struct mont_block b, printed = { .flags = MONT_BLOCK_ISM_AS_PRINTED };
	static const u8 counts[2][4] = { { 1, 0, 1, 0 }, { 1, 1, 0, 0 } };
	u32 cpl, plm, ism, psr;

	t = new_thread(1);
	add(&b);
	add(&printed);
	for (cpl = 0; cpl < 4; cpl++)
		for (plm = 0; plm < 16; plm++) {
			mont_signals_fold(t);
			t->cpl = cpl;
			mont_signals_arm(t);
			must(&b, pmc(4, INSTS | plm));
			must(&b, pmd(4, 0));
			retire(t, 3, 7);
			check(count(&b, 4) == 3 * (plm >> cpl & 1), "Q8: level %u, plm %x", cpl,
			      plm);
		}
	for (ism = 0; ism < 4; ism++) {
		must(&b, pmc(4, INSTS | 15 | ism << 24));
		must(&printed, pmc(4, INSTS | 15 | ism << 24));
		must(&b, pmd(4, 0));
		must(&printed, pmd(4, 0));
		retire(t, 1, 1);
		check(count(&b, 4) == counts[0][ism] && count(&printed, 4) == counts[1][ism],
		      "Q7: ism %u", ism);
	}
	must(&b, pmc(4, INSTS | 15));
	must(&b, pmc(5, INSTS | 15 | 0x40));
	for (psr = 0; psr < 4; psr++) {
		must(&b, (struct mont_block_reg){ MONT_REG_SPECIAL, MONT_SPECIAL_PSR,
						  (psr & 1 ? MONT_PSR_UP : 0) |
							  (psr & 2 ? MONT_PSR_PP : 0) });
		must(&b, pmd(4, 0));
		must(&b, pmd(5, 0));
		retire(t, 2, 3);
		check(count(&b, 4) == (psr & 1) * 2 && count(&b, 5) == (psr & 2), "Q9: %u", psr);
	}
	mont_block_del(&b);
	mont_block_del(&printed);
	group("Q7, Q8, Q9: levels, instruction sets, and the bits of PSR");
}

/* Figures 6-6 to 6-8, with PSR as three processes and their handlers have it. */
static void followed(void)
{
	static struct mont_block b = { .flags = MONT_BLOCK_FOLLOW_PSR };
	u64 bits = MONT_PSR_UP | MONT_PSR_PP, want[2] = { 0 };
	u32 p, nr, n;

	for (nr = 1; nr <= 3; nr++) {
		t = new_thread(1);
		add(&b);
		must(&b, pmc(4, INSTS | 15));
		must(&b, pmc(5, INSTS | 15 | 0x40));
		want[0] = 0;
		want[1] = 0;
		for (n = 0; n < 60; n++) {
			u64 psr = (p = n % 3) < nr ? bits : 0;

			/* A handler, with DCR.pp 1 */
			if (n / 3 % 2)
				psr |= MONT_PSR_PP;
			mont_psr_set(t, (t->s.psr & ~bits) | psr);
			retire(t, 1 + p, (2 << p) - 1);
			want[0] += psr & MONT_PSR_UP ? 1 + p : 0;
			want[1] += psr & MONT_PSR_PP ? 1 + p : 0;
			check(count(&b, 4) == want[0] && count(&b, 5) == want[1],
			      "%u processes, %u: %llu %llu", nr, n,
			      (unsigned long long)count(&b, 4), (unsigned long long)count(&b, 5));
		}
		check(set(&b, (struct mont_block_reg){ MONT_REG_SPECIAL, MONT_SPECIAL_PSR, 0 }) ==
			      MONT_EPERM,
		      "PSR is the guest's");
		mont_block_del(&b);
	}
	group("Q10: monitors go by the guest's PSR");
}

static struct {
	unsigned long calls;
	u64 pmc0, pmd;
} seen;

static void on_interrupt(struct mont_block *b)
{
	seen.calls++;
	seen.pmc0 = get(b, MONT_REG_PMC, 0);
	seen.pmd = get(b, MONT_REG_PMD, 4);
}

static void freeze(void)
{
	static struct mont_block b = { .tell = on_interrupt };
	static struct mont_block again = { .tell = on_interrupt, .nr_reload = 2 };
	u64 period, n;

	t = new_thread(1);
	add(&b);
	must(&b, pmc(4, INSTS | 15 | 0x20));
	must(&b, pmc(5, LOADS | 15));
	for (period = 1; period <= 200; period++) {
		seen.calls = 0;
		must(&b, pmc(0, 0));
		must(&b, pmd(4, -period));
		must(&b, pmd(5, 0));
		for (n = 0; n < 250; n++)
			load(0x1000, 0, 0x5000);
		check(seen.calls == 1 && seen.pmc0 == 0x11 && !seen.pmd, "period %llu: %lu %llx",
		      (unsigned long long)period, seen.calls, (unsigned long long)seen.pmc0);
		check(!count(&b, 4) && count(&b, 5) == period, "frozen at %llu, not %llu",
		      (unsigned long long)count(&b, 5), (unsigned long long)period);
	}
	/* All of the group that overflows counts; then nothing. */
	must(&b, pmc(0, 0));
	must(&b, pmd(4, -2ULL));
	mont_signal_n(t, MONT_SIG_INST_RETIRED, 3, 7);
	mont_signal_n(t, MONT_SIG_INST_RETIRED, 3, 7);
	check(get(&b, MONT_REG_PMC, 0) == 0, "not before the group ends");
	mont_group_end(t);
	retire(t, 3, 7);
	check(count(&b, 4) == 4 && get(&b, MONT_REG_PMC, 0) == 0x11, "a group of six");
	/* Without oi it goes on, and says so. */
	must(&b, pmc(4, INSTS | 15));
	must(&b, pmc(0, 0));
	must(&b, pmd(4, -1ULL));
	seen.calls = 0;
	retire(t, 3, 7);
	retire(t, 3, 7);
	check(count(&b, 4) == 5 && get(&b, MONT_REG_PMC, 0) == 0x10 && !seen.calls, "without oi");
	/* Software freezes too. */
	must(&b, pmc(0, 1));
	retire(t, 3, 7);
	check(count(&b, 4) == 5, "by software");
	mont_block_del(&b);
	again.reload[0] = pmd(4, -10ULL);
	again.reload[1] = pmc(0, 0);
	add(&again);
	must(&again, pmc(4, INSTS | 15 | 0x20));
	must(&again, pmd(4, -10ULL));
	seen.calls = 0;
	for (n = 0; n < 1000; n++)
		retire(t, 1, 1);
	check(seen.calls == 100 && count(&again, 4) == (u64)-10 && !get(&again, MONT_REG_PMC, 0),
	      "reloaded %lu times", seen.calls);
	mont_block_del(&again);
	group("Q11: overflow, freeze and reload");
}

/* Filters that rows are compared under, and the rows that this is for. */
enum rows {
	ROWS_FREE, /* no filter: all */
	ROWS_DATA, /* a data range: those whose filters are the observer's */
	ROWS_BARE, /* a range and an opcode that nothing has: those with a filter of neither */
	NR_ROWS,
};

/* Rows of this processor's table beside observers of the events that they name. */
static void rows(enum rows mode)
{
	static const char *const what[NR_ROWS] = {
		[ROWS_FREE] = "rows that name an event equal its observer",
		[ROWS_DATA] = "rows with a data range equal observers with it",
		[ROWS_BARE] = "Q12: rows without a filter are not constrained by it",
	};
	static const u32 least[NR_ROWS] = { 90, 30, 20 };
	static const u32 instruction = MONT_EVF_IAR | MONT_EVF_OPC;
	static struct mont_block b[MONT_MERCED_EVENTS];
	static struct mont_observer o[MONT_MERCED_EVENTS];
	u32 i, nr = 0, n;

	t = new_thread(1);
	t->pmu.timed = true;
	memset(b, 0, sizeof(b));
	memset(o, 0, sizeof(o));
	for (i = 0; i < MONT_MERCED_EVENTS; i++) {
		const struct mont_block_event *e = mont_merced_event(i);
		const struct mont_event *like = mont_event_resolve(e->row, strlen(e->row), NULL);
		const char *why = "";

		if (!*e->row || e->e.refusal || e->e.castouts)
			continue;
		if ((mode == ROWS_DATA && e->e.filters != like->filters) ||
		    (mode == ROWS_BARE && (e->e.filters & instruction)))
			continue;
		check(!!like, "%s", e->row);
		o[nr].filter =
			(struct mont_filter){ .code = like->code, .umask = like->umask, .plm = 15 };
		if (mode == ROWS_DATA && (e->e.filters & MONT_EVF_DAR)) {
			o[nr].filter.flags |= MONT_FILTER_DAR;
			o[nr].filter.dar_lo = 0x10000;
			o[nr].filter.dar_hi = 0x20000;
		}
		check(!mont_observer_attach(t, &o[nr], &why), "%s: %s", e->row, why);
		add(&b[nr]);
		must(&b[nr], pmc(4, ES(e->e.code, e->e.umask) | 15));
		if (mode == ROWS_BARE) {
			must(&b[nr], pmc(13, 0));
			must(&b[nr], pmc(8, 0));
		}
		if (mode == ROWS_DATA) {
			must(&b[nr], (struct mont_block_reg){ MONT_REG_DBR, 0, 0x10000 });
			must(&b[nr], (struct mont_block_reg){ MONT_REG_DBR, 1, 0xffffffffff0000 });
			must(&b[nr], pmc(11, 0));
		}
		nr++;
	}
	for (n = 0; n < 20000; n++) {
		enum mont_signal sig = rnd_below(MONT_NR_SIGNALS);

		t->s.ip = 0x1000 + rnd_below(64) * 16;
		t->sig_slot = rnd_below(3);
		if (mont_signal_kind(sig) == MONT_ATTR_DATA)
			raise_any(t, sig, 1, rnd_below(0x30000), rnd() & 0x3ffff);
		else if (mont_signal_kind(sig) == MONT_ATTR_SLOTS)
			raise_any(t, sig, 2, 5, 0);
		else
			raise_any(t, sig, 1 + rnd_below(3),
				  mont_signal_kind(sig) == MONT_ATTR_SPAN ? 1 : rnd_below(16), 0);
		if (!rnd_below(4)) {
			mont_group_end(t);
			t->clock++;
		}
	}
	for (i = 0; i < nr; i++) {
		u64 want = mont_observer_read(t, &o[i]);

		check(count(&b[i], 4) == want, "%s: %llu, not %llu", o[i].event->name,
		      (unsigned long long)count(&b[i], 4), (unsigned long long)want);
		mont_block_del(&b[i]);
		mont_observer_detach(t, &o[i]);
	}
	check(nr > least[mode], "%u rows", nr);
	group(what[mode]);
}

/* The sum of each cycle's operations: its lower two bits, and those above. */
static void operations(void)
{
	static struct mont_block b;
	u64 low = 0, high = 0, many = 0;
	u32 n, i, k;

	t = new_thread(1);
	t->pmu.timed = true;
	memset(&b, 0, sizeof(b));
	add(&b);
	must(&b, pmc(4, ES(0x09, 0) | 15));
	must(&b, pmc(5, ES(0x0a, 0) | 15));
	must(&b, pmc(6, ES(0x0a, 0) | 15 | 1 << 20));
	must(&b, pmc(7, ES(0x09, 0) | 15));
	must(&b, pmd(7, -5ULL));
	for (i = 0; i < 500; i++) {
		u32 sum = 0;

		for (k = rnd_below(4); k; k--) {
			n = 1 + rnd_below(4);
			sum += n;
			mont_signal_n(t, MONT_SIG_FP_OPS, n, 0);
			if (!rnd_below(5))
				must(&b, pmd(6, count(&b, 6)));
		}
		mont_group_end(t);
		t->clock++;
		low += sum & 3;
		high += sum >> 2;
		many += sum >> 2 > 1;
		check(count(&b, 4) == low && count(&b, 5) == high && count(&b, 6) == many,
		      "cycle %u: %llu %llu %llu", i, (unsigned long long)count(&b, 4),
		      (unsigned long long)count(&b, 5), (unsigned long long)count(&b, 6));
	}
	check(low && high && many && get(&b, MONT_REG_PMC, 0) == 0x80, "they overflow");
	mont_block_del(&b);
	group("floating-point operations by cycle");
}

/* Loads that wait for data in each cycle, against a number by cycle. */
#define CYCLES 4000
#define LONGEST 60

static void under_way(void)
{
	static u8 number[CYCLES + LONGEST + 1];
	static struct mont_block b;
	u64 low = 0, high = 0, many = 0, latencies = 0;
	u32 i, n, k;

	t = new_thread(1);
	t->pmu.timed = true;
	memset(&b, 0, sizeof(b));
	memset(number, 0, sizeof(number));
	add(&b);
	must(&b, pmc(4, ES(0x78, 0) | 15));
	must(&b, pmc(5, ES(0x79, 0) | 15));
	must(&b, pmc(6, ES(0x78, 0) | 15 | 4 << 20));
	must(&b, pmc(7, ES(0x78, 0) | 15));
	must(&b, pmd(7, -5ULL));
	for (i = 0; i < CYCLES; i++) {
		mont_signal(t, MONT_SIG_CYCLE, 0);
		low += number[i] % 8;
		high += number[i] / 8;
		many += number[i] % 8 > 4;
		for (n = i / 500 % 2 ? 0 : rnd_below(4); n; n--) {
			static const u32 kinds[] = { 0, MONT_DATA_FP, 0, MONT_DATA_SEMAPHORE };
			struct mont_ref ref = { .va = rnd_below(1000),
						.size = 8,
						.kind = kinds[rnd_below(4)] };
			u32 latency = 1 + rnd_below(LONGEST);

			/* No more than the OzQ has entries for. */
			if (!ref.kind && number[i + 1] >= MONT_BLOCK_LOADS)
				continue;
			mont_signal_line_at(t, MONT_SIG_LOAD_SERVED, &ref, latency, t->clock);
			for (k = 1; !ref.kind && k <= latency; k++)
				number[i + k]++;
			latencies += ref.kind ? 0 : latency;
		}
		mont_group_end(t);
		t->clock++;
		check(count(&b, 4) == low && count(&b, 5) == high && count(&b, 6) == many,
		      "cycle %u: %llu %llu %llu", i, (unsigned long long)count(&b, 4),
		      (unsigned long long)count(&b, 5), (unsigned long long)count(&b, 6));
	}
	check(high && many && low + 8 * high == latencies, "latencies: %llu, not %llu",
	      (unsigned long long)(low + 8 * high), (unsigned long long)latencies);
	check(get(&b, MONT_REG_PMC, 0) == 0x80, "they overflow");
	mont_block_del(&b);
	group("L1_OUTSTANDING_REQ: loads that wait for data, by cycle");
}

/* A category of cycles is the sum of the causes that its definition names. */
static void categories(void)
{
	static const struct {
		u8 code;
		const char *causes;
	} parts[] = {
		{ 0x00, "XPN SWITCH BRU" },
		{ 0x02, "FR GRGR ARCR PR" },
		{ 0x03, "L1D_ FP_LOAD LOAD" },
		{ 0x07, "L1D_ FP_LOAD LOAD RSE_" },
		{ 0x04, "XPN SWITCH BRU" },
		{ 0x06, "FR GRGR ARCR PR" },
		{ 0x01, "" },
		{ 0x05, "" },
	};
	/* And signals of cycles: so many of them */
	static const struct {
		enum mont_signal sig;
		u8 code[2];
		u8 n;
	} others[] = {
		{ MONT_SIG_FE_OWED_FLUSH, { 0x04, 0x04 }, 3 },
		{ MONT_SIG_FE_OWED_ACCESS, { 0x01, 0x05 }, 5 },
		{ MONT_SIG_RETIRES, { 0x05, 0x05 }, 7 },
		{ MONT_SIG_RETIRES_REST, { 0x06, 0x06 }, 11 },
	};
	static const char *const names[] = {
#define MONT_CAUSE(name, bar, meaning) #name,
#include "pipeline/causes.def"
#undef MONT_CAUSE
	};
	static struct mont_block b[MONT_ARRAY_SIZE(parts)];
	u64 want[MONT_ARRAY_SIZE(parts)] = { 0 };
	u32 i, c, n;

	t = new_thread(1);
	t->pmu.timed = true;
	memset(b, 0, sizeof(b));
	for (i = 0; i < MONT_ARRAY_SIZE(parts); i++) {
		add(&b[i]);
		must(&b[i], pmc(5, ES(parts[i].code, 0) | 15));
	}
	for (c = 0; c < MONT_ARRAY_SIZE(names); c++) {
		for (n = 0; n <= c; n++) {
			mont_signal_n(t, MONT_SIG_BUBBLE_XPN + c, 1, 0);
			mont_group_end(t);
			t->clock++;
		}
		for (i = 0; i < MONT_ARRAY_SIZE(parts); i++) {
			char words[64], *word;

			strcpy(words, parts[i].causes);
			for (word = strtok(words, " "); word; word = strtok(NULL, " "))
				if (word[strlen(word) - 1] == '_'
					    ? !strncmp(names[c], word, strlen(word))
					    : !strcmp(names[c], word))
					want[i] += c + 1;
		}
	}
	for (c = 0; c < MONT_ARRAY_SIZE(others); c++)
		for (n = 0; n < others[c].n; n++) {
			mont_signal(t, others[c].sig, 0);
			mont_group_end(t);
			t->clock++;
			for (i = 0; i < MONT_ARRAY_SIZE(parts); i++)
				want[i] += parts[i].code == others[c].code[0] ||
					   parts[i].code == others[c].code[1];
		}
	for (i = 0; i < MONT_ARRAY_SIZE(parts); i++) {
		check(want[i] && count(&b[i], 5) == want[i], "%#x: %llu, not %llu", parts[i].code,
		      (unsigned long long)count(&b[i], 5), (unsigned long long)want[i]);
		mont_block_del(&b[i]);
	}
	group("categories of cycles");
}

static void branches(void)
{
	static const u8 umask[] = { 1, 2, 4, 8 };
	static struct mont_block b;
	u32 i, n;

	t = new_thread(1);
	memset(&b, 0, sizeof(b));
	add(&b);
	for (i = 0; i < 4; i++)
		must(&b, pmc(4 + i, ES(0x0d, umask[i]) | 15));
	for (i = 0; i < 6; i++)
		for (n = 0; n <= i; n++) {
			t->sig_slot = i % 3;
			mont_signal_branch(t, MONT_BR_IPREL, 0x4000, i < 3);
			mont_group_end(t);
		}
	check(count(&b, 4) == 1 && count(&b, 5) == 2 && count(&b, 6) == 3 && count(&b, 7) == 15,
	      "by slot");
	mont_block_del(&b);
	group("branches by slot");
}

/* Bundles with several branches, of each outcome and prediction. */
static void multiway(void)
{
	static const u8 masks[12] = { 0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15 };
	static struct mont_block b[3];
	static struct mont_bundle bundle;
	u64 want[16] = { 0 };
	u32 i, n, slot;

	t = new_thread(1);
	t->pmu.timed = true;
	t->cur = &bundle;
	memset(b, 0, sizeof(b));
	for (i = 0; i < 12; i++) {
		if (!(i & 3))
			add(&b[i / 4]);
		must(&b[i / 4], pmc(4 + i % 4, ES(0x0e, masks[i]) | 15));
	}
	for (n = 0; n < 3000; n++) {
		u32 wrong = 0, taken = rnd_below(4), last = 0;

		/* Two or three branches, or one; the last that may be is in slot 2. */
		bundle.branches = n % 5 ? (n % 2 ? 6 : 7) : 4;
		t->s.ip = 0x1000 + rnd_below(2) * 16;
		for (slot = 0; slot < 3; slot++) {
			if (!(bundle.branches >> slot & 1))
				continue;
			t->sig_slot = slot;
			t->sig_outcome = rnd_below(3) ? 0 : 1 + rnd_below(2);
			wrong |= t->sig_outcome;
			last = slot == taken;
			mont_signal_branch(t, MONT_BR_IPREL, 0x4000, last);
			if (last)
				break;
		}
		mont_group_end(t);
		t->clock++;
		if (bundle.branches == 4)
			continue;
		i = last ? 12 : 8;
		slot = !wrong ? 1 : wrong & 1 ? 2 : 3;
		want[0]++;
		want[slot]++;
		want[i]++;
		want[i + slot]++;
	}
	for (i = 0; i < 12; i++)
		check(want[masks[i]] && count(&b[i / 4], 4 + i % 4) == want[masks[i]],
		      "unit mask %u: %llu, not %llu", masks[i],
		      (unsigned long long)count(&b[i / 4], 4 + i % 4),
		      (unsigned long long)want[masks[i]]);
	for (i = 0; i < 3; i++)
		mont_block_del(&b[i]);
	group("bundles with several branches");
}

int main(void)
{
	registers();
	refused();
	settings();
	tags();
	monitors();
	followed();
	freeze();
	rows(ROWS_FREE);
	rows(ROWS_DATA);
	rows(ROWS_BARE);
	operations();
	under_way();
	categories();
	branches();
	multiway();
	return tap_end();
}
