// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tracepoints of the system "montecito", by way of tracefs: fields and types are those of
 * Documentation/host-tools.rst, and records say what RUN, an observer's ring, MONTECITO_IRQ and
 * PMU_SAMPLING say of the same moments.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "common.h"
#include "perfevent.h"

#define TRACEFS "/sys/kernel/tracing"
#define EVENTS TRACEFS "/events/montecito"
#define RECORDS 512

/* Kinds of montecito_overflow. */
enum { OBSERVER, GUEST_PMU, PERF };

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_TRUNC);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text) || close(fd))
		bail("%s: %s", path, strerror(errno));
}

/* ---- fields ---- */

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The fields of an event that are not of all events, "type name" by name, as one text. */
static void fields_of(const char *event, char *to, size_t size)
{
	char path[128], line[256], type[32], name[32], text[80], *field[16];
	unsigned int is_signed, n = 0, i;
	FILE *f;

	snprintf(path, sizeof(path), EVENTS "/%s/format", event);
	f = fopen(path, "r");
	if (!f)
		bail("%s: %s", path, strerror(errno));
	while (fgets(line, sizeof(line), f) && n < 16) {
		if (sscanf(line, " field:%31[^ ] %31[^;]; offset:%*u; size:%*u; signed:%u;", type,
			   name, &is_signed) != 3 ||
		    !strncmp(name, "common_", 7) || !strcmp(type, "unsigned"))
			continue;
		snprintf(text, sizeof(text), "%s %s%s", name, is_signed ? "signed " : "", type);
		field[n++] = strdup(text);
	}
	fclose(f);
	qsort(field, n, sizeof(*field), compare);
	*to = '\0';
	for (i = 0; i < n; i++) {
		snprintf(to + strlen(to), size - strlen(to), "%s%s", i ? ", " : "", field[i]);
		free(field[i]);
	}
}

static void fields(void)
{
	static const struct {
		const char *event, *fields;
	} abi[] = {
		{ "montecito_overflow",
		  "cpl u8, cycles u64, event u32, insns u64, ip u64, kind u8, machine u32, period u64, slot u8, source u64, vcpu u8" },
		{ "montecito_slice", "cycles u64, insns u64, machine u32, reason u32, work u64" },
		{ "montecito_run",
		  "cycles u64, end u8, insns u64, machine u32, reason u32, vcpu u8" },
		{ "montecito_irq", "machine u32, vcpu u8, vector u32" },
		{ "montecito_pmu", "machine u32, pmc0 u64, reloaded u64, vcpu u8" },
	};
	char have[512];
	unsigned int i;

	for (i = 0; i < sizeof(abi) / sizeof(*abi); i++) {
		fields_of(abi[i].event, have, sizeof(have));
		ok(!strcmp(have, abi[i].fields), "fields of %s", abi[i].event);
		if (strcmp(have, abi[i].fields))
			diag("have %s", have);
	}
}

/* ---- records ---- */

static char *record[RECORDS];
static unsigned int records;

static void trace_begin(void)
{
	put(TRACEFS "/trace", "");
	put(EVENTS "/enable", "1");
}

/* Take what has come since trace_begin(), in order: "NAME: FIELD=VALUE ...". */
static void trace_end(void)
{
	char line[1024], *at;
	FILE *f;

	put(EVENTS "/enable", "0");
	while (records)
		free(record[--records]);
	f = fopen(TRACEFS "/trace", "r");
	if (!f)
		bail(TRACEFS "/trace: %s", strerror(errno));
	while (fgets(line, sizeof(line), f)) {
		at = strstr(line, " montecito_");
		if (line[0] == '#' || !at)
			continue;
		if (records == RECORDS)
			bail("more than %d records", RECORDS);
		record[records++] = strdup(at + 1);
	}
	fclose(f);
}

/* The next record of an event behind *@at, or NULL. */
static const char *next(const char *event, unsigned int *at)
{
	size_t length = strlen(event);

	while (*at < records) {
		const char *r = record[(*at)++];

		if (!strncmp(r, event, length) && r[length] == ':')
			return r;
	}
	return NULL;
}

static unsigned int count(const char *event)
{
	unsigned int at = 0, n = 0;

	while (next(event, &at))
		n++;
	return n;
}

static uint64_t field(const char *r, const char *name)
{
	char key[34];
	const char *at;

	snprintf(key, sizeof(key), " %s=", name);
	at = strstr(r, key);
	if (!at)
		bail("no field %s in: %s", name, r);
	return strtoull(at + strlen(key), NULL, 0);
}

