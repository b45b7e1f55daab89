/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * The execution trace buffer (manual 3.3.10.1): what changes the flow of control
 * and passes PMC39 is recorded in PMD48-63, by PMD38 and PMD39. Called by
 * counter.c, arm.c, observer.c, observer_watch.c and registers.c, by ip_ear.c, and by merced.c
 * and merced_btb.c.
 */
#ifndef MONT_PMU_ETB_H
#define MONT_PMU_ETB_H

#include "pmu_state.h"

struct mont_thread;

/* PMC39's fields ds, tm, ptm, ppm and brt, and the setting that takes every branch */
#define MONT_ETB_SETTING 0xff80ULL
#define MONT_ETB_ALL 0x3f00ULL

#define MONT_ETB_ENTRIES 16

/**
 * struct mont_etb_buffer - the trace buffer of an observer
 * @index: as PMD38
 * @extension: as PMD39
 * @entry: as PMD48 to PMD63
 * @etb: the end of it
 */
struct mont_etb_buffer {
	u64 index;
	u64 extension;
	u64 entry[16];
	struct mont_etb etb;
};

/* As reset leaves it. */
void mont_etb_reset(struct mont_etb *etb);

/* Let the buffer listen, if it may. */
void mont_etb_arm(struct mont_thread *t);

/* True if the trace buffer of @own takes @o (manual table 3-26). */
bool mont_etb_takes(const struct mont_thread *own, const struct mont_occurrence *o);

/* True if PMC39's fields in @setting take @o, whatever its level. */
bool mont_etb_selects(u64 setting, const struct mont_occurrence *o);

/* True if selection by @setting looks at predictions, which need the timing model. */
bool mont_etb_predicts(u64 setting);

/* Record what an observer's @setting selects; the target of a branch is known at once. */
void mont_etb_observe(struct mont_etb_buffer *b, u64 setting, const struct mont_occurrence *o);

/* Table 3-29: PMD48, 56, 49, 57 and so on, from the lowest bits of PMD39 up. */
static inline u32 mont_etb_extension_shift(u32 entry)
{
	return 4 * (entry < 8 ? 2 * entry : 2 * (entry - 8) + 1);
}

/* PMD38, which was @index, with one entry more. */
u64 mont_etb_index_behind(u64 index);

/* True if entry @n, by @extension, PMD39, is of the second bundle of its window. */
bool mont_etb_second(u64 extension, unsigned int n);

/* An issue group of @t has ended: as mont_etb_group_end(). */
void mont_etb_buffer_group_end(struct mont_etb_buffer *b, const struct mont_thread *t);

/* The target that has not been recorded yet is: as mont_etb_settle(). */
void mont_etb_buffer_settle(struct mont_etb_buffer *b, u64 setting);

/* PMD38, 39 or 48-63 of an observer: as mont_etb_read(). */
u64 mont_etb_buffer_read(const struct mont_etb_buffer *b, u64 setting, unsigned int n);

/* Record a branch, or another change of flow, that PMC39 and the qualifiers let pass. */
void mont_etb_record(struct mont_thread *t, const struct mont_occurrence *o);

/* An issue group has ended: where the thread goes on is the target of what was recorded. */
void mont_etb_group_end(struct mont_thread *t);

/* The target that has not been recorded yet is: nothing that follows takes its place. */
void mont_etb_settle(struct mont_thread *t);

/*
 * PMD38, 39 or 48-63: with the target that has not been recorded yet, which may still
 * give way. Reading changes nothing.
 */
u64 mont_etb_read(const struct mont_thread *t, unsigned int n);

/* True if @etb can be the state of a trace buffer. For state that comes from outside. */
bool mont_etb_valid(const struct mont_etb *etb);

/* True if the trace buffer's setting can be followed: selection by prediction needs time. */
bool mont_etb_followed(const struct mont_thread *t);

#endif
