// SPDX-License-Identifier: GPL-2.0-only
/*
 * The machine runs under the debugger: in the place of each RUN, pieces of it, up to what
 * the client waits for. Stops lie between issue groups, where nothing shows that the run
 * was ever stopped. Without time, RUN_STEP goes within a group and on; with time, what is
 * shown within is executed functionally, and undone before the guest goes on.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gdb.h"

/* Instructions, and cycles, of a piece: the client is heard between two. */
#define PIECE_INSNS (1ULL << 20)
#define PIECE_CYCLES (1ULL << 24)

/* PSR.ri */
#define RI_SHIFT 41

/* Breakpoints that stop a RUN. */
enum kinds { NONE, WATCHED, ALL };

uint64_t gdb_pc(struct gdb *g, unsigned int vcpu)
{
	struct montecito_reg r[2] = {
		{ .cls = MONTECITO_REG_SPECIAL, .index = MONTECITO_SPECIAL_IP },
		{ .cls = MONTECITO_REG_SPECIAL, .index = MONTECITO_SPECIAL_PSR },
	};

	montecito_get_regs(g->m, vcpu, r, 2);
	return r[0].value[0] | (r[1].value[0] >> RI_SHIFT & 3);
}

void gdb_stop(struct gdb *g, int signal, const char *fmt, ...)
{
	char why[128];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	snprintf(g->stop, sizeof(g->stop), "T%02xthread:%x;%s", signal, g->vcpu + 1, why);
	g->resume = GDB_STOPPED;
	g->due = false;
	if (g->quiet)
		return;
	gdb_monitor_stop(g);
	if (g->attached)
		gdb_send(g, g->stop);
}

static bool gdb_run_kept(enum kinds kinds, const struct montecito_breakpoint *b)
{
	return kinds == ALL || (kinds == WATCHED && b->kind != MONTECITO_BREAK_EXEC);
}

/*
 * One RUN with the flags @flags more, no further than the caller's budgets; it is part of
 * what is told to the caller unless it is to be @undone.
 */
static int gdb_run_raw(struct gdb_piece *p, uint32_t flags, enum kinds kinds, uint64_t insns,
		       uint64_t cycles, bool undone)
{
	struct montecito_breakpoint bp[MONTECITO_MAX_BREAKPOINTS];
	struct montecito_run run = p->want;
	unsigned int i;
	int err;

	run.flags |= flags;
	run.insns = insns;
	run.cycles = cycles;
	run.step_vcpu = flags & MONTECITO_RUN_STEP ? p->g->step_vcpu : 0;
	for (i = 0; i < p->g->nr_bp; i++)
		if (gdb_run_kept(kinds, &p->g->bp[i]))
			bp[run.nr_breakpoints++] = p->g->bp[i];
	if (run.nr_breakpoints) {
		run.flags |= MONTECITO_RUN_BREAKPOINTS;
		run.breakpoints = (uintptr_t)bp;
	}
	err = montecito_run_raw(p->g->m, &run);
	if (err)
		return err;
	p->want.flags &= ~MONTECITO_RUN_MMIO_DATA;
	p->want.mmio_vcpu = 0;
	p->want.mmio_data[0] = 0;
	p->want.mmio_data[1] = 0;
	p->x = run.exit;
	if (undone)
		return 0;
	if (run.uncounted) {
		p->want.uncounted = run.uncounted;
		p->want.uncounted_vcpu = run.uncounted_vcpu;
	}
	p->insns += run.exit.insns;
	p->cycles += run.exit.cycles;
	return 0;
}

/* ---- within a group of a machine with time ---- */

static bool gdb_run_timed(const struct gdb_piece *p)
{
	return p->g->timed && !(p->want.flags & MONTECITO_RUN_FUNCTIONAL);
}

static void gdb_run_group_forget(struct gdb *g)
{
	free(g->group.blob);
	memset(&g->group, 0, sizeof(g->group));
}

void gdb_commit(struct gdb *g)
{
	gdb_run_group_forget(g);
}

int gdb_change(struct gdb *g)
{
	if (gdb_history_past(g))
		return -EPERM;
	gdb_history_changed(g);
	gdb_run_group_forget(g);
	return 0;
}

