// SPDX-License-Identifier: GPL-2.0-only
/*
 * The machine of another process, by a copy of that process's descriptor (montecito_attach()):
 * observers and rings of montctl lie beside those of the process, which goes on running the
 * machine.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "attach.h"

#define MAX_SECONDS 1000000

int attach_for(struct attached *a, const char *command, const char *arg)
{
	char *end;
	double s;

	errno = 0;
	s = strtod(arg, &end);
	if (errno || end == arg || *end || !(s >= 0.001 && s <= MAX_SECONDS))
		return usage_error(command, "--for %s: must be 0.001 to %d seconds", arg,
				   MAX_SECONDS);
	a->milliseconds = (uint64_t)(s * 1000);
	return 0;
}

/* Refuse options that configure a machine or its program: both are there already. */
static int attach_made_already(const struct machine_args *args, const char *command)
{
	if (args->device || args->inproc || args->timing >= 0 || args->cores != 1 ||
	    args->threads != 1 || args->memory_given || args->no_alat || args->nr_param ||
	    args->budget || args->argv0 || args->nr_env || args->thread_slice || args->time_from ||
	    args->time_to)
		return usage_error(command, "-p: the machine runs already, so options that "
					    "configure a machine or its program do not apply");
	return 0;
}

/**
 * struct wanted - the machine that was asked for
 * @number: process or machine
 * @by_pid: machines of that process
 * @pid: its process
 * @machine: its number
 */
struct wanted {
	uint64_t number;
	unsigned int by_pid;
	uint32_t pid;
	uint32_t machine;
};

static int attach_look(const struct montecito_nl_machine *m, void *arg)
{
	struct wanted *w = arg;

	if (m->pid && m->pid == w->number) {
		w->by_pid++;
	} else if (m->id != w->number || w->by_pid) {
		return 0;
	}
	w->pid = m->pid;
	w->machine = m->id;
	return 0;
}

static int attach_find(struct wanted *w, const char *command)
{
	struct montecito_nl *nl;
	int err = montecito_nl_open(&nl);

	if (err)
		return fail("netlink family montecito: %s",
			    err == -ENOENT ? "the module is not loaded" : strerror(-err));
	err = montecito_nl_machines(nl, attach_look, w);
	montecito_nl_close(nl);
	if (err)
		return fail("list of machines: %s", strerror(-err));
	if (w->by_pid > 1)
		return fail("%s -p: process %" PRIu64 " has more than one machine: give the "
			    "machine's number (montctl info)",
			    command, w->number);
	if (!w->machine)
		return fail("%s -p: no process with a machine, and no machine, that you may see "
			    "has the number %" PRIu64 " (montctl info lists them)",
			    command, w->number);
	if (!w->pid)
		return fail("%s -p: the process of machine %" PRIu32 " has ended or cannot be seen "
			    "from here",
			    command, w->machine);
	return 0;
}

/* The machine, by a descriptor of its process. */
static int attach_adopt(struct attached *a, struct wanted *w, const char *command)
{
	int fd = montecito_attach((pid_t)w->pid, &w->machine), err = fd;

	if (fd >= 0)
		err = montecito_adopt(fd, &a->m);
	if (!err)
		return 0;
	return fail("%s -p: machine %" PRIu32 " of process %" PRIu32 ": %s", command, w->machine,
		    w->pid,
		    err == -EPERM ? "not permitted: it takes what ptrace(2) takes"
				  : strerror(-err));
}

int attach_open(struct attached *a, struct machine_args *args, const char *command, const char *arg)
{
	struct montecito_machine_info info;
	struct wanted w = { 0 };
	int err = attach_made_already(args, command);

	if (err)
		return err;
	if (parse_number(arg, &w.number) || !w.number || w.number > INT32_MAX)
		return usage_error(command, "-p %s: neither a process nor a machine", arg);
	err = attach_find(&w, command);
	if (err)
		return err;
	a->pidfd = (int)syscall(SYS_pidfd_open, (pid_t)w.pid, 0);
	if (a->pidfd < 0)
		return fail("%s -p: process %" PRIu32 ": %s", command, w.pid, strerror(errno));
	err = attach_adopt(a, &w, command);
	if (err)
		return err;
	if (montecito_machine_info(a->m, &info))
		return fail("%s -p: the machine cannot be asked", command);
	args->cores = info.cores;
	args->threads = info.threads;
	args->timing = info.timing == MONTECITO_TIMING_ON;
	snprintf(a->name, sizeof(a->name), "machine %" PRIu32 " of process %" PRIu32 "%s%s%s",
		 w.machine, w.pid, *info.name ? " (" : "", info.name, *info.name ? ")" : "");
	return 0;
}

int attach_functions(const char *command, struct montecito_event_spec *specs, size_t nr,
		     const char *program)
{
	char msg[512];
	size_t i;

	for (i = 0; !program && i < nr; i++)
		if (specs[i].function)
			return usage_error(command,
					   "-e %s: the function is one of a program, which "
					   "-p takes as its argument",
					   specs[i].text);
	if (program && montecito_events_functions(specs, nr, program, msg))
		return fail("-e: %s", msg);
	return 0;
}

static uint64_t attach_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void attach_stop(void *arg)
{
	*(volatile sig_atomic_t *)arg = 1;
}

int attach_wait(struct attached *a, int every, int (*tick)(void *arg), void *arg)
{
	uint64_t end = a->milliseconds ? attach_now_ms() + a->milliseconds : UINT64_MAX;
	struct pollfd p = { .fd = a->pidfd, .events = POLLIN };
	volatile sig_atomic_t stopped = 0;
	int err = 0;

	stop_prepare(attach_stop, (void *)&stopped);
	while (!err && !stopped) {
		uint64_t now = attach_now_ms();
		int wait = every;

		if (now >= end)
			break;
		if (end - now < (uint64_t)wait)
			wait = (int)(end - now);
		if (poll(&p, 1, wait) > 0)
			break;
		err = tick ? tick(arg) : 0;
	}
	/* A signal that comes again must not cut off the report that follows. */
	stop_finish();
	return err;
}

void attach_close(struct attached *a)
{
	if (a->pidfd >= 0)
		close(a->pidfd);
	a->pidfd = -1;
}
