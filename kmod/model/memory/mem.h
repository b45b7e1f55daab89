/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory as instructions see it: addresses, translations, data references
 * (SDM volume 2, chapter 4).
 */
#ifndef MONT_MEM_MEM_H
#define MONT_MEM_MEM_H

#include "../package/package.h"
#include "../event/raise.h"
#include "lsu.h"

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

/* Implemented address bits (DESIGN 5). */
#define MONT_VA_BITS 61
#define MONT_PA_BITS 50
#define MONT_RID_BITS 24

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

/* ---- translation (tlb.c, vhpt.c, translate.c) ---- */

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

/* ---- host-speed copies of translations (utlb.c) ---- */

static __always_inline u32 mont_utlb_slot(u64 va)
{
	return va >> 12 & (MONT_NR_UTLB - 1);
}

/* The copy that a load from @va, or a store there, would go by. */
static __always_inline const struct mont_utlb *mont_utlb_r(const struct mont_thread *t, u64 va)
{
	return &t->utlb_r.entry[mont_utlb_slot(va)];
}

static __always_inline const struct mont_utlb *mont_utlb_w(const struct mont_thread *t, u64 va)
{
	return &t->utlb_w.entry[mont_utlb_slot(va)];
}

/* The copy that the walker would read its table at @va by. */
static __always_inline struct mont_utlb *mont_utlb_table(struct mont_thread *t, u64 va)
{
	return &t->utlb_table[va >> 12 & (MONT_NR_UTLB_TABLE - 1)];
}

/* Keep that the page of @va is at @page, by @e, or NULL for a physical address. */
void mont_utlb_add(struct mont_thread *t, bool write, u64 va, u8 *page, const struct mont_tlbe *e);
/* Forget all: something that every translation depends on has changed. */
void mont_utlb_flush(struct mont_thread *t);
/* Forget what lies in the 2^@ps bytes at @va. */
void mont_utlb_drop(struct mont_thread *t, bool insn, u64 va, u32 ps);
/* Forget the copies of @e, of the data TLB those of its 4 KB @pieces. */
void mont_utlb_forget(struct mont_thread *t, bool insn, const struct mont_tlbe *e, u32 pieces);
/* Stores to the 4 KB at @page must be seen from now on. */
void mont_utlb_protect(struct mont_package *pkg, const u8 *page);
/* All copies are unused. */
void mont_utlb_init(struct mont_thread *t);

u64 mont_thash(const struct mont_thread *t, u64 va);
u64 mont_ttag(const struct mont_thread *t, u64 va);
/* Walk the VHPT for @va; MONT_NEXT with the translation inserted in *@e. */
enum mont_result mont_vhpt_walk(struct mont_thread *t, bool insn, u64 va, u32 ref,
				const struct mont_tlbe **e);
/* Look an address up in the VHPT without inserting a translation or counting a walk. */
bool mont_vhpt_look(const struct mont_thread *t, u64 va, u64 *pa);

/* MONT_ACC_* that access rights @ar of a page of level @pl give level @cpl. */
u32 mont_access_rights(u32 ar, u32 pl, u32 cpl);

/**
 * struct mont_xlat - a translation in use
 * @entry: of the TLB; NULL where addresses are physical
 * @pa: physical address
 * @ma: memory attribute
 * @ed: exception deferral bit of the page
 * @writable: a store there would meet no fault of translation either
 * @walked: there is none, and the walker has looked for it
 */
struct mont_xlat {
	const struct mont_tlbe *entry;
	u64 pa;
	u32 ma;
	u32 ed;
	bool writable;
	bool walked;
};

/*
 * Translate @va for a reference @ref at level @cpl, with every check of SDM
 * volume 2 table 5-6 up to the access bit. A fault leaves t->fault_*.
 */
enum mont_result mont_translate(struct mont_thread *t, u64 va, u32 ref, u32 cpl,
				struct mont_xlat *x);

