// SPDX-License-Identifier: LGPL-2.1-or-later
/* Instructions as text. */
#include "../../kmod/model/isa/uop.h"
#include "libmontecito.h"
#include "sized.h"
#include "../../kmod/model/isa/decode.h"
#include "../../kmod/model/isa/disasm.h"

void montecito_disasm(char *buf, size_t len, uint64_t lo, uint64_t hi, unsigned int slot,
		      uint64_t ip)
{
	mont_disasm(buf, len, lo, hi, slot, ip);
}

static char disasm_unit_letter(unsigned int tmpl, unsigned int slot)
{
	switch (mont_slot_unit(tmpl, slot)) {
	case MONT_UNIT_M:
		return 'M';
	case MONT_UNIT_I:
		return 'I';
	case MONT_UNIT_F:
		return 'F';
	case MONT_UNIT_B:
		return 'B';
	case MONT_UNIT_L:
		return 'L';
	case MONT_UNIT_X:
		return 'X';
	default:
		return '?';
	}
}

/* SDM volume 3, table 4-1: stops end a bundle, or stand in M;MI and MI;I. */
int montecito_bundle(struct montecito_bundle *b, uint64_t lo, uint64_t hi, uint64_t ip)
{
	struct montecito_bundle all = { 0 };
	unsigned int tmpl = lo & 0x1f, slot;

	for (slot = 0; slot < 3; slot++) {
		all.units[slot] = disasm_unit_letter(tmpl, slot);
		mont_disasm(all.text[slot], sizeof(all.text[slot]), lo, hi, slot, ip);
	}
	all.units[3] = '\0';
	all.stop[0] = (tmpl & ~1U) == 0x0a;
	all.stop[1] = (tmpl & ~1U) == 0x02;
	all.stop[2] = tmpl & 1;
	return SIZED_GIVE(b, &all, stop);
}
