// SPDX-License-Identifier: GPL-2.0-only
/* montctl pmc, montctl pmd: PMU registers of a machine that runs, by netlink. */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "montctl.h"

static const char help[] =
	"Usage: montctl %s get [-j] MACHINE VCPU INDEX\n"
	"       montctl %s set MACHINE VCPU INDEX VALUE\n\n"
	"Read or write a %s of a machine in the module, over generic netlink. montctl info\n"
	"lists the machines. A write is that of a mov at privilege level 0, with its masks.\n"
	"Other people's machines need CAP_PERFMON.\n\n"
	"  -j   one JSON object\n";

static const struct option options[] = {
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

/* The numbers behind the verb, each with its name for messages. */
static int numbers(const char *command, char **argv, uint64_t *value, int n)
{
	static const char *const names[] = { "MACHINE", "VCPU", "INDEX", "VALUE" };
	int i;

	for (i = 0; i < n; i++)
		if (parse_number(argv[i], &value[i]) || (i < 3 && value[i] > UINT32_MAX))
			return usage_error(command, "%s %s: not a number", names[i], argv[i]);
	return 0;
}

static void print_value(bool json, const char *name, const uint64_t *where, uint64_t value)
{
	struct json_object *o;

	if (!json) {
		printf("0x%016" PRIx64 "\n", value);
		return;
	}
	o = json_object_new_object();
	json_object_object_add(o, "machine", json_object_new_int64(where[0]));
	json_object_object_add(o, "vcpu", json_object_new_int64(where[1]));
	json_object_object_add(o, "register", json_object_new_string(name));
	json_object_object_add(o, "index", json_object_new_int64(where[2]));
	json_object_object_add(o, "value", json_object_new_uint64(value));
	print_object(stdout, o);
}

static int command(const char *name, bool pmc, int argc, char **argv)
{
	const char *verb, *reg = pmc ? "PMC" : "PMD";
	struct montecito_nl *nl = NULL;
	uint64_t num[4], value;
	bool json = false, get;
	int opt, n, err;

	while ((opt = getopt_long(argc, argv, "jh", options, NULL)) != -1) {
		switch (opt) {
		case 'h':
			printf(help, name, name, reg);
			return 0;
		case 'j':
			json = true;
			break;
		default:
			return bad_option(name, argv);
		}
	}
	verb = optind < argc ? argv[optind++] : "";
	get = !strcmp(verb, "get");
	if (!get && strcmp(verb, "set"))
		return usage_error(name, "%s: give get or set", verb);
	n = get ? 3 : 4;
	if (argc - optind != n)
		return usage_error(name, "%s takes MACHINE VCPU INDEX%s", verb,
				   get ? "" : " VALUE");
	err = numbers(name, argv + optind, num, n);
	if (err)
		return err;
	err = montecito_nl_open(&nl);
	if (err)
		return fail("netlink family montecito: %s",
			    err == -ENOENT ? "the module is not loaded" : strerror(-err));
	if (get)
		err = montecito_nl_reg_get(nl, pmc, num[0], num[1], num[2], &value);
	else
		err = montecito_nl_reg_set(nl, pmc, num[0], num[1], num[2], num[3]);
	if (err)
		fail("%s %s: %s%s%s", name, verb, strerror(-err),
		     *montecito_nl_message(nl) ? ": " : "", montecito_nl_message(nl));
	else if (get)
		print_value(json, name, num, value);
	montecito_nl_close(nl);
	return err ? EXIT_MONTCTL : 0;
}

int cmd_pmc(int argc, char **argv)
{
	return command("pmc", true, argc, argv);
}

int cmd_pmd(int argc, char **argv)
{
	return command("pmd", false, argc, argv);
}
