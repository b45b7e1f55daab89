// SPDX-License-Identifier: GPL-2.0-only
/*
 * The model's numbers by name (params.def, timing.def). Those of the first are in the size of
 * an array or in what PAL tells, and fixed; those of the second are a machine's own.
 */
#include "param.h"
#include "../cache/sizes.h"
#include "../pipeline/prefetch.h"
#include "../pipeline/reference.h"
#include "../memory/mem.h"
#include "package.h"
#include "../pal/pal.h"
#include "../pmu/pmu.h"

static const struct mont_param mont_params[] = {
#define MONT_PARAM(n, v, u, s, r) { .name = n, .value = v, .unit = u, .source = s, .rule = r },
#include "params.def"
#define MONT_TIME(field, n, v, l, m, u, s) \
	{ .name = n, .value = v, .unit = u, .source = s, .least = l, .most = m },
#include "../pipeline/timing.def"
#undef MONT_TIME
};

/* Where each is in struct mont_timing; what is fixed has no place. */
#define FIXED 0xffff

static const u16 places[] = {
#define MONT_PARAM(n, v, u, s, r) FIXED,
#include "params.def"
#define MONT_TIME(field, n, v, l, m, u, s) offsetof(struct mont_timing, field),
#include "../pipeline/timing.def"
#undef MONT_TIME
};

_Static_assert(MONT_ARRAY_SIZE(places) == MONT_ARRAY_SIZE(mont_params), "one place each");

const struct mont_param *mont_param(u32 index)
{
	return index < MONT_ARRAY_SIZE(mont_params)
		       ? &mont_params[mont_nospec(index, MONT_ARRAY_SIZE(mont_params))]
		       : NULL;
}

static u32 *param_field(struct mont_timing *t, u32 index)
{
	return (u32 *)((u8 *)t + places[mont_nospec(index, MONT_ARRAY_SIZE(places))]);
}

u64 mont_param_value(const struct mont_package *pkg, u32 index)
{
	const struct mont_param *p = mont_param(index);

	return p->most && pkg->timing ? *param_field(&pkg->core[0].time->s.h.timing, index)
				      : p->value;
}

/* Drop the entries of @core beyond the new size of each structure that has become smaller. */
static void param_fit_core(struct mont_core *core)
{
	struct mont_time_state *s = &core->time->s;
	const struct mont_timing *timing = &s->h.timing;

	mont_hierarchy_fit(&s->h);
	mont_l1tlb_fit(&s->l1dtlb, s->h.l1d.line[0], timing->dtlb_entries);
	mont_l1tlb_fit(&s->l1itlb, s->h.l1i.line[0], timing->itlb_entries);
	mont_prefetch_fit(&s->prefetch, timing->pvab);
	mont_tlb_fit(core, timing->tlb);
	mont_lsu_drain(core->thread[0]);
}

/* Each core goes by @timing from now on. */
static void param_fit(struct mont_package *pkg, const struct mont_timing *timing)
{
	unsigned int i;

	/* Groups are kept as the parameters make them. */
	mont_groups_forget_all(pkg->groups);
	for (i = 0; i < pkg->cfg.cores; i++) {
		pkg->core[i].time->s.h.timing = *timing;
		param_fit_core(&pkg->core[i]);
	}
	for (i = 0; i < pkg->nr_vcpus; i++) {
		struct mont_thread *t = &pkg->thread[i];

		mont_alat_fit(t, timing->alat);
		mont_predict_fit(&t->own.s.returns, timing->returns_kept);
		if (t->pmu.castouts == timing->castouts)
			continue;
		/* Events that were refused are counted, or no longer. */
		t->pmu.castouts = timing->castouts;
		mont_signals_fold(t);
		mont_signals_arm(t);
	}
}

int mont_param_set(struct mont_package *pkg, u32 index, u64 value, const char **why)
{
	const struct mont_param *p = mont_param(index);
	struct mont_timing t;

	*why = "";
	if (!p)
		return MONT_ENOENT;
	if (!p->most) {
		*why = p->rule;
		return MONT_EPERM;
	}
	if (!pkg->timing) {
		*why = "the parameter belongs to the timing model, which this machine has not got";
		return MONT_EOPNOTSUPP;
	}
	if (value < p->least || value > p->most) {
		*why = "the value is out of the range of the parameter";
		return MONT_EINVAL;
	}
	t = *pkg->timing;
	*param_field(&t, index) = value;
	*why = mont_timing_refusal(&t);
	if (*why)
		return MONT_EINVAL;
	*why = "";
	param_fit(pkg, &t);
	return 0;
}
