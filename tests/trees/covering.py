#!/usr/bin/env python3
"""Do the traces that `cover -o` writes notice changes of trees? covering.py ESPALIER [FOLDER...] [--all] [--list] [--seed N]

Takes trees of each dialect (or those in FOLDER) and has `cover` write traces, which must replay without a warning. Then it
changes the trees in one place at a time, in its own way: an element is gone or changes places with the next one, an attribute
is gone, a number is one more, a truth another. A change counts if one of 200 random traces, made from the lines of the written
ones, shows something else than before. Of these changes, the written traces must notice 95 % in each dialect. --list shows the
others.
"""
import argparse
import copy
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = {
    "selection": ["samples/guard"],
    "modular": ["samples/modular"],
    "dragengine": ["samples/dragengine"],
    "decider": ["samples/deciders"],
    "synchronized": ["tests/golden/prove/a-gate-holds-no-more-than-it-says"],
    "btcpp": ["samples/btcpp", "samples/nav2"],
}
BUDGET = "20000"
LEAST_PERCENT = 95
RANDOM_TRACES = 200
NUMBER = re.compile(r"-?\d+(\.\d+)?$")
# What no run shows: declarations of the program, and files that are read.
UNCHANGED = {"TreeNodesModel", "include"}


def run(*words, folder):
    return subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True, timeout=300)


def changes_of(root):
    """Functions that change a copy of the file, each with its words."""

    def visit(element, path):
        for name, value in element.attrib.items():
            yield f"{name} of {element.tag} is gone", lambda found, name=name: found.attrib.pop(name), path
            other = None
            if NUMBER.match(value):
                other = str(int(value) + 1) if "." not in value else str(float(value) + 1)
            elif value.lower() in ("true", "false"):
                other = "false" if value.lower() == "true" else "true"
            if other is not None:
                yield f"{name} of {element.tag} becomes {other}", lambda found, name=name, other=other: found.set(name, other), path
        for index, child in enumerate(element):
            if child.tag in UNCHANGED:
                continue
            yield f"{child.tag} is gone", lambda found, index=index: found.remove(found[index]), path
            if index + 1 < len(element):
                yield f"{child.tag} and the next one change places", lambda found, index=index: found.insert(index, found[index + 1]) or found.__delitem__(index + 2), path
            yield from visit(child, path + [index])

    yield from visit(root, [])


def changed(root, change, path):
    root = copy.deepcopy(root)
    found = root
    for index in path:
        found = found[index]
    change(found)
    return root


def random_traces(folder, traces, generator):
    """Traces of the lines of others, in any order."""
    lines = {}
    for trace in traces:
        header, *rest = trace.read_text().splitlines()
        tree = json.loads(header)
        tree.pop("events", None)
        tree.pop("seed", None)
        kept = lines.setdefault(json.dumps(tree), set())
        kept.update(line for line in rest if not line.startswith('{"expect"'))
    folder.mkdir()
    for i in range(RANDOM_TRACES if lines else 0):
        header = generator.choice(sorted(lines))
        others = sorted(line for line in lines[header] if not line.startswith('{"tick"'))
        ticks = sorted(line for line in lines[header] if line.startswith('{"tick"'))
        text = [json.dumps({**json.loads(header), "seed": i + 1, "errors": "allowed"})]
        for _ in range(generator.randint(1, 6)):
            text += generator.choices(others, k=generator.randint(0, 4)) if others else []
            text.append(generator.choice(ticks or ['{"tick": 0.1}']))
        (folder / f"{i}.trace.jsonl").write_text("\n".join(text) + "\n")


def shown(espalier, asset, traces, folder):
    """What runs of traces show, without the places of nodes."""
    result = run(espalier, "replay", "--format", "jsonl", "--trace", traces, asset, folder=folder)
    events = []
    for line in result.stdout.splitlines():
        event = json.loads(line) if line.startswith("{") else {"line": line}
        event = {key: value for key, value in event.items() if key not in ("file", "line", "node", "column", "span", "path")}
        if event.get("event") == "error":
            event["name"] = re.sub(r"\(\d+\) ", "", event["name"])
        events.append(event)
    return events


