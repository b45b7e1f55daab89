/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The registers of a program's thread while another runs, as an operating system keeps them:
 * its frame and all else in host memory, the frames below it in its backing store. Called by threads.h,
 * which keeps one for each thread, and threads.c.
 */
#ifndef LIBMONTECITO_CONTEXT_H
#define LIBMONTECITO_CONTEXT_H

#include "process.h"

#define CONTEXT_GRS 31 /* r1 to r31 */
#define CONTEXT_FRAME 96 /* r32 and up, as many as the frame has */
#define CONTEXT_FRS 126 /* f2 to f127 */

/**
 * struct context - registers of a thread that does not run
 * @reg: in the order in which they have to be set; those of the frame come last
 * @nr: how many of them there are
 */
struct context {
	struct montecito_reg reg[32 + CONTEXT_GRS + CONTEXT_FRS + CONTEXT_FRAME];
	unsigned int nr;
};

/*
 * Read the registers of @vcpu. -EAGAIN where the frame is not whole: its registers come from
 * the backing store with the next instructions.
 */
int context_get(struct montecito *m, unsigned int vcpu, struct context *c);
/*
 * Store the registers below the frame to the backing store, and the first @of_frame of the
 * frame, not rotated; the processor keeps none below its frame then. @c has been read before
 * and learns AR.BSPSTORE, which is behind the last, and AR.RNAT. -EFAULT where the program has no
 * such memory.
 */
int context_flush(struct guest_process *p, struct context *c, unsigned int of_frame);
/* Give @c the frame of @cfm, with registers of 0. */
void context_frame(struct context *c, uint64_t cfm);
/*
 * Give @c the frame of @cfm, with the registers below AR.BSPSTORE in memory. -EFAULT where
 * they are not there, -EINVAL where there is no such frame.
 */
int context_unflush(struct guest_process *p, struct context *c, uint64_t cfm);
/* Have @c go on at @ip: a bundle, and a slot in its low bits. */
void context_goto(struct context *c, uint64_t ip);
/* Give all registers but IP and PSR a value of 0, and no frame. */
int context_clear(struct montecito *m, unsigned int vcpu);
/* Set all registers. The processor has none below the frame (context_flush()). */
int context_set(struct montecito *m, unsigned int vcpu, const struct context *c);

/* The value that @c has for register @index of @cls, which is one of those that it keeps. */
__u64 *context_value(struct context *c, uint32_t cls, uint32_t index);
/* Make @result, or a negative errno, what its system call has given (r8 and r10). */
void context_result(struct context *c, int64_t result);

#endif
