// SPDX-License-Identifier: LGPL-2.1-or-later
/* Vcpus: registers, PAL, interrupts, TLB, observers and samples. */
#include <errno.h>
#include <string.h>

#include "internal.h"

int montecito_get_regs(struct montecito *m, unsigned int vcpu, struct montecito_reg *regs,
		       uint32_t count)
{
	struct montecito_regs r = {
		.size = sizeof(r),
		.count = count,
		.regs = (uintptr_t)regs,
	};

	return m->ops->vcpu(m, vcpu, MONTECITO_CMD_GET_REGS, &r);
}

int montecito_set_regs(struct montecito *m, unsigned int vcpu, const struct montecito_reg *regs,
		       uint32_t count)
{
	struct montecito_regs r = {
		.size = sizeof(r),
		.count = count,
		.regs = (uintptr_t)regs,
	};

	return m->ops->vcpu(m, vcpu, MONTECITO_CMD_SET_REGS, &r);
}

int montecito_get_reg(struct montecito *m, unsigned int vcpu, uint32_t cls, uint32_t index,
		      uint64_t *value)
{
	struct montecito_reg r = { .cls = cls, .index = index };
	int err = montecito_get_regs(m, vcpu, &r, 1);

	*value = r.value[0];
	return err;
}

int montecito_set_reg(struct montecito *m, unsigned int vcpu, uint32_t cls, uint32_t index,
		      uint64_t value)
{
	struct montecito_reg r = { .cls = cls, .index = index, .value = { value } };

	return montecito_set_regs(m, vcpu, &r, 1);
}

int montecito_pal(struct montecito *m, unsigned int vcpu, const uint64_t arg[4], uint64_t ret[4])
{
	struct montecito_pal pal = { .size = sizeof(pal) };
	int err, i;

	for (i = 0; i < 4; i++)
		pal.arg[i] = arg[i];
	err = m->ops->vcpu(m, vcpu, MONTECITO_CMD_PAL, &pal);
	for (i = 0; !err && i < 4; i++)
		ret[i] = pal.ret[i];
	return err;
}

int montecito_irq(struct montecito *m, unsigned int vcpu, uint32_t vector)
{
	struct montecito_irq irq = { .size = sizeof(irq), .vector = vector };

	return m->ops->vcpu(m, vcpu, MONTECITO_CMD_IRQ, &irq);
}

int montecito_tc_insert(struct montecito *m, unsigned int vcpu, bool insn, uint64_t va,
			uint64_t pte, uint64_t itir)
{
	struct montecito_tc_insert tc = {
		.size = sizeof(tc),
		.flags = insn ? MONTECITO_TC_INSN : 0,
		.va = va,
		.pte = pte,
		.itir = itir,
	};

	return m->ops->vcpu(m, vcpu, MONTECITO_CMD_TC_INSERT, &tc);
}

int montecito_tc_purge(struct montecito *m, unsigned int vcpu, uint64_t va, uint32_t ps)
{
	struct montecito_tc_purge tc = { .size = sizeof(tc), .ps = ps, .va = va };

	return m->ops->vcpu(m, vcpu, MONTECITO_CMD_TC_PURGE, &tc);
}

int montecito_translate(struct montecito *m, unsigned int vcpu, bool insn, uint64_t va,
			uint64_t *pa)
{
	struct montecito_translate x = {
		.size = sizeof(x),
		.flags = insn ? MONTECITO_TRANSLATE_INSN : 0,
		.va = va,
	};
	int err = m->ops->vcpu(m, vcpu, MONTECITO_CMD_TRANSLATE, &x);

	*pa = x.pa;
	return err;
}

int montecito_observer_add(struct montecito *m, unsigned int vcpu,
			   const struct montecito_filter *filter, uint64_t period, char why[128])
{
	struct montecito_observer_add add = {
		.size = sizeof(add),
		.filter = *filter,
		.period = period,
		.flags = period ? MONTECITO_OBSERVER_SAMPLE : 0,
	};
	int err = m->ops->vcpu(m, vcpu, MONTECITO_CMD_OBSERVER_ADD, &add);

	memcpy(why, add.why, sizeof(add.why));
	return err ? err : (int)add.id;
}

int montecito_observer_add_raw(struct montecito *m, unsigned int vcpu,
			       struct montecito_observer_add *add)
{
	int err;

	add->size = sizeof(*add);
	err = m->ops->vcpu(m, vcpu, MONTECITO_CMD_OBSERVER_ADD, add);
	return err ? err : (int)add->id;
}

int montecito_observer_del(struct montecito *m, unsigned int vcpu, uint32_t id)
{
	struct montecito_observer_del del = { .size = sizeof(del), .id = id };

	return m->ops->vcpu(m, vcpu, MONTECITO_CMD_OBSERVER_DEL, &del);
}

int montecito_observer_read(struct montecito *m, unsigned int vcpu, const uint32_t *ids,
			    uint64_t *counts, uint32_t count)
{
	struct montecito_observer_read rd = {
		.size = sizeof(rd),
		.count = count,
		.ids = (uintptr_t)ids,
		.counts = (uintptr_t)counts,
	};

	return m->ops->vcpu(m, vcpu, MONTECITO_CMD_OBSERVER_READ, &rd);
}

