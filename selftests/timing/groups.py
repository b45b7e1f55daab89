# SPDX-License-Identifier: GPL-2.0-only
"""Loops for what disperses, waits and retires."""

import front
from loops import NOPS, bundle

KB = 1 << 10
EXE, SYLL, OVER = "BE_EXE_BUBBLE.", "SYLL_NOT_DISPERSED.", "SYLL_OVERCOUNT."
CAUSES = ("EXPL", "IMPL", "FE", "MLX")
WAIT = "\tnop.m 0 ;;\n"
M, I = NOPS["M"], NOPS["I"]
LOOP = bundle("MIB", M, I, "br.cloop.sptk.few 1b")
OPEN = bundle("MMI", M, M, I, stop=False)	# its group goes on


def lost(cause, slots):
    """In every unit mask that has the cause."""
    return {SYLL + "_OR_".join(c for i, c in enumerate(CAUSES) if mask >> i & 1): slots
            for mask in range(1, 15) if mask >> CAUSES.index(cause) & 1} | {SYLL + "ALL": slots}


def once(event, *masks, n=1):
    return {f"{event}.{m}" if m else event: n for m in masks or ("",)}


# One pair of bundles, all of which issues in one cycle.
PAIR = ("", OPEN, LOOP)
# Loads and stores in a group of their own, with room behind.
IDLE = WAIT * 20


def alone(code, init=""):
    return init, code + IDLE


NOTHING = alone(WAIT)
CALL = "\tbr.call.sptk.few b7 = 3f ;;\n\tbr.cond.sptk.few 4f ;;\n3:\tbr.ret.sptk.few b7 ;;\n4:\n"
# IP-relative calls have opcode 5; a function of the guest's own is a range.
CALLS, INNER = "opc=0xa000000000/0x1fffffffff/b", "iar=inner"
FUNCTION = ("%s\tbr.cond.sptk.few 4f ;;\n\t.balign 16\n\t.proc inner\ninner:\n3:\tnop.m 0\n"
            "\tbr.ret.sptk.few b7 ;;\n\t.endp inner\n4:\n")
CALL_3 = "\tbr.call.sptk.few b7 = 3f ;;\n"
JUMP_3 = "\tbr.cond.sptk.few 2f ;;\n2:\n"
ASIDE = "\t.section .text.aside, \"ax\"\n6:\tbr.cond.sptk.few 5f ;;\n\t.previous\n5:\n"
CHKS = "\tchk.s.m %s, 6f ;;\n" + ASIDE

def hops(lines, stride):
    """Pairs of bundles that issue together, each in a line of its own and with a branch to the
    next; the last is the loop's."""
    return "", "".join(OPEN + front.branch(f"{9 + k}f") + f"\t.skip {stride - 32}\n{9 + k}:\n"
                       for k in range(1, lines)) + OPEN, LOOP


