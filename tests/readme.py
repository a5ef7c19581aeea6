#!/usr/bin/env python3
"""Holds README.md and the runtime's manual to what they say: readme.py ESPALIER [--update]

Every ```console block is run, in order, in one temporary folder a page that holds a copy of samples/, with `espalier` on PATH:
`$ command` is followed by all that the command writes. --update writes what they do write into the page.
Every other block with `<!-- excerpt: FILE -->` on the line before it must stand in that file, line for line.
"""
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ("README.md", "lib/runtime/README.md")
BLOCK = re.compile(r"^(?:<!-- excerpt: (?P<file>\S+) -->\n)?```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def commands_of(block):
    """The commands of a block; one goes on over lines that end in a backslash."""
    return [command.rstrip("\n") for command in re.findall(r"^\$ ((?:.*\\\n)*.*\n)", block, re.MULTILINE)]


def run_block(block, folder, environment):
    """The block as it should be."""
    lines = []
    for command in commands_of(block):
        done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
        if done.returncode in (70, 126, 127) or done.returncode < 0:
            sys.exit(f"'{command}' ended with exit status {done.returncode}:\n{done.stdout}")
        lines.append(f"$ {command}\n{done.stdout}")
    return "".join(lines)


def is_excerpt(block, file):
    return f"\n{block}" in "\n" + (ROOT / file).read_text()


def check(page, environment, counts, update):
    """What does not hold. `counts` is counted up."""
    text = (ROOT / page).read_text()
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "samples", pathlib.Path(folder) / "samples")

        def replace(match):
            if match["kind"] == "console":
                counts["console"] += 1
                return match[0].replace(match["text"], run_block(match["text"], folder, environment))
            if match["file"]:
                counts["excerpt"] += 1
                if not is_excerpt(match["text"], match["file"]):
                    faults.append(f"{page}: this does not stand in {match['file']}:\n{match['text']}")
            return match[0]

        actual = BLOCK.sub(replace, text)
    if update:
        (ROOT / page).write_text(actual)
    elif actual != text:
        faults += difflib.unified_diff(text.splitlines(), actual.splitlines(), page, "what really happens", lineterm="")
    return faults


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    espalier = pathlib.Path(sys.argv[1]).resolve()
    environment = dict(os.environ) | {"PATH": f"{espalier.parent}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"}
    counts = {"console": 0, "excerpt": 0}
    faults = []
    for page in PAGES:
        faults += check(page, environment, counts, "--update" in sys.argv)
    print("\n".join(faults + [f"{counts['console']} console blocks run, {counts['excerpt']} excerpts compared"]))
    sys.exit(bool(faults) or not counts["console"])


main()
