// SPDX-License-Identifier: GPL-2.0-only
/* The in-process backend: vcpu commands, observers and the sampling ring. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inproc.h"

#define RING_PAGE 4096

/* ---- registers ---- */

static int get_regs(struct inproc_vcpu *v, struct montecito_regs *r)
{
	struct montecito_reg *reg = (struct montecito_reg *)(uintptr_t)r->regs;
	u64 val[2];
	int err;

	if (r->count > MONTECITO_MAX_BATCH)
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

static bool read_only(const struct montecito_reg *reg)
{
	return reg->cls == MONTECITO_REG_CPUID ||
	       (reg->cls == MONTECITO_REG_SPECIAL &&
		(reg->index == MONTECITO_SPECIAL_INSNS || reg->index == MONTECITO_SPECIAL_CYCLES));
}

static int set_regs(struct inproc_vcpu *v, struct montecito_regs *r)
{
	const struct montecito_reg *reg = (struct montecito_reg *)(uintptr_t)r->regs;
	struct montecito_reg *old;
	u64 val[2];
	int err = 0;

	if (r->count > MONTECITO_MAX_BATCH)
		return -EINVAL;
	old = calloc(r->count + 1, sizeof(*old));
	if (!old)
		return -ENOMEM;
	for (r->bad = 0; r->bad < r->count; r->bad++) {
		const struct montecito_reg *n = &reg[r->bad];

		err = read_only(n) ? -EPERM : mont_reg_get(v->t, n->cls, n->index, val);
		if (err)
			break;
		old[r->bad].value[0] = val[0];
		old[r->bad].value[1] = val[1];
		val[0] = n->value[0];
		val[1] = n->value[1];
		err = mont_reg_set(v->t, n->cls, n->index, val);
		if (err)
			break;
	}
	if (err) {
		uint32_t i;

		for (i = r->bad; i--;) {
			val[0] = old[i].value[0];
			val[1] = old[i].value[1];
			mont_reg_set(v->t, reg[i].cls, reg[i].index, val);
		}
	}
	free(old);
	return err;
}

/* ---- the ring ---- */

static void ring_put(struct montecito_ring_page *ring, const void *rec, size_t len)
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

static size_t ring_room(const struct montecito_ring_page *ring)
{
	uint64_t tail = __atomic_load_n(&ring->data_tail, __ATOMIC_ACQUIRE);
	uint64_t used = ring->data_head - tail;

	return used > ring->data_size ? 0 : ring->data_size - used;
}

static void ring_sample(struct inproc_vcpu *v, const struct montecito_record_sample *s)
{
	struct montecito_record_lost lost = {
		.header = {
			.type = MONTECITO_RECORD_LOST,
			.size = sizeof(lost),
		},
	};
	size_t need = s->header.size;

	if (!v->ring)
		return;
	lost.count = v->ring->lost - v->lost_told;
	if (lost.count)
		need += sizeof(lost);
	if (ring_room(v->ring) < need) {
		v->ring->lost++;
		return;
	}
	if (lost.count) {
		v->lost_told = v->ring->lost;
		ring_put(v->ring, &lost, sizeof(lost));
	}
	ring_put(v->ring, s, s->header.size);
	v->event = true;
}

static int make_ring(struct inproc_vcpu *v, const struct montecito_ring *r)
{
	size_t len;

	if (r->order > MONTECITO_MAX_RING_ORDER)
		return -EINVAL;
	if (v->ring)
		return -EEXIST;
	len = (size_t)RING_PAGE << r->order;
	v->ring = calloc(1, RING_PAGE + len);
	if (!v->ring)
		return -ENOMEM;
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
static void observer_overflow(struct mont_observer *o, struct mont_thread *t)
{
	struct inproc_observer *io = (struct inproc_observer *)o;
	struct mont_sample at;
	struct montecito_record_sample s = {
		.header = {
			.type = MONTECITO_RECORD_SAMPLE,
			.misc = MONTECITO_SAMPLE_OBSERVER,
			.size = sizeof(s),
		},
	};

	mont_sample(t, &at);
	s.source = io->id;
	s.time = at.cycles;
	s.insns = at.insns;
	s.ip = at.ip;
	s.slot = at.slot;
	s.cpl = at.cpl;
	s.vcpu = io->v->index;
	ring_sample(io->v, &s);
}

void inproc_pmu_sample(struct inproc_vcpu *v, const struct mont_exit *exit)
{
	struct montecito_record_sample s = {
		.header = {
			.type = MONTECITO_RECORD_SAMPLE,
			.misc = MONTECITO_SAMPLE_PMU,
			.size = sizeof(s),
		},
		.source = exit->pmc0,
		.ip = exit->ip,
		.slot = exit->slot,
		.vcpu = exit->vcpu,
		.nr_pmds = MONTECITO_SAMPLE_NR_PMDS,
	};
	u64 val[2];
	unsigned int i;

	mont_reg_get(v->t, MONT_REG_SPECIAL, MONT_SPECIAL_CYCLES, val);
	s.time = val[0];
	mont_reg_get(v->t, MONT_REG_SPECIAL, MONT_SPECIAL_INSNS, val);
	s.insns = val[0];
	mont_reg_get(v->t, MONT_REG_SPECIAL, MONT_SPECIAL_PSR, val);
	s.cpl = val[0] >> 32 & 3;
	for (i = 0; i < MONTECITO_SAMPLE_NR_PMDS; i++) {
		mont_reg_get(v->t, MONT_REG_PMD, 4 + i, val);
		s.pmd[i] = val[0];
	}
	ring_sample(v, &s);
	v->event = true;
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

static int observer_add(struct inproc_vcpu *v, struct montecito_observer_add *add)
{
	bool sample = add->flags & MONTECITO_OBSERVER_SAMPLE;
	struct inproc_observer *io;
	const char *why = NULL;
	uint32_t id;
	int err;

	memset(add->why, 0, sizeof(add->why));
	if (sample != !!add->period) {
		strcpy(add->why, "a period goes with OBSERVER_SAMPLE");
		return -EINVAL;
	}
	if (sample && !v->ring) {
		strcpy(add->why, "sampling needs a ring");
		return -ENXIO;
	}
	for (id = 0; id < MONTECITO_MAX_OBSERVERS && v->obs[id]; id++)
		;
	if (id == MONTECITO_MAX_OBSERVERS) {
		strcpy(add->why, "too many observers");
		return -ENOSPC;
	}
	io = calloc(1, sizeof(*io));
	if (!io)
		return -ENOMEM;
	memcpy(&io->o.filter, &add->filter, sizeof(add->filter));
	io->o.period = add->period;
	io->o.overflow = sample ? observer_overflow : NULL;
	io->v = v;
	io->id = id;
	err = mont_observer_attach(v->t, &io->o, &why);
	if (err) {
		if (why)
			strncpy(add->why, why, sizeof(add->why) - 1);
		free(io);
		return err;
	}
	v->obs[id] = io;
	add->id = id;
	return 0;
}

static int observer_del(struct inproc_vcpu *v, const struct montecito_observer_del *del)
{
	if (del->id >= MONTECITO_MAX_OBSERVERS || !v->obs[del->id])
		return -ENOENT;
	mont_observer_detach(v->t, &v->obs[del->id]->o);
	free(v->obs[del->id]);
	v->obs[del->id] = NULL;
	return 0;
}

static int observer_read(struct inproc_vcpu *v, struct montecito_observer_read *rd)
{
	const uint32_t *ids = (const uint32_t *)(uintptr_t)rd->ids;
	uint64_t *counts = (uint64_t *)(uintptr_t)rd->counts;

	if (rd->count > MONTECITO_MAX_BATCH)
		return -EINVAL;
	for (rd->bad = 0; rd->bad < rd->count; rd->bad++)
		if (ids[rd->bad] >= MONTECITO_MAX_OBSERVERS || !v->obs[ids[rd->bad]])
			return -ENOENT;
	for (rd->bad = 0; rd->bad < rd->count; rd->bad++)
		counts[rd->bad] = mont_observer_read(v->t, &v->obs[ids[rd->bad]]->o);
	return 0;
}

/* ---- the rest ---- */

static int pal(struct inproc_vcpu *v, struct montecito_pal *call)
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
		return get_regs(v, arg);
	case MONTECITO_CMD_SET_REGS:
		return set_regs(v, arg);
	case MONTECITO_CMD_PAL:
		return pal(v, arg);
	case MONTECITO_CMD_IRQ:
		return mont_irq_inject(v->t, ((struct montecito_irq *)arg)->vector);
	case MONTECITO_CMD_TC_INSERT:
		return mont_tc_insert(v->t, ins->flags & MONTECITO_TC_INSN, ins->va, ins->pte,
				      ins->itir);
	case MONTECITO_CMD_TC_PURGE:
		return mont_tc_purge(v->t, purge->va, purge->ps);
	case MONTECITO_CMD_OBSERVER_ADD:
		return observer_add(v, arg);
	case MONTECITO_CMD_OBSERVER_DEL:
		return observer_del(v, arg);
	case MONTECITO_CMD_OBSERVER_READ:
		return observer_read(v, arg);
	case MONTECITO_CMD_RING:
		return make_ring(v, arg);
	case MONTECITO_CMD_EVENTFD:
		v->eventfd = ((struct montecito_eventfd *)arg)->fd;
		return 0;
	default:
		return -ENOTTY;
	}
}

void inproc_vcpu_close(struct inproc_vcpu *v)
{
	unsigned int i;

	for (i = 0; i < MONTECITO_MAX_OBSERVERS; i++)
		free(v->obs[i]);
	free(v->ring);
}
