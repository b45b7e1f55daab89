/* SPDX-License-Identifier: GPL-2.0-only */
/* The guest's stubs, as bytes. */
	.section .rodata
	.globl firmware_stubs, firmware_stubs_end
	.hidden firmware_stubs, firmware_stubs_end
	.balign 16
firmware_stubs:
	.incbin FIRMWARE_STUBS
firmware_stubs_end:
	.section .note.GNU-stack, "", %progbits
