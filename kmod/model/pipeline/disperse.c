// SPDX-License-Identifier: GPL-2.0-only
/*
 * Dispersal, stage EXP (manual 2.3.1, tables 2-4 to 2-7; monitored by
 * SYLL_NOT_DISPERSED and SYLL_OVERCOUNT, 4.8.4).
 *
 * M slots are assigned for the group as a whole: a slot goes if some assignment
 * of all M slots so far exists in which those restricted to one pair of ports
 * take them lowest first. So it is enough to count them.
 */
#include "disperse.h"

/* Templates without their stop bit at the end (SDM volume 3, table 4-3). */
enum template {
	MII,
	MI_I, /* a stop behind slot 1 */
	MLX,
	MMI = 4,
	M_MI, /* a stop behind slot 0 */
	MFI,
	MMF,
	MIB,
	MBB,
	BBB = 0xb,
	MMB,
	MFB = 0xe,
};

/* Ports taken so far in this group. */
struct taken {
	u32 low; /* restricted to M0 and M1 */
	u32 high; /* restricted to M2 and M3 */
	u32 any; /* of the four, no matter which */
	u32 i;
	bool b0;
};

static bool disperse_is_reserved(u8 tmpl)
{
	return tmpl >> 1 == 3 || tmpl >> 1 == 0xa || tmpl >> 1 == 0xd || tmpl >> 1 == 0xf;
}

static enum template disperse_kind(const struct mont_disperse *b)
{
	return b->tmpl >> 1;
}

static bool disperse_single_branch(enum template t)
{
	return t == MIB || t == MMB || t == MFB;
}

static bool disperse_is_long(const struct mont_disperse *b)
{
	return disperse_kind(b) == MLX;
}

/* True if a stop is behind @slot. */
static bool disperse_has_stop_behind(const struct mont_disperse *b, unsigned int slot)
{
	if (slot == 2)
		return b->tmpl & 1;
	return (disperse_kind(b) == MI_I && slot == 1) || (disperse_kind(b) == M_MI && slot == 0);
}

static bool disperse_take_m(struct taken *t, u8 ports, u8 *port)
{
	if (t->low + t->high + t->any == 4)
		return false;
	switch (ports) {
	case MONT_PORTS_M0:
	case MONT_PORTS_M01:
		if (t->low == 2 || (ports == MONT_PORTS_M0 && t->low))
			return false;
		*port = MONT_PORT_M + t->low++;
		return true;
	case MONT_PORTS_M2:
	case MONT_PORTS_M23:
		if (t->high == 2 || (ports == MONT_PORTS_M2 && t->high))
			return false;
		*port = MONT_PORT_M + 2 + t->high++;
		return true;
	default:
		/* The port among the four is chosen when the rest of the group is known. */
		t->any++;
		*port = MONT_PORT_NONE;
		return true;
	}
}

static bool disperse_take_i(struct taken *t, u8 ports, u8 *port)
{
	if (ports == MONT_PORTS_I0 && t->i)
		return false;
	if (t->i < 2) {
		*port = MONT_PORT_I + t->i++;
		return true;
	}
	return ports == MONT_PORTS_A && disperse_take_m(t, ports, port);
}

/* X has the I port of its bundle's place: I0 in the first, I1 in the second. */
static bool disperse_take_x(struct taken *t, unsigned int bundle, u8 *port)
{
	if (t->i > bundle)
		return false;
	t->i = bundle + 1;
	*port = MONT_PORT_I + bundle;
	return true;
}

static bool disperse_take_b(struct taken *t, const struct mont_disperse *b, unsigned int slot,
			    u8 *port)
{
	if (!disperse_single_branch(disperse_kind(b))) {
		/* BBB: B0 B1 B2; MBB: B1 B2 */
		*port = MONT_PORT_B + slot;
		return true;
	}
	if (b->ports[slot] != MONT_PORTS_BHINT) {
		*port = MONT_PORT_B + 2;
		return true;
	}
	if (t->b0)
		return false;
	t->b0 = true;
	*port = MONT_PORT_B;
	return true;
}

/* Find a port for @slot; false if there is none left. */
static bool disperse_take(struct taken *t, const struct mont_disperse *b, unsigned int bundle,
			  unsigned int slot, u8 *port)
{
	switch (b->ports[slot]) {
	case MONT_PORTS_I:
	case MONT_PORTS_I0:
		return disperse_take_i(t, b->ports[slot], port);
	case MONT_PORTS_A:
		/* By the slot's type, not the instruction's. */
		if (slot == 2 ||
		    (slot == 1 && (disperse_kind(b) == MII || disperse_kind(b) == MI_I ||
				   disperse_kind(b) == MIB)))
			return disperse_take_i(t, MONT_PORTS_A, port);
		return disperse_take_m(t, MONT_PORTS_A, port);
	case MONT_PORTS_F:
		*port = MONT_PORT_F + bundle;
		return true;
	case MONT_PORTS_B:
	case MONT_PORTS_BHINT:
	case MONT_PORTS_BLAST:
		return disperse_take_b(t, b, slot, port);
	case MONT_PORTS_X:
		return disperse_take_x(t, bundle, port);
	case MONT_PORTS_BRL:
		*port = MONT_PORT_B + 2;
		return true;
	default:
		return disperse_take_m(t, b->ports[slot], port);
	}
}

