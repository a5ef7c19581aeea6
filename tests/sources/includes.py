#!/usr/bin/env python3
"""Does every file include what it uses? includes.py [BUILD_FOLDER]

Unity builds hide a missing include: an earlier file of the same unit may have brought it. That each file of lib and cli includes
the headers of libraries whose names it uses, itself or by a header of the project, is checked by the table std_names.txt.

With a build folder, each source file is also read on its own, by the compiler of the folder (which is configured without unity
builds; nothing needs to be built there), and so is each header that no source file includes first. Most of the time would go to
the headers of the standard library, so these are read once, and precompiled for all files.
"""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]


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
                result.setdefault(file, (entry["directory"], [*(word for word in words if not word.startswith("-W")), "-w"]))
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


def includes_of(text):
    return re.findall(r'^\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)")', text, re.M)


def names_of_headers():
    """The headers that give a name, by name. A line of the table is a header and its names."""
    result = {}
    for line in (ROOT / "tests/sources/std_names.txt").read_text().splitlines():
        header, *names = line.split() if not line.startswith("#") else [""]
        for name in names:
            result.setdefault(name, set()).add(header)
    return result


COMMENTS_AND_TEXTS = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(\\.|[^"\\\n])*"|\'(\\.|[^\'\\\n])*\'', re.S)


def used_names(text):
    """Names of the standard library, without what they are nested in or hold, and of other libraries their namespace."""
    text = COMMENTS_AND_TEXTS.sub(" ", re.sub(r"#\s*include[^\n]*", "", text))
    return {name.removeprefix("std::") for name in re.findall(r"\bstd::[a-z_]\w*|\b(?:pugi|nlohmann|CLI)::", text)}


class StandardHeaders:
    """Which headers with <> each file includes, itself or by headers of the project."""

    def __init__(self):
        self.providers = names_of_headers()
        self.reached = {}

    def find(self, name, near):
        folders = [near.parent, ROOT, ROOT / "lib", ROOT / "lib/runtime", ROOT / "lib/runtime/include"]
        return next((each / name for each in folders if (each / name).is_file()), None)

    def of(self, file):
        if file not in self.reached:
            self.reached[file] = found = set()  # also ends what would not end
            for system, own in includes_of(file.read_text()):
                header = self.find(system or own, file)
                found |= self.of(header) if header else {system or own}
        return self.reached[file]

    def check(self, file):
        missing = []
        for name in sorted(used_names(file.read_text())):
            if name not in self.providers:
                missing.append(f"std::{name} has no line in tests/sources/std_names.txt")
            elif not self.providers[name] & self.of(file):
                missing.append(f"{name} needs #include <{'> or <'.join(sorted(self.providers[name]))}>")
        for each in missing:
            print(f"{file.relative_to(ROOT)}: {each}", flush=True)
        return not missing


def with_precompiled(files, folder):
    """The same commands with the headers of the standard library precompiled, once for each set of options."""
    table = (ROOT / "tests/sources/std_names.txt").read_text().splitlines()
    headers = [line.split()[0] for line in table if line and not line.startswith("#")]
    made, result = {}, {}
    for file, (where, words) in files.items():
        key = " ".join(word for word in words[:-1] if not word.startswith(("-I", "-W")) and word not in ("-x", "c++"))
        is_tool = "-std=c++20" in words
        if key not in made:
            made[key] = folder / f"{len(made)}.pch"
            header = folder / f"{len(made)}.hpp"
            header.write_text("".join(f"#include <{each}>\n" for each in headers if is_tool or "." not in each))
            words_of_header = [word for word in words[:-1] if word not in ("-x", "c++", "-fsyntax-only")]
            subprocess.run([*words_of_header, "-fpch-instantiate-templates", "-x", "c++-header", str(header), "-o", str(made[key])],
                           cwd=where, check=True)
        result[file] = (where, [*words[:-1], "-include-pch", str(made[key]), words[-1]])
    return result


def check(file, folder, words):
    done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        print(f"{file.relative_to(ROOT)} cannot be compiled on its own:\n{done.stdout}", flush=True)
    return done.returncode == 0


def main():
    if len(sys.argv) > 2:
        sys.exit(__doc__)
    with_compiler = len(sys.argv) == 2
    files = with_headers(commands(pathlib.Path(sys.argv[1]))) if with_compiler else [
        file for folder in ("lib", "cli") for ending in ("cpp", "h", "hpp") for file in sorted((ROOT / folder).rglob(f"*.{ending}"))]
    standard = StandardHeaders()
    passed = alone = sum(standard.check(file) for file in files)
    if with_compiler:
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            commands_of = with_precompiled(files, pathlib.Path(folder))
            alone = sum(pool.map(lambda file: check(file, *commands_of[file]), commands_of))
    print(f"{min(passed, alone)} of {len(files)} files passed")
    sys.exit(passed != len(files) or alone != len(files) or not files)


main()
