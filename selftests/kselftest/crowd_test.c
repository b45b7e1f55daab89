// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many of things that are rare: thousands of sockets that get notifications, dumps that are
 * broken off or whose machines come and go, a hundred network namespaces, descriptors that are
 * on their way between processes while the module is to go.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/genetlink.h>
#include <linux/montecito_netlink.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"
#include "genl.h"

#define LISTENERS 10000
#define NAMESPACES 100
#define LISTED 100

static double limit;
static int nr_listeners = LISTENERS / 10, nr_namespaces = NAMESPACES / 10;

/* ---- notifications ---- */

static int listener(uint32_t group)
{
	struct sockaddr_nl a = { .nl_family = AF_NETLINK };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);

	if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof(a)) ||
	    setsockopt(fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group, sizeof(group)))
		bail("listener: %s", strerror(errno));
	return fd;
}

/* RUN that ends in an overflow, which all of them are told of. */
static double overflow(int m, int v)
{
	struct montecito_run r;
	double t = now();

	set(v, MONTECITO_REG_PMC, 4, PMC_ES(EVENT_INST_RETIRED) | PMC_PLM_ALL | PMC_OI);
	set(v, MONTECITO_REG_PMD, 4, PMD_OVERFLOW - 100);
	set(v, MONTECITO_REG_PMC, 0, 0);
	run(m, 100000, 0, &r);
	t = now() - t;
	if (r.exit.reason != MONTECITO_EXIT_PMU_OVERFLOW)
		bail("exit %u", r.exit.reason);
	return t;
}

static void listeners(void)
{
	const struct rlimit many = { LISTENERS + 100, LISTENERS + 100 };
	struct montecito_reg psr = { .cls = MONTECITO_REG_SPECIAL, .index = MONTECITO_SPECIAL_PSR };
	struct montecito_regs r = { .size = sizeof(r), .count = 1, .regs = (uintptr_t)&psr };
	int m = machine(1, 1, MONTECITO_CFG_HOST_PMU), v = vcpu(m, 0), i, told = 0;
	static int fd[LISTENERS];
	double slowest = 0, t;
	char text[4096];
	struct genl g;

	if (setrlimit(RLIMIT_NOFILE, &many))
		bail("RLIMIT_NOFILE: %s", strerror(errno));
	genl_open(&g);
	for (i = 0; i < nr_listeners; i++)
		fd[i] = listener(g.group);
	start(v, GUEST_SPIN);
	call(v, MONTECITO_GET_REGS, &r);
	set(v, psr.cls, psr.index, psr.value[0] | PSR_UP);
	for (i = 0; i < 5; i++) {
		t = overflow(m, v);
		slowest = t > slowest ? t : slowest;
	}
	ok(slowest < 5 * limit, "RUN with %d listeners ends in %.0f ms", nr_listeners,
	   slowest * 1000);
	for (i = 0; i < nr_listeners; i++)
		told += recv(fd[i], text, sizeof(text), MSG_DONTWAIT) > 0;
	eq(told, nr_listeners, "each of them is told");
	t = now();
	for (i = 0; i < nr_listeners; i++)
		close(fd[i]);
	ok(now() - t < 60 * limit, "they leave in %.1f s", now() - t);
	genl_close(&g);
	close(v);
	close(m);
}

/* ---- lists ---- */

static int ask_list(uint8_t cmd)
{
	struct genl_message r;
	struct genl g;
	int fd;

	genl_open(&g);
	genl_begin(&r, g.family, cmd, NLM_F_DUMP);
	if (mnl_socket_sendto(g.nl, &r, r.h.nlmsg_len) < 0)
		bail("netlink: %s", strerror(errno));
	fd = dup(mnl_socket_get_fd(g.nl));
	genl_close(&g);
	return fd;
}

