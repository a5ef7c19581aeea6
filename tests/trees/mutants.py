#!/usr/bin/env python3
"""What `diff` says of changed trees: mutants.py ESPALIER [--all] [--mutants N] [--harmless N] [--seed N] [--show]

Changes trees of all dialects in one place each. Harmless changes (layout, comments, the order of attributes and of trees,
explicit and compact forms, names of nodes, which file has a tree, and its name) must make no difference. Of all others, those that `diff` calls the same must be
told apart neither by the traces of the case nor by random ones. With --all, 2,000 mutants and 500 harmless changes.
"""
import argparse
import collections
import copy
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
DIALECTS = ["btcpp", "decider", "dragengine", "modular", "selection", "synchronized"]
ENVIRONMENT = {**os.environ, "XDG_CACHE_HOME": "/dev/null"}
# What a host can see, and a trace can tell apart.
EVENTS = "enter,leave,interrupt,reset,send,refuse,status,log"
NUMBER = re.compile(r"^-?\d+(\.\d+)?$")


# Of the processor: about what the default budget of a tree is.
SECONDS_A_TREE = 10


def run(espalier, *words, cwd=None, tree_count=1):
    seconds = SECONDS_A_TREE * (1 + tree_count)
    return subprocess.run([espalier, *words], cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True, timeout=600,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds)))


def trees_in(folder):
    """How many trees there may be to compare."""
    return sum(max(1, path.read_text().count("<BehaviorTree ")) for path in folder.rglob("*") if path.suffix in (".xml", ".debt"))


# ---- Changes


def elements_of(root):
    """Pairs of each element below the root with its parent."""
    return [(parent, child) for parent in root.iter() for child in parent if isinstance(child.tag, str)]


def is_in_model(root, element):
    return any(element in list(model.iter()) for model in root.iter("TreeNodesModel"))


def swap(root, generator):
    parents = [parent for parent in root.iter() if len(parent) > 1]
    if not parents:
        return None
    parent = generator.choice(parents)
    place = generator.randrange(len(parent) - 1)
    first, second = parent[place], parent[place + 1]
    parent[place], parent[place + 1] = second, first
    return "swap"


def remove(root, generator):
    pairs = elements_of(root)
    if not pairs:
        return None
    parent, child = generator.choice(pairs)
    parent.remove(child)
    return f"remove {child.tag}"


def repeat(root, generator):
    pairs = [pair for pair in elements_of(root) if len(pair[1]) == 0]
    if not pairs:
        return None
    parent, child = generator.choice(pairs)
    parent.insert(list(parent).index(child), copy.deepcopy(child))
    return f"repeat {child.tag}"


def unwrap(root, generator):
    pairs = [pair for pair in elements_of(root) if len(pair[1]) > 0]
    if not pairs:
        return None
    parent, child = generator.choice(pairs)
    place = list(parent).index(child)
    parent.remove(child)
    for inner in reversed(list(child)):
        parent.insert(place, inner)
    return f"unwrap {child.tag}"


def rename(root, generator):
    pairs = elements_of(root)
    tags = sorted({child.tag for _, child in pairs})
    if len(tags) < 2:
        return None
    child = generator.choice(pairs)[1]
    before, child.tag = child.tag, generator.choice(tags)
    return f"rename {before} {child.tag}" if before != child.tag else None


def other_value(root, name, value, generator):
    if NUMBER.match(value):
        number = float(value) if "." in value else int(value)
        return str(generator.choice([number + 1, number * 2, number - 1, 0]))
    if value in ("true", "false"):
        return "false" if value == "true" else "true"
    if "&&" in value and generator.random() < 0.5:
        return value.replace("&&", "||", 1)
    if " and " in value and generator.random() < 0.5:
        return value.replace(" and ", " or ", 1)
    if "!" in value and generator.random() < 0.5:
        return value.replace("!", "", 1)
    numbers = list(re.finditer(r"\d+", value))
    if numbers and generator.random() < 0.5:
        found = generator.choice(numbers)
        return value[:found.start()] + str(int(found[0]) + 1) + value[found.end():]
    others = sorted({element.get(name) for element in root.iter() if element.get(name) not in (None, value)})
    return generator.choice(others) if others else value + "x"


