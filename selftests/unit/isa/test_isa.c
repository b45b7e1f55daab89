// SPDX-License-Identifier: GPL-2.0-only
/*
 * The encoding table against binutils: every row with random operands, random
 * slots under random templates, and the code of ELF files, disassembled by us
 * and by ia64-linux-gnu-objdump, must read the same, down to what is an
 * instruction at all. Where they differ on purpose, the table `known' says why,
 * and each reason is counted. The table's own consistency is tested too.
 *
 * Usage: test_isa [-n SLOTS] [ELF...]
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "isa/insns.h"
#include "isa/decode.h"
#include "isa/disasm.h"

struct code {
	u64 lo;
	u64 hi;
};

#define TEXT 128
#define CHUNK 60000
#define UNIT_A MONT_NR_UNITS
#define UNIT_OF(u) UNIT_OF_##u
#define UNIT_OF_A UNIT_A
#define UNIT_OF_I MONT_UNIT_I
#define UNIT_OF_M MONT_UNIT_M
#define UNIT_OF_B MONT_UNIT_B
#define UNIT_OF_F MONT_UNIT_F
#define UNIT_OF_X MONT_UNIT_X
#define M(n) (1u << (n))

static const struct {
	int unit;
	unsigned int majors;
} formats[MONT_NR_FMTS] = {
#define FORMAT(name, unit, majors, operands, imm) [MONT_FMT_##name] = { UNIT_OF(unit), majors },
#define INSN(op, format, text, ...)
#include "isa/insns.def"
#undef FORMAT
#undef INSN
};

static const char *const op_names[MONT_NR_OPS] = {
#define MONT_OP(op, class, flags) #op,
#include "isa/ops.def"
#undef MONT_OP
};

static int tests, failures;

static void report(int bad, const char *name)
{
	printf("%s %d - %s\n", bad ? "not ok" : "ok", ++tests, name);
	failures += !!bad;
	fflush(stdout);
}

static u64 rng_state = 0x123456789abcdefULL;

static u64 rng(void)
{
	rng_state ^= rng_state << 13;
	rng_state ^= rng_state >> 7;
	rng_state ^= rng_state << 17;
	return rng_state * 0x2545f4914f6cdd1dULL;
}

static u64 rng41(void)
{
	return rng() >> 23;
}

static u64 nop(enum mont_unit unit)
{
	return unit == MONT_UNIT_B ? 2ULL << 37 : unit == MONT_UNIT_L ? 0 : 1ULL << 27;
}

static struct code bundle(unsigned int tmpl, const u64 *slot)
{
	struct code c = {
		tmpl | slot[0] << 5 | slot[1] << 46,
		slot[1] >> 18 | slot[2] << 23,
	};

	return c;
}

/* ---- differences from binutils ---- */

static int has(const char *s, const char *part)
{
	return !!strstr(s, part);
}

static int is_data(const char *s)
{
	return has(s, "data8");
}

static int reserved_hint(const char *ours, const char *theirs)
{
	return is_data(theirs) && (has(ours, ".d1 ") || has(ours, ".d2 "));
}

static int lfetch_count(const char *ours, const char *theirs)
{
	return has(theirs, "lfetch.count") && has(ours, "lfetch");
}

static int hint_m(const char *ours, const char *theirs)
{
	return has(ours, "hint.m ") &&
	       (is_data(theirs) || has(theirs, "hint.m ") || has(theirs, "mov dahr"));
}

static int brp_whether(const char *ours, const char *theirs)
{
	return is_data(theirs) && has(ours, "brp") && has(ours, " b");
}

static int mux1_type(const char *ours, const char *theirs)
{
	return is_data(ours) && has(theirs, "mux1 ");
}

static int later_insn(const char *ours, const char *theirs)
{
	return is_data(ours) && (has(theirs, "clz ") || has(theirs, "mpy4 ") ||
				 has(theirs, "mpyshl4 ") || has(theirs, "=dahr"));
}

static int zero(const char *ours, const char *theirs)
{
	return !strcmp(ours, "data8 0x000000000") && !strcmp(theirs, "data8 00000000000");
}

static struct {
	int (*match)(const char *ours, const char *theirs);
	const char *reason;
	unsigned long seen;
} known[] = {
	{ reserved_hint, "a reserved locality hint is no fault, binutils has no name for it", 0 },
	{ brp_whether, "a reserved whether hint of an indirect brp is no fault", 0 },
	{ lfetch_count, "lfetch.count, of later processors, is an lfetch with an ignored bit", 0 },
	{ hint_m, "hint.m has a 21-bit immediate; later processors use part of it otherwise", 0 },
	{ mux1_type, "reserved mux1 permutations are reserved encodings", 0 },
	{ later_insn, "instructions of later processors are reserved encodings", 0 },
	{ zero, "objdump writes a reserved encoding of all zeroes without 0x", 0 },
};

