// SPDX-License-Identifier: GPL-2.0-only
/*
 * race_test [CALL...]
 *
 * Any two calls meet, of those named or of all: each pair of commands, mappings and generic netlink requests is
 * made over and over by two threads on the same machine. Each call succeeds, or says
 * that another one is in its way. What one of them saw of the other's work in
 * between, the data race detector says, where the kernel has it; this makes them meet
 * often enough for that.
 *
 *	MEET_MS=N	how long each pair does
 */
#define _GNU_SOURCE
#include <linux/montecito_netlink.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common.h"
#include "errnos.h"
#include "genl.h"

#define RING_ORDER 1
#define PAGE (sysconf(_SC_PAGESIZE))

/* One of the two: its own arguments and sockets, files and mappings of both. */
struct side {
	struct ctx c;
	struct genl g;
	struct genl_message message;
	uint32_t machine;
	volatile uint64_t *memory;
	volatile struct montecito_ring_page *ring;
	const volatile struct montecito_snapshot *snapshot;
	uint64_t seen;
};

/* A call, and how often it has ended how. */
struct op {
	const char *name;
	long (*fn)(struct side *s, const struct op *op);
	uint8_t cmd; /* of generic netlink */
	const struct command *k; /* of ioctl() */
	unsigned long good, busy, wrong;
	long other; /* what a wrong one returned */
};

static const struct command *command(unsigned int cmd)
{
	unsigned int i;

	for (i = 0; i < nr_commands; i++)
		if (commands[i].cmd == cmd)
			return &commands[i];
	bail("no command %#x", cmd);
}

static long remove_observer(struct side *s, uint32_t id)
{
	struct montecito_observer_del del = { .size = sizeof(del), .id = id };
	long ret;

	do
		ret = call(s->c.fd[VCPU], MONTECITO_OBSERVER_DEL, &del);
	while (ret == -EBUSY);
	return ret;
}

static long add_pmu(struct side *s, uint32_t *id)
{
	struct montecito_pmu_add add = { .size = sizeof(add), .kind = MONTECITO_PMU_MERCED };
	long ret = call(s->c.fd[VCPU], MONTECITO_PMU_ADD, &add);

	*id = add.id;
	return ret;
}

static long remove_pmu(struct side *s, uint32_t id)
{
	struct montecito_pmu_del del = { .size = sizeof(del), .id = id };
	long ret;

	do
		ret = call(s->c.fd[VCPU], MONTECITO_PMU_DEL, &del);
	while (ret == -EBUSY);
	return ret;
}

static long by_ioctl(struct side *s, const struct op *op)
{
	const struct command *k = op->k;
	uint32_t id;
	long ret;

	if (k->cmd == MONTECITO_OBSERVER_DEL) {
		ret = observer(s->c.fd[VCPU], EVENT_INST_RETIRED, 0, &id);
		return ret ? ret : remove_observer(s, id);
	}
	if (k->cmd == MONTECITO_PMU_DEL || k->cmd == MONTECITO_PMU_GET_REGS ||
	    k->cmd == MONTECITO_PMU_SET_REGS) {
		ret = add_pmu(s, &id);
		if (ret || k->cmd == MONTECITO_PMU_DEL)
			return ret ? ret : remove_pmu(s, id);
	}
	good(&s->c, k);
	if (k->cmd == MONTECITO_PMU_GET_REGS || k->cmd == MONTECITO_PMU_SET_REGS)
		s->c.a.pmu_regs.id = id;
	if (k->cmd == MONTECITO_RUN)
		s->c.a.run.insns = 300; /* a few samples */
	ret = call(s->c.fd[k->kind], k->cmd, s->c.arg);
	switch (k->cmd) {
	case MONTECITO_CREATE:
	case MONTECITO_VCPU:
		return ret < 0 ? ret : close(ret);
	case MONTECITO_OBSERVER_ADD:
		return ret ? ret : remove_observer(s, s->c.a.observer_add.id);
	case MONTECITO_PMU_ADD:
		return ret ? ret : remove_pmu(s, s->c.a.pmu_add.id);
	case MONTECITO_PMU_GET_REGS:
	case MONTECITO_PMU_SET_REGS:
		return remove_pmu(s, id) ?: ret;
	case MONTECITO_RING:
		return ret == -EEXIST ? 0 : ret;
	}
	return ret;
}