/* One group as it is, with the cycles it waits; its exit may be for the caller to serve. */
static int gdb_run_group_run(struct gdb_piece *p)
{
	uint64_t pc = gdb_pc(p->g, 0), insns = p->insns;
	int err;

	do {
		err = gdb_run_raw(p, 0, WATCHED, 0, 1, false);
	} while (!err && p->x.reason == MONTECITO_EXIT_BUDGET && p->insns == insns &&
		 gdb_pc(p->g, 0) == pc);
	return err;
}

/* The machine stands in front of the group again, as if it had not been looked at. */
static int gdb_run_group_leave(struct gdb *g)
{
	int err = g->group.blob ? montecito_restore(g->m, g->group.blob, g->group.len) : 0;

	if (!err)
		gdb_run_group_forget(g);
	return err;
}

/*
 * Look into the group that comes next: how many instructions it has. Those of one are not
 * looked into: the machine has executed it, and *@whole is set.
 */
static int gdb_run_group_enter(struct gdb_piece *p, bool *whole)
{
	struct gdb_group *q = &p->g->group;
	struct gdb_piece before = *p;
	int err = montecito_save(p->g->m, &q->blob, &q->len);

	*whole = false;
	if (!err)
		err = gdb_run_group_run(p);
	if (err)
		return err;
	q->size = p->insns - before.insns;
	if (q->size <= 1) {
		gdb_run_group_forget(p->g);
		*whole = true;
		return 0;
	}
	err = montecito_restore(p->g->m, q->blob, q->len);
	*p = before;
	q->done = 0;
	return err;
}

/* One instruction further within the group; behind its last it has been executed as it is. */
static int gdb_run_group_step(struct gdb_piece *p, bool *whole)
{
	struct gdb_group *q = &p->g->group;
	int err;

	*whole = q->done + 1 >= q->size;
	if (!*whole) {
		p->g->step_vcpu = 0;
		err = gdb_run_raw(p, MONTECITO_RUN_STEP | MONTECITO_RUN_FUNCTIONAL, WATCHED, 0, 0,
				  true);
		q->done++;
		if (err || p->x.reason == MONTECITO_EXIT_STEP)
			return err;
		/* With time the group must be executed whole. */
		*whole = true;
	}
	err = gdb_run_group_leave(p->g);
	return err ? err : gdb_run_group_run(p);
}

/* ---- stops ---- */

static const struct montecito_breakpoint *gdb_run_breakpoint_at(const struct gdb *g, uint64_t pc)
{
	unsigned int i;

	for (i = 0; i < g->nr_bp; i++)
		if (g->bp[i].kind == MONTECITO_BREAK_EXEC && g->bp[i].addr == pc)
			return &g->bp[i];
	return NULL;
}

static const char *gdb_run_why(const struct gdb *g, const struct montecito_breakpoint *b)
{
	if (g->watch_type[b - g->bp] == '1')
		return g->hwbreak ? "hwbreak:;" : "";
	return g->swbreak ? "swbreak:;" : "";
}

const char *gdb_breakpoint_why(const struct gdb *g, uint64_t pc)
{
	const struct montecito_breakpoint *b = gdb_run_breakpoint_at(g, pc);

	return b ? gdb_run_why(g, b) : NULL;
}

static void gdb_run_stop_breakpoint(struct gdb *g, const struct montecito_breakpoint *b)
{
	gdb_stop(g, GDB_SIGTRAP, "%s", gdb_run_why(g, b));
}

/* The last exit tells of a reference to a watched range: stop behind it. */
static bool gdb_run_stop_watched(struct gdb_piece *p)
{
	static const char *const name[] = { ['2'] = "watch", ['3'] = "rwatch", ['4'] = "awatch" };
	const struct montecito_watch *w = &p->x.watch;
	struct gdb *g = p->g;
	unsigned int i;

	for (i = 0; w->kind && i < g->nr_bp; i++) {
		const struct montecito_breakpoint *b = &g->bp[i];

		if (!(b->kind & w->kind) || w->addr > b->addr + (b->length - 1) ||
		    w->addr + (w->length - 1) < b->addr)
			continue;
		g->vcpu = w->vcpu;
		gdb_stop(g, GDB_SIGTRAP, "%s:%" PRIx64 ";", name[(int)g->watch_type[i]],
			 b->addr > w->addr ? (uint64_t)b->addr : (uint64_t)w->addr);
		return true;
	}
	return false;
}

