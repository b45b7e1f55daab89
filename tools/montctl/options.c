// SPDX-License-Identifier: GPL-2.0-only
/* Options that several commands share, and what they come to. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "montctl.h"
#include "region.h"

/* Page sizes of the processor that Linux/ia64 can use. */
static const struct {
	uint64_t bytes;
	unsigned int shift;
} page_sizes[] = {
	{ 4096, 12 },
	{ 8192, 13 },
	{ 16384, 14 },
	{ 65536, 16 },
};

void machine_args_init(struct machine_args *args)
{
	memset(args, 0, sizeof(*args));
	args->timing = -1;
	args->cores = 1;
	args->threads = 1;
	args->memory = MONTECITO_DEFAULT_MEMORY;
	args->page_shift = 14;
}

void machine_args_free(struct machine_args *args)
{
	free(args->env);
	free(args->argv);
	free(args->param);
}

int parse_number(const char *s, uint64_t *value)
{
	char *end;

	if (!isdigit((unsigned char)*s))
		return -EINVAL;
	errno = 0;
	*value = strtoull(s, &end, 0);
	return errno || *end ? -EINVAL : 0;
}

static int options_parse_size(const char *s, uint64_t *value)
{
	unsigned int shift = 0;
	char *end;

	if (!isdigit((unsigned char)*s))
		return -EINVAL;
	errno = 0;
	*value = strtoull(s, &end, 0);
	switch (tolower((unsigned char)*end)) {
	case 'g':
		shift = 30;
		break;
	case 'm':
		shift = 20;
		break;
	case 'k':
		shift = 10;
		break;
	}
	if (shift)
		end++;
	if (errno || *end || *value > UINT64_MAX >> shift)
		return -EINVAL;
	*value <<= shift;
	return 0;
}

static int options_add_param(struct machine_args *args, const char *command, char *text)
{
	const char *value = strchr(text, '=');
	uint64_t v;
	char **p;

	if (!value || value == text || value - text >= MONTECITO_NAME_LEN ||
	    parse_number(value + 1, &v))
		return usage_error(command, "--param %s: must be NAME=VALUE", text);
	p = realloc(args->param, (args->nr_param + 1) * sizeof(*p));
	if (!p)
		return fail("out of memory");
	args->param = p;
	p[args->nr_param++] = text;
	return 0;
}

const char *timing_hint(bool timing, const char *why)
{
	return !timing && strstr(why, "timing model") ? "; see --timing=on" : "";
}

/* Set what @text says: 0, or an error with the parameter in *@p. */
static int options_set_param(struct montecito *m, const char *text, struct montecito_param *p)
{
	const char *value = strchr(text, '=');
	uint64_t v = 0;

	memset(p, 0, sizeof(*p));
	memcpy(p->name, text, value - text);
	parse_number(value + 1, &v);
	p->value = v;
	return montecito_param_set(m, p);
}

static int options_param_refused(const struct machine_args *args, const char *text,
				 const struct montecito_param *p, int err)
{
	if (err == -ENOENT)
		return fail("--param %s: no such parameter (see montctl info --params)", text);
	if (err == -EINVAL && (p->value < p->least || p->value > p->most))
		return fail("--param %s: must be %llu to %llu %s", text,
			    (unsigned long long)p->least, (unsigned long long)p->most, p->unit);
	return fail("--param %s: %s%s", text, *p->why ? p->why : strerror(-err),
		    timing_hint(args->timing, p->why));
}

/* True if another value for parameter @i follows. */
static bool options_given_again(const struct machine_args *args, size_t i)
{
	size_t len = strchr(args->param[i], '=') + 1 - args->param[i], k;

	for (k = i + 1; k < args->nr_param; k++)
		if (!strncmp(args->param[i], args->param[k], len))
			return true;
	return false;
}

/*
 * Set the parameters one by one. A rule may bind two of them: one that is refused is
 * tried again after the others.
 */
static int options_set_params(const struct machine_args *args, struct montecito *m)
{
	size_t i, left = args->nr_param, refused;
	bool *done = calloc(left + 1, sizeof(*done));
	struct montecito_param p;
	int err = 0;

	if (!done)
		return fail("out of memory");
	for (i = 0; i < args->nr_param; i++) {
		done[i] = options_given_again(args, i);
		left -= done[i];
	}
	do {
		refused = 0;
		for (i = 0; i < args->nr_param; i++) {
			if (!done[i] && options_set_param(m, args->param[i], &p))
				refused++;
			else
				done[i] = true;
		}
		if (refused == left)
			break;
		left = refused;
	} while (left);
	for (i = 0; left && i < args->nr_param; i++) {
		if (done[i])
			continue;
		err = options_param_refused(args, args->param[i], &p,
					    options_set_param(m, args->param[i], &p));
		break;
	}
	free(done);
	return err;
}

