#!/usr/bin/env python3
"""One table of what espalier costs, next to its goals: R1 to R10 of the runtime and of assets, S1 to S7 of the program, B1 of its build.

usage: table.py ESPALIER ESPALIER_BENCH [--quick] [--files COUNT] [--only R9,S1] [--modular FOLDER] [--nav2 FILE] [--build] [--lines FILE] [--cost]

Inputs are generated, always the same. Ratios are of two times of one run: a row of the benchmarks to its floor, a run of the program to
pugixml or xmllint on the same files. Times are the least of several. Where the benchmarks know BehaviorTree.CPP, it is compared by instructions of
callgrind. --quick takes small inputs: it shows that everything is measured, and says nothing about speed. --files is how many files of
each dialect are compiled and linted. --modular names a folder of trees for R9, --nav2 a tree for R6. --build builds everything for B1. --lines
keeps what is measured in FILE, with the other lines that it has from runs before. --cost writes the table and plots of how costs grow as
schemas/cost.md; --goals the table and its notes alone.
"""
import argparse
import dataclasses
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import counts
import generate_files
import generate_trees
import growth_plots
import table_tool
from reachable import count_reachable
from table_tool import Line, Run

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Of the rows of the benchmarks: number, what, pattern of the rows that Google Benchmark reads too, what of them, goal. Of the ratios of
# several rows it is the geometric mean, of their instructions and times the largest.
ROWS = [
    ("R1", "selecting, 64 leaves over 32 variables, without tables", r"nested-64, ([a-z ]+, by nodes|uniform states)", "ratio", 2),
    ("R1", "with tables", r"nested-64, [a-z ]+, by tables", "ratio", None),
    ("R1", "with state machines and tables", r"machines-64, [a-z ]+, by tables", "ratio", 1.2),
    ("R1b", "1,000 leaves over 64 variables, nested", r"nested-1000, [a-z ]+, by tables", "ratio", 1),
    ("R1b", "a list of 1,000 leaves", r"deep-1000, [a-z ]+, by tables", "ratio", 0.2),
    ("R1b", "nothing changed, one call", r"nested-64, nothing changed, prepared", "ns", None),
    ("R1b", "all changed, in a batch of blocks", r"nested-64, all of [0-9]+: one flip in each", "ns", None),
    ("R1b", "all changed, by columns, 64 leaves", r"nested-64, crowd of [0-9]+: all changed", "ns", None),
    ("R1b", "all changed, by columns, 1,000 leaves", r"nested-1000, crowd of [0-9]+: all changed", "ns", None),
    ("R2", "ticking: a visited node", r"[0-9]+ nodes, all visited, against calls", "instructions", 40),
    ("R2", "polling: a visited condition", r"polling: [0-9]+ nodes, all visited, against objects", "instructions", 50),
    ("R2", "polling: a visited action", r"polling: [0-9]+ nodes, all visited, of actions", "instructions", 50),
    ("R2b", "deciders: one that is asked", r"[0-9]+ agents: 31 children refuse by Decide", "instructions / 31", 60),
    ("R2b", "rules: one that runs", r"rules: a sequence of 40 actions", "instructions", 60),
    ("R2b", "storing: an action that runs, and is reset", r"[0-9]+ agents: 40 actions succeed, and are reset", "instructions", 90),
    ("R3", "ticking: a running action goes on, one call", r"running action, .*, prepared", "instructions", 50),
    ("R3", "ticking: the same, in a batch", r"[0-9]+ agents: running action, depth 50", "instructions", 50),
    ("R3", "storing: the same", r"[0-9]+ agents: an action goes on in 10 sequences", "instructions", 50),
    ("R3", "rules: the same, one call", r"rules: an action goes on in 10 sequences, prepared", "instructions", 50),
    ("R3", "rules: the same, in a batch", r"rules: [0-9]+ agents: an action goes on in 10 sequences", "instructions", 50),
    ("R3", "deciders: a behaviour goes on at depth 10", r"[0-9]+ agents: a behaviour goes on at depth 10", "instructions", 50),
    ("R3b", "polling: a running action in 10 sequences", r"polling: running action in 10 sequences, prepared", "instructions", 120),
    ("R3b", "polling: the same behind 200 results", r"polling: running action behind 200 done, prepared", "instructions", 80),
    ("R3b", "polling: the same in 10 reactive sequences", r"polling: running action in 10 reactive sequences, prepared", "instructions", 720),
    ("R4", "polling: an action with _skipIf and _onSuccess", r"polling: an action with _skipIf and _onSuccess", "instructions", 200),
    ("R4", "polling: a script of two assignments", r"polling: a script of two assignments", "instructions", 150),
    ("R4", "polling: an action that reads a port and writes one", r"polling: an action that reads a port and writes one", "instructions", 120),
    ("R7", "open, a node", r"open an asset, by nodes", "ns", 8),
    ("R7", "open: hash", r"open an asset, hashing alone", "GB/s", None),
    ("R8", "monitors that refuse, each", r"[0-9]+ agents: an action goes on, monitors refuse: (1|80)", "ns / 79 more", 6),
]

# Of the rows against BehaviorTree.CPP: number, what, row, how many times fewer instructions.
PEERS = [
    ("R5", "against BehaviorTree.CPP: nodes that are visited", r"polling: \d+ nodes, all visited", 25),
    ("R5", "against BehaviorTree.CPP: 10 reactive sequences", r"polling: running action in 10 reactive sequences", 25),
    ("R5", "against BehaviorTree.CPP: scripts", r"polling: a script of two assignments", 20),
    ("R5b", "against BehaviorTree.CPP: hooks", r"polling: an action with _skipIf and _onSuccess", 15),
    ("R5b", "against BehaviorTree.CPP: ports", r"polling: an action that reads a port and writes one", 15),
]

