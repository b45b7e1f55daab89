// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random bundles, legal and illegal, in user and in system mode, on one vcpu
 * and on several, with everything a host may do in between. Built with the
 * address and undefined behaviour sanitizers; memory and package are
 * allocations of exactly their size.
 *
 * Each scenario runs five times from the same start: whole, in small slices,
 * with observers, each group the slow way (base/check.h), and with its state taken out,
 * the package thrown away and the state put back; some a sixth time, with all counted that relations between
 * events are of. All must end in the same hash and must have met the same
 * exits. Then the state is abused: blobs with flipped bytes and register
 * accesses of any kind must be refused without a trace, or be harmless.
 *
 *	fuzz_bundles [-n BUNDLES] [-s SEED] [-x SCENARIO] [-e]
 *
 * -x runs one scenario alone, as a failure names it. -e prints the state hash in which
 * each scenario's whole run ends, and tests nothing: selftests/golden/hash compares them.
 */
#include <signal.h>
#include <stdarg.h>
#include <sys/time.h>
#include <unistd.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

#include "fuzz.h"
#include "pipeline/pipeline.h"
#include "machine.h"

/* No scenario takes a tenth of this: processor time, whatever else the machine does. */
#define HANG_SECONDS 60

enum test {
	TEST_SLICES,
	TEST_OBSERVERS,
	TEST_COUNTS,
	TEST_RELATIONS,
	TEST_WAYS,
	TEST_SAVE,
	TEST_BLOBS,
	TEST_REGISTERS,
	NR_TESTS,
};

static const char *const test_names[NR_TESTS] = {
	[TEST_SLICES] = "slices of any size end in the same state",
	[TEST_OBSERVERS] = "observers change nothing",
	[TEST_COUNTS] = "observers of every instruction count every instruction",
	[TEST_RELATIONS] = "relations between events hold at every privilege level",
	[TEST_WAYS] = "the slow way ends in the same state",
	[TEST_SAVE] = "saved, put back and run on, it is the same run",
	[TEST_BLOBS] = "corrupted blobs are refused or harmless",
	[TEST_REGISTERS] = "refused register writes leave no trace",
};

static struct {
	u64 cases, failed;
} tests[NR_TESTS];

static u64 scenario;
static u64 insns; /* retired by the whole runs */

__attribute__((format(printf, 3, 4))) static void check(enum test test, bool good, const char *fmt,
							...)
{
	va_list ap;

	tests[test].cases++;
	if (good || tests[test].failed++ >= 8)
		return;
	va_start(ap, fmt);
	printf("# scenario %#llx: ", (unsigned long long)scenario);
	vprintf(fmt, ap);
	printf("\n");
	va_end(ap);
}

/* Begin to wait for @seconds of this process's time; 0: for ever. */
static void patience(time_t seconds)
{
	setitimer(ITIMER_PROF, &(struct itimerval){ .it_value.tv_sec = seconds }, NULL);
}

#ifdef __SANITIZE_ADDRESS__
static void died(void)
{
	printf("# scenario %#llx: a sanitizer's report\n", (unsigned long long)scenario);
	fflush(stdout);
}
#endif

static void hung(int sig)
{
	(void)sig;
	printf("# scenario %#llx: hangs\nnot ok - every run ends\n", (unsigned long long)scenario);
	fflush(stdout);
	_exit(1);
}

/* ---- the runs ---- */

/* Tell of the first words of @size bytes of state that differ in @y, of slices, from @x. */
static void differ(const char *how, const char *what, const void *x, const void *y, size_t size)
{
	const u64 *one = x, *two = y;
	size_t i, shown = 0;

	for (i = 0; i < size / 8 && shown < 6; i++) {
		if (one[i] == two[i])
			continue;
		shown++;
		printf("# %s: %s, byte %zu: %#llx, whole %#llx\n", how, what, i * 8,
		       (unsigned long long)two[i], (unsigned long long)one[i]);
	}
}

static void report(const struct machine *a, const struct machine *b, const char *how)
{
	unsigned int v;

	for (v = 0; v < a->pkg->nr_vcpus; v++) {
		const struct mont_thread *x = &a->pkg->thread[v], *y = &b->pkg->thread[v];
		char vcpu[16];

		snprintf(vcpu, sizeof(vcpu), "vcpu %u", v);
		differ(how, vcpu, &x->s, &y->s, sizeof(x->s));
	}
	if (a->cfg.timing) {
		const struct mont_thread *x = &a->pkg->thread[0], *y = &b->pkg->thread[0];

		differ(how, "core's time", &x->time->s, &y->time->s, sizeof(x->time->s));
		differ(how, "thread's time", &x->own.s, &y->own.s, sizeof(x->own.s));
	}
	if (memcmp(a->ram, b->ram, a->cfg.memory))
		printf("# %s: memory differs\n", how);
	if (a->trail != b->trail)
		printf("# %s: exits differ\n", how);
}

