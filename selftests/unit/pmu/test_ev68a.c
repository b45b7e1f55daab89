// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Alpha 21264/EV68A's counters: their registers and rules E1 to E10 of
 * Documentation/facts/observers-facts.md. What is fetched, retires and happens to it is raised
 * by hand, so that each window is known.
 */
#include "pmu/block.h"
#include "pmu/ev68a.h"
#include "pmu_test.h"
#include "pmu/registers.h"

#define PMPC 0x05
#define IER_CM 0x0b
#define ISUM 0x0d
#define HW_INT_CLR 0x0e
#define I_CTL 0x11
#define PCTR_CTL 0x14
#define I_STAT 0x16
#define PCTX 0x40

#define PERIOD (1ULL << 20)
#define BOTH 0xc0001ULL
#define PCEN (3ULL << 29)
#define SL0 0x10ULL
#define SL1(n) ((u64)(n) << 2)
#define CODE 0x4000

static struct mont_thread *t;
static struct mont_block block;

static struct {
	u32 cause;
	u64 ip;
	u32 slot;
	u64 value[3];
} told[64];
static u32 nr_told;

static void tell(struct mont_block *b)
{
	if (nr_told == MONT_ARRAY_SIZE(told))
		return;
	told[nr_told].cause = b->cause;
	told[nr_told].ip = b->at.ip;
	told[nr_told].slot = b->at.slot;
	memcpy(told[nr_told].value, b->value, sizeof(told[nr_told].value));
	nr_told++;
}

static int set(u32 index, u64 value)
{
	struct mont_block_reg reg = { MONT_BLOCK_REG_IPR, index, value };
	const char *why;
	u32 bad;

	return mont_block_set(&block, &reg, 1, &bad, &why);
}

static u64 get_of(u32 class, u32 index)
{
	struct mont_block_reg reg = { class, index, 0 };

	check(!mont_block_get(&block, &reg), "get %#x of %u", index, class);
	return reg.value;
}

static u64 get(u32 index)
{
	return get_of(MONT_BLOCK_REG_IPR, index);
}

static u64 pctr(u32 n)
{
	return get(PCTR_CTL) >> (n ? 6 : 28) & (PERIOD - 1);
}

static u64 counters(u64 pctr0, u64 pctr1)
{
	return pctr0 << 28 | pctr1 << 6;
}

static void begin(void)
{
	const char *why = "";

	t = new_thread(1);
	t->pmu.timed = true;
	mont_pmu_reset(t);
	t->clock = 1000;
	test_bundle.nr = 3;
	t->grmap[8] = 8;
	memset(&block, 0, sizeof(block));
	block.tell = tell;
	nr_told = 0;
	check(!mont_block_add(t, &block, MONT_BLOCK_EV68A, &why), "%s", why);
}

/* A machine whose counters are on, with @ctl in PCTR_CTL. */
static void begin_with(u64 ctl)
{
	begin();
	check(!set(IER_CM, PCEN) && !set(PCTR_CTL, ctl) && !set(I_CTL, BOTH), "on");
}

