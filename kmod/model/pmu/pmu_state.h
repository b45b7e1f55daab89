/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * The PMU's registers as a save file holds them, and what is derived from
 * them for speed (manual 3.3). Included by arch/thread_state.h.
 */
#ifndef MONT_PMU_PMU_STATE_H
#define MONT_PMU_PMU_STATE_H

#include "../base/types.h"
#include "../event/signal.h"

struct mont_block;
struct mont_event;
struct mont_filter;
struct mont_observer;
struct mont_observer_link;

/**
 * struct mont_data_ear - what one remembers from one occurrence to the next
 * @free: the first cycle in which it looks at another one
 * @random: state of the generator that chooses among overlapping loads
 * @passed: so many eligible loads are passed over next
 * @overlapped: a load was ignored since the last that it tracked
 */
struct mont_data_ear {
	u64 free;
	u64 random;
	u32 passed;
	u32 overlapped;
};

/**
 * struct mont_etb - the end of the execution trace buffer, or of the IP-EAR (ip_ear.c)
 * @target: where the flow went from the last source, which is not recorded yet; bit 0:
 *	there is one, bit 1: its group has not ended
 * @at: cycle of that source
 */
struct mont_etb {
	u64 target;
	u64 at;
};

#define MONT_NR_SUMS 4
#define MONT_MOST_SUM 255 /* above all that an event may add in a cycle */

/**
 * struct mont_sums - what an event with a threshold, or with 1 a cycle, adds in single cycles
 * @at: the cycles, as mont_occurrence.at
 * @n: what it has added in each, up to MONT_MOST_SUM; 0: that place is free
 *
 * Things are counted when they are decided, and do not all happen in the order in which
 * they are.
 */
struct mont_sums {
	u64 at[MONT_NR_SUMS];
	u64 n[MONT_NR_SUMS];
};

/* Counts to come: more than the requests under way that 12 counters of a core can be told of. */
#define MONT_NR_LATE 512

/* Lines of which it is known whether a read has put them off. */
#define MONT_NR_PUT_OFF 64

/**
 * struct mont_put_off - lines that wait to be written or cast out, which reads put off (manual 2.5.1)
 * @nr: of them so far, which is the number of the last one
 * @at: by number modulo the size, the cycle in which the line is issued, as far as is known
 */
struct mont_put_off {
	u64 nr;
	u64 at[MONT_NR_PUT_OFF];
};

/**
 * struct mont_late_count - 1 for each of some counters, bit n for PMDn
 * @at: the cycles that have passed with that in which it is added
 * @line: number of the line whose issue it counts, which may be put off; 0: of none
 * @own: counters of the thread that has asked
 * @own_front: those that count if it is in front then
 * @other: counters of the other thread of its core, by PMC.all
 * @other_front: those that count if that thread is in front then
 */
struct mont_late_count {
	u64 at;
	u64 line;
	u16 own;
	u16 own_front;
	u16 other;
	u16 other_front;
};

/**
 * struct mont_late - what a thread's requests let counters add later
 * @froze: the cycle whose overflow has frozen the thread's counters last
 * @nr: entries of @count
 * @pad: 0
 * @count: by cycle; entries that are not in use are 0
 */
struct mont_late {
	u64 froze;
	u32 nr;
	u32 pad;
	struct mont_late_count count[MONT_NR_LATE];
};

/* PMC and PMD index a register file of 64; what does not exist stays zero. */
struct mont_pmu_state {
	u64 pmc[64];
	u64 pmd[64];
	u64 uncounted; /* bit n: PMCn selects an event the model does not count */
	u64 stood[16]; /* the last value of PMCn that did, and why: MONT_STOOD() */
	struct mont_data_ear data_ear;
	struct mont_etb etb;
	struct mont_sums sums[16];
};

/* Calls that are remembered; a power of two. Of deeper ones the outermost are forgotten. */
#define MONT_CHAIN_DEPTH 256

/**
 * struct mont_chain_entry - a call, or a break in the chain
 * @to: address that it returns to; 0 for a break: the frame changed without a call
 * @bsp: AR.BSP of the frame that it returns to; of a break that of the frame it left
 */
