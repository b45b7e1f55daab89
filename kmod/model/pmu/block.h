/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Blocks: other processors' PMUs beside the architectural one of a thread, each with its own
 * registers, rules and interrupts. The counters of a block are observers, so that an event
 * costs what it costs an observer; the block selects and qualifies what they count. Nothing
 * here is in struct mont_state, and no block changes the guest. Called by hosts, by the kinds of
 * block (ev68a.c, merced.c, pebs.c, profileme.c), and by exec/attention.c and package.c for a
 * block's interrupt.
 *
 * Locking as for observer.h. The host owns the memory of a block.
 */
#ifndef MONT_PMU_BLOCK_H
#define MONT_PMU_BLOCK_H

#include "../mont.h"
#include "observer.h"

struct mont_block;
struct mont_thread;

/* Kinds. Values are those of the uapi. */
#define MONT_BLOCK_MERCED 1 /* the PMU of the original Itanium */
#define MONT_BLOCK_PEBS 2 /* that of an IA-32 processor, with precise sampling */
#define MONT_BLOCK_EV68A 3 /* that of an Alpha 21264/EV68A, with ProfileMe */
#define MONT_BLOCK_KINDS 4 /* above all of them */

/* mont_block.flags */
#define MONT_BLOCK_STOP 0x1 /* an interrupt ends mont_run() with its group */
#define MONT_BLOCK_ISM_AS_PRINTED 0x2 /* Merced: ism 01 is IA-64, as 6.1.3.3 prints it */
#define MONT_BLOCK_FOLLOW_PSR 0x4 /* monitors go by the guest's PSR.up and PSR.pp */

/* The most of any kind. Listeners are counters, and behind them units that capture. */
#define MONT_BLOCK_UNITS 3
#define MONT_BLOCK_SHARED 2 /* events that are counted on all threads of the package */
#define MONT_BLOCK_LISTENERS 8
#define MONT_BLOCK_RELOADS 8
#define MONT_BLOCK_VALUES 22 /* of what the host is told */

/* mont_block.cause: by bit n, counter n has overflowed, where a kind has no other; or */
#define MONT_BLOCK_ASSIST MONT_BIT(16) /* a precise record */
#define MONT_BLOCK_THRESHOLD MONT_BIT(17) /* its buffer has reached the threshold */
#define MONT_BLOCK_WINDOW MONT_BIT(18) /* an instruction has been profiled */

/* Classes of registers that no processor of mont.h has: mont_block_reg.class */
#define MONT_BLOCK_REG_MSR 32
#define MONT_BLOCK_REG_DS 33 /* words of the debug store area, by their offset */
#define MONT_BLOCK_REG_OWN 34 /* the block's own, that its processor has not */
#define MONT_BLOCK_REG_IPR 35 /* internal processor registers */

/* How like an event or a field is to the one of that name on the processor of its kind. */
enum mont_likeness {
	MONT_LIKE_NONE, /* no such thing here: refused */
	MONT_LIKE_SAME,
	MONT_LIKE_ANALOGUE, /* the definition says of what */
};

/**
 * struct mont_block_event - a row of a kind's table of events
 * @e: the event; e.code and e.umask are the encoding of that processor
 * @row: the row of events.def that counts the same thing, or ""
 * @definition: in words
 * @likeness: enum mont_likeness
 */
struct mont_block_event {
	struct mont_event e;
	const char *row;
	const char *definition;
	u8 likeness;
};

/**
 * struct mont_block_register - a row of a kind's table of registers
 * @class: enum mont_reg_class
 * @index: number of the first of them there
 * @count: how many
 * @name: what that processor's manual calls it
 * @bits: those that a write sets
 * @fields: names and bits of its fields
 * @refusal: why it cannot be written, or not all of it, or NULL
 */
struct mont_block_register {
	u32 class;
	u32 index;
	u32 count;
	const char *name;
	u64 bits;
	const char *fields;
	const char *refusal;
};

/* A register of a block and its value. */
struct mont_block_reg {
	u32 class;
	u32 index;
	u64 value;
};

/* The registers of MONT_BLOCK_MERCED; counters that count have more than @pmd. */
struct mont_merced {
	u64 pmc[14];
	u64 pmd[18];
	u64 ibr[8];
	u64 dbr[8];
	u64 psr; /* the bits up and pp that its monitors go by */
	struct mont_etb_buffer btb; /* PMD8-16, while the trace buffer does not listen */
};

