// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tag sets (tags.h): the qualifiers that depend on the instruction alone, the sets of
 * instructions that pass equal ones, and the kinds of bundles (manual 3.3.5, 3.3.6).
 */
#include "tags.h"
#include "filter.h"
#include "internal.h"
#include "subscriber.h"
#include "qualify.h"

static bool tags_is_same_qualifier(const struct mont_qualifier *a, const struct mont_qualifier *b)
{
	return a->kind == b->kind && a->channel == b->channel && a->flags == b->flags &&
	       a->iar_lo == b->iar_lo && a->iar_hi == b->iar_hi && a->version == b->version &&
	       a->block == b->block && mont_filter_same_opcodes(a->opcodes, b->opcodes);
}

u8 mont_tags_qualifier(struct mont_tags *tags, const struct mont_qualifier *q, u32 most)
{
	unsigned int i;

	for (i = 0; i < tags->nr_qualifiers; i++) {
		if (tags_is_same_qualifier(&tags->qualifier[i], q))
			return i;
	}
	if (i >= most)
		return MONT_NO_QUALIFIER;
	tags->qualifier[i] = *q;
	tags->nr_qualifiers++;
	return i;
}

/* PMC4-15 that count in set @set by their qualifiers. */
static u16 tags_set_counters(const struct mont_thread *t, unsigned int set)
{
	unsigned int n;
	u16 counters = 0;

	for (n = MONT_PMC_FIRST; n <= MONT_PMC_LAST; n++) {
		u8 q = t->pmu.qualifier[n];

		if (q != MONT_NO_QUALIFIER && (t->pmu.tags.passes[set] >> q & 1))
			counters |= MONT_BIT(n);
	}
	return counters;
}

void mont_tags_void(struct mont_thread *t)
{
	struct mont_tags *tags = &t->pmu.tags;

	tags->nr_sets = 1;
	tags->nr_kinds = MONT_TAG_KIND_UNTAGGED + 1;
	/* Groups worked out are the package's, with tags in them: no other thread has this epoch. */
	tags->epoch = (tags->epoch / MONT_MAX_VCPUS + 1) * MONT_MAX_VCPUS + t->index;
}

/* Registers that the guest's qualifiers depend on. */
static void tags_tag_registers(const struct mont_thread *t, struct mont_tag_registers *r)
{
	__builtin_memcpy(r->pmc, &t->s.pmu.pmc[32], sizeof(r->pmc));
	__builtin_memcpy(r->ibr, t->s.ibr, sizeof(r->ibr));
	r->cpl = t->cpl;
}

static bool tags_is_same_registers(const struct mont_tag_registers *a,
				   const struct mont_tag_registers *b)
{
	unsigned int i;
	u64 differ = a->cpl ^ b->cpl;

	for (i = 0; i < MONT_ARRAY_SIZE(a->pmc); i++)
		differ |= a->pmc[i] ^ b->pmc[i];
	for (i = 0; i < MONT_ARRAY_SIZE(a->ibr); i++)
		differ |= a->ibr[i] ^ b->ibr[i];
	return !differ;
}

void mont_tags_arm(struct mont_thread *t, bool stale)
{
	struct mont_tags *tags = &t->pmu.tags;
	struct mont_qualifier *before = tags->before;
	u32 nr = tags->nr_qualifiers, n, i;
	struct mont_tag_registers r;
	bool same = true, own = false;

	__builtin_memcpy(before, tags->qualifier, nr * sizeof(*before));
	if (stale) {
		tags->nr_qualifiers = 0;
		mont_observers_tag(t);
		tags->nr_filters = tags->nr_qualifiers;
	}
	tags->nr_qualifiers = tags->nr_filters;
	for (n = MONT_PMC_FIRST; n <= MONT_PMC_LAST; n++) {
		struct mont_qualifier q;

		t->pmu.qualifier[n] = MONT_NO_QUALIFIER;
		if ((t->s.pmu.pmc[n] & MONT_PMC_PLM) && mont_pmc_countable(t, n) &&
		    mont_qualifier_of(t, t->pmu.event[n], &q)) {
			t->pmu.qualifier[n] = mont_tags_qualifier(tags, &q, MONT_NR_QUALIFIERS);
			own = true;
		}
	}
	if (!tags->nr_qualifiers && !nr)
		return;
	for (i = 0; i < nr && i < tags->nr_qualifiers; i++)
		same &= tags_is_same_qualifier(&tags->qualifier[i], &before[i]);
	same &= nr == tags->nr_qualifiers;
	if (own) {
		tags_tag_registers(t, &r);
		same &= tags_is_same_registers(&tags->registers, &r);
		tags->registers = r;
	}
	if (!same)
		mont_tags_void(t);
	for (i = 1; i < tags->nr_sets; i++)
		tags->counters[i] = tags_set_counters(t, i);
}

