// SPDX-License-Identifier: GPL-2.0-only
/*
 * Guest memory for the fuzzer: bundles made of rows of the encoding table with
 * random operands, or of plain noise, and handlers that let most code go on.
 */
#include "fuzz.h"
#include "isa/decode.h"

static u16 rows[MONT_NR_UNITS][MONT_NR_ROWS];
static unsigned int nr_rows[MONT_NR_UNITS];

void image_init(void)
{
	unsigned int unit, row;

	for (unit = 0; unit < MONT_NR_UNITS; unit++) {
		if (unit == MONT_UNIT_L)
			continue;
		for (row = 0; row < MONT_NR_ROWS; row++)
			if (mont_row_find(unit, mont_rows[row].match) == row)
				rows[unit][nr_rows[unit]++] = row;
	}
}

u64 value(struct rng *r)
{
	switch (below(r, 6)) {
	case 0:
		return below(r, 256);
	case 1:
		return 1ULL << below(r, 64);
	case 2:
		return ~0ULL << below(r, 64);
	case 3:
		return rnd(r) & rnd(r) & rnd(r);
	case 4:
		return rnd(r) >> below(r, 64);
	default:
		return rnd(r);
	}
}

/* A register number: any, or one that small frames have. */
static u64 reg(struct rng *r)
{
	return one_in(r, 3) ? below(r, 128) : below(r, 40);
}

static u64 slot_make(struct rng *r, enum mont_unit unit)
{
	const struct mont_row_enc *e;
	u64 bits = rnd(r) & (MONT_BIT(41) - 1), target;

	if (unit == MONT_UNIT_L || unit == MONT_NR_UNITS || one_in(r, 12))
		return bits;
	if (one_in(r, 3))
		bits = reg(r) << 6 | reg(r) << 13 | reg(r) << 20 | (bits & ~0x7ffffffULL);
	else if (one_in(r, 2))
		bits = reg(r) << 6 | reg(r) << 13 | reg(r) << 20 | below(r, 4) << 27;
	bits &= ~63ULL;
	if (one_in(r, 4))
		bits |= below(r, 64);
	e = &mont_rows[rows[unit][below(r, nr_rows[unit])]];
	/* Few of what ends everything: rfi, break; bits that only noise sets. */
	if ((e->op == MONT_OP_RFI || e->op == MONT_OP_BREAK || e->op == MONT_OP_ILLEGAL) &&
	    !one_in(r, 4))
		e = &mont_rows[rows[unit][below(r, nr_rows[unit])]];
	bits = (bits & ~e->mask) | e->match;
	/* Branches mostly stay near. */
	if (unit == MONT_UNIT_B && (bits >> 37 == 4 || bits >> 37 == 5) && !one_in(r, 8)) {
		target = below(r, 64) - 32;
		bits &= ~(MONT_BIT(36) | 0xfffffULL << 13);
		bits |= (target & 0xfffff) << 13 | (target >> 63) << 36;
		bits = (bits & ~e->mask) | e->match;
	}
	return bits;
}

static void pack(u64 raw[2], u64 tmpl, u64 s0, u64 s1, u64 s2)
{
	raw[0] = tmpl | s0 << 5 | s1 << 46;
	raw[1] = s1 >> 18 | s2 << 23;
}

void bundle_make(struct rng *r, u64 raw[2])
{
	u64 tmpl = below(r, 32), slot[3];
	unsigned int i;

	if (one_in(r, 25)) {
		raw[0] = rnd(r);
		raw[1] = rnd(r);
		return;
	}
	if (mont_slot_unit(tmpl, 0) == MONT_NR_UNITS && !one_in(r, 10))
		tmpl &= 0x1d;
	for (i = 0; i < 3; i++)
		slot[i] = slot_make(r, mont_slot_unit(tmpl, i));
	pack(raw, tmpl, slot[0], slot[1], slot[2]);
}

/* ---- handlers, by hand ---- */

#define TMPL_MLX 4
#define TMPL_MII 0
#define TMPL_MIB 16
#define NOP_M (1ULL << 27)
#define NOP_I (1ULL << 27)
#define CR_ITM 1
#define CR_IPSR 16
#define CR_IIP 19
#define CR_IFA 20
#define CR_ITIR 21
#define CR_IVR 65
#define CR_EOI 67

static u64 row_of(enum mont_unit unit, enum mont_op op)
{
	unsigned int i;

	for (i = 0; i < nr_rows[unit]; i++)
		if (mont_rows[rows[unit][i]].op == op)
			return mont_rows[rows[unit][i]].match;
	fprintf(stderr, "no row for operation %d\n", op);
	abort();
}

static u64 mov_from_cr(u32 r1, u32 cr)
{
	return row_of(MONT_UNIT_M, MONT_OP_MOV_FROM_CR) | (u64)r1 << 6 | (u64)cr << 20;
}

