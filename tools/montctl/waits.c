// SPDX-License-Identifier: GPL-2.0-only
/* Waits for operands, of record --exact, and the instructions that these come from. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "waits.h"

#define BUNDLE 16
#define NOWHERE UINT64_MAX

/* Files of struct montecito_record_trace, MONTECITO_TRACE_STALL */
enum { FILE_GR, FILE_FR, FILE_PR, FILE_BR, FILE_AR, FILE_CR, NR_FILES };

/* ---- the list ---- */

static int waits_by_place(const void *pa, const void *pb)
{
	const struct wait *a = pa, *b = pb;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	if (a->cause != b->cause)
		return a->cause < b->cause ? -1 : 1;
	return (a->operand > b->operand) - (a->operand < b->operand);
}

static int waits_by_cycles(const void *pa, const void *pb)
{
	const struct wait *a = pa, *b = pb;

	if (a->at == b->at && a->cycles != b->cycles)
		return a->cycles > b->cycles ? -1 : 1;
	return waits_by_place(pa, pb);
}

/* Add equal ones up, by place. */
static void waits_fold_one(struct waits *w)
{
	size_t i, n = 0;

	if (w->nr)
		qsort(w->list, w->nr, sizeof(*w->list), waits_by_place);
	for (i = 0; i < w->nr; i++) {
		if (n && !waits_by_place(&w->list[n - 1], &w->list[i]))
			w->list[n - 1].cycles += w->list[i].cycles;
		else
			w->list[n++] = w->list[i];
	}
	w->nr = n;
}

int waits_add(struct waits *w, const struct wait *one)
{
	struct wait *list;

	if (w->nr == w->cap)
		waits_fold_one(w);
	if (2 * w->nr >= w->cap) {
		size_t cap = w->cap ? 2 * w->cap : 65536;

		list = realloc(w->list, cap * sizeof(*list));
		if (!list)
			return -ENOMEM;
		w->list = list;
		w->cap = cap;
	}
	w->list[w->nr++] = *one;
	return 0;
}

void waits_fold(struct waits *w)
{
	waits_fold_one(w);
	if (w->nr)
		qsort(w->list, w->nr, sizeof(*w->list), waits_by_cycles);
}