static bool tags_is_slot_qualified(struct mont_thread *t, const struct mont_qualifier *q,
				   unsigned int slot)
{
	switch (q->kind) {
	case MONT_QUALIFY_FILTER:
		return mont_filter_passes(t, q, slot);
	case MONT_QUALIFY_BLOCK:
		return mont_block_passes(t, q, slot);
	default:
		return mont_qualifies(t, q, slot);
	}
}

/* Mask of the qualifiers that the instruction in @slot of t->cur passes. */
static u32 tags_slot_passes(struct mont_thread *t, unsigned int slot)
{
	const struct mont_tags *tags = &t->pmu.tags;
	u32 passes = 0;
	unsigned int i;

	mont_work(t, tags->nr_qualifiers);
	for (i = 0; i < tags->nr_qualifiers; i++) {
		passes |= (u32)tags_is_slot_qualified(t, &tags->qualifier[i], slot) << i;
	}
	return passes;
}

/* Number of the set of instructions that pass @passes; 0 if there are too many sets. */
static unsigned int tags_tag_set(struct mont_thread *t, u32 passes)
{
	struct mont_tags *tags = &t->pmu.tags;
	unsigned int set, sig;

	for (set = 1; set < tags->nr_sets; set++) {
		if (tags->passes[set] == passes)
			return set;
	}
	if (set == MONT_NR_TAG_SETS)
		return 0;
	/* A countdown more draws on the same distances: all are set anew. */
	mont_signals_fold(t);
	mont_work(t, MONT_NR_SIGNALS / MONT_WORK_ENTRIES);
	for (sig = 0; sig < MONT_NR_SIGNALS; sig++)
		t->countdown[set][sig] = (struct mont_countdown){ MONT_SIG_NEVER, MONT_SIG_NEVER };
	tags->passes[set] = passes;
	tags->counters[set] = tags_set_counters(t, set);
	tags->nr_sets++;
	mont_countdowns_arm(t);
	return set;
}

/* The kind of bundles with @like's sets, instructions and nops. */
static unsigned int tags_tag_kind(struct mont_thread *t, const struct mont_tag_kind *like)
{
	struct mont_tags *tags = &t->pmu.tags;
	unsigned int n;

	mont_work(t, tags->nr_kinds / MONT_WORK_ENTRIES);
	for (n = MONT_TAG_KIND_UNTAGGED + 1; n < tags->nr_kinds; n++) {
		const struct mont_tag_kind *k = &tags->kind[n];

		if (k->set[0] == like->set[0] && k->set[1] == like->set[1] &&
		    k->set[2] == like->set[2] && k->insns == like->insns && k->nops == like->nops)
			return n;
	}
	if (n == MONT_NR_TAG_KINDS)
		return MONT_TAG_KIND_UNTAGGED;
	tags->kind[n] = *like;
	tags->nr_kinds++;
	return n;
}

/* Find out the kind of the bundle at IP, t->cur. */
static unsigned int tags_find(struct mont_thread *t)
{
	struct mont_tag_kind like = { .insns = mont_slots(t->cur) };
	unsigned int slot;

	for (slot = 0; slot < 3; slot++) {
		const struct mont_uop *u = mont_packed_uop(t->cur, slot);

		like.set[slot] = tags_tag_set(t, tags_slot_passes(t, slot));
		/* A set that wants each retirement, or a nop with a predicate: no kind tells the counts. */
		if (!like.set[slot] || ((u->flags & MONT_UOP_NOP) && u->qp))
			return MONT_TAG_KIND_UNTAGGED;
		like.sig[slot] = t->countdown[like.set[slot]];
		if (mont_nops_before(t->cur, slot + 1) > mont_nops_before(t->cur, slot))
			like.nops |= 1 << slot;
	}
	return tags_tag_kind(t, &like);
}

static struct mont_tag_page *tags_tag_page(struct mont_tags *tags, u64 pa)
{
	return &tags->page[pa >> 12 & (MONT_NR_TAG_PAGES - 1)];
}

