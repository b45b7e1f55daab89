// SPDX-License-Identifier: GPL-2.0-only
/*
 * The host side of the fuzzer: sets vcpus up so that much of what they meet
 * runs, answers exits, injects, meddles. What it does depends on the scenario
 * and on the exits met, never on how the run is cut.
 */
#include "machine.h"

/* Exits after which the rest of a part of the script is given up. */
#define MAX_EXITS 300

void machine_make(struct machine *m, u64 seed)
{
	struct rng r = { seed };

	memset(m, 0, sizeof(*m));
	m->cfg.cores = one_in(&r, 3) ? 2 : 1;
	m->cfg.threads = one_in(&r, 3) ? 2 : 1;
	m->cfg.flags = rnd(&r) & MONT_CFG_ALL;
	m->cfg.timing = one_in(&r, 2);
	m->cfg.memory = MONT_MIN_MEMORY + below(&r, 8) * MONT_PAGE_SIZE;
	if (posix_memalign((void **)&m->pkg, MONT_PAGE_SIZE, mont_package_size(&m->cfg)) ||
	    posix_memalign((void **)&m->ram, MONT_PAGE_SIZE, m->cfg.memory))
		abort();
}

void machine_free(struct machine *m)
{
	free(m->pkg);
	free(m->ram);
}

static void make_package(struct machine *m)
{
	/* Devices right behind memory, where addresses that miss it go. */
	const struct mont_region region[] = {
		{ .size = m->cfg.memory, .host = m->ram },
		{ .base = m->cfg.memory, .size = MMIO_SIZE, .flags = MONT_REGION_MMIO },
	};

	memset(m->pkg, 0, mont_package_size(&m->cfg));
	if (mont_package_init(m->pkg, &m->cfg, region, MONT_ARRAY_SIZE(region)))
		abort();
}

void machine_start(struct machine *m, u64 seed)
{
	struct rng r = { seed ^ 0x1a6e };

	image_make(&r, m->ram, m->cfg.memory);
	make_package(m);
	m->host.s = seed ^ 0x4057;
	m->trail = 0;
	m->reloaded = true;
	m->counted = true;
	m->untimed = false;
	m->mixed = false;
	m->related_hold = true;
	m->marks = NULL;
	memset(m->attached, 0, sizeof(m->attached));
}

/* ---- setting up ---- */

static void set(struct mont_thread *t, u32 class, u32 index, u64 v0)
{
	u64 v[2] = { v0, 0 };

	(void)mont_reg_set(t, class, index, v);
}

/*
 * A register at random of @nr from @first on. Of arguments that draw from one generator the
 * compiler chooses the order, and with it the scenario: @v0 is drawn before the index.
 */
static void set_one_of(struct mont_thread *t, struct rng *r, u32 class, u32 first, u32 nr, u64 v0)
{
	set(t, class, first + below(r, nr), v0);
}

static u64 get(struct mont_thread *t, u32 class, u32 index)
{
	u64 v[2];

	(void)mont_reg_get(t, class, index, v);
	return v[0];
}

/* A translation of the page at @va to the same offset in memory. */
static void map(struct machine *m, struct mont_thread *t, struct rng *r, bool insn, u64 va)
{
	u64 pte = (va & MONT_PTE_PPN & (MONT_BIT(24) - 1)) | MONT_PTE_P | MONT_PTE_A | MONT_PTE_D |
		  3ULL << 9 | 3ULL << 7;

	if (va == (VA_ALL | MONT_PIB_BASE))
		pte |= va & MONT_PTE_PPN;
	if ((pte & MONT_PTE_PPN) >= m->cfg.memory && !one_in(r, 4))
		pte |= MONT_MA_UC << 2;
	if (one_in(r, 6))
		pte &= ~(one_in(r, 2) ? MONT_PTE_A : MONT_PTE_D);
	if (one_in(r, 6))
		pte = random_pte(r, m->cfg.memory);
	(void)mont_tc_insert(t, insn, va, pte, page_size(r) << 2 | (below(r, 4) << 8));
}

