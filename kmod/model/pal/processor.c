// SPDX-License-Identifier: GPL-2.0-only
/*
 * PAL procedures about the processor itself (SDM volume 2, 11.10; manual 2.9,
 * 3.3.12, tables 2-10 and 2-11).
 */
#include "pal.h"
#include "../platform/interrupts.h"
#include "../arch/sysregs.h"
#include "../memory/mem.h"
#include "../platform/map.h"

/* Power states (SDM volume 2, PAL_HALT_INFO): state 0 alone, which PAL_HALT_LIGHT enters. */
#define MONT_NR_POWER_STATES 1
#define MONT_POWER_IMPLEMENTED MONT_BIT(60)
#define MONT_POWER_COHERENT MONT_BIT(61)

/* Requests of PAL_REGISTER_INFO. */
enum {
	AR_THERE,
	AR_READ_WITHOUT_EFFECT,
	CR_THERE,
	CR_READ_WITHOUT_EFFECT,
	NR_REGISTER_INFOS,
};

s64 mont_pal_register_info(struct mont_thread *t, const u64 arg[4], u64 ret[4])
{
	u32 n;

	if (arg[1] >= NR_REGISTER_INFOS)
		return MONT_PAL_EINVAL;
	ret[1] = 0;
	ret[2] = 0;
	for (n = 0; n < 128; n++) {
		bool there = arg[1] <= AR_READ_WITHOUT_EFFECT ? mont_ar_exists(n, false)
							      : mont_cr_exists(n, false);

		/* Reading IVR acknowledges an interrupt. */
		if (there && !(arg[1] == CR_READ_WITHOUT_EFFECT && n == MONT_CR_IVR))
			ret[1 + n / 64] |= MONT_BIT(n % 64);
	}
	return MONT_PAL_OK;
}

s64 mont_pal_bus_get_features(struct mont_thread *t, const u64 arg[4], u64 ret[4])
{
	return MONT_PAL_OK;
}

s64 mont_pal_debug_info(struct mont_thread *t, const u64 arg[4], u64 ret[4])
{
	ret[1] = 4; /* pairs of IBRs (manual 3.3.5) */
	ret[2] = 4; /* pairs of DBRs (manual 3.3.7) */
	return MONT_PAL_OK;
}

/* Areas that PAL_PLATFORM_ADDR places. */
enum {
	INTERRUPT_BLOCK,
	IO_BLOCK,
};

s64 mont_pal_platform_addr(struct mont_thread *t, const u64 arg[4], u64 ret[4])
{
	switch (arg[1]) {
	case INTERRUPT_BLOCK:
		return arg[2] == MONT_PIB_BASE ? MONT_PAL_OK : MONT_PAL_EINVAL;
	case IO_BLOCK:
		if (arg[2] % MONT_IO_SPAN || arg[2] >> MONT_PA_BITS)
			return MONT_PAL_EINVAL;
		t->pkg->s.io_block = arg[2];
		return MONT_PAL_OK;
	default:
		return MONT_PAL_EINVAL;
	}
}

s64 mont_pal_fixed_addr(struct mont_thread *t, const u64 arg[4], u64 ret[4])
{
	ret[1] = t->index;
	return MONT_PAL_OK;
}

s64 mont_pal_freq_base(struct mont_thread *t, const u64 arg[4], u64 ret[4])
{
	ret[1] = MONT_BUS_HZ;
	return MONT_PAL_OK;
}

s64 mont_pal_freq_ratios(struct mont_thread *t, const u64 arg[4], u64 ret[4])
{
	/* Numerator in bits 63:32, denominator in 31:0. */
	ret[1] = (u64)MONT_CORE_RATIO << 32 | 1;
	ret[2] = 1ULL << 32 | 1;
	ret[3] = (u64)MONT_CORE_RATIO << 32 | 1; /* AR.ITC counts core cycles */
	return MONT_PAL_OK;
}

s64 mont_pal_proc_get_features(struct mont_thread *t, const u64 arg[4], u64 ret[4])
{
	switch (arg[2]) {
	case 0:
		/* None of the architected features can be changed. */
		return MONT_PAL_OK;
	case 18:
		/* Bit 18: Hyper-Threading; on and not changeable. */
		ret[1] = t->pkg->cfg.threads > 1 ? MONT_BIT(18) : 0;
		ret[2] = ret[1];
		return MONT_PAL_OK;
	case 1 ... 17:
		return MONT_PAL_LATER_SET;
	default:
		return MONT_PAL_NO_SUCH_SET;
	}
}

s64 mont_pal_rse_info(struct mont_thread *t, const u64 arg[4], u64 ret[4])
{
	ret[1] = MONT_NR_STACKED;
	ret[2] = 0; /* enforced lazy mode only */
	return MONT_PAL_OK;
}