static int is_known(const char *ours, const char *theirs)
{
	for (size_t i = 0; i < MONT_ARRAY_SIZE(known); i++) {
		if (known[i].match(ours, theirs)) {
			known[i].seen++;
			return 1;
		}
	}
	return 0;
}

/* ---- objdump ---- */

static char binary[] = "/tmp/montecito-isa-XXXXXX";

/* Their text of one line: without the template, and ";;" as @stop. */
static char *clean(char *line, int *stop)
{
	size_t n = strlen(line);

	while (n && strchr("\n ", line[n - 1]))
		line[--n] = 0;
	*stop = n > 2 && !strcmp(line + n - 2, ";;");
	if (*stop)
		line[n - 2] = 0;
	if (*line == '[')
		line += 5;
	return line + strspn(line, " ");
}

/* Compare one slot; @u is what the decoder made of it. Returns 1 if different. */
static int compare(const struct code *c, unsigned int slot, u64 ip, const struct mont_uop *u,
		   const char *theirs, int stop, int *shown)
{
	char ours[TEXT];
	const char *what = NULL;
	int n = mont_disasm(ours, sizeof(ours), c->lo, c->hi, slot, ip);

	if (n != (int)strlen(ours) || n >= TEXT)
		what = "length";
	else if (strcmp(ours, theirs) && !is_known(ours, theirs))
		what = "text";
	else if (!is_data(theirs) && stop != !!(u->flags & MONT_UOP_STOP))
		what = "stop";
	else if (is_data(ours) && mont_op(u) != MONT_OP_ILLEGAL)
		what = "decoded though reserved";
	if (what && ++*shown <= 20)
		printf("# %s: bits %011llx, ours '%s', objdump '%s'\n", what,
		       (unsigned long long)mont_slot_bits(c->lo, c->hi, slot), ours, theirs);
	return !!what;
}

/* All slots of @n bundles. Returns the number of differences, or -1. */
static long compare_chunk(const struct code *code, size_t n, int *shown)
{
	char cmd[200], line[400];
	long bad = 0;
	size_t slots = 0, expected = 0;
	FILE *f = fopen(binary, "wb");

	if (!f || fwrite(code, sizeof(*code), n, f) != n || fclose(f))
		return -1;
	for (size_t i = 0; i < n; i++)
		expected += mont_slot_unit(code[i].lo & 31, 1) == MONT_UNIT_L ? 2 : 3;
	snprintf(cmd, sizeof(cmd),
		 "ia64-linux-gnu-objdump -z -D -b binary -m ia64 --no-show-raw-insn %s", binary);
	f = popen(cmd, "r");
	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f)) {
		unsigned long long addr;
		struct mont_bundle b;
		unsigned int slot;
		int at, stop;
		char *text;

		at = 0;
		if (sscanf(line, " %llx:%n", &addr, &at) != 1 || !at || line[at] != '\t' ||
		    addr / 16 >= n)
			continue;
		text = clean(line + at + 1, &stop);
		slot = addr % 16 / 6;
		mont_decode(&b, code[addr / 16].lo, code[addr / 16].hi);
		if (slot == 1 && mont_slot_unit(b.tmpl, 1) == MONT_UNIT_L)
			slot = 2;
		bad += compare(&code[addr / 16], slot, addr & ~15ULL, &b.uop[slot], text, stop,
			       shown);
		slots++;
	}
	if (pclose(f) || slots != expected) {
		printf("# objdump printed %zu of %zu slots\n", slots, expected);
		return -1;
	}
	return bad;
}

static int compare_all(const struct code *code, size_t n, const char *name)
{
	char text[200];
	long bad = 0, part;
	int shown = 0;

	for (size_t i = 0; i < n; i += CHUNK) {
		part = compare_chunk(code + i, n - i < CHUNK ? n - i : CHUNK, &shown);
		if (part < 0) {
			bad = -1;
			break;
		}
		bad += part;
	}
	snprintf(text, sizeof(text), "%s: %zu bundles, %ld differences from objdump", name, n, bad);
	report(bad, text);
	return !!bad;
}

/* ---- what is compared ---- */

/* A template and slot for @unit, chosen by @n. */
static void place_of(int unit, unsigned int n, unsigned int *tmpl, unsigned int *slot)
{
	if (unit == UNIT_A)
		unit = n & 1 ? MONT_UNIT_I : MONT_UNIT_M;
	*tmpl = unit == MONT_UNIT_X   ? 5
		: unit == MONT_UNIT_B ? 0x17
		: unit == MONT_UNIT_F ? 0xd
				      : 9;
	*slot = unit == MONT_UNIT_M ? n >> 1 & 1 : unit == MONT_UNIT_F ? 1 : 2;
}

