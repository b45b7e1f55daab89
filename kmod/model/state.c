// SPDX-License-Identifier: GPL-2.0-only
/*
 * State in and out: save, check, load, hash.
 *
 * A blob is a header, the package's state and each vcpu's struct mont_state
 * as they are: no pointers, no padding, little-endian. Blobs come from
 * callers, so every field the model relies on is checked before use.
 */
#include "package.h"
#include "core/core.h"
#include "core/psr.h"
#include "registers.h"
#include "core/rse.h"
#include "mem/mem.h"
#include "pmu/pmu.h"

#define STATE_MAGIC 0x6f7463656e6f6dULL
#define STATE_VERSION 1

struct state_header {
	u64 magic;
	u32 version;
	u32 nr_vcpus;
	u64 vcpu_size;
	u64 memory;
};

size_t mont_state_size(const struct mont_package *pkg)
{
	return sizeof(struct state_header) + sizeof(struct mont_package_state) +
	       pkg->nr_vcpus * sizeof(struct mont_state);
}

/* Bring the counters in @pkg's state up to date. */
static void settle(struct mont_package *pkg)
{
	unsigned int i;

	for (i = 0; i < pkg->nr_vcpus; i++) {
		mont_signals_fold(&pkg->thread[i]);
		mont_signals_arm(&pkg->thread[i]);
	}
}

void mont_state_save(struct mont_package *pkg, void *blob)
{
	struct state_header h = {
		.magic = STATE_MAGIC,
		.version = STATE_VERSION,
		.nr_vcpus = pkg->nr_vcpus,
		.vcpu_size = sizeof(struct mont_state),
		.memory = pkg->cfg.memory,
	};
	u8 *p = blob;
	unsigned int i;

	settle(pkg);
	__builtin_memcpy(p, &h, sizeof(h));
	p += sizeof(h);
	__builtin_memcpy(p, &pkg->s, sizeof(pkg->s));
	p += sizeof(pkg->s);
	for (i = 0; i < pkg->nr_vcpus; i++, p += sizeof(struct mont_state))
		__builtin_memcpy(p, &pkg->thread[i].s, sizeof(struct mont_state));
}

static bool tlb_valid(const struct mont_tlbe *e, unsigned int n)
{
	unsigned int i, k;

	for (i = 0; i < n; i++) {
		if (e[i].valid > 1 || (e[i].valid && !mont_page_size_ok(e[i].ps)))
			return false;
		/* Even an unused entry is shifted by its page size. */
		if (e[i].ps > 32)
			return false;
		for (k = 0; k < sizeof(e[i].pad); k++)
			if (e[i].pad[k])
				return false;
	}
	return true;
}

static bool registers_valid(const struct mont_state *s)
{
	unsigned int i;

	for (i = 0; i < 128; i++)
		if (s->nat[i] > 1 || s->fr[i].se >> 18)
			return false;
	for (i = 0; i < 16; i++)
		if (s->nat_other[i] > 1)
			return false;
	return !s->gr[0] && !s->nat[0] && !s->fr[0].sig && !s->fr[0].se &&
	       s->fr[1].sig == MONT_BIT(63) && s->fr[1].se == 0xffff && (s->pr & 1) &&
	       !(s->ip & 15) && s->slot <= 2 && !(s->psr & ~MONT_PSR_IMPLEMENTED) &&
	       s->halted <= 1 && s->pmu_irq <= 3 && s->frame_held <= 1 && s->last_slot <= 2 &&
	       s->served <= 1 && s->hw_policy <= 3 && s->ar.ec <= 63 && !(s->ar.bspstore & 7) &&
	       !(s->cr.iva & 0x7fff);
}

static bool frame_valid(const struct mont_state *s)
{
	return s->sof <= MONT_NR_STACKED && s->sol <= s->sof && s->sor <= s->sof && !(s->sor % 8) &&
	       (s->rrb_gr ? s->rrb_gr < s->sor : true) && s->rrb_fr < 96 && s->rrb_pr < 48 &&
	       s->bof < MONT_NR_STACKED && s->ndirty >= -(s32)s->sof &&
	       s->ndirty <= MONT_NR_STACKED - (s32)s->sof && s->nclean <= MONT_NR_STACKED &&
	       (s32)(s->sof + s->nclean) + s->ndirty <= MONT_NR_STACKED;
}

