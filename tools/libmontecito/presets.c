// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Opcode classes by name, for :opc=@NAME (Itanium SDM volume 3, chapter 4;
 * the classes are those of the published advice on constrained events).
 *
 * A matcher compares fixed bits, so a class is one match or a few that have no
 * instruction in common.
 */
#include <string.h>

#include "libmontecito.h"

#define ANY41 ((1ULL << 41) - 1)
#define M 8
#define F 2

/* Fields of memory encodings: major opcode, m, x6, x. */
#define OP(v, care) ((uint64_t)(v) << 37), ((uint64_t)(care) << 37)
#define BITS(v, care, at) ((uint64_t)(v) << (at)), ((uint64_t)(care) << (at))

#define PART_(u, v1, c1, v2, c2, v3, c3, v4, c4)                                      \
	{                                                                             \
		(v1) | (v2) | (v3) | (v4), ANY41 & ~((c1) | (c2) | (c3) | (c4)), u, 0 \
	}
#define PART(...) PART_(__VA_ARGS__)
#define MEM(op, op_care, m, m_care, x6, x6_care, x, x_care) \
	PART(M, OP(op, op_care), BITS(m, m_care, 36), BITS(x6, x6_care, 30), BITS(x, x_care, 27))
#define FP(op, op_care, x, x_care) PART(F, OP(op, op_care), BITS(x, x_care, 33), 0, 0, 0, 0)
#define RECIP(q) PART(F, OP(0, 0xf), BITS(1, 1, 33), BITS(q, 1, 36), 0, 0)

static const struct montecito_preset presets[] = {
	{ "fpload",
	  "floating-point loads, pairs included",
	  4,
	  {
		  MEM(6, 0xe, 0, 0, 0x00, 0x30, 0, 0), /* ldf, ldfp: plain, .s, .a, .sa */
		  MEM(6, 0xe, 0, 0, 0x20, 0x38, 0, 0), /* .c.clr, .c.nc */
		  MEM(6, 0xf, 0, 0, 0x10, 0x30, 0, 1), /* ldf.fill; x = 1 is setf */
		  MEM(7, 0xf, 0, 0, 0x10, 0x30, 0, 0),
	  } },
	{ "fpstore",
	  "floating-point stores",
	  1,
	  {
		  MEM(6, 0xe, 0, 0, 0x30, 0x30, 0, 0),
	  } },
	{ "lfetch",
	  "line prefetches",
	  1,
	  {
		  MEM(6, 0xe, 0, 0, 0x2c, 0x3c, 0, 0),
	  } },
	{ "intmem",
	  "integer loads and stores, semaphores, getf",
	  1,
	  {
		  MEM(4, 0xe, 0, 0, 0, 0, 0, 0),
	  } },
	{ "intload",
	  "integer loads, checked, speculative and of 16 bytes included",
	  5,
	  {
		  MEM(4, 0xf, 0, 0, 0x00, 0x20, 0, 1),
		  MEM(4, 0xf, 0, 0, 0x20, 0x30, 0, 1), /* ld8.fill is 0x1b, .c.clr 0x20 */
		  MEM(5, 0xf, 0, 0, 0x00, 0x20, 0, 0), MEM(5, 0xf, 0, 0, 0x20, 0x30, 0, 0),
		  MEM(4, 0xf, 0, 1, 0x28, 0x3b, 1, 1), /* ld16 */
	  } },
	{ "intstore",
	  "integer stores",
	  1,
	  {
		  MEM(4, 0xe, 0, 0, 0x30, 0x30, 0, 0),
	  } },
	{ "shortstore",
	  "integer stores of 1 and 2 bytes",
	  2,
	  {
		  MEM(4, 0xf, 0, 0, 0x30, 0x3a, 0, 1), /* x = 1 is st16 */
		  MEM(5, 0xf, 0, 0, 0x30, 0x3a, 0, 0),
	  } },
	{ "semaphore",
	  "cmpxchg, xchg, fetchadd, cmp8xchg16 and getf",
	  2,
	  {
		  MEM(4, 0xf, 0, 1, 0x00, 0x20, 1, 1),
		  MEM(4, 0xf, 0, 1, 0x20, 0x38, 1, 1), /* cmp8xchg16; 0x28 is ld16 */
	  } },
	{ "recip",
	  "frcpa and frsqrta",
	  1,
	  {
		  FP(0, 0xf, 1, 1),
	  } },
	{ "frcpa",
	  "frcpa",
	  1,
	  {
		  RECIP(0),
	  } },
	{ "frsqrta",
	  "frsqrta",
	  1,
	  {
		  RECIP(1),
	  } },
	{ "fma",
	  "fma, fms, fnma, their parallel forms, xma and fselect",
	  1,
	  {
		  FP(8, 8, 0, 0),
	  } },
	{ "setfgetf",
	  "setf and getf",
	  1,
	  {
		  MEM(4, 0xd, 0, 1, 0x1c, 0x3c, 1, 1),
	  } },
};

const struct montecito_preset *montecito_preset_get(size_t index)
{
	return index < sizeof(presets) / sizeof(*presets) ? &presets[index] : NULL;
}

const struct montecito_preset *montecito_preset_find(const char *name)
{
	const struct montecito_preset *p;
	size_t i;

	for (i = 0; (p = montecito_preset_get(i)); i++)
		if (!strcasecmp(p->name, name))
			return p;
	return NULL;
}

void montecito_spec_observe(const struct montecito_event_spec *spec,
			    struct montecito_observer_add *add)
{
	add->filter = spec->filter;
	if (!spec->preset)
		return;
	add->nr_matches = spec->preset->nr;
	add->matches = (uintptr_t)spec->preset->part;
}