int montecito_table_add(struct montecito *m, unsigned int vcpu,
			const struct montecito_filter *filter, uint64_t period, uint32_t order,
			char why[128])
{
	struct montecito_observer_add add = {
		.size = sizeof(add),
		.flags = MONTECITO_OBSERVER_TABLE,
		.filter = *filter,
		.period = period,
		.table_order = order,
	};
	int err = m->ops->vcpu(m, vcpu, MONTECITO_CMD_OBSERVER_ADD, &add);

	memcpy(why, add.why, sizeof(add.why));
	return err ? err : (int)add.id;
}

int montecito_table_read(struct montecito *m, unsigned int vcpu, struct montecito_table_read *r)
{
	r->size = sizeof(*r);
	return m->ops->vcpu(m, vcpu, MONTECITO_CMD_TABLE_READ, r);
}

int montecito_cycles(struct montecito *m, unsigned int vcpu, struct montecito_cycles *c)
{
	c->size = sizeof(*c);
	return m->ops->vcpu(m, vcpu, MONTECITO_CMD_CYCLES, c);
}

int montecito_pmu_add(struct montecito *m, unsigned int vcpu, struct montecito_pmu_add *add)
{
	int err;

	add->size = sizeof(*add);
	err = m->ops->vcpu(m, vcpu, MONTECITO_CMD_PMU_ADD, add);
	return err ? err : (int)add->id;
}

int montecito_pmu_del(struct montecito *m, unsigned int vcpu, uint32_t id)
{
	struct montecito_pmu_del del = { .size = sizeof(del), .id = id };

	return m->ops->vcpu(m, vcpu, MONTECITO_CMD_PMU_DEL, &del);
}

static int vcpu_pmu_regs(struct montecito *m, unsigned int vcpu, unsigned int cmd, uint32_t id,
			 struct montecito_pmu_reg *reg, uint32_t count, char why[128])
{
	struct montecito_pmu_regs r = {
		.size = sizeof(r),
		.id = id,
		.count = count,
		.regs = (uintptr_t)reg,
	};
	int err = m->ops->vcpu(m, vcpu, cmd, &r);

	memcpy(why, r.why, sizeof(r.why));
	return err;
}

int montecito_pmu_get(struct montecito *m, unsigned int vcpu, uint32_t id,
		      struct montecito_pmu_reg *reg, uint32_t count, char why[128])
{
	return vcpu_pmu_regs(m, vcpu, MONTECITO_CMD_PMU_GET_REGS, id, reg, count, why);
}

int montecito_pmu_set(struct montecito *m, unsigned int vcpu, uint32_t id,
		      struct montecito_pmu_reg *reg, uint32_t count, char why[128])
{
	return vcpu_pmu_regs(m, vcpu, MONTECITO_CMD_PMU_SET_REGS, id, reg, count, why);
}

int montecito_pmu_describe(struct montecito *m, unsigned int vcpu, struct montecito_pmu_describe *d)
{
	d->size = sizeof(*d);
	return m->ops->vcpu(m, vcpu, MONTECITO_CMD_PMU_DESCRIBE, d);
}

int montecito_pmu_sampling(struct montecito *m, unsigned int vcpu, struct montecito_pmu_sampling *p)
{
	p->size = sizeof(*p);
	return m->ops->vcpu(m, vcpu, MONTECITO_CMD_PMU_SAMPLING, p);
}

int montecito_ring_open(struct montecito *m, unsigned int vcpu, uint32_t order, uint32_t watermark)
{
	struct montecito_ring ring = {
		.size = sizeof(ring),
		.order = order,
		.watermark = watermark,
	};
	int err = m->ops->vcpu(m, vcpu, MONTECITO_CMD_RING, &ring);

	if (err)
		return err;
	m->ring[vcpu] = m->ops->ring(m, vcpu);
	return m->ring[vcpu] ? 0 : -errno;
}

/* Copy out of the ring, around its end. */
static void vcpu_ring_copy(const struct montecito_ring_page *ring, void *to, uint64_t pos,
			   size_t len)
{
	const char *data = (const char *)ring + ring->data_offset;
	size_t at = pos & (ring->data_size - 1);
	size_t n = ring->data_size - at;

	if (n > len)
		n = len;
	memcpy(to, data + at, n);
	memcpy((char *)to + n, data, len - n);
}

int montecito_ring_read(struct montecito *m, unsigned int vcpu, void *buf, size_t len)
{
	struct montecito_ring_page *ring = m->ring[vcpu];
	struct montecito_record_header h;
	uint64_t head, tail;

	if (!ring)
		return -ENXIO;
	head = __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE);
	tail = ring->data_tail;
	if (head == tail)
		return 0;
	vcpu_ring_copy(ring, &h, tail, sizeof(h));
	if (h.size < sizeof(h) || h.size > head - tail)
		return -EIO;
	if (h.size > len)
		return -ENOSPC;
	vcpu_ring_copy(ring, buf, tail, h.size);
	__atomic_store_n(&ring->data_tail, tail + h.size, __ATOMIC_RELEASE);
	return h.size;
}

uint64_t montecito_ring_lost(struct montecito *m, unsigned int vcpu)
{
	return m->ring[vcpu] ? m->ring[vcpu]->lost : 0;
}

int montecito_trace(struct montecito *m, unsigned int vcpu, uint32_t kinds)
{
	struct montecito_trace tr = { .size = sizeof(tr), .kinds = kinds };

	return m->ops->vcpu(m, vcpu, MONTECITO_CMD_TRACE, &tr);
}
