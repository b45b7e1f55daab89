// SPDX-License-Identifier: GPL-2.0-only
/*
 * ProfileMe (21264/EV68A Hardware Reference Manual, 6.10.3): the instruction at which PCTR0
 * overflows is followed from its fetch to its end, and both counters count in the window
 * between. What that processor's stages are is said by those of this one, IPG to WRB
 * (manual 2.3.1): a bundle that is in the buffer in a cycle can issue in that cycle of the
 * model's clock, and is in REG four stages behind its own IPG.
 */
#include "profileme.h"
#include "ev68a.h"
#include "internal.h"

/* Stages behind the cycle in which a group issues. */
#define TO_REG 4
#define TO_DET 6
#define TO_WRB 7

/* The window: from the fifth cycle behind IPG to the second behind the end. */
#define BEGINS 5
#define ENDS 2
#define LATE 2 /* cycles in front of it in which PCTR0 still counts what is fetched */
#define EARLY 3 /* cycles by which misses count early */

/* Types of traps: I_STAT, and PMPC where it is none of them. */
#define TYPE_REPLAY 0
#define TYPE_UNUSED 1
#define TYPE_DOUBLE_MISS 2
#define TYPE_DOUBLE_MISS_TABLE 3
#define TYPE_FP_DISABLED 4
#define TYPE_UNALIGNED 5
#define TYPE_DTB_MISS 6
#define TYPE_DATA_FAULT 7
#define TYPE_ILLEGAL 8
#define TYPE_MACHINE_CHECK 10
#define TYPE_ARITHMETIC 12
#define PMPC_ACCESS 0x481
#define PMPC_ITB_MISS 0x581
#define PMPC_INTERRUPT 0x681

void mont_profile_begin(struct mont_block *block)
{
	block->profile = (struct mont_profile){
		.sample = block->r.ev68a.samples,
		.retired = block->t->clock + TO_WRB - 1,
	};
}

/* The type of the trap that interruption @fault is; *@pmpc is set if that says it. */
static u32 profileme_type(u32 fault, u64 *pmpc)
{
	switch (fault) {
	case MONT_FAULT_VHPT_DATA:
	case MONT_FAULT_NESTED_TLB:
		return TYPE_DOUBLE_MISS_TABLE;
	case MONT_FAULT_DTLB:
	case MONT_FAULT_ALT_DTLB:
		return TYPE_DOUBLE_MISS;
	case MONT_FAULT_DISABLED_FPL:
	case MONT_FAULT_DISABLED_FPH:
		return TYPE_FP_DISABLED;
	case MONT_FAULT_UNALIGNED:
		return TYPE_UNALIGNED;
	case MONT_FAULT_DKEY_MISS:
	case MONT_FAULT_DIRTY:
	case MONT_FAULT_DACCESS_BIT:
	case MONT_FAULT_DPAGE_NOT_PRESENT:
	case MONT_FAULT_DKEY_PERM:
	case MONT_FAULT_DACCESS_RIGHTS:
	case MONT_FAULT_NAT_PAGE_DATA:
	case MONT_FAULT_NAT_CONSUMPTION:
	case MONT_FAULT_SPECULATION:
	case MONT_FAULT_DDEBUG:
	case MONT_FAULT_UNSUPPORTED_REF:
	case MONT_FAULT_UNIMPL_DATA_ADDR:
		return TYPE_DATA_FAULT;
	case MONT_FAULT_MACHINE_CHECK:
		return TYPE_MACHINE_CHECK;
	case MONT_FAULT_FP_FAULT:
	case MONT_FAULT_FP_TRAP:
		return TYPE_ARITHMETIC;
	case MONT_FAULT_VHPT_INSN:
	case MONT_FAULT_ITLB:
	case MONT_FAULT_ALT_ITLB:
		*pmpc = PMPC_ITB_MISS;
		return TYPE_UNUSED;
	case MONT_FAULT_IKEY_MISS:
	case MONT_FAULT_IACCESS_BIT:
	case MONT_FAULT_IPAGE_NOT_PRESENT:
	case MONT_FAULT_IKEY_PERM:
	case MONT_FAULT_IACCESS_RIGHTS:
	case MONT_FAULT_NAT_PAGE_INSN:
	case MONT_FAULT_IDEBUG:
	case MONT_FAULT_UNIMPL_INSN_ADDR:
		*pmpc = PMPC_ACCESS;
		return TYPE_UNUSED;
	case MONT_FAULT_EXTINT:
		*pmpc = PMPC_INTERRUPT;
		return TYPE_UNUSED;
	default:
		return TYPE_ILLEGAL;
	}
}

