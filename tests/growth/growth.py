#!/usr/bin/env python3
"""Does work grow with the size of its input, and no faster? Inputs of n and of 4n things are compared.

usage: growth.py ESPALIER [WORD...] [--time | --memory] [--size N] [--all]

Counts instructions, with valgrind: the same on every machine, but for a few. Where 4n things take more than 5 times what n
do, the case fails, and its row of the table is printed. WORDs choose the cases whose names hold one; without them those of
QUICK run, or with --all all of them. --time measures seconds and memory at n, 2n and 4n in place of instructions: a
benchmark, which fails only when a run does. --memory runs inputs of up to a million things once, a tenth of that without --all: one
fails that takes more memory than 20 times its input and 64 MiB, or more than a minute of the processor.
"""
import argparse
import itertools
import os
import pathlib
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "bench"))
import instructions  # noqa: E402
import inputs_btcpp  # noqa: F401: adds its cases
from inputs import CASES
from inputs_large import MEMORY, MEMORY_FACTORS, MEMORY_STATUSES

MAX_GROWTH = 5.0
MEMORY_FACTOR, MEMORY_MIB, MOST_SECONDS = 20, 64, 60
LEAST = 65_000  # instructions: a tenth of what a process does for any input, from which less is not told apart
SIZE = 150  # n
TIME_SIZE = 4000

# Of each kind of thing that there may be many of, the case that shows most; the others are like one of them.
QUICK = [
    "files: modular", "modular, declared: events and files", "files in a chain that leads back to each",
    ".gitignore: patterns", "text: findings on one line",
    "attributes that differ in case: selection",
    "selection: nodes nested", "selection: variables unknown", "selection: maps with paths of one leaf",
    "conditions: parentheses side by side", "modular: machines",
    "modular compiled: actions with attributes", "dragengine: rules", "decider: deciders",
    "synchronized: barriers in random order", "files: btcpp", "btcpp: files of programs with one name",
    "btcpp: files that use the next one", "selection: leaves of a flat list of 64 variables",
    "one attribute, operators: selection, condition", "one attribute, words: modular, Lua",
    "one attribute, operators: btcpp, script", "btcpp: entries of one subtree", "btcpp: statements of one script",
]

# These take most of the time. Half of their things show the same.
QUICK_SIZE = {"selection: leaves of a flat list of 64 variables": 75, "modular, declared: events and files": 75}


def files_of(name, size, folder):
    """Writes the case's files. The commands to run there; the last one counts."""
    make, limit = CASES[name]
    files, *commands = make(min(size, limit) if limit else size, random.Random(name))
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return commands


def run(command, folder):
    return subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          env=os.environ | {"LC_ALL": "C.UTF-8"}, text=True, errors="replace")


def check(done, command):
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(command)[:200]} ended with {done.returncode}: {done.stderr[:500]}")


