// SPDX-License-Identifier: GPL-2.0-only
/*
 * The system bus (manual 2.5 and 4.11).
 *
 * A transaction waits in its core's place of the arbiter until it is issued. From then on it is
 * in the in-order queue, up to the last of its data, and behind what its core has issued before.
 *
 * Of a core's transactions reads, and those without data, go before lines to be written, and these
 * before clean castouts (2.5.1). So a line that is written or cast out waits until the cycle has
 * come in which it is issued, and each read that is asked for before puts it off. It waits no
 * longer where there is no room for another one, which would have to be put off as well.
 * Writes of parts of a line are issued in order with those of lines, and not put off: a release may
 * wait for them.
 *
 * Two cores are granted the bus one to one: a core finds the first cycles that the other has
 * not, and as long as the other asks as well leaves room for one of its transactions behind each of
 * its own. So neither waits for more than one transaction of the other for each of its own,
 * though an answer is never taken back.
 */
#include "bus.h"

#define NOT_LINE (MONT_L2_LINE - 1)

MONT_SIZE_FITS(ioq, MONT_NR_IOQ);

/**
 * struct issue - a transaction
 * @line: its address
 * @entered: the cycle in which the arbiter has it
 * @issued: and that in which it is issued
 * @snooped: the cycle in which its snoop phase ends; 0: it has none
 * @entry: of the in-order queue
 */
struct issue {
	u64 line;
	u64 entered;
	u64 issued;
	u64 snooped;
	unsigned int entry;
};

/* The queues of a core that both are told of lie in one order. */
_Static_assert((u32)MONT_QUEUE_SI_IOQ - (u32)MONT_QUEUE_SI_RQ ==
		       (u32)MONT_TALLY_SI_IOQ - (u32)MONT_TALLY_SI_RQ,
	       "occupancy.def and tally.def go together");

static struct mont_bus_port *bus_port(const struct mont_hierarchy *h)
{
	return &h->bus->port[h->core];
}

/* The first cycle from @from on in which the bus carries nothing of @other for @cycles. */
static u64 bus_gap(const struct mont_slots *other, u64 from, u64 cycles)
{
	unsigned int i;

	for (i = 0; i < MONT_NR_SLOTS; i++) {
		/* Begin again behind what is in the way. */
		if (other->until[i] > from && other->from[i] < from + cycles) {
			from = other->until[i];
			i = -1U;
		}
	}
	return from;
}

/* @queue of the core has one more in use from cycle @from on, and @tally of both cores has. */
static void bus_occupy(struct mont_hierarchy *h, enum mont_queue queue, u32 tally, u64 from,
		       u64 until)
{
	mont_occupy(&h->occupancy, queue, from, until);
	if (unlikely(mont_bus_is_shared(h->bus)))
		mont_tally_occupy(&h->bus->tally, tally, from, until);
}

/* The port of the other core, NULL if there is none. */
static struct mont_bus_port *bus_other_port(const struct mont_hierarchy *h)
{
	return mont_bus_is_shared(h->bus) ? &h->bus->port[!h->core] : NULL;
}

/*
 * @own slots of a core have @cycles more from cycle @from on, or as soon as there are that many
 * between @others, those of the other core: NULL if there is none. Behind them the core leaves @room.
 */
static u64 bus_take(struct mont_slots *own, const struct mont_slots *others, u64 from, u64 cycles,
		    u64 room)
{
	if (from < own->next)
		from = own->next;
	if (unlikely(others)) {
		from = bus_gap(others, from, cycles);
		own->from[own->nr % MONT_NR_SLOTS] = from;
		own->until[own->nr % MONT_NR_SLOTS] = from + cycles;
		own->nr++;
	}
	own->next = from + cycles + room;
	return from;
}

/* Cycles for a transaction of @cycles that a core leaves to @other, where that asks as well. */
static u64 bus_room(const struct mont_hierarchy *h, const struct mont_bus_port *other, u64 cycles)
{
	return other && other->asked && other->asked + h->timing.memory >= bus_port(h)->asked
		       ? cycles
		       : 0;
}

static u64 bus_address_cycles(struct mont_hierarchy *h, u64 from)
{
	const struct mont_bus_port *other = bus_other_port(h);
	u64 cycles = h->timing.request;

	return bus_take(&bus_port(h)->address, other ? &other->address : NULL, from, cycles,
			bus_room(h, other, cycles));
}

