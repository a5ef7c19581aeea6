#!/usr/bin/env python3
"""Compares what `import` tells of logs with what really happened: truth.py ESPALIER [FOLDER]

FOLDER (default: this one) has logs NAME.btlog, and NAME.truth.jsonl with the answers of leaves in each update, in their order. Each update
that changed a status must be told with these answers, and be certain. Traces of logs must replay. Of logs without their first updates,
what is told as certain must be true. A log of a million changes, which
repeats a short one, is imported with less than 200 MB.
"""
import itertools
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
# Before every which record a recorder begins late. Of nav's tree all that it remembers can be seen or follows.
LATE = {"nav": 4, "patrol": 60}
MILLION, MEMORY_kb = 1_000_000, 200_000


def truth_of(path):
    """Of each run, the answers in the updates that changed something, and how many changes there were."""
    runs = []
    for line in path.read_text().splitlines():
        event = json.loads(line)
        if "run" in event:
            runs.append([])
        elif "update" in event and any(each[0] == "s" for each in event["events"]):
            answers = [(each[1], each[2]) for each in event["events"] if each[0] == "a"]
            runs[-1].append((answers, sum(each[0] == "s" for each in event["events"])))
    return runs


def told_of(espalier, log):
    """The answers in each update, None where it is not certain, and the summary."""
    done = subprocess.run([espalier, "import", log, "--format", "jsonl"], capture_output=True, text=True, check=False)
    updates, now = [], []
    for line in done.stdout.splitlines():
        event = json.loads(line)
        if event.get("event") in ("tick", "ask"):
            now.append((event["uid"], RESULTS[event["result"]]))
        elif event.get("event") == "status":
            updates.append(now if event.get("certain", True) else None)
            now = []
    return updates, json.loads(done.stdout.splitlines()[-1])["import"]


def compare(espalier, folder):
    for log, name, run in LOGS:
        truth = [answers for answers, _ in truth_of(folder / f"{name}.truth.jsonl")[run]]
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


def parts_of(log):
    """What a log begins with, and its records."""
    head_bytes = 31 + struct.unpack("<i", log[19:23])[0]
    return log[:head_bytes], [log[i:i + 9] for i in range(head_bytes, len(log), 9)]


def late(espalier, folder):
    """Of a recorder that began in the middle of a run, or of an update, what is told as certain is true."""
    told_count = 0
    with tempfile.TemporaryDirectory() as temporary:
        path = pathlib.Path(temporary) / "late.btlog"
        for log, name, run in LOGS:
            head, records = parts_of((folder / log).read_bytes())
            truth = truth_of(folder / f"{name}.truth.jsonl")[run]
            ends = list(itertools.accumulate(changes for _, changes in truth))
            for first in range(1, ends[-2], LATE[name]):
                path.write_bytes(head + b"".join(records[first:]))
                updates, summary = told_of(espalier, path)
                told_count += sum(update is not None for update in updates)
                left = [answers for (answers, changes), end in zip(truth, ends) if end - changes >= first]
                if summary["fits"] is False:
                    yield f"{log} from record {first} on does not fit: {summary['first_misfit']}"
                elif name == "nav" and updates[len(updates) - len(left) + 1:] != left[1:]:
                    yield f"{log} from record {first} on is told as {updates}, and was {left}"
                for update, (was, _) in zip(reversed(updates), reversed(truth)):
                    if update is not None and update != was:
                        yield f"{log} from record {first} on: one is told as {update}, and was {was}"
    if told_count < 400:
        yield f"of logs that begin late, {told_count} updates are told"


def repeated(short, count):
    """A log whose run is repeated: its changes are those of a whole one, so that another can follow."""
    head, records = parts_of(short)
    changes = [(int.from_bytes(record[:6], "little"), record[6:]) for record in records]
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
    faults = [*compare(espalier, folder), *replayed(espalier, folder), *late(espalier, folder), *long_log(espalier, folder)]
    print("\n".join(faults))
    print(f"{len(LOGS)} logs compared with what happened: {len(faults)} faults")
    sys.exit(bool(faults))


main()
