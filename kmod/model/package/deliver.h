/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interrupts, purges, snoops and lines that arrive at a core by the bus (inbox.h and arrival.h). Called
 * by turns.c, and by package.c where no time is kept any more.
 */
#ifndef MONT_PACKAGE_DELIVER_H
#define MONT_PACKAGE_DELIVER_H

#include "package.h"

/* Let core @core have what arrives there up to its cycle @now. */
void mont_inbox_deliver(struct mont_package *pkg, u32 core, u64 now);

/* Tell core @core of the lines that have come to its L2D before its cycle @now. */
void mont_arrivals_deliver(struct mont_package *pkg, u32 core, u64 now);

#endif
