/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Translations: kinds of reference, what an entry of a page table says, and the TLBs of a
 * thread (SDM volume 2, 4.1), which tlb.c has. Called by the units of mmu/, by isa/translation.c,
 * by the host's view and by the check of a state (package/); mont_tlb_find() also by units that
 * look without a reference.
 */
#ifndef MONT_MMU_TRANSLATION_H
#define MONT_MMU_TRANSLATION_H

#include "../package/package.h"

/* Where in its 4 KB an address is. */
#define MONT_PAGE_OFFSET (MONT_PAGE_SIZE - 1ULL)

/* Kinds of reference, ORed. */
#define MONT_ACC_READ 0x01
#define MONT_ACC_WRITE 0x02
#define MONT_ACC_EXEC 0x04
#define MONT_ACC_SPEC 0x08 /* ld.s, ld.sa, lfetch: may be deferred */
#define MONT_ACC_NA 0x10 /* non-access: probe, tpa, fc, lfetch */
#define MONT_ACC_RSE 0x20
#define MONT_ACC_FP 0x40
#define MONT_ACC_SEM 0x80 /* semaphore: alignment is enforced */
#define MONT_ACC_PAIR 0x100 /* two registers from one access */
#define MONT_ACC_TLB 0x200 /* of a virtual address, whatever PSR.dt */
/* Asks for no key, access bit or breakpoint, and for rights only above level 0. */
#define MONT_ACC_UNCHECKED 0x400

/* Page table entry fields (SDM volume 2, figure 4-4). */
#define MONT_PTE_P MONT_BIT(0)
#define MONT_PTE_A MONT_BIT(5)
#define MONT_PTE_D MONT_BIT(6)
#define MONT_PTE_ED MONT_BIT(52)
#define MONT_PTE_PPN 0x0003fffffffff000ULL
#define MONT_PTE_RESERVED (MONT_BIT(1) | MONT_BIT(50) | MONT_BIT(51))

static inline u32 mont_pte_ma(u64 pte)
{
	return pte >> 2 & 7;
}

/* Memory attributes that matter here. */
#define MONT_MA_WB 0
#define MONT_MA_UC 4
#define MONT_MA_WC 6
#define MONT_MA_NATPAGE 7

/* The entry that translates @va in region-ID @rid, or NULL. */
const struct mont_tlbe *mont_tlb_find(const struct mont_thread *t, bool insn, u64 va);
/* The physical address of @va by the TLB alone, and nothing changes; false: by none. */
bool mont_tlb_look(const struct mont_thread *t, bool insn, u64 va, u64 *pa);
bool mont_page_size_ok(u32 ps);
/*
 * itc. With @at it is the walker's, after mont_tlb_find() has found nothing for
 * @va; the entry is *@at then.
 */
enum mont_result mont_tlb_insert_tc(struct mont_thread *t, bool insn, u64 va, u64 pte, u64 itir,
				    const struct mont_tlbe **at);
enum mont_result mont_tlb_insert_tr(struct mont_thread *t, bool insn, u32 slot, u64 va, u64 pte,
				    u64 itir);
/* Purge TC entries of region ID @rid that overlap the 2^@ps bytes at @va. */
void mont_tlb_purge_tc(struct mont_thread *t, u32 rid, u64 va, u32 ps);
void mont_tlb_purge_tr(struct mont_thread *t, bool insn, u64 va, u32 ps);
/* As mont_tlb_purge(), in every processor; @alat: the others' ALATs are emptied. */
void mont_tlb_purge_global(struct mont_thread *t, u64 va, u32 ps, bool alat);
/* ptc.e: the whole TC of @t's core, the other thread's too (manual 2.4.3.1). */
void mont_tlb_purge_all_tc(struct mont_thread *t);
/* Entry of translation register @slot, or NULL. */
const struct mont_tlbe *mont_tlb_tr(const struct mont_thread *t, bool insn, u32 slot);
/* Rebuild the indexes of the TLBs of @core from @core->s. */
void mont_tlb_index(struct mont_core *core);
/* True if @s can be the state of @core, with @threads threads. */
bool mont_tlb_state_valid(const struct mont_core *core, const struct mont_core_state *s,
			  u32 threads);
/* No more than @nr entries of each TLB are used from now on. */
void mont_tlb_fit(struct mont_core *core, u32 nr);

/* A reference by way of @e has executed. */
static inline void mont_tlb_mark(struct mont_thread *t, bool insn, const struct mont_tlbe *e)
{
	struct mont_tlb *s = insn ? &t->core->s.itlb : &t->core->s.dtlb;
	u32 i = e - s->entry;

	s->marked[i / 64] |= MONT_BIT(i % 64);
}

#define MONT_COPIES_OF_TABLE 16

/* There is a copy of what @e, of the data TLB, says of @va; @shift: whose. */
static inline void mont_tlb_copied(struct mont_thread *t, const struct mont_tlbe *e, u64 va,
				   u32 shift)
{
	t->core->dtlb.copied[e - t->core->s.dtlb.entry] |= 1u << (va >> 12 & 15) << shift;
}

/* The region ID that @va belongs to. */
static inline u32 mont_rid(const struct mont_thread *t, u64 va)
{
	return mont_bits(t->s.rr[va >> 61], 8, MONT_RID_BITS);
}

/* MONT_ACC_* that access rights @ar of a page of level @pl give level @cpl. */
u32 mont_access_rights(u32 ar, u32 pl, u32 cpl);

#endif