static void set_memory(struct machine *m, struct mont_thread *t, struct rng *r)
{
	unsigned int i;

	for (i = 0; i < 8; i++)
		if (one_in(r, 4))
			set(t, MONT_REG_RR, i, below(r, 4) << 8 | page_size(r) << 2 | below(r, 2));
	if (one_in(r, 3))
		set(t, MONT_REG_CR, 8,
		    VA_DATA | DATA_BASE | below(r, 2) << 8 |
			    (one_in(r, 4) ? below(r, 62) : 15) << 2 | below(r, 2));
	if (one_in(r, 4))
		set_one_of(t, r, MONT_REG_PKR, 0, 16, below(r, 4) << 8 | below(r, 16));
	for (i = 0; i < 4; i++) {
		map(m, t, r, true, VA_CODE | (below(r, 4) << 16));
		map(m, t, r, false, VA_DATA | below(r, m->cfg.memory));
	}
	map(m, t, r, true, VA_ALL | IVT_BASE);
	map(m, t, r, false, VA_ALL);
	if (one_in(r, 2))
		map(m, t, r, false, VA_ALL | MONT_PIB_BASE);
}

/* A floating-point number of any kind; most are close enough to meet. */
static void set_fr(struct mont_thread *t, struct rng *r)
{
	u64 v[2] = { value(r) | MONT_BIT(63), 0xffff - 70 + below(r, 140) };

	switch (below(r, 8)) {
	case 0:
		v[1] = rnd(r) & 0x3ffff;
		break;
	case 1:
		v[1] = one_in(r, 2) ? below(r, 4) : 0x1fffc + below(r, 4);
		break;
	case 2:
		v[0] = value(r);
		v[1] = one_in(r, 2) ? 0x1003e : rnd(r) & 0x3ffff;
		break;
	case 3:
		/* The ends of the single and the double range. */
		v[1] = (one_in(r, 2) ? 0xff81 : 0xfc01) - 60 + below(r, 70);
		if (one_in(r, 2))
			v[1] = 0x1fffe - v[1];
		break;
	case 4:
		/* Two numbers side by side. */
		v[0] = rnd(r) & (one_in(r, 2) ? ~0ULL : 0x807fffff807fffffULL);
		v[1] = 0x1003e;
		break;
	default:
		break;
	}
	if (v[1] >> 17 == 0 && one_in(r, 2))
		v[1] |= 1 << 17;
	(void)mont_reg_set(t, MONT_REG_FR, below(r, one_in(r, 2) ? 128 : 40), v);
}

static void set_registers(struct machine *m, struct mont_thread *t, struct rng *r)
{
	u64 v[2];
	unsigned int i;

	if (one_in(r, 3))
		set(t, MONT_REG_SPECIAL, MONT_SPECIAL_CFM,
		    96 | below(r, 97) << 7 | below(r, 13) << 14);
	for (i = 0; i < 40; i++) {
		v[0] = one_in(r, 3) ? value(r) : address(r, m->cfg.memory);
		v[1] = one_in(r, 20);
		(void)mont_reg_set(t, MONT_REG_GR, i < 24 ? 1 + below(r, 39) : below(r, 128), v);
	}
	for (i = 0; i < 30; i++)
		set_fr(t, r);
	for (i = 0; i < 8; i++)
		set(t, MONT_REG_BR, i, code_address(r));
	set(t, MONT_REG_PR, 0, rnd(r));
	set(t, MONT_REG_AR, 16, below(r, 4) | below(r, 8) << 2 | below(r, 1024) << 16);
	if (!one_in(r, 3))
		set(t, MONT_REG_AR, 18, address(r, m->cfg.memory));
	set(t, MONT_REG_AR, 19, value(r));
	set(t, MONT_REG_AR, 64,
	    one_in(r, 3) ? rnd(r)
			 : below(r, 97) | below(r, 97) << 7 | below(r, 13) << 14 |
				   below(r, 64) << 52 | below(r, 4) << 62);
	set(t, MONT_REG_AR, 65, below(r, 20));
	set(t, MONT_REG_AR, 66, below(r, 64));
	set(t, MONT_REG_AR, 40, one_in(r, 2) ? 0x9804c0270033fULL : rnd(r) & (MONT_BIT(58) - 1));
	set(t, MONT_REG_AR, 32, value(r));
	set(t, MONT_REG_AR, 36, value(r));
	if (one_in(r, 8))
		set(t, MONT_REG_AR, 44, value(r));
}

