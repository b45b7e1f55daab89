/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Operands, stages REN and REG: when the registers that a group reads are there
 * (manual 2.3.2, table 2-8). Times are core cycles; a result carries the cycle its
 * producer issued in and the row of table 2-8 it belongs to, since each consumer
 * has a latency of its own. Called by wait.c and wait.h, by group.c for what an
 * instruction reads, by timed.c and segment.h when a group issues, and by
 * branch_unit.c.
 */
#ifndef MONT_PIPELINE_OPERANDS_H
#define MONT_PIPELINE_OPERANDS_H

#include "../base/types.h"
#include "../isa/roles.h"
#include "stall.h"
#include "thread_time.h"

/*
 * An entry of the scoreboard, in one word: the cycle from which on all consumers but multimedia
 * ones can issue; the cycles between the issue of its producer and that one; the producer. The
 * common case is one comparison with the cycle.
 */
#define MONT_RESULT_CYCLE 9
#define MONT_RESULT_LATENCY 5

/**
 * struct mont_write - a result of an instruction
 * @word: its word less the cycle of its issue
 * @file: enum mont_file
 * @late: it takes longer by what the instruction waits for; a base register that is
 *	updated does not
 * @nr: its number as written
 */
struct mont_write {
	u16 word;
	u8 file : 7;
	u8 late : 1;
	u8 nr;
};

/* The results of an instruction with roles @r, in @write. Return: how many. */
unsigned int mont_writes_of(struct mont_write write[MONT_MAX_WRITES], const struct mont_roles *r);

/* Operands that a group may wait for; one with more of them looks at each by itself. */
#define MONT_MAX_USES 22
/* The place of the first predicate's result: mont_result_place. */
#define MONT_RESULT_PR 256
/* Places from here on are those of registers that are not renamed. */
#define MONT_USE_FIXED (MONT_RESULT_PR + MONT_NR_PR_RESULTS)

/* Kinds of register that a group waits for, by the cause that the wait is charged to. */
enum mont_use_kind {
	MONT_USE_GR = MONT_FILE_GR,
	MONT_USE_FR = MONT_FILE_FR,
	MONT_USE_PR = MONT_FILE_PR,
	MONT_USE_OTHER, /* branch, application and control registers */
	MONT_USE_ENGINE, /* application registers, as the register stack engine goes by them */
	MONT_NR_USE_KINDS,
};

/**
 * struct mont_use - a register that an instruction may have to wait for
 * @nr: its number as written; of one that is not renamed the place less MONT_USE_FIXED
 * @as: enum mont_consumer
 * @qp: predicate that turns the wait off, unless its own group writes it; 0: none does
 * @slot: slot of the instruction, of six
 * @guarded: an instruction that is off does not wait
 * @kind: enum mont_use_kind
 */
struct mont_use {
	u8 nr;
	u8 as;
	u8 qp;
	u8 slot : 3;
	u8 guarded : 1;
	u8 kind : 4;
};

/* Cause of a wait for the result of a producer, by the kind of register. */
extern const u8 mont_use_cause[MONT_NR_USE_KINDS][MONT_NR_PRODUCERS];

/**
 * struct mont_uses - all of a group
 * @many: there is no room for all of them, or more to look at than one result of each
 * @end: where in @use the general, floating-point, predicate and other registers end
 * @use: by file
 */
struct mont_uses {
	bool many;
	u8 end[4];
	struct mont_use use[MONT_MAX_USES];
};

/* Predicates that an instruction with roles @r writes: bit n for pn. */
u64 mont_predicates_written(const struct mont_roles *r);

/*
 * Add the uses of the instruction in @slot, with roles @r. Instructions of the group in front of
 * it write the predicates @written.
 */
void mont_uses_add(struct mont_uses *uses, const struct mont_roles *r, u8 slot, u64 written);

/**
 * mont_rename_init() - renaming by maps that others keep
 * @map: filled
 * @gr: physical register of each general register, 0..127
 * @fr: likewise, of the floating-point registers
 * @pr: likewise, of the predicates, 0..63
 */
