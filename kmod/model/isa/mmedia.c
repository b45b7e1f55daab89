// SPDX-License-Identifier: GPL-2.0-only
/*
 * Multimedia instructions (SDM volume 1, 4.6; volume 3, chapter 2): general
 * registers as eight, four or two elements. Element 0 is the least significant.
 */
#include "mmedia.h"

/* Element @i of @v, elements being @w bits wide. */
static __always_inline u64 mmedia_elem(u64 v, unsigned int i, unsigned int w)
{
	return mont_bits(v, i * w, w);
}

static __always_inline s64 mmedia_selem(u64 v, unsigned int i, unsigned int w)
{
	return mont_sext(v >> (i * w), w);
}

/* @v as element @i of a result: what does not fit is cut. */
static __always_inline u64 mmedia_at(u64 v, unsigned int i, unsigned int w)
{
	return mont_bits(v, 0, w) << (i * w);
}

static __always_inline s64 mmedia_clamp_to(s64 v, s64 lo, s64 hi)
{
	return v < lo ? lo : v > hi ? hi : v;
}

/* Saturation to @w bits, signed and unsigned. */
static __always_inline s64 mmedia_sat_s(s64 v, unsigned int w)
{
	return mmedia_clamp_to(v, -(1LL << (w - 1)), (1LL << (w - 1)) - 1);
}

static __always_inline s64 mmedia_sat_u(s64 v, unsigned int w)
{
	return mmedia_clamp_to(v, 0, (1LL << w) - 1);
}

/* Round the last bit shifted out into the last one kept (pavg, pavgsub). */
static __always_inline s64 mmedia_halve(s64 v)
{
	return v >> 1 | (v & 1);
}

/*
 * An operation on each element of r2 (SIGNED2 or UNSIGNED2) and r3 (SIGNED3 or
 * UNSIGNED3), @w bits wide.
 */
#define SIGNED2 mmedia_selem(x, i, WIDTH)
#define SIGNED3 mmedia_selem(y, i, WIDTH)
#define UNSIGNED2 ((s64)mmedia_elem(x, i, WIDTH))
#define UNSIGNED3 ((s64)mmedia_elem(y, i, WIDTH))

/* clang-format off */
#define ELEMENTWISE(op, w, value) \
enum mont_result mont_x_##op(struct mont_thread *t, const struct mont_uop *u) \
{ \
	enum { WIDTH = w }; \
	u64 x = mont_gr(t, u->r2), y = mont_gr(t, u->r3), r = 0; \
	unsigned int i; \
\
	for (i = 0; i < 64 / WIDTH; i++) \
		r |= mmedia_at(value, i, WIDTH); \
	return mont_gr_set(t, u->r1, r, mont_nat(t, u->r2) | mont_nat(t, u->r3)); \
}
/* clang-format on */

