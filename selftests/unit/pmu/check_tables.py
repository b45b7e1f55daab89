#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compare the PMU's tables with the published facts, field by field.

usage: check_tables.py [FACTS]

FACTS is the directory that holds montecito_events.csv and registers.csv, else
Documentation/facts. Prints TAP.
"""

import csv
import os
import re
import sys

TOP = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.."))
PMU = os.path.join(TOP, "kmod/model/pmu")

results = []


def report(name, problems):
    """One TAP line, after the first few problems."""
    for problem in problems[:10]:
        print("#", problem)
    results.append(not problems)
    print(f"{'not ' if problems else ''}ok {len(results)} - {name}")


def rows(path, macro):
    """Arguments of each MACRO(...) of a table file, adjacent strings joined."""
    with open(path, encoding="utf-8") as f:
        text = re.sub(r"/\*.*?\*/", "", f.read(), flags=re.S)
    text = "\n".join(line for line in text.split("\n") if not line.startswith("#"))
    for start in re.finditer(rf"^{macro}\(", text, flags=re.M):
        args, current, depth, at, quoted = [], "", 1, start.end(), False
        while depth:
            char = text[at]
            if quoted and char == "\\":
                current += text[at + 1]
                at += 2
                continue
            if char == '"':
                quoted = not quoted
            elif quoted:
                current += char
            elif char == "(":
                depth += 1
                current += char
            elif char == ")":
                depth -= 1
                current += char if depth else ""
            elif char == "," and depth == 1:
                args.append(current.strip())
                current = ""
            elif not char.isspace():
                current += char
            at += 1
        yield args + [current.strip()]


def event_from_csv(row):
    """The columns both tables have, in the repository's words."""
    filters = {"NNN": "NONE", "YNN": "I", "YYN": "IO", "YYY": "IOD"}[
        row["iar"] + row["opc"] + row["dar"]]
    if row["mesi"] == "Y":
        filters = "M" if filters == "NONE" else filters + "M"
    return {
        "code": int(row["code"], 0),
        "umask": int(row["umask"], 0),
        "ear": row["virtual"] or "NONE",
        "ear_umask": int(row["ear_umask"] or "0", 0),
        "counters": {"4-15": "C4_15", "4-9": "C4_9", "10": "C10"}[row["counters"]],
        "max_inc": int(row["max_inc"]),
        "set": f"{row['group']}({row['set']})" if row["group"] else "ANY",
        "filters": filters,
        "all": {"": "SILENT", "?": "DEPENDS"}.get(row["all"], row["all"]),
        "thread": row["thread_type"],
        "basis": row["basis"].upper(),
        "definition": row["meaning"],
    }


def event_from_def(args):
    """The same of one row of events.def."""
    number = {"code", "umask", "ear_umask", "max_inc", "needs_time"}
    names = ["name", "code", "umask", "ear", "ear_umask", "counters", "max_inc", "needs_time",
             "set", "filters", "all", "thread", "basis", "status", "definition"]
    event = dict(zip(names, args))
    return {k: int(v, 0) if k in number else v for k, v in event.items()}


# What follows from the instructions that retire, in their order, and from what the
# translations, the ALAT, the RSE and the debug registers hold then. Everything else is
# about cycles, caches, queues, the bus, fetch, prediction or threads: it needs time.
WITHOUT_TIME = {
    "ALAT_CAPACITY_MISS", "BRANCH_EVENT", "CPU_CPL_CHANGES", "DATA_DEBUG_REGISTER_FAULT",
    "DATA_DEBUG_REGISTER_MATCHES", "DATA_REFERENCES_SET0", "DATA_REFERENCES_SET1",
    "DTLB_INSERTS_HPW", "ETB_EVENT", "FP_FAILED_FCHKF", "FP_FLUSH_TO_ZERO", "FP_OPS_RETIRED",
    "HPW_DATA_REFERENCES", "IA64_INST_RETIRED", "IA64_TAGGED_INST_RETIRED",
    "INST_CHKA_LDC_ALAT", "INST_FAILED_CHKA_LDC_ALAT", "INST_FAILED_CHKS_RETIRED",
    "L1D_READS_SET0", "L1D_READS_SET1", "L1ITLB_INSERTS_HPW", "L2DTLB_MISSES",
    "LOADS_RETIRED",
    "LOADS_RETIRED_INTG", "MISALIGNED_LOADS_RETIRED", "MISALIGNED_STORES_RETIRED",
    "NOPS_RETIRED", "PREDICATE_SQUASHED_RETIRED", "RSE_EVENT_RETIRED",
    "RSE_REFERENCES_RETIRED", "SERIALIZATION_EVENTS", "SPEC_LOADS_NATTED", "STORES_RETIRED",
    "UC_LOADS_RETIRED", "UC_STORES_RETIRED",
}
# Of the events that depend on prediction or on the EAR's mode, those that do not.
WITHOUT_TIME_ROWS = {f"BR_MISPRED_DETAIL.{t}.ALL_PRED" for t in ("ALL", "IPREL", "RETURN",
                                                                 "NRETIND")}
