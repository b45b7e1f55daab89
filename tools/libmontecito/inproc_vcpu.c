// SPDX-License-Identifier: GPL-2.0-only
/* The in-process backend: vcpu commands, observers and the sampling ring. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inproc.h"

#define RING_PAGE 4096

/* ---- registers ---- */

static int inproc_vcpu_get_regs(struct inproc_vcpu *v, struct montecito_regs *r)
{
	struct montecito_reg *reg = (struct montecito_reg *)(uintptr_t)r->regs;
	u64 val[2];
	int err;

	if (r->count > MAX_BATCH)
		return -EINVAL;
	/* Twice: a refusal leaves every value as it was. */
	for (r->bad = 0; r->bad < r->count; r->bad++) {
		err = mont_reg_get(v->t, reg[r->bad].cls, reg[r->bad].index, val);
		if (err)
			return err;
	}
	for (r->bad = 0; r->bad < r->count; r->bad++) {
		mont_reg_get(v->t, reg[r->bad].cls, reg[r->bad].index, val);
		reg[r->bad].value[0] = val[0];
		reg[r->bad].value[1] = val[1];
	}
	return 0;
}

/* True if all of @r are general registers that can be written: none of them is refused. */
static bool inproc_vcpu_sets_grs(const struct inproc_vcpu *v, const struct montecito_regs *r)
{
	const struct montecito_reg *reg = (struct montecito_reg *)(uintptr_t)r->regs;
	uint32_t i;

	for (i = 0; i < r->count; i++) {
		u64 val[2] = { reg[i].value[0], reg[i].value[1] };

		if (!mont_reg_is_gr_to_set(v->t, reg[i].cls, reg[i].index, val))
			return false;
	}
	return true;
}

/* All or none, and a refused batch reports nothing. */
static int inproc_vcpu_set_regs(struct inproc_vcpu *v, struct montecito_regs *r)
{
	const struct montecito_reg *reg = (struct montecito_reg *)(uintptr_t)r->regs;
	size_t size = mont_state_size(v->p->pkg);
	void *before = NULL;
	bool kept;
	u64 val[2];
	int err = 0;

	if (r->count > MAX_BATCH)
		return -EINVAL;
	for (r->bad = 0; r->bad < r->count; r->bad++) {
		if (mhost_reg_readonly(&reg[r->bad]))
			return -EPERM;
		if (!mhost_reg_word_ok(&reg[r->bad]))
			return -EINVAL;
	}
	/* A single one that is refused has changed nothing. */
	kept = r->count > 1 && !inproc_vcpu_sets_grs(v, r);
	if (kept) {
		before = malloc(size);
		if (!before)
			return -ENOMEM;
	}
	inproc_uncounted(v->p);
	if (kept)
		mont_state_save(v->p->pkg, before);
	for (r->bad = 0; r->bad < r->count; r->bad++) {
		val[0] = reg[r->bad].value[0];
		val[1] = reg[r->bad].value[1];
		err = mont_reg_set(v->t, reg[r->bad].cls, reg[r->bad].index, val);
		if (err)
			break;
	}
	if (err && r->bad) {
		mont_state_load(v->p->pkg, before, size);
		(void)mont_uncounted(v->t);
	}
	free(before);
	return err;
}

/* ---- the ring ---- */

static void inproc_vcpu_ring_put(struct montecito_ring_page *ring, const void *rec, size_t len)
{
	char *data = (char *)ring + ring->data_offset;
	size_t at = ring->data_head & (ring->data_size - 1);
	size_t n = ring->data_size - at;

	if (n > len)
		n = len;
	memcpy(data + at, rec, n);
	memcpy(data, (const char *)rec + n, len - n);
	__atomic_store_n(&ring->data_head, ring->data_head + len, __ATOMIC_RELEASE);
}

static size_t inproc_vcpu_ring_room(const struct montecito_ring_page *ring)
{
	uint64_t tail = __atomic_load_n(&ring->data_tail, __ATOMIC_ACQUIRE);
	uint64_t used = ring->data_head - tail;

	return used > ring->data_size ? 0 : ring->data_size - used;
}

