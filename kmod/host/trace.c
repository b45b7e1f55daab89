// SPDX-License-Identifier: GPL-2.0-only
/* The tracepoints of trace.h themselves. */
#include "host.h"

#define CREATE_TRACE_POINTS
#include "trace.h"
