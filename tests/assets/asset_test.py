#!/usr/bin/env python3
"""Tests of assets that need the whole program: asset_test.py ESPALIER [--update]

- schemas/asset.md: its example is compiled, and gives the bytes that the page shows (--update rewrites them).
- tests/assets/asset_reader.py, a second reader made from that page, prints each asset exactly as `espalier dump` does.
- The asset of each old format version opens, runs and is printed as ever.
- The same project gives the same bytes, whatever the order of paths and the number of threads.
- The header of ids compiles without a warning, as C++ and as C, and knows its asset.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import asset_reader

TESTS = pathlib.Path(__file__).resolve().parents[1]
ROOT = TESTS.parent
PAGE = ROOT / "schemas" / "asset.md"
faults = []


def run(*words, cwd=None):
    return subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, timeout=120)


def expect(holds, what):
    if not holds:
        faults.append(what)
    return holds


def compiled(espalier, paths, folder, *options):
    """The asset's path, or None when the project has errors."""
    asset = pathlib.Path(folder) / "test.espb"
    return asset if run(espalier, "compile", "-q", *paths, "-o", asset, *options).returncode == 0 else None


def hex_dump(data):
    lines = []
    for offset in range(0, len(data), 16):
        row = data[offset:offset + 16]
        letters = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)
        lines.append("%04x  %-47s  %s" % (offset, row.hex(" "), letters.rstrip()))
    return "\n".join(line.rstrip() for line in lines)


def test_example(espalier, folder, update):
    page = PAGE.read_text(encoding="utf-8")
    tree = re.search(r"<!-- example tree -->\n```xml\n(.*?)```", page, re.S).group(1)
    (folder / "door.xml").write_text(tree)
    done = run(espalier, "compile", "door.xml", "--strip", "-o", "door.espb", cwd=folder)
    if not expect(done.returncode == 0, "asset.md: its example does not compile: %s" % done.stderr.decode()):
        return
    shown = "<!-- example asset -->\n```\n%s\n```" % hex_dump((folder / "door.espb").read_bytes())
    if update:
        page = re.sub(r"<!-- example asset -->\n```\n.*?```", lambda _: shown, page, flags=re.S)
        PAGE.write_text(page, encoding="utf-8")
    expect(shown in page, "asset.md: the bytes of its example have changed:\n" + shown)


def same_dump(espalier, asset, what):
    ours = run(espalier, "dump", asset)
    theirs = asset_reader.dump(asset_reader.Asset(asset.read_bytes(), asset_reader.Page(PAGE)))
    expect(ours.returncode == 0, "%s: %s" % (what, ours.stderr.decode()))
    expect(theirs == ours.stdout, "%s: the second reader prints it differently" % what)


def projects():
    folders = [folder for folder in (ROOT / "samples").iterdir() if folder.is_dir()]
    folders += [case for case in (TESTS / "conformance").glob("*/*") if case.is_dir()]
    return sorted(folders)


def test_second_reader(espalier, folder):
    def test(number, project, options):
        place = folder / str(number)
        place.mkdir()
        asset = compiled(espalier, [project], place, *options)
        if asset is not None:
            same_dump(espalier, asset, " ".join([str(project.relative_to(ROOT))] + options))
        return asset is not None

    work = [(project, options) for project in projects() for options in ([], ["--strip"])]
    if "ESPALIER_ALL_TESTS" not in os.environ:  # one in three: the whole asset of some projects, the stripped one of others
        work = work[::3]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        count = sum(pool.map(lambda row: test(row[0], *row[1]), enumerate(work)))
    expect(count > 0, "no project was compiled for the second reader")
    return count


def test_same_bytes(espalier, folder, project):
    paths = sorted(project.glob("*.xml"))
    first = compiled(espalier, paths, folder, "-j", "1").read_bytes()
    for order in (paths, paths[::-1], [paths[0].parent], paths + paths):
        for threads in ("1", "2", "7"):
            again = compiled(espalier, order, folder, "-j", threads).read_bytes()
            expect(first == again, "other bytes for -j %s %s" % (threads, [path.name for path in order]))


HOSTILE_NAMES = """
<SelectionTree name="class" type="BehaviorSelectionTree">
  <Variables><Variable name="std"/><Variable name="near"/><Variable name="a-b"/><Variable name="a.b"/></Variables>
  <SignalVariables>
    <Signal name="2 fast\\" variable="std" value="near"/><Signal name="default" variable="near" value="std"/>
  </SignalVariables>
  <Priority name="Root"><Leaf name="??/" condition="std or near"/><Leaf name="Wait"/></Priority>
</SelectionTree>
"""

HOSTILE_DECIDERS = """
<DeciderTree name="new">
  <DecisionFlags><Flag name="int"/><Flag name="a-b"/><Flag name="a.b"/></DecisionFlags>
  <Stimuli><Stimulus name="delete"/></Stimuli>
  <Behaviors><Behavior name="Wait"/></Behaviors>
  <Group name="Root" policy="prioritizedList">
    <Decider name="Wait" behavior="Wait" behaviorFlags="x auto" flagsAll="int !a-b a.b" stimuliAny="delete"/>
    <Decider name="Rest" behavior="Wait"/>
  </Group>
</DeciderTree>
"""

