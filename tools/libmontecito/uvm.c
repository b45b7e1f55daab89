// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The address space of a user-mode program (Itanium SDM volume 2, 4.1).
 *
 * Areas say what is mapped; pages come into being when they are first touched.
 * Each region has a linear short-format VHPT at the top of its addresses, with
 * the base and size that Linux/ia64 computes for the page size, in pages of
 * guest memory. The areas' own page arrays are what this library trusts; the
 * VHPT in guest memory is a copy for the walker.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libmontecito.h"
#include "uvm.h"

#define REGION_BITS 61
#define REGION_MASK ((1ULL << REGION_BITS) - 1)

/*
 * PTE (SDM volume 2, figure 4-5): present, accessed, dirty, level 3, WB, and
 * ed, as all user pages of Linux/ia64 have it
 */
#define PTE_P 0x1ULL
#define PTE_A 0x20ULL
#define PTE_D 0x40ULL
#define PTE_PL3 0x180ULL
#define PTE_ED (1ULL << 52)
#define PTE_AR_SHIFT 9
#define PTE_AR_MASK (7ULL << PTE_AR_SHIFT)
#define PTE_AR_R 0ULL
#define PTE_AR_RX 1ULL
#define PTE_AR_RW 2ULL
#define PTE_AR_RWX 3ULL

/* Bytes, a page of any size, by which a program's memory begins later than the one's before it. */
#define PROGRAMS_APART (64ULL << 10)

/* Linux/ia64 gives each context 8 region identifiers, of 24 bits; the first is context 1. */
#define MAX_CONTEXT ((1U << 21) - 1)

void uvm_pages_init(struct uvm_pages *pages, struct montecito *m, unsigned int page_shift,
		    unsigned int vcpu, unsigned int parts)
{
	uint64_t size;

	memset(pages, 0, sizeof(*pages));
	pages->m = m;
	pages->vcpu = vcpu;
	pages->nr_vcpus = parts > 1 ? 1 : montecito_nr_vcpus(m);
	pages->ram = montecito_memory(m, &size);
	pages->shift = page_shift;
	pages->page_size = 1ULL << page_shift;
	size = (size / parts) & ~(pages->page_size - 1);
	pages->ram_size = (vcpu + 1) * size;
	/* Page 0 stays unused, so that 0 can mean "none". */
	pages->next_pa = vcpu ? vcpu * size : pages->page_size;
	/* Tables of the model have one place for code that lies 256 KB apart. */
	if (parts > 2)
		pages->next_pa += vcpu * PROGRAMS_APART;
	pages->contexts = vcpu * (MAX_CONTEXT / parts);
	pages->last_context = (vcpu + 1) * (MAX_CONTEXT / parts);
}

void uvm_pages_free(struct uvm_pages *pages)
{
	free(pages->free_pa);
	free(pages->refs);
	memset(pages, 0, sizeof(*pages));
}

struct uvm *uvm_new(struct uvm_pages *pages)
{
	struct uvm *vm = calloc(1, sizeof(*vm));

	if (!vm || pages->contexts == pages->last_context) {
		free(vm);
		return NULL;
	}
	vm->pages = pages;
	vm->m = pages->m;
	vm->context = ++pages->contexts;
	vm->users = 1;
	vm->ram = pages->ram;
	vm->ram_size = pages->ram_size;
	vm->shift = pages->shift;
	vm->page_size = pages->page_size;
	vm->next_va = UVM_MMAP_BASE;
	vm->cap_vhpt = 64;
	vm->vhpt_va = calloc(vm->cap_vhpt, sizeof(*vm->vhpt_va));
	vm->vhpt_pa = calloc(vm->cap_vhpt, sizeof(*vm->vhpt_pa));
	if (!vm->vhpt_va || !vm->vhpt_pa) {
		uvm_put(vm);
		return NULL;
	}
	return vm;
}

/* ---- physical pages ---- */

