# SPDX-License-Identifier: GPL-2.0-only
# Linux/ia64 boots on two processors. selftests/gdb/run gives $TARGET, and looks at the lines
# that begin with "= ".
set pagination off
set confirm off
set width 0
python
import gdb
import os
gdb.execute("target remote " + os.environ["TARGET"], to_string=True)

def go(command):
    return gdb.execute(command, to_string=True)

def say(name, what):
    print("= %s %s" % (name, what), flush=True)

def function():
    return go("info symbol $pc").split()[0]

go("hbreak start_kernel")
go("continue")
say("boots", function())
say("threads", go("info threads").count("vcpu"))
go("delete")
go("stepi 20")
say("banner", gdb.parse_and_eval("(char *)&linux_banner").string()[:13])
go("hbreak start_secondary")
go("continue")
say("second", function())
say("thread", gdb.selected_thread().num)
go("thread 1")
say("first", go("monitor cr lid").split()[0])
go("thread 2")
before = go("monitor cycle").splitlines()[1]
go("stepi")
say("steps", go("monitor cycle").splitlines()[1] != before)
go("delete")
go("kill")
end
