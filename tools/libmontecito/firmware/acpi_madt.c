// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Multiple APIC Description Table (ACPI 3.0, 5.2.11): the processors and the
 * I/O SAPIC. Interrupts of the global system interrupt space are its inputs.
 */
#include "firmware.h"

#define HEADER 36
#define REVISION 2
#define IO_SAPIC 6
#define IO_SAPIC_LENGTH 16
#define LOCAL_SAPIC 7
#define LOCAL_SAPIC_LENGTH 20 /* an empty name, filled up to a word */
#define LOCAL_SAPIC_ENABLED 1

void fw_acpi_madt(uint8_t *ram, unsigned int nr_vcpus)
{
	uint8_t *t = ram + FW_ACPI_MADT, *e = t + HEADER + 8;
	unsigned int i;

	fw_acpi_header(t, "APIC", HEADER + 8 + IO_SAPIC_LENGTH + nr_vcpus * LOCAL_SAPIC_LENGTH,
		       REVISION);
	put_le(t + HEADER, FW_INTERRUPT_BLOCK, 4);
	put_le(t + HEADER + 4, 0, 4); /* no 8259s */
	for (i = 0; i < nr_vcpus; i++, e += LOCAL_SAPIC_LENGTH) {
		e[0] = LOCAL_SAPIC;
		e[1] = LOCAL_SAPIC_LENGTH;
		e[2] = i; /* ACPI processor id */
		e[3] = i; /* id and eid, as in CR.LID */
		e[4] = 0;
		put_le(e + 8, LOCAL_SAPIC_ENABLED, 4);
		put_le(e + 12, i, 4); /* unique id */
	}
	e[0] = IO_SAPIC;
	e[1] = IO_SAPIC_LENGTH;
	e[2] = nr_vcpus; /* its id */
	put_le(e + 4, 0, 4); /* first interrupt */
	put_le(e + 8, IOSAPIC_BASE, 8);
	fw_acpi_seal(t);
}
