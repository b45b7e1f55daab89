/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The processor status register (SDM volume 2, 3.3.2). Called by instructions
 * (isa/), by exec/ at interruptions and single steps, by pipeline/reference.c
 * for what an instruction has changed late, and by the host's view
 * (package/hostview.c).
 */
#ifndef MONT_ARCH_PSR_H
#define MONT_ARCH_PSR_H

#include "thread.h"

/*
 * Set PSR (ri apart). Whatever depends on its bits follows: level, fast paths,
 * counters (folded under the old PSR, armed under the new), banks. While time is kept a
 * change of what is counted goes to the log (lsu.h): the pipeline first counts what has
 * been in use under the old PSR.
 */
void mont_psr_set(struct mont_thread *t, u64 psr);
/* As mont_psr_set(), from outside of the machine: a change of level is no event. */
void mont_psr_load(struct mont_thread *t, u64 psr);
/* As mont_psr_load(), at once. */
void mont_psr_apply(struct mont_thread *t, u64 psr);
/* Set in t->attn what PSR asks the run loop to look at. */
void mont_psr_attend(struct mont_thread *t);
/* PSR with ri. */
u64 mont_psr(const struct mont_thread *t);

#endif
