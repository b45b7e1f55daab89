// SPDX-License-Identifier: GPL-2.0-only
/*
 * Observers: exact counts under every filter, periods at the exact occurrence,
 * refusals that name the rule, and a guest that notices nothing.
 */
#include "ref.h"

static struct mont_thread *t;

/* When the last overflow came and how many there were. */
struct seen {
	unsigned long calls;
	u64 count; /* sum of the counts it was called with */
};

static void on_overflow(struct mont_observer *o, const struct mont_occurrence *at)
{
	struct seen *s = o->host;

	s->calls++;
	s->count += o->count;
}

static struct mont_observer observer(u8 code, u8 umask, u8 plm)
{
	struct mont_observer o = { .filter = { .code = code, .umask = umask, .plm = plm } };

	return o;
}

static void refusals(void)
{
	static const struct {
		struct mont_filter f;
		u64 period;
		int err;
		const char *word;
	} bad[] = {
		{ { .code = 0x12, .plm = 15 }, 0, MONT_EOPNOTSUPP, "timing" },
		{ { .code = 0xdb, .plm = 15 }, 0, MONT_EOPNOTSUPP, "cache" },
		{ { .code = 0x5b, .umask = 1, .plm = 15 }, 0, MONT_EOPNOTSUPP, "prediction" },
		{ { .code = 0xff, .plm = 15 }, 0, MONT_ENOENT, "no event" },
		{ { .code = 0x50, .umask = 1, .plm = 15 }, 0, MONT_ENOENT, "no event" },
		{ { .code = 0x150, .plm = 15 }, 0, MONT_EINVAL, "8 bits" },
		{ { .code = 0x50, .umask = 16, .plm = 15 }, 0, MONT_EINVAL, "unit masks" },
		{ { .code = 0x50 }, 0, MONT_EINVAL, "plm" },
		{ { .code = 0x50, .plm = 16 }, 0, MONT_EINVAL, "plm" },
		{ { .code = 0x50, .plm = 15, .threshold = 8 }, 0, MONT_EINVAL, "threshold" },
		{ { .code = 0x50, .plm = 15, .threshold = 1 }, 0, MONT_EOPNOTSUPP, "timing" },
		{ { .code = 0x50, .plm = 15, .flags = 8 }, 0, MONT_EINVAL, "flag" },
		{ { .code = 0x50, .plm = 15, .pad = 1 }, 0, MONT_EINVAL, "flag" },
		{ { .code = 0x50, .plm = 15, .flags = MONT_FILTER_IAR, .iar_lo = 16, .iar_hi = 16 },
		  0,
		  MONT_EINVAL,
		  "range is empty" },
		{ { .code = 0xcd, .plm = 15, .flags = MONT_FILTER_DAR, .dar_lo = 16, .dar_hi = 8 },
		  0,
		  MONT_EINVAL,
		  "data range" },
		{ { .code = 0x50, .plm = 15, .flags = MONT_FILTER_OPC, .mifb = 0 },
		  0,
		  MONT_EINVAL,
		  "mifb" },
		{ { .code = 0x50,
		    .plm = 15,
		    .flags = MONT_FILTER_OPC,
		    .mifb = 1,
		    .opc_mask = 1ULL << 41 },
		  0,
		  MONT_EINVAL,
		  "41" },
		{ { .code = 0x50, .plm = 15 }, 5, MONT_EINVAL, "callback" },
		{ { .code = 0x13, .umask = 15, .plm = 15, .flags = MONT_FILTER_IAR, .iar_hi = 1 },
		  0,
		  MONT_EOPNOTSUPP,
		  "instruction range" },
		{ { .code = 0x13, .umask = 15, .plm = 15, .flags = MONT_FILTER_OPC, .mifb = 1 },
		  0,
		  MONT_EOPNOTSUPP,
		  "opcode" },
		{ { .code = 0x50, .plm = 15, .flags = MONT_FILTER_DAR, .dar_hi = 1 },
		  0,
		  MONT_EOPNOTSUPP,
		  "data range" },
	};
	unsigned int i;

	t = new_thread(1);
	for (i = 0; i < MONT_ARRAY_SIZE(bad); i++) {
		struct mont_observer o = { .filter = bad[i].f, .period = bad[i].period };
		const char *why = "";
		int err = mont_observer_attach(t, &o, &why);

		check(err == bad[i].err, "%u: %d, not %d", i, err, bad[i].err);
		check(why && strstr(why, bad[i].word), "%u: %s", i, why);
		check(!t->observers, "%u stayed", i);
	}
	/* Each uncounted row is refused with its own reason. */
	for (i = 0; i < MONT_NR_EVENTS; i++) {
		const struct mont_event *e = mont_event_at(i);
		struct mont_observer o = observer(e->code, e->umask, 15);
		const char *why = "";
		int err = mont_observer_attach(t, &o, &why);

		check(mont_event_counted(e)
			      ? !err
			      : err == MONT_EOPNOTSUPP && !strcmp(why, mont_event_refusal(e)),
		      "%s: %d %s", e->name, err, why ? why : "");
		if (!err)
			mont_observer_detach(t, &o);
	}
	/* With time a threshold must leave something to count. */
	for (i = 1; i < 8; i++) {
		struct mont_observer o = observer(CODE_BR, 0, 15);
		const char *why = "";
		int err;

		t->pmu.timed = true;
		o.filter.threshold = i;
		err = mont_observer_attach(t, &o, &why);
		check(i < 3 ? !err : err == MONT_EOPNOTSUPP && strstr(why, "most this event"),
		      "threshold %u of 3: %d %s", i, err, why ? why : "");
		if (!err)
			mont_observer_detach(t, &o);
	}
	group("refusals name the rule");
}

