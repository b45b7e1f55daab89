// SPDX-License-Identifier: GPL-2.0-only
/*
 * netlink-watch [SECONDS]
 *
 * Lists the machines of the module that the caller may see, and how many
 * instructions and cycles each of their vcpus does in that time. Needs no file
 * descriptor of a machine: this is what a monitor does. Nothing here but libmnl
 * and <linux/montecito_netlink.h>.
 */
#include <errno.h>
#include <inttypes.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/montecito_netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_VCPUS 1024

struct vcpu {
	uint32_t machine, index;
	uint64_t insns, cycles;
};

struct list {
	struct vcpu vcpu[MAX_VCPUS];
	unsigned int nr;
};

static void die(const char *what)
{
	fprintf(stderr, "netlink-watch: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* A request in @buf, to be filled with attributes. */
static struct nlmsghdr *request(char *buf, uint16_t family, uint8_t cmd, uint16_t flags)
{
	struct nlmsghdr *h = mnl_nlmsg_put_header(buf);
	struct genlmsghdr *g;

	h->nlmsg_type = family;
	h->nlmsg_flags = NLM_F_REQUEST | flags;
	g = mnl_nlmsg_put_extra_header(h, sizeof(*g));
	g->cmd = cmd;
	g->version = MONTECITO_NL_FAMILY_VERSION;
	return h;
}

/* Send it and give each message of the answer to @fn. */
static int ask(struct mnl_socket *nl, struct nlmsghdr *h, mnl_cb_t fn, void *data)
{
	char buf[32768];
	int ret = MNL_CB_OK;
	ssize_t n;

	if (mnl_socket_sendto(nl, h, h->nlmsg_len) < 0)
		return -1;
	while (ret == MNL_CB_OK) {
		n = mnl_socket_recvfrom(nl, buf, sizeof(buf));
		if (n < 0)
			return -1;
		ret = mnl_cb_run(buf, n, 0, mnl_socket_get_portid(nl), fn, data);
	}
	return ret;
}

static int on_family(const struct nlmsghdr *h, void *family)
{
	const struct nlattr *a;

	mnl_attr_for_each(a, h, sizeof(struct genlmsghdr))
	{
		if (mnl_attr_get_type(a) == CTRL_ATTR_FAMILY_ID)
			*(uint16_t *)family = mnl_attr_get_u16(a);
	}
	return MNL_CB_OK;
}

static int on_machine(const struct nlmsghdr *h, void *unused)
{
	uint32_t id = 0, cores = 0, threads = 0, pid = 0;
	const struct nlattr *a;
	const char *name = "";
	int running = 0;

	(void)unused;
	mnl_attr_for_each(a, h, sizeof(struct genlmsghdr))
	{
		switch (mnl_attr_get_type(a)) {
		case MONTECITO_NL_A_MACHINE:
			id = mnl_attr_get_u32(a);
			break;
		case MONTECITO_NL_A_CORES:
			cores = mnl_attr_get_u32(a);
			break;
		case MONTECITO_NL_A_THREADS:
			threads = mnl_attr_get_u32(a);
			break;
		case MONTECITO_NL_A_PID:
			pid = mnl_attr_get_u32(a);
			break;
		case MONTECITO_NL_A_NAME:
			name = mnl_attr_get_str(a);
			break;
		case MONTECITO_NL_A_RUNNING:
			running = mnl_attr_get_u8(a);
			break;
		}
	}
	printf("machine %" PRIu32 ": %" PRIu32 " x %" PRIu32 ", of process %" PRIu32 " (%s)%s\n",
	       id, cores, threads, pid, name, running ? ", running" : "");
	return MNL_CB_OK;
}

static int on_vcpu(const struct nlmsghdr *h, void *data)
{
	struct list *l = data;
	const struct nlattr *a;
	struct vcpu v = { 0 };

	mnl_attr_for_each(a, h, sizeof(struct genlmsghdr))
	{
		switch (mnl_attr_get_type(a)) {
		case MONTECITO_NL_A_MACHINE:
			v.machine = mnl_attr_get_u32(a);
			break;
		case MONTECITO_NL_A_VCPU:
			v.index = mnl_attr_get_u32(a);
			break;
		case MONTECITO_NL_A_INSNS:
			v.insns = mnl_attr_get_u64(a);
			break;
		case MONTECITO_NL_A_CYCLES:
			v.cycles = mnl_attr_get_u64(a);
			break;
		}
	}
	if (l->nr < MAX_VCPUS)
		l->vcpu[l->nr++] = v;
	return MNL_CB_OK;
}

static void vcpus(struct mnl_socket *nl, uint16_t family, struct list *l)
{
	char buf[256];

	/* EINTR: machines came or went between two parts of the list. */
	do {
		l->nr = 0;
		if (ask(nl, request(buf, family, MONTECITO_NL_CMD_VCPU_GET, NLM_F_DUMP), on_vcpu,
			l) >= 0)
			return;
	} while (errno == EINTR);
	die("list of vcpus");
}

int main(int argc, char **argv)
{
	static struct list before, after;
	unsigned int seconds = argc > 1 ? atoi(argv[1]) : 1, i, k;
	struct mnl_socket *nl = mnl_socket_open(NETLINK_GENERIC);
	uint16_t family = 0;
	struct nlmsghdr *h;
	char buf[256];

	if (!nl || mnl_socket_bind(nl, 0, MNL_SOCKET_AUTOPID) < 0)
		die("socket");
	h = request(buf, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, NLM_F_ACK);
	mnl_attr_put_strz(h, CTRL_ATTR_FAMILY_NAME, MONTECITO_NL_FAMILY_NAME);
	if (ask(nl, h, on_family, &family) < 0)
		die("is the module loaded?");
	if (ask(nl, request(buf, family, MONTECITO_NL_CMD_MACHINE_GET, NLM_F_DUMP), on_machine,
		NULL) < 0)
		die("list of machines");

	vcpus(nl, family, &before);
	sleep(seconds);
	vcpus(nl, family, &after);
	for (i = 0; i < after.nr; i++) {
		const struct vcpu *b = NULL, *v = &after.vcpu[i];

		for (k = 0; k < before.nr; k++)
			if (before.vcpu[k].machine == v->machine &&
			    before.vcpu[k].index == v->index)
				b = &before.vcpu[k];
		if (b)
			printf("machine %" PRIu32 " vcpu %" PRIu32 ": %" PRIu64
			       " instructions in %" PRIu64 " cycles\n",
			       v->machine, v->index, v->insns - b->insns, v->cycles - b->cycles);
	}
	mnl_socket_close(nl);
	return 0;
}
