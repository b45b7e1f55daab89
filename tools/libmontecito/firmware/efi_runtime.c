// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * EFI runtime services (Extensible Firmware Interface Specification 1.10,
 * chapter 7): the clock, reset, and the move to virtual addresses. There are no
 * variables, and none can be made. The boot services are over.
 */
#include <string.h>
#include <time.h>

#include "firmware.h"

#define RUNTIME_SIGNATURE 0x56524553544e5552ULL /* "RUNTSERV" */
#define BOOT_SIGNATURE 0x56524553544f4f42ULL /* "BOOTSERV" */
#define HEADER 24
#define NR_BOOT_SERVICES 44

#define EFI_ERROR(n) (1ULL << 63 | (n))
#define EFI_SUCCESS 0
#define EFI_INVALID_PARAMETER EFI_ERROR(2)
#define EFI_UNSUPPORTED EFI_ERROR(3)
#define EFI_WRITE_PROTECTED EFI_ERROR(8)
#define EFI_NOT_FOUND EFI_ERROR(14)

#define EFI_RESET_SHUTDOWN 2
#define EFI_UNSPECIFIED_TIMEZONE 0x7ff

/* The function descriptor of service @n: its entry and its global pointer. */
static uint64_t efi_runtime_descriptor(unsigned int n)
{
	return FW_EFI_DESCRIPTORS + 16 * n;
}

void fw_efi_runtime_table(uint8_t *ram)
{
	uint8_t *t = ram + FW_EFI_RUNTIME;
	unsigned int i;

	for (i = 0; i <= FIRMWARE_BOOT_SERVICE; i++)
		put_le(ram + efi_runtime_descriptor(i), fw_stub(i), 8);
	for (i = 0; i < FIRMWARE_NR_RUNTIME; i++)
		put_le(t + HEADER + 8 * i, efi_runtime_descriptor(i), 8);
	fw_efi_header(t, RUNTIME_SIGNATURE, HEADER + 8 * FIRMWARE_NR_RUNTIME);
	t = ram + FW_EFI_BOOT;
	for (i = 0; i < NR_BOOT_SERVICES; i++)
		put_le(t + HEADER + 8 * i, efi_runtime_descriptor(FIRMWARE_BOOT_SERVICE), 8);
	fw_efi_header(t, BOOT_SIGNATURE, HEADER + 8 * NR_BOOT_SERVICES);
}

/* EFI_TIME of now: the clock starts at the epoch and advances with the cycles. */
static void efi_runtime_get_time(const struct montecito_system *s, struct firmware_call *c)
{
	time_t sec = MONTECITO_CLOCK_EPOCH + s->s.now / MONTECITO_CORE_HZ;
	uint64_t nsec = s->s.now % MONTECITO_CORE_HZ * 5 / 8;
	uint8_t t[16] = { 0 };
	struct tm tm;

	gmtime_r(&sec, &tm);
	put_le(t, tm.tm_year + 1900, 2);
	t[2] = tm.tm_mon + 1;
	t[3] = tm.tm_mday;
	t[4] = tm.tm_hour;
	t[5] = tm.tm_min;
	t[6] = tm.tm_sec;
	put_le(t + 8, nsec, 4);
	put_le(t + 12, EFI_UNSPECIFIED_TIMEZONE, 2);
	c->ret[1] = get_le(t, 8);
	c->ret[2] = get_le(t + 8, 8);
}

/* Where the map of @size bytes at @map puts physical address @pa. */
static bool efi_runtime_to_virtual(const uint8_t *map, uint64_t size, uint64_t stride, uint64_t pa,
				   uint64_t *va)
{
	const uint8_t *d;

	for (d = map; (uint64_t)(d - map) + stride <= size; d += stride) {
		uint64_t start = get_le(d + 8, 8), pages = get_le(d + 24, 8);

		if (!(get_le(d + 32, 8) >> 63) || pa < start || (pa - start) >> 12 >= pages)
			continue;
		*va = pa - start + get_le(d + 16, 8);
		return true;
	}
	return false;
}

/*
 * SetVirtualAddressMap(size, stride, version, map): pointers in the tables and
 * function descriptors become virtual.
 */
static uint64_t efi_runtime_set_virtual_address_map(struct montecito_system *s,
						    const struct firmware_call *c)
{
	uint64_t size = c->arg[0], stride = c->arg[1], at = c->arg[3] & ~(1ULL << 63), memory;
	uint8_t *ram = montecito_memory(s->m, &memory);
	uint64_t move[FIRMWARE_NR_RUNTIME * 2 + 4], va[FIRMWARE_NR_RUNTIME * 2 + 4];
	unsigned int n = 0, i;

	if (s->s.firmware.virtual_mode)
		return EFI_UNSUPPORTED;
	if (stride < 40 || c->arg[2] != 1 || at > memory || size > memory - at)
		return EFI_INVALID_PARAMETER;
	for (i = 0; i < FIRMWARE_NR_RUNTIME; i++) {
		move[n++] = FW_EFI_RUNTIME + HEADER + 8 * i;
		move[n++] = efi_runtime_descriptor(i);
	}
	move[n++] = FW_EFI_SYSTAB + 24;
	move[n++] = FW_EFI_SYSTAB + 88;
	for (i = 0; i < n; i++)
		if (!efi_runtime_to_virtual(ram + at, size, stride, get_le(ram + move[i], 8),
					    &va[i]))
			return EFI_NOT_FOUND;
	for (i = 0; i < n; i++)
		put_le(ram + move[i], va[i], 8);
	fw_efi_header(ram + FW_EFI_RUNTIME, RUNTIME_SIGNATURE, HEADER + 8 * FIRMWARE_NR_RUNTIME);
	s->s.firmware.virtual_mode = 1;
	return EFI_SUCCESS;
}

bool fw_efi_runtime(struct montecito_system *s, struct firmware_call *c)
{
	switch (c->service) {
	case FIRMWARE_GET_TIME:
		efi_runtime_get_time(s, c);
		break;
	case FIRMWARE_SET_VIRTUAL_ADDRESS_MAP:
		c->ret[0] = efi_runtime_set_virtual_address_map(s, c);
		break;
	case FIRMWARE_GET_VARIABLE:
	case FIRMWARE_GET_NEXT_VARIABLE_NAME:
		c->ret[0] = EFI_NOT_FOUND;
		break;
	case FIRMWARE_SET_VARIABLE:
		c->ret[0] = EFI_WRITE_PROTECTED;
		break;
	case FIRMWARE_RESET_SYSTEM:
		if (c->arg[0] == EFI_RESET_SHUTDOWN)
			system_end(s, MONTECITO_END_POWEROFF, NULL);
		else
			system_end(s, MONTECITO_END_RESET, "the guest called ResetSystem");
		break;
	case FIRMWARE_SET_TIME:
	case FIRMWARE_GET_WAKEUP_TIME:
	case FIRMWARE_SET_WAKEUP_TIME:
	case FIRMWARE_CONVERT_POINTER:
	case FIRMWARE_GET_NEXT_HIGH_MONO_COUNT:
		c->ret[0] = EFI_UNSUPPORTED;
		break;
	default:
		return false;
	}
	return true;
}
