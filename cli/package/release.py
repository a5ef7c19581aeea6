"""Puts a release together: release.py FOLDER tarball=FILE library=FILE [deb=FILE] [tarball=FILE library=FILE [deb=FILE]]... [zip=FILE] [npm=FOLDER]

FOLDER gets these files, the packages for Python, the changes, an SBOM (SPDX 2.3) and checksums. Tarballs are those of CPack, one for each machine; each
is followed by the runtime's library for this machine. The same files and the same SOURCE_DATE_EPOCH give the same bytes.
"""
import datetime
import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import uuid

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "python"))
import backend  # noqa: E402

EPOCH = backend.epoch()
# What is linked into the programs, with Debian's package (@: the version of g++) and the licence's name in SPDX. Static programs also have the C library.
LIBRARIES = {"CLI11": ("libcli11-dev", "BSD-3-Clause"), "pugixml": ("libpugixml-dev", "MIT"), "nlohmann-json": ("nlohmann-json3-dev", "MIT"),
             "Lua": ("liblua5.4-dev", "MIT"), "CaDiCaL": ("libcadical-dev", "MIT"), "xxHash": ("libxxhash-dev", "BSD-2-Clause"),
             "SQLite": ("libsqlite3-dev", "blessing"), "zstd": ("libzstd-dev", "BSD-3-Clause"), "lz4": ("liblz4-dev", "BSD-2-Clause"),
             "dtl": ("libdtl-dev", "BSD-3-Clause"),
             "GCC's libraries": ("libstdc++-@-dev", "GPL-3.0-or-later WITH GCC-exception-3.1"),
             "GNU C library": ("libc6-dev", "LGPL-2.1-or-later")}
# What a program for Windows has in place of the last two.
OF_WINDOWS = {"GCC's libraries for Windows": ("g++-mingw-w64-x86-64-posix", "GPL-3.0-or-later WITH GCC-exception-3.1"),
              "MinGW-w64": ("mingw-w64-x86-64-dev", "ZPL-2.1")}


def repacked(tarball):
    """The same files in their order, with the release's time and no owner."""
    packed = io.BytesIO()
    with tarfile.open(tarball) as given, tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for entry in sorted(given.getmembers(), key=lambda each: each.name):
            entry.mtime, entry.uid, entry.gid, entry.uname, entry.gname, entry.pax_headers = EPOCH, 0, 0, "", "", {}
            tar.addfile(entry, given.extractfile(entry) if entry.isfile() else None)
    return gzip.compress(packed.getvalue(), mtime=EPOCH)


def changes():
    """Of this version, without the markup of Debian."""
    entry = re.split(r"^ -- ", (HERE / "changelog").read_text(), maxsplit=1, flags=re.MULTILINE)[0]
    lines = [line[2:] for line in entry.splitlines()[1:]]
    return f"espalier {backend.version()}\n" + "\n".join(lines).rstrip() + "\n"


def digest(data, kind):
    return hashlib.new(kind, data).hexdigest()


def sbom(files):
    """One package that contains the files and the libraries in them, as SPDX 2.3."""
    def package(name, version, licence, **more):
        return {"name": name, "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]+", "-", name), "versionInfo": version, "downloadLocation": "NOASSERTION",
                "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION", **more}
    packages = [package("espalier", backend.version(), "MIT")]
    compiler = subprocess.run(["g++", "-dumpversion"], check=True, capture_output=True, text=True).stdout.strip()
    for name, (debian, licence) in (LIBRARIES | (OF_WINDOWS if any(name.endswith(".zip") for name in files) else {})).items():
        told = subprocess.run(["dpkg-query", "-W", "-f", "${source:Package} ${source:Version}", debian.replace("@", compiler)], check=True, capture_output=True, text=True)
        source, version = told.stdout.split()
        packages.append(package(name, version, licence, externalRefs=[{
            "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": f"pkg:deb/debian/{source}@{version}?arch=source"}]))
    described = [{"fileName": f"./{name}", "SPDXID": f"SPDXRef-File-{re.sub(r'[^A-Za-z0-9.]+', '-', name)}", "licenseConcluded": "NOASSERTION", "copyrightText": "NOASSERTION",
                  "checksums": [{"algorithm": kind.upper(), "checksumValue": digest(data, kind)} for kind in ("sha1", "sha256")]}
                 for name, data in sorted(files.items())]
    contains = [{"spdxElementId": "SPDXRef-espalier", "relationshipType": "CONTAINS", "relatedSpdxElement": each["SPDXID"]} for each in packages[1:] + described]
    whole = digest(json.dumps(described).encode(), "sha256")
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"espalier-{backend.version()}",
            "documentNamespace": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, whole)}",
            "creationInfo": {"created": datetime.datetime.fromtimestamp(EPOCH, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
                             "creators": [f"Tool: espalier-release-{backend.version()}"]},
            "packages": packages, "files": described,
            "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-espalier"}, *contains]}


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1]).resolve()
    given = [(name, pathlib.Path(path)) for name, path in (word.split("=", 1) for word in sys.argv[2:])]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for tarball, library in zip((path for name, path in given if name == "tarball"), (path for name, path in given if name == "library"), strict=True):
        (folder / tarball.name).write_bytes(repacked(tarball))
        with tempfile.TemporaryDirectory() as unpacked:
            with tarfile.open(tarball) as tar:
                (program,) = (entry for entry in tar.getmembers() if entry.name.endswith("/bin/espalier"))
                tar.extract(program, unpacked)
            backend.build_wheel(folder, {"program": f"{unpacked}/{program.name}", "library": str(library)})
    backend.build_sdist(folder)
    for name, path in given:
        if name in ("deb", "zip"):
            shutil.copy(path, folder)
        if name == "npm":
            subprocess.run(["npm", "pack", "--silent", "--pack-destination", folder], cwd=path, check=True)
    (folder / "CHANGES.txt").write_text(changes())
    files = {file.name: file.read_bytes() for file in folder.iterdir()}
    name = f"espalier-{backend.version()}.spdx.json"
    (folder / name).write_text(json.dumps(sbom(files), indent=1) + "\n")
    files[name] = (folder / name).read_bytes()
    (folder / "SHA256SUMS").write_text("".join(f"{digest(data, 'sha256')}  {name}\n" for name, data in sorted(files.items())))
    for file in folder.iterdir():
        os.utime(file, (EPOCH, EPOCH))
        print(f"{file.stat().st_size:>10}  {file.name}")


if __name__ == "__main__":
    main()
