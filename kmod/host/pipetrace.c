// SPDX-License-Identifier: GPL-2.0-only
/*
 * The trace of a vcpu: events of the model, as records in the ring of the file that
 * asked for them (uapi/linux/montecito.h, MONTECITO_TRACE).
 */
#include <linux/errno.h>
#include <linux/kernel.h>

#include "host.h"
#include "lock.h"
#include "observer.h"
#include "pipetrace.h"
#include "ring.h"

/* In the middle of mont_run(), under the machine's lock. */
static void mhost_trace_event(struct mont_trace *trace, const struct mont_trace_event *e)
{
	struct mhost_vcpu *v = container_of(trace, struct mhost_vcpu, trace);
	struct montecito_record_trace r;

	mhost_trace_out(e, &r);
	mhost_ring_write(v->ring, &r, sizeof(r));
	mhost_pend(v);
}

/* @kinds of @v's vcpu go into its ring from now on. The machine's lock is held. */
static int mhost_trace_set(struct mhost_vcpu *v, u32 kinds)
{
	struct mhost_vcpu **tracer = &v->m->tracer[v->index];
	int ret;

	if (*tracer && *tracer != v)
		return -EEXIST;
	v->trace.event = mhost_trace_event;
	ret = mont_trace_set(v->t, kinds ? &v->trace : NULL, kinds);
	if (!ret)
		*tracer = kinds ? v : NULL;
	return ret;
}

/**
 * mhost_vcpu_trace() - MONTECITO_TRACE
 * @obj: the file's struct mhost_vcpu
 * @arg: struct montecito_trace
 *
 * Return: 0 or an errno of those that the uapi lists.
 */
long mhost_vcpu_trace(void *obj, void *arg)
{
	const struct montecito_trace *tr = arg;
	struct mhost_vcpu *v = obj;
	int ret;

	if (tr->pad || tr->kinds >> MONT_NR_TRACE)
		return -EINVAL;
	ret = mhost_enter(v->m);
	if (ret)
		return ret;
	ret = v->ring ? mhost_trace_set(v, tr->kinds) : -ENXIO;
	mhost_unlock(v->m);
	return ret;
}

/**
 * mhost_trace_release() - end the trace of a file that is closed
 * @v: the file; the machine's lock is held
 */
void mhost_trace_release(struct mhost_vcpu *v)
{
	if (v->m->tracer[v->index] == v)
		(void)mhost_trace_set(v, 0);
}
