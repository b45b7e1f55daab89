# SPDX-License-Identifier: GPL-2.0-only
"""Relations between events, exact on any program and at any look (identities.md; those
between units hold as what is met is counted when it is).

Run by itself it prints them as rows of a table in C: does it need time, a sum of events,
= or <=, and another sum.
"""

INST = "IA64_INST_RETIRED"
CYCLES = "CPU_OP_CYCLES.ALL"
EXE = "BE_EXE_BUBBLE."
EAR = "DATA_EAR_EVENTS."
IEAR = "L1I_EAR_EVENTS.TLB."
SYLL = "SYLL_NOT_DISPERSED."
LOST = ("EXPL", "IMPL", "FE", "MLX")

# Causes of bundles lost in the front end, and at the end of its buffer.
LACKS = ("FEFLUSH", "BUBBLE", "PLP", "BR_ILOCK", "BRQ", "TLBMISS", "FILL_RECIRC", "IMISS",
         "UNREACHED")
BUBBLES = ("FEFLUSH", "BUBBLE", "BRANCH", "TLBMISS", "FILL_RECIRC", "IMISS", "IBFULL")
EXIT = ("BE_LOST_BW_DUE_TO_FE.", "IDEAL_BE_LOST_BW_DUE_TO_FE.")
DETAIL, PATH, BE_BR = "BR_MISPRED_DETAIL", "BR_PATH_PRED", "BE_BR_MISPRED_DETAIL."
TYPES = ("IPREL", "RETURN", "NRETIND")

L1D = ("TLB", "HPW", "FILLCONF", "L2BPRESS", "PIPE_RECIRC", "LDCONF", "NATCONF",
       "FULLSTBUF", "STBUFRECIR")

RSE = ("BANK_SWITCH", "AR_DEP", "OVERFLOW", "UNDERFLOW", "LOADRS")


def total(base, names):
    return " + ".join(base + name for name in names)


def targets(t):
    """Those of type @t that go elsewhere: an IP-relative branch cannot."""
    return "" if t == "IPREL" else f" + {DETAIL}.{t}.WRONG_TARGET"