static bool same(struct machine *a, struct machine *b, const char *how, enum test test)
{
	u64 ha = mont_state_hash(a->pkg), hb = mont_state_hash(b->pkg);
	bool good = ha == hb && a->trail == b->trail;

	check(test, good, "%s: hash %#llx, whole %#llx", how, (unsigned long long)hb,
	      (unsigned long long)ha);
	if (!good && tests[test].failed <= 8)
		report(a, b, how);
	return good;
}

/* Find the first cycle of scenario @seed after which the slow way is in another state. */
static void first_difference(u64 seed, struct machine *m, struct machine *o)
{
	struct marks k = { 0 };

	machine_start(m, seed);
	m->marks = &k;
	machine_run(m, seed, RUN_MARKED);
	k.compares = true;
	machine_start(o, seed);
	o->marks = &k;
	machine_run(o, seed, RUN_MARKED | RUN_SLOW);
	if (k.stops) {
		printf("# the slow way differs from cycle %llu on, ip %#llx slot %llu\n",
		       (unsigned long long)k.cycle, (unsigned long long)k.ip,
		       (unsigned long long)k.slot);
		k = (struct marks){ .hash = k.hash, .room = k.room, .end = k.at };
		machine_start(m, seed);
		m->marks = &k;
		machine_run(m, seed, RUN_MARKED);
		report(m, o, "behind that cycle");
	} else {
		printf("# the slow way is the same cycle by cycle\n");
	}
	free(k.hash);
}

static u64 runs(u64 seed, struct machine *m, struct machine *o, bool all)
{
	unsigned int v;
	u64 bundles;

	machine_start(m, seed);
	bundles = machine_run(m, seed, 0);
	for (v = 0; v < m->pkg->nr_vcpus; v++)
		insns += m->pkg->thread[v].s.insns;

	machine_start(o, seed);
	machine_run(o, seed, RUN_SLICED);
	same(m, o, "slices", TEST_SLICES);

	machine_start(o, seed);
	machine_run(o, seed, RUN_OBSERVED | RUN_SLICED);
	same(m, o, "observers", TEST_OBSERVERS);
	check(TEST_COUNTS, o->counted, "%s", o->why);

	machine_start(o, seed);
	machine_run(o, seed, RUN_SLOW);
	if (!same(m, o, "slow way", TEST_WAYS)) {
		first_difference(seed, m, o);
		machine_start(m, seed);
		machine_run(m, seed, 0);
	}

	/* A thousand observers take their time. What either core does is not what one does. */
	if ((all || seed % 3 == 0) && m->cfg.cores == 1) {
		machine_start(o, seed);
		machine_run(o, seed, RUN_RELATED | RUN_SLICED);
		same(m, o, "relations", TEST_OBSERVERS);
		check(TEST_RELATIONS, o->related_hold, "%s", o->why);
	}

	machine_start(o, seed);
	machine_run(o, seed, RUN_SAVED);
	same(m, o, "save and load", TEST_SAVE);
	check(TEST_SAVE, o->reloaded, "a state saved is not accepted or another one when loaded");
	return bundles;
}

/* ---- abuse ---- */

/* A byte of any section, large or small alike; seldom one of its header. */
static size_t flip_at(struct rng *r, const u8 *blob, size_t size)
{
	const size_t header = 16;
	size_t at = 0, begin[24], n = 0;
	u64 len;

	for (at = 0; at < size && n < MONT_ARRAY_SIZE(begin); at += header + len) {
		begin[n++] = at;
		memcpy(&len, blob + at + 8, sizeof(len));
	}
	at = begin[below(r, n)];
	memcpy(&len, blob + at + 8, sizeof(len));
	return !len || one_in(r, 20) ? at + below(r, header) : at + header + below(r, len);
}

static void abuse_blob(struct rng *r, struct machine *m)
{
	size_t size = mont_state_size(m->pkg), len = size;
	u64 before = mont_state_hash_vcpus(m->pkg);
	u8 *blob = malloc(size);
	u8 *good = malloc(size);
	unsigned int n;
	int err;

	mont_state_save(m->pkg, blob);
	memcpy(good, blob, size);
	for (n = 1 + below(r, one_in(r, 4) ? 16 : 2); n; n--)
		blob[flip_at(r, good, size)] ^= one_in(r, 2) ? MONT_BIT(below(r, 8)) : rnd(r);
	free(good);
	if (one_in(r, 16)) {
		len = below(r, size + 1);
		blob = realloc(blob, len ? len : 1);
	}
	err = mont_state_load(m->pkg, blob, len);
	free(blob);
	check(TEST_BLOBS, !err || (err == MONT_EINVAL && len <= size), "load gives %d", err);
	check(TEST_BLOBS, len == size || err, "a blob of another length is taken");
	if (err)
		check(TEST_BLOBS, mont_state_hash_vcpus(m->pkg) == before,
		      "a refused blob changes the state");
	else
		machine_advance(m, r, 1 + below(r, 200), 0);
}