# What is done: events with what each trip adds; with it; without it, or None: the same loop
# has none of them at levels 0 to 2; parameters of the model.
ROWS = (
    ("two bundles that issue together",
     {"IA64_INST_RETIRED": 6, "IA64_INST_RETIRED.THIS": 6, "INST_DISPERSED": 6,
      **{f"IA64_TAGGED_INST_RETIRED.IBRP{i}_PMC{'34_35' if i % 2 else '32_33'}": 6
         for i in range(4)},
      "CPU_OP_CYCLES.ALL": 1, "CPU_OP_CYCLES.QUAL": 1, "SI_CYCLES": 1, "L1I_READS": 1,
      "BRANCH_EVENT": 1, "ETB_EVENT": 1, "BR_MISPRED_DETAIL.ALL.ALL_PRED": 1,
      "BR_MISPRED_DETAIL.IPREL.ALL_PRED": 1}, PAIR, None),
    ("nops", {"NOPS_RETIRED": 5}, PAIR,
     ("", bundle("MMI", *(f"add r{n} = 1, r8" for n in (11, 12, 13)), stop=False),
      bundle("MIB", "add r14 = 1, r8", "add r15 = 1, r8", "br.cloop.sptk.few 1b"))),
    ("a false predicate", {"PREDICATE_SQUASHED_RETIRED": 1}, alone("\t(p6) add r11 = 1, r8 ;;\n"),
     NOTHING),
    ("a stop behind the first of two bundles", lost("EXPL", 3),
     ("", OPEN.replace("}", ";; }") + OPEN, LOOP), PAIR),
    ("a stop in the second of two bundles: one slot has issued",
     {**lost("EXPL", 4), OVER + "EXPL": 1, OVER + "ALL": 1},
     ("", OPEN + "\t{ .mmi\n\tnop.m 0 ;;\n\tnop.m 0\n\tnop.i 0\n\t}\n", LOOP), PAIR),
    ("a fifth memory port: the second bundle waits", lost("IMPL", 3),
     ("", bundle("MMI", "ld8 r11 = [r16]", "ld8 r12 = [r16]", I, stop=False) +
      bundle("MMI", "ld8 r13 = [r16]", "ld8 r14 = [r16]", I, stop=False), LOOP), PAIR),
    ("a second I0 in the last slot: two slots have issued",
     {**lost("IMPL", 5), OVER + "IMPL": 2, OVER + "ALL": 2},
     ("", bundle("MMI", M, M, "pmpyshr2 r11 = r8, r9, 0", stop=False) +
      bundle("MMI", M, M, "pmpyshr2 r12 = r8, r9, 0", stop=False), LOOP), PAIR),
    ("movl: one slot without an instruction", lost("MLX", 1),
     ("", bundle("MLX", M, "movl r11 = 1", stop=False), LOOP), PAIR),
    ("a floating-point result waits for another: 4 cycles",
     {EXE + "FRALL": 3, EXE + "ALL": 3, "DISP_STALLED": 3, "BACK_END_BUBBLE.ALL": 3},
     ("", bundle("MFI", M, "fma.d f8 = f8, f1, f0", I, stop=False), LOOP),
     ("", bundle("MFI", M, "fcmp.eq p6, p7 = f0, f1", I, stop=False), LOOP)),
    # One cause a cycle (Documentation/facts/disagreements.md): the general register is there first.
    ("a group waits for a floating-point and a general register",
     {EXE + "FRALL": 3, EXE + "ALL": 3, EXE + "GRALL": 0, EXE + "GRGR": 0},
     ("", bundle("MFI", "add r12 = 1, r11", "fma.d f8 = f8, f1, f0", "shl r11 = r8, r9",
                 stop=False), LOOP),
     ("", bundle("MFI", M, "fcmp.eq p6, p7 = f0, f1", I, stop=False), LOOP)),
    ("a multimedia result is there after 3 cycles", {EXE + "GRALL": 2, EXE + "GRGR": 2},
     ("", bundle("MII", M, "shl r11 = r8, r9", I) + bundle("MII", M, "add r12 = 1, r11", I,
                                                           stop=False), LOOP),
     ("", bundle("MII", M, "shl r11 = r8, r9", I) + bundle("MII", M, "add r12 = 1, r8", I,
                                                           stop=False), LOOP)),
    ("a predicate that is there after 2 cycles", {EXE + "PR": 1, EXE + "ARCR_PR_CANCEL_BANK": 1},
     ("", bundle("MFI", M, "fcmp.eq p6, p7 = f0, f1", I) +
      bundle("MII", M, "(p6) add r11 = 1, r8", I, stop=False), LOOP),
     ("", bundle("MFI", M, "fcmp.eq p6, p7 = f0, f1", I) +
      bundle("MII", M, "add r11 = 1, r8", I, stop=False), LOOP)),
    ("AR.EC is read behind its write", {EXE + "ARCR": 1},
     alone("\tmov.i ar.ec = r0 ;;\n\tmov.i r11 = ar.ec ;;\n"), alone("\tmov.i ar.ec = r0 ;;\n")),
    ("a branch that is mispredicted", once("BE_FLUSH_BUBBLE", "BRU", "ALL", n=6),
     ("", bundle("MIB", M, I, "(p6) br.cond.sptk.few 1b") + OPEN, LOOP),
     ("", bundle("MIB", M, I, "(p6) br.cond.spnt.few 1b") + OPEN, LOOP)),
    ("srlz.i", {"SERIALIZATION_EVENTS": 1, "BE_FLUSH_BUBBLE.XPN": 7, "FE_BUBBLE.FEFLUSH": 7},
     alone("\tsrlz.i ;;\n"),
     NOTHING),
    ("a load and a store",
     {**once("LOADS_RETIRED"), **once("LOADS_RETIRED_INTG"), **once("STORES_RETIRED"),
      "DATA_REFERENCES_SET0": 2, "DATA_REFERENCES_SET1": 2, "L1D_READS_SET0": 1,
      "L1D_READS_SET1": 1}, alone("\tld8 r11 = [r16]\n\tst8 [r17] = r0 ;;\n"), NOTHING),
    ("misaligned", once("MISALIGNED_LOADS_RETIRED") | once("MISALIGNED_STORES_RETIRED"),
     alone("\tld4 r11 = [r19]\n\tst4 [r19] = r0 ;;\n", "\tadd r19 = 3, r16 ;;\n"),
     alone("\tld4 r11 = [r16]\n\tst4 [r16] = r0 ;;\n")),
    ("fma, in two halves", {"FP_OPS_RETIRED": 4}, alone("\tfpma f8 = f1, f1, f1 ;;\n"), NOTHING),
    ("a return", {"BR_MISPRED_DETAIL.RETURN.ALL_PRED": 1}, alone(CALL), NOTHING),
    ("a call among other branches, by its opcode and by the range it is in",
     {f"BR_MISPRED_DETAIL.ALL.ALL_PRED:{which}": 1 for which in (CALLS, INNER)} |
     {f"BR_PATH_PRED.ALL.OKPRED_TAKEN:{which}": 1 for which in (CALLS, INNER)},
     alone(FUNCTION % CALL_3), alone(FUNCTION % JUMP_3)),
    ("an indirect branch", {"BR_MISPRED_DETAIL.NRETIND.ALL_PRED": 1},
     alone("\tbr.cond.sptk.few b6 ;;\n3:\n", "\tmovl r19 = 3f ;;\n\tmov b6 = r19 ;;\n"), NOTHING),
    ("an advanced load that a store has met", once("INST_FAILED_CHKA_LDC_ALAT", "ALL", "INT"),
     alone("\tld8.a r11 = [r16] ;;\n\tst8 [r16] = r0 ;;\n\tld8.c.clr r11 = [r16] ;;\n"),
     alone("\tld8.a r11 = [r16] ;;\n\tst8 [r17] = r0 ;;\n\tld8.c.clr r11 = [r16] ;;\n")),
    ("and a floating-point one", once("INST_FAILED_CHKA_LDC_ALAT", "FP"),
     alone("\tldfd.a f8 = [r16] ;;\n\tst8 [r16] = r0 ;;\n\tldfd.c.clr f8 = [r16] ;;\n"),
     alone("\tldfd.a f8 = [r16] ;;\n\tst8 [r17] = r0 ;;\n\tldfd.c.clr f8 = [r16] ;;\n")),
    ("a check", once("INST_CHKA_LDC_ALAT", "ALL", "INT"),
     alone("\tld8.a r11 = [r16] ;;\n\tld8.c.clr r11 = [r16] ;;\n"), NOTHING),
    ("a floating-point check", once("INST_CHKA_LDC_ALAT", "FP"),
     alone("\tldfd.a f8 = [r16] ;;\n\tldfd.c.clr f8 = [r16] ;;\n"), NOTHING),
    ("32 entries of the ALAT, and 33 loads", once("ALAT_CAPACITY_MISS", "ALL", "INT"),
     alone("\tinvala ;;\n" + "".join(f"\tld8.a r{n} = [r16] ;;\n" for n in range(35, 68))),
     alone("\tinvala ;;\n" + "".join(f"\tld8.a r{n} = [r16] ;;\n" for n in range(35, 67)))),
    ("33 floating-point loads", once("ALAT_CAPACITY_MISS", "FP"),
     alone("\tinvala ;;\n" + "".join(f"\tldfd.a f{n} = [r16] ;;\n" for n in range(35, 68))),
     alone("\tinvala ;;\n" + "".join(f"\tldfd.a f{n} = [r16] ;;\n" for n in range(35, 67)))),
    ("a load from no page: the system asks for NaT",
     once("SPEC_LOADS_NATTED", "ALL", "DEF_PSR_ED") |
     once("INST_FAILED_CHKS_RETIRED", "ALL", "INT"),
     alone("\tld8.s r11 = [r19] ;;\n" + CHKS % "r11", "\tmovl r19 = 1 << 61 ;;\n"),
     alone("\tld8.s r11 = [r16] ;;\n" + CHKS % "r11")),
    ("a load from a NaT", once("SPEC_LOADS_NATTED", "NAT_CNSM"),
     alone("\tld8.s r11 = [r21] ;;\n", "\tmovl r19 = 1 << 61 ;;\n\tld8.s r21 = [r19] ;;\n"),
     alone("\tld8.s r11 = [r16] ;;\n")),
    ("a NaTVal that is checked",
     once("INST_FAILED_CHKS_RETIRED", "FP") | {"BE_FLUSH_BUBBLE.XPN": 7},
     alone(CHKS.replace("chk.s.m", "chk.s") % "f8",
           "\tmovl r19 = 1 << 61 ;;\n\tldfd.s f8 = [r19] ;;\n"),
     alone(CHKS.replace("chk.s.m", "chk.s") % "f1")),
    ("a tiny result is flushed", {"FP_FLUSH_TO_ZERO.FTZ_REAL": 1},
     alone("\tfmpy.s.s1 f8 = f9, f9 ;;\n",
           "\tfsetc.s1 0x7f, 0x01\n\tmov r19 = 0xff81 ;;\n\tsetf.exp f9 = r19 ;;\n"),
     alone("\tfmpy.s.s1 f8 = f1, f1 ;;\n", "\tfsetc.s1 0x7f, 0x01 ;;\n")),
    ("flags that another status field has not", {"FP_FAILED_FCHKF": 1},
     alone("\tfchkf.s1 6f ;;\n" + ASIDE,
           "\tfsetc.s1 0x7f, 0x01\n\tmov r19 = 0xff81 ;;\n\tsetf.exp f9 = r19 ;;\n"
           "\tfmpy.s.s1 f8 = f9, f9 ;;\n"),
     alone("\tfchkf.s1 6f ;;\n" + ASIDE)),
    ("a system call", {"CPU_CPL_CHANGES.ALL": 2, "CPU_CPL_CHANGES.LVL0": 2,
                       "CPU_CPL_CHANGES.LVL3": 2},
     ("", "\tmov r15 = 1024 ;;\n\tbreak.i 0x100000 ;;\n"), ("", WAIT)),
    # 7 cycles each, and two of the branches push each other's targets out.
    ("five lines of an index of the L1I, which has four ways",
     {"BACK_END_BUBBLE.FE": 5 * 7 + 2, **{f"{where}.ALL": 2 * (5 * 7 + 2) for where in (
         "FE_LOST_BW", "BE_LOST_BW_DUE_TO_FE", "IDEAL_BE_LOST_BW_DUE_TO_FE")}},
     hops(5, 4 * KB), hops(4, 4 * KB)),
    ("taken branches whose targets push each other out",
     {"BE_LOST_BW_DUE_TO_FE.BUBBLE": 4, "IDEAL_BE_LOST_BW_DUE_TO_FE.BUBBLE": 4}, hops(2, 16 * KB),
     hops(2, 8 * KB)),
    ("a branch into the second bundle of a pair, which issues alone", lost("FE", 3),
     ("", OPEN + front.branch("10f") + "\t.skip 16\n10:\n" + OPEN * 2, LOOP), hops(2, 8 * KB)),
)
# Likewise without an operating system: references are physical, r16 is memory, r17 the same
# uncached.
DEBUG = ("\tmov r18 = r0\n\tmov r19 = 1\n\tmovl r21 = %s << 56 | 0xfffffffffffff8 ;;\n"
         "\tmov dbr[r18] = r16 ;;\n\tmov dbr[r19] = r21 ;;\n\tadd r22 = 8, r16\n\tsrlz.d ;;\n")
