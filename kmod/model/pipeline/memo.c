// SPDX-License-Identifier: GPL-2.0-only
/*
 * States of the pipeline that are kept (memo.h): what makes them, how they are found, and how the
 * instruction buffer is put in place from them.
 */
#include "memo.h"
#include "operands.h"

#define MEMO_FRONT 14 /* cycles of a key but those of gaps; one is not used */
#define MEMO_GAP (1 + MONT_FRONT_CYCLES) /* cycles of a gap */

/* A cycle that is 0, which no group has had: a flush leaves it. */
#define MEMO_NEVER (-0x7fffffff - 1)

_Static_assert(MEMO_FRONT + 3 * MEMO_GAP == MONT_MEMO_CYCLES, "the cycles of struct mont_buffer");

/* Write the cycle @at to *@to, as from @now on. False: it is too far away. */
static __always_inline bool memo_cycle(u64 at, u64 now, s32 *to)
{
	s64 from = at - now;

	*to = (s32)from;
	if (likely(at && *to == from && *to != MEMO_NEVER))
		return true;
	*to = MEMO_NEVER;
	return !at;
}

/* The cycle that memo_cycle() has written. */
static __always_inline u64 memo_cycle_of(s32 at, u64 now)
{
	return likely(at != MEMO_NEVER) ? now + (s64)at : 0;
}

/* Keep the cycles of @b, with its rings from their beginnings on. */
static bool memo_keep_buffer(const struct mont_buffer *b, u64 now, s32 *at)
{
	bool fits = true;
	u32 i, k;

	fits &= memo_cycle(b->ready[0], now, at++);
	fits &= memo_cycle(b->ready[1], now, at++);
	fits &= memo_cycle(b->next_fetch, now, at++);
	fits &= memo_cycle(b->counted, now, at++);
	for (i = 0; i < MONT_NR_BUFFER; i++)
		fits &= memo_cycle(b->left[(b->next + i) % MONT_NR_BUFFER], now, at++);
	for (i = 0; i < 3; i++) {
		const struct mont_gap *g = &b->gap[(b->ahead + i) % 3];

		fits &= memo_cycle(g->from, now, at++);
		for (k = 0; k < MONT_FRONT_CYCLES; k++)
			fits &= memo_cycle(g->until[k], now, at++);
	}
	return fits;
}

#define MEMO_ROW 8 /* places that are looked at together */

/*
 * The result at @place is of a register: where it would be in a frame as of mont_memo_key.pending.
 */
static u32 memo_place(const struct mont_thread *t, u32 place)
{
	const u32 nr_fr = 128 - 32, nr_pr = 64 - 16, fr = 128 + 32, pr = MONT_RESULT_PR + 16;

	if (place < 32)
		return place;
	if (place < 128) {
		u32 nr = (place - 32 + MONT_NR_STACKED - t->s.bof) % MONT_NR_STACKED;

		if (nr < t->s.sor)
			nr = (nr + t->s.sor - t->s.rrb_gr) % t->s.sor;
		return 32 + nr;
	}
	if (place >= fr && place < fr + nr_fr)
		return fr + (place - fr + nr_fr - t->s.rrb_fr) % nr_fr;
	if (place >= pr && place < pr + nr_pr)
		return pr + (place - pr + nr_pr - t->s.rrb_pr) % nr_pr;
	return place;
}

/*
 * Keep the result at @place, if a use of it may have to wait in cycle @now. False: it has no room.
 */
static bool memo_keep_result(const struct mont_thread *t, u32 place, u64 now,
			     struct mont_memo_key *key)
{
	const struct mont_results *r = &t->own.s.results;
	u32 i;
	u64 result = r->at[place];
	s64 from = result - (now << MONT_RESULT_CYCLE);

