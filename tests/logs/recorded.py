#!/usr/bin/env python3
"""Compares what `import` tells of recordings with what really happened: recorded.py ESPALIER

NAME.btrec was written by samples/ros/espalier_recorder.h in a program with BehaviorTree.CPP 4.10, and NAME.btrec.truth.jsonl by the leaves and
the loop of the same program: a line is one tickOnce(), with the answers `["a", uid, result]` and outputs `["w", uid, port, value]` of leaves
in their order, `["x", uid]` for an exception, and the entries behind it; or `{"halt": true}`. Every update must be told as it was, and be
certain. A recording that is cut anywhere tells the updates before the cut; one that is damaged gives no crash, and a
small one that was made to take long does not.
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
RESULTS = {"running": 1, "success": 2, "failure": 3, "skipped": 4, "error": 0}
# Of each recording, the leaves whose ticks the library does not tell (threads and coroutines), which have no truth.
RECORDINGS = {"patrol": (), "arm": (), "nav": (), "go": (), "scan": (5, 6), "halted": (), "remapped": ()}
CUTS, DAMAGES = 40, 60


def told_of(espalier, log, untold=()):
    """Of each update its answers, its status and the entries behind it; the summary; and the notes."""
    done = subprocess.run([espalier, "import", log, "--format", "jsonl"], capture_output=True, text=True)
    updates, answers, entries, summary = [], [], {}, None
    for line in done.stdout.splitlines():
        event = json.loads(line)
        if event.get("event") in ("tick", "ask") and event["uid"] not in untold:
            answers.append((event["uid"], RESULTS[event["result"]]))
        elif event.get("event") == "set":
            entries[event["name"]] = event.get("value")
        elif event.get("event") == "status":
            updates.append((answers, RESULTS[event["name"]], dict(entries)))
            answers = []
        summary = event.get("import", summary)
    return updates, summary, done


def truth_of(log):
    events = [json.loads(line) for line in pathlib.Path(f"{log}.truth.jsonl").read_text().splitlines()]
    return [event for event in events if "update" in event]


def is_same(told, truth):
    try:
        return float(told) == float(truth)
    except (TypeError, ValueError):
        return told == truth or (told is None and truth == "")


def compare(espalier, name, untold):
    updates, summary, done = told_of(espalier, HERE / f"{name}.btrec", untold)
    truth = truth_of(HERE / f"{name}.btrec")
    if summary is None or summary["fits"] is not True or summary["certain"] != summary["updates"]:
        yield f"{name}: not all is certain: {summary} {done.stderr}"
        return
    if len(updates) != summary["updates"]:
        yield f"{name}: {summary['updates']} updates, {len(updates)} told"
    # The update of an exception has the answers before it; a timer that is due may give an update of its own.
    threw = [event for event in truth if event["threw"]]
    if done.stderr.count("LOG013") != len(threw):
        yield f"{name}: {len(threw)} updates end with an exception, {done.stderr.count('LOG013')} told"
    place, told_answers, behind = 0, [], {}
    for i, event in enumerate(truth):
        answers = [(each[1], each[2]) for each in event["update"] if each[0] == "a"]
        told_answers, status, is_first = [], None, True
        while place < len(updates) and (is_first or (len(told_answers) < len(answers) and not event["threw"])):
            told_answers = told_answers + updates[place][0]
            status, behind = updates[place][1:]
            place += 1
            is_first = False
        if event["threw"]:
            if told_answers[:len(answers)] != answers:
                yield f"{name}: update {i} is told as {told_answers}, and an exception ended {answers}"
            continue
        if told_answers != answers or status != event["status"]:
            yield f"{name}: update {i} is told as {told_answers} {status}, and was {answers} {event['status']}"
            return
        wrong = [key for key, value in (event["entries"] or {}).items() if key in behind and not is_same(behind[key], value)]
        if wrong:
            yield f"{name}: behind update {i} {wrong[0]} is told as {behind[wrong[0]]}, and was {event['entries'][wrong[0]]}"


def cut(espalier, name, folder):
    """Whatever the end that is missing, what comes before is told."""
    data = (HERE / f"{name}.btrec").read_bytes()
    whole, _, _ = told_of(espalier, HERE / f"{name}.btrec")
    first = 29 + int.from_bytes(data[25:29], "little")
    for i in range(CUTS):
        size = first + (len(data) - first) * i // CUTS
        (folder / "cut.btrec").write_bytes(data[:size])
        updates, summary, done = told_of(espalier, folder / "cut.btrec")
        if done.returncode != 0:
            yield f"{name}, cut at byte {size}: exit status {done.returncode}: {done.stderr}"
        elif [each[0] for each in updates[:-1]] != [each[0] for each in whole[:max(0, len(updates) - 1)]]:
            yield f"{name}, cut at byte {size}: told is something else"


def damaged(espalier, name, folder):
    data = (HERE / f"{name}.btrec").read_bytes()
    first = 29 + int.from_bytes(data[25:29], "little")
    numbers = random.Random(1)
    for _ in range(DAMAGES):
        bytes_now = bytearray(data)
        for _ in range(numbers.randint(1, 4)):
            bytes_now[numbers.randrange(first, len(data))] = numbers.randrange(256)
        (folder / "damaged.btrec").write_bytes(bytes_now)
        _, _, done = told_of(espalier, folder / "damaged.btrec")
        if done.returncode not in (0, 1, 2):
            yield f"{name}: a damaged recording gives exit status {done.returncode}: {done.stderr[-500:]}"


# Small files that stand for much work, and what is told of them.
SLOW_S = 10
TREE = b"""<root BTCPP_format="4" main_tree_to_execute="M"><BehaviorTree ID="M" _fullpath=""><Sequence _uid="1">
<Sleep _uid="2" msec="100"/><Act _uid="3"/><Other _uid="4"/></Sequence></BehaviorTree>
<TreeNodesModel><Action ID="Act"/><Action ID="Other"/></TreeNodesModel></root>"""
BEGIN = b"s\1\1\0" b"s\2\1\0" b"t\2\1u\1\0"
SLOW = {
    "a long update, repeated": (BEGIN + b"t\3\2" * 60_000 + b"u\1\0" + b"r\0" * 60_000, "too many records or values"),
    "updates that may belong to each one before": (BEGIN + b"t\2\1u\1\xC0\x9A\x0C" + b"r\0" * 50_000 + b"t\4\2u\1\0",
                                                   "update 50002, 0.2 s: error"),
}


def slow(espalier, folder):
    header = b"espalier-btrec\1" + bytes(8) + b"\1\0" + len(TREE).to_bytes(4, "little") + TREE
    for name, (records, told) in SLOW.items():
        (folder / "slow.btrec").write_bytes(header + records)
        try:
            done = subprocess.run([espalier, "import", folder / "slow.btrec"], capture_output=True, text=True, timeout=SLOW_S)
        except subprocess.TimeoutExpired:
            yield f"{name}: takes more than {SLOW_S} s"
            continue
        if done.returncode != 1 or told not in done.stderr:
            yield f"{name}: exit status {done.returncode}: {done.stderr[-500:]}"


def main():
    espalier = sys.argv[1]
    faults = [fault for name, untold in RECORDINGS.items() for fault in compare(espalier, name, untold)]
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        faults += [*cut(espalier, "go", folder), *damaged(espalier, "patrol", folder), *slow(espalier, folder)]
    print("\n".join(faults))
    print(f"{len(RECORDINGS)} recordings compared with what happened, {CUTS} cut, {DAMAGES} damaged: {len(faults)} faults")
    sys.exit(bool(faults))


main()
