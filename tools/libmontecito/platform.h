/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A system: a machine with the firmware and devices that an operating system
 * expects: what the files of firmware/ and devices/ share. Included by firmware/firmware.h and by
 * the devices (devices/uart.c, iosapic.c, acpi_pm.c).
 */
#ifndef LIBMONTECITO_PLATFORM_H
#define LIBMONTECITO_PLATFORM_H

#include "devices/devices.h"
#include "internal.h"
#include "timed_run.h"

/* One look at the console's line, in cycles: 1 ms. */
#define SYSTEM_TICK (MONTECITO_CORE_HZ / 1000)
/* Texts that an operating system ends with, and room for one. */
#define SYSTEM_LAST_WORDS 2
#define SYSTEM_LAST_WORDS_SIZE 24

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
 * struct answer - what a processor's load from a device finds when it runs on
 * @waits: there is such a load
 * @vcpu: whose
 * @data: what it finds
 */
struct answer {
	uint32_t waits;
	uint32_t vcpu;
	uint64_t data[2];
};

/**
 * struct system_state - all that a saved system has beside its machine
 * @now: cycles since the start
 * @tick: when the console's line is looked at next
 * @insns: instructions retired since the start
 * @tick_insns: the same at the last tick
 * @idle: ticks that the guest has been idle for
 * @received: bytes that have come in
 * @in_line: the last byte that came in was not the end of a line
 * @input_ended: no byte comes in any more
 * @match: how much of each of its last words the console has seen
 * @said: which it has seen whole, from 1 on; 0 for none
 * @pad: 0
 * @answer: of a saved or hashed system; else the machine's library has it
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
	uint64_t received;
	uint32_t in_line;
	uint32_t input_ended;
	uint32_t match[SYSTEM_LAST_WORDS];
	uint32_t said;
	uint32_t pad;
	struct answer answer;
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
 * @region: the part that time is kept in
 * @end: how it ended, or MONTECITO_END_NONE
 * @vcpu: which processor ended it
 * @why: in words
 * @stop: the caller wants back
 */
struct montecito_system {
	struct montecito *m;
	struct montecito_system_options opt;
	struct system_state s;
	struct timed_run region;
	enum montecito_end end;
	unsigned int vcpu;
	char why[160];
	bool stop;
};

/* The external interrupt @vector to the processor @id (id << 8 | eid). */
void system_interrupt(struct montecito_system *s, uint32_t id, uint32_t vector);
/* True if @match bytes of last words @n can have been seen. */
bool system_match_valid(unsigned int n, uint32_t match);
/* A byte for the console. */
void system_output(struct montecito_system *s, uint8_t byte);
/* The system ends here, for @why (may be NULL). */
void system_end(struct montecito_system *s, enum montecito_end end, const char *why);

#endif
