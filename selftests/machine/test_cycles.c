// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cycles as an operating system counts them, on a machine that keeps time: overflow
 * interrupts of CPU_OP_CYCLES through PMV (manual 3.3.4, 3.3.11; SDM volume 2, 5.8).
 *
 * Without programs: pmuirq.elf, which programs the counter and takes the interrupts itself.
 * With a Linux kernel and its initial file system: a boot. The kernel has no driver of the PMU,
 * so the counter is programmed from outside, with the vector of its rescheduling IPI: of
 * that one the kernel says in /proc/interrupts how often it has come, and on a single
 * processor nothing else sends it.
 */
#include "platform.h"
#include "tap.h"

/* pmuirq.elf, as it says */
#define RESULTS 0x1000
#define PARAMS 0x2000
#define MAGIC 0x7169756d70ULL
#define VECTOR 0xd2
#define IRQS 8

#define PMC_PLM0 0x1
#define PMC_PLM_ALL 0xf
#define PMC_OI 0x20
#define PMC_PM 0x40
#define PMC_CYCLES (0x12 << 8)
#define PMC_ISM 0x2000000
#define COUNT(bits) (PMC_ISM | PMC_CYCLES | PMC_PM | (bits))

#define OVERFLOWED 0x11 /* PMC0: frozen, by PMD4 */
#define CR_DCR 0
#define CR_PMV 73
#define DCR_PP 1

struct params {
	uint64_t period, irqs, pmv, pmc4, tpr;
};

struct record {
	uint64_t ivr, pmc0, pmd4, rounds, iip, ivr_again;
};

struct results {
	uint64_t magic, irqs, rounds, unexpected, vector, pad[3];
	struct record rec[IRQS];
};

/* A round of its loop is one bundle with a taken branch: one cycle (manual 2.2.2). */
static uint64_t rounds(uint64_t period)
{
	const struct params p = { period, IRQS, VECTOR, COUNT(PMC_OI | PMC_PLM0), 0 };
	struct montecito *m = machine_boot("pmuirq.elf", 0, MONTECITO_TIMING_ON);
	unsigned int i, vectors = 0, pmc0s = 0, exact = 0, even = 0;
	uint64_t size, step;
	struct results *r;
	char *mem = montecito_memory(m, &size);

	memcpy(mem + PARAMS, &p, sizeof(p));
	r = (void *)(mem + RESULTS);
	machine_run_to(m, 40 * period, 0);
	ok(r->magic == MAGIC && r->irqs == IRQS && !r->unexpected,
	   "every %" PRIu64 " cycles: %u interrupts, and no other", period, IRQS);
	step = r->rec[IRQS - 1].rounds - r->rec[IRQS - 2].rounds;
	for (i = 0; i < IRQS; i++) {
		vectors += r->rec[i].ivr == VECTOR && r->rec[i].ivr_again == 0x0f;
		pmc0s += r->rec[i].pmc0 == OVERFLOWED;
		exact += !r->rec[i].pmd4;
		even += i < 2 || r->rec[i].rounds - r->rec[i - 1].rounds == step;
	}
	ok_eq(vectors, IRQS, "PMV's vector, once each");
	ok_eq(pmc0s, IRQS, "PMC0 says that PMD4 overflowed");
	ok_eq(exact, IRQS, "which stands at the cycle of its overflow");
	ok_eq(even, IRQS, "the same number of rounds from one to the next");
	montecito_close(m);
	return step;
}

static void guest(void)
{
	uint64_t step = rounds(3000);

	ok(step > 2900 && step <= 3000,
	   "a round a cycle, but for the way back: %" PRIu64 " of 3000", step);
	ok_eq(rounds(4001) - step, 1001, "1001 cycles more are 1001 rounds more");
}

/* ---- Linux ---- */

#define RESCHEDULE 253 /* IA64_IPI_RESCHEDULE */
#define PERIOD 2003 /* less than the kernel takes for a timer tick */
#define SAMPLES 20
#define OUTPUT (1 << 16)

static struct {
	struct montecito *m;
	const char *input;
	char out[OUTPUT];
	size_t len;
	unsigned int armed, overflows, others, exact, both;
} lx;

static void set(uint32_t cls, uint32_t index, uint64_t value)
{
	int ret = montecito_set_reg(lx.m, 0, cls, index, value);

	if (ret < 0)
		die(ret, "cannot set register %u of class %u", index, cls);
}

static void output(void *arg, uint8_t byte)
{
	(void)arg;
	if (byte != '\r' && lx.len < OUTPUT - 1)
		lx.out[lx.len++] = byte;
}

static int input(void *arg, bool wait)
{
	(void)arg;
	(void)wait;
	return *lx.input ? *lx.input++ : MONTECITO_INPUT_END;
}

static void arm(void)
{
	set(MONTECITO_REG_PMD, 4, (1ULL << 47) - PERIOD);
	set(MONTECITO_REG_PMD, 5, 0);
	set(MONTECITO_REG_PMC, 0, 0);
	lx.armed++;
}

