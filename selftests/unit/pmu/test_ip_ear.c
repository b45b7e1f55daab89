// SPDX-License-Identifier: GPL-2.0-only
/*
 * The IP-EAR (manual 3.3.10.2, tables 3-30 to 3-33): entries, cycles, flushes and the end of
 * capture behind a freeze. Signals are raised by hand, a cycle apart or more.
 */
#include "pmu_test.h"
#include "arch/psr.h"
#include "pmu/registers.h"

#define IP 0x4000ULL
#define HIGH 0xe000000000123450ULL
#define MODE(n) ((u64)(n) << 8)
#define DELAY(n) ((u64)(n) << 11)
#define ON (PLM_ALL | MODE(4))
#define START 100

static struct mont_thread *t;

static void start(u64 pmc42)
{
	t = new_thread(1);
	t->pmu.timed = true;
	mont_pmu_reset(t);
	t->s.psr |= MONT_PSR_UP;
	t->clock = START;
	mont_pmc_write(t, 0, 0);
	mont_pmc_write(t, 42, pmc42);
	mont_pmd_write(t, 38, 0);
}

static u64 pmd(u32 n)
{
	return mont_pmd_read(t, n, 0);
}

/* Bundle @ip retires in cycle @at. */
static void retires(u64 ip, u64 at)
{
	t->clock = at;
	t->s.ip = ip;
	t->sig_slot = 2;
	mont_signal(t, MONT_SIG_INST_RETIRED, 7);
	t->s.last_ip = ip;
	t->s.ip = ip + 16;
}

static void end_of_group(void)
{
	if (t->attn & MONT_ATTN_GROUP)
		mont_group_end(t);
}

/* PMDs of entry @n: address and cycles; with the bits of PMD39. */
static bool entry(u32 n, u64 ip, u64 cycles, u64 flags)
{
	u32 shift = 4 * (n < 8 ? 2 * n : 2 * (n - 8) + 1);

	return pmd(48 + n) == (ip >> 4 | (cycles & 0xf) << 60) &&
	       (pmd(39) >> shift & 0xf) == (cycles >> 4 << 2 | flags);
}

static void entries(void)
{
	u32 i;

	start(ON);
	retires(IP, START + 1);
	retires(IP + 16, START + 1);
	retires(HIGH, START + 4);
	check(pmd(38) == 2, "a cycle, an entry: %llx", (unsigned long long)pmd(38));
	check(entry(0, IP, 1, 0), "the first bundle of the cycle");
	check(entry(1, HIGH, 3, 0), "all bits of an address: %llx", (unsigned long long)pmd(49));
	retires(IP, START + 4 + 17);
	retires(IP, START + 4 + 17 + 63);
	retires(IP, START + 4 + 17 + 63 + 64);
	check(entry(2, IP, 17, 0), "more than four bits of cycles");
	check(entry(3, IP, 63, 0) && entry(4, IP, 63, 0), "the count of cycles stays at its end");
	for (i = 0; i < 12; i++)
		retires(IP + 16 * i, START + 200 + i);
	check(pmd(38) == (0x20 | 1), "16 entries, then from the beginning");
	check(entry(0, IP + 16 * 11, 1, 0) && entry(1, HIGH, 3, 0), "the oldest is written over");
	check(entry(15, IP + 16 * 10, 1, 0), "the last register: %llx",
	      (unsigned long long)pmd(63));
	group("entries and index");
}

static void flushes(void)
{
	start(ON);
	retires(IP, START + 1);
	mont_signal(t, MONT_SIG_FLUSH_BRU, 0);
	retires(IP, START + 9);
	retires(IP, START + 10);
	mont_signal(t, MONT_SIG_FLUSH_XPN, 0);
	retires(IP, START + 20);
	check(entry(0, IP, 1, 0) && entry(1, IP, 8, 2) && entry(2, IP, 1, 0) && entry(3, IP, 10, 2),
	      "f is of the entry behind a flush");
	group("flushes");
}

/* PMC4 counts what stands for another event; it overflows at the next occurrence. */
static void start_frozen(u64 delay)
{
	start(ON | DELAY(delay));
	mont_pmc_write(t, 4, 0x08 << 8 | PLM_ALL | 1 << 5);
	mont_pmd_write(t, 4, (1ULL << 47) - 1);
	retires(IP, START + 5);
	end_of_group();
	check(t->s.pmu.pmc[0] & 1, "frozen");
}

static void freezes(void)
{
	start_frozen(3);
	check(pmd(38) == 1 && entry(0, IP, 5, 0), "the cycle of the freeze is there");
	retires(IP + 16, START + 6);
	retires(IP + 32, START + 8);
	check(pmd(38) == 3 && entry(2, IP + 32, 2, 0), "the delay");
	retires(IP + 48, START + 30);
	check(pmd(38) == 4 && entry(3, IP + 48, 1, 0), "one more, in the cycle behind the delay");
	retires(IP + 64, START + 30);
	end_of_group();
	retires(IP + 80, START + 31);
	check(pmd(38) == 4, "and no other: %llx", (unsigned long long)pmd(38));
	mont_pmc_write(t, 0, 0);
	retires(IP + 96, START + 32);
	check(pmd(38) == 5 && entry(4, IP + 96, START + 32 - (START + 9), 0), "thawed: it goes on");
	start_frozen(0);
	retires(IP + 16, START + 6);
	retires(IP + 32, START + 7);
	check(pmd(38) == 2 && entry(1, IP + 16, 1, 0), "no delay: one more");
	group("freeze and delay");
}