static void abuse_registers(struct rng *r, struct machine *m)
{
	struct mont_thread *t = mont_vcpu(m->pkg, below(r, m->pkg->nr_vcpus));
	u32 class = below(r, MONT_NR_REG_CLASSES + 1), index;
	u64 v[2], before = mont_state_hash_vcpus(m->pkg);
	int err;

	index = one_in(r, 8) ? value(r) : below(r, one_in(r, 2) ? 8 : 130);
	err = mont_reg_get(t, class, index, v);
	check(TEST_REGISTERS, before == mont_state_hash_vcpus(m->pkg),
	      "reading class %u index %u changes the state", class, index);
	if (err || one_in(r, 2)) {
		v[0] = value(r);
		v[1] = one_in(r, 2) ? below(r, 2) : value(r);
	}
	err = mont_reg_set(t, class, index, v);
	if (err)
		check(TEST_REGISTERS, before == mont_state_hash_vcpus(m->pkg),
		      "refused write of class %u index %u changes the state", class, index);
	if (class == MONT_REG_SPECIAL && index == MONT_SPECIAL_CYCLES)
		check(TEST_REGISTERS, err, "the cycle count can be written");
}

static void abuse(u64 seed, struct machine *m)
{
	struct rng r = { seed ^ 0xab05e };
	unsigned int n;

	machine_start(m, seed);
	machine_prepare(m, &r);
	for (n = 0; n < 120; n++) {
		switch (below(&r, 4)) {
		case 0:
			abuse_blob(&r, m);
			break;
		case 1:
			machine_meddle(m, &r);
			machine_advance(m, &r, 1 + below(&r, 100), 0);
			break;
		default:
			abuse_registers(&r, m);
			break;
		}
	}
}

static u64 run_scenario(u64 seed, bool all)
{
	struct machine m, o;
	u64 bundles;

	scenario = seed;
	patience(HANG_SECONDS);
	machine_make(&m, seed);
	machine_make(&o, seed);
	bundles = runs(seed, &m, &o, all);
	abuse(seed, &o);
	machine_free(&m);
	machine_free(&o);
	return bundles;
}

/* The whole run of scenario @seed alone; its end state goes to stdout. */
static u64 print_end(u64 seed)
{
	struct machine m;
	u64 bundles;

	scenario = seed;
	patience(HANG_SECONDS);
	machine_make(&m, seed);
	machine_start(&m, seed);
	bundles = machine_run(&m, seed, 0);
	printf("%#llx %#llx %#llx\n", (unsigned long long)seed,
	       (unsigned long long)mont_state_hash(m.pkg), (unsigned long long)m.trail);
	machine_free(&m);
	return bundles;
}

int main(int argc, char **argv)
{
	u64 want = 1000000, seed = 1, only = 0, bundles = 0, scenarios = 0, i;
	bool ends = false;
	unsigned int some, all;
	struct rng seeds;
	int opt, failed = 0;

	while ((opt = getopt(argc, argv, "n:s:x:e")) != -1) {
		switch (opt) {
		case 'n':
			want = strtoull(optarg, NULL, 0);
			break;
		case 's':
			seed = strtoull(optarg, NULL, 0);
			break;
		case 'x':
			only = strtoull(optarg, NULL, 0);
			break;
		case 'e':
			ends = true;
			break;
		default:
			fprintf(stderr,
				"usage: fuzz_bundles [-n BUNDLES] [-s SEED] [-x SCENARIO] [-e]\n");
			return 2;
		}
	}
#ifdef __SANITIZE_ADDRESS__
	__sanitizer_set_death_callback(died);
#endif
	signal(SIGPROF, hung);
	setvbuf(stdout, NULL, _IOLBF, 0);
	image_init();
	seeds.s = seed;
	if (ends) {
		while (bundles < want)
			bundles += print_end(only ? only : rnd(&seeds));
		return 0;
	}
	if (only) {
		bundles = run_scenario(only, true);
		scenarios = 1;
	} else {
		for (; bundles < want; scenarios++)
			bundles += run_scenario(rnd(&seeds), false);
	}
	patience(0);
	some = relations_checked(&all);
	printf("# %u of %u relations had counts other than 0\n", some, all);
	printf("# seed %llu: %llu bundles, %llu instructions retired, in %llu scenarios\n",
	       (unsigned long long)seed, (unsigned long long)bundles, (unsigned long long)insns,
	       (unsigned long long)scenarios);
	printf("1..%d\n", NR_TESTS);
	for (i = 0; i < NR_TESTS; i++) {
		bool good = tests[i].cases && !tests[i].failed;

		printf("%sok %llu - %s (%llu cases, %llu failed)\n", good ? "" : "not ",
		       (unsigned long long)i + 1, test_names[i], (unsigned long long)tests[i].cases,
		       (unsigned long long)tests[i].failed);
		failed |= !good;
	}
	return failed;
}