# What meets a Data Debug fault goes on without.
RESUMED = ("\tmovl r30 = 6f\n\tmov r31 = psr ;;\n\tmov cr.iva = r30\n\tdep r31 = -1, r31, 24, 1 ;;\n"
           "\tmov psr.l = r31 ;;\n\tsrlz.d\n\tssm 1 << 13 ;;\n\tsrlz.i ;;\n"
           "\t.section .text.aside, \"ax\"\n\t.balign 32768\n6:\t.skip 0x5900\n"
           "\tmov r30 = cr.ipsr ;;\n\tdep r30 = -1, r30, 39, 1 ;;\n\tmov cr.ipsr = r30 ;;\n"
           "\tsrlz.d ;;\n\trfi ;;\n\t.previous\n")


def level(n):
    """A function that returns to level @n, and the way back."""
    return ("\tbr.cond.sptk.few 4f ;;\n3:\tmov r28 = ar.pfs\n"
            f"\tmovl r29 = {n} << 62 ;;\n\tor r28 = r28, r29 ;;\n\tmov ar.pfs = r28 ;;\n"
            "\tbr.ret.sptk.few b7 ;;\n4:\n", "\tbr.call.sptk.few b7 = 3b ;;\n\tepc ;;\n")


def missed(kind):
    """A handler that inserts 16 MB of physical memory for a miss of data or instructions."""
    return ("\tmov r30 = cr.ifa\n\tmovl r29 = 0x661 ;;\n\tdep r31 = 0, r30, 61, 3 ;;\n"
            "\tdep r31 = 0, r31, 0, 24 ;;\n\tor r31 = r31, r29\n\tmov r29 = 24 << 2 ;;\n"
            f"\tmov cr.itir = r29 ;;\n\titc.{kind} r31 ;;\n\tsrlz.{kind} ;;\n\trfi ;;\n")


