/* SPDX-License-Identifier: GPL-2.0-only */
/* Tools of the tests of the caches. */
#ifndef MEM_TEST_H
#define MEM_TEST_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/uop.h"
#include "cache/memory_pipeline.h"
#include "cache/coalesce.h"
#include "cache/l1d.h"
#include "cache/l1i.h"
#include "cache/l2d.h"
#include "cache/l2i.h"
#include "cache/l3.h"
#include "cache/sizes.h"
#include "package/bus.h"
#include "package/snoop.h"

static unsigned int nr, bad;

__attribute__((format(printf, 2, 3))) static void ok(int good, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	printf("%sok %u - ", good ? "" : "not ", ++nr);
	vprintf(fmt, args);
	printf("\n");
	va_end(args);
	bad += !good;
}

static struct mont_hierarchy *h;
static struct mont_bus bus;
static struct mont_l1tlb tlb;
static struct mont_reply reply;

/* Empty caches, and the numbers of timing.def. */
static inline void fresh(void)
{
	if (!h)
		h = malloc(sizeof(*h));
	memset(h, 0, sizeof(*h));
	memset(&bus, 0, sizeof(bus));
	mont_bus_connect(&bus, h, 0);
	tlb = (struct mont_l1tlb){ .tag = mont_l1tlb_tag(0) };
	mont_timing_default(&h->timing);
}

#define BIT_OF(name) MONT_REPLY_BIT(name)

/* One bit of met, as 0 or 1. */
#define MET(name) (!!(reply.bits & MONT_REPLY_BIT(name)))
#define SENT(name) (!!(reply.sent & MONT_SENT_BIT(name)))
#define CANCELLED(name) (!!(reply.cancelled & MONT_CANCELLED_BIT(name)))
#define HELD(name) (!!(reply.holds >> MONT_HOLD_##name & 1))

/* References of 8 bytes, virtual address equal to physical. */
static inline u64 load(u64 pa, u64 now, u32 kind, u32 order)
{
	struct mont_ref ref = { .va = pa, .pa = pa, .size = 8, .kind = kind };

	mont_reply_begin(&reply);
	return mont_pipeline_load(h, &tlb, &ref, order, now, &reply);
}

static inline void store(u64 pa, u64 now, u32 kind)
{
	struct mont_ref ref = { .va = pa, .pa = pa, .size = 8, .kind = kind };

	mont_reply_begin(&reply);
	mont_pipeline_store(h, &ref, 0, now, &reply);
}

static int done(void)
{
	printf("1..%u\n", nr);
	free(h);
	return bad != 0;
}

#endif