struct mont_chain_entry {
	u64 to;
	u64 bsp;
};

/**
 * struct mont_chain_stack - the calls of user or kernel level
 * @entry: a ring of entries
 * @top: calls ever made less those that returned; the newest entry is the one below
 * @nr: entries that are there
 * @bsp: AR.BSP of the frame that they led to; 0: not known
 */
struct mont_chain_stack {
	struct mont_chain_entry entry[MONT_CHAIN_DEPTH];
	u32 top;
	u32 nr;
	u64 bsp;
};

/**
 * struct mont_chain - the calls of a thread
 * @stack: of levels 0 to 2, of level 3
 * @live: an observer asks for chains
 * @pending: what a branch has done is to be noted, once its instruction has retired
 * @ret: it was a return
 * @user: at level 3
 * @ip: its bundle
 * @to: address that it returns to
 * @from: AR.BSP of the calling frame
 * @frame: AR.BSP of the frame that it leads to
 */
struct mont_chain {
	struct mont_chain_stack stack[2];
	bool live;
	bool pending;
	bool ret;
	bool user;
	u64 ip;
	u64 to;
	u64 from;
	u64 frame;
};

#define MONT_NR_TAG_SETS 16
/* Filters of observers that have a number, and with them what the counters ask. */
#define MONT_NR_FILTERS 22
#define MONT_NR_QUALIFIERS 32
/* Kinds of bundles that their tags distinguish, and 4 KB pages whose kinds are kept. */
#define MONT_NR_TAG_KINDS 512
#define MONT_NR_TAG_PAGES 256

/* How an instruction is qualified by itself, whatever it refers to. */
enum mont_qualifier_kind {
	MONT_QUALIFY_NOT, /* nothing is left out */
	MONT_QUALIFY_RANGE, /* by the range of a channel */
	MONT_QUALIFY_TAG, /* by range and opcode of a channel */
	MONT_QUALIFY_MEMORY, /* by PMC41, which asks for no data address */
	MONT_QUALIFY_FILTER, /* by an observer's own filter */
	MONT_QUALIFY_BLOCK, /* by a tag of a block */
};

/**
 * struct mont_qualifier - a condition on the instruction in a slot
 * @kind: enum mont_qualifier_kind
 * @channel: of RANGE, TAG and BLOCK
 * @flags: of FILTER, as in struct mont_filter, and so all below
 * @iar_lo: first address
 * @iar_hi: first address behind it
 * @opcodes: the filter with the opcodes, or NULL without OPC
 * @version: of BLOCK, of its registers
 * @block: of BLOCK
 */
struct mont_qualifier {
	u8 kind;
	u8 channel;
	u8 flags;
	u64 iar_lo;
	u64 iar_hi;
	const struct mont_filter *opcodes;
	u64 version;
	const struct mont_block *block;
};

/* The kind of a bundle that has not been found out, and of one that cannot be tagged. */
#define MONT_TAG_KIND_NONE 0
#define MONT_TAG_KIND_UNTAGGED 1

/**
 * struct mont_tag_kind - bundles alike in what retires with them
 * @sig: by slot, the countdowns of its tag set
 * @upto: how many of them have retired up to slot n, and not been counted yet;
 *	modulo 2^64, and their sums alone mean something: what retires from slot
 *	m on is one up to n more and one up to m less
 * @set: by slot, its tag set
 * @insns: bit n: there is an instruction in slot n
 * @nops: bit n: it is an unpredicated nop
 */
struct mont_tag_kind {
	struct mont_countdown *sig[3];
	u64 upto[4];
	u8 set[3];
	u8 insns;
	u8 nops;
};

/* The kinds of the bundles of a 4 KB page that is executed. */
struct mont_tag_page {
	u64 va; /* of the page, or MONT_FETCH_NONE */
	u64 pa;
	u64 epoch; /* mont_tags.epoch when they were found out */
	u16 kind[256];
};

/**
 * struct mont_window_tags - the kinds of the bundles in a dispersal window
 * @ip: of the first
 * @epoch: mont_tags.epoch when they were found out; 0: they are not
 * @kind: of each
 */
