# SPDX-License-Identifier: GPL-2.0-only
"""All rows of the microbenchmarks."""

import dispersal
import latency
import memory
import pipelined
import streams
from loops import Row, loop, tables


def software_pipelined():
    for name, ops, paper in pipelined.LOOPS:
        code, interval = pipelined.kernel(ops)
        m = sum(map(pipelined.is_memory, ops))
        yield Row("loops", f"software-pipelined {name}", interval,
                  f"{len(ops) - m} instructions for two F ports, {m} for four M ports", code,
                  trips=(64, 192), beside=f"{paper} in the black-belt paper")


def rows():
    expected = tables()
    nothing = Row("loop", "an empty loop", 1,
                  "one group; assumption: a taken branch seen before costs no cycle",
                  loop(""), counts=False)
    return [nothing, *latency.latencies(expected["latency"]),
            *latency.one_register(expected["latency"]),
            *dispersal.template_pairs(expected["pairs"]),
            *dispersal.port_rules(expected["ports"]),
            *memory.loads(), *memory.stores(), *memory.front_end(), *software_pipelined(),
            *streams.rows()]