def change_value(root, generator):
    attributes = [(element, name) for element in root.iter() for name in element.keys()]
    if not attributes:
        return None
    element, name = generator.choice(attributes)
    before = element.get(name)
    element.set(name, other_value(root, name, before, generator))
    return f"{element.tag} {name} {before!r} {element.get(name)!r}" if element.get(name) != before else None


def remove_value(root, generator):
    attributes = [(element, name) for element in root.iter() for name in element.keys()]
    if not attributes:
        return None
    element, name = generator.choice(attributes)
    del element.attrib[name]
    return f"remove {element.tag} {name}"


MUTATIONS = [swap, swap, remove, repeat, unwrap, rename, change_value, change_value, change_value, remove_value]


# ---- Harmless ones


def shuffle_attributes(root, generator):
    for element in root.iter():
        names = list(element.attrib.items())
        generator.shuffle(names)
        element.attrib.clear()
        element.attrib.update(names)
    return "order of attributes"


def add_comments(root, generator):
    for parent in list(root.iter()):
        if generator.random() < 0.4 and isinstance(parent.tag, str):
            parent.insert(generator.randrange(len(parent) + 1), ElementTree.Comment(" of no effect "))
    root.insert(0, ElementTree.Comment(" line\n line\n line "))
    return "comments"


def lay_out(root, generator):
    ElementTree.indent(root, generator.choice(["\t", "     ", ""]))
    return "layout"


def move_trees(root, generator):
    trees = [child for child in root if child.tag == "BehaviorTree"]
    if root.tag != "root" or len(trees) < 2 or not root.get("main_tree_to_execute"):
        return None
    for tree in trees:
        root.remove(tree)
    generator.shuffle(trees)
    for tree in trees:
        root.insert(0, tree)
    return "order of trees"


def change_form(root, _):
    """Explicit forms become compact ones."""
    if root.tag != "root":
        return None
    changed = False
    for tree in root.iter("BehaviorTree"):
        for element in tree.iter():
            if element.tag in ("Action", "Condition", "Decorator", "Control") and element.get("ID"):
                known = [model for models in root.iter("TreeNodesModel") for model in models if model.get("ID") == element.get("ID")]
                if not known:
                    continue
                element.tag = element.attrib.pop("ID")
                changed = True
    return "compact form" if changed else None


def name_nodes(root, generator):
    if root.tag != "root":
        return None
    for tree in root.iter("BehaviorTree"):
        for element in list(tree.iter())[1:]:
            if element.get("name") is None and not element.tag.startswith("SubTree"):
                element.set("name", f"n{generator.randrange(1000)}")
    return "names of nodes"


def move_to_file(root, generator):
    """A tree that others use gets a file of its own."""
    main = root.get("main_tree_to_execute")
    trees = [child for child in root if child.tag == "BehaviorTree" and child.get("ID") != main]
    if root.tag != "root" or not main or not trees:
        return None
    tree = generator.choice(trees)
    root.remove(tree)
    other = ElementTree.Element("root", {name: value for name, value in root.attrib.items() if name != "main_tree_to_execute"})
    other.append(tree)
    root.insert(0, ElementTree.Element("include", {"path": "moved/aside.xml"}))
    return "a file of its own", {"moved/aside.xml": ElementTree.tostring(other, encoding="unicode")}


def rename_file(root, _):
    """Only where trees have names of their own."""
    if root.tag not in ("root", "SelectionTree") or any(True for _ in root.iter("include")):
        return None
    return "name of the file", {"renamed.xml": ElementTree.tostring(root, encoding="unicode")}


def rename_tree(root, generator):
    """A tree, and what names it in the file."""
    if root.tag != "root":
        if root.get("name") is None:
            return None
        root.set("name", root.get("name") + "Renamed")
        return "name of the tree"
    trees = [child for child in root if child.tag == "BehaviorTree" and child.get("ID")]
    if not trees:
        return None
    name = generator.choice(trees).get("ID")
    for element in root.iter():
        attribute = "main_tree_to_execute" if element is root else "ID"
        if element.tag in ("root", "BehaviorTree", "SubTree", "SubTreePlus") and element.get(attribute) == name:
            element.set(attribute, name + "Renamed")
    return "name of a tree"


