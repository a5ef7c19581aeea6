#!/usr/bin/env python3
"""Checks what documents say of lists that stand elsewhere: documents.py

Libraries that are needed against CMakeLists.txt and samples/packages.sh, kinds of trees against the engines of opcodes.def, names of
presets and build folders against CMakePresets.json, programs of samples/embed against its CMakeLists.txt and the quick start. Every page
is listed in samples/README.md or lib/README.md, the front page is short, and no sentence has a phrase of tests/documents/phrases.txt.
"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
# What find_package, find_path and find_library look for, and what the README calls it.
CALLED = {"Lua": "Lua 5.4", "nlohmann_json": "nlohmann/json", "pugixml": "pugixml", "CLI11": "CLI11", "xxhash.h": "xxHash", "cadical.hpp": "CaDiCaL",
          "dtl/dtl.hpp": "dtl"}
NOT_TO_NAME = {"Threads", "cadical", "PkgConfig"}  # of the compiler, or a part of one that is named
# What the manuals call the engines.
KINDS = {"select": "selects", "tick": "ticks", "rule": "rules", "decide": "deciders", "store": "stores", "poll": "polls"}


def read(path):
    return (ROOT / path).read_text()


def pages():
    return [page.relative_to(ROOT) for folder in ("lib", "schemas", "samples", "tests") for page in sorted((ROOT / folder).rglob("*.md"))
            if "corpus" not in page.parts and page.name != "why.md"] + [pathlib.Path("README.md")]


def engines():
    return re.findall(r'^#include "format/opcodes/(\w+)\.def"$', read("lib/runtime/format/opcodes.def"), re.MULTILINE)


def libraries():
    """The README names each library that the build looks for, and no test package installs less."""
    text = read("README.md")
    looked_for = re.findall(r"find_package\((\w+)", read("CMakeLists.txt").split("espalier_is_main AND ESPALIER_TOOL")[0])
    looked_for += re.findall(r"find_(?:path|file)\(\w+ (?:NAMES )?([\w./-]+)", read("CMakeLists.txt"))
    for name in looked_for:
        if name in NOT_TO_NAME:
            continue
        if name not in CALLED:
            yield f"CMakeLists.txt looks for {name}, which tests/documents/documents.py does not know"
        elif CALLED[name] not in text:
            yield f"README.md: what is needed lacks {CALLED[name]}"


def kinds():
    """Tables whose first column is the kind of tree have a row for each engine, and counts of kinds are right."""
    wanted = [KINDS[engine] for engine in engines()]
    table = re.compile(r"^\| (?:kind|tree) \|.*\n\|[-|: ]+\n((?:\|.*\n)+)", re.MULTILINE)
    for match in table.finditer(read("lib/runtime/README.md")):
        rows = re.findall(r"^\| (\w+) \|", match[1], re.MULTILINE)
        if sorted(rows) != sorted(wanted):
            yield f"lib/runtime/README.md: a table has rows for {', '.join(rows)}, not for {', '.join(wanted)}"
    for page in pages():
        for number in re.findall(r"\b(\w+) kinds of trees\b", read(page)):
            if number in NUMBERS and number != NUMBERS[len(wanted)]:
                yield f"{page}: '{number} kinds of trees', but there are {NUMBERS[len(wanted)]}"


def presets():
    """Each preset and each folder of a build that a page names is there."""
    names = {preset["name"] for preset in json.loads(read("CMakePresets.json"))["configurePresets"]}
    for page in pages():
        for name in re.findall(r"--preset[ =](\w+)", read(page)):
            if name not in names:
                yield f"{page}: there is no preset '{name}'"
        for name in re.findall(r"\bbuild/([\w-]+)/espalier\b", read(page)) + re.findall(r"\bbuild/(espalier)\b(?![-_])", read(page)):
            if name not in names:
                yield f"{page}: 'build/{name}' is not the folder of a preset"


def programs():
    """Each program of samples/embed is built there, and shown by the quick start or named by the runtime's manual."""
    build = read("samples/embed/CMakeLists.txt")
    shown = read("samples/quickstart.sh") + read("lib/runtime/README.md")
    for source in sorted((ROOT / "samples/embed").glob("*.c*")):
        if source.name not in build:
            yield f"samples/embed/CMakeLists.txt does not build {source.name}"
        if source.name not in shown:
            yield f"lib/runtime/README.md does not name samples/embed/{source.name}"
    dialects = {path.name for path in (ROOT / "lib/dialects").iterdir() if (path / "README.md").exists()}
    if len(re.findall(r"^add_game\(", build, re.MULTILINE)) < len(dialects):
        yield f"samples/embed/CMakeLists.txt has fewer programs than there are dialects: {', '.join(sorted(dialects))}"


