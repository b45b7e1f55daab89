// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event address registers and the branch trace buffer of the original Itanium, capture by
 * capture beside the guest's own, set alike.
 */
#include "pmu/block.h"
#include "pmu/merced.h"
#include "pmu_test.h"
#include "pmu/registers.h"

#define ES(code) ((u64)(code) << 8)
#define UMASK(n) ((u64)(n) << 16)
#define PT (1ULL << 28)
#define TLB 0x80
#define ROUNDS 3000

static struct mont_thread *t;
static struct mont_block block;

static void set(u32 class, u32 index, u64 value)
{
	struct mont_block_reg reg = { class, index, value };
	const char *why = "";
	u32 bad;
	int ret = mont_block_set(&block, &reg, 1, &bad, &why);

	check(!ret, "register %u: %s", index, why);
}

static u64 get(u32 class, u32 index)
{
	struct mont_block_reg reg = { class, index, 0 };

	check(!mont_block_get(&block, &reg), "get %u of %u", index, class);
	return reg.value;
}

static u64 pmd(u32 n)
{
	return get(MONT_REG_PMD, n);
}

static void begin(void)
{
	const char *why = "";

	t = new_thread(1);
	t->pmu.timed = true;
	mont_pmu_reset(t);
	t->clock = 1000;
	t->s.psr |= MONT_PSR_UP;
	mont_pmc_write(t, 0, 0);
	memset(&block, 0, sizeof(block));
	check(!mont_block_add(t, &block, MONT_BLOCK_MERCED, &why), "%s", why);
}

static u64 least(u64 latency)
{
	return latency < 4095 ? latency : 4095;
}

static void somewhere(void)
{
	t->clock += rnd_below(4) ? rnd_below(12) : rnd_below(400);
	t->s.ip = 0x1000 + rnd_below(64) * 16;
	t->sig_slot = rnd_below(3);
	t->sig_bundle = t->s.ip >> 4 & rnd_below(2);
}

/* PMD17 for PMD36: the address of the bundle itself, and the other fields' places. */
static u64 instruction(u64 pmd36)
{
	return pmd36 ? ((pmd36 & ~15ULL) + (pmd36 & 4 ? 16 : 0)) | (pmd36 & 3) << 2 | 1 : 0;
}

/* The data EAR with @theirs beside PMC40 with @ours. */
static void data_ear(bool tlb, u32 theirs, u32 ours)
{
	u64 latency = 0, captured = 0;
	u32 i;

	begin();
	mont_pmc_write(t, 4, PMC(0xc8, 0, PLM_ALL));
	mont_pmc_write(t, 40, PLM_ALL | (tlb ? TLB : 0) | UMASK(ours));
	set(MONT_REG_PMC, 11, PT | PLM_ALL | (tlb ? TLB : 0) | UMASK(theirs));
	set(MONT_REG_PMC, 5, ES(0x67) | PLM_ALL);
	mont_signals_arm(t);
	for (i = 0; i < ROUNDS; i++) {
		struct mont_ref ref = { .va = rnd_below(1 << 20) * 8, .size = 8 };
		u64 attr = tlb ? 1 + rnd_below(3) : 1ULL << rnd_below(14);

		somewhere();
		ref.kind = rnd_below(8) ? 0 : MONT_DATA_RSE;
		attr += tlb ? 0 : rnd_below(attr);
		mont_signal_line(t, tlb ? MONT_SIG_DTLB_SERVED : MONT_SIG_LOAD_SERVED, &ref, attr);
		mont_group_end(t);
		if (mont_pmd_read(t, 4, 0) != captured)
			latency = attr;
		captured = mont_pmd_read(t, 4, 0);
		check(pmd(5) == captured && pmd(2) == t->s.pmu.pmd[32] &&
			      pmd(3) == (tlb ? latency << 62 : least(latency)) &&
			      pmd(17) == instruction(t->s.pmu.pmd[36]),
		      "%u of %u: %llx %llx %llx", theirs, i, (unsigned long long)pmd(2),
		      (unsigned long long)pmd(3), (unsigned long long)pmd(17));
	}
	check(captured > 10 || theirs == 15, "%llu captures", (unsigned long long)captured);
	mont_block_del(&block);
}