/* The registers of MONT_BLOCK_PEBS; counters that count are further on than @pmc. */
struct mont_pebs {
	u64 evtsel[4];
	u64 pmc[7]; /* IA32_PMC0-3, IA32_FIXED_CTR0-2 */
	u64 fixed_ctrl;
	u64 status;
	u64 ctrl;
	u64 enable;
	u64 least; /* MSR_PEBS_LD_LAT_THRESHOLD */
	u64 ds_area;
	u64 ds[8]; /* words 20H to 58H of the debug store area */
	u64 lost; /* records that the buffer had no room for */
	struct mont_data_ear tag; /* which loads are tagged */
	u64 tagged[3]; /* address, source and latency of the last of them */
	u64 looked[2]; /* the load that was looked at last: its cycle, its bundle and slot */
	u64 beyond[7]; /* what counters wait for behind their observer's until */
	u64 ip; /* its bundle */
	u32 slot;
	u32 armed; /* precise counters that have overflowed: the next occurrence assists */
	u32 over; /* others that have, in the group that has not ended, and interrupt */
	u32 assists; /* precise counters whose occurrence has come in it */
	u64 word[MONT_BLOCK_VALUES]; /* the record of their assist */
	struct mont_sample when;
	bool behind; /* @word has the registers behind the instruction */
	bool full; /* the threshold interrupt is due */
	u64 uncore_sel[2];
	u64 uncore_pmc[2];
	u64 uncore_ctrl;
	u64 uncore_status;
};

/* The registers of MONT_BLOCK_EV68A; counters that count are further on than @pctr. */
struct mont_ev68a {
	u64 pctr[2];
	u64 total[2]; /* what each has counted */
	u64 select; /* SL0 and SL1 of PCTR_CTL, in their places */
	u64 status; /* PM_STALLED, PM_KILLED_BM, VAL and TAK of it, likewise */
	u64 i_ctl;
	u64 pctx;
	u64 ier_cm;
	u64 isum;
	u64 i_stat;
	u64 pmpc;
	u64 samples; /* profiles begun: the notes of another one are void */
	bool stands; /* an instruction has been profiled, and PCTR_CTL not been written since */
};

/* Registers and state, by kind. */
union mont_block_state {
	struct mont_merced merced;
	struct mont_pebs pebs;
	struct mont_ev68a ev68a;
};

/* Things that happen in a window of ProfileMe: mont_profile.noted.what */
enum mont_profile_noted {
	MONT_PROFILE_NOTHING,
	MONT_PROFILE_RETIRED,
	MONT_PROFILE_MISSED, /* the L3 */
	MONT_PROFILE_REPLAYED,
};

#define MONT_PROFILE_READS 4
#define MONT_PROFILE_NOTES 128

/**
 * struct mont_profile - what ProfileMe knows of the instructions under way
 * @sample: mont_ev68a.samples that this is of
 * @open: an instruction has been chosen, and its window has not ended
 * @read: pairs of bundles that were read last: when, and whether the L1I had them
 * @next_read: the oldest of these
 * @noted: things that happened last: a window may begin in a cycle that has passed
 * @next_note: the oldest of these
 * @done: by parity of the bundle, slots whose instruction did what the names say
 * @retired: the cycle in which something retired last
 * @begins: the first cycle of the window
 * @ends: the first one behind it
 * @fetched: in which the instruction was
 * @late: fetched in the two cycles in front of the window
 * @within: by enum mont_profile_noted, how many in the window
 * @delay: cycles by which it held up what retires
 * @at: the instruction
 * @status: what PCTR_CTL tells of it
 * @i_stat: what I_STAT does
 * @pmpc: PMPC
 */
struct mont_profile {
	u64 sample;
	bool open;
	struct {
		u64 pair;
		u64 at;
		bool missed;
	} read[MONT_PROFILE_READS];
	u32 next_read;
	struct {
		u64 at;
		u32 n;
		u32 what;
	} noted[MONT_PROFILE_NOTES];
	u32 next_note;
	struct {
		u8 taken;
		u8 mispredicted;
		u8 replayed;
		u8 failed;
		u8 walked;
	} done[2];
	u64 retired;
	u64 begins;
	u64 ends;
	u64 fetched;
	u32 late;
	u64 within[MONT_PROFILE_REPLAYED + 1];
	u64 delay;
	struct mont_sample at;
	u64 status;
	u64 i_stat;
	u64 pmpc;
};

