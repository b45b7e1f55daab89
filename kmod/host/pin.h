/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ranges of the caller's memory that stay where they are. Called by state.c.
 */
#ifndef MHOST_PIN_H
#define MHOST_PIN_H

#include "pages.h"

/**
 * struct mhost_pins - a range of the caller's memory that stays where it is
 * @account: who answers for it
 * @page: its pages
 * @nr: how many
 * @offset: of the range's first byte in the first of them
 * @write: it is written to
 */
struct mhost_pins {
	struct mhost_account account;
	struct page **page;
	unsigned long nr;
	unsigned long offset;
	bool write;
};

int mhost_pins_get(struct mhost_pins *p, u64 addr, u64 length, bool write);
void mhost_pins_put(struct mhost_pins *p);
void mhost_pins_write(const struct mhost_pins *p, u64 at, const void *from, u64 n);
void mhost_pins_read(const struct mhost_pins *p, u64 at, void *to, u64 n);

#endif
