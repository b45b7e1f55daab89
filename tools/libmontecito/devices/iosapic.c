// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * I/O SAPIC (Intel 460GX Chipset System Software Developer's Manual, "I/O
 * SAPIC"; SDM volume 2, 5.8): 24 inputs, each sent to a processor as a message
 * to its interrupt block.
 */
#include <string.h>

#include "../platform.h"

#define REG_SELECT 0x00
#define REG_WINDOW 0x10
#define REG_EOI 0x40

#define IDX_ID 0x00
#define IDX_VERSION 0x01
#define IDX_RTE 0x10

#define VERSION 0x21

/* Redirection table entry. */
#define RTE_VECTOR 0xffULL
#define RTE_MODE_SHIFT 8
#define RTE_STATUS (1ULL << 12) /* read only */
#define RTE_LOW (1ULL << 13)
#define RTE_REMOTE (1ULL << 14) /* read only */
#define RTE_LEVEL (1ULL << 15)
#define RTE_MASKED (1ULL << 16)
#define RTE_WRITABLE 0xffff00000001a7ffULL

/* Delivery modes. */
#define MODE_FIXED 0
#define MODE_LOWEST 1
#define MODE_NMI 4
#define MODE_EXTINT 7

#define VECTOR_NMI 2
#define VECTOR_EXTINT 0

void iosapic_reset(struct iosapic *io)
{
	unsigned int i;

	memset(io, 0, sizeof(*io));
	for (i = 0; i < IOSAPIC_ENTRIES; i++)
		io->rte[i] = RTE_MASKED;
	/* The SCI is active low: idle is high. */
	io->line = 1U << SCI_GSI;
}

bool iosapic_valid(const struct iosapic *io)
{
	unsigned int i;

	for (i = 0; i < IOSAPIC_ENTRIES; i++) {
		if (io->rte[i] & ~RTE_WRITABLE)
			return false;
		if ((io->remote >> i & 1) && !(io->rte[i] & RTE_LEVEL))
			return false;
	}
	return io->select <= 0xff && !(io->line >> IOSAPIC_ENTRIES) &&
	       !(io->remote >> IOSAPIC_ENTRIES) && !io->pad;
}

static void iosapic_send(struct montecito_system *s, uint64_t rte)
{
	uint32_t vector = rte & RTE_VECTOR;

	switch (rte >> RTE_MODE_SHIFT & 7) {
	case MODE_FIXED:
	case MODE_LOWEST: /* the one it names is as good as any (assumption) */
		break;
	case MODE_NMI:
		vector = VECTOR_NMI;
		break;
	case MODE_EXTINT:
		vector = VECTOR_EXTINT;
		break;
	default:
		/* PMI and INIT enter firmware, which has nothing to do there. */
		return;
	}
	system_interrupt(s, rte >> 48 & 0xffff, vector);
}

static bool iosapic_asserted(const struct iosapic *io, unsigned int n)
{
	return (io->line >> n & 1) != !!(io->rte[n] & RTE_LOW);
}

/* Send a level that is there and that no processor is handling. */
static void iosapic_evaluate(struct montecito_system *s, unsigned int n)
{
	struct iosapic *io = &s->s.iosapic;
	uint64_t rte = io->rte[n];

	if ((rte & RTE_MASKED) || !(rte & RTE_LEVEL) || (io->remote >> n & 1) ||
	    !iosapic_asserted(io, n))
		return;
	io->remote |= 1U << n;
	iosapic_send(s, rte);
}

void iosapic_line(struct montecito_system *s, unsigned int gsi, bool level)
{
	struct iosapic *io = &s->s.iosapic;
	bool before = iosapic_asserted(io, gsi);

	io->line = (io->line & ~(1U << gsi)) | (uint32_t)level << gsi;
	if (io->rte[gsi] & RTE_LEVEL)
		iosapic_evaluate(s, gsi);
	else if (!before && iosapic_asserted(io, gsi) && !(io->rte[gsi] & RTE_MASKED))
		iosapic_send(s, io->rte[gsi]);
}

static uint32_t iosapic_window_read(const struct iosapic *io)
{
	unsigned int n = (io->select - IDX_RTE) / 2;
	uint64_t rte;

	if (io->select == IDX_VERSION)
		return VERSION | (IOSAPIC_ENTRIES - 1) << 16;
	if (io->select < IDX_RTE || n >= IOSAPIC_ENTRIES)
		return 0;
	rte = io->rte[n] | (io->remote >> n & 1 ? RTE_REMOTE : 0);
	return io->select & 1 ? rte >> 32 : rte;
}

static void iosapic_window_write(struct montecito_system *s, uint32_t v)
{
	struct iosapic *io = &s->s.iosapic;
	unsigned int n = (io->select - IDX_RTE) / 2;
	uint64_t rte;

	if (io->select < IDX_RTE || n >= IOSAPIC_ENTRIES)
		return;
	if (io->select & 1)
		rte = (io->rte[n] & 0xffffffff) | (uint64_t)v << 32;
	else
		rte = (io->rte[n] & ~0xffffffffULL) | v;
	io->rte[n] = rte & RTE_WRITABLE;
	/* An edge has no end to wait for. */
	if (!(rte & RTE_LEVEL))
		io->remote &= ~(1U << n);
	iosapic_evaluate(s, n);
}

static void iosapic_end_of_interrupt(struct montecito_system *s, uint8_t vector)
{
	struct iosapic *io = &s->s.iosapic;
	unsigned int n;

	for (n = 0; n < IOSAPIC_ENTRIES; n++) {
		if ((io->rte[n] & RTE_VECTOR) != vector)
			continue;
		io->remote &= ~(1U << n);
		iosapic_evaluate(s, n);
	}
}

uint64_t iosapic_read(struct montecito_system *s, uint64_t offset, unsigned int length)
{
	const struct iosapic *io = &s->s.iosapic;

	(void)length;
	switch (offset) {
	case REG_SELECT:
		return io->select;
	case REG_WINDOW:
		return iosapic_window_read(io);
	default:
		return 0;
	}
}

void iosapic_write(struct montecito_system *s, uint64_t offset, unsigned int length, uint64_t v)
{
	(void)length;
	switch (offset) {
	case REG_SELECT:
		s->s.iosapic.select = v & 0xff;
		break;
	case REG_WINDOW:
		iosapic_window_write(s, v);
		break;
	case REG_EOI:
		iosapic_end_of_interrupt(s, v);
		break;
	}
}
