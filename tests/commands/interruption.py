#!/usr/bin/env python3
"""Tests of what an interrupt leaves of long explorations: interruption.py ESPALIER

Each tree is told when it is done. Then Ctrl-C or SIGTERM ends cover, diff and prove soon: what is known is printed in each format, what is
not is undecided, the exit status is 128 and the signal, and what was written are whole sets of traces. Nothing here depends on how fast
the machine is: the second tree would take hours.
"""
import json
import os
import pathlib
import select
import signal
import subprocess
import sys
import tempfile
import time

ESPALIER = pathlib.Path(sys.argv[1]).resolve()
SMALL = '<SynchronizedTree name="A"><Sequence><Action name="Go"/></Sequence></SynchronizedTree>'
REPEATS = "".join(f'<Repeat count="200"><Action name="A{i}"/></Repeat>' for i in range(8))
LARGE = (f'<SynchronizedTree name="B"><Selector><Succeed><Parallel success="all" failure="all">{REPEATS}</Parallel></Succeed>'
         '<Action name="Never"/></Selector></SynchronizedTree>')
PROPERTIES = {"properties": [{"name": "it goes", "tree": "A", "reachable": {"status": "running"}},
                             {"name": "it never fails", "tree": "B", "never": {"status": "failure"}}]}
BUDGET = ["--budget", "100000000", "-j", "1"]
MOST_SECONDS = 20  # until it ends, on a machine with much else to do


def receive_signals():
    """What runs the tests may ignore some, as nohup does, and its children would too."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def interrupted(folder, *words, number=signal.SIGINT, until=b"A", in_file=None):
    """Standard output and error of a run that gets a signal a second after it has written `until`, or the file."""
    run = subprocess.Popen([ESPALIER, *words, *BUDGET], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=receive_signals)
    output = b""
    end = time.monotonic() + MOST_SECONDS
    while time.monotonic() < end and not ((folder / in_file).exists() if in_file else until in output):
        if not in_file and select.select([run.stdout], [], [], 0.1)[0]:
            output += os.read(run.stdout.fileno(), 65536)
        elif in_file:
            time.sleep(0.05)
    assert run.poll() is None, f"{words}: it ended by itself: {output} {run.stderr.read()}"
    time.sleep(1)
    run.send_signal(number)
    rest, errors = run.communicate(timeout=MOST_SECONDS)
    assert run.returncode == 128 + number, (words, run.returncode, output + rest, errors)
    return (output + rest).decode(), errors.decode()


def check_cover(folder):
    output, errors = interrupted(folder, "cover", "trees", until=b"\n\n")
    assert output.startswith("A\n") and "\nB\n" in output, output
    assert "undecided: the exploration was interrupted, in " in output, output
    assert errors == "espalier: interrupted: 1 of 2 trees is done\n", errors


def check_traces(folder):
    output, errors = interrupted(folder, "cover", "trees", "-o", "traces", "--format", "json", number=signal.SIGTERM, in_file="traces/A-1.trace.jsonl")
    cover = json.loads(output)
    assert cover["interrupted"] is True
    small, large = cover["trees"]
    assert all(item["reached"] and item["trace"] for item in small["items"]), small
    assert any(item["reached"] is None for item in large["items"]), large
    assert all(item["trace"] is None for item in large["items"]), large
    files = sorted(os.listdir(folder / "traces"))
    assert files and all(name.startswith("A-") and name.endswith(".trace.jsonl") for name in files), files
    assert f"{len(files)} trace" in errors and "1 of 2 trees is done" in errors, errors
    subprocess.run([ESPALIER, "replay", "trees", "--trace", "traces", "-q"], cwd=folder, check=True)


def check_diff(folder):
    output, errors = interrupted(folder, "diff", "trees", "changed", until=b"A: ")
    assert output.startswith("A: 3 differences\nB: undecided: no difference in the "), output
    assert output.count("undecided: no") == 1 and "the exploration was interrupted" in output, output
    assert errors.endswith("espalier: interrupted: 1 of 2 trees is done\n"), errors


def check_prove(folder):
    output, errors = interrupted(folder, "prove", "trees", until=b"ok")
    assert output.startswith("ok  A: it goes"), output
    assert "1 property holds, 1 is undecided\n" in errors and "1 of 2 answers is done" in errors, errors


def check_older_traces(folder):
    """Traces of an earlier version of a tree are named, and left."""
    (folder / "traces").mkdir(exist_ok=True)
    (folder / "traces" / "A-99.trace.jsonl").write_text('{"trace": 1, "tree": "A"}\n')
    (folder / "traces" / "A-own.trace.jsonl").write_text('{"trace": 1, "tree": "A"}\n')
    done = subprocess.run([ESPALIER, "cover", "trees", "--tree", "A", "-o", "traces"], cwd=folder, capture_output=True, text=True, check=True)
    assert "espalier: an earlier run has left 'A-99.trace.jsonl' in traces\n" in done.stderr, done.stderr
    assert {"A-99.trace.jsonl", "A-own.trace.jsonl"} <= set(os.listdir(folder / "traces"))


def main():
    checks = (check_cover, check_traces, check_diff, check_prove, check_older_traces)
    for check in checks:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for version, action in (("trees", "Go"), ("changed", "Stay")):
                (folder / version).mkdir()
                (folder / version / "a.xml").write_text(SMALL.replace("Go", action))
                (folder / version / "b.xml").write_text(LARGE if version == "trees" else LARGE.replace('count="200"', 'count="201"'))
                (folder / version / "all.properties.json").write_text(json.dumps(PROPERTIES))
                (folder / version / "espalier.json").write_text("{}")
            check(folder)
    print(f"{len(checks)} checks of interrupts hold")


main()
