"""How costs grow with leaves, variables, depth, agents and files: measured, drawn as SVG, and written as schemas/cost.md."""
import math
import pathlib
import platform
import re
import random
import subprocess

import generate_files
import generate_trees

WIDTH, HEIGHT, MARGIN = 560, 320, 56
COLOURS = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e"]


def ticks(low, high):
    """The powers of ten around, and with them the bounds of an axis."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    return [10.0**power for power in range(first, max(last, first + 1) + 1)]


def svg(x_name, y_name, series):
    """Both axes by logarithm. `series`: lists of (x, y) by name."""
    points = [point for line in series.values() for point in line]
    xs = ticks(min(x for x, _ in points), max(x for x, _ in points))
    ys = ticks(min(y for _, y in points), max(y for _, y in points))
    place_x = lambda x: MARGIN + (WIDTH - 2 * MARGIN) * math.log10(x / xs[0]) / math.log10(xs[-1] / xs[0])
    place_y = lambda y: HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * math.log10(y / ys[0]) / math.log10(ys[-1] / ys[0])
    text = lambda x, y, words, more="": f'<text x="{x:.1f}" y="{y:.1f}" {more}>{words}</text>'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for x in xs:
        parts.append(f'<path d="M{place_x(x):.1f} {MARGIN}V{HEIGHT - MARGIN}" stroke="#ddd"/>')
        parts.append(text(place_x(x), HEIGHT - MARGIN + 16, f"{x:,g}", 'text-anchor="middle"'))
    for y in ys:
        parts.append(f'<path d="M{MARGIN} {place_y(y):.1f}H{WIDTH - MARGIN}" stroke="#ddd"/>')
        parts.append(text(MARGIN - 6, place_y(y) + 4, f"{y:,g}", 'text-anchor="end"'))
    parts.append(text(WIDTH / 2, HEIGHT - MARGIN + 36, x_name, 'text-anchor="middle"'))
    parts.append(text(MARGIN, MARGIN - 26, y_name))
    for colour, (index, (name, line)) in zip(COLOURS, enumerate(series.items())):
        path = " ".join(f"{place_x(x):.1f},{place_y(y):.1f}" for x, y in line)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{place_x(x):.1f}" cy="{place_y(y):.1f}" r="3" fill="{colour}"/>' for x, y in line]
        parts.append(text(MARGIN + 100 * index, MARGIN - 8, name, f'fill="{colour}"'))
    return "\n".join(parts + ["</svg>"]) + "\n"


def ticking_xml(depth, sibling_count, leaf):
    """Sequences in each other; the innermost has the leaf behind siblings that succeed."""
    inner = "<Act/>" * sibling_count + f"<{leaf}/>"
    return "<BehaviorTree><Root><Loop>" + "<Sequence>" * depth + inner + "</Sequence>" * depth + "</Loop></Root></BehaviorTree>"


def random_leaves(shape, leaf_count, variable_count):
    return generate_trees.xml_of(shape, variable_count, generate_trees.make_tree(shape, leaf_count, variable_count))


def plots(program, benchmark, folder, quick):
    """(file name, title, name of x, name of y, series)"""
    import table

    def update_ns(xml, agents=1000):
        file = folder / "growing.xml"
        file.write_text(xml)
        return float(subprocess.run([benchmark, "--update", str(file), str(agents)], capture_output=True, check=True).stdout)

    few = lambda values: values[:2] if quick else values
    yield ("leaves", "Trees that select: leaves", "leaves", "ns an update, all variables set at random", {
        shape: [(n, update_ns(random_leaves(shape, n, 64))) for n in few([8, 16, 32, 64, 128, 256, 512, 1000])]
        for shape in ("nested", "deep")})
    yield ("variables", "Trees that select: variables", "variables", "ns an update, all variables set at random", {
        f"{shape}, 64 leaves": [(n, update_ns(random_leaves(shape, 64, n))) for n in few([8, 16, 32, 64, 128, 256])]
        for shape in ("nested", "deep")})
    yield ("depth", "Trees that tick: depth of a leaf", "sequences around the leaf", "ns an update", {
        "goes on": [(n, update_ns(ticking_xml(n, 0, "Run"))) for n in few([1, 3, 10, 30, 100])],
        "begins and ends": [(n, update_ns(ticking_xml(n, 0, "Act"))) for n in few([1, 3, 10, 30, 100])]})
    yield ("siblings", "Trees that tick: finished siblings before a leaf", "siblings", "ns an update", {
        "goes on": [(n, update_ns(ticking_xml(1, n, "Run"))) for n in few([1, 3, 10, 30, 100, 250])],
        "all visited": [(n, update_ns(ticking_xml(1, n, "Act"))) for n in few([1, 3, 10, 30, 100, 250])]})
    nested = random_leaves("nested", 64, 32)
    yield ("agents", "Agents in a batch", "agents", "ns an agent", {
        "select, 64 leaves": [(n, update_ns(nested, n)) for n in few([100, 1000, 10_000, 100_000])],
        "tick, goes on": [(n, update_ns(ticking_xml(10, 0, "Run"), n)) for n in few([100, 1000, 10_000, 100_000])]})
    lint, compiled = {}, {}
    for name in generate_files.DIALECTS:
        lint[name], compiled[name] = [], []
        for n in few([30, 100, 300, 1000]):
            files = folder / f"growing{n}"
            files.mkdir(exist_ok=True)
            trees = files / name
            trees.mkdir()
            dice = random.Random(name)
            for i in range(n):
                (trees / f"t{i:05}.xml").write_text("\n".join(generate_files.DIALECTS[name](dice, i)) + "\n")
            lint[name].append((n, table.Run([program, "lint", "-q", "-j1", "--no-cache", trees]).cpu))
            compiled[name].append((n, table.Run([program, "compile", "-q", "-j1", trees, "-o", folder / "growing.espb"]).cpu))
    yield ("lint", "Lint: files of about 100 nodes", "files", "seconds of one processor", lint)
    yield ("compile", "Compile: files of about 100 nodes", "files", "seconds of one processor", compiled)


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines() if pathlib.Path("/proc/cpuinfo").exists() else []:
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return platform.processor() or platform.machine()


def write_goals(page, text):
    """The table of goals and its notes, in a page that has others."""
    old = page.read_text()
    notes = (pathlib.Path(__file__).parent / "notes.md").read_text()
    begin, end = old.index("## Goals\n"), old.index("## What the default budget reaches")
    page.write_text(old[:begin] + "## Goals\n\n" + text + "\n\n" + notes + "\n" + old[end:])


def write(schemas, program, benchmark, text, folder, quick):
    # budgets.py has written this.
    reached = re.search("## What the default budget reaches.*?(?=## Growth)", (schemas / "cost.md").read_text(), re.S)
    page = [
        "# What it costs", "",
        "Made by `python3 tests/bench/table.py ESPALIER ESPALIER_BENCH --cost`, on one machine:", "",
        f"{processor()}, {platform.system()}. Ratios carry over to other machines roughly, times do not. *Floor* is the least possible code for the",
        "same work, in the same run: hand-written nested ifs, calls through a table of functions, pugixml, xmllint, xz. Instructions are those of",
        "`tests/bench/counts.json`. A larger number is better only where the goal is at least something (≥).", "",
        "## Goals", "", text, "", (pathlib.Path(__file__).parent / "notes.md").read_text(),
        *([reached.group().rstrip(), ""] if reached else []), "## Growth", "", "Both axes are logarithmic.", ""]
    (schemas / "cost").mkdir(exist_ok=True)
    for name, title, x_name, y_name, series in plots(program, benchmark, folder, quick):
        (schemas / "cost" / f"{name}.svg").write_text(svg(x_name, y_name, series))
        page += [f"### {title}", "", f"![{y_name} by {x_name}](cost/{name}.svg)", ""]
        xs = sorted({x for line in series.values() for x, _ in line})
        page.append("| " + " | ".join([x_name] + [f"{x:,}" for x in xs]) + " |")
        page.append("|" + "---|" * (len(xs) + 1))
        for label, line in series.items():
            values = dict(line)
            page.append("| " + " | ".join([label] + [f"{values[x]:.3g}" if x in values else "" for x in xs]) + " |")
        page.append("")
    (schemas / "cost.md").write_text("\n".join(page).rstrip() + "\n")
