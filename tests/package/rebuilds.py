#!/usr/bin/env python3
"""When a build compiles trees again: rebuilds.py PREFIX WORK_FOLDER

A project outside of espalier uses espalier_add_trees(), with Ninja and with make. After each change, counts how often trees are
compiled: once if something changed that they depend on, else not at all. Its traces are tests, and fail if a trace does.
"""
import pathlib
import shutil
import subprocess
import sys
import time

TREE = """<SelectionTree name="{name}" type="BehaviorSelectionTree">
  <Variables><Variable name="Seen"/></Variables>
  <SignalVariables><Signal name="OnSeen" variable="Seen" value="true"/></SignalVariables>
  <Priority name="Root"><Leaf name="Attack" condition="Seen"/><Leaf name="{idle}"/></Priority>
</SelectionTree>
"""
LISTS = """cmake_minimum_required(VERSION 3.22)
project(game LANGUAGES C)
enable_testing()
find_package(espalier 1 REQUIRED)
add_executable(game main.c)
target_link_libraries(game PRIVATE espalier::runtime)
espalier_add_trees(TARGET game TREES trees TRACES traces OPTIONS --strip)
"""
MAIN = '#include "game_ids.h"\n#include <espalier/espalier.h>\nint main(void) { return espalier_status_text(ESPALIER_OK) == 0; }\n'
TRACE = '{"trace": 1, "tree": "Guard"}\n{"signal": "OnSeen"}\n{"tick": 0.1}\n{"expect": {"behavior": "Attack"}}\n'


class Project:
    def __init__(self, folder, prefix, generator):
        self.folder, self.prefix, self.generator = folder, prefix, generator
        shutil.rmtree(folder, ignore_errors=True)
        self.write("CMakeLists.txt", LISTS)
        self.write("main.c", MAIN)
        self.write("trees/guard.xml", TREE.format(name="Guard", idle="Idle"))
        self.write("espalier.json", '{"hostFiles": ["hosts.json"]}')
        self.write("hosts.json", "{}")
        self.write("traces/seen.trace.jsonl", TRACE)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        time.sleep(0.02)  # builds compare times of files, and two changes within one tick of the clock are one to them
        path.write_text(text)

    def run(self, *words):
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{self.generator}: {' '.join(words)}\n{done.stdout}{done.stderr}")
        return done.stdout

    def build(self):
        """How often trees were compiled."""
        return self.run("cmake", "--build", str(self.folder / "build")).count("Compiling the trees of game")


def check(project):
    build = str(project.folder / "build")
    project.run("cmake", "-S", str(project.folder), "-B", build, "-G", project.generator, f"-DCMAKE_PREFIX_PATH={project.prefix}")
    header = project.folder / "build" / "game_ids.h"
    changes = [
        ("the first build", lambda: None, 1),
        ("nothing", lambda: None, 0),
        ("a tree", lambda: project.write("trees/guard.xml", TREE.format(name="Guard", idle="Patrol")), 1),
        ("nothing after that", lambda: None, 0),
        ("a file that is no tree", lambda: project.write("trees/notes.txt", "later"), 0),
        ("a new tree", lambda: project.write("trees/night/wolf.xml", TREE.format(name="Wolf", idle="Idle")), 1),
        ("a tree that is gone", lambda: (project.folder / "trees/night/wolf.xml").unlink(), 1),
        ("espalier.json", lambda: project.write("espalier.json", '{"hostFiles": ["hosts.json"], "rules": {"SEL001": "error"}}'), 1),
        ("a host file", lambda: project.write("hosts.json", '{"hosts": {}}'), 1),
        ("CMakeLists.txt", lambda: project.write("CMakeLists.txt", LISTS + "# later\n"), 0),
        ("a host file after that", lambda: project.write("hosts.json", '{"hosts": {} }'), 1),
        ("nothing at last", lambda: None, 0),
    ]
    for what, change, expected in changes:
        change()
        count = project.build()
        if count != expected:
            sys.exit(f"{project.generator}: after a change of {what}, trees were compiled {count} times, not {expected}")
    if "Patrol" not in header.read_text():
        sys.exit(f"{project.generator}: the header of ids is an old one")
    project.run("ctest", "--test-dir", build, "--no-tests=error")
    project.write("traces/seen.trace.jsonl", TRACE.replace("Attack", "Patrol"))
    if subprocess.run(["ctest", "--test-dir", build], capture_output=True).returncode == 0:
        sys.exit(f"{project.generator}: a trace that fails is a test that passes")
    return len(changes)


def odd_names(project):
    """Names of files mean nothing to CMake but themselves. A ';', which its lists cannot hold, is refused."""
    names = ["$<ANGLE-R>.xml", "@PROJECT_NAME@.xml", "${PROJECT_NAME}.xml", "a b.xml", "$ENV{HOME}.xml"]
    for number, name in enumerate(names):
        project.write(f"trees/{name}", TREE.format(name=f"Odd{number}", idle="Idle"))
    project.write("traces/$<1:b> @PROJECT_NAME@.trace.jsonl", TRACE)
    build = str(project.folder / "build")
    configure = ["cmake", "-S", str(project.folder), "-B", build, "-G", project.generator, f"-DCMAKE_PREFIX_PATH={project.prefix}"]
    project.run(*configure)
    change = lambda: project.write(f"trees/{names[0]}", TREE.format(name="Odd0", idle="Patrol"))
    for what, act, expected in (("the first build", lambda: None, 1), ("nothing", lambda: None, 0), ("a tree", change, 1)):
        act()
        if (count := project.build()) != expected:
            sys.exit(f"{project.generator}: odd names, {what}: trees were compiled {count} times, not {expected}")
    header = (project.folder / "build" / "game_ids.h").read_text()
    missing = [number for number in range(len(names)) if f"Odd{number}" not in header]
    if missing:
        sys.exit(f"{project.generator}: no trees of {[names[number] for number in missing]}")
    project.run("ctest", "--test-dir", build, "--no-tests=error")
    generator_expression = project.folder / "trees/$<1:a>.xml"
    project.write("trees/a;b.xml", TREE.format(name="Semicolon", idle="Idle"))
    refused = subprocess.run(configure, capture_output=True, text=True)
    if refused.returncode == 0 or "cannot hold a file name with ';'" not in " ".join(refused.stderr.split()):
        sys.exit(f"{project.generator}: a file name with ';': {refused.stderr}")
    return len(names) + 1


def main():
    prefix, work = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    generators = ("Ninja", "Unix Makefiles")
    count = sum(check(Project(work / generator.replace(" ", "-"), prefix, generator)) for generator in generators)
    count += sum(odd_names(Project(work / f"odd-{generator[:4]}", prefix, generator)) for generator in generators)
    print(f"{count} builds hold")


if __name__ == "__main__":
    main()
