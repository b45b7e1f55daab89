// SPDX-License-Identifier: GPL-2.0-only
/* montctl info: what the model can do, and which machines the module has. */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "breakdown.h"
#include "montctl.h"

static const char help[] =
	"Usage: montctl info [-j] [--cycles | --params] [--in-process | --device PATH]\n\n"
	"Show what the model can do, in the module or in this process, and the machines\n"
	"of the module that the caller may see.\n\n"
	"  -j        one JSON object\n"
	"  --cycles  where the cycles of vcpus with the timing model went, too\n"
	"  --params  the numbers that the model is made with instead, and their sources\n";

enum { OPT_IN = 0x100, OPT_DEV, OPT_PARAMS, OPT_CYCLES };

static const struct option options[] = {
	{ "in-process", no_argument, NULL, OPT_IN }, { "device", required_argument, NULL, OPT_DEV },
	{ "params", no_argument, NULL, OPT_PARAMS }, { "cycles", no_argument, NULL, OPT_CYCLES },
	{ "help", no_argument, NULL, 'h' },	     { 0 },
};

static const struct {
	uint64_t bit;
	const char *name;
} capabilities[] = {
	{ MONTECITO_CAP_FUNCTIONAL, "functional" },
	{ MONTECITO_CAP_TIMING, "timing" },
	{ MONTECITO_CAP_OBSERVERS, "observers" },
	{ MONTECITO_CAP_RING, "sampling ring" },
	{ MONTECITO_CAP_TABLE, "counts by instruction" },
	{ MONTECITO_CAP_PMU_SAMPLING, "PMU sampling" },
	{ MONTECITO_CAP_SNAPSHOT, "snapshots" },
	{ MONTECITO_CAP_REGIONS, "memory regions" },
	{ MONTECITO_CAP_MMIO, "MMIO" },
	{ MONTECITO_CAP_FIRMWARE, "firmware calls" },
	{ MONTECITO_CAP_SCOPE, "core and package scope" },
	{ MONTECITO_CAP_LATENCY, "latency filter" },
	{ MONTECITO_CAP_CALLCHAIN, "call chains" },
	{ MONTECITO_CAP_SAMPLE_PMDS, "PMDs in samples" },
	{ MONTECITO_CAP_PARAM_SET, "parameters" },
	{ MONTECITO_CAP_TRACE, "traces" },
	{ MONTECITO_CAP_PMU_KINDS, "other PMUs" },
};

#define NR_CAPABILITIES (sizeof(capabilities) / sizeof(capabilities[0]))

/* A process chooses its name; it may not reach the terminal as it is. */
static void info_print_name(const char *name)
{
	putchar('(');
	for (; *name; name++)
		putchar(*name >= ' ' && *name < 0x7f ? *name : '?');
	putchar(')');
}

static int info_text_machine(const struct montecito_nl_machine *m, void *arg)
{
	(void)arg;
	printf("machine %u: %u core%s of %u thread%s, %" PRIu64 " MB, uid %u, ", m->id, m->cores,
	       m->cores == 1 ? "" : "s", m->threads, m->threads == 1 ? "" : "s", m->memory >> 20,
	       m->uid);
	if (m->pid)
		printf("pid %u ", m->pid);
	info_print_name(m->name);
	printf("%s\n", m->running ? ", running" : "");
	return 0;
}

/* Destination of the lists. */
struct lists {
	struct montecito_nl *nl;
	struct json_object *vcpus;
	bool cycles;
};

/* Cycles that the timing model has kept: else all are functional. */
static bool info_timed(const struct breakdown *b)
{
	return b->sum.cycles != b->sum.halted + b->sum.functional;
}

static int info_text_vcpu(const struct montecito_nl_vcpu *v, void *arg)
{
	struct breakdown b = { 0 };
	struct lists *l = arg;
	int err;

	printf("machine %u vcpu %u: ip 0x%" PRIx64 ", %" PRIu64 " instructions%s%s%s\n", v->machine,
	       v->vcpu, v->ip, v->insns, v->halted ? ", halted" : "",
	       v->pmus[0] ? ", watched by " : "", v->pmus);
	if (!l->cycles)
		return 0;
	err = breakdown_read_nl(&b, l->nl, v->machine, v->vcpu);
	if (err == -ENOENT)
		return 0; /* gone since it was listed */
	if (!err && info_timed(&b))
		breakdown_text(&b, stdout);
	breakdown_free(&b);
	return err;
}

