// SPDX-License-Identifier: GPL-2.0-only
/*
 * The execution trace buffer (manual 3.3.10.1, tables 3-26 to 3-29): what it takes, and
 * where what it has taken stands. Signals are raised by hand, a cycle apart or more.
 */
#include "pmu_test.h"
#include "pmu/registers.h"

#define IP 0x4000ULL
#define FAR 0x9000ULL
#define TAKEN (1ULL << 9)
#define NOT_TAKEN (1ULL << 8)
#define ANY_TARGET (3ULL << 10)
#define ANY_PATH (3ULL << 12)
#define TYPE(n) ((u64)(n) << 14)
#define EVERYTHING (PLM_ALL | TAKEN | NOT_TAKEN | ANY_TARGET | ANY_PATH)

static struct mont_thread *t;

static void start(u64 pmc39)
{
	t = new_thread(1);
	t->pmu.timed = false;
	mont_pmu_reset(t);
	t->s.psr |= MONT_PSR_UP;
	t->clock = 100;
	mont_pmc_write(t, 0, 0);
	mont_pmc_write(t, 39, pmc39);
	mont_pmd_write(t, 38, 0);
}

/* Start the buffer with the timing model, whose predictions count. */
static void start_timed(u64 pmc39)
{
	start(pmc39);
	t->pmu.timed = true;
	mont_signals_arm(t);
}

static void end_of_group(u64 to)
{
	t->s.ip = to;
	if (t->attn & MONT_ATTN_GROUP)
		mont_group_end(t);
	t->clock++;
}

/* A branch from @from, whose group ends @later cycles after the last. */
static void branch(u64 from, u32 slot, u32 type, bool taken, u64 to, u64 later)
{
	t->clock += later;
	t->s.ip = from;
	t->sig_slot = slot;
	mont_signal_branch(t, type, to, taken);
	end_of_group(taken ? to : from + 16);
}

static u64 pmd(u32 n)
{
	return mont_pmd_read(t, n, 0);
}

static u64 source(u64 ip, u32 slot, bool wrong)
{
	return ip | slot << 2 | (u64)wrong << 1 | 1;
}

static u64 target(u64 ip)
{
	return ip | 2;
}

static void sources_and_targets(void)
{
	u32 i;

	start(EVERYTHING);
	branch(IP, 2, MONT_BR_IPREL, true, FAR, 5);
	branch(IP + 32, 1, MONT_BR_IPREL, false, FAR, 5);
	check(pmd(38) == 4, "index %llx", (unsigned long long)pmd(38));
	check(pmd(48) == source(IP, 2, false) && pmd(49) == target(FAR), "taken");
	check(pmd(50) == source(IP + 32, 3, false) && pmd(51) == target(IP + 48), "not taken");
	check(!pmd(39), "nothing to extend");
	start(EVERYTHING);
	branch(IP, 2, MONT_BR_IPREL, true, FAR, 5);
	branch(FAR, 0, MONT_BR_IPREL, true, IP, 0);
	branch(IP, 1, MONT_BR_IPREL, true, FAR, 1);
	check(pmd(38) == 5 && pmd(48) == source(IP, 2, false) && pmd(49) == source(FAR, 0, false),
	      "what is at the target in the next cycle stands alone");
	check(pmd(50) == target(IP) && pmd(51) == source(IP, 1, false) && pmd(52) == target(FAR),
	      "a cycle later the target comes first");
	start(EVERYTHING);
	branch(IP, 2, MONT_BR_IPREL, true, FAR, 5);
	check(pmd(38) == 2 && pmd(49) == target(FAR) && t->s.pmu.etb.target, "seen before");
	branch(FAR, 0, MONT_BR_IPREL, true, IP, 0);
	check(pmd(38) == 3 && pmd(49) == source(FAR, 0, false),
	      "and who has looked at the target has changed nothing");
	start(EVERYTHING);
	for (i = 0; i < 9; i++)
		branch(IP + 64 * i, 2, MONT_BR_IPREL, true, FAR, 5);
	check(pmd(38) == (0x20 | 2), "16 entries, then from the beginning: %llx",
	      (unsigned long long)pmd(38));
	check(pmd(48) == source(IP + 64 * 8, 2, false) && pmd(50) == source(IP + 64, 2, false),
	      "the oldest is written over");
	mont_pmd_write(t, 38, 0);
	check(!pmd(38), "full is cleared by software");
	group("entries and index");
}

