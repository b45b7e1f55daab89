// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers in the numbers and sizes of gdb's ia64 port (its ia64-tdep.h), which has no
 * target description. All are 8 bytes but the floating-point ones, of 16. The port reads
 * r32 and up, and their NaTs, from the backing store in memory: AR.BSP is the end of the
 * frame to it, AR.RNAT what a flush would leave there, and memory behind AR.BSPSTORE is made up of
 * the register file. It has no names for control registers: see gdb_monitor.c.
 */
#include <errno.h>
#include <string.h>

#include "gdb.h"

#define FR0 128
#define PR0 256
#define BR0 320
#define VFP 328
#define PR 330
#define IP 331
#define PSR 332
#define CFM 333
#define AR0 334

#define AR_BSP 17
#define AR_BSPSTORE 18
#define AR_RNAT 19

static bool gdb_registers_is_collection(uint64_t va)
{
	return (va & 0x1f8) == 0x1f8;
}

/* @va moved up by @n registers, over NaT collections. */
static uint64_t gdb_registers_move_up(uint64_t va, unsigned int n)
{
	for (; n; n--) {
		va += 8;
		if (gdb_registers_is_collection(va))
			va += 8;
	}
	return va;
}

/* Registers from @from up to @va. */
static unsigned int gdb_registers_index_of(uint64_t from, uint64_t va)
{
	unsigned int n = 0;

	for (; from < va; from += 8)
		n += !gdb_registers_is_collection(from);
	return n;
}

static int gdb_registers_get(struct gdb *g, uint32_t cls, uint32_t index, uint64_t v[2])
{
	struct montecito_reg r = { .cls = cls, .index = index };
	int err = montecito_get_regs(g->m, g->vcpu, &r, 1);

	v[0] = r.value[0];
	v[1] = r.value[1];
	return err;
}

static int gdb_registers_set(struct gdb *g, uint32_t cls, uint32_t index, uint64_t v0, uint64_t v1)
{
	const struct montecito_reg r = { .cls = cls, .index = index, .value = { v0, v1 } };

	return montecito_set_regs(g->m, g->vcpu, &r, 1);
}

int gdb_stack(struct gdb *g, struct gdb_stack *s)
{
	struct montecito_reg r[4] = {
		{ .cls = MONTECITO_REG_AR, .index = AR_BSPSTORE },
		{ .cls = MONTECITO_REG_AR, .index = AR_BSP },
		{ .cls = MONTECITO_REG_AR, .index = AR_RNAT },
		{ .cls = MONTECITO_REG_SPECIAL, .index = MONTECITO_SPECIAL_CFM },
	};
	int err = montecito_get_regs(g->m, g->vcpu, r, 4);
	uint64_t cfm = r[3].value[0];

	if (err)
		return err;
	*s = (struct gdb_stack){
		.bspstore = r[0].value[0],
		.bsp = r[1].value[0],
		.end = gdb_registers_move_up(r[1].value[0], cfm & 0x7f),
		.rnat = r[2].value[0],
		.sor = (cfm >> 14 & 0xf) * 8,
		.rrb = cfm >> 18 & 0x7f,
	};
	/* While a return loads its frame, there is nothing to be made up. */
	if (s->bsp < s->bspstore || s->end - s->bspstore > 0x1000)
		s->end = s->bspstore;
	return 0;
}

/* NaT bits of the registers in front of @va's place in its group of 63. */
static uint64_t gdb_registers_collect(struct gdb *g, const struct gdb_stack *s, uint64_t va)
{
	uint64_t rnat = 0, v[2], at;

	for (at = va & ~0x1ffULL; at < va && !gdb_registers_is_collection(at); at += 8) {
		uint64_t bit = 1ULL << (at >> 3 & 63);

		if (at < s->bspstore)
			rnat |= s->rnat & bit;
		else if (!gdb_registers_get(g, MONTECITO_REG_STACKED,
					    gdb_registers_index_of(s->bspstore, at), v) &&
			 v[1])
			rnat |= bit;
	}
	return rnat;
}

int gdb_stack_get(struct gdb *g, const struct gdb_stack *s, uint64_t va, uint64_t *v)
{
	uint64_t w[2];
	int err;

	if (gdb_registers_is_collection(va)) {
		*v = gdb_registers_collect(g, s, va);
		return 0;
	}
	err = gdb_registers_get(g, MONTECITO_REG_STACKED, gdb_registers_index_of(s->bspstore, va),
				w);
	*v = w[0];
	return err;
}

/* The number that code has for the @n-th register of the frame. */
static uint32_t gdb_registers_rotated(const struct gdb_stack *s, uint32_t n)
{
	if (n < s->sor)
		n = (n + s->sor - s->rrb) % s->sor;
	return 32 + n;
}

int gdb_stack_set(struct gdb *g, const struct gdb_stack *s, uint64_t va, uint64_t v)
{
	uint64_t old[2];
	uint32_t r;
	int err;

	/* Registers of callers are the RSE's until it has stored them. */
	if (va < s->bsp || gdb_registers_is_collection(va))
		return -EPERM;
	r = gdb_registers_rotated(s, gdb_registers_index_of(s->bsp, va));
	err = gdb_registers_get(g, MONTECITO_REG_GR, r, old);
	return err ? err : gdb_registers_set(g, MONTECITO_REG_GR, r, v, old[1]);
}

