// SPDX-License-Identifier: GPL-2.0-only
/*
 * Guests, and callers with as many observers as they may have, that want to keep
 * the CPU, with time and without. While each runs: it dies of SIGKILL within 100 ms; no
 * slice does more work than INFO says, or takes more than 4 ms; another task is let run,
 * and the RCU's grace periods end; no generic netlink request waits, of this machine's
 * readers or others. On a slower processor, or an emulated one, times are longer by as
 * much as a plain loop takes longer.
 *
 * Each slice is measured by itself. The host may take the processor away in the middle of
 * one, which makes it longer and never shorter: the shortest quarter of a round is within the
 * bound and what a slice of a plain guest beside each of them takes beyond the shortest of
 * those. A host that spoils more than that does so for a while, so such a round is had again;
 * a guest whose slices are too long has them in each round. None of any round takes longer
 * than five seconds and the longest plain one.
 *
 *	EXACT=1		the clock goes by instructions, a nanosecond for each (VM_ICOUNT of
 *			tools/vm/run): the first round counts, every slice, grace period and
 *			death is within its bound, and no bound is longer
 */
#include <linux/genetlink.h>
#include <linux/membarrier.h>
#include <linux/montecito_netlink.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "kselftest_harness.h"

#include "common.h"
#include "genl.h"
#include "hostile.h"

/* A second, or as much longer as this kernel and processor are slower. */
static double prompt;
static bool exact;

static __attribute__((constructor)) void calibrate(void)
{
	exact = getenv("EXACT");
	prompt = exact ? 1 : promptly();
}

/* Other tasks' calls, and the longest of all slices: patience(). */
#define KEPT (exact ? prompt : PATIENCE * prompt)
/* Until a guest does what it is for, in microseconds: a busy host leaves it less of a processor. */
#define BEGUN (exact ? 30000 : 300000)
#define BEGUN_ANEW (exact ? 5000 : 50000)
/* The median of what another task waits for its turn after a sleep. */
#define TURN (0.1 * prompt)
/* A slice; from SIGKILL to death; a grace period: of the latter two the fastest of some, or all. */
#define SLICE (0.004 * prompt)
#define KILLED (0.1 * prompt)
#define GRACE (0.1 * prompt)

FIXTURE(hostile)
{
	pid_t pid;
	int m;
	uint32_t id;
	struct genl g;
};

FIXTURE_VARIANT(hostile)
{
	const char *guest;
};

/* clang-format off */
FIXTURE_VARIANT_ADD(hostile, rse) { "rse" };
FIXTURE_VARIANT_ADD(hostile, rse_sampled) { "rse_sampled" };
FIXTURE_VARIANT_ADD(hostile, rse_counted) { "rse_counted" };
FIXTURE_VARIANT_ADD(hostile, rse_observed) { "rse_observed" };
FIXTURE_VARIANT_ADD(hostile, far_timer_alone) { "far_timer_alone" };
FIXTURE_VARIANT_ADD(hostile, near_timer_sampled) { "near_timer_sampled" };
FIXTURE_VARIANT_ADD(hostile, purge) { "purge" };
FIXTURE_VARIANT_ADD(hostile, purge_sampled) { "purge_sampled" };
FIXTURE_VARIANT_ADD(hostile, insns_sampled) { "insns_sampled" };
FIXTURE_VARIANT_ADD(hostile, modify) { "modify" };
FIXTURE_VARIANT_ADD(hostile, fault) { "fault" };
FIXTURE_VARIANT_ADD(hostile, unmapped) { "unmapped" };
FIXTURE_VARIANT_ADD(hostile, walk) { "walk" };
FIXTURE_VARIANT_ADD(hostile, walk_sampled) { "walk_sampled" };
FIXTURE_VARIANT_ADD(hostile, timer) { "timer" };
FIXTURE_VARIANT_ADD(hostile, advanced) { "advanced" };
FIXTURE_VARIANT_ADD(hostile, timed_sums) { "timed_sums" };
FIXTURE_VARIANT_ADD(hostile, timed_tag_sets) { "timed_tag_sets" };
FIXTURE_VARIANT_ADD(hostile, timed_thresholds) { "timed_thresholds" };
FIXTURE_VARIANT_ADD(hostile, timed_sums_sampled) { "timed_sums_sampled" };
FIXTURE_VARIANT_ADD(hostile, timed_cycles_sampled) { "timed_cycles_sampled" };
FIXTURE_VARIANT_ADD(hostile, timed_pmds) { "timed_pmds" };
FIXTURE_VARIANT_ADD(hostile, timed_pmcs) { "timed_pmcs" };
FIXTURE_VARIANT_ADD(hostile, timed_rse) { "timed_rse" };
FIXTURE_VARIANT_ADD(hostile, timed_walk) { "timed_walk" };
/* clang-format on */

