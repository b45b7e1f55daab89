// SPDX-License-Identifier: GPL-2.0-only
/*
 * Executed instructions per opcode form, as the .icnt files of the golden
 * programs hold them: runs a program in-process and counts every slot of every
 * bundle through observers, then sums the slots by what they encode.
 *
 *	opcounts [-p PAGESIZE] [-A] [-o OUTPUT] PROGRAM [ARG...] >counts
 *
 * One line a form: the form, executed, predicate true, false, unpredicated,
 * separated by tabs, by descending count. The program's own output goes where
 * OUTPUT says (default: nowhere). -A: an ALAT without entries.
 *
 * A form is the encoding's row of the table (insns.def) with the fields' names
 * in place of registers and immediates.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../kmod/model/isa/insns.h"
#include "../../kmod/model/package/package.h"
#include "../../kmod/model/arch/thread.h"
#include "../../tools/libmontecito/inproc.h"
#include "../../kmod/model/isa/decode.h"

/* ---- forms ---- */

static const char *const row_text[MONT_NR_ROWS] = {
#define FORMAT(name, unit, majors, operands, imm)
#define INSN(op, format, text, ...) text,
#include "../../kmod/model/isa/insns.def"
#undef FORMAT
#undef INSN
};

/* The manual's name of the immediate that %@letter prints in format @fmt. */
static const char *immediate(char letter, unsigned int fmt)
{
	switch (letter) {
	case 'i':
		switch (fmt) {
		case MONT_FMT_A2:
		case MONT_FMT_A10:
			return "count2";
		case MONT_FMT_A4:
			return "imm14";
		case MONT_FMT_A5:
			return "imm22";
		case MONT_FMT_I6:
		case MONT_FMT_I8:
			return "count5";
		case MONT_FMT_I10:
			return "count6";
		case MONT_FMT_I16:
			return "pos6";
		case MONT_FMT_M3:
		case MONT_FMT_M5:
		case MONT_FMT_M8:
		case MONT_FMT_M10:
		case MONT_FMT_M15:
			return "imm9";
		case MONT_FMT_M17:
			return "inc3";
		default:
			return "imm8";
		}
	case 'f':
		return fmt == MONT_FMT_I15 ? "pos6,len4" : "pos6,len6";
	case 'g':
		return fmt == MONT_FMT_I14 ? "imm1" : "imm8";
	case 'x':
		if (fmt == MONT_FMT_I4)
			return "mhtype8";
		return fmt == MONT_FMT_X1 || fmt == MONT_FMT_X5 ? "imm62" : "imm21";
	case 'X':
		if (fmt == MONT_FMT_I23)
			return "mask17";
		return fmt == MONT_FMT_I24 ? "imm44" : "imm64";
	case 't':
		return fmt == MONT_FMT_X3 || fmt == MONT_FMT_X4 ? "target64" : "target25";
	case 'A':
		return "i,l,o,r";
	default:
		return "";
	}
}

static const char *locality(u64 bits)
{
	static const char *const names[4] = { "", ".nt1", ".nt2", ".nta" };

	return names[mont_bits(bits, 28, 2)];
}

static void form_of(char *buf, size_t len, unsigned int row, u64 bits)
{
	static const char *const wh[4] = { "sptk", "spnt", "dptk", "dpnt" };
	unsigned int fmt = mont_rows[row].fmt;
	const char *s = row_text[row];
	struct mont_uop u = { 0 };
	FILE *f;

	mont_row_operands(&u, row, bits, 0);
	/* Hints of a move to a branch register and mux1's permutations are one form. */
	if (fmt == MONT_FMT_I21)
		s = "mov %b1=%r2,tag13";
	else if (fmt == MONT_FMT_I3)
		s = "mux1 %r1=%r2,mbtype4";
	f = fmemopen(buf, len, "w");
	if (!f)
		exit(125);
	for (; *s; s++) {
		if (*s != '%') {
			putc(*s, f);
		} else if (s[2] >= '1' && s[2] <= '4') {
			fprintf(f, "%s%c",
				s[1] == 'a'   ? "ar"
				: s[1] == 'c' ? "cr"
					      : (char[2]){ s[1] },
				s[2]);
			s += 2;
		} else {
			switch (*++s) {
			case 's':
				fprintf(f, ".s%u", (unsigned int)u.imm & 3);
				break;
			case 'c':
				fprintf(f, ".cond.%s", wh[u.r3 & MONT_BRH_WH]);
				break;
			case 'w':
				fprintf(f, ".%s", wh[u.r3 & MONT_BRH_WH]);
				break;
			case 'v':
				fprintf(f, "%s%s", u.r3 & MONT_BRH_MANY ? ".many" : ".few",
					u.r3 & MONT_BRH_CLR ? ".clr" : "");
				break;
			case 'h':
			case 'k':
			case 'S':
			case 'U':
			case 'H':
				fputs(locality(bits), f);
				break;
			default:
				fputs(immediate(*s, fmt), f);
			}
		}
	}
	fclose(f);
}

