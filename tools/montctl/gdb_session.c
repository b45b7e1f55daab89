// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests of a client while the machine is stopped, and the few that it may send
 * while it runs. Processors are threads, numbered from 1.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "gdb.h"
#include "montctl.h"

/* gdb gives error numbers no meaning; these tell a reader of the packets the kind. */
#define E_MALFORMED "E01"
#define E_REFUSED "E02"
#define E_NO_ROOM "E03"

static const char hex[] = "0123456789abcdef";

void gdb_send(struct gdb *g, const char *text)
{
	gdb_link_put(&g->link, text, strlen(text));
}

static int gdb_session_digit(char c)
{
	const char *p = c ? strchr(hex, c >= 'A' && c <= 'F' ? c | 0x20 : c) : NULL;

	return p ? p - hex : -1;
}

/* A number in hexadecimal at *@p, of 64 bits at most, up to what is no digit. */
static bool gdb_session_number(const char **p, uint64_t *v)
{
	const char *from = *p;

	for (*v = 0; gdb_session_digit(**p) >= 0; ++*p) {
		if (*v >> 60)
			return false;
		*v = *v << 4 | gdb_session_digit(**p);
	}
	return *p > from;
}

static bool gdb_session_separator(const char **p, char c)
{
	return *(*p)++ == c;
}

/* Exactly @n bytes in hexadecimal at @p, and nothing behind them. */
static bool gdb_session_bytes(const char *p, uint8_t *to, size_t n)
{
	if (strlen(p) != 2 * n)
		return false;
	for (; n; n--, p += 2, to++) {
		if (gdb_session_digit(p[0]) < 0 || gdb_session_digit(p[1]) < 0)
			return false;
		*to = gdb_session_digit(p[0]) << 4 | gdb_session_digit(p[1]);
	}
	return true;
}

static char *gdb_session_put_bytes(char *to, const uint8_t *from, size_t n)
{
	for (; n; n--, from++) {
		*to++ = hex[*from >> 4];
		*to++ = hex[*from & 15];
	}
	*to = 0;
	return to;
}

static void gdb_session_done(struct gdb *g, int err)
{
	gdb_send(g, err ? E_REFUSED : "OK");
}

/* ---- registers and memory ---- */

static void gdb_session_get_registers(struct gdb *g)
{
	static char text[GDB_PACKET];
	char *to = text;
	unsigned int n;

	for (n = 0; n < GDB_REGISTERS; n++) {
		uint8_t v[16];
		size_t size;

		if (!gdb_register_get(g, n, v, &size)) {
			to = gdb_session_put_bytes(to, v, size);
		} else {
			memset(to, 'x', 2 * gdb_register_size(n));
			to += 2 * gdb_register_size(n);
		}
	}
	gdb_link_put(&g->link, text, to - text);
}

static void gdb_session_set_registers(struct gdb *g, const char *p)
{
	static uint8_t all[GDB_PACKET / 2];
	const uint8_t *from = all;
	size_t size = 0;
	unsigned int n;
	int err = 0;

	for (n = 0; n < GDB_REGISTERS; n++)
		size += gdb_register_size(n);
	if (!gdb_session_bytes(p, all, size)) {
		gdb_send(g, E_MALFORMED);
		return;
	}
	if (gdb_change(g)) {
		gdb_send(g, E_REFUSED);
		return;
	}
	for (n = 0; n < GDB_REGISTERS; n++) {
		uint8_t v[16] = { 0 };
		int one;

		memcpy(v, from, gdb_register_size(n));
		one = gdb_register_set(g, n, v);
		err = err ? err : one;
		from += gdb_register_size(n);
	}
	gdb_session_done(g, err);
}

static void gdb_session_get_register(struct gdb *g, const char *p)
{
	char text[40];
	uint8_t v[16];
	uint64_t n;
	size_t size;

	if (!gdb_session_number(&p, &n) || *p || n >= GDB_REGISTERS) {
		gdb_send(g, E_MALFORMED);
	} else if (gdb_register_get(g, n, v, &size)) {
		gdb_send(g, E_REFUSED);
	} else {
		gdb_session_put_bytes(text, v, size);
		gdb_send(g, text);
	}
}

