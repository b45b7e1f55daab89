// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The roots of the ACPI tables (Advanced Configuration and Power Interface
 * Specification 3.0, 5.2.5 to 5.2.8): RSDP and XSDT, and what all tables share.
 */
#include <string.h>

#include "firmware.h"

#define RSDP_LENGTH_1 20 /* what version 1.0 sums up */
#define RSDP_LENGTH 36
#define HEADER 36

uint8_t fw_checksum(const void *p, size_t len)
{
	const uint8_t *b = p;
	uint8_t sum = 0;

	while (len--)
		sum -= *b++;
	return sum;
}

void fw_acpi_header(uint8_t *table, const char *signature, uint32_t length, uint8_t revision)
{
	memcpy(table, signature, 4);
	put_le(table + 4, length, 4);
	table[8] = revision;
	table[9] = 0;
	memcpy(table + 10, "MONTEC", 6);
	memcpy(table + 16, "MONTECIT", 8);
	put_le(table + 24, 1, 4);
	memcpy(table + 28, "MONT", 4);
	put_le(table + 32, 1, 4);
}

void fw_acpi_seal(uint8_t *table)
{
	table[9] = 0;
	table[9] = fw_checksum(table, get_le(table + 4, 4));
}

void fw_acpi_gas(uint8_t *p, uint8_t space, uint8_t bits, uint64_t address)
{
	p[0] = space;
	p[1] = bits;
	p[2] = 0; /* offset */
	p[3] = bits == 8 ? 1 : bits == 16 ? 2 : 3; /* width of an access */
	put_le(p + 4, address, 8);
}

void fw_acpi_root(uint8_t *ram)
{
	static const uint64_t tables[] = { FW_ACPI_FADT, FW_ACPI_MADT, FW_ACPI_SPCR };
	size_t n = sizeof(tables) / sizeof(tables[0]), i;
	uint8_t *r = ram + FW_ACPI_RSDP, *x = ram + FW_ACPI_XSDT;

	memcpy(r, "RSD PTR ", 8);
	memcpy(r + 9, "MONTEC", 6);
	r[15] = 2; /* revision */
	put_le(r + 20, RSDP_LENGTH, 4);
	put_le(r + 24, FW_ACPI_XSDT, 8);
	r[8] = fw_checksum(r, RSDP_LENGTH_1);
	r[32] = fw_checksum(r, RSDP_LENGTH);

	fw_acpi_header(x, "XSDT", HEADER + 8 * n, 1);
	for (i = 0; i < n; i++)
		put_le(x + HEADER + 8 * i, tables[i], 8);
	fw_acpi_seal(x);
}
