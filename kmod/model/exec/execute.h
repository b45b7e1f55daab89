/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One operation, by its number. Called by step.c, loop.h, pipeline/branch_unit.c,
 * pipeline/issue.h and pipeline/segment_issue.h, and by execute_hot.h for operations that are
 * rare.
 */
#ifndef MONT_EXEC_EXECUTE_H
#define MONT_EXEC_EXECUTE_H

#include "../package/package.h"

/* Any operation. */
enum mont_result mont_execute(struct mont_thread *t, const struct mont_uop *u);

#endif