# Data and instructions are translated to where they are; DCR and the code's page defer whatever
# a speculative load meets; misses have handlers as above.
VIRTUAL = ("\tmovl r30 = 6f\n\tmov r12 = 1\n\tmovl r18 = 0x4000000\n\tmov r10 = 24 << 2 ;;\n"
           "\tmov cr.iva = r30\n\tmov cr.ifa = r18\n\tmov cr.itir = r10\n"
           "\tmovl r11 = 1 << 52 | 0x4000000 | 0x661 ;;\n\titr.d dtr[r12] = r11 ;;\n"
           "\titr.i itr[r12] = r11 ;;\n\tsrlz.i ;;\n\tmovl r18 = 5f\n"
           "\tmovl r19 = 1 << 13 | 1 << 17 | 1 << 36 | 1 << 44\n\tmov r21 = 0x7f00 ;;\n"
           "\tmov cr.iip = r18\n\tmov cr.ipsr = r19\n\tmov cr.ifs = r0\n\tmov cr.dcr = r21 ;;\n"
           "\trfi ;;\n\t.section .text.aside, \"ax\"\n\t.balign 32768\n6:\n\t.org 6b + 0xc00\n" +
           missed("i") + "\t.org 6b + 0x1000\n" + missed("d") + "\t.previous\n"
           "5:\tmovl r18 = 2 << 61 | 0x2000000\n\tmov r21 = 24 << 2 ;;\n")
