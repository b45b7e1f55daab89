// SPDX-License-Identifier: GPL-2.0-only
/*
 * Notifications for the multicast group: chosen and rate-limited under the machine's
 * lock, sent by netlink.c without it.
 */
#include <linux/jiffies.h>

#include <linux/montecito_netlink.h>

#include "host.h"
#include "notify.h"

/* Notifications of one machine in one second. */
#define MHOST_NOTIFY_BURST 100

static void mhost_note(struct mhost_machine *m, u32 cmd, u32 vcpu, u64 bits,
		       struct mhost_note *note)
{
	struct mont_sample s;

	if (!m->notify_sent || time_after(jiffies, m->notify_window + HZ)) {
		m->notify_window = jiffies;
		m->notify_sent = 0;
	}
	if (m->notify_sent >= MHOST_NOTIFY_BURST) {
		m->notify_lost++;
		return;
	}
	m->notify_sent++;
	mont_sample(mont_vcpu(m->pkg, vcpu), &s);
	note->cmd = cmd;
	note->vcpu = vcpu;
	note->bits = bits;
	note->insns = s.insns;
	note->cycles = s.cycles;
	note->suppressed = m->notify_lost;
	m->notify_lost = 0;
}

/**
 * mhost_note_overflow() - the PMU overflowed and the host owns it
 * @m: machine, locked
 * @exit: what mont_run() told
 * @note: filled, or left alone when there are too many
 */
void mhost_note_overflow(struct mhost_machine *m, const struct mont_exit *exit,
			 struct mhost_note *note)
{
	mhost_note(m, MONTECITO_NL_CMD_OVERFLOW_NTF, exit->vcpu, exit->pmc0, note);
}

/**
 * mhost_note_uncounted() - a counter was given an event that is not counted
 * @m: machine, locked
 * @vcpu: which vcpu
 * @bits: bit n for PMCn
 * @note: filled, or left alone when there are too many
 */
void mhost_note_uncounted(struct mhost_machine *m, u32 vcpu, u64 bits, struct mhost_note *note)
{
	mhost_note(m, MONTECITO_NL_CMD_UNCOUNTED_NTF, vcpu, bits, note);
}
