// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts, purges, snoops and lines that arrive at a core by the bus (manual 2.5). CR.LID names
 * the target of an interrupt as it arrives; a purge is one of all threads of the core.
 */
#include "deliver.h"
#include "bus.h"
#include "../cache/l2d.h"
#include "../event/assert.h"
#include "../memory/mem.h"
#include "../mmu/translation.h"
#include "../pipeline/account.h"
#include "../pipeline/reference.h"
#include "../platform/devices.h"
#include "../platform/interrupts.h"
#include "../pmu/pmu.h"

static void deliver_to(struct mont_thread *t, const struct mont_message *of)
{
	mont_work(t, MONT_WORK_OCCURRED);
	if (of->kind == MONT_MESSAGE_INTERRUPT) {
		mont_device_interrupt(t, of->address, of->value);
		return;
	}
	mont_tlb_purge_tc(t, of->value, of->address, of->ps);
	if (of->kind == MONT_MESSAGE_PURGE_ALAT)
		mont_alat_clear(t);
}

/* Something has been counted in @t, in front: an overflow is one of this cycle. */
static void deliver_end(struct mont_thread *t)
{
	if (!(t->attn & MONT_ATTN_GROUP))
		return;
	mont_group_end(t);
	if (!(t->pkg->cfg.flags & MONT_CFG_HOST_PMU) && !t->s.halted)
		mont_irq_collect(t);
}

/* A request of the L2D is withdrawn by a snoop, @bit: in a cycle in which no other is (4.8.4.4). */
static void deliver_withdrawn(struct mont_thread *t, u64 bit)
{
	struct mont_hierarchy *h = t->pkg->bus->caches[t->core == &t->pkg->core[1]];
	struct mont_reply reply;

	mont_reply_begin(&reply);
	reply.at[MONT_REPLY_IN_SNOOPED] = mont_l2d_withdraw(h, t->clock - 1);
	reply.bits = bit;
	mont_account_reply(t, &reply, NULL);
}

/* A snoop of the core of @t, in front, has met its line. Nothing is counted in low power (3.3.12). */
static void deliver_snoop(struct mont_thread *t, const struct mont_message *of)
{
	mont_work(t, MONT_WORK_OCCURRED);
	if (t->s.halted)
		return;
	if (of->value & MONT_MESSAGE_FILL)
		deliver_withdrawn(t, MONT_REPLY_BIT(SNOOP_FILL));
	if (of->value & MONT_MESSAGE_VICTIM)
		deliver_withdrawn(t, MONT_REPLY_BIT(SNOOP_VICTIM));
	deliver_end(t);
}

void mont_inbox_deliver(struct mont_package *pkg, u32 core, u64 now)
{
	struct mont_core *c = &pkg->core[core];
	struct mont_thread *front = c->thread[pkg->s.turns.front[core]];
	struct mont_inbox *q = &pkg->inbox[core];
	struct mont_message of;
	u32 i;

	MONT_ASSERT(front, q->nr < MONT_NR_MESSAGES, "there is room for what comes by the bus");
	while (mont_inbox_take(q, now, &of)) {
		if (of.kind == MONT_MESSAGE_SNOOP) {
			deliver_snoop(front, &of);
			continue;
		}
		for (i = 0; i < pkg->cfg.threads; i++)
			deliver_to(c->thread[i], &of);
		/* Translations leave the L1 TLBs before anything else happens. */
		mont_lsu_drain(front);
	}
}

void mont_arrivals_deliver(struct mont_package *pkg, u32 core, u64 now)
{
	struct mont_core *c = &pkg->core[core];
	struct mont_arrival of;
	u32 n;

	while ((n = mont_arrival_take(&pkg->bus->arrivals[core], now, &of)) != MONT_NO_ARRIVAL)
		mont_filled_come(c->thread[of.thread], n, of.state, of.at, &of.takers);
	deliver_end(c->thread[pkg->s.turns.front[core]]);
}