static void periods(void)
{
	struct mont_observer o = observer(CODE_INST, 0, 15), nops = observer(CODE_NOPS, 0, 8);
	struct seen s = { 0 }, z = { 0 };
	const char *why;
	unsigned int i;
	u64 total = 0;

	t = new_thread(1);
	o.period = 7;
	o.overflow = on_overflow;
	o.host = &s;
	nops.period = 5;
	nops.overflow = on_overflow;
	nops.host = &z;
	check(!mont_observer_attach(t, &o, &why) && !mont_observer_attach(t, &nops, &why),
	      "attach");
	for (i = 0; i < 1000; i++) {
		unsigned int n = i % 3 + 1;

		mont_signal_n(t, MONT_SIG_INST_RETIRED, n, (1 << n) - 1);
		total += n;
		check(s.calls == total / 7, "%u: %lu calls of %llu", i, s.calls,
		      (unsigned long long)total);
		/* Only level 3 counts nops, and only the level that is current. */
		if (i == 500)
			set_psr(t, 3ULL << 32);
		mont_signal(t, MONT_SIG_NOP_RETIRED, 0);
		check(z.calls == (i < 500 ? 0 : (i - 500 + 1) / 5), "%u: %lu nop calls", i,
		      z.calls);
	}
	check(mont_observer_read(t, &o) == total, "count");
	check(mont_observer_read(t, &nops) == 500, "nops at level 3");
	mont_observer_detach(t, &o);
	mont_signal_n(t, MONT_SIG_INST_RETIRED, 3, 7);
	check(o.count == total && s.calls == total / 7, "detached");
	mont_observer_detach(t, &nops);
	check(!t->observers, "list");
	group("periods end at the exact occurrence");

	/* A period shorter than one occurrence's value. */
	o = observer(CODE_INST, 0, 15);
	memset(&s, 0, sizeof(s));
	o.period = 1;
	o.overflow = on_overflow;
	o.host = &s;
	mont_observer_attach(t, &o, &why);
	mont_signal_n(t, MONT_SIG_INST_RETIRED, 3, 7);
	check(s.calls == 3 && s.count == 9, "%lu calls", s.calls);
	mont_observer_detach(t, &o);
	group("a value of n ends n periods of 1");
}

#define NR_OBSERVERS 24

/* What an observer with these filters counts of one signal. */
static u64 expect(const struct mont_filter *f, const struct ref_signal *s, u32 cpl)
{
	static const struct {
		u8 code;
		u8 sig;
	} of[] = {
		{ CODE_INST, MONT_SIG_INST_RETIRED },
		{ CODE_NOPS, MONT_SIG_NOP_RETIRED },
		{ CODE_LOADS, MONT_SIG_LOAD_RETIRED },
		{ CODE_BR, MONT_SIG_BRANCH_RETIRED },
	};
	struct ref m = { 0 };
	unsigned int i, slot;
	u64 v = 0;

	for (i = 0; of[i].code != f->code; i++)
		;
	if (of[i].sig != s->sig || !(f->plm >> cpl & 1))
		return 0;
	if (f->code == CODE_BR && f->umask && f->umask >> 2 != (s->attr & 3))
		return 0;
	if ((f->flags & MONT_FILTER_IAR) && !(s->ip >= f->iar_lo && s->ip < f->iar_hi))
		return 0;
	if ((f->flags & MONT_FILTER_DAR) && !(s->attr >= f->dar_lo && s->attr < f->dar_hi))
		return 0;
	if (!(f->flags & MONT_FILTER_OPC))
		return s->n;
	m.pmc[32] = f->opc_mask | (u64)f->mifb << 48;
	m.pmc[33] = f->opc_match;
	if (s->sig != MONT_SIG_INST_RETIRED)
		return ref_opcode(&m, 0, s->raw, s->slot);
	for (slot = 0; slot < 3; slot++)
		if (s->attr >> slot & 1)
			v += ref_opcode(&m, 0, s->raw, slot);
	return v;
}

