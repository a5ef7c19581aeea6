#!/usr/bin/env python3
"""Runs golden cases: golden.py ESPALIER [FOLDER...] [--update] [--except=FILE] [--every=N] [--slower=N]

A case is a folder below tests/golden (or FOLDER) with a file `command`: one line, run by sh in a copy of the case's
folder with `espalier` on PATH. `expected` is all it writes, standard output and error together; `status` its exit
status, 0 where there is no such file. --update rewrites both, for review in the diff.

Each rule's folder in lib/rules (or below FOLDER) is a case too, by its file `why.md`. Its command is `espalier lint`
unless it has a file `command`. In a copy of `bad` it writes `expected`, with the rule's findings and no others; in a
copy of `good` it succeeds without any. If the rule's findings can carry fixes, that of `bad` does, with a grade that
is not less safe than the rule's; --update writes `good` by them, if it is missing.

--except=FILE: cases that cannot hold for this program, a line each, with the reason. They are run too, and must not hold.
--every=N: only every Nth case, and of these none with a file `slow`, which take a sanitized program more than five seconds.
--slower=N: a case may run for so many times as long as usual, for emulators.
"""
import difflib
import functools
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

TESTS = pathlib.Path(__file__).resolve().parent
RULES = TESTS.parent / "lib" / "rules"
SLOWER, EVERY = "--slower=", "--every="


def number(option):
    return max([1, *(int(word.removeprefix(option)) for word in sys.argv if word.startswith(option))])


TIMEOUT_s = 200 * number(SLOWER)
KEPT_FROM_CASE = ("command", "expected", "status", "slow")
FINDING = re.compile(r"\[([a-z0-9-]+) ([A-Z]{3}[0-9]{3})\]")
# Rules the examples of which would have thousands of lines.
WITHOUT_EXAMPLE = ("AST010", "BTC019", "DEC108", "DRA030", "LOG012", "MBT012", "SEL024", "SEL112", "XML013")


def environment(espalier):
    """With the program and what tests bring first on PATH, and nothing that changes what is written. No case finds what another
    has left in a cache; one about the cache names its own."""
    kept = {name: value for name, value in os.environ.items() if name not in ("CLICOLOR_FORCE", "FORCE_COLOR", "COLUMNS")}
    path = os.pathsep.join((str(espalier.parent), str(TESTS / "assets"), str(TESTS / "logs"), os.environ["PATH"]))
    return kept | {"PATH": path, "NO_COLOR": "1", "LC_ALL": "C.UTF-8", "XDG_CACHE_HOME": "/dev/null"}


def run(espalier, case, command):
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / case.name
        shutil.copytree(case, folder, ignore=shutil.ignore_patterns(*KEPT_FROM_CASE))
        with subprocess.Popen(["sh", "-c", command], cwd=folder, env=environment(espalier), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True) as process:
            try:
                output, _ = process.communicate(timeout=TIMEOUT_s)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)  # what the shell has started holds the pipe, too
                raise
    return output.decode("utf-8", "backslashreplace"), process.returncode


def read(file, otherwise):
    return file.read_text() if file.exists() else otherwise


def differences(case, output):
    if not (case / "expected").exists():
        return ["there is no file 'expected'; --update writes it"]
    expected = (case / "expected").read_text()
    lines = list(difflib.unified_diff(expected.splitlines(), output.splitlines(), "expected", "actual", lineterm=""))
    return lines or (["the last line's end differs"] if expected != output else [])


class Golden:
    def __init__(self, espalier, case):
        self.espalier, self.case = espalier, case

    def run(self):
        return run(self.espalier, self.case, (self.case / "command").read_text())

    def faults(self):
        output, status = self.run()
        expected_status = int(read(self.case / "status", "0"))
        faults = [f"exit status {status}, expected {expected_status}"] if status != expected_status else []
        return faults + differences(self.case, output)

    def update(self):
        output, status = self.run()
        (self.case / "expected").write_text(output)
        if status:
            (self.case / "status").write_text(f"{status}\n")
        else:
            (self.case / "status").unlink(missing_ok=True)
        return []


@functools.lru_cache
def table(espalier):
    listed = subprocess.run([espalier, "explain", "--format", "json"], stdout=subprocess.PIPE, check=True).stdout
    return {f"{rule['code']}-{rule['rule']}": rule for rule in json.loads(listed)["rules"]}


