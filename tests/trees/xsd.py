#!/usr/bin/env python3
"""Holds the XSDs of all dialects against their readers: xsd.py ESPALIER [DIALECT...] [--update]

- schemas/DIALECT.xsd is what `espalier schema DIALECT` writes; --update writes it.
- What a reader accepts without a finding is valid by the XSD: of conformance cases, samples, rules' examples and golden lint
  cases. An XSD cannot compare names without case: files of selection trees with another than the usual spelling are left out. It
  cannot say either that an empty name is none and may occur twice: files with empty names are left out, too. Nor does the XSD know
  the nodes that a file of BehaviorTree.CPP declares in its own model.
- A file with an element or attribute that lint reports as unknown is not valid.
- `KNOWN_BAD` are the conformance cases whose fault is one of form; by the XSD, all others are valid, and these are not.

Needs xmllint. Where a project has an espalier.json, the XSD has what it declares.
"""
import collections
import functools
import itertools
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOTS = {"SynchronizedTree": "synchronized", "DeciderTree": "decider", "behaviorTree": "dragengine", "BehaviorTree": "modular",
         "SelectionTree": "selection", "SelectionTrees": "selection", "Blocks": "selection", "root": "btcpp"}
ANY_CASE = {"selection"}
UNKNOWN = {"unknown-element", "unknown-attribute", "unknown-node"}
KNOWN_BAD = {"dragengine": {"bad-action-without-name", "bad-attribute-not-read", "bad-condition-at-top-level",
                            "bad-condition-in-a-subtree", "bad-condition-without-a-name", "bad-empty-id",
                            "bad-loop-is-no-boolean", "bad-parameter-without-name", "bad-root-in-british",
                            "bad-root-with-a-capital", "bad-rule-in-an-action",
                            "bad-several-faults", "bad-unknown-condition-mode", "bad-unknown-element",
                            "bad-xml-not-closed"},
             "decider": {"bad-block", "bad-decider-with-a-child", "bad-decider-without-behavior", "bad-empty-group",
                         "bad-empty-list", "bad-every", "bad-max-redecides", "bad-no-policy", "bad-no-root",
                         "bad-policy", "bad-repeated-name", "bad-root-with-decide", "bad-root-with-precondition",
                         "bad-signal-of-an-unknown-stimulus", "bad-two-faults", "bad-two-roots",
                         "bad-unknown-attribute", "bad-unknown-behavior", "bad-unknown-element",
                         "bad-unknown-reference", "bad-weight"},
             "synchronized": {"bad-action-with-a-child", "bad-action-without-a-name", "bad-barrier-without-a-name",
                              "bad-cooldown-with-an-action-in-a-monitor",
                              "bad-child-tree-without-a-slot", "bad-cooldown-scope", "bad-cooldown-without-seconds",
                              "bad-empty-role", "bad-empty-sequence", "bad-gate-in-a-monitor", "bad-gate-of-none",
                              "bad-gate-without-agents", "bad-group-on-leave", "bad-group-with-a-plain-child",
                              "bad-invert-of-two", "bad-max-depth", "bad-no-root", "bad-parallel-rule",
                              "bad-repeat-count", "bad-repeated-gate-name", "bad-role-outside", "bad-role-with-two",
                              "bad-tree-without-name", "bad-two-faults", "bad-two-roots", "bad-unknown-attribute",
                              "bad-unknown-element"}}


def run(command, folder=None):
    return subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, timeout=60)


def schema_of(espalier, dialect, project="."):
    done = run([espalier, "schema", dialect, project])
    return done.stdout if done.returncode == 0 else None


def validated(schema, files):
    """Which of the files are valid by a schema, as pairs of both, and what xmllint says."""
    said = run(["xmllint", "--noent", "--nonet", "--noout", "--schema", schema, *files]).stderr.decode("utf-8", "replace").splitlines()
    valid = {line.removesuffix(" validates") for line in said if line.endswith(" validates")}
    return {(schema, file) for file in files if str(file) in valid}, said


