# SPDX-License-Identifier: GPL-2.0-only
"""Which instructions issue together: pairs of templates, and ports."""

from loops import COPIES, NOPS, Row, bundle, loop, per_copy

def filled(template, adds, last_branch):
    """Slots of a bundle: nops, or adds in its I slots; a branch where it ends."""
    slots = []
    for i, kind in enumerate(template):
        if kind == "L":
            slots.append("movl r{x} = 0")
            break
        text = NOPS[kind]
        if kind == "I" and adds:
            text = "add r{%s} = r0, r0" % "uvw"[i]
        if kind == "B" and i == 2 and last_branch and template != "BBB" and template != "MBB":
            text = "(p6) br.cond.spnt.few row_done"
        slots.append(text)
    return slots


def two(first, second):
    """A unit of two bundles, ending in a stop; COPIES of it."""
    out = ""
    for k in range(COPIES):
        free = [(8, 24)[n // 8 % 2] + n % 8 for n in range(6 * k, 6 * k + 6)]
        regs = [dict(zip("uvwf", [*free[:3], 32 + k]), x=free[0]),
                dict(zip("uvwf", [*free[3:], 40 + k]), x=free[3])]
        out += bundle(first[0], *[s.format(**regs[0]) for s in first[1]], stop=False)
        out += bundle(second[0], *[s.format(**regs[1]) for s in second[1]])
    return out


def template_pairs(table):
    seconds = table[0][1:]
    for line in table[1:]:
        first = line[0].replace("(n)", "")
        for second, cell in zip(seconds, line[1:]):
            ways = [(True, "adds", cell.startswith("Y"))]
            if first.count("I") + second.count("I") > 0 or "MLX" in (first, second):
                ways.append((False, "nop.i", cell == "Y"))
            for adds, what, together in ways:
                name = f"{first} {second}"
                code = loop(two((first, filled(first, adds, False)),
                                (second, filled(second, adds, True))))
                yield Row("pairs", f"{name}, {what} in I slots" if len(ways) > 1 else name,
                          1 if together else 2, "manual 2.3.1; matrix of pairs", code,
                          per_copy())
    for first in ("MIB", "MMB", "MFB"):
        slots = filled(first, False, True)
        yield Row("pairs", f"{first} with a branch, MFI", 2, "manual 2.3.1; dispersal.md 2, row 5",
                  loop(two((first, slots), ("MFI", filled("MFI", False, False)))), per_copy())
    yield Row("pairs", "MIB MIB, both nop.b", 2, "dispersal.md 3.4: both want B0",
              loop(two(("MIB", filled("MIB", True, False)), ("MIB", filled("MIB", True, False)))),
              per_copy(), counts=False)


# One instruction of each type, {r}, {f}, {p} its own registers, {b} a base of its own
# (kept equal), {s} an address of its own to store to; a second number: even and odd.
TYPES = {
    "A1": "add {r} = r20, r0", "A2": "shladd {r} = r20, 1, r0", "A4": "adds {r} = 1, r20",
    "A5": "addl {r} = 1, r0", "A6": "cmp.eq {p}, p0 = r20, r0", "A9": "padd1 {r} = r20, r0",
    "A10": "pshladd2 {r} = r20, 1, r0",
    "I1": "pmpy2.r {r} = r20, r0", "I2": "mix2.l {r} = r20, r0", "I3": "mux1 {r} = r20, @rev",
    "I4": "mux2 {r} = r20, 0xe4", "I5": "shr {r} = r20, r0", "I6": "pshr2 {r} = r20, 1",
    "I7": "shl {r} = r20, r0", "I8": "pshl2 {r} = r20, 1", "I9": "popcnt {r} = r20",
    "I10": "shrp {r} = r20, r0, 1", "I11": "extr {r} = r20, 1, 2",
    "I12": "dep.z {r} = r20, 1, 2", "I13": "dep.z {r} = 1, 1, 2",
    "I14": "dep {r} = -1, r20, 1, 2", "I15": "dep {r} = r20, r20, 1, 2",
    "I16": "tbit.z {p}, p0 = r20, 0", "I17": "tnat.z {p}, p0 = r20", "I18": "hint.i 0x40",
    "I19": "nop.i 1", "I20": "chk.s.i r20, row_done", "I21": "mov b6 = r20",
    "I22": "mov {r} = b6", "I23": "mov pr = r0, 2", "I24": "mov pr.rot = 0",
    "I25": "mov {r} = ip", "I26": "mov.i ar.pfs = r0", "I27": "mov.i ar.ec = 0",
    "I28": "mov.i {r} = ar.pfs", "I29": "sxt1 {r} = r20",
    "M1": "ld8 {r} = [r20]", "M2": "ld8 {r} = [{b}], r0", "M3": "ld8 {r} = [{b}], 0",
    "M4": "st8 [{s}] = r0", "M5": "st8 [{s}] = r0, 0", "M6": "ldfd {f} = [{b}]",
    "M6a": "ldfd.a {f} = [{b}]", "M7": "ldfd {f} = [{b}], r0", "M8": "ldfd {f} = [{b}], 0",
    "M9": "stfd [{s}] = f1", "M10": "stfd [{s}] = f1, 0", "M11": "ldfpd {f}, {g} = [{b}]",
    "M13": "lfetch [{b}]", "M14": "lfetch [{b}], r0", "M15": "lfetch [{b}], 0",
    "M16": "cmpxchg8.rel {r} = [{s}], r0, ar.ccv", "M17": "fetchadd8.rel {r} = [{s}], 1",
    "M18": "setf.sig {f} = r20", "M19": "getf.sig {r} = f8", "M20": "chk.s.m r20, row_done",
    "M21": "chk.s f8, row_done", "M22": "chk.a.nc r23, row_done",
    "M23": "chk.a.nc f9, row_done", "M24": "invala", "M26": "invala.e r9",
    "M27": "invala.e f9", "M29": "mov.m ar.ccv = r0", "M30": "mov.m ar.ccv = 1",
    "M31": "mov.m {r} = ar.ccv", "M33": "mov {r} = cr.tpr",
    "M36": "mov {r} = psr", "M37": "nop.m 1", "M38": "probe.r {r} = r20, r0",
    "M39": "probe.r {r} = r20, 0", "M43": "mov {r} = rr[r20]",
    "M46": "thash {r} = r20", "M48": "hint.m 0x40",
    "F1": "fma.d {f} = f1, f1, f0", "F2": "xma.l {f} = f8, f8, f8",
    "F3": "fselect {f} = f1, f1, f8", "F4": "fcmp.eq {p}, p0 = f1, f1",
    "F5": "fclass.m {p}, p0 = f1, @pos | @norm", "F6": "frcpa {f}, p0 = f1, f1",
    "F7": "frsqrta {f}, p0 = f1", "F8": "fmin {f} = f1, f0", "F9": "fmerge.s {f} = f1, f1",
    "F10": "fcvt.fx {f} = f1", "F11": "fcvt.xf {f} = f8", "F16": "nop.f 1",
}
# Not here: M12, whose base moves on (its ports are M11's); M25 and M34, which are the
# first of their group; M28, M40, M41, M42, M45 and M47, which change caches or
# translations; M32, M35, M44 and B8, which change what all that follows waits for.

# Not several in a group: they write one register; semaphores wait for each other.
NOT_TOGETHER = ("I21", "I23", "I24", "I26", "I27", "M29", "M30", "M16", "M17")

ALAT_ENTRIES = "\tld8.a r23 = [r20]\n\tldfd.a f9 = [r22] ;;\n"
PORT_COPIES = 16


def port_unit(text, shape):
    """Two bundles of @shape, PORT_COPIES times; T stands for the type's instruction."""
    out, n = "", 0
    # what the L1D does not serve goes to four banks of the L2D
    by_l2d = "ldf" in text or "lfetch" in text
    before = ALAT_ENTRIES + "".join(f"\tadds r{8 + i} = {64 + 16 * i}, r22\n" if by_l2d else
                                    f"\tmov r{8 + i} = r20\n" for i in range(4))
    for _ in range(PORT_COPIES):
        m = 0
        for b, (template, slots) in enumerate(shape):
            filled_in = []
            for s in slots:
                if s != "T":
                    filled_in.append({"ld": f"ld8 r{38 + m % 2} = [r20]",
                                      "st": f"st8 [r{16 + m % 4}] = r0"}.get(s, s))
                    m += 1
                    continue
                # a register comes again when what was written last is long there
                filled_in.append(text.format(r=f"r{40 + n % 48}", f=f"f{32 + 2 * (n % 40)}",
                                             g=f"f{33 + 2 * (n % 40)}", p=f"p{8 + n % 8}",
                                             b=f"r{8 + n % 4}", s=f"r{16 + n % 4}"))
                n += 1
            out += bundle(template, *filled_in, stop=b == len(shape) - 1)
    return before, out


def port_row(kind, what, text, shape, expected, source, counts):
    before, body = port_unit(text, shape)
    name = text.split()[0]
    return Row("ports", f"{kind} {what}: {name}", expected, source, loop(body, before),
               per_copy(PORT_COPIES), counts=counts, who=f"{name} ({kind})", what=what)


def port_rules(table):
    m, i = NOPS["M"], NOPS["I"]
    for kind, ports, confidence in table[1:]:
        text, counts = TYPES[kind], confidence == "sourced"
        source = f"manual tables 2-4 to 2-7: {ports.replace(',', ', ')}"
        if kind[0] == "M":
            n = {"M0": 1, "M2": 1, "M0,M1": 2, "M2,M3": 2, "M0-M3": 4}[ports]
            for what, shape, expected in (
                    ("four", [("MMI", ["T", "T", i]), ("MMI", ["T", "T", i])], 4 // n),
                    ("behind two loads", [("MMI", ["ld", "ld", i]), ("MMI", ["T", m, i])],
                     2 if ports in ("M0", "M0,M1") else 1),
                    ("behind two stores", [("MMI", ["st", "st", i]), ("MMI", ["T", m, i])],
                     2 if ports in ("M2", "M2,M3") else 1)):
                if what == "four" and kind in NOT_TOGETHER:
                    continue
                yield port_row(kind, what, text, shape, expected, source, counts)
        elif kind[0] == "I":
            n = 2 if ports == "I0" else 1
            for what, shape, expected in (
                    ("twice", [("MFI", [m, NOPS["F"], "T"]), ("MFI", [m, NOPS["F"], "T"])], n),
                    ("behind nop.i", [("MFI", [m, NOPS["F"], i]),
                                      ("MFI", [m, NOPS["F"], "T"])], n)):
                if what == "twice" and kind in NOT_TOGETHER:
                    continue
                yield port_row(kind, what, text, shape, expected, source, counts)
        elif kind[0] == "A":
            for what, shape, expected in (
                    ("six", [("MII", ["T"] * 3), ("MII", ["T"] * 3)], 1),
                    ("four in M slots", [("MMI", ["T", "T", i]), ("MMI", ["T", "T", i])], 1),
                    ("beside four loads and stores",
                     [("MMI", ["ld", "ld", "T"]), ("MMI", ["st", "st", "T"])], 1)):
                yield port_row(kind, what, text, shape, expected, source, counts)
        else:
            yield port_row(kind, "twice", text,
                           [("MFI", [m, "T", i]), ("MFI", [m, "T", i])], 1, source, counts)
    yield from worked_checks()


def worked_checks():
    """Sections 3.1 and 8 of the notes on dispersal, and what a B slot may hold (2, row 5)."""
    def slots(template, *texts):
        names = {"ld": "ld8 r{u} = [r20]", "ld2": "ld8 r{v} = [r20]", "st": "st8 [r16] = r0",
                 "st2": "st8 [r17] = r0", "add": "add r{w} = r0, r0", "add2": "add r{v} = r0, r0",
                 "add3": "add r{u} = r0, r0", "extr": "extr r{w} = r20, 1, 2",
                 "getf": "getf.sig r{u} = f8", "setf": "setf.sig f{f} = r20",
                 "thash": "thash r{v} = r20", "mov": "mov.m r{u} = ar.ccv",
                 "mov b": "mov b6 = r20", "br": "(p6) br.cond.spnt.few row_done"}
        return template, [names.get(text, text) for text in texts]

    def nops(template, branch=False):
        return template, filled(template, False, branch)

    m, i = NOPS["M"], NOPS["I"]
    mfi = nops("MFI")
    for name, first, second, expected, source, counts in (
            ("ld ld add, st st add", slots("MMI", "ld", "ld2", "add"),
             slots("MMI", "st", "st2", "add3"), 1, "8, check 1", True),
            ("ld st add, ld st add", slots("MMI", "ld", "st", "add"),
             slots("MMI", "ld", "st2", "add"), 1, "8, check 2", True),
            ("ld ld add, ld", slots("MMI", "ld", "ld2", "add"), slots("MMI", "ld", m, i), 2,
             "8, check 3", True),
            ("ld add extr, nop.i", slots("MII", "ld", "add2", "extr"), mfi, 2,
             "8, check 4, and a third I slot", True),
            ("ld add extr, no I slot", slots("MII", "ld", "add2", "extr"), nops("MMF"), 1,
             "8, check 4", True),
            ("ld nop.i mov to br", slots("MII", "ld", i, "mov b"), nops("MMF"), 2, "8, check 5",
             True),
            ("two loads and all adds", slots("MII", "ld", "add2", "add"),
             slots("MII", "ld", "add2", "add"), 1, "8, check 6", True),
            ("MFI, MLX with movl", mfi, nops("MLX"), 1, "8, check 7", True),
            ("MIB with a branch, MFI", nops("MIB", True), mfi, 2, "8, check 8", True),
            ("MIB with nop.b, MFB with a branch", nops("MIB"), nops("MFB", True), 1,
             "8, check 9", True),
            ("MIB with hint.b, MFI", slots("MIB", m, i, "hint.b 0"), mfi, 1, "2, row 5", True),
            ("MIB with brp, MFI", slots("MIB", m, i, "brp.sptk 1b, 1b"), mfi, 1,
             "2, row 5", True),
            ("MFI, MBB with two branches", mfi, slots("MBB", m, "br", "br"), 1, "3.4", True),
            ("MFI, BBB with three branches", mfi, slots("BBB", "br", "br", "br"), 1, "3.4",
             True),
            ("MFI, MIB with a branch", mfi, nops("MIB", True), 1, "3.4", True),
            ("getf, then setf", slots("MMI", "getf", "setf", i), mfi, 1, "3.1, rule 4", True),
            ("setf, then getf", slots("MMI", "setf", "getf", i), mfi, 2, "3.1, rule 4", True),
            ("ld, then thash", slots("MMI", "ld", "thash", i), mfi, 2, "3.1, rule 4", False),
            ("thash, then ld", slots("MMI", "thash", "ld", i), mfi, 1, "3.1, rule 4", False),
            ("st, then mov from ar", slots("MMI", "st", "mov", i), mfi, 2, "3.1, rule 4", True),
            ("mov from ar, then st", slots("MMI", "mov", "st", i), mfi, 1, "3.1, rule 4", True)):
        yield Row("ports", name, expected, f"dispersal.md {source}", loop(two(first, second)),
                  per_copy(), counts=counts)
