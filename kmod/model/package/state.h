/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * Save, load and hash of a package. Called by hosts: a part of mont.h, which includes it.
 */
#ifndef MONT_PACKAGE_STATE_H
#define MONT_PACKAGE_STATE_H

#include "../base/types.h"

struct mont_config;
struct mont_package;

/*
 * State in and out. The blob is versioned, covers every vcpu but not guest
 * memory, and is the same on every host. mont_state_load() checks all of it
 * before it changes anything: MONT_EINVAL for a blob this package cannot hold.
 * A blob is 8-byte aligned. Its size follows from the configuration, which is
 * one that mont_package_size() takes: a host can reckon with it before it has the
 * package.
 */
size_t mont_config_state_size(const struct mont_config *cfg);
size_t mont_state_size(const struct mont_package *pkg);
void mont_state_save(struct mont_package *pkg, void *blob);
int mont_state_load(struct mont_package *pkg, const void *blob, size_t len);

/*
 * 64-bit hash of the state and of guest memory. Equal states have equal hashes.
 * Hashing a gigabyte of memory takes about a second: a host that must not hold
 * the CPU that long starts with mont_state_hash_vcpus() and feeds guest memory to
 * mont_hash() piece by piece, by rising address, which gives the hash of the whole.
 */
u64 mont_state_hash(struct mont_package *pkg);
u64 mont_state_hash_vcpus(struct mont_package *pkg);
/* @len is a multiple of 8. */
u64 mont_hash(u64 hash, const void *buf, size_t len);

#endif
