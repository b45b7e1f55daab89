// SPDX-License-Identifier: GPL-2.0-only
/*
 * montctl report --pprof: a recording as a profile.proto message, packed by gzip, for
 * "go tool pprof" and what else reads it. Field numbers are those of that file's messages
 * Profile, ValueType, Sample, Mapping, Location, Line and Function; they never change.
 * Each event is a type of value; a value is samples times period.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "montctl.h"
#include "profile.h"

enum { VARINT = 0, BYTES = 2 };

/**
 * struct message - an encoded message that grows
 * @buf: its bytes
 * @len: how many
 * @cap: room for
 * @failed: there was no memory
 */
struct message {
	unsigned char *buf;
	size_t len;
	size_t cap;
	bool failed;
};

/**
 * struct names - the string table
 * @name: strings, each once; the first is ""
 * @nr: how many
 * @cap: room for
 */
struct names {
	char **name;
	size_t nr;
	size_t cap;
};

/**
 * struct function - a function of the profile; its number is its place plus 1
 * @name: index of its name
 * @file: index of its source file
 */
struct function {
	uint64_t name;
	uint64_t file;
};

/**
 * struct pprof - a profile under way
 * @names: strings
 * @function: functions
 * @nr: how many
 * @cap: room for
 * @m: the message
 * @failed: there was no memory
 */
struct pprof {
	struct names names;
	struct function *function;
	size_t nr;
	size_t cap;
	struct message m;
	bool failed;
};

static void pprof_put_byte(struct message *m, unsigned char c)
{
	if (m->len == m->cap) {
		size_t cap = m->cap ? 2 * m->cap : 4096;
		unsigned char *p = realloc(m->buf, cap);

		if (!p) {
			m->failed = true;
			return;
		}
		m->buf = p;
		m->cap = cap;
	}
	m->buf[m->len++] = c;
}

static void pprof_put_varint(struct message *m, uint64_t v)
{
	for (; v > 127; v >>= 7)
		pprof_put_byte(m, v | 0x80);
	pprof_put_byte(m, v);
}

/* A field that is 0 is left out: 0 is what a reader takes then. */
static void pprof_put_number(struct message *m, unsigned int field, uint64_t v)
{
	if (!v)
		return;
	pprof_put_varint(m, field << 3 | VARINT);
	pprof_put_varint(m, v);
}

static void pprof_put_bytes(struct message *m, unsigned int field, const void *p, size_t len)
{
	const unsigned char *c = p;

	pprof_put_varint(m, field << 3 | BYTES);
	pprof_put_varint(m, len);
	while (len--)
		pprof_put_byte(m, *c++);
}

/* Append @inner as field @field, and empty it for the next one. */
static void pprof_put_message(struct message *m, unsigned int field, struct message *inner)
{
	pprof_put_bytes(m, field, inner->buf, inner->len);
	m->failed |= inner->failed;
	inner->len = 0;
}

/* Index of @name in the string table. */
static uint64_t pprof_name_of(struct pprof *p, const char *name)
{
	struct names *n = &p->names;
	size_t i;

	/* Neighbours in a profile share names: look from the last one on. */
	for (i = n->nr; i-- > 0;)
		if (!strcmp(n->name[i], name))
			return i;
	if (n->nr == n->cap) {
		size_t cap = n->cap ? 2 * n->cap : 256;
		char **q = realloc(n->name, cap * sizeof(*q));

		if (!q) {
			p->failed = true;
			return 0;
		}
		n->name = q;
		n->cap = cap;
	}
	n->name[n->nr] = strdup(name);
	if (!n->name[n->nr]) {
		p->failed = true;
		return 0;
	}
	return n->nr++;
}

/* Number of the function @name of @file. */
static uint64_t pprof_function_of(struct pprof *p, const char *name, const char *file)
{
	struct function f = { pprof_name_of(p, name), pprof_name_of(p, file ? file : "") };
	size_t i;

	for (i = p->nr; i-- > 0;)
		if (p->function[i].name == f.name && p->function[i].file == f.file)
			return i + 1;
	if (p->nr == p->cap) {
		size_t cap = p->cap ? 2 * p->cap : 256;
		struct function *q = realloc(p->function, cap * sizeof(*q));

		if (!q) {
			p->failed = true;
			return 0;
		}
		p->function = q;
		p->cap = cap;
	}
	p->function[p->nr++] = f;
	return p->nr;
}

/* ValueType: what is counted, in occurrences. */
static void pprof_put_type(struct pprof *p, unsigned int field, const char *event)
{
	struct message m = { 0 };

	pprof_put_number(&m, 1, pprof_name_of(p, event));
	pprof_put_number(&m, 2, pprof_name_of(p, "count"));
	pprof_put_message(&p->m, field, &m);
	free(m.buf);
}

