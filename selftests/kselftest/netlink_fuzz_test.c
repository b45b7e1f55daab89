// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random generic netlink messages, well formed and not, to machines that come,
 * run and go. Whatever is sent: the kernel log stays clean, a refused write changes
 * no machine, and a right request is served as ever.
 *
 *	SEED=N		another sequence; the same seed is the same sequence
 *	MESSAGES=N	that many
 */
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/montecito_netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common.h"
#include "genl.h"

#define MACHINES 4

static uint64_t state;
static struct genl genl;
static int machines[MACHINES] = { -1, -1, -1, -1 };

/* xorshift64*: the same on every host */
static uint64_t rnd(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * 0x2545f4914f6cdd1dULL;
}

static uint32_t below(uint32_t n)
{
	return (rnd() >> 32) % n;
}

static bool one_in(uint32_t n)
{
	return !below(n);
}

/* Numbers as mistakes make them. */
static uint64_t number(void)
{
	static const uint64_t some[] = { 0, 1, 4, 15, 16, 63, 64, 255, 256, 0x7fffffff, ~0ULL };

	switch (below(3)) {
	case 0:
		return some[below(sizeof(some) / sizeof(some[0]))];
	case 1:
		return below(70);
	default:
		return rnd() >> below(64);
	}
}

static uint32_t any_machine(void)
{
	int m = machines[below(MACHINES)];

	return m < 0 || one_in(8) ? number() : machine_id(m);
}

static void put_random(struct nlmsghdr *h)
{
	uint8_t data[64];
	unsigned int i;

	for (i = 0; i < sizeof(data); i++)
		data[i] = rnd() >> 56;
	mnl_attr_put(h, below(MONTECITO_NL_A_MAX + 4) | (one_in(8) ? below(4) << 14 : 0),
		     one_in(4) ? below(sizeof(data)) : 1U << below(4), data);
}

static void put_reg(struct nlmsghdr *h, bool value)
{
	struct nlattr *nest = mnl_attr_nest_start(h, MONTECITO_NL_A_REG);

	if (!one_in(16))
		mnl_attr_put_u32(h, MONTECITO_NL_REG_INDEX, number());
	if (value != one_in(16))
		mnl_attr_put_u64(h, MONTECITO_NL_REG_VALUE, number());
	if (one_in(16))
		put_random(h);
	mnl_attr_nest_end(h, nest);
}

static void message(struct nlmsghdr *h, uint8_t *cmd)
{
	bool sets;
	int i;

	*cmd = one_in(16) ? number() : 1 + below(MONTECITO_NL_CMD_MAX);
	sets = *cmd == MONTECITO_NL_CMD_PMC_SET || *cmd == MONTECITO_NL_CMD_PMD_SET;
	h->nlmsg_type = genl.family;
	h->nlmsg_seq = rnd();
	h->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	if (!sets && one_in(4))
		h->nlmsg_flags |= NLM_F_DUMP;
	if (one_in(16))
		h->nlmsg_flags ^= rnd() & (NLM_F_ECHO | NLM_F_MULTI | NLM_F_CREATE | NLM_F_ATOMIC);
	*(struct genlmsghdr *)mnl_nlmsg_put_extra_header(h, sizeof(struct genlmsghdr)) =
		(struct genlmsghdr){ .cmd = *cmd, .version = one_in(16) ? number() : 1 };
	if (!one_in(16))
		mnl_attr_put_u32(h, MONTECITO_NL_A_MACHINE, any_machine());
	if (*cmd != MONTECITO_NL_CMD_MACHINE_GET ? !one_in(16) : one_in(16))
		mnl_attr_put_u32(h, MONTECITO_NL_A_VCPU, one_in(4) ? number() : 0);
	if (*cmd >= MONTECITO_NL_CMD_PMC_GET && *cmd <= MONTECITO_NL_CMD_PMD_SET)
		for (i = below(one_in(32) ? 270 : 5); i >= 0; i--)
			put_reg(h, sets);
	if (one_in(8))
		put_random(h);
	if (one_in(32)) /* cut short, or with a tail */
		h->nlmsg_len = below(h->nlmsg_len + 16);
}

