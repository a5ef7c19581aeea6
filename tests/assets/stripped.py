#!/usr/bin/env python3
"""Stripped assets replay like whole ones, except for names: stripped.py ESPALIER FOLDER...

Each folder below FOLDER with traces is a project, compiled with and without --strip: every fourth, or all with ESPALIER_ALL_TESTS. What happens in each trace must be
the same, event by event: when, of which agent, which kind, and all values. Only names that --strip drops differ: of
deciders and gates, the ids of rules, the places in messages, printed agents. Expectations are left out, as some ask for such
names; so are reloads, which find the parts of agents by them, and answers at places.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

# Events that are named after what the asset keeps: behaviours, signals, variables, statuses, texts that are logged.
KEPT = {"enter", "tick", "leave", "interrupt", "reset", "signal", "send", "set", "log", "status", "refuse", "ask"}


def run(espalier, folder, *words):
    return subprocess.run([str(espalier), *words], cwd=folder, capture_output=True, text=True, timeout=120)


def asks_for_names(line):
    try:
        line = json.loads(line)
        return bool({"expect", "reload"} & line.keys()) or any("@" in name or "#" in name for name in line.get("host", {}))
    except (json.JSONDecodeError, AttributeError):
        return False


def names_files(trace):
    """Does it say which file its trees are of? --strip drops files."""
    return b'"file":' in trace.read_bytes()


def events(espalier, folder, asset, trace):
    done = run(espalier, folder, "replay", asset, "--trace", trace.name, "--format", "jsonl")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return [line for line in lines if "event" in line], done.returncode  # not the findings of the trace


def comparable(event):
    """Without what --strip omits."""
    kept = {key: value for key, value in event.items() if key not in ("rules", "file", "line", "node", "text")}
    if event["event"] not in KEPT:
        kept.pop("name")
    return kept


def compare(espalier, folder, trace):
    """The difference, or None; and the number of events."""
    lines = trace.read_bytes().splitlines(keepends=True)
    trace.write_bytes(b"".join(line for line in lines if not asks_for_names(line)))
    (whole, status), (stripped, other) = (events(espalier, folder, asset, trace) for asset in ("../whole.espb", "../stripped.espb"))
    if status != other:
        return f"exit status {status}, and {other} of the stripped asset", 0
    for i, (one, two) in enumerate(zip(map(comparable, whole), map(comparable, stripped))):
        if one != two:
            return f"event {i + 1} is {one}, and {two} of the stripped asset", i
    if len(whole) != len(stripped):
        return f"{len(whole)} events, and {len(stripped)} of the stripped asset", 0
    return None, len(whole)


def check(espalier, project):
    """What differs, of each trace, and the numbers of events. Nothing: it cannot be compiled."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / "project"
        shutil.copytree(project, folder)
        for words in (("../whole.espb",), ("../stripped.espb", "--strip")):
            if run(espalier, folder, "compile", ".", "-q", "-o", *words).returncode:
                return []
        return [(project / trace.name, *compare(espalier, folder, trace)) for trace in sorted(folder.glob("*.trace.jsonl")) if not names_files(trace)]


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    espalier = pathlib.Path(sys.argv[1]).resolve()
    projects = sorted({trace.parent for folder in sys.argv[2:] for trace in pathlib.Path(folder).rglob("*.trace.jsonl")})
    if "ESPALIER_ALL_TESTS" not in os.environ:
        projects = projects[::4]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = sum(pool.map(lambda project: check(espalier, project), projects), [])
    differing = [(trace, difference) for trace, difference, _ in results if difference]
    for trace, difference in differing:
        print(f"{trace}: {difference}")
    print(f"{len(results) - len(differing)} of {len(results)} traces are the same of stripped assets, but for names: "
          f"{sum(count for _, _, count in results)} events")
    sys.exit(bool(differing) or not results)


if __name__ == "__main__":
    main()