/* The next part of a list: 1, 0 at its end; *@broken if it says that it is none. */
static int part(int fd, int *broken)
{
	char text[8192]; /* the kernel's parts are as long as the reader's */
	int n = recv(fd, text, sizeof(text), 0), more = 1;
	const struct nlmsghdr *h = (void *)text;

	if (n <= 0)
		bail("recv: %s", strerror(errno));
	for (; mnl_nlmsg_ok(h, n); h = mnl_nlmsg_next(h, &n)) {
		*broken |= h->nlmsg_flags & NLM_F_DUMP_INTR;
		more &= h->nlmsg_type != NLMSG_DONE;
	}
	return more;
}

static void lists(void)
{
	static const uint8_t cmds[] = { MONTECITO_NL_CMD_MACHINE_GET, MONTECITO_NL_CMD_VCPU_GET };
	int m[LISTED], i, j, fd, dev = open_device(), broken;

	for (i = 0; i < LISTED; i++)
		m[i] = create(dev, 1, 1, 0, 1 << 20);
	for (j = 0; j < 2; j++) {
		broken = 0;
		fd = ask_list(cmds[j]);
		for (i = 0; part(fd, &broken); i++)
			;
		ok(!broken && i > 1, "a list in %d parts", i);
		close(fd);
		/* The reader is gone with most of it to come. */
		for (i = 0; i < 200; i++) {
			fd = ask_list(cmds[j]);
			if (i & 1)
				part(fd, &broken);
			close(fd);
		}
		ok(!broken, "200 that nobody reads to their end");
		/* Machines go and come behind its first part; one for each would be its next. */
		fd = ask_list(cmds[j]);
		for (i = 1; part(fd, &broken); i++) {
			if (i > 2)
				continue;
			close(m[i % LISTED]);
			m[i % LISTED] = create(dev, 1, 1, 0, 1 << 20);
		}
		ok(broken, "one whose machines come and go says so");
		close(fd);
	}
	for (i = 0; i < LISTED; i++)
		close(m[i]);
	close(dev);
}

/* ---- namespaces ---- */

/* 0 if a request for machine @id finds it in this namespace, or an error. */
static int get_machine(uint32_t id)
{
	struct genl_message r;
	struct genl g;
	int ret;

	genl_open(&g);
	genl_begin(&r, g.family, MONTECITO_NL_CMD_MACHINE_GET, 0);
	mnl_attr_put_u32(&r.h, MONTECITO_NL_A_MACHINE, id);
	ret = genl_talk(&g, &r);
	genl_close(&g);
	return ret;
}

static void namespaces(void)
{
	int fd[NAMESPACES], told[2], i, status, seen = 0, bad = 0, dev = open_device();
	pid_t pid[NAMESPACES];
	uint32_t id;
	double t = now();

	for (i = 0; i < nr_namespaces; i++) {
		/* Each machine is born in a namespace, and outlives it here. */
		if (pipe(told))
			bail("pipe");
		fflush(stdout);
		pid[i] = fork();
		if (!pid[i]) {
			long m;

			if (unshare(CLONE_NEWNET))
				_exit(1);
			m = create(dev, 1, 1, 0, 1 << 20);
			id = m < 0 ? 0 : machine_id(m);
			if (m < 0 || get_machine(id) != 1)
				id = 0;
			/* Where it is opened by /proc, as pidfd_getfd() would. */
			if (write(told[1], &id, sizeof(id)) != sizeof(id) ||
			    write(told[1], &m, sizeof(m)) != sizeof(m))
				_exit(1);
			pause();
		}
		close(told[1]);
		id = 0;
		bad += read(told[0], &id, sizeof(id)) != sizeof(id) || !id;
		seen += get_machine(id) != -ENOENT;
		{
			long m = -1;
			int p = syscall(SYS_pidfd_open, pid[i], 0);

			bad += read(told[0], &m, sizeof(m)) != sizeof(m);
			fd[i] = syscall(SYS_pidfd_getfd, p, (int)m, 0);
			bad += fd[i] < 0;
			close(p);
		}
		close(told[0]);
	}
	eq(bad, 0, "%d namespaces, a machine in each, seen there", nr_namespaces);
	eq(seen, 0, "and nowhere else");
	for (i = 0; i < nr_namespaces; i++) {
		kill(pid[i], SIGKILL);
		waitpid(pid[i], &status, 0);
	}
	/* Memory is zero: break after break, and no instruction that retires. */
	for (i = 0; i < nr_namespaces; i++)
		bad += run(fd[i], 0, 100, NULL) != 0;
	eq(bad, 0, "machines outlive their namespaces");
	for (i = 0; i < nr_namespaces; i++)
		close(fd[i]);
	ok(now() - t < 60 * limit, "in %.1f s", now() - t);
	close(dev);
}

