// SPDX-License-Identifier: GPL-2.0-only
/*
 * Register stack, register rotation and the register stack engine
 * (SDM volume 1, 4.1 and 4.5.1; volume 2, chapter 6).
 *
 * The engine is enforced lazy: it stores only when alloc needs room and loads
 * only what a return needs (an assumption the architecture permits; AR.RSC's
 * mode is kept and read back). What was stored stays clean in its register
 * until the frame needs the room, and a return takes it from there. AR.BSPSTORE
 * separates dirty registers from clean ones, and AR.RNAT belongs to it: going
 * back over a NaT collection loads that even if all registers are clean.
 *
 * Nothing stores or loads more than MONT_RSE_BATCH registers at once: then the budgets
 * are looked at, and the operation goes on in the same cycle. The architecture allows
 * interruptions there (SDM volume 2, 6.6).
 */
#include "rse.h"
#include "../memory/backing_store.h"
#include "../memory/mem.h"

/* 8, 32 and 96 numbers from @n on. */
#define FROM8(n) n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7
#define FROM32(n) FROM8(n), FROM8((n) + 8), FROM8((n) + 16), FROM8((n) + 24)
#define FROM96(n) FROM32(n), FROM32((n) + 32), FROM32((n) + 64)

/* Physical stacked registers, twice over so that no frame wraps. */
static const u8 wrap[2 * MONT_NR_STACKED + 8] = { FROM96(32), FROM96(32) };

/* Floating-point registers as rrb.fr of @rrb shows them: one row a rotation. */
#define ROTATED(n) (32 + (n) % MONT_NR_STACKED)
#define ROTATED8(n)                                                                         \
	ROTATED(n), ROTATED((n) + 1), ROTATED((n) + 2), ROTATED((n) + 3), ROTATED((n) + 4), \
		ROTATED((n) + 5), ROTATED((n) + 6), ROTATED((n) + 7)
#define ROTATED32(n) ROTATED8(n), ROTATED8((n) + 8), ROTATED8((n) + 16), ROTATED8((n) + 24)
#define ROW(rrb)                                                                        \
	{                                                                               \
		FROM32(0), ROTATED32(rrb), ROTATED32((rrb) + 32), ROTATED32((rrb) + 64) \
	}
#define ROWS8(rrb)                                                                                \
	ROW(rrb), ROW((rrb) + 1), ROW((rrb) + 2), ROW((rrb) + 3), ROW((rrb) + 4), ROW((rrb) + 5), \
		ROW((rrb) + 6), ROW((rrb) + 7)
#define ROWS32(rrb) ROWS8(rrb), ROWS8((rrb) + 8), ROWS8((rrb) + 16), ROWS8((rrb) + 24)
static const u8 fr_rows[MONT_NR_STACKED][128] = { ROWS32(0), ROWS32(32), ROWS32(64) };

/* Slot 63 of each 64 holds a NaT collection. */
static bool rse_is_rnat_slot(u64 addr)
{
	return (addr >> 3 & 63) == 63;
}

/*
 * The map is made eight registers at a time, on every call and return and in
 * every turn of a pipelined loop. The last eight may go beyond the end.
 */
static __always_inline void rse_copy_words(u8 *map, const u8 *from, u32 n)
{
	u32 i;

	for (i = 0; i < n; i += 8)
		__builtin_memcpy(map + i, from + i, 8);
}

static __always_inline void rse_clear_words(u8 *map, u32 from, u32 end)
{
	u64 zero = 0;

	for (; from < end; from += 8)
		__builtin_memcpy(map + from, &zero, 8);
}

void mont_frame_changed(struct mont_thread *t)
{
	const u8 *frame = wrap + t->s.bof;
	u32 sof = t->s.sof, sor = t->s.sor, rrb = t->s.rrb_gr;
	u8 *map = t->grmap + 32;

	if (unlikely(rrb)) {
		rse_copy_words(map, frame + rrb, sor - rrb);
		rse_copy_words(map + sor - rrb, frame, rrb);
		rse_copy_words(map + sor, frame + sor, sof - sor);
	} else {
		rse_copy_words(map, frame, sof);
	}
	/* The last words may have gone beyond the frame. */
	rse_clear_words(map, sof, t->grmap_end > sof ? t->grmap_end : sof + 1);
	t->grmap_end = sof;
}

void mont_fr_rotated(struct mont_thread *t)
{
	t->frmap = fr_rows[t->s.rrb_fr];
}

u64 mont_cfm(const struct mont_thread *t)
{
	return t->s.sof | t->s.sol << 7 | (u64)t->s.sor / 8 << 14 | (u64)t->s.rrb_gr << 18 |
	       (u64)t->s.rrb_fr << 25 | (u64)t->s.rrb_pr << 32;
}

