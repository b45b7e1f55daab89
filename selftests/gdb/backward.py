#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Backwards is where it came from.

backward.py MONTCTL PROGRAM [OPTION...]

A program is stepped from its beginning, and all registers are taken down at each instruction. Then a client goes to and fro in it at random, by steps and to breakpoints:
wherever it stops, the registers are those of that
instruction, and the program ends as without a client (TAP).
"""
import random
import sys

from client import Guest, ask, monitor, plain

MONTCTL, PROGRAM, *OPTIONS = sys.argv[1:]
MOVES = 120
STEPS = 400
# Bytes of all registers before IP and PSR: 203 of 8, 128 of 16
IP, PSR = 3672, 3680
tests = failed = 0


def ok(good, name):
    global tests, failed
    tests += 1
    failed += not good
    print(f"{'' if good else 'not '}ok {tests} - {name}", flush=True)


def pc(registers):
    ip, psr = (int.from_bytes(bytes.fromhex(registers[2 * n:2 * n + 16]), "little")
               for n in (IP, PSR))
    return ip + (psr >> 41 & 3)


def trace():
    """(registers, pc) of each instruction, up to STEPS of them."""
    guest = Guest(MONTCTL, PROGRAM, *OPTIONS)
    s = guest.client()
    found = []
    for _ in range(STEPS):
        registers = ask(s, "g")
        found.append((registers, pc(registers)))
        if ask(s, "vCont;s").startswith("W"):
            break
    guest.p.kill()
    s.close()
    guest.end()
    return found


class Walk:
    """Where a client is, by what it has asked for, and where it was at most."""

    def __init__(self, steps):
        self.steps, self.at, self.most = steps, 0, 0
        self.breakpoint = None

    def next(self):
        """Where c stops: a breakpoint, or in the past the present; None: it would end."""
        for i in range(self.at + 1, len(self.steps)):
            if self.steps[i][1] == self.breakpoint:
                return i if self.at == self.most else min(i, self.most)
        return self.most if self.at < self.most else None

    def before(self):
        for i in range(self.at - 1, -1, -1):
            if self.steps[i][1] == self.breakpoint:
                return i
        return 0

    def move(self, s, what):
        if what == "bs":
            to = max(self.at - 1, 0)
        elif what == "bc":
            to = self.before()
        elif what == "vCont;s":
            to = self.at + 1 if self.at + 1 < len(self.steps) else None
        elif self.steps[self.at][1] == self.breakpoint:
            # As gdb does: away from the breakpoint first.
            return self.move(s, "vCont;s")
        else:
            to = self.next()
        if to is None:
            return True
        reply = ask(s, what)
        self.at = to
        self.most = max(self.most, to)
        return reply.startswith("T05") and ask(s, "g") == self.steps[to][0]


def main():
    steps = trace()
    want = plain(MONTCTL, PROGRAM, *OPTIONS)
    guest = Guest(MONTCTL, PROGRAM, *OPTIONS)
    s = guest.client()
    monitor(s, "history on")
    walk = Walk(steps)
    rng = random.Random(len(steps))
    bad = []
    for n in range(MOVES):
        if n % 20 == 0:
            if walk.breakpoint is not None:
                ask(s, f"z0,{walk.breakpoint:x},0")
            walk.breakpoint = rng.choice(steps)[1]
            ask(s, f"Z0,{walk.breakpoint:x},0")
        what = rng.choice(["bs", "bs", "vCont;s", "vCont;s", "bc", "vCont;c"])
        at = walk.at
        if not walk.move(s, what):
            bad.append(f"{what} from {at} to {walk.at} of {walk.most}")
            break
    ok(not bad, f"{MOVES} moves in {walk.most + 1} of {len(steps)} instructions {bad}")
    if walk.breakpoint is not None:
        ask(s, f"z0,{walk.breakpoint:x},0")
    ask(s, "bc")
    ok(ask(s, "g") == steps[0][0], "back to the beginning")
    ask(s, "D")
    s.close()
    ok(guest.end() == want, "let go there, it ends as without a client")
    print(f"1..{tests}")
    return failed > 0


sys.exit(main())
