#!/bin/sh
# Makes a release: release.sh VERSION [FOLDER], from a commit, on Debian with what samples/quickstart.sh installs
# FOLDER (build/release-VERSION) gets the static tarball, the .deb, the wheel and the sdist for Python, with emscripten the npm package, and an
# SBOM, the changes and checksums. Times are that of the commit, so that a second run makes the same bytes. Nothing is published.
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
need_packages build packaging python
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

# made PRESET FILES: builds a package and names it.
made() {
  # Programs do not say where they were built.
  # shellcheck disable=SC2046  # one word an option
  cmake --preset "$1" -DCMAKE_CXX_FLAGS="-ffile-prefix-map=$PWD=." -DCMAKE_C_FLAGS="-ffile-prefix-map=$PWD=." $(launcher_options) >&2
  find "build/$1" -maxdepth 1 -name "$2" -delete
  cmake --build --preset "$1" --target package >&2
  find "build/$1" -maxdepth 1 -name "$2"
}

tarball=$(made static 'espalier-*.tar.gz')
deb=$(made release '*.deb')
cmake --build --preset release --target espalier_shared
set -- "tarball=$tarball" "deb=$deb" library=build/release/libespalier.so
if has_command em++ && has_command npm; then
  sh cli/package/npm/libraries.sh build/wasm-libraries
  emcmake cmake --preset wasm
  cmake --build --preset wasm --target espalier_npm
  set -- "$@" npm=build/wasm/npm
else
  echo "release.sh: no npm package: it needs emscripten and npm" >&2
fi
python3 cli/package/release.py "$folder" "$@"
python3 tests/package/release.py --try "$folder"
# The same programs in fresh roots.
[ "$(id -u)" != 0 ] || sh tests/package/packages.sh build/packages
