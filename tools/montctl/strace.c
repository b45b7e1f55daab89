// SPDX-License-Identifier: GPL-2.0-only
/*
 * montctl run --strace: each system call with name, arguments and result. Buffers are read
 * as they are when the call comes back.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "montctl.h"
#include "strace.h"

/* Bytes of a string that are shown, pieces of an iovec, and room for a path. */
#define STRING 32
#define PIECES 16
#define PATH 4096

#define NR(a) (sizeof(a) / sizeof((a)[0]))

/* Number of the first thread, and of the program */
#define FIRST_THREAD 2

/* Lines name their threads, since another than the first has been seen. */
static bool several;
static FILE *out;

static const struct call {
	unsigned int nr;
	const char *name;
	const char *args;
	char result;
} calls[] = {
#define SYSCALL(nr, name, args, result) { nr, #name, args, result },
#include "syscalls.def"
#undef SYSCALL
};

struct flag {
	uint64_t bit;
	const char *name;
};

static const struct flag open_flags[] = {
	{ 0100, "O_CREAT" },	    { 0200, "O_EXCL" },		{ 0400, "O_NOCTTY" },
	{ 01000, "O_TRUNC" },	    { 02000, "O_APPEND" },	{ 04000, "O_NONBLOCK" },
	{ 0100000, "O_LARGEFILE" }, { 0200000, "O_DIRECTORY" }, { 0400000, "O_NOFOLLOW" },
	{ 02000000, "O_CLOEXEC" },
};

static const struct flag prot_flags[] = {
	{ 1, "PROT_READ" },
	{ 2, "PROT_WRITE" },
	{ 4, "PROT_EXEC" },
};

static const struct flag map_flags[] = {
	{ 0x01, "MAP_SHARED" },	    { 0x02, "MAP_PRIVATE" },	 { 0x10, "MAP_FIXED" },
	{ 0x20, "MAP_ANONYMOUS" },  { 0x100, "MAP_GROWSDOWN" },	 { 0x200, "MAP_GROWSUP" },
	{ 0x800, "MAP_DENYWRITE" }, { 0x4000, "MAP_NORESERVE" }, { 0x20000, "MAP_STACK" },
};

static const struct flag mremap_flags[] = {
	{ 1, "MREMAP_MAYMOVE" },
	{ 2, "MREMAP_FIXED" },
};

static const char *const clocks[] = {
	"CLOCK_REALTIME",	   "CLOCK_MONOTONIC",	  "CLOCK_PROCESS_CPUTIME_ID",
	"CLOCK_THREAD_CPUTIME_ID", "CLOCK_MONOTONIC_RAW", "CLOCK_REALTIME_COARSE",
	"CLOCK_MONOTONIC_COARSE",  "CLOCK_BOOTTIME",
};

static const char *const timers[] = { "ITIMER_REAL", "ITIMER_VIRTUAL", "ITIMER_PROF" };
static const char *const whences[] = { "SEEK_SET", "SEEK_CUR", "SEEK_END" };
static const char *const hows[] = { "SIG_BLOCK", "SIG_UNBLOCK", "SIG_SETMASK" };

/* Flags of @v by name after @first, which is for none of them; what has no name as a number. */
static void strace_print_flags(uint64_t v, const struct flag *f, size_t nr, const char *first)
{
	const char *bar = "";
	size_t i;

	if (first) {
		fputs(first, out);
		bar = "|";
	}
	for (i = 0; i < nr; i++) {
		if (!(v & f[i].bit))
			continue;
		fprintf(out, "%s%s", bar, f[i].name);
		v &= ~f[i].bit;
		bar = "|";
	}
	if (v || !*bar)
		fprintf(out, v ? "%s0x%" PRIx64 : "%s0", bar, v);
}

static void strace_print_name(uint64_t v, const char *const *name, size_t nr)
{
	if (v < nr)
		fputs(name[v], out);
	else
		fprintf(out, "%#" PRIx64, v);
}

static void strace_print_pointer(uint64_t v)
{
	if (v)
		fprintf(out, "0x%" PRIx64, v);
	else
		fputs("NULL", out);
}

/* @len bytes in quotes; control characters as strace has them. */
static void strace_print_bytes(const unsigned char *s, size_t len, bool more)
{
	static const char escapes[] = "\a\b\t\n\v\f\r";
	size_t i;

	fputc('"', out);
	for (i = 0; i < len; i++) {
		bool digit = i + 1 < len && s[i + 1] >= '0' && s[i + 1] <= '7';

		if (s[i] == '"' || s[i] == '\\')
			fprintf(out, "\\%c", s[i]);
		else if (s[i] >= '\t' && s[i] <= '\r')
			fprintf(out, "\\%c", "abtnvfr"[strchr(escapes, s[i]) - escapes]);
		else if (s[i] >= 0x20 && s[i] < 0x7f)
			fputc(s[i], out);
		else
			fprintf(out, digit ? "\\%03o" : "\\%o", s[i]);
	}
	fputs(more ? "\"..." : "\"", out);
}

