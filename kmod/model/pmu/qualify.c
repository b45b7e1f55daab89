// SPDX-License-Identifier: GPL-2.0-only
/*
 * Qualification by the guest's own registers: instruction ranges (manual
 * 3.3.5), opcode matchers (3.3.6), the four tag channels, and data ranges
 * (3.3.7). An instruction carries Tag(0) to Tag(3); memory pipeline events go
 * through PMC41, which combines tags with data address matches.
 *
 * Ranges are compared per bundle here, for what is fetched per pair of bundles.
 * Counters that a combination constrains which the manual calls illegal or leaves
 * undefined stand still and are flagged.
 */
#include "qualify.h"
#include "internal.h"
#include "../isa/uop.h"
#include "../isa/decode.h"

#define MONT_NR_CHANNELS 4

/* PMC32 and PMC34 (manual table 3-11) */
#define MONT_OPM_MASK (MONT_BIT(41) - 1)
#define MONT_OPM_MIFB_SHIFT 48
#define MONT_PMC32_INV MONT_BIT(56)
#define MONT_PMC32_IG_AD MONT_BIT(57)
/* PMC38 (table 3-10) */
#define MONT_PMC38_IG_IBRP(n) MONT_BIT(3 * (n) + 1)
#define MONT_PMC38_FINE MONT_BIT(13)
/* PMC41 (table 3-14) */
#define MONT_PMC41_EN(n) MONT_BIT(45 + (n))
#define MONT_PMC41_EN_ANY (0xfULL << 45)
#define MONT_PMC41_CFG_SHIFT(n) (8 * (n) + 3)
#define MONT_CFG_NO_DATA 1 /* low bit: data address not asked for */
#define MONT_CFG_NO_TAG 2 /* high bit: tag not asked for */

#define MONT_IBR_X MONT_BIT(63)
#define MONT_IBR_PLM_SHIFT 56
#define MONT_BR_MASK_BITS (MONT_BIT(56) - 1) /* bits 63:56 always compare */

static unsigned int qualify_event_channel(const struct mont_event *e)
{
	switch (e->cond) {
	case MONT_COND_TAG1:
		return 1;
	case MONT_COND_TAG2:
		return 2;
	case MONT_COND_TAG3:
		return 3;
	default:
		return 0;
	}
}

/*
 * The channel of an occurrence that has the address of a fetch: prefetches are asked for
 * the second range (3.3.5.2).
 */
static unsigned int qualify_fetch_channel(enum mont_signal sig)
{
	switch (sig) {
	case MONT_SIG_L1I_HINTED:
	case MONT_SIG_L1I_STREAMED:
	case MONT_SIG_L1I_PFTCH_FILLED:
	case MONT_SIG_ISB_PFTCH_FIRST:
	case MONT_SIG_ISB_PFTCH_SECOND:
	case MONT_SIG_L2I_PFTCH_HIT:
	case MONT_SIG_L2I_PFTCH_MISS:
		return 1;
	default:
		return 0;
	}
}

/* Channels of the signals of @e: bit n for channel n. */
static u32 qualify_fetch_channels(const struct mont_event *e)
{
	u16 sig[MONT_EVENT_SIGNALS];
	unsigned int i = mont_event_signals(e, sig);
	u32 channels = 0;

	while (i--)
		channels |= 1u << qualify_fetch_channel(sig[i]);
	return channels;
}

/* True if a range takes part in channel @ch. */
static bool qualify_is_range_used(const struct mont_thread *t, unsigned int ch)
{
	u64 pmc38 = t->s.pmu.pmc[38];
	unsigned int pair = ch;

	if (pmc38 & MONT_PMC38_FINE) {
		pair = ch & 1;
		if (pmc38 & MONT_PMC38_IG_IBRP(pair + 2))
			return false;
	}
	if ((pmc38 & MONT_PMC38_IG_IBRP(pair)) || (t->s.ibr[2 * pair + 1] & MONT_IBR_X))
		return false;
	return ch || !(t->s.pmu.pmc[32] & MONT_PMC32_IG_AD);
}

