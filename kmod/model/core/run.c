// SPDX-License-Identifier: GPL-2.0-only
/*
 * The functional run loop: fetch, decode once, execute, retire.
 *
 * Without the timing model a cycle is an issue group, and that is a bundle or
 * what a branch or an interruption leaves of one: the dispersal rules (manual
 * 2.3.1) have no part here (assumption, stated in Documentation/model.rst).
 */
#include "core.h"
#include "psr.h"
#include "rse.h"
#include "../isa/execute.h"
#include "../isa/alu.h"
#include "../isa/branch.h"
#include "../isa/mmedia.h"
#include "../isa/fpexec.h"
#include "../isa/memops.h"
#include "../mem/mem.h"
#include "../raise.h"
#include "../registers.h"
#include "../platform/platform.h"
#include "../pmu/pmu.h"
#include "../pmu/tags.h"

/* Any operation. */
static noinline enum mont_result execute(struct mont_thread *t, const struct mont_uop *u)
{
	switch (u->op) {
#define MONT_OP(op, class, flags) \
	case MONT_OP_##op:        \
		return mont_x_##op(t, u);
#include "../isa/ops.def"
#undef MONT_OP
	default:
		return MONT_FAULT_ILLEGAL_OP;
	}
}

/* The unpredicated nops of @b in front of @slot, of which none has to be looked at. */
static __always_inline void count_nops(struct mont_thread *t, const struct mont_bundle *b, u32 slot,
				       const bool tagged)
{
	u32 i, nops = t->tagged_nops;

	if (!tagged) {
		t->countdown[0][MONT_SIG_NOP_RETIRED].left -= mont_nops_before(b, slot);
		return;
	}
	for (i = 0; i < slot && nops; i++, nops >>= 1)
		t->tagged[i][MONT_SIG_NOP_RETIRED].left -= nops & 1;
}

#define HOT(op)            \
	case MONT_OP_##op: \
		return mont_x_##op(t, u);

/*
 * The operations that programs spend their time in, apart from the others: a
 * compiler without jump tables makes a tree of compares of a switch, and this
 * one is a few levels lower.
 */
static __always_inline enum mont_result execute_hot(struct mont_thread *t, const struct mont_uop *u,
						    const bool tagged)
{
	switch (u->op) {
		HOT(ADDS)
		HOT(ADD)
		HOT(ADDL)
		HOT(SUB)
		HOT(AND)
		HOT(AND_I)
		HOT(OR)
		HOT(XOR)
		HOT(SHLADD)
		HOT(EXTR)
		HOT(EXTR_U)
		HOT(SHRP)
		HOT(SHR_U)
		HOT(SHL)
		HOT(DEP_Z)
		HOT(DEP)
		HOT(ZXT1)
		HOT(ZXT4)
		HOT(SXT4)
		HOT(MOVL)
		HOT(LD1)
		HOT(LD2)
		HOT(LD4)
		HOT(LD8)
		HOT(LD1_I)
		HOT(LD4_I)
		HOT(LD8_I)
		HOT(ST1)
		HOT(ST4)
		HOT(ST8)
		HOT(ST1_I)
		HOT(ST4_I)
		HOT(ST8_I)
		HOT(CMP_EQ)
		HOT(CMP_LT)
		HOT(CMP_LTU)
		HOT(CMP_EQ_I)
		HOT(CMP_LT_I)
		HOT(CMP_LTU_I)
		HOT(CMP4_EQ)
		HOT(CMP4_LT)
		HOT(CMP4_EQ_I)
		HOT(CMP4_LT_I)
		HOT(TBIT_Z)
		HOT(BR_COND)
		HOT(BR_CLOOP)
		HOT(BR_CALL)
		HOT(LDFD)
		HOT(LDFD_I)
		HOT(STFD)
		HOT(STFD_I)
	case MONT_OP_NOP:
		return MONT_NEXT;
	case MONT_OP_BR_RET:
		/* A return may change the level: what is in front of it is of this one. */
		count_nops(t, t->cur, t->sig_slot, tagged);
		return mont_x_BR_RET(t, u);
	default:
		return execute(t, u);
	}
}

