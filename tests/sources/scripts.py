#!/usr/bin/env python3
"""Scripts of pages: no function, constant or method is defined twice in what one page has, and each is used: scripts.py"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PICTURES, NPM, SITE = ROOT / "lib/report/pictures", ROOT / "cli/package/npm", ROOT / "cli/package/site"

# Scripts that share their names, with what else uses them.
PAGES = {
    "pictures": (sorted(PICTURES.glob("*.js")), [PICTURES / "page.html"]),
    "try": ([NPM / "try/try.js"], []),
    "try, its worker": ([NPM / "try/worker.js", NPM / "program.js", NPM / "memory.js"], []),
    "site": (sorted(SITE.glob("*.js")), []),
}
DEFINED = re.compile(r"^(?:async )?(?:function\*?|class) (\w+)", re.M)
METHODS = re.compile(r"^  (?:static )?(?:async )?([a-z]\w*)\(.*\) \{$", re.M)
VALUES = re.compile(r"^(?:const|let) (.*)$", re.M)
NAMES = re.compile(r"(?:^|, )(\w+) = ")
NO_METHODS = {"constructor", "if", "for", "while", "switch", "catch"}


def without_comments(text):
    return re.sub(r"/\*.*?\*/|(?<![:'\"\\])//[^\n]*", "", text, flags=re.S)


def depth_one_names(line):
    """Names that a line defines: "a = 1, b = { c: 2 }" has a and b."""
    depth, kept = 0, ""
    for letter in line:
        depth -= letter in ")]}"
        if depth == 0 or letter in ")]}":
            kept += letter
        depth += letter in "([{"
    return NAMES.findall(kept)


def faults_of(page, scripts, users):
    texts = [without_comments(script.read_text()) for script in scripts]
    names = []
    for text in texts:
        names += DEFINED.findall(text)
        names += ["." + name for name in METHODS.findall(text) if name not in NO_METHODS]
        for line in VALUES.findall(text):
            names += depth_one_names(line)
    everything = "\n".join(texts) + "".join(user.read_text() for user in users)
    for name in sorted(set(names)):
        if names.count(name) > 1:
            yield f"{page}: {name} is defined {names.count(name)} times"
        uses = len(re.findall(rf"(?<![\w$]){re.escape(name)}(?![\w$])" if name[0] != "." else rf"\{name}\b", everything))
        if uses <= (0 if name[0] == "." else names.count(name)):
            yield f"{page}: {name} is not used"
    if not names:
        yield f"{page}: no names are found"


def main():
    faults = [fault for page, (scripts, users) in PAGES.items() for fault in faults_of(page, scripts, users)]
    print("\n".join(faults) or f"{sum(len(scripts) for scripts, _ in PAGES.values())} scripts of pages hold")
    sys.exit(bool(faults))


main()
