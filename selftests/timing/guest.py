# SPDX-License-Identifier: GPL-2.0-only
"""A loop as a program, or as a guest without an operating system, and what it counts by trip."""

import os
import re
import struct
import subprocess

from data import KB, MB

TOP = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
TRIPS = (8, 24)
TRIPS_MARK = struct.pack("<Q", 0x6d6f6e7465636974)	# in their place in the image

# What a loop begins with: pages get their place in memory as they are touched first, so
# that it is in one piece. r16 and r17 hold addresses in lines that stay in the L1D,
# 16 bytes apart in bank and 64 in line; r20 the memory that rings lie in.
HEAD = """
	.text
	.global _start
_start:
	alloc	r8 = ar.pfs, 0, 8, 32, 0
	movl	r20 = memory
	movl	r10 = near
	movl	r9 = trips ;;
	mov	r16 = r10
	add	r17 = 64 + 16, r10
	ld8	r9 = [r9]
	mov	r18 = r20 ;;
	ld8	r11 = [r16]
	ld8	r12 = [r17]
	add	r9 = -1, r9
	mov	r10 = 511
	movl	r13 = 65536 ;;
	mov	ar.lc = r10 ;;
0:	st8	[r18] = r0
	add	r18 = r13, r18
	br.cloop.sptk.few 0b ;;
	mov	ar.lc = r9
	mov	r18 = r20 ;;
%s
	nop.m	0 ;;
	.balign	64
1:
%s
%s
	mov	r40 = 0
	mov	r15 = 1025
	break.i	0x100000 ;;
	.data
	.balign	16384
trips:	data8	0x6d6f6e7465636974
	.balign	1024
near:	.skip	4096
	.section .bss
	.balign	1048576
memory:	.skip	%d
"""

# How the loop ends, unless the code says so itself.
END = """
	nop.m	0
	br.cloop.sptk.few 1b ;;
"""

# One more loop behind another one, of so many trips.
AGAIN = """
	alloc	r8 = ar.pfs, 0, 8, 32, 0
	mov	r9 = %d ;;
	mov	ar.lc = r9
	mov	ar.ec = r0
	mov	r18 = r20 ;;
%s
	nop.m	0 ;;
	.balign	64
1:
%s
%s
"""

# The same without an operating system: references are physical until data translation
# is on, which maps r20 to memory of the attribute that stores coalesce in. Then power off.
SYSTEM = """
	.text
	.global _start
_start:
	alloc	r8 = ar.pfs, 0, 8, 32, 0
	movl	r20 = 1 << 61
	movl	r9 = trips
	mov	r10 = 24 << 2
	movl	r11 = 0x2000000 | 6 << 2 | 0x661	// present, accessed, dirty, write
	mov	r12 = r0 ;;
	ld8	r9 = [r9]
	movl	r16 = memory
	movl	r17 = 1 << 63 ;;
	or	r17 = r16, r17
	rsm	1 << 13 ;;
	srlz.d
	mov	cr.ifa = r20
	mov	cr.itir = r10 ;;
	itr.d	dtr[r12] = r11 ;;
	srlz.d
	add	r9 = -1, r9 ;;
	mov	ar.lc = r9
%s
	.balign	64
1:
%s
	nop.m	0
	br.cloop.sptk.few 1b ;;
	rsm	1 << 17
	movl	r8 = 1 << 63 | 0x3fffc000000 | 0x101 << 12 | 0x404
	movl	r9 = 1 << 13 | 5 << 10 ;;
	srlz.d ;;
	st2.rel	[r8] = r9 ;;
	mf.a ;;
2:	br.cond.sptk.few 2b ;;
	.data
	.balign	16384
trips:	data8	0x6d6f6e7465636974
	.balign	1024
memory:	.skip	%d
"""

PLATFORM = os.path.join(TOP, "selftests", "guest", "platform", "platform.ld")
STUBS = """
	.text
	.balign	128
leaves:
	.rept	32
	br.ret.sptk.few b7 ;;
	.balign	128
	.endr
"""


class Guest:
    """A loop as an image, for a machine with @params."""

    def __init__(self, out, cross, name, code, small_pages, system=False, params=(), more=()):
        """Loops of a program have @more behind them, of TRIPS[0] trips."""
        self.command = "boot" if system else "stat"
        self.options = ("--memory", "128M")
        if system:
            self.options += ("--budget", "10000000")
        else:
            self.options += ("--page-size", "16K" if small_pages else "64K")
        for param in params:
            self.options += ("--param", param)
        self.path = os.path.join(out, name + ".elf")
        source = os.path.join(out, name + ".S")
        with open(source, "w") as f:
            if system:
                f.write(SYSTEM % (*code, 64 * KB))
            else:
                init, body, end = (*code, END)[:3]
                end += "".join(AGAIN % (TRIPS[0] - 1, *(*again, END)[:3]) for again in more)
                f.write(STUBS + HEAD % (init, body, end, 32 * MB))
        subprocess.run([cross + "as", "-x", "-o", source[:-1] + "o", source], check=True)
        subprocess.run([cross + "ld", "--no-warn-rwx-segments",
                        *(("-T", PLATFORM) if system else ("-N",)), "-o", self.path,
                        source[:-1] + "o"], check=True)
        with open(self.path, "rb") as f:
            self.image = f.read()

    def goes(self, trips):
        """The image, to go round so many times."""
        with open(self.path, "wb") as f:
            f.write(self.image.replace(TRIPS_MARK, struct.pack("<Q", trips)))
        os.chmod(self.path, 0o755)
        return self.path

    def counts(self, montctl, events, trips):
        self.goes(trips)
        done = subprocess.run([montctl, self.command, "--in-process", "--timing=on",
                               *self.options, "-e", ",".join(events),
                               *(("--kernel",) if self.command == "boot" else ()), self.path],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              check=False)
        if done.returncode:
            return done.stderr.strip().splitlines()[-1]
        # "COUNT  EVENT", or "KERNEL USER EVENT, vcpu 0"
        lines = re.findall(r"^ *([\d ]+\d)  (\S+?)(?:, vcpu 0)?$", done.stderr, re.MULTILINE)
        return {event: sum(map(int, counts.split())) for counts, event in lines}

    def by_trip(self, montctl, events, modifier=""):
        """With @modifier behind each of them."""
        few, more = ({e[:len(e) - len(modifier)]: n for e, n in counts.items()}
                     if isinstance(counts, dict) else counts for counts in
                     (self.counts(montctl, [e + modifier for e in events], t) for t in TRIPS))
        if isinstance(few, str) or isinstance(more, str):
            return {e: few if isinstance(few, str) else more for e in events}
        return {e: (more[e] - few[e]) / (TRIPS[1] - TRIPS[0]) for e in events}
