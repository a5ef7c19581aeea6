#!/usr/bin/env python3
"""A tree on a microcontroller: microcontroller.py ESPALIER

Builds samples/embed/microcontroller for a Cortex-M3 and runs it with qemu: it writes what samples/how-to/microcontroller.md says, is as large as the page
says, and has neither an allocator, nor exceptions, nor a part of the library of C++. Then the runtime's sizes there, as the page has them. Needs Debian's gcc-arm-none-eabi and
qemu-system-arm.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "samples/how-to/microcontroller.md"
FORBIDDEN = re.compile(r"_?(malloc|calloc|realloc|free|_*sbrk.*|.*printf.*)(_r)?$|_Zn[wa]|_Zd[la]|__cxa|_Unwind|__aeabi_unwind")


def output_of(*words, **more):
    done = subprocess.run([str(word) for word in words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=1200, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}:\n{done.stdout}{done.stderr}")
    return done.stdout


def main():
    espalier = pathlib.Path(sys.argv[1]).resolve()
    page = PAGE.read_text()
    [told] = re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    [command] = re.findall(r"^make .*$", page, re.MULTILINE)
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        settings = [f"OUT={folder}", f"ESPALIER={espalier}", *command.split()[1:-2]]
        output_of("make", "-j2", *settings, f"{folder}/patrol.elf", cwd=ROOT)
        output = output_of("make", *settings, *command.split()[-2:], cwd=ROOT)
        story, size = output.split("   text", 1)
        if story != told:
            faults.append(f"{PAGE.name} has another output; it is\n{story}")
        names = output_of("arm-none-eabi-nm", f"{folder}/patrol.elf").split("\n")
        linked = [name for name in (line.split()[-1] for line in names if line) if FORBIDDEN.match(name)]
        faults += [f"the program has {name}" for name in linked]
        flash_bytes = int(size.split("\n")[1].split()[0])
        if f"{flash_bytes:,} bytes of the flash" not in page:
            faults.append(f"{PAGE.name} does not say that the program takes {flash_bytes:,} bytes of the flash")
    sizes = dict(re.findall(r"^(\w+) +([\d,]+) bytes", output_of(sys.executable, ROOT / "tests/assets/sizes.py", "--cortex-m3"), re.MULTILINE))
    faults += [f"{PAGE.name} does not have {size}, the size of the engine '{engine}'" for engine, size in sizes.items() if f"| {size} |" not in page]
    sys.exit("\n".join(faults) or print(f"1 program runs on a microcontroller, and {len(sizes)} sizes hold"))


main()