WITHOUT_TIME_ROWS |= {"DATA_EAR_EVENTS", "DATA_EAR_EVENTS.ALAT", "DATA_EAR_EVENTS.TLB.VHPT",
                      "DATA_EAR_EVENTS.TLB.FAULT", "DATA_EAR_EVENTS.TLB.VHPT_OR_FAULT"}
# Without time, and refused all the same: no definition.
REFUSED = {"FP_FLUSH_TO_ZERO.FTZ_POSS", "RSE_EVENT_RETIRED"}


# With time, and counted: the back end's cycles and bubbles, and dispersal.
WITH_TIME = {"BE_EXE_BUBBLE", "BE_FLUSH_BUBBLE", "DISP_STALLED", "INST_DISPERSED",
             "SYLL_NOT_DISPERSED", "SYLL_OVERCOUNT", "BACK_END_BUBBLE.ALL",
             "BACK_END_BUBBLE.FE", "CPU_OP_CYCLES", "CYCLES_HALTED"}
# Of the data side.
WITH_TIME |= {
    "BACK_END_BUBBLE.L1D_FPU_RSE", "BE_L1D_FPU_BUBBLE", "L1DTLB_TRANSFER", "L1D_READ_MISSES",
    "L2D_BYPASS", "L2D_FILLB_FULL", "L2D_FILL_MESI_STATE", "L2D_FORCE_RECIRC",
    "L2D_INSERT_HITS", "L2D_INSERT_MISSES", "L2D_ISSUED_RECIRC_OZQ_ACC", "L2D_MISSES",
    "L2D_OPS_ISSUED", "L2D_VICTIMB_FULL", "L2D_OZQ_ACQUIRE", "L2D_OZQ_FULL", "L2D_OZQ_CANCELS1.ANY",
    "L2D_REFERENCES", "L2D_STORE_HIT_SHARED", "L3_INSERTS", "L3_LINES_REPLACED", "L3_MISSES",
    "L3_READS", "L3_REFERENCES", "L3_WRITES", "BUS_ALL", "BUS_B2B_DATA_CYCLES",
    "BUS_DATA_CYCLE", "BUS_IO", "BUS_RD_IO", "BUS_MEMORY", "BUS_MEM_READ", "BUS_RD_DATA", "BUS_RD_PRTL", "BUS_WR_WB",
    "ER_BRQ_LIVE_REQ_HI", "ER_BRQ_LIVE_REQ_LO", "ER_BRQ_REQ_INSERTED", "ER_MEM_READ_OUT_HI",
    "ER_MEM_READ_OUT_LO", "SI_WRITEQ_INSERTS.EWB.SELF", "SI_WRITEQ_INSERTS.EWB.EITHER",
    "CPU_OP_CYCLES.QUAL", "CYCLES_HALTED", "SI_CYCLES", "L2D_OZQ_RELEASE",
    "SI_RQ_INSERTS", "SI_RQ_LIVE_REQ_HI", "SI_RQ_LIVE_REQ_LO", "SI_WRITEQ_LIVE_REQ_HI",
    "SI_WRITEQ_LIVE_REQ_LO", "SI_WRITEQ_INSERTS.ALL.SELF", "SI_WRITEQ_INSERTS.ALL.EITHER",
    "DATA_EAR_EVENTS", "BE_RSE_BUBBLE", "RSE_CURRENT_REGS_2_TO_0", "RSE_CURRENT_REGS_5_TO_3",
    "RSE_CURRENT_REGS_6", "RSE_DIRTY_REGS_2_TO_0", "RSE_DIRTY_REGS_5_TO_3", "RSE_DIRTY_REGS_6",
} | {f"L2D_OZQ_CANCELS0.{why}" for why in ("L2A_ST_MAT", "L2M_ST_MAT", "L2D_ST_MAT",
                                           "L2C_ST_MAT", "ACQ", "BANK_CONF")}
