# SPDX-License-Identifier: GPL-2.0-only
"""Streams of lines by level, 1 to 8 lines in flight: loads, stores and copies.

A trip asks for so many lines, one word of each, and waits for all of them where it loads. The
least it can take is what a source has for the level: the latency of the first line, and for each
other one what the level's bandwidth leaves: a cycle a request of the L2D (2.3.3.2), four cycles a
line of the L3's array (2.3.3.3), 24 cycles a line of the bus (533 million transfers of 16 bytes
a second, of a core at 1.6 GHz: 8.5 GB/s published). The most is that and the groups of the
trip itself.
"""

from loops import Row, loop, single

LINE, DEPTHS = 128, (1, 2, 4, 8)
BUS = 24
FAR = 0xc000000			# memory that nothing else touches
LEVELS = {			# bytes of the array, latency of an integer load, cycles a line
    "L2D": (64 << 10, (5, 5), 1),
    "L3": (1 << 20, (14, 15), 4),
    "memory": (None, (180, 225), BUS),
}


def pointers(size, place):
    """r41 where lines are read, r42 where they are written, both go on from run to run; to a
    line of an array of @size bytes, if there is one."""
    return (f"\tcmp.eq p6, p7 = r0, r36\n\tmovl r43 = {place}\n\tmovl r44 = {place + (1 << 19 if size is None else 2 << 20)}\n"
            f"\tmovl r45 = {(size or 1 << 30) - 1} ;;\n"
            "\t(p6) mov r41 = r43\n\t(p6) mov r42 = r44 ;;\n")


def wrap(register, base):
    return (single("A", f"and {register} = r45, {register}") +
            single("A", f"or {register} = {base}, {register}"))


def body(kind, fp, depth):
    ld, st, use = (("ldfd f%d", "stfd [r42] = f%d, 128", "getf.sig r%d = f%d") if fp else
                   ("ld8 r%d", "st8 [r42] = r%d, 128", "add r%d = r0, r%d"))
    first, out = (32 if fp else 50), ""
    if kind != "stores":
        out += "".join(single("M", (ld + " = [r41], 128") % (first + k)) for k in range(depth))
        if kind == "loads":
            out += "".join(single("M", use % (70 + k, first + k)) for k in range(depth))
        out += wrap("r41", "r43")
    if kind != "loads":
        out += "".join(single("M", st % (first + k if kind == "copies" else 0)) for k in range(depth))
        out += wrap("r42", "r44")
    return out


def limits(level, kind, fp, depth):
    """The least and the most cycles a line."""
    _, (least, most), line = LEVELS[level]
    # a read, and a victim that leaves: the L3's array has both; the bus one of each line that
    # comes, if what earlier rows have stored to fills the L3
    fills = {"loads": 0, "stores": 1, "copies": 2}[kind]
    writes, most_writes = {"L2D": (1, 1), "L3": (2 * line, 2 * line),
                           "memory": (line, (1 + fills) * line)}[level]
    groups = {"loads": 2 * depth + 3, "stores": depth + 3, "copies": 2 * depth + 5}[kind]
    low = (depth - 1) * line + (0 if kind == "stores" else least)
    high = (depth - 1) * line + (0 if kind == "stores" else most)
    if kind != "loads":
        low, high = max(low, depth * writes), high + depth * most_writes
    # an FP load takes one more, getf six; a page of 4 KB takes a transfer of 4, each 32nd line
    return (low / depth, (high + groups + 7 * fp) / depth + 4 / 32)


def rows():
    """@depth lines in flight."""
    n = 0
    for level, (size, _, line) in LEVELS.items():
        source = {"L2D": "manual table 2-8; 2.3.3.2: four accesses a cycle",
                  "L3": "manual table 2-9; 2.3.3.3: four cycles a line, 32 bytes a cycle",
                  "memory": "manual 4.11.2: 180 to 225; published: 8.5 GB/s, 5.3 bytes a cycle"}[level]
        for kind in ("loads", "stores", "copies"):
            for fp in (False, True):
                for depth in DEPTHS:
                    place = FAR + n * (1 << 20) if size is None else 0x8000000 - (8 << 20)
                    n += size is None
                    trips = (128 // depth, 384 // depth) if size is None else (size // LINE // depth,
                                                           2 * size // LINE // depth)
                    what = f"{level}, {'FP ' * fp}{kind}, {depth} lines at a time: cycles a line"
                    yield Row("streams", what, limits(level, kind, fp, depth), source,
                              loop(body(kind, fp, depth), pointers(size, place)),
                              lambda cycles, _, depth=depth: cycles / depth, trips=trips)