	if (result >> MONT_RESULT_CYCLE <= now &&
	    !mont_result_late(result, MONT_CONSUMER_MULTIMEDIA, now))
		return true;
	if (key->nr == MONT_MEMO_PENDING || from != (s32)from)
		return false;
	place = memo_place(t, place);
	for (i = key->nr++; i && key->pending[i - 1] >> 32 > place; i--)
		key->pending[i] = key->pending[i - 1];
	key->pending[i] = (u64)place << 32 | (u32)from;
	return true;
}

/* Keep the results that are under way in cycle @now. False: there are too many of them. */
static bool memo_keep_results(const struct mont_thread *t, u64 now, struct mont_memo_key *key)
{
	const struct mont_results *r = &t->own.s.results;
	/* Behind this word a use may have to wait. */
	s64 past = ((s64)(now - MONT_LONGEST_MULTIMEDIA) + 1) * (1 << MONT_RESULT_CYCLE) - 1;
	bool fits = true;
	u32 i, k;

	key->nr = 0;
	if (!mont_operands_pending(r, true, now))
		return true;
	for (i = 0; i + MEMO_ROW <= MONT_NR_RESULT_PLACES; i += MEMO_ROW) {
		const u64 *at = &r->at[i];
		/* Differences: negative where a result is later. */
		s64 any = (past - (s64)at[0]) | (past - (s64)at[1]) | (past - (s64)at[2]) |
			  (past - (s64)at[3]) | (past - (s64)at[4]) | (past - (s64)at[5]) |
			  (past - (s64)at[6]) | (past - (s64)at[7]);

		if (likely(any >= 0))
			continue;
		for (k = 0; k < MEMO_ROW; k++)
			fits &= memo_keep_result(t, i + k, now, key);
	}
	for (; i < MONT_NR_RESULT_PLACES; i++)
		fits &= memo_keep_result(t, i, now, key);
	return fits;
}

static bool memo_equals(const struct mont_memo_key *a, const struct mont_memo_key *b)
{
	u32 i;

	if (a->nr != b->nr)
		return false;
	for (i = 0; i < MONT_ARRAY_SIZE(a->word); i++)
		if (a->word[i] != b->word[i])
			return false;
	for (i = 0; i < MONT_MEMO_CYCLES; i++)
		if (a->at[i] != b->at[i])
			return false;
	for (i = 0; i < a->nr; i++)
		if (a->pending[i] != b->pending[i])
			return false;
	return true;
}

static __always_inline u64 memo_mix(u64 hash, u64 v)
{
	hash = (hash ^ v) * 0x9e3779b97f4a7c15ULL;
	return hash ^ hash >> 29;
}

static u32 memo_hash(const struct mont_memo_key *key)
{
	u64 hash = 1;
	u32 i;

	for (i = 0; i < MONT_ARRAY_SIZE(key->word); i++)
		hash = memo_mix(hash, key->word[i]);
	for (i = 0; i < MONT_MEMO_CYCLES; i += 2)
		hash = memo_mix(hash, (u64)(u32)key->at[i] << 32 | (u32)key->at[i + 1]);
	for (i = 0; i < key->nr; i++)
		hash = memo_mix(hash, key->pending[i]);
	return hash >> 32 ^ hash;
}

void mont_memo_forget(struct mont_memo *memo)
{
	u32 i;

	for (i = 0; i < MONT_NR_MEMO_HEADS && memo->used; i++)
		memo->head[i] = 0;
	memo->used = 0;
	memo->made.from = NULL;
}

void *mont_memo_take(struct mont_memo *memo, u64 size)
{
	void *at = memo->byte + memo->used;

	size = (size + 7) & ~7ULL;
	if (unlikely(memo->used + size > MONT_MEMO_BYTES)) {
		mont_memo_forget(memo);
		return NULL;
	}
	memo->used += size;
	return at;
}