struct mont_window_tags {
	u64 ip;
	u64 epoch;
	struct mont_tag_kind *kind[2];
};

/* All that the guest's own qualifiers depend on. */
struct mont_tag_registers {
	u64 pmc[10]; /* PMC32-41 */
	u64 ibr[8];
	u64 cpl;
};

/**
 * struct mont_tags - the tag sets of a thread
 * @nr_filters: qualifiers of observers: the first ones
 * @nr_qualifiers: qualifiers in use
 * @nr_sets: sets in use, 1 at least
 * @nr_kinds: kinds in use, with the two that are none
 * @epoch: of the qualifiers, never 0 and no other thread's: tags of another one are void
 * @room: bundles until a subscriber must see an instruction or a nop that retires; 0 if
 *	one sees each
 * @counters: by set, PMC4-15 whose qualifier it passes
 * @passes: by set, qualifiers that it passes: bit n for number n
 * @registers: what the guest's qualifiers were made for
 * @qualifier: the qualifiers
 * @before: scratch of mont_tags_arm(), too large for a stack: @qualifier as it was
 * @kind: the kinds
 * @kinds: by bundle, those of the page of fetch, or @none
 * @none: a page of bundles whose kinds are not known
 * @page: direct-mapped by physical address
 */
struct mont_tags {
	u32 nr_filters;
	u32 nr_qualifiers;
	u32 nr_sets;
	u32 nr_kinds;
	u64 epoch;
	u64 room;
	u16 counters[MONT_NR_TAG_SETS];
	u32 passes[MONT_NR_TAG_SETS];
	struct mont_tag_registers registers;
	struct mont_qualifier qualifier[MONT_NR_QUALIFIERS];
	struct mont_qualifier before[MONT_NR_QUALIFIERS];
	struct mont_tag_kind kind[MONT_NR_TAG_KINDS];
	const u16 *kinds;
	u16 none[256];
	struct mont_tag_page page[MONT_NR_TAG_PAGES];
};

/* No qualifier, or one that is asked at each occurrence. */
#define MONT_NO_QUALIFIER 0xff

/* Subscribers that sum several signals: mont_pmu_derived.summed. */
#define MONT_SUMMED_COUNTERS 1
#define MONT_SUMMED_OBSERVERS 2

/**
 * struct mont_listeners - the observers of a thread, as its signals find them
 * @nr_armed: signals that they listen to: the first ones in mont_pmu_derived.armed
 * @total: by signal, occurrences that have been counted, of all tag sets
 * @passed: by signal and qualifier, those of the tag sets that pass it
 * @counted: by signal, an observer counts by @total
 * @passes: by signal, the qualifiers in use for @passed: bit n for number n
 * @lazy: by signal, those with a period that take every occurrence
 * @tagged: by signal, those that take the occurrences of some tag sets, and look at each that
 *	is not tagged; those with a period come first
 * @watch: by signal, those that must look at each occurrence
 * @sums: those that have sums of cycles that have not ended
 * @sums_at: the first of these cycles
 * @stale: they have changed
 * @plms: the values of plm among them: bit n for value n
 * @cpl: the level that they are armed for
 * @psrs: the bits of PSR that some of them go by
 * @psr: PSR that they are armed for
 * @stands: no time was kept then
 * @chain: one asks for call chains: each branch is noted
 * @waiting: one filters cycles by the instruction that waits in them
 * @blocks: the blocks of the thread, in the order in which they were added
 * @interrupted: one of these has a counter that overflowed in the group that has not ended
 * @stops: so many of these want the run to end
 * @filled: lines on their way that some observer counts, bit n for the one with number n
 *
 * Observers without a period count by differences of @total or @passed: an occurrence costs
 * nothing for each of them.
 */
