/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memoization of the pipeline's state (fast-forwarding: Schnarr and Larus, ASPLOS 1998). In what
 * cycles groups issue, and in which state they leave the pipeline, follow from the state in front
 * of the first of them and from what their instructions meet. A state is kept with its cycles
 * counted from the first in which its group could issue. A path is what groups have done from a
 * state on, up to a branch, with what each instruction has met; paths from one state are alike up
 * to the first instruction that has met something else. Segments run along them (segment_path.h).
 * All of it is kept beside the groups and forgotten as a whole where there is no room for more; it
 * is no part of any state that is saved. Included by group.h; called by group.c, path.c,
 * segment_leave.h, segment_note.h and segment_path.h.
 */
#ifndef MONT_PIPELINE_MEMO_H
#define MONT_PIPELINE_MEMO_H

#include "../arch/thread.h"
#include "../base/check.h"
#include "buffer.h"

struct mont_straight;
struct mont_uop;

/*
 * The state in front of a group is not asked for so often, and twice as often each time that asking
 * was of no use.
 */
#define MONT_MEMO_RESTS (MONT_CHECK_PATHS ? 0 : 64)
#define MONT_MEMO_MOST_RESTS 1024
#define MONT_MEMO_BYTES (2 << 20)
_Static_assert(MONT_MEMO_BYTES < 1 << 24, "mont_path_op.other has room for the place of a path");
#define MONT_NR_MEMO_HEADS 8192
#define MONT_MEMO_MOST_BEHIND 32 /* states with one head */
#define MONT_MEMO_PENDING 24 /* results under way in a state, at most */
#define MONT_MEMO_CYCLES 44 /* of the instruction buffer, and of a stall */

/* Of a path, at most */
#define MONT_PATH_GROUPS 16
#define MONT_PATH_OPS 96
#define MONT_PATH_WAITS 6 /* causes of its bubbles */
#define MONT_PATH_ENDS 64
#define MONT_GROUP_OPS (2 + 4 + MONT_GROUP_GUARDS + 6) /* fetches, guesses, guards, instructions */
#define MONT_PATH_CYCLES 0x3fff /* no cycle of it is as far from its first */
#define MONT_GROUP_WAITS 3
#define MONT_GROUP_GUARDS 4
/* Paths from a state, at most */
#define MONT_STATE_PATHS 24
/* Paths from a state that were not kept, before none is tried any more */
#define MONT_STATE_TRIES 8

/*
 * Values of mont_path_op.met: of a reference, the cycles that its result is late, and 1; of a
 * branch, MONT_MET_*, or 0 if it does not lead fetch elsewhere.
 */
#define MONT_MET_DONE 0 /* it has executed; of a guess: not taken; of a guard: false */
#define MONT_MET_TRUE 1 /* of a guess: taken; of a guard: true */
#define MONT_LATE_BITS 10 /* of a reference */
#define MONT_MET_TAKEN 0x4000 /* of a branch */
#define MONT_MET_RESTEERED 0x2000 /* of a branch: fetch goes elsewhere, after these cycles: */
#define MONT_MET_ILOCK 0x1000 /* these are of the interlock of an indirect branch */
#define MONT_MET_BUBBLES 0xfff
#define MONT_MET_OFF 0xffff /* its predicate was false */
#define MONT_MET_OTHERS 0x8000 /* of a path's end: an instruction was left to others */

/*
 * Of an end in an op of the path, whose number is in bits 6:0: the branch is mispredicted; else the
 * reference, the last instruction of its group, stalls the next one for a cause, in bits 11:7, up
 * to a cycle, counted from its own in bits 27:12.
 */
#define MONT_MET_WITHIN 0x80000000U
#define MONT_MET_MISSED 0x40000000U
#define MONT_MET_CAUSE_SHIFT 7
#define MONT_MET_UNTIL_SHIFT 12
#define MONT_MET_UNTIL 0xffff

/**
 * struct mont_path_branch - an IP-relative br.cond or br.cloop that stays in its page
 * @entry: of the L2 branch cache
 * @tag: there
 * @qp: its predicate
 * @loops: it is a br.cloop
 * @fixed: its hint predicts its direction
 * @hinted: the direction that is hinted
 */
struct mont_path_branch {
	u16 entry;
	u16 tag;
	u8 qp;
	bool loops;
	bool fixed;
	bool hinted;
};

/**
 * struct mont_path_op - an instruction of a path, a guess, or its end
 * @u: decoded; of a guess: the branch
 * @pa: of a fetch: physical address of the bundle
 * @branch: of a guess or a branch, if it is @simple
 * @word: of its result, in the first cycle of the path; of a fetch its cycle, from that cycle on;
 *	of a guess and a branch: where in its page the bundle is, and of a branch the target in bits
 *	31:16
 * @other: place of a path that is alike up to here, and has met something else; 0: there is none
 * @kind: enum mont_path_kind
 * @cycle: in which it issues; of what is no instruction: in which its group could have
 * @met: MONT_MET_*
 * @nr: as of struct mont_straight_op, or what is no instruction
 * @pr: as of struct mont_straight_op
 * @first: in place of @pr: of a guess its place in segment.guess, of a guard the predicate
 * @simple: likewise: a guess or a branch has @branch
 * @at: group, and in bits 2:0 the place in mont_straight.op
 */
