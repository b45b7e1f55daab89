/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The address space of a user-mode program: areas, pages and the short-format
 * VHPT in guest memory that the model's walker reads (Itanium SDM volume 2,
 * 4.1.5 and 4.1.6; laid out as Linux/ia64 does).
 */
#ifndef LIBMONTECITO_UVM_H
#define LIBMONTECITO_UVM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct montecito;

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

struct uvm {
	struct montecito *m;
	uint8_t *ram;
	uint64_t ram_size;
	unsigned int shift; /* log2 of the page size */
	uint64_t page_size;
	uint64_t next_va; /* where mmap() looks for a free range first */
	uint64_t next_pa; /* behind it nothing has been handed out yet */
	uint64_t *free_pa;
	size_t nr_free;
	size_t cap_free;
	struct uvm_area *area; /* sorted, disjoint */
	size_t nr_areas;
	size_t cap_areas;
	uint64_t *vhpt_va; /* open-addressed: VHPT page -> physical page */
	uint64_t *vhpt_pa;
	size_t nr_vhpt;
	size_t cap_vhpt;
};

int uvm_init(struct uvm *vm, struct montecito *m, unsigned int page_shift);
void uvm_free(struct uvm *vm);

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

/* Load the region registers and PTA so that the walker finds the VHPT. */
int uvm_activate(struct uvm *vm, unsigned int vcpu);

static inline uint64_t uvm_round(const struct uvm *vm, uint64_t v)
{
	return (v + vm->page_size - 1) & ~(vm->page_size - 1);
}

#endif
