/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Constraints of instructions and data by PMC32-36, PMC38, PMC41, IBR and DBR (manual 3.3.5 to
 * 3.3.7). Called by counter.c, observer.c, tags.c and the EARs.
 */
#ifndef MONT_PMU_QUALIFY_H
#define MONT_PMU_QUALIFY_H

#include "internal.h"

/*
 * True if @e is to be constrained by a setting that the manual calls illegal or leaves
 * undefined (notes in 3.3.5.1, 3.3.5.2 and 3.3.7, table 3-11).
 */
bool mont_constraint_undefined(const struct mont_thread *t, const struct mont_event *e);

/* True if @e is unconstrained: neither PMC32-36, PMC38 nor PMC41 leave anything out. */
bool mont_unconstrained(const struct mont_thread *t, const struct mont_event *e);

/*
 * Number of an occurrence's instructions that the range, opcode and data constraints
 * of its thread let through: all, less, or 0.
 */
u64 mont_qualify(const struct mont_event *e, const struct mont_occurrence *o);

/* True if a pair of DBRs matches a byte of @ref, whatever its r, w and plm (manual 3.3.7). */
bool mont_dbr_any(const struct mont_thread *t, const struct mont_ref *ref);

/* The unit PMC32.mifb calls slot @slot of the bundle at @raw: bit 3 M .. bit 0 B. */
unsigned int mont_slot_mifb(const u64 *raw, unsigned int slot);

/*
 * The qualifier of @e that depends on the instruction alone; false if there is
 * none such, and each occurrence must be asked.
 */
bool mont_qualifier_of(const struct mont_thread *t, const struct mont_event *e,
		       struct mont_qualifier *q);

/* True if the instruction in @slot of t->cur, at IP, passes @q, which is no filter. */
bool mont_qualifies(struct mont_thread *t, const struct mont_qualifier *q, unsigned int slot);

/*
 * Share of each of @parts signals in a common @distance to the next look of a subscriber:
 * their sum is less than @distance as long as each is below its share.
 */
static inline u64 mont_part(u64 distance, unsigned int parts)
{
	return parts > 1 ? (distance - 1) / parts + 1 : distance;
}

#endif
