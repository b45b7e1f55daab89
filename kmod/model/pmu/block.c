// SPDX-License-Identifier: GPL-2.0-only
/*
 * Blocks: what all kinds share (block.h). Registers change while no counter of the block is
 * among the observers; an interrupt is served at the end of its group.
 */
#include "block.h"
#include "internal.h"
#include "../package/package.h"

const struct mont_block_ops *mont_block_kind(u32 kind)
{
	static const struct mont_block_ops *const kinds[MONT_BLOCK_KINDS] = {
		[MONT_BLOCK_MERCED] = &mont_merced_ops,
		[MONT_BLOCK_PEBS] = &mont_pebs_ops,
		[MONT_BLOCK_EV68A] = &mont_ev68a_ops,
	};

	return kind < MONT_BLOCK_KINDS ? kinds[mont_nospec(kind, MONT_BLOCK_KINDS)] : NULL;
}

const struct mont_block_register *mont_block_row(const struct mont_block_register *reg, u32 nr,
						 u32 class, u32 index)
{
	u32 i;

	for (i = 0; i < nr; i++)
		if (reg[i].class == class && index >= reg[i].index &&
		    index - reg[i].index < reg[i].count)
			return &reg[i];
	return NULL;
}

void mont_block_sample(const struct mont_thread *t, struct mont_sample *at)
{
	*at = (struct mont_sample){
		.ip = t->s.ip,
		.insns = t->s.insns,
		.cycles = mont_thread_cycles(t),
		.clock = t->clock,
		.slot = t->sig_slot,
		.cpl = t->cpl,
	};
}

void mont_block_wait(struct mont_block *block, unsigned int n)
{
	block->over |= MONT_BIT(n);
	block->t->pmu.obs.interrupted = true;
	block->t->attn |= MONT_ATTN_GROUP;
}

/* Inside of mont_run(): the group goes on, and its end serves the interrupt. */
static void block_overflow(struct mont_observer *o, const struct mont_occurrence *at)
{
	struct mont_block *block = o->block;
	unsigned int n = o - block->counter;

	if (block->ops->carry && !block->ops->carry(block, n, at))
		return;
	mont_block_sample(at->owner, &block->at);
	mont_block_wait(block, n);
}

/* Inside of mont_run(): a unit has captured something. */
static void block_capture(struct mont_observer *o, const struct mont_occurrence *at)
{
	struct mont_block *block = o->block;

	block->ops->capture(block, o - block->counter, at);
}

void mont_block_count(struct mont_block *block, unsigned int n, const struct mont_occurrence *at)
{
	struct mont_observer *o = &block->counter[n];
	const struct mont_thread *t = at->owner;

	if ((block->counts >> n & 1) && !o->filter.threshold && (o->filter.plm >> t->cpl & 1) &&
	    (!o->psr || (o->psr & t->pmu.obs.psr)))
		mont_observer_count(o, at, 1);
}

/* Inside of mont_run(), perhaps that of another thread: one of the package's counters counts. */
static void block_shared_occurs(struct mont_observer *o, const struct mont_occurrence *at)
{
	struct mont_block *block = o->block;

	(void)at;
	if (!block->ops->share(block, (o - block->shared[0]) % MONT_BLOCK_SHARED))
		return;
	mont_block_sample(block->t, &block->at);
	mont_block_wait(block, MONT_BLOCK_LISTENERS);
}

/*
 * Listen on all threads of the package. An interrupt, which comes while one of them runs, leaves
 * these listeners as they are: each looks at every occurrence, and counts as the registers say.
 */
static void block_shared_start(struct mont_block *block)
{
	struct mont_package *pkg = block->t->pkg;
	u32 i, n;

	if (!block->shares || block->listening)
		return;
	block->listening = true;
	for (i = 0; i < pkg->nr_vcpus; i++) {
		for (n = 0; n < MONT_BLOCK_SHARED; n++) {
			struct mont_observer *o = &block->shared[i][n];

			o->event = block->ops->shared(n);
			o->filter.plm = 0xf;
			o->period = 1;
			o->until = 1;
			o->overflow = block_shared_occurs;
			o->block = block;
			mont_observer_insert(&pkg->thread[i], o);
		}
		mont_observers_changed(&pkg->thread[i]);
	}
}

static void block_shared_end(struct mont_block *block)
{
	struct mont_package *pkg = block->t->pkg;
	u32 i, n;

	for (i = 0; block->listening && i < pkg->nr_vcpus; i++) {
		for (n = 0; n < MONT_BLOCK_SHARED; n++)
			mont_observer_remove(&pkg->thread[i], &block->shared[i][n]);
		mont_observers_changed(&pkg->thread[i]);
	}
	block->listening = false;
}

/* Take the counters away from the observers; what they have counted goes to the registers. */
static void block_halt(struct mont_block *block)
{
	u32 left;

	for (left = block->counts; left; left &= left - 1) {
		u32 n = __builtin_ctz(left);

		mont_observer_remove(block->t, &block->counter[n]);
		block->ops->settle(block, n, block->counter[n].count);
	}
	block->counts = 0;
}

/*
 * Put those listeners among the observers that the registers let count. The last one is heard
 * first of those that look at each occurrence: units before counters.
 */
static void block_start(struct mont_block *block)
{
	u32 n;

	for (n = block->ops->listeners; n--;) {
		struct mont_observer *o = &block->counter[n];

		if (!block->ops->arm(block, n))
			continue;
		o->block = block;
		o->overflow = n < block->ops->counters ? block_overflow : block_capture;
		o->count = 0;
		mont_observer_insert(block->t, o);
		block->counts |= MONT_BIT(n);
	}
}

