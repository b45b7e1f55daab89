# SPDX-License-Identifier: GPL-2.0-only
"""Sizes that a machine is given (--param), seen by what a loop then meets.

Each row is a loop, a size, and how often an event occurs in a trip with each of its values.
"""

from branches import nest
from data import (L1_INDEX, L2_INDEX, L3_INDEX, WAIT, burst, chase, pages, pressed, ring, together,
                  translated, write_buffers)
from front import hinted, hops

KB = 1 << 10
SOME = "more than 0"
STORES = 30
UNCACHED = ("", "\tst8 [r17] = r0 ;;\n" * STORES + WAIT * 250)


def advanced(n):
    """Advanced loads, and their checks."""
    code = "".join(f"\tld8.a r{48 + i} = [r16] ;;\n" for i in range(n))
    return "", code + "".join(f"\tld8.c.clr r{48 + i} = [r16] ;;\n" for i in range(n))


def coalesced(lines):
    """A store to each of them."""
    init, body = translated("\tmov r18 = r20 ;;\n" +
                            f"\tst8 [r18] = r0, 128 ;;\n{WAIT * 40}" * lines)
    return init, body


def refills(misses, fills, latency=14):
    """Cycles that @misses a cycle apart wait for one of @fills entries, each in use up to the
    data's arrival."""
    free, now, waited = [0] * fills, 0, 0
    for n in range(misses):
        start = max(now, free[n % fills])
        waited += start - now
        free[n % fills] = start + latency
        now = start + 1
    return waited


# Size; event, loop and what each value makes of it by trip; what else the guest needs.
ROWS = (
    ("l1d.ways", "L1D_READ_MISSES.ALL", chase(4, L1_INDEX), {4: 0, 3: 4, 1: 4}),
    ("l1i.ways", "L2I_DEMAND_READS", hops(4, L1_INDEX), {4: 0, 3: 4, 1: 4}),
    ("l2d.ways", "L2D_MISSES", chase(6, L2_INDEX), {8: 0, 6: 0, 5: 6}),
    ("l2i.ways", "L2I_READS.MISS.DMND", hops(6, 128 * KB), {8: 0, 6: 0, 5: 6}, "system"),
    ("l3.ways", "L3_MISSES", chase(10, L3_INDEX), {12: 0, 10: 0, 9: 10}),
    ("dtlb.entries", "L1DTLB_TRANSFER", pages(20, 4 * KB + 64), {32: 0, 21: 0, 19: 20, 1: 20}),
    ("itlb.entries", "ITLB_MISSES_FETCH.L1ITLB", hops(20, 4 * KB + 64),
     {32: 0, 21: 0, 19: 20, 1: 20}),
    # What holds the walker's tables and the program's own pages is not of these.
    ("tlb.tc", "L2DTLB_MISSES", pages(80, 16 * KB), {128: 0, 88: 0, 79: 80, 48: 80}, "16K"),
    ("tlb.tc", "ITLB_MISSES_FETCH.L2ITLB", hops(80, 16 * KB + 64),
     {128: 0, 88: 0, 79: 80, 48: 80}, "16K"),
    # One more than there are entries pushes out the first.
    ("alat", "ALAT_CAPACITY_MISS.INT", advanced(5), {32: 0, 5: 0, 4: 1, 1: 4}),
    ("alat", "INST_FAILED_CHKA_LDC_ALAT.INT", advanced(5), {32: 0, 5: 0, 4: 1, 1: 4}),
    ("l1d.fills", "BE_L1D_FPU_BUBBLE.L1D_PIPE_RECIRC", together(9),
     {n: refills(9, n) for n in (8, 4, 1)}),
    # Full from the cycle of the load that takes the last one to the first line's arrival.
    ("l2d.fills", "L2D_FILLB_FULL.THIS", burst(8), {16: 0, 9: 0, 8: 13 * (195 - 7)}),
    ("ozq.entries", "BE_L1D_FPU_BUBBLE.L1D_L2BPRESS", pressed(18),
     {32: 0, 18: 0, 16: 13 * (199 - 16)}),
    ("l3.requests", "ER_BRQ_LIVE_REQ_HI", burst(16), {16: SOME, 8: SOME, 7: 0}),
    ("l3.writes", "L2D_VICTIMB_FULL.THIS", UNCACHED,
     {n: write_buffers(STORES, n) for n in (8, 3, 1)}, "system"),
    ("bus.queue", "L2D_VICTIMB_FULL.THIS", UNCACHED,
     {n: write_buffers(STORES, 8, n) for n in (15, 8, 2)}, "system"),
    ("bus.queue", "SI_RQ_LIVE_REQ_HI.SELF", burst(16), {15: SOME, 8: SOME, 7: 0}),
    ("wc.buffers", "BUS_MEMORY.LT_128BYTE.SELF", coalesced(3), {4: 0, 3: 0, 2: 3, 1: 3}, "system"),
    # A line is in the RAB for 9 cycles; one entry is not for prefetches.
    ("rab.entries", "L1I_RAB_ALMOST_FULL", hinted(1, 0, 4), {8: 0, 6: 0, 5: 9 - 3}, "system"),
    ("rab.entries", "L1I_PREFETCH_STALL.ALL", hinted(1, 0, 4), {8: 0, 5: 0, 4: 9 - 3}, "system"),
    ("l2i.fills", "ER_BRQ_LIVE_REQ_LO:t=1", hinted(1, 0, 10, 128 * KB), {8: SOME, 2: SOME, 1: 0},
     "system"),
    # Two of three hints stay of the first cycle's, and three come.
    ("pvab.hints", "L1I_PVAB_OVERFLOW", hinted(3, 0, 2), {8: 0, 5: 0, 4: 1}, "system"),
    ("rsb.entries", "BR_MISPRED_DETAIL.RETURN.WRONG_TARGET", nest(5), {8: 0, 5: 0, 4: 1}),
)
