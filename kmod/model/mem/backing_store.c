// SPDX-License-Identifier: GPL-2.0-only
/*
 * References of the register stack engine to its backing store (SDM volume 2,
 * 6.1 and 6.8).
 */
#include "access.h"
#include "../raise.h"

/* A word moved: @sig, of memory that t->sig_data describes. */
static void rse_signal(struct mont_thread *t, enum mont_signal sig, u64 va, u32 data)
{
	t->sig_data |= MONT_DATA_RSE;
	mont_signal(t, sig, va);
	t->sig_data |= data;
	mont_signal(t, MONT_SIG_RSE_REFERENCE, va);
	t->sig_data = 0;
}

enum mont_result mont_rse_load8(struct mont_thread *t, u64 va, u64 *v)
{
	enum mont_result r;
	u64 w[2];

	t->sig_data = 0;
	if (likely(mont_rse_like_data(t)) && mont_utlb_hit(mont_utlb_r(t, va), va, 8)) {
		r = mont_load(t, va, 8, v);
	} else {
		r = mont_load_slow(t, va, 8, MONT_ACC_READ | MONT_ACC_RSE, w);
		*v = w[0];
	}
	if (r == MONT_NEXT)
		rse_signal(t, MONT_SIG_LOAD_RETIRED, va, 0);
	return r;
}

enum mont_result mont_rse_store8(struct mont_thread *t, u64 va, u64 v)
{
	u64 w[2] = { v, 0 };
	enum mont_result r;

	t->sig_data = 0;
	if (likely(mont_rse_like_data(t)) && mont_utlb_hit(mont_utlb_w(t, va), va, 8))
		r = mont_store(t, va, 8, v);
	else
		r = mont_store_slow(t, va, 8, MONT_ACC_WRITE | MONT_ACC_RSE, w);
	if (r == MONT_NEXT)
		rse_signal(t, MONT_SIG_STORE_RETIRED, va, MONT_DATA_STORE);
	return r;
}