ORDER = ["R1", "R1b", "R2", "R2b", "R3", "R3b", "R4", "R5", "R5b", "R6", "R7", "R8", "R9", "R10", "S1", "S2", "S3", "S4", "S5", "S6", "S7", "B1"]


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def plain_name(what):
    return re.sub(r"\d+ agents: |(all|crowd) of \d+: ", "", what)


def benchmark_lines(program, quick, wanted):
    """The lines of ROWS."""
    names = {name for number, _, name, _, _ in ROWS if number in wanted}
    if not names:
        return []
    command = [program, "--json", f"--benchmark_filter=^({'|'.join(sorted(names))})/"] + (["--quick"] if quick else [])
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    recorded = json.loads((ROOT / "tests/bench/counts.json").read_text())["instructions"]
    recorded = {plain_name(what): count for what, count in recorded.items()}
    lines = []
    for number, what, name, unit, goal in ROWS:
        if number not in wanted:
            continue
        found = [row for row in rows if re.fullmatch(name, row["row"])]
        ratios = [row["ns"] / row["floor_ns"] for row in found]
        counted = [count for row in found if (count := recorded.get(plain_name(row["row"]))) is not None]
        if not found:
            value = None
        elif unit == "ratio":
            value, unit = geometric_mean(ratios), "× floor"
        elif unit.startswith("instructions"):
            value = max(counted) / (int(unit.split("/")[1]) if "/" in unit else 1) if counted else None
            unit = "instructions"
        elif unit == "GB/s":
            value = 1 / found[0]["ns"]
        elif unit.startswith("ns / "):
            times = [row["ns"] for row in found]
            value, unit = (max(times) - min(times)) / int(unit.split()[2]), "ns"
        else:
            value = max(row["ns"] for row in found)
        lines.append(Line(number, what, value, unit, goal, unit == "GB/s"))
    return lines


def peer_lines(program, wanted):
    """R5 and R5b."""
    peers = [row for row in PEERS if row[0] in wanted]
    found = counts.count_peers(program) if peers and shutil.which("valgrind") else {}
    ratio = lambda row: next((ratio for what, ratio in found.items() if re.fullmatch(row + ", against BehaviorTree.CPP", what)), None)
    return [Line(number, what, ratio(row), "times fewer instructions", goal, True) for number, what, row, goal in peers]


def reachable_text(quick):
    texts = []
    shapes = [shape for shape in generate_trees.SHAPES if shape[0] in ("nested", "deep")]
    for shape, leaves, variables in shapes[: 1 if quick else None]:
        reachable = count_reachable(generate_trees.make_tree(shape, leaves, variables))
        texts.append(f"{shape}, {variables} variables: {reachable} of {leaves}")
    return "Reachable leaves: " + "; ".join(texts) + "."


def markdown(lines):
    rows = [["#", "what", "measured", "goal", "reached"], ["---"] * 5] + [line.cells() for line in lines]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def measured_lines(program, benchmark, folder, options, wanted):
    lines = benchmark_lines(benchmark, options.quick, wanted) + peer_lines(benchmark, wanted)
    folders = generate_files.write_files(folder, 50 if options.quick else options.files) if wanted & {"S1", "S2", "S3", "S4"} else {}
    if "R6" in wanted:
        lines += table_tool.block_lines(program, folder, options.nav2)
    if "R9" in wanted:
        lines += table_tool.size_lines(program, folder, options.modular)
    if "R10" in wanted:
        lines += table_tool.replay_lines(program, folder, options.quick)
    if wanted & {"S1", "S4"}:
        lines += table_tool.compile_lines(program, benchmark, folders)
    if wanted & {"S2", "S3", "S4"}:
        lines += table_tool.lint_lines(program, folders)
    if "S5" in wanted:
        lines += table_tool.large_lines(program, benchmark, folder, options.quick)
    if "S6" in wanted:
        lines += table_tool.start_lines()
    if "S7" in wanted:
        lines += table_tool.editor_lines(program, options.quick)
    if "B1" in wanted:
        lines += table_tool.build_lines(options.build)
    return [line for line in lines if line.number in wanted]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("espalier")
    parser.add_argument("benchmark")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--files", type=int, default=2_000)
    parser.add_argument("--only")
    parser.add_argument("--modular", type=pathlib.Path)
    parser.add_argument("--nav2", type=pathlib.Path)
    parser.add_argument("--build", action="store_true")
    parser.add_argument("--lines", type=pathlib.Path)
    parser.add_argument("--cost", action="store_true")
    parser.add_argument("--goals", action="store_true")
    options = parser.parse_args()
    wanted = set(options.only.split(",")) if options.only else set(ORDER)
    if options.quick:
        Run.repetitions = 1
        wanted -= {"R5", "R5b", "S7"}  # callgrind, and the editors' own tests
    program, benchmark = os.path.abspath(options.espalier), os.path.abspath(options.benchmark)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        lines = measured_lines(program, benchmark, folder, options, wanted)
        if options.lines:
            before = json.loads(options.lines.read_text()) if options.lines.exists() else []
            lines += [line for line in (Line(**each) for each in before) if line.number not in wanted]
        lines.sort(key=lambda line: ORDER.index(line.number))
        if options.lines:
            options.lines.write_text(json.dumps([dataclasses.asdict(line) for line in lines]))
        text = markdown(lines) + "\n\n" + reachable_text(options.quick)
        print(text)
        if options.goals:
            growth_plots.write_goals(ROOT / "schemas/cost.md", text)
        if options.cost:
            growth_plots.write(ROOT / "schemas", program, benchmark, text, folder, options.quick)


if __name__ == "__main__":
    main()
