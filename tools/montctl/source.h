/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines of source files. Called by annotate.c and html.c. */
#ifndef MONTCTL_SOURCE_H
#define MONTCTL_SOURCE_H

#include <stdio.h>

/**
 * struct source - the source file that was looked into last; all 0 for none
 * @name: its path
 * @f: NULL if it is not there
 * @line: its line @at
 * @size: of @line, as getline() has it
 * @at: the line that was read last
 */
struct source {
	char *name;
	FILE *f;
	char *line;
	size_t size;
	int at;
};

/* Line @line of @file without its indentation, in @buf; "" if it is not there. */
const char *source_line(struct source *s, const char *file, int line, char *buf, size_t len);
void source_close(struct source *s);

#endif
