// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counting lazily is counting. The same random streams of signals and control
 * changes go through the model and through a second PMU that looks at every
 * counter for every signal (ref.h); registers must agree after every step.
 */
#include "ref.h"
#include "pmu/registers.h"

static struct mont_thread *t;
static struct ref r;
static unsigned long freezes;
/* To tag bundles that can be, and how many have been. */
static bool tagging;
static unsigned long nr_tagged;

/* Bundles of every defined template, at test_ram[2 * n], and the nops in them. */
#define NR_BUNDLES 72
static u8 nops[NR_BUNDLES];

static const u8 templates[24] = {
	0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 22, 23, 24, 25, 28, 29,
};

/* Perhaps tagged; its nops if it is, or -1. */
static int random_bundle(struct ref_signal *s)
{
	unsigned int n = rnd_below(NR_BUNDLES);

	test_bundle.tag = (16 * n) | 1;
	s->raw = &test_ram[2 * n];
	/* Few enough addresses for ranges to hit and to miss; one page is at two of them. */
	s->ip = 0x4000000000010000ULL + 16 * n + (rnd_below(8) ? 0 : 1ULL << 56);
	t->s.ip = s->ip;
	/* As the run loop does, or as it does where nothing may be counted ahead. */
	return tagging && tag_bundle(t, test_bundle.tag, nops[n]) ? nops[n] : -1;
}

/* Addresses a few bits apart, now and then one of the bits that DBRs always compare. */
static u64 random_data(void)
{
	return (0x6000000000000000ULL + 8 * rnd_below(512)) ^
	       (rnd_below(8) ? 0 : 1ULL << (56 + rnd_below(8)));
}

/* Raise it in both. */
static void raise(struct ref_signal *s)
{
	t->sig_slot = s->slot;
	raise_tagged(t, s->sig, s->n, s->attr, s->data);
	ref_signal(&r, s);
}

/* A group begins: one of some that read the PMU further back, or not. */
static void group_begin(void)
{
	if (rnd_below(4))
		return;
	mont_group_mark(t);
	ref_mark(&r);
}

static void group_end(void)
{
	bool was = r.pmc[0] & 1;

	mont_group_end(t);
	ref_group_end(&r);
	freezes += !was && (r.pmc[0] & 1);
}

static bool same(const char *what, unsigned long step)
{
	unsigned int i;
	bool good = true;

	good &= check(mont_pmc_read(t, 0) == ref_pmc0_read(&r),
		      "%s step %lu: pmc0 %#llx, not %#llx", what, step,
		      (unsigned long long)mont_pmc_read(t, 0),
		      (unsigned long long)ref_pmc0_read(&r));
	good &= check(t->s.pmu_irq == r.irq, "%s step %lu: irq %u", what, step, t->s.pmu_irq);
	for (i = 4; i < 16; i++) {
		u64 got = mont_pmd_read(t, i, 0), want = ref_pmd_read(&r, i, 0);

		good &= check(got == want, "%s step %lu: pmd%u %#llx, not %#llx (pmc %#llx)", what,
			      step, i, (unsigned long long)got, (unsigned long long)want,
			      (unsigned long long)r.pmc[i]);
	}
	return good;
}

static void write_pmc(u64 idx, u64 v)
{
	mont_pmc_write(t, idx, v);
	ref_pmc_write(&r, idx, v);
	if (idx >= 4 && idx <= 15)
		r.group[idx] = 0;
}

static void write_pmd(u64 idx, u64 v)
{
	mont_pmd_write(t, idx, v);
	ref_pmd_write(&r, idx, v);
}