/* @which queue of the arbiter has one more in use from cycle @from on. */
static void bus_occupy_place(struct mont_hierarchy *h, enum mont_queue which, u64 from, u64 until)
{
	bus_occupy(h, which, MONT_TALLY_SI_RQ + which - MONT_QUEUE_SI_RQ, from, until);
}

/* The cycle, @from or later, in which the in-order queue has room for a transaction: its @entry. */
static u64 bus_turn(const struct mont_hierarchy *h, u64 from, unsigned int *entry)
{
	const struct mont_bus_port *port = bus_port(h);

	if (from < port->address.next)
		from = port->address.next;
	return mont_fills_take(&h->bus->ioq, h->timing.ioq, from, entry);
}

/* The turn, from cycle @from on, of the transaction of @line that has @place. */
static struct issue bus_issue_from(struct mont_hierarchy *h, const struct mont_place *place,
				   u64 line, u64 from)
{
	struct issue i = { .line = line & ~(u64)NOT_LINE, .entered = place->entered };

	i.issued = bus_turn(h, from, &i.entry);
	i.issued = bus_address_cycles(h, i.issued);
	mont_arbiter_issue(place, i.issued, i.line);
	return i;
}

/* The request in @reply, of @line, is issued in cycle @at, which is what happens @in. */
static void bus_reply(const struct mont_hierarchy *h, u64 line, u64 at, enum mont_reply_cycle in,
		      struct mont_reply *reply)
{
	reply->at[in] = at;
	if (mont_fills_pending(&h->bus->ioq, MONT_NR_IOQ, line & ~(u64)NOT_LINE, at))
		reply->sent |= MONT_SENT_BIT(IOQ_COLLIDED) << (in - MONT_REPLY_IN_BUS);
}

/* The transaction @i is done with in cycle @end, or when those of its core before it are. */
static void bus_finish(struct mont_hierarchy *h, const struct issue *i, u64 end)
{
	struct mont_bus_port *port = bus_port(h);

	if (end < i->snooped)
		end = i->snooped;
	if (end < port->done)
		end = port->done;
	port->done = end;
	mont_fills_hold(&h->bus->ioq, i->entry, end, i->line);
	bus_occupy(h, MONT_QUEUE_SI_IOQ, MONT_TALLY_SI_IOQ, i->issued, end);
}

/* True if data of a core, or those of @other, end where those of cycle @from begin. */
static bool bus_data_follow(const struct mont_slots *own, const struct mont_slots *other, u64 from)
{
	unsigned int i;

	for (i = 0; i < MONT_NR_SLOTS; i++)
		if (own->until[i] == from || other->until[i] == from)
			return true;
	return false;
}

static u64 bus_data_cycles(struct mont_hierarchy *h, u64 from, u64 cycles)
{
	const struct mont_bus_port *other = bus_other_port(h);
	struct mont_slots *data = &bus_port(h)->data;
	u64 next = data->next;
	bool follow;

	from = bus_take(data, other ? &other->data : NULL, from, cycles,
			bus_room(h, other, h->timing.line));
	follow = other ? bus_data_follow(data, &other->data, from) : from == next;
	bus_occupy(h, MONT_QUEUE_BUS_DATA, MONT_TALLY_BUS_DATA, from, from + cycles);
	if (follow)
		bus_occupy(h, MONT_QUEUE_BUS_B2B, MONT_TALLY_BUS_B2B, from, from + cycles);
	return from;
}

/* ---- lines that wait in the arbiter ---- */

static enum mont_queue bus_queue_of(const struct mont_waiting *w)
{
	return w->castout ? MONT_QUEUE_SI_CCQ : MONT_QUEUE_SI_WRITEQ;
}

/* @w is not issued before cycle @at. */
static void bus_wait_until(struct mont_hierarchy *h, struct mont_waiting *w, u64 at)
{
	if (at <= w->at)
		return;
	if (w->place != MONT_NO_PLACE) {
		bus_occupy_place(h, bus_queue_of(w), w->at, at);
		mont_fills_hold(mont_arbiter_queue(&bus_port(h)->arbiter, w), w->place, at,
				w->line & ~(u64)NOT_LINE);
	}
	mont_arbiter_expect(&bus_port(h)->arbiter, w, at);
	if (w->buffer != MONT_NO_BUFFER)
		mont_fills_hold(&h->l3.victims, w->buffer, at + h->timing.line, w->line);
}

