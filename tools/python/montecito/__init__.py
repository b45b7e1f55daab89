# SPDX-License-Identifier: LGPL-2.1-or-later
"""A virtual Itanium 2 "Montecito" and its performance monitoring unit, by libmontecito.

    >>> import montecito
    >>> montecito.stat("prog.elf", events=["IA64_INST_RETIRED", "L3_MISSES"]).counts
    >>> montecito.record("prog.elf", event="CPU_OP_CYCLES", period=1009).functions()

A Machine is one processor with its memory, a Program one that runs a static IA-64 Linux
program. Everything that can fail raises an exception: ValueError for what a caller gave
wrongly, with the library's own words, OSError with the errno for the rest.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Callable, Iterator, Sequence

import cffi  # type: ignore[import]
import numpy as np
from numpy.typing import NDArray

from ._header import CDEF, CONSTANTS

__all__ = ["CONSTANTS", "Exit", "Machine", "Observer", "Pmu", "Program", "Recording", "Sampler", "Stat",
           "Symbols", "Vcpu", "disassemble", "events", "record", "run", "stat", "SAMPLE"]

ffi = cffi.FFI()
ffi.cdef(CDEF)
_lib = ffi.dlopen(os.environ.get("LIBMONTECITO", "libmontecito.so.0"))

# One sample, as the ring has it
SAMPLE = np.dtype([("event", "u4"), ("vcpu", "u4"), ("cycles", "u8"), ("insns", "u8"),
                   ("ip", "u8"), ("slot", "u1"), ("cpl", "u1"), ("cause", "u1"), ("level", "u1")])

_CLASSES = {"r": "GR", "f": "FR", "b": "BR", "ar": "AR", "cr": "CR", "rr": "RR", "pkr": "PKR",
            "dbr": "DBR", "ibr": "IBR", "pmc": "PMC", "pmd": "PMD", "cpuid": "CPUID"}
_SPECIAL = {"ip": "IP", "psr": "PSR", "cfm": "CFM", "insns": "INSNS", "cycles": "CYCLES",
            "halted": "HALTED"}


def _check(result: int, what: str = "") -> int:
    if result < 0:
        raise OSError(-result, os.strerror(-result) + (f": {what}" if what else ""))
    return result


def _text(pointer: object) -> str:
    return str(ffi.string(pointer).decode(errors="replace")) if pointer else ""


def _register(name: str) -> tuple[int, int]:
    """Class and index of "r14", "ar66", "pmd4", "ip", "pr"."""
    if name in _SPECIAL:
        return CONSTANTS["REG_SPECIAL"], CONSTANTS["SPECIAL_" + _SPECIAL[name]]
    if name == "pr":
        return CONSTANTS["REG_PR"], 0
    letters = name.rstrip("0123456789")
    if letters not in _CLASSES or letters == name:
        raise ValueError(f"{name}: no such register")
    return CONSTANTS["REG_" + _CLASSES[letters]], int(name[len(letters):])


@dataclass(frozen=True)
class Event:
    """A row of the event table."""

    name: str
    code: int
    umask: int
    counters: str
    definition: str
    refused: str | None
    needs_time: bool


def events() -> list[Event]:
    """Every event of the processor."""
    out = []
    for index in range(_lib.montecito_nr_events()):
        info = ffi.new("struct montecito_event_info *")
        info.size = ffi.sizeof("struct montecito_event_info")
        _check(_lib.montecito_event_get(index, info))
        out.append(Event(_text(info.name), info.code, info.umask, _text(info.counters),
                         _text(info.definition), _text(info.refused) or None, info.needs_time))
    return out


def disassemble(low: int, high: int, ip: int = 0) -> list[str]:
    """The instructions of a bundle, by its two words."""
    bundle = ffi.new("struct montecito_bundle *")
    bundle.size = ffi.sizeof("struct montecito_bundle")
    _check(_lib.montecito_bundle(bundle, low, high, ip))
    return [_text(bundle.text[slot]) + (" ;;" if bundle.stop[slot] else "")
            for slot in range(3) if bundle.text[slot][0] != b"\0"]


class Symbols:
    """Functions of a program."""

    def __init__(self, path: str | os.PathLike[str]):
        self._s = _lib.montecito_symbols_load(os.fsencode(path))
        if not self._s:
            raise MemoryError
        self._s = ffi.gc(self._s, _lib.montecito_symbols_free)

    def __iter__(self) -> Iterator[tuple[str, int, int]]:
        """Name, address and size of each, by address."""
        addr, size = ffi.new("uint64_t *"), ffi.new("uint64_t *")
        index = 0
        while name := _lib.montecito_symbols_at(self._s, index, addr, size):
            yield _text(name), addr[0], size[0]
            index += 1

    def find(self, address: int) -> str | None:
        """The function that holds an address."""
        offset = ffi.new("uint64_t *")
        return _text(_lib.montecito_symbols_find(self._s, address, offset)) or None


class _Specs:
    """Events as they are written on montctl's command line."""

    def __init__(self, names: Sequence[str], program: str | None = None):
        self.array, self._nr = ffi.new("struct montecito_event_spec **"), ffi.new("size_t *")
        message = ffi.new("char[512]")
        try:
            for number, name in enumerate(names):
                if _lib.montecito_events_parse(name.encode(), self.array, self._nr, message):
                    raise ValueError(_text(message))
                if self._nr[0] != number + 1:
                    raise ValueError(f"{name}: must be one event, and is {self._nr[0] - number}")
            if program is not None and _lib.montecito_events_functions(
                    self.array[0], self._nr[0], os.fsencode(program), message):
                raise ValueError(_text(message))
        except ValueError:
            self.free()
            raise

    def __len__(self) -> int:
        return int(self._nr[0])

    def add(self, index: int) -> object:
        """What MONTECITO_OBSERVER_ADD takes for it."""
        add = ffi.new("struct montecito_observer_add *")
        _lib.montecito_spec_observe(self.array[0] + index, add)
        return add

    def free(self) -> None:
        _lib.montecito_events_free(self.array[0], self._nr[0])
        self.array[0], self._nr[0] = ffi.NULL, 0


