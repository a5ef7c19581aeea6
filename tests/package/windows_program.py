#!/usr/bin/env python3
"""The program for Windows, under Wine: windows_program.py FOLDER ESPALIER HELPERS

FOLDER is what the zip of cli/package/windows/zip.sh has, ESPALIER the program of this machine, and HELPERS has hold.exe and
interrupt.exe, of windows_hold.c and windows_interrupt.c. Tries what Windows has otherwise: paths, servers, names of devices, files that are
read-only or open elsewhere, and consoles. WINEPREFIX says where drives are.
"""
import json
import os
import pathlib
import pty
import re
import select
import subprocess
import sys
import tempfile
import time

import windows_servers

MINGW = "x86_64-w64-mingw32-"
WINE = "/usr/lib/wine/wine64"
# What Windows brings along.
SYSTEM = {"kernel32.dll", "msvcrt.dll", "shell32.dll", "ws2_32.dll", "user32.dll", "advapi32.dll"}
GOOD = '<SelectionTree name="Guard" type="BehaviorSelectionTree"><Priority name="Root"><Leaf name="Patrol"/></Priority></SelectionTree>\n'
BAD = GOOD.replace("<Leaf", "<Leef")
FOUND = re.compile(r"^(\S[^\n]*?):(\d+):\d+: error: ", re.MULTILINE)
SOON_s = 60


class Tried:
    def __init__(self, program, native, helpers, folder):
        self.wine, self.program, self.native, self.helpers, self.folder = WINE, program, native, helpers, folder

    def run(self, *words, folder=None, **more):
        """Exit status, and all that was written."""
        done = subprocess.run([WINE, self.program, *map(str, words)], cwd=folder or self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=SOON_s, **more)
        return done.returncode, done.stdout

    def finds(self, path, shown, folder=None):
        """The error of BAD in a file that is called `path`, told of the file `shown`."""
        status, output = self.run("lint", path, folder=folder)
        assert status == 1 and [name for name, _ in FOUND.findall(output)][:1] == [shown], (path, status, output)

    def write(self, name, text):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file


def check_libraries(tried):
    shown = subprocess.run([MINGW + "objdump", "-p", tried.program], check=True, stdout=subprocess.PIPE, text=True).stdout
    needed = {line.split()[-1].lower() for line in shown.splitlines() if "DLL Name:" in line}
    assert needed <= SYSTEM, f"the program needs {sorted(needed - SYSTEM)}"


def check_separators(tried):
    """Both are taken, and / is written; drives, with and without a folder."""
    tried.write("trees/sub/bad.xml", BAD)
    tried.write("trees/übung 木.xml", BAD)
    for path in ("trees/sub/bad.xml", "trees\\sub\\bad.xml", "trees/sub\\bad.xml"):
        tried.finds(path, "trees/sub/bad.xml")
    tried.finds(".\\trees\\übung 木.xml", "./trees/übung 木.xml")
    windows = "Z:" + str(tried.folder).replace("/", "\\") + "\\trees\\sub"
    tried.finds(windows + "\\bad.xml", "Z:" + str(tried.folder) + "/trees/sub/bad.xml")
    tried.finds(windows, "Z:" + str(tried.folder) + "/trees/sub/bad.xml")
    tried.finds("Z:sub\\bad.xml", "Z:sub/bad.xml", folder=tried.folder / "trees")
    # An asset for another drive is the same.
    tried.write("good/guard.xml", GOOD)
    assert tried.run("compile", "good", "-o", "C:\\windows\\temp\\guard.espb", "-q")[0] == 0
    subprocess.run([tried.native, "compile", "good", "-o", "guard.espb", "-q"], cwd=tried.folder, check=True)
    written = pathlib.Path(os.environ["WINEPREFIX"]) / "drive_c/windows/temp/guard.espb"
    assert written.read_bytes() == (tried.folder / "guard.espb").read_bytes(), "another asset"


def check_devices(tried):
    """Nothing waits for a device; what is written to NUL is gone."""
    tried.write("guard.xml", GOOD)
    before = sorted(file.name for file in tried.folder.iterdir())
    for name in ("CON", "con.xml", "COM1", "aux", "LPT1.xml", "trees\\CON"):
        status, output = tried.run("lint", name)
        assert status == 2 and output.startswith("espalier: "), (name, status, output)
    status, output = tried.run("lint", "NUL")
    assert "no findings" not in output and status in (1, 2), (status, output)  # it is empty, or not there
    done = tried.run("compile", "guard.xml", "-o", "NUL", "-q")
    assert done == (0, ""), done
    assert sorted(file.name for file in tried.folder.iterdir()) == before, "a file has the name of a device"


def check_servers(tried):
    windows_servers.check_servers(tried, BAD, GOOD)


