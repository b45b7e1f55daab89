// SPDX-License-Identifier: GPL-2.0-only
/*
 * The IP-EAR (manual 3.3.10.2, tables 3-30 to 3-33).
 *
 * In each cycle in which something retires the address of the first bundle is an entry. When
 * PMC0.fr is set, capture goes on for PMC42.delay cycles more and one last entry: the bundle
 * that retires or waits in the cycle behind them. What disables the IP-EAR before that (PSR)
 * makes an entry with ef, of the address that retired last.
 */
#include "ip_ear.h"
#include "etb.h"
#include "internal.h"
#include "subscriber.h"

#define PMC42 42
#define MODE_ENABLED MONT_BIT(10) /* of PMC42.mode: 1xx */
#define DELAY_SHIFT 11
#define DELAY_BITS 8

#define PMD_INDEX 38
#define PMD_EXTENSION 39
#define PMD_FIRST 48
/* an entry (tables 3-31 and 3-33) */
#define ENTRY_CYCLES_SHIFT 60
#define ENTRY_PAGE (MONT_BIT(60) - MONT_BIT(8)) /* IP[63:12] */
#define EXTENSION_EARLY 1
#define EXTENSION_FLUSH 2
#define EXTENSION_CYCLES_SHIFT 2
#define MOST_CYCLES 63

/*
 * mont_etb.target while PMC42 selects the IP-EAR: the last cycle of the delay in bits 61:4;
 * bits 3:0, which the trace buffer uses, are 0. mont_etb.at is the cycle of the last entry.
 */
#define FLUSHED MONT_BIT(62) /* a pipe flush since the last entry */
#define DELAYED MONT_BIT(63) /* PMC0.fr is set, and the delay has not passed */
#define END_SHIFT 4
#define END_BITS 58

static bool ip_ear_on(const struct mont_thread *t)
{
	return (t->s.pmu.pmc[PMC42] & MODE_ENABLED) && t->pmu.timed;
}

static u64 ip_ear_delay_end(const struct mont_etb *etb)
{
	return mont_bits(etb->target, END_SHIFT, END_BITS);
}

/**
 * struct ip_ear_view - the registers of an IP-EAR, of the guest or of an observer
 * @index: PMD38
 * @extension: PMD39
 * @entry: PMD48 to PMD63
 * @etb: time of the last entry, and what came since
 */
struct ip_ear_view {
	u64 *index;
	u64 *extension;
	u64 *entry;
	struct mont_etb *etb;
};

static void ip_ear_record(const struct ip_ear_view *v, u64 value, u64 at, u64 extension)
{
	struct mont_etb *etb = v->etb;
	u32 n = *v->index % MONT_ETB_ENTRIES, shift = mont_etb_extension_shift(n);
	u64 cycles = at - etb->at;

	if (cycles > MOST_CYCLES)
		cycles = MOST_CYCLES;
	extension |= cycles >> 4 << EXTENSION_CYCLES_SHIFT;
	if (etb->target & FLUSHED)
		extension |= EXTENSION_FLUSH;
	v->entry[n] = value | cycles << ENTRY_CYCLES_SHIFT;
	*v->extension = (*v->extension & ~(0xfULL << shift)) | extension << shift;
	*v->index = mont_etb_index_behind(*v->index);
	etb->at = at;
	etb->target &= ~FLUSHED;
}

static void ip_ear_add_entry(struct mont_thread *t, u64 value, u64 at, u64 extension)
{
	u64 *pmd = t->s.pmu.pmd;
	const struct ip_ear_view v = { &pmd[PMD_INDEX], &pmd[PMD_EXTENSION], &pmd[PMD_FIRST],
				       &t->s.pmu.etb };

	ip_ear_record(&v, value, at, extension);
}

bool mont_ip_ear_off(const struct mont_thread *t)
{
	return !(t->s.pmu.pmc[PMC42] & MONT_PMC42_MODE);
}

bool mont_ip_ear_stands(const struct mont_thread *t)
{
	u64 pmc = t->s.pmu.pmc[PMC42];

	if (mont_ip_ear_off(t) || !(pmc & MONT_PMC_PLM))
		return false;
	return !(pmc & MODE_ENABLED) || !(mont_pmu_has(t) & MONT_HAS_TIME);
}

