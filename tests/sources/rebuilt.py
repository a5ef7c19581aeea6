#!/usr/bin/env python3
"""How many sources does a new opcode or rule compile again? rebuilt.py [TABLE...]

A new opcode is a row in its engine's file in lib/runtime/format/opcodes, and in the tables of OTHERS that have a row for each; a new
rule is a row in a file of lib/rules. All sources of lib and cli that include one of these tables, themselves or by headers, are
compiled again: fewer than LIMIT. Tests are counted beside them. With tables (lib/runtime/format/opcodes/tick.def), lists the sources
that include one of them, and the headers by which they do.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDED_FROM = [ROOT / folder for folder in (".", "lib", "lib/runtime", "lib/runtime/include", "tests", "tests/unit")]
OPCODES = "lib/runtime/format/opcodes"
RULES = "lib/rules"
# Tables with a row for each opcode, of an engine or of all.
OTHERS = {"poll": ("lib/runtime/poll/nodes.def",), "store": ("lib/runtime/store/nodes.def",)}
OF_ALL = ("lib/lint/flow.def", "lib/report/pictures/node_looks.def")
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


def changes():
    """The tables that change together, by what is new."""
    result = {}
    for table in sorted((ROOT / OPCODES).glob("*.def")):
        result[f"an opcode of {table.stem}"] = [table, *(ROOT / name for name in (*OTHERS.get(table.stem, ()), *OF_ALL))]
    for table in sorted((ROOT / RULES).glob("*.def")):
        result[f"a rule of {table.stem}"] = [table]
    return result


def show(includes, tables, sources):
    for file in sources:
        by = sorted(header.relative_to(ROOT).as_posix() for header in includes.direct(file) if tables & includes.all(header))
        print(f"  {file.relative_to(ROOT)}: {', '.join(by)}")


def main():
    given = [(ROOT / name).resolve() for name in sys.argv[1:]]
    asked = {"these": given} if given else changes()
    includes, own, tests = Includes(), sources_of("lib") + sources_of("cli"), sources_of("tests")
    faults = 0
    for what, tables in asked.items():
        missing = [table for table in tables if not table.is_file()]
        again, again_tests = ([file for file in sources if set(tables) & includes.all(file)] for sources in (own, tests))
        # If a table has no sources, this script is wrong.
        unused = [table for table in tables if not any(table in includes.all(file) for file in own)]
        for table in {*missing, *unused}:
            print(f"{table.relative_to(ROOT)} is not there, or not used")
        faults += len(again) >= LIMIT or bool(missing or unused)
        print(f"{what}: {len(again)} of {len(own)} sources, and {len(again_tests)} of {len(tests)} tests"
              + (f": not fewer than {LIMIT}" if len(again) >= LIMIT else ""))
        if given:
            show(includes, set(tables), again + again_tests)
    if not any(OPCODES in str(table) for tables in asked.values() for table in tables) and not given:
        sys.exit(f"there are no tables in {OPCODES}")
    sys.exit(faults != 0)


main()
