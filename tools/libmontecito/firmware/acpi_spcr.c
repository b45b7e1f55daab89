// SPDX-License-Identifier: LGPL-2.1-or-later
/* Serial Port Console Redirection table (Microsoft, version 1.00): the UART. */
#include "firmware.h"

#define LENGTH 80
#define REVISION 1
#define TYPE_16550 0
#define INTERRUPT_IO_SAPIC 4
#define BAUD_115200 7
#define TERMINAL_ANSI 3

void fw_acpi_spcr(uint8_t *ram)
{
	uint8_t *t = ram + FW_ACPI_SPCR;

	fw_acpi_header(t, "SPCR", LENGTH, REVISION);
	t[36] = TYPE_16550;
	fw_acpi_gas(t + 40, GAS_MEMORY, 8, UART_BASE);
	t[52] = INTERRUPT_IO_SAPIC;
	put_le(t + 54, UART_GSI, 4);
	t[58] = BAUD_115200;
	t[59] = 0; /* parity: none */
	t[60] = 1; /* stop bits */
	t[61] = 0; /* flow control: none */
	t[62] = TERMINAL_ANSI;
	put_le(t + 64, 0xffff, 2); /* no PCI device and vendor */
	put_le(t + 66, 0xffff, 2);
	fw_acpi_seal(t);
}
