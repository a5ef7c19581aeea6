#!/usr/bin/env python3
"""Can other compilers read what users build? portable.py [--all]

No compiler of Microsoft's or Apple's runs here. What they would read is therefore held to the standards: each public header by
itself as C99 and as C++17, and each file of the runtime as C++17, by g++ and by clang, with errors for what is beyond the standard,
and by clang as it reads sources for MSVC. Headers are also read for Windows itself, where numbers of type long have 32 bits. With
--all the runtime is read for Windows too, by the compiler and the headers of MinGW-w64, which must be installed.

No source has variables of threads: programs by MinGW-w64 give back a thread's memory before they end what is in it. And none but
those of lib/system has std::filesystem, which takes the name of a server for that of a folder there.
"""
import os
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNTIME = ROOT / "lib/runtime"
PUBLIC = RUNTIME / "include"
STRICT = ["-fsyntax-only", "-pedantic-errors", "-Wall", "-Wextra", "-Werror"]
C, CXX = ["-x", "c", "-std=c99"], ["-x", "c++", "-std=c++17"]
MSVC = ["-fms-compatibility", "-fms-compatibility-version=19.29"]
# What clang does not define then, and the standard library here asks for.
AS_MSVC = MSVC + [f"-D__GCC_ATOMIC_{name}_LOCK_FREE=2" for name in
                ("BOOL", "CHAR", "CHAR16_T", "CHAR32_T", "WCHAR_T", "SHORT", "INT", "LONG", "LLONG", "POINTER")] + \
    ["-D__GCC_ATOMIC_TEST_AND_SET_TRUEVAL=1", "-D__STRICT_ANSI__=1"]
FOR_WINDOWS = ["--target=x86_64-pc-windows-msvc", "-ffreestanding", "-nostdlibinc", "-fms-extensions", *MSVC]
MINGW = "x86_64-w64-mingw32-g++-posix"


def commands(is_all):
    """What is read, and the words of a compiler."""
    for header in sorted((PUBLIC / "espalier").iterdir()):
        of_cxx = header.suffix == ".hpp"
        for language in [CXX] if of_cxx else [C, CXX]:
            for compiler in (["g++" if language == CXX else "gcc"], ["clang"], ["clang", *AS_MSVC]):
                yield [header], [*compiler, *STRICT, *language]
        if not of_cxx:
            yield [header], ["clang", *FOR_WINDOWS, *STRICT, *C]
    for folder in sorted({source.parent for source in RUNTIME.glob("*/*.cpp")}):
        for compiler in (["clang", *AS_MSVC], *([[MINGW]] if is_all else [])):
            yield sorted(folder.glob("*.cpp")), [*compiler, *STRICT, *CXX]


def fault(files, words):
    places = [word for folder in (PUBLIC, RUNTIME, ROOT / "lib") for word in ("-I", str(folder))]
    text = "".join(f'#include "{file}"\n' for file in files)
    done = subprocess.run([*words, *places, "-"], input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    about = files[0] if len(files) == 1 else files[0].parent
    return f"{' '.join(words)} {about.relative_to(ROOT)}\n{done.stdout}" if done.returncode else None


FAULTS_OF_LINES = (
    (re.compile(r"\s*(?:(?:static|extern|inline|constinit|const)\s+)*thread_local\b"), (), "a variable of threads"),
    (re.compile(r".*(?:\bstd::filesystem\b|<filesystem>)"), ("lib/system/", "cli/package/"), "include \"system/filesystem.h\" instead"),
)


def faults_of_lines():
    for file in sorted(file for folder in ("lib", "cli") for file in (ROOT / folder).rglob("*") if file.suffix in (".h", ".cpp")):
        shown = file.relative_to(ROOT).as_posix()
        for number, line in enumerate(file.read_text().splitlines(), 1):
            for pattern, free, fault in FAULTS_OF_LINES:
                if pattern.match(line) and not shown.startswith(free):
                    yield f"{shown}:{number}: {fault}"


def main():
    if sys.argv[1:] not in ([], ["--all"]):
        sys.exit(__doc__)
    tried = list(commands(sys.argv[1:] == ["--all"]))
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        faults = [each for each in pool.map(lambda one: fault(*one), tried) if each]
    lines = list(faults_of_lines())
    print("\n".join([*lines, *faults]))
    print(f"{len(tried) - len(faults)} of {len(tried)} readings of headers and sources hold")
    sys.exit(bool(faults or lines) or not tried)


main()
