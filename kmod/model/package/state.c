// SPDX-License-Identifier: GPL-2.0-only
/*
 * State in and out: save, check, load, hash.
 *
 * A blob is a row of sections, one for each unit of the processor and the
 * platform: tag, version and length, then the unit's own state for each thread,
 * each core, or the package, as it lies in memory: no pointers, no padding,
 * little-endian. Blobs come from callers, so every field the model relies on is
 * checked before anything is changed.
 */
#include "state.h"
#include "package.h"
#include "bus.h"
#include "turns.h"
#include "../exec/thread.h"
#include "../platform/map.h"
#include "../pipeline/pipeline.h"
#include "../pipeline/time_state.h"
#include "../arch/psr.h"
#include "../arch/registers.h"
#include "../arch/rse.h"
#include "../arch/sysregs.h"
#include "../memory/mem.h"
#include "../pmu/pmu.h"
#include "../pmu/registers.h"

/* Assumption-free start of a hash: any number but 0. */
#define HASH_START 0x6f7463656e6f6dULL

enum owner {
	PER_PACKAGE,
	PER_CORE,
	PER_THREAD,
	PER_TIMED_PACKAGE,
	PER_TIMED_CORE,
	PER_TIMED_THREAD,
};

/**
 * struct section - a unit's part of a blob
 * @tag: four letters
 * @version: of what lies behind the header
 * @owner: of what there is one each
 * @offset: in struct mont_package, mont_core or mont_thread
 * @size: bytes of each, a multiple of 8, with one core
 * @valid: true if @data may be loaded into @pkg
 */
struct section {
	char tag[4];
	u32 version;
	enum owner owner;
	u32 offset;
	u32 size;
	bool (*valid)(const struct mont_package *pkg, const void *data);
};

static bool state_config_valid(const struct mont_package *pkg, const void *data)
{
	return !__builtin_memcmp(data, &pkg->layout, sizeof(pkg->layout));
}

static bool state_package_valid(const struct mont_package *pkg, const void *data)
{
	const struct mont_package_state *s = data;

	return mont_turns_valid(pkg, &s->turns) && !(s->io_block % MONT_IO_SPAN) &&
	       !(s->io_block >> MONT_PA_BITS);
}

static bool state_console_valid(const struct mont_package *pkg, const void *data)
{
	const struct mont_console *c = data;
	u32 i;

	if (c->length > MONT_CONSOLE_SIZE || c->pad)
		return false;
	for (i = c->length; i < MONT_CONSOLE_SIZE; i++)
		if (c->data[i])
			return false;
	return true;
}

static bool state_tlbs_valid(const struct mont_package *pkg, const void *data)
{
	/* Sizes are one machine's. */
	return mont_tlb_state_valid(&pkg->core[0], data, pkg->cfg.threads);
}

static bool state_frame_valid(const struct mont_state *s)
{
	return s->sof <= MONT_NR_STACKED && s->sol <= s->sof && s->sor <= s->sof && !(s->sor % 8) &&
	       (s->rrb_gr ? s->rrb_gr < s->sor : true) && s->rrb_fr < 96 && s->rrb_pr < 48 &&
	       s->bof < MONT_NR_STACKED && s->ndirty >= -(s32)s->sof &&
	       s->ndirty <= MONT_NR_STACKED - (s32)s->sof && s->nclean <= MONT_NR_STACKED &&
	       (s32)(s->sof + s->nclean) + s->ndirty <= MONT_NR_STACKED;
}

/* The section ends where the registers do: nothing behind them is looked at. */
static bool state_registers_valid(const struct mont_package *pkg, const void *data)
{
	const struct mont_state *s = data;
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
	       s->served <= 1 && s->hw_policy <= 3 && s->rse_goes_on <= 1 && state_frame_valid(s) &&
	       mont_sysregs_valid(s);
}

