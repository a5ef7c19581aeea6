#!/usr/bin/env python3
"""Tests of --watch: watch.py ESPALIER

A run follows each change of a file; on a terminal the screen is cleared first, elsewhere a line separates results. What is half
written keeps the last result. An interrupt ends it with status 0. All waits are for output, with a limit that a slow machine
does not reach.
"""
import os
import pathlib
import pty
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ESPALIER = pathlib.Path(sys.argv[1]).resolve()
SQUAD = pathlib.Path(__file__).resolve().parents[2] / "samples" / "squad"
CLEAR = "\x1b[2J\x1b[H"
WAITS = "waits for changes until Ctrl-C"
LIMIT = 60  # seconds


def receive_interrupts():
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Watching:
    """The program while it watches, with its output in a pipe or on a terminal of its own."""

    def __init__(self, folder, *words, on_terminal=False):
        self.output, end = pty.openpty() if on_terminal else os.pipe()
        environment = dict(os.environ) | {"TERM": "xterm", "XDG_CACHE_HOME": "/dev/null"}
        self.process = subprocess.Popen([ESPALIER, *words], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=end,
                                        stderr=end, preexec_fn=receive_interrupts)
        os.close(end)

    def shown(self, until=WAITS):
        """The output up to the end of the line with this text."""
        text = b""
        end = time.monotonic() + LIMIT
        while until.encode() not in text or not text.endswith(b"\n"):
            assert time.monotonic() < end, f"no {until!r} in {text.decode()!r}"
            if select.select([self.output], [], [], 0.2)[0]:
                read = os.read(self.output, 65536)
                assert read, f"ended after {text.decode()!r}"
                text += read
        return text.decode().replace("\r\n", "\n")

    def interrupt(self):
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(LIMIT) == 0, "an interrupt is not the end with status 0"
        os.close(self.output)


def write(path, text):
    """In one step, as many editors do: a run in between would be one more."""
    other = path.with_name(path.name + "~")
    other.write_text(text)
    other.replace(path)


def check_lint(folder):
    tree = folder / "squad.xml"
    whole = tree.read_text()
    run = Watching(folder, "lint", "--watch")
    assert run.shown().startswith("no findings in 2 files\n")

    write(tree, whole.replace("<Leaf ", "<Leef ", 1))
    shown = run.shown()
    assert shown.startswith("--- changed: squad.xml ---\n") and "did you mean 'Leaf'?" in shown, shown

    write(tree, whole[:len(whole) // 2])
    shown = run.shown()
    assert "squad.xml:" in shown and ": the last result is kept\n" in shown and "---" not in shown, shown

    write(tree, whole)
    assert run.shown().startswith("--- changed: squad.xml ---\nno findings in 2 files\n")

    (folder / "more").mkdir()
    write(folder / "notes.txt", "not a file that is read")
    write(folder / "espalier.json", '{"rules": {"mixed-operators": "eror"}}')
    shown = run.shown()
    assert shown.startswith("--- changed: espalier.json ---\n") and "unknown-severity" in shown, shown
    write(folder / "espalier.json", '{"paths": ["squad.xml"')
    assert "the last result is kept" in run.shown()
    write(folder / "espalier.json", "{}")
    assert "--- changed: espalier.json ---\nno findings" in run.shown()
    write(folder / "more" / "new.xml", "<Nothing/>")
    assert "--- changed: more/new.xml ---\n" in run.shown()
    write(folder / "more" / "CMakeLists.txt", "find_package(behaviortree_cpp_v3)")  # which version trees are for
    assert "--- changed: more/CMakeLists.txt ---\n" in run.shown()
    run.interrupt()


def check_replay(folder):
    trace = folder / "firefight.trace.jsonl"
    whole = trace.read_text()
    run = Watching(folder, "replay", "squad.xml", "blocks.xml", "--trace", trace.name, "--watch")
    assert run.shown().startswith("ok  firefight.trace.jsonl")
    write(trace, whole + '{"expect": {"behavior": "Nothing"}}\n')
    shown = run.shown()
    assert shown.startswith("--- changed: firefight.trace.jsonl ---\n") and " cannot be replayed\n" in shown, shown
    write(trace, whole + '{"expect": {"beh')
    assert "the last result is kept" in run.shown()
    write(trace, whole)
    assert "---\nok  firefight.trace.jsonl" in run.shown()
    write(folder / "squad.xml", (folder / "squad.xml").read_text() + "\n")
    assert run.shown().startswith("--- changed: squad.xml ---\nok  firefight")
    run.interrupt()


def check_terminal(folder):
    tree = folder / "squad.xml"
    run = Watching(folder, "lint", "--watch", on_terminal=True)
    assert CLEAR not in run.shown()
    write(tree, tree.read_text() + "\n")
    assert run.shown().startswith(CLEAR + "no findings in 2 files\n")
    run.interrupt()


def check_end(folder):
    """The program ends when nobody reads its output, and at once when there is nothing to watch."""
    run = Watching(folder, "lint", "--watch", "--quiet")
    os.close(run.output)
    assert run.process.wait(LIMIT) == 0
    done = subprocess.run([ESPALIER, "lint", "--watch", "no-such-folder"], cwd=folder, capture_output=True, timeout=LIMIT)
    assert done.returncode == 2 and b"no-such-folder" in done.stderr, done
    for words in (["lint", "-"], ["lint", "--format", "json"], ["replay", "squad.xml", "--trace", "-"]):
        done = subprocess.run([ESPALIER, *words, "--watch"], cwd=folder, capture_output=True, timeout=LIMIT, stdin=subprocess.DEVNULL)
        assert done.returncode == 2 and b"'--watch'" in done.stderr, done


def main():
    checks = (check_lint, check_replay, check_terminal, check_end)
    for check in checks:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name) / "squad"
            shutil.copytree(SQUAD, folder)
            check(folder)
    print(f"{len(checks)} checks of --watch hold")


main()