/* Lines that wait are put off by a transaction that has been issued. */
static void bus_put_off(struct mont_hierarchy *h)
{
	struct mont_arbiter *a = &bus_port(h)->arbiter;
	const struct mont_bus_port *other = bus_other_port(h);
	u64 cycles = h->timing.request, next = 0, n;

	for (n = 0; n < a->nr_waiting; n++) {
		struct mont_waiting *w = &a->waiting[n];
		unsigned int entry;
		u64 at = bus_turn(h, w->entered < next ? next : w->entered + 1, &entry);

		if (unlikely(other))
			at = bus_gap(&other->address, at, cycles);
		bus_wait_until(h, w, at);
		next = w->at + cycles + bus_room(h, other, cycles);
	}
}

/* The first line that waits is issued. */
static void bus_let_next_out(struct mont_hierarchy *h)
{
	struct mont_place place;
	struct mont_waiting w = mont_arbiter_next(&bus_port(h)->arbiter, &place);
	/* The line is not issued before the cycle that has been told. */
	struct issue i = bus_issue_from(h, &place, w.line, w.at > w.entered ? w.at : w.entered + 1);
	u64 end = i.issued + h->timing.request;

	if (!w.castout)
		end = bus_data_cycles(h, i.issued, h->timing.line) + h->timing.line;
	bus_occupy_place(h, bus_queue_of(&w), w.at, i.issued);
	mont_arbiter_expect(&bus_port(h)->arbiter, &w, i.issued);
	mont_arbiter_hand_on(&bus_port(h)->arbiter, &place, i.issued);
	bus_finish(h, &i, end);
	if (w.buffer != MONT_NO_BUFFER)
		mont_fills_hold(&h->l3.victims, w.buffer, end, w.line);
}

void mont_bus_let_out(struct mont_hierarchy *h)
{
	while (bus_port(h)->arbiter.nr_waiting)
		bus_let_next_out(h);
}

void mont_bus_go_on_slow(struct mont_hierarchy *h, u64 now)
{
	const struct mont_arbiter *a = &bus_port(h)->arbiter;

	while (a->nr_waiting && a->waiting[0].at <= now) {
		/* The other core may have taken the cycle. */
		bus_put_off(h);
		if (a->waiting[0].at > now)
			return;
		bus_let_next_out(h);
		bus_put_off(h);
	}
}

/* The core asks in cycle @now. */
static void bus_ask(struct mont_hierarchy *h, u64 now)
{
	struct mont_bus_port *port = bus_port(h);

	if (port->asked < now)
		port->asked = now;
	mont_bus_go_on(h, now);
}

/* The transaction @which of @pa, asked for in cycle @now, is issued before what waits. */
static struct issue bus_issue(struct mont_hierarchy *h, enum mont_queue which, u64 pa, u64 now,
			      struct mont_reply *reply)
{
	struct mont_arbiter *a = &bus_port(h)->arbiter;
	struct mont_place place;
	struct issue i;

	bus_ask(h, now);
	/* Writes go in their order. */
	while (which == MONT_QUEUE_SI_WRITEQ && a->nr_waiting && !a->waiting[0].castout)
		bus_let_next_out(h);
	place = mont_arbiter_take(a, &h->timing, which, now);
	mont_bus_go_on(h, place.entered);
	i = bus_issue_from(h, &place, pa, place.entered + 1);
	bus_occupy_place(h, which, i.entered, i.issued);
	bus_reply(h, i.line, i.issued, MONT_REPLY_IN_BUS, reply);
	bus_put_off(h);
	return i;
}

/*
 * @line is to be written, or cast out, and waits, from cycle @now on; it lies in @buffer of the
 * victims. What happens in its cycle, @in, is told of that cycle as it is now: reads may put it off.
 */
static void bus_wait(struct mont_hierarchy *h, bool castout, u64 line, u32 buffer, u64 now,
		     enum mont_reply_cycle in, struct mont_reply *reply)
{
	struct mont_waiting w = {
		.line = line, .entered = now, .buffer = buffer, .castout = castout
	};
	struct mont_arbiter *a = &bus_port(h)->arbiter;
	const struct mont_waiting *of;