/* A record has these fields, as tracefs prints them. */
static void says(const char *r, const char *want, const char *what)
{
	bool same = r && !strncmp(r, want, strlen(want)) && strcmp(r + strlen(want), "\n") == 0;

	ok(same, "%s", what);
	if (!same)
		diag("have %s", r ? r : "none");
}

/* RUN: its beginning, its slices, its end. */
static void runs(void)
{
	struct montecito_info info = { .size = sizeof(info) };
	int m = timed_machine(0), v = vcpu(m, 0), dev = open_device();
	uint64_t insns = 0, cycles = 0, longest = 0;
	unsigned int at = 0, id = machine_id(m);
	struct montecito_run r;
	char want[256];
	const char *s;

	if (call(dev, MONTECITO_INFO, &info))
		bail("info");
	start(v, GUEST_SPIN);
	trace_begin();
	run(m, 30000, 0, &r);
	trace_end();
	snprintf(want, sizeof(want),
		 "montecito_run: machine=%u end=0 reason=0 vcpu=0 insns=0 cycles=0", id);
	says(next("montecito_run", &at), want, "RUN begins");
	while ((s = next("montecito_slice", &at))) {
		insns += field(s, "insns");
		cycles += field(s, "cycles");
		if (field(s, "work") > longest)
			longest = field(s, "work");
		if (field(s, "machine") != id)
			bail("another machine's: %s", s);
	}
	eq(insns, r.exit.insns, "instructions of its slices are those of its exit");
	eq(cycles, r.exit.cycles, "and cycles");
	ok(longest && longest <= info.work, "units of work: %llu in a slice at most",
	   (unsigned long long)longest);
	at = 1;
	snprintf(want, sizeof(want),
		 "montecito_run: machine=%u end=1 reason=%u vcpu=0 insns=30000 cycles=%llu", id,
		 MONTECITO_EXIT_BUDGET, (unsigned long long)r.exit.cycles);
	says(next("montecito_run", &at), want, "and ends as its exit tells");
	eq(count("montecito_run"), 2, "once");
	close(v);
	close(m);
	close(dev);
}

/* Periods of an observer, or of an event of perf's: SPIN is three instructions a bundle. */
static void check_overflows(int m, unsigned int kind, uint64_t source, uint64_t period,
			    uint64_t before)
{
	unsigned int at = 0, n = 0, wrong = 0;
	const char *s;

	while ((s = next("montecito_overflow", &at))) {
		n++;
		wrong += field(s, "machine") != machine_id(m) || field(s, "vcpu") ||
			 field(s, "kind") != kind || field(s, "source") != source ||
			 field(s, "event") != (INST | 0xf << 16) || field(s, "period") != period ||
			 field(s, "ip") != GUEST_SPIN || field(s, "slot") != 2 || field(s, "cpl") ||
			 field(s, "insns") - before != (n * period + 2) / 3 * 3 ||
			 field(s, "cycles") < field(s, "insns") / 6;
		if (wrong == 1)
			diag("%s", s);
	}
	eq(n, 30000 / period, "a record of kind %u for each period", kind);
	eq(wrong, 0, "each as it was");
}

static void overflows(void)
{
	struct montecito_ring ring = { .size = sizeof(ring), .order = 2 };
	int m = timed_machine(0), v = vcpu(m, 0), fd;
	struct montecito_observer_del d = { .size = sizeof(d) };
	uint64_t before;

	start(v, GUEST_SPIN);
	is(call(v, MONTECITO_RING, &ring), 0, "a ring");
	is(observer(v, INST, 1000, &d.id), 0, "an observer with a period of 1000");
	trace_begin();
	run(m, 30000, 0, NULL);
	trace_end();
	check_overflows(m, OBSERVER, d.id, 1000, 0);
	is(call(v, MONTECITO_OBSERVER_DEL, &d), 0, "none any more");
	if (has_perf()) {
		before = get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS);
		fd = event(INST, 700);
		is(fd < 0 ? fd : 0, 0, "an event of perf's with a period of 700");
		trace_begin();
		run(m, 30000, 0, NULL);
		trace_end();
		check_overflows(m, PERF, 0, 700, before);
		close(fd);
	}
	close(v);
	close(m);
}

#define ATTACHED 30

/* Units of work of a RUN. */
static uint64_t work_of_run(int m)
{
	unsigned int at = 0;
	uint64_t work = 0;
	const char *s;

	trace_begin();
	run(m, 3000, 0, NULL);
	trace_end();
	while ((s = next("montecito_slice", &at)))
		work += field(s, "work");
	return work;
}

