"""What the program costs, for table.py: sizes of assets and blocks, compile, lint, replay, the start, the editor, the build."""
import dataclasses
import json
import math
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

import generate_files
import generate_trees

ROOT = pathlib.Path(__file__).resolve().parents[2]


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


class Run:
    """A program that ran, several times: the least times, and its memory."""

    repetitions = 3

    def __init__(self, command, cwd=None):
        self.wall = self.cpu = self.memory = math.inf
        for _ in range(self.repetitions):
            begin = time.perf_counter()
            with open(os.devnull, "wb") as nothing:
                process = subprocess.Popen([str(word) for word in command], cwd=cwd, stdout=nothing, stderr=subprocess.PIPE)
                errors = process.stderr.read()
                _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode != 0:
                sys.exit(f"{' '.join(map(str, command))[:200]} failed: {errors.decode()[:500]}")
            self.wall = min(self.wall, time.perf_counter() - begin)
            self.cpu = min(self.cpu, usage.ru_utime + usage.ru_stime)
            self.memory = min(self.memory, usage.ru_maxrss * 1024)


# ---- Sizes


def agent_bytes(program, asset, tree=None):
    """Of an agent of the named tree, or of the first one."""
    dump = json.loads(subprocess.run([program, "dump", "--json", asset], capture_output=True, check=True).stdout)
    return next(each for each in dump["trees"] if tree in (None, each["name"]))["agentBytes"]


def texts_tree(count):
    """A tree with so many entries that hold texts."""
    script = "; ".join(f"text{i} := 'name {i}'" for i in range(count))
    return f'<root BTCPP_format="4"><BehaviorTree ID="Texts"><Script code="{script}"/></BehaviorTree></root>\n'


def block_lines(program, folder, nav2):
    """R6. `nav2`: a tree of Nav2, or None."""
    asset = folder / "agent.espb"

    def of(source):
        subprocess.run([program, "compile", "-q", "--isolated", source, "-o", asset], check=True, capture_output=True)
        return agent_bytes(program, asset)

    texts = folder / "texts.xml"
    texts.write_text(texts_tree(66))
    return [Line("R6", "an agent of Nav2's default tree", of(nav2) if nav2 else None, "bytes", 400),
            Line("R6", "an agent of a tree with 66 entries that hold texts", of(texts), "bytes", 1300)]


def is_tree(program, file, folder):
    command = [program, "compile", "-q", "--isolated", str(file), "-o", str(folder / "tried.espb")]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def size_lines(program, folder, modular):
    """R9. `modular`: a folder of modular trees, or None."""
    def compiled(sources, *options):
        asset = folder / "asset.espb"
        subprocess.run([program, "compile", "-q", *map(str, sources), *options, "-o", str(asset)], check=True, capture_output=True)
        return asset.stat().st_size

    nested = folder / "nested.xml"
    nested.write_text(generate_trees.xml_of("nested", 64, generate_trees.make_tree("nested", 1000, 64)))
    lines = [Line("R9", "stripped asset of a nested tree of 1,000 leaves", compiled([nested], "--strip") / nested.stat().st_size, "× XML", None)]
    trees = [file for file in sorted(modular.glob("*.xml")) if is_tree(program, file, folder)] if modular else []
    if trees:
        xml = b"".join(file.read_bytes() for file in trees)
        packed = subprocess.run(["xz", "-9", "-c"], input=xml, capture_output=True, check=True).stdout
        size = compiled(trees, "--strip")
        lines.append(Line("R9", f"stripped asset of {len(trees)} modular trees", size / len(xml), "× XML", 0.26))
        lines.append(Line("R9", "the same against xz -9", size / len(packed), "× xz", 2.1))
    else:
        lines.append(Line("R9", "stripped asset of modular trees", None, "", 0.26))
    samples = [file for file in sorted((ROOT / "samples").glob("*/*.xml")) if is_tree(program, file, folder)]
    ratios = {file: compiled(["--isolated", file]) / file.stat().st_size for file in samples}
    worst = max(ratios, key=ratios.get)
    lines.append(Line("R9", f"asset of a small tree, largest of {len(ratios)}: {worst.name}", ratios[worst], "× XML", 1))
    return lines


# ---- compile and lint


def parse_seconds(benchmark, files):
    """What pugixml takes for the files, and their bytes."""
    names = "\0".join(map(str, files))
    runs = [json.loads(subprocess.run(["xargs", "-0", "-n", "100000", "-s", "2000000", benchmark, "--parse"], input=names.encode(), capture_output=True, check=True).stdout)
            for _ in range(Run.repetitions)]
    return min(run["seconds"] for run in runs), runs[0]["bytes"]