def all_validated(pool, questions):
    """The same for many lists of files: of each schema and files. It takes longer to read a schema than to validate a file, so each is read once for many."""
    parts = collections.defaultdict(list)
    for schema, files in questions:
        parts[schema] += files
    words = [(schema, files[i:i + 200]) for schema, files in parts.items() for i in range(0, len(files), 200)]
    valid, said = set(), []
    for more_valid, more_said in pool.map(lambda part: validated(*part), words):
        valid |= more_valid
        said += more_said
    return valid, said


def projects():
    for pattern in ("tests/conformance/*/*", "samples/*", "lib/rules/*/good", "lib/rules/*/bad"):
        yield from (folder for folder in sorted(ROOT.glob(pattern)) if folder.is_dir())
    for command in sorted(ROOT.glob("tests/golden/lint/**/command")):
        parts = (folder for folder in sorted(command.parent.iterdir()) if folder.is_dir())
        yield from parts if "each in *;" in command.read_text() else (command.parent,)


@functools.lru_cache(maxsize=None)
def read(file):
    """The dialect of a file, its names; nothing: it cannot be read, or is no tree."""
    try:
        elements = list(xml.etree.ElementTree.parse(file).iter())
    except (xml.etree.ElementTree.ParseError, OSError, ValueError, LookupError):
        return None, ()
    names = {name for each in elements for name in (each.tag, *each.attrib) if isinstance(name, str) and name[:1] != "{"}
    root = next((ROOTS[each] for each in ROOTS if each == elements[0].tag or
                 (ROOTS[each] in ANY_CASE and each.lower() == str(elements[0].tag).lower())), None)
    return root, names


def linted(espalier, folder, *paths):
    """The rules of findings by file; nothing: nothing was linted, as there are no trees."""
    done = run([espalier, "lint", "--format", "json", *paths], folder)
    try:
        findings = json.loads(done.stdout)["findings"]
    except (ValueError, KeyError):
        return None
    if done.returncode not in (0, 1) and len(paths) > 1:  # at one without trees: there is nothing of those behind it
        middle = len(paths) // 2
        return (linted(espalier, folder, *paths[:middle]) or {}) | (linted(espalier, folder, *paths[middle:]) or {})
    rules = collections.defaultdict(set)
    for finding in findings:
        rules[folder / finding["file"]].add(finding["rule"])
    return rules


def all_linted(espalier, projects, temporary, pool):
    """The same of each project. To start a process takes longer than to lint a project, so those without a configuration are linted many at once: copies of
    them, each with an empty configuration, as what one has is then no part of another."""
    alone = [project for project in projects if any(project.rglob("espalier.json"))]
    found = dict(zip(alone, pool.map(lambda project: linted(espalier, project, "."), alone)))
    others = [project for project in projects if project not in found and any(read(file)[0] for file in files_below(project))]
    copies = temporary / "projects"
    for number, project in enumerate(others):
        shutil.copytree(project, copies / str(number), symlinks=True)
        (copies / str(number) / "espalier.json").write_text("{}")
    parts = [range(begin, min(begin + 100, len(others))) for begin in range(0, len(others), 100)]
    findings = itertools.chain.from_iterable((linted(espalier, copies, *numbers) or {}).items() for numbers in parts)
    for file, rules in findings:
        number, *parts = file.relative_to(copies).parts
        found.setdefault(others[int(number)], collections.defaultdict(set))[others[int(number)].joinpath(*parts)] = rules
    return {project: found.get(project, collections.defaultdict(set)) for project in projects}


def files_below(project):
    return sorted(file for file in project.rglob("*") if file.suffix in (".xml", ".debt"))


def files_of(project, rules):
    """Of each file of a tree: its dialect, names, and the rules of its findings."""
    if rules is None:
        return []
    result = []
    for file in files_below(project):
        dialect, names = read(file)
        if dialect:
            result.append((file, dialect, names, rules[file]))
    return result


@functools.lru_cache
def usual_names(schema):
    return set(re.findall(r'<xs:(?:element|attribute) name="([^"]+)"', schema.read_text()))