static void registers(void)
{
	static const u32 all[] = { PMPC, IER_CM, ISUM, HW_INT_CLR, I_CTL, PCTR_CTL, I_STAT, PCTX };
	static const u32 status[] = { 0, 1, 26, 27 };
	u64 v;
	u32 i;

	begin();
	for (i = 0; i < MONT_ARRAY_SIZE(all); i++)
		check(!get(all[i]), "IPR %#x", all[i]);
	check(set(0x04, 0) == MONT_ENOENT && set(0x15, 0) == MONT_ENOENT &&
		      set(0x41, 0) == MONT_ENOENT,
	      "no others");
	check(set(PMPC, 0) == MONT_EPERM && set(ISUM, 0) == MONT_EPERM &&
		      set(I_STAT, 0) == MONT_EPERM,
	      "read only");
	check(!set(I_CTL, ~0ULL) && get(I_CTL) == BOTH && !set(I_CTL, 0), "I_CTL");
	check(!set(IER_CM, ~0ULL) && get(IER_CM) == PCEN, "IER_CM");
	check(!set(PCTX, ~0ULL) && get(PCTX) == 2, "PCTX");
	v = counters(0x80000, 0x12345) | SL0 | SL1(3);
	check(!set(PCTR_CTL, v | 0x20) && get(PCTR_CTL) == (v | 0xffffULL << 48),
	      "the sign, and a bit that reads 0");
	check(!set(PCTR_CTL, v | 0xffffULL << 48), "the sign as it is read");
	for (i = 0; i < MONT_ARRAY_SIZE(status); i++)
		check(set(PCTR_CTL, 1ULL << status[i]) == MONT_EPERM, "bit %u can only be read",
		      status[i]);
	check(get(PCTR_CTL) == (v | 0xffffULL << 48), "and nothing is written");
	check(!set(PCTR_CTL, counters(0x7ffff, 1)) && get(PCTR_CTL) == counters(0x7ffff, 1),
	      "no sign");
	check(set(PCTR_CTL, 0xffffULL << 48 | 1) == MONT_EPERM &&
		      set(PCTR_CTL, 1ULL << 63) == MONT_EPERM,
	      "a sign that there is not");
	mont_block_del(&block);
	group("registers by their numbers");
}

static void starts(void)
{
	begin();
	check(!set(PCTR_CTL, counters(PERIOD - 16, PERIOD - 4)), "the last starts");
	check(set(PCTR_CTL, counters(PERIOD - 15, 0)) == MONT_EINVAL &&
		      set(PCTR_CTL, counters(0, PERIOD - 3)) == MONT_EINVAL,
	      "later ones");
	check(pctr(0) == PERIOD - 16 && pctr(1) == PERIOD - 4, "nothing is written");
	mont_block_del(&block);
	group("E2: starts");
}

static void happen(enum mont_signal sig, u64 n)
{
	mont_signal_n(t, sig, n, sig == MONT_SIG_INST_RETIRED ? 7 : 0);
	t->clock++;
	mont_group_end(t);
}

static void enables(void)
{
	u32 bits, n;

	for (bits = 0; bits < 32; bits++) {
		u64 i_ctl = (bits & 1) | (u64)(bits >> 1 & 3) << 18;
		bool on = (bits & 1) || (bits & 8);

		begin();
		check(!set(I_CTL, i_ctl) && !set(PCTX, bits & 8 ? 2 : 0) &&
			      !set(IER_CM, bits & 16 ? PCEN : 0) &&
			      !set(PCTR_CTL, counters(PERIOD - 16, PERIOD - 16)),
		      "enables");
		for (n = 0; n < 10; n++) {
			happen(MONT_SIG_INST_RETIRED, 3);
			happen(MONT_SIG_CYCLE, 1);
		}
		check(pctr(0) == (on && (bits & 2) ? 14 : PERIOD - 16), "%x: PCTR0", bits);
		check(pctr(1) == (on && (bits & 4) ? PERIOD - 6 : PERIOD - 16), "%x: PCTR1", bits);
		check(get(ISUM) == (on && (bits & 2) && (bits & 16) ? 1ULL << 29 : 0), "%x: ISUM",
		      bits);
		check(nr_told == !!get(ISUM), "%x: told", bits);
		check(!set(HW_INT_CLR, 1ULL << 30) && get(ISUM) >> 29 == nr_told, "another bit");
		check(!set(HW_INT_CLR, 1ULL << 29) && !get(ISUM), "cleared");
		mont_block_del(&block);
	}
	group("E1: enables, and what overflows");
}

