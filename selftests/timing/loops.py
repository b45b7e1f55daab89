# SPDX-License-Identifier: GPL-2.0-only
"""Loops whose cycles are known by construction, and what a row of the table is.

A loop's body is a unit of one or more issue groups, COPIES times over with
registers of its own, and a group that ends it with br.cloop. So a unit takes
(cycles a trip - cycles of a loop without a body) / COPIES.
"""

import os

HERE = os.path.dirname(os.path.realpath(__file__))
COPIES = 8
TRIPS = (16, 48)


class Row:
    """One thing to measure.

    @expected: a number, or (least, most)
    @found: from cycles a trip, and the rows before by name, to what is expected
    @counts: False where the expected value is an assumption
    @beside: what else to print of it
    @who, @what: rows that differ in @who alone stand together in the table
    """

    def __init__(self, part, name, expected, source, code, found=None, trips=TRIPS,
                 counts=True, beside="", who="", what=""):
        self.part, self.name, self.expected, self.source = part, name, expected, source
        self.code, self.found, self.trips = code, found or (lambda cycles, rows: cycles), trips
        self.counts, self.beside, self.who, self.what = counts, beside, who, what or name
        self.measured = None

    def holds(self):
        if isinstance(self.expected, tuple):
            return self.expected[0] <= self.measured <= self.expected[1]
        # a cycle more or less at either end of a loop
        return abs(self.measured - self.expected) < 0.01


def tables(path=os.path.join(HERE, "expected")):
    """Each table of the file as its lines, split; the first is its head."""
    found, rows = {}, None
    with open(path) as f:
        for line in f:
            words = line.split("#")[0].split()
            if words and words[0].startswith("["):
                rows = found[words[0][1:-1]] = []
            elif words:
                rows.append(words)
    return found


def bundle(template, *slots, stop=True):
    end = " ;;" if stop else ""
    return f"\t{{ .{template.lower()}\n" + "".join(f"\t{s}\n" for s in slots) + f"\t{end} }}\n"


NOPS = {"M": "nop.m 0", "I": "nop.i 0", "F": "nop.f 0", "B": "nop.b 0"}
SINGLE = {"M": "MII", "A": "MII", "I": "MII", "F": "MFI", "B": "MIB", "L": "MLX"}


def single(unit, text, stop=True):
    """A bundle for one instruction."""
    slots = {"M": [text, NOPS["I"], NOPS["I"]], "A": [text, NOPS["I"], NOPS["I"]],
             "I": [NOPS["M"], text, NOPS["I"]], "F": [NOPS["M"], text, NOPS["I"]],
             "B": [NOPS["M"], NOPS["I"], text], "L": [NOPS["M"], text]}[unit]
    return bundle(SINGLE[unit], *slots, stop=stop)


TAIL = (bundle("MMI", *[NOPS["M"], NOPS["M"], NOPS["I"]], stop=False) +
        bundle("MIB", NOPS["M"], NOPS["I"], "br.cloop.sptk.few 1b"))


def loop(body, before="", after="", aside=""):
    """A row's code: @before, the loop, @after; @aside lies where nothing falls into it."""
    return (f"{before}\t.balign 64\n1:\n{body}{TAIL}{after}"
            f"\tbr.cond.sptk.few row_done ;;\n{aside}")


def per_copy(copies=COPIES, less=0):
    """Cycles of a unit, less @less, from those of a trip."""
    def found(cycles, rows):
        return (cycles - rows["an empty loop"].measured) / copies - less
    return found
