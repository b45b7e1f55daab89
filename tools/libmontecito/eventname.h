/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Spellings of event names. Called by events.c and explain.c. */
#ifndef LIBMONTECITO_EVENTNAME_H
#define LIBMONTECITO_EVENTNAME_H

#include "../../kmod/model/pmu/event.h"
#include "libmontecito.h"

/*
 * The row that @name means: as mont_event_resolve() finds it; else perf's generic
 * names, libpfm's NAME_UMASK, raw rUCC. NULL, with *@many where several would do.
 */
const struct mont_event *event_by_name(const char *name, bool *many);
/* Row @index of all that observers count: the event table, then the causes of cycles; or NULL. */
const struct mont_event *event_row(size_t index);
/* "; did you mean A or B?" for a name that there is not, or "". */
void event_hints(const char *text, char *buf, size_t len);

#endif
