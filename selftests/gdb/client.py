# SPDX-License-Identifier: GPL-2.0-only
"""A client of montctl's gdb stub, by the packet, for hostile.py and backward.py."""
import re
import socket
import subprocess

MEMORY = ["--in-process", "--memory", "4M", "--hash"]


class Guest:
    """A program under the stub, stopped before its first instruction."""

    def __init__(self, montctl, program, *options, where="0"):
        self.p = subprocess.Popen([montctl, "run", *MEMORY, "--gdb", where, *options, program],
                                  stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE)
        line = self.p.stderr.readline().decode()
        told = re.search(r"([0-9.]+):(\d+)$", line)
        self.host, self.port = told.group(1), int(told.group(2))

    def client(self):
        s = socket.create_connection((self.host, self.port))
        s.settimeout(60)
        # An acknowledgment and the next packet are two writes: neither waits for the other's.
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return s

    def answers(self, host):
        """A connection to this address of the machine is taken."""
        try:
            socket.create_connection((host, self.port), 10).close()
        except OSError:
            return False
        return True

    def end(self):
        """(status, hash)"""
        err = self.p.stderr.read().decode()
        found = re.search(r"hash ([0-9a-f]{16})", err)
        return self.p.wait(), found and found.group(1)


def plain(montctl, program, *options):
    """(status, hash) without a debugger."""
    p = subprocess.run([montctl, "run", *MEMORY, *options, program], stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    return p.returncode, re.search(rb"hash ([0-9a-f]{16})", p.stderr).group(1).decode()


def frame(data):
    if isinstance(data, str):
        data = data.encode()
    return b"$%s#%02x" % (data, sum(data) & 0xff)


def answer(s):
    """The next packet, without acknowledgments; what comes behind it is left."""
    text, size = b"", 0
    while True:
        more = s.recv(1 << 16, socket.MSG_PEEK)
        if not more:
            return None
        m = re.search(rb"\$([^#]*)#[0-9a-f]{2}", text + more)
        if m:
            s.recv(m.end() - size, socket.MSG_WAITALL)
            s.sendall(b"+")
            return m.group(1).decode()
        text += s.recv(len(more))
        size = len(text)


def ask(s, data):
    s.sendall(frame(data))
    return answer(s)


def register(s, n):
    return int.from_bytes(bytes.fromhex(ask(s, f"p{n:x}"))[:8], "little")


def monitor(s, command):
    """What a monitor command says."""
    said = ""
    reply = ask(s, "qRcmd," + command.encode().hex())
    while reply.startswith("O") and reply != "OK":
        said += bytes.fromhex(reply[1:]).decode()
        reply = answer(s)
    return said
