#!/usr/bin/env python3
"""Checks that no report is empty: faulty_reports.py ESPALIER

Each verb is run with each of its formats on one faulty tree of each dialect, and with each fault for which it cannot do its work: a
file that is missing or damaged, an option that is wrong. What it writes has the error and its place, JSON is as its schema says, and
XML can be parsed.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
from concurrent.futures import ThreadPoolExecutor

import explored

FAULTY = {
    "selection": ("t.xml", '<SelectionTree name="T" type="BehaviorSelectionTree">\n  <Priority name="Root">\n    <Leef name="Patrol"/>\n'
                  '    <Leaf name="Rest"/>\n  </Priority>\n</SelectionTree>\n', "Leef"),
    "modular": ("t.xml", "<BehaviorTree>\n  <Root>\n    <Loop>\n      <Wait durtion=\"1\"/>\n    </Loop>\n  </Root>\n</BehaviorTree>\n", "durtion"),
    "decider": ("t.xml", '<DeciderTree name="T">\n  <Desider name="Root" behavior="Rest"/>\n</DeciderTree>\n', "Desider"),
    "dragengine": ("t.debt", '<behaviorTree>\n  <sequence id="root">\n    <actoin id="a" name="open"/>\n  </sequence>\n</behaviorTree>\n', "actoin"),
    "synchronized": ("t.xml", '<SynchronizedTree name="T">\n  <Sequence>\n    <Actoin name="rest"/>\n  </Sequence>\n</SynchronizedTree>\n', "Actoin"),
    "btcpp": ("t.xml", '<root BTCPP_format="4">\n  <BehaviorTree ID="T">\n    <Inverter/>\n  </BehaviorTree>\n</root>\n', "Inverter"),
}
FINDINGS = re.findall(r"^FORMAT\((?!human)(\w+)", (explored.ROOT / "lib/report/formats.def").read_text(), re.MULTILINE)
# Of each verb, its formats, and what follows them.
VERBS = {
    "lint": (FINDINGS, []),
    "compile": (FINDINGS, ["-o", "t.espb"]),
    "replay": (("json", "jsonl", "sarif", "junit", "github", "checkstyle"), ["--trace", "t.trace.jsonl"]),
    "cover": (("json", "lcov", "markdown", "html"), []),
    "diff": (("json", "markdown"), ["."]),
    "prove": (("json", "junit"), []),
    "graph": (("svg", "dot", "mermaid", "html"), []),
}
# Faults of a command: what is not so with the folder's files, whose trees have no errors, and what the report says of it.
TREE = '<SelectionTree name="T" type="BehaviorSelectionTree">\n  <Leaf name="Rest"/>\n</SelectionTree>\n'
ONE_VERSION = ("lint", "compile", "replay", "cover", "prove", "graph")
COMMAND_FAULTS = [
    # the verb, or several; its arguments; a word of the report, and the file that it names
    (ONE_VERSION, ["missing.xml"], "No such file", "missing.xml"),
    (ONE_VERSION, ["trees", "--config", "missing.json"], "No such file", "missing.json"),
    (ONE_VERSION, ["empty"], "files in", "empty"),
    ("lint", ["trees", "--baseline", "missing.json"], "No such file", "missing.json"),
    ("lint", ["trees", "--baseline", "damaged.json"], "damaged.json", "damaged.json"),
    ("compile", ["trees", "-o", "missing/t.espb"], "does not exist", "trees"),
    ("replay", ["trees", "--trace", "missing.trace.jsonl"], "No such file", "missing.trace.jsonl"),
    ("replay", ["damaged.espb", "--trace", "t.trace.jsonl"], "cut off", "damaged.espb"),
    ("replay", ["trees", "--trace", "t.trace.jsonl", "--events", "entr"], "unknown event kind", "trees"),
    ("cover", ["trees", "--trace", "missing.trace.jsonl"], "cannot read", "missing.trace.jsonl"),
    ("cover", ["damaged.espb"], "the header says", "damaged.espb"),
    ("cover", ["trees", "--budget", "many"], "many", "trees"),
    ("cover", ["trees", "--tree", "Gaurd"], "unknown tree", "trees"),
    ("diff", ["trees", "damaged.espb"], "cut off", "damaged.espb"),
    ("diff", ["trees"], "two versions", "trees"),
    ("diff", ["--git", "main", "trees"], "git", "trees"),
    ("prove", ["trees", "--properties", "missing.json"], "No such file", "missing.json"),
    ("prove", ["trees", "--properties", "damaged.json"], "malformed", "damaged.json"),
    ("prove", ["damaged.espb"], "cut off", "damaged.espb"),
    ("prove", ["trees"], "no properties", "trees"),
    ("graph", ["damaged.espb"], "the header says", "damaged.espb"),
]
SCHEMAS = {"lint": "findings", "compile": "findings", "replay": "findings", "cover": "cover", "diff": "diff", "prove": "proofs"}


def check(espalier, dialect, verb, format_name):
    name, tree, word = FAULTY[dialect]
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / name).write_text(tree)
        (pathlib.Path(folder) / "t.trace.jsonl").write_text('{"trace": 1}\n{"tick": 0.1}\n')
        done = subprocess.run([espalier, verb, ".", "--format", format_name, *VERBS[verb][1]], cwd=folder, timeout=60,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return fault_of(done, 1, f"{verb} --format {format_name} of a faulty {dialect} tree", verb, format_name, word, name)


def check_command(espalier, verb, format_name, fault):
    _, arguments, word, name = fault
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        (folder / "trees").mkdir()
        (folder / "empty").mkdir()
        (folder / "trees" / "t.xml").write_text(TREE)
        (folder / "t.trace.jsonl").write_text('{"trace": 1}\n{"tick": 0.1}\n')
        (folder / "damaged.json").write_text("{")
        subprocess.run([espalier, "compile", "-q", "trees", "-o", "damaged.espb"], cwd=folder, check=True, timeout=60)
        asset = (folder / "damaged.espb").read_bytes()
        (folder / "damaged.espb").write_bytes(asset[:-8])
        more = [] if verb == "diff" or "-o" in arguments or "--trace" in arguments else VERBS[verb][1]
        done = subprocess.run([espalier, verb, *arguments, "--format", format_name, *more], cwd=folder, timeout=60,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    what = f"{verb} {' '.join(arguments)} --format {format_name}"
    return fault_of(done, 2, what, verb, format_name, word, name)


def fault_of(done, status, what, verb, format_name, word, name):
    out = done.stdout
    if done.returncode != status:
        return f"{what}: exit status {done.returncode}, not {status}\n{done.stderr}"
    if not out.strip():
        return f"{what}: nothing is written"
    has_words = word in out.replace("&apos;", "'") and name in out
    if format_name in ("dot", "mermaid"):  # text of boxes only
        has_words = "n0_0" in out
    if not has_words:
        return f"{what}: '{word}' or '{name}' is missing\n{out[:500]}"
    try:
        if format_name in ("json", "sarif"):
            value = json.loads(out)
            if format_name == "json":
                explored.check(value, SCHEMAS[verb] + ".schema.json", what)
                if not value["findings"]:
                    return f"{what}: no findings"
        elif format_name == "jsonl":
            for line in out.splitlines():
                json.loads(line)
        elif format_name in ("junit", "checkstyle", "svg"):
            root = xml.etree.ElementTree.fromstring(out)
            if format_name == "junit" and not root.findall(".//failure") + root.findall(".//error"):
                return f"{what}: nothing fails"
    except (ValueError, xml.etree.ElementTree.ParseError) as fault:
        return f"{what}: {fault}"
    return None


def main():
    espalier = str(pathlib.Path(sys.argv[1]).resolve())
    has_pages = "without" not in subprocess.run([espalier, "graph", "--format", "html", "samples/guard"], cwd=explored.ROOT,
                                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60).stderr
    forms = [(verb, format_name) for verb, (formats, _) in VERBS.items() for format_name in formats if has_pages or format_name != "html"]
    runs = [(check, dialect, *form) for dialect in FAULTY for form in forms]
    runs += [(check_command, *form, fault) for form in forms for fault in COMMAND_FAULTS if form[0] in fault[0]]
    with ThreadPoolExecutor() as pool:
        faults = [fault for fault in pool.map(lambda run: run[0](espalier, *run[1:]), runs) if fault]
    for fault in faults:
        print(fault)
    if faults:
        sys.exit(f"{len(faults)} of {len(runs)} reports are not as they should be")
    print(f"{len(runs)} reports have the errors for which there are no results")


if __name__ == "__main__":
    main()