void inproc_ring_record(struct inproc_vcpu *v, const struct montecito_record_header *h)
{
	struct montecito_record_lost lost = {
		.header = {
			.type = MONTECITO_RECORD_LOST,
			.size = sizeof(lost),
		},
	};
	size_t need = h->size;

	if (!v->ring)
		return;
	lost.count = v->ring->lost - v->lost_told;
	if (lost.count)
		need += sizeof(lost);
	if (inproc_vcpu_ring_room(v->ring) < need) {
		v->ring->lost++;
		return;
	}
	if (lost.count) {
		v->lost_told = v->ring->lost;
		inproc_vcpu_ring_put(v->ring, &lost, sizeof(lost));
	}
	inproc_vcpu_ring_put(v->ring, h, h->size);
	if (v->ring->data_head - v->ring->data_tail >= v->watermark)
		v->event = true;
}

static int inproc_vcpu_make_ring(struct inproc_vcpu *v, const struct montecito_ring *r)
{
	size_t len;

	if (r->order > MAX_RING_ORDER || r->watermark > (uint32_t)RING_PAGE << r->order >> 1)
		return -EINVAL;
	if (v->ring)
		return -EEXIST;
	len = (size_t)RING_PAGE << r->order;
	v->ring = calloc(1, RING_PAGE + len);
	if (!v->ring)
		return -ENOMEM;
	v->watermark = r->watermark ? r->watermark : 1;
	v->ring->version = 1;
	v->ring->data_offset = RING_PAGE;
	v->ring->data_size = len;
	return 0;
}

struct montecito_ring_page *inproc_ring(struct montecito *m, unsigned int vcpu)
{
	return ((struct inproc *)m)->vcpu[vcpu].ring;
}

/* ---- samples ---- */

/* Called inside mont_run(), at the occurrence that ends a period. */
static void inproc_vcpu_observer_overflow(struct mont_observer *o, const struct mont_occurrence *at)
{
	struct inproc_observer *io = (struct inproc_observer *)o;
	union {
		struct montecito_record_sample s;
		uint8_t raw[MONTECITO_RECORD_MAX];
	} u;
	struct mont_sample w;

	/* A record is a hundred bytes as a rule, not all that it may grow to. */
	u.s = (struct montecito_record_sample){ .source = io->id };
	mont_sample(at->owner, &w);
	mhost_sample_out(&w, io->v->index, MONTECITO_SAMPLE_OBSERVER, &u.s);
	mhost_capture_pmds(o, io->pmds, &u.s, u.s.value);
	mhost_data_out(at, &w, &u.s);
	mhost_chain_out(at->owner, io->max_callchain, &u.s);
	inproc_ring_record(io->v, &u.s.header);
}

/* Count an occurrence for an observer that counts by instruction. */
static void inproc_vcpu_observer_tally(struct mont_observer *o, const struct mont_occurrence *at)
{
	struct mont_sample w;

	mont_sample(at->owner, &w);
	mhost_table_add(&((struct inproc_observer *)o)->table, w.ip, w.slot, o->period);
}

bool inproc_pmu_sample(struct inproc_vcpu *v, const struct mont_exit *exit)
{
	union {
		struct montecito_record_sample s;
		uint8_t raw[MONTECITO_RECORD_MAX];
	} u = { .s.source = exit->pmc0 };
	struct mont_sample at;

	mont_sample(v->t, &at);
	mhost_sample_out(&at, v->index, MONTECITO_SAMPLE_PMU, &u.s);
	u.s.ip = exit->ip;
	u.s.slot = exit->slot;
	mhost_sample_pmds(v->t, mhost_overflow_pmds(&v->sampling, exit->pmc0), &u.s, u.s.value);
	inproc_ring_record(v, &u.s.header);
	if (!v->ring)
		v->event = true;
	return mhost_overflow_reload(v->t, &v->sampling, exit->pmc0);
}