/**
 * struct mont_block_ops - what a kind of block is
 * @name: of the kind
 * @counters: how many; their overflows are told by @carry, the captures of the listeners
 *	behind them by @capture
 * @listeners: all of them
 * @needs_time: nothing of it can count without the timing model
 * @flags: MONT_BLOCK_* that it can have
 * @reset: set the registers as that processor's reset leaves them
 * @find: row of a register, or NULL
 * @get: value of a register that there is, of @block with no counter armed
 * @set: give register @index, of row @r, a value, likewise: 0 or MONT_E*, with *@why
 * @check: 0 if listener @n may do what the registers say, or MONT_E*, with *@why
 * @arm: set the event, the filter and what is left of the period of listener @n; false if it
 *	does not listen
 * @settle: listener @n has counted so much since it was armed
 * @capture: unit @n, a listener behind the counters, has captured @at
 * @channel: true if the instruction in @slot of t->cur, at IP, passes tag @channel
 * @pass: how much of an occurrence the counter takes
 * @carry: counter @n has overflowed at @at; true if there is something to @serve at the end of
 *	the group. NULL: always
 * @serve: the group ends in which counters @over have overflowed: mont_block_interrupt() and
 *	mont_block_tell() for what comes of it, in the order of that processor
 * @shared: event @n that is counted on all threads of the package, n < MONT_BLOCK_SHARED, or NULL
 *	if there are none
 * @share: @shared @n has happened on one of them; true if there is something to @serve
 * @reg: register @index of the kind's table, or NULL behind the end
 * @event: event @index of the kind's table, or NULL behind the end
 */
struct mont_block_ops {
	const char *name;
	u32 counters;
	u32 listeners;
	bool needs_time;
	u32 flags;
	void (*reset)(struct mont_block *block);
	const struct mont_block_register *(*find)(u32 class, u32 index);
	u64 (*get)(struct mont_block *block, u32 class, u32 index);
	int (*set)(struct mont_block *block, const struct mont_block_register *r, u32 index,
		   u64 value, const char **why);
	int (*check)(const struct mont_block *block, unsigned int n, const char **why);
	bool (*arm)(struct mont_block *block, unsigned int n);
	void (*settle)(struct mont_block *block, unsigned int n, u64 count);
	void (*capture)(struct mont_block *block, unsigned int n, const struct mont_occurrence *at);
	bool (*channel)(const struct mont_block *block, unsigned int channel, unsigned int slot);
	u64 (*pass)(const struct mont_observer *o, const struct mont_occurrence *at);
	bool (*carry)(struct mont_block *block, unsigned int n, const struct mont_occurrence *at);
	void (*serve)(struct mont_block *block, u32 over);
	const struct mont_event *(*shared)(unsigned int n);
	bool (*share)(struct mont_block *block, unsigned int n);
	const struct mont_block_register *(*reg)(u32 index);
	const struct mont_block_event *(*event)(u32 index);
};

#define MONT_BLOCK_LOADS 32 /* entries of the OzQ */

/**
 * struct mont_loads - loads that have no data yet, of one counter: each is under way
 * @from: behind this cycle
 * @until: and up to this one
 */
struct mont_loads {
	u64 from[MONT_BLOCK_LOADS];
	u64 until[MONT_BLOCK_LOADS];
};

/**
 * struct mont_block - another PMU on a thread
 * @next: the thread's next block
 * @ops: its kind
 * @t: its thread
 * @flags: MONT_BLOCK_*
 * @id: for mont_exit.block
 * @nr_reload: entries of @reload
 * @reload: registers that are written at each interrupt, in its cycle; none of them where
 *	mont_block_set() would refuse one
 * @pmds: Merced: bit n for PMDn in what the host is told
 * @tell: called at the end of the group that ends in an interrupt, before @reload is done, and
 *	at an assist, inside mont_run(); must not touch the model. Or NULL
 * @host: for the host's own use
 * @at: in @tell, where that was which @cause tells of
 * @cause: in @tell, MONT_BLOCK_ASSIST, MONT_BLOCK_THRESHOLD, or counters that have overflowed
 * @nr_values: in @tell, entries of @value
 * @value: in @tell, registers that go with it
 * @over: counters that overflowed in the group that has not ended
 * @counts: listeners that are among the observers of @t
 * @stop: MONT_EXIT_PMU_BLOCK is to be told
 * @version: of the registers that qualify instructions
 * @counter: its listeners: counters, then units
 * @unit: what the units look at
 * @shares: a register of the package's counters has been written: @shared listen from then on
 * @listening: they do
 * @shared: its listeners on each thread of the package
 * @r: registers of its kind
 * @profile: of EV68A
 * @loads: of MERCED, by counter
 */
