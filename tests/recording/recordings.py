#!/usr/bin/env python3
"""Recordings are exact: recordings.py ESPALIER RECORDED_RUNS [--all | --few]

Compiles the samples and the trees of conformance cases, runs the agents of each with a host that does anything at random (recorded_runs.cpp),
and compares every block after every frame with that of the playback; damaged recordings are refused, or end. Without --few, the same for
threads, also under the thread sanitizer where recorded_threads is built, and for agents that move to another asset; the recordings of the
samples are verified, compressed, made into traces, which hold, compared with other versions of the trees, and covered by the program; what
they are to leave out is not in them; and an hour of each takes no more bytes than is recorded here.
"""
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Bytes of an hour of one of a hundred agents, and of one that is recorded alone: schemas/cost.md, "Recording".
HOURS = {"guard": 2906, "modular": 5040, "dragengine": 1106, "deciders": 9070, "synchronized": 2552, "btcpp": 4903, "nav2": 9870, "squad": 5881}
ALONE = {"guard": 111751, "modular": 113803, "dragengine": 108279, "deciders": 116400, "synchronized": 110428, "btcpp": 111893, "nav2": 116927, "squad": 115098}
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
    for words, most in ((["hour"], HOURS[sample]), (["hour", "alone"], ALONE[sample])):
        status, output = run(recorded_runs, asset, *words)
        if status != 0 or int(output.split()[0]) > most * 1.05:
            yield fault(f"{' '.join(words)}: more than {most} bytes", output)
            return
        if float(output.split()[6]) > 1.1:
            yield fault(f"{' '.join(words)}: not written for more than a second", output)
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
    whole_story = run(espalier, "replay", recording, "-v")
    for commands in ("run\n", "step update\nstep update\nstep back update\nstep back\nrun back\nrun\n"):
        done = subprocess.run([espalier, "replay", "-q", recording, "--step"], input=commands, capture_output=True, text=True)
        if done.returncode != 0 or not story_of(done.stdout).endswith(story_of(whole_story[1])[-2000:]):
            yield fault("is not stepped through: " + commands, done.stdout + done.stderr)
    packed, plain = folder / f"{sample}.packed.esprec", folder / f"{sample}.plain.esprec"
    status, output = run(espalier, "import", recording, "--format", "esprec-zstd", "-o", packed)
    if status != 0 or packed.stat().st_size >= recording.stat().st_size:
        yield fault("cannot be compressed", output)
        return
    if run(espalier, "replay", packed, "-v") != (whole_story[0], whole_story[1].replace(f"{sample}.esprec", packed.name)):
        yield fault("tells something else when it is compressed", "")
    status, output = run(espalier, "import", packed, "--format", "esprec", "-o", plain)
    if status != 0 or run(espalier, "replay", plain, "--verify")[0] != 0:
        yield fault("cannot be unpacked", output)
    packed.write_bytes(packed.read_bytes()[:-2])
    status, output = run(espalier, "replay", packed, "-q")
    if status not in (0, 2):
        yield fault("a torn end of a compressed one is harmful", output)
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
    status, output = run(espalier, "replay", recording, "--against", ROOT / "samples" / sample)
    if status != 0 or "does the same in this run" not in output:
        yield fault("--against the same trees", output)
    ring = folder / f"{sample}.ring.esprec"
    status, output = run(recorded_runs, asset, "4", "600", "ring", ring)
    if status != 0:
        yield fault("its last frames are not recorded", output)
        return
    status, output = run(espalier, "replay", "-q", ring)
    if status != 0 or output:
        yield fault("the trace of its last frames does not hold", output)
    verified, imported = run(espalier, "replay", ring, "--verify")[1], run(espalier, "import", ring)[1]
    count = re.search(r"(\d+) frames of", verified)
    if not count or f"\n{count[1]} frames, " not in imported:
        yield fault("import counts other frames than its last ones", verified + imported[-200:])
    elif sample == "nav2" and int(count[1]) >= 600:  # which has the most to tell
        yield fault("its last frames are all of them", verified)
    status, output = run(espalier, "replay", ring, "--against", ROOT / "samples" / sample)
    if status != 0 or "does the same in this run" not in output:
        yield fault("its last frames --against the same trees", output)
    whole = recording.read_bytes()
    recording.write_bytes(whole[: -len(whole) // 20])
    status, output = run(espalier, "replay", recording, "--verify")
    if status != 0 or "frames of 2 agents are as they were recorded" not in output or "it is cut off: its last " not in output:
        yield fault("a torn end is harmful", output)
    recording.write_bytes(whole[:-3] + bytes([whole[-3] ^ 1]) + whole[-2:])
    for words in (["--verify"], ["-v"]):
        status, output = run(espalier, "replay", recording, *words)
        if status != (words == ["--verify"]) or "it is damaged: its last " not in output:
            yield fault(f"damage is not told by {words}", output)
    recording.write_bytes(b"ESPX" + whole[4:])
    status, output = run(espalier, "replay", recording, asset, "--verify")
    if status != 2 or "does not begin with ESPR" not in output:
        yield fault("another file is not refused", output)


def story_of(output):
    """The lines of a story with times: `  0.100  enters Patrol`."""
    return "".join(re.findall(r"^    +[0-9.]+  .*\n", output, re.MULTILINE))


def others(espalier, recorded_runs, folder):
    """The faults of runs with threads, with a hot reload, and of recordings that leave values out."""
    assets = {sample: folder / f"{sample}.other.espb" for sample in SAMPLES}
    for sample, asset in assets.items():
        compiled(espalier, ROOT / "samples" / sample, asset)
    runs = [[asset, "5", "200", "threads"] for asset in assets.values()]
    runs += [[asset, "5", "100", "reload", other] for asset, other in zip(assets.values(), [*assets.values()][1:] + [*assets.values()][:1])]
    runs += [[asset, "7", "100", "reload", asset] for asset in assets.values()]
    runs += [[assets[sample], seed, "200", "redact", folder / "redacted.esprec"] for sample in ("btcpp", "nav2") for seed in "123"]
    sanitized = pathlib.Path(recorded_runs).with_name("recorded_threads")
    if sanitized.exists():
        runs += [[asset, "5", "60", "threads"] for asset in assets.values()]
    for i, words in enumerate(runs):
        program = sanitized if i >= len(runs) - len(assets) and sanitized.exists() else recorded_runs
        done = subprocess.run([str(word) for word in [program, *words]], capture_output=True, text=True)
        if done.returncode != 0:
            yield f"{pathlib.Path(program).name} {words[0].name} {' '.join(str(word) for word in words[1:])}: {(done.stdout + done.stderr)[-900:]}"
    done = subprocess.run([espalier, "replay", str(folder / "redacted.esprec"), "--verify"], capture_output=True, text=True)
    if "left out" not in done.stdout:
        yield "--verify does not say that values were left out: " + done.stdout + done.stderr


def changed(espalier, recorded_runs, folder):
    """The faults of what is told of other versions of trees."""
    trees, asset, recording = folder / "trees", folder / "courier.espb", folder / "courier.esprec"
    trees.mkdir()

    def told(file, *changes):
        for path in (ROOT / "samples/btcpp").glob("*.xml"):
            text = path.read_text()
            for before, after in changes if path.name == file else ():
                text = text.replace(before, after)
            (trees / path.name).write_text(text)
        done = subprocess.run([espalier, "replay", str(recording), "--against", str(trees)], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    compiled(espalier, ROOT / "samples/btcpp", asset)
    subprocess.run([recorded_runs, str(asset), "3", "80", str(recording)], capture_output=True)
    unknown = "what follows is not known"
    for what, file, changes, expected, exit_status in (
        ("a comment", "courier.xml", [("<!-- Goes on", "<!-- It goes on")], "does the same in this run", 0),
        ("one try", "go_to.xml", [('num_attempts="3"', 'num_attempts="1"')], "enters FindPath", 1),
        ("an action more", "courier.xml", [("<TakeParcel ", "<SayHello/><TakeParcel ")], unknown, 1),
        ("another result", "courier.xml", [("<Fallback>", "<Inverter><Fallback>"), ("</Fallback>", "</Fallback></Inverter>")],
         "there: Fallback: failure; here: Inverter: success", 1),
        ("another tree", "courier.xml", [('"Courier"', '"Porter"')], "unknown tree 'Courier'", 2),
    ):
        status, output = told(file, *changes)
        if expected not in output or status != exit_status:
            yield f"--against {what}: {status}: {output.strip()[-600:]}"


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
            own = pathlib.Path(name)
            checks = [lambda sample=sample: told(espalier, recorded_runs, own, sample) for sample in SAMPLES]
            checks += [lambda: changed(espalier, recorded_runs, own), lambda: others(espalier, recorded_runs, own)]
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                failures += [fault for faults in pool.map(lambda check: list(check()), checks) for fault in faults]

    for failure in failures:
        print(failure)
    if asset_count < len(SAMPLES):
        sys.exit("samples cannot be compiled")
    if failures:
        sys.exit(f"{len(failures)} of {asset_count} assets are not repeated exactly")
    print(f"{run_count} runs of {asset_count} assets compared, each the same in every frame")


main()
