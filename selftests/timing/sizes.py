# SPDX-License-Identifier: GPL-2.0-only
"""Sizes and latencies that a machine is given (--param), seen by what a loop then meets.

Each row is a loop, a number, and how often an event occurs in a trip with each of its values.
"""

from branches import inner_loop, nest, register_read
from data import (L1_INDEX, L2_INDEX, L3_INDEX, WAIT, burst, chase, merged, pages, pressed,
                  reads, ring, stores, together, translated, write_buffers)
from front import apart, branch, hinted, hops, not_taken, stream, wrong

KB = 1 << 10
SOME = "more than 0"
STORES = 30
UNCACHED = ("", "\tst8 [r17] = r0 ;;\n" * STORES + WAIT * 400)


def advanced(n):
    """Advanced loads, and their checks."""
    code = "".join(f"\tld8.a r{48 + i} = [r16] ;;\n" for i in range(n))
    return "", code + "".join(f"\tld8.c.clr r{48 + i} = [r16] ;;\n" for i in range(n))


def coalesced(lines):
    """A store to each of them."""
    init, body = translated("\tmov r18 = r20 ;;\n" +
                            f"\tst8 [r18] = r0, 128 ;;\n{WAIT * 40}" * lines)
    return init, body


def refills(misses, fills):
    """Cycles that @misses a cycle apart wait for one of @fills entries, each in use up to the
    data's arrival: the L3 is asked 5 cycles on, its array gives a line in four, and 9 later it
    is there."""
    free, now, waited, array = [0] * fills, 0, 0, 0
    for n in range(misses):
        start = max(now, free[n % fills])
        waited += start - now
        array = max(start + 5, array + 4)
        free[n % fills] = array + 9
        now = start + 1
    return waited


def both(distance):
    """Two lines of the L3 in a group, and the use of the second."""
    code = (f"\tmovl r24 = {distance} ;;\n\tadd r19 = r24, r18 ;;\n\tldfd f6 = [r18]\n"
            "\tldfd f7 = [r19] ;;\n\tgetf.sig r11 = f7 ;;\n")
    return ring(9, L2_INDEX, code, 30)


def castouts(lines, places):
    """Cycles in the arbiter of the clean victims of @lines reads in a row (R72): they are issued
    behind all of them, as soon as each has one of @places."""
    entered, issued = [], []
    for n in range(lines):
        entered.append(max(n, issued[n - places] if n >= places else 0))
        # Reads, and castouts, are 12 cycles apart.
        issued.append(max(entered[n] + 1, 1 + 12 * (lines + n)))
    return sum(issued) - sum(entered)


def victims(buffers):
    """Two stores that miss and replace modified lines of the L3: cycles in the request queue. The
    second read goes before the victims (R72), and its data follow those of the first on the bus. If
    its own victim has no buffer, it waits until the bus has carried the first one."""
    first = 195
    second = max(13 - 1 + 195, first + 24)
    if buffers == 1:
        second = first + 24 + 24 + 195
    return first + second


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
    # Of 24 in twelve cycles number k is written in cycle 3 + k, and makes room for k + n then.
    ("l1d.stores", "BE_L1D_FPU_BUBBLE.L1D_FULLSTBUF", stores(12, 64),
     {n: 3 + 23 - n - 11 for n in (8, 6, 4)}),
    ("brq.entries", "FE_LOST_BW.BRQ", not_taken(7), {24: 0, 3: 0, 2: 8}),
    ("ozq.data", "L2D_OZDB_FULL.THIS", merged(6), {24: 0, 7: 0, 6: 9 * (14 - 6)}),
    ("l3.requests", "ER_BRQ_LIVE_REQ_HI", burst(16), {16: SOME, 8: SOME, 7: 0}),
    ("l3.writes", "L2D_VICTIMB_FULL.THIS", UNCACHED,
     {n: write_buffers(STORES, n) for n in (8, 3, 1)}, "system"),
    # Of eleven ways: each line comes back from the L2D when it has gone from the L3, so that
    # clean and modified ones take turns, and a read replaces a modified one.
    ("l3.victims", "ER_BRQ_LIVE_REQ_LO", ring(21, L3_INDEX, "\tadd r19 = 128, r18 ;;\n"
     "\tst8 [r18] = r0\n\tst8 [r19] = r0 ;;\n", 700), {n: 21 * victims(n) for n in (8, 2, 1)}, "l3.ways=11"),
    ("arbiter.writes", "L2D_VICTIMB_FULL.THIS", UNCACHED,
     {n: write_buffers(STORES, 8, n) for n in (2, 1)}, "system"),
    ("arbiter.requests", "SI_RQ_LIVE_REQ_LO.SELF", burst(16),
     {n: 13 * reads(16, places=n)[0] for n in (4, 2, 1)}),
    ("arbiter.castouts", "SI_CCQ_LIVE_REQ_LO.SELF", burst(6),
     {n: 13 * castouts(6, n) for n in (4, 2, 1)}, "bus.castouts=1"),
    ("bus.ioq", "SI_RQ_LIVE_REQ_LO.SELF", burst(16),
     {n: 13 * reads(16, ioq=n)[0] for n in (15, 8, 4)}),
    ("bus.castouts", "BUS_WR_WB.ALL.SELF", chase(13, L3_INDEX), {0: 0, 1: 13}),
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

