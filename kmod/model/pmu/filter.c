// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters of observers: which events they fit, and which instructions and data pass them, as
 * the opcode and range constraints of the guest's counters do (manual 3.3.5 to 3.3.7).
 */
#include "filter.h"
#include "etb.h"
#include "internal.h"
#include "qualify.h"
#include "../isa/uop.h"
#include "../mont.h"

#define MONT_OPC_BITS (MONT_BIT(41) - 1)

static bool filter_opcodes_valid(const struct mont_filter *f)
{
	unsigned int i;

	if (!(f->flags & MONT_FILTER_OPC) != !f->nr_opc || f->nr_opc > MONT_MATCHES)
		return false;
	for (i = 0; i < f->nr_opc; i++) {
		const struct mont_opcode *o = &f->opc[i];

		if (!o->mifb || o->mifb > 0xf || (o->match | o->mask) & ~MONT_OPC_BITS)
			return false;
	}
	return true;
}

/* True if every field of @f is in its range; else sets @why. */
static bool filter_valid(const struct mont_filter *f, const char **why)
{
	if (f->code >= 2 * MONT_CODE_CAUSE || f->umask > 0xf) {
		*why = "event codes have 8 bits, or are those of causes, and unit masks have 4";
		return false;
	}
	if (!f->plm || f->plm > 0xf) {
		*why = "plm must name some of the four privilege levels";
		return false;
	}
	if (f->threshold > 7) {
		*why = "thresholds go from 0 to 7";
		return false;
	}
	if (f->flags & ~(MONT_FILTER_IAR | MONT_FILTER_DAR | MONT_FILTER_OPC | MONT_FILTER_ETB)) {
		*why = "unknown filter flag";
		return false;
	}
	if ((f->flags & MONT_FILTER_IAR) && f->iar_lo >= f->iar_hi) {
		*why = "the instruction range is empty";
		return false;
	}
	if ((f->flags & MONT_FILTER_DAR) && f->dar_lo >= f->dar_hi) {
		*why = "the data range is empty";
		return false;
	}
	if (!filter_opcodes_valid(f)) {
		*why = "opcode filters take up to eight 41-bit matches with a mask and some of mifb";
		return false;
	}
	if (f->flags & MONT_FILTER_ETB ? f->etb & ~MONT_ETB_SETTING : f->etb) {
		*why = "a setting of the trace buffer has ds, tm, ptm, ppm and brt of PMC39 alone";
		return false;
	}
	return true;
}

bool mont_filter_by_waiter(enum mont_signal sig)
{
	return (u32)sig - MONT_SIG_BUBBLES_FIRST < MONT_NR_CAUSES;
}

/* Why @e cannot be filtered as @f asks, or NULL. */
static const char *filter_unfit(bool timed, const struct mont_event *e, const struct mont_filter *f)
{
	if (f->threshold && !timed)
		return "thresholds need the timing model: without it there are no issue groups";
	/* With the most itself it counts what would be wrong with the model. */
	if (f->threshold > e->max_inc)
		return "the threshold is above the most this event can add in a cycle";
	if ((f->flags & MONT_FILTER_IAR) && !(e->filters & MONT_EVF_IAR))
		return "this event has no instruction range filter";
	if ((f->flags & MONT_FILTER_OPC) && !(e->filters & MONT_EVF_OPC))
		return "this event has no opcode filter";
	if ((f->flags & MONT_FILTER_DAR) && !(e->filters & MONT_EVF_DAR))
		return "this event has no data range filter";
	if ((f->flags & MONT_FILTER_ETB) && e->cond != MONT_COND_TRACED)
		return "this event has no trace buffer";
	if (!timed && mont_etb_predicts(f->etb))
		return "a trace by prediction (ptm, ppm) needs the timing model";
	if (e->needs_time && !mont_signal_ranged(e->signal) && !mont_filter_by_waiter(e->signal) &&
	    f->flags & (MONT_FILTER_IAR | MONT_FILTER_OPC))
		return "no source defines an instruction range for dispersal and its cycles";
	return NULL;
}

