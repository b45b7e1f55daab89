// SPDX-License-Identifier: GPL-2.0-only
/*
 * The model's numbers by name (params.def, timing.def). None can be changed yet: all are in
 * the size of an array or in what PAL tells.
 */
#include "mont.h"
#include "mem/mem.h"
#include "package.h"
#include "pal/pal.h"

static const struct mont_param mont_params[] = {
#define MONT_PARAM(n, v, u, s) { .name = n, .value = v, .unit = u, .source = s },
#include "params.def"
#define MONT_TIME(field, n, v, least, most, u, s) { .name = n, .value = v, .unit = u, .source = s },
#include "timing.def"
#undef MONT_TIME
};

const struct mont_param *mont_param(u32 index)
{
	return index < MONT_ARRAY_SIZE(mont_params)
		       ? &mont_params[mont_nospec(index, MONT_ARRAY_SIZE(mont_params))]
		       : NULL;
}