ELEMENTWISE(PADD1, 8, SIGNED2 + SIGNED3)
ELEMENTWISE(PADD2, 16, SIGNED2 + SIGNED3)
ELEMENTWISE(PADD4, 32, SIGNED2 + SIGNED3)
ELEMENTWISE(PADD1_SSS, 8, mmedia_sat_s(SIGNED2 + SIGNED3, 8))
ELEMENTWISE(PADD2_SSS, 16, mmedia_sat_s(SIGNED2 + SIGNED3, 16))
ELEMENTWISE(PADD1_UUU, 8, mmedia_sat_u(UNSIGNED2 + UNSIGNED3, 8))
ELEMENTWISE(PADD2_UUU, 16, mmedia_sat_u(UNSIGNED2 + UNSIGNED3, 16))
ELEMENTWISE(PADD1_UUS, 8, mmedia_sat_u(UNSIGNED2 + SIGNED3, 8))
ELEMENTWISE(PADD2_UUS, 16, mmedia_sat_u(UNSIGNED2 + SIGNED3, 16))
ELEMENTWISE(PSUB1, 8, SIGNED2 - SIGNED3)
ELEMENTWISE(PSUB2, 16, SIGNED2 - SIGNED3)
ELEMENTWISE(PSUB4, 32, SIGNED2 - SIGNED3)
ELEMENTWISE(PSUB1_SSS, 8, mmedia_sat_s(SIGNED2 - SIGNED3, 8))
ELEMENTWISE(PSUB2_SSS, 16, mmedia_sat_s(SIGNED2 - SIGNED3, 16))
ELEMENTWISE(PSUB1_UUU, 8, mmedia_sat_u(UNSIGNED2 - UNSIGNED3, 8))
ELEMENTWISE(PSUB2_UUU, 16, mmedia_sat_u(UNSIGNED2 - UNSIGNED3, 16))
ELEMENTWISE(PSUB1_UUS, 8, mmedia_sat_u(UNSIGNED2 - SIGNED3, 8))
ELEMENTWISE(PSUB2_UUS, 16, mmedia_sat_u(UNSIGNED2 - SIGNED3, 16))
ELEMENTWISE(PAVG1, 8, mmedia_halve(UNSIGNED2 + UNSIGNED3))
ELEMENTWISE(PAVG2, 16, mmedia_halve(UNSIGNED2 + UNSIGNED3))
ELEMENTWISE(PAVG1_RAZ, 8, (UNSIGNED2 + UNSIGNED3 + 1) >> 1)
ELEMENTWISE(PAVG2_RAZ, 16, (UNSIGNED2 + UNSIGNED3 + 1) >> 1)
ELEMENTWISE(PAVGSUB1, 8, mmedia_halve(UNSIGNED2 - UNSIGNED3))
ELEMENTWISE(PAVGSUB2, 16, mmedia_halve(UNSIGNED2 - UNSIGNED3))
ELEMENTWISE(PCMP1_EQ, 8, SIGNED2 == SIGNED3 ? ~0ULL : 0)
ELEMENTWISE(PCMP2_EQ, 16, SIGNED2 == SIGNED3 ? ~0ULL : 0)
ELEMENTWISE(PCMP4_EQ, 32, SIGNED2 == SIGNED3 ? ~0ULL : 0)
ELEMENTWISE(PCMP1_GT, 8, SIGNED2 > SIGNED3 ? ~0ULL : 0)
ELEMENTWISE(PCMP2_GT, 16, SIGNED2 > SIGNED3 ? ~0ULL : 0)
ELEMENTWISE(PCMP4_GT, 32, SIGNED2 > SIGNED3 ? ~0ULL : 0)
ELEMENTWISE(PMIN1_U, 8, UNSIGNED2 < UNSIGNED3 ? UNSIGNED2 : UNSIGNED3)
ELEMENTWISE(PMAX1_U, 8, UNSIGNED2 > UNSIGNED3 ? UNSIGNED2 : UNSIGNED3)
ELEMENTWISE(PMIN2, 16, SIGNED2 < SIGNED3 ? SIGNED2 : SIGNED3)
ELEMENTWISE(PMAX2, 16, SIGNED2 > SIGNED3 ? SIGNED2 : SIGNED3)
ELEMENTWISE(PMPYSHR2, 16, (SIGNED2 * SIGNED3) >> u->imm)
ELEMENTWISE(PMPYSHR2_U, 16, (UNSIGNED2 * UNSIGNED3) >> u->imm)

/* A shift that saturates decides the element: nothing is added to it. */
static __always_inline s64 mmedia_shift_add(s64 x, s64 y, unsigned int count)
{
	s64 shifted = x * (1LL << count);

	return mmedia_sat_s(shifted, 16) != shifted ? mmedia_sat_s(shifted, 16)
						    : mmedia_sat_s(shifted + y, 16);
}

ELEMENTWISE(PSHLADD2, 16, mmedia_shift_add(SIGNED2, SIGNED3, u->imm))
ELEMENTWISE(PSHRADD2, 16, mmedia_sat_s((SIGNED2 >> u->imm) + SIGNED3, 16))

/* A result made of the whole of r2 and r3. */
/* clang-format off */
#define WHOLE(op, value) \
enum mont_result mont_x_##op(struct mont_thread *t, const struct mont_uop *u) \
{ \
	u64 x = mont_gr(t, u->r2), y = mont_gr(t, u->r3); \
\
	return mont_gr_set(t, u->r1, value, mont_nat(t, u->r2) | mont_nat(t, u->r3)); \
}
/* clang-format on */