/* How many of what is noted, at @at, are in the window: misses count early. */
static bool profileme_is_within(const struct mont_profile *p, u32 what, u64 at)
{
	u64 early = what == MONT_PROFILE_MISSED ? EARLY : 0;

	return at + early >= p->begins && at + early < p->ends;
}

/* @n of @what have happened in cycle @at. */
static void profileme_note(struct mont_profile *p, enum mont_profile_noted what, u64 at, u32 n)
{
	p->noted[p->next_note].at = at;
	p->noted[p->next_note].n = n;
	p->noted[p->next_note].what = what;
	p->next_note = (p->next_note + 1) % MONT_PROFILE_NOTES;
	if (p->open && profileme_is_within(p, what, at))
		p->within[what] += n;
}

/* The read of the pair of bundles that @ip is in, or NULL. */
static u32 profileme_read(const struct mont_profile *p, u64 ip)
{
	u32 i;

	/* The last one first: a loop reads its pairs again. */
	for (i = 1; i <= MONT_PROFILE_READS; i++) {
		u32 at = (p->next_read + MONT_PROFILE_READS - i) % MONT_PROFILE_READS;

		if (p->read[at].at && p->read[at].pair == (ip & ~31ULL))
			return at;
	}
	return MONT_PROFILE_READS;
}

/*
 * An instruction has been chosen: @ip and @slot, read in cycle @fetched, whose end is in cycle
 * @end. Its window may have begun, and even be over.
 */
static void profileme_choose(struct mont_block *block, u64 ip, u32 slot, u64 fetched, u64 end)
{
	struct mont_profile *p = &block->profile;
	u32 i;

	p->open = true;
	p->fetched = fetched;
	p->begins = fetched + BEGINS;
	p->ends = end + ENDS > p->begins ? end + ENDS : p->begins;
	mont_block_sample(block->t, &p->at);
	p->at.ip = ip;
	p->at.slot = slot;
	p->pmpc = (ip & ~15ULL) | slot << 2;
	for (i = 0; i < MONT_PROFILE_NOTES; i++)
		if (p->noted[i].n && profileme_is_within(p, p->noted[i].what, p->noted[i].at))
			p->within[p->noted[i].what] += p->noted[i].n;
}

static void profileme_trap(struct mont_profile *p, u32 type)
{
	p->i_stat |= MONT_EV68A_TRP | (u64)type << MONT_EV68A_TYPE_SHIFT;
}

