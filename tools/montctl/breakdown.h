/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the cycles of a timed machine went, for montctl stat. Called by stat, its parts and the
 * other commands that show where cycles went.
 */
#ifndef MONTCTL_BREAKDOWN_H
#define MONTCTL_BREAKDOWN_H

#include <stdint.h>
#include <stdio.h>

#include "libmontecito.h"

struct json_object;

#define NR_BARS (MONTECITO_BAR_SWITCHING + 1)

/**
 * struct breakdown - cycles of one vcpu or more, by what they were spent on
 * @sum: its sums
 * @cause: those without an instruction, by reason
 * @bar: cycles by MONTECITO_BAR_*
 */
struct breakdown {
	struct montecito_cycles sum;
	struct montecito_cause *cause;
	uint64_t bar[NR_BARS];
};

/* Read it, of all vcpus: 0, or an error of the machine. */
int breakdown_read(struct breakdown *b, struct montecito *m);
int breakdown_read_vcpu(struct breakdown *b, struct montecito *m, unsigned int vcpu);
/* Add @other's cycles to @b, which is none or of the same machine. 0 or -ENOMEM. */
int breakdown_add(struct breakdown *b, const struct breakdown *other);
/* As breakdown_read(), over netlink: of a vcpu that another process may have. */
int breakdown_read_nl(struct breakdown *b, struct montecito_nl *nl, uint32_t machine,
		      uint32_t vcpu);
/* Only what came behind @base, which was read before. */
void breakdown_since(struct breakdown *b, const struct breakdown *base);
void breakdown_free(struct breakdown *b);
/* Names of bar MONTECITO_BAR_* in JSON, and in a text. */
const char *breakdown_name(uint32_t bar);
const char *breakdown_title(uint32_t bar);
struct json_object *breakdown_json(const struct breakdown *b);
void breakdown_text(const struct breakdown *b, FILE *f);
/* Print that of one vcpu, which was in the background for @behind cycles more. */
void breakdown_text_vcpu(const struct breakdown *b, unsigned int vcpu, uint64_t behind, FILE *f);

#endif
