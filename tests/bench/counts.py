#!/usr/bin/env python3
"""Instructions of the runtime and of lint, compile and cover, against those that counts.json records: fails where one is more than 5 % above.

usage: counts.py ESPALIER_BENCH ESPALIER TOOL_BUILD [--update]

Counts of the runtime are by callgrind, per item of each row of the benchmarks' small inputs; those of lint and compile are of the whole
program with FILES files of a dialect, once for the first time and once when one file has changed; those of cover and prove, of a tree of each kind
of explored_trees.py; those of import, of a log with CHANGES changes. They are the same on each run, but depend on the compiler, and the latter on TOOL_BUILD, the
options that the program was built with: with others than those of the record, and without valgrind, nothing is compared. --update
records what is counted now.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import explored_trees
import generate_files
import long_log

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORD = ROOT / "tests/bench/counts.json"
TOLERANCE = 0.05
# Below that, a difference is none: instructions of an item, and millions of the tool.
LEAST = 2.0
LEAST_OF_TOOL = 0.1
FILES = 100
STATES = 4_000
CHANGES = 5_000
# An edit of one file, of which lint checks again only what depends on it.
EDITS = {"selection": ('name="Leaf12"', 'name="Leaf99"'), "btcpp": ("done == 0", "done == 1")}
# Runs so short that the start of the program counts.
SHORT = {"start, --version": ["--version"],
         "start, lint of a guard": ["lint", "-q", "--no-cache", "-j1", "samples/guard/guard.xml"],
         "start, lint of two modular trees": ["lint", "-q", "--no-cache", "-j1", "samples/modular"],
         "start, lint of a robot": ["lint", "-q", "--no-cache", "-j1", "samples/btcpp"]}
# Without the search for traces that show findings: it takes what its budget allows, minutes of valgrind.
VERBS = {"lint -q": ["lint", "-q", "--no-cache", "-j1"],
         "compile": ["compile", "-j1", "-o", os.devnull]}


def rows_of(program):
    """The build that was counted, and of each row what it is, and the instructions per item of both of its sides."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={folder}/counts", program, "--count"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{program} --count failed:\n{done.stdout}{done.stderr}")

        def instructions(file, items):
            text = pathlib.Path(folder, f"counts.{file}").read_text(encoding="latin-1")
            return round(int(re.search(r"^totals: (\d+)", text, re.MULTILINE).group(1)) / int(items), 1)

        build = re.search(r"^build (.*)$", done.stdout, re.MULTILINE).group(1)
        rows = re.findall(r"^items (\d+) (.*)$", done.stdout, re.MULTILINE)
        return build, [(what, instructions(2 * i + 1, items), instructions(2 * i + 2, items)) for i, (items, what) in enumerate(rows)]


PEER = "against BehaviorTree.CPP"  # only where it is installed
RECORDED = "recording: "  # what counts is the difference to the same updates without a recorder


def count(program):
    """The build that was counted, and the instructions per item by row."""
    build, rows = rows_of(program)
    counts = {what: own for what, own, _ in rows if PEER not in what and not what.startswith(RECORDED)}
    return build, counts | {f"{what}, added": round(own - floor, 1) for what, own, floor in rows if what.startswith(RECORDED)}


def count_peers(program):
    """How many times fewer instructions a row takes than BehaviorTree.CPP."""
    return {what: floor / own for what, own, floor in rows_of(program)[1] if PEER in what}


