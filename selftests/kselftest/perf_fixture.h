/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Beginning of each test of the PMU "montecito": a machine of one processor that spins,
 * on a kernel whose perf has the PMU.
 */
#ifndef PERF_FIXTURE_H
#define PERF_FIXTURE_H

#include "kselftest_harness.h"
#include "perfevent.h"

FIXTURE(perf)
{
	int m;
	int v;
};

FIXTURE_SETUP(perf)
{
	ASSERT_TRUE(has_perf());
	self->m = machine(1, 1, 0);
	self->v = vcpu(self->m, 0);
	start(self->v, GUEST_SPIN);
}

FIXTURE_TEARDOWN(perf)
{
	close(self->v);
	close(self->m);
}

#endif
