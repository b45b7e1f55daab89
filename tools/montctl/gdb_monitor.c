// SPDX-License-Identifier: GPL-2.0-only
/* The "monitor" command of gdb: what the processor has that gdb has no names for. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gdb.h"
#include "montctl.h"

/**
 * struct gdb_cycles - how a vcpu's cycles were spent
 * @sum: all, and what is no wait
 * @nr: causes
 * @cause: waits by cause
 * @then: the same at the stop before
 */
struct gdb_cycles {
	struct montecito_cycles sum;
	unsigned int nr;
	struct montecito_cause cause[MONTECITO_MAX_CAUSES];
	struct montecito_cycles sum_then;
	uint64_t then[MONTECITO_MAX_CAUSES];
};

struct numbered {
	const char *name;
	unsigned int index;
};

/* Control registers (SDM volume 2, table 3-3). */
static const struct numbered crs[] = {
	{ "dcr", 0 },  { "itm", 1 },   { "iva", 2 },   { "pta", 8 },   { "ipsr", 16 },
	{ "isr", 17 }, { "iip", 19 },  { "ifa", 20 },  { "itir", 21 }, { "iipa", 22 },
	{ "ifs", 23 }, { "iim", 24 },  { "iha", 25 },  { "lid", 64 },  { "ivr", 65 },
	{ "tpr", 66 }, { "irr0", 68 }, { "irr1", 69 }, { "irr2", 70 }, { "irr3", 71 },
	{ "itv", 72 }, { "pmv", 73 },  { "cmcv", 74 }, { "lrr0", 80 }, { "lrr1", 81 },
};

/* Registers by class: with names, or numbers from @first up to @end. */
static const struct file {
	const char *name;
	uint32_t cls;
	unsigned int first;
	unsigned int end;
	const char *text;
} files[] = {
	{ "cr", MONTECITO_REG_CR, 0, 0, "control registers" },
	{ "rr", MONTECITO_REG_RR, 0, 8, "region registers" },
	{ "pkr", MONTECITO_REG_PKR, 0, 16, "protection key registers" },
	{ "ibr", MONTECITO_REG_IBR, 0, 8, "instruction breakpoint registers of the guest" },
	{ "dbr", MONTECITO_REG_DBR, 0, 8, "data breakpoint registers of the guest" },
	{ "pmc", MONTECITO_REG_PMC, 0, 42, "performance monitor configuration" },
	{ "pmd", MONTECITO_REG_PMD, 0, 48, "performance monitor data" },
	{ "cpuid", MONTECITO_REG_CPUID, 0, 5, "identification" },
};

#define NR(a) (sizeof(a) / sizeof((a)[0]))

static void gdb_monitor_help(FILE *f)
{
	size_t i;

	for (i = 0; i < NR(files); i++)
		fprintf(f, "%-6s [N [VALUE]]  %s\n", files[i].name, files[i].text);
	fputs("gr                  general registers as the code numbers them, with NaTs\n"
	      "cycle               cycles and instructions of each processor\n"
	      "stall               what the processor has waited for since the stop before\n"
	      "physical [on|off]   whether memory is read and written by physical address\n"
	      "history [on|off]    whether the guest can be run backwards, from now on\n"
	      "translate ADDR      where an address leads\n",
	      f);
}

static bool gdb_monitor_value_of(const char *text, uint64_t *v)
{
	return text && !parse_number(text, v);
}

static void gdb_monitor_print(struct gdb *g, FILE *f, const struct file *file, const char *name,
			      uint32_t index)
{
	uint64_t v;

	if (montecito_get_reg(g->m, g->vcpu, file->cls, index, &v))
		return;
	if (name)
		fprintf(f, "%-6s 0x%016" PRIx64 "\n", name, v);
	else
		fprintf(f, "%s%-3u 0x%016" PRIx64 "\n", file->name, index, v);
}