static void inputs(void)
{
	static const u64 want[4][2] = { { 300, 100 }, { 100, 0 }, { 300, 70 }, { 100, 60 } };
	struct mont_ref ref = { .va = 0x100, .size = 8 };
	u32 sl1, i;

	for (sl1 = 0; sl1 < 4; sl1++) {
		begin_with(SL1(sl1));
		for (i = 0; i < 100; i++)
			happen(MONT_SIG_CYCLE, 1);
		for (i = 0; i < 15; i++)
			happen(MONT_SIG_INST_RETIRED, 20);
		for (i = 0; i < 70; i++)
			mont_signal_line(t, i & 1 ? MONT_SIG_L3_DATA_MISS : MONT_SIG_L3_WB_MISS,
					 &ref, 0);
		ref.kind = 0;
		for (i = 0; i < 50; i++)
			mont_signal_ref(t, MONT_SIG_REPLAYED, &ref);
		for (i = 0; i < 20; i++) {
			ref.kind = i & 1 ? MONT_DATA_FAILED : 0;
			mont_signal_ref(t, MONT_SIG_ALAT_CHECK, &ref);
		}
		check(pctr(0) == want[sl1][0] && pctr(1) == want[sl1][1], "SL1 %u: %llu, %llu", sl1,
		      (unsigned long long)pctr(0), (unsigned long long)pctr(1));
		check(get_of(MONT_BLOCK_REG_OWN, 0) == want[sl1][0] &&
			      get_of(MONT_BLOCK_REG_OWN, 1) == want[sl1][1],
		      "totals");
		mont_block_del(&block);
	}
	group("E3: what the modes count, 20 that retire in a cycle among it");
}

static void wraps(void)
{
	u64 start, n;

	for (start = 0; start <= PERIOD - 16; start += start < PERIOD - 40 ? PERIOD - 40 : 1) {
		begin_with(counters(start, 0));
		for (n = 0; n < PERIOD - start - 1; n += 6)
			happen(MONT_SIG_INST_RETIRED,
			       PERIOD - start - 1 - n < 6 ? PERIOD - start - 1 - n : 6);
		check(!nr_told && pctr(0) == PERIOD - 1, "in front of the overflow");
		happen(MONT_SIG_INST_RETIRED, 6);
		check(nr_told == 1 && told[0].cause == 1 && pctr(0) == 5, "behind it");
		mont_block_del(&block);
	}
	group("E1, E2: counters go on behind their overflow");
}

/* ---- ProfileMe ---- */

struct group {
	u64 read; /* its pair */
	u64 ready;
	u64 formed;
	u64 issued;
	u32 slots;
	u32 retired;
	u32 dispersed;
	bool wrong;
	u32 trap;
	u32 trapped;
};

static u64 last_pair;

/* A bundle at @ip, all that @g says of it. */
static void fly(u64 ip, const struct group *g)
{
	if (g->read != last_pair) {
		mont_signal_at(t, MONT_SIG_L1I_READ, ip & ~31ULL, g->read + 1);
		last_pair = g->read;
	}
	t->clock = g->issued + 1;
	t->pmu.flight = (struct mont_flight){
		.ip = ip,
		.ready = g->ready,
		.formed = g->formed,
		.issued = g->issued,
		.slots = g->slots,
		.retired = g->retired,
		.dispersed = g->dispersed,
		.trap = g->trap,
		.trapped = g->trapped,
		.wrong = g->wrong,
		.begins = true,
		.ends = true,
	};
	mont_signal_n(t, MONT_SIG_FETCHED, mont_nr_slots(g->slots), 0);
	mont_group_end(t);
}

/* Bundle @i of a stream of them, one a cycle, each of which is read when it issues. */
static void stream(u32 i)
{
	u64 now = 2000 + i;
	struct group g = { now, now, now, now, 7, 7, 7, false, 0, 0 };

	fly(CODE + 32 * i, &g);
}