static uint64_t uvm_page_alloc(struct uvm_pages *pages)
{
	uint64_t pa;

	if (pages->nr_free) {
		pa = pages->free_pa[--pages->nr_free];
		memset(pages->ram + pa, 0, pages->page_size);
		return pa;
	}
	if (pages->next_pa + pages->page_size > pages->ram_size)
		return 0;
	pa = pages->next_pa;
	pages->next_pa += pages->page_size;
	return pa;
}

static void uvm_page_put(struct uvm_pages *pages, uint64_t pa)
{
	if (pages->refs && pages->refs[pa >> pages->shift]) {
		pages->refs[pa >> pages->shift]--;
		return;
	}
	if (pages->nr_free == pages->cap_free) {
		size_t cap = pages->cap_free ? 2 * pages->cap_free : 256;
		uint64_t *p = realloc(pages->free_pa, cap * sizeof(*p));

		if (!p)
			return; /* the page is lost, nothing else */
		pages->free_pa = p;
		pages->cap_free = cap;
	}
	pages->free_pa[pages->nr_free++] = pa;
}

/* True if another address space has the page at @pa too. */
static bool uvm_page_shared(const struct uvm_pages *pages, uint64_t pa)
{
	return pages->refs && pages->refs[pa >> pages->shift];
}

void uvm_put(struct uvm *vm)
{
	uint64_t n;
	size_t i;

	if (!vm || --vm->users)
		return;
	for (i = 0; i < vm->nr_areas; i++) {
		const struct uvm_area *a = &vm->area[i];

		for (n = 0; n < (a->end - a->start) >> vm->shift; n++)
			if (a->page[n])
				uvm_page_put(vm->pages, a->page[n]);
		free(a->page);
	}
	/* TLB entries need no purge: these region identifiers are not used again. */
	for (i = 0; vm->vhpt_pa && i < vm->cap_vhpt; i++)
		if (vm->vhpt_pa[i])
			uvm_page_put(vm->pages, vm->vhpt_pa[i]);
	for (i = 0; i < MAX_VCPUS; i++)
		if (vm->pages->active[i] == vm)
			vm->pages->active[i] = NULL;
	free(vm->area);
	free(vm->vhpt_va);
	free(vm->vhpt_pa);
	free(vm);
}

/* ---- the VHPT ---- */

/* log2 of the bytes of a region's table: 2^61 / page size * 8. */
static unsigned int uvm_vhpt_bits(const struct uvm *vm)
{
	return REGION_BITS - vm->shift + 3;
}

uint64_t uvm_vhpt_addr(const struct uvm *vm, uint64_t va)
{
	return (va & ~REGION_MASK) | ((1ULL << REGION_BITS) - (1ULL << uvm_vhpt_bits(vm))) |
	       (va & REGION_MASK) >> vm->shift << 3;
}

static size_t uvm_vhpt_slot(const struct uvm *vm, uint64_t va)
{
	size_t i = (va >> vm->shift) * 0x9e3779b97f4a7c15ULL >> 32;

	for (i &= vm->cap_vhpt - 1; vm->vhpt_pa[i]; i = (i + 1) & (vm->cap_vhpt - 1))
		if (vm->vhpt_va[i] == va)
			break;
	return i;
}

static int uvm_vhpt_grow(struct uvm *vm)
{
	uint64_t *va = vm->vhpt_va, *pa = vm->vhpt_pa;
	size_t i, old = vm->cap_vhpt, slot;

	vm->vhpt_va = calloc(2 * old, sizeof(*va));
	vm->vhpt_pa = calloc(2 * old, sizeof(*pa));
	if (!vm->vhpt_va || !vm->vhpt_pa) {
		free(vm->vhpt_va);
		free(vm->vhpt_pa);
		vm->vhpt_va = va;
		vm->vhpt_pa = pa;
		return -ENOMEM;
	}
	vm->cap_vhpt = 2 * old;
	for (i = 0; i < old; i++) {
		if (!pa[i])
			continue;
		slot = uvm_vhpt_slot(vm, va[i]);
		vm->vhpt_va[slot] = va[i];
		vm->vhpt_pa[slot] = pa[i];
	}
	free(va);
	free(pa);
	return 0;
}