static u64 mov_to_cr(u32 cr, u32 r2)
{
	return row_of(MONT_UNIT_M, MONT_OP_MOV_TO_CR) | (u64)r2 << 13 | (u64)cr << 20;
}

static u64 *put(u64 *p, u64 tmpl, u64 s0, u64 s1, u64 s2)
{
	pack(p, tmpl, s0, s1, s2);
	return p + 2;
}

static u64 *put_m(u64 *p, u64 m)
{
	return put(p, TMPL_MII, m, NOP_I, NOP_I);
}

static u64 *put_movl(u64 *p, u32 r1, u64 v)
{
	u64 x = 6ULL << 37 | (v >> 63) << 36 | (v >> 7 & 0x1ff) << 27 | (v >> 16 & 31) << 22 |
		(v >> 21 & 1) << 21 | (v & 127) << 13 | (u64)r1 << 6;

	return put(p, TMPL_MLX, NOP_M, v >> 22 & (MONT_BIT(41) - 1), x);
}

static u64 *put_rfi(u64 *p)
{
	return put(p, TMPL_MIB, NOP_M, NOP_I, row_of(MONT_UNIT_B, MONT_OP_RFI));
}

static u64 alloc_make(struct rng *r)
{
	u64 sof = below(r, 97), sol = below(r, sof + 1), sor = below(r, sof / 8 + 1);

	return row_of(MONT_UNIT_M, MONT_OP_ALLOC) | sor << 27 | sol << 20 | sof << 13 | 13 << 6;
}

/*
 * An instruction of the M unit with operands that mean something to it: an
 * address or an index in r14, a value in r15.
 */
static u64 *recipe_make(struct rng *r, u64 *p, u64 size)
{
	u64 m = mont_rows[rows[MONT_UNIT_M][below(r, nr_rows[MONT_UNIT_M])]].match;
	u64 index = one_in(r, 2) ? below(r, one_in(r, 2) ? 16 : 64) : address(r, size);
	u64 v = one_in(r, 2)   ? value(r)
		: one_in(r, 2) ? random_pte(r, size)
			       : below(r, 4) << 8 | page_size(r) << 2 | below(r, 2);

	if (one_in(r, 6))
		return put_m(p, alloc_make(r));
	if (one_in(r, 20)) {
		/* An interval timer that will match soon. */
		p = put_m(p, row_of(MONT_UNIT_M, MONT_OP_MOV_FROM_AR) | 15 << 6 | 44 << 20);
		p = put_m(p, row_of(MONT_UNIT_M, MONT_OP_ADDS) | 15 << 6 | below(r, 40) << 13 |
				     15 << 20);
		return put_m(p, mov_to_cr(CR_ITM, 15));
	}
	p = put_movl(p, 14, index);
	p = put_movl(p, 15, v);
	if (one_in(r, 8))
		return put_m(p, mov_to_cr(one_in(r, 2) ? CR_ITIR : CR_IFA, 15));
	return put_m(p, m | 13 << 6 | 15 << 13 | (one_in(r, 3) ? 15 : 14) << 20);
}

/* Make a handler: a random choice of instructions before its rfi. */
static void handler_make(struct rng *r, u64 *p, u64 size)
{
	u64 cover = row_of(MONT_UNIT_B, MONT_OP_COVER);

	if (one_in(r, 6))
		p = put(p, TMPL_MIB, NOP_M, NOP_I, cover);
	if (one_in(r, 8)) {
		bundle_make(r, p);
		p += 2;
	}
	if (one_in(r, 8))
		p = recipe_make(r, p, size);
	switch (below(r, 6)) {
	case 0:
		/* Translate what missed, and again. */
		p = put_m(p, mov_from_cr(16, CR_ITIR));
		p = put_movl(p, 17, random_pte(r, size));
		p = put_m(p, row_of(MONT_UNIT_M, one_in(r, 2) ? MONT_OP_ITC_D : MONT_OP_ITC_I) |
				     17 << 13);
		break;
	case 1:
		p = put_movl(p, 17, random_psr(r));
		p = put_m(p, mov_to_cr(CR_IPSR, 17));
		fallthrough;
	case 2:
		p = put_movl(p, 17, code_address(r));
		p = put_m(p, mov_to_cr(CR_IIP, 17));
		break;
	case 3:
		p = put_m(p, mov_from_cr(18, CR_IVR));
		p = put_m(p, mov_to_cr(CR_EOI, 0));
		fallthrough;
	default:
		/* Step over the bundle. */
		p = put_m(p, mov_from_cr(17, CR_IIP));
		p = put_m(p, row_of(MONT_UNIT_M, MONT_OP_ADDS) | 17 << 6 | 16 << 13 | 17 << 20);
		p = put_m(p, mov_to_cr(CR_IIP, 17));
		break;
	}
	put_rfi(p);
}