# 5: branches. All of them are in one of the types; T is one of these, or all.
BRANCHES = (
    *((f"{e}.ALL.{r}", " + ".join(f"{e}.{t}.{r}" for t in TYPES)) for e, results in (
        (DETAIL, ("ALL_PRED", "CORRECT_PRED", "WRONG_PATH")),
        (PATH, ("MISPRED_NOTTAKEN", "MISPRED_TAKEN", "OKPRED_NOTTAKEN", "OKPRED_TAKEN")),
        (DETAIL + "2", ("ALL_UNKNOWN_PRED", "UNKNOWN_PATH_CORRECT_PRED",
                        "UNKNOWN_PATH_WRONG_PATH")),
        (PATH + "2", ("UNKNOWNPRED_NOTTAKEN", "UNKNOWNPRED_TAKEN"))) for r in results),
    (DETAIL + ".ALL.WRONG_TARGET", f"{DETAIL}.RETURN.WRONG_TARGET + {DETAIL}.NRETIND.WRONG_TARGET"),
    *(relation for t in ("ALL", *TYPES) for relation in (
        (f"{DETAIL}.{t}.ALL_PRED",
         f"{DETAIL}.{t}.CORRECT_PRED + {DETAIL}.{t}.WRONG_PATH" + targets(t)),
        (total(f"{PATH}.{t}.", ("MISPRED_NOTTAKEN", "MISPRED_TAKEN", "OKPRED_NOTTAKEN",
                                "OKPRED_TAKEN")), f"{DETAIL}.{t}.ALL_PRED"),
        (f"{DETAIL}.{t}.WRONG_PATH", total(f"{PATH}.{t}.", ("MISPRED_NOTTAKEN", "MISPRED_TAKEN"))),
        (f"{DETAIL}.{t}.CORRECT_PRED" + targets(t),
         total(f"{PATH}.{t}.", ("OKPRED_NOTTAKEN", "OKPRED_TAKEN"))),
        (f"{DETAIL}2.{t}.ALL_UNKNOWN_PRED",
         f"{DETAIL}2.{t}.UNKNOWN_PATH_CORRECT_PRED + {DETAIL}2.{t}.UNKNOWN_PATH_WRONG_PATH"),
        (f"{DETAIL}2.{t}.UNKNOWN_PATH_CORRECT_PRED", f"{PATH}2.{t}.UNKNOWNPRED_NOTTAKEN"),
        (f"{DETAIL}2.{t}.UNKNOWN_PATH_WRONG_PATH", f"{PATH}2.{t}.UNKNOWNPRED_TAKEN"))),
    *((f"ENCBR_MISPRED_DETAIL.{c}.ALL_PRED",
       total(f"ENCBR_MISPRED_DETAIL.{c}.", ("CORRECT_PRED", "WRONG_PATH", "WRONG_TARGET")))
      for c in ("ALL", "OVERSUB", "ALL2")),
    (BE_BR + "ANY", total(BE_BR, ("STG", "ROT", "PFS"))),
    ("BRANCH_EVENT", "ETB_EVENT"),
)
BRANCHES_LESS = tuple(relation for t in ("ALL", *TYPES) for relation in (
    (f"{DETAIL}2.{t}.ALL_UNKNOWN_PRED", f"{DETAIL}.{t}.ALL_PRED"),
    (f"{DETAIL}2.{t}.UNKNOWN_PATH_CORRECT_PRED", f"{DETAIL}.{t}.CORRECT_PRED"),
    (f"{DETAIL}2.{t}.UNKNOWN_PATH_WRONG_PATH", f"{DETAIL}.{t}.WRONG_PATH"),
    (f"{PATH}2.{t}.UNKNOWNPRED_NOTTAKEN", f"{PATH}.{t}.OKPRED_NOTTAKEN"),
    (f"{PATH}2.{t}.UNKNOWNPRED_TAKEN", f"{PATH}.{t}.MISPRED_TAKEN"),
    *(((f"{DETAIL}.{t}.WRONG_TARGET", f"{PATH}.{t}.OKPRED_TAKEN"),) if targets(t) else ()))) + (
    ("ENCBR_MISPRED_DETAIL.ALL.ALL_PRED", DETAIL + ".ALL.ALL_PRED"),
    ("ENCBR_MISPRED_DETAIL.OVERSUB.ALL_PRED + ENCBR_MISPRED_DETAIL.ALL2.ALL_PRED",
     "ENCBR_MISPRED_DETAIL.ALL.ALL_PRED"),
    (BE_BR + "ANY", DETAIL + ".ALL.CORRECT_PRED"),
)

