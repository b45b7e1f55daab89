# SPDX-License-Identifier: GPL-2.0-only
"""Loops for the events of the data side: what loads and stores meet in caches, TLBs and queues.

They are what a loop begins with, and one trip: r16 and r17 hold addresses in lines that stay
in the L1D, r20 the memory that rings lie in.
"""

KB, MB = 1 << 10, 1 << 20
L2_INDEX, L3_INDEX, L1_INDEX = 32 * KB, MB, 4 * KB
WAIT = "\tnop.m 0 ;;\n"


def chase(lines, stride, op="ld8 r18 = [r18]"):
    """Loads that wait for each other, round a ring of lines."""
    init = f"\tmov r21 = {lines - 1}\n\tmov r22 = r20\n\tmovl r23 = {stride} ;;\n"
    init += ("\tmov r24 = ar.lc ;;\n\tmov ar.lc = r21 ;;\n"
             "2:\tadd r25 = r22, r23 ;;\n\tst8 [r22] = r25\n\tmov r26 = r22\n\tmov r22 = r25\n"
             "\tbr.cloop.sptk.few 2b ;;\n\tst8 [r26] = r20\n\tmov ar.lc = r24 ;;\n")
    return init, f"\t{op} ;;\n" * lines


def ring(lines, stride, code, apart=0):
    """@code at r18 for each line of a ring, far enough apart not to meet."""
    body = "\tmov r18 = r20 ;;\n"
    for _ in range(lines):
        body += code + WAIT * apart + "\tadd r18 = r23, r18 ;;\n"
    return f"\tmovl r23 = {stride} ;;\n", body


def pages(n, stride):
    """A load from each of @n pieces."""
    return ring(n, stride, "\tld8 r11 = [r18]\n")


def halves(n):
    """Two loads from each of @n pages of 4 KB, of lines of their own in the L1D."""
    return ring(n, 4 * KB + 64, "\tld8 r11 = [r18]\n\tadd r19 = 31 * 64, r18 ;;\n"
                "\tld8 r11 = [r19]\n")


def regions(written):
    """Loads of two lines of a page of region 1, behind a write of the register of that region or
    of another."""
    init = (f"\tmovl r21 = {written} << 61\n\tmovl r18 = 1 << 61 | 1 << 25\n"
            "\tmovl r24 = 0x3000661\n\tadd r23 = 1, r0\n\tmov r10 = 24 << 2 ;;\n"
            "\tmov r22 = 14 << 2\n\tadd r19 = 64, r18\n\tmov cr.ifa = r18\n"
            "\tmov cr.itir = r10 ;;\n\titr.d dtr[r23] = r24 ;;\n\tsrlz.d ;;\n")
    code = "\tmov rr[r21] = r22 ;;\n\tsrlz.d ;;\n\tld8 r11 = [r18] ;;\n\tld8 r12 = [r19] ;;\n"
    on, code = translated(code)
    return init + on, code


def until(register):
    """Wait for its data."""
    return f"\tgetf.sig r11 = {register} ;;\n\tadd r12 = r0, r11 ;;\n"


def burst(lines):
    """Loads of @lines neighbours, of which no cache has one, a cycle apart."""
    code = "\tmov r19 = r18 ;;\n"
    code += "".join(f"\tldfd f{32 + i} = [r19], 128 ;;\n" for i in range(lines))
    return ring(13, L3_INDEX, code + until(f"f{31 + lines}"))


def pressed(loads):
    code = "".join(f"\tldfd f{32 + i} = [r18] ;;\n" for i in range(loads))
    return ring(13, L3_INDEX, code + until(f"f{31 + loads}"))


def together(lines):
    """Misses of one index of the L2D, a cycle apart."""
    code = "".join(f"\tld8 r{48 + i} = [r18]\n\tadd r18 = r23, r18 ;;\n" for i in range(lines))
    return f"\tmovl r23 = {L2_INDEX} ;;\n", "\tmov r18 = r20 ;;\n" + code + WAIT * 40


def returned(miss, cycles, then):
    """Lines of the L3 that are missed by @miss of r18, and @then so many cycles behind: 14 on the
    line is there, and four later it is written to the L2D's array (2.3.3.3)."""
    return ring(9, L2_INDEX, f"\t{miss} ;;\n" + WAIT * (cycles - 1) + then + "\t;;\n", 30)