static void early(void)
{
	start_frozen(200);
	retires(HIGH, START + 6);
	t->clock = START + 15;
	mont_psr_set(t, t->s.psr & ~MONT_PSR_UP);
	check(pmd(38) == 3 &&
		      pmd(50) == ((HIGH >> 12 << 8) | (START + 205 - (START + 15)) | 9ULL << 60),
	      "ef: page of the last address, rest of the delay: %llx", (unsigned long long)pmd(50));
	check((pmd(39) >> 16 & 0xf) == 1, "ef in PMD39: %llx", (unsigned long long)pmd(39));
	mont_psr_set(t, t->s.psr | MONT_PSR_UP);
	retires(IP, START + 16);
	check(pmd(38) == 3, "that was the end");
	start(ON);
	mont_psr_set(t, t->s.psr & ~MONT_PSR_UP);
	retires(IP, START + 1);
	mont_psr_set(t, t->s.psr | MONT_PSR_UP);
	retires(IP, START + 2);
	check(pmd(38) == 1 && entry(0, IP, 2, 0),
	      "without a freeze PSR.up stops it, without an entry");
	group("early freeze");
}

static void modes(void)
{
	start(PLM_ALL);
	retires(IP, START + 1);
	check(!pmd(38) && !t->s.pmu.uncounted, "mode 000: the trace buffer's");
	start(ON);
	check(!t->s.pmu.uncounted, "mode 100 is served");
	retires(IP, START + 1);
	mont_pmc_write(t, 39, PLM_ALL | 0x3f00);
	mont_signal_branch(t, MONT_BR_IPREL, IP, true);
	end_of_group();
	check(pmd(38) == 1, "no branches beside it");
	mont_pmc_write(t, 42, 0);
	retires(IP, START + 9);
	check(pmd(38) == 1 && !t->s.pmu.etb.target, "off again");
	start(PLM_ALL | MODE(2));
	retires(IP, START + 1);
	check(!pmd(38) && t->s.pmu.uncounted == MONT_BIT(42), "a reserved mode is told of");
	start(ON);
	t->pmu.timed = false;
	mont_pmc_write(t, 42, ON);
	retires(IP, START + 1);
	check(!pmd(38), "without time it takes nothing");
	mont_pmc_write(t, 42, MODE(4));
	check(!t->s.pmu.uncounted, "without a level it asks for nothing");
	group("modes");
}

static u32 sampled;

static void sample(struct mont_observer *o, const struct mont_occurrence *at)
{
	(void)at;
	sampled++;
	check(mont_observer_pmd(o, 48 + (sampled - 1) % 16) << 4 >> 4 == t->s.ip >> 4,
	      "a sample has its own entry");
}

/* The registers of @o are those of the guest. */
static bool alike(const struct mont_observer *o)
{
	u32 n, same = 0;

	for (n = 48; n < 64; n++)
		same += mont_observer_pmd(o, n) == pmd(n);
	return same == 16 && mont_observer_pmd(o, 38) == pmd(38) &&
	       mont_observer_pmd(o, 39) == pmd(39);
}

static void observers(void)
{
	struct mont_observer o = {
		.filter = { .code = MONT_CODE_IP_EAR, .plm = 0xf },
		.period = 1,
		.overflow = sample,
	};
	const char *why;
	u32 i;

	start(ON);
	check(!mont_observer_attach(t, &o, &why), "%s", why);
	sampled = 0;
	/* The guest's own is seen to be right above: the two must be alike at each entry. */
	for (i = 1; i < 40; i++) {
		retires(IP + 16 * i, START + i * i);
		retires(HIGH, START + i * i);
		if (i % 3 == 0)
			mont_signal(t, i & 1 ? MONT_SIG_FLUSH_XPN : MONT_SIG_FLUSH_BRU, 0);
		end_of_group();
		check(alike(&o), "entry %u", i);
	}
	check(sampled == 39 && mont_observer_read(t, &o) == 39, "its count is that of its entries");
	/* PSR, PMC42 and a freeze are the guest's. */
	t->s.psr &= ~MONT_PSR_UP;
	mont_pmc_write(t, 42, 0);
	mont_pmc_write(t, 0, 1);
	retires(IP, START + 5000);
	check(mont_observer_read(t, &o) == 40 &&
		      mont_observer_pmd(&o, 48 + 39 % 16) == (IP >> 4 | 15ULL << 60),
	      "whatever the guest does");
	mont_observer_detach(t, &o);
	o.filter.flags = MONT_FILTER_IAR;
	o.filter.iar_hi = 16;
	check(mont_observer_attach(t, &o, &why) == MONT_EOPNOTSUPP, "no range");
	o.filter.flags = 0;
	t->pmu.timed = false;
	check(mont_filter_check(&o.filter, 0, &why) == MONT_EOPNOTSUPP, "not without time");
	check(mont_filter_pmds(&o.filter) == (3ULL << 38 | 0xffffULL << 48), "PMDs");
	group("an observer's own");
}

int main(void)
{
	entries();
	flushes();
	freezes();
	early();
	modes();
	observers();
	return tap_end();
}