static bool qualify_ibr_match(const struct mont_thread *t, unsigned int ch, u64 ip)
{
	bool fine = t->s.pmu.pmc[38] & MONT_PMC38_FINE;
	unsigned int pair = fine ? ch & 1 : ch;
	u64 addr = t->s.ibr[2 * pair], ctl = t->s.ibr[2 * pair + 1];
	u64 compare = ~MONT_BR_MASK_BITS | (ctl & MONT_BR_MASK_BITS);
	u64 upper;

	if (!(ctl >> MONT_IBR_PLM_SHIFT >> t->cpl & 1))
		return false;
	if (!fine)
		return !((ip ^ addr) & compare & ~0xfULL);
	upper = t->s.ibr[2 * (pair + 2)];
	compare &= ~0xffffULL;
	return !((ip ^ addr) & compare) && !((ip ^ upper) & compare) &&
	       (ip & 0xffff) >= (addr & 0xffff) && (ip & 0xffff) <= (upper & 0xffff);
}

static bool qualify_range_tag(const struct mont_thread *t, unsigned int ch)
{
	bool match;

	if (!qualify_is_range_used(t, ch))
		return true;
	match = qualify_ibr_match(t, ch, t->s.ip);
	return match ^ (!ch && (t->s.pmu.pmc[32] & MONT_PMC32_INV));
}

/* As qualify_range_tag(), for a fetch of the pair of bundles that @addr lies in. */
static bool qualify_fetch_tag(const struct mont_thread *t, unsigned int ch, u64 addr)
{
	bool inverted = !ch && (t->s.pmu.pmc[32] & MONT_PMC32_INV), match;
	u64 pair = addr & ~0x1fULL;

	if (!qualify_is_range_used(t, ch))
		return true;
	match = qualify_ibr_match(t, ch, pair) || qualify_ibr_match(t, ch, pair + 16);
	return match != inverted;
}

/* True if opcodes take part in channel @ch. */
static bool qualify_is_opcode_used(const struct mont_thread *t, unsigned int ch)
{
	u64 pmc = t->s.pmu.pmc[ch & 1 ? 34 : 32];

	if (t->s.pmu.pmc[36] >> ch & 1)
		return false;
	return ~pmc & (MONT_OPM_MASK | 0xfULL << MONT_OPM_MIFB_SHIFT);
}

unsigned int mont_slot_mifb(const u64 *raw, unsigned int slot)
{
	u64 major;

	switch (mont_slot_unit(raw[0] & 0x1f, slot)) {
	case MONT_UNIT_M:
		return 8;
	case MONT_UNIT_I:
		return 4;
	case MONT_UNIT_F:
		return 2;
	case MONT_UNIT_B:
		return 1;
	case MONT_UNIT_X:
		/* brl goes to a B unit, everything else in MLX to an I unit. */
		major = mont_slot_bits(raw[0], raw[1], slot) >> 37;
		return major == 0xc || major == 0xd ? 1 : 4;
	default:
		return 0;
	}
}

static bool qualify_opcode_match(struct mont_thread *t, unsigned int ch, unsigned int slot)
{
	unsigned int pmc = ch & 1 ? 34 : 32;
	u64 mask = t->s.pmu.pmc[pmc], match = t->s.pmu.pmc[pmc + 1];
	const u64 *raw = mont_fetch_raw(t);

	if (!raw || !(mont_slot_mifb(raw, slot) & mont_bits(mask, MONT_OPM_MIFB_SHIFT, 4)))
		return false;
	return !((mont_slot_bits(raw[0], raw[1], slot) ^ match) & ~mask & MONT_OPM_MASK);
}

static bool qualify_tag(struct mont_thread *t, unsigned int ch, unsigned int slot)
{
	return qualify_range_tag(t, ch) &&
	       (!qualify_is_opcode_used(t, ch) || qualify_opcode_match(t, ch, slot));
}

static bool qualify_is_tag_free(const struct mont_thread *t, unsigned int ch)
{
	return !qualify_is_range_used(t, ch) && !qualify_is_opcode_used(t, ch);
}

static bool qualify_dbr_match(const struct mont_thread *t, unsigned int pair, u64 va)
{
	u64 compare = ~MONT_BR_MASK_BITS | (t->s.dbr[2 * pair + 1] & MONT_BR_MASK_BITS);

	return !((va ^ t->s.dbr[2 * pair]) & compare);
}

