#!/usr/bin/env python3
"""Instructions of the runtime and of lint, compile and cover, against those that counts.json records: fails where one is more than 5 % above.

usage: counts.py ESPALIER_BENCH ESPALIER TOOL_BUILD [--update]

Counts of the runtime are by callgrind, per item of each row of the benchmarks' small inputs; those of lint and compile are of the whole
program with FILES files of a dialect, once for the first time and once when one file has changed; those of cover and prove, of a tree of each kind
of explored_trees.py; those of import, of a log with CHANGES changes; all without the start of the program, which has rows of its own. They are the same on each run, but depend on the compiler, and the latter on TOOL_BUILD, the
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

import explored_trees
import generate_files
import instructions
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
    def command_of(row):
        """What is counted, and the folder in which it runs."""
        verb, dialect = row
        if verb == "import":
            own = pathlib.Path(folder, dialect)
            own.mkdir()
            return f"import as {dialect}, {CHANGES} changes, millions", own, long_log.words_of(dialect, log)
        if verb in ("cover", "prove"):
            project = pathlib.Path(folder, verb, dialect)
            project.mkdir(parents=True)
            name, tree, configuration = explored_trees.TREES[dialect]
            project.joinpath(name).write_text(tree)
            project.joinpath("espalier.json").write_text(configuration)
            if verb == "prove":
                properties = {"properties": [{"name": "p", "never": explored_trees.NEVER[dialect]}]}
                project.joinpath("p.properties.json").write_text(json.dumps(properties))
            return f"{verb} {dialect}, {STATES} states, millions", folder, [verb, "-j1", "--budget", str(STATES), str(project)]
        return f"{verb} {dialect}, {FILES} files, millions", folder, [*VERBS[verb], dialect]

    def edit(dialect):
        file = sorted(pathlib.Path(folder, "edited", dialect).iterdir())[FILES // 2]
        text = file.read_text()
        assert EDITS[dialect][0] in text
        file.write_text(text.replace(*EDITS[dialect], 1))

    with tempfile.TemporaryDirectory() as folder:
        environment = {"XDG_CACHE_HOME": f"{folder}/cache"}
        generate_files.write_files(folder, FILES)
        log = pathlib.Path(folder, "run.btlog")
        long_log.write_long(log, CHANGES)
        rows = [(verb, dialect) for verb in VERBS for dialect in generate_files.DIALECTS]
        rows += [("cover", kind) for kind in explored_trees.TREES] + [("prove", kind) for kind in explored_trees.NEVER]
        rows += [("import", form) for form in long_log.FORMS]
        named = [command_of(row) for row in rows]
        edited = [(folder, ["lint", "-q", "-j1", f"edited/{dialect}"]) for dialect in EDITS]
        for dialect in EDITS:
            shutil.copytree(pathlib.Path(folder, dialect), pathlib.Path(folder, "edited", dialect))
        # The cache is that of a program, which cachegrind is here: the first runs of what is edited fill it.
        counts = instructions.of_runs(program, [(place, words) for _, place, words in named] + edited, environment)
        for dialect in EDITS:
            edit(dialect)
        counts[len(rows):] = instructions.of_runs(program, edited, environment)
        started = {what: instructions.of_process(program, words, ROOT, environment) for what, words in SHORT.items()}
    names = [what for what, *_ in named] + [f"lint -q {dialect}, 1 of {FILES} files changed, millions" for dialect in EDITS]
    return {what: round(count / 1e6, 1) for what, count in zip(names, counts)} | {
        f"{what}, millions": round(count / 1e6, 2) for what, count in started.items()}


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