static void random_filter(struct mont_filter *f, unsigned int i)
{
	static const u8 codes[] = { CODE_INST, CODE_NOPS, CODE_LOADS, CODE_BR };

	f->code = codes[i % 4];
	f->umask = f->code == CODE_BR ? rnd_below(4) << 2 : 0;
	f->plm = i % 3 ? 1 + rnd_below(15) : 15;
	f->flags = i < 8 ? 0 : rnd_below(8);
	if (f->code != CODE_LOADS)
		f->flags &= ~MONT_FILTER_DAR;
	f->threshold = i % 5 == 4 ? rnd_below(3) : 0;
	f->iar_lo = 0x1000 + 16 * rnd_below(32);
	f->iar_hi = f->iar_lo + 16 * (1 + rnd_below(32));
	f->dar_lo = 0x8000 + rnd_below(256);
	f->dar_hi = f->dar_lo + 1 + rnd_below(256);
	f->mifb = 1 + rnd_below(15);
	f->opc_mask = 0x1fffffffffULL | rnd_below(16) << 37;
	f->opc_match = rnd() & 0x1ffffffffffULL;
}

/* Many observers beside a counting guest, against plain sums. */
static void crowd(void)
{
	static struct mont_observer o[NR_OBSERVERS];
	static struct seen seen[NR_OBSERVERS];
	u64 want[NR_OBSERVERS] = { 0 }, until[NR_OBSERVERS], calls[NR_OBSERVERS] = { 0 };
	u32 sum[NR_OBSERVERS] = { 0 };
	struct mont_pmu_state alone;
	unsigned int round, i, k;
	const char *why = "";
	u32 cpl = 0;

	for (round = 0; round < 2; round++) {
		u64 seed = rnd_state;

		/* Round 0 without observers, round 1 the same signals with them. */
		rnd_state = 12345;
		t = new_thread(1);
		t->pmu.timed = true;
		mont_pmc_write(t, 4, PMC(CODE_INST, 0, PLM_ALL | OI));
		mont_pmc_write(t, 5, PMC(CODE_LOADS, 0, PLM_ALL));
		mont_pmd_write(t, 4, CARRY - 5000);
		set_psr(t, MONT_PSR_UP);
		cpl = 0;
		for (i = 0; i < NR_OBSERVERS; i++) {
			memset(&o[i], 0, sizeof(o[i]));
			random_filter(&o[i].filter, i);
			o[i].period = i % 2 ? 1 + rnd_below(50) : 0;
			o[i].overflow = i % 2 ? on_overflow : NULL;
			o[i].host = &seen[i];
			until[i] = o[i].period;
			if (round)
				check(!mont_observer_attach(t, &o[i], &why), "%u: %s", i, why);
		}
		for (k = 0; k < 6000; k++) {
			struct ref_signal s = { .ip = 0x1000 + 16 * rnd_below(64) };
			unsigned int b = rnd_below(16), slot;
			bool tagged;

			test_bundle.tag = 16 * b | 1;
			s.raw = &test_ram[2 * b];
			t->s.ip = s.ip;
			tagged = mont_tagging(t) && k % 4;
			if (tagged)
				mont_tags_begin(t);
			for (slot = 0; slot < 4; slot++) {
				unsigned int kind = slot == 3 ? 9 : rnd_below(4);

				s.slot = slot % 3;
				s.n = 1;
				s.attr = 0x8000 + rnd_below(512);
				if (kind == 9) {
					s.sig = MONT_SIG_INST_RETIRED;
					s.attr = 1 + rnd_below(7);
					s.n = __builtin_popcount(s.attr);
				} else if (kind == 0) {
					s.sig = MONT_SIG_NOP_RETIRED;
				} else if (kind == 1) {
					s.sig = MONT_SIG_LOAD_RETIRED;
				} else if (kind == 2) {
					s.sig = MONT_SIG_BRANCH_RETIRED;
					s.attr = 1 + rnd_below(3);
				} else {
					continue;
				}
				t->sig_slot = s.slot;
				raise_tagged(t, tagged, s.sig, s.n, s.attr, 0);
				for (i = 0; i < NR_OBSERVERS && round; i++) {
					unsigned int thr = o[i].filter.threshold, max = 6;
					u64 v = expect(&o[i].filter, &s, cpl);

					if (o[i].filter.code == CODE_BR)
						max = 3;
					if (o[i].filter.code == CODE_LOADS)
						max = 4;
					if (thr && v) {
						unsigned int before = sum[i];

						sum[i] = before + v > max ? max : before + v;
						v = before <= thr && sum[i] > thr;
					}
					want[i] += v;
					for (; v && o[i].period; v--)
						if (!--until[i]) {
							until[i] = o[i].period;
							calls[i]++;
						}
				}
			}
			mont_group_end(t);
			memset(sum, 0, sizeof(sum));
			if (!rnd_below(10)) {
				cpl = rnd_below(4);
				set_psr(t, MONT_PSR_UP | (u64)cpl << 32);
			}
			if (round && !(k % 97)) {
				i = rnd_state % NR_OBSERVERS;
				check(mont_observer_read(t, &o[i]) == want[i], "%u at %u", i, k);
			}
		}
		for (i = 0; i < NR_OBSERVERS && round; i++) {
			check(mont_observer_read(t, &o[i]) == want[i], "%u: %llu, not %llu", i,
			      (unsigned long long)o[i].count, (unsigned long long)want[i]);
			check(seen[i].calls == calls[i], "%u: %lu calls, not %llu", i,
			      seen[i].calls, (unsigned long long)calls[i]);
		}
		mont_signals_fold(t);
		if (round)
			check(!memcmp(&alone, &t->s.pmu, sizeof(alone)), "the guest noticed");
		else
			alone = t->s.pmu;
		check(alone.pmc[0] == 0x11, "the guest overflowed");
		for (i = 0; i < NR_OBSERVERS && round; i++)
			mont_observer_detach(t, &o[(i * 7) % NR_OBSERVERS]);
		check(!t->observers, "all gone");
		rnd_state = seed;
	}
	for (i = 0; i < 4; i++)
		check(want[i], "observer %u counted nothing", i);
	group("24 observers beside a counting guest");
}