bool mont_cfm_valid(u64 cfm)
{
	u64 sof = mont_bits(cfm, 0, 7), sol = mont_bits(cfm, 7, 7);
	u64 sor = mont_bits(cfm, 14, 4) * 8, rrb_gr = mont_bits(cfm, 18, 7);

	return sof <= MONT_NR_STACKED && sol <= sof && sor <= sof &&
	       (rrb_gr ? rrb_gr < sor : true) && mont_bits(cfm, 25, 7) < 96 &&
	       mont_bits(cfm, 32, 6) < 48;
}

static u64 rse_rotl48(u64 v, u32 n)
{
	return n ? (v << n | v >> (48 - n)) & (MONT_BIT(48) - 1) : v;
}

/* Physical p(16+i) is seen as p(16 + i - rrb): rotate right by rrb to see. */
u64 mont_pr_physical(const struct mont_thread *t)
{
	return (t->s.pr & 0xffff) | rse_rotl48(t->s.pr >> 16, t->s.rrb_pr) << 16;
}

void mont_pr_set_physical(struct mont_thread *t, u64 pr)
{
	u32 rrb = t->s.rrb_pr;

	t->s.pr = (pr & 0xffff) | rse_rotl48(pr >> 16, rrb ? 48 - rrb : 0) << 16 | 1;
}

/* The oldest clean registers make room for the frame. */
static void rse_trim_clean(struct mont_thread *t)
{
	s32 room = MONT_NR_STACKED - (s32)t->s.sof - t->s.ndirty;

	if ((s32)t->s.nclean > room)
		t->s.nclean = room > 0 ? room : 0;
}

void mont_cfm_set(struct mont_thread *t, u64 cfm)
{
	u32 rrb_fr = mont_bits(cfm, 25, 7), rrb_pr = mont_bits(cfm, 32, 6);

	t->s.sof = mont_bits(cfm, 0, 7);
	t->s.sol = mont_bits(cfm, 7, 7);
	t->s.sor = mont_bits(cfm, 14, 4) * 8;
	t->s.rrb_gr = mont_bits(cfm, 18, 7);
	if (rrb_pr != t->s.rrb_pr) {
		u64 pr = mont_pr_physical(t);

		t->s.rrb_pr = rrb_pr;
		mont_pr_set_physical(t, pr);
	}
	if (rrb_fr != t->s.rrb_fr) {
		t->s.rrb_fr = rrb_fr;
		mont_fr_rotated(t);
	}
	rse_trim_clean(t);
	mont_frame_changed(t);
}

void mont_rotate(struct mont_thread *t)
{
	u64 pr = t->s.pr >> 16;

	if (t->s.sor) {
		t->s.rrb_gr = t->s.rrb_gr ? t->s.rrb_gr - 1 : t->s.sor - 1;
		mont_frame_changed(t);
	}
	t->s.rrb_fr = t->s.rrb_fr ? t->s.rrb_fr - 1 : 95;
	mont_fr_rotated(t);
	t->s.rrb_pr = t->s.rrb_pr ? t->s.rrb_pr - 1 : 47;
	t->s.pr = (t->s.pr & 0xffff) | rse_rotl48(pr, 1) << 16;
}

void mont_clrrrb(struct mont_thread *t, bool pr_only)
{
	u64 pr = mont_pr_physical(t);

	t->s.rrb_pr = 0;
	t->s.pr = pr;
	if (pr_only)
		return;
	t->s.rrb_gr = 0;
	t->s.rrb_fr = 0;
	mont_frame_changed(t);
	mont_fr_rotated(t);
}

/* @addr moved by @n registers, stepping over NaT collections. */
static u64 rse_skip_regs(u64 addr, s64 n)
{
	s64 delta = (s64)(addr >> 3 & 63) + n;

	if (n < 0)
		delta -= 62;
	return addr + (u64)(n + delta / 63) * 8;
}

u64 mont_bsp(const struct mont_thread *t)
{
	return rse_skip_regs(t->s.ar.bspstore, t->s.ndirty);
}

/* Move the frame's base by @n registers: up for a call, down for a return. */
static void rse_move_base(struct mont_thread *t, s32 n)
{
	s32 bof = (s32)t->s.bof + n;

	if (bof >= MONT_NR_STACKED)
		bof -= MONT_NR_STACKED;
	else if (bof < 0)
		bof += MONT_NR_STACKED;
	t->s.bof = bof;
	t->s.rse_abs += (s64)n;
	t->s.ndirty += n;
}

