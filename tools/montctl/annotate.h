/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Facts of an instruction that annotate and the page of report --html show. Called by annotate.c
 * and html.c.
 */
#ifndef MONTCTL_ANNOTATE_H
#define MONTCTL_ANNOTATE_H

#include <stdbool.h>

#include "libmontecito.h"

/* True if @text is a branch, a check or another instruction that names a target. */
bool annotate_branches(const char *text);
/* Target of the instruction @text, as "name+0x10"; else "". */
void annotate_target(const struct montecito_symbols *sym, const char *text, char *buf, size_t len);

#endif
