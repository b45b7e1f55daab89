// SPDX-License-Identifier: GPL-2.0-only
/* montctl pal: firmware procedures, as an operating system would call them. */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "montctl.h"

#define PAL_PERF_MON_INFO 15
#define PM_BUFFER 0x10000 /* physical; 128 bytes of masks */
#define WORDS 4

static const char help[] =
	"Usage: montctl pal perf-mon-info [OPTION...]\n"
	"       montctl pal call [OPTION...] INDEX [ARG1 [ARG2 [ARG3]]]\n\n"
	"Call a PAL procedure on vcpu 0 of a fresh machine: PAL_PERF_MON_INFO, its answer\n"
	"decoded, or any procedure with a static register interface.\n\n"
	"  --machine ID[:VCPU]  perf-mon-info of a machine in the module, over generic\n"
	"                     netlink (montctl info lists them)\n"
	"  -j                 one JSON object on one line\n"
	"  --as-printed       answer as the manual prints it (4 pairs) instead of as built\n" MACHINE_HELP;

enum { OPT_AS_PRINTED = OPT_COMMAND, OPT_MACHINE };

static const struct option options[] = {
	MACHINE_OPTIONS,
	{ "machine", required_argument, NULL, OPT_MACHINE },
	{ "as-printed", no_argument, NULL, OPT_AS_PRINTED },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static const char *const mask_names[] = { "pmc", "pmd", "cycles", "retired" };

/* Numbers of the registers whose bit is set. */
static struct json_object *pal_mask_json(const uint64_t *mask)
{
	struct json_object *a = json_object_new_array();
	int i;

	for (i = 0; i < 64 * WORDS; i++)
		if (mask[i / 64] >> (i % 64) & 1)
			json_object_array_add(a, json_object_new_int(i));
	return a;
}

static void pal_print_mask(const char *name, const uint64_t *mask)
{
	int i, j;

	printf("%-8s", name);
	for (i = 0; i < 64 * WORDS; i = j + 1) {
		for (; i < 64 * WORDS && !(mask[i / 64] >> (i % 64) & 1); i++)
			;
		if (i == 64 * WORDS)
			break;
		for (j = i + 1; j < 64 * WORDS && mask[j / 64] >> (j % 64) & 1; j++)
			;
		if (j == i + 1)
			printf(" %d", i);
		else
			printf(" %d-%d", i, j - 1);
	}
	putchar('\n');
}

static void pal_print_info(uint64_t info, const uint64_t mask[4 * WORDS], bool json)
{
	struct json_object *o;
	unsigned int i;

	if (!json) {
		printf("PAL_PERF_MON_INFO: %u counters of %u bits, cycles as event 0x%02x, ",
		       (unsigned int)(info & 0xff), (unsigned int)(info >> 8 & 0xff),
		       (unsigned int)(info >> 16 & 0xff));
		printf("retired as event 0x%02x\n", (unsigned int)(info >> 24 & 0xff));
		for (i = 0; i < 4; i++)
			pal_print_mask(mask_names[i], mask + WORDS * i);
		return;
	}
	o = json_object_new_object();
	json_object_object_add(o, "status", json_object_new_int64(0));
	json_object_object_add(o, "generic", json_object_new_int(info & 0xff));
	json_object_object_add(o, "width", json_object_new_int(info >> 8 & 0xff));
	json_object_object_add(o, "cycles_event", json_object_new_int(info >> 16 & 0xff));
	json_object_object_add(o, "retired_event", json_object_new_int(info >> 24 & 0xff));
	for (i = 0; i < 4; i++)
		json_object_object_add(o, mask_names[i], pal_mask_json(mask + WORDS * i));
	print_object(stdout, o);
}

static int pal_perf_mon_info(struct montecito *m, bool json)
{
	const uint64_t arg[4] = { PAL_PERF_MON_INFO, PM_BUFFER };
	uint64_t ret[4], size, mask[4 * WORDS];
	const char *mem = montecito_memory(m, &size);
	int err;

	err = montecito_pal(m, 0, arg, ret);
	if (err)
		return fail("pal: %s", strerror(-err));
	if (ret[0])
		return fail("PAL_PERF_MON_INFO: status %" PRId64, (int64_t)ret[0]);
	memcpy(mask, mem + PM_BUFFER, sizeof(mask));
	pal_print_info(ret[1], mask, json);
	return 0;
}

/* Print the answer of a machine that another process has made. */
static int pal_perf_mon_info_of(const char *where, bool json)
{
	uint64_t info, mask[4 * WORDS];
	unsigned int machine, vcpu = 0;
	struct montecito_nl *nl;
	int64_t status;
	int err, end = 0;

	if (sscanf(where, "%u%n:%u%n", &machine, &end, &vcpu, &end) < 1 || where[end])
		return usage_error("pal", "--machine %s: not ID or ID:VCPU", where);
	err = montecito_nl_open(&nl);
	if (err)
		return fail("netlink family montecito: %s",
			    err == -ENOENT ? "the module is not loaded" : strerror(-err));
	err = montecito_nl_perf_mon_info(nl, machine, vcpu, &status, &info, mask);
	if (err)
		fail("pal: %s", nl_error(nl, err));
	else if (status)
		err = fail("PAL_PERF_MON_INFO: status %" PRId64, status);
	else
		pal_print_info(info, mask, json);
	montecito_nl_close(nl);
	return err ? EXIT_MONTCTL : 0;
}

static int pal_call(struct montecito *m, int argc, char **argv, bool json)
{
	uint64_t arg[4] = { 0 }, ret[4];
	struct json_object *o, *a;
	int i, err;

	if (argc < 1 || argc > 4)
		return usage_error("pal", "call: give INDEX and up to three arguments");
	for (i = 0; i < argc; i++)
		if (parse_number(argv[i], &arg[i]))
			return usage_error("pal", "call: %s: not a number", argv[i]);
	err = montecito_pal(m, 0, arg, ret);
	if (err)
		return fail("pal: %s", strerror(-err));
	if (!json) {
		printf("status %" PRId64 "\n", (int64_t)ret[0]);
		for (i = 1; i < 4; i++)
			printf("r%d     0x%016" PRIx64 "\n", 8 + i, ret[i]);
		return 0;
	}
	o = json_object_new_object();
	a = json_object_new_array();
	json_object_object_add(o, "status", json_object_new_int64(ret[0]));
	for (i = 1; i < 4; i++)
		json_object_array_add(a, json_object_new_uint64(ret[i]));
	json_object_object_add(o, "results", a);
	print_object(stdout, o);
	return 0;
}

int cmd_pal(int argc, char **argv)
{
	struct montecito *m = NULL;
	struct machine_args args;
	bool json = false;
	uint32_t config = 0;
	const char *verb, *where = NULL;
	int opt, err;

	machine_args_init(&args);
	while ((opt = getopt_long(argc, argv, ":jh", options, NULL)) != -1) {
		switch (opt) {
		case 'h':
			fputs(help, stdout);
			return 0;
		case 'j':
			json = true;
			break;
		case OPT_MACHINE:
			where = optarg;
			break;
		case OPT_AS_PRINTED:
			config |= MONTECITO_CFG_PAL_AS_PRINTED;
			break;
		default:
			err = machine_option(&args, "pal", opt);
			if (err)
				return err < 0 ? bad_option("pal", argv, opt, options) : err;
		}
	}
	verb = optind < argc ? argv[optind++] : "";
	if (strcmp(verb, "perf-mon-info") && strcmp(verb, "call"))
		return usage_error("pal", "%s: give perf-mon-info or call", verb);
	if (!strcmp(verb, "perf-mon-info") && optind < argc)
		return usage_error("pal", "%s: perf-mon-info takes no argument", argv[optind]);
	if (where && *verb != 'p')
		return usage_error("pal", "--machine goes with perf-mon-info");
	if (where)
		return pal_perf_mon_info_of(where, json);
	err = machine_open(&args, config, &m);
	if (err)
		return err;
	err = *verb == 'p' ? pal_perf_mon_info(m, json)
			   : pal_call(m, argc - optind, argv + optind, json);
	montecito_close(m);
	machine_args_free(&args);
	return err;
}