static bool state_mmio_valid(const struct mont_package *pkg, const void *data)
{
	const struct mont_mmio *m = data;

	if (m->pad[0] || m->pad[1])
		return false;
	if (m->stage == MONT_MMIO_NONE)
		return !m->pa && !m->length && !m->write && !m->data[0] && !m->data[1];
	return m->stage <= MONT_MMIO_TAKING && m->write <= 1 &&
	       !(m->write && m->stage == MONT_MMIO_WAITING) && m->length && m->length <= 16 &&
	       !(m->length & (m->length - 1));
}

static bool state_alat_valid(const struct mont_package *pkg, const void *data)
{
	const struct mont_alat *a = data;
	unsigned int i, nr = MONT_NR_ALAT - pkg->thread[0].alat_closed;

	for (i = 0; i < MONT_NR_ALAT; i++)
		if (a->entry[i].valid > (i < nr) || a->entry[i].size > 16)
			return false;
	return a->next < nr && !a->pad;
}

static bool state_pmu_valid(const struct mont_package *pkg, const void *data)
{
	return mont_pmu_state_valid(data);
}

static bool state_bus_valid(const struct mont_package *pkg, const void *data)
{
	const struct mont_bus *bus = data;

	return mont_bus_valid(bus, pkg->cfg.cores) &&
	       (pkg->cfg.cores == 1 || (mont_arrivals_valid(&bus->arrivals[0], pkg->cfg.threads) &&
					mont_arrivals_valid(&bus->arrivals[1], pkg->cfg.threads)));
}

/* Parameters are the package's: those of one core are those of each. */
static bool state_time_valid(const struct mont_package *pkg, const void *data)
{
	return mont_time_state_valid(pkg->core[0].time, data, pkg->cfg.threads);
}

static bool state_thread_time_valid(const struct mont_package *pkg, const void *data)
{
	return mont_thread_time_valid(pkg->core[0].time, data, pkg->cfg.threads);
}

static bool state_reports_valid(const struct mont_package *pkg, const void *data)
{
	return !(*(const u64 *)data & ~MONT_MAY_STAND);
}

/* The offset and the size of what a section holds. */
#define FIELD(type, field) offsetof(struct type, field), sizeof(((struct type *)0)->field)

static const struct section sections[] = {
	{ "CONF", 1, PER_PACKAGE, FIELD(mont_package, layout), state_config_valid },
	{ "PACK", 2, PER_PACKAGE, FIELD(mont_package, s), state_package_valid },
	{ "CONS", 1, PER_PACKAGE, FIELD(mont_package, console), state_console_valid },
	{ "CORE", 1, PER_CORE, FIELD(mont_core, s), state_tlbs_valid },
	{ "REGS", 1, PER_THREAD, offsetof(struct mont_thread, s), offsetof(struct mont_state, mmio),
	  state_registers_valid },
	{ "MMIO", 1, PER_THREAD, FIELD(mont_thread, s.mmio), state_mmio_valid },
	{ "ALAT", 1, PER_THREAD, FIELD(mont_thread, s.alat), state_alat_valid },
	{ "PMU ", 6, PER_THREAD, FIELD(mont_thread, s.pmu), state_pmu_valid },
	/* Uncounted events that have not been reported. */
	{ "UNCO", 1, PER_THREAD, FIELD(mont_thread, pmu.unreported), state_reports_valid },
	/* Empty without the timing model. */
	{ "BUS ", 4, PER_TIMED_PACKAGE, 0, offsetof(struct mont_bus, tally), state_bus_valid },
	{ "TIME", 16, PER_TIMED_CORE, offsetof(struct mont_time, s),
	  offsetof(struct mont_time_state, h.bus), state_time_valid },
	{ "THTM", 2, PER_TIMED_THREAD, FIELD(mont_thread_time, s), state_thread_time_valid },
};

struct section_header {
	char tag[4];
	u32 version;
	u64 length;
};