ONCE = WAIT * 20


def dynamic():
    """Two branches that go by their past: one entry of the L1 branch cache, by their bundles, and
    two of the L2's, by their slots."""
    second = "\t{ .mbb\n\tnop.m 0\n\t(p7) br.cond.dptk.few 11f\n\tnop.b 0 ;; }\n"
    return "\tcmp.eq p7, p0 = r0, r0 ;;\n", (branch("10f", "dptk", "(p7) ") +
                                            f"\t.skip {16 * KB - 16}\n10:\n" + second +
                                            "\t.balign 64\n11:\n")


def met_by(load, cycles):
    """A load of what has been stored @cycles before, and its use."""
    return "", (f"\tst8 [r16] = r0 ;;\n{WAIT * (cycles - 1)}\t{load} ;;\n" +
                ("\tgetf.sig r12 = f6 ;;\n" if "f6" in load else "\tadd r12 = r0, r11 ;;\n") + ONCE)


def deferred(code):
    return "\tld8.s r13 = [r0] ;;\n", code + ONCE


def fp_chase(lines, stride):
    """chase() by floating-point loads: the address goes back through getf."""
    return chase(lines, stride, "ldf8 f6 = [r18] ;;\n\tgetf.sig r18 = f6")


# The same for cycles: how many, and of what, follows from the loop.
LATENCIES = (
    ("core.mispredict", "FE_BUBBLE.FEFLUSH", wrong("sptk"), {n: n for n in (6, 1, 10)}),
    # A bit for each cause, in the order of causes.def: BRU, FP_LOAD, FR, LOAD.
    ("stall.free", "BE_FLUSH_BUBBLE.BRU", wrong("sptk"), {0: 6, 1: 6, 4: 0}),
    ("stall.free", "FE_BUBBLE.FEFLUSH", wrong("sptk"), {0: 6, 1: 6, 4: 0}),
    ("stall.free", "BE_EXE_BUBBLE.FRALL", met_by("ldfd f6 = [r16]", 1),
     {0: 11, 1 << 12: 0, 1 << 13: 11}),
    ("stall.free", "BE_EXE_BUBBLE.GRALL",
     ("", "\tfetchadd8.acq r11 = [r16], 1 ;;\n\tadd r12 = r0, r11 ;;\n" + ONCE),
     {0: 10, 1 << 14: 0, 1 << 15: 10}),
    ("core.flush", "BE_FLUSH_BUBBLE.XPN", deferred("\tchk.s r13, 3f ;;\n3:\n"),
     {n: n for n in (7, 1, 12)}),
    # The flush begins in the cycle behind.
    ("core.multimedia_address", "BE_FLUSH_BUBBLE.XPN",
     ("", "\tpadd1 r13 = r16, r0 ;;\n\tld8 r11 = [r13] ;;\n" + ONCE), {n: n - 1 for n in (8, 6, 12)}),
    ("branch.taken", "FE_BUBBLE.BUBBLE", apart(16 * KB), {n: 2 * n for n in (1, 0, 3)}),
    ("branch.l2", "FE_BUBBLE.BUBBLE", dynamic(), {n: 2 * n for n in (2, 0, 4)}),
    ("branch.return", "FE_BUBBLE.BUBBLE", nest(1), {n: n for n in (1, 0, 3)}),
    ("branch.indirect", "FE_BUBBLE.BRANCH", register_read("br.cond.sptk.few b6"),
     {n: n for n in (2, 0, 4)}),
    ("branch.loop_end", "FE_BUBBLE.BRANCH", inner_loop(16), {n: n for n in (2, 0, 4)}),
    ("rse.bank_switch", "BE_RSE_BUBBLE.BANK_SWITCH",
     ("\tbsw.1 ;;\n", "\tbsw.0 ;;\n\tbsw.1 ;;\n"), {n: 2 * (n - 1) for n in (6, 1, 10)}, "system"),
    # Each load waits for the one before; the loop's own end hides a cycle of the last one's.
    ("l2d.latency", "BE_EXE_BUBBLE.GRALL", chase(5, L1_INDEX), {n: 5 * n - 1 for n in (5, 3, 7)}),
    ("l3.latency", "BE_EXE_BUBBLE.GRALL", chase(9, L2_INDEX), {n: 9 * n - 1 for n in (14, 8, 20)}),
    # Of one index the second goes by the queue, 6 cycles later.
    ("l3.late", "BE_EXE_BUBBLE.FRALL", both(16 * L2_INDEX),
     {n: 9 * (6 + 14 + n) for n in (1, 0, 5)}),
    # Of two the L3 is asked for the second a cycle later, and its array is free after @n.
    ("l3.array", "BE_EXE_BUBBLE.FRALL", both(16 * L2_INDEX + 128),
     {n: 9 * (14 + max(1, n)) for n in (4, 1, 8)}),
    ("memory.latency", "BE_EXE_BUBBLE.GRALL", chase(13, L3_INDEX),
     {n: 13 * n - 1 for n in (200, 100, 300)}),
    # A cycle longer each for the format of a register (table 2-8, note 4), from issue to getf.
    ("l2d.latency", "BE_EXE_BUBBLE.FRALL", fp_chase(5, L1_INDEX), {n: 5 * n for n in (5, 3, 7)}),
    ("l3.latency", "BE_EXE_BUBBLE.FRALL", fp_chase(9, L2_INDEX), {n: 9 * n for n in (14, 8, 20)}),
    ("memory.latency", "BE_EXE_BUBBLE.FRALL", fp_chase(13, L3_INDEX),
     {n: 13 * n for n in (200, 100, 300)}),
    # What the L3 and memory take beyond the L2D's 5 they take beyond the L2I's 7.
    ("l3.latency", "FE_BUBBLE.IMISS", hops(9, 128 * KB), {n: 9 * (n - 5 + 7) for n in (14, 8, 20)},
     "system"),
    ("memory.latency", "FE_BUBBLE.IMISS", hops(13, L3_INDEX),
     {n: 13 * (n - 5 + 7) for n in (200, 100, 300)}, "system"),
    # A semaphore is always queued (M5).
    ("l2d.queued", "BE_EXE_BUBBLE.GRALL",
     ("", "\tfetchadd8.acq r11 = [r16], 1 ;;\n\tadd r12 = r0, r11 ;;\n" + ONCE),
     {n: n - 1 for n in (11, 8, 15)}),
    ("l2d.late", "BE_EXE_BUBBLE.FRALL",
     ("", "\tldfd f6 = [r16]\n\tldfd f7 = [r16] ;;\n\tgetf.sig r11 = f7 ;;\n" + ONCE),
     {n: n for n in (7, 6, 11)}),
    ("l2d.queued", "BE_EXE_BUBBLE.FRALL", met_by("ldfd f6 = [r16]", 1), {n: n for n in (11, 8, 15)}),
    ("l1d.forward", "BE_EXE_BUBBLE.GRALL", met_by("ld8 r11 = [r16]", 2),
     {n: n - 3 for n in (17, 15, 23)}),
    # A store is met on its way for so many cycles.
    ("l1d.store", "L1D_READ_MISSES.ALL", met_by("ld8 r11 = [r16]", 5), {3: 0, 4: 0, 5: 1}),
    ("l1d.unat", "BE_L1D_FPU_BUBBLE.L1D_NATCONF",
     ("\tadd r19 = 512, r16 ;;\n",
      "\tst8.spill [r16] = r0 ;;\n\tld8.fill r11 = [r19] ;;\n" + ONCE), {n: n - 1 for n in (5, 2, 9)}),
    ("dtlb.transfer", "BE_L1D_FPU_BUBBLE.L1D_TLB", pages(33, 4 * KB + 64),
     {n: 33 * n for n in (4, 1, 9)}),
    # And five for the L2D, that has the entry.
    ("hpw.walk", "BE_L1D_FPU_BUBBLE.L1D_HPW", pages(256, 16 * KB),
     {n: 256 * (n + 5) for n in (14, 1, 20)}, "16K"),
    ("l2i.latency", "FE_BUBBLE.IMISS", hops(5, L1_INDEX), {n: 5 * n for n in (7, 4, 12)}),
    ("itlb.transfer", "FE_BUBBLE.TLBMISS", hops(33, 4 * KB + 64), {n: 33 * n for n in (4, 1, 9)}),
    ("prefetch.ahead", "L1I_STRM_PREFETCHES", stream("many", 8), {n: n + 8 for n in (4, 2, 6)}),
    # Of two requests the second waits for its turn; each is a cycle in the queue besides.
    ("bus.request", "SI_RQ_LIVE_REQ_LO.SELF", burst(2), {n: 13 * (n + 1) for n in (12, 4, 20)}),
    ("bus.line", "BUS_DATA_CYCLE.SELF", chase(13, L3_INDEX), {n: 13 * n for n in (24, 8, 40)}),
    ("bus.partial", "BUS_DATA_CYCLE.SELF", ("", "\tst8 [r17] = r0 ;;\n" + ONCE),
     {n: n for n in (3, 1, 9)}, "system"),
)
