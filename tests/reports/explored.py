#!/usr/bin/env python3
"""Checks what `cover`, `diff` and `prove` write for other programs: explored.py ESPALIER

Their JSON is what schemas/ say; so are the files of properties. What `cover --format lcov` writes is read by `genhtml`, if that
is installed (Debian's package lcov), with the lines and branches that `cover --format json` has.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
COVERED = ("samples/guard", "samples/guard-next", "samples/archetypes", "samples/dragengine",
           "tests/golden/cover/formats-for-other-programs")


def as_parts(path):
    """A schema as a part of one document with all of them, in which its references lead to the others."""
    text = re.sub(r'"\$ref": "([^"#]*)#', lambda found: f'"$ref": "#/files/{found[1] or path.name}', path.read_text())
    return json.loads(text)


SCHEMAS = {path.name: as_parts(path) for path in (ROOT / "schemas").glob("*.schema.json")}


def written(espalier, *words):
    done = subprocess.run([espalier, *words], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
    if done.returncode not in (0, 1) or not done.stdout:
        sys.exit(f"espalier {' '.join(words)}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout


def check(value, name, what):
    schema = {"$ref": f"#/files/{name}", "files": SCHEMAS}
    faults = list(jsonschema.Draft202012Validator(schema).iter_errors(value))
    if faults:
        sys.exit(f"{what} is not what {name} says: {faults[0].message} at {list(faults[0].absolute_path)}")


def lcov_counts(espalier, folder):
    """Lines and branches of a cover, in all and hit."""
    lines, branches = {}, []
    for tree in json.loads(written(espalier, "cover", folder, "--format", "json"))["trees"]:
        for item in tree["items"]:
            place = item["file"], item["line"]
            lines[place] = lines.get(place, False) or item["reached"] is True
            if item["kind"] in ("result", "transition", "case"):
                branches.append(item["reached"] is True)
    return sum(lines.values()), len(lines), sum(branches), len(branches)


def check_genhtml(espalier, folder):
    with tempfile.TemporaryDirectory() as temporary:
        info = pathlib.Path(temporary) / "cover.info"
        info.write_text(written(espalier, "cover", folder, "--format", "lcov"))
        done = subprocess.run(["genhtml", "--branch-coverage", "-o", temporary + "/html", str(info)], cwd=ROOT,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
        if done.returncode != 0:
            sys.exit(f"genhtml does not read the cover of {folder}:\n{done.stdout}")
        hit_lines, lines, hit_branches, branches = lcov_counts(espalier, folder)
        expected = [f"({hit_lines} of {lines} line"] + ([f"({hit_branches} of {branches} branch"] if branches else [])
        for part in expected:
            if part not in done.stdout:
                sys.exit(f"genhtml shows other counts of {folder} than '{part}':\n{done.stdout}")


def main():
    espalier = str(pathlib.Path(sys.argv[1]).resolve())
    for folder in COVERED:
        check(json.loads(written(espalier, "cover", folder, "--format", "json")), "cover.schema.json", f"the cover of {folder}")
    check(json.loads(written(espalier, "diff", "samples/guard", "samples/guard-next", "--format", "json")),
          "diff.schema.json", "the difference of the guards")
    properties = sorted(ROOT.glob("samples/**/*.properties.json"))
    for path in properties:
        check(json.loads(path.read_text()), "properties.schema.json", path.name)
        check(json.loads(written(espalier, "prove", str(path.parent.relative_to(ROOT)), "--format", "json")), "proofs.schema.json",
              f"the proof of {path.name}")
    if not properties:
        sys.exit("no properties to check")
    has_genhtml = shutil.which("genhtml") is not None
    for folder in COVERED if has_genhtml else ():
        check_genhtml(espalier, folder)
    read = "read by genhtml" if has_genhtml else "not read: genhtml is not installed"
    print(f"{len(COVERED)} covers, 1 difference and proofs of {len(properties)} files are as schemas say; covers for LCOV are {read}")


if __name__ == "__main__":
    main()
