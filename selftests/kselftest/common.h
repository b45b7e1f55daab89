/* SPDX-License-Identifier: GPL-2.0-only */
/* TAP, and the few calls that every test needs. */
#ifndef COMMON_H
#define COMMON_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <linux/montecito.h>
#include <linux/montecito_events.h>

#include "guest.h"

#define MEMORY (4ULL << 20)

/* PMC4-15 fields */
#define PMC_PLM_ALL MONTECITO_PMC_PLM
#define PMC_OI MONTECITO_PMC_OI
#define PMC_ES(code) ((uint64_t)(code) << MONTECITO_PMC_ES_SHIFT)
#define EVENT_INST_RETIRED MONTECITO_EVENT_IA64_INST_RETIRED
#define EVENT_CPU_OP_CYCLES MONTECITO_EVENT_CODE(MONTECITO_EVENT_CPU_OP_CYCLES_ALL)
#define EVENT_DATA_EAR MONTECITO_EVENT_CODE(MONTECITO_EVENT_DATA_EAR_EVENTS)
#define EVENT_INSN_EAR MONTECITO_EVENT_CODE(MONTECITO_EVENT_L1I_EAR_EVENTS)
#define EVENT_ETB MONTECITO_EVENT_CODE(MONTECITO_EVENT_ETB_EVENT)
#define PMD_OVERFLOW (1ULL << 47)
#define PSR_UP MONTECITO_PSR_UP
#define PSR_IC MONTECITO_PSR_IC

/*
 * ---- TAP ----
 * For programs whose main() goes through its checks one after the other and
 * returns done(). Those with kselftest_harness.h use its EXPECT_* instead;
 * bail() fails their test.
 */
void ok(bool pass, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* @have is a result of an ioctl or the like: a negative errno or not. */
void is(long have, long want, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void eq(uint64_t have, uint64_t want, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void diag(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void bail(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));
/* Print the plan; the exit status of the test. */
int done(void);

/* Number in the environment's variable @name, or @otherwise. */
uint64_t number_of(const char *name, uint64_t otherwise);

/* ---- montecito ---- */
/* ioctl(), with a negative errno for an error. */
long call(int fd, unsigned long cmd, void *arg);
int open_device(void);
/* CREATE with one region of @memory bytes at 0. */
long create(int dev, uint32_t cores, uint32_t threads, uint32_t config, uint64_t memory);
/* A machine with the guest programs loaded; bails out on failure. */
int machine(uint32_t cores, uint32_t threads, uint32_t config);
int timed_machine(uint32_t config);
int vcpu(int machine, uint32_t index);
uint64_t get(int vcpu, uint32_t cls, uint32_t index);
long set(int vcpu, uint32_t cls, uint32_t index, uint64_t value);
/* RUN; the structure's outs in *r when @r is not NULL. */
long run(int machine, uint64_t insns, uint64_t cycles, struct montecito_run *r);
uint64_t hash(int machine);
/* Let it start at @ip. */
void start(int vcpu, uint64_t ip);
long observer(int vcpu, uint32_t code, uint64_t period, uint32_t *id);
uint64_t observed(int vcpu, uint32_t id);
uint32_t machine_id(int machine);

/* ---- memory ---- */
/*
 * A page, at @at unless that is NULL, whose first touch waits for as long as this process
 * lives; bails out on failure.
 */
void *blocking_page(void *at);

/* ---- time ---- */
double now(void);
/*
 * Seconds within which something has to happen that need not wait at all: one, as
 * promised, where code runs at a processor's own speed; in proportion more where a
 * plain loop takes longer than it does there, under an emulator or beside other work,
 * and where some slices of a plain guest take longer than that: a kernel with checks
 * under an emulator is still several times as slow as its user code.
 */
double promptly(void);
/*
 * PATIENCE times as long: within this a test sees that it does happen. What is held up is so for as
 * long as the test holds it up; a busy host takes the processor away for a second or two.
 */
#define PATIENCE 5
double patience(void);
/* Seconds as of promptly(), where an instruction of GUEST_SPIN without time takes @insn seconds. */
double promptly_at(double insn);

#endif
