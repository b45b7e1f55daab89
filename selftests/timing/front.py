# SPDX-License-Identifier: GPL-2.0-only
"""Loops for the events of the front end: what instruction fetch meets and loses."""

from loops import NOPS, bundle

KB = 1 << 10
FE, LOST, EXIT, IDEAL = ("FE_BUBBLE.", "FE_LOST_BW.", "BE_LOST_BW_DUE_TO_FE.",
                         "IDEAL_BE_LOST_BW_DUE_TO_FE.")
EAR = "L1I_EAR_EVENTS."
WAIT = "\tnop.m 0 ;;\n"
STRAIGHT = bundle("MII", NOPS["M"], NOPS["I"], NOPS["I"])
TWO = bundle("MMI", NOPS["M"], NOPS["M"], NOPS["I"], stop=False)


def branch(target, hint="sptk", predicate="", much="few"):
    return bundle("MIB", NOPS["M"], NOPS["I"], f"{predicate}br.cond.{hint}.{much} {target}")


def hops(lines, stride, before=0, much="few"):
    """A branch in each of @lines lines, @stride bytes apart, behind @before bundles; the last is
    the loop's own."""
    out = STRAIGHT * before
    for k in range(1, lines):
        out += branch(f"{9 + k}f", much=much) + f"\t.skip {stride - 16 * (before + 1)}\n{9 + k}:\n"
        out += STRAIGHT * before
    return "", out


def lost(cause, cycles, where=(LOST,)):
    """Each cycle is one bubble, and two bundles."""
    return {FE + cause: cycles, **{w + cause: 2 * cycles for w in where}}


def apart(distance):
    """Two branches, in places of their own @distance bytes apart, and back."""
    return "", (branch("10f") + f"\t.skip {distance - 16}\n10:\n" + branch("11f") +
                "\t.balign 64\n11:\n")


def wrong(hint):
    """p6 is 0: the branch goes on."""
    return "", branch("1b", hint, "(p6) ") + STRAIGHT * 3


def fma(n):
    return "", "".join(bundle("MFI", NOPS["M"], "fma.d f8 = f8, f1, f0", NOPS["I"])
                       for _ in range(n))


def pairs(n):
    """@n pairs of bundles in @n groups."""
    both = bundle("MMI", NOPS["M"], NOPS["M"], NOPS["I"], stop=False) + branchless()
    return "", both * n


def branchless():
    return bundle("MIB", NOPS["M"], NOPS["I"], NOPS["B"])


def taken_first(way):
    """A bundle in front of the loop's branch, all in one pair and group; and before that a
    branch, as @way says."""
    first = bundle("MMI", NOPS["M"], NOPS["M"], NOPS["I"], stop=False)
    last = "\t.balign 32\n11:\n" + first
    return "", {
        "none": first,
        "first": branch("11f") + last,		# what is behind it in its pair is lost
        "second": first + branch("11f") + last,
        "into second": (first + branch("10f") + "\t.skip 16\n10:\n" + branchless() + last),
    }[way]


def requested(lines):
    """A branch to the second pair of the line behind it, wrongly taken to go on into its first
    pair: that line is one of @lines lines of its index."""
    out = branch("13f") + "\t.skip 32\n13:\n" + branch("12f", "spnt", "(p7) ")
    out += STRAIGHT * 2 + "12:\n" + branch("14f") + f"\t.skip {4 * KB - 48}\n14:\n"
    return "\tcmp.eq p7, p0 = r0, r0 ;;\n", out + hops(lines - 1, 4 * KB)[1]


def flushed(op):
    """A call of a leaf, and what is done to its line."""
    init = "\tmovl r27 = leaves ;;\n\tmov b6 = r27 ;;\n"
    return init, "\tbr.call.sptk.few b7 = b6 ;;\n" + WAIT * 20 + f"\t{op} ;;\n" + WAIT * 20


