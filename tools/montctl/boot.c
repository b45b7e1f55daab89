// SPDX-License-Identifier: GPL-2.0-only
/* montctl boot: a system-mode image that owns the whole machine. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "montctl.h"

static const char help[] =
	"Usage: montctl boot [OPTION...] IMAGE\n\n"
	"Start a system-mode image on vcpu 0, in physical mode at reset. IMAGE is an ELF,\n"
	"loaded at its physical addresses, or a raw file. What it writes to its console\n"
	"goes to stdout. The exit status is 0 when the guest has halted for good or\n"
	"switched the platform off, or when the budget is used up.\n\n"
	"  --address ADDR     where a raw image is loaded and entered (default 0x100000)\n"
	"  --regs             print vcpu 0's registers at the end\n"
	"  --hash             print the machine's state hash to stderr at the end\n" MACHINE_HELP;

enum { OPT_ADDRESS = OPT_COMMAND, OPT_REGS, OPT_HASH };

static const struct option options[] = {
	MACHINE_OPTIONS,
	{ "address", required_argument, NULL, OPT_ADDRESS },
	{ "regs", no_argument, NULL, OPT_REGS },
	{ "hash", no_argument, NULL, OPT_HASH },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

/* Cycles between two looks at the console. */
#define SLICE 1000000
/* So many of them without an instruction: the guest only takes interruptions. */
#define STUCK_SLICES 16

static void drain_console(struct montecito *m)
{
	char buf[4096];
	long n;

	while ((n = montecito_console(m, buf, sizeof(buf))) > 0)
		fwrite(buf, 1, n, stdout);
	fflush(stdout);
}

/* Is there a vcpu that should be executing? */
static bool awake(struct montecito *m)
{
	unsigned int v;
	uint64_t halted;

	for (v = 0; v < montecito_nr_vcpus(m); v++)
		if (!montecito_get_reg(m, v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_HALTED,
				       &halted) &&
		    !halted)
			return true;
	return false;
}

static int run(struct montecito *m, uint64_t budget)
{
	unsigned int idle = 0;
	struct montecito_run r;
	uint64_t done = 0, ip;
	int err;

	for (;;) {
		err = montecito_run(m, budget ? budget - done : 0, SLICE, &r);
		if (err)
			return fail("the machine stopped: %s", strerror(-err));
		drain_console(m);
		done += r.exit.insns;
		if (r.uncounted)
			fprintf(stderr,
				"montctl: vcpu %u programmed an event that is not counted "
				"(PMC mask 0x%" PRIx64 ")\n",
				r.uncounted_vcpu, (uint64_t)r.uncounted);
		switch (r.exit.reason) {
		case MONTECITO_EXIT_BUDGET:
			if (budget && done >= budget)
				return 0;
			idle = r.exit.insns || !awake(m) ? 0 : idle + 1;
			if (idle < STUCK_SLICES)
				break;
			montecito_get_reg(m, 0, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP, &ip);
			return fail("no instruction retires any more; vcpu 0 is at ip 0x%" PRIx64,
				    ip);
		case MONTECITO_EXIT_SIGNAL:
			break;
		case MONTECITO_EXIT_HALT:
		case MONTECITO_EXIT_SHUTDOWN:
			return 0;
		default:
			return fail("the machine stopped for reason %u at ip 0x%" PRIx64,
				    r.exit.reason, (uint64_t)r.exit.ip);
		}
	}
}

static void print_reg(struct montecito *m, const char *name, uint32_t cls, uint32_t index)
{
	uint64_t v;

	if (!montecito_get_reg(m, 0, cls, index, &v))
		printf("%-5s 0x%016" PRIx64 "\n", name, v);
}

static void print_regs(struct montecito *m)
{
	char name[8];
	uint32_t i;

	print_reg(m, "ip", MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP);
	print_reg(m, "psr", MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR);
	print_reg(m, "cfm", MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_CFM);
	print_reg(m, "insns", MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS);
	print_reg(m, "pr", MONTECITO_REG_PR, 0);
	for (i = 0; i < 8; i++) {
		snprintf(name, sizeof(name), "b%u", i);
		print_reg(m, name, MONTECITO_REG_BR, i);
	}
	for (i = 1; i < 32; i++) {
		snprintf(name, sizeof(name), "r%u", i);
		print_reg(m, name, MONTECITO_REG_GR, i);
	}
}

int cmd_boot(int argc, char **argv)
{
	bool regs = false, want_hash = false;
	uint64_t address = 0x100000, hash;
	struct montecito *m = NULL;
	struct machine_args args;
	const char *why;
	int opt, err;

	machine_args_init(&args);
	while ((opt = getopt_long(argc, argv, "+h", options, NULL)) != -1) {
		switch (opt) {
		case 'h':
			fputs(help, stdout);
			return 0;
		case OPT_ADDRESS:
			if (parse_number(optarg, &address) || address & 15)
				return usage_error("boot", "--address %s: not a bundle address",
						   optarg);
			break;
		case OPT_REGS:
			regs = true;
			break;
		case OPT_HASH:
			want_hash = true;
			break;
		default:
			err = machine_option(&args, "boot", opt);
			if (err)
				return err < 0 ? bad_option("boot", argv) : err;
		}
	}
	if (optind + 1 != argc)
		return usage_error("boot", "give one image");
	err = machine_open(&args, 0, &m);
	if (err)
		return err;
	err = montecito_boot_load(m, argv[optind], address, &why);
	if (err) {
		fail("%s: %s", argv[optind], why ? why : strerror(-err));
		err = err == -ENOENT || err == -ENOTDIR ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
	} else {
		err = run(m, args.budget);
	}
	if (!err && regs)
		print_regs(m);
	if (!err && want_hash && !montecito_hash(m, &hash))
		fprintf(stderr, "hash %016" PRIx64 "\n", hash);
	montecito_close(m);
	machine_args_free(&args);
	return err;
}
