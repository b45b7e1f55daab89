// SPDX-License-Identifier: LGPL-2.1-or-later
/* Events restricted to a function of the program, :iar=FUNCTION. */
#include <errno.h>
#include <stdio.h>

#include "libmontecito.h"

int montecito_events_symbols(struct montecito_event_spec *specs, size_t nr, const char *program,
			     const struct montecito_symbols *sym, char msg[512])
{
	uint64_t lo, hi;
	size_t i;
	int n;

	for (i = 0; i < nr; i++) {
		if (!specs[i].function)
			continue;
		if (!montecito_symbols_at(sym, 0, &lo, &hi)) {
			snprintf(msg, 512,
				 "event %.200s: %.100s has no names of functions (it may be "
				 "stripped): give addresses",
				 specs[i].text, program);
			return -EINVAL;
		}
		n = montecito_symbols_function(sym, specs[i].function, &lo, &hi);
		if (n != 1) {
			snprintf(msg, 512, "event %.200s: %.100s has %s function %.100s",
				 specs[i].text, program, n ? "more than one" : "no",
				 specs[i].function);
			return -EINVAL;
		}
		specs[i].filter.iar_lo = lo;
		specs[i].filter.iar_hi = hi;
		specs[i].filter.flags |= MONTECITO_FILTER_IAR;
	}
	return 0;
}

int montecito_events_functions(struct montecito_event_spec *specs, size_t nr, const char *program,
			       char msg[512])
{
	struct montecito_symbols *sym;
	size_t i;
	int err;

	for (i = 0; i < nr && !specs[i].function; i++)
		;
	if (i == nr)
		return 0;
	sym = montecito_symbols_load(program);
	err = montecito_events_symbols(specs, nr, program, sym, msg);
	montecito_symbols_free(sym);
	return err;
}
