// SPDX-License-Identifier: GPL-2.0-only
/* The bytes of a recording: packing of records, and zstd around them (montctl-record(1)). */
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "montctl.h"
#include "samples_file.h"

/* The first byte of a record: 0 for one that is as it is, behind its size. */
#define TAG_SAMPLE 0x01
#define TAG_SOURCE 0x02 /* of another source than the last */
#define TAG_WHO 0x04 /* of another vcpu or level */
#define TAG_CYCLES 0x08 /* cycles and clock have not moved alike */
#define TAG_MASK 0x10 /* of other PMDs */
#define TAG_CHAIN 0x20 /* has a call chain */
#define TAG_WHY 0x40 /* of another cause or level of the memory */
#define TAG_PHYSICAL 0x80 /* has a physical address */

#define LEVEL 3 /* of zstd */
#define IN_BYTES (128 * 1024)
#define OUT_BYTES (256 * 1024)
#define SYNC_BYTES (1024 * 1024) /* packed ones, after which all is written out */
/* More than any packed record has: ten bytes for each number. */
#define PACKED_MAX (10 * (14 + 64 + MONTECITO_MAX_CALLCHAIN))

/**
 * struct samples_out - a file that is being written
 * @f: it
 * @z: state of zstd
 * @last: state of records
 * @packed: since the last sync
 * @error: errno of the first failure
 * @buf: what zstd gives
 */
struct samples_out {
	FILE *f;
	ZSTD_CStream *z;
	struct samples_last last;
	size_t packed;
	int error;
	uint8_t buf[IN_BYTES];
};

/* ---- numbers ---- */

/* Seven bits a byte, the lowest first; bit 7 says that more follow. */
static uint8_t *samples_file_put(uint8_t *p, uint64_t v)
{
	for (; v > 0x7f; v >>= 7)
		*p++ = v | 0x80;
	*p++ = v;
	return p;
}

/* A difference: small ones of either sign are short. */
static uint8_t *samples_file_put_delta(uint8_t *p, uint64_t v, uint64_t *last)
{
	uint64_t d = v - *last;

	*last = v;
	return samples_file_put(p, d << 1 ^ -(d >> 63));
}

/**
 * struct cursor - packed bytes that are being read
 * @p: the next one
 * @end: behind the last
 * @bad: there were too few
 */
struct cursor {
	const uint8_t *p;
	const uint8_t *end;
	bool bad;
};

static uint64_t samples_file_get(struct cursor *c)
{
	unsigned int shift;
	uint64_t v = 0;

	for (shift = 0; shift < 64 && c->p < c->end; shift += 7) {
		uint8_t b = *c->p++;

		v |= (uint64_t)(b & 0x7f) << shift;
		if (!(b & 0x80))
			return v;
	}
	c->bad = true;
	return 0;
}

static uint64_t samples_file_get_delta(struct cursor *c, uint64_t *last)
{
	uint64_t z = samples_file_get(c);

	*last += z >> 1 ^ -(z & 1);
	return *last;
}

/* ---- records ---- */

static uint8_t *samples_file_pack_chain(struct samples_last *l, uint8_t *p, const uint64_t *chain,
					uint32_t nr)
{
	uint32_t same = 0, i;
	uint64_t last = 0;

	while (same < nr && same < l->nr_chain &&
	       chain[nr - 1 - same] == l->chain[l->nr_chain - 1 - same])
		same++;
	p = samples_file_put(p, nr);
	p = samples_file_put(p, same);
	for (i = 0; i < nr - same; i++)
		p = samples_file_put_delta(p, chain[i], &last);
	memcpy(l->chain, chain, nr * sizeof(*chain));
	l->nr_chain = nr;
	return p;
}