struct mont_listeners {
	u32 nr_armed;
	u64 total[MONT_NR_SIGNALS];
	u64 passed[MONT_NR_SIGNALS][MONT_NR_FILTERS];
	bool counted[MONT_NR_SIGNALS];
	u32 passes[MONT_NR_SIGNALS];
	struct mont_observer_link *lazy[MONT_NR_SIGNALS];
	struct mont_observer_link *tagged[MONT_NR_SIGNALS];
	struct mont_observer_link *watch[MONT_NR_SIGNALS];
	struct mont_observer *sums;
	u64 sums_at;
	bool stale;
	u16 plms;
	u32 cpl;
	u64 psrs;
	u64 psr;
	bool stands;
	bool chain;
	bool waiting;
	struct mont_block *blocks;
	bool interrupted;
	u32 stops;
	u64 filled;
};

/**
 * struct mont_rest - where a group goes on that ports or templates have split
 * @ip: its bundle
 * @insns: instructions that have retired then
 * @slot: its slot
 */
struct mont_rest {
	u64 ip;
	u64 insns;
	u32 slot;
};

/**
 * struct mont_flight - instructions of a bundle that were fetched, as FETCHED tells of them
 * @ip: the bundle
 * @ready: cycle in which it was in the instruction buffer
 * @formed: the first cycle in which the group of those that disperse could be formed
 * @issued: in which that group issues; on a wrong path that of the branch which led there
 * @slots: the instructions, bit n for slot n
 * @dispersed: those that left the buffer
 * @retired: those that retired
 * @trapped: the one that an interruption is of
 * @trap: that interruption, enum mont_result, or 0
 * @wrong: on the path behind a mispredicted branch
 * @begins: the first instruction of the group is among them
 * @ends: so is the last one, or it is on a wrong path
 *
 * Cycles are those of issue: the first in which the back end can issue, or that in which it does.
 */
struct mont_flight {
	u64 ip;
	u64 ready;
	u64 formed;
	u64 issued;
	u8 slots;
	u8 dispersed;
	u8 retired;
	u8 trapped;
	u16 trap;
	bool wrong;
	bool begins;
	bool ends;
};

/**
 * struct mont_fate - how the group that issues ends
 * @insns: instructions that had retired before it
 * @killed: those of it that do not retire
 * @trap: the interruption of one of them, enum mont_result, or 0
 */
struct mont_fate {
	u64 insns;
	u32 killed;
	u16 trap;
};

/**
 * struct mont_last_branch - the bundle of the branch that retired last
 * @ip: its address, unless it was taken
 * @slot: the slot of that branch
 * @wrong: MONT_BRANCH_* of its branches up to that one
 */
struct mont_last_branch {
	u64 ip;
	u8 slot;
	u8 wrong;
};

