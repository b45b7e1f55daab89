# SPDX-License-Identifier: GPL-2.0-only
"""Software-pipelined loops over arrays: a modulo scheduler for a few instructions."""

import re

F_LATENCY, LOAD_LATENCY = 4, 6			# manual table 2-8: Fmac; M + 1 from the L2D
F_PORTS, M_PORTS = 2, 4

# Names in braces are values of one iteration; [in], [in2] and [out] are
# arrays. f9 is 0.5. The sequences are the published Markstein ones in double precision.
COPY = ("ldfd {a} = [in],8", "stfd [out] = {a},8")

DIVIDE = (
    "frcpa.s0 {y0}, p6 = {a}, {b}",
    "fma.s1 {q0} = {a}, {y0}, f0",
    "fnma.s1 {e0} = {b}, {y0}, f1",
    "fma.s1 {q1} = {e0}, {q0}, {q0}",
    "fma.s1 {e1} = {e0}, {e0}, f0",
    "fma.s1 {y1} = {e0}, {y0}, {y0}",
    "fma.s1 {q2} = {e1}, {q1}, {q1}",
    "fma.s1 {e2} = {e1}, {e1}, f0",
    "fma.s1 {y2} = {e1}, {y1}, {y1}",
    "fma.d.s1 {q3} = {e2}, {q2}, {q2}",
    "fma.s1 {y3} = {e2}, {y2}, {y2}",
    "fnma.d.s1 {r} = {b}, {q3}, {a}",
    "fma.d.s0 {q} = {r}, {y3}, {q3}",
)

# For throughput, and one that leaves the last rounding out.
DIVIDE_LOOSE = (
    "frcpa.s0 {y0}, p6 = {a}, {b}",
    "fnma.s1 {e0} = {b}, {y0}, f1",
    "fma.s1 {y1} = {e0}, {y0}, {y0}",
    "fma.s1 {e1} = {e0}, {e0}, f0",
    "fma.s1 {y2} = {e1}, {y1}, {y1}",
    "fma.s1 {e2} = {e1}, {e1}, f0",
    "fma.s1 {y3} = {e2}, {y2}, {y2}",
    "fma.d.s1 {q} = {a}, {y3}, f0",
)

DIVIDE_THROUGHPUT = (
    *(op.replace("{q}", "{q0}") for op in DIVIDE_LOOSE),
    "fnma.d.s1 {r} = {b}, {q0}, {a}",
    "fma.d.s0 {q} = {r}, {y3}, {q0}",
)

SQUARE_ROOT = (
    "frsqrta.s0 {y0}, p6 = {a}",
    "fma.s1 {h0} = f9, {y0}, f0",
    "fma.s1 {g0} = {a}, {y0}, f0",
    "fnma.s1 {r0} = {g0}, {h0}, f9",
    "fma.s1 {h1} = {r0}, {h0}, {h0}",
    "fma.s1 {g1} = {r0}, {g0}, {g0}",
    "fnma.s1 {r1} = {g1}, {h1}, f9",
    "fma.s1 {h2} = {r1}, {h1}, {h1}",
    "fma.d.s1 {g2} = {r1}, {g1}, {g1}",
    "fnma.s1 {d2} = {g2}, {g2}, {a}",
    "fma.d.s1 {g3} = {d2}, {h2}, {g2}",
    "fnma.s1 {d3} = {g3}, {g3}, {a}",
    "fma.d.s0 {s} = {d3}, {h2}, {g3}",
)


def of_one(divide, by):
    """1.0 over @by."""
    return tuple(op.replace("{a}", "f1").replace("{b}", by) for op in divide)


def renamed(ops, mark):
    return tuple(re.sub(r"\{(\w+)\}", r"{\1" + mark + "}", op) for op in ops)