static void set_pmu(struct mont_thread *t, struct rng *r)
{
	unsigned int i, n;

	for (i = 0; i < 12; i++) {
		const struct mont_event *e = mont_event_at(below(r, MONT_NR_EVENTS));

		for (n = 0; n < 200 && !mont_event_counted(e); n++)
			e = mont_event_at(below(r, MONT_NR_EVENTS));
		set(t, MONT_REG_PMC, 4 + i,
		    below(r, 128) | (u64)e->code << 8 | (u64)e->umask << 16 |
			    (one_in(r, 3) ? below(r, 8) << 20 : 0));
		set(t, MONT_REG_PMD, 4 + i, one_in(r, 2) ? 0 - (1 + below(r, 500)) : rnd(r));
	}
	for (i = 0; i < 3; i++)
		set_one_of(t, r, MONT_REG_PMC, 32, 11, rnd(r));
	set(t, MONT_REG_PMC, 0, 0);
}

static void set_control(struct mont_thread *t, struct rng *r, bool virtual)
{
	u64 iva = (virtual ? VA_ALL : 0) | IVT_BASE;

	if (one_in(r, 16))
		iva = value(r);
	set(t, MONT_REG_CR, 2, iva);
	set(t, MONT_REG_CR, 0, rnd(r) & 0x7f07);
	set(t, MONT_REG_CR, 1, get(t, MONT_REG_AR, 44) + below(r, 500));
	set(t, MONT_REG_CR, 72, (16 + below(r, 240)) | (one_in(r, 4) ? 0x10000 : 0));
	set(t, MONT_REG_CR, 73, (16 + below(r, 240)) | (one_in(r, 4) ? 0x10000 : 0));
	set(t, MONT_REG_CR, 66, one_in(r, 3) ? rnd(r) & 0x100f0 : 0);
	if (one_in(r, 4))
		set_one_of(t, r, MONT_REG_IBR, 0, 8, one_in(r, 2) ? code_address(r) : value(r));
	if (one_in(r, 4))
		set_one_of(t, r, MONT_REG_DBR, 0, 8, value(r));
	if (one_in(r, 4)) {
		set(t, MONT_REG_CR, 16, random_psr(r));
		set(t, MONT_REG_CR, 19, code_address(r));
		set(t, MONT_REG_CR, 23, rnd(r) | MONT_BIT(63));
	}
}

/* Start over at some place; ip and PSR fit each other mostly. */
static void set_place(struct machine *m, struct mont_thread *t, struct rng *r)
{
	u64 psr = random_psr(r), ip = code_address(r);

	if ((m->cfg.flags & MONT_CFG_HOST_INTERRUPTIONS) && !one_in(r, 8))
		psr = (psr & ~MONT_PSR_CPL) | 3ULL << MONT_PSR_CPL_SHIFT | MONT_PSR_IT |
		      MONT_PSR_DT | MONT_PSR_RT;
	if (!one_in(r, 8))
		ip = (psr & MONT_PSR_IT) ? ip | VA_CODE : ip & ~VA_ALL;
	set(t, MONT_REG_SPECIAL, MONT_SPECIAL_IP, ip);
	set(t, MONT_REG_SPECIAL, MONT_SPECIAL_PSR, psr);
	set_control(t, r, psr & MONT_PSR_IT);
}

void machine_prepare(struct machine *m, struct rng *r)
{
	unsigned int i;

	for (i = 0; i < m->pkg->nr_vcpus; i++) {
		struct mont_thread *t = mont_vcpu(m->pkg, i);

		set_memory(m, t, r);
		set_registers(m, t, r);
		set_pmu(t, r);
		set_place(m, t, r);
	}
}

static void pal(struct machine *m, struct mont_thread *t, struct rng *r)
{
	u64 arg[4] = { below(r, one_in(r, 4) ? 1000 : 50), value(r), value(r), value(r) }, ret[4];
	unsigned int i;

	for (i = 1; i < 4; i++)
		if (one_in(r, 2))
			arg[i] = below(r, 4);
	if (one_in(r, 2))
		arg[1 + below(r, 2)] = below(r, m->cfg.memory);
	/* The script sets halts itself. */
	if (arg[0] != 29)
		(void)mont_pal_call(t, arg, ret);
}

