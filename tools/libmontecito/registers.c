// SPDX-License-Identifier: LGPL-2.1-or-later
/* Fields of the PMU's registers by name (manual 3.3). */
#include <string.h>

#include "../../kmod/model/pmu/event.h"
#include "libmontecito.h"

#define PMC true
#define PMD false
#define RW true
#define SIGN true
#define KEPT true
#define IGNORED false

struct row {
	bool pmc;
	unsigned int first, last;
	bool shown;
	struct montecito_field field;
};

static const struct row rows[] = {
#define MONT_FIELD(class, first, last, name, high, low, access, text) \
	{ class, first, last, access, { name, high, low, text } },
#include "../../kmod/model/pmu/registers.def"
#undef MONT_FIELD
};

static const struct {
	bool pmc;
	unsigned int first, last;
} registers[] = {
#define MONT_PMC(first, last, write, reset, what) { PMC, first, last },
#define MONT_PMD(first, last, write, pmc, what) { PMD, first, last },
#include "../../kmod/model/pmu/registers.def"
};

const struct montecito_field *montecito_field_get(bool pmc, unsigned int reg, size_t index)
{
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].pmc == pmc && rows[i].shown && reg >= rows[i].first &&
		    reg <= rows[i].last && !index--)
			return &rows[i].field;
	return NULL;
}

uint64_t montecito_field_value(const struct montecito_field *f, uint64_t value)
{
	return value >> f->low & (~0ULL >> (63 - (f->high - f->low)));
}

int montecito_register_next(bool pmc, int after)
{
	int best = -1, next;
	size_t i;

	for (i = 0; i < sizeof(registers) / sizeof(registers[0]); i++) {
		if (registers[i].pmc != pmc || (int)registers[i].last <= after)
			continue;
		next = (int)registers[i].first > after ? (int)registers[i].first : after + 1;
		if (best < 0 || next < best)
			best = next;
	}
	return best;
}

const char *montecito_event_name(unsigned int code, unsigned int umask)
{
	unsigned int i;

	for (i = 0; i < MONT_NR_EVENTS; i++)
		if (mont_event_at(i)->code == code && mont_event_at(i)->umask == umask)
			return mont_event_at(i)->name;
	return NULL;
}
