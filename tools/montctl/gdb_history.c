// SPDX-License-Identifier: GPL-2.0-only
/*
 * Going backwards. A run repeats exactly, so the past is a saved state and a run from there.
 *
 * A span is the run of a machine between two services of its caller (a system call, a device's
 * register, a page). The state at its beginning is saved, with all that the service has
 * changed, and others within it now and then. Only the machine runs again, never the
 * service: no input is read twice, no output written twice. The end of each span is known as
 * a point, from which the saved state of the next span goes on.
 *
 * In the past nothing may be changed, and going on stops where the present is.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gdb.h"

/* Instructions between two saved states of a span */
#define EVERY (1ULL << 20)
/* Saved states share what is equal, in pieces of this many bytes. */
#define CHUNK 65536
/* Bytes of saved states; the oldest go first. */
#define ROOM (1ULL << 30)
/* Instructions that are stepped in front of a point, at first */
#define NEAR 16

/* A part of saved states that @users of them have. */
struct chunk {
	unsigned int users;
	uint8_t data[CHUNK];
};

/**
 * struct point - where a machine may stand
 * @span: number of the span
 * @insns: instructions retired
 * @pc: IP and slot
 */
struct point {
	uint64_t span;
	uint64_t insns;
	uint64_t pc;
};

/**
 * struct moment - a saved state
 * @at: of which point
 * @first: its span begins here
 * @len: bytes
 * @chunk: of them
 */
struct moment {
	struct point at;
	bool first;
	size_t len;
	struct chunk **chunk;
};

/**
 * struct span - what the machine did between two services
 * @want: how it was asked to
 * @end: where it ended; of the last one, which goes on, the present while in the past
 * @served: by something that its caller serves
 * @tried: by an instruction that is tried again behind the service
 */
struct span {
	struct montecito_run want;
	struct point end;
	bool served;
	bool tried;
};

/**
 * struct gdb_history - what is known of the past
 * @span: spans, the first of them number @first_span
 * @nr_spans: how many
 * @first_span: number
 * @moment: saved states, oldest first
 * @nr_moments: how many
 * @bytes: of chunks
 * @current: number of the span in which the machine stands
 * @past: it stands before the present, which is the last span's end
 * @deaf: the client is not heard: no stop on the way to the present
 */
struct gdb_history {
	struct span *span;
	size_t nr_spans;
	uint64_t first_span;
	struct moment *moment;
	size_t nr_moments;
	uint64_t bytes;
	uint64_t current;
	bool past;
	bool deaf;
};

static struct point gdb_history_here(struct gdb *g)
{
	struct point p = { .span = g->history->current, .pc = gdb_pc(g, 0) };

	montecito_get_reg(g->m, 0, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_INSNS, &p.insns);
	return p;
}

static bool gdb_history_same(const struct point *a, const struct point *b)
{
	return a->span == b->span && a->insns == b->insns && a->pc == b->pc;
}

/* Retired less than at @b: what retires nothing is found by its place. */
static bool gdb_history_before(const struct point *a, const struct point *b)
{
	return a->span < b->span || (a->span == b->span && a->insns < b->insns);
}

static struct span *gdb_history_span_of(struct gdb_history *h, uint64_t number)
{
	return &h->span[number - h->first_span];
}

static uint64_t gdb_history_last_span(const struct gdb_history *h)
{
	return h->first_span + h->nr_spans - 1;
}

/* ---- saved states ---- */

static size_t gdb_history_chunks(const struct moment *m)
{
	return (m->len + CHUNK - 1) / CHUNK;
}

static size_t gdb_history_chunk_size(const struct moment *m, size_t i)
{
	return m->len - i * CHUNK < CHUNK ? m->len - i * CHUNK : CHUNK;
}

static void gdb_history_moment_free(struct gdb_history *h, struct moment *m)
{
	size_t i;

	for (i = 0; m->chunk && i < gdb_history_chunks(m); i++) {
		if (!m->chunk[i] || --m->chunk[i]->users)
			continue;
		free(m->chunk[i]);
		h->bytes -= CHUNK;
	}
	free(m->chunk);
}

