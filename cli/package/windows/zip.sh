#!/bin/sh
# The package for Windows: zip.sh BUILD_FOLDER FOLDER
# BUILD_FOLDER is one of the preset `windows`, with the targets `all` or `espalier`, `espalier_shared`, `espalier_runtime` and `espalier_written`.
# Writes FOLDER/espalier-VERSION-windows-x86_64.zip, and beside it what is in it: what CMake installs, with the DLL of the runtime.
set -eu
build=$(cd "$1" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
cd "$(dirname "$0")/../../.."
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
name=espalier-$version-windows-x86_64
content=$folder/$name
rm -rf "$content" "$content.zip"
cmake --install "$build" --prefix "$content" --strip >/dev/null
rm -r "$content/share/man" # Windows has nothing that shows it
cp "$build/espalier.dll" "$content/bin"
x86_64-w64-mingw32-strip "$content/bin/espalier.dll"
cp "$build/libespalier.dll.a" "$content/lib"
sed 's/$/\r/' LICENSE >"$content/LICENSE.txt"
sed 's/$/\r/' cli/package/copyright >"$content/copyright.txt"
sed 's/$/\r/' /usr/share/doc/mingw-w64-x86-64-dev/copyright >"$content/copyright-mingw-w64.txt"
sed 's/$/\r/' cli/package/windows/README.txt >"$content/README.txt"
# The same bytes each time: in the order of names, with one time, and nothing of this machine.
python3 - "$content" <<'END'
import os
import pathlib
import sys
import time
import zipfile

content = pathlib.Path(sys.argv[1])
when = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), 315532800))[:6]  # 1980 is the first that a zip knows
with zipfile.ZipFile(f"{content}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    for file in sorted(content.rglob("*")):
        if file.is_file():
            entry = zipfile.ZipInfo((pathlib.Path(content.name) / file.relative_to(content)).as_posix(), when)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, file.read_bytes())
END
