#!/usr/bin/env python3
"""Is each library linked with all that it uses? linked.py BUILD_FOLDER

Linkers that read libraries once, in order, find a function only in one that comes later. Others hide that a library is missing in the list
of those that espalier_library() in CMakeLists.txt says of a library to use, and so do programs that name it for themselves.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
OWN = "8espalier"  # in the mangled name of what is in the namespace
LIBRARY = re.compile(r"espalier_library\((\w+)([^)]*)\)")


def uses():
    """By library, what it is linked with, and what these are, in turn."""
    direct = {name: set(re.findall(r"espalier_(\w+)", rest)) for name, rest in LIBRARY.findall((ROOT / "CMakeLists.txt").read_text())}

    def all_of(name):
        return {name}.union(*(all_of(other) for other in direct.get(name, ())))
    return {name: all_of(name) for name in direct}


def names_of(library):
    """What it defines, and what others have to."""
    listed = subprocess.run(["nm", "--format=posix", library], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    defined, missing = set(), set()
    for name, kind, *_ in (line.split() for line in listed.stdout.splitlines() if OWN in line and " " in line):
        (missing if kind == "U" else defined).add(name)
    return defined, missing - defined


def main():
    build = pathlib.Path(sys.argv[1])
    linked = uses()
    found = {name: names_of(build / f"libespalier_{name}.a") for name in sorted({"runtime"}.union(*linked.values()))}
    faults = []
    for name, others in linked.items():
        missing = found[name][1] - set().union(*(found[other][0] for other in others))
        owners = {owner: missing & defined for owner, (defined, _) in found.items()}
        faults += [f"espalier_{name} is not linked with espalier_{owner}, which has {min(used)}" for owner, used in owners.items() if used]
    for fault in faults:
        print(fault)
    print(f"libraries missing: {len(faults)}" if faults else f"{len(linked)} lists of libraries hold")
    sys.exit(bool(faults))


main()
