// SPDX-License-Identifier: GPL-2.0-only
/*
 * Signals and full disks: what a run has counted and sampled until then is
 * written all the same.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "montctl.h"
#include "terminal.h"

static void (*volatile stop)(void *arg);
static void *volatile stop_arg;
static volatile sig_atomic_t caught;

static void stop_handler(int sig)
{
	if (sig != SIGALRM && !caught)
		caught = sig;
	if (stop)
		stop(stop_arg);
	/* The signal may have come just before a system call that now waits: send it again. */
	alarm(1);
}

void stop_prepare(void (*fn)(void *arg), void *arg)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGALRM };
	struct sigaction act = { .sa_handler = stop_handler }, old;
	size_t i;

	stop_arg = arg;
	stop = fn;
	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		/* nohup's wish is kept */
		if (signals[i] == SIGHUP && !sigaction(SIGHUP, NULL, &old) &&
		    old.sa_handler == SIG_IGN)
			continue;
		sigaction(signals[i], &act, NULL);
	}
	/* An error of write() says the same; see the library for the program's own. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

int stop_finish(void)
{
	signal(SIGALRM, SIG_IGN);
	alarm(0);
	stop = NULL;
	/* The results are being written; SIGQUIT still ends that. */
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	return caught;
}

const char *stop_name(int sig)
{
	static char name[16];

	snprintf(name, sizeof(name), "SIG%s", sigabbrev_np(sig));
	return name;
}

void stop_raise(void)
{
	if (!caught)
		return;
	signal(caught, SIG_DFL);
	raise(caught);
}

void stdio_open(void)
{
	int fd;

	/* A file that is opened later must not take the number of a closed descriptor. */
	do {
		fd = open("/dev/null", O_RDONLY);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd > STDERR_FILENO)
		close(fd);
}

int stdio_close(int status)
{
	if (terminal_page_end())
		return ferror(stderr) && !status ? EXIT_MONTCTL : status;
	errno = 0;
	if (ferror(stdout) && write(STDOUT_FILENO, "\n", 1) > 0)
		errno = EIO; /* an earlier write failed; this one tells why no more */
	if (errno || fflush(stdout))
		return fail("standard output: %s", strerror(errno));
	return ferror(stderr) && !status ? EXIT_MONTCTL : status;
}
