#!/usr/bin/env python3
"""A release: release.py ESPALIER LIBRARY, or release.py --try FOLDER

From these files, in place of those that release.sh builds, a release is put together twice, with the same bytes, and then tried: its checksums
hold, the SBOM names every file and library, and the program of each package works where nothing else is: the tarball's and the wheel's in an
empty folder, the .deb's unpacked in one, npm's from the tarball; those for another machine under qemu. --try does the second part alone.
"""
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "cli/package"))
import release  # noqa: E402

WINE = "/usr/lib/wine"
TREE = """<SelectionTree name="Guard" type="BehaviorSelectionTree">
  <Priority name="Root"><Leaf name="Patrol"/></Priority>
</SelectionTree>
"""


def run(words, folder, **more):
    done = subprocess.run([str(word) for word in words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))} ended with exit status {done.returncode}:\n{done.stdout}")
    return done.stdout


def works(words, folder, version):
    """A program says its version, and checks a tree."""
    (folder / "guard.xml").write_text(TREE)
    alone = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "WINEDEBUG": "-all"}
    assert run([*words, "--version"], folder, env=alone) == f"espalier {version}\n", words
    assert "no findings in 1 file" in run([*words, "lint", "guard.xml"], folder, env=alone), words


def emulator(name):
    """The words that run the programs of a package on this machine."""
    is_other = ("aarch64" in name or "arm64" in name) and os.uname().machine != "aarch64"
    return ["qemu-aarch64-static", "-L", "/usr/aarch64-linux-gnu"] if is_other else []


def check_sbom(folder, listed):
    (name,) = folder.glob("*.spdx.json")
    document = json.loads(name.read_text())
    assert document["spdxVersion"] == "SPDX-2.3" and re.fullmatch(r"[0-9-]{10}T[0-9:]{8}Z", document["creationInfo"]["created"])
    elements = {each["SPDXID"] for each in document["packages"] + document["files"]} | {"SPDXRef-DOCUMENT"}
    assert len(elements) == len(document["packages"] + document["files"]) + 1 and all(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", each) for each in elements), elements
    related = {each["relatedSpdxElement"] for each in document["relationships"]}
    assert related == elements - {"SPDXRef-DOCUMENT"}, related ^ elements
    files = {each["fileName"][2:]: {sum_["algorithm"]: sum_["checksumValue"] for sum_ in each["checksums"]} for each in document["files"]}
    assert set(files) == set(listed) - {name.name}, set(files) ^ set(listed)
    assert all(files[each]["SHA256"] == listed[each] for each in files)
    # The libraries are those that the copyright file names.
    libraries = {each["name"] for each in document["packages"]} - {"espalier"}
    named = set(re.findall(r"^Files: ([\w-]+)/\*", (ROOT / "cli/package/copyright").read_text(), re.MULTILINE))
    of_windows = {"GCC's libraries for Windows", "MinGW-w64"} if any(each.endswith(".zip") for each in listed) else set()
    assert libraries == named | {"GCC's libraries", "GNU C library"} | of_windows, libraries ^ named
    # They come from what a build installs, so that their versions are those that were linked.
    installed = set(run(["sh", "-c", ". samples/packages.sh && packages_of build"], ROOT).split())
    needed = {debian for library, (debian, _) in release.LIBRARIES.items() if library in named}
    assert needed <= installed, needed - installed


def try_release(folder):
    """How many packages work."""
    listed = {name: sha for sha, name in (line.split("  ") for line in (folder / "SHA256SUMS").read_text().splitlines())}
    assert set(listed) | {"SHA256SUMS"} == {file.name for file in folder.iterdir()}, listed
    for name, sha in listed.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == sha, f"{name} has another checksum"
    check_sbom(folder, listed)
    version = re.match(r"espalier ([\d.]+)\n", (folder / "CHANGES.txt").read_text())[1]
    assert re.match(r"espalier [\d.]+\n\n\* ", (folder / "CHANGES.txt").read_text())
    count = 0
    for name in listed:
        with tempfile.TemporaryDirectory() as temporary:
            empty = pathlib.Path(temporary)
            if "Linux" in name and name.endswith(".tar.gz"):
                with tarfile.open(folder / name) as tar:
                    tar.extractall(empty)
                works([*emulator(name), next(empty.glob("*/bin/espalier"))], empty, version)
            elif name.endswith(".whl") and emulator(name):
                zipfile.ZipFile(folder / name).extractall(empty)
                (empty / "espalier/native/espalier").chmod(0o755)
                works([*emulator(name), empty / "espalier/native/espalier"], empty, version)
            elif name.endswith(".whl"):
                run(["/usr/bin/python3", "-m", "venv", empty / "venv"], empty)
                run([empty / "venv/bin/pip", "install", "--no-index", "--disable-pip-version-check", folder / name], empty)
                works([empty / "venv/bin/espalier"], empty, version)
            elif name.endswith(".deb"):
                run(["dpkg-deb", "-x", folder / name, empty / "root"], empty)
                works([*emulator(name), empty / "root/usr/bin/espalier"], empty, version)
            elif name.endswith(".zip"):
                zipfile.ZipFile(folder / name).extractall(empty)
                alone = {"HOME": str(empty), "WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mscoree,mshtml,winemenubuilder.exe="}
                run([f"{WINE}/wine64", "wineboot", "--init"], empty, env=alone)
                works([f"{WINE}/wine64", next(empty.glob("*/bin/espalier.exe"))], empty, version)
                run([f"{WINE}/wineserver64", "--kill", "--wait"], empty, env=alone)
            elif name.endswith(".tgz"):
                (empty / "package.json").write_text("{}")
                run(["npm", "install", "--silent", "--offline", "--no-audit", folder / name], empty)
                works([empty / "node_modules/.bin/espalier"], empty, version)
            else:
                continue
            count += 1
    return count


def tarball_of(program, folder):
    """As CPack makes it, with the time and the owner of today."""
    version = re.search(r"project\(espalier VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
    name = f"espalier-{version}-Linux-x86_64"
    (folder / name / "bin").mkdir(parents=True)
    shutil.copy(program, folder / name / "bin/espalier")
    shutil.copy(ROOT / "README.md", folder / name)
    run(["tar", "-czf", f"{name}.tar.gz", name], folder)
    return folder / f"{name}.tar.gz"


def main():
    if sys.argv[1] == "--try":
        print(f"{try_release(pathlib.Path(sys.argv[2]).resolve())} packages hold")
        return
    program, library = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        made = []
        for run_number in ("one", "two"):
            words = [sys.executable, ROOT / "cli/package/release.py", folder / run_number / "release", f"tarball={tarball_of(program, folder / run_number)}", f"library={library}"]
            run(words, folder, env=os.environ | {"SOURCE_DATE_EPOCH": "1700000000", "PYTHONDONTWRITEBYTECODE": "1"})
            made.append({file.name: file.read_bytes() for file in (folder / run_number / "release").iterdir()})
            os.utime(folder / run_number, (1, 1))
        differ = [name for name in made[0] if made[0][name] != made[1].get(name)]
        assert not differ and len(made[0]) == len(made[1]), f"two releases differ in {differ}"
        print(f"{try_release(folder / 'one/release')} packages and {len(made[0])} files hold, with the same bytes twice")


main()
