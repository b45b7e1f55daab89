/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Messages to the multicast group. Called by run.c.
 */
#ifndef MHOST_NOTIFY_H
#define MHOST_NOTIFY_H

#include "host.h"

/**
 * struct mhost_note - something to tell the multicast group, filled under the
 *	machine's lock and sent outside of it
 * @cmd: 0 for nothing, or MONTECITO_NL_CMD_*_NTF
 * @vcpu: which
 * @bits: PMC0, or the uncounted counters
 * @insns: instructions the vcpu has retired
 * @cycles: its cycles
 * @suppressed: notifications withheld before this one
 */
struct mhost_note {
	u32 cmd;
	u32 vcpu;
	u64 bits;
	u64 insns;
	u64 cycles;
	u32 suppressed;
};

void mhost_note_overflow(struct mhost_machine *m, const struct mont_exit *exit,
			 struct mhost_note *note);
void mhost_note_uncounted(struct mhost_machine *m, u32 vcpu, u64 bits, struct mhost_note *note);

#endif