static int options_add_env(struct machine_args *args, char *text)
{
	char **p = realloc(args->env, (args->nr_env + 2) * sizeof(*p));

	if (!p)
		return fail("out of memory");
	args->env = p;
	p[args->nr_env++] = text;
	p[args->nr_env] = NULL;
	return 0;
}

static int options_page_size(struct machine_args *args, const char *command)
{
	uint64_t v;
	size_t i;

	if (!options_parse_size(optarg, &v))
		for (i = 0; i < sizeof(page_sizes) / sizeof(page_sizes[0]); i++)
			if (page_sizes[i].bytes == v) {
				args->page_shift = page_sizes[i].shift;
				return 0;
			}
	return usage_error(command, "--page-size %s: must be 4K, 8K, 16K or 64K", optarg);
}

int machine_option(struct machine_args *args, const char *command, int opt)
{
	uint64_t v;

	switch (opt) {
	case OPT_INPROC:
		args->inproc = true;
		break;
	case OPT_DEVICE:
		args->device = optarg;
		break;
	case OPT_TIMING:
		if (strcmp(optarg, "on") && strcmp(optarg, "off"))
			return usage_error(command, "--timing=%s: must be on or off", optarg);
		args->timing = !strcmp(optarg, "on");
		break;
	case OPT_CORES:
	case OPT_THREADS:
		if (parse_number(optarg, &v) || v < 1 || v > 2)
			return usage_error(command, "--%s %s: must be 1 or 2",
					   opt == OPT_CORES ? "cores" : "threads", optarg);
		if (opt == OPT_CORES)
			args->cores = v;
		else
			args->threads = v;
		break;
	case OPT_MEMORY:
		if (options_parse_size(optarg, &args->memory))
			return usage_error(command, "--memory %s: not a size", optarg);
		args->memory_given = true;
		break;
	case OPT_PAGE_SIZE:
		return options_page_size(args, command);
	case OPT_BUDGET:
		if (parse_number(optarg, &args->budget) || !args->budget)
			return usage_error(command, "--budget %s: not a number of instructions",
					   optarg);
		break;
	case OPT_ENV:
		if (!strchr(optarg, '='))
			return usage_error(command, "--env %s: must be NAME=VALUE", optarg);
		return options_add_env(args, optarg);
	case OPT_PARAM:
		return options_add_param(args, command, optarg);
	case OPT_TIME_FROM:
		args->time_from = optarg;
		break;
	case OPT_TIME_TO:
		args->time_to = optarg;
		break;
	case OPT_THREAD_SLICE:
		if (parse_number(optarg, &args->thread_slice) || !args->thread_slice)
			return usage_error(command, "--thread-slice %s: not a number of cycles",
					   optarg);
		break;
	case OPT_ARGV0:
		args->argv0 = optarg;
		break;
	case OPT_ALAT:
		if (strcmp(optarg, "on") && strcmp(optarg, "off"))
			return usage_error(command, "--alat %s: must be on or off", optarg);
		args->no_alat = !strcmp(optarg, "off");
		break;
	default:
		return -1;
	}
	if (args->inproc && args->device)
		return usage_error(command, "--in-process and --device exclude each other");
	return 0;
}

/*
 * Once in a login session, where there is a place to remember it; else each time.
 */
static void options_say_inproc(void)
{
	const char *dir = getenv("XDG_RUNTIME_DIR");
	char path[4096];
	int fd;

	if (dir && *dir == '/' &&
	    snprintf(path, sizeof(path), "%s/montctl-in-process", dir) < (int)sizeof(path)) {
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
		if (fd >= 0)
			close(fd);
		else if (errno == EEXIST)
			return;
	}
	fprintf(stderr, "montctl: no %s: using the model in this process\n",
		MONTECITO_DEFAULT_DEVICE);
}

static const char *options_choose_device(const struct machine_args *args)
{
	struct stat st;

	if (args->inproc || args->device)
		return args->device;
	if (!stat(MONTECITO_DEFAULT_DEVICE, &st))
		return MONTECITO_DEFAULT_DEVICE;
	options_say_inproc();
	return NULL;
}

int device_error(const char *where, int err)
{
	switch (err) {
	case -EACCES:
	case -EPERM:
		return fail("%s: %s: it is for root and the group montecito "
			    "(usermod -aG montecito USER, then log in again); "
			    "--in-process needs no rights",
			    where, strerror(-err));
	case -ENOENT:
	case -ENXIO:
	case -ENODEV:
		return fail("%s: %s: load the module (modprobe montecito), or use --in-process",
			    where, strerror(-err));
	default:
		return fail("%s: %s", where, strerror(-err));
	}
}

