/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * The timed pipeline's state of one thread (manual 2.4): results under way, stalls and their
 * causes, the register stack engine's pace and the group begun. The core's is in pipeline.h.
 * Included by arch/thread.h, cache/hierarchy.h, operands.h and predict.h.
 */
#ifndef MONT_PIPELINE_THREAD_TIME_H
#define MONT_PIPELINE_THREAD_TIME_H

#include "../base/types.h"
#include "../isa/roles.h"
#include "../pmu/pmu_state.h"

enum mont_cause {
#define MONT_CAUSE(name, bar, meaning) MONT_CAUSE_##name,
#include "causes.def"
#undef MONT_CAUSE
	MONT_NR_CAUSES,
};

/**
 * struct mont_stall - stall of the next group
 * @causes: bit n: cause n holds
 * @until: of the causes that hold, the first cycle in which it is over
 * @spent: cycles since reset in which nothing retired, by the cause charged
 */
struct mont_stall {
	u32 causes;
	u64 until[MONT_NR_CAUSES];
	u64 spent[MONT_NR_CAUSES];
};

/* Registers that results are kept for, by physical number. */
#define MONT_NR_PR_RESULTS 64
#define MONT_NR_BR_RESULTS 8

/* Application and control registers whose consumers wait. */
enum mont_ar_result {
	MONT_AR_RESULT_OTHER,
	MONT_AR_RESULT_CSD,
	MONT_AR_RESULT_CCV,
	MONT_AR_RESULT_UNAT,
	MONT_AR_RESULT_FPSR,
	MONT_AR_RESULT_PFS,
	MONT_AR_RESULT_LC,
	MONT_AR_RESULT_EC,
	MONT_AR_RESULT_RSE, /* RSC, BSP, BSPSTORE and RNAT */
	MONT_AR_RESULT_CR,
	MONT_NR_AR_RESULTS,
};

#define MONT_NR_RESULT_PLACES \
	(128 + 128 + MONT_NR_PR_RESULTS + MONT_NR_BR_RESULTS + MONT_NR_AR_RESULTS)

/**
 * struct mont_results - the results of one thread under way
 * @last: none of @at is later: no use but as a multimedia operand waits for longer
 * @at: by place, see struct mont_rename
 */
struct mont_results {
	u64 last;
	u64 at[MONT_NR_RESULT_PLACES];
};

/**
 * struct mont_rename - where the registers of an instruction are
 * @of: by enum mont_file, the physical register of each number
 */
struct mont_rename {
	const u8 *of[MONT_NR_FILES];
};

#define MONT_NR_RETURNS 8

/**
 * struct mont_return - what a call has left for its return
 * @ip: return address
 * @pfs: AR.PFS
 */
struct mont_return {
	u64 ip;
	u64 pfs;
};

/**
 * struct mont_returns - the return stack buffer of a thread (manual 2.4)
 * @stack: calls that have not returned, @top the newest
 * @top: 0..MONT_NR_RETURNS - 1 - @closed
 * @closed: so many places at the end of @stack are not used
 */
struct mont_returns {
	struct mont_return stack[MONT_NR_RETURNS];
	u64 top;
	u64 closed;
};

/**
 * struct mont_loop - what the fetch stage knows of the loop registers of a thread
 * @issued: cycle in which the last branch that counts AR.LC or AR.EC issued
 * @known: the first cycle in which the fetch stage knows these two
 */
struct mont_loop {
	u64 issued;
	u64 known;
};

/**
 * struct mont_rse_pace - references that the register stack engine makes by itself
 * @at: the cycle of the last one
 * @made: in that cycle: it has two ports
 * @again: an operation is begun again, to go on where it was: from the cycle of its
 *	group on, in which nothing retires unless that was the last of it
 */
struct mont_rse_pace {
	u64 at;
	u32 made;
	u32 again;
};

/**
 * struct mont_order - what the references of one thread wait for, and no other's (manual 2.3.3.2)
 * @unat: by bit of AR.UNAT, the cycle of the last spill
 * @acquired: cycle from which on no acquire is pending
 * @misc: cycle from which on no mf.a is pending
 * @acquire: the cycle of the last acquire
 * @busy: cycle from which on they hold up the L1D's pipe no longer
 */
struct mont_order {
	u64 unat[64];
	u64 acquired;
	u64 misc;
	u64 acquire;
	u64 busy;
};

/**
 * struct mont_thread_time_state - what the pipeline keeps of a thread, as it is saved
 * @stall: what the next group waits for that is known before it is formed
 * @results: of the instructions under way
 * @rse: what the register stack engine has done
 * @since: the first cycle in which the next group could issue, once it has been
 *	formed; MONT_NOT_FORMED
 * @next_ip: where dispersal has ended
 * @next_slot: the slot there
 * @split: why it ended there: enum mont_lost
 * @functional: cycles since reset in which no time was kept
 * @returns: calls
 * @loop: loop registers
 * @order: of its references, while the thread is in the background
 * @paused: the thread has executed hint@pause, and mont_threads_look() has not seen that
 * @called: likewise, an external interrupt has come for the thread
 * @held: cycle until which a reference that cannot be abandoned waits for its data
 * @late: what its requests let counters add later
 */
struct mont_thread_time_state {
	struct mont_stall stall;
	struct mont_results results;
	struct mont_rse_pace rse;
	u64 since;
	u64 next_ip;
	u32 next_slot;
	u32 split;
	u64 functional;
	struct mont_returns returns;
	struct mont_loop loop;
	struct mont_order order;
	u32 paused;
	u32 called;
	u64 held;
	struct mont_late late;
};

/**
 * struct mont_thread_time - the whole of it
 * @s: saved
 * @map: renaming, by the thread's maps and mont_time.predicates
 */
struct mont_thread_time {
	struct mont_thread_time_state s;
	struct mont_rename map;
};

#endif