static void vectors_make(struct rng *r, u8 *ram, u64 size)
{
	static const u16 vectors[] = {
#define MONT_FAULT(name, vector, code, text) vector,
#include "base/fault.def"
#undef MONT_FAULT
	};
	unsigned int i;

	for (i = 0; i < MONT_ARRAY_SIZE(vectors); i++)
		if (vectors[i] < IVT_SIZE && !one_in(r, 40))
			handler_make(r, (u64 *)(ram + IVT_BASE + vectors[i]), size);
}

void image_make(struct rng *r, u8 *ram, u64 size)
{
	u64 *p = (u64 *)ram, *end = (u64 *)(ram + size), *code = (u64 *)(ram + DATA_BASE);

	while (p < code) {
		if (p + 6 <= code && one_in(r, 10)) {
			p = recipe_make(r, p, size);
		} else {
			bundle_make(r, p);
			p += 2;
		}
	}
	for (; p < end; p++)
		*p = one_in(r, 4) ? address(r, size) : value(r);
	vectors_make(r, ram, size);
}

u64 code_address(struct rng *r)
{
	static const u64 base[] = { 0, VA_CODE, VA_CODE, VA_ALL };

	/* Much of it in one KB, so that code meets itself again. */
	return base[below(r, 4)] | (CODE_BASE + below(r, one_in(r, 2) ? 64 : CODE_SIZE / 16) * 16);
}

u64 address(struct rng *r, u64 size)
{
	u64 off = below(r, size);

	if (!one_in(r, 4))
		off &= ~7ULL;
	if (one_in(r, 40))
		return (one_in(r, 2) ? MONT_PIB_BASE | (rnd(r) & 0x1ffff8)
				     : MONT_CONSOLE_BASE | (one_in(r, 8) ? rnd(r) & 0xfff : 0)) |
		       (one_in(r, 2) ? VA_ALL : 0);
	if (one_in(r, 30))
		return (size + below(r, MMIO_SIZE)) | (one_in(r, 2) ? MONT_BIT(63) : VA_ALL);
	switch (below(r, 8)) {
	case 0:
		return off;
	case 1:
		return code_address(r) + below(r, 16);
	case 2:
		return VA_ALL | off;
	case 3:
		return VA_DATA | (size - below(r, 64));
	case 4:
		return value(r);
	default:
		return VA_DATA | (DATA_BASE + off % (size - DATA_BASE));
	}
}

u64 random_psr(struct rng *r)
{
	u64 psr = MONT_PSR_IT | MONT_PSR_DT | MONT_PSR_RT;

	switch (below(r, 4)) {
	case 0:
		psr = rnd(r);
		break;
	case 1:
		psr = below(r, 2) ? 0 : rnd(r) & ~(MONT_PSR_IT | MONT_PSR_DT | MONT_PSR_RT);
		break;
	default:
		psr |= MONT_BIT(below(r, 46)) | MONT_BIT(below(r, 46));
		break;
	}
	if (one_in(r, 5))
		psr |= MONT_BIT(37 + below(r, 4)) | MONT_BIT(43 + 2 * below(r, 2));
	if (!one_in(r, 4))
		psr |= MONT_PSR_IC | MONT_PSR_I;
	if (!one_in(r, 4))
		psr &= ~(MONT_PSR_DFL | MONT_PSR_DFH);
	if (!one_in(r, 4))
		psr &= ~(MONT_PSR_SS | MONT_PSR_TB | MONT_PSR_DB);
	if (one_in(r, 2))
		psr |= MONT_PSR_UP | MONT_PSR_PP;
	if (one_in(r, 2))
		psr &= ~MONT_PSR_CPL;
	psr &= MONT_PSR_IMPLEMENTED;
	return psr | below(r, 3) << MONT_PSR_RI_SHIFT;
}

u32 page_size(struct rng *r)
{
	static const u8 sizes[] = { 12, 13, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32 };

	return sizes[one_in(r, 3) ? below(r, sizeof(sizes)) : below(r, 5)];
}

u64 random_pte(struct rng *r, u64 size)
{
	u64 pte = (below(r, size) & MONT_PTE_PPN) | MONT_PTE_P | MONT_PTE_A | MONT_PTE_D |
		  3ULL << 9 | 3ULL << 7;

	if (one_in(r, 2))
		pte ^= MONT_BIT(below(r, 12)) & ~2ULL;
	if (one_in(r, 4))
		pte ^= MONT_PTE_ED;
	if (one_in(r, 20))
		pte = (pte & ~MONT_PTE_PPN) | (one_in(r, 2) ? MONT_CONSOLE_BASE : MONT_PIB_BASE);
	if (one_in(r, 16))
		pte = value(r);
	return pte;
}