/* ---- counting ---- */

/* One bundle that was executed. */
struct place {
	u64 ip;
	u64 raw[2];
	u64 done[3];
	u64 squashed[3];
};

static struct place *places;
static size_t nr_places, cap_places;
static u64 last_insns;

static size_t find(const struct place *table, size_t cap, u64 ip)
{
	size_t i = (ip >> 4) * 0x9e3779b97f4a7c15ULL >> 32;

	for (i &= cap - 1; table[i].ip && table[i].ip != ip; i = (i + 1) & (cap - 1))
		;
	return i;
}

static void grow(void)
{
	size_t cap = cap_places ? 2 * cap_places : 1 << 16, i;
	struct place *table = calloc(cap, sizeof(*table));

	if (!table)
		exit(125);
	for (i = 0; i < cap_places; i++)
		if (places[i].ip)
			table[find(table, cap, places[i].ip)] = places[i];
	free(places);
	places = table;
	cap_places = cap;
}

static struct place *place(struct mont_thread *t)
{
	const u64 *raw = (const u64 *)(t->fetch_host + (t->s.ip & 0xff0));
	struct place *p;

	if (2 * nr_places >= cap_places)
		grow();
	p = &places[find(places, cap_places, t->s.ip)];
	if (!p->ip) {
		nr_places++;
		p->ip = t->s.ip;
		p->raw[0] = raw[0];
		p->raw[1] = raw[1];
	}
	return p;
}

/* Called once for each instruction of a bundle that retired. */
static void retired(struct mont_observer *o, const struct mont_occurrence *at)
{
	struct mont_thread *t = at->owner;
	unsigned int slot = t->retire_from, n;
	struct place *p;

	(void)o;
	n = t->s.insns - last_insns;
	if (!n)
		return;
	last_insns = t->s.insns;
	p = place(t);
	while (n--) {
		slot--;
		if (slot == 1 && t->cur->nr == 2)
			slot--;
		p->done[slot]++;
	}
}

static void squashed(struct mont_observer *o, const struct mont_occurrence *at)
{
	struct mont_thread *t = at->owner;

	(void)o;
	place(t)->squashed[t->sig_slot]++;
}

/* A branch is squashed in a B slot, or else was counted above. */
static void branched(struct mont_observer *o, const struct mont_occurrence *at)
{
	struct mont_thread *t = at->owner;
	const struct mont_uop *u = mont_packed_uop(t->cur, t->sig_slot);

	(void)o;
	if ((u->flags & MONT_UOP_B) && !(t->s.pr >> u->qp & 1))
		place(t)->squashed[t->sig_slot]++;
}

static const struct {
	const char *event;
	void (*fn)(struct mont_observer *o, const struct mont_occurrence *at);
} watched[] = {
	{ "IA64_INST_RETIRED", retired },
	{ "PREDICATE_SQUASHED_RETIRED", squashed },
	{ "BR_MISPRED_DETAIL.ALL.ALL_PRED", branched },
};

static struct mont_observer observers[MONT_ARRAY_SIZE(watched)];

static int observe(struct mont_thread *t)
{
	unsigned int i;

	for (i = 0; i < MONT_ARRAY_SIZE(watched); i++) {
		struct montecito_event_spec *spec = NULL;
		struct mont_observer *o = &observers[i];
		const char *why = NULL;
		char msg[512] = "";
		size_t nr = 0;
		int err;

		if (montecito_events_parse(watched[i].event, &spec, &nr, msg) || nr != 1) {
			fprintf(stderr, "opcounts: %s\n", msg);
			return -EINVAL;
		}
		err = mhost_filter_in(&spec[0].filter, &o->filter, &why);
		montecito_events_free(spec, nr);
		if (err) {
			fprintf(stderr, "opcounts: %s: %s\n", watched[i].event, why);
			return -EINVAL;
		}
		o->period = 1;
		o->overflow = watched[i].fn;
		if (mont_observer_attach(t, o, &why)) {
			fprintf(stderr, "opcounts: %s: %s\n", watched[i].event, why);
			return -EINVAL;
		}
	}
	return 0;
}