/* pmpy2: the products of elements @i and @i + 2. */
static u64 mmedia_multiply(u64 x, u64 y, unsigned int i)
{
	return mmedia_at(mmedia_selem(x, i, 16) * mmedia_selem(y, i, 16), 0, 32) |
	       mmedia_at(mmedia_selem(x, i + 2, 16) * mmedia_selem(y, i + 2, 16), 1, 32);
}

WHOLE(PMPY2_R, mmedia_multiply(x, y, 0))
WHOLE(PMPY2_L, mmedia_multiply(x, y, 1))

/* mix: every second element, from @first on, of x above that of y. */
static __always_inline u64 mmedia_mix(u64 x, u64 y, unsigned int w, unsigned int first)
{
	u64 r = 0;
	unsigned int i;

	for (i = 0; i < 64 / w; i += 2)
		r |= mmedia_at(mmedia_elem(y, i + first, w), i, w) |
		     mmedia_at(mmedia_elem(x, i + first, w), i + 1, w);
	return r;
}

WHOLE(MIX1_R, mmedia_mix(x, y, 8, 0))
WHOLE(MIX2_R, mmedia_mix(x, y, 16, 0))
WHOLE(MIX4_R, mmedia_mix(x, y, 32, 0))
WHOLE(MIX1_L, mmedia_mix(x, y, 8, 1))
WHOLE(MIX2_L, mmedia_mix(x, y, 16, 1))
WHOLE(MIX4_L, mmedia_mix(x, y, 32, 1))

/* unpack: consecutive elements, from @first on, of x above those of y. */
static __always_inline u64 mmedia_unpack(u64 x, u64 y, unsigned int w, unsigned int first)
{
	u64 r = 0;
	unsigned int i;

	for (i = 0; i < 32 / w; i++)
		r |= mmedia_at(mmedia_elem(y, i + first, w), 2 * i, w) |
		     mmedia_at(mmedia_elem(x, i + first, w), 2 * i + 1, w);
	return r;
}

WHOLE(UNPACK1_H, mmedia_unpack(x, y, 8, 4))
WHOLE(UNPACK2_H, mmedia_unpack(x, y, 16, 2))
WHOLE(UNPACK4_H, mmedia_unpack(x, y, 32, 1))
WHOLE(UNPACK1_L, mmedia_unpack(x, y, 8, 0))
WHOLE(UNPACK2_L, mmedia_unpack(x, y, 16, 0))
WHOLE(UNPACK4_L, mmedia_unpack(x, y, 32, 0))

/* pack: elements of @w bits saturated to half that, r2's below r3's. */
static __always_inline u64 mmedia_pack(u64 x, u64 y, unsigned int w, bool to_signed)
{
	unsigned int n = 64 / w, half = w / 2, i;
	u64 r = 0;

	for (i = 0; i < 2 * n; i++) {
		s64 v = i < n ? mmedia_selem(x, i, w) : mmedia_selem(y, i - n, w);

		r |= mmedia_at(to_signed ? mmedia_sat_s(v, half) : mmedia_sat_u(v, half), i, half);
	}
	return r;
}

WHOLE(PACK2_USS, mmedia_pack(x, y, 16, false))
WHOLE(PACK2_SSS, mmedia_pack(x, y, 16, true))
WHOLE(PACK4_SSS, mmedia_pack(x, y, 32, true))

static u64 mmedia_sum_of_differences(u64 x, u64 y)
{
	u64 sum = 0;
	unsigned int i;

	for (i = 0; i < 8; i++) {
		s64 d = (s64)mmedia_elem(x, i, 8) - (s64)mmedia_elem(y, i, 8);

		sum += d < 0 ? -d : d;
	}
	return sum;
}

WHOLE(PSAD1, mmedia_sum_of_differences(x, y))

/* ---- shifts: all elements by one count; a count too large empties them ---- */

