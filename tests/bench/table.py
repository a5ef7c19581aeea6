#!/usr/bin/env python3
"""One table of what espalier costs, next to its goals: P1 to P11.

usage: table.py ESPALIER ESPALIER_BENCH [--quick] [--files COUNT] [--only P8,P11] [--modular FOLDER] [--lines FILE] [--cost]

Inputs are generated, always the same. Ratios are of two times of one run: a row of the benchmarks to its floor, a run of the program to
pugixml or xmllint on the same files. Times are the least of several. --quick takes small inputs: it shows that everything is measured, and
says nothing about speed. --files is how many files of each dialect are compiled and linted. --lines keeps what is measured in
FILE, with the other lines that it has from runs before. --modular names a folder of trees for P8, which are compared with `xz -9` of them. --cost writes the table
and plots of how costs grow as schemas/cost.md.
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
import sys
import tempfile
import time

import generate_files
import generate_trees
import growth_plots
from reachable import count_reachable

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


@dataclasses.dataclass
class Line:
    """`measured` None: not measured here. The goal is at most `goal`, or with `at_least` at least that."""
    number: str
    what: str
    measured: float | None
    unit: str
    goal: float | None
    at_least: bool = False

    def cells(self):
        if self.measured is None:
            return [self.number, self.what, "not measured", self.goal_text(), ""]
        reached = "" if self.goal is None else "yes" if (self.measured >= self.goal if self.at_least else self.measured <= self.goal) else "no"
        return [self.number, self.what, f"{number_text(self.measured)} {self.unit}".strip(), self.goal_text(), reached]

    def goal_text(self):
        return "" if self.goal is None else f"{'≥' if self.at_least else '≤'} {number_text(self.goal)}"


def number_text(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


# Of the rows of the benchmarks: number, what, pattern of the rows that Google Benchmark reads too, what of them, goal. Of the ratios of
# several rows it is the geometric mean, of their instructions and times the largest.
ROWS = [
    ("P1", "one agent, nested, 64 leaves, 32 variables", r"nested-64, [a-z ]+, by tables", "ratio", 0.6),
    ("P1", "the worst of its four distributions of states", r"nested-64, [a-z ]+, by tables", "worst ratio", 1.0),
    ("P1", "with state machines", r"machines-64, [a-z ]+, by tables", "ratio", 1.5),
    ("P1", "without tables", r"nested-64, ([a-z ]+, by nodes|uniform states)", "ratio", 2),
    ("P1", "without tables", r"nested-64, ([a-z ]+, by nodes|uniform states)", "instructions", None),
    ("P2", "nested, 1,000 leaves, 64 variables", r"nested-1000, [a-z ]+, by tables", "ratio", 1.2),
    ("P2", "one list of 1,000", r"deep-1000, [a-z ]+, by tables", "ratio", 0.2),
    ("P3", "nothing changed, one call", r"nested-64, nothing changed, prepared", "ns", 1.2),
    ("P3", "nothing changed, in a batch", r"nested-64, all of [0-9]+: none changed, prepared", "ns", 0.5),
    ("P4", "all changed, in a batch of blocks", r"nested-64, all of [0-9]+: one flip in each", "ns", None),
    ("P4", "all changed, by columns, 64 leaves", r"nested-64, crowd of [0-9]+: all changed", "ns", 0.6),
    ("P4", "all changed, by columns, 1,000 leaves", r"nested-1000, crowd of [0-9]+: all changed", "ns", 10),
    ("P4", "all changed, by columns, with machines", r"machines-64, crowd of [0-9]+: all changed", "ns", 1.5),
    ("P4", "32 variables from bytes to columns", r"nested-64, a block: all variables from bytes", "ns", None),
    ("P5", "ticking: a visited node", r"[0-9]+ nodes, all visited, against calls", "ns", 4),
    ("P5", "ticking: a visited node", r"[0-9]+ nodes, all visited, against calls", "instructions", 40),
    ("P5", "ticking: a visited node, against BehaviorTree.CPP", r"[0-9]+ nodes, all visited, against BehaviorTree.CPP", "peer", None),
    ("P5", "deciders: one that is asked", r"[0-9]+ agents: 31 children refuse by Decide", "instructions / 31", 60),
    ("P5", "deciders: one that refuses by flags", r"[0-9]+ agents: 31 children refuse by flags", "instructions / 31", 60),
    ("P5", "rules: one that runs", r"rules: a sequence of 40 actions", "instructions", 60),
    ("P5", "storing: one that runs, and is reset", r"[0-9]+ agents: 40 actions succeed, and are reset", "instructions", 60),
    ("P5", "polling: a visited node", r"polling: [0-9]+ nodes, all visited, against calls", "ns", 4.85),
    ("P5", "polling: a visited node, against objects", r"polling: [0-9]+ nodes, all visited, against objects", "ratio", 1),
    ("P5", "polling: a visited node, against BehaviorTree.CPP", r"polling: [0-9]+ nodes, all visited, against BehaviorTree.CPP", "peer", 0.025),
    ("P5", "polling: an action with _skipIf and _onSuccess", r"polling: an action with _skipIf and _onSuccess", "instructions", 200),
    ("P5", "polling: a script of two assignments", r"polling: a script of two assignments", "instructions", 150),
    ("P5", "polling: an action that reads a port and writes one", r"polling: an action that reads a port and writes one", "instructions", 120),
    ("P6", "ticking: a running action, one call", r"running action, depth 10, prepared", "ns", 5),
    ("P6", "ticking: a running action, one call, the slowest depth", r"running action, .*, prepared", "instructions", 50),
    ("P6", "ticking: the same, in a batch", r"[0-9]+ agents: running action, depth 50", "instructions", 50),
    ("P6", "ticking: a running action, one call, against BehaviorTree.CPP", r"running action, depth 10, against BehaviorTree.CPP", "peer", None),
    ("P6", "deciders: a behaviour at depth 10", r"[0-9]+ agents: a behaviour goes on at depth 10", "instructions", 50),
    ("P6", "storing: an action in 10 sequences", r"[0-9]+ agents: an action goes on in 10 sequences", "instructions", 50),
    ("P6", "storing: an action behind 31 results", r"[0-9]+ agents: an action goes on behind 31 results", "instructions", 50),
    ("P6", "rules: an action in 10 sequences", r"rules: an action goes on in 10 sequences, prepared", "instructions", 50),
    ("P6", "rules: an action behind 40 results", r"rules: an action goes on behind 40 results, prepared", "instructions", 50),
    ("P6", "polling: an action in 10 sequences", r"polling: running action in 10 sequences, prepared", "instructions", 120),
    ("P6", "polling: an action behind 200 results", r"polling: running action behind 200 done, prepared", "instructions", 80),
    ("P6", "polling: in 10 reactive sequences, against their conditions", r"polling: running action in 10 reactive sequences, prepared", "ratio", None),
    ("P6", "polling: the same, against BehaviorTree.CPP", r"polling: running action in 10 reactive sequences, against BehaviorTree.CPP", "peer", None),
    ("P7", "open, a node", r"open an asset, by nodes", "ns", 8),
    ("P7", "open: hash", r"open an asset, hashing alone", "GB/s", 3),
]


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def plain_name(what):
    return re.sub(r"\d+ agents: |(all|crowd) of \d+: ", "", what)


def benchmark_lines(program, quick, wanted):
    """The lines of ROWS, and what the benchmarks say of their trees."""
    names = {name for number, _, name, _, _ in ROWS if number in wanted}
    if not names:
        return []
    command = [program, "--json", f"--benchmark_filter=^({'|'.join(sorted(names))})/"] + (["--quick"] if quick else [])
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    counts = json.loads((ROOT / "tests/bench/counts.json").read_text())["instructions"]
    counts = {plain_name(what): count for what, count in counts.items()}
    lines = []
    for number, what, name, unit, goal in ROWS:
        if number not in wanted:
            continue
        found = [row for row in rows if re.fullmatch(name, row["row"])]
        ratios = [row["ns"] / row["floor_ns"] for row in found]
        counted = [count for row in found if (count := counts.get(plain_name(row["row"]))) is not None]
        if not found:
            value = None
        elif unit == "ratio":
            value, unit = geometric_mean(ratios), "× floor"
        elif unit == "peer":
            value, unit = geometric_mean(ratios), "× BehaviorTree.CPP"
        elif unit == "worst ratio":
            value, unit = max(ratios), "× floor"
        elif unit.startswith("instructions"):
            value = max(counted) / (int(unit.split("/")[1]) if "/" in unit else 1) if counted else None
            unit = "instructions"
        elif unit == "GB/s":
            value = 1 / found[0]["ns"]
        else:
            value = max(row["ns"] for row in found)
        lines.append(Line(number, what, value, unit, goal, unit == "GB/s"))
    return lines


class Run:
    """A program that ran, several times: the least times, and its memory."""

    repetitions = 3

    def __init__(self, command):
        self.wall = self.cpu = self.memory = math.inf
        for _ in range(self.repetitions):
            begin = time.perf_counter()
            with open(os.devnull, "wb") as nothing:
                process = subprocess.Popen([str(word) for word in command], stdout=nothing, stderr=subprocess.PIPE)
                errors = process.stderr.read()
                _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode != 0:
                sys.exit(f"{' '.join(map(str, command))[:200]} failed: {errors.decode()[:500]}")
            self.wall = min(self.wall, time.perf_counter() - begin)
            self.cpu = min(self.cpu, usage.ru_utime + usage.ru_stime)
            self.memory = min(self.memory, usage.ru_maxrss * 1024)


def size_lines(program, folder, modular):
    """P8."""
    lines = []

    def compiled(sources, *options):
        asset = folder / "asset.espb"
        subprocess.run([program, "compile", "-q", *map(str, sources), *options, "-o", str(asset)], check=True, capture_output=True)
        return asset.stat().st_size

    nested = folder / "nested.xml"
    nested.write_text(generate_trees.xml_of("nested", 64, generate_trees.make_tree("nested", 1000, 64)))
    lines.append(Line("P8", "stripped asset of a nested tree of 1,000 leaves", compiled([nested], "--strip") / nested.stat().st_size, "× XML", 0.4))
    samples = [file for file in sorted((ROOT / "samples").glob("*/*.xml")) if is_tree(program, file, folder)]
    ratios = {file: compiled(["--isolated", file]) / file.stat().st_size for file in samples}
    if ratios:
        worst = max(ratios, key=ratios.get)
        lines.append(Line("P8", f"asset of a small tree, largest of {len(ratios)}: {worst.name}", ratios[worst], "× XML", 1))
    trees = sorted(modular.glob("*.xml")) if modular else []
    trees = [file for file in trees if is_tree(program, file, folder)]
    if trees:
        xml = b"".join(file.read_bytes() for file in trees)
        packed = subprocess.run(["xz", "-9", "-c"], input=xml, capture_output=True, check=True).stdout
        size = compiled(trees, "--strip")
        lines.append(Line("P8", f"stripped asset of {len(trees)} modular trees", size / len(xml), "× XML", 0.28))
        lines.append(Line("P8", "the same against xz -9", size / len(packed), "× xz", 2.2))
    else:
        lines.append(Line("P8", "stripped asset of modular trees", None, "", 0.28))
    return lines


def is_tree(program, file, folder):
    command = [program, "compile", "-q", "--isolated", str(file), "-o", str(folder / "tried.espb")]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def compile_lines(program, benchmark, folders):
    """P9."""
    lines = []
    for dialect, folder in folders.items():
        files = sorted(folder.iterdir())
        parsed = [json.loads(subprocess.run([benchmark, "--parse", *map(str, files)], capture_output=True, check=True).stdout) for _ in range(Run.repetitions)]
        floor = min(run["seconds"] for run in parsed)
        asset = folder.parent / "compiled.espb"
        one = Run([program, "compile", "-q", "-j1", folder, "-o", asset])
        two = Run([program, "compile", "-q", "-j2", folder, "-o", asset])
        lines.append(Line("P9", f"compile {dialect}, {len(files):,} files, one thread", one.cpu / floor, "× pugixml", 4))
        lines.append(Line("P9", f"compile {dialect}, {len(files):,} files, two threads", two.wall / floor, "× pugixml", 2.4))
        lines.append(Line("P9", f"compile {dialect}, {len(files):,} files, memory", one.memory / parsed[0]["bytes"], "× XML", 6))
    return lines


def lint_lines(program, folders):
    """P10."""
    lines = []
    for dialect, folder in folders.items():
        files = sorted(folder.iterdir())
        if not shutil.which("xmllint"):
            return [Line("P10", "lint against xmllint, which is not installed", None, "", None)]
        floor = Run(["xmllint", "--noout", *files])
        one = Run([program, "lint", "-q", "-j1", "--no-cache", folder])
        two = Run([program, "lint", "-q", "-j2", "--no-cache", folder])
        os.environ["XDG_CACHE_HOME"] = str(folder.parent / "cache")
        subprocess.run([program, "lint", "-q", folder], capture_output=True, check=False)
        again = Run([program, "lint", "-q", "-j1", folder])
        lines.append(Line("P10", f"lint {dialect}, {len(files):,} files, one thread", one.cpu / floor.cpu, "× xmllint", 1.2))
        lines.append(Line("P10", f"lint {dialect}, {len(files):,} files, two threads", two.wall / floor.wall, "× xmllint", 0.7))
        lines.append(Line("P10", f"lint {dialect}, {len(files):,} files, memory of one", one.memory / len(files) / 1024, "KiB", 15))
        lines.append(Line("P10", f"lint {dialect}, {len(files):,} files, all unchanged", again.cpu / floor.cpu, "× xmllint", None))
    return lines


def replay_lines(program, folder, quick):
    """P11. Starting the program and compiling its trees is not counted."""
    lines = []
    line_count, update_count = (2_000, 20_000) if quick else (100_000, 1_000_000)
    for dialect, (project, _, _) in generate_files.TRACES.items():
        trees = ROOT / "samples" / project

        def seconds(text, *options):
            path = folder / "one.trace.jsonl"
            path.write_text(text)
            command = [program, "replay", trees, "--trace", path, "--max-updates", str(10**15), *options]
            return Run(command).cpu

        start = seconds(generate_files.trace(dialect, 5), "-q")
        trace = generate_files.trace(dialect, line_count)
        rate = lambda count, spent: count / max(spent - start, spent / 10) / 1e6
        lines.append(Line("P11", f"replay {dialect}, quiet", rate(line_count, seconds(trace, "-q")), "M lines/s", 1.5, True))
        lines.append(Line("P11", f"replay {dialect}, story", rate(line_count, seconds(trace, "-v")), "M lines/s", 0.6, True))
        if dialect == "selection":  # whose agents change only when a line changes a variable
            continue
        agents = 3 if dialect == "synchronized" else 1
        updates = rate(update_count * agents, seconds(generate_files.times_trace(dialect, update_count), "-q"))
        lines.append(Line("P11", f"replay {dialect}, `times`", updates, "M updates/s", 5, True))
    return lines


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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("espalier")
    parser.add_argument("benchmark")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--files", type=int, default=1_000)
    parser.add_argument("--only")
    parser.add_argument("--modular", type=pathlib.Path)
    parser.add_argument("--lines", type=pathlib.Path)
    parser.add_argument("--cost", action="store_true")
    options = parser.parse_args()
    wanted = set(options.only.split(",")) if options.only else {f"P{i}" for i in range(1, 12)}
    if options.quick:
        Run.repetitions = 1
    program, benchmark = os.path.abspath(options.espalier), os.path.abspath(options.benchmark)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        lines = benchmark_lines(benchmark, options.quick, wanted)
        folders = generate_files.write_files(folder, 50 if options.quick else options.files) if wanted & {"P9", "P10"} else {}
        if "P8" in wanted:
            lines += size_lines(program, folder, options.modular)
        if "P9" in wanted:
            lines += compile_lines(program, benchmark, folders)
        if "P10" in wanted:
            lines += lint_lines(program, folders)
        if "P11" in wanted:
            lines += replay_lines(program, folder, options.quick)
        if options.lines:
            before = json.loads(options.lines.read_text()) if options.lines.exists() else []
            lines += [line for line in (Line(**each) for each in before) if line.number not in wanted]
            lines.sort(key=lambda line: int(line.number[1:]))
            options.lines.write_text(json.dumps([dataclasses.asdict(line) for line in lines]))
        text = markdown(lines) + "\n\n" + reachable_text(options.quick)
        print(text)
        if options.cost:
            growth_plots.write(ROOT / "schemas", program, benchmark, text, folder, options.quick)


if __name__ == "__main__":
    main()
