#!/bin/sh
# What is installed can be used: package.sh BUILD_FOLDER WORK_FOLDER
# Installs a build, moves it elsewhere, and builds programs outside of espalier against it: in C and in C++17, with CMake and
# with pkg-config, and the embedding sample. All are to give the same answers.
set -eu
build=$(cd "$1" && pwd)
mkdir -p "$2"
work=$(cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
guard=$here/../../samples/guard
rm -rf "${work:?}"/*

# What is built is silent, but when it fails.
quietly() { "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }; }

prefix=$work/moved
quietly cmake --install "$build" --prefix "$work/installed"
mv "$work/installed" "$prefix"

for file in bin/espalier include/espalier/espalier.h include/espalier/espalier.hpp share/doc/espalier/README.md \
  share/doc/espalier/LICENSE share/espalier/schemas/asset.md; do
  [ -f "$prefix/$file" ] || { echo "not installed: $file" >&2; exit 1; }
done

check() {
  answer=$("$@" | tr '\n' ' ')
  [ "$answer" = "Patrol Attack " ] || { echo "$* answers: $answer" >&2; exit 1; }
}

echo "find_package, in a project that knows C alone"
quietly cmake -S "$here" -B "$work/c" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DGUARD="$guard"
quietly cmake --build "$work/c"
check "$work/c/outside_c" "$work/c/guard.espb"

echo "find_package, in C and C++17"
quietly cmake -S "$here" -B "$work/cpp" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DGUARD="$guard" -DWITH_CXX=ON
quietly cmake --build "$work/cpp"
check "$work/cpp/outside_c" "$work/cpp/guard.espb"
check "$work/cpp/outside_cpp" "$work/cpp/guard.espb"

echo "pkg-config"
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name espalier.pc)")
export PKG_CONFIG_PATH
flags=$(pkg-config --cflags --libs espalier)
# shellcheck disable=SC2086  # one word a flag
gcc -std=c99 -pedantic -Wall -Wextra -Werror "$here/outside.c" $flags -o "$work/pkg_c"
# shellcheck disable=SC2086
g++ -std=c++17 -pedantic -Wall -Wextra -Werror "$here/outside.cpp" $flags -o "$work/pkg_cpp"
check "$work/pkg_c" "$work/c/guard.espb"
check "$work/pkg_cpp" "$work/c/guard.espb"

echo "samples/embed"
quietly cmake -S "$here/../../samples/embed" -B "$work/embed" -G Ninja -DCMAKE_PREFIX_PATH="$prefix"
quietly cmake --build "$work/embed"
answer=$("$work/embed/guards" "$work/embed/guard.espb")
echo "$answer"
[ "${answer#*: }" = "600 attacks begun, 60 guards attacking now" ] || exit 1