static void chosen(void)
{
	u32 n, i;

	for (n = 16; n < 120; n++) {
		begin_with(counters(PERIOD - n, 0) | SL0);
		for (i = 0; i < 80 && !nr_told; i++) {
			bool far = PERIOD - pctr(0) > MONT_EV68A_NEAR && !block.profile.open;

			/* In front it counts what retires and what is killed. */
			if (far) {
				t->clock = 2001 + i;
				mont_signal_n(t, MONT_SIG_INST_RETIRED, 2, 3);
				mont_signal_n(t, MONT_SIG_KILLED, 1, 0);
				mont_group_end(t);
			} else {
				stream(i);
			}
		}
		/* Four cycles of window, in each of which three retire, and what was late. */
		check(nr_told == 1 && told[0].cause == MONT_BLOCK_WINDOW, "%u: one window", n);
		check(told[0].ip == CODE + 32ULL * ((n - 1) / 3) && told[0].slot == (n - 1) % 3,
		      "%u: ip %#llx slot %u", n, (unsigned long long)told[0].ip, told[0].slot);
		check(told[0].value[0] == (told[0].ip | told[0].slot << 2), "PMPC");
		check((told[0].value[1] >> 30 & 7) == 6, "%u: OVR", n);
		check((told[0].value[2] >> 28 & (PERIOD - 1)) == 6 + 12 &&
			      (told[0].value[2] >> 6 & (PERIOD - 1)) == 4,
		      "%u: counts", n);
		check(told[0].value[2] & MONT_EV68A_VAL, "VAL");
		mont_block_del(&block);
	}
	group("E6, E7: the instruction that PCTR0 chooses, and its window");
}

static void stands(void)
{
	u64 before;
	u32 i;

	begin_with(counters(PERIOD - 16, 100) | SL0);
	for (i = 0; i < 40; i++)
		stream(i);
	check(nr_told == 1 && get(ISUM) == 1ULL << 29, "one window");
	check(pctr(1) == 104, "E5: PCTR1 goes on from where it was: %llu",
	      (unsigned long long)pctr(1));
	before = get(PCTR_CTL);
	for (; i < 200; i++) {
		stream(i);
		mont_signal_n(t, MONT_SIG_INST_RETIRED, 3, 7);
		mont_group_end(t);
	}
	check(nr_told == 1 && get(PCTR_CTL) == before, "nothing is counted");
	check((before & MONT_EV68A_VAL) && !set(PCTR_CTL, before), "what is read is written back");
	check(!set(PCTR_CTL, counters(PERIOD - 20, 0) | SL0), "anew");
	check(!(get(PCTR_CTL) & MONT_EV68A_VAL), "no status");
	for (; i < 300; i++)
		stream(i);
	check(nr_told == 2 && pctr(1) == 4, "E10: another window");
	mont_block_del(&block);
	group("E5, E7, E10: nothing is counted until PCTR_CTL is written");
}

/*
 * The 16th instruction is the first of a bundle @g, behind five others; two follow it. Each of
 * these is read and issues in cycle 2000 + its number.
 */
static void profile(u64 sl1, const struct group *g)
{
	u32 i;

	begin_with(counters(PERIOD - 16, 0) | SL0 | sl1);
	for (i = 0; i < 5; i++)
		stream(i);
	fly(CODE + 32 * 5, g);
	for (i = 0; i < 40; i++)
		stream(g->issued - 2000 + 1 + i);
	check(nr_told == 1, "told");
}

