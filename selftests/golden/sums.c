// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters of two threads that run one system's image at once (manual table 3-6):
 *
 *	sums [-p NAME=VALUE] IMAGE EVENT...
 *
 * One line an event: its name, the counts of each thread's own PMC, and those of a PMC of each
 * thread with all set, in two runs up to the power-off by the first.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../tools/libmontecito/libmontecito.h"

#define MEMORY (128ULL << 20)
#define BUDGET 10000000
#define THREADS 2

static _Noreturn void fail(const char *what, const char *why)
{
	fprintf(stderr, "sums: %s: %s\n", what, why);
	exit(125);
}

static void expect(int ret, const char *what, const char *why)
{
	if (ret < 0)
		fail(what, why && *why ? why : strerror(-ret));
}

/* The other thread begins where the first one does. */
static void begin_too(struct montecito *m)
{
	uint64_t value;

	expect(montecito_get_reg(m, 0, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP, &value), "IP",
	       NULL);
	expect(montecito_set_reg(m, 1, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP, value), "IP",
	       NULL);
	expect(montecito_get_reg(m, 0, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR, &value), "PSR",
	       NULL);
	expect(montecito_set_reg(m, 1, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR, value), "PSR",
	       NULL);
	expect(montecito_set_reg(m, 1, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_HALTED, 0),
	       "halted", NULL);
}

static void set_param(struct montecito *m, const char *param)
{
	struct montecito_param p = { 0 };
	const char *value = strchr(param, '=');

	if (!value || (size_t)(value - param) >= sizeof(p.name))
		fail(param, "no parameter");
	memcpy(p.name, param, value - param);
	p.value = strtoull(value + 1, NULL, 0);
	expect(montecito_param_set(m, &p), param, NULL);
}

/* The counts of both threads of @event, which may have the modifier :all. */
static void run(const char *path, char *const *params, int nr_params, const char *event,
		uint64_t count[THREADS])
{
	struct montecito_region region[MONTECITO_SYSTEM_REGIONS];
	const struct montecito_options mo = {
		.size = sizeof(mo),
		.cores = 1,
		.threads = THREADS,
		.timing = MONTECITO_TIMING_ON,
		.config = MONTECITO_SYSTEM_CONFIG,
		.regions = region,
		.nr_regions = montecito_system_regions(MEMORY, region),
	};
	const struct montecito_system_options so = { .size = sizeof(so), .budget = BUDGET };
	struct montecito_boot boot = { .size = sizeof(boot), .system = true };
	struct montecito_event_spec *spec = NULL;
	struct montecito_image *image = NULL;
	const char *what = path, *why = NULL;
	unsigned int v, counter[THREADS];
	struct montecito_system *s;
	enum montecito_end end;
	struct montecito *m;
	size_t nr = 0;
	char msg[512] = "";
	int i;

	expect(montecito_events_parse(event, &spec, &nr, msg), event, msg);
	expect(montecito_open(&mo, &m), "a machine", NULL);
	for (i = 0; i < nr_params; i++)
		set_param(m, params[i]);
	expect(montecito_system_open(m, &so, &s), "a system", NULL);
	expect(montecito_image_open(path, &image, &why), path, why);
	boot.image = image;
	expect(montecito_system_load(s, &boot, &what, &why), path, why);
	begin_too(m);
	for (v = 0; v < THREADS; v++)
		expect(montecito_strict_start(m, v, spec, nr, &counter[v], msg), event, msg);
	expect(montecito_system_run(s, &end), path, NULL);
	if (end != MONTECITO_END_POWEROFF)
		fail(path, "it has not powered off");
	for (v = 0; v < THREADS; v++)
		expect(montecito_strict_read(m, v, counter[v], &count[v]), event, NULL);
	montecito_system_close(s);
	montecito_image_close(image);
	montecito_close(m);
	montecito_events_free(spec, nr);
}

int main(int argc, char **argv)
{
	uint64_t own[THREADS], all[THREADS];
	char *params[8], with[256];
	int c, nr_params = 0, i;

	while ((c = getopt(argc, argv, "p:")) != -1) {
		if (c != 'p' || nr_params == 8)
			return 125;
		params[nr_params++] = optarg;
	}
	for (i = optind + 1; i < argc; i++) {
		snprintf(with, sizeof(with), "%s:all", argv[i]);
		run(argv[optind], params, nr_params, argv[i], own);
		run(argv[optind], params, nr_params, with, all);
		printf("%s %llu %llu %llu %llu\n", argv[i], (unsigned long long)own[0],
		       (unsigned long long)own[1], (unsigned long long)all[0],
		       (unsigned long long)all[1]);
	}
	return 0;
}
