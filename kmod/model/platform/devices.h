/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Devices behind physical addresses: the processor interrupt block and the console. Called by
 * memory/access.c for a store, by deliver.c for an interrupt that arrives, and by mont_run() for a console that is full.
 */
#ifndef MONT_PLATFORM_DEVICES_H
#define MONT_PLATFORM_DEVICES_H

#include "../arch/thread.h"
#include "map.h"

struct mont_package;

/* Store @v to the device at @pa; MONT_FAULT_MACHINE_CHECK where none takes it. */
enum mont_result mont_device_store(struct mont_thread *t, u64 pa, u32 size, u64 v);
/* An interrupt for offset @off of the interrupt block: it is @t's if that has the id there. */
void mont_device_interrupt(struct mont_thread *t, u64 off, u32 vector);
/* True, with the exit noted, if the host must take the console's output. */
bool mont_console_full(struct mont_package *pkg);

#endif