static void fates(void)
{
	static const struct {
		struct group g;
		u64 status;
		u64 i_stat;
		u64 cycles;
	} rows[] = {
		{ { 2005, 2005, 2005, 2005, 7, 7, 7, false, 0, 0 }, MONT_EV68A_VAL, 0, 4 },
		{ { 2005, 2007, 2020, 2030, 7, 7, 7, false, 0, 0 },
		  MONT_EV68A_VAL | MONT_EV68A_STALLED,
		  0,
		  29 },
		{ { 2005, 2006, 2007, 2005, 7, 0, 0, true, 0, 0 },
		  MONT_EV68A_KILLED | MONT_EV68A_STALLED,
		  0,
		  3 },
		{ { 2005, 2006, 2006, 2005, 7, 0, 7, true, 0, 0 }, 0, 0, 3 },
		{ { 2005, 2005, 2005, 2005, 7, 0, 7, false, 0, 0 }, 0, 0, 3 },
		{ { 2005, 2005, 2005, 2005, 7, 0, 7, false, MONT_FAULT_UNALIGNED, 1 },
		  0,
		  MONT_EV68A_TRP | 5ULL << 34,
		  4 },
		{ { 2005, 2005, 2005, 2005, 7, 0, 7, false, MONT_FAULT_UNALIGNED, 2 }, 0, 0, 4 },
		{ { 2005, 2005, 2005, 2005, 7, 1, 7, false, MONT_FAULT_FP_TRAP, 1 },
		  MONT_EV68A_VAL,
		  MONT_EV68A_TRP | 12ULL << 34,
		  4 },
	};
	u32 i;

	for (i = 0; i < MONT_ARRAY_SIZE(rows); i++) {
		profile(0, &rows[i].g);
		check((get(PCTR_CTL) & 0xc000003) == rows[i].status, "%u: status %#llx", i,
		      (unsigned long long)get(PCTR_CTL));
		check((get(I_STAT) & ~(7ULL << 30)) == rows[i].i_stat, "%u: I_STAT %#llx", i,
		      (unsigned long long)get(I_STAT));
		check(pctr(1) == rows[i].cycles, "%u: %llu cycles", i, (unsigned long long)pctr(1));
		mont_block_del(&block);
	}
	group("E7, E8: what retires, aborts, traps and waits");
}

/* An interruption between two groups, of the kind @fault. */
static void between(u32 fault, u64 pmpc, u64 type)
{
	u32 i;

	begin_with(counters(PERIOD - 16, 0) | SL0);
	for (i = 0; i < 5; i++)
		stream(i);
	mont_signal_n(t, MONT_SIG_KILLED, 1, fault);
	for (i = 6; i < 40; i++)
		stream(i);
	check(nr_told == 1 && !(get(PCTR_CTL) & MONT_EV68A_VAL), "%u", fault);
	check(get(PMPC) == pmpc, "%u: PMPC %#llx", fault, (unsigned long long)get(PMPC));
	check((get(I_STAT) >> 34 & 0x3f) == (0x20 | type), "%u: I_STAT", fault);
	mont_block_del(&block);
}

static void traps(void)
{
	static const struct {
		u32 fault;
		u64 type;
	} rows[] = {
		{ MONT_FAULT_DTLB, 2 },		  { MONT_FAULT_VHPT_DATA, 3 },
		{ MONT_FAULT_DISABLED_FPL, 4 },	  { MONT_FAULT_UNALIGNED, 5 },
		{ MONT_FAULT_DACCESS_RIGHTS, 7 }, { MONT_FAULT_ILLEGAL_OP, 8 },
		{ MONT_FAULT_MACHINE_CHECK, 10 }, { MONT_FAULT_FP_FAULT, 12 },
	};
	u32 i;

	for (i = 0; i < MONT_ARRAY_SIZE(rows); i++) {
		struct group g = { 2005, 2005, 2005, 2005, 7, 0, 7, false, rows[i].fault, 1 };

		profile(0, &g);
		check((get(I_STAT) >> 34 & 0x3f) == (0x20 | rows[i].type), "type %u",
		      (u32)rows[i].type);
		mont_block_del(&block);
	}
	between(MONT_FAULT_IACCESS_RIGHTS, 0x481, 1);
	between(MONT_FAULT_ITLB, 0x581, 1);
	between(MONT_FAULT_EXTINT, 0x681, 1);
	group("types of traps");
}

