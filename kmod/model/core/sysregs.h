/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Application, control, region, key, debug and identification registers by
 * number, with their reserved fields and side effects.
 */
#ifndef MONT_CORE_SYSREGS_H
#define MONT_CORE_SYSREGS_H

#include "../thread.h"

#define MONT_NR_CPUID 5

/* Application registers, as level @cpl may. */
enum mont_result mont_ar_read(struct mont_thread *t, u32 ar, u64 *v, u32 cpl);
enum mont_result mont_ar_write(struct mont_thread *t, u32 ar, u64 v, u32 cpl);
/* Is AR @ar none that software may write now? */
bool mont_ar_write_illegal(struct mont_thread *t, u32 ar);
/* Is CR @cr none that software may read, or write, under PSR.ic as it is? */
bool mont_cr_illegal(const struct mont_thread *t, u32 cr, bool write);
/* Control registers, at level 0. Reading IVR acknowledges an interrupt. */
enum mont_result mont_cr_read(struct mont_thread *t, u32 cr, u64 *v);
enum mont_result mont_cr_write(struct mont_thread *t, u32 cr, u64 v);
/* May the system and application registers of @s, a saved state, be loaded? */
bool mont_sysregs_valid(const struct mont_state *s);

enum mont_result mont_rr_write(struct mont_thread *t, u32 rr, u64 v);
enum mont_result mont_pkr_write(struct mont_thread *t, u32 pkr, u64 v);
/* @reg is t->s.ibr or t->s.dbr. */
enum mont_result mont_debug_write(struct mont_thread *t, u64 *reg, u32 i, u64 v);
/* mov pmc= by the guest: reports an event the model does not count. */
void mont_pmc_write_guest(struct mont_thread *t, u64 idx, u64 v);
u64 mont_cpuid(u32 i);

/* Numbers of the registers that others need by name. */
#define MONT_AR_RSC 16
#define MONT_AR_BSP 17
#define MONT_AR_BSPSTORE 18
#define MONT_AR_RNAT 19
#define MONT_CR_IVR 65

#endif
