/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The trace of the pipeline into a ring. Called by vcpu.c.
 */
#ifndef MHOST_PIPETRACE_H
#define MHOST_PIPETRACE_H

#include "host.h"

long mhost_vcpu_trace(void *obj, void *arg);
void mhost_trace_release(struct mhost_vcpu *v);

#endif