/* A freeze and a disabled PSR stop the guest's counters only. */
static void independent(void)
{
	struct mont_observer o = observer(CODE_INST, 0, 15), tag = observer(CODE_INST, 2, 15);
	const char *why;

	t = new_thread(1);
	mont_observer_attach(t, &o, &why);
	mont_observer_attach(t, &tag, &why);
	mont_pmc_write(t, 0, 1);
	mont_pmc_write(t, 32, 0);
	mont_pmc_write(t, 38, 0);
	mont_signal_n(t, MONT_SIG_INST_RETIRED, 3, 7);
	mont_pmu_reset(t);
	mont_signal_n(t, MONT_SIG_INST_RETIRED, 2, 3);
	check(mont_observer_read(t, &o) == 5, "freeze, constraints and reset of the guest");
	check(mont_observer_read(t, &tag) == 5, "a tag channel is the observer's own filter");
	group("observers are independent of the guest's PMU");
}

/* Coming and going loses nothing of what the others have counted. */
static void coming_and_going(void)
{
	struct mont_observer first = observer(CODE_NOPS, 0, 15), o[8];
	const char *why;
	u64 total = 0;
	unsigned int i, k;

	t = new_thread(1);
	mont_pmc_write(t, 4, PMC(CODE_NOPS, 0, PLM_ALL));
	set_psr(t, MONT_PSR_UP);
	mont_observer_attach(t, &first, &why);
	for (i = 0; i < 8; i++) {
		for (k = 0; k <= i; k++, total++)
			mont_signal(t, MONT_SIG_NOP_RETIRED, 0);
		o[i] = observer(CODE_NOPS, 0, 15);
		mont_observer_attach(t, &o[i], &why);
	}
	for (i = 0; i < 8; i++) {
		for (k = 0; k < 10; k++, total++)
			mont_signal(t, MONT_SIG_NOP_RETIRED, 0);
		mont_observer_detach(t, &o[i]);
		/* Each saw the bursts between the two; burst i came before o[i]. */
		check(o[i].count == 36 - (i + 1) * (i + 2) / 2 + 10 * (i + 1), "%u: %llu", i,
		      (unsigned long long)o[i].count);
	}
	check(mont_observer_read(t, &first) == total, "the first one");
	check(mont_pmd_read(t, 4, 0) == total, "the guest");
	group("attaching and detaching while others count");
}

int main(void)
{
	static const u8 templates[] = { 0, 8, 10, 12, 14, 16, 18, 22, 24, 28 };
	unsigned int i;

	for (i = 0; i < 512; i++)
		test_ram[i] = rnd();
	for (i = 0; i < 256; i++)
		test_ram[2 * i] = (test_ram[2 * i] & ~31ULL) | templates[i % sizeof(templates)];
	refusals();
	periods();
	crowd();
	independent();
	coming_and_going();
	return tap_end();
}