ABSENT = ("\trsm 1 << 13 ;;\n\tsrlz.d\n\tmov r12 = 2\n\tmovl r11 = 0x2000660 ;;\n"
          "\tmov cr.ifa = r18\n\tmov cr.itir = r21 ;;\n\titr.d dtr[r12] = r11 ;;\n\tsrlz.d\n"
          "\tssm 1 << 13 ;;\n\tsrlz.d ;;\n")
WALKED = ("\tmov r19 = 14 << 2 | 1\n\tmovl r22 = 2 << 61 | 15 << 2 | 1 ;;\n"
          "\tmov rr[r18] = r19\n\tmov cr.pta = r22 ;;\n\tsrlz.d ;;\n")


def natted(reason, init):
    return (once("SPEC_LOADS_NATTED", reason), alone("\tld8.s r11 = [r18] ;;\n", VIRTUAL + init),
            alone("\tld8.s r11 = [r16] ;;\n", VIRTUAL + init))


def read(address):
    return alone(f"\tld8 r11 = [{address}] ;;\n\tptc.l r18, r21 ;;\n\tsrlz.d ;;\n", VIRTUAL)


def leaf(address):
    """A call of it there; translations of its other address are purged."""
    init = ("\tbr.cond.sptk.few 4f ;;\n\t.balign 64\n3:\tbr.ret.sptk.few b7 ;;\n4:\tmovl r22 = 3b\n"
            "\tmovl r18 = 3 << 61 | 0x4000000\n\tmov r19 = 1 << 8 | 24 << 2 ;;\n"
            "\tmov rr[r18] = r19\n\tor r23 = r18, r22 ;;\n\tsrlz.d\n"
            f"\tmov b6 = {address} ;;\n")
    return alone("\tbr.call.sptk.few b7 = b6 ;;\n\tptc.l r18, r21 ;;\n\tsrlz.i ;;\n", VIRTUAL + init)


# A register of an EAR's own is set up, and PSR.up.
EAR = "\tmov r18 = %d\n\tmovl r19 = %s ;;\n\tmov pmc[r18] = r19 ;;\n\tmov pmc[r0] = r0\n\tsum 4 ;;\n"