#undef HOT

/* The instruction in @slot of a bundle that has been tagged retires. */
static __always_inline void retire_slot(struct mont_thread *t, u32 slot)
{
	struct mont_countdown *sig = t->sig;

	if (likely(--t->tagged[slot][MONT_SIG_INST_RETIRED].left > 0))
		return;
	mont_tags_slot(t, slot);
	mont_signal_slow(t, MONT_SIG_INST_RETIRED, 1, 1 << slot);
	t->sig = sig;
}

void mont_retire_upto(struct mont_thread *t, u32 slot)
{
	u32 mask, n;

	if (slot <= t->retire_from)
		return;
	mask = (1u << slot) - (1u << t->retire_from);
	t->retire_from = slot;
	if (t->cur->nr == 2)
		mask &= ~2u;
	n = (mask & 1) + (mask >> 1 & 1) + (mask >> 2);
	t->s.insns += n;
	if (!n)
		return;
	if (unlikely(t->sig != t->countdown[0])) {
		for (slot = 0; mask; slot++, mask >>= 1)
			if (mask & 1)
				retire_slot(t, slot);
	} else {
		mont_signal_n(t, MONT_SIG_INST_RETIRED, n, mask);
	}
}

void mont_retire_now(struct mont_thread *t)
{
	mont_retire_upto(t, t->sig_slot + 1);
}

static bool is_branch(u32 op)
{
	return (op >= MONT_OP_BR_COND && op <= MONT_OP_BR_CALL_IND) || op == MONT_OP_BRL_COND ||
	       op == MONT_OP_BRL_CALL;
}

static u32 branch_type(u32 op)
{
	switch (op) {
	case MONT_OP_BR_RET:
		return MONT_BR_RETURN;
	case MONT_OP_BR_COND_IND:
	case MONT_OP_BR_IA:
	case MONT_OP_BR_CALL_IND:
		return MONT_BR_NRETIND;
	default:
		return MONT_BR_IPREL;
	}
}

/* A branch whose qualifying predicate is false. */
static __always_inline void squash_branch(struct mont_thread *t, const struct mont_uop *u)
{
	u32 type = branch_type(u->op);

	mont_signal_branch(t, type, type == MONT_BR_IPREL ? t->s.ip + u->imm : t->s.br[u->r2],
			   false);
}

/* An instruction whose qualifying predicate is false. */
static __always_inline void squash(struct mont_thread *t, const struct mont_uop *u)
{
	/* A while loop's branch is one whatever its predicate: it counts itself. */
	if ((u->flags & (MONT_UOP_B | MONT_UOP_ALWAYS)) == (MONT_UOP_B | MONT_UOP_ALWAYS))
		return;
	if (is_branch(u->op))
		squash_branch(t, u);
	else if (!(u->flags & MONT_UOP_B))
		mont_signal(t, MONT_SIG_PRED_SQUASHED, 0);
}

static noinline void decode(struct mont_thread *t, struct mont_bundle *b, u64 pa)
{
	struct mont_package *pkg = t->pkg;
	const u64 *raw = (const u64 *)(t->fetch_host + (pa & 0xff0));
	u8 *code = mont_code_page(pkg, pa);

	mont_work(t, MONT_WORK_DECODE);
	mont_decode(b, raw[0], raw[1]);
	mont_pack(b);
	b->tag = pa | 1;
	mont_tags_forget(pkg, pa);
	if (*code)
		return;
	/* From now on stores to this page must be seen. */
	*code = 1;
	mont_utlb_protect(pkg, t->fetch_host);
}

/* Does an instruction breakpoint match (SDM volume 2, 7.1)? */
static bool ibr_match(const struct mont_thread *t)
{
	unsigned int i;

	for (i = 0; i < MONT_NR_DEBUG; i += 2) {
		/* A bundle has one address: bits 3:0 take no part. */
		u64 c = t->s.ibr[i + 1], mask = mont_bits(c, 4, 52) << 4 | 0xffULL << 56;

		if (c >> 63 && (c >> 56 >> t->cpl & 1) && !((t->s.ibr[i] ^ t->s.ip) & mask))
			return true;
	}
	return false;
}

