#!/usr/bin/env python3
"""The Python package: python_package.py ESPALIER LIBRARY [--all | --update]

The tests in tests/package/python hold, from the sources. With --all they do as the package is delivered: the wheel is built twice, with the
same bytes, and installed in a fresh environment in an empty folder, without a network. There the command works, mypy finds nothing in the
package, the structures that Python knows are those of the C headers, the manual's files do what it says (--update writes that), and every
trace of tests/conformance that all programs can play is played. The sdist is installed too, which builds the library from its sources.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import python_manual

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "cli/package/python"
TESTS = ROOT / "tests/package/python"


def python_with(module):
    """The Python that has a package of the system."""
    for python in (sys.executable, "/usr/bin/python3"):
        if shutil.which(python) and subprocess.run([python, "-c", f"import {module}"], capture_output=True, check=False).returncode == 0:
            return python
    sys.exit(f"no python3 has {module}")


def quietly(*words, **more):
    """Its output, or the end of this test."""
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))} ended with exit status {done.returncode}:\n{done.stdout}")
    return done.stdout


def alone(**more):
    """The environment without what this machine has set for espalier and Python."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ESPALIER_", "PYTHON", "PYTEST_"))}
    return kept | {"PYTHONDONTWRITEBYTECODE": "1", "ESPALIER_SOURCES": str(ROOT)} | more


def run_tests(python, environment, *tests):
    """The last line of what pytest says, with a count."""
    words = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", TESTS, *(tests or [TESTS])]
    with tempfile.TemporaryDirectory() as empty:  # with -m, modules of the current folder come before those of Python
        return quietly(*words, cwd=empty, env=environment).strip().splitlines()[-1]


def build(folder, program, library):
    environment = alone(SOURCE_DATE_EPOCH="1700000000")
    quietly(sys.executable, PACKAGE / "backend.py", folder, f"program={program}", f"library={library}", env=environment, cwd="/")
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


def installed(folder, package, *settings):
    """The programs of a fresh environment whose Python also sees the system's packages, as pytest is one of them."""
    quietly(python_with("pytest"), "-m", "venv", "--system-site-packages", folder, env=alone())
    quietly(folder / "bin/pip", "install", "--no-index", "--no-deps", "--no-cache-dir", "--disable-pip-version-check", *settings, package,
            cwd=folder.parent, env=alone())
    return folder / "bin"


def check_machines(library, folder):
    """The wheel is named after the machine of its files, which is the same for both. A header is enough to say so."""
    arm = bytearray(library.read_bytes())
    arm[18:20] = (183).to_bytes(2, "little")
    (folder / "arm.so").write_bytes(arm)
    words = [sys.executable, PACKAGE / "backend.py", folder / "arm", f"program={folder}/arm.so"]
    quietly(*words, f"library={folder}/arm.so", env=alone(), cwd="/")
    assert any(file.name.endswith("_aarch64.whl") for file in (folder / "arm").iterdir())
    told = subprocess.run([*map(str, words), f"library={library}"], env=alone(), capture_output=True, text=True, check=False)
    assert "different machines: aarch64, x86_64" in told.stderr, told.stderr


def check_structures(python, folder):
    """Sizes and offsets of all structures, by a C program."""
    code = """import espalier._c as c
for name, kind in c.STRUCTURES.items():
    print(name, '', c.ctypes.sizeof(kind))
    for field in kind._fields_: print(name, field[0], getattr(kind, field[0]).offset)
"""
    known = quietly(python, "-c", code, env=alone())
    names = [line.split(" ")[:2] for line in known.splitlines()]
    sizes = [f'  printf("{name} {field} %zu\\n", {f"offsetof({name}, {field})" if field else f"sizeof({name})"});' for name, field in names]
    headers = [f"#include <espalier/{name}.h>" for name in ("debugging", "deciders", "espalier", "polling", "selecting", "watching")]
    (folder / "structures.c").write_text("\n".join(["#include <stdio.h>", *headers, "int main(void) {", *sizes, "}", ""]))
    quietly("cc", "-std=c11", f"-I{ROOT}/lib/runtime/include", folder / "structures.c", "-o", folder / "structures")
    actual = quietly(folder / "structures")
    assert known == actual, f"Python and C differ:\n{known}\n{actual}"


def check_types(python, folder):
    """mypy finds nothing in the package and in the manual's programs, and knows the types of ports."""
    typed = folder / "typed"
    shutil.copytree(PACKAGE / "espalier", typed / "espalier")
    quietly("mypy", "--strict", "--cache-dir", folder / "cache", "espalier", cwd=typed)
    programs = folder / "programs"
    programs.mkdir()
    for name, text in python_manual.files().items():
        if name.endswith(".py") and not name.startswith("test_"):
            (programs / name).write_text(text)
    words = ["mypy", "--strict", "--cache-dir", folder / "cache2", "--python-executable", python]
    quietly(*words, ".", cwd=programs)
    (programs / "wrong.py").write_text("from robot import FollowPath\n\nFollowPath().path + 1\n")
    told = subprocess.run([*map(str, words), "wrong.py"], cwd=programs, capture_output=True, text=True, check=False).stdout
    assert 'wrong.py:3: error: Unsupported operand types for + ("str" and "int")' in told, told


def check_delivery(program, library, folder):
    """Yields faults, and last what the tests say."""
    files = build(folder / "one", program, library)
    if files != build(folder / "two", program, library):
        yield "two builds differ"
    wheel, sdist = (next((folder / "one").glob(suffix)) for suffix in ("*.whl", "*.tar.gz"))
    print(f"{wheel.name}: {wheel.stat().st_size} bytes; {sdist.name}: {sdist.stat().st_size} bytes")
    scripts = installed(folder / "installed", wheel)
    empty = folder / "empty"
    empty.mkdir()
    for words in ([scripts / "espalier"], [scripts / "python", "-m", "espalier"]):
        if quietly(*words, "--version", cwd=empty, env=alone()) != quietly(program, "--version"):
            yield f"{words} is another version"
    check_structures(scripts / "python", empty)
    check_machines(library, folder)
    check_types(scripts / "python", folder)
    yield from python_manual.broken_links()
    yield from python_manual.faults(scripts, alone(), "--update" in sys.argv)
    if "--all" in sys.argv:
        built = installed(folder / "built", sdist, "--config-settings", f"program={program}")
        print(f"from the sdist: {run_tests(built / 'python', alone(), TESTS / 'test_runtime.py')}")
        print(run_tests(scripts / "python", alone(ESPALIER_ALL_TESTS="1")))


def main():
    program, library = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    if len(sys.argv) == 3:
        print(run_tests(python_with("pytest"), alone(PYTHONPATH=str(PACKAGE), PYTEST_PLUGINS="espalier.pytest_plugin", ESPALIER_PROGRAM=str(program),
                                                     ESPALIER_LIBRARY=str(library))))
        return
    with tempfile.TemporaryDirectory() as temporary:
        faults = list(check_delivery(program, library, pathlib.Path(temporary)))
    sys.exit("\n".join(faults) or None)


main()