s64 mont_pal_version(struct mont_thread *t, const u64 arg[4], u64 ret[4])
{
	/* PAL_B revision and model, vendor 0, PAL_A revision and model. */
	ret[1] = 0x0100ULL << 32 | 0x0100;
	ret[2] = ret[1];
	return MONT_PAL_OK;
}

s64 mont_pal_mc_drain(struct mont_thread *t, const u64 arg[4], u64 ret[4])
{
	return MONT_PAL_OK;
}

s64 mont_pal_halt_light(struct mont_thread *t, const u64 arg[4], u64 ret[4])
{
	/*
	 * Monitoring stands still while halted because nothing happens on the
	 * thread then; PMC0 is not touched. An unmasked interrupt that waits,
	 * PSR.i or not, ends the halt at once (SDM volume 2, PAL_HALT_LIGHT).
	 */
	mont_irq_collect(t);
	t->s.halted = !mont_irq_unmasked(t);
	return MONT_PAL_OK;
}

s64 mont_pal_halt(struct mont_thread *t, const u64 arg[4], u64 ret[4])
{
	if (arg[1] >= MONT_NR_POWER_STATES || arg[2])
		return MONT_PAL_EINVAL;
	return mont_pal_halt_light(t, arg, ret);
}

s64 mont_pal_halt_info(struct mont_thread *t, const u64 arg[4], u64 ret[4])
{
	/* Implemented and coherent, of no latency; the power that it saves is not known. */
	static const u64 state[8] = { MONT_POWER_IMPLEMENTED | MONT_POWER_COHERENT };

	if (arg[2] || arg[3])
		return MONT_PAL_EINVAL;
	return mont_pal_write(t, arg[1], state, sizeof(state));
}

s64 mont_pal_logical_to_physical(struct mont_thread *t, const u64 arg[4], u64 ret[4])
{
	u64 threads = t->pkg->cfg.threads, cores = t->pkg->cfg.cores, n = arg[1];

	if (n == ~0ULL)
		n = t->index;
	if (n >= threads * cores)
		return MONT_PAL_EINVAL;
	ret[1] = threads * cores | threads << 16 | cores << 32;
	ret[2] = n % threads | n / threads << 32;
	ret[3] = n;
	return MONT_PAL_OK;
}

s64 mont_pal_brand_info(struct mont_thread *t, const u64 arg[4], u64 ret[4])
{
	static const char brand[128] = "Dual-Core Intel(R) Itanium(R) 2 Processor (model)";

	switch (arg[1]) {
	case 0:
		return mont_pal_write(t, arg[2], brand, sizeof(brand));
	case 16:
		ret[1] = MONT_BUS_HZ * MONT_CORE_RATIO;
		return MONT_PAL_OK;
	case 17:
		ret[1] = (u64)t->pkg->cfg.cores * (12 << 20);
		return MONT_PAL_OK;
	case 18:
		ret[1] = MONT_BUS_HZ * 2; /* transfers on both edges */
		return MONT_PAL_OK;
	default:
		return MONT_PAL_EINVAL;
	}
}

/* The logical processors of a core share what the policy divides. */
static struct mont_thread *pal_core_thread(struct mont_thread *t, u64 n)
{
	return &t->pkg->thread[t->index - t->index % t->pkg->cfg.threads + n];
}

s64 mont_pal_get_hw_policy(struct mont_thread *t, const u64 arg[4], u64 ret[4])
{
	u64 n = arg[1], threads = t->pkg->cfg.threads;

	if (n >= threads || arg[2] || arg[3])
		return MONT_PAL_EINVAL;
	ret[1] = t->s.hw_policy;
	ret[2] = threads;
	ret[3] = pal_core_thread(t, n)->index;
	return MONT_PAL_OK;
}

s64 mont_pal_set_hw_policy(struct mont_thread *t, const u64 arg[4], u64 ret[4])
{
	u64 policy = arg[1], n;

	if (policy > MONT_POLICY_EXCLUSIVE || arg[2] || arg[3])
		return MONT_PAL_EINVAL;
	for (n = 0; n < t->pkg->cfg.threads; n++) {
		struct mont_thread *o = pal_core_thread(t, n);

		if (o != t && o->s.hw_policy == MONT_POLICY_EXCLUSIVE)
			return MONT_PAL_POLICY_KEPT;
	}
	/* Performance and fairness are the core's, a priority that of the thread that asks last. */
	for (n = 0; n < t->pkg->cfg.threads; n++) {
		struct mont_thread *o = pal_core_thread(t, n);

		if (o == t || policy < MONT_POLICY_HIGH_PRIORITY)
			o->s.hw_policy = policy;
		else if (o->s.hw_policy >= MONT_POLICY_HIGH_PRIORITY)
			o->s.hw_policy = MONT_POLICY_PERFORMANCE;
	}
	return MONT_PAL_OK;
}