static void gdb_session_set_register(struct gdb *g, const char *p)
{
	uint8_t v[16] = { 0 };
	uint64_t n;
	int err;

	if (!gdb_session_number(&p, &n) || !gdb_session_separator(&p, '=') || n >= GDB_REGISTERS ||
	    !gdb_session_bytes(p, v, gdb_register_size(n))) {
		gdb_send(g, E_MALFORMED);
		return;
	}
	err = gdb_change(g);
	gdb_session_done(g, err ? err : gdb_register_set(g, n, v));
}

static void gdb_session_get_memory(struct gdb *g, const char *p)
{
	static uint8_t data[GDB_PACKET / 2];
	static char text[GDB_PACKET + 1];
	uint64_t addr, len;

	if (!gdb_session_number(&p, &addr) || !gdb_session_separator(&p, ',') ||
	    !gdb_session_number(&p, &len) || *p || addr + len < addr) {
		gdb_send(g, E_MALFORMED);
		return;
	}
	/* Less than was asked for is an answer too. */
	if (len > sizeof(data))
		len = sizeof(data);
	if (gdb_memory_get(g, addr, data, len)) {
		gdb_send(g, E_REFUSED);
		return;
	}
	gdb_session_put_bytes(text, data, len);
	gdb_send(g, text);
}

/* M, or with @binary X, whose @size bytes end the packet. */
static void gdb_session_set_memory(struct gdb *g, const char *p, size_t size, bool binary)
{
	static uint8_t data[GDB_PACKET];
	const char *end = p + size;
	uint64_t addr, len;
	int err = 0;

	if (!gdb_session_number(&p, &addr) || !gdb_session_separator(&p, ',') ||
	    !gdb_session_number(&p, &len) || !gdb_session_separator(&p, ':') || addr + len < addr ||
	    len > sizeof(data) ||
	    (binary ? (uint64_t)(end - p) != len : !gdb_session_bytes(p, data, len))) {
		gdb_send(g, E_MALFORMED);
		return;
	}
	if (binary)
		memcpy(data, p, len);
	/* gdb asks by an empty one whether X is known. */
	if (len)
		err = gdb_change(g);
	gdb_session_done(g, err ? err : gdb_memory_set(g, addr, data, len));
}

/* ---- breakpoints ---- */

static int gdb_session_find(const struct gdb *g, char type, const struct montecito_breakpoint *b)
{
	unsigned int i;

	for (i = 0; i < g->nr_bp; i++)
		if (g->watch_type[i] == type && g->bp[i].addr == b->addr &&
		    g->bp[i].length == b->length)
			return i;
	return -1;
}

/* Z and z: @type, address, and the kind of a breakpoint or the length of a range. */
static void gdb_session_breakpoint(struct gdb *g, const char *p, bool insert)
{
	static const uint32_t kinds[] = {
		MONTECITO_BREAK_EXEC,
		MONTECITO_BREAK_EXEC,
		MONTECITO_BREAK_WRITE,
		MONTECITO_BREAK_READ,
		MONTECITO_BREAK_READ | MONTECITO_BREAK_WRITE,
	};
	struct montecito_breakpoint b = { 0 };
	char type = *p++;
	uint64_t addr, len;
	bool exec;
	int i;

	if (type < '0' || type > '4') {
		gdb_send(g, "");
		return;
	}
	exec = type < '2';
	if (!gdb_session_separator(&p, ',') || !gdb_session_number(&p, &addr) ||
	    !gdb_session_separator(&p, ',') || !gdb_session_number(&p, &len) || (*p && *p != ';') ||
	    (exec ? (addr & 15) > 2 : !len || len > UINT32_MAX || addr + (len - 1) < addr)) {
		gdb_send(g, E_MALFORMED);
		return;
	}
	b.addr = addr;
	b.length = exec ? 0 : len;
	b.kind = kinds[type - '0'];
	i = gdb_session_find(g, type, &b);
	if (insert && i < 0) {
		if (g->nr_bp == MONTECITO_MAX_BREAKPOINTS) {
			gdb_send(g, E_NO_ROOM);
			return;
		}
		g->watch_type[g->nr_bp] = type;
		g->bp[g->nr_bp++] = b;
	} else if (!insert && i >= 0) {
		g->nr_bp--;
		g->bp[i] = g->bp[g->nr_bp];
		g->watch_type[i] = g->watch_type[g->nr_bp];
	}
	gdb_send(g, "OK");
}

/* ---- going on ---- */