static void data_ears(void)
{
	static const u8 ours[16] = { 0, 1, 2, 3, 4, 5, 6, 0, 7, 8, 9, 0, 0, 0, 0, 15 };
	u32 i;

	for (i = 0; i < 16; i++)
		if (i == 15 || (i != 7 && i < 11))
			data_ear(false, i, ours[i]);
	group("data EAR, by latency");
	for (i = 2; i < 16; i += 2)
		data_ear(true, i, i);
	group("data EAR, by what served the translation");
}

/* The instruction EAR, and by the table of its unit masks what it must capture. */
static void insn_ear(bool tlb, u32 umask)
{
	u64 captured = 0, line = 0, latency = 0;
	u32 i;

	begin();
	set(MONT_REG_PMC, 10, PLM_ALL | (tlb ? TLB : 0) | UMASK(umask));
	set(MONT_REG_PMC, 7, ES(0x23) | PLM_ALL);
	for (i = 0; i < ROUNDS; i++) {
		struct mont_ref ref = { .va = rnd_below(1 << 20) * 16, .size = 32 };
		u64 attr = tlb ? 1 + rnd_below(3) : 1ULL << rnd_below(14);

		somewhere();
		attr += tlb ? 0 : rnd_below(attr);
		mont_signal_line(t, tlb ? MONT_SIG_ITLB_SERVED : MONT_SIG_FETCH_SERVED, &ref, attr);
		mont_group_end(t);
		if (tlb ? umask >> attr & 1 : umask < 11 && attr >= 4ULL << umask) {
			captured++;
			line = (ref.va & ~31ULL) | (tlb ? 3 : 1);
			latency = tlb ? 0 : least(attr);
		}
		check(pmd(7) == captured && pmd(0) == line && pmd(1) == latency,
		      "%u of %u: %llx %llx", umask, i, (unsigned long long)pmd(0),
		      (unsigned long long)pmd(1));
	}
	check(captured || umask == 15 || !umask, "captures");
	mont_block_del(&block);
}

/* And where this processor's can be set alike. */
static void insn_alike(u32 theirs, u32 ours)
{
	u32 i;

	begin();
	mont_pmc_write(t, 4, PMC(0x43, 0, PLM_ALL));
	mont_pmc_write(t, 37, PLM_ALL | 2ULL << 12 | (u64)ours << 5);
	set(MONT_REG_PMC, 10, PLM_ALL | UMASK(theirs));
	set(MONT_REG_PMC, 4, ES(0x23) | PLM_ALL);
	mont_signals_arm(t);
	for (i = 0; i < ROUNDS; i++) {
		struct mont_ref ref = { .va = rnd_below(1 << 20) * 16, .size = 32 };

		somewhere();
		mont_signal_line(t, MONT_SIG_FETCH_SERVED, &ref, rnd_below(8u << theirs));
		mont_group_end(t);
		check(pmd(4) == mont_pmd_read(t, 4, 0) && pmd(0) == t->s.pmu.pmd[34] &&
			      pmd(1) == least(t->s.pmu.pmd[35]),
		      "%u of %u", theirs, i);
	}
	check(pmd(4) > 100, "captures");
	mont_block_del(&block);
}

static void insn_ears(void)
{
	static const u8 ours[][2] = { { 0, 0xff }, { 1, 0xfe }, { 2, 0xfc }, { 3, 0xf8 },
				      { 5, 0xf0 }, { 6, 0xe0 }, { 8, 0xc0 }, { 10, 0x80 } };
	u32 i;

	for (i = 0; i < 16; i++)
		if (i < 11 || i == 15)
			insn_ear(false, i);
	for (i = 0; i < MONT_ARRAY_SIZE(ours); i++)
		insn_alike(ours[i][0], ours[i][1]);
	group("instruction EAR, by latency");
	for (i = 0; i < 16; i += 4)
		insn_ear(true, i);
	group("instruction EAR, by what served the translation");
}

/* The guest's last eight entries, where the other buffer has them. */
static bool traces_agree(void)
{
	u64 index = mont_pmd_read(t, 38, 0), extension = mont_pmd_read(t, 39, 0);
	u32 next = index % 16, i;

	if (pmd(16) != (next % 8 | (index & 0x28 ? 8 : 0)))
		return false;
	for (i = 1; i <= 8; i++) {
		u32 at = (next + 16 - i) % 16;
		u32 shift = 4 * (at < 8 ? 2 * at : 2 * (at - 8) + 1);
		u64 want = mont_pmd_read(t, 48 + at, 0) + (extension >> shift & 1 ? 16 : 0);

		if (pmd(8 + at % 8) != want)
			return false;
	}
	return true;
}

