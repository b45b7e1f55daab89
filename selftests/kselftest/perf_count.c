// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf_count FILE EVENT[,EVENT...] COMMAND...
 *
 * Counts as perf stat does, without perf's seconds of reading sysfs under an emulator:
 * rows of events/, with :u or :k behind them, or :s for one with a period. FILE takes "EVENT COUNT", one a line, in
 * their order; "-" is the count of one that has not counted. The exit status is COMMAND's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "perfevent.h"

static int open_row(char *name, pid_t pid)
{
	struct perf_event_attr a;
	char *level = strchr(name, ':');
	uint64_t config;
	int fd;

	if (level)
		*level = 0;
	if (!row_config(name, &config))
		bail("%s: no such row", name);
	a = attribute(config, 0);
	a.read_format = PERF_FORMAT_TOTAL_TIME_RUNNING;
	a.inherit = a.disabled = a.enable_on_exec = 1;
	if (level) {
		*level = ':';
		a.exclude_kernel = level[1] == 'u';
		a.exclude_user = level[1] == 'k';
		a.sample_period = level[1] == 's' ? 1009 : 0;
	}
	fd = open_event(&a, pid, -1, -1);
	if (fd < 0)
		bail("%s: %s", name, strerror(-fd));
	return fd;
}

int main(int argc, char **argv)
{
	int fd[ACTIVE], go[2], status, n = 0, i;
	char *name[ACTIVE], *next, c = 0;
	pid_t pid;
	FILE *f;

	if (argc < 4 || pipe(go))
		bail("usage: perf_count FILE EVENT[,EVENT...] COMMAND...");
	pid = fork();
	if (!pid) {
		close(go[1]);
		if (read(go[0], &c, 1) == 1)
			execvp(argv[3], argv + 3);
		_exit(127);
	}
	close(go[0]);
	for (next = strtok(argv[2], ","); next && n < ACTIVE; next = strtok(NULL, ",")) {
		fd[n] = open_row(next, pid);
		name[n++] = next;
	}
	if (write(go[1], &c, 1) != 1 || waitpid(pid, &status, 0) != pid)
		bail("%s: %s", argv[3], strerror(errno));
	f = fopen(argv[1], "w");
	if (!f)
		bail("%s: %s", argv[1], strerror(errno));
	for (i = 0; i < n; i++) {
		uint64_t count[2] = {}; /* and how long it has counted */

		if (read(fd[i], count, sizeof(count)) != sizeof(count) || !count[1])
			fprintf(f, "%s -\n", name[i]);
		else
			fprintf(f, "%s %llu\n", name[i], (unsigned long long)count[0]);
	}
	fclose(f);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