static void gdb_session_resume(struct gdb *g, enum gdb_resume how, unsigned int vcpu)
{
	g->resume = how;
	if (how == GDB_STEP) {
		/* A step within a group is of the vcpu that is in it. */
		g->step_vcpu = vcpu;
	}
	g->lo = 0;
	g->hi = 0;
}

/* A thread's id at *@p: its vcpu, or -1 for any or all of them. */
static bool gdb_session_thread(const struct gdb *g, const char **p, int *vcpu)
{
	uint64_t n;

	*vcpu = -1;
	if (**p == '-') {
		++*p;
		return gdb_session_separator(p, '1');
	}
	if (!gdb_session_number(p, &n) || n > g->nr_vcpus)
		return false;
	*vcpu = (int)n - 1;
	return true;
}

/* c, s, C and S, the latter with signals that the guest knows nothing of. */
static void gdb_session_old_resume(struct gdb *g, const char *p)
{
	char how = *p++;
	uint64_t v;

	if (how == 'C' || how == 'S') {
		if (!gdb_session_number(&p, &v)) {
			gdb_send(g, E_MALFORMED);
			return;
		}
		if (*p == ';')
			p++;
	}
	/* gdb writes IP itself. */
	if (*p) {
		gdb_send(g, E_MALFORMED);
		return;
	}
	gdb_session_resume(g, how == 's' || how == 'S' ? GDB_STEP : GDB_CONTINUE, g->vcpu);
}

/* An action of vCont at *@p: what it is, with its range. */
static bool gdb_session_action(const char **p, char *what, uint64_t *lo, uint64_t *hi)
{
	uint64_t v;

	*what = *(*p)++;
	*lo = 0;
	*hi = 0;
	switch (*what) {
	case 'c':
	case 's':
		return true;
	case 'C':
	case 'S':
		*what |= 0x20;
		return gdb_session_number(p, &v);
	case 'r':
		return gdb_session_number(p, lo) && gdb_session_separator(p, ',') &&
		       gdb_session_number(p, hi) && *lo < *hi;
	default:
		return false;
	}
}

/* The first action for a thread counts; all others go on with the one that steps. */
static void gdb_session_cont(struct gdb *g, const char *p)
{
	int step = -1, vcpu;
	uint64_t lo = 0, hi = 0;
	bool any = false;

	while (*p == ';') {
		uint64_t l, h;
		char what;

		p++;
		if (!gdb_session_action(&p, &what, &l, &h))
			break;
		vcpu = -1;
		if (*p == ':') {
			p++;
			if (!gdb_session_thread(g, &p, &vcpu))
				break;
		}
		if (what != 'c' && step < 0 && (vcpu >= 0 || !any)) {
			step = vcpu >= 0 ? vcpu : (int)g->vcpu;
			lo = l;
			hi = h;
		}
		any = true;
	}
	if (*p || !any) {
		gdb_send(g, E_MALFORMED);
		return;
	}
	gdb_session_resume(g, step >= 0 ? GDB_STEP : GDB_CONTINUE, step >= 0 ? step : 0);
	g->lo = lo;
	g->hi = hi;
}

/* Without a client: nothing of it is left behind. */
static void gdb_session_forget_client(struct gdb *g)
{
	g->attached = false;
	g->nr_bp = 0;
	g->physical = false;
	g->swbreak = false;
	g->hwbreak = false;
	gdb_link_drop(&g->link);
}

/* ---- queries ---- */

static bool gdb_session_starts(const char *p, const char *with)
{
	return !strncmp(p, with, strlen(with));
}

static void gdb_session_supported(struct gdb *g, const char *p)
{
	char text[256];

	g->swbreak = strstr(p, "swbreak+");
	g->hwbreak = strstr(p, "hwbreak+");
	snprintf(text, sizeof(text),
		 "PacketSize=%x;QStartNoAckMode+;vContSupported+;swbreak+;hwbreak+;"
		 "ReverseStep+;ReverseContinue+",
		 GDB_PACKET);
	gdb_send(g, text);
}

static void gdb_session_thread_list(struct gdb *g)
{
	char text[64] = "m";
	unsigned int i;

	for (i = 0; i < g->nr_vcpus; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%x", i ? "," : "",
			 i + 1);
	gdb_send(g, text);
}