static void strace_print_buffer(struct montecito_process *p, uint64_t va, uint64_t len)
{
	unsigned char s[STRING];
	size_t n = len < sizeof(s) ? len : sizeof(s);

	if (montecito_process_peek(p, va, s, n))
		strace_print_pointer(va);
	else
		strace_print_bytes(s, n, len > n);
}

static void strace_print_path(struct montecito_process *p, uint64_t va)
{
	char s[PATH];
	size_t n = 0;

	/* Byte by byte: what lies behind its end may not be there. */
	while (n < sizeof(s) - 1 && !montecito_process_peek(p, va + n, &s[n], 1) && s[n])
		n++;
	if (!n && montecito_process_peek(p, va, s, 1))
		strace_print_pointer(va);
	else
		strace_print_bytes((unsigned char *)s, n, false);
}

/* Print an iovec: all of its pieces if @written, else the @left bytes that were read. */
static void strace_print_pieces(struct montecito_process *p, uint64_t va, uint64_t nr,
				uint64_t left, bool written)
{
	uint64_t iov[2], i;

	fputc('[', out);
	for (i = 0; i < nr && i < PIECES; i++) {
		if (montecito_process_peek(p, va + i * sizeof(iov), iov, sizeof(iov)))
			break;
		fprintf(out, "%s{iov_base=", i ? ", " : "");
		strace_print_buffer(p, iov[0], written || iov[1] < left ? iov[1] : left);
		fprintf(out, ", iov_len=%" PRIu64 "}", iov[1]);
		left -= iov[1] < left ? iov[1] : left;
	}
	fputs(i < nr ? ", ...]" : "]", out);
}

static void strace_print_stat(struct montecito_process *p, uint64_t va)
{
	/* mode and size in struct stat of Linux/ia64 */
	uint32_t mode;
	uint64_t size;
	const char *type;

	if (montecito_process_peek(p, va + 24, &mode, sizeof(mode)) ||
	    montecito_process_peek(p, va + 48, &size, sizeof(size))) {
		strace_print_pointer(va);
		return;
	}
	type = S_ISREG(mode)	? "S_IFREG"
	       : S_ISDIR(mode)	? "S_IFDIR"
	       : S_ISCHR(mode)	? "S_IFCHR"
	       : S_ISFIFO(mode) ? "S_IFIFO"
	       : S_ISSOCK(mode) ? "S_IFSOCK"
	       : S_ISBLK(mode)	? "S_IFBLK"
				: "0";
	fprintf(out, "{st_mode=%s|0%o, st_size=%" PRIu64 ", ...}", type, mode & 07777, size);
}

static void strace_print_time(struct montecito_process *p, uint64_t va, bool timeval)
{
	uint64_t t[2];

	if (!va || montecito_process_peek(p, va, t, sizeof(t)))
		strace_print_pointer(va);
	else
		fprintf(out, "{tv_sec=%" PRIu64 ", tv_%csec=%" PRIu64 "}", t[0],
			timeval ? 'u' : 'n', t[1]);
}

static void strace_print_open_flags(uint64_t v)
{
	static const char *const modes[] = { "O_RDONLY", "O_WRONLY", "O_RDWR", "O_ACCMODE" };

	strace_print_flags(v & ~3ULL, open_flags, NR(open_flags), modes[v & 3]);
}

static void strace_print_signal(uint64_t v)
{
	const char *name = v < 65 ? sigabbrev_np(v) : NULL;

	if (name)
		fprintf(out, "SIG%s", name);
	else
		fprintf(out, "%" PRIu64, v);
}

