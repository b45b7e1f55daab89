// SPDX-License-Identifier: GPL-2.0-only
/*
 * References to physical addresses that the host serves: the platform's devices
 * (regions of MONT_REGION_MMIO), and stores to read-only memory (SDM volume 2,
 * 4.4.6: such references are uncacheable, performed once and in order).
 *
 * Either ends the run before anything of its instruction has happened. The host
 * serves it (a load's data comes by mont_mmio_complete()), and the instruction
 * executes again and goes through. No interrupt comes in between: its handler might
 * refer to the same device, and the first reference would be made twice.
 */
#include "mmio.h"
#include "phys.h"
#include "../mmu/translate.h"

/*
 * The engine's own references and semaphores need memory, and a cacheable one
 * asks for a whole line, which no device answers. Read-only memory is memory:
 * stores there may have any attribute.
 */
static bool mmio_is_answered(const struct mont_thread *t, const struct mont_xlat *x, u32 size,
			     u32 ref)
{
	return !(ref & (MONT_ACC_RSE | MONT_ACC_SEM)) &&
	       mont_is_mmio(t->pkg, x->pa, size, ref & MONT_ACC_WRITE) &&
	       (x->ma != MONT_MA_WB || mont_ram(t->pkg, x->pa, size));
}

static void mmio_report(struct mont_thread *t, u64 pa, u32 size, bool write, const u64 data[2])
{
	struct mont_exit *exit = t->pkg->exit;

	exit->reason = MONT_EXIT_MMIO;
	exit->vcpu = t->index;
	exit->ip = t->s.ip;
	exit->slot = t->sig_slot;
	exit->pa = pa;
	exit->length = size;
	exit->write = write;
	exit->data[0] = data[0];
	exit->data[1] = data[1];
}

/* True if the host has served this very reference. */
static bool mmio_is_served(const struct mont_mmio *m, u64 pa, u32 size, bool write)
{
	return m->stage == MONT_MMIO_TAKING && m->pa == pa && m->length == size &&
	       m->write == write;
}

enum mont_result mont_mmio_load(struct mont_thread *t, const struct mont_xlat *x, u32 size, u32 ref,
				u64 data[2])
{
	struct mont_mmio *m = &t->s.mmio;

	if (!mmio_is_answered(t, x, size, ref))
		return MONT_FAULT_MACHINE_CHECK;
	if (mmio_is_served(m, x->pa, size, false)) {
		data[0] = m->data[0];
		data[1] = m->data[1];
		*m = (struct mont_mmio){ 0 };
		return MONT_NEXT;
	}
	*m = (struct mont_mmio){
		.pa = x->pa,
		.length = size,
		.stage = MONT_MMIO_WAITING,
	};
	mmio_report(t, x->pa, size, false, m->data);
	return MONT_STOP;
}

enum mont_result mont_mmio_store(struct mont_thread *t, const struct mont_xlat *x, u32 size,
				 u32 ref, const u64 data[2])
{
	struct mont_mmio *m = &t->s.mmio;

	if (!mmio_is_answered(t, x, size, ref))
		return MONT_FAULT_MACHINE_CHECK;
	if (mmio_is_served(m, x->pa, size, true)) {
		*m = (struct mont_mmio){ 0 };
		return MONT_NEXT;
	}
	/* The exit is all that the host needs: nothing waits. */
	*m = (struct mont_mmio){
		.pa = x->pa,
		.length = size,
		.write = 1,
		.stage = MONT_MMIO_COMPLETE,
	};
	t->attn |= MONT_ATTN_MMIO;
	mmio_report(t, x->pa, size, true, data);
	return MONT_STOP;
}

bool mont_mmio_first(struct mont_thread *t, bool waits)
{
	struct mont_mmio *m = &t->s.mmio;

	if (m->stage == MONT_MMIO_COMPLETE) {
		m->stage = MONT_MMIO_TAKING;
		return true;
	}
	if (m->stage == MONT_MMIO_TAKING && waits)
		return true;
	/* The bundle is over: where the host changed something, the data were not taken. */
	mont_mmio_cancel(t);
	t->attn &= ~MONT_ATTN_MMIO;
	return false;
}

void mont_mmio_cancel(struct mont_thread *t)
{
	t->s.mmio = (struct mont_mmio){ 0 };
}

bool mont_mmio_waits(struct mont_package *pkg)
{
	u32 i;

	for (i = 0; i < pkg->nr_vcpus; i++) {
		struct mont_thread *t = &pkg->thread[i];
		const struct mont_mmio *m = &t->s.mmio;

		if (m->stage == MONT_MMIO_WAITING) {
			mmio_report(t, m->pa, m->length, false, m->data);
			return true;
		}
	}
	return false;
}

int mont_mmio_complete(struct mont_thread *t, const u64 data[2])
{
	struct mont_mmio *m = &t->s.mmio;
	u32 bits = m->length * 8;

	if (m->stage != MONT_MMIO_WAITING)
		return MONT_EINVAL;
	/* Bits beyond the reference are no part of the state. */
	m->data[0] = bits < 64 ? mont_bits(data[0], 0, bits) : data[0];
	m->data[1] = bits > 64 ? data[1] : 0;
	m->stage = MONT_MMIO_COMPLETE;
	t->attn |= MONT_ATTN_MMIO;
	return 0;
}