LOOPS = (
    ("copy", COPY, 1.7),
    ("reciprocal", ("ldfd {x} = [in],8", *of_one(DIVIDE, "{x}"), "stfd [out] = {q},8"), 7.1),
    ("division", ("ldfd {a} = [in],8", "ldfd {b} = [in2],8", *DIVIDE, "stfd [out] = {q},8"),
     7.1),
    ("square root", ("ldfd {a} = [in],8", *SQUARE_ROOT, "stfd [out] = {s},8"), 14.6),
    ("reciprocal square root",
     ("ldfd {a} = [in],8", *SQUARE_ROOT,
      *(op.replace("{s_}", "{s}") for op in renamed(of_one(DIVIDE, "{s}"), "_")),
      "stfd [out] = {q_},8"), 15.1),
)


def values(op):
    """What an instruction makes, and what it uses."""
    left, right = op.split(" = ", 1)
    return re.findall(r"\{(\w+)\}", left), re.findall(r"\{(\w+)\}", right)


def is_memory(op):
    return "[" in op


def least_interval(ops):
    """Cycles an iteration takes if nothing but ports is short."""
    m = sum(map(is_memory, ops))
    f = len(ops) - m
    return max(-(-f // F_PORTS), -(-m // M_PORTS), 1)


def schedule(ops, interval):
    """The cycle of each instruction, counted from its iteration's start."""
    ready, cycles = {}, []
    used = {True: [0] * interval, False: [0] * interval}
    for op in ops:
        at = max([ready[v] for v in values(op)[1]], default=0)
        # a cycle's two bundles are MFI and MFB
        while used[is_memory(op)][at % interval] == 2:
            at += 1
        used[is_memory(op)][at % interval] += 1
        cycles.append(at)
        for v in values(op)[0]:
            ready[v] = at + (LOAD_LATENCY if is_memory(op) else F_LATENCY)
    return cycles


def kernel(ops):
    """The loop's code: setup, body with br.ctop; cycles an iteration."""
    interval = least_interval(ops)
    cycles = schedule(ops, interval)
    stage = {}
    last = {}
    for op, at in zip(ops, cycles):
        for v in values(op)[0]:
            stage[v] = at // interval
        for v in values(op)[1]:
            last[v] = at // interval
    base, where = 32, {}
    for v, made in stage.items():
        where[v] = base
        base += last[v] - made + 1
    assert base <= 128 and max(cycles) // interval < 48
    slots = [{"M": [], "F": []} for _ in range(interval)]
    for op, at in zip(ops, cycles):
        text = re.sub(r"\{(\w+)\}",
                      lambda m, at=at: f"f{where[m[1]] + at // interval - stage[m[1]]}", op)
        text = text.replace("[in]", "[r14]").replace("[in2]", "[r15]").replace("[out]", "[r16]")
        kind = "M" if is_memory(op) else "F"
        slots[at % interval][kind].append(f"(p{16 + at // interval}) {text}")
    body = ""
    for n, s in enumerate(slots):
        m = s["M"] + ["nop.m 0"] * (2 - len(s["M"]))
        f = s["F"] + ["nop.f 0"] * (2 - len(s["F"]))
        end = ("mfb", "br.ctop.sptk.few 1b") if n == interval - 1 else ("mfi", "nop.i 0")
        body += f"\t{{ .mfi\n\t{m[0]}\n\t{f[0]}\n\tnop.i 0\n\t}}\n"
        body += f"\t{{ .{end[0]}\n\t{m[1]}\n\t{f[1]}\n\t{end[1]} ;;\n\t}}\n"
    before = f"""\
	movl r9 = 0x3fe0000000000000
	movl r16 = copied
	mov r14 = r22
	adds r15 = 64, r22 ;;
	setf.d f9 = r9
	mov ar.ec = {max(cycles) // interval + 1}
	mov pr.rot = 1 << 16 ;;
"""
    return (f"{before}\t.balign 64\n1:\n{body}\tclrrrb ;;\n\tbr.cond.sptk.few row_done ;;\n",
            interval)