def check_long_paths(tried):
    """Of more than 260 letters, as a whole, and of a name below a folder that is given."""
    folder = tried.folder / "long" / "/".join(f"{letter * 60}" for letter in "abcdef")
    folder.mkdir(parents=True)
    (folder / "bad.xml").write_text(BAD)
    relative = folder.relative_to(tried.folder)
    assert len(str(relative)) > 300
    tried.finds(str(relative / "bad.xml").replace("/", "\\"), str(relative / "bad.xml"))
    tried.finds("long", str(relative / "bad.xml"))
    tried.finds(f"Z:{folder}/bad.xml", f"Z:{folder}/bad.xml")
    (folder / "bad.xml").write_text(GOOD)
    assert tried.run("compile", "long", "-o", f"{relative}/guard.espb", "-q") == (0, "")
    subprocess.run([tried.native, "verify", "-q", folder / "guard.espb"], check=True)
    # Formatted in place.
    assert tried.run("fmt", "-q", relative / "bad.xml")[0] == 0
    assert (folder / "bad.xml").read_text().count("\n") > 3, "it is not formatted"


def check_read_only(tried):
    """They are read, and not replaced: the program says why."""
    asset = tried.write("only/guard.espb", "as it was")
    tree = tried.write("only/guard.xml", GOOD)
    for file in (asset, tree):
        file.chmod(0o444)
    status, output = tried.run("compile", "only/guard.xml", "-o", "only\\guard.espb")
    assert status == 2 and "only/guard.espb" in output and asset.read_text() == "as it was", (status, output)
    status, output = tried.run("fmt", "only")
    assert status == 2 and "only/guard.xml" in output and tree.read_text() == GOOD, (status, output)
    assert sorted(file.name for file in asset.parent.iterdir()) == ["guard.espb", "guard.xml"], "something is left"
    assert tried.run("lint", "only")[0] == 0


def check_open_elsewhere(tried):
    """A file that somebody holds is read, and stays as it was where he does not let it be replaced. Wine lets nobody replace a file that is open."""
    tree = tried.write("held/guard.xml", GOOD)
    asset = tried.write("held/guard.espb", "as it was")
    holders = [subprocess.Popen([WINE, tried.helpers / "hold.exe", file.name], cwd=tree.parent, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
               for file in (tree, asset)]
    assert [holder.stdout.readline().strip() for holder in holders] == ["held", "held"]
    assert tried.run("lint", "held")[0] == 0
    status, output = tried.run("compile", "held/guard.xml", "-o", "held/guard.espb")
    assert status == 2 and output == "espalier: cannot write 'held/guard.espb': Permission denied\n", (status, output)
    for holder in holders:
        holder.communicate(timeout=SOON_s)
    assert asset.read_text() == "as it was" and len(list(tree.parent.iterdir())) == 2, "something is left"
    assert tried.run("compile", "held/guard.xml", "-o", "held/guard.espb", "-q")[0] == 0


class Console:
    """The program on a terminal, which is its console: Wine draws it there."""

    def __init__(self, tried, *words):
        self.terminal, other = pty.openpty()
        self.process = subprocess.Popen([WINE, tried.program, *words], cwd=tried.folder, env=os.environ | {"TERM": "xterm"}, stdin=other, stdout=other,
                                        stderr=other, start_new_session=True)
        os.close(other)
        self.text = b""

    def read(self, seconds, until=None):
        end = time.monotonic() + seconds
        while time.monotonic() < end and not (until and until in self.text):
            if select.select([self.terminal], [], [], 0.1)[0]:
                try:
                    self.text += os.read(self.terminal, 65536)
                except OSError:  # the last writer is gone
                    break
        return self.text


def check_console(tried):
    """Text that is not ASCII, and colours."""
    tried.write("trees/übung 木.xml", BAD)
    console = Console(tried, "lint", "trees\\übung 木.xml")
    status = console.process.wait(SOON_s)
    shown = console.read(2).decode()
    text = re.sub(r"\x1b\[[?0-9;]*[A-Za-z]", "", shown)  # Wine also moves its cursor
    assert status == 1 and "übung" in text and "木" in text and re.search(r"\x1b\[(?:\d+;)*31m", shown), (status, shown)


REPEATS = "".join(f'<Repeat count="200"><Action name="A{i}"/></Repeat>' for i in range(8))
ENDLESS = (f'<SynchronizedTree name="B"><Selector><Succeed><Parallel success="all" failure="all">{REPEATS}</Parallel></Succeed>'
           '<Action name="Never"/></Selector></SynchronizedTree>')


def check_interrupt(tried):
    """Ctrl-C: what is known is written."""
    tried.write("endless/b.xml", ENDLESS)
    tried.write("endless/espalier.json", "{}")
    terminal, other = pty.openpty()  # without a terminal there is no console
    command = f'"{tried.program}" cover endless --budget 100000000 -j 1'
    done = subprocess.run([WINE, tried.helpers / "interrupt.exe", "8", command], cwd=tried.folder, stdin=other, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=2 * SOON_s, start_new_session=True)
    os.close(other)
    os.close(terminal)
    assert done.returncode == 128 + 2 and done.stderr.startswith("espalier: interrupted: 0 of 1 tree "), (done.returncode, done.stderr)
    assert "undecided: the exploration was interrupted" in done.stdout, done.stdout


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    content, native, helpers = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    checks = (check_libraries, check_separators, check_devices, check_servers, check_long_paths, check_read_only, check_open_elsewhere,
              check_console, check_interrupt)
    for check in checks:
        with tempfile.TemporaryDirectory() as folder:
            check(Tried(content / "bin/espalier.exe", native, helpers, pathlib.Path(folder)))
    print(f"{len(checks)} checks of paths, files and consoles hold")


main()
