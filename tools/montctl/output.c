// SPDX-License-Identifier: GPL-2.0-only
/* What the commands print with. */
#include <json-c/json.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include "montctl.h"

void print_object(FILE *f, struct json_object *o)
{
	fprintf(f, "%s\n",
		json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN |
							  JSON_C_TO_STRING_NOSLASHESCAPE));
	fflush(f);
	json_object_put(o);
}

const char *plain(const char *text, char *buf, size_t len)
{
	size_t left = strlen(text), out = 0;
	mbstate_t state = { 0 };
	wchar_t wc;

	while (left && out + 1 < len) {
		size_t n = mbrtowc(&wc, text, left, &state);

		if (n == 0 || n > left || !iswprint(wc)) {
			buf[out++] = '?';
			memset(&state, 0, sizeof(state));
			n = n == 0 || n > left ? 1 : n;
		} else if (out + n < len) {
			memcpy(buf + out, text, n);
			out += n;
		} else {
			break;
		}
		text += n;
		left -= n;
	}
	buf[out] = '\0';
	return buf;
}

static void message(const char *who, const char *fmt, va_list ap, const char *tail)
{
	char text[1024], safe[1024];

	fflush(stdout);
	vsnprintf(text, sizeof(text), fmt, ap);
	fprintf(stderr, "montctl%s%s: %s%s\n", *who ? " " : "", who,
		plain(text, safe, sizeof(safe)), tail);
}

int fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message("", fmt, ap, "");
	va_end(ap);
	return EXIT_MONTCTL;
}

int usage_error(const char *command, const char *fmt, ...)
{
	char tail[64];
	va_list ap;

	snprintf(tail, sizeof(tail), " (see montctl %s --help)", command);
	va_start(ap, fmt);
	message(command, fmt, ap, tail);
	va_end(ap);
	return EXIT_MONTCTL;
}

int bad_option(const char *command, char **argv)
{
	if (optopt && optopt < 0x100)
		return usage_error(command, "-%c: no such option, or its argument is missing",
				   optopt);
	return usage_error(command, "%s: no such option, or its argument is missing or not allowed",
			   argv[optind - 1]);
}
