/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tags and units of the original Itanium's PMU, by which its files name them. Included by merced.c,
 * merced_ear.c and merced_qualify.c.
 */
#ifndef MONT_PMU_MERCED_H
#define MONT_PMU_MERCED_H

#include "block.h"

/* Tags that qualify an instruction (6.1.3.1), and what goes by none. */
#define MONT_MERCED_RANGE 0 /* IBRRangeTag */
#define MONT_MERCED_PMC8 1 /* Tag(PMC8) */
#define MONT_MERCED_PMC9 2 /* Tag(PMC9) */

/* Listeners behind the four counters */
#define MONT_MERCED_IEAR 4 /* PMC10 */
#define MONT_MERCED_DEAR 5 /* PMC11 */
#define MONT_MERCED_BTB 6 /* PMC12 */

#define MONT_MERCED_TA MONT_BIT(0) /* PMC13 */
#define MONT_MERCED_PT MONT_BIT(28) /* PMC11 */

#endif
