/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/* Definitions of events, as the manual has them. Called by hosts alone. */
#ifndef MONT_PMU_EVENT_TEXT_H
#define MONT_PMU_EVENT_TEXT_H

#include "event.h"

/* Definition of the event, in words. */
const char *mont_event_definition(const struct mont_event *e);

#endif