/* True if a branch of @type, @taken, is recorded by @pmc39. */
static bool recorded(u64 pmc39, u32 type, bool taken)
{
	start(pmc39);
	branch(IP, 2, type, taken, FAR, 5);
	return pmd(38) == 2;
}

static void filters(void)
{
	u32 type, brt;

	for (type = MONT_BR_IPREL; type <= MONT_BR_NRETIND; type++)
		for (brt = 0; brt < 4; brt++)
			check(recorded(EVERYTHING | TYPE(brt), type, true) == (!brt || brt == type),
			      "type %u, brt %u", type, brt);
	check(!recorded(EVERYTHING & ~TAKEN, MONT_BR_IPREL, true) &&
		      recorded(EVERYTHING & ~TAKEN, MONT_BR_IPREL, false) &&
		      !recorded(EVERYTHING & ~NOT_TAKEN, MONT_BR_IPREL, false),
	      "tm");
	check(!recorded(EVERYTHING & ~1ULL, MONT_BR_IPREL, true), "plm");
	check(!recorded(EVERYTHING | PM, MONT_BR_IPREL, true), "pm: PSR.pp is 0");
	check(!recorded(EVERYTHING & ~(1ULL << 10), MONT_BR_IPREL, true),
	      "a prediction is asked for without one");
	start(PLM_ALL | ANY_TARGET | ANY_PATH);
	t->s.ip = IP;
	t->sig_slot = 1;
	mont_signal(t, MONT_SIG_FLUSHED, 0);
	end_of_group(FAR);
	check(pmd(48) == source(IP, 1, true) && pmd(49) == target(FAR),
	      "what else changes the flow: mispredicted, whatever tm says");
	start(EVERYTHING | 1 << 7);
	branch(IP, 2, MONT_BR_IPREL, true, FAR, 5);
	check(pmd(38) == 2 && pmd(49) == target(0), "ds: no address");
	start(EVERYTHING);
	branch(IP, 2, MONT_BR_IPREL, true, FAR, 5);
	mont_pmc_write(t, 0, 1);
	branch(IP, 2, MONT_BR_IPREL, true, FAR, 5);
	check(pmd(38) == 2 && pmd(49) == target(FAR), "frozen: the target is there all the same");
	group("what is recorded");
}

/* True if, with time, a branch with @outcome is recorded under ptm @target and ppm @path. */
static bool predicted(u32 target_mask, u32 path_mask, u8 outcome)
{
	start_timed(PLM_ALL | TAKEN | NOT_TAKEN | (u64)target_mask << 10 | (u64)path_mask << 12);
	t->sig_outcome = outcome;
	branch(IP, 2, MONT_BR_IPREL, true, FAR, 5);
	return pmd(38) == 2;
}

static void predictions(void)
{
	const u8 wrong_path = MONT_BRANCH_WRONG_PATH, wrong_target = MONT_BRANCH_WRONG_TARGET;

	/* 3.3.10.1.1: the settings that it names */
	check(predicted(2, 2, 0) && !predicted(2, 2, wrong_path) && !predicted(2, 2, wrong_target),
	      "all that are predicted rightly");
	check(!predicted(3, 1, 0) && predicted(3, 1, wrong_path) && !predicted(3, 1, wrong_target),
	      "a wrong path");
	check(!predicted(1, 3, 0) && !predicted(1, 3, wrong_path) && predicted(1, 3, wrong_target),
	      "a wrong target");
	check(!predicted(1, 1, 0) && !predicted(1, 1, wrong_path) && !predicted(1, 1, wrong_target),
	      "both: an empty buffer");
	check(!predicted(0, 3, 0) && !predicted(3, 0, 0), "none");
	start_timed(EVERYTHING);
	t->sig_bundle = 1;
	t->sig_outcome = MONT_BRANCH_BACK_END;
	branch(IP + 16, 2, MONT_BR_RETURN, true, FAR, 5);
	t->sig_bundle = 0;
	t->sig_outcome = 0;
	branch(FAR, 2, MONT_BR_IPREL, true, IP, 5);
	check(pmd(48) == source(IP, 2, true) && pmd(39) == 3,
	      "from the group's second bundle, and the pipe was flushed: %llx %llx",
	      (unsigned long long)pmd(48), (unsigned long long)pmd(39));
	check(pmd(50) == source(FAR, 2, false), "and not");
	group("predictions");
}

