/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Physical addresses that are no memory (SDM volume 2, 5.8.4 and chapter 11).
 * Called by memory/access.c, memory/phys.c and cache/memory_pipeline.c.
 */
#ifndef MONT_PLATFORM_MAP_H
#define MONT_PLATFORM_MAP_H

#include "../base/types.h"

/* The processor interrupt block, where firmware usually puts it. */
#define MONT_PIB_BASE 0xfee00000ULL
#define MONT_PIB_SIZE 0x200000ULL

/* The I/O port space, which firmware can put elsewhere (PAL_PLATFORM_ADDR). */
#define MONT_IO_BLOCK 0xffffc000000ULL
#define MONT_IO_SPAN 0x4000000ULL

/* The console: a byte stored here is printed (assumption: no such platform). */
#define MONT_CONSOLE_BASE 0xff000000ULL
#define MONT_CONSOLE_SPAN 0x1000ULL

/* PAL_PROC: a branch to this address, at level 0, calls PAL (assumption). */
#define MONT_PAL_PROC 0xff100000ULL
#define MONT_PAL_SPAN 0x1000ULL

static inline bool mont_is_interrupt_block(u64 pa)
{
	return pa - MONT_PIB_BASE < MONT_PIB_SIZE;
}

static inline bool mont_is_device(u64 pa)
{
	return mont_is_interrupt_block(pa) || pa - MONT_CONSOLE_BASE < MONT_CONSOLE_SPAN ||
	       pa - MONT_PAL_PROC < MONT_PAL_SPAN;
}

#endif
