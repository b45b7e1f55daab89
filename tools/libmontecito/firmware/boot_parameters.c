// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The boot parameter block that a loader hands a Linux/ia64 kernel in r28
 * (arch/ia64/include/uapi/asm/setup.h, struct ia64_boot_param).
 */
#include <string.h>

#include "firmware.h"

void fw_boot_parameters(uint8_t *ram, size_t map_size, const struct boot_image *image)
{
	uint8_t *p = ram + FW_BOOT_PARAM;

	strncpy((char *)ram + FW_COMMAND_LINE, image->command_line, FW_COMMAND_LINE_SIZE - 1);
	put_le(p, FW_COMMAND_LINE, 8);
	put_le(p + 8, FW_EFI_SYSTAB, 8);
	put_le(p + 16, FW_MEMORY_MAP, 8);
	put_le(p + 24, map_size, 8);
	put_le(p + 32, FW_DESCRIPTOR_SIZE, 8);
	put_le(p + 40, 1, 4); /* version of a descriptor */
	put_le(p + 44, 80, 2); /* the console: columns, rows, position */
	put_le(p + 46, 25, 2);
	put_le(p + 64, image->initrd, 8);
	put_le(p + 72, image->initrd_size, 8);
}
