#!/usr/bin/env python3
"""Makes a long log of a short one, whose run it repeats: repeat_log.py LOG LONG_LOG CHANGES

The changes of the short one are those of whole runs, so that the next one can follow: a second later.
"""
import pathlib
import struct
import sys

short, long, count = pathlib.Path(sys.argv[1]).read_bytes(), pathlib.Path(sys.argv[2]), int(sys.argv[3])
xml_bytes = struct.unpack("<i", short[19:23])[0]
head, records = short[:31 + xml_bytes], short[31 + xml_bytes:]
changes = [(int.from_bytes(records[i:i + 6], "little"), records[i + 6:i + 9]) for i in range(0, len(records), 9)]
period_us = changes[-1][0] - changes[0][0] + 1_000_000
with long.open("wb") as out:
    out.write(head)
    for run in range(count // len(changes)):
        out.write(b"".join((at_us + run * period_us).to_bytes(6, "little") + rest for at_us, rest in changes))