# Of the front end.
WITH_TIME |= {
    "BE_LOST_BW_DUE_TO_FE", "FE_BUBBLE", "FE_LOST_BW", "IDEAL_BE_LOST_BW_DUE_TO_FE",
    "ISB_BUNPAIRS_IN", "ITLB_MISSES_FETCH", "L1I_FETCH_ISB_HIT", "L1I_FETCH_RAB_HIT",
    "L1I_FILLS", "L1I_PURGE", "L1I_READS", "L1I_SNOOP", "L2I_DEMAND_READS", "L2I_SNOOP_HITS",
    "L1I_EAR_EVENTS", "L2I_VICTIMIZATIONS", "L1I_PREFETCHES", "L1I_STRM_PREFETCHES",
    "L1I_PREFETCH_STALL", "L1I_PVAB_OVERFLOW", "L1I_RAB_ALMOST_FULL", "L1I_RAB_FULL",
    "L2I_PREFETCHES", "L2I_READS",
} | {f"L2I_UC_READS.{r}.{k}" for r in ("ALL", "MISS") for k in ("ALL", "DMND")}
# Of prediction.
WITH_TIME |= {"BE_BR_MISPRED_DETAIL", "BR_MISPRED_DETAIL", "BR_MISPRED_DETAIL2", "BR_PATH_PRED",
              "BR_PATH_PRED2", "ENCBR_MISPRED_DETAIL"}
# Of two threads.
WITH_TIME |= {"THREAD_SWITCH_EVENTS", "THREAD_SWITCH_GATED", "THREAD_SWITCH_CYCLE",
              "THREAD_SWITCH_STALL"}
# What always counts 0, by its definition.
ZERO = {"BE_LOST_BW_DUE_TO_FE.IBFULL", "IDEAL_BE_LOST_BW_DUE_TO_FE.IBFULL",
        "BR_MISPRED_DETAIL.IPREL.WRONG_TARGET", "L2I_UC_READS.ALL.PFTCH",
        "L2I_UC_READS.MISS.PFTCH", "L2I_UC_READS.HIT.ALL", "L2I_UC_READS.HIT.DMND",
        "L2I_UC_READS.HIT.PFTCH", "L2D_L3ACCESS_CANCEL.P2_COV_SNP_TEM"}
ZERO |= {f"SI_WDQ_ECC_ERRORS.{kind}.{who}" for kind in ("ALL", "SGL", "DBL")
         for who in ("SELF", "EITHER")}
ZERO |= {f"SI_{queue}_LIVE_REQ_HI.SELF" for queue in ("RQ", "WRITEQ", "CCQ")}
ZERO |= {"SI_WRITEQ_LIVE_REQ_HI.EITHER"}
# What a machine with bus.castouts=1 alone has.
CASTOUTS = {"BUS_WR_WB.CCASTOUT.ANY", "BUS_WR_WB.CCASTOUT.SELF"}
CASTOUTS |= {f"SI_CCQ_{event}.{who}" for event in ("INSERTS", "LIVE_REQ_LO")
             for who in ("SELF", "EITHER")}
# What a machine with two cores alone has.
CORES = {f"{event}.{who}" for event in ("BUS_HITM", "BUS_RD_HIT", "BUS_RD_HITM",
                                        "BUS_RD_INVAL_HITM", "BUS_RD_INVAL_BST_HITM",
                                        "BUS_SNOOP_STALL_CYCLES")
         for who in ("SELF", "EITHER", "ANY")}
CORES |= {f"SI_{event}.{who}" for event in (
    "SCB_INSERTS.ALL", "SCB_INSERTS.MISS", "SCB_INSERTS.HIT", "SCB_INSERTS.HITM",
    "SCB_LIVE_REQ_HI", "SCB_LIVE_REQ_LO", "WAQ_COLLISIONS", "WRITEQ_INSERTS.IWB")
    for who in ("SELF", "EITHER")}
