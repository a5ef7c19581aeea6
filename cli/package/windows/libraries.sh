#!/bin/sh
# The libraries that espalier is linked with, for Windows, by Debian's MinGW-w64, and Catch2 for the tests: libraries.sh FOLDER
# FOLDER is what CMAKE_FIND_ROOT_PATH takes.
set -eu
triplet=x86_64-w64-mingw32
mkdir -p "$1"
folder=$(cd "$1" && pwd)
toolchain=$(cd "$(dirname "$0")" && pwd)/toolchain.cmake
# CaDiCaL must not ask the system for its resources.
c=$triplet-gcc-posix cxx=$triplet-g++-posix cadical=-DNUNLOCKED
# shellcheck source=cli/package/machine_libraries.sh
. "$(dirname "$0")/../machine_libraries.sh"

if [ ! -d "$folder/lib/cmake/Catch2" ]; then
  sources catch2 catch2
  built_by_cmake "$folder"/sources/catch2-* -DBUILD_TESTING=OFF -DCATCH_BUILD_TESTING=OFF -DCATCH_INSTALL_DOCS=OFF
fi
