/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the programs of guest.S are, from where they are loaded. */
#ifndef GUEST_H
#define GUEST_H

#define GUEST_BASE 0x10000ULL
#define GUEST_SPIN (GUEST_BASE + 0x000)
#define GUEST_COUNT (GUEST_BASE + 0x100)
#define GUEST_UNCOUNTED (GUEST_BASE + 0x200)
#define GUEST_STORE (GUEST_BASE + 0x300)
#define GUEST_BREAK0 (GUEST_BASE + 0x400)

extern const unsigned char guest_image[];
extern const unsigned char guest_image_end[];

#endif
