// SPDX-License-Identifier: GPL-2.0-only
/*
 * A bundle instruction by instruction: entered in the middle, under debug,
 * single step or taken branch traps, or with an instruction that changes what
 * is counted; and the traps and faults that instructions end with
 * (SDM volume 2, 5.5, 7.1 and 8.2).
 */
#include "step.h"
#include "attention.h"
#include "execute.h"
#include "interruption.h"
#include "squash.h"
#include "../arch/psr.h"
#include "../arch/rse.h"
#include "../memory/mem.h"
#include "../pmu/pmu.h"
#include "../pmu/tags.h"
#include "../arch/registers.h"

/* True if an instruction breakpoint matches at @ip (SDM volume 2, 7.1). */
static bool step_ibr_match(const struct mont_thread *t, u64 ip)
{
	unsigned int i;

	for (i = 0; i < MONT_NR_DEBUG; i += 2) {
		/* A bundle has one address: bits 3:0 take no part. */
		u64 c = t->s.ibr[i + 1], mask = mont_bits(c, 4, 52) << 4 | 0xffULL << 56;

		if (c >> 63 && (c >> 56 >> t->cpl & 1) && !((t->s.ibr[i] ^ ip) & mask))
			return true;
	}
	return false;
}

bool mont_bundle_watched(const struct mont_thread *t, u64 ip)
{
	if (t->s.psr & (MONT_PSR_TB | MONT_PSR_LP | MONT_PSR_SS | MONT_PSR_ONCE))
		return true;
	return (t->s.psr & MONT_PSR_DB) && step_ibr_match(t, ip);
}

enum mont_result mont_fault_before(struct mont_thread *t, u64 psr)
{
	if (!(psr & MONT_PSR_DB) || (psr & MONT_PSR_ID) || !step_ibr_match(t, t->s.ip))
		return MONT_NEXT;
	t->fault_ifa = t->s.ip;
	return MONT_FAULT_IDEBUG;
}

enum mont_result mont_trap_after(struct mont_thread *t, enum mont_result r, u64 psr)
{
	bool rfi = mont_op(mont_packed_uop(t->cur, t->sig_slot)) == MONT_OP_RFI;
	bool taken = r == MONT_TAKEN || r == MONT_FAULT_LOWER_PRIV;
	u64 code = r == MONT_FAULT_LOWER_PRIV ? MONT_TRAP_LP : 0;

	if (rfi)
		return MONT_NEXT;
	if (psr & MONT_PSR_ONCE & t->s.psr)
		mont_psr_set(t, t->s.psr & ~(psr & MONT_PSR_ONCE));
	if (taken && (psr & MONT_PSR_TB))
		code |= MONT_TRAP_TB;
	if (psr & MONT_PSR_SS)
		code |= MONT_TRAP_SS;
	if (taken && mont_fetch_unimplemented(t))
		code |= MONT_TRAP_UI;
	t->fault_isr |= code;
	if (r == MONT_FAULT_FP_TRAP)
		return r;
	if (code & MONT_TRAP_UI)
		return MONT_FAULT_UNIMPL_INSN_ADDR;
	if (code & MONT_TRAP_LP)
		return MONT_FAULT_LOWER_PRIV;
	if (code & MONT_TRAP_TB)
		return MONT_FAULT_TAKEN_BRANCH;
	return code ? MONT_FAULT_SINGLE_STEP : MONT_NEXT;
}

/* Where PSR.ri says that the instruction in t->sig_slot is. */
static u32 step_restart_slot(const struct mont_thread *t)
{
	return mont_is_mlx(t->cur) && t->sig_slot ? 1 : t->sig_slot;
}

/* Step past the instruction in t->sig_slot, which retires. */
static void step_complete(struct mont_thread *t)
{
	mont_retire_now(t);
	t->s.last_ip = t->s.ip;
	t->s.slot = t->sig_slot + 1;
	if (t->s.slot > 2) {
		t->s.slot = 0;
		t->s.ip += 16;
	}
}

/* True if the instruction in t->sig_slot, a break, is a call of the host's firmware. */
static bool step_is_firmware(const struct mont_thread *t)
{
	return (t->pkg->cfg.flags & MONT_CFG_FIRMWARE) && !t->cpl &&
	       mont_packed_uop(t->cur, t->sig_slot)->imm - MONT_FIRMWARE_BASE < MONT_FIRMWARE_SPAN;
}

bool mont_completes(const struct mont_thread *t, enum mont_result r)
{
	if (r != MONT_FAULT_BREAK)
		return r == MONT_FAULT_FP_TRAP;
	return step_is_firmware(t) || (t->pkg->cfg.flags & MONT_CFG_HOST_INTERRUPTIONS);
}

static void step_firmware_exit(struct mont_thread *t)
{
	struct mont_exit *x = t->pkg->exit;

	x->reason = MONT_EXIT_FIRMWARE;
	x->vcpu = t->index;
	x->ip = t->s.ip;
	x->slot = t->s.slot;
	x->iim = mont_packed_uop(t->cur, t->sig_slot)->imm;
}

