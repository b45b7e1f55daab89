// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Headless Console and Debug Port table, revision 3 (Primary Console and Debug
 * Port Devices, DIG64): the console that speaks from the first line on.
 */
#include "firmware.h"

#define HEADER 40
#define ENTRY 48
#define REVISION 3
#define TYPE_UART 0
#define FLAG_PRIMARY 0x04

void fw_hcdp(uint8_t *ram)
{
	uint8_t *t = ram + FW_HCDP, *e = t + HEADER;

	fw_acpi_header(t, "HCDP", HEADER + ENTRY, REVISION);
	put_le(t + 36, 1, 4); /* UARTs */
	e[0] = TYPE_UART;
	e[1] = 8; /* bits; no parity */
	e[2] = 0;
	e[3] = 1; /* stop bits */
	put_le(e + 8, FW_UART_BAUD, 8);
	fw_acpi_gas(e + 16, GAS_MEMORY, 8, UART_BASE);
	put_le(e + 32, UART_GSI, 4);
	put_le(e + 36, FW_UART_CLOCK, 4);
	e[41] = FLAG_PRIMARY;
	fw_acpi_seal(t);
}
