#!/bin/sh
# What is installed can be used: package.sh BUILD_FOLDER WORK_FOLDER
# Installs a build, moves it elsewhere, and builds programs outside of espalier against it: in C and in C++17, with CMake and
# with pkg-config, and the embedding sample. Then programs that build the runtime from its sources, as a part of their own
# build, in two ways and with two compilers. All must give the same output.
set -eu
build=$(cd "$1" && pwd)
mkdir -p "$2"
work=$(cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
sources=$(cd "$here/../.." && pwd)
guard=$here/../../samples/guard
rm -rf "${work:?}"/*

# Builds quietly; prints the output only if it fails.
quietly() { "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }; }

prefix=$work/moved
quietly cmake --install "$build" --prefix "$work/installed"
mv "$work/installed" "$prefix"

for file in bin/espalier include/espalier/espalier.h include/espalier/espalier.hpp share/doc/espalier/README.md \
  share/doc/espalier/LICENSE share/espalier/schemas/asset.md share/man/man1/espalier.1 \
  share/bash-completion/completions/espalier share/zsh/site-functions/_espalier share/fish/vendor_completions.d/espalier.fish; do
  [ -s "$prefix/$file" ] || { echo "not installed: $file" >&2; exit 1; }
done

python3 "$sources/tests/documents/readme.py" --links "$prefix/share/doc/espalier"

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

unity=ON  # a fifth of the time
[ -z "${ESPALIER_ALL_TESTS-}" ] || unity=OFF
for from in add_subdirectory FetchContent; do
  for compiler in "gcc g++" "clang clang++"; do
    c=${compiler% *}
    command -v "$c" >/dev/null || continue
    case "$from $c ${ESPALIER_ALL_TESTS-one of each}" in "add_subdirectory clang one of each" | "FetchContent gcc one of each") continue ;; esac
    echo "$from, $c: the runtime alone"
    built=$work/$from-$c
    quietly cmake -S "$here" -B "$built" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DFROM=$from -DSOURCES="$sources" -DWITH_CXX=ON -DCMAKE_C_COMPILER="$c" \
      -DCMAKE_CXX_COMPILER="${compiler#* }" -DCMAKE_C_FLAGS="-Wall -Wextra -Werror" \
      -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror -fno-exceptions -fno-rtti" -DCMAKE_DISABLE_FIND_PACKAGE_pugixml=ON \
      -DESPALIER_UNITY="$unity"
    quietly cmake --build "$built"
    check "$built/outside_c" "$work/c/guard.espb"
    check "$built/outside_cpp" "$work/c/guard.espb"
  done
done

echo "add_subdirectory, with the tool: it compiles trees (not built again here)"
quietly cmake -S "$here" -B "$work/tool" -G Ninja -DFROM=add_subdirectory -DSOURCES="$sources" -DESPALIER_TOOL=ON -DWITH_CXX=ON \
  -DGUARD="$guard"
grep -q "COMMAND = .*/espalier compile $guard" "$work/tool/build.ninja" || { echo "no command compiles trees" >&2; exit 1; }

echo "samples/embed"
quietly cmake -S "$here/../../samples/embed" -B "$work/embed" -G Ninja -DCMAKE_PREFIX_PATH="$prefix"
quietly cmake --build "$work/embed"
answer=$("$work/embed/guards" "$work/embed/guard.espb")
echo "$answer"
[ "${answer#*: }" = "600 attacks begun, 60 guards attacking now" ] || exit 1
answer=$("$work/embed/crowd" "$work/embed/guard.espb")
echo "$answer"
[ "${answer#*: }" = "1049 guards attacking now" ] || exit 1
answer=$("$work/embed/guard_c" "$work/embed/guard.espb" | tail -n 1)
[ "$answer" = "The guard begins: Search" ] || { echo "guard_c: $answer" >&2; exit 1; }
answer=$("$work/embed/robot_c" "$work/embed/btcpp.espb" | tail -n 1)
[ "$answer" = "The parcel is delivered" ] || { echo "robot_c: $answer" >&2; exit 1; }
answer=$("$work/embed/robot" "$work/embed/btcpp.espb")
[ "${answer#*; }" = "the parcel is delivered" ] || { echo "robot: $answer" >&2; exit 1; }
quietly "$work/embed/recorded" "$work/embed/btcpp.espb" "$work/run.esprec"
answer=$("$prefix/bin/espalier" replay --verify "$work/run.esprec")
echo "$answer"
[ "${answer#*: }" = "600 frames of 1 agent are as they were recorded" ] || exit 1
"$work/embed/served" "$work/embed/served.espb" 21667 20 >"$work/served" &
until grep -q listening "$work/served"; do sleep 0.1; done
"$prefix/bin/espalier" attach --once tcp://localhost:21667 2>&1 | grep "^running: bring/FollowPath" || exit 1
kill $!
quietly ctest --test-dir "$work/embed" --no-tests=error

echo "espalier_add_trees, with Ninja and make"
python3 "$here/rebuilds.py" "$prefix" "$work/rebuilds"

echo "samples/build"
cp -r "$sources/samples" "$work/samples"
PATH=$prefix/bin:$PATH
export PATH
for build in make ninja; do
  quietly $build -C "$work/samples/build"
  [ -e "$work/build/samples-$build/intruder.replayed" ] || { echo "$build replays no trace" >&2; exit 1; }
  quietly touch "$work/samples/guard/guard.xml"
  $build -C "$work/samples/build" >"$work/log"
  grep -q "ompil" "$work/log" || { echo "$build does not see a change of a tree" >&2; exit 1; }
  $build -C "$work/samples/build" >"$work/log"
  ! grep -q "ompil" "$work/log" || { echo "$build compiles without a change" >&2; exit 1; }
done
