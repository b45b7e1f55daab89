// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts and purges that arrive at a core by the bus (manual 2.5). CR.LID names the target of
 * an interrupt as it arrives; a purge is one of all threads of the core.
 */
#include "deliver.h"
#include "broadcast.h"
#include "../memory/mem.h"
#include "../mmu/translation.h"
#include "../pipeline/reference.h"
#include "../platform/devices.h"

static void deliver_to(struct mont_thread *t, const struct mont_broadcast *of)
{
	mont_work(t, MONT_WORK_OCCURRED);
	if (of->kind == MONT_BROADCAST_INTERRUPT) {
		mont_device_interrupt(t, of->address, of->value);
		return;
	}
	mont_tlb_purge_tc(t, of->value, of->address, of->ps);
	if (of->kind == MONT_BROADCAST_PURGE_ALAT)
		mont_alat_clear(t);
}

void mont_broadcasts_deliver(struct mont_package *pkg, u32 core, u64 now)
{
	struct mont_core *c = &pkg->core[core];
	struct mont_broadcast of;
	u32 i;

	while (mont_broadcast_take(&pkg->broadcasts[core], now, &of)) {
		for (i = 0; i < pkg->cfg.threads; i++)
			deliver_to(c->thread[i], &of);
		/* Translations leave the L1 TLBs before anything else happens. */
		mont_lsu_drain(c->thread[pkg->s.turns.front[core]]);
	}
}
