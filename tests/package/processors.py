#!/usr/bin/env python3
"""The runtime on other processors: processors.py ESPALIER TESTS PRESET...

Builds the runtime and the programs of tests/runtime.cmake with Debian's cross compilers, by presets of CMakePresets.json, and runs them with qemu beside those of
TESTS, the folder of the native ones. Agents of the samples and of conformance cases, with a host that does anything at random, leave recordings with the same bytes,
which have a hash of every agent after every update; crowds in vectors have the bits of agents that are updated alone, and those of this machine; and the C interface
holds. On a big-endian processor every asset is refused, and the message says why.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = ("guard", "archetypes", "squad", "modular", "dragengine", "deciders", "synchronized", "btcpp", "nav2")
EACH = 6  # of so many conformance cases one is run
FRAMES = "60"
BIG_ENDIAN = ("s390x",)
PROGRAMS = ("recorded_runs", "column_runs", "unit_c_interface", "unit_checked")
C_INTERFACE = ("c_interface.xml", "c_interface_ticking", "c_interface_rules", "c_interface_deciders", "c_interface_store", "c_interface_times")


def run(*words):
    done = subprocess.run([str(word) for word in words], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def build(preset):
    """The triplet, the folder of the programs, and the words that run one."""
    launcher = ["-DCMAKE_C_COMPILER_LAUNCHER=ccache", "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    for words in (["cmake", "--preset", preset, "-DESPALIER_TESTS=ON", *launcher],
                  ["cmake", "--build", "--preset", preset, "--parallel", str(os.cpu_count()), "--target", *PROGRAMS]):
        status, output = run(*words)
        if status != 0 or "warning:" in output:
            sys.exit(f"{' '.join(words)}:\n{output[-6000:]}")
    presets = {each["name"]: each for each in json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]}
    triplet = presets[preset]["cacheVariables"]["ESPALIER_TRIPLET"]
    return triplet, ROOT / "build" / preset / "tests", [f"qemu-{triplet.split('-')[0]}-static", "-L", f"/usr/{triplet}"]


def compiled(espalier, folder):
    """Assets of the samples, of some conformance cases, and those of the C interface."""
    cases = [case for dialect in sorted((ROOT / "tests/conformance").iterdir()) for case in sorted(dialect.iterdir())
             if any(case.glob("*.trace.jsonl"))][::EACH]
    trees = [ROOT / "samples" / sample for sample in SAMPLES] + cases
    for each in trees:
        status, output = run(espalier, "compile", "-q", each, "-o", folder / f"{each.parent.name}-{each.name}.espb")
        if status != 0:
            sys.exit(f"{each}: {output}")
    assets = sorted(folder.glob("*.espb"))
    interface = [folder / f"interface-{pathlib.Path(name).stem}.espb" for name in C_INTERFACE]
    for name, asset in zip(C_INTERFACE, interface):
        run(espalier, "compile", "-q", ROOT / "tests/unit" / name, "-o", asset)
    return assets, interface


def contractions(triplet, preset):
    """Instructions that multiply and add with one rounding: with them numbers would differ from those of other processors."""
    status, output = run(f"{triplet}-objdump", "-d", "--no-show-raw-insn", ROOT / "build" / preset / "libespalier_runtime.a")
    found = sorted(set(re.findall(r"\t(fn?m(?:add|sub)\S*|vfn?m[as]\S*)\t", output)))
    return [f"{preset}: the runtime has {', '.join(found)}"] if found or status != 0 else []


def compare(native, programs, emulator, asset, preset):
    """The faults of an asset."""
    here, there = asset.with_suffix(".esprec"), asset.with_suffix(f".{preset}.esprec")
    told = run(native / "recorded_runs", asset, "7", FRAMES, here)
    tells = run(*emulator, programs / "recorded_runs", asset, "7", FRAMES, there)
    if tells != told:
        yield f"recorded_runs: {tells[1].strip()}, and here: {told[1].strip()}"
    elif here.read_bytes() != there.read_bytes():
        yield "agents do something else"
    told, tells = run(native / "column_runs", asset), run(*emulator, programs / "column_runs", asset)
    if tells != told:
        yield f"crowds: {tells[1].strip()}, and here: {told[1].strip()}"


def refused(programs, emulator, asset):
    status, output = run(*emulator, programs / "column_runs", asset)
    if (status, output) != (1, "this host is big-endian, and assets are little-endian\n"):
        yield f"is not refused: {output}"


def main():
    espalier, native, presets = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3:]
    faults, held = [], 0
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        assets, interface = compiled(espalier, pathlib.Path(name))
        for preset in presets:
            triplet, programs, emulator = build(preset)
            faults += contractions(triplet, preset)

            def faults_of(asset, preset=preset, programs=programs, emulator=emulator):
                found = refused(programs, emulator, asset) if preset in BIG_ENDIAN else compare(native, programs, emulator, asset, preset)
                return [f"{preset}, {asset.stem}: {fault}" for fault in found]

            faults += [fault for found in pool.map(faults_of, assets) for fault in found]
            held += len(assets)
            if preset in BIG_ENDIAN:
                continue
            for words in ([programs / "unit_c_interface", *interface], [programs / "unit_checked", *interface[:2]]):
                status, output = run(*emulator, *words)
                if status != 0:
                    faults.append(f"{preset}, {words[0].name}: {output}")
    sys.exit("\n".join(faults) or print(f"{held} assets compared on {len(presets)} processors: {', '.join(presets)}"))


main()
