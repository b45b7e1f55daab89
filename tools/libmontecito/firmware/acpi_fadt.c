// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Fixed ACPI Description Table and FACS (ACPI 2.0c, 5.2.8 and 5.2.9: revision 3
 * of the table): the fixed registers are those of devices/acpi_pm.c.
 */
#include <string.h>

#include "firmware.h"

#define FADT_LENGTH 244
#define FADT_REVISION 3
#define FACS_LENGTH 64

#define PROFILE_ENTERPRISE_SERVER 4

/* Flags: no power or sleep button; the reset register is there. */
#define FADT_WBINVD (1 << 0)
#define FADT_POWER_BUTTON (1 << 4)
#define FADT_SLEEP_BUTTON (1 << 5)
#define FADT_RESET_REGISTER (1 << 10)

void fw_acpi_fadt(uint8_t *ram)
{
	uint8_t *t = ram + FW_ACPI_FADT, *f = ram + FW_ACPI_FACS;

	fw_acpi_header(t, "FACP", FADT_LENGTH, FADT_REVISION);
	put_le(t + 36, FW_ACPI_FACS, 4);
	put_le(t + 40, FW_ACPI_DSDT, 4);
	t[45] = PROFILE_ENTERPRISE_SERVER;
	put_le(t + 46, SCI_GSI, 2);
	/* 48: no SMI command port: the registers are ACPI's already */
	put_le(t + 56, PM1A_EVENT_PORT, 4);
	put_le(t + 64, PM1A_CONTROL_PORT, 4);
	t[88] = PM1A_EVENT_LENGTH;
	t[89] = PM1A_CONTROL_LENGTH;
	/* 96, 98: C2 and C3 are not there */
	put_le(t + 96, 0xffff, 2);
	put_le(t + 98, 0xffff, 2);
	put_le(t + 112, FADT_WBINVD | FADT_POWER_BUTTON | FADT_SLEEP_BUTTON | FADT_RESET_REGISTER,
	       4);
	fw_acpi_gas(t + 116, GAS_IO, 8, RESET_PORT);
	t[128] = RESET_VALUE;
	put_le(t + 132, FW_ACPI_FACS, 8);
	put_le(t + 140, FW_ACPI_DSDT, 8);
	fw_acpi_gas(t + 148, GAS_IO, 8 * PM1A_EVENT_LENGTH, PM1A_EVENT_PORT);
	fw_acpi_gas(t + 172, GAS_IO, 8 * PM1A_CONTROL_LENGTH, PM1A_CONTROL_PORT);
	fw_acpi_seal(t);

	memcpy(f, "FACS", 4);
	put_le(f + 4, FACS_LENGTH, 4);
	f[32] = 1; /* version */
}
