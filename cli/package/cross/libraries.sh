#!/bin/sh
# The libraries that espalier is linked with, for another processor: libraries.sh TRIPLET FOLDER
# TRIPLET is that of Debian's cross compiler, such as aarch64-linux-gnu. FOLDER is what CMAKE_FIND_ROOT_PATH takes.
set -eu
triplet=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)
toolchain=$(cd "$(dirname "$0")" && pwd)/toolchain.cmake
c=$triplet-gcc cxx=$triplet-g++ lua=-DLUA_USE_POSIX
# shellcheck source=cli/package/machine_libraries.sh
. "$(dirname "$0")/../machine_libraries.sh"
catch2_headers