/* The entry of @va in guest memory; with @make, its page is made if need be. */
static uint64_t *uvm_vhpt_entry(struct uvm *vm, uint64_t va, bool make)
{
	uint64_t entry = uvm_vhpt_addr(vm, va);
	uint64_t page = entry & ~(vm->page_size - 1);
	size_t slot = uvm_vhpt_slot(vm, page);

	if (!vm->vhpt_pa[slot]) {
		uint64_t pa;

		if (!make)
			return NULL;
		if (2 * (vm->nr_vhpt + 1) > vm->cap_vhpt) {
			if (uvm_vhpt_grow(vm))
				return NULL;
			slot = uvm_vhpt_slot(vm, page);
		}
		pa = uvm_page_alloc(vm->pages);
		if (!pa)
			return NULL;
		vm->vhpt_va[slot] = page;
		vm->vhpt_pa[slot] = pa;
		vm->nr_vhpt++;
	}
	return (uint64_t *)(vm->ram + vm->vhpt_pa[slot] + (entry & (vm->page_size - 1)));
}

uint64_t uvm_vhpt_pte(const struct uvm *vm, uint64_t vhpt_va)
{
	size_t slot = uvm_vhpt_slot(vm, vhpt_va & ~(vm->page_size - 1));

	if (!vm->vhpt_pa[slot])
		return 0;
	/* Level 0: the program itself cannot reach it. */
	return vm->vhpt_pa[slot] | PTE_P | PTE_A | PTE_D | PTE_AR_RW << PTE_AR_SHIFT;
}

static uint64_t uvm_make_pte(uint64_t pa, unsigned int prot)
{
	uint64_t ar;

	if (!(prot & (UVM_READ | UVM_WRITE | UVM_EXEC)))
		return 0;
	if (prot & UVM_WRITE)
		ar = prot & UVM_EXEC ? PTE_AR_RWX : PTE_AR_RW;
	else
		ar = prot & UVM_EXEC ? PTE_AR_RX : PTE_AR_R;
	return pa | PTE_P | PTE_A | PTE_D | PTE_PL3 | PTE_ED | ar << PTE_AR_SHIFT;
}

/* A page that is shared is not written to. */
static uint64_t uvm_page_pte(const struct uvm *vm, uint64_t pa, unsigned int prot)
{
	return uvm_make_pte(pa, uvm_page_shared(vm->pages, pa) ? prot & ~UVM_WRITE : prot);
}

static uint64_t uvm_region_register(const struct uvm *vm, unsigned int i)
{
	return (8ULL * vm->context + i) << 8 | vm->shift << 2 | 1;
}

/* Have the TLBs forget a page of @vm, which need not be the processors'. */
static void uvm_purge(struct uvm *vm, uint64_t va)
{
	uint32_t rr = va >> REGION_BITS;
	unsigned int i, vcpu;

	for (i = 0; i < vm->pages->nr_vcpus; i++) {
		const struct uvm *active;

		vcpu = vm->pages->vcpu + i;
		active = vm->pages->active[vcpu];
		if (active != vm)
			montecito_set_reg(vm->m, vcpu, MONTECITO_REG_RR, rr,
					  uvm_region_register(vm, rr));
		montecito_tc_purge(vm->m, vcpu, va, vm->shift);
		if (active && active != vm)
			montecito_set_reg(vm->m, vcpu, MONTECITO_REG_RR, rr,
					  uvm_region_register(active, rr));
	}
}