/* Mapping 1: the program, whatever lies where. */
static void pprof_put_mapping(struct pprof *p, const struct profile *in)
{
	struct message m = { 0 };
	bool lines = false;
	size_t i;
	int line;

	for (i = 0; i < in->nr && !lines; i++)
		lines = profile_source(in, in->cell[i].at, &line);
	pprof_put_number(&m, 1, 1);
	pprof_put_number(&m, 3, UINT64_MAX);
	pprof_put_number(&m, 5, pprof_name_of(p, in->in.program));
	pprof_put_number(&m, 7, true);
	pprof_put_number(&m, 8, lines);
	pprof_put_number(&m, 9, lines);
	pprof_put_message(&p->m, 3, &m);
	free(m.buf);
}

/* Location @id, which is the instruction @at, and a sample there with @value for each event. */
static void pprof_put_place(struct pprof *p, const struct profile *in, uint64_t id, uint64_t at,
			    const uint64_t *value)
{
	struct message m = { 0 }, inner = { 0 };
	char none[PROFILE_NO_NAME];
	const char *file;
	size_t i;
	int line;

	file = profile_source(in, at, &line);
	pprof_put_number(&inner, 1, pprof_function_of(p, profile_function(in, at, none), file));
	pprof_put_number(&inner, 2, line);
	pprof_put_number(&m, 1, id);
	pprof_put_number(&m, 2, 1);
	pprof_put_number(&m, 3, at);
	pprof_put_message(&m, 4, &inner);
	pprof_put_message(&p->m, 4, &m);

	pprof_put_varint(&inner, id);
	pprof_put_message(&m, 1, &inner);
	for (i = 0; i < in->in.nr; i++)
		pprof_put_varint(&inner, value[i]);
	pprof_put_message(&m, 2, &inner);
	pprof_put_message(&p->m, 2, &m);
	free(m.buf);
	free(inner.buf);
}

static void pprof_put_tables(struct pprof *p)
{
	struct message m = { 0 };
	size_t i;

	for (i = 0; i < p->nr; i++) {
		pprof_put_number(&m, 1, i + 1);
		pprof_put_number(&m, 2, p->function[i].name);
		pprof_put_number(&m, 3, p->function[i].name);
		pprof_put_number(&m, 4, p->function[i].file);
		pprof_put_message(&p->m, 5, &m);
	}
	for (i = 0; i < p->names.nr; i++)
		pprof_put_bytes(&p->m, 6, p->names.name[i], strlen(p->names.name[i]));
	free(m.buf);
}

static void pprof_encode(struct pprof *p, const struct profile *in, uint64_t *value)
{
	uint64_t id = 0;
	size_t i;

	(void)pprof_name_of(p, "");
	for (i = 0; i < in->in.nr; i++)
		pprof_put_type(p, 1, in->in.event[i]);
	pprof_put_mapping(p, in);
	for (i = 0; i < in->nr;) {
		uint64_t at = in->cell[i].at;

		i = profile_values(in, i, value);
		pprof_put_place(p, in, ++id, at, value);
	}
	if (in->in.nr) {
		pprof_put_type(p, 11, in->in.event[0]);
		pprof_put_number(&p->m, 12, in->in.period[0]);
		pprof_put_number(&p->m, 14, pprof_name_of(p, in->in.event[0]));
	}
	pprof_put_tables(p);
}

/* Pack @m as gzip does; its header holds no time, so equal profiles are equal files. */
static int pprof_write_packed(const struct message *m, FILE *f)
{
	z_stream z = { .next_in = m->buf, .avail_in = m->len };
	unsigned char out[1 << 14];
	int ret;

	if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) !=
	    Z_OK)
		return fail("out of memory");
	do {
		z.next_out = out;
		z.avail_out = sizeof(out);
		ret = deflate(&z, Z_FINISH);
		fwrite(out, sizeof(out) - z.avail_out, 1, f);
	} while (ret == Z_OK);
	deflateEnd(&z);
	return ret == Z_STREAM_END ? 0 : fail("zlib: %s", z.msg ? z.msg : "failed");
}

int pprof_write(const struct profile *in, FILE *f)
{
	uint64_t *value = calloc(in->in.nr + 1, sizeof(*value));
	struct pprof p = { 0 };
	int err;

	if (value)
		pprof_encode(&p, in, value);
	if (!value || p.failed || p.m.failed || p.m.len > UINT32_MAX)
		err = fail("out of memory");
	else
		err = pprof_write_packed(&p.m, f);
	while (p.names.nr)
		free(p.names.name[--p.names.nr]);
	free(p.names.name);
	free(p.function);
	free(p.m.buf);
	free(value);
	return err;
}
