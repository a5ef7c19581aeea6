#!/bin/sh
# The whole program for 64-bit ARM: aarch64.sh NATIVE_BUILD WORK_FOLDER
# Builds it and its libraries with Debian's cross compiler, as a static program and as a .deb, and runs golden and conformance cases, the
# runtime's unit tests and programs under qemu.
set -eu
native=$(cd "$1" && pwd)
mkdir -p "$2/bin"
work=$(cd "$2" && pwd)
cd "$(dirname "$0")/../.."
. samples/packages.sh
# shellcheck source=cli/package/packages.sh
. cli/package/packages.sh

quietly() { "$@" >"$work/log" 2>&1 || { tail -n 60 "$work/log" >&2; exit 1; }; }

quietly cross_libraries aarch64
quietly package aarch64-static -DESPALIER_TOOL_OPTIONS=-O1
tarball=$(ls build/aarch64-static/espalier-*.tar.gz)
quietly package aarch64 -DESPALIER_TOOL_OPTIONS=-O1
deb=$(ls build/aarch64/espalier_*.deb)
wc -c "$tarball" "$deb"

# What is in them is of the other processor, and the static program needs no other file.
rm -rf "$work/static" "$work/deb"
mkdir "$work/static"
tar -xf "$tarball" -C "$work/static" --strip-components=1
dpkg-deb -x "$deb" "$work/deb"
[ "$(dpkg-deb -f "$deb" Architecture)" = arm64 ] || { echo "the .deb is for $(dpkg-deb -f "$deb" Architecture)" >&2; exit 1; }
qemu=$(command -v qemu-aarch64-static)
for program in "$qemu $work/static/bin/espalier" "$qemu -L /usr/aarch64-linux-gnu $work/deb/usr/bin/espalier"; do
  [ "$($program --version)" = "$("$native/espalier" --version)" ] || { echo "$program has another version" >&2; exit 1; }
done
zcat "$work/deb/usr/share/man/man1/espalier.1.gz" | cmp - "$native/written/espalier.1"

cat >"$work/bin/espalier" <<EOF
#!/bin/sh
exec "$qemu" "$work/static/bin/espalier" "\$@"
EOF
chmod +x "$work/bin/espalier"
python3 tests/golden.py "$work/bin/espalier" --except=tests/package/aarch64_exceptions.txt --slower=5
for dialect in tests/conformance/*/; do
  python3 tests/conformance.py "$work/bin/espalier" "$dialect" --once --slower=5
done

quietly cmake --preset aarch64 -DESPALIER_TESTS=ON
quietly cmake --build --preset aarch64 --parallel "$(nproc)" --target unit_runtime
quietly "$qemu" -L /usr/aarch64-linux-gnu build/aarch64/tests/unit_runtime "~[hostile]"
tail -n 3 "$work/log"
python3 tests/package/processors.py "$native/espalier" "$native/tests" aarch64
