// SPDX-License-Identifier: GPL-2.0-only
/*
 * Other processors' PMUs through the device: their registers, records in the ring, RUN's exit,
 * and a guest that notices nothing of them.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common.h"

#define PERIOD 300

static long set_pmu(int v, uint32_t id, uint32_t cls, uint32_t index, uint64_t value)
{
	struct montecito_pmu_reg reg = { .cls = cls, .index = index, .value = value };
	struct montecito_pmu_regs r = {
		.size = sizeof(r), .id = id, .count = 1, .regs = (uintptr_t)&reg
	};

	return call(v, MONTECITO_PMU_SET_REGS, &r);
}

static uint64_t get_pmu(int v, uint32_t id, uint32_t cls, uint32_t index)
{
	struct montecito_pmu_reg reg = { .cls = cls, .index = index };
	struct montecito_pmu_regs r = {
		.size = sizeof(r), .id = id, .count = 1, .regs = (uintptr_t)&reg
	};

	if (call(v, MONTECITO_PMU_GET_REGS, &r))
		bail("register %u of class %u: %s", index, cls, r.why);
	return reg.value;
}

static uint32_t new_pmu(int v, uint32_t flags)
{
	struct montecito_pmu_add a = {
		.size = sizeof(a),
		.flags = flags,
		.kind = MONTECITO_PMU_MERCED,
		.sample_pmds = flags & MONTECITO_PMU_SAMPLE ? 1 << 4 : 0,
		.nr_reload = 2,
		.reload = { { MONTECITO_REG_PMD, 4, -(uint64_t)PERIOD },
			    { MONTECITO_REG_PMC, 0, 0 } },
	};

	if (call(v, MONTECITO_PMU_ADD, &a))
		bail("PMU: %s", a.why);
	if (set_pmu(v, a.id, MONTECITO_REG_PMC, 4,
		    PMC_ES(EVENT_INST_RETIRED) | PMC_PLM_ALL | PMC_OI) ||
	    set_pmu(v, a.id, MONTECITO_REG_PMD, 4, -(uint64_t)PERIOD))
		bail("PMC4 and PMD4");
	return a.id;
}

/* GUEST_SPIN retires three instructions a bundle. */
static void counts(void)
{
	int m = machine(1, 1, 0), plain = machine(1, 1, 0), v = vcpu(m, 0), w = vcpu(m, 0), i;
	struct montecito_pmu_del d = { .size = sizeof(d) };
	struct montecito_info info = { .size = sizeof(info) };
	uint32_t id;

	if (call(open_device(), MONTECITO_INFO, &info))
		bail("INFO");
	ok(info.capabilities & MONTECITO_CAP_PMU_KINDS && info.max_vcpu_pmus, "INFO tells of them");
	start(v, GUEST_SPIN);
	start(vcpu(plain, 0), GUEST_SPIN);
	id = new_pmu(v, 0);
	is(set_pmu(v, id, MONTECITO_REG_PMC, 5, PMC_ES(EVENT_INST_RETIRED) | PMC_PLM_ALL), 0,
	   "PMC5");
	is(set_pmu(w, id, MONTECITO_REG_PMC, 5, 0), -ENOENT, "not known on another file");
	for (i = 0; i < 7; i++)
		run(m, 1000, 0, NULL);
	run(plain, get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS), 0, NULL);
	ok(get_pmu(v, id, MONTECITO_REG_PMD, 5) ==
		   get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS),
	   "it counts what retires");
	ok(hash(m) == hash(plain), "the guest is what it is without");
	for (i = 1; i < (int)info.max_vcpu_pmus; i++)
		new_pmu(v, 0);
	d.id = id;
	is(call(v, MONTECITO_PMU_DEL, &d), 0, "removed");
	is(call(v, MONTECITO_PMU_DEL, &d), -ENOENT, "removed twice");
	new_pmu(v, 0);
	close(v);
	v = vcpu(m, 0);
	for (i = 0; i < (int)info.max_vcpu_pmus; i++)
		new_pmu(v, 0);
	ok(true, "closing the file removes all of them");
	close(v);
	close(w);
	close(plain);
	close(m);
}