CORES |= {f"SI_SCB_SIGNOFFS.{kind}" for kind in ("ALL", "MISS", "HIT", "HITM")}
CORES |= {"ER_SNOOPQ_REQ_HI", "ER_SNOOPQ_REQ_LO",
          "L2D_L3ACCESS_CANCEL.P2_COV_SNP_FILL_NOSNP", "L2D_L3ACCESS_CANCEL.P2_COV_SNP_VIC",
          "L2D_FILL_MESI_STATE.I"}
# And one with both.
CORES_CASTOUTS = {f"SI_CCQ_COLLISIONS.{who}" for who in ("SELF", "EITHER")}
WITH_TIME |= {"SI_RQ_LIVE_REQ_HI.EITHER", "SI_CCQ_LIVE_REQ_HI.EITHER"}
WITH_TIME |= ZERO | CASTOUTS | CORES | CORES_CASTOUTS | {
    "L2D_BAD_LINES_SELECTED.ANY", "L2D_FORCE_RECIRC.FRC_RECIRC",
    "L2D_OZQ_CANCELS1.SIBLING_ACQ_REL", "SI_IOQ_COLLISIONS", "SI_IOQ_LIVE_REQ_HI",
    "SI_IOQ_LIVE_REQ_LO"}
WITH_TIME |= {f"L2D_OZQ_CANCELS0.{why}" for why in ("MISC_ORDER", "RECIRC", "REL", "SEMA")}
WITH_TIME |= {f"L2D_OZQ_CANCELS0.{why}" for why in (
    "CANC_L2M_TO_L2C_ST", "FILL_ST_CONF", "OVER_SUB", "OZDATA_CONF", "OZQ_PREEMPT", "WB_CONF")}
WITH_TIME |= {f"L2D_L3ACCESS_CANCEL.{why}" for why in ("ANY", "INV_L3_BYP", "SPEC_L3_BYP",
                                                       "ER_REJECT")}
WITH_TIME |= {"L2D_OZDB_FULL.THIS", "L2D_OZQ_CANCELS1.LATE_BYP_EFFRELEASE"}
WITH_TIME |= {f"SI_WRITEQ_INSERTS.{kind}.{who}" for kind in ("WC1_8A", "WC1_8B", "WC16", "WC32")
              for who in ("SELF", "EITHER")}
# Of these, what nothing in the model does.
REFUSED |= {f"{event}.{why}" for event in ("FE_LOST_BW", "BE_LOST_BW_DUE_TO_FE",
                                           "IDEAL_BE_LOST_BW_DUE_TO_FE")
            for why in ("BI",)}
REFUSED |= {f"{event}.{why}" for event, reasons in (
    ("BE_L1D_FPU_BUBBLE", ("FPU", "L1D_AR_CR", "L1D_LDCHK", "L1D_NAT")),
    ("L2D_FORCE_RECIRC", ("TRAN_PREF",)),
    ("L2D_FILL_MESI_STATE", ("P",))) for why in reasons}
REFUSED |= {"BUS_WR_WB.ALL.IO", "BUS_WR_WB.EQ_128BYTE.IO"}
REFUSED |= {f"{event}.IO" for event in (
    "BUS_ALL", "BUS_B2B_DATA_CYCLES", "BUS_DATA_CYCLE", "BUS_IO", "BUS_RD_DATA", "BUS_RD_IO",
    "BUS_RD_PRTL")}
REFUSED |= {f"{event}.IO" for event in (
    "BUS_MEMORY.ALL", "BUS_MEMORY.EQ_128BYTE", "BUS_MEMORY.LT_128BYTE", "BUS_MEM_READ.ALL",
    "BUS_MEM_READ.BIL", "BUS_MEM_READ.BRIL", "BUS_MEM_READ.BRL")}
REFUSED |= {"THREAD_SWITCH_EVENTS.DBG", "THREAD_SWITCH_CYCLE.PCR"}
REFUSED |= {"BE_EXE_BUBBLE.CANCEL", "BE_EXE_BUBBLE.BANK_SWITCH"}