/* True if the group ends behind the whole of @b because @b comes first. */
static bool disperse_is_first_the_end(const struct mont_disperse *b)
{
	switch (disperse_kind(b)) {
	case MBB:
	case BBB:
		return true;
	case MIB:
	case MMB:
	case MFB:
		return b->ports[2] != MONT_PORTS_BHINT;
	case MLX:
		return b->ports[2] == MONT_PORTS_BRL;
	default:
		return false;
	}
}

/* Pairs that never issue together. */
static bool disperse_is_pair_excluded(const struct mont_disperse *first,
				      const struct mont_disperse *second)
{
	return (disperse_single_branch(disperse_kind(first)) && disperse_kind(second) == BBB) ||
	       ((disperse_kind(first) == MII || disperse_kind(first) == MI_I) &&
		disperse_kind(second) == MLX);
}

/* Unrestricted instructions take the M ports that are left. */
static void disperse_place_unrestricted(const struct taken *t, struct mont_dispersal *d,
					const bool waiting[6])
{
	u32 is_free = 0xf & ~((1u << t->low) - 1) & ~(((1u << t->high) - 1) << 2);
	unsigned int i;

	for (i = 0; i < 6; i++) {
		if (!waiting[i])
			continue;
		d->port[i] = MONT_PORT_M + (unsigned int)__builtin_ctz(is_free);
		is_free &= is_free - 1;
	}
}

/*
 * Disperse the slots of @b from @slot on. Return: the slot the group ends
 * before, 3 if all went; d->why is set if the group ends there.
 */
static unsigned int disperse_walk(const struct mont_disperse *b, unsigned int bundle,
				  unsigned int slot, struct taken *t, struct mont_dispersal *d,
				  bool waiting[6])
{
	while (slot < 3) {
		unsigned int at = slot;
		u8 port;

		if (slot == 1 && disperse_is_long(b)) {
			/* The instruction is in slot 2 and takes both. */
			at = 2;
		}
		if (!disperse_take(t, b, bundle, at, &port)) {
			d->why = MONT_LOST_IMPL;
			return slot;
		}
		d->port[3 * bundle + at] = port;
		waiting[3 * bundle + at] = port == MONT_PORT_NONE;
		d->insns++;
		d->slots[bundle] += at + 1 - slot;
		slot = at + 1;
		if (at == b->last || b->ports[at] == MONT_PORTS_BLAST) {
			d->why = MONT_LOST_IMPL;
			return slot;
		}
		if (disperse_has_stop_behind(b, at)) {
			d->why = MONT_LOST_EXPL;
			return slot;
		}
	}
	return slot;
}

void mont_disperse(const struct mont_disperse *first, const struct mont_disperse *second,
		   unsigned int done, enum mont_lost split, struct mont_dispersal *d)
{
	struct taken t = {};
	bool waiting[6] = {};
	unsigned int end;

	__builtin_memset(d, 0, sizeof(*d));
	__builtin_memset(d->port, MONT_PORT_NONE, sizeof(d->port));
	d->why = MONT_NR_LOST;
	d->lost[split] += done;
	if (disperse_is_reserved(first->tmpl)) {
		/* Goes alone, to fault: a front end's loss, as its event says. */
		d->slots[0] = 3 - done;
		d->insns = 1;
		d->lost[MONT_LOST_FE] += 5 - done;
		d->why = MONT_LOST_FE;
		return;
	}
	if (disperse_is_long(first) && done < 2)
		d->lost[MONT_LOST_MLX]++;
	end = disperse_walk(first, 0, done, &t, d, waiting);
	if (d->why == MONT_NR_LOST) {
		if (disperse_is_first_the_end(first) ||
		    (second && disperse_is_pair_excluded(first, second)))
			d->why = MONT_LOST_IMPL;
		else if (!second || disperse_is_reserved(second->tmpl))
			d->why = MONT_LOST_FE;
	}
	if (d->why != MONT_NR_LOST) {
		if (disperse_is_long(first) && end < 2) {
			/* The empty slot of an MLX is lost with the instruction. */
			d->lost[MONT_LOST_MLX]--;
		}
		d->lost[d->why] += 3 - end + 3;
		disperse_place_unrestricted(&t, d, waiting);
		return;
	}
	end = disperse_walk(second, 1, 0, &t, d, waiting);
	if (disperse_is_long(second) && end == 3)
		d->lost[MONT_LOST_MLX]++;
	if (end < 3) {
		/* The slots that went are charged once more. */
		d->lost[d->why] += 3 - end + end;
		d->over[d->why] = end;
	}
	disperse_place_unrestricted(&t, d, waiting);
}
