/* SPDX-License-Identifier: GPL-2.0-only */
/* TAP lines for the tests here, and the machine that they test on. */
#ifndef SELFTESTS_MACHINE_TAP_H
#define SELFTESTS_MACHINE_TAP_H

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libmontecito.h"

static int tap_tests;
static int tap_failed;

/* One test; what @fmt says is its name. */
__attribute__((format(printf, 2, 3))) static inline bool ok(bool good, const char *fmt, ...)
{
	va_list ap;

	printf("%sok %d - ", good ? "" : "not ", ++tap_tests);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
	fflush(stdout);
	tap_failed += !good;
	return good;
}

/* A number that must be another one. */
static inline bool ok_eq(uint64_t have, uint64_t want, const char *name)
{
	bool good = ok(have == want, "%s", name);

	if (!good)
		printf("# %s: %#" PRIx64 ", expected %#" PRIx64 "\n", name, have, want);
	return good;
}

static inline int tap_done(void)
{
	printf("1..%d\n", tap_tests);
	return tap_failed ? 1 : 0;
}

/* True if all is to be run that make check samples: WHOLE is set, and not to nothing. */
static inline bool tap_whole(void)
{
	const char *whole = getenv("WHOLE");

	return whole && *whole;
}

/* Something the test itself needs did not work. */
__attribute__((format(printf, 2, 3), noreturn)) static inline void die(int err, const char *fmt,
								       ...)
{
	va_list ap;

	printf("Bail out! ");
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf(": %s\n", strerror(err < 0 ? -err : err));
	exit(1);
}

/* Device node, directory of guest programs and more programs, as given. */
static const char *tap_guests;
static const char *tap_device;
static char **tap_program;
static int tap_nr_programs;

static inline void tap_args(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--device") && i + 1 < argc) {
			tap_device = argv[++i];
		} else {
			tap_guests = argv[i];
			tap_program = argv + i + 1;
			tap_nr_programs = argc - i - 1;
			break;
		}
	}
	if (!tap_guests) {
		fprintf(stderr, "usage: %s [--device PATH] GUEST-DIRECTORY [PROGRAM...]\n",
			argv[0]);
		exit(2);
	}
}

static inline struct montecito *machine_open(uint32_t config, uint32_t timing)
{
	struct montecito_options opt = {
		.size = sizeof(opt),
		.device = tap_device,
		.cores = 1,
		.threads = 1,
		.config = config,
		.memory = MONTECITO_DEFAULT_MEMORY,
		.timing = timing,
	};
	struct montecito *m;
	int ret = montecito_open(&opt, &m);

	if (ret < 0)
		die(ret, "cannot open a machine");
	return m;
}

static inline struct montecito *machine_boot(const char *image, uint32_t config, uint32_t timing)
{
	struct montecito *m = machine_open(config, timing);
	const char *why = "";
	char path[4096];
	int ret;

	snprintf(path, sizeof(path), "%s/%s", tap_guests, image);
	ret = montecito_boot_load(m, path, 0, &why);
	if (ret < 0)
		die(ret, "cannot load %s: %s", path, why ? why : "");
	return m;
}

static inline uint64_t machine_reg(struct montecito *m, uint32_t class, uint32_t index)
{
	uint64_t value;
	int ret = montecito_get_reg(m, 0, class, index, &value);

	if (ret < 0)
		die(ret, "cannot read register %u of class %u", index, class);
	return value;
}

static inline uint64_t machine_hash(struct montecito *m)
{
	uint64_t hash;
	int ret = montecito_hash(m, &hash);

	if (ret < 0)
		die(ret, "no hash");
	return hash;
}

/* Run until @until instructions have retired since reset, in pieces of @slice. */
static inline void machine_run_to(struct montecito *m, uint64_t until, uint64_t slice)
{
	uint64_t now = machine_reg(m, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS);

	while (now < until) {
		struct montecito_run run;
		uint64_t budget = until - now;
		int ret;

		if (slice && budget > slice)
			budget = slice;
		ret = montecito_run(m, budget, 0, &run);
		if (ret < 0)
			die(ret, "run");
		if (run.exit.reason != MONTECITO_EXIT_BUDGET &&
		    run.exit.reason != MONTECITO_EXIT_SIGNAL)
			die(EIO, "run ended with reason %u at %#llx", run.exit.reason,
			    (unsigned long long)run.exit.ip);
		now += run.exit.insns;
	}
}

#endif