bool gdb_for_caller(const struct gdb_piece *p)
{
	switch (p->x.reason) {
	case MONTECITO_EXIT_BUDGET:
	case MONTECITO_EXIT_STEP:
	case MONTECITO_EXIT_BREAKPOINT:
	case MONTECITO_EXIT_WATCHPOINT:
		return false;
	default:
		return true;
	}
}

/* An instruction has been executed: that was the step, unless a range of them is stepped. */
static void gdb_run_stepped(struct gdb *g)
{
	uint64_t pc = gdb_pc(g, g->step_vcpu);

	g->due = pc < g->lo || pc >= g->hi || gdb_run_breakpoint_at(g, pc);
	g->vcpu = g->step_vcpu;
}

/* ---- the ways of going on ---- */

/* Return: the rest of @limit after @done, but no more than @piece. */
static uint64_t gdb_run_least(uint64_t limit, uint64_t done, uint64_t piece)
{
	if (!limit || limit - done > piece)
		return piece;
	return limit - done;
}

static int gdb_run_step_timed(struct gdb_piece *p)
{
	struct gdb *g = p->g;
	uint64_t insns = p->insns;
	bool whole;
	int err;

	if (!g->group.blob) {
		err = gdb_run_group_enter(p, &whole);
		if (err || whole)
			goto out;
	}
	err = gdb_run_group_step(p, &whole);
out:
	if (err)
		return err;
	if (gdb_run_stop_watched(p))
		return 0;
	/* A fault in the way is served first. */
	if (!whole || p->insns != insns || p->x.reason == MONTECITO_EXIT_BUDGET)
		gdb_run_stepped(g);
	return 0;
}

int gdb_step(struct gdb_piece *p)
{
	struct gdb *g = p->g;
	int err;

	if (gdb_run_timed(p))
		return gdb_run_step_timed(p);
	/* Other vcpus have their turns meanwhile, so a step is cut into pieces, as a run is. */
	err = gdb_run_raw(p, MONTECITO_RUN_STEP, WATCHED,
			  gdb_run_least(p->want.insns, p->insns, PIECE_INSNS),
			  gdb_run_least(p->want.cycles, p->cycles, PIECE_CYCLES), false);
	if (err)
		return err;
	g->within = p->x.reason == MONTECITO_EXIT_STEP && p->x.within;
	if (gdb_run_stop_watched(p))
		return 0;
	if (p->x.reason == MONTECITO_EXIT_STEP || p->x.reason == MONTECITO_EXIT_BREAK ||
	    p->x.reason == MONTECITO_EXIT_FIRMWARE)
		gdb_run_stepped(g);
	return 0;
}

/* On from within a group to its end, unless there is a breakpoint in the rest of it. */
static int gdb_run_leave_group(struct gdb_piece *p)
{
	struct gdb *g = p->g;
	int err = 0;

	while (!err && g->resume == GDB_CONTINUE && (g->within || g->group.blob)) {
		const struct montecito_breakpoint *b;
		bool whole = false;

		if (g->group.blob) {
			err = gdb_run_group_step(p, &whole);
		} else {
			err = gdb_run_raw(p, MONTECITO_RUN_STEP, WATCHED, 0, 0, false);
			g->within = p->x.reason == MONTECITO_EXIT_STEP && p->x.within;
		}
		if (err || gdb_run_stop_watched(p) || gdb_for_caller(p))
			break;
		b = gdb_run_breakpoint_at(g, gdb_pc(g, g->step_vcpu));
		/* A breakpoint at the beginning of a group is found by RUN. */
		if (b && !whole && (g->within || g->group.blob)) {
			g->vcpu = g->step_vcpu;
			gdb_run_stop_breakpoint(g, b);
		}
	}
	return err;
}