	bus_ask(h, now);
	of = mont_arbiter_wait(a, &h->timing, w);
	if (unlikely(!of)) {
		mont_bus_let_out(h);
		of = mont_arbiter_wait(a, &h->timing, w);
	}
	bus_put_off(h);
	bus_reply(h, line, of->at, in, reply);
	reply->waits |= 1u << (in - MONT_REPLY_IN_BUS);
	reply->line[in - MONT_REPLY_IN_BUS] = of->number;
}

/* ---- snoops ---- */

/*
 * A snoop for a transaction of core @core is answered in cycle @answered. Return: the cycle in which
 * its snoop phase ends, which is @end if nothing holds it up. A late answer does, by stalls of two
 * clocks of the bus each, half as many as the phase has, and what holds up one transaction
 * holds up those that are to end meanwhile.
 */
static u64 bus_snoop_phase(struct mont_bus *bus, u32 core, u64 end, u64 answered)
{
	u64 stall = (bus->caches[core]->timing.snoop + 1) / 2, late;
	struct mont_slots *stalls = &bus->stalls;

	end = bus_gap(stalls, end, 0);
	if (likely(answered <= end))
		return end;
	late = (answered - end + stall - 1) / stall * stall;
	end = bus_gap(stalls, end, late);
	stalls->from[stalls->nr % MONT_NR_SLOTS] = end;
	stalls->until[stalls->nr % MONT_NR_SLOTS] = end + late;
	stalls->nr++;
	if (stalls->next < end + late)
		stalls->next = end + late;
	mont_tally_occupy(&bus->tally, MONT_TALLY_SNOOP_STALL, end, end + late);
	mont_tally_occupy(&bus->tally, MONT_TALLY_OWN_STALL + core, end, end + late);
	return end + late;
}

/* The cycle in which the core of @h, which is asked for @line in cycle @asked, answers. */
static u64 bus_answer(const struct mont_hierarchy *h, u64 line, u32 state, u64 asked)
{
	u64 answered = asked + h->timing.l3, comes;

	if (state != MONT_LINE_M)
		return answered;
	/* A core that waits for a line to modify it answers when the line is in its L2D. */
	comes = mont_fills_pending(&h->l2d.fills, MONT_L2D_FILLS, line, answered);
	return comes ? comes : answered;
}

/*
 * The caches of core @core are asked for the line of @i, of the other core: its state there.
 * The core looks it up, in its L3 last, and the answer waits for the end of the snoop phase.
 */
static u32 bus_ask_core(struct mont_bus *bus, u32 core, struct issue *i, enum mont_snoop what)
{
	struct mont_hierarchy *h = bus->caches[core];
	const struct mont_arbiter *a = &bus->port[core].arbiter;
	u64 asked = i->issued + h->timing.request, end = asked + h->timing.snoop;
	u32 found = 0, state = mont_snoop(h, i->line, what, i->issued, &found);
	u64 answered = bus_answer(h, i->line, state, asked);

	end = bus_snoop_phase(bus, !core, end, answered);
	i->snooped = end;
	mont_snoop_note(&bus->snoops[core], &bus->inbox[core], h, i->line, asked + h->timing.l3,
			end);
	/* A clean line that is on its way comes as the snoop leaves it. */
	if (state != MONT_LINE_M)
		mont_arrivals_snoop(&bus->arrivals[core], i->line, asked + h->timing.l3,
				    what <= MONT_SNOOP_INSN ? MONT_LINE_S : MONT_LINE_I);
	if (state == MONT_LINE_M)
		found |= MONT_SNOOPED_BIT(HITM) | MONT_SNOOPED_BIT(WRITTEN_BACK);
	else
		found |= state ? MONT_SNOOPED_BIT(HIT) : MONT_SNOOPED_BIT(MISS);
	if (mont_fills_pending(&a->writes, MONT_NR_SI_WRITES, i->line, i->issued))
		found |= MONT_SNOOPED_BIT(WAQ_COLLIDED);
	if (mont_fills_pending(&a->castouts, MONT_NR_SI_CASTOUTS, i->line, i->issued))
		found |= MONT_SNOOPED_BIT(CCQ_COLLIDED);
	mont_tally_snoop(&bus->tally, core, found);
	mont_tally_occupy(&bus->tally, MONT_TALLY_SNOOPQ + core, asked, answered);
	mont_tally_occupy(&bus->tally, MONT_TALLY_OWN_SCB + core, answered, end);
	mont_tally_occupy(&bus->tally, MONT_TALLY_SCB, answered, end);
	return state;
}