static void gdb_history_forget(struct gdb_history *h)
{
	while (h->nr_moments)
		gdb_history_moment_free(h, &h->moment[--h->nr_moments]);
	h->first_span += h->nr_spans;
	h->nr_spans = 0;
	h->past = false;
}

/* The oldest state goes, and a span without one. */
static void gdb_history_drop_oldest(struct gdb_history *h)
{
	gdb_history_moment_free(h, &h->moment[0]);
	memmove(&h->moment[0], &h->moment[1], --h->nr_moments * sizeof(h->moment[0]));
	while (h->nr_moments && h->first_span < h->moment[0].at.span) {
		memmove(&h->span[0], &h->span[1], --h->nr_spans * sizeof(h->span[0]));
		h->first_span++;
	}
}

/* Chunk @i of @data: that of the state before, if it is equal. */
static struct chunk *gdb_history_take_chunk(struct gdb_history *h, const struct moment *m, size_t i,
					    const uint8_t *data)
{
	const struct moment *old = h->nr_moments ? &h->moment[h->nr_moments - 1] : NULL;
	size_t size = gdb_history_chunk_size(m, i);
	struct chunk *c;

	if (old && old->len == m->len && !memcmp(old->chunk[i]->data, data, size)) {
		old->chunk[i]->users++;
		return old->chunk[i];
	}
	c = malloc(sizeof(*c));
	if (!c)
		return NULL;
	c->users = 1;
	memcpy(c->data, data, size);
	h->bytes += CHUNK;
	return c;
}

static int gdb_history_save(struct gdb *g, bool first)
{
	struct gdb_history *h = g->history;
	struct moment m = { .at = gdb_history_here(g), .first = first };
	struct moment *more;
	void *blob;
	size_t i;
	int err = montecito_save(g->m, &blob, &m.len);

	if (err)
		return err;
	m.chunk = calloc(gdb_history_chunks(&m), sizeof(m.chunk[0]));
	err = m.chunk ? 0 : -ENOMEM;
	for (i = 0; !err && i < gdb_history_chunks(&m); i++) {
		m.chunk[i] = gdb_history_take_chunk(h, &m, i, (const uint8_t *)blob + i * CHUNK);
		err = m.chunk[i] ? 0 : -ENOMEM;
	}
	free(blob);
	more = err ? NULL : realloc(h->moment, (h->nr_moments + 1) * sizeof(h->moment[0]));
	if (!more) {
		gdb_history_moment_free(h, &m);
		return -ENOMEM;
	}
	h->moment = more;
	h->moment[h->nr_moments++] = m;
	while (h->bytes > ROOM && h->nr_moments > 1)
		gdb_history_drop_oldest(h);
	return 0;
}

/* The machine stands where @m was saved; @p runs it from there. */
static int gdb_history_load(struct gdb *g, const struct moment *m, struct gdb_piece *p)
{
	uint8_t *blob = malloc(m->len);
	size_t i;
	int err;

	if (!blob)
		return -ENOMEM;
	for (i = 0; i < gdb_history_chunks(m); i++)
		memcpy(blob + i * CHUNK, m->chunk[i]->data, gdb_history_chunk_size(m, i));
	gdb_commit(g);
	err = montecito_restore(g->m, blob, m->len);
	free(blob);
	g->within = false;
	g->history->current = m->at.span;
	*p = (struct gdb_piece){ .g = g,
				 .want = gdb_history_span_of(g->history, m->at.span)->want };
	p->x.reason = MONTECITO_EXIT_BUDGET;
	/* The answer to a device's read was for the span's first instruction. */
	if (!m->first)
		p->want.flags &= ~MONTECITO_RUN_MMIO_DATA;
	return err;
}

/* ---- while the machine runs ---- */