void mont_ip_ear_written(struct mont_thread *t, u64 before)
{
	if (!(before & MONT_PMC42_MODE) == mont_ip_ear_off(t))
		return;
	mont_etb_reset(&t->s.pmu.etb);
	if (!mont_ip_ear_off(t))
		t->s.pmu.etb.at = t->clock;
}

void mont_ip_ear_freeze(struct mont_thread *t, bool frozen)
{
	struct mont_etb *etb = &t->s.pmu.etb;
	u64 end = t->clock + mont_bits(t->s.pmu.pmc[PMC42], DELAY_SHIFT, DELAY_BITS);
	bool freezes = t->s.pmu.pmc[0] & MONT_PMC0_FR;

	if (mont_ip_ear_off(t) || frozen == freezes)
		return;
	etb->target &= FLUSHED;
	if (freezes && ip_ear_on(t))
		etb->target |= DELAYED | (end & (MONT_BIT(END_BITS) - 1)) << END_SHIFT;
}

/* The delay of @t ends before its time, or has passed unseen: one entry more, the last. */
static void ip_ear_end_early(struct mont_thread *t)
{
	struct mont_etb *etb = &t->s.pmu.etb;
	u64 end = ip_ear_delay_end(etb), left = end - t->clock;

	if (t->clock > end)
		ip_ear_add_entry(t, t->s.ip >> 4, end + 1, 0);
	else
		ip_ear_add_entry(t, (t->s.last_ip >> 4 & ENTRY_PAGE) | left, t->clock,
				 EXTENSION_EARLY);
	etb->target = 0;
}

void mont_ip_ear_arm(struct mont_thread *t)
{
	struct mont_pmu_derived *d = &t->pmu;
	bool delayed = t->s.pmu.etb.target & DELAYED;

	if (!ip_ear_on(t) || ((t->s.pmu.pmc[0] & MONT_PMC0_FR) && !delayed))
		return;
	if (!mont_pmu_permitted(t, PMC42)) {
		if (delayed)
			ip_ear_end_early(t);
		return;
	}
	mont_listen(d, MONT_SIG_INST_RETIRED);
	mont_listen(d, MONT_SIG_FLUSH_XPN);
	mont_listen(d, MONT_SIG_FLUSH_BRU);
	d->ip_ear = true;
}

void mont_ip_ear_look(const struct mont_occurrence *o)
{
	struct mont_thread *t = o->owner;
	struct mont_etb *etb = &t->s.pmu.etb;

	if (o->sig != MONT_SIG_INST_RETIRED) {
		etb->target |= FLUSHED;
		return;
	}
	if ((etb->target & DELAYED) && o->time > ip_ear_delay_end(etb)) {
		ip_ear_add_entry(t, t->s.ip >> 4, ip_ear_delay_end(etb) + 1, 0);
		etb->target = 0;
		/* The rest of the time until PMC0.fr is 0 costs nothing. */
		t->pmu.ip_ear = false;
		t->pmu.ip_ear_ended = true;
		t->attn |= MONT_ATTN_GROUP;
	} else if (o->time != etb->at) {
		ip_ear_add_entry(t, t->s.ip >> 4, o->time, 0);
	}
}

u64 mont_ip_ear_observe(struct mont_etb_buffer *b, const struct mont_occurrence *o)
{
	const struct ip_ear_view v = { &b->index, &b->extension, b->entry, &b->etb };

	if (o->sig != MONT_SIG_INST_RETIRED) {
		b->etb.target |= FLUSHED;
		return 0;
	}
	if (o->time == b->etb.at)
		return 0;
	ip_ear_record(&v, o->owner->s.ip >> 4, o->time, 0);
	return 1;
}

u64 mont_ip_ear_read(const struct mont_etb_buffer *b, unsigned int n)
{
	if (n == PMD_INDEX)
		return b->index;
	return n == PMD_EXTENSION ? b->extension : b->entry[n - PMD_FIRST];
}