/* By enum mont_snoop, the answer HITM; and that of HIT, which is counted for reads alone. */
static const u32 bus_hitm[] = {
	[MONT_SNOOP_DATA] = MONT_SENT_BIT(BUS_READ_HITM),
	[MONT_SNOOP_INSN] = MONT_SENT_BIT(BUS_READ_HITM),
	[MONT_SNOOP_OWN] = MONT_SENT_BIT(BUS_OWN_HITM),
	[MONT_SNOOP_CLAIM] = MONT_SENT_BIT(BUS_CLAIM_HITM),
};

/* The caches of the other core are asked for the line of @i: its state there. */
static u32 bus_snoop(struct mont_hierarchy *h, struct issue *i, enum mont_snoop what,
		     struct mont_reply *reply)
{
	u32 state;

	if (likely(!mont_bus_is_shared(h->bus)))
		return MONT_LINE_I;
	state = bus_ask_core(h->bus, !h->core, i, what);
	reply->at[MONT_REPLY_IN_SNOOP] = i->snooped;
	if (state == MONT_LINE_M)
		reply->sent |= bus_hitm[what];
	else if (state && what <= MONT_SNOOP_INSN)
		reply->sent |= MONT_SENT_BIT(BUS_READ_HIT);
	return state;
}

u64 mont_bus_read(struct mont_hierarchy *h, u64 pa, enum mont_snoop what, u64 now, u32 *state,
		  struct mont_reply *reply)
{
	struct issue i = bus_issue(h, MONT_QUEUE_SI_RQ, pa, now, reply);
	u64 ready = i.issued - 1 + h->timing.memory - h->timing.l2d;
	u32 there = bus_snoop(h, &i, what, reply);

	/*
	 * HITM: the other core gives the data when it has answered and read its L3. Those of memory
	 * have been asked for before, but are of no use until it has answered.
	 */
	if (unlikely(there == MONT_LINE_M))
		ready = i.snooped - 1 + h->timing.l3;
	else if (unlikely(ready < i.snooped))
		ready = i.snooped;
	*state = what == MONT_SNOOP_INSN || (what == MONT_SNOOP_DATA && there) ? MONT_LINE_S
									       : MONT_LINE_E;
	ready = bus_data_cycles(h, ready, h->timing.line);
	bus_finish(h, &i, ready + h->timing.line);
	/* 4.11.2: from the cycle behind the one that asks the arbiter on. */
	mont_occupy(&h->occupancy, h->front ? MONT_QUEUE_MEMORY_READ_1 : MONT_QUEUE_MEMORY_READ,
		    i.entered + 1, ready);
	return ready;
}

u64 mont_bus_read_partial(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply)
{
	struct issue i = bus_issue(h, MONT_QUEUE_SI_RQ, pa, now, reply);
	u64 cycles = h->timing.partial;
	u64 ready = bus_data_cycles(h, i.issued - 1 + h->timing.memory, cycles);

	bus_finish(h, &i, ready + cycles);
	reply->at[MONT_REPLY_IN_RETURN] = ready;
	return ready;
}

u64 mont_bus_ask(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply)
{
	struct issue i = bus_issue(h, MONT_QUEUE_SI_RQ, pa, now, reply);
	u64 done = i.issued + h->timing.request;

	bus_finish(h, &i, done);
	return done;
}

u64 mont_bus_claim(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply)
{
	struct issue i = bus_issue(h, MONT_QUEUE_SI_RQ, pa, now, reply);
	u64 done = i.issued + h->timing.request;

	(void)bus_snoop(h, &i, MONT_SNOOP_CLAIM, reply);
	bus_finish(h, &i, done);
	return done;
}

/* @cycles of data, of a part of a line, to memory: the cycle in which the arbiter has them. */
static u64 bus_write_part(struct mont_hierarchy *h, u64 pa, u64 now, u64 cycles,
			  struct mont_reply *reply)
{
	struct issue i = bus_issue(h, MONT_QUEUE_SI_WRITEQ, pa, now, reply);

	bus_finish(h, &i, bus_data_cycles(h, i.issued, cycles) + cycles);
	return i.entered;
}