/* Change one entry and forget what the TLB knew of it. */
static int uvm_set_pte(struct uvm *vm, uint64_t va, uint64_t pa, unsigned int prot)
{
	uint64_t pte = pa ? uvm_page_pte(vm, pa, prot) : 0;
	uint64_t *e = uvm_vhpt_entry(vm, va, pte != 0);
	uint64_t old;

	if (!e)
		return pte ? -ENOMEM : 0;
	old = *e;
	if (old == pte)
		return 0;
	*e = pte;
	if (old)
		uvm_purge(vm, va);
	if (pte && prot & UVM_EXEC)
		montecito_invalidate(vm->m, pa, vm->page_size);
	return 0;
}

uint64_t uvm_pte(const struct uvm *vm, uint64_t va)
{
	const struct uvm_area *a = uvm_find(vm, va);
	uint64_t pa = a ? a->page[(va - a->start) >> vm->shift] : 0;

	return pa ? uvm_page_pte(vm, pa, a->prot) : 0;
}

/* ---- areas ---- */

/* Index of the first area that ends behind @va. */
static size_t uvm_area_index(const struct uvm *vm, uint64_t va)
{
	size_t lo = 0, hi = vm->nr_areas;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (vm->area[mid].end <= va)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

struct uvm_area *uvm_find(const struct uvm *vm, uint64_t va)
{
	size_t i = uvm_area_index(vm, va);

	return i < vm->nr_areas && vm->area[i].start <= va ? &vm->area[i] : NULL;
}

bool uvm_is_free(const struct uvm *vm, uint64_t va, uint64_t len)
{
	size_t i = uvm_area_index(vm, va);

	return i == vm->nr_areas || vm->area[i].start >= va + len;
}

/* The first free range of @len bytes from @va on. */
static uint64_t uvm_free_from(const struct uvm *vm, uint64_t va, uint64_t len)
{
	size_t i;

	for (i = uvm_area_index(vm, va); i < vm->nr_areas; i++) {
		if (vm->area[i].start >= va + len)
			break;
		va = vm->area[i].end;
	}
	return va;
}

uint64_t uvm_find_free(struct uvm *vm, uint64_t len)
{
	uint64_t va;

	if (len > UVM_MAX_MAP)
		return 0;
	va = uvm_free_from(vm, vm->next_va, len);
	if (va + len > UVM_MMAP_BASE + UVM_MMAP_WINDOW)
		va = uvm_free_from(vm, UVM_MMAP_BASE, len);
	if (va + len > UVM_MMAP_BASE + UVM_MAX_MAP)
		return 0;
	vm->next_va = va + len;
	return va;
}

static struct uvm_area *uvm_area_insert(struct uvm *vm, size_t i)
{
	if (vm->nr_areas == vm->cap_areas) {
		size_t cap = vm->cap_areas ? 2 * vm->cap_areas : 16;
		struct uvm_area *p = realloc(vm->area, cap * sizeof(*p));

		if (!p)
			return NULL;
		vm->area = p;
		vm->cap_areas = cap;
	}
	memmove(&vm->area[i + 1], &vm->area[i], (vm->nr_areas - i) * sizeof(*vm->area));
	vm->nr_areas++;
	return &vm->area[i];
}

/* Make one of area @i and the one behind it, if nothing tells them apart. */
static void uvm_area_merge(struct uvm *vm, size_t i)
{
	struct uvm_area *a = &vm->area[i], *b = a + 1;
	size_t na, nb;
	uint64_t *page;

	if (i + 1 >= vm->nr_areas || a->end != b->start || a->prot != b->prot)
		return;
	na = (a->end - a->start) >> vm->shift;
	nb = (b->end - b->start) >> vm->shift;
	page = realloc(a->page, (na + nb) * sizeof(*page));
	if (!page)
		return; /* two areas do as well */
	memcpy(page + na, b->page, nb * sizeof(*page));
	free(b->page);
	a->page = page;
	a->end = b->end;
	memmove(b, b + 1, (vm->nr_areas - i - 2) * sizeof(*vm->area));
	vm->nr_areas--;
}

int uvm_map(struct uvm *vm, uint64_t va, uint64_t len, unsigned int prot)
{
	struct uvm_area *a;
	uint64_t *page;
	size_t i;

	/* A region's own VHPT is at its end. */
	if (!len || len > UVM_MAX_MAP ||
	    (va & REGION_MASK) + len > (1ULL << REGION_BITS) - (1ULL << uvm_vhpt_bits(vm)))
		return -ENOMEM;
	if (!uvm_is_free(vm, va, len))
		return -EEXIST;
	page = calloc(len >> vm->shift, sizeof(*page));
	if (!page)
		return -ENOMEM;
	i = uvm_area_index(vm, va);
	a = uvm_area_insert(vm, i);
	if (!a) {
		free(page);
		return -ENOMEM;
	}
	a->start = va;
	a->end = va + len;
	a->prot = prot;
	a->page = page;
	uvm_area_merge(vm, i);
	if (i)
		uvm_area_merge(vm, i - 1);
	return 0;
}

/* Make @va a border between areas, if it lies inside one. */
static int uvm_area_split(struct uvm *vm, uint64_t va)
{
	size_t i = uvm_area_index(vm, va), n;
	struct uvm_area *a;
	uint64_t *page;

	if (i == vm->nr_areas || vm->area[i].start >= va)
		return 0;
	n = (vm->area[i].end - va) >> vm->shift;
	page = malloc(n * sizeof(*page));
	if (!page)
		return -ENOMEM;
	a = uvm_area_insert(vm, i + 1);
	if (!a) {
		free(page);
		return -ENOMEM;
	}
	memcpy(page, a[-1].page + ((va - a[-1].start) >> vm->shift), n * sizeof(*page));
	a->start = va;
	a->end = a[-1].end;
	a->prot = a[-1].prot;
	a->page = page;
	a[-1].end = va;
	return 0;
}

int uvm_unmap(struct uvm *vm, uint64_t va, uint64_t len)
{
	size_t i, first;
	int err;

	err = uvm_area_split(vm, va);
	if (!err)
		err = uvm_area_split(vm, va + len);
	if (err)
		return err;
	first = uvm_area_index(vm, va);
	for (i = first; i < vm->nr_areas && vm->area[i].start < va + len; i++) {
		struct uvm_area *a = &vm->area[i];
		uint64_t p;

		for (p = a->start; p < a->end; p += vm->page_size) {
			uint64_t pa = a->page[(p - a->start) >> vm->shift];

			if (!pa)
				continue;
			uvm_set_pte(vm, p, 0, 0);
			uvm_page_put(vm->pages, pa);
		}
		free(a->page);
	}
	memmove(&vm->area[first], &vm->area[i], (vm->nr_areas - i) * sizeof(*vm->area));
	vm->nr_areas -= i - first;
	return 0;
}

int uvm_protect(struct uvm *vm, uint64_t va, uint64_t len, unsigned int prot)
{
	uint64_t p, end = va + len;
	size_t i;
	int err;

	/* All of the range must be mapped, or nothing is changed. */
	for (p = va; p < end; p = uvm_find(vm, p)->end)
		if (!uvm_find(vm, p))
			return -ENOMEM;
	err = uvm_area_split(vm, va);
	if (!err)
		err = uvm_area_split(vm, end);
	if (err)
		return err;
	for (i = uvm_area_index(vm, va); i < vm->nr_areas && vm->area[i].start < end; i++) {
		struct uvm_area *a = &vm->area[i];

		a->prot = prot;
		for (p = a->start; p < a->end; p += vm->page_size) {
			uint64_t pa = a->page[(p - a->start) >> vm->shift];

			if (pa && uvm_set_pte(vm, p, pa, prot))
				return -ENOMEM;
		}
	}
	return 0;
}

/* Move mapped pages to another, free place, as mremap() does. */
int uvm_move(struct uvm *vm, uint64_t from, uint64_t len, uint64_t to)
{
	struct uvm_area *a = uvm_find(vm, from), *b;
	uint64_t off;
	int err;

	if (!a || a->end < from + len)
		return -EFAULT;
	err = uvm_map(vm, to, len, a->prot);
	if (err)
		return err;
	a = uvm_find(vm, from);
	b = uvm_find(vm, to);
	for (off = 0; off < len; off += vm->page_size) {
		uint64_t *pa = &a->page[(from + off - a->start) >> vm->shift];

		if (!*pa)
			continue;
		uvm_set_pte(vm, from + off, 0, 0);
		b->page[(to + off - b->start) >> vm->shift] = *pa;
		if (uvm_set_pte(vm, to + off, *pa, b->prot))
			return -ENOMEM;
		*pa = 0;
	}
	return uvm_unmap(vm, from, len);
}

/* ---- access ---- */

/* Give @vm a page of its own in the place of the one at @va, which it shares. */
static int uvm_unshare(struct uvm *vm, uint64_t *pa)
{
	uint64_t own = uvm_page_alloc(vm->pages);

	if (!own)
		return -ENOMEM;
	memcpy(vm->ram + own, vm->ram + *pa, vm->page_size);
	uvm_page_put(vm->pages, *pa);
	*pa = own;
	return 0;
}

/* A page that is there, but its entry may not be, or may be of a page that was shared. */
static int uvm_share_fault(struct uvm *vm, struct uvm_area *a, uint64_t va, unsigned int access)
{
	uint64_t *pa = &a->page[(va - a->start) >> vm->shift];
	int err = 0;

	if (access & UVM_WRITE && uvm_page_shared(vm->pages, *pa))
		err = uvm_unshare(vm, pa);
	return err ? err : uvm_set_pte(vm, va & ~(vm->page_size - 1), *pa, a->prot);
}

int uvm_own(struct uvm *vm, uint64_t va)
{
	struct uvm_area *a = uvm_find(vm, va);
	const uint64_t *pa;

	if (!a)
		return -EFAULT;
	pa = &a->page[(va - a->start) >> vm->shift];
	if (!*pa)
		return uvm_fault(vm, va, a->prot & (UVM_READ | UVM_WRITE | UVM_EXEC));
	return vm->pages->refs ? uvm_share_fault(vm, a, va, UVM_WRITE) : 0;
}

int uvm_fault(struct uvm *vm, uint64_t va, unsigned int access)
{
	struct uvm_area *a = uvm_find(vm, va);
	unsigned int prot;
	uint64_t *pa;
	int err;

	if (!a)
		return -EFAULT;
	/* The access rights of a PTE that allow writing or executing allow reading too. */
	prot = a->prot & (UVM_READ | UVM_WRITE | UVM_EXEC);
	if (prot)
		prot |= UVM_READ;
	if (access & ~prot || !prot)
		return -EFAULT;
	pa = &a->page[(va - a->start) >> vm->shift];
	if (*pa)
		return vm->pages->refs ? uvm_share_fault(vm, a, va, access) : 0;
	*pa = uvm_page_alloc(vm->pages);
	if (!*pa)
		return -ENOMEM;
	err = uvm_set_pte(vm, va & ~(vm->page_size - 1), *pa, a->prot);
	if (err) {
		uvm_page_put(vm->pages, *pa);
		*pa = 0;
	}
	return err;
}

void *uvm_ptr(struct uvm *vm, uint64_t va, unsigned int access, size_t *len)
{
	const struct uvm_area *a;
	uint64_t off = va & (vm->page_size - 1);

	if (uvm_fault(vm, va, access))
		return NULL;
	a = uvm_find(vm, va);
	*len = vm->page_size - off;
	return vm->ram + a->page[(va - a->start) >> vm->shift] + off;
}

int uvm_read(struct uvm *vm, void *to, uint64_t va, size_t len)
{
	while (len) {
		size_t n;
		const void *p = uvm_ptr(vm, va, UVM_READ, &n);

		if (!p)
			return -EFAULT;
		if (n > len)
			n = len;
		memcpy(to, p, n);
		to = (char *)to + n;
		va += n;
		len -= n;
	}
	return 0;
}

int uvm_write(struct uvm *vm, uint64_t va, const void *from, size_t len)
{
	while (len) {
		size_t n;
		uint8_t *p = uvm_ptr(vm, va, UVM_WRITE, &n);

		if (!p)
			return -EFAULT;
		if (n > len)
			n = len;
		memcpy(p, from, n);
		if (uvm_find(vm, va)->prot & UVM_EXEC)
			montecito_invalidate(vm->m, p - vm->ram, n);
		from = (const char *)from + n;
		va += n;
		len -= n;
	}
	return 0;
}

long uvm_read_string(struct uvm *vm, char *to, uint64_t va, size_t size)
{
	size_t len = 0;

	while (len < size) {
		size_t n, i;
		const char *p = uvm_ptr(vm, va, UVM_READ, &n);

		if (!p)
			return -EFAULT;
		for (i = 0; i < n && len < size; i++, len++) {
			to[len] = p[i];
			if (!p[i])
				return len;
		}
		va += n;
	}
	return -ENAMETOOLONG;
}

int uvm_activate(struct uvm *vm, unsigned int vcpu)
{
	uint64_t base = (1ULL << REGION_BITS) - (1ULL << uvm_vhpt_bits(vm));
	struct montecito_reg reg[9];
	uint32_t i;

	for (i = 0; i < 8; i++)
		reg[i] = (struct montecito_reg){ MONTECITO_REG_RR,
						 i,
						 { uvm_region_register(vm, i) } };
	/* CR8, PTA: size in bits 7:2, vf = 0, ve = 1 */
	reg[8] = (struct montecito_reg){ MONTECITO_REG_CR,
					 8,
					 { base | uvm_vhpt_bits(vm) << 2 | 1 } };
	vm->pages->active[vcpu] = vm;
	return montecito_set_regs(vm->m, vcpu, reg, 9);
}

/* ---- copies ---- */

/* Share the pages of @from with @to, an empty area as large. */
static int uvm_share(struct uvm *vm, struct uvm_area *from, struct uvm_area *to)
{
	uint64_t n, pa;
	int err = 0;

	for (n = 0; !err && n < (from->end - from->start) >> vm->shift; n++) {
		pa = from->page[n];
		if (!pa)
			continue;
		to->page[n] = pa;
		/* The copy's entries come into being when they are needed. */
		if (!vm->pages->refs[pa >> vm->shift]++ && from->prot & UVM_WRITE)
			err = uvm_set_pte(vm, from->start + (n << vm->shift), pa, from->prot);
	}
	return err;
}

struct uvm *uvm_copy(struct uvm *vm)
{
	struct uvm_pages *pages = vm->pages;
	struct uvm *to;
	size_t i;
	int err = 0;

	if (!pages->refs)
		pages->refs = calloc(pages->ram_size >> pages->shift, sizeof(*pages->refs));
	to = pages->refs ? uvm_new(pages) : NULL;
	if (!to)
		return NULL;
	to->next_va = vm->next_va;
	to->brk_start = vm->brk_start;
	to->brk = vm->brk;
	to->area = calloc(vm->nr_areas, sizeof(*to->area));
	to->cap_areas = vm->nr_areas;
	if (!to->area)
		err = -ENOMEM;
	for (i = 0; !err && i < vm->nr_areas; i++) {
		to->area[i] = vm->area[i];
		/* Zeros that are only read take no memory, however large the area. */
		to->area[i].page = calloc((vm->area[i].end - vm->area[i].start) >> vm->shift,
					  sizeof(*to->area[i].page));
		if (!to->area[i].page)
			err = -ENOMEM;
		else
			to->nr_areas++;
		if (!err)
			err = uvm_share(vm, &vm->area[i], &to->area[i]);
	}
	if (err) {
		uvm_put(to);
		return NULL;
	}
	return to;
}
