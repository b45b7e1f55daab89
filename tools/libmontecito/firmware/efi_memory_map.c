// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * EFI memory map (Extensible Firmware Interface Specification 1.10, 6.2): what
 * every range of physical addresses is for, by rising address.
 */
#include "firmware.h"

/* Memory types. */
#define EFI_LOADER_DATA 2
#define EFI_RUNTIME_CODE 5
#define EFI_RUNTIME_DATA 6
#define EFI_CONVENTIONAL 7
#define EFI_ACPI_RECLAIM 9
#define EFI_MMIO 11
#define EFI_IO_PORTS 12
#define EFI_PAL_CODE 13

#define EFI_UC 0x1ULL
#define EFI_WB 0x8ULL
#define EFI_RUNTIME (1ULL << 63)

struct map {
	uint8_t *at;
	uint64_t pos; /* end of what has been described of memory */
	size_t size;
};

static void efi_memory_map_describe(struct map *m, uint32_t type, uint64_t start, uint64_t end,
				    uint64_t attr)
{
	uint8_t *d = m->at + m->size;

	if (start >= end)
		return;
	put_le(d, type, 4);
	put_le(d + 4, 0, 4);
	put_le(d + 8, start, 8);
	put_le(d + 16, 0, 8);
	put_le(d + 24, (end - start) >> 12, 8);
	put_le(d + 32, attr, 8);
	put_le(d + 40, 0, 8);
	m->size += FW_DESCRIPTOR_SIZE;
}

/* Memory that is used, with the free memory before it. */
static void efi_memory_map_used(struct map *m, uint32_t type, uint64_t start, uint64_t end,
				uint64_t attr)
{
	efi_memory_map_describe(m, EFI_CONVENTIONAL, m->pos, start, EFI_WB);
	efi_memory_map_describe(m, type, start, end, EFI_WB | attr);
	m->pos = end;
}

size_t fw_efi_memory_map(uint8_t *ram, uint64_t memory, const struct boot_image *image)
{
	uint64_t initrd_end = (image->initrd + image->initrd_size + 0xfff) & ~0xfffULL;
	struct map m = { .at = ram + FW_MEMORY_MAP };

	efi_memory_map_used(&m, EFI_RUNTIME_CODE, FW_CODE, FW_CODE + FW_CODE_SIZE, EFI_RUNTIME);
	efi_memory_map_used(&m, EFI_RUNTIME_DATA, FW_DATA, FW_DATA + FW_DATA_SIZE, EFI_RUNTIME);
	efi_memory_map_used(&m, EFI_ACPI_RECLAIM, FW_ACPI, FW_ACPI + FW_ACPI_SIZE, 0);
	efi_memory_map_used(&m, EFI_LOADER_DATA, FW_LOADER, FW_LOADER + FW_LOADER_SIZE, 0);
	efi_memory_map_used(&m, EFI_LOADER_DATA, image->kernel, image->kernel_end, 0);
	if (image->initrd)
		efi_memory_map_used(&m, EFI_LOADER_DATA, image->initrd, initrd_end, 0);
	efi_memory_map_used(&m, EFI_CONVENTIONAL, memory, memory, 0);
	efi_memory_map_describe(&m, EFI_MMIO, UART_BASE, UART_BASE + UART_SPAN, EFI_UC);
	efi_memory_map_describe(&m, EFI_MMIO, IOSAPIC_BASE, IOSAPIC_BASE + IOSAPIC_SPAN, EFI_UC);
	efi_memory_map_describe(&m, EFI_MMIO, FW_INTERRUPT_BLOCK,
				FW_INTERRUPT_BLOCK + FW_INTERRUPT_BLOCK_SPAN, EFI_UC);
	efi_memory_map_describe(&m, EFI_PAL_CODE, FW_PAL_PROC, FW_PAL_PROC + FW_PAL_SPAN,
				EFI_WB | EFI_RUNTIME);
	efi_memory_map_describe(&m, EFI_IO_PORTS, IOPORT_BASE, IOPORT_BASE + IOPORT_SPAN, EFI_UC);
	return m.size;
}