/* Argument @i of a call that did @good, of kind @kind. */
static void strace_print_arg(struct montecito_process *p, const struct montecito_syscall *c,
			     unsigned int i, char kind, bool good)
{
	uint64_t v = c->arg[i], n = good && c->result > 0 ? c->result : 0;

	switch (kind) {
	case 'i':
		fprintf(out, "%d", (int)v);
		break;
	case 'u':
		fprintf(out, "%" PRIu64, v);
		break;
	case 'f':
		fprintf(out, "%d", (int)v);
		break;
	case 'F':
		if ((int)v == AT_FDCWD)
			fputs("AT_FDCWD", out);
		else
			fprintf(out, "%d", (int)v);
		break;
	case 's':
		strace_print_path(p, v);
		break;
	case 'r':
		if (good)
			strace_print_buffer(p, v, n);
		else
			strace_print_pointer(v);
		break;
	case 'w':
		strace_print_buffer(p, v, c->arg[i + 1]);
		break;
	case 'v':
		if (!good) {
			strace_print_pointer(v);
			break;
		}
		/* fallthrough */
	case 'y':
		strace_print_pieces(p, v, c->arg[i + 1], n, kind == 'y');
		break;
	case 'o':
		strace_print_open_flags(v);
		break;
	case 'm':
		fprintf(out, v ? "0%" PRIo64 : "%" PRIo64, v);
		break;
	case 'P':
		strace_print_flags(v, prot_flags, NR(prot_flags), v ? NULL : "PROT_NONE");
		break;
	case 'M':
		strace_print_flags(v, map_flags, NR(map_flags), NULL);
		break;
	case 'R':
		strace_print_flags(v, mremap_flags, NR(mremap_flags), NULL);
		break;
	case 'W':
		strace_print_name(v, whences, NR(whences));
		break;
	case 'h':
		strace_print_name(v, hows, NR(hows));
		break;
	case 't':
		strace_print_name(v, timers, NR(timers));
		break;
	case 'c':
		strace_print_name(v, clocks, NR(clocks));
		break;
	case 'g':
		strace_print_signal(v);
		break;
	case 'S':
	case 'T':
	case 'U':
		if (!good)
			strace_print_pointer(v);
		else if (kind == 'S')
			strace_print_stat(p, v);
		else if (kind == 'T')
			strace_print_time(p, v, i == 0);
		else
			fputs("{sysname=\"Linux\", ...}", out);
		break;
	case 'I':
		fputs(v == 0x5413 ? "TIOCGWINSZ" : v == 0x5401 ? "TCGETS" : "", out);
		if (v != 0x5413 && v != 0x5401)
			fprintf(out, "0x%" PRIx64, v);
		break;
	case 'p':
		strace_print_pointer(v);
		break;
	default:
		fprintf(out, "0x%" PRIx64, v);
	}
}

static const struct call *strace_find(uint64_t nr)
{
	size_t i;

	for (i = 0; i < NR(calls); i++)
		if (calls[i].nr == nr)
			return &calls[i];
	return NULL;
}

/* The mode of open() is there with O_CREAT alone. */
static bool strace_leaves_out(const struct call *call, const struct montecito_syscall *c,
			      unsigned int i)
{
	return call->args[i] == 'm' && i && call->args[i - 1] == 'o' && !(c->arg[i - 1] & 0100);
}

static void strace_trace(struct montecito_process *p, const struct montecito_syscall *c, void *arg)
{
	const struct call *call = strace_find(c->nr);
	const char *args = call && call->args ? call->args : "xxxxxx", *comma = "";
	bool good = c->result >= 0 || c->result < -4095;
	unsigned int i;

	(void)arg;
	several = several || c->tid != FIRST_THREAD;
	if (several)
		fprintf(out, "[pid %" PRIu32 "] ", (uint32_t)c->tid);
	if (call)
		fprintf(out, "%s(", call->name);
	else
		fprintf(out, "syscall_%" PRIu64 "(", (uint64_t)c->nr);
	for (i = 0; args[i]; i++) {
		if (call && call->args && strace_leaves_out(call, c, i))
			continue;
		fputs(comma, out);
		strace_print_arg(p, c, i, args[i], good);
		comma = ", ";
	}
	fputs(") = ", out);
	if (call && call->result == '?')
		fputs("?\n", out);
	else if (!good)
		fprintf(out, "-1 %s (%s)\n", strerrorname_np(-c->result), strerror(-c->result));
	else if (call && call->result == 'x')
		fprintf(out, "0x%" PRIx64 "\n", (uint64_t)c->result);
	else
		fprintf(out, "%" PRId64 "\n", (int64_t)c->result);
	fflush(out);
}

int strace_open(struct montecito_process *p, const char *path)
{
	out = path ? fopen(path, "we") : stderr;
	if (!out)
		return fail("--strace=%s: %s", path, strerror(errno));
	montecito_process_trace(p, strace_trace, NULL);
	return 0;
}

int strace_close(struct montecito_process *p, int status)
{
	int sig = p ? montecito_process_signal(p) : 0;
	bool bad;

	if (!out)
		return 0;
	if (sig)
		fprintf(out, "+++ killed by SIG%s +++\n", sigabbrev_np(sig));
	else if (status >= 0)
		fprintf(out, "+++ exited with %d +++\n", status);
	bad = fflush(out) || ferror(out);
	if (out != stderr && fclose(out))
		bad = true;
	out = NULL;
	return bad ? fail("--strace: %s", strerror(errno)) : 0;
}