/* The descriptor tells of its PMUs, to who may look at the process. */
static void fdinfo(void)
{
	int m = machine(1, 1, 0), v = vcpu(m, 0);
	struct montecito_machine_info info = { .size = sizeof(info) };
	struct montecito_pmu_del d = { .size = sizeof(d) };
	char path[64], line[128], want[2][64];
	uint32_t id[2] = { new_pmu(v, 0), new_pmu(v, 0) };
	int vcpus = 0, pmus, i, round;
	FILE *f;

	if (call(m, MONTECITO_MACHINE_INFO, &info))
		bail("MACHINE_INFO");
	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", v);
	for (round = 2; round >= 0; round--) {
		for (i = 0; i < 2; i++)
			snprintf(want[i], sizeof(want[i]), "montecito-pmu:\t%u merced\n", id[i]);
		f = fopen(path, "re");
		if (!f)
			bail("%s", path);
		for (pmus = 0; fgets(line, sizeof(line), f);) {
			uint32_t machine = 0, index = 1;

			if (sscanf(line, "montecito-vcpu:\t%u %u", &machine, &index) == 2)
				vcpus += machine == info.id && !index;
			if (!strcmp(line, want[0]) || !strcmp(line, want[1]))
				pmus++;
		}
		fclose(f);
		eq(pmus, round, "as many PMUs as there are");
		d.id = id[round ? round - 1 : 0];
		if (round && call(v, MONTECITO_PMU_DEL, &d))
			bail("PMU_DEL");
	}
	eq(vcpus, 3, "machine and vcpu");
	close(v);
	close(m);
}

static void records(void)
{
	size_t page = sysconf(_SC_PAGESIZE);
	int m = machine(1, 1, 0), v = vcpu(m, 0), stops = 0;
	struct montecito_ring r = { .size = sizeof(r) };
	struct montecito_ring_page *ctl;
	struct montecito_record_pmu *s;
	struct montecito_run x;
	uint64_t at, n = 0;
	bool good = true;
	uint32_t id;

	start(v, GUEST_SPIN);
	if (call(v, MONTECITO_RING, &r))
		bail("ring");
	ctl = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_SHARED, v, 0);
	if (ctl == MAP_FAILED)
		bail("mmap");
	id = new_pmu(v, MONTECITO_PMU_SAMPLE | MONTECITO_PMU_STOP);
	do {
		/* The budget is not used up where the last one comes. */
		run(m, 3001 - get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS), 0, &x);
		stops += x.exit.reason == MONTECITO_EXIT_PMU_BLOCK;
		good &= x.exit.reason != MONTECITO_EXIT_PMU_BLOCK ||
			(x.exit.block == id && !x.exit.vcpu && x.exit.insns == PERIOD);
	} while (get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS) < 3000);
	eq(stops, 10, "ten interrupts end RUN");
	ok(good, "each in its group");
	for (at = 0; at < ctl->data_head; at += s->header.size, n++) {
		s = (void *)((char *)ctl + ctl->data_offset + at);
		good &= s->header.type == MONTECITO_RECORD_PMU &&
			s->header.misc == MONTECITO_PMU_MERCED &&
			s->header.size == sizeof(*s) + 16 && s->id == id && !s->vcpu &&
			s->ip == GUEST_SPIN && s->cause == 1 << 4 && s->pmds == 1 << 4 &&
			s->value[0] == 0x11 && !s->value[1] && s->insns == PERIOD * (n + 1);
	}
	ok(good && n == 10, "and leave ten records");
	munmap(ctl, 2 * page);
	close(v);
	close(m);
}

