#!/bin/sh
# Makes a release: release.sh VERSION [FOLDER], from a commit, on Debian with what samples/quickstart.sh installs
# FOLDER (build/release-VERSION) gets static tarballs, .debs and wheels for x86-64 and 64-bit ARM, the zip for Windows, the sdist for Python, the npm package,
# an SBOM, the changes and checksums. Times are that of the commit, so that a second run makes the same bytes. Nothing is published.
set -eu
version=$1
folder=${2:-build/release-$version}
cd "$(dirname "$0")/../.."
# shellcheck source=samples/packages.sh
. samples/packages.sh

stop() { echo "release.sh: $1" >&2; exit 1; }
grep -q "project(espalier VERSION $version " CMakeLists.txt || stop "CMakeLists.txt has another version than $version"
[ "$(sed -n '1s/espalier (\([^)]*\)).*/\1/p' cli/package/changelog)" = "$version" ] || stop "the first entry of cli/package/changelog is of another version"
[ -z "$(git status --porcelain)" ] || stop "there are changes that are not committed"
need_packages build packaging python aarch64 windows wasm
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

# shellcheck source=cli/package/packages.sh
. cli/package/packages.sh
made() { package "$1" >&2 && find "build/$1" -maxdepth 1 -name "$2"; }

tarball=$(made static 'espalier-*.tar.gz')
deb=$(made release 'espalier_*.deb')
cmake --build --preset release --target espalier_shared
set -- "tarball=$tarball" "deb=$deb" library=build/release/libespalier.so

cross_libraries aarch64
tarball=$(made aarch64-static 'espalier-*.tar.gz')
deb=$(made aarch64 'espalier_*.deb')
cmake --build --preset aarch64 --target espalier_shared
aarch64-linux-gnu-strip -o build/aarch64/stripped.so build/aarch64/libespalier.so
set -- "$@" "tarball=$tarball" "deb=$deb" library=build/aarch64/stripped.so

# shellcheck disable=SC2119  # without options
windows_zip >&2
set -- "$@" "zip=$(ls build/windows/zip/espalier-*.zip)"

sh cli/package/npm/libraries.sh build/wasm-libraries
emcmake cmake --preset wasm
cmake --build --preset wasm --target espalier_npm
set -- "$@" npm=build/wasm/npm

python3 cli/package/release.py "$folder" "$@"
python3 tests/package/release.py --try "$folder"
# The same programs in fresh roots.
[ "$(id -u)" != 0 ] || sh tests/package/packages.sh build/packages
