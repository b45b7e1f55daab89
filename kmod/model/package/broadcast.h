/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Broadcasts of a core to all that share its bus: interrupts and purges of translations (manual
 * 2.5; SDM volume 2, 5.8.4.1). Each is a transaction of the bus, and arrives when its snoop phase
 * ends (inbox.h). Called by devices.c and mmu/tlb.c, which send, and by memory_pipeline.c and
 * reference.c, which know the cycle.
 */
#ifndef MONT_PACKAGE_BROADCAST_H
#define MONT_PACKAGE_BROADCAST_H

#include "../arch/thread.h"
#include "inbox.h"

/* A core that has sent so many waits for their arrival. */
#define MONT_BROADCASTS_AHEAD 6

/**
 * mont_broadcast_interrupt() - send an interrupt to all cores
 * @t: which sends it
 * @off: offset in the interrupt block
 * @vector: the vector
 *
 * Return: false if @t shares no bus, or there is no room: it arrives at once.
 */
bool mont_broadcast_interrupt(struct mont_thread *t, u64 off, u32 vector);

/**
 * mont_broadcast_purge() - send a purge of translations to the other core
 * @t: which sends it
 * @rid: region identifier
 * @va: virtual address
 * @ps: log2 of the size
 * @alat: ALATs forget what they have tracked too
 *
 * Return: as mont_broadcast_interrupt().
 */
bool mont_broadcast_purge(struct mont_thread *t, u32 rid, u64 va, u32 ps, bool alat);

/**
 * mont_broadcast_issue() - the transaction of something that has been sent
 * @q: by core; NULL: there is nothing to do
 * @core: which has sent it
 * @address: of it, as it has been sent
 * @at: the cycle in which it arrives
 *
 * Return: how many of @core are on their way.
 */
u32 mont_broadcast_issue(struct mont_inbox *q, u32 core, u64 address, u64 at);

#endif