HARMLESS = [shuffle_attributes, add_comments, lay_out, move_trees, change_form, name_nodes, move_to_file, rename_file, rename_tree]


# ---- Cases


class Case:
    def __init__(self, folder):
        self.folder = folder
        self.dialect = folder.parent.name
        self.trees = sorted(path.relative_to(folder) for path in folder.rglob("*") if path.suffix in (".xml", ".debt"))


def cases():
    found = []
    for dialect in DIALECTS:
        for folder in sorted((ROOT / "tests/conformance" / dialect).iterdir()):
            if any(folder.glob("*.trace.jsonl")) and not (folder / "findings.json").exists() and Case(folder).trees:
                found.append(Case(folder))
    return found


def engine_names():
    """Actions of engines, of which it is declared what they answer: random traces do not know that."""
    names = set()
    for path in (ROOT / "schemas/hosts").glob("*.json"):
        names |= set(re.findall(r'"name": "(\w+)"', path.read_text())) | set(re.findall(r'^ *"([A-Z]\w+)": \{', path.read_text(), re.M))
    return names


ENGINE_NAMES = engine_names()


def renamed(text):
    return re.sub(r"\b[A-Z]\w+\b", lambda found: "Our" + found[0] if found[0] in ENGINE_NAMES else found[0], text)


def changed_copy(case, changes, generator, place):
    """Copies the case with one file changed. None: nothing was changed."""
    shutil.copytree(case.folder, place / "old")
    if case.dialect == "modular":
        for file in case.trees:
            (place / "old" / file).write_text(renamed((place / "old" / file).read_text()))
    shutil.copytree(place / "old", place / "new")
    file = generator.choice(case.trees)
    try:
        tree = ElementTree.parse(place / "old" / file)
    except ElementTree.ParseError:
        return None
    # Both versions are written by the same hand.
    tree.write(place / "old" / file, encoding="utf-8")
    change = generator.choice(changes)(tree.getroot(), generator)
    if change is None:
        return None
    tree.write(place / "new" / file, encoding="utf-8")
    if isinstance(change, tuple):
        change, others = change
        if "renamed.xml" in others:
            (place / "new" / file).unlink()
        for name, text in others.items():
            path = (place / "new" / file).parent / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
    return f"{case.dialect}/{case.folder.name}/{file}: {change}"


# ---- Traces


def steps_of(text):
    """Lines that can be steps of other traces."""
    steps = []
    for line in text.splitlines():
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict) and any(key in value for key in ("signal", "set", "flags", "stimulus", "host", "jump", "halt", "tick")):
            steps.append(value)
    return steps


def random_traces(case, generator, count):
    heads, steps = [], []
    for path in sorted(case.folder.glob("*.trace.jsonl")):
        lines = (renamed(path.read_text()) if case.dialect == "modular" else path.read_text()).splitlines()
        head = json.loads(lines[0])
        if set(head) & {"agents"} or "reload" in path.read_text():
            continue
        heads.append({key: value for key, value in head.items() if key in ("trace", "tree", "file", "seed")})
        steps += steps_of("\n".join(lines))
    # The names of nodes of BehaviorTree.CPP are no difference.
    if case.dialect == "btcpp":
        steps = [step for step in steps if not any(":" in name for name in step.get("host", {}))]
    traces = []
    for _ in range(count if heads and steps else 0):
        lines = [generator.choice(heads)]
        for _ in range(generator.randrange(4, 16)):
            lines.append(generator.choice(steps))
            if generator.random() < 0.5:
                lines.append({"tick": generator.choice([0.1, 0.1, 0.5, 1, 2])})
        lines.append({"tick": 0.1})
        traces.append("\n".join(json.dumps(line) for line in lines) + "\n")
    return traces


def heard(espalier, place, version, traces):
    """What each trace lets a host hear: events with their inputs, without places. None: it cannot be
    run, as one that names a tree which this version lacks."""
    done = run(espalier, "replay", version, *(word for trace in traces for word in ("--trace", trace)), "--format", "jsonl", "--events",
               EVENTS, cwd=place)
    events = []
    for line in done.stdout.splitlines():
        value = json.loads(line)
        if "event" not in value:
            if value.get("severity") == "error":
                return None
            continue
        for key in ("file", "line", "node", "column"):
            value.pop(key, None)
        events.append(value)
    return events


