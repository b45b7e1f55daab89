// SPDX-License-Identifier: GPL-2.0-only
/* The in-process backend: other processors' PMUs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "inproc.h"
#include "../../kmod/host/pmu_convert.h"

/**
 * struct inproc_block - another PMU and where its records go
 * @block: must be first: the model hands it back
 * @v: the vcpu it is on
 * @kind: MONTECITO_PMU_*
 */
struct inproc_block {
	struct mont_block block;
	struct inproc_vcpu *v;
	uint32_t kind;
};

/* Called inside mont_run(). */
static void inproc_pmu_tell(struct mont_block *block)
{
	struct inproc_block *b = (struct inproc_block *)block;
	union mhost_pmu_record u;

	mhost_pmu_record(block, b->kind, b->v->index, &u);
	inproc_ring_record(b->v, &u.r.header);
}

static int inproc_pmu_attach(struct inproc_vcpu *v, struct montecito_pmu_add *add, const char **why)
{
	struct inproc_block *b;
	uint32_t i;
	int err;

	if ((add->flags & MONTECITO_PMU_SAMPLE) && !v->ring) {
		*why = "records need a ring first";
		return -ENXIO;
	}
	for (i = 0; i < MAX_PMUS && v->block[i]; i++)
		;
	if (i == MAX_PMUS) {
		*why = "the vcpu has as many PMUs as it can";
		return -ENOSPC;
	}
	b = calloc(1, sizeof(*b));
	if (!b)
		return -ENOMEM;
	b->v = v;
	b->kind = add->kind;
	if (add->flags & MONTECITO_PMU_SAMPLE)
		b->block.tell = inproc_pmu_tell;
	b->block.id = i + 1;
	err = mhost_block_in(add, &b->block, why);
	if (!err)
		err = mont_block_add(v->t, &b->block, add->kind, why);
	if (err) {
		free(b);
		return err;
	}
	v->block[i] = b;
	add->id = i + 1;
	return 0;
}

int inproc_pmu_add(struct inproc_vcpu *v, struct montecito_pmu_add *add)
{
	const char *why = NULL;
	int err;

	memset(add->why, 0, sizeof(add->why));
	err = inproc_pmu_attach(v, add, &why);
	if (err && why)
		strncpy(add->why, why, sizeof(add->why) - 1);
	return err;
}

/* The PMU with number @id, or NULL. */
static struct inproc_block *inproc_pmu_find(const struct inproc_vcpu *v, uint32_t id)
{
	return id && id <= MAX_PMUS ? v->block[id - 1] : NULL;
}

int inproc_pmu_del(struct inproc_vcpu *v, const struct montecito_pmu_del *del)
{
	struct inproc_block *b = inproc_pmu_find(v, del->id);

	if (!b)
		return -ENOENT;
	mont_block_del(&b->block);
	free(b);
	v->block[del->id - 1] = NULL;
	return 0;
}

/* All or none: a value that is refused leaves the others as they were. */
static int inproc_pmu_get(struct inproc_block *b, struct montecito_pmu_regs *r, const char **why)
{
	struct mont_block_reg *reg = (struct mont_block_reg *)(uintptr_t)r->regs, one;

	for (r->bad = 0; r->bad < r->count; r->bad++) {
		one = reg[r->bad];
		if (mont_block_get(&b->block, &one)) {
			*why = "this PMU has no such register";
			return -ENOENT;
		}
	}
	for (r->bad = 0; r->bad < r->count; r->bad++)
		mont_block_get(&b->block, &reg[r->bad]);
	return 0;
}

int inproc_pmu_regs(struct inproc_vcpu *v, struct montecito_pmu_regs *r, bool set)
{
	struct inproc_block *b = inproc_pmu_find(v, r->id);
	const char *why = NULL;
	int err;

	r->bad = r->count;
	memset(r->why, 0, sizeof(r->why));
	if (r->pad || r->count > MAX_BATCH)
		return -EINVAL;
	if (!b) {
		why = "there is no such PMU";
		err = -ENOENT;
	} else if (set) {
		err = mont_block_set(&b->block, (struct mont_block_reg *)(uintptr_t)r->regs,
				     r->count, &r->bad, &why);
	} else {
		err = inproc_pmu_get(b, r, &why);
	}
	if (err && why)
		strncpy(r->why, why, sizeof(r->why) - 1);
	return err;
}

int inproc_pmu_describe(struct montecito_pmu_describe *d)
{
	return mhost_pmu_describe_out(d);
}

void inproc_pmus_close(struct inproc_vcpu *v)
{
	unsigned int i;

	for (i = 0; i < MAX_PMUS; i++)
		free(v->block[i]);
}