/* Mostly counted events, on mostly enabled counters. */
static u64 random_pmc(void)
{
	static const u8 codes[] = {
		CODE_INST,  CODE_INST,	CODE_NOPS,   CODE_SQUASHED, CODE_BR, CODE_BR, CODE_CPL,
		CODE_LOADS, CODE_LOADS, CODE_STORES, CODE_INTG,	    0x12,    0x00,    0xff,
	};
	static const u8 br[] = { 0, 4, 8, 12 };
	u8 code = codes[rnd_below(sizeof(codes))];
	u64 umask = 0;

	if (code == CODE_INST)
		umask = rnd_below(4);
	else if (code == CODE_BR)
		umask = br[rnd_below(4)];
	else if (code == CODE_CPL)
		umask = rnd_below(2) ? 1 << rnd_below(4) : 15;
	if (!rnd_below(16))
		umask = rnd_below(16);
	return PMC(code, umask, rnd_below(4) ? PLM_ALL : rnd_below(16)) | (rnd_below(3) ? 0 : OI) |
	       (rnd_below(3) ? 0 : PM) | (rnd_below(4) ? 0 : ALL_THREADS) |
	       (rnd_below(3) ? 0 : THRESHOLD(rnd_below(8))) | (rnd_below(8) ? 0 : 0xfULL << 27);
}

static void random_constraint(void)
{
	unsigned int k = rnd_below(8);
	const u64 *raw = &test_ram[2 * rnd_below(NR_BUNDLES)];
	unsigned __int128 bundle = (unsigned __int128)raw[1] << 64 | raw[0];
	u64 v = 0x4000000000010000ULL + 16 * rnd_below(64);
	u64 control = (rnd_below(2) ? (1ULL << 56) - 1 : ~0x3ffULL & ((1ULL << 56) - 1)) |
		      (rnd_below(4) ? 15ULL : rnd_below(16)) << 56 |
		      (rnd_below(6) ? 0 : 1ULL << 63);

	switch (rnd_below(8)) {
	case 0:
	case 1:
		v = k & 1 ? control : v;
		mont_signals_fold(t);
		t->s.ibr[k] = v;
		r.ibr[k] = v;
		mont_signals_arm(t);
		break;
	case 2:
		v = k & 1 ? control : 0x6000000000000000ULL + 64 * rnd_below(32);
		mont_signals_fold(t);
		t->s.dbr[k] = v;
		r.dbr[k] = v;
		mont_signals_arm(t);
		break;
	case 3:
		/* A matcher: mostly one opcode field, or everything. */
		k &= 1;
		write_pmc(32 + 2 * k,
			  rnd_below(3) ? 0x000f01ffffffffffULL | (rnd_below(2) ? 1ULL << 57 : 0) |
						 (rnd_below(3) ? 0 : 1ULL << 56)
				       : (rnd_below(2) ? 15ULL : rnd_below(16)) << 48 |
						 0x1fffffffffULL | (rnd_below(2) ? 1ULL << 57 : 0));
		write_pmc(33 + 2 * k, (u64)(bundle >> (5 + 41 * rnd_below(3))));
		break;
	case 4:
		write_pmc(36, rnd_below(3) ? rnd() : 0xf);
		break;
	case 5:
		write_pmc(38, rnd_below(3) ? 0xdb6 : rnd_below(2) ? rnd() : rnd() & ~0x2000ULL);
		break;
	case 6:
		write_pmc(41, rnd_below(3) ? 0x2078fefefefe : rnd());
		break;
	case 7:
		/* Back to reset, so that unconstrained stretches stay frequent. */
		write_pmc(32, ~0ULL);
		write_pmc(34, ~0ULL);
		write_pmc(38, 0xdb6);
		write_pmc(41, 0x2078fefefefe);
		break;
	}
}

static void change(bool constraints)
{
	unsigned int n = 4 + rnd_below(12);
	u64 psr;

	switch (rnd_below(constraints ? 9 : 7)) {
	case 0:
	case 1:
		write_pmc(n, random_pmc());
		break;
	case 2:
		write_pmd(n, rnd_below(2) ? CARRY - 1 - rnd_below(200) : rnd());
		break;
	case 3:
		write_pmc(0, rnd_below(8) ? rnd() & ~1ULL : rnd());
		break;
	case 4:
		t->s.pmu_irq = 0;
		r.irq = 0;
		write_pmc(0, 0);
		break;
	case 5:
	case 6:
		psr = (rnd_below(4) ? MONT_PSR_UP : 0) | (rnd_below(4) ? MONT_PSR_PP : 0) |
		      (u64)rnd_below(4) << 32;
		set_psr(t, psr);
		r.psr = psr;
		break;
	default:
		random_constraint();
		break;
	}
}

