// SPDX-License-Identifier: LGPL-2.1-or-later
/* Why a counter that a guest has programmed stands still, in words. */
#include <stdio.h>

#include "../../kmod/model/pmu/event.h"
#include "../../kmod/model/pmu/pmu.h"
#include "internal.h"

int montecito_uncounted_text(struct montecito *m, unsigned int vcpu, unsigned int pmc,
			     char text[256])
{
	unsigned int code, umask;
	const struct mont_event *e;
	uint64_t v;
	int err;

	err = montecito_get_reg(m, vcpu, MONTECITO_REG_PMC, pmc, &v);
	if (err)
		return err;
	code = mont_bits(v, MONT_PMC_ES_SHIFT, 8);
	umask = mont_bits(v, MONT_PMC_UMASK_SHIFT, 4);
	e = mont_event_lookup(code, umask);
	if (!e)
		snprintf(text, 256, "no event has code 0x%x and unit mask 0x%x", code, umask);
	else if (mont_event_refusal(e, m->timed))
		snprintf(text, 256, "%s: %s", e->name, mont_event_refusal(e, m->timed));
	else if (!m->timed && mont_bits(v, MONT_PMC_THRESHOLD_SHIFT, 3))
		snprintf(text, 256, "%s: a threshold needs the timing model", e->name);
	else
		snprintf(text, 256, "%s: not in this counter, or not so constrained", e->name);
	return 0;
}
