// SPDX-License-Identifier: GPL-2.0-only
/*
 * The remote protocol's packets, to one client at a time. Nothing that comes in is
 * trusted: a packet that is too long is passed over, one with a wrong checksum asked for
 * again, and who does not take the answers is dropped.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "gdb.h"
#include "montctl.h"

/* Milliseconds that a client has to take an answer. */
#define PATIENCE 10000

#define CTRL_C 0x03

enum { BETWEEN, PAYLOAD, CHECKSUM };

static int gdb_link_bind_to(struct gdb_link *l, const struct addrinfo *a)
{
	int one = 1;

	l->listener = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (l->listener < 0)
		return -errno;
	setsockopt(l->listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (!bind(l->listener, a->ai_addr, a->ai_addrlen) && !listen(l->listener, 1))
		return 0;
	one = -errno;
	close(l->listener);
	l->listener = -1;
	return one;
}

/* Where it listens: the port may have been the system's to choose. */
static void gdb_link_say(const struct gdb_link *l)
{
	struct sockaddr_storage ss;
	socklen_t len = sizeof(ss);
	char host[NI_MAXHOST], port[NI_MAXSERV];

	if (getsockname(l->listener, (struct sockaddr *)&ss, &len) ||
	    getnameinfo((struct sockaddr *)&ss, len, host, sizeof(host), port, sizeof(port),
			NI_NUMERICHOST | NI_NUMERICSERV))
		return;
	fprintf(stderr,
		strchr(host, ':') ? "montctl: gdb: target remote [%s]:%s\n"
				  : "montctl: gdb: target remote %s:%s\n",
		host, port);
}

static int gdb_link_listen_at(struct gdb_link *l, const char *where)
{
	const struct addrinfo want = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV };
	const char *colon = strrchr(where, ':'), *port = colon ? colon + 1 : where;
	char host[256] = "127.0.0.1";
	size_t n = colon ? colon - where : 0;
	struct addrinfo *a, *i;
	int err;

	if (n > 1 && where[0] == '[' && where[n - 1] == ']') {
		where++;
		n -= 2;
	}
	if (n >= sizeof(host) || !*port || strspn(port, "0123456789") != strlen(port))
		return fail("--gdb %s: must be [HOST:]PORT or -", where);
	if (n)
		snprintf(host, sizeof(host), "%.*s", (int)n, where);
	err = getaddrinfo(host, port, &want, &a);
	if (err)
		return fail("--gdb %s: %s", where, gai_strerror(err));
	err = -EADDRNOTAVAIL;
	for (i = a; i && err; i = i->ai_next)
		err = gdb_link_bind_to(l, i);
	freeaddrinfo(a);
	if (err)
		return fail("--gdb %s: %s", where, strerror(-err));
	gdb_link_say(l);
	return 0;
}

/* Standard input and output are the client's; the guest reads nothing and writes to stderr. */
static int gdb_link_take_stdio(struct gdb_link *l)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	l->in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	l->out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	if (null < 0 || l->in < 0 || l->out < 0 || dup2(null, STDIN_FILENO) < 0 ||
	    dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		return fail("--gdb -: %s", strerror(errno));
	close(null);
	signal(SIGPIPE, SIG_IGN);
	return 0;
}

int gdb_link_open(struct gdb_link *l, const char *where)
{
	l->listener = -1;
	l->in = -1;
	l->out = -1;
	l->ack = true;
	return strcmp(where, "-") ? gdb_link_listen_at(l, where) : gdb_link_take_stdio(l);
}

void gdb_link_drop(struct gdb_link *l)
{
	if (l->in >= 0)
		close(l->in);
	if (l->out >= 0 && l->out != l->in)
		close(l->out);
	l->in = -1;
	l->out = -1;
	l->rx_len = 0;
	l->rx_pos = 0;
	l->state = BETWEEN;
	l->reply_len = 0;
	l->ack = true;
}

void gdb_link_close(struct gdb_link *l)
{
	gdb_link_drop(l);
	if (l->listener >= 0)
		close(l->listener);
	free(l->reply);
}

/* A client connects; a second one is turned away. */
static bool gdb_link_take_client(struct gdb_link *l)
{
	int fd = accept4(l->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK), one = 1;

	if (fd < 0)
		return false;
	if (l->in >= 0) {
		close(fd);
		return false;
	}
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	l->in = fd;
	l->out = fd;
	return true;
}

static bool gdb_link_write_all(struct gdb_link *l, const char *data, size_t len)
{
	while (len) {
		struct pollfd p = { .fd = l->out, .events = POLLOUT };
		ssize_t n = l->out == l->in ? send(l->out, data, len, MSG_NOSIGNAL)
					    : write(l->out, data, len);

		if (n > 0) {
			data += n;
			len -= n;
		} else if (n < 0 && errno == EAGAIN) {
			if (poll(&p, 1, PATIENCE) == 0)
				return false;
		} else if (n < 0 && errno != EINTR) {
			return false;
		}
	}
	return true;
}

