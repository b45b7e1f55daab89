// SPDX-License-Identifier: GPL-2.0-only
/*
 * Instruction fetch: the page of IP, and the bytes of the bundle being executed
 * (SDM volume 2, 4.1; 5.5 for what a fetch can meet).
 */
#include "fetch.h"
#include "translate.h"
#include "../memory/phys.h"
#include "../platform/map.h"

enum mont_result mont_fetch_page(struct mont_thread *t)
{
	u64 va = t->s.ip & ~MONT_PAGE_OFFSET;
	struct mont_xlat x;
	enum mont_result r;
	struct mont_fetch *f = &t->fetch[va >> 12 & (MONT_NR_FETCH - 1)];
	const u8 *p;

	if (mont_fetch_is_known(t, va)) {
		mont_fetch_take_known(t, va);
		return MONT_NEXT;
	}
	r = mont_translate(t, t->s.ip, MONT_ACC_EXEC, t->cpl, &x);
	if (r != MONT_NEXT)
		return r;
	if (x.pa == MONT_PAL_PROC)
		return MONT_RELOAD;
	x.pa &= ~MONT_PAGE_OFFSET;
	p = mont_ram(t->pkg, x.pa, MONT_PAGE_SIZE);
	if (!p)
		return MONT_FAULT_MACHINE_CHECK;
	t->fetch_va = va;
	t->fetch_pa = x.pa;
	t->fetch_host = p;
	t->fetch_uncached = x.ma != MONT_MA_WB;
	*f = (struct mont_fetch){ .va = va, .pa = x.pa, .host = p, .uncached = t->fetch_uncached };
	return MONT_NEXT;
}

void mont_fetch_keep_raw(struct mont_thread *t)
{
	if (t->cur && t->cur->tag)
		__builtin_memcpy(t->raw, mont_fetch_raw(t), sizeof(t->raw));
}
