// SPDX-License-Identifier: GPL-2.0-only
/* montctl boot: an operating system, or a bare image that owns the whole machine. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "boot_save.h"
#include "boot_stat.h"
#include "console.h"
#include "gdb.h"
#include "montctl.h"
#include "recorder.h"
#include "samples.h"

/* Exit statuses that say how the guest ended. */
#define EXIT_PANIC 121
#define EXIT_RESET 122
#define EXIT_UNSERVED 123

/* Guest memory of an operating system unless --memory says otherwise. */
#define SYSTEM_MEMORY (512ULL << 20)

static const char help[] =
	"Usage: montctl boot [OPTION...] [--kernel] IMAGE\n\n"
	"Start an operating system or a bare image. A Linux/ia64 kernel (an ELF, packed\n"
	"with gzip or xz or not) gets firmware and devices: EFI, SAL and ACPI tables, a\n"
	"16550 UART and an I/O SAPIC. Anything else is started on vcpu 0 as at reset: an\n"
	"ELF at its physical addresses, or a raw file. The guest's console is stdin and\n"
	"stdout; on a terminal Ctrl-] q leaves, Ctrl-] Ctrl-] sends Ctrl-].\n\n"
	"Exit status: 0 after power-off, halt for good, a budget used up or Ctrl-] q; 121\n"
	"after a panic, 122 after a reset, 123 after a firmware call that is not served;\n"
	"125 when montctl or the machine failed.\n\n"
	"  --kernel IMAGE     the image is an operating system, whatever it looks like\n"
	"  --initrd FILE      initial file system; gzip and xz are unpacked\n"
	"  --append LINE      the kernel's command line\n"
	"  --realtime         the guest's time does not run ahead of the host's\n"
	"  --stat             count events by vcpu and level, with --timing=on show where\n"
	"                     the cycles went; the report goes to stderr\n"
	"  --record           sample events, for montctl report; the samples go to a file\n"
	"  -e EVENT[,...]     which, as for montctl stat; implies --stat unless --record\n"
	"  -c PERIOD          occurrences from one sample to the next (default 100003)\n"
	"  --random MASK      bits that intervals differ from it by, as for montctl record\n"
	"  --no-random        every interval is the period\n"
	"  --seed N           of the random numbers (default 0)\n"
	"  -j                 report counts as one JSON object on one line\n"
	"  -o FILE            where the samples go (default: " SAMPLES_FILE "), or\n"
	"                     without --record the report\n" JITDUMP_HELP
	"  --system-map FILE  names of the kernel's functions, if the image has none\n"
	"  --address ADDR     where a raw image is loaded and entered (default 0x100000)\n"
	"  --regs             print vcpu 0's registers at the end\n"
	"  --hash             print the system's state hash to stderr at the end\n"
	"  --save FILE        write the system's state to FILE at the end\n"
	"  --restore FILE     go on from there, instead of loading the image\n" GDB_HELP
		MACHINE_HELP REGION_HELP;

enum {
	OPT_ADDRESS = OPT_COMMAND,
	OPT_REGS,
	OPT_HASH,
	OPT_KERNEL,
	OPT_INITRD,
	OPT_APPEND,
	OPT_REALTIME,
	OPT_STAT,
	OPT_RECORD,
	OPT_MAP,
	OPT_JITDUMP,
	OPT_SAVE,
	OPT_RESTORE,
	OPT_GDB,
	OPT_RANDOM,
	OPT_NO_RANDOM,
	OPT_SEED,
};

