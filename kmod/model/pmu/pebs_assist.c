// SPDX-License-Identifier: GPL-2.0-only
/*
 * Overflows of the IA-32 PMU: assists, their buffer, and the order in which they and the
 * interrupts are served (IA-32 SDM volume 3B, 18.8.1.1 and 17.4.9).
 *
 * A precise counter that overflows arms: the next occurrence of its event makes the assist. One
 * record is written for all of a group, that of the lowest counter, and all precise
 * counters that have overflowed are reloaded. Status bits of those that do not interrupt
 * are cleared with that, which the documents leave open.
 */
#include "pebs_assist.h"
#include "internal.h"
#include "pebs.h"
#include "pebs_latency.h"
#include "../arch/registers.h"

/* Entries of the record */
#define WORD_FLAGS 0
#define WORD_IP 1
#define WORD_GENERAL 2
#define WORD_STATUS 18
#define WORD_TAGGED 19

/* The registers of IA-32 code in the order of the record, and eight more. */
static const u8 general[16] = { 8, 11, 9, 10, 14, 15, 13, 12, 16, 17, 18, 19, 20, 21, 22, 23 };

static u64 pebs_assist_status_bit(unsigned int n)
{
	return MONT_BIT(n < MONT_PEBS_GENERAL ? n : 32 + n - MONT_PEBS_GENERAL);
}

const char *mont_pebs_buffer_invalid(const struct mont_pebs *p)
{
	u64 base = p->ds[MONT_PEBS_BASE], most = p->ds[MONT_PEBS_MAXIMUM];
	unsigned int i;

	for (i = MONT_PEBS_INDEX; i <= MONT_PEBS_THRESHOLD; i++) {
		u64 at = p->ds[i];

		if (at < base || at > most)
			return "PEBS index and threshold lie from the base to the absolute maximum";
		if ((at - base) % MONT_PEBS_RECORD)
			return "PEBS words are multiples of 176 bytes from the base";
	}
	return NULL;
}

static void pebs_assist_fill_registers(const struct mont_thread *t, u64 *word)
{
	unsigned int i;

	word[WORD_FLAGS] = t->s.ar.eflag;
	for (i = 0; i < MONT_ARRAY_SIZE(general); i++)
		word[WORD_GENERAL + i] = mont_gr(t, general[i]);
}

/* Counter @n, of @at, makes the assist of its group. */
static void pebs_assist_fill_record(struct mont_pebs *p, unsigned int n,
				    const struct mont_occurrence *at)
{
	bool latency = mont_pebs_tags(p, n);
	const struct mont_thread *t = at->owner;
	unsigned int i;

	mont_block_sample(t, &p->when);
	for (i = 0; i < MONT_ARRAY_SIZE(p->tagged); i++)
		p->word[WORD_TAGGED + i] = latency ? p->tagged[i] : 0;
	if (latency && p->ip) {
		p->when.ip = p->ip;
		p->when.slot = p->slot;
	}
	/* A load is served when it has executed; others are told of before they have. */
	p->behind = at->sig == MONT_SIG_LOAD_SERVED || at->sig == MONT_SIG_LOAD_LATE ||
		    at->sig == MONT_SIG_LOAD_HIT;
	if (!p->behind)
		return;
	pebs_assist_fill_registers(t, p->word);
	/* Loads are in slots 0 and 1. */
	p->word[WORD_IP] = t->s.ip | (t->sig_slot + 1);
}

/* Write the record, and reload all precise counters that have overflowed. */
static void pebs_assist_run(struct mont_block *block)
{
	struct mont_pebs *p = &block->r.pebs;
	u32 served = p->assists | p->armed, left;
	u64 *index = &p->ds[MONT_PEBS_INDEX];
	struct mont_sample at = block->at;

	if (!p->behind) {
		pebs_assist_fill_registers(block->t, p->word);
		p->word[WORD_IP] = block->t->s.ip | block->t->s.slot;
	}
	p->word[WORD_STATUS] = p->status;
	if (*index >= p->ds[MONT_PEBS_MAXIMUM]) {
		p->lost++;
	} else {
		*index += MONT_PEBS_RECORD;
		block->at = p->when;
		block->nr_values = MONT_BLOCK_VALUES;
		__builtin_memcpy(block->value, p->word, sizeof(p->word));
		mont_block_tell(block, MONT_BLOCK_ASSIST);
		block->at = at;
		if (*index >= p->ds[MONT_PEBS_THRESHOLD] && !(p->status & MONT_PEBS_FULL))
			p->full = true;
	}
	for (left = served; left; left &= left - 1) {
		unsigned int n = __builtin_ctz(left);

		if (p->armed >> n & 1) {
			p->pmc[n] = p->ds[MONT_PEBS_RESET + n];
			mont_pebs_expect(block, n, MONT_PEBS_PERIOD - p->pmc[n]);
		}
		if (mont_pebs_interrupts(p, n))
			p->over |= MONT_BIT(n);
		else
			p->status &= ~pebs_assist_status_bit(n);
	}
	p->armed = 0;
	p->assists = 0;
}

bool mont_pebs_carry(struct mont_block *block, unsigned int n, const struct mont_occurrence *at)
{
	struct mont_pebs *p = &block->r.pebs;
	u32 bit = MONT_BIT(n);

	if (mont_pebs_tags(p, n))
		mont_pebs_tag(p, at);
	if (p->beyond[n]) {
		mont_pebs_expect(block, n, p->beyond[n]);
		return false;
	}
	if (p->armed & bit) {
		/* An earlier one of this group has a record of its own. */
		if (p->assists & bit)
			pebs_assist_run(block);
		p->armed &= ~bit;
		mont_pebs_expect(block, n, MONT_PEBS_PERIOD - p->ds[MONT_PEBS_RESET + n]);
		if (!(p->assists & (bit - 1)))
			pebs_assist_fill_record(p, n, at);
		p->assists |= bit;
		return true;
	}
	p->status |= pebs_assist_status_bit(n);
	if (mont_pebs_precise(p, n)) {
		p->armed |= bit;
		mont_pebs_expect(block, n, 1);
		return false;
	}
	if (!mont_pebs_interrupts(p, n))
		return false;
	p->over |= bit;
	return true;
}

static void pebs_assist_interrupt(struct mont_block *block, u32 cause)
{
	block->nr_values = 2;
	block->value[0] = block->r.pebs.status;
	block->value[1] = block->r.pebs.uncore_status;
	mont_block_interrupt(block, cause);
}

/* Counters that have overflowed together make one interrupt. */
static void pebs_assist_overflow_bits(struct mont_block *block)
{
	u32 over = block->r.pebs.over;

	block->r.pebs.over = 0;
	pebs_assist_interrupt(block, over);
}

void mont_pebs_serve(struct mont_block *block, u32 over)
{
	struct mont_pebs *p = &block->r.pebs;

	(void)over;
	/* Of an overflow and an assist that of the lower counter comes first. */
	if (p->over && (!p->assists || __builtin_ctz(p->over) < __builtin_ctz(p->assists)))
		pebs_assist_overflow_bits(block);
	if (p->assists)
		pebs_assist_run(block);
	if (p->full) {
		p->full = false;
		p->status |= MONT_PEBS_FULL;
		pebs_assist_interrupt(block, MONT_BLOCK_THRESHOLD);
	}
	if (p->over)
		pebs_assist_overflow_bits(block);
}
