// SPDX-License-Identifier: GPL-2.0-only
/*
 * The console of montctl boot: a terminal in raw mode with an escape key, or a
 * file or pipe. The terminal gets its mode back however montctl ends.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "console.h"

/* Ctrl-], as telnet has it. */
#define ESCAPE 0x1d

/* Sleep in pieces of so many nanoseconds: keys do not wait, timers may. */
#define NAP 20000000ULL

static struct termios saved;
static bool raw;

static void console_restore(void)
{
	if (raw)
		(void)tcsetattr(STDIN_FILENO, TCSANOW, &saved);
	raw = false;
}

/* Handlers are one-shot: the second time the signal has its own way. */
static void console_on_signal(int sig)
{
	console_restore();
	raise(sig);
}

static int console_make_raw(void)
{
	/* Fatal signals that stop_prepare() has not taken. */
	static const int fatal[] = { SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL };
	struct sigaction sa = { .sa_handler = console_on_signal,
				.sa_flags = SA_RESETHAND | SA_NODEFER };
	struct termios t;
	size_t i;

	if (tcgetattr(STDIN_FILENO, &saved))
		return -errno;
	atexit(console_restore);
	for (i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
		sigaction(fatal[i], &sa, NULL);
	t = saved;
	cfmakeraw(&t);
	/* Lines of montctl's own messages still begin at the margin. */
	t.c_oflag |= OPOST | ONLCR;
	raw = true;
	return tcsetattr(STDIN_FILENO, TCSANOW, &t) ? -errno : 0;
}

int console_open(struct console *c, bool realtime, uint64_t skip)
{
	c->live = isatty(STDIN_FILENO);
	c->realtime = realtime;
	c->skip = c->live ? 0 : skip;
	return c->live ? console_make_raw() : 0;
}

void console_close(struct console *c)
{
	(void)c;
	fflush(stdout);
	console_restore();
}

void console_output(void *arg, uint8_t byte)
{
	struct console *c = arg;

	c->dirty = true;
	putchar_unlocked(byte);
}

/* A byte of the input: true if it is the guest's. */
static bool console_for_guest(struct console *c, uint8_t byte)
{
	if (!c->live) {
		if (!c->skip)
			return true;
		c->skip--;
		return false;
	}
	if (c->escape) {
		c->escape = false;
		c->quit |= byte == 'q' || byte == 'Q' || byte == '.';
		return byte == ESCAPE;
	}
	c->escape = byte == ESCAPE;
	return !c->escape;
}

/* Read what there is, waiting up to @timeout ms; whether there is any for the guest. */
static bool console_refill(struct console *c, int timeout)
{
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };
	uint8_t byte[sizeof(c->buf)];
	ssize_t n, i;

	if (c->pos < c->len)
		return true;
	if (c->ended || poll(&p, 1, timeout) <= 0)
		return false;
	n = read(STDIN_FILENO, byte, sizeof(byte));
	if (!n || (n < 0 && errno != EINTR && errno != EAGAIN))
		c->ended = true;
	c->pos = 0;
	c->len = 0;
	for (i = 0; i < n; i++)
		if (console_for_guest(c, byte[i]))
			c->buf[c->len++] = byte[i];
	return c->len;
}

/* The reader of the guest's output is gone: going on is of no use. */
static void console_flush(struct console *c)
{
	if (c->dirty && (fflush(stdout) || ferror(stdout)))
		c->quit = true;
	c->dirty = false;
}

int console_input(void *arg, bool wait)
{
	struct console *c = arg;

	if (wait)
		console_flush(c);
	while (!console_refill(c, wait ? -1 : 0)) {
		if (c->ended)
			return MONTECITO_INPUT_END;
		if (!wait || c->quit)
			return MONTECITO_INPUT_NONE;
	}
	return c->buf[c->pos++];
}

static uint64_t console_host_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* Sleep for @ns, or until there is a key. */
static void console_nap(struct console *c, uint64_t ns)
{
	struct timespec t = { ns / 1000000000, ns % 1000000000 };

	console_flush(c);
	if (c->live && !c->ended)
		(void)console_refill(c, ns / 1000000);
	else
		nanosleep(&t, NULL);
}

/*
 * No stretch of the guest's time is shorter on the host, but for a nap. What the
 * host could not keep up with is lost: catching up would be running ahead.
 */
static void console_pace(struct console *c, uint64_t passed)
{
	uint64_t now = console_host_ns();

	c->due += passed;
	if (c->due + NAP < now)
		c->due = now - NAP;
	else if (c->due > now + NAP / 10)
		console_nap(c, c->due - now);
}

bool console_tick(void *arg, uint64_t ns, bool idle)
{
	struct console *c = arg;
	uint64_t passed = c->ticked ? ns - c->last : 0;

	c->last = ns;
	c->ticked = true;
	console_flush(c);
	/* The escape key works while the guest takes no input, too. */
	if (c->live)
		(void)console_refill(c, 0);
	if (c->quit)
		return false;
	if (c->realtime) {
		console_pace(c, passed);
	} else if (c->live) {
		/* Time in which the guest is idle passes for the host, too. */
		if (idle)
			c->owed += passed;
		if (c->owed >= NAP) {
			console_nap(c, c->owed);
			c->owed = 0;
		}
	}
	return true;
}
