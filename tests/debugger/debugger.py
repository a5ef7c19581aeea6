#!/usr/bin/env python3
"""Agents as debuggers show them: debugger.py ESPALIER PROGRAM VIEWS [--update]

Compiles sample trees of each kind, runs PROGRAM (tests/debugger/agents.c) with each asset in gdb with
lib/runtime/debugger/espalier_gdb.py, and compares what that shows with tests/debugger/expected. VIEWS is the same for
the views of espalier.natvis as C++ (tests/debugger/natvis.py), which is compared with tests/debugger/expected_natvis. --update
rewrites both.
"""
import difflib
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEBUGGER = ROOT / "lib/runtime/debugger"
EXPECTED = ROOT / "tests/debugger"
KINDS = ("guard", "modular", "dragengine", "deciders", "synchronized")
# At the first call of a behaviour, and after the update of each tree.
COMMANDS = """set confirm off
set pagination off
set print address off
source {script}
break on_enter
commands
silent
print *call
up
disable 1
continue
end
break look
commands
silent
print tree
print *tree.asset
espalier-agent tree block
continue
end
run {asset}
"""


def shown(espalier, program, views, kind):
    """By gdb, and by the views."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        asset = folder / "trees.espb"
        subprocess.run([espalier, "compile", "-q", f"samples/{kind}", "-o", str(asset)], cwd=ROOT, check=True,
                       stdout=subprocess.DEVNULL)
        (folder / "commands").write_text(COMMANDS.format(script=DEBUGGER / "espalier_gdb.py", asset=asset))
        ran = subprocess.run(["gdb", "-nx", "-batch", "-x", str(folder / "commands"), program], cwd=ROOT, text=True,
                             stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
        viewed = subprocess.run([views, str(asset)], text=True, check=True, capture_output=True, timeout=120).stdout
    kept = [line for line in ran.stdout.splitlines() if line.startswith(("$", "tree ", "  "))]
    faults = [line for line in ran.stderr.splitlines() if "Error" in line or "error" in line]
    return "\n".join([f"# {kind}", *kept, *faults]) + "\n", f"# {kind}\n{viewed}"


def main():
    programs = [str(pathlib.Path(word).resolve()) for word in sys.argv[1:4]]
    parts = zip(*(shown(*programs, kind) for kind in KINDS))
    for name, texts in zip(("expected", "expected_natvis"), parts):
        text = "".join(texts)
        if "--update" in sys.argv:
            (EXPECTED / name).write_text(text)
        expected = (EXPECTED / name).read_text()
        if text != expected:
            sys.exit("".join(difflib.unified_diff(expected.splitlines(True), text.splitlines(True), name, "shown")))
    print(f"debuggers show the agents of {len(KINDS)} kinds of trees as expected")


main()