def lines(n, init):
    """Loads from @n lines of an index of the L1D, which has four ways."""
    load = "\tld8 r11 = [r18] ;;\n" + IDLE + "\tadd r18 = r21, r18 ;;\n"
    return init + "\tmovl r21 = 4096 ;;\n", "\tmov r18 = r16 ;;\n" + load * n


def traced(newest, expected):
    """Branches, then srlz.i if that entry of the frozen trace buffer, 1 for the newest, has the
    address @expected."""
    read = ("\tmov r19 = 1 ;;\n\tmov pmc[r0] = r19 ;;\n\tsrlz.d\n\tmov r19 = 38\n"
            f"\tmovl r22 = {expected} ;;\n\tmov r21 = pmd[r19] ;;\n"
            f"\tadd r21 = -{newest}, r21 ;;\n\tand r21 = 15, r21 ;;\n\tadd r21 = 48, r21 ;;\n"
            "\tmov r23 = pmd[r21] ;;\n\tdep r23 = 0, r23, 0, 4 ;;\n"
            "\tcmp.eq p6, p7 = r22, r23 ;;\n\t(p6) srlz.i ;;\n"
            "6:\tmov pmc[r0] = r0 ;;\n\tsrlz.d ;;\n")
    code = ("\t.balign 16\n7:\tnop.m 0\n\tbr.call.sptk.few b7 = 3f ;;\n8:\tbr.cond.sptk.few 4f ;;\n"
            "\t.balign 32\n3:\tnop.m 0\n\tbr.ret.sptk.few b7 ;;\n\t.balign 32\n4:\n" + IDLE)
    return EAR % (39, "0x3f0f"), code + read


SYSTEM_ROWS = (
    ("nine lines of an index of the L2I, which has eight ways", {"L3_READS.DINST_FETCH.HIT": 9},
     front.hops(9, 128 * KB), front.hops(8, 128 * KB)),
    *((f"level {n}, and back", {f"CPU_CPL_CHANGES.LVL{n}": 2}, level(n), level(0)) for n in (1, 2)),
    ("an uncached load", once("UC_LOADS_RETIRED"), alone("\tld8 r11 = [r17] ;;\n"),
     alone("\tld8 r11 = [r16] ;;\n")),
    ("an uncached store", once("UC_STORES_RETIRED"), alone("\tst8 [r17] = r0 ;;\n"),
     alone("\tst8 [r16] = r0 ;;\n")),
    ("a load that a pair of DBRs names", once("DATA_DEBUG_REGISTER_MATCHES"),
     alone("\tld8 r11 = [r16] ;;\n", DEBUG % "0x0f"),
     alone("\tld8 r11 = [r22] ;;\n", DEBUG % "0x0f")),
    ("and that is a breakpoint", once("DATA_DEBUG_REGISTER_FAULT"),
     alone("\tld8 r11 = [r16] ;;\n", DEBUG % "0x8f" + RESUMED),
     alone("\tld8 r11 = [r22] ;;\n", DEBUG % "0x8f" + RESUMED)),
    ("the guest's own data EAR, of 4 cycles and more", once("DATA_EAR_EVENTS", n=5),
     lines(5, EAR % (40, "0x200000f")), lines(4, EAR % (40, "0x200000f"))),
    ("its instruction EAR", once("L1I_EAR_EVENTS", n=5),
     (EAR % (37, "0x280f"), front.hops(5, 4 * KB)[1]),
     (EAR % (37, "0x280f"), front.hops(4, 4 * KB)[1])),
    ("a speculative load without a translation", *natted("DEF_TLB_MISS", "")),
    ("one from a page that is not there", *natted("DEF_TLB_FAULT", ABSENT)),
    ("one whose translation the walker does not find", *natted("VHPT_MISS", WALKED)),
    ("a load whose translation software inserts", once("DATA_EAR_EVENTS", "TLB.FAULT"), read("r18"),
     read("r16")),
    ("a fetch whose translation software inserts", once("L1I_EAR_EVENTS", "TLB.FAULT"), leaf("r23"),
     leaf("r22")),
    # Targets that are the next source are left out (Documentation/model.rst, T24).
    *((f"a call, its return and a branch in the trace buffer: {what}", {"SERIALIZATION_EVENTS": 1},
       traced(n, f"{label}b"), traced(n, "6f")) for n, label, what in (
           (1, 4, "the branch's target"), (2, 8, "its source"), (3, 3, "the return's source"),
           (4, 7, "the call's source"))),
)