static long by_netlink(struct side *s, const struct op *op)
{
	struct genl_message *r = &s->message;
	struct nlattr *nest;
	bool sets = op->cmd == MONTECITO_NL_CMD_PMD_SET || op->cmd == MONTECITO_NL_CMD_PMC_SET;

	genl_begin(r, s->g.family, op->cmd, 0);
	mnl_attr_put_u32(&r->h, MONTECITO_NL_A_MACHINE, s->machine);
	if (op->cmd != MONTECITO_NL_CMD_MACHINE_GET)
		mnl_attr_put_u32(&r->h, MONTECITO_NL_A_VCPU, 0);
	if (sets || op->cmd == MONTECITO_NL_CMD_PMD_GET || op->cmd == MONTECITO_NL_CMD_PMC_GET) {
		nest = mnl_attr_nest_start(&r->h, MONTECITO_NL_A_REG);
		mnl_attr_put_u32(&r->h, MONTECITO_NL_REG_INDEX, 9);
		if (sets)
			mnl_attr_put_u64(&r->h, MONTECITO_NL_REG_VALUE, 0);
		mnl_attr_nest_end(&r->h, nest);
	}
	return genl_talk(&s->g, r);
}

static long by_memory(struct side *s, const struct op *op)
{
	(void)op;
	s->seen += s->memory[0x40000 / 8];
	s->memory[0x40008 / 8] = s->seen;
	return 0;
}

/* All there is, at once. */
static long by_ring(struct side *s, const struct op *op)
{
	struct pollfd p = { .fd = s->c.fd[VCPU], .events = POLLIN };
	uint64_t head;

	(void)op;
	if (poll(&p, 1, 0) < 0 || (p.revents & (POLLERR | POLLNVAL)))
		return -EIO;
	head = __atomic_load_n(&s->ring->data_head, __ATOMIC_ACQUIRE);
	s->seen += s->ring->lost;
	__atomic_store_n(&s->ring->data_tail, head, __ATOMIC_RELEASE);
	return 0;
}

static long by_snapshot(struct side *s, const struct op *op)
{
	(void)op;
	s->seen += s->snapshot->seq;
	return 0;
}

static long by_mmap(struct side *s, const struct op *op)
{
	volatile char *p =
		mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED, s->c.fd[MACHINE], 0);

	(void)op;
	if (p == MAP_FAILED)
		return -errno;
	p[MEMORY - 1] = p[0x40000];
	return munmap((void *)p, MEMORY);
}

#define MAX_OPS 64
static struct op ops[MAX_OPS] = {
#define NL(name)                                                                        \
	{                                                                               \
		"netlink " #name, by_netlink, MONTECITO_NL_CMD_##name, NULL, 0, 0, 0, 0 \
	}
	NL(MACHINE_GET),
	NL(VCPU_GET),
	NL(PMC_GET),
	NL(PMC_SET),
	NL(PMD_GET),
	NL(PMD_SET),
	NL(PAL_PERF_MON_INFO_GET),
	NL(CYCLES_GET),
	{ "guest memory", by_memory, 0, NULL, 0, 0, 0, 0 },
	{ "ring", by_ring, 0, NULL, 0, 0, 0, 0 },
	{ "snapshot", by_snapshot, 0, NULL, 0, 0, 0, 0 },
	{ "mmap", by_mmap, 0, NULL, 0, 0, 0, 0 },
};

static unsigned int nr_ops;

/* The pair that meets now. */
static struct op *pair[2];
static struct side sides[2];
static pthread_barrier_t begin, end;
static volatile bool stop;
static volatile bool finished;

static void *one_side(void *arg)
{
	struct side *s = arg;
	long ret;

	for (;;) {
		struct op *op;
		/* Both may be the same one. */
		unsigned long good = 0, busy = 0, wrong = 0;

		pthread_barrier_wait(&begin);
		if (finished)
			return NULL;
		op = pair[s - sides];
		do {
			ret = op->fn(s, op);
			good += ret >= 0;
			busy += ret == -EBUSY || ret == -EAGAIN;
			if (ret < 0 && ret != -EBUSY && ret != -EAGAIN) {
				wrong++;
				op->other = ret;
			}
		} while (!stop);
		__atomic_fetch_add(&op->good, good, __ATOMIC_RELAXED);
		__atomic_fetch_add(&op->busy, busy, __ATOMIC_RELAXED);
		__atomic_fetch_add(&op->wrong, wrong, __ATOMIC_RELAXED);
		pthread_barrier_wait(&end);
	}
}

