#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Every errno that the documents name has a row in errno_test.c or errno_genl.c.

check_errnos.py     test (TAP)

The documents are uapi/linux/montecito.h ("Return:" of each command, and the list at its
head that holds for all) and Documentation/netlink.rst (the table of refusals).
"""
import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

# What a call cannot be made to meet by what it is given.
ELSEWHERE = {
    "ENOMEM": "of all commands: by failing allocations",
}


def read(*path):
    with open(os.path.join(TOP, *path), encoding="utf-8") as file:
        return file.read()


def comments(text):
    """Block comments without their stars, and what stands outside of them."""
    for comment in re.findall(r"/\*(.*?)\*/", text, re.S):
        yield re.sub(r"^ \* ?", "", comment, flags=re.M)


def documented(header):
    """(command, errno) of each command; errnos of all commands."""
    pairs, common = set(), set()
    for comment in comments(header):
        title = re.search(r"^\s*struct \w+ - ioctl\(([^)]*)\)", comment, re.M)
        if "hold for all commands" in comment:
            common |= set(re.findall(r"%(E[A-Z0-9]+)", comment))
        if not title:
            # mmap() of a file descriptor
            pairs |= {("mmap", e) for e in re.findall(r"\b(E[A-Z]{3,}) for a", comment)}
            continue
        first, *rest = [name.strip() for name in title.group(1).split(",")]
        base = first.removeprefix("MONTECITO_")
        prefix = base.rsplit("_", 1)[0] + "_" if rest and "_" in base else ""
        names = [base] + [prefix + n[1:] if n.startswith("_") else n.removeprefix("MONTECITO_")
                          for n in rest]
        for mapping in re.findall(r"mmap\(\): (.*?)\.\n", comment, re.S):
            pairs |= {("mmap", e) for e in re.findall(r"\bE[A-Z]{3,}\b", mapping)}
        for line in re.findall(r"^ \* ((?:E[A-Z0-9]+(?:, )?)+): (.*)$", comment, re.M):
            only = [n for n in names if line[1].startswith(n.rsplit("_")[-1] + ":") or
                    line[1].startswith(n + ":") or f"; {n}:" in line[1]] or names
            pairs |= {(name, e) for e in re.findall(r"E[A-Z0-9]+", line[0]) for name in only}
    return pairs, common


def tabled(netlink):
    """Errnos in the table of refusals."""
    part = netlink[netlink.index("Refusals\n"):]
    return set(re.findall(r"^``(E[A-Z]+)``", part, re.M))


def rows(test):
    """(command, errno) of each row; errnos of the rows for all; errnos over netlink."""
    have = set(re.findall(r"^\t[PF]\((\w+), (E\w+), ", test, re.M))
    have |= {("mmap", e) for e in re.findall(r"^\tMAP\(.*?, (E[A-Z]+), \"", test, re.M | re.S)}
    common = {e for name, e in have if name == "ALL"}
    common |= set(re.findall(r'"(E[A-Z]+): ', test))
    return have, common, set(re.findall(r"^\t[ND]\(\w+, (E\w+), ", test, re.M))


def missing(header, netlink, test):
    """What is documented and has no row."""
    pairs, common = documented(header)
    have, have_common, have_netlink = rows(test)
    lacking = [f"{name}: {e}" for name, e in sorted(pairs - have)]
    lacking += [f"all: {e}" for e in sorted(common - have_common - ELSEWHERE.keys())]
    lacking += [f"netlink: {e}" for e in sorted(tabled(netlink) - have_netlink -
                                                ELSEWHERE.keys())]
    return lacking


def undocumented(header, netlink, test):
    """Rows whose errno the documents do not name."""
    pairs, common = documented(header)
    have, _, have_netlink = rows(test)
    extra = [f"{name}: {e}" for name, e in sorted(have - pairs)
             if name != "ALL" and e not in common]
    return extra + [f"netlink: {e}" for e in sorted(have_netlink - tabled(netlink))]


def main():
    header = read("uapi/linux/montecito.h")
    netlink = read("Documentation/netlink.rst")
    test = "".join(read("selftests/kselftest", name)
                   for name in ("errno_test.c", "errno_genl.c"))
    pairs, common = documented(header)
    results = [
        (len(pairs) > 50 and len(common) > 5 and len(tabled(netlink)) > 4,
         f"{len(pairs)} errnos of single commands, {len(common)} of all, "
         f"{len(tabled(netlink))} over netlink", []),
    ]
    lacking = missing(header, netlink, test)
    results.append((not lacking, "each has a row", lacking))
    extra = undocumented(header, netlink, test)
    results.append((not extra, "each row is documented", extra))
    # The same with one thing more or less: both can fail.
    for doc in (header.replace("EBADF: @fd", "ENODEV: @fd", 1),
                header.replace("%E2BIG", "%ENODATA")):
        results.append((missing(doc, netlink, test) != [], "an errno without row is seen", []))
    results.append((missing(header, netlink.replace("``EPERM``", "``EACCES``", 1), test) != [],
                    "one of netlink's too", []))
    results.append((undocumented(header.replace("  * EBADF: @fd", "  * @fd", 1), netlink,
                                 test) != [], "a row without document is seen", []))
    for n, (good, name, why) in enumerate(results, 1):
        print(f"{'ok' if good else 'not ok'} {n} - {name}")
        print("".join(f"# {line}\n" for line in why), end="")
    print(f"1..{len(results)}")
    return not all(good for good, _, _ in results)


if __name__ == "__main__":
    sys.exit(main())
