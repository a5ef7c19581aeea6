#!/usr/bin/env python3
"""Tests of what only happens on a terminal: terminal.py ESPALIER

Work of more than a second shows a line of progress on standard error; it is gone before anything else is written, an
interrupt ends the program and leaves a clean line, and without a terminal or with --quiet nothing is shown. Codes of
findings are links there.
"""
import json
import os
import pathlib
import pty
import select
import signal
import subprocess
import sys
import tempfile
import time

ESPALIER = pathlib.Path(sys.argv[1]).resolve()
TREE = b'<SelectionTree name="Guard" type="BehaviorSelectionTree"><Leaf name="Idle"/></SelectionTree>'
CLEAR = b"\r\x1b[K"


def receive_signals():
    """What runs the tests may ignore some, as nohup does, and its children would too."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


class OnTerminal:
    """The program, with standard error on a terminal of its own and standard output in a pipe. The tree that comes through standard
    input takes as long as its writer."""

    def __init__(self, folder, *words):
        self.terminal, other = pty.openpty()
        environment = dict(os.environ) | {"TERM": "xterm"}
        self.process = subprocess.Popen([ESPALIER, *words], cwd=folder, env=environment, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=other, preexec_fn=receive_signals)
        os.close(other)

    def finish_tree(self):
        self.process.stdin.write(TREE)
        self.process.stdin.close()

    def shown(self, seconds, until=None):
        """The output on the terminal within this many seconds, or until this text appears."""
        text = b""
        end = time.monotonic() + seconds
        while time.monotonic() < end and (until is None or until not in text):
            if select.select([self.terminal], [], [], 0.1)[0]:
                try:
                    text += os.read(self.terminal, 65536)
                except OSError:  # the last writer is gone
                    break
        return text


def check_progress(folder):
    run = OnTerminal(folder, "lint", "-")
    assert run.shown(0.7) == b"", "something is shown in the first second"
    shown = run.shown(20, b"0 of 1")
    assert shown.startswith(CLEAR + b"reading files: 0 of 1"), shown
    run.finish_tree()
    assert run.process.wait(20) == 0
    assert run.process.stdout.read() == b"no findings in 1 file\n"
    assert run.shown(2).endswith(CLEAR), "the line is not cleared"


def check_interrupt(folder):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        run = OnTerminal(folder, "compile", "-", "-o", "guard.espb")
        run.shown(20, b"0 of 1")
        begun = time.monotonic()
        run.process.send_signal(number)
        assert run.process.wait(20) == -number  # which shells show as 128 + the number
        assert time.monotonic() - begun < 2, "the program does not end at once"
        assert run.shown(2).endswith(CLEAR), "the line is not cleared"
        assert not os.listdir(folder), "something is left behind"


def check_silence(folder):
    run = OnTerminal(folder, "lint", "--quiet", "-")
    assert run.shown(2.5) == b"", "--quiet shows something"
    run.finish_tree()
    assert run.process.wait(20) == 0
    done = subprocess.Popen([ESPALIER, "lint", "-"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(2)
    assert done.communicate(TREE, timeout=20) == (b"no findings in 1 file\n", b""), "without a terminal something is shown"


def check_links(folder):
    """The code of a finding leads to the page of its rule: on a terminal with colours, if the project says where pages are."""
    (folder / "tree.xml").write_bytes(TREE.replace(b'"Idle"', b'"Idle" condition="Idle" condition="Idle"'))
    link = "\x1b]8;;https://example.org/rules/XML007.html\x1b\\XML007\x1b]8;;\x1b\\"
    for site, words, has_link in (("https://example.org", [], True), ("https://example.org", ["--color", "never"], False), (None, [], False)):
        (folder / "espalier.json").write_text(json.dumps({"site": site} if site else {}))
        run = OnTerminal(folder, "compile", ".", "-o", "guard.espb", *words)  # its messages are on standard error
        shown = run.shown(20, b"XML007").decode()
        run.process.wait(20)
        shown += run.shown(0.5).decode()
        assert (link in shown) == has_link and "XML007" in shown, (site, words, shown)
    (folder / "espalier.json").write_text('{"site": "https://example.org"}')
    piped = subprocess.run([ESPALIER, "lint", ".", "--color", "always"], cwd=folder, capture_output=True, text=True).stdout
    assert "\x1b[" in piped and "\x1b]" not in piped, piped


def main():
    for check in (check_progress, check_interrupt, check_silence, check_links):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            check(folder)
    print("4 checks of terminals hold")


main()
