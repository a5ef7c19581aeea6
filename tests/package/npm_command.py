#!/usr/bin/env python3
"""The command of the npm package on a terminal: npm_command.py COMMAND

It writes in colour there; the prompt of replay --step answers each line before it reads the next; --watch follows a change, also
one of the same size in the same second. Findings that it keeps are its own, whatever `espalier` is on PATH.
"""
import os
import pathlib
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import time

COMMAND = pathlib.Path(sys.argv[1]).resolve()
GUARD = pathlib.Path(__file__).resolve().parents[2] / "samples" / "guard" / "guard.xml"
LIMIT_s = 60


class OnTerminal:
    """The command with all its streams on a terminal of its own."""

    def __init__(self, folder, *words):
        self.terminal, other = pty.openpty()
        environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | {"TERM": "xterm"}
        self.process = subprocess.Popen([COMMAND, *words], cwd=folder, env=environment, stdin=other, stdout=other, stderr=other)
        os.close(other)

    def shown(self, until):
        """The output up to this text, which is the last that is shown before the command waits."""
        text = b""
        end = time.monotonic() + LIMIT_s
        while not text.rstrip(b"\r\n").endswith(until.encode()):
            assert time.monotonic() < end, f"no {until!r} in {text.decode()!r}"
            if select.select([self.terminal], [], [], 0.2)[0]:
                text += os.read(self.terminal, 65536)
        return text.decode()

    def type(self, line):
        os.write(self.terminal, line.encode() + b"\n")

    def end(self):
        self.process.kill()
        self.process.wait()
        os.close(self.terminal)


def check_prompt(folder):
    run = OnTerminal(folder, "replay", "--step", "guard.xml")
    assert "\x1b[1m<stdin>" in run.shown("> "), "the prompt has no colour"
    run.type("tick")
    assert "\x1b[1;32mPatrol" in run.shown("> ")
    run.type("quit")
    assert run.process.wait(LIMIT_s) == 0
    run.end()


def check_watching(folder):
    waits = "waits for changes until Ctrl-C"
    run = OnTerminal(folder, "lint", "--watch", "guard.xml")
    assert "no findings in 1 file" in run.shown(waits)
    text = GUARD.read_text()
    for name, found in (("Alertex", "unknown variable 'Alertex'"), ("Alertey", "unknown variable 'Alertey'"), ("Alerted", "no findings")):
        other = folder / "guard.xml~"
        other.write_text(text.replace('condition="Alerted"', f'condition="{name}"'))
        other.replace(folder / "guard.xml")
        shown = run.shown(waits)
        assert found in shown.replace("\x1b[1m", ""), shown
    run.end()


def check_kept_findings(folder):
    programs = folder / "programs"
    programs.mkdir()
    environment = os.environ | {"PATH": f"{programs}:{os.environ['PATH']}", "XDG_CACHE_HOME": str(folder / "cache")}
    for other, are_kept in (("one", False), ("another program", True)):
        (programs / "espalier").write_text(other)
        done = subprocess.run([COMMAND, "lint", "-v", "guard.xml"], cwd=folder, env=environment, capture_output=True, text=True)
        assert ("nothing has changed" in done.stdout + done.stderr) == are_kept, f"beside {other}: {done.stdout}{done.stderr}"


def main():
    checks = (check_prompt, check_watching, check_kept_findings)
    for check in checks:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            shutil.copy(GUARD, folder)
            check(folder)
    print(f"{len(checks)} checks of the command hold")


main()
