// SPDX-License-Identifier: GPL-2.0-only
/* montctl monitor: the netlink group "overflow", one line each notification. */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "montctl.h"

static const char help[] =
	"Usage: montctl monitor [-j] [-n COUNT] [-p PID | MACHINE]\n\n"
	"Print notifications of machines in the module as they come: PMU overflows handed\n"
	"to the host, and events that a guest programmed and the model does not count: such\n"
	"a counter stands still (montctl events says why), and who waits for it waits for\n"
	"ever. Of all machines, or of one: by its number (montctl info) or its process.\n\n"
	"  -j         one JSON object a line\n"
	"  -n COUNT   end after so many\n"
	"  -p PID     of the machine of this process alone\n";

static const struct option options[] = {
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static void monitor_print_event(const struct montecito_nl_event *ev, bool json)
{
	const char *what = ev->overflow ? "overflow" : "uncounted";
	struct json_object *o;

	if (!json) {
		printf("machine %u vcpu %u: %s %s 0x%" PRIx64 " after %" PRIu64 " instructions",
		       ev->machine, ev->vcpu, what, ev->overflow ? "PMC0" : "PMC mask", ev->mask,
		       ev->insns);
		if (ev->suppressed)
			printf(" (%u withheld before)", ev->suppressed);
		putchar('\n');
		fflush(stdout);
		return;
	}
	o = json_object_new_object();
	json_object_object_add(o, "notification", json_object_new_string(what));
	json_object_object_add(o, "machine", json_object_new_int64(ev->machine));
	json_object_object_add(o, "vcpu", json_object_new_int64(ev->vcpu));
	json_object_object_add(o, ev->overflow ? "pmc0" : "pmcs", json_object_new_uint64(ev->mask));
	json_object_object_add(o, "instructions", json_object_new_uint64(ev->insns));
	json_object_object_add(o, "cycles", json_object_new_uint64(ev->cycles));
	json_object_object_add(o, "suppressed", json_object_new_int64(ev->suppressed));
	print_object(stdout, o);
}

/**
 * struct monitor - what to print
 * @json: -j
 * @count: -n; 0 for no end
 * @one: of one machine alone
 * @machine: which
 */
struct monitor {
	bool json;
	uint64_t count;
	bool one;
	uint64_t machine;
};

static int monitor_listen(struct montecito_nl *nl, const struct monitor *o)
{
	struct montecito_nl_event ev = { .size = sizeof(ev) };
	uint64_t n = 0;
	int err = 0;

	while (!err && (!o->count || n < o->count)) {
		err = montecito_nl_next(nl, &ev);
		if (err == -ENOBUFS) {
			fail("notifications came too fast; some are missing");
			err = 0;
		} else if (!err && (!o->one || ev.machine == o->machine)) {
			monitor_print_event(&ev, o->json);
			n++;
		}
	}
	return err ? fail("monitor: %s", strerror(-err)) : 0;
}

int cmd_monitor(int argc, char **argv)
{
	struct monitor o = { 0 };
	struct montecito_nl *nl;
	uint64_t pid = 0;
	int opt, err;

	while ((opt = getopt_long(argc, argv, ":jn:p:h", options, NULL)) != -1) {
		switch (opt) {
		case 'h':
			fputs(help, stdout);
			return 0;
		case 'j':
			o.json = true;
			break;
		case 'n':
			if (parse_number(optarg, &o.count) || !o.count)
				return usage_error("monitor", "-n %s: not a number", optarg);
			break;
		case 'p':
			if (parse_number(optarg, &pid) || !pid || pid > INT32_MAX)
				return usage_error("monitor", "-p %s: not a process", optarg);
			break;
		default:
			return bad_option("monitor", argv, opt, options);
		}
	}
	o.one = pid || optind < argc;
	if (optind < argc && parse_number(argv[optind], &o.machine))
		return usage_error("monitor", "%s: not a machine", argv[optind]);
	if (argc - optind + !!pid > 1)
		return usage_error("monitor", "give one machine or process");
	err = montecito_nl_open(&nl);
	if (err)
		return fail("netlink family montecito: %s",
			    err == -ENOENT ? "the module is not loaded" : strerror(-err));
	err = pid ? machine_of_pid(nl, pid, &o.machine) : 0;
	if (!err) {
		err = montecito_nl_subscribe(nl);
		err = err ? fail("monitor: %s", strerror(-err)) : monitor_listen(nl, &o);
	}
	montecito_nl_close(nl);
	return err;
}
