/* SPDX-License-Identifier: GPL-2.0-only */
/* A file of a file system in userspace: its pages come when its server likes. */
#ifndef FUSE_H
#define FUSE_H

#include <stddef.h>
#include <sys/types.h>

/* How the server answers READ */
enum fuse_answer {
	FUSE_AT_ONCE,
	FUSE_NEVER,
	FUSE_BEHIND_A_TOUCH, /* of the memory that it was given */
};

/*
 * Mount one file of @size bytes at fuse_path(), readable and writable for all, whose server is
 * a process of its own; it touches @memory, @length bytes, where it is told to. Pages are
 * asked for anew after each open(). Bails out on failure.
 *
 * Return: where to say how READ is answered from now on.
 */
volatile enum fuse_answer *fuse_begin(size_t size, volatile char *memory, size_t length);
const char *fuse_path(void);
/* How often the server has been asked for pages. */
unsigned long fuse_reads(void);
void fuse_end(void);

#endif
