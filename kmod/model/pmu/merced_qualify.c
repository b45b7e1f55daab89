// SPDX-License-Identifier: GPL-2.0-only
/*
 * Qualification by the original Itanium's registers (Itanium Processor Reference Manual,
 * 6.1.3.1, table 6-3 and figure 6-5): the range tag comes first, both opcode matchers take it,
 * and Tag(PMC8) qualifies all that is downstream. Tag(PMC9) can only be counted itself.
 *
 * Two things the documents leave open. Of the odd registers of a pair the mask alone plays a
 * part, neither x, r, w nor plm; and a pair whose registers are both 0, as reset leaves them,
 * is not in use.
 */
#include "merced_qualify.h"
#include "internal.h"
#include "merced.h"
#include "merced_ear.h"
#include "merced_loads.h"
#include "qualify.h"

#define MASK_BITS (MONT_BIT(56) - 1) /* bits 63:56 of addresses always compare */

/* PMC8 and PMC9: 27 bits stand for bits 40:27 and 12:0 of an instruction. */
#define OPCODE_BITS (MONT_BIT(27) - 1)
#define OPCODE_MASK_SHIFT 3
#define OPCODE_MATCH_SHIFT 33
#define OPCODE_MIFB_SHIFT 60

/* True if a pair of @reg, IBRs or DBRs, holds @addr: the pairs are alternatives. */
static bool merced_qualify_is_in_pairs(const u64 reg[8], u64 addr)
{
	unsigned int i;

	for (i = 0; i < 8; i += 2) {
		u64 compare = ~MASK_BITS | (reg[i + 1] & MASK_BITS);

		if ((reg[i] | reg[i + 1]) && !((addr ^ reg[i]) & compare))
			return true;
	}
	return false;
}

static bool merced_qualify_is_in_range(const struct mont_merced *m, u64 ip)
{
	return (m->pmc[13] & MONT_MERCED_TA) || merced_qualify_is_in_pairs(m->ibr, ip & ~15ULL);
}

/* True if @pmc, PMC8 or PMC9, lets every instruction pass. */
static bool merced_qualify_is_opcode_free(u64 pmc)
{
	return (pmc >> OPCODE_MASK_SHIFT & OPCODE_BITS) == OPCODE_BITS &&
	       pmc >> OPCODE_MIFB_SHIFT == 0xf;
}

static bool merced_qualify_is_opcode_match(const struct mont_thread *t, u64 pmc, unsigned int slot)
{
	const u64 *raw = mont_fetch_raw(t);
	u64 insn;

	if (merced_qualify_is_opcode_free(pmc))
		return true;
	if (!raw || !(mont_slot_mifb(raw, slot) & mont_bits(pmc, OPCODE_MIFB_SHIFT, 4)))
		return false;
	insn = mont_slot_bits(raw[0], raw[1], slot);
	insn = mont_bits(insn, 27, 14) << 13 | mont_bits(insn, 0, 13);
	return !((insn ^ pmc >> OPCODE_MATCH_SHIFT) & ~(pmc >> OPCODE_MASK_SHIFT) & OPCODE_BITS);
}

unsigned int mont_merced_tag(const struct mont_event *e)
{
	if (e->cond == MONT_COND_TAG1)
		return MONT_MERCED_PMC9;
	return e->filters & MONT_EVF_OPC ? MONT_MERCED_PMC8 : MONT_MERCED_RANGE;
}

u8 mont_merced_filters(const struct mont_merced *m, const struct mont_event *e)
{
	u64 opcode = m->pmc[mont_merced_tag(e) == MONT_MERCED_PMC9 ? 9 : 8];
	u8 flags = 0;

	if ((e->filters & MONT_EVF_IAR) && !(m->pmc[13] & MONT_MERCED_TA))
		flags |= MONT_FILTER_IAR;
	if ((e->filters & MONT_EVF_OPC) && !merced_qualify_is_opcode_free(opcode))
		flags |= MONT_FILTER_OPC;
	if ((e->filters & MONT_EVF_DAR) && !(m->pmc[11] & MONT_MERCED_PT))
		flags |= MONT_FILTER_DAR;
	return flags;
}

bool mont_merced_tagged(const struct mont_block *block, unsigned int tag, unsigned int slot)
{
	const struct mont_merced *m = &block->r.merced;
	const struct mont_thread *t = block->t;

	return merced_qualify_is_in_range(m, t->s.ip) &&
	       (tag == MONT_MERCED_RANGE ||
		merced_qualify_is_opcode_match(t, m->pmc[tag == MONT_MERCED_PMC9 ? 9 : 8], slot));
}

/* Occurrences of a fetch that pass, by the pair of bundles that it is for. */
static u64 merced_qualify_pass_fetch(const struct mont_merced *m, const struct mont_occurrence *at)
{
	u64 pair = (at->ref ? at->ref->va : at->attr) & ~0x1fULL;

	return merced_qualify_is_in_range(m, pair) || merced_qualify_is_in_range(m, pair + 16)
		       ? at->n
		       : 0;
}

u64 mont_merced_pass(const struct mont_observer *o, const struct mont_occurrence *at)
{
	const struct mont_merced *m = &o->block->r.merced;
	u64 pass = 0;
	unsigned int slot;

	if (o == &o->block->counter[MONT_MERCED_IEAR] && !mont_merced_ear_takes(m->pmc[10], at))
		return 0;
	if (mont_merced_loads_counted(o))
		return mont_merced_loads_pass(o, at);
	if (!o->filter.flags)
		return at->n;
	if (mont_signal_kind(at->sig) == MONT_ATTR_FETCH)
		return o->filter.flags & MONT_FILTER_IAR ? merced_qualify_pass_fetch(m, at) : at->n;
	if ((o->filter.flags & MONT_FILTER_DAR) &&
	    (!at->ref || !merced_qualify_is_in_pairs(m->dbr, at->ref->va)))
		return 0;
	if (!(o->filter.flags & (MONT_FILTER_IAR | MONT_FILTER_OPC)))
		return at->n;
	if (mont_signal_kind(at->sig) != MONT_ATTR_SLOTS)
		return mont_merced_tagged(o->block, o->channel, at->owner->sig_slot) ? at->n : 0;
	for (slot = 0; slot < 3; slot++)
		if (at->attr >> slot & 1)
			pass += mont_merced_tagged(o->block, o->channel, slot);
	return pass;
}
