/* SPDX-License-Identifier: GPL-2.0-only */
/* The console of montctl boot: stdin and stdout. Called by boot.c. */
#ifndef MONTCTL_CONSOLE_H
#define MONTCTL_CONSOLE_H

#include <signal.h>
#include <time.h>

#include "libmontecito.h"

/**
 * struct console - stdin and stdout as a guest's console
 * @live: stdin is a terminal
 * @realtime: the guest's time does not run ahead of the host's
 * @ended: nothing comes from stdin any more
 * @escape: the escape key was the last one
 * @quit: the user wants out; a signal's handler may set it
 * @dirty: stdout holds something back
 * @buf: bytes for the guest
 * @pos: the first of them
 * @len: behind the last
 * @last: guest time of the last tick
 * @ticked: there was one
 * @owed: idle time that the host has not slept yet
 * @due: host time that the guest's time @last is due at
 * @skip: bytes that are left out of the input
 */
struct console {
	bool live;
	bool realtime;
	bool ended;
	bool escape;
	volatile sig_atomic_t quit;
	bool dirty;
	uint8_t buf[64];
	size_t pos;
	size_t len;
	uint64_t last;
	bool ticked;
	uint64_t owed;
	uint64_t due;
	uint64_t skip;
};

/* @c is all zeros. The first @skip bytes of an input that is no terminal are not for the guest. */
int console_open(struct console *c, bool realtime, uint64_t skip);
void console_close(struct console *c);

/* For struct montecito_system_options, with the console as @arg. */
void console_output(void *arg, uint8_t byte);
int console_input(void *arg, bool wait);
bool console_tick(void *arg, uint64_t ns, bool idle);

#endif
