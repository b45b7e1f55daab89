// SPDX-License-Identifier: GPL-2.0-only
/* Output of the commands. */
#include <getopt.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

#include "montctl.h"
#include "terminal.h"

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

const char *grouped(uint64_t v, FILE *f, char buf[32])
{
	bool groups = terminal_is(f);
	char digits[24], *out = buf;
	int n = snprintf(digits, sizeof(digits), "%" PRIu64, v), i;

	for (i = 0; i < n; i++) {
		*out++ = digits[i];
		if (groups && i + 1 < n && (n - i - 1) % 3 == 0)
			*out++ = ',';
	}
	*out = '\0';
	return buf;
}

static time_t started, told;

void progress(struct montecito *m)
{
	struct timespec now;
	char buf[32];
	uint64_t n;

	/* Where the program writes to the terminal itself, nothing is put between. */
	if (!isatty(STDERR_FILENO) || isatty(STDOUT_FILENO))
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!started)
		started = told = now.tv_sec;
	if (now.tv_sec == told ||
	    montecito_get_reg(m, 0, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS, &n))
		return;
	told = now.tv_sec;
	fprintf(stderr, "\r%s million instructions, %ld s ", grouped(n / 1000000, stderr, buf),
		(long)(told - started));
}

void progress_end(void)
{
	if (told != started)
		fputs("\r\033[K", stderr);
	started = 0;
}

static void output_message(const char *who, const char *fmt, va_list ap, const char *tail)
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
	output_message("", fmt, ap, "");
	va_end(ap);
	return EXIT_MONTCTL;
}

const char *nl_error(const struct montecito_nl *nl, int err)
{
	const char *message = nl ? montecito_nl_message(nl) : "";

	return *message ? message : strerror(-err);
}

int event_error(const char *command, const char *why)
{
	bool see = !strstr(why, "(see ");

	return fail("%s: -e: %s%s", command, why, see ? " (see montctl events)" : "");
}

int event_list(const char *command, const char *list, struct montecito_event_spec **specs,
	       size_t *nr)
{
	size_t i = *nr;
	char msg[512];

	if (montecito_events_parse(list, specs, nr, msg))
		return event_error(command, msg);
	for (; i < *nr; i++)
		if ((*specs)[i].left_out)
			fail("-e %s: %zu more of these events are not counted (montctl events says "
			     "why)",
			     list, (*specs)[i].left_out);
	return 0;
}

int event_periods(const char *command, const struct montecito_event_spec *specs, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (specs[i].period)
			return fail("%s: -e: event %s: a period goes with record", command,
				    specs[i].text);
	return 0;
}

int usage_error(const char *command, const char *fmt, ...)
{
	char tail[64];
	va_list ap;

	snprintf(tail, sizeof(tail), " (see montctl %s --help)", command);
	va_start(ap, fmt);
	output_message(command, fmt, ap, tail);
	va_end(ap);
	return EXIT_MONTCTL;
}

/* The option of @options with the name that is nearest to @name, or NULL. */
static const char *output_option_meant(const char *name, const struct option *options)
{
	unsigned int best = 3, d;
	const char *meant = NULL;

	for (; options->name; options++) {
		d = montecito_distance(name, options->name);
		if (d < best && d < strlen(name)) {
			best = d;
			meant = options->name;
		}
	}
	return meant;
}

/* The options that @name may be short for: their number, with the first in *@found. */
static unsigned int output_options_of(const char *name, const struct option *options,
				      const struct option **found)
{
	unsigned int n = 0;

	for (; options->name; options++) {
		if (strncmp(options->name, name, strlen(name)))
			continue;
		if (!n++ || strlen(options->name) == strlen(name))
			*found = options;
		if (strlen(options->name) == strlen(name))
			return 1;
	}
	return n;
}

int bad_option(const char *command, char **argv, int opt, const struct option *options)
{
	const char *word = argv[optind - 1], *meant;
	const struct option *found = options;
	char name[64];

	if (strncmp(word, "--", 2) || (optopt && strlen(word) == 2)) {
		if (opt == ':')
			return usage_error(command, "-%c: its argument is missing", optopt);
		return usage_error(command, "-%c: no such option", optopt);
	}
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word + 2, "="), word + 2);
	if (opt == ':')
		return usage_error(command, "--%s: its argument is missing", name);
	switch (output_options_of(name, options, &found)) {
	case 0:
		meant = output_option_meant(name, options);
		if (meant)
			return usage_error(command, "--%s: no such option; did you mean --%s?",
					   name, meant);
		return usage_error(command, "--%s: no such option", name);
	case 1:
		return usage_error(command, "--%s: it takes no argument", found->name);
	default:
		return usage_error(command, "--%s: several options begin like this", name);
	}
}
