#!/usr/bin/env python3
"""How many sources does a new opcode or rule compile again? rebuilt.py [TABLE...]

A new opcode is a row in its engine's file in lib/runtime/format/opcodes, a new rule one in a file of lib/rules. All sources of lib
and cli that include the file, themselves or by headers, are compiled again: fewer than LIMIT. Tests are counted beside them.
With tables (lib/runtime/format/opcodes/tick.def), lists the sources of each, and the headers by which they include it.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDED_FROM = [ROOT / folder for folder in (".", "lib", "lib/runtime", "lib/runtime/include", "tests", "tests/unit")]
TABLES = ("lib/runtime/format/opcodes/*.def", "lib/rules/*.def")
LIMIT = 60


class Includes:
    def __init__(self):
        self.found = {}    # what a file includes directly
        self.reached = {}  # and by others

    def find(self, name, near):
        for folder in (near.parent, *INCLUDED_FROM):
            if (folder / name).is_file():
                return (folder / name).resolve()
        return None

    def direct(self, file):
        if file not in self.found:
            names = re.findall(r'^\s*#\s*include\s*["<]([^">]+)[">]', file.read_text(errors="replace"), re.M)
            self.found[file] = {header for name in names if (header := self.find(name, file))}
        return self.found[file]

    def all(self, file):
        if file not in self.reached:
            self.reached[file] = set()  # also ends what would not end
            self.reached[file] = set.union({file}, *(self.all(header) for header in self.direct(file)))
        return self.reached[file]


def sources_of(folder):
    return [file for file in sorted((ROOT / folder).rglob("*")) if file.suffix in (".cpp", ".c") and "golden" not in file.parts]


def show(includes, table, sources):
    for file in sources:
        by = sorted(header.relative_to(ROOT).as_posix() for header in includes.direct(file) if table in includes.all(header))
        print(f"  {file.relative_to(ROOT)}: {', '.join(by)}")


def main():
    shown = [(ROOT / name).resolve() for name in sys.argv[1:]]
    tables = shown or [table for pattern in TABLES for table in sorted(ROOT.glob(pattern))]
    includes, own, tests = Includes(), sources_of("lib") + sources_of("cli"), sources_of("tests")
    faults = 0
    for table in tables:
        again = [file for file in own if table in includes.all(file)]
        again_tests = [file for file in tests if table in includes.all(file)]
        # If there are none, this script is wrong.
        is_fine = 0 < len(again) < LIMIT
        faults += not is_fine
        print(f"{table.relative_to(ROOT)}: {len(again)} of {len(own)} sources, and {len(again_tests)} of {len(tests)} tests"
              + ("" if is_fine else f": not fewer than {LIMIT}" if again else ": it is not used"))
        if shown:
            show(includes, table, again + again_tests)
    if not tables:
        print("there are no tables")
    sys.exit(faults != 0 or not tables)


main()