/* Random bits in which register fields are often 0, 1, 2 or equal to another. */
static u64 operand_bits(void)
{
	static const u8 pos[5] = { 0, 6, 13, 20, 27 };
	u64 bits = rng41(), r = rng();

	for (int k = r % 4; k > 0; k--, r >>= 12) {
		unsigned int p = pos[(r >> 4) % 5], q = pos[1 + (r >> 7) % 4];
		u64 v = r >> 9 & 1 ? mont_bits(bits, q, 7) : (r >> 10) % 3;

		bits = (bits & ~(127ULL << p)) | v << p;
	}
	return bits;
}

static void test_rows(void)
{
	enum { TIMES = 40 };
	struct code *code = calloc(MONT_NR_ROWS * TIMES, sizeof(*code));
	size_t n = 0;
	int bad = 0;

	for (unsigned int row = 0; row < MONT_NR_ROWS; row++) {
		const struct mont_row_enc *r = &mont_rows[row];

		for (unsigned int k = 0; k < TIMES; k++) {
			u64 slots[3];
			unsigned int tmpl, slot;

			place_of(formats[r->fmt].unit, k, &tmpl, &slot);
			for (int i = 0; i < 3; i++)
				slots[i] = nop(mont_slot_unit(tmpl, i));
			if (tmpl == 5)
				slots[1] = rng41();
			slots[slot] = (operand_bits() & ~r->mask) | r->match;
			if (mont_row_find(mont_slot_unit(tmpl, slot), slots[slot]) != row && !bad++)
				printf("# row %u (%s) is not found\n", row, op_names[r->op]);
			code[n++] = bundle(tmpl, slots);
		}
	}
	report(bad, "every row is found by unit and major opcode");
	compare_all(code, n, "every row with random operands");
	free(code);
}

static void test_random(size_t slots)
{
	size_t n = slots / 3;
	struct code *code = calloc(n, sizeof(*code));

	for (size_t i = 0; i < n; i++) {
		u64 s[3] = { rng41(), rng41(), rng41() };

		code[i] = bundle(rng() >> 59, s);
	}
	compare_all(code, n, "random slots");
	free(code);
}

/* The executable segments of an ELF file. */
static void test_elf(const char *path)
{
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	Elf64_Ehdr eh;
	Elf64_Phdr ph;
	FILE *f = fopen(path, "rb");

	if (!f || fread(&eh, sizeof(eh), 1, f) != 1 || memcmp(eh.e_ident, ELFMAG, SELFMAG) ||
	    eh.e_machine != EM_IA_64) {
		report(1, path);
		return;
	}
	for (int i = 0; i < eh.e_phnum; i++) {
		struct code *code;
		size_t n;

		if (fseek(f, eh.e_phoff + i * sizeof(ph), SEEK_SET) ||
		    fread(&ph, sizeof(ph), 1, f) != 1)
			break;
		if (ph.p_type != PT_LOAD || !(ph.p_flags & PF_X))
			continue;
		n = ph.p_filesz / 16;
		code = calloc(n + 1, sizeof(*code));
		if (fseek(f, ph.p_offset, SEEK_SET) || fread(code, 16, n, f) != n)
			report(1, path);
		else
			compare_all(code, n, name);
		free(code);
	}
	fclose(f);
}

/* True if instructions of units @a and @b can stand in one slot. */
static int same_slots(int a, int b)
{
	if (a == UNIT_A || b == UNIT_A) {
		int other = a == UNIT_A ? b : a;

		return other == UNIT_A || other == MONT_UNIT_M || other == MONT_UNIT_I;
	}
	return a == b;
}

/* No bit pattern belongs to two rows of a unit; majors are as said. */
static void test_table(void)
{
	static u8 used[MONT_NR_OPS];
	int overlaps = 0, majors = 0, missing = 0;

	for (unsigned int i = 0; i < MONT_NR_ROWS; i++) {
		const struct mont_row_enc *a = &mont_rows[i];
		int ua = formats[a->fmt].unit;

		used[a->op] = 1;
		if ((a->mask >> 37 & 15) != 15 ||
		    !(formats[a->fmt].majors >> (a->match >> 37) & 1) || a->match & ~a->mask ||
		    a->mask >> 41)
			majors++;
		for (unsigned int j = 0; j < i; j++) {
			const struct mont_row_enc *b = &mont_rows[j];

			if (!same_slots(ua, formats[b->fmt].unit) ||
			    (a->match ^ b->match) & a->mask & b->mask)
				continue;
			printf("# rows %u (%s) and %u (%s) overlap\n", i, op_names[a->op], j,
			       op_names[b->op]);
			overlaps++;
		}
	}
	for (unsigned int op = 0; op < MONT_NR_OPS; op++) {
		if (!used[op] && op != MONT_OP_ILLEGAL) {
			printf("# no row for %s\n", op_names[op]);
			missing++;
		}
	}
	report(overlaps, "no two rows overlap");
	report(majors, "each row has a whole major opcode, one of its format's");
	report(missing, "each operation has a row");
}

