// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters of threads that run one system's image at once, two on each core (manual table 3-6):
 *
 *	sums [-c CORES] [-p NAME=VALUE] IMAGE EVENT...
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
#define MOST 4

static unsigned int cores = 1, vcpus = THREADS;

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

/* The other threads begin where the first one does. */
static void begin_too(struct montecito *m)
{
	static const struct {
		unsigned int number;
		const char *name;
	} copied[] = { { MONTECITO_SPECIAL_IP, "IP" }, { MONTECITO_SPECIAL_PSR, "PSR" } };
	unsigned int v, i;
	uint64_t value;

	for (v = 1; v < vcpus; v++) {
		for (i = 0; i < sizeof(copied) / sizeof(copied[0]); i++) {
			expect(montecito_get_reg(m, 0, MONTECITO_REG_SPECIAL, copied[i].number,
						 &value),
			       copied[i].name, NULL);
			expect(montecito_set_reg(m, v, MONTECITO_REG_SPECIAL, copied[i].number,
						 value),
			       copied[i].name, NULL);
		}
		expect(montecito_set_reg(m, v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_HALTED, 0),
		       "halted", NULL);
	}
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

/* The counts of all threads of @event, which may have the modifier :all. */
static void run(const char *path, char *const *params, int nr_params, const char *event,
		uint64_t count[MOST])
{
	struct montecito_region region[MONTECITO_SYSTEM_REGIONS];
	const struct montecito_options mo = {
		.size = sizeof(mo),
		.cores = cores,
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
	unsigned int v, counter[MOST];
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
	for (v = 0; v < vcpus; v++)
		expect(montecito_strict_start(m, v, spec, nr, &counter[v], msg), event, msg);
	expect(montecito_system_run(s, &end), path, NULL);
	if (end != MONTECITO_END_POWEROFF)
		fail(path, "it has not powered off");
	for (v = 0; v < vcpus; v++)
		expect(montecito_strict_read(m, v, counter[v], &count[v]), event, NULL);
	montecito_system_close(s);
	montecito_image_close(image);
	montecito_close(m);
	montecito_events_free(spec, nr);
}

static void print_counts(const uint64_t count[MOST])
{
	unsigned int v;

	for (v = 0; v < vcpus; v++)
		printf(" %llu", (unsigned long long)count[v]);
}

int main(int argc, char **argv)
{
	uint64_t own[MOST], all[MOST];
	char *params[8], with[256];
	int c, nr_params = 0, i;

	while ((c = getopt(argc, argv, "c:p:")) != -1) {
		if (c == 'c') {
			cores = strtoul(optarg, NULL, 0);
			vcpus = cores * THREADS;
		} else if (c == 'p' && nr_params < 8) {
			params[nr_params++] = optarg;
		} else {
			return 125;
		}
	}
	if (!cores || vcpus > MOST)
		return 125;
	for (i = optind + 1; i < argc; i++) {
		snprintf(with, sizeof(with), "%s:all", argv[i]);
		run(argv[optind], params, nr_params, argv[i], own);
		run(argv[optind], params, nr_params, with, all);
		printf("%s", argv[i]);
		print_counts(own);
		print_counts(all);
		putchar('\n');
	}
	return 0;
}