static u32 state_count_of(const struct mont_config *cfg, const struct section *s)
{
	switch (s->owner) {
	case PER_THREAD:
		return cfg->cores * cfg->threads;
	case PER_CORE:
		return cfg->cores;
	case PER_TIMED_PACKAGE:
		return cfg->timing;
	case PER_TIMED_CORE:
		return cfg->timing ? cfg->cores : 0;
	case PER_TIMED_THREAD:
		return cfg->timing ? cfg->cores * cfg->threads : 0;
	default:
		return 1;
	}
}

static u32 state_count(const struct mont_package *pkg, const struct section *s)
{
	return state_count_of(&pkg->cfg, s);
}

static u8 *state_place(struct mont_package *pkg, const struct section *s, u32 i)
{
	switch (s->owner) {
	case PER_THREAD:
		return (u8 *)&pkg->thread[i] + s->offset;
	case PER_CORE:
		return (u8 *)&pkg->core[i] + s->offset;
	case PER_TIMED_PACKAGE:
		return (u8 *)pkg->bus + s->offset;
	case PER_TIMED_CORE:
		return (u8 *)pkg->core[i].time + s->offset;
	case PER_TIMED_THREAD:
		return (u8 *)&pkg->thread[i].own + s->offset;
	default:
		return (u8 *)pkg + s->offset;
	}
}

/* Bytes of what @s holds of each owner: what two cores have in common lies behind their bus. */
static u32 state_size_of(const struct mont_config *cfg, const struct section *s)
{
	return s->size +
	       (s->owner == PER_TIMED_PACKAGE && cfg->cores > 1
			? offsetof(struct mont_bus, caches) - offsetof(struct mont_bus, tally)
			: 0);
}

static u32 state_section_size(const struct mont_package *pkg, const struct section *s)
{
	return state_size_of(&pkg->cfg, s);
}

static struct section_header state_header(const struct mont_package *pkg, const struct section *s)
{
	struct section_header h = {
		.version = s->version,
		.length = (u64)state_section_size(pkg, s) * state_count(pkg, s),
	};

	__builtin_memcpy(h.tag, s->tag, sizeof(h.tag));
	return h;
}

size_t mont_config_state_size(const struct mont_config *cfg)
{
	size_t size = 0;
	u32 k;

	for (k = 0; k < MONT_ARRAY_SIZE(sections); k++)
		size += sizeof(struct section_header) + (size_t)state_size_of(cfg, &sections[k]) *
								state_count_of(cfg, &sections[k]);
	return size;
}

size_t mont_state_size(const struct mont_package *pkg)
{
	return mont_config_state_size(&pkg->cfg);
}

/* Bring the counters in @pkg's state up to date. */
static void state_settle(struct mont_package *pkg)
{
	unsigned int i;

	for (i = 0; i < pkg->nr_vcpus; i++) {
		mont_signals_fold(&pkg->thread[i]);
		mont_signals_arm(&pkg->thread[i]);
	}
	for (i = 0; i < pkg->cfg.cores; i++)
		if (pkg->core[i].time)
			mont_occupancy_settle(&pkg->core[i].time->s.h.occupancy);
	if (pkg->bus)
		mont_occupancy_settle(&pkg->bus->tally.live);
}

void mont_state_save(struct mont_package *pkg, void *blob)
{
	u8 *p = blob;
	u32 k, i;

	state_settle(pkg);
	for (k = 0; k < MONT_ARRAY_SIZE(sections); k++) {
		const struct section *s = &sections[k];
		struct section_header h = state_header(pkg, s);

		__builtin_memcpy(p, &h, sizeof(h));
		p += sizeof(h);
		for (i = 0; i < state_count(pkg, s); i++, p += state_section_size(pkg, s))
			__builtin_memcpy(p, state_place(pkg, s, i), state_section_size(pkg, s));
	}
}

