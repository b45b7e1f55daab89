/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * The few types and helpers the model needs. The model is freestanding: the
 * same sources build into the module and into a userspace archive, so this is
 * the one place that knows which of the two it is. Included by every layer.
 */
#ifndef MONT_BASE_TYPES_H
#define MONT_BASE_TYPES_H

#ifdef __KERNEL__
#include <linux/types.h>
#include <linux/compiler.h>
#include <linux/stddef.h>
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#ifndef __always_inline
#define __always_inline inline __attribute__((__always_inline__))
#endif
#define noinline __attribute__((__noinline__))
#ifndef fallthrough
#define fallthrough __attribute__((__fallthrough__))
#endif
#endif

#define MONT_ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define MONT_BIT(n) (1ULL << (n))

/*
 * @index, which a bounds check has found below @nr; 0 where the processor goes on as if
 * it had while it is not (Spectre variant 1; Documentation/core-api/speculation in the
 * kernel's source). For whatever indexes an array that a guest or a caller chooses.
 */
static __always_inline u64 mont_nospec(u64 index, u64 nr)
{
	u64 hidden = index;

	/* The compiler is not to conclude the result from that check. */
	__asm__("" : "+r"(hidden));
	return index & (u64)(~(s64)(hidden | (nr - 1 - hidden)) >> 63);
}

/* Bits @lo..@lo+@len-1 of @v; @len is 1..63. */
static __always_inline u64 mont_bits(u64 v, unsigned int lo, unsigned int len)
{
	return (v >> lo) & (MONT_BIT(len) - 1);
}

/* The low @len bits of @v as a signed number; @len is 1..64. */
static __always_inline s64 mont_sext(u64 v, unsigned int len)
{
	return (s64)(v << (64 - len)) >> (64 - len);
}

#endif
