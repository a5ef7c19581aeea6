#!/usr/bin/env python3
"""Compares what `import` tells of logs with what really happened: truth.py ESPALIER [FOLDER]

FOLDER (default: this one) has logs NAME.btlog, and NAME.truth.jsonl with the answers of leaves in each update, in their order. Each update
that changed a status must be told with these answers, and be certain. Traces of logs must replay. A log of a million changes, which
repeats a short one, is imported with less than 200 MB.
"""
import json
import pathlib
import resource
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
RESULTS = {"running": 1, "success": 2, "failure": 3}
# A log, its truth, and which of the runs in there it is of.
LOGS = [("patrol.btlog", "patrol", 0), ("nav.btlog", "nav", 0), ("nav.second.btlog", "nav", 1)]
MILLION, MEMORY_kb = 1_000_000, 200_000


def truth_of(path):
    """Of each run, the answers in the updates that changed something."""
    runs = []
    for line in path.read_text().splitlines():
        event = json.loads(line)
        if "run" in event:
            runs.append([])
        elif "update" in event and any(each[0] == "s" for each in event["events"]):
            runs[-1].append([(each[1], each[2]) for each in event["events"] if each[0] == "a"])
    return runs


def told_of(espalier, log):
    done = subprocess.run([espalier, "import", log, "--format", "jsonl"], capture_output=True, text=True, check=True)
    updates, now = [], []
    for line in done.stdout.splitlines():
        event = json.loads(line)
        if event.get("event") in ("tick", "ask"):
            now.append((event["uid"], RESULTS[event["result"]]))
        elif event.get("event") == "status":
            updates.append(now)
            now = []
    return updates, json.loads(done.stdout.splitlines()[-1])["import"]


def compare(espalier, folder):
    for log, name, run in LOGS:
        truth = truth_of(folder / f"{name}.truth.jsonl")[run]
        updates, summary = told_of(espalier, folder / log)
        differing = [i for i in range(max(len(truth), len(updates))) if truth[i:i + 1] != updates[i:i + 1]]
        for i in differing[:5]:
            yield f"{log}: update {i} is told as {updates[i:i + 1]}, and was {truth[i:i + 1]}"
        if summary["certain"] != len(truth) or summary["fits"] is not True or summary["explained"] != summary["changes"]:
            yield f"{log}: of {len(truth)} updates {summary['certain']} are certain, {summary['explained']} changes explained"


def replayed(espalier, folder):
    with tempfile.TemporaryDirectory() as temporary:
        trace = pathlib.Path(temporary) / "run.trace.jsonl"
        subprocess.run([espalier, "import", "-q", folder / "patrol.btlog", "--format", "trace", "-o", trace], check=True)
        done = subprocess.run([espalier, "replay", "-q", "--isolated", folder / "patrol.xml", "--trace", trace], capture_output=True, text=True)
        if done.returncode != 0:
            yield f"the trace of a log does not replay: {done.stdout[-2000:]}"


def repeated(short, count):
    """A log whose run is repeated: its changes are those of a whole one, so that another can follow."""
    xml_bytes = struct.unpack("<i", short[19:23])[0]
    head, records = short[:31 + xml_bytes], short[31 + xml_bytes:]
    changes = [(int.from_bytes(records[i:i + 6], "little"), records[i + 6:i + 9]) for i in range(0, len(records), 9)]
    period_us = changes[-1][0] - changes[0][0] + 1_000_000
    runs = range(count // len(changes))
    return head + b"".join((at_us + run * period_us).to_bytes(6, "little") + rest for run in runs for at_us, rest in changes)


def long_log(espalier, folder):
    with tempfile.TemporaryDirectory() as temporary:
        log = pathlib.Path(temporary) / "long.btlog"
        log.write_bytes(repeated((folder / "nav.second.btlog").read_bytes(), MILLION))
        done = subprocess.run([espalier, "import", log, "--format", "trace"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        memory_kb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        if done.returncode != 0 or memory_kb > MEMORY_kb:
            yield f"a log of {MILLION} changes: status {done.returncode}, {memory_kb} KB, {done.stderr[-500:]}"


def main():
    espalier = sys.argv[1]
    folder = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else HERE
    faults = [*compare(espalier, folder), *replayed(espalier, folder), *long_log(espalier, folder)]
    print("\n".join(faults))
    print(f"{len(LOGS)} logs compared with what happened: {len(faults)} faults")
    sys.exit(bool(faults))


main()