void mont_rename_init(struct mont_rename *map, const u8 *gr, const u8 *fr, const u8 *pr);

/**
 * mont_operands_flush() - a multimedia result used as an address too soon
 * @w: what the group waits for; the flush is added to it
 * @now: first cycle the group could issue in
 * @multimedia: as mont_operands_wait() left it for the whole group; 0: no such use
 * @cycles: from the producer to the use behind the flush
 *
 * Table 2-8, note 1: where four cycles have passed there is nothing to detect;
 * else the pipe is flushed.
 */
void mont_operands_flush(struct mont_stall *w, u64 now, u64 multimedia, u32 cycles);

/* Table 2-8: latency of a producer's result for each consumer; 0 where it has none. */
extern const u8 mont_latencies[MONT_NR_PRODUCERS][MONT_NR_CONSUMERS];

/* Latency of @producer's result for @consumer; 0 where table 2-8 has none. */
static inline u32 mont_latency(enum mont_producer producer, enum mont_consumer consumer)
{
	return mont_latencies[producer][consumer];
}

/* Where in struct mont_results the results of a file begin. */
extern const u16 mont_result_place[MONT_NR_FILES];

/* Of a producer's result, the word without the cycle of its issue. */
extern const u16 mont_result_word[];

/* The cycle in which the producer of @result issued. */
static __always_inline u64 mont_issued(u64 result)
{
	return (result >> MONT_RESULT_CYCLE) -
	       (result >> MONT_RESULT_LATENCY &
		(MONT_BIT(MONT_RESULT_CYCLE - MONT_RESULT_LATENCY) - 1));
}

/* The producer of @result. */
static __always_inline enum mont_producer mont_produced_by(u64 result)
{
	return result & (MONT_BIT(MONT_RESULT_LATENCY) - 1);
}

/*
 * The first cycle in which a use of @result as @as does not wait. Results of the main pipe are
 * written in the order of the program whatever their latency, so that another write waits for
 * none of them; one of a load that the L1D has not served is outstanding, and a write waits for
 * it as a use does (dispersal.md, section 7).
 */
static __always_inline u64 mont_result_ready(u64 result, enum mont_consumer as)
{
	enum mont_producer producer = mont_produced_by(result);

	if (unlikely(as == MONT_CONSUMER_WRITE))
		return producer == MONT_PRODUCER_LOAD || producer == MONT_PRODUCER_FP_LOAD
			       ? mont_issued(result) + 1
			       : 0;
	return mont_issued(result) + mont_latency(producer, as);
}

/* True if a use of @result as @as must wait in cycle @now. */
static __always_inline bool mont_result_late(u64 result, enum mont_consumer as, u64 now)
{
	return mont_result_ready(result, as) > now;
}

/* The cycle in which the last result of register @nr of @file issued, unless renamed. */
static __always_inline u64 mont_result_issued(const struct mont_results *s, u8 file, u8 nr)
{
	return mont_issued(s->at[mont_result_place[file] + nr]);
}

/* One result that may not be there yet, and its use. */
void mont_result_wait(u64 result, const struct mont_operand *o, enum mont_consumer as, u64 now,
		      struct mont_stall *w, u64 *multimedia);
/* All predicates together are read, or written. */
void mont_predicates_wait(const struct mont_results *s, const struct mont_operand *o,
			  enum mont_consumer as, u64 now, struct mont_stall *w, u64 *multimedia);
void mont_predicates_done(struct mont_results *s, u64 result);

/* At least the longest latency of a multimedia operand. */
#define MONT_LONGEST_MULTIMEDIA 6

static __always_inline u32 mont_place_of(const struct mont_rename *map,
					 const struct mont_operand *o)
{
	return mont_result_place[o->file] + map->of[o->file][o->nr];
}

