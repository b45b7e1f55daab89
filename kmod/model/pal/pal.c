// SPDX-License-Identifier: GPL-2.0-only
/* The table of PAL procedures and the call (SDM volume 2, 11.10; pal.def). */
#include "pal.h"
#include "../isa/branch.h"
#include "../memory/mem.h"
#include "../arch/registers.h"

static const struct mont_pal_proc mont_pal_procs[] = {
#define MONT_PAL(number, title, function, text) \
	{ .index = number, .name = title, .what = text, .call = mont_pal_##function },
#include "pal.def"
#undef MONT_PAL
};

const struct mont_pal_proc *mont_pal_at(unsigned int n)
{
	return n < MONT_ARRAY_SIZE(mont_pal_procs) ? &mont_pal_procs[n] : NULL;
}

/* Bytes of a page, the piece in which a buffer is translated. */
#define PIECE 0x1000ULL

/* Procedures of the stacked convention (SDM volume 2, table 11-43). */
static bool pal_is_stacked(u64 index)
{
	return (index >= 256 && index < 512) || (index >= 768 && index < 1024);
}

s64 mont_pal_write(struct mont_thread *t, u64 address, const void *buf, u64 len)
{
	const u8 *from = buf;
	u64 done, n, pa;

	/* Nothing is written before all of it can be. */
	for (done = 0; done < len; done += n) {
		struct mont_xlat x = { .pa = (address + done) & ~MONT_BIT(63) };

		n = PIECE - ((address + done) & (PIECE - 1));
		n = n < len - done ? n : len - done;
		if (t->pal_virtual) {
			t->pal_fault = mont_translate(t, address + done, MONT_ACC_WRITE, 0, &x);
			if (t->pal_fault != MONT_NEXT)
				return MONT_PAL_EINVAL;
		}
		if (!mont_ram(t->pkg, x.pa, n))
			return MONT_PAL_EINVAL;
	}
	for (done = 0; done < len; done += n) {
		struct mont_xlat x = { .pa = (address + done) & ~MONT_BIT(63) };

		n = PIECE - ((address + done) & (PIECE - 1));
		n = n < len - done ? n : len - done;
		if (t->pal_virtual)
			(void)mont_translate(t, address + done, MONT_ACC_WRITE, 0, &x);
		pa = x.pa;
		(void)mont_phys_write(t->pkg, pa, from + done, n);
	}
	return MONT_PAL_OK;
}

enum mont_result mont_pal_enter(struct mont_thread *t)
{
	/* r28 is the index; stacked calls pass it in r32 as well, with arguments behind. */
	u64 index = t->s.gr[28];
	bool stacked = pal_is_stacked(index);
	u64 arg[4] = { index }, ret[4];
	unsigned int i;

	mont_work(t, MONT_WORK_PAL);
	t->fault_isr = 0;
	if (t->cpl)
		return MONT_FAULT_PRIV_OP;
	for (i = 1; i < 4; i++)
		arg[i] = stacked ? mont_gr(t, 32 + i) : t->s.gr[28 + i];
	t->pal_virtual = !!(t->s.psr & MONT_PSR_DT);
	t->pal_fault = MONT_NEXT;
	(void)mont_pal_call(t, arg, ret);
	t->pal_virtual = 0;
	/* A buffer that does not translate: the call begins again behind the handler. */
	if (t->pal_fault != MONT_NEXT)
		return t->pal_fault;
	for (i = 0; i < 4; i++)
		(void)mont_gr_set(t, 8 + i, ret[i], 0);
	t->s.ip = t->s.br[0] & ~15ULL;
	t->s.slot = 0;
	/* Stacked procedures return as every function does. */
	if (stacked)
		(void)mont_return_frame(t);
	return MONT_TAKEN;
}

int mont_pal_call(struct mont_thread *t, const u64 arg[4], u64 ret[4])
{
	unsigned int n;

	ret[0] = MONT_PAL_UNIMPLEMENTED;
	ret[1] = 0;
	ret[2] = 0;
	ret[3] = 0;
	for (n = 0; n < MONT_ARRAY_SIZE(mont_pal_procs); n++) {
		if (mont_pal_procs[n].index == arg[0]) {
			ret[0] = mont_pal_procs[n].call(t, arg, ret);
			break;
		}
	}
	return 0;
}