void inproc_notify(struct inproc *p)
{
	static const uint64_t one = 1;
	unsigned int i;

	for (i = 0; i < p->m.nr_vcpus; i++) {
		struct inproc_vcpu *v = &p->vcpu[i];

		/* A full eventfd counter is signalled as it is. */
		if (v->event && v->eventfd >= 0 && write(v->eventfd, &one, sizeof(one)) < 0 &&
		    errno != EAGAIN)
			v->eventfd = -1;
		v->event = false;
	}
}

/* ---- observers ---- */

/* Refuse settings that the model or this backend cannot serve, as the device does. */
static int inproc_vcpu_observer_check(const struct inproc_vcpu *v,
				      const struct montecito_observer_add *add, const char **why)
{
	bool sample = add->flags & MONTECITO_OBSERVER_SAMPLE;
	bool table = add->flags & MONTECITO_OBSERVER_TABLE;

	if ((sample || table) != !!add->period || (sample && table)) {
		*why = "a period goes with OBSERVER_SAMPLE or OBSERVER_TABLE";
		return -EINVAL;
	}
	if (mhost_period_check(add->period, why) || mhost_random_check(add, why) ||
	    mhost_chain_check(add, why))
		return -EINVAL;
	if (table ? add->table_order > MAX_TABLE_ORDER : add->table_order) {
		*why = "table_order is of no use, or too large";
		return -EINVAL;
	}
	if (add->sample_pmds && !sample) {
		*why = "sample_pmds goes with sampling only";
		return -EINVAL;
	}
	if (sample && !v->ring) {
		*why = "sampling needs a ring";
		return -ENXIO;
	}
	return 0;
}

static void inproc_vcpu_observer_free(struct inproc_observer *io)
{
	if (io)
		free(io->table.entry);
	free(io);
}

/* The filter of @add, with the matches that it refers to. */
static int inproc_vcpu_observer_filter(const struct montecito_observer_add *add,
				       struct mont_filter *f, const char **why)
{
	int err;

	if (add->nr_matches > MONTECITO_OPC_MATCHES) {
		*why = "a filter takes eight opcode matches at most";
		return -EINVAL;
	}
	err = mhost_filter_in(&add->filter, f, why);
	return err ? err
		   : mhost_matches_in(add,
				      (const struct montecito_opc_match *)(uintptr_t)add->matches,
				      f, why);
}

static int inproc_vcpu_observer_attach(struct inproc_vcpu *v, struct montecito_observer_add *add,
				       const char **why)
{
	bool sample = add->flags & MONTECITO_OBSERVER_SAMPLE;
	struct inproc_observer *io;
	uint32_t id;
	int err;

	err = inproc_vcpu_observer_check(v, add, why);
	if (err)
		return err;
	for (id = 0; id < MAX_OBSERVERS && v->obs[id]; id++)
		;
	if (id == MAX_OBSERVERS) {
		*why = "the vcpu has as many observers as it can";
		return -ENOSPC;
	}
	io = calloc(1, sizeof(*io));
	if (!io)
		return -ENOMEM;
	io->o.period = add->period;
	io->o.random_mask = add->random_mask;
	io->o.random = add->random_seed;
	io->pmds = add->sample_pmds;
	io->max_callchain = add->max_callchain;
	io->o.chain = add->max_callchain;
	io->o.overflow = sample ? inproc_vcpu_observer_overflow : NULL;
	if (add->flags & MONTECITO_OBSERVER_TABLE) {
		io->o.overflow = inproc_vcpu_observer_tally;
		io->table.order = add->table_order;
		io->table.entry = calloc((size_t)1 << add->table_order, sizeof(*io->table.entry));
		if (!io->table.entry) {
			free(io);
			return -ENOMEM;
		}
	}
	io->v = v;
	io->id = id;
	err = inproc_vcpu_observer_filter(add, &io->o.filter, why);
	if (!err)
		err = mhost_pmds_check(&io->o.filter, add->sample_pmds, why);
	if (!err)
		err = mont_observer_attach(v->t, &io->o, why);
	if (err) {
		inproc_vcpu_observer_free(io);
		return err;
	}
	v->obs[id] = io;
	add->id = id;
	return 0;
}

