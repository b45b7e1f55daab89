// SPDX-License-Identifier: LGPL-2.1-or-later
/* Why what a guest has programmed, or the host's perf asked for, is not counted, in words. */
#include <ctype.h>
#include <stdio.h>

#include "../../kmod/model/mont.h"
#include "../../kmod/model/pmu/event.h"
#include "../../kmod/model/pmu/pmu.h"
#include "internal.h"

#define PMC_IP_EAR 42

/* By MONTECITO_STANDS_*, with the rule's section of the manual; the first two name no event. */
static const char *const reasons[] = {
	[MONTECITO_STANDS_TIME] = "needs the timing model",
	[MONTECITO_STANDS_THRESHOLD] = "a threshold needs the timing model",
	[MONTECITO_STANDS_RANGE] = "no instruction range is that of an empty slot (4.4)",
	[MONTECITO_STANDS_CONSTRAINT] =
		"constrained as the manual calls illegal or undefined (3.3.5 to 3.3.7)",
	[MONTECITO_STANDS_TRACE] =
		"PMC39 or PMC42 asks for predictions, which need the timing model (3.3.10)",
	[MONTECITO_STANDS_EAR] = "PMC40 asks for what needs the timing model (3.3.9)",
	[MONTECITO_STANDS_ALL] = "with all set it has no count of both threads (4.8.4)",
};

_Static_assert(sizeof(reasons) / sizeof(*reasons) == MONT_NR_STANDS, "uapi/linux/montecito.h");

/* The PMC whose event selects the set of what counter @pmc counts. */
static unsigned int uncounted_leader(const struct mont_event *e, unsigned int pmc)
{
	if ((e->set & MONT_SET_GROUP) == MONT_SET_L1D)
		return 5;
	return pmc == 4 || pmc == 5 || pmc == 8 ? 4 : 6;
}

/* Why the IP-EAR, which PMC42 has selected, takes nothing. */
static int uncounted_ip_ear_text(struct montecito *m, unsigned int vcpu, char text[256])
{
	uint64_t v;
	int err = montecito_get_reg(m, vcpu, MONTECITO_REG_PMC, PMC_IP_EAR, &v);
	unsigned int mode = mont_bits(v, 8, 3);

	if (err)
		return err;
	if (mode && mode < 4)
		snprintf(text, 256, "mode %u of the IP-EAR is reserved (table 3-30)", mode);
	else
		snprintf(text, 256, "the IP-EAR needs the timing model (3.3.10.2)");
	return 0;
}

int montecito_uncounted_text(struct montecito *m, unsigned int vcpu, unsigned int pmc,
			     char text[256])
{
	unsigned int code, umask, why;
	const struct mont_event *e;
	uint64_t v;
	int err;

	if (pmc == PMC_IP_EAR)
		return uncounted_ip_ear_text(m, vcpu, text);
	err = montecito_get_reg(m, vcpu, MONTECITO_REG_SPECIAL,
				MONTECITO_SPECIAL_STOOD + pmc - MONT_PMC_FIRST, &v);
	if (err)
		return err;
	why = mont_bits(v, 32, 8);
	code = mont_bits(v, MONT_PMC_ES_SHIFT, 8);
	umask = mont_bits(v, MONT_PMC_UMASK_SHIFT, 4);
	e = mont_event_lookup(code, umask);
	if (!e) {
		snprintf(text, 256, "no event has code 0x%x and unit mask 0x%x", code, umask);
		return 0;
	}
	switch (why) {
	case MONTECITO_STANDS_REFUSED:
		snprintf(text, 256, "%s: %s", e->name, mont_event_refusal(e, MONT_HAS_TIME));
		break;
	case MONTECITO_STANDS_COUNTER:
		snprintf(text, 256, "%s: PMD%u does not count it, PMD%s %s (3.3.3)", e->name, pmc,
			 e->counters == 0x03f0 ? "4 to PMD9" : "10",
			 e->counters == 0x03f0 ? "do" : "does");
		break;
	case MONTECITO_STANDS_SET:
		snprintf(text, 256, "%s: PMC%u selects no event of its set (%s)", e->name,
			 uncounted_leader(e, pmc),
			 uncounted_leader(e, pmc) == 5 ? "4.8.2" : "4.8.4");
		break;
	default:
		snprintf(text, 256, "%s: %s", e->name,
			 why < MONT_NR_STANDS && reasons[why] ? reasons[why] : "not counted");
	}
	return 0;
}

int montecito_refused(struct montecito *m, struct montecito_refused *to, unsigned int *nr)
{
	struct montecito_machine_info info = {
		.size = sizeof(info),
		.nr_refused = *nr,
		.refused = (uintptr_t)to,
	};
	int err = m->ops->machine(m, MONTECITO_CMD_MACHINE_INFO, &info);

	if (!err && info.nr_refused < *nr)
		*nr = info.nr_refused;
	return err;
}

void montecito_perf_name(uint32_t config, char text[64])
{
	unsigned int ear = mont_bits(config, 20, 3);
	const struct mont_event *e =
		ear ? mont_event_of_ear(config & 0xff, mont_bits(config, 8, 4), ear,
					mont_bits(config, 24, 8))
		    : mont_event_lookup(config & 0xff, mont_bits(config, 8, 4));
	char *c;

	snprintf(text, 64, "%s", e ? e->name : "event");
	for (c = text; *c; c++)
		*c = tolower((unsigned char)*c);
}
