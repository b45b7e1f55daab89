#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The netlink specification is valid, and the uapi header is what it says.

check_netlink_spec.py SPEC HEADER           test (TAP)
check_netlink_spec.py --write SPEC HEADER   make the header anew

The schemas and the generator (ynl-gen-c) are the kernel's own, of the package
linux-source-6.12.
"""
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile

import jsonschema
import yaml

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))


def kernel_source():
    return subprocess.run([os.path.join(TOP, "tools/kernel-source"), "6.12",
                           "tools/net/ynl", "Documentation/netlink"],
                          check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def valid(source, text):
    """None, or what the kernel's schema has against the specification."""
    spec = yaml.safe_load(text)
    name = os.path.join(source, "Documentation/netlink", f"{spec['protocol']}.yaml")
    with open(name, encoding="utf-8") as file:
        schema = yaml.safe_load(file)
    try:
        jsonschema.validate(spec, schema)
    except jsonschema.ValidationError as error:
        return error.message
    return None


def generate(source, text):
    """The header, and what the generator said if it made none."""
    with tempfile.TemporaryDirectory() as tmp:
        # The header names the specification by its path below MAINTAINERS.
        spec = os.path.join(tmp, "Documentation/netlink/specs/montecito.yaml")
        out = os.path.join(tmp, "out.h")
        os.makedirs(os.path.dirname(spec))
        shutil.copy(os.path.join(source, "MAINTAINERS"), tmp)
        with open(spec, "w", encoding="utf-8") as file:
            file.write(text)
        # The generator looks for the schema beside the specification's directory.
        for name in os.listdir(os.path.join(source, "Documentation/netlink")):
            if name.endswith(".yaml"):
                shutil.copy(os.path.join(source, "Documentation/netlink", name),
                            os.path.join(tmp, "Documentation/netlink", name))
        run = subprocess.run([sys.executable, os.path.join(source, "tools/net/ynl/ynl-gen-c.py"),
                              "--mode", "uapi", "--header", "--spec", spec, "-o", out],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             timeout=120, check=False)
        if run.returncode or not os.path.exists(out):
            return None, run.stdout
        with open(out, encoding="utf-8") as file:
            return file.read(), run.stdout


def bad_references(text):
    """Names that an operation or attribute uses and nothing defines."""
    spec = yaml.safe_load(text)
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
    enums = {d["name"] for d in spec.get("definitions", [])}
    for aset in spec["attribute-sets"]:
        for attr in aset["attributes"]:
            if "enum" in attr and attr["enum"] not in enums:
                bad.append(f"{attr['name']}: no definition {attr['enum']}")
            nested = attr.get("nested-attributes")
            if nested and nested not in sets:
                bad.append(f"{attr['name']}: no attribute set {nested}")
    return bad


def bad_flags(text):
    """Flags and numbers that the C header they are said to be in defines otherwise, or alone."""
    bad = []
    for flags in yaml.safe_load(text).get("definitions", []):
        prefix = flags["name-prefix"].upper().replace("-", "_")
        form = r"\(1U << (\d+)\)" if flags["type"] == "flags" else r"(\d+)\b"
        with open(os.path.join(TOP, "uapi", flags["header"]), encoding="utf-8") as file:
            have = {name: int(bit) for name, bit in
                    re.findall(rf"^#define {prefix}(\w+) {form}", file.read(), re.M)}
        want = {entry["name"].upper().replace("-", "_"): bit
                for bit, entry in enumerate(flags["entries"])}
        bad += [f"{prefix}{name}: {want.get(name)} here, {have.get(name)} in {flags['header']}"
                for name in sorted(want.keys() | have.keys())
                if want.get(name) != have.get(name)]
    return bad


class Tap:
    """Numbered results."""

    def __init__(self):
        self.count = self.failed = 0

    def result(self, good, name, why=""):
        self.count += 1
        self.failed += not good
        print(f"{'ok' if good else 'not ok'} {self.count} - {name}")
        if not good:
            print("".join(f"# {line}\n" for line in why.splitlines()), end="")

    def plan(self):
        print(f"1..{self.count}")
        return self.failed > 0


def test(source, text, have, header):
    tap = Tap()
    why = valid(source, text)
    tap.result(why is None, "the specification is valid against the kernel's schema", why or "")
    bad = bad_references(text)
    tap.result(not bad, "every name that it uses is defined", "\n".join(bad))
    bad = bad_flags(text)
    tap.result(not bad, "flags and numbers are those of the C header", "\n".join(bad))
    want, said = generate(source, text)
    tap.result(want == have, "the header is what ynl-gen-c makes of it",
               said if want is None else "".join(difflib.unified_diff(
                   have.splitlines(True), want.splitlines(True), header, "made")))

    # The same with one thing wrong: each check can fail.
    def changed(old, new):
        assert text.count(old) >= 1, old
        return text.replace(old, new, 1)

    tap.result(valid(source, changed("protocol: genetlink-c", "protocol: genetlink")) is not None,
               "c names under protocol genetlink are refused")
    made, _ = generate(source, changed("((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause)",
                                       "GPL-2.0-only WITH Linux-syscall-note"))
    tap.result(made is None, "a licence line that ynl-gen-c does not know is refused")
    tap.result(bad_references(changed("attributes: [machine, vcpu]",
                                      "attributes: [machine, nosuch]")) != [],
               "an attribute that nothing defines is seen")
    tap.result(bad_references(changed("enum: config", "enum: nosuch")) != [],
               "an enumeration that nothing defines is seen")
    tap.result(bad_flags(changed("name: no-alat", "name: nosuch")) != [],
               "a flag that the C header has not got is seen")
    made, _ = generate(source, changed("name: suppressed", "name: withheld"))
    tap.result(made not in (None, have), "another attribute name makes another header")
    return tap.plan()


def main(argv):
    write = argv[1:2] == ["--write"]
    args = argv[2:] if write else argv[1:]
    if len(args) != 2:
        sys.exit(__doc__)
    source = kernel_source()
    with open(args[0], encoding="utf-8") as file:
        text = file.read()
    if write:
        made, said = generate(source, text)
        if made is None:
            sys.exit(said)
        with open(args[1], "w", encoding="utf-8") as file:
            file.write(made)
        return 0
    with open(args[1], encoding="utf-8") as file:
        return test(source, text, file.read(), args[1])


if __name__ == "__main__":
    sys.exit(main(sys.argv))
