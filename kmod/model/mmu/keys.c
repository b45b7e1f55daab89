// SPDX-License-Identifier: GPL-2.0-only
/*
 * Protection keys (SDM volume 2, 4.1.3).
 */
#include "keys.h"

/* Protection key registers (SDM volume 2, figure 4-6). */
#define PKR_V MONT_BIT(0)
#define PKR_WD MONT_BIT(1)
#define PKR_RD MONT_BIT(2)
#define PKR_XD MONT_BIT(3)

enum mont_result mont_check_key(const struct mont_thread *t, const struct mont_tlbe *e, u32 ref)
{
	bool insn = ref & MONT_ACC_EXEC;
	unsigned int i;

	for (i = 0; i < MONT_NR_PKR; i++) {
		u64 pkr = t->s.pkr[i];

		if (!(pkr & PKR_V) || mont_bits(pkr, 8, MONT_RID_BITS) != e->key)
			continue;
		if (((ref & MONT_ACC_READ) && (pkr & PKR_RD)) ||
		    ((ref & MONT_ACC_WRITE) && (pkr & PKR_WD)) || (insn && (pkr & PKR_XD)))
			return insn ? MONT_FAULT_IKEY_PERM : MONT_FAULT_DKEY_PERM;
		return MONT_NEXT;
	}
	return insn ? MONT_FAULT_IKEY_MISS : MONT_FAULT_DKEY_MISS;
}