def called(attribute):
    """A call of a bundle whose address has the bit that makes it uncached, or not."""
    init = f"\tmovl r21 = 10f\n\tmovl r22 = {attribute} << 63 ;;\n\tor r21 = r21, r22 ;;\n"
    body = ("\tbr.call.sptk.few b7 = b6 ;;\n\tbr.cond.sptk.few 11f ;;\n\t.balign 64\n"
            "10:\tbr.ret.sptk.few b7 ;;\n\t.balign 64\n11:\n")
    return init + "\tmov b6 = r21 ;;\n", body


def purged(op):
    return "\tmovl r18 = 2 << 61\n\tmov r19 = 24 << 2 ;;\n", f"\t{op} ;;\n\tsrlz.d ;;\n"


def stream(much, lines):
    """A branch to @lines lines, a bundle a cycle, and the loop's end behind them."""
    return "", branch("10f", much=much) + "\t.balign 64\n10:\n" + STRAIGHT * (4 * lines)


def hinted(hints, first, nr, stride=4 * KB):
    """@hints a cycle, @nr cycles; together they name lines @stride bytes apart, from line @first
    on, in code that nobody runs, and a wait until all are there."""
    out = ""
    for k in range(nr):
        slots = [f"brp.sptk 20f + {stride * (first + k * hints + i)}, 19f" for i in range(hints)]
        out += bundle("BBB", *(slots + [NOPS["B"]] * 3)[:3])
    out += WAIT * 60 + "19:\n" + branch("21f")
    return "", out + f"\t.balign 64\n20:\t.skip {stride * 24}\n21:\n"


def missed(hints):
    """Hints one a cycle, and then a fetch, all of which miss the L1I."""
    out = "".join(bundle("BBB", f"brp.sptk 20f + {4 * KB * (k + 1)}, 19f", NOPS["B"], NOPS["B"])
                  for k in range(hints))
    return "", (out + "19:\n" + branch("20f") + f"\t.balign 64\n\t.skip {4 * KB}\n20:\n" +
                branch("21f") + f"\t.skip {96 * KB}\n21:\n")


def moved(hint):
    """Hints name the place of the branch, too."""
    place = ", 1b" if hint else ""
    return "\tmovl r27 = 1f ;;\n", f"\tmov{hint} b6 = r27{place} ;;\n"


def strayed(hint):
    """Four lines of an index of the L1I, and a branch that is not taken to a fifth."""
    def line(n, code):
        return f"{n}:\n" + code + f"\t.balign 64\n\t.skip {4 * KB - 64}\n"
    return "", (line(14, branch("10f", hint, "(p6) ") + branch("11f")) + line(10, STRAIGHT * 4) +
                line(11, branch("12f")) + line(12, branch("13f")) + "13:\n")


def behind(hint, target):
    """A branch that is not taken, to bundles that are there when it issues."""
    return "", (fma(8)[1] + branch("10f", hint, "(p6) ") + branch("11f") +
                "\t.balign 64\n10:\n" + target * 4 + "\t.balign 64\n11:\n")


def filled(lines, second):
    """@lines lines of the loop's index of the L1I, each left for one that stays there: in its
    @second pair of bundles or the first."""
    out = ""
    for k in range(lines):
        out += (TWO + branchless()) * second + TWO + branch(f"{30 + k}f")
        out += f"\t.balign 64\n\t.skip {2 * KB - 64}\n{30 + k}:\n"
        out += TWO + branch(f"{10 + k}f") + f"\t.balign 64\n\t.skip {2 * KB - 64}\n{10 + k}:\n"
    return "", out


def not_taken(nr):
    """@nr pairs of bundles, each a group, with a branch that goes on; or without any."""
    last = bundle("MIB", NOPS["M"], NOPS["I"], "(p6) br.cond.spnt.few 9f")
    first = bundle("MIB", NOPS["M"], NOPS["I"], NOPS["B"], stop=False)
    return "", "\t.balign 32\n" + (first + last) * nr + "9:\n"


def no_branches(nr):
    return "", "\t.balign 32\n" + (TWO + branchless()) * nr


