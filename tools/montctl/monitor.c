// SPDX-License-Identifier: GPL-2.0-only
/* montctl monitor: the netlink group "overflow", one line each notification. */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "montctl.h"

static const char help[] =
	"Usage: montctl monitor [-j] [-n COUNT]\n\n"
	"Print notifications of machines in the module as they come: PMU overflows handed\n"
	"to the host, and events that a guest programmed and the model does not count: such\n"
	"a counter stands still (montctl events says why), and who waits for it waits for\n"
	"ever.\n\n"
	"  -j         one JSON object a line\n"
	"  -n COUNT   end after so many\n";

static const struct option options[] = {
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static void print_event(const struct montecito_nl_event *ev, bool json)
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

int cmd_monitor(int argc, char **argv)
{
	struct montecito_nl_event ev;
	struct montecito_nl *nl;
	uint64_t count = 0, n = 0;
	bool json = false;
	int opt, err;

	while ((opt = getopt_long(argc, argv, "jn:h", options, NULL)) != -1) {
		switch (opt) {
		case 'h':
			fputs(help, stdout);
			return 0;
		case 'j':
			json = true;
			break;
		case 'n':
			if (parse_number(optarg, &count) || !count)
				return usage_error("monitor", "-n %s: not a number", optarg);
			break;
		default:
			return bad_option("monitor", argv);
		}
	}
	if (optind < argc)
		return usage_error("monitor", "%s: takes no argument", argv[optind]);
	err = montecito_nl_open(&nl);
	if (err)
		return fail("netlink family montecito: %s",
			    err == -ENOENT ? "the module is not loaded" : strerror(-err));
	err = montecito_nl_subscribe(nl);
	while (!err && (!count || n < count)) {
		err = montecito_nl_next(nl, &ev);
		if (err == -ENOBUFS) {
			fail("notifications came too fast; some are missing");
			err = 0;
		} else if (!err) {
			print_event(&ev, json);
			n++;
		}
	}
	montecito_nl_close(nl);
	return err ? fail("monitor: %s", strerror(-err)) : 0;
}
