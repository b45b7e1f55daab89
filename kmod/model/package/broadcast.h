/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Broadcasts of a core to all that share its bus: interrupts and purges of translations (manual
 * 2.5; SDM volume 2, 5.8.4.1). Each is a transaction of the bus, and arrives when its snoop phase
 * ends. Called by devices.c and mmu/tlb.c, which send, by memory_pipeline.c and reference.c, which
 * know the cycle, and by timed.c, bus.c and deliver.c.
 */
#ifndef MONT_PACKAGE_BROADCAST_H
#define MONT_PACKAGE_BROADCAST_H

#include "../arch/thread.h"

/* On their way to one core; who has sent MONT_BROADCASTS_AHEAD of them waits for their arrival. */
#define MONT_NR_BROADCASTS 32
#define MONT_BROADCASTS_AHEAD 6

enum mont_broadcast_kind {
	MONT_BROADCAST_NONE,
	MONT_BROADCAST_INTERRUPT,
	MONT_BROADCAST_PURGE,
	MONT_BROADCAST_PURGE_ALAT, /* ptc.ga */
};

/**
 * struct mont_broadcast - an interrupt or a purge on its way to a core
 * @at: the cycle in which it arrives
 * @address: offset in the interrupt block, which names the target, or virtual address
 * @value: vector, or region identifier
 * @kind: enum mont_broadcast_kind
 * @core: which has sent it
 * @ps: log2 of the size to be purged
 * @issued: @at is that of its transaction; until there is one it is the least that there can be
 */
struct mont_broadcast {
	u64 at;
	u64 address;
	u32 value;
	u8 kind;
	u8 core;
	u8 ps;
	u8 issued;
};

/**
 * struct mont_broadcasts - those on their way to a core
 * @next: the cycle in which the first one arrives; 0: none is on its way
 * @nr: of them
 * @of: in the order in which they have been sent
 */
struct mont_broadcasts {
	u64 next;
	u64 nr;
	struct mont_broadcast of[MONT_NR_BROADCASTS];
};

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
 * @b: by core; NULL: there is nothing to do
 * @core: which has sent it
 * @address: of it, as it has been sent
 * @at: the cycle in which it arrives
 *
 * Return: how many of @core are on their way.
 */
u32 mont_broadcast_issue(struct mont_broadcasts *b, u32 core, u64 address, u64 at);

/* True if a purge that core @core has sent is on its way. */
bool mont_broadcast_is_purging(const struct mont_broadcasts *b, u32 core);

/* Remove the first one of @b that has arrived in cycle @now, and put it in *@of; false: none has. */
bool mont_broadcast_take(struct mont_broadcasts *b, u64 now, struct mont_broadcast *of);

/* True if @b can be a saved state. */
bool mont_broadcasts_valid(const struct mont_broadcasts *b);

#endif
