// SPDX-License-Identifier: GPL-2.0-only
/*
 * Observers: exact counts under every filter, periods at the exact occurrence,
 * refusals that name the rule, and a guest that notices nothing.
 */
#include "ref.h"
#include "pmu/registers.h"

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

/* Groups of so many branches, of which three may retire in a cycle. */
static void largest(void)
{
	struct mont_thread *t = new_thread(1);
	struct mont_observer o = observer(CODE_BR, 0, 15), ear = observer(0xc8, 0, 15);
	const char *why = "";
	unsigned int i, j;

	t->pmu.timed = true;
	o.filter.threshold = 3;
	ear.filter.threshold = 1;
	check(!mont_observer_attach(t, &o, &why) && !mont_observer_attach(t, &ear, &why), "%s",
	      why);
	for (i = 0; i < 60; i++) {
		for (j = 0; j < i % 6; j++)
			mont_signal_branch(t, MONT_BR_IPREL, 0x1000, true);
		mont_group_end(t);
		check(mont_observer_read(t, &o) == i / 6 * 2 + (i % 6 > 3 ? i % 6 - 3 : 0),
		      "%u branches: %llu", i % 6, (unsigned long long)mont_observer_read(t, &o));
	}
	for (i = 0; i < 300; i++)
		mont_signal_branch(t, MONT_BR_IPREL, 0x1000, true);
	check(mont_observer_read(t, &o) == 20 + 1, "300 in a group");
	check(!mont_observer_read(t, &ear), "captures");
	group("cycles above an event's largest increment");
}