/* ---- what instructions ask of translations (probe.c) ---- */

/* Set @allowed to whether a reference @want to @va is allowed at @level. */
enum mont_result mont_probe(struct mont_thread *t, u64 va, u32 want, u32 level, bool *allowed);
/* The physical address of @va. */
enum mont_result mont_tpa(struct mont_thread *t, u64 va, u64 *pa);
/* The protection key of @va, as tak gives it. */
u64 mont_tak(struct mont_thread *t, u64 va);

/* ---- data references (access.c, speculation.c, backing_store.c) ---- */

/*
 * The reference @ref, whose va, size and kind are set, with every check; @access
 * is MONT_ACC_*. Its physical address and what it came to are in @ref afterwards.
 */
enum mont_result mont_load_slow(struct mont_thread *t, struct mont_ref *ref, u32 access, u64 v[2]);
enum mont_result mont_store_slow(struct mont_thread *t, struct mont_ref *ref, u32 access,
				 const u64 v[2]);
/*
 * Like mont_load_slow(), but a deferrable fault becomes *deferred = true and
 * MONT_NEXT (SDM volume 2, 5.5.5), with the reason in @ref.
 */
enum mont_result mont_load_spec(struct mont_thread *t, struct mont_ref *ref, u32 access, u64 v[2],
				bool *deferred);
/*
 * Refill the host copy of the translation for a plain integer load. True: *@r is a
 * fault, or there is a copy now. False: mont_load_slow() has to make the load.
 */
bool mont_load_refill(struct mont_thread *t, u64 va, u32 size, enum mont_result *r);
/* An advanced load reads nothing and gives 0 where @ref is not to cacheable memory. */
enum mont_result mont_load_advanced(struct mont_thread *t, struct mont_ref *ref, u32 access,
				    u64 v[2]);
/* Physical address for the ALAT; 0 with @ok false where it cannot be tracked. */
u64 mont_data_pa(struct mont_thread *t, u64 va, bool *ok);

/* Deliver a load or a store that retires to the subscribers of @sig. */
void mont_reference_slow(struct mont_thread *t, enum mont_signal sig, const struct mont_ref *ref);
/* As mont_reference_slow(), for one that the fast path has made; @kind is MONT_DATA_*. */
void mont_plain_slow(struct mont_thread *t, enum mont_signal sig, u64 va, u32 size, u32 kind);
/* Ask the memory pipeline for @ref, with its physical address. */
void mont_reference_log(struct mont_thread *t, enum mont_lsu_code op, const struct mont_ref *ref);

enum mont_result mont_rse_load8(struct mont_thread *t, u64 va, u64 *v);
enum mont_result mont_rse_store8(struct mont_thread *t, u64 va, u64 v);

/* ---- physical memory (phys.c) ---- */

/* Take over the host's regions; MONT_EINVAL for ones that cannot be. */
int mont_phys_init(struct mont_package *pkg, const struct mont_region *region, u32 nr);
/* Pointer to guest byte @pa if @len bytes from there are memory, else NULL. */
u8 *mont_ram(const struct mont_package *pkg, u64 pa, u64 len);
/* As mont_ram(); NULL for read-only memory too. */
u8 *mont_ram_writable(const struct mont_package *pkg, u64 pa, u64 len);
/* mont_ram(); *@plain: a store there needs no more than to be done. */
u8 *mont_ram_plain(const struct mont_package *pkg, u64 pa, u64 len, bool *plain);
/* The address of byte @p, which mont_ram() has given. */
u64 mont_ram_address(const struct mont_package *pkg, const u8 *p);
/* True if the host serves a reference to @len bytes at @pa. */
bool mont_is_mmio(const struct mont_package *pkg, u64 pa, u64 len, bool write);
/* The flag that says that the page of @pa holds decoded bundles; NULL outside memory. */
u8 *mont_code_page(struct mont_package *pkg, u64 pa);
/* Copy to or from physical memory; MONT_EFAULT outside of it. */
int mont_phys_read(struct mont_package *pkg, u64 pa, void *buf, size_t len);
int mont_phys_write(struct mont_package *pkg, u64 pa, const void *buf, size_t len);
/* Memory at @pa was written: forget bundles decoded from it. */
void mont_code_written(struct mont_package *pkg, u64 pa, u64 len);