/* Number of the control register that @text names, or of any by its number; -1: none. */
static int gdb_monitor_find(const struct file *file, const char *text)
{
	uint64_t v;
	size_t i;

	for (i = 0; file->cls == MONTECITO_REG_CR && i < NR(crs); i++)
		if (!strcmp(crs[i].name, text))
			return crs[i].index;
	return gdb_monitor_value_of(text, &v) && v < (file->end ? file->end : 128) ? (int)v : -1;
}

static const char *gdb_monitor_name_of(const struct file *file, unsigned int index)
{
	size_t i;

	for (i = 0; file->cls == MONTECITO_REG_CR && i < NR(crs); i++)
		if (crs[i].index == index)
			return crs[i].name;
	return NULL;
}

static void gdb_monitor_registers(struct gdb *g, FILE *f, const struct file *file,
				  const char *which, const char *value)
{
	uint64_t v;
	size_t i;
	int n;

	if (!which) {
		for (i = 0; !file->end && i < NR(crs); i++)
			gdb_monitor_print(g, f, file, crs[i].name, crs[i].index);
		for (i = file->first; i < file->end; i++)
			gdb_monitor_print(g, f, file, NULL, i);
		return;
	}
	n = gdb_monitor_find(file, which);
	if (n < 0 || (value && !gdb_monitor_value_of(value, &v))) {
		fprintf(f, "no such register or value: %s %s\n", which, value ? value : "");
		return;
	}
	if (value) {
		if (gdb_change(g))
			fputs("nothing can be changed in the past\n", f);
		else if (montecito_set_reg(g->m, g->vcpu, file->cls, n, v))
			fprintf(f, "%s %s cannot be 0x%" PRIx64 "\n", file->name, which, v);
	}
	gdb_monitor_print(g, f, file, gdb_monitor_name_of(file, n), n);
}

static void gdb_monitor_general(struct gdb *g, FILE *f)
{
	uint32_t i;

	for (i = 0; i < 128; i++) {
		struct montecito_reg r = { .cls = MONTECITO_REG_GR, .index = i };

		if (montecito_get_regs(g->m, g->vcpu, &r, 1))
			break;
		fprintf(f, "r%-3u 0x%016" PRIx64 "%s\n", i, (uint64_t)r.value[0],
			r.value[1] ? " NaT" : "");
	}
}

static void gdb_monitor_take(struct gdb *g, unsigned int vcpu, struct gdb_cycles *c)
{
	unsigned int i;

	c->sum_then = c->sum;
	for (i = 0; i < c->nr; i++)
		c->then[i] = c->cause[i].cycles;
	c->sum = (struct montecito_cycles){
		.size = sizeof(c->sum),
		.count = MONTECITO_MAX_CAUSES,
		.causes = (uintptr_t)c->cause,
	};
	if (!montecito_cycles(g->m, vcpu, &c->sum))
		c->nr = c->sum.count;
}

void gdb_monitor_stop(struct gdb *g)
{
	unsigned int i;

	if (!g->cycles)
		g->cycles = calloc(g->nr_vcpus, sizeof(*g->cycles));
	for (i = 0; g->cycles && i < g->nr_vcpus; i++)
		gdb_monitor_take(g, i, &g->cycles[i]);
}

static void gdb_monitor_cycle(struct gdb *g, FILE *f)
{
	unsigned int i;

	for (i = 0; i < g->nr_vcpus; i++) {
		uint64_t cycles = 0, insns = 0, clock = 0;

		montecito_get_reg(g->m, i, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_CYCLES,
				  &cycles);
		montecito_get_reg(g->m, i, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS, &insns);
		montecito_get_reg(g->m, i, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_CLOCK, &clock);
		fprintf(f,
			"vcpu %u: cycles %" PRIu64 ", instructions %" PRIu64 ", clock %" PRIu64
			"\n",
			i, cycles, insns, clock);
	}
	if (g->group.blob)
		fprintf(f,
			"within an issue group, behind %" PRIu64 " of its %" PRIu64
			" instructions: its cycles come with its end\n",
			g->group.done, g->group.size);
}