class Rule:
    def __init__(self, espalier, case):
        self.espalier, self.case = espalier, case
        self.command = read(case / "command", "espalier lint").strip()

    def has_example(self):
        return (self.case / "bad").exists()

    def faults(self):
        rule = table(self.espalier).get(self.case.name)
        if rule is None:
            return ["no rule has this code and name"]
        if not self.has_example():
            return [] if rule["code"] in WITHOUT_EXAMPLE else ["there is no folder 'bad'"]
        if not (self.case / "good").exists():
            return ["there is no folder 'good'"]
        bad, bad_status = run(self.espalier, self.case / "bad", self.command)
        good, status = run(self.espalier, self.case / "good", self.command)
        faults = differences(self.case, bad)
        found = set(FINDING.findall(bad))
        if found != {(rule["rule"], rule["code"])}:
            faults.append(f"the bad example gives {sorted(found)} and exit status {bad_status}")
        if status or FINDING.search(good):
            faults.append(f"the good example gives exit status {status} and\n{good}")
        return faults + self.faults_of_fixes(rule["fix"])

    def faults_of_fixes(self, grade):
        if not self.command.startswith("espalier lint"):
            return [] if grade == "none" else ["only findings of lint carry fixes"]
        output, _ = run(self.espalier, self.case / "bad", self.command + " --format json")
        fixes = [fix for finding in json.loads(output)["findings"] if "fix" in finding
                 for fix in (finding["fix"], *finding.get("alternatives", ()))]
        faults = [f"the rule's fix grade is {grade}, and there is no fix"] if grade != "none" and not fixes else []
        return faults + [f"the rule's fix grade is {grade}, and there is a fix that is {fix['grade']}"
                         for fix in fixes if grade not in (fix["grade"], "unsafe")]

    def update(self):
        if self.has_example():
            if not (self.case / "good").exists() and table(self.espalier)[self.case.name]["fix"] != "none":
                self.write_good()
            (self.case / "expected").write_text(run(self.espalier, self.case / "bad", self.command)[0])
        return []

    def write_good(self):
        """The bad example with all fixes."""
        shutil.copytree(self.case / "bad", self.case / "good")
        subprocess.run(["sh", "-c", f"{self.command} --fix --unsafe --quiet"], cwd=self.case / "good",
                       env=environment(self.espalier), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def cases_below(espalier, folder):
    rules = {file.parent for file in folder.rglob("why.md")}
    golden = {file.parent for file in folder.rglob("command")} - rules
    return [Rule(espalier, case) for case in sorted(rules)] + [Golden(espalier, case) for case in sorted(golden)]


def attempt(action):
    try:
        return "\n".join(action())
    except subprocess.TimeoutExpired:
        return f"ran for more than {TIMEOUT_s} seconds"


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    options = set(sys.argv[1:]) - set(words)
    tables = [option.partition("=")[2] for option in options if option.startswith("--except=")]
    others = {option for option in options if not option.startswith(("--except=", SLOWER, EVERY))}
    if not words or others - {"--update"}:
        sys.exit(__doc__)
    excepted = {}
    for name in tables:
        lines = [line for line in pathlib.Path(name).read_text().splitlines() if not line.startswith("#")]
        excepted |= dict(line.split(maxsplit=1) for line in lines)
    espalier = pathlib.Path(words[0]).resolve()
    folders = [pathlib.Path(word) for word in words[1:]] or [TESTS / "golden", RULES]
    cases = [case for folder in folders for case in cases_below(espalier, folder)][::number(EVERY)]
    if number(EVERY) > 1:
        cases = [case for case in cases if not (case.case / "slow").exists()]
    is_update = "--update" in sys.argv
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = list(pool.map(lambda case: attempt(case.update if is_update else case.faults), cases))
    is_bad = False
    for case, fault in zip(cases, faults):
        reason = excepted.get(case.case.name)
        if fault and reason:
            print(f"{case.case.name} does not hold: {reason}")
        elif fault or reason:
            print(f"{case.case}: {fault or 'holds, but is excepted'}\n")
            is_bad = True
    print(f"{len(cases) - sum(map(bool, faults))} of {len(cases)} golden cases hold")
    sys.exit(is_bad or not cases)


main()