/* Another process in which @m runs. */
static pid_t runner(int m)
{
	pid_t pid = fork();
	long ret;

	if (pid)
		return pid;
	do {
		ret = run(m, 0, 0, NULL);
	} while (!ret);
	bail("run: %s", strerror(-ret));
}

FIXTURE_SETUP(hostile)
{
	genl_open(&self->g);
	self->m = hostile_machine(variant->guest);
	self->id = machine_id(self->m);
	self->pid = runner(self->m);
	usleep(BEGUN);
}

/*
 * The most work of any slice: no more than there may be, and more than that of a few
 * instructions. How much a slice of a millisecond does depends on the host.
 */
static void bounded(struct __test_metadata *_metadata, int m)
{
	struct montecito_machine_info i = { .size = sizeof(i) };
	struct montecito_info limit = { .size = sizeof(limit) };
	int dev = open_device();

	EXPECT_EQ(0, call(dev, MONTECITO_INFO, &limit));
	EXPECT_EQ(0, call(m, MONTECITO_MACHINE_INFO, &i));
	EXPECT_LE(i.work, limit.work);
	EXPECT_GT(i.work, limit.work / 1024);
	TH_LOG("work of a slice: %llu of %llu", (unsigned long long)i.work,
	       (unsigned long long)limit.work);
	close(dev);
}

FIXTURE_TEARDOWN(hostile)
{
	int status;
	double t;

	bounded(_metadata, self->m);
	/* The guest still runs: the measurements were made beside it. */
	EXPECT_EQ(0, waitpid(self->pid, &status, WNOHANG));
	t = now();
	kill(self->pid, SIGKILL);
	EXPECT_EQ(self->pid, waitpid(self->pid, &status, 0));
	t = now() - t;
	EXPECT_LT(t, KEPT);
	TH_LOG("killed in %.0f ms of %.0f", t * 1000, KEPT * 1000);
	bounded(_metadata, self->m);
	genl_close(&self->g);
	close(self->m);
}

static int by_value(const void *a, const void *b)
{
	double d = *(const double *)a - *(const double *)b;

	return (d > 0) - (d < 0);
}

/* Another task. */
static void others_run(struct __test_metadata *_metadata)
{
	double late[50];
	int i;

	for (i = 0; i < 50; i++) {
		double t = now();

		usleep(1000);
		late[i] = now() - t - 0.001;
	}
	qsort(late, i, sizeof(late[0]), by_value);
	EXPECT_LT(late[25], TURN);
	EXPECT_LT(late[49], KEPT);
}

#define GRACES 5

/* Grace periods, which wait for all processors; and the death of a process. */
static void ends(struct __test_metadata *_metadata, int m, pid_t *pid)
{
	double grace[GRACES], killed[GRACES];
	int i, status;

	for (i = 0; i < GRACES; i++) {
		double t = now();

		/* A kernel for one processor has not got it, and nothing to wait for. */
		if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0)) {
			EXPECT_EQ(ENOSYS, errno);
			EXPECT_EQ(1, sysconf(_SC_NPROCESSORS_CONF));
		}
		grace[i] = now() - t;
	}
	for (i = 0; i < GRACES; i++) {
		double t = now();

		kill(*pid, SIGKILL);
		EXPECT_EQ(*pid, waitpid(*pid, &status, 0));
		killed[i] = now() - t;
		*pid = runner(m);
		usleep(BEGUN_ANEW);
	}
	/* The fastest, where something else may have had the processor in the others. */
	qsort(grace, i, sizeof(grace[0]), by_value);
	qsort(killed, i, sizeof(killed[0]), by_value);
	i = exact ? i - 1 : 0;
	EXPECT_LT(grace[i], GRACE);
	EXPECT_LT(killed[i], KILLED);
	TH_LOG("grace period %.1f ms of %.0f, killed in %.1f ms of %.0f", grace[i] * 1000,
	       GRACE * 1000, killed[i] * 1000, KILLED * 1000);
}