static uint8_t *samples_file_pack_sample(struct samples_last *l, uint8_t *p,
					 const struct montecito_record_sample *s)
{
	uint64_t who = s->vcpu << 2 | s->cpl, why = s->level << 8 | s->cause, left;
	uint8_t *tag = p++;
	const __u64 *value = s->value;
	unsigned int v = s->vcpu % SAMPLES_VCPUS;
	uint64_t clock = s->clock - l->clock[v], cycles = s->cycles - l->cycles[v];

	*tag = TAG_SAMPLE;
	if (s->source != l->source) {
		*tag |= TAG_SOURCE;
		p = samples_file_put(p, l->source = s->source);
	}
	if (who != l->who) {
		*tag |= TAG_WHO;
		p = samples_file_put(p, l->who = who);
	}
	if (why != l->why) {
		*tag |= TAG_WHY;
		p = samples_file_put(p, l->why = why);
	}
	p = samples_file_put_delta(p, s->clock, &l->clock[v]);
	if (cycles != clock) {
		*tag |= TAG_CYCLES;
		p = samples_file_put_delta(p, s->cycles, &l->cycles[v]);
	}
	l->cycles[v] = s->cycles;
	p = samples_file_put_delta(p, s->insns, &l->insns[v]);
	p = samples_file_put_delta(p, s->ip | s->slot, &l->at[v]);
	if (s->pmds != l->pmds) {
		*tag |= TAG_MASK;
		p = samples_file_put(p, l->pmds = s->pmds);
	}
	for (left = s->pmds; left; left &= left - 1)
		p = samples_file_put_delta(p, *value++, &l->pmd[__builtin_ctzll(left)]);
	if (s->format & MONTECITO_SAMPLE_PHYSICAL) {
		*tag |= TAG_PHYSICAL;
		p = samples_file_put_delta(p, *value++, &l->physical);
	}
	if (s->format & MONTECITO_SAMPLE_CALLCHAIN) {
		*tag |= TAG_CHAIN;
		p = samples_file_pack_chain(l, p, (const uint64_t *)(value + 1), value[0]);
	}
	return p;
}

static uint64_t *samples_file_unpack_chain(struct samples_last *l, struct cursor *c,
					   uint64_t *value)
{
	uint64_t nr = samples_file_get(c), same = samples_file_get(c), last = 0,
		 chain[MONTECITO_MAX_CALLCHAIN];
	uint32_t i;

	if (nr > MONTECITO_MAX_CALLCHAIN || same > nr || same > l->nr_chain) {
		c->bad = true;
		return value;
	}
	for (i = 0; i < nr - same; i++)
		chain[i] = samples_file_get_delta(c, &last);
	memcpy(chain + (nr - same), l->chain + (l->nr_chain - same), same * sizeof(*chain));
	memcpy(l->chain, chain, nr * sizeof(*chain));
	l->nr_chain = nr;
	*value++ = nr;
	memcpy(value, chain, nr * sizeof(*chain));
	return value + nr;
}

static void samples_file_unpack_sample(struct samples_last *l, struct cursor *c, uint8_t tag,
				       struct montecito_record_sample *s)
{
	uint64_t before, left, *value = (uint64_t *)s->value;
	unsigned int v;

	if (tag & TAG_SOURCE)
		l->source = samples_file_get(c);
	if (tag & TAG_WHO)
		l->who = samples_file_get(c);
	if (tag & TAG_WHY)
		l->why = samples_file_get(c);
	v = l->who >> 2;
	if (l->who >> 2 >= SAMPLES_VCPUS) {
		c->bad = true;
		return;
	}
	*s = (struct montecito_record_sample){
		.source = l->source,
		.vcpu = v,
		.cpl = l->who & 3,
		.cause = l->why,
		.level = l->why >> 8,
	};
	s->header.type = MONTECITO_RECORD_SAMPLE;
	s->header.misc = MONTECITO_SAMPLE_OBSERVER;
	before = l->clock[v];
	s->clock = samples_file_get_delta(c, &l->clock[v]);
	if (tag & TAG_CYCLES)
		samples_file_get_delta(c, &l->cycles[v]);
	else
		l->cycles[v] += s->clock - before;
	s->cycles = l->cycles[v];
	s->insns = samples_file_get_delta(c, &l->insns[v]);
	s->ip = samples_file_get_delta(c, &l->at[v]);
	s->slot = s->ip & 3;
	s->ip &= ~(uint64_t)15;
	if (tag & TAG_MASK)
		l->pmds = samples_file_get(c);
	s->pmds = l->pmds;
	for (left = s->pmds; left; left &= left - 1)
		*value++ = samples_file_get_delta(c, &l->pmd[__builtin_ctzll(left)]);
	if (tag & TAG_PHYSICAL) {
		s->format |= MONTECITO_SAMPLE_PHYSICAL;
		*value++ = samples_file_get_delta(c, &l->physical);
	}
	if (tag & TAG_CHAIN) {
		s->format |= MONTECITO_SAMPLE_CALLCHAIN;
		value = samples_file_unpack_chain(l, c, value);
	}
	s->header.size = (uint8_t *)value - (uint8_t *)s;
}

