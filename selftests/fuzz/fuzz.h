/* SPDX-License-Identifier: GPL-2.0-only */
/* Interfaces between the parts of the fuzzer. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "package/package.h"
#include "exec/thread.h"
#include "isa/insns.h"
#include "memory/mem.h"
#include "platform/map.h"
#include "pmu/event.h"
#include "pmu/observer.h"

/* splitmix64: a generator for each purpose, so that none moves another. */
struct rng {
	u64 s;
};

static inline u64 rnd(struct rng *r)
{
	u64 z = r->s += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static inline u64 below(struct rng *r, u64 n)
{
	return rnd(r) % n;
}

static inline bool one_in(struct rng *r, u64 n)
{
	return !below(r, n);
}

/* A number that is small, sparse, an edge or anything. */
u64 value(struct rng *r);

/*
 * Guest memory: interruption vectors, code, then data. Virtual code and data
 * are the same bytes in regions 1 and 3; region 7 is all of memory.
 */
#define IVT_BASE 0x8000ULL
#define IVT_SIZE 0x8000ULL
#define CODE_BASE 0x10000ULL
#define CODE_SIZE 0x20000ULL
#define DATA_BASE 0x40000ULL
#define VA_CODE (1ULL << 61)
#define VA_DATA (3ULL << 61)
#define VA_ALL (7ULL << 61)

/* Bytes that the host serves, right behind memory. */
#define MMIO_SIZE 0x10000ULL

/* Fill @ram, @size bytes, with vectors, code and data. */
void image_make(struct rng *r, u8 *ram, u64 size);
/* A random bundle. */
void bundle_make(struct rng *r, u64 raw[2]);
/* Rows of the encoding table that a slot of the unit can hold. */
void image_init(void);

/* An address that is likely to mean something; @size is that of memory. */
u64 address(struct rng *r, u64 size);
u64 code_address(struct rng *r);
/* A PSR: any, or one that lets code run. */
u64 random_psr(struct rng *r);

/* A PTE for some page of memory, and a page size that exists. */
u64 random_pte(struct rng *r, u64 size);
u32 page_size(struct rng *r);

#endif