def check_counted(have):
    """needs_time and status of every row."""
    problems = []
    for name, event in sorted(have.items()):
        free = name.split(".")[0] in WITHOUT_TIME or name in WITHOUT_TIME_ROWS
        if event["needs_time"] != int(not free):
            problems.append(f"{name}: needs_time {event['needs_time']}")
        status = next((word for word, names in (
            ("ZERO(", ZERO), ("CASTOUTS(", CASTOUTS), ("CORES(", CORES),
            ("CORES_CASTOUTS(", CORES_CASTOUTS)) if name in names), "COUNTED(")
        counted = event["status"].startswith(status)
        timed = name.split(".")[0] in WITH_TIME or name in WITH_TIME
        if counted != ((free or timed) and name not in REFUSED):
            problems.append(f"{name}: {event['status']}")
    rows_named = {name.split(".")[0] for name in have} | set(have)
    problems += [f"{name} is no event" for name in
                 sorted((WITHOUT_TIME | WITHOUT_TIME_ROWS | WITH_TIME | REFUSED) - rows_named)]
    report("events.def: what needs time, and what is counted", problems)


def check_events(facts):
    """events.def against montecito_events.csv, row by row."""
    with open(os.path.join(facts, "montecito_events.csv"), encoding="utf-8") as f:
        want = {row["name"]: event_from_csv(row) for row in csv.DictReader(f)}
    have = {}
    problems = []
    for args in rows(os.path.join(PMU, "events.def"), "MONT_EVENT"):
        event = event_from_def(args)
        if event["name"] in have:
            problems.append(f"{event['name']} twice")
        have[event["name"]] = event
    problems += [f"{name} is missing" for name in want if name not in have]
    problems += [f"{name} is unknown" for name in have if name not in want]
    report(f"events.def has the {len(want)} events", problems)
    problems = []
    for name in sorted(set(want) & set(have)):
        for key, value in want[name].items():
            if have[name][key] != value:
                problems.append(f"{name} {key}: {have[name][key]}, not {value}")
    report("events.def agrees column by column", problems)
    check_counted(have)


def access_of(row):
    """How registers.def calls the access of a row of registers.csv."""
    if row["field"] == "ism":
        return "KEPT"
    access = row["access"]
    if access.startswith("read 0") or access == "ignored":
        return "IGNORED"
    if access.startswith("reserved"):
        return "KEPT"
    if access.startswith(("write 0", "writes ignored")):
        return "SIGN"
    return "RW"


def check_registers(facts):
    """registers.def against registers.csv: fields, and masks made of them."""
    want = set()
    with open(os.path.join(facts, "registers.csv"), encoding="utf-8") as f:
        for row in csv.DictReader(f):
            register = row["register"].split(" ")[0]
            if register[:3] not in ("PMC", "PMD"):
                continue
            first, _, last = register[3:].partition("-")
            high, _, low = row["bits"].partition(":")
            name = row["field"]
            if "(" in row["register"]:
                name += " [" + row["register"].split("(")[1].split(" ")[0] + "]"
            want.add((register[:3], int(first), int(last or first), name, int(high),
                      int(low or high), access_of(row)))
    path = os.path.join(PMU, "registers.def")
    have = {(a[0], int(a[1]), int(a[2]), a[3], int(a[4]), int(a[5]), a[6])
            for a in rows(path, "MONT_FIELD")}
    report(f"registers.def has the {len(want)} fields",
           [f"missing {x}" for x in sorted(want - have)] +
           [f"unknown {x}" for x in sorted(have - want)])

    masks = {}
    for kind, first, last, _, high, low, access in have:
        mask = masks.setdefault((kind, first, last), 0)
        if access == "RW":
            masks[kind, first, last] = mask | ((2 << (high - low)) - 1) << low
    problems = []
    for kind in ("PMC", "PMD"):
        for args in rows(path, "MONT_" + kind):
            key = (kind, int(args[0]), int(args[1]))
            if masks.pop(key, None) != int(args[2], 0):
                problems.append(f"{key}: write mask {args[2]} is not that of its fields")
    problems += [f"{key} has fields but no row" for key in masks]
    report("write masks are the union of the writable fields", problems)


def main():
    facts = sys.argv[1] if len(sys.argv) > 1 else os.path.join(TOP, "Documentation/facts")
    check_events(facts)
    check_registers(facts)
    print(f"1..{len(results)}")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
