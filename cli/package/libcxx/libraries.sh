#!/bin/sh
# The libraries that espalier is linked with, and Catch2 for the tests, by Debian's clang 16 with libc++: libraries.sh FOLDER
# FOLDER is what CMAKE_FIND_ROOT_PATH takes.
set -eu
triplet=$(gcc -dumpmachine)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
toolchain=$(cd "$(dirname "$0")" && pwd)/toolchain.cmake
c=clang-16 cxx='clang++-16 -stdlib=libc++' lua=-DLUA_USE_POSIX
# shellcheck source=cli/package/machine_libraries.sh
. "$(dirname "$0")/../machine_libraries.sh"
catch2_headers
