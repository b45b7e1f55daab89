// SPDX-License-Identifier: LGPL-2.1-or-later
// Firmware's code in the guest: each service is a break that the host serves
// between two bundles, with the caller's arguments in its output registers and
// the results in r8 to r11 (Itanium Software Conventions and Runtime
// Architecture Guide, chapter 8). Position independent: the same bytes are
// called physically and virtually.
#include "services.h"

PAL_PROC = 0xff100000
PAL_HALT_LIGHT = 29

	.text
	.explicit

	.macro	CALL service
	.org	\service * FIRMWARE_STUB
	{ .mii
	  break.m FIRMWARE_BREAK + \service
	  nop.i 0
	  nop.i 0 ;;
	}
	{ .mib
	  nop.m 0
	  nop.i 0
	  br.ret.sptk.many b0 ;;
	}
	.endm

	// GetTime(time, capabilities): the host gives the time in r9 and r10.
	.org	FIRMWARE_GET_TIME * FIRMWARE_STUB
	{ .mib
	  break.m FIRMWARE_BREAK + FIRMWARE_GET_TIME
	  nop.i 0
	  br.cond.sptk.many store_time ;;
	}
	CALL	FIRMWARE_SET_TIME
	CALL	FIRMWARE_GET_WAKEUP_TIME
	CALL	FIRMWARE_SET_WAKEUP_TIME
	CALL	FIRMWARE_SET_VIRTUAL_ADDRESS_MAP
	CALL	FIRMWARE_CONVERT_POINTER
	CALL	FIRMWARE_GET_VARIABLE
	CALL	FIRMWARE_GET_NEXT_VARIABLE_NAME
	CALL	FIRMWARE_SET_VARIABLE
	CALL	FIRMWARE_GET_NEXT_HIGH_MONO_COUNT
	CALL	FIRMWARE_RESET_SYSTEM
	CALL	FIRMWARE_BOOT_SERVICE
	CALL	FIRMWARE_SAL_PROC

	// An application processor: physical mode, interruptions off. It halts
	// until an interrupt waits, ends it, and goes on if it was the one that
	// SAL promises and the host knows where to (SAL specification, 3.2).
	.org	FIRMWARE_AP_WAIT * FIRMWARE_STUB
wait:
	{ .mlx
	  mov r28 = PAL_HALT_LIGHT
	  movl r2 = PAL_PROC ;;
	}
	{ .mii
	  mov r29 = r0
	  mov b6 = r2
	  mov r3 = ip ;;
	}
	{ .mii
	  mov r30 = r0
	  adds r3 = woken - wait - 16, r3 ;;
	  mov b0 = r3
	}
	{ .mib
	  mov r31 = r0
	  nop.i 0
	  br.cond.sptk.many b6 ;;
	}
woken:
	{ .mmi
	  mov r2 = cr.ivr ;;
	  mov cr.eoi = r0
	  mov r3 = FIRMWARE_WAKE_VECTOR ;;
	}
	{ .mib
	  srlz.d
	  cmp.ne p6, p0 = r2, r3
	  (p6) br.cond.sptk.many wait ;;
	}
	{ .mii
	  break.m FIRMWARE_BREAK + FIRMWARE_AP_WAIT
	  nop.i 0
	  nop.i 0 ;;
	}
	{ .mib
	  cmp.eq p6, p0 = r8, r0
	  mov b6 = r8
	  (p6) br.cond.sptk.many wait ;;
	}
	{ .mib
	  mov r1 = r9
	  nop.i 0
	  br.cond.sptk.many b6 ;;
	}

	// EFI_TIME has the alignment of its 32-bit member.
store_time:
	{ .mib
	  cmp.ne p6, p7 = r8, r0
	  shr.u r14 = r9, 32
	  nop.b 0 ;;
	}
	{ .mib
	  (p7) st4 [r32] = r9, 4
	  shr.u r15 = r10, 32
	  (p6) br.ret.sptk.many b0 ;;
	}
	{ .mmi
	  st4 [r32] = r14, 4 ;;
	  st4 [r32] = r10, 4
	  cmp.eq p6, p7 = r33, r0 ;;
	}
	{ .mii
	  st4 [r32] = r15
	  adds r14 = 4, r33
	  nop.i 0
	}
	// Capabilities: a resolution of 1 Hz, accurate to 0 ppm, no reset of fractions.
	{ .mmi
	  mov r15 = 1 ;;
	  (p7) st4 [r33] = r15, 8
	  nop.i 0
	}
	{ .mmi
	  (p7) st4 [r14] = r0 ;;
	  (p7) st1 [r33] = r0
	  nop.i 0
	}
	{ .mib
	  nop.m 0
	  nop.i 0
	  br.ret.sptk.many b0 ;;
	}
