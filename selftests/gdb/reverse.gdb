# SPDX-License-Identifier: GPL-2.0-only
# count.elf (selftests/guest/count.S) backwards. selftests/gdb/run gives $TARGET, and looks at
# the lines that begin with "= ".
set pagination off
set confirm off
set width 0
python
import gdb
import os
gdb.execute("target remote " + os.environ["TARGET"], to_string=True)

def value(what):
    return int(gdb.parse_and_eval(what)) & (1 << 64) - 1

def go(command):
    return gdb.execute(command, to_string=True)

def say(name):
    print("= %s %#x turn %d" % (name, value("$pc") - loop, value("$r26")), flush=True)

loop = value("$pc") + 7 * 16
cell = "*(long *)0x6000000000000010"
go("reverse-stepi")
say("nothing")
go("monitor history on")
go("break *%#x" % (loop + 17))
go("ignore 1 4")
go("continue")
say("breakpoint")
go("reverse-stepi")
say("back")
go("reverse-stepi 2")
say("back")
go("stepi 3")
say("forth")
go("reverse-continue")
say("before")
go("reverse-continue")
say("before")
go("continue")
say("after")
go("delete")
go("continue")
say("present")
go("watch " + cell)
go("reverse-continue")
say("unwritten")
print("= value %d" % value(cell), flush=True)
go("delete")
try:
    go("set " + cell + " = 1")
    print("= changed", flush=True)
except gdb.error:
    print("= unchanged %d" % value(cell), flush=True)
go("reverse-continue")
say("beginning")
go("tbreak *%#x" % (loop + 7 * 16))
go("continue")
say("not yet")
go("continue")
say("present")
go("continue")
print("= end %d" % value("$_exitcode"), flush=True)
end
