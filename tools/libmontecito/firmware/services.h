/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calls from the guest's stubs to the host: the immediates of their breaks,
 * for C and for the assembler. Each has a stub of 64 bytes, in this order.
 * Included by firmware.h and stubs.S.
 */
#ifndef FIRMWARE_SERVICES_H
#define FIRMWARE_SERVICES_H

#define FIRMWARE_BREAK 0x1ff000
#define FIRMWARE_STUB 64

/* EFI runtime services, in the order of their table. */
#define FIRMWARE_GET_TIME 0
#define FIRMWARE_SET_TIME 1
#define FIRMWARE_GET_WAKEUP_TIME 2
#define FIRMWARE_SET_WAKEUP_TIME 3
#define FIRMWARE_SET_VIRTUAL_ADDRESS_MAP 4
#define FIRMWARE_CONVERT_POINTER 5
#define FIRMWARE_GET_VARIABLE 6
#define FIRMWARE_GET_NEXT_VARIABLE_NAME 7
#define FIRMWARE_SET_VARIABLE 8
#define FIRMWARE_GET_NEXT_HIGH_MONO_COUNT 9
#define FIRMWARE_RESET_SYSTEM 10
#define FIRMWARE_NR_RUNTIME 11
/* Every boot service: they are over when the kernel starts. */
#define FIRMWARE_BOOT_SERVICE 11
#define FIRMWARE_SAL_PROC 12
/* Where an application processor waits for its wake-up. */
#define FIRMWARE_AP_WAIT 13

/* The vector that wakes one (SAL system table, AP wake-up descriptor). */
#define FIRMWARE_WAKE_VECTOR 0xff

#endif