struct mont_path_op {
	union {
		const struct mont_uop *u;
		u64 pa;
		struct mont_path_branch branch;
	};
	u32 word;
	u32 other : 24;
	u32 kind : 8;
	u16 cycle;
	u16 met;
	u8 nr;
	union {
		u8 pr[2];
		struct {
			u8 first;
			bool simple;
		};
	};
	u8 at;
};

/**
 * struct mont_path_wait - bubbles
 * @cause: enum mont_cause
 * @until: mont_stall.until, from the first cycle of the path on
 * @n: cycles charged to it
 */
struct mont_path_wait {
	u16 cause;
	u16 until;
	u16 n;
};

/**
 * struct mont_path_group - a group of a path
 * @s: what is kept of it, as it was cut
 * @serial: of @s
 * @cut: mont_buffer.cut behind its fetches
 * @fetched: cycles in which the L1I is asked for these two, from the first cycle of the path on
 * @next_fetch: likewise, mont_buffer.next_fetch behind them
 * @since: the cycle in which it could have issued
 * @now: in which it issues
 * @fetches: bit 0, 1: the pair of its first, second bundle is fetched
 * @predicted: it has branches that fetch was told of
 * @nr_waits: entries of @wait
 * @first: of its instructions and guesses in mont_path.op
 * @met: of its branch
 * @nr_guards: entries of @guard
 * @guards: values of these predicates, bit n for entry n
 * @guard: predicates that waits of its instructions depend on
 * @wait: by cause, from @since on
 */
struct mont_path_group {
	struct mont_straight *s;
	u64 serial;
	u64 cut;
	s32 fetched[2];
	s32 next_fetch;
	u16 since;
	u16 now;
	u8 fetches;
	u8 predicted;
	u8 nr_waits;
	u8 first;
	u16 met;
	u8 nr_guards;
	u8 guards;
	u8 guard[MONT_GROUP_GUARDS];
	struct mont_path_wait wait[MONT_GROUP_WAITS];
};

/**
 * struct mont_path_end - where a path has led
 * @met: of its last branch; 0 if it does not end with one
 * @next: place of the state behind it
 * @behind: place of another end of the path; 0: none
 */
struct mont_path_end {
	u32 met;
	u32 next;
	u32 behind;
};

/**
 * struct mont_path - groups that begin in a state, and what they have done
 * @looked: mont_bundle_changes() and mont_groups.serial together, when they were last found
 *	to be what they were
 * @counts: MONT_COUNTS() of them
 * @last: the largest word of their results, in the first cycle of the path
 * @cycles: up to the one behind its last group
 * @bubbles: among these
 * @nr_groups: entries of @group
 * @nr_ops: entries of @op
 * @nr_waits: entries of @wait
 * @nr_ends: how many ends there are
 * @fetches: pairs of bundles that are fetched
 * @leaves: bundles that leave the instruction buffer
 * @moves: it moves or renames registers, or ends with a branch that is not IP-relative: which state
 *	is behind it does not follow from @end.met alone
 * @alone: nor from the frame and its rotation: no state behind it is kept
 * @returns: it ends with a br.ret
 * @wait: bubbles, by cause
 * @end: place of the first end; 0: it has led nowhere yet
 * @group: behind @op
 * @op: in the order of the program
 */
struct mont_path {
	u64 looked;
	u64 counts;
	u32 last;
	u16 cycles;
	u16 bubbles;
	u8 nr_groups;
	u8 nr_ops;
	u8 nr_waits;
	u8 nr_ends;
	u8 fetches;
	u8 leaves;
	bool moves;
	bool alone;
	bool returns;
	struct mont_path_wait wait[MONT_PATH_WAITS];
	u32 end;
	struct mont_path_group *group;
	struct mont_path_op op[];
};

/* mont_memo_key.word */
#define MONT_KEY_ID 0
#define MONT_KEY_SERIAL 1
#define MONT_KEY_IP 2
#define MONT_KEY_MAP 3
#define MONT_KEY_PAIR 4
#define MONT_KEY_CUT 6
#define MONT_KEY_CAUSES 7
#define MONT_NR_KEY_WORDS 8
/* The first of mont_memo_key.at, of an even number */
#define MONT_KEY_UNTIL 0

