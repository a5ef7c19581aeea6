"""Instructions of runs of a program, by cachegrind: the same on every machine, but for a few.

A run below valgrind takes a second before it begins, and most of a short one is the translation of the program. So all runs are
calls of main in one process, which repeated.c makes. What the program does once a process, for a verb or a dialect, is done before the
first of them; of_process counts it.
"""
import os
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CACHEGRIND = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
ENVIRONMENT = {"LC_ALL": "C.UTF-8"}
COUNT = re.compile(r"I\s+refs:\s+([\d,]+)")
STATUS = re.compile(r"^status of a run: (\d+)$", re.MULTILINE)


def numbers(pattern, text):
    return [int(number.replace(",", "")) for number in pattern.findall(text)]


def of_process(program, words, folder, environment=()):
    """Of a process, from its start."""
    command = [*CACHEGRIND, str(program), *words]
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          env=os.environ | ENVIRONMENT | dict(environment), text=True, errors="replace", check=False)
    counts = numbers(COUNT, done.stderr)
    if done.returncode not in (0, 1) or not counts:
        raise RuntimeError(f"{' '.join(command)[:200]} ended with {done.returncode}: {done.stderr[:500]}")
    return counts[0]


def first_runs():
    """One of each dialect."""
    cases = [min(folder.iterdir()) for folder in sorted((ROOT / "tests/conformance").iterdir())]
    return [(case, words) for case in cases for words in (["lint", "--no-cache", "."], ["compile", ".", "-o", os.devnull])]


def of_runs(program, own_runs, environment=()):
    """Of each run of (folder, words), one after the other."""
    first = first_runs()
    runs = [*first, *own_runs]
    with tempfile.TemporaryDirectory() as name:
        library, listed, said = (pathlib.Path(name, file) for file in ("repeated.so", "runs", "said"))
        source = pathlib.Path(__file__).with_name("repeated.c")
        subprocess.run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", source, "-o", library, "-ldl"], check=True)
        listed.write_bytes(b"".join(os.fsencode(word) + b"\0" for folder, words in runs for word in (str(folder), *words, "")))
        own = {"LD_PRELOAD": str(library), "REPEATED_PROGRAM": str(program), "REPEATED_RUNS": str(listed)}
        with said.open("wb") as file:
            done = subprocess.run([*CACHEGRIND, str(program)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=file,
                                  env=os.environ | ENVIRONMENT | dict(environment) | own, check=False)
        text = said.read_text(errors="replace")
    totals, statuses = numbers(COUNT, text), numbers(STATUS, text)
    for (_, words), status in zip(runs, statuses):
        if status not in (0, 1):
            raise RuntimeError(f"{' '.join(words)[:200]} ended with {status}")
    if done.returncode != 0 or len(statuses) != len(runs) or len(totals) != 2 * len(runs) + 1:
        last = " ".join(runs[min(len(statuses), len(runs) - 1)][1])[:200]
        raise RuntimeError(f"{program} ended with {done.returncode} after {len(statuses)} of {len(runs)} runs, in {last}: {text[-500:]}")
    return [after - before for before, after in zip(totals[::2], totals[1::2])][len(first):]
