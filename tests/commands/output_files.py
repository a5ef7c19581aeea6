#!/usr/bin/env python3
"""Output files of runs that happen at the same time or are interrupted: output_files.py ESPALIER

Runs at once onto one output, runs that are killed, what a killed run left behind; rules that make and ninja read, and
headers that a compiler reads, with names that try to be something else.
"""
import fcntl
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ESPALIER = pathlib.Path(sys.argv[1]).resolve()


def project(folder, tree_count, name="T"):
    folder.mkdir()
    trees = "".join(
        f'<SelectionTree name="{name}{i}" type="BehaviorSelectionTree"><Variables/><SignalVariables/>'
        f'<LeafTranslations/><Priority name="Root"><Leaf name="{name}Leaf{i}"/></Priority></SelectionTree>\n'
        for i in range(tree_count))
    (folder / "trees.xml").write_text(f"<SelectionTrees>\n{trees}</SelectionTrees>\n")


def run(folder, *words, **options):
    return subprocess.run([ESPALIER, *words], cwd=folder, capture_output=True, text=True, **options)


def left_behind(folder):
    return [path for path in folder.rglob(".espalier-*")]


def runs_at_once(folder):
    """All succeed, and the file is complete: it is the output of one of them."""
    wanted = []
    for i in range(4):
        project(folder / f"p{i}", 20 + i, f"P{i}_")
        run(folder, "compile", f"p{i}", "-o", f"{i}.espb", check=True)
        wanted.append((folder / f"{i}.espb").read_bytes())
    for _ in range(4):
        running = [subprocess.Popen([ESPALIER, "compile", f"p{i % 4}", "-o", "all.espb", "--header", "all.h"], cwd=folder,
                                    stderr=subprocess.PIPE, text=True) for i in range(12)]
        ended = []
        for process in running:
            _, said = process.communicate()
            ended.append((process.returncode, said, (folder / "all.espb").read_bytes()))
        for status, said, asset in ended:
            assert status == 0, said
            assert asset in wanted, f"an asset that no run wrote, of {len(asset)} bytes"
    assert not left_behind(folder), left_behind(folder)


def killed_runs(folder):
    """Signals that can wait leave nothing; after a kill the next run onto the same output removes what was left."""
    project(folder / "trees", 400)
    command = [ESPALIER, "compile", "trees", "-o", "out/"]
    begun = time.monotonic()
    subprocess.run(command, cwd=folder, check=True)
    duration = time.monotonic() - begun
    random.seed(1)
    for number in [signal.SIGTERM, signal.SIGINT, signal.SIGHUP] * 8 + [signal.SIGKILL] * 8:
        process = subprocess.Popen(command, cwd=folder)
        time.sleep(duration * random.random())
        process.send_signal(number)
        process.wait()
        assert number == signal.SIGKILL or not left_behind(folder), left_behind(folder)
    subprocess.run(command, cwd=folder, check=True)
    assert not left_behind(folder), left_behind(folder)
    assert run(folder, "verify", "-q", *sorted((folder / "out").iterdir())).returncode == 0


def unfinished_mark(folder):
    """The mark of a run that writes into the folder; none: there is no run, or its mark has no text yet."""
    marks = [path for path in folder.glob(".espalier-*/*") if not path.name.isdigit() and path.stat().st_size > 0]
    return marks[0] if marks else None


def a_mark(folder):
    """The name and text of the mark, from a run that is stopped while it writes many files."""
    project(folder / "stopped", 400)
    command = [ESPALIER, "compile", "-q", "stopped", "-o", "marked/"]
    for _ in range(1000):
        process = subprocess.Popen(command, cwd=folder)
        while process.poll() is None:
            try:
                path = unfinished_mark(folder / "marked")
            except FileNotFoundError:  # it has just ended
                continue
            if path is None:
                continue
            process.send_signal(signal.SIGSTOP)
            text = path.read_text() if path.exists() else ""
            process.kill()
            process.wait()
            if text:
                subprocess.run(command, cwd=folder, check=True)
                return path.name, text
        process.wait()
    raise AssertionError("no run was seen while it wrote")


