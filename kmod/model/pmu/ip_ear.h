/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The IP-EAR (manual 3.3.10.2): while PMC42 selects it, the registers of the trace buffer
 * hold the addresses of instructions that retire, and the cycles between them. Called by
 * counter.c, arm.c, observer.c, observer_watch.c and registers.c.
 */
#ifndef MONT_PMU_IP_EAR_H
#define MONT_PMU_IP_EAR_H

#include "../base/types.h"

struct mont_etb_buffer;
struct mont_occurrence;
struct mont_thread;

/* True if PMC42 of @t leaves the registers to the trace buffer. */
bool mont_ip_ear_off(const struct mont_thread *t);

/* Return: true if PMC42 asks for what @t cannot do: time, or a mode that is reserved. */
bool mont_ip_ear_stands(const struct mont_thread *t);

/* PMC42 of @t has been written, which had @before. */
void mont_ip_ear_written(struct mont_thread *t, u64 before);

/* PMC0.fr of @t, which was @frozen, has been written or set: the delay begins, or is over. */
void mont_ip_ear_freeze(struct mont_thread *t, bool frozen);

/* Let it listen, if it may; where it may not any more during the delay, that is an entry. */
void mont_ip_ear_arm(struct mont_thread *t);

/* Take @o, an occurrence of a signal that it listens to. */
void mont_ip_ear_look(const struct mont_occurrence *o);

/* As mont_ip_ear_look(), for an observer's own. Return: the entries made, 0 or 1. */
u64 mont_ip_ear_observe(struct mont_etb_buffer *b, const struct mont_occurrence *o);

/* PMD38, 39 or 48-63 of an observer's own. */
u64 mont_ip_ear_read(const struct mont_etb_buffer *b, unsigned int n);

#endif
