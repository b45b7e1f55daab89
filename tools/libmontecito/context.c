// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Registers of a thread (Itanium SDM volume 2, 6.11.2: switch of the RSE's stacks; software
 * conventions: the frame's registers are the caller's at a system call).
 */
#include <errno.h>
#include <string.h>

#include "context.h"

#define AR_RSC 16
#define AR_BSPSTORE 18
#define AR_RNAT 19

#define PSR_RI_SHIFT 41

/* Registers that are one word, but for general and floating-point ones, as they are set */
static const struct {
	uint32_t cls;
	uint32_t index;
} words[] = {
	{ MONTECITO_REG_AR, AR_RSC },
	{ MONTECITO_REG_AR, AR_BSPSTORE },
	{ MONTECITO_REG_AR, AR_RNAT },
	{ MONTECITO_REG_AR, 21 }, /* FCR */
	{ MONTECITO_REG_AR, 25 }, /* CSD, of st16 and ld16 */
	{ MONTECITO_REG_AR, 26 }, /* SSD */
	{ MONTECITO_REG_AR, 32 }, /* CCV */
	{ MONTECITO_REG_AR, 36 }, /* UNAT */
	{ MONTECITO_REG_AR, 40 }, /* FPSR */
	{ MONTECITO_REG_AR, 64 }, /* PFS */
	{ MONTECITO_REG_AR, 65 }, /* LC */
	{ MONTECITO_REG_AR, 66 }, /* EC */
	{ MONTECITO_REG_PR, 0 },
	{ MONTECITO_REG_BR, 0 },
	{ MONTECITO_REG_BR, 1 },
	{ MONTECITO_REG_BR, 2 },
	{ MONTECITO_REG_BR, 3 },
	{ MONTECITO_REG_BR, 4 },
	{ MONTECITO_REG_BR, 5 },
	{ MONTECITO_REG_BR, 6 },
	{ MONTECITO_REG_BR, 7 },
	{ MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP },
	{ MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR },
	/* Registers are numbered as it renames them. */
	{ MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_CFM },
};

#define NR_WORDS (sizeof(words) / sizeof(words[0]))

static void context_name(struct context *c, uint32_t cls, uint32_t first, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++)
		c->reg[c->nr++] = (struct montecito_reg){ .cls = cls, .index = first + i };
}

__u64 *context_value(struct context *c, uint32_t cls, uint32_t index)
{
	unsigned int i;

	for (i = 0; i < c->nr; i++)
		if (c->reg[i].cls == cls && c->reg[i].index == index)
			return c->reg[i].value;
	return NULL;
}

void context_result(struct context *c, int64_t result)
{
	bool bad = result < 0 && result >= -4095;

	*context_value(c, MONTECITO_REG_GR, 8) = bad ? -result : result;
	*context_value(c, MONTECITO_REG_GR, 10) = bad ? -1ULL : 0;
}

int context_get(struct montecito *m, unsigned int vcpu, struct context *c)
{
	uint64_t ip, dirty, cfm;
	unsigned int i;
	int err;

	/* To set IP has what is left of a frame's loads done, as far as its pages are there. */
	err = montecito_get_reg(m, vcpu, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP, &ip);
	if (!err)
		err = montecito_set_reg(m, vcpu, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP, ip);
	if (!err)
		err = montecito_get_reg(m, vcpu, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_DIRTY,
					&dirty);
	if (!err)
		err = montecito_get_reg(m, vcpu, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_CFM,
					&cfm);
	if (err)
		return err;
	if ((int64_t)dirty < 0)
		return -EAGAIN;
	c->nr = 0;
	for (i = 0; i < NR_WORDS; i++)
		context_name(c, words[i].cls, words[i].index, 1);
	context_name(c, MONTECITO_REG_GR, 1, CONTEXT_GRS);
	context_name(c, MONTECITO_REG_FR, 2, CONTEXT_FRS);
	context_name(c, MONTECITO_REG_GR, 32, cfm & 0x7f);
	return montecito_get_regs(m, vcpu, c->reg, c->nr);
}

int context_clear(struct montecito *m, unsigned int vcpu)
{
	struct context c = { 0 };
	unsigned int i;

	for (i = 0; i < NR_WORDS; i++)
		if (words[i].cls != MONTECITO_REG_SPECIAL ||
		    words[i].index == MONTECITO_SPECIAL_CFM)
			context_name(&c, words[i].cls, words[i].index, 1);
	context_name(&c, MONTECITO_REG_GR, 1, CONTEXT_GRS);
	context_name(&c, MONTECITO_REG_FR, 2, CONTEXT_FRS);
	return montecito_set_regs(m, vcpu, c.reg, c.nr);
}

