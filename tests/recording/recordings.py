#!/usr/bin/env python3
"""Recordings are exact: recordings.py ESPALIER RECORDED_RUNS [--all]

Compiles the samples and the trees of conformance cases, runs the agents of each with a host that does anything at random (recorded_runs.cpp),
and compares every block after every frame with that of the playback. Then damages recordings: what is read of them is whole frames, or nothing.
"""
import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = ["guard", "modular", "dragengine", "deciders", "synchronized", "btcpp", "nav2", "squad"]
EACH = 12  # of so many cases one is run, without --all


def compiled(espalier, trees, asset):
    return subprocess.run([espalier, "compile", "-q", str(trees), "-o", str(asset)], capture_output=True).returncode == 0


def main():
    espalier, recorded_runs = sys.argv[1:3]
    is_all = "--all" in sys.argv
    cases = sorted(path.parent for path in (ROOT / "tests/conformance").glob("*/*/*") if path.suffix in (".xml", ".debt"))
    cases = sorted(set(cases), key=str)[:: 1 if is_all else EACH]
    folders = [ROOT / "samples" / name for name in SAMPLES] + cases
    failures = []
    run_count = asset_count = 0

    with tempfile.TemporaryDirectory() as name:

        def run(numbered):
            number, folder = numbered
            asset = pathlib.Path(name) / f"{number}.espb"
            if not compiled(espalier, folder, asset):
                return None
            frames = "300" if folder.parent.name == "samples" else "60"
            result = subprocess.run([recorded_runs, str(asset), str(number), frames], capture_output=True, text=True)
            return folder, result.returncode, result.stdout + result.stderr

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for result in pool.map(run, enumerate(folders)):
                if result is None:
                    continue
                folder, status, output = result
                asset_count += 1
                if status == 0:
                    run_count += int(output.split()[0])
                else:
                    failures.append(f"{folder.relative_to(ROOT)}: status {status}: {output.strip()}")

    for failure in failures:
        print(failure)
    if asset_count < len(SAMPLES):
        sys.exit("samples cannot be compiled")
    if failures:
        sys.exit(f"{len(failures)} of {asset_count} assets are not repeated exactly")
    print(f"{run_count} runs of {asset_count} assets compared, each the same in every frame")


main()
