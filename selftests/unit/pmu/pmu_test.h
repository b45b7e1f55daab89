/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tools of the PMU unit tests: TAP lines, a seeded generator, and a thread
 * that executes nothing: signals are raised by hand.
 */
#ifndef PMU_TEST_H
#define PMU_TEST_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "package/package.h"
#include "pmu/event.h"
#include "pmu/internal.h"
#include "pmu/observer.h"
#include "pmu/pmu.h"
#include "pmu/tags.h"
#include "event/raise.h"
#include "pmu/match.h"
#include "pmu/registers.h"

static int tap_number;
static int tap_failed;
static unsigned long group_cases;
static unsigned long group_failures;

/* One case of the current group; prints what @fmt says when it fails. */
__attribute__((format(printf, 2, 3))) static inline bool check(bool good, const char *fmt, ...)
{
	va_list ap;

	group_cases++;
	if (good)
		return true;
	if (group_failures++ >= 8)
		return false;
	va_start(ap, fmt);
	printf("# ");
	vprintf(fmt, ap);
	printf("\n");
	va_end(ap);
	return false;
}

/* End of a group of checks. A group without cases has failed. */
static inline void group(const char *name)
{
	bool good = group_cases && !group_failures;

	printf("%sok %d - %s (%lu cases, %lu failed)\n", good ? "" : "not ", ++tap_number, name,
	       group_cases, group_failures);
	tap_failed += !good;
	group_cases = 0;
	group_failures = 0;
	fflush(stdout);
}

static inline int tap_end(void)
{
	printf("1..%d\n", tap_number);
	return tap_failed ? 1 : 0;
}

static u64 rnd_state = 0x9e3779b97f4a7c15ULL;

static inline u64 rnd(void)
{
	u64 z = rnd_state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static inline u64 rnd_below(u64 n)
{
	return rnd() % n;
}

#define CODE_INST 0x08
#define CODE_CPL 0x13
#define CODE_NOPS 0x50
#define CODE_SQUASHED 0x51
#define CODE_BR 0x5b
#define CODE_LOADS 0xcd
#define CODE_STORES 0xd1
#define CODE_INTG 0xd8

#define PMC(code, umask, rest) ((u64)(code) << 8 | (u64)(umask) << 16 | (rest))
#define PLM_ALL 0xfULL
#define OI 0x20ULL
#define PM 0x40ULL
#define THRESHOLD(n) ((u64)(n) << 20)
#define ALL_THREADS 0x4000000ULL
#define CARRY (1ULL << 47)

/* The thread's current bundle and memory that holds nothing but bundles. */
static u64 test_ram[512];
static struct mont_bundle test_bundle;

static inline struct mont_thread *new_thread(u32 threads)
{
	static struct mont_package *pkg;
	struct mont_thread *t;

	if (!pkg)
		pkg = malloc(sizeof(*pkg));
	/* The cache of decoded bundles plays no part. */
	memset(pkg, 0, offsetof(struct mont_package, bundle));
	pkg->cfg.cores = 1;
	pkg->cfg.threads = threads;
	t = &pkg->thread[0];
	t->fetch_host = (u8 *)test_ram;
	t->pkg = pkg;
	t->work = &pkg->work;
	pkg->work.attn = &t->attn;
	t->cur = &test_bundle;
	t->retire_from = 3; /* no run loop that has instructions to retire */
	test_bundle.tag = 1;
	mont_pmu_reset(t);
	return t;
}

/* A reference to @size bytes at @va of a kind (MONT_DATA_*) raises @sig. */
static inline void raise_ref(struct mont_thread *t, enum mont_signal sig, u64 va, u32 size,
			     u32 kind)
{
	struct mont_ref ref = { .va = va, .pa = MONT_PA_NONE, .size = size, .kind = kind };

	mont_signal_ref(t, sig, &ref);
}

/* In the attribute of a branch below: it is taken; the rest is its type. */
#define BRANCH_TAKEN 4

/*
 * @sig with the value @n: @attr is the attribute word, a branch's type, or the
 * address of a reference of kind @kind.
 */
static inline void raise_any(struct mont_thread *t, enum mont_signal sig, u64 n, u64 attr, u32 kind)
{
	switch (mont_signal_kind(sig)) {
	case MONT_ATTR_DATA:
		raise_ref(t, sig, attr, 1, kind);
		break;
	case MONT_ATTR_BRANCH:
		mont_signal_branch(t, attr & 3, 0, attr & BRANCH_TAKEN);
		break;
	default:
		mont_signal_n(t, sig, n, attr);
		break;
	}
}

/* Raise @sig for the instruction in t->sig_slot of test_bundle, which may have been tagged. */
static inline void raise_tagged(struct mont_thread *t, enum mont_signal sig, u64 n, u64 attr,
				u32 kind)
{
	if (t->tagged)
		mont_tags_slot(t, t->sig_slot);
	raise_any(t, sig, n, attr, kind);
}

/*
 * test_bundle is the bundle at IP, with the tag @tag, and holds nops in @nops, bit n
 * for slot n. Tag it, as the run loop does, where that can be.
 */
static inline bool tag_bundle(struct mont_thread *t, u64 tag, unsigned int nops)
{
	unsigned int slot, before = 0;

	test_bundle.tag = tag;
	test_bundle.nr = (mont_fetch_raw(t)[0] & 30) == 4 ? 2 : 3;
	test_bundle.nops = 0;
	memset(test_bundle.at, MONT_SLOT_NOP, sizeof(test_bundle.at));
	for (slot = 0; slot < 4; slot++) {
		test_bundle.nops |= before << 2 * slot;
		before += nops >> slot & 1;
	}
	if (!mont_tagging(t) || !mont_tags_ready(t, &test_bundle))
		return false;
	t->pmu.tags.room--;
	return mont_tags_begin(t, &test_bundle);
}

/* Retire the tagged instructions up to @slot, from slot @from on. */
static inline void retire_tagged(struct mont_thread *t, unsigned int from, unsigned int slot)
{
	t->retire_from = from;
	mont_retire_upto(t, slot);
	t->retire_from = 3;
}

/* The rest of an issue group: @n instructions retire, and it ends. */
static inline void retire(struct mont_thread *t, unsigned int n, u64 slots)
{
	mont_signal_n(t, MONT_SIG_INST_RETIRED, n, slots);
	mont_group_end(t);
}

/* Change PSR as the run loop does when PSR.cpl changes. */
static inline void set_psr(struct mont_thread *t, u64 psr)
{
	mont_signals_fold(t);
	t->s.psr = psr;
	t->cpl = psr >> MONT_PSR_CPL_SHIFT & 3;
	mont_signals_arm(t);
}

#endif