static bool mmio_valid(const struct mont_mmio *m)
{
	if (m->stage == MONT_MMIO_NONE)
		return !m->pa && !m->length && !m->write && !m->data[0] && !m->data[1];
	return m->stage <= MONT_MMIO_TAKING && m->write <= 1 && !m->pad[0] && !m->pad[1] &&
	       !(m->write && m->stage == MONT_MMIO_WAITING) && m->length && m->length <= 16 &&
	       !(m->length & (m->length - 1));
}

static bool state_valid(const struct mont_state *s)
{
	unsigned int i;

	for (i = 0; i < MONT_NR_ALAT; i++)
		if (s->alat[i].valid > 1 || s->alat[i].size > 16)
			return false;
	return registers_valid(s) && frame_valid(s) && tlb_valid(s->itr, MONT_NR_TR) &&
	       tlb_valid(s->dtr, MONT_NR_TR) && tlb_valid(s->itc, MONT_NR_TC) &&
	       tlb_valid(s->dtc, MONT_NR_TC) && s->itc_next < MONT_NR_TC &&
	       s->dtc_next < MONT_NR_TC && s->alat_next < MONT_NR_ALAT &&
	       mont_pmu_state_valid(&s->pmu) && mmio_valid(&s->mmio);
}

int mont_state_load(struct mont_package *pkg, const void *blob, size_t len)
{
	struct state_header h;
	struct mont_package_state ps;
	const u8 *vcpus;
	unsigned int i;

	if (len != mont_state_size(pkg))
		return MONT_EINVAL;
	__builtin_memcpy(&h, blob, sizeof(h));
	__builtin_memcpy(&ps, (const u8 *)blob + sizeof(h), sizeof(ps));
	vcpus = (const u8 *)blob + sizeof(h) + sizeof(ps);
	if (h.magic != STATE_MAGIC || h.version != STATE_VERSION || h.nr_vcpus != pkg->nr_vcpus ||
	    h.vcpu_size != sizeof(struct mont_state) || h.memory != pkg->cfg.memory ||
	    ps.turn >= pkg->nr_vcpus || !ps.turn_left || ps.turn_left > 1000000)
		return MONT_EINVAL;
	for (i = 0; i < pkg->nr_vcpus; i++)
		if (!state_valid((const struct mont_state *)vcpus + i))
			return MONT_EINVAL;
	pkg->s = ps;
	for (i = 0; i < pkg->nr_vcpus; i++) {
		struct mont_thread *t = &pkg->thread[i];

		/* Observers keep what they have counted. */
		mont_signals_fold(t);
		__builtin_memcpy(&t->s, vcpus + i * sizeof(t->s), sizeof(t->s));
		mont_thread_sync_derived(t);
	}
	mont_alat_recount(pkg);
	return 0;
}

u64 mont_hash(u64 hash, const void *buf, size_t len)
{
	const u8 *p = buf;
	u64 w;

	for (; len >= 8; len -= 8, p += 8) {
		__builtin_memcpy(&w, p, 8);
		hash = (hash ^ w) * 0x9e3779b97f4a7c15ULL;
		hash ^= hash >> 32;
	}
	return hash;
}

u64 mont_state_hash_vcpus(struct mont_package *pkg)
{
	u64 h = STATE_MAGIC;
	unsigned int i;

	settle(pkg);
	h = mont_hash(h, &pkg->s, sizeof(pkg->s));
	for (i = 0; i < pkg->nr_vcpus; i++)
		h = mont_hash(h, &pkg->thread[i].s, sizeof(struct mont_state));
	return h;
}

u64 mont_state_hash(struct mont_package *pkg)
{
	u64 h = mont_state_hash_vcpus(pkg);
	u32 i;

	for (i = 0; i < pkg->nr_regions; i++)
		if (pkg->region[i].r.host)
			h = mont_hash(h, pkg->region[i].r.host, pkg->region[i].r.size);
	return h;
}