static void described(void)
{
	int m = machine(1, 1, 0), v = vcpu(m, 0);
	struct montecito_pmu_describe d = { .size = sizeof(d),
					    .flags = MONTECITO_PMU_EVENT,
					    .kind = MONTECITO_PMU_MERCED };
	unsigned int counted = 0;
	bool good = true;

	for (d.index = 0; !call(v, MONTECITO_PMU_DESCRIBE, &d); d.index++) {
		counted += !d.why[0];
		good &= d.name[0] && d.text[0] && (d.why[0] || d.likeness);
	}
	ok(d.index == 230 && good && counted > 100, "%u of %u events are counted", counted,
	   d.index);
	d.flags = 0;
	for (d.index = 0; !call(v, MONTECITO_PMU_DESCRIBE, &d); d.index++)
		good &= d.name[0] && d.count;
	ok(d.index > 10 && good, "%u rows of registers", d.index);
	close(v);
	close(m);
}

/* Registers whose values are refused: nothing is written, and the rule is named. */
static void refused(void)
{
	static const struct {
		uint32_t cls;
		uint32_t index;
		uint64_t value;
		int err;
		const char *why, *name;
	} bad[] = {
		{ MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR, 0, -EPERM, "guest's PSR",
		  "PSR with FOLLOW_PSR" },
		{ MONTECITO_REG_PMD, 17, 0, -EPERM, "only be read", "a PMD of an EAR" },
		{ MONTECITO_REG_PMC, 11, 0x7000f, -EINVAL, "no table", "unit mask 7 of PMC11" },
		{ MONTECITO_REG_PMC, 10, 0xb000f, -EINVAL, "no table", "unit mask 11 of PMC10" },
		{ MONTECITO_REG_PMC, 10, 0x1008f, -EINVAL, "no table", "TLB mode of PMC10" },
		{ MONTECITO_REG_PMC, 11, 0xf, -EOPNOTSUPP, "timing", "an EAR that needs time" },
		{ MONTECITO_REG_PMC, 12, 0x3f0f, -EOPNOTSUPP, "stages", "a trace by stages" },
		{ MONTECITO_REG_PMC, 12, 0xff8f & ~0x400, -EOPNOTSUPP, "timing",
		  "a trace by predictions" },
		{ MONTECITO_REG_PMC, 4, 0x000f | 0x0c << 8, -EOPNOTSUPP, "not counted yet",
		  "FP_SIR_FLUSH" },
		{ MONTECITO_REG_PMC, 4, 0x000f | 0x12 << 8, -EOPNOTSUPP, "timing", "CPU_CYCLES" },
		{ MONTECITO_REG_PMC, 4, 0x10000f | 0x08 << 8, -EOPNOTSUPP, "timing",
		  "a threshold" },
		{ MONTECITO_REG_PMC, 4, 0x000f | 0x13 << 8, -ENOENT, "no event", "event 13H" },
		{ MONTECITO_REG_PMC, 6, 0x000f | 0x08 << 8, -EINVAL, "PMC4 and PMC5",
		  "an event of two counters" },
		{ MONTECITO_REG_PMC, 18, 0, -ENOENT, "no such register", "PMC18" },
	};
	int m = machine(1, 1, 0), v = vcpu(m, 0);
	uint32_t id = new_pmu(v, MONTECITO_PMU_FOLLOW_PSR);
	unsigned int i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct montecito_pmu_reg reg = { .cls = bad[i].cls,
						 .index = bad[i].index,
						 .value = bad[i].value };
		struct montecito_pmu_regs r = {
			.size = sizeof(r), .id = id, .count = 1, .regs = (uintptr_t)&reg
		};

		is(call(v, MONTECITO_PMU_SET_REGS, &r), bad[i].err, bad[i].name);
		ok(strstr(r.why, bad[i].why), "%s: the rule: %s", bad[i].name, r.why);
	}
	eq(get_pmu(v, id, MONTECITO_REG_PMC, 11), 1 << 28, "nothing is written");
	close(v);
	close(m);
}

