/* SPDX-License-Identifier: GPL-2.0-only */
/* The assembled guest programs as data. */
	.section .rodata
	.global guest_image, guest_image_end, hostile_image, hostile_image_end
guest_image:
	.incbin "guest.bin"
guest_image_end:
hostile_image:
	.incbin "hostile.bin"
hostile_image_end:
	.section .note.GNU-stack, "", %progbits