/* Return: the state of owner @i in section @tag of @blob, whose headers are those of @pkg. */
static const void *state_section_in(const struct mont_package *pkg, const u8 *blob, const char *tag,
				    u32 i)
{
	const struct section *s = sections;

	for (; __builtin_memcmp(s->tag, tag, sizeof(s->tag)); s++)
		blob += sizeof(struct section_header) +
			(size_t)state_section_size(pkg, s) * state_count(pkg, s);
	return blob + sizeof(struct section_header) + (size_t)state_section_size(pkg, s) * i;
}

/* True if the package and each timed core have one thread in front. */
static bool state_front_valid(const struct mont_package *pkg, const u8 *blob)
{
	const struct mont_package_state *s = state_section_in(pkg, blob, "PACK", 0);
	u32 i;

	for (i = 0; i < pkg->cfg.cores && pkg->timing; i++) {
		const struct mont_time_state *time = state_section_in(pkg, blob, "TIME", i);

		if (s->turns.front[i] != time->threads.front)
			return false;
	}
	return true;
}

/* True if the clocks of cores are as turns leave them: the one that is behind has to come along. */
static bool state_clocks_valid(const struct mont_package *pkg, const u8 *blob)
{
	const struct mont_package_state *s = state_section_in(pkg, blob, "PACK", 0);
	const struct mont_core_state *core = state_section_in(pkg, blob, "CORE", 0), *other;

	if (pkg->cfg.cores == 1)
		return true;
	other = state_section_in(pkg, blob, "CORE", 1);
	return mont_turns_clocks_valid(&s->turns, core->clock, other->clock);
}

static bool state_blob_valid(const struct mont_package *pkg, const u8 *blob)
{
	const u8 *p = blob;
	u32 k, i;

	for (k = 0; k < MONT_ARRAY_SIZE(sections); k++) {
		const struct section *s = &sections[k];
		struct section_header h = state_header(pkg, s);

		if (__builtin_memcmp(p, &h, sizeof(h)))
			return false;
		p += sizeof(h);
		for (i = 0; i < state_count(pkg, s); i++, p += state_section_size(pkg, s))
			if (!s->valid(pkg, p))
				return false;
	}
	return state_front_valid(pkg, blob) && state_clocks_valid(pkg, blob);
}

int mont_state_load(struct mont_package *pkg, const void *blob, size_t len)
{
	const u8 *p = blob;
	u32 k, i;

	if (len != mont_state_size(pkg) || !state_blob_valid(pkg, blob))
		return MONT_EINVAL;
	/* Observers keep what they have counted. */
	for (i = 0; i < pkg->nr_vcpus; i++)
		mont_signals_fold(&pkg->thread[i]);
	for (k = 0; k < MONT_ARRAY_SIZE(sections); k++) {
		const struct section *s = &sections[k];

		p += sizeof(struct section_header);
		for (i = 0; i < state_count(pkg, s); i++, p += state_section_size(pkg, s))
			__builtin_memcpy(state_place(pkg, s, i), p, state_section_size(pkg, s));
	}
	for (i = 0; i < pkg->cfg.cores; i++)
		mont_tlb_index(&pkg->core[i]);
	for (i = 0; i < pkg->nr_vcpus; i++)
		mont_time_keep(&pkg->thread[i],
			       pkg->s.turns.untimed ? NULL : pkg->thread[i].core->time);
	mont_package_sync_derived(pkg);
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
	u64 hash = HASH_START;
	u32 k, i;

	state_settle(pkg);
	for (k = 0; k < MONT_ARRAY_SIZE(sections); k++) {
		struct section_header h = state_header(pkg, &sections[k]);

		hash = mont_hash(hash, &h, sizeof(h));
		for (i = 0; i < state_count(pkg, &sections[k]); i++)
			hash = mont_hash(hash, state_place(pkg, &sections[k], i),
					 state_section_size(pkg, &sections[k]));
	}
	return hash;
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
