#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The netlink uapi header is what the specification says.

check_netlink_spec.py SPEC HEADER           compare; exit status 1 and a diff
check_netlink_spec.py --write SPEC HEADER   make the header anew
"""
import difflib
import sys

import yaml


def c_name(*parts):
    return "".join(parts).replace("-", "_").upper()


def flatten(text):
    return " ".join(text.split())


def comment(doc, indent="\t"):
    """A doc string as a block comment of at most 90 columns."""
    words = flatten(doc).split()
    lines, line = [], ""
    for word in words:
        if line and len(line) + len(word) > 80:
            lines.append(line)
            line = ""
        line = f"{line} {word}" if line else word
    lines.append(line)
    if len(lines) == 1:
        return [f"{indent}/* {lines[0]} */"]
    return [f"{indent}/*"] + [f"{indent} * {text}" for text in lines] + [f"{indent} */"]


def enum(name, prefix, items):
    """items: (name, value or None, doc or None)"""
    out = [f"enum {name.replace('-', '_')} {{"]
    for item, value, doc in items:
        if doc:
            out += comment(doc)
        init = f" = {value}" if value is not None else ""
        out.append(f"\t{c_name(prefix, item)}{init},")
    last = c_name("__", prefix, "max")
    out += ["", f"\t{last},", f"\t{c_name(prefix, 'max')} = ({last} - 1),", "};", ""]
    return out


def header(spec):
    guard = "_UAPI_" + spec["uapi-header"].replace("/", "_").replace(".", "_").upper()
    out = [
        "/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */",
        "/*",
        f" * Generic netlink family {spec['name']}. Made from",
        " * Documentation/netlink/specs/montecito.yaml by check_netlink_spec.py --write;",
        " * a test keeps them equal.",
        " */",
        f"#ifndef {guard}",
        f"#define {guard}",
        "",
        f"#define {c_name(spec['c-family-name'])} \"{spec['name']}\"",
        f"#define {c_name(spec['c-version-name'])} {spec.get('version', 1)}",
        "",
    ]
    for aset in spec["attribute-sets"]:
        items = []
        for attr in aset["attributes"]:
            doc = attr["type"] if attr["type"] not in ("unused", "pad") else None
            if doc and "doc" in attr:
                doc = f"{doc}: {attr['doc']}"
            items.append((attr["name"], attr.get("value"), doc))
        out += enum(aset["enum-name"], aset["name-prefix"], items)
    ops = spec["operations"]
    out += enum(ops["enum-name"], ops["name-prefix"],
                [(op["name"], op.get("value"), op["doc"]) for op in ops["list"]])
    for group in spec["mcast-groups"]["list"]:
        out.append(f"#define {c_name(group['c-define-name'])} \"{group['name']}\"")
    return "\n".join(out + ["", "#endif", ""])


def check_references(spec):
    """Every attribute that an operation names is in its set."""
    sets = {s["name"]: {a["name"] for a in s["attributes"]} for s in spec["attribute-sets"]}
    groups = {g["name"] for g in spec["mcast-groups"]["list"]}
    bad = []
    for op in spec["operations"]["list"]:
        parts = [op.get(mode, {}).get(way, {}) for mode in ("do", "dump")
                 for way in ("request", "reply")] + [op.get("event", {})]
        for part in parts:
            for attr in part.get("attributes", []):
                if attr not in sets[op["attribute-set"]]:
                    bad.append(f"{op['name']}: no attribute {attr}")
        if "mcgrp" in op and op["mcgrp"] not in groups:
            bad.append(f"{op['name']}: no group {op['mcgrp']}")
    for aset in spec["attribute-sets"]:
        for attr in aset["attributes"]:
            nested = attr.get("nested-attributes")
            if nested and nested not in sets:
                bad.append(f"{attr['name']}: no attribute set {nested}")
    return bad


def main(argv):
    write = argv[1:2] == ["--write"]
    args = argv[2:] if write else argv[1:]
    if len(args) != 2:
        sys.exit(__doc__)
    with open(args[0], encoding="utf-8") as file:
        spec = yaml.safe_load(file)
    bad = check_references(spec)
    if bad:
        sys.exit("\n".join(bad))
    want = header(spec)
    if write:
        with open(args[1], "w", encoding="utf-8") as file:
            file.write(want)
        return 0
    with open(args[1], encoding="utf-8") as file:
        have = file.read()
    if have == want:
        return 0
    sys.stdout.writelines(difflib.unified_diff(have.splitlines(True), want.splitlines(True),
                                               args[1], "from " + args[0]))
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv))
