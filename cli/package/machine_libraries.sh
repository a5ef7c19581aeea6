# The libraries that espalier is linked with, for another machine. Those that are headers alone are the installed ones; the others are
# compiled from the sources of the installed packages, which apt-get fetches. Sourced, with these set:
#   folder     where they go: what CMAKE_FIND_ROOT_PATH takes
#   toolchain  for CMAKE_TOOLCHAIN_FILE, and triplet, which both may use
#   c, cxx     its compilers
#   lua, cadical  what these are compiled with there
# shellcheck shell=sh
: "${folder:?}" "${toolchain:?}" "${triplet:?}" "${c:?}" "${cxx:?}"
# shellcheck source=cli/package/debian_sources.sh
. "$(dirname "$toolchain")/../debian_sources.sh"
jobs=$(nproc 2>/dev/null || echo 2)
map="-ffile-prefix-map=$folder=."

# library NAME COMPILER_AND_OPTIONS FILE...: compiles the files side by side
library() {
  name=$1 compile=$2
  shift 2
  rm -rf "$folder/objects/$name" "$folder/lib/lib$name.a"
  mkdir -p "$folder/objects/$name"
  printf '%s\n' "$@" | (cd "$folder/objects/$name" && xargs -P "$jobs" -n 8 sh -c "$compile -O2 -DNDEBUG -fPIC -w $map"' -c "$@"' compile)
  "$triplet-ar" rcsD "$folder/lib/lib$name.a" "$folder/objects/$name"/*.o
}

# built_by_cmake SOURCES OPTIONS...
built_by_cmake() {
  name=${1##*/} source=$1
  shift
  cmake --no-warn-unused-cli -S "$source" -B "$folder/objects/$name" -DCMAKE_TOOLCHAIN_FILE="$toolchain" -DESPALIER_TRIPLET="$triplet" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_FLAGS="$map" -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_INSTALL_PREFIX="$folder" "$@" >/dev/null
  cmake --build "$folder/objects/$name" --parallel "$jobs" --target install >/dev/null
}

# Catch2 2 for the tests, if it is installed: its headers alone.
# shellcheck disable=SC2016  # cmake expands it
catch2_headers() {
  [ -e /usr/include/catch2/catch.hpp ] || return 0
  cp -RL /usr/include/catch2 "$folder/include"
  mkdir -p "$folder/share/cmake/Catch2"
  printf '%s\n' 'add_library(Catch2::Catch2 INTERFACE IMPORTED)' \
    'target_include_directories(Catch2::Catch2 INTERFACE "${CMAKE_CURRENT_LIST_DIR}/../../../include")' >"$folder/share/cmake/Catch2/Catch2Config.cmake"
}

# Each is built once; a library without its sources is left out where the program can be without it.
has() { [ -s "$folder/lib/lib$1.a" ]; }
optional() { sources "$@" || { echo "libraries.sh: no sources of $1: some logs will not be read" >&2; return 1; }; }
installed_headers
apt update

if ! has lua5.4; then
  sources lua5.4 liblua5.4-dev
  set -- "$folder"/sources/lua5.4-*/src
  echo '#define DEB_HOST_MULTIARCH ""' >"$1/lua5.4-deb-multiarch.h" # where an installed Lua looks for modules
  # shellcheck disable=SC2010,SC2046  # one word a file
  library lua5.4 "$c -DLUA_COMPAT_5_3 ${lua-}" $(ls "$1"/*.c | grep -vE '/(lua|luac)\.c$')
  cp "$1"/lua.h "$1"/lua.hpp "$1"/luaconf.h "$1"/lualib.h "$1"/lauxlib.h "$1"/lua5.4-deb-multiarch.h "$folder/include"
fi

if ! has pugixml; then
  sources pugixml libpugixml-dev
  built_by_cmake "$folder"/sources/pugixml-*
fi

# Without the two programs that come with it.
if ! has cadical; then
  sources cadical libcadical-dev
  set -- "$folder"/sources/cadical-*/src
  # shellcheck disable=SC2010,SC2046
  library cadical "$cxx -std=c++17 -DNBUILD ${cadical-} -DVERSION=\\\"debian\\\"" $(ls "$1"/*.cpp | grep -vE '/(cadical|mobical)\.cpp$')
  cp "$1"/cadical.hpp "$folder/include"
fi

if ! has sqlite3 && optional sqlite3 libsqlite3-dev; then
  set -- "$folder"/sources/sqlite3-*/
  mkdir -p "$folder/objects/amalgamation"
  (cd "$folder/objects/amalgamation" && "$1configure" --disable-tcl --disable-readline && make sqlite3.c) >/dev/null 2>&1
  library sqlite3 "$c -DSQLITE_OMIT_LOAD_EXTENSION" "$folder/objects/amalgamation/sqlite3.c"
  cp "$folder/objects/amalgamation/sqlite3.h" "$folder/include"
fi

if ! has lz4 && optional lz4 liblz4-dev; then
  set -- "$folder"/sources/lz4-*/lib
  library lz4 "$c -DXXH_NAMESPACE=LZ4_" "$1/lz4.c" "$1/lz4hc.c" "$1/lz4frame.c" "$1/xxhash.c"
  cp "$1"/lz4.h "$1"/lz4frame.h "$folder/include"
fi

if ! has zstd && optional libzstd libzstd-dev; then
  set -- "$folder"/sources/libzstd-*/lib
  library zstd "$c -DZSTD_DISABLE_ASM" "$1"/common/*.c "$1"/compress/*.c "$1"/decompress/*.c
  cp "$1"/zstd.h "$1"/zstd_errors.h "$folder/include"
fi