void machine_meddle(struct machine *m, struct rng *r)
{
	struct mont_thread *t = mont_vcpu(m->pkg, below(r, m->pkg->nr_vcpus));
	u64 buf[4] = { rnd(r), rnd(r), rnd(r), rnd(r) }, pa, size;

	switch (below(r, 12)) {
	case 0:
		(void)mont_irq_inject(t, below(r, 260));
		break;
	case 1:
		set(t, MONT_REG_SPECIAL, MONT_SPECIAL_HALTED, 1);
		break;
	case 2:
		size = below(r, 70);
		(void)mont_tc_purge(t, address(r, m->cfg.memory), size);
		break;
	case 3:
		pa = value(r);
		if (one_in(r, 2))
			pa = below(r, m->cfg.memory);
		(void)mont_phys_write(m->pkg, pa, buf, below(r, sizeof(buf) + 1));
		break;
	case 4:
		size = value(r);
		pa = one_in(r, 2) ? value(r) : below(r, m->cfg.memory);
		mont_mem_invalidate(m->pkg, pa, size);
		break;
	case 5:
		pal(m, t, r);
		break;
	case 6:
		set_memory(m, t, r);
		break;
	case 7:
		set_pmu(t, r);
		break;
	case 8:
		set_registers(m, t, r);
		break;
	default:
		set_place(m, t, r);
		break;
	}
}

/* ---- exits ---- */

static void note(struct machine *m, const void *p, size_t len)
{
	const u8 *b = p;

	for (; len; len--)
		m->trail = (m->trail ^ *b++) * 0x100000001b3ULL;
}

static void take_console(struct machine *m)
{
	char buf[300];
	size_t n;

	while ((n = mont_console_peek(m->pkg, buf, sizeof(buf)))) {
		note(m, buf, n);
		mont_console_drop(m->pkg, n);
	}
}

/* Go on behind what stopped @t. */
static void step_over(struct machine *m, struct mont_thread *t, const struct mont_exit *e)
{
	if (one_in(&m->host, 6)) {
		set_place(m, t, &m->host);
		return;
	}
	set(t, MONT_REG_SPECIAL, MONT_SPECIAL_IP, e->ip + 16);
	set(t, MONT_REG_SPECIAL, MONT_SPECIAL_PSR,
	    get(t, MONT_REG_SPECIAL, MONT_SPECIAL_PSR) & ~MONT_PSR_RI);
}

static void answer(struct machine *m, const struct mont_exit *e)
{
	struct mont_thread *t = mont_vcpu(m->pkg, e->vcpu);
	unsigned int i;

	switch (e->reason) {
	case MONT_EXIT_INTERRUPTION:
		if (e->vector < 0x1400 && !one_in(&m->host, 4))
			map(m, t, &m->host, e->isr & MONT_ISR_X, e->ifa);
		else if (e->vector != 0x3000)
			step_over(m, t, e);
		break;
	case MONT_EXIT_PMU_OVERFLOW:
		set_pmu(t, &m->host);
		break;
	case MONT_EXIT_UNCOUNTED:
		/* Reports that are made once are no part of the saved state. */
		for (i = 0; i < m->pkg->nr_vcpus; i++)
			(void)mont_uncounted(mont_vcpu(m->pkg, i));
		break;
	case MONT_EXIT_HALT:
		for (i = 0; i < m->pkg->nr_vcpus; i++)
			set(mont_vcpu(m->pkg, i), MONT_REG_SPECIAL, MONT_SPECIAL_HALTED, 0);
		break;
	case MONT_EXIT_CONSOLE:
		take_console(m);
		break;
	case MONT_EXIT_MMIO:
		if (!e->write && one_in(&m->host, 20))
			set_place(m, t, &m->host);
		else if (!e->write)
			(void)mont_mmio_complete(t, (u64[2]){ rnd(&m->host), rnd(&m->host) });
		break;
	default:
		break;
	}
}

/* Note the state of @m, or compare it with that of the run before. */
static void mark(struct machine *m)
{
	struct marks *k = m->marks;
	u64 hash = mont_state_hash(m->pkg);

	if (!k->compares) {
		if (k->nr == k->room) {
			k->room = k->room ? 2 * k->room : 4096;
			k->hash = realloc(k->hash, k->room * sizeof(*k->hash));
			if (!k->hash)
				abort();
		}
		k->hash[k->nr++] = hash;
		k->stops = k->nr == k->end;
		return;
	}
	k->stops = k->at >= k->nr || k->hash[k->at] != hash;
	k->at++;
}

