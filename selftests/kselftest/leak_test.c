// SPDX-License-Identifier: GPL-2.0-only
/*
 * Nothing leaves the kernel that was not put there for it: memory that the allocators
 * hand out again is full of a pattern, which no command, message, mapping or state may
 * show. This test frees what it has filled; a kernel booted with
 *
 *	init_on_alloc=0 slub_debug=P page_poison=1
 *
 * fills all that is freed. With init_on_alloc=1 there is nothing to find.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/genetlink.h>
#include <linux/montecito_netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"
#include "errnos.h"
#include "genl.h"

#define PATTERN 0x5a
#define MAX_PERIOD ((1ULL << 47) - 1)

/* ---- memory that is full of something ---- */

/* Fill memory of many sizes with the pattern, by datagrams without a reader, and free it. */
static void fill_slabs(void)
{
	static char text[16384];
	int fd[2], size, i;

	memset(text, PATTERN, sizeof(text));
	for (size = 64; size <= (int)sizeof(text); size *= 4) {
		if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, fd))
			bail("socketpair: %s", strerror(errno));
		for (i = 0; i < 16; i++)
			(void)!send(fd[0], text, size - 32, 0);
		close(fd[0]);
		close(fd[1]);
	}
}

static void fill_pages(void)
{
	size_t size = 1 << 20;
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		bail("mmap: %s", strerror(errno));
	memset(p, PATTERN, size);
	munmap(p, size);
}

static void fill(void)
{
	fill_slabs();
	fill_pages();
}

/* Words of the pattern, or of those that the kernel fills with. */
static unsigned int found(const void *at, size_t size)
{
	static const unsigned char fills[] = { PATTERN, 0x6b, 0xa5, 0xaa, 0xbb, 0xcc };
	const unsigned char *b = at;
	unsigned int n = 0, i, j;

	for (i = 0; i + 4 <= size; i += 4)
		for (j = 0; j < sizeof(fills); j++)
			n += b[i] == fills[j] && !memcmp(b + i, b + i + 1, 3);
	return n;
}

/* ---- ioctls ---- */

static int one_command(const struct command *k)
{
	static struct ctx c;
	unsigned int n = 0, i;
	long ret = 0;

	set_up(&c, k);
	for (i = 0; i < (k->rules & ONCE ? 1 : 3); i++) {
		memset(&c.reg, 0, sizeof(c.reg));
		memset(&c.count, 0, sizeof(c.count));
		memset(&c.entry, 0, sizeof(c.entry));
		memset(&c.cause, 0, sizeof(c.cause));
		good(&c, k);
		fill();
		ret = call(c.fd[k->kind], k->cmd, c.arg);
		if (!succeeds(k, ret))
			break;
		n += found(&c.a, k->size) + found(&c.region, sizeof(c.region)) +
		     found(&c.reg, sizeof(c.reg)) + found(&c.count, sizeof(c.count)) +
		     found(&c.entry, sizeof(c.entry)) + found(&c.cause, sizeof(c.cause));
		if (c.blob)
			n += found(c.blob, c.length);
		if (k->cmd == MONTECITO_CREATE)
			n += found(mmap(NULL, 1 << 20, PROT_READ, MAP_SHARED, ret, 0), 1 << 20);
	}
	if (!succeeds(k, ret)) {
		printf("# returned %ld\n", ret);
		return 1;
	}
	return n ? 2 : 0;
}

static void commands_tell_nothing(void)
{
	unsigned int i;
	int status;
	pid_t pid;

	for (i = 0; i < nr_commands; i++) {
		fflush(stdout);
		pid = fork();
		if (!pid) {
			status = one_command(&commands[i]);
			fflush(stdout);
			_exit(status);
		}
		waitpid(pid, &status, 0);
		eq(status, 0, "%s gives nothing but its own", commands[i].name);
	}
}

/* ---- mappings ---- */

static void mappings(void)
{
	struct montecito_ring r = { .size = sizeof(r), .order = 2 };
	size_t page = sysconf(_SC_PAGESIZE);
	struct montecito_ring_page *ring;
	int m, v;
	void *p;

	fill();
	m = timed_machine(0);
	v = vcpu(m, 0);
	start(v, GUEST_SPIN);
	fill();
	is(call(v, MONTECITO_RING, &r), 0, "a ring");
	observer(v, EVENT_INST_RETIRED, 100, NULL);
	run(m, 10000, 0, NULL);
	ring = mmap(NULL, 5 * page, PROT_READ, MAP_SHARED, v, 0);
	ok(ring != MAP_FAILED && ring->data_head, "has samples");
	eq(found(ring, 5 * page), 0, "and nothing else");
	p = mmap(NULL, page, PROT_READ, MAP_SHARED, m, MONTECITO_MMAP_SNAPSHOT);
	eq(found(p, page), 0, "a snapshot is all its own");
	close(v);
	close(m);
}

/* ---- generic netlink ---- */

