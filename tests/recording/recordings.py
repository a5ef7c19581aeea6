#!/usr/bin/env python3
"""Recordings are exact: recordings.py ESPALIER RECORDED_RUNS [--all | --few]

Compiles the samples and the trees of conformance cases, runs the agents of each with a host that does anything at random (recorded_runs.cpp),
and compares every block after every frame with that of the playback; damaged recordings are refused, or end. Without --few, the
recordings of the samples are verified, made into traces, which hold, and covered by the program, and an hour of each takes no more
bytes than is recorded here.
"""
import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Bytes of an hour of one of a hundred agents: schemas/cost.md, "Recording".
HOURS = {"guard": 8289, "modular": 10748, "dragengine": 1108, "deciders": 24000, "synchronized": 2563, "btcpp": 9216, "nav2": 30501, "squad": 8294}
EACH = 12  # of so many cases one is run, without --all
EACH_OF_FEW = 120
SAMPLES = list(HOURS)


def compiled(espalier, trees, asset):
    return subprocess.run([espalier, "compile", "-q", str(trees), "-o", str(asset)], capture_output=True).returncode == 0


def told(espalier, recorded_runs, folder, sample):
    """The faults of what the program says of a recording of a sample."""
    asset, recording, trace = folder / f"{sample}.espb", folder / f"{sample}.esprec", folder / f"{sample}.trace.jsonl"

    def run(*words):
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def fault(what, output):
        return f"{sample}: {what}: " + output.strip()[-600:]

    if not compiled(espalier, ROOT / "samples" / sample, asset):
        yield fault("is not compiled", "")
        return
    status, output = run(recorded_runs, asset, "hour")
    if status != 0 or int(output.split()[0]) > HOURS[sample] * 1.05:
        yield fault(f"more than {HOURS[sample]} bytes an hour", output)
    status, output = run(recorded_runs, asset, "3", "80", recording)
    if status != 0:
        yield fault("is not recorded", output)
        return
    status, output = run(espalier, "replay", recording, "--verify")
    if status != 0 or "80 frames of 2 agents are as they were recorded\n" not in output:
        yield fault("--verify", output)
    status, output = run(espalier, "import", recording, "--format", "trace", "-o", trace)
    if status != 0 or output:
        yield fault("is not a trace", output)
        return
    # Trees that select are not updated where nothing has changed.
    text = trace.read_text()
    update_count = text.count('"tick"') - text.count('"agent": "none"')
    if not 60 <= update_count <= 160 or text.count('"expect"') < 2:
        yield fault(f"the trace has {update_count} updates", text)
    status, output = run(espalier, "replay", "-q", asset, "--trace", trace)
    if status != 0:
        yield fault("its trace does not hold", output)
    status, output = run(espalier, "replay", "-q", asset, "--trace", recording)
    if status != 0:
        yield fault("it does not hold as a trace", output)
    status, output = run(espalier, "cover", asset, "--trace", recording)
    if status != 0 or "reached" not in output:
        yield fault("cover", output)
    whole = recording.read_bytes()
    recording.write_bytes(whole[: -len(whole) // 20])
    status, output = run(espalier, "replay", recording, "--verify")
    if status != 0 or "frames of 2 agents are as they were recorded" not in output:
        yield fault("a torn end is harmful", output)
    recording.write_bytes(b"ESPX" + whole[4:])
    status, output = run(espalier, "replay", recording, asset, "--verify")
    if status != 2 or "does not begin with ESPR" not in output:
        yield fault("another file is not refused", output)


def main():
    espalier, recorded_runs = sys.argv[1:3]
    is_all = "--all" in sys.argv
    is_few = "--few" in sys.argv
    cases = sorted(path.parent for path in (ROOT / "tests/conformance").glob("*/*/*") if path.suffix in (".xml", ".debt"))
    cases = sorted(set(cases), key=str)[:: 1 if is_all else EACH_OF_FEW if is_few else EACH]
    folders = [ROOT / "samples" / name for name in SAMPLES] + cases
    failures = []
    run_count = asset_count = 0

    with tempfile.TemporaryDirectory() as name:

        def run(numbered):
            number, folder = numbered
            asset = pathlib.Path(name) / f"{number}.espb"
            if not compiled(espalier, folder, asset):
                return None
            frames = "300" if folder.parent.name == "samples" and not is_few else "40"
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

        if not is_few:
            failures += [fault for sample in SAMPLES for fault in told(espalier, recorded_runs, pathlib.Path(name), sample)]

    for failure in failures:
        print(failure)
    if asset_count < len(SAMPLES):
        sys.exit("samples cannot be compiled")
    if failures:
        sys.exit(f"{len(failures)} of {asset_count} assets are not repeated exactly")
    print(f"{run_count} runs of {asset_count} assets compared, each the same in every frame")


main()
