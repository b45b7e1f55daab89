// SPDX-License-Identifier: GPL-2.0-only
/*
 * References of the register stack engine to its backing store (SDM volume 2,
 * 6.1 and 6.8).
 */
#include "backing_store.h"
#include "mem.h"
#include "../event/raise.h"

/*
 * Signal the reference @ref as @sig, and as the engine's own. With time the engine makes
 * it in a cycle of its own, which the pipeline knows: the signals are raised there.
 */
static void rse_signal(struct mont_thread *t, enum mont_signal sig, const struct mont_ref *ref)
{
	if (unlikely(t->lsu_log)) {
		mont_reference_log(
			t, sig == MONT_SIG_LOAD_RETIRED ? MONT_LSU_RSE_LOAD : MONT_LSU_RSE_STORE,
			ref);
		return;
	}
	mont_refer(t, sig, ref);
	if (unlikely(--t->sig[MONT_SIG_RSE_REFERENCE].left < 0))
		mont_reference_slow(t, MONT_SIG_RSE_REFERENCE, ref);
}

static struct mont_ref rse_reference(u64 va, u32 kind)
{
	return (struct mont_ref){
		.va = va,
		.pa = MONT_PA_NONE,
		.size = 8,
		.kind = MONT_DATA_RSE | kind,
	};
}

enum mont_result mont_rse_load8(struct mont_thread *t, u64 va, u64 *v)
{
	struct mont_ref ref = rse_reference(va, t->s.ndirty < 0 ? MONT_DATA_FRAME : 0);
	enum mont_result r;
	u64 w[2];

	if (likely(mont_rse_like_data(t)) && mont_utlb_hit(mont_utlb_r(t, va), va, 8)) {
		r = mont_load(t, va, 8, v);
		ref.pa = mont_utlb_pa(&t->utlb_r, va);
	} else {
		r = mont_load_slow(t, &ref, MONT_ACC_READ | MONT_ACC_RSE, w);
		*v = w[0];
	}
	if (r == MONT_NEXT)
		rse_signal(t, MONT_SIG_LOAD_RETIRED, &ref);
	return r;
}

enum mont_result mont_rse_store8(struct mont_thread *t, u64 va, u64 v)
{
	struct mont_ref ref = rse_reference(va, MONT_DATA_STORE);
	u64 w[2] = { v, 0 };
	enum mont_result r;

	if (likely(mont_rse_like_data(t)) && mont_utlb_hit(mont_utlb_w(t, va), va, 8)) {
		r = mont_store(t, va, 8, v);
		ref.pa = mont_utlb_pa(&t->utlb_w, va);
	} else {
		r = mont_store_slow(t, &ref, MONT_ACC_WRITE | MONT_ACC_RSE, w);
	}
	if (r == MONT_NEXT)
		rse_signal(t, MONT_SIG_STORE_RETIRED, &ref);
	return r;
}