static void gdb_session_thread_info(struct gdb *g, const char *p)
{
	char text[64], out[2 * sizeof(text) + 1];
	uint64_t halted = 0;
	int vcpu;

	if (!gdb_session_thread(g, &p, &vcpu) || *p || vcpu < 0) {
		gdb_send(g, E_MALFORMED);
		return;
	}
	montecito_get_reg(g->m, vcpu, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_HALTED, &halted);
	snprintf(text, sizeof(text), "vcpu %d%s", vcpu, halted ? ", halted" : "");
	gdb_session_put_bytes(out, (uint8_t *)text, strlen(text));
	gdb_send(g, out);
}

static void gdb_session_monitor(struct gdb *g, const char *p)
{
	size_t n = strlen(p) / 2, room;
	char *command = calloc(1, n + 1), *text = NULL, *out;

	if (!command || !gdb_session_bytes(p, (uint8_t *)command, n)) {
		free(command);
		gdb_send(g, E_MALFORMED);
		return;
	}
	gdb_monitor(g, command, &text);
	free(command);
	out = malloc(GDB_PACKET + 1);
	if (text && out) {
		const char *from = text;

		/* As much as goes into a packet, and again. */
		for (n = strlen(text); n; n -= room, from += room) {
			room = n < GDB_PACKET / 2 - 1 ? n : GDB_PACKET / 2 - 1;
			*out = 'O';
			gdb_session_put_bytes(out + 1, (const uint8_t *)from, room);
			gdb_send(g, out);
		}
	}
	free(out);
	gdb_send(g, text ? "OK" : E_REFUSED);
	free(text);
}

static void gdb_session_query(struct gdb *g, const char *p)
{
	char text[32];

	if (gdb_session_starts(p, "qSupported")) {
		gdb_session_supported(g, p);
	} else if (!strcmp(p, "QStartNoAckMode")) {
		gdb_send(g, "OK");
		g->link.ack = false;
	} else if (!strcmp(p, "qC")) {
		snprintf(text, sizeof(text), "QC%x", g->vcpu + 1);
		gdb_send(g, text);
	} else if (!strcmp(p, "qfThreadInfo")) {
		gdb_session_thread_list(g);
	} else if (!strcmp(p, "qsThreadInfo")) {
		gdb_send(g, "l");
	} else if (gdb_session_starts(p, "qThreadExtraInfo,")) {
		gdb_session_thread_info(g, p + strlen("qThreadExtraInfo,"));
	} else if (!strcmp(p, "qAttached")) {
		/* A client that quits leaves the guest running. */
		gdb_send(g, "1");
	} else if (gdb_session_starts(p, "qRcmd,")) {
		gdb_session_monitor(g, p + strlen("qRcmd,"));
	} else {
		gdb_send(g, "");
	}
}

/* H: which thread others are about. */
static void gdb_session_choose(struct gdb *g, const char *p)
{
	char what = *p ? *p++ : 0;
	int vcpu;

	if ((what != 'g' && what != 'c') || !gdb_session_thread(g, &p, &vcpu) || *p) {
		gdb_send(g, E_MALFORMED);
		return;
	}
	if (vcpu >= 0)
		g->vcpu = vcpu;
	gdb_send(g, "OK");
}

static void gdb_session_alive(struct gdb *g, const char *p)
{
	int vcpu;

	gdb_send(g, gdb_session_thread(g, &p, &vcpu) && !*p && vcpu >= 0 ? "OK" : E_MALFORMED);
}

static void gdb_session_v_packet(struct gdb *g, const char *p)
{
	if (!strcmp(p, "vCont?")) {
		gdb_send(g, "vCont;c;C;s;S;r");
	} else if (gdb_session_starts(p, "vCont;")) {
		gdb_session_cont(g, p + strlen("vCont"));
	} else if (gdb_session_starts(p, "vKill")) {
		g->killed = true;
		gdb_send(g, "OK");
	} else {
		gdb_send(g, "");
	}
}

