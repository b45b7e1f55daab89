// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * EFI system table and its configuration tables (Extensible Firmware Interface
 * Specification 1.10, 4.3 to 4.6).
 */
#include <string.h>

#include "firmware.h"

#define SIGNATURE 0x5453595320494249ULL /* "IBI SYST" */
#define REVISION 0x1000a /* 1.10 */
#define HEADER_SIZE 120

struct config_table {
	uint8_t guid[16];
	uint64_t table;
};

static const struct config_table config[] = {
	/* ACPI 2.0: 8868e871-e4f1-11d3-bc22-0080c73c8881 */
	{ { 0x71, 0xe8, 0x68, 0x88, 0xf1, 0xe4, 0xd3, 0x11, 0xbc, 0x22, 0x00, 0x80, 0xc7, 0x3c,
	    0x88, 0x81 },
	  FW_ACPI_RSDP },
	/* SAL system table: eb9d2d32-2d88-11d3-9a16-0090273fc14d */
	{ { 0x32, 0x2d, 0x9d, 0xeb, 0x88, 0x2d, 0xd3, 0x11, 0x9a, 0x16, 0x00, 0x90, 0x27, 0x3f,
	    0xc1, 0x4d },
	  FW_SAL_SYSTAB },
	/* HCDP: f951938d-620b-42ef-8279-a84b79617898 */
	{ { 0x8d, 0x93, 0x51, 0xf9, 0x0b, 0x62, 0xef, 0x42, 0x82, 0x79, 0xa8, 0x4b, 0x79, 0x61,
	    0x78, 0x98 },
	  FW_HCDP },
};

#define NR_CONFIG (sizeof(config) / sizeof(config[0]))

/* CRC-32 of a table header (EFI 4.2): the polynomial of IEEE 802.3. */
static uint32_t efi_system_table_crc32(const uint8_t *p, size_t len)
{
	uint32_t crc = ~0U;
	unsigned int bit;

	while (len--) {
		crc ^= *p++;
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc;
}

void fw_efi_header(uint8_t *table, uint64_t signature, uint32_t size)
{
	put_le(table, signature, 8);
	put_le(table + 8, REVISION, 4);
	put_le(table + 12, size, 4);
	put_le(table + 16, 0, 4);
	put_le(table + 16, efi_system_table_crc32(table, size), 4);
}

void fw_efi_system_table(uint8_t *ram)
{
	static const char vendor[] = "montecito";
	uint8_t *t = ram + FW_EFI_SYSTAB;
	size_t i;

	for (i = 0; i < sizeof(vendor); i++)
		put_le(ram + FW_EFI_VENDOR + 2 * i, vendor[i], 2);
	for (i = 0; i < NR_CONFIG; i++) {
		uint8_t *c = ram + FW_EFI_CONFIG + 24 * i;

		memcpy(c, config[i].guid, 16);
		put_le(c + 16, config[i].table, 8);
	}
	put_le(t + 24, FW_EFI_VENDOR, 8);
	put_le(t + 32, REVISION, 4);
	/* 40 to 87: the consoles, which end with the boot services */
	put_le(t + 88, FW_EFI_RUNTIME, 8);
	put_le(t + 96, FW_EFI_BOOT, 8);
	put_le(t + 104, NR_CONFIG, 8);
	put_le(t + 112, FW_EFI_CONFIG, 8);
	fw_efi_header(t, SIGNATURE, HEADER_SIZE);
}