static bool overflow_exit(struct mont_thread *t)
{
	struct mont_exit *x = t->pkg->exit;

	x->reason = MONT_EXIT_PMU_OVERFLOW;
	x->vcpu = t->index;
	x->ip = t->s.ip;
	x->slot = t->s.slot;
	x->pmc0 = t->s.pmu.pmc[0];
	t->s.pmu_irq = 0;
	return true;
}

/* What happens now belongs to no instruction: none is begun, none left to retire. */
static void between_bundles(struct mont_thread *t)
{
	t->cur = NULL;
	t->sig_slot = t->s.slot;
	t->retire_from = t->s.slot;
}

/* Look into t->attn between two issue groups; true to return to the host. */
static noinline bool attend(struct mont_thread *t)
{
	u32 host = t->pkg->cfg.flags;

	if (t->attn & MONT_ATTN_GROUP)
		mont_group_end(t);
	between_bundles(t);
	if (t->attn & MONT_ATTN_EXIT) {
		t->attn &= ~MONT_ATTN_EXIT;
		return true;
	}
	if ((t->attn & MONT_ATTN_MMIO) && mont_mmio_first(t))
		return false;
	if ((t->attn & MONT_ATTN_SERVED) && !(t->s.pmu_irq && (host & MONT_CFG_HOST_PMU)))
		mont_served(t);
	if (t->s.pmu_irq && (host & MONT_CFG_HOST_PMU)) {
		t->attn &= ~MONT_ATTN_IRQ;
		return overflow_exit(t);
	}
	if (t->attn & MONT_ATTN_RSE) {
		enum mont_result r = mont_rse_complete(t);

		/* There is more of it: the budgets first. */
		if (r == MONT_AGAIN)
			return true;
		if (r != MONT_NEXT)
			return mont_interrupt(t, r);
		t->attn &= ~MONT_ATTN_RSE;
	}
	if (t->attn & MONT_ATTN_IRQ) {
		t->attn &= ~MONT_ATTN_IRQ;
		mont_irq_collect(t);
		if ((t->s.psr & MONT_PSR_I) && (t->s.psr & MONT_PSR_IC) && mont_irq_unmasked(t)) {
			/* The host's exit is the acknowledgment. */
			if (host & MONT_CFG_HOST_INTERRUPTIONS) {
				t->fault_imm = mont_irq_ivr(t);
				mont_irq_eoi(t);
			}
			return mont_interrupt(t, MONT_FAULT_EXTINT);
		}
	}
	/* Still the cycle in which the operation began. */
	if (mont_rse_settle(t))
		t->s.cycles--;
	return false;
}

/*
 * After an instruction that completed under @psr with @r: the trap to take, or
 * MONT_NEXT. ISR.code names every trap, the vector is that of the first in the
 * architecture's order (SDM volume 2, 5.5 and table 5-6). rfi traps on nothing
 * but its target.
 */
static enum mont_result trap_after(struct mont_thread *t, enum mont_result r, u64 psr)
{
	bool rfi = mont_packed_uop(t->cur, t->sig_slot)->op == MONT_OP_RFI;
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
static u32 restart_slot(const struct mont_thread *t)
{
	return t->cur->nr == 2 && t->sig_slot ? 1 : t->sig_slot;
}

/* Step past the instruction in t->sig_slot, which retires. */
static void complete(struct mont_thread *t)
{
	mont_retire_now(t);
	t->s.last_ip = t->s.ip;
	t->s.slot = t->sig_slot + 1;
	if (t->s.slot > 2) {
		t->s.slot = 0;
		t->s.ip += 16;
	}
}

/* Is the instruction in t->sig_slot, a break, a call of the host's firmware? */
static bool is_firmware(const struct mont_thread *t)
{
	return (t->pkg->cfg.flags & MONT_CFG_FIRMWARE) && !t->cpl &&
	       mont_packed_uop(t->cur, t->sig_slot)->imm - MONT_FIRMWARE_BASE < MONT_FIRMWARE_SPAN;
}

static void firmware_exit(struct mont_thread *t)
{
	struct mont_exit *x = t->pkg->exit;

	x->reason = MONT_EXIT_FIRMWARE;
	x->vcpu = t->index;
	x->ip = t->s.ip;
	x->slot = t->s.slot;
	x->iim = mont_packed_uop(t->cur, t->sig_slot)->imm;
}

/* Interruption @r of the instruction in t->sig_slot, begun under @psr; true to return. */
static noinline bool deliver(struct mont_thread *t, enum mont_result r, u64 psr)
{
	bool firmware = r == MONT_FAULT_BREAK && is_firmware(t);
	bool call = r == MONT_FAULT_BREAK &&
		    (firmware || (t->pkg->cfg.flags & MONT_CFG_HOST_INTERRUPTIONS));
	bool out = true;

	if (r == MONT_FAULT_FP_TRAP) {
		complete(t);
		r = trap_after(t, r, psr);
	} else if (r == MONT_FAULT_LOWER_PRIV) {
		/* The branch has been taken. */
		r = trap_after(t, r, psr);
	} else {
		mont_retire_upto(t, t->sig_slot);
		if (restart_slot(t) > t->s.slot)
			t->s.last_ip = t->s.ip;
		t->s.slot = restart_slot(t);
	}
	if (firmware)
		firmware_exit(t);
	else if (r != MONT_STOP && r != MONT_AGAIN)
		out = mont_interrupt(t, r);
	if (r == MONT_AGAIN) {
		mont_rse_go_on(t);
		out = false;
	}
	/* A break that the host serves, as interruption or firmware, has executed, like a call. */
	if (call)
		complete(t);
	t->retire_from = t->s.slot;
	t->sig_slot = t->s.slot;
	return out;
}

/*
 * May @b be executed whole? Its nops are counted at once, so nobody may have to
 * look at one of them.
 */
static __always_inline bool fast_bundle(struct mont_thread *t, const struct mont_bundle *b,
					const bool tagged)
{
	u32 i;

	if (!tagged)
		return b->fast && t->countdown[0][MONT_SIG_NOP_RETIRED].left > 3;
	if (!b->fast)
		return false;
	t->cur = b;
	mont_tags_begin(t);
	for (i = 0; i < 3; i++) {
		if ((t->tagged_nops >> i & 1) && t->tagged[i][MONT_SIG_NOP_RETIRED].left <= 3)
			return false;
	}
	return true;
}

/* All of the bundle retires, but for what has retired already. */
static __always_inline void retire_bundle(struct mont_thread *t, const struct mont_bundle *b,
					  const bool tagged)
{
	count_nops(t, b, 3, tagged);
	t->sig_slot = 2;
	if (unlikely(t->retire_from)) {
		mont_retire_upto(t, 3);
	} else if (tagged) {
		t->retire_from = 3;
		t->s.insns += b->nr;
		retire_slot(t, 0);
		if (b->nr == 3)
			retire_slot(t, 1);
		retire_slot(t, 2);
	} else {
		t->retire_from = 3;
		t->s.insns += b->nr;
		/* As mont_signal_n(), where t->sig is known. */
		t->countdown[0][MONT_SIG_INST_RETIRED].left -= b->nr;
		if (unlikely(t->countdown[0][MONT_SIG_INST_RETIRED].left <= 0))
			mont_signal_slow(t, MONT_SIG_INST_RETIRED, b->nr, b->nr == 2 ? 5 : 7);
	}
	t->s.last_ip = t->s.ip;
	t->s.ip += 16;
}

/*
 * Execute bundles from slot 0 of @b on, each of them an issue group, one behind
 * the other in this page, while nothing asks for attention and groups are left
 * in @left: the first of them has been taken off it.
 *
 * Return: MONT_NEXT or MONT_TAKEN with IP where to go on, or what the
 * instruction in t->sig_slot came to, not yet delivered.
 */
static __always_inline enum mont_result run_bundles(struct mont_thread *t, struct mont_bundle *b,
						    u64 *left, const bool tagged)
{
	const struct mont_uop *u;
	enum mont_result r;

	for (;;) {
		t->cur = b;
		t->retire_from = 0;
		for (u = b->uop;; u++) {
			t->sig_slot = u->flags >> MONT_UOP_SLOT_SHIFT;
			if (tagged)
				mont_tags_slot(t, t->sig_slot);
			if (unlikely(!(t->s.pr >> u->qp & 1))) {
				squash(t, u);
				if (!(u->flags & MONT_UOP_ALWAYS))
					goto next;
			}
			r = execute_hot(t, u, tagged);
			if (unlikely(r != MONT_NEXT))
				goto leaves;
next:
			if (u->flags & MONT_UOP_LAST)
				break;
		}
		retire_bundle(t, b, tagged);
		if (!(t->s.ip & 0xff0) || b[1].tag != b->tag + 16 || t->attn || !*left)
			return MONT_NEXT;
		b++;
		if (unlikely(!fast_bundle(t, b, tagged)))
			return MONT_NEXT;
		--*left;
		t->s.cycles++;
	}
leaves:
	if (u->op != MONT_OP_BR_RET)
		count_nops(t, b, t->sig_slot, tagged);
	return r;
}

static __always_inline enum mont_result run_fast(struct mont_thread *t, struct mont_bundle *b,
						 u64 *left)
{
	return run_bundles(t, b, left, false);
}

/* The same where some who listen qualify by the instruction: what it is tagged with. */
static noinline enum mont_result run_tagged(struct mont_thread *t, struct mont_bundle *b, u64 *left)
{
	enum mont_result r = run_bundles(t, b, left, true);

	mont_tags_end(t);
	return r;
}

/* Execute up to @n issue groups; true to return to the host. */
static bool run_groups(struct mont_thread *t, u64 n)
{
	struct mont_package *pkg = t->pkg;
	bool inside = false; /* the group goes on: fetch and look at PSR again */
	enum mont_result r;

	while (inside || n--) {
		const struct mont_uop *u;
		struct mont_bundle *b;
		bool begins = !inside;
		u32 slot, end = 3;
		u64 pa, psr = 0;
		bool slow;

		if (likely(begins)) {
			if (unlikely(t->attn)) {
				if (t->attn & (MONT_ATTN_TIMER | MONT_ATTN_WORK)) {
					t->attn &= ~(MONT_ATTN_TIMER | MONT_ATTN_WORK);
					return false;
				}
				if ((t->attn & ~MONT_ATTN_SLOW) && attend(t))
					return true;
			}
			t->s.cycles++;
		}
		slow = t->attn & MONT_ATTN_SLOW;
		inside = false;
		slot = t->s.slot;
		if (unlikely((t->s.ip & ~0xfffULL) != t->fetch_va)) {
			r = mont_fetch_page(t);
			if (r == MONT_RELOAD)
				r = mont_pal_enter(t);
			if (r == MONT_TAKEN) {
				if (t->s.halted)
					return false;
				continue;
			}
			if (r != MONT_NEXT) {
				between_bundles(t);
				if (mont_interrupt(t, r))
					return true;
				continue;
			}
		}
		pa = t->fetch_pa | (t->s.ip & 0xff0);
		b = &pkg->bundle[pa >> 4 & (MONT_NR_BUNDLES - 1)];
		if (unlikely(b->tag != (pa | 1)))
			decode(t, b, pa);
		if (likely(!slot && !slow &&
			   (unlikely(mont_tagging(t)) ? fast_bundle(t, b, true)
						      : fast_bundle(t, b, false)))) {
			r = unlikely(mont_tagging(t)) ? run_tagged(t, b, &n) : run_fast(t, b, &n);
			if (likely(r == MONT_NEXT || r == MONT_TAKEN))
				continue;
			if (deliver(t, r, 0))
				return true;
			continue;
		}
		t->cur = b;
		t->sig_slot = slot;
		t->retire_from = slot;
		if (unlikely(b->reads_pmu) && begins)
			mont_group_mark(t);
		if (unlikely(slot && b->nr == 2)) {
			/* The X instruction of MLX begins in slot 1 and is kept in slot 2. */
			if (slot == 2) {
				if (mont_interrupt(t, MONT_FAULT_ILLEGAL_OP))
					return true;
				continue;
			}
			slot = 2;
			t->sig_slot = slot;
			t->retire_from = slot;
		}
		if (unlikely(slow)) {
			psr = t->s.psr;
			end = slot + 1;
			if ((psr & MONT_PSR_DB) && !(psr & MONT_PSR_ID) && ibr_match(t)) {
				t->fault_ifa = t->s.ip;
				if (mont_interrupt(t, MONT_FAULT_IDEBUG))
					return true;
				continue;
			}
		}
		for (;;) {
			u = mont_packed_uop(b, slot);
			t->sig_slot = slot;
			if (likely(t->s.pr >> u->qp & 1)) {
				if (u->flags & MONT_UOP_NOP) {
					mont_signal(t, MONT_SIG_NOP_RETIRED, 0);
					goto next;
				}
			} else {
				squash(t, u);
				if (!(u->flags & MONT_UOP_ALWAYS))
					goto next;
			}
			r = execute(t, u);
			if (unlikely(r != MONT_NEXT))
				break;
next:
			slot += slot == 0 && b->nr == 2 ? 2 : 1;
			if (slot >= end) {
				r = MONT_NEXT;
				break;
			}
		}
		if (likely(r == MONT_NEXT || r == MONT_RELOAD)) {
			if (r == MONT_RELOAD)
				slot += slot == 0 && b->nr == 2 ? 2 : 1;
			mont_retire_upto(t, slot);
			t->s.last_ip = t->s.ip;
			if (likely(slot > 2)) {
				t->s.ip += 16;
				slot = 0;
			} else {
				inside = true;
				if (b->nr == 2)
					slot = 1;
			}
			t->s.slot = slot;
		} else if (r != MONT_TAKEN) {
			if (deliver(t, r, psr))
				return true;
			continue;
		}
		if (unlikely(slow)) {
			r = trap_after(t, r, psr);
			if (r != MONT_NEXT) {
				inside = false;
				if (mont_interrupt(t, r))
					return true;
			}
		}
	}
	return false;
}

bool mont_thread_run(struct mont_thread *t, u64 cycles, u64 insns)
{
	u64 cycles0 = t->s.cycles, insns0 = t->s.insns;
	struct mont_work *work = t->work;

	/* Differences: a state that was loaded may be close to the end of 64 bits. */
	while (t->s.cycles - cycles0 < cycles && t->s.insns - insns0 < insns && !t->s.halted &&
	       work->left > 0) {
		u64 room = work->left / (2 * MONT_WORK_BUNDLE) + 1;
		u64 n = cycles - (t->s.cycles - cycles0);
		u64 left = insns - (t->s.insns - insns0), i = left / 3 + !!(left % 3);
		u64 timer = mont_itm_distance(t), at = t->s.cycles;
		bool out;

		if (n > i)
			n = i;
		if (timer && n > timer)
			n = timer;
		/* Half of what is left for the bundles themselves, half for what they cause. */
		if (n > room)
			n = room;
		work->left -= (s64)n * MONT_WORK_BUNDLE;
		/* A halt ends the run within the bundle that asks for it. */
		out = run_groups(t, n);
		work->left += (s64)(n - (t->s.cycles - at)) * MONT_WORK_BUNDLE;
		if (t->attn & MONT_ATTN_GROUP)
			mont_group_end(t);
		t->sig_slot = t->s.slot;
		t->retire_from = t->s.slot;
		if (t->s.cycles != at) {
			work->left -= MONT_WORK_TURN;
			if (!mont_itm_distance(t))
				mont_itm_match(t);
		}
		if (out)
			return true;
	}
	return false;
}