/* One of 64 words is a collection of the NaT bits of the 63 before it. */
#define COLLECTION 0x1f8ULL

static bool context_is_collection(uint64_t addr)
{
	return (addr & COLLECTION) == COLLECTION;
}

int context_flush(struct guest_process *p, struct context *c, unsigned int of_frame)
{
	__u64 *bspstore = context_value(c, MONTECITO_REG_AR, AR_BSPSTORE);
	__u64 *rnat = context_value(c, MONTECITO_REG_AR, AR_RNAT);
	struct montecito_reg dirty[CONTEXT_FRAME] = { 0 };
	uint64_t at = *bspstore, nr, bit;
	unsigned int i;
	int err;

	err = montecito_get_reg(p->m, p->run->cpu->vcpu, MONTECITO_REG_SPECIAL,
				MONTECITO_SPECIAL_DIRTY, &nr);
	nr += of_frame;
	for (i = 0; !err && i < nr; i++)
		dirty[i] = (struct montecito_reg){ .cls = MONTECITO_REG_STACKED, .index = i };
	if (!err)
		err = montecito_get_regs(p->m, p->run->cpu->vcpu, dirty, nr);
	for (i = 0; !err && i < nr; i++) {
		if (context_is_collection(at)) {
			err = uvm_write(p->vm, at, rnat, 8);
			at += 8;
		}
		bit = 1ULL << (at >> 3 & 63);
		*rnat = dirty[i].value[1] ? *rnat | bit : *rnat & ~bit;
		if (!err)
			err = uvm_write(p->vm, at, dirty[i].value, 8);
		at += 8;
	}
	/* A collection that is whole is behind AR.BSP. */
	if (!err && nr && context_is_collection(at)) {
		err = uvm_write(p->vm, at, rnat, 8);
		at += 8;
	}
	if (!err)
		err = montecito_set_reg(p->m, p->run->cpu->vcpu, MONTECITO_REG_SPECIAL,
					MONTECITO_SPECIAL_DIRTY, 0);
	*bspstore = at;
	return err;
}

void context_frame(struct context *c, uint64_t cfm)
{
	*context_value(c, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_CFM) = cfm;
	c->nr = NR_WORDS + CONTEXT_GRS + CONTEXT_FRS;
	context_name(c, MONTECITO_REG_GR, 32, cfm & 0x7f);
}

int context_unflush(struct guest_process *p, struct context *c, uint64_t cfm)
{
	__u64 *bspstore = context_value(c, MONTECITO_REG_AR, AR_BSPSTORE);
	__u64 *rnat = context_value(c, MONTECITO_REG_AR, AR_RNAT);
	unsigned int sof = cfm & 0x7f, rotating = (cfm >> 14 & 0xf) * 8, rrb = cfm >> 18 & 0x7f;
	uint64_t end = *bspstore, at = end, nats = *rnat, of = end | COLLECTION;
	unsigned int i, to;
	__u64 *gr;

	if (sof > CONTEXT_FRAME || rotating > sof || (rotating ? rrb >= rotating : rrb))
		return -EINVAL;
	context_frame(c, cfm);
	for (i = sof; i-- > 0;) {
		at -= context_is_collection(at - 8) ? 16 : 8;
		/* The collection of those before it is in memory. */
		if ((at | COLLECTION) != of) {
			of = at | COLLECTION;
			if (uvm_read(p->vm, &nats, of, 8))
				return -EFAULT;
		}
		to = i < rotating ? (i + rotating - rrb) % rotating : i;
		gr = context_value(c, MONTECITO_REG_GR, 32 + to);
		if (uvm_read(p->vm, gr, at, 8))
			return -EFAULT;
		gr[1] = nats >> (at >> 3 & 63) & 1;
	}
	*bspstore = at;
	*rnat = nats;
	return 0;
}

void context_goto(struct context *c, uint64_t ip)
{
	__u64 *psr = context_value(c, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_PSR);

	*context_value(c, MONTECITO_REG_SPECIAL, MONTECITO_SPECIAL_IP) = ip & ~15ULL;
	*psr = (*psr & ~(3ULL << PSR_RI_SHIFT)) | (ip & 3) << PSR_RI_SHIFT;
}

int context_set(struct montecito *m, unsigned int vcpu, const struct context *c)
{
	return montecito_set_regs(m, vcpu, c->reg, c->nr);
}