/* True if pair @pair matches one of the bytes of @ref. */
static bool qualify_is_dbr_touched(const struct mont_thread *t, unsigned int pair,
				   const struct mont_ref *ref)
{
	u32 i;

	for (i = 0; i < ref->size; i++) {
		if (qualify_dbr_match(t, pair, ref->va + i))
			return true;
	}
	return false;
}

bool mont_dbr_any(const struct mont_thread *t, const struct mont_ref *ref)
{
	unsigned int j;

	for (j = 0; j < MONT_NR_CHANNELS; j++) {
		/* As reset leaves it a pair would match most of memory: it is not in use. */
		if ((t->s.dbr[2 * j] | t->s.dbr[2 * j + 1]) && qualify_is_dbr_touched(t, j, ref))
			return true;
	}
	return false;
}

static unsigned int qualify_pmc41_cfg(const struct mont_thread *t, unsigned int pair)
{
	return mont_bits(t->s.pmu.pmc[41], MONT_PMC41_CFG_SHIFT(pair), 2);
}

/* True if PMC41 leaves no memory reference out. */
static bool qualify_is_memory_free(const struct mont_thread *t)
{
	u64 pmc41 = t->s.pmu.pmc[41];
	bool any = false;
	unsigned int j;

	for (j = 0; j < MONT_NR_CHANNELS; j++) {
		unsigned int cfg = qualify_pmc41_cfg(t, j);

		if (!(pmc41 & MONT_PMC41_EN(j)))
			continue;
		any = true;
		if ((cfg & MONT_CFG_NO_DATA) &&
		    ((cfg & MONT_CFG_NO_TAG) || qualify_is_tag_free(t, j)))
			return true;
	}
	return !any;
}

/* A reference passes if any of the enabled pairs lets it pass. */
static bool qualify_memory_match(struct mont_thread *t, unsigned int slot, u64 va)
{
	u64 pmc41 = t->s.pmu.pmc[41];
	unsigned int j;

	for (j = 0; j < MONT_NR_CHANNELS; j++) {
		unsigned int cfg = qualify_pmc41_cfg(t, j);

		if (!(pmc41 & MONT_PMC41_EN(j)))
			continue;
		if (!(cfg & MONT_CFG_NO_DATA) && !qualify_dbr_match(t, j, va))
			continue;
		if ((cfg & MONT_CFG_NO_TAG) || qualify_tag(t, j, slot))
			return true;
	}
	return false;
}

static bool qualify_is_pair_ignored(const struct mont_thread *t, unsigned int pair)
{
	return t->s.pmu.pmc[38] & MONT_PMC38_IG_IBRP(pair);
}

/* True if the constraint of channel @ch is one that the manual leaves undefined. */
static bool qualify_is_channel_undefined(const struct mont_thread *t, unsigned int ch)
{
	bool fine = t->s.pmu.pmc[38] & MONT_PMC38_FINE;
	u64 pmc32 = t->s.pmu.pmc[32];

	/* Table 3-10: ranges 2 and 3 are not defined in fine mode, a couple goes together. */
	if (fine &&
	    (ch > 1 || qualify_is_pair_ignored(t, ch) != qualify_is_pair_ignored(t, ch + 2)))
		return true;
	/* Table 3-11: there is no range to invert. */
	return !ch && !(pmc32 & MONT_PMC32_IG_AD) && (pmc32 & MONT_PMC32_INV) &&
	       !qualify_is_range_used(t, ch);
}

bool mont_constraint_undefined(const struct mont_thread *t, const struct mont_event *e)
{
	u64 pmc41 = t->s.pmu.pmc[41];
	unsigned int j;

	if (!(e->filters & MONT_EVF_IAR))
		return false;
	/* The notes under tables 3-10 and 3-14. */
	if (!(pmc41 & MONT_PMC41_EN_ANY) && !(t->s.pmu.pmc[32] & MONT_PMC32_IG_AD) &&
	    (!qualify_is_pair_ignored(t, 0) || !qualify_is_pair_ignored(t, 1)))
		return true;
	if (mont_signal_kind(e->signal) == MONT_ATTR_FETCH) {
		u32 channels = qualify_fetch_channels(e);

		return ((channels & 1) && qualify_is_channel_undefined(t, 0)) ||
		       ((channels & 2) && qualify_is_channel_undefined(t, 1));
	}
	if (!(e->filters & MONT_EVF_DAR))
		return qualify_is_channel_undefined(t, qualify_event_channel(e));
	for (j = 0; j < MONT_NR_CHANNELS; j++) {
		if ((pmc41 & MONT_PMC41_EN(j)) && !(qualify_pmc41_cfg(t, j) & MONT_CFG_NO_TAG) &&
		    qualify_is_channel_undefined(t, j))
			return true;
	}
	return false;
}

