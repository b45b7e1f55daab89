/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The address space of a user-mode program: areas, pages and the short-format
 * VHPT in guest memory that the model's walker reads (Itanium SDM volume 2,
 * 4.1.5 and 4.1.6; laid out as Linux/ia64 does). Called by
 * all that process.h is included by.
 */
#ifndef LIBMONTECITO_UVM_H
#define LIBMONTECITO_UVM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "internal.h"

#define UVM_READ 0x1
#define UVM_WRITE 0x2
#define UVM_EXEC 0x4
/* Area of a stack: part of the initial layout, never chosen by mmap. */
#define UVM_FIXED 0x8

/* First address that mmap() hands out, as on Linux/ia64: region 1. */
#define UVM_MMAP_BASE 0x2000000000000000ULL
/*
 * Span that allocation goes through upwards before it looks for gaps again, so that
 * freed addresses are not given to the next mapping at once.
 */
#define UVM_MMAP_WINDOW (1ULL << 30)
/* Largest single mapping: 256 GB of address space. */
#define UVM_MAX_MAP (1ULL << 38)

struct uvm_area {
	uint64_t start;
	uint64_t end;
	unsigned int prot;
	uint64_t *page; /* physical address of each page; 0: not there yet */
};

/**
 * struct uvm_pages - pages of guest memory, which address spaces share
 * @m: the machine
 * @vcpu: the first of the logical processors that have the address spaces
 * @nr_vcpus: how many they are
 * @ram: memory of the machine
 * @ram_size: where the part ends that these pages are of, in bytes
 * @shift: log2 of the page size
 * @page_size: in bytes
 * @next_pa: behind it nothing has been handed out yet
 * @free_pa: pages that were given back
 * @nr_free: how many
 * @cap_free: how many have room
 * @refs: by page: address spaces that have it, beside the first. NULL: no page is shared
 * @contexts: number of the last address space: each has region identifiers of its own
 * @last_context: the last number that there may be
 * @active: by vcpu, the address space that it has
 */
struct uvm_pages {
	struct montecito *m;
	unsigned int vcpu;
	unsigned int nr_vcpus;
	uint8_t *ram;
	uint64_t ram_size;
	unsigned int shift;
	uint64_t page_size;
	uint64_t next_pa;
	uint64_t *free_pa;
	size_t nr_free;
	size_t cap_free;
	uint32_t *refs;
	uint32_t contexts;
	uint32_t last_context;
	const struct uvm *active[MAX_VCPUS];
};

struct uvm {
	struct uvm_pages *pages;
	struct montecito *m;
	uint32_t context; /* number of its region identifiers */
	unsigned int users; /* processes that have it */
	uint8_t *ram;
	uint64_t ram_size;
	unsigned int shift; /* log2 of the page size */
	uint64_t page_size;
	uint64_t next_va; /* where mmap() looks for a free range first */
	uint64_t brk_start;
	uint64_t brk;
	struct uvm_area *area; /* sorted, disjoint */
	size_t nr_areas;
	size_t cap_areas;
	uint64_t *vhpt_va; /* open-addressed: VHPT page -> physical page */
	uint64_t *vhpt_pa;
	size_t nr_vhpt;
	size_t cap_vhpt;
};

/* Part number @vcpu of the @parts of @m's memory, for that logical processor. One part: for all. */
void uvm_pages_init(struct uvm_pages *pages, struct montecito *m, unsigned int page_shift,
		    unsigned int vcpu, unsigned int parts);
void uvm_pages_free(struct uvm_pages *pages);

/* An empty address space, or NULL. */
struct uvm *uvm_new(struct uvm_pages *pages);
/*
 * A copy of @vm, or NULL. Pages are shared until one of the two writes to them, so that it
 * takes as much as has been touched.
 */
struct uvm *uvm_copy(struct uvm *vm);
/* One that has it has it no longer; NULL is none. The last one gives back its pages. */
void uvm_put(struct uvm *vm);

/* All of these return 0 or a negative errno. Addresses are page-aligned. */
int uvm_map(struct uvm *vm, uint64_t va, uint64_t len, unsigned int prot);
int uvm_unmap(struct uvm *vm, uint64_t va, uint64_t len);
int uvm_protect(struct uvm *vm, uint64_t va, uint64_t len, unsigned int prot);
int uvm_move(struct uvm *vm, uint64_t from, uint64_t len, uint64_t to);
bool uvm_is_free(const struct uvm *vm, uint64_t va, uint64_t len);
/* The next free range of @len bytes for mmap(); 0 if there is none. */
uint64_t uvm_find_free(struct uvm *vm, uint64_t len);
struct uvm_area *uvm_find(const struct uvm *vm, uint64_t va);

/*
 * Make the page at @va present for @access: -EFAULT if the program may not
 * touch it so, -ENOMEM if guest memory is used up.
 */
int uvm_fault(struct uvm *vm, uint64_t va, unsigned int access);
/* As uvm_fault(), for a debugger that writes what the program may not: the page is its own. */
int uvm_own(struct uvm *vm, uint64_t va);
/* The PTE of a present page, as the VHPT holds it; 0 if there is none. */
uint64_t uvm_pte(const struct uvm *vm, uint64_t va);
/* Address of the VHPT entry of @va, and the PTE that maps its page. */
uint64_t uvm_vhpt_addr(const struct uvm *vm, uint64_t va);
uint64_t uvm_vhpt_pte(const struct uvm *vm, uint64_t vhpt_va);

/* Host address of guest byte @va; *@len: bytes valid from there. */
void *uvm_ptr(struct uvm *vm, uint64_t va, unsigned int access, size_t *len);
int uvm_read(struct uvm *vm, void *to, uint64_t va, size_t len);
int uvm_write(struct uvm *vm, uint64_t va, const void *from, size_t len);
/* A string of at most @size - 1 bytes: its length, -EFAULT or -ENAMETOOLONG. */
long uvm_read_string(struct uvm *vm, char *to, uint64_t va, size_t size);

/* Have @vcpu use it: region registers and PTA, for the walker to find the VHPT. */
int uvm_activate(struct uvm *vm, unsigned int vcpu);

static inline uint64_t uvm_round(const struct uvm *vm, uint64_t v)
{
	return (v + vm->page_size - 1) & ~(vm->page_size - 1);
}

#endif
