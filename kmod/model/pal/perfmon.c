// SPDX-License-Identifier: GPL-2.0-only
/* PAL_PERF_MON_INFO (SDM volume 2, 11.10; manual 3.3.12, table 3-34). */
#include "pal.h"
#include "../memory/mem.h"

#define MONT_PM_CYCLES 0x12ULL /* CPU_OP_CYCLES.ALL */
#define MONT_PM_RETIRED 0x08ULL /* IA64_INST_RETIRED */
#define MONT_PM_WIDTH 47ULL /* the bits that count: table 3-7 */
#define MONT_PM_WIDTH_PRINTED 48ULL

/* The procedure's result in memory: four 256-bit masks of register numbers. */
struct mont_perf_mon_masks {
	u64 pmc[4];
	u64 pmd[4];
	u64 cycles[4];
	u64 retired[4];
};

/* The processor as built: 12 pairs. */
static const struct mont_perf_mon_masks mont_masks_built = {
	.pmc = { 0x7ff0000ffffULL },
	.pmd = { 0xffff00df0000fff0ULL },
	.cycles = { 0xfff0 },
	.retired = { 0xfff0 },
};

/* Table 3-34 as printed, which describes the 4 pairs of the processor before. */
static const struct mont_perf_mon_masks mont_masks_printed = {
	.pmc = { 0x3fff },
	.pmd = { 0x3ffff },
	.cycles = { 0xf0 },
	.retired = { 0xf0 },
};

void mont_perf_mon_info(const struct mont_thread *t, u64 *info, u64 mask[16])
{
	bool printed = t->pkg->cfg.flags & MONT_CFG_PAL_AS_PRINTED;

	*info = (printed ? 4 | MONT_PM_WIDTH_PRINTED << 8 : 12 | MONT_PM_WIDTH << 8) |
		MONT_PM_CYCLES << 16 | MONT_PM_RETIRED << 24;
	__builtin_memcpy(mask, printed ? &mont_masks_printed : &mont_masks_built,
			 sizeof(struct mont_perf_mon_masks));
}

s64 mont_pal_perf_mon_info(struct mont_thread *t, const u64 arg[4], u64 ret[4])
{
	u64 info, mask[16];
	s64 status;

	if (arg[2] || arg[3] || arg[1] % 8)
		return MONT_PAL_EINVAL;
	mont_perf_mon_info(t, &info, mask);
	status = mont_pal_write(t, arg[1], mask, sizeof(mask));
	if (status == MONT_PAL_OK)
		ret[1] = info;
	return status;
}
