/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * From a bundle's bits to operations (SDM volume 3, chapter 4). Called by exec/fetch.c, which
 * keeps the result, by the disassembler and by tests.
 */
#ifndef MONT_ISA_DECODE_H
#define MONT_ISA_DECODE_H

#include "insns.h"

/**
 * mont_decode() - decode one bundle
 * @b: filled; @b->tag is left alone
 * @lo: bytes 0..7 of the bundle, little-endian
 * @hi: bytes 8..15
 *
 * Every bit pattern decodes: a reserved template or encoding becomes
 * MONT_OP_ILLEGAL (with the qualifying predicate where the architecture makes
 * the fault conditional on it, SDM volume 3, 4.1).
 */
void mont_decode(struct mont_bundle *b, u64 lo, u64 hi);

/**
 * mont_pack() - make a decoded bundle quick to execute
 * @b: as mont_decode() has left it
 *
 * Drops nops without a predicate: they are counted, not executed. One stands
 * in for a bundle of nothing else.
 *
 * Return: true if it may be executed whole, since no instruction in it changes what
 * is counted or how the bundle executes.
 */
bool mont_pack(struct mont_bundle *b);

/* The unit of @slot under @tmpl; MONT_NR_UNITS for a reserved template. */
enum mont_unit mont_slot_unit(unsigned int tmpl, unsigned int slot);

/* The row that encodes @bits in a slot of @unit; MONT_NR_ROWS: reserved. */
unsigned int mont_row_find(enum mont_unit unit, u64 bits);

/* Fill qp and operands of @u from @bits by the format of @row, and leave its immediate. */
void mont_row_registers(struct mont_uop *u, unsigned int row, u64 bits);

/*
 * Fill qp, operands and immediate of @u from @bits by the format of @row;
 * @l is the L slot of an X-unit instruction.
 */
void mont_row_operands(struct mont_uop *u, unsigned int row, u64 bits, u64 l);

#endif
