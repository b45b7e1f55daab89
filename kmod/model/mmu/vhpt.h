/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The virtual hash page table and its walker (SDM volume 2, 4.1.5 to 4.1.7).
 * Called by translate.c and probe.c, by isa/translation.c for thash and ttag,
 * and by the host's view (package/hostview.c).
 */
#ifndef MONT_MMU_VHPT_H
#define MONT_MMU_VHPT_H

#include "../package/package.h"

u64 mont_thash(const struct mont_thread *t, u64 va);
u64 mont_ttag(const struct mont_thread *t, u64 va);
/* Walk the VHPT for @va; MONT_NEXT with the translation inserted in *@e. */
enum mont_result mont_vhpt_walk(struct mont_thread *t, bool insn, u64 va, u32 ref,
				const struct mont_tlbe **e);
/* Look an address up in the VHPT without inserting a translation or counting a walk. */
bool mont_vhpt_look(const struct mont_thread *t, u64 va, u64 *pa);

#endif