/* Generic netlink of other families, and this machine's. */
static void netlink_answers(struct __test_metadata *_metadata, struct genl *g, uint32_t id)
{
	struct genl_message r;
	double t;
	int i;

	for (i = 0; i < 5; i++) {
		t = now();
		genl_begin(&r, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 0);
		mnl_attr_put_strz(&r.h, CTRL_ATTR_FAMILY_NAME, "nlctrl");
		EXPECT_EQ(1, genl_talk(g, &r));
		EXPECT_LT(now() - t, KEPT);
		t = now();
		genl_begin(&r, g->family, MONTECITO_NL_CMD_VCPU_GET, 0);
		mnl_attr_put_u32(&r.h, MONTECITO_NL_A_MACHINE, id);
		mnl_attr_put_u32(&r.h, MONTECITO_NL_A_VCPU, 0);
		EXPECT_EQ(1, genl_talk(g, &r));
		EXPECT_LT(now() - t, KEPT);
		t = now();
		genl_begin(&r, g->family, MONTECITO_NL_CMD_MACHINE_GET, NLM_F_DUMP);
		EXPECT_GE(genl_talk(g, &r), 1);
		EXPECT_LT(now() - t, KEPT);
	}
}

TEST_F_TIMEOUT(hostile, others_go_on, 1800)
{
	others_run(_metadata);
	netlink_answers(_metadata, &self->g, self->id);
	ends(_metadata, self->m, &self->pid);
}

/* Tests that have the processor to themselves, or share it with their own tasks alone. */
FIXTURE(alone){};

FIXTURE_SETUP(alone)
{
}

FIXTURE_TEARDOWN(alone)
{
}

#define CALLS 30
/* Other work keeps a host busy for seconds: so many rounds may pass before a quiet one. */
#define ROUNDS 20
/* Writers that are killed, with one call each at least, however many there have been. */
#define WRITERS 4
/* When the signal comes, in microseconds: in the first slice, and behind those of a millisecond. */
#define SOON 300
#define AS_LONG 1500

/* Slices of a round, and those of a plain guest beside them. */
struct times {
	int m, plain;
	unsigned int nr;
	double slice[CALLS + WRITERS], beside[CALLS + WRITERS];
	double insn[CALLS + WRITERS]; /* of the plain guest, in seconds */
	double worst, worst_beside; /* of all rounds */
};

static void times_begin(struct times *t, int m)
{
	int v;

	memset(t, 0, sizeof(*t));
	t->m = m;
	t->plain = machine(1, 1, 0);
	v = vcpu(t->plain, 0);
	start(v, GUEST_SPIN);
	close(v);
}

/*
 * Behind a sleep both begin with a turn of the host's own scheduler before them.
 *
 * Return: how many instructions the machine executed.
 */
static uint64_t measure(struct times *t)
{
	uint64_t insns;

	usleep(1000);
	t->beside[t->nr] = hostile_call(t->plain, AS_LONG, &insns);
	t->insn[t->nr] = t->beside[t->nr] / (insns + 1);
	usleep(1000);
	t->slice[t->nr++] = hostile_call(t->m, SOON, &insns);
	return insns;
}

/*
 * End a round, on a host that may have become busier since the start: by the plain guest's
 * instructions, not by its slices, which are of this module too.
 *
 * Return: a quarter of its slices, or all, are as short as they are to be.
 */
