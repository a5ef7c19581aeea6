#!/usr/bin/env python3
"""Runs golden cases: golden.py ESPALIER [FOLDER...] [--update]

A case is a folder below tests/golden (or FOLDER) with a file `command`: one line, run by sh in a copy of the case's
folder with `espalier` on PATH. `expected` is all it writes, standard output and error together; `status` its exit
status, 0 where there is no such file. --update rewrites both, for review in the diff.
"""
import difflib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

KEPT_FROM_CASE = ("command", "expected", "status")


def environment(espalier):
    """With the program first on PATH, and nothing that changes what is written."""
    kept = {name: value for name, value in os.environ.items() if name not in ("CLICOLOR_FORCE", "COLUMNS")}
    return kept | {"PATH": f"{espalier.parent}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}


def run(espalier, case):
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / case.name
        shutil.copytree(case, folder, ignore=shutil.ignore_patterns(*KEPT_FROM_CASE))
        done = subprocess.run(["sh", "-c", (case / "command").read_text()], cwd=folder, env=environment(espalier),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
    return done.stdout.decode("utf-8", "backslashreplace"), done.returncode


def expected_status(case):
    file = case / "status"
    return int(file.read_text()) if file.exists() else 0


def check(espalier, case):
    """What is wrong, or None."""
    try:
        output, status = run(espalier, case)
    except subprocess.TimeoutExpired:
        return "ran for more than 60 seconds"
    file = case / "expected"
    expected = file.read_text() if file.exists() else ""
    faults = []
    if not file.exists():
        faults.append("there is no file 'expected'; --update writes it")
    if status != expected_status(case):
        faults.append(f"exit status {status}, expected {expected_status(case)}")
    faults += difflib.unified_diff(expected.splitlines(), output.splitlines(), "expected", "actual", lineterm="")
    if expected != output and not faults:
        faults.append("the last line's end differs")
    return "\n".join(faults) or None


def update(espalier, case):
    output, status = run(espalier, case)
    (case / "expected").write_text(output)
    if status:
        (case / "status").write_text(f"{status}\n")
    else:
        (case / "status").unlink(missing_ok=True)


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    if not words or set(sys.argv[1:]) - set(words) - {"--update"}:
        sys.exit(__doc__)
    espalier = pathlib.Path(words[0]).resolve()
    folders = [pathlib.Path(word) for word in words[1:]] or [pathlib.Path(__file__).parent / "golden"]
    cases = sorted(file.parent for folder in folders for file in folder.rglob("command"))
    action = update if "--update" in sys.argv else check
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = list(pool.map(lambda case: action(espalier, case), cases))
    for case, fault in zip(cases, faults):
        if fault:
            print(f"{case}: {fault}\n")
    print(f"{len(cases) - sum(map(bool, faults))} of {len(cases)} golden cases hold")
    sys.exit(any(faults) or not cases)


main()