/* A failed write ends the connection, and the next read says so. */
static void gdb_link_put_raw(struct gdb_link *l, const char *data, size_t len)
{
	if (l->out < 0 || gdb_link_write_all(l, data, len))
		return;
	if (l->out == l->in)
		shutdown(l->in, SHUT_RDWR);
	l->reply_len = 0;
}

void gdb_link_put(struct gdb_link *l, const char *data, size_t len)
{
	uint8_t sum = 0;
	size_t n = 0, i;

	if (!l->reply)
		l->reply = malloc(2 * GDB_PACKET + 8);
	if (!l->reply || l->out < 0)
		return;
	l->reply[n++] = '$';
	for (i = 0; i < len && i < GDB_PACKET; i++) {
		bool escape = strchr("#$}*", data[i]) && data[i];

		if (escape) {
			l->reply[n++] = '}';
			sum += '}';
		}
		l->reply[n] = escape ? data[i] ^ 0x20 : data[i];
		sum += l->reply[n++];
	}
	n += sprintf(l->reply + n, "#%02x", sum);
	l->reply_len = n;
	gdb_link_put_raw(l, l->reply, n);
}

static int gdb_link_hex_digit(uint8_t c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void gdb_link_payload(struct gdb_link *l, uint8_t c)
{
	if (c == '#') {
		l->state = CHECKSUM;
		l->digits = 0;
		l->given = 0;
		return;
	}
	if (c == '$') {
		/* The last one was not finished. */
		l->len = 0;
		l->sum = 0;
		l->escaped = false;
		l->too_long = false;
		return;
	}
	l->sum += c;
	if (c == '}' && !l->escaped) {
		l->escaped = true;
		return;
	}
	if (l->len == GDB_PACKET)
		l->too_long = true;
	else
		l->packet[l->len++] = l->escaped ? c ^ 0x20 : c;
	l->escaped = false;
}

/* A digit of the checksum: GDB_NOTHING until the packet is whole. */
static enum gdb_event gdb_link_checksum(struct gdb_link *l, uint8_t c)
{
	int digit = gdb_link_hex_digit(c);
	bool good;

	/* A character that is no digit makes a number that no checksum equals. */
	l->given = l->given << 4 | (digit < 0 ? 0x1000u : (unsigned int)digit);
	if (!l->digits++)
		return GDB_NOTHING;
	good = l->given == l->sum;
	l->state = BETWEEN;
	if (l->ack)
		gdb_link_put_raw(l, good ? "+" : "-", 1);
	if (!good)
		return GDB_NOTHING;
	l->packet[l->len] = 0;
	return l->too_long ? GDB_PACKET_BAD : GDB_PACKET_IN;
}

static enum gdb_event gdb_link_take_byte(struct gdb_link *l, uint8_t c)
{
	if (l->state == PAYLOAD) {
		gdb_link_payload(l, c);
		return GDB_NOTHING;
	}
	if (l->state == CHECKSUM)
		return gdb_link_checksum(l, c);
	if (c == '$') {
		l->state = PAYLOAD;
		l->len = 0;
		l->sum = 0;
		l->escaped = false;
		l->too_long = false;
	} else if (c == '-' && l->ack && l->reply_len) {
		gdb_link_put_raw(l, l->reply, l->reply_len);
	}
	return c == CTRL_C ? GDB_INTERRUPT : GDB_NOTHING;
}

enum gdb_event gdb_link_wait(struct gdb_link *l, int timeout)
{
	for (;;) {
		struct pollfd p[2] = {
			{ .fd = l->in, .events = POLLIN },
			{ .fd = l->listener, .events = POLLIN },
		};
		ssize_t n;
		int got;

		while (l->rx_pos < l->rx_len) {
			enum gdb_event e = gdb_link_take_byte(l, l->rx[l->rx_pos++]);

			if (e != GDB_NOTHING)
				return e;
		}
		got = poll(p, 2, timeout);
		if (got <= 0)
			return GDB_NOTHING;
		/* One that has gone makes way for the next: look at it first. */
		if (!p[0].revents) {
			if (gdb_link_take_client(l))
				return GDB_NEW;
			continue;
		}
		n = read(l->in, l->rx, sizeof(l->rx));
		if (!n || (n < 0 && errno != EINTR && errno != EAGAIN))
			return GDB_CLOSED;
		l->rx_pos = 0;
		l->rx_len = n > 0 ? n : 0;
	}
}