static const struct option options[] = {
	MACHINE_OPTIONS,
	REGION_OPTIONS,
	{ "kernel", required_argument, NULL, OPT_KERNEL },
	{ "initrd", required_argument, NULL, OPT_INITRD },
	{ "append", required_argument, NULL, OPT_APPEND },
	{ "realtime", no_argument, NULL, OPT_REALTIME },
	{ "stat", no_argument, NULL, OPT_STAT },
	{ "record", no_argument, NULL, OPT_RECORD },
	{ "system-map", required_argument, NULL, OPT_MAP },
	{ "jitdump", optional_argument, NULL, OPT_JITDUMP },
	{ "address", required_argument, NULL, OPT_ADDRESS },
	{ "regs", no_argument, NULL, OPT_REGS },
	{ "hash", no_argument, NULL, OPT_HASH },
	{ "save", required_argument, NULL, OPT_SAVE },
	{ "restore", required_argument, NULL, OPT_RESTORE },
	{ "gdb", required_argument, NULL, OPT_GDB },
	{ "random", required_argument, NULL, OPT_RANDOM },
	{ "no-random", no_argument, NULL, OPT_NO_RANDOM },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

/**
 * struct boot - a boot under way
 * @args: which machine
 * @what: what to load
 * @path: the image
 * @realtime: --realtime
 * @regs: --regs
 * @hash: --hash
 * @save: --save
 * @restore: --restore
 * @map: --system-map
 * @jitdump: --jitdump
 * @symbols: the image's or the map's, or NULL
 * @machine: what it runs on
 * @console: the guest's
 * @specs: events of -e
 * @nr: their number
 * @stat: --stat
 * @output: -o
 * @report: where the counts go
 * @record: --record
 * @recorder: the samples
 * @sampling: it samples now
 * @where: --gdb
 * @gdb: what debugs it, or NULL
 * @signal: what stopped the run, or 0
 */
struct boot {
	struct machine_args args;
	struct montecito_boot what;
	const char *path;
	bool realtime;
	bool regs;
	bool hash;
	const char *save;
	const char *restore;
	const char *map;
	const char *jitdump;
	struct montecito_symbols *symbols;
	struct montecito *machine;
	struct console console;
	struct montecito_event_spec *specs;
	size_t nr;
	struct boot_stat stat;
	const char *output;
	FILE *report;
	bool record;
	struct recorder recorder;
	bool sampling;
	const char *where;
	struct gdb *gdb;
	int signal;
};

/* How it ended: a word for the report, the exit status. */
static const struct {
	const char *how;
	int status;
} endings[] = {
	[MONTECITO_END_NONE] = { "quit", 0 },
	[MONTECITO_END_POWEROFF] = { "power-off", 0 },
	[MONTECITO_END_RESET] = { "reset", EXIT_RESET },
	[MONTECITO_END_PANIC] = { "panic", EXIT_PANIC },
	[MONTECITO_END_UNSERVED] = { "unserved", EXIT_UNSERVED },
	[MONTECITO_END_HALT] = { "halt", 0 },
	[MONTECITO_END_INPUT] = { "input", 0 },
	[MONTECITO_END_STUCK] = { "stuck", EXIT_MONTCTL },
	[MONTECITO_END_BUDGET] = { "budget", 0 },
	[MONTECITO_END_STOPPED] = { "error", EXIT_MONTCTL },
};

/* Where @vcpu is, as "vcpu 0 at 0xa000000100000000 (symbol+0x10)". */
static void boot_print_place(const struct boot *b, struct montecito *m, unsigned int vcpu)
{
	uint64_t ip = 0, offset;
	const char *name = NULL;

	montecito_get_reg(m, vcpu, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP, &ip);
	if (b->symbols)
		name = montecito_symbols_find(b->symbols, ip, &offset);
	fprintf(stderr, "vcpu %u at ip 0x%" PRIx64, vcpu, ip);
	if (name)
		fprintf(stderr, " (%s+0x%" PRIx64 ")", name, offset);
}

/* Say how it ended, if not as it should. */
static void boot_tell(const struct boot *b, struct montecito *m, struct montecito_system *s,
		      enum montecito_end end)
{
	unsigned int vcpu;
	const char *why = montecito_system_why(s, &vcpu);

	/* A bare image that halts for good has simply ended. */
	if (!*why || (end == MONTECITO_END_HALT && !b->what.system))
		return;
	fprintf(stderr, "montctl: %s; ", why);
	boot_print_place(b, m, vcpu);
	fputc('\n', stderr);
}

static void boot_quit(void *arg)
{
	struct console *c = arg;

	c->quit = true;
}

/* To its end, which *@how tells; EXIT_MONTCTL after a message if the machine failed. */
static int boot_run(struct boot *b, struct montecito *m, struct montecito_system *s,
		    struct boot_ending *how)
{
	enum montecito_end end;
	int err;

	stop_prepare(boot_quit, &b->console);
	/* Input that does not come when it is typed is given from its beginning. */
	err = console_open(&b->console, b->realtime, montecito_system_received(s));
	if (err)
		return fail("the terminal: %s", strerror(-err));
	do
		err = montecito_system_run(s, &end);
	while (!err && !end && !b->console.quit && !b->recorder.error && !gdb_killed(b->gdb));
	console_close(&b->console);
	b->signal = stop_finish();
	if (err) {
		*how = (struct boot_ending){ b->path, "error", EXIT_MONTCTL };
		return err == -ECANCELED ? EXIT_MONTCTL
					 : fail("the machine stopped: %s", strerror(-err));
	}
	boot_tell(b, m, s, end);
	*how = (struct boot_ending){ b->path, endings[end].how, endings[end].status };
	if (gdb_killed(b->gdb))
		*how = (struct boot_ending){ b->path, "killed", 128 + SIGKILL };
	if (!end && b->signal) {
		how->how = stop_name(b->signal);
		how->status = 128 + b->signal;
	}
	return 0;
}

static void boot_print_reg(struct montecito *m, const char *name, uint32_t cls, uint32_t index)
{
	uint64_t v;

	if (!montecito_get_reg(m, 0, cls, index, &v))
		printf("%-5s 0x%016" PRIx64 "\n", name, v);
}

static void boot_print_regs(struct montecito *m)
{
	char name[8];
	uint32_t i;

	boot_print_reg(m, "ip", MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP);
	boot_print_reg(m, "psr", MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR);
	boot_print_reg(m, "cfm", MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_CFM);
	boot_print_reg(m, "insns", MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS);
	boot_print_reg(m, "pr", MONTECITO_REG_PR, 0);
	for (i = 0; i < 8; i++) {
		snprintf(name, sizeof(name), "b%u", i);
		boot_print_reg(m, name, MONTECITO_REG_BR, i);
	}
	for (i = 1; i < 32; i++) {
		snprintf(name, sizeof(name), "r%u", i);
		boot_print_reg(m, name, MONTECITO_REG_GR, i);
	}
}

static int boot_load(struct boot *b, struct montecito_system *s)
{
	const char *what, *why;
	int err;

	if (b->restore)
		return boot_restore(s, b->restore);
	err = montecito_system_load(s, &b->what, &what, &why);
	if (!err)
		return 0;
	fail("%s: %s", what ? what : b->path, why ? why : strerror(-err));
	return err == -ENOENT || err == -ENOTDIR ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
}

static struct boot *boot_of_console(void *arg)
{
	return (struct boot *)((char *)arg - offsetof(struct boot, console));
}

/* Between two slices of a run that is recorded. */
static uint64_t boot_record_slice(void *arg)
{
	struct boot *b = boot_of_console(arg);

	/* An error of the file stops the next tick. */
	if (b->sampling)
		(void)recorder_drain(&b->recorder);
	return recorder_slice(&b->recorder);
}

/* The timed region begins or ends: it alone is counted and sampled. */
static int boot_region_changes(struct montecito *m, bool begins, void *arg)
{
	struct boot *b = arg;
	int err = boot_stat_region(&b->stat, m, begins);

	if (!err && b->record)
		err = begins ? recorder_watch(&b->recorder) : recorder_unwatch(&b->recorder);
	b->sampling = begins;
	return err ? -ECANCELED : 0;
}

/* Find the region of --time-from and --time-to. */
static int boot_find_region(struct boot *b, struct montecito_system *s)
{
	struct montecito_timed_region r;
	int err;

	b->stat.region = region_of(&b->args);
	if (!b->stat.region.given)
		return 0;
	b->args.region = boot_region_changes;
	b->args.region_arg = b;
	err = region_find(&b->args, b->map ? b->map : b->path, b->symbols, &r);
	if (!err)
		err = montecito_system_region(s, &r);
	return err;
}

static bool boot_tick(void *arg, uint64_t ns, bool idle)
{
	return !boot_of_console(arg)->recorder.error && console_tick(arg, ns, idle);
}

/* An operating system that waits for such a counter waits for ever: say so. */
static void boot_uncounted(void *arg, unsigned int vcpu, uint64_t pmcs)
{
	struct boot *b = boot_of_console(arg);
	unsigned int n;
	char why[256];

	for (n = 0; n < 64; n++) {
		if ((pmcs >> n & 1) && !montecito_uncounted_text(b->machine, vcpu, n, why))
			fprintf(stderr, "montctl: vcpu %u: %s%u stands still: %s%s\r\n", vcpu,
				n < 16 ? "PMD" : "PMC", n, why, timing_hint(b->args.timing, why));
	}
}

/* Count and sample, as far as that is wanted. */
static int boot_measure(struct boot *b, struct montecito *m)
{
	char msg[512];
	int err;

	if (!b->nr && (b->stat.wanted || b->record) &&
	    montecito_events_parse(b->record ? RECORDER_EVENT : BOOT_STAT_EVENTS, &b->specs, &b->nr,
				   msg))
		return fail("%s", msg);
	if (!b->record && event_periods("boot", b->specs, b->nr))
		return EXIT_MONTCTL;
	if (montecito_events_symbols(b->specs, b->nr, b->path, b->symbols, msg))
		return fail("-e: %s", msg);
	b->stat.specs = b->specs;
	b->stat.nr = b->nr;
	b->stat.timed = b->args.timing;
	b->stat.threads = b->args.threads;
	err = boot_stat_start(&b->stat, m);
	if (err || !b->record)
		return err;
	b->recorder.m = m;
	b->recorder.specs = b->specs;
	b->recorder.nr = b->nr;
	b->recorder.program = b->path;
	b->recorder.identity = montecito_symbols_identity(b->symbols);
	b->recorder.map = b->map;
	b->recorder.system = true;
	b->recorder.timing = b->args.timing;
	err = recorder_start(&b->recorder);
	b->sampling = !b->args.time_from;
	/* Sampling was tried only to see whether it can be done; it begins with the region. */
	if (!err && !b->sampling && recorder_unwatch(&b->recorder))
		err = fail("cannot stop sampling");
	return err;
}

/* Before the system runs: its work shall not be lost for a wrong name. */
static int boot_open_report(struct boot *b)
{
	b->report = stderr;
	if (b->record && b->output)
		b->recorder.path = b->output;
	else if (b->stat.wanted && b->output)
		b->report = fopen(b->output, "we");
	return b->report ? 0 : fail("-o %s: %s", b->output, strerror(errno));
}

/* Instructions retired since the system's start, by all processors. */
static int boot_retired(struct montecito *m, uint64_t *sum)
{
	uint64_t insns;
	unsigned int v;
	int err = 0;

	*sum = 0;
	for (v = 0; !err && v < montecito_nr_vcpus(m); v++) {
		err = montecito_get_reg(m, v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS,
					&insns);
		*sum += insns;
	}
	return err ? fail("cannot read the counts: %s", strerror(-err)) : 0;
}

/* Counts, of all or of the timed region: 0, or EXIT_MONTCTL after a message. */
static int boot_report(struct boot *b, struct montecito *m, const struct boot_ending *how)
{
	struct region *r = &b->stat.region;
	bool bad;

	if (!b->stat.wanted && !b->record)
		return 0;
	if (boot_retired(m, &r->all) || region_reached(&b->args, r, "counted") ||
	    boot_stat_report(&b->stat, m, how, b->report))
		return EXIT_MONTCTL;
	if (b->report == stderr)
		return 0;
	bad = ferror(b->report);
	bad |= fclose(b->report) != 0;
	b->report = stderr;
	if (!bad)
		return 0;
	fail("-o %s: %s; the report goes here:", b->output, strerror(errno));
	boot_stat_report(&b->stat, m, how, stderr);
	return EXIT_MONTCTL;
}

/* The system is loaded. */
static int boot_run_loaded(struct boot *b, struct montecito *m, struct montecito_system *s)
{
	struct boot_ending how;
	uint64_t hash;
	int err;

	err = boot_run(b, m, s, &how);
	/* Even of a machine that failed there are counts and samples. */
	if (recorder_finish(&b->recorder, b->signal ? how.how : NULL))
		err = EXIT_MONTCTL;
	if (boot_report(b, m, &how))
		err = EXIT_MONTCTL;
	if (!err && b->save)
		err = boot_save(s, b->save);
	if (!err && b->regs)
		boot_print_regs(m);
	if (!err && b->hash && !montecito_system_hash(s, &hash))
		fprintf(stderr, "hash %016" PRIx64 "\n", hash);
	return err ? err : how.status;
}

static int boot_open_gdb(struct boot *b, struct montecito *m, struct montecito_system *s)
{
	int err = gdb_open(&b->gdb, b->where, m, b->args.timing);

	if (err)
		return err;
	b->gdb->system = s;
	b->gdb->identity = b->what.system;
	return 0;
}

static int boot_start(struct boot *b)
{
	struct montecito_system_options opt = {
		.size = sizeof(opt),
		.output = console_output,
		.input = console_input,
		.tick = boot_tick,
		.arg = &b->console,
		/* Keys at any time would be no run that repeats. */
		.live = isatty(STDIN_FILENO) && !b->where,
		.budget = b->args.budget,
		.slice = b->record ? boot_record_slice : NULL,
		.uncounted = boot_uncounted,
	};
	struct montecito_system *s;
	struct montecito *m;
	int err;

	b->args.system = b->what.system;
	err = machine_open(&b->args, 0, &m);

	if (err)
		return err;
	b->machine = m;
	err = montecito_system_open(m, &opt, &s);
	if (err) {
		montecito_close(m);
		return fail("%s", strerror(-err));
	}
	err = boot_load(b, s);
	if (!err)
		err = boot_find_region(b, s);
	if (!err)
		err = boot_open_report(b);
	if (!err)
		err = boot_measure(b, m);
	if (!err && b->where)
		err = boot_open_gdb(b, m, s);
	if (!err)
		err = boot_run_loaded(b, m, s);
	gdb_close(b->gdb, err);
	perf_tell(m);
	montecito_system_close(s);
	montecito_close(m);
	return err;
}

/* Take one option: 0, EXIT_MONTCTL after a message. */
static int boot_option(struct boot *b, int opt, char **argv)
{
	int err;

	switch (opt) {
	case OPT_KERNEL:
		b->path = optarg;
		b->what.system = true;
		break;
	case OPT_INITRD:
		b->what.initrd = optarg;
		break;
	case OPT_APPEND:
		b->what.append = optarg;
		break;
	case OPT_STAT:
		b->stat.wanted = true;
		break;
	case OPT_RECORD:
		b->record = true;
		break;
	case OPT_SAVE:
		b->save = optarg;
		break;
	case OPT_RESTORE:
		b->restore = optarg;
		break;
	case OPT_GDB:
		b->where = optarg;
		break;
	case OPT_MAP:
		b->map = optarg;
		break;
	case OPT_JITDUMP:
		b->jitdump = optarg ? optarg : ".";
		break;
	case 'e':
		return event_list("boot", optarg, &b->specs, &b->nr);
	case OPT_RANDOM:
		return recorder_mask(&b->recorder, "boot", optarg);
	case OPT_NO_RANDOM:
		b->recorder.random = RECORDER_FIXED;
		break;
	case OPT_SEED:
		return recorder_seed(&b->recorder, "boot", optarg);
	case 'c':
		return recorder_period(&b->recorder, "boot", optarg);
	case 'j':
		b->stat.json = true;
		b->stat.wanted = true;
		break;
	case 'o':
		b->output = optarg;
		break;
	case OPT_REALTIME:
		b->realtime = true;
		break;
	case OPT_ADDRESS:
		if (parse_number(optarg, &b->what.address) || b->what.address & 15)
			return usage_error("boot", "--address %s: not a bundle address", optarg);
		break;
	case OPT_REGS:
		b->regs = true;
		break;
	case OPT_HASH:
		b->hash = true;
		break;
	default:
		err = machine_option(&b->args, "boot", opt);
		if (err)
			return err < 0 ? bad_option("boot", argv, opt, options) : err;
	}
	return 0;
}

static int boot_open_image(struct boot *b, struct montecito_image **img)
{
	const char *why;
	int err = montecito_image_open(b->path, img, &why);

	if (err) {
		fail("%s: %s", b->path, why ? why : strerror(-err));
		return err == -ENOENT || err == -ENOTDIR ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
	}
	b->what.image = *img;
	b->what.system |= montecito_image_is_linux(*img);
	if (!b->what.system && (b->what.initrd || b->what.append)) {
		montecito_image_close(*img);
		return usage_error("boot", "--initrd and --append are for an operating system");
	}
	if (b->what.system && !b->args.memory_given)
		b->args.memory = SYSTEM_MEMORY;
	return 0;
}

static int boot_open_symbols(struct boot *b, const struct montecito_image *img)
{
	int err;

	b->symbols = montecito_image_symbols(img);
	if (!b->map)
		return 0;
	err = b->symbols ? montecito_symbols_map(b->symbols, b->map) : -ENOMEM;
	return err ? fail("--system-map %s: %s", b->map,
			  err == -EINVAL ? "not a list of symbols as nm prints it" : strerror(-err))
		   : 0;
}

int cmd_boot(int argc, char **argv)
{
	struct boot b = {
		.what = { .size = sizeof(b.what) },
		.what.address = 0x100000,
		.recorder = { .period = RECORDER_PERIOD, .path = SAMPLES_FILE },
	};
	struct montecito_image *img;
	int opt, err;

	machine_args_init(&b.args);
	while ((opt = getopt_long(argc, argv, ":e:c:jo:h", options, NULL)) != -1) {
		if (opt == 'h') {
			fputs(help, stdout);
			return 0;
		}
		err = boot_option(&b, opt, argv);
		if (err)
			return err;
	}
	if (!b.path && optind < argc)
		b.path = argv[optind++];
	if (!b.path || optind != argc)
		return usage_error("boot", "give one image");
	b.stat.wanted |= b.nr && !b.record;
	b.stat.chosen = b.nr;
	if (b.where && (b.stat.wanted || b.record || b.args.time_from || b.args.time_to))
		return usage_error("boot", "--gdb excludes --stat, --record, --time-from and "
					   "--time-to");
	err = boot_open_image(&b, &img);
	if (err)
		return err;
	err = boot_open_symbols(&b, img);
	if (!err)
		err = jitdump_write(b.jitdump, b.symbols);
	if (!err)
		err = boot_start(&b);
	if (b.report && b.report != stderr)
		fclose(b.report);
	montecito_symbols_free(b.symbols);
	boot_stat_free(&b.stat);
	recorder_free(&b.recorder);
	montecito_events_free(b.specs, b.nr);
	montecito_image_close(img);
	machine_args_free(&b.args);
	return err;
}
