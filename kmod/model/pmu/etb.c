// SPDX-License-Identifier: GPL-2.0-only
/*
 * The execution trace buffer (manual 3.3.10.1, tables 3-26 to 3-29).
 *
 * In every cycle in which something qualifies its source is recorded, and in the next
 * entry where the flow goes on; but if what is there qualifies in the very next cycle,
 * its source alone.
 */
#include "etb.h"
#include "internal.h"
#include "subscriber.h"
#include "../event/raise.h"
#include "qualify.h"

#define PMD_INDEX 38
#define PMD_EXTENSION 39
#define PMD_FIRST 48
#define INDEX_FULL MONT_BIT(5)
/* an entry (table 3-27) */
#define ENTRY_SOURCE 1
#define ENTRY_MISPREDICTED 2 /* of a target: valid */
#define ENTRY_SLOT_SHIFT 2
#define ENTRY_NOT_TAKEN 3
/* its extension (table 3-29) */
#define EXTENSION_SECOND 1
#define EXTENSION_FLUSH 2
/* mont_etb.target */
#define TARGET_KNOWN 1
#define TARGET_OPEN 2 /* the group that leads there has not ended */

void mont_etb_reset(struct mont_etb *etb)
{
	*etb = (struct mont_etb){};
}

bool mont_etb_valid(const struct mont_etb *etb)
{
	return !(etb->target & 0xf & ~(u64)TARGET_KNOWN);
}

/**
 * struct mont_etb_view - a trace buffer's registers, of the guest or of an observer
 * @index: PMD38
 * @extension: PMD39
 * @entry: PMD48 to PMD63
 * @etb: the end of it
 * @setting: PMC39
 */
struct mont_etb_view {
	u64 *index;
	u64 *extension;
	u64 *entry;
	struct mont_etb *etb;
	u64 setting;
};

static struct mont_etb_view etb_guest_trace(struct mont_thread *t)
{
	u64 *pmd = t->s.pmu.pmd;

	return (struct mont_etb_view){ &pmd[PMD_INDEX], &pmd[PMD_EXTENSION], &pmd[PMD_FIRST],
				       &t->s.pmu.etb, t->s.pmu.pmc[39] };
}

static struct mont_etb_view etb_observer_trace(struct mont_etb_buffer *b, u64 setting)
{
	return (struct mont_etb_view){ &b->index, &b->extension, b->entry, &b->etb, setting };
}

bool mont_etb_predicts(u64 setting)
{
	u64 any = MONT_PMC39_PTM | MONT_PMC39_PPM;
	u64 tm = MONT_PMC39_TM_TAKEN | MONT_PMC39_TM_NOT_TAKEN;

	/* With tm = 00 no branch is taken, and nothing else is predicted. */
	return (setting & tm) && (setting & any) != any;
}

bool mont_etb_followed(const struct mont_thread *t)
{
	return (t->pmu.timed || !mont_etb_predicts(t->s.pmu.pmc[39])) &&
	       !(t->s.pmu.pmc[42] & MONT_PMC42_MODE);
}

/*
 * True if ptm and ppm (manual table 3-26) take a branch with prediction @outcome. A target
 * that was not predicted, since its path was wrong, is neither right nor wrong.
 */
static bool etb_is_predicted(u64 pmc39, u8 outcome)
{
	bool path = !(outcome & MONT_BRANCH_WRONG_PATH);

	if (!(pmc39 & (path ? MONT_PMC39_PPM_RIGHT : MONT_PMC39_PPM_WRONG)))
		return false;
	if ((pmc39 & MONT_PMC39_PTM) == MONT_PMC39_PTM)
		return true;
	if (!path)
		return false;
	return pmc39 &
	       (outcome & MONT_BRANCH_WRONG_TARGET ? MONT_PMC39_PTM_WRONG : MONT_PMC39_PTM_RIGHT);
}

bool mont_etb_selects(u64 setting, const struct mont_occurrence *o)
{
	const struct mont_branch *b = o->branch;
	u64 brt = mont_bits(setting, MONT_PMC39_BRT_SHIFT, 2);

	if (!b)
		return true;
	return (setting & (b->taken ? MONT_PMC39_TM_TAKEN : MONT_PMC39_TM_NOT_TAKEN)) &&
	       (!brt || brt == b->type) && etb_is_predicted(setting, b->outcome);
}

bool mont_etb_takes(const struct mont_thread *own, const struct mont_occurrence *o)
{
	const struct mont_thread *t = o->owner;
	u64 pmc39 = own->s.pmu.pmc[39];
	u64 psr = pmc39 & MONT_PMC_PM ? MONT_PSR_PP : MONT_PSR_UP;

	return (pmc39 >> t->cpl & 1) && (t->s.psr & psr) && mont_etb_selects(pmc39, o);
}

bool mont_etb_second(u64 extension, unsigned int n)
{
	return extension >> mont_etb_extension_shift(n) & EXTENSION_SECOND;
}

static void etb_set_entry(const struct mont_etb_view *b, u32 entry, u64 value, u64 extension)
{
	u32 shift = mont_etb_extension_shift(entry);

	b->entry[entry] = value;
	*b->extension = (*b->extension & ~(0xfULL << shift)) | extension << shift;
}

static u32 etb_next_entry(const struct mont_etb_view *b)
{
	return *b->index % MONT_ETB_ENTRIES;
}

u64 mont_etb_index_behind(u64 index)
{
	u32 entry = index % MONT_ETB_ENTRIES + 1;

	return (index & INDEX_FULL) | (entry == MONT_ETB_ENTRIES ? INDEX_FULL : entry);
}

