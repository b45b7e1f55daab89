# SPDX-License-Identifier: GPL-2.0-only
# endless.elf (selftests/guest/endless.S) reads "abc" byte by byte, and goes back in between.
set pagination off
set confirm off
set width 0
python
import gdb
import os
gdb.execute("target remote " + os.environ["TARGET"], to_string=True)

def go(command):
    return gdb.execute(command, to_string=True)

def say(name):
    print("= %s %c" % (name, int(gdb.parse_and_eval("*(char *)&buffer"))), flush=True)

go("monitor history on")
# Behind each read: the program branches back.
go("break *%s" % os.environ["BEHIND"])
for _ in range(2):
    go("continue")
    say("read")
go("reverse-continue")
say("back")
go("continue")
say("again")
go("continue")
say("read")
go("kill")
end
