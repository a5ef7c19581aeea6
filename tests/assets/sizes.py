#!/usr/bin/env python3
"""The size of what a game links: sizes.py [COMPILER | --cortex-m3]

Builds lib/runtime as CMake's MinSizeRel does and links a program for each engine that opens an asset with that engine
alone, and updates an agent, watched too; and one with all engines and hot reload. Prints what each adds to an empty program, in bytes of code and constants, and fails where
one is larger than it may be. The functions that a program does not name are left out by the linker, as in a game.
What the Makefile of the sample for a microcontroller compiles is enough to link its engine.
--cortex-m3 compiles for such a microcontroller, and links with neither the library of C++ nor an allocator; what is added has the
arithmetic that the processor has not, and functions as memcpy.
"""
import pathlib
import platform
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNTIME = ROOT / "lib/runtime"
SAMPLE = ROOT / "samples/embed/microcontroller/Makefile"
FLAGS = ["-std=c++17", "-Os", "-fno-exceptions", "-fno-rtti", "-ffunction-sections", "-fdata-sections",
         "-fno-asynchronous-unwind-tables", f"-I{RUNTIME}", f"-I{RUNTIME}/include"]

# At most, in KiB.
LIMITS = {"select": 25, "tick": 35, "rule": 29, "decide": 35, "store": 43, "poll": 63, "all": 146}  # on x86-64
CORTEX_M3_LIMITS = {"select": 21, "tick": 30, "rule": 23, "decide": 30, "poll": 54}  # trees that store need atomic words of 64 bits

PROGRAM = """
#include <espalier/espalier.hpp>
using namespace espalier;
int main(int count, char** words) {
  Asset asset;
  %s
  const Tree first = tree(asset, 0);
  static unsigned char block[256];
  start(first, block);
  Host host;
  signal(first, block, 0, host);
  if (count > 2) update_watched(first, block, host, {});
  return static_cast<int>(update(first, block, host));
}
"""
OPEN_ONE = ("const Engine* const engines[] = {%s_engine()};"
            "if (open_with(engines, 1, words[0], static_cast<unsigned>(count), &asset) != Status::ok) return 1;")
OPEN_ALL = "if (open(words[0], static_cast<unsigned>(count), &asset) != Status::ok) return 1;"


def main():
    is_cortex = "--cortex-m3" in sys.argv
    limits = CORTEX_M3_LIMITS if is_cortex else LIMITS
    compiler = "arm-none-eabi-g++" if is_cortex else sys.argv[1] if len(sys.argv) > 1 else "g++"
    linker, binutils = (compiler, "") if not is_cortex else ("arm-none-eabi-gcc", "arm-none-eabi-")  # without the library of C++
    processor = ["-mcpu=cortex-m3", "-mthumb"] if is_cortex else []
    linked = ["--specs=nano.specs", "-nostartfiles", "-Wl,--entry=main"] if is_cortex else []
    is_limited = is_cortex or platform.machine() == "x86_64"

    def run(*words):
        return subprocess.run(words, check=True, capture_output=True, text=True).stdout

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def compiled(source):
            made = folder / ("-".join(source.relative_to(RUNTIME).parts) + ".o")
            run(compiler, *processor, *FLAGS, "-c", str(source), "-o", str(made))
            return str(made)

        def size(text, *libraries):
            (folder / "main.cpp").write_text(text)
            run(compiler, *processor, *FLAGS, "-c", str(folder / "main.cpp"), "-o", str(folder / "main.o"))
            run(linker, *processor, str(folder / "main.o"), *libraries, *linked, "-Wl,--gc-sections", "-o", str(folder / "main"))
            return int(run(binutils + "size", str(folder / "main")).splitlines()[1].split()[0])

        def archived(library, sources):
            made = str(folder / library)
            run(binutils + "ar", "rc", made, *[objects[source] for source in sources])
            return made

        sources = sorted(RUNTIME.rglob("*.cpp"))
        with ThreadPoolExecutor() as pool:
            objects = dict(zip(sources, pool.map(compiled, sources)))
        archive = archived("runtime.a", sources)
        empty = size("int main() {}")
        too_large = []
        for engine, limit in limits.items():
            text = PROGRAM % (OPEN_ALL if engine == "all" else OPEN_ONE % engine)
            size_bytes = size(text, archive) - empty
            print(f"{engine:8} {size_bytes:8,} bytes, at most {limit * 1024:8,}")
            if is_limited and size_bytes > limit * 1024:
                too_large.append(engine)
        folders = re.findall(r"(\w+)/\*\.cpp", SAMPLE.read_text())
        try:
            size(PROGRAM % (OPEN_ONE % "poll"), archived("sample.a", [source for source in sources if source.parent.name in folders]))
        except subprocess.CalledProcessError as failed:
            sys.exit(f"{SAMPLE.relative_to(ROOT)} compiles too little:\n{failed.stderr}")
    if too_large:
        sys.exit("too large: " + ", ".join(too_large))
    print(f"{len(limits)} sizes of linked programs hold")


main()
