// SPDX-License-Identifier: GPL-2.0-only
/*
 * montctl pmc, montctl pmd: PMU registers of a machine that runs. Read over
 * netlink; written by the machine's descriptor, which its process lends, or over
 * netlink with CAP_SYS_ADMIN.
 */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "montctl.h"

static const char help[] =
	"Usage: montctl %s get [-j] {MACHINE | -p PID} VCPU [INDEX...]\n"
	"       montctl %s set {MACHINE | -p PID} VCPU INDEX VALUE\n\n"
	"Read or write a %s of a machine in the module; get without INDEX reads all. Fields\n"
	"are shown by their names in the manual. montctl info lists the machines. A write is\n"
	"that of a mov at privilege level 0, with its masks. To read other people's machines\n"
	"needs CAP_PERFMON; to write, the right to trace the machine's process, or\n"
	"CAP_SYS_ADMIN.\n\n"
	"  -j       one JSON object\n"
	"  -p PID   the machine of that process, if it has just one\n";

static const struct option options[] = {
	{ "help", no_argument, NULL, 'h' },
	{ "pid", required_argument, NULL, 'p' },
	{ 0 },
};

#define MAX_NUMBERS 128

/* The numbers behind the verb, from the @from-th on; registers only, if it reads. */
static int pmc_numbers(const char *command, char **argv, uint64_t *value, int n, int from,
		       bool reads)
{
	static const char *const names[] = { "MACHINE", "VCPU", "INDEX", "VALUE" };
	int i;

	for (i = from; i < n; i++)
		if (parse_number(argv[i - from], &value[i]) ||
		    ((reads || i < 3) && value[i] > INT32_MAX))
			return usage_error(command, "%s %s: not a number",
					   names[reads && i > 2 ? 2 : i], argv[i - from]);
	return 0;
}

/* The event that a counter configuration names, or NULL. */
static const char *pmc_event(bool pmc, unsigned int reg, uint64_t value)
{
	return pmc && reg >= 4 && reg <= 15
		       ? montecito_event_name(value >> 8 & 0xff, value >> 16 & 0xf)
		       : NULL;
}

static void pmc_print_fields(bool pmc, unsigned int reg, uint64_t value)
{
	const char *name = pmc_event(pmc, reg, value);
	const struct montecito_field *f;
	char bits[16];
	size_t i;

	for (i = 0; (f = montecito_field_get(pmc, reg, i)); i++) {
		snprintf(bits, sizeof(bits), f->high == f->low ? "%u" : "%u:%u", f->high, f->low);
		printf("  %-24s %-6s 0x%" PRIx64 "\n", f->name, bits,
		       montecito_field_value(f, value));
	}
	if (name)
		printf("  %-24s %-6s %s\n", "event", "", name);
}

static void pmc_add_value(struct json_object *o, bool pmc, unsigned int reg, uint64_t value)
{
	struct json_object *fields = json_object_new_array();
	const char *name = pmc_event(pmc, reg, value);
	const struct montecito_field *f;
	size_t i;

	json_object_object_add(o, "index", json_object_new_int64(reg));
	json_object_object_add(o, "value", json_object_new_uint64(value));
	for (i = 0; (f = montecito_field_get(pmc, reg, i)); i++) {
		struct json_object *x = json_object_new_object();

		json_object_object_add(x, "name", json_object_new_string(f->name));
		json_object_object_add(x, "high", json_object_new_int(f->high));
		json_object_object_add(x, "low", json_object_new_int(f->low));
		json_object_object_add(x, "value",
				       json_object_new_uint64(montecito_field_value(f, value)));
		json_object_array_add(fields, x);
	}
	json_object_object_add(o, "fields", fields);
	if (name)
		json_object_object_add(o, "event", json_object_new_string(name));
}

/* Registers @index, or all; with one alone its value is the first line. */
static int pmc_get(struct montecito_nl *nl, bool pmc, const uint64_t *where, const uint64_t *index,
		   size_t nr, bool json)
{
	struct json_object *top = json_object_new_object(), *list = NULL, *o;
	int reg = -1, err = 0;
	uint64_t value;
	size_t i;

	json_object_object_add(top, "machine", json_object_new_int64(where[0]));
	json_object_object_add(top, "vcpu", json_object_new_int64(where[1]));
	json_object_object_add(top, "register", json_object_new_string(pmc ? "pmc" : "pmd"));
	if (nr != 1) {
		list = json_object_new_array();
		json_object_object_add(top, "registers", list);
	}
	for (i = 0; !err; i++) {
		reg = nr && i < nr ? (int)index[i] : nr ? -1 : montecito_register_next(pmc, reg);
		if (reg < 0)
			break;
		err = montecito_nl_reg_get(nl, pmc, where[0], where[1], reg, &value);
		if (err)
			break;
		if (json) {
			o = list ? json_object_new_object() : top;
			pmc_add_value(o, pmc, reg, value);
			if (list)
				json_object_array_add(list, o);
			continue;
		}
		if (nr != 1)
			printf("%s%d ", pmc ? "PMC" : "PMD", reg);
		printf("0x%016" PRIx64 "\n", value);
		pmc_print_fields(pmc, reg, value);
	}
	if (json && !err)
		print_object(stdout, top);
	else
		json_object_put(top);
	return err;
}

