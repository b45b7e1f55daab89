/* SPDX-License-Identifier: GPL-2.0-only */
/* Golden programs as selftests/golden runs them: in their folder, with their arguments and stdin. */
#ifndef SELFTESTS_MACHINE_PROGRAM_H
#define SELFTESTS_MACHINE_PROGRAM_H

#include <fcntl.h>
#include <libgen.h>
#include <unistd.h>

#include "tap.h"

#define PROGRAM_ARGS 32

/* @path with @suffix for ".elf". */
static inline const char *program_beside(const char *path, const char *suffix)
{
	static char beside[4096];
	size_t len = strlen(path);

	if (len > 4 && !strcmp(path + len - 4, ".elf"))
		len -= 4;
	snprintf(beside, sizeof(beside), "%.*s%s", (int)len, path, suffix);
	return beside;
}

/* Load the program at @path; its run returns -EDQUOT each @budget instructions, 0: never. */
static inline struct montecito_process *program_load(struct montecito *m, const char *path,
						     uint64_t budget)
{
	static char text[4096];
	char *argv[PROGRAM_ARGS] = { (char *)path }, *envp[] = { NULL }, *line;
	struct montecito_process_options opt = {
		.size = sizeof(opt),
		.page_shift = 14,
		.argv = argv,
		.envp = envp,
		.budget = budget,
	};
	FILE *f = fopen(program_beside(path, ".args"), "r");
	struct montecito_process *p;
	const char *why = NULL;
	int ret, n = 1;

	if (f) {
		text[fread(text, 1, sizeof(text) - 1, f)] = 0;
		fclose(f);
		for (line = strtok(text, "\n"); line && n < PROGRAM_ARGS - 1;
		     line = strtok(NULL, "\n"))
			argv[n++] = line;
	}
	ret = montecito_process_load(m, path, &opt, &p, &why);
	if (ret < 0)
		die(ret, "cannot load %s: %s", path, why ? why : "");
	return p;
}

/* Where standard input, standard output and the working directory of the test are kept. */
struct program_place {
	int in, out, cwd;
};

/* The program at @path reads a file of its own, and its output is none of TAP's. */
static inline struct program_place program_enter(const char *path)
{
	int null = open("/dev/null", O_RDWR), in = open(program_beside(path, ".stdin"), O_RDONLY);
	struct program_place place = { dup(0), dup(1), open(".", O_RDONLY | O_DIRECTORY) };
	char dir[4096];

	fflush(stdout);
	snprintf(dir, sizeof(dir), "%s", path);
	if (null < 0 || place.cwd < 0 || chdir(dirname(dir)))
		die(errno, "%s", path);
	dup2(in < 0 ? null : in, 0);
	dup2(null, 1);
	if (in >= 0)
		close(in);
	close(null);
	return place;
}

static inline void program_leave(const struct program_place *place)
{
	dup2(place->in, 0);
	dup2(place->out, 1);
	if (fchdir(place->cwd))
		die(errno, "the folder of the test");
	close(place->in);
	close(place->out);
	close(place->cwd);
}

#endif