/* Nothing has been found out yet of page @p. */
static noinline void tags_tag_page_begin(struct mont_thread *t, struct mont_tag_page *p, u64 va,
					 u64 pa)
{
	mont_work(t, sizeof(p->kind) / 8 / MONT_WORK_ENTRIES);
	*p = (struct mont_tag_page){ .va = va, .pa = pa, .epoch = t->pmu.tags.epoch };
}

/* The kind of @b, the decoded bundle at IP; those of its page are at hand then. */
static unsigned int tags_bundle_kind(struct mont_thread *t, const struct mont_bundle *b)
{
	struct mont_tags *tags = &t->pmu.tags;
	struct mont_tag_page *p = tags_tag_page(tags, b->tag);
	u64 pa = b->tag & ~0xfffULL, va = t->s.ip & ~0xfffULL;
	u16 *kind = &p->kind[b->tag >> 4 & 0xff];

	if (p->va != va || p->pa != pa || p->epoch != tags->epoch)
		tags_tag_page_begin(t, p, va, pa);
	tags->kinds = p->kind;
	if (*kind == MONT_TAG_KIND_NONE) {
		t->cur = b;
		*kind = tags_find(t);
	}
	return *kind;
}

/* True if @bundles can retire before a subscriber must look. */
static bool tags_room(struct mont_thread *t, u64 bundles)
{
	if (t->pmu.tags.room < bundles)
		mont_kinds_renew(t);
	return t->pmu.tags.room >= bundles;
}

bool mont_tags_ready(struct mont_thread *t, const struct mont_bundle *b)
{
	return !mont_retiring_watched(&t->pmu) &&
	       tags_bundle_kind(t, b) != MONT_TAG_KIND_UNTAGGED && tags_room(t, 1);
}

bool mont_window_tag(struct mont_thread *t, struct mont_window_tags *w, const struct mont_bundle *b,
		     unsigned int nr)
{
	u64 ip = t->s.ip;
	unsigned int i, kind = MONT_TAG_KIND_NONE;

	w->epoch = 0;
	if (mont_retiring_watched(&t->pmu))
		return false;
	for (i = 0; i < nr && kind != MONT_TAG_KIND_UNTAGGED; i++) {
		t->s.ip = ip + 16 * i;
		kind = tags_bundle_kind(t, &b[i]);
		w->kind[i] = &t->pmu.tags.kind[kind];
	}
	t->s.ip = ip;
	if (kind == MONT_TAG_KIND_UNTAGGED || !tags_room(t, nr))
		return false;
	w->ip = ip;
	w->epoch = t->pmu.tags.epoch;
	return true;
}

void mont_tags_between(struct mont_thread *t)
{
	t->sig = t->countdown[tags_tag_set(t, tags_slot_passes(t, 0))];
}

void mont_tags_forget(struct mont_package *pkg, u64 pa)
{
	u32 i;

	for (i = 0; i < pkg->nr_vcpus; i++) {
		struct mont_tag_page *p = tags_tag_page(&pkg->thread[i].pmu.tags, pa);

		if (p->pa == (pa & ~0xfffULL))
			p->kind[pa >> 4 & 0xff] = MONT_TAG_KIND_NONE;
	}
}

/* Add the retirements of kind @k to @insns and @nops, by set. */
static void tags_kind_sum(struct mont_tag_kind *k, u64 insns[MONT_NR_TAG_SETS],
			  u64 nops[MONT_NR_TAG_SETS])
{
	unsigned int slot = 3;
	u64 n = 0;

	if (!(k->upto[1] | k->upto[2] | k->upto[3]))
		return;
	while (slot--) {
		n += k->upto[slot + 1];
		k->upto[slot + 1] = 0;
		insns[k->set[slot]] += k->insns >> slot & 1 ? n : 0;
		nops[k->set[slot]] += k->nops >> slot & 1 ? n : 0;
	}
}

void mont_kinds_sum(struct mont_thread *t, u64 insns[MONT_NR_TAG_SETS], u64 nops[MONT_NR_TAG_SETS])
{
	struct mont_tags *tags = &t->pmu.tags;
	unsigned int n;

	mont_work(t, tags->nr_kinds / 4);
	for (n = MONT_TAG_KIND_UNTAGGED + 1; n < tags->nr_kinds; n++)
		tags_kind_sum(&tags->kind[n], insns, nops);
}
