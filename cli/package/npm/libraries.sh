#!/bin/sh
# The libraries that espalier is linked with, for WebAssembly: libraries.sh FOLDER
# Libraries that are headers alone are the installed ones. Lua, pugixml and CaDiCaL are compiled from the sources of the
# installed packages, which apt-get fetches: so the program for WebAssembly is made of the same versions as the native one.
# FOLDER is what CMAKE_FIND_ROOT_PATH takes.
set -eu
mkdir -p "$1"
folder=$(cd "$1" && pwd)
# shellcheck source=cli/package/debian_sources.sh
. "$(dirname "$0")/../debian_sources.sh"
jobs=$(nproc 2>/dev/null || echo 2)
export NODE_PATH="${NODE_PATH:-/usr/share/nodejs}" # where Debian has the modules of emscripten's scripts

# library NAME OPTIONS FILE...: compiles the files, eight at a time and side by side, as C++, with exceptions
library() {
  name=$1 options=$2
  shift 2
  rm -rf "$folder/objects/$name" "$folder/lib/lib$name.a"
  mkdir -p "$folder/objects/$name"
  printf '%s\n' "$@" | (cd "$folder/objects/$name" &&
    xargs -P "$jobs" -n 8 sh -c 'em++ -x c++ -std=c++17 -O3 -DNDEBUG -fwasm-exceptions -w '"$options"' -c "$@"' compile)
  emar rcs "$folder/lib/lib$name.a" "$folder/objects/$name"/*.o
}

apt update
sources lua5.4 liblua5.4-dev
sources pugixml libpugixml-dev
sources cadical libcadical-dev

# As C++, Lua's errors are exceptions, so that no setjmp is needed. Debian's headers declare its functions as C for both.
set -- "$folder"/sources/lua5.4-*/src
echo '#define DEB_HOST_MULTIARCH ""' >"$1/lua5.4-deb-multiarch.h" # where an installed Lua looks for modules
library lua "" $(ls "$1"/*.c | grep -vE '/(lua|luac)\.c$')
cp "$1"/lua.h "$1"/lua.hpp "$1"/luaconf.h "$1"/lualib.h "$1"/lauxlib.h "$1"/lua5.4-deb-multiarch.h "$folder/include"

emcmake cmake -S "$folder"/sources/pugixml-*/ -B "$folder/objects/pugixml" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS=-fwasm-exceptions \
  -DCMAKE_INSTALL_PREFIX="$folder" >/dev/null
cmake --build "$folder/objects/pugixml" --target install >/dev/null

# Without the two programs that come with it. It must not ask the system for its resources.
set -- "$folder"/sources/cadical-*/src
library cadical '-DNBUILD -DNUNLOCKED -DVERSION=\"debian\"' $(ls "$1"/*.cpp | grep -vE '/(cadical|mobical)\.cpp$')
cp "$1"/cadical.hpp "$folder/include"

installed_headers
