/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Register stack, register rotation and the register stack engine
 * (SDM volume 1, 4.1 and 4.5.1; volume 2, chapter 6). Called by branches and
 * system instructions (isa/), by the run loops for a frame that is not complete
 * (exec/attention.c, exec/step.c, pipeline/timed.c), and by the host's view
 * (package/hostview.c).
 */
#ifndef MONT_ARCH_RSE_H
#define MONT_ARCH_RSE_H

#include "thread.h"

/* Rebuild t->grmap after sof, sor, rrb_gr or bof changed. */
void mont_frame_changed(struct mont_thread *t);
/* Rebuild t->frmap after rrb_fr changed. */
void mont_fr_rotated(struct mont_thread *t);

/* CFM as one word (SDM volume 1, figure 3-2), and back. */
u64 mont_cfm(const struct mont_thread *t);
/* True if @cfm is a frame marker that the processor can hold. */
bool mont_cfm_valid(u64 cfm);
void mont_cfm_set(struct mont_thread *t, u64 cfm);

/* AR.BSP: where r32 of the current frame would be stored. */
u64 mont_bsp(const struct mont_thread *t);

/*
 * Index in s.gr of the @n-th stacked register from AR.BSPSTORE on, dirty or of the frame; 0
 * if there is none, or the frame is incomplete.
 */
u32 mont_rse_stacked(const struct mont_thread *t, u32 n);

/* br.call: the caller's locals become dirty, its outputs the new frame. */
void mont_rse_call(struct mont_thread *t);
/*
 * Registers that alloc, flushrs, loadrs and the completion of a frame store or load at
 * once; then MONT_AGAIN. Bounded work (work.h) asks for it. It costs no cycle (an
 * assumption; Documentation/model.rst).
 */
#define MONT_RSE_BATCH 8

/* alloc: resize the frame; may store, and then fault. */
enum mont_result mont_rse_alloc(struct mont_thread *t, u32 sof, u32 sol, u32 sor);
/* br.ret: back to the frame @pfm describes, which kept @pfm.sol locals. */
void mont_rse_return(struct mont_thread *t, u64 pfm);
/* rfi with IFS.v: back to the interrupted frame. */
void mont_rse_resume(struct mont_thread *t, u64 ifm);
void mont_rse_cover(struct mont_thread *t);
/* Set RSE.CFLE: what an incomplete frame misses is loaded from here on. */
void mont_rse_enable_load(struct mont_thread *t);
enum mont_result mont_rse_flush(struct mont_thread *t);
enum mont_result mont_rse_load(struct mont_thread *t);
/*
 * Give up the registers below the frame without storing them, as the host does that has read
 * them: AR.BSPSTORE becomes AR.BSP. None of the frame may lack its value.
 */
void mont_rse_give_up(struct mont_thread *t);
/*
 * True if alloc, flushrs or loadrs @u, where no reference of it faults, ends with MONT_AGAIN.
 * False for any other instruction, and where it does not begin.
 */
bool mont_rse_goes_on(const struct mont_thread *t, const struct mont_uop *u);
/* Load what an incomplete frame misses; called while t->s.ndirty < 0. */
enum mont_result mont_rse_complete(struct mont_thread *t);

/* The instruction that came to MONT_AGAIN is begun again, in the cycle it has had. */
static inline void mont_rse_go_on(struct mont_thread *t)
{
	t->s.rse_goes_on = 1;
	t->attn |= MONT_ATTN_AGAIN;
}

/* True if an instruction was to be gone on with: it is begun now, or another one instead. */
static inline bool mont_rse_settle(struct mont_thread *t)
{
	bool was = t->s.rse_goes_on;

	t->s.rse_goes_on = 0;
	t->attn &= ~MONT_ATTN_AGAIN;
	return was;
}

/* br.ctop and friends: one step of rotation. */
void mont_rotate(struct mont_thread *t);
void mont_clrrrb(struct mont_thread *t, bool pr_only);

/* The predicates in physical order, as mov r1=pr and pr.rot see them. */
u64 mont_pr_physical(const struct mont_thread *t);
void mont_pr_set_physical(struct mont_thread *t, u64 pr);

#endif
