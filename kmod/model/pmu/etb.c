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
#include "../raise.h"

#define PMD_INDEX 38
#define PMD_EXTENSION 39
#define PMD_FIRST 48
#define NR_ENTRIES 16
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

bool mont_trace_followed(const struct mont_thread *t)
{
	u64 any = MONT_PMC39_PTM | MONT_PMC39_PPM;

	return (t->pmu.timed || (t->s.pmu.pmc[39] & any) == any) &&
	       !(t->s.pmu.pmc[42] & MONT_PMC42_MODE);
}

/*
 * True if ptm and ppm (manual table 3-26) take a branch with prediction @outcome. A target
 * that was not predicted, since its path was wrong, is neither right nor wrong.
 */
static bool mont_trace_predicted(u64 pmc39, u8 outcome)
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

bool mont_trace_takes(const struct mont_thread *own, const struct mont_occurrence *o)
{
	const struct mont_thread *t = o->owner;
	const struct mont_branch *b = o->branch;
	u64 pmc39 = own->s.pmu.pmc[39], brt = mont_bits(pmc39, MONT_PMC39_BRT_SHIFT, 2);
	u64 psr = pmc39 & MONT_PMC_PM ? MONT_PSR_PP : MONT_PSR_UP;

	if (!(pmc39 >> t->cpl & 1) || !(t->s.psr & psr))
		return false;
	if (!b)
		return true;
	return (pmc39 & (b->taken ? MONT_PMC39_TM_TAKEN : MONT_PMC39_TM_NOT_TAKEN)) &&
	       (!brt || brt == b->type) && mont_trace_predicted(pmc39, b->outcome);
}

/* Table 3-29: PMD48, 56, 49, 57 and so on, from the lowest bits up. */
static u32 extension_shift(u32 entry)
{
	return 4 * (entry < 8 ? 2 * entry : 2 * (entry - 8) + 1);
}

static void set_entry(struct mont_thread *t, u32 entry, u64 value, u64 extension)
{
	u64 *pmd = t->s.pmu.pmd;
	u32 shift = extension_shift(entry);

	pmd[PMD_FIRST + entry] = value;
	pmd[PMD_EXTENSION] = (pmd[PMD_EXTENSION] & ~(0xfULL << shift)) | extension << shift;
}

static u32 next_entry(const struct mont_thread *t)
{
	return t->s.pmu.pmd[PMD_INDEX] % NR_ENTRIES;
}

/* PMD38, which was @index, with one entry more. */
static u64 index_behind(u64 index)
{
	u32 entry = index % NR_ENTRIES + 1;

	return (index & INDEX_FULL) | (entry == NR_ENTRIES ? INDEX_FULL : entry);
}

static void add_entry(struct mont_thread *t, u64 value, u64 extension)
{
	u64 *index = &t->s.pmu.pmd[PMD_INDEX];

	set_entry(t, next_entry(t), value, extension);
	*index = index_behind(*index);
}

static u64 target_entry(const struct mont_thread *t)
{
	bool data = t->s.pmu.pmc[39] & MONT_PMC39_DS;

	return (data ? 0 : t->s.pmu.etb.target & ~15ULL) | ENTRY_MISPREDICTED;
}

void mont_etb_settle(struct mont_thread *t)
{
	struct mont_etb *etb = &t->s.pmu.etb;

	if (!(etb->target & TARGET_KNOWN))
		return;
	add_entry(t, target_entry(t), 0);
	etb->target = 0;
}

u64 mont_etb_read(const struct mont_thread *t, unsigned int n)
{
	u64 value = t->s.pmu.pmd[n];

	if (!(t->s.pmu.etb.target & TARGET_KNOWN))
		return value;
	if (n == PMD_INDEX)
		return index_behind(value);
	if (n == PMD_EXTENSION)
		return value & ~(0xfULL << extension_shift(next_entry(t)));
	return n == PMD_FIRST + next_entry(t) ? target_entry(t) : value;
}

void mont_etb_group_end(struct mont_thread *t)
{
	struct mont_etb *etb = &t->s.pmu.etb;

	if (unlikely(etb->target & TARGET_OPEN))
		etb->target = (t->s.ip & ~15ULL) | TARGET_KNOWN;
}

void mont_etb_arm(struct mont_thread *t)
{
	struct mont_pmu_derived *d = &t->pmu;

	if (!mont_pmu_enabled(t, 39) || !mont_trace_followed(t))
		return;
	d->etb_row = mont_event_lookup(0x11, 0);
	if (mont_constraint_undefined(t, d->etb_row))
		return;
	mont_listen(d, MONT_SIG_BRANCH_RETIRED);
	mont_listen(d, MONT_SIG_FLUSHED);
	d->etb = true;
}

void mont_etb_record(struct mont_thread *t, const struct mont_occurrence *o)
{
	struct mont_etb *etb = &t->s.pmu.etb;
	const struct mont_branch *b = o->branch;
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
		set_entry(t, (next_entry(t) + NR_ENTRIES - 1) % NR_ENTRIES, window | value,
			  extension);
		return;
	}
	if (o->time != etb->at + 1 || (etb->target & ~15ULL) != source)
		mont_etb_settle(t);
	add_entry(t, window | value, extension);
	etb->target = TARGET_OPEN;
	etb->at = o->time;
}
