// SPDX-License-Identifier: GPL-2.0-only
/* montctl annotate: the instructions of functions with their samples. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "montctl.h"
#include "samples.h"

#define BUNDLE 16
/* A function without an end is cut off here. */
#define MAX_FUNCTION (1UL << 20)

static const char help[] =
	"Usage: montctl annotate [-i FILE] [FUNCTION...]\n\n"
	"Show the instructions of the functions, or of all that have samples, with the\n"
	"samples of the recording's first event on each.\n\n"
	"  -i FILE       recording (default: " SAMPLES_FILE ")\n";

static const struct option options[] = {
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

struct hits {
	uint64_t *at; /* address of a bundle, with the slot in bits 1:0; sorted */
	size_t nr;
	size_t cap;
};

static int by_address(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;

	return (a > b) - (a < b);
}

static int read_hits(struct samples *in, struct hits *h)
{
	struct montecito_record_sample s;
	int ret;

	while ((ret = samples_next(in, &s)) == 1) {
		if (s.source)
			continue;
		if (h->nr == h->cap) {
			size_t cap = h->cap ? 2 * h->cap : 4096;
			uint64_t *p = realloc(h->at, cap * sizeof(*p));

			if (!p)
				return fail("out of memory");
			h->at = p;
			h->cap = cap;
		}
		h->at[h->nr++] = (s.ip & ~15ULL) | (s.slot & 3);
	}
	if (h->nr)
		qsort(h->at, h->nr, sizeof(*h->at), by_address);
	return ret;
}

/* Samples from @lo up to below @hi. */
static size_t count(const struct hits *h, uint64_t lo, uint64_t hi)
{
	size_t n = 0, a = 0, b = h->nr;

	while (a < b) {
		size_t mid = (a + b) / 2;

		if (h->at[mid] < lo)
			a = mid + 1;
		else
			b = mid;
	}
	while (a + n < h->nr && h->at[a + n] < hi)
		n++;
	return n;
}

static void print_function(const struct samples *in, const struct hits *h, const char *name,
			   uint64_t addr, uint64_t size)
{
	size_t total = count(h, addr, addr + size);
	uint64_t ip;

	printf("# %s: %zu of %zu samples\n", name, total, h->nr);
	for (ip = addr; ip < addr + size; ip += BUNDLE) {
		uint64_t bundle[2];
		unsigned int slot;

		if (montecito_symbols_code(in->program, ip, bundle, sizeof(bundle)))
			break;
		for (slot = 0; slot < 3; slot++) {
			size_t n = count(h, ip | slot, (ip | slot) + 1);
			char text[128];

			montecito_disasm(text, sizeof(text), bundle[0], bundle[1], slot, ip);
			if (!*text)
				continue;
			if (n)
				printf("%8zu", n);
			else
				printf("%8s", "");
			printf("  %016" PRIx64 "-%u  %s\n", ip, slot, text);
		}
	}
	putchar('\n');
}

static bool wanted(const char *name, char **names, bool *found)
{
	size_t i;

	for (i = 0; names[i]; i++) {
		if (!strcmp(name, names[i])) {
			found[i] = true;
			return true;
		}
	}
	return false;
}

static int annotate(struct samples *in, char **names, size_t nr_names)
{
	struct montecito_symbols *sym = montecito_symbols_load(in->program);
	bool *found = calloc(nr_names + 1, sizeof(*found));
	struct hits h = { 0 };
	uint64_t addr, size;
	const char *name;
	size_t i;
	int err;

	if (!sym || !found)
		err = fail("out of memory");
	else
		err = read_hits(in, &h);
	if (!err && !montecito_symbols_at(sym, 0, &addr, &size))
		err = fail("%s: no symbols", in->program);
	for (i = 0; !err && (name = montecito_symbols_at(sym, i, &addr, &size)); i++) {
		if (!size || size > MAX_FUNCTION)
			size = MAX_FUNCTION;
		if (nr_names ? wanted(name, names, found) : count(&h, addr, addr + size) != 0)
			print_function(in, &h, name, addr, size);
	}
	for (i = 0; !err && i < nr_names; i++)
		if (!found[i])
			err = fail("%s: %s has no such function", names[i], in->program);
	montecito_symbols_free(sym);
	free(found);
	free(h.at);
	return err;
}

int cmd_annotate(int argc, char **argv)
{
	const char *path = SAMPLES_FILE;
	struct samples in;
	int opt, err;

	while ((opt = getopt_long(argc, argv, "i:h", options, NULL)) != -1) {
		switch (opt) {
		case 'h':
			fputs(help, stdout);
			return 0;
		case 'i':
			path = optarg;
			break;
		default:
			return bad_option("annotate", argv);
		}
	}
	err = samples_open(&in, path);
	if (err)
		return err;
	err = annotate(&in, argv + optind, argc - optind);
	samples_close(&in);
	return err;
}
