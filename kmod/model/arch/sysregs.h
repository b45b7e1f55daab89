/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Application, control, region, key, debug and identification registers by
 * number, with their reserved fields and side effects. Called by moves of
 * registers (isa/regmove.c), by PAL, by the host's view and by the check of a
 * state (package/).
 */
#ifndef MONT_ARCH_SYSREGS_H
#define MONT_ARCH_SYSREGS_H

#include "thread.h"

#define MONT_NR_CPUID 5

/* True if there is an AR @ar that can be read, or written. */
bool mont_ar_exists(u32 ar, bool write);
/* True if an access to AR @ar is illegal under the present RSC.mode. */
bool mont_ar_illegal(const struct mont_thread *t, u32 ar, bool write);
/* Application registers that exist, as level @cpl may. */
enum mont_result mont_ar_read(struct mont_thread *t, u32 ar, u64 *v, u32 cpl);
enum mont_result mont_ar_write(struct mont_thread *t, u32 ar, u64 v, u32 cpl);
/* As mont_ar_exists() and mont_ar_illegal(), for control registers under the present PSR.ic. */
bool mont_cr_exists(u32 cr, bool write);
bool mont_cr_illegal(const struct mont_thread *t, u32 cr, bool write);
/* Control registers that exist, at level 0. Reading IVR acknowledges an interrupt. */
u64 mont_cr_read(struct mont_thread *t, u32 cr);
enum mont_result mont_cr_write(struct mont_thread *t, u32 cr, u64 v);
/* True if the system and application registers of @s, a saved state, can be loaded. */
bool mont_sysregs_valid(const struct mont_state *s);

enum mont_result mont_rr_write(struct mont_thread *t, u32 rr, u64 v);
enum mont_result mont_pkr_write(struct mont_thread *t, u32 pkr, u64 v);
/* @reg is t->s.ibr or t->s.dbr. */
enum mont_result mont_debug_write(struct mont_thread *t, u64 *reg, u32 i, u64 v);
/* mov pmc= by the guest: reports an event the model does not count. */
void mont_pmc_write_guest(struct mont_thread *t, u64 idx, u64 v);
u64 mont_cpuid(u32 i);

enum mont_ar_number {
#define MONT_AR(number, upper, lower, field, flags, reserved, ignored) MONT_AR_##upper = number,
#include "sysregs.def"
};

enum mont_cr_number {
#define MONT_CR(number, upper, lower, field, flags, reserved, ignored) MONT_CR_##upper = number,
#include "sysregs.def"
};

#endif
