/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An address on its way through the TLBs, with every check (SDM volume 2, 4.1). Called by
 * references, fetches and instructions of system code.
 */
#ifndef MONT_MMU_TRANSLATE_H
#define MONT_MMU_TRANSLATE_H

#include "translation.h"

/**
 * struct mont_xlat - a translation in use
 * @entry: of the TLB; NULL where addresses are physical
 * @pa: physical address
 * @ma: memory attribute
 * @ed: exception deferral bit of the page
 * @writable: a store there would meet no fault of translation either
 * @walked: there is none, and the walker has looked for it
 */
struct mont_xlat {
	const struct mont_tlbe *entry;
	u64 pa;
	u32 ma;
	u32 ed;
	bool writable;
	bool walked;
};

/*
 * Translate @va for a reference @ref at level @cpl, with every check of SDM
 * volume 2 table 5-6 up to the access bit. A fault leaves t->fault_*.
 */
enum mont_result mont_translate(struct mont_thread *t, u64 va, u32 ref, u32 cpl,
				struct mont_xlat *x);

/* ISR bits of a fault of reference @ref. */
u64 mont_reference_isr(u32 ref);
/* True if byte @va of a reference meets a data breakpoint (SDM volume 2, 7.1). */
bool mont_data_debug(const struct mont_thread *t, u64 va, u32 ref, u32 cpl);

#endif
