#!/usr/bin/env python3
"""Performs the examples of .github/CONTRIBUTING.md: contributing.py SOURCE [FOLDER] [--update]

Only with SOURCE, the folder of the clone: each example can be applied to its files, and each link leads somewhere.
With FOLDER: copies the sources there, applies all examples, builds the program, and runs the commands of the page, whose outputs must be
those on it, and then what a contributor runs (CHECKS), of which all must succeed. What FOLDER has from an earlier run is used again.
--update writes the real outputs into the page.

An example is a line of text and the block after it:
    In `FILE`, after (before, in place of) the line with `TEXT`:      the only such line
    A new file `FILE`:
A ```console block has commands, `$ command`, each followed by all that it writes.
"""
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys

PAGE = ".github/CONTRIBUTING.md"
NOT_COPIED = {".git", "node_modules", "__pycache__"}
BLOCK = r"\n\n```\w+\n(?P<text>.*?)^```$"
EXAMPLE = re.compile(r"^(?:In `(?P<file>[^`]+)`, (?P<how>after|before|in place of) the line with `(?P<words>[^`]+)`|A new file `(?P<new>[^`]+)`):"
                     + BLOCK, re.MULTILINE | re.DOTALL)
CONSOLE = re.compile(r"^```console\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!\w+:)([^)#\s]+)")
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
BUILD = "build/test"
CHECKS = (
    "python3 tests/assets/opcode_table.py --update",
    f"python3 tests/trees/xsd.py {BUILD}/espalier --update",
    f"python3 tests/documents/readme.py {BUILD}/espalier --update",
    f"python3 tests/golden.py {BUILD}/espalier",
    f"python3 tests/trees/xsd.py {BUILD}/espalier",
    f"python3 tests/documents/readme.py {BUILD}/espalier",
    "python3 tests/documents/documents.py",
    "python3 tests/sources/layers.py",
    f"python3 tests/reports/reports.py {BUILD}/espalier",
    f"python3 tests/reports/faulty_reports.py {BUILD}/espalier",
    f"python3 tests/commands/output_escapes.py {BUILD}/espalier",
    f"python3 tests/commands/completions.py {BUILD}/espalier",
)


def sources_in(root):
    """The contents of all files, by their paths."""
    files = {}
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in NOT_COPIED and pathlib.Path(folder, name) != pathlib.Path(root, "build")]
        for name in names:
            path = pathlib.Path(folder, name)
            files[path.relative_to(root).as_posix()] = path.read_bytes()
    return files


def apply_example(files, example):
    """Changes one of the files, or adds one. Returns a fault, or nothing."""
    text = example["text"].encode()
    if example["new"]:
        if example["new"] in files:
            return f"{example['new']} is there already"
        files[example["new"]] = text
        return None
    if example["file"] not in files:
        return f"there is no file {example['file']}"
    lines = files[example["file"]].splitlines(keepends=True)
    found = [i for i, line in enumerate(lines) if example["words"].encode() in line]
    if len(found) != 1:
        return f"{example['file']} has {len(found)} lines with '{example['words']}', not one"
    begin = found[0] + (example["how"] == "after")
    end = found[0] + (example["how"] != "before")
    lines[begin:end] = [text]
    files[example["file"]] = b"".join(lines)
    return None


def apply_examples(files, page):
    count, faults = 0, []
    for example in EXAMPLE.finditer(page):
        count += 1
        fault = apply_example(files, example)
        if fault:
            faults.append(f"{PAGE}:{page.count(chr(10), 0, example.start()) + 1}: {fault}")
    return count, faults


def write_changed(files, root, folder):
    """Makes the folder contain these files, but for what is not copied. Files that stay the same keep their times, so that only what
    depends on the others is built again."""
    for path in sources_in(folder).keys() - files.keys():
        (folder / path).unlink()
    for path, content in files.items():
        target = folder / path
        if not target.exists() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            if (root / path).exists():
                shutil.copymode(root / path, target)


def run(command, folder, environment):
    return subprocess.run(["sh", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=3600)


def build(folder, environment):
    launcher = "-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache" if shutil.which("ccache") else ""
    done = run(f"cmake --preset test -DESPALIER_TESTS=OFF {launcher} && cmake --build --preset test --target espalier", folder, environment)
    if done.returncode:
        sys.exit(f"{PAGE}: with its examples, the program does not build:\n{done.stdout[-10000:]}")


def with_outputs(page, folder, environment):
    """The page, with what its commands really write."""
    def replaced(block):
        commands = re.findall(r"^\$ (.*)\n", block["text"], re.MULTILINE)
        return "```console\n" + "".join(f"$ {command}\n{run(command, folder, environment).stdout}" for command in commands) + "```"
    return CONSOLE.sub(replaced, page)


def perform(files, root, folder, is_update):
    folder.mkdir(parents=True, exist_ok=True)
    write_changed(files, root, folder)
    environment = dict(os.environ) | {"PATH": f"{folder / BUILD}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1",
                                      "CCACHE_BASEDIR": str(folder), "CCACHE_NOHASHDIR": "1"}
    build(folder, environment)
    page = (root / PAGE).read_text()
    actual = with_outputs(page, folder, environment)
    faults = []
    if is_update:
        (root / PAGE).write_text(actual)
    else:
        faults += difflib.unified_diff(page.splitlines(), actual.splitlines(), PAGE, "what really happens", lineterm="")
    for check in CHECKS:
        done = run(check, folder, environment)
        if done.returncode:
            faults.append(f"{PAGE}: after its examples, this fails in {folder}: {check}\n{done.stdout[-5000:]}")
    return faults


def broken_links(root, page):
    for link in LINK.findall(CODE.sub("", page)):
        if not (root / PAGE).parent.joinpath(link).exists():
            yield f"{PAGE}: the link {link} leads nowhere"


def main():
    words = [word for word in sys.argv[1:] if word != "--update"]
    if len(words) not in (1, 2):
        sys.exit(__doc__)
    root = pathlib.Path(words[0]).resolve()
    page = (root / PAGE).read_text()
    files = sources_in(root)
    count, faults = apply_examples(files, page)
    faults += broken_links(root, page)
    if len(words) == 2 and not faults:
        faults += perform(files, root, pathlib.Path(words[1]).resolve(), "--update" in sys.argv)
    print("\n".join(faults) if faults else f"{count} parts of examples hold")
    sys.exit(bool(faults) or count == 0)


main()
