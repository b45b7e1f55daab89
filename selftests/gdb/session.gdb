# SPDX-License-Identifier: GPL-2.0-only
# A session with count.elf (selftests/guest/count.S). selftests/gdb/run gives $TARGET, and
# looks at the lines that begin with "= ".
set pagination off
set confirm off
set width 0
python
import gdb
import os
gdb.execute("target remote " + os.environ["TARGET"], to_string=True)

def value(what):
    return int(gdb.parse_and_eval(what)) & (1 << 64) - 1

def say(name, what):
    print("= %s %s" % (name, what), flush=True)

def pc():
    return "%#x" % value("$pc")

def go(command):
    return gdb.execute(command, to_string=True)

loop = value("$pc") + 7 * 16
cells = 0x6000000000000000
say("start", pc())
go("break *%#x" % (loop + 17))
go("continue")
say("breakpoint", pc())
say("r8", value("$r8"))
say("f1", gdb.parse_and_eval("$f1"))
say("p6", value("$p6"))
say("p7", value("$p7"))
say("cfm", value("$cfm"))
go("stepi")
say("step", pc())
go("stepi")
say("step", pc())
go("stepi 3")
say("movl", pc())
go("stepi")
say("behind-movl", pc())
go("ignore 1 2")
go("continue")
say("turn", value("$r26"))
go("delete")
go("rwatch *(int *)%#x" % (cells + 8))
go("continue")
say("watched", value("$pc") // 16 * 16 - loop)
go("delete")
go("set $r33 = 0x1234")
go("set $r9 = 88")
go("set $f6 = 2.5")
go("set $p9 = 1")
say("r33", "%#x" % value("$r33"))
say("f6", gdb.parse_and_eval("$f6"))
say("p9", value("$p9"))
go("watch *(long *)%#x" % (cells + 16))
go("continue")
say("written", value("*(long *)%#x" % (cells + 16)))
go("delete")
go("set *(long *)%#x = 0x55" % (cells + 32))
say("stored", "%#x" % value("*(long *)%#x" % (cells + 32)))
say("monitor", " ".join(go("monitor cycle").split()[:3]))
say("pmc", go("monitor pmc 4 0x101").split()[1])
say("cr", go("monitor cr dcr").split()[0])
pa = go("monitor translate %#x" % cells).strip()
go("monitor physical on")
say("physical", "%#x" % value("*(long *)(%s + 32)" % pa))
go("monitor physical off")
say("unknown", "no such command" in go("monitor nonsense"))
try:
    go("x/gx 0x123456789000")
    say("nowhere", "read")
except gdb.MemoryError:
    say("nowhere", "refused")
go("tbreak *%#x" % (loop + 8 * 16))
go("continue")
say("behind", pc())
say("threads", go("info threads").count("vcpu"))
go("continue")
say("end", value("$_exitcode"))
end
