/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Structures that a caller allocates begin with their size in bytes, as those of
 * the uapi do: they can grow at their end, and programs and libraries of different
 * ages still understand each other. Called by each function of the library that takes one: in
 * internal.h, disasm.c, events.c, process.c and timed_run.c.
 */
#ifndef LIBMONTECITO_SIZED_H
#define LIBMONTECITO_SIZED_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t sized_size(const void *s)
{
	uint32_t size;

	memcpy(&size, s, sizeof(size));
	return size;
}

/*
 * Take what the caller gave at @from into @to, of @known bytes: members that an older
 * caller does not know are 0. -EINVAL for less than the @least bytes that the first
 * version had, -E2BIG if a newer caller asks for something not known here.
 */
static inline int sized_take(void *to, uint32_t known, const void *from, uint32_t least)
{
	uint32_t size = sized_size(from), i;

	if (size < least)
		return -EINVAL;
	for (i = known; i < size; i++)
		if (((const uint8_t *)from)[i])
			return -E2BIG;
	memset(to, 0, known);
	memcpy(to, from, size < known ? size : known);
	memcpy(to, &known, sizeof(known));
	return 0;
}

/* Answer with @from, of @known bytes, as much as the caller's @to has room for. */
static inline int sized_give(void *to, const void *from, uint32_t known, uint32_t least)
{
	uint32_t size = sized_size(to);

	if (size < least)
		return -EINVAL;
	memset(to, 0, size);
	memcpy(to, from, size < known ? size : known);
	memcpy(to, &size, sizeof(size));
	return 0;
}

/* @last is the last member that the first version of the structure had. */
#define SIZED_LEAST(type, last) (offsetof(type, last) + sizeof(((type *)0)->last))
#define SIZED_TAKE(to, from, last) \
	sized_take(to, sizeof(*(to)), from, SIZED_LEAST(__typeof__(*(to)), last))
#define SIZED_GIVE(to, from, last) \
	sized_give(to, from, sizeof(*(from)), SIZED_LEAST(__typeof__(*(from)), last))

#endif