static void rse_clear_rotation(struct mont_thread *t)
{
	t->s.sor = 0;
	if (t->s.rrb_pr) {
		t->s.pr = mont_pr_physical(t);
		t->s.rrb_pr = 0;
	}
	t->s.rrb_gr = 0;
	if (t->s.rrb_fr) {
		t->s.rrb_fr = 0;
		mont_fr_rotated(t);
	}
}

void mont_rse_call(struct mont_thread *t)
{
	rse_move_base(t, t->s.sol);
	t->s.sof -= t->s.sol;
	t->s.sol = 0;
	rse_clear_rotation(t);
	mont_frame_changed(t);
}

void mont_rse_cover(struct mont_thread *t)
{
	rse_move_base(t, t->s.sof);
	t->s.sof = 0;
	t->s.sol = 0;
	t->s.frame_held = 0;
	rse_clear_rotation(t);
	mont_frame_changed(t);
}

/* Physical index of the register @n below r32 (negative: above). */
static u8 rse_below(const struct mont_thread *t, s32 n)
{
	return wrap[(s32)t->s.bof - n + (n > (s32)t->s.bof ? MONT_NR_STACKED : 0)];
}

u32 mont_rse_stacked(const struct mont_thread *t, u32 n)
{
	s32 dirty = t->s.ndirty;

	return dirty >= 0 && n < dirty + t->s.sof ? rse_below(t, dirty - (s32)n) : 0;
}

/* Store the oldest dirty register, and the NaT collection it completes. */
static enum mont_result rse_store_one(struct mont_thread *t)
{
	u64 addr = t->s.ar.bspstore;
	u8 p = rse_below(t, t->s.ndirty);
	u64 bit = MONT_BIT(addr >> 3 & 63);
	enum mont_result r;
	u64 rnat;

	mont_work(t, 1);
	if (rse_is_rnat_slot(addr)) {
		r = mont_rse_store8(t, addr, t->s.ar.rnat);
		if (r == MONT_NEXT)
			t->s.ar.bspstore += 8;
		return r;
	}
	rnat = (t->s.ar.rnat & ~bit) | (t->s.nat[p] ? bit : 0);
	if (rse_is_rnat_slot(addr + 8)) {
		/* Both words or neither: a fault here restarts cleanly. */
		r = mont_rse_store8(t, addr + 8, rnat);
		if (r != MONT_NEXT)
			return r;
	}
	r = mont_rse_store8(t, addr, t->s.gr[p]);
	if (r != MONT_NEXT)
		return r;
	t->s.ar.rnat = rnat;
	t->s.ar.bspstore = addr + (rse_is_rnat_slot(addr + 8) ? 16 : 8);
	t->s.ndirty--;
	t->s.nclean++;
	return MONT_NEXT;
}

/* Store until @ndirty are left, or as much of that as the engine does at once. */
static enum mont_result rse_store_until(struct mont_thread *t, s32 ndirty)
{
	u32 n;

	for (n = 0; t->s.ndirty > ndirty; n++) {
		enum mont_result r = n < MONT_RSE_BATCH ? rse_store_one(t) : MONT_AGAIN;

		if (r != MONT_NEXT)
			return r;
	}
	return MONT_NEXT;
}

/* Load the register below BSPSTORE into the stacked register @p; a clean one is there. */
static enum mont_result rse_load_one(struct mont_thread *t, u8 p)
{
	u64 addr = t->s.ar.bspstore - 8, rnat = t->s.ar.rnat, v;
	enum mont_result r;

	mont_work(t, 1);
	if (rse_is_rnat_slot(addr)) {
		r = mont_rse_load8(t, addr, &rnat);
		if (r != MONT_NEXT)
			return r;
		addr -= 8;
	}
	if (t->s.nclean) {
		t->s.nclean--;
	} else {
		r = mont_rse_load8(t, addr, &v);
		if (r != MONT_NEXT)
			return r;
		t->s.gr[p] = v;
		t->s.nat[p] = rnat >> (addr >> 3 & 63) & 1;
	}
	t->s.ar.rnat = rnat;
	t->s.ar.bspstore = addr;
	t->s.ndirty++;
	return MONT_NEXT;
}

enum mont_result mont_rse_alloc(struct mont_thread *t, u32 sof, u32 sol, u32 sor)
{
	enum mont_result r = rse_store_until(t, MONT_NR_STACKED - (s32)sof);

	if (r != MONT_NEXT)
		return r;
	t->s.sof = sof;
	t->s.sol = sol;
	t->s.sor = sor;
	rse_trim_clean(t);
	mont_frame_changed(t);
	return MONT_NEXT;
}

void mont_rse_enable_load(struct mont_thread *t)
{
	t->s.frame_held = 0;
	if (t->s.ndirty < 0)
		t->attn |= MONT_ATTN_RSE;
}