static int gdb_history_begin_span(struct gdb *g, const struct montecito_run *want)
{
	struct gdb_history *h = g->history;
	struct span *more = realloc(h->span, (h->nr_spans + 1) * sizeof(h->span[0]));
	struct span *s;

	if (!more)
		return -ENOMEM;
	h->span = more;
	s = &h->span[h->nr_spans++];
	*s = (struct span){ .want = *want };
	/* Where the caller wanted it back is the span's end. */
	s->want.insns = 0;
	s->want.cycles = 0;
	s->want.flags &= ~MONTECITO_RUN_UNTIL;
	h->current = gdb_history_last_span(h);
	return gdb_history_save(g, true);
}

void gdb_history_note(struct gdb *g, const struct montecito_run *want, bool entry)
{
	struct gdb_history *h = g->history;
	int err = 0;

	/* A state cannot be saved within a group. */
	if (!h || h->past || g->within || g->group.blob)
		return;
	if (entry || !h->nr_spans)
		err = gdb_history_begin_span(g, want);
	else if (gdb_history_here(g).insns - h->moment[h->nr_moments - 1].at.insns >= EVERY)
		err = gdb_history_save(g, false);
	/* Without memory for it there is no past. */
	if (err)
		gdb_history_forget(h);
}

void gdb_history_end(struct gdb *g, const struct montecito_exit *x)
{
	struct gdb_history *h = g->history;
	struct span *s;

	if (!h || !h->nr_spans)
		return;
	s = gdb_history_span_of(h, gdb_history_last_span(h));
	s->end = gdb_history_here(g);
	s->served = x;
	s->tried = x &&
		   (x->reason == MONTECITO_EXIT_INTERRUPTION || x->reason == MONTECITO_EXIT_MMIO);
}

void gdb_history_changed(struct gdb *g)
{
	if (g->history)
		gdb_history_forget(g->history);
}

bool gdb_history_past(const struct gdb *g)
{
	return g->history && g->history->past;
}

int gdb_history_set(struct gdb *g, bool on)
{
	if (gdb_history_past(g))
		return -EBUSY;
	if (on && g->nr_vcpus > 1)
		return -EOPNOTSUPP;
	if (on == !!g->history)
		return 0;
	if (on) {
		g->history = calloc(1, sizeof(*g->history));
		return g->history ? 0 : -ENOMEM;
	}
	gdb_history_forget(g->history);
	free(g->history->moment);
	free(g->history->span);
	free(g->history);
	g->history = NULL;
	return 0;
}

void gdb_history_tell(const struct gdb *g, FILE *f)
{
	const struct gdb_history *h = g->history;

	if (!h) {
		fputs("history is off: the guest cannot be run backwards\n", f);
		return;
	}
	fprintf(f, "history is on: %zu states, %" PRIu64 " MB, of %zu spans between services%s\n",
		h->nr_moments, h->bytes >> 20, h->nr_spans, h->past ? "; in the past" : "");
}

/* ---- in the past ---- */

/* The client is heard; nothing that runs the machine stops for its sake but Ctrl-C. */
static bool gdb_history_heard(struct gdb *g, enum gdb_resume how)
{
	g->resume = how;
	if (g->history->deaf)
		return true;
	gdb_poll(g);
	return g->attached && !g->killed && g->resume == how;
}

static bool gdb_history_at_end(struct gdb *g, const struct gdb_piece *p)
{
	struct gdb_history *h = g->history;
	const struct span *s = gdb_history_span_of(h, h->current);
	struct point now;

	if (h->current < gdb_history_last_span(h) && s->served)
		return gdb_for_caller(p);
	now = gdb_history_here(g);
	return gdb_history_same(&now, &s->end) || gdb_history_before(&s->end, &now);
}

/*
 * @m is a span's beginning, in front of an instruction that has been tried in vain: where a
 * client stands is in front of that, in the span before.
 */
static bool gdb_history_again(const struct gdb_history *h, const struct moment *m)
{
	const struct span *s;

	if (!m->first || m->at.span == h->first_span)
		return false;
	s = &h->span[m->at.span - 1 - h->first_span];
	return s->tried && s->end.insns == m->at.insns && s->end.pc == m->at.pc;
}

