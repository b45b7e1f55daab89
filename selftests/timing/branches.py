# SPDX-License-Identifier: GPL-2.0-only
"""Branches for the table of events: what each is by construction, and what it is
predicted to be."""

INIT = "\tcmp.ne p6, p7 = r0, r0 ;;\n"	# p6 is false, p7 true
# The loop's end without br.cloop: by a counter, as hinted.
COUNTED = "\tadd r9 = -1, r9 ;;\n\tcmp.le p8, p0 = r0, r9 ;;\n\t(p8) br.cond.%s.few 1b ;;\n"
DETAIL, PATH, ENC, BE = ("BR_MISPRED_DETAIL", "BR_PATH_PRED", "ENCBR_MISPRED_DETAIL.",
                         "BE_BR_MISPRED_DETAIL.")


def both(kind, suffix, *results):
    """One of each result, of branches of a type and of all."""
    return {f"{event}{suffix}.{t}.{r}": 1 for event, r in results for t in (kind, "ALL")}


def alone(branch):
    """A branch in a bundle of its own, to the next; b6 and b7 lead there."""
    init = INIT + "\tmovl r28 = 3f ;;\n\tmov b6 = r28\n\tmov b7 = r28 ;;\n"
    return init, f"\t{{ .mib\n\tnop.m 0\n\tnop.i 0\n\t{branch} ;; }}\n3:\n"


def called(code):
    """A call of a function that consists of @code, and returns by b7."""
    return INIT, f"\tbr.call.sptk.few b7 = 4f ;;\n\tbr.cond.sptk.few 5f ;;\n4:\n{code}5:\n"


def bbb(*branches):
    return "\t{ .bbb\n" + "".join(f"\t{b}\n" for b in branches) + "\t;; }\n"


def mbb(*branches):
    return "\t{ .mbb\n\tnop.m 0\n" + "".join(f"\t{b}\n" for b in branches) + "\t;; }\n"


def nest(depth, outer=None):
    """Calls inside each other; all b7 and AR.PFS are kept. @outer: the return of the first."""
    ret = "\tbr.ret.sptk.few b7 ;;\n"
    code = "\tbr.call.sptk.few b7 = 40f ;;\n\tbr.cond.sptk.few 5f ;;\n"
    for k in range(depth - 1):
        b7, pfs = f"r{32 + 2 * k}", f"r{33 + 2 * k}"
        code += (f"{40 + k}:\tmov {b7} = b7\n\tmov {pfs} = ar.pfs ;;\n"
                 f"\tbr.call.sptk.few b7 = {41 + k}f ;;\n"
                 f"\tmov b7 = {b7}\n\tmov ar.pfs = {pfs} ;;\n") + (ret if k or not outer else outer)
    return INIT, code + f"{39 + depth}:" + ret + "5:\n"


def switched(other, branch="br.cond.sptk.few b6", put=bbb):
    """An indirect branch whose register has been written just before: to two targets in
    turn, or to one."""
    init = INIT + "\tmovl r28 = 3f\n\tmovl r29 = 4f ;;\n\txor r29 = r28, r29 ;;\n"
    if not other:
        init += "\tmov r29 = r0 ;;\n"
    return init, ("\txor r28 = r28, r29 ;;\n\tmov b6 = r28 ;;\n" + put(branch, "nop.b 0", "nop.b 0") +
                  "3:\tnop.m 0 ;;\n\t.balign 16\n4:\tnop.m 0 ;;\n")


def alone_mib(branch, *_):
    return f"\t{{ .mib\n\tnop.m 0\n\tnop.i 0\n\t{branch} ;; }}\n"


def returned(other):
    """A function that writes AR.PFS: as it is, or with another epilogue count each time."""
    return called(f"\tmov r28 = ar.pfs\n\tmovl r29 = {1 << 52 if other else 0} ;;\n"
                  "\txor r28 = r28, r29 ;;\n\tmov ar.pfs = r28 ;;\n\tbr.ret.sptk.few b7 ;;\n")


