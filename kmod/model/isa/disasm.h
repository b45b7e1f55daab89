/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/* An instruction as text. Called by hosts, and by roles.c for how an encoding is written. */
#ifndef MONT_ISA_DISASM_H
#define MONT_ISA_DISASM_H

#include "insns.h"

/**
 * mont_disasm() - one instruction as text, as binutils writes it
 * @buf: result, always terminated
 * @len: size of @buf; 128 is enough for every instruction
 * @lo: bytes 0..7 of the bundle
 * @hi: bytes 8..15
 * @slot: 0..2; slot 1 of MLX gives the empty string
 * @ip: address of the bundle, for IP-relative targets
 *
 * Return: length of the text.
 */
int mont_disasm(char *buf, size_t len, u64 lo, u64 hi, unsigned int slot, u64 ip);

/* How the encoding of @row is written, with the names of its operands. */
const char *mont_row_text(unsigned int row);

#endif