/* At a span's end the next one begins, with what the service has changed in between. */
static int gdb_history_settle(struct gdb *g, struct gdb_piece *p)
{
	struct gdb_history *h = g->history;
	int err = 0;

	while (!err && h->current < gdb_history_last_span(h) && gdb_history_at_end(g, p)) {
		size_t i;

		for (i = 0; h->moment[i].at.span <= h->current; i++)
			;
		err = gdb_history_load(g, &h->moment[i], p);
	}
	return err;
}

/* Without stops, from where @p stands to where @insns have retired, or behind the group. */
static int gdb_history_run_to(struct gdb *g, struct gdb_piece *p, uint64_t insns)
{
	enum gdb_resume how = g->resume;
	int err = 0;

	while (!err && gdb_history_here(g).insns < insns && !gdb_history_at_end(g, p)) {
		if (!gdb_history_heard(g, how))
			return -EINTR;
		err = gdb_run_on(p, insns - gdb_history_here(g).insns);
	}
	return err;
}

/* Up to the next stop, but not far behind @insns; a last step may retire nothing. */
static int gdb_history_resume(struct gdb *g, struct gdb_piece *p, enum gdb_resume how,
			      uint64_t insns)
{
	uint64_t now = gdb_history_here(g).insns;

	g->resume = how;
	if (how == GDB_STEP || now >= insns)
		return gdb_step(p);
	p->want.insns = p->insns + (insns - now);
	return gdb_go_on(p);
}

/* Step the machine once, across a span's end; *@watched: it has referred to a watched range. */
static int gdb_history_step(struct gdb *g, struct gdb_piece *p, bool *watched)
{
	enum gdb_resume how = g->resume;
	int err;

	*watched = false;
	g->step_vcpu = 0;
	g->lo = 0;
	g->hi = 0;
	do {
		err = gdb_step(p);
		*watched |= g->resume == GDB_STOPPED;
		g->resume = how;
		if (!err)
			err = gdb_history_settle(g, p);
		if (!err && !gdb_history_heard(g, how))
			err = -EINTR;
		/* A service, or a piece of a run, is no step. */
	} while (!err && !*watched && !g->due && !gdb_history_at_end(g, p));
	g->due = false;
	return err;
}

/* Stand at @to, from the last state saved before it. */
static int gdb_history_stand(struct gdb *g, const struct point *to)
{
	struct gdb_history *h = g->history;
	struct gdb_piece p;
	struct point now;
	uint64_t margin = NEAR;
	bool watched;
	size_t i;
	int err;

	for (i = h->nr_moments - 1; i && gdb_history_before(to, &h->moment[i].at); i--)
		;
	if (to->span == h->moment[i].at.span && to->insns == h->moment[i].at.insns &&
	    !gdb_history_same(to, &h->moment[i].at) && i && h->moment[i - 1].at.span == to->span)
		i--;
	do {
		err = gdb_history_load(g, &h->moment[i], &p);
		now = gdb_history_here(g);
		if (!err && to->insns - now.insns > margin)
			err = gdb_history_run_to(g, &p, to->insns - margin);
		now = gdb_history_here(g);
		/* A long group may end behind it. */
		margin *= 16;
	} while (!err && gdb_history_before(to, &now));
	while (!err && !gdb_history_same(&now, to) && !gdb_history_before(to, &now)) {
		err = gdb_history_step(g, &p, &watched);
		now = gdb_history_here(g);
	}
	return err;
}

/**
 * struct stop - a point to stop at
 * @at: the point
 * @found: there is one
 * @why: in the protocol's words
 */
struct stop {
	struct point at;
	bool found;
	char why[64];
};

static void gdb_history_breakpoint_stop(struct gdb *g, const struct point *at, struct stop *s)
{
	const char *why = gdb_breakpoint_why(g, at->pc);

	if (!why)
		return;
	s->found = true;
	s->at = *at;
	snprintf(s->why, sizeof(s->why), "%s", why);
}

