#!/usr/bin/env python3
"""What import takes for a long log: long_log.py ESPALIER [CHANGES]

Repeats the run of tests/logs/patrol.btlog until it has a million changes, and prints for each form of output the seconds and the memory.
Fails if one takes more than 200 MB; the instructions are held by counts.py.
"""
import pathlib
import struct
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FORMS = {"human": [], "jsonl": [], "trace": ["-o", "run.trace.jsonl"], "html": ["-o", "run.html"], "chrome": ["-o", "run.chrome.json"]}
MOST_MB = 200
MAGIC_BYTES, RECORD_BYTES, PAUSE_us = 19, 9, 500_000


def write_long(path, changes):
    """A log of FileLogger2 with at least so many changes."""
    data = (ROOT / "tests/logs/patrol.btlog").read_bytes()
    head_bytes = MAGIC_BYTES + 4 + struct.unpack_from("<i", data, MAGIC_BYTES)[0] + 8
    records = [data[at:at + RECORD_BYTES] for at in range(head_bytes, len(data) - RECORD_BYTES + 1, RECORD_BYTES)]
    times = [int.from_bytes(record[:6], "little") for record in records]
    with open(path, "wb") as log:
        log.write(data[:head_bytes])
        for run in range(-(-changes // len(records))):
            later = run * (times[-1] - times[0] + PAUSE_us)
            log.write(b"".join((at - times[0] + later).to_bytes(6, "little") + record[6:] for at, record in zip(times, records)))


def words_of(form, log):
    return ["import", "-q", str(log), "--format", form, *FORMS[form]]


def main():
    espalier, changes = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        write_long(f"{folder}/run.btlog", changes)
        print("| form | seconds | MB |\n|---|---|---|")
        for form in FORMS:
            # Of each child by itself: the largest one of all children is what the system tells.
            code = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
            begin = time.monotonic()
            done = subprocess.run([sys.executable, "-c", code, espalier, *words_of(form, "run.btlog")], cwd=folder, capture_output=True, text=True, check=True)
            mb = int(done.stdout) * 1024 / 1e6
            print(f"| {form} | {time.monotonic() - begin:.1f} | {mb:.0f} |", flush=True)
            if mb > MOST_MB:
                failed.append(form)
    if failed:
        sys.exit(f"more than {MOST_MB} MB: {', '.join(failed)}")


if __name__ == "__main__":
    main()