/**
 * struct mont_memo_key - what makes a state
 * @word: of the group id, mont_straight.serial and address, mont_memo_map(); of struct mont_buffer
 *	pair and cut; mont_stall.causes, one at most
 * @at: mont_stall.until of that, and cycles of struct mont_buffer, from the first cycle on
 * @nr: entries of @pending
 * @pad: 0
 * @pending: results under way, in the order of their places: place as of a frame that begins with
 *	the first of the stacked registers and is not rotated, and word from the first cycle on
 */
struct mont_memo_key {
	u64 word[MONT_NR_KEY_WORDS];
	s32 at[MONT_MEMO_CYCLES];
	u32 nr;
	u32 pad;
	u64 pending[MONT_MEMO_PENDING];
};

/**
 * struct mont_memo_state - a state in front of a group
 * @hash: of @key
 * @behind: place of the next with the same head; 0: none
 * @path: place of the first path; 0: there is none
 * @nr_paths: how many there are
 * @tries: paths that were begun since the last one that was kept
 * @key: no longer than its pending results
 */
struct mont_memo_state {
	u32 hash;
	u32 behind;
	u32 path;
	u8 nr_paths;
	u8 tries;
	struct mont_memo_key key;
};

/**
 * struct mont_path_made - a path as it is made
 * @from: the state that it begins in; NULL: none is made
 * @began: the cycle of that
 * @other: the path that was like it up to @other_op; NULL: it is the first
 * @other_op: where it meets something else
 * @rotates: registers may be renamed behind its last group
 * @alone: as of struct mont_path
 * @nr_groups: entries of @group
 * @nr_ops: entries of @op
 * @group: groups that are done
 * @op: their instructions
 */
struct mont_path_made {
	struct mont_memo_state *from;
	u64 began;
	struct mont_path *other;
	u32 other_op;
	bool rotates;
	bool alone;
	u32 nr_groups;
	u32 nr_ops;
	struct mont_path_group group[MONT_PATH_GROUPS];
	struct mont_path_op op[MONT_PATH_OPS];
};

/**
 * struct mont_memo - all states that are kept, and their paths
 * @credit: groups along paths, less what asking for states, making and leaving paths costs
 * @pause: segments to come that try no paths
 * @next_pause: as many, when @credit is used up the next time; 0: this has not been so for long
 * @made: the path that is being made
 * @used: of @byte
 * @head: by hash, place of the first state
 * @byte: states and paths
 */
struct mont_memo {
	s64 credit;
	u32 pause;
	u32 next_pause;
	struct mont_path_made made;
	u32 used;
	u32 head[MONT_NR_MEMO_HEADS];
	u8 byte[MONT_MEMO_BYTES] __attribute__((aligned(8)));
};

/* In a map: registers are renamed by rotation. */
#define MONT_MAP_ROTATES 1

/*
 * Map of registers. Places of results are kept from the frame and its rotation on, so that neither
 * is in it; but a call ends rotation.
 */
static __always_inline u64 mont_memo_map(const struct mont_thread *t)
{
	return (u64)((t->s.rrb_gr | t->s.rrb_fr | t->s.rrb_pr) != 0) | (u64)t->s.sof << 8 |
	       (u64)t->s.sol << 16 | (u64)t->s.sor << 24;
}

/* The place of an object is its offset in mont_memo.byte, and 1. 0 is no place. */
static __always_inline void *mont_memo_at(struct mont_memo *memo, u32 place)
{
	return memo->byte + place - 1;
}

static __always_inline u32 mont_memo_place(const struct mont_memo *memo, const void *at)
{
	return (const u8 *)at - memo->byte + 1;
}

/* Forget all states and paths. */
void mont_memo_forget(struct mont_memo *memo);

/* Room for @size bytes; NULL: there was none, and all has been forgotten. */
void *mont_memo_take(struct mont_memo *memo, u64 size);

/**
 * struct mont_memo_where - the group that a state is in front of
 * @id: its identity, of two bundles
 * @serial: mont_straight.serial of what is kept of it
 * @ip: where it begins
 * @now: the cycle in which it could issue
 */
struct mont_memo_where {
	u64 id;
	u64 serial;
	u64 ip;
	u64 now;
};

/**
 * mont_memo_find() - find the present state, or keep it as a new one
 * @memo: of the package of @t
 * @t: a thread that is in front of the group of @where, with no stall
 * @b: its instruction buffer
 * @where: the group
 *
 * Return: the state; NULL: it is not one that can be kept, or there was no room, and all have been
 * forgotten.
 */
struct mont_memo_state *mont_memo_find(struct mont_memo *memo, const struct mont_thread *t,
				       const struct mont_buffer *b,
				       const struct mont_memo_where *where);

/*
 * The instruction buffer is as in front of @state in cycle @now; @leaves bundles have left it and
 * @fetches pairs have been fetched since it was kept.
 */
void mont_memo_put(const struct mont_memo_state *state, struct mont_buffer *b, u64 now, u32 leaves,
		   u32 fetches);

#endif