static void list_calls(void)
{
	unsigned int i;

	for (nr_ops = 0; ops[nr_ops].name; nr_ops++)
		;
	for (i = 0; i < nr_commands; i++) {
		if (nr_ops == MAX_OPS)
			bail("more than %d calls", MAX_OPS);
		ops[nr_ops++] =
			(struct op){ .name = commands[i].name, .fn = by_ioctl, .k = &commands[i] };
	}
}

/* Keep only the @n calls with these names. */
static void keep(char **name, int n)
{
	unsigned int i, kept = 0;
	int j;

	for (i = 0; i < nr_ops; i++)
		for (j = 0; j < n; j++)
			if (!strcmp(ops[i].name, name[j]))
				ops[kept++] = ops[i];
	if (kept != (unsigned int)n)
		bail("no call has one of these names");
	nr_ops = kept;
}

static void prepare(void)
{
	struct montecito_ring ring = { .size = sizeof(ring), .order = RING_ORDER };
	struct side *s = &sides[0];
	unsigned int i;

	/* Of a machine that keeps time; what is saved has the numbers that are set. */
	set_up(&s->c, command(MONTECITO_PARAM_SET));
	must(call(s->c.fd[MACHINE], MONTECITO_PARAM_SET, s->c.arg), "number");
	must(call(s->c.fd[VCPU], MONTECITO_RING, &ring), "ring");
	observe(&s->c, MONTECITO_OBSERVER_SAMPLE);
	observe(&s->c, MONTECITO_OBSERVER_TABLE);
	sides[1].c = s->c;
	for (i = 0; i < 2; i++) {
		s = &sides[i];
		command(MONTECITO_SAVE)->prepare(&s->c);
		s->machine = machine_id(s->c.fd[MACHINE]);
		genl_open(&s->g);
		s->memory =
			mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED, s->c.fd[MACHINE], 0);
		s->ring = mmap(NULL, PAGE + (PAGE << RING_ORDER), PROT_READ | PROT_WRITE,
			       MAP_SHARED, s->c.fd[VCPU], 0);
		s->snapshot = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, s->c.fd[VCPU],
				   MONTECITO_MMAP_SNAPSHOT);
		if (s->memory == MAP_FAILED || s->ring == MAP_FAILED || s->snapshot == MAP_FAILED)
			bail("mmap: %s", strerror(errno));
	}
}

static void meet(struct op *a, struct op *b, useconds_t us)
{
	pair[0] = a;
	pair[1] = b;
	stop = false;
	pthread_barrier_wait(&begin);
	usleep(us);
	stop = true;
	pthread_barrier_wait(&end);
}

int main(int argc, char **argv)
{
	useconds_t us = number_of("MEET_MS", 4) * 1000;
	pthread_t thread[2];
	unsigned int i, j;

	list_calls();
	if (argc > 1)
		keep(argv + 1, argc - 1);
	prepare();
	pthread_barrier_init(&begin, NULL, 3);
	pthread_barrier_init(&end, NULL, 3);
	for (i = 0; i < 2; i++)
		if (pthread_create(&thread[i], NULL, one_side, &sides[i]))
			bail("thread");
	for (i = 0; i < nr_ops; i++)
		for (j = i; j < nr_ops; j++)
			meet(&ops[i], &ops[j], us);
	finished = true;
	pthread_barrier_wait(&begin);
	for (i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	for (i = 0; i < nr_ops; i++) {
		struct op *op = &ops[i];

		ok(op->good && !op->wrong,
		   "%s beside %u calls: %lu, and %lu that were told to wait", op->name, nr_ops,
		   op->good, op->busy);
		if (op->wrong)
			diag("%lu returned %ld, %s", op->wrong, op->other, strerror(-op->other));
	}
	ok(hash(sides[0].c.fd[MACHINE]) == hash(sides[1].c.fd[MACHINE]), "the machine is whole");
	return done();
}
