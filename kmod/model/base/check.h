/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The checking mode: a package whose field slow is set runs every group by the slow way, with
 * nothing kept from the group before. Tests run it beside another one, which keeps what it can,
 * and look for the first group after which the two differ. Builds with MONT_CHECKS have the mode;
 * they run along every path (pipeline/memo.h) that is known, whether that is worth it or not.
 * Included by the run loops (exec/loop.h, pipeline/pipeline.h, memo.h, segment_note.h, causes.c).
 */
#ifndef MONT_BASE_CHECK_H
#define MONT_BASE_CHECK_H

#ifdef MONT_CHECKS
#define MONT_CHECK(t) unlikely((t)->pkg->slow)
#define MONT_CHECK_PATHS true
#else
#define MONT_CHECK(t) false
#define MONT_CHECK_PATHS false
#endif

#endif