/* ---- references that the host serves (mmio.c) ---- */

/*
 * The bytes at @x, as they lie in memory, in @data: MONT_STOP until the host has
 * them, MONT_FAULT_MACHINE_CHECK where nothing answers.
 */
enum mont_result mont_mmio_load(struct mont_thread *t, const struct mont_xlat *x, u32 size, u32 ref,
				u64 data[2]);
/* Have the host store @data: MONT_STOP, and MONT_NEXT when the instruction is back. */
enum mont_result mont_mmio_store(struct mont_thread *t, const struct mont_xlat *x, u32 size,
				 u32 ref, const u64 data[2]);
/*
 * At a bundle boundary: true if the next instruction must come first, since it is the
 * one whose reference the host has served. @waits: the instruction has been looked at
 * already, and waits to issue.
 */
bool mont_mmio_first(struct mont_thread *t, bool waits);
/* Drop the load that waits or is complete: no instruction takes it. */
void mont_mmio_cancel(struct mont_thread *t);
/* True if a load still waits for the host: the exit is reported again. */
bool mont_mmio_waits(struct mont_package *pkg);

/* ---- fetch (fetch.c) ---- */

/*
 * Make t->fetch_va and t->fetch_pa those of the page of t->s.ip. MONT_RELOAD:
 * there is no code, it is PAL's entry point.
 */
enum mont_result mont_fetch_page(struct mont_thread *t);
/* True if IP is an address that the processor does not implement; all virtual ones are. */
static inline bool mont_fetch_unimplemented(const struct mont_thread *t)
{
	return !(t->s.psr & MONT_PSR_IT) && (t->s.ip & ~MONT_BIT(63)) >> MONT_PA_BITS;
}

/* Call before memory or decoded bundles change under the one being executed. */
void mont_fetch_keep_raw(struct mont_thread *t);

/* ---- fast paths ---- */

/*
 * The byte of @va in the page of @e: the offset is masked, so that a guest's
 * address used ahead of the comparison of tags stays in a page (Spectre v1).
 */
static __always_inline u8 *mont_utlb_byte(const struct mont_utlb *e, u64 va)
{
	return e->page + (va & (MONT_PAGE_SIZE - 1));
}

/* The physical address of @va, which has a copy in @set. */
static __always_inline u64 mont_utlb_pa(const struct mont_utlb_set *set, u64 va)
{
	return set->pa[mont_utlb_slot(va)] | (va & (MONT_PAGE_SIZE - 1));
}

static __always_inline bool mont_utlb_hit(const struct mont_utlb *e, u64 va, u32 size)
{
	return likely((va & (~0xfffULL | (size - 1))) == e->tag);
}

static __always_inline enum mont_result mont_load(struct mont_thread *t, u64 va, u32 size, u64 *out)
{
	const struct mont_utlb *e = mont_utlb_r(t, va);
	enum mont_result r;
	u64 v[2];

	if (mont_utlb_hit(e, va, size)) {
		const void *p = mont_utlb_byte(e, va);

		switch (size) {
		case 1:
			*out = *(const u8 *)p;
			break;
		case 2:
			*out = *(const u16 *)p;
			break;
		case 4:
			*out = *(const u32 *)p;
			break;
		default:
			*out = *(const u64 *)p;
			break;
		}
		return MONT_NEXT;
	}
	r = mont_load_slow(t, &(struct mont_ref){ .va = va, .size = size }, MONT_ACC_READ, v);
	*out = v[0];
	return r;
}