/* Nothing says what range or opcode an empty slot has, or a bubble (model.rst, T6). */
static void nowhere(void)
{
	static const u8 codes[][2] = {
		{ 0x00, 0 }, { 0x01, 0 }, { 0x02, 0 },	{ 0xca, 0 }, { 0x04, 0 },
		{ 0x49, 0 }, { 0x4d, 0 }, { 0x4e, 15 }, { 0x4f, 3 }, { 0x71, 0 },
		{ 0x12, 0 }, { 0x12, 1 }, /* CPU_OP_CYCLES.QUAL: the one that has an opcode filter */
	};
	struct mont_thread *t = new_thread(1);
	unsigned int i, opc;

	t->pmu.timed = true;
	for (i = 0; i < MONT_ARRAY_SIZE(codes); i++) {
		for (opc = 0; opc < 3; opc++) {
			struct mont_observer o = observer(codes[i][0], codes[i][1], 15);
			const char *why = "";
			int err;

			if (opc == 2)
				o.filter.flags = MONT_FILTER_OPC, o.filter.nr_opc = 1,
				o.filter.opc[0].mifb = 1;
			else if (opc)
				o.filter.flags = MONT_FILTER_IAR, o.filter.iar_hi = 1;
			err = mont_observer_attach(t, &o, &why);
			check(opc ? err == MONT_EOPNOTSUPP : !err, "%#x, %u: %d %s", codes[i][0],
			      opc, err, why);
			if (!err)
				mont_observer_detach(t, &o);
		}
	}
	group("ranges and opcodes of bubbles, dispersal and cycles are refused");
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
		{ { .code = 0xea, .umask = 5, .plm = 15 }, 0, MONT_EOPNOTSUPP, "never happens" },
		{ { .code = 0xf2, .umask = 4, .plm = 15 }, 0, MONT_EOPNOTSUPP, "never happens" },
		{ { .code = 0x84, .umask = 1, .plm = 15 }, 0, MONT_EOPNOTSUPP, "masters" },
		{ { .code = 0x5b, .umask = 1, .plm = 15 }, 0, MONT_EOPNOTSUPP, "timing model" },
		{ { .code = 0xff, .plm = 15 }, 0, MONT_ENOENT, "no event" },
		{ { .code = 0x1fe, .plm = 15 }, 0, MONT_ENOENT, "no event" },
		{ { .code = 0x200, .plm = 15 }, 0, MONT_EINVAL, "those of causes" },
		{ { .code = 0x100, .plm = 15 }, 0, MONT_EOPNOTSUPP, "timing model" },
		{ { .code = 0x50, .umask = 1, .plm = 15 }, 0, MONT_ENOENT, "no event" },
		{ { .code = 0x150, .plm = 15 }, 0, MONT_ENOENT, "no event" },
		{ { .code = 0x250, .plm = 15 }, 0, MONT_EINVAL, "8 bits" },
		{ { .code = 0x50, .umask = 16, .plm = 15 }, 0, MONT_EINVAL, "unit masks" },
		{ { .code = 0x50 }, 0, MONT_EINVAL, "plm" },
		{ { .code = 0x50, .plm = 16 }, 0, MONT_EINVAL, "plm" },
		{ { .code = 0x50, .plm = 15, .threshold = 8 }, 0, MONT_EINVAL, "threshold" },
		{ { .code = 0x50, .plm = 15, .threshold = 1 }, 0, MONT_EOPNOTSUPP, "timing" },
		{ { .code = 0x50, .plm = 15, .flags = 16 }, 0, MONT_EINVAL, "flag" },
		{ { .code = 0xc8, .plm = 15, .ear = 2, .ear_umask = 1 }, 0, MONT_ENOENT, "EAR" },
		{ { .code = 0xc8, .plm = 15, .ear = 1 }, 0, MONT_EOPNOTSUPP, "timing" },
		{ { .code = 0xc8, .plm = 15, .ear = 2, .ear_umask = 6 },
		  0,
		  MONT_EOPNOTSUPP,
		  "timing" },
		{ { .code = 0x50, .plm = 15, .flags = MONT_FILTER_IAR, .iar_lo = 16, .iar_hi = 16 },
		  0,
		  MONT_EINVAL,
		  "range is empty" },
		{ { .code = 0xcd, .plm = 15, .flags = MONT_FILTER_DAR, .dar_lo = 16, .dar_hi = 8 },
		  0,
		  MONT_EINVAL,
		  "data range" },
		{ { .code = 0x50, .plm = 15, .flags = MONT_FILTER_OPC, .nr_opc = 1 },
		  0,
		  MONT_EINVAL,
		  "mifb" },
		{ { .code = 0x50,
		    .plm = 15,
		    .flags = MONT_FILTER_OPC,
		    .nr_opc = 2,
		    .opc = { { .mifb = 1 }, { .mifb = 1, .mask = 1ULL << 41 } } },
		  0,
		  MONT_EINVAL,
		  "41" },
		{ { .code = 0x50, .plm = 15, .flags = MONT_FILTER_OPC, .nr_opc = 9 },
		  0,
		  MONT_EINVAL,
		  "eight" },
		{ { .code = 0x50, .plm = 15, .nr_opc = 1 }, 0, MONT_EINVAL, "eight" },
		{ { .code = 0x50, .plm = 15 }, 5, MONT_EINVAL, "callback" },
		{ { .code = 0x13, .umask = 15, .plm = 15, .flags = MONT_FILTER_IAR, .iar_hi = 1 },
		  0,
		  MONT_EOPNOTSUPP,
		  "instruction range" },
		{ { .code = 0x13,
		    .umask = 15,
		    .plm = 15,
		    .flags = MONT_FILTER_OPC,
		    .nr_opc = 1,
		    .opc = { { .mifb = 1 } } },
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
		int err;

		if (e->cond == MONT_COND_DATA_EAR) {
			o.filter.ear = e->ear;
			o.filter.ear_umask = e->ear_umask;
		}
		err = mont_observer_attach(t, &o, &why);
		check(mont_event_counted(e) && !e->needs_time
			      ? !err
			      : err == MONT_EOPNOTSUPP && !strcmp(why, mont_event_refusal(e, 0)),
		      "%s: %d %s", e->name, err, why ? why : "");
		if (!err)
			mont_observer_detach(t, &o);
	}
	/* With time, up to the most that there may be in a cycle. */
	for (i = 1; i < 8; i++) {
		struct mont_observer o = observer(CODE_BR, 0, 15);
		const char *why = "";
		int err;

		t->pmu.timed = true;
		o.filter.threshold = i;
		err = mont_observer_attach(t, &o, &why);
		check(i <= 3 ? !err : err == MONT_EOPNOTSUPP && strstr(why, "most this event"),
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

/* An instruction that passes several opcodes counts once. */
static bool any_opcode(const struct mont_filter *f, const u64 *raw, unsigned int slot)
{
	struct ref m = { 0 };
	unsigned int i;

	for (i = 0; i < f->nr_opc; i++) {
		m.pmc[32] = f->opc[i].mask | (u64)f->opc[i].mifb << 48;
		m.pmc[33] = f->opc[i].match;
		if (ref_opcode(&m, 0, raw, slot))
			return true;
	}
	return false;
}

/* Count of an observer with these filters for one signal. */
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
	for (slot = 0; slot < 3; slot++)
		if (s->sig == MONT_SIG_INST_RETIRED ? s->attr >> slot & 1 : s->slot == slot)
			v += any_opcode(f, s->raw, slot);
	return v;
}

/* @ahead: whatever retires can be counted ahead, so that bundles can be tagged. */
static void random_filter(struct mont_filter *f, unsigned int i, bool ahead)
{
	static const u8 codes[] = { CODE_INST, CODE_NOPS, CODE_LOADS, CODE_BR };
	unsigned int n;

	f->code = codes[i % 4];
	f->umask = f->code == CODE_BR ? rnd_below(4) << 2 : 0;
	f->plm = i % 3 ? 1 + rnd_below(15) : 15;
	f->flags = i < 8 ? 0 : rnd_below(8);
	if (f->code != CODE_LOADS)
		f->flags &= ~MONT_FILTER_DAR;
	f->threshold = i % 5 == 4 ? rnd_below(3) : 0;
	if (ahead && (f->code == CODE_INST || f->code == CODE_NOPS))
		f->threshold = 0;
	f->iar_lo = 0x1000 + 16 * rnd_below(32);
	f->iar_hi = f->iar_lo + 16 * (1 + rnd_below(32));
	f->dar_lo = 0x8000 + rnd_below(256);
	f->dar_hi = f->dar_lo + 1 + rnd_below(256);
	f->nr_opc = f->flags & MONT_FILTER_OPC ? 1 + rnd_below(MONT_MATCHES) : 0;
	for (n = 0; n < f->nr_opc; n++) {
		f->opc[n].mifb = 1 + rnd_below(15);
		f->opc[n].mask = 0x1fffffffffULL | rnd_below(16) << 37;
		f->opc[n].match = rnd() & 0x1ffffffffffULL;
	}
}

/* An observer of the crowd, and the plain sums that it must come to. */
struct member {
	struct mont_observer o;
	struct seen seen;
	u64 want, until, calls;
	u32 sum;
};

/* Add @s to the expected count of member @m. */
static void add_up(struct member *m, const struct ref_signal *s, u32 cpl)
{
	unsigned int thr = m->o.filter.threshold, max = 6;
	u64 v = expect(&m->o.filter, s, cpl);

	if (m->o.filter.code == CODE_BR)
		max = 3;
	if (m->o.filter.code == CODE_LOADS)
		max = 4;
	if (thr && v) {
		unsigned int before = m->sum;

		m->sum = before + v > max ? max : before + v;
		v = before <= thr && m->sum > thr;
	}
	m->want += v;
	for (; v && m->o.period; v--) {
		if (!--m->until) {
			m->until = m->o.period;
			m->calls++;
		}
	}
}

/* Many observers beside a counting guest, against plain sums; @ahead: as random_filter(). */
static void crowd(bool ahead)
{
	static struct member member[NR_OBSERVERS];
	struct mont_pmu_state alone;
	unsigned int round, i, k, nr_tagged = 0;
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
			struct member *m = &member[i];

			memset(m, 0, sizeof(*m));
			random_filter(&m->o.filter, i, ahead);
			m->o.period = i % 2 ? 1 + rnd_below(i % 4 == 1 ? 500 : 50) : 0;
			m->o.overflow = i % 2 ? on_overflow : NULL;
			m->o.host = &m->seen;
			m->until = m->o.period;
			if (round)
				check(!mont_observer_attach(t, &m->o, &why), "%u: %s", i, why);
		}
		for (k = 0; k < 6000; k++) {
			unsigned int b = rnd_below(64), slots, end = 1 + rnd_below(3), slot;
			struct ref_signal s = { .ip = 0x1000 + 16 * b };

			test_bundle.tag = 16 * b | 1;
			s.raw = &test_ram[2 * b];
			t->s.ip = s.ip;
			slots = (s.raw[0] & 30) == 4 ? 5 : 7;
			/* In stretches, so that either way of counting gets far by itself. */
			if (k % 256 < 160)
				nr_tagged += tag_bundle(t, test_bundle.tag, b >> 3 & slots);
			for (slot = 0; slot < 3; slot++) {
				s.slot = slot;
				s.n = 1;
				s.attr = 0x8000 + rnd_below(512);
				switch (rnd_below(4)) {
				case 0:
					if (t->tagged)
						continue;
					s.sig = MONT_SIG_NOP_RETIRED;
					break;
				case 1:
					s.sig = MONT_SIG_LOAD_RETIRED;
					break;
				case 2:
					s.sig = MONT_SIG_BRANCH_RETIRED;
					s.attr = 1 + rnd_below(3);
					break;
				default:
					continue;
				}
				t->sig_slot = slot;
				raise_tagged(t, s.sig, s.n, s.attr, 0);
				for (i = 0; i < NR_OBSERVERS && round; i++)
					add_up(&member[i], &s, cpl);
			}
			s.sig = MONT_SIG_NOP_RETIRED;
			s.n = 1;
			for (s.slot = 0; t->tagged && s.slot < end; s.slot++) {
				for (i = 0; i < NR_OBSERVERS && round; i++) {
					if (b >> 3 & slots & 1 << s.slot)
						add_up(&member[i], &s, cpl);
				}
			}
			s.sig = MONT_SIG_INST_RETIRED;
			s.attr = slots & ((1 << end) - 1);
			s.n = __builtin_popcount(s.attr);
			if (t->tagged)
				retire_tagged(t, 0, end);
			else
				raise_any(t, s.sig, s.n, s.attr, 0);
			mont_tags_end(t);
			for (i = 0; i < NR_OBSERVERS && round; i++)
				add_up(&member[i], &s, cpl);
			mont_group_end(t);
			for (i = 0; i < NR_OBSERVERS; i++)
				member[i].sum = 0;
			if (!rnd_below(10)) {
				cpl = rnd_below(4);
				set_psr(t, MONT_PSR_UP | (u64)cpl << 32);
			}
			if (round && !(k % 97)) {
				i = rnd_state % NR_OBSERVERS;
				check(mont_observer_read(t, &member[i].o) == member[i].want,
				      "%u at %u", i, k);
			}
		}
		for (i = 0; i < NR_OBSERVERS && round; i++) {
			struct member *m = &member[i];

			check(mont_observer_read(t, &m->o) == m->want, "%u: %llu, not %llu", i,
			      (unsigned long long)m->o.count, (unsigned long long)m->want);
			check(m->seen.calls == m->calls, "%u: %lu calls, not %llu", i,
			      m->seen.calls, (unsigned long long)m->calls);
		}
		mont_signals_fold(t);
		if (round)
			check(!memcmp(&alone, &t->s.pmu, sizeof(alone)), "the guest noticed");
		else
			alone = t->s.pmu;
		check(alone.pmc[0] == 0x11, "the guest overflowed");
		for (i = 0; i < NR_OBSERVERS && round; i++)
			mont_observer_detach(t, &member[(i * 7) % NR_OBSERVERS].o);
		check(!t->observers, "all gone");
		rnd_state = seed;
	}
	for (i = 0; i < 4; i++)
		check(member[i].want, "observer %u counted nothing", i);
	check(!ahead || nr_tagged > 2000, "%u bundles tagged", nr_tagged);
	group(ahead ? "24 observers beside a counting guest, tagged bundles"
		    : "24 observers beside a counting guest");
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

/* How many more occurrences it takes until @s has one more call; 0: not within 10000. */
static unsigned int next_call(struct mont_thread *t, const struct seen *s)
{
	unsigned long calls = s->calls;
	unsigned int i;

	for (i = 1; i <= 10000; i++) {
		mont_signal(t, MONT_SIG_NOP_RETIRED, 0);
		if (s->calls != calls)
			return i;
	}
	return 0;
}

/* A pause is no part of a period; another period begins when the present one ends. */
static void pauses(void)
{
	struct mont_observer o = observer(CODE_NOPS, 0, 15);
	struct seen s = { 0 };
	const char *why;
	unsigned int i;

	t = new_thread(1);
	o.period = 100;
	o.overflow = on_overflow;
	o.host = &s;
	mont_observer_attach(t, &o, &why);
	for (i = 0; i < 30; i++)
		mont_signal(t, MONT_SIG_NOP_RETIRED, 0);
	mont_observer_detach(t, &o);
	check(!next_call(t, &s), "a call while detached");
	mont_observer_resume(t, &o);
	check(mont_observer_read(t, &o) == 30, "the count of before");
	i = next_call(t, &s);
	check(i == 70, "%u left, not 70", i);
	i = next_call(t, &s);
	check(i == 100, "%u in a whole period", i);
	group("a pause keeps the count and what is left of the period");

	for (i = 0; i < 30; i++)
		mont_signal(t, MONT_SIG_NOP_RETIRED, 0);
	mont_observer_retune(t, &o, 1000);
	i = next_call(t, &s);
	check(i == 70, "%u left of 100, not 70", i);
	i = next_call(t, &s);
	check(i == 1000, "%u in the new period", i);
	mont_observer_retune(t, &o, 10);
	i = next_call(t, &s);
	check(i == 10, "%u in the shorter period", i);
	check(mont_observer_read(t, &o) == 30 + 70 + 100 + 30 + 70 + 1000 + 10, "the count");
	mont_observer_detach(t, &o);
	group("another period keeps what is left of the old one");
}

int main(void)
{
	static const u8 templates[] = { 0, 8, 10, 12, 14, 16, 18, 22, 24, 28 };
	unsigned int i;

	for (i = 0; i < 512; i++)
		test_ram[i] = rnd();
	for (i = 0; i < 256; i++)
		test_ram[2 * i] = (test_ram[2 * i] & ~31ULL) | templates[i % sizeof(templates)];
	largest();
	refusals();
	nowhere();
	periods();
	crowd(false);
	crowd(true);
	independent();
	coming_and_going();
	pauses();
	return tap_end();
}
