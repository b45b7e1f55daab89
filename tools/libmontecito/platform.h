/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A system: a machine with the firmware and devices that an operating system
 * expects. What the files of firmware/ and devices/ share.
 */
#ifndef LIBMONTECITO_PLATFORM_H
#define LIBMONTECITO_PLATFORM_H

#include "devices/devices.h"
#include "internal.h"

/**
 * struct firmware_state - what firmware remembers between two calls
 * @ap_entry: where a processor starts that is woken (SAL_SET_VECTORS)
 * @ap_gp: its global pointer
 * @virtual_mode: SetVirtualAddressMap was called
 */
struct firmware_state {
	uint64_t ap_entry;
	uint64_t ap_gp;
	uint64_t virtual_mode;
};

/**
 * struct system_state - all that a saved system has beside its machine
 * @now: cycles since the start
 * @tick: when the console's line is looked at next
 * @insns: instructions retired since the start
 * @tick_insns: the same at the last tick
 * @idle: ticks that the guest has been idle for
 * @in_line: the last byte that came in was not the end of a line
 * @input_ended: no byte comes in any more
 * @firmware: see struct firmware_state
 * @iosapic: see struct iosapic
 * @uart: see struct uart
 * @pm: see struct acpi_pm
 */
struct system_state {
	uint64_t now;
	uint64_t tick;
	uint64_t insns;
	uint64_t tick_insns;
	uint64_t idle;
	uint32_t in_line;
	uint32_t input_ended;
	struct firmware_state firmware;
	struct iosapic iosapic;
	struct uart uart;
	struct acpi_pm pm;
};

/**
 * struct montecito_system - a machine with firmware and devices
 * @m: the machine
 * @opt: as given
 * @s: its state
 * @end: how it ended, or MONTECITO_END_NONE
 * @vcpu: which processor ended it
 * @why: in words
 * @stop: the caller wants back
 * @match: how much of the text that a panic prints has been seen
 * @paniced: all of it
 */
struct montecito_system {
	struct montecito *m;
	struct montecito_system_options opt;
	struct system_state s;
	enum montecito_end end;
	unsigned int vcpu;
	char why[160];
	bool stop;
	size_t match;
	bool paniced;
};

/* The external interrupt @vector to the processor @id (id << 8 | eid). */
void system_interrupt(struct montecito_system *s, uint32_t id, uint32_t vector);
/* A byte for the console. */
void system_output(struct montecito_system *s, uint8_t byte);
/* The system ends here, for @why (may be NULL). */
void system_end(struct montecito_system *s, enum montecito_end end, const char *why);

#endif