/* The cycle that follows begins here. */
static void mark_begin(struct machine *m)
{
	const struct mont_thread *t = mont_vcpu(m->pkg, 0);

	m->marks->ip = t->s.ip;
	m->marks->slot = t->s.slot;
	m->marks->cycle = t->clock;
}

void machine_advance(struct machine *m, struct rng *slices, u64 cycles, unsigned int how)
{
	unsigned int exits = 0;
	struct mont_exit e;

	while (cycles && exits < MAX_EXITS && !(m->marks && m->marks->stops)) {
		u64 insns = 0, slice = cycles, work = 0;

		if (how & RUN_MARKED) {
			slice = 1;
			mark_begin(m);
		}

		if (how & RUN_SLICED) {
			slice = 1 + below(slices, one_in(slices, 3) ? 1000 : 20);
			if (slice > cycles)
				slice = cycles;
			if (one_in(slices, 2))
				insns = 1 + below(slices, 30);
			if (one_in(slices, 4))
				work = 1 + below(slices, 200);
		}
		mont_run(m->pkg,
			 &(struct mont_budget){ .insns = insns,
						.cycles = slice,
						.work = work,
						.flags = m->untimed ? MONT_RUN_FUNCTIONAL : 0 },
			 &e);
		cycles -= e.cycles < cycles ? e.cycles : cycles;
		if (how & RUN_MARKED)
			mark(m);
		if (e.reason == MONT_EXIT_BUDGET || e.reason == MONT_EXIT_WORK)
			continue;
		exits++;
		e.insns = 0;
		e.cycles = 0;
		e.work = 0;
		note(m, &e, sizeof(e));
		answer(m, &e);
	}
}

/* ---- observers ---- */

static void period_end(struct mont_observer *o, const struct mont_occurrence *at)
{
	struct mont_sample s;

	mont_sample(at->owner, &s);
	*(u64 *)o->host += s.ip + s.slot + at->time;
}

static u64 samples;

static void observe_random(struct mont_observer *o, struct rng *r)
{
	const struct mont_event *e = mont_event_at(below(r, MONT_NR_EVENTS));
	unsigned int n;

	for (n = 0; n < 200 && !mont_event_counted(e); n++)
		e = mont_event_at(below(r, MONT_NR_EVENTS));
	o->filter.code = e->code;
	o->filter.umask = e->umask;
	o->filter.plm = 1 + below(r, 15);
	o->filter.threshold = one_in(r, 4) ? below(r, 8) : 0;
	o->filter.flags = one_in(r, 2) ? below(r, 8) : 0;
	o->filter.nr_opc = o->filter.flags & MONT_FILTER_OPC ? 1 + below(r, MONT_MATCHES) : 0;
	o->filter.iar_lo = value(r);
	o->filter.iar_hi = value(r);
	o->filter.dar_lo = value(r);
	o->filter.dar_hi = value(r);
	for (n = 0; n < o->filter.nr_opc; n++) {
		o->filter.opc[n].mifb = 1 + below(r, 15);
		o->filter.opc[n].match = rnd(r) >> 23;
		o->filter.opc[n].mask = (rnd(r) | rnd(r)) >> 23;
	}
	if (one_in(r, 2)) {
		o->period = 1 + below(r, 300);
		o->overflow = period_end;
		o->host = &samples;
	}
}

/*
 * The first three count every instruction, each in its own way: the first one
 * lazily, if the others are not there.
 */
static void observe(struct machine *m, struct rng *r, unsigned int vcpu, unsigned int i)
{
	struct mont_observer *o = &m->observer[vcpu][i];
	const char *why;

	memset(o, 0, sizeof(*o));
	if (i >= 3)
		observe_random(o, r);
	else
		*o = (struct mont_observer){
			.filter = { .code = 8,
				    .plm = 15,
				    .nr_opc = i == 2,
				    .iar_hi = ~0ULL,
				    .opc = { { .mask = MONT_BIT(41) - 1, .mifb = 15 } },
				    .flags = i == 1   ? MONT_FILTER_IAR
					     : i == 2 ? MONT_FILTER_OPC
						      : 0 },
		};
	m->attached[vcpu][i] = !mont_observer_attach(mont_vcpu(m->pkg, vcpu), o, &why);
	if (i < 3 && !m->attached[vcpu][i]) {
		m->counted = false;
		snprintf(m->why, sizeof(m->why), "observer %u refused: %s", i, why);
	}
}

