#!/usr/bin/env python3
"""Checks that no report is empty where trees have errors: faulty_reports.py ESPALIER

Each verb is run with each of its formats on one faulty tree of each dialect. What it writes has the error and its place, JSON is as
its schema says, and XML can be parsed.
"""
import json
import pathlib
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
FINDINGS = ("json", "jsonl", "sarif", "junit", "github", "checkstyle", "markdown")
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
SCHEMAS = {"lint": "findings", "compile": "findings", "replay": "findings", "cover": "cover", "diff": "diff", "prove": "proofs"}


def check(espalier, dialect, verb, format_name):
    name, tree, word = FAULTY[dialect]
    what = f"{verb} --format {format_name} of a faulty {dialect} tree"
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / name).write_text(tree)
        (pathlib.Path(folder) / "t.trace.jsonl").write_text('{"trace": 1}\n{"tick": 0.1}\n')
        done = subprocess.run([espalier, verb, ".", "--format", format_name, *VERBS[verb][1]], cwd=folder, timeout=60,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    out = done.stdout
    if done.returncode != 1:
        return f"{what}: exit status {done.returncode}, not 1\n{done.stderr}"
    if not out.strip():
        return f"{what}: nothing is written"
    has_words = word in out and name in out
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
    runs = [(dialect, verb, format_name) for dialect in FAULTY for verb, (formats, _) in VERBS.items() for format_name in formats
            if has_pages or format_name != "html"]
    with ThreadPoolExecutor() as pool:
        faults = [fault for fault in pool.map(lambda run: check(espalier, *run), runs) if fault]
    for fault in faults:
        print(fault)
    if faults:
        sys.exit(f"{len(faults)} of {len(runs)} reports are not as they should be")
    print(f"{len(runs)} reports of faulty trees have the errors")


if __name__ == "__main__":
    main()
