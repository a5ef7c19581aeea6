#!/usr/bin/env python3
"""The table of opcodes in schemas/asset.md is that of lib/runtime/format/opcodes: opcode_table.py [--update]

--update writes it into the page.
"""
import difflib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "schemas/asset.md"
FORMAT = ROOT / "lib/runtime/format"
BEGIN, END = "<!-- opcodes -->\n", "<!-- end of opcodes -->"
HEAD = "| number | opcode | children | agent bytes | flags | operands | meaning |\n|---|---|---|---|---|---|---|\n"


def rows_of(table):
    """The cells of each row of a table file: words, and a text at the end."""
    for cells, text in re.findall(r'^OP\((.*), *"(.*)"\)$', table, re.MULTILINE):
        yield [*(cell.strip() for cell in cells.split(",")), text]


def main():
    table = "".join(file.read_text() for file in sorted((FORMAT / "opcodes").glob("*.def")))
    lines = []
    for number, name, _, children, agent_bytes, flags, *operands, meaning in sorted(rows_of(table), key=lambda row: int(row[0])):
        used = ", ".join(operand for operand in operands if operand != "none")
        lines.append(f"| {number} | {name} | {children} | {agent_bytes} | {flags} | {used} | {meaning} |\n")
    page = PAGE.read_text()
    begin = page.index(BEGIN) + len(BEGIN)
    written = page[begin:page.index(END)]
    expected = HEAD + "".join(lines)
    if "--update" in sys.argv[1:]:
        PAGE.write_text(page[:begin] + expected + page[begin + len(written):])
        return 0
    for line in difflib.unified_diff(written.splitlines(), expected.splitlines(), "schemas/asset.md", "opcodes.def", lineterm=""):
        print(line)
    print(f"{len(lines)} opcodes compared")
    return written != expected


if __name__ == "__main__":
    sys.exit(main())