/* Read what there is; the error of the last acknowledgment, or 1 if there was none. */
static int drain(void)
{
	static char buf[65536];
	int error = 1;
	ssize_t n;

	while ((n = recv(mnl_socket_get_fd(genl.nl), buf, sizeof(buf), MSG_DONTWAIT)) > 0) {
		struct nlmsghdr *h = (struct nlmsghdr *)buf;
		int len = n;

		for (; mnl_nlmsg_ok(h, len); h = mnl_nlmsg_next(h, &len))
			if (h->nlmsg_type == NLMSG_ERROR)
				error = ((struct nlmsgerr *)mnl_nlmsg_get_payload(h))->error;
	}
	return error;
}

/* One of the machines comes, goes or runs a little. */
static void change_machines(void)
{
	int i = below(MACHINES), v;

	if (machines[i] < 0) {
		machines[i] = machine(1 + below(2), 1 + below(2), 0);
		v = vcpu(machines[i], 0);
		start(v, GUEST_SPIN);
		close(v);
	} else if (one_in(3)) {
		close(machines[i]);
		machines[i] = -1;
	} else {
		run(machines[i], 0, 1 + below(5000), NULL);
	}
}

static uint64_t hashes(void)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < MACHINES; i++)
		if (machines[i] >= 0)
			sum = sum * 31 + hash(machines[i]);
	return sum;
}

/* A good request is served: write a PMD. */
static bool works(uint32_t id, uint64_t value)
{
	struct genl_message r;
	struct nlattr *nest;

	genl_begin(&r, genl.family, MONTECITO_NL_CMD_PMD_SET, 0);
	mnl_attr_put_u32(&r.h, MONTECITO_NL_A_MACHINE, id);
	mnl_attr_put_u32(&r.h, MONTECITO_NL_A_VCPU, 0);
	nest = mnl_attr_nest_start(&r.h, MONTECITO_NL_A_REG);
	mnl_attr_put_u32(&r.h, MONTECITO_NL_REG_INDEX, 15);
	mnl_attr_put_u64(&r.h, MONTECITO_NL_REG_VALUE, value);
	mnl_attr_nest_end(&r.h, nest);
	return genl_talk(&genl, &r) == 0;
}

int main(void)
{
	unsigned long calls = number_of("MESSAGES", 20000), i, refused = 0, served = 0;
	unsigned long changed = 0, failed = 0, looked = 0;
	static char buf[65536];
	uint64_t seed = number_of("SEED", 1);

	state = seed * 0x9e3779b97f4a7c15ULL | 1;
	diag("SEED=%llu MESSAGES=%lu", (unsigned long long)seed, calls);
	genl_open(&genl);
	for (i = 0; i < calls; i++) {
		bool look = one_in(256);
		uint64_t before = 0;
		struct nlmsghdr *h;
		uint8_t cmd;
		int err;

		if (i < MACHINES || one_in(128))
			change_machines();
		if (look)
			before = hashes();
		memset(buf, 0, sizeof(buf));
		h = mnl_nlmsg_put_header(buf);
		message(h, &cmd);
		/* The length of what is sent is not always what the header says. */
		if (send(mnl_socket_get_fd(genl.nl), buf, h->nlmsg_len > 16 ? h->nlmsg_len : 16,
			 0) < 0)
			bail("send: %s", strerror(errno));
		err = drain();
		refused += err < 0;
		served += !err;
		if (look &&
		    (err || (cmd != MONTECITO_NL_CMD_PMC_SET && cmd != MONTECITO_NL_CMD_PMD_SET))) {
			looked++;
			changed += hashes() != before;
		}
		if (one_in(256) && machines[1] >= 0) {
			int v = vcpu(machines[1], 0);
			uint64_t value = i + 1;

			if (!works(machine_id(machines[1]), value) ||
			    get(v, MONTECITO_REG_PMD, 15) != value)
				failed++;
			close(v);
		}
	}
	ok(served > calls / 20 && refused > calls / 20,
	   "%lu messages: %lu done and %lu refused, both often", calls, served, refused);
	ok(looked > calls / 1024 && !changed, "%lu reads and refused writes changed no machine",
	   looked);
	ok(!failed, "right requests in between were served");
	genl_close(&genl);
	for (i = 0; i < MACHINES; i++)
		if (machines[i] >= 0)
			close(machines[i]);
	return done();
}
