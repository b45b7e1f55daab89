/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ranges and opcodes of strict.c (strict_filter.c). Called by strict.c. */
#ifndef LIBMONTECITO_STRICT_H
#define LIBMONTECITO_STRICT_H

#include "internal.h"

struct mont_event;

/* Refuse filters that the registers cannot hold for @nr events, of these rows: 0 or -EINVAL. */
int strict_filter_check(const struct montecito_event_spec *specs, size_t nr,
			const struct mont_event *row, char msg[512]);
/* Write the filters of @spec, which are those of all events: 0 or a negative errno. */
int strict_filter_start(struct montecito *m, unsigned int vcpu,
			const struct montecito_event_spec *spec);

#endif
