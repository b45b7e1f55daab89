// SPDX-License-Identifier: GPL-2.0-only
/* montctl boot --save and --restore: a system's state in a file. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "boot_save.h"
#include "montctl.h"

int boot_save(struct montecito_system *s, const char *path)
{
	size_t len;
	void *blob;
	FILE *f;
	int err = montecito_system_save(s, &blob, &len);

	if (err)
		return fail("cannot save: %s", strerror(-err));
	f = fopen(path, "we");
	if (!f) {
		err = errno;
	} else {
		if (fwrite(blob, len, 1, f) != 1)
			err = errno;
		if (fclose(f) && !err)
			err = errno;
	}
	free(blob);
	return err ? fail("--save %s: %s", path, strerror(err)) : 0;
}

/* The whole file, malloc()ed, or NULL with errno. */
static void *boot_save_read_file(const char *path, size_t *len)
{
	FILE *f = fopen(path, "re");
	void *data = NULL;
	struct stat st;

	if (!f)
		return NULL;
	if (!fstat(fileno(f), &st)) {
		*len = st.st_size;
		data = S_ISREG(st.st_mode) ? malloc(*len + 1) : NULL;
		if (!S_ISREG(st.st_mode))
			errno = EINVAL;
	}
	if (data && *len && fread(data, *len, 1, f) != 1) {
		errno = ferror(f) ? errno : EINVAL;
		free(data);
		data = NULL;
	}
	fclose(f);
	return data;
}

int boot_restore(struct montecito_system *s, const char *path)
{
	const char *why;
	unsigned int vcpu;
	size_t len;
	void *blob = boot_save_read_file(path, &len);
	int err = blob ? montecito_system_restore(s, blob, len) : -errno;

	if (!err) {
		free(blob);
		return 0;
	}
	why = blob && err == -EINVAL ? montecito_system_why(s, &vcpu) : strerror(-err);
	fail("--restore %s: %s", path, why);
	free(blob);
	return err == -ENOENT || err == -ENOTDIR ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
}
