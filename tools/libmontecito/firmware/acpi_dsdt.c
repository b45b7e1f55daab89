// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Differentiated System Description Table (ACPI 3.0, 5.2.11.1; chapter 17 for
 * AML and 6.4 for resources): the sleep type of soft-off and the console's
 * UART. As ASL:
 *
 *	Name (\_S5, Package () { 5, 5, 0, 0 })
 *	Device (\_SB.COM0) {
 *		Name (_HID, EisaId ("PNP0501"))
 *		Name (_UID, Zero)
 *		Name (_CRS, ResourceTemplate () {
 *			Memory32Fixed (ReadWrite, UART_BASE, UART_SPAN)
 *			Interrupt (ResourceConsumer, Level, ActiveHigh, Exclusive) { UART_GSI }
 *		})
 *	}
 */
#include <string.h>

#include "firmware.h"

#define HEADER 36
#define REVISION 2

/* AML encodings (ACPI 3.0, 19.2). */
#define AML_ZERO 0x00
#define AML_NAME 0x08
#define AML_BYTE 0x0a
#define AML_DWORD 0x0c
#define AML_SCOPE 0x10
#define AML_BUFFER 0x11
#define AML_PACKAGE 0x12
#define AML_EXT 0x5b
#define AML_EXT_DEVICE 0x82

/* Resource descriptors. */
#define RES_MEMORY32_FIXED 0x86
#define RES_INTERRUPT 0x89
#define RES_INTERRUPT_CONSUMER 0x01 /* level, active high, exclusive: zeros */
#define RES_END 0x79

/* AML is written from its end: a package begins with its own length. */
struct aml {
	uint8_t byte[256];
	size_t start;
};

static void acpi_dsdt_prepend(struct aml *a, const void *p, size_t len)
{
	a->start -= len;
	memcpy(a->byte + a->start, p, len);
}

static void acpi_dsdt_prepend_le(struct aml *a, uint64_t v, unsigned int len)
{
	a->start -= len;
	put_le(a->byte + a->start, v, len);
}

static void acpi_dsdt_prepend_byte(struct aml *a, uint8_t v)
{
	acpi_dsdt_prepend(a, &v, 1);
}

/* The length of what was written since @end, itself included: two bytes. */
static void acpi_dsdt_prepend_length(struct aml *a, size_t end)
{
	size_t len = end - a->start + 2;

	acpi_dsdt_prepend_byte(a, len >> 4);
	acpi_dsdt_prepend_byte(a, 0x40 | (len & 15));
}

static void acpi_dsdt_prepend_name(struct aml *a, const char *name)
{
	acpi_dsdt_prepend(a, name, strlen(name));
	acpi_dsdt_prepend_byte(a, AML_NAME);
}

/* EISA ids: three letters of 5 bits and four hexadecimal digits, big-endian. */
static uint32_t acpi_dsdt_eisa_id(const char *id, unsigned int product)
{
	uint32_t v = (uint32_t)(id[0] - 0x40) << 26 | (id[1] - 0x40) << 21 | (id[2] - 0x40) << 16 |
		     product;

	return __builtin_bswap32(v);
}

static void acpi_dsdt_soft_off(struct aml *a)
{
	size_t end = a->start;

	acpi_dsdt_prepend_byte(a, AML_ZERO);
	acpi_dsdt_prepend_byte(a, AML_ZERO);
	acpi_dsdt_prepend_byte(a, SLP_TYP_S5);
	acpi_dsdt_prepend_byte(a, AML_BYTE);
	acpi_dsdt_prepend_byte(a, SLP_TYP_S5);
	acpi_dsdt_prepend_byte(a, AML_BYTE);
	acpi_dsdt_prepend_byte(a, 4);
	acpi_dsdt_prepend_length(a, end);
	acpi_dsdt_prepend_byte(a, AML_PACKAGE);
	acpi_dsdt_prepend_name(a, "\\_S5_");
}

static void acpi_dsdt_resources(struct aml *a)
{
	size_t end = a->start, len;

	acpi_dsdt_prepend_byte(a, 0); /* checksum: not used */
	acpi_dsdt_prepend_byte(a, RES_END);
	acpi_dsdt_prepend_le(a, UART_GSI, 4);
	acpi_dsdt_prepend_byte(a, 1);
	acpi_dsdt_prepend_byte(a, RES_INTERRUPT_CONSUMER);
	acpi_dsdt_prepend_le(a, 6, 2);
	acpi_dsdt_prepend_byte(a, RES_INTERRUPT);
	acpi_dsdt_prepend_le(a, UART_SPAN, 4);
	acpi_dsdt_prepend_le(a, UART_BASE, 4);
	acpi_dsdt_prepend_byte(a, 1); /* read and write */
	acpi_dsdt_prepend_le(a, 9, 2);
	acpi_dsdt_prepend_byte(a, RES_MEMORY32_FIXED);
	len = end - a->start;
	acpi_dsdt_prepend_byte(a, len);
	acpi_dsdt_prepend_byte(a, AML_BYTE);
	acpi_dsdt_prepend_length(a, end);
	acpi_dsdt_prepend_byte(a, AML_BUFFER);
	acpi_dsdt_prepend_name(a, "_CRS");
}

static void acpi_dsdt_uart(struct aml *a)
{
	size_t end = a->start;

	acpi_dsdt_resources(a);
	acpi_dsdt_prepend_byte(a, AML_ZERO);
	acpi_dsdt_prepend_name(a, "_UID");
	acpi_dsdt_prepend_le(a, acpi_dsdt_eisa_id("PNP", 0x0501), 4);
	acpi_dsdt_prepend_byte(a, AML_DWORD);
	acpi_dsdt_prepend_name(a, "_HID");
	acpi_dsdt_prepend(a, "COM0", 4);
	acpi_dsdt_prepend_length(a, end);
	acpi_dsdt_prepend_byte(a, AML_EXT_DEVICE);
	acpi_dsdt_prepend_byte(a, AML_EXT);
	acpi_dsdt_prepend(a, "\\_SB_", 5);
	acpi_dsdt_prepend_length(a, end);
	acpi_dsdt_prepend_byte(a, AML_SCOPE);
}

void fw_acpi_dsdt(uint8_t *ram)
{
	struct aml a = { .start = sizeof(a.byte) };
	uint8_t *t = ram + FW_ACPI_DSDT;
	size_t len;

	acpi_dsdt_uart(&a);
	acpi_dsdt_soft_off(&a);
	len = sizeof(a.byte) - a.start;
	fw_acpi_header(t, "DSDT", HEADER + len, REVISION);
	memcpy(t + HEADER, a.byte + a.start, len);
	fw_acpi_seal(t);
}