static void trace(u64 selection)
{
	u64 at = 0x4000;
	u32 i, k;

	begin();
	mont_pmc_write(t, 39, PLM_ALL | selection);
	mont_pmc_write(t, 4, PMC(0x11, 0, PLM_ALL));
	mont_pmd_write(t, 38, 0);
	set(MONT_REG_PMC, 12, PLM_ALL | selection | 0xc080);
	set(MONT_REG_PMC, 6, ES(0x11) | PLM_ALL);
	mont_signals_arm(t);
	for (i = 0; i < ROUNDS; i++) {
		bool taken = rnd_below(2);
		u64 to = 0x4000 + rnd_below(4) * 16;

		t->s.ip = rnd_below(3) ? at : 0x8000 + rnd_below(64) * 16;
		t->clock += rnd_below(2) ? 1 : rnd_below(5);
		t->sig_bundle = t->s.ip >> 4 & 1 & rnd_below(2);
		for (k = rnd_below(8) ? 1 : 2; k; k--) {
			t->sig_slot = 3 - k;
			t->sig_outcome = rnd_below(2) ? 0 : 1 + rnd_below(2);
			if (rnd_below(16))
				mont_signal_branch(t, 1 + rnd_below(3), to, taken && k == 1);
			else
				mont_signal(t, MONT_SIG_FLUSHED, 0);
		}
		at = taken ? to : t->s.ip + 16;
		t->s.ip = at;
		if (t->attn & MONT_ATTN_GROUP)
			mont_group_end(t);
		check(traces_agree() && pmd(6) == mont_pmd_read(t, 4, 0), "%llx, %u",
		      (unsigned long long)selection, i);
		if (rnd_below(200))
			continue;
		set(MONT_REG_PMD, 16, 0);
		check(!(pmd(16) & 8), "it is full no more");
		mont_pmd_write(t, 38, 0);
	}
	check(pmd(6), "something is recorded");
	mont_block_del(&block);
}

static void traces(void)
{
	trace(0x3f00);
	trace(0x3e00);
	trace(0x3d00);
	trace(0x2b00);
	trace(0x1f00);
	trace(0x2700);
	group("branch trace buffer");
}

/* Units go by their own level, filter and freeze. */
static void qualified(void)
{
	struct mont_ref in = { .va = 0x10008, .size = 8 }, out = { .va = 0x20008, .size = 8 };

	begin();
	set(MONT_REG_DBR, 0, 0x10000);
	set(MONT_REG_DBR, 1, 0xffffffffff0000);
	set(MONT_REG_PMC, 11, PLM_ALL);
	set(MONT_REG_PMC, 4, ES(0x67) | PLM_ALL | 0x20);
	set(MONT_REG_PMC, 5, ES(0x67) | 8);
	set(MONT_REG_PMD, 4, -2ULL);
	somewhere();
	t->clock += 1000;
	mont_signal_line(t, MONT_SIG_LOAD_SERVED, &out, 50);
	mont_group_end(t);
	check(!pmd(2) && pmd(4) == -2ULL, "out of the data range");
	t->clock += 1000;
	mont_signal_line(t, MONT_SIG_LOAD_SERVED, &in, 50);
	mont_group_end(t);
	check(pmd(2) == in.va && pmd(3) == 50 && pmd(4) == -1ULL && !pmd(5), "in it");
	in.va += 8;
	t->clock += 1000;
	mont_signal_line(t, MONT_SIG_LOAD_SERVED, &in, 60);
	mont_group_end(t);
	check(pmd(3) == 60 && !pmd(4) && get(MONT_REG_PMC, 0) == 0x11, "captures overflow");
	t->clock += 1000;
	mont_signal_line(t, MONT_SIG_LOAD_SERVED, &in, 70);
	mont_group_end(t);
	check(pmd(3) == 60, "Q11: frozen, it captures nothing");
	set(MONT_REG_PMC, 0, 0);
	set(MONT_REG_PMC, 11, 8);
	mont_signal_line(t, MONT_SIG_LOAD_SERVED, &in, 80);
	mont_group_end(t);
	check(pmd(3) == 60, "Q8: nor at another level");
	mont_block_del(&block);
	check(!t->observers, "nothing listens");
	group("units go by ranges, levels and the freeze");
}

int main(void)
{
	data_ears();
	insn_ears();
	traces();
	qualified();
	return tap_end();
}