/* Ranges and opcodes on events that have no such filter here. */
static void refused_filters(void)
{
	static const struct {
		uint32_t filter;
		uint64_t value;
		uint64_t event;
		const char *why, *name;
	} bad[] = {
		{ 13, 0, 0x2d << 8, "instruction range", "a range of INST_DISPERSED" },
		{ 13, 0, 0x2e << 8, "instruction range", "a range of EXPL_STOPBITS" },
		{ 11, 0, 0x62 << 8, "no data address", "a data range of DTLB_INSERTS_HPW" },
	};
	int m = timed_machine(0), v = vcpu(m, 0);
	unsigned int i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		uint32_t id = new_pmu(v, 0);
		struct montecito_pmu_reg reg[] = {
			{ MONTECITO_REG_PMC, 5, bad[i].event | PMC_PLM_ALL },
			{ MONTECITO_REG_PMC, bad[i].filter, bad[i].value },
		};
		struct montecito_pmu_regs r = {
			.size = sizeof(r), .id = id, .count = 2, .regs = (uintptr_t)reg
		};
		struct montecito_pmu_del d = { .size = sizeof(d), .id = id };

		is(call(v, MONTECITO_PMU_SET_REGS, &r), -EOPNOTSUPP, bad[i].name);
		ok(strstr(r.why, bad[i].why), "%s: the rule: %s", bad[i].name, r.why);
		ok(!get_pmu(v, id, MONTECITO_REG_PMC, 5) &&
			   get_pmu(v, id, MONTECITO_REG_PMC, bad[i].filter),
		   "nothing is written");
		r.count = 1;
		is(call(v, MONTECITO_PMU_SET_REGS, &r), 0, "and without it");
		if (call(v, MONTECITO_PMU_DEL, &d))
			bail("PMU_DEL");
	}
	close(v);
	close(m);
}

/* GUEST_SPIN retires three instructions a bundle: an assist comes behind each overflow. */
static void assists(void)
{
	static const struct montecito_pmu_reg setup[] = {
		{ MONTECITO_PMU_REG_DS, 0x30, 5 * 176 },
		{ MONTECITO_PMU_REG_DS, 0x38, 2 * 176 },
		{ MONTECITO_PMU_REG_DS, 0x40, -299ULL },
		{ MONTECITO_PMU_REG_MSR, 0xc1, -299ULL },
		{ MONTECITO_PMU_REG_MSR, 0x186, 0x4300c0 },
		{ MONTECITO_PMU_REG_MSR, 0x3f1, 1 },
		{ MONTECITO_PMU_REG_MSR, 0x38f, 0xf },
	};
	size_t page = sysconf(_SC_PAGESIZE);
	int m = timed_machine(0), v = vcpu(m, 0);
	struct montecito_pmu_add a = { .size = sizeof(a),
				       .flags = MONTECITO_PMU_SAMPLE | MONTECITO_PMU_STOP,
				       .kind = MONTECITO_PMU_PEBS };
	struct montecito_ring r = { .size = sizeof(r) };
	uint64_t at, n = 0, interrupts = 0, stops = 0;
	struct montecito_ring_page *ctl;
	struct montecito_record_pmu *s;
	struct montecito_run x;
	unsigned int i;
	bool good = true;

	start(v, GUEST_SPIN);
	if (call(v, MONTECITO_RING, &r))
		bail("ring");
	ctl = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_SHARED, v, 0);
	if (ctl == MAP_FAILED)
		bail("mmap");
	if (call(v, MONTECITO_PMU_ADD, &a))
		bail("PMU: %s", a.why);
	for (i = 0; i < sizeof(setup) / sizeof(setup[0]); i++)
		if (set_pmu(v, a.id, setup[i].cls, setup[i].index, setup[i].value))
			bail("register %#x", setup[i].index);
	do {
		run(m, 3300 - get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS), 0, &x);
		stops += x.exit.reason == MONTECITO_EXIT_PMU_BLOCK;
	} while (get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS) < 3000);
	for (at = 0; at < ctl->data_head; at += s->header.size) {
		s = (void *)((char *)ctl + ctl->data_offset + at);
		if (s->cause == MONTECITO_PMU_CAUSE_THRESHOLD) {
			good &= n == 2 && s->value[0] == 1ULL << 62;
			interrupts++;
			continue;
		}
		n++;
		good &= s->header.misc == MONTECITO_PMU_PEBS && s->ip == GUEST_SPIN &&
			s->header.size == sizeof(*s) + 176 && s->insns == 300 * n &&
			s->cause == MONTECITO_PMU_CAUSE_ASSIST && s->value[1] == GUEST_SPIN &&
			s->value[18] == (n > 2 ? 1ULL << 62 | 1 : 1);
	}
	eq(n, 5, "five precise records");
	ok(good && interrupts == 1 && stops == 1, "a threshold interrupt ends RUN, assists do not");
	ok(get_pmu(v, a.id, MONTECITO_PMU_REG_OWN, 0) >= 5, "the full buffer loses the others");
	munmap(ctl, 2 * page);
	close(v);
	close(m);
}