def crowded(loads):
    """Three loads of a bank, of which the third waits for 6 cycles in the queue, a cycle behind
    them @loads, up to 4, that wait as well, and another 6 later."""
    init = "".join(f"\tadd r{n} = {16 * b}, r16\n" for n, b in ((48, 2), (49, 3), (50, 5), (51, 6), (52, 7)))
    code = "\tldfd f6 = [r16]\n\tldfd f7 = [r16]\n\tldfd f8 = [r16] ;;\n"
    ops = [f"ldfd f{32 + n} = [r{48 + n}]" if n < loads else "nop.m 0" for n in range(4)]
    code += "\t{ .mmi\n\t%s\n\t%s\n\tnop.i 0\n\t}\n\t{ .mmi\n\t%s\n\t%s\n\tnop.i 0 ;;\n\t}\n" % (*ops,)
    return init + "\t;;\n", code + WAIT * 5 + "\tldfd f9 = [r52] ;;\n" + WAIT * 30


def stores(nr, apart):
    """@nr pairs of stores, a pair a cycle, to two words @apart bytes apart."""
    return (f"\tadd r19 = {apart}, r16 ;;\n",
            "\tst8 [r16] = r0\n\tst8 [r19] = r0 ;;\n" * nr + WAIT * 60)


def merged(stores):
    """A line of the L3 is missed, and stored to in the cycles behind."""
    return ring(9, L2_INDEX, "\tldfd f6 = [r18] ;;\n" + "\tst8 [r18] = r0 ;;\n" * stores, 30)


def sibling(lines):
    """A line of the L2D is missed, and a line @lines further stored to, of an index of its own if
    that is not a multiple of the sets; it stays there."""
    init, body = ring(9, L2_INDEX, "\tldfd f6 = [r18]\n\tst8 [r19] = r0 ;;\n", 30)
    return init + f"\tmovl r19 = {128 * lines} ;;\n\tadd r19 = r19, r20 ;;\n", body


def issued(load):
    """Two misses of a group at one index: the queue issues the second 6 cycles later, and with it
    comes @load, of r21 where the next index has lines that are missed as well."""
    code = f"\tmovl r24 = {16 * L2_INDEX} ;;\n\tadd r19 = r24, r18\n\tadd r21 = 128, r18 ;;\n"
    return ring(9, L2_INDEX, code + "\tldfd f6 = [r18]\n\tldfd f7 = [r19] ;;\n" + WAIT * 5 +
                f"\t{load} ;;\n", 40)


def translated(code):
    return "\tssm 1 << 17 ;;\n\tsrlz.d ;;\n", code + WAIT * 40


def arbiter(asked, data, places=4, between=12, ioq=15):
    """Transactions of one kind, asked for in the cycles @asked: each waits for one of @places of
    the arbiter's, is issued a cycle later or @between behind the one before, as the in-order
    queue of @ioq has room, and its data, @data(cycle, the end of those before), ends in a cycle.
    Lists of the cycles in which they enter, are issued, and are done (2.5, 4.11)."""
    entered, issued, done = [], [], []
    for n, cycle in enumerate(asked):
        entered.append(max(cycle, issued[n - places] if n >= places else 0))
        turn = max(entered[n] + 1, issued[n - 1] + between if n else 0)
        issued.append(max(turn, done[n - ioq] if n >= ioq else 0))
        done.append(data(issued[n], done[-1] if done else 0))
    return entered, issued, done


def reads(lines, **sizes):
    """@lines from memory, which the L3 is asked for in a row, of 24 cycles each, the first 195
    behind its being asked: cycles in the arbiter, of reads out, and in the in-order queue."""
    entered, issued, done = arbiter(range(lines), lambda at, last: max(at - 1 + 195, last) + 24,
                                    **sizes)
    return (sum(issued) - sum(entered), sum(d - 24 - e - 1 for d, e in zip(done, entered)),
            sum(done) - sum(issued))


def write_buffers(stores, buffers=8, places=2):
    """Cycles in which all are in use, of so many uncached stores, a cycle apart: each waits in one
    until one of the arbiter's @places is free, from which one is issued every 12 cycles."""
    issued, room, entered, sent = [], [], [], []
    for n in range(stores):
        issued.append(room[-1] + 1 if n else 0)
        room.append(max(issued[n], entered[n - buffers] if n >= buffers else 0))
        entered.append(max(room[n], sent[n - places] if n >= places else 0))
        sent.append(max(entered[n] + 1, sent[-1] + 12 if n else 0))
    return sum(sum(a <= c < b for a, b in zip(room, entered)) == buffers for c in range(sent[-1]))


def bad_choices(trips, lines, flushed, ways=8):
    """Valid lines that are replaced while a place of their set is empty, in so many trips through
    @lines lines of one index, the last @flushed of which are flushed then: the place used least
    recently is replaced, whether it is empty or not."""
    places, bad = [None] * ways, 0
    for _ in range(trips):
        for line in range(lines):
            if line in places:
                places.remove(line)
            else:
                bad += places[-1] is not None and None in places
                places.pop()
            places.insert(0, line)
        places = [None if line is not None and line >= lines - flushed else line for line in places]
    return bad