def epilogue(ec, branch, wait):
    """A loop branch behind a write of AR.LC and AR.EC."""
    return INIT, (f"\tmov ar.lc = r0 ;;\n\tmov ar.ec = {ec} ;;\n" + "\tnop.m 0 ;;\n" * wait +
                  f"\t{{ .mib\n\tnop.m 0\n\tnop.i 0\n\t{branch} 3f ;; }}\n3:\n"), COUNTED % "sptk"


def emptied(code, init=""):
    """@code behind a misprediction, in groups of two bundles: what the front end loses shows."""
    return INIT + init, code, COUNTED % "spnt"


def two_bundles(text="nop.i 0"):
    """A group with an instruction of the first I slot, or a branch at its end."""
    first, last = ("nop.i 0", text) if "br." in text else (text, "nop.i 0")
    return (f"\t{{ .mfi\n\tnop.m 0\n\tnop.f 0\n\t{first} }}\n"
            f"\t{{ .mf{'b' if 'br.' in last else 'i'}\n\tnop.m 0\n\tnop.f 0\n\t{last} ;; }}\n")


def register_read(branch):
    init = "\tmovl r28 = 3f ;;\n\tmov b6 = r28 ;;\n"
    return emptied(two_bundles(branch) + "3:\n" + two_bundles(), init)


def inner_loop(count):
    """A loop inside, whose count is known long before."""
    return emptied(two_bundles("mov.i ar.lc = r28") + two_bundles() * 8 + "2:\n" +
                   two_bundles("br.cloop.sptk.few 2b"), f"\tmov r28 = {count} ;;\n")


def branch_bubbles(cause):
    """Two cycles, of two bundles each, at the beginning and the end of the buffer."""
    return {"FE_BUBBLE.BRANCH": 2, "FE_BUBBLE.GROUP1": 2,
            **{f"{e}.{cause}": 4 for e in ("FE_LOST_BW", "BE_LOST_BW_DUE_TO_FE",
                                           "IDEAL_BE_LOST_BW_DUE_TO_FE")}}


TYPES = (("IPREL", "br.cond", "3f"), ("RETURN", "br.ret", "b7"), ("NRETIND", "br.cond", "b6"))


def outcomes():
    for kind, op, where in TYPES:
        what = {"IPREL": "a branch", "RETURN": "a return", "NRETIND": "an indirect branch"}[kind]

        def row(hint, pr, op=op, where=where):
            # A return is in a function, which has another one behind it.
            branch = f"({pr}) {op}.{hint}.few {where}"
            return (called(alone_mib(branch) + "\tbr.cond.sptk.few 5f ;;\n") if op == "br.ret"
                    else alone(branch))
        yield (f"{what} is not taken, and hinted taken",
               both(kind, "", (DETAIL, "WRONG_PATH"), (PATH, "MISPRED_NOTTAKEN")),
               row("sptk", "p6"), row("spnt", "p6"))
        yield (f"{what} is taken, and hinted not taken",
               both(kind, "", (DETAIL, "WRONG_PATH"), (PATH, "MISPRED_TAKEN")),
               row("spnt", "p7"), row("sptk", "p7"))
        yield (f"{what} is not taken, as hinted", both(kind, "", (PATH, "OKPRED_NOTTAKEN")),
               row("spnt", "p6"), row("sptk", "p6"))
        if kind != "IPREL":
            yield (f"{what} is taken, as hinted",
                   {f"{DETAIL}.{kind}.CORRECT_PRED": 1, f"{PATH}.{kind}.OKPRED_TAKEN": 1},
                   row("sptk", "p7"), row("spnt", "p7"))