/* AR.RNAT as gdb changes it: of what is in registers, those of the frame have NaTs. */
static int gdb_registers_set_rnat(struct gdb *g, uint64_t v)
{
	uint64_t at, old[2], rnat;
	struct gdb_stack s;
	int err = gdb_stack(g, &s);

	rnat = s.rnat;
	for (at = s.end & ~0x1ffULL; !err && at < s.end; at += 8) {
		uint64_t bit = v >> (at >> 3 & 63) & 1;

		if (at < s.bspstore) {
			rnat = (rnat & ~(1ULL << (at >> 3 & 63))) | bit << (at >> 3 & 63);
		} else if (at >= s.bsp) {
			uint32_t r = gdb_registers_rotated(&s, gdb_registers_index_of(s.bsp, at));

			err = gdb_registers_get(g, MONTECITO_REG_GR, r, old);
			if (!err && old[1] != bit)
				err = gdb_registers_set(g, MONTECITO_REG_GR, r, old[0], bit);
		}
	}
	if (!err && rnat != s.rnat)
		err = gdb_registers_set(g, MONTECITO_REG_AR, AR_RNAT, rnat, 0);
	return err;
}

size_t gdb_register_size(unsigned int n)
{
	return n >= FR0 && n < PR0 ? 16 : 8;
}

/* Class and index of register @n, where it is one of the uapi's. */
static bool gdb_registers_plain(unsigned int n, uint32_t *cls, uint32_t *index)
{
	static const uint32_t special[] = { MONTECITO_SPECIAL_IP, MONTECITO_SPECIAL_PSR,
					    MONTECITO_SPECIAL_CFM };

	if (n < FR0) {
		*cls = MONTECITO_REG_GR;
		*index = n;
	} else if (n < PR0) {
		*cls = MONTECITO_REG_FR;
		*index = n - FR0;
	} else if (n >= BR0 && n < VFP) {
		*cls = MONTECITO_REG_BR;
		*index = n - BR0;
	} else if (n == PR) {
		*cls = MONTECITO_REG_PR;
		*index = 0;
	} else if (n >= IP && n <= CFM) {
		*cls = MONTECITO_REG_SPECIAL;
		*index = special[n - IP];
	} else if (n >= AR0 && n < GDB_REGISTERS) {
		*cls = MONTECITO_REG_AR;
		*index = n - AR0;
	} else {
		return false;
	}
	return true;
}

static void gdb_registers_put(uint8_t *to, uint64_t v)
{
	unsigned int i;

	for (i = 0; i < 8; i++)
		to[i] = v >> 8 * i;
}

static uint64_t gdb_registers_take(const uint8_t *from)
{
	uint64_t v = 0;
	unsigned int i;

	for (i = 0; i < 8; i++)
		v |= (uint64_t)from[i] << 8 * i;
	return v;
}

int gdb_register_get(struct gdb *g, unsigned int n, uint8_t value[16], size_t *size)
{
	uint32_t cls, index;
	struct gdb_stack s;
	uint64_t v[2] = { 0 };
	int err = 0;

	if (n >= GDB_REGISTERS)
		return -EINVAL;
	*size = gdb_register_size(n);
	if (n == AR0 + AR_BSP || n == AR0 + AR_RNAT) {
		err = gdb_stack(g, &s);
		if (!err)
			v[0] = n == AR0 + AR_BSP ? s.end : gdb_registers_collect(g, &s, s.end);
	} else if (n >= PR0 && n < BR0) {
		err = gdb_registers_get(g, MONTECITO_REG_PR, 0, v);
		v[0] = v[0] >> (n - PR0) & 1;
	} else if (gdb_registers_plain(n, &cls, &index)) {
		err = gdb_registers_get(g, cls, index, v);
		/* gdb asks by number for registers outside of the frame, or that are none: they read 0. */
		if (err == -EINVAL && (cls == MONTECITO_REG_GR || cls == MONTECITO_REG_AR))
			err = 0;
		if (cls != MONTECITO_REG_FR)
			v[1] = 0;
	}
	gdb_registers_put(value, v[0]);
	gdb_registers_put(value + 8, v[1]);
	return err;
}

int gdb_register_set(struct gdb *g, unsigned int n, const uint8_t value[16])
{
	uint64_t v[2] = { gdb_registers_take(value), 0 }, old[2] = { 0 };
	uint8_t now[16];
	uint32_t cls, index;
	size_t size;
	int err;

	err = gdb_register_get(g, n, now, &size);
	/* All of them come at once, and some cannot be written. */
	if (err || !memcmp(now, value, size))
		return err;
	if (n == AR0 + AR_RNAT)
		return gdb_registers_set_rnat(g, v[0]);
	if (n == AR0 + AR_BSP || !gdb_registers_plain(n, &cls, &index))
		return -EPERM;
	if (cls == MONTECITO_REG_FR) {
		v[1] = gdb_registers_take(value + 8);
	} else if (cls == MONTECITO_REG_GR) {
		err = gdb_registers_get(g, cls, index, old);
		v[1] = old[1];
	}
	return err ? err : gdb_registers_set(g, cls, index, v[0], v[1]);
}
