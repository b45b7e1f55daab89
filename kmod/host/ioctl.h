/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table of ioctls: sizes, versions and flags of their structures. Called by
 * main.c, machine.c and vcpu.c, for their files.
 */
#ifndef MHOST_IOCTL_H
#define MHOST_IOCTL_H

#include <linux/stddef.h>
#include <linux/types.h>

/**
 * struct mhost_op - one ioctl
 * @cmd: its number
 * @size: bytes of its structure as this kernel knows it
 * @min: bytes of its first version
 * @flags: bits that its flags field may have
 * @out: MHOST_OUT_*
 * @fn: does it; @arg is a kernel copy
 * @end: NULL, or called after @fn has succeeded with its result @ret: what it made
 *	stays only if @told, which says that the caller could be told of it
 */
struct mhost_op {
	unsigned int cmd;
	u32 size;
	u32 min;
	u32 flags;
	u32 out;
	long (*fn)(void *obj, void *arg);
	void (*end)(void *obj, void *arg, long ret, bool told);
};

#define MHOST_OUT_NONE 0 /* nothing is copied back */
#define MHOST_OUT_OK 1 /* on success */
#define MHOST_OUT_ALWAYS 2 /* on failure too */

#define MHOST_OP_END(_cmd, _fn, _end, _type, _last, _flags, _out)                       \
	{                                                                               \
		.cmd = (_cmd), .size = sizeof(_type), .min = offsetofend(_type, _last), \
		.flags = (_flags), .out = (_out), .fn = (_fn), .end = (_end),           \
	}
#define MHOST_OP(_cmd, _fn, _type, _last, _flags, _out) \
	MHOST_OP_END(_cmd, _fn, NULL, _type, _last, _flags, _out)

long mhost_ioctl(const struct mhost_op *ops, unsigned int nr, void *obj, unsigned int cmd,
		 unsigned long uarg);

#endif