/* Write @nr registers of @block, which is halted. Return: 0 or MONT_E*; *@bad is the one. */
static int block_write(struct mont_block *block, const struct mont_block_reg *reg, u32 nr, u32 *bad,
		       const char **why)
{
	u32 i, n;
	int ret;

	for (i = 0; i < nr; i++) {
		const struct mont_block_register *r = block->ops->find(reg[i].class, reg[i].index);

		*bad = i;
		if (!r) {
			*why = "this PMU has no such register";
			return MONT_ENOENT;
		}
		ret = block->ops->set(block, r, reg[i].index, reg[i].value, why);
		if (ret)
			return ret;
	}
	for (n = 0; nr && n < block->ops->listeners; n++) {
		ret = block->ops->check(block, n, why);
		if (ret)
			return ret;
	}
	*bad = nr;
	return 0;
}

int mont_block_set(struct mont_block *block, const struct mont_block_reg *reg, u32 nr, u32 *bad,
		   const char **why)
{
	union mont_block_state before;
	int ret;

	mont_signals_fold(block->t);
	block_halt(block);
	before = block->r;
	ret = block_write(block, reg, nr, bad, why);
	if (ret) {
		block->r = before;
		block->version++;
	}
	block_start(block);
	mont_observers_changed(block->t);
	block_shared_start(block);
	return ret;
}

int mont_block_get(struct mont_block *block, struct mont_block_reg *reg)
{
	union mont_block_state now;
	u32 left;

	if (!block->ops->find(reg->class, reg->index))
		return MONT_ENOENT;
	now = block->r;
	for (left = block->counts; left; left &= left - 1) {
		u32 n = __builtin_ctz(left);

		block->ops->settle(block, n, mont_observer_read(block->t, &block->counter[n]));
	}
	reg->value = block->ops->get(block, reg->class, reg->index);
	block->r = now;
	return 0;
}

int mont_block_add(struct mont_thread *t, struct mont_block *block, u32 kind, const char **why)
{
	struct mont_block **p;
	u32 bad;
	int ret;

	block->t = t;
	block->ops = mont_block_kind(kind);
	if (!block->ops) {
		*why = "no such kind of PMU";
		return MONT_EINVAL;
	}
	if (block->flags & ~block->ops->flags) {
		*why = "this kind of PMU has no such flag";
		return MONT_EINVAL;
	}
	if (block->nr_reload > MONT_BLOCK_RELOADS) {
		*why = "an interrupt reloads eight registers at most";
		return MONT_EINVAL;
	}
	if (block->ops->needs_time && !(mont_pmu_has(t) & MONT_HAS_TIME)) {
		*why = "this PMU needs the timing model";
		return MONT_EOPNOTSUPP;
	}
	block->ops->reset(block);
	ret = block_write(block, block->reload, block->nr_reload, &bad, why);
	if (ret)
		return ret;
	block->ops->reset(block);
	for (p = &t->pmu.obs.blocks; *p; p = &(*p)->next)
		;
	block->next = NULL;
	*p = block;
	block_shared_start(block);
	return 0;
}

void mont_block_del(struct mont_block *block)
{
	struct mont_thread *t = block->t;
	struct mont_block **p;

	mont_signals_fold(t);
	block_halt(block);
	mont_observers_changed(t);
	block_shared_end(block);
	for (p = &t->pmu.obs.blocks; *p != block; p = &(*p)->next)
		;
	*p = block->next;
	if (block->stop)
		t->pmu.obs.stops--;
}

u64 mont_block_version(const struct mont_block *block)
{
	return block->version;
}

bool mont_block_passes(struct mont_thread *t, const struct mont_qualifier *q, unsigned int slot)
{
	return q->block->ops->channel(q->block, q->channel, slot);
}

u64 mont_block_least(const struct mont_observer *o)
{
	return o->block->r.pebs.least;
}

u64 mont_block_pass(const struct mont_observer *o, const struct mont_occurrence *at)
{
	return o->block->ops->pass(o, at);
}

void mont_block_tell(struct mont_block *block, u32 cause)
{
	mont_work(block->t, MONT_WORK_SAMPLE);
	block->cause = cause;
	if (block->tell)
		block->tell(block);
}

void mont_block_interrupt(struct mont_block *block, u32 cause)
{
	union mont_block_state before = block->r;
	const char *why;
	u32 bad;

	mont_block_tell(block, cause);
	/* Registers written since may not go with those of the reload: it is done whole or not. */
	if (block_write(block, block->reload, block->nr_reload, &bad, &why)) {
		block->r = before;
		block->version++;
	}
	if (!(block->flags & MONT_BLOCK_STOP))
		return;
	block->t->pmu.obs.stops += !block->stop;
	block->stop = true;
	block->t->attn |= MONT_ATTN_EXIT;
}

void mont_blocks_group_end(struct mont_thread *t)
{
	bool changed = false;
	struct mont_block *block;

	t->pmu.obs.interrupted = false;
	for (block = t->pmu.obs.blocks; block; block = block->next) {
		u32 over = block->over;

		if (!over)
			continue;
		if (!changed)
			mont_signals_fold(t);
		changed = true;
		block_halt(block);
		block->over = 0;
		block->ops->serve(block, over);
		block_start(block);
	}
	if (changed)
		mont_observers_changed(t);
}

void mont_blocks_exit(struct mont_thread *t)
{
	struct mont_exit *x = t->pkg->exit;
	struct mont_block *block;

	if (x->reason)
		return;
	for (block = t->pmu.obs.blocks; block && !block->stop; block = block->next)
		;
	if (!block)
		return;
	block->stop = false;
	t->pmu.obs.stops--;
	x->reason = MONT_EXIT_PMU_BLOCK;
	x->vcpu = t->index;
	x->block = block->id;
	x->ip = t->s.ip;
	x->slot = t->s.slot;
}