def count_tool(program):
    """The instructions of the whole program, in millions, by verb and dialect."""
    def millions(words, digits=1, cwd=None):
        command = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", program, *words]
        done = subprocess.run(command, cwd=cwd or folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False,
                              env=os.environ | {"LC_ALL": "C.UTF-8", "XDG_CACHE_HOME": f"{folder}/cache"})
        found = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
        if done.returncode not in (0, 1) or not found:
            sys.exit(f"{' '.join(command)} failed:\n{done.stderr}")
        return round(int(found.group(1).replace(",", "")) / 1e6, digits)

    def one(row):
        verb, dialect = row
        if verb == "start":
            return f"{dialect}, millions", millions(SHORT[dialect], 2, ROOT)
        if verb == "import":
            own = pathlib.Path(folder, dialect)
            own.mkdir()
            return f"import as {dialect}, {CHANGES} changes, millions", millions(long_log.words_of(dialect, log), cwd=own)
        if verb in ("cover", "prove"):
            project = pathlib.Path(folder, verb, dialect)
            project.mkdir(parents=True)
            name, tree, configuration = explored_trees.TREES[dialect]
            project.joinpath(name).write_text(tree)
            project.joinpath("espalier.json").write_text(configuration)
            if verb == "prove":
                properties = {"properties": [{"name": "p", "never": explored_trees.NEVER[dialect]}]}
                project.joinpath("p.properties.json").write_text(json.dumps(properties))
            return f"{verb} {dialect}, {STATES} states, millions", millions([verb, "-j1", "--budget", str(STATES), str(project)])
        if verb in VERBS:
            return f"{verb} {dialect}, {FILES} files, millions", millions([*VERBS[verb], dialect])
        changed = pathlib.Path(folder, "edited", dialect)
        shutil.copytree(pathlib.Path(folder, dialect), changed)
        words = ["lint", "-q", "-j1", str(changed)]
        millions(words)
        file = sorted(changed.iterdir())[FILES // 2]
        text = file.read_text()
        assert EDITS[dialect][0] in text
        file.write_text(text.replace(*EDITS[dialect], 1))
        return f"lint -q {dialect}, 1 of {FILES} files changed, millions", millions(words)

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        generate_files.write_files(folder, FILES)
        log = pathlib.Path(folder, "run.btlog")
        long_log.write_long(log, CHANGES)
        rows = [(verb, dialect) for verb in VERBS for dialect in generate_files.DIALECTS] + [("edit", dialect) for dialect in EDITS] + [("start", what) for what in SHORT]
        rows += [("cover", kind) for kind in explored_trees.TREES] + [("prove", kind) for kind in explored_trees.NEVER]
        rows += [("import", form) for form in long_log.FORMS]
        return dict(pool.map(one, rows))


def compare(record, build, counts, least):
    """Prints what differs from the record. Returns how many counts are too large, or not in both."""
    if record["build"] != build:
        print(f"recorded for {record['build']}, and this is {build}: nothing is compared")
        return 0
    failed = 0
    for what, recorded in record["instructions"].items():
        if what not in counts:
            print(f"{what}: is recorded, but no longer a row")
            failed += 1
            continue
        bound = max(recorded * (1 + TOLERANCE), recorded + least)
        if counts[what] > bound:
            print(f"{what}: {counts[what]} instructions, recorded are {recorded}")
            failed += 1
        elif counts[what] < recorded * (1 - TOLERANCE) - least:
            print(f"{what}: only {counts[what]} instructions, recorded are {recorded}: record them with --update")
    for what in counts.keys() - record["instructions"].keys():
        print(f"{what}: is not recorded")
        failed += 1
    print(f"{len(counts)} counts compared")
    return failed


def main():
    if not shutil.which("valgrind"):
        print("no valgrind: nothing is compared")
        return 0
    bench, espalier, tool_build = sys.argv[1:4]
    build, counts = count(bench)
    tool_build, tool_counts = f"{build} {tool_build}".strip(), count_tool(os.path.abspath(espalier))
    if "--update" in sys.argv[4:]:
        record = {"build": build, "instructions": counts, "tool": {"build": tool_build, "instructions": tool_counts}}
        RECORD.write_text(json.dumps(record, indent=2) + "\n")
        return 0
    record = json.loads(RECORD.read_text())
    failed = compare(record, build, counts, LEAST)
    if "tool" in record:
        failed += compare(record["tool"], tool_build, tool_counts, LEAST_OF_TOOL)
    else:
        print("no counts of lint and compile are recorded: record them with --update")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
