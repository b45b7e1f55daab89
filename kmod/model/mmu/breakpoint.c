// SPDX-License-Identifier: GPL-2.0-only
/*
 * Breakpoints of the host. The processor's own are DBRs and IBRs (SDM volume 2, 7.1), which
 * belong to the guest.
 */
#include "breakpoint.h"
#include "translation.h"
#include "utlb.h"

bool mont_breakpoint_ok(const struct mont_breakpoint *b)
{
	if (b->kind == MONT_BREAK_EXEC)
		return !b->length && (b->addr & 15) < 3;
	return b->kind && !(b->kind & ~(MONT_BREAK_READ | MONT_BREAK_WRITE)) && b->length &&
	       b->addr + (b->length - 1) >= b->addr;
}

/* Decoded bundles where an address with a bit in @map may be are to be decoded anew. */
static void breakpoint_forget_decoded(struct mont_package *pkg, const u64 map[4])
{
	u32 w, i;

	for (w = 0; w < 4; w++) {
		u64 bits = map[w];

		for (; bits; bits &= bits - 1)
			for (i = w * 64 + __builtin_ctzll(bits); i < MONT_NR_BUNDLES;
			     i += MONT_PAGE_BUNDLES)
				mont_bundle_forget(pkg, &pkg->bundle[i]);
	}
}

void mont_breakpoints_set(struct mont_package *pkg, const struct mont_breakpoint *at, u32 nr)
{
	struct mont_breakpoints *b = &pkg->breakpoints;
	bool watched = b->nr_data;
	u32 i;

	if (b->nr == nr && (!nr || !__builtin_memcmp(b->at, at, nr * sizeof(*at))))
		return;
	breakpoint_forget_decoded(pkg, b->map);
	*b = (struct mont_breakpoints){ .nr = nr };
	for (i = 0; i < nr; i++) {
		b->at[i] = at[i];
		if (at[i].kind == MONT_BREAK_EXEC)
			b->map[at[i].addr >> 10 & 3] |= MONT_BIT(at[i].addr >> 4 & 63);
		else
			b->nr_data++;
	}
	breakpoint_forget_decoded(pkg, b->map);
	for (i = 0; i < pkg->nr_vcpus; i++) {
		pkg->thread[i].breakpoints = b->nr_data < nr ? b : NULL;
		/* No copy may be left of a page that is watched. */
		if (watched || b->nr_data)
			mont_utlb_drop(&pkg->thread[i], false, 0, MONT_VA_BITS);
	}
}

/* True if @b is at an instruction in slots @from up to @end of the bundle at @ip. */
static bool breakpoint_stops_in(const struct mont_breakpoint *b, u64 ip, u32 from, u32 end)
{
	u32 slot = b->addr & 15;

	return b->kind == MONT_BREAK_EXEC && b->addr - slot == ip && slot >= from && slot < end;
}

bool mont_break_at_slow(struct mont_thread *t, u64 ip, u32 from, u32 end)
{
	const struct mont_breakpoints *b = t->breakpoints;
	struct mont_exit *x = t->pkg->exit;
	u32 i, slot = 3;

	for (i = 0; i < b->nr; i++)
		if (breakpoint_stops_in(&b->at[i], ip, from, end) && (b->at[i].addr & 15) < slot)
			slot = b->at[i].addr & 15;
	if (slot == 3)
		return false;
	x->reason = MONT_EXIT_BREAKPOINT;
	x->vcpu = t->index;
	x->ip = ip;
	x->slot = slot;
	return true;
}

bool mont_page_watched_slow(const struct mont_breakpoints *b, u64 va)
{
	u64 first = va & ~(u64)(MONT_PAGE_SIZE - 1), last = first + MONT_PAGE_SIZE - 1;
	u32 i;

	for (i = 0; i < b->nr; i++)
		if (b->at[i].kind != MONT_BREAK_EXEC && b->at[i].addr <= last &&
		    b->at[i].addr + (b->at[i].length - 1) >= first)
			return true;
	return false;
}

void mont_watch_slow(struct mont_thread *t, const struct mont_ref *ref, u32 access)
{
	u32 kind = (access & MONT_ACC_READ ? MONT_BREAK_READ : 0) |
		   (access & MONT_ACC_WRITE ? MONT_BREAK_WRITE : 0);
	const struct mont_breakpoints *b = &t->pkg->breakpoints;
	struct mont_exit *x = t->pkg->exit;
	u32 i;

	/* PAL's references on behalf of the host belong to no instruction. */
	if (!x || x->watch.kind)
		return;
	for (i = 0; i < b->nr; i++) {
		const struct mont_breakpoint *at = &b->at[i];

		if (!(at->kind & kind) || ref->va > at->addr + (at->length - 1) ||
		    ref->va + (ref->size - 1) < at->addr)
			continue;
		x->watch = (struct mont_watch){
			.addr = ref->va,
			.length = ref->size,
			.kind = kind & at->kind,
			.vcpu = t->index,
		};
		if (!x->reason)
			x->reason = MONT_EXIT_WATCHPOINT;
		t->attn |= MONT_ATTN_EXIT;
		return;
	}
}
