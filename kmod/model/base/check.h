/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The checking mode: a package whose field slow is set runs every group by the slow way, with
 * nothing kept from the group before. Tests run it beside another one, which keeps what it can,
 * and look for the first group after which the two differ. Builds with MONT_CHECKS have the mode.
 * Included by the run loops (exec/loop.h, pipeline/pipeline.h, causes.c).
 */
#ifndef MONT_BASE_CHECK_H
#define MONT_BASE_CHECK_H

#ifdef MONT_CHECKS
#define MONT_CHECK(t) unlikely((t)->pkg->slow)
#else
#define MONT_CHECK(t) false
#endif

#endif