# Each side a sum of events.
EQUAL = (
    # identities.md, 2: cycle accounting. The thresholds of INST give the cycles in which
    # more than so many instructions retire.
    (" + ".join([CYCLES] + [f"{INST}:t={n}" for n in range(1, 6)]), f"BACK_END_BUBBLE.ALL + {INST}"),
    # In each cycle in which instructions retire they disperse. Others that disperse a flush
    # throws away: so many cycles (bubbles in which dispersal is not stalled), and in them
    # what the thresholds give beyond the first instruction.
    (" + ".join(["INST_DISPERSED", "DISP_STALLED"] + [f"{INST}:t={n}" for n in range(1, 6)]),
     " + ".join([INST, "BACK_END_BUBBLE.ALL"] + [f"INST_DISPERSED:t={n}" for n in range(1, 6)])),
    ("CPU_OP_CYCLES.QUAL", CYCLES),
    ("BE_FLUSH_BUBBLE.ALL", "BE_FLUSH_BUBBLE.XPN + BE_FLUSH_BUBBLE.BRU"),
    (EXE + "ALL", total(EXE, ("GRALL", "FRALL", "ARCR_PR_CANCEL_BANK"))),
    (EXE + "ARCR_PR_CANCEL_BANK", total(EXE, ("ARCR", "PR"))),
    *((f"{e}:u + {e}:k", e) for e in (CYCLES, "BACK_END_BUBBLE.ALL", "INST_DISPERSED")),
    # 3: dispersal
    (" + ".join([CYCLES] * 6 + ["SYLL_OVERCOUNT.ALL"]),
     " + ".join(["INST_DISPERSED", SYLL + "ALL"] + ["DISP_STALLED"] * 6)),
    (SYLL + "ALL", total(SYLL, LOST)),
    ("SYLL_OVERCOUNT.ALL", "SYLL_OVERCOUNT.EXPL + SYLL_OVERCOUNT.IMPL"),
    *((SYLL + "_OR_".join(w for i, w in enumerate(LOST) if m >> i & 1),
       total(SYLL, (w for i, w in enumerate(LOST) if m >> i & 1)))
      for m in range(1, 15) if m & (m - 1)),
    ("BACK_END_BUBBLE.ALL", "BE_FLUSH_BUBBLE.ALL + BE_L1D_FPU_BUBBLE.ALL + BE_EXE_BUBBLE.ALL"
     " + BE_RSE_BUBBLE.ALL + BACK_END_BUBBLE.FE"),
    ("BACK_END_BUBBLE.L1D_FPU_RSE", "BE_L1D_FPU_BUBBLE.ALL + BE_RSE_BUBBLE.ALL"),
    ("BE_RSE_BUBBLE.ALL", total("BE_RSE_BUBBLE.", RSE)),
    ("BACK_END_BUBBLE.ALL", "BACK_END_BUBBLE.FE + BACK_END_BUBBLE.L1D_FPU_RSE +"
     " BE_EXE_BUBBLE.ALL + BE_FLUSH_BUBBLE.ALL"),
    ("BE_L1D_FPU_BUBBLE.ALL", "BE_L1D_FPU_BUBBLE.L1D"),
    ("BE_L1D_FPU_BUBBLE.L1D", total("BE_L1D_FPU_BUBBLE.L1D_", L1D)),
    # 4: the front end. Of each cycle in which no pair enters the buffer two bundles are lost.
    ("FE_BUBBLE.ALL", total("FE_BUBBLE.", BUBBLES)),
    ("FE_BUBBLE.GROUP1", "FE_BUBBLE.BUBBLE + FE_BUBBLE.BRANCH"),
    ("FE_BUBBLE.GROUP3", "FE_BUBBLE.BRANCH + FE_BUBBLE.FILL_RECIRC"),
    (total("FE_LOST_BW.", ("PLP", "BR_ILOCK", "BRQ")), "FE_BUBBLE.BRANCH + FE_BUBBLE.BRANCH"),
    ("FE_BUBBLE.GROUP2", "FE_BUBBLE.IMISS + FE_BUBBLE.TLBMISS"),
    ("FE_BUBBLE.ALL", "FE_BUBBLE.ALLBUT_FEFLUSH_BUBBLE + FE_BUBBLE.FEFLUSH + FE_BUBBLE.BUBBLE"),
    ("FE_BUBBLE.ALL", "FE_BUBBLE.ALLBUT_IBFULL + FE_BUBBLE.IBFULL"),
    ("FE_LOST_BW.ALL", total("FE_LOST_BW.", (*LACKS, "IBFULL"))),
    *((where + "ALL", total(where, LACKS)) for where in EXIT),
    *((f"FE_LOST_BW.{x}", f"FE_BUBBLE.{x} + FE_BUBBLE.{x}")
      for x in BUBBLES if x != "BRANCH"),
    ("FE_LOST_BW.ALL", "FE_LOST_BW.UNREACHED + FE_LOST_BW.ALL:t=1 + FE_LOST_BW.ALL:t=1"),
    # 7: L1I, L2I and the L1 ITLB
    ("L2I_DEMAND_READS", "L2I_READS.ALL.DMND + L2I_UC_READS.ALL.DMND"),
    ("L2I_PREFETCHES", "L2I_READS.ALL.PFTCH"),
    *((f"L2I_READS.ALL.{d}", f"L2I_READS.HIT.{d} + L2I_READS.MISS.{d}")
      for d in ("DMND", "PFTCH", "ALL")),
    *((f"L2I_READS.{r}.ALL", f"L2I_READS.{r}.DMND + L2I_READS.{r}.PFTCH")
      for r in ("ALL", "HIT", "MISS")),
    ("L2I_READS.MISS.ALL", "L3_READS.INST_FETCH.ALL"),
    ("L2I_READS.MISS.DMND", "L3_READS.DINST_FETCH.ALL"),
    ("L2I_READS.ALL.ALL", "L1I_FILLS"),
    ("ISB_BUNPAIRS_IN", "L1I_FILLS + L1I_FILLS + L2I_UC_READS.ALL.ALL"),
    ("ITLB_MISSES_FETCH.ALL", "ITLB_MISSES_FETCH.L1ITLB"),
    # 14: what the instruction EAR lets through it captures.
    ("L1I_EAR_EVENTS.CACHE.LAT0", "L2I_DEMAND_READS + L1I_FETCH_RAB_HIT"),
    ("L1I_EAR_EVENTS.TLB.ALL", "ITLB_MISSES_FETCH.L1ITLB"),
    *((IEAR + f"{a}_OR_{b}", f"{IEAR}{a} + {IEAR}{b}")
      for a, b in (("L2TLB", "VHPT"), ("L2TLB", "FAULT"), ("VHPT", "FAULT"))),
    (IEAR + "ALL", total(IEAR, ("L2TLB", "VHPT", "FAULT"))),
    # 8: L1D. Reads the L1D does not serve are integer loads of the L2D.
    ("L1D_READ_MISSES.ALL", "L2D_OPS_ISSUED.INT_LOAD"),
    # 9: L2D
    ("L2D_REFERENCES.ALL", "L2D_REFERENCES.READS + L2D_REFERENCES.WRITES"),
    ("L2D_REFERENCES.ALL", "L2D_INSERT_HITS + L2D_INSERT_MISSES + L2D_OPS_ISSUED.RMW"),
    ("L2D_REFERENCES.ALL", total("L2D_OPS_ISSUED.", ("INT_LOAD", "FP_LOAD", "RMW", "STORE",
                                                     "LFETCH", "OTHER", "RMW"))),
    ("L2D_INSERT_MISSES", "L2D_MISSES + L2D_FORCE_RECIRC.SECONDARY_ALL"),
    # TAG_OK is "likely identical": what hits and recirculates all the same is not clean.
    ("L2D_INSERT_HITS", "L2D_FORCE_RECIRC.TAG_OK + L2D_FORCE_RECIRC.TAG_NOTOK"),
    ("L2D_FORCE_RECIRC.SECONDARY_ALL",
     "L2D_FORCE_RECIRC.SECONDARY_READ + L2D_FORCE_RECIRC.SECONDARY_WRITE"),
    ("L2D_FORCE_RECIRC.RECIRC",
     total("L2D_FORCE_RECIRC.", ("SAME_INDEX", "L1W", "OZQ_MISS", "FILL_HIT", "FRC_RECIRC",
                                 "TAG_NOTOK", "SNP_OR_L3"))),
    ("L2D_FORCE_RECIRC.LIMBO", total("L2D_FORCE_RECIRC.", ("OZQ_MISS", "FILL_HIT"))),
    ("L2D_ISSUED_RECIRC_OZQ_ACC + L2D_FORCE_RECIRC.LIMBO", "L2D_FORCE_RECIRC.RECIRC"),
    ("L2D_OZQ_CANCELS1.ANY", total("L2D_OZQ_CANCELS0.",
                                   ("L2A_ST_MAT", "L2M_ST_MAT", "L2D_ST_MAT", "L2C_ST_MAT", "ACQ",
                                    "BANK_CONF", "RECIRC", "REL", "SEMA", "MISC_ORDER",
                                    "CANC_L2M_TO_L2C_ST", "FILL_ST_CONF", "OVER_SUB",
                                    "OZDATA_CONF", "OZQ_PREEMPT", "WB_CONF")) +
     " + L2D_OZQ_CANCELS1.SIBLING_ACQ_REL + L2D_OZQ_CANCELS1.LATE_BYP_EFFRELEASE"),
    ("L2D_MISSES", total("L2D_FILL_MESI_STATE.", "MES")),
    # 10: L3
    ("L3_REFERENCES", "L3_READS.ALL.ALL + L3_WRITES.ALL.ALL"),
    ("L3_MISSES", "L3_READS.ALL.MISS + L3_WRITES.ALL.MISS"),
    *((f"{kind}.ALL", f"{kind}.HIT + {kind}.MISS") for kind in
      ("L3_READS.DINST_FETCH", "L3_READS.INST_FETCH", "L3_READS.DATA_READ", "L3_READS.ALL",
       "L3_WRITES.DATA_WRITE", "L3_WRITES.L2_WB", "L3_WRITES.ALL")),
    *((f"L3_READS.ALL.{r}", f"L3_READS.INST_FETCH.{r} + L3_READS.DATA_READ.{r}")
      for r in ("ALL", "HIT", "MISS")),
    *((f"L3_WRITES.ALL.{r}", f"L3_WRITES.DATA_WRITE.{r} + L3_WRITES.L2_WB.{r}")
      for r in ("ALL", "HIT", "MISS")),
    ("L3_READS.DATA_READ.ALL + L3_WRITES.DATA_WRITE.ALL", "L2D_MISSES"),
    # A claim of a line that the L2D has is a request of its own, and so is what is neither of
    # memory nor of a port, nor a castout: those are in BUS_WR_WB.ALL alone.
    ("L3_READS.ALL.ALL + L3_WRITES.DATA_WRITE.ALL + BUS_RD_PRTL.SELF + BUS_RD_IO.SELF"
     " + L2D_STORE_HIT_SHARED.ANY + BUS_ALL.SELF + BUS_WR_WB.EQ_128BYTE.SELF",
     "ER_BRQ_REQ_INSERTED + BUS_MEMORY.ALL.SELF + BUS_IO.SELF + BUS_WR_WB.ALL.SELF"),
    # 11: the bus
    *((f"BUS_MEMORY.ALL.{w}", f"BUS_MEMORY.EQ_128BYTE.{w} + BUS_MEMORY.LT_128BYTE.{w}")
      for w in ("SELF", "EITHER", "ANY")),
    *((f"BUS_MEM_READ.ALL.{w}", total("BUS_MEM_READ.", (f"BIL.{w}", f"BRL.{w}", f"BRIL.{w}")))
      for w in ("SELF", "EITHER", "ANY")),
    ("BUS_MEMORY.EQ_128BYTE.SELF",
     "BUS_MEM_READ.BRL.SELF + BUS_MEM_READ.BRIL.SELF + BUS_WR_WB.EQ_128BYTE.SELF"),
    ("BUS_MEMORY.LT_128BYTE.SELF", "BUS_RD_PRTL.SELF + BUS_MEM_READ.BIL.SELF + " +
     total("SI_WRITEQ_INSERTS.", ("WC1_8A.SELF", "WC1_8B.SELF", "WC16.SELF", "WC32.SELF"))),
    ("SI_WRITEQ_INSERTS.ALL.SELF + BUS_RD_IO.SELF", "BUS_IO.SELF + BUS_WR_WB.EQ_128BYTE.SELF + " +
     total("SI_WRITEQ_INSERTS.", ("WC1_8A.SELF", "WC1_8B.SELF", "WC16.SELF", "WC32.SELF"))),
    ("BUS_MEM_READ.BRL.SELF + BUS_MEM_READ.BRIL.SELF",
     "L3_READS.ALL.MISS + L3_WRITES.DATA_WRITE.MISS"),
    # The system interface has the core's clock, in halts as well.
    ("SI_CYCLES", CYCLES + " + CYCLES_HALTED"),
    # Every transaction has been in one of the arbiter's queues.
    ("BUS_ALL.SELF + BUS_WR_WB.EQ_128BYTE.SELF",
     "SI_RQ_INSERTS.SELF + SI_WRITEQ_INSERTS.ALL.SELF + BUS_WR_WB.ALL.SELF"),
    ("SI_RQ_INSERTS.SELF + BUS_MEMORY.ALL.SELF + BUS_IO.SELF + BUS_WR_WB.ALL.SELF",
     "BUS_MEM_READ.ALL.SELF + BUS_RD_PRTL.SELF + BUS_RD_IO.SELF + BUS_ALL.SELF"
     " + BUS_WR_WB.EQ_128BYTE.SELF"),
    *((f"SI_RQ_{e}.EITHER", f"SI_RQ_{e}.SELF") for e in ("INSERTS", "LIVE_REQ_LO")),
) + BRANCHES
LESS = (
    ("BUS_MEMORY.ALL.SELF + BUS_IO.SELF", "BUS_ALL.SELF"),
    ("SI_WRITEQ_INSERTS.EWB.SELF", "BUS_WR_WB.EQ_128BYTE.SELF"),
    ("SI_IOQ_COLLISIONS", "BUS_ALL.SELF"),
    *((f"BE_LOST_BW_DUE_TO_FE.{x}", f"IDEAL_BE_LOST_BW_DUE_TO_FE.{x}")
      for x in (*LACKS, "ALL")),
    ("BACK_END_BUBBLE.FE + BACK_END_BUBBLE.FE", "BE_LOST_BW_DUE_TO_FE.ALL"),
    ("L1I_FETCH_ISB_HIT + L1I_FETCH_RAB_HIT + L2I_DEMAND_READS", "L1I_READS"),
    ("L2I_VICTIMIZATIONS", "L2I_READS.MISS.ALL"),
    ("L2I_PREFETCHES", "L1I_PREFETCHES"),
    ("L1I_STRM_PREFETCHES", "L1I_PREFETCHES"),
    ("L1I_PREFETCH_STALL.FLOW", "L1I_PREFETCH_STALL.ALL"),
    ("L1I_PREFETCH_STALL.ALL", CYCLES),
    ("L1I_RAB_FULL", "L1I_RAB_ALMOST_FULL"),
    *((f"L3_READS.DINST_FETCH.{r}", f"L3_READS.INST_FETCH.{r}") for r in ("ALL", "MISS")),
    *((f"L1I_EAR_EVENTS.CACHE.LAT{b}", f"L1I_EAR_EVENTS.CACHE.LAT{a}")
      for a, b in ((0, 4), (4, 8), (8, 16), (16, 32), (32, 128))),
    ("L1I_EAR_EVENTS.CACHE.RAB", "L1I_FETCH_RAB_HIT"),
    ("ITLB_MISSES_FETCH.L2ITLB", "ITLB_MISSES_FETCH.L1ITLB"),
    ("L1ITLB_INSERTS_HPW", "ITLB_MISSES_FETCH.L2ITLB"),
    (EXE + "GRGR", EXE + "GRALL"),
    ("SYLL_OVERCOUNT.EXPL", SYLL + "EXPL"),
    ("SYLL_OVERCOUNT.IMPL", SYLL + "IMPL"),
    (INST, "INST_DISPERSED"),
    # A bubble in which instructions disperse is a flush: T9.
    ("BACK_END_BUBBLE.ALL", "DISP_STALLED + BE_FLUSH_BUBBLE.ALL"),
    *((f"{INST}:t={n}", f"INST_DISPERSED:t={n}") for n in range(1, 6)),
    ("DISP_STALLED", "BACK_END_BUBBLE.ALL"),
    ("L1DTLB_TRANSFER", "L1D_READS_SET0"),
    ("L1D_READ_MISSES.ALL", "L1D_READS_SET1"),
    ("L1D_READ_MISSES.RSE_FILL", "L1D_READ_MISSES.ALL"),
    ("L1D_READS_SET0", "DATA_REFERENCES_SET0"),
    # A load that recirculates in the L1D's pipe is in none of these.
    (total("L2D_L3ACCESS_CANCEL.", ("INV_L3_BYP", "SPEC_L3_BYP", "ER_REJECT")),
     "L2D_L3ACCESS_CANCEL.ANY"),
    ("L2D_L3ACCESS_CANCEL.ANY", CYCLES),
    ("L3_LINES_REPLACED", "L3_INSERTS"),
    ("BUS_RD_DATA.SELF", "BUS_MEM_READ.BRL.SELF"),
    ("BUS_B2B_DATA_CYCLES.SELF", "BUS_DATA_CYCLE.SELF"),
    # 12: 96 stacked registers, in every cycle
    (" + ".join(64 * ["RSE_CURRENT_REGS_6", "RSE_DIRTY_REGS_6"] +
                8 * ["RSE_CURRENT_REGS_5_TO_3", "RSE_DIRTY_REGS_5_TO_3"] +
                ["RSE_CURRENT_REGS_2_TO_0", "RSE_DIRTY_REGS_2_TO_0"]),
     " + ".join(96 * [CYCLES])),
    # 14: what is captured is bounded by what is eligible. Observers each have an EAR of
    # their own: what one captures of a kind is no more than there was of it.
    *((EAR + f"CACHE.LAT{4 << n}", "L1D_READ_MISSES.ALL + L2D_OPS_ISSUED.FP_LOAD + L2D_OPS_ISSUED.RMW")
      for n in range(6)),
    (EAR + "TLB.L2DTLB", "L1DTLB_TRANSFER"),
    *((EAR + f"TLB.{k}", "L2DTLB_MISSES") for k in ("VHPT", "VHPT_OR_FAULT")),
    *((EAR + f"TLB.{k}", "L1DTLB_TRANSFER + L2DTLB_MISSES")
      for k in ("L2DTLB_OR_VHPT", "L2DTLB_OR_FAULT", "ALL")),
    (EAR + "TLB.L2DTLB_OR_VHPT", EAR + "TLB.L2DTLB + " + EAR + "TLB.VHPT"),
    (EAR + "TLB.VHPT", EAR + "TLB.VHPT_OR_FAULT"),
    (EAR + "TLB.L2DTLB", EAR + "TLB.L2DTLB_OR_FAULT"),
    (EAR + "TLB.L2DTLB_OR_VHPT", EAR + "TLB.ALL"),
    (EAR + "ALAT", "INST_FAILED_CHKA_LDC_ALAT.ALL"),
) + BRANCHES_LESS