/* The one machine of a process, or the process of a machine. */
struct owner {
	uint32_t pid;
	uint32_t machine;
	unsigned int found;
};

static int pmc_find_owner(const struct montecito_nl_machine *m, void *arg)
{
	struct owner *o = arg;

	if (o->pid ? m->pid != o->pid : m->id != o->machine)
		return 0;
	o->found++;
	if (o->pid)
		o->machine = m->id;
	return 0;
}

int machine_of_pid(struct montecito_nl *nl, uint64_t pid, uint64_t *machine)
{
	struct owner o = { .pid = pid };
	int err = montecito_nl_machines(nl, pmc_find_owner, &o);

	if (err)
		return fail("list of machines: %s", strerror(-err));
	if (o.found != 1)
		return fail("process %" PRIu64 " has %s machine that can be seen: see montctl info",
			    pid, o.found ? "more than one" : "no");
	*machine = o.machine;
	return 0;
}

static int pmc_find_pid(const struct montecito_nl_machine *m, void *arg)
{
	struct owner *o = arg;

	if (m->id == o->machine)
		o->pid = m->pid;
	return 0;
}

/*
 * By the descriptor of the machine's process. -EPERM: that may not be had, which
 * netlink may know better.
 */
static int pmc_set_attached(struct montecito_nl *nl, bool pmc, const uint64_t *num)
{
	struct owner o = { .machine = num[0] };
	int err = montecito_nl_machines(nl, pmc_find_pid, &o), fd;

	if (err)
		return err;
	fd = o.pid ? montecito_attach(o.pid, &o.machine) : -EPERM;
	if (fd < 0)
		return -EPERM;
	err = montecito_attached_reg_set(fd, pmc, num[1], num[2], num[3]);
	close(fd);
	return err;
}

static int pmc_command(const char *name, bool pmc, int argc, char **argv)
{
	const char *verb, *reg = pmc ? "PMC" : "PMD";
	struct montecito_nl *nl = NULL;
	uint64_t num[MAX_NUMBERS], pid = 0;
	bool json = false, reads;
	int opt, n, given, err;

	while ((opt = getopt_long(argc, argv, ":jp:h", options, NULL)) != -1) {
		switch (opt) {
		case 'h':
			printf(help, name, name, reg);
			return 0;
		case 'j':
			json = true;
			break;
		case 'p':
			if (parse_number(optarg, &pid) || !pid || pid > INT32_MAX)
				return usage_error(name, "-p %s: not a process", optarg);
			break;
		default:
			return bad_option(name, argv, opt, options);
		}
	}
	verb = optind < argc ? argv[optind++] : "";
	reads = !strcmp(verb, "get");
	if (!reads && strcmp(verb, "set"))
		return usage_error(name, "%s: give get or set", verb);
	given = pid != 0; /* which stands for MACHINE */
	n = argc - optind + given;
	if (n < 2 || n > MAX_NUMBERS || (!reads && n != 4))
		return usage_error(name, "%s takes %sVCPU %s", verb, given ? "" : "MACHINE ",
				   reads ? "and registers" : "INDEX VALUE");
	err = pmc_numbers(name, argv + optind, num, n, given, reads);
	if (err)
		return err;
	err = montecito_nl_open(&nl);
	if (err)
		return fail("netlink family montecito: %s",
			    err == -ENOENT ? "the module is not loaded" : strerror(-err));
	if (pid) {
		err = machine_of_pid(nl, pid, &num[0]);
		if (err)
			goto out;
	}
	if (reads) {
		err = pmc_get(nl, pmc, num, num + 2, n - 2, json);
	} else {
		err = pmc_set_attached(nl, pmc, num);
		if (err == -EPERM)
			err = montecito_nl_reg_set(nl, pmc, num[0], num[1], num[2], num[3]);
	}
	if (err == -EINVAL && !*montecito_nl_message(nl))
		fail("%s %s: the machine has no such vcpu or register, or it cannot hold this value",
		     name, verb);
	else if (err)
		fail("%s %s: %s", name, verb, nl_error(nl, err));
out:
	montecito_nl_close(nl);
	return err ? EXIT_MONTCTL : 0;
}

int cmd_pmc(int argc, char **argv)
{
	return pmc_command("pmc", true, argc, argv);
}

int cmd_pmd(int argc, char **argv)
{
	return pmc_command("pmd", false, argc, argv);
}
