/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Physical memory: the regions that the host has given. Called by references
 * (access.c, mmio.c), memory operations, fetches, the page walker, PAL and
 * package.c.
 */
#ifndef MONT_MEMORY_PHYS_H
#define MONT_MEMORY_PHYS_H

#include "../package/package.h"

/*
 * Take over the host's regions: 0, or MONT_EINVAL for one that is malformed or overlaps, or if
 * they do not add up to the memory of the package.
 */
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

#endif
