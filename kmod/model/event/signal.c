// SPDX-License-Identifier: GPL-2.0-only
/*
 * Facts of a signal that the rows of signal.def hold.
 */
#include "signal.h"

enum mont_signal_attr mont_signal_kind(enum mont_signal sig)
{
	static const u8 kind[] = {
#define MONT_SIGNAL(name, attr, meaning) MONT_ATTR_##attr,
#include "signal.def"
#undef MONT_SIGNAL
	};

	return kind[sig];
}

bool mont_signal_ranged(enum mont_signal sig)
{
	enum mont_signal_attr kind = mont_signal_kind(sig);

	return kind == MONT_ATTR_DATA || kind == MONT_ATTR_FETCH || kind == MONT_ATTR_INSN;
}
