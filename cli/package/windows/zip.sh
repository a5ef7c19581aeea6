#!/bin/sh
# The runtime for Windows: zip.sh BUILD_FOLDER FOLDER
# BUILD_FOLDER is one of the preset `windows`. Writes FOLDER/espalier-runtime-VERSION-windows-x86_64.zip, and beside it what is in it: the
# headers, the DLL and its import library.
set -eu
build=$(cd "$1" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
cd "$(dirname "$0")/../../.."
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
content=$folder/espalier-runtime
rm -rf "$content"
mkdir -p "$content/include" "$content/lib"
cp "$build/espalier.dll" LICENSE cli/package/copyright "$content"
cp cli/package/windows/README.md "$content/README.md"
cp "$build/libespalier.dll.a" "$content/lib"
cp -R lib/runtime/include/espalier "$content/include"
x86_64-w64-mingw32-strip "$content/espalier.dll"
# The same bytes each time: in the order of names, with one time, and nothing of this machine.
python3 - "$content" "$folder/espalier-runtime-$version-windows-x86_64.zip" <<'END'
import os
import pathlib
import sys
import time
import zipfile

content, target = map(pathlib.Path, sys.argv[1:])
when = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), 315532800))[:6]  # 1980 is the first that a zip knows
with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
    for file in sorted(content.rglob("*")):
        if file.is_file():
            entry = zipfile.ZipInfo((pathlib.Path(target.stem) / file.relative_to(content)).as_posix(), when)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, file.read_bytes())
END