static __always_inline u64 mmedia_shift_left(u64 v, u64 count, unsigned int w)
{
	u64 r = 0;
	unsigned int i;

	if (count >= w)
		return 0;
	for (i = 0; i < 64 / w; i++)
		r |= mmedia_at(mmedia_elem(v, i, w) << count, i, w);
	return r;
}

static __always_inline u64 mmedia_shift_right(u64 v, u64 count, unsigned int w)
{
	u64 r = 0;
	unsigned int i;

	if (count >= w)
		count = w - 1;
	for (i = 0; i < 64 / w; i++)
		r |= mmedia_at(mmedia_selem(v, i, w) >> count, i, w);
	return r;
}

static __always_inline u64 mmedia_shift_right_u(u64 v, u64 count, unsigned int w)
{
	u64 r = 0;
	unsigned int i;

	if (count >= w)
		return 0;
	for (i = 0; i < 64 / w; i++)
		r |= mmedia_at(mmedia_elem(v, i, w) >> count, i, w);
	return r;
}

WHOLE(PSHL2, mmedia_shift_left(x, y, 16))
WHOLE(PSHL4, mmedia_shift_left(x, y, 32))
WHOLE(PSHR2, mmedia_shift_right(y, x, 16))
WHOLE(PSHR4, mmedia_shift_right(y, x, 32))
WHOLE(PSHR2_U, mmedia_shift_right_u(y, x, 16))
WHOLE(PSHR4_U, mmedia_shift_right_u(y, x, 32))

/* A result made of one source register and perhaps the immediate. */
/* clang-format off */
#define ONE(op, source, value) \
enum mont_result mont_x_##op(struct mont_thread *t, const struct mont_uop *u) \
{ \
	u64 v = mont_gr(t, source); \
\
	return mont_gr_set(t, u->r1, value, mont_nat(t, source)); \
}
/* clang-format on */

ONE(PSHL2_I, u->r2, mmedia_shift_left(v, u->imm, 16))
ONE(PSHL4_I, u->r2, mmedia_shift_left(v, u->imm, 32))
ONE(PSHR2_I, u->r3, mmedia_shift_right(v, u->imm, 16))
ONE(PSHR4_I, u->r3, mmedia_shift_right(v, u->imm, 32))
ONE(PSHR2_U_I, u->r3, mmedia_shift_right_u(v, u->imm, 16))
ONE(PSHR4_U_I, u->r3, mmedia_shift_right_u(v, u->imm, 32))

/* mux1: for each permutation, the source byte of each result byte, 7 first. */
static u64 mmedia_mux_bytes(u64 v, u64 type)
{
	static const u32 from[16] = {
		[0] = 0x00000000, /* brcst */
		[8] = 0x73516240, /* mix */
		[9] = 0x73625140, /* shuf */
		[10] = 0x75316420, /* alt */
		[11] = 0x01234567, /* rev */
	};
	u32 f = from[type & 15];
	u64 r = 0;
	unsigned int i;

	for (i = 0; i < 8; i++)
		r |= mmedia_at(mmedia_elem(v, f >> (4 * i) & 7, 8), i, 8);
	return r;
}

static u64 mmedia_mux_halfwords(u64 v, u64 mask)
{
	u64 r = 0;
	unsigned int i;

	for (i = 0; i < 4; i++)
		r |= mmedia_at(mmedia_elem(v, mask >> (2 * i) & 3, 16), i, 16);
	return r;
}

ONE(MUX1, u->r2, mmedia_mux_bytes(v, u->imm))
ONE(MUX2, u->r2, mmedia_mux_halfwords(v, u->imm))

/* czx: how many elements precede the first zero one, from the left or right. */
static __always_inline u64 mmedia_zero_index(u64 v, unsigned int w, bool left)
{
	unsigned int n = 64 / w, i;

	for (i = 0; i < n; i++)
		if (!mmedia_elem(v, left ? n - 1 - i : i, w))
			break;
	return i;
}

ONE(CZX1_L, u->r3, mmedia_zero_index(v, 8, true))
ONE(CZX2_L, u->r3, mmedia_zero_index(v, 16, true))
ONE(CZX1_R, u->r3, mmedia_zero_index(v, 8, false))
ONE(CZX2_R, u->r3, mmedia_zero_index(v, 16, false))