const struct wait *waits_at(const struct waits *w, uint64_t at)
{
	size_t lo = 0, hi = w->nr;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (w->list[mid].at < at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < w->nr && w->list[lo].at == at ? &w->list[lo] : NULL;
}

void waits_free(struct waits *w)
{
	free(w->list);
	*w = (struct waits){ 0 };
}

const char *wait_operand(uint32_t operand, char *buf, size_t len)
{
	static const char *const file[NR_FILES] = { "r", "f", "p", "b", "ar", "cr" };

	if (operand >> 8 < NR_FILES)
		snprintf(buf, len, "%s%u", file[operand >> 8], operand & 0xff);
	else
		*buf = '\0';
	return buf;
}

/* ---- what writes an operand ---- */

/* The name of an application register in assembly, or NULL. */
static const char *waits_ar_name(unsigned int n)
{
	switch (n) {
	case 16:
		return "ar.rsc";
	case 17:
		return "ar.bsp";
	case 18:
		return "ar.bspstore";
	case 19:
		return "ar.rnat";
	case 32:
		return "ar.ccv";
	case 36:
		return "ar.unat";
	case 40:
		return "ar.fpsr";
	case 64:
		return "ar.pfs";
	case 65:
		return "ar.lc";
	case 66:
		return "ar.ec";
	default:
		return NULL;
	}
}

/* True if @name is one of the words of @list, which ends at @end and has commas. */
static bool waits_among(const char *list, const char *end, const char *name)
{
	size_t len = strlen(name);

	while (list < end) {
		size_t word = strcspn(list, ",=");

		if (word == len && !strncmp(list, name, len))
			return true;
		list += word + 1;
	}
	return false;
}

/* True if the instruction @text writes @operand. */
static bool waits_writes(const char *text, uint32_t operand)
{
	const char *to, *end, *base, *name;
	char reg[16], based[20];

	/* (p6) ld8 r14=[r15],8 */
	if (*text == '(' && strchr(text, ' '))
		text = strchr(text, ' ') + 1;
	to = strchr(text, ' ');
	end = to ? strchr(to, '=') : NULL;
	if (!end)
		return false;
	to++;
	wait_operand(operand, reg, sizeof(reg));
	name = operand >> 8 == FILE_AR ? waits_ar_name(operand & 0xff) : NULL;
	if (waits_among(to, end, name ? name : reg) ||
	    (operand >> 8 == FILE_PR && waits_among(to, end, "pr")))
		return true;
	/* A base that is incremented: of a load behind the =, of a store in front of it */
	snprintf(based, sizeof(based), "[%s]", reg);
	base = operand >> 8 == FILE_GR ? strstr(to, based) : NULL;
	return base && (base < end ? strchr(end, ',') != NULL : base[strlen(based)] == ',');
}

/* The instruction at @at, or false. */
static bool waits_insn_at(const struct montecito_symbols *sym, uint64_t at, char text[128])
{
	struct montecito_bundle b = { .size = sizeof(b) };
	uint64_t code[2];

	if (montecito_symbols_code(sym, at & ~(BUNDLE - 1ULL), code, sizeof(code)))
		return false;
	montecito_bundle(&b, code[0], code[1], at & ~(BUNDLE - 1ULL));
	memcpy(text, b.text[at & 3], sizeof(b.text[0]));
	return *text;
}

/* The instruction in front of @at. */
static uint64_t waits_before(uint64_t at)
{
	return at & 3 ? at - 1 : at - BUNDLE + 2;
}

/* Look back from @from, behind the first one, to @to for what writes @operand. */
static uint64_t waits_back(const struct montecito_symbols *sym, uint64_t from, uint64_t to,
			   uint32_t operand, char text[128])
{
	while (from > to) {
		from = waits_before(from);
		if (waits_insn_at(sym, from, text) && waits_writes(text, operand))
			return from;
	}
	return NOWHERE;
}

/* The nearest branch from @at on that closes a loop around it: its address, its head in *@head. */
static uint64_t waits_loop_end(const struct montecito_symbols *sym, uint64_t lo, uint64_t hi,
			       uint64_t at, uint64_t *head, char text[128])
{
	const char *x;

	for (; at < hi; at = (at & 3) == 2 ? (at & ~3ULL) + BUNDLE : at + 1) {
		if (!waits_insn_at(sym, at, text) || !strstr(text, "br.") ||
		    strstr(text, "br.call"))
			continue;
		x = strrchr(text, 'x');
		if (!x || x == text || x[-1] != '0')
			continue;
		*head = strtoull(x + 1, NULL, 16);
		if (*head >= lo && *head <= at)
			return at;
	}
	return NOWHERE;
}

/* The register that has the number of @operand behind a branch that rotates; itself: none. */
static uint32_t waits_rotated(uint32_t operand)
{
	unsigned int first = operand >> 8 == FILE_PR ? 16 : 32;

	return operand >> 8 <= FILE_PR && (operand & 0xff) > first ? operand - 1 : operand;
}

uint64_t wait_producer(const struct montecito_symbols *sym, uint64_t lo, uint64_t hi, uint64_t at,
		       uint32_t operand, char text[128])
{
	uint64_t head, end, found;
	uint32_t turned = operand, last;
	bool rotates;

	end = waits_loop_end(sym, lo, hi, at, &head, text);
	if (end == NOWHERE || head > at)
		return waits_back(sym, at, lo, operand, text);
	rotates = strstr(text, "top") || strstr(text, "exit");
	found = waits_back(sym, at, head, operand, text);
	/* The round before, and where registers rotate those before it */
	do {
		last = turned;
		turned = rotates ? waits_rotated(turned) : turned;
		if (found == NOWHERE)
			found = waits_back(sym, end + 1, head, turned, text);
	} while (found == NOWHERE && turned != last);
	return found == NOWHERE ? waits_back(sym, head, lo, operand, text) : found;
}
