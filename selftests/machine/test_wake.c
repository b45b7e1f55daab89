// SPDX-License-Identifier: GPL-2.0-only
/*
 * The other processors of a bare image (montctl-boot(1)): they are halted, and begin at its entry
 * point with the first interrupt that comes for them.
 */
#include "tap.h"

#define RESULT 0x1000
#define ENTRY 0x100000

static struct montecito *boot(const char *image, uint32_t cores, uint32_t timing)
{
	struct montecito_options opt = {
		.size = sizeof(opt),
		.device = tap_device,
		.cores = cores,
		.threads = 2,
		.config = MONTECITO_SYSTEM_CONFIG,
		.memory = MONTECITO_DEFAULT_MEMORY,
		.timing = timing,
	};
	struct montecito *m;
	const char *why = "";
	char path[4096];
	int ret = montecito_open(&opt, &m);

	if (ret < 0)
		die(ret, "cannot open a machine");
	snprintf(path, sizeof(path), "%s/%s", tap_guests, image);
	ret = montecito_boot_load(m, path, 0, &why);
	if (ret < 0)
		die(ret, "cannot load %s: %s", path, why ? why : "");
	return m;
}

static uint64_t special(struct montecito *m, unsigned int vcpu, uint32_t index)
{
	uint64_t value;
	int ret = montecito_get_reg(m, vcpu, MONTECITO_REG_SPECIAL, index, &value);

	if (ret < 0)
		die(ret, "cannot read a register");
	return value;
}

static void run(struct montecito *m, uint64_t insns)
{
	struct montecito_run r;
	int ret = montecito_run(m, insns, 0, &r);

	if (ret < 0)
		die(ret, "run");
}

/* Without an interrupt @image, whose processor has no device, leaves the others as they are. */
static void waits(const char *image, uint32_t cores, uint32_t timing)
{
	struct montecito *m = boot(image, cores, timing);
	unsigned int v, bad = 0;

	run(m, 3000);
	for (v = 1; v < 2 * cores; v++)
		bad += !special(m, v, MONTECITO_SPECIAL_HALTED) ||
		       special(m, v, MONTECITO_SPECIAL_IP) != ENTRY ||
		       special(m, v, MONTECITO_SPECIAL_INSNS);
	ok(!bad && special(m, 0, MONTECITO_SPECIAL_INSNS) >= 1000,
	   "%u cores, time %u: without an interrupt the first processor runs alone", cores, timing);
	montecito_close(m);
}

static void wakes(uint32_t cores, uint32_t timing)
{
	struct montecito *m = boot("wake.elf", cores, timing);
	unsigned int v, bad = 0, nr = 2 * cores;
	uint64_t memory, *word;

	word = (uint64_t *)((uint8_t *)montecito_memory(m, &memory) + RESULT);
	run(m, 200000);
	for (v = 0; v < nr; v++)
		bad += word[v] != 1 || special(m, v, MONTECITO_SPECIAL_HALTED);
	ok(!bad && !word[nr], "%u cores, time %u: each begins at the entry, once", cores, timing);
	montecito_close(m);
}

int main(int argc, char **argv)
{
	tap_args(argc, argv);
	waits("chase.elf", 1, 0);
	waits("chase.elf", 2, 0);
	waits("chase.elf", 1, 1);
	wakes(1, 0);
	wakes(2, 0);
	wakes(1, 1);
	return tap_done();
}