def folders_left_behind(folder):
    """A mark in them distinguishes them from folders of others, and their lock from those of running processes."""
    project(folder / "trees", 1)
    mark, text = a_mark(folder)
    marked = (".espalier-gone00", ".espalier-locked", ".espalier-living", ".espalier-other-name")
    others = (".espalier-backup", ".espalier-forged", ".espalier-linked", ".espalier-folder")
    for name in marked + others:
        (folder / name).mkdir()
        (folder / name / "0").write_text("half")
    for name in marked:
        (folder / name / mark).write_text(text)
    (folder / ".espalier-forged" / mark).write_text(text + "!")
    (folder / "elsewhere").write_text(text)
    (folder / ".espalier-linked" / mark).symlink_to(folder / "elsewhere")
    (folder / ".espalier-folder" / mark).mkdir()
    (folder / ".espalier-locked" / "notes.txt").write_text("somebody's")
    lock = os.open(folder / ".espalier-living", os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    run(folder, "compile", "trees", "-o", "all.espb", check=True)
    names = sorted(path.name for path in left_behind(folder))
    assert names == sorted((".espalier-living", ".espalier-locked", ".espalier-other-name", *others)), names
    assert all((folder / name / "0").read_text() == "half" for name in others)
    assert (folder / ".espalier-locked" / "notes.txt").read_text() == "somebody's"
    os.close(lock)


def rules_for_make_and_ninja(folder):
    """Each name is a source for both, or is refused; none is run as a command."""
    project(folder / "one", 1)
    source = (folder / "one" / "trees.xml").read_text()
    refused = ["a;touch pwned;.xml", "a\n\ttouch pwned\n.xml", "$(shell touch pwned)\r.xml", "SHELL=x.xml", "a|b.xml", "*.xml",
               "a\\ b.xml", "a\\", "a)", "a>b.xml", "a`b.xml", "a\tb.xml"]
    taken = ["a b.xml", "a#b.xml", "$(touch pwned).xml", "`$$`"[1:-1] + "$HOME.xml", "50%.xml", "a:b.xml", "a[1].xml", "~a.xml",
             ".IGNORE", "include x.xml", "a,b@c!{d}.xml", "\u00e9.xml", "-a.xml"]
    for name in refused + taken:
        work = folder / "work"
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        (work / name).write_text(source)
        done = run(work, "compile", "./" + name, "-o", "all.espb", "--depfile", "all.d")
        if name in refused:
            assert done.returncode == 2 and "a make rule cannot contain the name" in done.stderr, (name, done)
            assert os.listdir(work) == [name], (name, os.listdir(work))
            continue
        assert done.returncode == 0, (name, done)
        (work / "Makefile").write_text("all.espb:\n\techo made > $@\ninclude all.d\n")
        os.utime(work / "all.espb", (1, 1))
        made = subprocess.run(["make", "all.espb"], cwd=work, capture_output=True, text=True)
        assert (work / "all.espb").read_text() == "made\n", (name, made)
        os.remove(work / "all.espb")
        (work / "build.ninja").write_text("rule copy\n  command = cp all.d used.d && touch $out\n  depfile = used.d\n"
                                          "  deps = gcc\nbuild all.espb: copy\n")
        subprocess.run(["ninja"], cwd=work, check=True, capture_output=True)
        deps = subprocess.run(["ninja", "-t", "deps"], cwd=work, check=True, capture_output=True, text=True).stdout
        assert f"\n    {name}\n" in deps, (name, deps)
        assert not (work / "pwned").exists(), name
        if "%" in name:  # whose own rule would be a pattern
            continue
        os.remove(work / name)
        gone = subprocess.run(["make", "-n", "all.espb"], cwd=work, capture_output=True, text=True)
        assert gone.returncode == 0, (name, gone)


def headers(folder):
    """Names stay in their comments, and do not become other identifiers."""
    names = ["a*/b", "a\\", "a??/", "/*", "*/*", "/*/", "a\u2028b", "\u202eb", "int", "__x", "a&#10;#error", "a&#9;b", "9", "", "-", "\u00e9", "x\u0085#error"]
    leaves = "".join(f'<Leaf name="{name}!{i}" condition=""/>\n' for i, name in enumerate(names)).replace(' condition=""', "")
    trees = "".join(f'<SelectionTree name="{name}~{i}" type="BehaviorSelectionTree"><Variables/><SignalVariables/>'
                    f'<LeafTranslations/><Priority name="Root">{leaves}</Priority></SelectionTree>'
                    for i, name in enumerate(names))
    (folder / "trees.xml").write_text(f"<SelectionTrees>{trees}</SelectionTrees>")
    done = run(folder, "compile", "trees.xml", "-q", "-o", "ids*.espb", "--header", "ids.h")
    assert done.returncode == 0, done.stderr
    (folder / "use.cpp").write_text('#include "ids.h"\nint main() { return ids_::kAssetHash == 0; }\n')
    (folder / "use.c").write_text('#include "ids.h"\nint main(void) { return ids__kAssetHash == 0; }\n')
    for compiler in (["g++", "-std=c++17", "use.cpp"], ["g++", "-std=c++17", "-trigraphs", "use.cpp"],
                     ["gcc", "-std=c99", "use.c"], ["gcc", "-std=c99", "-trigraphs", "use.c"]):
        built = subprocess.run([*compiler, "-Wall", "-Wextra", "-Werror", "-fsyntax-only"], cwd=folder,
                               capture_output=True, text=True)
        assert built.returncode == 0, built.stderr


def main():
    checks = (runs_at_once, killed_runs, folders_left_behind, rules_for_make_and_ninja, headers)
    for check in checks:
        with tempfile.TemporaryDirectory() as temporary:
            check(pathlib.Path(temporary))
    print(f"{len(checks)} checks of outputs passed")


main()