static __always_inline void mont_operand_wait(const struct mont_results *s,
					      const struct mont_rename *map,
					      const struct mont_operand *o, enum mont_consumer as,
					      u64 now, struct mont_stall *w, u64 *multimedia)
{
	u64 result;

	if (unlikely(o->file == MONT_FILE_PR && o->nr == MONT_PR_ALL)) {
		mont_predicates_wait(s, o, as, now, w, multimedia);
		return;
	}
	result = s->at[mont_place_of(map, o)];
	if (unlikely(result >> MONT_RESULT_CYCLE > now || as == MONT_CONSUMER_MULTIMEDIA))
		mont_result_wait(result, o, as, now, w, multimedia);
}

/* True if any use, or one as a multimedia operand if @multimedia, waits in cycle @now. */
static __always_inline bool mont_operands_pending(const struct mont_results *s, bool multimedia,
						  u64 now)
{
	/* A multimedia operand waits no longer than that behind any other. */
	return (s->last >> MONT_RESULT_CYCLE) + (multimedia ? MONT_LONGEST_MULTIMEDIA : 0) > now;
}

/**
 * mont_operands_wait() - find the cycle up to which an instruction waits for its operands
 * @s: results
 * @map: its renaming
 * @r: what it reads and writes
 * @off: its predicate is false, and not written in its own group: nothing else
 *	is waited for
 * @now: first cycle its group could issue in
 * @w: what its group waits for
 * @multimedia: raised to the cycle behind the one in which a multimedia result
 *	issued that the instruction uses as an address
 *
 * A write of a general or floating-point register waits for an earlier load of it that is
 * outstanding: mont_result_ready(). A group may write predicates and branch registers twice.
 */
static __always_inline void mont_operands_wait(const struct mont_results *s,
					       const struct mont_rename *map,
					       const struct mont_roles *r, bool off, u64 now,
					       struct mont_stall *w, u64 *multimedia)
{
	unsigned int i;

	for (i = 0; i < r->nr_reads; i++) {
		mont_operand_wait(s, map, &r->read[i], r->read[i].role, now, w, multimedia);
		if (off)
			return;
	}
	for (i = 0; i < r->nr_writes; i++) {
		const struct mont_operand *o = &r->write[i];

		if (o->file == MONT_FILE_GR || o->file == MONT_FILE_FR)
			mont_operand_wait(s, map, o, MONT_CONSUMER_WRITE, now, w, multimedia);
	}
}

/* The result of register @w is @result. */
static __always_inline void mont_operand_done(struct mont_results *s, const struct mont_rename *map,
					      const struct mont_write *w, u64 result)
{
	if (likely(w->file == MONT_FILE_GR))
		s->at[map->of[MONT_FILE_GR][w->nr]] = result;
	else if (unlikely(w->file == MONT_FILE_PR && w->nr == MONT_PR_ALL))
		mont_predicates_done(s, result);
	else
		s->at[mont_result_place[w->file] + map->of[w->file][w->nr]] = result;
}

/**
 * mont_operands_done() - an instruction has issued and executed
 * @s: results
 * @map: renaming of its targets: as after it
 * @w: its results
 * @nr: how many
 * @now: the cycle it issued in
 *
 * The caller has raised @s->last for the whole group: mont_operands_issue().
 */
static __always_inline void mont_operands_done(struct mont_results *s,
					       const struct mont_rename *map,
					       const struct mont_write *w, unsigned int nr, u64 now)
{
	for (; nr; nr--, w++)
		mont_operand_done(s, map, w, (now << MONT_RESULT_CYCLE) + w->word);
}

/* A group issues in cycle @now, and @word is the largest of its results'. */
static __always_inline void mont_operands_issue(struct mont_results *s, u16 word, u64 now)
{
	u64 last = (now << MONT_RESULT_CYCLE) + word;

	if (s->last < last)
		s->last = last;
}

/* As mont_operands_done(), with @more extra cycles for results marked late. */
static __always_inline void mont_operands_late(struct mont_results *s,
					       const struct mont_rename *map,
					       const struct mont_write *w, unsigned int nr, u64 now,
					       u64 more)
{
	for (; nr; nr--, w++) {
		u64 at = now + (w->late ? more : 0);

		mont_operands_issue(s, w->word, at);
		mont_operand_done(s, map, w, (at << MONT_RESULT_CYCLE) + w->word);
	}
}

#endif