bool mont_unconstrained(const struct mont_thread *t, const struct mont_event *e)
{
	if (e->filters & MONT_EVF_DAR)
		return qualify_is_memory_free(t);
	if (e->filters & MONT_EVF_OPC)
		return qualify_is_tag_free(t, qualify_event_channel(e));
	if (mont_signal_kind(e->signal) == MONT_ATTR_FETCH && (e->filters & MONT_EVF_IAR)) {
		u32 channels = qualify_fetch_channels(e);

		return !((channels & 1) && qualify_is_range_used(t, 0)) &&
		       !((channels & 2) && qualify_is_range_used(t, 1));
	}
	if (e->filters & MONT_EVF_IAR)
		return !qualify_is_range_used(t, qualify_event_channel(e));
	return true;
}

u64 mont_qualify(const struct mont_event *e, const struct mont_occurrence *o)
{
	struct mont_thread *t = o->owner;
	unsigned int ch = qualify_event_channel(e), slot;
	u64 pass = 0;

	/* Of what is traced, address and opcode concern branches alone (3.3.10.1.1). */
	if (mont_unconstrained(t, e) || o->sig == MONT_SIG_FLUSHED)
		return o->n;
	if (e->filters & MONT_EVF_DAR)
		return qualify_memory_match(t, t->sig_slot, o->ref ? o->ref->va : 0) ? o->n : 0;
	if (mont_signal_kind(o->sig) == MONT_ATTR_FETCH)
		return qualify_fetch_tag(t, qualify_fetch_channel(o->sig),
					 o->ref ? o->ref->va : o->attr)
			       ? o->n
			       : 0;
	if (!(e->filters & MONT_EVF_OPC))
		return qualify_range_tag(t, ch) ? o->n : 0;
	if (mont_signal_kind(o->sig) != MONT_ATTR_SLOTS)
		return qualify_tag(t, ch, t->sig_slot) ? o->n : 0;
	for (slot = 0; slot < 3; slot++) {
		if (o->attr >> slot & 1)
			pass += qualify_tag(t, ch, slot);
	}
	return pass;
}

bool mont_qualifies(struct mont_thread *t, const struct mont_qualifier *q, unsigned int slot)
{
	switch (q->kind) {
	case MONT_QUALIFY_RANGE:
		return qualify_range_tag(t, q->channel);
	case MONT_QUALIFY_TAG:
		return qualify_tag(t, q->channel, slot);
	case MONT_QUALIFY_MEMORY:
		return qualify_memory_match(t, slot, 0);
	default:
		return true;
	}
}

/* True if one of the enabled pairs asks for a data address. */
static bool qualify_memory_by_data(const struct mont_thread *t)
{
	unsigned int j;

	for (j = 0; j < MONT_NR_CHANNELS; j++) {
		if ((t->s.pmu.pmc[41] & MONT_PMC41_EN(j)) &&
		    !(qualify_pmc41_cfg(t, j) & MONT_CFG_NO_DATA))
			return true;
	}
	return false;
}

bool mont_qualifier_of(const struct mont_thread *t, const struct mont_event *e,
		       struct mont_qualifier *q)
{
	/* A fetch has the address of a line, not of the instruction that executes. */
	if (mont_unconstrained(t, e) || mont_signal_kind(e->signal) == MONT_ATTR_FETCH)
		return false;
	*q = (struct mont_qualifier){ .channel = qualify_event_channel(e) };
	if (e->filters & MONT_EVF_DAR) {
		q->kind = MONT_QUALIFY_MEMORY;
		q->channel = 0;
		return !qualify_memory_by_data(t);
	}
	q->kind = e->filters & MONT_EVF_OPC ? MONT_QUALIFY_TAG : MONT_QUALIFY_RANGE;
	return true;
}