/* Exceptions and failed checks alone ask for no prediction [table 3-26: tm 00]. */
static void untimed(void)
{
	start(PLM_ALL);
	branch(IP, 2, MONT_BR_IPREL, true, FAR, 5);
	t->s.ip = IP;
	t->sig_slot = 1;
	mont_signal(t, MONT_SIG_FLUSHED, 0);
	end_of_group(FAR);
	check(pmd(38) == 2 && pmd(48) == source(IP, 1, true) && pmd(49) == target(FAR),
	      "tm, ptm and ppm of 00: the failed check, and no branch: %llx",
	      (unsigned long long)pmd(48));
	start(PLM_ALL | TAKEN);
	t->s.ip = IP;
	mont_signal(t, MONT_SIG_FLUSHED, 0);
	end_of_group(FAR);
	check(!pmd(38), "a prediction is asked for: nothing is recorded");
	group("without time");
}

static struct {
	u64 pmd[64];
	u32 nr;
} seen;

static void sampled(struct mont_observer *o, const struct mont_occurrence *at)
{
	u64 left = mont_filter_pmds(&o->filter);

	(void)at;
	for (; left; left &= left - 1)
		seen.pmd[__builtin_ctzll(left)] = mont_observer_pmd(o, __builtin_ctzll(left));
	seen.nr++;
}

/* An observer's buffer goes by its own setting, beside the guest's. */
static void observers(void)
{
	struct mont_observer o = {
		.filter = { .code = 0x11,
			    .plm = 8,
			    .flags = MONT_FILTER_ETB,
			    .etb = TAKEN | ANY_TARGET | ANY_PATH },
		.period = 2,
		.overflow = sampled,
	};
	const char *why = NULL;

	start(PLM_ALL | NOT_TAKEN | ANY_TARGET | ANY_PATH);
	t->cpl = 3;
	mont_signals_arm(t);
	check(mont_filter_pmds(&o.filter) == (MONT_BIT(38) | MONT_BIT(39) | 0xffffULL << 48),
	      "the registers of a trace buffer");
	check(!mont_observer_attach(t, &o, &why), "attached: %s", why ? why : "");
	branch(IP, 2, MONT_BR_IPREL, true, FAR, 5);
	branch(FAR, 1, MONT_BR_IPREL, false, IP, 5);
	check(!seen.nr, "a branch that is not taken has passed");
	branch(FAR + 16, 2, MONT_BR_RETURN, true, IP, 5);
	check(seen.nr == 1 && seen.pmd[38] == 4, "index %llx", (unsigned long long)seen.pmd[38]);
	check(seen.pmd[48] == source(IP, 2, false) && seen.pmd[49] == target(FAR), "the first");
	check(seen.pmd[50] == source(FAR + 16, 2, false) && seen.pmd[51] == target(IP),
	      "the one of the sample with its target: %llx", (unsigned long long)seen.pmd[51]);
	check(pmd(38) == 2 && pmd(48) == (source(FAR, 3, false)), "the guest's has the other");
	mont_observer_detach(t, &o);
	o.filter.etb = TAKEN | ANY_PATH;
	check(mont_observer_attach(t, &o, &why) == MONT_EOPNOTSUPP, "predictions without time");
	o.filter.etb = 1;
	check(mont_observer_attach(t, &o, &why) == MONT_EINVAL, "a bit of no field");
	o.filter.flags = 0;
	o.filter.etb = TAKEN;
	check(mont_observer_attach(t, &o, &why) == MONT_EINVAL, "a setting without the flag");
	o.filter.flags = MONT_FILTER_ETB;
	o.filter.code = 0x08;
	check(mont_observer_attach(t, &o, &why) == MONT_EOPNOTSUPP, "an event without a buffer");
	group("an observer's own buffer");
}

int main(void)
{
	sources_and_targets();
	filters();
	predictions();
	untimed();
	observers();
	return tap_end();
}
