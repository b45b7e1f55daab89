/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The remote stub for gdb (its manual's appendix "Remote Protocol"): what its files share.
 * The stub takes the place of the call RUN (montecito_debug()), below the code that serves system
 * calls or firmware of the guest. Called by run.c and boot.c; gdb_session.c and the other files of the
 * stub call each other.
 */
#ifndef GDB_H
#define GDB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "libmontecito.h"

/* Most bytes of a packet's payload, either way: all registers in hexadecimal and more. */
#define GDB_PACKET 0x4000

/* ---- gdb_link.c: packets ---- */

/**
 * struct gdb_link - a client, or none
 * @listener: where clients connect, or -1 with standard input and output
 * @in: from the client, -1 for none
 * @out: to it
 * @ack: packets are acknowledged
 * @rx: what has come in and was not looked at
 * @rx_len: bytes of it
 * @rx_pos: of them, those that were
 * @packet: the packet that comes in
 * @len: its bytes so far
 * @state: which part of a packet comes next
 * @sum: its checksum so far
 * @given: the checksum that comes with it
 * @digits: digits of it that have come
 * @escaped: the next byte is
 * @too_long: it has more bytes than there is room for
 * @reply: the last packet that went out, as it was sent
 * @reply_len: its bytes
 */
struct gdb_link {
	int listener;
	int in;
	int out;
	bool ack;
	uint8_t rx[4096];
	size_t rx_len;
	size_t rx_pos;
	char packet[GDB_PACKET + 1];
	size_t len;
	unsigned int state;
	uint8_t sum;
	unsigned int given;
	unsigned int digits;
	bool escaped;
	bool too_long;
	char *reply;
	size_t reply_len;
};

enum gdb_event {
	GDB_NOTHING, /* within the time given, or a signal came */
	GDB_PACKET_IN, /* @packet has @len bytes and a NUL */
	GDB_PACKET_BAD, /* one that was too long */
	GDB_INTERRUPT, /* Ctrl-C */
	GDB_CLOSED, /* the client has gone */
	GDB_NEW, /* there is one now */
};

/* Listen where @where says, [HOST:]PORT or "-": 0, or EXIT_MONTCTL after a message. */
int gdb_link_open(struct gdb_link *l, const char *where);
void gdb_link_close(struct gdb_link *l);
/* The client is done; another one may come. */
void gdb_link_drop(struct gdb_link *l);
/* Wait for the next event for up to @timeout milliseconds; -1: without limit. */
enum gdb_event gdb_link_wait(struct gdb_link *l, int timeout);
/* Send @len bytes of payload. */
void gdb_link_put(struct gdb_link *l, const char *data, size_t len);

/* ---- the stub ---- */

/* How the guest goes on. */
enum gdb_resume {
	GDB_STOPPED,
	GDB_CONTINUE,
	GDB_STEP, /* @step_vcpu, by one instruction */
	GDB_STEP_BACK,
	GDB_CONTINUE_BACK,
};

/**
 * struct gdb_group - an issue group of a machine with time, looked at from within
 * @blob: the machine in front of it; NULL: it is not
 * @len: bytes of it
 * @done: instructions of it that the machine has executed, functionally
 * @size: instructions that it has
 *
 * With time a group is one event. What is shown within is executed functionally from a
 * saved state, which is restored before the guest goes on.
 */
struct gdb_group {
	void *blob;
	size_t len;
	uint64_t done;
	uint64_t size;
};

/**
 * struct gdb - a debugged machine
 * @link: to the client
 * @m: the machine
 * @process: what runs on it, or NULL
 * @system: likewise
 * @identity: it is a Linux kernel, whose mapping of all memory is known
 * @nr_vcpus: of @m
 * @timed: it has time
 * @attached: a client has it
 * @killed: a client has ended it
 * @resume: what is under way
 * @step_vcpu: of GDB_STEP
 * @lo: a step goes on while the instruction is in @lo...
 * @hi: ...up to this; both 0 for one instruction
 * @due: the step has been made, and is reported before the machine runs again
 * @within: vcpu @step_vcpu stands within a group, without time
 * @group: with time, the group it stands within
 * @stop: the last stop reply
 * @vcpu: that stopped, of g, m and others
 * @bp: breakpoints and watched ranges
 * @nr_bp: how many
 * @watch_type: of each, the digit of its Z packet
 * @physical: addresses of memory are physical
 * @swbreak: the client knows that reason to stop
 * @hwbreak: likewise
 * @quiet: a stop is not told
 * @history: what is known of the past, or NULL
 * @cycles: by vcpu, how cycles were spent up to the last stop but one, and up to the last
 */
struct gdb {
	struct gdb_link link;
	struct montecito *m;
	struct montecito_process *process;
	struct montecito_system *system;
	bool identity;
	unsigned int nr_vcpus;
	bool timed;
	bool attached;
	bool killed;
	enum gdb_resume resume;
	unsigned int step_vcpu;
	uint64_t lo;
	uint64_t hi;
	bool due;
	bool within;
	struct gdb_group group;
	char stop[256];
	unsigned int vcpu;
	struct montecito_breakpoint bp[MONTECITO_MAX_BREAKPOINTS];
	char watch_type[MONTECITO_MAX_BREAKPOINTS];
	unsigned int nr_bp;
	bool physical;
	bool swbreak;
	bool hwbreak;
	bool quiet;
	struct gdb_history *history;
	struct gdb_cycles *cycles;
};

/* ---- gdb_session.c ---- */

/* The machine has stopped: serve the client until it is to go on. 0, or -EINTR for a signal. */
int gdb_serve(struct gdb *g);
/* Look for input of the client, between two pieces of a run. */
void gdb_poll(struct gdb *g);
void gdb_send(struct gdb *g, const char *text);

/* ---- gdb_run.c ---- */

/* In the place of RUN: montecito_debug(). */
int gdb_run(struct montecito *m, struct montecito_run *run, void *arg);
/* Signals that stops are told as, in gdb's numbers. */
#define GDB_SIGINT 2
#define GDB_SIGTRAP 5

/* g->vcpu has stopped by @signal for the reason that @fmt says in the protocol's words. */
__attribute__((format(printf, 3, 4))) void gdb_stop(struct gdb *g, int signal, const char *fmt,
						    ...);
/*
 * The client will change the machine: make the state shown within a group the machine's, and
 * begin the history anew. -EPERM in the past.
 */
int gdb_change(struct gdb *g);
/* Make the state shown within a group the machine's state. */
void gdb_commit(struct gdb *g);
/* IP with the slot in its low bits. */
uint64_t gdb_pc(struct gdb *g, unsigned int vcpu);

/**
 * struct gdb_piece - a RUN in progress, which may have many
 * @g: the debugger
 * @want: what the caller asks for
 * @insns: instructions so far
 * @cycles: cycles so far
 * @x: the last exit
 */
struct gdb_piece {
	struct gdb *g;
	struct montecito_run want;
	uint64_t insns;
	uint64_t cycles;
	struct montecito_exit x;
};

/* One instruction, or what comes in between; g->due or a stop says that it was the step. */
int gdb_step(struct gdb_piece *p);
/* A piece, up to the next stop. */
int gdb_go_on(struct gdb_piece *p);
/* A piece of @insns instructions at most, whatever breakpoints there are. */
int gdb_run_on(struct gdb_piece *p, uint64_t insns);
/* The last exit is one that the caller of RUN serves before the guest goes on. */
bool gdb_for_caller(const struct gdb_piece *p);
/* Why the client is told of a stop at @pc, or NULL: there is no breakpoint. */
const char *gdb_breakpoint_why(const struct gdb *g, uint64_t pc);

/* ---- gdb_history.c ---- */

/* Remember the past from now on, or no more: 0, -EBUSY in the past, -EOPNOTSUPP. */
int gdb_history_set(struct gdb *g, bool on);
void gdb_history_tell(const struct gdb *g, FILE *f);
/* The machine is about to run as @want asks; @entry: the caller has had its turn. */
void gdb_history_note(struct gdb *g, const struct montecito_run *want, bool entry);
/* The caller has its turn, for the exit @x or for nothing (NULL). */
void gdb_history_end(struct gdb *g, const struct montecito_exit *x);
/* The client has changed the machine: there is no past any more. */
void gdb_history_changed(struct gdb *g);
/* The machine stands before the present. */
bool gdb_history_past(const struct gdb *g);
/* Go on as g->resume says, in the past or into it, until a stop. */
int gdb_history_go(struct gdb *g);
/* The machine stands in the present again. */
int gdb_history_return(struct gdb *g);

/* ---- gdb_registers.c ---- */

#define GDB_REGISTERS 462

/* Register @n as @size bytes in @value: 0, or a negative errno. */
int gdb_register_get(struct gdb *g, unsigned int n, uint8_t value[16], size_t *size);
int gdb_register_set(struct gdb *g, unsigned int n, const uint8_t value[16]);
size_t gdb_register_size(unsigned int n);

/**
 * struct gdb_stack - a register stack as gdb has it: all of it in memory
 * @bspstore: AR.BSPSTORE
 * @bsp: AR.BSP
 * @end: where the frame ends
 * @rnat: AR.RNAT
 * @rrb: rename base
 * @sor: rotating registers
 */
struct gdb_stack {
	uint64_t bspstore;
	uint64_t bsp;
	uint64_t end;
	uint64_t rnat;
	unsigned int rrb;
	unsigned int sor;
};

int gdb_stack(struct gdb *g, struct gdb_stack *s);
/* The word at @va, from s->bspstore up to s->end, of which memory may know nothing. */
int gdb_stack_get(struct gdb *g, const struct gdb_stack *s, uint64_t va, uint64_t *v);
int gdb_stack_set(struct gdb *g, const struct gdb_stack *s, uint64_t va, uint64_t v);

/* ---- gdb_memory.c ---- */

int gdb_memory_get(struct gdb *g, uint64_t addr, uint8_t *buf, size_t len);
int gdb_memory_set(struct gdb *g, uint64_t addr, const uint8_t *buf, size_t len);

/* ---- gdb_monitor.c ---- */

/* Do @command; what it says is in *@text, which is malloc()ed. */
void gdb_monitor(struct gdb *g, char *command, char **text);
/* Keep the causes of the cycles since the last stop. */
void gdb_monitor_stop(struct gdb *g);

/* ---- for the commands ---- */

#define GDB_HELP                                                                          \
	"  --gdb [HOST:]PORT  wait there for gdb to debug the guest; HOST is 127.0.0.1\n" \
	"                     without it, port 0 any that is free; -: standard input\n"   \
	"                     and output\n"

/* Debug @m, from its first instruction on: 0, or EXIT_MONTCTL after a message. */
int gdb_open(struct gdb **res, const char *where, struct montecito *m, bool timed);
/* The client has ended the guest. */
bool gdb_killed(const struct gdb *g);
/* The guest has ended with @status; NULL for @g is allowed. */
void gdb_close(struct gdb *g, int status);

#endif