# What is done: events with what each trip adds; with it; without it.
ROWS = (
    # Four fetches of what the L1I has, in the cycle behind that in which a second pair comes.
    ("a line is written as another is fetched from the L1I",
     {**lost("FILL_RECIRC", 4, (LOST, EXIT, IDEAL)), FE + "GROUP3": 4}, filled(4, 1), filled(4, 0)),
    # Eight with the loop's own, one a cycle; each stays for three: two in three cycles.
    ("branches, for two entries of the branch retirement queue",
     {FE + "BRANCH": 4, **{w + "BRQ": 8 for w in (LOST, EXIT, IDEAL)}}, not_taken(7),
     no_branches(7), "brq.entries=2"),
    ("five lines of an index of the L1I, which has four ways",
     {**{e: 5 for e in ("L2I_DEMAND_READS", "L2I_READS.ALL.DMND", "L2I_READS.HIT.DMND",
                        "L2I_READS.ALL.ALL", "L2I_READS.HIT.ALL", "L1I_FILLS")},
      "ISB_BUNPAIRS_IN": 10, EAR + "CACHE.LAT0": 5, EAR + "CACHE.LAT4": 5, FE + "GROUP2": 35, **lost("IMISS", 35, (LOST, EXIT, IDEAL))},
     hops(5, 4 * KB), hops(4, 4 * KB)),
    ("the second pair of such a line", {"L1I_FETCH_ISB_HIT": 5},
     hops(5, 4 * KB, 2), hops(4, 4 * KB, 2)),
    ("a line that is requested and not there yet", {"L1I_FETCH_RAB_HIT": 1,
                                                    EAR + "CACHE.RAB": 1},
     requested(5), requested(4)),
    # An entry takes its lines with it (2.4.3.1.1): each page has one, which the L2I brings.
    ("33 pages of 4 KB, for 32 entries of the L1 ITLB",
     {"ITLB_MISSES_FETCH.L1ITLB": 33, "ITLB_MISSES_FETCH.ALL": 33,
      "L1I_FILLS": 33, "L2I_READS.HIT.DMND": 33, FE + "IMISS": 33 * 7, FE + "GROUP2": 33 * (4 + 7),
      **{EAR + f"TLB.{k}": 33 for k in ("L2TLB", "L2TLB_OR_VHPT", "L2TLB_OR_FAULT", "ALL")},
      **lost("TLBMISS", 33 * 4, (LOST, EXIT, IDEAL))},
     hops(33, 4 * KB + 64), hops(31, 4 * KB + 64)),
    ("144 pages of 16 KB, for 128 entries of the L2 ITLB",
     {"ITLB_MISSES_FETCH.L2ITLB": 144, "L1ITLB_INSERTS_HPW": 144,
      **{EAR + f"TLB.{k}": 144 for k in ("VHPT", "VHPT_OR_FAULT")}},
     hops(144, 16 * KB + 64), hops(64, 16 * KB + 64)),
    ("a branch that is mispredicted", {**lost("FEFLUSH", 6, (LOST, EXIT, IDEAL)),
                                       FE + "ALLBUT_IBFULL": 6},
     wrong("sptk"), wrong("spnt")),
    ("taken branches whose targets push each other out", {**lost("BUBBLE", 2), FE + "GROUP1": 2},
     apart(16 * KB), apart(8 * KB)),
    ("80 cycles, and 11 pairs of bundles", {**lost("IBFULL", 69),
                                            FE + "ALLBUT_FEFLUSH_BUBBLE": 69,
                                            FE + "ALL": 69},
     fma(20), pairs(4)),
    ("a branch in the first bundle of a pair",
     {w + "UNREACHED": 1 for w in (LOST, EXIT, IDEAL)}, taken_first("first"), taken_first("none")),
    ("a branch into the second bundle of a pair",
     {w + "UNREACHED": 1 for w in (LOST, EXIT, IDEAL)}, taken_first("into second"),
     taken_first("second")),
    # One line a cycle from the fetch of the target on, until the next branch: four at once, one
    # as fetch enters each of the eight behind; held back in what is left of 31 cycles.
    ("a branch that prefetches, to nine lines in 33 cycles",
     {"L1I_STRM_PREFETCHES": 12, "L1I_PREFETCHES": 12, "L1I_PREFETCH_STALL.FLOW": 19,
      "L1I_PREFETCH_STALL.ALL": 19}, stream("many", 8), stream("few", 8)),
    ("five such branches, whose streams push each other out",
     {e: 20 for e in ("L2I_PREFETCHES", "L2I_READS.ALL.PFTCH", "L2I_READS.HIT.PFTCH")},
     hops(6, 4 * KB, much="many"), hops(6, 4 * KB)),
    ("brp names two lines, in a page that the L1 ITLB has or has not", {"L1I_PREFETCHES": 2},
     hinted(1, 0, 2, 64), hinted(1, 1, 2)),
    *((f"mov{hint} to a branch register", {"L1I_PREFETCHES": 1}, moved(hint), moved(""))
      for hint in (".sptk", ".dptk", ".ret.sptk")),
    ("a line of instructions is flushed",
     {"L1I_SNOOP": 1, "L2I_SNOOP_HITS": 1, "L2I_READS.MISS.ALL": 1, "L2I_READS.MISS.DMND": 1},
     flushed("fc r27"), flushed("nop.m 0")),
)
# What it adds to counts that are not 0 without it.
MORE_ROWS = (
    ("a misprediction: two groups of three are flushed, and four cycles stalled",
     {"INST_DISPERSED": 6, "DISP_STALLED": 4, "SYLL_NOT_DISPERSED.ALL": 6},
     behind("sptk", STRAIGHT), behind("spnt", STRAIGHT)),
    ("and two groups of six", {"INST_DISPERSED": 12, "DISP_STALLED": 4},
     behind("sptk", TWO), behind("spnt", TWO)),
)
# Likewise without an operating system.
SYSTEM_ROWS = (
    # The first is fetched again behind the flush, and stays.
    ("five lines of an index of the L1I, one of which only a wrong path fetches",
     {"L2I_DEMAND_READS": 4}, strayed("sptk"), strayed("spnt")),
    ("nine lines of an index of the L2I, which has eight ways",
     {e: 9 for e in ("L2I_READS.MISS.DMND", "L2I_READS.MISS.ALL", "L2I_VICTIMIZATIONS",
                     "L3_READS.INST_FETCH.ALL", "L3_READS.INST_FETCH.HIT",
                     EAR + "CACHE.LAT8", EAR + "CACHE.LAT16")},
     hops(9, 128 * KB), hops(8, 128 * KB)),
    ("nine streams of two lines of the L2I each, which push each other out",
     {"L2I_READS.MISS.PFTCH": 18, "L2I_READS.HIT.PFTCH": 18},
     hops(10, 128 * KB, much="many"), hops(10, 128 * KB)),
    # Each is in the RAB for 9 cycles: until its line is written.
    ("seven hints, one a cycle: all entries for prefetches", {"L1I_RAB_ALMOST_FULL": 3},
     hinted(1, 0, 7), hinted(1, 0, 6)),
    ("an eighth has to wait", {"L1I_PREFETCH_STALL.ALL": 2}, hinted(1, 0, 8), hinted(1, 0, 7)),
    # Eight requests take the L2I eight cycles, whichever comes first.
    ("a fetch has the last entry", {"L1I_RAB_FULL": 9 - 7}, missed(7), missed(6)),
    # Two stay of each three: nine behind the fourth.
    ("twelve hints, three a cycle, and one of them leaves", {"L1I_PVAB_OVERFLOW": 1},
     hinted(3, 0, 4), hinted(3, 0, 3)),
    ("instructions that are not cached",
     {**{f"L2I_UC_READS.{r}.{k}": 1 for r in ("ALL", "MISS") for k in ("ALL", "DMND")},
      "L2I_DEMAND_READS": 1, "ISB_BUNPAIRS_IN": 1, "BUS_RD_PRTL.SELF": 1},
     called(1), called(0)),
    ("a purge of translations", {"L1I_PURGE": 1}, purged("ptc.l r18, r19"), purged("nop.m 0")),
)