static void gdb_session_packet(struct gdb *g, const char *p, size_t len)
{
	/* A NUL belongs to data alone. */
	if (*p != 'X' && strlen(p) != len) {
		gdb_send(g, E_MALFORMED);
		return;
	}
	switch (*p) {
	case '?':
		gdb_send(g, g->stop);
		break;
	case 'g':
		gdb_session_get_registers(g);
		break;
	case 'G':
		gdb_session_set_registers(g, p + 1);
		break;
	case 'p':
		gdb_session_get_register(g, p + 1);
		break;
	case 'P':
		gdb_session_set_register(g, p + 1);
		break;
	case 'm':
		gdb_session_get_memory(g, p + 1);
		break;
	case 'M':
	case 'X':
		gdb_session_set_memory(g, p + 1, len - 1, *p == 'X');
		break;
	case 'Z':
	case 'z':
		gdb_session_breakpoint(g, p + 1, *p == 'Z');
		break;
	case 'c':
	case 's':
	case 'C':
	case 'S':
		gdb_session_old_resume(g, p);
		break;
	case 'b':
		if (!strcmp(p, "bs"))
			gdb_session_resume(g, GDB_STEP_BACK, 0);
		else if (!strcmp(p, "bc"))
			gdb_session_resume(g, GDB_CONTINUE_BACK, 0);
		else
			gdb_send(g, "");
		break;
	case 'H':
		gdb_session_choose(g, p + 1);
		break;
	case 'T':
		gdb_session_alive(g, p + 1);
		break;
	case 'D':
		gdb_send(g, "OK");
		gdb_session_forget_client(g);
		gdb_session_resume(g, GDB_CONTINUE, 0);
		break;
	case 'k':
		g->killed = true;
		break;
	case 'q':
	case 'Q':
		gdb_session_query(g, p);
		break;
	case 'v':
		gdb_session_v_packet(g, p);
		break;
	default:
		gdb_send(g, "");
	}
}

/* The client is gone without a word. Where none can come again the guest ends. */
static void gdb_session_gone(struct gdb *g)
{
	gdb_session_forget_client(g);
	g->killed |= g->link.listener < 0;
}

int gdb_serve(struct gdb *g)
{
	while (g->resume == GDB_STOPPED && !g->killed) {
		switch (gdb_link_wait(&g->link, -1)) {
		case GDB_NOTHING:
			return -EINTR;
		case GDB_PACKET_IN:
			gdb_session_packet(g, g->link.packet, g->link.len);
			break;
		case GDB_PACKET_BAD:
			gdb_send(g, E_MALFORMED);
			break;
		case GDB_INTERRUPT:
			/* The machine is stopped already. */
			break;
		case GDB_CLOSED:
			gdb_session_gone(g);
			break;
		case GDB_NEW:
			g->attached = true;
			break;
		}
	}
	return 0;
}

void gdb_poll(struct gdb *g)
{
	for (;;) {
		switch (gdb_link_wait(&g->link, 0)) {
		case GDB_NOTHING:
			return;
		case GDB_PACKET_IN:
		case GDB_PACKET_BAD:
			/* Nothing but Ctrl-C is to come while the guest runs. */
			break;
		case GDB_INTERRUPT:
			gdb_stop(g, GDB_SIGINT, "%s", "");
			return;
		case GDB_CLOSED:
			gdb_session_gone(g);
			if (!g->killed)
				gdb_session_resume(g, GDB_CONTINUE, 0);
			return;
		case GDB_NEW:
			/* A client that connects finds the machine stopped, and asks why. */
			gdb_stop(g, GDB_SIGTRAP, "%s", "");
			g->attached = true;
			return;
		}
	}
}

bool gdb_killed(const struct gdb *g)
{
	return g && g->killed;
}

int gdb_open(struct gdb **res, const char *where, struct montecito *m, bool timed)
{
	struct gdb *g = calloc(1, sizeof(*g));
	int err;

	if (!g)
		return fail("out of memory");
	g->m = m;
	g->timed = timed;
	g->nr_vcpus = montecito_nr_vcpus(m);
	g->link.listener = -1;
	err = gdb_link_open(&g->link, where);
	if (err) {
		free(g);
		return err;
	}
	g->attached = g->link.in >= 0;
	strcpy(g->stop, "T05thread:1;");
	montecito_debug(m, gdb_run, g);
	*res = g;
	return 0;
}

void gdb_close(struct gdb *g, int status)
{
	char text[16];

	if (!g)
		return;
	if (g->attached && !g->killed) {
		snprintf(text, sizeof(text), "W%02x", status & 0xff);
		gdb_send(g, text);
	}
	gdb_commit(g);
	(void)gdb_history_set(g, false);
	gdb_link_close(&g->link);
	free(g->cycles);
	free(g);
}