static void observers_change(struct machine *m, struct rng *r, bool first)
{
	bool lazy = first && one_in(r, 2);
	unsigned int v, i;

	for (v = 0; v < m->pkg->nr_vcpus; v++) {
		struct mont_thread *t = mont_vcpu(m->pkg, v);

		if (first)
			m->insns0[v] = get(t, MONT_REG_SPECIAL, MONT_SPECIAL_INSNS);
		for (i = 0; i < MAX_OBSERVERS; i++) {
			if (first ? i && i < 3 && lazy : i < 3 || one_in(r, 2))
				continue;
			if (m->attached[v][i])
				mont_observer_detach(t, &m->observer[v][i]);
			m->attached[v][i] = false;
			if (first || one_in(r, 2))
				observe(m, r, v, i);
		}
	}
}

static void observers_check(struct machine *m)
{
	unsigned int v, i;

	for (v = 0; v < m->pkg->nr_vcpus && m->counted; v++) {
		struct mont_thread *t = mont_vcpu(m->pkg, v);
		u64 insns = get(t, MONT_REG_SPECIAL, MONT_SPECIAL_INSNS) - m->insns0[v];

		for (i = 0; i < 3 && m->attached[v][i]; i++) {
			u64 count = mont_observer_read(t, &m->observer[v][i]);

			if (count == insns)
				continue;
			m->counted = false;
			snprintf(m->why, sizeof(m->why),
				 "vcpu %u retired %llu, observer %u counted %llu", v,
				 (unsigned long long)insns, i, (unsigned long long)count);
		}
	}
}

static void observers_detach(struct machine *m)
{
	unsigned int v, i;

	for (v = 0; v < m->pkg->nr_vcpus; v++)
		for (i = 0; i < MAX_OBSERVERS; i++)
			if (m->attached[v][i])
				mont_observer_detach(mont_vcpu(m->pkg, v), &m->observer[v][i]);
}

/* ---- the script ---- */

/* Out, gone, and back in. */
static void reload(struct machine *m)
{
	size_t size = mont_state_size(m->pkg);
	u64 before = mont_state_hash(m->pkg);
	u8 *blob = malloc(size);

	mont_state_save(m->pkg, blob);
	take_console(m);
	make_package(m);
	if (mont_state_load(m->pkg, blob, size) || mont_state_hash(m->pkg) != before)
		m->reloaded = false;
	free(blob);
}

static u64 bundles_of(struct machine *m)
{
	u64 n = 0;
	unsigned int i;

	for (i = 0; i < m->pkg->nr_vcpus; i++)
		if (!get(mont_vcpu(m->pkg, i), MONT_REG_SPECIAL, MONT_SPECIAL_HALTED))
			n += get(mont_vcpu(m->pkg, i), MONT_REG_SPECIAL, MONT_SPECIAL_CYCLES);
	return n;
}

u64 machine_run(struct machine *m, u64 seed, unsigned int how)
{
	struct rng script = { seed ^ 0x5c219 }, other = { seed ^ 0x07e2 };
	unsigned int part, parts = 4 + below(&script, 12), n;

	mont_check_set(m->pkg, how & RUN_SLOW);
	for (part = 0; part < parts; part++) {
		if (!part || one_in(&script, 3))
			machine_prepare(m, &script);
		for (n = below(&script, 4); n; n--)
			machine_meddle(m, &script);
		take_console(m);
		if (how & RUN_OBSERVED)
			observers_change(m, &other, !part);
		if (how & RUN_RELATED && !part)
			related_begin(m, &other);
		if (how & RUN_SAVED)
			reload(m);
		n = one_in(&script, 4) ? 3000 : 500;
		m->untimed = m->cfg.timing && m->cfg.threads > 1 && one_in(&script, 6);
		m->mixed |= m->untimed;
		machine_advance(m, &other, 1 + below(&script, n), how);
		/* Where no time is kept instructions go on and cycles stand. */
		m->related_hold &= !(how & RUN_RELATED) || m->mixed || related_hold(m);
	}
	if (how & RUN_RELATED)
		related_end(m);
	if (how & RUN_OBSERVED) {
		observers_check(m);
		observers_detach(m);
	}
	take_console(m);
	return bundles_of(m);
}