NATTED = ("VHPT_MISS", "DEF_TLB_MISS", "DEF_TLB_FAULT", "NAT_CNSM", "DEF_PSR_ED")
CHECKED = ("INST_CHKA_LDC_ALAT", "INST_FAILED_CHKA_LDC_ALAT", "ALAT_CAPACITY_MISS",
           "INST_FAILED_CHKS_RETIRED")

# 5 and 6: what needs no time.
EQUAL_RETIRED = (
    (DETAIL + ".ALL.ALL_PRED", total(DETAIL + ".", (t + ".ALL_PRED" for t in TYPES))),
    ("SPEC_LOADS_NATTED.ALL", total("SPEC_LOADS_NATTED.", NATTED)),
    ("CPU_CPL_CHANGES.ALL + CPU_CPL_CHANGES.ALL",
     total("CPU_CPL_CHANGES.", (f"LVL{i}" for i in range(4)))),
    ("RSE_REFERENCES_RETIRED.ALL", total("RSE_REFERENCES_RETIRED.", ("LOAD", "STORE"))),
    *((f"{e}.ALL", f"{e}.INT + {e}.FP") for e in CHECKED),
)
LESS_RETIRED = (
    ("NOPS_RETIRED", INST),
    ("PREDICATE_SQUASHED_RETIRED", INST),
    ("SPEC_LOADS_NATTED.ALL", "LOADS_RETIRED_INTG"),
    ("RSE_REFERENCES_RETIRED.LOAD", "LOADS_RETIRED_INTG"),
    ("RSE_REFERENCES_RETIRED.STORE", "STORES_RETIRED"),
    ("UC_LOADS_RETIRED", "LOADS_RETIRED"),
    ("MISALIGNED_LOADS_RETIRED", "LOADS_RETIRED"),
    ("LOADS_RETIRED_INTG", "LOADS_RETIRED"),
    ("UC_STORES_RETIRED", "STORES_RETIRED"),
    ("MISALIGNED_STORES_RETIRED", "STORES_RETIRED"),
    ("FP_FLUSH_TO_ZERO.FTZ_REAL", "FP_OPS_RETIRED"),
    ("L2DTLB_MISSES", "DATA_REFERENCES_SET0"),
    ("DTLB_INSERTS_HPW", "HPW_DATA_REFERENCES"),
    *((f"INST_FAILED_CHKA_LDC_ALAT.{u}", f"INST_CHKA_LDC_ALAT.{u}") for u in ("ALL", "INT", "FP")),
)


def relations(equal, less):
    """Each as events, "=" or "<=", and events."""
    return [(a.split(" + "), kind, b.split(" + "))
            for kind, pairs in (("=", equal), ("<=", less)) for a, b in pairs]


# Of programs at user level: no instruction ends its group, so the groups of which less retires
# than has dispersed are flushed or have a taken branch (T9).
LEFT = "BE_FLUSH_BUBBLE.ALL + " + " + ".join(
    [f"{PATH}.ALL.{r}_TAKEN" for r in ("OKPRED", "MISPRED")])
USER = tuple((f"INST_DISPERSED:t={n}", f"{INST}:t={n} + {LEFT}") for n in range(1, 6))

RETIRED = relations(EQUAL_RETIRED, LESS_RETIRED)
TIMED = relations(EQUAL, LESS)
RELATIONS = RETIRED + TIMED
PROGRAMS = relations((), USER)

if __name__ == "__main__":
    for time, rows in (("false", RETIRED), ("true", TIMED)):
        for left, kind, right in rows:
            print(f'{{ {time}, "{" + ".join(left)}", "{kind}", "{" + ".join(right)}" }},')
