#!/usr/bin/env python3
"""Does every file include what it uses? includes.py BUILD_FOLDER

Unity builds hide a missing include: an earlier file of the same unit may have brought it. Here each source file of lib and cli
is read on its own, by the compiler of the build folder (which is configured without unity builds; nothing needs to be built
there), and so is each header that no source file includes first. Nothing is optimised and nothing is written.
"""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent


def first_include(file):
    found = re.search(r'^\s*#\s*include\s*"([^"]+)"', file.read_text(), re.M)
    return found and found[1]


def sources_of(file):
    """The file itself, or those that it includes where it is one of a unity build (the program always is)."""
    if file.parent.name != "Unity":
        return [file]
    return [pathlib.Path(name) for name in re.findall(r'#include "([^"]+)"', file.read_text())]


def commands(build):
    """The compiler's words for each source file, without its output."""
    result = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        words = shlex.split(entry["command"])
        words = words[:words.index("-o")] + ["-fsyntax-only"]
        for file in sources_of(pathlib.Path(entry["file"])):
            if file.is_relative_to(ROOT / "lib") or file.is_relative_to(ROOT / "cli"):
                result.setdefault(file, (entry["directory"], words))
    return result


def with_headers(sources):
    """Those headers too that no source file includes first, read as the source files of their folder are."""
    checked = {name for name in map(first_include, sources) if name}
    result = {file: (folder, [*words, str(file)]) for file, (folder, words) in sources.items()}
    for header in sorted([*ROOT.glob("lib/**/*.h"), *ROOT.glob("lib/**/*.hpp"), *ROOT.glob("cli/*.h")]):
        if any(str(header).endswith("/" + name) for name in checked):
            continue
        near = next(each for above in header.parents for each in sources if above in each.parents)
        folder, words = sources[near]
        result[header] = (folder, [*words, "-Wno-pragma-once-outside-header", "-x", "c++", str(header)])
    return result


def check(file, folder, words):
    done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        print(f"{file.relative_to(ROOT)} cannot be compiled on its own:\n{done.stdout}", flush=True)
    return done.returncode == 0


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    files = with_headers(commands(pathlib.Path(sys.argv[1])))
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        passed = sum(pool.map(lambda file: check(file, *files[file]), files))
    print(f"{passed} of {len(files)} files passed")
    sys.exit(passed != len(files) or not files)


main()