class Observer:
    """Counts an event of one vcpu, in 64 bits, beside the guest's own PMU."""

    def __init__(self, vcpu: "Vcpu", event: str, program: str | None = None):
        self._vcpu, self.event = vcpu, event
        specs, self._ids = _Specs([event], program), []
        try:
            for number in range(len(specs)):
                self._ids.append(vcpu._observe(event, specs.add(number), 0))
        finally:
            specs.free()

    @property
    def count(self) -> int:
        ids, counts = ffi.new("uint32_t[]", self._ids), ffi.new("uint64_t[]", len(self._ids))
        _check(_lib.montecito_observer_read(self._vcpu.machine._m, self._vcpu.index, ids, counts,
                                            len(self._ids)))
        return int(sum(counts))

    def close(self) -> None:
        for number in self._ids:
            _lib.montecito_observer_del(self._vcpu.machine._m, self._vcpu.index, number)
        self._ids = []


class Sampler:
    """Takes a sample at each PERIODth occurrence of events, on one vcpu."""

    ORDER = 8

    def __init__(self, vcpu: "Vcpu", names: Sequence[str], period: int,
                 program: str | None = None):
        self._vcpu, self.period, self._pieces = vcpu, period, []  # type: ignore[var-annotated]
        _check(_lib.montecito_ring_open(vcpu.machine._m, vcpu.index, self.ORDER, 0))
        self._buffer = ffi.new("char[]", 65536)
        specs, self._event = _Specs(names, program), {}
        try:
            for number in range(len(specs)):
                self._event[vcpu._observe(names[number], specs.add(number), period)] = number
        finally:
            specs.free()

    @property
    def slice(self) -> int:
        """Instructions in which the ring cannot overflow."""
        room = (4096 << self.ORDER) // ffi.sizeof("struct montecito_record_sample")
        return int(max(1000, self.period * (room // (2 * len(self._event)) + 1)))

    def drain(self) -> None:
        """Take what waits in the ring."""
        m, v = self._vcpu.machine._m, self._vcpu.index
        piece = []
        while (size := _check(_lib.montecito_ring_read(m, v, self._buffer, len(self._buffer)))):
            record = ffi.cast("struct montecito_record_sample *", self._buffer)
            if record.header.type == CONSTANTS["RECORD_SAMPLE"] and record.source in self._event:
                piece.append((self._event[record.source], record.vcpu, record.cycles, record.insns,
                              record.ip, record.slot, record.cpl, record.cause, record.level))
            assert size >= 8
        if piece:
            self._pieces.append(np.array(piece, dtype=SAMPLE))

    @property
    def lost(self) -> int:
        return int(_lib.montecito_ring_lost(self._vcpu.machine._m, self._vcpu.index))

    @property
    def samples(self) -> NDArray[np.void]:
        """All that were taken, an array of SAMPLE."""
        self.drain()
        return np.concatenate(self._pieces) if self._pieces else np.empty(0, SAMPLE)


class Pmu:
    """Another processor's PMU on one vcpu, "merced", "pebs" or "ev68a", by the registers of its own
    manual: pmu["pmc", 4], pmu["msr", 0x186], pmu["ds", 0x28], pmu["ipr", 0x14], pmu["own", 0]."""

    def __init__(self, vcpu: "Vcpu", kind: str):
        self._vcpu, self.kind = vcpu, kind
        add = ffi.new("struct montecito_pmu_add *")
        if f"PMU_{kind.upper()}" not in CONSTANTS:
            raise ValueError(f"no PMU {kind}")
        add.kind = CONSTANTS[f"PMU_{kind.upper()}"]
        number = _lib.montecito_pmu_add(vcpu.machine._m, vcpu.index, add)
        if number < 0 and add.why[0] != b"\0":
            raise ValueError(f"PMU {kind}: {_text(add.why)}")
        self._id = _check(number, kind)

    def _access(self, call: Any, register: tuple[str, int], value: int) -> int:
        cls, index = register
        reg, why = ffi.new("struct montecito_pmu_reg *"), ffi.new("char[128]")
        prefix = "REG_" if cls in ("pmc", "pmd", "ibr", "dbr") else "PMU_REG_"
        reg.cls, reg.index, reg.value = CONSTANTS[prefix + cls.upper()], index, value
        result = call(self._vcpu.machine._m, self._vcpu.index, self._id, reg, 1, why)
        if result < 0 and why[0] != b"\0":
            raise ValueError(f"{self.kind} {cls} {index:#x}: {_text(why)}")
        _check(result, f"{self.kind} {cls} {index:#x}")
        return int(reg.value)

    def __getitem__(self, register: tuple[str, int]) -> int:
        return self._access(_lib.montecito_pmu_get, register, 0)

    def __setitem__(self, register: tuple[str, int], value: int) -> None:
        self._access(_lib.montecito_pmu_set, register, value)

    def close(self) -> None:
        _lib.montecito_pmu_del(self._vcpu.machine._m, self._vcpu.index, self._id)


class Vcpu:
    """One logical processor."""

    def __init__(self, machine: "Machine", index: int):
        self.machine, self.index = machine, index

    def __getitem__(self, name: str) -> int:
        """A register: "r14", "b0", "ar66", "pmc4", "ip", "pr"; "f6" as 82 bits."""
        reg = ffi.new("struct montecito_reg *")
        reg.cls, reg.index = _register(name)
        _check(_lib.montecito_get_regs(self.machine._m, self.index, reg, 1), name)
        wide = reg.cls == CONSTANTS["REG_FR"]
        return int(reg.value[0]) | (int(reg.value[1]) << 64 if wide else 0)

    def __setitem__(self, name: str, value: int) -> None:
        reg = ffi.new("struct montecito_reg *")
        reg.cls, reg.index = _register(name)
        reg.value[0], reg.value[1] = value & 0xffffffffffffffff, value >> 64
        _check(_lib.montecito_set_regs(self.machine._m, self.index, reg, 1), name)

    def _observe(self, event: str, add: Any, period: int) -> int:
        add.period = period
        add.flags = CONSTANTS["OBSERVER_SAMPLE"] if period else 0
        number = _lib.montecito_observer_add_raw(self.machine._m, self.index, add)
        if number < 0 and add.why[0] != b"\0":
            raise ValueError(f"event {event}: {_text(add.why)}")
        return _check(number, event)

    def observe(self, event: str) -> Observer:
        """Count an event from now on."""
        return Observer(self, event, self.machine.program)

    def sample(self, event: str | Sequence[str], period: int) -> Sampler:
        """Sample it from now on."""
        return Sampler(self, [event] if isinstance(event, str) else event, period,
                       self.machine.program)

    def pmu(self, kind: str) -> Pmu:
        """Another processor's PMU, as its reset leaves it."""
        return Pmu(self, kind)

    def cycles(self) -> dict[str, int]:
        """Where the cycles went, with time: "unstalled", "halted" and each cause by its name."""
        causes = ffi.new("struct montecito_cause[]", CONSTANTS["MAX_CAUSES"])
        c = ffi.new("struct montecito_cycles *")
        c.count = CONSTANTS["MAX_CAUSES"]
        c.causes = int(ffi.cast("uintptr_t", causes))
        _check(_lib.montecito_cycles(self.machine._m, self.index, c))
        out = {"cycles": int(c.cycles), "halted": int(c.halted), "unstalled": int(c.unstalled)}
        for index in range(c.count):
            out[_text(causes[index].name)] = int(causes[index].cycles)
        return out


@dataclass(frozen=True)
class Exit:
    """Why run() came back: reason is one of CONSTANTS["EXIT_*"]."""

    reason: int
    vcpu: int
    ip: int
    slot: int
    insns: int
    cycles: int


class Machine:
    """A processor with its memory, in this process or, with a device, in the module."""

    program: str | None = None

    def __init__(self, *, device: str | None = None, cores: int = 1, threads: int = 1,
                 memory: int = 64 << 20, timing: bool = False, config: int = 0):
        options = ffi.new("struct montecito_options *")
        path = ffi.new("char[]", os.fsencode(device)) if device else ffi.NULL
        options.size = ffi.sizeof("struct montecito_options")
        options.device, options.cores, options.threads = path, cores, threads
        options.memory, options.timing, options.config = memory, timing, config
        result = ffi.new("struct montecito **")
        self._m = ffi.NULL
        _check(_lib.montecito_open(options, result), device or "the model in this process")
        self._m, self.timing = result[0], timing
        self.vcpus = [Vcpu(self, i) for i in range(_lib.montecito_nr_vcpus(self._m))]

    def close(self) -> None:
        """End it; what it gave (memory, vcpus, observers) must not be used any more."""
        if self._m:
            _lib.montecito_close(self._m)
        self._m = ffi.NULL

    def __enter__(self) -> "Machine":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def memory(self) -> NDArray[np.uint8]:
        """Guest memory from address 0 on, as it is; invalidate() what is code and was changed."""
        size = ffi.new("uint64_t *")
        base = _lib.montecito_memory(self._m, size)
        return np.frombuffer(ffi.buffer(base, size[0]), dtype=np.uint8)

    def invalidate(self, address: int, length: int) -> None:
        _check(_lib.montecito_invalidate(self._m, address, length))

    def run(self, insns: int = 0, cycles: int = 0) -> Exit:
        """Run until a budget is used up or something wants the host; 0 is no limit."""
        run_ = ffi.new("struct montecito_run *")
        _check(_lib.montecito_run(self._m, insns, cycles, run_))
        e = run_.exit
        return Exit(e.reason, e.vcpu, e.ip, e.slot, e.insns, e.cycles)

    def save(self) -> bytes:
        """All of its state."""
        blob, length = ffi.new("void **"), ffi.new("size_t *")
        _check(_lib.montecito_save(self._m, blob, length))
        try:
            return bytes(ffi.buffer(blob[0], length[0]))
        finally:
            _free(blob[0])

    def restore(self, state: bytes) -> None:
        _check(_lib.montecito_restore(self._m, state, len(state)))

    def hash(self) -> int:
        """Equal machines have equal hashes, in the module or not."""
        value = ffi.new("uint64_t *")
        _check(_lib.montecito_hash(self._m, value))
        return int(value[0])

    def __setitem__(self, name: str, value: int) -> None:
        """A number of the timing model: machine["l3.latency"] = 20."""
        p = self._param(name)
        p.value = value
        result = _lib.montecito_param_set(self._m, p)
        if result == -22 and not p.least <= value <= p.most:
            raise ValueError(f"{name}: must be {p.least} to {p.most} {_text(p.unit)}")
        if result and p.why[0] != b"\0":
            raise ValueError(f"{name}: {_text(p.why)}")
        _check(result, name)

    def __getitem__(self, name: str) -> int:
        p = self._param(name)
        _check(_lib.montecito_param_get(self._m, p), name)
        return int(p.value)

    @staticmethod
    def _param(name: str):  # type: ignore[no-untyped-def]
        p = ffi.new("struct montecito_param *")
        p.name = name.encode()
        return p


_libc = cffi.FFI()
_libc.cdef("void free(void *);")
_c = _libc.dlopen(None)


def _free(pointer: object) -> None:
    _c.free(_libc.cast("void *", int(ffi.cast("uintptr_t", pointer))))


class Program(Machine):
    """A machine with a static IA-64 Linux program, whose descriptors 0 to 2 are this process's."""

    def __init__(self, path: str | os.PathLike[str], *args: str, env: dict[str, str] | None = None,
                 budget: int = 0, page_size: int = 16384, device: str | None = None,
                 memory: int = 64 << 20, timing: bool = False):
        super().__init__(device=device, memory=memory, timing=timing,
                         config=CONSTANTS["CFG_HOST_INTERRUPTIONS"] |
                         CONSTANTS["CFG_HOST_PMU"])
        self.program = os.fspath(path)
        self.messages: list[str] = []
        self.status: int | None = None
        self._tick: Callable[[], None] | None = None
        self._error: BaseException | None = None
        words = [ffi.new("char[]", os.fsencode(w)) for w in (self.program, *args)]
        pairs = [ffi.new("char[]", f"{k}={v}".encode()) for k, v in (env or {}).items()]
        o = ffi.new("struct montecito_process_options *")
        o.size, o.page_shift = ffi.sizeof("struct montecito_process_options"), page_size.bit_length() - 1
        argv, envp = ffi.new("char *[]", words + [ffi.NULL]), ffi.new("char *[]", pairs + [ffi.NULL])
        o.argv, o.envp, o.budget = argv, envp, budget
        self._message = ffi.callback("void(void *, const char *)",
                                     lambda _, text: self.messages.append(_text(text)))
        self._ticked = ffi.callback("int(struct montecito *, void *)", self._on_tick)
        o.message = self._message
        self._keep = (words, pairs, argv, envp)
        result, why = ffi.new("struct montecito_process **"), ffi.new("const char **")
        error = _lib.montecito_process_load(self._m, os.fsencode(path), o, result, why)
        if error:
            self.close()
            reason = _text(why[0])
            if error == -8 and reason: # ENOEXEC
                raise ValueError(f"{self.program}: {reason}")
            raise OSError(-error, os.strerror(-error), self.program)
        self._p = result[0]

    def _on_tick(self, _machine: object, _arg: object) -> int:
        try:
            if self._tick:
                self._tick()
            return 0
        except BaseException as error:  # pylint: disable=broad-exception-caught
            self._error = error
            return -125 # ECANCELED

    def close(self) -> None:
        if getattr(self, "_p", None):
            _lib.montecito_process_free(self._p)
            self._p = None
        super().close()

    def finish(self, tick: Callable[[], None] | None = None, slice_: int = 0) -> int | None:
        """Run to the end: the exit status (128 + signal number after a death), None if the
        budget is used up. @tick is called about each @slice_ instructions, and may raise."""
        self._tick = tick
        _lib.montecito_process_tick(self._p, slice_, self._ticked, ffi.NULL)
        result = _lib.montecito_process_run(self._p)
        if self._error:
            error, self._error = self._error, None
            raise error
        if result == -122: # EDQUOT
            return None
        self.status = _check(result)
        return self.status


@dataclass(frozen=True)
class Stat:
    """What stat() counted; status is None if the budget was used up."""

    status: int | None
    insns: int
    cycles: int | None
    counts: dict[str, int]
    breakdown: dict[str, int] | None
    messages: list[str]

    @property
    def ipc(self) -> float | None:
        return self.insns / self.cycles if self.cycles else None


def run(path: str | os.PathLike[str], *args: str, budget: int = 0, device: str | None = None) -> int | None:
    """Run a program: its exit status."""
    with Program(path, *args, budget=budget, device=device) as p:
        assert isinstance(p, Program)
        return p.finish()


def stat(path: str | os.PathLike[str], *args: str, events: Sequence[str] = (),  # pylint: disable=redefined-outer-name
         timing: bool = True, budget: int = 0, device: str | None = None,
         params: dict[str, int] | None = None) -> Stat:
    """Run a program and count events, as montctl stat does."""
    with Program(path, *args, budget=budget, device=device, timing=timing) as p:
        assert isinstance(p, Program)
        for name, value in (params or {}).items():
            p[name] = value
        vcpu = p.vcpus[0]
        observers = [vcpu.observe(e) for e in events]
        status = p.finish()
        return Stat(status, vcpu["insns"], vcpu["cycles"] if timing else None,
                    {o.event: o.count for o in observers}, vcpu.cycles() if timing else None,
                    p.messages)


@dataclass(frozen=True)
class Recording:
    """Samples, and the program whose they are."""

    program: str
    event: list[str]
    period: int
    samples: NDArray[np.void]
    lost: int
    status: int | None

    def functions(self, event: int = 0) -> dict[str, int]:
        """Samples by function, the hottest first."""
        symbols = list(Symbols(self.program))
        ips = self.samples["ip"][self.samples["event"] == event]
        starts = np.array([addr for _, addr, _ in symbols], dtype=np.uint64)
        out: dict[str, int] = {}
        if not len(starts):
            return out
        where = np.searchsorted(starts, ips, side="right")
        for index, n in zip(*np.unique(where, return_counts=True)):
            if index:
                out[symbols[index - 1][0]] = int(n)
        return dict(sorted(out.items(), key=lambda item: -item[1]))


def record(path: str | os.PathLike[str], *args: str, event: str | Sequence[str] = "IA64_INST_RETIRED",
           period: int = 100003, timing: bool = True, budget: int = 0,
           device: str | None = None) -> Recording:
    """Run a program and sample it, as montctl record does."""
    names = [event] if isinstance(event, str) else list(event)
    with Program(path, *args, budget=budget, device=device, timing=timing) as p:
        assert isinstance(p, Program)
        sampler = p.vcpus[0].sample(names, period)
        status = p.finish(sampler.drain, sampler.slice)
        return Recording(os.fspath(path), names, period, sampler.samples, sampler.lost, status)
