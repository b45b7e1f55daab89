# SPDX-License-Identifier: GPL-2.0-only
"""Loads by level of the caches and TLBs, stores, branches and instruction fetch."""

import math

from loops import COPIES, NOPS, Row, bundle, loop, per_copy, single

PAGE = 16 << 10
L1_LINE, L2_LINE = 64, 128
L2_SAME_SET = 32 << 10			# lines so far apart have one index in the L2D
LOADS = 16				# a trip


def chase(stride, count, step, steps=LOADS):
    """Round a ring of @count words in region 2, @stride bytes from one to the next."""
    before = f"""\
	movl r14 = CHASE
	movl r15 = {stride}
	movl r16 = {count}
	mov r17 = ar.lc
	cmp.ne p6, p0 = r0, r36
	ssm PSR_DT ;;
	srlz.d
	mov r8 = r14
	(p6) br.cond.sptk.few 2f ;;
	mov r40 = r17
	movl r9 = 2f ;;
	mov b3 = r9
	br.cond.sptk.few ring ;;
2:	(p0) nop.i 0
	cmp.eq p6, p0 = r0, r36 ;;
	(p6) mov r17 = r40 ;;
	mov ar.lc = r17
	mf ;;
"""
    return loop("".join(step) * steps, before)


TO_ADDRESS = [single("M", "ld8 r8 = [r8]")]
TO_ALU = [single("M", "ld8 r9 = [r8]"), single("A", "add r8 = r9, r0")]
BY_FP = [single("M", "ldf8 f9 = [r8]"), single("M", "getf.sig r8 = f9")]


