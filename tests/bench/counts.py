#!/usr/bin/env python3
"""Instructions of the runtime, against those that counts.json records: fails where one is more than 5 % above.

usage: counts.py ESPALIER_BENCH [--update]

Counts by callgrind, per item of each row of the benchmarks' small inputs, and the same on each run. They depend on the compiler: with
another one than that of the record, and without valgrind, nothing is compared. --update records what is counted now.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

RECORD = pathlib.Path(__file__).resolve().parent / "counts.json"
TOLERANCE = 0.05
LEAST = 2.0  # instructions: below that, a difference is none


def count(program):
    """The build that was counted, and the instructions per item by row."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={folder}/counts", program, "--count"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{program} --count failed:\n{done.stdout}{done.stderr}")
        build = re.search(r"^build (.*)$", done.stdout, re.MULTILINE).group(1)
        rows = re.findall(r"^items (\d+) (.*)$", done.stdout, re.MULTILINE)
        counts = {}
        for i, (items, what) in enumerate(rows):  # two files each, of which the second is the floor's
            if "BehaviorTree.CPP" in what:  # only where it is installed
                continue
            text = pathlib.Path(folder, f"counts.{2 * i + 1}").read_text(encoding="latin-1")
            total = int(re.search(r"^totals: (\d+)", text, re.MULTILINE).group(1))
            counts[what] = round(total / int(items), 1)
        return build, counts


def main():
    if not shutil.which("valgrind"):
        print("no valgrind: nothing is compared")
        return 0
    build, counts = count(sys.argv[1])
    if "--update" in sys.argv[2:]:
        RECORD.write_text(json.dumps({"build": build, "instructions": counts}, indent=2) + "\n")
        return 0
    record = json.loads(RECORD.read_text())
    if record["build"] != build:
        print(f"recorded for {record['build']}, and this is {build}: nothing is compared")
        return 0
    failed = False
    for what, recorded in record["instructions"].items():
        if what not in counts:
            print(f"{what}: is recorded, but no longer a row")
            failed = True
            continue
        bound = max(recorded * (1 + TOLERANCE), recorded + LEAST)
        if counts[what] > bound:
            print(f"{what}: {counts[what]} instructions, recorded are {recorded}")
            failed = True
        elif counts[what] < recorded * (1 - TOLERANCE) - LEAST:
            print(f"{what}: only {counts[what]} instructions, recorded are {recorded}: record them with --update")
    for what in counts.keys() - record["instructions"].keys():
        print(f"{what}: is not recorded")
        failed = True
    print(f"{len(counts)} counts compared")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