/*
 * True if an entry of the ALAT may be of the eight bytes at @va, by the bits of the
 * address within a page, which virtual and physical ones share. A store of one aligned
 * word touches no other.
 */
static __always_inline bool mont_alat_near(const struct mont_thread *t, u64 va)
{
	u64 filter = t->pkg->alat_filter;

	return filter && (filter >> (va >> 3 & 63) & 1);
}

static __always_inline enum mont_result mont_store(struct mont_thread *t, u64 va, u32 size, u64 val)
{
	const struct mont_utlb *e = mont_utlb_w(t, va);
	u64 v[2] = { val, 0 };

	if (mont_utlb_hit(e, va, size) && likely(!mont_alat_near(t, va))) {
		void *p = mont_utlb_byte(e, va);

		switch (size) {
		case 1:
			*(u8 *)p = val;
			break;
		case 2:
			*(u16 *)p = val;
			break;
		case 4:
			*(u32 *)p = val;
			break;
		default:
			*(u64 *)p = val;
			break;
		}
		return MONT_NEXT;
	}
	return mont_store_slow(t, &(struct mont_ref){ .va = va, .size = size }, MONT_ACC_WRITE, v);
}

/* True if @t keeps time. A run loop that always does, or never, defines this first. */
#ifndef MONT_KEEPS_TIME
#define MONT_KEEPS_TIME(t) ((t)->time)
#endif

/*
 * Refer to memory, where the bytes have been moved: signal @sig, the retirement of a load or
 * a store, and while time is kept leave the reference for the load-store unit (lsu.h).
 */
static __always_inline void mont_refer(struct mont_thread *t, enum mont_signal sig,
				       const struct mont_ref *ref)
{
	if (unlikely(--t->sig[sig].left <= 0))
		mont_reference_slow(t, sig, ref);
	if (unlikely(MONT_KEEPS_TIME(t)))
		mont_reference_log(t, sig == MONT_SIG_LOAD_RETIRED ? MONT_LSU_LOAD : MONT_LSU_STORE,
				   ref);
}

/* As mont_refer(), of the fast path: a record is made where a subscriber looks. */
static __always_inline void mont_refer_plain(struct mont_thread *t, enum mont_signal sig, u64 va,
					     u32 size, u32 kind)
{
	if (unlikely(--t->sig[sig].left <= 0))
		mont_plain_slow(t, sig, va, size, kind);
	if (!MONT_KEEPS_TIME(t))
		return;
	if (sig == MONT_SIG_LOAD_RETIRED)
		mont_lsu_put(t, MONT_LSU_PLAIN_LOAD, va, mont_utlb_pa(&t->utlb_r, va), size, kind);
	else
		mont_lsu_put(t, MONT_LSU_PLAIN_STORE, va, mont_utlb_pa(&t->utlb_w, va), size, kind);
}

/* ---- ALAT (alat.c) ---- */

#define MONT_ALAT_FR MONT_BIT(63)
#define MONT_ALAT_STACKED MONT_BIT(62)

/* The number under which a register's entry is kept. */
u64 mont_alat_gr(const struct mont_thread *t, u8 r);
u64 mont_alat_fr(const struct mont_thread *t, u8 f);
/* True if that pushed out a valid entry of another register. */
bool mont_alat_insert(struct mont_thread *t, u64 reg, u64 pa, u32 size);
/* True if there is an entry for @reg; @clear removes it. */
bool mont_alat_check(struct mont_thread *t, u64 reg, bool clear);
void mont_alat_remove(struct mont_thread *t, u64 reg);
void mont_alat_clear(struct mont_thread *t);
/* No more than @nr entries are used from now on. */
void mont_alat_fit(struct mont_thread *t, u32 nr);
/* A store of @size bytes at @pa: entries of every thread that overlap go. */
void mont_alat_stored(struct mont_package *pkg, u64 pa, u32 size);
/* Find the valid entries of all threads again. */
void mont_alat_recount(struct mont_package *pkg);

#endif