/**
 * struct mont_pmu_derived - the subscribers of each signal, from PMCs, PSR and observers
 * @event: row of the event table that PMC4-15 select, or NULL
 * @select: what @event was looked up for, bit 31 set
 * @armed: signals with a subscriber, in no order; no other has anything
 *	pending or in the tables by signal below
 * @nr_armed: how many
 * @lazy: by signal, counters that take every occurrence; bit n for PMDn
 * @tagged: by signal, counters that take every occurrence of the tag sets that
 *	their qualifier passes, and must look at each that is not tagged
 * @watch: by signal, counters that must look at each occurrence
 * @sibling: by signal, counters of the core's other thread that are in its @all
 *	and must look at each occurrence here
 * @unreported: counters of mont_pmu_state.uncounted that no host has been told of yet: saved
 * @over: counters that overflowed in the issue group that has not ended
 * @freeze: one of them has oi set
 * @notify: one of them has ev set, and a host serves the PMU
 * @marked: moves from PMDs and PMC0 read @mark until the group ends
 * @mark: PMC0 in word 0 and PMD4-15, from the end of the group before
 * @timed: the timing model runs: groups are the processor's own, so that a
 *	threshold means something
 * @castouts: the machine casts clean lines out (bus.castouts)
 * @switches: the core has another thread, and the timing model: what misses the L3 may switch
 * @soon: then the first cycle in which the timed loop has to look: mont_threads.next
 * @later: then counters whose event is not Active (4.2.1): they count in its cycle
 * @causal: of these, those without all set whose event is of no thread
 * @alls: counters that take both threads of the core: PMC.all
 * @retires: signal of the present cycle if something retires in it, not raised yet; or 0
 * @rest: of the group that issued last
 * @last_branch: kept while a subscriber sees each branch
 * @parts: by counter, how many signals it takes all of
 * @summed: by signal, the classes of subscribers that sum it with others: MONT_SUMMED_*
 * @sums: the signals with @summed, in no order
 * @nr_sums: how many
 * @late: the least latency, less one, of loads that LOAD_LATE tells of; ~0: of none
 * @heard: a signal of reply.def has a subscriber: events of references and fetches
 * @replies: @heard or @switches: what a reference meets must be looked at
 * @tallied: a signal of the tally of a bus that cores share has a subscriber (package/tally.h)
 * @cycles: @frame, @front or @dispersal: a signal of cycles that issue a group has a subscriber
 * @live: an occupancy has a subscriber
 * @hits: LOAD_HIT has a subscriber
 * @fetches: a signal that a fetch or a prefetch can raise has a subscriber
 * @apart: @live, @front or @hits: each group issues by itself, in no segment
 * @dispersal: a signal of dispersal has a subscriber
 * @unqualified: counters that no range, opcode or data constraint applies to
 * @all: a counter has PMC.all set, or is in @causal: the other thread listens for this one
 * @qualifier: by counter, the number of its qualifier, or MONT_NO_QUALIFIER
 * @tags: what instructions are tagged with
 * @chain: calls that have not returned, for observers' samples
 * @frame: the registers of the frame, or the dirty ones, have a subscriber
 * @data_ear: the signal that the data EAR looks at, or MONT_NR_SIGNALS
 * @etb: the trace buffer looks at branches and other changes of flow
 * @ip_ear: the IP-EAR looks at instructions that retire and at flushes
 * @ip_ear_ended: its delay has passed in the group that has not ended
 * @etb_row: event by whose rules its occurrences are qualified
 * @data_ear_row: event by whose rules the data EAR's occurrences are qualified
 * @insn_ear: the signal that the instruction EAR looks at, or MONT_NR_SIGNALS
 * @insn_ear_row: as @data_ear_row
 * @front: a signal of front-end bubbles or lost bandwidth has a subscriber
 * @flights: instructions that were fetched, or killed, have a subscriber
 * @flight: what FETCHED is raised for
 * @fate: of the group that issues, if @flights
 * @obs: the observers
 */
struct mont_pmu_derived {
	const struct mont_event *event[16];
	u32 select[16];
	u16 armed[MONT_NR_SIGNALS];
	u32 nr_armed;
	u16 lazy[MONT_NR_SIGNALS];
	u16 tagged[MONT_NR_SIGNALS];
	u16 watch[MONT_NR_SIGNALS];
	u16 sibling[MONT_NR_SIGNALS];
	u64 unreported;
	u64 mark[16];
	bool marked;
	bool freeze;
	bool notify;
	bool dispersal;
	bool live;
	bool hits;
	bool fetches;
	bool apart;
	bool cycles;
	u16 over;
	bool timed;
	bool castouts;
	bool switches;
	u64 *soon;
	u16 later;
	u16 causal;
	u16 alls;
	u16 retires;
	struct mont_rest rest;
	struct mont_last_branch last_branch;
	u8 parts[16];
	u8 summed[MONT_NR_SIGNALS];
	u16 sums[MONT_NR_SIGNALS];
	u32 nr_sums;
	bool all;
	bool front;
	u64 late;
	u16 unqualified;
	bool frame;
	bool heard;
	bool replies;
	bool tallied;
	u16 data_ear;
	bool etb;
	bool ip_ear;
	bool ip_ear_ended;
	const struct mont_event *etb_row;
	const struct mont_event *data_ear_row;
	u16 insn_ear;
	const struct mont_event *insn_ear_row;
	bool flights;
	struct mont_flight flight;
	struct mont_fate fate;
	struct mont_listeners obs;
	u8 qualifier[16];
	struct mont_tags tags;
	struct mont_chain chain;
};

#endif