static int info_json_machine(const struct montecito_nl_machine *m, void *arg)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "machine", json_object_new_int64(m->id));
	json_object_object_add(o, "cores", json_object_new_int64(m->cores));
	json_object_object_add(o, "threads", json_object_new_int64(m->threads));
	json_object_object_add(o, "config", json_object_new_int64(m->config));
	json_object_object_add(o, "uid", json_object_new_int64(m->uid));
	json_object_object_add(o, "pid", json_object_new_int64(m->pid));
	json_object_object_add(o, "name", json_object_new_string(m->name));
	json_object_object_add(o, "memory", json_object_new_uint64(m->memory));
	json_object_object_add(o, "running", json_object_new_boolean(m->running));
	return json_object_array_add(arg, o) ? -ENOMEM : 0;
}

static int info_json_vcpu(const struct montecito_nl_vcpu *v, void *arg)
{
	struct json_object *o = json_object_new_object();
	struct breakdown b = { 0 };
	struct lists *l = arg;
	int err = 0;

	json_object_object_add(o, "machine", json_object_new_int64(v->machine));
	json_object_object_add(o, "vcpu", json_object_new_int64(v->vcpu));
	json_object_object_add(o, "ip", json_object_new_uint64(v->ip));
	json_object_object_add(o, "psr", json_object_new_uint64(v->psr));
	json_object_object_add(o, "instructions", json_object_new_uint64(v->insns));
	json_object_object_add(o, "cycles", json_object_new_uint64(v->cycles));
	json_object_object_add(o, "halted", json_object_new_boolean(v->halted));
	json_object_object_add(o, "observers", json_object_new_int64(v->observers));
	json_object_object_add(o, "pmus", json_object_new_string(v->pmus));
	if (l->cycles) {
		err = breakdown_read_nl(&b, l->nl, v->machine, v->vcpu);
		json_object_object_add(o, "breakdown",
				       !err && info_timed(&b) ? breakdown_json(&b) : NULL);
		breakdown_free(&b);
	}
	if (json_object_array_add(l->vcpus, o))
		return -ENOMEM;
	return err == -ENOENT ? 0 : err;
}

static int info_print_text(const char *where, const struct montecito_info *info, struct lists *l)
{
	struct montecito_nl *nl = l->nl;
	const char *sep = " ";
	size_t i;
	int err = 0;

	printf("%s: %s, up to %u cores of %u threads\n", where, info->model, info->max_cores,
	       info->max_threads);
	printf("can do:");
	for (i = 0; i < NR_CAPABILITIES; i++) {
		if (!(info->capabilities & capabilities[i].bit))
			continue;
		printf("%s%s", sep, capabilities[i].name);
		sep = ", ";
	}
	printf("\nmemory: %" PRIu64 " to %" PRIu64 " MB\n", (uint64_t)info->min_memory >> 20,
	       (uint64_t)info->max_memory >> 20);
	printf("observers of a vcpu: %u, %u of them with a period\n", info->max_vcpu_observers,
	       info->max_vcpu_samplers);
	printf("the timing model: %" PRIu64 " bytes for a core, %" PRIu64 " for its machine\n",
	       (uint64_t)info->timed_core, (uint64_t)info->timed_package);
	if (nl)
		err = montecito_nl_machines(nl, info_text_machine, NULL);
	if (nl && !err)
		err = montecito_nl_vcpus(nl, info_text_vcpu, l);
	return err;
}

static int info_print_json(const char *where, const struct montecito_info *info, struct lists *l)
{
	struct montecito_nl *nl = l->nl;
	struct json_object *o = json_object_new_object(), *caps = json_object_new_array();
	struct json_object *machines = json_object_new_array();
	size_t i;
	int err = 0;

	for (i = 0; i < NR_CAPABILITIES; i++)
		if (info->capabilities & capabilities[i].bit)
			json_object_array_add(caps, json_object_new_string(capabilities[i].name));
	l->vcpus = json_object_new_array();
	if (nl)
		err = montecito_nl_machines(nl, info_json_machine, machines);
	if (nl && !err)
		err = montecito_nl_vcpus(nl, info_json_vcpu, l);
	json_object_object_add(o, "where", json_object_new_string(where));
	json_object_object_add(o, "model", json_object_new_string(info->model));
	json_object_object_add(o, "max_cores", json_object_new_int64(info->max_cores));
	json_object_object_add(o, "max_threads", json_object_new_int64(info->max_threads));
	json_object_object_add(o, "min_memory", json_object_new_uint64(info->min_memory));
	json_object_object_add(o, "max_memory", json_object_new_uint64(info->max_memory));
	json_object_object_add(o, "max_vcpu_observers",
			       json_object_new_int64(info->max_vcpu_observers));
	json_object_object_add(o, "max_vcpu_samplers",
			       json_object_new_int64(info->max_vcpu_samplers));
	json_object_object_add(o, "timed_core_bytes", json_object_new_uint64(info->timed_core));
	json_object_object_add(o, "timed_package_bytes",
			       json_object_new_uint64(info->timed_package));
	json_object_object_add(o, "capabilities", caps);
	json_object_object_add(o, "machines", machines);
	json_object_object_add(o, "vcpus", l->vcpus);
	print_object(stdout, o);
	return err;
}