/* Retire a tagged bundle with @nops, in one go or two. */
static void retire_kind(struct ref_signal *s, unsigned int nops)
{
	bool l = (s->raw[0] & 30) == 4;
	unsigned int slots = l ? 5 : 7, end = l && rnd_below(2) ? 1 : 1 + rnd_below(3);
	unsigned int middle = rnd_below(2) ? 0 : rnd_below(end);

	if (middle)
		retire_tagged(t, 0, middle);
	retire_tagged(t, middle, end);
	mont_tags_end(t);
	s->sig = MONT_SIG_NOP_RETIRED;
	s->n = 1;
	s->attr = 0;
	for (s->slot = 0; s->slot < end; s->slot++) {
		if (nops >> s->slot & 1)
			ref_signal(&r, s);
	}
	s->sig = MONT_SIG_INST_RETIRED;
	s->attr = slots & ((1 << end) - 1);
	s->n = __builtin_popcount(s->attr);
	ref_signal(&r, s);
	nr_tagged++;
}

/* One bundle's worth of signals, INST_RETIRED last; perhaps the end of a group. */
static void bundle(void)
{
	struct ref_signal s = { 0 };
	unsigned int slot, mask, l;
	int kind = random_bundle(&s);

	/* Nothing comes from the L slot of MLX. */
	l = (s.raw[0] & 30) == 4;
	mask = l ? 1 + 4 * rnd_below(2) : 1 + rnd_below(7);
	for (slot = 0; slot < 3; slot += l ? 2 : 1) {
		s.slot = slot;
		s.n = 1;
		s.attr = 0;
		s.data = 0;
		switch (rnd_below(8)) {
		case 0:
			if (t->tagged)
				continue;
			s.sig = MONT_SIG_NOP_RETIRED;
			break;
		case 1:
			s.sig = MONT_SIG_PRED_SQUASHED;
			break;
		case 2:
			s.sig = MONT_SIG_BRANCH_RETIRED;
			s.attr = (1 + rnd_below(3)) | (rnd() & BRANCH_TAKEN);
			break;
		case 3:
		case 4:
			s.sig = MONT_SIG_LOAD_RETIRED;
			s.attr = random_data();
			s.data = rnd_below(3) ? 0 : MONT_DATA_FP;
			break;
		case 5:
			s.sig = MONT_SIG_STORE_RETIRED;
			s.attr = random_data();
			break;
		case 6:
			s.sig = MONT_SIG_CPL_CHANGE;
			s.attr = rnd_below(16);
			break;
		default:
			continue;
		}
		raise(&s);
	}
	s.data = 0;
	if (kind >= 0) {
		retire_kind(&s, kind);
	} else {
		s.sig = MONT_SIG_INST_RETIRED;
		s.attr = mask;
		s.n = __builtin_popcount(mask);
		raise(&s);
	}
	/* One bundle or two to a group; what is changed between them splits none. */
	if (rnd_below(3)) {
		group_end();
		group_begin();
	}
}

