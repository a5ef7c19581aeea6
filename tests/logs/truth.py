#!/usr/bin/env python3
"""Compares what `import` tells of logs with what really happened: truth.py ESPALIER FOLDER [NAME...]

FOLDER has NAME.btlog and NAME.truth.jsonl, in which each update has the answers of leaves in their order. Every update that changed
a status must have its answers in the same order; those that are not certain are counted.
"""
import json
import pathlib
import subprocess
import sys

RESULTS = {"running": 1, "success": 2, "failure": 3}


def truth_of(path):
    runs = []
    for line in path.read_text().splitlines():
        event = json.loads(line)
        if "run" in event:
            runs.append([])
        elif "update" in event and any(e[0] == "s" for e in event["events"]):
            runs[-1].append([(e[1], e[2]) for e in event["events"] if e[0] == "a"])
    return runs


def told_of(espalier, log, *words):
    done = subprocess.run([espalier, "import", log, *words, "--format", "jsonl"], capture_output=True, text=True)
    updates, now = [], []
    for line in done.stdout.splitlines():
        event = json.loads(line)
        if event.get("event") in ("tick", "ask"):
            now.append((event["uid"], RESULTS[event["result"]]))
        elif event.get("event") == "status":
            updates.append(now)
            now = []
        elif "import" in event:
            return updates, event["import"], done.stderr
    return updates, None, done.stderr


def main():
    espalier, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    bad = 0
    for name in sys.argv[3:]:
        log, _, run = name.partition("#")
        truth = truth_of(folder / (log.split(".")[0] + ".truth.jsonl"))[int(run or 0)]
        updates, summary, errors = told_of(espalier, folder / (log if "." in log else log + ".btlog"))
        differ = [i for i in range(max(len(truth), len(updates))) if truth[i:i + 1] != updates[i:i + 1]]
        print(f"{name}: {len(truth)} updates changed something; {len(updates)} told, {len(differ)} differ; {errors.strip()}")
        for i in differ[:5]:
            print(f"  update {i}: told {updates[i:i + 1]}, was {truth[i:i + 1]}")
        bad += bool(differ) or summary is None
    sys.exit(bad)


main()
