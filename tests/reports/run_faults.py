#!/usr/bin/env python3
"""Makes each thing happen that can go wrong in a run: run_faults.py ESPALIER

Each row of lib/replay/run_faults.def happens in each engine that can have it. It is a warning, fails with --strict, and is in the reports
for JUnit, as JSON, as JSON Lines and as a page. "errors": "allowed", or an expectation that names it, accepts it.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]


def modular(body):
    return f"<BehaviorTree>\n  <Root>\n{body}\n  </Root>\n</BehaviorTree>\n"


def looping(body):
    return modular(f'    <Loop>\n      <Sequence>\n        {body}\n        <Wait duration="1"/>\n      </Sequence>\n    </Loop>')


def btcpp(body):
    return f'<root BTCPP_format="4">\n  <BehaviorTree ID="Main">\n    {body}\n  </BehaviorTree>\n</root>\n'


def debt(body):
    return f"<behaviorTree>\n{body}\n</behaviorTree>\n"


def deciders(more="", body=None):
    body = body or '<Decider name="F" behavior="flee"/>\n    <Decider name="A" behavior="approach"/>\n    <Decider name="I" behavior="idle"/>'
    return (f'<DeciderTree name="T"{more}>\n  <DecisionFlags>\n    <Flag name="Near"/>\n  </DecisionFlags>\n  <Behaviors>\n    <Behavior name="flee"/>\n'
            f'    <Behavior name="approach"/>\n    <Behavior name="idle"/>\n  </Behaviors>\n  <Group name="Root" policy="prioritizedList">\n    {body}\n'
            '  </Group>\n</DeciderTree>\n')


def synchronized(name, body, more=""):
    return f'<SynchronizedTree name="{name}"{more}>\n  {body}\n</SynchronizedTree>\n'


SLOTS = {"t.xml": synchronized("T", '<ChildTree slot="outer" default="Inner"/>', ' maxDepth="1"'),
         "inner.xml": synchronized("Inner", '<ChildTree slot="inner" default="Leaf"/>'), "leaf.xml": synchronized("Leaf", '<Action name="rest"/>')}
STOPS = '{"modular": {"rootDone": "stop"}}'
ACTION = '  <sequence id="root">\n    <action id="a" name="open"/>\n  </sequence>'
# By row and engine: the files, the first line's further keys, the lines, and options.
TICK = ['{"tick": 0.1}']
SCENES = {
    ("run_away", "rule"): ({"t.debt": debt(ACTION.replace('id="root"', 'id="root" loop="true"'))}, "", ['{"host": {"open": true}}'] + TICK, []),
    ("run_away", "decide"): ({"t.xml": deciders(' maxRedecides="1"')}, "",
                             ['{"host": {"flee": "failure", "approach": "failure", "idle": "failure"}}'] + TICK, []),
    ("run_away", "poll"): ({"t.xml": btcpp('<KeepRunningUntilFailure><Repeat num_cycles="-1"><AlwaysSuccess/></Repeat></KeepRunningUntilFailure>')}, "", TICK, []),
    ("agent_stopped", "rule"): ({"t.debt": debt(ACTION)}, "", ['{"host": {"open": "failure"}}'] + TICK, []),
    ("agent_stopped", "tick"): ({"t.xml": modular("    <Move/>"), "espalier.json": STOPS}, "", ['{"host": {"Move": true}}'] + TICK, []),
    ("root_completed", "tick"): ({"t.xml": modular("    <Move/>")}, "", ['{"host": {"Move": true}}'] + TICK, []),
    ("signal_lost", "tick"): ({"t.xml": modular('    <Sequence>\n      <SendEvent name="OnReady"/>\n      <Move/>\n    </Sequence>'), "espalier.json": STOPS},
                              "", ['{"host": {"Move": true}}'] + TICK + TICK, []),
    ("script_failed", "tick"): ({"t.xml": looping('<ExecuteLua code="entity.count = entity.counts + 1"/>')}, "", TICK, []),
    ("variable_unknown", "tick"): ({"t.xml": looping('<ExecuteLua code="AI.SetBehaviorVariable(entity.id, \'Alerted\', true)"/>')}, "", TICK, []),
    ("update_failed", "poll"): ({"t.xml": btcpp('<Script code="rounds += 1"/>')}, "", TICK, []),
    ("halt_failed", "poll"): ({"t.xml": btcpp('<Sleep msec="100" _onHalted="halts += 1"/>')}, "", TICK + ['{"halt": true}'], []),
    ("input_missing", "poll"): ({"t.xml": btcpp('<Go goal="{goal}"/>')}, "", ['{"host": {"Go": "running"}}'] + TICK, []),
    ("slot_too_deep", "store"): (SLOTS, ', "tree": "T"', ['{"host": {"rest": "running"}}'] + TICK, []),
    ("inject_refused", "store"): ({"t.xml": synchronized("T", '<ChildTree slot="outer" default="Leaf" accepts="Leaf"/>'),
                                   **{name: SLOTS[name] for name in ("inner.xml", "leaf.xml")}},
                                  ', "tree": "T"', ['{"inject": {"slot": "outer", "tree": "Inner"}}'], []),
    ("group_breached", "decide"): ({"t.xml": deciders(body='<Group name="Defend" policy="prioritizedList" decide="Sees"><Decider name="F" behavior="flee" decide="Near"/>'
                                                    '</Group>\n    <Decider name="I" behavior="idle"/>')}, "",
                                   ['{"host": {"Sees": true, "Near": false}}'] + TICK, []),
    ("thrash", "select"): ({"t.xml": '<SelectionTree name="T" type="BehaviorSelectionTree">\n  <Variables>\n    <Variable name="A"/>\n  </Variables>\n'
                                     '  <Priority name="Root">\n    <Leaf name="Fight" condition="A"/>\n    <Leaf name="Rest"/>\n  </Priority>\n</SelectionTree>\n'},
                           "", [line for _ in range(3) for line in ('{"set": {"A": true}}', '{"tick": 0.1}', '{"set": {"A": false}}', '{"tick": 0.1}')],
                           ["--thrash", "2/2"]),
    ("thrash", "decide"): ({"t.xml": deciders(body='<Decider name="F" behavior="flee" flagsAll="Near"/>\n    <Decider name="A" behavior="approach"/>')}, "",
                           ['{"host": {"approach": "running", "flee": ["running", "failure", "running", "failure"]}}']
                           + [line for _ in range(2) for line in ('{"flags": ["Near"]}', '{"tick": 0.1}', '{"flags": []}', '{"tick": 0.1}')],
                           ["--thrash", "2/2"]),
}


def rows():
    """Of each row: its name, the name and code of its rule, whether it is an error, and its engines."""
    codes = dict(re.findall(r"RULE\(TRC, (\d+), (\w+),", (ROOT / "lib/rules/traces.def").read_text()))
    codes = {name: number for number, name in codes.items()}
    for name, rule, use, _, engines in re.findall(r'^RUN_FAULT\((\w+), *TRC_(\w+), *(\w+), *"([^"]*)", *"([^"]*)"',
                                                  (ROOT / "lib/replay/run_faults.def").read_text(), re.M):
        for engine in engines.split():
            yield name, engine, f"{rule.replace('_', '-')} TRC{codes[rule]}", f"TRC{codes[rule]}", use == "error"


def check(espalier, row):
    name, engine, rule, code, is_error = row
    what = f"{name} in {engine}"
    if (name, engine) not in SCENES:
        return f"{what}: no scene makes it happen"
    files, header, lines, options = SCENES[name, engine]
    with tempfile.TemporaryDirectory() as folder:
        for file, text in files.items():
            (pathlib.Path(folder) / file).write_text(text)
        trace = pathlib.Path(folder) / "t.trace.jsonl"

        def run(*words, more=""):
            trace.write_text("\n".join(['{"trace": 1' + header + more + "}", *lines]) + "\n")
            return subprocess.run([espalier, "replay", ".", "--trace", "t.trace.jsonl", *options, *words], cwd=folder, timeout=60,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

        human = run()
        if human.returncode != 0 or f"warning: " not in human.stderr or f"[{rule}]" not in human.stderr:
            return f"{what}: no warning, exit status {human.returncode}\n{human.stderr}"
        strict = run("--strict")
        if strict.returncode != 1 or f"[{rule}]" not in strict.stderr or "error: " not in strict.stderr:
            return f"{what}: --strict: exit status {strict.returncode}\n{strict.stderr}"
        junit = xml.etree.ElementTree.fromstring(run("--format", "junit").stdout)
        if len(junit.findall(".//testcase")) != 1 or junit.findall(".//failure") or f"[{rule}]" not in (junit.findtext(".//system-out") or ""):
            return f"{what}: not in system-out of JUnit"
        junit = xml.etree.ElementTree.fromstring(run("--format", "junit", "--strict").stdout)
        if f"[{rule}]" not in (junit.findtext(".//failure") or ""):
            return f"{what}: --strict: no failure in JUnit"
        findings = json.loads(run("--format", "json").stdout)["findings"]
        if code not in [finding["code"] for finding in findings]:
            return f"{what}: not in JSON: {findings}"
        events = [json.loads(line) for line in run("--format", "jsonl").stdout.splitlines()]
        if code not in [event.get("code") for event in events]:
            return f"{what}: not in JSON Lines"
        page = run("--format", "html", "-o", "page.html")
        if "without the library" not in page.stderr and f"[{rule}]" not in (pathlib.Path(folder) / "page.html").read_text():
            return f"{what}: not on the page"
        if is_error and f"[{rule}]" in run(more=', "errors": "allowed"').stderr:
            return f'{what}: not accepted by "errors": "allowed"'
    return None


def main():
    espalier = str(pathlib.Path(sys.argv[1]).resolve())
    all_rows = list(rows())
    with ThreadPoolExecutor() as pool:
        faults = [fault for fault in pool.map(lambda row: check(espalier, row), all_rows) if fault]
    for fault in faults:
        print(fault)
    if faults:
        sys.exit(f"{len(faults)} of {len(all_rows)} things that can go wrong are not reported as they should be")
    print(f"{len(all_rows)} things that can go wrong in a run are warnings, and in every report")


if __name__ == "__main__":
    main()
