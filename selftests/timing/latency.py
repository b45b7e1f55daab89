# SPDX-License-Identifier: GPL-2.0-only
"""Table 2-8: producers and consumers, each with each."""

from loops import COPIES, NOPS, Row, bundle, loop, per_copy, single

# Producers: (row of the table, name, unit, text, before the loop, whether it counts).
# {d}, {f}, {p}: a register of the copy's own; {k} its number.
CHAIN_BASE = "".join(f"\tmov r{8 + k} = r20\n" for k in range(COPIES))
PRODUCERS = [(row, text.split()[0] + extra, unit, text, before, counts)
             for row, counts, unit, before, extra, texts in (
    ("adder", True, "A", "", "", (
        "add {d} = r20, r0", "sub {d} = r20, r0", "adds {d} = 0, r20", "addl {d} = 0, r0",
        "addp4 {d} = r0, r20", "and {d} = r20, r20", "andcm {d} = r20, r0",
        "or {d} = r20, r0", "xor {d} = r20, r0", "shladd {d} = r0, 1, r20",
        "shladdp4 {d} = r0, 1, r20")),
    ("adder", True, "I", "", "", (
        "shrp {d} = r20, r20, 0", "extr {d} = r20, 0, 40", "extr.u {d} = r20, 0, 40",
        "dep {d} = r20, r20, 0, 16", "dep.z {d} = r20, 0, 40", "zxt1 {d} = r0",
        "zxt2 {d} = r0", "zxt4 {d} = r20", "sxt1 {d} = r0", "sxt2 {d} = r0",
        "sxt4 {d} = r20", "czx1.r {d} = r0", "czx2.l {d} = r0")),
    ("adder", True, "L", "", "", ("movl {d} = itself",)),
    ("adder", True, "M", CHAIN_BASE, "'s base", (
        "ld8 {h} = [{d}], r0", "ld8 {h} = [{d}], 0", "ldfd {i} = [{d}], r0",
        "lfetch [{d}], r0", "lfetch [{d}], 0")),
    ("adder", True, "M", CHAIN_BASE.replace("r20", "r22"), "'s base", (
        "st8 [{d}] = r0, 0", "stfd [{d}] = f1, 0")),
    ("multimedia", True, "I", "", "", (
        "pmpy2.r {d} = r0, r0", "pmpyshr2 {d} = r0, r0, 0", "mix4.r {d} = r0, r20",
        "mux1 {d} = r0, @rev", "mux2 {d} = r20, 0xe4", "pack2.uss {d} = r0, r0",
        "unpack1.l {d} = r0, r0", "pmin1.u {d} = r20, r20", "pmax2 {d} = r20, r20",
        "psad1 {d} = r20, r20", "pshr2 {d} = r20, r0", "pshl2 {d} = r20, r0",
        "shr {d} = r20, r0", "shr.u {d} = r20, r0", "shl {d} = r20, r0",
        "popcnt {d} = r0")),
    # which of them are of this class is an assumption
    ("multimedia", False, "A", "", "", (
        "padd1 {d} = r0, r20", "psub2 {d} = r20, r0", "pcmp1.gt {d} = r0, r0",
        "pavg1 {d} = r20, r20", "pshladd2 {d} = r0, 1, r20")),
    ("multimedia", False, "I", "", " (fixed)", ("pshr2 {d} = r20, 0", "pshl2 {d} = r20, 0")),
    ("probe", True, "M", "", "", (
        "thash {d} = r20", "tpa {d} = r20", "probe.r {d} = r20, 0", "probe.w {d} = r20, 0",
        "tak {d} = r0")),
    ("getf", True, "M", "", "", ("getf.sig {d} = f8", "getf.exp {d} = f0", "getf.s {d} = f0",
                                 "getf.d {d} = f0")),
    ("setf", True, "M", "", "", ("setf.sig {f} = r20", "setf.exp {f} = r0", "setf.s {f} = r0",
                                 "setf.d {f} = r0")),
    ("Fmac", True, "F", "", "", (
        "fma.d {f} = f1, f1, f0", "fms.d {f} = f1, f1, f0", "fnma.d {f} = f1, f1, f0",
        "fpma {f} = f1, f1, f0", "fpms {f} = f1, f1, f0", "fpnma {f} = f1, f1, f0",
        "fadd.d {f} = f1, f1", "fsub.d {f} = f1, f1", "fmpy.d {f} = f1, f1",
        "fnmpy.d {f} = f1, f1", "fpmpy {f} = f1, f1", "fpnmpy {f} = f1, f1",
        "fnorm.d {f} = f1", "xma.l {f} = f8, f8, f8", "frcpa {f}, p6 = f1, f1",
        "fprcpa {f}, p6 = f1, f1", "frsqrta {f}, p6 = f1", "fprsqrta {f}, p6 = f1",
        "fcvt.fx {f} = f1", "fcvt.xf {f} = f8", "fpcvt.fx {f} = f1")),
    ("Fmisc", True, "F", "", "", (
        "fselect {f} = f1, f1, f8", "fmin {f} = f1, f0", "fmax {f} = f1, f0",
        "famin {f} = f1, f0", "famax {f} = f1, f0", "fpmin {f} = f1, f1",
        "fpmax {f} = f1, f1", "fpamin {f} = f1, f1", "fpcmp.eq {f} = f1, f1",
        "fmerge.s {f} = f1, f1", "fmix.lr {f} = f1, f1", "fsxt.l {f} = f1, f1",
        "fpack {f} = f1, f1", "fswap {f} = f1, f1", "fand {f} = f1, f1",
        "fandcm {f} = f1, f1", "for {f} = f1, f1", "fxor {f} = f1, f1",
        "fpmerge.s {f} = f1, f1", "fneg {f} = f1", "fnegabs {f} = f1", "fpabs {f} = f1",
        "fpneg {f} = f1", "fpnegabs {f} = f1")),
    ("load", True, "M", "", "", ("ld8 {d} = [r20]", "ld8.s {d} = [r20]", "ld8.a {d} = [r20]",
                                 "ld8.acq {d} = [r20]", "ld4 {d} = [r20]", "ld1 {d} = [r22]")),
    ("FP_load", True, "M", "", "", (
        "ldfd {f} = [r22]", "ldfs {f} = [r22]", "ldf8 {f} = [r22]", "ldfe {f} = [r22]",
        "ldf.fill {f} = [r22]", "ldfd.s {f} = [r22]", "ldfd.a {f} = [r22]")),
    ("IEU2", True, "I", "", " from br", ("mov {d} = b6",)),
    ("IEU2", True, "M", "", "", ("alloc {d} = ar.pfs, 0, 0, 96, 0",)),
    ("CR_AR", True, "I", "", " from ar.ec", ("mov {d} = ar.ec",)),
    ("mov_pr", True, "I", "", " from pr", ("mov {d} = pr",)),
    ("indirect", True, "M", "", " from rr", ("mov {d} = rr[r20]",)),
    ("indirect", True, "M", "", " from pkr", ("mov {d} = pkr[r0]",)),
) for text in texts]