/* The group that comes next has a breakpoint: go up to it. */
static int gdb_run_reach_breakpoint(struct gdb_piece *p)
{
	struct gdb *g = p->g;
	const struct montecito_breakpoint *b;
	bool whole = false;
	int err = 0;

	g->vcpu = p->x.vcpu;
	g->step_vcpu = p->x.vcpu;
	while (!err) {
		b = gdb_run_breakpoint_at(g, gdb_pc(g, g->vcpu));
		if (b) {
			gdb_run_stop_breakpoint(g, b);
			break;
		}
		if (!gdb_run_timed(p)) {
			err = gdb_run_raw(p, MONTECITO_RUN_STEP, WATCHED, 0, 0, false);
			g->within = p->x.reason == MONTECITO_EXIT_STEP && p->x.within;
			if (gdb_run_stop_watched(p) || gdb_for_caller(p) || !g->within)
				break;
			continue;
		}
		if (!g->group.blob)
			err = gdb_run_group_enter(p, &whole);
		if (!err && !whole)
			err = gdb_run_group_step(p, &whole);
		if (err || whole) {
			if (!err)
				(void)gdb_run_stop_watched(p);
			break;
		}
	}
	return err;
}

int gdb_go_on(struct gdb_piece *p)
{
	struct gdb *g = p->g;
	int err;

	if (g->within || g->group.blob)
		return gdb_run_leave_group(p);
	err = gdb_run_raw(p, 0, ALL, gdb_run_least(p->want.insns, p->insns, PIECE_INSNS),
			  gdb_run_least(p->want.cycles, p->cycles, PIECE_CYCLES), false);
	if (err || gdb_run_stop_watched(p))
		return err;
	return p->x.reason == MONTECITO_EXIT_BREAKPOINT ? gdb_run_reach_breakpoint(p) : 0;
}

int gdb_run_on(struct gdb_piece *p, uint64_t insns)
{
	return gdb_run_raw(p, 0, NONE, insns < PIECE_INSNS ? insns : PIECE_INSNS, PIECE_CYCLES,
			   false);
}

/* True if the caller's budget is used up. False within a group: a group is not divided. */
static bool gdb_run_used_up(const struct gdb_piece *p)
{
	if (p->g->within || p->g->group.blob)
		return false;
	return (p->want.insns && p->insns >= p->want.insns) ||
	       (p->want.cycles && p->cycles >= p->want.cycles);
}

static void gdb_run_answer(struct gdb_piece *p, struct montecito_run *run, bool served)
{
	gdb_history_end(p->g, served ? &p->x : NULL);
	if (!served)
		p->x.reason = MONTECITO_EXIT_BUDGET;
	*run = p->want;
	run->exit = p->x;
	run->exit.insns = p->insns;
	run->exit.cycles = p->cycles;
}

/* End a RUN for a signal, or for a client that ends the guest. */
static void gdb_run_interrupted(struct gdb_piece *p, struct montecito_run *run)
{
	(void)gdb_history_return(p->g);
	/* Undo the part of the group that was shown. */
	(void)gdb_run_group_leave(p->g);
	if (p->g->killed && p->g->process)
		montecito_process_stop(p->g->process);
	p->x = (struct montecito_exit){ .reason = MONTECITO_EXIT_SIGNAL };
	gdb_run_answer(p, run, true);
}

int gdb_run(struct montecito *m, struct montecito_run *run, void *arg)
{
	struct gdb_piece p = { .g = arg, .want = *run };
	struct gdb *g = arg;
	int err;

	(void)m;
	gdb_history_note(g, run, true);
	do {
		if (g->due)
			gdb_stop(g, GDB_SIGTRAP, "%s", "");
		if (g->resume == GDB_STOPPED) {
			err = gdb_serve(g);
			if (err == -EINTR || g->killed) {
				gdb_run_interrupted(&p, run);
				return 0;
			}
		} else {
			gdb_poll(g);
			if (g->resume == GDB_STOPPED)
				continue;
			if (g->killed) {
				gdb_run_interrupted(&p, run);
				return 0;
			}
		}
		if (!g->attached) {
			err = gdb_history_return(g);
			if (err)
				return err;
		}
		if (gdb_history_past(g) || g->resume == GDB_STEP_BACK ||
		    g->resume == GDB_CONTINUE_BACK) {
			err = gdb_history_go(g);
			if (err)
				return err;
			continue;
		}
		gdb_history_note(g, &p.want, false);
		err = g->resume == GDB_STEP ? gdb_step(&p) : gdb_go_on(&p);
		if (err)
			return err;
		if (gdb_for_caller(&p)) {
			gdb_run_answer(&p, run, true);
			return 0;
		}
	} while (gdb_history_past(g) || !gdb_run_used_up(&p));
	gdb_run_answer(&p, run, false);
	return 0;
}
