#!/usr/bin/env python3
"""Damages a compiled asset, for tests of faults: change_asset.py FILE < STEPS

A step is a line: `cut N` keeps the first N bytes, `add N` appends N bytes of 0, `set N = B` writes the byte B at offset
N, `rehash` writes the hash that the bytes now have. `as compiled` changes nothing.
"""
import pathlib
import struct
import sys

from asset_bytes import xxh64

file = pathlib.Path(sys.argv[1])
data = bytearray(file.read_bytes())
for step in sys.stdin.read().splitlines():
    verb, *numbers = step.replace("=", " ").split()
    if verb == "cut":
        del data[int(numbers[0]):]
    elif verb == "add":
        data += bytes(int(numbers[0]))
    elif verb == "set":
        data[int(numbers[0])] = int(numbers[1])
    elif verb == "rehash":
        data[16:24] = struct.pack("<Q", xxh64(data[:16] + bytes(8) + data[24:]))
    elif step != "as compiled":
        sys.exit(f"unknown step '{step}'")
file.write_bytes(data)