def unknown():
    """Behind a branch of the same bundle that is predicted taken, and is not."""
    for kind, op, where in TYPES:
        for pr, results in (
                ("p6", ((DETAIL, "ALL_UNKNOWN_PRED"), (DETAIL, "UNKNOWN_PATH_CORRECT_PRED"),
                        (PATH, "UNKNOWNPRED_NOTTAKEN"))),
                ("p7", ((DETAIL, "ALL_UNKNOWN_PRED"), (DETAIL, "UNKNOWN_PATH_WRONG_PATH"),
                        (PATH, "UNKNOWNPRED_TAKEN")))):
            def two(hint, pr=pr, op=op, where=where):
                code = mbb(f"(p6) br.cond.{hint}.few 5f", f"({pr}) {op}.sptk.few {where}")
                if op == "br.ret":
                    return called(code + "\tbr.ret.sptk.few b7 ;;\n")
                return alone("nop.b 0")[0], code + "3:\n\tnop.m 0 ;;\n5:\n"
            yield (f"{kind}, {'not ' * (pr == 'p6')}taken, behind another in its bundle",
                   both(kind, "2", *results), two("sptk"), two("spnt"))


def encoded():
    """In a bundle of three branches, or of one."""
    def row(branch, put):
        init = alone("nop.b 0")[0]
        return init, put(branch, "nop.b 0", "nop.b 0") + "3:\n"

    def ret(branch, put):
        return called(put(branch, "nop.b 0", "nop.b 0") + "\tbr.cond.sptk.few 5f ;;\n")
    for kind, classes, op, where in (("IPREL", (), "br.cond", "3f"),
                                     ("RETURN", ("OVERSUB",), "br.ret", "b7"),
                                     ("NRETIND", ("ALL2",), "br.cond", "b6")):
        for hint, result in (("sptk", "WRONG_PATH"), ("spnt", "CORRECT_PRED")):
            branch = f"(p6) {op}.{hint}.few {where}"
            make = ret if kind == "RETURN" else row
            yield (f"{kind} in BBB: {result}",
                   {f"{ENC}{c}.{r}": 1 for c in ("ALL", *classes) for r in ("ALL_PRED", result)},
                   make(branch, bbb), make(branch, alone_mib))
    yield ("an indirect branch in BBB to two targets in turn",
           {ENC + "ALL.WRONG_TARGET": 1, ENC + "ALL2.WRONG_TARGET": 1}, switched(True),
           switched(False))
    last = bbb("br.ret.sptk.few b7", "nop.b 0", "nop.b 0")
    yield ("nine calls inside each other, the outer return in BBB",
           {ENC + "OVERSUB.WRONG_TARGET": 1}, nest(9, last), nest(8, last))


ROWS = (
    *outcomes(),
    ("a loop's own branch, as hinted",
     both("IPREL", "", (DETAIL, "CORRECT_PRED"), (PATH, "OKPRED_TAKEN")),
     ("", "", COUNTED % "sptk"), ("", "", COUNTED % "spnt")),
    ("nine calls inside each other: the return stack holds eight",
     both("RETURN", "", (DETAIL, "WRONG_TARGET")), nest(9), nest(8)),
    ("an indirect branch to two targets in turn",
     both("NRETIND", "", (DETAIL, "WRONG_TARGET")), switched(True, put=alone_mib),
     switched(False, put=alone_mib)),
    *unknown(),
    *encoded(),
    ("a return with another AR.PFS than its call's", {BE + "PFS": 1, BE + "ANY": 1}, returned(True),
     returned(False)),
    ("an epilogue that begins before AR.LC and AR.EC are known", {BE + "STG": 1, BE + "ANY": 1},
     epilogue(2, "br.ctop.sptk.few", 0), epilogue(2, "br.ctop.sptk.few", 12)),
    ("the target is read from a branch register", branch_bubbles("BR_ILOCK"),
     register_read("br.cond.sptk.few b6"), register_read("br.cond.sptk.few 3f")),
    ("a loop goes round 16 times more, or ends at once", branch_bubbles("PLP"), inner_loop(16),
     inner_loop(0)),
    ("a loop that does not rotate, before AR.EC is known", {BE + "ROT": 1, BE + "ANY": 1},
     epilogue(0, "br.ctop.spnt.few", 0), epilogue(1, "br.ctop.spnt.few", 0)),
)
