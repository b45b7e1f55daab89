/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Firmware: tables in guest memory that say what the platform is, and services
 * that the guest calls through the stubs of stubs.S. One file each. Called by
 * firmware.c, and by each other for what tables share (acpi_root.c).
 */
#ifndef LIBMONTECITO_FIRMWARE_H
#define LIBMONTECITO_FIRMWARE_H

#include "../platform.h"
#include "services.h"

/*
 * Where it lies in guest memory, below the kernels that are linked at 64 MB and
 * within the first granule of 16 MB.
 */
#define FW_BASE 0x100000ULL
#define FW_CODE FW_BASE /* stubs */
#define FW_CODE_SIZE 0x10000ULL
#define FW_DATA 0x110000ULL /* EFI and SAL tables */
#define FW_EFI_SYSTAB (FW_DATA + 0x0000)
#define FW_EFI_CONFIG (FW_DATA + 0x0200)
#define FW_EFI_RUNTIME (FW_DATA + 0x0400)
#define FW_EFI_BOOT (FW_DATA + 0x0600)
#define FW_EFI_DESCRIPTORS (FW_DATA + 0x0800)
#define FW_EFI_VENDOR (FW_DATA + 0x0a00)
#define FW_SAL_SYSTAB (FW_DATA + 0x1000)
#define FW_STACKS (FW_DATA + 0x4000) /* for each processor's RSE, before the system's own */
#define FW_STACK_SIZE 0x1000ULL
#define FW_DATA_SIZE 0x10000ULL
#define FW_ACPI 0x120000ULL
#define FW_ACPI_RSDP (FW_ACPI + 0x0000)
#define FW_ACPI_XSDT (FW_ACPI + 0x0100)
#define FW_ACPI_FADT (FW_ACPI + 0x0200)
#define FW_ACPI_FACS (FW_ACPI + 0x0400)
#define FW_ACPI_MADT (FW_ACPI + 0x0500)
#define FW_ACPI_SPCR (FW_ACPI + 0x0800)
#define FW_HCDP (FW_ACPI + 0x0900)
#define FW_ACPI_DSDT (FW_ACPI + 0x1000)
#define FW_ACPI_SIZE 0x10000ULL
#define FW_LOADER 0x130000ULL /* what the kernel reads of its loader */
#define FW_BOOT_PARAM (FW_LOADER + 0x0000)
#define FW_COMMAND_LINE (FW_LOADER + 0x0800)
#define FW_COMMAND_LINE_SIZE 0x800ULL
#define FW_MEMORY_MAP (FW_LOADER + 0x1000)
#define FW_LOADER_SIZE 0x10000ULL
#define FW_END (FW_LOADER + FW_LOADER_SIZE)

/* Where the processor's own PAL answers (kmod/model/platform/map.h). */
#define FW_PAL_PROC 0xff100000ULL
#define FW_PAL_SPAN 0x1000ULL
#define FW_INTERRUPT_BLOCK 0xfee00000ULL
#define FW_INTERRUPT_BLOCK_SPAN 0x200000ULL

#define FW_UART_CLOCK 1843200
#define FW_UART_BAUD 115200

/* A SAL or EFI memory granule of Linux: memory that is used comes in these. */
#define FW_GRANULE (16ULL << 20)

/**
 * struct boot_image - what the loader has put into memory
 * @kernel: first address of the kernel, page aligned
 * @kernel_end: its end, page aligned
 * @initrd: likewise, 0 for none
 * @initrd_size: its exact size
 * @command_line: NUL-terminated
 */
struct boot_image {
	uint64_t kernel;
	uint64_t kernel_end;
	uint64_t initrd;
	uint64_t initrd_size;
	const char *command_line;
};

/* Little-endian numbers at any address of a table. */
static inline void put_le(void *p, uint64_t v, unsigned int bytes)
{
	uint8_t *b = p;

	for (; bytes; bytes--, v >>= 8)
		*b++ = v;
}

static inline uint64_t get_le(const void *p, unsigned int bytes)
{
	const uint8_t *b = p;
	uint64_t v = 0;

	while (bytes--)
		v = v << 8 | b[bytes];
	return v;
}

/* Return: the byte that makes the sum of @len bytes 0. */
uint8_t fw_checksum(const void *p, size_t len);
/* Physical address of the stub of service @n. */
static inline uint64_t fw_stub(unsigned int n)
{
	return FW_CODE + n * FIRMWARE_STUB;
}

/* An EFI table header with its CRC, over @size bytes that are complete. */
void fw_efi_header(uint8_t *table, uint64_t signature, uint32_t size);

/* Table writers: @ram is guest memory from address 0. */
void fw_efi_system_table(uint8_t *ram);
void fw_efi_runtime_table(uint8_t *ram);
/* Return: bytes of the map; a descriptor has FW_DESCRIPTOR_SIZE. */
#define FW_DESCRIPTOR_SIZE 48
size_t fw_efi_memory_map(uint8_t *ram, uint64_t memory, const struct boot_image *image);
void fw_sal_system_table(uint8_t *ram);
void fw_acpi_root(uint8_t *ram);
void fw_acpi_fadt(uint8_t *ram);
void fw_acpi_madt(uint8_t *ram, unsigned int nr_vcpus);
void fw_acpi_dsdt(uint8_t *ram);
void fw_acpi_spcr(uint8_t *ram);
void fw_hcdp(uint8_t *ram);
void fw_boot_parameters(uint8_t *ram, size_t map_size, const struct boot_image *image);
/* An ACPI table's header; the checksum is right once fw_acpi_seal() has run. */
void fw_acpi_header(uint8_t *table, const char *signature, uint32_t length, uint8_t revision);
void fw_acpi_seal(uint8_t *table);
/* A Generic Address Structure (ACPI 3.0, 5.2.3.1). */
#define GAS_MEMORY 0
#define GAS_IO 1
void fw_acpi_gas(uint8_t *p, uint8_t space, uint8_t bits, uint64_t address);

/**
 * struct firmware_call - a call that the guest made
 * @vcpu: who
 * @service: FIRMWARE_*
 * @arg: its arguments
 * @ret: results, r8 to r11
 */
struct firmware_call {
	unsigned int vcpu;
	unsigned int service;
	uint64_t arg[8];
	uint64_t ret[4];
};

/* Serve call @c: false if the service does not exist. */
bool fw_efi_runtime(struct montecito_system *s, struct firmware_call *c);
bool fw_sal_proc(struct montecito_system *s, struct firmware_call *c);

/* firmware.c: put all of it into memory, and the processors to their places. */
int firmware_install(struct montecito_system *s, const struct boot_image *image, uint64_t entry);
/* Serve the break @immediate of @vcpu; a service that does not exist ends the system. */
int firmware_call(struct montecito_system *s, unsigned int vcpu, uint64_t immediate);

#endif
