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

# shellcheck disable=SC2016  # cmake expands it
if [ -e /usr/include/catch2/catch.hpp ]; then # for the tests: its headers alone
  cp -RL /usr/include/catch2 "$folder/include"
  mkdir -p "$folder/share/cmake/Catch2"
  printf '%s\n' 'add_library(Catch2::Catch2 INTERFACE IMPORTED)' \
    'target_include_directories(Catch2::Catch2 INTERFACE "${CMAKE_CURRENT_LIST_DIR}/../../../include")' >"$folder/share/cmake/Catch2/Catch2Config.cmake"
fi
