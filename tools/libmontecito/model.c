// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The in-process model is a library of its own, under another licence: it is looked
 * for when a machine in this process is asked for. A program that is linked with it
 * needs no looking.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

extern const struct montecito_model montecito_model __attribute__((weak));

/* The library that lies beside this one, which it was built with; NULL without one. */
static void *open_beside(void)
{
	static const char self[] = "libmontecito.so";
	const char *base;
	char path[4096];
	Dl_info at;

	if (!dladdr(&open_beside, &at) || !at.dli_fname)
		return NULL;
	base = strrchr(at.dli_fname, '/');
	if (!base || strncmp(base + 1, self, strlen(self)))
		return NULL;
	if (snprintf(path, sizeof(path), "%.*s/%s", (int)(base - at.dli_fname), at.dli_fname,
		     MODEL_LIBRARY) >= (int)sizeof(path))
		return NULL;
	return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

int model_find(const struct montecito_model **res)
{
	static const struct montecito_model *_Atomic found;
	const struct montecito_model *model = atomic_load(&found);
	void *library;

	if (!model && &montecito_model)
		model = &montecito_model;
	if (!model) {
		library = open_beside();
		if (!library)
			library = dlopen(MODEL_LIBRARY, RTLD_NOW | RTLD_LOCAL);
		if (!library)
			return -ELIBACC;
		model = dlsym(library, "montecito_model");
		/* The library stays loaded: machines may live as long as the process. */
	}
	if (!model || strcmp(model->version, MONTECITO_VERSION))
		return -ELIBBAD;
	atomic_store(&found, model);
	*res = model;
	return 0;
}