/* Fill @key with the present state: as of mont_memo_find(). False: it cannot be kept. */
static bool memo_keep(const struct mont_thread *t, const struct mont_buffer *b,
		      const struct mont_memo_where *where, struct mont_memo_key *key)
{
	const struct mont_stall *stall = &t->own.s.stall;
	u64 now = where->now;

	key->word[MONT_KEY_ID] = where->id;
	key->word[MONT_KEY_SERIAL] = where->serial;
	key->word[MONT_KEY_IP] = where->ip;
	key->word[MONT_KEY_MAP] = mont_memo_map(t);
	key->word[MONT_KEY_PAIR] = b->pair[0];
	key->word[MONT_KEY_PAIR + 1] = b->pair[1];
	key->word[MONT_KEY_CUT] = b->cut;
	key->word[MONT_KEY_CAUSES] = stall->causes;
	key->at[MONT_KEY_UNTIL] = 0;
	key->at[MONT_KEY_UNTIL + 1] = 0;
	if (stall->causes && ((stall->causes & (stall->causes - 1)) ||
			      !memo_cycle(stall->until[__builtin_ctz(stall->causes)], now,
					  &key->at[MONT_KEY_UNTIL])))
		return false;
	return memo_keep_buffer(b, now, &key->at[MONT_KEY_UNTIL + 2]) &&
	       memo_keep_results(t, now, key);
}

struct mont_memo_state *mont_memo_find(struct mont_memo *memo, const struct mont_thread *t,
				       const struct mont_buffer *b,
				       const struct mont_memo_where *where)
{
	struct mont_memo_key key;
	struct mont_memo_state *state;
	u32 hash, place, *head, nr = 0, i;

	if (!memo_keep(t, b, where, &key))
		return NULL;
	hash = memo_hash(&key);
	head = &memo->head[hash % MONT_NR_MEMO_HEADS];
	for (place = *head; place; place = state->behind) {
		state = mont_memo_at(memo, place);
		if (state->hash == hash && memo_equals(&state->key, &key))
			return state;
		/* A guest may see to it that hashes are alike. */
		if (++nr == MONT_MEMO_MOST_BEHIND)
			return NULL;
	}
	state = mont_memo_take(memo, __builtin_offsetof(struct mont_memo_state, key.pending) +
					     key.nr * sizeof(key.pending[0]));
	if (!state)
		return NULL;
	state->hash = hash;
	state->behind = *head;
	state->path = 0;
	state->nr_paths = 0;
	state->tries = 0;
	for (i = 0; i < MONT_ARRAY_SIZE(key.word); i++)
		state->key.word[i] = key.word[i];
	for (i = 0; i < MONT_MEMO_CYCLES; i++)
		state->key.at[i] = key.at[i];
	state->key.nr = key.nr;
	for (i = 0; i < key.nr; i++)
		state->key.pending[i] = key.pending[i];
	*head = mont_memo_place(memo, state);
	return state;
}

void mont_memo_put(const struct mont_memo_state *state, struct mont_buffer *b, u64 now, u32 leaves,
		   u32 fetches)
{
	const struct mont_memo_key *key = &state->key;
	const s32 *at = &key->at[MONT_KEY_UNTIL + 2];
	u32 i, k;

	b->pair[0] = key->word[MONT_KEY_PAIR];
	b->pair[1] = key->word[MONT_KEY_PAIR + 1];
	b->cut = key->word[MONT_KEY_CUT];
	b->next = (b->next + leaves) % MONT_NR_BUFFER;
	b->ahead = (b->ahead + 2 * fetches) % 3;
	b->ready[0] = memo_cycle_of(*at++, now);
	b->ready[1] = memo_cycle_of(*at++, now);
	b->next_fetch = memo_cycle_of(*at++, now);
	b->counted = memo_cycle_of(*at++, now);
	for (i = 0; i < MONT_NR_BUFFER; i++)
		b->left[(b->next + i) % MONT_NR_BUFFER] = memo_cycle_of(*at++, now);
	for (i = 0; i < 3; i++) {
		struct mont_gap *g = &b->gap[(b->ahead + i) % 3];

		g->from = memo_cycle_of(*at++, now);
		for (k = 0; k < MONT_FRONT_CYCLES; k++)
			g->until[k] = memo_cycle_of(*at++, now);
	}
}