# Predicates: true for another instruction, false for a branch that is not taken.
PREDICATES = [
    ("cmp", "cmp", "A", "cmp.eq {p}, p0 = r0, r0", "cmp.ne {p}, p0 = r0, r0"),
    ("cmp", "cmp4", "A", "cmp4.eq {p}, p0 = r0, r0", "cmp4.ne {p}, p0 = r0, r0"),
    ("cmp", "tbit", "I", "tbit.z {p}, p0 = r0, 0", "tbit.nz {p}, p0 = r0, 0"),
    ("cmp", "tnat", "I", "tnat.z {p}, p0 = r20", "tnat.nz {p}, p0 = r20"),
    ("fcmp", "fcmp", "F", "fcmp.eq {p}, p0 = f1, f1", "fcmp.neq {p}, p0 = f1, f1"),
    ("fcmp", "fclass", "F", "fclass.m {p}, p0 = f1, @pos | @norm",
     "fclass.nm {p}, p0 = f1, @pos | @norm"),
    ("frcpa", "frcpa", "F", "frcpa {f}, {p} = f1, f1", "frcpa {f}, {p} = f1, f0"),
    ("frcpa", "fprcpa", "F", "fprcpa {f}, {p} = f1, f1", "fprcpa {f}, {p} = f1, f0"),
    ("frcpa", "frsqrta", "F", "frsqrta {f}, {p} = f1", "frsqrta {f}, {p} = f0"),
    ("frcpa", "fprsqrta", "F", "fprsqrta {f}, {p} = f1", "fprsqrta {f}, {p} = f0"),
    ("mov_pr", "mov to pr", "I", "mov pr = r10, -1", "mov pr = r0, -1"),
]

# Consumers, by column: unit and text.
OF_GR = {
    "ALU": ("A", "add {c} = {d}, r0"),
    "address": ("M", "ld1 {c} = [{d}]"),
    "multimedia": ("I", "mux1 {c} = {d}, @rev"),
    "store": ("M", "st8 [r21] = {d}"),
    "setf": ("M", "setf.sig {g} = {d}"),
}
OF_FR = {
    "store": ("M", "stfd [r21] = {f}"),
    "Fmac": ("F", "fma.d {g} = {f}, f1, f0"),
    "Fmisc": ("F", "fmerge.s {g} = {f}, f1"),
    "getf": ("M", "getf.sig {c} = {f}"),
}
OF_PR = {"qp": ("A", "({p}) add {c} = r0, r0"), "br": ("B", "({p}) br.cond.spnt.few row_done")}


# Through one register: producers that read what they have written, by column.
CHAINS = [
    ("adder", "ALU", "A", "add {d} = {d}, r0", ""),
    ("multimedia", "multimedia", "I", "mux1 {d} = {d}, @rev", ""),
    ("Fmac", "Fmac", "F", "fma.d {f} = {f}, f1, f0", ""),
    ("Fmisc", "Fmisc", "F", "fmerge.s {f} = {f}, {f}", ""),
    ("load", "address", "M", "ld8 {d} = [{d}]", CHAIN_BASE),
]


