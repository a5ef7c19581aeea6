#!/usr/bin/env python3
"""Reports of runs that share the work: shards.py ESPALIER

For `replay`, `prove` and `cover`, with several numbers of runs: what `merge` makes of their reports is byte for byte what one run
writes, whether --shard names the part or Bazel's variables do.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
REPORTS = [
    ("replay", ["samples/guard", "--trace", "samples/guard", "--format", "junit"]),
    ("replay", ["samples/deciders", "--trace", "samples/deciders", "--format", "json"]),
    ("replay", ["tests/golden/cover/given-traces-are-measured", "--trace", "samples/guard/covering", "samples/guard/intruder.trace.jsonl", "--format", "junit"]),
    ("prove", ["samples/guard", "--format", "json"]),
    ("prove", ["samples/guard", "--format", "junit"]),
    ("cover", ["samples/archetypes", "--format", "json"]),
    ("cover", ["samples/archetypes", "--format", "lcov"]),
    ("cover", ["samples/modular", "--budget", "2000", "--format", "lcov"]),
    ("cover", ["samples/guard", "--trace", "samples/guard", "--format", "json"]),
    ("cover", ["samples/dragengine", "--format", "lcov"]),
]
COUNTS = (1, 2, 3, 7)


def run(espalier, *words, **variables):
    done = subprocess.run([espalier, *words], cwd=ROOT, env={**os.environ, "XDG_CACHE_HOME": "/dev/null", **variables}, capture_output=True)
    return done.returncode, done.stdout, done.stderr.decode()


def main():
    espalier = str(pathlib.Path(sys.argv[1]).resolve())
    compared = 0
    with tempfile.TemporaryDirectory() as folder:
        status_file = pathlib.Path(folder, "status")
        for verb, words in REPORTS:
            status, whole, errors = run(espalier, verb, *words)
            if status not in (0, 1) or not whole:
                sys.exit(f"espalier {verb} {' '.join(words)}: exit status {status}\n{errors}")
            for count in COUNTS:
                for is_bazel in (False, True):
                    parts = []
                    for i in range(count):
                        part = pathlib.Path(folder, f"{i}.part")
                        if is_bazel:
                            status_file.unlink(missing_ok=True)
                            part_status, text, errors = run(espalier, verb, *words, TEST_SHARD_INDEX=str(i), TEST_TOTAL_SHARDS=str(count),
                                                            TEST_SHARD_STATUS_FILE=str(status_file))
                            if not status_file.exists():
                                sys.exit(f"{verb} does not create TEST_SHARD_STATUS_FILE")
                        else:
                            part_status, text, errors = run(espalier, verb, *words, "--shard", f"{i + 1}/{count}")
                        if part_status not in (0, 1):
                            sys.exit(f"espalier {verb} {' '.join(words)}, part {i + 1} of {count}: exit status {part_status}\n{errors}")
                        part.write_bytes(text)
                        parts.append(str(part))
                    merged_status, merged, errors = run(espalier, "merge", *parts)
                    if merged != whole or (verb != "cover" and merged_status != status):
                        pathlib.Path("/tmp/whole").write_bytes(whole)
                        pathlib.Path("/tmp/merged").write_bytes(merged)
                        sys.exit(f"espalier {verb} {' '.join(words)}: {count} parts joined are not what one run writes\n{errors}"
                                 f"{merged.decode()}\ninstead of\n{whole.decode()}")
                    compared += 1
    print(f"{compared} joined reports compared")


if __name__ == "__main__":
    main()