static int inproc_vcpu_observer_add(struct inproc_vcpu *v, struct montecito_observer_add *add)
{
	const char *why = NULL;
	int err;

	memset(add->why, 0, sizeof(add->why));
	err = inproc_vcpu_observer_attach(v, add, &why);
	if (err && why)
		strncpy(add->why, why, sizeof(add->why) - 1);
	return err;
}

static int inproc_vcpu_observer_del(struct inproc_vcpu *v, const struct montecito_observer_del *del)
{
	if (del->id >= MAX_OBSERVERS || !v->obs[del->id])
		return -ENOENT;
	mont_observer_detach(v->t, &v->obs[del->id]->o);
	inproc_vcpu_observer_free(v->obs[del->id]);
	v->obs[del->id] = NULL;
	return 0;
}

static int inproc_vcpu_observer_read(struct inproc_vcpu *v, struct montecito_observer_read *rd)
{
	const uint32_t *ids = (const uint32_t *)(uintptr_t)rd->ids;
	uint64_t *counts = (uint64_t *)(uintptr_t)rd->counts;

	if (rd->count > MAX_BATCH)
		return -EINVAL;
	for (rd->bad = 0; rd->bad < rd->count; rd->bad++)
		if (ids[rd->bad] >= MAX_OBSERVERS || !v->obs[ids[rd->bad]])
			return -ENOENT;
	for (rd->bad = 0; rd->bad < rd->count; rd->bad++)
		counts[rd->bad] = mont_observer_read(v->t, &v->obs[ids[rd->bad]]->o);
	return 0;
}

static int inproc_vcpu_cycles(struct inproc_vcpu *v, struct montecito_cycles *c)
{
	struct montecito_cause *to = (struct montecito_cause *)(uintptr_t)c->causes;
	uint32_t room = c->count, i;

	c->count = mhost_nr_causes();
	if (room && room < c->count)
		return -ENOSPC;
	mhost_cycles_out(v->t, c);
	for (i = 0; room && i < c->count; i++)
		mhost_cause_out(v->t, i, &to[i]);
	return 0;
}

static int inproc_vcpu_table_read(struct inproc_vcpu *v, struct montecito_table_read *r)
{
	struct mhost_table *t;
	uint32_t room = r->count;

	r->count = 0;
	r->lost = 0;
	if (r->id >= MAX_OBSERVERS || !v->obs[r->id])
		return -ENOENT;
	t = &v->obs[r->id]->table;
	if (!t->entry)
		return -ENXIO;
	r->count = t->used;
	r->lost = t->lost;
	if (t->used > room)
		return -ENOSPC;
	mhost_table_copy(t, (struct montecito_table_entry *)(uintptr_t)r->entries);
	if (r->flags & MONTECITO_TABLE_CLEAR)
		mhost_table_clear(t);
	return 0;
}

/* ---- the trace ---- */

/* Called inside mont_run(). */
static void inproc_vcpu_trace_event(struct mont_trace *trace, const struct mont_trace_event *e)
{
	struct inproc_vcpu *v =
		(struct inproc_vcpu *)((char *)trace - offsetof(struct inproc_vcpu, trace));
	struct montecito_record_trace r;

	mhost_trace_out(e, &r);
	inproc_ring_record(v, &r.header);
}

static int inproc_vcpu_set_trace(struct inproc_vcpu *v, const struct montecito_trace *tr)
{
	if (tr->pad || tr->kinds >> MONT_NR_TRACE)
		return -EINVAL;
	if (!v->ring)
		return -ENXIO;
	v->trace.event = inproc_vcpu_trace_event;
	return mont_trace_set(v->t, tr->kinds ? &v->trace : NULL, tr->kinds);
}

/* ---- the rest ---- */