class Measured:
    def __init__(self):
        self.made, self.visible, self.noticed, self.missed, self.faults = 0, 0, 0, [], []


def measure(espalier, folder, most, seed, result):
    generator = random.Random(seed)
    with tempfile.TemporaryDirectory() as temporary:
        work = pathlib.Path(temporary) / "work"
        shutil.copytree(ROOT / folder, work, ignore=shutil.ignore_patterns("*.jsonl", "expected", "command", "*.properties.json"))
        # As the changed ones are written: errors name lines.
        for file in trees_in(work):
            file.write_text(ElementTree.tostring(ElementTree.parse(file).getroot(), encoding="unicode"))
        for name, *more in (("full",), ("small", "--tests", "small")):
            written = run(espalier, "cover", ".", "-q", "--budget", BUDGET, "-o", f"../{name}", *more, folder=work)
            if written.returncode != 0:
                result.faults.append(f"{folder}: cover ends with {written.returncode}: {written.stderr[:300]}")
                return
        replayed = run(espalier, "replay", "--strict", "-q", "--trace", "../full", ".", folder=work)
        if replayed.returncode != 0 or replayed.stderr:
            result.faults.append(f"{folder}: the written traces do not replay without a warning: {replayed.stderr[:500]}")
        random_traces(work.parent / "random", sorted((work.parent / "full").glob("*.jsonl")), generator)
        before = None
        for changed_file, words, root in chosen_changes(work, most, generator):
            text = changed_file.read_text()
            changed_file.write_text(ElementTree.tostring(root, encoding="unicode"))
            compiled = run(espalier, "compile", "-q", ".", "-o", "../changed.espb", folder=work)
            changed_file.write_text(text)
            if compiled.returncode != 0:
                continue
            result.made += 1
            if before is None:
                run(espalier, "compile", "-q", ".", "-o", "../before.espb", folder=work)
                before = shown(espalier, "before.espb", "random", work.parent)
            if shown(espalier, "changed.espb", "random", work.parent) == before:
                continue
            result.visible += 1
            if run(espalier, "replay", "-q", "--trace", "full", "changed.espb", folder=work.parent).returncode != 0:
                result.noticed += 1
            else:
                result.missed.append(f"{folder}/{changed_file.name}: {words}")


def trees_in(folder):
    return sorted([*folder.rglob("*.xml"), *folder.rglob("*.debt")])


def chosen_changes(folder, most, generator):
    changes = []
    for file in trees_in(folder):
        root = ElementTree.parse(file).getroot()
        changes += [(file, words, root, change, path) for words, change, path in changes_of(root)]
    for file, words, root, change, path in generator.sample(changes, min(most, len(changes))):
        yield file, words, changed(root, change, path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("espalier", type=pathlib.Path)
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--seed", type=int, default=1, help="of the changes that are chosen, and of the random traces")
    arguments = parser.parse_intermixed_args()
    espalier = arguments.espalier.resolve()
    groups = {folder: [folder] for folder in arguments.folders} or FOLDERS
    most = 200 if arguments.all else 12

    def measured(folders):
        result = Measured()
        for folder in folders:
            measure(espalier, folder, most, arguments.seed, result)
        return result

    failed = False
    with ThreadPoolExecutor() as pool:
        for name, result in zip(groups, pool.map(measured, groups.values())):
            percent = 100 * result.noticed / max(1, result.visible)
            print(f"{name}: {result.noticed} of {result.visible} visible changes noticed ({percent:.0f} %), of {result.made} that compile", flush=True)
            is_bad = bool(result.faults) or percent < LEAST_PERCENT or result.visible == 0
            for words in result.faults + (result.missed if arguments.list or is_bad else []):
                print("  " + words)
            failed = failed or is_bad
    print("covering traces notice too little" if failed else f"all notice {LEAST_PERCENT} % or more")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