int event_refused(const struct montecito_event_spec *spec, const char *why, int err, bool timing)
{
	if (!*why)
		why = strerror(-err);
	return fail("event %s (%s): %s%s", spec->text, spec->name, why, timing_hint(timing, why));
}

/* CREATE found no memory: tell the limit of all machines from the caller's on locked memory. */
static int options_no_memory(const char *where, const struct machine_args *args,
			     const struct montecito_info *info)
{
	uint64_t need = montecito_locked(), most = info->memory_limit, used = info->memory_used;
	struct rlimit limit;

	if (!need)
		need = args->memory;
	if (most && need + used > most)
		return fail("%s: cannot make a machine: it needs %" PRIu64
			    " MB, and of the %" PRIu64 " MB that all machines may have %" PRIu64
			    " are in use; give less --memory, end others, or raise the module's "
			    "memory_limit (as root, in /sys/module/montecito/parameters)",
			    where, need >> 20, most >> 20, used >> 20);
	if (getrlimit(RLIMIT_MEMLOCK, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return fail("%s: cannot make a machine of %" PRIu64
			    " MB: the host has not so much memory to give (see --memory)",
			    where, args->memory >> 20);
	return fail("%s: cannot make a machine: it needs %" PRIu64
		    " KB of locked memory, and your limit (ulimit -l) is %" PRIu64
		    " KB; raise it (as root, a memlock line for the group montecito in "
		    "/etc/security/limits.d, as make install writes one; then log in again), "
		    "give less --memory, or use --in-process",
		    where, need >> 10, (uint64_t)limit.rlim_cur >> 10);
}

int machine_open(struct machine_args *args, uint32_t config, struct montecito **m)
{
	struct montecito_options opt = {
		.size = sizeof(opt),
		.device = options_choose_device(args),
		.cores = args->cores,
		.threads = args->threads,
		.config = config | (args->no_alat ? MONTECITO_CFG_NO_ALAT : 0),
		.memory = args->memory,
	};
	struct montecito_region region[MONTECITO_SYSTEM_REGIONS];
	const char *where = opt.device ? opt.device : "in-process";
	struct montecito_info info;
	int err;

	err = montecito_info(opt.device, &info);
	if (err)
		return device_error(where, err);
	if (args->timing < 0)
		args->timing = args->timed || args->time_from || args->time_to;
	if (!args->timing && (args->time_from || args->time_to))
		return fail("--%s needs --timing=on", args->time_from ? "time-from" : "time-to");
	if (args->timing && !(info.capabilities & MONTECITO_CAP_TIMING))
		return fail("--timing=on: %s has no timing model; use --timing=off", where);
	if (args->memory < info.min_memory || args->memory > info.max_memory)
		return fail("--memory: must be %llu to %llu bytes",
			    (unsigned long long)info.min_memory,
			    (unsigned long long)info.max_memory);
	if (args->memory % info.page_size)
		return fail("--memory: must be a multiple of %u bytes", info.page_size);
	if (args->system) {
		if (args->memory > MONTECITO_SYSTEM_MAX_MEMORY)
			return fail("--memory: an operating system can have %llu bytes at most",
				    MONTECITO_SYSTEM_MAX_MEMORY);
		opt.config |= MONTECITO_SYSTEM_CONFIG;
		opt.regions = region;
		opt.nr_regions = montecito_system_regions(args->memory, region);
	}
	opt.timing = args->timing;
	err = montecito_open(&opt, m);
	if (err == -ENOMEM && opt.device)
		return options_no_memory(where, args, &info);
	return err ? fail("%s: cannot make a machine: %s", where, strerror(-err))
		   : options_set_params(args, *m);
}

/* The program's timed region, if options ask for one. */
static int options_set_region(const struct machine_args *args, const char *path,
			      struct montecito_process *p)
{
	struct montecito_timed_region r;
	struct montecito_symbols *sym;
	int err;

	if (!args->time_from && !args->time_to)
		return 0;
	sym = montecito_symbols_load(path);
	err = region_find(args, path, sym, &r);
	montecito_symbols_free(sym);
	if (!err)
		err = montecito_process_region(p, &r);
	return err;
}

/* Print a message of the library about the program. */
static void options_tell(void *arg, const char *text)
{
	(void)arg;
	fail("%s", text);
}

/* Load the program of @argv for logical processor @vcpu of @places, beside @first if there is. */
static int options_load_on(const struct machine_args *args, struct montecito *m, char **argv,
			   unsigned int vcpu, unsigned int places, struct montecito_process *first,
			   struct montecito_process **p)
{
	static char *const no_env[] = { NULL };
	struct montecito_process_options opt = {
		.size = sizeof(opt),
		.page_shift = args->page_shift,
		.argv = argv,
		.envp = args->env ? args->env : no_env,
		.budget = args->budget,
		.message = options_tell,
		.thread_slice = args->thread_slice,
		.vcpu = vcpu,
		.places = places,
		.first = first,
	};
	const char *path = argv[0], *why;
	int err;

	if (args->argv0 && !first)
		argv[0] = args->argv0;
	err = montecito_process_load(m, path, &opt, p, &why);
	switch (err) {
	case 0:
		return first ? 0 : options_set_region(args, path, *p);
	case -ENOENT:
	case -ENOTDIR:
		fail("%s: %s", path, strerror(-err));
		return EXIT_NOT_FOUND;
	case -EACCES:
	case -EISDIR:
	case -ELOOP:
	case -ENOEXEC:
	case -EPERM:
		fail("%s: %s", path, why ? why : strerror(-err));
		return EXIT_CANNOT_RUN;
	default:
		return fail("%s: %s%s%s", path, why ? why : "", why ? ": " : "", strerror(-err));
	}
}

char *program_first(const struct machine_args *args, char **argv)
{
	if (args->cores * args->threads > 1)
		while (*argv && !strcmp(*argv, ":"))
			argv++;
	return *argv;
}

/* Copy @argv, with NULL for ":" and ":" for "::". Return: the number of places, or 0. */
static unsigned int options_split_programs(struct machine_args *args, char **argv)
{
	unsigned int places = 1;
	size_t n;

	for (n = 0; argv[n]; n++)
		;
	free(args->argv);
	args->argv = calloc(n + 1, sizeof(*argv));
	if (!args->argv)
		return 0;
	while (n--) {
		bool ends = !strcmp(argv[n], ":");

		places += ends;
		if (!ends)
			args->argv[n] = strcmp(argv[n], "::") ? argv[n] : argv[n] + 1;
	}
	return places;
}

int program_load(struct machine_args *args, struct montecito *m, char **argv,
		 struct montecito_process **p)
{
	unsigned int nr = args->cores * args->threads, places, vcpu;
	struct montecito_process *beside;
	const char *path = NULL;
	int err;

	args->programs = 1;
	if (nr == 1)
		return options_load_on(args, m, argv, 0, 1, NULL, p);
	places = options_split_programs(args, argv);
	if (!places)
		return fail("%s", strerror(ENOMEM));
	if (places > nr)
		return fail(
			"%u places for programs, and %u logical processors (--cores, --threads)",
			places, nr);
	argv = args->argv;
	args->programs = 0;
	args->mixed = false;
	for (vcpu = 0; vcpu < places; vcpu++) {
		char **next = argv;

		while (*next)
			next++;
		if (next > argv) {
			args->mixed |= *p && strcmp(argv[0], path);
			path = *p ? path : argv[0];
			err = options_load_on(args, m, argv, vcpu, places, *p, *p ? &beside : p);
			if (err)
				return err;
			args->programs++;
		}
		argv = next + 1;
	}
	return args->programs ? 0 : fail("no program is given: each place is empty");
}

int program_run(struct montecito_process *p, int *status)
{
	int res = montecito_process_run(p);

	if (res == -EDQUOT)
		return fail("--budget: used up before the program ended");
	if (res < 0)
		return fail("the machine stopped: %s", strerror(-res));
	*status = res;
	return 0;
}

int program_debug(struct montecito_process *p, int *status)
{
	int res = montecito_process_run(p);

	if (res == -EDQUOT)
		return fail("--budget: used up before the program ended");
	if (res < 0 && res != -EINTR)
		return fail("the machine stopped: %s", strerror(-res));
	*status = res < 0 ? 0 : res;
	return 0;
}

static void options_stop_process(void *p)
{
	montecito_process_stop(p);
}

int program_measure(struct montecito_process *p, int *status, const char **stopped)
{
	int res, sig;

	stop_prepare(options_stop_process, p);
	res = montecito_process_run(p);
	sig = stop_finish();
	progress_end();
	*stopped = NULL;
	*status = 0;
	if (res == -EDQUOT) {
		*stopped = "budget";
	} else if (res == -EINTR && sig) {
		*stopped = stop_name(sig);
		*status = 128 + sig;
	} else if (res == -ECANCELED) {
		/* The tick or the region's end has said, or will say, what is wrong. */
		*stopped = "error";
		return EXIT_MONTCTL;
	} else if (res < 0) {
		*stopped = "error";
		return fail("the machine stopped: %s", strerror(-res));
	} else {
		*status = res;
	}
	return 0;
}