def told_apart(espalier, case, place, generator, count):
    """A trace that tells the versions apart, or None."""
    names = []
    for i, text in enumerate(random_traces(case, generator, count)):
        (place / f"random{i}.trace.jsonl").write_text(text)
        names.append(f"random{i}.trace.jsonl")
    for name in names:
        before = heard(espalier, place, "old", [name])
        after = heard(espalier, place, "new", [name])
        if before is not None and after is not None and before != after:
            return (place / name).read_text()
    return None


# ---- Results


def judge(espalier, case, changes, seed, options):
    generator = random.Random(seed)
    with tempfile.TemporaryDirectory() as temporary:
        place = pathlib.Path(temporary)
        change = changed_copy(case, changes, generator, place)
        if change is None:
            return None
        for version in ("old", "new"):
            if run(espalier, "compile", "-q", version, "-o", f"{version}.espb", cwd=place).returncode != 0:
                return None
        done = run(espalier, "diff", "old", "new", "--format", "json", "-q", "-j1", *options.diff, cwd=place,
                   tree_count=trees_in(place / "new"))
        if -done.returncode in (signal.SIGXCPU, signal.SIGKILL):
            if options.keep:
                shutil.copytree(place, pathlib.Path(options.keep) / str(seed), dirs_exist_ok=True)
            return change, "slow", ""
        try:
            results = {tree["result"] for tree in json.loads(done.stdout)["trees"]}
        except ValueError:
            return change, "failed", done.stdout + done.stderr
        result = next((word for word in ("different", "added", "removed", "undecided") if word in results), "same")
        if changes is HARMLESS:
            return change, result, done.stdout if result != "same" else ""
        trace = told_apart(espalier, case, place, generator, options.traces) if result == "same" else None
        if options.keep and (trace or result == "undecided"):
            shutil.copytree(place, pathlib.Path(options.keep) / str(seed), dirs_exist_ok=True)
        return change, "missed" if trace else result, trace or ""


def count_results(espalier, all_cases, changes, count, seed, options):
    by_dialect = {dialect: [case for case in all_cases if case.dialect == dialect] for dialect in DIALECTS}
    jobs, results = [], []
    with ThreadPoolExecutor(options.jobs) as pool:
        number = seed
        while len(results) < count:
            jobs = []
            for _ in range(count - len(results)):
                number += 1
                case = random.Random(number).choice(by_dialect[DIALECTS[number % len(DIALECTS)]])
                jobs.append(pool.submit(judge, espalier, case, changes, number, options))
            results += [job.result() for job in jobs if job.result() is not None]
    return results


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("espalier")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--mutants", type=int, default=None)
    parser.add_argument("--harmless", type=int, default=None)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--traces", type=int, default=6)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--keep")
    parser.add_argument("diff", nargs="*")
    options = parser.parse_args()
    espalier = str(pathlib.Path(options.espalier).resolve())
    mutants = options.mutants if options.mutants is not None else 2000 if options.all else 24
    harmless = options.harmless if options.harmless is not None else 500 if options.all else 16
    faults = []
    for changes, count in ((MUTATIONS, mutants), (HARMLESS, harmless)):
        results = count_results(espalier, cases(), changes, count, options.seed, options)
        counts = collections.Counter(result for _, result, _ in results)
        for change, result, why in results:
            is_fault = result in ("missed", "failed", "slow") or (changes is HARMLESS and result != "same")
            if is_fault:
                faults.append(f"{change}: {result}\n{why}")
            elif options.show and result != "different":
                print(f"{change}: {result}")
        if changes is MUTATIONS and len(results) >= 500 and counts["undecided"] > 0.05 * len(results):
            faults.append(f"{counts['undecided']} of {len(results)} mutants are undecided")
        print("mutants:" if changes is MUTATIONS else "harmless changes:", ", ".join(f"{count} {name}" for name, count in sorted(counts.items())))
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