/* Registers of the IA-32 PMU whose values are refused, with the rule. */
static void refused_pebs(void)
{
	static const struct {
		uint32_t cls, index;
		uint64_t value;
		int err;
		const char *why;
	} bad[] = {
		{ MONTECITO_PMU_REG_MSR, 0x38e, 0, -EPERM, "only be read" },
		{ MONTECITO_PMU_REG_MSR, 0x3f6, 2, -EINVAL, "threshold is 3" },
		{ MONTECITO_PMU_REG_MSR, 0x3f1, 1ULL << 32, -EINVAL, "PEBS_EN" },
		{ MONTECITO_PMU_REG_MSR, 0x186, 0x143100b, -EINVAL, "CMASK and INV" },
		{ MONTECITO_PMU_REG_MSR, 0x186, 0xc3100b, -EINVAL, "CMASK and INV" },
		{ MONTECITO_PMU_REG_MSR, 0x186, 0x430100, -EOPNOTSUPP, "100BH" },
		{ MONTECITO_PMU_REG_MSR, 0x186, 0x4701cb, -EOPNOTSUPP, "not counted yet" },
		{ MONTECITO_PMU_REG_MSR, 0x186, 0x43ffff, -ENOENT, "no event" },
		{ MONTECITO_PMU_REG_MSR, 0x186, 0x43003c, -EINVAL, "precise" },
		{ MONTECITO_PMU_REG_DS, 0x28, 8, -EINVAL, "176" },
		{ MONTECITO_PMU_REG_DS, 0x28, 6 * 176, -EINVAL, "absolute maximum" },
		{ MONTECITO_PMU_REG_DS, 0x18, 0, -ENOENT, "no such register" },
		{ MONTECITO_PMU_REG_DS, 0x38, 6 * 176, -EINVAL, "absolute maximum" },
		{ MONTECITO_PMU_REG_DS, 0x20, 176, -EINVAL, "from the base" },
		{ MONTECITO_PMU_REG_MSR, 0x392, 0, -EPERM, "only be read" },
		{ MONTECITO_PMU_REG_MSR, 0x3c0, 0x4000c0, -ENOENT, "event of the uncore" },
		{ MONTECITO_PMU_REG_MSR, 0x3c1, 0x440309, -EOPNOTSUPP, "uncore's counters" },
		{ MONTECITO_PMU_REG_MSR, 0x186, 0x430308, -ENOENT, "no event" },
		{ MONTECITO_PMU_REG_MSR, 0x3b2, 0, -ENOENT, "no such register" },
		{ MONTECITO_REG_PMC, 4, 0, -ENOENT, "no such register" },
	};
	int m = timed_machine(0), v = vcpu(m, 0), off;
	struct montecito_pmu_add a = { .size = sizeof(a), .kind = MONTECITO_PMU_PEBS };
	unsigned int i;

	if (call(v, MONTECITO_PMU_ADD, &a))
		bail("PMU: %s", a.why);
	if (set_pmu(v, a.id, MONTECITO_PMU_REG_DS, 0x30, 5 * 176) ||
	    set_pmu(v, a.id, MONTECITO_PMU_REG_MSR, 0x3f1, 1))
		bail("PEBS");
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct montecito_pmu_reg reg = { bad[i].cls, bad[i].index, bad[i].value };
		struct montecito_pmu_regs r = {
			.size = sizeof(r), .id = a.id, .count = 1, .regs = (uintptr_t)&reg
		};

		is(call(v, MONTECITO_PMU_SET_REGS, &r), bad[i].err, bad[i].why);
		ok(strstr(r.why, bad[i].why), "the rule: %s", r.why);
	}
	close(v);
	close(m);
	m = machine(1, 1, 0);
	v = vcpu(m, 0);
	is(call(v, MONTECITO_PMU_ADD, &a), -EOPNOTSUPP, "PEBS without time");
	ok(strstr(a.why, "timing model"), "the rule: %s", a.why);
	a.kind = MONTECITO_PMU_MERCED;
	off = call(v, MONTECITO_PMU_ADD, &a);
	is(off, 0, "and the other kind");
	a.flags = MONTECITO_PMU_FOLLOW_PSR;
	a.kind = MONTECITO_PMU_PEBS;
	is(call(v, MONTECITO_PMU_ADD, &a), -EINVAL, "a flag of another kind");
	ok(strstr(a.why, "no such flag"), "the rule: %s", a.why);
	a.flags = MONTECITO_PMU_SAMPLE;
	a.sample_pmds = 1 << 4;
	is(call(v, MONTECITO_PMU_ADD, &a), -EINVAL, "sample_pmds of PEBS");
	close(v);
	close(m);
}