/*
 * After the base moved down, registers that are in memory are missing: the
 * run loop completes the frame before the next instruction.
 */
static void rse_restore_frame(struct mont_thread *t, u64 fm)
{
	mont_cfm_set(t, fm);
	/* Never more than the frame; only ill-formed markers get there. */
	if (t->s.ndirty < -(s32)t->s.sof) {
		t->s.ndirty = -(s32)t->s.sof;
		t->s.nclean = 0;
	}
	mont_rse_enable_load(t);
}

void mont_rse_return(struct mont_thread *t, u64 pfm)
{
	/* A frame that cannot be is replaced by an empty one (SDM 6.5.5). */
	if (!mont_cfm_valid(pfm))
		pfm = 0;
	rse_move_base(t, -(s32)mont_bits(pfm, 7, 7));
	if (t->s.ndirty + (s32)mont_bits(pfm, 0, 7) > MONT_NR_STACKED)
		pfm = 0;
	rse_restore_frame(t, pfm);
}

void mont_rse_resume(struct mont_thread *t, u64 ifm)
{
	if (!mont_cfm_valid(ifm))
		ifm = 0;
	rse_move_base(t, -(s32)mont_bits(ifm, 0, 7));
	rse_restore_frame(t, ifm);
}

enum mont_result mont_rse_complete(struct mont_thread *t)
{
	u32 n;

	for (n = 0; t->s.ndirty < 0; n++) {
		enum mont_result r = n < MONT_RSE_BATCH
					     ? rse_load_one(t, rse_below(t, t->s.ndirty + 1))
					     : MONT_AGAIN;

		if (r != MONT_NEXT)
			return r;
	}
	return MONT_NEXT;
}

enum mont_result mont_rse_flush(struct mont_thread *t)
{
	return rse_store_until(t, 0);
}

/* loadrs: the lowest address that is loaded. */
static u64 rse_load_target(const struct mont_thread *t)
{
	return mont_bsp(t) - (mont_bits(t->s.ar.rsc, 16, 14) & ~7ULL);
}

/* True if loadrs loads more registers than the engine does at once. As mont_rse_load(). */
static bool rse_loads_more(const struct mont_thread *t)
{
	u64 at = t->s.ar.bspstore, target = rse_load_target(t);
	s32 room = MONT_NR_STACKED - (s32)t->s.sof - t->s.ndirty;
	u32 n;

	for (n = 0; at > target && (s32)n < room; n++) {
		if (at - 8 == target && rse_is_rnat_slot(target))
			return false;
		if (n == MONT_RSE_BATCH)
			return true;
		at -= rse_is_rnat_slot(at - 8) ? 16 : 8;
	}
	return false;
}

bool mont_rse_goes_on(const struct mont_thread *t, const struct mont_uop *u)
{
	if (t->s.ndirty < 0)
		return false;
	switch (mont_op(u)) {
	case MONT_OP_ALLOC:
		return t->s.ndirty - MONT_RSE_BATCH > MONT_NR_STACKED - (s32)(u->imm & 0xff);
	case MONT_OP_FLUSHRS:
		return t->s.ndirty > MONT_RSE_BATCH;
	case MONT_OP_LOADRS:
		return rse_loads_more(t);
	default:
		return false;
	}
}

void mont_rse_give_up(struct mont_thread *t)
{
	t->s.ar.bspstore = rse_skip_regs(t->s.ar.bspstore, t->s.ndirty);
	t->s.ndirty = 0;
	t->s.nclean = 0;
}

enum mont_result mont_rse_load(struct mont_thread *t)
{
	u64 target = rse_load_target(t);
	u32 n = 0;

	/* More than asked for: the older ones are forgotten. */
	while (t->s.ar.bspstore < target && t->s.ndirty > 0) {
		t->s.nclean = 0;
		t->s.ar.bspstore = rse_skip_regs(t->s.ar.bspstore, 1);
		t->s.ndirty--;
	}
	while (t->s.ar.bspstore > target && t->s.ndirty + (s32)t->s.sof < MONT_NR_STACKED) {
		enum mont_result r;

		/* The region may begin right behind a NaT collection. */
		if (t->s.ar.bspstore - 8 == target && rse_is_rnat_slot(target))
			break;
		r = n++ < MONT_RSE_BATCH ? rse_load_one(t, rse_below(t, t->s.ndirty + 1))
					 : MONT_AGAIN;
		if (r != MONT_NEXT)
			return r;
	}
	/* Every other register below the frame is invalid now (SDM volume 3, loadrs). */
	t->s.nclean = 0;
	return MONT_NEXT;
}
