/* SPDX-License-Identifier: GPL-2.0-only */
/* ProfileMe as test_profileme.c and test_traptypes.c use it: each PMU chooses one instruction. */
#ifndef SELFTESTS_MACHINE_PROFILE_H
#define SELFTESTS_MACHINE_PROFILE_H

#include "tap.h"

#define FIRST 16 /* the first that PCTR0 can choose */
#define PMUS 8
#define PERIOD (1ULL << 20)

#define PMPC 0
#define I_STAT 1
#define PCTR_CTL 2

#define PCTR_CTL_VAL (1ULL << 1)
#define PCTR_CTL_TAK 1ULL
#define PCTR_CTL_KILLED (1ULL << 26)
#define PCTR_CTL_STALLED (1ULL << 27)
#define I_STAT_MIS (1ULL << 40)
#define I_STAT_TRP (1ULL << 39)
#define I_STAT_ICM (1ULL << 33)

struct sample {
	uint64_t value[3];
	uint64_t ip;
	uint32_t slot;
	uint32_t records;
};

static char why[128];

/* Take the records of ProfileMe that are in the ring; @other may look at those of other kinds. */
static inline void profile_drain(struct montecito *m, struct sample *sample, const uint32_t *id,
				 void (*other)(const struct montecito_record_header *h))
{
	static uint64_t buf[32768];
	int n, i, p;

	while ((n = montecito_ring_read(m, 0, buf, sizeof(buf))) > 0)
		for (i = 0; i < n / 8;) {
			const struct montecito_record_header *h = (const void *)&buf[i];
			const struct montecito_record_pmu *r = (const void *)h;

			if (other)
				other(h);
			for (p = 0; p < PMUS && h->type == MONTECITO_RECORD_PMU; p++) {
				if (id[p] != r->id || r->cause != MONTECITO_PMU_CAUSE_WINDOW)
					continue;
				memcpy(sample[p].value, r->value, sizeof(sample[p].value));
				sample[p].ip = r->ip;
				sample[p].slot = r->slot;
				sample[p].records++;
			}
			i += h->size / 8;
		}
}

/* ProfileMe with @sl1, which chooses instruction @number, from 1 on. */
static inline uint32_t profile_add(struct montecito *m, uint64_t sl1, uint64_t number)
{
	struct montecito_pmu_add a = { .flags = MONTECITO_PMU_SAMPLE, .kind = MONTECITO_PMU_EV68A };
	struct montecito_pmu_reg reg[] = {
		{ MONTECITO_PMU_REG_IPR, 0x0b, 3ULL << 29 },
		{ MONTECITO_PMU_REG_IPR, 0x14, (PERIOD - number) << 28 | 0x10 | sl1 << 2 },
		{ MONTECITO_PMU_REG_IPR, 0x11, 0xc0001 },
	};
	int id = montecito_pmu_add(m, 0, &a), ret;

	if (id < 0)
		die(id, "%s", a.why);
	ret = montecito_pmu_set(m, 0, id, reg, 3, why);
	if (ret < 0)
		die(ret, "registers: %s", why);
	return id;
}

#endif