/* ProfileMe by a reload: windows of instructions of GUEST_SPIN, whose handler writes PCTR_CTL. */
static void windows(void)
{
	static const uint64_t ctl_value = ((1ULL << 20) - 100) << 28 | 0x10;
	size_t page = sysconf(_SC_PAGESIZE);
	int m = timed_machine(0), v = vcpu(m, 0);
	struct montecito_pmu_add a = { .size = sizeof(a),
				       .flags = MONTECITO_PMU_SAMPLE | MONTECITO_PMU_STOP,
				       .kind = MONTECITO_PMU_EV68A,
				       .nr_reload = 2,
				       .reload = { { MONTECITO_PMU_REG_IPR, 0x14, ctl_value },
						   { MONTECITO_PMU_REG_IPR, 0x0e, 3ULL << 29 } } };
	struct montecito_ring r = { .size = sizeof(r) };
	uint64_t at, n = 0, stops = 0;
	struct montecito_ring_page *ctl;
	struct montecito_record_pmu *s;
	struct montecito_run x;
	bool good = true;

	start(v, GUEST_SPIN);
	if (call(v, MONTECITO_RING, &r))
		bail("ring");
	ctl = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_SHARED, v, 0);
	if (ctl == MAP_FAILED)
		bail("mmap");
	if (call(v, MONTECITO_PMU_ADD, &a))
		bail("PMU: %s", a.why);
	if (set_pmu(v, a.id, MONTECITO_PMU_REG_IPR, 0x0b, 3ULL << 29) ||
	    set_pmu(v, a.id, MONTECITO_PMU_REG_IPR, 0x14, ctl_value) ||
	    set_pmu(v, a.id, MONTECITO_PMU_REG_IPR, 0x11, 0xc0001))
		bail("registers");
	do {
		run(m, 3300 - get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS), 0, &x);
		stops += x.exit.reason == MONTECITO_EXIT_PMU_BLOCK;
	} while (get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS) < 3000);
	for (at = 0; at < ctl->data_head; at += s->header.size, n++) {
		s = (void *)((char *)ctl + ctl->data_offset + at);
		good &= s->header.misc == MONTECITO_PMU_EV68A && s->ip == GUEST_SPIN &&
			s->header.size == sizeof(*s) + 24 &&
			s->cause == MONTECITO_PMU_CAUSE_WINDOW &&
			s->value[0] == (GUEST_SPIN | s->slot << 2) && (s->value[2] & 2) &&
			(s->value[2] >> 6 & 0xfffff) >= 4;
	}
	ok(n >= 20 && n == stops, "%llu windows, each of which ends RUN", (unsigned long long)n);
	ok(good, "instructions that retire, by their address");
	munmap(ctl, 2 * page);
	close(v);
	close(m);
}