/* The instruction in @slot of @f has been chosen, whose pair was read by read[@read]. */
static void profileme_choice(struct mont_block *block, const struct mont_flight *f, u32 slot,
			     u32 read)
{
	struct mont_profile *p = &block->profile;
	u32 i = f->ip >> 4 & 1, bit = 1u << slot;
	bool retired = f->retired & bit;
	u64 end = f->issued + (retired || f->trap ? TO_WRB : TO_DET);

	profileme_choose(block, f->ip, slot,
			 read < MONT_PROFILE_READS ? p->read[read].at : f->ready, end);
	if (f->ready < f->formed)
		p->status |= MONT_EV68A_STALLED;
	if (retired)
		p->status |= MONT_EV68A_VAL;
	if (!(f->dispersed & bit))
		p->status |= MONT_EV68A_KILLED;
	if (read < MONT_PROFILE_READS && p->read[read].missed)
		p->i_stat |= MONT_EV68A_ICM;
	if (retired && f->begins && !(f->retired & (bit - 1)))
		p->delay = end - p->retired;
	if (f->trapped & bit) {
		profileme_trap(p, profileme_type(f->trap, &p->pmpc));
	} else if (!f->wrong) {
		if (p->done[i].mispredicted & bit) {
			p->i_stat |= MONT_EV68A_MIS;
			profileme_trap(p, TYPE_REPLAY);
		} else if ((p->done[i].replayed | p->done[i].failed) & bit) {
			profileme_trap(p, TYPE_REPLAY);
			if (p->done[i].failed & bit)
				p->i_stat |= MONT_EV68A_LSO;
		} else if (p->done[i].walked & bit) {
			profileme_trap(p, TYPE_DTB_MISS);
		}
		if (p->done[i].taken & bit)
			p->status |= MONT_EV68A_TAK;
	}
}

/* PCTR0 counts @n fetched instructions: true if it overflows with one of them, *@which from 0. */
static bool profileme_has_overflow(struct mont_ev68a *r, u32 n, u32 *which)
{
	u64 left = MONT_EV68A_PERIOD - r->pctr[0];

	if (n < left) {
		r->pctr[0] += n;
		r->total[0] += n;
		return false;
	}
	*which = left - 1;
	r->pctr[0] = 0;
	r->total[0] += left;
	return true;
}

/* The window has ended once cycle @now has come, and all that was read in front of it is known. */
static bool profileme_is_over(const struct mont_profile *p, u64 now, u64 read)
{
	return p->open && now >= p->ends && read >= p->begins;
}

static void profileme_fetch(struct mont_block *block, u64 now)
{
	const struct mont_flight *f = &block->t->pmu.flight;
	struct mont_profile *p = &block->profile;
	u32 read = profileme_read(p, f->ip), n = mont_nr_slots(f->slots), which, slots;
	u64 at = read < MONT_PROFILE_READS ? p->read[read].at : f->ready;

	if (f->retired)
		profileme_note(p, MONT_PROFILE_RETIRED, f->issued + TO_WRB,
			       mont_nr_slots(f->retired));
	if (profileme_is_over(p, now, at)) {
		mont_block_wait(block, MONT_EV68A_PROFILE);
	} else if (p->open) {
		if (at + LATE >= p->begins && at < p->begins)
			p->late += n;
	} else if (profileme_has_overflow(&block->r.ev68a, n, &which)) {
		for (slots = f->slots; which--;)
			slots &= slots - 1;
		profileme_choice(block, f, __builtin_ctz(slots), read);
	}
	if (f->retired)
		p->retired = f->issued + TO_WRB;
	if (f->ends)
		p->done[0] = p->done[1] = (__typeof__(p->done[0])){};
}

/* Interruption @fault has come between two groups, in cycle @now: it counts as one instruction. */
static void profileme_interruption(struct mont_block *block, u32 fault, u64 now)
{
	struct mont_profile *p = &block->profile;
	u32 which;

	if (profileme_is_over(p, now, ~0ULL)) {
		mont_block_wait(block, MONT_EV68A_PROFILE);
	} else if (!p->open && profileme_has_overflow(&block->r.ev68a, 1, &which)) {
		profileme_choose(block, block->t->s.ip, block->t->s.slot, now, now + TO_WRB);
		profileme_trap(p, profileme_type(fault, &p->pmpc));
	}
}