bool mont_deliver(struct mont_thread *t, enum mont_result r, u64 psr)
{
	bool firmware = r == MONT_FAULT_BREAK && step_is_firmware(t);
	bool call = r == MONT_FAULT_BREAK && mont_completes(t, r);
	bool out = true;

	if (r == MONT_FAULT_FP_TRAP) {
		step_complete(t);
		r = mont_trap_after(t, r, psr);
	} else if (r == MONT_FAULT_LOWER_PRIV) {
		/* The branch has been taken. */
		r = mont_trap_after(t, r, psr);
	} else {
		mont_retire_upto(t, t->sig_slot);
		if (step_restart_slot(t) > t->s.slot)
			t->s.last_ip = t->s.ip;
		t->s.slot = step_restart_slot(t);
	}
	if (firmware)
		step_firmware_exit(t);
	else if (r != MONT_STOP && r != MONT_AGAIN)
		out = mont_interrupt(t, r);
	if (r == MONT_AGAIN) {
		mont_rse_go_on(t);
		out = false;
	}
	/* A break that the host serves, as interruption or firmware, has executed, like a call. */
	if (call)
		step_complete(t);
	t->retire_from = t->s.slot;
	t->sig_slot = t->s.slot;
	return out;
}

/* The slot behind @slot. The X instruction of MLX begins in slot 1 and is kept in slot 2. */
static u32 step_slot_after(const struct mont_bundle *b, u32 slot)
{
	return slot == 0 && mont_is_mlx(b) ? 2 : slot + 1;
}

/*
 * Instructions from @slot up to @end; where they have ended is in t->sig_slot.
 * MONT_NEXT: with the last one.
 */
static enum mont_result step_run_slots(struct mont_thread *t, const struct mont_bundle *b, u32 slot,
				       u32 end)
{
	for (; slot < end; slot = step_slot_after(b, slot)) {
		const struct mont_uop *u = mont_packed_uop(b, slot);
		enum mont_result r;

		t->sig_slot = slot;
		if (t->tagged)
			mont_tags_slot(t, slot);
		if (mont_pr(t, u->qp)) {
			if (u->flags & MONT_UOP_NOP) {
				/* Where the bundle is tagged it retires with the others. */
				if (!t->tagged)
					mont_signal(t, MONT_SIG_NOP_RETIRED, 0);
				continue;
			}
		} else {
			mont_squash(t, u);
			if (!(u->flags & MONT_UOP_ALWAYS))
				continue;
		}
		r = mont_execute(t, u);
		if (r != MONT_NEXT)
			return r;
	}
	return MONT_NEXT;
}

/* As step_run_slots(), and retire: with tags, if a subscriber qualifies by the instruction. */
static enum mont_result step_run_tagged_slots(struct mont_thread *t, const struct mont_bundle *b,
					      u32 slot, u32 end)
{
	enum mont_result r;

	if (mont_tagging(t) && mont_tags_ready(t, b)) {
		t->pmu.tags.room--;
		mont_tags_begin(t, b);
	}
	r = step_run_slots(t, b, slot, end);
	if (r == MONT_NEXT || r == MONT_RELOAD)
		mont_retire_upto(t, step_slot_after(b, t->sig_slot));
	else if (t->tagged && r != MONT_TAKEN)
		mont_retire_upto(t, t->sig_slot);
	mont_tags_end(t);
	return r;
}

enum mont_stepped mont_step(struct mont_thread *t, struct mont_bundle *b, bool begins)
{
	bool watched = t->attn & MONT_ATTN_SLOW;
	u64 psr = watched ? t->s.psr : 0;
	u32 slot = t->s.slot;
	enum mont_result r;
	bool inside = false;

	t->cur = b;
	t->sig_slot = slot;
	t->retire_from = slot;
	if (b->reads_pmu && begins)
		mont_group_mark(t);
	if (slot && mont_is_mlx(b)) {
		if (slot == 2)
			return mont_interrupt(t, MONT_FAULT_ILLEGAL_OP) ? MONT_STEPPED_OUT
									: MONT_STEPPED_GROUP;
		slot = 2;
		t->sig_slot = slot;
		t->retire_from = slot;
	}
	if (watched && mont_fault_before(t, psr) != MONT_NEXT)
		return mont_interrupt(t, MONT_FAULT_IDEBUG) ? MONT_STEPPED_OUT : MONT_STEPPED_GROUP;
	r = step_run_tagged_slots(t, b, slot, watched || t->steps ? slot + 1 : 3);
	if (r == MONT_NEXT || r == MONT_RELOAD) {
		slot = t->retire_from;
		t->s.last_ip = t->s.ip;
		if (slot > 2) {
			t->s.ip += 16;
			slot = 0;
		} else {
			inside = true;
			if (mont_is_mlx(b))
				slot = 1;
		}
		t->s.slot = slot;
	} else if (r != MONT_TAKEN) {
		return mont_deliver(t, r, psr) ? MONT_STEPPED_OUT : MONT_STEPPED_GROUP;
	}
	if (watched) {
		r = mont_trap_after(t, r, psr);
		if (r != MONT_NEXT)
			return mont_interrupt(t, r) ? MONT_STEPPED_OUT : MONT_STEPPED_GROUP;
	}
	return inside ? MONT_STEPPED_INSIDE : MONT_STEPPED_GROUP;
}
