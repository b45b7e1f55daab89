// SPDX-License-Identifier: GPL-2.0-only
/* Events of the host's perf that a machine has not counted, and why. */
#include <stdio.h>

#include "montctl.h"

#define REFUSED 16

static void perf_tell_refused(struct montecito *m)
{
	struct montecito_refused refused[REFUSED];
	unsigned int i, nr = REFUSED;
	char name[64];

	if (montecito_refused(m, refused, &nr))
		return;
	for (i = 0; i < nr; i++) {
		montecito_perf_name(refused[i].config, name);
		fprintf(stderr, "montctl: perf: %s not counted: %s\n", name, refused[i].why);
	}
}

void perf_tell(struct montecito *m)
{
	struct montecito_info info;

	if (montecito_is_device(m)) {
		perf_tell_refused(m);
		return;
	}
	/* The module knows what perf would count of this task, were its machine there. */
	if (!montecito_info(MONTECITO_DEFAULT_DEVICE, &info) && info.perf_events)
		fprintf(stderr,
			"montctl: perf: nothing counted: it does not see a machine in this process\n");
}
