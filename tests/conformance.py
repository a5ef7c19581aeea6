#!/usr/bin/env python3
"""Runs conformance cases: conformance.py ESPALIER FOLDER [--without=OTHER] [--once|--xml] [--slower=N] [CASE...]

A case is a folder in FOLDER: a small project. With `findings.json`, `lint --format json .` run in it must give that exit
status and exactly those errors and warnings, told by file, line and severity (notes are free). Otherwise every
*.trace.jsonl in it is replayed twice, from the XML and from the compiled asset, and every expectation must hold.

--once replays all traces of a case together, from the asset alone, and --xml from the XML alone, which compiles in memory: for programs
that are slow to start.
--slower=N: each run may take so many times as long as usual, for emulators.
--without=OTHER leaves out the cases whose names the folder OTHER has too: those are run there, and newer.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

SLOWER = "--slower="
TIMEOUT_s = 60 * max([1, *(int(word.removeprefix(SLOWER)) for word in sys.argv if word.startswith(SLOWER))])


def run(espalier, case, *words):
    return subprocess.run([espalier, *words], cwd=case, capture_output=True, text=True, timeout=TIMEOUT_s)


def findings_of(report):
    return {(entry["file"].removeprefix("./"), entry["line"], entry["severity"])
            for entry in report["findings"] if entry["severity"] != "note"}


def show(findings):
    return "".join(f"\n    {file}:{line}: {severity}" for file, line, severity in sorted(findings))


def check_findings(espalier, case):
    expected = json.loads((case / "findings.json").read_text())
    done = run(espalier, case, "lint", "--format", "json", ".")
    if done.returncode != expected["exit"]:
        return f"lint: exit status {done.returncode}, expected {expected['exit']}\n{done.stderr}"
    found, wanted = findings_of(json.loads(done.stdout)), findings_of(expected)
    faults = [f"\n  {title}:{show(some)}" for title, some in (("missing", wanted - found), ("beyond", found - wanted)) if some]
    return "".join(faults) or None


def check_traces(espalier, case, traces, trees):
    done = run(espalier, case, "replay", trees, "--trace", *traces)
    if done.returncode:
        source = "XML" if trees == "." else "the asset"
        return f"{', '.join(traces)}, from {source}: exit status {done.returncode}\n{done.stdout}{done.stderr}"
    return None


def check_replay(espalier, case, options):
    traces = sorted(trace.name for trace in case.glob("*.trace.jsonl"))
    if not traces:
        return "there is neither a trace nor findings.json"
    if "--xml" in options:
        return check_traces(espalier, case, traces, ".")
    is_once = "--once" in options
    with tempfile.TemporaryDirectory() as temporary:
        asset = os.path.join(temporary, "case.espb")
        done = run(espalier, case, "compile", ".", "-o", asset)
        if done.returncode:
            return f"compile: exit status {done.returncode}\n{done.stdout}{done.stderr}"
        for some in [traces] if is_once else [[trace] for trace in traces]:
            for trees in (asset,) if is_once else (".", asset):
                if fault := check_traces(espalier, case, some, trees):
                    return fault
    return None


def check(espalier, case, options):
    """The first difference, or None."""
    try:
        is_finding_case = (case / "findings.json").exists()
        return check_findings(espalier, case) if is_finding_case else check_replay(espalier, case, options)
    except subprocess.TimeoutExpired:
        return f"ran for more than {TIMEOUT_s} seconds"
    except (json.JSONDecodeError, KeyError) as error:
        return f"findings that cannot be read: {error!r}"


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    espalier, folder, rest = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]), sys.argv[3:]
    others = [pathlib.Path(word.removeprefix("--without=")) for word in rest if word.startswith("--without=")]
    chosen = [word for word in rest if not word.startswith("--")]
    left_out = {entry.name for other in others for entry in other.iterdir()}
    cases = sorted(entry for entry in folder.iterdir() if entry.is_dir() and (not chosen or entry.name in chosen))
    if others:
        cases = [case for case in cases if case.name not in left_out]
        if not cases:
            print(f"no cases of {folder.name} beyond those of {others[0]}")
            return
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = list(pool.map(lambda case: check(espalier, case, rest), cases))
    for case, fault in zip(cases, faults):
        if fault:
            print(f"{case}: {fault}")
    print(f"{len(cases) - sum(map(bool, faults))} of {len(cases)} cases of {folder.name} hold")
    sys.exit(any(faults) or not cases)


main()
