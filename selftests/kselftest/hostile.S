// SPDX-License-Identifier: GPL-2.0-only
// Guests that want to keep the host busy, each at an offset of its own
// (guest.h). None of them ends. What they need is set up by the test.
	.explicit

// RSE: store and load back the register stack, about two hundred words a turn.
	.org 0x0
rse:
	{ .mmi
	flushrs
	nop.m 0
	nop.i 0 ;; }
	{ .mib
	loadrs
	nop.i 0
	br.sptk.few rse ;; }

// PURGE: global purges of r3's page size at r2.
	.org 0x100
purge:
	{ .mmi
	ptc.ga r2, r3 ;;
	nop.m 0
	nop.i 0 ;; }
	{ .mib
	nop.m 0
	nop.i 0
	br.sptk.few purge ;; }

// MODIFY: rewrite the code at r9, which is this, and say so.
	.org 0x200
modify:
	{ .mmi
	ld8 r10 = [r9] ;;
	st8 [r9] = r10
	nop.i 0 ;; }
	{ .mmi
	fc.i r9 ;;
	sync.i
	nop.i 0 ;; }
	{ .mib
	srlz.i
	nop.i 0
	br.sptk.few modify ;; }

// WALK: map the VHPT with a translation register, turn data translation on, then
// load from one page after the other, each by way of a walk: r2 address, r4 step,
// r5 mask; r20 VHPT's address, r21 its ITIR, r22 a register's number, r23 its PTE.
	.org 0x300
	{ .mmi
	mov cr.ifa = r20
	mov cr.itir = r21
	nop.i 0 ;; }
	{ .mmi
	itr.d dtr[r22] = r23 ;;
	srlz.d
	nop.i 0 ;; }
	{ .mmi
	ssm 0x22000 ;;
	srlz.d
	nop.i 0 ;; }
walk:
	{ .mmi
	ld8 r10 = [r2]
	add r2 = r2, r4
	nop.i 0 ;; }
	{ .mib
	and r2 = r2, r5
	nop.i 0
	br.sptk.few walk ;; }

// FAULT: a break; at IVA + 0x2c00 there is another one (DEBRIS).
	.org 0x400
	{ .mib
	nop.m 0
	break.i 0
	nop.b 0 ;; }

// SPIN: nothing but instructions.
	.org 0x500
spin:
	{ .mib
	adds r8 = 1, r8
	nop.i 0
	br.sptk.few spin ;; }

// TIMER: ITM always a little ahead of ITC (r9 ahead), the interrupt never taken.
	.org 0x600
timer:
	{ .mmi
	mov r10 = ar.itc ;;
	add r10 = r10, r9
	nop.i 0 ;; }
	{ .mib
	mov cr.itm = r10
	nop.i 0
	br.sptk.few timer ;; }

// ADVANCED: fill the ALAT and let a store clear it.
	.org 0x700
advanced:
	{ .mmi
	ld8.a r10 = [r9]
	ld8.a r11 = [r2]
	nop.i 0 ;; }
	{ .mmi
	st8 [r9] = r10
	nop.m 0
	nop.i 0 ;; }
	{ .mib
	invala
	nop.i 0
	br.sptk.few advanced ;; }

// UNCACHED: a load from r2, which is not cached, and a store.
	.org 0x800
uncached:
	{ .mmi
	ld8 r10 = [r2] ;;
	st8 [r2] = r10
	add r11 = r10, r0 ;; }
	{ .mib
	nop.m 0
	nop.i 0
	br.sptk.few uncached ;; }

// PMDS: reads of the counter r2.
	.org 0x900
pmds:
	{ .mmi
	mov r10 = pmd[r2] ;;
	mov r11 = pmd[r2]
	nop.i 0 ;; }
	{ .mib
	nop.m 0
	nop.i 0
	br.sptk.few pmds ;; }

// PMCS: writes of r3 to PMC r2.
	.org 0xa00
pmcs:
	{ .mmi
	mov pmc[r2] = r3 ;;
	nop.m 0
	nop.i 0 ;; }
	{ .mib
	nop.m 0
	nop.i 0
	br.sptk.few pmcs ;; }

// PAGES: a bundle for each page of memory, on to the next one. LAST and OTHER: turns on the
// last page, which count in r9 and in r10.
	.org 0xb00
pages:
	{ .mib
	adds r8 = 1, r8
	nop.i 0
	br.sptk.few pages + 0x1000 ;; }
last:
	{ .mib
	adds r9 = 1, r9
	nop.i 0
	br.sptk.few last ;; }
other:
	{ .mib
	adds r10 = 1, r10
	nop.i 0
	br.sptk.few other ;; }

	.org 0xc00
