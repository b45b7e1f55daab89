/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Loads by latency, of the IA-32 PMU (18.8.1.2). Called by pebs.c and pebs_assist.c.
 */
#ifndef MONT_PMU_PEBS_LATENCY_H
#define MONT_PMU_PEBS_LATENCY_H

#include "block.h"

/* How much of @at the counter @o takes. */
u64 mont_pebs_pass(const struct mont_observer *o, const struct mont_occurrence *at);

/* A late load has issued: it may be the one that is tagged. */
void mont_pebs_tag(struct mont_pebs *p, const struct mont_occurrence *at);

#endif
