// SPDX-License-Identifier: GPL-2.0-only
/*
 * From bytes of memory to decoded bundles (manual 2.2: instruction fetch). Each
 * is decoded once, and kept until its memory changes: mont_code_written().
 */
#include "fetch.h"
#include "../event/raise.h"
#include "../pipeline/pipeline.h"
#include "../mmu/breakpoint.h"
#include "../memory/mem.h"
#include "../pmu/tags.h"
#include "../isa/decode.h"

void mont_fetch_decode(struct mont_thread *t, struct mont_bundle *b, u64 pa)
{
	struct mont_package *pkg = t->pkg;
	const u64 *raw = (const u64 *)(t->fetch_host + (pa & 0xff0));
	u8 *code = mont_code_page(pkg, pa);

	mont_work(t, MONT_WORK_DECODE);
	if (t->time)
		mont_groups_forget(pkg->groups, pa, raw);
	mont_bundle_forget(pkg, b);
	mont_decode(b, raw[0], raw[1]);
	b->tag = pa | MONT_TAG_VALID;
	if (!mont_pack(b))
		b->tag |= MONT_TAG_STEP;
	if ((pa & 0xff0) == 0xff0)
		b->tag |= MONT_TAG_PAGE_END;
	/* The run loop must look at its address first. */
	if (unlikely((pa & 0xff0) == (t->until & 0xfff)) ||
	    unlikely(mont_break_near(&pkg->breakpoints, pa)))
		b->tag |= MONT_TAG_STEP;
	mont_tags_forget(pkg, pa);
	if (*code)
		return;
	/* From now on stores to this page must be seen. */
	*code = 1;
	mont_utlb_protect(pkg, t->fetch_host);
}

void mont_check_forget(struct mont_thread *t)
{
	u64 pa = t->fetch_pa | (t->s.ip & 0xff0);
	struct mont_bundle *b = &t->pkg->bundle[pa >> 4 & (MONT_NR_BUNDLES - 1)];

	mont_bundle_forget(t->pkg, &b[0]);
	mont_bundle_forget(t->pkg, &b[1]);
	if (t->time) {
		mont_groups_forget(t->pkg->groups, pa, NULL);
		mont_groups_forget(t->pkg->groups, pa + 16, NULL);
	}
	mont_utlb_flush(t);
}
