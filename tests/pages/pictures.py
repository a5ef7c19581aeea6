#!/usr/bin/env python3
"""Opens the pages that espalier writes in a browser, without a window: pictures.py ESPALIER [--update]

Clicks, keys and fingers do what the manual says; boxes do not overlap; names are shown as text, whatever they contain; axe finds
nothing; no page has an error or asks for anything from a network; a replay of a million lines can be used. The steps are in
pictures.mjs. Needs chromium, node and npm; says so where they are missing. Pages look as in `shots`, which --update writes.
ESPALIER_PICTURES: a folder that gets the pages.
"""
import json
import os
import pathlib
import subprocess
import sys

from browser import folder_with, run_steps

TESTS = pathlib.Path(__file__).resolve().parents[1]
SAMPLES = pathlib.Path("samples")  # pages show paths as they are given
HOSTILE = TESTS / "golden" / "graph" / "hostile-names-are-text-in-every-format" / "door.xml"
UPDATES = 500_000  # each has a signal, which is a line, and a change, which is another


def write_long_trace(file):
    with file.open("w") as trace:
        trace.write(json.dumps({"trace": 1, "name": "a long watch"}) + "\n")
        for i in range(UPDATES):
            trace.write('{"signal": "%s"}\n{"tick": 0.1}\n' % ("OnEnemyLost" if i % 2 else "OnEnemySeen"))


def write_large_tree(file):
    """A thousand nodes, four below each."""
    def element(number, depth):
        if depth == 0:
            return f'<Leaf name="leaf {number}" condition="Seen"/>\n'
        return f'<Priority name="part {number}-{depth}">\n' + "".join(element(4 * number + i, depth - 1) for i in range(4)) + "</Priority>\n"

    file.write_text('<SelectionTree name="Large" type="BehaviorSelectionTree">\n<Variables><Variable name="Seen"/></Variables>\n'
                    "<SignalVariables><Signal name=\"OnSeen\" variable=\"Seen\" value=\"true\"/></SignalVariables>\n"
                    + element(0, 5) + "</SelectionTree>\n")


def write_pages(espalier, folder):
    def write(*words, may_fail=False):
        environment = os.environ | {"XDG_CACHE_HOME": "/dev/null"}
        return subprocess.run([espalier, *words], check=not may_fail, cwd=TESTS.parent, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              env=environment).stdout

    write("graph", SAMPLES / "squad", "--format", "html", "-o", folder / "graph.html")
    for name in ("deciders", "modular", "dragengine", "synchronized", "nav2", "btcpp"):
        write("graph", SAMPLES / name, "--format", "html", "-o", folder / f"graph-{name}.html")
    write("graph", SAMPLES / "broken", "--format", "html", "-o", folder / "graph-broken.html", may_fail=True)
    write("compile", SAMPLES / "nav2", "-o", folder / "nav2.espb")
    write("graph", folder / "nav2.espb", "--format", "html", "-o", folder / "graph-asset.html")
    write("replay", folder / "nav2.espb", "--trace", SAMPLES / "nav2" / "recovery.trace.jsonl", "--format", "html", "-o", folder / "replay-asset.html")
    write("graph", HOSTILE, "--format", "html", "-o", folder / "hostile.html")
    write_large_tree(folder / "large.xml")
    write("graph", folder / "large.xml", "--format", "html", "-o", folder / "large.html")
    noise = SAMPLES / "guard" / "noise.trace.jsonl"
    (folder / "cover.html").write_bytes(write("cover", SAMPLES / "guard", "--trace", noise, "--format", "html"))
    write("replay", SAMPLES / "squad", "--trace", SAMPLES / "squad" / "firefight.trace.jsonl", "--profile", "--format", "html",
          "-o", folder / "profile.html")
    for name, trace in (("guard", "noise"), ("modular", "firefight"), ("dragengine", "night"), ("deciders", "nest"),
                        ("synchronized", "assault"), ("squad", "firefight"), ("nav2", "recovery"), ("btcpp", "low_battery")):
        write("replay", SAMPLES / name, "--trace", SAMPLES / name / f"{trace}.trace.jsonl", "--format", "html",
              "-o", folder / f"replay-{name}.html")
    campfire = SAMPLES / "synchronized" / "campfire.trace.jsonl"
    write("replay", SAMPLES / "synchronized", "--trace", campfire, "--format", "html", "-o", folder / "slots.html")
    write_long_trace(folder / "long.trace.jsonl")
    write("replay", SAMPLES / "guard", "--trace", folder / "long.trace.jsonl", "--format", "html", "-o", folder / "long.html")


def painted_faults(espalier, folder):
    """PNG and PDF are such files, where librsvg is there; otherwise the verb names another format."""
    for form, begin in (("png", b"\x89PNG"), ("pdf", b"%PDF"), ("pdf-pages", b"%PDF")):
        file = folder / f"squad.{form}"
        done = subprocess.run([espalier, "graph", SAMPLES / "squad", "--format", form, "-o", file], cwd=TESTS.parent, capture_output=True)
        if b"need librsvg" in done.stderr:
            if b"--format svg" not in done.stderr:
                yield f"without librsvg --format {form} does not name --format svg"
        elif done.returncode != 0 or not file.read_bytes().startswith(begin):
            yield f"--format {form} does not write such a file"


def main():
    espalier = pathlib.Path(sys.argv[1]).resolve()
    with folder_with(TESTS / "pages" / "pictures.mjs") as folder:
        if folder is None:
            return
        write_pages(espalier, folder)
        for fault in (faults := list(painted_faults(espalier, folder))):
            print(fault)
        sys.exit(run_steps("pictures.mjs", folder) or len(faults))


main()