/* A record at @c into @to; @c->bad if there is none. */
static void samples_file_unpack(struct samples_last *l, struct cursor *c, void *to)
{
	struct montecito_record_header *h = to;
	uint64_t size;
	uint8_t tag = *c->p++;

	if (tag) {
		c->bad = !(tag & TAG_SAMPLE);
		if (!c->bad)
			samples_file_unpack_sample(l, c, tag, to);
		return;
	}
	size = samples_file_get(c);
	if (size < sizeof(*h) || size > MONTECITO_RECORD_MAX || size > (size_t)(c->end - c->p)) {
		c->bad = true;
		return;
	}
	memcpy(to, c->p, size);
	c->p += size;
	c->bad |= h->size != size || h->type == MONTECITO_RECORD_SAMPLE;
}

/* ---- writing ---- */

/* Keep a recording of the name @path beside the new one: no recording is lost. */
static void samples_file_keep(const char *path)
{
	struct stat st;
	char *old = NULL;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || !st.st_size ||
	    asprintf(&old, "%s.old", path) < 0)
		return;
	if (!rename(path, old))
		fprintf(stderr, "montctl: %s is kept as %s\n", path, old);
	free(old);
}

struct samples_out *samples_create(const char *path, const char *header)
{
	struct samples_out *o = calloc(1, sizeof(*o));

	if (!o)
		return NULL;
	samples_file_keep(path);
	o->f = fopen(path, "we");
	o->z = o->f ? ZSTD_createCStream() : NULL;
	if (!o->z || ZSTD_isError(ZSTD_initCStream(o->z, LEVEL))) {
		o->error = o->f ? ENOMEM : errno;
		errno = samples_finish(o, false);
		return NULL;
	}
	if (fprintf(o->f, "%s\n", header) < 0 || fflush(o->f)) {
		o->error = errno;
		errno = samples_finish(o, false);
		return NULL;
	}
	return o;
}

static int samples_file_compress(struct samples_out *o, const void *from, size_t len,
				 ZSTD_EndDirective end)
{
	ZSTD_inBuffer in = { from, len, 0 };
	size_t left;

	do {
		ZSTD_outBuffer out = { o->buf, sizeof(o->buf), 0 };

		if (o->error)
			return o->error;
		left = ZSTD_compressStream2(o->z, &out, &in, end);
		if (ZSTD_isError(left))
			o->error = EIO;
		else if (out.pos && fwrite(o->buf, out.pos, 1, o->f) != 1)
			o->error = errno;
	} while (end == ZSTD_e_continue ? in.pos < in.size : left);
	return o->error;
}

int samples_put(struct samples_out *o, const struct montecito_record_header *record)
{
	const struct montecito_record_sample *s = (const void *)record;
	uint8_t packed[PACKED_MAX], *end = packed;
	int err;

	if (record->type == MONTECITO_RECORD_SAMPLE) {
		end = samples_file_pack_sample(&o->last, end, s);
	} else {
		*end++ = 0;
		end = samples_file_put(end, record->size);
		memcpy(end, record, record->size);
		end += record->size;
	}
	o->packed += end - packed;
	err = samples_file_compress(o, packed, end - packed, ZSTD_e_continue);
	if (!err && o->packed >= SYNC_BYTES)
		err = samples_sync(o);
	return err;
}

