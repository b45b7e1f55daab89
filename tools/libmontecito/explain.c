// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * From an event to the signals of the model that it counts, and the condition on their
 * occurrences (kmod/model/event/signal.def, enum mont_event_cond).
 */
#include <errno.h>

#include "../../kmod/model/pmu/event.h"
#include "eventname.h"
#include "libmontecito.h"

static const struct {
	const char *name;
	const char *meaning;
} signals[] = {
#define MONT_SIGNAL(name, attr, meaning) { #name, meaning },
#include "../../kmod/model/event/signal.def"
#undef MONT_SIGNAL
};

/* Conditions that look at an occurrence; all others count every one. */
static const struct {
	enum mont_event_cond cond;
	const char *text;
} conditions[] = {
	{ MONT_COND_TAG1, "with the instruction's tag channel 1 in the place of channel 0" },
	{ MONT_COND_TAG2, "with the instruction's tag channel 2 in the place of channel 0" },
	{ MONT_COND_TAG3, "with the instruction's tag channel 3 in the place of channel 0" },
	{ MONT_COND_NOT_FP, "not of a floating-point reference" },
	{ MONT_COND_IPREL, "of an IP-relative branch" },
	{ MONT_COND_RETURN, "of a return" },
	{ MONT_COND_NRETIND, "of an indirect branch that is no return" },
	{ MONT_COND_LVL0, "leaves or enters level 0" },
	{ MONT_COND_LVL1, "leaves or enters level 1" },
	{ MONT_COND_LVL2, "leaves or enters level 2" },
	{ MONT_COND_LVL3, "leaves or enters level 3" },
	{ MONT_COND_FP, "of a floating-point reference" },
	{ MONT_COND_UC, "of an uncacheable reference" },
	{ MONT_COND_MISALIGNED, "of a reference that is not aligned" },
	{ MONT_COND_IS_LOAD, "of a load" },
	{ MONT_COND_IS_STORE, "of a store" },
	{ MONT_COND_FAILED, "that failed" },
	{ MONT_COND_FAILED_FP, "that failed, of a floating-point register" },
	{ MONT_COND_FAILED_NOT_FP, "that failed, of an integer register" },
	{ MONT_COND_NATTED_VHPT_MISS, "because the VHPT had no translation" },
	{ MONT_COND_NATTED_TLB_MISS, "because the TLB had no translation" },
	{ MONT_COND_NATTED_TLB_FAULT, "because of a fault that the translation raises" },
	{ MONT_COND_NATTED_NAT, "because the page or the address is NaT" },
	{ MONT_COND_NATTED_PSR_ED, "because PSR.ed is 1" },
	{ MONT_COND_RSE, "of the register stack engine" },
	{ MONT_COND_REFERENCE, "of a reference that goes into the memory pipeline" },
	{ MONT_COND_L1D_READ, "of a reference that the L1D can serve" },
	{ MONT_COND_DBR_MATCH, "of a reference whose address a pair of DBRs matches" },
	{ MONT_COND_TRACED, "that PMC39 lets the trace buffer take" },
	{ MONT_COND_INSN_EAR, "that an instruction EAR set up as the row says captures" },
	{ MONT_COND_IP_EAR, "that is the first of its cycle" },
	{ MONT_COND_DATA_EAR, "that a data EAR set up as the row says captures" },
};

static bool explain_event_counts(const struct mont_event *e)
{
	return !mont_event_refusal(e, ~0U) && !mont_event_zero(e);
}

int montecito_event_signal(size_t index, unsigned int nr, const char **name, const char **meaning)
{
	const struct mont_event *e = event_row(index);
	u16 sig[MONT_EVENT_SIGNALS];

	if (!e || !explain_event_counts(e) || nr >= mont_event_signals(e, sig))
		return -ERANGE;
	*name = signals[sig[nr]].name;
	*meaning = signals[sig[nr]].meaning;
	return 0;
}

const char *montecito_event_condition(size_t index)
{
	const struct mont_event *e = event_row(index);
	size_t i;

	for (i = 0; e && explain_event_counts(e) && i < sizeof(conditions) / sizeof(conditions[0]);
	     i++)
		if (conditions[i].cond == e->cond)
			return conditions[i].text;
	return NULL;
}