static bool round_ends(struct __test_metadata *_metadata, struct times *t, const char *what)
{
	unsigned int last = t->nr - 1, quarter = t->nr / 4;
	double *slice = t->slice, *beside = t->beside, limit, busy;

	qsort(t->insn, t->nr, sizeof(t->insn[0]), by_value);
	busy = promptly_at(t->insn[t->nr / 2]);
	limit = exact || busy < prompt ? SLICE : SLICE * busy / prompt;
	qsort(slice, t->nr, sizeof(slice[0]), by_value);
	qsort(beside, t->nr, sizeof(beside[0]), by_value);
	TH_LOG("%s: %u slices, median %.2f ms (plain %.2f), a quarter %.2f of %.2f (%.2f), worst %.2f (%.2f)",
	       what, t->nr, slice[t->nr / 2] * 1000, beside[t->nr / 2] * 1000,
	       slice[quarter] * 1000, limit * 1000, (beside[quarter] - beside[0]) * 1000,
	       slice[last] * 1000, beside[last] * 1000);
	t->worst = slice[last] > t->worst ? slice[last] : t->worst;
	t->worst_beside = beside[last] > t->worst_beside ? beside[last] : t->worst_beside;
	t->nr = 0;
	return exact ? slice[last] < limit : slice[quarter] < limit + beside[quarter] - beside[0];
}

static void times_end(struct __test_metadata *_metadata, struct times *t, int rounds)
{
	EXPECT_LT(rounds, exact ? 1 : ROUNDS);
	EXPECT_LT(t->worst, exact ? SLICE : KEPT + t->worst_beside);
	close(t->plain);
}

TEST_F_TIMEOUT(alone, slices, 3000)
{
	const char *name;
	int n, rounds;

	TH_LOG("times are longer by a factor of %.2f", prompt);
	for (n = 0; (name = hostile_name(n)); n++) {
		int m = hostile_machine(name);
		struct times t;

		times_begin(&t, m);
		for (rounds = 0; rounds < ROUNDS; rounds++) {
			while (t.nr < CALLS)
				measure(&t);
			if (round_ends(_metadata, &t, name))
				break;
		}
		times_end(_metadata, &t, rounds);
		bounded(_metadata, m);
		hostile_close(m);
	}
}

#define PAGE 4096UL
#define MANY (256UL << 20)
#define CHUNK (1UL << 20)
#define PSR_CPL (3ULL << 32)

static long write_memory(int m, uint64_t addr, const void *data, uint64_t length)
{
	struct montecito_mem mem = {
		.size = sizeof(mem),
		.addr = addr,
		.length = length,
		.data = (uintptr_t)data,
	};

	return call(m, MONTECITO_MEM_WRITE, &mem);
}

/* Code for so much memory, whose last bundle but one is that of the image at @last. */
static void fill_code(unsigned char *code, unsigned long last)
{
	unsigned long at;

	for (at = 0; at < CHUNK; at += PAGE)
		memcpy(code + at, hostile_image + (at + 2 * PAGE < CHUNK ? HOSTILE_PAGES : last),
		       HOSTILE_BUNDLE);
}

static const struct montecito_snapshot *snapshot(int m)
{
	void *page = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, m,
			  MONTECITO_MMAP_SNAPSHOT);

	if (page == MAP_FAILED)
		bail("snapshot: %s", strerror(errno));
	return page;
}

#define LISTENERS 100

/*
 * Another process that has the machine's lock nearly all of the time, once it is *@holding
 * and until *@stop: it changes the level in every second write of a batch, which is something
 * new to each of many observers.
 */
static pid_t holder(int m, volatile int *stop, volatile int *holding)
{
	struct montecito_observer_add a = {
		.size = sizeof(a),
		.filter = { .code = EVENT_INST_RETIRED, .plm = 1 },
	};
	static struct montecito_reg reg[1024];
	struct montecito_regs r = { .size = sizeof(r), .count = 1024, .regs = (uintptr_t)reg };
	pid_t pid = fork();
	int i, v;

	if (pid)
		return pid;
	v = vcpu(m, 0);
	for (i = 0; i < LISTENERS; i++)
		call(v, MONTECITO_OBSERVER_ADD, &a);
	for (i = 0; i < 1024; i++) {
		reg[i] = (struct montecito_reg){ .cls = MONTECITO_REG_SPECIAL,
						 .index = MONTECITO_SPECIAL_PSR };
		reg[i].value[0] = get(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR) |
				  (i & 1 ? 0 : PSR_CPL);
	}
	*holding = 1;
	while (!*stop)
		call(v, MONTECITO_SET_REGS, &r);
	_exit(0);
}