HOSTILE_SLOTS = """
<SynchronizedTree name="%s">
  <Selector><ChildTree slot="left hand" default="goto"/><ChildTree slot="left-hand" default="goto"/><Action name="Wait"/></Selector>
</SynchronizedTree>
"""

HEADER_USER = """
#include "ids.h"
#include "ids.h"
#include <cstdio>
#include <vector>
int main(int, char** words) {
  std::FILE* file = std::fopen(words[1], "rb");
  std::vector<unsigned char> bytes(32);
  if (file == nullptr || std::fread(bytes.data(), 1, bytes.size(), file) != bytes.size()) return 2;
  std::fclose(file);
  static_assert(ids::class_::variables::near_ == 1 && ids::class_::variables::a_b_2 == 3, "");
  static_assert(ids::class_::signals::default_ == 1 && ids::behaviors::Wait == 1, "");
  static_assert((ids::new_::flags::int_ | ids::new_::flags::a_b_2) == 5 && ids::new_::stimuli::delete_ == 0, "");
  static_assert(ids::new_::behavior_flags::auto_ == 2 && ids::new_::variables::a_b_2 == 2, "");
  static_assert(ids::slots::left_hand == 0 && ids::slots::left_hand_2 == 1, "");
  static_assert(ids::trees::goto_ == 1 && ids::trees::trees == 3, "");
  if (!ids::matches_asset(bytes.data())) return 1;
  bytes[16] ^= 1;
  return ids::matches_asset(bytes.data()) ? 1 : 0;
}
"""

# The same in C99.
HEADER_USER_IN_C = """
#include "ids.h"
#include <stdio.h>
int main(int count, char** words) {
  FILE* file = fopen(words[1], "rb");
  unsigned char bytes[32];
  const int is_right[] = {
      ids_class_variables_near_ == 1, ids_class_variables_a_b_2 == 3, ids_class_signals_default_ == 1, ids_behaviors_Wait == 1,
      (ids_new_flags_int_ | ids_new_flags_a_b_2) == 5, ids_new_stimuli_delete_ == 0, ids_new_behavior_flags_auto_ == 2,
      ids_slots_left_hand == 0, ids_slots_left_hand_2 == 1, ids_trees_goto_ == 1, ids_trees_trees == 3};
  if (count != 2 || file == NULL || fread(bytes, 1, sizeof bytes, file) != sizeof bytes) return 2;
  fclose(file);
  for (size_t i = 0; i < sizeof is_right / sizeof is_right[0]; ++i) {
    if (!is_right[i]) return 3;
  }
  if (!ids_matches_asset(bytes)) return 1;
  bytes[16] ^= 1;
  return ids_matches_asset(bytes) ? 1 : 0;
}
"""


def test_header(espalier, folder):
    (folder / "hostile.xml").write_text(HOSTILE_NAMES)
    (folder / "deciders.xml").write_text(HOSTILE_DECIDERS)
    (folder / "slots.xml").write_text(HOSTILE_SLOTS % "goto")
    (folder / "trees.xml").write_text(HOSTILE_SLOTS % "trees")
    (folder / "main.cpp").write_text(HEADER_USER)
    (folder / "main.c").write_text(HEADER_USER_IN_C)
    files = ["hostile.xml", "deciders.xml", "slots.xml", "trees.xml"]
    done = run(espalier, "compile", "-q", *files, "-o", "ids.espb", "--header", "ids.h", cwd=folder)
    if not expect(done.returncode == 0, "header: " + done.stderr.decode()):
        return
    compiler = os.environ.get("CXX", "c++").split()
    done = run(*compiler, "-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror", "main.cpp", "-o", "main", cwd=folder)
    if expect(done.returncode == 0, "the header of ids does not compile: " + done.stderr.decode()):
        expect(run(folder / "main", folder / "ids.espb").returncode == 0, "the header of ids does not know its asset")
    done = run("cc", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror", "main.c", "-o", "main_c", cwd=folder)
    if expect(done.returncode == 0, "the header of ids does not compile as C: " + done.stderr.decode()):
        status = run(folder / "main_c", folder / "ids.espb").returncode
        expect(status == 0, f"the header of ids does not know its asset in C: {status}")


def main():
    words = [word for word in sys.argv[1:] if word != "--update"]
    if len(words) != 1:
        sys.exit(__doc__)
    found = shutil.which(words[0])
    espalier = pathlib.Path(found or words[0]).resolve()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        test_example(espalier, folder, "--update" in sys.argv)
        count = test_second_reader(espalier, folder)
        for sample in ("archetypes", "deciders", "squad", "synchronized"):
            test_same_bytes(espalier, folder, ROOT / "samples" / sample)
        test_header(espalier, folder)
    for fault in faults:
        print(fault)
    print("assets: %d printed alike by both readers, %d faults" % (count, len(faults)))
    sys.exit(1 if faults else 0)


main()
