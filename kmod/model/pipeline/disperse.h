/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * Dispersal: which slots of two bundles issue in one cycle (manual 2.3.1, tables
 * 2-4 to 2-7). Needs types.h and the port classes alone, so that the rules can be
 * tested by themselves. Called by group.c and wrong_path.c.
 */
#ifndef MONT_PIPELINE_DISPERSE_H
#define MONT_PIPELINE_DISPERSE_H

#include "../base/types.h"

/* The ports that a type of instruction may take (manual tables 2-4 to 2-7). */
enum mont_ports {
	MONT_PORTS_A, /* any M in an M slot; I, else any M, in an I slot */
	MONT_PORTS_M, /* M0 M1 M2 M3 */
	MONT_PORTS_M0,
	MONT_PORTS_M2,
	MONT_PORTS_M01,
	MONT_PORTS_M23,
	MONT_PORTS_I, /* I0 I1 */
	MONT_PORTS_I0,
	MONT_PORTS_F, /* F0 in the first bundle, F1 in the second */
	MONT_PORTS_B, /* a branch */
	MONT_PORTS_BHINT, /* nop.b, hint.b, brp */
	MONT_PORTS_BLAST, /* cover, clrrrb, bsw, rfi, epc: the group ends behind it */
	MONT_PORTS_X, /* movl, nop.x, break.x: an I and an F port */
	MONT_PORTS_BRL, /* a long branch: B2 and an F port */
	MONT_NR_PORTS,
};

/* Ports, as bits of mont_dispersal.port. */
#define MONT_PORT_M 0 /* M0-M3: bits 0-3 */
#define MONT_PORT_I 4
#define MONT_PORT_F 6
#define MONT_PORT_B 8
#define MONT_PORT_NONE 15

/* Why slots were not dispersed: the umask bits of SYLL_NOT_DISPERSED. */
enum mont_lost {
	MONT_LOST_EXPL, /* a stop bit */
	MONT_LOST_IMPL, /* ports, templates: a branch ends its group with its bundle */
	MONT_LOST_FE, /* no second bundle */
	MONT_LOST_MLX, /* MLX's slot without an instruction; entry in mid-bundle */
	MONT_NR_LOST,
};

/**
 * struct mont_disperse - one bundle in the window
 * @tmpl: its template, 0..31; a reserved one issues alone, as illegal
 * @ports: what the instruction of each slot may take; slot 1 of MLX: any value
 * @last: slot that its group ends behind in any case, or 3
 */
struct mont_disperse {
	u8 tmpl;
	u8 ports[3];
	u8 last;
};

/**
 * struct mont_dispersal - what one cycle disperses
 * @slots: slots of each bundle that leave in this cycle, those without an
 *	instruction included: 0..3
 * @insns: instructions among them, the two slots of MLX being one: 0..6
 * @lost: slots not dispersed, by cause; the causes' sum is at most 5
 * @over: slots that @lost charges although they issue, by cause: EXPL or IMPL
 * @why: cause that ended the group, MONT_NR_LOST where the window did
 * @port: port of slot 3 * bundle + slot; MONT_PORT_NONE if it has none
 *
 * 6 = @insns + the sum of @lost - the sum of @over.
 */
struct mont_dispersal {
	u8 slots[2];
	u8 insns;
	u8 lost[MONT_NR_LOST];
	u8 over[2];
	u8 why;
	u8 port[6];
};

/**
 * mont_disperse() - disperse the bundles in the window
 * @first: the first bundle
 * @second: the bundle behind it; NULL if the front end has none
 * @done: slots of @first that are gone: 0..2
 * @split: what ended the group in which they went: EXPL or IMPL; MLX if they
 *	were skipped by entering the bundle there
 * @d: filled
 *
 * Slots go strictly in order; the first one that cannot go ends the group.
 * At least one slot goes.
 */
void mont_disperse(const struct mont_disperse *first, const struct mont_disperse *second,
		   unsigned int done, enum mont_lost split, struct mont_dispersal *d);

#endif