/*
 * Another process is killed that is in the middle of writing @code to the last pages, while
 * the machine's lock is another one's. Then the machine runs until it executes something,
 * which is what is in memory now.
 *
 * Return: in how many calls of RUN there were slices, and nothing was executed.
 */
static int kill_a_writer(struct __test_metadata *_metadata, struct times *t, int v,
			 const unsigned char *memory, unsigned char *code)
{
	volatile int *stop =
		mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	const struct montecito_snapshot *s = snapshot(t->m);
	int status, other, pieces = 0;
	uint64_t turns[2], insns;
	pid_t holds, writes;
	uint32_t seq;

	writes = fork();
	if (!writes) {
		blocking_page(code + CHUNK - PAGE);
		write_memory(t->m, MANY - CHUNK, code, CHUNK);
		_exit(1);
	}
	usleep(50000 * prompt);
	holds = holder(t->m, stop, stop + 1);
	while (!stop[1])
		usleep(1000);
	kill(writes, SIGKILL);
	EXPECT_EQ(writes, waitpid(writes, &status, 0));
	/* The guest ends by itself: a batch that is given up is undone, and all is decoded anew. */
	*stop = 1;
	EXPECT_EQ(holds, waitpid(holds, &status, 0));
	do {
		seq = s->seq;
		insns = measure(t);
		/* RUN publishes twice, and each slice. */
		pieces += !insns && (s->seq - seq) / 2 > 2;
	} while (!insns && t->nr < CALLS);
	other = !memcmp(memory, hostile_image + HOSTILE_OTHER, HOSTILE_BUNDLE);
	turns[0] = get(v, MONTECITO_REG_GR, 9 + other);
	turns[1] = get(v, MONTECITO_REG_GR, 10 - other);
	EXPECT_EQ(0, run(t->m, 300, 0, NULL));
	EXPECT_GT(get(v, MONTECITO_REG_GR, 9 + other), turns[0]);
	EXPECT_EQ(turns[1], get(v, MONTECITO_REG_GR, 10 - other));
	munmap((void *)s, sysconf(_SC_PAGESIZE));
	munmap((void *)stop, PAGE);
	return pieces;
}

/*
 * A writer of code that is killed before it has the machine's lock cannot say what it has
 * written. All decoded code of all memory is forgotten then, in slices as all else: no call
 * keeps its caller, and the guest executes what is in memory.
 */
TEST_F_TIMEOUT(alone, forgets, 1800)
{
	static unsigned char code[3][CHUNK] __attribute__((aligned(PAGE)));
	int dev = open_device(), m = create(dev, 1, 1, 0, MANY), v, n, rounds, pieces, most = 0;
	const unsigned char *memory;
	struct times t;
	uint64_t at;

	ASSERT_GE(m, 0);
	v = vcpu(m, 0);
	memory = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, m, MANY - 2 * PAGE);
	ASSERT_NE(MAP_FAILED, memory);
	fill_code(code[0], HOSTILE_LAST);
	fill_code(code[1], HOSTILE_OTHER);
	fill_code(code[2], HOSTILE_PAGES);
	for (at = 0; at < MANY - CHUNK; at += CHUNK)
		ASSERT_EQ(0, write_memory(m, at, code[2], CHUNK));
	ASSERT_EQ(0, write_memory(m, at, code[0], CHUNK));
	start(v, 0);
	/* Something decoded in each page */
	ASSERT_EQ(0, run(m, 3 * (MANY / PAGE + 10), 0, NULL));
	ASSERT_EQ(MANY / PAGE - 2, get(v, MONTECITO_REG_GR, 8));
	times_begin(&t, m);
	for (rounds = 0; rounds < ROUNDS; rounds++) {
		for (n = 0; n < WRITERS; n++) {
			pieces = kill_a_writer(_metadata, &t, v, memory, code[n & 1]);
			most = pieces > most ? pieces : most;
		}
		if (round_ends(_metadata, &t, "a writer killed") && most)
			break;
	}
	times_end(_metadata, &t, rounds);
	TH_LOG("%lu MiB of code forgotten, in %d calls that did nothing else", MANY >> 20, most);
	EXPECT_GT(most, 0);
	munmap((void *)memory, PAGE);
	close(v);
	close(m);
	close(dev);
}