struct mont_block {
	struct mont_block *next;
	const struct mont_block_ops *ops;
	struct mont_thread *t;
	u32 flags;
	u32 id;
	u32 nr_reload;
	struct mont_block_reg reload[MONT_BLOCK_RELOADS];
	u64 pmds;
	void (*tell)(struct mont_block *block);
	void *host;
	struct mont_sample at;
	u32 cause;
	u32 nr_values;
	u64 value[MONT_BLOCK_VALUES];
	u32 over;
	u32 counts;
	bool stop;
	u64 version;
	struct mont_observer counter[MONT_BLOCK_LISTENERS];
	struct mont_event unit[MONT_BLOCK_UNITS];
	bool shares;
	bool listening;
	struct mont_observer shared[MONT_MAX_VCPUS][MONT_BLOCK_SHARED];
	union mont_block_state r;
	struct mont_profile profile;
	struct mont_loads loads[4];
};

extern const struct mont_block_ops mont_merced_ops;
extern const struct mont_block_ops mont_pebs_ops;
extern const struct mont_block_ops mont_ev68a_ops;

/* The kind @kind, or NULL. */
const struct mont_block_ops *mont_block_kind(u32 kind);

/**
 * mont_block_add() - give a thread another PMU
 * @t: the thread, between two calls of mont_run()
 * @block: zeroed but for flags, id, nr_reload, reload, pmds, tell and host
 * @kind: MONT_BLOCK_*
 * @why: set to the rule that refuses it, a constant string
 *
 * All its registers are as that processor's reset leaves them: nothing is counted.
 *
 * Return: 0; MONT_EINVAL: no such kind, a flag that it has not, too many reloads; MONT_EOPNOTSUPP: a
 * kind that needs time, which the machine has not; or what a write of a reload's register gives.
 */
int mont_block_add(struct mont_thread *t, struct mont_block *block, u32 kind, const char **why);

/* Take it away: nothing refers to @block any more. */
void mont_block_del(struct mont_block *block);

/**
 * mont_block_get() - read a register
 * @block: block
 * @reg: class and index; value is set
 *
 * Return: 0; MONT_ENOENT: there is no such register.
 */
int mont_block_get(struct mont_block *block, struct mont_block_reg *reg);

/**
 * mont_block_set() - write registers, all or none
 * @block: block, between two calls of mont_run()
 * @reg: what is written, in order
 * @nr: how many
 * @bad: set to the index of the one that was refused, or to @nr
 * @why: set to the rule that refuses it, a constant string
 *
 * Return: 0; MONT_ENOENT: no such register, or no such event; MONT_EPERM: it cannot be
 * written; MONT_EINVAL: a value out of range; MONT_EOPNOTSUPP: the event has no like in the
 * model, needs time that the machine has not, or a filter that it has not.
 */
int mont_block_set(struct mont_block *block, const struct mont_block_reg *reg, u32 nr, u32 *bad,
		   const char **why);

/* ---- for the kinds ---- */

/* Where @t is, at an occurrence. */
void mont_block_sample(const struct mont_thread *t, struct mont_sample *at);

/* The end of the group in progress is to serve listener @n. */
void mont_block_wait(struct mont_block *block, unsigned int n);

/* Tell the host of @cause, with block->at, nr_values and value. */
void mont_block_tell(struct mont_block *block, u32 cause);

/* Tell the host of an interrupt, as a group ends, and do its handler's work as reload says. */
void mont_block_interrupt(struct mont_block *block, u32 cause);

/* Row @index of @class in the table @reg of @nr rows, or NULL. */
const struct mont_block_register *mont_block_row(const struct mont_block_register *reg, u32 nr,
						 u32 class, u32 index);

/* ---- for exec/ ---- */

/* Tell the host of a block of @t that wants the run to end, if nothing else is told. */
void mont_blocks_exit(struct mont_thread *t);

#endif