def compile_lines(program, benchmark, folders):
    """S1, and the memory of S4."""
    lines = []
    for dialect, folder in folders.items():
        files = sorted(folder.iterdir())
        floor, size = parse_seconds(benchmark, files)
        asset = folder.parent / "compiled.espb"
        one = Run([program, "compile", "-q", "-j1", folder, "-o", asset])
        two = Run([program, "compile", "-q", "-j2", folder, "-o", asset])
        lines.append(Line("S1", f"compile {dialect}, {len(files):,} files, one thread", one.cpu / floor, "× pugixml", 4))
        lines.append(Line("S1", f"compile {dialect}, {len(files):,} files, two threads", two.wall / floor, "× pugixml", 2.4))
        lines.append(Line("S4", f"compile {dialect}, {len(files):,} files, memory", one.memory / size, "× XML", 6))
    return lines


EDITS = {"selection": ('name="Leaf12"', 'name="Leaf99"'), "modular": ("text 1", "text 2"), "dragengine": (">1<", ">2<"),
         "decider": ('name="B1"', 'name="B1" '), "synchronized": ("Act1", "Act2"), "btcpp": ("done == 0", "done == 1")}


def lint_lines(program, folders):
    """S2, S3, and the memory of S4."""
    if not shutil.which("xmllint"):
        return [Line("S2", "lint against xmllint, which is not installed", None, "", None)]
    lines = []
    for dialect, folder in folders.items():
        files = sorted(folder.iterdir())
        floor = Run(["xmllint", "--noout", *(file.name for file in files)], folder)
        one = Run([program, "lint", "-q", "-j1", "--no-cache", folder])
        two = Run([program, "lint", "-q", "-j2", "--no-cache", folder])
        os.environ["XDG_CACHE_HOME"] = str(folder.parent / "cache")
        subprocess.run([program, "lint", "-q", folder], capture_output=True, check=False)
        again = Run([program, "lint", "-q", "-j1", folder])
        edited = []
        for turn in range(Run.repetitions):  # each edit is another one: none is known
            file = files[len(files) // 2 + turn]
            file.write_text(file.read_text().replace(*EDITS[dialect], 1))
            repetitions, Run.repetitions = Run.repetitions, 1
            edited.append(Run([program, "lint", "-q", "-j1", folder]).cpu)
            Run.repetitions = repetitions
        count = f"lint {dialect}, {len(files):,} files"
        lines.append(Line("S2", f"{count}, one thread", one.cpu / floor.cpu, "× xmllint", 2))
        lines.append(Line("S2", f"{count}, two threads", two.wall / floor.wall, "× xmllint", 1.2))
        lines.append(Line("S3", f"{count}, one has changed", 100 * min(edited) / one.cpu, "% of all", 3))
        lines.append(Line("S3", f"{count}, none has changed", again.cpu / floor.cpu, "× xmllint", 0.3))
        lines.append(Line("S4", f"{count}, memory of one", one.memory / len(files) / 1024, "KiB", 15))
    return lines


def machine(states):
    """A state machine in which each state can go to each other one."""
    lines = ["<BehaviorTree>", "  <Root>", "    <StateMachine>"]
    for own in range(states):
        lines += [f'      <State name="S{own}">', "        <Transitions>"]
        lines += [f'          <Transition onEvent="Event{other}" to="S{other}"/>' for other in range(states) if other != own]
        lines += ["        </Transitions>", "        <BehaviorTree>", '          <Wait duration="1"/>', "        </BehaviorTree>", "      </State>"]
    return "\n".join(lines + ["    </StateMachine>", "  </Root>", "</BehaviorTree>"]) + "\n"


def large_lines(program, benchmark, folder, quick):
    """S5."""
    dice = random.Random("large")
    tree = lambda i: "\n".join(generate_files.btcpp(dice, 10 * i + 9)[1:-1]) + "\n"
    models = "\n".join(generate_files.btcpp(random.Random(0), 0)[1:20]) + "\n"
    models = models[: models.index("</TreeNodesModel>")] + "</TreeNodesModel>\n"
    ratios = []
    for megabytes in (0.1, 0.5) if quick else (4.5, 45):
        large, size, count = folder / "large.xml", 0, 0
        with open(large, "w", encoding="utf-8") as file:
            file.write('<root BTCPP_format="4" main_tree_to_execute="Tree9">\n' + models)
            while size < megabytes * 1e6:
                size += file.write(tree(count))
                count += 1
            file.write("</root>\n")
        floor, _ = parse_seconds(benchmark, [large])
        ratios.append(Run([program, "compile", "-q", "-j1", large, "-o", folder / "large.espb"]).cpu / floor)
    lines = [Line("S5", f"compile one file of {megabytes:g} MB", ratios[1], "× pugixml", 4),
             Line("S5", "the same against one of a tenth", ratios[1] / ratios[0], "× its ratio", 1.2)]
    rules = folder / "rules"
    rules.mkdir()
    count = 50 if quick else 10_000
    for i in range(count):
        (rules / f"t{i:05}.xml").write_text("\n".join(generate_files.dragengine(dice, i)) + "\n")
    one = Run([program, "compile", "-q", "-j1", rules, "-o", folder / "rules.espb"])
    lines.append(Line("S5", f"compile {count:,} files of rules", one.cpu, "s", None))
    (folder / "machine.xml").write_text(machine(64))
    lines.append(Line("S5", "compile a machine of 64 states", Run([program, "compile", "-q", "-j1", folder / "machine.xml", "-o", folder / "machine.espb"]).cpu, "s", 0.1))
    return lines


def start_lines():
    """S6, of counts.json."""
    counts = json.loads((ROOT / "tests/bench/counts.json").read_text())["tool"]["instructions"]
    goals = {"start, --version, millions": 2, "start, lint of a guard, millions": 3, "start, lint of two modular trees, millions": 4}
    return [Line("S6", what.removesuffix(", millions"), counts[what], "M instructions", goal) for what, goal in goals.items()]


def editor_lines(program, quick):
    """S7."""
    text = subprocess.run([sys.executable, ROOT / "tests/bench/language_server.py", program, *(["60"] if quick else [])], capture_output=True, text=True, check=True).stdout
    lines = []
    count, seconds = re.search(r"^(\d+) files, .*, ([\d.]+) s of processors", text).groups()
    lines.append(Line("S7", f"editor: {int(count):,} files are loaded", float(seconds), "s", 3))
    for dialect, edit, worst, outline, used in re.findall(
            r"^(\w+) +ms: edit (\d+)/(\d+) .*documentSymbol (\d+)/.*processor time (\d+)$", text, re.M):
        lines += [Line("S7", f"editor: an edit, {dialect}", float(used), "ms of a processor", 20),
                  Line("S7", f"editor: an edit, {dialect}, median", float(edit), "ms", 20), Line("S7", f"editor: an edit, {dialect}, the longest", float(worst), "ms", 100),
                  Line("S7", f"editor: an outline, {dialect}", float(outline), "ms", 50)]
    return lines


# ---- replay and the build


def replay_lines(program, folder, quick):
    """R10. Starting the program and compiling its trees is not counted."""
    lines = []
    line_count, update_count = (2_000, 20_000) if quick else (100_000, 1_000_000)
    for dialect, (project, _, _) in generate_files.TRACES.items():
        trees = ROOT / "samples" / project

        def seconds(text, *options):
            path = folder / "one.trace.jsonl"
            path.write_text(text)
            return Run([program, "replay", trees, "--trace", path, "--max-updates", str(10**15), *options]).cpu

        start = seconds(generate_files.trace(dialect, 5), "-q")
        trace = generate_files.trace(dialect, line_count)
        rate = lambda count, spent: count / max(spent - start, spent / 10) / 1e6
        lines.append(Line("R10", f"replay {dialect}, quiet", rate(line_count, seconds(trace, "-q")), "M lines/s", 3, True))
        lines.append(Line("R10", f"replay {dialect}, story", rate(line_count, seconds(trace, "-v")), "M lines/s", 1, True))
        if dialect == "selection":  # whose agents change only when a line changes a variable
            continue
        agents = 3 if dialect == "synchronized" else 1
        updates = rate(update_count * agents, seconds(generate_files.times_trace(dialect, update_count), "-q"))
        lines.append(Line("R10", f"replay {dialect}, `times`", updates, "M updates/s", 10, True))
    return lines


def build_lines(measures):
    """B1. Takes minutes, so only where it is wanted."""
    if not measures:
        return [Line("B1", "release build from nothing", None, "s", 120)]
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        for command in (["cmake", "--preset", "release", "-B", folder, "-S", ROOT], ["cmake", "--build", folder]):
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=ROOT, env=os.environ | {"CCACHE_DISABLE": "1"})
        return [Line("B1", f"release build from nothing, {len(os.sched_getaffinity(0))} processors", time.perf_counter() - begin, "s", 120)]