def chase_row(name, stride, count, expected, source, step, less, counts=True):
    # whole rounds, a thousand loads at least
    round_trips = math.lcm(count, LOADS) // LOADS
    few = round_trips * -(-1024 // (round_trips * LOADS))
    trips = (few, 2 * few)
    # what the last group of a trip takes is hidden by a wait for an address
    found = (per_copy(LOADS, less) if step is TO_ALU else
             lambda cycles, rows: cycles / LOADS - less)
    return Row("memory", name, expected, source, chase(stride, count, step),
               found, trips=trips, counts=counts)


def plus(expected, n):
    return (expected[0] + n, expected[1] + n) if isinstance(expected, tuple) else expected + n


def loads():
    manual = "manual table 2-8, notes 3 and 4; table 2-9"
    for level, sets, expected in (
            ("L1D", ((4 << 10, L1_LINE), (8 << 10, L1_LINE), (16 << 10, L1_LINE)), 1),
            # in at most 24 pieces of 4 KB: the L1 DTLB has 32
            ("L2D", ((32 << 10, L1_LINE), (64 << 10, L1_LINE), (96 << 10, L1_LINE)), 5),
            # more lines of one L2D set than it has ways
            ("L3", ((24 * L2_SAME_SET, L2_SAME_SET), (16 * L2_SAME_SET, L2_SAME_SET)), 14),
            # 32 loads a page
            ("memory", ((32 << 20, PAGE // 32), (64 << 20, PAGE // 32)), (180, 225))):
        for size, stride in sets:
            at = f"{level}, {size >> 10} KB by {stride} bytes"
            count = size // stride
            yield chase_row(f"{at}: load to ALU", stride, count, expected, manual, TO_ALU, 1)
            yield chase_row(f"{at}: load to address", stride, count, plus(expected, 1), manual,
                            TO_ADDRESS, 0)
            if level != "L1D":
                yield chase_row(f"{at}: FP load to getf", stride, count, plus(expected, 1),
                                manual, BY_FP, 6)
    published = "published, {} (about); the level's from the manual"
    for name, stride, count, expected, what in (
            ("64 pages, L2D", PAGE + L2_LINE, 64, 6 + 4, "L1 DTLB miss 4"),
            # table 2-8, note 3: 15 where the early bypass is not taken
            ("100 pages, L3", L2_SAME_SET, 100, 15 + 1 + 4, "L1 DTLB miss 4"),
            ("256 pages, L2D", PAGE + L2_LINE, 256, 6 + 4 + 15, "L1 DTLB miss 4, walk 15"),
            # "about 15": the walker's table is in lines that not all loads share
            ("256 pages, L3", L2_SAME_SET, 256, (15 + 1 + 4 + 15, 15 + 1 + 4 + 16),
             "L1 DTLB miss 4, walk 15 to 16")):
        yield chase_row(f"one load a page, {name}: load to address", stride, count, expected,
                        published.format(what), TO_ADDRESS, 0)


def stores():
    m, i = NOPS["M"], NOPS["I"]
    source = "manual 2.1.2: two integer loads and two stores a cycle"
    st = [f"st8 [r{16 + k}] = r0" for k in range(4)]
    ld = [f"ld8 r{40 + k} = [r20]" for k in range(COPIES * 2)]
    bank = "\tmov r18 = r16\n\tmov r19 = r17\n"
    yield Row("memory", "two stores a cycle, four banks", 1, source,
              loop("".join(bundle("MMI", st[2 * k % 4], st[2 * k % 4 + 1], i)
                           for k in range(COPIES))), per_copy())
    yield Row("memory", "two loads and two stores a cycle", 1, source,
              loop("".join(bundle("MMI", ld[2 * k], ld[2 * k + 1], i, stop=False) +
                           bundle("MMI", st[2 * k % 4], st[2 * k % 4 + 1], i)
                           for k in range(COPIES))), per_copy())
    yield Row("memory", "four floating-point loads a cycle, four banks", 1,
              "manual 2.3.3.2: four accesses a cycle, banks of 16 bytes",
              loop("".join(
                  bundle("MMI", f"ldfd f{32 + 4 * k} = [r16]", f"ldfd f{33 + 4 * k} = [r17]", i,
                         stop=False) +
                  bundle("MMI", f"ldfd f{34 + 4 * k} = [r18]", f"ldfd f{35 + 4 * k} = [r19]", i)
                  for k in range(COPIES))), per_copy())


def hops(count, stride):
    """@count bundles, each with a taken branch to the next, @stride bytes apart, in other
    places of their lines and slots: their predictions are kept apart."""
    def place(k):
        return 16 * ((k + k // 4) % 4)
    out = "\t.balign 32768\n1:\n"
    for k in range(count):
        branch = f"br.cond.sptk.few {10 + k}f" if k < count - 1 else "br.cloop.sptk.few 1b"
        slots = [branch, NOPS["B"]] if 3 <= k < count - 1 else [NOPS["B"], branch]
        out += bundle("MBB", NOPS["M"], *slots)
        if k < count - 1:
            out += f"\t.skip {stride - 16 + place(k + 1) - place(k)}\n{10 + k}:\n"
    return out + "\tbr.cond.sptk.few row_done ;;\n"


# A misprediction: nothing is in the buffer that bubbles could hide behind.
EMPTY = "\tcmp.eq p6, p0 = r0, r0 ;;\n\t(p6) br.cond.spnt.few 9f ;;\n9:\n"


def inner_loops():
    """A loop inside another, of groups of two bundles, less these: behind a misprediction the
    buffer is empty, and fills no faster than it is emptied, so that each bubble shows."""
    def pair(m, last=NOPS["I"], i=NOPS["I"]):
        return (bundle("MFI", m, NOPS["F"], i, stop=False) +
                bundle("MFB" if "br." in last else "MFI", NOPS["M"], NOPS["F"], last))
    groups = (pair(NOPS["M"], i="mov.i ar.lc = r10"), pair(NOPS["M"]),
              "2:\n" + pair(NOPS["M"], "br.cloop.sptk.few 2b"), pair("add r8 = -1, r8"),
              pair("cmp.le p6, p7 = r0, r8"), pair(NOPS["M"], "(p6) br.cond.spnt.few 1b"))
    code = ("\tmov r8 = ar.lc\n\tmov r10 = 16 ;;\n\t.balign 64\n1:\n" + "".join(groups) +
            "\tbr.cond.sptk.few row_done ;;\n")
    return code, lambda cycles, rows: cycles - (len(groups) + 16) - 6


# A loop of one bundle, as a copy is (Documentation/disagreements.rst, "A loop of one bundle").
ONE_BUNDLE = "\t.balign 64\n1:\n" + bundle("MIB", NOPS["M"], NOPS["I"], "br.cloop.sptk.few 1b")


def front_end():
    per_hop = {n: lambda cycles, rows, n=n: cycles / n for n in (4, 8)}
    free = "assumption: a taken branch seen before costs no cycle"
    yield Row("front end", "four taken branches in four lines", 1, free, hops(4, 64), per_hop[4],
              counts=False)
    yield Row("front end", "a loop of one bundle", 1, free,
              ONE_BUNDLE + "\tbr.cond.sptk.few row_done ;;\n", counts=False,
              beside="1.7 in a paper, of a copy")
    four = "four lines of one L1I set, branch to branch"
    yield Row("front end", four, 1, free, hops(4, 4096), per_hop[4], counts=False)
    yield Row("front end", "eight lines of one L1I set, less that: L2I", 7,
              "manual 2.3.3.2: seven cycles; table 2-9", hops(8, 4096),
              lambda cycles, rows: per_hop[8](cycles, rows) - rows[four].measured)
    yield Row("front end", "a call and its return", 3,
              "two groups; assumption: a call seen before costs no cycle, a return one",
              loop(bundle("MIB", NOPS["M"], NOPS["I"], "br.call.sptk.few b6 = 5f") * COPIES,
                   EMPTY, aside="5:\n" + single("B", "br.ret.sptk.few b6")), per_copy(),
              counts=False)
    yield Row("front end", "an indirect branch, its register written long before", 3,
              "one group; assumption: reading a branch register takes two cycles",
              loop("".join(single("B", f"br.cond.sptk.few b{1 + k}") + f"{10 + k}:\n"
                           for k in range(6)),
                   "".join(f"\tmovl r8 = {10 + k}f ;;\n\tmov b{1 + k} = r8\n"
                           for k in range(6)) + EMPTY),
              per_copy(6), counts=False)
    yield Row("front end", "the end of a counted loop", 2,
              "assumption: the perfect loop predictor takes two cycles",
              *inner_loops(), counts=False)
    wrong = "assumption: the Itanium 2's, from the branch to the group behind it"
    yield Row("front end", "mispredicted: a branch goes on, hinted taken", 6, wrong,
              loop(single("B", "(p6) br.cond.sptk.few row_done") * COPIES), per_copy(less=1),
              counts=False)
    yield Row("front end", "mispredicted: a target, in a register written just before", 6, wrong,
              loop(single("M", NOPS["M"]) + single("A", "xor r8 = r9, r8") +
                   single("I", "mov b6 = r8") + single("B", "br.cond.sptk.few b6") +
                   "5:\n" + single("B", "br.cond.sptk.few 7f") +
                   "6:\n" + single("M", NOPS["M"]) + "7:\n",
                   "\tmovl r8 = 5f\n\tmovl r9 = 6f ;;\n\txor r9 = r8, r9\n"),
              per_copy(1, less=5), counts=False)
