#!/usr/bin/env python3
"""Opens the page of `attach --page` in a browser, without a window: live.py ESPALIER [--picture FILE]

The page grows while a stand-in for a robot's program runs, and stays when it has ended. The steps are in live.mjs. Needs
chromium, node and npm, which gets puppeteer-core; says so where they are missing.
"""
import pathlib
import shutil
import subprocess
import sys

from browser import folder_with

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "logs"))
from zmq_python import python_with_zmq

LOGS = pathlib.Path(__file__).resolve().parents[1] / "logs"
SECONDS = 120  # attach ends before, when the page has been looked at


def main():
    espalier = str(pathlib.Path(sys.argv[1]).resolve())
    with folder_with(pathlib.Path(__file__).with_suffix(".mjs")) as folder:
        if folder is None:
            return
        program = subprocess.Popen([python_with_zmq(), LOGS / "publisher.py", LOGS / "patrol.session.jsonl", "--port", "0", "--by", "time", "--speed", "0.25"],
                                   stdout=subprocess.PIPE, text=True)
        port = program.stdout.readline().split()[-1]
        attached = subprocess.Popen([espalier, "attach", f"tcp://127.0.0.1:{port}", LOGS / "patrol.xml", "--page", "--for", str(SECONDS)],
                                    stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            address = attached.stderr.readline().split()[-1]
            done = subprocess.run(["node", "live.mjs", shutil.which("chromium"), address, str(attached.pid)], cwd=folder)
        finally:
            program.kill()
            attached.kill()
        if "--picture" in sys.argv:
            shutil.copy(folder / "live.png", sys.argv[sys.argv.index("--picture") + 1])
        sys.exit(done.returncode)


main()
