#!/usr/bin/env python3
"""Holds the XSDs in schemas against the conformance cases: what is right is valid, what no XSD lets pass is not.

Needs xmllint. `KNOWN_BAD` are the cases whose fault is one of form; other faults are not an XSD's to see.
"""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
KNOWN_BAD = {"dragengine": {"bad-action-without-name", "bad-attribute-not-read", "bad-condition-at-top-level",
                            "bad-condition-in-a-subtree", "bad-condition-without-a-name", "bad-empty-id",
                            "bad-loop-is-no-boolean", "bad-parameter-without-name", "bad-rule-in-an-action",
                            "bad-several-faults", "bad-unknown-condition-mode", "bad-unknown-element",
                            "bad-xml-not-closed"},
             "decider": {"bad-block", "bad-decider-with-a-child", "bad-decider-without-behavior", "bad-empty-group",
                         "bad-empty-list", "bad-every", "bad-max-redecides", "bad-no-policy", "bad-no-root",
                         "bad-policy", "bad-repeated-name", "bad-root-with-decide", "bad-root-with-precondition",
                         "bad-signal-of-an-unknown-stimulus", "bad-two-faults", "bad-two-roots",
                         "bad-unknown-attribute", "bad-unknown-behavior", "bad-unknown-element",
                         "bad-unknown-reference", "bad-weight"},
             "synchronized": {"bad-action-with-a-child", "bad-action-without-a-name", "bad-barrier-without-a-name",
                              "bad-child-tree-without-a-slot", "bad-cooldown-scope", "bad-cooldown-without-seconds",
                              "bad-empty-role", "bad-empty-sequence", "bad-gate-in-a-monitor", "bad-gate-of-none",
                              "bad-gate-without-agents", "bad-group-on-leave", "bad-group-with-a-plain-child",
                              "bad-invert-of-two", "bad-max-depth", "bad-no-root", "bad-parallel-rule",
                              "bad-repeat-count", "bad-repeated-gate-name", "bad-role-outside", "bad-role-with-two",
                              "bad-tree-without-name", "bad-two-faults", "bad-two-roots", "bad-unknown-attribute",
                              "bad-unknown-element"}}


def is_valid(schema, files):
    return subprocess.run(["xmllint", "--noout", "--schema", schema, *files], capture_output=True).returncode == 0


def main():
    faults = 0
    for dialect, known_bad in KNOWN_BAD.items():
        cases = sorted((ROOT / "tests/conformance" / dialect).iterdir())
        for case in cases:
            files = sorted(file for file in case.rglob("*") if file.suffix in (".xml", ".debt"))
            should = case.name not in known_bad
            if is_valid(ROOT / "schemas" / f"{dialect}.xsd", files) != should:
                faults += 1
                print(f"{case}: {'not ' if should else ''}valid by {dialect}.xsd")
        print(f"{dialect}.xsd: {len(cases)} cases")
    sys.exit(faults != 0)


main()
