// SPDX-License-Identifier: GPL-2.0-only
/* Registers of other processors' PMUs by name, and their fields (pmu_registers.h). */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu_registers.h"

/* Skip the label of a piece, which ends with its last ": ". */
static const char *pmu_registers_behind_label(const char *text, size_t *len)
{
	size_t i;

	for (i = *len; i-- > 1;)
		if (text[i] == ' ' && text[i - 1] == ':') {
			*len -= i + 1;
			return text + i + 1;
		}
	return text;
}

/* Pieces between semicolons are those of one register after the other. */
static void pmu_registers_fields_of(const char *text, unsigned int n, char *buf, size_t room)
{
	const char *piece[4] = { text }, *at = text;
	unsigned int nr = 1;
	size_t len;

	while (nr < 4 && (at = strstr(at, "; "))) {
		at += 2;
		piece[nr++] = at;
	}
	text = piece[n % nr];
	len = n % nr + 1 < nr ? strcspn(text, ";") : strlen(text);
	snprintf(buf, room, "%.*s", (int)len, text);
}

/* "PMC4-7" is that of PMC4 to PMC7. */
static void pmu_registers_name_of(const struct montecito_pmu_describe *d, unsigned int n, char *buf,
				  size_t room)
{
	const char *dash = strrchr(d->name, '-');
	size_t len = dash ? (size_t)(dash - d->name) : strlen(d->name);
	unsigned int first;

	if (d->count < 2) {
		snprintf(buf, room, "%s", d->name);
		return;
	}
	while (len && isdigit((unsigned char)d->name[len - 1]))
		len--;
	first = strtoul(d->name + len, NULL, 10);
	snprintf(buf, room, "%.*s%u", (int)len, d->name, first + n);
}

bool pmu_register(pmu_describe *describe, void *arg, uint32_t kind, unsigned int index,
		  struct pmu_named *r)
{
	struct montecito_pmu_describe d = { .size = sizeof(d), .kind = kind };

	for (; !describe(arg, &d); d.index++) {
		if (index >= d.count) {
			index -= d.count;
			continue;
		}
		*r = (struct pmu_named){ .reg = { .cls = d.code, .index = d.umask + index } };
		/* Words of the debug store area are told one by one. */
		r->writable = d.likeness != MONTECITO_LIKE_NONE;
		pmu_registers_name_of(&d, index, r->name, sizeof(r->name));
		pmu_registers_fields_of(d.text, index, r->fields, sizeof(r->fields));
		return true;
	}
	return false;
}

bool pmu_field(const struct pmu_named *r, unsigned int index, struct pmu_field *f)
{
	const char *text = r->fields;

	for (; *text; text += strspn(text, ", ")) {
		size_t len = strcspn(text, ","), name = len;
		const char *at = pmu_registers_behind_label(text, &name);
		char *end;

		text += len;
		while (name && at[name - 1] != ' ')
			name--;
		if (!name || !isdigit((unsigned char)at[name]))
			continue;
		f->high = strtoul(at + name, &end, 10);
		f->low = *end == ':' ? strtoul(end + 1, &end, 10) : f->high;
		if (end != text || f->high > 63 || f->low > f->high || index--)
			continue;
		snprintf(f->name, sizeof(f->name), "%.*s", (int)name - 1, at);
		return true;
	}
	return false;
}

uint64_t pmu_field_value(const struct pmu_field *f, uint64_t value)
{
	return value >> f->low & (~0ULL >> (63 - (f->high - f->low)));
}

/* Code and unit mask that @value selects: false if the register selects nothing. */
static bool pmu_registers_selects(uint32_t kind, const struct pmu_named *r, uint64_t value,
				  uint32_t *code, uint32_t *umask)
{
	switch (kind) {
	case MONTECITO_PMU_MERCED:
		*code = value >> 8 & 0x7f;
		*umask = value >> 16 & 0xf;
		return r->reg.cls == MONTECITO_REG_PMC && r->reg.index >= 4 && r->reg.index <= 7;
	case MONTECITO_PMU_PEBS:
		*code = value & 0xff;
		*umask = value >> 8 & 0xff;
		return r->reg.cls == MONTECITO_PMU_REG_MSR &&
		       ((r->reg.index >= 0x186 && r->reg.index <= 0x189) ||
			(r->reg.index >= 0x3c0 && r->reg.index <= 0x3c1));
	default:
		*code = value >> 2 & 7;
		*umask = UINT32_MAX; /* one for each counter */
		return r->reg.cls == MONTECITO_PMU_REG_IPR && r->reg.index == 0x14;
	}
}

void pmu_selected(pmu_describe *describe, void *arg, uint32_t kind, const struct pmu_named *r,
		  uint64_t value, char *buf, size_t len)
{
	struct montecito_pmu_describe d = { .size = sizeof(d),
					    .flags = MONTECITO_PMU_EVENT,
					    .kind = kind };
	uint32_t code, umask;
	size_t at = 0;

	*buf = '\0';
	if (!value || !pmu_registers_selects(kind, r, value, &code, &umask))
		return;
	for (; at < len && !describe(arg, &d); d.index++)
		if (d.code == code && (umask == UINT32_MAX || d.umask == umask))
			at += snprintf(buf + at, len - at, "%s%s", at ? ", " : "", d.name);
}
