/* SPDX-License-Identifier: GPL-2.0-only */
/* Guests that want to keep the CPU, and their callers (hostile.S, hostile.c). */
#ifndef HOSTILE_H
#define HOSTILE_H

/* The name of the nth, or NULL. */
const char *hostile_name(unsigned int n);
/* A machine of that one, with its observers, ready to run. Its files stay open. */
int hostile_machine(const char *name);

#endif