def with_registers(text, k):
    return text.format(d=f"r{8 + k}", c=f"r{24 + k}", f=f"f{32 + k}", g=f"f{48 + k}",
                       h=f"r{40 + k}", i=f"f{64 + k}", p=f"p{8 + k}")


def cycles_of(cell):
    """A cell of table 2-8 as a number."""
    value = {"N": 1, "M": 5, "C": 2, "D": 6}
    base, _, more = cell.partition("+")
    return value.get(base) or int(base) if not more else value[base] + int(more)


def pair(producer, consumer, distance=1):
    """Producer and consumer, @distance groups from one to the other."""
    def unit(k):
        one, two = with_registers(producer[1], k), with_registers(consumer[1], k)
        if not distance:
            assert producer[0] in "AI" and consumer[0] == "B"
            slots = [one, NOPS["I"], two] if producer[0] == "A" else [NOPS["M"], one, two]
            return bundle("MIB", *slots)
        fill = bundle("MII", NOPS["M"], NOPS["I"], NOPS["I"]) * (distance - 1)
        return single(producer[0], one) + fill + single(consumer[0], two)
    return "".join(unit(k) for k in range(COPIES))


def source_of(row, column):
    return f"manual table 2-8: {row.replace('_', ' ')}, {column}"


def latencies(table):
    head, cells = table[0][1:], {line[0]: line[1:] for line in table[1:]}
    for row, name, unit, text, before, counts in PRODUCERS:
        for column, consumer in (OF_FR if "{f}" in text else OF_GR).items():
            cell = cells[row][head.index(column)]
            if cell == "-":
                continue
            title = f"{name} to {column}"
            if cell == "4/8":
                for distance, expected in ((1, 8), (2, 8), (3, 8), (4, 4), (5, 5)):
                    yield Row("latency", f"{title}, {distance} groups on", expected,
                              source_of(row, column) + ", note 1",
                              loop(pair((unit, text), consumer, distance), before),
                              per_copy(less=1), counts=counts and distance not in (2, 3),
                              who=name, what=f"to {column}, {distance} groups on")
                continue
            yield Row("latency", title, cycles_of(cell), source_of(row, column),
                      loop(pair((unit, text), consumer), before), per_copy(less=1),
                      counts=counts, who=name, what=f"to {column}")
    for row, name, unit, true, false in PREDICATES:
        for column, consumer in OF_PR.items():
            expected = cycles_of(cells[row][head.index(column)])
            text = false if column == "br" else true
            yield Row("latency", f"{name} to {column}", expected, source_of(row, column),
                      loop(pair((unit, text), consumer, 1 if expected else 0),
                           "\tmov r10 = -1\n"), per_copy(less=1), who=name,
                      what=f"to {column}")
    # what note 5 says besides
    written = bundle("MII", NOPS["M"], "mov ar.ec = r0", NOPS["I"])
    for column, consumer in OF_GR.items():
        yield Row("latency", f"mov to ar.ec, mov from it, to {column}", 4,
                  "manual table 2-8, note 5: EC and LC accesses are 2 cycles",
                  loop("".join(written + single("I", f"mov r{8 + k} = ar.ec") +
                               single(consumer[0], with_registers(consumer[1], k))
                               for k in range(COPIES))), per_copy(less=1))
    for name, text in (("ar.fpsr", "mov {d} = ar.fpsr"), ("cr.iva", "mov {d} = cr.iva"),
                       ("cr.tpr", "mov {d} = cr.tpr")):
        yield Row("latency", f"mov from {name} to ALU", (10, 12),
                  "manual table 2-8, note 5: FPSR and CR accesses are 10 to 12 cycles",
                  loop(pair(("M", text), OF_GR["ALU"])), per_copy(less=1))



def one_register(table):
    """What is written again and again: read in between, and not."""
    head, cells = table[0][1:], {line[0]: line[1:] for line in table[1:]}
    for row, column, unit, text, before in CHAINS:
        name, expected = text.split()[0], cycles_of(cells[row][head.index(column)])
        # the loop's own group lies under a wait, if there is one
        yield Row("latency", f"{name} on, through one register", expected,
                  source_of(row, column),
                  loop(single(unit, with_registers(text, 0)) * COPIES, before),
                  per_copy() if expected == 1 else lambda cycles, _: cycles / COPIES,
                  who=name, what="through one register")
    for row, name, unit, text, before, _ in PRODUCERS:
        if "'s base" not in name:
            expected = cycles_of("M+1") if row == "FP_load" else 1
            yield Row("latency", f"{name} of one register, not read", expected,
                      "assumption T8: a write waits for no earlier result but a load's that the "
                      "L1D has not served",
                      loop(single(unit, with_registers(text, 0)) * COPIES, before),
                      per_copy() if expected == 1 else lambda cycles, _: cycles / COPIES,
                      counts=False, who=name, what="again, the result not read")