int samples_sync(struct samples_out *o)
{
	o->packed = 0;
	if (!samples_file_compress(o, NULL, 0, ZSTD_e_flush) && fflush(o->f))
		o->error = errno;
	return o->error;
}

int samples_finish(struct samples_out *o, int whole)
{
	int err;

	if (whole)
		samples_file_compress(o, NULL, 0, ZSTD_e_end);
	if (o->f && fclose(o->f) && !o->error)
		o->error = errno;
	ZSTD_freeCStream(o->z);
	err = o->error;
	free(o);
	return err;
}

/* ---- reading ---- */

int samples_in_open(struct samples_in *i, FILE *f)
{
	*i = (struct samples_in){ .f = f };
	i->z = ZSTD_createDStream();
	i->in = malloc(IN_BYTES);
	i->out = malloc(OUT_BYTES);
	return i->z && i->in && i->out && !ZSTD_isError(ZSTD_initDStream(i->z)) ? 0 : -ENOMEM;
}

/* More bytes of records behind those that are not taken yet. */
static enum samples_got samples_file_more(struct samples_in *i)
{
	ZSTD_inBuffer in;
	ZSTD_outBuffer out;
	size_t left;

	memmove(i->out, i->out + i->out_at, i->nr_out - i->out_at);
	i->nr_out -= i->out_at;
	i->out_at = 0;
	if (i->in_at == i->nr_in && !i->frame_end) {
		i->nr_in = fread(i->in, 1, IN_BYTES, i->f);
		i->in_at = 0;
		if (!i->nr_in && ferror(i->f))
			return SAMPLES_FAILED;
	}
	in = (ZSTD_inBuffer){ i->in, i->nr_in, i->in_at };
	out = (ZSTD_outBuffer){ i->out, OUT_BYTES, i->nr_out };
	if (i->frame_end)
		return SAMPLES_CUT;
	left = ZSTD_decompressStream(i->z, &out, &in);
	if (ZSTD_isError(left))
		return SAMPLES_DAMAGED;
	i->frame_end = !left;
	if (out.pos == i->nr_out && in.pos == i->in_at && !i->frame_end)
		return SAMPLES_CUT;
	i->in_at = in.pos;
	i->nr_out = out.pos;
	return SAMPLES_GOT;
}

enum samples_got samples_get(struct samples_in *i, void *to)
{
	for (;;) {
		struct samples_last before;
		struct cursor c = { i->out + i->out_at, i->out + i->nr_out, false };
		bool whole = i->nr_out - i->out_at >= PACKED_MAX;
		enum samples_got got;

		/* Unpacking a record that may be there in part only is taken back if it fails. */
		if (!whole)
			before = i->last;
		if (c.p < c.end)
			samples_file_unpack(&i->last, &c, to);
		else
			c.bad = true;
		if (!c.bad) {
			i->out_at = c.p - i->out;
			return SAMPLES_GOT;
		}
		if (whole)
			return SAMPLES_DAMAGED;
		i->last = before;
		got = samples_file_more(i);
		if (got == SAMPLES_CUT && i->frame_end && i->out_at < i->nr_out)
			return SAMPLES_DAMAGED;
		if (got != SAMPLES_GOT)
			return got;
	}
}

int samples_at_end(struct samples_in *i)
{
	if (i->out_at == i->nr_out && !i->frame_end)
		samples_file_more(i);
	return i->out_at == i->nr_out && i->frame_end && i->in_at == i->nr_in && getc(i->f) == EOF;
}

void samples_in_close(struct samples_in *i)
{
	ZSTD_freeDStream(i->z);
	free(i->in);
	free(i->out);
	if (i->f)
		fclose(i->f);
	memset(i, 0, sizeof(*i));
}