/* New events of perf's are work of the slice that attaches them, 64 units each, and of no other. */
static void attaching(void)
{
	int m = machine(1, 1, 0), v = vcpu(m, 0), fd[ATTACHED], i;
	uint64_t first, second;

	start(v, GUEST_SPIN);
	for (i = 0; i < ATTACHED; i++)
		fd[i] = event(INST, 0);
	first = work_of_run(m);
	second = work_of_run(m);
	ok(fd[ATTACHED - 1] >= 0 && first >= second + 64 * ATTACHED && second < 2 * 3000,
	   "%d new events are work: %llu units, then %llu", ATTACHED, (unsigned long long)first,
	   (unsigned long long)second);
	for (i = 0; i < ATTACHED; i++)
		close(fd[i]);
	close(v);
	close(m);
}

/* The guest's counters, which the host owns: one that stops RUN, and one that is reloaded. */
static void pmu(void)
{
	struct montecito_pmu_sampling p = {
		.size = sizeof(p),
		.flags = MONTECITO_PMU_RELOAD,
		.counter = 4,
		.reload = (PMD_OVERFLOW - 300) & (PMD_OVERFLOW - 1),
	};
	int m = machine(1, 1, MONTECITO_CFG_HOST_PMU), v = vcpu(m, 0);
	unsigned int at = 0, id = machine_id(m), n = 0, wrong = 0;
	struct montecito_run r;
	char want[256];
	const char *s;

	start(v, GUEST_SPIN);
	set(v, MONTECITO_REG_PMC, 4, PMC_ES(EVENT_INST_RETIRED) | PMC_PLM_ALL | PMC_OI);
	set(v, MONTECITO_REG_PMD, 4, PMD_OVERFLOW - 300);
	set(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR, PSR_UP);
	set(v, MONTECITO_REG_PMC, 0, 0);
	trace_begin();
	run(m, 3000, 0, &r);
	trace_end();
	eq(r.exit.reason, MONTECITO_EXIT_PMU_OVERFLOW, "an overflow ends RUN");
	snprintf(want, sizeof(want), "montecito_pmu: machine=%u vcpu=0 pmc0=0x11 reloaded=0x0", id);
	says(next("montecito_pmu", &at), want, "nothing is reloaded");
	at = 0;
	s = next("montecito_overflow", &at);
	ok(s && field(s, "kind") == GUEST_PMU && field(s, "source") == r.exit.pmc0 &&
		   !field(s, "event") && !field(s, "period") && field(s, "ip") == r.exit.ip &&
		   field(s, "slot") == r.exit.slot && field(s, "insns") == 300,
	   "a record of kind 1 has PMC0 and the place that the exit has");

	is(call(v, MONTECITO_PMU_SAMPLING, &p), 0, "PMD4 is reloaded");
	set(v, MONTECITO_REG_PMD, 4, PMD_OVERFLOW - 300);
	set(v, MONTECITO_REG_PMC, 0, 0);
	trace_begin();
	run(m, 3003, 0, &r);
	trace_end();
	eq(r.exit.reason, MONTECITO_EXIT_BUDGET, "and RUN goes on");
	snprintf(want, sizeof(want), "montecito_pmu: machine=%u vcpu=0 pmc0=0x11 reloaded=0x10\n",
		 id);
	for (at = 0; (s = next("montecito_pmu", &at)); n++)
		wrong += strcmp(s, want) != 0;
	eq(n, 10, "a record for each of ten overflows");
	eq(wrong, 0, "each says that PMD4 was reloaded");
	eq(count("montecito_overflow"), 10, "and so many of the overflows themselves");
	close(v);
	close(m);
}

static void irqs(void)
{
	struct montecito_irq q = { .size = sizeof(q), .vector = 0x40 };
	int m = machine(1, 2, 0), v = vcpu(m, 1);
	unsigned int at = 0;
	char want[128];

	trace_begin();
	is(call(v, MONTECITO_IRQ, &q), 0, "an interrupt for vcpu 1");
	q.vector = 5;
	is(call(v, MONTECITO_IRQ, &q), -EINVAL, "a vector that there is not");
	trace_end();
	snprintf(want, sizeof(want), "montecito_irq: machine=%u vcpu=1 vector=64", machine_id(m));
	says(next("montecito_irq", &at), want, "is a record");
	eq(count("montecito_irq"), 1, "the other one is not");
	close(v);
	close(m);
}

int main(void)
{
	if (access(TRACEFS "/events", F_OK) && mount("none", TRACEFS, "tracefs", 0, NULL))
		bail(TRACEFS ": %s", strerror(errno));
	fields();
	runs();
	overflows();
	if (has_perf())
		attaching();
	pmu();
	irqs();
	return done();
}