def questions_of(espalier, project, rules_of_project, dialects, temporary):
    """For each dialect of a project: the XSD, files that should be valid by it, and files that should not. And how many were left out."""
    questions, left_out = [], 0
    files = files_of(project, rules_of_project)
    for dialect in sorted({dialect for _, dialect, _, _ in files} & set(dialects)):
        schema = temporary / f"{dialect}.xsd"
        declared = schema_of(espalier, dialect, project) if any(project.rglob("espalier.json")) else None
        if declared:
            schema = temporary / f"{abs(hash(project))}-{dialect}.xsd"
            schema.write_bytes(declared)
        usual = usual_names(schema)
        folded = {name.lower() for name in usual}
        sound, unknown = [], []
        for file, own, names, rules in files:
            if own != dialect:
                continue
            has_own_nodes = own == "btcpp" and not rules and set(re.findall(r"<(\w+)", file.read_text(errors="replace"))) - usual
            is_respelt = own in ANY_CASE and any(name not in usual and name.lower() in folded for name in names)
            has_model = own == "btcpp" and not rules and declared and "<TreeNodesModel" in file.read_text(errors="replace")
            if is_respelt or has_own_nodes or has_model or re.search(r"\bname=(''|\"\")", file.read_text(errors="replace")):
                left_out += 1
            elif not rules:
                sound.append(file)
            elif rules & UNKNOWN:
                unknown.append(file)
        questions.append((dialect, schema, sound, unknown))
    return questions, left_out


def check_projects(espalier, dialects, temporary, pool):
    rules = all_linted(espalier, list(projects()), temporary, pool)
    found = [questions_of(espalier, project, rules[project], dialects, temporary) for project in rules]
    questions = [question for of_project, _ in found for question in of_project]
    valid, said = all_validated(pool, [(schema, sound + unknown) for _, schema, sound, unknown in questions])
    faults = []
    for dialect, schema, sound, unknown in questions:
        for file in sound:
            if (schema, file) not in valid:
                why = next((line for line in said if line.startswith(f"{file}:") and "error" in line), "")
                faults.append(f"{file}: no finding, and not valid by {dialect}.xsd\n  {why}")
        faults += [f"{file}: valid by {dialect}.xsd, and lint reports an unknown name" for file in unknown if (schema, file) in valid]
    counts = {"accepted": sum(len(sound) for _, _, sound, _ in questions), "refused": sum(len(unknown) for *_, unknown in questions),
              "left out": sum(left_out for _, left_out in found)}
    return faults, counts


def check_cases(dialect, schema, pool):
    """The conformance cases of a dialect for which it is known whether they are valid."""
    cases = {case: sorted(file for file in case.rglob("*") if file.suffix in (".xml", ".debt"))
             for case in sorted((ROOT / "tests/conformance" / dialect).iterdir())}
    valid, _ = all_validated(pool, [(schema, files) for files in cases.values()])
    for case, files in cases.items():
        should = case.name not in KNOWN_BAD[dialect]
        if valid.issuperset((schema, file) for file in files) != should:
            yield f"{case}: {'not ' if should else ''}valid by {dialect}.xsd"


def check_written(espalier, dialect, schema, update):
    """The checked-in XSD is the one that the program writes."""
    checked_in = ROOT / "schemas" / f"{dialect}.xsd"
    if update:
        checked_in.write_bytes(schema)
    if not checked_in.exists() or checked_in.read_bytes() != schema:
        yield f"{checked_in}: not what `espalier schema {dialect}` writes; --update writes it"


def main():
    words = [word for word in sys.argv[1:] if word != "--update"]
    espalier = pathlib.Path(words[0]).resolve()
    dialects = words[1:] or sorted(set(ROOTS.values()))
    faults = []
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(2) as pool:
        temporary = pathlib.Path(name)
        for dialect in dialects:
            text = schema_of(espalier, dialect, temporary)
            if text is None:
                faults.append(f"espalier schema {dialect}: failed")
                continue
            schema = temporary / f"{dialect}.xsd"
            schema.write_bytes(text)
            faults += check_written(espalier, dialect, text, "--update" in sys.argv)
            if dialect in KNOWN_BAD:
                faults += check_cases(dialect, schema, pool)
        found, counts = check_projects(espalier, dialects, temporary, pool)
        faults += found
    print("\n".join(faults))
    print(f"{counts['accepted']} files without a finding, {counts['refused']} with an unknown name, "
          f"{counts['left out']} left out; {len(faults)} faults")
    sys.exit(bool(faults) or counts["accepted"] == 0 or counts["refused"] == 0)


main()