#define BATCH 1024

/* As many registers as there may be in one call, beside as many observers. */
TEST_F_TIMEOUT(alone, batches, 1200)
{
	static const struct {
		const char *name;
		uint32_t cls;
		uint32_t index;
		uint64_t value[2];
	} batches[] = {
		{ "PMC4", MONTECITO_REG_PMC, 4, { 0x3e80000f | 0x12 << 8, 0x3e80000f | 0x8 << 8 } },
		{ "PMD4", MONTECITO_REG_PMD, 4, { 1, 2 } },
		{ "IBR0", MONTECITO_REG_IBR, 0, { 0x10000, 0x20000 } },
		/* Level 0 and level 3. */
		{ "PSR", MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR, { 4, 4 | 3ULL << 32 } },
	};
	int m = hostile_machine("timed_tag_sets"), v = vcpu(m, 0), i, k, n;
	static struct montecito_reg reg[BATCH];
	struct montecito_regs r = { .size = sizeof(r), .count = BATCH, .regs = (uintptr_t)reg };

	for (k = 0; k < (int)(sizeof(batches) / sizeof(batches[0])); k++) {
		double best = 1e9;

		for (i = 0; i < BATCH; i++)
			reg[i] = (struct montecito_reg){ .cls = batches[k].cls,
							 .index = batches[k].index,
							 .value = { batches[k].value[i & 1] } };
		for (n = 0; n < 5; n++) {
			double t = now();

			EXPECT_EQ(0, call(v, MONTECITO_SET_REGS, &r));
			t = now() - t;
			best = t < best ? t : best;
		}
		EXPECT_LT(best, KILLED);
		TH_LOG("%d writes of %s: %.2f ms of %.0f", BATCH, batches[k].name, best * 1000,
		       KILLED * 1000);
	}
	close(v);
	close(m);
}

#define SHARED 3 /* seconds */

/* As many of the worst guests as there are processors leave a fifth of one to another task. */
TEST_F_TIMEOUT(alone, somebody_else, 1200)
{
	long nr = sysconf(_SC_NPROCESSORS_ONLN), i;
	struct rusage before, after;
	volatile uint64_t word = 0;
	pid_t pid[64];
	double t;

	if (nr > 64)
		nr = 64;
	for (i = 0; i < nr; i++)
		pid[i] = runner(hostile_machine("timed_tag_sets"));
	usleep(100000);
	getrusage(RUSAGE_SELF, &before);
	for (t = now(); now() - t < SHARED;)
		word++;
	t = now() - t;
	getrusage(RUSAGE_SELF, &after);
	t = (after.ru_utime.tv_sec - before.ru_utime.tv_sec +
	     (after.ru_utime.tv_usec - before.ru_utime.tv_usec) / 1e6 + after.ru_stime.tv_sec -
	     before.ru_stime.tv_sec + (after.ru_stime.tv_usec - before.ru_stime.tv_usec) / 1e6) /
	    t;
	EXPECT_GT(t, 0.2);
	TH_LOG("%ld attackers leave %.0f %% of a processor", nr, t * 100);
	for (i = 0; i < nr; i++) {
		kill(pid[i], SIGKILL);
		waitpid(pid[i], NULL, 0);
	}
}

/* None is left out. */
TEST(every_guest)
{
	static const struct __fixture_variant_metadata *v;
	int variants = 0, n = 0;

	for (v = _hostile_fixture_object.variant; v; v = v->next)
		variants++;
	while (hostile_name(n))
		n++;
	EXPECT_EQ(n, variants);
}

TEST_HARNESS_MAIN
