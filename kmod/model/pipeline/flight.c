// SPDX-License-Identifier: GPL-2.0-only
/*
 * Instructions in flight (flight.h).
 */
#include "flight.h"
#include "window.h"
#include "../event/raise.h"

u32 mont_flight_rest(const struct mont_thread *t, const struct mont_window *w, u32 i, u32 slot)
{
	u32 at = 3 * i + t->sig_slot, last = w->taken > at ? w->taken : at, n = 0;

	for (; i < 2; i++, slot = 0)
		for (; slot < 3; slot++)
			n += 3 * i + slot <= last && (w->g->part[i].slots >> slot & 1);
	return n;
}

void mont_flight_raise(struct mont_thread *t, const struct mont_flight *f)
{
	t->pmu.flight = *f;
	mont_signal_n(t, MONT_SIG_FETCHED, mont_nr_slots(f->slots), 0);
}

/* Take the first *@n of @slots away from them, and from *@n. */
static u8 flight_take(u8 *slots, u64 *n)
{
	u8 all = *slots;

	for (; *n && *slots; --*n)
		*slots &= *slots - 1;
	return all & ~*slots;
}

/* The instruction of @f, the last one of the group, that its interruption is of. */
static u8 flight_trap_slot(const struct mont_flight *f, u8 killed)
{
	u32 bits = killed ? killed & -killed : f->retired;

	return bits ? 1u << (31 - __builtin_clz(bits)) : 0;
}

void mont_flight_group(struct mont_thread *t, const struct mont_window *w, u64 issued)
{
	const struct mont_fate *fate = &t->pmu.fate;
	u64 retired = t->s.insns - fate->insns, killed = fate->killed;
	bool told = false;
	u32 i;

	for (i = 0; i < 2 && (retired || killed); i++) {
		u8 rest = w->g->part[i].slots, dead;
		struct mont_flight f = {
			.ip = w->ip + 16 * i,
			.ready = t->time->offer.ready[i],
			.formed = w->since,
			.issued = issued,
			.begins = !i,
		};

		f.retired = flight_take(&rest, &retired);
		dead = flight_take(&rest, &killed);
		f.slots = f.retired | dead;
		f.dispersed = f.slots;
		f.ends = i || !(retired || killed);
		if (fate->trap && !told && (dead ? true : f.ends)) {
			f.trap = fate->trap;
			f.trapped = flight_trap_slot(&f, dead);
			told = true;
		}
		mont_flight_raise(t, &f);
	}
}