static void gdb_monitor_stall(struct gdb *g, FILE *f)
{
	const struct gdb_cycles *c = g->cycles ? &g->cycles[g->vcpu] : NULL;
	uint64_t passed;
	unsigned int i;

	if (!g->timed || !c) {
		fputs("nothing is known of stalls without the timing model (--timing=on)\n", f);
		return;
	}
	passed = c->sum.cycles - c->sum_then.cycles;
	fprintf(f,
		"since the stop before: %" PRIu64 " cycles, an instruction retired in %" PRIu64
		"\n",
		passed, (uint64_t)(c->sum.unstalled - c->sum_then.unstalled));
	for (i = 0; i < c->nr; i++)
		if (c->cause[i].cycles != c->then[i])
			fprintf(f, "%10" PRIu64 "  %s: %s\n",
				(uint64_t)c->cause[i].cycles - c->then[i], c->cause[i].name,
				c->cause[i].text);
}

static void gdb_monitor_physical(struct gdb *g, FILE *f, const char *what)
{
	if (what && !strcmp(what, "on"))
		g->physical = true;
	else if (what && !strcmp(what, "off"))
		g->physical = false;
	else if (what)
		fputs("physical on, or physical off\n", f);
	fprintf(f, "addresses of memory are %s\n", g->physical ? "physical" : "those of the code");
}

static void gdb_monitor_history(struct gdb *g, FILE *f, const char *what)
{
	int err = 0;

	if (what && strcmp(what, "on") && strcmp(what, "off"))
		fputs("history on, or history off\n", f);
	else if (what)
		err = gdb_history_set(g, !strcmp(what, "on"));
	if (err == -EBUSY)
		fputs("first go on to the present\n", f);
	else if (err == -EOPNOTSUPP)
		fputs("a machine of several processors cannot be run backwards\n", f);
	else if (err)
		fprintf(f, "%s\n", strerror(-err));
	gdb_history_tell(g, f);
}

static void gdb_monitor_translate(struct gdb *g, FILE *f, const char *what)
{
	uint64_t va, pa;

	if (!gdb_monitor_value_of(what, &va))
		fputs("translate ADDR\n", f);
	else if (!montecito_translate(g->m, g->vcpu, false, va, &pa) ||
		 !montecito_translate(g->m, g->vcpu, true, va, &pa))
		fprintf(f, "0x%" PRIx64 "\n", pa);
	else
		fputs("neither TLB nor VHPT has a translation\n", f);
}

static void gdb_monitor_command(struct gdb *g, FILE *f, char *word[3])
{
	size_t i;

	if (!word[0] || !strcmp(word[0], "help")) {
		gdb_monitor_help(f);
	} else if (!strcmp(word[0], "gr")) {
		gdb_monitor_general(g, f);
	} else if (!strcmp(word[0], "cycle") || !strcmp(word[0], "cycles")) {
		gdb_monitor_cycle(g, f);
	} else if (!strcmp(word[0], "stall")) {
		gdb_monitor_stall(g, f);
	} else if (!strcmp(word[0], "physical")) {
		gdb_monitor_physical(g, f, word[1]);
	} else if (!strcmp(word[0], "history")) {
		gdb_monitor_history(g, f, word[1]);
	} else if (!strcmp(word[0], "translate")) {
		gdb_monitor_translate(g, f, word[1]);
	} else {
		for (i = 0; i < NR(files); i++) {
			if (strcmp(word[0], files[i].name))
				continue;
			gdb_monitor_registers(g, f, &files[i], word[1], word[2]);
			return;
		}
		fprintf(f, "%s: no such command; monitor help lists them\n", word[0]);
	}
}

void gdb_monitor(struct gdb *g, char *text, char **res)
{
	char *word[3] = { NULL }, *save = NULL, *w;
	size_t len, n = 0;
	FILE *f;

	for (w = strtok_r(text, " \t\n", &save); w && n < 3; w = strtok_r(NULL, " \t\n", &save))
		word[n++] = w;
	*res = NULL;
	f = open_memstream(res, &len);
	if (!f)
		return;
	gdb_monitor_command(g, f, word);
	fclose(f);
}