static unsigned int op_at(unsigned int tmpl, unsigned int slot, u64 bits, unsigned int *qp)
{
	struct mont_bundle b;
	u64 s[3];

	for (int i = 0; i < 3; i++)
		s[i] = nop(mont_slot_unit(tmpl, i) % MONT_NR_UNITS);
	s[slot] = bits;
	mont_decode(&b, bundle(tmpl, s).lo, bundle(tmpl, s).hi);
	*qp = b.uop[slot].qp;
	return mont_op(&b.uop[slot]);
}

/* Texts of an instruction's form that the decoder refuses. */
static void test_restrictions(void)
{
	static const u8 loops[] = { 2, 3, 5, 6, 7 };
	int bad = 0;
	unsigned int qp, op;

	for (unsigned int i = 0; i < sizeof(loops); i++)
		for (unsigned int slot = 0; slot < 3; slot++)
			bad += (op_at(0x16, slot, 4ULL << 37 | (u64)loops[i] << 6, &qp) ==
				MONT_OP_ILLEGAL) != (slot != 2);
	report(bad, "loop branches are legal in slot 2 alone");

	bad = 0;
	for (unsigned int ar = 0; ar < 128; ar++) {
		int ignored = (ar >= 48 && ar < 64) || ar >= 112;

		op = op_at(0, 0, 1ULL << 37 | 0x22ULL << 27 | (u64)ar << 20 | 9, &qp);
		bad += (op == MONT_OP_MOV_FROM_AR) != (ignored || ar < 48) || qp != 9;
		op = op_at(0, 1, 0x32ULL << 27 | (u64)ar << 20 | 9, &qp);
		bad += (op == MONT_OP_MOV_FROM_AR) != (ignored || ar >= 64) || qp != 9;
		op = op_at(0, 0, 1ULL << 37 | 0x2aULL << 27 | (u64)ar << 20 | 9, &qp);
		bad += (op == MONT_OP_MOV_TO_AR) != (ignored || ar < 48) || qp != 9;
		op = op_at(0, 1, 0x0aULL << 27 | (u64)ar << 20 | 9, &qp);
		bad += (op == MONT_OP_MOV_TO_AR_IMM) != (ignored || ar >= 64) || qp != 9;
	}
	report(bad, "application registers belong to their unit");

	bad = 0;
	for (unsigned int tmpl = 0; tmpl < 32; tmpl++) {
		int reserved = tmpl == 6 || tmpl == 7 || tmpl == 0x14 || tmpl == 0x15 ||
			       tmpl == 0x1a || tmpl == 0x1b || tmpl == 0x1e || tmpl == 0x1f;

		for (unsigned int slot = 0; slot < 3; slot += 2)
			bad += (op_at(tmpl, slot, nop(mont_slot_unit(tmpl, slot)), &qp) ==
				MONT_OP_ILLEGAL) != reserved;
	}
	report(bad, "reserved templates are illegal in every slot");

	bad = op_at(0, 0, 3ULL << 37 | 7, &qp) != MONT_OP_ILLEGAL || qp != 7;
	bad += op_at(0x16, 1, 3ULL << 27 | 7, &qp) != MONT_OP_ILLEGAL || qp != 0;
	report(bad, "reserved encodings keep their qualifying predicate");
}

int main(int argc, char **argv)
{
	size_t slots = 100000;
	int c;

	while ((c = getopt(argc, argv, "n:")) != -1) {
		if (c != 'n')
			return 2;
		slots = strtoul(optarg, NULL, 0);
	}
	if (mkstemp(binary) < 0)
		return 2;
	test_table();
	test_restrictions();
	test_rows();
	test_random(slots);
	for (; optind < argc; optind++)
		test_elf(argv[optind]);
	unlink(binary);
	for (size_t i = 0; i < MONT_ARRAY_SIZE(known); i++)
		printf("# %lu times: %s\n", known[i].seen, known[i].reason);
	printf("1..%d\n", tests);
	return failures != 0;
}