def functions():
    """Each function that the runtime's manual names by task is declared in a public header."""
    table = read("lib/runtime/README.md").split("## Functions by task")[1].split("\n## ")[0]
    headers = "".join(path.read_text() for path in (ROOT / "lib/runtime/include/espalier").iterdir())
    names = set(re.findall(r"`(\w+)\(", table))
    if len(names) < 40:
        yield f"lib/runtime/README.md: only {len(names)} functions are listed by task"
    for name in sorted(names):
        if not re.search(rf"\b(espalier_)?{name}\(", headers):
            yield f"lib/runtime/README.md: no public header declares {name}()"


def orphans():
    """Pages that no reader finds: the maps name each one, by a link or, where it is not installed, by its path."""
    listed = set()
    for page in ("README.md", "samples/README.md", "lib/README.md"):
        text = read(page)
        listed |= {(ROOT / page).parent.joinpath(link).resolve() for link in re.findall(r"\]\(([^)#\s]+)", text)}
        listed |= {(ROOT / path).resolve() for path in re.findall(r"`([\w/.-]+\.md)`", text)}
    for page in pages():
        if (ROOT / page).resolve() not in listed and page != pathlib.Path("README.md"):
            yield f"{page}: neither samples/README.md nor lib/README.md lists this page"


def changelog():
    """The first entry of the changelog, and packages with a version of their own, are about the version that CMakeLists.txt names."""
    version = re.search(r"project\(espalier VERSION ([\d.]+)", read("CMakeLists.txt")).group(1)
    newest = re.match(r"espalier \(([\d.]+)\)", read("cli/package/changelog"))
    if not newest or newest.group(1) != version:
        yield f"cli/package/changelog: begins with another version than {version}"
    for page, text in (("cli/package/pre-commit/pyproject.toml", f'version = "{version}"'), ("cli/package/pre-commit/pyproject.toml", f'"espalier == {version}"'),
                       ("cli/package/ros/espalier_vendor/package.xml", f"<version>{version}</version>")):
        if text not in read(page):
            yield f"{page}: lacks {text}"


MOST_LINES = {"README.md": 200} | {f"samples/start/{name}.md": 150 for name in ("robot", "game", "ci", "dialects")}


def lengths():
    for page, most in MOST_LINES.items():
        if (count := read(page).count("\n")) > most:
            yield f"{page}: {count} lines, at most {most} are read"


# What readers see: whole files, and of other sources the texts that they print.
WHOLE = ["*.md", "schemas/**/*.json", "lib/runtime/include/**/*.h*", "lib/rules/**/*.def", "samples/**/*.xml", "samples/**/*.sh", "samples/**/*.yml"]
PRINTED = ["cli/**/*.cpp", "lib/**/*.cpp", "lib/**/*.h", "lib/**/*.def"]


def phrases():
    """No sentence has a phrase that must be read twice."""
    rows = [line.split("\t") for line in read("tests/documents/phrases.txt").splitlines() if line and not line.startswith("#")]
    instead = {phrase: remedy for phrase, remedy in rows}
    found = re.compile(r"\b(" + "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in instead) + r")\b", re.IGNORECASE)

    def faults(path, text, begin=0):
        for match in found.finditer(text):
            line = text.count("\n", 0, match.start()) + 1 + begin
            phrase = " ".join(match[0].lower().split())
            yield f"{path.relative_to(ROOT)}:{line}: '{phrase}': write {instead[phrase]}"

    whole = {path for pattern in WHOLE for path in ROOT.glob(pattern if "/" in pattern else "**/" + pattern)}
    for path in sorted(whole):
        if not {"build", "corpus", "node_modules", "golden"} & set(path.relative_to(ROOT).parts):
            yield from faults(path, path.read_text(errors="replace"))
    for path in sorted({path for pattern in PRINTED for path in ROOT.glob(pattern)} - whole):
        text = path.read_text(errors="replace")
        for literal in re.finditer(r'"(?:[^"\\\n]|\\.)*"', text):
            yield from faults(path, literal[0], text.count("\n", 0, literal.start()))


def main():
    checks = (libraries, kinds, presets, programs, functions, orphans, changelog, lengths, phrases)
    faults = [fault for check in checks for fault in check()]
    print("\n".join(faults) if faults else f"{len(checks)} kinds of statements hold")
    sys.exit(1 if faults else 0)


main()
