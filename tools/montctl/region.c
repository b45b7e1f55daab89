// SPDX-License-Identifier: GPL-2.0-only
/* --time-from and --time-to: the part of a run that time is kept in. */
#include <inttypes.h>
#include <json-c/json.h>

#include "region.h"

int region_moment(const struct montecito_symbols *sym, const char *path, const char *option,
		  const char *text, struct montecito_moment *moment)
{
	uint64_t addr, end;
	int n;

	if (!text)
		return 0;
	moment->set = true;
	if (!parse_number(text, &moment->at))
		return 0;
	moment->function = true;
	if (!sym || !montecito_symbols_at(sym, 0, &addr, &end))
		return fail("%s %s: %s has no names of functions (it may be stripped): give a "
			    "number of instructions",
			    option, text, path);
	n = montecito_symbols_function(sym, text, &moment->at, &end);
	if (n == 1)
		return 0;
	return fail("%s %s: %s has %s function of that name", option, text, path,
		    n > 1 ? "more than one" : "no");
}

int region_find(const struct machine_args *args, const char *path,
		const struct montecito_symbols *sym, struct montecito_timed_region *r)
{
	int err;

	*r = (struct montecito_timed_region){
		.size = sizeof(*r),
		.change = args->region,
		.arg = args->region_arg,
	};
	err = region_moment(sym, path, "--time-from", args->time_from, &r->from);
	if (!err)
		err = region_moment(sym, path, "--time-to", args->time_to, &r->to);
	if (!err && r->from.set && r->to.set && !r->from.function && !r->to.function &&
	    r->to.at <= r->from.at)
		err = fail("--time-to %s: not behind --time-from %s", args->time_to,
			   args->time_from);
	return err;
}

struct region region_of(const struct machine_args *args)
{
	return (struct region){
		.given = args->time_from || args->time_to,
		.to_given = args->time_to,
	};
}

int region_reached(const struct machine_args *args, const struct region *r, const char *done)
{
	if (!args->time_from || r->begun)
		return 0;
	return fail("--time-from %s: not reached in %" PRIu64 " instructions, nothing was %s",
		    args->time_from, r->all, done);
}

struct json_object *region_json(const struct region *r)
{
	struct json_object *o;

	if (!r->given)
		return NULL;
	o = json_object_new_object();
	json_object_object_add(o, "from", json_object_new_uint64(r->from));
	json_object_object_add(o, "to", json_object_new_uint64(r->to));
	json_object_object_add(o, "of", json_object_new_uint64(r->all));
	json_object_object_add(o, "ended", json_object_new_boolean(r->ended));
	return o;
}

void region_text(const struct region *r, FILE *f)
{
	char buf[32];

	if (!r->given)
		return;
	fprintf(f, " the timed region alone: instructions %s to ", grouped(r->from, f, buf));
	fprintf(f, "%s of ", grouped(r->to, f, buf));
	fprintf(f, "%s%s\n", grouped(r->all, f, buf),
		r->to_given && !r->ended ? " (--time-to was not reached)" : "");
}
