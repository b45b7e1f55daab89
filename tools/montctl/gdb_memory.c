// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory as the code that is debugged sees it, or physical. Looking changes nothing, no
 * TLB and no page of a program.
 */
#include <errno.h>
#include <string.h>

#include "gdb.h"

#define PAGE 4096

/*
 * Linux/ia64 maps all memory in region 7, cached, and in region 6, uncached, and fills its
 * TLB by computation: an address of these regions is translated so where no TLB has it now.
 */
#define IDENTITY_REGIONS 6
#define REGION_SHIFT 61

static int gdb_memory_translate(struct gdb *g, uint64_t va, uint64_t *pa)
{
	if (g->physical) {
		*pa = va;
		return 0;
	}
	if (!montecito_translate(g->m, g->vcpu, false, va, pa) ||
	    !montecito_translate(g->m, g->vcpu, true, va, pa))
		return 0;
	if (!g->identity || va >> REGION_SHIFT < IDENTITY_REGIONS)
		return -EFAULT;
	*pa = va & ((1ULL << REGION_SHIFT) - 1);
	return 0;
}

/* @len bytes that lie in one page. */
static int gdb_memory_piece(struct gdb *g, uint64_t va, uint8_t *buf, size_t len, bool write)
{
	uint64_t pa;
	uint8_t *p;
	int err;

	if (g->process && !g->physical)
		return write ? montecito_process_poke(g->process, va, buf, len)
			     : montecito_process_peek(g->process, va, buf, len);
	err = gdb_memory_translate(g, va, &pa);
	if (err)
		return err;
	p = montecito_at(g->m, pa, len);
	if (!p)
		return -EFAULT;
	if (!write) {
		memcpy(buf, p, len);
		return 0;
	}
	memcpy(p, buf, len);
	return montecito_invalidate(g->m, pa, len);
}

/* A word of the register stack that memory may not have, or a part of one. */
static int gdb_memory_stacked(struct gdb *g, const struct gdb_stack *s, uint64_t va, uint8_t *buf,
			      size_t len, bool write)
{
	uint64_t v;
	int err = gdb_stack_get(g, s, va & ~7ULL, &v);

	if (err)
		return err;
	if (!write) {
		memcpy(buf, (uint8_t *)&v + (va & 7), len);
		return 0;
	}
	memcpy((uint8_t *)&v + (va & 7), buf, len);
	return gdb_stack_set(g, s, va & ~7ULL, v);
}

static int gdb_memory_reach(struct gdb *g, uint64_t va, uint8_t *buf, size_t len, bool write)
{
	struct gdb_stack s = { 0 };
	int err = 0;

	if (!g->physical)
		err = gdb_stack(g, &s);
	while (!err && len) {
		bool in_file = va >= s.bspstore && va < s.end;
		size_t n = in_file ? 8 - va % 8 : PAGE - va % PAGE;

		if (!in_file && va < s.bspstore && s.bspstore < s.end && s.bspstore - va < n)
			n = s.bspstore - va;
		if (n > len)
			n = len;
		err = in_file ? gdb_memory_stacked(g, &s, va, buf, n, write)
			      : gdb_memory_piece(g, va, buf, n, write);
		va += n;
		buf += n;
		len -= n;
	}
	return err;
}

int gdb_memory_get(struct gdb *g, uint64_t addr, uint8_t *buf, size_t len)
{
	return gdb_memory_reach(g, addr, buf, len, false);
}

int gdb_memory_set(struct gdb *g, uint64_t addr, const uint8_t *buf, size_t len)
{
	return gdb_memory_reach(g, addr, (uint8_t *)buf, len, true);
}
