/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the programs of guest.S and hostile.S are, from where they are loaded. */
#ifndef GUEST_H
#define GUEST_H

#define GUEST_BASE 0x10000ULL
#define GUEST_SPIN (GUEST_BASE + 0x000)
#define GUEST_COUNT (GUEST_BASE + 0x100)
#define GUEST_UNCOUNTED (GUEST_BASE + 0x200)
#define GUEST_STORE (GUEST_BASE + 0x300)
#define GUEST_BREAK0 (GUEST_BASE + 0x400)
#define GUEST_CONSOLE (GUEST_BASE + 0x500)

#define HOSTILE_BASE 0x20000ULL
#define HOSTILE_RSE (HOSTILE_BASE + 0x000)
#define HOSTILE_PURGE (HOSTILE_BASE + 0x100)
#define HOSTILE_MODIFY (HOSTILE_BASE + 0x200)
#define HOSTILE_WALK (HOSTILE_BASE + 0x300)
#define HOSTILE_FAULT (HOSTILE_BASE + 0x400)
#define HOSTILE_SPIN (HOSTILE_BASE + 0x500)
#define HOSTILE_TIMER (HOSTILE_BASE + 0x600)
#define HOSTILE_ADVANCED (HOSTILE_BASE + 0x700)
#define HOSTILE_UNCACHED (HOSTILE_BASE + 0x800)
#define HOSTILE_PMDS (HOSTILE_BASE + 0x900)
#define HOSTILE_PMCS (HOSTILE_BASE + 0xa00)
/* Not to be run there: bundles to be written elsewhere, by their offsets in the image. */
#define HOSTILE_PAGES 0xb00
#define HOSTILE_LAST 0xb10
#define HOSTILE_OTHER 0xb20
#define HOSTILE_BUNDLE 16

extern const unsigned char guest_image[];
extern const unsigned char guest_image_end[];
extern const unsigned char hostile_image[];
extern const unsigned char hostile_image_end[];

#endif
