// SPDX-License-Identifier: GPL-2.0-only
/*
 * The data event address register (manual 3.3.9, PMC40 and PMD32, 33 and 36).
 *
 * One load at a time is tracked in cache mode, from its issue until its data is
 * there. Loads that overlap it are ignored; when there were some, a generator says
 * how many eligible ones are passed over before the next is tracked, so that a
 * regular sequence does not always give the same one.
 */
#include "data_ear.h"
#include "internal.h"
#include "subscriber.h"
#include "qualify.h"

#define PMC40 40
#define MODE_SHIFT 7
#define UMASK_SHIFT 16

#define CODE 0xc8 /* DATA_EAR_EVENTS */

#define LATENCY_BITS 13 /* PMD33.latency, and above it ov */
#define STAT_SHIFT 14
#define STAT_VALID 1
#define LEAST 4 /* cycles, with unit mask 0 (table 3-21) */
#define LARGEST_UMASK 10
#define APART 7 /* 3.3.9.1: clocks from a captured miss to the next */

#define VALID MONT_BIT(3) /* PMD36.vl */
#define SECOND_SHIFT 2 /* PMD36.bn */

void mont_data_ear_reset(struct mont_data_ear *ear)
{
	*ear = (struct mont_data_ear){ .random = 1 };
}

enum mont_signal mont_data_ear_signal(unsigned int mode)
{
	switch (mode) {
	case MONT_DATA_EAR_CACHE:
		return MONT_SIG_LOAD_SERVED;
	case MONT_DATA_EAR_TLB:
		return MONT_SIG_DTLB_SERVED;
	default:
		return MONT_SIG_ALAT_CHECK;
	}
}

/* 0 to 3: a linear congruential generator's upper bits. */
static u32 data_ear_choose(struct mont_data_ear *ear)
{
	ear->random = ear->random * 6364136223846793005ULL + 1442695040888963407ULL;
	return ear->random >> 62;
}

bool mont_data_ear_track(struct mont_data_ear *ear, u64 least, u64 now, u64 latency)
{
	if (now < ear->free) {
		ear->overlapped = 1;
		return false;
	}
	if (ear->overlapped) {
		ear->overlapped = 0;
		ear->passed = data_ear_choose(ear);
	}
	if (ear->passed) {
		ear->passed--;
		return false;
	}
	ear->free = now + latency;
	if (latency < least)
		return false;
	if (latency < APART)
		ear->free = now + APART;
	return true;
}

/* The least latency that unit mask @umask takes (table 3-21). */
static u64 data_ear_least_of(unsigned int umask)
{
	return umask > LARGEST_UMASK ? ~0ULL : (u64)LEAST << umask;
}

/* Once a cycle, in the modes that track nothing. */
static bool data_ear_once(struct mont_data_ear *ear, u64 now)
{
	if (now < ear->free)
		return false;
	ear->free = now + 1;
	return true;
}

/* Where the instruction is; no instruction makes a reference of the RSE. */
static u64 data_ear_instruction(const struct mont_occurrence *o)
{
	const struct mont_thread *t = o->owner;

	if (o->ref->kind & MONT_DATA_RSE)
		return 0;
	return (t->s.ip - 16 * t->sig_bundle) | VALID | t->sig_bundle << SECOND_SHIFT | t->sig_slot;
}

bool mont_data_ear_capture(struct mont_data_ear *ear, unsigned int mode, unsigned int umask,
			   const struct mont_occurrence *o, struct mont_data_capture *c)
{
	u64 latency = o->attr, address = o->ref->va, status;

	switch (mode) {
	case MONT_DATA_EAR_CACHE:
		if (!mont_data_ear_track(ear, data_ear_least_of(umask), o->time, latency))
			return false;
		status = mont_ear_latency(latency, LATENCY_BITS) | STAT_VALID << STAT_SHIFT;
		break;
	case MONT_DATA_EAR_TLB:
		if (!(umask >> o->attr & 1) || !data_ear_once(ear, o->time))
			return false;
		status = o->attr << STAT_SHIFT;
		break;
	default:
		if (!(o->ref->kind & MONT_DATA_FAILED) || !data_ear_once(ear, o->time))
			return false;
		address = 0;
		status = STAT_VALID << STAT_SHIFT;
		break;
	}
	*c = (struct mont_data_capture){ address, status, data_ear_instruction(o) };
	return true;
}

static unsigned int data_ear_guest_mode(const struct mont_thread *t)
{
	return mont_bits(t->s.pmu.pmc[PMC40], MODE_SHIFT, 2);
}

static unsigned int data_ear_guest_umask(const struct mont_thread *t)
{
	return mont_bits(t->s.pmu.pmc[PMC40], UMASK_SHIFT, 4);
}

bool mont_data_ear_needs_time(const struct mont_thread *t)
{
	unsigned int mode = data_ear_guest_mode(t);

	return mode == MONT_DATA_EAR_CACHE ||
	       (mode == MONT_DATA_EAR_TLB && (data_ear_guest_umask(t) >> MONT_DTLB_L2 & 1));
}

void mont_data_ear_arm(struct mont_thread *t)
{
	struct mont_pmu_derived *d = &t->pmu;
	enum mont_signal sig = mont_data_ear_signal(data_ear_guest_mode(t));

	if (!mont_pmu_enabled(t, PMC40))
		return;
	d->data_ear_row = mont_event_lookup(CODE, 0);
	if (mont_constraint_undefined(t, d->data_ear_row))
		return;
	mont_listen(d, sig);
	d->data_ear = sig;
}

bool mont_data_ear_look(const struct mont_occurrence *o)
{
	struct mont_thread *t = o->owner;
	struct mont_data_capture c;

	if (!mont_qualify(t->pmu.data_ear_row, o) ||
	    !mont_data_ear_capture(&t->s.pmu.data_ear, data_ear_guest_mode(t),
				   data_ear_guest_umask(t), o, &c))
		return false;
	t->s.pmu.pmd[32] = c.address;
	t->s.pmu.pmd[33] = c.status;
	t->s.pmu.pmd[36] = c.instruction;
	return true;
}
