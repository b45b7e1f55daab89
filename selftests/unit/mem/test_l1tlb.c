// SPDX-License-Identifier: GPL-2.0-only
/*
 * First-level TLBs against a list in the order of last use, and the lines that go with
 * their entries (manual 2.4.3.1.1, 2.4.3.1.2).
 */
#include "mem_test.h"

static u64 list[MONT_NR_L1TLB];
static unsigned int len;

static int place(u64 page)
{
	unsigned int i;

	for (i = 0; i < len; i++)
		if (list[i] == page)
			return (int)i;
	return -1;
}

static bool reference(u64 va)
{
	u64 page = va >> 12;
	int at = place(page), from = at >= 0 ? at : (int)(len < MONT_NR_L1TLB ? len++ : len - 1);

	memmove(list + 1, list, from * sizeof(*list));
	list[0] = page;
	return at >= 0;
}

static void uses(void)
{
	static struct mont_l1tlb l = { .tag = MONT_L1TLB_VALID };
	u64 *cache = h->l1d.line[0];
	unsigned int seed = 7, i, wrong = 0, hits = 0, k;

	for (i = 0; i < 1000000; i++) {
		u64 spread = i & 0x10000 ? 29 : 45;
		u64 va = (u64)(rand_r(&seed) % spread) << (i & 0x8000 ? 12 : 19) |
			 rand_r(&seed) % 4096;
		bool hit;

		if (i % 5003 == 0) {
			u64 size = 4096ULL << rand_r(&seed) % 8;

			va &= ~(size - 1);
			mont_l1tlb_purge(&l, cache, 0, va, size);
			for (k = 0; k < len;) {
				if (list[k] - (va >> 12) < size >> 12)
					memmove(list + k, list + k + 1,
						(--len - k) * sizeof(*list));
				else
					k++;
			}
			continue;
		}
		hit = mont_l1tlb_use(&l, va);
		if (!hit)
			mont_l1tlb_insert(&l, cache, MONT_NR_L1TLB, va);
		wrong += hit != reference(va);
		hits += hit;
	}
	ok(!wrong && hits > 100000 && hits < 990000,
	   "a million uses and purges as a list has them: %u hits", hits);
}

#define VA (1ULL << 61) /* not where it is physically */
#define PAGE 4096ULL

/* Return: true if an integer load at @offset of page @n, long behind the last, misses the L1D. */
static bool misses(u64 n, u64 offset)
{
	static u64 now;
	struct mont_ref ref = { .va = VA + n * PAGE + offset, .pa = n * PAGE + offset, .size = 8 };

	mont_reply_begin(&reply);
	mont_pipeline_load(h, &tlb, &ref, 0, now += 1000, &reply);
	return MET(L1D_MISSED);
}

/* Lines of page @n that the L1D has. */
static u32 lines(u64 n)
{
	u32 set, there = 0;

	for (set = 0; set < MONT_L1_SETS; set++)
		there += mont_lines_find(h->l1d.line[set], MONT_L1_WAYS,
					 n * PAGE + set * MONT_L1_LINE) >= 0;
	return there;
}

static void replaced(void)
{
	u32 n, i, wrong = 0;

	fresh();
	for (n = 0; n < MONT_NR_L1TLB; n++)
		for (i = 0; i < 3; i++)
			wrong += !misses(n, (2 * n + i) % MONT_L1_SETS * MONT_L1_LINE);
	ok(!wrong && lines(0) == 3 && !misses(0, 0),
	   "as many pages as there are entries keep their lines");
	misses(MONT_NR_L1TLB, 0);
	ok(lines(0) == 3 && !lines(1) && lines(2) == 3,
	   "an entry that is replaced takes its own lines with it");
	ok(misses(1, 2 * MONT_L1_LINE) && misses(1, 3 * MONT_L1_LINE) &&
		   !misses(1, 3 * MONT_L1_LINE),
	   "each is missed again, once");
}

static void purged(void)
{
	fresh();
	misses(4, 0);
	misses(4, 128);
	misses(5, 192);
	mont_l1tlb_purge(&tlb, h->l1d.line[0], 0, VA + 5 * PAGE, PAGE);
	ok(lines(4) == 2 && !lines(5), "a page that is purged takes its lines");
	mont_l1tlb_purge(&tlb, h->l1d.line[0], 0, VA, 8 * PAGE);
	ok(!lines(4) && misses(4, 0), "and so do those of a larger one");
	misses(6, 0);
	mont_l1tlb_empty(&tlb, h->l1d.line[0]);
	ok(!lines(4) && !lines(6), "all of them, where all entries go");
}

/* A page of the same number, first elsewhere. */
static void moved(void)
{
	struct mont_ref ref = { .va = 0, .pa = 7 * PAGE, .size = 8 };

	fresh();
	mont_reply_begin(&reply);
	mont_pipeline_load(h, &tlb, &ref, 0, 1000, &reply);
	ref.pa = 9 * PAGE;
	mont_pipeline_load(h, &tlb, &ref, 0, 2000, &reply);
	ok(!lines(7) && lines(9) == 1, "an entry has the lines of one page");
}

/* R11, R13, R14: entries are of one thread, and lines of the L1I may be of both. */
static void tagged(void)
{
	u32 thread;

	fresh();
	misses(3, 0);
	tlb.tag = mont_l1tlb_tag(1);
	ok(!mont_l1tlb_has(&tlb, VA + 3 * PAGE), "the other thread has no entry for the page");
	misses(3, 64);
	ok(mont_l1tlb_has(&tlb, VA + 3 * PAGE) && lines(3) == 2, "it has one of its own then");
	mont_l1tlb_purge(&tlb, h->l1d.line[0], 0, VA, 8 * PAGE);
	ok(mont_l1tlb_has(&tlb, VA + 3 * PAGE), "a purge by one thread leaves the other's");
	ok(lines(3) == 1, "and takes the purged one's lines out of the L1D");
	for (thread = 0; thread < 2; thread++) {
		fresh();
		misses(3, 0);
		tlb.tag = mont_l1tlb_tag(1);
		misses(3, 64);
		tlb.shared = 1;
		mont_l1tlb_purge(&tlb, h->l1d.line[0], thread, VA, 8 * PAGE);
		ok(lines(3) == 2, "where lines are shared the other entry keeps them");
		mont_l1tlb_purge(&tlb, h->l1d.line[0], !thread, VA, 8 * PAGE);
		ok(!lines(3), "and takes all of them with it");
	}
}

int main(void)
{
	fresh();
	uses();
	replaced();
	purged();
	moved();
	tagged();
	printf("1..%u\n", nr);
	return bad;
}
