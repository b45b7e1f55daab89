/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * The model's numbers by name, to read and to set (params.def, timing.def). Called by hosts: a
 * part of mont.h, which includes it.
 */
#ifndef MONT_PACKAGE_PARAM_H
#define MONT_PACKAGE_PARAM_H

#include "../base/types.h"

struct mont_package;

/**
 * struct mont_param - a number that the model is made with
 * @name: less than 32 characters
 * @value: its value at first
 * @unit: less than 16
 * @source: where it comes from; less than 96
 * @least: the least that it can be set to
 * @most: the most; 0: it is fixed
 * @rule: why it is; less than 128
 */
struct mont_param {
	const char *name;
	u64 value;
	const char *unit;
	const char *source;
	u64 least;
	u64 most;
	const char *rule;
};

/* Parameter @index, or NULL behind the last one. */
const struct mont_param *mont_param(u32 index);
/* Value of parameter @index on @pkg; @index is below the number of parameters. */
u64 mont_param_value(const struct mont_package *pkg, u32 index);
/*
 * Set parameter @index, between two calls of mont_run(); it is part of the state. Or MONT_ENOENT,
 * MONT_EPERM if it is fixed, MONT_EOPNOTSUPP without the timing model, MONT_EINVAL for a
 * value that it cannot have; with *@why, less than 128 characters.
 */
int mont_param_set(struct mont_package *pkg, u32 index, u64 value, const char **why);

#endif