static struct json_object *info_param_json(const struct montecito_param *p)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "name", json_object_new_string(p->name));
	json_object_object_add(o, "value", json_object_new_uint64(p->value));
	json_object_object_add(o, "unit", json_object_new_string(p->unit));
	json_object_object_add(o, "settable",
			       json_object_new_boolean(!(p->flags & MONTECITO_PARAM_FIXED)));
	json_object_object_add(o, "least", p->most ? json_object_new_uint64(p->least) : NULL);
	json_object_object_add(o, "most", p->most ? json_object_new_uint64(p->most) : NULL);
	json_object_object_add(o, "source", json_object_new_string(p->source));
	return o;
}

static void info_print_param(const struct montecito_param *p)
{
	char range[48] = "fixed";

	if (!(p->flags & MONTECITO_PARAM_FIXED))
		snprintf(range, sizeof(range), "%" PRIu64 "-%" PRIu64, (uint64_t)p->least,
			 (uint64_t)p->most);
	printf("%-24s %12" PRIu64 " %-10s %-9s %s\n", p->name, (uint64_t)p->value, p->unit, range,
	       p->source);
}

/* Print the parameters of a machine that is as small as one can be. */
static int info_print_params(const char *device, const struct montecito_info *info, bool json)
{
	struct montecito_options opt = {
		.size = sizeof(opt),
		.device = device,
		.cores = 1,
		.threads = 1,
		.memory = info->min_memory,
	};
	struct json_object *top = json_object_new_object(), *list = json_object_new_array();
	struct montecito_param p = { .index = 0 };
	struct montecito *m;
	int err;

	json_object_object_add(top, "params", list);
	err = montecito_open(&opt, &m);
	if (err)
		goto out;
	for (;; p.index++) {
		p.flags = MONTECITO_PARAM_BY_INDEX;
		err = montecito_param_get(m, &p);
		if (err)
			break;
		if (json)
			json_object_array_add(list, info_param_json(&p));
		else
			info_print_param(&p);
	}
	montecito_close(m);
	/* There are no more. */
	if (err == -ENOENT)
		err = 0;
out:
	if (json && !err)
		print_object(stdout, top); /* and it is gone */
	else
		json_object_put(top);
	return err;
}

int cmd_info(int argc, char **argv)
{
	const char *device = MONTECITO_DEFAULT_DEVICE;
	struct lists lists = { 0 };
	bool json = false, given = false, params = false;
	struct montecito_info info;
	struct stat st;
	int opt, err;

	while ((opt = getopt_long(argc, argv, ":jh", options, NULL)) != -1) {
		switch (opt) {
		case 'h':
			fputs(help, stdout);
			return 0;
		case 'j':
			json = true;
			break;
		case OPT_IN:
		case OPT_DEV:
			if (given)
				return usage_error("info", "give one of --in-process and --device");
			device = opt == OPT_DEV ? optarg : NULL;
			given = true;
			break;
		case OPT_PARAMS:
			params = true;
			break;
		case OPT_CYCLES:
			lists.cycles = true;
			break;
		default:
			return bad_option("info", argv, opt, options);
		}
	}
	if (optind < argc)
		return usage_error("info", "%s: takes no argument", argv[optind]);
	if (params && lists.cycles)
		return usage_error("info", "give one of --cycles and --params");
	if (!given && stat(device, &st))
		device = NULL;
	err = montecito_info(device, &info);
	if (err)
		return device_error(device ? device : "in-process", err);
	if (params) {
		err = info_print_params(device, &info, json);
		return err ? fail("info: %s", strerror(-err)) : 0;
	}
	/* Without the module there are no machines to list. */
	if (device) {
		err = montecito_nl_open(&lists.nl);
		if (err)
			return fail("netlink family montecito: %s", strerror(-err));
	}
	err = (json ? info_print_json : info_print_text)(device ? device : "in-process", &info,
							 &lists);
	if (err)
		fail("info: %s", nl_error(lists.nl, err));
	montecito_nl_close(lists.nl);
	return err ? EXIT_MONTCTL : 0;
}
