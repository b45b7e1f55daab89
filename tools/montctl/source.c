// SPDX-License-Identifier: GPL-2.0-only
/* Lines of source files, as a program's debug information names them. */
#include <stdlib.h>
#include <string.h>

#include "montctl.h"
#include "source.h"

const char *source_line(struct source *s, const char *file, int line, char *buf, size_t len)
{
	char *c;

	if (!s->name || strcmp(s->name, file)) {
		source_close(s);
		s->name = strdup(file);
		s->f = fopen(file, "re");
	}
	if (!s->f)
		return "";
	if (line <= s->at) {
		rewind(s->f);
		s->at = 0;
	}
	while (s->at < line) {
		if (getline(&s->line, &s->size, s->f) < 0)
			return "";
		s->at++;
	}
	s->line[strcspn(s->line, "\r\n")] = '\0';
	for (c = s->line; *c; c++)
		*c = *c == '\t' ? ' ' : *c;
	return plain(s->line + strspn(s->line, " "), buf, len);
}

void source_close(struct source *s)
{
	free(s->name);
	free(s->line);
	if (s->f)
		fclose(s->f);
	memset(s, 0, sizeof(*s));
}