const struct mont_event *mont_filter_event(const struct mont_filter *f)
{
	return f->ear ? mont_event_of_ear(f->code, f->umask, f->ear, f->ear_umask)
		      : mont_event_lookup(f->code, f->umask);
}

int mont_filter_check(const struct mont_filter *f, u32 has, const char **why)
{
	const struct mont_event *e;

	if (!filter_valid(f, why))
		return MONT_EINVAL;
	e = mont_filter_event(f);
	if (!e) {
		*why = "no event has this code, unit mask and setting of an EAR";
		return MONT_ENOENT;
	}
	*why = mont_event_refusal(e, has);
	if (!*why)
		*why = filter_unfit(has & MONT_HAS_TIME, e, f);
	return *why ? MONT_EOPNOTSUPP : 0;
}

/* True if the instruction in @slot of t->cur, at IP, passes one of the opcodes of @f. */
static bool filter_opcode(struct mont_thread *t, const struct mont_filter *f, unsigned int slot)
{
	const u64 *raw = mont_fetch_raw(t);
	unsigned int i, unit;
	u64 insn;

	if (!raw)
		return false;
	unit = mont_slot_mifb(raw, slot);
	insn = mont_slot_bits(raw[0], raw[1], slot);
	for (i = 0; i < f->nr_opc; i++) {
		const struct mont_opcode *o = &f->opc[i];

		if ((unit & o->mifb) && !((insn ^ o->match) & ~o->mask & MONT_OPC_BITS))
			return true;
	}
	return false;
}

bool mont_filter_same_opcodes(const struct mont_filter *a, const struct mont_filter *b)
{
	unsigned int i;
	u64 differ;

	if (!a || !b || a == b)
		return a == b;
	differ = a->nr_opc ^ b->nr_opc;
	for (i = 0; !differ && i < a->nr_opc; i++)
		differ = (a->opc[i].match ^ b->opc[i].match) | (a->opc[i].mask ^ b->opc[i].mask) |
			 (a->opc[i].mifb ^ b->opc[i].mifb);
	return !differ;
}

bool mont_filter_passes(struct mont_thread *t, const struct mont_qualifier *q, unsigned int slot)
{
	if ((q->flags & MONT_FILTER_IAR) && (t->s.ip < q->iar_lo || t->s.ip >= q->iar_hi))
		return false;
	return !(q->flags & MONT_FILTER_OPC) || filter_opcode(t, q->opcodes, slot);
}

/* Occurrences of a fetch that pass @f, by the pair of bundles that it is for. */
static u64 filter_fetch(const struct mont_filter *f, const struct mont_occurrence *o)
{
	u64 pair = (o->ref ? o->ref->va : o->attr) & ~0x1fULL;

	return (f->flags & MONT_FILTER_IAR) && (pair + 31 < f->iar_lo || pair >= f->iar_hi) ? 0
											    : o->n;
}

u64 mont_filter_count(const struct mont_filter *f, const struct mont_occurrence *o)
{
	struct mont_thread *t = o->owner;
	u64 va = o->ref ? o->ref->va : 0, pass = 0;
	unsigned int slot;

	if (mont_signal_kind(o->sig) == MONT_ATTR_FETCH)
		return filter_fetch(f, o);
	if ((f->flags & MONT_FILTER_IAR) && (t->s.ip < f->iar_lo || t->s.ip >= f->iar_hi))
		return 0;
	if ((f->flags & MONT_FILTER_DAR) && (va < f->dar_lo || va >= f->dar_hi))
		return 0;
	if (!(f->flags & MONT_FILTER_OPC))
		return o->n;
	if (mont_signal_kind(o->sig) != MONT_ATTR_SLOTS)
		return filter_opcode(t, f, t->sig_slot) ? o->n : 0;
	for (slot = 0; slot < 3; slot++) {
		if (o->attr >> slot & 1)
			pass += filter_opcode(t, f, slot);
	}
	return pass;
}

u64 mont_filter_trace(const struct mont_filter *f)
{
	return f->flags & MONT_FILTER_ETB ? f->etb : MONT_ETB_ALL;
}

u64 mont_filter_pmds(const struct mont_filter *f)
{
	const struct mont_event *e = mont_filter_event(f);

	return e ? mont_event_pmds(e) : 0;
}