static int inproc_vcpu_pal(struct inproc_vcpu *v, struct montecito_pal *call)
{
	u64 arg[4], ret[4] = { 0 };
	int err, i;

	for (i = 0; i < 4; i++)
		arg[i] = call->arg[i];
	err = mont_pal_call(v->t, arg, ret);
	for (i = 0; !err && i < 4; i++)
		call->ret[i] = ret[i];
	return err;
}

static int inproc_vcpu_translate(struct inproc_vcpu *v, struct montecito_translate *x)
{
	u64 pa = 0;
	int err = mont_host_translate(v->t, x->flags & MONTECITO_TRANSLATE_INSN, x->va, &pa);

	x->pa = pa;
	return err;
}

int inproc_vcpu_call(struct montecito *m, unsigned int vcpu, unsigned int cmd, void *arg)
{
	struct inproc *p = (struct inproc *)m;
	struct inproc_vcpu *v = &p->vcpu[vcpu];
	const struct montecito_tc_insert *ins = arg;
	const struct montecito_tc_purge *purge = arg;

	if (vcpu >= m->nr_vcpus)
		return -ENOENT;
	switch (cmd) {
	case MONTECITO_CMD_GET_REGS:
		return inproc_vcpu_get_regs(v, arg);
	case MONTECITO_CMD_SET_REGS:
		return inproc_vcpu_set_regs(v, arg);
	case MONTECITO_CMD_PAL:
		return inproc_vcpu_pal(v, arg);
	case MONTECITO_CMD_IRQ:
		return mont_irq_inject(v->t, ((struct montecito_irq *)arg)->vector);
	case MONTECITO_CMD_TC_INSERT:
		return mont_tc_insert(v->t, ins->flags & MONTECITO_TC_INSN, ins->va, ins->pte,
				      ins->itir);
	case MONTECITO_CMD_TC_PURGE:
		return mont_tc_purge(v->t, purge->va, purge->ps);
	case MONTECITO_CMD_OBSERVER_ADD:
		return inproc_vcpu_observer_add(v, arg);
	case MONTECITO_CMD_OBSERVER_DEL:
		return inproc_vcpu_observer_del(v, arg);
	case MONTECITO_CMD_OBSERVER_READ:
		return inproc_vcpu_observer_read(v, arg);
	case MONTECITO_CMD_RING:
		return inproc_vcpu_make_ring(v, arg);
	case MONTECITO_CMD_EVENTFD:
		v->eventfd = ((struct montecito_eventfd *)arg)->fd;
		return 0;
	case MONTECITO_CMD_TABLE_READ:
		return inproc_vcpu_table_read(v, arg);
	case MONTECITO_CMD_CYCLES:
		return inproc_vcpu_cycles(v, arg);
	case MONTECITO_CMD_TRANSLATE:
		return inproc_vcpu_translate(v, arg);
	case MONTECITO_CMD_TRACE:
		return inproc_vcpu_set_trace(v, arg);
	case MONTECITO_CMD_PMU_ADD:
		return inproc_pmu_add(v, arg);
	case MONTECITO_CMD_PMU_DEL:
		return inproc_pmu_del(v, arg);
	case MONTECITO_CMD_PMU_GET_REGS:
		return inproc_pmu_regs(v, arg, false);
	case MONTECITO_CMD_PMU_SET_REGS:
		return inproc_pmu_regs(v, arg, true);
	case MONTECITO_CMD_PMU_DESCRIBE:
		return inproc_pmu_describe(arg);
	case MONTECITO_CMD_PMU_SAMPLING:
		if (!(p->cfg.flags & MONT_CFG_HOST_PMU))
			return -ENXIO;
		return mhost_sampling_set(&v->sampling, arg,
					  ((struct montecito_pmu_sampling *)arg)->counter);
	default:
		return -ENOTTY;
	}
}

void inproc_vcpu_close(struct inproc_vcpu *v)
{
	unsigned int i;

	for (i = 0; i < MAX_OBSERVERS; i++)
		inproc_vcpu_observer_free(v->obs[i]);
	inproc_pmus_close(v);
	free(v->ring);
}
