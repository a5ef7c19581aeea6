#!/usr/bin/env python3
"""Checks README.md, all manuals (README.md below lib), the pages below samples, and those for contributors: readme.py ESPALIER [--update] [--alone]
Checks only the links of manuals that are installed: readme.py --links FOLDER

Every ```console block is run, in order, in one temporary folder for each page. The folder has copies of the folders of
samples/ that commands name, `espalier` is on PATH, and pkg-config finds the runtime: `$ command` is followed by everything that the command writes.
A block with `<!-- file: FILE -->` on the line before it is written to this file there, as the reader does it; the text before the block
names the file.
An image with `<!-- espalier ARGUMENTS -->` on the line before it is what that command writes.
The lines between `<!-- espalier ARGUMENTS -->` and `<!-- end -->` are what that command writes.
--update writes the real output of both into the page. --alone leaves out pages whose commands need compilers, CMake or git.
A block with `<!-- excerpt: FILE -->` on the line before it is a part of that file, line for line.
Every relative link leads to a file or folder, and its #fragment to a heading.
"""
import collections
import concurrent.futures
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLES = re.compile(r"^<!-- (?P<command>espalier .*) -->\n(?!!\[)(?P<text>.*?)^<!-- end -->$", re.MULTILINE | re.DOTALL)
PICTURES = re.compile(r"^<!-- (?P<command>espalier .*) -->\n!\[[^\]]*\]\((?P<file>[^)]+)\)$", re.MULTILINE)
OTHERS = re.compile(r"\b(?:g\+\+|gcc|cmake|git)(?= )")
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!\w+:)(?P<path>[^)#\s]*)(?:#(?P<heading>[^)\s]+))?\)")
BLOCK = re.compile(r"^(?:<!-- (?P<use>excerpt|file): (?P<file>\S+) -->\n)?```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def commands_of(block):
    """The commands of a block; one goes on over lines that end in a backslash."""
    return [command.rstrip("\n") for command in re.findall(r"^\$ ((?:.*\\\n)*.*\n)", block, re.MULTILINE)]


def output_of(command, folder, environment):
    done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
    if done.returncode in (70, 126, 127) or done.returncode < 0:
        sys.exit(f"'{command}' ended with exit status {done.returncode}:\n{done.stdout}")
    return done.stdout


def run_block(block, folder, environment):
    """The expected block."""
    return "".join(f"$ {command}\n{output_of(command, folder, environment)}" for command in commands_of(block))


def is_excerpt(block, file):
    return f"\n{block}" in "\n" + (ROOT / file).read_text()


def anchors_of(page):
    """The fragments that lead to the headings of a page, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def manuals_below(root):
    pages = [*(root / "lib").rglob("README.md"), *(root / "samples").rglob("*.md")]
    return ["README.md"] + sorted(str(page.relative_to(root)) for page in pages if "node_modules" not in page.parts)


def broken_links(root, page, counts):
    for link in LINK.finditer(CODE.sub("", (root / page).read_text())):
        counts["link"] += 1
        target = (root / page).parent / link["path"] if link["path"] else root / page
        if not target.exists() or (link["heading"] and link["heading"] not in anchors_of(target)):
            yield f"{page}: the link {link[0][1:]} leads nowhere"


def write_file(page, match, folder):
    """Does what a reader does with a file that the page shows. Returns the faults of the page."""
    file = pathlib.Path(folder) / match["file"]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(match["text"])
    is_named = f"`{match['file']}`" in match.string[max(0, match.start() - 400):match.start()]
    return [] if is_named else [f"{page}: the text before the block of {match['file']} does not name it"]


def check(page, environment, update):
    """The faults of a page, and how much of each kind it has."""
    text = (ROOT / page).read_text()
    faults = []
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        commands = "\n".join(commands_of(text) + re.findall(r"^<!-- (espalier .*) -->$", text, re.MULTILINE))
        for sample in set(re.findall(r"\bsamples/([\w-]+)", commands)):
            shutil.copytree(ROOT / "samples" / sample, pathlib.Path(folder) / "samples" / sample)

        def replace(match):
            if match["kind"] == "console":
                counts["console"] += 1
                return match[0].replace(match["text"], run_block(match["text"], folder, environment))
            if match["use"] == "file":
                counts["file"] += 1
                faults.extend(write_file(page, match, folder))
            if match["use"] == "excerpt":
                counts["excerpt"] += 1
                if not is_excerpt(match["text"], match["file"]):
                    faults.append(f"{page}: this is not a part of {match['file']}:\n{match['text']}")
            return match[0]

        def replace_table(match):
            counts["table"] += 1
            return match[0].replace(f"-->\n{match['text']}", f"-->\n{output_of(match['command'], folder, environment)}", 1)

        for picture in PICTURES.finditer(text):
            counts["picture"] += 1
            file = (ROOT / page).parent / picture["file"]
            drawn = output_of(picture["command"], folder, environment)
            if update:
                file.write_text(drawn)
            elif not file.exists() or file.read_text() != drawn:
                faults.append(f"{page}: {picture['file']} is not what '{picture['command']}' draws")
        actual = TABLES.sub(replace_table, BLOCK.sub(replace, text))
    if update:
        (ROOT / page).write_text(actual)
    elif actual != text:
        faults += difflib.unified_diff(text.splitlines(), actual.splitlines(), page, "what really happens", lineterm="")
    return faults + list(broken_links(ROOT, page, counts)), counts


def environment_with(espalier, folder):
    """For commands of pages: the program, a runtime for pkg-config, somebody who commits to git, and a run like any other."""
    pathlib.Path(folder, "espalier.pc").write_text(
        f"Name: espalier\nDescription: of this build\nVersion: 0\nCflags: -I{ROOT}/lib/runtime/include\nLibs: -L{espalier.parent} -lespalier_runtime\n")
    somebody = {f"GIT_{who}_{what}": "somebody" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    return dict(os.environ) | somebody | {"PATH": f"{espalier.parent}{os.pathsep}{os.environ['PATH']}", "PKG_CONFIG_PATH": folder, "NO_COLOR": "1",
                                          "LC_ALL": "C.UTF-8", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}


def check_links(root):
    counts = {"link": 0}
    packages = [str(page.relative_to(root)) for page in sorted(root.glob("cli/package/*/README.md"))]
    faults = [fault for page in manuals_below(root) + packages for fault in broken_links(root, page, counts)]
    print("\n".join(faults + [f"{counts['link']} links of installed manuals compared"]))
    sys.exit(bool(faults) or counts["link"] == 0)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if sys.argv[1] == "--links":
        return check_links(pathlib.Path(sys.argv[2]))
    espalier = pathlib.Path(sys.argv[1]).resolve()
    pages = manuals_below(ROOT) + ["cli/package/ros/README.md", "cli/package/windows/README.md", "lib/decisions.md", "tests/README.md", "tests/measuring.md"]
    if "--alone" in sys.argv:
        pages = [page for page in pages if not any(OTHERS.search(command) for command in commands_of((ROOT / page).read_text()))]
    counts = collections.Counter()
    faults = []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
        environment = environment_with(espalier, folder)
        for page_faults, page_counts in threads.map(lambda page: check(page, environment, "--update" in sys.argv), pages):
            faults += page_faults
            counts += page_counts
    print("\n".join(faults + [f"{len(pages)} pages: {counts['console']} console blocks, {counts['table']} tables and "
                              f"{counts['picture']} pictures made, {counts['file']} files written, "
                              f"{counts['excerpt']} excerpts and {counts['link']} links compared"]))
    sys.exit(bool(faults) or not all(counts[kind] for kind in ("console", "table", "picture", "file", "excerpt", "link")))


main()