/* Things that the instruction does before it is told of. */
static void does(void)
{
	struct mont_ref ref = { .va = 0x100, .size = 8 };
	struct group g = { 2005, 2005, 2005, 2005, 7, 7, 7, false, 0, 0 };
	u32 what, i;

	for (what = 0; what < 5; what++) {
		static const u64 want[] = { MONT_EV68A_TRP, MONT_EV68A_TRP | MONT_EV68A_LSO,
					    MONT_EV68A_TRP | 6ULL << 34, MONT_EV68A_ICM, 0 };

		begin_with(counters(PERIOD - 16, 0) | SL0 | SL1(3));
		for (i = 0; i < 5; i++)
			stream(i);
		t->s.ip = CODE + 32 * 5;
		t->sig_slot = 0;
		t->clock = 2006;
		ref.kind = what == 1 ? MONT_DATA_FAILED : 0;
		ref.va = t->s.ip;
		if (what == 0)
			mont_signal_ref(t, MONT_SIG_REPLAYED, &ref);
		else if (what == 3)
			mont_signal_at(t, MONT_SIG_L1I_READ, t->s.ip, 2006);
		else if (what != 2)
			mont_signal_ref(t, MONT_SIG_ALAT_CHECK, &ref);
		else
			mont_signal_line(t, MONT_SIG_DTLB_SERVED, &ref, MONT_DTLB_VHPT);
		if (what == 3) {
			mont_signal_line_at(t, MONT_SIG_FETCH_SERVED, &ref, 5, 2006);
			last_pair = 2005;
		}
		fly(CODE + 32 * 5, &g);
		for (i = 6; i < 40; i++)
			stream(i);
		check((get(I_STAT) & ~(7ULL << 30)) == want[what], "%u: %#llx", what,
		      (unsigned long long)get(I_STAT));
		/* In cycle 2009, that of REG; the window begins in 2010. */
		check(pctr(1) == 0, "in front of the window");
		mont_block_del(&block);
	}
	group("replays, ALAT checks that fail, walks, new lines");
}

/* Misses in cycle @at of the model's clock, and the window of the 16th instruction: 2010 to 2013. */
static u64 missed(u64 at, enum mont_signal sig)
{
	struct mont_ref ref = { .va = 0x100, .size = 8 };
	u64 n;
	u32 i;

	begin_with(counters(PERIOD - 16, 0) | SL0 | SL1(sig == MONT_SIG_REPLAYED ? 3 : 2));
	for (i = 0; i < 40; i++) {
		if (2000 + i == at) {
			t->clock = at + 1;
			mont_signal_ref(t, sig, &ref);
		}
		stream(i);
	}
	n = pctr(1);
	mont_block_del(&block);
	return n;
}

static void early(void)
{
	u64 at;

	/* REG is four cycles behind issue, and misses count three cycles early. */
	for (at = 1996; at < 2020; at++) {
		check(missed(at, MONT_SIG_L3_DATA_MISS) ==
			      (at + 4 + 3 >= 2010 && at + 4 + 3 < 2014),
		      "E4: a miss in cycle %llu", (unsigned long long)at);
		check(missed(at, MONT_SIG_REPLAYED) == (at + 4 >= 2010 && at + 4 < 2014),
		      "a replay in cycle %llu", (unsigned long long)at);
	}
	group("E4: misses count three cycles early");
}

static void delays(void)
{
	u64 gap;

	for (gap = 0; gap < 60; gap++) {
		u64 now = 2005 + gap;
		struct group g = { 2005, 2005, now, now, 7, 7, 7, false, 0, 0 };

		profile(SL1(1), &g);
		/* The group before has issued in cycle 2004. */
		check(pctr(1) == gap + 1, "%llu", (unsigned long long)pctr(1));
		check(pctr(0) - (get(I_STAT) >> 30 & 7) == gap + 4, "cycles");
		mont_block_del(&block);
	}
	group("E9: retire delays");
}

int main(void)
{
	registers();
	starts();
	enables();
	inputs();
	wraps();
	chosen();
	stands();
	fates();
	traps();
	does();
	early();
	delays();
	return tap_end();
}
