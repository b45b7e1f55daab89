/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ProfileMe (21264/EV68A Hardware Reference Manual, 6.10.3). Called by ev68a.c.
 */
#ifndef MONT_PMU_PROFILEME_H
#define MONT_PMU_PROFILEME_H

#include "block.h"

/* The follower of instructions begins to listen. */
void mont_profile_begin(struct mont_block *block);

/* Something has happened that it listens to. */
void mont_profile_look(struct mont_block *block, const struct mont_occurrence *at);

/* The window has ended: the registers have it from now on. */
void mont_profile_end(struct mont_block *block);

#endif