def growths(espalier, names, size_of):
    """Of each case: its name, n, and the instructions with n and with 4n things."""
    sizes = {name: min(size_of(name), CASES[name][1] // 4) if CASES[name][1] else size_of(name) for name in names}
    runs = [(".", ["--version"])]  # what the program does for any input
    with tempfile.TemporaryDirectory() as temporary:
        for i, (name, size) in enumerate((name, factor * sizes[name]) for name in names for factor in (4, 1)):
            folder = pathlib.Path(temporary, str(i))
            folder.mkdir()
            *before, command = files_of(name, size, folder)
            for each in before:
                check(run([espalier, *each], folder), each)
            runs.append((folder, command))
        at_start, *counts = instructions.of_runs(espalier, runs)
    return [(name, sizes[name], few - at_start, many - at_start) for name, many, few in zip(names, counts[::2], counts[1::2])]


def count(espalier, names, size_of):
    parts = min(len(os.sched_getaffinity(0)), 1 + len(names) // 50)  # each translates the program again
    with ThreadPoolExecutor(parts) as pool:
        rows = pool.map(lambda part: growths(espalier, names[part::parts], size_of), range(parts))
        failed = 0
        for name, n, few, many in itertools.chain.from_iterable(rows):
            ratio = many / max(few, LEAST)
            is_too_much = ratio > MAX_GROWTH
            failed += is_too_much
            print(f"{'FAILED' if is_too_much else '':6} {ratio:6.2f} times: {name}: {few:,} instructions with {n}, "
                  f"{many:,} with {4 * n}", flush=True)
    if failed:
        print(f"{failed} of {len(names)} inputs FAILED: with 4 times as many things, more than {MAX_GROWTH:g} times the work")
        return 1
    print(f"all {len(names)} inputs hold: work grows as they do")
    return 0


def seconds(espalier, name, size):
    """The processor's time, the memory in MiB, and the size of the input in bytes."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        *before, command = files_of(name, size, folder)
        input_bytes = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
        for each in before:
            check(run([espalier, *each], folder), each)
        # A process of its own reads the clock, so that it is that of one run.
        script = ("import resource, subprocess, sys; status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL,"
                  " stderr=subprocess.DEVNULL).returncode; used = resource.getrusage(resource.RUSAGE_CHILDREN);"
                  " print(status, used.ru_utime + used.ru_stime, used.ru_maxrss)")
        done = subprocess.run([sys.executable, "-c", script, espalier, *command], cwd=folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, text=True, check=True)
        status, time, memory_kib = done.stdout.split()
        if int(status) not in MEMORY_STATUSES.get(name, (0, 1)):
            raise RuntimeError(f"{' '.join(command)[:200]} ended with {status}")
        return float(time), int(memory_kib) / 1024, input_bytes


def benchmark(espalier, names, size):
    print(f"{'':60} {'n':>6} {'s at n':>8} {'2n':>8} {'4n':>8} {'times':>6} {'MiB at 4n':>10}")
    for name in names:
        limit = CASES[name][1]
        n = min(size, limit // 4) if limit else size
        rows = [seconds(espalier, name, n * factor) for factor in (1, 2, 4)]
        times = [time for time, *_ in rows]
        print(f"{name[:60]:60} {n:6} {times[0]:8.3f} {times[1]:8.3f} {times[2]:8.3f} {times[2] / max(times[0], 0.001):6.1f} {rows[2][1]:10.0f}",
              flush=True)
    return 0


def check_memory(espalier, names, share):
    print(f"{'':60} {'n':>9} {'seconds':>8} {'MiB':>7} {'at most':>8}")
    failed = 0
    for name in names:
        n = MEMORY[name] // share
        time, memory, input_bytes = seconds(espalier, name, n)
        most = MEMORY_FACTORS.get(name, MEMORY_FACTOR) * input_bytes / 2**20 + MEMORY_MIB
        is_too_much = memory > most or time > MOST_SECONDS
        failed += is_too_much
        print(f"{name[:60]:60} {n:9} {time:8.2f} {memory:7.0f} {most:8.0f}{'  FAILED' if is_too_much else ''}", flush=True)
    print(f"{failed} of {len(names)} inputs FAILED" if failed else f"all {len(names)} inputs hold: memory and time are within bounds")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("espalier", type=pathlib.Path)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--time", action="store_true")
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--size", type=int)
    options = parser.parse_args()
    names = [name for name in CASES if any(word in name for word in options.words)] if options.words else QUICK
    if options.all:
        names = list(CASES)
    if not names:
        sys.exit("no case has such a name")
    espalier = str(options.espalier.resolve())
    if options.memory:
        wanted = [name for name in MEMORY if not options.words or name in names]
        return check_memory(espalier, wanted, 1 if options.all else 10)
    if options.time:
        return benchmark(espalier, names, options.size or TIME_SIZE)
    if options.size or options.all:
        return count(espalier, names, lambda name: options.size or SIZE)
    return count(espalier, names, lambda name: QUICK_SIZE.get(name, SIZE))


if __name__ == "__main__":
    sys.exit(main())