/* ---- descriptors on their way ---- */

static long holders(void)
{
	FILE *f = fopen("/sys/module/montecito/refcnt", "r");
	long n = -1;

	if (!f || fscanf(f, "%ld", &n) != 1)
		bail("refcnt");
	fclose(f);
	return n;
}

static void send_fd(int to, int fd)
{
	char one = 0, room[CMSG_SPACE(sizeof(fd))] = "";
	struct iovec v = { &one, 1 };
	struct msghdr h = {
		.msg_iov = &v,
		.msg_iovlen = 1,
		.msg_control = room,
		.msg_controllen = sizeof(room),
	};
	struct cmsghdr *c = CMSG_FIRSTHDR(&h);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	if (sendmsg(to, &h, 0) != 1)
		bail("sendmsg: %s", strerror(errno));
}

static int take_fd(int from)
{
	char one, room[CMSG_SPACE(sizeof(int))];
	struct iovec v = { &one, 1 };
	struct msghdr h = {
		.msg_iov = &v,
		.msg_iovlen = 1,
		.msg_control = room,
		.msg_controllen = sizeof(room),
	};
	int fd = -1;

	if (recvmsg(from, &h, 0) == 1 && CMSG_FIRSTHDR(&h))
		memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&h)), sizeof(fd));
	return fd;
}

static long remove_module(void)
{
	return syscall(SYS_delete_module, "montecito", O_NONBLOCK) ? -errno : 0;
}

static void on_the_way(void)
{
	long before = holders();
	int pair[2], go[2], m = machine(1, 1, 0), v = vcpu(m, 0), n, i, status;
	char one;
	uint64_t was;
	double t;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) || pipe(go))
		bail("socketpair");
	start(v, GUEST_SPIN);
	run(m, 300, 0, NULL);
	was = hash(m);
	send_fd(pair[0], m);
	send_fd(pair[0], v);
	close(m);
	close(v);
	is(remove_module(), -EAGAIN, "the module stays while descriptors are on their way");
	m = take_fd(pair[1]);
	v = take_fd(pair[1]);
	ok(m >= 0 && v >= 0 && hash(m) == was, "they arrive as they were");
	is(run(m, 300, 0, NULL), 0, "and work");
	/* Children hold them too, whatever becomes of the one they came from. */
	for (n = 0; n < 50; n++) {
		pid = fork();
		if (!pid) {
			close(v);
			close(go[1]);
			(void)!read(go[0], &one, 1);
			for (i = 0; i < 3; i++)
				run(m, 100, 0, NULL);
			_exit(0);
		}
	}
	close(m);
	close(v);
	is(remove_module(), -EAGAIN, "nor does it go from under children");
	close(go[1]);
	while (waitpid(-1, &status, 0) > 0)
		;
	/* In flight when both ends are closed: then no process has them. */
	for (i = 0; i < 100; i++) {
		m = create(open("/dev/montecito", O_RDWR | O_CLOEXEC), 1, 1, 0, 1 << 20);
		send_fd(pair[0], m);
		send_fd(pair[0], pair[0]);
		close(m);
		close(take_fd(pair[1]));
		close(take_fd(pair[1]));
	}
	close(pair[0]);
	close(pair[1]);
	for (i = 3; i < 1024; i++)
		close(i);
	for (t = now(); holders() > before && now() - t < 20;)
		usleep(10000);
	eq(holders(), before, "in the end nothing holds the module");
}

int main(void)
{
	const char *whole = getenv("WHOLE");

	limit = promptly();
	if (whole && *whole) {
		nr_listeners = LISTENERS;
		nr_namespaces = NAMESPACES;
	}
	listeners();
	lists();
	namespaces();
	on_the_way();
	return done();
}