void mont_bus_write(struct mont_hierarchy *h, u64 line, u32 buffer, u64 now,
		    enum mont_reply_cycle in, struct mont_reply *reply)
{
	bus_wait(h, false, line, buffer, now, in, reply);
}

u64 mont_bus_write_partial(struct mont_hierarchy *h, u64 pa, u32 size, u64 now,
			   struct mont_reply *reply)
{
	u64 cycles = h->timing.partial;

	if (size > 16) {
		reply->sent |= MONT_SENT_BIT(BUS_WRITE_32);
		cycles *= 2;
	} else if (size > 8) {
		reply->sent |= MONT_SENT_BIT(BUS_WRITE_16);
	} else {
		reply->sent |= pa & 8 ? MONT_SENT_BIT(BUS_WRITE_8B) : MONT_SENT_BIT(BUS_WRITE_8A);
	}
	return bus_write_part(h, pa, now, cycles, reply);
}

u64 mont_bus_write_port(struct mont_hierarchy *h, u64 pa, u64 now, struct mont_reply *reply)
{
	reply->sent |= MONT_SENT_BIT(BUS_WRITE_IO);
	return bus_write_part(h, pa, now, h->timing.partial, reply);
}

void mont_bus_castout(struct mont_hierarchy *h, u64 pa, u64 now, enum mont_reply_cycle in,
		      struct mont_reply *reply)
{
	bus_wait(h, true, pa & ~(u64)NOT_LINE, MONT_NO_BUFFER, now, in, reply);
}

bool mont_bus_is_quiet(const struct mont_bus *bus, u32 core, u64 now)
{
	return !bus->port[core].arbiter.nr_waiting &&
	       bus->port[core].done + bus->caches[core]->timing.snoop <= now;
}

void mont_bus_connect(struct mont_bus *bus, struct mont_hierarchy *h, u32 core)
{
	bus->caches[core] = h;
	h->bus = bus;
	h->core = core;
}

static bool bus_slots_valid(const struct mont_slots *s)
{
	unsigned int i;

	for (i = 0; i < MONT_NR_SLOTS; i++)
		if (s->from[i] > s->until[i] || s->until[i] > s->next)
			return false;
	return true;
}

bool mont_bus_valid(const struct mont_bus *bus, u32 cores)
{
	static const struct mont_bus_port none;
	u32 i;

	for (i = 0; i < MONT_MAX_CORES; i++) {
		const struct mont_bus_port *p = &bus->port[i];

		if (i >= cores && __builtin_memcmp(p, &none, sizeof(none)))
			return false;
		if (!mont_arbiter_valid(&p->arbiter) || !bus_slots_valid(&p->address) ||
		    !bus_slots_valid(&p->data) || p->done > bus->ioq.last)
			return false;
	}
	return mont_fills_valid(&bus->ioq, MONT_NR_IOQ) &&
	       (cores == 1 ||
		(mont_tally_valid(&bus->tally) && bus_slots_valid(&bus->stalls) &&
		 mont_inbox_valid(&bus->inbox[0]) && mont_inbox_valid(&bus->inbox[1])));
}

/* The state of the line at @pa in the caches for data, as a snoop would find it. */
static u32 bus_state_of(const struct mont_hierarchy *h, u64 pa)
{
	const u64 *l2d = h->l2d.line[pa / MONT_L2_LINE % MONT_L2D_SETS];
	const u64 *l3 = h->l3.line[pa / MONT_L2_LINE % MONT_L3_SETS];
	u64 line = pa & ~(u64)NOT_LINE;
	int way = mont_lines_find(l2d, MONT_L2D_WAYS, line);
	u32 state = way < 0 ? MONT_LINE_I : l2d[way] & MONT_LINE_STATE;

	way = mont_lines_find(l3, MONT_L3_WAYS, line);
	if (way >= 0 && (l3[way] & MONT_LINE_STATE) > state)
		state = l3[way] & MONT_LINE_STATE;
	return state;
}

bool mont_bus_coherent(const struct mont_hierarchy *h, u64 pa)
{
	u32 own, other;

	if (!mont_bus_is_shared(h->bus))
		return true;
	own = bus_state_of(h, pa);
	other = bus_state_of(h->bus->caches[!h->core], pa);
	return !own || !other || (own == MONT_LINE_S && other == MONT_LINE_S);
}
