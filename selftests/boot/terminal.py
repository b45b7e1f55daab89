#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""terminal.py MONTCTL GUESTS

montctl boot on a terminal: its mode comes back after power-off, after the escape
key and after a signal; an idle guest costs next to nothing; --realtime keeps its
time to the host's.
"""
import os
import pty
import signal
import subprocess
import sys
import termios
import time

montctl, guests = sys.argv[1:]
count = failed = 0


def ok(good, name):
    global count, failed
    count += 1
    failed += not good
    print(f"{'' if good else 'not '}ok {count} - {name}", flush=True)


class Boot:
    """montctl boot with a pseudo-terminal as its stdin and stdout."""

    def __init__(self, image, *args):
        self.master, self.slave = pty.openpty()
        self.mode = termios.tcgetattr(self.slave)
        self.said = b""
        self.p = subprocess.Popen(
            [montctl, "boot", "--in-process", *args, "--kernel", f"{guests}/{image}.elf"],
            stdin=self.slave, stdout=self.slave, stderr=subprocess.DEVNULL)
        os.set_blocking(self.master, False)

    def wait_for(self, text, limit=60):
        end = time.monotonic() + limit
        while text not in self.said and time.monotonic() < end:
            try:
                self.said += os.read(self.master, 4096)
            except BlockingIOError:
                time.sleep(0.02)
        return text in self.said

    def keys(self, text):
        os.write(self.master, text)

    def ended(self, status, name):
        try:
            good = self.p.wait(60) == status
        except subprocess.TimeoutExpired:
            self.p.kill()
            good = False
        ok(good, f"{name}: status {status}")
        ok(termios.tcgetattr(self.slave) == self.mode, f"{name}: the terminal's mode is back")
        os.close(self.master)
        os.close(self.slave)

    def cpu(self):
        with open(f"/proc/{self.p.pid}/stat", encoding="ascii") as f:
            fields = f.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


waits = b"and not when it is gone"

b = Boot("platform", "--append", "1p")
ok(b.wait_for(waits), "the guest's output")
ok(not termios.tcgetattr(b.slave)[3] & termios.ICANON, "raw mode")
b.keys(b"x")
ok(b.wait_for(b"the byte that came in"), "a key reaches the guest")
b.ended(0, "power-off")

b = Boot("platform", "--append", "1p")
b.wait_for(waits)
b.keys(b"\x1dq")
b.ended(0, "Ctrl-] q")

b = Boot("platform", "--append", "1p")
b.wait_for(waits)
b.keys(b"\x1d\x1d")
ok(b.wait_for(b"not ok - the byte that came in"), "Ctrl-] Ctrl-] is Ctrl-]")
b.ended(0, "then")

b = Boot("platform", "--append", "1p")
b.wait_for(waits)
b.p.send_signal(signal.SIGTERM)
b.ended(-signal.SIGTERM, "SIGTERM")

b = Boot("idle", "--append", "1p")
ok(b.wait_for(b"idle"), "a guest with a timer of 250 Hz")
before, start = b.cpu(), time.monotonic()
time.sleep(5)
share = (b.cpu() - before) / (time.monotonic() - start)
ok(share < 0.02, f"idle, it takes {share:.1%} of a CPU")
b.keys(b"\x1dq")
b.ended(0, "Ctrl-] q of an idle guest")

b = Boot("idle", "--append", "1p", "--realtime")
b.wait_for(b".")
start = time.monotonic()
b.wait_for(b"...")
took = time.monotonic() - start
# A nap of 20 ms is what it may be ahead.
ok(b.said.count(b".") == 3 and took > 1.95, f"--realtime: two seconds took {took:.2f}")
b.keys(b"\x1dq")
b.ended(0, "Ctrl-] q with --realtime")

print(f"1..{count}")
sys.exit(failed > 0)