static void message(struct genl *g, uint8_t cmd, uint16_t flags, uint32_t machine)
{
	static char answer[1 << 16];
	struct genl_message r;
	unsigned int leaked = 0, bytes = 0;
	bool regs = cmd == MONTECITO_NL_CMD_PMC_GET || cmd == MONTECITO_NL_CMD_PMD_GET;
	int n, more = MNL_CB_OK, i;

	fill();
	genl_begin(&r, g->family, cmd, flags ? flags : NLM_F_ACK);
	mnl_attr_put_u32(&r.h, MONTECITO_NL_A_MACHINE, machine);
	if (cmd != MONTECITO_NL_CMD_MACHINE_GET && !flags)
		mnl_attr_put_u32(&r.h, MONTECITO_NL_A_VCPU, 0);
	for (i = 0; regs && i < 64; i++) {
		struct nlattr *nest = mnl_attr_nest_start(&r.h, MONTECITO_NL_A_REG);

		mnl_attr_put_u32(&r.h, MONTECITO_NL_REG_INDEX, i);
		mnl_attr_nest_end(&r.h, nest);
	}
	if (mnl_socket_sendto(g->nl, &r, r.h.nlmsg_len) < 0)
		bail("netlink: %s", strerror(errno));
	while (more == MNL_CB_OK) {
		n = mnl_socket_recvfrom(g->nl, answer, sizeof(answer));
		if (n < 0)
			bail("netlink: %s", strerror(errno));
		leaked += found(answer, n);
		bytes += n;
		more = mnl_cb_run(answer, n, 0, 0, NULL, NULL);
	}
	ok(more == MNL_CB_STOP && !leaked, "netlink command %u%s: %u bytes, %u of them strange",
	   cmd, flags ? ", dump" : "", bytes, leaked);
}

static void messages(void)
{
	static const uint8_t cmds[] = {
		MONTECITO_NL_CMD_MACHINE_GET, MONTECITO_NL_CMD_VCPU_GET,
		MONTECITO_NL_CMD_PMC_GET,     MONTECITO_NL_CMD_PMD_GET,
		MONTECITO_NL_CMD_CYCLES_GET,  MONTECITO_NL_CMD_PAL_PERF_MON_INFO_GET,
	};
	int m = machine(1, 1, 0);
	struct genl g;
	unsigned int i;

	genl_open(&g);
	for (i = 0; i < sizeof(cmds); i++)
		message(&g, cmds[i], 0, machine_id(m));
	message(&g, MONTECITO_NL_CMD_MACHINE_GET, NLM_F_DUMP, machine_id(m));
	message(&g, MONTECITO_NL_CMD_VCPU_GET, NLM_F_DUMP, machine_id(m));
	genl_close(&g);
	close(m);
}

/* ---- counts that are as large as can be ---- */

/* Let a halted vcpu be halted for @cycles. */
static void sleep_for(int m, int v, uint64_t cycles)
{
	struct montecito_run r;

	set(v, MONTECITO_REG_CR, 1, get(v, MONTECITO_REG_AR, 44) + (1ULL << 63));
	run(m, 0, cycles, &r);
	eq(r.exit.reason, MONTECITO_EXIT_BUDGET, "halted for long");
}

/*
 * 2^18 periods of 2^46 are 2^64: a count that wraps would be 0, which is a free entry,
 * and the table would have more entries than it has filled.
 */
static void saturation(void)
{
	struct montecito_observer_add a = {
		.size = sizeof(a),
		.flags = MONTECITO_OBSERVER_TABLE,
		.period = 1ULL << 46,
		.table_order = 4,
		.filter = { .code = MONTECITO_EVENT_CODE(MONTECITO_EVENT_CYCLES_HALTED),
			    .plm = 0xf },
	};
	struct montecito_table_entry e[1000];
	struct montecito_table_read t = {
		.size = sizeof(t),
		.count = 1000,
		.entries = (uintptr_t)e,
	};
	int m = timed_machine(0), v = vcpu(m, 0), i;
	unsigned int j, strange = 0;

	is(call(v, MONTECITO_OBSERVER_ADD, &a), 0, "halted cycles by instruction");
	set(v, MONTECITO_REG_CR, 72, 0x40);
	set(v, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_HALTED, 1);
	for (i = 0; i < 10; i++)
		sleep_for(m, v, 1ULL << 61);
	fill();
	t.id = a.id;
	memset(e, 0, sizeof(e));
	is(call(v, MONTECITO_TABLE_READ, &t), 0, "1.25 * 2^64 of them");
	eq(t.count, 1, "one instruction");
	eq(e[0].count, ~0ULL, "whose count says that it is more than it can say");
	for (j = 3; j < sizeof(e) / 8; j++)
		strange += ((uint64_t *)e)[j] != 0;
	eq(strange, 0, "and nothing behind it");
	close(v);
	close(m);
}

static void periods(void)
{
	static const uint64_t refused[] = { MAX_PERIOD + 1, 1ULL << 62, 1ULL << 63, ~0ULL };
	struct montecito_ring r = { .size = sizeof(r) };
	struct montecito_observer_add a = {
		.size = sizeof(a),
		.filter = { .code = EVENT_INST_RETIRED, .plm = 0xf },
	};
	int m = machine(1, 1, 0), v = vcpu(m, 0);
	unsigned int i;

	call(v, MONTECITO_RING, &r);
	for (i = 0; i < 8; i++) {
		a.flags = i & 1 ? MONTECITO_OBSERVER_SAMPLE : MONTECITO_OBSERVER_TABLE;
		a.period = refused[i / 2];
		is(call(v, MONTECITO_OBSERVER_ADD, &a), -EINVAL, "a period of %#llx",
		   (unsigned long long)a.period);
		ok(!strcmp(a.why, "a period is at most 2^47 - 1"), "the rule: %s", a.why);
	}
	a.period = MAX_PERIOD;
	is(call(v, MONTECITO_OBSERVER_ADD, &a), 0, "the largest there is");
	close(v);
	close(m);
}

int main(void)
{
	periods();
	saturation();
	commands_tell_nothing();
	mappings();
	messages();
	return done();
}
