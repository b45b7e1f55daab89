// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bounded work (work.h): the question to the host.
 */
#include "work.h"

bool mont_work_ask(struct mont_work *work)
{
	s64 more = (s64)work->every - work->left;

	if (work->rest <= 0 || work->stopped)
		return false;
	work->stopped = work->stop && work->stop(work->host);
	if (work->stopped)
		return false;
	if (more > work->rest)
		more = work->rest;
	work->left += more;
	work->rest -= more;
	return work->left > 0;
}