/*
 * The last stop between the state @i, of which @p is to run on, and @limit: in front of a
 * breakpoint, or of what refers to a watched range. With @any, the last point of all. Those
 * of less than @from instructions are passed without looking.
 */
static int gdb_history_search(struct gdb *g, size_t i, const struct point *limit, uint64_t from,
			      bool any, struct stop *s)
{
	const struct moment *m = &g->history->moment[i];
	struct gdb_piece p;
	struct point now, then;
	bool watched, passed;
	int err = gdb_history_load(g, m, &p);

	s->found = false;
	if (!err && from > m->at.insns)
		err = gdb_history_run_to(g, &p, from);
	if (!err)
		err = gdb_history_settle(g, &p);
	then = gdb_history_here(g);
	passed = gdb_history_same(&then, &m->at) && gdb_history_again(g->history, m);
	if (!err && !any && !passed)
		gdb_history_breakpoint_stop(g, &then, s);
	while (!err && gdb_history_before(&then, limit)) {
		uint64_t span = then.span;

		err = gdb_history_step(g, &p, &watched);
		now = gdb_history_here(g);
		if (watched) {
			s->found = true;
			s->at = then;
			/* "T05thread:1;" and the reason */
			snprintf(s->why, sizeof(s->why), "%s", strchr(g->stop, ';') + 1);
		} else if (any && !passed) {
			s->found = true;
			s->at = then;
			s->why[0] = 0;
		}
		if (err || span != now.span || gdb_history_same(&now, limit) ||
		    gdb_history_same(&now, &then))
			break;
		if (!any && gdb_history_before(&now, limit))
			gdb_history_breakpoint_stop(g, &now, s);
		passed = false;
		then = now;
	}
	return err;
}

/*
 * As gdb_history_search() for stops, at the speed of a run: instructions behind the last one,
 * or 0.
 */
static int gdb_history_look(struct gdb *g, size_t i, const struct point *limit, uint64_t *last)
{
	const struct moment *m = &g->history->moment[i];
	const struct point *end = limit->span == m->at.span
					  ? limit
					  : &gdb_history_span_of(g->history, m->at.span)->end;
	enum gdb_resume how = g->resume;
	struct gdb_piece p;
	struct point now;
	bool stopped = true;
	int err = gdb_history_load(g, m, &p);

	*last = 0;
	for (now = gdb_history_here(g);
	     !err && gdb_history_before(&now, limit) && !gdb_history_at_end(g, &p);
	     now = gdb_history_here(g)) {
		if (!gdb_history_heard(g, how))
			return -EINTR;
		/* Away from a breakpoint first. */
		err = gdb_history_resume(g, &p, stopped ? GDB_STEP : GDB_CONTINUE, end->insns);
		now = gdb_history_here(g);
		stopped = g->resume == GDB_STOPPED || gdb_breakpoint_why(g, now.pc);
		if (stopped)
			*last = now.insns;
		g->resume = how;
		g->due = false;
	}
	return err;
}

/* The last stop, or with @any the last point, before @now. */
static int gdb_history_find_back(struct gdb *g, const struct point *now, bool any, struct stop *s)
{
	struct gdb_history *h = g->history;
	struct point limit = *now;
	size_t i = h->nr_moments;
	int err = 0;

	s->found = false;
	while (!err && !s->found && i--) {
		const struct moment *m = &h->moment[i];
		uint64_t last = limit.insns, margin = NEAR;

		if (gdb_history_before(now, &m->at) || gdb_history_same(now, &m->at))
			continue;
		if (limit.span != m->at.span)
			last = gdb_history_span_of(h, m->at.span)->end.insns;
		if (!any) {
			err = gdb_history_look(g, i, &limit, &last);
			if (!err && !last && !gdb_history_again(h, m))
				gdb_history_breakpoint_stop(g, &m->at, s);
		}
		while (!err && last && !s->found) {
			uint64_t from = last > margin ? last - margin : 0;

			err = gdb_history_search(g, i, &limit, from, any, s);
			if (from <= m->at.insns)
				break;
			margin *= 16;
		}
		limit = m->at;
	}
	return err;
}