/* ---- the report ---- */

struct form {
	char name[80];
	u64 total;
	u64 squashed;
	u64 p0;
};

static struct form *forms;
static size_t nr_forms;

static void add(const char *name, u64 done, u64 off, bool p0)
{
	size_t i;

	for (i = 0; i < nr_forms && strcmp(forms[i].name, name); i++)
		;
	if (i == nr_forms) {
		forms = realloc(forms, (nr_forms + 1) * sizeof(*forms));
		if (!forms)
			exit(125);
		memset(&forms[i], 0, sizeof(forms[i]));
		strcpy(forms[i].name, name);
		nr_forms++;
	}
	forms[i].total += done;
	forms[i].squashed += off;
	forms[i].p0 += p0 ? done : 0;
}

static int by_count(const void *x, const void *y)
{
	const struct form *a = x, *b = y;

	if (a->total != b->total)
		return a->total < b->total ? 1 : -1;
	return strcmp(a->name, b->name);
}

static void report(void)
{
	unsigned int slot;
	size_t i;

	for (i = 0; i < cap_places; i++) {
		const struct place *p = &places[i];

		for (slot = 0; slot < 3; slot++) {
			u64 bits = mont_slot_bits(p->raw[0], p->raw[1], slot);
			unsigned int unit = mont_slot_unit(p->raw[0] & 31, slot);
			unsigned int row;
			struct mont_uop u = { 0 };
			char name[80];

			if (!p->done[slot])
				continue;
			row = mont_row_find(unit, bits);
			if (row == MONT_NR_ROWS) {
				add("reserved", p->done[slot], p->squashed[slot], false);
				continue;
			}
			form_of(name, sizeof(name), row, bits);
			mont_row_operands(&u, row, bits, 0);
			add(name, p->done[slot], p->squashed[slot], !u.qp);
		}
	}
	qsort(forms, nr_forms, sizeof(*forms), by_count);
	for (i = 0; i < nr_forms; i++)
		printf("%s\t%llu\t%llu\t%llu\t%llu\n", forms[i].name,
		       (unsigned long long)forms[i].total,
		       (unsigned long long)(forms[i].total - forms[i].squashed - forms[i].p0),
		       (unsigned long long)forms[i].squashed, (unsigned long long)forms[i].p0);
}

int main(int argc, char **argv)
{
	struct montecito_options opt = {
		.size = sizeof(opt),
		.cores = 1,
		.threads = 1,
		.memory = MONTECITO_DEFAULT_MEMORY,
		.config = MONTECITO_CFG_HOST_INTERRUPTIONS,
	};
	char *const envp[] = { NULL };
	struct montecito_process_options popt = { .size = sizeof(popt), .envp = envp };
	struct montecito_process *p;
	const char *why, *out = "/dev/null";
	struct montecito *m;
	unsigned long pages = 4096;
	int c, err, fd, save;

	while ((c = getopt(argc, argv, "+p:o:A")) != -1) {
		switch (c) {
		case 'p':
			pages = atol(optarg);
			break;
		case 'o':
			out = optarg;
			break;
		case 'A':
			opt.config |= MONTECITO_CFG_NO_ALAT;
			break;
		default:
			return 125;
		}
	}
	popt.argv = argv + optind;
	popt.page_shift = pages ? __builtin_ctzl(pages) : 0;
	fd = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	save = dup(1);
	if (optind == argc || popt.page_shift < 12 || popt.page_shift > 16 || fd < 0 || save < 0 ||
	    dup2(fd, 1) < 0) {
		fprintf(stderr, "usage: opcounts [-p BYTES] [-A] [-o OUTPUT] PROGRAM [ARG...]\n");
		return 125;
	}
	err = montecito_open(&opt, &m);
	if (!err)
		err = montecito_process_load(m, argv[optind], &popt, &p, &why);
	if (!err)
		err = observe(((struct inproc *)m)->vcpu[0].t);
	if (err) {
		fprintf(stderr, "opcounts: %s: %s\n", argv[optind], strerror(-err));
		return 125;
	}
	err = montecito_process_run(p);
	if (dup2(save, 1) < 0 || err < 0) {
		fprintf(stderr, "opcounts: %s: %s\n", argv[optind], strerror(-err));
		return 125;
	}
	report();
	return err;
}
