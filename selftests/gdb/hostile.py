#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A client of montctl's gdb stub that keeps to no rule.

hostile.py MONTCTL PROGRAM

Whatever comes in, the guest neither ends nor goes on, and ends as without a debugger when
it is let go (TAP).
"""
import random
import re
import sys
import time

from client import Guest, answer, ask, frame, monitor, plain, register

MONTCTL, PROGRAM = sys.argv[1:3]
tests = 0
failed = 0


def ok(good, name):
    global tests, failed
    tests += 1
    failed += not good
    print(f"{'' if good else 'not '}ok {tests} - {name}", flush=True)


def ended(s):
    """The other end has closed the connection, whatever it had not read."""
    try:
        return s.recv(1) == b""
    except ConnectionResetError:
        return True


MALFORMED = [
    "p", "pzz", "p1ce", "pffffffffffffffffff", "P", "P1", "P1=", "P1=00", "P1=zz", "G", "G00",
    "m", "m,", "m0", "m0,", "m0,zz", "mffffffffffffffff,2", "m10000000000000000,1", "M", "M0,1",
    "M0,1:", "M0,2:00", "M0,ffffffffffffffff:00", "X0,5:ab", "Xffffffffffffffff,2:ab", "Z0",
    "Z0,", "Z0,4000000000000103,0", "Z0,zz,0", "Z2,0,0", "Z2,ffffffffffffffff,2", "Z2,0,100000000",
    "z0", "H", "Hg", "Hx1", "Hg9", "T", "T0", "T9", "vCont;", "vCont;x", "vCont;s:9",
    "vCont;r5", "vCont;r5,4", "vCont;c:", "c40", "s40", "Cxx", "qRcmd,zz", "qRcmd,1",
    "qThreadExtraInfo,", "qThreadExtraInfo,9",
]
UNKNOWN = ["!", "b", "bsx", "bc1", "R00", "i", "qNothing", "vMustReplyEmpty", "QSomething:1", "Z9,0,0", "A", "~"]


def stopped(s, pc):
    """The guest stands where it stood."""
    return ask(s, "p14b") == pc


def malformed(s, pc):
    bad = [p for p in MALFORMED if not (ask(s, p) or "").startswith("E")]
    ok(not bad, f"{len(MALFORMED)} malformed packets are refused {bad}")
    bad = [p for p in UNKNOWN if ask(s, p) != ""]
    ok(not bad, f"{len(UNKNOWN)} unknown packets have an empty answer {bad}")
    s.sendall(b"$?#00")
    ok(s.recv(1) == b"-", "a wrong checksum is asked for again")
    s.sendall(b"$?#zz")
    ok(s.recv(1) == b"-", "one that is none as well")
    s.sendall(frame(b"m" + b"0" * 100000 + b",1"))
    ok(answer(s).startswith("E"), "a packet that is too long is refused")
    s.sendall(b"$p1" + frame("p14b"))
    ok(answer(s) == pc, "an unfinished packet gives way to the next")
    s.sendall(b"\x03\x03-+-+")
    s.recv(1 << 16)
    ok(ask(s, "qC") == "QC1" or answer(s) == "QC1", "Ctrl-C and acknowledgments out of place")
    ok(stopped(s, pc), "the guest has not moved")


def garbage(g, pc):
    rng = random.Random(1)
    letters = b"gGpPmMXzZHTqQv?!R~" + bytes(range(256))
    for _ in range(40):
        s = g.client()
        for _ in range(50):
            n = rng.randrange(80)
            data = bytes(rng.choice(letters) for _ in range(n))
            # Neither going on, nor ending, nor writing.
            data = re.sub(rb"[cCsSDkbvGPMX]", b"m", data).replace(b"\x03", b"")
            s.sendall(frame(data) if rng.randrange(3) else data)
        s.close()
    s = g.client()
    ok(stopped(s, pc), "2000 packets of garbage on 40 connections: it has not moved")
    return s


def addresses():
    """All of 127.0.0.0/8 is this machine: what listens at one address answers at no other."""
    for where, host in (("0", "127.0.0.1"), (":0", "127.0.0.1"), ("127.0.0.2:0", "127.0.0.2"),
                        ("0.0.0.0:0", "0.0.0.0")):
        g = Guest(MONTCTL, PROGRAM, where=where)
        reached = [a for a in ("127.0.0.1", "127.0.0.2", "127.0.0.3") if g.answers(a)]
        ok(g.host == host and (reached == [host] or len(reached) == 3 and host == "0.0.0.0"),
           f"--gdb {where} listens at {g.host} {reached}")
        g.p.kill()
        g.p.wait()


def main():
    addresses()
    want = plain(MONTCTL, PROGRAM)
    g = Guest(MONTCTL, PROGRAM)
    s = g.client()
    pc = ask(s, "p14b")
    ok(ask(s, "?").startswith("T05"), "it is stopped before its first instruction")
    ok(len(ask(s, "g")) == 2 * 4720, "all registers: 462, of 4720 bytes")
    malformed(s, pc)

    bad = [p for p in ("bs", "bc") if "replaylog:begin;" not in ask(s, p)]
    ok(not bad and stopped(s, pc), f"without a history there is nothing behind it {bad}")
    monitor(s, "history on")
    ask(s, "vCont;s")
    ask(s, "bs")
    bad = [p for p in (f"P{1:x}=" + 16 * "1", "M4000000000000000,1:00", "G" + 9440 * "0")
           if not (ask(s, p) or "").startswith("E")]
    ok(not bad, f"in the past nothing can be changed {bad}")
    ok("present" in monitor(s, "history off") and "changed" in monitor(s, "pmc 4 1"),
       "nor by monitor, and the past not left behind")
    s.close()
    s = g.client()
    ok(stopped(s, pc), "a client that goes away in the past leaves it there")
    s.sendall(frame("bc") * 3 + b"\x03")
    bad = [a for a in (answer(s), answer(s), answer(s)) if not a.startswith("T")]
    ok(not bad and stopped(s, pc), f"Ctrl-C on the way back {bad}")
    ask(s, "vCont;c")
    monitor(s, "history off")
    pc = ask(s, "p14b")

    second = g.client()
    ok(ended(second), "a second client is turned away")
    second.close()
    ok(stopped(s, pc), "and the first goes on")

    s.close()
    s = g.client()
    ok(stopped(s, pc), "a client that goes away leaves the guest stopped for the next")
    s.close()
    s = garbage(g, pc)

    # A client that asks for much and reads nothing.
    s.sendall(frame("g") * 20000)
    time.sleep(0.2)
    s.close()
    s = g.client()
    ok(stopped(s, pc), "one that takes no answers is not waited for")

    for i in range(64):
        ask(s, f"Z0,{0x5000000000000000 + 16 * i:x},0")
    ok(ask(s, "Z0,6000000000000000,0").startswith("E"), "a 65th breakpoint finds no room")
    for i in range(64):
        ask(s, f"z0,{0x5000000000000000 + 16 * i:x},0")
    ok(ask(s, "z0,5000000000000000,0") == "OK", "removing twice does nothing")

    start = register(s, 331)
    ok(ask(s, f"Z0,{start + 0x81:x},0") == "OK", "a breakpoint in the loop")
    ok("thread:1;" in ask(s, "vCont;c"), "is met")
    ok(register(s, 331) == start + 0x80 and register(s, 332) >> 41 & 3 == 1, "in slot 1")
    ok(ask(s, "D") == "OK", "detached")
    ok(ended(s), "the connection ends")
    ok(g.end() == want, "and the guest ends as without a debugger")

    for timing in ("off", "on"):
        want_timed = want if timing == "off" else None
        g = Guest(MONTCTL, PROGRAM, f"--timing={timing}")
        s = g.client()
        s.sendall(frame("vCont;c"))
        last = answer(s)
        ok(last == "W00", f"timing={timing}: to the end under a client")
        s.close()
        have = g.end()
        if want_timed:
            ok(have == want_timed, "as without")
        plain_end = have
        g = Guest(MONTCTL, PROGRAM, f"--timing={timing}")
        s = g.client()
        start = register(s, 331)
        for slot in (0x71, 0x82, 0x90, 0xa1, 0xc2, 0xd2):
            ask(s, f"Z0,{start + slot:x},0")
        ask(s, f"Z4,{0x6000000000000010:x},8")
        stops = 0
        for _ in range(300):
            stops += ask(s, "vCont;c").startswith("T05")
            ask(s, "vCont;s:1")
            ask(s, "vCont;s")
        ok(stops == 300, f"timing={timing}: 300 stops and 600 steps")
        ask(s, "D")
        ok(g.end() == plain_end, "leave no trace")

    g = Guest(MONTCTL, PROGRAM)
    s = g.client()
    ask(s, "vCont;s")
    s.sendall(frame("k"))
    ok(g.end()[0] == 137, "a client that kills it")
    print(f"1..{tests}")
    return failed > 0


sys.exit(main())