/* Note what the instruction in progress has done. */
static void profileme_end(struct mont_profile *p, const struct mont_occurrence *at)
{
	u32 i = at->owner->s.ip >> 4 & 1, bit = 1u << at->owner->sig_slot;
	u64 now = at->at - 1 + TO_REG;

	switch (at->sig) {
	case MONT_SIG_BRANCH_RETIRED:
		i = at->branch->source >> 4 & 1;
		if (at->branch->taken)
			p->done[i].taken |= bit;
		if (at->branch->outcome & (MONT_BRANCH_WRONG_PATH | MONT_BRANCH_WRONG_TARGET))
			p->done[i].mispredicted |= bit;
		return;
	case MONT_SIG_REPLAYED:
		p->done[i].replayed |= bit;
		profileme_note(p, MONT_PROFILE_REPLAYED, now, 1);
		return;
	case MONT_SIG_ALAT_CHECK:
		if (!(at->ref->kind & MONT_DATA_FAILED))
			return;
		p->done[i].failed |= bit;
		profileme_note(p, MONT_PROFILE_REPLAYED, now, 1);
		return;
	default: /* DTLB_SERVED */
		if (at->attr == MONT_DTLB_VHPT)
			p->done[i].walked |= bit;
	}
}

void mont_profile_look(struct mont_block *block, const struct mont_occurrence *at)
{
	struct mont_profile *p = &block->profile;
	u32 read;

	switch (at->sig) {
	case MONT_SIG_FETCHED:
		profileme_fetch(block, at->time - 1);
		return;
	case MONT_SIG_KILLED:
		if (at->attr)
			profileme_interruption(block, at->attr, at->time - 1);
		return;
	case MONT_SIG_L1I_READ:
		p->read[p->next_read].pair = at->attr & ~31ULL;
		p->read[p->next_read].at = at->at - 1;
		p->read[p->next_read].missed = false;
		p->next_read = (p->next_read + 1) % MONT_PROFILE_READS;
		return;
	case MONT_SIG_FETCH_SERVED:
		read = profileme_read(p, at->ref->va);
		if (read < MONT_PROFILE_READS)
			p->read[read].missed = true;
		return;
	case MONT_SIG_BRANCH_RETIRED:
	case MONT_SIG_REPLAYED:
	case MONT_SIG_ALAT_CHECK:
	case MONT_SIG_DTLB_SERVED:
		profileme_end(p, at);
		return;
	default: /* misses of the L3; those of fetches are in its own cycles */
		profileme_note(p, MONT_PROFILE_MISSED, at->at - 1 + (at->ref ? TO_REG : 0), 1);
	}
}

/* Counter @n adds @more. */
static void profileme_add(struct mont_ev68a *r, u32 n, u64 more)
{
	r->total[n] += more;
	r->pctr[n] = (r->pctr[n] + more) & (MONT_EV68A_PERIOD - 1);
}

/* Count of PCTR1 in the window. */
static u64 profileme_second(const struct mont_profile *p, unsigned int sl1)
{
	switch (sl1) {
	case MONT_EV68A_DELAY:
		return p->delay;
	case MONT_EV68A_MISSES:
		return p->within[MONT_PROFILE_MISSED];
	case MONT_EV68A_REPLAYS:
		return p->within[MONT_PROFILE_REPLAYED];
	default:
		return p->ends - p->begins;
	}
}

void mont_profile_end(struct mont_block *block)
{
	struct mont_profile *p = &block->profile;
	struct mont_ev68a *r = &block->r.ev68a;
	u64 cycles = p->ends - p->begins, late = p->late;
	unsigned int sl1 = mont_ev68a_sl1(r);

	if (late > MONT_EV68A_OVR_MOST)
		late = MONT_EV68A_OVR_MOST;
	profileme_add(r, 0, late + (sl1 & 1 ? cycles : p->within[MONT_PROFILE_RETIRED]));
	if (mont_ev68a_enabled(r, 1))
		profileme_add(r, 1, profileme_second(p, sl1));
	r->status = p->status;
	r->i_stat = p->i_stat | late << MONT_EV68A_OVR_SHIFT;
	r->pmpc = p->pmpc;
	r->stands = true;
	block->at = p->at;
}