static void gdb_history_report(struct gdb *g, const char *why)
{
	g->quiet = false;
	g->vcpu = 0;
	gdb_stop(g, GDB_SIGTRAP, "%s", why);
}

/* For the reason of a stop that the client was not told of; a step has none. */
static void gdb_history_tell_again(struct gdb *g, enum gdb_resume how)
{
	char why[64];

	snprintf(why, sizeof(why), "%s", how == GDB_STEP ? "" : strchr(g->stop, ';') + 1);
	gdb_history_report(g, why);
}

/* The present: what the machine did last goes on. */
int gdb_history_return(struct gdb *g)
{
	struct gdb_history *h = g->history;
	struct point now;
	int err;

	if (!gdb_history_past(g))
		return 0;
	now = gdb_history_span_of(h, gdb_history_last_span(h))->end;
	h->deaf = true;
	g->quiet = true;
	g->resume = GDB_CONTINUE;
	err = gdb_history_stand(g, &now);
	g->resume = GDB_CONTINUE;
	g->quiet = false;
	h->deaf = false;
	h->past = false;
	return err;
}

static int gdb_history_backward(struct gdb *g)
{
	struct gdb_history *h = g->history;
	bool any = g->resume == GDB_STEP_BACK;
	struct point now;
	struct stop s;
	int err;

	if (!h || !h->nr_moments) {
		gdb_history_report(g, "replaylog:begin;");
		return 0;
	}
	now = gdb_history_here(g);
	if (!h->past)
		gdb_history_span_of(h, gdb_history_last_span(h))->end = now;
	h->past = true;
	g->quiet = true;
	err = gdb_history_find_back(g, &now, any, &s);
	if (!err)
		err = gdb_history_stand(g, s.found ? &s.at : &h->moment[0].at);
	if (!err)
		gdb_history_report(g, s.found ? s.why : "replaylog:begin;");
	return err;
}

/* Forward, where the machine has been before. */
static int gdb_history_forward(struct gdb *g)
{
	struct gdb_history *h = g->history;
	enum gdb_resume how = g->resume;
	const struct point *present = &gdb_history_span_of(h, gdb_history_last_span(h))->end;
	struct gdb_piece p = { .g = g, .want = gdb_history_span_of(h, h->current)->want };
	struct point now = gdb_history_here(g);
	bool first = false;
	size_t i;
	int err = 0;

	p.x.reason = MONTECITO_EXIT_BUDGET;
	for (i = 0; i < h->nr_moments; i++)
		first |= h->moment[i].first && gdb_history_same(&h->moment[i].at, &now);
	if (!first)
		p.want.flags &= ~MONTECITO_RUN_MMIO_DATA;
	g->quiet = true;
	while (!err && !gdb_history_same(&now, present) && !gdb_history_before(present, &now)) {
		bool stopped;

		if (!gdb_history_heard(g, how))
			return -EINTR;
		err = gdb_history_resume(g, &p, how, gdb_history_span_of(h, h->current)->end.insns);
		stopped = g->resume == GDB_STOPPED || (how == GDB_STEP && g->due);
		g->due = false;
		if (!err)
			err = gdb_history_settle(g, &p);
		now = gdb_history_here(g);
		if (!err && stopped && !gdb_history_before(present, &now)) {
			h->past = !gdb_history_same(&now, present);
			gdb_history_tell_again(g, how);
			return 0;
		}
	}
	if (!err)
		err = gdb_history_return(g);
	if (!err)
		gdb_history_report(g, "replaylog:end;");
	return err;
}

int gdb_history_go(struct gdb *g)
{
	enum gdb_resume how = g->resume;
	int err = how == GDB_STEP || how == GDB_CONTINUE ? gdb_history_forward(g)
							 : gdb_history_backward(g);

	g->quiet = false;
	if (err != -EINTR)
		return err;
	/* Ctrl-C, or a client that has gone: it stands somewhere in the past. */
	if (g->attached && !g->killed)
		gdb_stop(g, GDB_SIGINT, "%s", "");
	return 0;
}
