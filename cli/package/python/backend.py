"""Builds the Python package, as pip's build backend (PEP 517), or by hand: backend.py FOLDER [program=FILE] [library=FILE]

FOLDER gets the wheel and the sdist. The wheel has the program and the runtime's shared library inside: the given files, such as those of
another machine, or else what cmake builds from the sources here. The sdist has these sources. With SOURCE_DATE_EPOCH, or without it, the
same files give the same bytes.
"""
import base64
import gzip
import hashlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SOURCES = ["CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md", "cli", "lib", "schemas"]
MACHINES = {3: "i686", 40: "armv7l", 62: "x86_64", 183: "aarch64", 243: "riscv64"}  # of ELF
# What every Linux has that a manylinux wheel is for.
SYSTEM = re.compile(r"(lib(c|m|dl|rt|pthread|gcc_s)|ld-linux[\w-]*)\.so\.\d+")


def version():
    return re.search(r"project\(espalier VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def epoch():
    return max(int(os.environ.get("SOURCE_DATE_EPOCH", "315532800")), 315532800)  # a zip has no time before 1980


def metadata():
    return f"""Metadata-Version: 2.1
Name: espalier
Version: {version()}
Summary: Checks, tests, proves and runs behaviour trees
License: MIT
Requires-Python: >=3.9
Classifier: Framework :: Pytest
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Classifier: Typing :: Typed
Description-Content-Type: text/markdown

{(HERE / "README.md").read_text()}"""


def platform(files):
    """The tag of the machine and of the oldest C library that all these ELF files run with."""
    machines, newest, others = set(), (2, 5), set()
    for file in files:
        with open(file, "rb") as elf:
            head = elf.read(20)
        if head[:4] != b"\x7fELF":
            sys.exit(f"{file} is no program or library of Linux")
        machines.add(MACHINES[int.from_bytes(head[18:20], "little")])
        told = subprocess.run(["readelf", "--wide", "--version-info", "--dynamic", file], check=True, capture_output=True, text=True).stdout
        newest = max([newest, *((int(major), int(minor)) for major, minor in re.findall(r"Name: GLIBC_(\d+)\.(\d+)", told))])
        others |= {name for name in re.findall(r"NEEDED.*\[(.*)\]", told) if not SYSTEM.fullmatch(name)}
    if len(machines) > 1:
        sys.exit(f"program and library are of different machines: {', '.join(sorted(machines))}")
    if others:
        print(f"only for systems with {', '.join(sorted(others))}", file=sys.stderr)
        return f"linux_{machines.pop()}"
    return f"manylinux_{newest[0]}_{newest[1]}_{machines.pop()}"


def built(settings, folder):
    """The program and the library: as given, or built by cmake. Without what only debuggers read."""
    given = {name: settings[name] for name in ("program", "library") if name in settings}
    targets = {"program": "espalier", "library": "espalier_shared"}
    wanted = [targets[name] for name in targets if name not in given]
    if wanted:
        made = folder / "build"
        tool = "ON" if "espalier" in wanted else "OFF"
        for words in (["-S", ROOT, "-B", made, "-DCMAKE_BUILD_TYPE=Release", "-DESPALIER_UNITY=ON", "-DESPALIER_INSTALL=OFF", f"-DESPALIER_TOOL={tool}"],
                      ["--build", made, "--parallel", str(os.cpu_count() or 1), "--target", *wanted]):
            subprocess.run(["cmake", *words], check=True, stdout=sys.stderr)
        given = {"program": made / "espalier", "library": made / "libespalier.so", **given}
    files = {}
    for name, file in (("espalier", given["program"]), ("libespalier.so", given["library"])):
        files[name] = folder / name
        shutil.copy(os.path.realpath(file), files[name])
        if shutil.which("strip"):
            subprocess.run(["strip", files[name]], check=False, capture_output=True)  # that of another machine may not know the file
    return files


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    with tempfile.TemporaryDirectory() as folder:
        native = built(config_settings or {}, pathlib.Path(folder))
        tag = f"py3-none-{platform(native.values())}"
        info = f"espalier-{version()}.dist-info"
        files = {f"espalier/{file.name}": file.read_bytes() for file in (HERE / "espalier").iterdir() if file.suffix == ".py" or file.name == "py.typed"}
        files |= {f"espalier/native/{name}": file.read_bytes() for name, file in native.items()}
        files |= {f"{info}/METADATA": metadata().encode(),
                  f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: espalier {version()}\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(),
                  f"{info}/entry_points.txt": b"[console_scripts]\nespalier = espalier.command:main\n\n[pytest11]\nespalier = espalier.pytest_plugin\n",
                  f"{info}/LICENSE": (ROOT / "LICENSE").read_bytes(), f"{info}/copyright": (ROOT / "cli/package/copyright").read_bytes()}
    records = [f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}"
               for name, data in sorted(files.items())]
    files[f"{info}/RECORD"] = "\n".join([*records, f"{info}/RECORD,,", ""]).encode()
    name = f"espalier-{version()}-{tag}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in sorted(files.items()):
            entry = zipfile.ZipInfo(path, time.gmtime(epoch())[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if path.startswith("espalier/native/") else 0o100644) << 16
            wheel.writestr(entry, data)
    return name


def source_files():
    """The sources; in a clone those that git knows."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", *SOURCES], check=False, capture_output=True)
    if (ROOT / ".git").exists() and listed.returncode == 0:
        return sorted(name for name in listed.stdout.decode().split("\0") if name)
    files = [file for source in SOURCES for file in ([ROOT / source] if (ROOT / source).is_file() else (ROOT / source).rglob("*"))]
    return sorted(str(file.relative_to(ROOT)) for file in files if file.is_file() and "__pycache__" not in file.parts)


def build_sdist(sdist_directory, config_settings=None):
    base = f"espalier-{version()}"
    # In the sdist's root; the settings are those of the package's folder.
    project = (HERE / "pyproject.toml").read_text().replace('backend-path = ["."]', 'backend-path = ["cli/package/python"]')
    contents = {name: (ROOT / name).read_bytes() for name in source_files()} | {"PKG-INFO": metadata().encode(), "pyproject.toml": project.encode()}
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name, data in sorted(contents.items()):
            entry = tarfile.TarInfo(f"{base}/{name}")
            entry.size, entry.mtime, entry.mode = len(data), epoch(), 0o644
            tar.addfile(entry, io.BytesIO(data))
    name = f"{base}.tar.gz"
    (pathlib.Path(sdist_directory) / name).write_bytes(gzip.compress(packed.getvalue(), mtime=epoch()))
    return name


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    settings = dict(word.split("=", 1) for word in sys.argv[2:])
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    print(folder / build_wheel(folder, settings))
    print(folder / build_sdist(folder))


if __name__ == "__main__":
    main()