/* Do the work of a driver of the PMU, each millisecond: sample, and go on. */
static bool tick(void *arg, uint64_t ns, bool idle)
{
	uint64_t pmc0;

	(void)arg;
	(void)ns;
	(void)idle;
	if (!lx.armed) {
		if (!strstr(lx.out, "LINUX_IA64_UP"))
			return true;
		/* Every interruption sets PSR.pp: the kernel's cycles count. */
		set(MONTECITO_REG_CR, CR_DCR, machine_reg(lx.m, MONTECITO_REG_CR, CR_DCR) | DCR_PP);
		set(MONTECITO_REG_CR, CR_PMV, RESCHEDULE);
		set(MONTECITO_REG_PMC, 4, COUNT(PMC_OI | PMC_PLM_ALL));
		set(MONTECITO_REG_PMC, 5, COUNT(PMC_PLM_ALL));
		arm();
		return true;
	}
	pmc0 = machine_reg(lx.m, MONTECITO_REG_PMC, 0);
	if (lx.overflows == SAMPLES || !(pmc0 & 1))
		return true;
	lx.overflows++;
	lx.others += pmc0 != OVERFLOWED;
	lx.exact += !machine_reg(lx.m, MONTECITO_REG_PMD, 4);
	lx.both += machine_reg(lx.m, MONTECITO_REG_PMD, 5) == PERIOD;
	if (lx.overflows < SAMPLES)
		arm();
	return true;
}

/* The count of the last line of /proc/interrupts for @irq that is there; -1 for none. */
static long interrupts(unsigned int irq)
{
	char line[16], *at = lx.out;
	long n = -1;

	snprintf(line, sizeof(line), "\n%3u:", irq);
	while ((at = strstr(at, line)))
		n = strtol(at += strlen(line), NULL, 10);
	return n;
}

static void boot(const char *kernel, const char *initrd)
{
	const struct montecito_system_options so = {
		.size = sizeof(so),
		.output = output,
		.input = input,
		.tick = tick,
	};
	static const struct montecito_filter all = { .code = 0x12, .plm = 0xf };
	struct montecito_region region[MONTECITO_SYSTEM_REGIONS];
	const struct montecito_options mo = {
		.size = sizeof(mo),
		.device = tap_device,
		.cores = 1,
		.threads = 1,
		.timing = MONTECITO_TIMING_ON,
		.config = MONTECITO_SYSTEM_CONFIG,
		.regions = region,
		.nr_regions = montecito_system_regions(256ULL << 20, region),
	};
	/* The delay loop is most of a boot: measured where tests may be long. */
	struct montecito_boot what = {
		.size = sizeof(what),
		.initrd = initrd,
		.append = getenv("MONTECITO_SYSTEM_RUNS") ? "quiet" : "quiet lpj=6400000",
		.system = true,
	};
	struct montecito_cycles spent = { 0 };
	struct montecito_system *s;
	struct montecito_image *img;
	const char *of, *why;
	enum montecito_end end;
	char text[128];
	uint64_t count;
	uint32_t id;
	int ret;

	lx.input = "\004ls /\nmd5sum /bin/busybox\ncat /proc/interrupts\n"
		   "poweroff -f\n";
	ret = montecito_open(&mo, &lx.m);
	if (ret < 0)
		die(ret, "cannot open a machine");
	ret = montecito_system_open(lx.m, &so, &s);
	if (ret < 0)
		die(ret, "cannot make a system");
	ret = montecito_image_open(kernel, &img, &why);
	if (ret < 0)
		die(ret, "%s: %s", kernel, why ? why : "");
	what.image = img;
	ret = montecito_system_load(s, &what, &of, &why);
	if (ret < 0)
		die(ret, "%s: %s", of ? of : kernel, why ? why : "");
	montecito_image_close(img);
	ret = montecito_observer_add(lx.m, 0, &all, 0, text);
	if (ret < 0)
		die(ret, "%s", text);
	id = ret;
	ret = montecito_system_run(s, &end);
	if (ret < 0)
		die(ret, "the machine stopped");
	ok(end == MONTECITO_END_POWEROFF, "Linux with time: power-off");
	ok(strstr(lx.out, "\nLINUX_IA64_UP\n") && strstr(lx.out, "  /bin/busybox\n"),
	   "its init's last line, and the shell's");
	ret = montecito_cycles(lx.m, 0, &spent);
	if (!ret)
		ret = montecito_observer_read(lx.m, 0, &id, &count, 1);
	if (ret < 0)
		die(ret, "cannot read the counts");
	printf("# %" PRIu64 " instructions in %" PRIu64 " cycles, and %" PRIu64 " halted\n",
	       (uint64_t)spent.insns, (uint64_t)(spent.cycles - spent.halted),
	       (uint64_t)spent.halted);
	ok(spent.halted && !spent.functional, "it halts when it is idle");
	ok_eq(count, spent.cycles - spent.halted, "CPU_OP_CYCLES: each cycle but those");
	ok_eq(lx.overflows, SAMPLES, "overflows of CPU_OP_CYCLES");
	ok_eq(lx.others, 0, "of PMD4 alone");
	ok_eq(lx.exact, SAMPLES, "each freezes at its cycle");
	ok_eq(lx.both, SAMPLES, "a second counter has the period then");
	ok_eq(interrupts(RESCHEDULE), SAMPLES, "each is an interrupt that the kernel has taken");
	if (lx.overflows != SAMPLES || interrupts(RESCHEDULE) != SAMPLES)
		printf("# %s\n", lx.out);
	montecito_system_close(s);
	montecito_close(lx.m);
}

int main(int argc, char **argv)
{
	tap_args(argc, argv);
	if (tap_nr_programs == 2)
		boot(tap_program[0], tap_program[1]);
	else
		guest();
	return tap_done();
}
