#!/usr/bin/env python3
"""The runtime for Windows, under Wine: windows_runtime.py FOLDER ESPALIER

FOLDER is what the zip of cli/package/windows/zip.sh has, ESPALIER the program of this machine. A C program that is linked with the import
library alone runs an asset by the DLL as one for this machine does. The DLL gives the functions of the C headers and nothing else, and
needs nothing but Windows.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MINGW = "x86_64-w64-mingw32-"
WINE = "/usr/lib/wine/wine64"


def output_of(*words, folder=None):
    return subprocess.run([str(word) for word in words], cwd=folder, check=True, stdout=subprocess.PIPE, text=True, timeout=300).stdout


def check_names(content):
    shown = output_of(MINGW + "objdump", "-p", content / "bin/espalier.dll")
    needed = {line.split()[-1].lower() for line in shown.splitlines() if "DLL Name:" in line and "espalier" not in line}
    assert needed <= {"kernel32.dll", "msvcrt.dll"}, f"the DLL needs {sorted(needed)}"
    given = set(re.findall(r"^\s*\[ *\d+\].* (espalier_\w+)$", shown, re.M))
    others = set(re.findall(r"^\s*\[ *\d+\].* (\S+)$", shown[shown.index("[Ordinal/Name Pointer]"):], re.M)) - given
    assert not others, f"the DLL gives {sorted(others)}"
    headers = "".join(header.read_text() for header in (content / "include/espalier").glob("*.h"))
    text = re.sub(r"/\*.*?\*/", "", headers, flags=re.S)
    text = re.sub(r"^static inline .*?^}|^static inline .*\}$", "", text, flags=re.S | re.M)
    declared = set(re.findall(r"^[a-z][^\n;(]*[ *](espalier_\w+)\(", text, re.M))
    assert declared and declared == given, f"only one has them: {sorted(declared ^ given)}"
    return len(given)


def check_program(content, espalier, folder):
    source, flags = ROOT / "tests/package/outside.c", ["-std=c99", "-pedantic-errors", "-Wall", "-Werror", "-I", content / "include"]
    output_of(MINGW + "gcc-posix", source, *flags, content / "lib/libespalier.dll.a", "-o", folder / "outside.exe")
    shutil.copy(content / "bin/espalier.dll", folder)
    output_of(espalier, "compile", ROOT / "samples/guard", "-o", folder / "guard.espb")
    lines = output_of(WINE, "outside.exe", "guard.espb", folder=folder).split()
    assert lines == ["Patrol", "Attack"], f"the guard does {lines}"
    return lines


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    content, espalier = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    count = check_names(content)
    with tempfile.TemporaryDirectory() as folder:
        lines = check_program(content, espalier, pathlib.Path(folder))
    print(f"a C program ran a guard by the DLL ({', '.join(lines)}); {count} functions compared")


main()
