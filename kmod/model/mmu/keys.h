/* SPDX-License-Identifier: GPL-2.0-only */
/* Protection keys (SDM volume 2, 4.1.3). Called by translate.c and the walker. */
#ifndef MONT_MMU_KEYS_H
#define MONT_MMU_KEYS_H

#include "translation.h"

/* Check @ref through @e against the protection key registers: MONT_NEXT, or a fault. */
enum mont_result mont_check_key(const struct mont_thread *t, const struct mont_tlbe *e, u32 ref);

#endif