static void stream(const char *name, unsigned long steps, bool timed, bool constraints)
{
	unsigned long step;
	unsigned int i;

	t = new_thread(1);
	ref_reset(&r);
	t->pmu.timed = timed;
	r.timed = timed;
	memset(t->s.ibr, 0, sizeof(t->s.ibr));
	for (step = 0; step < steps; step++) {
		/* Bursts of bundles between changes, so that lazy counts build up. */
		unsigned int n = rnd_below(4) ? rnd_below(4) : rnd_below(60);

		while (n--) {
			/* In stretches, so that either way of counting gets far by itself. */
			if (!rnd_below(16))
				tagging = rnd_below(4);
			bundle();
		}
		/* Reading every register folds: do it only now and then. */
		if (!rnd_below(4) && !same(name, step))
			break;
		change(constraints);
		if (!rnd_below(64))
			for (i = 4; i < 16; i++)
				write_pmc(i, random_pmc());
	}
	same(name, step);
	/* A stream in which little happens proves little. */
	check(freezes > steps / 250, "%lu freezes", freezes);
	freezes = 0;
	check(!constraints || nr_tagged > steps / 2, "%lu bundles tagged", nr_tagged);
	nr_tagged = 0;
	group(name);
}

/*
 * PMD4 is @distance instructions from its carry, and bundles of three retire: at
 * first @alone of them in one way, by kind if @kinds or as they come, then all the
 * others in the other. However far each way has got, the freeze is at the carry.
 */
static void carry(unsigned int distance, unsigned int alone, bool kinds)
{
	unsigned int n;

	t = new_thread(1);
	memset(t->s.ibr, 0, sizeof(t->s.ibr));
	/* By channel 1, which nothing constrains; a matcher does channel 0: there are kinds. */
	mont_pmc_write(t, 4, PMC(CODE_INST, 1, PLM_ALL) | OI);
	mont_pmc_write(t, 5, PMC(CODE_SQUASHED, 0, PLM_ALL));
	mont_pmc_write(t, 32, 15ULL << 48 | 0x1fffffffffULL);
	mont_pmc_write(t, 0, 0);
	set_psr(t, MONT_PSR_UP);
	t->s.ip = 0x4000000000010000ULL;
	/* The bundle's kind is known from here on, and both ways have been told how far they may go. */
	check(tag_bundle(t, 1, 0), "a bundle has a kind");
	mont_tags_end(t);
	mont_pmd_write(t, 4, CARRY - distance);
	for (n = 1; n < distance; n++) {
		/* Close to the carry there may be no room for a kind. */
		if ((n <= alone) == kinds && tag_bundle(t, 1, 0)) {
			retire_tagged(t, 0, 3);
			nr_tagged++;
		} else {
			retire(t, 3, 7);
		}
		mont_tags_end(t);
		if (t->attn & MONT_ATTN_GROUP)
			mont_group_end(t);
		if (mont_pmc_read(t, 0) & 1)
			break;
	}
	check(n == (distance + 2) / 3, "distance %u, %u bundles %s: freeze at bundle %u", distance,
	      alone, kinds ? "by kind" : "as they come", n);
	check(mont_pmd_read(t, 4, 0) == 3 * n - distance + 0ULL, "distance %u: pmd4 %#llx",
	      distance, (unsigned long long)mont_pmd_read(t, 4, 0));
}

static void carries(void)
{
	unsigned int distance, alone;

	for (distance = 30; distance < 150; distance++) {
		for (alone = 0; alone <= distance / 3; alone++) {
			carry(distance, alone, false);
			carry(distance, alone, true);
		}
	}
	check(nr_tagged > 100000, "%lu bundles tagged", nr_tagged);
	nr_tagged = 0;
	group("a carry between bundles that retire by kind and others");
}

int main(void)
{
	unsigned int i;

	for (i = 0; i < 2 * NR_BUNDLES; i++)
		test_ram[i] = rnd();
	for (i = 0; i < NR_BUNDLES; i++) {
		test_ram[2 * i] = (test_ram[2 * i] & ~31ULL) | templates[i % 24];
		nops[i] = rnd_below(8) & ((test_ram[2 * i] & 30) == 4 ? 5 : 7);
	}
	carries();
	stream("events and privileges, thresholds without time", 60000, false, false);
	stream("thresholds with time", 60000, true, false);
	stream("ranges, opcodes and data addresses", 60000, false, true);
	stream("everything", 100000, true, true);
	return tap_end();
}