static void etb_add_entry(const struct mont_etb_view *b, u64 value, u64 extension)
{
	etb_set_entry(b, etb_next_entry(b), value, extension);
	*b->index = mont_etb_index_behind(*b->index);
}

static u64 etb_target_entry(const struct mont_etb_view *b)
{
	u64 target = b->setting & MONT_PMC39_DS ? 0 : b->etb->target & ~15ULL;

	return target | ENTRY_MISPREDICTED;
}

static void etb_settle(const struct mont_etb_view *b)
{
	if (!(b->etb->target & TARGET_KNOWN))
		return;
	etb_add_entry(b, etb_target_entry(b), 0);
	b->etb->target = 0;
}

void mont_etb_settle(struct mont_thread *t)
{
	const struct mont_etb_view b = etb_guest_trace(t);

	etb_settle(&b);
}

void mont_etb_buffer_settle(struct mont_etb_buffer *buffer, u64 setting)
{
	const struct mont_etb_view b = etb_observer_trace(buffer, setting);

	etb_settle(&b);
}

static u64 etb_read_trace(const struct mont_etb_view *b, unsigned int n)
{
	bool target = b->etb->target & ~(u64)TARGET_OPEN;
	u32 next = etb_next_entry(b);

	if (n == PMD_INDEX)
		return target ? mont_etb_index_behind(*b->index) : *b->index;
	if (n == PMD_EXTENSION)
		return target ? *b->extension & ~(0xfULL << mont_etb_extension_shift(next))
			      : *b->extension;
	return target && n == PMD_FIRST + next ? etb_target_entry(b) : b->entry[n - PMD_FIRST];
}

u64 mont_etb_read(const struct mont_thread *t, unsigned int n)
{
	const struct mont_etb_view b = etb_guest_trace((struct mont_thread *)t);

	return etb_read_trace(&b, n);
}

u64 mont_etb_buffer_read(const struct mont_etb_buffer *buffer, u64 setting, unsigned int n)
{
	const struct mont_etb_view b =
		etb_observer_trace((struct mont_etb_buffer *)buffer, setting);

	return etb_read_trace(&b, n);
}

static void etb_group_end(struct mont_etb *etb, const struct mont_thread *t)
{
	if (unlikely(etb->target & TARGET_OPEN))
		etb->target = (t->s.ip & ~15ULL) | TARGET_KNOWN;
}

void mont_etb_group_end(struct mont_thread *t)
{
	etb_group_end(&t->s.pmu.etb, t);
}

void mont_etb_buffer_group_end(struct mont_etb_buffer *b, const struct mont_thread *t)
{
	etb_group_end(&b->etb, t);
}

void mont_etb_arm(struct mont_thread *t)
{
	struct mont_pmu_derived *d = &t->pmu;

	if (!mont_pmu_enabled(t, 39) || !mont_etb_followed(t))
		return;
	d->etb_row = mont_event_lookup(0x11, 0);
	if (mont_constraint_undefined(t, d->etb_row))
		return;
	mont_listen(d, MONT_SIG_BRANCH_RETIRED);
	mont_listen(d, MONT_SIG_FLUSHED);
	d->etb = true;
}

/* Record @o in @trace, with the address that it leads to as far as that is known. */
static void etb_record(const struct mont_etb_view *trace, const struct mont_occurrence *o,
		       u64 target)
{
	struct mont_etb *etb = trace->etb;
	const struct mont_branch *b = o->branch;
	struct mont_thread *t = o->owner;
	u64 source = t->s.ip & ~15ULL, window = source - 16 * t->sig_bundle;
	u64 value = ENTRY_SOURCE, extension = 0;

	value |= (b && !b->taken ? ENTRY_NOT_TAKEN : t->sig_slot) << ENTRY_SLOT_SHIFT;
	if (!b || (b->outcome & MONT_BRANCH_MISPREDICTED))
		value |= ENTRY_MISPREDICTED;
	if (b && (b->outcome & MONT_BRANCH_MISPREDICTED))
		extension |= EXTENSION_FLUSH;
	if (source != window)
		extension |= EXTENSION_SECOND;
	t->attn |= MONT_ATTN_GROUP;
	if (etb->target & TARGET_OPEN) {
		/* Another one of the same cycle, and so of the same bundle. */
		etb_set_entry(trace,
			      (etb_next_entry(trace) + MONT_ETB_ENTRIES - 1) % MONT_ETB_ENTRIES,
			      window | value, extension);
		etb->target = target | TARGET_OPEN;
		return;
	}
	if (o->time != etb->at + 1 || (etb->target & ~15ULL) != source)
		etb_settle(trace);
	etb_add_entry(trace, window | value, extension);
	etb->target = target | TARGET_OPEN;
	etb->at = o->time;
}

void mont_etb_record(struct mont_thread *t, const struct mont_occurrence *o)
{
	const struct mont_etb_view trace = etb_guest_trace(t);

	etb_record(&trace, o, 0);
}

void mont_etb_observe(struct mont_etb_buffer *buffer, u64 setting, const struct mont_occurrence *o)
{
	const struct mont_etb_view trace = etb_observer_trace(buffer, setting);
	const struct mont_branch *b = o->branch;
	u64 target = 0;

	if (b)
		target = b->taken ? b->target & ~15ULL : (o->owner->s.ip & ~15ULL) + 16;
	etb_record(&trace, o, target);
}
