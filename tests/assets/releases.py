#!/usr/bin/env python3
"""Assets of releases: releases.py ESPALIER [--update]

tests/assets/releases has a folder for each release, with an asset for each sample and the traces that it was tested with. Every later
version of the same major version of the format opens each of them, and replays its traces with the same results. --update writes the
folder of this version, from the samples, and only that one.
"""
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
RELEASES = pathlib.Path(__file__).resolve().parent / "releases"
SAMPLES = ("guard", "archetypes", "squad", "modular", "dragengine", "deciders", "synchronized", "btcpp", "nav2")


def run(*words, folder=None):
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False, cwd=folder)


def update(espalier):
    version = run(espalier, "--version").stdout.split()[1]
    folder = RELEASES / version
    shutil.rmtree(folder, ignore_errors=True)
    for sample in SAMPLES:
        into = folder / sample
        into.mkdir(parents=True)
        done = run(espalier, "compile", "-q", f"samples/{sample}", "-o", into / "asset.espb", folder=ROOT)
        if done.returncode != 0:
            sys.exit(done.stderr)
        for trace in sorted((ROOT / "samples" / sample).glob("*.trace.jsonl")):
            shutil.copy(trace, into)
    print(f"{len(SAMPLES)} assets of {version} are written")


def faults(espalier, folder):
    asset = folder / "asset.espb"
    if run(espalier, "dump", asset).returncode != 0:
        yield f"{asset}: dump refuses it"
    traces = sorted(folder.glob("*.trace.jsonl"))
    if not traces:
        yield f"{folder}: no traces"
    for trace in traces:
        done = run(espalier, "replay", asset, "--trace", trace)
        if done.returncode != 0:
            yield f"{trace}: exit status {done.returncode}\n{done.stdout}{done.stderr}"


def main():
    espalier = pathlib.Path(sys.argv[1]).resolve()
    if "--update" in sys.argv:
        update(espalier)
        return
    folders = sorted(path for path in RELEASES.glob("*/*") if path.is_dir())
    found = [fault for folder in folders for fault in faults(espalier, folder)]
    print("\n".join(found), end="\n" if found else "")
    page = (ROOT / "schemas/asset.md").read_text(encoding="utf-8")
    major = int(re.search(r"major_version \| (\d+)", page).group(1))
    for asset in RELEASES.glob("*/*/asset.espb"):
        if int.from_bytes(asset.read_bytes()[4:6], "little") != major:
            sys.exit(f"{asset}: of another major version than {major}: its folder goes when the format changes")
    if found or not folders:
        sys.exit(f"{len(found)} faults in {len(folders)} assets of releases")
    print(f"{len(folders)} assets of releases hold")


if __name__ == "__main__":
    main()
