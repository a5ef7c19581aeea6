#!/usr/bin/env python3
"""The runtime as a shared library, called from another language: shared_library.py ESPALIER LIBRARY

Compiles samples/guard, opens it with ctypes, and updates an agent. The library is found by its soname, gives the functions of
the C headers and nothing else, and needs no C++ library.
"""
import ctypes
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADERS = sorted((ROOT / "lib/runtime/include/espalier").glob("*.h"))
TREES, BEHAVIORS, VARIABLES = 0, 1, 5  # of espalier_kind


class Tree(ctypes.Structure):
    _fields_ = [("asset", ctypes.c_void_p), ("index", ctypes.c_uint32)]


def output_of(*words):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout


def check_symbols(library):
    given = {line.split()[-1] for line in output_of("nm", "-D", "--defined-only", library).splitlines()}
    text = re.sub(r"/\*.*?\*/", "", "".join(header.read_text() for header in HEADERS), flags=re.S)
    text = re.sub(r"^static inline .*?^}|^static inline .*\}$", "", text, flags=re.S | re.M)
    declared = set(re.findall(r"^\w[\w* ]*?\b(espalier_\w+)\(", text, flags=re.M))
    extra = {name for name in given - declared if not name.startswith("_")}
    assert not extra, f"gives what is not declared: {sorted(extra)}"
    assert declared <= given, f"does not give {sorted(declared - given)}"
    needed = re.findall(r"NEEDED\)\s+Shared library: \[(.*)\]", output_of("readelf", "-d", library))
    assert not any("stdc++" in name for name in needed), f"needs {needed}"
    soname = re.search(r"SONAME\)\s+Library soname: \[(.*)\]", output_of("readelf", "-d", library)).group(1)
    assert re.fullmatch(r"libespalier\.so\.\d+", soname), soname
    return len(declared)


def run_guard(library, asset_bytes):
    runtime = ctypes.CDLL(str(library))
    runtime.espalier_agent_bytes.argtypes = [Tree]
    runtime.espalier_agent_bytes.restype = ctypes.c_size_t
    runtime.espalier_start.argtypes = [Tree, ctypes.c_void_p]
    runtime.espalier_set.argtypes = [Tree, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_bool]
    runtime.espalier_find.argtypes = [Tree, ctypes.c_int, ctypes.c_char_p, ctypes.POINTER(ctypes.c_uint32)]
    runtime.espalier_update.argtypes = [Tree, ctypes.c_void_p, ctypes.c_void_p]
    runtime.espalier_current_behavior.argtypes = [Tree, ctypes.c_void_p]
    runtime.espalier_current_behavior.restype = ctypes.c_uint32
    runtime.espalier_name.argtypes = [Tree, ctypes.c_int, ctypes.c_uint32]
    runtime.espalier_name.restype = ctypes.c_char_p
    words = (ctypes.c_uint64 * (len(asset_bytes) // 8))()
    ctypes.memmove(words, asset_bytes, len(asset_bytes))
    asset = (ctypes.c_uint64 * 148)()  # espalier_asset
    assert runtime.espalier_open(words, ctypes.c_size_t(len(asset_bytes)), asset, None) == 0
    guard = Tree(ctypes.addressof(asset), 0)
    index = ctypes.c_uint32()
    assert runtime.espalier_find(guard, TREES, b"Guard", ctypes.byref(index)) == 0
    guard.index = index.value
    agent = (ctypes.c_uint64 * ((runtime.espalier_agent_bytes(guard) + 7) // 8))()
    runtime.espalier_start(guard, agent)
    host = (ctypes.c_uint64 * 64)()
    names = []
    seen = ctypes.c_uint32()
    assert runtime.espalier_find(guard, VARIABLES, b"EnemyVisible", ctypes.byref(seen)) == 0
    for is_seen in (False, True):
        runtime.espalier_set(guard, agent, seen, is_seen)
        runtime.espalier_update(guard, agent, host)
        behavior = runtime.espalier_current_behavior(guard, agent)
        names.append(runtime.espalier_name(guard, BEHAVIORS, behavior).decode())
    return names


def main():
    espalier, library = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    count = check_symbols(library)
    with tempfile.TemporaryDirectory() as folder:
        asset = pathlib.Path(folder) / "guard.espb"
        output_of(espalier, "compile", ROOT / "samples/guard", "-o", asset)
        names = run_guard(library, asset.read_bytes())
    assert names == ["Patrol", "Attack"], names
    print(f"{count} functions of the shared library hold")


main()
