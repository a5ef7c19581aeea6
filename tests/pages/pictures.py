#!/usr/bin/env python3
"""Opens the pages that espalier writes in a browser, without a window: pictures.py ESPALIER [--picture FILE]

Clicks and keys do what the manual says; names are shown as text, whatever they contain; no page has an error or asks for
anything from a network; a replay of a million lines can be used. The steps are in pictures.mjs. Needs chromium, node and
npm, which gets puppeteer-core; says so where they are missing. --picture writes the picture of a replay.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

from browser import folder_with

TESTS = pathlib.Path(__file__).resolve().parents[1]
SAMPLES = pathlib.Path("samples")  # pages show paths as they are given
HOSTILE = TESTS / "golden" / "graph" / "hostile-names-are-text-in-every-format" / "door.xml"
UPDATES = 500_000  # each has a signal, which is a line, and a change, which is another


def write_long_trace(file):
    with file.open("w") as trace:
        trace.write(json.dumps({"trace": 1, "name": "a long watch"}) + "\n")
        for i in range(UPDATES):
            trace.write('{"signal": "%s"}\n{"tick": 0.1}\n' % ("OnEnemyLost" if i % 2 else "OnEnemySeen"))


def write_pages(espalier, folder):
    def write(*words):
        environment = os.environ | {"XDG_CACHE_HOME": "/dev/null"}
        return subprocess.run([espalier, *words], check=True, cwd=TESTS.parent, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              env=environment).stdout

    write("graph", SAMPLES / "squad", "--format", "html", "-o", folder / "graph.html")
    write("graph", HOSTILE, "--format", "html", "-o", folder / "hostile.html")
    noise = SAMPLES / "guard" / "noise.trace.jsonl"
    (folder / "cover.html").write_bytes(write("cover", SAMPLES / "guard", "--trace", noise, "--format", "html"))
    for name, trace in (("guard", "noise"), ("modular", "firefight"), ("dragengine", "night"), ("deciders", "nest"),
                        ("synchronized", "assault"), ("squad", "firefight")):
        write("replay", SAMPLES / name, "--trace", SAMPLES / name / f"{trace}.trace.jsonl", "--format", "html",
              "-o", folder / f"replay-{name}.html")
    campfire = SAMPLES / "synchronized" / "campfire.trace.jsonl"
    write("replay", SAMPLES / "synchronized", "--trace", campfire, "--format", "html", "-o", folder / "slots.html")
    write_long_trace(folder / "long.trace.jsonl")
    write("replay", SAMPLES / "guard", "--trace", folder / "long.trace.jsonl", "--format", "html", "-o", folder / "long.html")


def main():
    espalier = pathlib.Path(sys.argv[1]).resolve()
    with folder_with(TESTS / "pages" / "pictures.mjs") as folder:
        if folder is None:
            return
        write_pages(espalier, folder)
        done = subprocess.run(["node", "pictures.mjs", shutil.which("chromium")], cwd=folder)
        if "--picture" in sys.argv:
            shutil.copy(folder / "replay-squad.png", sys.argv[sys.argv.index("--picture") + 1])
        if keep := os.environ.get("ESPALIER_PICTURES"):
            shutil.copytree(folder, keep, dirs_exist_ok=True, ignore=shutil.ignore_patterns("node_modules", "*.jsonl"))
        sys.exit(done.returncode)


main()
