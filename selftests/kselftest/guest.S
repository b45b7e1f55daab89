// SPDX-License-Identifier: GPL-2.0-only
// Guest programs of the kselftests, each at an offset of its own (guest.h).
// The guests run in physical mode; their counts are known by construction.
	.explicit

// SPIN: for ever three instructions: one add, a nop and the branch.
	.org 0x0
spin:
	{ .mib
	adds r8 = 1, r8
	nop.i 0
	br.sptk.few spin ;; }

// COUNT: the same, AR.LC + 1 times, then break.
	.org 0x100
count:
	{ .mib
	adds r8 = 1, r8
	nop.i 0
	br.cloop.sptk.few count ;; }
	{ .mib
	nop.m 0
	break.i 0x123
	nop.b 0 ;; }
	{ .mib
	nop.m 0
	nop.i 0
	br.sptk.few count ;; }

// UNCOUNTED: PMC[r10] = r9, then spin.
	.org 0x200
	{ .mib
	mov pmc[r10] = r9
	nop.i 0
	br.sptk.few spin ;; }

// STORE: store r8 at [r9], load it back from [r11] into r12, then break.
	.org 0x300
	{ .mmi
	st8 [r9] = r8
	nop.m 0
	nop.i 0 ;; }
	{ .mmi
	ld8 r12 = [r11]
	nop.m 0
	break.i 0x124 ;; }

// BREAK0: a break of immediate 0.
	.org 0x400
	{ .mib
	nop.m 0
	break.i 0
	nop.b 0 ;; }

// CONSOLE: write the byte r8 at [r9], then spin.
	.org 0x500
	{ .mib
	st1 [r9] = r8
	nop.i 0
	br.sptk.few spin ;; }

	.org 0x600
end:
