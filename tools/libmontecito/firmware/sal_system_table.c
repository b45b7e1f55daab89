// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * SAL system table (Itanium Processor Family System Abstraction Layer
 * Specification, 3.2.7): where PAL and SAL are called and how an application
 * processor is woken.
 */
#include <string.h>

#include "firmware.h"

#define HEADER 96
#define ENTRY_POINT 0
#define ENTRY_POINT_SIZE 48
#define AP_WAKEUP 5
#define AP_WAKEUP_SIZE 16

void fw_sal_system_table(uint8_t *ram)
{
	uint8_t *t = ram + FW_SAL_SYSTAB, *e = t + HEADER;

	memcpy(t, "SST_", 4);
	put_le(t + 4, HEADER + ENTRY_POINT_SIZE + AP_WAKEUP_SIZE, 4);
	/* Revision 3.20, in BCD, of the specification and of SAL_A and SAL_B. */
	put_le(t + 8, 0x0320, 2);
	put_le(t + 10, 2, 2); /* entries */
	put_le(t + 20, 0x0320, 2);
	put_le(t + 22, 0x0320, 2);
	memcpy(t + 24, "montecito", 10);
	memcpy(t + 56, "montecito", 10);

	e[0] = ENTRY_POINT;
	put_le(e + 8, FW_PAL_PROC, 8);
	put_le(e + 16, fw_stub(FIRMWARE_SAL_PROC), 8);
	put_le(e + 24, FW_DATA, 8); /* gp: the stubs have no data */
	e += ENTRY_POINT_SIZE;
	e[0] = AP_WAKEUP;
	e[1] = 0; /* by an external interrupt */
	put_le(e + 8, FIRMWARE_WAKE_VECTOR, 8);

	t[12] = 0;
	t[12] = fw_checksum(t, get_le(t + 4, 4));
}
