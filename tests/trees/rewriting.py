#!/usr/bin/env python3
"""What `fmt` and `lint --fix` do to files: rewriting.py ESPALIER [--all]

For the trees of samples and cases, each in a copy: formatting twice changes nothing, and the asset is the same byte for byte
(without places). Fixing twice changes nothing, and three times where errors were fixed; safe fixes of trees that compile leave what they do as it was, which `diff`
says; each fix is as safe as the table of rules says. Without --all, every eighth folder; with it, each rule that the table gives
fixes must have one somewhere.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
GRADES = ["none", "safe", "unsafe"]
ENVIRONMENT = {**os.environ, "XDG_CACHE_HOME": "/dev/null"}


class Case:
    """A copy of a folder, in which commands run."""

    def __init__(self, espalier, folder, place):
        self.espalier, self.folder, self.place = espalier, folder, place
        self.faults = []
        self.fixed = set()  # the rules of findings with fixes
        shutil.copytree(folder, place, symlinks=True)

    def run(self, *words):
        done = subprocess.run([self.espalier, *words], cwd=self.place, env=ENVIRONMENT, capture_output=True, timeout=300)
        if done.returncode not in (0, 1, 2):
            self.faults.append(f"espalier {' '.join(words)}: exit status {done.returncode}")
        return done

    def texts(self):
        return {path: path.read_bytes() for path in sorted(self.place.rglob("*")) if path.is_file() and path.suffix in (".xml", ".debt")}

    def asset(self, name):
        done = self.run("compile", ".", "--strip", "-o", f"{name}.espb")
        return (self.place / f"{name}.espb").read_bytes() if done.returncode == 0 else None

    def expect(self, is_so, message):
        if not is_so:
            self.faults.append(message)


def check_formatting(case):
    before = case.asset("before")
    case.run("fmt", ".")
    once = case.texts()
    case.run("fmt", ".")
    case.expect(case.texts() == once, "formatting twice changes something")
    case.expect(case.asset("after") == before, "the asset of the formatted trees is another one")


def findings_of(case):
    found = case.run("lint", ".", "--format", "json").stdout
    return json.loads(found)["findings"] if found else []


def check_fixing(case, grade_of):
    guesses = False  # only errors are guessed; nothing is then proved about that tree before the next run
    for finding in findings_of(case):
        if "fix" in finding:
            guesses = guesses or finding["severity"] == "error"
            grade = finding["fix"]["grade"]
            rule = finding["code"]
            case.fixed.add(rule)
            case.expect(GRADES.index(grade) <= GRADES.index(grade_of[rule]), f"a fix of {rule} is {grade}, and the table says {grade_of[rule]}")
    original = case.place.with_name("original")
    shutil.copytree(case.place, original)
    compiles = case.asset("before") is not None
    (case.place / "before.espb").unlink(missing_ok=True)
    begun = case.texts()
    for options in (["--fix"], ["--fix", "--unsafe"]):
        case.run("lint", ".", *options)
        if guesses:
            case.run("lint", ".", *options)
        once = case.texts()
        case.run("lint", ".", *options)
        case.expect(case.texts() == once, f"{' '.join(options)} twice changes something")
        if options == ["--fix"] and compiles and once != begun:
            done = case.run("diff", str(original), ".", "--format", "json", "--budget", "20000,5s")
            trees = json.loads(done.stdout)["trees"] if done.stdout else []
            changed = [tree["name"] for tree in trees if tree["result"] not in ("same", "undecided")]
            case.expect(not changed, f"safe fixes change what {changed} do")


def check(espalier, folder, grade_of):
    faults, fixed = [], set()
    for work in (check_formatting, lambda case: check_fixing(case, grade_of)):
        with tempfile.TemporaryDirectory() as temporary:
            case = Case(espalier, folder, pathlib.Path(temporary) / "case")
            work(case)
            faults += [f"{folder.relative_to(ROOT)}: {fault}" for fault in case.faults]
            fixed |= case.fixed
    return faults, fixed


def main():
    espalier = str(pathlib.Path(sys.argv[1]).resolve())
    table = json.loads(subprocess.run([espalier, "explain", "--format", "json"], capture_output=True, check=True).stdout)
    grade_of = {rule["code"]: rule["fix"] for rule in table["rules"]}
    folders = sorted(path for pattern in ("samples/*", "tests/conformance/*/*", "tests/golden/lint/*", "tests/golden/fmt/*", "lib/rules/*/bad")
                     for path in ROOT.glob(pattern) if path.is_dir())
    if "--all" not in sys.argv:
        folders = folders[::8]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda folder: check(espalier, folder, grade_of), folders))
    faults = [fault for result in results for fault in result[0]]
    if "--all" in sys.argv:
        never = {rule for rule, grade in grade_of.items() if grade != "none"}.difference(*(result[1] for result in results))
        faults += [f"no case has a finding of {rule} with a fix, and the table says {grade_of[rule]}" for rule in sorted(never)]
    for fault in faults:
        print(fault)
    print(f"{len(folders)} folders, {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