/* Registers of the EV68A whose values are refused, with the rule. */
static void refused_ev68a(void)
{
	static const struct {
		uint32_t cls, index;
		uint64_t value;
		int err;
		const char *why;
	} bad[] = {
		{ MONTECITO_PMU_REG_IPR, 0x05, 0, -EPERM, "only be read" },
		{ MONTECITO_PMU_REG_IPR, 0x0d, 0, -EPERM, "only be read" },
		{ MONTECITO_PMU_REG_IPR, 0x16, 0, -EPERM, "only be read" },
		{ MONTECITO_PMU_REG_OWN, 0, 0, -EPERM, "only be read" },
		{ MONTECITO_PMU_REG_IPR, 0x14, 0xffff1ULL << 28, -EINVAL, "PCTR0 starts" },
		{ MONTECITO_PMU_REG_IPR, 0x14, 0xffffdULL << 6, -EINVAL, "PCTR1 starts" },
		{ MONTECITO_PMU_REG_IPR, 0x14, 1, -EPERM, "only be read" },
		{ MONTECITO_PMU_REG_IPR, 0x14, 1 << 27, -EPERM, "only be read" },
		{ MONTECITO_PMU_REG_IPR, 0x14, 1ULL << 63, -EPERM, "only be read" },
		{ MONTECITO_PMU_REG_IPR, 0x06, 0, -ENOENT, "no such register" },
		{ MONTECITO_PMU_REG_MSR, 0x14, 0, -ENOENT, "no such register" },
	};
	int m = timed_machine(0), v = vcpu(m, 0);
	struct montecito_pmu_add a = { .size = sizeof(a), .kind = MONTECITO_PMU_EV68A };
	unsigned int i;

	if (call(v, MONTECITO_PMU_ADD, &a))
		bail("PMU: %s", a.why);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct montecito_pmu_reg reg = { bad[i].cls, bad[i].index, bad[i].value };
		struct montecito_pmu_regs r = {
			.size = sizeof(r), .id = a.id, .count = 1, .regs = (uintptr_t)&reg
		};

		is(call(v, MONTECITO_PMU_SET_REGS, &r), bad[i].err, bad[i].why);
		ok(strstr(r.why, bad[i].why), "the rule: %s", r.why);
	}
	eq(get_pmu(v, a.id, MONTECITO_PMU_REG_IPR, 0x14), 0, "nothing is written");
	close(v);
	close(m);
	m = machine(1, 1, 0);
	v = vcpu(m, 0);
	is(call(v, MONTECITO_PMU_ADD, &a), -EOPNOTSUPP, "EV68A without time");
	ok(strstr(a.why, "timing model"), "the rule: %s", a.why);
	close(v);
	close(m);
}

int main(void)
{
	counts();
	fdinfo();
	assists();
	windows();
	refused_ev68a();
	refused_pebs();
	refused();
	refused_filters();
	records();
	described();
	return done();
}
